"""The marks of the chart's page as SVG: all of them, well formed, and nothing of a name read as markup."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from campaign.chart_drawing import battles_drawn, fleets_drawn, places_drawn, sightings_drawn
from campaign.selectors.chart.chart_marks import BattleMark
from tests.support.worst_chart import worst_chart

CHART = worst_chart()
NASTY = "Tromp's \"<b>&amp;"


def marks(svg: str) -> list[ElementTree.Element]:
    """The marks of a drawing. Raises ParseError where it is not well formed."""
    return list(ElementTree.fromstring(f"<g>{svg}</g>"))


def test_every_mark_is_drawn_with_its_line_as_its_title() -> None:
    for svg, rows in (
        (sightings_drawn(CHART.sightings, 1.5, sides=False), CHART.sightings),
        (fleets_drawn(CHART.fleets, 1.5, None), CHART.fleets),
    ):
        lines = [mark.get("data-line") for mark in marks(svg)]
        assert lines == [row.line for row in rows]
        assert [(mark[0].text or "").split("\n")[0] for mark in marks(svg)] == lines
    assert len(marks(places_drawn(CHART.places, 1.5))) == len(CHART.places)


def test_names_are_text_wherever_they_are_set_in() -> None:
    fleet = replace(CHART.fleets[0], code=NASTY, name=NASTY, side=NASTY, under=(NASTY,))
    seen = replace(CHART.sightings[0], side=NASTY, under=(NASTY,))
    place = replace(CHART.places[0], code=NASTY, name=NASTY, title=NASTY)
    battle = BattleMark("B1", NASTY, 1.0, 2.0, under=(NASTY,))
    for svg in (
        fleets_drawn([fleet], 1.5, lambda code: f"/{code}/"),
        sightings_drawn([seen], 1.5, sides=True),
        places_drawn([place], 1.5),
        battles_drawn([battle], 1.5, lambda code: f"/{code}/"),
    ):
        (mark,) = marks(svg)
        assert NASTY in " ".join([*mark.itertext(), *mark.attrib.values()])
        assert mark.find(".//b") is None


def test_only_the_umpire_reads_whose_a_report_is_and_only_members_have_links() -> None:
    seen, fleet = CHART.sightings[0], CHART.fleets[0]
    for sides in (True, False):
        (mark,) = marks(sightings_drawn([seen], 1.5, sides=sides))
        assert (mark.get("data-line") or "").startswith(f"{seen.side}: ") is sides
    (linked,) = marks(fleets_drawn([fleet], 1.5, lambda code: f"/fleets/{code}/"))
    (bare,) = marks(fleets_drawn([fleet], 1.5, None))
    assert (linked.get("href"), bare.get("href")) == (f"/fleets/{fleet.code}/", None)
