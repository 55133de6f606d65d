"""Who is in a campaign, invitations by link, and what the umpire does about people."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign.models import (
    Absence,
    Command,
    Invitation,
    Letter,
    Membership,
    Notice,
    Preferences,
    UmpireAction,
)
from campaign.services.people.people import chief_name, part_take_away
from campaign.services.roles import umpire_admit
from campaign.services.setup.invitations import InvitationRefused, invitation_accept, invitation_make
from campaign.services.umpire_log import UmpireRefused
from deploy.logs import HideTokens
from tests.support.answers import flawless
from tests.support.factories import MembershipFactory, NoticeFactory, UserFactory
from tests.support.people import DUTCH, ENGLISH, PEOPLE, World

pytestmark = pytest.mark.one_database

CODE = "telltale"
PAGE = f"/c/{CODE}/people/"
NEWCOMER = {
    "username": "rupert", "email": "rupert@club.example", "time_zone": "Europe/London",
    "password1": "royal james", "password2": "royal james",
}  # fmt: skip


@pytest.fixture(autouse=True)
def site(settings: Any) -> None:
    """Mails link to the test client's own site."""
    settings.SITE_URL = "http://testserver"


def act(told: World, name: str, person: str = "umpire", **more: Any) -> Any:
    """One of the buttons of the page."""
    return told.client(person).post(PAGE, {"act": name, **more})


def invite(told: World, **more: Any) -> str:
    """Make an invitation on the page. Returns the path of its link, which stands there or in its mail."""
    page = act(told, "invite", **{"part": "admiral:ENG", "days": "14", **more})
    shown = re.search(r'value="http://testserver(/join/[^"]+)"', page.content.decode())
    mailed = re.search(r"http://testserver(/join/\S+)", mail.outbox[-1].body) if more.get("address") else None
    assert (shown is None) == bool(more.get("address")), "a link that was mailed is shown to nobody else"
    found = shown or mailed
    assert found is not None and page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    return found[1]


def made(told: World, **more: Any) -> Invitation:
    """An invitation of the service."""
    offer = {"role": "admiral", "side": told.english.side, **more}
    return flawless(invitation_make, campaign=told.campaign, umpire=told.umpire.user, **offer)[0]


def latest(told: World) -> tuple[str, str]:
    """Act and reason of the umpire's log that came last."""
    entry = UmpireAction.objects.order_by("-pk")[0]
    return entry.action, entry.reason


# --- the page ----------------------------------------------------------------------------------------------


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("person", ["english", "dutch", "observer"])
def test_members_read_names_and_roles_and_nothing_else(told: World, person: str) -> None:
    told.dutch.user.username = (
        "ruyter@club.example"  # as an invitation at the start of a campaign names an account
    )
    told.dutch.user.save()
    made(told, whom="Prince Rupert")
    Invitation.objects.update(address="rupert@club.example")
    page = told.client(person).get(PAGE).content.decode()
    main = page.partition("<main")[2].partition("</main>")[0]
    for name in (
        "english",
        "ruyter",
        "umpire",
        "observer",
        "England",
        "Dutch Republic",
        "commander-in-chief",
    ):
        assert name in main
    for secret in ("@", "Rupert", "email working", "logged in", "<form", ENGLISH, DUTCH):
        assert secret not in main


def test_the_umpire_reads_emails_and_open_invitations_but_nothing_about_other_campaigns(
    told: World,
) -> None:
    Preferences.objects.create(user=told.dutch.user, bounced=timezone.now())
    get_user_model().objects.filter(pk=told.observer.user.pk).update(email="")
    made(told, whom="Prince Rupert")
    withdrawn, expired = made(told, whom="Spragge"), made(told, whom="Sandwich")
    Invitation.objects.filter(pk=withdrawn.pk).update(withdrawn=timezone.now())
    Invitation.objects.filter(pk=expired.pk).update(expires=timezone.now())
    page = told.client("umpire").get(PAGE).content.decode()
    for said in (
        "email working",
        "bouncing",
        "no email address",
        "joined",
        "Prince Rupert",
        "invited, not yet accepted",
        f"Fleet {ENGLISH}",
    ):
        assert said in page
    assert "logged in" not in page and "logs in as" not in page
    assert "Spragge" not in page and "Sandwich" not in page


