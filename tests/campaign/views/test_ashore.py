"""Dockyards and prizes: what a side sees of its own, what its commander-in-chief orders, and what no one else learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Campaign, Membership, SideOrder, Station, Turn
from campaign.rules.chart import side_orders as pure
from campaign.rules.state.economy import Job, PrizeCase, Stage
from campaign.rules.turn.turn import standing
from campaign.selectors.turn.facts import turn_facts
from campaign.services.turn.economy import economy_write
from fleets.models import Prize, Ship
from tests.support.factories import OfficerFactory, OfficerRecordFactory, PrizeFactory, ServiceRecordFactory
from tests.support.people import DUTCH, ENGLISH, PEOPLE, World
from tests.support.versions import play_by_older_rules

pytestmark = pytest.mark.one_database

CODE = "telltale"
PAGES = ("dockyards", "prizes")


def address(page: str) -> str:
    return reverse(page, args=[CODE])


def hull(code: str, lost: int) -> None:
    ship = Ship.objects.get(code=code)
    ship.condition = {**ship.condition, "hits_struct": lost}
    ship.save()


@pytest.fixture
def ashore(told: World) -> World:
    """Both fleets in a port of theirs, a ship each in the yard, one damaged, a prize before the court and one condemned."""
    for tale, port in ((ENGLISH, "chatham"), (DUTCH, "hellevoetsluis")):
        Station.objects.filter(fleet__code=f"{tale}-f").update(at=port, to="", run=0)
        hull(f"{tale}-00", 10)
        hull(f"{tale}-01", 12)
        hull(f"{tale}-02", 2)
        Ship.objects.filter(code__in=[f"{tale}-10", f"{tale}-11"]).update(prize=True, men=20)
        Ship.objects.filter(code=f"{tale}-12").update(men=15)
    facts, _ = turn_facts(told.turn)
    state = standing(facts)
    economy = state.economy
    for side, tale, other, port in (
        ("ENG", ENGLISH, "NLD", "chatham"),
        ("NLD", DUTCH, "ENG", "hellevoetsluis"),
    ):
        job = Job(f"{tale}-00", side, port, "medium", 0, 0, 49, 2, 48, 14, 1, 168)
        economy.jobs[job.ship] = job
        economy.orders[side] = pure.SideOrder(side, queue=(job.ship,))
        economy.prizes[f"{tale}-10"] = PrizeCase(
            f"{tale}-10", side, "FRA", "", 40, 180, Stage.COURT, port, 49
        )
        economy.prizes[f"{tale}-11"] = PrizeCase(
            f"{tale}-11", side, "FRA", "", 40, 180, Stage.CONDEMNED, port, 98, 4321, 900
        )
        economy.hold(side, port, other, 77 if side == "ENG" else 88)
        economy.funds[side] = 20123 if side == "ENG" else 30456
        economy.land(side, port, 13)
    told.campaign.carried = state.carried()
    told.campaign.save()
    for code, side in (("ENG", told.english.side), ("NLD", told.dutch.side)):
        SideOrder.objects.create(
            turn=told.turn,
            side=side,
            document={"queue": list(economy.orders[code].queue)},
            author=f"by {code}",
        )
    return told


def post(told: World, page: str, person: str = "english", **fields: Any) -> Any:
    row = SideOrder.objects.get(side=told.english.side)
    return told.client(person).post(address(page), {"state_no": row.state_no, **fields})


def document(told: World) -> dict[str, Any]:
    return SideOrder.objects.get(side=told.english.side).document


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("person", PEOPLE)
def test_only_a_side_and_the_umpire_see_its_affairs_ashore(ashore: World, person: str) -> None:
    expected = {
        "umpire": 200,
        "english": 200,
        "dutch": 200,
        "observer": 404,
        "stranger": 404,
        "anonymous": 302,
    }
    client = ashore.client(person)
    for page in PAGES:
        response = client.get(address(page))
        assert response.status_code == expected[person], page
        shown = response.content.decode().lower()
        if person in ("english", "dutch"):
            own, other = (ENGLISH, DUTCH) if person == "english" else (DUTCH, ENGLISH)
            assert own in shown, page
            assert other not in shown, page
            secrets = ("30,456", "88 of", "by nld") if person == "english" else ("20,123", "77 of", "by eng")
            for secret in secrets:
                assert secret not in shown, page
        for person_without in ("observer", "stranger"):
            assert person != person_without or (ENGLISH not in shown and DUTCH not in shown), page


@pytest.mark.clause("G.IN1", "G.IN3")
def test_the_umpire_switches_between_sides_and_orders_nothing(ashore: World) -> None:
    client = ashore.client("umpire")
    for page in PAGES:
        english = client.get(address(page), {"side": "ENG"}).content.decode()
        dutch = client.get(address(page), {"side": "NLD"}).content.decode()
        assert ENGLISH in english and DUTCH not in english.replace(f"?side={DUTCH}", "")
        assert DUTCH in dutch
        assert "<select" not in english
        assert client.get(address(page), {"side": "XXX"}).status_code == 404
        assert client.post(address(page), {"state_no": 1, "act": f"commit:{ENGLISH}-01"}).status_code == 422
    assert ashore.client("english").get(address("prizes"), {"side": "NLD"}).content.decode().find(DUTCH) < 0


@pytest.mark.clause("G.RP2")
def test_the_dockyard_page_shows_berths_work_and_dates_before_and_after_sending(ashore: World) -> None:
    shown = ashore.client("english").get(address("dockyards")).content.decode()
    assert "1 of 12 berths taken" in shown
    assert "medium work on the hull" in shown
    assert "berth 1" in shown
    assert 'datetime="1666-06-06T06:00"' in shown
    assert "Would be ready" in shown
    assert "too few to sail" in shown
    assert "13 men ashore" in shown
    assert "of 200 men <abbr" not in shown
    Ship.objects.filter(code=f"{ENGLISH}-12").update(complement_estimated=True)
    assert "of 200 men <abbr" in ashore.client("english").get(address("dockyards")).content.decode()
    assert "↑" in shown


@pytest.mark.clause("G.RP2", "G.FA1")
def test_the_dates_are_those_of_the_rules_that_the_campaign_plays_by(
    ashore: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_by_older_rules(ashore.campaign, tmp_path, monkeypatch)
    shown = ashore.client("english").get(address("dockyards")).content.decode()
    assert 'datetime="1666-06-10T06:00"' in shown
    assert 'datetime="1666-06-06T06:00"' not in shown
    for words in (
        "1 of 12 berths taken",
        "medium work on the hull",
        "berth 1",
        "Would be ready",
        "too few to sail",
    ):
        assert words in shown
    assert ashore.client("english").get(address("prizes")).status_code == 200


@pytest.mark.clause("G.RP2")
def test_ships_are_sent_moved_and_withdrawn_by_plain_buttons(ashore: World) -> None:
    first, second, third = (f"{ENGLISH}-0{n}" for n in range(3))
    assert post(ashore, "dockyards", act=f"commit:{second}").status_code == 302
    assert post(ashore, "dockyards", act=f"commit:{third}").status_code == 302
    assert document(ashore)["queue"] == [first, second, third]
    post(ashore, "dockyards", act=f"up:{third}")
    assert document(ashore)["queue"] == [first, third, second]
    post(ashore, "dockyards", act=f"down:{first}")
    assert document(ashore)["queue"] == [third, first, second]
    post(ashore, "dockyards", act=f"up:{third}")
    assert document(ashore)["queue"] == [third, first, second]
    post(ashore, "dockyards", act=f"out:{first}")
    assert document(ashore)["queue"] == [third, second]
    shown = ashore.client("english").get(address("dockyards")).content.decode()
    assert shown.count('value="out:') == 2


@pytest.mark.clause("G.RP3")
def test_men_are_moved_assigned_first_and_bought(ashore: World) -> None:
    post(ashore, "dockyards", act="move", **{"from": f"{ENGLISH}-00", "to": f"{ENGLISH}-12", "men": "25"})
    post(ashore, "dockyards", act=f"first:{ENGLISH}-12")
    post(ashore, "dockyards", act="bounty:chatham", **{"bounty-chatham": "30"})
    made = document(ashore)
    assert made["moves"] == [[f"{ENGLISH}-00", f"{ENGLISH}-12", 25]]
    assert (made["recruits"], made["bounty"]) == ([f"{ENGLISH}-12"], {"chatham": 30})
    shown = ashore.client("english").get(address("dockyards")).content.decode()
    assert "25 men from" in shown
    assert "30 ordered" in shown
    for act in ("unmove:0", f"last:{ENGLISH}-12", "bounty:chatham"):
        post(ashore, "dockyards", act=act, **{"bounty-chatham": "0"})
    made = document(ashore)
    assert (made["moves"], made["recruits"], made["bounty"]) == ([], [], {})


@pytest.mark.clause("G.PR4", "G.PR5")
def test_the_prizes_page_shows_the_pipeline_and_takes_every_choice_in_one_form(ashore: World) -> None:
    shown = ashore.client("english").get(address("prizes")).content.decode()
    for words in (
        "Before the prize court",
        "Condemned",
        "£4,321",
        "head money £900",
        "£20,123",
        "77 from the Dutch Republic",
    ):
        assert words in shown
    court, condemned = f"{ENGLISH}-10", f"{ENGLISH}-11"
    fields = {
        f"choice-{court}": "sell", f"name-{court}": "ignored", f"choice-{condemned}": "buy",
        f"name-{condemned}": "Guelder", "exchange-NLD": "50", "ransom": [],
    }  # fmt: skip
    assert post(ashore, "prizes", act="send", **fields).status_code == 302
    made = document(ashore)
    assert made["choices"] == [[court, "sell", ""], [condemned, "buy", "Guelder"]]
    assert (made["exchange"], made["queue"]) == ({"NLD": 50}, [f"{ENGLISH}-00"])
    shown = ashore.client("english").get(address("prizes")).content.decode()
    assert 'value="Guelder"' in shown
    assert post(ashore, "prizes", act="send", **{f"choice-{court}": ""}).status_code == 302
    assert document(ashore)["choices"] == [[condemned, "buy", "Guelder"]]


def test_a_prize_whose_case_the_books_have_closed_already_is_shown_where_the_chart_has_it(
    ashore: World,
) -> None:
    when = {"captor": ashore.english.side.navy, "status": Prize.Status.BOUGHT}
    ship = Ship.objects.get(code=f"{ENGLISH}-10")
    old = PrizeFactory(ship=ship, taken_from=ashore.dutch.side.navy, when="1666-05-30T09:00", **when)
    before = ashore.client("english").get(address("prizes")).context["page"]
    assert [row.pk for row in before.closed] == [old.pk], "taken another time"
    taken = before.stages[1].prizes[0].date_taken
    PrizeFactory(ship=ship, taken_from=ashore.dutch.side.navy, when=taken, **when)
    shown = ashore.client("english").get(address("prizes")).context["page"]
    assert [row.pk for row in shown.closed] == [old.pk]


BAD_ORDERS: list[tuple[str, dict[str, Any], str]] = [
    ("dockyards", {"act": f"commit:{DUTCH}-00"}, "is not one of your ships"),
    ("dockyards", {"act": f"commit:{ENGLISH}-00"}, "is in the queue twice"),
    ("dockyards", {"act": f"commit:{ENGLISH}-10"}, "is a prize"),
    ("dockyards", {"act": "move", "men": "many"}, "a whole number"),
    ("dockyards", {"act": "dance"}, "Unknown action"),
    ("prizes", {f"choice-{ENGLISH}-10": "eat"}, "is not a choice for a prize"),
    ("prizes", {f"choice-{ENGLISH}-10": ["sell", "burn"]}, "There are two choices"),
    ("prizes", {f"choice-{DUTCH}-10": "sell"}, "is not one of your prizes"),
    ("prizes", {"exchange-NLD": "-4"}, "a number from 0"),
    ("prizes", {"ransom": [f"{ENGLISH}-00"]}, "enemy"),
]


@pytest.mark.clause("G.MV3", "G.PR4", "G.RP2")
def test_a_bad_order_comes_back_with_its_reason_and_nothing_changes(ashore: World) -> None:
    before, row = document(ashore), SideOrder.objects.get(side=ashore.english.side)
    client = ashore.client("english")
    for page, fields, words in BAD_ORDERS:
        response = client.post(address(page), {"state_no": row.state_no, **fields})
        assert response.status_code == 422, fields
        assert words in response.content.decode(), fields
        assert document(ashore) == before, fields


def test_a_stale_page_is_refused_and_shown_again(ashore: World) -> None:
    SideOrder.objects.filter(side=ashore.english.side).update(state_no=7, author="the other flag")
    response = ashore.client("english").post(
        address("dockyards"), {"state_no": 1, "act": f"commit:{ENGLISH}-01"}
    )
    shown = response.content.decode()
    assert response.status_code == 409
    assert "the other flag has changed the shore orders" in shown
    assert 'name="state_no" value="7"' in shown


@pytest.mark.clause("G.IN4")
def test_only_the_commander_in_chief_gives_shore_orders_and_a_closed_turn_takes_none(ashore: World) -> None:
    Membership.objects.filter(pk=ashore.english.pk).update(chief=False)
    shown = ashore.client("english").get(address("dockyards")).content.decode()
    assert "commander-in-chief's" in shown
    assert 'value="commit:' not in shown
    assert post(ashore, "dockyards", act=f"commit:{ENGLISH}-01").status_code == 422
    Membership.objects.filter(pk=ashore.english.pk).update(chief=True)
    Turn.objects.filter(pk=ashore.turn.pk).update(phase="locked")
    shown = ashore.client("english").get(address("prizes")).content.decode()
    assert f"Orders for turn {ashore.turn.number} are closed." in shown
    assert "Give orders" not in shown


@pytest.mark.clause("G.IN4")
def test_when_knowledge_is_per_admiral_an_admiral_sees_only_their_own_fleets_in_the_yards(
    ashore: World,
) -> None:
    Campaign.objects.filter(pk=ashore.campaign.pk).update(settings={"knowledge": "by ship"})
    Membership.objects.filter(pk=ashore.english.pk).update(chief=False)
    ashore.english.commands.all().delete()
    shown = ashore.client("english").get(address("dockyards")).content.decode()
    assert f"{ENGLISH}-00" not in shown


def test_the_pages_take_the_same_number_of_queries_however_many_ships_there_are(
    ashore: World, django_assert_max_num_queries: Any
) -> None:
    client = ashore.client("english")
    for page in PAGES:
        client.get(address(page))
        with django_assert_max_num_queries(26):
            client.get(address(page))


def test_sides_without_anything_ashore_have_pages_too(told: World) -> None:
    english = told.client("english")
    for page in PAGES:
        shown = english.get(address(page)).content.decode()
        assert "None." in shown or "full complement" in shown
    assert "Dockyards" in english.get(reverse("campaign", args=[CODE])).content.decode()
    observer = told.client("observer").get(reverse("campaign", args=[CODE])).content.decode()
    assert "Dockyards" not in observer


@pytest.mark.clause("G.RP2")
def test_a_ships_page_describes_the_work_on_her(ashore: World) -> None:
    facts, _ = turn_facts(ashore.turn)

    ship = Ship.objects.get(code=f"{ENGLISH}-00")
    officer = OfficerFactory(navy=ship.navy, ship=ship, name="Sir John Harman", flag_rank=True)
    OfficerRecordFactory(officer=officer, kind="flag", data={"ship": "Ship A", "squadron": "Red squadron"})
    economy_write(campaign=ashore.campaign, facts=facts, state=standing(facts))
    page = ashore.client("english").get(reverse("ship", args=[CODE, f"{ENGLISH}-00"])).content.decode()
    assert "In the yard" in page
    assert "Medway Mouth, berth 1" in page
    assert "Sir John Harman" in page
    assert "Hoisted his flag in Ship A, Red squadron." in page
    assert ashore.client("dutch").get(reverse("ship", args=[CODE, f"{ENGLISH}-00"])).status_code == 404


@pytest.mark.clause("G.SV1")
@pytest.mark.parametrize(("when", "shown"), [("", "undated"), ("spring 1666", "spring 1666")])
def test_a_ships_page_survives_records_without_a_date(told: World, when: str, shown: str) -> None:
    ship = Ship.objects.get(code=f"{ENGLISH}-00")
    officer = OfficerFactory(navy=ship.navy, ship=ship, name="Sir John Harman", flag_rank=True)
    OfficerRecordFactory(officer=officer, kind="flag", when=when, data={"ship": "Ship A", "squadron": "Red"})
    ServiceRecordFactory(ship=ship, kind="rejoined", when=when, data={"fleet": "Red"})
    Prize.objects.create(
        ship=ship, captor=ship.navy, taken_from=ship.navy, when=when, battle="x", prize_crew=1
    )
    page = told.client("english").get(reverse("ship", args=[CODE, ship.code]))
    assert page.status_code == 200
    assert page.content.decode().count(shown) >= 3
