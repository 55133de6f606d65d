"""News from the battles room. A lost signal is harmless: the sweep finds turns whose battles are over."""

from typing import Any

from django.dispatch import receiver

from battles.signals import battle_closed
from campaign.models import Contact
from campaign.tasks import run_turn


@receiver(battle_closed)
def turn_goes_on(battle_id: int, **_: Any) -> None:
    """A battle is over: its turn may go on."""
    for turn_id in Contact.objects.filter(battle_id=battle_id).values_list("turn_id", flat=True).distinct():
        run_turn.delay(turn_id)
