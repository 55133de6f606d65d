"""Assaults on ports at their bounds: who leads, when the guard is silent and speaks again, and how far a fleet is turned out."""

from __future__ import annotations

from dataclasses import replace
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
from tests.support.answers import answer_of

BIG = {"hull": 400, "value": 40}


def off(code: str, arrival: str, side: str = "ENG", position: Position = s.OFF) -> FleetFacts:
    return b.fleet(code, side, "c", order=s.order(code, arrival, "theirs"), position=position)


def settled(*fleets: FleetFacts, assault: Assault, faces: tuple[int, ...] = (), **over: Any) -> Chart:
    """The step of the ports for an assault of earlier, of ships that a guard cannot hurt."""
    ships = [b.ship(f"{fleet.code}1", fleet.side, fleet.code, card=DEEP) for fleet in fleets]
    made = s.made(list(fleets), ships, guard=0, holdings=Holdings(assaults=(assault,)), **over)
    chart = s.chart(made, faces, hour=3)
    b.step(port_step, chart)
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
    b.step(port_step, chart)
    assert chart.state.holdings.assaults and not chart.state.events
    chart.alter(chart.state.fleets["e"], held_by="", ended=True)
    b.step(port_step, chart)
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
    b.step(port_step, chart)
    assert [call.fleets for call in chart.state.calls] == ([{"ENG": ("e",), "NLD": ("d",)}] if fights else [])
    assert len(s.told(chart, "turned_out")) == (0 if fights else 1)


@pytest.mark.clause("G.LD4")
def test_a_fleet_that_is_turned_out_lies_off_the_port_free_to_sail_at_once() -> None:
    chart = s.chart(
        s.made([b.fleet("d", "NLD", "theirs")], [b.ship("d1", "NLD", "d", card=BIG)], holdings=TAKEN),
        (1,) * 9,
    )
    chart.alter(chart.state.fleets["d"], still_until=91)
    b.step(port_step, chart)
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
    b.step(port_step, near)
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
    b.step(port_step, chart)
    assert not chart.state.calls and len(s.told(chart, "turned_out")) == 1


@pytest.mark.clause("G.LD2", "G.LD5")
@pytest.mark.parametrize("raid", [True, False])
def test_an_assault_on_a_port_that_has_fallen_meanwhile_is_over_without_a_word(raid: bool) -> None:
    chart = s.chart(s.made([off("e", "blockade")], holdings=TAKEN))
    chart.state.holdings.assaults = (Assault("theirs", 3, "e", ("e",), raid=raid),)
    b.step(port_step, chart)
    assert not chart.state.holdings.assaults and not chart.state.events


@pytest.mark.clause("G.LD2", "G.LD5")
@pytest.mark.parametrize("raid", [True, False])
def test_an_assault_has_failed_when_no_ship_of_it_can_fight_any_more(raid: bool) -> None:
    wreck = b.ship("e1", "ENG", "e", condition={"lost": 20})
    chart = s.chart(s.made([off("e", "land")], [wreck], guard=0))
    chart.state.holdings.assaults = (Assault("theirs", 3, "e", ("e",), raid=raid),)
    b.step(port_step, chart)
    assert [(row["fleet"], row["raid"]) for row in s.told(chart, "assault_failed")] == [("e", raid)]
    assert s.knows(chart, "assault_failed") == [("ENG",)]
    assert not chart.state.holdings.silenced
    order = chart.state.fleets["e"].order.on_arrival
    assert order is (OnArrival.LAND if raid else OnArrival.BLOCKADE)


@pytest.mark.clause("G.LD4", "G.PT1")
@pytest.mark.parametrize(
    ("changes", "ship", "fights"),
    [
        ({}, {}, True), ({"position": Position("theirs", "c", 1_000)}, {}, True), ({"position": Position("theirs")}, {}, False),
        ({"held_by": "b01"}, {}, False), ({}, {"prize": True}, False), ({}, {"condition": {"lost": 400}}, False),
        ({"side": "NLD"}, {"side": "NLD"}, False),
    ],
)  # fmt: skip
def test_only_a_friend_of_the_captor_that_can_fight_and_lies_outside_fights_the_losers_fleet(
    changes: dict[str, Any], ship: dict[str, Any], fights: bool
) -> None:
    made = s.made(
        [off("e", "blockade"), b.fleet("d", "NLD", "theirs")],
        [b.ship("e1", "ENG", "e", card=BIG), b.ship("d1", "NLD", "d", card=BIG)], holdings=TAKEN, guard=4,
    )  # fmt: skip
    chart = s.chart(made, (5,), hour=4)
    chart.state.ships["e1"] = replace(chart.state.ships["e1"], **ship)
    chart.alter(chart.state.fleets["e"], **changes)
    b.step(port_step, chart)
    assert len(chart.state.calls) == fights
    assert [row["fleet"] for row in s.told(chart, "turned_out")] == ([] if fights else ["d"])


