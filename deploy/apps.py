"""The way it runs, as Django knows it: the room that holds `serve` and the other commands of the house."""

from django.apps import AppConfig


class DeployConfig(AppConfig):
    """Room `deploy`; it has no models."""

    name = "deploy"
    label = "deploy"
