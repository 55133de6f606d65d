"""The timer where several may run, on any machines: one of them asks for sweeps, and the others stand by."""

from __future__ import annotations

import logging
import os
import platform
import uuid
from typing import Any

from django.db import DatabaseError, close_old_connections

from campaign.services.beat import beat_hold, beat_release
from deploy.steady_beat import SteadyBeat

logger = logging.getLogger(__name__)


class OneBeat(SteadyBeat):
    """A scheduler that sends only while it holds the lease in the database."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.holder = uuid.uuid4()
        self.machine = f"{platform.node()}, process {os.getpid()}"
        self.held: bool | None = None  # None before the first round, and while the database is away
        super().__init__(*args, **kwargs)

    def close(self) -> None:
        """Lets another take over at once."""
        try:
            beat_release(holder=self.holder)
        except DatabaseError:
            logger.warning("the lease could not be given up; it runs out by itself")
        super().close()

    def may_send(self) -> bool:
        """Whether this process holds the lease. Without a database there is nothing to sweep."""
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
