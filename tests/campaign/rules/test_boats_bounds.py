"""Boats and rations at their bounds: who is told nothing, what is shared in a morning, where men go ashore, and who feeds them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.chart.types import Position, SideFacts
from campaign.rules.landing.boats import boats_step, rations_step
from campaign.rules.state.holdings import Holdings, Watch
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.support.answers import answer_of

OURS = Holdings(owners={"theirs": "England"}, first={"theirs": "Dutch Republic"})


def boats(
    *arrivals: str, place: str = "home", tons: tuple[int, ...] = (60_000,), aboard: int = 0, **over: Any
) -> Chart:
    """English fleets e0, e1 ... at a place in the morning, each of one transport with so many men aboard."""
    fleets, ships, watches = [], [], {}
    for n, arrival in enumerate(arrivals):
        fleets.append(b.fleet(f"e{n}", "ENG", place, order=s.order(f"e{n}", arrival)))
        ships.append(s.transport(f"t{n}", fleet=f"e{n}", tons=tons[n % len(tons)]))
        watches[f"e{n}"] = Watch(place, 0)
    holdings = over.pop("holdings", Holdings()).copy()
    holdings.watches = watches
    troops = over.pop("troops", Troops()).copy()
    troops.aboard = {ship.code: aboard for ship in ships if aboard}
    return s.chart(s.made(fleets, ships, holdings=holdings, troops=troops, **over), hour=24)


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(
    ("place", "aboard", "weather", "told"),
    [
        ("beach", 0, "moderate", []), ("home", 500, "gale", []), ("home", 500, "moderate", []), ("b", 500, "gale", []),
        ("b", 500, "moderate", []), ("c", 500, "moderate", []), ("beach", 500, "gale", ["gale"]),
    ],
)  # fmt: skip
def test_only_a_fleet_with_men_to_land_on_a_hostile_coast_is_told_why_it_waits(
    place: str, aboard: int, weather: str, told: list[str]
) -> None:
    chart = boats("land", place=place, aboard=aboard, weather=b.weather(strength=weather))
    assert answer_of(boats_step, chart) == ""
    assert [row["why"] for row in s.told(chart, "landing_waits")] == told
    assert not chart.state.holdings.ashore


@pytest.mark.clause("G.LD2")
def test_a_fleet_that_finds_the_beach_full_for_the_morning_lands_no_one() -> None:
    chart = boats("land", "land", "land", place="beach", aboard=2500)
    b.step(boats_step, chart)
    rows = [(row["fleet"], row["men"], row["ashore"]) for row in s.told(chart, "landed")]
    assert rows == [("e0", 2500, 2500), ("e1", 1500, 4000)]
    assert [row["band"] for row in s.told(chart, "enemy_landed")] == ["5-9", "5-9"]
    assert not s.told(chart, "landing_waits")


@pytest.mark.clause("G.LD1")
def test_a_morning_at_a_port_is_shared_by_those_who_embark_and_apart_from_it_by_those_who_go_ashore() -> None:
    """Class 3: 2,000 men a morning each way."""
    troops = Troops(armies={("ENG", "home"): Army(9000)})
    chart = boats("embark", "embark", "embark", tons=(1000, 60_000), troops=troops)
    b.step(boats_step, chart)
    assert chart.state.troops.aboard == {"t0": 500, "t1": 1500}
    assert [(row["fleet"], row["men"], row["ashore"]) for row in s.told(chart, "embarked")] == [
        ("e0", 500, 8500), ("e1", 1500, 7000),
    ]  # fmt: skip
    ashore = boats("disembark", "disembark", "disembark", aboard=1500, troops=troops)
    b.step(boats_step, ashore)
    assert [(row["fleet"], row["men"], row["ashore"]) for row in s.told(ashore, "disembarked")] == [
        ("e0", 1500, 10_500), ("e1", 500, 11_000),
    ]  # fmt: skip


@pytest.mark.clause("G.LD1", "G.LD2")
def test_a_beach_is_shared_by_those_who_take_men_off_it_and_a_full_ship_takes_none() -> None:
    holdings = Holdings(ashore={("ENG", "beach"): 9000})
    chart = boats("embark", "embark", "embark", place="beach", tons=(2000, 0, 60_000), holdings=holdings)
    chart.state.troops.aboard["t1"] = 20
    b.step(boats_step, chart)
    assert [(row["fleet"], row["men"], row["ashore"]) for row in s.told(chart, "embarked")] == [
        ("e0", 1000, 8000), ("e2", 3000, 5000),
    ]  # fmt: skip
    assert chart.state.holdings.ashore == {("ENG", "beach"): 5000}


@pytest.mark.clause("G.LD1", "G.LD2", "G.LD4")
@pytest.mark.parametrize(
    ("place", "holdings", "men"),
    [("theirs", OURS, 2000), ("beach", Holdings(), 4000), ("beach", OURS, 4000)],
)
def test_men_ashore_in_a_port_of_their_own_embark_as_fast_as_its_army_would(
    place: str, holdings: Holdings, men: int
) -> None:
    chart = boats("embark", place=place, holdings=replace(holdings, ashore={("ENG", place): 9000}))
    b.step(boats_step, chart)
    assert chart.state.troops.aboard == {"t0": men}
    assert chart.state.holdings.ashore == {("ENG", place): 9000 - men}


@pytest.mark.clause("G.LD1")
@pytest.mark.parametrize(
    ("arrival", "position", "route", "moves"),
    [
        ("embark", Position("home"), (), True), ("embark", Position("home", "a", 1_000), (), False),
        ("embark", Position("home"), ("a",), False), ("disembark", Position("home"), (), True),
        ("disembark", Position("home", "a", 1_000), (), False), ("disembark", Position("home"), ("a",), False),
        ("disembark", Position("beach"), (), False), ("disembark", Position("theirs"), (), False),
    ],
)  # fmt: skip
def test_armies_go_aboard_and_ashore_where_a_fleet_lies_at_the_end_of_its_way_among_friends(
    arrival: str, position: Position, route: tuple[str, ...], moves: bool
) -> None:
    chart = boats(arrival, aboard=100, troops=Troops(armies={("ENG", "home"): Army(50)}))
    chart.alter(chart.state.fleets["e0"], position=position, order=s.order("e0", arrival, *route))
    b.step(boats_step, chart)
    moved = {"embark": 150, "disembark": 0}[arrival] if moves else 100
    assert chart.state.troops.aboard.get("t0", 0) == moved
    assert len(s.told(chart, f"{arrival}ed")) == moves


@pytest.mark.clause("G.LD2", "G.CO7")
@pytest.mark.parametrize(
    ("owner", "fleet", "position", "fed"),
    [
        ("Dutch Republic", "ENG", Position("a"), False), ("England", "ENG", Position("a"), True),
        ("France", "ENG", Position("a"), True), ("Korea", "ENG", Position("a"), True),
        ("Dutch Republic", "ENG", Position("theirs", "c", 1), True), ("Dutch Republic", "FRA", Position("theirs", "c", 1), True),
        ("Dutch Republic", "NLD", Position("theirs"), False),
    ],
)  # fmt: skip
def test_men_are_fed_by_a_friends_port_a_coast_of_no_side_or_ships_of_their_friends(
    owner: str, fleet: str, position: Position, fed: bool
) -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)), "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        "FRA": SideFacts("FRA", "France", ("France",)),
    }  # fmt: skip
    there = ("ENG", "theirs")
    holdings = Holdings(ashore={there: 100}, hungry={there: 1})
    made = s.made(
        [b.fleet("x", fleet, "a", position=position)], holdings=holdings, sides=sides, theirs={"owner": owner},
        allied=frozenset({frozenset(("ENG", "FRA"))}),
    )  # fmt: skip
    chart = s.chart(made, hour=24)
    b.step(rations_step, chart)
    assert chart.state.holdings.hungry == ({} if fed else {there: 1})
    assert not chart.state.events


@pytest.mark.clause("G.LD2")
def test_a_side_is_told_how_many_have_wasted_away() -> None:
    there = ("ENG", "theirs")
    chart = s.chart(s.made([b.fleet("e", "ENG", "a")], holdings=Holdings(ashore={there: 11})), hour=24)
    chart.state.holdings.hungry[there] = 24 - 14 * 24 - 1
    b.step(rations_step, chart)
    assert s.told(chart, "wasted") == [{"side": "ENG", "place": "theirs", "men": 2, "ashore": 9}]
    assert s.knows(chart, "wasted") == [("ENG",)]
