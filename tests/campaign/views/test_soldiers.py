"""Soldiers and ports that change hands on the pages: who sees what, what can be ordered, and what a played turn leaves in the books."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Campaign, Order, Report, Station
from campaign.rules.state.holdings import Holdings, Shaken
from campaign.rules.state.troops import Army, Troops
from campaign.selectors.orders.orders import enemy_ports, goals, own_ports, way_to
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.reports.score import ports_held
from campaign.selectors.turn.facts import theatre_of, turn_facts
from campaign.services.desk.audit import campaign_audit
from campaign.services.turn.summaries import summaries_write
from tests.campaign.services.conftest import start
from tests.support.people import DUTCH, ENGLISH, World
from tests.support.turns import turn_closes
from tests.support.versions import play_by_older_rules

pytestmark = pytest.mark.one_database

CODE = "telltale"
TAKEN = Holdings(
    owners={"dover": "Dutch Republic"}, first={"dover": "England"}, shaken={"dover": Shaken(240, 1, 3)},
    ashore={("NLD", "dover"): 2345, ("NLD", "yarmouth"): 1678, ("ENG", "delfzijl"): 3579},
)  # fmt: skip
ARMIES = Troops(
    armies={("ENG", "chatham"): Army(11_111, 2500), ("NLD", "texel"): Army(22_222)},
    aboard={f"{ENGLISH}-00": 87, f"{DUTCH}-00": 93},
)


def carry(campaign: Campaign, holdings: Holdings = TAKEN, troops: Troops = ARMIES) -> None:
    campaign.carried = {**campaign.carried, "holdings": holdings.doc(), "troops": troops.doc()}
    campaign.save()


@pytest.fixture
def landed(told: World) -> World:
    """Dutch soldiers hold Dover and stand before Yarmouth; English ones stand before Delfzijl; both sides have armies and men aboard."""
    carry(told.campaign)
    return told


def shown(told: World, person: str, page: str = "dockyards", *args: str) -> str:
    return str(told.client(person).get(reverse(page, args=[CODE, *args])).content.decode())


@pytest.mark.clause("G.LD1", "G.LD3", "G.IN1")
def test_a_side_sees_its_own_soldiers_exactly_and_the_enemys_in_bands(landed: World) -> None:
    english, dutch = shown(landed, "english"), shown(landed, "dutch")
    for words in ("11,111 men", "2,500 a day", "87 men", "3,579 men", "1,000 to 2,499 men", "garrison 400"):
        assert words in english
    for words in ("22,222 men", "93 men", "2,345 men", "1,678 men", "2,500 to 4,999 men"):
        assert words in dutch
    for secret in ("22,222", "2,345", "1,678", "93 men"):
        assert secret not in english
    for secret in ("11,111", "3,579", "87 men", "2,500 a day"):
        assert secret not in dutch


@pytest.mark.clause("G.LD1", "G.FA1")
def test_the_room_aboard_is_that_of_the_rules_that_the_campaign_plays_by(
    landed: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = _room(shown(landed, "english"))
    play_by_older_rules(landed.campaign, tmp_path, monkeypatch)
    before = shown(landed, "english")
    assert _room(before) < today
    for words in ("11,111 men", "87 men", "3,579 men", "1,000 to 2,499 men", "garrison 400"):
        assert words in before


def _room(page: str) -> int:
    (found,) = re.findall(r'87 men <span class="quiet">of ([\d,]+)', page)
    return int(found.replace(",", ""))


@pytest.mark.clause("G.LD1")
def test_without_landings_the_page_has_no_soldiers(landed: World) -> None:
    landed.campaign.settings = {**landed.campaign.settings, "landings": "off"}
    landed.campaign.save()
    assert "Soldiers" not in shown(landed, "english")


@pytest.mark.clause("G.LD4", "G.CH3")
def test_every_page_reads_who_holds_a_port_now(landed: World) -> None:
    campaign, english, dutch = landed.campaign, landed.english.side, landed.dutch.side
    place = theatre_of(campaign).places["dover"]
    assert (place.owner, place.dockyard, place.guard) == ("Dutch Republic", 0, 1)
    assert "dover" in enemy_ports(campaign, english) and "dover" not in enemy_ports(campaign, dutch)
    assert "dover" in dict(own_ports(campaign, dutch)) and "dover" not in dict(own_ports(campaign, english))
    assert "dover" in dict(dict(goals(campaign, dutch))["Your ports"])
    before = ports_held(campaign)
    carry(campaign, Holdings())
    after = ports_held(campaign)
    assert after["ENG"] == before["ENG"] + 1 and after["NLD"] == before["NLD"]  # shaken, Dover has no yard
    carry(campaign, replace(TAKEN, shaken={"dover": Shaken(0, 1, 3)}))
    assert ports_held(campaign)["NLD"] == after["NLD"] + 1


@pytest.mark.clause("G.LD4")
def test_the_dockyard_page_follows_the_flag(landed: World) -> None:
    Station.objects.filter(fleet__code=f"{DUTCH}-f").update(at="dover", to="", run=0)
    assert "Dover" in shown(landed, "dutch")
    facts, _ = turn_facts(landed.turn)
    assert facts.theatre.places["dover"].owner == "Dutch Republic"


@pytest.mark.clause("G.LD4")
def test_the_chart_names_who_holds_a_port_that_was_taken(landed: World) -> None:
    assert "Dover, held by Dutch Republic" in shown(landed, "english", "campaign")
    carry(landed.campaign, Holdings())
    assert "held by" not in shown(landed, "english", "campaign")


@pytest.mark.clause("G.MV2", "G.LD1")
def test_orders_about_soldiers_can_be_given_where_the_campaign_has_them(landed: World) -> None:
    fleet = f"{ENGLISH}-f"
    for end, offered in (
        ("swin", set()),
        ("harwich", {"embark", "disembark", "land"}),
        ("hellevoetsluis", {"embark", "disembark", "land", "raid"}),
    ):
        station = Station.objects.get(fleet__code=fleet)
        route = way_to(landed.campaign, landed.english.side, station, [], end)
        Order.objects.filter(turn=landed.turn, fleet__code=fleet).update(route=route)
        page = shown(landed, "english", "orders", fleet)
        deeds = ("embark", "disembark", "land", "raid")
        assert {value for value in deeds if f'value="{value}"' in page} == offered
    order = Order.objects.filter(turn=landed.turn, fleet__code=fleet).first()
    fields = {
        "act": "send", "stance": "hold", "on_arrival": "disembark", "greatest_odds": "1.5", "chase_hours": "24",
        "at_nightfall": "part", "after_battle": "auto", "at_sound_of_guns": "join", "gauge": "any", "fight_at": "best",
        "chase": "line", "break_off": "50", "board": "pays", "state_no": str(order.state_no if order else 0),
    }  # fmt: skip
    response = landed.client("english").post(reverse("orders", args=[CODE, fleet]), fields)
    assert response.status_code == 302, response.content.decode()[:2000]
    assert Order.objects.get(turn=landed.turn, fleet__code=fleet).on_arrival == "disembark"
    landed.campaign.settings = {**landed.campaign.settings, "landings": "off"}
    landed.campaign.save()
    assert 'value="raid"' not in shown(landed, "english", "orders", fleet)


@pytest.mark.clause("G.IN2", "G.LD4")
def test_news_that_had_come_to_headquarters_stays_known_when_they_fall(landed: World) -> None:
    landed.campaign.settings = {"knowledge": "by ship"}
    landed.campaign.save()
    landed.english.refresh_from_db()
    row = Report.objects.get(turn=landed.closed, side=landed.english.side)
    ken = ken_of(landed.english)
    assert ken is not None
    known = [ken.known_at(event) for event in row.events]
    fall = {"place": "chatham", "side": "NLD", "loser": "ENG", "marks": "8", "back": False}
    row.events = [*row.events, [71, "port_taken", "G.LD4", [], fall]]
    row.save()
    summaries_write(reports=landed.closed.reports.select_related("turn"))
    later = ken_of(landed.english)
    assert later is not None
    assert [later.known_at(event) for event in row.events] == [*known, 71]


@pytest.mark.clause("G.LD1", "G.LD4", "G.CL2", "G.UM3")
def test_a_played_turn_leaves_soldiers_and_owners_in_the_books(db: Any) -> None:
    campaign = start(automatic=False)
    campaign.settings = {**campaign.settings, "landings": "on"}
    holdings = replace(TAKEN, ashore={("NLD", "dover"): 900})
    carry(campaign, holdings, Troops(armies={("ENG", "chatham"): Army(5000, 1500)}))
    fleet = Station.objects.filter(fleet__navy__code="ENG", fleet__navy__book=campaign.book).first()
    assert fleet is not None
    Station.objects.filter(pk=fleet.pk).update(at="chatham", to="", run=0)
    turn = campaign.turns.get(phase="open")
    Order.objects.update_or_create(
        turn=turn,
        fleet=fleet.fleet,
        defaults={"route": [], "stance": "hold", "on_arrival": "embark", "source": "player"},
    )
    turn_closes(turn)
    campaign.refresh_from_db()
    troops = Troops.read(campaign.carried["troops"])
    left = Holdings.read(campaign.carried["holdings"])
    assert sum(troops.aboard.values()) + troops.armies["ENG", "chatham"].men == 5000
    assert troops.aboard
    assert left.owners == {"dover": "Dutch Republic"} and left.ashore == {("NLD", "dover"): 900}
    assert list(campaign_audit(campaign=campaign)) == []
