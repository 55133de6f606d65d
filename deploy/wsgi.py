"""The site for a WSGI server (gunicorn)."""

import os
from threading import Thread

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")

application = get_wsgi_application()


def hash_rules() -> None:
    """Hash the rules, which takes seconds once in each process and which the first to give orders would wait for."""
    from battles.engine.registry import names
    from campaign.pinned.pins import newest

    for rule_set in names():
        newest(rule_set)


Thread(target=hash_rules, name="hash-rules", daemon=True).start()
