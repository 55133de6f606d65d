"""Wild orders about soldiers, landings and raids, and what stays true whatever they cause."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Stance
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import FleetOrder, OnArrival, Position, ShipKind, TurnDone, TurnFacts
from campaign.rules.losses.castaways import people
from campaign.rules.state.holdings import Holdings
from campaign.rules.state.state import TurnState, state_hash
from campaign.rules.state.troops import Army, Troops
from campaign.rules.turn.turn import standing
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.campaign.rules.test_turn import crowded, hurtful, shuffled

PLACES = ("home", "theirs", "beach", "far", "n", "c")
OF_SOLDIERS = (OnArrival.EMBARK, OnArrival.DISEMBARK, OnArrival.LAND, OnArrival.RAID, OnArrival.ATTACK)


def wild(seed: int) -> tuple[TurnFacts, dict[str, FleetOrder]]:
    """Six fleets of four ships, half of them full of soldiers, men ashore and in ports, and an order for each that has to do with them."""
    rng = random.Random(seed)
    made = crowded(seed)
    ships = {
        code: replace(ship, kind=rng.choice([ShipKind.LINE, ShipKind.MERCHANT, ShipKind.FIRE_SHIP]), men=rng.choice([300, 300, 20]))
        for code, ship in made.ships.items()
    }  # fmt: skip
    troops = Troops(
        armies={("ENG", "home"): Army(rng.randint(1, 9000), rng.choice([0, 700])), ("NLD", "theirs"): Army(rng.randint(1, 900))},
        aboard={code: rng.randint(1, 2000) for code in sorted(ships) if rng.random() < 0.5},
    )  # fmt: skip
    holdings = Holdings(
        ashore={
            ("ENG", rng.choice(["theirs", "beach", "far"])): rng.randint(1, 6000),
            ("NLD", "home"): rng.randint(1, 6000),
        }
    )
    if rng.random() < 0.4:
        holdings.owners, holdings.first = {"theirs": "England"}, {"theirs": "Dutch Republic"}
        holdings.ashore = {("ENG", "theirs"): rng.randint(100, 900), ("NLD", "beach"): rng.randint(1, 5000)}
    fleets = dict(made.fleets)
    for code in fleets:
        if rng.random() < 0.5:
            fleets[code] = replace(
                fleets[code],
                position=rng.choice([Position("theirs"), Position("home"), s.OFF, Position("beach")]),
            )
    made = replace(
        made, theatre=s.sea(rng.randint(0, 4)), ships=ships, fleets=fleets, days=rng.randint(2, 6),
        settings=b.settings(landings="on", end_turn_on="none"), carried={"troops": troops.doc(), "holdings": holdings.doc()},
    )  # fmt: skip
    return made, {code: _order(made, code, rng) for code in sorted(made.fleets)}


def _order(made: TurnFacts, code: str, rng: random.Random) -> FleetOrder:
    position = made.fleets[code].position
    route = geometry(made.theatre).way(position, rng.choice(PLACES))
    return FleetOrder(code, route, rng.choice(list(Stance)), rng.choice(OF_SOLDIERS))


def _sound(made: TurnFacts, state: TurnState) -> None:
    """No one comes from nowhere, soldiers are in ships afloat, and every ship afloat is in a living fleet of her side."""
    joined = sum(event.data["men"] for event in state.events if event.kind == "recruited")
    assert people(state) <= people(standing(made)) + joined
    for code, men in state.troops.aboard.items():
        ship = state.ships[code]
        assert men > 0 and ship.fate in (Fate.AFLOAT, Fate.INTERNED) and not ship.prize, code
    assert all(men > 0 for men in state.holdings.ashore.values())
    assert all(army.men > 0 for army in state.troops.armies.values())
    for ship in state.ships.values():
        if ship.fate is Fate.AFLOAT and ship.fleet:
            fleet = state.fleets[ship.fleet]
            assert fleet.side == ship.side and not fleet.ended, ship
        assert ship.men >= 0
    for port, owner in state.holdings.owners.items():
        assert owner in ("England", "Dutch Republic") and state.holdings.first[port]


@pytest.mark.clause("G.LD1", "G.LD2", "G.LD3", "G.LD4", "G.LD5", "G.CL2", "G.BT3")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 100_000))
def test_whatever_is_ordered_ashore_the_turn_ends_and_no_one_comes_from_nowhere(seed: int) -> None:
    made, orders = wild(seed)
    state, stops = b.play(made, orders, fought=hurtful, reload=True)
    assert isinstance(stops[-1], TurnDone)
    _sound(made, state)
    mixed: Any = b.play(shuffled(made, seed), dict(reversed(orders.items())), fought=hurtful)[0]
    assert state_hash(mixed) == state_hash(state)
    follow = b.next_facts(made, state)
    again, _ = b.play(follow, fought=hurtful, reload=True)
    _sound(follow, again)
