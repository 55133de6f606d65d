"""The timer that asks for sweeps: any number may run, on any machines, and one of them asks. The others stand by.

It counts by the processor's clock and keeps no file, so a clock that is set forward or back neither hurries nor stops it: Celery's
own timer would wait for the day that it believes it has had already.
"""

from __future__ import annotations

import logging
import os
import platform
import time
import uuid
from typing import Any

from celery import beat
from celery.schedules import schedule
from django.conf import settings
from django.db import DatabaseError, close_old_connections

from campaign.services.beat import beat_hold, beat_release

logger = logging.getLogger(__name__)


class OneBeat(beat.Scheduler):
    """Celery's scheduler for entries that come at a fixed interval, sent by the holder of the lease alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.holder = uuid.uuid4()
        self.machine = f"{platform.node()}, process {os.getpid()}"
        self.held: bool | None = None  # None before the first round, and while the database is away
        self.due: dict[str, float] = {}
        super().__init__(*args, **kwargs)

    def tick(self, *_: Any, **__: Any) -> float:
        """Sends what is due, if this process holds the lease. Returns seconds until the next is due."""
        now = time.monotonic()
        soonest = now + float(self.max_interval or settings.SWEEP_SECONDS)
        for name, entry in self.schedule.items():
            if now >= self.due.get(name, 0.0):
                assert isinstance(entry.schedule, schedule), f"{name} has no interval"
                self.due[name] = now + entry.schedule.run_every.total_seconds()  # type: ignore[attr-defined]
                if self._holds():
                    self.apply_entry(entry, producer=self.producer)
            soonest = min(soonest, self.due[name])
        return max(0.0, soonest - time.monotonic())

    def close(self) -> None:
        """Lets another take over at once."""
        try:
            beat_release(holder=self.holder)
        except DatabaseError:
            logger.warning("the lease could not be given up; it runs out by itself")
        super().close()

    def _holds(self) -> bool:
        """Whether this process may send now. Without a database there is nothing to sweep."""
        close_old_connections()
        try:
            held = beat_hold(holder=self.holder, machine=self.machine)
        except DatabaseError as error:
            if self.held is not None:
                logger.warning("no sweeps while the database is away (%s)", type(error).__name__)
            self.held = None
            return False
        if held != self.held:
            logger.warning("this beat %s", "asks for sweeps" if held else "stands by: another has the lease")
        self.held = held
        return held
