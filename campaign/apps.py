"""The campaign room as Django knows it."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    """Room `campaign`; its models have the label `campaign`."""

    name = "campaign"
    label = "campaign"
    default_auto_field = "django.db.models.BigAutoField"
