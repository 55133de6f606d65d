"""How it runs: settings, addresses, tasks, supervision.

The Celery application is made here, so that `@shared_task` binds to it.
"""

from deploy.celery_app import app as celery_app

__all__ = ["celery_app"]
