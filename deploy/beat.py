"""Beat without Django: the timer of a site that one supervisor runs, with a Celery application of its own.

It sends one message every half minute and knows of no model, so it needs a third of the memory of a process that loads the site. Where
several timers may run, `deploy.one_beat` has them take turns.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init

from deploy import patience, spool

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")

spool.install()

app = Celery("weather_gage", fixups=[], set_as_current=False)
app.config_from_object(os.environ["DJANGO_SETTINGS_MODULE"], namespace="CELERY")
app.conf.beat_scheduler = "deploy.steady_beat:SteadyBeat"


@beat_init.connect
def wait_for_broker(**_: Any) -> None:
    """Beat waits for a slow broker, as a worker does."""
    patience.be_patient(app)
