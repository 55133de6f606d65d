"""The Celery application: carries ids to workers, keeps nothing.

What is to be done is known in the database; a lost message is found again by the sweep, and a message
that comes twice finds its claim taken.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_ready

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
