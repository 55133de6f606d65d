"""The battles room as Django knows it."""

from django.apps import AppConfig


class BattlesConfig(AppConfig):
    """Room `battles`; its models have the label `battles`."""

    name = "battles"
