"""An email as bytes, before it is parsed: is it within bounds, and does it hold one of our tokens or the name of one of our emails?

Pure, and in time proportional to the email's length: anyone in the world may send one. Python's email parser does not promise that,
so it only sees what has passed here.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from campaign.notices.replies import tokens_in

# Bytes of an email that are read; only pictures are cut off, since the words come first.
LARGEST = 2_000_000
LONGEST_HEAD = 200_000  # bytes of all its headers
LONGEST_HEADER = 16_000  # bytes of one of them
LONGEST_PART_HEADER = 4_000  # bytes of one header of a part: its kind, its name, its encoding
LONGEST_PART_HEADERS = 200_000
MOST_HEADERS = 1_000
MOST_PARTS = 1_000
MOST_REPORTS = 5_000  # blocks of a bounce report
MOST_TOKENS = 200
MOST_NAMES = 50
_SHORTEST = 32  # letters of base64 that may hold a token

_HEAD_ENDS = re.compile(rb"(?:\r\n|\r(?!\n)|\n){2}")
_FOLD = re.compile(rb"\n[ \t]")
_OF_PART = re.compile(rb"^content-[a-z-]{1,40}[ \t]*:", re.I | re.M)
_PART = re.compile(rb"^--", re.M)
_BLANK = re.compile(rb"\n\n")
_IN_BASE64 = re.compile(rb"=\?[^?\s]{1,40}\?b\?([a-z0-9+/]{1,1000}={0,2})\?=", re.I)
_BETWEEN_WORDS = re.compile(rb"\?=\s{1,80}=\?[^?\s]{1,40}\?q\?", re.I)
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]{1,998}={0,2}")
_NAME = re.compile(r"<[0-9a-f]{32}@[^<>\s]{1,160}>")


class BadMail(ValueError):
    """An email that is not read; the text says why, and quotes none of it."""


def head_of(raw: bytes) -> bytes:
    """The headers of an email; all of it if it has nothing else."""
    end = _HEAD_ENDS.search(raw)
    return raw[: end.end()] if end else raw


def bounded(raw: bytes) -> bytes:
    """As much of an email as is read. Raises BadMail for one that no person would write and a parser would choke on."""
    raw = raw[:LARGEST]
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")  # all of them end a line for Python's parser
    head = head_of(lines)
    if len(head) > LONGEST_HEAD:
        raise BadMail(f"its headers are longer than {LONGEST_HEAD} bytes in total")
    headers = _FOLD.sub(b"  ", head).split(b"\n")
    if len(headers) > MOST_HEADERS:
        raise BadMail(f"it has more than {MOST_HEADERS} headers")
    if max(map(len, headers)) > LONGEST_HEADER:
        raise BadMail(f"one of its headers is longer than {LONGEST_HEADER} bytes")
    if sum(1 for _ in _PART.finditer(lines)) > MOST_PARTS:
        raise BadMail(f"it has more than {MOST_PARTS} parts")
    _bound_parts(lines)
    if b"delivery-status" in lines.lower() and sum(1 for _ in _BLANK.finditer(lines)) > MOST_REPORTS:
        raise BadMail(f"it contains more than {MOST_REPORTS} delivery reports")
    return raw


def _bound_parts(lines: bytes) -> None:
    total = 0
    for found in _OF_PART.finditer(lines):
        end = lines.find(b"\n", found.end())
        while end != -1 and lines[end + 1 : end + 2] in (b" ", b"\t"):
            end = lines.find(b"\n", end + 1)
        length = (len(lines) if end == -1 else end) - found.start()
        total += length
        if length > LONGEST_PART_HEADER or total > LONGEST_PART_HEADERS:
            raise BadMail("the headers of its parts are too long")


def tokens_in_raw(raw: bytes) -> list[tuple[int, int, str]]:
    """Reply tokens in an email, wherever and however an email program may have written them, each once."""
    found: dict[tuple[int, int, str], None] = {}
    for reading in _readings(raw):
        for token in tokens_in(reading):
            found[token] = None
            if len(found) == MOST_TOKENS:
                return list(found)
    return list(found)


def names_in_raw(raw: bytes) -> list[str]:
    """What may be our Message-IDs in an email, each once."""
    found: dict[str, None] = {}
    for reading in _readings(raw):
        for name in _NAME.finditer(reading):
            found[name[0]] = None
            if len(found) == MOST_NAMES:
                return list(found)
    return list(found)


def _readings(raw: bytes) -> Iterator[str]:
    """An email as it is, as quoted-printable, and its base64 parts decoded; anything but ASCII becomes a mark."""
    yield _ascii(raw)
    yield _ascii(binascii.a2b_qp(_BETWEEN_WORDS.sub(b"", raw), header=True))
    yield _ascii(b"".join(_decoded(word[1]) for word in _IN_BASE64.finditer(raw)))
    run: list[bytes] = []
    for line in (*raw.split(b"\n"), b""):
        line = line.strip()
        if _BASE64_LINE.fullmatch(line):
            run.append(line)
        elif run:
            whole, run = b"".join(run), []
            if len(whole) >= _SHORTEST:
                yield _ascii(_decoded(whole))


def _ascii(words: bytes) -> str:
    # letters of two bytes each have a nil beside each that stands in a token
    return words.replace(b"\0", b"").decode("ascii", "replace")


def _decoded(words: bytes) -> bytes:
    words = words.rstrip(b"=")
    try:
        return binascii.a2b_base64(words[: len(words) - (len(words) % 4 == 1)] + b"==")
    except binascii.Error:  # it was none
        return b""
