"""Marks and words on the chart cover nothing, at any scale, on the worst chart there is."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from campaign.chart_room import Box, Room, overlap
from campaign.selectors.chart.chart_marks import ENSIGN, RING, SLOT, SWORDS, Words
from campaign.selectors.chart.drawn import ChartPage
from campaign.selectors.chart.lettering import BARB, PLACE, fleet_words, lettered, sighting_words
from campaign.selectors.sea.chart_paper import label_box
from tests.support.worst_chart import worst_chart

WHOLE = worst_chart()
VIEWS = {
    "first": (WHOLE.view, WHOLE.scale),
    "phone": (WHOLE.view, round(WHOLE.view[2] / 390, 4)),
    "channel": ((1000.0, 200.0, 300.0, 300.0), 0.3),
}


def shown(name: str) -> ChartPage:
    """The worst chart lettered for one view."""
    view, scale = VIEWS[name]
    return lettered(replace(WHOLE, view=view, scale=scale))


def about(mark: Any, box: Box, scale: float, dx: float = 0, dy: float = 0) -> Box:
    """A box about a mark's spot, on the screen."""
    x, y = mark.x / scale + dx, mark.y / scale + dy
    return x + box[0], y + box[1], x + box[2], y + box[3]


def text(words: Words, long: float, above: float, below: float) -> Box:
    """What words cover, from their first line's foot."""
    left, right = (words.x - long, words.x) if words.end else (words.x, words.x + long)
    return left, words.y - above, right, words.y + below


def letters(page: ChartPage) -> dict[str, Box]:
    """Everything that is written, with the winds and the rings of reports."""
    k = page.scale
    found = {}
    for fleet in page.fleets:
        if fleet.words and not fleet.folded:
            box = text(fleet.words, fleet_words(fleet), 12, 17)
            found[f"fleet {fleet.code}"] = about(fleet, box, k, 0, SLOT * fleet.slot)
    for seen in page.sightings:
        key = f"{seen.side} {seen.number}"
        if not seen.folded:
            found[f"ring {key}"] = about(seen, (-RING, -RING, RING, RING), k, *seen.lift)
        if seen.words and not seen.folded:
            found[f"report {key}"] = about(seen, text(seen.words, sighting_words(seen), 10, 2), k, *seen.lift)
    for wind in page.winds:
        if wind.at:
            x, y = wind.at[0] / k, wind.at[1] / k
            found[f"wind {wind.zone}"] = (x + BARB[0] + 1, y + BARB[1] + 1, x + BARB[2] - 1, y + BARB[3] - 1)
    for place in page.places:
        if not place.crowded:
            long = PLACE * len(place.name)
            found[f"place {place.code}"] = about(
                place, (-7 - long, -7, -7, 5) if place.left else (7, -7, 7 + long, 5), k
            )
    for label in page.labels:
        if not label["crowded"]:
            found[f"name {label['text']}"] = label_box(label, 1 / k)
    return found


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_that_is_written_covers_other_words_a_ring_or_a_wind(name: str) -> None:
    boxes = letters(shown(name))
    assert len(boxes) > 15
    assert [(a, b) for a, b in combinations(boxes, 2) if overlap(boxes[a], boxes[b])] == []


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_that_is_written_covers_a_fleet_or_a_battle(name: str) -> None:
    page = shown(name)
    drawn = [about(mark, ENSIGN, page.scale, 0, SLOT * mark.slot) for mark in page.fleets if not mark.folded]
    drawn += [about(mark, SWORDS, page.scale) for mark in page.battles if not mark.folded]
    assert len(drawn) >= 5
    assert [key for key, box in letters(page).items() if any(overlap(box, flag) for flag in drawn)] == []


@pytest.mark.parametrize("name", VIEWS)
def test_whatever_is_written_lies_whole_in_the_view(name: str) -> None:
    page = shown(name)
    frame = Room(
        (
            page.view[0] / page.scale,
            page.view[1] / page.scale,
            (page.view[0] + page.view[2]) / page.scale,
            (page.view[1] + page.view[3]) / page.scale,
        )
    )
    boxes = letters(page)
    assert {key.partition(" ")[0] for key in boxes} >= {"fleet", "ring", "place"}
    assert [key for key, box in boxes.items() if not key.startswith("ring ") and not frame.inside(box)] == []


def test_words_that_the_frame_would_cut_are_pushed_along_it_above_their_mark() -> None:
    mark = replace(WHOLE.fleets[0], x=20.0, y=60.0, ships=99, slot=0, name="The whole Western Squadron")
    page = replace(
        WHOLE, fleets=(mark,), sightings=(), battles=(), winds=(), places=(), labels=(),
        view=(0.0, 0.0, 300.0, 200.0), scale=1.0,
    )  # fmt: skip
    (near,) = lettered(page).fleets
    assert near.words is not None and not near.words.end, "there is room to the right"
    page = replace(page, view=(0.0, 0.0, 215.0, 200.0), fleets=(replace(mark, x=107.0),))
    (middle,) = lettered(page).fleets
    assert middle.words is not None
    box = about(middle, text(middle.words, fleet_words(middle), 12, 17), 1.0)
    assert box[0] >= 0 and box[2] <= 215
    assert not overlap(box, about(middle, ENSIGN, 1.0)), "beside the spot it would be cut off"
    (outside,) = lettered(replace(page, fleets=(replace(mark, x=-50.0),))).fleets
    assert outside.words is None, "a mark out of the frame has none pushed in"


def test_the_strongest_fleet_and_the_newest_report_keep_their_words() -> None:
    page = shown("first")
    assert max(page.fleets, key=lambda fleet: fleet.ships).words is not None
    assert page.sightings[-1].words is not None or page.sightings[-1].folded


def test_the_same_chart_is_lettered_alike_whatever_was_lettered_before() -> None:
    once = shown("channel")
    assert once == shown("channel")
    view, scale = VIEWS["channel"]
    assert lettered(replace(shown("first"), view=view, scale=scale)) == once
    fleets = list(once.fleets)
    random.Random(1).shuffle(fleets)
    mixed = lettered(replace(once, fleets=tuple(fleets)))
    assert {mark.code: mark.words for mark in mixed.fleets} == {mark.code: mark.words for mark in once.fleets}


def test_nearer_to_the_chart_fewer_marks_stand_for_others() -> None:
    folded = [sum(mark.folded for mark in shown(name).fleets) for name in ("phone", "first")]
    assert folded[0] >= folded[1] > 0


def test_a_settled_box_keeps_to_the_frame_if_it_can() -> None:
    room = Room((0, 0, 100, 100))
    assert room.settle([(90, 10, 120, 20), (10, 10, 40, 20)]) == 1, "the first would be cut off"
    assert room.settle([(10, 10, 40, 20), (90, 40, 120, 50)]) == 1, "cut off, but better than nothing"
    assert room.settle([(90, 60, 120, 70)], whole=True) is None
    assert room.settle([(30, 15, 50, 18)]) is None
    room.take((-500.0, 70.0, 500.0, 72.0))
    assert not room.bare((300, 60, 310, 71)), "what is long is found in every square that it crosses"
