"""The deploy room as Django knows it: `serve` and the other site-wide commands, and the admin.

It is the first that Django loads of the project, and brings the Celery application, so that `@shared_task` binds to that.
"""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig

from deploy.celery_app import app as celery_app

__all__ = ["DeployConfig", "SealedAdminConfig", "celery_app"]


class DeployConfig(AppConfig):
    """Room `deploy`; it has no models."""

    name = "deploy"


class SealedAdminConfig(AdminConfig):
    """Django's admin, on a site that keeps secrets."""

    default_site = "deploy.sealed.SealedSite"
