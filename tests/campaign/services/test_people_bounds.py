"""Who leaves, who inherits, who may do what in the admin, and how often a link is emailed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.core import mail

from campaign.models import Command, LinkRequest, Membership, Notice, Preferences, Station, UmpireAction
from campaign.services import roles
from campaign.services.mail import link_requests
from campaign.services.mail.link_requests import link_ask, link_requests_due, links_send
from campaign.services.people.people import (
    LEFT,
    berths_take,
    fleets_hand,
    part_leave,
    part_take_away,
    side_automatic,
)
from campaign.services.roles import SITE_ADMINISTRATORS, UMPIRES, permissions_of, umpire_admit, umpire_dismiss
from campaign.services.umpire_log import UmpireRefused
from tests.support.answers import answer_of, flawless
from tests.support.factories import (
    CommandFactory,
    FleetFactory,
    MembershipFactory,
    NoticeFactory,
    UserFactory,
)
from tests.support.people import World, world
from tests.support.put_back import put_back

pytestmark = pytest.mark.one_database

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def told(db: Any) -> World:
    return world()


def idle(told: World, code: str = "zj7") -> Any:
    fleet = FleetFactory(navy=told.english_fleet.navy, code=code)
    Station.objects.create(fleet=fleet, at="nore")
    return fleet


# --- parts ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("G.IN4")
def test_unsent_emails_for_a_person_who_leaves_are_void_and_sent_ones_are_not(told: World) -> None:
    user = told.english.user
    rows = {
        status: NoticeFactory(campaign=told.campaign, recipient=user, status=status)
        for status in ("waiting", "digest", "failed", "sent")
    }
    other = NoticeFactory(campaign=told.campaign, recipient=told.dutch.user, status="waiting")
    part_leave(membership=told.english)
    voids = {status: Notice.objects.get(pk=row.pk).void for status, row in rows.items()}
    assert voids == {"waiting": LEFT, "digest": LEFT, "failed": LEFT, "sent": ""}
    assert Notice.objects.get(pk=other.pk).void == ""
    with pytest.raises(UmpireRefused, match="That person has left the campaign"):
        part_leave(membership=told.english)


@pytest.mark.clause("G.IN4")
def test_the_umpires_learn_what_to_do_about_a_side_whose_admiral_has_left(told: World) -> None:
    def heard(member: Membership, **more: Any) -> str:
        with put_back():
            assert answer_of(part_leave, membership=member, **more) == ""
            return str(Notice.objects.get(kind="word", recipient=told.umpire.user).text)

    mate = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))
    alone, headless = "has no player now", "has no commander-in-chief now"
    for member, words in (
        (told.dutch, (alone,)), (told.english, (headless,)), (mate, ()), (told.observer, ()),
    ):  # fmt: skip
        text = heard(member)
        assert {word for word in (alone, headless) if word in text} == set(words), member
        assert "Their reason" not in text
    assert "Their reason: at sea" in heard(mate, reason=" at sea ")
    type(told.dutch.side).objects.update(automatic=True)
    told.dutch.refresh_from_db()
    assert alone not in heard(told.dutch)


@pytest.mark.clause("G.IN4")
def test_the_fleets_of_an_admiral_who_leaves_go_to_the_commander_in_chief_or_to_no_one(told: World) -> None:
    mate = MembershipFactory(side=told.english.side)
    fleet = CommandFactory(membership=mate).fleet
    for leaver, heirs in ((told.observer, [mate.pk]), (mate, [told.english.pk]), (told.english, [])):
        assert answer_of(part_leave, membership=leaver) == ""
        assert list(Command.objects.filter(fleet=fleet).values_list("membership", flat=True)) == heirs
    assert told.dutch.commands.count() == 1


@pytest.mark.clause("G.IN4", "G.UM1")
def test_a_role_is_removed_with_an_email_to_those_who_can_receive_one(told: World) -> None:
    who = told.umpire.user
    for changes, mailed in (({}, 1), ({"email": ""}, 0), ({"is_active": False}, 0)):
        with put_back():
            mail.outbox.clear()
            type(who).objects.filter(pk=told.dutch.user.pk).update(**changes)
            part_take_away(campaign=told.campaign, umpire=who, member=told.dutch.pk, reason="why")
            assert len(mail.outbox) == mailed, changes
            assert (
                UmpireAction.objects.latest("pk").reason
                == "dutch, commander-in-chief of the Dutch Republic: why"
            )
    second = MembershipFactory(campaign=told.campaign, side=None, role="umpire")
    part_take_away(campaign=told.campaign, umpire=who, member=second.pk, reason="two are one too many")
    with pytest.raises(UmpireRefused, match="A campaign needs an umpire"):
        part_take_away(campaign=told.campaign, umpire=who, member=told.umpire.pk, reason="x")


@pytest.mark.clause("G.IN4")
def test_fleets_without_an_admiral_belong_to_the_commander_in_chief_or_the_only_admiral(told: World) -> None:
    fleet = idle(told)
    dead = idle(told, "zj8")
    type(dead).objects.filter(pk=dead.pk).update(ended=True)
    mate = MembershipFactory(side=told.english.side)
    for member, count in ((told.umpire, 0), (told.dutch, 0), (mate, 0), (told.english, 1)):
        with put_back():
            assert berths_take(membership=member) == count
            assert Command.objects.filter(fleet=fleet, membership=member).exists() is bool(count)
    told.english.delete()
    assert berths_take(membership=mate) == 2, "he is alone now, and the fleet of who was there before is free"


@pytest.mark.clause("G.IN4", "G.UM1")
def test_fleets_are_assigned_to_admirals_of_their_side_and_unchanged_ones_are_not_reported(
    told: World,
) -> None:
    own, free = told.english_fleet.code, idle(told).code
    mate = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))

    def hand(**given: int) -> int | str:
        codes = {"own": own, "free": free, "theirs": told.dutch_fleet.code}
        wanted = {codes[name]: pk for name, pk in given.items()}
        side = told.english.side
        assert side is not None
        try:
            return flawless(
                fleets_hand, campaign=told.campaign, umpire=told.umpire.user, side=side, given=wanted
            )
        except Exception as why:
            return str(why)

    count = UmpireAction.objects.count()
    changed = "The fleets or admirals of England have changed. Reload the page and try again."
    assert hand(theirs=mate.pk) == hand(own=told.dutch.pk) == hand(own=999_999) == changed
    assert hand(own=told.english.pk, free=0) == 0 and UmpireAction.objects.count() == count
    assert hand(own=mate.pk, free=mate.pk) == 2 and mate.commands.count() == 2
    assert UmpireAction.objects.latest("pk").reason == "one of England to rupert"
    assert hand(own=0, free=mate.pk) == 1 and list(mate.commands.values_list("fleet__code", flat=True)) == [
        free
    ]
    assert UmpireAction.objects.latest("pk").reason == "one of England to the commander-in-chief"


@pytest.mark.clause("G.UM1")
def test_a_side_is_handed_to_the_automatic_admiral_and_back_once(told: World) -> None:
    side = told.english.side
    for automatic, action, again in (
        (True, "handed a side to the automatic admiral", "already commands England"),
        (False, "took a side from the automatic admiral", "does not command England"),
    ):
        given = {
            "campaign": told.campaign,
            "umpire": told.umpire.user,
            "side": side,
            "automatic": automatic,
            "reason": "x",
        }
        side_automatic(**given)  # type: ignore[arg-type]
        assert type(side).objects.get(pk=side.pk).automatic is automatic  # type: ignore[union-attr]
        assert UmpireAction.objects.latest("pk").action == action
        assert answer_of(side_automatic, **given) == f"The automatic admiral {again}."


# --- roles ------------------------------------------------------------------------------------------------------

UNSEEN = {
    "fleets": {"nation", "importbatch", "composition"},
    "battles": {"outcomeanswer"},
    "campaign": {"theatre", "place", "passage", "preferences", "invitation", "linkrequest", "absence", "letter", "release",
                 "heartbeat", "beatlease", "chartpicture", "setasidemail", "mailoutage", "admiralplan", "orderdraft", "resultdraft",
                 "battlepaper", "battlepicture", "oddsrun", "oddschunk", "publicpage", "turndocument",
                 "turnsummary"},
}  # fmt: skip


@pytest.mark.clause("G.IN1", "G.UM1")
def test_an_umpire_views_every_table_of_a_campaign_and_changes_three(db: Any) -> None:
    allowed = permissions_of(UMPIRES)
    for app in ("fleets", "campaign", "battles"):
        there = {
            model._meta.model_name
            for model in apps.get_app_config(app).get_models()
            if "historical" not in str(model._meta.model_name)
        }
        seen = {name.partition("_")[2] for room, name in allowed if room == app and name.startswith("view_")}
        left = there - seen
        assert seen <= there
        assert left == UNSEEN[app] & there, (app, left ^ UNSEEN[app])
    changes = {name for _, name in allowed if not name.startswith("view_")}
    assert changes == {"change_ship", "change_campaign", "change_turn"}
    registers = {name for _, name in permissions_of(roles.REGISTER_EDITORS)}
    acts = ("view", "add", "change", "delete")
    assert registers == {
        *(f"{act}_{model}" for model in ("register", "registerentry") for act in acts),
        *(f"{act}_nation" for act in acts[:3]), "view_importbatch",
    }  # fmt: skip
    assert permissions_of(roles.CAMPAIGN_STARTERS) == {("campaign", "add_campaign")}
    assert permissions_of(SITE_ADMINISTRATORS) == {
        ("auth", "view_user"), ("auth", "add_user"), ("auth", "change_user"), ("auth", "view_group"),
    }  # fmt: skip


@pytest.mark.clause("G.UM1")
def test_the_groups_have_the_permissions_of_their_roles_and_administrators_those_of_all_rooms(
    db: Any, settings: Any
) -> None:
    settings.CAMPAIGNS_BY = "everyone"
    Group.objects.all().delete()
    user = UserFactory()
    umpire_admit(user=user)
    assert not user.is_staff, "a site without groups has no umpires in its admin"
    for _ in range(2):
        roles.roles_make()
    found = {
        group.name: {(row.content_type.app_label, row.codename) for row in group.permissions.select_related("content_type")}
        for group in Group.objects.all()
    }  # fmt: skip
    rooms = {
        (row.content_type.app_label, row.codename)
        for row in Permission.objects.select_related("content_type")
        if row.content_type.app_label in ("fleets", "battles", "campaign")
    }
    assert found == {
        **{role: permissions_of(role) for role in (roles.REGISTER_EDITORS, UMPIRES, roles.CAMPAIGN_STARTERS)},
        SITE_ADMINISTRATORS: permissions_of(SITE_ADMINISTRATORS) | rooms,
    }  # fmt: skip


@pytest.mark.clause("G.UM1")
def test_a_person_who_no_longer_umpires_leaves_the_admin_unless_another_role_needs_it(
    told: World, settings: Any
) -> None:
    roles.roles_make(permission=Permission)
    settings.CAMPAIGNS_BY = "everyone"
    editors = Group.objects.get(name=roles.REGISTER_EDITORS)
    permission = Permission.objects.get(codename="add_register")
    for keeps, stays in (
        (lambda user: None, False), (lambda user: user.groups.add(editors), True),
        (lambda user: user.user_permissions.add(permission), True),
        (lambda user: type(user).objects.filter(pk=user.pk).update(is_superuser=True), True),
    ):  # fmt: skip
        user = UserFactory()
        umpire_admit(user=user)
        assert user.is_staff and user.groups.filter(name=UMPIRES).exists()
        keeps(user)
        user.refresh_from_db()
        umpire_dismiss(user=user)
        user.refresh_from_db()
        assert (user.is_staff, user.groups.filter(name=UMPIRES).exists()) == (stays, False)
    umpire_admit(user=told.umpire.user)
    umpire_dismiss(user=told.umpire.user)
    assert told.umpire.user.groups.filter(name=UMPIRES).exists(), "he umpires still"
    settings.CAMPAIGNS_BY = "starters"
    user = UserFactory()
    umpire_admit(user=user)
    assert not user.is_staff and not user.groups.exists()


# --- links ------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(db: Any) -> Any:
    with time_machine.travel(NOW, tick=False) as moving:
        yield moving


def asked() -> list[tuple[str, str, str]]:
    return list(LinkRequest.objects.order_by("pk").values_list("kind", "who", "path"))


@pytest.mark.parametrize(("kind", "between"), [("login", 5 * MINUTE), ("password", HOUR)])
def test_the_same_text_is_recorded_once_in_five_minutes_or_in_an_hour(
    clock: Any, kind: str, between: timedelta
) -> None:
    for after, count in ((0 * MINUTE, 1), (between - timedelta(microseconds=1), 1), (between, 2)):
        clock.move_to(NOW + after)
        link_ask(kind=kind, who=" monck ")
        assert len(asked()) == count, after
    link_ask(kind=kind, who="rupert")
    assert len(asked()) == 3


def test_a_strangers_input_is_cut_and_an_invalid_path_is_left_out(clock: Any) -> None:
    link_ask(kind="login", who="x" * 300, path="/" + "y" * 499)
    link_ask(kind="login", who="a", path="/" + "y" * 500)
    link_ask(kind="login", who="b", path="/c/\n")
    assert [(len(who), len(path) > 400) for _, who, path in asked()] == [(254, True), (1, False), (1, False)]


def test_requests_wait_for_an_hour_and_are_forgotten_after_a_day(clock: Any) -> None:
    tick = timedelta(microseconds=1)
    rows = {
        age: LinkRequest.objects.create(kind="login", who=str(age), asked=NOW - age)
        for age in (0 * HOUR, HOUR - tick, HOUR, DAY, DAY + tick)
    }
    due = [rows[age].pk for age in (0 * HOUR, HOUR - tick)]
    assert sorted(link_requests_due(NOW)) == sorted(due)
    assert LinkRequest.objects.count() == 4
    LinkRequest.objects.filter(pk=due[0]).update(retry_after=NOW)
    LinkRequest.objects.filter(pk=due[1]).update(retry_after=NOW + tick)
    assert link_requests_due(NOW) == due[:1]
    LinkRequest.objects.bulk_create(LinkRequest(kind="login", who=f"{n}", asked=NOW) for n in range(100))
    assert len(link_requests_due(NOW)) == 100


def test_a_link_is_emailed_to_the_accounts_of_a_name_or_an_address_only_as_often_as_allowed(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monck = UserFactory(username="monck", email="monck@club.example")
    UserFactory(username="gone", email="gone@club.example", is_active=False)
    UserFactory(username="mute", email="")
    UserFactory(username="Monck@club.example", email="other@club.example")

    def sent(kind: str, who: str, **row: Any) -> tuple[int, bool]:
        made = LinkRequest.objects.create(kind=kind, who=who, asked=row.pop("asked", NOW), **row)
        count = links_send(request_id=made.pk)
        assert links_send(request_id=made.pk) == 0
        made.refresh_from_db()
        assert made.claim is None
        return count, made.done is not None

    for who in ("gone", "mute", "gone@club.example", "nobody"):
        assert sent("login", who) == (0, True)
    assert sent("password", "monck") == (0, True), "a name is no address"
    assert sent("login", "MONCK") == (1, True)
    assert sent("login", "monck") == (0, True), "he has one of this moment"
    for since, count in ((5 * MINUTE, 1), (5 * MINUTE - timedelta(microseconds=1), 0)):
        Preferences.objects.filter(user=monck).update(link_asked=NOW - since)
        assert sent("login", "monck") == (count, True), since
    Preferences.objects.all().delete()
    assert sent("login", "monck@club.example") == (2, True), "one by his address, one by his name"
    for since, count in ((HOUR, 1), (HOUR - timedelta(microseconds=1), 0)):
        Preferences.objects.filter(user=monck).update(reset_asked=NOW - since)
        assert sent("password", "Monck@club.example") == (count, True), since
    Preferences.objects.all().delete()
    with monkeypatch.context() as away:
        away.setattr(link_requests, "mail_server", lambda: None)
        made = LinkRequest.objects.create(kind="login", who="monck", asked=NOW)
        assert links_send(request_id=made.pk) == 0
        made.refresh_from_db()
        assert (made.done, made.retry_after, made.claim) == (None, NOW + MINUTE, None)
    clock.move_to(NOW + MINUTE)
    assert links_send(request_id=made.pk) == 1, "another try of the same request may go"


@pytest.mark.parametrize(("kind", "words"), [("login", "your login link"), ("password", "password")])
def test_the_email_is_of_the_kind_that_was_asked_for(kind: str, words: str, clock: Any) -> None:
    UserFactory(username="monck", email="monck@club.example")
    made = LinkRequest.objects.create(kind=kind, who="monck@club.example", asked=NOW)
    assert links_send(request_id=made.pk) == 1
    (email,) = mail.outbox
    assert words in email.subject
    assert ("button that logs you in" in email.body) is (kind == "login")
