"""Orders by reply: whose email is read, what is accepted, what is refused, and what the answer says."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

import pytest
import time_machine
from django.core import mail as outbox
from django.urls import reverse
from django.utils import timezone

from campaign.models import (
    Command,
    Membership,
    Notice,
    Order,
    Ready,
    ReceivedMail,
    SetAsideMail,
    Station,
    Turn,
)  # fmt: skip
from campaign.notices.raw_mail import LARGEST, BadMail
from campaign.notices.send import notice_send
from campaign.services.mail import replies
from campaign.services.mail.notices import notices_for_closed_turn, notices_for_opened_turn
from campaign.services.mail.replies import Outcome, mail_set_aside, mail_take
from campaign.services.mail.reply_forms import reply_form, token_for
from tests.support.answers import flawless
from tests.support.factories import FleetFactory, TurnFactory
from tests.support.hostile_mail import MAILS
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = pytest.mark.one_database

EARLIER = datetime(2026, 1, 1, tzinfo=UTC)
FLEET = f"Fleet {ENGLISH}"


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """A campaign full of tell-tales that takes orders by mail."""
    settings.REPLY_TO = "orders@club.example"
    made = world()
    Order.objects.update(given=EARLIER)
    for name in ("english", "dutch"):
        member = getattr(made, name)
        setattr(made, name, Membership.objects.select_related("user", "campaign", "side").get(pk=member.pk))
    return made


def token(told: World, person: str = "english", turn: Turn | None = None) -> str:
    """A person's reply token of a turn."""
    return token_for(turn_id=(turn or told.turn).pk, membership_id=getattr(told, person).pk)


def send(
    told: World, text: str, *, sender: str = "english@club.example", key: str | None = None,
    message_id: str = "<a@club.example>", sent: datetime | None = None, **headers: str,
) -> Outcome:  # fmt: skip
    """Have a mail come in: text above a quotation with the token."""
    mail = EmailMessage()
    mail["From"], mail["Message-ID"], mail["Subject"] = f"Ann <{sender}>", message_id, "Re: turn 2"
    mail["Date"] = format_datetime(sent or timezone.now())
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(
        f"{text}\n\nOn Monday, 23 Nov, Weather Gage wrote:\n> Reply token: {token(told) if key is None else key}\n> Stance: hold\n"
    )
    return flawless(mail_take, raw=mail.as_bytes())


def order(told: World, fleet: Any = None) -> Order:
    """The order of the English fleet, or of another."""
    return told.turn.orders.get(fleet=fleet or told.english_fleet)


def answers(kind: str = "orders_taken") -> list[Notice]:
    """The answers written so far."""
    return list(Notice.objects.filter(kind=kind).order_by("pk"))


@pytest.mark.clause("G.MV2", "G.MV5")
def test_a_reply_changes_what_it_names_and_leaves_the_rest(told: World) -> None:
    Ready.objects.create(turn=told.turn, side=told.english.side, by="english")

    assert send(told, f"Fleet: {FLEET.upper()}\nstance: Avoid\nBreak off at: 40%\n") is Outcome.TAKEN

    now = order(told)
    assert (now.route, now.stance, now.source, now.author) == (["swin"], "avoid", "mail", "english")
    assert now.instructions == {"greatest_odds": "3.25", "doctrine": {"break_off": 40}}
    assert now.given > EARLIER
    assert not Ready.objects.filter(side=told.english.side).exists()
    (answer,) = answers()
    assert answer.recipient == told.english.user
    assert answer.subject == "Tell-tale war, turn 2: your orders are accepted"
    assert f"{FLEET}: ACCEPTED" in answer.text
    assert "  stance: Avoid – accepted" in answer.text and "Break off at: 40% – accepted" in answer.text
    row = ReceivedMail.objects.get()
    assert (row.taken, row.membership, row.turn, row.answer) == (1, told.english, told.turn, answer.text)


@pytest.mark.clause("G.MV2")
def test_the_order_form_in_an_email_sent_back_unchanged_changes_nothing(told: World) -> None:
    before = order(told)
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    text = Notice.objects.get(recipient=told.english.user).text
    block = text.partition("ORDERS BY REPLY")[2].partition("\n--\n")[0]
    assert f"Reply token: {token(told)}" in block
    assert f"Fleet: {FLEET}\nRoute: " in block
    assert (
        "Greatest odds accepted: 3.25" in block
        and "On arrival: Anchor" in block
        and "Weather gauge: as it" in block
    )

    assert send(told, block, key="") is Outcome.TAKEN

    now = order(told)
    assert (now.route, now.stance, now.on_arrival, now.instructions, now.target) == (
        before.route, before.stance, before.on_arrival, before.instructions, before.target,
    )  # fmt: skip
    assert "not an order" not in answers()[0].text and "refused" not in answers()[0].text


