"""Neutral ports shelter for a day and then intern."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.fates import Fate
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, OnArrival, Settings, SideFacts, Theatre, TurnFacts
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def sea() -> Theatre:
    """The square sea, n a Danish port."""
    doc = b.square_doc()
    for row in doc["nodes"]:
        if row["id"] == "n":
            row.update(kind="port", owner="Denmark", dockyard_capacity=1)
    return read_theatre(doc)


def guest(*, at: str = "n", days: int = 2, order: FleetOrder | None = None, **over: object) -> TurnFacts:
    fleet = b.fleet("e", "ENG", at, **({"order": order} if order else {}))
    return b.facts([fleet], days=days, sea=sea(), weather=b.weather(0), **over)


@pytest.mark.clause("G.NE1")
def test_a_fleet_that_stays_more_than_a_day_is_interned_with_its_crews() -> None:
    state, _ = b.play(guest())
    ship = state.ships["e1"]
    assert (ship.fate, ship.fleet, ship.men) == (Fate.INTERNED, "", 300)
    assert state.fleets["e"].ended
    told = next(event for event in state.events if event.kind == "interned")
    assert (told.hour, told.knows) == (24, ("ENG",))


@pytest.mark.clause("G.NE1")
def test_the_day_counts_across_two_turns_and_its_length_is_a_setting() -> None:
    made = guest(days=1)
    state, _ = b.play(made)
    assert state.ships["e1"].fate is Fate.AFLOAT
    later = b.next_facts(made, state)
    assert b.play(later)[0].ships["e1"].fate is Fate.INTERNED
    kind = guest(settings=Settings(neutral_hours=72))
    assert b.play(kind)[0].ships["e1"].fate is Fate.AFLOAT


@pytest.mark.clause("G.NE1")
def test_a_fleet_that_sails_in_time_or_lies_in_its_own_port_or_at_anchor_stays_free() -> None:
    away = guest(order=FleetOrder("e", ("b",), on_arrival=OnArrival.ANCHOR))
    assert b.play(away)[0].ships["e1"].fate is Fate.AFLOAT
    assert b.play(guest(at="home"))[0].ships["e1"].fate is Fate.AFLOAT
    assert b.play(guest(at="a"))[0].ships["e1"].fate is Fate.AFLOAT


@pytest.mark.clause("G.NE1", "G.CH3")
def test_an_allys_port_is_not_neutral() -> None:
    made = guest()
    sides = {**made.sides, "DEN": SideFacts("DEN", "Denmark", ("Denmark",))}
    made = replace(made, sides=sides)
    assert b.play(made)[0].ships["e1"].fate is Fate.INTERNED
    friends = replace(made, allied=frozenset({frozenset({"ENG", "DEN"})}))
    assert b.play(friends)[0].ships["e1"].fate is Fate.AFLOAT


def test_guests_are_remembered_in_a_stored_state() -> None:
    made = guest()
    assert turn.state_hash(b.play(made, reload=True)[0]) == turn.state_hash(b.play(made)[0])


@pytest.mark.clause("G.NE1")
def test_a_neutral_interns_damaged_ships_at_once_and_gives_a_sound_steamer_her_day() -> None:
    steamer = b.ship("e3", "ENG", "e", card={**b.CARD, "steam": True})
    ships = [b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e", condition={"lost": 1}), steamer]
    made = replace(guest(days=1), ships={ship.code: ship for ship in ships})
    state, _ = b.play(made, reload=True)
    fates = {code: ship.fate.value for code, ship in state.ships.items()}
    assert fates == {"e1": "afloat", "e2": "interned", "e3": "afloat"}
    assert {code: (kept.place, kept.hour) for code, kept in state.duties.interned.items()} == {
        "e2": ("n", 0),
    }
    assert turn.carried_over(made, state)["carried"]["duties"]["interned"]["e2"]["side"] == "ENG"


@pytest.mark.clause("G.NE1", "G.LD2")
def test_a_port_where_soldiers_of_a_side_are_ashore_interns_none_of_its_ships() -> None:
    def fate(side: str) -> Fate:
        state, _ = b.play(guest(carried={"holdings": {"ashore": [[side, "n", 500]]}}))
        return state.ships["e1"].fate

    assert fate("ENG") is Fate.AFLOAT
    assert fate("NLD") is Fate.INTERNED
