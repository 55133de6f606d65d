"""The drawn card of Thomas's rules: quarters of flotation, groups of batteries, what is written beside them."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas.rules import RULES
from fleets.templatetags import thomas_card as t

VICTORY = RULES.card(
    ShipFacts(
        "England", "England", guns=104, tons_burthen=2142, gun_detail="30x32pdr;28x24pdr;44x12pdr;2x68pdr_carr", year_served=1805
    )
)  # fmt: skip
GALLEASSE = RULES.card(ShipFacts("Spain", "Spain", ship_type="galleass", guns=50, year_served=1588))


def condition(card: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A sound ship's, some of it changed."""
    return {**RULES.at_sea.sound(card), **changed}


@pytest.mark.clause("T.S2", "TS-9")
def test_a_line_of_flotation_boxes_ends_where_its_threshold_is_met() -> None:
    whole = VICTORY["flot_max"]
    rows = t.quarters(VICTORY, None)
    assert sum(len(row.boxes) for row in rows) == whole == 107
    ends = [27, 54, 81, 107]
    assert [sum(len(row.boxes) for row in rows[: n + 1]) for n in range(4)] == ends
    for end in ends[:3]:
        assert 4 * end >= ends.index(end) * whole + whole > 4 * (end - 1)
    assert not any(box for row in rows for box in row.boxes)
    assert [row.state for row in rows] == ["present", "ahead", "ahead", "ahead"]


@pytest.mark.clause("T.B5", "TS-9")
def test_flotation_is_crossed_off_in_order() -> None:
    rows = t.quarters(VICTORY, condition(VICTORY, flot=107 - 30))
    assert [sum(row.boxes) for row in rows] == [27, 3, 0, 0]
    assert [row.state for row in rows] == ["lost", "present", "ahead", "ahead"]
    assert rows[1].words == "Second quarter: 3 of 27 lost"
    assert [row.cost for row in rows] == ["a mast on 1–3", "a mast on 1–3", "a mast falls", "sinks"]


@pytest.mark.parametrize("points", [1, 2, 3, 5])
def test_a_ship_of_few_points_has_no_empty_rows(points: int) -> None:
    rows = t.quarters({"flot_max": points}, None)
    assert sum(len(row.boxes) for row in rows) == points
    assert all(row.boxes for row in rows)


@pytest.mark.clause("T.S4a", "T.S5", "T.B11")
def test_batteries_are_arranged_by_group_and_type_with_halves_and_losses() -> None:
    sound = t.groups(VICTORY, None)
    assert [group.name for group in sound] == ["Port", "Starboard"]
    assert [len(cell) for cell in sound[0].cells] == [1, 0, 7]
    assert sound[0].cells[0] == ((True, False),), "two carronades make half a battery"
    assert sound[0].words == "1 short; 7 long"
    hurt = t.groups(VICTORY, condition(VICTORY, batteries_lost=[0, 1, 9]))
    assert hurt[0].words == "1 short, 1 lost; 7 long, 1 lost"
    assert hurt[1].words == "1 short; 7 long, 1 lost"
    assert [group.name for group in t.groups(GALLEASSE, None)] == ["Port", "Starboard", "Ahead"]


@pytest.mark.clause("T.S6")
def test_types_say_how_far_they_reach() -> None:
    assert t.gun_types() == [("Short", "4 in"), ("Medium", "4, 8 in"), ("Long", "8, 16 in")]


@pytest.mark.clause("T.S8", "T.S9", "T.O4a")
def test_speed_and_turn_are_given_for_sails_and_for_oars() -> None:
    assert t.sails(VICTORY) == [("Under sail", "6 in, turns 45°")]
    assert t.sails(GALLEASSE) == [("Under sail", "3 in, turns 45°"), ("Under oars", "5 in, turns 90°")]


@pytest.mark.clause("T.B5d", "T.O5", "T.O6g")
def test_masts_men_and_type_are_shown() -> None:
    assert t.masts(VICTORY, condition(VICTORY, masts_lost=2)) == [True, True, False]
    assert t.crew_points(VICTORY, None) == "214"
    assert t.crew_points(VICTORY, condition(VICTORY, crew_halves=1)) == "½ of 214"
    assert t.crew_points(VICTORY, condition(VICTORY, crew_halves=300)) == "150 of 214"
    taken = condition(VICTORY, guard_halves=20, captive_halves=101)
    assert t.aboard_besides(taken) == ["prize crew 10", "captives 50½"]
    assert t.aboard_besides(condition(VICTORY)) == []
    assert t.traits(VICTORY, None) == ["ship of the line", "2,142 tons", "deep draught"]
    worn = t.traits(GALLEASSE, condition(GALLEASSE, dishonoured=True, jury_used=True))
    assert worn == ["galleasse", "800 tons", "dishonoured", "jury mast used"]


def test_guns_and_calibres_are_written_in_the_usual_way() -> None:
    assert t.guns_listed("30x32pdr; 2x68pdr_carr") == "30 × 32pdr, 2 × 68pdr carronade"
    assert t.guns_listed("") == ""
