"""Convoys: cargoes that pay on arrival, once, and those that do not come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import Battles, FleetOrder, Instructions, ShipKind, TurnFacts
from campaign.rules.state.duties import Cargo, Duties
from tests.campaign.rules import builders as b

SEEKS = b.fleet(
    "d", "NLD", "b", order=FleetOrder("d", (), Stance.SEEK, instructions=Instructions(greatest_odds="9"))
)
TRADE = {code: Cargo(50, "b", "ENG") for code in ("m1", "m2")}


def made(*enemies: Any, **over: Any) -> TurnFacts:
    """Two merchants with cargoes for b, on their way from a and not far from it."""
    ships = [b.ship(code, "ENG", "m", kind=ShipKind.MERCHANT, **over) for code in ("m1", "m2")]
    ships += [b.ship(f"{f.code}1", f.side, f.code) for f in enemies]
    carried = {"duties": Duties(cargoes=dict(TRADE)).doc()}
    fleets = [b.fleet("m", "ENG", "a", "b", to="b", run=45_000), *enemies]
    return b.facts(fleets, ships, weather=b.weather(wind=0), carried=carried)


@pytest.mark.clause("G.CV1", "G.VP1")
def test_a_convoy_pays_only_once_on_arrival() -> None:
    state, _ = b.play(made(), reload=True)
    (paid,) = [e for e in state.events if e.kind == "convoy_delivered"]
    assert (paid.data["value"], paid.data["place"], paid.data["side"]) == (100, "b", "ENG")
    assert paid.knows == ("ENG",)
    assert state.duties.cargoes == {}
    later, _ = b.play(b.next_facts(made(), state))
    assert not [e for e in later.events if e.kind == "convoy_delivered"]


@pytest.mark.clause("G.CV1")
def test_a_cargo_carries_over_from_turn_to_turn_until_it_arrives() -> None:
    far = replace(made(), carried={"duties": Duties(cargoes={"m1": Cargo(50, "n", "ENG")}).doc()})
    state, _ = b.play(far)
    later = b.next_facts(far, state)
    assert later.carried["duties"]["cargoes"] == {"m1": {"value": 50, "destination": "n", "side": "ENG"}}


@pytest.mark.clause("G.CV1")
def test_a_prize_delivers_nothing_for_her_captor_or_her_old_owner() -> None:
    facts = made()
    taken = {**facts.ships, "m1": replace(facts.ships["m1"], prize=True)}
    state, _ = b.play(replace(facts, ships=taken))
    (paid,) = [e for e in state.events if e.kind == "convoy_delivered"]
    assert (paid.data["ships"], paid.data["value"]) == (["m2"], 50)
    assert set(state.duties.cargoes) == {"m1"}


@pytest.mark.clause("G.CV1")
def test_lost_cargo_is_removed() -> None:

    def sunk(call: Any) -> Any:
        return b.outcome_of(
            call, m1={"fate": "sunk", "cause": "gunfire"}, m2={"fate": "sunk", "cause": "gunfire"}
        )

    state, stops = b.play(made(SEEKS), fought=sunk)
    assert any(isinstance(stop, Battles) for stop in stops)
    assert state.duties.cargoes == {}
    assert not [e for e in state.events if e.kind == "convoy_delivered"]


@pytest.mark.clause("G.CV1", "G.MV5")
def test_other_ships_cover_laden_ships_in_battle() -> None:
    _, stops = b.play(made(SEEKS))
    (call,) = next(stop for stop in stops if isinstance(stop, Battles)).calls
    doctrines = {side["id"]: side["doctrine"]["protect"] for side in call.scenario["sides"]}
    assert doctrines == {"ENG": ["m1", "m2"], "NLD": []}
