"""Bearing, range, raking, who may be fired on, and the dice. Rules: T.B9, T.B10, T.S5, T.N1, T.N4, T.O5a-c, T.E8-T.E11, T.E30."""

from __future__ import annotations

import random
from typing import Any

import pytest

from battles.engine.rulesets.thomas import arcs, fire
from battles.engine.rulesets.thomas.play import Orders
from battles.engine.rulesets.thomas.state import Battery, Battle, Ship
from battles.engine.rulesets.thomas.tables import Arc, Band, Gun, Kind, band
from tests.engine.thomas.builders import batteries, battle, done, events, play, revenge, ship

SHORT, MEDIUM, LONG = Gun.SHORT, Gun.MEDIUM, Gun.LONG
PORT, STARBOARD, AHEAD, ASTERN = Arc.PORT, Arc.STARBOARD, Arc.AHEAD, Arc.ASTERN


@pytest.mark.clause("T.S6", "T.B9a", "T.B9")
@pytest.mark.parametrize(
    ("gun", "distance", "due"),
    [
        (SHORT, 0, Band.CLOSE), (SHORT, 4_000, Band.CLOSE), (SHORT, 4_001, Band.OUT), (MEDIUM, 4_000, Band.CLOSE),
        (MEDIUM, 4_001, Band.LONG), (MEDIUM, 8_000, Band.LONG), (MEDIUM, 8_001, Band.OUT), (LONG, 8_000, Band.CLOSE),
        (LONG, 8_001, Band.LONG), (LONG, 16_000, Band.LONG), (LONG, 16_001, Band.OUT),
    ],
)  # fmt: skip
def test_range_has_its_bands(gun: Gun, distance: int, due: Band) -> None:
    assert band(gun, distance) is due
    assert arcs.band_between(gun, ship(), ship("S1", y=distance)) is due


@pytest.mark.clause("T.E8", "T.B10b", "T.S15")
@pytest.mark.parametrize(
    ("x", "y", "place", "bears"),
    [
        (5_000, 1_500, STARBOARD, True), (5_000, 1_900, STARBOARD, False), (5_000, -1_800, STARBOARD, True),
        (-3_000, 200, PORT, True), (300, 2_000, STARBOARD, False),
    ],
)  # fmt: skip
def test_a_broadside_has_its_fan(x: int, y: int, place: Arc, bears: bool) -> None:
    firer, target = ship(), ship("S1", x=x, y=y)
    assert arcs.covers(battle(firer, target), firer, target, place) is bears


@pytest.mark.clause("T.E9", "T.B10", "T.B10a")
@pytest.mark.parametrize(
    ("x", "heading", "bears"), [(300, 9_000, True), (600, 9_000, False), (300, 0, False), (100, 0, True)]
)
def test_chase_guns_bear_along_the_keel(x: int, heading: int, bears: bool) -> None:
    firer, target = ship(), ship("S1", x=x, y=6_000, heading=heading)
    made = battle(firer, target)
    assert arcs.covers(made, firer, target, AHEAD) is bears
    assert not arcs.covers(made, firer, target, ASTERN)


@pytest.mark.clause("T.B10a")
def test_chase_guns_fire_at_the_nearest_ship_on_the_keel_line_only() -> None:
    firer = ship(batteries=[Battery(LONG, AHEAD), Battery(LONG, ASTERN)])
    ships = [ship("S1", y=6_000), ship("S2", y=3_000), ship("S3", y=-4_000)]
    made = battle(firer, *ships)
    assert [one.id for one in arcs.marks(made, firer, AHEAD)] == ["S2"]
    assert [one.id for one in arcs.marks(made, firer, ASTERN)] == ["S3"]


def fired(made: Battle, *faces: int, orders: dict[str, Orders] | None = None) -> Any:
    played = play(*faces, orders=orders)
    fire.first_fires(made, played)
    done(played)
    return played


@pytest.mark.clause("T.E10", "T.B9", "T.B10c", "T.B9e", "T.B11")
def test_the_worked_broadside_of_hope_comes_out_right() -> None:
    hope, target = ship("E1"), revenge("S1", x=6_000)
    played = fired(battle(hope, target), 5, 4, 6, 4, 2)
    assert [(hit.six, hit.close, hit.doubled) for hit in played.hits] == [
        (False, False, False), (True, True, False), (False, True, False)
    ]  # fmt: skip
    assert events(played, "volley")[0].data == {
        "target": "S1", "group": "starboard", "range": 6_000, "hits": 3, "raked": False,
        "dice": [["medium", 5, None], ["medium", 4, None], ["long", 6, None], ["long", 4, None], ["long", 2, None]],
    }  # fmt: skip
    assert (hope.has_fired, target.fired_on_close) == (True, True)