@pytest.mark.clause("G.LD4", "G.PT1")
@pytest.mark.parametrize(
    ("values", "truce", "fights"),
    [((40, 41), "f", False), ((40, 41), "e", True), ((41, 40), "e", False), ((40, 40), "f", False)],
)
def test_the_strongest_fleet_of_the_captor_leads_and_a_truce_binds_its_leader(
    values: tuple[int, int], truce: str, fights: bool
) -> None:
    fleets = [
        off("e", "blockade"),
        off("f", "blockade"),
        b.fleet("d", "NLD", "theirs"),
        b.fleet("g", "NLD", "theirs"),
    ]
    ships = [
        b.ship(f"{code}1", "ENG", code, card={**BIG, "value": value})
        for code, value in zip("ef", values, strict=True)
    ]
    ships += [b.ship("d1", "NLD", "d", card=BIG), b.ship("g1", "NLD", "g", card=BIG, prize=True)]
    chart = s.chart(s.made(fleets, ships, holdings=TAKEN), (5,), hour=4)
    chart.state.truces["d", truce] = 99
    b.step(port_step, chart)
    # a fleet of prizes is no foe, and leaves only when no one fights
    assert [call.fleets for call in chart.state.calls] == [{"ENG": ("e", "f"), "NLD": ("d",)}] * fights
    assert [row["fleet"] for row in s.told(chart, "turned_out")] == ([] if fights else ["d", "g"])


@pytest.mark.clause("G.LD4", "G.PT1")
def test_a_fleet_in_a_battle_is_not_turned_out_and_one_that_the_guns_sink_makes_for_no_port() -> None:
    chart = s.chart(s.made([b.fleet("d", "NLD", "theirs")], [b.ship("d1", "NLD", "d")], holdings=TAKEN), (6,))
    chart.alter(chart.state.fleets["d"], held_by="b01")
    b.step(port_step, chart)
    assert not chart.state.events
    # guard 4, halved, and a 6: 12 of 12
    weak = b.ship("d1", "NLD", "d", card={"hull": 12, "value": 1})
    sunk = s.chart(s.made([b.fleet("d", "NLD", "theirs")], [weak], holdings=TAKEN, guard=4), (6,))
    b.step(port_step, sunk)
    assert sunk.state.fleets["d"].ended and not s.told(sunk, "turned_out")


@pytest.mark.clause("G.LD4")
@pytest.mark.parametrize(
    ("home", "way"), [("Dutch Republic", ("c", "b", "a", "home")), ("England", ("beach",))]
)
def test_a_fleet_that_is_turned_out_makes_for_a_port_of_its_own_or_just_gets_clear(
    home: str, way: tuple[str, ...]
) -> None:
    holdings = replace(TAKEN.copy(), owners={"theirs": "England", "home": home}, shaken={})
    chart = s.chart(s.made([b.fleet("d", "NLD", "theirs")], holdings=holdings, guard=0), hour=18)
    b.step(port_step, chart)
    fleet = chart.state.fleets["d"]
    assert (fleet.order.route, fleet.position) == (way, Position("theirs", way[0], 6_000))


@pytest.mark.clause("G.LD4", "G.PT1")
@pytest.mark.parametrize(("run", "fleets"), [(-10_000, ("e", "f")), (-10_100, ("e",))])
def test_a_friend_in_company_that_lies_more_than_ten_miles_off_the_port_takes_no_part(
    run: int, fleets: tuple[str, ...]
) -> None:
    made = s.made(
        [off("e", "blockade"), off("f", "blockade"), b.fleet("d", "NLD", "theirs")],
        [b.ship(f"{code}1", side, code, card=BIG) for code, side in (("e", "ENG"), ("f", "ENG"), ("d", "NLD"))],
        holdings=TAKEN, guard=4, changed={"company_miles": 20},
    )  # fmt: skip
    chart = s.chart(made, (5,), hour=4)
    length = chart.geometry.legs["c", "theirs"].length
    chart.alter(chart.state.fleets["f"], position=Position("c", "theirs", length + run))
    assert answer_of(port_step, chart) == ""
    assert [call.fleets for call in chart.state.calls] == [{"ENG": fleets, "NLD": ("d",)}]
