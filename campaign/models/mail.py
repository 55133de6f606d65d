"""Mails that players sent in: each is taken once. Read them through services only (G.IN1)."""

from django.db import models

from campaign.models.campaigns import Membership
from campaign.models.turns import Turn


class ReceivedMail(models.Model):
    """A reply with orders, from the player himself and under a good token; others leave no row.

    sent: the mail's own date, never later than its arrival. taken: how many fleets have their orders from it. answer: what he was
    told, as text.
    """

    message_id = models.CharField(max_length=200, unique=True)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="mails")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="mails")
    sent = models.DateTimeField()
    received = models.DateTimeField(auto_now_add=True)
    taken = models.PositiveSmallIntegerField(default=0)
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ["turn", "received"]

    def __str__(self) -> str:
        return f"{self.membership}: {self.message_id}"
