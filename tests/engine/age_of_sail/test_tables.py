"""Sailing, wind, bearings, hits and cards against the book's figures, one case after another."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.age_of_sail import bearing, card, notation, sailing, wind
from battles.engine.rulesets.age_of_sail.damage import Boxes, hull_hits, masts_down
from tests.engine.age_of_sail.builders import ship
from tests.support.cases import cases


@pytest.mark.parametrize("case", cases("age_of_sail/speeds"))
def test_a_ship_goes_as_far_as_masts_and_wind_give_her(case: dict[str, Any]) -> None:
    assert sailing.allowance(case["power"], case["wind"], int(case["angle"] / 22.5)) == case["then"]


@pytest.mark.parametrize("case", cases("age_of_sail/wind"))
def test_the_wind_shifts_by_two_dice(case: dict[str, Any]) -> None:
    assert wind.shifted(*case["before"], *case["dice"]) == tuple(case["then"])


@pytest.mark.parametrize("case", cases("age_of_sail/paths"))
def test_a_path_is_sailed_as_far_as_it_is_lawful(case: dict[str, Any]) -> None:
    from_point, strength = case["wind"]
    start = tuple(case["start"])
    turns = notation.parse(case["path"]).turns
    assert turns is not None
    sails = sailing.sails(6, strength, from_point // 2, case.get("no_sail", 45))
    if case.get("shut", True):
        turns = turns[: sailing.lawful(sailing.headings(start[2], turns), start[2], sails)]
    assert sailing.track(start, turns)[-1] == tuple(case["then"])  # type: ignore[arg-type]


@pytest.mark.parametrize("case", cases("age_of_sail/bearings"))
def test_ships_bear_on_each_other_by_quadrants_and_bands(case: dict[str, Any]) -> None:
    dx, dy = case["off"]
    if "side" in case:
        assert (bearing.bears(case["h"], dx, dy), bearing.band(dx, dy)) == (case["side"], case["band"])
    if "aspect" in case:
        assert bearing.aspect(case["h"], dx, dy, narrow=case.get("narrow", False)) == case["aspect"]


@pytest.mark.parametrize("case", cases("age_of_sail/hits"))
def test_hull_hits_cost_decks_and_then_the_hull(case: dict[str, Any]) -> None:
    assert hull_hits(Boxes(*case["boxes"]), case["hits"], case["from"]) == tuple(case["then"])


@pytest.mark.parametrize("case", cases("age_of_sail/masts"))
def test_masts_fall_as_the_owner_gives_them_up_or_from_the_end_fired_at(case: dict[str, Any]) -> None:
    target = ship(cls=case["cls"], rig=case["rig"], prefer=tuple(case.get("prefer", ())))
    assert [target.names[n] for n in masts_down(target, case["hits"], case["from"])] == case["then"]


@pytest.mark.parametrize("case", cases("age_of_sail/cards"))
def test_a_card_follows_from_the_facts(case: dict[str, Any]) -> None:
    facts = {"nation": "England", "ship_type": "ship_of_line", **case["facts"]}
    facts.setdefault("built_by", facts["nation"])
    made = card.card(ShipFacts(**facts)).to_dict()
    assert {name: made[name] for name in case["then"]} == case["then"]


@pytest.mark.clause("A.C10", "A.C15")
@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"year_built": 1599}, "year_built"),
        ({"year_built": 1816}, "year_built"),
        ({"year_built": 1700, "year_served": 1830}, "year_served"),
        ({"ship_type": "battleship"}, "ship_type"),
        ({"overrides": {"masts": 4}}, "overrides.masts"),
        ({"overrides": {"decks": 4}}, "overrides.decks"),
        ({"overrides": {"hull": 0}}, "overrides.hull"),
        ({"overrides": {"pounds": 0}}, "overrides.pounds"),
        ({"overrides": {"class": "heavy"}}, "overrides.class"),
        ({"overrides": {"oars": 1}}, "overrides.oars"),
        ({"guns": -1}, "guns"),
    ],
)
def test_a_ship_that_the_rule_set_cannot_play_is_refused_with_the_reason(
    facts: dict[str, Any], field: str
) -> None:
    known = ShipFacts(**{"nation": "England", "built_by": "England", **facts})
    assert [name for name, _ in card.card_faults(known)] == [field]
    with pytest.raises(ValueError):
        card.card(known)


@pytest.mark.clause("A.C10", "A.C15", "A.C4", "A.C13")
def test_the_years_at_both_ends_have_cards_and_each_figure_is_explained() -> None:
    for year in (1600, 1815):
        facts = ShipFacts("England", "England", guns=60, year_built=year)
        noted = {field for field, _, _ in card.explain(facts)}
        assert noted == {"class", "decks", "masts", "hull", "pirate", "deep", "pounds"}


@pytest.mark.clause("A.P3", "A.M1")
def test_a_heading_lies_so_many_points_off_the_wind() -> None:
    assert [sailing.off_wind(h, 0) for h in (0, 1, 2, 8, 14, 15)] == [0, 1, 2, 8, 2, 1]
    assert sailing.off_wind(2, 1) == 0


@pytest.mark.clause("A.E28", "A.G22", "A.G10", "A.W1", "A.W2")
@pytest.mark.parametrize(("towards", "point"), [(180, 0), (90, 6), (202, 0), (203, 1), (0, 4), (359, 4)])
def test_the_charts_wind_becomes_one_of_eight_points(towards: int, point: int) -> None:
    from battles.engine.core.scenario import Strength

    assert wind.from_chart(towards, Strength.LIGHT) == (point, 3)
    strengths = [wind.from_chart(0, one)[1] for one in Strength]
    assert strengths == [1, 3, 4, 6, 7]
    back = [wind.to_chart(6, one)[1] for one in range(1, 8)]
    assert back == [
        Strength.STILL, *[Strength.LIGHT] * 2, *[Strength.MODERATE] * 2, *[Strength.STRONG] * 2
    ]  # fmt: skip
    assert wind.to_chart(6, 4)[0] == 90
