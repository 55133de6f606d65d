"""How the automatic admiral shares out tasks among fleets. Rule: G.AA2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from campaign.rules.admiral.expectation import Expectation
from campaign.rules.admiral.judgement import WORTH_A_VOYAGE
from campaign.rules.admiral.tasks import Task, Tasks, Verb
from campaign.rules.chart.points import miles_between
from campaign.rules.chart.types import OnArrival
from campaign.rules.state.clock import DAY
from campaign.rules.turn.knowledge import OwnFleet

GREAT_YARD = 2
# Odds, enemy to own, accepted against an enemy's decisive objective, and against one that is all but achieved. Rule: G.AA4.
AGAINST_DECISIVE, AGAINST_NEAR = Fraction(3, 2), Fraction(5, 2)
WEAK = Fraction(1, 2)
# What a side worth less than half its enemy still takes, beside what goes against a decisive objective. Rule: G.AA2.
OF_THE_WEAK = frozenset({Verb.IN_BEING, Verb.CARRY, Verb.COVER})
PER_CENT = 100
# No fleet sails longer than this to help another; a battle fleet that is strong enough alone may cross an ocean after an enemy.
FAR_HOURS = 10 * DAY
# What a raid has for so many ships that are not deep, and at most. Rule: G.LD5.
BOATS, MOST_FOR_BOATS = 4, 3
# What a division can do without its battle fleet.
FOR_A_DIVISION = frozenset({Verb.RAID, Verb.BLOCKADE, Verb.CARRY})


@dataclass(frozen=True, slots=True)
class Share:
    """A fleet's task. place: where it goes for it, code. lead: code of the greatest fleet that has the same task."""

    fleet: str
    task: Task
    place: str
    lead: str


def shared_out(
    tasks: Tasks,
    fit: Iterable[OwnFleet],
    bound: Mapping[str, bool],
    gates: Mapping[int, str],
    odds: Mapping[str, Fraction],
    aims: Mapping[str, str] | None = None,
) -> dict[str, Share]:
    """The task of each fleet that has one, by its code.

    aims: ids of the side's own objectives for which fleets are at sea already, by fleet. Such a fleet serves no other of its side's
    as long as that one can be carried out.

    fit: fleets that can be given one; scouts take none, they look out for the others. bound: of those under an order of the opening,
    whether it stands; such a fleet is taken only against a decisive objective. gates: where the side waits for contacts already, by
    number. odds: the greatest that were given to a fleet, by code: with them it may do with less than a task needs. Rules: G.AA2, G.AA4.
    """
    fleets = [fleet for fleet in fit if fleet.value]
    found = _shared_out(tasks, fleets, bound, gates, odds, aims or {})
    still = {code: aim for code, aim in (aims or {}).items() if code in found}
    return found if still == (aims or {}) else _shared_out(tasks, fleets, bound, gates, odds, still)


def _shared_out(
    tasks: Tasks,
    fleets: Sequence[OwnFleet],
    bound: Mapping[str, bool],
    gates: Mapping[int, str],
    odds: Mapping[str, Fraction],
    aims: Mapping[str, str],
) -> dict[str, Share]:
    expect = tasks.expect
    free = {fleet.code: fleet for fleet in fleets}
    watched = {
        fleet.order.target
        for fleet in fleets
        if bound.get(fleet.code) and fleet.order.on_arrival is OnArrival.BLOCKADE
    }
    held = reserve(tasks, free.values(), bound)
    weak = tasks.own < WEAK * expect.total
    found: dict[str, Share] = {}
    for task in tasks.all():
        if weak and task.verb not in OF_THE_WEAK and not tasks.against_decisive(task):
            continue
        if task.verb is Verb.CARRY or (
            task.verb is Verb.BLOCKADE and not task.contact and task.place in watched
        ):
            continue
        open_ = [
            fleet
            for code, fleet in free.items()
            if code not in found
            and not fleet.scout
            and (code not in held or task.near or task.guards)
            and (code not in aims or _keeps_course(tasks, task, aims[code]))
            and (not bound.get(code) or _calls_away(tasks, task, fleet))
        ]
        taken = _takers(tasks, task, open_, gates, odds)
        if not taken:
            continue
        lead = max(taken, key=lambda row: (row[0].value, row[0].code))[0].code
        for fleet, place in taken:
            found[fleet.code] = Share(fleet.code, task, place, lead)
    return found