@pytest.mark.parametrize("person", PEOPLE)
def test_every_action_is_only_for_the_umpire(told: World, person: str) -> None:
    client, models = told.client(person), (Membership, Command, Invitation, UmpireAction)
    before = [list(model.objects.values()) for model in models]
    for name in ("invite", "withdraw", "take", "chief", "hand", "automatic", "by_hand", "x"):
        fields = {"member": "0", "part": "admiral:XXX", "side": "XXX", "invitation": "0", "days": "3"}
        answer = client.post(PAGE, {"act": name, **fields})
        assert answer.status_code == {"umpire": 422, "anonymous": 302}.get(person, 404), name
        assert before == [list(model.objects.values()) for model in models], name


def test_the_page_takes_as_many_queries_for_many_people_as_for_few(told: World) -> None:
    client = told.client("umpire")
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    for n in range(12):
        MembershipFactory(side=told.english.side, user=UserFactory(username=f"captain{n}"))
        made(told)
    with CaptureQueriesContext(connection) as many:
        assert "captain11" in client.get(PAGE).content.decode()
    assert len(many) == len(few) <= 12


# --- invitations -------------------------------------------------------------------------------------------


def test_newcomers_create_an_account_and_join(told: World) -> None:
    told.english.commands.all().delete()
    path = invite(told, whom="Prince Rupert")
    client = Client()
    for _ in range(2):
        page = client.get(path)
        assert (
            page.status_code == 200
            and page["Referrer-Policy"] == "strict-origin"
            and "no-store" in page["Cache-Control"]
        )
    for said in (
        "Tell-tale war",
        "umpire invites you",
        "an admiral of England",
        "Log in to join",
        'value="UTC"',
    ):
        assert said in page.content.decode()
    done = client.post(path, NEWCOMER)
    assert done.url == reverse("campaign", args=[CODE])
    assert client.get(done.url).status_code == 200
    member = told.campaign.memberships.get(user__username="rupert")
    assert (member.role, member.side, member.chief) == ("admiral", told.english.side, False)
    assert Preferences.objects.get(user=member.user).time_zone == "Europe/London"
    assert not member.commands.exists(), "there is a commander in chief"
    assert latest(told) == ("joined the campaign", "an admiral of England, invited by umpire.")
    word = Notice.objects.get(kind="word", recipient=told.umpire.user)
    assert "rupert has joined" in word.subject and PAGE in word.text
    again = Client().get(path)
    assert again.status_code == 410 and "has already been accepted" in again.content.decode()


def test_an_address_that_was_only_typed_gets_no_emails_before_it_is_confirmed(told: World) -> None:
    client = Client()
    done = client.post(invite(told), NEWCOMER)
    user = get_user_model().objects.get(username="rupert")
    assert user.email == ""
    assert "We have emailed a link to rupert@club.example" in client.get(done.url).content.decode()
    assert not Notice.objects.filter(recipient=user).exists()
    (sent,) = mail.outbox
    assert sent.to == ["rupert@club.example"]
    found = re.search(r"http://testserver(/me/address/\S+)", sent.body)
    assert found is not None
    assert client.post(found[1]).status_code == 302
    user.refresh_from_db()
    assert user.email == "rupert@club.example"


def test_an_address_whose_email_was_read_is_valid_at_once_and_another_is_not(told: World) -> None:
    for typed, name, good in (("Rupert@club.example", "rupert", True), ("b@club.example", "other", False)):
        path = invite(told, address="rupert@club.example")
        assert Client().post(path, {**NEWCOMER, "username": name, "email": typed}).status_code == 302
        assert bool(get_user_model().objects.get(username=name).email) is good
        assert Notice.objects.filter(recipient__username=name, kind="turn_opened").exists() is good


def test_an_umpire_who_was_shown_the_link_of_a_failed_email_proves_no_address(
    told: World, settings: Any
) -> None:
    good = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = act(told, "invite", part="observer", days="3", address="rupert@club.example").content.decode()
    settings.EMAIL_BACKEND = good
    found = re.search(r'value="http://testserver(/join/[^"]+)"', page)
    assert found is not None and Client().post(found[1], NEWCOMER).status_code == 302
    assert get_user_model().objects.get(username="rupert").email == ""


