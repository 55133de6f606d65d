"""Counting battles: who has won, intervals, and parts that add up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from battles.engine import odds
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.scenario import read_scenario
from tests.support.fleets import document, meeting, register, side


def outcome(**fates: Fate) -> Outcome:
    ships = tuple(ShipOutcome(code, code[0], fate, {}) for code, fate in fates.items())
    return Outcome("kohler", 5, 150, "parted", ships)


def test_the_side_that_lost_least_by_value_has_won_and_taken_ships_count_as_lost() -> None:
    values = {"A1": Fraction(30), "A2": Fraction(10), "B1": Fraction(20), "B2": Fraction(20)}
    assert odds.winner(outcome(A1=Fate.AFLOAT, A2=Fate.SUNK, B1=Fate.CAPTURED, B2=Fate.AFLOAT), values) == "A"
    assert odds.winner(outcome(A1=Fate.BURNT, A2=Fate.AFLOAT, B1=Fate.SUNK, B2=Fate.AFLOAT), values) == "B"
    assert odds.winner(outcome(A1=Fate.AFLOAT, A2=Fate.AFLOAT, B1=Fate.AFLOAT, B2=Fate.AFLOAT), values) == ""


def test_intervals_contain_the_share_and_stay_between_zero_and_one() -> None:
    assert odds.interval(0, 50)[0] == 0
    assert odds.interval(50, 50)[1] == 1
    low, high = odds.interval(150, 200)
    assert 0.68 < low < 0.75 < high < 0.81


def test_parts_add_up_to_the_whole() -> None:
    battle = odds.Question(meeting(2, 3))
    whole, parts = odds.count(battle, runs=6, seed=3), odds.Tally()
    for seed in range(3, 9):
        parts.add(odds.count(battle, runs=1, seed=seed))
    assert parts == whole
    assert whole.runs == sum(whole.winners.values()) == 6
    assert all(sum(fates.values()) == 6 for fates in whole.fates.values())
    assert whole.sides["E"].gone.total == sum(
        6 - fates[Fate.AFLOAT] for ship, fates in whole.fates.items() if ship[0] == "E"
    )


@pytest.mark.clause("K.G23")
def test_whole_values_come_from_the_rule_set() -> None:
    values = odds.whole_values(meeting(1, 1))
    assert set(values) == {"E01", "D01"}
    assert all(value > 0 for value in values.values())
    assert isinstance(Counter(values)["E01"], Fraction | int)


def test_a_ship_launched_before_its_rules_begin_is_valued_by_the_year_in_which_it_fights() -> None:
    (old,) = (row for row in register() if row["name"] == "Rainbow" and row["year_built"] == "1586")
    sides = [side("A", "France", [old]), side("B", "Portugal", [old])]
    scenario = read_scenario(document(sides, rule_set="age_of_sail", start="1666-06-01T06:00"))
    assert odds.whole_values(scenario) == {"A01": 12, "B01": 12}
