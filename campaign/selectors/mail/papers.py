"""The papers of a campaign: emails, hashes and secrets. Each is read for one reader at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404

from battles.models import Battle
from campaign.models import Campaign, Membership, Notice, Turn
from campaign.selectors.people.access import Role, may_know_battle
from campaign.selectors.revealed import Revealed, revealed


def notices_for(campaign: Campaign, membership: Membership) -> QuerySet[Notice]:
    """A reader's own notices of a campaign, newest first, without their text."""
    return campaign.notices.filter(recipient=membership.user_id).light()


def delivery_rows(campaign: Campaign) -> QuerySet[Notice]:
    """How delivery of every notice of a campaign stands, newest first. For the umpire."""
    return campaign.notices.select_related("recipient").light()


def undelivered(campaign: Campaign) -> int:
    """How many notices have been given up. For the umpire."""
    return campaign.notices.filter(status=Notice.Status.FAILED, void="").count()


def notice_for_member_or_404(membership: Membership, pk: int) -> Notice:
    """A notice by its number: the reader's own, or anyone's for the umpire. Raises Http404."""
    notices = membership.campaign.notices.select_related("recipient").defer("html")
    if membership.role != Role.UMPIRE:
        notices = notices.filter(recipient=membership.user_id)
    try:
        notice: Notice = notices.get(pk=pk)
    except Notice.DoesNotExist:
        raise Http404("no such notice for this reader") from None
    return notice


@dataclass(frozen=True, slots=True)
class BattleProof:
    """What is published of a battle's dice. seed: "" until it is open."""

    code: str
    title: str
    seed_hash: str
    seed: str
    rules_hash: str


@dataclass(frozen=True, slots=True)
class TurnProof:
    """What is published of a turn's dice. state_hash: "" until the turn is closed; chart_secret, battle_secret: until they are open.

    opens: number of the turn with which its secrets open. lost: they were still sealed when the campaign was exported without them.
    """

    number: int
    closed: bool
    opens: int
    chart_hash: str
    chart_secret: str
    battle_secret: str
    state_hash: str
    battles: tuple[BattleProof, ...]
    lost: bool = False


def turns_proved(campaign: Campaign) -> QuerySet[Turn]:
    """The turns of which something is published, newest first, for `proofs`."""
    turns = campaign.turns.prefetch_related("contacts__battle").defer("ongoing", "luck")
    return turns.order_by("-number")


def proofs(campaign: Campaign, membership: Membership, turns: Iterable[Turn]) -> list[TurnProof]:
    """Published hashes of some turns and of the battles that the reader may know, with the secrets that are open. Rules: G.FA1, G.IN1."""
    known = revealed(campaign)
    return [_turn_proof(turn, membership, known) for turn in turns]


def _turn_proof(turn: Turn, membership: Membership, open_: Revealed) -> TurnProof:
    closed, battles = turn.phase == Turn.Phase.CLOSED, turn.number in open_.battles
    known = [contact.battle for contact in turn.contacts.all() if may_know_battle(membership, contact.fleets)]
    return TurnProof(
        number=turn.number,
        closed=closed,
        opens=turn.number + open_.after,
        chart_hash=turn.chart_hash,
        chart_secret=turn.chart_secret if turn.number in open_.chart else "",
        battle_secret=turn.battle_secret if battles else "",
        state_hash=turn.state_hash if closed else "",
        battles=tuple(_battle_proof(battle, battles) for battle in known if battle is not None),
        lost=not turn.chart_secret,
    )


def _battle_proof(battle: Battle, open_: bool) -> BattleProof:  # noqa: FBT001 - whether its seed is
    return BattleProof(
        code=battle.code,
        title=battle.title,
        seed_hash=battle.seed_hash,
        seed=battle.seed if open_ else "",
        rules_hash=battle.rules_hash,
    )