def test_an_account_holder_logs_in_and_presses_a_button_in_a_second_campaign_too(told: World) -> None:
    path = invite(told, part="observer")
    assert f"{reverse('login')}?next={path}" in Client().get(path).content.decode()
    client = told.client("stranger")
    page = client.get(path).content.decode()
    assert "Accept and join as stranger" in page and 'name="password1"' not in page
    assert not told.campaign.memberships.filter(user=told.stranger).exists(), "opening it takes nothing"
    assert client.post(path).status_code == 302
    assert told.campaign.memberships.get(user=told.stranger).role == "observer"


def test_an_existing_member_is_informed_and_the_invitation_remains(told: World) -> None:
    path = invite(told, part="admiral:NLD")
    for how in ("get", "post"):
        answer = getattr(told.client("english"), how)(path)
        assert answer.status_code == 409
        assert "you are commander-in-chief of England" in answer.content.decode()
    assert Invitation.objects.get().accepted is None
    told.english.refresh_from_db()
    assert told.english.side.name == "England"


def test_a_bad_form_creates_no_account_and_no_membership(told: World) -> None:
    path = invite(told)
    bad = {"password2": "royal charles", "username": "me@club.example", "time_zone": "Mars/Olympus"}
    answer = Client().post(path, {**NEWCOMER, **bad})
    assert answer.status_code == 422
    for said in ("is not a valid username", "is not a time zone", "didn’t match"):
        assert said in answer.content.decode()
    assert not get_user_model().objects.filter(email="rupert@club.example").exists()
    assert Invitation.objects.get().accepted is None


def test_no_one_learns_that_an_address_has_an_account(told: World) -> None:
    known = act(told, "invite", part="observer", days="3", address="dutch@club.example").content.decode()
    strange = act(told, "invite", part="observer", days="3", address="nobody@club.example").content.decode()
    assert "emailed it to dutch@club.example" in known and "emailed it to nobody@club.example" in strange
    assert [one.to for one in mail.outbox] == [["dutch@club.example"], ["nobody@club.example"]]
    letters = {re.sub(r"/join/\S+", "", one.body) for one in mail.outbox}
    assert len(letters) == 1
    assert Client().post(invite(told), {**NEWCOMER, "email": "dutch@club.example"}).status_code == 302


@pytest.mark.clause("G.IN1")
def test_the_secret_of_a_login_link_is_not_saved_and_appears_on_no_later_page(told: World) -> None:
    path = invite(told, address="rupert@club.example")
    token = path.rpartition("/")[2]
    assert len(token) >= 32 and f"/join/{token}" in mail.outbox[0].body
    rows = [
        str(row)
        for model in (Invitation, Notice, UmpireAction)
        for row in model.objects.values()
    ]  # fmt: skip
    assert not any(token in row for row in rows)
    for person in ("umpire", "english", "dutch", "observer"):
        client = told.client(person)
        for name in ("people", "log", "mailbox"):
            assert token not in client.get(reverse(name, args=[CODE])).content.decode()


