"""The Celery application: carries ids to workers, keeps nothing.

The database knows what is to be done; the sweep makes up for a lost message, and a message
that comes twice finds its claim taken.
"""

import os
import signal
import threading
from time import monotonic, sleep
from typing import Any

from celery import Celery
from celery.concurrency.solo import TaskPool as Solo
from celery.signals import task_postrun, task_prerun, worker_init, worker_ready

from deploy import patience, spool

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")

spool.install()

SWEEP = "campaign.tasks.sweep"

app = Celery("weather_gage")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def tidy_queue(**_: Any) -> None:
    """Frees the queue of what killed processes left."""
    folder = app.conf.broker_transport_options.get("data_folder_in")
    if folder:
        spool.tidy(folder)


@worker_init.connect
def wait_for_broker(**_: Any) -> None:
    """A worker waits for a slow broker rather than reconnecting."""
    patience.be_patient(app)


@worker_ready.connect
def sweep_at_once(sender: Any, **_: Any) -> None:
    """A worker begins with one sweep, in place of all that piled up while there was none: what a dead worker left is put back at once.

    One that serves odds or emails alone makes none.
    """
    if app.conf.task_default_queue not in sender.app.amqp.queues.consume_from:
        return
    folder = app.conf.broker_transport_options.get("data_folder_in")
    if folder:
        spool.drop_messages(folder, task=SWEEP)
    app.send_task(SWEEP, expires=app.conf.beat_schedule["sweep"]["schedule"])


@worker_ready.connect
def watchdog(sender: Any, **_: Any) -> None:
    """Gives a worker that is one process the time limit that a pool gives its children: Celery's solo pool has none.

    The alarm is the kernel's, and ends the process whatever it is doing; the supervisor starts the worker again, and the work is
    found by its lease. What does so three times is given up.
    """
    if isinstance(sender.pool, Solo) and app.conf.task_time_limit:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        task_prerun.connect(wind_alarm)
        task_postrun.connect(stop_alarm)


@worker_ready.connect
def leave_when_idle(**_: Any) -> None:
    """A worker that the supervisor starts when there is work ends when there has been none for a while.

    WORKER_LEAVES_AFTER in its environment says after how many seconds; the supervisor sets it for such a worker alone.

    It ends in order, so a message that comes at that moment waits for the next one.
    """
    linger = float(os.environ.get("WORKER_LEAVES_AFTER", 0))
    if linger:
        idle = Idle(linger)
        task_prerun.connect(idle.begin, weak=False)
        task_postrun.connect(idle.end, weak=False)
        threading.Thread(target=idle.watch, daemon=True).start()


class Idle:
    """How long a worker of one process has had nothing to do. seconds: after which it leaves."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.since: float | None = monotonic()

    def begin(self, **_: Any) -> None:
        """A task begins."""
        self.since = None

    def end(self, **_: Any) -> None:
        """A task has ended."""
        self.since = monotonic()

    def watch(self) -> None:
        """Wait, and then leave as if asked to."""
        while self.since is None or monotonic() - self.since < self.seconds:
            sleep(min(1.0, self.seconds / 4))
        os.kill(os.getpid(), signal.SIGTERM)


def wind_alarm(**_: Any) -> None:
    """At the beginning of a task."""
    signal.setitimer(signal.ITIMER_REAL, app.conf.task_time_limit)


def stop_alarm(**_: Any) -> None:
    """At its end."""
    signal.setitimer(signal.ITIMER_REAL, 0)
