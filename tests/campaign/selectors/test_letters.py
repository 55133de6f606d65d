"""The words of a turn report: headline, summary, places of battle, ages."""

from __future__ import annotations

import pytest

from campaign.accounts import counted
from campaign.selectors.chart.letter_parts import sections_of, sightings_told
from campaign.selectors.reports.letters import age_in_words, headline, losses_of, scene, summary


def _battles(*places: str) -> list[dict[str, str]]:
    return [{"where": scene(place)} for place in places]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("The Galloper", "off the Galloper"),
        ("Strait of Dover", "in the Strait of Dover"),
        ("Calais Road", "in Calais Road"),
        ("Off the North Foreland", "off the North Foreland"),
        ("Medway Mouth (for Chatham and Sheerness)", "off Medway Mouth"),
        ("West of the Hinder Banks", "west of the Hinder Banks"),
        ("Rolling Ground, off Harwich", "off Rolling Ground"),
        ("Offenham", "off Offenham"),
        ("Westerhever", "off Westerhever"),
        ("", ""),
    ],
)
def test_a_battle_is_named_after_its_place(place: str, words: str) -> None:
    assert scene(place) == words


def test_the_headline_is_the_most_important_event() -> None:
    seen = [{"number": 1}]

    assert headline(_battles("The Galloper"), seen, own=True) == "battle off the Galloper"
    assert headline(_battles("The Galloper", "The Galloper"), [], own=True) == "two battles off the Galloper"
    assert (
        headline(_battles("Ostend", "The Galloper"), [], own=True)
        == "two battles off Ostend and the Galloper"
    )
    assert headline(_battles("Ostend", "Dover", "Hull"), [], own=False) == "three battles"
    assert headline(_battles(""), [], own=True) == "battle"
    assert headline([], seen, own=True) == "enemy sighted"
    assert headline([], [], own=True) == "no enemy seen"


def test_an_umpire_has_no_enemy() -> None:
    told = [headline([], [{"number": n} for n in range(number)], own=False) for number in range(3)]

    assert told == ["no sightings", "contact sighted", "contacts sighted"]


@pytest.mark.parametrize(
    ("lost", "taken", "battles", "own", "words"),
    [
        (0, 0, 0, True, "There was no battle; 2 contacts were sighted."),
        (2, 1, 1, True, "There was one battle. You lost two ships and took one."),
        (0, 0, 2, True, "There were two battles. You lost no ships and took none."),
        (1, 3, 1, False, "There was one battle. One ship was destroyed; three were taken."),
    ],
)
def test_the_summary_counts_ships(lost: int, taken: int, battles: int, own: bool, words: str) -> None:
    report = {"lost": ["x"] * lost, "taken": ["y"] * taken, "sightings": [1, 2]}

    assert summary(report, battles, own=own) == words


@pytest.mark.clause("G.SI3")
@pytest.mark.parametrize(
    ("hours", "words"),
    [(0, "just in"), (1, "1 hour old"), (23, "23 hours old"), (47, "47 hours old"), (71, "2 days old")],
)
def test_a_report_ages(hours: int, words: str) -> None:
    assert age_in_words(hours) == words


def _entry(kind: str, text: str, time: str = "06:00") -> dict[str, str]:
    return {"kind": kind, "text": text, "time": time}


def test_events_appear_under_their_headings_and_long_lists_are_left_to_the_site() -> None:
    days = [
        {
            "date": "3 June 1666",
            "entries": [
                _entry("recruited", "Harwich: 19 men recruited."),
                _entry("order_refused", "An order is refused."),
                _entry("sighted", "A sail."),
                _entry("weather", "Wind."),
                _entry("repaired", "Henry is ready."),
                _entry(
                    "rode_out",
                    "The fleet meets the gale; the damaged ships throw (Henry 8 against 2): all live.",
                ),
                *(_entry("sailed", f"Fleet {n} gets under way.") for n in range(13)),
                _entry("prize_sold", "A prize is sold."),
            ],
        }
    ]

    sections = sections_of(days)

    assert [(part["title"], part["late"], len(part["rows"]), part["more"]) for part in sections] == [
        ("Orders that could not be carried out", False, 1, 0),
        ("Prizes, searches and ships sent in", False, 1, 0),
        ("Repairs and yards", False, 1, 0),
        ("Movements", True, 5, 8),
        ("News", True, 2, 0),
    ]
    assert sections[-1]["rows"][1] == {"when": "3 June, 06:00", "text": "The fleet meets the gale: all live."}
    assert sections_of([]) == []


def _seen(number: int, sail: str, time: str = "19:00") -> dict[str, object]:
    return {
        "number": number, "side": "England", "date": "3 June 1666", "time": time, "sail": sail, "where": "51° N", "course": 90,
    }  # fmt: skip


@pytest.mark.clause("G.SI3")
def test_identical_reports_appear_once_and_the_greatest_force_first() -> None:
    rows = [
        _seen(1, "a single sail"),
        _seen(9, "40 or more sail"),
        _seen(2, "a single sail"),
        _seen(3, "5–9 sail"),
    ]

    told, left = sightings_told(rows)

    assert [(row["title"], row["sail"]) for row in told] == [
        ("Contact 9", "40 or more sail"),
        ("Contact 3", "5–9 sail"),
        ("Contacts 1 and 2", "a single sail each"),
    ]
    assert left == 0


def test_the_rest_of_many_reports_is_counted() -> None:
    rows = [_seen(n, "a single sail", f"{n:02d}:00") for n in range(1, 12)]
    rows += [_seen(n, "2–4 sail") for n in range(20, 28)]

    told, left = sightings_told(rows)

    assert told[0]["title"] == "Contacts 20, 21, 22, 23, 24 and 3 more"
    assert (len(told), left) == (5, 7)
    assert sightings_told([]) == ([], 0)


@pytest.mark.parametrize(("number", "words"), [(0, "0 ships"), (1, "1 ship"), (2, "2 ships")])
def test_things_are_counted_in_english(number: int, words: str) -> None:
    assert counted(number, "ship") == words


@pytest.mark.clause("G.GF1")
def test_losses_outside_battles_are_listed_by_name() -> None:
    names = {"a": "Henry", "b": "Triumph", "ENG": "England", "NLD": "Dutch Republic"}
    events = [
        [6, "lost", "G.GF1", [], {"ship": "a", "side": "ENG", "fate": "foundered"}],
        [7, "captured", "G.BL1", [], {"ships": ["b"], "side": "ENG", "captor": "NLD"}],
        [8, "lost", "G.BT3", [], {"ship": "c", "side": "ENG", "fate": "sunk", "battle": "b01"}],
    ]

    (england,) = losses_of(None, None, events, names)

    assert england["fates"] == [
        {"fate": "foundered", "ships": "Henry"},
        {"fate": "taken by the Dutch Republic", "ships": "Triumph"},
    ]
