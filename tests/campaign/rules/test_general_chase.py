"""A general chase, ships left astern, and prizes that are burnt, released or escorted in by a frigate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, ShipKind, TurnFacts
from campaign.rules.contact.general_chase import general_chase_step
from campaign.rules.state.state import Contact, Touch
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

HURT = {"lost": 10}


def chase(*, general: bool = True, slowest: str = "keep", hurt: tuple[str, ...] = ("e1",)) -> Chart:
    """The English at a chase the Dutch at b, who run for c; those named have lost half their hulls and speed with it."""
    told = Instructions(greatest_odds="9", doctrine=Doctrine(chase="general" if general else "line"))
    seek = FleetOrder("e", ("b",), Stance.SEEK, instructions=told)
    flee = FleetOrder("d", (), Stance.AVOID, instructions=Instructions(slowest=slowest))
    ships = [b.ship(f"e{n}", "ENG", "e", squadron="red") for n in range(3)]
    ships += [b.ship(f"d{n}", "NLD", "d", squadron="first") for n in range(3)]
    ships = [replace(s, condition=HURT) if s.code in hurt else s for s in ships]
    fleets = [b.fleet("e", "ENG", "a", order=seek), b.fleet("d", "NLD", "b", order=flee)]
    made = b.facts(fleets, ships, weather=b.weather(wind=0))
    state = turn.begin(made, {}, b.dice(made))
    state.hour = 5
    for one, other in (("e", "d"), ("d", "e")):
        state.touches[one, other] = Touch(one, other, True, 1, 5_000, 4, "2-4", ("line",))
    state.contacts["e", "d"] = Contact("e", "d", 5_000, 90, since=3)
    chart = Chart(made, state, ScriptedDice(()))
    b.step(general_chase_step, chart)
    return chart


@pytest.mark.clause("G.CO2", "G.MV5")
def test_in_a_general_chase_the_faster_ships_go_ahead_and_the_slow_one_follows() -> None:
    chart = chase()
    assert sorted(chart.state.fleets) == ["ENG-p1-1", "d", "e"]
    ahead = chart.state.fleets["ENG-p1-1"]
    assert [ship.code for ship in chart.ships_of(ahead.code)] == ["e0", "e2"]
    assert [ship.code for ship in chart.ships_of("e")] == ["e1"]
    assert (ahead.order.stance, ahead.order.on_arrival, ahead.rejoins) == (Stance.SEEK, OnArrival.JOIN, "e")
    assert set(chart.state.contacts) == {("e", "d"), ("ENG-p1-1", "d")}
    assert chart.state.touches["ENG-p1-1", "d"].seen
    (event,) = chart.state.events
    assert (event.kind, event.knows, event.data["ships"]) == ("sent_ahead", ("ENG",), ["e0", "e2"])
    b.step(general_chase_step, chart)
    assert len(chart.fleets()) == 3


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize("how", [{"general": False}, {"hurt": ("d1",)}, {"hurt": ()}])
def test_no_one_goes_ahead_in_line_or_when_the_enemy_is_overhauled_or_all_are_alike(how: Any) -> None:
    assert len(chase(**how).fleets()) == 2


@pytest.mark.clause("G.CO2", "G.MV5")
def test_an_overhauled_fleet_leaves_its_slowest_ships_if_so_instructed() -> None:
    assert len(chase(hurt=("d1",)).fleets()) == 2
    chart = chase(hurt=("d1",), slowest="leave")
    assert sorted(chart.state.fleets) == ["NLD-p1-1", "d", "e"]
    left = chart.state.fleets["NLD-p1-1"]
    assert [ship.code for ship in chart.ships_of(left.code)] == ["d1"]
    assert set(chart.state.contacts) == {("e", "NLD-p1-1")}
    assert chart.state.touches["e", "NLD-p1-1"].fleet == "NLD-p1-1"
    (event,) = chart.state.events
    assert (event.kind, event.knows) == ("left_astern", ("NLD",))


def fight(prizes: str, *, escort: str = "none", kind: ShipKind = ShipKind.LINE) -> tuple[TurnFacts, Any]:
    """A battle in which the English take a Dutch ship."""
    told = Instructions(
        greatest_odds="9", prizes=prizes, prize_escort=escort, cripples_to="home", after_battle="part"
    )
    order = FleetOrder("e", (), Stance.SEEK, instructions=told)
    ships = [b.ship("e0", "ENG", "e"), b.ship("e1", "ENG", "e", kind=kind)]
    ships += [b.ship(f"d{n}", "NLD", "d") for n in range(2)]
    fleets = [b.fleet("e", "ENG", "b", order=order), b.fleet("d", "NLD", "b")]
    return b.facts(fleets, ships, weather=b.weather(wind=0), days=2), None


def taken(call: Any) -> Any:
    held = {
        s["id"]
        for side in call.scenario["sides"]
        for q in side["squadrons"]
        for s in q["ships"]
        if (s["id"][0] == "d") == (side["id"] == "NLD")
    }
    fate = {
        "fate": "captured", "captor": "ENG", "captor_ship": "e0", "prize_crew": 40, "prisoners": 200,
    }  # fmt: skip
    return b.outcome_of(call, **({"d0": fate} if {"d0", "e0"} <= held else {}))


@pytest.mark.clause("G.MV5", "G.PR1")
def test_a_prize_is_manned_burnt_or_released_as_instructed() -> None:
    manned, _ = b.play(fight("man")[0], fought=taken)
    assert (manned.ships["d0"].side, manned.ships["d0"].prize) == ("ENG", True)
    burnt, _ = b.play(fight("burn")[0], fought=taken)
    assert (burnt.ships["d0"].fate.value, burnt.ships["d0"].fleet) == ("burnt", "")
    assert burnt.prizes == {}
    crew = burnt.ships["e0"].men + burnt.ships["e1"].men - manned.ships["e0"].men - manned.ships["e1"].men
    assert crew == 40
    (event,) = [e for e in burnt.events if e.kind == "burnt_at_sea"]
    assert event.knows == ("ENG", "NLD")
    free, _ = b.play(fight("release")[0], fought=taken)
    ship = free.ships["d0"]
    assert (ship.side, ship.prize, ship.men) == ("NLD", False, 200)
    assert free.fleets[ship.fleet].order.stance is Stance.AVOID


@pytest.mark.clause("G.MV5", "G.PR3")
@pytest.mark.parametrize(
    ("escort", "kind", "ships"),
    [
        ("none", ShipKind.FRIGATE, ["d0"]),
        ("frigate", ShipKind.FRIGATE, ["d0", "e1"]),
        ("frigate", ShipKind.LINE, ["d0"]),
    ],
)
def test_a_frigate_escorts_prizes_in_if_so_instructed(escort: str, kind: ShipKind, ships: list[str]) -> None:
    state, _ = b.play(fight("man", escort=escort, kind=kind)[0], fought=taken, reload=True)
    (sent,) = [e for e in state.events if e.kind == "sent_in"]
    assert sorted(sent.data["ships"]) == ships
