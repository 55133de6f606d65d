"""A timer that no clock can stop. It knows nothing of Django."""

from __future__ import annotations

import time
from typing import Any

from celery import beat
from celery.schedules import schedule


class SteadyBeat(beat.Scheduler):
    """Celery's scheduler for entries that come at a fixed interval.

    It counts by the processor's clock and keeps no file, so a clock that is set forward or back neither hurries nor stops it: Celery's
    own scheduler would wait for the day that it believes it has had already.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.due: dict[str, float] = {}
        super().__init__(*args, **kwargs)

    def tick(self, *_: Any, **__: Any) -> float:
        """Sends what is due, if this process may. Returns seconds until the next is due."""
        now = time.monotonic()
        soonest = now + float(self.max_interval or 300)
        for name, entry in self.schedule.items():
            if now >= self.due.get(name, 0.0):
                assert isinstance(entry.schedule, schedule), f"{name} has no interval"
                self.due[name] = now + entry.schedule.run_every.total_seconds()  # type: ignore[attr-defined]
                if self.may_send():
                    self.apply_entry(entry, producer=self.producer)
            soonest = min(soonest, self.due[name])
        return max(0.0, soonest - time.monotonic())

    def may_send(self) -> bool:
        """Whether this process is the one that sends now."""
        return True
