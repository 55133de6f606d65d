"""Who sleeps and who wakes, who is senior, where a shore begins, and figures beside them that no battle would show as wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.barker import (
    arcs,
    ending,
    formations,
    land,
    layout,
    minefields,
    mines,
    plans,
    searches,
    setup,
    sight,
    signals,
)
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.lines import Lines
from battles.engine.rulesets.barker.notation import faults, parse, render
from battles.engine.rulesets.barker.state import Field, Formation, Status
from battles.engine.rulesets.barker.tables import UNREADY_SPELLS, Phase
from tests.engine.barker.builders import battle, field, play, told, unit
from tests.engine.barker.test_setup import begun, squadron
from tests.engine.barker.test_setup import ship as entry
from tests.support.answers import answer_of, flawless, result_of


def asleep(**over: Any) -> Any:
    """Side A, surprised at anchor by night."""
    return battle(
        unit("A1", anchored=True), unit("B1", (3_000, 0)), surprised=("A",), phase=Phase.NIGHT, **over
    )


@pytest.mark.clause("P.K38")
def test_whoever_has_been_woken_in_the_first_spell_is_not_woken_again() -> None:
    made = asleep()
    made.alarm()
    assert [party.alarmed for party in made.parties.values()] == [0, 0]
    for party in made.parties.values():
        party.spells = 5
    made.alarm()
    assert [party.alarmed for party in made.parties.values()] == [0, 0]


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize(
    ("alarmed", "spells", "unready"),
    [(-1, 40, True), (0, UNREADY_SPELLS, True), (0, UNREADY_SPELLS + 1, False),
     (2, UNREADY_SPELLS + 2, True), (2, UNREADY_SPELLS + 3, False)],
)  # fmt: skip
def test_a_surprised_side_is_ready_half_an_hour_after_the_alarm(
    alarmed: int, spells: int, unready: bool
) -> None:
    made = asleep()
    made.parties["A"].alarmed, made.parties["A"].spells = alarmed, spells
    assert made.unready("A") is unready and not made.unready("B")


@pytest.mark.clause("P.K38")
def test_a_side_that_lies_at_anchor_by_day_or_is_under_way_is_ready() -> None:
    made = asleep()
    made.phase = Phase.DAY
    assert not made.unready("A")
    made.phase = Phase.NIGHT
    made.units["A1"].anchored = False
    assert not made.unready("A")


@pytest.mark.clause("P.S15")
def test_without_a_squadron_that_has_a_flag_a_flotillas_captain_commands() -> None:
    made = battle(
        unit("A1", squadron="A-1"), unit("A2", (0, 500), kind="TBD", squadron="A-2"),
        unit("A3", (0, 900), kind="TBD", squadron="A-3"), unit("B1", (0, 9_000)),
    )  # fmt: skip
    assert setup._commander_in_chief(made, "A") == "A-1"
    made.squadrons["A-1"].flagship = ""
    assert setup._commander_in_chief(made, "A") == "A-2"
    made.squadrons["A-2"].flagship = ""
    assert setup._commander_in_chief(made, "A") == "A-3"
    made.squadrons["A-3"].flagship = ""
    assert setup._commander_in_chief(made, "A") == ""


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize("gap", range(0, 1_600_000, 40_000))
def test_a_shore_lies_1000_yards_behind_the_bases_of_an_anchorage(gap: int) -> None:
    """The nearest square whose near edge is that far off; it is two squares deep."""
    least = gap // 2 + layout.BASE_LENGTH // 2 + 100_000
    north = layout.shore(0, gap)
    first = min(j for _, j in north)
    assert first * layout.CELL >= least > (first - 1) * layout.CELL
    assert {j for _, j in north} == {first, first + 1}
    assert {i for i, _ in north} == set(range(-18, 18))
    south = layout.shore(18_000, gap)
    assert {j for _, j in south} == {-first - 1, -first - 2}
    assert layout.shore(9_000, gap) == {(j, i) for i, j in north}


@pytest.mark.clause("P.X09")
def test_a_field_is_reported_swept_where_the_section_lay() -> None:
    sweeper = unit("A1", (0, -100), kind="TBD", sweeps=True)
    made = battle(sweeper, unit("B1", (3_000, 0)))
    lying = Field(id="F1", side="B", sections=[(0, 20_000), (90_000, 20_000)])
    table = play(made)
    flawless(mines._sweep, made, table, sweeper, lying, mines.Box(0, 20_000, 0, 60_000, 20_000))
    assert lying.sections == [(90_000, 20_000)]
    assert told(table, "swept") == [("A1", {"x": 0, "y": 20_000})]


@pytest.mark.clause("P.K47")
@pytest.mark.parametrize("text", ["- | fake:1@3,-4", "- | fake:2@-", "- | fake:1@0,0 fake:2@-120,7"])
def test_a_fake_is_placed_in_whole_yards_and_written_back(text: str) -> None:
    assert result_of(lambda: render(parse(text))) == text


@pytest.mark.clause("P.K36", "P.K48")
@pytest.mark.parametrize(
    ("code", "what"), [("A1", ""), ("A2", "order/second-boat"), ("A3", "order/lost-ship")]
)
def test_the_second_boat_of_a_pair_and_a_ship_that_is_lost_get_no_orders(code: str, what: str) -> None:
    made = field(
        unit("A1", kind="TBD", hulls=("A1", "A2")), unit("A3", (0, 900), status=Status.SUNK), unit("B1", (0, 9_000))
    )  # fmt: skip
    found = flawless(faults, made, "A", code, parse(""))
    assert [fault.code for fault in found] == ([what] if what else [])


@pytest.mark.clause("P.K43", "P.O01")
@pytest.mark.parametrize(("clock", "turned"), [(3_599, True), (3_600, False)])
def test_ships_are_due_from_the_very_second_at_which_their_turn_begins(clock: int, turned: bool) -> None:
    late = unit("A2", squadron="A-2", group="A-2", status=Status.EXPECTED)
    made = battle(
        unit("A1", status=Status.SUNK), late, unit("B1", (3_000, 0)), spell=1, clock=clock, last_turn=500
    )
    made.squadrons["A-2"].arrives = 13
    ending._turn_back(made, play(made))
    assert (late.status is Status.TURNED_BACK) is turned


@pytest.mark.clause("P.K47")
@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("pay:x", "pay:1"), ("lay:maybe", "use lay:yes or lay:no"), ("act:maybe", "use act:yes"), ("act:no", "use act:yes"),
        ("fake:3@1,1", "fake:1@x,y"), ("fake:1@1", "fake:1@x,y"), ("lay:yes lay:no", "lay comes twice"),
        ("fake:2@- fake:2@1,1", "fake:2 comes twice"),
    ],
)  # fmt: skip
def test_a_word_of_an_order_that_cannot_be_read_is_answered_with_what_can(word: str, advice: str) -> None:
    assert advice in answer_of(parse, f"- | {word}")


@pytest.mark.clause("P.X03")
@pytest.mark.parametrize("edge", [0, 9_000, 18_000, 27_000])
def test_mines_lie_a_base_and_a_half_and_more_from_the_enemys_edge_and_on_the_table(edge: int) -> None:
    table = (-1_000_000, -2_000_000, 3_000_000, 4_000_000)
    clear = minefields.CLEAR
    inner = {
        0: (0, 4_000_000 - clear),
        9_000: (3_000_000 - clear, 0),
        18_000: (0, clear - 2_000_000),
        27_000: (clear - 1_000_000, 0),
    }
    outward = {0: (0, 1), 9_000: (1, 0), 18_000: (0, -1), 27_000: (-1, 0)}
    (x, y), (dx, dy) = inner[edge], outward[edge]
    assert flawless(minefields._may_lie, (x, y), table, edge)
    assert not flawless(minefields._may_lie, (x + dx, y + dy), table, edge)
    for other, (ox, oy) in outward.items():
        if other != edge:
            rim = (ox * (3_000_000 if ox > 0 else 1_000_000), oy * (4_000_000 if oy > 0 else 2_000_000))
            assert flawless(minefields._may_lie, rim, table, edge)
            assert not flawless(minefields._may_lie, (rim[0] + ox, rim[1] + oy), table, edge)


@pytest.mark.clause("P.M05", "P.K41")
def test_only_a_large_cruiser_or_a_liner_that_is_no_prize_moves_freely_a_second_time() -> None:
    rows = [squadron("A-1", *(entry(f"A{n}", kind) for n, kind in enumerate(("BB", "C1", "C2", "C3"))))]
    rows += [squadron("A-2", entry("A8", "C1", prize=True))]
    opened = begun(rows)
    assert [opened.units[code].extra_free for code in ("A0", "A1", "A2", "A3", "A8")] == [
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.clause("P.F20", "P.F21", "P.F22")
def test_torpedo_craft_are_hindered_by_the_shoals_between_and_by_no_others() -> None:
    for squares, free in (((0, 2), False), ((40, 40), True), ((4, 2), True)):
        made = battle(unit("A1", kind="TB"), unit("B1", (0, 1_500)), shoal=frozenset({squares}))
        assert Lines(made).open(made.units["A1"], made.units["B1"], Band.NORMAL) is free
        made = battle(unit("A1"), unit("B1", (0, 1_500)), shoal=frozenset({squares}))
        assert Lines(made).open(made.units["A1"], made.units["B1"], Band.NORMAL)


@pytest.mark.clause("P.F06", "P.Z12")
@pytest.mark.parametrize(
    ("limit", "boats", "within", "beyond"),
    [
        (arcs.CLOSE, True, Band.CLOSE, Band.NORMAL), (arcs.NORMAL, False, Band.NORMAL, Band.LONG),
        (arcs.LONG, False, Band.LONG, Band.EXTREME), (arcs.EXTREME, False, Band.EXTREME, None), (arcs.NORMAL, True, Band.NORMAL, Band.LONG),
    ],
)  # fmt: skip
def test_a_band_ends_half_a_yard_beyond_its_limit_and_no_more(
    limit: int, boats: bool, within: Band, beyond: Band | None
) -> None:
    assert arcs.band(limit + 50, 1904, boats=boats) is within
    assert arcs.band(limit + 51, 1904, boats=boats) is beyond


@pytest.mark.clause("P.V01", "P.U03", "P.S34")
@pytest.mark.parametrize("away", [{"submerged": True}, {"outside": True}, {"status": Status.SUNK}])
def test_only_ships_on_the_table_see_and_are_seen(away: dict[str, Any]) -> None:
    made = battle(unit("A1"), unit("B1", (0, 900), kind="SUB", **away))
    one, other = made.units.values()
    assert not sight.visible(made, one, other) and not sight.visible(made, other, one)
    made = battle(unit("A1"), unit("B1", (0, 900), kind="SUB"))
    assert sight.visible(made, *made.units.values())


@pytest.mark.clause("P.X04")
@pytest.mark.parametrize(
    ("unlaid", "laid", "goes_on"), [(2, 2, False), (3, 3, False), (4, 3, True), (9, 3, True)]
)
def test_a_carrier_lays_a_section_for_every_100_yards_until_the_last(
    unlaid: int, laid: int, goes_on: bool
) -> None:
    carrier = unit("A1", (0, 300), kind="TRANSPORT")
    made = battle(carrier, unit("B1", (0, 9_000)))
    made.fields = [Field("F1", "A", [], carrier="A1", unlaid=unlaid, laying=True)]
    mines._lay(made, play(made), carrier, mines.Box(0, 15_000, 0, 30_000, 10_000))
    (lying,) = made.fields
    assert (len(lying.sections), lying.unlaid, lying.laying) == (laid, unlaid - laid, goes_on)
    assert lying.sections == [(0, 10_000 * n + 5_000 - layout.BASE_LENGTH) for n in range(laid)]


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize(
    ("end", "toward"), [(0, (0, 1)), (9_000, (1, 0)), (18_000, (0, -1)), (27_000, (-1, 0))]
)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_ships_at_anchor_lie_in_line_along_their_shore_a_base_length_apart(
    end: int, toward: tuple[int, int], count: int
) -> None:
    bases = [SimpleNamespace(first=SimpleNamespace(ship=SimpleNamespace(id=f"A{n}"))) for n in range(count)]
    found = layout._anchorage(bases, end, 600_000)  # type: ignore[arg-type]
    off = 300_000 + layout.BASE_LENGTH // 4
    (x, y), (right, left) = toward, (toward[1], -toward[0])
    for n in range(count):
        along = layout.BASE_LENGTH * (count - 1) // 2 - layout.BASE_LENGTH * n
        assert found[f"A{n}"] == (x * off + right * along, y * off + left * along, (end + 9_000) % 36_000)


@pytest.mark.clause("P.M13")
@pytest.mark.parametrize(("bend", "kept"), [(100, 3), (199, 3), (202, 0), (550, 0)])
def test_a_part_of_a_line_keeps_of_its_track_what_its_last_ship_still_has_to_follow(
    bend: int, kept: int
) -> None:
    made = battle(*(unit(f"A{n}", (0, -400 * n)) for n in range(4)), unit("B1", (0, 9_000)))
    y = -100 * (800 + bend)
    track = [(-200_000, y, 9_000), (0, y, 9_000), (0, y, 0)]
    line = Formation(formations.AHEAD, ("A0", "A1", "A2", "A3"), track)
    rear = formations.part(made, line, 2, 4)
    assert (rear.members, rear.track) == (("A2", "A3"), track[:kept])


@pytest.mark.clause("P.K49", "P.K09")
@pytest.mark.parametrize(("lost", "leaves"), [(9, False), (10, True), (11, True)])
def test_a_side_withdraws_at_the_very_percentage_of_its_instructions(lost: int, leaves: bool) -> None:
    made = field(
        unit("A1"),
        unit("A2", (0, 900), sp2=lost, status=Status.SUNK),
        unit("B1", (0, 9_000)),
        doctrine=Doctrine(break_off=10),
    )
    made.parties["A"].opening2 = 100
    assert ending.withdraws(made, "A") is leaves


@pytest.mark.clause("P.O05")
@pytest.mark.parametrize(
    ("contact", "clock", "allotted", "over"),
    [
        (-1, 86_399, 14_400, False),
        (-1, 86_400, 14_400, True),
        (80_000, 86_401, 14_400, False),
        (0, 86_400, 90_000, False),
        (0, 90_000, 90_000, True),
        (80_000, 94_400, 14_400, True),
    ],
)
def test_a_battle_without_contact_ends_after_a_day_and_one_with_it_when_its_time_is_up(
    contact: int, clock: int, allotted: int, over: bool
) -> None:
    made = battle(
        unit("A1"), unit("B1", (0, 9_000)), contact=contact, clock=clock, allotted=allotted, last_turn=10_000
    )
    assert ending._time_is_up(made) is over


@pytest.mark.clause("P.G13")
@pytest.mark.parametrize(
    ("before", "words", "taken"),
    [
        (("steer", "N"), (), ("steer", "N")), (("steer", "N"), ("", "E"), ("steer", "N")), (("steer", "N"), ("steer", ""), ("steer", "N")),
        (("steer",), ("steer", "", ""), ("steer", "", "")), (("steer", "N"), ("close", ""), ("close", "")),
        ((), ("steer", ""), ("steer", "")),
        (("steer", "N", "6"), ("steer", "E"), ("steer", "E")),
    ],
)  # fmt: skip
def test_a_mangled_order_keeps_what_was_ordered_before(
    before: tuple[str, ...], words: tuple[str, ...], taken: tuple[str, ...]
) -> None:
    assert result_of(signals.taken, before, words) == taken


@pytest.mark.clause("P.M09", "P.M10")
@pytest.mark.parametrize("heading", [0, 9_000, 18_000, 27_000])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_ships_are_in_line_in_whatever_order_they_are_listed(heading: int, order: tuple[int, ...]) -> None:
    sin, cos = {0: (0, 1), 9_000: (1, 0), 18_000: (0, -1), 27_000: (-1, 0)}[heading]
    van = [order.index(n) for n in range(3)]
    row = [(7 - sin * 40_000 * n, 11 - cos * 40_000 * n, heading) for n in order]
    assert plans.formed(row) == (plans.AHEAD, van)
    row = [(7 + cos * 40_000 * n, 11 - sin * 40_000 * n, heading) for n in order]
    assert plans.formed(row) == (plans.ABREAST, van)
    assert plans.formed(row[:1]) == ("loose", [0])
    row[1] = (row[1][0] + 90_000, row[1][1] + 90_000, heading)
    assert plans.formed(row) == ("loose", [0, 1, 2])


@pytest.mark.clause("P.K06", "P.K16")
@pytest.mark.parametrize(
    ("over", "fate"),
    [
        ({"crippled": True}, "taken"), ({}, ""), ({"crippled": True, "aground": True}, ""), ({"crippled": True, "kind": "TRANSPORT"}, ""),
        ({"crippled": True, "at": (0, 9_000)}, "scuttled"),
    ],
)  # fmt: skip
def test_only_a_crippled_warship_that_is_afloat_is_taken_or_scuttled(over: dict[str, Any], fate: str) -> None:
    over = dict(over)
    lone = unit("A1", over.pop("at", (0, 900)), kind=over.pop("kind", "BB"), **over)
    made = battle(lone, unit("B1"))
    table = play(made)
    flawless(ending._cripple, made, table, lone)
    kinds = [event.kind for event in table.log.events] if table.log else []
    assert bool(kinds) is bool(fate)
    assert (lone.status is Status.SCUTTLED) is (fate == "scuttled")


COURSES = {0: (0, 1), 9_000: (1, 0), 18_000: (0, -1), 27_000: (-1, 0)}


@pytest.mark.clause("P.A01", "P.M22", "P.Z02")
@pytest.mark.parametrize(("course", "ahead"), COURSES.items())
@pytest.mark.parametrize("cell", [(3, 7), (-6, 2), (4, -9), (-5, -3)])
@pytest.mark.parametrize("place", ["land", "shoal"])
def test_a_ship_runs_ashore_on_the_square_ahead_and_on_none_abeam_or_astern(
    course: int, ahead: tuple[int, int], cell: tuple[int, int], place: str
) -> None:
    (i, j), (x, y) = cell, ahead
    middle = (500 * i + 250, 500 * j + 250)
    for square, touch in (
        ((i + x, j + y), 5_000),
        ((i - x, j - y), None),
        ((i + y, j + x), None),
        ((i - y, j - x), None),
    ):
        made = battle(
            unit("A1", middle, course / 100), unit("B1", (60_000, 60_000)), **{place: frozenset({square})}
        )
        found = flawless(land.first_touch, made, made.units["A1"], 40_000)
        assert (found if touch is None or found is None else abs(found - touch) <= 1) == (
            None if touch is None else True
        )


@pytest.mark.clause("P.X03")
@pytest.mark.parametrize(("x", "y"), [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
@pytest.mark.parametrize("cell", [(0, 0), (-3, 5)])
def test_a_section_lies_on_a_square_of_land_that_its_edge_crosses(
    x: int, y: int, cell: tuple[int, int]
) -> None:
    shore = frozenset({cell})
    at = (25_000 + 50_000 * cell[0], 25_000 + 50_000 * cell[1])
    for off, on in ((25_000 + 4_900, True), (25_000 + 5_100, not (x or y))):
        assert minefields._on((at[0] + x * off, at[1] + y * off), shore) is on


@pytest.mark.clause("P.N08")
@pytest.mark.parametrize(
    ("due", "spells", "searched"), [(0, 0, True), (0, 1, True), (1, 0, False), (-1, 3, False), (3, 3, True)]
)
def test_a_vessel_is_searched_from_the_very_spell_in_which_it_is_due(
    due: int, spells: int, searched: bool
) -> None:
    vessel = unit("B1", (170, 0), kind="TRAMP", neutral=True, stopped=True, challenged="A1", search_due=due)
    made = battle(unit("A1", kind="C1"), vessel)
    made.parties["A"].spells = spells
    table = play(made, 1, 1)
    flawless(searches.search, made, table)
    assert (vessel.search_due == -1 and due != -1) is searched
