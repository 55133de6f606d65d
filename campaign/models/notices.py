"""The outbox: every notification, written in the transaction that made it true."""

from __future__ import annotations

from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign
from campaign.models.packed import PackedJSONField


def host_of(address: str) -> str:
    """The host of a web address, which may be told to people who must not post there; "" for no address."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


class ChartPicture(models.Model):
    """A small chart, as it goes with an email. digest: SHA-256 of its drawing; who may know the same has the same picture.

    drawing: the SVG, from which the PNG is made whenever it is wanted; the same drawing gives the same PNG. png: of pictures that are older
    than that, which have no drawing.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="chart_pictures")
    digest = models.CharField(max_length=64)
    drawing = PackedJSONField(null=True)
    png = models.BinaryField(null=True)
    drawn = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-drawn", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "digest"], name="one_chart_picture_a_drawing")
        ]

    def __str__(self) -> str:
        return f"chart {self.digest[:12]}"


class NoticeQuerySet(models.QuerySet):
    """Notices."""

    def light(self) -> Self:
        """Without what was sent, in text and HTML."""
        return self.defer("text", "html")


class Notice(models.Model):
    """One message to one person by one channel, rendered when it was written. An email task touches nothing else.

    event: code of what is told, like `NS66-T2-report`. message_id: deterministic, so that a message sent twice is known as one.
    channel: email, webhook, or campaign: a post to the campaign's own webhook, which has no recipient. html: "" for who wants plain
    text. calendar: an .ics file that goes with it, or "". A notice in the status digest waits for the day's digest, which tells of
    it. void: the rollback that withdrew it.
    Sending is at least once: a worker that dies after the server took an email sends it again, under the same Message-ID.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"
        DIGEST = "digest"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="notices")
    event = models.CharField(max_length=120)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="notices"
    )
    channel = models.CharField(max_length=10, default="email")
    kind = models.CharField(max_length=20)
    address = models.CharField(max_length=500)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    html = PackedJSONField(
        default=str, blank=True
    )  # a text; it is much of the database, and is never searched
    calendar = models.TextField(blank=True)
    picture = models.ForeignKey(
        ChartPicture, on_delete=models.SET_NULL, null=True, blank=True, related_name="notices"
    )
    message_id = models.CharField(max_length=200)
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_after = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    written = models.DateTimeField(auto_now_add=True)
    sent = models.DateTimeField(null=True, blank=True)
    void = models.CharField(max_length=40, blank=True, editable=False)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["-written", "pk"]
        verbose_name = "notification"
        constraints = [
            models.UniqueConstraint(
                fields=["event", "recipient", "channel"], name="one_notice_an_event_and_person"
            ),
            models.UniqueConstraint(
                fields=["event", "campaign", "channel"],
                condition=models.Q(recipient=None),
                name="one_post_an_event_and_campaign",
            ),
            models.CheckConstraint(
                condition=models.Q(channel="campaign", recipient__isnull=True)
                | (~models.Q(channel="campaign") & models.Q(recipient__isnull=False)),
                name="a_campaigns_post_has_no_reader_and_all_else_has",
            ),
        ]
        indexes = [models.Index(fields=["status", "retry_after"], name="notices_to_send")]

    def __str__(self) -> str:
        return self.subject

    @property
    def reader(self) -> str:
        """Who is told, in words."""
        return str(self.recipient) if self.recipient is not None else "the campaign's webhook"

    @property
    def where(self) -> str:
        """Where it goes, for people to read: an address, or the host of a webhook, whose whole address is a key."""
        return self.address if self.channel == "email" else host_of(self.address)

    @property
    def trouble(self) -> str:
        """Why it could not be sent, for people to read, without a webhook's address."""
        if self.channel == "email":
            return self.error
        host, rest = host_of(self.address), self.address.partition("://")[2].partition("/")[2]
        error = self.error.replace(self.address, host)
        return error.replace(f"/{rest}", "/…") if rest else error

    @property
    def is_his_address(self) -> bool:
        """Whether it goes to the address that its reader has today; they may have given another since it was written."""
        reader = self.recipient
        return (
            reader is not None and bool(reader.email) and self.address.casefold() == reader.email.casefold()
        )


class MailOutage(models.Model):
    """The mail server is away: no one on the whole site calls it before `until`. One row, and none while it answers.

    tries: how often in a row it was called in vain. error: what was wrong the last time.
    """

    since = models.DateTimeField()
    until = models.DateTimeField()
    tries = models.PositiveIntegerField(default=1)
    error = models.TextField()

    def __str__(self) -> str:
        return f"away until {self.until:%Y-%m-%d %H:%M:%S}"