def _keeps_course(tasks: Tasks, task: Task, aim: str) -> bool:
    """Whether a fleet at sea for an objective of its side's own may take a task: it serves that one, or meets the enemy. Rule: G.AA2."""
    return task.aim == aim or not tasks.is_own(task)


def _calls_away(tasks: Tasks, task: Task, fleet: OwnFleet) -> bool:
    """Whether a task takes a fleet from the orders of the opening: for or against a decisive objective, and the enemy is within reach.

    A fleet that only lies ready where it is covers a landing. For a contact farther off than a day and a half's sail no blockade is
    raised, unless the objective is all but achieved.
    """
    if task.verb is Verb.COVER and fleet.order.on_arrival is OnArrival.PATROL and not fleet.order.route:
        return True
    if not task.decisive or (tasks.is_own(task) and task.verb is not Verb.SEEK):
        return False
    circle = tasks.expect.of(task.contact) if task.contact else None
    if circle is None:
        return task.near
    here = tasks.view.geometry.places[tasks.view.geometry.nearest(fleet.position)]
    return task.near or miles_between(here, circle.centre) <= WORTH_A_VOYAGE


def _takers(
    tasks: Tasks,
    task: Task,
    fleets: list[OwnFleet],
    gates: Mapping[int, str],
    odds: Mapping[str, Fraction],
) -> list[tuple[OwnFleet, str]]:
    """Fleets that meet a task's need, those first that can be there soonest, each with where it goes; () when they cannot."""
    expect = tasks.expect
    rows = []
    for fleet in fleets:
        place = place_for(expect, tasks, task, fleet, gates)
        if not place or not _in_time(tasks, task, fleet, place) or not _able(tasks, task, fleet):
            continue
        hours = expect.hours(fleet, place)
        alone = task.contact and fleet.value >= task.need
        if hours <= FAR_HOURS or alone or (tasks.is_own(task) and task.verb is not Verb.BLOCKADE):
            rows.append((hours, fleet.code, fleet, place))
    rows.sort(key=lambda row: (lesser(tasks, row[2]), row[0] // DAY, -row[2].value, row[1]))
    if task.verb not in FOR_A_DIVISION and not task.near and all(lesser(tasks, row[2]) for row in rows):
        return []
    taken: list[tuple[OwnFleet, str]] = []
    for _, _, fleet, place in rows:
        taken.append((fleet, place))
        if _enough(tasks, task, [one for one, _ in taken], odds):
            return taken + _reinforcements(tasks, task, rows[len(taken) :], taken)
    return taken if _desperate(tasks, task, taken) else []


def _desperate(tasks: Tasks, task: Task, taken: list[tuple[OwnFleet, str]]) -> bool:
    """Whether all that can come go although they are too few: against a decisive objective, at odds that it is worth. Rule: G.AA4."""
    if not task.contact or not tasks.against_decisive(task):
        return False
    value = sum((fleet.value for fleet, _ in taken), Fraction(0))
    return task.expected <= value * (AGAINST_NEAR if task.near else AGAINST_DECISIVE)


def _reinforcements(
    tasks: Tasks,
    task: Task,
    rows: list[tuple[int, str, OwnFleet, str]],
    taken: list[tuple[OwnFleet, str]],
) -> list[tuple[OwnFleet, str]]:
    """Others who can be there within a day, as long as the enemy is the stronger: against a decisive objective no one stands by."""
    value = sum((fleet.value for fleet, _ in taken), Fraction(0))
    found: list[tuple[OwnFleet, str]] = []
    for hours, _, fleet, place in rows:
        if value >= task.expected or not task.decisive or hours > DAY:
            continue
        found.append((fleet, place))
        value += fleet.value
    return found


def lesser(tasks: Tasks, fleet: OwnFleet) -> bool:
    """Whether there is a fleet of twice the value in the same war: it keeps with that, and takes no task of a battle fleet alone."""
    return any(
        other.value >= 2 * fleet.value and tasks.view.near(fleet, other) and not other.merchants
        for other in tasks.known.fleets.values()
    )


def _enough(tasks: Tasks, task: Task, fleets: list[OwnFleet], odds: Mapping[str, Fraction]) -> bool:
    """Whether fleets meet what a task takes: value, and ships of the line or a share of the opening value where it asks for them.

    Fleets that were told to accept great odds fight with less.
    """
    value = sum((fleet.value for fleet in fleets), Fraction(0))
    opening = tasks.known.war.opening
    return (
        (
            value >= task.need
            or task.expected <= sum((f.value * odds.get(f.code, 0) for f in fleets), Fraction(0))
        )
        and sum(fleet.line for fleet in fleets) >= task.line
        and value * PER_CENT >= opening * task.percent * Fraction(9, 10)
    )


def _able(tasks: Tasks, task: Task, fleet: OwnFleet) -> bool:
    """A raid is for fleets whose ships that are not deep make up for the port's guns; all else any fleet can do. Rules: G.AA1, G.LD5."""
    if task.verb is not Verb.RAID:
        return True
    return min(MOST_FOR_BOATS, fleet.shallow // BOATS) >= tasks.known.theatre.places[task.place].guard


def place_for(
    expect: Expectation, tasks: Tasks, task: Task, fleet: OwnFleet, gates: Mapping[int, str]
) -> str:
    """Where a fleet goes for a task: to the place, to the contact while it can be found, or to its gate. "" for nowhere. Rule: G.AA3."""
    circle = expect.of(task.contact) if task.contact else None
    if circle is None:
        return task.place
    aims = tasks.known.war.aims
    if task.verb is Verb.SEEK and expect.in_time(fleet, circle):
        return task.place
    if task.verb in (Verb.BLOCKADE, Verb.HOLD):
        return task.place
    return expect.gate(circle, aims, fleet, gates.get(circle.number, ""))


def _in_time(tasks: Tasks, task: Task, fleet: OwnFleet, place: str) -> bool:
    """Whether a fleet can be at a place before the objective's last day, or that of the campaign."""
    aim = next((aim for aim in tasks.known.war.aims if aim.row.id == task.aim), None)
    ends = [hour for hour in (aim.until if aim else None, tasks.known.war.last) if hour is not None]
    return not ends or tasks.known.hour + tasks.expect.hours(fleet, place) <= min(ends)


def reserve(tasks: Tasks, fleets: Iterable[OwnFleet], bound: Mapping[str, bool]) -> frozenset[str]:
    """Fleets in an own port of class 2 or 3 that stay there: of all such, as many as make up the reserve and no more.

    Those nearest to the enemy's greatest contact stay. None is held back when a decisive objective is near, or in the last third of
    the campaign. Rule: G.AA2.
    """
    war, known = tasks.known.war, tasks.known
    if any(aim.row.decisive and tasks.near(aim) for aim in war.aims):
        return frozenset()
    if war.last is not None and 3 * (war.last - known.hour) < war.last:
        return frozenset()
    places = known.theatre.places
    there = [
        fleet
        for fleet in fleets
        if not fleet.position.to
        and fleet.position.at in known.own_ports
        and places[fleet.position.at].dockyard >= GREAT_YARD
        and not bound.get(fleet.code)
    ]
    greatest = max(tasks.expect.circles, key=lambda row: (row.value, row.number), default=None)
    if greatest is None:
        return frozenset()
    goal = tasks.view.nearest_open(greatest.centre)
    kept: set[str] = set()
    value = Fraction(0)
    for fleet in sorted(there, key=lambda one: (tasks.view.miles(one, goal), one.code)):
        if (value + fleet.value) * PER_CENT <= tasks.own * war.reserve:
            kept.add(fleet.code)
            value += fleet.value
    return frozenset(kept)


def serves(tasks: Tasks, share: Share) -> str:
    """What a share is for, in the words of its objective; "" when it serves none."""
    aim = next((aim for aim in tasks.known.war.aims if aim.row.id == share.task.aim), None)
    return aim.row.words if aim is not None else ""
