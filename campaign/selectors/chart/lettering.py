"""Where the marks of a chart and their words stand at one scale, so that nothing covers anything. Pure: the same chart is lettered alike.

Ensigns come first, then crossed swords, the words of fleets, the rings of reports and their words, winds, places, and last the names
of seas and lands. What finds no room is left out of the drawing; it stays in the lists beside it. The chart's script letters it again
by the same rules when the scale changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from campaign.chart_room import Box, Room
from campaign.selectors.chart.chart_marks import (
    ENSIGN,
    RING,
    SLOT,
    SWORDS,
    FleetMark,
    SightingMark,
    WindMark,
    Words,
    altered,
    folded_battles,
    folded_fleets,
    folded_sightings,
)
from campaign.selectors.chart.drawn import ChartPage
from campaign.selectors.sea.chart_paper import PlaceMark, label_box

# CSS pixels of a letter, on average.
NAME, TEXT, PLACE, OWN_PLACE = 7.8, 6.0, 6.6, 7.4
FLEET_LINE, SIGHTING_LINE = 6, 4  # from a mark's spot down to the foot of its first line
MOST_LETTERS = 28  # of a fleet's name
SHIFTS = (0, -54, 26)  # a fleet's words stand beside the spot, above the ensign or below
BARB: Box = (-34.0, -20.0, 34.0, 34.0)
BARBS_AT = ((0, -48), (0, 48), (58, 0), (-58, 0), (58, -48), (-58, -48), (58, 48), (-58, 48))


def lettered(page: ChartPage) -> ChartPage:
    """A chart with its marks folded and lettered for its own view and scale."""
    scale, (x, y, width, height) = page.scale, page.view
    room = Room((x / scale, y / scale, (x + width) / scale, (y + height) / scale))
    fleets = folded_fleets(page.fleets, scale)
    battles = folded_battles(page.battles, scale)
    drawn = [mark for mark in fleets if not mark.folded]
    room.take(*(_at(mark, ENSIGN, scale, (0, SLOT * mark.slot)) for mark in drawn))
    room.take(*(_at(mark, SWORDS, scale) for mark in battles if not mark.folded))
    named = _fleets_named(fleets, room, scale)
    sightings = _sightings_named(folded_sightings(page.sightings, room, scale), room, scale)
    return replace(
        page,
        fleets=named,
        battles=battles,
        sightings=sightings,
        winds=_winds(page.winds, room, scale),
        places=_places(page.places, room, scale),
        labels=tuple(_label(label, room, scale) for label in page.labels),
    )


def _at(mark: Any, box: Box, scale: float, by: tuple[float, float] = (0, 0)) -> Box:
    x, y = mark.x / scale + by[0], mark.y / scale + by[1]
    return x + box[0], y + box[1], x + box[2], y + box[3]


def fleet_words(mark: FleetMark) -> float:
    """Pixels of the longer line of a fleet's words."""
    more = f" +{len(mark.under)} fleets" if mark.under else ""
    return max(NAME * min(len(mark.name), MOST_LETTERS), TEXT * len(f"{mark.ships} ships{more}"))


def sighting_words(mark: SightingMark) -> float:
    """Pixels of a report's words."""
    return TEXT * len(mark.label + (f" +{len(mark.under)} more" if mark.under else ""))


def beside(long: float, gap: float, above: float, below: float) -> tuple[tuple[int, Box], tuple[int, Box]]:
    """Where words stand to the right or the left of a spot: where they begin or end, and their box about the spot."""
    right = (gap - 2, above, gap + long + 3, below)
    left = (-gap - long - 3, above, -gap + 2, below)
    return (round(gap), right), (round(-gap), left)


def _fleets_named(fleets: Iterable[FleetMark], room: Room, scale: float) -> tuple[FleetMark, ...]:
    """Fleets with their words, the strongest first served."""
    named = {}
    for mark in sorted(fleets, key=lambda fleet: (-fleet.ships, fleet.code)):
        named[mark.code] = altered(mark, words=None if mark.folded else _fleet_named(mark, room, scale))
    return tuple(named[mark.code] for mark in fleets)


def _fleet_named(mark: FleetMark, room: Room, scale: float) -> Words | None:
    """A fleet's words beside its spot, or above or below it, where an edge of the frame may push them along."""
    spots = [
        (
            Words(at, FLEET_LINE + shift, at < 0),
            _at(mark, box, scale, (0, SLOT * mark.slot + shift)),
        )
        for shift in SHIFTS
        for at, box in beside(fleet_words(mark), 9, -9, 24)
    ]
    if room.inside(_at(mark, (0, 0, 0, 0), scale)):
        for words, box in spots[2:]:
            by = room.aside(box)
            spots.append((words._replace(x=words.x + by), (box[0] + by, box[1], box[2] + by, box[3])))
    number = room.settle((box for _, box in spots), whole=True)
    return spots[number][0] if number is not None else None


def _sightings_named(
    sightings: tuple[SightingMark, ...], room: Room, scale: float
) -> tuple[SightingMark, ...]:
    """Reports with their words, the newest first served; of old ones only the ring is drawn."""
    named = []
    for mark in reversed(sightings):
        words = None
        if not mark.folded and mark.age not in ("old", "archive"):
            spots = beside(sighting_words(mark), RING + 3, -9, 7)
            number = room.settle((_at(mark, box, scale, mark.lift) for _, box in spots), whole=True)
            words = Words(spots[number][0], SIGHTING_LINE, number == 1) if number is not None else None
        named.append(altered(mark, words=words))
    return tuple(reversed(named))


def _winds(winds: Iterable[WindMark], room: Room, scale: float) -> tuple[WindMark, ...]:
    """Winds near a place of their zone, on the piece of the chart that is shown; else in words alone."""
    placed = []
    for wind in winds:
        spots = [(x + dx * scale, y + dy * scale) for x, y in wind.spots for dx, dy in BARBS_AT]
        boxes = [
            (x / scale + BARB[0], y / scale + BARB[1], x / scale + BARB[2], y / scale + BARB[3])
            for x, y in spots
        ]
        number = room.settle(boxes, whole=True)
        at = (round(spots[number][0], 1), round(spots[number][1], 1)) if number is not None else None
        placed.append(replace(wind, at=at))
    return tuple(placed)


def _places(places: Iterable[PlaceMark], room: Room, scale: float) -> tuple[PlaceMark, ...]:
    """Places, the weightiest first, each with its name to the right or the left."""
    placed = []
    for mark in places:
        long = (OWN_PLACE if mark.tier == 1 else PLACE) * len(mark.name)
        right, left = (_at(mark, box, scale) for _, box in beside(long, 7, -8, 6))
        number = room.settle((right, left), whole=True)
        placed.append(altered(mark, left=number == 1, crowded=number is None))
    return tuple(placed)


def _label(label: dict[str, Any], room: Room, scale: float) -> dict[str, Any]:
    box = label_box(label, 1 / scale)
    return {**label, "crowded": room.settle([box], whole=True) is None}
