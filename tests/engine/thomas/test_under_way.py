"""Drifting, running, turning, towing, rowing: each condition by itself. Rules: T.B2, T.B4, T.B6, T.B7, T.O1, T.O3, T.O4, T.S21, T.S22."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import (
    contact,
    drift,
    movement,
    sailing,
)
from battles.engine.rulesets.thomas.play import Course, Play
from battles.engine.rulesets.thomas.state import Adrift, Rig, Ship, Status
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import battle, events, play, revenge, ship
from tests.engine.thomas.test_oars_boats_tows import frigate, galley, liner

CALM, LIGHT, MEDIUM, STRONG = WindForce.CALM, WindForce.LIGHT, WindForce.MEDIUM, WindForce.STRONG
ADRIFT = [cause for cause in Adrift if cause]


def moved(one: Ship, course: Course, *others: Ship, **over: Any) -> Play:
    made, played = battle(one, *others, **over), play(orders={one.id: course})
    movement.move(made, played, one)
    return played


@pytest.mark.clause("T.B6f", "T.B12m", "T.O6a", "T.O4e", "T.N3")
@pytest.mark.parametrize(
    ("change", "drifts"),
    [
        ({}, False), ({"masts_lost": 1}, False), ({"masts_lost": 2}, True), ({"masts_lost": 2, "anchored": True}, False),
        ({"masts_lost": 2, "run_into": True}, False), ({"masts_lost": 2, "towed_by": "E2"}, False), ({"silent": True}, True),
        ({"on_fire": True}, False), ({"in_irons": True}, True),
        ({"drifts_now": True}, True), *(({"adrift": cause}, True) for cause in ADRIFT),
        ({"struck": True}, True), ({"struck": True, "secured": True}, False), ({"rig": Rig.TO_OARS}, True),
        ({"rig": Rig.TO_SAIL}, False),
        ({"masts_lost": 2, "rig": Rig.OARS}, False), ({"masts_lost": 2, "rig": Rig.TO_SAIL}, False), ({"crew_halves": 11}, True),
        ({"crew_halves": 12}, False), ({"crew_halves": 11, "rig": Rig.OARS}, False), ({"status": Status.SUNK, "masts_lost": 2}, False),
        ({"in_irons": True, "towed_by": "E2"}, False), ({"silent": True, "rig": Rig.OARS}, True),
    ],
    ids=str,
)  # fmt: skip
def test_some_ships_are_carried_downwind(change: dict[str, Any], drifts: bool) -> None:
    one = ship(**change)
    assert sailing.drifts(battle(one), one) is drifts


@pytest.mark.clause("T.B4c", "T.B8b", "T.N3c")
@pytest.mark.parametrize(
    ("change", "sails", "headed"),
    [
        ({}, True, True), ({"on_fire": True}, True, False), ({"heave_to_next": True}, True, False), ({"rescue_next": True}, True, False),
        ({"anchored": True}, False, False), ({"rig": Rig.OARS}, False, False), ({"rig": Rig.TO_SAIL}, False, False),
        ({"run_into": True}, False, False), ({"adrift": Adrift.COLLISION}, False, False), ({"masts_lost": 2}, False, False),
        ({"status": Status.SUNK}, False, False), ({"towed_by": "E2"}, True, True),
        ({"towed_by": "E2", "adrift": Adrift.HOVE_TO}, False, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_shift_makes_some_ships_set_sail_and_finds_others_under_sail(
    change: dict[str, Any], sails: bool, headed: bool
) -> None:
    one = ship(**change)
    made = battle(one)
    assert (sailing.sails(made, one), sailing.under_sail(made, one)) == (sails, headed)
    made.fasten(one, ship("S1"))
    assert not sailing.sails(battle(one), one)


@pytest.mark.clause("T.O6h", "T.O5", "T.O5f")
@pytest.mark.parametrize(
    ("guard", "captives", "tons", "enough"),
    [
        (10, 0, 500, True),
        (9, 0, 500, False),
        (10, 5, 400, True),
        (10, 10, 400, False),
        (12, 10, 400, True),
        (11, 10, 400, False),
        (10, 11, 400, False),
    ],
)
def test_a_guard_sails_a_prize_with_a_fifth_more_for_her_captives(
    guard: int, captives: int, tons: int, enough: bool
) -> None:
    prize = ship("S1", prize_of="ENG", tons=tons, guard_halves=guard, captive_halves=2 * captives)
    assert sailing.enough_hands(battle(prize), prize) is enough
    assert not sailing.enough_hands(battle(prize, options={"opt_surrender": False}), prize)


@pytest.mark.clause("T.O4b", "T.O4h", "T.S25")
@pytest.mark.parametrize(
    ("kind", "strength", "lost", "reach"),
    [
        (Kind.GALLEY, CALM, 0, 5_000), (Kind.GALLEY, LIGHT, 4, 5_000), (Kind.GALLEY, LIGHT, 5, 2_500), (Kind.GALLEY, LIGHT, 7, 2_500),
        (Kind.GALLEY, LIGHT, 8, 0), (Kind.GALLEY, MEDIUM, 0, 0), (Kind.GALLEASSE, MEDIUM, 0, 2_500), (Kind.GALLEASSE, MEDIUM, 5, 1_250),
        (Kind.GALLEASSE, STRONG, 0, 0), (Kind.PINNACE, MEDIUM, 0, 0), (Kind.PINNACE, CALM, 0, 5_000), (Kind.GALLEON, CALM, 0, 0),
    ],
)  # fmt: skip
def test_oars_carry_a_limited_distance(kind: Kind, strength: WindForce, lost: int, reach: int) -> None:
    one = ship(kind=kind, oar_speed=5_000, flot_max=10, flot=10 - lost)
    assert sailing.oar_reach(battle(one, strength=strength), one) == reach
    assert sailing.oar_reach(battle(one, strength=strength, options={"opt_oars": False}), one) == 0


@pytest.mark.clause("T.B6a", "T.B6c", "T.B12m")
def test_the_ship_that_touches_counts_of_two_stopped_at_once() -> None:
    # E1 and E2 are fast and drift an inch; just there E2 comes against S1, and E1 against nobody.
    one, two = ship("E1", heading=9_000), ship("E2", x=500, y=250, heading=9_000)
    three = ship("S9", x=-9_000)
    struck = ship("S1", x=1_200, y=-1_000, heading=9_000)
    made = battle(one, two, three, struck)
    made.fasten(one, two).attacker = "E1"
    two.y = 250
    played = play()
    drift.drift_body(made, played, [one, two])
    assert (one.y, two.y, struck.run_into, struck.adrift) == (-1_000, -750, True, Adrift.COLLISION)
    assert events(played, "run_into")[0].data == {"by": "E2"}
    assert [event.data["stopped"] for event in events(played, "drifted")] == ["S1", "S1"]
    assert one.stopped_short and two.stopped_short


@pytest.mark.clause("T.B6c", "T.S22")
@pytest.mark.parametrize(
    ("change", "hit"),
    [
        ({}, True),
        ({"run_into": True}, False),
        ({"drifted": True}, False),
        ({"masts_lost": 2}, False),
        ({"on_fire": True}, True),
    ],
    ids=str,
)
def test_a_drifter_sets_some_ships_adrift(change: dict[str, Any], hit: bool) -> None:
    one, other = (
        ship("E1", y=1_000, heading=9_000, masts_lost=2),
        revenge("S1", heading=9_000, anchored=bool(not change), **change),
    )
    made, played = battle(one, other), play()
    drift.drift_body(made, played, [one])
    assert one.y == 250
    assert (other.adrift is Adrift.COLLISION) is hit
    assert len(events(played, "run_into")) == int(hit)
    assert len(events(played, "anchored")) == int(not change)
    assert not other.anchored


@pytest.mark.clause("T.B6c")
def test_a_ship_she_already_lay_against_is_not_struck_again() -> None:
    one, other = ship("E1", y=250, heading=9_000, masts_lost=2), revenge("S1", heading=9_000)
    played = play()
    drift.drift_body(battle(one, other), played, [one])
    assert (one.y, other.run_into, events(played, "run_into")) == (250, False, [])


@pytest.mark.clause("T.B12m", "T.S22", "T.B6")
@pytest.mark.parametrize(
    ("change", "drifts"),
    [({}, True), ({"drifted": True}, False), ({"run_into": True}, False), ({"anchored": True}, False)],
    ids=str,
)
def test_ships_fast_and_idle_drift_last_unless_one_of_them_is_held(
    change: dict[str, Any], drifts: bool
) -> None:
    one, other = ship("E1", heading=9_000), revenge("S1", y=250, heading=9_000, **change)
    made = battle(one, other)
    made.fasten(one, other)
    drift.drift_idle_locks(made, play())
    assert one.y == (-1_000 if drifts else 0)
    calm = battle(one := ship("E1"), other := revenge("S1", y=250), strength=LIGHT)
    calm.fasten(one, other)
    drift.drift_idle_locks(calm, play())
    assert (one.drifted, other.drifted) == (False, False)


@pytest.mark.clause("T.B6a")
def test_the_most_leeward_body_moves_first_and_ties_are_settled_by_code() -> None:
    rows = [
        ship("E1", x=9_000, masts_lost=2),
        ship("S1", masts_lost=2),
        ship("E3", x=-9_000, y=-1, masts_lost=2),
    ]
    played = play()
    drift.drift_all(battle(*rows), played)
    assert [event.ship for event in events(played, "drifted")] == ["E3", "E1", "S1"]
    fast, low = ship("E2", y=3_000, masts_lost=2), ship("S2", y=-300)
    alone = ship("E1", x=5_000, y=0, masts_lost=2)
    made = battle(alone, fast, low)
    made.fasten(fast, low).attacker = "E2"
    played = play()
    drift.drift_all(made, played)
    assert [event.ship for event in events(played, "drifted")] == ["E2", "S2", "E1"]


@pytest.mark.clause("T.S21", "T.B4d", "T.B4e")
@pytest.mark.parametrize(
    ("hull", "coast", "due"),
    [(None, None, (5_000, "", False)), (2_000, None, (1_375, "S1", False)), (None, 2_000, (1_500, "", True)),
     (2_000, 1_000, (500, "", True)),
     (2_000, 3_000, (1_375, "S1", False)), (2_000, 1_875, (1_375, "S1", False)), (5_625, None, (5_000, "S1", False)),
     (5_626, None, (5_000, "", False)),
     (None, 5_500, (5_000, "", True)), (None, 5_501, (5_000, "", False))],
)  # fmt: skip
def test_a_run_ends_at_the_first_hull_or_shore_and_the_hull_counts_first(
    hull: int | None, coast: int | None, due: tuple[Any, ...]
) -> None:
    one = ship(heading=9_000)
    others = [revenge("S1", x=hull)] if hull else []
    land = (((coast, -900), (coast + 500, -900), (coast + 500, 900), (coast, 900)),) if coast else ()
    done_ = contact.run(battle(one, *others, land=land), one, 9_000, 5_000)
    assert (done_.length, done_.met.id if done_.met else "", done_.ashore) == due


@pytest.mark.clause("T.B4g", "T.O3f")
def test_ships_moving_with_her_do_not_block_her_and_the_nearer_of_two_stops_her() -> None:
    one = ship(heading=9_000)
    made = battle(one, revenge("S1", x=3_000), revenge("S2", x=2_000))
    assert contact.run(made, one, 9_000, 5_000).met is made.ships["S2"]
    assert contact.run(made, one, 9_000, 5_000, ignoring=("S2",)).length == 2_375
    assert contact.run(made, one, 9_000, 0).length == 0
    against = battle(one, revenge("S1", x=625))
    assert contact.run(against, one, 9_000, 1_000) == contact.Run(0, against.ships["S1"], False)
    assert contact.run(against, one, 27_000, 1_000).met is None
    assert contact.run(against, one, 9_000, 0).met is None


@pytest.mark.clause("T.B12a")
@pytest.mark.parametrize(("y", "touching"), [(350, True), (351, False), (0, True)])
def test_ships_are_alongside_within_limits(y: int, touching: bool) -> None:
    one, other = ship("E1", heading=9_000), revenge("S1", x=100, y=y, heading=9_000)
    assert (contact.alongside(battle(one, other), one) == [other]) is touching


@pytest.mark.clause("T.B6d", "T.O4f", "T.O3c", "T.S22")
@pytest.mark.parametrize(
    ("change", "course", "due"),
    [
        ({}, Course(heave_to=True), (True, Rig.SAIL, "")), ({"in_irons": True}, Course(heave_to=True), (False, Rig.SAIL, "")),
        ({"rig": Rig.OARS}, Course(raise_sail=True), (False, Rig.TO_SAIL, "")), ({}, Course(raise_sail=True), (False, Rig.SAIL, "")),
        ({"rig": Rig.TO_OARS}, Course(raise_sail=True), (False, Rig.TO_OARS, "")), ({}, Course(take_in_tow="E2"),
        (False, Rig.SAIL, "E2")),
        ({"x": 5_000}, Course(take_in_tow="E2"), (False, Rig.SAIL, "")), ({"on_fire": True}, Course(take_in_tow="E2"),
        (False, Rig.SAIL, "")),
        ({}, Course(take_in_tow="X"), (False, Rig.SAIL, "")),
    ],
    ids=str,
)  # fmt: skip
def test_announcements_are_made_while_moving(
    change: dict[str, Any], course: Course, due: tuple[Any, ...]
) -> None:
    one = ship("E1", **{"x": 800, "heading": 9_000, **change})
    made = battle(one, ship("E2", x=-1_000, heading=9_000))
    movement._announce(made, play(), one, course)
    assert (one.heave_to_next, one.rig, one.tow_wait) == due


@pytest.mark.clause("T.B4", "T.B4c", "T.B6c", "T.O3f")
@pytest.mark.parametrize(
    "change",
    [{"moved": True}, {"drifted": True}, {"run_into": True}, {"towed_by": "E2"}, {"struck": True}, {"anchored": True}, {"masts_lost": 2},
     {"in_irons": True}],
    ids=str,
)  # fmt: skip
def test_some_ships_have_no_move_and_mark_it_as_made_only_when_asked(change: dict[str, Any]) -> None:
    one = ship(heading=9_000, **change)
    moved(one, Course(0, 3_000, cut_cable=True))
    assert one.position == (0, 0)
    assert one.moved is bool(change.keys() & {"moved", "anchored", "masts_lost", "in_irons"})
    assert one.cutting_cable is bool(one.anchored)
    secured = ship(heading=9_000, struck=True, secured=True)
    moved(secured, Course(0, 3_000))
    assert secured.x == 3_000


@pytest.mark.clause("T.O3f", "T.B6c")
def test_a_tower_whose_tow_is_run_into_stays_with_her() -> None:
    tower, tow = (
        frigate(heading=9_000, towing="E2"),
        liner(x=-1_200, heading=9_000, towed_by="E1", run_into=True),
    )
    moved(tower, Course(0, 3_000), tow)
    assert (tower.x, tower.moved) == (0, True)


@pytest.mark.clause("T.B4", "T.O4a", "T.B4b")
@pytest.mark.parametrize(
    ("number", "course", "heading", "cut"),
    [(2, Course(1_000, 0, 2_000), 12_000, []), (1, Course(1_000, 0, 2_000), 10_000, ["turn2"]), (1, Course(0, 0, 2_000), 11_000, []),
     (1, Course(1_000, 0, 0), 10_000, []), (0, Course(1_000, 0, 2_000), 9_000, []),
     (2, Course(-5_000, 0, 5_000), 9_000, ["turn1", "turn2"])],
)  # fmt: skip
def test_she_turns_as_often_as_her_card_allows(
    number: int, course: Course, heading: int, cut: list[str]
) -> None:
    one = ship(heading=9_000)
    played = play()
    movement._go(battle(one), played, one, course, sharp=4_500, number=number, least=0, most=0)
    assert one.heading == heading
    assert [event.data["code"] for event in events(played, "refused")] == cut


@pytest.mark.clause("T.B7", "T.B2g", "T.B7a")
@pytest.mark.parametrize(
    ("heading", "course", "due"),
    [
        # heading, order; where she ends, her heading, whether in irons
        (4_500, Course(0, 1_000), ((707, 707), 4_500, False)), (4_600, Course(-100, 1_000), ((707, 707), 4_500, False)),
        (4_600, Course(-101, 1_000), ((0, -1_000), 4_499, True)), (4_499, Course(0, 1_000), ((0, -1_000), 4_499, False)),
        (4_000, Course(100, 1_000, 2_000), ((0, -1_000), 4_100, False)), (4_000, Course(-100, 1_000), ((0, -1_000), 3_900, True)),
        (9_000, Course(0, 1_000, -4_500), ((1_000, 0), 4_500, False)), (9_100, Course(0, 1_000, -4_500), ((1_000, -17), 4_600, False)),
        (8_900, Course(0, 1_000, -4_500), ((1_000, 17), 4_400, True)),
    ],
    ids=str,
)  # fmt: skip
def test_a_turn_may_bring_her_only_so_near_the_wind(
    heading: int, course: Course, due: tuple[Any, ...]
) -> None:
    one = ship(heading=heading)
    moved(one, course)
    assert (one.position, one.heading, one.in_irons) == due
    assert one.irons_since == (1 if one.in_irons else 0)


@pytest.mark.clause("T.B7", "T.B2a", "T.B2b")
def test_in_a_calm_no_one_falls_into_irons_and_in_light_airs_a_crippled_ship_turns_freely() -> None:
    calm = ship(heading=9_000)
    moved(calm, Course(-4_500, 1_000), strength=CALM, spell_calm=2)
    assert (calm.heading, calm.in_irons, calm.drifted) == (4_500, False, False)
    light = ship(heading=9_000, masts_lost=1)
    moved(light, Course(-4_500, 1_000), strength=LIGHT)
    assert (light.heading, light.in_irons, light.position) == (4_500, False, (0, 0))
    close = ship(heading=9_000)
    moved(close, Course(-1_000, 1_000), strength=LIGHT)
    assert (close.heading, close.in_irons, close.position) == (8_000, True, (0, 0))


@pytest.mark.clause("T.O4c", "T.O4d", "T.O4a")
def test_under_oars_she_turns_twice_and_moves_any_way_without_a_least_distance() -> None:
    one = galley(heading=0, rig=Rig.OARS)
    moved(one, Course(9_000, 100, -9_000), strength=LIGHT)
    assert (one.position, one.heading, one.under_sail) == ((100, 0), 0, False)
    other = galley(heading=0, rig=Rig.OARS)
    played = moved(other, Course(0, 9_000), strength=LIGHT)
    assert (other.y, events(played, "moved")[0].data["oars"]) == (6_000, True)


@pytest.mark.clause("T.B4d", "T.O3e")
@pytest.mark.parametrize(("towing", "stopped"), [("E2", False), ("", True)])
def test_her_own_tow_does_not_stop_a_tower_and_any_other_hull_does(towing: str, stopped: bool) -> None:
    one = ship("E1", heading=9_000, towing=towing)
    other = ship("E2", x=2_500, heading=9_000, towed_by="E1" if towing else "")
    movement.move(battle(one, other), play(orders={"E1": Course(0, 4_000)}), one)
    assert one.stopped_short is stopped
    assert (one.x == 2_500) is not stopped
