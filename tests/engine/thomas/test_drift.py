"""Drifting, being run into, heaving to and getting under way. Rules: T.B6, T.S22, T.E31, T.E33."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.thomas import drift, movement, releases
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.state import Adrift, Rig, Status
from battles.engine.rulesets.thomas.tables import WindForce
from battles.engine.rulesets.thomas.turn import begin_move
from tests.engine.thomas.builders import battle, done, events, play, ship


@pytest.mark.clause("T.E31", "T.B6c", "T.B6e")
@pytest.mark.parametrize(("die", "sails"), [(4, True), (3, False)])
def test_a_ship_struck_by_a_drifter_is_adrift_until_she_throws(die: int, sails: bool) -> None:
    a, b = ship("E1", y=3_000, heading=9_000, masts_lost=2), ship("S1", y=1_800, heading=9_000)
    made, played = battle(a, b), play(die, orders={"S1": Course(0, 4_000)})
    drift.drift_all(made, played)
    assert a.position == (0, 2_050)
    movement.move(made, played, b)
    assert b.position == (0, 1_800)
    assert [event.data for event in events(played, "run_into")] == [{"by": "E1"}]
    begin_move(made)
    releases.under_way(made, played)
    drift.drift_all(made, played)
    movement.move(made, played, b)
    done(played)
    assert b.position == ((4_000, 1_800) if sails else (0, 800))
    assert (b.adrift is Adrift.NONE) is sails


@pytest.mark.clause("T.B6", "T.B6b", "T.S17")
@pytest.mark.parametrize(
    ("strength", "moved"),
    [(WindForce.CALM, 0), (WindForce.LIGHT, 0), (WindForce.MEDIUM, 1_000), (WindForce.STRONG, 2_000)],
)
def test_a_dismasted_ship_drifts_straight_downwind_on_her_old_heading(
    strength: WindForce, moved: int
) -> None:
    one = ship(heading=3_000, masts_lost=2)
    drift.drift_all(battle(one, wind_from=9_000, strength=strength), play())
    assert (one.position, one.heading) == ((-moved, 0), 3_000)


@pytest.mark.clause("T.B6")
def test_a_drifter_that_reaches_the_shore_is_lost() -> None:
    one = ship(heading=9_000, masts_lost=2)
    coast = (((-5_000, -2_000), (5_000, -2_000), (5_000, -900), (-5_000, -900)),)
    played = play()
    drift.drift_all(battle(one, land=coast), played)
    assert (one.status, one.y) == (Status.WRECKED, -775)
    assert events(played, "wrecked")[0].ship == "E1"


@pytest.mark.clause("T.B6a", "T.B6c")
def test_the_leeward_drifter_clears_the_water_for_the_next() -> None:
    upper, lower = ship("E1", y=300, heading=9_000, masts_lost=2), ship("S1", heading=9_000, masts_lost=2)
    played = play()
    drift.drift_all(battle(upper, lower), played)
    assert [event.ship for event in events(played, "drifted")] == ["S1", "E1"]
    assert (upper.y, lower.y) == (-700, -1_000)
    assert (upper.adrift, lower.adrift, events(played, "run_into")) == (Adrift.NONE, Adrift.NONE, [])


@pytest.mark.clause("T.B6c")
def test_two_drifters_in_contact_drift_on_without_further_effect() -> None:
    upper, lower = ship("E1", y=250, heading=9_000, masts_lost=2), ship("S1", heading=9_000, masts_lost=2)
    made = battle(upper, lower)
    drift.drift_all(made, play())
    assert (upper.y, lower.y, lower.run_into) == (-750, -1_000, False)


@pytest.mark.clause("T.E33", "T.B6d", "T.B6e")
@pytest.mark.parametrize(("die", "end"), [(4, (2_000, -1_000)), (3, (1_000, -2_000))])
def test_heaving_to_costs_a_whole_turn_adrift(die: int, end: tuple[int, int]) -> None:
    one = ship(heading=9_000)
    made, played = battle(one, move=3), play(die, orders={"E1": Course(0, 1_000, heave_to=True)})
    movement.move(made, played, one)
    assert (one.position, one.heave_to_next) == ((1_000, 0), True)
    begin_move(made)
    releases.under_way(made, played)
    drift.drift_all(made, played)
    movement.move(made, played, one)
    assert (one.position, one.adrift) == ((1_000, -1_000), Adrift.HOVE_TO)
    played.orders = {"E1": Orders(Course(0, 1_000))}
    begin_move(made)
    releases.under_way(made, played)
    drift.drift_all(made, played)
    movement.move(made, played, one)
    done(played)
    assert one.position == end


@pytest.mark.clause("T.B6e")
def test_a_captain_may_decline_to_throw() -> None:
    one = ship(adrift=Adrift.HOVE_TO)
    made, played = battle(one), play(orders={"E1": Orders(under_way=False)})
    releases.under_way(made, played)
    assert one.adrift is Adrift.HOVE_TO


@pytest.mark.clause("T.S22", "T.B6e")
def test_an_anchored_ship_lies_still_until_her_cable_is_cut_and_she_throws() -> None:
    one = ship(heading=9_000, anchored=True)
    made, played = battle(one), play(3, 5, orders={"E1": Course(0, 3_000, cut_cable=True)})
    drift.drift_all(made, played)
    movement.move(made, played, one)
    assert (one.position, one.anchored, one.cutting_cable) == ((0, 0), True, True)
    for end in ((0, -1_000), (3_000, -1_000)):
        begin_move(made)
        releases.under_way(made, played)
        drift.drift_all(made, played)
        movement.move(made, played, one)
        assert one.position == end
    done(played)


@pytest.mark.clause("T.S22", "T.B6c")
def test_a_drifter_tears_an_anchored_ship_loose() -> None:
    a, b = ship("E1", y=1_000, heading=9_000, masts_lost=2), ship("S1", heading=9_000, anchored=True)
    made, played = battle(a, b), play()
    drift.drift_all(made, played)
    assert (a.y, b.anchored, b.adrift) == (250, False, Adrift.COLLISION)
    assert events(played, "anchored")[0].data == {"cut": False, "torn": True}


@pytest.mark.clause("T.B6f")
@pytest.mark.parametrize(
    "change",
    [
        {"masts_lost": 2}, {"adrift": Adrift.HOVE_TO}, {"adrift": Adrift.TOW_WAIT}, {"in_irons": True}, {"silent": True},
        {"struck": True}, {"crew_halves": 2}, {"rig": Rig.TO_OARS}, {"adrift": Adrift.RESCUING},
    ],
    ids=str,
)  # fmt: skip
def test_some_ships_drift(change: dict[str, object]) -> None:
    one = ship(**change)
    drift.drift_all(battle(one), play())
    assert (one.position, one.drifted) == ((0, -1_000), True)


@pytest.mark.clause("T.B12m")
def test_ships_in_a_fight_drift_as_one_body_and_idle_ones_last_of_all() -> None:
    a, b = ship("E1", heading=9_000), ship("S1", y=250, heading=9_000)
    made = battle(a, b)
    lock = made.fasten(a, b)
    lock.attacker = "E1"
    drift.drift_all(made, play())
    assert (a.y, b.y, a.drifted, b.drifted) == (-1_000, -750, True, True)
    drift.drift_idle_locks(made, play())
    assert a.y == -1_000
    lock.attacker = ""
    begin_move(made)
    drift.drift_all(made, play())
    assert (a.y, a.drifted) == (-1_000, False)
    drift.drift_idle_locks(made, play())
    assert (a.y, b.y) == (-2_000, -1_750)


@pytest.mark.clause("T.B6c", "T.B12m")
@pytest.mark.parametrize(
    ("y", "drifted", "struck"), [(-1_249, 999, True), (-1_250, 1_000, True), (-1_251, 1_000, False)]
)
def test_the_one_of_a_body_that_is_stopped_stops_all_and_strikes_though_another_had_as_far_to_go(
    y: int, drifted: int, struck: bool
) -> None:
    free, stopped = ship("E1", heading=9_000), ship("S1", x=3_000, heading=9_000)
    below = ship("S2", x=3_000, y=y, heading=9_000)
    made, played = battle(free, stopped, below), play()
    made.fasten(free, stopped).attacker = "E1"
    drift.drift_all(made, played)
    assert (free.y, stopped.y, below.run_into) == (-drifted, -drifted, struck)
    assert [event.data["by"] for event in events(played, "run_into")] == ["S1"] * struck
    assert {event.data["stopped"] for event in events(played, "drifted")} == {"S2" if struck else None}
    assert free.stopped_short is stopped.stopped_short is struck


@pytest.mark.clause("T.B6", "T.B12m")
@pytest.mark.parametrize(
    ("shore", "drifted", "lost"), [(-1_124, 999, True), (-1_125, 1_000, True), (-1_126, 1_000, False)]
)
def test_the_one_of_a_body_that_touches_land_is_lost_alone(shore: int, drifted: int, lost: bool) -> None:
    free, bow = ship("E1", heading=9_000), ship("S1", x=3_000, heading=9_000)
    coast = (((2_000, -5_000), (5_000, -5_000), (5_000, shore), (2_000, shore)),)
    made = battle(free, bow, land=coast)
    made.fasten(free, bow).attacker = "E1"
    drift.drift_all(made, play())
    assert (free.y, bow.y) == (-drifted, -drifted)
    assert (free.status, bow.status) == (Status.AFLOAT, Status.WRECKED if lost else Status.AFLOAT)
