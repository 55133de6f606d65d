"""A turn's life: open → locked → running → (fighting → running)* → reporting → closed, with failed beside it. One is open, always.

Work is claimed by a token and a lease (battles.leases); the claimed worker computes outside any transaction and writes in one short
transaction whose first statement gives the claim back. The Celery task, the demo and the command `turn --run` all drive `turn_run`.
"""

from __future__ import annotations

import hashlib
import logging
import uuid
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from battles import failures, leases, luck
from battles.engine.pinned.archives import RulesMissing
from battles.models import Battle
from campaign.calendar import chart_time
from campaign.deadlines import Rhythm
from campaign.models import Campaign, Turn
from campaign.notices.public import post_of_turn
from campaign.pinned.pins import pin_of
from campaign.pinned.use import keyed, rules_of
from campaign.rules.chart import types as t
from campaign.rules.state.calendar import facts_now
from campaign.rules.turn import turn as rules
from campaign.rules.turn.snapshots import facts_to_dict
from campaign.selectors.turn.facts import pure_theatre, turn_facts
from campaign.selectors.turn.ongoing import call_code, ongoing_battles, unfought, waits_for
from campaign.selectors.turn.stored import facts_of, state_of
from campaign.services.mail.battle_notices import battle_awaits_fighting
from campaign.services.mail.letters import letters_advance
from campaign.services.mail.notices import (
    notices_for_closed_turn,
    notices_for_opened_turn,
    notices_of_failure,
)
from campaign.services.mail.silence import silence_tell
from campaign.services.orders import admirals
from campaign.services.people.absences import sides_away_tell
from campaign.services.settings.rule_changes import rules_take_effect
from campaign.services.settings.versions import rules_begin
from campaign.services.turn import turn_results
from campaign.services.turn.books import books_document
from campaign.services.turn.chart_dice import CountedDice
from campaign.services.turn.chart_results import sea_write
from campaign.services.turn.documents import documents_write
from campaign.services.turn.ending import campaign_end, objectives_settle, reason_to_end
from fleets.services.service_records import records_digest

logger = logging.getLogger(__name__)

Phase = Turn.Phase
PLAYABLE = (Phase.LOCKED, Phase.RUNNING, Phase.FIGHTING)
WORKABLE = (*PLAYABLE, Phase.REPORTING)
VOID = "void"


class TurnRefused(ValueError):
    """Something that cannot be done to a turn as it stands; the text says why."""


class BattleFailed(TurnRefused):
    """A turn that cannot go on because a battle of it failed: trying again mends nothing."""


def turn_open(
    *, campaign: Campaign, follows: Turn | None = None, again: Turn | None = None, same_dice: bool = False
) -> Turn:
    """Open the turn after a closed one: secrets drawn, the chart secret's hash published, standing orders carried over.

    follows: the last closed turn, None before the first; the turn after it is found when it has been opened already. again: a voided
    turn that is opened again after a rollback, with its orders; same_dice: with its dice too. A rerun goes on turn by turn as long as
    the days agree. Raises TurnRefused when another turn is on. Rules: G.FA1, G.MV2, G.CL1, G.UM3.
    """
    number = follows.number + 1 if follows is not None else 1
    opened = campaign.turns.filter(number=number).first()
    if opened is not None:
        return opened
    _refuse_second(campaign, number)
    if again is None and follows is not None:
        again = _next_of_rerun(campaign, follows)
        same_dice = again is not None and again.locked is not None
    runs = Turn.every.filter(campaign=campaign, number=number).order_by("-run").values_list("run", flat=True)
    run = (runs.first() or 0) + 1
    secrets = (
        (again.chart_secret, again.battle_secret) if again and same_dice else _secrets(campaign, number, run)
    )
    if campaign.coming and again is None:
        rules_take_effect(campaign=campaign)
    rules_begin(campaign=campaign)
    turn, new = Turn.objects.get_or_create(
        campaign=campaign,
        number=number,
        defaults={
            "run": run,
            "first_day": campaign.calendar_day,
            "days": again.days if again is not None else days_left(follows) or campaign.turn_days,
            "chart_secret": secrets[0],
            "battle_secret": secrets[1],
            "chart_hash": hashlib.sha256(bytes.fromhex(secrets[0])).hexdigest(),
            "deadline": None if campaign.practice else deadline_of(campaign, timezone.now()),
            "repeats": again if same_dice else None,
        },
    )
    if new and again is not None:
        turn_results.orders_copy(old=again, new=turn)
    if new and follows is not None:
        turn_results.standing_orders_carry(old=follows, new=turn)
    if new and turn.repeats is None:
        sides_away_tell(turn=turn)
    return turn