def test_neither_a_log_nor_the_record_of_attempts_holds_a_token(
    told: World, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    path = invite(told)
    settings.AXES_ENABLED = True
    token = path.rpartition("/")[2]
    caplog.handler.addFilter(HideTokens())
    wrong = {"username": "dutch", "password": "wrong", "next": path}
    assert Client().post(reverse("login"), wrong).status_code == 200
    assert Client().post(path, {**NEWCOMER, "username": "@"}).status_code == 422
    assert Client().post(path, NEWCOMER).status_code == 302
    assert Client().get(path).status_code == 410
    assert "Gone: /join/-" in caplog.text and token not in caplog.text
    rows = [str(row) for model in (AccessAttempt, AccessLog) for row in model.objects.values()]
    assert len(rows) == 2 and not any(token in row for row in rows)


@pytest.mark.parametrize("end", ["withdrawn", "expired", "closed"])
def test_an_invitation_that_is_over_says_so(told: World, end: str) -> None:
    start = datetime(2026, 7, 1, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        path = invite(told, days="3")
        if end == "withdrawn":
            assert act(told, "withdraw", invitation=str(Invitation.objects.get().pk)).status_code == 302
            assert latest(told) == ("withdrew an invitation", "to be an admiral of England")
        if end == "closed":
            type(told.campaign).objects.update(status="closed")
        clock.move_to(start + timedelta(days=3 if end == "expired" else 2))
        for how in ("get", "post"):
            answer = getattr(Client(), how)(path, NEWCOMER)
            assert answer.status_code == 410
    assert not get_user_model().objects.filter(username="rupert").exists()


def test_an_unknown_link_is_not_found(db: Any) -> None:
    assert Client().get(reverse("join", args=["x" * 32])).status_code == 404


def test_two_simultaneous_uses_of_an_invitation_count_as_one(told: World) -> None:
    invitation = made(told)
    stale = Invitation.objects.get(pk=invitation.pk)
    invitation_accept(invitation=invitation, user=told.stranger)
    with pytest.raises(InvitationRefused, match="has already been accepted"):
        invitation_accept(invitation=stale, user=UserFactory())
    assert told.english.side.memberships.count() == 2


def test_joining_needs_the_pages_own_form(told: World) -> None:
    path = invite(told)
    assert Client(enforce_csrf_checks=True).post(path, NEWCOMER).status_code == 403


def test_an_email_that_cannot_be_sent_leaves_the_link_to_be_copied(told: World, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = act(told, "invite", part="observer", days="3", address="a@club.example").content.decode()
    assert "We could not email it to a@club.example" in page and "/join/" in page
    assert Invitation.objects.get().mailed is None


@pytest.mark.clause("G.IN4")
def test_the_first_player_of_a_side_takes_it_from_the_automatic_admiral(told: World) -> None:
    side = told.english.side
    told.english.delete()
    type(side).objects.filter(pk=side.pk).update(automatic=True)
    member = invitation_accept(invitation=made(told, chief=True), user=told.stranger)
    side.refresh_from_db()
    assert member.chief and not side.automatic
    assert [row.fleet for row in member.commands.all()] == [told.english_fleet]
    assert "automatic admiral has handed over the side" in latest(told)[1]


def test_there_is_one_commander_in_chief_whoever_was_invited(told: World) -> None:
    assert (
        "has a commander-in-chief"
        in act(told, "invite", part="admiral:ENG", chief="on", days="3").content.decode()
    )
    Membership.objects.filter(pk=told.english.pk).update(chief=False)
    two = [made(told, chief=True), made(told, chief=True)]
    found = [invitation_accept(invitation=one, user=UserFactory()).chief for one in two]
    assert found == [True, False]


def test_an_umpire_who_joins_gets_access_to_the_admin(told: World) -> None:
    invitation_accept(invitation=made(told, role="umpire", side=None), user=told.stranger)
    told.stranger.refresh_from_db()
    assert told.stranger.is_staff


@pytest.mark.parametrize(
    "offer",
    [
        {"role": "admiral", "side": None},
        {"role": "umpire"},
        {"role": "king", "side": None},
        {"days": 0},
        {"days": 61},
    ],
    ids=str,
)
def test_an_invitation_without_a_role_is_refused(told: World, offer: dict[str, Any]) -> None:
    with pytest.raises(UmpireRefused):
        made(told, **offer)
    assert not Invitation.objects.exists()


@pytest.mark.clause("G.IN1")
def test_before_someone_accepts_the_umpire_learns_nothing_of_an_account(told: World) -> None:
    known = UserFactory(
        username="Ruperts-secret-name", email="rupert@club.example", last_login=timezone.now()
    )
    act(told, "invite", part="admiral:ENG", days="3", address="rupert@club.example")
    act(told, "invite", part="admiral:ENG", days="3", address="nobody@club.example")
    client = told.client("umpire")
    page = client.get(PAGE).content.decode()
    assert page.count("invited, not yet accepted") == 2
    for name in ("people", "log", "mailbox", "desk", "campaign"):
        assert known.username not in client.get(reverse(name, args=[CODE])).content.decode()
    rows = [
        " ".join(row.partition("</li>")[0].split()) for row in page.split("<li>") if "not yet accepted" in row
    ]
    shapes = {re.sub(r"rupert@|nobody@|\d+|value=\"\w+\"", "-", row) for row in rows}
    assert len(shapes) == 2, (
        "one shape on the side's card, one in the list of invitations, whoever is invited"
    )
    for person in ("english", "dutch", "observer"):
        shown = told.client(person).get(PAGE).content.decode()
        assert "rupert@" not in shown and "not yet accepted" not in shown


def test_an_invitation_can_be_declined_without_an_account(told: World) -> None:
    path = invite(told, address="rupert@club.example")
    client = Client()
    assert "Decline invitation" in client.get(path).content.decode()
    done = client.post(path, {"act": "decline"})
    assert done.status_code == 200 and "Invitation declined" in done.content.decode()
    assert client.post(path, NEWCOMER).status_code == 410
    assert not get_user_model().objects.filter(username="rupert").exists()
    assert Notice.objects.get(recipient=told.umpire.user).subject.endswith("an invitation has been declined")
    assert "rupert@" not in told.client("umpire").get(PAGE).content.decode().partition("<main")[2]
    assert Client(enforce_csrf_checks=True).post(invite(told), {"act": "decline"}).status_code == 403


def test_an_existing_member_may_decline_for_another(told: World) -> None:
    path = invite(told)
    assert told.client("english").post(path, {"act": "decline"}).status_code == 200
    assert told.campaign.memberships.filter(pk=told.english.pk).exists()


def test_an_invitation_is_resent_from_the_page_no_sooner_than_a_day_later(told: World) -> None:
    with time_machine.travel(datetime(2026, 7, 1, tzinfo=UTC), tick=False) as clock:
        old = invite(told, address="rupert@club.example")
        pk = str(Invitation.objects.get().pk)
        early = act(told, "again", invitation=pk)
        assert early.status_code == 422 and "less than a day ago" in early.content.decode()
        clock.shift(timedelta(days=1, seconds=1))
        page = act(told, "again", invitation=pk)
        assert page.status_code == 200 and "emailed it to rupert@club.example" in page.content.decode()
        assert len(mail.outbox) == 2 and latest(told)[0] == "sent an invitation again"
        assert Client().get(old).status_code == 404
        found = re.search(r"/join/[\w-]+", mail.outbox[1].body)
        assert found is not None and Client().get(found[0]).status_code == 200


def test_the_page_gives_the_limit_on_emailed_invitations(told: World, settings: Any) -> None:
    settings.INVITATIONS_PER_DAY = 0
    page = act(told, "invite", part="observer", days="3", address="rupert@club.example")
    assert page.status_code == 422 and "send the link yourself" in page.content.decode()
    assert not Invitation.objects.exists() and mail.outbox == []
    invite(told)


# --- leaving -----------------------------------------------------------------------------------------------

LEAVE = f"/c/{CODE}/leave/"


@pytest.mark.clause("G.IN4")
def test_a_member_leaves_and_the_umpire_learns_what_to_do(told: World) -> None:
    client = told.client("english")
    assert LEAVE in client.get(PAGE).content.decode()
    assert LEAVE in client.get(reverse("account")).content.decode()
    assert "Leave Tell-tale war" in client.get(LEAVE).content.decode()
    assert told.campaign.memberships.count() == 4, "opening the page leaves nothing"
    waiting = NoticeFactory(campaign=told.campaign, recipient=told.english.user, status="waiting")
    done = client.post(LEAVE, {"reason": "A house full of children."})
    assert done.url == reverse("home")
    assert "You have left Tell-tale war." in client.get(done.url).content.decode()
    for address in (PAGE, LEAVE, reverse("campaign", args=[CODE])):
        assert client.get(address).status_code == 404
    waiting.refresh_from_db()
    assert waiting.void == "has left"
    assert not Command.objects.filter(fleet=told.english_fleet).exists()
    row = Membership.every.get(pk=told.english.pk)
    assert row.left is not None and not row.chief
    assert latest(told) == (
        "left the campaign",
        "english, commander-in-chief of England: A house full of children.",
    )
    word = Notice.objects.get(recipient=told.umpire.user)
    assert "england has no player now" in word.text.lower() and "A house full of children." in word.text
    assert mail.outbox == [], "who leaves needs no mail about it"


def test_leaving_needs_no_reason_and_a_chief_leaves_a_side_without_one(told: World) -> None:
    heir = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))
    assert told.client("english").post(LEAVE).status_code == 302
    assert latest(told) == ("left the campaign", "english, commander-in-chief of England.")
    assert "England has no commander-in-chief now" in Notice.objects.get(recipient=told.umpire.user).text
    assert heir.side.memberships.get() == heir
    assert told.client("observer").post(LEAVE).status_code == 302
    assert told.campaign.memberships.count() == 3


def test_the_last_umpire_cannot_leave_and_learns_how_to(told: World) -> None:
    client = told.client("umpire")
    page = client.get(LEAVE).content.decode()
    assert (
        "Invite another umpire" in page
        and f"{PAGE}#invite" in page
        and "<button" not in (page.partition("<main")[2].partition("</main>")[0])
    )
    assert client.post(LEAVE).status_code == 422
    assert told.campaign.memberships.filter(role="umpire").count() == 1
    second = invitation_accept(invitation=made(told, role="umpire", side=None), user=told.stranger)
    assert client.post(LEAVE).status_code == 302
    assert told.campaign.memberships.get(role="umpire") == second
    assert "umpire has left" in Notice.objects.filter(recipient=told.stranger).latest("pk").subject
    assert told.client("stranger").post(LEAVE).status_code == 422


def test_leaving_needs_the_pages_own_form_and_a_role(told: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(told.english.user)
    assert client.post(LEAVE).status_code == 403
    assert told.client("stranger").post(LEAVE).status_code == 404
    assert Client().post(LEAVE).url.startswith(reverse("login"))
    assert told.campaign.memberships.count() == 4


# --- parts, chiefs, fleets ---------------------------------------------------------------------------------


@pytest.mark.clause("G.IN4", "G.UM1")
def test_a_removed_member_loses_access_and_the_fleets_fall_to_the_commander_in_chief(told: World) -> None:
    leaver = MembershipFactory(side=told.english.side, user=UserFactory(username="sandwich"))
    Command.objects.update_or_create(fleet=told.english_fleet, defaults={"membership": leaver})
    letter = Letter.objects.create(
        campaign=told.campaign, sender=leaver, recipient=told.english, text="Sir,", written=1
    )
    waiting = NoticeFactory(campaign=told.campaign, recipient=leaver.user, status="digest")
    client = Client()
    client.force_login(leaver.user)
    assert client.get(PAGE).status_code == 200
    assert act(told, "take", member=str(leaver.pk), reason="he has moved away").status_code == 302
    assert client.get(PAGE).status_code == 404
    assert Command.objects.get(fleet=told.english_fleet).membership == told.english
    waiting.refresh_from_db()
    letter.refresh_from_db()
    assert waiting.void == "has left"
    assert letter.sender.user.username == "sandwich", "what he wrote stays"
    assert latest(told) == (
        "removed someone from the campaign",
        "sandwich, an admiral of England: he has moved away",
    )
    assert mail.outbox[0].to == ["sandwich@club.example"] and "he has moved away" in mail.outbox[0].body
    assert told.campaign.memberships.filter(user=leaver.user).count() == 0
    back = invitation_accept(invitation=made(told, role="observer", side=None), user=leaver.user)
    assert back.pk != leaver.pk


def test_a_person_who_leaves_is_no_longer_a_stand_in_and_no_longer_needs_one(told: World) -> None:
    leaver = MembershipFactory(side=told.english.side, user=UserFactory(username="sandwich"))
    days = {"first": date(2026, 7, 1), "last": date(2026, 7, 9), "by": "x"}
    own = Absence.objects.create(membership=leaver, stand_in=told.english, **days)
    other = Absence.objects.create(membership=told.english, stand_in=leaver, **days)
    act(told, "take", member=str(leaver.pk), reason="gone")
    own.refresh_from_db()
    other.refresh_from_db()
    assert own.ended is not None and (other.stand_in, other.ended) == (None, None)


def test_a_commander_in_chiefs_fleets_fall_to_no_one_and_the_successor_takes_them(told: World) -> None:
    heir = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))
    act(told, "take", member=str(told.english.pk), reason="gone")
    assert not Command.objects.filter(fleet=told.english_fleet).exists()
    assert "This side has no commander-in-chief" in told.client("umpire").get(PAGE).content.decode()
    assert act(told, "chief", member=str(heir.pk)).status_code == 302
    heir.refresh_from_db()
    assert heir.chief and Command.objects.get(fleet=told.english_fleet).membership == heir
    assert latest(told) == ("named a commander-in-chief", "rupert for England")
    assert set(Notice.objects.filter(kind="word").values_list("recipient__username", flat=True)) == {"rupert"}


