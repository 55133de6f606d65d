"""One sight, one report: companies look for bodies, and a contact is one number whoever sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.chart.land import Land
from campaign.rules.chart.points import SCALE, Point, miles_between, near_pairs
from campaign.rules.chart.types import FleetFacts, ShipKind, ShipSheet, TurnFacts
from campaign.rules.contact.bodies import bodies_of, look_out_step
from campaign.rules.contact.contact import odds
from campaign.rules.contact.contact_reports import Sight
from campaign.rules.state.documents import report_doc, report_from
from campaign.rules.state.state import Contact, TurnState, state_hash
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.knowledge import knowledge_of
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_turn import crowded, hurtful, shuffled
from tests.support.answers import result_of

DAY, DUSK, NIGHT = 5, 13, 17


class Named(ScriptedDice):
    """Scripted dice that remember what they were thrown for."""

    def __init__(self, faces: Iterable[int]) -> None:
        super().__init__(faces)
        self.keys: list[tuple[Any, ...]] = []

    def d6(self, *, clause: str, subjects: Any, reason: str = "") -> int:
        self.keys.append(tuple(subjects))
        return super().d6(clause=clause, subjects=subjects, reason=reason)


def out(code: str, side: str, miles: float, **over: Any) -> FleetFacts:
    """A fleet on the passage from a to b, so many miles out."""
    return b.fleet(code, side, "a", to="b", run=round(miles * 1000), **over)


def facts(
    fleets: list[FleetFacts], sail: dict[str, int] | None = None, *, made: dict[str, ShipKind] | None = None,
    changed: dict[str, Any] | None = None, **over: Any,
) -> TurnFacts:  # fmt: skip
    """A turn with the switch on; one ship a fleet unless `sail` says how many, of the line unless `made` says what."""
    ships: list[ShipSheet] = [
        b.ship(f"{f.code}{n}", f.side, f.code, kind=(made or {}).get(f.code, ShipKind.LINE))
        for f in fleets
        for n in range((sail or {}).get(f.code, 1))
    ]
    played = b.settings(**{"end_turn_on": "none", "one_report": "on", **(changed or {})})
    return b.facts(fleets, ships, **{"weather": b.weather(), "settings": played, **over})


def look(
    made: TurnFacts, faces: Iterable[int] = (), state: TurnState | None = None, *, hour: int = DAY,
    dice: ScriptedDice | None = None, courses: dict[str, bool] | None = None,
) -> TurnState:  # fmt: skip
    """One hour's look-out with given dice; the fleets lie still where the facts have them."""
    before = state or turn.begin(made, {}, b.dice(made))
    state = before.copy()
    state.hour = hour
    with dice or ScriptedDice(faces) as thrown:
        chart = Chart(made, state, thrown)
        for code, fleet in made.fleets.items():
            chart.alter(state.fleets[code], position=fleet.position)
            chart.tracks[code] = [(0, chart.point(fleet.position))]
            if (courses or {}).get(code):
                chart.alter(state.fleets[code], under_way=True)
        b.step(look_out_step, chart)
    return state


def told(state: TurnState, side: str, kind: str = "sighted") -> list[int]:
    """Numbers of the contacts that a side is told of."""
    return [e.data["number"] for e in state.events if e.kind == kind and side in e.knows]


def of(state: TurnState, side: str) -> list[Any]:
    return [report for report in state.reports if report.side == side]


@pytest.mark.clause("G.IG1")
def test_a_fleet_and_its_two_frigates_in_company_are_one_contact() -> None:
    fleets = [out("e", "ENG", 0), out("d", "NLD", 5), out("f", "NLD", 7), out("g", "NLD", 4)]
    state = look(facts(fleets, {"d": 24}, made={"f": ShipKind.FRIGATE, "g": ShipKind.FRIGATE}))
    (report,) = of(state, "ENG")
    assert (report.number, report.band, report.fleet) == (1, "20-39", "d")
    assert told(state, "ENG") == [1]


