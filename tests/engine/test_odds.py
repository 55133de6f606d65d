"""Counting battles: who has won, intervals, and parts that add up."""

from __future__ import annotations

import json
import statistics
import sys
from collections import Counter
from fractions import Fraction

import pytest

from battles.engine import odds
from battles.engine.core.at_sea import Work
from battles.engine.core.crews import complement
from battles.engine.core.errors import ScenarioFaults, SchemaError
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.scenario import read_scenario
from battles.engine.odds.question import document as question_document
from battles.engine.registry import rule_set
from tests.support.fleets import document, meeting, register, side

COUNTING = sys.modules["battles.engine.odds.counting"]  # the package has a function of that name
KOHLER = rule_set("kohler")
RATES = odds.Rates(light=14, medium=49, heavy=91, worse=133, mast=3, battery=2, a_day=7)


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
def test_whole_points_come_from_the_rule_set() -> None:
    values = odds.whole_values(meeting(1, 1))
    assert set(values) == {"E01", "D01"}
    assert all(value > 0 for value in values.values())
    assert isinstance(Counter(values)["E01"], Fraction | int)


def test_a_ship_launched_before_its_rules_begin_is_valued_by_the_year_in_which_it_fights() -> None:
    (old,) = (row for row in register() if row["name"] == "Rainbow" and row["year_built"] == "1586")
    sides = [side("A", "France", [old]), side("B", "Portugal", [old])]
    scenario = read_scenario(document(sides, rule_set="age_of_sail", start="1666-06-01T06:00"))
    assert odds.whole_values(scenario) == {"A01": 12, "B01": 12}


@pytest.mark.parametrize("values", [[3], [0, 0, 0], [1, 2, 3, 4, 10], [1240, 990, 1511]])
def test_a_spread_gives_the_mean_and_its_interval(values: list[int]) -> None:
    spread = odds.Spread()
    for value in values:
        spread.note(value)
    assert spread.mean == pytest.approx(statistics.mean(values))
    low, high = spread.interval()
    if len(values) > 1:
        half = 1.96 * statistics.stdev(values) / len(values) ** 0.5
        assert (low, high) == pytest.approx((max(spread.mean - half, 0), spread.mean + half))
    else:
        assert low == high == spread.mean


def test_four_battles_in_five_lie_between_the_ends_of_a_spread() -> None:
    spread = odds.Spread()
    for value in [0, *[2] * 4, *[3] * 4, 9]:
        spread.note(value)
    assert spread.middle() == (2, 3)
    assert spread.middle(81) == (0, 9)
    assert odds.Spread().middle() == (0, 0)


def test_a_spread_keeps_large_values_to_two_digits_and_their_sum_exactly() -> None:
    spread = odds.Spread()
    for value in (1234, 1249, 7, 99, 101):
        spread.note(value)
    assert spread.seen == {1200: 2, 7: 1, 99: 1, 100: 1}
    assert spread.total == 2690
    assert odds.Spread.from_dict(json.loads(json.dumps(spread.to_dict()))) == spread


def test_counts_survive_being_stored() -> None:
    tally = odds.count(odds.Question(meeting(2, 2), rates=RATES), runs=2)
    assert odds.Tally.from_dict(json.loads(json.dumps(tally.to_dict()))) == tally
    assert odds.Tally.from_dict({}) == odds.Tally()
    with pytest.raises(SchemaError, match="schema 99"):
        odds.Tally.from_dict({"schema": 99})


def test_losses_are_counted_by_side_and_type_and_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = meeting(3, 3)
    whole = KOHLER.at_sea.sound(KOHLER.card(battle.sides[0].squadrons[0].ships[0].facts))
    struck = {**whole, "hits_struct": 5}
    fates = {"E01": Fate.SUNK, "E02": Fate.CAPTURED, "E03": Fate.AFLOAT}
    ends = [ShipOutcome(ship, "E", fate, struck) for ship, fate in fates.items()]
    ends += [ShipOutcome(f"D0{n}", "D", Fate.AFLOAT, whole) for n in (1, 2, 3)]
    ended = Outcome("kohler", 7, 200, "parted", tuple(ends), held_field="D")
    monkeypatch.setattr(COUNTING, "play_for_odds", lambda *_: ended)
    tally = odds.count(odds.Question(battle, rates=RATES), runs=2)

    assert (tally.runs, tally.turns) == (2, 14)
    assert tally.held == tally.winners == {"D": 2}
    english, dutch = tally.sides["E"], tally.sides["D"]
    assert [spread["ship_of_line"].mean for spread in (english.sent, english.sunk, english.taken)] == [
        3,
        1,
        1,
    ]
    assert (english.gone.mean, dutch.gone.mean) == (2, 0)
    assert english.days.mean > 0 == dutch.days.mean
    men = {ship.id: complement(ship.facts)[0] for ship in battle.sides[0].ships()}
    assert english.men.mean > men["E01"] + men["E02"], (
        "everyone in ships that are gone, and some of the third"
    )
    assert english.men.mean < sum(men.values())
    assert dutch.men.mean == 0


