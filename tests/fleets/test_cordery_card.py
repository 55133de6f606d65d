"""Cordery's card as it is printed: the row of flotation points with its critical point, systems, dice."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.cordery.rules import RULES
from fleets.selectors.cards import CardNote
from fleets.templatetags import cordery_card

FACTS = ShipFacts("A", "A", "battleship", year_built=1895)
CARD = RULES.card(FACTS)
GUNBOAT = RULES.card(ShipFacts("A", "A", "gunboat", overrides={"variant": "gunboat"}))
HURT = {**RULES.at_sea.sound(CARD), "fp": 5, "turret_fore": False, "engines_hit": True}


def page(card: object, condition: object) -> str:
    return render_to_string(
        "fleets/cards/cordery.html", {"name": "Fuji", "card": card, "condition": condition}
    )


@pytest.mark.clause("C.N1", "C.D1", "C.D2")
def test_the_card_has_a_box_for_each_point_and_a_stroke_where_the_ship_breaks_off() -> None:
    points = cordery_card.flotation(CARD, HURT)
    assert [point.lost for point in points] == [True] * 7 + [False] * 5
    assert [n for n, point in enumerate(points, 1) if point.last] == [6], "six points are lost, six are left"
    assert not any(point.lost for point in cordery_card.flotation(CARD, None))


@pytest.mark.clause("C.G2", "C.G3")
def test_the_dice_are_given_by_bands_of_range() -> None:
    assert cordery_card.dice_row(CARD, "main") == [("1–3", 3), ("4–6", 2), ("7–9", 1)]
    assert cordery_card.dice_row(CARD, "secondary") == [("1–3", 2), ("4–5", 1)]
    assert cordery_card.dice_row(GUNBOAT, "secondary") == []


def test_a_damaged_ship_is_crossed_off_in_drawn_lines_and_said_in_words() -> None:
    shown = page(CARD, HURT)
    assert shown.count("box hull") == 7 and shown.count('class="critical-point"') == 1
    assert "5 of 12 points left" in " ".join(shown.split())
    assert shown.count(": out of action") == 2 and "Breaking off" in shown
    assert "style=" not in shown
    assert "Breaking off" not in page(CARD, {**HURT, "fp": 0}), "a ship that has sunk"
    whole = page(CARD, None)
    assert "box hull" not in whole and "out of action" not in whole and "Breaking off" not in whole


def test_a_variant_card_shows_only_what_it_has() -> None:
    shown = page(GUNBOAT, RULES.at_sea.sound(GUNBOAT))
    assert "Gunboat" in shown and "Fore turret" in shown
    assert "Aft turret" not in shown and "Secondary" not in shown and "Torpedoes" not in shown


def test_flotation_points_are_named_in_full_where_the_figures_come_from() -> None:
    assert CardNote("fp", "C.N1", "").label == "Flotation points"
    assert CardNote("turret_fore", "C.N2", "").label == "Fore turret"