@pytest.mark.clause("G.IG1")
def test_a_company_throws_one_die_for_a_body_keyed_by_the_greatest_fleet_of_each() -> None:
    fleets = [out("e", "ENG", 0), out("f", "ENG", 2), out("d", "NLD", 10), out("g", "NLD", 12)]
    dice = Named((2, 3))
    state = look(facts(fleets, {"f": 2, "g": 5}), dice=dice)
    assert dice.keys == [(DAY, "g", "f"), (DAY, "f", "g")]
    seen = {pair for pair, touch in state.touches.items() if touch.seen}
    assert seen == {("e", "d"), ("e", "g"), ("f", "d"), ("f", "g")}
    assert {touch.number for pair, touch in state.touches.items() if pair in seen} == {1}


@pytest.mark.clause("G.IG1", "G.SI1")
def test_a_body_that_is_not_seen_is_looked_for_again_each_watch_and_touch_holds_by_day() -> None:
    made = facts([out("e", "ENG", 0), out("d", "NLD", 8), out("g", "NLD", 10)])
    first = look(made, (2, 2))
    assert of(look(made, (), first, hour=6), "ENG") == []
    again = look(made, (2, 3), first, hour=8)
    assert told(again, "ENG") == [1]
    assert told(look(made, (), again, hour=9), "ENG") == [1]


@pytest.mark.clause("G.IG1", "G.SI1")
def test_one_fleet_of_a_body_in_range_is_enough_and_within_half_the_range_no_die_is_needed() -> None:
    near = [out("e", "ENG", 0), out("d", "NLD", 11.9), out("g", "NLD", 14.8), out("h", "NLD", 17.7)]
    state = look(facts(near), (2, 3))
    assert {fleet for observer, fleet in state.touches if observer == "e"} == {"d", "g", "h"}
    assert of(state, "ENG")[0].band == "2-4"
    assert look(facts([out("e", "ENG", 0), out("d", "NLD", 12.1), out("g", "NLD", 14)])).touches == {}
    half = look(facts([out("e", "ENG", 0), out("d", "NLD", 6), out("g", "NLD", 9)]))
    assert half.touches["g", "e"].seen and half.touches["e", "g"].seen


@pytest.mark.clause("G.IG1", "G.SI2")
def test_the_kinds_are_those_of_the_fleets_within_six_miles() -> None:
    fleets = [out("e", "ENG", 0), out("d", "NLD", 5.9), out("g", "NLD", 8.5)]
    state = look(facts(fleets, {"d": 2, "g": 3}, made={"g": ShipKind.FRIGATE}))
    (report,) = of(state, "ENG")
    assert (report.band, report.kinds, report.longitude) == ("5-9", ("line",), 114)


@pytest.mark.clause("G.IG1")
def test_looks_of_one_side_at_the_same_are_one_report_with_every_observer() -> None:
    fleets = [out("e", "ENG", 0), out("f", "ENG", 8), out("d", "NLD", 4)]
    state = look(facts(fleets, {"f": 2}))
    (report,) = of(state, "ENG")
    assert set(report.observers) == {"e", "f"} and report.observer in report.observers
    assert {touch.number for touch in state.touches.values() if touch.fleet == "d"} == {1}
    assert len(of(state, "NLD")) == 2
    assert report_from(report_doc(report)) == report


@pytest.mark.clause("G.IG1", "G.IN4")
def test_each_admiral_has_their_own_report_and_number_when_knowledge_is_by_ship() -> None:
    fleets = [
        replace(out("e", "ENG", 0), admiral="monck"), replace(out("f", "ENG", 2), admiral="rupert"),
        replace(out("g", "ENG", 8), admiral="monck"), out("d", "NLD", 4),
    ]  # fmt: skip
    state = look(facts(fleets, changed={"knowledge": "by ship"}))
    assert {(r.number, frozenset(r.observers)) for r in of(state, "ENG")} == {
        (1, frozenset({"e", "g"})),
        (2, frozenset({"f"})),
    }


def sight(miles: float = 0, course: int | None = None) -> Sight:
    """What a look tells, so many miles north of the equator."""
    made = facts([out("d", "NLD", 0)])
    fleet = turn.begin(made, {}, b.dice(made)).fleets["d"]
    return Sight("ENG", 1, Point(round(miles * 100_000 / 60), 0), course, fleet, ["e"], [], set(), kept=False)


