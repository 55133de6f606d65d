"""Oars, boats, tows and slaves who row ashore. Rules: T.O1, T.O3, T.O4, T.E19, T.E21, T.E22, T.E34."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import boats, drift, movement, releases, sailing, towing
from battles.engine.rulesets.thomas.play import Course, Orders, Play
from battles.engine.rulesets.thomas.sailing import oar_reach
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Ship, Status
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from battles.engine.rulesets.thomas.turn import begin_move
from tests.engine.thomas.builders import battle, done, events, play, ship

CALM, LIGHT, MEDIUM, STRONG = WindForce.CALM, WindForce.LIGHT, WindForce.MEDIUM, WindForce.STRONG


def galley(code: str = "E1", **over: Any) -> Ship:
    figures: dict[str, Any] = {
        "kind": Kind.GALLEY, "tons": 200, "flot_max": 10, "crew_max": 20, "speed": 3_000, "oar_speed": 6_000,
        "oar_turn": 9_000, "length": 1_400, "beam": 200,
    }  # fmt: skip
    return ship(code, **{**figures, **over})


def galleasse(**over: Any) -> Ship:
    return galley(
        **{"kind": Kind.GALLEASSE, "tons": 800, "flot_max": 40, "crew_max": 80, "oar_speed": 5_000, **over}
    )


def step(made: Battle, played: Play, one: Ship) -> None:
    """One move of one ship as far as it goes: start-of-move changes, tows, drift, her own move."""
    begin_move(made)
    made.spell_quiet = made.spell_quiet + 1 if made.strength <= LIGHT else 0
    made.spell_calm = made.spell_calm + 1 if made.strength is CALM else 0
    releases.under_way(made, played)
    towing.pass_lines(made, played)
    releases.rigs(made, played)
    drift.drift_all(made, played)
    movement.move(made, played, one)


@pytest.mark.clause("T.E22", "T.O4b", "T.O4h", "T.O4c")
@pytest.mark.parametrize(
    ("strength", "lost", "reach"),
    [(CALM, 0, 5_000), (LIGHT, 0, 5_000), (MEDIUM, 0, 2_500), (MEDIUM, 20, 1_250), (CALM, 20, 2_500), (CALM, 30, 0),
     (STRONG, 0, 0)],
)  # fmt: skip
def test_a_galleass_rows_a_limited_distance(strength: WindForce, lost: int, reach: int) -> None:
    one = galleasse(flot=40 - lost, rig=Rig.OARS)
    assert oar_reach(battle(one, strength=strength), one) == reach


@pytest.mark.clause("T.E22", "T.O4b", "T.O4g")
def test_a_galley_under_oars_is_caught_by_a_medium_wind() -> None:
    one = galley(heading=9_000, rig=Rig.OARS)
    made, played = battle(one, move=0), play(orders={"E1": Course(0, 3_000)})
    step(made, played, one)
    assert (one.position, one.rig) == ((0, -1_000), Rig.SAIL)
    step(made, played, one)
    assert one.position == (3_000, -1_000)


@pytest.mark.clause("T.E34", "T.O4e", "T.O4f", "T.O4a", "T.O4d", "T.O4c")
def test_a_vessel_changes_from_sail_to_oars_and_back() -> None:
    one = galleasse(heading=9_000)
    made, played = battle(one, move=1), play(orders={"E1": Orders(Course(0, 2_000), to_oars=True)})
    step(made, played, one)
    assert (made.move, one.position, one.rig) == (2, (0, -1_000), Rig.TO_OARS)
    played.orders = {"E1": Orders(Course(-9_000, 2_000, 9_000))}
    step(made, played, one)
    assert (one.position, one.heading, one.rig) == ((0, 1_000), 9_000, Rig.OARS)
    step(made, play(orders={"E1": Course(9_000, 0, 0)}), one)
    assert (one.position, one.heading) == ((0, 1_000), 18_000)
    step(made, play(orders={"E1": Course(0, 1_000, raise_sail=True)}), one)
    assert (made.move, one.position, one.rig) == (5, (0, 0), Rig.TO_SAIL)
    step(made, play(orders={"E1": Course(0, 5_000)}), one)
    assert (one.position, one.rig) == ((0, -3_000), Rig.SAIL)


@pytest.mark.clause("T.O4a")
def test_a_galley_under_sail_turns_once_at_either_end() -> None:
    one = galley(heading=9_000)
    movement.move(battle(one), play(orders={"E1": Course(0, 3_000, 4_500)}), one)
    assert (one.position, one.heading) == ((3_000, 0), 13_500)
    other = galley(heading=9_000)
    movement.move(battle(other), play(orders={"E1": Course(4_500, 1_000, 4_500)}), other)
    assert (other.position, other.heading) == ((707, -707), 13_500)


@pytest.mark.clause("T.O4i")
def test_a_dismasted_vessel_rows_and_may_get_out_her_oars() -> None:
    one = galley(masts_lost=2, rig=Rig.OARS)
    movement.move(battle(one, strength=CALM, spell_calm=1), play(orders={"E1": Course(0, 6_000, 9_000)}), one)
    assert (one.position, one.heading) == ((0, 6_000), 9_000)
    other = galleasse(masts_lost=2)
    made = battle(other)
    releases.rigs(made, play(orders={"E1": Orders(to_oars=True)}))
    assert other.rig is Rig.TO_OARS


@pytest.mark.clause("T.O4", "T.S25")
def test_without_the_rule_no_one_rows() -> None:
    one = galley(rig=Rig.SAIL)
    made = battle(one, strength=CALM, options={"opt_oars": False})
    releases.rigs(made, play(orders={"E1": Orders(to_oars=True)}))
    assert one.rig is Rig.SAIL


@pytest.mark.clause("T.O4j")
def test_slaves_row_an_abandoned_galley_to_the_nearest_shore() -> None:
    coast = (((-9_000, 8_000), (9_000, 8_000), (9_000, 9_000), (-9_000, 9_000)),)
    one = galley(heading=9_000, crew_halves=1)
    made, played = battle(one, land=coast, strength=STRONG), play()
    drift.drift_all(made, played)
    movement.move(made, played, one)
    assert (one.position, one.heading, one.status) == ((0, 6_000), 0, Status.AFLOAT)
    begin_move(made)
    movement.move(made, played, one)
    assert (one.status, one.y) == (Status.BEACHED, 7_300)
    assert events(played, "beached")
    derelict = galley(crew_halves=0)
    drift.drift_all(battle(derelict), play())
    assert derelict.y == -1_000
    worn = galley(crew_halves=0, flot=2)
    drift.drift_all(battle(worn, land=coast), play())
    assert worn.y == -1_000


@pytest.mark.clause("T.E19", "T.O1", "T.O1a", "T.O1b", "T.B1h", "T.B2a")
def test_boats_tow_in_a_calm_and_are_hoisted_in() -> None:
    one = ship(heading=9_000)
    made, played = battle(one, strength=CALM, move=2), play(orders={"E1": Course(-9_000, 5_000, boats=True)})
    step(made, played, one)
    assert (made.move, one.position, one.boats_out) == (3, (0, 0), False)
    step(made, played, one)
    assert (one.position, one.heading, one.boats_out) == ((707, 707), 4_500, True)
    made.strength = LIGHT
    played.orders = {"E1": Orders(Course(4_500, 1_000))}
    step(made, played, one)
    assert (one.position, one.heading, one.boats_out) == ((707, 707), 4_500, False)
    step(made, played, one)
    assert one.position == (1_707, 707)


@pytest.mark.clause("T.O1b")
def test_boats_in_a_rising_wind_cost_a_turn_adrift() -> None:
    one = ship(heading=9_000, boats_out=True)
    made, played = battle(one, move=4), play(orders={"E1": Course(0, 2_000)})
    step(made, played, one)
    assert (one.position, one.boats_out) == ((0, -1_000), False)
    step(made, played, one)
    assert one.position == (2_000, -1_000)


@pytest.mark.clause("T.O1", "T.O1c", "T.B2a")
@pytest.mark.parametrize(
    ("change", "state", "may"),
    [
        ({}, {}, True), ({"flot": 15}, {}, True), ({"flot": 14}, {}, False), ({"masts_lost": 2}, {}, True),
        ({"on_fire": True}, {}, False), ({"struck": True}, {}, False), ({}, {"spell_quiet": 1}, False),
        ({}, {"spell_calm": 1}, False), ({}, {"strength": MEDIUM}, False), ({}, {"options": {"opt_boats": False}}, False),
        ({"kind": Kind.GALLEY, "oar_speed": 6_000}, {}, False),
    ],
)  # fmt: skip
def test_boats_may_tow_only_some_ships(change: dict[str, Any], state: dict[str, Any], may: bool) -> None:
    one = ship(**change)
    made = battle(one, **{"strength": CALM, "spell_quiet": 3, "spell_calm": 2, **state})
    assert sailing.boats_may_pull(made, one) is may


@pytest.mark.clause("T.O1c")
def test_boats_do_not_tow_a_ship_that_is_held_or_tows_another() -> None:
    one, enemy = ship(), ship("S1", x=250)
    made = battle(one, enemy, strength=CALM, spell_quiet=3, spell_calm=2)
    assert sailing.boats_may_pull(made, one)
    fast = made.fasten(one, enemy)
    assert not sailing.boats_may_pull(made, one)
    made.unfasten(fast)
    assert sailing.boats_may_pull(made, one)
    one.anchored = True
    assert not sailing.boats_may_pull(made, one)


@pytest.mark.clause("T.O1a")
def test_a_dismasted_ship_towed_by_boats_does_not_turn() -> None:
    one = ship(heading=0, masts_lost=2)
    made = battle(one, strength=LIGHT, spell_quiet=2)
    movement.move(made, play(orders={"E1": Course(4_500, 1_000, boats=True)}), one)
    assert (one.position, one.heading) == ((0, 1_000), 0)


def frigate(code: str = "E1", **over: Any) -> Ship:
    return ship(code, **{"kind": Kind.FRIGATE, "tons": 900, "speed": 9_000, "turn": 9_000, **over})


def liner(code: str = "E2", **over: Any) -> Ship:
    return ship(code, **{"kind": Kind.LINE, "tons": 1_700, "speed": 6_000, "masts_lost": 2, **over})


@pytest.mark.clause("T.E21", "T.O3", "T.O3a", "T.O3b", "T.O3c", "T.O3d", "T.O3e", "T.O3f")
def test_a_frigate_takes_a_dismasted_ship_of_the_line_in_tow() -> None:
    tower, tow = frigate(x=-1_000, heading=9_000), liner(x=-1_500, heading=9_000)
    made, played = battle(tower, tow, move=0), play(3, 4, orders={"E1": Course(0, 1_000, take_in_tow="E2")})
    movement.move(made, played, tower)
    assert (tower.position, tower.tow_wait, tow.adrift) == ((0, 0), "E2", Adrift.TOW_WAIT)
    step(made, played, tower)
    assert (tower.position, tow.position, tower.adrift) == ((0, -1_000), (-1_500, -1_000), Adrift.TOW_WAIT)
    played.orders = {"E1": Orders(Course(0, 9_000))}
    step(made, played, tower)
    done(played)
    assert (tower.position, tow.position, tow.heading) == ((3_000, -1_000), (1_800, -1_000), 9_000)
    assert (tower.towing, tow.towed_by, tower.adrift) == ("E2", "E1", Adrift.NONE)


@pytest.mark.clause("T.E21", "T.O3b", "T.O3f")
@pytest.mark.parametrize(
    ("strength", "change", "reach"),
    [
        (STRONG, {}, (2_000, 6_000)), (MEDIUM, {}, (1_000, 3_000)), (LIGHT, {}, (0, 1_000)),
        (MEDIUM, {"masts_lost": 1, "speed": 5_000}, (1_000, 2_500)),
    ],
)  # fmt: skip
def test_a_pair_has_its_speed(strength: WindForce, change: dict[str, Any], reach: tuple[int, int]) -> None:
    tower, tow = frigate(**change), liner()
    made = battle(tower, tow, strength=strength)
    assert sailing.tow_reach(made, tower, tow) == reach
    assert sailing.tow_turns(made, tower, liner("E3")) == (4_500, 2)


@pytest.mark.clause("T.O3e")
@pytest.mark.parametrize(
    ("strength", "face", "made_fast"),
    [(CALM, 2, False), (CALM, 3, True), (LIGHT, 2, False), (LIGHT, 3, True), (MEDIUM, 3, False), (STRONG, 5, False),
     (STRONG, 6, True)],
)  # fmt: skip
def test_a_tow_needs_a_throw(strength: WindForce, face: int, made_fast: bool) -> None:
    tower, tow = frigate(heading=9_000), liner(x=-1_500, heading=9_000)
    made, played = battle(tower, tow, strength=strength), play(face)
    towing.wait(made, played, tower, tow)
    towing.pass_lines(made, played)
    assert bool(tower.towing) is made_fast
    assert (tow.adrift is Adrift.TOW_WAIT) is not made_fast


@pytest.mark.clause("T.O3", "T.O3a", "T.O3g", "T.N3b")
@pytest.mark.parametrize(
    ("tower", "tow", "may"),
    [
        (ship("E1", tons=600), ship("E2", tons=1_200), True),
        (ship("E1", tons=600), ship("E2", tons=1_201), False),
        (frigate(tons=400), liner(tons=2_500), True),
        (frigate(), ship("S1"), False),
        (frigate(on_fire=True), liner(), False),
        (frigate(), liner(on_fire=True), False),
        (frigate(masts_lost=2), liner(), False),
        (frigate(towing="E9"), liner(), False),
    ],
)
def test_only_some_ships_may_tow_others(tower: Ship, tow: Ship, may: bool) -> None:
    assert towing.may_tow(battle(tower, tow), tower, tow) is may


@pytest.mark.clause("T.O3c")
@pytest.mark.parametrize(
    ("x", "y", "there"),
    [(2_000, 0, True), (2_001, 0, False), (0, 500, True), (-1, 500, False), (500, 1_400, False)],
)
def test_the_tower_lies_ahead_within_an_inch_of_the_bow(x: int, y: int, there: bool) -> None:
    assert towing.in_place(ship("E1", x=x, y=y, heading=9_000), ship("E2", heading=9_000)) is there


@pytest.mark.clause("T.O3g")
@pytest.mark.parametrize(
    "change", [{"on_fire": True}, {"struck": True}, {"masts_lost": 2}, {"cast_off": True}]
)
def test_some_events_end_a_tow(change: dict[str, Any]) -> None:
    tower, tow = frigate(towing="E2"), liner(towed_by="E1")
    wish = change.pop("cast_off", None)
    for name, value in change.items():
        setattr(tower, name, value)
    made, played = battle(tower, tow), play(orders={"E1": Orders(cast_off=wish)})
    towing.pass_lines(made, played)
    assert (tower.towing, tow.towed_by) == ("", "")
    assert events(played, "cast_off")[0].data == {"target": "E2"}


@pytest.mark.clause("T.O3g")
def test_a_grapple_parts_a_tow() -> None:
    tower, tow, enemy = frigate(towing="E2"), liner(towed_by="E1"), ship("S1")
    made = battle(tower, tow, enemy)
    made.fasten(enemy, tow)
    assert (tower.towing, tow.towed_by) == ("", "")


@pytest.mark.clause("T.O3f", "T.B6f")
def test_a_tower_that_drifts_takes_her_tow_along() -> None:
    tower, tow = frigate(heading=0, in_irons=True, towing="E2"), liner(y=-1_200, towed_by="E1")
    drift.drift_all(battle(tower, tow), play())
    assert (tower.y, tow.y) == (-1_000, -2_200)


def in_tow(*others: Ship, x: int = -900, y: int = 700, **over: Any) -> tuple[Battle, Ship, Ship]:
    """A frigate that steers east with a ship of the line in tow, who lies on her quarter, not yet in line."""
    tower, tow = frigate(heading=9_000, towing="E2"), liner(x=x, y=y, heading=4_500, towed_by="E1")
    return battle(tower, tow, *others, **over), tower, tow


@pytest.mark.clause("T.O3f", "T.B2a")
@pytest.mark.parametrize("spell", [1, 2])
def test_a_tow_stays_where_she_is_while_the_tower_neither_turns_nor_runs(spell: int) -> None:
    made, tower, tow = in_tow(strength=CALM, spell_calm=spell)
    played = play(orders={"E1": Course(0, 3_000)})
    movement.move(made, played, tower)
    assert (tow.position, tow.heading, tower.position) == ((-900, 700), 4_500, (0, 0))
    assert not events(played, "towed")


@pytest.mark.clause("T.O3f", "T.B2a")
def test_a_tower_that_turns_in_a_calm_brings_her_tow_round() -> None:
    made, tower, tow = in_tow(strength=CALM, spell_calm=2)
    movement.move(made, play(orders={"E1": Course(-4_500, 0)}), tower)
    assert (tower.heading, tow.heading, tow.position) == (4_500, 4_500, (-849, -849))


def broad(*others: Ship, **over: Any) -> tuple[Battle, Ship, Ship]:
    """A frigate that steers east past what a broader ship astern of her will not clear."""
    tower, tow = (
        frigate(heading=9_000, towing="E2"),
        liner(x=-1_200, heading=9_000, beam=600, towed_by="E1"),
    )
    return battle(tower, tow, *others, **over), tower, tow


@pytest.mark.clause("T.B4d", "T.O3c", "T.O3f", "T.O3g")
@pytest.mark.parametrize(("x", "stops", "holds"), [(1_000, 375, False), (1_900, 1_275, True)])
def test_a_hull_in_the_way_stops_a_tow_and_the_line_parts_when_it_no_longer_reaches(
    x: int, stops: int, holds: bool
) -> None:
    other = ship("S1", x=x, y=700, anchored=True)
    made, tower, tow = broad(other)
    played = play(orders={"E1": Course(0, 3_000)})
    movement.move(made, played, tower)
    assert tower.position == (3_000, 0)
    assert (tow.position, tow.stopped_short) == ((stops, 0), True)
    assert events(played, "towed")[0].data["stopped"] == "S1"
    assert (tower.towing, tow.towed_by) == (("E2", "E1") if holds else ("", ""))
    assert [event.data for event in events(played, "cast_off")] == ([] if holds else [{"target": "E2"}])


@pytest.mark.clause("T.O3f", "T.B4e")
def test_a_shore_in_the_way_of_a_tow_wrecks_her() -> None:
    made, tower, tow = broad(land=(((900, 200), (1_100, 200), (1_000, 400)),))
    movement.move(made, play(orders={"E1": Course(0, 3_000)}), tower)
    assert (tower.position, tower.towing, tow.status) == ((3_000, 0), "", Status.WRECKED)


@pytest.mark.clause("T.O1", "T.B4d")
def test_boats_that_tow_a_ship_against_a_hull_are_shown_whose_it_is() -> None:
    one, other = ship("E1", heading=9_000), ship("S1", x=1_500, heading=9_000)
    made, played = battle(one, other, strength=CALM, spell_calm=2, spell_quiet=2), play()
    boats.pull(made, played, one, Course(0, 1_000))
    assert (one.x, one.stopped_short) == (500, True)
    assert [event.data["stopped"] for event in events(played, "moved")] == ["S1"]


@pytest.mark.clause("T.O3g")
def test_casting_off_frees_both_ends_of_every_tow_she_is_part_of() -> None:
    middle = ship("E1", towing="E2", towed_by="E3", tow_wait="E4")
    ends = [ship("E2", towed_by="E1"), ship("E3", towing="E1"), ship("E4", adrift=Adrift.TOW_WAIT)]
    apart = ship("E5", towing="E6")
    battle(middle, *ends, apart, ship("E6", towed_by="E5")).cast_off(middle)
    for one in (middle, *ends):
        assert (one.towing, one.towed_by, one.tow_wait, one.adrift) == ("", "", "", Adrift.NONE)
    assert apart.towing == "E6"


@pytest.mark.clause("T.O3e", "T.O3g")
def test_a_tower_waits_no_longer_for_a_tow_that_is_lost() -> None:
    tower, tow = ship("E1", tow_wait="E2", adrift=Adrift.TOW_WAIT), ship("E2", y=-1_300, status=Status.SUNK)
    played = play()
    towing.pass_lines(battle(tower, tow), played)
    assert (tower.tow_wait, tower.adrift) == ("", Adrift.NONE)
    assert [event.data for event in events(played, "cast_off")] == [{"target": "E2"}]


@pytest.mark.clause("T.O3g")
def test_a_ship_that_casts_off_leaves_the_tows_of_others_and_her_own_lying_to() -> None:
    one, hove = ship("E1", adrift=Adrift.TOW_WAIT), ship("E5", adrift=Adrift.HOVE_TO)
    three, four = ship("E3", tow_wait="E4", adrift=Adrift.TOW_WAIT), ship("E4", adrift=Adrift.TOW_WAIT)
    made = battle(one, three, four, hove)
    made.cast_off(one)
    made.cast_off(hove)
    assert [(each.tow_wait, each.adrift) for each in (one, three, four, hove)] == [
        ("", Adrift.NONE), ("E4", Adrift.TOW_WAIT), ("", Adrift.TOW_WAIT), ("", Adrift.HOVE_TO),
    ]  # fmt: skip


@pytest.mark.clause("T.O3g")
def test_a_line_that_is_still_being_passed_is_given_up_at_both_ends() -> None:
    waits = ship("E1", adrift=Adrift.TOW_WAIT)
    passing, other = ship("E2", tow_wait="E1"), ship("E3", tow_wait="E4")
    battle(waits, passing, other, ship("E4", adrift=Adrift.TOW_WAIT)).cast_off(waits)
    assert (waits.adrift, passing.tow_wait, other.tow_wait) == (Adrift.NONE, "", "E4")


@pytest.mark.clause("T.O3b", "T.O4a", "T.O4i")
def test_a_galley_rows_a_ship_in_tow_as_far_as_the_pair_goes() -> None:
    tower = galley(x=0, heading=9_000, towing="E2", rig=Rig.OARS)
    tow = liner(x=-1_200, heading=9_000, towed_by="E1", tons=300)
    made = battle(tower, tow, strength=CALM, move=0)
    assert sailing.tow_reach(made, tower, tow) == (0, 3_000)
    movement.move(made, play(orders={"E1": Orders(Course(0, 6_000))}), tower)
    assert tower.position == (3_000, 0)
