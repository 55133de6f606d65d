"""Campaign settings, emails, the umpire's log and fair dice, as each person sees them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from campaign.models import Campaign, Notice, SetAsideMail, Turn, UmpireAction
from tests.support.factories import NoticeFactory
from tests.support.people import DUTCH, ENGLISH, PEOPLE, World
from tests.support.put_back import put_back

pytestmark = pytest.mark.one_database

CODE = "telltale"


@pytest.fixture
def mail(told: World) -> dict[str, Notice]:
    """A notice to each admiral that names what only his side may know."""
    return {
        name: NoticeFactory(
            campaign=told.campaign,
            recipient=getattr(told, name).user,
            subject=f"Turn 1: Fleet {tale} has sailed",
            text=f"Fleet {tale} lies at the Nore. See http://testserver/c/telltale/",
        )
        for name, tale in (("english", ENGLISH), ("dutch", DUTCH))
    }


def _page(client: Client, name: str, *args: Any) -> str:
    response = client.get(reverse(name, args=[CODE, *args]))
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.clause("G.IN1")
def test_admirals_find_their_own_emails_and_no_one_elses(told: World, mail: dict[str, Notice]) -> None:
    page = _page(told.client("english"), "mailbox")

    assert mail["english"].subject in page
    assert DUTCH not in page
    assert "Everyone's emails" not in page and "Send again" not in page


@pytest.mark.clause("G.IN1")
def test_only_its_recipient_and_the_umpire_read_a_notice(told: World, mail: dict[str, Notice]) -> None:
    address = reverse("notice", args=[CODE, mail["english"].pk])

    status = {person: told.client(person).get(address).status_code for person in PEOPLE}

    assert status == {
        "umpire": 200, "english": 200, "dutch": 404, "observer": 404, "stranger": 404, "anonymous": 302,
    }  # fmt: skip


def test_a_notice_shows_its_text_with_links_that_can_be_followed(
    told: World, mail: dict[str, Notice]
) -> None:
    page = _page(told.client("english"), "notice", mail["english"].pk)

    assert f"Fleet {ENGLISH} lies at the Nore." in page
    assert '<a href="http://testserver/c/telltale/" rel="nofollow">' in page


def test_a_notice_of_another_campaign_is_not_found_in_this_one(told: World) -> None:
    elsewhere = NoticeFactory(recipient=told.english.user)

    for person in ("english", "umpire"):
        assert told.client(person).get(reverse("notice", args=[CODE, elsewhere.pk])).status_code == 404


def test_the_umpire_sees_the_state_of_every_email(told: World, mail: dict[str, Notice]) -> None:
    Notice.objects.filter(pk=mail["dutch"].pk).update(
        status="failed", attempts=7, error="SMTPError: <no such box>"
    )

    page = _page(told.client("umpire"), "mailbox")

    assert mail["english"].subject in page and mail["dutch"].subject in page
    assert "We could not deliver 1 email and have stopped trying." in page
    assert "SMTPError: &lt;no such box&gt;" in page and "7 attempts" in page


def test_only_the_umpire_can_resend_an_email(told: World, mail: dict[str, Notice]) -> None:
    Notice.objects.update(status="failed")
    address = reverse("resend", args=[CODE, mail["english"].pk])

    for person in PEOPLE:
        with put_back():
            response = told.client(person).post(address)
            waiting = Notice.objects.filter(status="waiting").count()

        assert response.status_code == (302 if person in ("umpire", "anonymous") else 404), person
        assert waiting == (1 if person == "umpire" else 0), person


def test_resending_cannot_be_opened_as_a_page(told: World, mail: dict[str, Notice]) -> None:
    address = reverse("resend", args=[CODE, mail["english"].pk])

    assert told.client("umpire").get(address).status_code == 405


def test_an_email_that_is_being_sent_is_left_alone(told: World, mail: dict[str, Notice]) -> None:
    Notice.objects.filter(pk=mail["english"].pk).update(status="sending")

    address = reverse("resend", args=[CODE, mail["english"].pk])
    page = told.client("umpire").post(address, follow=True).content.decode()

    assert "is being sent now" in page
    assert not UmpireAction.objects.filter(action="sent an email again").exists()


def test_the_email_page_takes_the_same_queries_for_many_emails(
    told: World, django_assert_num_queries: Any
) -> None:
    address = reverse("mailbox", args=[CODE])
    for person, number in (("umpire", 12), ("english", 13), ("observer", 5)):
        with put_back():
            reader, client = getattr(told, person).user, told.client(person)
            NoticeFactory.create_batch(2, campaign=told.campaign, recipient=reader)
            client.get(address)  # reads the theatre, once a process
            with django_assert_num_queries(number):
                client.get(address)
            NoticeFactory.create_batch(9, campaign=told.campaign, recipient=reader)
            for digest in "abc":
                SetAsideMail.objects.create(
                    digest=digest, name=digest, reason="too long", membership=told.english
                )

            with django_assert_num_queries(number):
                client.get(address)


def test_a_reader_without_an_address_learns_why_they_get_no_emails(told: World) -> None:
    told.english.user.email = ""
    told.english.user.save()

    assert "no email address" in _page(told.client("english"), "mailbox")


def test_a_long_outbox_is_read_page_by_page(told: World) -> None:
    NoticeFactory.create_batch(60, campaign=told.campaign, recipient=told.dutch.user)

    client = told.client("umpire")

    assert "page 1 of 2" in _page(client, "mailbox")
    assert b"page 2 of 2" in client.get(reverse("mailbox", args=[CODE]), {"all": 2}).content


@pytest.mark.clause("G.UM1")
def test_the_log_tells_everyone_what_the_umpire_did(told: World) -> None:
    for person in ("english", "dutch", "observer", "umpire"):
        page = _page(told.client(person), "log")
        assert "ran the turn" in page and "both sides ready" in page


def test_campaign_settings_mark_what_the_umpire_changed(told: World) -> None:
    told.campaign.settings = {"see_haze": 4}
    told.campaign.save()

    page = _page(told.client("observer"), "rules_in_force")

    assert page.count(">changed</span>") == page.count(">1 changed</span>") == 1
    row = page[page.index("Miles seen in haze") :]
    assert row.index('<b class="num">4</b>') < row.index("</li>")
    assert 'rules/campaign#G.WX4"' in page and 'rules/kohler"' in page


@pytest.mark.clause("G.FA1")
def test_secrets_are_shown_only_for_closed_turns_after_a_delay(told: World) -> None:
    clients = [told.client(person) for person in ("umpire", "english", "dutch", "observer")]
    for client in clients:
        sealed = _page(client, "fairness")
        assert told.closed.chart_secret not in sealed and told.closed.battle_secret not in sealed
        assert "sealed until turn 11 closes" in sealed and "when 10 later turns have closed" in sealed
        assert told.closed.chart_hash in sealed and told.closed.state_hash in sealed
    Campaign.objects.update(settings={"secrets_after": 0})

    for client in clients:
        page = _page(client, "fairness")

        assert told.closed.chart_secret in page and told.closed.battle_secret in page
        assert told.closed.state_hash in page
        assert told.turn.chart_hash in page
        assert told.turn.chart_secret not in page and told.turn.battle_secret not in page


@pytest.mark.clause("G.FA1")
def test_a_turn_in_any_other_phase_keeps_its_secrets(told: World) -> None:
    told.turn.delete()  # one turn at most is not closed
    Campaign.objects.update(settings={"secrets_after": 0}, status="closed")
    client = told.client("umpire")
    assert told.closed.chart_secret in _page(client, "fairness")

    for phase in Turn.Phase.values:
        if phase == "closed":
            continue
        Turn.objects.filter(pk=told.closed.pk).update(phase=phase)

        page = _page(client, "fairness")

        assert told.closed.chart_secret not in page and told.closed.battle_secret not in page, phase
        assert told.closed.state_hash not in page, phase


@pytest.mark.clause("G.FA1")
def test_the_dice_of_a_battle_are_made_public_only_when_no_battle_of_the_turn_remains_to_be_fought(
    told: World,
) -> None:
    Campaign.objects.update(settings={"secrets_after": 0})
    battle = told.closed.contacts.get(code="b01").battle
    battle.seed, battle.seed_hash = "d5" * 32, "a7" * 32
    battle.save()
    english, dutch, umpire = (told.client(person) for person in ("english", "dutch", "umpire"))

    assert battle.seed in _page(english, "fairness")
    for held in ("fought", "ready", "fighting", "failed"):
        Battle.objects.filter(pk=battle.pk).update(status=held)
        for client in (english, dutch, umpire):
            page = _page(client, "fairness")
            assert battle.seed not in page and told.closed.battle_secret not in page, held
            assert (
                told.closed.chart_secret in page
                and "until the result of every battle of the turn has been applied" in page
            )
            assert client is not english or battle.seed_hash in page, held


@pytest.mark.clause("G.IN1", "G.FA1")
def test_the_dice_of_a_battle_between_others_are_not_mentioned(told: World) -> None:
    assert DUTCH not in _page(told.client("english"), "fairness")
    assert DUTCH not in _page(told.client("observer"), "fairness")
    assert DUTCH in _page(told.client("dutch"), "fairness")


def test_a_demo_says_that_it_is_not_a_fair_game(told: World) -> None:
    assert "Its dice are not secret" not in _page(told.client("english"), "fairness")
    told.campaign.demo_seed = "known"
    told.campaign.save()

    assert "Its dice are not secret" in _page(told.client("english"), "fairness")


@pytest.mark.clause("G.IN1")
def test_no_page_reveals_anything_about_the_other_side(told: World, mail: dict[str, Notice]) -> None:
    for person, tale in (("english", DUTCH), ("dutch", ENGLISH), ("observer", DUTCH)):
        client = told.client(person)
        for name in ("rules_in_force", "mailbox", "log", "fairness"):
            assert tale not in _page(client, name), (person, name)