@pytest.mark.clause("G.IG1")
@pytest.mark.parametrize(
    ("miles", "course", "other", "same"),
    [(3, 10, 55, True), (3.01, 10, 10, False), (0, 10, 56, False), (1, 350, 35, True), (1, 350, 36, False),
     (2, None, 180, True), (2, 90, None, True)],
)  # fmt: skip
def test_reports_are_one_within_three_miles_and_forty_five_degrees(
    miles: float, course: int | None, other: int | None, same: bool
) -> None:
    assert sight(0, course).alike(sight(miles, other), 3000) is same
    assert sight(miles, other).alike(sight(0, course), 3000) is same


@pytest.mark.clause("G.IG1", "G.SI3")
def test_a_part_that_leaves_the_body_gets_a_new_number_and_the_greater_keeps_the_old() -> None:
    fleets = [out("e", "ENG", 0), out("d", "NLD", 3), out("g", "NLD", 5)]
    sail = {"d": 3, "g": 7}
    first = look(facts(fleets, sail))
    assert [r.band for r in of(first, "ENG")] == ["10-19"]
    apart = facts([out("e", "ENG", 0), out("d", "NLD", 2), out("g", "NLD", 5.1)], sail)
    parted = look(apart, (), first, hour=6)
    assert parted.touches["e", "g"].number == 1
    assert parted.touches["e", "d"].number == 2
    assert (told(parted, "ENG"), told(parted, "ENG", "touch_lost")) == ([1, 2], [])


@pytest.mark.clause("G.IG1", "G.SI3")
def test_contacts_that_come_into_company_are_one_and_the_other_number_ends_there() -> None:
    sail = {"d": 3, "g": 7}
    apart = facts([out("e", "ENG", 0), out("d", "NLD", 2), out("g", "NLD", 5.1)], sail)
    first = look(apart)
    assert {r.number: r.band for r in of(first, "ENG")} == {1: "5-9", 2: "2-4"}
    joined = look(
        facts([out("e", "ENG", 0), out("d", "NLD", 3), out("g", "NLD", 5)], sail), (), first, hour=6
    )
    assert [(r.number, r.band) for r in of(joined, "ENG")][2:] == [(1, "10-19")]
    assert [r.joined for r in of(joined, "ENG")] == [(), (), (2,)]
    (event,) = [e for e in joined.events if e.kind == "touch_lost"]
    assert (event.data["number"], event.data["into"]) == (2, 1)


@pytest.mark.clause("G.IG1", "G.SI3")
def test_a_number_lasts_as_long_as_one_observer_has_touch() -> None:
    sail = {"f": 2}
    both = look(facts([out("e", "ENG", 0), out("f", "ENG", 12), out("d", "NLD", 6)], sail))
    one = look(facts([out("e", "ENG", 0), out("f", "ENG", 40), out("d", "NLD", 5)], sail), (), both, hour=6)
    assert told(one, "ENG", "touch_lost") == []
    other = look(facts([out("e", "ENG", 0), out("f", "ENG", 10), out("d", "NLD", 5)], sail), (), one, hour=7)
    gone = look(
        facts([out("e", "ENG", 0), out("f", "ENG", 25), out("d", "NLD", 20)], sail), (), other, hour=9
    )
    assert {r.number for r in of(gone, "ENG")} == {1}
    lost = look(facts([out("e", "ENG", 0), out("f", "ENG", 2), out("d", "NLD", 50)], sail), (), gone, hour=10)
    assert told(lost, "ENG", "touch_lost") == [1]
    back = look(facts([out("e", "ENG", 0), out("f", "ENG", 2), out("d", "NLD", 5)], sail), (), lost, hour=11)
    assert told(back, "ENG") == [1, 2]


@pytest.mark.clause("G.IG1", "G.SI2")
def test_a_report_comes_with_each_watch_and_when_another_fleet_has_joined() -> None:
    fleets = [out("e", "ENG", 0), out("d", "NLD", 5)]
    first = look(facts(fleets, {"g": 9}))
    more = facts([*fleets, out("g", "NLD", 7)], {"g": 9})
    state = first.copy()
    state.fleets["g"] = turn.begin(more, {}, b.dice(more)).fleets["g"]
    state.ships |= turn.begin(more, {}, b.dice(more)).ships
    grown = look(more, (), state, hour=6)
    assert [(r.number, r.band) for r in of(grown, "ENG")] == [(1, "1"), (1, "10-19")]
    assert grown.touches["e", "d"].band == "10-19"
    assert len(of(look(more, (), grown, hour=7), "ENG")) == 2
    assert len(of(look(more, (), grown, hour=8), "ENG")) == 3


