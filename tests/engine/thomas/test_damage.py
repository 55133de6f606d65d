"""What hits do. Rules: T.B5, T.B9b-d, T.B11, T.N1-T.N3, T.O2, T.O5d-j, T.O6o-q, T.O7."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import burning, damage, foundering, masts
from battles.engine.rulesets.thomas.play import Hit, Orders, Play
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind, WindForce
from battles.engine.rulesets.thomas.turn import begin_move
from tests.engine.thomas.builders import batteries, battle, done, events, play, revenge, ship


def hits(target: str, count: int, *, sixes: int = 0, doubled: bool = False) -> list[Hit]:
    return [Hit("E1", target, n < sixes, doubled, True) for n in range(count)]


def suffered(made: Battle, shot: list[Hit], *faces: int) -> Play:
    played = play(*faces)
    played.hits = list(shot)
    damage.second_suffers(made, played)
    done(played)
    assert played.hits == []
    return played


@pytest.mark.clause("T.E10", "T.B9b", "T.B11", "T.B11a")
def test_hits_cost_flotation_and_crew_and_a_six_costs_a_battery() -> None:
    hope, target = ship("E1"), revenge("S1", x=6_000)
    played = suffered(battle(hope, target), hits("S1", 3, sixes=1))
    assert (target.flot, target.crew) == (20, 42)
    lost = [(one.gun, one.arc) for one in target.batteries if one.lost]
    assert lost == [(Gun.SHORT, Arc.STARBOARD)]
    assert events(played, "damage")[0].data["hits"] == 3


@pytest.mark.clause("T.B11a")
@pytest.mark.parametrize(("side", "place"), [("any", Arc.STARBOARD), ("engaged", Arc.PORT)])
def test_the_owner_gives_up_an_idle_battery_unless_it_must_be_from_the_engaged_side(
    side: str, place: Arc
) -> None:
    target = revenge("S1", x=6_000)
    suffered(battle(ship("E1"), target, options={"six_side": side}), hits("S1", 1, sixes=1))
    assert [one.arc for one in target.batteries if one.lost] == [place]


@pytest.mark.clause("T.B11c", "T.B11b")
def test_a_six_on_a_ship_with_no_battery_left_takes_nothing_more() -> None:
    target = revenge("S1", x=6_000, batteries=batteries(0, 0, 1))
    played = suffered(battle(ship("E1"), target), hits("S1", 3, sixes=3))
    assert all(one.lost for one in target.batteries)
    assert len(events(played, "battery")) == 2


@pytest.mark.clause("T.E15", "T.N1")
@pytest.mark.parametrize(("doubled", "left"), [(True, (81, 166, 2)), (False, (83, 168, 1))])
def test_raking_doubles_everything(doubled: bool, left: tuple[int, int, int]) -> None:
    target = ship("S1", flot_max=85, crew_max=170)
    suffered(battle(ship("E1", x=9_000), target, nelson=True), hits("S1", 2, sixes=1, doubled=doubled))
    assert (target.flot, target.crew, sum(one.lost for one in target.batteries)) == left


@pytest.mark.clause("T.E23", "T.O5d", "T.O5e", "T.O5f", "T.N1a")
@pytest.mark.parametrize(
    ("crew", "count", "left"),
    [(60, 29, 62), (60, 30, 60), (60, 31, 59), (60, 60, 30), (60, 61, 30), (45, 23, 44), (45, 24, 43), (45, 45, 22),
     (45, 46, 22)],
)  # fmt: skip
def test_a_worn_crew_loses_half_as_many_men_and_later_no_more(crew: int, count: int, left: int) -> None:
    target = ship("S1", crew_max=crew, flot_max=999)
    suffered(battle(target), hits("S1", count))
    assert target.crew_halves == left
    if count == 31:
        raked = ship("S1", crew_max=crew, flot_max=999, crew_halves=61)
        suffered(battle(raked), hits("S1", 1, doubled=True))
        assert raked.crew_halves == 58


@pytest.mark.clause("T.O5d", "T.S25")
def test_without_the_rule_of_crews_every_hit_kills_a_man() -> None:
    target = ship("S1", flot_max=99, crew_halves=20)
    suffered(battle(target, options={"opt_crews": False}), hits("S1", 3))
    assert target.crew_halves == 14


@pytest.mark.clause("T.E26", "T.O6p", "T.O6q")
@pytest.mark.parametrize(
    ("crew_max", "captives", "left"), [(20, 13, (12, 24)), (20, 7, (10, 14)), (40, 13, (13, 25))]
)
def test_a_prize_takes_losses(crew_max: int, captives: int, left: tuple[int, int]) -> None:
    prize = ship(
        "S1", crew_max=crew_max, crew_halves=0, guard_halves=16, captive_halves=2 * captives, prize_of="ENG", secured=True
    )  # fmt: skip
    suffered(battle(prize), hits("S1", 3))
    assert (prize.guard_halves, prize.captive_halves) == left
    assert prize.crew_halves == 0


@pytest.mark.clause("T.O5j", "T.B12q")
def test_in_a_boarding_fight_fire_kills_only_gunners_of_batteries_it_destroys() -> None:
    one, other = ship("S1", gunners=1), ship("E2", y=250)
    made = battle(one, other, ship("E1", x=9_000))
    made.fasten(other, one).attacker = "E2"
    suffered(made, hits("S1", 4, sixes=2))
    assert (one.flot, one.crew, one.gunners) == (26, 59, 0)


@pytest.mark.clause("T.B9c", "T.O6o", "T.B3b")
def test_a_ship_without_flotation_sinks_without_testing_and_frees_those_alongside() -> None:
    one, other = ship("S1", flot=2, captive_halves=9), ship("E1", y=250)
    made = battle(one, other, nelson=True)
    made.fasten(other, one)
    played = suffered(made, hits("S1", 5))
    assert (one.status, one.flot, one.captive_halves, other.grapples) == (Status.SUNK, 0, 0, [])
    assert played.sinking == [one]
    assert made.near(other, 9_000) == []


@pytest.mark.clause("T.B9d", "T.O4j")
def test_a_ship_with_no_crew_left_strikes_but_not_a_galley() -> None:
    one = ship("S1", crew_halves=2, crew_max=2)
    made = battle(one, options={"opt_crews": False})
    suffered(made, hits("S1", 1))
    assert (one.struck, one.captor_side) == (True, "ENG")
    galley = ship("S1", crew_halves=2, kind=Kind.GALLEY, oar_speed=6_000)
    suffered(battle(galley, options={"opt_crews": False}), hits("S1", 1))
    assert not galley.struck


@pytest.mark.clause("T.E16", "T.N2", "T.N2a", "T.N2c", "T.N2d", "T.O5i")
def test_a_magazine_blows_up_and_sets_nearby_ships_alight() -> None:
    one, near, far = ship("S1", flot=23), ship("S2", x=2_900), ship("S3", x=3_041)
    made = battle(one, near, far, nelson=True, move=4)
    played = suffered(made, hits("S1", 8), 3, 1, 1)
    assert (one.status, near.on_fire, far.on_fire) == (Status.BLOWN_UP, True, False)
    assert [event.data["result"] for event in events(played, "magazine")] == ["none", "blows_up"]
    assert (played.sinking, one.crew_halves) == ([], 0)
    edge, middle = ship("S2", x=3_000), ship("S1")
    burning.blow_up(battle(middle, edge), play(), middle)
    assert edge.on_fire


@pytest.mark.clause("T.E16", "T.N2", "T.N2a")
def test_a_second_threshold_in_one_step_is_tested_even_when_she_burns() -> None:
    one = ship("S1", flot=16, thresholds_met=1)
    made = battle(one, nelson=True)
    suffered(made, hits("S1", 9), 1, 4, 1)
    assert (one.status, one.thresholds_met) == (Status.BLOWN_UP, 3)
    afire = ship("S1", flot=16, thresholds_met=1)
    suffered(battle(afire, nelson=True), hits("S1", 9), 1, 4, 2)
    assert (afire.status, afire.on_fire) == (Status.AFLOAT, True)


@pytest.mark.clause("T.N2", "T.S24", "T.N2b")
def test_before_1700_no_magazine_is_tested() -> None:
    one = ship("S1")
    suffered(battle(one), hits("S1", 29))
    assert (one.status, one.thresholds_met, one.thresholds_due) == (Status.AFLOAT, 3, 3)


@pytest.mark.clause("T.E17", "T.N3", "T.N3a")
def test_a_fire_is_put_out_or_blows_her_up_at_the_fifth_failure() -> None:
    one = ship("E1", on_fire=True)
    made, played = battle(one), play(4, 2, 1, 3, 4)
    for fails in range(1, 6):
        begin_move(made)
        burning.put_out(made, played)
        assert one.silent
        assert one.fire_fails == fails
    assert one.status is Status.BLOWN_UP
    other = ship("E1", on_fire=True)
    made, played = battle(other), play(4, 6)
    burning.put_out(made, played)
    assert (other.on_fire, other.silent, other.fire_fails) == (True, True, 1)
    begin_move(made)
    burning.put_out(made, played)
    assert (other.on_fire, other.silent, other.fire_fails) == (False, False, 0)


@pytest.mark.clause("T.N3c", "T.N2c", "T.N3a")
def test_a_ship_set_alight_by_a_blast_at_the_start_throws_first_in_the_next_turn() -> None:
    one, other = ship("E1", on_fire=True, fire_fails=4), ship("E2", x=2_000)
    third = ship("E3", x=1_000, on_fire=True, fire_fails=3)
    made, played = battle(one, other, third), play(1, 1)
    burning.put_out(made, played)
    done(played)
    assert (other.on_fire, other.silent, other.fire_fails) == (True, False, 0)
    assert third.fire_fails == 4


@pytest.mark.clause("T.E12", "T.B5", "T.B5a", "T.B5b", "T.B5c")
def test_masts_fall_at_the_end_of_the_turn() -> None:
    one = revenge("S1", flot=19)
    made = battle(one)
    suffered(made, hits("S1", 9))
    assert (one.lost, one.masts_lost) == (13, 0)
    played = play(4, 2)
    masts.fall(made, played)
    done(played)
    assert (one.masts_lost, one.dismasted) == (1, False)
    begin_move(made)
    suffered(made, hits("S1", 5))
    played = play()
    masts.fall(made, played)
    assert (one.lost, one.masts_lost, one.dismasted) == (18, 2, True)
    assert events(played, "mast")[0].data == {"threshold": "three_quarters", "left": 1, "dismasted": True}


@pytest.mark.clause("T.B5d")
def test_a_ship_is_dismasted_by_one_mast_however_many_fall_in_a_turn() -> None:
    one = ship("S1", masts=3, masts_to_dismast=2)
    suffered(made := battle(one), hits("S1", 23))
    played = play(1, 1)
    masts.fall(made, played)
    assert [(event.data["left"], event.data["dismasted"]) for event in events(played, "mast")] == [
        (2, False), (1, True), (0, False)
    ]  # fmt: skip


@pytest.mark.clause("T.B5d")
def test_no_ship_loses_a_mast_she_does_not_have() -> None:
    cutter = ship("S1", masts=1, masts_to_dismast=1)
    made = battle(cutter)
    suffered(made, hits("S1", 24))
    masts.fall(made, play(1, 1))
    assert (cutter.masts_lost, cutter.dismasted) == (1, True)


@pytest.mark.clause("T.B5a")
@pytest.mark.parametrize(
    ("flot", "points"),
    [
        (10, (3, 5, 8)),
        (23, (6, 12, 18)),
        (30, (8, 15, 23)),
        (35, (9, 18, 27)),
        (50, (13, 25, 38)),
        (85, (22, 43, 64)),
    ],
)
def test_the_thresholds_are_met_at_the_right_points(flot: int, points: tuple[int, ...]) -> None:
    one = ship(flot_max=flot)
    found = []
    for lost in range(1, flot):
        one.flot = flot - lost
        found += [lost] * len(damage.newly_met(one))
    assert tuple(found) == points


@pytest.mark.clause("T.E20", "T.O2", "T.O2a", "T.O2b")
def test_a_jury_mast_takes_five_turns_out_of_close_fire() -> None:
    one = ship(masts_lost=1, jury_since=2)
    made = battle(one, move=2)
    masts.jury(made, play())
    assert one.jury_count == 0
    for move in range(3, 9):
        begin_move(made)
        one.fired_on_close = move == 5
        masts.jury(made, play())
        assert one.masts_lost == (0 if move == 8 else 1), move
    assert one.jury_used
    one.masts_lost, one.jury_since = 1, -1
    begin_move(made)
    masts.jury(made, play())
    assert one.jury_count == 0


@pytest.mark.clause("T.O2b", "T.N3b", "T.S25")
@pytest.mark.parametrize("change", [{"on_fire": True}, {"silent": True}, {"fired_on_close": True}])
def test_some_events_spoil_a_turn_of_work_on_a_jury_mast(change: dict[str, Any]) -> None:
    one = ship(masts_lost=1, jury_since=0, **change)
    masts.jury(battle(one), play())
    assert one.jury_count == 0
    free = ship(masts_lost=1, jury_since=0)
    masts.jury(battle(free, options={"opt_masts": False}), play())
    assert free.jury_count == 0


def strained(one: Ship, *, strength: WindForce = WindForce.STRONG, **options: Any) -> Play:
    played = play(orders={one.id: Orders(**options)} if options else None)
    foundering.strain(battle(one, strength=strength), played)
    return played


@pytest.mark.clause("T.E27", "T.O7", "T.O7a", "T.O7c")
def test_strain_costs_a_point_or_a_battery() -> None:
    one = ship(flot=7)
    strained(one, jettison=False)
    assert (one.flot, len(one.standing())) == (6, 14)
    other = ship(flot=7)
    played = strained(other, jettison=True)
    assert (other.flot, len(other.standing())) == (7, 13)
    assert events(played, "battery")[0].data["why"] == "overboard"
    few = ship(flot=7, batteries=batteries(0, 0, 1))
    strained(few)
    assert few.flot == 6
    for spared in (ship(flot=8), ship(flot=7)):
        flot = spared.flot
        strained(spared, strength=WindForce.STRONG if flot == 8 else WindForce.MEDIUM)
        assert spared.flot == flot


@pytest.mark.clause("T.O7a")
@pytest.mark.parametrize(("standing", "flot", "left"), [(3, 7, 2), (2, 6, 2), (1, 6, 1)])
def test_unless_ordered_otherwise_a_ship_jettisons_guns_while_more_than_two_batteries_remain(
    standing: int, flot: int, left: int
) -> None:
    one = ship(flot=7, batteries=batteries(0, 0, 2)[:standing])
    strained(one)
    assert (one.flot, len(one.standing())) == (flot, left)


@pytest.mark.clause("T.O7b", "T.N2b")
def test_a_ship_may_founder() -> None:
    one = ship(flot=1, batteries=[])
    played = strained(one)
    assert (one.status, played.sinking) == (Status.FOUNDERED, [one])
    assert events(played, "foundered")


@pytest.mark.clause("T.O5j")
@pytest.mark.parametrize("halves", [1, 2])
def test_the_last_man_falls_with_his_battery(halves: int) -> None:
    one, other, firer = ship("S1", gunners=1, crew_halves=halves), ship("E2", y=250), ship("E1", x=9_000)
    made = battle(one, other, firer)
    made.fasten(other, one).attacker = "E2"
    damage.lose_battery(made, play(), one, firer)
    assert (one.gunners, one.crew_halves) == (0, 0)
