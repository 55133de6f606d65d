"""A piece of the chart about the place of a battle, to print: coast, names and places, and nothing that anyone has seen there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from campaign.chart_picture_paper import land_within
from campaign.chart_room import Room
from campaign.models import Campaign, Contact
from campaign.selectors.sea.chart_paper import (
    LEAST_VIEW,
    PlaceMark,
    focus,
    place_marks,
    projection_of,
    scale_miles,
    units_a_mile,
)
from campaign.selectors.turn.facts import theatre_of

_FINEST = 0.5  # chart units: the smallest detail of the coast that is drawn
_ACROSS = 300  # units of the letters to the width of the extract
_LETTER, _LINE, _DOT, _MARK, _SWORDS = 4.2, 8.0, 3.0, 2.0, 9.0  # of these units


@dataclass(frozen=True, slots=True)
class Extract:
    """A square piece of a chart in chart units. view: left, top, width, height. land: path data. x, y: of the battle.

    unit: a three-hundredth of its width, for letters and lines. miles_length: of a bar of so many miles.
    """

    view: tuple[float, float, float, float]
    land: str
    x: float
    y: float
    places: tuple[PlaceMark, ...]
    unit: float
    miles: int
    miles_length: float


def battle_extract(campaign: Campaign, contact: Contact) -> Extract | None:
    """The chart about a battle; None for a theatre that has no coast."""
    theatre = theatre_of(campaign)
    try:
        paper = projection_of(theatre.code)
    except FileNotFoundError:
        return None
    x, y = paper.to_xy(contact.latitude / 100, contact.longitude / 100)
    view = focus([(x, y)], paper.width, paper.height, least=LEAST_VIEW)
    left, top, width, height = view
    units = units_a_mile(paper, view)
    miles = scale_miles(width / units)
    there = [
        place
        for place in place_marks(theatre, paper, ())
        if left < place.x < left + width and top < place.y < top + height
    ]
    places = _lettered(there, (x, y), view)
    land = land_within(theatre.code, (left, top, left + width, top + height), _FINEST)
    return Extract(
        view,
        land,
        round(x, 1),
        round(y, 1),
        places,
        round(width / _ACROSS, 3),
        miles,
        round(miles * units, 1),
    )


def _lettered(
    places: Iterable[PlaceMark], battle: tuple[float, float], view: tuple[float, float, float, float]
) -> tuple[PlaceMark, ...]:
    """The places, each with its name to the right, to the left, or without it where it would cover another or the battle."""
    scale = _ACROSS / view[2]
    room = Room((0, 0, _ACROSS, _ACROSS))
    x, y = (battle[0] - view[0]) * scale, (battle[1] - view[1]) * scale
    room.take((x - _SWORDS, y - _SWORDS, x + _SWORDS, y + _SWORDS))
    made = []
    places = tuple(places)
    for place in places:
        x, y = (place.x - view[0]) * scale, (place.y - view[1]) * scale
        room.take((x - _MARK, y - _MARK, x + _MARK, y + _MARK))
    for place in places:
        x, y = (place.x - view[0]) * scale, (place.y - view[1]) * scale
        long = _LETTER * len(place.name) + _DOT
        boxes = [
            (x + _MARK, y - _LINE / 2, x + long, y + _LINE / 2),
            (x - long, y - _LINE / 2, x - _MARK, y + _LINE / 2),
        ]
        at = room.settle(boxes, whole=True)
        made.append(replace(place, left=at == 1, crowded=at is None))
    return tuple(made)
