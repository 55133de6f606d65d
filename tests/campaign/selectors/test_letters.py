"""The words of a letter: headline, summary, places of battle, ages."""

from __future__ import annotations

import pytest

from campaign.selectors.letters import age_in_words, headline, off, summary


def _battles(*places: str) -> list[dict[str, str]]:
    return [{"where": off(place)} for place in places]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("The Galloper", "off the Galloper"),
        ("Off the North Foreland", "off the North Foreland"),
        ("Medway mouth (for Chatham and Sheerness)", "off Medway mouth"),
        ("West of the Hinder banks", "west of the Hinder banks"),
        ("Rolling Ground, off Harwich", "off Rolling Ground"),
        ("Offenham", "off Offenham"),
        ("Westerhever", "off Westerhever"),
        ("", ""),
    ],
)
def test_a_battle_is_named_after_its_place(place: str, words: str) -> None:
    assert off(place) == words


def test_the_headline_is_the_weightiest_thing_that_happened() -> None:
    seen = [{"number": 1}]

    assert headline(_battles("The Galloper"), seen) == "battle off the Galloper"
    assert headline(_battles("The Galloper", "The Galloper"), []) == "2 battles off the Galloper"
    assert headline(_battles("Ostend", "The Galloper"), []) == "2 battles off Ostend and off the Galloper"
    assert headline(_battles("Ostend", "Dover", "Hull"), []) == "3 battles"
    assert headline(_battles(""), []) == "battle"
    assert headline([], seen) == "the enemy sighted"
    assert headline([], []) == "no enemy seen"


@pytest.mark.parametrize(
    ("lost", "taken", "battles", "own", "words"),
    [
        (0, 0, 0, True, "There was no battle; 2 contacts sighted."),
        (2, 1, 1, True, "There was one battle. You lost 2 ships and took one ship."),
        (0, 0, 2, True, "There were 2 battles. You lost no ship and took no ship."),
        (1, 3, 1, False, "There was one battle. One ship destroyed, 3 ships taken."),
    ],
)
def test_the_summary_counts_ships(lost: int, taken: int, battles: int, own: bool, words: str) -> None:
    report = {"lost": ["x"] * lost, "taken": ["y"] * taken, "sightings": [1, 2]}

    assert summary(report, battles, own=own) == words


@pytest.mark.clause("G.SI3")
@pytest.mark.parametrize(
    ("hours", "words"),
    [(0, "just in"), (1, "1 hour old"), (23, "23 hours old"), (24, "1 day old"), (71, "2 days old")],
)
def test_a_report_ages(hours: int, words: str) -> None:
    assert age_in_words(hours) == words