def _refuse_second(campaign: Campaign, number: int) -> None:
    """Raises TurnRefused when a turn is on already, or when turn `number` does not come next."""
    on = campaign.turns.exclude(phase=Phase.CLOSED).only("number").first()
    if on is not None:
        raise TurnRefused(f"Turn {number} cannot be opened: turn {on.number} is not closed.")
    last = campaign.turns.order_by("-number").values_list("number", flat=True).first() or 0
    if number != last + 1:
        raise TurnRefused(f"Turn {number} cannot be opened: the last turn is turn {last}.")


def _next_of_rerun(campaign: Campaign, last: Turn) -> Turn | None:
    """The voided turn that comes next in a rerun, None when there is none or the days no longer agree. Rule: G.UM3."""
    if last.repeats is None:
        return None
    return Turn.every.filter(
        campaign=campaign, number=last.number + 1, void=last.repeats.void, first_day=campaign.calendar_day
    ).first()


def deadline_of(campaign: Campaign, opened: datetime) -> datetime:
    """When orders for a turn that opens now close: on the next of the fixed weekdays, else after the campaign's hours. Rule: G.CL1."""
    return rhythm_of(campaign).next_after(opened)


def rhythm_of(campaign: Campaign) -> Rhythm:
    """How orders of a campaign's turns close. Rule: G.CL1."""
    return Rhythm(
        campaign.deadline_hours, tuple(campaign.deadline_days), campaign.deadline_at, campaign.time_zone
    )


def days_left(turn: Turn | None) -> int:
    """Days that remain of a turn that an event ended early: its orders reopen for them. Rule: G.CL3."""
    return max(0, turn.days - turn.days_run) if turn is not None and turn.phase == Phase.CLOSED else 0


def turn_lock(*, turn: Turn, by: str = "") -> bool:
    """Close a turn for orders and let it be run. Sides on the automatic admiral, and no one else, get its orders first.

    Returns False when it is no longer open, which is fine. A turn that repeats another's dice keeps its orders as they are. Raises
    RulesMissing, with nothing done, when the rules that its campaign plays by are not installed.
    """
    use = rules_of(turn.campaign)
    with transaction.atomic():
        if not Turn.objects.filter(pk=turn.pk, phase=Phase.OPEN).update(
            phase=Phase.LOCKED, attempts=0, locked=timezone.now()
        ):
            return False
        turn.refresh_from_db()
        turn.drafts.all().delete()
        if turn.repeats is None:
            admirals.automatic_orders_write(turn=turn)
        facts, orders = turn_facts(turn)
        Turn.objects.filter(pk=turn.pk).update(rules_hash=pin_of(turn.campaign).hash)
        snapshot = use(facts_to_dict)(facts, orders)
        documents_write(turn=turn, snapshot=snapshot, books=books_document(turn.campaign))
        turn.refresh_from_db()
    logger.info("%s locked %s", by or "the site", turn)
    return True


def turn_run(*, turn_id: int) -> str:
    """Carry a locked turn as far as it goes: to battles that have to be fought, or to its end. Returns the phase it is left in.

    Safe to call at any time, twice, and by a worker that dies: what is not claimed or whose lease has run out is taken over from
    the last stored stop. While the turn waits for a battle, or its campaign is paused, it does nothing. Rules: G.BT4, G.UM1.
    """
    if not _may_go_on(turn_id):
        return _phase(turn_id)
    token, spent = leases.take_or_give_up(Turn.objects.filter(pk=turn_id, phase__in=WORKABLE))
    if token is None:
        return _phase(turn_id)
    turn = Turn.objects.select_related("campaign__book", "campaign__theatre").filter(claim=token).first()
    if turn is None:  # it was taken back at this moment
        return _phase(turn_id)
    try:
        if not _may_go_on(turn_id):  # it was paused, or went on, while the row was waited for
            leases.give_back(turn, token)
        elif spent:
            turn_fail(
                turn=turn, token=token, error=failures.died(_name(turn), leases.MAX_ATTEMPTS, turn.error)
            )
        else:
            _work(turn, token)
    except leases.LeaseLost:
        logger.warning("%s took longer than its lease; dropped", turn)
    except Exception as error:
        _note_failure(turn, token, error)
    return _phase(turn_id)