@pytest.mark.clause("T.E11", "T.B3b")
def test_the_second_side_answers_with_its_remaining_guns() -> None:
    hope, target = ship("E1"), revenge("S1", x=6_000)
    made, played = battle(hope, target), play(4, 3, 1)
    fire.second_fires(made, played)
    done(played)
    assert len(played.hits) == 1
    target.standing(PORT)[-1].lost = True
    again = play(4, 3)
    fire.second_fires(made, again)
    done(again)


@pytest.mark.clause("T.E30", "T.S5", "T.B11d")
@pytest.mark.parametrize(("faces", "hits"), [((6, 4), [True]), ((6, 3), []), ((3,), []), ((4, 6), [False])])
def test_a_half_battery_alone_confirms_its_hit(faces: tuple[int, ...], hits: list[bool]) -> None:
    firer = ship(batteries=[Battery(LONG, STARBOARD, half=True)])
    played = fired(battle(firer, ship("S1", x=6_000)), *faces)
    assert [hit.six for hit in played.hits] == hits


@pytest.mark.clause("T.S5")
def test_two_halves_of_a_type_throw_one_ordinary_die() -> None:
    firer = ship(batteries=[Battery(LONG, STARBOARD, half=True), Battery(LONG, STARBOARD, half=True)])
    assert len(fired(battle(firer, ship("S1", x=6_000)), 4).hits) == 1


@pytest.mark.clause("T.B10d", "T.B10f")
def test_every_group_may_fire_at_its_own_target_or_hold_its_fire() -> None:
    firer = ship(batteries=[*batteries(0, 0, 1), Battery(LONG, AHEAD)])
    ships = [ship("S1", x=6_000), ship("S2", x=-6_000), ship("S3", y=6_000, heading=9_000)]
    made = battle(firer, *ships)
    assert [event.data["target"] for event in events(fired(made, 1, 1, 1), "volley")] == ["S2", "S1", "S3"]
    held = fired(made, 1, 1, orders={"E1": Orders(targets={PORT: ""})})
    assert [event.data["group"] for event in events(held, "volley")] == ["starboard", "ahead"]


@pytest.mark.clause("T.B10e")
def test_a_third_hull_or_land_masks_the_fire() -> None:
    firer, target, friend = ship("E1"), ship("S1", x=6_000), ship("E2", x=3_000, heading=9_000)
    assert arcs.marks(battle(firer, target, friend), firer, STARBOARD) == []
    open_sea = battle(firer, target, friend, options={"block_line": False})
    assert arcs.marks(open_sea, firer, STARBOARD) == [target]
    rock = ((2_900, -100), (3_100, -100), (3_000, 100))
    assert arcs.marks(battle(firer, target, land=(rock,)), firer, STARBOARD) == []


@pytest.mark.clause("T.O6a", "T.O6b", "T.O6i", "T.N3", "T.B6g", "T.B12q")
def test_some_ships_fire_and_some_are_fired_on() -> None:
    firer, target = ship("E1"), ship("S1", x=6_000)
    made = battle(firer, target)
    assert arcs.may_be_fired_on(made, firer, target)
    target.struck = True
    assert not arcs.may_be_fired_on(made, firer, target)
    assert fire.may_fire(ship(masts_lost=2, in_irons=True))
    assert not fire.may_fire(ship(silent=True))
    assert not fire.may_fire(ship(struck=True))
    assert not fire.may_fire(ship(prize_of="SPA"))
    made.fasten(firer, ship("S9"))
    assert fire.may_fire(firer)


@pytest.mark.clause("T.B12q")
def test_ships_made_fast_fire_on_each_other_and_on_others_and_are_fired_on() -> None:
    boarder, boarded = ship("E1", heading=0), ship("S1", x=400)
    other, friend = ship("S2", x=-3_000), ship("E2", x=4_000)
    made = battle(boarder, boarded, other, friend)
    made.fasten(boarder, boarded)
    assert arcs.marks(made, boarder, STARBOARD) == [boarded]
    assert arcs.marks(made, boarder, PORT) == [other]
    assert arcs.marks(made, other, STARBOARD) == [boarder]
    assert arcs.marks(made, friend, PORT) == [boarded]


