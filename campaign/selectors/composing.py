"""The pages on which a side's ships are composed into fleets: who may, which theatres there are, and the chart with its places."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import User

from campaign.models import Theatre
from campaign.rules.chart import types as t
from campaign.selectors.people.access import may_start_campaigns
from campaign.selectors.sea.chart_paper import PlaceMark, coast_digest, focus, place_marks, projection_of
from campaign.selectors.turn.facts import pure_theatre
from fleets.compositions import Plan
from fleets.selectors.registers import compositions_of, register_sides

if TYPE_CHECKING:
    from fleets.models import Register

EDITORS = "fleets.change_registerentry"
_KINDS = (
    (t.PlaceKind.PORT, "Ports"),
    (t.PlaceKind.ANCHORAGE, "Anchorages"),
    (t.PlaceKind.STRAIT, "Straits"),
    (t.PlaceKind.SHOAL_COAST, "Shoal coasts"),
    (t.PlaceKind.SEA_AREA, "At sea"),
)


def may_compose(user: User) -> bool:
    """Whether a person may compose fleets: register editors, and whoever may start campaigns."""
    return may_start_campaigns(user) or user.has_perm(EDITORS)


@dataclass(frozen=True, slots=True)
class SideRow:
    """A side of a register in one theatre. by: who composed it, "" for no one yet. history: whether it begins as an opening says."""

    side: str
    ships: int
    theatre: Theatre
    fleets: int
    by: str
    history: bool


def side_rows(register: Register, planned: Callable[[str], Collection[str]]) -> list[SideRow]:
    """Every side of a register in every theatre, those first that fit its year. planned: the sides that openings of a theatre know.

    A fixed number of queries.
    """
    sides = register_sides(register)
    made = {(row.side, row.theatre): row for row in compositions_of(register)}
    theatres = sorted(
        Theatre.objects.offered(),
        key=lambda one: (one.start_date[:4] != str(register.year), one.start_date, one.code),
    )
    rows = []
    for theatre in theatres:
        known = planned(theatre.code)
        for side, ships in sides:
            found = made.get((side, theatre.code))
            fleets = len(found.document.get("fleets", ())) if found is not None else 0
            rows.append(SideRow(side, ships, theatre, fleets, found.by if found else "", side in known))
    return rows


def place_choices(theatre: t.Theatre) -> list[tuple[str, list[tuple[str, str]]]]:
    """The places of a theatre to choose from, by kind; ports with their owners."""
    places = sorted(theatre.places.values(), key=lambda place: place.name)
    return [
        (
            title,
            [(p.code, f"{p.name} ({p.owner})" if p.owner else p.name) for p in places if p.kind is kind],
        )
        for kind, title in _KINDS
        if any(p.kind is kind for p in places)
    ]


@dataclass(frozen=True, slots=True)
class ComposingChart:
    """The theatre's chart with its places. view: x, y, width, height. scale: chart units to a CSS pixel.

    places: each with the names of the fleets that lie there, "" for none; those with fleets come last, above the others.
    """

    theatre: str
    coast: str
    width: float
    height: float
    view: tuple[float, float, float, float]
    scale: float
    places: tuple[tuple[PlaceMark, str], ...]


def composing_chart(theatre: Theatre, plan: Plan) -> ComposingChart | None:
    """The chart of a theatre, None where it has no coast to draw."""
    pure = pure_theatre(theatre)
    try:
        paper, digest = projection_of(theatre.code), coast_digest(theatre.code)
    except FileNotFoundError:
        return None
    marks = place_marks(pure, paper, ())
    view = focus([(mark.x, mark.y) for mark in marks], paper.width, paper.height)
    there: dict[str, list[str]] = {}
    for fleet in plan.fleets:
        there.setdefault(fleet.place, []).append(fleet.name)
    places = sorted(
        ((mark, ", ".join(there.get(mark.code, ()))) for mark in marks), key=lambda row: bool(row[1])
    )
    return ComposingChart(
        theatre.code,
        digest,
        paper.width,
        round(paper.height, 1),
        view,
        round(view[2] / 420, 3),
        tuple(places),
    )
