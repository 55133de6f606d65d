"""Battle tasks: they carry an id, call one service, and may run twice."""

from celery import shared_task

from battles.models import Battle
from battles.services.fighting import battle_fight
from battles.signals import battle_closed


@shared_task(name="battles.tasks.fight")
def fight(battle_id: int) -> None:
    """Fight one battle, then signal that it is over; signalling again is harmless."""
    battle_fight(battle_id=battle_id)
    battle = Battle.objects.only("pk", "status", "reference").filter(pk=battle_id).first()
    if battle is not None and battle.status in (Battle.Status.FOUGHT, Battle.Status.FAILED):
        battle_closed.send_robust(sender=Battle, battle_id=battle.pk, reference=battle.reference)
