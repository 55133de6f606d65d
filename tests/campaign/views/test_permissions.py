"""Every page against every person: who sees it, who gets "not found", who has to log in."""

import pytest
from django.urls import reverse

from campaign.urls import urlpatterns
from tests.support.people import DUTCH, ENGLISH, PEOPLE, World
from tests.support.put_back import put_back

pytestmark = pytest.mark.one_database

ALL, ADMIRALS, MEMBERS, UMPIRE, NONE = (
    {"umpire", "english", "dutch", "observer", "stranger"},
    {"english", "dutch"},
    {"umpire", "english", "dutch", "observer"},
    {"umpire"},
    set(),
)
CODE = "telltale"
PAGES = [
    ("campaign_start", [], ALL),
    ("campaign", [CODE], MEMBERS),
    ("campaign_status", [CODE], MEMBERS),
    ("fleet", [CODE, f"{ENGLISH}-f"], {"umpire", "english"}),
    ("fleet", [CODE, f"{DUTCH}-f"], {"umpire", "dutch"}),
    ("reach", [CODE, f"{ENGLISH}-f"], {"umpire", "english"}),
    ("reach", [CODE, f"{DUTCH}-f"], {"umpire", "dutch"}),
    ("orders", [CODE, f"{ENGLISH}-f"], {"english"}),
    ("orders", [CODE, f"{DUTCH}-f"], {"dutch"}),
    ("orders_ships", [CODE, f"{ENGLISH}-f"], {"english"}),
    ("fleet_table", [CODE], ADMIRALS),
    ("orders_list", [CODE], ADMIRALS),
    ("reports", [CODE], MEMBERS),
    ("report", [CODE, 1], {"umpire", "english", "dutch"}),
    ("report", [CODE, 2], NONE),
    ("rules_in_force", [CODE], MEMBERS),
    ("convoys", [CODE], UMPIRE),
    ("plans", [CODE], UMPIRE),
    ("calendar", [CODE], MEMBERS),
    ("news", [CODE], MEMBERS),
    ("dockyards", [CODE], {"umpire", "english", "dutch"}),
    ("prizes", [CODE], {"umpire", "english", "dutch"}),
    ("groups", [CODE], {"umpire", "english", "dutch"}),
    ("gazettes", [CODE], MEMBERS),
    ("gazette", [CODE, 1, "ENG"], {"umpire", "english"}),
    ("gazette", [CODE, 1, "NLD"], {"umpire", "dutch"}),
    ("gazette", [CODE, 2, "ENG"], NONE),
    ("gazette", [CODE, 1, "XXX"], NONE),
    ("publicity", [CODE], UMPIRE),
    ("standings", [CODE], MEMBERS),
    ("chronicle", [CODE], MEMBERS),
    ("objectives", [CODE], MEMBERS),
    ("objective_new", [CODE], UMPIRE),
    ("objective", [CODE, "public0"], UMPIRE),
    ("objective", [CODE, "no-such"], NONE),
    ("chapter", [CODE, 1], {"umpire", "english", "dutch"}),
    ("chapter", [CODE, 99], NONE),
    ("odds", [CODE], {"umpire", "english", "dutch"}),
    ("odds_status", [CODE], {"umpire", "english", "dutch"}),
    ("sightings", [CODE], MEMBERS),
    ("mailbox", [CODE], MEMBERS),
    ("log", [CODE], MEMBERS),
    ("people", [CODE], MEMBERS),
    ("campaign_leave", [CODE], MEMBERS),
    ("account", [], ALL),
    ("own_password", [], ALL),
    ("fairness", [CODE], MEMBERS),
    ("luck", [CODE], MEMBERS),
    ("desk", [CODE], UMPIRE),
    ("rules_version", [CODE], UMPIRE),
    ("desk_status", [CODE], UMPIRE),
    ("clock", [CODE], MEMBERS),
    ("away", [CODE], {"umpire", "english", "dutch"}),
    ("mail_kinds", [CODE], UMPIRE),
    ("mail_kind", [CODE, "word"], UMPIRE),
    ("mail_kind_letter", [CODE, "word"], UMPIRE),
    ("campaign", ["no-such"], NONE),
    ("fleet", [CODE, "no-such"], NONE),
]
ACTS = [
    ("ready", [CODE], ADMIRALS),
    ("odds", [CODE], {"umpire", "english", "dutch"}),
    ("dockyards", [CODE], {"umpire", "english", "dutch"}),
    ("groups", [CODE], {"umpire", "english", "dutch"}),
    ("prizes", [CODE], {"umpire", "english", "dutch"}),
    ("fleet_table", [CODE], ADMIRALS),
    ("orders_withdraw", [CODE], ADMIRALS),
    ("turn_run", [CODE], UMPIRE),
    ("turn_retry", [CODE], UMPIRE),
    ("desk", [CODE], UMPIRE),
    ("steps_hide", [CODE], UMPIRE),
    ("practice_throw", [CODE], NONE),  # never a real campaign
    ("clock", [CODE], UMPIRE),
    ("away", [CODE], {"umpire", "english", "dutch"}),
    ("people", [CODE], UMPIRE),
    ("publicity", [CODE], UMPIRE),
    ("rules_change", [CODE], UMPIRE),
    ("rules_version", [CODE], UMPIRE),
    ("interned_release", [CODE], UMPIRE),
    ("objective_new", [CODE], UMPIRE),
    ("objective", [CODE, "public0"], UMPIRE),
    ("objective_delete", [CODE, "public0"], UMPIRE),
    ("calendar_change", [CODE], UMPIRE),
    ("campaign_close", [CODE], UMPIRE),
    ("letter", [CODE], MEMBERS),
    ("release", [CODE], UMPIRE),
    ("flagship", [CODE, f"{ENGLISH}-f"], {"english"}),
    ("ship_move", [CODE, f"{ENGLISH}-f"], {"english"}),
    ("orders", [CODE, f"{ENGLISH}-f"], {"english"}),
]
# Tests of their own say who may open these, because it depends on the ship, the battle or the email.
ELSEWHERE = {
    *("ship", "ship_correct", "battle", "battle_replay", "battle_result", "battle_print"),
    *("battle_papers", "battle_picture"),
    *("notice", "notice_picture", "resend"),
}
# Open to strangers: `test_public_pages.py` says of which campaigns, and what stands in them.
STRANGERS = {"public", "public_chronicle", "public_gazette", "public_battle", "public_replay"}


