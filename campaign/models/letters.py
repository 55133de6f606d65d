"""Letters between players, and facts that the umpire has released. Read them through selectors only (G.IN1)."""

from django.db import models

from campaign.models.campaigns import Campaign, Membership, Side
from campaign.models.live import LiveManager


class Letter(models.Model):
    """A dispatch from one player to another. Rules: G.IN5, G.IN2.

    written, due: hours of the chart; due is None while a ship carries it. carrier: code of that ship, "" for the dispatch service.
    truce: to the enemy, under a flag of truce. taken_by: the side that took the carrier and reads it. told: that hour, when it was
    delivered, taken or lost. opened: when the recipient first saw it.
    """

    class Fate(models.TextChoices):
        UNDER_WAY = "under way"
        DELIVERED = "delivered"
        TAKEN = "taken"
        LOST = "lost"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="letters")
    sender = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="letters_sent")
    recipient = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="letters_received")
    text = models.TextField()
    written = models.PositiveIntegerField()
    due = models.PositiveIntegerField(null=True, blank=True)
    carrier = models.CharField(max_length=20, blank=True)
    truce = models.BooleanField(default=False)
    fate = models.CharField(max_length=9, choices=Fate.choices, default=Fate.UNDER_WAY)
    taken_by = models.ForeignKey(
        Side, on_delete=models.SET_NULL, null=True, blank=True, related_name="letters_taken"
    )
    told = models.PositiveIntegerField(null=True, blank=True)
    sent_at = models.DateTimeField(auto_now_add=True)
    opened = models.DateTimeField(null=True, blank=True, editable=False)
    void = models.CharField(max_length=40, blank=True, editable=False)

    objects = LiveManager()
    every = models.Manager()

    class Meta:
        ordering = ["-written", "-pk"]
        indexes = [models.Index(fields=["campaign", "fate"], name="letters_under_way")]

    def __str__(self) -> str:
        return f"{self.sender.user} to {self.recipient.user}"


class Release(models.Model):
    """A fact that the umpire let a side know, or everyone. Rule: G.IN3.

    side: None for everyone, strangers too.
    field: one of `campaign.services.settings.releases.FIELDS`. subject: how the side knows the matter, in words; value: the fact as it was
    then. hour: of the chart.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="releases")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, null=True, blank=True, related_name="releases")
    subject = models.CharField(max_length=120)
    field = models.CharField(max_length=10)
    value = models.CharField(max_length=300)
    hour = models.PositiveIntegerField()
    by = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)
    void = models.CharField(max_length=40, blank=True, editable=False)

    objects = LiveManager()
    every = models.Manager()

    class Meta:
        ordering = ["-hour", "-pk"]

    def __str__(self) -> str:
        return f"{self.side or 'everyone'}: {self.subject}, {self.field}"
