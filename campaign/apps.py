"""The campaign room as Django knows it."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    """Room `campaign`; its models have the label `campaign`."""

    name = "campaign"
    label = "campaign"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for news from the battles room."""
        from campaign import receivers  # noqa: F401  (receivers need the models, which are ready only now)
