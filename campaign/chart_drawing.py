"""The marks of the chart's page as SVG: places, reports, battles and fleets, as `templates/campaign/_chart.svg` sets them in.

Written in Python, since hundreds of marks with some twenty figures each took a template most of the page's time. What a mark may show
was decided before: nothing here asks who reads. Lengths are chart units; within a mark, which is scaled, CSS pixels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape

from django.utils.safestring import SafeString

from campaign.selectors.chart.chart_marks import (
    SLOT,
    BattleMark,
    FleetMark,
    SightingMark,
    Words,
)
from campaign.selectors.chart.lettering import MOST_LETTERS
from campaign.selectors.sea.chart_paper import PlaceMark

ENSIGNS = frozenset({"ENG", "GBR", "NLD", "FRA", "ESP", "JPN", "RUS"})
_COURSE = '<g transform="rotate({})"><path class="vector" d="{}"/></g>'
_SWORDS = "M-11 11 9-9l3-3M11 11-9-9l-3-3M-12 6l6 6M12 6l-6 6M-9 9l-3 4M9 9l3 4"


def ensign_of(side_code: str) -> str:
    """Id of the ensign that a side's fleets wear on the chart."""
    return f"ensign-{side_code if side_code in ENSIGNS else 'plain'}"


def fleet_short(name: str, most: int) -> str:
    """A fleet's name in a number of letters: the number that tells it from its namesakes is never cut off."""
    if len(name) <= most:
        return name
    found = re.search(r" \(\d+\)$", name)
    number = found.group() if found else ""
    return f"{name[: most - 1 - len(number)].rstrip()}…{number}"


def places_drawn(places: Iterable[PlaceMark], scale: float) -> SafeString:
    """Places with their names. scale: chart units to a CSS pixel."""
    return SafeString(
        "".join(
            f'<g class="place tier{place.tier} {place.kind}{" crowded" if place.crowded else ""}" data-code="{escape(place.code)}"'
            f' transform="translate({place.x} {place.y})"><title>{escape(place.title)}</title>'
            f'<g class="mark" transform="scale({scale})"><circle class="hit" r="9"/>'
            f'<circle class="dot" r="{"1.8" if place.tier == 3 else "3"}"/>'
            f'<text class="place-name" x="{-7 if place.left else 7}" y="4"{_END if place.left else ""}>{escape(place.name)}</text></g></g>'
            for place in places
        )
    )


_END = ' text-anchor="end"'


def sightings_drawn(sightings: Iterable[SightingMark], scale: float, *, sides: bool) -> SafeString:
    """Reports, the oldest first. sides: say whose each is, for the umpire."""
    return SafeString(
        "".join(_sighting(seen, weight, scale, sides) for weight, seen in enumerate(sightings, 1))
    )


def _sighting(seen: SightingMark, weight: int, scale: float, sides: bool) -> str:
    line, count, side = seen.line, seen.count, escape(seen.side)
    line = f"{side}: {escape(line)}" if sides else escape(line)
    lift = f"{seen.lift[0]} {seen.lift[1]}"
    course = _COURSE.format(seen.course, "M0-9V-26M-4-20 0-27 4-20") if seen.course is not None else ""
    more = f" +{len(seen.under)} more" if seen.under else ""
    return (
        f'<g class="sighting {seen.age}{_out_of_sight(seen)}" data-side="{side}" data-numbers="{" ".join(map(str, seen.numbers))}"'
        f' data-weight="{weight}" data-count="{count}" data-line="{line}" transform="translate({seen.x} {seen.y})">'
        f'{_title(line, seen.under)}<g class="mark" transform="scale({scale})"><path class="leader" d="M0 0L{lift}"/>'
        f'<g class="lifted" transform="translate({lift})">{course}'
        f'{_OUTER_RING if count > 1 else ""}<circle class="ring" r="9"/>'
        f'<text class="band" y="4">{count if count > 1 else seen.number}</text><g class="words"{_words_at(seen.words)}>'
        f'<text class="strength">{escape(seen.label)}<tspan class="more">{more}</tspan></text></g></g></g></g>'
    )


_OUTER_RING = '<circle class="ring outer" r="12"/>'


def battles_drawn(battles: Iterable[BattleMark], scale: float, path: Callable[[str], str]) -> SafeString:
    """Battles, each a link. path: the address of a battle's page, by its code."""
    return SafeString(
        "".join(
            f'<a class="battle{" folded" if battle.folded else ""}" href="{escape(path(battle.code))}" data-weight="{weight}"'
            f' data-count="1" data-line="{escape(battle.line)}" transform="translate({battle.x} {battle.y})">'
            f'{_title(escape(battle.line), battle.under)}<g class="mark" transform="scale({scale})">'
            f'<g class="swords" transform="translate(-26 0)"><circle class="hit" r="18"/><path d="{_SWORDS}"/></g></g></a>'
            for weight, battle in enumerate(battles, 1)
        )
    )


def fleets_drawn(fleets: Iterable[FleetMark], scale: float, path: Callable[[str], str] | None) -> SafeString:
    """Fleets, each a link. path: the address of a fleet's page, by its code; None where its readers have none."""
    return SafeString("".join(_fleet(fleet, scale, path) for fleet in fleets))


def _fleet(fleet: FleetMark, scale: float, path: Callable[[str], str] | None) -> str:
    line, down, others = escape(fleet.line), SLOT * fleet.slot, len(fleet.under)
    href = f' href="{escape(path(fleet.code))}"' if path is not None else ""
    leader = f'<path class="leader" d="M0 0V{down}"/>' if fleet.slot else ""
    course = _COURSE.format(fleet.course, "M0-6V-36M-5-29 0-38 5-29") if fleet.course is not None else ""
    ships = f"{fleet.ships} ship{'' if fleet.ships == 1 else 's'}"
    more = f" +{others} fleet{'' if others == 1 else 's'}" if others else ""
    return (
        f'<a class="fleet {escape(fleet.colour)}{_out_of_sight(fleet)}"{href} data-code="{escape(fleet.code)}"'
        f' data-side="{escape(fleet.side)}" data-weight="{fleet.ships}" data-count="1" data-line="{line}"'
        f' transform="translate({fleet.x} {fleet.y})">{_title(line, fleet.under)}<g class="mark" transform="scale({scale})">'
        f'{leader}<g class="standing" transform="translate(0 {down})"><circle class="hit" r="22"/>{course}'
        f'<circle class="anchor-dot" r="4.5"/><path class="staff" d="M0 0V-26"/>'
        f'<use href="#{ensign_of(fleet.side)}" x="0" y="-26" width="24" height="16"/><g class="words"{_words_at(fleet.words)}>'
        f'<text class="fleet-name">{escape(fleet_short(fleet.name, MOST_LETTERS))}</text>'
        f'<text class="fleet-strength" y="14">{ships}<tspan class="more">{more}</tspan></text></g></g></g></a>'
    )


def _out_of_sight(mark: FleetMark | SightingMark) -> str:
    """Classes of a mark that another stands for, and of one without words."""
    return f"{' folded' if mark.folded else ''}{'' if mark.words else ' crowded'}"


def _title(line: str, under: Iterable[str]) -> str:
    """What a mark is, and line by line what is under it. line: as markup."""
    return f"<title>{''.join([line, *(f'{chr(10)}{escape(other)}' for other in under)])}</title>"


def _words_at(words: Words | None) -> str:
    """Attributes that put a mark's words in their place."""
    if words is None:
        return ""
    return f' transform="translate({words.x} {words.y})"{_END if words.end else ""}'
