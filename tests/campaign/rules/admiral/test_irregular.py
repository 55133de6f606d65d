"""What the automatic admiral does with minelayers, flotillas and raiders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import OnArrival, ShipKind, TurnFacts
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.minefields import Minefield, Mines
from tests.campaign.rules import builders as b
from tests.campaign.rules.admiral.builders import done, plan, row, seen, war
from tests.campaign.rules.test_shipping import TRADE

MINELAYER = {"hull": 20, "value": 1, "mines": 6, "aboard": 6}
BOAT = {"hull": 4, "value": 2, "torpedoes": True}
CRUISER = {"hull": 20, "value": 5, "raider": True}


@pytest.fixture(autouse=True)
def torpedo_age(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plain rule set knows mines, torpedoes and trade."""
    kind = type(b.PLAIN.at_sea)
    for name, value in (("lays_mines", True), ("strikes_by_night", True), ("trade", TRADE)):
        monkeypatch.setattr(kind, name, value)
    yield


def other(card: dict[str, Any], *, at: str = "c", reports: Any = (), mines: Mines | None = None) -> TurnFacts:
    """The battle fleet with its objective, and one more fleet."""
    kind = ShipKind.MERCHANT if "mines" in card else ShipKind.FRIGATE
    return war(
        row("destroy", group="line", left=50),
        fleets=[b.fleet("x", "ENG", at)],
        ships=[b.ship("x1", "ENG", "x", card=card, kind=kind)],
        reports=reports,
        carried={"mines": mines.doc()} if mines else None,
    )


def given(facts: TurnFacts) -> tuple[OnArrival, str, Stance]:
    order = plan(facts).orders["x"]
    assert order_faults(facts, order, "ENG") == ()
    return order.on_arrival, order.route[-1] if order.route else "", order.stance


@pytest.mark.clause("G.AA8")
def test_a_minelayer_lays_before_the_nearest_enemy_port_with_a_reason() -> None:
    facts = other(MINELAYER)
    assert given(facts) == (OnArrival.MINE, "theirs", Stance.AVOID)
    (decision,) = (one for one in plan(facts).decisions if one.fleet == "x")
    assert (decision.verb, decision.place) == ("mine", "theirs")
    assert decision.why == "It lays mines by night before Theirs."


@pytest.mark.clause("G.AA8")
@pytest.mark.parametrize(
    ("card", "at", "mines"),
    [
        (MINELAYER, "c", Mines({"m001": Minefield("m001", "ENG", "theirs", 6)}, laid=1)),
        (MINELAYER, "a", None),
        ({**MINELAYER, "aboard": 0}, "c", None),
    ],
)
def test_it_lays_none_twice_none_far_off_and_none_that_it_has_not(
    card: Any, at: str, mines: Mines | None
) -> None:
    assert done(other(card, at=at, mines=mines), "x")[0] == "refit"


@pytest.mark.clause("G.AA8")
def test_a_flotilla_attacks_by_night_where_an_enemy_is_expected() -> None:
    there = other(BOAT, reports=[seen(400)])
    assert given(there) == (OnArrival.TORPEDO, "theirs", Stance.AVOID)
    assert given(other(BOAT))[0] is not OnArrival.TORPEDO


@pytest.mark.clause("G.AA8")
@pytest.mark.parametrize(
    ("met", "guard", "attacks"), [((), 4, True), (("d0",), 2, True), (("d0",), 3, False)]
)
def test_once_its_side_has_fought_it_leaves_strong_ports_alone(
    met: tuple[str, ...], guard: int, attacks: bool
) -> None:
    facts = other(BOAT, reports=[seen(400)])
    places = dict(facts.theatre.places)
    places["theirs"] = replace(places["theirs"], guard=guard)
    made = replace(
        facts, theatre=replace(facts.theatre, places=places), carried={**facts.carried, "met": {"ENG": met}}
    )
    assert (given(made)[0] is OnArrival.TORPEDO) is attacks


@pytest.mark.clause("G.AA8")
def test_a_sides_greatest_fleet_does_not_raid_trade() -> None:
    facts = other(CRUISER, at="a")
    ships = {code: ship for code, ship in facts.ships.items() if ship.fleet != "e"}
    alone = replace(facts, fleets={c: f for c, f in facts.fleets.items() if c != "e"}, ships=ships)
    assert done(alone, "x")[0] != "trade raid"


@pytest.mark.clause("G.AA8")
def test_cruisers_without_a_task_raid_trade_where_no_enemy_is_expected() -> None:
    assert given(other(CRUISER, at="a")) == (OnArrival.TRADE, "b", Stance.AVOID)
    assert given(other(CRUISER, at="a", reports=[seen(200)]))[1] != "b"


@pytest.mark.clause("G.AA8")
@pytest.mark.parametrize("card", [MINELAYER, BOAT, CRUISER])
def test_under_other_rule_sets_they_do_nothing_of_the_kind(
    card: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("lays_mines", False), ("strikes_by_night", False), ("trade", None)):
        monkeypatch.setattr(type(b.PLAIN.at_sea), name, value)
    order = plan(other(card, reports=[seen(400)])).orders["x"]
    assert order.on_arrival not in (OnArrival.MINE, OnArrival.TORPEDO, OnArrival.TRADE)
