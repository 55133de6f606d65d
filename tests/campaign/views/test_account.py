"""A person's own account: its page, and the change of address, which only the new address can confirm."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Letter, Notice, Preferences, UmpireAction
from campaign.services.umpire_log import act_log
from tests.campaign.views.test_permissions import CODE
from tests.support.factories import MembershipFactory, NoticeFactory, SideFactory, UserFactory
from tests.support.people import World

pytestmark = pytest.mark.one_database

NEW = "english@fleet.example"


@pytest.fixture(autouse=True)
def site(settings: Any) -> None:
    """Mails link to the test client's own site."""
    settings.SITE_URL = "http://testserver"


def ask(client: Client, address: str = NEW, password: str = "sea room") -> Any:
    """Ask for another address."""
    return client.post(reverse("account"), {"address": address, "password": password})


def link() -> str:
    """The address that the confirming mail leads to."""
    (found,) = {
        match[1]
        for sent in mail.outbox
        if (match := re.search(r"http://testserver(/me/address/\S+)", sent.body))
    }
    return found


def address_of(person: Any) -> str:
    """As the database has it."""
    person.refresh_from_db()
    return str(person.email)


def test_an_email_to_an_unconfirmed_address_carries_no_link_in_a_username(told: World) -> None:
    told.english.user.username = "www.evil.example-buy"
    told.english.user.save()
    assert ask(told.client("english")).status_code == 302
    (confirm,) = (sent for sent in mail.outbox if sent.to == [NEW])
    assert "evil.example" not in confirm.body and "www evil example-buy" in confirm.body


def test_the_page_names_the_account_and_its_campaigns(told: World) -> None:
    other = SideFactory(name="France")
    MembershipFactory(campaign=other.campaign, side=other, user=told.english.user)
    page = told.client("english").get(reverse("account")).content.decode()
    for said in (
        "english@club.example",
        "Tell-tale war",
        "Commander-in-chief, England",
        other.campaign.name,
        "Admiral, France",
    ):
        assert said in page
    assert Client().get(reverse("account")).url.startswith(reverse("login"))


def test_header_and_settings_link_to_it(told: World) -> None:
    client = told.client("english")
    for name in ("home", "wishes"):
        assert f'href="{reverse("account")}"' in client.get(reverse(name)).content.decode()


def test_a_new_address_takes_effect_when_its_own_email_is_confirmed(told: World) -> None:
    person, client = told.english.user, told.client("english")
    Preferences.objects.create(user=person, bounced=timezone.now(), why="550 no such user")
    waiting = NoticeFactory(campaign=told.campaign, recipient=person, address=person.email, status="failed")
    sent = NoticeFactory(campaign=told.campaign, recipient=person, address=person.email, status="sent")
    assert ask(client).url == reverse("account")
    assert [one.to for one in mail.outbox] == [[NEW], ["english@club.example"]]
    assert "umpire (umpire)" in mail.outbox[1].body and NEW not in mail.outbox[1].body
    assert address_of(person) == "english@club.example"
    page = client.get(link())
    assert page.status_code == 200 and NEW in page.content.decode()
    assert address_of(person) == "english@club.example", "opening it changes nothing"
    assert client.post(link()).url == reverse("account")
    assert address_of(person) == NEW
    assert not Preferences.objects.get(user=person).bounced
    waiting.refresh_from_db()
    sent.refresh_from_db()
    assert (waiting.address, sent.address) == (NEW, "english@club.example")
    assert mail.outbox[-1].to == ["english@club.example"] and "has changed" in mail.outbox[-1].subject
    used = client.post(link())
    assert used.status_code == 410 and "has been used" in used.content.decode()


def test_no_account_change_appears_in_public(told: World) -> None:
    client = told.client("english")
    before = UmpireAction.objects.count()
    ask(client)
    client.post(link())
    assert UmpireAction.objects.count() == before
    entry = LogEntry.objects.get()
    assert (entry.user, entry.change_message) == (told.english.user, "Changed the address.")
    assert not Notice.objects.exists(), "umpires read the outbox"


def test_a_wrong_password_changes_and_emails_nothing(told: World) -> None:
    answer = ask(told.client("english"), password="wrong")
    assert answer.status_code == 422 and "not your password" in answer.content.decode()
    assert not mail.outbox


def test_guessing_the_password_here_is_locked_like_the_login(told: World, settings: Any) -> None:
    client = told.client("english")
    settings.AXES_ENABLED, settings.AXES_FAILURE_LIMIT = True, 2
    assert [ask(client, password="wrong").status_code for _ in range(2)] == [422, 429]
    assert ask(client).status_code == 429
    assert not mail.outbox


