"""The deploy room as Django knows it: `serve` and the other site-wide commands, and the admin."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class DeployConfig(AppConfig):
    """Room `deploy`; it has no models."""

    name = "deploy"


class SealedAdminConfig(AdminConfig):
    """Django's admin, on a site that keeps secrets."""

    default_site = "deploy.sealed.SealedSite"
