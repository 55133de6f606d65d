"""The filesystem broker, with messages that are whole or not there.

kombu's own filesystem transport opens a message under its final name before it writes, so a worker that
looks at that moment reads an empty file, throws the message away and stumbles over it: 6 of 4,000 in a
trial.  It also moves each message through the system's temporary folder.  Here a message is written under
another name, then renamed, and taken by a rename inside the queue's folder, which only one worker can win.

A message that cannot be handled is set aside once, in the folder `bad` beside the queue's: it stops no
worker and does not come back.  The sweep finds the work that it may have meant.
"""

import contextlib
import fcntl
import json
import logging
import os
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.transport.virtual import BrokerState
from kombu.utils.scheduling import FairCycle

logger = logging.getLogger(__name__)

STALE_SECONDS = 60.0  # a write or a take that began longer ago than this belongs to a process that died


class InOrder(FairCycle):
    """The queues in the order in which the worker names them, from the first each time.

    The single worker of a small site sends no email while a turn waits.
    """

    def get(self, callback: Callable[..., Any] | None, **kwargs: Any) -> Any:
        """A message of the first queue that has one.  Raises Empty."""
        self.pos = 0
        return super().get(callback, **kwargs)


class Channel(filesystem.Channel):
    """Puts and takes messages by rename; reads and writes the table of queues under one lock."""

    @property
    def folder(self) -> Path:
        """The folder of the messages, created at first use."""
        folder = Path(self.data_folder_in)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        # names sort by time, so messages are taken in the order in which they came
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        aside = self.folder / f"{name}.part"
        try:
            aside.write_text(json.dumps(payload), encoding="utf-8")
            os.replace(aside, self.folder / name)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in sorted(os.listdir(self.folder)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = self.folder / f"{name}.taken"
            try:
                os.rename(self.folder / name, taken)
            except FileNotFoundError:
                continue  # another worker was first
            raw = taken.read_bytes()
            taken.unlink()
            try:
                payload = json.loads(raw)
                self.Message(payload, channel=self)  # does it have the shape of a message?
            except Exception as error:  # whatever kombu raises for anything else
                self._set_aside(name, raw, error)
                continue
            return payload
        raise Empty

    def basic_consume(self, queue: str, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        tag = super().basic_consume(queue, *args, **kwargs)
        callbacks: dict[str, Callable[[Any], Any]] = self.connection._callbacks  # type: ignore[assignment]
        deliver = callbacks[queue]

        def guarded(payload: Any) -> None:
            try:
                deliver(payload)
            except OSError:
                raise  # the folder is missing; the message is not bad
            except Exception as error:  # a message that Celery cannot handle would otherwise end the worker
                self.qos.ack(payload["properties"]["delivery_tag"])
                name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
                self._set_aside(name, json.dumps(payload).encode(), error)

        callbacks[queue] = guarded
        return tag

    def _reset_cycle(self) -> None:
        self._cycle = InOrder(self._get_and_deliver, self._active_queues, Empty)

    def _set_aside(self, name: str, raw: bytes, error: Exception) -> None:
        bad = self.folder.parent / "bad"
        with contextlib.suppress(OSError):  # on a full disk it is lost, which does no harm
            bad.mkdir(exist_ok=True)
            (bad / name).write_bytes(raw)
        logger.error("message %s cannot be handled and was set aside in %s", name, bad, exc_info=error)

    def _size(self, queue: str) -> int:
        return sum(name.partition(".")[2] == f"{queue}.msg" for name in os.listdir(self.folder))

    def _purge(self, queue: str) -> int:
        purged = 0
        for path in self.folder.glob(f"*.{queue}.msg"):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
                purged += 1
        return purged

    def get_table(self, exchange: str) -> list[Any]:
        with self._table_lock():
            return super().get_table(exchange)

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str) -> None:
        with self._table_lock():
            super()._queue_bind(exchange, routing_key or "", pattern or "", queue)

    @contextlib.contextmanager
    def _table_lock(self) -> Iterator[None]:
        # kombu empties the table's file before it locks it; a lock beside it covers that moment too
        self.control_folder.mkdir(parents=True, exist_ok=True)
        with (self.control_folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    """What `filesystem://` means here."""

    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        # kombu remembers bindings for the whole process, whatever folder they were made in; a connection
        # that trusts them finds no table in its own folder and drops what it sends
        self.state = BrokerState()


def install() -> None:
    """Makes `filesystem://` mean this transport in this process."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"


def tidy(folder: str | Path) -> None:
    """Puts back what a killed worker had just taken, and deletes what a killed process had half written.

    folder: where the broker keeps its messages.
    """
    now = time.time()
    for path in Path(folder).glob("*.msg.*"):
        with contextlib.suppress(FileNotFoundError):
            if now - path.stat().st_ctime < STALE_SECONDS:
                continue  # another process is working on it
            if path.suffix == ".taken":
                os.rename(path, path.with_suffix(""))
            elif path.suffix == ".part":
                path.unlink()


def drop_messages(folder: str | Path, *, task: str) -> int:
    """Deletes the waiting messages of one task and returns how many there were.

    folder: where the broker keeps its messages.  One that another process takes in the meantime is left alone.
    """
    dropped = 0
    for path in Path(folder).glob("*.msg"):
        with contextlib.suppress(FileNotFoundError, ValueError, AttributeError):
            if json.loads(path.read_bytes()).get("headers", {}).get("task") == task:
                path.unlink()
                dropped += 1
    return dropped
