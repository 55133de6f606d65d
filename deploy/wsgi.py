"""The site for a WSGI server (gunicorn)."""

import gc
import os
from threading import Thread

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")

application = get_wsgi_application()


def warm_up() -> None:
    """Hash the rules, which takes seconds once in each process and which the first to give orders would wait for.

    What is loaded by then stays: the garbage collector leaves it alone. Some page in twenty waited a tenth of a second for it to look
    through 200,000 objects of the site itself.
    """
    from battles.engine.registry import names
    from campaign.pinned.pins import newest

    for rule_set in names():
        newest(rule_set)
    gc.collect()
    gc.freeze()


Thread(target=warm_up, name="warm-up", daemon=True).start()
