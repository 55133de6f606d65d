"""Soldiers, fights ashore and raids at their bounds: who loses first, who finds room, and what adds up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from campaign.rules.chart.types import OnArrival, ShipKind, SideFacts
from campaign.rules.landing.boats import boats_step, days_left, men_in_a_band
from campaign.rules.landing.fights import fights_step, garrison, ships_that_help, sieges, soldiers_in
from campaign.rules.landing.raids import raid
from campaign.rules.landing.stowage import at_place, capacity, load, room, unload
from campaign.rules.losses.castaways import people
from campaign.rules.state.duties import Cargo
from campaign.rules.state.holdings import Assault, Holdings
from campaign.rules.state.state import Contact
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.campaign.rules.test_fights_ashore import ASHORE, siege
from tests.campaign.rules.test_raids import DEEP, idle, off_port

IN_PORT = ("NLD", "theirs")


# --- the fight ashore --------------------------------------------------------------------------------------------


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(
    ("garrisoned", "army", "ashore", "left"),
    [
        (400, 0, 0, (380, 0, 0)),  # a twentieth of 400
        (20, 380, 0, (0, 380, 0)),
        (10, 390, 0, (0, 380, 0)),
        (0, 5, 395, (0, 0, 380)),
        (0, 0, 401, (0, 0, 380)),  # rounded up
    ],
)
def test_the_garrison_loses_first_then_the_army_then_who_is_ashore(
    garrisoned: int, army: int, ashore: int, left: tuple[int, int, int]
) -> None:
    # 400 and 401 men under arms against as many
    holdings = Holdings(ashore={ASHORE: 401, IN_PORT: ashore} if ashore else {ASHORE: 401})
    troops = Troops(armies={IN_PORT: Army(army)} if army else {})
    chart = siege(holdings=holdings, troops=troops, theirs={"garrison": garrisoned}, faces=(3, 4))
    b.step(fights_step, chart)
    state = chart.state
    now = state.troops.armies.get(IN_PORT, Army(0)).men
    assert (garrison(chart, "theirs"), now, state.holdings.ashore.get(IN_PORT, 0)) == left
    (told,) = s.told(chart, "port_defended")
    assert (told["result"], told["men"], told["attacker"]) == ("drawn", sum(left), "ENG")
    assert told["lost"] == garrisoned + army + ashore - sum(left)
    (ours,) = s.told(chart, "fought_ashore")
    assert ours["band"] == men_in_a_band(sum(left)) and told["band"] == men_in_a_band(401 - 21)
    assert ours["men"] == state.holdings.ashore[ASHORE] == 380


@pytest.mark.clause("G.LD3")
def test_a_garrison_that_has_lost_men_is_what_is_left_of_it() -> None:
    chart = siege(holdings=Holdings(ashore={ASHORE: 1}, garrisons={"theirs": 7}))
    assert garrison(chart, "theirs") == 7
    again = siege(holdings=Holdings(first={"theirs": "Dutch Republic"}))
    assert garrison(again, "theirs") == 100
    assert garrison(siege(holdings=Holdings(first={"theirs": "England"})), "theirs") == 0


@pytest.mark.clause("G.LD3", "G.CO7")
def test_the_men_of_the_owners_allies_defend_the_port_too() -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)), "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        "FRA": SideFacts("FRA", "France", ("France",)), "SPA": SideFacts("SPA", "Spain", ("Spain",)),
    }  # fmt: skip
    troops = Troops(
        armies={
            IN_PORT: Army(5),
            ("FRA", "theirs"): Army(6),
            ("SPA", "theirs"): Army(7),
            ("FRA", "home"): Army(8),
        }
    )
    holdings = Holdings(ashore={ASHORE: 50, ("FRA", "theirs"): 9})
    chart = siege(
        troops=troops, holdings=holdings, sides=sides, allied=frozenset({frozenset(("NLD", "FRA"))})
    )
    assert soldiers_in(chart, "theirs") == {
        ("FRA", "army"): 6, ("FRA", "ashore"): 9, ("NLD", "army"): 5,
    }  # fmt: skip
    assert soldiers_in(chart, "n") == {}


@pytest.mark.clause("G.LD3")
def test_men_of_equal_strength_are_led_by_the_first_in_the_order_of_codes() -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)), "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        "FRA": SideFacts("FRA", "France", ("France",)),
    }  # fmt: skip
    over: dict[str, Any] = {
        "sides": sides, "at_war": frozenset(frozenset(pair) for pair in (("ENG", "NLD"), ("FRA", "NLD"))),
        "allied": frozenset({frozenset(("ENG", "FRA"))}),
    }  # fmt: skip
    for french, chief in ((499, "ENG"), (500, "ENG"), (501, "FRA")):
        holdings = Holdings(ashore={ASHORE: 300, ("ENG", "beach"): 200, ("FRA", "theirs"): french})
        (row,) = sieges(siege(holdings=holdings, **over))
        assert (row.chief, row.total) == (chief, 500 + french)
    assert sieges(siege(holdings=Holdings(ashore={("NLD", "theirs"): 5}), **over)) == []


@pytest.mark.clause("G.LD3")
def test_a_fleet_that_a_battle_holds_does_not_help_and_an_allys_does() -> None:
    chart = siege(line=2)
    (row,) = sieges(chart)
    assert ships_that_help(chart, row) == 2
    chart.alter(chart.state.fleets["e"], held_by="T1-b01")
    assert ships_that_help(chart, row) == 0
    chart.alter(chart.state.fleets["e"], held_by="", side="NLD")
    assert ships_that_help(chart, row) == 0
    chart.facts = replace(chart.facts, allied=frozenset({frozenset(("ENG", "NLD"))}))
    assert ships_that_help(chart, row) == 2


@pytest.mark.clause("G.LD2", "G.LD3")
def test_who_fights_ashore_knows_for_how_many_days_there_is_something_to_eat() -> None:
    holdings = Holdings(
        ashore={ASHORE: 100, ("ENG", "beach"): 100}, hungry={ASHORE: 24, ("ENG", "beach"): 72}
    )
    chart = siege(holdings=holdings, faces=(3, 3))
    chart.state.hour = 96
    assert [days_left(chart, "ENG", place) for place in ("theirs", "beach", "far")] == [11, 13, None]
    b.step(fights_step, chart)
    assert s.told(chart, "fought_ashore")[0]["days"] == 11
    chart.state.hour = 24 + 14 * 24
    assert days_left(chart, "ENG", "theirs") == 0
    chart.state.hour += 24
    assert days_left(chart, "ENG", "theirs") == 0


@pytest.mark.clause("G.LD3", "G.PR5")
def test_soldiers_thrown_back_go_aboard_as_far_as_there_is_room() -> None:
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "land", "theirs"), position=s.OFF),
        b.fleet("f", "ENG", "c", order=s.order("f", "blockade", "theirs"), position=s.OFF),
        b.fleet("g", "ENG", "c"),
    ]
    ships = [
        s.transport("e1", tons=60),
        s.transport("f1", fleet="f", tons=40),
        s.transport("g1", fleet="g", tons=900),
    ]
    chart = s.chart(s.made(fleets, ships, guard=0, holdings=Holdings(ashore={ASHORE: 100})), (1, 1))
    everyone = people(chart.state)
    b.step(fights_step, chart)
    assert chart.state.troops.aboard == {"e1": 30, "f1": 20}
    assert chart.state.economy.prisoners == {("NLD", "theirs", "ENG"): 30}
    assert [(row["fleet"], row["men"], row["ashore"]) for row in s.told(chart, "embarked")] == [
        ("e", 30, 50), ("f", 20, 30),
    ]  # fmt: skip
    assert [row["men"] for row in s.told(chart, "soldiers_taken")] == [30]
    assert chart.state.fleets["e"].order.on_arrival is OnArrival.EMBARK
    assert chart.state.fleets["f"].order.on_arrival is OnArrival.BLOCKADE
    assert people(chart.state) == everyone - 20


@pytest.mark.clause("G.LD3")
def test_losses_fall_on_each_beach_by_its_share_and_what_is_over_on_the_greatest() -> None:
    holdings = Holdings(ashore={ASHORE: 10, ("ENG", "beach"): 25})
    chart = siege(holdings=holdings, faces=(1, 1), theirs={"garrison": 35})
    fights_step(chart)  # a fifth of 35 is 7: two and five
    told = s.told(chart, "fought_ashore")[0]
    assert (told["result"], told["lost"], told["men"]) == ("repulsed", 7, 28)
    assert sum(chart.state.troops.aboard.values()) == 8  # the ships lie off the port, not off the beach
    assert chart.state.economy.prisoners == {("NLD", "theirs", "ENG"): 20}


# --- stowage -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("G.LD1")
def test_room_is_what_is_left_of_what_a_ship_holds() -> None:
    ships = [
        b.ship("a1", "ENG", "e", complement=101), s.transport("a2", tons=41),
        replace(s.transport("a3"), facts={}), s.transport("a4", prize=True), s.transport("a5"),
    ]  # fmt: skip
    chart = s.chart(s.made([b.fleet("e", "ENG", "a")], ships))
    chart.state.duties.cargoes["a5"] = Cargo(1, "home", "ENG")
    chart.state.troops.aboard = {"a1": 49, "a2": 21}
    rows = {ship.code: (capacity(chart, ship), room(chart, ship)) for ship in chart.ships_of("e")}
    assert rows == {"a1": (50, 1), "a2": (20, 0), "a3": (20, 20), "a4": (0, 0), "a5": (0, 0)}
    chart.state.troops.boats["a2"] = 30
    assert room(chart, chart.state.ships["a2"]) == 9
    fleet = chart.state.fleets["e"]
    assert load(chart, fleet, 31) == 30
    assert chart.state.troops.aboard == {"a1": 50, "a2": 30, "a3": 20}
    assert unload(chart, fleet, 55) == 55 and chart.state.troops.aboard == {"a2": 25, "a3": 20}
    assert unload(chart, fleet, 99) == 45 and chart.state.troops.aboard == {}
    assert unload(chart, fleet, 99) == 0 and at_place(chart, fleet, "a") and not at_place(chart, fleet, "b")


@pytest.mark.clause("G.LD1")
def test_soldiers_go_into_the_transports_first() -> None:
    ships = [b.ship("a1", "ENG", "e", complement=100), s.transport("z1", tons=40)]
    chart = s.chart(s.made([b.fleet("e", "ENG", "a")], ships))
    assert load(chart, chart.state.fleets["e"], 21) == 21
    assert chart.state.troops.aboard == {"a1": 1, "z1": 20}


# --- raids -------------------------------------------------------------------------------------------------------


def gone_in(chart: Chart) -> None:
    """The raid of the fleet e, without what the guard does to it on the way in."""
    raid(chart, Assault("theirs", 0, "e", ("e",), raid=True), [chart.state.fleets["e"]])


@pytest.mark.clause("G.LD5")
def test_what_a_raid_does_to_a_yard_adds_up_and_its_hour_is_remembered() -> None:
    chart = off_port(faces=(3, 6, 1, 2), holdings=Holdings(idle={"theirs": 3}), hour=7)
    gone_in(chart)
    assert chart.state.holdings.idle == {"theirs": 17}
    assert chart.state.holdings.tried == {("ENG", "theirs"): 7}
    failed = off_port(faces=(1, 1), hour=9)
    gone_in(failed)
    assert failed.state.holdings.tried == {("ENG", "theirs"): 9}
    assert not failed.state.holdings.idle and not failed.state.holdings.raids
    (told,) = s.told(failed, "raid_suffered")
    assert (told["result"], told["days"], told["ships"], told["towed"]) == ("none", 0, [], "")


@pytest.mark.clause("G.LD5", "G.PR1")
@pytest.mark.parametrize(("total", "towed"), [((5, 6), ""), ((6, 6), "d1")])
def test_only_twelve_brings_a_ship_off(total: tuple[int, int], towed: str) -> None:
    chart = off_port(idle("d1", 10), faces=(*total, 1, 1))
    gone_in(chart)
    assert s.told(chart, "raided")[0]["towed"] == towed
    assert chart.state.ships["d1"].fate is (Fate.AFLOAT if towed else Fate.BURNT)
    assert s.told(chart, "raided")[0]["number"] == (0 if towed else 1)
    assert chart.state.fleets["d"].ended


@pytest.mark.clause("G.LD5", "G.PR1")
@pytest.mark.parametrize(("men", "complement", "crew"), [(300, 301, 31), (40, 300, 20), (300, 300, 30)])
def test_the_crew_of_what_is_towed_off_is_a_tenth_of_hers_and_at_most_half_of_the_senders(
    men: int, complement: int, crew: int
) -> None:
    chart = off_port(replace(idle("d1", 10), complement=complement), faces=(6, 6, 1, 1))
    state = chart.state
    state.ships["e0"] = replace(state.ships["e0"], men=men)
    everyone = people(state)
    gone_in(chart)
    assert (state.ships["d1"].men, state.ships["e0"].men) == (crew, men - crew)
    assert people(state) == everyone


@pytest.mark.clause("G.LD5")
def test_a_fire_ship_that_comes_alone_lands_its_people_and_soldiers() -> None:
    fire = b.ship("e1", "ENG", "e", kind=ShipKind.FIRE_SHIP, men=20, card=DEEP)
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    chart = s.chart(s.made([fleet], [fire], guard=0, troops=Troops(aboard={"e1": 9})), (1, 1))
    everyone = people(chart.state)
    gone_in(chart)
    state = chart.state
    assert s.told(chart, "raided")[0]["bonus"] == 1
    assert state.economy.ashore == {("ENG", "home"): 20} and state.troops.armies == {("ENG", "home"): Army(9)}
    assert state.ships["e1"].fate is Fate.BURNT and state.fleets["e"].ended and not state.troops.aboard
    assert people(state) == everyone
    (lost,) = s.told(chart, "lost")
    assert (lost["cause"], lost["fleet"], lost["side"]) == ("fire ship", "e", "ENG")


@pytest.mark.clause("G.LD5")
@pytest.mark.parametrize("alone", [True, False])
def test_a_fire_ship_without_soldiers_lands_none(alone: bool) -> None:
    rows = [b.ship("e1", "ENG", "e", kind=ShipKind.FIRE_SHIP, men=20, card=DEEP)]
    rows += [] if alone else [b.ship("e0", "ENG", "e", card=DEEP)]
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    chart = s.chart(s.made([fleet], rows, guard=0), (1, 1))
    gone_in(chart)
    assert chart.state.troops == Troops()


@pytest.mark.clause("G.LD5")
def test_the_people_of_a_fire_ship_go_to_the_best_manned_ship_that_is_no_prize() -> None:
    rows = [
        b.ship("e0", "ENG", "e", men=100, card=DEEP), b.ship("e2", "ENG", "e", men=200, card=DEEP),
        b.ship("e3", "ENG", "e", men=250, prize=True, card=DEEP),
        b.ship("e1", "ENG", "e", kind=ShipKind.FIRE_SHIP, men=20), b.ship("e9", "ENG", "e", kind=ShipKind.FIRE_SHIP, men=20),
    ]  # fmt: skip
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "raid", "theirs"), position=s.OFF)
    chart = s.chart(s.made([fleet], rows, guard=0, troops=Troops(aboard={"e1": 9})), (1, 1))
    gone_in(chart)
    state = chart.state
    assert (state.ships["e2"].men, state.ships["e0"].men, state.ships["e3"].men) == (220, 100, 250)
    assert state.troops.aboard == {"e2": 9} and state.ships["e9"].fate is Fate.AFLOAT
    assert s.told(chart, "raided")[0]["bonus"] == 1


@pytest.mark.clause("G.LD1", "G.LD2")
@pytest.mark.parametrize(
    ("contact", "route", "moves"),
    [((), (), True), (("e", "d"), (), False), (("f", "d"), (), True), ((), ("a",), False)],
)
def test_a_fleet_in_a_chase_or_with_a_way_to_go_neither_embarks_nor_lands(
    contact: tuple[str, ...], route: tuple[str, ...], moves: bool
) -> None:
    for arrival, at in (("embark", "home"), ("disembark", "home")):
        fleets = [
            b.fleet("e", "ENG", at, order=s.order("e", arrival)),
            b.fleet("f", "ENG", "a"),
            b.fleet("d", "NLD", "c"),
        ]
        troops = Troops(armies={("ENG", "home"): Army(400)}, aboard={"e1": 100})
        chart = s.chart(
            s.made(
                fleets, [s.transport("e1"), b.ship("f1", "ENG", "f"), b.ship("d1", "NLD", "d")], troops=troops
            )
        )
        if contact:
            one, other = contact
            chart.state.contacts[one, other] = Contact(one, other, 1_000, 0, since=0)
        chart.alter(chart.state.fleets["e"], order=s.order("e", arrival, *route))
        b.step(boats_step, chart)
        moved = {"embark": 500, "disembark": 0}[arrival]
        assert chart.state.troops.aboard.get("e1", 0) == (moved if moves else 100), arrival