def test_a_new_chief_replaces_the_old_one(told: World) -> None:
    heir = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))
    chief_name(campaign=told.campaign, umpire=told.umpire.user, member=heir.pk)
    chiefs = told.english.side.memberships.filter(chief=True)
    assert [row.user.username for row in chiefs] == ["rupert"]
    for member in (heir.pk, told.observer.pk, 0):
        with pytest.raises(UmpireRefused):
            chief_name(campaign=told.campaign, umpire=told.umpire.user, member=member)


def test_a_reason_is_required_and_the_last_umpire_stays(told: World) -> None:
    no_reason = act(told, "take", member=str(told.dutch.pk), reason=" ")
    assert no_reason.status_code == 422 and "Enter a reason" in no_reason.content.decode()
    last = act(told, "take", member=str(told.umpire.pk), reason="tired")
    assert last.status_code == 422 and "needs an umpire" in last.content.decode()
    assert told.campaign.memberships.count() == 4


def test_an_umpire_who_leaves_their_last_campaign_leaves_the_admin(told: World) -> None:
    second = MembershipFactory(
        campaign=told.campaign, side=None, role="umpire", user=UserFactory(username="second")
    )
    umpire_admit(user=second.user)
    part_take_away(campaign=told.campaign, umpire=told.umpire.user, member=second.pk, reason="tired")
    second.user.refresh_from_db()
    assert act(told, "take", member=str(told.umpire.pk), reason="too").status_code == 422
    assert not second.user.is_staff and not second.user.groups.exists()


