"""The fleets room as Django knows it."""

from django.apps import AppConfig


class FleetsConfig(AppConfig):
    """Room `fleets`; its models have the label `fleets`."""

    name = "fleets"
    label = "fleets"
    default_auto_field = "django.db.models.BigAutoField"
