"""Wild orders, good and bad, and what stays true whatever they cause."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part, TurnDone, TurnFacts
from campaign.rules.prizes.prizes import PRIZES
from campaign.rules.state.duties import Cargo, Duties
from campaign.rules.state.state import TurnState, state_hash
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_turn import crowded, hurtful, shuffled


def wild(seed: int) -> tuple[TurnFacts, dict[str, FleetOrder]]:
    """Six fleets of four ships with cargoes, and an order for each, whatever comes."""
    rng = random.Random(seed)
    made = crowded(seed)
    cargoes = {
        f"{code}s0": Cargo(9, rng.choice(sorted(made.theatre.places)), code[0]) for code in made.fleets
    }
    cargoes = {ship: replace(c, side={"e": "ENG", "d": "NLD"}[c.side]) for ship, c in cargoes.items()}
    made = replace(made, carried={"duties": Duties(cargoes=cargoes).doc()})
    return made, {code: _order(made, code, rng) for code in sorted(made.fleets)}


def _route(made: TurnFacts, code: str, rng: random.Random) -> tuple[str, ...]:
    at, route = made.fleets[code].position.at, []
    for _ in range(rng.randint(0, 5)):
        at = rng.choice(geometry(made.theatre).neighbours[at])
        route.append(at)
    return tuple(route)


def _order(made: TurnFacts, code: str, rng: random.Random) -> FleetOrder:
    places = ["", *sorted(made.theatre.places)]
    told = Instructions(
        doctrine=Doctrine(chase=rng.choice(["line", "general"])),
        greatest_odds=rng.choice(["0.5", "1.5", "9"]),
        after_battle=rng.choice(["renew", "part"]),
        cripples_to=rng.choice(places),
        disabled=rng.choice(["wait", "leave"]),
        prizes=rng.choice(["man", "burn", "release"]),
        prize_escort=rng.choice(["none", "frigate"]),
        slowest=rng.choice(["keep", "leave"]),
        shelter=rng.choice(places),
    )
    fleets = sorted(made.fleets)
    parts = [
        Part(
            tuple(rng.sample([f"{code}s{n}" for n in range(4)], rng.randint(1, 3))),
            to=rng.choice(["", rng.choice(fleets)]),
            name=rng.choice(["Detachment", ""]),
            route=_route(made, code, rng),
            stance=rng.choice(list(Stance)),
            on_arrival=rng.choice(list(OnArrival)),
            target=rng.choice(fleets),
        )
        for _ in range(rng.randint(0, 2))
    ]
    return FleetOrder(
        code,
        _route(made, code, rng),
        rng.choice(list(Stance)),
        rng.choice(list(OnArrival)),
        told,
        target=rng.choice(["", *fleets]),
        parts=tuple(parts),
    )


def _sound(made: TurnFacts, state: TurnState) -> None:
    """Ships in are ships out, each in one living fleet of her side, and no squadron sails in two."""
    assert set(state.ships) == set(made.ships)
    homes: dict[str, set[str]] = {}
    for ship in state.ships.values():
        if ship.fate is not Fate.AFLOAT:
            assert not ship.fleet
            continue
        fleet = state.fleets[ship.fleet]
        assert fleet.side == ship.side and not fleet.ended, ship
        if ship.squadron != PRIZES:
            homes.setdefault(ship.squadron, set()).add(ship.fleet)
    assert all(len(fleets) == 1 for fleets in homes.values()), homes
    for code, cargo in state.duties.cargoes.items():
        assert not state.ships[code].fate.lost and cargo.value == 9


@pytest.mark.clause("G.MV3", "G.MV4", "G.BT3", "G.CL2")
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 100_000))
def test_whatever_is_ordered_the_turn_ends_and_every_ship_is_in_one_place(seed: int) -> None:
    made, orders = wild(seed)
    state, stops = b.play(made, orders, fought=hurtful, reload=True)
    assert isinstance(stops[-1], TurnDone)
    _sound(made, state)
    mixed: Any = b.play(shuffled(made, seed), dict(reversed(orders.items())), fought=hurtful)[0]
    assert state_hash(mixed) == state_hash(state)
