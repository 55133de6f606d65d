"""Results from the table: drafted on the form or by document, proposed, answered by both sides, accepted. Rules: G.BT2, G.BT3, G.BT5."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from battles.engine.core.errors import SchemaError
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome
from battles.models import Battle, BattleOutcome, OutcomeAnswer
from battles.pins import rule_set_of
from battles.roster import Entered, entered, squadrons
from battles.services.fighting import canonical_json

Status = BattleOutcome.Status
ENDED = ("parted", "beaten", "nightfall", "limit", "gale")
MOST_MINUTES = 14 * 24 * 60
_LONGEST = 1_000_000
HEAD = "head"  # the part of a result sheet that is about the whole battle
_TRIES = 5  # of an entry, while others enter other parts
# Flags that the table may leave on a ship; a ship that has struck is secured or released before the result is applied (G.BT3).
SETTLED = (Flag.WITHDREW, Flag.AGROUND, Flag.DISABLED)


class OutcomeRefused(ValueError):
    """A result or an answer that is refused; nothing was changed. faults: a sentence each."""

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


def outcome_draft(*, battle: Battle) -> BattleOutcome:
    """The result sheet of a battle: every ship afloat as it entered, until someone enters more. The same row each time.

    Raises OutcomeRefused for a battle that needs no tabletop result.
    """
    _wanted(battle)
    outcome, _ = BattleOutcome.objects.get_or_create(
        battle=battle,
        defaults={
            "document": blank(battle),
            "roster_digest": battle.roster.digest,
            "status": Status.DRAFT,
        },
    )
    return outcome


def blank(battle: Battle) -> dict[str, Any]:
    """An outcome in which nothing has happened to any ship."""
    scenario = battle.roster.scenario
    rules = rule_set_of(battle)
    turns = scenario.get("turn_limit") or rules.turn_limit
    return {
        "schema": 1,
        "rule_set": battle.rule_set,
        "turns": turns,
        "minutes": turns * rules.minutes_a_turn(scenario.get("options") or {}),
        "ended": "parted",
        "held_field": "",
        "wind": dict(scenario.get("wind") or {}),
        "ships": [untouched(ship) for ship in entered(battle).values()],
        "officers": [],
    }


def untouched(ship: Entered) -> dict[str, Any]:
    """The line of a ship to which nothing has happened."""
    return {
        "ship": ship.code, "side": ship.side, "fate": Fate.AFLOAT.value, "flags": [], "captor": "", "captor_ship": "",
        "prize_crew": 0, "prisoners": 0, "hits_given": 0, "hits_taken": 0, "position": None, "cause": "",
        "condition": ship.condition,
    }  # fmt: skip


def outcome_faults(*, battle: Battle, document: Any) -> tuple[str, ...]:
    """Everything that keeps a document from being this battle's result, a sentence each. Rules: G.BT2, G.BT3."""
    try:
        outcome = Outcome.from_dict(document)
        canonical_json(document)
    except (SchemaError, LookupError, ValueError, TypeError, AttributeError) as error:
        return (f"This is not a valid result document: {error}.",)
    if len(canonical_json(document)) > _LONGEST:
        return ("This document is too long for a result. Check what you pasted.",)
    ships = entered(battle)
    faults = _whole(battle, outcome, ships)
    if faults:
        return tuple(faults)
    rules = rule_set_of(battle)
    fates = {entry.ship: entry.fate for entry in outcome.ships}
    for entry in outcome.ships:
        faults += [
            f"{ships[entry.ship].name}: {text}" for text in _ship_faults(entry, ships, fates, rules.at_sea)
        ]
    return tuple(faults or _crew_faults(outcome, ships))


