"""The campaign room as Django knows it."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    """Room `campaign`; its models have the label `campaign`."""

    name = "campaign"
    label = "campaign"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for news from the battles room, and answer for the books that the fleets keep."""
        from campaign import receivers  # noqa: F401  (receivers need the models, which are ready only now)
        from campaign.keeper import CampaignKeeper
        from fleets.keeping import keeper_set

        keeper_set(CampaignKeeper())