def _may_go_on(turn_id: int) -> bool:
    """Whether a turn can be worked on as things stand: it is locked and not closed, not paused, and waits for no battle."""
    found = (
        Turn.objects.filter(pk=turn_id, phase__in=WORKABLE)
        .exclude(campaign__status=Campaign.Status.PAUSED)
        .select_related("campaign__book")
        .first()
    )
    return found is not None and not waits_for(found)


def _work(turn: Turn, token: uuid.UUID) -> None:
    if turn.phase != Phase.REPORTING:
        leases.keep(turn, token, phase=Phase.RUNNING)
        turn, token = _play_on(turn, token)
    if turn.phase == Phase.REPORTING:
        _report(turn, token)


def battles_of(turn_id: int) -> QuerySet[Battle]:
    """The turn's battles, in the order of their codes."""
    return (
        Battle.objects.filter(contacts__turn_id=turn_id).exclude(status=Battle.Status.VOID).order_by("code")
    )


def _play_on(turn: Turn, token: uuid.UUID) -> tuple[Turn, uuid.UUID]:
    """Compute to the next stop, then store it in one short transaction."""
    if turn.snapshot is None:
        raise TurnRefused(f"Orders for turn {turn.number} were never closed, so there is nothing to run.")
    failed = battles_of(turn.pk).filter(status=Battle.Status.FAILED).first()
    if failed is not None:
        raise BattleFailed(f"The battle “{failed.title}” could not be fought. {failed.error}")
    facts, orders = facts_of(turn, pure_theatre(turn.campaign.theatre))
    ready = (
        battles_of(turn.pk).filter(status=Battle.Status.FOUGHT).select_related("roster", "outcome", "book")
    )
    fought = [battle for battle in ready if call_code(battle) not in turn.ongoing]
    ongoing = [*turn.ongoing, *(call_code(battle) for battle in unfought(turn))]
    outcomes = {call_code(battle): battle.outcome.document for battle in fought}
    if turn.state is None:
        fought += ongoing_battles(turn.campaign, facts.accepted).values()
    thrown = CountedDice.of(facts)
    with leases.kept(turn, token):
        state, stop = _next_stop(turn, facts, orders, outcomes, thrown, ongoing)
    use = rules_of(turn)
    facts = use(facts_now)(facts, state.calendar)
    left: dict[str, Any] = {"phase": Phase.FIGHTING}
    if not isinstance(stop, t.Battles):
        left = {"phase": Phase.REPORTING, "state_hash": use(rules.state_hash)(state)}
    with transaction.atomic():
        leases.finish(
            turn, token, reached=state.hour, attempts=0, ongoing=ongoing, luck=luck.merged(turn.luck, thrown.count), **left
        )  # fmt: skip
        documents_write(turn=turn, state=use(rules.TurnState.to_dict)(state))
        over = turn_results.battles_take_up(turn=turn, state=state, battles=fought)
        sea_write(turn=turn, facts=facts, state=state, battles=over)
        if isinstance(stop, t.Battles):
            spawned = turn_results.battles_spawn(turn=turn, facts=facts, state=state, calls=stop.calls)
            for battle in spawned:
                battle_awaits_fighting(campaign=turn.campaign, battle=battle)
        else:
            turn_results.state_write(turn=turn, facts=facts, state=state)
    turn.refresh_from_db()
    if turn.phase != Phase.REPORTING:
        return turn, token
    fresh = leases.take(Turn.objects.filter(pk=turn.pk, phase=Phase.REPORTING))
    if fresh is None:
        raise leases.LeaseLost(str(turn))
    return turn, fresh


def _next_stop(
    turn: Turn,
    facts: t.TurnFacts,
    orders: dict[str, t.FleetOrder],
    outcomes: dict[str, Any],
    thrown: CountedDice,
    ongoing: list[str],
) -> tuple[rules.TurnState, t.Battles | t.TurnDone]:
    """Days are played from the last stop to the next. outcomes: of battles fought since. ongoing: calls of those not waited for.

    Each day that is over is noted for those who follow the turn; a worker that has lost the turn notes nothing.
    """
    use, prefix = rules_of(turn), f"{facts.campaign}/{facts.turn}"
    state = state_of(turn)
    if state is None:
        state = use(rules.begin)(facts, orders, keyed(use, turn.chart_secret, prefix, thrown))
    while True:
        dice = keyed(use, turn.chart_secret, prefix, thrown)
        state, stop = use(rules.advance)(facts, state, outcomes, dice, ongoing=ongoing)
        if not isinstance(stop, t.DayDone):
            return state, stop
        Turn.objects.filter(pk=turn.pk, claim=turn.claim).update(reached=state.hour)
        outcomes = {}


