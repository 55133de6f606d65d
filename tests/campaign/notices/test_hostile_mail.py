"""Hostile emails: each is read or refused within limits of time and memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.notices import raw_mail
from campaign.notices.messages import Message, guarded, head_from, message_from, own_lines
from campaign.notices.page_text import html_text
from campaign.notices.raw_mail import BadMail, bounded, names_in_raw, tokens_in_raw
from campaign.notices.replies import blocks_in
from tests.support.hostile_mail import BODY, HEAD, MAILS, filled
from tests.support.processes import ROOT, plain_environment

SECONDS = 2.5  # of a processor's time, for each mail
BYTES = 700_000_000
REFUSED = {
    "subject_of_words": "its headers are longer than 200000 bytes in total",
    "subject_of_words_folded": "its headers are longer than 200000 bytes in total",
    "to_quotes": "one of its headers is longer than 16000 bytes",
    "kind_pieces": "one of its headers is longer than 16000 bytes",
    "headers": "it has more than 1000 headers",
    "headers_without_end": "it has more than 1000 headers",
    "parts": "it has more than 1000 parts",
    "parts_by_returns": "it has more than 1000 parts",
    "reports_by_returns": "it contains more than 5000 delivery reports",
    "headers_by_returns": "it has more than 1000 headers",
    "kind_by_returns": "one of its headers is longer than 16000 bytes",
    "parts_that_say_much": "the headers of its parts are too long",
    "parts_in_parts": "it has more than 1000 parts",
    "parts_in_parts_at_bounds": "it cannot be read: RecursionError",
    "mails_in_mails": "the headers of its parts are too long",
    "mails_in_mails_at_bounds": "it cannot be read: RecursionError",
    "reports": "it contains more than 5000 delivery reports",
    "text_of_part_headers": "the headers of its parts are too long",
}
# whether Python's own parser can read them hangs on its version
NESTED = {"from_brackets_at_bounds", "from_groups_at_bounds"}
TOO_DEEP = "it cannot be read: RecursionError"
READ_ALL = f"""
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, ({BYTES}, {BYTES}))
from campaign.notices.messages import head_from, message_from, own_lines
from campaign.notices.raw_mail import BadMail, names_in_raw, tokens_in_raw
from campaign.notices.replies import blocks_in
from tests.support.hostile_mail import MAILS
told = {{}}
for name, made in MAILS.items():
    raw, why, began = made(), "", time.process_time()
    try:
        head_from(raw), tokens_in_raw(raw), names_in_raw(raw)
        blocks_in(own_lines(message_from(raw).text))
    except BadMail as bad:
        why = str(bad)
    told[name] = (time.process_time() - began, why)
