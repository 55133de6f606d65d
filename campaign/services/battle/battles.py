"""Battles that are not the engine's, in a campaign: who may propose, confirm and dispute, and what the umpire rules.

Rules: G.BT1, G.BT2, G.BT4, G.BT5.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from battles.models import Battle, BattleOutcome
from battles.services import outcomes
from battles.services.outcomes import OutcomeRefused
from campaign.models import Campaign, Contact, Membership, Turn
from campaign.publishing import FIGHT, RUN_TURN, publish
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.turn.ongoing import TO_BE_FOUGHT, call_code, campaign_waits
from campaign.services.mail.battle_notices import (
    battle_awaits_fighting,
    battle_awaits_umpire,
    result_awaits_anew,
    result_awaits_answer,
    result_disputed,
)
from campaign.services.turn.turns import turn_retry
from campaign.services.umpire_log import SITE, UmpireRefused, act_log, reason_given

Role = Membership.Role


def turn_of(battle: Battle) -> Turn:
    """The turn in which a battle began, without its documents."""
    contact = Contact.objects.select_related("turn__campaign__book").get(battle=battle)
    return contact.turn


def result_enter(
    *,
    battle: Battle,
    membership: Membership,
    version: int,
    parts: Collection[str],
    change: Callable[[dict[str, Any]], dict[str, Any]],
) -> BattleOutcome:
    """Enter parts of the result sheet, as `outcomes.outcome_change` does, for the member's side. Raises OutcomeRefused. Rule: G.BT2."""
    side = _side(membership, battle)
    return outcomes.outcome_change(battle=battle, version=version, change=change, parts=parts, side=side)


def result_propose(
    *,
    battle: Battle,
    membership: Membership,
    version: int | None = None,
    document: Any = None,
    roster_digest: str = "",
    head: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
) -> BattleOutcome:
    """Propose a result; an admiral who does has confirmed it for their side. Raises OutcomeRefused. Rules: G.BT2, G.BT5.

    head: enters what is about the whole battle first; it is given the document. What else has changed since the version that was seen
    is still refused.
    """
    side = _side(membership, battle)
    with transaction.atomic():
        if head is not None and version is not None:
            result_enter(
                battle=battle, membership=membership, version=version, parts=[outcomes.HEAD], change=head
            )
            version += 1
        outcome = outcomes.outcome_propose(
            battle=battle, by=membership.user.get_username(), side=side, version=version, document=document,
            roster_digest=roster_digest,
        )  # fmt: skip
        campaign = membership.campaign
        left = outcomes.unanswered(outcome) - silent_sides(campaign)
        if not left:
            _accept(battle)
        else:
            result_awaits_answer(campaign=campaign, outcome=outcome, sides=left)
    outcome.refresh_from_db()
    return outcome


def result_answer(
    *, battle: Battle, membership: Membership, confirm: bool, version: int, reason: str = ""
) -> BattleOutcome:
    """An admiral confirms or disputes a proposed result for their side. Raises OutcomeRefused. Rules: G.BT2, G.BT5."""
    side = _side(membership, battle)
    if not side:
        raise OutcomeRefused(
            "Only the sides that fought can confirm or dispute a result. As umpire, accept it or ask for a new one."
        )
    campaign = membership.campaign
    with transaction.atomic():
        outcome = outcomes.outcome_answer(
            battle=battle, side=side, by=membership.user.get_username(), confirm=confirm, version=version, reason=reason,
            silent=silent_sides(campaign),
        )  # fmt: skip
        if outcome.status == BattleOutcome.Status.CONFIRMED:
            _go_on(battle)
        elif not confirm:
            result_disputed(campaign=campaign, outcome=outcome, side=side, reason=reason)
    return outcome


def result_rule(*, battle: Battle, umpire: User, accept: bool, reason: str) -> None:
    """The umpire accepts a proposed or disputed result, or asks for a new one. Raises OutcomeRefused, UmpireRefused."""
    reason = reason_given(reason)
    turn = turn_of(battle)
    with transaction.atomic():
        if accept:
            _accept(battle)
        else:
            outcomes.outcome_reopen(battle=battle)
            sheet = BattleOutcome.objects.select_related("battle__roster").get(battle=battle)
            result_awaits_anew(campaign=turn.campaign, outcome=sheet, reason=reason)
        act_log(
            campaign=turn.campaign, actor=umpire.get_username(), turn=turn, reason=f"{battle.title}: {reason}",
            action="accepted a battle's result" if accept else "asked for a new result of a battle",
        )  # fmt: skip


