"""Ports that fall, at their bounds: who is a prisoner and who is free, prizes and their crews, what is forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.chart.types import OnArrival, Position, SideFacts
from campaign.rules.landing.taking import Captor, ports_go_back, take_port
from campaign.rules.losses.castaways import people
from campaign.rules.state.economy import Job
from campaign.rules.state.holdings import Holdings
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.campaign.rules.test_fights_ashore import ASHORE
from tests.campaign.rules.test_raids import idle

IN_PORT = ("NLD", "theirs")


def fallen(
    *, dutch: Holdings | None = None, troops: Troops | None = None, **economy: dict[tuple[str, ...], int]
) -> Chart:
    """England takes the Dutch port, in which people of every kind are."""
    chart = s.chart(
        s.made([b.fleet("x", "ENG", "a")], holdings=dutch or Holdings(ashore={ASHORE: 500}), troops=troops)
    )
    for name, rows in economy.items():
        getattr(chart.state.economy, name).update(rows)
    take_port(chart, Captor("ENG", (ASHORE,)), "theirs")
    return chart


@pytest.mark.clause("G.LD4", "G.PR5")
def test_everyone_of_the_losers_in_the_port_is_a_prisoner_and_no_one_elsewhere() -> None:
    holdings = Holdings(ashore={ASHORE: 500, IN_PORT: 30, ("NLD", "far"): 7})
    troops = Troops(armies={IN_PORT: Army(200), ("NLD", "far"): Army(8), ("ENG", "theirs"): Army(9)})
    chart = fallen(dutch=holdings, troops=troops, ashore={IN_PORT: 4, ("NLD", "far"): 5})
    state = chart.state
    assert state.economy.prisoners == {("ENG", "theirs", "NLD"): 234}
    assert state.holdings.ashore == {ASHORE: 500, ("NLD", "far"): 7}
    assert state.troops.armies == {("NLD", "far"): Army(8), ("ENG", "theirs"): Army(9)}
    assert state.economy.ashore == {("NLD", "far"): 5}
    assert [(row["men"], row["captor"]) for row in s.told(chart, "soldiers_taken")] == [(234, "ENG")]
    assert not s.told(fallen(), "soldiers_taken")


@pytest.mark.clause("G.LD4", "G.PR5")
def test_prisoners_of_the_port_go_free_and_those_held_elsewhere_do_not() -> None:
    chart = fallen(
        prisoners={("NLD", "theirs", "ENG"): 12, ("NLD", "far", "ENG"): 3, ("ENG", "theirs", "NLD"): 4}
    )
    assert chart.state.economy.prisoners == {("NLD", "far", "ENG"): 3, ("ENG", "theirs", "NLD"): 4}
    assert chart.state.economy.ashore == {("ENG", "theirs"): 12}
    assert [(row["side"], row["men"]) for row in s.told(chart, "set_free")] == [("ENG", 12)]


@pytest.mark.clause("G.LD4")
def test_a_port_that_falls_forgets_its_garrison_its_silence_and_its_siege() -> None:
    holdings = Holdings(
        ashore={ASHORE: 500, ("ENG", "beach"): 5, ("ENG", "far"): 6}, garrisons={"theirs": 3}, silenced={"theirs": "ENG"},
        sieges={"theirs": 2}, hungry={ASHORE: 1},
    )  # fmt: skip
    now = fallen(dutch=holdings).state.holdings
    assert (now.garrisons, now.silenced, now.sieges, now.hungry) == ({}, {}, {}, {})
    assert now.ashore == {ASHORE: 500, ("ENG", "beach"): 5, ("ENG", "far"): 6}
    assert now.owners == {"theirs": "England"} and now.first == {"theirs": "Dutch Republic"}
    assert now.shaken["theirs"].until == 28 * 24


@pytest.mark.clause("G.LD4", "G.PR1")
@pytest.mark.parametrize(("near", "men", "crew"), [(True, 300, 31), (True, 40, 20), (False, 300, 31)])
def test_a_prize_in_a_fallen_port_is_manned_from_the_ships_there_or_by_soldiers(
    near: bool, men: int, crew: int
) -> None:
    at = s.OFF if near else Position("c")
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "land", "theirs"), position=at),
        b.fleet("d", "NLD", "theirs"),
    ]
    ships = [b.ship("e1", "ENG", "e", men=men), replace(idle("d1", 10), complement=301)]
    chart = s.chart(s.made(fleets, ships, holdings=Holdings(ashore={ASHORE: 500})), (4,))
    everyone = people(chart.state)
    take_port(chart, Captor("ENG", (ASHORE,)), "theirs")
    state = chart.state
    prize = state.ships["d1"]
    assert (prize.side, prize.prize, prize.men) == ("ENG", True, crew)
    assert state.ships["e1"].men == (men - crew if near else men)
    assert state.holdings.ashore == {ASHORE: 500 if near else 500 - crew}
    assert state.fleets[prize.fleet].position == Position("theirs") and state.fleets["d"].ended
    assert people(state) == everyone


@pytest.mark.clause("G.LD4", "G.PR5", "G.CO7")
def test_prisoners_of_an_ally_go_home_and_only_the_losers_work_in_the_yard_is_struck_off() -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)), "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        "FRA": SideFacts("FRA", "France", ("France",)),
    }  # fmt: skip
    holdings = Holdings(ashore={ASHORE: 500}, owners={"home": "France"}, first={"home": "England"})
    chart = s.chart(
        s.made(
            [b.fleet("x", "ENG", "a")],
            holdings=holdings,
            sides=sides,
            allied=frozenset({frozenset(("ENG", "FRA"))}),
        )
    )
    economy = chart.state.economy
    economy.prisoners.update({("NLD", "theirs", "FRA"): 12, ("NLD", "theirs", "ENG"): 5})
    for code, side, port in (("j1", "NLD", "theirs"), ("j2", "NLD", "home"), ("j3", "ENG", "theirs")):
        economy.jobs[code] = Job(code, side, port, "heavy", 0, 0, 60, 3, 0, berth=1)
    take_port(chart, Captor("ENG", (ASHORE,)), "theirs")
    assert economy.ashore == {("FRA", "home"): 12, ("ENG", "theirs"): 5}
    assert sorted(economy.jobs) == ["j2", "j3"]
    assert [row["ship"] for row in s.told(chart, "yard_left")] == ["j1"]


@pytest.mark.clause("G.CH3", "G.LD4")
@pytest.mark.parametrize(
    ("side", "arrival", "route", "now"),
    [
        ("ENG", "raid", ("theirs",), OnArrival.ANCHOR), ("ENG", "blockade", ("theirs",), OnArrival.ANCHOR),
        ("ENG", "embark", ("theirs",), OnArrival.ANCHOR), ("ENG", "patrol", ("theirs",), OnArrival.PATROL),
        ("ENG", "land", ("beach",), OnArrival.LAND), ("ENG", "land", ("theirs", "c"), OnArrival.LAND),
        ("NLD", "blockade", ("theirs",), OnArrival.BLOCKADE),
    ],
)  # fmt: skip
def test_only_a_friends_order_against_the_port_becomes_one_to_sail_in(
    side: str, arrival: str, route: tuple[str, ...], now: OnArrival
) -> None:
    chart = s.chart(s.made([b.fleet("x", side, "a")], holdings=Holdings(ashore={ASHORE: 500})))
    chart.alter(chart.state.fleets["x"], order=replace(s.order("x", arrival, *route), target="d"))
    take_port(chart, Captor("ENG", (ASHORE,)), "theirs")
    order = chart.state.fleets["x"].order
    assert (order.on_arrival, order.route) == (now, route)
    assert order.target == ("" if now is OnArrival.ANCHOR else "d")


@pytest.mark.clause("G.LD4")
def test_who_marches_in_is_who_is_there() -> None:
    chart = s.chart(s.made([b.fleet("x", "ENG", "a")], holdings=Holdings(ashore={ASHORE: 500})))
    take_port(chart, Captor("ENG", (ASHORE, ("ENG", "beach"))), "theirs")
    assert chart.state.holdings.ashore == {ASHORE: 500}


@pytest.mark.clause("G.LD4")
@pytest.mark.parametrize(("army", "back"), [(299, True), (300, False)])
def test_an_army_alone_holds_a_port_with_three_hundred_men(army: int, back: bool) -> None:
    holdings = Holdings(owners={"theirs": "England"}, first={"theirs": "Dutch Republic"})
    troops = Troops(armies={("ENG", "theirs"): Army(army), ("ENG", "home"): Army(900), IN_PORT: Army(900)})
    chart = s.chart(s.made([b.fleet("x", "ENG", "a")], holdings=holdings, troops=troops))
    ports_go_back(chart)
    assert chart.owner_of("theirs") == ("Dutch Republic" if back else "England")
