"""Handicaps of a scenario: cards of which so many per cent are left, said openly. Rule: T.S31."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import ShipFacts, faults_of, read_scenario
from battles.engine.readable import handicaps
from battles.engine.registry import names, rule_set
from battles.engine.rulesets.thomas import condition, handicap, setup
from battles.engine.rulesets.thomas.card import card, explain
from battles.engine.rulesets.thomas.guns import part_of
from battles.engine.rulesets.thomas.tables import Arc, Gun
from tests.engine.thomas.test_setup import document, entry

SEVENTY_FOUR = ShipFacts(
    "France",
    "Great Britain",
    guns=74,
    gun_detail="28x32pdr;28x18pdr;18x9pdr",
    tons_burthen=1_700,
    year_built=1795,
)


def row(**over: Any) -> dict[str, Any]:
    return {
        "side": "SPA",
        "what": "batteries",
        "percent": 50,
        "reason": "Few of the crews had been to sea.",
        **over,
    }


def battle(*rows: dict[str, Any]) -> Any:
    return setup.begin(read_scenario(document(handicaps=list(rows))), ScriptedDice(()))


@pytest.mark.clause("T.S31", "T.S5")
@pytest.mark.parametrize(
    ("percent", "whole", "half"), [(99, 5, 0), (60, 3, 0), (50, 2, 1), (45, 2, 1), (44, 2, 0), (10, 0, 1)]
)
def test_batteries_are_left_to_the_nearest_half_on_each_side(percent: int, whole: int, half: int) -> None:
    left = handicap.handicapped(card(SEVENTY_FOUR), {"batteries": percent})
    for arc in (Arc.PORT, Arc.STARBOARD):
        mine = [one.half for one in left.batteries if one.arc is arc]
        assert (mine.count(False), mine.count(True)) == (whole, half)


@pytest.mark.clause("T.S31", "T.S8")
def test_an_opening_leaves_a_part_of_the_batteries_and_nothing_else_is_less() -> None:
    whole = card(SEVENTY_FOUR)
    left = card(replace(SEVENTY_FOUR, overrides={"batteries_percent": 50}))
    assert left == replace(whole, batteries=part_of(whole.batteries, 50))
    assert (left.count(Gun.LONG, Arc.PORT), left.count(Gun.LONG)) == (Fraction(5, 2), 5)
    by_hand = {"batteries": {"port": {"long": 3}, "starboard": {"long": 3}}, "batteries_percent": 34}
    assert card(replace(SEVENTY_FOUR, overrides=by_hand)).count(Gun.LONG, Arc.PORT) == 1
    assert ("batteries", "T.S31", "A handicap leaves 34%.") in explain(
        replace(SEVENTY_FOUR, overrides=by_hand)
    )


@pytest.mark.clause("T.S31", "T.S2")
@pytest.mark.parametrize(("percent", "crew"), [(99, 168), (60, 102), (55, 94), (10, 17)])
def test_a_crew_is_left_in_part_and_the_hull_and_the_rate_are_whole(percent: int, crew: int) -> None:
    whole = card(SEVENTY_FOUR)
    left = handicap.handicapped(whole, {"crew": percent})
    assert left.crew_max == crew
    assert (left.flot_max, left.guns, left.tons, left.batteries) == (85, 74, 1_700, whole.batteries)


@pytest.mark.clause("T.S31")
def test_only_the_side_with_the_handicap_begins_with_less() -> None:
    sound, weak = battle(), battle(row(), row(what="crew", percent=60))
    assert weak.ships["E1"].batteries.__len__() == len(sound.ships["E1"].batteries)
    assert weak.ships["E1"].crew_halves == sound.ships["E1"].crew_halves
    assert sum(1 if one.half else 2 for one in weak.ships["S1"].batteries) < sum(
        1 if one.half else 2 for one in sound.ships["S1"].batteries
    )
    assert weak.ships["S1"].crew_max == 36 and weak.ships["S1"].crew_halves == 72
    assert sound.ships["S1"].crew_max == 60
    assert not any(one.lost for one in weak.ships["S1"].batteries)


@pytest.mark.clause("T.S31")
def test_a_damaged_ship_of_a_side_with_a_handicap_is_reported_as_an_error() -> None:
    hurt = condition.sound(card(ShipFacts("Spain", "Spain", "galleon", guns=30, tons_burthen=600))).to_dict()
    doc = document(
        handicaps=[row()], ships={"ENG": [entry("E1", condition=hurt)], "SPA": [entry("S1", condition=hurt)]}
    )
    found = rule_set("thomas").scenario_faults(read_scenario(doc))
    assert [fault.path for fault in found] == ["sides[1].squadrons[0].ships[0].condition"]
    assert "begins sound" in found[0].text


def test_everything_wrong_with_handicaps_is_said_at_once_by_path() -> None:
    bad = [
        row(),
        row(percent=9),
        row(side="FRA", percent=100),
        row(what="sails"),
        row(reason=""),
        {"side": "ENG"},
    ]
    told = {fault.path: fault.text for fault in faults_of(document(handicaps=bad))}
    assert (
        told["handicaps[1]"]
        == "'SPA' has a handicap of batteries already, handicaps[0]; give one of each kind"
    )
    assert told["handicaps[1].percent"] == "9 is too small; the minimum is 10"
    assert told["handicaps[2].side"] == "'FRA' is not a side; use one of ENG, SPA"
    assert told["handicaps[2].percent"] == "100 is too large; the maximum is 99"
    assert told["handicaps[3].what"] == '"sails" is not one of batteries, crew'
    assert told["handicaps[4].reason"] == "is empty; some text is needed"
    assert told["handicaps[5]"] == "is missing what, percent, reason"


@pytest.mark.parametrize("name", sorted(set(names()) - {"thomas"}))
def test_a_set_that_knows_no_handicaps_says_so(name: str) -> None:
    scenario = read_scenario(document(handicaps=[row()], rule_set=name))
    found = [fault for fault in rule_set(name).scenario_faults(scenario) if fault.path == "handicaps[0].what"]
    assert [fault.text for fault in found] == ["this rule set has no handicap of batteries; remove it"]


def test_a_handicap_is_told_in_words_with_its_reason() -> None:
    scenario = read_scenario(document(handicaps=[row()]))
    name = next(side.name for side in scenario.sides if side.id == "SPA")
    assert list(handicaps(scenario)) == [
        f"Handicap: {name}, batteries at 50%. Few of the crews had been to sea."
    ]
    assert list(handicaps(read_scenario(document()))) == []
