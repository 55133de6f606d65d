"""A maildir that strangers write to: each email is moved out of `new` before anything reads it, and ends in `cur` or in `bad`.

While it is being processed an email lies in `work`, under the number of the try, which shows up one that kills its reader. One run
at a time processes a maildir.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

MOST_TRIES = 5
MOST_BAD = 200  # mails in a folder of bad ones
MOST_BAD_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Taken:
    """An email being processed. name: of its file in `new`. tries: how often it has been started, including this time."""

    path: Path
    name: str
    tries: int

    def read(self, size: int) -> bytes:
        """As much of it as a size says."""
        with self.path.open("rb") as mail:
            return mail.read(size)


class BadFolder:
    """Emails that could not be read, each with its reason beside it; the oldest make room."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, raw: bytes, reason: str) -> str:
        """Write a mail that lies nowhere else. Returns the name of its file, the same for the same mail."""
        name = hashlib.sha256(raw).hexdigest()[:32]
        self._make()
        (self.folder / name).write_bytes(raw)
        self._note(name, reason)
        return name

    def move(self, mail: Taken, reason: str) -> None:
        """Move an email of a maildir here, unless someone has taken it away in the meantime."""
        self._make()
        with suppress(FileNotFoundError):
            os.replace(mail.path, self.folder / mail.name)
            self._note(mail.name, reason)

    def _make(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _note(self, name: str, reason: str) -> None:
        (self.folder / f"{name}.reason").write_text(f"{reason}\n", encoding="utf-8")
        self._make_room()

    def _make_room(self) -> None:
        found = [path for path in self.folder.iterdir() if path.suffix != ".reason"]
        stats = sorted(
            ((path.stat(), path) for path in found), key=lambda row: (-row[0].st_ctime, row[1].name)
        )
        room = MOST_BAD_BYTES
        for at, (stat, path) in enumerate(stats):
            room -= stat.st_size
            if at and (at >= MOST_BAD or room < 0):
                path.unlink(missing_ok=True)
                path.with_name(f"{path.name}.reason").unlink(missing_ok=True)


class Maildir:
    """A maildir. Raises NotADirectoryError for a folder that is not one."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.fresh, self.read, self.work = (
            folder,
            folder / "new",
            folder / "cur",
            folder / "work",
        )
        if not self.fresh.is_dir() or not self.read.is_dir():
            raise NotADirectoryError(f"{folder} is not a maildir: it has no folders new and cur")
        self.bad = BadFolder(folder / "bad")

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether no other run is at work here; while this one is, none can be. A run that is killed blocks no one."""
        self.work.mkdir(mode=0o700, exist_ok=True)
        with (self.work / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def waiting(self) -> list[Path]:
        """The emails to process: new ones in order, and after them those started earlier and not finished."""
        new = sorted(path for path in self.fresh.iterdir() if path.is_file())
        begun = self.work.iterdir() if self.work.is_dir() else ()
        return new + sorted(path for path in begun if path.name != ".lock")

    def begin(self, path: Path) -> Taken | None:
        """Start an email; None for one that is gone."""
        tries, name = 0, path.name
        if path.parent == self.work:
            before, mark, rest = path.name.partition("!")
            tries, name = (int(before), rest) if mark and before.isdecimal() else (0, path.name)
        taken = Taken(self.work / f"{tries + 1}!{name}", name, tries + 1)
        try:
            os.replace(path, taken.path)
        except FileNotFoundError:
            return None
        return taken

    def done(self, mail: Taken) -> None:
        """An email is finished."""
        with suppress(FileNotFoundError):
            os.replace(mail.path, self.read / f"{mail.name.partition(':')[0]}:2,S")

    def put_back(self, mail: Taken) -> None:
        """An email waits again, as if it had not been started."""
        with suppress(FileNotFoundError):
            os.replace(mail.path, self.fresh / mail.name)
