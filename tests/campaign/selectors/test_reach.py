"""How far a fleet can sail in a turn: never farther than the rules' own forecast, and nothing of an enemy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Station
from campaign.rules.turn.forecast import passage
from campaign.selectors.chart.reach import reach_of
from campaign.selectors.turn.facts import turn_facts
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.versions import play_by_older_rules

pytestmark = pytest.mark.one_database


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales; the English lie at the Nore in a strong south-westerly."""
    return world()


def reach(told: World) -> Any:
    """Of the English fleet."""
    station = Station.objects.select_related("fleet").get(fleet=told.english_fleet)
    return reach_of(told.campaign, station, told.turn)


@pytest.mark.clause("G.MV1")
def test_it_names_the_places_that_the_forecast_reaches_in_the_turn(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaign.selectors.chart.reach.NAMED", 99)
    told.turn.days = 1
    words = reach(told).words
    assert words.startswith("Can reach in 1 day, if the wind holds: The Swin")
    facts, orders = turn_facts(told.turn)
    route = ("swin", "galloper", "broad_fourteens", "dogger", "long_forties")
    order = replace(orders[f"{ENGLISH}-f"], route=route)
    stages = passage(facts, order).stages
    assert {stage.in_turn for stage in stages} == {True, False}
    for stage in stages:
        name = facts.theatre.places[stage.place].name.split(" (")[0]
        assert (name in words) == stage.in_turn, name


@pytest.mark.clause("G.MV1", "G.FA1")
def test_it_is_that_of_the_rules_that_the_campaign_plays_by(
    told: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = reach(told)
    play_by_older_rules(told.campaign, tmp_path, monkeypatch)
    told.turn.campaign = told.campaign
    before = reach(told)
    assert 0 < before.path.count("M") < today.path.count("M")


@pytest.mark.clause("G.MV1")
def test_it_reaches_farther_in_more_days_and_nowhere_without_wind(told: World) -> None:
    told.turn.days = 1
    near = reach(told).path
    told.turn.days = 3
    assert reach(told).path.count("M") > near.count("M") > 0
    told.campaign.weather = {
        zone: {"wind_from": 0, "strength": "still", "visibility": "clear"} for zone in ("southern", "channel")
    }
    told.turn.campaign = told.campaign
    calm = reach(told)
    assert (calm.path, calm.words) == ("", "Cannot move in 3 days, if the wind holds.")


def test_a_fleet_at_sea_may_go_on_or_back(told: World) -> None:
    Station.objects.filter(fleet=told.english_fleet).update(at="galloper", to="schooneveld", run=9_000)
    path = reach(told).path
    starts = [stretch.split("L")[0] for stretch in path.split("M") if stretch]
    assert starts.count(starts[0]) == 2, "on and back from where it is"


def test_a_fleet_that_is_held_by_a_battle_reaches_nothing(told: World) -> None:
    Station.objects.filter(fleet=told.english_fleet).update(held_by="b01")
    assert reach(told).words == "Held by a battle until its result is applied."
    assert reach(told).path == ""


@pytest.mark.clause("G.IN1", "G.WX1")
def test_the_enemys_weather_and_fleets_do_not_change_it(told: World) -> None:
    before = reach(told)
    Station.objects.filter(fleet=told.dutch_fleet).update(at="texel", to="", run=0)
    told.campaign.weather["northern"] = {"wind_from": 90, "strength": "gale", "visibility": "clear"}
    told.turn.campaign = told.campaign
    assert reach(told) == before


@pytest.mark.clause("G.IN1")
def test_only_its_own_side_and_the_umpire_learn_of_it(told: World) -> None:
    address = reverse("reach", args=["telltale", f"{ENGLISH}-f"])
    assert told.client("english").get(address).json()["path"].startswith("M")
    assert DUTCH not in told.client("english").get(address).content.decode()
    for person in ("dutch", "observer", "stranger"):
        assert told.client(person).get(address).status_code == 404
    told.turn.phase = "running"
    told.turn.save()
    assert told.client("english").get(address).json() == {"path": "", "words": ""}
