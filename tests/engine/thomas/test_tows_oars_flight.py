"""Towing, rowing, getting under way and fleeing: each condition by itself. Rules: T.O1, T.O3, T.O4, T.O5g, T.B6e, T.B7b."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import (
    flight,
    releases,
    sailing,
    slaves,
    towing,
)
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.state import Adrift, Rig, Status
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship
from tests.engine.thomas.test_oars_boats_tows import frigate, galley, liner
from tests.engine.thomas.test_under_way import moved

CALM, LIGHT, MEDIUM, STRONG = WindForce.CALM, WindForce.LIGHT, WindForce.MEDIUM, WindForce.STRONG


@pytest.mark.clause("T.O3", "T.O3a", "T.O3g", "T.N3b", "T.S25")
@pytest.mark.parametrize("end", ["tower", "tow"])
@pytest.mark.parametrize(
    ("change", "may"),
    [({}, True), ({"on_fire": True}, False), ({"towing": "E9"}, False), ({"towed_by": "E9"}, False), ({"anchored": True}, False),
     ({"struck": True}, False), ({"struck": True, "secured": True}, True), ({"status": Status.SUNK}, False), ({"prize_of": "SPA"}, False)],
    ids=str,
)  # fmt: skip
def test_only_some_ships_may_tow_or_be_towed(change: dict[str, Any], may: bool, end: str) -> None:
    tower, tow = (
        ship("E1", **(change if end == "tower" else {})),
        ship("E2", **(change if end == "tow" else {})),
    )
    made = battle(tower, tow)
    assert towing.may_tow(made, tower, tow) is may
    assert not towing.may_tow(made, tower, tower)
    assert not towing.may_tow(battle(tower, tow, options={"opt_towing": False}), tower, tow)
    made.fasten(ship("S1"), tower if end == "tower" else tow)
    assert not towing.may_tow(made, tower, tow)


@pytest.mark.clause("T.O3", "T.O3a", "T.O4i")
@pytest.mark.parametrize(
    ("tower", "tow", "may"),
    [
        ({"masts_lost": 2}, {}, False), ({"masts_lost": 2, "rig": Rig.OARS}, {}, True),
        ({"kind": Kind.FRIGATE}, {"kind": Kind.LINE, "tons": 9_999}, True),
        ({"kind": Kind.FRIGATE}, {"kind": Kind.FRIGATE, "tons": 9_999}, True),
        ({"kind": Kind.FRIGATE}, {"kind": Kind.FIFTY, "tons": 1_201}, False),
        ({"kind": Kind.FIFTY}, {"kind": Kind.LINE, "tons": 1_201}, False), ({}, {"tons": 1_200}, True), ({}, {"tons": 1_201}, False),
    ],
    ids=str,
)  # fmt: skip
def test_frigates_tow_any_ship_and_others_up_to_twice_their_tons(
    tower: dict[str, Any], tow: dict[str, Any], may: bool
) -> None:
    one, other = ship("E1", **tower), ship("E2", **tow)
    assert towing.may_tow(battle(one, other), one, other) is may


@pytest.mark.clause("T.O3g")
@pytest.mark.parametrize("end", ["tower", "tow"])
@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({}, True),
        ({"on_fire": True}, False),
        ({"struck": True}, False),
        ({"struck": True, "secured": True}, True),
        ({"struck": True, "secured": True, "prize_of": "SPA"}, False),
    ],
    ids=str,
)
def test_a_tow_continues_until_something_ends_it(change: dict[str, Any], holds: bool, end: str) -> None:
    tower = frigate(towing="E2", **(change if end == "tower" else {}))
    tow = liner(towed_by="E1", **(change if end == "tow" else {}))
    played = play()
    towing.pass_lines(battle(tower, tow), played)
    assert (tower.towing == "E2", tow.towed_by == "E1", not events(played, "cast_off")) == (holds,) * 3
    rower = frigate(towing="E2", masts_lost=2, rig=Rig.OARS)
    towing.pass_lines(battle(rower, liner(towed_by="E1")), play())
    assert rower.towing == "E2"


@pytest.mark.clause("T.O3e", "T.O3g")
def test_a_tower_out_of_position_releases_the_line_without_a_throw() -> None:
    tower, tow = frigate(x=9_000, heading=9_000), liner(x=-1_500, heading=9_000)
    made, played = battle(tower, tow), play()
    towing.wait(made, played, tower, tow)
    towing.pass_lines(made, played)
    done(played)
    assert (tower.tow_wait, tower.adrift, tow.adrift) == ("", Adrift.NONE, Adrift.NONE)
    assert events(played, "cast_off")[0].data == {"target": "E2"}


@pytest.mark.clause("T.O3b", "T.O3f", "T.O4b")
@pytest.mark.parametrize(
    ("tower", "tow", "strength", "reach"),
    [
        ({"tons": 600, "speed": 8_000}, {"tons": 600, "speed": 5_000}, MEDIUM, (1_000, 2_500)),
        ({"tons": 601, "speed": 8_000}, {"tons": 600, "speed": 5_000}, MEDIUM, (1_000, 4_000)),
        ({"tons": 600, "speed": 8_000}, {"tons": 600, "speed": 5_000}, STRONG, (2_000, 5_000)),
        ({"tons": 600, "speed": 8_000}, {"tons": 600, "speed": 1_500}, MEDIUM, (750, 750)),
        ({"tons": 600, "speed": 8_000}, {"tons": 600, "speed": 5_000}, CALM, (0, 0)),
        ({"kind": Kind.GALLEASSE, "oar_speed": 5_000, "rig": Rig.OARS}, {"speed": 9_000}, CALM, (0, 4_500)),
        ({"kind": Kind.GALLEASSE, "oar_speed": 4_000, "rig": Rig.OARS}, {"speed": 9_000}, MEDIUM, (0, 2_000)),
    ],
    ids=str,
)  # fmt: skip
def test_a_pair_has_a_limit_of_distance(
    tower: dict[str, Any], tow: dict[str, Any], strength: WindForce, reach: tuple[int, int]
) -> None:
    one, other = ship("E1", **tower), ship("E2", **tow)
    assert sailing.tow_reach(battle(one, other, strength=strength), one, other) == reach


@pytest.mark.clause("T.O1", "T.O1c", "T.B2a")
@pytest.mark.parametrize(
    ("change", "state", "may"),
    [
        ({}, {}, True), ({"flot": 15}, {}, True), ({"flot": 14}, {}, False), ({"adrift": Adrift.HOVE_TO}, {}, False),
        ({"towing": "E2"}, {}, False),
        ({"towed_by": "E2"}, {}, False), ({"struck": True}, {}, False), ({"struck": True, "secured": True}, {}, True),
        ({"on_fire": True}, {}, False),
        ({"anchored": True}, {}, False), ({}, {"spell_quiet": 2}, True), ({}, {"spell_quiet": 1}, False), ({}, {"spell_calm": 0}, True),
        ({}, {"spell_calm": 1}, False), ({}, {"spell_calm": 2}, True), ({}, {"strength": LIGHT}, True), ({}, {"strength": MEDIUM}, False),
    ],
    ids=str,
)  # fmt: skip
def test_boats_may_tow_her_only_sometimes(change: dict[str, Any], state: dict[str, Any], may: bool) -> None:
    one = ship(**change)
    assert (
        sailing.boats_may_pull(
            battle(one, **{"strength": CALM, "spell_quiet": 3, "spell_calm": 3, **state}), one
        )
        is may
    )


@pytest.mark.clause("T.O1", "T.O1a", "T.B4d", "T.B4e")
def test_boats_pull_up_to_an_inch_as_far_as_hulls_and_shores_allow() -> None:
    quiet: dict[str, Any] = {"strength": LIGHT, "spell_quiet": 2}
    one = ship(heading=9_000)
    played = moved(one, Course(1_000, -50, boats=True), **quiet)
    assert (one.position, one.heading, one.stopped_short) == ((0, 0), 10_000, False)
    assert events(played, "boats")[0].data == {"out": True}
    assert events(played, "moved")[0].data == {
        "path": [[0, 0, 9_000], [0, 0, 10_000], [0, 0, 10_000]], "stopped": None, "oars": False, "boats": True
    }  # fmt: skip
    again = ship(heading=9_000, boats_out=True)
    played = moved(again, Course(-9_000, 400, boats=True), **quiet)
    assert (again.position, again.heading, events(played, "boats")) == ((283, 283), 4_500, [])
    met = ship(heading=9_000)
    played = moved(met, Course(0, 1_000, boats=True), revenge("S1", x=1_000), **quiet)
    assert (met.x, met.stopped_short, events(played, "moved")[0].data["stopped"]) == (375, True, "S1")
    lost = ship(heading=9_000)
    moved(
        lost,
        Course(0, 1_000, boats=True),
        land=(((900, -900), (2_000, -900), (2_000, 900), (900, 900)),),
        **quiet,
    )
    assert lost.status is Status.WRECKED


@pytest.mark.clause("T.O4j")
@pytest.mark.parametrize(
    ("change", "rows"),
    [({}, True), ({"crew_halves": 1}, True), ({"crew_halves": 2}, False), ({"guard_halves": 2}, False), ({"guard_halves": 1}, True),
     ({"flot": 3}, True), ({"flot": 2}, False), ({"kind": Kind.PINNACE}, False), ({"kind": Kind.GALLEASSE}, True),
     ({"oar_speed": 0}, False)],
    ids=str,
)  # fmt: skip
def test_her_slaves_row_some_ships_ashore(change: dict[str, Any], rows: bool) -> None:
    coast = (((-9_000, 20_000), (9_000, 20_000), (0, 21_000)),)
    one = galley(**{"crew_halves": 0, **change})
    assert slaves.abandoned(battle(one, land=coast), one) is rows
    assert not slaves.abandoned(battle(one), one)
    assert not slaves.abandoned(battle(one, land=coast, options={"opt_oars": False}), one)
    made = battle(one, land=coast)
    made.fasten(one, ship("S1"))
    assert not slaves.abandoned(made, one)


@pytest.mark.clause("T.O4j", "T.O4h")
@pytest.mark.parametrize(
    ("x", "y", "flot", "end", "heading"),
    [
        (0, 0, 10, (0, 6_000), 0), (0, 0, 5, (0, 3_000), 0), (0, 0, 6, (0, 6_000), 0), (14_000, 20_000, 10, (9_700, 20_000), 27_000),
        (12_000, 16_000, 10, (9_420, 19_440), 32_313), (-9_000, 12_000, 10, (-9_000, 18_000), 0), (0, 28_500, 10, (0, 22_500), 18_000),
    ],
)  # fmt: skip
def test_they_take_the_shortest_line_to_the_nearest_shore(
    x: int, y: int, flot: int, end: tuple[int, int], heading: int
) -> None:
    coast = (
        ((-9_000, 20_000), (9_000, 20_000), (9_000, 21_000), (-9_000, 21_000)),
        ((-90_000, 90_000), (-90_000, 90_000), (-91_000, 90_000)),
    )
    one = galley(x=x, y=y, crew_halves=0, flot=flot)
    made, played = battle(one, land=coast), play()
    assert slaves.row_ashore(made, played, one)
    assert one.heading == heading
    assert abs(one.x - end[0]) <= 2 and abs(one.y - end[1]) <= 2, one.position
    assert one.moved
    assert (one.status is Status.BEACHED) is bool(events(played, "beached"))


@pytest.mark.clause("T.O1b", "T.O4e", "T.O4g", "T.O4i")
@pytest.mark.parametrize(
    ("change", "strength", "due"),
    [
        ({"rig": Rig.TO_OARS}, LIGHT, (Rig.OARS, False)), ({"rig": Rig.TO_SAIL}, LIGHT, (Rig.SAIL, False)),
        ({"rig": Rig.OARS}, LIGHT, (Rig.OARS, False)), ({"rig": Rig.OARS}, STRONG, (Rig.SAIL, True)),
        ({"rig": Rig.TO_OARS}, STRONG, (Rig.SAIL, True)), ({"rig": Rig.SAIL}, STRONG, (Rig.SAIL, False)),
        ({"boats_out": True}, LIGHT, (Rig.SAIL, False)), ({"boats_out": True}, MEDIUM, (Rig.SAIL, True)),
        ({"boats_out": True}, STRONG, (Rig.SAIL, True)),
    ],
    ids=str,
)  # fmt: skip
def test_sails_oars_and_boats_are_settled_as_a_turn_begins(
    change: dict[str, Any], strength: WindForce, due: tuple[Any, ...]
) -> None:
    one = galley(**change)
    played = play()
    releases.rigs(battle(one, strength=strength), played)
    assert (one.rig, one.drifts_now) == due
    assert one.boats_out is (bool(change.get("boats_out")) and strength is LIGHT)
    assert len(events(played, "rig")) == int(one.rig is not change.get("rig", Rig.SAIL))


@pytest.mark.clause("T.O4e")
@pytest.mark.parametrize(
    ("change", "may"),
    [({}, True), ({"struck": True}, False), ({"silent": True}, False), ({"anchored": True}, False), ({"towing": "E2"}, False),
     ({"towed_by": "E2"}, False),
     ({"flot": 2}, False), ({"kind": Kind.GALLEON}, False)],
    ids=str,
)  # fmt: skip
def test_only_some_vessels_may_get_out_their_oars(change: dict[str, Any], may: bool) -> None:
    one = galley(**change)
    made = battle(one, strength=LIGHT)
    orders = {"E1": Orders(to_oars=True)}
    releases.rigs(made, play(orders=orders))
    assert (one.rig is Rig.TO_OARS) is may
    held = galley()
    made = battle(held, revenge("S1"), strength=LIGHT)
    made.fasten(held, made.ships["S1"])
    releases.rigs(made, play(orders=orders))
    assert held.rig is Rig.SAIL


@pytest.mark.clause("T.B6e", "T.B6f", "T.S22", "T.B6d")
@pytest.mark.parametrize(
    ("change", "faces", "adrift"),
    [
        *(({"adrift": cause}, (4,), Adrift.NONE) for cause in (Adrift.HOVE_TO, Adrift.COLLISION, Adrift.RESCUING, Adrift.CABLE_CUT)),
        *(({"adrift": cause}, (3,), cause) for cause in (Adrift.HOVE_TO, Adrift.COLLISION, Adrift.RESCUING, Adrift.CABLE_CUT)),
        *(({"adrift": cause}, (), cause) for cause in (Adrift.TOW_WAIT, Adrift.CONVERTING)),
        ({"adrift": Adrift.HOVE_TO, "struck": True}, (), Adrift.HOVE_TO),
        ({"heave_to_next": True}, (), Adrift.HOVE_TO), ({"rescue_next": True}, (), Adrift.RESCUING),
        ({"rescue_next": True, "heave_to_next": True}, (), Adrift.RESCUING),
        ({"cutting_cable": True, "anchored": True}, (3,), Adrift.CABLE_CUT),
        ({"cutting_cable": True, "anchored": True}, (4,), Adrift.NONE), ({}, (), Adrift.NONE),
    ],
    ids=str,
)  # fmt: skip
def test_some_ships_throw_to_get_under_way(
    change: dict[str, Any], faces: tuple[int, ...], adrift: Adrift
) -> None:
    one = ship(**change)
    played = play(*faces)
    releases.under_way(battle(one), played)
    done(played)
    assert (one.adrift, one.anchored, one.cutting_cable, one.heave_to_next, one.rescue_next) == (
        adrift,
        False,
        False,
        False,
        False,
    )
    assert [event.data["made"] for event in events(played, "under_way")] == [face >= 4 for face in faces]


@pytest.mark.clause("T.B7b", "T.B4c")
@pytest.mark.parametrize(
    ("change", "faces"),
    [({}, (4,)), ({"irons_since": 1}, ()), ({"in_irons": False}, ()), ({"struck": True}, ()), ({"masts_lost": 2}, ()),
     ({"silent": True}, ()), ({"anchored": True}, ())],
    ids=str,
)  # fmt: skip
def test_some_ships_throw_for_a_turn_out_of_irons(change: dict[str, Any], faces: tuple[int, ...]) -> None:
    one = ship(**{"in_irons": True, **change})
    played = play(*faces)
    releases.irons(battle(one), played)
    done(played)
    assert (one.heading, one.drifts_now) == (0, False)


@pytest.mark.clause("T.B7b", "T.B7a")
@pytest.mark.parametrize(
    ("face", "heading", "by", "due"),
    [(4, 0, 4_500, (0, True, False)), (5, 0, 4_500, (4_500, False, True)), (6, 0, 4_499, (4_499, True, False)),
     (5, 0, 9_000, (4_500, False, True)),
     (5, 0, -9_000, (31_500, False, True)), (4, 4_500, 0, (4_500, False, True))],
)  # fmt: skip
def test_a_turn_out_of_irons_frees_her_at_the_limit_and_she_drifts_this_turn(
    face: int, heading: int, by: int, due: tuple[Any, ...]
) -> None:
    one = ship(in_irons=True, heading=heading)
    releases.irons(battle(one), play(face, orders={"E1": Orders(irons_turn=by)}))
    assert (one.heading, one.in_irons, one.drifts_now) == due


ROWS: dict[str, Any] = {
    "heading": 9_000, "kind": Kind.GALLEY, "oar_speed": 6_000, "oar_turn": 9_000, "rig": Rig.OARS,
}  # fmt: skip
STILL: dict[str, Any] = {"strength": CALM, "spell_calm": 2, "spell_quiet": 2}
FLIGHTS: list[tuple[dict[str, Any], tuple[int, int], dict[str, Any], Course]] = [
    # her state, where the enemy lies, the wind; turn, leg, turn
    ({}, (0, 6_000), {"wind_from": 9_000}, Course(4_500, 1_000, 0)),
    ({"heading": 18_000}, (0, 6_000), {}, Course(0, 5_000, 0)),
    ({"heading": 18_000}, (0, 6_000), {"strength": STRONG}, Course(0, 10_000, 0)),
    ({"heading": 16_300}, (0, 6_000), {}, Course(1_500, 5_000, 0)),
    ({"heading": 13_500}, (0, 6_000), {}, Course(4_500, 5_000, 0)),
    ({"heading": 22_500}, (0, 6_000), {}, Course(-4_500, 5_000, 0)),
    ({"heading": 9_000}, (0, 6_000), {}, Course(4_500, 5_000, 2_500)),
    ({"heading": 9_000, "turn": 4_700}, (0, 6_000), {}, Course(4_700, 5_000, 2_500)),
    ({"heading": 9_000, "turn": 300}, (0, 6_000), {}, Course(300, 5_000, 300)),
    ({"heading": 18_000, "masts_lost": 2}, (0, 6_000), {}, Course(0, 0, 0)),
    ({"heading": 0}, (0, -6_000), {}, Course(4_500, 5_000, 0)),
    ({"heading": 18_000, "kind": Kind.GALLEY}, (6_000, 0), {}, Course(4_500, 5_000, 0)),
    (ROWS, (0, 6_000), {"strength": LIGHT}, Course(9_000, 6_000, 0)),
    ({"heading": 9_000}, (0, 6_000), STILL, Course(4_500, 1_000, 0, boats=True)),
    ({"heading": 9_000, "masts_lost": 2}, (-6_000, 0), STILL, Course(0, 1_000, 0, boats=True)),
    ({"heading": 27_000, "masts_lost": 2}, (-6_000, 0), STILL, Course(0, 0, 0, boats=True)),
    ({"heading": 9_000}, (0, 6_000), {"strength": CALM, "spell_calm": 1, "spell_quiet": 1}, Course(0, 0, 0)),
]  # fmt: skip


@pytest.mark.clause("T.O5g", "T.B7", "T.O1")
@pytest.mark.parametrize("row", FLIGHTS, ids=str)
def test_the_way_that_opens_the_range_fastest_is_found(row: Any) -> None:
    change, enemy, wind, due = row
    one = ship("E1", breaking_off=True, **change)
    found = flight.course(battle(one, revenge("S1", *enemy), **wind), one)
    assert found == due


@pytest.mark.clause("T.O5g")
@pytest.mark.parametrize(
    ("y", "change", "flees"),
    [(32_000, {}, True), (32_001, {}, False), (900, {"struck": True}, False), (900, {"prize_of": "SPA", "side": "ENG"}, False),
     (900, {"side": "ENG"}, False)],
    ids=str,
)  # fmt: skip
def test_she_flees_from_the_nearest_that_fights_within_32_inches(
    y: int, change: dict[str, Any], flees: bool
) -> None:
    one = ship("E1", heading=18_000, breaking_off=True)
    assert (flight.course(battle(one, revenge("S1", y=y, **change)), one) is not None) is flees
    near = battle(one, revenge("S1", y=9_000), revenge("S2", y=-3_000))
    course = flight.course(near, one)
    assert course is not None and course.distance == 5_000 and abs(course.turn1) == 4_500
