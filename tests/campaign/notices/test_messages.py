"""Emails as mail programs write them: which parts are the sender's own."""

from __future__ import annotations

import base64
import random
from datetime import UTC, datetime

import pytest

from campaign.notices.messages import message_from, own_lines, unflowed
from campaign.notices.page_text import html_text

HEAD = (
    "From: Ann Admiral <Ann@Club.example>\r\nTo: orders@club.example\r\nSubject: Re: turn 2\r\n"
    "Date: Mon, 23 Nov 2026 10:00:00 +0100\r\nMessage-ID: <one@club.example>\r\nMIME-Version: 1.0\r\n"
)
GMAIL = (
    "Stance: avoid\n\nOn Mon, 23 Nov 2026 at 09:00, Weather Gage <weather-gage@club.example>\nwrote:\n\n"
    "> Fleet: The Red\n> Stance: seek\n>\n"
)
BELOW = (
    "On Mon, 23 Nov 2026 at 09:00, Weather Gage wrote:\n> Fleet: The Red\n> Stance: seek\n\nStance: avoid\n"
)
OUTLOOK = (
    "Stance: avoid\n\nFrom: Weather Gage <weather-gage@club.example>\nSent: Monday, 23 November 2026 09:00\n"
    "To: Ann Admiral\nSubject: turn 2\n\nFleet: The Red\nStance: seek\n"
)
OLD_OUTLOOK = "Stance: avoid\n\n-----Original Message-----\nFrom: Weather Gage\n\nStance: seek\n"
UNDERLINED = "Stance: avoid\n________________________________\nFrom: Weather Gage\nStance: seek\n"
UNMARKED = "Stance: avoid\n\nOn Mon, 23 Nov 2026, Weather Gage wrote:\n\nFleet: The Red\nStance: seek\n"
IPHONE = "Stance: avoid\n\nSent from my iPhone\n\nOn 23 Nov 2026, at 09:00, Weather Gage wrote:\n\n> Stance: seek\n"
SIGNED = "Stance: avoid\n-- \nAnn Admiral\nStance: seek\n"
GERMAN = "Stance: avoid\n\nAm 23.11.2026 um 09:00 schrieb Weather Gage:\n> Stance: seek\n"


@pytest.mark.parametrize(
    "text",
    [GMAIL, BELOW, OUTLOOK, OLD_OUTLOOK, UNDERLINED, UNMARKED, IPHONE, SIGNED, GERMAN],
    ids=["gmail", "below", "outlook", "old-outlook", "underlined", "unmarked", "iphone", "signed", "german"],
)
def test_only_what_the_sender_wrote_counts_as_theirs(text: str) -> None:
    assert [line for line in own_lines(text) if line] == ["Stance: avoid"]
    assert [line for line in own_lines(text.replace("\n", "\r\n")) if line] == ["Stance: avoid"]


def test_a_line_that_begins_like_a_quotation_mark_is_kept() -> None:
    assert own_lines("On arrival: anchor\nFrom: the Nore, we think\nOn we go: yes") == [
        "On arrival: anchor", "From: the Nore, we think", "On we go: yes",
    ]  # fmt: skip


def test_headers_are_read() -> None:
    mail = message_from(f"{HEAD}\r\nStance: avoid\r\n".encode())

    assert (mail.sender, mail.message_id, mail.subject) == (
        "ann@club.example",
        "<one@club.example>",
        "Re: turn 2",
    )
    assert mail.sent == datetime(2026, 11, 23, 9, tzinfo=UTC)
    assert not mail.automatic
    assert mail.text.split() == ["Stance:", "avoid"]


def test_base64_in_utf8_is_read() -> None:
    body = base64.encodebytes("Fleet: Vlieland’s Zeeuwsche\n".encode()).decode()
    mail = message_from(
        f"{HEAD}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n{body}".encode()
    )
    assert mail.text.strip() == "Fleet: Vlieland’s Zeeuwsche"


def test_an_html_only_email_gives_its_text_and_its_quotation_stays_a_quotation() -> None:
    page = (
        "<html><head><style>p { color: red }</style></head><body><p>Fleet:&nbsp;The\nRed</p><div>Stance: avoid<br>Route: stay</div>"
        "<div>On Mon, 23 Nov 2026, Weather Gage wrote:</div><blockquote><p>Stance: seek</p><p>Route: x</p></blockquote></body></html>"
    )
    mail = message_from(f"{HEAD}Content-Type: text/html; charset=utf-8\r\n\r\n{page}".encode())

    assert [line for line in own_lines(mail.text) if line] == [
        "Fleet: The Red",
        "Stance: avoid",
        "Route: stay",
    ]
    assert "color" not in html_text(page)
    assert "> Stance: seek" in mail.text


def test_an_attachment_is_not_read() -> None:
    body = (
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nStance: avoid\r\n--b\r\n'
        "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=old.txt\r\n\r\nStance: seek\r\n--b--\r\n"
    )
    assert message_from((HEAD + body).encode()).text.strip() == "Stance: avoid"


def test_an_unknown_character_set_is_read_as_far_as_possible() -> None:
    mail = message_from(f"{HEAD}Content-Type: text/plain; charset=x-none\r\n\r\nStance: avoid\r\n".encode())
    assert mail.text.strip() == "Stance: avoid"


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes", "Return-Path: <>",
        "Content-Type: multipart/report; boundary=b",
    ],
)  # fmt: skip
def test_automatic_senders_are_recognised(header: str) -> None:
    assert message_from(f"{HEAD}{header}\r\n\r\nStance: avoid\r\n".encode()).automatic


