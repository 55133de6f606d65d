"""Ports that fall, at their bounds: who is a prisoner and who is free, prizes and their crews, what is forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.types import OnArrival, PlaceKind, Position, SideFacts
from campaign.rules.landing.taking import (
    Captor,
    burn_in_port,
    leave_ship,
    ports_go_back,
    take_port,
    waits_for_its_day,
)
from campaign.rules.losses.castaways import people
from campaign.rules.state.duties import Cargo
from campaign.rules.state.economy import Job
from campaign.rules.state.holdings import Holdings
from campaign.rules.state.state import RETAKEN
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


@pytest.mark.clause("G.LD4", "G.CV1")
def test_a_ship_of_a_convoy_waits_in_port_until_the_hour_of_its_day() -> None:
    chart = s.chart(s.made([b.fleet("d", "NLD", "theirs")], [idle("d1", 10), idle("d2", 10)]), hour=47)
    chart.state.duties.cargoes["d1"] = Cargo(10, "n", "NLD")
    fleet = chart.alter(chart.state.fleets["d"], off_until=48)
    ships = chart.ships_of("d")
    assert [waits_for_its_day(chart, fleet, ship) for ship in ships] == [True, False]
    chart.state.hour = 48
    assert [waits_for_its_day(chart, fleet, ship) for ship in ships] == [False, False]


@pytest.mark.clause("G.LD4", "G.LD5", "G.PR5")
@pytest.mark.parametrize(
    ("home", "captives", "ashore", "held", "armies"),
    [
        (True, ("ENG", 7), {("NLD", "n"): 60}, {("NLD", "n", "ENG"): 7}, {("NLD", "n"): Army(20)}),
        (False, ("NLD", 7), {}, {("ENG", "theirs", "NLD"): 87}, {}),
        (False, ("ENG", 7), {("ENG", "theirs"): 7}, {("ENG", "theirs", "NLD"): 80}, {}),
        (False, ("ENG", 0), {}, {("ENG", "theirs", "NLD"): 80}, {}), (True, None, {("NLD", "n"): 60}, {}, {("NLD", "n"): Army(20)}),
    ],
)  # fmt: skip
def test_who_was_in_a_ship_that_is_given_up_goes_to_a_port_of_their_own_or_into_the_enemys_hands(
    home: bool,
    captives: tuple[str, int] | None,
    ashore: dict[tuple[str, ...], int],
    held: dict[tuple[str, ...], int],
    armies: dict[tuple[str, str], Army],
) -> None:
    holdings = Holdings(owners={"theirs": "England"}, first={"theirs": "Dutch Republic"})
    troops = Troops(aboard={"d1": 20}, boats={"d1": 30})
    fleet = b.fleet("d", "NLD", "theirs")
    chart = s.chart(s.made([fleet], [b.ship("d1", "NLD", "d", men=60)], holdings=holdings, troops=troops))
    if home:
        places = dict(chart.facts.theatre.places)
        places["n"] = replace(places["n"], kind=PlaceKind.PORT, owner="Dutch Republic")
        chart.facts = replace(chart.facts, theatre=replace(chart.facts.theatre, places=places))
    if captives:
        chart.state.economy.captives["d1"] = captives
    leave_ship(chart, chart.state.ships["d1"], "theirs", by="ENG")
    economy = chart.state.economy
    assert (economy.ashore, economy.prisoners, economy.captives) == (ashore, held, {})
    assert chart.state.troops == Troops(armies=armies)


@pytest.mark.clause("G.LD4")
def test_a_ship_that_her_own_people_burn_is_no_longer_on_any_list() -> None:
    chart = s.chart(s.made([b.fleet("d", "NLD", "theirs")], [idle("d1", 10)]))
    chart.state.economy.jobs["d1"] = Job("d1", "NLD", "theirs", "heavy", 0, 0, 60, 3, 0, berth=1)
    chart.state.mark("d1", RETAKEN)
    burn_in_port(
        chart, chart.state.ships["d1"], "theirs", by="ENG", clause="G.LD5", cause="by its own people"
    )
    ship = chart.state.ships["d1"]
    assert (ship.fate, ship.fleet, ship.squadron, ship.men, ship.captain) == (Fate.BURNT, "", "", 0, "")
    assert not chart.state.economy.jobs and not chart.state.marks and not chart.ships_of("d")
    assert [(event.clause, event.knows, dict(event.data)) for event in chart.state.events] == [
        (
            "G.LD5", ("ENG", "NLD"),
            {"ship": "d1", "side": "NLD", "fate": "burnt", "cause": "by its own people", "place": "theirs", "fleet": "d", "by": "ENG"},
        )
    ]  # fmt: skip


@pytest.mark.clause("G.LD4", "G.PR1")
def test_all_prizes_of_a_fallen_port_lie_there_as_one_fleet_and_a_neutrals_port_has_no_loser() -> None:
    ships = [idle("d1", 10), idle("d2", 10, fleet="f"), b.ship("d3", "NLD", "g", men=20)]
    fleets = [b.fleet("d", "NLD", "theirs"), b.fleet("f", "NLD", "theirs"), b.fleet("g", "NLD", "theirs")]
    chart = s.chart(s.made(fleets, ships, holdings=Holdings(ashore={ASHORE: 500})))
    chart.alter(chart.state.fleets["g"], held_by="b01")
    with ScriptedDice((4, 5)) as dice:
        chart.dice = dice
        take_port(chart, Captor("ENG", (ASHORE,)), "theirs")
    state = chart.state
    assert state.ships["d1"].fleet == state.ships["d2"].fleet and state.ships["d3"].side == "NLD"
    assert state.fleets[state.ships["d1"].fleet].name == "Prizes at Theirs"
    korea = s.chart(
        s.made([b.fleet("x", "ENG", "a")], holdings=Holdings(ashore={ASHORE: 500}), theirs={"owner": "Korea"})
    )
    take_port(korea, Captor("ENG", (ASHORE,)), "theirs")
    assert [(row["loser"], row["back"]) for row in s.told(korea, "port_taken")] == [("", False)]
