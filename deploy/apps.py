"""The deploy room as Django knows it: `serve` and the other site-wide commands, and the admin.

It is the first that Django loads of the project, and brings the Celery application, so that `@shared_task` binds to that.
"""

from axes.apps import AppConfig as AxesConfig
from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig

from deploy.celery_app import app as celery_app

__all__ = ["DeployConfig", "LoginsConfig", "SealedAdminConfig", "celery_app"]


class DeployConfig(AppConfig):
    """Room `deploy`; it has no models."""

    name = "deploy"


class LoginsConfig(AxesConfig):
    """The app that locks out who guesses passwords, under a name that says what it is for."""

    verbose_name = "Login security"


class SealedAdminConfig(AdminConfig):
    """Django's admin, on a site that keeps secrets."""

    default_site = "deploy.sealed.SealedSite"