def test_every_address_of_a_campaign_is_on_a_list() -> None:
    names = {row.name for row in urlpatterns if str(row.pattern).startswith("c/")}

    assert names - {name for name, _, _ in (*PAGES, *ACTS)} == ELSEWHERE
    assert {row.name for row in urlpatterns if str(row.pattern).startswith("public/")} == STRANGERS


def test_everyone_may_open_the_front_page(told: World) -> None:
    for person in PEOPLE:
        assert told.client(person).get(reverse("home")).status_code == 200, person


@pytest.mark.clause("G.IN1", "G.IN4")
@pytest.mark.parametrize("person", PEOPLE)
def test_every_page_opens_for_the_people_it_concerns(told: World, person: str) -> None:
    client = told.client(person)
    for name, args, allowed in PAGES:
        response = client.get(reverse(name, args=args))
        if person == "anonymous":
            assert response.status_code == 302, (name, args)
            assert response.url.startswith(reverse("login")), (name, args)
        else:
            assert response.status_code == (200 if person in allowed else 404), (name, args)


@pytest.mark.clause("G.IN4", "G.UM1")
@pytest.mark.parametrize("person", PEOPLE)
def test_every_action_is_open_to_the_people_it_belongs_to(told: World, person: str) -> None:
    client = told.client(person)
    fields = {"ready": "1", "ship": f"{ENGLISH}-01", "squadron": f"{ENGLISH}-s0", "act": "add"}
    for name, args, allowed in ACTS:
        with put_back():
            response = client.post(reverse(name, args=args), fields)
        if person == "anonymous":
            assert response.url.startswith(reverse("login")), name
        elif person in allowed:
            assert response.status_code in (200, 302, 422), name
        else:
            assert response.status_code == 404, name


def test_an_action_cannot_be_opened_as_a_page(told: World) -> None:
    pages = {page for page, _, _ in PAGES}
    only_acts = [(name, args) for name, args, _ in ACTS if name not in pages]
    assert only_acts
    for person in ("umpire", "english"):
        client = told.client(person)
        for name, args in only_acts:
            assert client.get(reverse(name, args=args)).status_code == 405, (person, name)


def test_the_login_page_opens_and_a_missing_page_says_so(client, db) -> None:
    assert b"Log in" in client.get(reverse("login")).content
    missing = client.get("/nowhere")
    assert missing.status_code == 404
    assert b"Page not found" in missing.content