def _whole(battle: Battle, outcome: Outcome, ships: Mapping[str, Entered]) -> list[str]:
    faults = []
    if outcome.rule_set != battle.rule_set:
        faults.append(
            f"This result is for rule set {outcome.rule_set!r}, but the battle uses {battle.rule_set!r}."
        )
    came = [entry.ship for entry in outcome.ships]
    wrong = sorted(set(came) ^ set(ships)) or sorted({code for code in came if came.count(code) > 1})
    if wrong:
        faults.append(f"The ships do not match the roster: {', '.join(map(str, wrong[:8]))}.")
    if outcome.ended not in ENDED:
        faults.append(
            f"{outcome.ended!r} is not a way in which a battle can end. Use one of {', '.join(ENDED)}."
        )
    if not (_whole_number(outcome.minutes) and 1 <= outcome.minutes <= MOST_MINUTES):
        faults.append("A battle lasts from 1 minute to 14 days. Correct the minutes.")
    if not _whole_number(outcome.turns) or outcome.turns < 0:
        faults.append("The number of battle turns must be a whole number.")
    if outcome.held_field not in {"", *battle.roster.navies}:
        faults.append("The field must be held by one of the sides or by neither.")
    return faults


def _ship_faults(
    entry: Any, ships: Mapping[str, Entered], fates: Mapping[str, Fate], at_sea: Any
) -> Iterable[str]:
    """What is wrong with one ship's line."""
    ship = ships[entry.ship]
    if entry.side != ship.side:
        yield f"the ship fought for {ship.side}, not for {entry.side}."
    figures = (entry.prize_crew, entry.prisoners, entry.hits_given, entry.hits_taken)
    if not all(_whole_number(figure) and figure >= 0 for figure in figures):
        yield "men and hits must be whole numbers."
        return
    if entry.men is not None and not (_whole_number(entry.men) and 0 <= entry.men <= ship.men):
        yield "more men are left than the ship had."
    if Flag.STRUCK in entry.flags:
        yield "the ship has struck. Enter it as captured, or as no longer struck (G.BT3)."
    try:
        lost = at_sea.hull_fraction(ship.card, entry.condition)
        at_sea.marked(
            ship.card,
            entry.condition,
            {mark.name: mark.value for mark in at_sea.marks(ship.card, entry.condition)},
        )
    except (SchemaError, LookupError, ValueError, TypeError) as error:
        yield f"the condition is not valid: {error}."
        return
    if entry.fate in (Fate.AFLOAT, Fate.CAPTURED) and lost >= 1:
        yield "the hull is destroyed, so the ship cannot be afloat."
    if entry.fate is not Fate.CAPTURED:
        if entry.captor or entry.captor_ship or entry.prize_crew or entry.prisoners:
            yield "a ship that was not captured has no captor, prize crew or prisoners."
        return
    by = ships.get(entry.captor_ship)
    if by is None or by.side != entry.captor:
        yield "a captured ship needs a captor, and a ship of that side that took it (G.PR1)."
    elif by.side == ship.side:
        yield "a ship cannot be captured by its own side."
    elif fates[by.code] is not Fate.AFLOAT:
        yield f"{by.name}, which took this ship, is not afloat itself."


def _crew_faults(outcome: Outcome, ships: Mapping[str, Entered]) -> list[str]:
    """No ship sends away more men than it has, and no prize holds more than were in it. Rule: G.PR1."""
    sent: dict[str, int] = {}
    faults = []
    for entry in outcome.ships:
        if entry.fate is Fate.CAPTURED:
            sent[entry.captor_ship] = sent.get(entry.captor_ship, 0) + entry.prize_crew
            if entry.prisoners > ships[entry.ship].men:
                faults.append(f"{ships[entry.ship].name}: there are more prisoners than the ship had men.")
    faults += [
        f"{ships[code].name} cannot send away more men than it has."
        for code, men in sorted(sent.items())
        if men > ships[code].men
    ]
    return faults


def outcome_change(
    *,
    battle: Battle,
    version: int,
    change: Callable[[dict[str, Any]], dict[str, Any]],
    parts: Collection[str] = (),
    side: str = "",
) -> BattleOutcome:
    """Change the result sheet of a battle. version: of the sheet that was seen; what has changed since is refused.

    change: gives the new document; it need not be whole before it is proposed. parts: what is entered with it, as
    `BattleOutcome.sheet` names it, by this side; people who enter other parts at the same time do not disturb each other. Without parts
    the whole sheet must be as it was seen. A sheet that was disputed is a draft again. Raises OutcomeRefused.
    """
    _wanted(battle)
    for _ in range(_TRIES):
        with transaction.atomic():
            outcome = outcome_draft(battle=battle)
            since = (outcome.sheet.get(part, {}).get("version", 0) for part in parts)
            if max(since, default=outcome.version) > version or version > outcome.version:
                break
            entered_ = {part: {"side": side, "version": outcome.version + 1} for part in parts}
            # the conditional update decides between two people who enter at once
            if BattleOutcome.objects.filter(
                pk=outcome.pk, version=outcome.version, status__in=(Status.DRAFT, Status.DISPUTED)
            ).update(
                document=change(outcome.document), sheet={**outcome.sheet, **entered_}, version=outcome.version + 1,
                status=Status.DRAFT,
            ):  # fmt: skip
                outcome.refresh_from_db()
                return outcome
    raise OutcomeRefused(
        "Someone else has changed this result. It is shown here. Your changes were not saved."
    )