@pytest.mark.clause("T.E18", "T.N4", "T.N4a", "T.N4b", "T.N4c")
@pytest.mark.parametrize(
    ("guns", "target", "nelson", "may"),
    [
        (74, {"guns": 38}, True, False), (64, {"guns": 49}, True, False), (74, {"guns": 38, "has_fired": True}, True, True),
        (50, {"guns": 38}, True, True), (74, {"guns": 50}, True, True), (74, {"guns": 38}, False, True),
        (74, {"guns": 30, "kind": Kind.MERCHANT}, True, True),
    ],
)  # fmt: skip
def test_a_ship_of_the_line_spares_a_silent_frigate(
    guns: int, target: dict[str, Any], nelson: bool, may: bool
) -> None:
    firer, other = ship(guns=guns), ship("S1", **target)
    assert arcs.may_be_fired_on(battle(firer, other, nelson=nelson), firer, other) is may


@pytest.mark.clause("T.E18", "T.N4")
def test_a_frigate_that_fired_first_is_fired_on_in_the_same_turn() -> None:
    frigate = ship("E1", guns=38, batteries=batteries(0, 0, 1))
    liner = ship("S1", x=6_000, guns=74, batteries=batteries(0, 0, 1))
    made = battle(frigate, liner, nelson=True)
    assert arcs.marks(made, liner, PORT) == []
    fired(made, 1)
    assert arcs.marks(made, liner, PORT) == [frigate]


@pytest.mark.clause("T.E15", "T.N1")
@pytest.mark.parametrize(("x", "rakes"), [(800, True), (900, False)])
def test_a_ship_across_the_bow_rakes(x: int, rakes: bool) -> None:
    target = ship("S1", flot_max=85, crew_max=170, length=1_700, beam=450)
    firer = ship("E1", x=x, y=5_000, heading=9_000, length=1_700, beam=450, batteries=batteries(0, 1, 1))
    made = battle(firer, target, nelson=True)
    assert arcs.raked(made, firer, target) is rakes
    played = fired(made, 5, 5)
    assert [hit.doubled for hit in played.hits] == [False, rakes]
    assert not arcs.raked(battle(firer, target), firer, target)


@pytest.mark.clause("T.E23", "T.O5a", "T.O5b", "T.O5c", "T.O5f")
def test_men_limit_the_batteries_served() -> None:
    hope = ship(crew_halves=30, under_sail=True)
    made = battle(hope, ship("S1", x=3_000))
    assert fire.gun_crews(made, hope) == 9
    hope.under_sail = False
    assert fire.gun_crews(made, hope) == 15
    hope.crew_halves = 9
    assert [one.gun for one in fire.declare(made, play(), hope)[0].batteries] == [MEDIUM, LONG, LONG, LONG]
    assert fire.gun_crews(battle(hope, options={"opt_crews": False}), hope) is None
    made.fasten(hope, made.ships["S1"]).attacker = "E1"
    hope.gunners = 2
    assert len(fire.declare(made, play(), hope)[0].batteries) == 2


@pytest.mark.clause("T.B3b", "T.B3c")
def test_a_side_declares_before_it_throws_and_fires_in_ascending_order() -> None:
    ships: list[Ship] = [
        ship("E2", y=1_500, batteries=batteries(0, 0, 1)),
        ship("E1", batteries=batteries(0, 0, 1)),
    ]
    played = fired(battle(*ships, ship("S1", x=6_000, flot=1)), 6, 6)
    assert [hit.firer for hit in played.hits] == ["E1", "E2"]


@pytest.mark.clause("T.B10", "T.B10a", "T.B10b", "T.B10e")
def test_one_search_finds_what_each_group_finds_by_itself() -> None:
    chance = random.Random(7)
    found = 0
    for _ in range(40):
        ships = [
            revenge(
                f"S{n}",
                chance.randrange(-9_000, 9_000),
                chance.randrange(-9_000, 9_000),
                chance.randrange(36_000),
            )
            for n in range(8)
        ]
        chasers = [*batteries(), Battery(Gun.LONG, Arc.AHEAD), Battery(Gun.MEDIUM, Arc.ASTERN)]
        one = ship("E1", heading=chance.randrange(36_000), batteries=chasers)
        made = battle(one, *ships)
        together = arcs.bearing(made, one)
        for place in Arc:
            arc = [other for other in ships if arcs.covers(made, one, other, place)]
            assert [code for code in arc if place in arcs.covering(made, one, code, tuple(Arc))] == arc
            alone = arcs.marks(made, one, place)
            assert alone == together.get(place, [])
            assert {other.id for other in ships if arcs.may_take(made, one, other, place)} == {
                other.id for other in alone
            }
            found += len(alone)
    assert found > 50
