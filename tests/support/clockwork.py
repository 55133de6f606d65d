"""Time by hand: the sweep at odd hours, one worker who does everything twice, and two sweeps at once at every seam."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from battles.tasks import fight
from campaign import tasks
from campaign.services import sweep as sweeping

ODD = timedelta(hours=6, minutes=53)  # less than what the rules call an outage
# Where a second sweep may overtake the first: before each of these the other one runs from its beginning to its end.
SEAMS = (
    "outages_meet", "results_lapse", "reminders_write", "digests_write", "umpire_digests_write", "run_those_ready", "turn_lock_or_hold",
)  # fmt: skip


class Clockwork:
    """The clocks of a club, and the worker and the sweep that run by them.

    zone: of the clocks on its wall. Nothing happens but by `until`: players act in between, and what they set going waits for it.
    """

    def __init__(self, traveller: Any, zone: str, patch: Any, on_commit: Any) -> None:
        self._traveller, self._zone, self._patch = traveller, ZoneInfo(zone), patch
        self._on_commit = on_commit
        self._waiting: list[tuple[Any, Any]] = []
        self.done = 0
        for task in (tasks.run_turn, tasks.send_notice, tasks.send_notices, fight):
            patch.setattr(task, "delay", lambda arg, task=task: self._waiting.append((task, arg)))

    @property
    def now(self) -> datetime:
        """The hour on the wall."""
        return timezone.now().astimezone(self._zone)

    def at(self, words: str) -> datetime:
        """An hour on the wall, like "Sun 25 Oct 20:00", in the year that it is. Raises ValueError when that day is another weekday."""
        moment = datetime.strptime(f"{words} {self.now.year}", "%a %d %b %H:%M %Y").replace(tzinfo=self._zone)
        if f"{moment:%a}" != words[:3]:
            raise ValueError(f"{words} is a {moment:%A}")
        return moment

    def until(self, words: str) -> None:
        """Let time pass, with sweeps at odd hours; at the end two sweeps at once and one more, and whatever waits is done, twice."""
        goal = self.at(words)
        while self.now + ODD < goal:
            self._traveller.move_to(timezone.now() + ODD)
            self._round()
        self._traveller.move_to(goal)
        with self._overtaken(), self._on_commit(execute=True):
            tasks.sweep()
        self._round(sweeps=1)

    def stand_still_until(self, words: str) -> None:
        """Let time pass while no process runs."""
        self._traveller.move_to(self.at(words))

    @contextmanager
    def acting(self) -> Iterator[None]:
        """What people do in here is committed at its end, and what it sets going waits for the worker."""
        with self._on_commit(execute=True):
            yield

    def _round(self, *, sweeps: int = 2) -> None:
        for _ in range(sweeps):
            with self._on_commit(execute=True):
                tasks.sweep()
        while self._waiting:
            task, arg = self._waiting.pop(0)
            for _ in range(2):
                with self._on_commit(execute=True):
                    task(arg)
                self.done += 1

    @contextmanager
    def _overtaken(self) -> Iterator[None]:
        """Within it every sweep is overtaken at every seam by another."""
        inside = False

        def overtaken(step: Callable[..., Any]) -> Callable[..., Any]:
            def both(*args: Any, **kwargs: Any) -> Any:
                nonlocal inside
                if not inside:
                    inside = True
                    try:
                        tasks.sweep()
                    finally:
                        inside = False
                return step(*args, **kwargs)

            return both

        with self._patch.context() as patch:
            for seam in SEAMS:
                patch.setattr(sweeping, seam, overtaken(getattr(sweeping, seam)))
            yield
