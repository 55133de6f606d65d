"""Why a fleet does not land its men this morning, before which place it lies, and who may embark."""

from __future__ import annotations

import pytest

from campaign.rules.chart.types import Position
from campaign.rules.landing.boats import boats_step
from campaign.rules.landing.watch import hindrance, landing_place
from campaign.rules.state.holdings import Holdings, Watch
from campaign.rules.state.troops import Army, Troops
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(
    ("place", "watch", "guard", "silenced", "defended", "why"),
    [
        ("beach", None, 0, "", False, "new"), ("beach", Watch("beach", 25), 0, "", False, "new"),
        ("beach", Watch("beach", 24), 0, "", False, ""), ("beach", Watch("beach", 0, 25), 0, "", False, "enemy"),
        ("beach", Watch("beach", 0, 24), 0, "", False, ""), ("beach", Watch("beach", 0), 4, "", True, ""),
        ("theirs", Watch("theirs", 0), 1, "", False, "guard"), ("theirs", Watch("theirs", 0), 1, "NLD", False, "guard"),
        ("theirs", Watch("theirs", 0), 1, "ENG", False, ""), ("theirs", Watch("theirs", 0), 0, "", False, ""),
        ("theirs", Watch("theirs", 0), 1, "ENG", True, "ships"), ("theirs", Watch("theirs", 0), 0, "", True, "ships"),
    ],
)  # fmt: skip
def test_why_no_one_lands(
    place: str, watch: Watch | None, guard: int, silenced: str, defended: bool, why: str
) -> None:
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "land", place)),
        b.fleet("d", "NLD", "theirs" if defended else "n"),
    ]
    holdings = Holdings(
        watches={"e": watch} if watch else {}, silenced={"theirs": silenced} if silenced else {}
    )
    chart = s.chart(s.made(fleets, holdings=holdings, guard=guard), hour=48)
    assert hindrance(chart, chart.state.fleets["e"], place) == why


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(
    ("arrival", "position", "route", "ended", "place"),
    [
        ("land", Position("beach"), (), False, "beach"), ("embark", Position("beach"), (), False, "beach"),
        ("anchor", Position("beach"), (), False, ""), ("disembark", Position("beach"), (), False, ""),
        ("land", Position("beach"), (), True, ""), ("land", Position("beach"), ("theirs",), False, ""),
        ("land", s.OFF, ("theirs",), False, "theirs"), ("land", Position("a"), (), False, ""),
        ("land", Position("c", "beach", 1_000), (), False, ""),
    ],
)  # fmt: skip
def test_a_fleet_lies_before_the_place_where_it_is_to_land_or_take_off_men(
    arrival: str, position: Position, route: tuple[str, ...], ended: bool, place: str
) -> None:
    chart = s.chart(s.made([b.fleet("e", "ENG", "c")]))
    fleet = chart.alter(
        chart.state.fleets["e"], position=position, order=s.order("e", arrival, *route), ended=ended
    )
    assert landing_place(chart, fleet) == place


@pytest.mark.clause("G.LD1")
@pytest.mark.parametrize(("place", "aboard"), [("home", 400), ("n", 0), ("beach", 0), ("a", 0)])
def test_an_army_goes_aboard_only_in_a_port_or_anchorage_of_its_own(place: str, aboard: int) -> None:
    troops = Troops(armies={("ENG", place): Army(400)})
    chart = s.chart(s.made([b.fleet("e", "ENG", place)], [s.transport("e1")], troops=troops))
    chart.alter(chart.state.fleets["e"], order=s.order("e", "embark"))
    b.step(boats_step, chart)
    assert chart.state.troops.aboard.get("e1", 0) == aboard
