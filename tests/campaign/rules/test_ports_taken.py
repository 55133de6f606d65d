"""Ports that change hands: the flag, who may enter, ships, prizes, prisoners, yards, marks, and how a port goes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import own_port
from campaign.rules.chart.dispatches import headquarters
from campaign.rules.chart.types import OfficerFacts, OnArrival, Position, ShipSheet, SideFacts
from campaign.rules.landing.assaults import port_step
from campaign.rules.landing.taking import Captor, ports_go_back, take_port
from campaign.rules.losses.castaways import people
from campaign.rules.orders.orders import order_faults
from campaign.rules.prizes.prize_court import greatest_port
from campaign.rules.sailing.movement import sail
from campaign.rules.state.economy import Job, PrizeCase, Stage
from campaign.rules.state.holdings import Holdings, Shaken
from campaign.rules.state.state import PrizeHold, TurnState
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from campaign.rules.turn import knowledge
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s

ASHORE = ("ENG", "theirs")
TAKEN = Holdings(
    owners={"theirs": "England"}, first={"theirs": "Dutch Republic"}, ashore={ASHORE: 2000},
    shaken={"theirs": Shaken(24 * 28, 3, 4)},
)  # fmt: skip


def before(
    *ships: ShipSheet,
    faces: tuple[int, ...] = (),
    guard: int = 4,
    holdings: Holdings | None = None,
    **over: Any,
) -> Chart:
    """English soldiers ashore at the Dutch port and on the beach, a fleet off it, and Dutch ships inside."""
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "land", "theirs"), position=s.OFF),
        *(b.fleet(code, "NLD", "theirs") for code in sorted({ship.fleet for ship in ships})),
    ]
    rows = [b.ship("e1", "ENG", "e"), *ships]
    left = holdings or Holdings(ashore={ASHORE: 1500, ("ENG", "beach"): 500})
    return s.chart(s.made(fleets, rows, guard=guard, holdings=left, **over), faces)


def fall(chart: Chart) -> None:
    """England takes the port with everyone who is ashore for it."""
    take_port(chart, Captor("ENG", tuple(sorted(chart.state.holdings.ashore))), "theirs")


@pytest.mark.clause("G.LD4", "G.CH3")
def test_a_port_has_its_captors_nation_from_that_hour_and_who_may_enter_is_read_anew() -> None:
    chart = before()
    assert chart.closed == {"ENG": frozenset({"theirs"}), "NLD": frozenset({"home"})}
    fall(chart)
    assert chart.owner_of("theirs") == "England"
    assert chart.closed == {"ENG": frozenset(), "NLD": frozenset({"home", "theirs"})}
    assert s.knows(chart, "port_taken") == [("ENG", "NLD")]
    assert greatest_port(chart, "NLD") == "" and chart.nearest_own_port(Position("c"), "ENG") == "theirs"
    assert headquarters(chart.facts.theatre, ("Dutch Republic",)) == ""


@pytest.mark.clause("G.LD4")
def test_the_owner_of_a_place_is_kept_from_turn_to_turn_and_is_known_to_its_side() -> None:
    chart = before()
    fall(chart)
    made, state = chart.facts, chart.state
    again = replace(
        s.made([b.fleet("e", "ENG", "b")]), carried=TurnState.from_dict(state.to_dict()).carried()
    )
    assert order_faults(again, s.order("e", "anchor", "c", "theirs"), "ENG") == () or made is not again
    ours, theirs = (knowledge.knowledge_of(again, None, side) for side in ("ENG", "NLD"))
    assert ours.own_ports == {"home", "theirs"} and ours.enemy_ports == frozenset()
    assert theirs.own_ports == frozenset() and theirs.enemy_ports == {"home", "theirs"}


@pytest.mark.clause("G.LD4")
def test_a_side_of_two_nations_gives_a_port_back_to_the_one_that_had_it() -> None:
    chart = before()
    sides = {**chart.facts.sides, "NLD": SideFacts("NLD", "Both", ("France", "Dutch Republic"))}
    chart.facts = replace(chart.facts, sides=sides)
    fall(chart)
    take_port(chart, Captor("NLD", (("NLD", "theirs"),)), "theirs")
    assert chart.owner_of("theirs") == "Dutch Republic"
    take_port(chart, Captor("NLD", (("NLD", "home"),)), "home")
    assert chart.owner_of("home") == "France"


@pytest.mark.clause("G.LD4", "G.LD3")
def test_the_men_who_took_it_march_in() -> None:
    chart = before()
    fall(chart)
    assert chart.state.holdings.ashore == {ASHORE: 2000}


@pytest.mark.clause("G.LD4")
@pytest.mark.parametrize(("days", "guard", "dockyard"), [(0, 1, 2), (27, 1, 2), (28, 3, 3)])
def test_for_four_weeks_the_port_has_a_class_less_and_half_its_guard(
    days: int, guard: int, dockyard: int
) -> None:
    chart = before(guard=3)
    fall(chart)
    chart.state.hour = 24 * days
    chart.ports_changed()
    place = chart.facts.theatre.places["theirs"]
    assert (place.guard, place.dockyard) == (guard, dockyard)


@pytest.mark.clause("G.LD4")
def test_a_port_without_a_yard_stays_without_one_and_is_not_halved_twice() -> None:
    chart = before(guard=3, theirs={"dockyard_capacity": 0})
    fall(chart)
    take_port(chart, Captor("NLD", (("NLD", "theirs"),)), "theirs")
    place = chart.facts.theatre.places["theirs"]
    assert (place.owner, place.guard, place.dockyard) == ("Dutch Republic", 1, 0)
    again = Chart(chart.facts, chart.state, chart.dice)
    assert again.facts.theatre.places["theirs"] == place


@pytest.mark.clause("G.LD4", "G.VP1")
@pytest.mark.parametrize(
    ("changed", "marks"), [({}, "8"), ({"port_marks": 5}, "11"), ({"port_class_marks": 1}, "5")]
)
def test_a_port_is_worth_two_marks_and_two_for_each_class(changed: dict[str, int], marks: str) -> None:
    chart = before(changed=changed)
    fall(chart)
    assert s.told(chart, "port_taken") == [
        {"place": "theirs", "side": "ENG", "loser": "NLD", "marks": marks, "back": False}
    ]


@pytest.mark.clause("G.LD4")
@pytest.mark.parametrize(
    ("face", "fate", "side"),
    [(1, "burnt", "NLD"), (3, "burnt", "NLD"), (4, "afloat", "ENG"), (6, "afloat", "ENG")],
)
def test_ships_without_men_are_burnt_by_their_own_people_or_prizes(face: int, fate: str, side: str) -> None:
    chart = before(b.ship("d1", "NLD", "d", men=20), faces=(face,))
    everyone = people(chart.state)
    fall(chart)
    ship = chart.state.ships["d1"]
    assert (ship.fate.value, ship.side, ship.prize) == (fate, side, side == "ENG")
    assert chart.state.fleets["d"].ended
    if side == "ENG":
        assert chart.state.fleets[ship.fleet].position == Position("theirs")
        assert chart.state.economy.prizes["d1"].captor == "ENG"
    else:
        assert s.told(chart, "lost")[0]["by"] == "ENG"
    assert people(chart.state) == everyone


@pytest.mark.clause("G.LD4", "G.RP2")
def test_ships_in_the_yard_are_lost_with_it_and_their_jobs_struck_off() -> None:
    chart = before(b.ship("d1", "NLD", "d"), b.ship("d2", "NLD", "f"), faces=(2,))
    chart.state.economy.jobs["d1"] = Job("d1", "NLD", "theirs", "heavy", 0, 0, 91, 3, 0, berth=1)
    fall(chart)
    assert chart.state.ships["d1"].fate is Fate.BURNT
    assert chart.state.ships["d2"].side == "NLD" and not chart.state.fleets["f"].ended
    assert not chart.state.economy.jobs


@pytest.mark.clause("G.LD4", "G.AF1")
def test_the_officers_of_a_ship_that_is_given_up_get_away() -> None:
    officer = OfficerFacts("Tromp", "NLD", True, 1, "d1")
    chart = before(b.ship("d1", "NLD", "d", men=20), faces=(6,), officers={"NLD/Tromp": officer})
    fall(chart)
    assert chart.state.economy.officers["NLD/Tromp"].ship == ""


@pytest.mark.clause("G.LD4", "G.PR3")
def test_prizes_before_the_court_are_retaken_without_a_die() -> None:
    english = b.ship("d1", "NLD", "d", prize=True, men=30, facts={"nation": "England", "guns": 60})
    chart = before(english, faces=())
    chart.state.prizes["d1"] = PrizeHold(0, "ENG")
    chart.state.economy.prizes["d1"] = PrizeCase("d1", "NLD", "ENG", "d9", 0, 300, Stage.COURT, "theirs")
    fall(chart)
    ship = chart.state.ships["d1"]
    assert (ship.side, ship.prize, ship.fate) == ("ENG", False, Fate.AFLOAT)
    assert chart.state.economy.prizes["d1"].stage is Stage.RETAKEN
    assert [row["captor"] for row in s.told(chart, "retaken")] == ["ENG"]


@pytest.mark.clause("G.LD4", "G.PR5")
def test_the_captors_people_held_there_are_free_and_the_losers_soldiers_are_prisoners() -> None:
    chart = before(troops=Troops(armies={("NLD", "theirs"): Army(300)}))
    economy = chart.state.economy
    economy.hold("NLD", "theirs", "ENG", 250)
    economy.hold("NLD", "n", "ENG", 9)
    economy.land("NLD", "theirs", 40)
    everyone = people(chart.state)
    fall(chart)
    assert economy.ashore == {("ENG", "theirs"): 250}
    assert economy.prisoners == {("ENG", "theirs", "NLD"): 340, ("NLD", "n", "ENG"): 9}
    assert not chart.state.troops.armies
    assert people(chart.state) == everyone


@pytest.mark.clause("G.LD4", "G.PT1")
def test_a_fleet_of_the_loser_in_the_port_fights_who_lies_before_it_and_then_leaves_under_its_guns() -> None:
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "blockade", "theirs"), position=s.OFF),
        b.fleet("d", "NLD", "theirs"),
    ]
    big = {"hull": 400, "value": 40}
    ships = [b.ship("e1", "ENG", "e", card=big), b.ship("d1", "NLD", "d", card=big)]
    holdings = Holdings(
        owners={"theirs": "England"}, first={"theirs": "Dutch Republic"}, ashore={ASHORE: 2000},
        shaken={"theirs": Shaken(24 * 28, 3, 4)},
    )  # fmt: skip
    made = s.made(fleets, ships, holdings=holdings, guard=4)
    chart = s.chart(made, (6,))
    b.step(port_step, chart)
    (call,) = chart.state.calls
    assert call.fleets == {"ENG": ("e",), "NLD": ("d",)}
    assert call.scenario["options"]["at_anchor"] == "NLD"
    state, _ = b.play(replace(made, days=1), reload=True)
    assert [row["fleet"] for row in s.told(state, "turned_out")] == ["d"]
    fleet = state.fleets["d"]
    assert fleet.position != Position("theirs")
    assert 0 < state.ships["d1"].condition["lost"] <= 12  # guard 4, halved: 2 for each point of the die


@pytest.mark.clause("G.LD4", "G.PT1")
def test_a_fleet_of_the_loser_with_no_one_before_the_port_puts_to_sea_at_any_hour() -> None:
    ships = [b.ship("d1", "NLD", "d", card={"hull": 400, "value": 40})]
    chart = s.chart(s.made([b.fleet("d", "NLD", "theirs")], ships, holdings=TAKEN, guard=4), (5,), hour=18)
    b.step(port_step, chart)
    fleet = chart.state.fleets["d"]
    assert fleet.position.at == "theirs" and fleet.position.run == 6_000
    assert chart.state.ships["d1"].condition == {"lost": 10}
    assert not chart.state.calls


@pytest.mark.clause("G.LD4", "G.CH3")
@pytest.mark.parametrize(
    ("position", "route", "left"),
    [
        (Position("b"), ("c", "theirs"), ("c",)),
        (Position("c", "theirs", 20_000), ("theirs",), ("c",)),
        (Position("b"), ("c", "theirs", "beach"), ("c",)),
        (Position("b"), ("c", "beach"), ("c", "beach")),
    ],
)
def test_a_route_into_a_port_that_has_fallen_ends_before_it(
    position: Position, route: tuple[str, ...], left: tuple[str, ...]
) -> None:
    fleet = b.fleet("d", "NLD", "b", order=s.order("d", "patrol", *route), position=position)
    chart = s.chart(s.made([fleet], holdings=TAKEN))
    chart.alter(chart.state.fleets["d"], order=s.order("d", "patrol", *route))
    sail(chart, chart.state.fleets["d"])
    now = chart.state.fleets["d"].order
    assert now.route == left
    assert (now.on_arrival is OnArrival.ANCHOR) is ("theirs" in route)
    assert len(s.told(chart, "turned_away")) == ("theirs" in route)


@pytest.mark.clause("G.LD4")
def test_fleets_that_were_there_against_the_port_sail_in() -> None:
    chart = before()
    fall(chart)
    fleet = chart.state.fleets["e"]
    assert (fleet.order.on_arrival, fleet.order.route) == (OnArrival.ANCHOR, ("theirs",))
    sail(chart, fleet)
    assert chart.state.fleets["e"].position == Position("theirs")
    assert own_port(chart, chart.state.fleets["e"]) == "theirs"


@pytest.mark.clause("G.LD4")
@pytest.mark.parametrize(
    ("men", "army", "ships", "changed", "back"),
    [
        (300, 0, False, {}, False), (299, 0, False, {}, True), (299, 1, False, {}, False), (0, 0, True, {}, False),
        (299, 0, False, {"hold_men": 200}, False), (300, 0, False, {"hold_men": 301}, True),
    ],
)  # fmt: skip
def test_a_port_goes_back_when_fewer_than_three_hundred_hold_it_and_no_ship_of_war(
    men: int, army: int, ships: bool, changed: dict[str, int], back: bool
) -> None:
    holdings = TAKEN.copy()
    holdings.ashore = {ASHORE: men} if men else {}
    troops = Troops(armies={ASHORE: Army(army)} if army else {})
    fleet = b.fleet("e", "ENG", "theirs" if ships else "b")
    chart = s.chart(s.made([fleet], holdings=holdings, troops=troops, changed=changed))
    ports_go_back(chart)
    assert chart.owner_of("theirs") == ("Dutch Republic" if back else "England")
    assert ("theirs" in chart.closed["ENG"]) is back
    if back:
        (told,) = s.told(chart, "port_taken")
        assert (told["side"], told["loser"], told["marks"], told["back"]) == ("NLD", "ENG", "8", True)
        assert chart.state.economy.prisoners == {("NLD", "theirs", "ENG"): men}


@pytest.mark.clause("G.LD4")
def test_a_convoy_in_the_port_is_no_ship_of_war() -> None:
    holdings = TAKEN.copy()
    holdings.ashore = {}
    chart = s.chart(
        s.made(
            [b.fleet("e", "ENG", "theirs")],
            [s.transport("e1")],
            holdings=holdings,
            troops=Troops(boats={"e1": 5}),
        )
    )
    ports_go_back(chart)
    assert chart.owner_of("theirs") == "Dutch Republic"


@pytest.mark.clause("G.LD4")
def test_a_port_that_its_first_owner_has_retaken_does_not_go_back_to_anyone() -> None:
    holdings = replace(TAKEN.copy(), owners={"theirs": "Dutch Republic"}, ashore={})
    chart = s.chart(s.made([b.fleet("e", "ENG", "b")], holdings=holdings))
    ports_go_back(chart)
    assert not chart.state.events


@pytest.mark.clause("G.LD4", "G.CL2", "G.UM3")
def test_a_whole_siege_is_played_from_the_landing_to_the_prize_in_port() -> None:
    """From a state stored and read back at every stop: men land, fight, take the port, and the ships in it."""
    ships = [
        b.ship("e1", "ENG", "e", card={"hull": 400, "value": 400}), s.transport("e2", tons=60_000, card={"hull": 400, "value": 1}),
        b.ship("d1", "NLD", "d", men=10),
    ]  # fmt: skip
    fleets = [
        b.fleet("e", "ENG", "c", order=s.order("e", "land", "theirs"), position=s.OFF),
        b.fleet("d", "NLD", "theirs"),
    ]
    made = s.made(
        fleets, ships, guard=1, troops=Troops(aboard={"e2": 12_000}), days=6, theirs={"recruits_per_week": 0}
    )
    state, _ = b.play(made, reload=True)
    (taken,) = s.told(state, "port_taken")
    assert taken["side"] == "ENG"
    assert state.holdings.owners == {"theirs": "England"}
    assert state.ships["d1"].fate is Fate.BURNT or state.ships["d1"].side == "ENG"
    follow = b.next_facts(made, state)
    again, _ = b.play(follow, {"e": s.order("e", "anchor")}, reload=True)
    assert again.holdings.owners == {"theirs": "England"}
