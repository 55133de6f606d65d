"""Bases on land, mines that lie badly, and gates of a table: what is said of a scenario that cannot be played. Places in yards."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.barker import (
    coming,
    minefields,
)
from tests.engine.barker.test_setup import against, ship, squadron


@pytest.mark.clause("P.Z08", "P.K42", "P.S01", "P.Z03")
def test_what_is_said_of_a_scenario_that_cannot_be_played() -> None:
    assert (
        "1880 is outside this rule set, which is for 1890 to 1913"
        in against(start="1880-01-01T12:00")["start"]
    )
    fixed = {"fixed_positions": True, "wind": {"strength": "gale"}}
    a, b = (
        [squadron(f"{side}-1", ship(f"{side}1", position=[0, y]))] for side, y in (("A", 0), ("B", 9_000))
    )
    assert against(a, b, **fixed) == {}
    on = [squadron("A-1", ship("A1", position=[0, 0]), ship("A2", position=[100, -300]))]
    assert against(on, b, fixed_positions=True) == {
        "sides[0].squadrons[0].ships[1].position": "Ship A2 lies on the base of Ship A1, at [100, -300] (P.S01)"
    }
    # Corner over corner, 430 yd apart.
    slant = [squadron("A-1", *(ship(f"A{n}", position=[430 * n, 0], heading=6_343) for n in (0, 1)))]
    assert len(against(slant, b, fixed_positions=True)) == 1
    off = [squadron("A-1", ship("A1", position=[0, -48_001]))]
    assert "off the table at [0, -48001]" in "".join(
        against(off, b, fixed_positions=True, edges=[-30_000, -48_000, 30_000, 48_000]).values()
    )


@pytest.mark.clause("P.K42", "P.Z03")
@pytest.mark.parametrize(
    ("at", "word"), [([2_250, 2_694], "on land"), ([2_250, 2_695], ""), ([2_250, 2_250], "on land")]
)
def test_a_base_north_of_a_square_of_land(at: list[int], word: str) -> None:
    a = [squadron("A-1", ship("A1", position=at))]
    b = [squadron("B-1", ship("B1", position=[0, 9_000]))]
    assert all(word in text for text in against(a, b, fixed_positions=True, land=[[4, 4]]).values())
    assert bool(against(a, b, fixed_positions=True, land=[[4, 4]])) is bool(word)


@pytest.mark.clause("P.X03", "P.X01")
@pytest.mark.parametrize(
    ("at", "fine"),
    [
        ([4_950, 5_250], True), ([4_951, 5_250], False), ([5_550, 5_250], True), ([5_549, 5_250], False), ([5_250, 4_950], True),
        ([5_250, 4_951], False), ([5_250, 5_550], True), ([5_250, 5_549], False), ([4_951, 4_951], False), ([4_950, 4_951], True),
    ],
)  # fmt: skip
def test_mines_lie_beside_land_and_not_on_it(at: list[int], fine: bool) -> None:
    options = {"mines": {"A": {"sown": [[at]]}}}
    assert bool(against(options=options, land=[[10, 10]], gauge="A", wind={"towards": 180})) is not fine


@pytest.mark.clause("P.X03")
@pytest.mark.parametrize(("towards", "x", "y"), [(180, 0, -1), (0, 0, 1), (90, 1, 0), (270, -1, 0)])
def test_mines_keep_1200_yards_from_the_enemys_entry_edge(towards: int, x: int, y: int) -> None:
    # A has the gauge, so that B comes over the edge to leeward, 48,000 yd off; the other edge is free, and so are the sides.
    def fine(yards: int, across: int = 0) -> bool:
        at = [x * yards + y * across, y * yards + x * across]
        return not against(options={"mines": {"A": {"sown": [[at]]}}}, gauge="A", wind={"towards": towards})

    assert fine(46_800) and not fine(46_801)
    assert fine(-48_000) and not fine(-48_001)
    assert fine(0, 30_000) and not fine(0, 30_001) and fine(0, -30_000) and not fine(0, -30_001)


@pytest.mark.clause("P.X01", "P.X04")
@pytest.mark.parametrize(
    ("sections", "fine"),
    [
        ([[0, 0], [100, 0], [100, 100], [200, 100]], True), ([[0, 0], [200, 0], [100, 0]], True), ([[0, 0], [100, 100]], False),
        ([[0, 0], [99, 0]], False), ([[0, 0], [101, 0]], False), ([[0, 0], [0, 100], [0, 0]], False),
        ([[0, 0], [0, -100], [-100, 0]], True),
        ([[0, 0], [50, 50]], True),
    ],
)  # fmt: skip
def test_sections_of_a_field_hang_together(sections: list[list[int]], fine: bool) -> None:
    assert bool(against(options={"mines": {"A": {"sown": [sections]}}})) is not fine


@pytest.mark.clause("P.X04")
def test_nobody_lays_mines_who_is_not_there() -> None:
    assert list(against(options={"mines": {"A": {"unsown": {"ZZ": 2}}}})) == ["options.mines.A.unsown.ZZ"]
    for kind, fine in (
        ("TRANSPORT", True),
        ("TRAMP", True),
        ("MINELAYER", True),
        ("AMC", False),
        ("C3", False),
    ):
        rows = [squadron("A-1", ship("A1"), ship("A2", kind))]
        assert (against(rows, options={"mines": {"A": {"unsown": {"A2": 2}}}}) == {}) is fine
    assert minefields.fields({"mines": {"A": {}}}) == []


# --- who comes on ---


@pytest.mark.clause("P.K43", "P.S31")
@pytest.mark.parametrize(
    ("edge", "front", "course"),
    [(0, (400, 900), 18_000), (9_000, (1_000, 200), 27_000), (18_000, (400, -500), 0), (27_000, (-200, 200), 9_000),
    (4_500, (1_000, 800), 27_000),
     (13_500, (1_000, -400), 27_000), (31_500, (-200, 800), 9_000)],
)  # fmt: skip
def test_a_gate_of_a_table_that_does_not_lie_about_the_origin(
    edge: int, front: tuple[int, int], course: int
) -> None:
    assert coming.gate((-200, -500, 1_000, 900), edge) == (front, course)
