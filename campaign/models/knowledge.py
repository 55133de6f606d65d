"""What is known: weather, sightings, contacts and the reports of each side. Read them through selectors only (G.IN1)."""

from django.db import models

from battles.models import Battle
from campaign.models.campaigns import Side
from campaign.models.live import LiveTurnManager, SightingManager
from campaign.models.packed import PackedJSONField
from campaign.models.turns import Turn


class WeatherWatch(models.Model):
    """Weather of a zone from an hour on. wind_from: degrees. Rules: G.WX1, G.WX2."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="weather_watches")
    hour = models.PositiveIntegerField()
    zone = models.SlugField(max_length=40)
    wind_from = models.PositiveSmallIntegerField()
    strength = models.CharField(max_length=8)
    visibility = models.CharField(max_length=5)

    objects = LiveTurnManager()
    every = models.Manager()

    class Meta:
        ordering = ["turn", "hour", "zone"]
        verbose_name_plural = "weather watches"
        constraints = [
            models.UniqueConstraint(fields=["turn", "hour", "zone"], name="one_weather_a_zone_and_hour")
        ]

    def __str__(self) -> str:
        return f"Weather on turn {self.turn.number}"


class Sighting(models.Model):
    """A report of the side that saw. fleet_code: who it really was, for the umpire alone. Rules: G.SI2, G.SI3.

    latitude, longitude: hundredths of a degree. number: the side's own contact number. course: degrees. observers: every fleet that
    saw it where fleets in company report as one, `observer` the greatest of them; joined: numbers of contacts that it has taken in
    (G.IG1). perhaps: an earlier contact of the side that it may be, 0 for none (G.IG2).
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="sightings")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="sightings")
    number = models.PositiveIntegerField("contact")
    hour = models.PositiveIntegerField()
    latitude = models.IntegerField()
    longitude = models.IntegerField()
    course = models.PositiveSmallIntegerField(null=True, blank=True)
    band = models.CharField("ships", max_length=5)
    kinds = models.JSONField(default=list)
    observer = models.CharField("seen by", max_length=80)
    observers = models.JSONField(default=list, blank=True)
    perhaps = models.PositiveIntegerField(default=0)
    joined = models.JSONField(default=list, blank=True)
    fleet_code = models.CharField("fleet that was seen", max_length=20)

    objects = SightingManager()
    every = models.Manager()

    class Meta:
        ordering = ["turn", "hour", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["turn", "side", "number", "hour"], name="one_report_a_contact_and_hour"
            )
        ]

    def __str__(self) -> str:
        return f"{self.side}, contact {self.number}"


class Contact(models.Model):
    """A meeting that came to battle: which fleets, and the battle it became. fleets: {side code: [fleet codes]}. Rule: G.CO2."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="contacts")
    code = models.CharField(max_length=40)
    hour = models.PositiveIntegerField()
    place = models.CharField(max_length=80)
    latitude = models.IntegerField(default=0)
    longitude = models.IntegerField(default=0)
    fleets = models.JSONField(default=dict)
    battle = models.ForeignKey(
        Battle, on_delete=models.PROTECT, null=True, blank=True, related_name="contacts"
    )

    objects = LiveTurnManager()
    every = models.Manager()

    class Meta:
        verbose_name = "encounter"
        ordering = ["turn", "hour", "code"]
        constraints = [models.UniqueConstraint(fields=["turn", "code"], name="one_contact_a_code_in_a_turn")]

    def __str__(self) -> str:
        return f"Encounter on turn {self.turn.number}" if self.battle is None else self.battle.title


class Report(models.Model):
    """What a side learned of a turn. events: chart events as the rules made them, only those that the side may know."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="reports")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, null=True, blank=True, related_name="reports")
    events = models.JSONField(default=list)

    objects = LiveTurnManager()
    every = models.Manager()

    class Meta:
        ordering = ["turn", "side"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "side"], name="one_report_a_side_and_turn"),
            models.UniqueConstraint(
                fields=["turn"], condition=models.Q(side=None), name="one_report_to_the_umpire_a_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"Report to {self.side or 'the umpire'}, turn {self.turn.number}"


class TurnSummary(models.Model):
    """What of a report is told of the whole war, so that no page has to read the reports of every turn; one for each report.

    events, news: what `history_of` and `news_of` in `campaign.accounts.history` keep of the report's; news are for the side's admirals
    alone, and the umpire's summary has none. Written with the report by `campaign.services.turn.summaries`, and gone when a rollback voids
    the turn.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="summaries")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, null=True, blank=True, related_name="summaries")
    events = PackedJSONField(default=list)
    news = PackedJSONField(default=list)

    class Meta:
        ordering = ["turn", "side"]
        verbose_name_plural = "turn summaries"
        constraints = [
            models.UniqueConstraint(fields=["turn", "side"], name="one_summary_a_side_and_turn"),
            models.UniqueConstraint(
                fields=["turn"], condition=models.Q(side=None), name="one_summary_to_the_umpire_a_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn}: summary for {self.side or 'the umpire'}"
