"""Foreign keys between the rooms."""

from collections.abc import Iterable

from django.db.models import Model

RANKS = {"fleets": 1, "battles": 2, "campaign": 3, "deploy": 4}
BELOW = 0  # Django's own tables and those of packages


def upward_keys(models: Iterable[type[Model]]) -> list[str]:
    """Keys that point from a room to one above it, as "fleets.Ship.campaign -> campaign.Campaign", sorted."""
    found = []
    for model in models:
        own = RANKS.get(model._meta.app_label, BELOW)
        for key in (*model._meta.fields, *model._meta.many_to_many):
            target = key.related_model
            if not isinstance(target, type):
                continue
            if RANKS.get(target._meta.app_label, BELOW) > own:
                found.append(f"{model._meta.label}.{key.name} -> {target._meta.label}")
    return sorted(found)
