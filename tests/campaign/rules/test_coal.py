"""Coal where a campaign counts stores: what a steamer carries and uses, who fills her up, and what she does without. Rule: G.RP4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.ashore.stores import upkeep_step
from campaign.rules.chart.types import OnArrival, Position, Settings, ShipKind, ShipSheet
from campaign.rules.contact.chase import movement_step
from campaign.rules.sailing.coal import bunkers
from campaign.rules.state.clock import DAY
from campaign.rules.state.duties import Cargo
from campaign.rules.state.state import Contact
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_contact import AVOID, HOLD, SEEK, hours, in_touch, meeting
from tests.campaign.rules.test_steam import STEAM, steamer, steaming

pytestmark = pytest.mark.clause("G.RP4")

ON = Settings(stores="on", end_turn_on="none")
COLLIER = ShipKind.MERCHANT


def chart_of(
    *ships: ShipSheet, settings: Settings = ON, hour: int = DAY, at: str = "n", **over: Any
) -> Chart:
    """The English fleet e, with its ships, at an anchorage unless told; fleets named in ships beside it."""
    codes = sorted({ship.fleet for ship in ships})
    fleets = [b.fleet(code, "ENG", at) for code in codes]
    made = b.facts(
        [*fleets, b.fleet("d", "NLD", "theirs")], [*ships, b.ship("d1", "NLD", "d")], settings=settings
    )
    chart = Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))
    chart.state.hour = hour
    chart.alter(chart.state.fleets["e"], **over)
    return chart


def told(chart: Chart, kind: str) -> list[Mapping[str, Any]]:
    return [event.data for event in chart.state.events if event.kind == kind]


@pytest.mark.parametrize(
    ("kind", "ship_type", "days"),
    [
        ("line", "battleship", 16), ("frigate", "cruiser_1", 20), ("small craft", "gunboat", 20), ("frigate", "destroyer", 4),
        ("small craft", "torpedo_boat", 4), ("merchant", "transport", 30),
    ],
)  # fmt: skip
def test_bunkers_hold_days_of_coal_by_the_type_of_ship(kind: str, ship_type: str, days: int) -> None:
    assert bunkers(Settings(), ShipKind(kind), {"ship_type": ship_type}) == 24 * days


def used(chart: Chart, hours: int = 1) -> dict[str, int]:
    for _ in range(hours):
        b.step(movement_step, chart)
        chart.state.hour += 1
    return chart.state.economy.coal


def test_an_hour_under_way_uses_an_hour_of_coal_and_lying_still_none() -> None:
    made = b.facts(
        [b.fleet("e", "ENG", "a", "b")], [steamer("e1", "ENG", "e"), b.ship("e2", "ENG", "e")], settings=ON
    )
    chart = Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))
    assert used(chart, 5) == {"e1": 16 * 24 - 5}
    assert used(chart_of(steamer("e1", "ENG", "e")), 5) == {}
    off = Chart(replace(made, settings=Settings()), turn.begin(made, {}, b.dice(made)), ScriptedDice(()))
    assert used(off) == {}


def test_an_hour_in_a_chase_uses_three_of_coal_on_both_sides() -> None:
    for stance, d1 in ((AVOID, 3), (HOLD, 0)):
        made = replace(steaming(meeting(SEEK, stance), e1=18, d1=16), settings=ON)
        coal = hours(made, in_touch(made, "e", "d")).economy.coal
        assert coal == {code: 16 * 24 - burnt for code, burnt in (("d1", d1), ("e1", 3)) if burnt}


def test_a_steamer_without_coal_crawls_at_two_knots_and_its_fleet_makes_for_port() -> None:
    chart = chart_of(
        steamer("e1", "ENG", "e"),
        steamer("e2", "ENG", "e"),
        position=Position("b", "c", 5_000),
        under_way=True,
    )
    chart.alter(
        chart.state.fleets["e"],
        order=replace(chart.state.fleets["e"].order, stance=Stance.SEEK, route=("c",)),
    )
    chart.state.economy.coal = {"e1": 1, "e2": 300}
    b.step(movement_step, chart)
    assert chart.state.economy.coal == {"e1": 0, "e2": 299}
    assert [(hull.knots, hull.full) for hull in chart.hulls("e")] == [(2_000, 2_000), (10_000, 16_000)]
    chart.state.hour = 2 * DAY
    b.step(upkeep_step, chart)
    order = chart.state.fleets["e"].order
    assert (order.route, order.stance, order.on_arrival) == (
        ("b", "a", "home"),
        Stance.AVOID,
        OnArrival.ANCHOR,
    )
    b.step(upkeep_step, chart)
    (event,) = told(chart, "out_of_coal")
    assert (event["ships"], event["place"]) == (["e1"], "home")
    assert chart.state.ships["e1"].men == 300
    uncounted = Chart(replace(chart.facts, settings=Settings()), chart.state, b.dice(chart.facts))
    assert uncounted.hulls("e")[0].knots == 10_000


def test_a_friendly_port_fills_bunkers_and_restores_speed() -> None:
    chart = chart_of(steamer("e1", "ENG", "e"), b.ship("e2", "ENG", "e"), at="home")
    chart.state.economy.coal["e1"] = 0
    assert chart.hulls("e")[0].knots == 2_000
    b.step(upkeep_step, chart)
    assert chart.state.economy.coal == {"e1": 16 * 24}
    assert chart.state.economy.stores["e2"] == 90
    assert "e1" not in chart.state.economy.stores
    assert chart.hulls("e")[0].knots == 10_000


def coaling(company: str = "e", **over: Any) -> Chart:
    chart = chart_of(
        steamer("e1", "ENG", "e"),
        steamer("e2", "ENG", "e"),
        steamer("k", "ENG", company, 10, kind=COLLIER),
        **over,
    )
    chart.state.economy.coal = {"e1": 0, "e2": 16 * 24 - 30}
    return chart


@pytest.mark.parametrize("company", ["e", "f"])
def test_a_collier_in_company_fills_ships_that_lie_still_at_an_anchorage(company: str) -> None:
    chart = coaling(company)
    b.step(upkeep_step, chart)
    given = 16 * 24 + 30
    assert chart.state.economy.coal == {"e1": 16 * 24, "e2": 16 * 24, "k": 330 * 24 - given}
    (event,) = told(chart, "coaled")
    assert (event["ships"], event["days"]) == (["e1", "e2"], 18)
    assert not told(chart, "out_of_coal")


@pytest.mark.parametrize(
    "over", [{"under_way": True}, {"position": Position("b")}, {"position": Position("n", "b", 10)}]
)
def test_no_one_coals_under_way_or_in_the_open_sea(over: dict[str, Any]) -> None:
    chart = coaling(**over)
    b.step(upkeep_step, chart)
    assert chart.state.economy.coal["e1"] == 0
    assert told(chart, "out_of_coal")


def test_no_one_coals_with_an_enemy_in_contact_or_from_a_laden_merchant() -> None:
    chart = coaling()
    chart.state.contacts["d", "e"] = Contact("d", "e", 9_000, 90, since=0)
    b.step(upkeep_step, chart)
    assert chart.state.economy.coal["e1"] == 0
    laden = coaling()
    laden.state.duties.cargoes["k"] = Cargo(10, "home", "ENG")
    b.step(upkeep_step, laden)
    assert laden.state.economy.coal["e1"] == 0


def test_a_collier_gives_what_she_has_and_keeps_her_own_bunkers() -> None:
    chart = coaling()
    chart.state.economy.coal["k"] = 30 * 24 + 100
    b.step(upkeep_step, chart)
    assert chart.state.economy.coal == {"e1": 100, "e2": 16 * 24 - 30, "k": 30 * 24}


def test_steamers_eat_no_provisions_and_sailing_ships_burn_no_coal() -> None:
    chart = chart_of(steamer("e1", "ENG", "e"), b.ship("e2", "ENG", "e", card={**STEAM, "steam": False}))
    b.step(upkeep_step, chart)
    assert chart.state.economy.stores == {"e2": 89, "d1": 90}
    assert chart.state.economy.coal == {}
