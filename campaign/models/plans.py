"""What the automatic admiral means to do, for the umpire to read. Rule: G.AA6."""

from __future__ import annotations

from django.db import models

from campaign.models.campaigns import Side
from campaign.models.turns import Turn


class AdmiralPlan(models.Model):
    """The plan of a side without a player in a turn. decisions: [{fleet, verb, place, aim, contact, why}], in the order of codes."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="plans")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="plans")
    decisions = models.JSONField(default=list)

    class Meta:
        ordering = ["turn", "side"]
        constraints = [models.UniqueConstraint(fields=["turn", "side"], name="one_plan_a_side_in_a_turn")]

    def __str__(self) -> str:
        return f"{self.side} in {self.turn}"
