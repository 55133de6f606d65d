"""The Celery application: carries ids to workers, keeps nothing.

What is to be done is known in the database; a lost message is found again by the sweep, and a message
that comes twice finds its claim taken.
"""

import os
import signal
from typing import Any

from celery import Celery
from celery.concurrency.solo import TaskPool as Solo
from celery.signals import task_postrun, task_prerun, worker_init, worker_ready

from deploy import spool

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")

spool.install()

SWEEP = "campaign.tasks.sweep"

app = Celery("weather_gage")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def drop_stale_sweeps(**_: Any) -> None:
    """Empties the queue of the sweeps that piled up while no worker was there."""
    folder = app.conf.broker_transport_options.get("data_folder_in")
    if folder:
        spool.drop_messages(folder, task=SWEEP)


@worker_ready.connect
def sweep_at_once(**_: Any) -> None:
    """A worker begins with a sweep: what a dead one left is put back without waiting for beat."""
    app.send_task(SWEEP, expires=app.conf.beat_schedule["sweep"]["schedule"])


@worker_ready.connect
def watchdog(sender: Any, **_: Any) -> None:
    """Gives a worker that is one process the time limit that a pool gives its children: Celery's solo pool has none.

    The alarm is the kernel's, and ends the process whatever it is doing; whoever started the worker starts it again, and the work is
    found by its lease. What does so three times is given up.
    """
    if isinstance(sender.pool, Solo) and app.conf.task_time_limit:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        task_prerun.connect(wind_alarm)
        task_postrun.connect(stop_alarm)


def wind_alarm(**_: Any) -> None:
    """At the beginning of a task."""
    signal.setitimer(signal.ITIMER_REAL, app.conf.task_time_limit)


def stop_alarm(**_: Any) -> None:
    """At its end."""
    signal.setitimer(signal.ITIMER_REAL, 0)
