"""The page of odds: asked from the orders page or by the umpire, read by its asker alone, stopped by a button."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaign.models import OddsChunk, OddsRun, Sighting
from campaign.services.odds.chunks import chunk_fight
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = pytest.mark.one_database
CODE = "telltale"
PAGE = reverse("odds", args=[CODE])
ASKED = {"act": "ask", "fleet": f"{ENGLISH}-f", "contact": "1"}


def fight_first(person: str) -> None:
    """Fight one battle of what a person has asked."""
    chunk = OddsChunk.objects.filter(run__membership__user__username=person).first()
    assert chunk is not None
    OddsChunk.objects.filter(pk=chunk.pk).update(size=1)
    chunk_fight(chunk_id=chunk.pk)


def test_the_orders_page_leads_to_the_odds_against_a_contact_within_reach(told: World) -> None:
    client = told.client("english")
    orders = client.get(reverse("orders", args=[CODE, f"{ENGLISH}-f"])).content.decode()
    assert "Odds against contacts" in orders
    assert "against contact 1" in orders
    response = client.post(PAGE, ASKED, follow=True)
    page = response.content.decode()
    assert "The first battles are being fought." in page
    assert 'hx-trigger="every 1s"' in page
    fight_first("english")
    answer = client.get(reverse("odds_status", args=[CODE]), headers={"HX-Request": "true"}).content.decode()
    assert "1 battle fought" in answer
    assert "from the report alone" in answer
    assert "Ships lost or taken" in answer
    assert f"Ship {ENGLISH} 00" not in answer, "a table that is replaced every second could not be read"
    client.post(PAGE, {"act": "stop"})
    assert f"Ship {ENGLISH} 00" in client.get(PAGE).content.decode()
    orders = client.get(reverse("orders", args=[CODE, f"{ENGLISH}-f"])).content.decode()
    assert "Holds the field:" in orders


def test_a_fleet_that_can_meet_no_one_says_so(told: World) -> None:
    Sighting.objects.all().delete()
    orders = told.client("english").get(reverse("orders", args=[CODE, f"{ENGLISH}-f"])).content.decode()
    assert "No contact has been seen lately within this fleet" in orders
    assert "When your fleets sight an enemy" in told.client("english").get(PAGE).content.decode()


def test_an_answer_is_for_its_asker_alone(told: World) -> None:
    told.client("english").post(PAGE, ASKED)
    fight_first("english")
    for person in ("dutch", "umpire"):
        for address in (PAGE, reverse("odds_status", args=[CODE])):
            assert "battle fought" not in told.client(person).get(address).content.decode()
        told.client(person).post(PAGE, {"act": "stop"})
    assert OddsRun.objects.get().state == "counting", "no one else can stop it"


def test_the_battles_are_stopped_by_a_button_and_polling_ends(told: World) -> None:
    client = told.client("english")
    client.post(PAGE, ASKED)
    fight_first("english")
    assert "Stop battles" in client.get(PAGE).content.decode()
    page = client.post(PAGE, {"act": "stop"}, follow=True).content.decode()
    assert "You stopped the battles." in page
    assert "1 battle fought" in page
    assert "every 1s" not in page
    assert "Stop battles" not in page


def test_the_umpire_asks_about_two_fleets_and_reads_that_it_is_the_truth(told: World) -> None:
    client = told.client("umpire")
    page = client.post(
        PAGE, {"act": "ask", "fleet": f"{ENGLISH}-f", "enemy": f"{DUTCH}-f"}, follow=True
    ).content.decode()
    assert "it is worked out from the truth" in page
    fight_first("umpire")
    page = client.post(PAGE, {"act": "stop"}, follow=True).content.decode()
    assert f"Ship {DUTCH} 00" in page
    assert "from the report alone" not in page


def test_a_question_that_cannot_be_answered_is_refused_with_the_cure(told: World) -> None:
    clients = {person: told.client(person) for person in ("english", "umpire")}
    cases: list[tuple[str, dict[str, str], str]] = [
        ("english", {"contact": "77"}, "Choose a contact that has been seen lately."),
        ("english", {"contact": "x"}, "Choose a contact that has been seen lately."),
        ("umpire", {"enemy": f"{ENGLISH}-f"}, "Choose two fleets with ships whose sides are at war."),
        ("umpire", {}, "Choose two fleets with ships whose sides are at war."),
    ]
    for person, form, words in cases:
        response = clients[person].post(PAGE, {"act": "ask", "fleet": f"{ENGLISH}-f", **form})
        assert response.status_code == 422, (person, form)
        assert words in response.content.decode(), (person, form)
        assert not OddsRun.objects.exists(), (person, form)


def test_no_one_asks_about_the_enemys_fleets(told: World) -> None:
    response = told.client("english").post(PAGE, {**ASKED, "fleet": f"{DUTCH}-f"})
    assert response.status_code == 404


def test_an_answer_of_an_earlier_turn_says_so(told: World) -> None:
    told.client("english").post(PAGE, ASKED)
    OddsRun.objects.update(turn=1)
    assert "as things were in turn 1" in told.client("english").get(PAGE).content.decode()


def test_polling_takes_the_same_few_queries_however_much_is_counted(
    told: World, django_assert_max_num_queries: object
) -> None:
    client = told.client("english")
    client.post(PAGE, ASKED)
    fight_first("english")
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        client.get(reverse("odds_status", args=[CODE]), headers={"HX-Request": "true"})
