"""The campaign room as Django knows it."""

from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CampaignConfig(AppConfig):
    """Room `campaign`; its models have the label `campaign`."""

    name = "campaign"

    def ready(self) -> None:
        """Listen for news from the battles room, and answer for the books that the fleets keep."""
        from campaign import receivers  # receivers need the models, which are ready only now
        from campaign.keeper import CampaignKeeper
        from fleets.keeping import keeper_set

        import_module("campaign.tasks")  # pages publish by name, and a name has to be known
        keeper_set(CampaignKeeper())
        # after the permissions of this migration are made: who administers the site may do what a new table brings
        post_migrate.connect(receivers.roles_renew, sender=self)
