"""The umpire's desk: who is ready, what is held, what has failed, where one can go back to. For the umpire alone. Rules: G.UM1, G.UM2."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from battles.models import Battle, BattleOutcome
from campaign.models import Campaign, Turn
from campaign.selectors.desk.clock import grace_of
from campaign.selectors.desk.pages import SideDesk, umpire_desk
from campaign.selectors.turn.ongoing import TO_BE_FOUGHT, ongoing_battles, waits_for

Phase = Turn.Phase


@dataclass(frozen=True, slots=True)
class BattleDesk:
    """A battle that the umpire may have to look after. words: how it stands; urgent: whether they have to act."""

    code: str
    title: str
    route: str
    words: str
    urgent: bool


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything on the desk. back: turns that one can roll back to, newest first. waiting: the turn does not go on without them.

    grace_until: until when a turn past its deadline waits for orders; None when it does not.
    """

    sides: tuple[SideDesk, ...]
    battles: tuple[BattleDesk, ...]
    waiting: bool
    back: tuple[Turn, ...]
    may: frozenset[str]
    grace_until: datetime | None


_OUTCOMES = {
    BattleOutcome.Status.DRAFT: ("its result is being entered", False),
    BattleOutcome.Status.PROPOSED: ("a result is proposed, and one side has not answered yet", False),
    BattleOutcome.Status.DISPUTED: ("its result is disputed and needs your ruling", True),
    BattleOutcome.Status.CONFIRMED: ("its result is accepted and will be applied with the next turn", False),
}


def desk_of(campaign: Campaign, turn: Turn | None) -> Desk:
    """The desk of a campaign, in a fixed number of queries but for sides."""
    battles = {battle.pk: battle for battle in ongoing_battles(campaign).values()}
    if turn is not None:
        own = Battle.objects.filter(contacts__turn=turn).exclude(
            status__in=(Battle.Status.WRITTEN, Battle.Status.VOID)
        )
        battles |= {battle.pk: battle for battle in own.listed()}
    return Desk(
        sides=tuple(umpire_desk(campaign, turn)) if turn is not None else (),
        battles=tuple(_battle(battle) for battle in sorted(battles.values(), key=lambda battle: battle.code)),
        waiting=turn is not None and turn.phase == Phase.FIGHTING and bool(waits_for(turn)),
        back=tuple(campaign.turns.filter(locked__isnull=False).order_by("-number")[:20]),
        may=_may(campaign, turn),
        grace_until=grace_of(turn),
    )


def _battle(battle: Battle) -> BattleDesk:
    outcome = getattr(battle, "outcome", None)
    if battle.status == Battle.Status.FAILED:
        words, urgent = f"it could not be fought. {battle.error.rstrip('.')}", True
    elif outcome is not None and battle.status in (Battle.Status.READY, Battle.Status.FOUGHT):
        words, urgent = _OUTCOMES.get(BattleOutcome.Status(outcome.status), ("decided", False))
    elif battle.status in TO_BE_FOUGHT:
        words, urgent = ("being fought" if battle.status == Battle.Status.FIGHTING else "to be fought"), False
    else:
        words, urgent = str(battle.get_status_display()).lower(), False
    return BattleDesk(battle.code, battle.title, str(battle.get_route_display()), words, urgent)


def _may(campaign: Campaign, turn: Turn | None) -> frozenset[str]:
    """Acts that can be done as things stand."""
    if campaign.status == Campaign.Status.CLOSED:
        return frozenset()
    may = {"resume"} if campaign.status == Campaign.Status.PAUSED else {"pause"}
    if campaign.status == Campaign.Status.FAILED:
        may = set()
    if turn is None:
        return frozenset(may)
    going = campaign.status != Campaign.Status.PAUSED
    if turn.phase == Phase.OPEN:
        may |= {"preview", "extend", "close", "release" if turn.hold else "hold"} | (
            {"run"} if going else set()
        )
    elif turn.phase in (Phase.HELD, Phase.LOCKED) and not turn.has_begun:
        may |= {"preview"} | ({"release", "run"} if turn.phase == Phase.HELD and going else set())
    elif turn.phase == Phase.FAILED:
        may |= {"retry"}
    return frozenset(may)
