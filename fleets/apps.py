"""The fleets room as Django knows it."""

from django.apps import AppConfig


class FleetsConfig(AppConfig):
    """Room `fleets`; its models have the label `fleets`."""

    name = "fleets"
