"""Mails that nobody would write, each made to hurt whoever reads it: by time, by memory, by what its parser stumbles over.

Made when they are asked for. Those that end in `_at_bounds` keep every bound and have to be read.
"""

from __future__ import annotations

from collections.abc import Callable

from campaign.notices import raw_mail

HEAD = (
    b"From: Ann Admiral <ann@club.example>\r\nTo: orders@club.example\r\nSubject: Re: turn 2\r\n"
    b"Date: Mon, 23 Nov 2026 10:00:00 +0100\r\nMessage-ID: <hostile@club.example>\r\nMIME-Version: 1.0\r\n"
)
BODY = b"\r\nStance: avoid\r\n"
LONGEST = 100_000  # of a page
LONG = 120_000  # of a text: long enough to tell a time that grows with its square from one that grows with it


def filled(words: bytes, size: int = LONG) -> bytes:
    """Some words again and again, up to a size in bytes."""
    return (words * (size // len(words) + 1))[:size]


def _headed(header: bytes, body: bytes = BODY) -> bytes:
    return header + b"\r\n" + HEAD + body


def _header(name: bytes, words: bytes, size: int) -> bytes:
    return _headed(name + b": " + filled(words, size - len(name) - 4))


def _typed(kind: bytes, body: bytes) -> bytes:
    return HEAD + b"Content-Type: " + kind + b"\r\n\r\n" + body


def _page(words: bytes, *, whole: bool = False) -> bytes:
    return _typed(b"text/html; charset=utf-8", words if whole else filled(words, LONGEST))


def _parts(number: int, head: bytes = b"") -> bytes:
    return _typed(b'multipart/mixed; boundary="b"', (b"--b\r\n" + head + b"\r\n") * number)


def _nested(number: int) -> bytes:
    return HEAD + b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n) for n in range(number)
    )


def _each_with(header: bytes) -> bytes:
    """As many parts as may be, with as much said of each as may be."""
    size = raw_mail.LONGEST_PART_HEADER - 10
    number = raw_mail.LONGEST_PART_HEADERS // (size + 10)
    return _parts(number, b"Content-Type: text/plain" + filled(header, size - 30) + b"\r\n")


_ALMOST = raw_mail.LONGEST_HEADER - 10
_ROW = raw_mail.MOST_PARTS - 10

