"""A general chase at its edges: who goes ahead, who is left astern, and what they and their enemies know of each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.types import FleetOrder, Instructions, Position, ShipKind
from campaign.rules.contact.general_chase import general_chase_step
from campaign.rules.state.state import Contact, Touch
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

HURT = {"lost": 10}


def chasing(
    hurt: tuple[str, ...] = (), *, slowest: str = "keep", to: str = "c", seekers: str = "e", **ships: Any
) -> Chart:
    """English fleets of three at a chase three Dutch at b; the step is still to be played. ships: what else is true of one."""
    told = Instructions(greatest_odds="99", doctrine=Doctrine(chase="general"))
    flee = FleetOrder("d", (), Stance.AVOID, instructions=Instructions(slowest=slowest))
    rows = [b.fleet("d", "NLD", "b", order=flee), b.fleet("x", "NLD", "n")]
    for code in seekers:
        rows.append(b.fleet(code, "ENG", "a", order=FleetOrder(code, ("b",), Stance.SEEK, instructions=told)))
    sheets = [
        b.ship(f"{code}{n}", "NLD" if code in "dx" else "ENG", code, squadron=f"{code}-1", order=n)
        for code in ("d", "x", *seekers)
        for n in range(3)
    ]
    sheets = [replace(s, condition=HURT) if s.code in hurt else s for s in sheets]
    sheets = [replace(s, **ships.get(s.code, {})) for s in sheets]
    made = b.facts(rows, sheets, weather=b.weather(wind=0))
    state = turn.standing(made)
    state.weather["sea"] = turn.begin(made, {}, b.dice(made)).weather["sea"]
    state.hour = 5
    for code in seekers:
        for one, other in ((code, "d"), ("d", code)):
            state.touches[one, other] = Touch(one, other, True, 1, 5_000, 4, "2-4", ("line",))
        state.contacts[code, "d"] = Contact(code, "d", 5_000, 90, since=3)
    return Chart(made, state, ScriptedDice(()))


def played(chart: Chart) -> dict[str, list[str]]:
    """The ships of every fleet after the step."""
    b.step(general_chase_step, chart)
    return {
        fleet.code: [ship.code for ship in chart.ships_of(fleet.code)]
        for fleet in chart.fleets()
        if fleet.code != "x"
    }


WHOLE = {"d": ["d0", "d1", "d2"], "e": ["e0", "e1", "e2"]}


@pytest.mark.clause("G.CO2", "G.MV5")
def test_at_equal_speeds_no_one_is_left_astern_and_the_seekers_faster_ships_go_ahead() -> None:
    chart = chasing(("d1", "e1"), slowest="leave")
    assert played(chart) == {"d": WHOLE["d"], "e": ["e1"], "ENG-p1-1": ["e0", "e2"]}


@pytest.mark.clause("G.CO2")
def test_a_prize_does_not_go_ahead_however_fast_she_is() -> None:
    chart = chasing(("e1",), e2={"prize": True})
    assert played(chart) == {"d": WHOLE["d"], "e": ["e1", "e2"], "ENG-p1-1": ["e0"]}
    ahead = chart.state.fleets["ENG-p1-1"]
    assert (ahead.name, ahead.home) == ("Ship e0", "e-1")
    only = chasing(("e1",), e0={"prize": True}, e2={"prize": True})
    assert played(only) == {"d": WHOLE["d"], "e": ["e1", "e0", "e2"]}
    assert only.state.contacts["e", "d"].general


@pytest.mark.clause("G.CO2", "G.SI3")
def test_ships_that_go_ahead_take_over_the_chase_with_its_range_and_knowledge_of_the_quarry() -> None:
    chart = chasing(("e1",))
    played(chart)
    ahead, old = chart.state.contacts["ENG-p1-1", "d"], chart.state.contacts["e", "d"]
    assert (ahead.general, old.general) == (True, True)
    assert (ahead.range, ahead.bearing, ahead.since) == (5_000, 90, 3)
    assert chart.state.touches["ENG-p1-1", "d"].observer == "ENG-p1-1"
    assert chart.state.touches["ENG-p1-1", "d"].number == 1
    fleet = chart.state.fleets["ENG-p1-1"]
    assert (fleet.name, fleet.home) == ("Flying squadron of Fleet e", "")
    assert played(chart) == {"d": WHOLE["d"], "e": ["e1"], "ENG-p1-1": ["e0", "e2"]}


@pytest.mark.clause("G.CO2", "G.CO6")
def test_in_a_chase_after_a_battle_ships_go_ahead_without_a_new_sighting() -> None:
    chart = chasing(("e1",))
    chart.state.touches.clear()
    chart.state.contacts["e", "d"] = Contact("e", "d", 3_000, 90, since=3, parting="d", after_battle=True)
    assert played(chart) == {"d": WHOLE["d"], "e": ["e1"], "ENG-p1-1": ["e0", "e2"]}
    assert chart.state.touches == {}
    astern = chasing(("d1",), slowest="leave")
    astern.state.touches.clear()
    astern.state.contacts["e", "d"] = Contact("e", "d", 3_000, 90, since=3, parting="d", after_battle=True)
    assert played(astern) == {"d": ["d0", "d2"], "e": WHOLE["e"], "NLD-p1-1": ["d1"]}
    assert astern.state.touches == {}
    assert set(astern.state.contacts) == {("e", "NLD-p1-1")}


@pytest.mark.clause("G.CO2")
def test_no_ship_goes_ahead_or_is_left_by_fleets_that_are_held_or_cornered_or_not_chased() -> None:
    for slowest, hurt in (("keep", ("e1",)), ("leave", ("d1",))):
        for code in "de":
            held = chasing(hurt, slowest=slowest)
            held.alter(held.state.fleets[code], off_until=6)
            assert played(held) == WHOLE
        cornered = chasing(hurt, slowest=slowest)
        cornered.state.contacts["e", "d"] = replace(cornered.state.contacts["e", "d"], bearing=0)
        cornered.alter(cornered.state.fleets["d"], position=Position("n"))
        assert played(cornered) == WHOLE
        stands = chasing(hurt, slowest=slowest)
        order = replace(stands.state.fleets["d"].order, stance=Stance.HOLD)
        stands.alter(stands.state.fleets["d"], order=order)
        assert played(stands) == WHOLE


@pytest.mark.clause("G.CO2", "G.MV5")
def test_all_the_slowest_ships_are_left_and_their_name_says_whose_they_were() -> None:
    chart = chasing(("d1", "d2"), slowest="leave")
    assert played(chart) == {"d": ["d0"], "e": WHOLE["e"], "NLD-p1-1": ["d1", "d2"]}
    left = chart.state.fleets["NLD-p1-1"]
    assert (left.name, left.home, left.rejoins) == ("Rear of Fleet d", "", "d")
    assert dict(left.homes) == {"d1": "d-1", "d2": "d-1"}
    one = chasing(("d2",), slowest="leave")
    played(one)
    assert (one.state.fleets["NLD-p1-1"].name, one.state.fleets["NLD-p1-1"].home) == ("Ship d2", "d-1")


@pytest.mark.clause("G.CO2", "G.MV5")
def test_no_one_is_left_when_all_are_equally_slow_or_only_prizes_would_escape() -> None:
    assert played(chasing(("d0", "d1", "d2"), slowest="leave")) == WHOLE
    prizes = chasing(("d1",), slowest="leave", d0={"prize": True}, d2={"prize": True})
    assert played(prizes)["d"] == ["d1", "d0", "d2"]
    one = chasing(("d1",), slowest="leave", d0={"prize": True})
    assert played(one) == {"d": ["d2", "d0"], "e": WHOLE["e"], "NLD-p1-1": ["d1"]}


@pytest.mark.clause("G.CO2")
def test_every_pursuer_catches_up_only_with_the_ships_that_are_left() -> None:
    chart = chasing(("d1",), slowest="leave", seekers="ef")
    chart.state.contacts["e", "x"] = Contact("e", "x", 9_000, 0, since=3)
    del chart.state.touches["d", "f"], chart.state.touches["f", "d"]
    chart.state.contacts["f", "d"] = replace(
        chart.state.contacts["f", "d"], range=7_000, after_battle=True, parting="d"
    )
    played(chart)
    contacts = {key: contact.range for key, contact in chart.state.contacts.items()}
    assert contacts == {("e", "NLD-p1-1"): 5_000, ("f", "NLD-p1-1"): 7_000, ("e", "x"): 9_000}
    assert {key: (t.observer, t.fleet) for key, t in chart.state.touches.items()} == {
        key: key for key in (("e", "d"), ("d", "e"), ("e", "NLD-p1-1"), ("NLD-p1-1", "e"))
    }


@pytest.mark.clause("G.CO2", "G.MV1")
@pytest.mark.parametrize(("kind", "ahead"), [(ShipKind.FRIGATE, ["e2"]), (ShipKind.LINE, [])])
def test_every_ship_faster_than_her_fleet_goes_ahead(kind: ShipKind, ahead: list[str]) -> None:
    chart = chasing(e2={"kind": kind})
    assert played(chart).get("ENG-p1-1", []) == ahead