def route_change(*, battle: Battle, umpire: User, route: str, reason: str) -> None:
    """The umpire has a battle fought another way until it starts; one that failed lets its turn go on. Rules: G.BT1, G.UM2.

    Raises OutcomeRefused, UmpireRefused.
    """
    reason = reason_given(reason)
    turn = turn_of(battle)
    with transaction.atomic():
        outcomes.battle_route(battle=battle, route=route)
        turn_retry(turn=turn)
        act_log(
            campaign=turn.campaign, actor=umpire.get_username(), turn=turn, reason=f"{battle.title}: {reason}",
            action=f"sent a battle to the {battle.get_route_display().split()[-1]}",
        )  # fmt: skip
        if route == Battle.Route.ENGINE:
            publish(FIGHT, battle.pk)
        event = f"{battle.code}-{route}-{timezone.now():%Y%m%dT%H%M%S}"
        battle_awaits_fighting(campaign=turn.campaign, battle=battle, event=event)
        _go_on(battle)


def battle_let_go(*, battle: Battle, umpire: User, reason: str) -> None:
    """The campaign that waits for a battle waits no longer: its fleets are held, and the turn goes on. Rule: G.BT4.

    Raises UmpireRefused when nothing waits for it.
    """
    reason = reason_given(reason)
    turn, call = turn_of(battle), call_code(battle)
    with transaction.atomic():
        row = Turn.objects.filter(pk=turn.pk, phase=Turn.Phase.FIGHTING, claim=None)
        ongoing = [*turn.ongoing, call]
        engine = battle.route == Battle.Route.ENGINE or battle.status not in TO_BE_FOUGHT
        if engine or call in turn.ongoing or not row.update(ongoing=ongoing):
            raise UmpireRefused("No turn is waiting for this battle.")
        act_log(
            campaign=turn.campaign, actor=umpire.get_username(), turn=turn, reason=f"{battle.title}: {reason}",
            action="released the turn from a battle",
        )  # fmt: skip
        _go_on(battle)


def results_lapse() -> int:
    """Accept the results that no one has disputed in time. Returns how many. Rule: G.BT5."""
    now, done = timezone.now(), 0
    proposed = BattleOutcome.objects.filter(
        status=BattleOutcome.Status.PROPOSED, battle__contacts__turn__campaign__status=Campaign.Status.ACTIVE
    ).select_related("battle__roster")
    for outcome in proposed.distinct():
        turn = turn_of(outcome.battle)
        if outcome.proposed is None or outcome.proposed > now - timedelta(days=_days(turn.campaign)):
            continue
        with transaction.atomic():
            _accept(outcome.battle)
            act_log(
                campaign=turn.campaign, actor=SITE, turn=turn, reason=f"{outcome.battle.title}: no one disputed it",
                action="accepted a battle's result",
            )  # fmt: skip
        done += 1
    return done


def results_shift(*, campaign: Campaign, gap: timedelta) -> None:
    """Give the sides as much longer to answer as the campaign was stopped. Rules: G.BT5, G.UM1, G.UM2."""
    open_ = BattleOutcome.objects.filter(status=BattleOutcome.Status.PROPOSED, battle__book=campaign.book_id)
    open_.update(proposed=F("proposed") + gap)


def waiting_told() -> int:
    """Ask the umpires of campaigns that have waited too long for a battle. Returns how many were asked about. Rule: G.BT4."""
    now, asked = timezone.now(), 0
    open_ = Battle.objects.filter(
        status__in=TO_BE_FOUGHT, contacts__turn__campaign__status=Campaign.Status.ACTIVE
    ).exclude(route=Battle.Route.ENGINE)
    for battle in open_.distinct():
        turn = turn_of(battle)
        campaign = turn.campaign
        longest = timedelta(days=settings_from(campaign.settings).battle_wait_days)
        waits = campaign_waits(campaign) and call_code(battle) not in turn.ongoing
        if not waits or battle.spawned > now - longest:
            continue
        asked += battle_awaits_umpire(campaign=campaign, battle=battle)
    return asked


def silent_sides(campaign: Campaign) -> set[str]:
    """Sides that have no admiral to ask."""
    heard = campaign.memberships.filter(role=Role.ADMIRAL).values_list("side", flat=True)
    return set(campaign.sides.exclude(pk__in=heard).values_list("navy__code", flat=True))


def _side(membership: Membership, battle: Battle) -> str:
    """Code of the side for which a member speaks, "" for the umpire. Raises OutcomeRefused for someone who was not there."""
    if membership.role == Role.UMPIRE:
        return ""
    if membership.side is None or membership.side.code not in battle.roster.navies:
        raise OutcomeRefused(
            "Only the sides that fought this battle and the umpire can enter or answer its result."
        )
    return membership.side.code


def _accept(battle: Battle) -> None:
    outcomes.outcome_accept(battle=battle)
    _go_on(battle)


def _go_on(battle: Battle) -> None:
    for turn_id in Contact.objects.filter(battle=battle).values_list("turn_id", flat=True):
        publish(RUN_TURN, turn_id)


def _days(campaign: Campaign) -> int:
    return settings_from(campaign.settings).confirm_days