def test_umpires_who_remove_themselves_return_to_the_home_page(told: World) -> None:
    MembershipFactory(campaign=told.campaign, side=None, role="umpire", user=UserFactory(username="second"))
    assert act(told, "take", member=str(told.umpire.pk), reason="tired").url == reverse("home")


@pytest.mark.clause("G.IN4", "G.IN1")
def test_fleets_are_assigned_to_admirals_of_their_own_side_and_the_log_names_none(told: World) -> None:
    rupert = MembershipFactory(side=told.english.side, user=UserFactory(username="rupert"))
    field = f"fleet_{ENGLISH}-f"
    assert act(told, "hand", side="ENG", **{field: str(rupert.pk)}).status_code == 302
    assert Command.objects.get(fleet=told.english_fleet).membership == rupert
    assert latest(told) == ("assigned a fleet", "one of England to rupert")
    entries = UmpireAction.objects.count()
    act(told, "hand", side="ENG", **{field: str(rupert.pk)})
    assert UmpireAction.objects.count() == entries, "nothing was changed"
    for side, name, member in (
        ("ENG", field, told.dutch),
        ("NLD", field, told.dutch),
        ("XXX", field, rupert),
    ):
        assert act(told, "hand", side=side, **{name: str(member.pk)}).status_code == 422
    act(told, "hand", side="ENG", **{field: "0"})
    assert not Command.objects.filter(fleet=told.english_fleet).exists()


def test_a_side_goes_to_the_automatic_admiral_and_back_with_a_reason(told: World) -> None:
    side = told.english.side
    for name, on in (("automatic", True), ("by_hand", False)):
        assert act(told, name, side="ENG").status_code == 422
        assert act(told, name, side="ENG", reason="no player").status_code == 302
        side.refresh_from_db()
        assert side.automatic is on
        assert act(told, name, side="ENG", reason="again").status_code == 422
