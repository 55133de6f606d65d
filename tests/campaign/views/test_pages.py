"""What the pages say and do."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from campaign.models import Campaign, Notice, Order, Ready, Station, Turn, UmpireAction
from campaign.publishing import RUN_TURN
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.orders.openings import opening_of
from campaign.services.setup.setup import shipped_theatres, theatre_load
from fleets.models import Register
from tests.campaign.services.conftest import small_register
from tests.support.factories import UserFactory
from tests.support.people import ENGLISH, World
from tests.support.registers import shipped_registers

pytestmark = pytest.mark.one_database

CODE = "telltale"
HTMX = {"HX-Request": "true"}


def page(told: World, person: str, name: str, *args: Any, **extra: Any) -> str:
    """What a person reads."""
    return told.client(person).get(reverse(name, args=[CODE, *args]), **extra).content.decode()


def test_home_says_what_to_do_next_when_there_is_nothing(told: World) -> None:
    shown = told.client("stranger").get(reverse("home")).content.decode()
    assert "You are not in a campaign yet" in shown
    assert reverse("campaign_start") in shown


@pytest.mark.parametrize(
    ("person", "words"),
    [
        ("english", "Orders given to 1 of your fleets"),
        ("dutch", "Your side is marked ready"),
        ("umpire", "Sides ready: 1"),
    ],
)
def test_home_says_what_waits_for_each_person(told: World, person: str, words: str) -> None:
    shown = told.client(person).get(reverse("home")).content.decode()
    assert "Tell-tale war" in shown
    assert words in shown


def test_home_names_no_deadline_of_a_campaign_that_is_over(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(deadline=timezone.now() + timedelta(days=2))
    assert "orders close" in told.client("umpire").get(reverse("home")).content.decode()
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    shown = told.client("umpire").get(reverse("home")).content.decode()
    assert "The campaign is over" in shown and "orders close" not in shown


def test_home_tells_the_umpire_of_a_failed_turn(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="failed", error="a plank sprang")
    assert "could not be run" in told.client("umpire").get(reverse("home")).content.decode()
    shown = page(told, "umpire", "campaign")
    assert "a plank sprang" in shown
    assert "a plank sprang" not in page(told, "english", "campaign")


def test_queries_of_the_lists_do_not_grow_with_their_rows(
    told: World, django_assert_max_num_queries: Any
) -> None:
    asked_first = int(connection.vendor == "postgresql")  # whether the connection still stands
    pure_theatre(told.campaign.theatre)  # read once a process, whichever test comes first
    for person, name, args, most in (
        ("english", "home", [], 19),
        ("english", "campaign", [CODE], 25),
        ("umpire", "campaign", [CODE], 24),
        ("english", "fleet", [CODE, f"{ENGLISH}-f"], 19),
    ):
        client = told.client(person)
        with django_assert_max_num_queries(most + asked_first):
            assert client.get(reverse(name, args=args)).status_code == 200


def test_the_chart_shows_land_places_fleet_route_sighting_battle_and_wind(told: World) -> None:
    shown = page(told, "english", "campaign")
    for part in (
        'class="land"',
        "The Galloper",
        f"Fleet {ENGLISH}",
        "6 ships",
        'class="route red"',
        "ensign-ENG",
    ):
        assert part in shown
    assert "Contact 1: 10–19 sail" in shown
    assert f"/c/{CODE}/battles/{CODE}-T1-b01/" in shown
    assert "SW, strong" in shown
    assert "2 June 1666, 06:00" in shown
    assert "style=" not in shown
    assert "<script>" not in shown


def test_the_whole_chart_can_be_asked_for_without_a_script(told: World) -> None:
    assert (
        'viewBox="0.0 0.0 1600'
        in told.client("english").get(reverse("campaign", args=[CODE]) + "?view=whole").content.decode()
    )
    assert 'viewBox="0.0 0.0 1600' not in page(told, "english", "campaign")


def test_admirals_mark_their_side_ready_and_undo_it(told: World) -> None:
    Ready.objects.filter(side=told.dutch.side).delete()
    client = told.client("english")
    address = reverse("ready", args=[CODE])
    said = client.post(address, {"ready": "1"}, follow=True).content.decode()
    assert "Your side is marked ready." in said
    assert Ready.objects.filter(turn=told.turn, side=told.english.side).exists()
    client.post(address, {"ready": "0"})
    assert not Ready.objects.filter(turn=told.turn, side=told.english.side).exists()


def test_a_ready_mark_for_a_closed_turn_is_refused_with_a_sentence(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="locked")
    said = told.client("english").post(reverse("ready", args=[CODE]), {"ready": "1"}, follow=True)
    assert "no longer takes orders" in said.content.decode()


def test_the_umpire_runs_the_turn_once_and_it_appears_in_the_log(
    told: World, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    from celery import current_app

    sent: list[int] = []
    monkeypatch.setattr(current_app.tasks[RUN_TURN], "delay", sent.append)
    client = told.client("umpire")
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(reverse("turn_run", args=[CODE]), {"sure": "2-open"})
    told.turn.refresh_from_db()
    assert told.turn.phase == "locked"
    assert sent == [told.turn.pk]
    assert UmpireAction.objects.filter(turn=f"{CODE}/2", action="ran the turn").count() == 1


def test_a_failed_turn_is_retried_with_the_reason_in_the_log(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="failed")
    told.client("umpire").post(reverse("turn_retry", args=[CODE]), {"reason": "the plank is mended"})
    told.turn.refresh_from_db()
    assert told.turn.phase == "locked"
    assert "the plank is mended" in page(told, "observer", "log")


def test_the_status_polls_only_while_the_turn_runs(told: World) -> None:
    assert "hx-trigger" not in page(told, "english", "campaign_status")
    Turn.objects.filter(pk=told.turn.pk).update(phase="running")
    shown = page(told, "english", "campaign_status")
    assert 'hx-trigger="every 3s"' in shown
    assert "being played" in shown


def test_an_unchanged_status_costs_a_304_and_a_changed_one_is_sent(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="running")
    client = told.client("english")
    address = reverse("campaign_status", args=[CODE])
    first = client.get(address)
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    Turn.objects.filter(pk=told.turn.pk).update(phase="reporting")
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_the_page_reloads_when_the_turn_is_over(told: World) -> None:
    client = told.client("english")
    address = reverse("campaign_status", args=[CODE])
    assert client.get(address, headers=HTMX)["HX-Refresh"] == "true"
    Turn.objects.filter(pk=told.turn.pk).update(phase="running")
    assert "HX-Refresh" not in client.get(address, headers=HTMX)


def test_a_fleets_page_gives_ships_condition_and_place(told: World) -> None:
    shown = page(told, "english", "fleet", f"{ENGLISH}-f")
    for words in (
        "At the Nore",
        f"Ship {ENGLISH} 00",
        "100%",
        "6 ships in 2 squadrons",
        "1,200 of",
        f"Adm {ENGLISH}",
    ):
        assert words in shown
    assert f"/c/{CODE}/ships/{ENGLISH}-00/" in shown


def test_a_flag_is_shifted_and_a_ship_moved(told: World) -> None:
    client = told.client("english")
    client.post(
        reverse("flagship", args=[CODE, f"{ENGLISH}-f"]),
        {"squadron": f"{ENGLISH}-s0", "ship": f"{ENGLISH}-02"},
    )
    squadron = told.english_fleet.squadrons.get(code=f"{ENGLISH}-s0")
    assert squadron.flagship.code == f"{ENGLISH}-02"
    client.post(
        reverse("ship_move", args=[CODE, f"{ENGLISH}-f"]),
        {"squadron": f"{ENGLISH}-s0", "ship": f"{ENGLISH}-11"},
    )
    assert squadron.ships.filter(code=f"{ENGLISH}-11").exists()


def test_a_flag_does_not_go_to_a_ship_of_another_squadron(told: World) -> None:
    said = told.client("english").post(
        reverse("flagship", args=[CODE, f"{ENGLISH}-f"]),
        {"squadron": f"{ENGLISH}-s0", "ship": f"{ENGLISH}-11"},
        follow=True,
    )
    assert "does not sail with" in said.content.decode()


def test_no_one_moves_ships_while_the_turn_runs(told: World) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(phase="running")
    assert "Shift the flag" not in page(told, "english", "fleet", f"{ENGLISH}-f")
    response = told.client("english").post(
        reverse("ship_move", args=[CODE, f"{ENGLISH}-f"]),
        {"squadron": f"{ENGLISH}-s0", "ship": f"{ENGLISH}-11"},
    )
    assert response.status_code == 404


@pytest.mark.clause("G.CL1")
def test_the_campaign_settings_mark_what_the_umpire_changed(told: World) -> None:
    Campaign.objects.filter(pk=told.campaign.pk).update(settings={"see_clear": 9})
    shown = page(told, "english", "rules_in_force")
    assert '<b class="num">9</b>' in shown and "default 12." in shown
    assert "/rules/campaign#G.WX4" in shown
    assert "1 changed</span>" in shown and shown.count("badge warn") == 2


def test_the_mailbox_shows_readers_their_own_emails_and_the_umpire_all_deliveries(told: World) -> None:
    Notice.objects.create(
        campaign=told.campaign, event="e", recipient=told.english.user, kind="turn_report", address="en@b.example",
        subject="News of turn 1", text="All is told here.", html="", message_id="<1@x>", status="failed", error="550 no box",
    )  # fmt: skip
    assert "News of turn 1" in page(told, "english", "mailbox")
    assert "News of turn 1" not in page(told, "dutch", "mailbox")
    umpires = page(told, "umpire", "mailbox")
    assert "550 no box" in umpires
    assert "550 no box" not in page(told, "dutch", "mailbox")
    notice = Notice.objects.get()
    assert "All is told here." in page(told, "english", "notice", notice.pk)


def test_the_list_of_reports_leads_to_them(told: World) -> None:
    assert reverse("report", args=[CODE, 1]) in page(told, "english", "reports")
    assert "Reports are for umpires and admirals" in page(told, "observer", "reports")


@pytest.fixture
def keeper(db: Any) -> Client:
    """Somebody logged in, on a site with a small register."""
    small_register()
    client = Client()
    client.force_login(UserFactory(username="keeper"))
    return client


@pytest.fixture
def shipped(db: Any) -> None:
    """The registers of the openings."""
    shipped_registers()


def start_fields(register: str = "small", **changes: str) -> dict[str, str]:
    """A good form for the Narrow Seas."""
    pk = Register.objects.get(code=register).pk
    fields = {
        "theatre": "narrow_seas_1666", "name": "Spring", "code": "SP1", "rule_set": "kohler", "turn_days": "3",
        "side0-takes_part": "on", "side0-ships": f"{pk}|English", "side0-admiral": "monck@club.example",
        "side1-takes_part": "on", "side1-ships": f"{pk}|Dutch", "side1-automatic": "on",
    }  # fmt: skip
    return fields | changes


def test_a_campaign_is_started_from_a_theatre_and_two_fleet_lists(
    shipped: None, keeper: Client, told: World
) -> None:
    assert (
        "Choose another opening"
        in keeper.get(reverse("campaign_start") + "?theatre=narrow_seas_1666").content.decode()
    )
    response = keeper.post(reverse("campaign_start"), start_fields("1666_four_days_battle"))
    assert response.url == reverse("desk", args=["SP1"]), "where the first steps are"
    campaign = Campaign.objects.get(book__code="SP1")
    assert {side.name: side.automatic for side in campaign.sides.all()} == {
        "England": True,
        "Dutch Republic": True,
    }, "until somebody has accepted, the automatic admiral commands"
    assert [member.role for member in campaign.memberships.all()] == ["umpire"]
    assert not get_user_model().objects.filter(email="monck@club.example").exists()
    shown = keeper.get(response.url).content.decode()
    assert "Turn 1 is open. We have emailed the invitations." in shown


@pytest.mark.parametrize("code", ["channel_1588", "atlantic_1805"])
def test_a_theatre_with_an_opening_offers_its_settings_and_fleets_and_says_where_they_lay(
    shipped: None, keeper: Client, code: str
) -> None:
    path = next(path for path in shipped_theatres() if path.stem == code)
    theatre_load(document=json.loads(path.read_text()))
    shown = keeper.get(reverse("campaign_start") + f"?theatre={code}").content.decode()
    opening = opening_of(code)
    assert '<option value="thomas" selected>' in shown
    assert escape(opening["note"][:60]) in shown
    register = Register.objects.get(code=opening["register"])
    for plan in opening["sides"].values():
        assert f'<option value="{register.pk}|{plan["register_side"]}" selected>' in shown
    fields = {"theatre": code, "name": "A year", "code": "Y1", "rule_set": "thomas", "turn_days": "3"}
    for number, plan in enumerate(opening["sides"].values()):
        fields |= {
            f"side{number}-takes_part": "on",
            f"side{number}-ships": f"{register.pk}|{plan['register_side']}",
            f"side{number}-automatic": "on",
        }
    keeper.post(reverse("campaign_start"), fields)
    campaign = Campaign.objects.get(book__code="Y1")
    stations = Station.objects.filter(fleet__navy__book=campaign.book)
    planned = [fleet for plan in opening["sides"].values() for fleet in plan["fleets"]]
    assert dict(stations.values_list("fleet__code", "at")) == {f["code"]: f["place"] for f in planned}
    assert campaign.sides.count() == len(opening["sides"])


def test_a_theatre_with_two_openings_offers_both_and_begins_with_the_one_that_is_chosen(
    shipped: None, keeper: Client
) -> None:
    path = next(path for path in shipped_theatres() if path.stem == "yellow_sea_1904")
    theatre_load(document=json.loads(path.read_text()))
    address = reverse("campaign_start")
    offered = keeper.get(address).content.decode()
    for code, day in (("yellow_sea_1904", "8 February 1904"), ("tsushima_1905", "24 May 1905")):
        assert f"?theatre=yellow_sea_1904&amp;opening={code}" in offered and f"begins {day}" in offered
    shown = keeper.get(f"{address}?theatre=yellow_sea_1904&opening=tsushima_1905").content.decode()
    opening = opening_of("tsushima_1905")
    register = Register.objects.get(code=opening["register"])
    assert escape(opening["note"][:60]) in shown and 'name="turn_days" value="1"' in shown
    fields = {
        "theatre": "yellow_sea_1904", "opening": "tsushima_1905", "name": "Tsushima", "code": "T1", "rule_set": "cordery",
        "turn_days": "1",
    }  # fmt: skip
    for number, plan in enumerate(opening["sides"].values()):
        choice = f"{register.pk}|{plan['register_side']}"
        assert f'<option value="{choice}" selected>' in shown
        fields |= {
            f"side{number}-takes_part": "on",
            f"side{number}-ships": choice,
            f"side{number}-automatic": "on",
        }
    keeper.post(address, fields)
    campaign = Campaign.objects.get(book__code="T1")
    assert (campaign.start_date, campaign.opening_code, campaign.turn_days) == (
        "1905-05-24",
        "tsushima_1905",
        1,
    )
    wrong = keeper.get(f"{address}?theatre=narrow_seas_1666&opening=tsushima_1905")
    assert (
        wrong.status_code == 404
        and "“tsushima_1905” is not a theatre or an opening." in wrong.content.decode()
    )


def test_every_error_in_a_new_campaign_is_reported_at_once_and_nothing_is_saved(
    keeper: Client, told: World
) -> None:
    fields = start_fields(
        **{
            "name": "",
            "code": "no blanks",
            "turn_days": "99",
            "side0-admiral": "",
            "side1-ships": "",
            "side1-automatic": "",
        }
    )
    response = keeper.post(reverse("campaign_start"), fields)
    shown = response.content.decode()
    assert response.status_code == 422
    assert shown.count('class="fault"') == 6
    assert Campaign.objects.count() == 1


def test_a_bad_code_and_bad_addresses_are_reported_with_all_other_errors(keeper: Client, told: World) -> None:
    fields = start_fields(
        **{"name": "", "code": CODE, "side0-admiral": "not an address", "side1-admiral": "nor this"}
    )
    shown = keeper.post(reverse("campaign_start"), fields).content.decode()
    assert "There is a campaign telltale already" in shown
    assert shown.count("is not a valid email address") == 2
    assert shown.count('class="fault"') == 4
    shown = keeper.post(reverse("campaign_start"), start_fields(code="no blanks")).content.decode()
    assert "no blanks is not a valid code" in shown and "slug" not in shown


def test_errors_that_only_the_service_sees_are_shown_beside_their_field(keeper: Client, told: World) -> None:
    twice = {"side0-admiral": "tromp@club.example", "side1-admiral": "Tromp@club.example"}
    shown = keeper.post(reverse("campaign_start"), start_fields(**twice)).content.decode()
    assert "is listed for both sides" in shown
    assert Campaign.objects.count() == 1


def test_one_side_alone_cannot_make_a_campaign(keeper: Client, told: World) -> None:
    fields = start_fields()
    del fields["side1-takes_part"]
    assert "needs at least two sides" in keeper.post(reverse("campaign_start"), fields).content.decode()


@pytest.mark.parametrize("who", ["nobody", "starter", "superuser"])
def test_where_starters_are_named_only_they_start_campaigns(
    keeper: Client, told: World, settings: Any, who: str
) -> None:
    settings.CAMPAIGNS_BY = "named"
    user = get_user_model().objects.get(username="keeper")
    if who == "starter":
        user.groups.add(Group.objects.get(name="Campaign starters"))
    user.is_superuser = who == "superuser"
    user.save()
    may = who in ("starter", "superuser")
    page = keeper.get(reverse("campaign_start"))
    assert page.status_code == (200 if may else 403)
    assert ("Campaign starters" in page.content.decode()) is not may
    for name in ("home", "account"):
        assert (reverse("campaign_start") in keeper.get(reverse(name)).content.decode()) is may
    answer = keeper.post(reverse("campaign_start"), start_fields())
    assert answer.status_code == (302 if may else 403)
    assert Campaign.objects.filter(book__code="SP1").exists() is may
    user.refresh_from_db()
    assert user.is_staff is may


def test_a_campaign_that_could_not_email_its_invitations_says_which(
    keeper: Client, told: World, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    response = keeper.post(reverse("campaign_start"), start_fields())
    shown = keeper.get(response.url).content.decode()
    assert "We could not email monck@club.example. Send the invitation again" in shown
    assert "We have emailed" not in shown


def test_too_many_invitations_start_no_campaign(keeper: Client, told: World, settings: Any) -> None:
    settings.INVITATIONS_PER_DAY = 0
    response = keeper.post(reverse("campaign_start"), start_fields())
    assert response.status_code == 422 and "invitations in 24 hours" in response.content.decode()
    assert Campaign.objects.count() == 1


def test_an_unknown_theatre_gives_one_clear_line(keeper: Client, told: World) -> None:
    response = keeper.get(reverse("campaign_start") + "?theatre=lake_geneva")
    assert response.status_code == 404
    assert "“lake_geneva” is not a theatre or an opening." in response.content.decode()


def test_the_admirals_orders_appear_on_their_page(told: World) -> None:
    assert Order.objects.filter(fleet=told.english_fleet).count() == 1
    assert "bound for the Swin" in page(told, "english", "campaign")


def test_the_last_report_of_a_campaign_that_is_over_asks_for_no_decision(told: World) -> None:
    assert "What you must decide" in page(told, "english", "report", 1)
    told.campaign.status = Campaign.Status.CLOSED
    told.campaign.save()
    assert "What you must decide" not in page(told, "english", "report", 1)