def _report(turn: Turn, token: uuid.UUID) -> None:
    """Close the turn, open the next or end the campaign, and put what has to be told into the outbox: one transaction.

    Rule: G.EN1.
    """
    with transaction.atomic():
        digest = records_digest(book=turn.campaign.book, turn=turn.reference)
        leases.finish(
            turn, token, phase=Phase.CLOSED, closed=timezone.now(), error="", attempts=0, records_hash=digest
        )
        turn.refresh_from_db()
        campaign = turn.campaign
        campaign.refresh_from_db()
        letters_advance(campaign=campaign)
        over = reason_to_end(campaign)
        if over:
            objectives_settle(campaign=campaign)
        following = None if over else turn_open(campaign=campaign, follows=turn)
        notices_for_closed_turn(turn=turn, following=following)
        silence_tell(campaign=campaign)
        post_of_turn(turn=turn, following=following)
        if following is None:
            campaign_end(campaign=campaign, reason=over)
        else:
            notices_for_opened_turn(turn=following)
            if following.repeats is not None:
                turn_lock(turn=following, by="the rerun")


def _note_failure(turn: Turn, token: uuid.UUID, error: Exception) -> None:
    """Note a failure; the third sets the turn aside, and so does a battle that failed, or rules that are missing. Rule: G.UM2."""
    logger.error("%s could not be run", turn, exc_info=error)
    turn.refresh_from_db(fields=["attempts", "phase"])
    words = failures.in_words(error, _name(turn))
    try:
        if turn.attempts >= leases.MAX_ATTEMPTS or isinstance(error, (BattleFailed, RulesMissing)):
            turn_fail(turn=turn, token=token, error=words)
        else:
            leases.finish(turn, token, error=words)
    except leases.LeaseLost:
        logger.warning("%s failed after its lease had run out", turn)


def turn_fail(*, turn: Turn, token: uuid.UUID, error: str) -> None:
    """Put a claimed turn and its campaign, and nothing else, into `failed`, and tell the umpires why. Raises LeaseLost. Rule: G.UM2."""
    with transaction.atomic():
        leases.finish(turn, token, phase=Phase.FAILED, error=error)
        Campaign.objects.filter(pk=turn.campaign_id).update(status=Campaign.Status.FAILED)
        notices_of_failure(turn=turn, error=error)


def _name(turn: Turn) -> str:
    return f"Turn {turn.number}"


def turn_retry(*, turn: Turn) -> bool:
    """Let a failed turn be tried again from its last stored stop, its failed battles with it. Rule: G.UM2."""
    with transaction.atomic():
        phase = Phase.FIGHTING if turn.has_begun else Phase.LOCKED
        failed = Turn.objects.filter(pk=turn.pk, phase=Phase.FAILED)
        if not failed.exclude(campaign__status=Campaign.Status.CLOSED).update(
            phase=phase, attempts=0, error="", claim=None, lease_until=None
        ):
            return False
        battles_of(turn.pk).filter(status=Battle.Status.FAILED).update(
            status=Battle.Status.READY, attempts=0, error="", claim=None, lease_until=None
        )
        Campaign.objects.filter(pk=turn.campaign_id).update(status=Campaign.Status.ACTIVE)
    return True


def turn_opens_at(turn: Turn) -> str:
    """Chart time at which a turn opens."""
    return chart_time(turn.campaign.start_date, turn.first_day * 24)


def _phase(turn_id: int) -> str:
    return Turn.objects.values_list("phase", flat=True).filter(pk=turn_id).first() or VOID


def _secrets(campaign: Campaign, number: int, run: int) -> tuple[str, str]:
    """The turn's two secrets: drawn at random, or from the seed of a demo campaign. Rules: G.FA1, G.UM3."""
    fresh = Turn(campaign=campaign, number=number, run=run)
    if not campaign.demo_seed:
        return fresh.chart_secret, fresh.battle_secret
    base = f"{campaign.demo_seed}/{fresh.name}"
    return tuple(hashlib.sha256(f"{base}/{kind}".encode()).hexdigest() for kind in ("chart", "battles"))  # type: ignore[return-value]
