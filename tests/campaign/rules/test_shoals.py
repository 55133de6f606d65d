"""Shoal coasts: the channel by day and by night, ships aground and the tide, and shelter for those that draw little."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance, Strength
from campaign.rules.battle.scenario import battle_step
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    FleetOrder,
    Instructions,
    OnArrival,
    Position,
    Theatre,
    TurnFacts,
    Visibility,
)
from campaign.rules.contact.chase import movement_step
from campaign.rules.contact.contact import contact_step
from campaign.rules.contact.sighting import sighting_step
from campaign.rules.losses.tides import shoal_step
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.state import AGROUND, Contact, Touch, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from campaign.rules.turn.joining import company_step
from tests.campaign.rules import builders as b

DAY, NIGHT = 4, 16
SHALLOW = {**b.CARD, "deep": False}


def shoals(owner: str = "theirs") -> Theatre:
    """The square sea with a shoal coast at b, whose pilots live in a port."""
    doc = b.square_doc()
    for row in doc["nodes"]:
        if row["id"] == "b":
            row.update(kind="shoal_coast", channel_owner_port=owner)
    return read_theatre(doc)


def bound(
    cards: Iterable[Any] = (b.CARD, b.CARD, SHALLOW),
    *,
    instruct: str = "dare",
    owner: str = "theirs",
    **order: Any,
) -> TurnFacts:
    """A fleet a mile short of the shoal coast, bound past it."""
    ships = [b.ship(f"e{n}", "ENG", "e", card=card) for n, card in enumerate(cards)]
    given = FleetOrder("e", ("b", "c"), instructions=Instructions(shoals=instruct), **order)
    return b.facts([b.fleet("e", "ENG", "a", to="b", run=59_000, order=given)], ships, sea=shoals(owner))


def sail(made: TurnFacts, faces: Iterable[int] = (), *, hour: int = NIGHT, **weather: Any) -> Chart:
    state = turn.standing(made)
    state.weather["sea"] = replace(ZoneWeather(0, Strength.MODERATE, Visibility.CLEAR), **weather)
    state.hour = hour
    with ScriptedDice(faces) as dice:
        chart = Chart(made, state, dice)
        b.step(movement_step, chart)
        b.step(shoal_step, chart)
    return chart


@pytest.mark.clause("G.CH4")
def test_by_night_each_deep_ship_throws_once_and_ships_aground_stay_while_the_others_sail_on() -> None:
    chart = sail(bound(), (3, 4))
    left = chart.state.fleets["ENG-p1-1"]
    assert [ship.code for ship in chart.ships_of(left.code)] == ["e0"]
    assert (left.position, left.rejoins) == (Position("b"), "e")
    assert [ship.code for ship in chart.ships_of("e")] == ["e1", "e2"]
    assert chart.state.fleets["e"].position.to == "c"
    told = [event for event in chart.state.events if event.kind == "aground"]
    assert (told[0].knows, told[0].data["ships"]) == (("ENG",), ["e0"])


@pytest.mark.clause("G.CH4")
@pytest.mark.parametrize(
    ("owner", "hour", "weather"),
    [
        ("theirs", DAY, {}),
        ("theirs", DAY, {"visibility": Visibility.HAZE}),
        ("home", NIGHT, {}),
        ("home", DAY, {"visibility": Visibility.FOG}),
    ],
)
def test_by_day_in_fair_weather_or_with_their_own_pilots_no_one_throws(
    owner: str, hour: int, weather: dict[str, Any]
) -> None:
    assert not sail(bound(owner=owner), hour=hour, **weather).state.marks


@pytest.mark.clause("G.CH4")
@pytest.mark.parametrize("weather", [{"visibility": Visibility.FOG}, {"strength": Strength.GALE}])
def test_fog_and_gales_hide_the_channel_by_day_too(weather: dict[str, Any]) -> None:
    assert sail(bound(), (1, 1), hour=DAY, **weather).state.marks == {"e0": (AGROUND,), "e1": (AGROUND,)}


@pytest.mark.clause("G.CH4", "G.MV5")
def test_a_fleet_ordered_to_wait_heaves_to_outside_until_it_finds_the_channel() -> None:
    chart = sail(bound(instruct="wait"))
    length = chart.geometry.legs["a", "b"].length
    assert chart.state.fleets["e"].position == Position("a", "b", length - 1)
    assert sail(bound((SHALLOW,), instruct="wait")).state.fleets["e"].position.to == "c"
    assert Instructions().shoals == "wait"


@pytest.mark.clause("G.CH4")
def test_the_umpire_sets_the_lowest_faces() -> None:
    made = bound((b.CARD,))
    bold = replace(made, settings=replace(made.settings, aground_at=0, refloat_at=1))
    assert not sail(bold, (1,)).state.marks


@pytest.mark.clause("G.CH4", "G.MV4")
def test_a_ship_aground_refloats_on_five_at_noon_or_midnight_and_looks_for_her_fleet() -> None:
    chart = sail(bound(), (3, 4))
    left = chart.state.fleets["ENG-p1-1"]
    chart.state.hour, chart.dice = 17, ScriptedDice(())
    b.step(shoal_step, chart)
    chart.state.hour, chart.dice = 18, ScriptedDice((4,))
    b.step(shoal_step, chart)
    assert chart.aground(left)
    b.step(movement_step, chart)
    assert chart.state.fleets[left.code].position == Position("b")
    chart.state.hour, chart.dice = 30, ScriptedDice((5,))
    b.step(shoal_step, chart)
    assert not chart.state.marks
    assert chart.state.fleets[left.code].order.route == ("c",)
    chart.alter(chart.state.fleets["e"], position=Position("b"))
    chart.state.hour = 48
    b.step(company_step, chart)
    assert len(chart.ships_of("e")) == 3


def refuge(seeker: Any, *, instruct: str = "wait", cards: tuple[Any, ...] = (SHALLOW,)) -> Chart:
    """A Dutch fleet in shelter, and an English one at gunshot that has seen it."""
    english = FleetOrder(
        "e", stance=Stance.SEEK, instructions=Instructions(shoals=instruct, greatest_odds="9")
    )
    dutch = FleetOrder("d", on_arrival=OnArrival.SHELTER)
    fleets = [b.fleet("e", "ENG", "b", order=english), b.fleet("d", "NLD", "b", order=dutch)]
    ships = [b.ship("e1", "ENG", "e", card=seeker)]
    ships += [b.ship(f"d{n}", "NLD", "d", card=card) for n, card in enumerate(cards)]
    made = b.facts(fleets, ships, sea=shoals(), weather=b.weather())
    state = turn.standing(made)
    state.hour = DAY
    state.touches["e", "d"] = Touch("e", "d", True, 1, 500, 0, "1", ("line",))
    return Chart(made, state, ScriptedDice(()))


@pytest.mark.clause("G.CH5", "K.G13")
def test_deep_ships_cannot_bring_a_sheltered_fleet_to_battle_and_shallow_ones_can() -> None:
    chart = refuge(b.CARD)
    chart.state.contacts["e", "d"] = Contact("e", "d", 500, 90, since=3)
    b.step(contact_step, chart)
    assert not chart.state.contacts
    assert chart.state.events[-1].data["why"] == "shelter"
    chart = refuge(SHALLOW)
    b.step(contact_step, chart)
    b.step(battle_step, chart)
    assert chart.state.calls


@pytest.mark.clause("G.CH5", "G.CH4")
def test_a_fleet_that_follows_it_in_throws_for_each_deep_ship_even_by_day() -> None:
    chart = refuge(b.CARD, instruct="dare")
    chart.dice = ScriptedDice((3,))
    b.step(contact_step, chart)
    b.step(battle_step, chart)
    assert (chart.state.calls, chart.state.marks) == ([], {"e1": (AGROUND,)})
    chart = refuge(b.CARD, instruct="dare")
    chart.dice = ScriptedDice((4,))
    b.step(contact_step, chart)
    b.step(battle_step, chart)
    assert len(chart.state.calls) == 1


@pytest.mark.clause("G.CH5")
def test_a_deep_ship_among_them_spoils_the_shelter() -> None:
    chart = refuge(b.CARD, cards=(SHALLOW, b.CARD))
    b.step(contact_step, chart)
    assert chart.state.contacts


@pytest.mark.clause("G.CH5", "G.MV3")
def test_an_order_to_shelter_is_for_shallow_ships_at_a_shoal_coast() -> None:
    made = bound()
    shelter = FleetOrder("e", ("b",), on_arrival=OnArrival.SHELTER)
    assert [fault.code for fault in order_faults(made, shelter)] == ["order/too-deep"]
    assert not order_faults(bound((SHALLOW,)), shelter)
    elsewhere = replace(shelter, route=("b", "c"))
    assert [fault.code for fault in order_faults(bound((SHALLOW,)), elsewhere)] == ["order/no-shelter"]


@pytest.mark.clause("G.CH4", "G.SI1")
def test_ships_that_ran_aground_in_this_hour_are_looked_for_where_they_lie() -> None:
    made = bound()
    enemy = b.fleet("d", "NLD", "b")
    watched = replace(
        made, fleets={**made.fleets, "d": enemy}, ships={**made.ships, "d1": b.ship("d1", "NLD", "d")}
    )
    chart = sail(watched, (3, 4))
    with ScriptedDice((1, 1, 1, 1)) as dice:
        chart.dice = dice
        b.step(sighting_step, chart)
    assert ("d", "ENG-p1-1") in chart.state.touches
