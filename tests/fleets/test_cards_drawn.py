"""Cards as they are printed: what is crossed off is drawn with strokes, for browsers print no backgrounds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler.rules import RULES as KOHLER
from battles.engine.rulesets.thomas.rules import RULES as THOMAS

ANTELOPE = KOHLER.card(ShipFacts("England", "England", guns=52, tons_burthen=734, broadside_lb=400))
VICTORY = THOMAS.card(
    ShipFacts(
        "England", "England", guns=104, tons_burthen=2142, gun_detail="30x32pdr;28x24pdr;44x12pdr;2x68pdr_carr", year_served=1805
    )
)  # fmt: skip
CROSS = r'<svg class="[^"]*\b{kind}\b[^"]*\bhull"[^>]*><path class="cross" d="M[^"]+"/></svg>'
STYLES = Path(__file__).resolve().parents[2] / "fleets" / "static" / "fleets" / "ships.css"


def drawn(rule_set: str, card: dict[str, Any], condition: dict[str, Any] | None) -> str:
    """A card as its template draws it."""
    return render_to_string(
        f"fleets/cards/{rule_set}.html", {"name": "Antelope", "card": card, "condition": condition}
    )


def strokes(html: str, kind: str = "box") -> int:
    """How many boxes of a kind are crossed off by a drawing."""
    return len(re.findall(CROSS.format(kind=kind), html))


@pytest.mark.clause("K.D1", "K.B21")
@pytest.mark.parametrize(("hull", "men"), [(0, 0), (1, 0), (7, 2), (22, 0)])
def test_a_kohler_card_has_as_many_crosses_and_slashes_as_its_condition_says(hull: int, men: int) -> None:
    condition = {"schema": 1, "hits_struct": hull, "hits_board": men, "flag_officer_ok": True}
    html = drawn("kohler", ANTELOPE, condition)
    assert strokes(html) == hull
    assert len(re.findall(r'<svg class="box men"[^>]*><path class="slash" d="M[^"]+"/></svg>', html)) == men
    assert html.count('<i class="box"></i>') == ANTELOPE["hull_max"] - hull - men


@pytest.mark.clause("K.D1")
def test_an_officer_out_of_action_is_crossed_off_and_a_card_without_a_history_has_no_stroke() -> None:
    condition = {"schema": 1, "hits_struct": 0, "hits_board": 0, "flag_officer_ok": False}
    assert drawn("kohler", ANTELOPE, condition).count('<svg class="tick on"') == 1
    assert "<path" not in drawn("kohler", ANTELOPE, None)


@pytest.mark.clause("T.B5", "T.B11", "TS-9")
def test_a_thomas_card_crosses_off_flotation_batteries_and_masts() -> None:
    sound = THOMAS.at_sea.sound(VICTORY)
    assert strokes(drawn("thomas", VICTORY, sound)) == 0
    hurt = {**sound, "flot": VICTORY["flot_max"] - 30, "batteries_lost": [0, 2, 5], "masts_lost": 2}
    html = drawn("thomas", VICTORY, hurt)
    assert strokes(html, "small") == 30
    assert strokes(html) == 30 + 3
    assert html.count('<svg class="tick on"') == 2


def test_nothing_crossed_off_depends_on_a_background() -> None:
    rules = re.findall(r"([^{}]+)\{([^}]*)\}", STYLES.read_text())
    crossed = [body for names, body in rules if re.search(r"\.(hull|men|on)\b", names)]
    assert crossed and not any("background" in body for body in crossed)
