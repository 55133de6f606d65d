"""Upkeep at sea and the prize court at their edges: repairs, provisions, and what a court decides about a ship."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.ashore.recruits import men_step
from campaign.rules.ashore.stores import upkeep_step
from campaign.rules.chart.side_orders import PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Position, Settings
from campaign.rules.prizes.prize_court import close_case, court_step, imprison, note_capture, note_recapture
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import PrizeCase, Stage
from campaign.rules.state.state import Contact
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

ON = Settings(stores="on", stores_days=3)
HANDY = {"hull": 40, "value": 40, "carpenters": True}


def at_sea(*ships: Any, hour: int = 2 * DAY, settings: Settings | None = None, **fleet: Any) -> Chart:
    """The English fleet e at b, the Dutch at theirs."""
    rows = ships or (b.ship("e1", "ENG", "e", card=HANDY, condition={"lost": 20, "masts": 1}),)
    made = b.facts(
        [b.fleet("e", "ENG", "b"), b.fleet("d", "NLD", "theirs")], [*rows, b.ship("d1", "NLD", "d")],
        settings=settings or Settings(), weather=b.weather(),
    )  # fmt: skip
    chart = Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))
    chart.state.hour = hour
    chart.alter(chart.state.fleets["e"], **fleet)
    chart.state.events.clear()
    return chart


def told(chart: Chart, kind: str) -> list[Mapping[str, Any]]:
    return [event.data for event in chart.state.events if event.kind == kind]


@pytest.mark.clause("G.RP1")
@pytest.mark.parametrize(
    ("fleet", "hour", "mends"),
    [
        ({}, 2 * DAY, True),
        ({}, 0, True),
        ({}, 2 * DAY + 1, False),
        ({"off_until": DAY}, 2 * DAY, True),
        ({"off_until": DAY + 1}, 2 * DAY, False),
        ({"off_until": 3 * DAY}, 2 * DAY, False),
        ({"position": Position("home")}, 2 * DAY, False),
    ],
)
def test_ships_are_repaired_at_sea_at_six_a_day_after_their_last_battle(
    fleet: dict[str, Any], hour: int, mends: bool
) -> None:
    chart = at_sea(hour=hour, **fleet)
    b.step(upkeep_step, chart)
    assert chart.state.ships["e1"].condition == (
        {"lost": 18, "masts": 0} if mends else {"lost": 20, "masts": 1}
    )
    assert chart.state.economy.mended == (frozenset({"e1"}) if mends else frozenset())


@pytest.mark.clause("G.RP1")
def test_no_one_makes_repairs_in_contact_with_an_enemy() -> None:
    chart = at_sea()
    chart.state.contacts["d", "e"] = Contact("d", "e", 9_000, 90, since=0)
    b.step(upkeep_step, chart)
    assert chart.state.ships["e1"].condition["lost"] == 20


@pytest.mark.clause("G.RP1")
@pytest.mark.parametrize(
    ("lost", "masts", "mended", "event"),
    [
        (20, 1, False, [(True, True)]),
        (20, 0, False, [(False, True)]),
        (20, 1, True, [(True, False)]),
        (9, 1, False, [(True, False)]),
        (9, 0, False, []),
        (20, 0, True, []),
    ],
)
def test_repairs_are_reported_and_carpenters_work_once_a_cruise(
    lost: int, masts: int, mended: bool, event: list[tuple[bool, bool]]
) -> None:
    chart = at_sea(b.ship("e1", "ENG", "e", card=HANDY, condition={"lost": lost, "masts": masts}))
    chart.state.economy.mended = frozenset({"e1"}) if mended else frozenset()
    b.step(upkeep_step, chart)
    assert [(row["mast"], row["hull"]) for row in told(chart, "mended_at_sea")] == event


@pytest.mark.clause("G.RP4")
@pytest.mark.parametrize(
    ("men", "left", "now", "stores"), [(300, 1, 300, 0), (300, 0, 294, 0), (301, 0, 294, 0), (49, 0, 48, 0), (0, 0, 0, 0), (300, 3, 300, 2)]
)  # fmt: skip
def test_the_last_days_provisions_feed_everyone_and_then_one_in_fifty_falls_sick(
    men: int, left: int, now: int, stores: int
) -> None:
    chart = at_sea(b.ship("e1", "ENG", "e", men=men, complement=400), settings=ON)
    chart.state.economy.stores["e1"] = left
    b.step(upkeep_step, chart)
    assert (chart.state.ships["e1"].men, chart.state.economy.stores["e1"]) == (now, stores)
    assert [row["men"] for row in told(chart, "hunger")] == ([men - now] if now < men else [])


@pytest.mark.clause("G.RP4")
def test_a_hungry_fleet_makes_for_the_nearest_friendly_port_unless_already_bound_for_it() -> None:
    seek = b.fleet("e", "ENG", "b").order.stance.SEEK
    bound = FleetOrder("e", ("a", "home"), seek, OnArrival.PATROL, Instructions())
    for order, route, arrival in (
        (bound, ("a", "home"), OnArrival.PATROL),
        (replace(bound, route=("c",)), ("a", "home"), OnArrival.ANCHOR),
        (replace(bound, route=()), ("a", "home"), OnArrival.ANCHOR),
    ):
        chart = at_sea(b.ship("e1", "ENG", "e"), settings=ON, order=order)
        chart.state.economy.stores["e1"] = 0
        b.step(upkeep_step, chart)
        now = chart.state.fleets["e"].order
        assert (now.route, now.on_arrival) == (route, arrival)
        assert (now.stance is seek) is (arrival is OnArrival.PATROL)
        assert [row["place"] for row in told(chart, "hunger")] == ["home"]


@pytest.mark.clause("G.RP4")
def test_a_fleet_in_a_battle_neither_eats_nor_restocks_and_a_friendly_port_restocks_it() -> None:
    away = at_sea(settings=ON, off_until=3 * DAY)
    b.step(upkeep_step, away)
    assert away.state.economy.stores == {"d1": 3}
    chart = at_sea(settings=ON, position=Position("home"))
    chart.state.economy.mended = frozenset({"e1", "x"})
    b.step(upkeep_step, chart)
    assert (chart.state.economy.stores, chart.state.economy.mended) == ({"e1": 3, "d1": 3}, frozenset({"x"}))
    uncounted = at_sea(position=Position("home"))
    b.step(upkeep_step, uncounted)
    assert uncounted.state.economy.stores == {}


@pytest.mark.clause("G.RP3")
@pytest.mark.parametrize(("men", "owed"), [(300, {}), (299, {"home": 3})])
def test_a_port_counts_its_levy_only_while_a_ship_there_wants_men(men: int, owed: dict[str, int]) -> None:
    chart = at_sea(
        b.ship("e1", "ENG", "e", men=men), position=Position("home"), settings=Settings(yard_days=1)
    )
    place = replace(chart.facts.theatre.places["home"], recruits=10)
    places = {**chart.facts.theatre.places, "home": place}
    chart.facts = replace(chart.facts, theatre=replace(chart.facts.theatre, places=places))
    b.step(men_step, chart)
    assert chart.state.economy.levied == owed
    assert chart.state.ships["e1"].men == 300


def case(stage: Stage, *, fund: int = 4_001, act: PrizeAct = PrizeAct.BUY, **over: Any) -> Chart:
    """The prize p in the English fleet at home, worth 4001 pounds when condemned."""
    chart = at_sea(
        b.ship("e1", "ENG", "e"), b.ship("p", "ENG", "e", prize=True, men=30),
        **{"position": Position("home"), "hour": DAY, **over},
    )  # fmt: skip
    port = "" if stage is Stage.SAILING else "home"
    chart.state.economy.prizes["p"] = PrizeCase("p", "ENG", "NLD", "e1", 0, 9, stage, port, value=4_001)
    chart.state.economy.funds["ENG"] = fund
    chart.state.economy.orders["ENG"] = SideOrder("ENG", choices=(PrizeChoice("p", act),))
    return chart


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(("fund", "stage"), [(4_001, Stage.BOUGHT), (4_000, Stage.CONDEMNED)])
def test_the_last_pound_of_the_fund_buys_a_prize(fund: int, stage: Stage) -> None:
    chart = case(Stage.CONDEMNED, fund=fund)
    b.step(court_step, chart)
    assert chart.state.economy.prizes["p"].stage is stage


@pytest.mark.clause("G.PR4", "G.CL2")
@pytest.mark.parametrize("stage", [Stage.SAILING, Stage.COURT, Stage.CONDEMNED])
def test_no_court_sits_while_her_fleet_is_in_a_battle_or_between_two_mornings(stage: Stage) -> None:
    for over in ({"off_until": 2 * DAY}, {"hour": DAY + 1}):
        chart = case(stage, **over)
        before = chart.state.economy.prizes["p"]
        b.step(court_step, chart)
        assert chart.state.economy.prizes["p"] == before


@pytest.mark.clause("G.PR4")
def test_a_prize_no_longer_on_the_chart_is_lost_to_her_captor() -> None:
    chart = case(Stage.COURT)
    del chart.state.ships["p"]
    b.step(court_step, chart)
    assert chart.state.economy.prizes["p"].stage is Stage.LOST


@pytest.mark.clause("G.PR1", "G.PR3", "G.PR4")
def test_head_money_is_for_a_ships_own_crew_and_not_for_a_prize_crew() -> None:
    chart = at_sea()
    ship = chart.state.ships["d1"]
    for prize, aboard in ((False, 300), (True, 0)):
        note_capture(chart, replace(ship, prize=prize), captor="ENG", by="e1", hour=5)
        row = chart.state.economy.prizes["d1"]
        assert (row.captor, row.taken_from, row.taken_by, row.hour, row.aboard) == (
            "ENG",
            "NLD",
            "e1",
            5,
            aboard,
        )


@pytest.mark.clause("G.PR3")
@pytest.mark.parametrize(
    ("stage", "then"), [(Stage.COURT, Stage.RETAKEN), (Stage.BOUGHT, Stage.BOUGHT), (Stage.SOLD, Stage.SOLD)]
)
def test_salvage_is_an_eighth_of_her_present_value_and_a_closed_case_stays_closed(
    stage: Stage, then: Stage
) -> None:
    chart = case(stage)
    chart.state.ships["p"] = replace(chart.state.ships["p"], condition={"lost": 7})
    note_recapture(chart, "p", side="ENG")
    assert [row["pounds"] for row in told(chart, "salvage")] == [2_600 // 8]
    assert sum(chart.state.economy.earned["ENG"]) == 325
    assert chart.state.economy.prizes["p"].stage is then
    close_case(chart, "x9")
    assert sorted(chart.state.economy.prizes) == ["p"]


@pytest.mark.clause("G.PR1", "G.PR5")
def test_captives_are_added_to_those_aboard_and_zero_captives_are_not_recorded() -> None:
    chart = at_sea()
    imprison(chart, "e1", "NLD", 0)
    assert chart.state.economy.captives == {}
    imprison(chart, "e1", "NLD", 4)
    imprison(chart, "e1", "NLD", 0)
    imprison(chart, "e1", "FRA", 3)
    assert chart.state.economy.captives == {"e1": ("NLD", 7)}