@pytest.mark.clause("G.IG1", "G.CO1")
def test_a_body_counts_once_in_the_odds() -> None:
    made = facts([out("e", "ENG", 0), out("d", "NLD", 4), out("g", "NLD", 5)], {"d": 5, "g": 4})
    state = look(made)
    chart = Chart(made, state, ScriptedDice(()))
    assert {odds(chart, state.fleets["e"], state.touches["e", code]) for code in ("d", "g")} == {7}


@pytest.mark.clause("G.IG1")
def test_a_body_is_a_chain_of_friends_and_fleets_in_port_are_never_of_one_with_fleets_at_sea() -> None:
    fleets = [out("a1", "ENG", 0), out("a2", "FRA", 3), out("a3", "ENG", 6), out("d", "NLD", 6.5),
              b.fleet("p", "ENG", "home"), b.fleet("q", "ENG", "home", to="a", run=1000)]  # fmt: skip
    sides = b.facts([]).sides
    sides = {**sides, "FRA": replace(sides["ENG"], code="FRA", name="France", nations=("France",))}
    made = facts(fleets, {"a2": 2}, sides=sides, allied=frozenset({frozenset({"ENG", "FRA"})}))
    state = turn.begin(made, {}, b.dice(made))
    chart = Chart(made, state, ScriptedDice(()))
    found = {tuple(fleet.code for fleet in body) for body in bodies_of(chart, chart.fleets())}
    assert found == {("a2", "a1", "a3"), ("d",), ("p",), ("q",)}
    alone = Chart(replace(made, allied=frozenset()), state, ScriptedDice(()))
    assert len(bodies_of(alone, alone.fleets())) == 6
    far = {**made.fleets, "a3": out("a3", "ENG", 6.01)}
    wide = Chart(made, look(replace(made, fleets=far, at_war=frozenset())), ScriptedDice(()))
    assert len(bodies_of(wide, wide.fleets())) == 5


@pytest.mark.clause("G.IG1", "G.CO3")
def test_a_fleet_that_has_escaped_from_one_of_a_company_is_not_seen_by_it() -> None:
    made = facts([out("e", "ENG", 0), out("f", "ENG", 1), out("d", "NLD", 4)])
    state = turn.begin(made, {}, b.dice(made))
    state.fleets["d"] = replace(state.fleets["d"], free_until=20, free_from=("e", "f"))
    assert told(look(made, (), state), "ENG") == []
    state.fleets["d"] = replace(state.fleets["d"], free_from=("e",))
    seen = look(made, (), state)
    assert [r.observers for r in of(seen, "ENG")] == [("f",)]
    assert ("e", "d") not in seen.touches


@pytest.mark.clause("G.IG1", "G.CO3")
def test_once_the_nights_dice_are_thrown_a_company_keeps_its_touch_without_a_look() -> None:
    made = facts([out("e", "ENG", 0), out("d", "NLD", 1), out("g", "NLD", 1)])
    state = look(made, hour=DUSK - 1)
    state.contacts["e", "d"] = Contact("e", "d", 1000, 90, since=DUSK, night=True)
    later = look(made, (), state, hour=NIGHT - 1)
    assert later.touches == {
        key: replace(touch, approach=touch.approach) for key, touch in state.touches.items()
    }
    assert (told(later, "ENG", "touch_lost"), len(later.reports)) == ([], len(state.reports))


