"""Whom a group may take: the quick question and the full list of marks agree. Rules: T.B9a, T.B10, T.B10a, T.B10b."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.thomas import arcs, fire
from battles.engine.rulesets.thomas.play import Orders
from battles.engine.rulesets.thomas.state import Battery
from battles.engine.rulesets.thomas.tables import Arc, Band, Gun, Kind
from tests.engine.thomas.builders import battle, play, revenge, ship


def armed(*guns: tuple[Gun, Arc], **over: Any) -> Any:
    return ship("E1", batteries=[Battery(gun, place) for gun, place in guns], **over)


ALL_ROUND = tuple((gun, place) for place in Arc for gun in Gun)


@pytest.mark.clause("T.B10a")
@pytest.mark.parametrize("place", [Arc.AHEAD, Arc.ASTERN])
def test_on_the_keel_line_only_the_nearest_is_a_mark(place: Arc) -> None:
    way = 1 if place is Arc.AHEAD else -1
    near, far = (
        revenge("S1", y=way * 3_000, heading=9_000),
        revenge("S2", x=300, y=way * 6_000, heading=9_000),
    )
    firer = armed(*ALL_ROUND)
    made = battle(firer, near, far, options={"block_line": False})
    assert arcs.marks(made, firer, place) == [near]
    assert [arcs.may_take(made, firer, one, place) for one in (near, far)] == [True, False]
    assert fire.declare(made, play(orders={"E1": Orders(targets={place: "S2"})}), firer) == []
    near.struck = True
    assert arcs.may_take(made, firer, far, place)


@pytest.mark.clause("T.B10b")
def test_a_broadside_may_take_a_ship_behind_a_nearer_one_that_does_not_mask_her() -> None:
    near, far = revenge("S1", x=3_000), revenge("S2", x=6_000, y=1_500)
    firer = armed(*ALL_ROUND)
    made = battle(firer, near, far)
    assert arcs.marks(made, firer, Arc.STARBOARD) == [near, far]
    assert [arcs.may_take(made, firer, one, Arc.STARBOARD) for one in (near, far)] == [True, True]
    assert not any(arcs.may_take(made, firer, one, Arc.PORT) for one in (near, far))


@pytest.mark.clause("T.B9a", "T.B10")
@pytest.mark.parametrize("place", list(Arc))
@pytest.mark.parametrize("gun", list(Gun))
def test_a_group_takes_exactly_the_ships_that_are_its_marks(gun: Gun, place: Arc) -> None:
    firer = armed((gun, place), guns=64, kind=Kind.LINE)
    others = [
        revenge("S1", x=3_900), revenge("S2", x=-4_001), revenge("S3", y=7_000, heading=9_000), revenge("S4", y=-8_100, heading=9_000),
        revenge("S5", x=15_900, y=2_000), revenge("S6", x=-12_000, y=-1_000), revenge("S7", y=12_000, heading=9_000),
        ship("E2", x=-2_000, y=1_000), revenge("S8", x=-6_000, y=500, struck=True), revenge("S9", x=5_000, y=-1_500, guns=36),
    ]  # fmt: skip
    made = battle(firer, *others, nelson=True)
    taken = [one for one in others if arcs.may_take(made, firer, one, place)]
    assert {one.id for one in taken} == {one.id for one in arcs.marks(made, firer, place)}
    for one in taken:
        assert arcs.band_between(gun, firer, one) is not Band.OUT
