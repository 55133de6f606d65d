"""Ship cards derived from register entries. Rules: K.A1, K.E30."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler.card import Card, card, explain, override_faults, points_text
from tests.support.cases import cases


def facts(**known: Any) -> ShipFacts:
    known.setdefault("built_by", "England")
    known["tags"] = tuple(known.get("tags", ()))
    return ShipFacts(nation=known["built_by"], **known)


@pytest.mark.parametrize("case", cases("kohler/cards"))
def test_a_card_follows_the_rules(case: dict[str, Any]) -> None:
    made = card(facts(**case["facts"]))
    told = {**made.to_dict(), "fire": made.fire_track[0] / 2}
    assert {name: told[name] for name in case["then"]} == case["then"]


@pytest.mark.clause("K.E30", "K.A1.1", "K.A1.2", "K.A1.11", "K.A1.12", "K.D4", "K.D5")
@pytest.mark.parametrize(
    ("entry", "hull", "track", "thresholds", "unhandy"),
    [
        (
            {"guns": 106, "tons_burthen": 1500, "broadside_lb": 1112, "overrides": {"unhandy": False}},
            45, (22, 16, 11, 5), (12, 23, 34, 45), False,
        ),
        ({"guns": 76, "tons_burthen": 1108, "broadside_lb": 777}, 33, (16, 12, 8, 4), (9, 17, 25, 33), True),
        (
            {"built_by": "Dutch Republic", "guns": 80, "broadside_lb": 745},
            30, (15, 11, 7, 3), (8, 15, 23, 30), False,
        ),
    ],
    ids=["Royal Sovereign", "Royal Katherine", "Zeven Provincien"],
)  # fmt: skip
def test_the_three_ships_of_the_source_come_out_as_printed(
    entry: dict[str, Any], hull: int, track: tuple[int, ...], thresholds: tuple[int, ...], unhandy: bool
) -> None:
    made = card(facts(**entry))
    assert (made.hull_max, made.fire_track, made.thresholds) == (hull, track, thresholds)
    assert (made.fast, made.handy, made.unhandy) == (False, False, unhandy)


@pytest.mark.clause("K.E30", "K.A1.10")
def test_a_dutch_54_of_which_nothing_is_known_has_a_card() -> None:
    made = card(facts(built_by="Dutch Republic", guns=54))
    assert (made.hull_max, made.fire_track, made.thresholds) == (19, (6, 4, 3, 1), (5, 10, 15, 19))
    assert (made.fast, made.handy) == (False, True)
    assert made.estimated == ("hull", "fire")


@pytest.mark.clause("K.D4", "K.D5", "K.S2")
def test_the_sample_cards_of_antelope_and_pelican_come_out_as_printed() -> None:
    antelope = card(facts(guns=52, tons_burthen=740, broadside_lb=400))
    assert (antelope.hull_max, antelope.fire_track, antelope.thresholds) == (
        22,
        (8, 6, 4, 2),
        (6, 11, 17, 22),
    )
    assert (antelope.fast, antelope.handy, antelope.unhandy) == (False, False, False)
    pelican = card(facts(guns=36, tons_burthen=400, tags=("frigate-built",)))
    assert (pelican.hull_max, pelican.fire_track, pelican.thresholds) == (12, (3, 2, 1), (4, 8, 12))
    assert (pelican.fast, pelican.handy, pelican.unhandy) == (True, True, False)


def test_a_card_survives_json_and_another_schema_is_refused() -> None:
    made = card(facts(guns=52))
    assert Card.from_dict(json.loads(json.dumps(made.to_dict()))) == made
    with pytest.raises(SchemaError, match="schema 2"):
        Card.from_dict({**made.to_dict(), "schema": 2})


def test_figures_from_the_register_are_not_called_estimates() -> None:
    known = card(facts(guns=52, tons_burthen=740, broadside_lb=400))
    assert known.estimated == ()
    assert card(facts(tons_burthen=740)).estimated == ("guns", "fire")


@pytest.mark.clause("K.A1.15")
@pytest.mark.parametrize("tons", range(50, 2001, 50))
def test_a_ship_placed_by_tons_is_never_lighter_than_her_row(tons: int) -> None:
    made = card(facts(tons_burthen=tons))
    assert made.guns >= 10
    assert made.hull_max == max(tons // 33, 3)


@pytest.mark.clause("K.A1.12", "K.S3")
def test_all_impossible_figures_set_by_hand_are_named() -> None:
    wrong = facts(guns=52, overrides={"handy": True, "unhandy": True, "hull": "big", "fast": 1, "masts": 3})
    faults = override_faults(wrong)
    assert len(faults) == 4
    for word in ("cannot be used together", "hull is 'big'", "fast is 1", "no override 'masts'"):
        assert any(word in fault for fault in faults)
    with pytest.raises(ValueError, match="masts"):
        card(wrong)


def test_every_figure_is_explained_with_its_clause() -> None:
    notes = explain(facts(guns=52, tons_burthen=500, overrides={"hull": 40}))
    assert {"hull", "fire", "n_steps", "qualities", "thresholds", "fire_track"} <= {
        field for field, _, _ in notes
    }
    assert [clause for field, clause, _ in notes if field == "hull"] == ["K.A1.1", "K.A1.4", "K.S10"]
    assert ("hull", "K.S10", "Set by hand to 40, 21 allowed, a tenth of 19 either way.") in notes


@pytest.mark.clause("K.0.6")
@pytest.mark.parametrize(("doubled", "text"), [(0, "0"), (1, "½"), (2, "1"), (15, "7½"), (22, "11")])
def test_fire_points_are_written_in_the_usual_way(doubled: int, text: str) -> None:
    assert points_text(doubled) == text


@pytest.mark.clause("K.A1.2", "K.0.6")
@pytest.mark.parametrize(
    ("pounds", "doubled"), [(1, 1), (25, 1), (75, 1), (76, 2), (125, 2), (126, 3), (175, 3), (176, 4)]
)
def test_a_broadside_counts_a_point_per_hundred_pounds_to_the_nearest_half_and_at_least_half_a_point(
    pounds: int, doubled: int
) -> None:
    assert card(facts(guns=52, broadside_lb=pounds)).fire_track[0] == doubled