def test_broken_headers_leave_empty_values() -> None:
    mail = message_from(b"From: a@b.example, c@d.example\r\nDate: yesterday\r\n\r\nStance: avoid")

    assert (mail.sender, mail.sent, mail.automatic) == ("", None, False)
    assert mail.message_id.startswith("<") and len(mail.message_id) == 66
    assert message_from(b"").text == ""


FLOWED = "Content-Type: text/plain; charset=utf-8; format=flowed"


def test_lines_that_a_mail_program_broke_are_rejoined() -> None:
    body = "Fleet: The Red\r\nRoute: The Nore - The Gunfleet - \r\nThe Galloper - \r\nThe Texel\r\nStance: avoid\r\n"
    mail = message_from(f"{HEAD}{FLOWED}\r\n\r\n{body}".encode())
    assert own_lines(mail.text) == [
        "Fleet: The Red", "Route: The Nore - The Gunfleet - The Galloper - The Texel", "Stance: avoid",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "delsp", "whole"),
    [
        ("one \ntwo", False, "one two"),
        ("one \ntwo", True, "onetwo"),
        ("one\ntwo", False, "one\ntwo"),
        ("> one \n> two\nthree", False, "> one two\nthree"),
        (">> one \n> two", False, ">> one \n> two"),
        (" > no quotation", False, "> no quotation"),
        ("sea \n-- \nAnn", False, "sea \n-- \nAnn"),
        ("Stance: avoid \nRoute: stay", False, "Stance: avoid \nRoute: stay"),
    ],
)
def test_soft_breaks_are_distinguished_from_lines(text: str, delsp: bool, whole: str) -> None:
    assert unflowed(text, delsp=delsp) == whole


def test_an_email_from_a_phone_is_read_by_its_text_part() -> None:
    body = (
        'Content-Type: multipart/alternative; boundary="Apple-Mail-1"\r\nX-Mailer: iPhone Mail (21G93)\r\n\r\n--Apple-Mail-1\r\n'
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        "Stance: avoid\r\nRoute: Vlie=E2=80=99s\r\n=20\r\n\r\nSent from my iPhone\r\n\r\n> On 23 Nov 2026, at 09:00, "
        "Weather Gage wrote:\r\n> =EF=BB=BFStance: seek\r\n\r\n--Apple-Mail-1\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        '<html><body dir="auto">Stance: bold<blockquote type="cite">Stance: seek</blockquote></body></html>\r\n--Apple-Mail-1--\r\n'
    )
    lines = own_lines(message_from((HEAD + body).encode()).text)
    assert [line for line in lines if line] == ["Stance: avoid", "Route: Vlie’s"]


def test_an_email_from_a_phone_with_an_empty_text_part_is_read_by_its_html() -> None:
    body = (
        'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n \r\n--b\r\n'
        "Content-Type: text/html; charset=utf-8\r\n\r\n<div dir=auto>Stance: avoid</div>\r\n--b--\r\n"
    )
    assert own_lines(message_from((HEAD + body).encode()).text.strip()) == ["Stance: avoid"]


def _junk(seed: int) -> bytes:
    """Bytes that are no mail, some of them with the beginnings of one."""
    dice = random.Random(seed)
    noise = dice.randbytes(dice.randrange(2000))
    heads = [b"", HEAD.encode(), b"From: \xff\xfe\r\n", b"Content-Type: multipart/mixed; boundary=\r\n", b"Content-Type: ;;\r\n",
             b"Content-Type: text/plain; charset=utf-16\r\n", b"Content-Transfer-Encoding: base64\r\n", b"Date: \x00\r\n",
             b"From: =?utf-8?b?////?= <a@b>\r\n", b"Message-ID: <a\r\n", b"Content-Type: multipart/report\r\n"]  # fmt: skip
    return b"".join(dice.sample(heads, 4)) + b"\r\n" + noise


def test_a_message_that_is_not_an_email_is_read_as_empty_and_raises_nothing() -> None:
    for seed in range(150):
        mail = message_from(_junk(seed))
        own_lines(mail.text)
        for words in (mail.message_id, mail.sender, mail.subject, mail.to, mail.text):
            assert "\x00" not in words
            words.encode()


def test_a_header_in_an_unknown_character_set_is_left_as_it_is() -> None:
    raw = (
        b"From: \xffnn <ann@club.example>\r\nSubject: =?x-none?q?Re?= =?utf-8?b?A?=\r\nTo: =?utf-8?q?Orders_WG?=\r\n"
        b"From: ben@club.example\r\n\r\nStance: avoid"
    )
    assert message_from(raw).sender == "", "a mail with two senders has none"
    mail = message_from(raw.replace(b"From: ben", b"X-Other: ben"))
    assert (mail.sender, mail.to) == ("ann@club.example", "Orders WG")
    assert mail.subject == "=?x-none?q?Re?= =?utf-8?b?A?="


def test_an_email_inside_an_email_is_not_the_senders_own() -> None:
    body = (
        'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n'
        "From: other@club.example\r\n\r\nStance: seek\r\n--b\r\nContent-Type: text/plain\r\n\r\nStance: avoid\r\n--b--\r\n"
    )
    assert message_from((HEAD + body).encode()).text.strip() == "Stance: avoid"
