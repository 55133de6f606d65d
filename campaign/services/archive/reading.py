"""An archive opened and checked, before anything is written. It may come from anyone: sizes are bounded, and nothing in it is run.

Nothing is unpacked to a disk, so the names of its members lead nowhere.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from battles.services.fighting import digest
from campaign.services.archive.people import ADDRESSES, PSEUDONYMS
from campaign.services.archive.tables import FORMAT, KIND, MANIFEST, PEOPLE, TABLES

MB = 2**20
MOST_BYTES = 4096 * MB  # of all members, unpacked
MOST_IN_A_LINE = 64 * MB
MOST_IN_MANIFEST = MB

# How a row of an older format becomes one of the next: by format, then by member. A row that is None is left out.
UPGRADES: dict[int, Callable[[str, dict[str, Any]], dict[str, Any] | None]] = {}


class ImportRefused(ValueError):
    """An archive that cannot be imported; the text says what is wrong with it, and nothing was changed."""


class Archive:
    """An open archive whose manifest has been read. Use it as a context."""

    def __init__(self, path: Path) -> None:
        """Raises ImportRefused."""
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise ImportRefused(f"{path} does not exist.") from None
        except (OSError, zipfile.BadZipFile, NotImplementedError, EOFError, ValueError) as error:
            raise ImportRefused(
                f"{path} is not an archive of a campaign, or has been cut short: {error}."
            ) from error
        try:
            self.manifest = self._manifest()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def _manifest(self) -> dict[str, Any]:
        if MANIFEST not in self._zip.namelist():
            raise ImportRefused(f"The archive has no {MANIFEST}, so it is not an archive of a campaign.")
        if self._zip.getinfo(MANIFEST).file_size > MOST_IN_MANIFEST:
            raise ImportRefused(f"{MANIFEST} is too large to be that of a campaign.")
        found = _document(MANIFEST, self._bytes(MANIFEST))
        seal = found.pop("seal", None)
        if found.get("kind") != KIND:
            raise ImportRefused("The file is an archive of something else, not of a campaign.")
        _refuse_format(found.get("format"))
        if seal != digest(found):
            raise ImportRefused(f"{MANIFEST} has been altered: it does not have the checksum that it states.")
        return self._members_checked(found)

    def _members_checked(self, manifest: dict[str, Any]) -> dict[str, Any]:
        members = manifest["members"]
        there = [name for name in self._zip.namelist() if name != MANIFEST]
        if sorted(there) != sorted(members):
            strange = sorted(set(there) ^ set(members)) or sorted(there)
            raise ImportRefused(f"The archive does not hold what its manifest names: see {strange[0]}.")
        if manifest["people"] not in (ADDRESSES, PSEUDONYMS):
            raise ImportRefused(f"{manifest['people']!r} is not a way in which an archive names people.")
        known = {PEOPLE, *(table.member for table in TABLES)}
        if manifest["format"] == FORMAT and set(members) != known:
            raise ImportRefused(
                f"The archive's tables are not those of format {FORMAT}: see {min(known ^ set(members))}."
            )
        if sum(info.file_size for info in self._zip.infolist()) > MOST_BYTES:
            raise ImportRefused(f"The archive would unpack to more than {MOST_BYTES // (1024 * MB)} GB.")
        return manifest

    def verify(self) -> None:
        """Read every member once and compare it with its checksum. Raises ImportRefused."""
        for name, stated in self.manifest["members"].items():
            hashed, size = hashlib.sha256(), 0
            for line in self._lines(name):
                hashed.update(line)
                size += len(line)
            if hashed.hexdigest() != stated["sha256"] or size != stated["bytes"]:
                raise ImportRefused(
                    f"{name} is damaged or has been altered: it does not have the checksum that the manifest states."
                )

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The rows of a member, brought up to this format. Raises ImportRefused."""
        if name not in self.manifest["members"]:  # a table that the archive's format did not have
            return
        for number, line in enumerate(self._lines(name), start=1):
            row: dict[str, Any] | None = _document(f"{name}, line {number}", line)
            for older in range(self.manifest["format"], FORMAT):
                row = UPGRADES[older](name, row) if row is not None else None
            if row is not None:
                yield row

    def _bytes(self, name: str) -> bytes:
        with self._reading(name) as file:
            return file.read(MOST_IN_MANIFEST)

    def _lines(self, name: str) -> Iterator[bytes]:
        with self._reading(name) as file:
            while line := file.readline(MOST_IN_A_LINE):
                if not line.endswith(b"\n"):
                    raise ImportRefused(f"{name} has a row that is too long or has been cut.")
                yield line

    def _reading(self, name: str) -> _Member:
        return _Member(self._zip, name)


class _Member:
    """A member being read; what Python's zipfile says of damage becomes a sentence."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self.archive, self.name = archive, name

    def __enter__(self) -> Any:
        try:
            self.file = self.archive.open(self.name)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            raise ImportRefused(f"{self.name} cannot be read: {error}.") from error
        return self.file

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self.file.close()
        if isinstance(error, zipfile.BadZipFile | zlib.error | EOFError | OSError):
            raise ImportRefused(f"{self.name} is damaged: {error}.") from error


def _refuse_format(found: Any) -> None:
    if not isinstance(found, int):
        raise ImportRefused("The archive does not say which format it has.")
    if found > FORMAT:
        raise ImportRefused(
            f"The archive has format {found}. This site reads up to format {FORMAT}: update it first."
        )
    missing = [older for older in range(found, FORMAT) if older not in UPGRADES]
    if missing:
        raise ImportRefused(
            f"The archive has format {found}, which this site no longer reads. "
            "Import it into an older site, update that, and export it again."
        )


def _document(where: str, text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f"{where} is not valid JSON.") from error
    if not isinstance(found, dict):
        raise ImportRefused(f"{where} is not a row.")
    return found
