"""Django's admin over the campaign room: every page opens, secrets are on none, and the umpire's log notes what was changed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.models import Campaign, Membership, Notice, PublicPage, Turn, UmpireAction
from tests.support.factories import (
    CampaignFactory,
    CommandFactory,
    ContactFactory,
    FleetFactory,
    MembershipFactory,
    NoticeFactory,
    OrderFactory,
    PlaceFactory,
    ReadyFactory,
    ReceivedMailFactory,
    ReportFactory,
    SideFactory,
    SideOrderFactory,
    SightingFactory,
    StationFactory,
    TurnFactory,
    UmpireActionFactory,
    UserFactory,
    WeatherWatchFactory,
)
from tests.support.people import World, world

pytestmark = pytest.mark.django_db

MODELS = [
    "campaign", "side", "membership", "command", "theatre", "place", "passage", "station", "turn", "order", "sideorder", "ready",
    "weatherwatch", "sighting", "contact", "report", "notice", "receivedmail",
    "umpireaction", "objective", "calendarrow", "publicpage",
]  # fmt: skip
READ_ONLY = [
    "place", "passage", "station", "order", "sideorder", "ready", "weatherwatch", "sighting", "contact", "report", "notice", "receivedmail",
    "umpireaction", "objective", "calendarrow",
]  # fmt: skip


@pytest.fixture
def told() -> World:
    """A campaign with a row of everything."""
    made = world()
    NoticeFactory(campaign=made.campaign, recipient=made.english.user)
    WeatherWatchFactory(turn=made.closed)
    SideOrderFactory(turn=made.turn, side=made.english.side)
    ReceivedMailFactory(turn=made.turn, membership=made.english)
    PublicPage.objects.create(campaign=made.campaign)
    return made


def _more(told: World) -> None:
    """Five more rows of everything that a list can show."""
    for n in range(5):
        campaign = CampaignFactory()
        turn = TurnFactory(campaign=campaign, chart_secret=f"{n}9" * 32)
        side = SideFactory(campaign=campaign)
        member = MembershipFactory(campaign=campaign, side=side)
        CommandFactory(membership=member)
        StationFactory()
        PlaceFactory()
        OrderFactory(turn=turn, fleet=FleetFactory(navy=side.navy))
        for factory in (ReadyFactory, SightingFactory, ReportFactory, SideOrderFactory):
            factory(turn=turn, side=side)
        for factory in (WeatherWatchFactory, ContactFactory):
            factory(turn=turn)
        NoticeFactory(campaign=campaign)
        ReceivedMailFactory(turn=turn, membership=member)
        UmpireActionFactory(campaign=campaign)
        PublicPage.objects.create(campaign=campaign)


def _addresses(model: str) -> list[str]:
    rows = next(m for m in admin.site._registry if m._meta.label_lower == f"campaign.{model}")
    first = rows._default_manager.first()
    assert first is not None, f"the world has no {model}"
    listed = reverse(f"admin:campaign_{model}_changelist")
    return [listed, f"{listed}?q=galloper", reverse(f"admin:campaign_{model}_change", args=[first.pk])]


def test_every_model_of_the_room_is_in_the_admin() -> None:
    registered = {m._meta.model_name for m in admin.site._registry if m._meta.app_label == "campaign"}

    assert registered == set(MODELS)


@pytest.mark.clause("G.FA1")
def test_lists_and_pages_for_administrators_show_no_secret(admin_client: Any, told: World) -> None:
    secrets = [t.chart_secret for t in (told.turn, told.closed)] + [told.turn.battle_secret]
    for address in (address for model in MODELS for address in _addresses(model)):
        response = admin_client.get(address)
        assert response.status_code == 200, address
        page = response.content.decode()
        assert not any(secret in page for secret in secrets)
        assert "default-src 'self'" in response.headers["Content-Security-Policy"]
        scripts = re.findall(r"<script([^>]*)>", page)
        assert all("src=" in attributes or "application/json" in attributes for attributes in scripts)


@pytest.mark.one_database
def test_only_the_site_administrator_chooses_what_the_front_page_shows(
    told: World, admin_client: Any
) -> None:
    page = PublicPage.objects.get()
    address = reverse("admin:campaign_publicpage_change", args=[page.pk])
    assert told.client("umpire").post(address, {"showcase": "on"}).status_code == 403
    assert admin_client.post(address, {"showcase": "on", "open": "on"}).status_code == 302
    page.refresh_from_db()
    assert page.showcase and not page.open


def test_data_written_by_services_is_read_only(admin_client: Any, told: World) -> None:
    for model in READ_ONLY:
        change = _addresses(model)[-1]
        assert admin_client.post(change, {}).status_code == 403
        assert admin_client.post(change.replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403
        assert admin_client.get(reverse(f"admin:campaign_{model}_add")).status_code == 403


@pytest.mark.one_database
def test_a_list_takes_the_same_queries_for_many_rows(admin_client: Any, told: World) -> None:
    lists = {model: reverse(f"admin:campaign_{model}_changelist") for model in MODELS}
    for address in lists.values():
        admin_client.get(address)  # the first look fills what Django remembers
    few = {model: _queries(admin_client, address) for model, address in lists.items()}
    _more(told)

    many = {model: _queries(admin_client, address) for model, address in lists.items()}

    # a filter that is shown from two choices on costs one or two
    assert {m: many[m] - few[m] for m in MODELS if many[m] > few[m] + 2} == {}


def _queries(client: Any, address: str) -> int:
    with CaptureQueriesContext(connection) as made:
        client.get(address)
    return len(made)


def _posted(campaign: Campaign, **changes: Any) -> dict[str, Any]:
    inlines = {
        f"{prefix}-{name}": value
        for prefix, rows in (("sides", campaign.sides.all()), ("memberships", campaign.memberships.all()))
        for name, value in (("TOTAL_FORMS", rows.count()), ("INITIAL_FORMS", rows.count()))
    }
    for n, side in enumerate(campaign.sides.all()):
        inlines |= {
            f"sides-{n}-id": side.pk,
            f"sides-{n}-campaign": campaign.pk,
            f"sides-{n}-name": side.name,
            f"sides-{n}-colour": side.colour,
        }
    for n, member in enumerate(campaign.memberships.all()):
        inlines |= {
            f"memberships-{n}-id": member.pk,
            f"memberships-{n}-campaign": campaign.pk,
            f"memberships-{n}-chief": "on" if member.chief else "",
        }
    return {
        "name": campaign.name,
        "turn_days": campaign.turn_days,
        "deadline_hours": campaign.deadline_hours,
        "grace_hours": campaign.grace_hours,
        "silent_turns": campaign.silent_turns,
        "deadline_at": "20:00",
        "time_zone": "UTC",
        "run_when_ready": "on",
        **inlines,
        **changes,
    }


@pytest.mark.clause("G.UM1")
def test_a_change_in_the_admin_appears_in_the_umpires_log(
    admin_client: Any, admin_user: Any, told: World
) -> None:
    address = reverse("admin:campaign_campaign_change", args=[told.campaign.pk])

    response = admin_client.post(address, _posted(told.campaign, grace_hours=4))

    assert response.status_code == 302
    told.campaign.refresh_from_db()
    assert told.campaign.grace_hours == 4
    entry = UmpireAction.objects.get(action="changed the campaign")
    assert (entry.actor, entry.reason) == (admin_user.username, "grace hours")


def test_the_admin_shows_changed_settings_in_words(admin_client: Any, told: World) -> None:
    address = reverse("admin:campaign_campaign_change", args=[told.campaign.pk])
    for settings, words in (({}, "none"), ({"see_haze": 4}, "Miles seen in haze: 4")):
        Campaign.objects.update(settings=settings)
        assert f'<div class="readonly">{words}</div>' in admin_client.get(address).content.decode()


@pytest.mark.clause("G.UM1")
def test_a_moved_deadline_appears_in_the_umpires_log(admin_client: Any, told: World) -> None:
    address = reverse("admin:campaign_turn_change", args=[told.turn.pk])

    form = admin_client.get(address).content.decode()
    assert 'aria-label="Deadline: date"' in form and 'aria-label="Deadline: time"' in form
    admin_client.post(address, {"deadline_0": "2026-12-01", "deadline_1": "20:00:00", "phase": "closed"})

    turn = Turn.objects.get(pk=told.turn.pk)
    assert f"{turn.deadline:%Y-%m-%d %H:%M}" == "2026-12-01 20:00"
    assert turn.phase == "open", "only the deadline is for moving"
    assert turn.chart_secret == told.turn.chart_secret
    assert UmpireAction.objects.filter(action="moved the deadline", turn="telltale/2").exists()


def _part(member: Membership, **changed: Any) -> dict[str, Any]:
    """What the form of a part posts."""
    return {
        "role": member.role, "side": member.side_id or "", "commands-TOTAL_FORMS": 0, "commands-INITIAL_FORMS": 0, **changed,
    }  # fmt: skip


def test_no_one_is_added_to_a_campaign_and_no_role_is_given_to_another_person(
    admin_client: Any, told: World
) -> None:
    person, member = UserFactory(username="newcomer"), MembershipFactory(side=told.english.side)
    data = {**_part(member), "campaign": told.campaign.pk, "user": person.pk}
    assert admin_client.post(reverse("admin:campaign_membership_add"), data).status_code == 403
    admin_client.post(reverse("admin:campaign_membership_change", args=[member.pk]), {**data, "chief": "on"})
    member.refresh_from_db()
    assert member.chief and member.user != person
    assert not Membership.every.filter(user=person).exists()


def test_a_member_is_made_umpire_and_given_access_to_the_admin(admin_client: Any, told: World) -> None:
    member = MembershipFactory(side=told.english.side)
    address = reverse("admin:campaign_membership_change", args=[member.pk])
    assert admin_client.post(address, _part(member, role="umpire", side="")).status_code == 302
    member.refresh_from_db()
    assert (member.role, member.side, member.user.is_staff) == ("umpire", None, True)


@pytest.mark.one_database
@pytest.mark.parametrize(("role", "side"), [("admiral", "other"), ("admiral", ""), ("umpire", "own")])
def test_an_impossible_role_is_refused(admin_client: Any, told: World, role: str, side: str) -> None:
    sides = {"other": SideFactory().pk, "own": told.english.side_id, "": ""}
    member = MembershipFactory(side=told.english.side)
    before = list(Membership.every.values())

    address = reverse("admin:campaign_membership_change", args=[member.pk])
    response = admin_client.post(address, _part(member, role=role, side=sides[side]))

    assert response.status_code == 200
    assert list(Membership.every.values()) == before


def test_an_action_resends_emails(admin_client: Any, told: World) -> None:
    notice = Notice.objects.get()
    Notice.objects.update(status="failed")

    data = {"action": "send_again", "_selected_action": [notice.pk]}
    page = admin_client.post(reverse("admin:campaign_notice_changelist"), data, follow=True)

    assert "Emails queued again: 1." in page.content.decode()
    assert Notice.objects.get().status == "waiting"


@pytest.mark.one_database
@pytest.mark.parametrize(("ticked", "kept"), [(["6", "3"], [3, 6]), ([], []), (["7"], [])])
def test_orders_close_on_the_weekdays_that_are_ticked(
    admin_client: Any, told: World, ticked: list[str], kept: list[int]
) -> None:
    address = reverse("admin:campaign_campaign_change", args=[told.campaign.pk])
    page = admin_client.post(address, _posted(told.campaign, deadline_days=ticked))
    told.campaign.refresh_from_db()
    assert told.campaign.deadline_days == kept
    assert ("Select a valid choice" in page.content.decode()) is (ticked == ["7"])
    boxes = re.findall(
        r'name="deadline_days" value="(\d)"[^>]* checked', admin_client.get(address).content.decode()
    )
    assert boxes == [str(day) for day in kept]
