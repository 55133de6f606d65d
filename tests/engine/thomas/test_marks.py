"""Whom a group may take: the quick question and the full list of marks agree. Rules: T.B9a, T.B10, T.B10a, T.B10e, T.N4."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import fire
from battles.engine.rulesets.thomas.play import Orders
from battles.engine.rulesets.thomas.state import Battery
from battles.engine.rulesets.thomas.tables import Band, Gun, Kind, Place
from tests.engine.thomas.builders import battle, play, revenge, ship


def armed(*guns: tuple[Gun, Place], **over: Any) -> Any:
    return ship("E1", batteries=[Battery(gun, place) for gun, place in guns], **over)


ALL_ROUND = tuple((gun, place) for place in Place for gun in Gun)


@pytest.mark.clause("T.B10a")
@pytest.mark.parametrize("place", [Place.AHEAD, Place.ASTERN])
def test_on_the_keel_line_only_the_nearest_is_a_mark(place: Place) -> None:
    way = 1 if place is Place.AHEAD else -1
    near, far = (
        revenge("S1", y=way * 3_000, heading=9_000),
        revenge("S2", x=300, y=way * 6_000, heading=9_000),
    )
    firer = armed(*ALL_ROUND)
    made = battle(firer, near, far, options={"block_line": False})
    assert fire.marks(made, firer, place) == [near]
    assert [fire.may_take(made, firer, one, place) for one in (near, far)] == [True, False]
    assert fire.declare(made, play(orders={"E1": Orders(targets={place: "S2"})}), firer) == []
    near.struck = True
    assert fire.may_take(made, firer, far, place)


@pytest.mark.clause("T.B10b")
def test_a_broadside_may_take_a_ship_behind_a_nearer_one_that_does_not_mask_her() -> None:
    near, far = revenge("S1", x=3_000), revenge("S2", x=6_000, y=1_500)
    firer = armed(*ALL_ROUND)
    made = battle(firer, near, far)
    assert fire.marks(made, firer, Place.STARBOARD) == [near, far]
    assert [fire.may_take(made, firer, one, Place.STARBOARD) for one in (near, far)] == [True, True]
    assert not any(fire.may_take(made, firer, one, Place.PORT) for one in (near, far))


@pytest.mark.clause("T.B9a", "T.B10")
@pytest.mark.parametrize("place", list(Place))
@pytest.mark.parametrize("gun", list(Gun))
def test_a_group_takes_exactly_the_ships_that_are_its_marks(gun: Gun, place: Place) -> None:
    firer = armed((gun, place), guns=64, kind=Kind.LINE)
    others = [
        revenge("S1", x=3_900), revenge("S2", x=-4_001), revenge("S3", y=7_000, heading=9_000), revenge("S4", y=-8_100, heading=9_000),
        revenge("S5", x=15_900, y=2_000), revenge("S6", x=-12_000, y=-1_000), revenge("S7", y=12_000, heading=9_000),
        ship("E2", x=-2_000, y=1_000), revenge("S8", x=-6_000, y=500, struck=True), revenge("S9", x=5_000, y=-1_500, guns=36),
    ]  # fmt: skip
    made = battle(firer, *others, nelson=True)
    taken = [one for one in others if fire.may_take(made, firer, one, place)]
    assert {one.id for one in taken} == {one.id for one in fire.marks(made, firer, place)}
    for one in taken:
        assert fire.band_between(gun, firer, one) is not Band.OUT


@pytest.mark.clause("T.B9a", "T.S6")
@pytest.mark.parametrize(("gun", "reach"), [(Gun.SHORT, 4_000), (Gun.MEDIUM, 8_000), (Gun.LONG, 16_000)])
@pytest.mark.parametrize(
    ("place", "way", "heading"),
    [(Place.STARBOARD, (1, 0), 0), (Place.PORT, (-1, 0), 0), (Place.AHEAD, (0, 1), 9_000), (Place.ASTERN, (0, -1), 9_000)],
)  # fmt: skip
def test_a_group_reaches_as_far_as_its_longest_gun_left(
    gun: Gun, reach: int, place: Place, way: tuple[int, int], heading: int
) -> None:
    for off, bears in ((reach, True), (reach + 1, False)):
        firer = armed((Gun.SHORT, place), (gun, place))
        target = revenge("S1", x=off * way[0], y=off * way[1], heading=heading)
        made = battle(firer, target)
        assert fire.may_take(made, firer, target, place) is bears
        assert (fire.marks(made, firer, place) == [target]) is bears
        firer.batteries[1].lost = True
        assert fire.may_take(made, firer, target, place) is (bears and gun is Gun.SHORT)
        firer.batteries[0].lost = True
        assert not fire.may_take(made, firer, target, place)
        assert fire.marks(made, firer, place) == []


@pytest.mark.clause("T.N4", "T.N4a", "T.N4b", "T.N4c")
@pytest.mark.parametrize(
    ("guns", "target", "nelson", "may"),
    [
        (64, {"guns": 49}, True, False), (64, {"guns": 50}, True, True), (63, {"guns": 49}, True, True),
        (64, {"guns": 49}, False, True), (64, {"guns": 49, "has_fired": True}, True, True),
        (64, {"guns": 49, "kind": Kind.MERCHANT}, True, True), (63, {"struck": True}, True, False),
        (63, {"struck": True, "secured": True, "prize_of": "SPA"}, True, True), (63, {"side": "ENG"}, True, False),
    ],
    ids=str,
)  # fmt: skip
def test_whom_the_rules_let_a_ship_fire_on(
    guns: int, target: dict[str, Any], nelson: bool, may: bool
) -> None:
    firer, other = ship("E1", guns=guns), ship("S1", x=3_000, **{"side": "SPA", **target})
    made = battle(firer, other, nelson=nelson)
    assert fire.may_be_fired_on(made, firer, other) is may
    assert fire.may_take(made, firer, other, Place.STARBOARD) is may


@pytest.mark.clause("T.O5a", "T.O5b")
@pytest.mark.parametrize(
    ("x", "hands", "served"),
    [
        (4_000, 8, "SMMLLLL"), (4_000, 7, "SMMLLLL"), (4_000, 6, "MMLLLL"), (4_000, 5, "MLLLL"), (4_000, 3, "LLL"), (4_000, 0, ""),
        (8_000, 6, "MMLLLL"), (8_000, 5, "MLLLL"), (16_000, 4, "LLLL"), (16_000, 3, "LLL"),
    ],
)  # fmt: skip
def test_with_too_few_hands_the_longest_guns_in_close_range_are_served_first(
    x: int, hands: int, served: str
) -> None:
    guns = [Gun.SHORT, Gun.MEDIUM, Gun.MEDIUM, *[Gun.LONG] * 4]
    firer = ship("E1", batteries=[Battery(gun, Place.STARBOARD) for gun in guns], crew_halves=2 * hands)
    made = battle(firer, revenge("S1", x=x))
    found = [one for volley in fire.declare(made, play(), firer) for one in volley.batteries]
    assert "".join(one.gun.value[0].upper() for one in found) == served


@pytest.mark.clause("T.O5a", "T.O5b")
def test_hands_go_to_guns_in_close_range_before_longer_ones_out_of_it() -> None:
    guns = ((Gun.SHORT, Place.PORT), (Gun.MEDIUM, Place.PORT), (Gun.LONG, Place.STARBOARD))
    firer = armed(*guns, crew_halves=4)
    made = battle(firer, revenge("S1", x=-4_000), revenge("S2", x=8_001))
    (volley,) = fire.declare(made, play(), firer)
    assert (volley.place, [one.gun for one in volley.batteries]) == (Place.PORT, [Gun.SHORT, Gun.MEDIUM])
