"""What is found in an email's bytes, however a mail program wrote them."""

from __future__ import annotations

import base64
import quopri

import pytest

from campaign.notices.raw_mail import names_in_raw, tokens_in_raw

TOKEN = b"WG-12-345-abcdefgh234567ab"
FOUND = [(12, 345, "abcdefgh234567ab")]
QUOTED = b"Stance: avoid\r\n\r\n> Reply token: " + TOKEN + b"\r\n> " + b"x" * 200 + b"\r\n"


def _word(words: bytes) -> bytes:
    return b"=?utf-8?B?" + base64.b64encode(words) + b"?="


def _encoded(words: bytes) -> bytes:
    return b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(words).replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    "raw",
    [
        b"To: Orders " + TOKEN + b" <orders@club.example>\r\n\r\n",
        b"To: =?utf-8?Q?Orders_" + TOKEN + b"?= <orders@club.example>\r\n\r\n",
        b"To: =?utf-8?q?Orders_WG-12-345-abcd?=\r\n =?utf-8?q?efgh234567ab?= <orders@club.example>\r\n\r\n",
        b"To: " + _word(b"Orders " + TOKEN) + b" <orders@club.example>\r\n\r\n",
        b"To: " + _word(b"Orders WG-12-3") + b"\r\n " + _word(b"45-abcdefgh234567ab") + b" <orders@club.example>\r\n\r\n",
        b"Subject: Re: " + TOKEN.lower() + b"\r\n\r\n",
        b"\r\n" + QUOTED,
        b"\r\n" + quopri.encodestring(b"x" * 60 + b" " + TOKEN + b" y"),
        b"\r\n" + b"".join(b"=%02X" % letter for letter in TOKEN),
        _encoded(QUOTED),
        _encoded(b"a" + QUOTED),
        _encoded(QUOTED.decode().encode("utf-16")),
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + _encoded(b"no") + b"--b\r\n" + _encoded(QUOTED) + b"--b--\r\n",
        "\r\n“".encode() + TOKEN + "”".encode(),
    ],
    ids=[
        "address", "address-quoted", "address-quoted-in-two", "address-base64", "address-base64-in-two", "subject", "text", "broken-line",
        "every-letter", "base64", "base64-shifted", "base64-two-bytes", "base64-part", "among-marks",
    ],
)  # fmt: skip
def test_a_token_is_found_wherever_it_appears(raw: bytes) -> None:
    assert tokens_in_raw(raw) == FOUND


@pytest.mark.parametrize(
    "raw", [b"", b"\r\nWG-12-345", b"\r\nX" + TOKEN, b"\r\n" + TOKEN + b"c", _encoded(b"nothing of ours")]
)
def test_text_that_is_not_a_token_gives_none(raw: bytes) -> None:
    assert tokens_in_raw(raw) == []


def test_names_of_emails_are_found_in_reports() -> None:
    name = "<0123456789abcdef0123456789abcdef@gage.example>"
    assert names_in_raw(f"\r\nMessage-ID: {name}\r\nMessage-ID: {name}\r\n".encode()) == [name]
    assert names_in_raw(quopri.encodestring(f"Message-ID: {'x' * 40} {name}".encode())) == [name]
    assert names_in_raw(_encoded(f"Message-ID: {name}".encode())) == [name]
    assert names_in_raw(b"Message-ID: <other@gage.example>") == []


def test_only_a_limited_number_is_looked_for() -> None:
    assert len(tokens_in_raw(b"\r\n" + b" ".join(b"WG-%d-1-aaaaaaaaaaaaaaaa" % n for n in range(500)))) == 200
    assert len(names_in_raw(b"".join(b"<%032x@a>" % n for n in range(500)))) == 50
