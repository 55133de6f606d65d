"""The chart: theatres, places, passages, and where fleets lie."""

from __future__ import annotations

from django.db import models

from fleets.models import Fleet


class Theatres(models.QuerySet["Theatre"]):
    """Theatres of this site, with those that only campaigns under way still use."""

    def offered(self) -> Theatres:
        """Those that new campaigns begin with, one for each code."""
        return self.filter(replaced=None)


class Theatre(models.Model):
    """A sea area. document: the theatre file as loaded; places and passages are rows of their own for the admin.

    A campaign keeps the row that it began with. Where a newer file changes a theatre on which campaigns are played, the file becomes a
    row of its own. replaced: when that happened to this one; or when a campaign was imported that brought it along.
    """

    code = models.SlugField()
    title = models.CharField(max_length=120)
    start_date = models.CharField(max_length=10)
    note = models.TextField(blank=True)
    document = models.JSONField()
    replaced = models.DateTimeField(null=True, blank=True, editable=False)

    objects = Theatres.as_manager()

    class Meta:
        ordering = ["code", models.F("replaced").desc(nulls_first=True)]
        constraints = [
            models.UniqueConstraint(
                fields=["code"], condition=models.Q(replaced=None), name="one_offered_theatre_a_code"
            )
        ]

    def __str__(self) -> str:
        return self.title


class Place(models.Model):
    """A place of a theatre. Rules: G.CH1, G.CH3."""

    theatre = models.ForeignKey(Theatre, on_delete=models.CASCADE, related_name="places")
    code = models.SlugField(max_length=40)
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=12)
    latitude = models.DecimalField(max_digits=6, decimal_places=3)
    longitude = models.DecimalField(max_digits=7, decimal_places=3)
    zone = models.SlugField(max_length=40)
    owner = models.CharField(max_length=60, blank=True)
    dockyard = models.PositiveSmallIntegerField(default=0)
    berths = models.PositiveSmallIntegerField(default=0)
    recruits = models.PositiveSmallIntegerField(default=0)
    guard = models.PositiveSmallIntegerField(default=0)
    channel_owner = models.SlugField(max_length=40, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ["theatre", "name"]
        constraints = [
            models.UniqueConstraint(fields=["theatre", "code"], name="one_place_a_code_in_a_theatre")
        ]

    def __str__(self) -> str:
        return self.name


class Passage(models.Model):
    """Two places that join. length: thousandths of a nautical mile, great circle. Rule: G.CH1."""

    theatre = models.ForeignKey(Theatre, on_delete=models.CASCADE, related_name="passages")
    a = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="+")
    b = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="+")
    length = models.PositiveIntegerField()

    class Meta:
        ordering = ["theatre", "pk"]

    def __str__(self) -> str:
        return f"{self.a} – {self.b}"


class Station(models.Model):
    """Where a fleet lies: at a place, or on a passage with thousandths of a mile run. Rules: G.CH2, G.CO3.

    at, to: codes of places. free_until: campaign hour of free sailing. held_by: code of the battle that holds the fleet. since:
    campaign hour for which this is true.
    """

    fleet = models.OneToOneField(Fleet, on_delete=models.CASCADE, related_name="station")
    at = models.SlugField("last place", max_length=40)
    to = models.SlugField("next place", max_length=40, blank=True)
    run = models.PositiveIntegerField(default=0)
    free_until = models.PositiveIntegerField(default=0)
    held_by = models.CharField(max_length=40, blank=True)
    since = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = "fleet position"

    def __str__(self) -> str:
        return f"Position of {self.fleet}"
