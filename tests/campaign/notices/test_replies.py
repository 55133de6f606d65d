"""Orders in plain words: what a reply says."""

from __future__ import annotations

import pytest

from campaign.notices.replies import blocks_in, choice_in, nearest_label, places_in, tokens_in, truth_in

PLACES = {
    "galloper": ("The Galloper",),
    "sole_bay": ("Sole Bay",),
    "thames": ("Sea Reach, Thames",),
    "hinder": ("West of the Hinder Banks",),
}


def said(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Blocks as (fleet, [(field, value)])."""
    return [
        (block.fleet, [(line.field, line.value) for line in block.said])
        for block in blocks_in(text.split("\n"))
    ]


def test_several_fleets_are_distinguished_whatever_the_case_and_spaces() -> None:
    text = "Dear umpire: hello\n\nFLEET :  The Red \nstance:avoid\n  * Break off at : 40 %\n\nfleet: Blue\nON ARRIVAL: Patrol"
    assert said(text) == [
        ("The Red", [("stance", "avoid"), ("break_off", "40 %")]),
        ("Blue", [("on_arrival", "Patrol")]),
    ]


def test_orders_before_any_fleet_are_kept_but_greetings_are_not() -> None:
    assert said("Hello all: see you\nStance: avoid") == [("", [("stance", "avoid")])]
    assert said("Hello all: see you\nRegards") == []


def test_a_broken_route_continues_on_the_next_line() -> None:
    assert said("Fleet: Red\nRoute: The Galloper,\nSole Bay\nStance: hold\nor not") == [
        ("Red", [("route", "The Galloper, Sole Bay"), ("stance", "hold")])
    ]


def test_a_misspelt_label_is_accepted_but_prose_after_a_gap_is_not() -> None:
    (block,) = blocks_in(["Fleet: Red", "Stanse: hold", "", "PS: see you on Friday", "Reply token: x"])
    assert [(line.field, line.label) for line in block.said] == [("", "Stanse")]
    assert block.unread == ["PS: see you on Friday"]
    assert nearest_label("Stanse") == "Stance"
    assert nearest_label("Weather forecast of tomorrow") == ""


@pytest.mark.parametrize(
    "words",
    [
        "The Galloper, Sole Bay, Sea Reach, Thames", "galloper sole_bay".replace(" ", ";"),
        "GALLOPER - the sole bay - sea reach thames", "galloper > Sole  Bay → thames", "galloper then Sole bay",
    ],
)  # fmt: skip
def test_places_are_recognised_by_name_and_code(words: str) -> None:
    codes, unknown = places_in(words, PLACES)
    assert codes[:2] == ["galloper", "sole_bay"] and set(codes[2:]) <= {"thames"}
    assert unknown == []


def test_stay_is_the_empty_route_and_an_unknown_place_is_reported_with_the_nearest_match() -> None:
    assert places_in("Stay", PLACES) == ([], [])
    codes, unknown = places_in("Galoper, Atlantis", PLACES)
    assert codes == []
    assert unknown == [
        "“Galoper” is not a place on the chart. Did you mean The Galloper?",
        "“Atlantis” is not a place on the chart.",
    ]


def test_choices_are_recognised_by_key_label_and_unique_beginning() -> None:
    rows = [("part", "part if we can"), ("stay", "stay near the enemy"), ("start", "stay out")]
    assert choice_in("PART", rows) == "part"
    assert choice_in("part if we can", rows) == "part"
    assert choice_in("stay near", rows) == "stay"
    assert choice_in("sta", rows) is None
    assert choice_in("", rows) is None
    assert (truth_in("Yes"), truth_in("off"), truth_in("perhaps")) == (True, False, None)


def test_tokens_are_found_in_order_wherever_they_appear() -> None:
    assert tokens_in("Re: WG-3-4-abcdefgh234567ab", "> Reply token: wg-5-6-ABCDEFGH234567AB") == [
        (3, 4, "abcdefgh234567ab"),
        (5, 6, "abcdefgh234567ab"),
    ]
    assert tokens_in("WG-3-4-short") == []


def test_a_route_has_a_limit_of_places_and_only_its_first_misspellings_are_guessed() -> None:
    """Each guess looks at every name on the chart; a mail full of slips would take minutes."""
    codes, unknown = places_in(", ".join(["Galoper"] * 5), PLACES)
    assert codes == [] and [("Did you mean" in words) for words in unknown] == [True] * 3 + [False] * 2
    assert places_in(" - ".join(["Sole Bay", "The Galloper"] * 30), PLACES) == (
        ["sole_bay", "galloper"] * 30,
        [],
    )
    assert places_in(" - ".join(["Sole Bay"] * 61), PLACES) == (
        [],
        ["A route can name up to 60 places. Shorten it."],
    )
