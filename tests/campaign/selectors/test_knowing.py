"""Knowledge by ship: admirals see their own fleets, and hear of the others when the news arrives."""

from typing import Any

import pytest
from django.http import Http404
from django.urls import reverse

from campaign.models import Command, Membership, Report, Sighting, Station
from campaign.selectors.chart.chart import sighting_marks
from campaign.selectors.people.access import may_know_battle, station_for_member_or_404, stations_for
from campaign.selectors.people.action import battle_for_member_or_404, ship_for_member_or_404
from campaign.selectors.people.commanding import may_command
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.reports.news import news_rows
from campaign.selectors.reports.reports import side_report
from campaign.selectors.turn.facts import turn_facts
from tests.support.factories import FleetFactory, MembershipFactory, ShipFactory, SquadronFactory, UserFactory
from tests.support.people import ENGLISH, World, world

CODE = "telltale"


@pytest.fixture
def apart(db: Any) -> tuple[World, Membership, Any]:
    """Two English admirals: the chief with the fleet of the tell-tale war, and another with a fleet of his own at Sole Bay."""
    told = world()
    told.campaign.settings = {"knowledge": "by ship"}
    told.campaign.save()
    fleet = FleetFactory(navy=told.english.side.navy, code="rupert", name="Rupert's squadron")
    squadron = SquadronFactory(fleet=fleet, code="rupert-1", name="Rupert's")
    ShipFactory(squadron=squadron, code="rupert-ship", name="Royal James")
    Station.objects.create(fleet=fleet, at="sole_bay")
    rupert = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))
    Command.objects.create(membership=rupert, fleet=fleet)
    for member in (told.english, rupert):
        member.refresh_from_db()
    return told, rupert, fleet


@pytest.mark.clause("G.IN4")
def test_an_admiral_sees_and_orders_only_their_own_fleets(apart: tuple[World, Membership, Any]) -> None:
    told, rupert, fleet = apart
    assert [row.fleet.code for row in stations_for(rupert)] == ["rupert"]
    assert [row.fleet.code for row in stations_for(told.english)] == [f"{ENGLISH}-f"]
    with pytest.raises(Http404):
        station_for_member_or_404(told.english, "rupert")
    with pytest.raises(Http404):
        ship_for_member_or_404(rupert, f"{ENGLISH}-00")
    assert ship_for_member_or_404(rupert, "rupert-ship").name == "Royal James"
    assert may_command(membership=rupert, fleet=fleet)
    assert not may_command(membership=told.english, fleet=fleet)
    assert len(stations_for(told.umpire)) == 3


@pytest.mark.clause("G.IG1", "G.IN4")
def test_the_rules_know_whose_fleets_report_to_whom_where_it_is_played_by_ship(
    apart: tuple[World, Membership, Any],
) -> None:
    told, _, _ = apart
    facts, _ = turn_facts(told.turn)
    assert facts.fleets["rupert"].admiral == "rupert"
    assert facts.fleets[f"{ENGLISH}-f"].admiral == told.english.user.username
    told.turn.campaign.settings = {}
    shared, _ = turn_facts(told.turn)
    assert {fleet.admiral for fleet in shared.fleets.values()} == {""}


@pytest.mark.clause("G.IN2", "G.IN4", "G.IG1")
def test_a_report_of_several_fleets_is_known_to_the_admiral_of_any_of_them(
    apart: tuple[World, Membership, Any],
) -> None:
    told, rupert, _ = apart
    ken = ken_of(rupert)
    assert ken is not None
    report = Sighting.objects.get(side=told.english.side)
    report.hour = ken.hour
    assert not ken.report_known(report)
    report.observers = [report.observer, "rupert"]
    assert ken.report_known(report)


@pytest.mark.clause("G.IN4")
def test_shared_knowledge_shows_a_side_everything_of_its_own(apart: tuple[World, Membership, Any]) -> None:
    told, rupert, _ = apart
    told.campaign.settings = {}
    told.campaign.save()
    rupert.campaign.refresh_from_db()
    assert ken_of(rupert) is None
    assert {row.fleet.code for row in stations_for(rupert)} == {"rupert", f"{ENGLISH}-f"}


