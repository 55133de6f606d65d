"""The calendar of a campaign: what comes on its day, by the theatre, the opening and the umpire."""

import re

from django.db import models
from django.utils.text import Truncator

from campaign.models.campaigns import Campaign, Side

# What the files of the theatres add to what happened in history.
_SURE = re.compile(r" Confidence: [^.]*\.$")


class CalendarRow(models.Model):
    """A row of a campaign's calendar. Read it through selectors only: most rows are secrets (G.IN1).

    code: its id. deed: what it does, "" for text. side: whom it concerns. first, last: ISO dates, the same but for a window; moved: the
    date that the umpire has set in their place. known: codes of sides told on the day. announced: its side has known it from the start.
    struck: the umpire has struck it out. do: what it does, with codes of sides. sheets: the fleet that it brings, as
    `fleets.services.reinforcements` makes it; {} for none. What has become of it is in the campaign's `carried`. Rules: G.CA1, G.UM1.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="calendar_rows")
    code = models.SlugField(max_length=40)
    kind = models.CharField(max_length=30, blank=True)
    deed = models.CharField("what it brings", max_length=12, blank=True)
    side = models.ForeignKey(
        Side, on_delete=models.CASCADE, null=True, blank=True, related_name="calendar_rows"
    )
    first = models.CharField("first day", max_length=10)
    last = models.CharField("last day", max_length=10)
    moved = models.CharField("moved to", max_length=10, blank=True)
    struck = models.BooleanField("cancelled", default=False)
    chance = models.PositiveSmallIntegerField(default=1)
    known = models.JSONField(default=list, blank=True)
    announced = models.BooleanField("announced beforehand", default=False)
    do = models.JSONField(default=dict, blank=True)
    text = models.TextField()
    note = models.TextField(blank=True)
    sheets = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["campaign", "first", "code"]
        verbose_name = "calendar event"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "code"], name="one_row_an_id_in_a_calendar")
        ]

    def __str__(self) -> str:
        return Truncator(self.told).words(10)

    @property
    def told(self) -> str:
        """Its text, without how sure the theatre's file is of it."""
        return _SURE.sub("", self.text)
