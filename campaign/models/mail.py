"""Emails that came in: each is taken once, or set aside. Read them through services only (G.IN1)."""

from django.db import models
from django.utils import timezone

from campaign.models.campaigns import Membership
from campaign.models.turns import Turn


class ReceivedMail(models.Model):
    """A reply with orders, from the player and under a good token; others leave no row.

    sent: the mail's own date, never later than its arrival. taken: how many fleets have their orders from it. answer: what they were
    told, as text.
    """

    message_id = models.CharField(max_length=200, unique=True)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="mails")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="mails")
    sent = models.DateTimeField()
    received = models.DateTimeField(auto_now_add=True)
    taken = models.PositiveSmallIntegerField("fleets with orders", default=0)
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ["turn", "received"]
        verbose_name = "received email"

    def __str__(self) -> str:
        return f"Email from {self.membership.user}"


class SetAsideMail(models.Model):
    """An email that could not be read, or not be taken, and lies in a folder for the site administrator. Nothing of what it says is here.

    digest: SHA-256 of what was read of it. name: of its file. membership: the player whose token it holds, None where it holds none.
    """

    digest = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=255)
    reason = models.CharField(max_length=200)
    membership = models.ForeignKey(
        Membership, on_delete=models.CASCADE, null=True, blank=True, related_name="mails_set_aside"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"
