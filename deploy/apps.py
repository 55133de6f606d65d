"""The deploy room as Django knows it: `serve` and the other site-wide commands, and the admin.

It is the first that Django loads of the project, and brings the Celery application, so that `@shared_task` binds to that.
"""

from axes.apps import AppConfig as AxesConfig
from django.apps import AppConfig, apps
from django.contrib.admin.apps import AdminConfig

from deploy.celery_app import app as celery_app

__all__ = ["DeployConfig", "LoginsConfig", "SealedAdminConfig", "celery_app"]


class DeployConfig(AppConfig):
    """Room `deploy`; it has no models."""

    name = "deploy"

    def ready(self) -> None:
        """The admin calls accounts by that name."""
        apps.get_app_config("auth").verbose_name = "Accounts"


class LoginsConfig(AxesConfig):
    """The app that locks out who guesses passwords, under a name that says what it is for."""

    verbose_name = "Login security"

    def ready(self) -> None:
        """Rows of logins by who logged in."""
        super().ready()
        from axes.models import AccessAttempt, AccessFailureLog, AccessLog

        for model, words in (
            (AccessLog, "Login of"), (AccessAttempt, "Failed login of"), (AccessFailureLog, "Failed login of")
        ):  # fmt: skip
            model.__str__ = lambda row, words=words: f"{words} {row.username or 'no one'}"


class SealedAdminConfig(AdminConfig):
    """Django's admin, on a site that keeps secrets."""

    default_site = "deploy.sealed.SealedSite"
