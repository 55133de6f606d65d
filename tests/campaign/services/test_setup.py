"""Starting a campaign, and everything that prevents it."""

import json
from inspect import signature
from typing import Any

import pytest

from campaign.models import Campaign, Notice, Station, Theatre
from campaign.rules.chart.theatre import TheatreFaults
from campaign.rules.chart.types import Settings
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.setup.setup import (
    SetupRefused,
    campaign_start,
    home_port,
    shipped_theatres,
    theatre_load,
)
from campaign.services.setup.sides import SideStart
from fleets.models import Register, Ship
from tests.campaign.services.conftest import start
from tests.support.answers import answer_of


@pytest.mark.clause("G.CH1", "G.CH3")
@pytest.mark.parametrize("path", shipped_theatres(), ids=lambda path: path.stem)
def test_every_theatre_of_the_site_can_be_read_and_read_again(path: Any, db: Any) -> None:
    document = json.loads(path.read_text())
    Theatre.objects.filter(code=document["theatre"]).delete()
    assert answer_of(theatre_load, document=document) == ""
    first = Theatre.objects.get(code=document["theatre"])
    assert theatre_load(document=document).pk == first.pk
    assert first.places.count() == len(document["nodes"])
    assert first.passages.count() == len(document["edges"])


def test_a_theatre_with_errors_is_not_loaded(db: Any) -> None:
    document = json.loads(shipped_theatres()[0].read_text())
    document["edges"].append(["nowhere", "elsewhere"])
    with pytest.raises(TheatreFaults) as refused:
        theatre_load(document=document)
    assert any("nowhere" in str(fault) for fault in refused.value.faults)
    assert not Theatre.objects.filter(code=document["theatre"]).exists()


def _surveyed_again(theatre: Theatre) -> dict[str, Any]:
    """A newer file of a theatre: its first place lies elsewhere."""
    document: dict[str, Any] = json.loads(json.dumps(theatre.document))
    document["nodes"][0]["latitude"] += 0.1
    return document


@pytest.mark.clause("G.CH1", "G.FA1")
def test_a_campaign_keeps_the_theatre_that_it_began_with(campaign: Campaign) -> None:
    began_with = campaign.theatre
    newer = theatre_load(document=_surveyed_again(began_with))
    campaign.refresh_from_db()
    assert campaign.theatre.document == began_with.document
    assert pure_theatre(campaign.theatre) != pure_theatre(newer)
    assert list(Theatre.objects.offered()) == [newer]
    assert newer.places.count() == began_with.places.count() == len(began_with.document["nodes"])
    assert theatre_load(document=newer.document) == newer


def test_a_newer_file_takes_the_place_of_a_theatre_on_which_no_campaign_is_played(campaign: Campaign) -> None:
    theatre_load(document=_surveyed_again(campaign.theatre))
    between = Theatre.objects.offered().get()
    last = theatre_load(document=_surveyed_again(between))
    assert last.pk == between.pk
    assert pure_theatre(last).places != pure_theatre(campaign.theatre).places
    moved = last.document["nodes"][0]
    assert float(last.places.get(code=moved["id"]).latitude) == pytest.approx(moved["latitude"])


def test_a_campaign_starts_with_fleets_people_invitations_and_an_open_turn(campaign: Campaign) -> None:
    assert {side.code: side.navy.fleets.count() for side in campaign.sides.all()} == {"ENG": 1, "NLD": 1}
    assert campaign.hostility == [["ENG", "NLD"]]
    assert campaign.turns.get().phase == "open"
    told = Notice.objects.filter(campaign=campaign).values_list("recipient__email", "kind")
    assert set(told) == {
        (who, kind)
        for who in ("english@club.example", "dutch@club.example")
        for kind in ("invitation", "turn_opened")
    }


def test_every_error_is_reported_at_once_and_nothing_is_saved(campaign: Campaign) -> None:
    register = Register.objects.get(code="small")
    before = Ship.objects.count()
    with pytest.raises(SetupRefused) as refused:
        campaign_start(
            name=" ",
            code="small",
            theatre=campaign.theatre,
            rule_set="checkers",
            umpire=campaign.memberships.get(role="umpire").user,
            turn_days=40,
            sides=[
                SideStart("England", register, "Swedish", ["nonsense"]),
                SideStart("Atlantis", register, "English"),
            ],
        )
    paths = [fault.path for fault in refused.value.faults]
    assert paths == [
        "name",
        "code",
        "rule_set",
        "turn_days",
        "sides[0].register",
        "sides[0].admirals",
        "sides[1].side",
    ]
    assert Campaign.objects.count() == 1
    assert Ship.objects.count() == before


def test_two_campaigns_from_one_register_have_their_own_ships(db: Any) -> None:
    one, two = start("one"), start("two")
    assert one.book.ships.count() == two.book.ships.count() == 7
    assert not set(one.book.ships.values_list("pk")) & set(two.book.ships.values_list("pk"))


def test_the_greatest_port_is_the_one_with_the_greatest_yard(db: Any) -> None:
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    theatre = theatre_load(document=json.loads(path.read_text()))
    assert home_port(pure_theatre(theatre), ["England"]) == "chatham"
    assert home_port(pure_theatre(theatre), ["Atlantis"]) == ""


def test_fleets_lie_where_the_campaign_put_them(campaign: Campaign) -> None:
    assert set(Station.objects.values_list("at", flat=True)) == {"hinder"}


@pytest.mark.clause("G.CL1")
def test_a_campaign_has_turns_of_three_days_unless_the_umpire_changes_them() -> None:
    started = signature(campaign_start).parameters["turn_days"].default
    assert started == Campaign().turn_days == Settings().turn_days == 3