@pytest.mark.clause("G.MV3")
def test_one_bad_fleet_does_not_stop_the_others_and_is_not_half_applied(told: World) -> None:
    other = FleetFactory(navy=told.english_fleet.navy, code="zj2", name="The Squadron of Observation")
    Station.objects.create(fleet=other, at="nore")

    outcome = send(
        told,
        f"Fleet: {FLEET}\nStance: avoid\nRoute: Xanadu\n\nFleet: zj2\nRoute: The swin\nStance: hold\n\nFleet: Red\nStance: hold",
    )

    assert outcome is Outcome.TAKEN
    assert order(told).stance == "seek"
    assert (order(told, other).route, order(told, other).stance) == (["swin"], "hold")
    (answer,) = answers()
    assert answer.subject == "Tell-tale war, turn 2: some of your orders were refused"
    for line in (
        f"{FLEET}: REFUSED. Your earlier orders still apply.",
        "Stance: avoid – understood, but not applied",
        "Route: Xanadu – refused: “Xanadu” is not a place on the chart. (G.MV2)",
        "The Squadron of Observation: ACCEPTED",
        "Red: REFUSED",
        "Refused: You have no fleet of that name. (G.IN4)",
    ):
        assert line in answer.text
    assert ReceivedMail.objects.get().taken == 1


@pytest.mark.clause("G.CH1", "G.MV3")
def test_the_rules_refuse_a_reply_as_they_refuse_the_form(told: World) -> None:
    assert send(told, "Route: The Texel") is Outcome.REFUSED

    assert order(told).route == ["swin"]
    assert "Route: The Texel – understood, but not applied" in answers()[0].text
    assert "(G.CH1)" in answers()[0].text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Stance: bold", "Write one of: Seek, Hold, Avoid. (G.MV2)"),
        ("Stanse: hold", "That is not an order. Did you mean “Stance”? (G.MV2)"),
        ("Break off at: soon", "Write a number. (G.MV5)"),
        ("Break off at: 140", "Ensure this value is less than or equal to 100. (G.MV5)"),
        ("Fire ships: perhaps", "Write yes or no. (G.MV5)"),
        ("Route:", "Nothing follows the colon"),
        ("Route: ,,", "This line names no place."),
        ("Rendezvous: Atlantis", "You cannot use that place here. Choose another. (G.MV5)"),
    ],
)
def test_an_unreadable_line_is_refused_with_its_reason(told: World, line: str, why: str) -> None:
    assert send(told, f"Fleet: {FLEET}\n{line}") is Outcome.REFUSED
    assert f"{line} – refused: {why}" in answers()[0].text
    assert order(told).state_no == 1


def test_the_reply_address_carries_the_token_when_nothing_is_quoted(told: World) -> None:
    to = f"Orders {token(told)} <orders@club.example>"
    assert send(told, "Stance: avoid", key="", To=to) is Outcome.TAKEN
    assert order(told).stance == "avoid"


def test_a_blockade_keeps_its_port_and_detachments_stay(told: World) -> None:
    parts = [{"ships": [f"{ENGLISH}-01"], "name": "Scouts", "route": [], "to": ""}]
    Order.objects.filter(pk=order(told).pk).update(
        on_arrival="blockade", target="texel", route=[], parts=parts
    )

    assert send(told, "Stance: hold") is Outcome.TAKEN

    assert (order(told).target, order(told).parts, order(told).stance) == ("texel", parts, "hold")


def test_the_same_email_twice_is_accepted_once_and_silently(told: World) -> None:
    send(told, "Stance: avoid")
    Order.objects.update(stance="hold")

    assert send(told, "Stance: avoid") is Outcome.IGNORED

    assert order(told).stance == "hold"
    assert len(answers()) == ReceivedMail.objects.count() == 1


@pytest.mark.clause("G.MV2")
def test_an_email_older_than_the_accepted_one_is_refused(told: World) -> None:
    now = timezone.now()
    send(told, "Stance: avoid", sent=now)

    outcome = send(told, "Stance: hold", sent=now - timedelta(hours=1), message_id="<late@club.example>")

    assert outcome is Outcome.REFUSED
    assert order(told).stance == "avoid"
    assert "accepted orders from a later email" in answers()[1].text


