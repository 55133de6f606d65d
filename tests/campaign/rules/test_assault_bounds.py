"""Assaults on ports at their bounds: who leads, when the guard is silent and speaks again, and how far a fleet is turned out."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.chart.types import FleetFacts, OnArrival, Position
from campaign.rules.landing.assaults import guards_recover, port_step
from campaign.rules.state.holdings import Assault, Holdings
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.campaign.rules.test_ports_taken import TAKEN
from tests.campaign.rules.test_raids import DEEP

BIG = {"hull": 400, "value": 40}


def off(code: str, arrival: str, side: str = "ENG", position: Position = s.OFF) -> FleetFacts:
    return b.fleet(code, side, "c", order=s.order(code, arrival, "theirs"), position=position)


def settled(*fleets: FleetFacts, assault: Assault, faces: tuple[int, ...] = (), **over: Any) -> Chart:
    """The step of the ports for an assault of earlier, of ships that a guard cannot hurt."""
    ships = [b.ship(f"{fleet.code}1", fleet.side, fleet.code, card=DEEP) for fleet in fleets]
    made = s.made(list(fleets), ships, guard=0, holdings=Holdings(assaults=(assault,)), **over)
    chart = s.chart(made, faces, hour=3)
    port_step(chart)
    return chart


@pytest.mark.clause("G.LD5")
@pytest.mark.parametrize("chief", ["e", "f"])
def test_the_raid_is_that_of_the_fleet_that_led_the_attack(chief: str) -> None:
    fleets = [off("e", "blockade"), off("f", "blockade"), off("g", "blockade")]
    chart = settled(*fleets, assault=Assault("theirs", 3, chief, ("e", "f", "g"), raid=True), faces=(1, 1))
    assert [row["fleet"] for row in s.told(chart, "raided")] == [chief]


@pytest.mark.clause("G.LD2", "G.LD5")
@pytest.mark.parametrize("raid", [True, False])
def test_an_assault_of_ships_that_are_gone_comes_to_nothing_and_one_in_battle_is_waited_for(
    raid: bool,
) -> None:
    chart = s.chart(
        s.made(
            [off("e", "blockade")],
            guard=0,
            holdings=Holdings(assaults=(Assault("theirs", 3, "e", ("e",), raid=raid),)),
        )
    )
    chart.alter(chart.state.fleets["e"], held_by="T1-b01")
    port_step(chart)
    assert chart.state.holdings.assaults and not chart.state.events
    chart.alter(chart.state.fleets["e"], held_by="", ended=True)
    port_step(chart)
    assert not chart.state.holdings.assaults and not chart.state.events


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(("arrival", "silent"), [("land", True), ("blockade", False), ("embark", False)])
def test_only_a_fleet_that_is_to_land_men_keeps_the_guard_silent(arrival: str, silent: bool) -> None:
    chart = settled(off("e", arrival), assault=Assault("theirs", 3, "e", ("e",), raid=False))
    assert chart.state.holdings.silenced == ({"theirs": "ENG"} if silent else {})
    assert s.knows(chart, "guard_silenced") == ([("ENG", "NLD")] if silent else [])
    assert not s.told(chart, "assault_failed")


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(
    ("arrival", "side", "position", "ashore", "silent"),
    [
        ("land", "ENG", s.OFF, {}, True), ("embark", "ENG", s.OFF, {}, True), ("blockade", "ENG", s.OFF, {}, False),
        ("land", "NLD", s.OFF, {}, False), ("land", "ENG", Position("c"), {}, False),
        ("blockade", "ENG", s.OFF, {("ENG", "theirs"): 1}, True), ("blockade", "ENG", s.OFF, {("ENG", "beach"): 1}, False),
        ("blockade", "ENG", s.OFF, {("NLD", "theirs"): 1}, False),
    ],
)  # fmt: skip
def test_a_guard_is_silent_while_a_fleet_lies_there_to_land_men_or_men_are_ashore(
    arrival: str, side: str, position: Position, ashore: dict[tuple[str, str], int], silent: bool
) -> None:
    holdings = Holdings(silenced={"theirs": "ENG"}, ashore=ashore)
    chart = s.chart(s.made([b.fleet("e", side, "c")], holdings=holdings))
    chart.alter(chart.state.fleets["e"], order=s.order("e", arrival, "theirs"), position=position)
    guards_recover(chart)
    assert bool(chart.state.holdings.silenced) is silent


@pytest.mark.clause("G.LD4", "G.PT1")
@pytest.mark.parametrize(
    ("position", "hour", "fights"),
    [
        (s.OFF, 4, True),
        (s.OFF, 18, False),
        (Position("c"), 4, False),
        (Position("c", "theirs", 1_000), 4, False),
    ],
)
def test_a_fleet_in_a_fallen_port_fights_by_day_who_lies_before_it(
    position: Position, hour: int, fights: bool
) -> None:
    chart = s.chart(
        s.made(
            [off("e", "blockade", position=position), b.fleet("d", "NLD", "theirs")],
            [b.ship("e1", "ENG", "e", card=BIG), b.ship("d1", "NLD", "d", card=BIG)], holdings=TAKEN, guard=4,
        ), (5,), hour=hour,
    )  # fmt: skip
    port_step(chart)
    assert [call.fleets for call in chart.state.calls] == ([{"ENG": ("e",), "NLD": ("d",)}] if fights else [])
    assert len(s.told(chart, "turned_out")) == (0 if fights else 1)


@pytest.mark.clause("G.LD4")
def test_a_fleet_that_is_turned_out_lies_off_the_port_free_to_sail_at_once() -> None:
    chart = s.chart(
        s.made([b.fleet("d", "NLD", "theirs")], [b.ship("d1", "NLD", "d", card=BIG)], holdings=TAKEN),
        (1,) * 9,
    )
    chart.alter(chart.state.fleets["d"], still_until=91)
    port_step(chart)
    fleet = chart.state.fleets["d"]
    assert (fleet.off_until, fleet.still_until, fleet.under_way, fleet.path) == (0, 0, True, ())
    assert (fleet.position.at, fleet.position.run) == ("theirs", 6_000)
    assert fleet.order.on_arrival is OnArrival.ANCHOR and fleet.order.route[0] == fleet.position.to
    near = s.chart(
        s.made(
            [b.fleet("d", "NLD", "theirs")],
            [b.ship("d1", "NLD", "d", card=BIG)],
            holdings=TAKEN,
            changed={"blockade_miles": 90},
        ),
        (1,) * 9,
    )
    port_step(near)
    position = near.state.fleets["d"].position
    assert position.run == min(90_000, near.geometry.legs["theirs", position.to].length - 1)


@pytest.mark.clause("G.LD4", "G.PT1")
def test_a_truce_keeps_the_fleets_apart() -> None:
    chart = s.chart(
        s.made(
            [off("e", "blockade"), b.fleet("d", "NLD", "theirs")],
            [b.ship("e1", "ENG", "e", card=BIG), b.ship("d1", "NLD", "d", card=BIG)], holdings=TAKEN, guard=4,
        ), (5,), hour=4,
    )  # fmt: skip
    chart.state.truces["d", "e"] = 99
    port_step(chart)
    assert not chart.state.calls and len(s.told(chart, "turned_out")) == 1
