"""Replies at their limits: how many emails and fleets, which of two emails is the newer, and which emails without a token are answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from campaign.models import Campaign, Membership, Notice, Order, ReceivedMail, SetAsideMail, Station, Turn
from campaign.services.mail.replies import Outcome, mail_set_aside, mail_take
from campaign.services.mail.reply_forms import reply_form, token_for, token_good
from fleets.models import Fleet
from tests.support.answers import flawless
from tests.support.factories import (
    FleetFactory,
    MembershipFactory,
    ReceivedMailFactory,
    SideFactory,
    UserFactory,
)
from tests.support.people import ENGLISH, World, world
from tests.support.put_back import put_back

pytestmark = pytest.mark.one_database

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
FLEET = f"Fleet {ENGLISH}"


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """A campaign that takes orders by mail; the orders that stand are a day old."""
    settings.REPLY_TO = "orders@club.example"
    with time_machine.travel(NOW, tick=False):
        made = world()
        Order.objects.update(given=NOW - timedelta(days=1))
        made.english = Membership.objects.select_related("user", "campaign", "side").get(pk=made.english.pk)
        yield made


def send(
    told: World, text: str, *, sent: datetime | None = NOW, number: int = 1, key: str | None = None,
    sender: str = "english@club.example",
) -> Outcome:  # fmt: skip
    mail = EmailMessage()
    mail["From"], mail["Message-ID"], mail["Subject"] = sender, f"<{number}@club.example>", "Re: turn 2"
    if sent is not None:
        mail["Date"] = format_datetime(sent)
    token = token_for(turn_id=told.turn.pk, membership_id=told.english.pk) if key is None else key
    mail.set_content(f"{text}\n\nOn Monday, 23 Nov, Weather Gage wrote:\n> Reply token: {token}\n")
    return flawless(mail_take, raw=mail.as_bytes())


def stance(told: World) -> str:
    return str(told.turn.orders.get(fleet=told.english_fleet).stance)


@pytest.mark.clause("G.MV2")
def test_the_email_written_later_counts_and_so_does_one_of_the_same_second(
    told: World,
) -> None:
    assert send(told, "Stance: avoid", sent=NOW - 10 * SECOND) is Outcome.TAKEN
    for n, (ago, taken) in enumerate(((11, False), (10, True), (9, True))):
        with put_back():
            outcome = send(told, "Stance: hold", sent=NOW - ago * SECOND, number=n + 2)
            assert (outcome is Outcome.TAKEN, stance(told)) == (taken, "hold" if taken else "avoid"), ago
    ReceivedMail.objects.update(taken=0)
    assert send(told, "Stance: hold", sent=NOW - 11 * SECOND, number=9) is Outcome.TAKEN, (
        "no orders of the other were taken"
    )


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize("sent", [None, NOW + timedelta(days=2), NOW])
def test_an_email_without_a_date_or_with_a_future_one_counts_as_now(
    told: World, sent: datetime | None
) -> None:
    assert send(told, "Stance: avoid", sent=sent) is Outcome.TAKEN
    row = ReceivedMail.objects.get()
    assert (row.sent, row.taken) == (NOW, 1)


@pytest.mark.parametrize(("before", "ignored"), [(48, False), (49, False), (50, True), (51, True)])
def test_50_emails_from_a_player_are_answered_in_a_day(told: World, before: int, ignored: bool) -> None:
    old = {
        "turn": told.turn,
        "membership": told.english,
        "sent": NOW - timedelta(days=3),
        "taken": 0,
    }
    ReceivedMail.objects.bulk_create(
        ReceivedMailFactory.build(**old, message_id=f"<old{n}>") for n in range(before)
    )
    ReceivedMail.objects.update(received=NOW - timedelta(hours=23))
    assert send(told, "Stance: avoid") is (Outcome.IGNORED if ignored else Outcome.TAKEN)
    ReceivedMail.objects.update(received=NOW - timedelta(days=1))
    assert send(told, "Stance: avoid", number=2) is Outcome.TAKEN


def test_an_email_covers_up_to_60_fleets(told: World) -> None:
    navy = told.english_fleet.navy
    Fleet.objects.bulk_create(
        FleetFactory.build(navy=navy, code=f"zz{n:02}", name=f"Division {n:02}") for n in range(61)
    )
    Station.objects.bulk_create(
        Station(fleet=fleet, at="nore") for fleet in Fleet.objects.filter(code__startswith="zz")
    )
    send(told, "\n".join(f"Fleet: zz{n:02}\nRoute: Nowhereatall" for n in range(61)))
    answer = Notice.objects.get(kind="orders_taken").text
    assert "Division 59: REFUSED" in answer and "Division 60: REFUSED" not in answer


def test_500_emails_set_aside_are_remembered(db: Any) -> None:
    SetAsideMail.objects.bulk_create(SetAsideMail(digest=f"{n}", name=f"{n}", at=NOW) for n in range(499))
    for n, count in ((1, 500), (2, 500)):
        mail_set_aside(raw=b"%d" % n, name="n" * 300, reason="x" * 300)
        assert SetAsideMail.objects.count() == count
    newest = SetAsideMail.objects.latest("pk")
    assert (len(newest.name), len(newest.reason)) == (255, 200)


def test_only_an_identifiable_player_is_informed_that_their_email_has_no_token(told: World) -> None:
    def unread(sender: str = "english@club.example") -> Outcome:
        with put_back():
            outcome = send(told, "Stance: avoid", key="", sender=sender)
            (notice,) = Notice.objects.filter(kind="orders_taken") or (None,)
            assert (notice is not None) is (outcome is Outcome.REFUSED)
            assert notice is None or (
                "no valid reply token" in notice.text and "ORDERS BY REPLY" not in notice.text
            )
        return outcome

    assert unread() is unread("English@Club.example") is Outcome.REFUSED
    other = SideFactory(nation="France")
    MembershipFactory(side=other, user=told.english.user)
    assert unread() is Outcome.REFUSED, "one player in two campaigns"
    MembershipFactory(side=told.dutch.side, user=UserFactory(email="ENGLISH@club.example"))
    assert unread() is Outcome.IGNORED, "two players have that address"
    Campaign.objects.update(status="paused")
    assert unread("dutch@club.example") is Outcome.IGNORED
    Campaign.objects.update(status="active")
    type(told.dutch.user).objects.filter(pk=told.dutch.user.pk).update(is_active=False)
    assert unread("dutch@club.example") is Outcome.IGNORED


def test_a_player_of_two_campaigns_is_answered_once_for_the_last_by_name(told: World) -> None:
    MembershipFactory(side=SideFactory(nation="France"), user=told.english.user)
    assert send(told, "Stance: avoid", key="") is Outcome.REFUSED
    assert [row.campaign for row in Notice.objects.filter(kind="orders_taken")] == [told.campaign]


@pytest.mark.clause("G.CL1", "G.UM3")
def test_an_email_for_a_finished_or_rolled_back_turn_changes_nothing(told: World) -> None:
    for n, (change, said, form) in enumerate((
        ({"phase": "running"}, "gives orders for turn 2, which has closed", False),
        ({"void": "rollback 1"}, "Turn 2 has been rolled back", False),
    )):  # fmt: skip
        with put_back():
            Turn.every.filter(pk=told.turn.pk).update(**change)
            assert send(told, "Stance: avoid", number=n + 5) is Outcome.REFUSED
            answer = Notice.objects.get(kind="orders_taken").text
            assert said in answer and ("ORDERS BY REPLY" in answer) is form
            assert Order.objects.get(fleet=told.english_fleet).stance == "seek"
    assert send(told, "Good morning") is Outcome.REFUSED
    answer = Notice.objects.get(kind="orders_taken").text
    assert "We found no orders" in answer and "Reply token" in answer


@pytest.mark.clause("G.MV2")
def test_an_order_form_is_offered_for_an_open_turn_where_replies_are_read(told: World, settings: Any) -> None:
    def lines(**who: Any) -> Any:
        form = reply_form(**{"turn": told.turn, "membership": told.english, **who})
        return form and dict(form["fleets"][0]["lines"])

    rows = lines()
    assert list(rows)[:3] == ["Route", "Stance", "On arrival"] and rows["Stance"] == "Seek"
    assert len(rows) == 9 and "Keep company with" not in rows
    assert lines(turn=None) is lines(turn=told.closed) is lines(membership=told.umpire) is None
    other = FleetFactory(navy=told.english_fleet.navy, code="zj2", name="Scouts")
    Station.objects.create(fleet=other, at="swin")
    told.turn.orders.filter(fleet=told.english_fleet).update(on_arrival="escort", target="zj2", route=[])
    form = reply_form(turn=told.turn, membership=told.english)
    assert form is not None
    own = next(row["lines"] for row in form["fleets"] if row["name"] == FLEET)
    assert [label for label, _ in own][:4] == ["Route", "Stance", "On arrival", "Keep company with"]
    assert dict(own)["Keep company with"] == "Scouts" and dict(own)["Route"] == "stay"
    settings.REPLY_TO = ""
    assert lines() is None


def test_a_token_has_16_of_32_characters_and_is_valid_for_its_own_turn_and_member(told: World) -> None:
    token = token_for(turn_id=7, membership_id=8)
    start, turn, member, signature = token.split("-")
    assert (start, turn, member, len(signature)) == ("WG", "7", "8", 16)
    assert token_good(turn_id=7, membership_id=8, signature=signature)
    assert not token_good(turn_id=8, membership_id=7, signature=signature)
    assert not token_good(turn_id=7, membership_id=8, signature=signature[:-1])
    assert timezone.now() == NOW
