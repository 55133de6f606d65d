"""Photographs are decoded within bounds and written anew: smaller, upright, and without what a camera adds."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from PIL import Image

from campaign.photographs import LONGEST, LONGEST_SMALL, PhotographRefused, is_photograph, photograph

RED, BLUE = (200, 20, 20), (20, 20, 200)
ORIENTATION, ARTIST, GPS = 0x0112, 0x013B, 0x8825


def encoded(picture: Image.Image, kind: str = "JPEG", **more: Any) -> bytes:
    sink = io.BytesIO()
    picture.save(sink, kind, **more)
    return sink.getvalue()


def two_halves(width: int, height: int) -> Image.Image:
    """Red on the left, blue on the right."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, 0, width, height))
    return picture


def taken(data: bytes) -> Any:
    return photograph(io.BytesIO(data), name="deck.jpg", size=len(data))


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 16 for a, b in zip(one, other, strict=True))


def test_a_photograph_is_turned_upright_and_loses_everything_but_the_picture() -> None:
    exif = Image.Exif()
    exif[ORIENTATION], exif[ARTIST] = 6, "A. Player"
    exif.get_ifd(GPS)[1] = "N"
    data = encoded(two_halves(400, 200), exif=exif, comment=b"kept at home")
    assert b"A. Player" in data and b"kept at home" in data

    made = taken(data)

    assert (made.width, made.height) == (200, 400)
    with Image.open(io.BytesIO(made.jpeg)) as shown:
        assert not shown.getexif() and "icc_profile" not in shown.info and "comment" not in shown.info
        assert near(shown.getpixel((100, 20)), RED) and near(shown.getpixel((100, 380)), BLUE)
    for part in (made.jpeg, made.small):
        assert b"A. Player" not in part and b"kept at home" not in part and b"Exif" not in part


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_large_picture_is_made_smaller_and_a_small_one_is_not_made_larger(kind: str) -> None:
    large, small = taken(encoded(two_halves(2400, 1200), kind)), taken(encoded(two_halves(300, 100), kind))

    assert (large.width, large.height) == (LONGEST, LONGEST // 2)
    with Image.open(io.BytesIO(large.small)) as shown:
        assert shown.size == (LONGEST_SMALL, LONGEST_SMALL // 2)
    assert (small.width, small.height) == (300, 100)
    assert is_photograph(large.jpeg) and is_photograph(small.small)


def test_what_is_transparent_becomes_white() -> None:
    made = taken(encoded(Image.new("RGBA", (40, 40), (0, 0, 0, 0)), "PNG"))
    with Image.open(io.BytesIO(made.jpeg)) as shown:
        assert near(shown.getpixel((20, 20)), (255, 255, 255))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says that it has so many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bomb(60_000, 60_000), "too many pixels. Send one of up to 50 million"),
        (bomb(10_001, 5_000), "too many pixels"),
        (b"", "is not a picture that can be read. Send a JPEG, PNG or WebP file"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a picture that can be read"),
        (encoded(two_halves(200, 100))[:900], "is not a picture that can be read"),
        (encoded(two_halves(200, 100), "GIF"), "is not a picture that can be read"),
        (encoded(two_halves(200, 15)), "is too small to be a photograph"),
    ],
    ids=["huge", "too large", "empty", "SVG", "cut off", "GIF", "too small"],
)
def test_a_file_that_is_no_photograph_or_would_not_fit_is_refused_with_a_sentence(
    data: bytes, said: str
) -> None:
    with pytest.raises(PhotographRefused, match=f"deck.jpg (has )?{said}"):
        taken(data)


def test_a_file_of_too_many_bytes_is_not_even_opened() -> None:
    with pytest.raises(PhotographRefused, match="more than 15 MB"):
        photograph(None, name="deck.jpg", size=15 * 2**20 + 1)  # type: ignore[arg-type]


def test_an_archive_holds_photographs_as_a_site_keeps_them_and_nothing_else() -> None:
    assert not is_photograph(b"GIF89a")
    assert not is_photograph(encoded(two_halves(LONGEST + 1, 100)))
    assert not is_photograph(encoded(two_halves(200, 100), "PNG"))
    assert not is_photograph(encoded(two_halves(200, 100))[:-200])
