"""The drawn card: the two printed sample cards, boxes crossed off row by row, qualities lost with their row."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler.rules import RULES
from fleets.templatetags.kohler_card import hull_rows, qualities

ANTELOPE = RULES.card(ShipFacts("England", "England", guns=52, tons_burthen=734, broadside_lb=400))


def condition(hull: int, men: int = 0) -> dict[str, Any]:
    """Hits in the hull and among the men."""
    return {"schema": 1, "hits_struct": hull, "hits_board": men, "flag_officer_ok": True}


@pytest.mark.clause("K.D4", "K.D5")
def test_the_sample_card_is_drawn_as_it_is_printed() -> None:
    rows = hull_rows(ANTELOPE, None)
    assert [len(row.boxes) for row in rows] == [6, 5, 6, 5]
    assert [row.fire for row in rows] == ["4", "3", "2", "1"]
    assert [row.move for row in rows] == [
        "movement −1",
        "movement −2, loses Fast and Handy",
        "disabled",
        "sunk",
    ]
    assert not any(box for row in rows for box in row.boxes)
    assert [row.state for row in rows] == ["present", "ahead", "ahead", "ahead"]


@pytest.mark.clause("K.D1", "K.B21")
def test_hull_is_crossed_off_first_and_then_men() -> None:
    rows = hull_rows(ANTELOPE, condition(7, 2))
    assert rows[0].boxes == ("hull",) * 6
    assert rows[1].boxes == ("hull", "men", "men", "", "")
    assert [row.state for row in rows] == ["lost", "present", "ahead", "ahead"]
    assert rows[1].words == "Step 2: 3 of 5 crossed off"


@pytest.mark.clause("K.D4")
@pytest.mark.parametrize("hits", [0, 5, 6, 10, 11, 17, 21, 22])
def test_lost_rows_match_the_steps_that_the_rules_count(hits: int) -> None:
    rows = hull_rows(ANTELOPE, condition(hits))
    assert sum(row.state == "lost" for row in rows) == RULES.at_sea.steps_lost(ANTELOPE, condition(hits))


@pytest.mark.clause("K.D6", "K.D7")
def test_fast_and_handy_are_lost_with_their_step_of_damage_and_unhandy_stays() -> None:
    card = {**ANTELOPE, "fast": True, "handy": True, "unhandy": False, "deep": False}
    before, after = (dict(qualities(card, hull_rows(card, condition(hits)))) for hits in (10, 11))
    assert before == {"Fast": False, "Handy": False}
    assert after == {"Fast": True, "Handy": True}
    clumsy = {**ANTELOPE, "unhandy": True, "deep": False}
    assert qualities(clumsy, hull_rows(clumsy, condition(17))) == [("Unhandy", False)]


@pytest.mark.parametrize("guns", [12, 34, 52, 100])
def test_every_size_of_ship_has_a_move_and_a_fire_value_for_each_row(guns: int) -> None:
    card = RULES.card(ShipFacts("England", "England", guns=guns))
    rows = hull_rows(card, None)
    assert len(rows) == card["n_steps"]
    assert sum(len(row.boxes) for row in rows) == card["hull_max"]
    assert all(row.fire and row.move for row in rows)
