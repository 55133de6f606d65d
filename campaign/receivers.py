"""News from the battles room and from migrations. A lost signal of a battle is harmless: the sweep finds turns whose battles are over."""

from typing import Any

from django.dispatch import receiver

from battles.signals import battle_closed
from campaign.models import Contact
from campaign.publishing import RUN_TURN, hand_on
from campaign.services.roles import roles_make


@receiver(battle_closed)
def turn_goes_on(battle_id: int, **_: Any) -> None:
    """A battle is over: its turn may go on."""
    for turn_id in Contact.objects.filter(battle_id=battle_id).values_list("turn_id", flat=True).distinct():
        hand_on(RUN_TURN, turn_id)


def roles_renew(**_: Any) -> None:
    """After a migration: the groups of the roles have what the tables of now allow them."""
    roles_make()
