"""Handing ids to workers. The database knows what is to be done; a message only has it done sooner than the next sweep would.

So publishing never fails anybody's request and holds none up: it happens after the commit, its time-outs are short (see
`deploy.env.broker`), a failure is logged, and after one the broker is left alone for a while.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from celery import current_app
from django.db import transaction

logger = logging.getLogger(__name__)

# By name: tasks stand above the services that publish them.
RUN_TURN = "campaign.tasks.run_turn"
FIGHT = "battles.tasks.fight"
SEND_NOTICE = "campaign.tasks.send_notice"
SEND_NOTICES = "campaign.tasks.send_notices"
SEND_LINKS = "campaign.tasks.send_links"
FIGHT_ODDS = "campaign.tasks.fight_odds"
FIGHT_ODDS_FIRST = "campaign.tasks.fight_odds_first"

REST_SECONDS = 15.0


@dataclass(slots=True)
class Rest:
    """Leaves a broker that failed alone for `seconds`; then one caller tries it, and the others go on without until that worked."""

    seconds: float = REST_SECONDS
    clock: Callable[[], float] = monotonic
    _until: float | None = None
    _lock: Any = field(default_factory=Lock)

    def may_try(self) -> bool:
        """Whether the caller may go to the broker now."""
        with self._lock:
            if self._until is None:
                return True
            if self.clock() < self._until:
                return False
            self._until = self.clock() + self.seconds
            return True

    def failed(self) -> None:
        """The broker did not take a message."""
        with self._lock:
            self._until = self.clock() + self.seconds

    def worked(self) -> None:
        """The broker took a message."""
        with self._lock:
            self._until = None


broker = Rest()  # of this process


def publish(task: str, *args: Any) -> None:
    """Hand work to a worker once the present transaction is committed. Never raises; see `hand_on`."""
    transaction.on_commit(partial(hand_on, task, *args), robust=True)


def hand_on(task: str, *args: Any) -> bool:
    """Hand work to a worker now. Never raises; returns whether the broker took it. If not, the next sweep hands it on."""
    if not broker.may_try():
        return False
    try:
        current_app.tasks[task].delay(*args)
    except Exception as error:  # whatever a broker's client does when it finds no broker
        broker.failed()
        logger.warning("%s%r waits for the sweep: the broker is away (%s)", task, args, type(error).__name__)
        return False
    broker.worked()
    return True