@pytest.mark.parametrize(
    ("work", "days"),
    [
        (Work("none"), 0),
        (Work("light"), 2),
        (Work("medium", masts=1), 8),
        (Work("worse", masts=2, batteries=1), 21),
    ],
)
@pytest.mark.clause("G.RP2")
def test_days_in_a_yard_follow_the_campaigns_rates(work: Work, days: int) -> None:
    assert RATES.days(work) == days


def guessed(least: int, most: int) -> odds.Question:
    """Two ships that are known against some of five of a register: three of the line and two frigates."""
    rows = [row for row in register() if row["guns"]]
    doc = document([side("E", "England", rows[:2]), side("D", "Dutch Republic", rows[2:7])])
    ships = doc["sides"][1]["squadrons"][0]["ships"]
    doc["sides"][1]["squadrons"] = [
        {"id": "line", "name": "line", "flagship": ships[0]["id"], "ships": ships[:3]},
        {"id": "frigates", "name": "frigates", "flagship": ships[3]["id"], "ships": ships[3:]},
    ]
    return odds.Question(read_scenario(doc), odds.Guess("D", least, most))


def test_a_guessed_side_has_a_number_within_its_bounds_and_one_of_each_kind_that_was_seen() -> None:
    question = guessed(2, 5)
    fleets = [[ship.id for ship in question.battle(seed).sides[1].ships()] for seed in range(60)]
    assert {len(fleet) for fleet in fleets} == {2, 3, 4, 5}
    for fleet in fleets:
        assert {"D01", "D02", "D03"} & set(fleet) and {"D04", "D05"} & set(fleet)
        line = [ship in {"D01", "D02", "D03"} for ship in fleet]
        assert line == sorted(line, reverse=True), "the line first, its frigates behind it"
    assert len({tuple(fleet) for fleet in fleets}) > 10
    assert [ship.id for ship in question.battle(7).sides[1].ships()] == fleets[7], "a seed decides"
    assert all(question.battle(seed).sides[0] == question.scenario.sides[0] for seed in range(5))


def test_a_guessed_fleet_larger_than_the_list_has_ships_twice_in_three_squadrons() -> None:
    battle = guessed(12, 12).battle(1)
    ships = [ship.id for ship in battle.sides[1].ships()]
    assert len(set(ships)) == 12
    assert len({ship.partition("-")[0] for ship in ships}) == 5
    assert [len(squadron.ships) for squadron in battle.sides[1].squadrons] == [4, 4, 4]
    for squadron in battle.sides[1].squadrons:
        most = max(ship.facts.guns or 0 for ship in squadron.ships)
        assert next(ship for ship in squadron.ships if ship.id == squadron.flagship).facts.guns == most
    assert odds.count(guessed(12, 12), runs=1).sides["D"].sent["ship_of_line"].total > 0


def test_only_ships_that_are_in_every_battle_have_fates_of_their_own() -> None:
    assert set(odds.count(guessed(1, 2), runs=2).fates) == {"E01", "E02"}


def test_the_first_parts_are_small_and_all_seeds_come_once() -> None:
    question = odds.Question(meeting(10, 10))
    found = list(odds.parts(question, runs=200, seed=5))
    assert [many for _, many in found][:4] == [8, 8, 16, 16]
    assert max(many for _, many in found) == 64
    seeds = [seed for first, many in found for seed in range(first, first + many)]
    assert seeds == list(range(5, 205))


def test_a_question_that_cannot_be_fought_is_refused_with_its_errors() -> None:
    doc = question_document({**document([side("E", "England", register()[:1])])})
    with pytest.raises(ScenarioFaults):
        odds.Question.read(doc)
    with pytest.raises(SchemaError):
        odds.Question.read({**doc, "schema": 2})
