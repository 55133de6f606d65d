"""The small chart in an email: drawn from what the chart's page holds for one reader, and rendered as a PNG. Rules: G.IN1, G.SI3.

A picture is known by the digest of its drawing: readers who may know the same share one picture. Its drawing is stored with the turn's
emails; it is rendered when one is sent or looked at, outside the turn's transaction.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import resvg_py
from django.conf import settings
from django.template.loader import render_to_string

from campaign.chart_picture_paper import land_within
from campaign.chart_room import Room
from campaign.data.fonts import __path__ as fonts_path
from campaign.models import Campaign, ChartPicture, Membership, Turn
from campaign.selectors.chart.chart import chart_page
from campaign.selectors.chart.chart_marks import least_sail
from campaign.selectors.chart.drawn import ChartPage
from campaign.selectors.chart.letter_parts import contacts_title
from campaign.selectors.reports.letters import age_in_words
from campaign.selectors.sea.chart_paper import (
    LABEL_SIZES,
    label_box,
    place_marks,
    projection_of,
    scale_miles,
    units_a_mile,
)
from campaign.selectors.turn.facts import theatre_of

WIDTH, HEIGHT, BAND = 560, 360, 28  # CSS pixels; the band below the chart holds date, wind and scale
TWICE = 2  # picture pixels to a CSS pixel
LEAST_WIDTH = 300.0  # chart units: closer in than this the coast is too coarse to read
FONT = "DejaVu Serif Condensed"
MOST_PLACES, MOST_REPORTS, MOST_WORDS, MOST_LETTERS = 10, 10, 6, 26
MOST_MOVED = 3  # reports that may stand beside their spot
FINEST, SOFTEST = (
    1.0,
    5.0,
)  # smallest details drawn, in CSS pixels: of the coast, and of the shallows before it
View = tuple[float, float, float, float]
# CSS pixels of lines that are drawn in chart units.
STROKES = {"grid": 0.6, "land": 1.0, "shallows": 8.0, "route": 2.0, "dot": 0.1, "gap": 5.5}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as an SVG document, and the same in words for those who cannot see pictures."""

    svg: str
    words: str

    @property
    def digest(self) -> str:
        """SHA-256 of the drawing, by which it is kept."""
        return hashlib.sha256(self.svg.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something on the picture, in CSS pixels from its upper left corner. mark: what it is on the chart's page.

    side: where its words stand: right, left, or "" where there is no room for any. more: marks of the same kind that it stands
    for, because they would cover it. away: pixels to the spot that it marks, from where it stands.
    """

    x: float
    y: float
    mark: Any
    side: str = "right"
    more: int = 0
    away: tuple[float, float] = (0.0, 0.0)

    @property
    def spot(self) -> tuple[float, float]:
        """Where on the picture the place is that it marks."""
        return self.x + self.away[0], self.y + self.away[1]


def drawing_for(campaign: Campaign, membership: Membership, turn: Turn | None) -> Drawing | None:
    """The chart for one reader as a turn opens; None for a theatre that has no coast. It shows nothing that its page does not."""
    try:
        page = chart_page(campaign, membership, turn)
    except FileNotFoundError:
        return None
    view = view_of(page)
    scale = view[2] / WIDTH
    room = Room((0, 0, WIDTH, HEIGHT - BAND), edge=2)
    fleets = _fleets(page, view, room)
    battles = _battles(page, view, room)
    reports = _reports(page, view, room)
    units = units_a_mile(projection_of(campaign.theatre.code), view)
    miles = scale_miles(view[2] / units)
    margin = 14 * scale
    around = (view[0] - margin, view[1] - margin, view[0] + view[2] + margin, view[1] + view[3] + margin)
    context = {
        "chart": page,
        "view": view,
        "zoom": round(1 / scale, 5),
        "strokes": {name: round(pixels * scale, 3) for name, pixels in STROKES.items()},
        "land": land_within(campaign.theatre.code, around, FINEST * scale),
        "shore": land_within(campaign.theatre.code, around, SOFTEST * scale),
        "fleets": fleets,
        "reports": reports,
        "battles": battles,
        "places": _places(campaign, membership, view, room),
        "labels": _labels(page, view, room),  # after all else: they give way
        "miles": miles,
        "miles_length": round(miles * units / scale),
        **{"width": WIDTH, "height": HEIGHT, "bottom": HEIGHT - BAND, "font": FONT},
    }
    return Drawing(render_to_string("emails/_chart.svg", context), words_of(page))


def view_of(page: ChartPage) -> View:
    """The piece of the paper about the reader's own fleets, fresh reports and battles, in a picture's shape."""
    wide = WIDTH / (HEIGHT - BAND)
    marks: list[Any] = [*page.fleets, *page.battles]
    spots = [(mark.x, mark.y) for mark in marks]
    spots += [(mark.x, mark.y) for mark in page.sightings if mark.age in ("fresh", "day")]
    width = min(page.width, page.height * wide)
    if not spots:
        spots = [(page.width / 2, page.height / 2)]
    else:
        across = max(x for x, _ in spots) - min(x for x, _ in spots)
        down = max(y for _, y in spots) - min(y for _, y in spots)
        width = min(width, max(LEAST_WIDTH, 1.45 * across, 1.6 * down * wide))
    height = width / wide
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    x = min(max((min(xs) + max(xs) - width) / 2, 0.0), page.width - width)
    y = min(max((min(ys) + max(ys) - height) / 2, 0.0), page.height - height)
    return round(x, 1), round(y, 1), round(width, 1), round(height, 1)


def _seen(marks: Iterable[Any], view: View) -> list[Symbol]:
    """Those of some marks that lie in the picture, in pixels."""
    rows = [
        Symbol(
            round((mark.x - view[0]) * WIDTH / view[2], 1),
            round((mark.y - view[1]) * WIDTH / view[2], 1),
            mark,
        )
        for mark in marks
    ]
    return [row for row in rows if 2 < row.x < WIDTH - 2 and 2 < row.y < HEIGHT - BAND - 2]


def _fleets(page: ChartPage, view: View, room: Room) -> list[Symbol]:
    """Fleets, the strongest first; one that finds no room beside a stronger one is counted with the nearest."""
    shown: list[Symbol] = []
    for row in _seen(sorted(page.fleets, key=lambda mark: -mark.ships), view):
        flag = (row.x - 5, row.y - 27, row.x + 28, row.y + 5)
        length = 14 + 9.2 * len(row.mark.name[:MOST_LETTERS])
        words = [
            (row.x + 8, row.y - 8, row.x + length, row.y + 28),
            (row.x - length, row.y - 8, row.x - 8, row.y + 28),
        ]
        side = room.first(words) if room.bare(flag) else None
        if side is None and shown:
            near = min(range(len(shown)), key=lambda n: abs(shown[n].x - row.x) + abs(shown[n].y - row.y))
            shown[near] = replace(shown[near], more=shown[near].more + 1)
            continue
        room.take(flag, words[side or 0])
        shown.append(replace(row, side="left" if side == 1 else "right"))
    return shown


def _reports(page: ChartPage, view: View, room: Room) -> list[Symbol]:
    """Reports of the enemy, the newest first and of a day the greatest force; where a fleet covers one it stands beside the spot.

    Reports at the spot of one that is drawn are counted with it; those that find no room appear only on the page.
    """
    shown: list[Symbol] = []
    for row in _seen(sorted(page.sightings, key=_weight), view):
        if len(shown) >= MOST_REPORTS:
            break
        near = (abs(row.x - r.spot[0]) < 14 and abs(row.y - r.spot[1]) < 14 for r in shown)
        host = next((n for n, covers in enumerate(near) if covers), None)
        if host is not None:
            shown[host] = replace(shown[host], more=shown[host].more + row.mark.count)
            continue
        spots = [(row.x + dx, row.y + dy) for dx, dy in (BESIDE if len(shown) < MOST_MOVED else BESIDE[:1])]
        found = _ring_and_words(spots, room, 20 + 8 * max(len(row.mark.label), 10))
        if found is not None:
            (x, y), side = found
            shown.append(replace(row, x=x, y=y, side=side, away=(round(row.x - x, 1), round(row.y - y, 1))))
    return shown


def _ring_and_words(
    spots: list[tuple[float, float]], room: Room, long: float
) -> tuple[tuple[float, float], str] | None:
    """The first of some spots with room for a report's ring and its words, else for the ring; None where there is no room at all.

    long: pixels from the spot to the end of the words.
    """
    rings = [(x - 12, y - 12, x + 12, y + 12) for x, y in spots]
    for spot, ring in zip(spots, rings, strict=True):
        x, y = spot
        words = {"right": (x + 13, y - 14, x + long, y + 17), "left": (x - long, y - 14, x - 13, y + 17)}
        side = next((side for side, box in words.items() if room.free(box)), "")
        if side and room.free(ring):
            room.take(ring, words[side])
            return spot, side
    place = room.first(rings)
    if place is None:
        return None
    room.take(rings[place])
    return spots[place], ""


# Where a mark may stand that has no room at its own spot, in pixels from it.
BESIDE = ((0, 0), (0, -42), (0, 46), (44, -24), (-44, -24), (44, 30), (-44, 30), (-60, 0), (0, 70), (0, -70))


def _weight(seen: Any) -> tuple[int, int, int, int]:
    """By which reports are ordered: days since, then the least number of ships reported, the greatest first."""
    return seen.hours // 24, -least_sail(seen.band), seen.hours, seen.number


def _battles(page: ChartPage, view: View, room: Room) -> list[Symbol]:
    """Battles of late, one for those at the same spot, beside the fleet that would cover it."""
    shown: list[Symbol] = []
    for row in _seen(page.battles, view):
        if any(abs(row.x - other.spot[0]) < 30 and abs(row.y - other.spot[1]) < 30 for other in shown):
            continue
        spots = [(row.x + dx / 2, row.y + dy / 2) for dx, dy in BESIDE]
        place = room.first([(x - 9, y - 9, x + 9, y + 9) for x, y in spots])
        if place is not None:
            x, y = spots[place]
            room.take((x - 9, y - 9, x + 9, y + 9))
            shown.append(replace(row, x=x, y=y, away=(row.x - x, row.y - y)))
    return shown


def _places(campaign: Campaign, membership: Membership, view: View, room: Room) -> list[Symbol]:
    """A few places by name, the reader's ports first, where they cover neither each other nor a fleet."""
    theatre = theatre_of(campaign)
    nations = membership.side.nations if membership.side else []
    found = place_marks(theatre, projection_of(theatre.code), nations)
    shown: list[Symbol] = []
    for row in _seen(sorted(found, key=lambda place: place.tier), view):
        length = 12 + 8.3 * len(row.mark.name)
        words = [
            (row.x - 4, row.y - 10, row.x + length, row.y + 9),
            (row.x - length, row.y - 10, row.x + 4, row.y + 9),
        ]
        side = room.first(words)
        if side is not None and len(shown) < MOST_PLACES:
            room.take(words[side])
            shown.append(replace(row, side=("right", "left")[side]))
    return shown


def _labels(page: ChartPage, view: View, room: Room) -> list[dict[str, Any]]:
    """Names of seas and lands that lie whole in the picture, cover nothing and can be read."""
    zoom = WIDTH / view[2]
    kept = []
    for label in page.labels:
        size = LABEL_SIZES.get(label["kind"], 12) * zoom
        box = label_box(label, zoom, view[0], view[1])
        if size > LEAST_LETTERS and room.free(box):
            room.take(box)
            kept.append(label)
    return kept


LEAST_LETTERS = 13  # CSS pixels, spacing reckoned in: smaller ones are specks on a phone


def words_of(page: ChartPage) -> str:
    """The chart in words: "Chart of 1 June 1666, 06:00. Grand Fleet, at the Nore. Contact 1: 10–19 sail, 3 hours old." """
    fleets = sorted(page.fleets, key=lambda mark: -mark.ships)[:MOST_WORDS]
    reports = sorted((seen for seen in page.sightings if seen.age != "old"), key=lambda seen: seen.hours)
    lines = [f"Chart of {page.moment}."]
    lines += [f"{fleet.name}: {fleet.place}." for fleet in fleets]
    lines += [
        f"{contacts_title(list(seen.numbers))}: {seen.band.replace('-', '–')} sail, {age_in_words(seen.hours)}."
        for seen in reports[:MOST_WORDS]
    ]
    return " ".join(lines)


@lru_cache(maxsize=8)
def png_of(svg: str, *, times: float = TWICE) -> bytes:
    """An SVG document as a PNG at twice its size, or so many times, lettered with the project's own fonts. Raises ValueError.

    The last few are remembered: the emails of a side share one picture.
    """
    folder = Path(next(iter(fonts_path)))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=round(WIDTH * times),
            height=round(HEIGHT * times),
            skip_system_fonts=True,
            font_files=[str(path) for path in sorted(folder.glob("*.ttf"))],
            font_family=FONT,
            serif_family=FONT,
        )
    )


def content_id(picture: ChartPicture) -> str:
    """The Content-ID by which an email's HTML names a picture; the same for the same picture."""
    host = settings.SITE_URL.partition("://")[2].partition("/")[0].partition(":")[0]
    return f"chart-{picture.digest[:32]}@{host}"


def picture_png(picture: ChartPicture) -> bytes:
    """A picture as a PNG; the same bytes every time. Raises ValueError where it cannot be rendered."""
    if picture.png is not None:
        return bytes(picture.png)
    return png_of(picture.drawing)


def chart_for(campaign: Campaign, membership: Membership, turn: Turn | None) -> dict[str, Any] | None:
    """The chart for one reader as a turn opens, for the context of a letter: {"picture", "cid", "words", "width", "height"}.

    Only its drawing is kept here; `picture_png` renders it. None for a theatre that has no coast.
    """
    drawing = drawing_for(campaign, membership, turn)
    if drawing is None:
        return None
    kept, _ = ChartPicture.objects.defer("drawing", "png").get_or_create(
        campaign=campaign, digest=drawing.digest, defaults={"drawing": drawing.svg}
    )
    return {
        "picture": kept,
        "cid": content_id(kept),
        "words": drawing.words,
        "width": WIDTH,
        "height": HEIGHT,
    }