print(json.dumps(told))
"""


def test_every_hostile_email_is_read_or_refused_within_limits_of_time_and_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL], cwd=ROOT, env=plain_environment(), capture_output=True, timeout=600
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    told: dict[str, tuple[float, str]] = json.loads(done.stdout)
    assert set(told) == set(MAILS)
    assert {name: why for name, (_, why) in told.items() if why and name not in NESTED} == REFUSED
    assert {told[name][1] for name in NESTED} <= {"", TOO_DEEP}
    assert {name: seconds for name, (seconds, _) in told.items() if seconds > SECONDS} == {}


def read(raw: bytes) -> Message | None:
    """Everything that is done with a mail before anything else knows of it; None for one that is refused."""
    tokens_in_raw(raw[: raw_mail.LARGEST]), names_in_raw(raw[: raw_mail.LARGEST])
    try:
        head = head_from(raw)
        mail = message_from(raw)
    except BadMail as bad:
        assert 5 < len(str(bad)) < 100
        return None
    assert (head.message_id, head.sender, head.sent) == (mail.message_id, mail.sender, mail.sent)
    assert head.text == "" and len(mail.message_id) <= 200
    for words in (mail.message_id, mail.sender, mail.subject, mail.to, mail.text):
        assert not {*map(chr, range(9))} & set(words), "no database takes it"
        words.encode()
    blocks_in(own_lines(mail.text))
    return mail


PIECES = st.sampled_from(
    [
        b"From: ann@club.example\r\n", b"From: Ann <ann@club.example>, ben@club.example\r\n", b"From: \"",
        b"Subject: =?utf-8?q?", b"Subject: =?utf-16?b?", b"?=", b"\r\n ", b"\r\n", b"\r\n\r\n", b"--b", b"--b--",
        b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Type: multipart/report; boundary=\"b\"\r\n",
        b"Content-Type: message/rfc822\r\n", b"Content-Type: message/delivery-status\r\n", b"Content-Type: text/html; charset=",
        b"Content-Type: text/plain; format=flowed; delsp=yes\r\n", b"charset*0=u", b"*1=tf-8", b"utf-7", b"punycode", b"hex",
        b"rot13", b"Content-Transfer-Encoding: base64\r\n", b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"Content-Transfer-Encoding: x-uuencode\r\n", b"begin 644 a\r\n", b"Content-Disposition: attachment\r\n",
        b"Date: Mon, 99 Nov 1 25:61 +9999\r\n", b"Message-ID: <", b">\r\n", b"<![x]>", b"<div style='display:none'>",
        b"<style>.a{", b"}</style>", b"<p class=a>", b"</p>", b"&#x", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"=ED=A0=80",
        b"WG-1-2-aaaaaaaaaaaaaaaa", b"Fleet: The Red", b"Route: x - y", b"On Monday Ann wrote:", b"> ",
    ]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.binary(max_size=12)), max_size=60).map(b"".join))
@settings(max_examples=300)
def test_any_message_is_either_read_or_refused(raw: bytes) -> None:
    read(raw)


@given(st.binary(max_size=400))
@settings(max_examples=100)
def test_any_bytes_are_either_read_or_refused(raw: bytes) -> None:
    read(raw)


@given(st.lists(st.one_of(PIECES.map(lambda piece: piece.decode("latin-1")), st.text(max_size=8)), max_size=40).map("".join))  # fmt: skip
@settings(max_examples=100)
def test_any_page_yields_words_or_none(page: str) -> None:
    assert isinstance(html_text(page), str)


@pytest.mark.parametrize("error", [AssertionError, RecursionError, MemoryError, KeyError, UnicodeError])
def test_any_error_from_a_parser_is_a_refusal(error: type[Exception]) -> None:
    def trip() -> None:
        raise error("Stance: avoid")

    with pytest.raises(BadMail) as bad:
        guarded(trip)
    assert str(bad.value) == f"it cannot be read: {error.__name__}", "and says nothing of what the mail says"


def test_a_page_that_breaks_pythons_own_parser_still_has_its_words_read() -> None:
    """It was an end of all orders by reply: the page is 200 bytes long, and it was read again and again."""
    mail = read(MAILS["html_that_asserts"]())
    assert mail is not None and mail.text == ""
    page = HEAD + b"Content-Type: text/html\r\n\r\n<![x]><p>Stance: avoid</p><![endif]-->\r\n"
    assert own_lines(message_from(page).text.strip()) == ["Stance: avoid"]


@pytest.mark.parametrize(
    ("raw", "fits"),
    [
        (b"Subject: " + filled(b"a ", 15_900) + b"\r\n" + HEAD + BODY, True),
        (b"Subject: " + filled(b"a ", 16_100) + b"\r\n" + HEAD + BODY, False),
        (b"Subject: " + filled(b"a\r\n ", 24_000) + b"\r\n" + HEAD + BODY, False),
        (b"X: y\r\n" * 990 + HEAD + BODY, True),
        (b"X: y\r\n" * 1000 + HEAD + BODY, False),
        (HEAD + b"\r\n" + b"--\r\n" * 999, True),
        (HEAD + b"\r\n" + b"--\r\n" * 1001, False),
        (HEAD + b"\r\n" + b"Content-Type: x\r\n" * 50, True),
        (HEAD + b"\r\n" + b"Content-Type: " + b"x" * 4_000, False),
        (HEAD + b"\r\n" + (b"Content-Type: " + b"x" * 3_900 + b"\n") * 52, False),
    ],
)
def test_an_email_has_limits(raw: bytes, fits: bool) -> None:
    if fits:
        assert bounded(raw) == raw
    else:
        with pytest.raises(BadMail):
            bounded(raw)


def test_an_email_with_large_pictures_has_its_words_read() -> None:
    raw = HEAD + BODY + filled(b"picture", raw_mail.LARGEST)
    assert bounded(raw) == raw[: raw_mail.LARGEST]