def not_entered(outcome: BattleOutcome) -> list[str]:
    """What no one has entered of a result sheet yet, in words. Rule: G.BT2."""
    battle = outcome.battle
    sides = {row["id"]: row.get("name") or row["id"] for row in battle.roster.scenario["sides"]}
    missing = [] if HEAD in outcome.sheet else ["how long the battle took and how it ended"]
    return missing + [
        f"{row.name} ({sides[row.side]})"
        for row in squadrons(entered(battle).values())
        if str(row.number) not in outcome.sheet
    ]


def outcome_propose(
    *,
    battle: Battle,
    by: str,
    side: str,
    version: int | None = None,
    document: Any = None,
    roster_digest: str = "",
) -> BattleOutcome:
    """Propose the current result sheet, or a document, as the battle's outcome.

    side: navy code of who proposes, "" for the umpire; a side that proposes has confirmed. roster_digest: of the roster that a
    document was made for. A sheet of which something was never entered is refused. Raises OutcomeRefused with every error.
    Rules: G.BT2, G.BT5.
    """
    _wanted(battle)
    if document is not None and roster_digest != battle.roster.digest:
        raise OutcomeRefused(
            "This result was made for a different roster. Use the roster shown on this page."
        )
    with transaction.atomic():
        outcome = outcome_draft(battle=battle)
        missing = not_entered(outcome) if document is None else []
        if missing:
            raise OutcomeRefused(*(f"Not entered yet: {words}." for words in missing))
        proposed = outcome.document if document is None else document
        faults = outcome_faults(battle=battle, document=proposed)
        if faults:
            raise OutcomeRefused(*faults)
        seen = outcome.version if version is None else version
        if not BattleOutcome.objects.filter(
            pk=outcome.pk, version=seen, status__in=(Status.DRAFT, Status.DISPUTED)
        ).update(
            document=proposed, version=seen + 1, status=Status.PROPOSED, proposed_by=by, side=side,
            proposed=timezone.now(), roster_digest=battle.roster.digest,
        ):  # fmt: skip
            raise OutcomeRefused(
                "This result has been proposed or changed since you opened the page. Check it again."
            )
        outcome.refresh_from_db()
        if side:
            _answer(outcome, side, by, OutcomeAnswer.Answer.CONFIRMED, "")
    return outcome


def outcome_answer(
    *,
    battle: Battle,
    side: str,
    by: str,
    confirm: bool,
    version: int,
    reason: str = "",
    silent: Collection[str] = (),
) -> BattleOutcome:
    """A side confirms or disputes a proposed outcome; when all have confirmed it is accepted.

    silent: sides that have no one to ask. Raises OutcomeRefused for a second answer, a stale one, a dispute without a reason, and
    when nothing is proposed. Rules: G.BT2, G.BT5.
    """
    outcome = BattleOutcome.objects.filter(battle=battle).first()
    if outcome is None or outcome.status != Status.PROPOSED:
        raise OutcomeRefused("There is no proposed result to answer. It may have been settled already.")
    if outcome.version != version:
        raise OutcomeRefused(
            "The result has changed since you opened the page. Read it again before you answer."
        )
    if not confirm and not reason.strip():
        raise OutcomeRefused("Say what is wrong, so that the umpire can decide.")
    if outcome.answers.filter(version=version, side=side).exists():
        raise OutcomeRefused("Your side has already answered. Each side answers a result once.")
    answer = OutcomeAnswer.Answer.CONFIRMED if confirm else OutcomeAnswer.Answer.DISPUTED
    with transaction.atomic():
        _answer(outcome, side, by, answer, reason.strip())
        if not confirm:
            BattleOutcome.objects.filter(pk=outcome.pk, status=Status.PROPOSED).update(status=Status.DISPUTED)
        elif not unanswered(outcome) - set(silent):
            outcome_accept(battle=battle)
    outcome.refresh_from_db()
    return outcome


