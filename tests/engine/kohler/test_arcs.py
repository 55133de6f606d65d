"""Arcs, ranges and lines of fire. Rules: K.F3-K.F5, K.E11."""

from __future__ import annotations

import pytest

from battles.engine.core.hexes import STEPS, distance, within
from battles.engine.rulesets.kohler.arcs import ARCS, SIDES, bearing_to, is_clear
from battles.engine.rulesets.kohler.state import Status
from tests.engine.kohler.builders import battle, events, ship
from tests.engine.kohler.guns import enemy, fire


@pytest.mark.clause("K.F3")
@pytest.mark.parametrize("facing", range(6))
def test_each_broadside_covers_fourteen_hexes_within_four_and_none_on_the_keel_line(facing: int) -> None:
    cells = {side: {(b.dq, b.dr) for b in ARCS[facing][side]} for side in SIDES}
    assert [len(cells[side]) for side in SIDES] == [14, 14]
    assert not cells["port"] & cells["starboard"]
    dq, dr = STEPS[facing]
    keel = {(n * dq, n * dr) for n in range(-4, 5)}
    assert not (cells["port"] | cells["starboard"]) & keel


@pytest.mark.clause("K.F3", "K.F4")
def test_range_is_the_distance_in_hexes() -> None:
    for facing in range(6):
        for cell in within((0, 0), 6):
            bearing = bearing_to((0, 0), facing, cell)
            if bearing is not None:
                assert bearing.range == distance((0, 0), cell) <= 4


@pytest.mark.clause("K.E11", "K.F3", "K.F4")
def test_arc_and_range_of_the_worked_example_are_right() -> None:
    found = bearing_to((0, 0), 0, (2, -1))
    assert found is not None and (found.side, found.range) == ("starboard", 2)
    assert bearing_to((0, 0), 0, (0, -2)) is None
    assert [bearing_to((0, 0), 0, cell).range for cell in ((4, 0), (4, -4))] == [4, 4]  # type: ignore[union-attr]
    assert bearing_to((0, 0), 0, (5, 0)) is None


@pytest.mark.clause("K.E11", "K.F5")
def test_a_shot_between_two_lines_is_blocked_only_when_both_are_stopped() -> None:
    bearing = bearing_to((0, 0), 0, (2, -1))
    assert bearing is not None
    firer, target = ship(), enemy(pos=(2, -1))
    assert is_clear(battle(firer, target, enemy(id="D2", pos=(1, 0))), (0, 0), bearing)
    both = battle(firer, target, enemy(id="D2", pos=(1, 0)), enemy(id="D3", pos=(1, -1)))
    assert not is_clear(both, (0, 0), bearing)


@pytest.mark.clause("K.F5")
@pytest.mark.parametrize(
    ("ab", "stoppers"),
    [
        ((2, 0), [{(1, 0)}]),
        ((0, 4), [{(0, 1)}, {(0, 2)}, {(0, 3)}]),
        ((1, 1), [{(1, 0), (0, 1)}]),
        ((2, 1), [{(1, 0)}, {(1, 1)}]),
        ((1, 2), [{(0, 1)}, {(1, 1)}]),
        ((3, 1), [{(1, 0)}, {(2, 1)}, {(1, 1), (2, 0)}]),
        ((1, 3), [{(0, 1)}, {(1, 2)}, {(1, 1), (0, 2)}]),
        ((2, 2), [{(1, 1)}, {(1, 0), (0, 1)}, {(2, 1), (1, 2)}]),
    ],
)
@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("side", SIDES)
def test_lines_of_fire_are_stopped_by_exactly_the_tabled_hexes(
    ab: tuple[int, int], stoppers: list[set[tuple[int, int]]], facing: int, side: str
) -> None:
    turn = 1 if side == "starboard" else -1
    u, v = STEPS[(facing + turn) % 6], STEPS[(facing + 2 * turn) % 6]

    def cell(a: int, b: int) -> tuple[int, int]:
        return a * u[0] + b * v[0], a * u[1] + b * v[1]

    def clear(blocked: set[tuple[int, int]]) -> bool:
        there = [enemy(id=f"D{n}", pos=cell(*coords)) for n, coords in enumerate(sorted(blocked))]
        bearing = bearing_to((0, 0), facing, cell(*ab))
        assert bearing is not None and bearing.side == side
        return is_clear(battle(ship(facing=facing), *there), (0, 0), bearing)

    assert clear(set())
    for stopper in stoppers:
        assert not clear(stopper)
        for one in stopper:
            if len(stopper) > 1:
                assert clear(stopper - {one})


@pytest.mark.clause("K.F5", "K.D12")
def test_a_wreck_blocks_the_line_of_fire_unless_the_option_lets_arcs_alone_count() -> None:
    wreck = enemy(id="D2", pos=(1, 0), status=Status.SINKING)
    ships = (ship(facing=0), enemy(pos=(2, 0)), wreck)
    assert not events(fire(battle(*ships)), "fire")
    assert len(events(fire(battle(*ships, options={"lof_blocking": False}), 6), "fire")) == 1


@pytest.mark.clause("K.F3")
def test_every_facing_has_its_arcs() -> None:
    assert [sorted(arcs) for arcs in ARCS] == [["port", "starboard"]] * 6