@pytest.mark.clause("G.IN4")
def test_a_fleet_without_an_admiral_belongs_to_the_commander_in_chief(
    apart: tuple[World, Membership, Any],
) -> None:
    told, rupert, fleet = apart
    rupert.commands.all().delete()
    assert {row.fleet.code for row in stations_for(told.english)} == {"rupert", f"{ENGLISH}-f"}
    assert list(stations_for(rupert)) == []
    assert may_command(membership=told.english, fleet=fleet)


@pytest.mark.clause("G.IN2", "G.IN4")
def test_news_of_another_admirals_battle_comes_after_its_time_and_not_before(
    apart: tuple[World, Membership, Any],
) -> None:
    told, rupert, _ = apart
    ken = ken_of(rupert)
    assert ken is not None
    report = Report.objects.get(turn=told.closed, side=told.english.side)
    battle = next(event for event in report.events if event[1] == "battle")
    comes = ken.known_at(battle)
    assert comes > battle[0]
    assert ken_of(told.english).known_at(battle) == battle[0]  # type: ignore[union-attr]
    ken.hour = comes - 1
    before = side_report(told.closed, rupert.side, ken)
    ken.hour = comes
    after = side_report(told.closed, rupert.side, ken)
    assert before["battles"] == []
    assert [row["code"] for row in after["battles"]] == [f"{CODE}-T1-b01"]


@pytest.mark.clause("G.IN2", "G.IN4")
def test_the_battles_page_opens_when_the_news_arrives(apart: tuple[World, Membership, Any]) -> None:
    told, rupert, _ = apart
    rupert.campaign.calendar_day = 1
    assert not may_know_battle(rupert, {"ENG": [f"{ENGLISH}-f"]})
    with pytest.raises(Http404):
        battle_for_member_or_404(rupert, f"{CODE}-T1-b01", whole=False)
    rupert.campaign.calendar_day = 9
    assert battle_for_member_or_404(rupert, f"{CODE}-T1-b01", whole=False)[1] == "ENG"
    assert battle_for_member_or_404(told.english, f"{CODE}-T1-b01", whole=False)[1] == "ENG"


@pytest.mark.clause("G.IN2", "G.SI2")
def test_sightings_by_others_are_drawn_when_their_news_arrives(apart: tuple[World, Membership, Any]) -> None:
    _, rupert, _ = apart
    rupert.campaign.calendar_day = 2
    assert sighting_marks(rupert.campaign, rupert, 60) == ()
    rupert.campaign.calendar_day = 9
    assert len(sighting_marks(rupert.campaign, rupert, 9 * 24)) == 1


@pytest.mark.clause("G.IN2")
def test_news_appears_on_its_page_with_its_time_of_arrival(apart: tuple[World, Membership, Any]) -> None:
    told, rupert, _ = apart
    rupert.campaign.calendar_day = 9
    texts = [row.text for row in news_rows(rupert.campaign, rupert)]
    assert any(text.startswith("Battle off the Galloper") for text in texts)
    assert news_rows(told.campaign, told.dutch) == []


@pytest.mark.one_database
@pytest.mark.clause("G.IN1", "G.IN4")
def test_no_page_of_an_admiral_mentions_another_admirals_fleet_before_its_news(
    apart: tuple[World, Membership, Any],
) -> None:
    told, rupert, _ = apart
    told.campaign.calendar_day = 3
    told.campaign.settings["dispatch_miles"] = 5
    told.campaign.save()
    client = told.client("english")
    client.force_login(rupert.user)
    pages = ["campaign", "campaign_status", "reports", "news", "standings", "chronicle", "mailbox"]
    shown = [client.get(reverse(name, args=[CODE])).content.decode() for name in pages]
    shown.append(client.get(reverse("report", args=[CODE, 1])).content.decode())
    assert "Rupert&#x27;s squadron" in shown[0] or "Rupert's squadron" in shown[0]
    for page in shown:
        # what their side's objectives have paid is no news of a fleet (G.OB4)
        page = (
            page.lower()
            .replace(f"aim-{ENGLISH}: gather the {ENGLISH}", "")
            .replace(f"gather the {ENGLISH}", "")
        )
        assert ENGLISH not in page
