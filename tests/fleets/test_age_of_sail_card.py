"""The card page of Age of Sail: boxes for decks, masts and hull, what is lost drawn as crosses."""

from __future__ import annotations

from typing import Any

from django.template.loader import get_template

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.age_of_sail.rules import RULES
from fleets.templatetags.age_of_sail_card import box_rows, reaching, rig

CARD = RULES.card(ShipFacts("Spain", "Spain", "frigate", guns=20, year_built=1740))
HURT = {**RULES.at_sea.sound(CARD), "decks_port": 0, "sent_port": 1, "hull": 2, "masts": [0, 1, 2]}


def page(condition: dict[str, Any] | None) -> str:
    shown = {"name": "Astrea", "card": CARD, "condition": condition}
    return get_template("fleets/cards/age_of_sail.html").render(shown)


def test_boxes_are_whole_lost_or_away_with_a_prize() -> None:
    assert [row.boxes for row in box_rows(CARD, HURT)] == [("sent", "lost"), ("", ""), ("", "", "lost")]
    assert [row.words for row in box_rows(CARD, HURT)][0] == "0 of 2 left, 1 away with a prize"
    assert [(mast.name, mast.value, mast.state) for mast in rig(CARD, HURT)] == [
        ("Foremast", 1, "lost"), ("Mainmast", 2, "jury"), ("Mizzenmast", 1, "")
    ]  # fmt: skip


def test_what_is_lost_is_drawn_as_lines_so_that_it_prints() -> None:
    sound, hurt = page(None), page(HURT)
    # the key of the card shows one of each stroke
    assert (sound.count("<svg"), hurt.count("<svg")) == (2, 6)
    assert sound.count('<i class="box">') == 7
    assert "jury mast, half value" in hurt and "jury mast, half value" not in sound


def test_the_card_says_how_far_the_ship_goes_in_every_wind() -> None:
    assert dict(reaching(CARD)) == {
        "Close hauled, 45°": [1, 4, 8, 12, 16, 20, 24],
        "Reaching, 67.5° to 135°": [8, 12, 16, 20, 24, 28, 32],
        "Running": [4, 8, 12, 16, 20, 24, 28],
    }
