"""What is left of a battle in the end: prizes, men, mines, places; and how a table is laid. Places in yards."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.scenario import Doctrine, Stance, read_scenario
from battles.engine.rulesets.barker import (
    closing,
    ending,
    faults,
    setup,
    sight,
)
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.state import (
    Battle,
    Field,
    Status,
)
from battles.engine.rulesets.barker.turn import STEPS
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.test_ending import FAR, finished, sunk, two
from tests.engine.barker.test_hazards import moved
from tests.engine.barker.test_setup import document, scenario, ship, squadron


@pytest.mark.clause("P.K09", "P.K49")
@pytest.mark.parametrize(
    ("opening2", "lost", "share", "wanted"),
    [(0, 0, 50, False), (1, 1, 60, True), (2, 1, 50, True), (2, 1, 51, False)],
)
def test_who_has_nothing_to_lose_does_not_withdraw(
    opening2: int, lost: int, share: int, wanted: bool
) -> None:
    made = two(unit("A2", (900, 0), sp2=1))
    made.sides["A"].doctrine = Doctrine(stance=Stance.SEEK, break_off=share)
    made.parties["A"].opening2 = opening2
    if lost:
        sunk(made, "A2")
    assert ending.withdraws(made, "A") is wanted


@pytest.mark.clause("P.K06", "P.K16", "P.K32")
@pytest.mark.parametrize(
    ("at", "captor"),
    [
        ([(-1_500, 0), (900, 0)], "B2"), ([(1_500, 0), (-900, 0)], "B2"), ([(0, -1_500), (0, 900)], "B2"), ([(0, 1_500), (0, -900)], "B2"),
        ([(900, 900), (-1_000, 0)], "B2"), ([(700, 700), (-1_000, 0)], "B1"), ([(900, 0), (0, 900)], "B1"),
    ],
)  # fmt: skip
def test_the_nearest_takes_a_cripple(at: list[tuple[int, int]], captor: str) -> None:
    made = battle(unit("A1", crippled=True), *(unit(f"B{n}", spot) for n, spot in enumerate(at, 1)))
    finished(made)
    assert (made.units["A1"].status, made.units["A1"].by) == (Status.CAPTURED, captor)


@pytest.mark.clause("P.K06", "P.K32", "P.K08")
def test_a_crippled_transport_is_taken_and_not_scuttled() -> None:
    made = battle(unit("A1", kind="TRANSPORT", crippled=True), unit("B1", (0, 9_000)))
    finished(made)
    assert made.units["A1"].status is Status.CAPTURED
    # A wreck that a submarine alone could take floats free.
    made = battle(unit("A1", crippled=True, aground=True), unit("B1", (0, 9_000), kind="SUB"), winner="B")
    found = []
    try:
        finished(made, 6)
    except IndexError as error:
        found.append(repr(error))
    assert (found, made.units["A1"].status, made.units["A1"].aground) == ([], Status.IN_PLAY, False)


@pytest.mark.clause("P.K23", "P.K32")
@pytest.mark.parametrize(
    ("entered", "men", "prisoners", "crew"),
    [(Condition(), 700, 490, 168), (Condition(2), 700, 576, 186), (Condition(0, True), 500, 500, 170),
    (Condition(), 701, 491, 169), (Condition(), 3, 2, 71)],
)  # fmt: skip
def test_men_left_aboard_a_ship_that_is_taken(
    entered: Condition, men: int, prisoners: int, crew: int
) -> None:
    taken = unit("A1", crippled=True, came_damage=entered.damage, came_crippled=entered.crippled)
    made = battle(taken, unit("B1", (0, 1_000)))
    made.ships["A1"].entered, made.ships["A1"].men = entered.to_dict(), men
    finished(made)
    entry = closing.outcome(made).ship("A1")
    assert (entry.prisoners, entry.prize_crew) == (prisoners, crew)
    made.ships["B1"].men = 31
    assert closing.outcome(made).ship("A1").prize_crew == 15


@pytest.mark.clause("P.K07")
def test_a_prize_that_was_brought_along_counts_for_nobody() -> None:
    brought = unit("A9", kind="TRAMP", sp2=4, prize_of="A", prize=True, status=Status.RETREATED, edge=18_000)
    made = two(brought, unit("A8", kind="TRAMP", sp2=4, prize_of="B", status=Status.RETREATED, edge=18_000))
    assert (ending.points2(made, "A"), ending.points2(made, "B")) == (0, 0)


@pytest.mark.clause("P.K14", "P.X02", "P.X03")
def test_what_is_left_of_mines_goes_back_to_the_chart() -> None:
    made = two(
        fields=[Field("A-m1", "A", [(0, 0), (1, 1)], ("B",)), Field("B-m2", "B", [], carrier="B1", unlaid=4)]
    )
    finished(made)
    rows = [
        (row.side, row.sections, row.known, row.carrier, row.unlaid) for row in closing.outcome(made).mines
    ]
    assert rows == [("A", 2, ("B",), "", 0), ("B", 0, (), "B1", 4)]


@pytest.mark.clause("P.K14")
def test_places_of_ships_are_told_in_whole_yards() -> None:
    made = battle(unit("A1", (150.5, -0.5)), unit("B1", FAR))
    finished(made)
    assert closing.outcome(made).ship("A1").position == (150, -1)


# --- the set-up on the table ---


@pytest.mark.clause("P.W04", "P.W10", "P.N02", "P.S29", "P.T02")
def test_the_table_is_laid_by_the_stronger_and_the_weaker_side() -> None:
    def calm(a: list[dict[str, Any]], b: list[dict[str, Any]], *faces: int) -> Battle:
        doc = read_scenario(
            document(a, b, start="", options={"setup": "table", "year": 1904, "characters": False})
        )
        with ScriptedDice(faces) as dice:
            return setup.begin(doc, dice)

    big, small = [squadron("A-1", ship("A1"))], [squadron("B-1", ship("B1", "C1"))]
    found = calm(big, small, 6, 1, 1, 3, 1, 1, 1)
    assert [(bank.placer, bank.y, bank.h) for bank in found.banks] == [
        ("A", -1_600_000, 3_201),
        ("B", 3_200_000, 3_201),
    ]
    assert [bank.step for bank in found.banks] == [0, 0]
    other = calm([squadron("A-1", ship("A1", "C1"))], [squadron("B-1", ship("B1"))], 1, 6, 1, 3, 1, 1, 1)
    assert [(bank.placer, bank.y) for bank in other.banks] == [("B", -1_600_000), ("A", 3_200_000)]
    alike = calm(big, [squadron("B-1", ship("B1"))], 6, 1, 1, 3, 1, 1, 1)
    assert [(bank.placer, bank.y) for bank in alike.banks] == [("A", -1_600_000), ("B", 1_600_000)]
    # A thousandth more of torpedo craft is enough to want the dark.
    mixed = [squadron("A-1", *(ship(f"A{n}") for n in range(1, 5)), ship("A5", "TB"))]
    shy = calm(mixed, [squadron("B-1", *(ship(f"B{n}") for n in range(1, 5)))], 6, 1, 3, 3, 4, 1, 1)
    assert shy.sunset - shy.opened == 3 * 3_600
    neutral = calm(big, small, 6, 1, 3, 3, 4, 6, 6).units["Neutral tramp B"]
    assert (neutral.sp2, neutral.moves, neutral.rank, neutral.signal_miles, neutral.contact) == (
        4,
        1,
        3,
        4,
        "Neutral tramp B",
    )


@pytest.mark.clause("P.S24")
def test_land_of_a_scenario_takes_the_place_of_features() -> None:
    for more in ({"land": [[1, 1]]}, {"shoal": [[1, 1]]}):
        made = scenario(start="", options={"setup": "table", "year": 1904, "characters": False}, **more)
        found = setup.begin(made, FastDice(1))
        assert found.land | found.shoal == {(1, 1)}


def test_ships_sighted_by_both_sides_are_told_with_their_marks() -> None:
    pair = unit("B1", (3_000, 0), kind="TBD", hulls=("B1", "B2"), damage=2, crippled=True)
    made = battle(unit("A1"), pair)
    table = play(made)
    sight.refresh(made, table)
    seen = {code: (data["steps"], data["pair"]) for code, data in told(table, "sighted")}
    assert seen == {"B1": (5, "B2"), "A1": (0, "")}
    assert (made.parties["A"].remembered["B1"].damage, made.parties["A"].remembered["B1"].crippled) == (
        2,
        True,
    )


def test_a_merchantman_by_herself_makes_no_move_that_is_not_hers() -> None:
    made = battle(unit("A1", kind="FISH"), unit("B1", (0, 9_000)))
    table = moved(made, 6, 3)
    assert made.units["A1"].at == (0, 40_000) and told(table, "moved")


def test_no_fault_is_found_in_these_battles() -> None:
    assert list(faults.faults(scenario())) == []


@pytest.mark.clause("P.C04", "P.C05", "P.K40")
def test_the_steps_of_a_spell_are_these_under_these_clauses() -> None:
    assert [(step.id, step.clauses) for step in STEPS] == [
        ("light", ("P.T10", "P.W11", "P.V01")), ("searches", ("P.N08",)), ("nip", ("P.I01", "P.W05", "P.W07")),
        ("signals", ("P.G01", "P.G11", "P.R05")), ("move", ("P.M01", "P.I07", "P.X06", "P.A01")), ("after", ("P.S18", "P.R03", "P.N05")),
        ("fire", ("P.F01", "P.F02", "P.V14")), ("end", ("P.C10", "P.O06", "P.T09")), ("over", ("P.K29",)),
    ]  # fmt: skip