def _answer(outcome: BattleOutcome, side: str, by: str, answer: str, reason: str) -> None:
    try:
        with transaction.atomic():
            OutcomeAnswer.objects.create(
                outcome=outcome, version=outcome.version, side=side, by=by, answer=answer, reason=reason
            )
    except IntegrityError:
        raise OutcomeRefused("Your side has already answered. Each side answers a result once.") from None


def unanswered(outcome: BattleOutcome) -> set[str]:
    """Sides that have not answered the present outcome."""
    said = set(outcome.answers.filter(version=outcome.version).values_list("side", flat=True))
    return set(outcome.battle.roster.navies) - said


def outcome_accept(*, battle: Battle) -> None:
    """Accept a proposed or disputed outcome as the battle's: all that remains is to apply it. Raises OutcomeRefused. Rule: G.BT5."""
    with transaction.atomic():
        found = BattleOutcome.objects.filter(battle=battle, status__in=(Status.PROPOSED, Status.DISPUTED))
        if not found.update(status=Status.CONFIRMED):
            raise OutcomeRefused("There is no proposed result to accept.")
        open_ = Battle.objects.filter(pk=battle.pk, status=Battle.Status.READY)
        if not open_.exclude(route=Battle.Route.ENGINE).update(
            status=Battle.Status.FOUGHT, fought=timezone.now(), error=""
        ):
            raise OutcomeRefused(f"This battle cannot take a result: {_standing(battle)}.")


def outcome_reopen(*, battle: Battle) -> None:
    """Make a proposed or disputed outcome a draft again, for another result. Raises OutcomeRefused when there is none."""
    found = BattleOutcome.objects.filter(battle=battle, status__in=(Status.PROPOSED, Status.DISPUTED))
    if not found.update(status=Status.DRAFT):
        raise OutcomeRefused("There is no proposed result to enter again.")


def battle_route(*, battle: Battle, route: str) -> None:
    """Have a battle fought another way, until it starts: no one fights it yet, and no result is proposed. Rules: G.BT1, G.UM2.

    A failed battle may be sent anywhere. Raises OutcomeRefused.
    """
    offered = dict(Battle.Route.offered())
    if route not in offered:
        raise OutcomeRefused(f"A battle can be fought {' or '.join(offered.values())}. Choose one of these.")
    with transaction.atomic():
        waiting = Battle.objects.filter(pk=battle.pk, status__in=(Battle.Status.READY, Battle.Status.FAILED))
        begun = BattleOutcome.objects.filter(battle=battle).exclude(status=Status.DRAFT)
        if begun.exists() or not waiting.filter(claim=None).update(
            route=route, status=Battle.Status.READY, attempts=0, error="", lease_until=None
        ):
            raise OutcomeRefused("This battle has begun. It is too late to change how it is fought.")
        if route == Battle.Route.ENGINE:
            BattleOutcome.objects.filter(battle=battle, status=Status.DRAFT).delete()
    battle.refresh_from_db()


def _wanted(battle: Battle) -> None:
    if battle.route == Battle.Route.ENGINE:
        raise OutcomeRefused("This battle is fought by computer. You do not need to enter a result.")
    if battle.status != Battle.Status.READY:
        raise OutcomeRefused(f"This battle cannot take a result: {_standing(battle)}.")


def _standing(battle: Battle) -> str:
    return {
        Battle.Status.VOID: "its turn was rolled back or its fleets were changed",
        Battle.Status.WRITTEN: "its result has already been applied",
        Battle.Status.FOUGHT: "its result has already been decided",
        Battle.Status.FIGHTING: "it is being fought",
        Battle.Status.FAILED: "it could not be fought",
    }.get(Battle.Status(battle.status), f"it is {battle.get_status_display().lower()}")


def _whole_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