def test_an_email_dated_tomorrow_does_not_shut_out_the_next(told: World) -> None:
    send(told, "Stance: avoid", sent=timezone.now() + timedelta(days=1))
    assert (
        send(
            told,
            "Stance: hold",
            sent=timezone.now() + timedelta(seconds=2),
            message_id="<next@club.example>",
        )
        is Outcome.TAKEN
    )


@pytest.mark.clause("G.MV2")
def test_orders_changed_on_the_site_after_the_email_was_written_remain(told: World) -> None:
    Order.objects.update(given=timezone.now())

    assert send(told, "Stance: avoid", sent=timezone.now() - timedelta(hours=1)) is Outcome.REFUSED

    assert order(told).stance == "seek"
    assert "changed these orders on the site after writing your email" in answers()[0].text


@pytest.mark.clause("G.CL1", "G.UM3")
@pytest.mark.parametrize(
    ("change", "why"), [({"phase": "locked"}, "which has closed"), ({"void": "rollback 1"}, "rolled back")]
)
def test_a_stale_turn_is_refused_with_an_answer(told: World, change: dict[str, str], why: str) -> None:
    Turn.every.filter(pk=told.turn.pk).update(**change)

    assert send(told, "Stance: avoid") is Outcome.REFUSED

    assert why in answers()[0].text and "ORDERS BY REPLY" not in answers()[0].text
    assert Order.objects.get(fleet=told.english_fleet).stance == "seek"