MAILS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no_headers": lambda: b"\r\n\r\n",
    "html_that_asserts": lambda: _page(b"<![x]>", whole=True),
    "html_number_too_long": lambda: _page(b"&#" + b"9" * 100_000 + b";", whole=True),
    "html_open_tags": lambda: _page(b"<a "),
    "html_comments": lambda: _page(b"<!-- -"),
    "html_instructions": lambda: _page(b"<?"),
    "html_declarations": lambda: _page(b"<!"),
    "html_sections": lambda: _page(b"<![CDATA["),
    "html_deep": lambda: _page(b"<div>"),
    "html_deep_quotation": lambda: _page(b"<blockquote>"),
    "html_tables": lambda: _page(b"<table><tr><td>"),
    "html_attributes": lambda: _page(b"<p " + filled(b"style='color:#fff' ", LONGEST) + b">x", whole=True),
    "html_styles": lambda: _page(b"<p style='" + filled(b"a:b;", LONGEST) + b"'>x", whole=True),
    "html_sheets": lambda: _page(b"<style>.a{display:none}</style><p class=a>"),
    "html_sheet": lambda: _page(b"<style>" + filled(b".a{display:none}", LONGEST), whole=True),
    "html_sheet_of_comments": lambda: _page(b"<style>" + filled(b"/*/", LONGEST), whole=True),
    "html_sheet_of_brackets": lambda: _page(b"<style>" + filled(b"{}", LONGEST), whole=True),
    "html_classes": lambda: _page(b"<p class='" + filled(b"a ", LONGEST) + b"'>x", whole=True),
    "html_spaces": lambda: _page(b" \n"),
    "html_nils": lambda: _page(b"\0"),
    "subject_of_words": lambda: _header(b"Subject", b"=?utf-8?q?a?= ", 224_000),
    "subject_of_words_folded": lambda: _header(b"Subject", b"=?utf-8?q?a?=\r\n ", 224_000),
    "subject_of_words_at_bounds": lambda: _header(b"Subject", b"=?utf-8?q?a?= ", _ALMOST),
    "subject_in_host_names_at_bounds": lambda: _header(b"Subject", b"=?punycode?q?abc-def?= ", _ALMOST),
    "subject_half_words_at_bounds": lambda: _header(b"Subject", b"=?utf-8?b?A?=", _ALMOST),
    "subject_marks_at_bounds": lambda: _header(b"Subject", b"=?", _ALMOST),
    "to_quotes": lambda: _header(b"To", b'"a\\', 48_000),
    "to_quotes_at_bounds": lambda: _header(b"To", b'"a\\', _ALMOST),
    "from_quotes_at_bounds": lambda: _header(b"From", b'"a\\', _ALMOST),
    "from_brackets_at_bounds": lambda: _header(b"From", b"(", _ALMOST),
    "from_addresses_at_bounds": lambda: _header(b"From", b"<a@b>,", _ALMOST),
    "from_at_signs_at_bounds": lambda: _header(b"From", b"@", _ALMOST),
    "from_commas_at_bounds": lambda: _header(b"From", b",", _ALMOST),
    "from_groups_at_bounds": lambda: _header(b"From", b"a:", _ALMOST),
    "from_routes_at_bounds": lambda: _header(b"From", b"<@a", _ALMOST),
    "from_words_at_bounds": lambda: _header(b"From", b"=?utf-8?q?a?= <a@b>, ", _ALMOST),
    "date_figures_at_bounds": lambda: _header(b"Date", b"9", _ALMOST),
    "date_colons_at_bounds": lambda: _header(b"Date", b"1:", _ALMOST),
    "date_years_at_bounds": lambda: _header(b"Date", b"Mon, 1 Jan 999999999999 ", 40),
    "date_zone_at_bounds": lambda: _headed(b"Date: Mon, 1 Jan 2026 10:00:00 +999999999"),
    "names_at_bounds": lambda: _header(b"Message-ID", b"<a", _ALMOST),
    "kind_pieces": lambda: _headed(b"Content-Type: text/plain; " + b"a*0=x;" * 8_000),
    "kind_pieces_at_bounds": lambda: _headed(b"Content-Type: text/plain; " + b"a*0=x;" * 600),
    "kind_quotes_at_bounds": lambda: _headed(b'Content-Type: text/plain; a="' + b";" * 3_900),
    "kind_twice_at_bounds": lambda: _headed(b"Content-Type: text/plain\r\n" * 50 + b"Content-Type: multipart/x"),
    "kind_letters_at_bounds": lambda: _headed(b"Content-Type: text/plain; charset=" + b"x" * 3_900),
    "headers": lambda: b"X-A: b\r\n" * 20_000 + HEAD + BODY,
    "headers_long_in_all": lambda: b"X-A: " + filled(b"\r\n x", 15_000) + b"\r\n" * 20 + HEAD + BODY,
    "headers_without_end": lambda: filled(b"X-A: b\r\n"),
    "headers_at_bounds": lambda: b"X-A: b\r\n" * 980 + HEAD + BODY,
    "parts": lambda: _parts(180_000),
    "parts_by_returns": lambda: _parts(60_000).replace(b"\r\n", b"\r"),
    "reports_by_returns": lambda: _typed(b"message/delivery-status", filled(b"A: b\r\r")),
    "headers_by_returns": lambda: filled(b"X-A: b\r"),
    "kind_by_returns": lambda: _headed(b"Content-Type: text/plain; " + b"a*0=x;\r " * 8_000),
    "parts_at_bounds": lambda: _parts(_ROW),
    "parts_that_say_much": lambda: _parts(10, b"Content-Type: text/plain; " + b"a*0=x;" * 8_000 + b"\r\n"),
    "parts_in_pieces_at_bounds": lambda: _each_with(b"; a*0=x"),
    "parts_in_quotes_at_bounds": lambda: _each_with(b'; a="\\";'),
    "parts_in_percent_at_bounds": lambda: _each_with(b"; a*=%41''%41"),
    "parts_in_parts": lambda: _nested(3_000),
    "parts_in_parts_at_bounds": lambda: _nested(_ROW),
    "boundary_long_at_bounds": lambda: _typed(
        b"multipart/mixed; boundary=" + b"b" * 3_900, (b"--" + b"b" * 1_900 + b"\r\n\r\n") * 900
    ),
    "boundary_pattern_at_bounds": lambda: _typed(
        b'multipart/mixed; boundary="(a+)+$"', (b"--" + b"a" * 1_900 + b"\r\n\r\n") * 900
    ),
    "mails_in_mails": lambda: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 60_000,
    "mails_in_mails_at_bounds": lambda: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 3_000,
    "reports": lambda: _typed(b"message/delivery-status", filled(b"A: b\r\n\r\n")),
    "reports_at_bounds": lambda: _typed(b"message/delivery-status", b"A: b\r\n\r\n" * 4_980),
    "text_of_lines": lambda: HEAD + filled(b"\r\n"),
    "text_of_one_line": lambda: HEAD + b"\r\n" + filled(b"x"),
    "text_of_spaces": lambda: HEAD + b"\r\n" + filled(b" "),
    "text_of_returns": lambda: HEAD + b"\r\n" + filled(b"\r"),
    "text_of_quotation_marks": lambda: HEAD + b"\r\n" + filled(b">"),
    "text_of_quoted_lines": lambda: HEAD + b"\r\n" + filled(b">\n"),
    "text_that_somebody_wrote": lambda: HEAD + b"\r\n" + filled(b"On "),
    "text_that_many_wrote": lambda: HEAD + b"\r\n" + filled(b"On 1 Nov Ann wrote:\n> x\n"),
    "text_of_headers": lambda: HEAD + b"\r\n" + filled(b"From: x\n"),
    "text_of_colons": lambda: HEAD + b"\r\n" + filled(b"x : * "),
    "text_flowed": lambda: _typed(b"text/plain; format=flowed", filled(b"x \r\n")),
    "text_flowed_empty": lambda: _typed(b"text/plain; format=flowed; delsp=yes", filled(b" \r\n")),
    "text_in_base64": lambda: _headed(b"Content-Transfer-Encoding: base64", b"\r\n" + filled(b"QUFB" * 19 + b"\r\n")),
    "text_in_base64_lines": lambda: HEAD + b"\r\n" + filled(b"A\n\n"),
    "text_in_broken_base64": lambda: _headed(b"Content-Transfer-Encoding: base64", b"\r\n" + filled(b"A=")),
    "text_in_quoted_printable": lambda: _headed(b"Content-Transfer-Encoding: quoted-printable", b"\r\n" + filled(b"=\n")),
    "text_uuencoded": lambda: _headed(b"Content-Transfer-Encoding: x-uuencode", b"\r\nbegin 644 a\n" + filled(b"~\n")),
    "text_as_a_host_name": lambda: _typed(b"text/plain; charset=punycode", filled(b"a-b9")),
    "text_as_another_host_name": lambda: _typed(b"text/plain; charset=idna", filled(b"xn--a.")),
    "text_as_an_archive": lambda: _typed(b"text/plain; charset=zip", filled(b"x")),
    "text_as_python": lambda: _typed(b"text/plain; charset=unicode_escape", filled(b"\\N{x}\\q")),
    "text_in_seven_bits": lambda: _typed(b"text/plain; charset=utf-7", filled(b"+AAA-")),
    "text_in_two_bytes": lambda: _typed(b"text/plain; charset=utf-16", filled(b"\xd8\x00")),
    "text_of_tokens": lambda: HEAD + b"\r\n" + filled(b"WG-1-1-aaaaaaaaaaaaaaaa "),
    "text_of_names": lambda: HEAD + b"\r\n" + filled(b"<0123456789abcdef0123456789abcdef@a> "),
    "text_of_half_names": lambda: HEAD + b"\r\n" + filled(b"<0123456789abcdef0123456789abcdef@a"),
    "text_of_half_tokens": lambda: HEAD + b"\r\n" + filled(b"WG-1-1-"),
    "text_of_half_words": lambda: HEAD + b"\r\n" + filled(b"=?a?b?"),
    "text_between_words": lambda: HEAD + b"\r\n" + filled(b"?= "),
    "text_of_part_headers": lambda: HEAD + b"\r\n" + filled(b"content-type:\n "),
}  # fmt: skip
