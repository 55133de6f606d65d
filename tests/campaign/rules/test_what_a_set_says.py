"""What a rule set may say of the chart: how near fleets meet, how far guns reach, whether it fights by night, what its battles learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from campaign.rules.battle.scenario import battle_step, turn_limit
from campaign.rules.chart.types import Battles, Visibility
from campaign.rules.contact.contact import contact_step
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_attack import events
from tests.campaign.rules.test_attack import made as at_port
from tests.campaign.rules.test_flight import AVOID, HOLD, met
from tests.campaign.rules.test_scenario_bounds import chart, contact

MEETS = {"clear": 12_000, "haze": 6_000, "fog": 1_000}


def saying(made: Chart, **over: Any) -> Chart:
    """The same chart under a rule set that has something to say."""
    made.rules = b.plain_rules(**over)  # type: ignore[assignment]
    return made


@pytest.mark.clause("G.CO2")
@pytest.mark.parametrize(("visibility", "far"), MEETS.items())
def test_a_battle_begins_where_the_set_says_that_fleets_meet(visibility: str, far: int) -> None:
    for beyond, begins in ((0, 1), (1, 0)):
        made = saying(chart(), meets_at=MEETS.__getitem__)
        made.state.weather["sea"] = replace(made.state.weather["sea"], visibility=Visibility(visibility))
        made.state.contacts["e", "d"] = contact(range=far + beyond)
        b.step(battle_step, made)
        assert len(made.state.calls) == begins


@pytest.mark.clause("G.CO2")
def test_a_meeting_that_the_night_held_is_within_reach_at_dawn() -> None:
    made = saying(chart(hour=24), meets_at=MEETS.__getitem__)
    made.state.contacts["e", "d"] = contact(range=20_000, night=True, since=20)
    b.step(contact_step, made)
    assert made.state.contacts["e", "d"].range == 12_000


@pytest.mark.clause("G.KT5")
@pytest.mark.parametrize(("far", "thrown"), [(3_000, 3), (3_001, 0)])
def test_long_shots_are_fired_as_far_as_the_guns_reach(far: int, thrown: int) -> None:
    """Two ships a side: two leaders and two of the rear throw, none of them with effect."""
    made = saying(
        met(AVOID, seekers=1, quarries=2), meets_at=lambda visibility: 12_000, guns_reach=lambda year: 3_000
    )
    made.dice = ScriptedDice([1] * thrown)
    made.state.contacts["e", "d"] = contact(range=far, long_shot=True)
    b.step(battle_step, made)
    made.dice.finish()


@pytest.mark.clause("G.KT5")
def test_the_reach_of_guns_is_asked_with_the_year() -> None:
    assert saying(chart(), guns_reach=lambda year: year).guns_reach == 1666


@pytest.mark.clause("G.CO4")
@pytest.mark.parametrize(("night", "turns"), [(False, 2), (True, 30)])
def test_a_set_that_fights_by_night_is_not_stopped_at_nightfall(night: bool, turns: int) -> None:
    made = saying(chart(hour=13), by_night=lambda options: night)
    groups = [[made.state.fleets["e"]], [made.state.fleets["d"]]]
    assert turn_limit(made, groups) == turns


@pytest.mark.clause("G.CL1", "G.WX4")
def test_a_battle_takes_daylight_and_sky_from_the_campaign_where_its_rule_set_has_options_for_them() -> None:
    made = saying(
        chart(),
        hour_in=lambda sunrise, nightfall, visibility: {"day": [sunrise, nightfall], "sky": visibility},
    )
    made.battle_options["sky"] = "fog"
    made.state.contacts["e", "d"] = contact()
    b.step(battle_step, made)
    (call,) = made.state.calls
    assert call.scenario["options"] == {"day": [5, 20], "sky": "fog"}


@pytest.mark.clause("G.PT1")
def test_a_set_with_batteries_of_its_own_is_handed_the_guard_of_the_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(b.PLAIN, "port_in", lambda guard: {"guard": guard})
    monkeypatch.setattr(type(b.PLAIN.at_sea), "port_batteries", True)
    state, stops = b.play(at_port("d", guard=3))
    (call,) = next(stop for stop in stops if isinstance(stop, Battles)).calls
    assert call.scenario["options"]["guard"] == 3
    assert events(state, "guard_fired") == []


@pytest.mark.clause("G.PT1", "G.LD5")
def test_without_a_ship_in_the_port_its_guns_fire_though_the_set_has_batteries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(b.PLAIN.at_sea), "port_batteries", True)
    state, _ = b.play(at_port(guard=3))
    assert len(events(state, "guard_fired")) == 1


@pytest.mark.clause("G.KT4")
def test_a_quarry_that_cannot_be_overhauled_is_followed_no_nearer_than_guns_reach() -> None:
    made = saying(met(AVOID), meets_at=lambda visibility: 12_000, guns_reach=lambda year: 3_000)
    made.state.contacts["e", "d"] = contact(range=2_000)
    b.step(battle_step, made)
    row = made.state.contacts["e", "d"]
    assert (row.long_shot, row.range) == (True, 3_000)


def test_who_stands_is_fought_at_that_range() -> None:
    made = saying(met(HOLD), meets_at=lambda visibility: 12_000)
    made.state.contacts["e", "d"] = contact(range=12_000)
    b.step(battle_step, made)
    assert len(made.state.calls) == 1
