"""How long a worker or beat waits for a broker that says nothing. Only pages are in a hurry."""

from celery import Celery

PATIENT_SECONDS = 5.0


def be_patient(app: Celery) -> None:
    """Have a process wait for a slow broker rather than reconnect. Only Redis is one."""
    options = app.conf.broker_transport_options
    if "socket_timeout" in options:
        app.conf.broker_transport_options = {**options, "socket_timeout": PATIENT_SECONDS}
