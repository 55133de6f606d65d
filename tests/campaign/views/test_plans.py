"""The umpire's page of the automatic admirals' plans. Rules: G.AA6, G.IN1."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaign.models import AdmiralPlan
from tests.support.people import DUTCH, ENGLISH, World

pytestmark = pytest.mark.one_database

CODE = "telltale"


@pytest.fixture
def planned(told: World) -> World:
    """Both sides have a plan for the turn."""
    for side, tale in ((told.english.side, ENGLISH), (told.dutch.side, DUTCH)):
        row = {
            "fleet": f"{tale}-f", "verb": "hold", "place": "gunfleet", "aim": "x", "contact": 0, "why": f"Because of {tale}.",
        }  # fmt: skip
        AdmiralPlan.objects.create(turn=told.turn, side=side, decisions=[row])
    return told


@pytest.mark.clause("G.AA6")
def test_the_umpire_reads_what_each_fleet_is_to_do_and_why(planned: World) -> None:
    shown = planned.client("umpire").get(reverse("plans", args=[CODE])).content.decode()
    assert f"Because of {ENGLISH}." in shown and f"Because of {DUTCH}." in shown
    assert "holds the Gunfleet" in shown
    assert "No plans yet" not in shown


@pytest.mark.parametrize(
    ("verb", "place", "words"),
    [
        ("seek", "gunfleet", "seek the enemy near the Gunfleet"),
        ("land", "gunfleet", "land at the Gunfleet"),
        ("go", "gunfleet", "go to the Gunfleet"),
        ("under orders", "gunfleet", "carry out their orders"),
        ("trade raid", "", "raid trade"),
        ("gather", "", "gather"),
    ],
)
def test_a_plan_names_places_as_a_sentence_does(planned: World, verb: str, place: str, words: str) -> None:
    plan = AdmiralPlan.objects.get(side=planned.dutch.side)
    plan.decisions = [{**plan.decisions[0], "verb": verb, "place": place}]
    plan.save()
    planned.dutch_fleet.name = "Norway timber ships"
    planned.dutch_fleet.save()
    shown = planned.client("umpire").get(reverse("plans", args=[CODE])).content.decode()
    assert f"<b>Norway timber ships</b></a> {words}<br>" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("It takes men aboard at Dunkirk.", "They take men aboard at Dunkirk."),
        (
            "Keep it open. It waits for news of the enemy before it puts to sea.",
            "Keep it open. They wait for news of the enemy before they put to sea.",
        ),
        (
            "The odds are 2 to 1, more than the 1 it accepts.",
            "The odds are 2 to 1, more than the 1 they accept.",
        ),
        ("It stays in port with the Red.", "They stay in port with the Red."),
        ("Its ships are merchantmen.", "Their ships are merchantmen."),
    ],
)
def test_a_reason_agrees_with_a_fleet_of_several_things(planned: World, why: str, words: str) -> None:
    plan = AdmiralPlan.objects.get(side=planned.dutch.side)
    plan.decisions = [{**plan.decisions[0], "why": why}]
    plan.save()
    shown = {}
    for name in ("Norway timber ships", "De Ruyter's fleet"):
        planned.dutch_fleet.name = name
        planned.dutch_fleet.save()
        shown[name] = planned.client("umpire").get(reverse("plans", args=[CODE])).content.decode()
    assert words in shown["Norway timber ships"] and why not in shown["Norway timber ships"]
    assert why in shown["De Ruyter's fleet"]


@pytest.mark.clause("G.AA6", "G.IN1")
def test_no_player_reads_a_plan_not_even_their_own_sides(planned: World) -> None:
    for person in ("english", "dutch", "observer", "stranger"):
        assert planned.client(person).get(reverse("plans", args=[CODE])).status_code == 404, person


def test_without_plans_the_page_says_when_there_will_be_some_and_an_unknown_turn_is_not_found(
    told: World,
) -> None:
    client, address = told.client("umpire"), reverse("plans", args=[CODE])
    assert "No plans yet" in client.get(address).content.decode()
    assert client.get(address, {"turn": "77"}).status_code == 404
    assert client.get(address, {"turn": "x"}).status_code == 404