@pytest.mark.clause("G.IG1", "G.IG2")
def test_the_automatic_admiral_does_not_count_a_contact_twice() -> None:
    sail = {"d": 3, "g": 7}
    first = look(facts([out("e", "ENG", 0), out("d", "NLD", 2), out("g", "NLD", 5.1)], sail))
    made = facts([out("e", "ENG", 0), out("d", "NLD", 3), out("g", "NLD", 5)], sail)
    joined = look(made, (), first, hour=6)
    assert [known.report.number for known in knowledge_of(made, joined, "ENG").reports] == [1]
    away = look(
        facts([out("e", "ENG", 0), out("d", "NLD", 40), out("g", "NLD", 41)], sail), (), joined, hour=7
    )
    back = look(made, (), away, hour=8)
    assert of(back, "ENG")[-1].perhaps == 1
    assert [known.report.number for known in knowledge_of(made, back, "ENG").reports] == [3]


@pytest.mark.clause("G.IG1")
def test_without_the_option_each_fleet_is_a_contact() -> None:
    fleets = [out("e", "ENG", 0), out("d", "NLD", 4), out("g", "NLD", 5)]
    assert told(look(facts(fleets, changed={"one_report": "off"})), "ENG") == [1, 2]


def test_points_that_are_near_are_all_found_and_far_ones_are_not_looked_at() -> None:
    chance = Random(7)
    points = [
        Point(5_100_000 + chance.randrange(60_000), -40_000 + chance.randrange(90_000)) for _ in range(80)
    ]
    found = {tuple(sorted(pair)) for pair in near_pairs(points, 3000)}
    near = {
        (a, c) for a in range(80) for c in range(a + 1, 80) if miles_between(points[a], points[c]) <= 3000
    }
    assert near and near <= found
    assert len(found) < 80 * 79 // 8
    assert list(near_pairs([], 3000)) == []


@pytest.mark.clause("G.IG1", "G.CL2")
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_does_not_depend_on_the_order_of_fleets_and_can_be_saved_at_every_stop(seed: int) -> None:
    made = crowded(seed)
    made = replace(made, settings=replace(made.settings, one_report="on"))
    whole, _ = b.play(made, fought=hurtful)
    assert whole.reports
    assert state_hash(b.play(shuffled(made, seed), fought=hurtful)[0]) == state_hash(whole)
    assert state_hash(b.play(made, fought=hurtful, reload=True)[0]) == state_hash(whole)


@pytest.mark.clause("G.IG1", "G.SI3")
@pytest.mark.parametrize("seed", range(4))
def test_no_number_stands_for_two_contacts_at_once_and_none_is_given_twice(seed: int) -> None:
    made = crowded(seed)
    made = replace(made, settings=replace(made.settings, one_report="on"))
    state, _ = b.play(made, fought=hurtful)
    hours = [(report.side, report.number, report.hour) for report in state.reports]
    assert len(set(hours)) == len(hours)
    for side in ("ENG", "NLD"):
        new = told(state, side)
        assert new == sorted(set(new))


@pytest.mark.clause("G.IG1", "G.SI1")
@pytest.mark.parametrize("sides", [("ENG", "NLD"), ("NLD", "ENG")])
@pytest.mark.parametrize(("west", "east", "seen"), [(1.0, 3.0, False), (60.0, 61.0, True)])
def test_land_between_two_fleets_hides_each_from_the_other_unless_they_are_in_a_chase(
    sides: tuple[str, str], west: float, east: float, seen: bool
) -> None:
    """e lies a mile before b, d four miles beyond it; the land lies so many miles beyond b."""
    one = b.fleet("e", sides[0], "a", to="b", run=59_000)
    other = b.fleet("d", sides[1], "b", to="c", run=4_000)
    made = facts([one, other])
    edge = [round(2 * SCALE + miles * SCALE / 60) for miles in (west, east)]
    ring = [Point(-SCALE, edge[0]), Point(SCALE, edge[0]), Point(SCALE, edge[1]), Point(-SCALE, edge[1])]
    made = replace(made, theatre=replace(made.theatre, land=Land(lambda: [ring])))

    def touches(state: TurnState | None = None) -> set[tuple[str, str]]:
        return set(look(made, (), state).touches)

    assert result_of(touches) == ({("e", "d"), ("d", "e")} if seen else set())
    chased = turn.begin(made, {}, b.dice(made))
    chased.contacts["e", "d"] = Contact("e", "d", 5_000, 0, 0)
    assert result_of(touches, chased) == {("e", "d"), ("d", "e")}