@pytest.mark.parametrize("key", ["", "WG-1-1-aaaaaaaaaaaaaaaa"])
def test_a_wrong_token_is_answered_once_a_day_to_a_player_and_to_no_one_else(told: World, key: str) -> None:
    assert send(told, "Stance: avoid", key=key) is Outcome.REFUSED
    assert send(told, "Stance: avoid", key=key, message_id="<b@club.example>") is Outcome.REFUSED
    for stranger in ("stranger@club.example", "observer@club.example", "nobody@else.example"):
        assert send(told, "Stance: avoid", key=key, sender=stranger) is Outcome.IGNORED

    (answer,) = answers()
    assert (answer.address, order(told).stance) == ("english@club.example", "seek")
    assert "no valid reply token" in answer.text


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("sender", ["dutch", "umpire", "observer", "stranger", "anonymous"])
def test_a_secret_link_used_by_another_person_is_worthless(
    told: World, sender: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert send(told, "Stance: avoid", sender=f"{sender}@club.example") is Outcome.IGNORED

    assert "not the player of its token" in caplog.text
    assert order(told).stance == "seek"
    assert not answers() and not ReceivedMail.objects.exists()


def test_a_token_for_a_turn_in_another_campaign_is_worthless(
    told: World, caplog: pytest.LogCaptureFixture
) -> None:
    elsewhere = TurnFactory(phase="open")
    key = token_for(turn_id=elsewhere.pk, membership_id=told.english.pk)
    with caplog.at_level(logging.WARNING):
        assert send(told, f"Fleet: {FLEET}\nStance: avoid", key=key) is Outcome.IGNORED
    assert "a turn of another campaign" in caplog.text
    assert not answers() and not ReceivedMail.objects.exists()
    assert not elsewhere.orders.exists() and order(told).stance == "seek"


@pytest.mark.parametrize("sender", ["stranger@club.example", "nobody@else.example", "english@club.example"])
def test_no_email_is_parsed_without_a_token(
    told: World, sender: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(raw: bytes) -> None:
        raise AssertionError("the words of a mail without a token are read")

    for name in ("message_from", "bounce_in"):
        monkeypatch.setattr(replies, name, parse)
    own = sender.startswith("english")
    assert send(told, "Stance: avoid", key="", sender=sender) is (Outcome.REFUSED if own else Outcome.IGNORED)
    assert (
        send(told, "Stance: avoid", key="", sender=sender, Auto_Submitted="auto-replied") is Outcome.IGNORED
    )
    with pytest.raises(AssertionError):
        send(told, "Stance: avoid")


def test_a_token_found_only_in_an_attachment_does_not_count(told: World) -> None:
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "english@club.example", "<t@club.example>"
    mail.set_content("Stance: avoid")
    mail.add_attachment(f"Reply token: {token(told)}", filename="old.txt")
    assert mail_take(raw=mail.as_bytes()) is Outcome.REFUSED
    assert "no valid reply token" in answers()[0].text and order(told).stance == "seek"


def test_orders_hidden_in_an_email_are_not_accepted(told: World) -> None:
    page = (
        f"<style>.x{{display:none}}</style><p style='display:none'>Stance: hold</p><p class=x>Break off at: 5</p><p>Fleet: {FLEET}</p>"
        f"<p>Stance: avoid</p><p style='color:white'>Odds: 9</p><blockquote>Reply token: {token(told)}</blockquote>"
    )
    head = b"From: english@club.example\r\nMessage-ID: <h@club.example>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    assert mail_take(raw=head + page.encode()) is Outcome.TAKEN
    assert (order(told).stance, order(told).instructions) == ("avoid", {"greatest_odds": "3.25"})


HOSTILE = (
    "html_that_asserts", "subject_of_words", "parts", "parts_in_parts_at_bounds", "to_quotes_at_bounds", "reports", "text_of_tokens",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_players_hostile_email_is_accepted_or_refused_and_never_raises_anything_else(
    told: World, name: str
) -> None:
    head = f"X-Old: {token(told)}\r\n".encode()
    raw = head + MAILS[name]().replace(b"ann@club.example", b"english@club.example")
    try:
        assert mail_take(raw=raw) in (Outcome.REFUSED, Outcome.IGNORED)
    except BadMail as bad:
        row = mail_set_aside(raw=raw, name="1.a", reason=str(bad))
        assert (row.membership, row.reason) == (told.english, str(bad))
        assert mail_set_aside(raw=raw, name="2.b", reason=str(bad)).pk == row.pk, "twice is once"
    assert order(told).stance == "seek"


def test_an_email_set_aside_belongs_to_a_player_only_by_its_token(told: World) -> None:
    forged = token_for(turn_id=told.turn.pk, membership_id=told.english.pk)[:-1] + "2"
    own = b"From: english@club.example\r\n\r\n"
    assert mail_set_aside(raw=own, name="a", reason="broken").membership is None
    assert mail_set_aside(raw=own + forged.encode(), name="b", reason="broken").membership is None
    assert (
        mail_set_aside(raw=own + token(told).encode(), name="c", reason="broken").membership == told.english
    )


def test_only_the_newest_emails_set_aside_are_remembered(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "KEPT", 3)
    for number in range(5):
        mail_set_aside(raw=b"%d" % number, name=f"{number}", reason="x" * 500)
    assert [row.name for row in SetAsideMail.objects.all()] == ["4", "3", "2"]
    assert {len(row.reason) for row in SetAsideMail.objects.all()} == {200}


@pytest.mark.clause("G.IN1")
def test_only_the_umpire_learns_whose_email_could_not_be_read(told: World) -> None:
    mail_set_aside(raw=token(told).encode(), name="1.whose", reason="it has more than 1000 parts")
    page = reverse("mailbox", args=[told.campaign.code])
    shown = told.client("umpire").get(page).content.decode()
    assert "It has more than 1000 parts." in shown and "1.whose" in shown and "From english" in shown
    desk = told.client("umpire").get(reverse("desk", args=[told.campaign.code])).content.decode()
    assert "An email that arrived in the last 7 days could not be read." in desk and "1.whose" not in desk
    for person in ("english", "dutch", "observer"):
        assert "1.whose" not in told.client(person).get(page).content.decode()


@pytest.mark.parametrize(
    "headers", [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}], ids=["auto", "bulk"]
)
def test_automatic_senders_are_not_answered(told: World, headers: dict[str, str]) -> None:
    assert send(told, "Stance: avoid", **headers) is Outcome.IGNORED
    assert not answers() and order(told).stance == "seek"


def test_an_email_with_large_pictures_has_only_its_words_read(told: World) -> None:
    mail = EmailMessage()
    mail["From"], mail["Message-ID"], mail["Date"] = (
        "english@club.example",
        "<p@phone.example>",
        format_datetime(timezone.now()),
    )
    mail.set_content(f"Stance: avoid\n\n> Reply token: {token(told)}\n")
    mail.add_attachment(b"\x89PNG" + b"sea " * LARGEST, maintype="image", subtype="png", filename="IMG_1.PNG")

    assert mail_take(raw=mail.as_bytes()) is Outcome.TAKEN
    assert order(told).stance == "avoid"


def test_an_email_with_endless_words_is_cut(told: World) -> None:
    """Were it read whole, or by a pattern that goes back over what it has read, this would take minutes."""
    assert send(told, "Stance: avoid\n\n" + "x : * " * LARGEST) is Outcome.REFUSED, "its token is cut off"
    assert send(told, "Stance: hold\nRoute: " + "* " * LARGEST, To=token(told)) is Outcome.REFUSED
    assert order(told).stance == "seek"


def test_characters_that_no_database_stores_do_not_stop_an_email(told: World) -> None:
    head = f"From: english@club.example\r\nMessage-ID: <\x00n@phone.example>\r\nSubject: {token(told)}\r\n".encode()
    body = b"Content-Type: text/plain; charset=utf-8\r\n\r\nStance: av\x00oid\x1b\r\nRoute: \xff\xfe\x00 Xanadu\r\n"

    assert mail_take(raw=head + body) is Outcome.REFUSED

    assert "Stance: avoid – understood, but not applied" in answers()[0].text
    assert not {*range(9), 27} & set(answers()[0].text.encode())


def test_an_automatic_sender_that_answers_every_answer_is_finally_ignored(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A holiday notice that says nowhere that it is one, and quotes the token of what it answers."""
    monkeypatch.setattr(replies, "MOST_A_DAY", 4)
    outcomes = [send(told, "I am away.", message_id=f"<{n}@club.example>") for n in range(7)]

    assert outcomes == [Outcome.REFUSED] * 4 + [Outcome.IGNORED] * 3
    assert len(answers()) == 4
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        assert send(told, "Stance: avoid", message_id="<home@club.example>") is Outcome.TAKEN


def test_a_reply_without_orders_is_answered_with_how_to_write_them(told: World) -> None:
    assert send(told, "Thank you, well fought!") is Outcome.REFUSED
    assert "We found no orders in your email" in answers()[0].text


@pytest.mark.clause("G.IN1", "G.IN4")
def test_no_answer_reveals_anything_about_the_enemy(told: World) -> None:
    there = send(told, f"Fleet: Fleet {DUTCH}\nStance: avoid\n\nFleet: {FLEET}\nKeep company with: {DUTCH}-f")
    gone = send(told, "Fleet: Fleet nowhere\nStance: avoid", message_id="<b@club.example>")

    assert there is gone is Outcome.REFUSED
    assert order(told, told.dutch_fleet).stance == "seek"
    first, second = answers()
    why = "Refused: You have no fleet of that name. (G.IN4)"
    assert why in first.text and why in second.text
    for part in (first.subject, first.text, first.html):
        # his own words come back to him, and nothing else of theirs
        said = part.replace(f"Fleet {DUTCH}: REFUSED", "").replace(f">Fleet {DUTCH}<", "")
        assert DUTCH not in said.replace(f"Keep company with: {DUTCH}-f", "")
    for part in (second.subject, second.text, second.html):
        assert DUTCH not in part


@pytest.mark.clause("G.IN4")
def test_only_fleets_under_the_readers_command_are_in_the_order_form_and_take_orders(told: World) -> None:
    Membership.objects.filter(pk=told.english.pk).update(chief=False)
    told.english.refresh_from_db()
    form = reply_form(turn=told.turn, membership=told.english)
    assert form is not None and [fleet["name"] for fleet in form["fleets"]] == [FLEET]
    Command.objects.all().delete()

    assert reply_form(turn=told.turn, membership=told.english) is None
    assert send(told, f"Fleet: {FLEET}\nStance: avoid") is Outcome.REFUSED
    assert order(told).stance == "seek"


@pytest.mark.clause("G.BT4")
def test_a_fleet_held_by_a_battle_is_not_in_the_order_form(told: World) -> None:
    Station.objects.filter(fleet=told.english_fleet).update(held_by="T1-b01")
    assert reply_form(turn=told.turn, membership=told.english) is None


def test_emails_carry_template_and_reply_to_only_where_replies_are_read(told: World, settings: Any) -> None:
    notices_for_opened_turn(turn=Turn(campaign=told.campaign, number=1, pk=told.turn.pk, days=3, first_day=0))
    notice = Notice.objects.get(recipient=told.english.user)
    assert f"Fleet: {FLEET}" in notice.text and "ORDERS BY REPLY" not in notice.html
    notice_send(notice_id=notice.pk)
    assert outbox.outbox[0].message()["Reply-To"] == f"Orders {token(told)} <orders@club.example>"

    settings.REPLY_TO = ""
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    notice = Notice.objects.get(recipient=told.english.user, kind="turn_report")
    assert "ORDERS BY REPLY" not in notice.text and "WG-" not in notice.text
    notice_send(notice_id=notice.pk)
    assert outbox.outbox[1].message()["Reply-To"] is None


def test_tokens_differ_by_turn_and_player(told: World) -> None:
    tokens = {
        token(told, person, turn) for person in ("english", "dutch") for turn in (told.turn, told.closed)
    }
    assert len({text.rpartition("-")[2] for text in tokens}) == 4
