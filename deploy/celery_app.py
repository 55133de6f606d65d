"""The Celery application: carries ids to workers, keeps nothing.

The database knows what is to be done; the sweep makes up for a lost message, and a message
that comes twice finds its claim taken.
"""

import os
import signal
from typing import Any

from celery import Celery
from celery.concurrency.solo import TaskPool as Solo
from celery.signals import beat_init, task_postrun, task_prerun, worker_init, worker_ready

from deploy import spool

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")

spool.install()

SWEEP = "campaign.tasks.sweep"
PATIENT_SECONDS = 5.0

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
@beat_init.connect
def be_patient(**_: Any) -> None:
    """Only pages are in a hurry: a worker or beat waits for a slow broker rather than reconnecting."""
    options = app.conf.broker_transport_options
    if "socket_timeout" in options:
        app.conf.broker_transport_options = {**options, "socket_timeout": PATIENT_SECONDS}


@worker_ready.connect
def sweep_at_once(**_: Any) -> None:
    """A worker begins with one sweep, in place of all that piled up while there was none: what a dead worker left is put back at once."""
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


def wind_alarm(**_: Any) -> None:
    """At the beginning of a task."""
    signal.setitimer(signal.ITIMER_REAL, app.conf.task_time_limit)


def stop_alarm(**_: Any) -> None:
    """At its end."""
    signal.setitimer(signal.ITIMER_REAL, 0)
