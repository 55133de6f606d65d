"""A forecast of a route matches how it will be sailed, and uses nothing that the admiral does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetOrder, OnArrival, TurnFacts
from campaign.rules.turn.forecast import passage, weather_known
from tests.campaign.rules import builders as b


def made(**weather: object) -> TurnFacts:
    fleets = [b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "b", stance=Stance.SEEK)]
    return b.facts(fleets, weather=b.weather(**{"wind": 0, **weather}), days=3)  # type: ignore[arg-type]


@pytest.mark.clause("G.MV1", "G.MV2")
def test_the_forecast_matches_a_turn_in_the_same_wind() -> None:
    order = FleetOrder("e", ("a", "b"))
    tried = passage(made(), order)
    assert [stage.place for stage in tried.stages] == ["a", "b"]
    assert tried.arrives
    alone = replace(made(), fleets={"e": b.fleet("e", "ENG", "home", "a", "b")})
    alone = replace(alone, ships={"e1": made().ships["e1"]}, days=1)
    state, _ = b.play(alone)
    first = next(event for event in state.events if event.kind == "passed")
    assert abs(first.hour + 1 - tried.stages[0].hour) <= 2  # the turn's own wind may freshen or fall


def test_anything_beyond_the_turns_end_is_marked_and_a_fleet_that_stays_has_no_stages() -> None:
    slow = passage(replace(made(strength="light"), days=1), FleetOrder("e", ("a", "b")))
    assert [stage.in_turn for stage in slow.stages] == [False, False]
    assert passage(made(), FleetOrder("e")).stages == ()


def test_in_a_lasting_calm_the_end_is_not_reached() -> None:
    tried = passage(made(strength="still"), FleetOrder("e", ("a",)))
    assert (tried.stages, tried.arrives) == ((), False)


@pytest.mark.clause("G.BL1")
def test_a_blockader_arrives_off_the_port() -> None:
    tried = passage(made(), FleetOrder("e", ("a", "b", "c", "theirs"), on_arrival=OnArrival.BLOCKADE))
    assert tried.stages[-1].place == "theirs" and tried.arrives


@pytest.mark.clause("G.IN1")
def test_an_enemy_on_the_way_and_unobserved_weather_make_no_difference() -> None:
    order = FleetOrder("e", ("a", "b", "c"))
    with_enemy = made()
    without = replace(with_enemy, fleets={"e": with_enemy.fleets["e"]}, ships={"e1": with_enemy.ships["e1"]})
    assert passage(with_enemy, order) == passage(without, order)
    away = {code: fleet for code, fleet in with_enemy.fleets.items() if code != "e"}
    (known,) = weather_known(
        replace(with_enemy, fleets=away, weather=b.weather(strength="gale")), "ENG"
    ).values()
    assert (known.strength.value, known.wind_from) == ("moderate", 270)