def test_the_owner_of_an_address_already_in_use_is_notified_and_the_asker_is_not(told: World) -> None:
    client = told.client("english")
    free = ask(client).url, [str(one) for one in client.get(reverse("account")).context["messages"]]
    Preferences.objects.update(address_asked=None)
    mail.outbox.clear()
    taken = (
        ask(client, "Dutch@club.example").url,
        [str(one) for one in client.get(reverse("account")).context["messages"]],
    )
    assert (taken[0], [words.replace("Dutch@club.example", NEW) for words in taken[1]]) == free
    assert [one.to for one in mail.outbox] == [["Dutch@club.example"], ["english@club.example"]]
    assert "/me/address/" not in mail.outbox[0].body and "english" not in mail.outbox[0].body
    assert address_of(told.english.user) == "english@club.example"


def test_an_address_taken_in_the_meantime_is_not_shared(told: World) -> None:
    client = told.client("english")
    ask(client)
    UserFactory(email=NEW.upper())
    assert client.post(link()).status_code == 410
    assert address_of(told.english.user) == "english@club.example"


def test_only_the_account_that_asked_can_confirm_and_only_when_logged_in(told: World) -> None:
    ask(told.client("english"))
    dutch = told.client("dutch").post(link())
    assert dutch.status_code == 410 and "another account" in dutch.content.decode()
    assert NEW not in dutch.content.decode()
    assert Client().post(link()).url.startswith(reverse("login"))
    assert address_of(told.english.user) == "english@club.example"
    assert address_of(told.dutch.user) == "dutch@club.example"


@pytest.mark.parametrize("end", ["days", "password", "cut"])
def test_a_link_dies_with_time_and_with_a_new_password_and_must_be_complete(told: World, end: str) -> None:
    start = datetime(2026, 7, 1, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        ask(told.client("english"))
        path = link()
        if end == "days":
            clock.move_to(start + timedelta(days=2, seconds=1))
        if end == "password":
            told.english.user.set_password("de zeven provincien")
            told.english.user.save()
        path = path[:-4] if end == "cut" else path
        assert told.client("english").post(path).status_code == 410
    assert address_of(told.english.user) == "english@club.example"


def test_the_same_address_and_a_second_email_within_5_minutes_are_refused_in_words(told: World) -> None:
    client, start = told.client("english"), datetime(2026, 7, 1, tzinfo=UTC)
    with time_machine.travel(start, tick=False) as clock:
        assert "already use that address" in ask(client, "ENGLISH@club.example").content.decode()
        ask(client)
        for after, sent in ((timedelta(minutes=5) - timedelta.resolution, 2), (timedelta(minutes=5), 4)):
            clock.move_to(start + after)
            answer = ask(client, "other@fleet.example").content.decode()
            assert ("less than 5 minutes ago" in answer, len(mail.outbox)) == (sent == 2, sent)


def test_an_unavailable_mail_server_is_reported_in_a_sentence(told: World, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    answer = ask(told.client("english"))
    assert answer.status_code == 422 and "cannot reach the mail server" in answer.content.decode()


def test_an_address_refused_by_the_mail_server_is_reported_and_may_be_requested_again(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from smtplib import SMTPRecipientsRefused

    def refuse(self: Any, fail_silently: bool = False) -> int:
        raise SMTPRecipientsRefused({NEW: (550, b"no such user")})

    client = told.client("english")
    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.EmailMessage.send", refuse)
        assert f"does not accept {NEW}" in ask(client).content.decode()
    assert ask(client).status_code == 302


def test_an_account_without_a_password_is_shown_the_way_to_one(told: World) -> None:
    told.english.user.set_unusable_password()
    told.english.user.save()
    client = told.client("english")
    for name in ("account", "own_password"):
        page = client.get(reverse(name)).content.decode()
        assert (
            reverse("password_reset") in page
            and 'name="old_password"' not in page
            and 'name="address"' not in page
        )


@pytest.mark.clause("G.IN1")
def test_no_page_of_the_campaign_shows_the_email_address_of_one_member_to_another(told: World) -> None:
    for member in (told.english, told.umpire):  # as an invitation by address names an account
        member.user.username = member.user.email
        member.user.save()
    act_log(campaign=told.campaign, actor=told.umpire.user.username, action="ran the turn")
    Letter.objects.create(
        campaign=told.campaign, sender=told.english, recipient=told.dutch, text="Sir,", written=1, due=2,
        truce=True, fate="delivered", told=2,
    )  # fmt: skip
    for person in ("dutch", "observer"):
        client = told.client(person)
        for name in ("people", "log", "campaign", "mailbox", "news"):
            page = client.get(reverse(name, args=[CODE])).content.decode()
            assert "english@" not in page and "umpire@" not in page
    assert "From english" in told.client("dutch").get(reverse("news", args=[CODE])).content.decode()
