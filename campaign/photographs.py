"""Photographs that people send: decoded within bounds and written anew, smaller, upright, and without what a camera adds.

Nothing of the file that came in is kept. A file is refused with a sentence for its sender.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass
from typing import IO

from PIL import Image, ImageCms, ImageOps

MOST_BYTES = 15 * 2**20
MOST_PIXELS = 50_000_000
LONGEST, LONGEST_SMALL = 1600, 480  # pixels, of the longer side
LEAST = 16  # pixels, of the shorter side
_FORMATS = ("JPEG", "PNG", "WEBP")
_QUALITY = 82
_PAPER = (255, 255, 255)  # behind what is transparent


class PhotographRefused(ValueError):
    """A file that is not taken; the text says why and what would be."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph as it is kept: JPEG data, and the same small for a list. digest: SHA-256 of jpeg."""

    width: int
    height: int
    jpeg: bytes
    small: bytes

    @property
    def digest(self) -> str:
        """By which the same photograph is known when it comes twice."""
        return hashlib.sha256(self.jpeg).hexdigest()


def photograph(file: IO[bytes], *, name: str, size: int) -> Photograph:
    """Make a photograph of a file. name: for the refusal. size: in bytes. Raises PhotographRefused."""
    if size > MOST_BYTES:
        raise PhotographRefused(f"{name} has more than {MOST_BYTES // 2**20} MB. Send a smaller one.")
    try:
        with warnings.catch_warnings(), Image.open(file, formats=_FORMATS) as opened:
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # its own bound comes next
            _measured(opened, name)
            # a large JPEG is decoded at an eighth, a quarter or half its size
            opened.draft("RGB", (LONGEST, LONGEST))
            picture = _plain(ImageOps.exif_transpose(opened))
    except PhotographRefused:
        raise
    except Image.DecompressionBombError as error:  # so large that it is not even opened
        raise PhotographRefused(_too_large(name)) from error
    # Pillow has an error for every way in which a file can be broken
    except Exception as error:
        raise PhotographRefused(
            f"{name} is not a picture that can be read. Send a JPEG, PNG or WebP file."
        ) from error
    picture.thumbnail((LONGEST, LONGEST))
    small = picture.copy()
    small.thumbnail((LONGEST_SMALL, LONGEST_SMALL))
    return Photograph(picture.width, picture.height, _jpeg(picture), _jpeg(small))


def is_photograph(jpeg: bytes) -> bool:
    """Whether data is a JPEG as this module writes them, whole and no larger."""
    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as opened:
            if max(opened.size) > LONGEST:
                return False
            opened.load()
    except Exception:  # Pillow has an error for every way in which a file can be broken
        return False
    return True


def _measured(opened: Image.Image, name: str) -> None:
    """Raises PhotographRefused by the size that the file states, before any of it is decoded."""
    if opened.width * opened.height > MOST_PIXELS:
        raise PhotographRefused(_too_large(name))
    if min(opened.width, opened.height) < LEAST:
        raise PhotographRefused(f"{name} is too small to be a photograph.")


def _too_large(name: str) -> str:
    return f"{name} has too many pixels. Send one of up to {MOST_PIXELS // 10**6} million."


def _plain(picture: Image.Image) -> Image.Image:
    """In the colours that every screen expects, on white where it is transparent."""
    profile = picture.info.get("icc_profile")
    if profile and picture.mode == "RGB":
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            picture = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB")) or picture
        except (ImageCms.PyCMSError, OSError):
            pass  # a broken profile: the colours stay as they are
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        behind = Image.new("RGB", picture.size, _PAPER)
        behind.paste(picture, mask=picture.getchannel("A"))
        return behind
    return picture.convert("RGB")


def _jpeg(picture: Image.Image) -> bytes:
    clean = Image.new("RGB", picture.size)
    clean.paste(picture)
    sink = io.BytesIO()
    clean.save(sink, "JPEG", quality=_QUALITY, optimize=True, progressive=True)
    return sink.getvalue()
