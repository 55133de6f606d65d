"""A campaign's own ships, squadrons, fleets and officers, and the append-only service record."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from simple_history.models import HistoricalRecords

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import GUNS_ESTIMATED
from fleets.models.books import Book, Navy
from fleets.models.registers import RegisterEntry, ShipType


class Fleet(models.Model):
    """A body of ships that moves together on the chart. code is unique in the book and part of dice keys.

    ended: it no longer has ships (or has been merged); kept for the record.
    """

    navy = models.ForeignKey(Navy, on_delete=models.CASCADE, related_name="fleets")
    code = models.SlugField(max_length=20)
    name = models.CharField(max_length=80)
    commander = models.CharField(max_length=120, blank=True)
    ended = models.BooleanField(default=False)

    class Meta:
        ordering = ["navy", "code"]
        constraints = [models.UniqueConstraint(fields=["navy", "code"], name="one_fleet_a_code_in_a_navy")]

    def __str__(self) -> str:
        return self.name


class Squadron(models.Model):
    """A squadron of a fleet. order: place in the order of sailing, van first. The flagship is one of its ships."""

    fleet = models.ForeignKey(Fleet, on_delete=models.CASCADE, related_name="squadrons")
    code = models.SlugField(max_length=24)
    name = models.CharField(max_length=80)
    order = models.PositiveSmallIntegerField(default=0)
    flagship = models.ForeignKey(
        "Ship", on_delete=models.SET_NULL, null=True, blank=True, related_name="flags"
    )

    class Meta:
        ordering = ["fleet", "order", "code"]
        constraints = [
            models.UniqueConstraint(fields=["fleet", "code"], name="one_squadron_a_code_in_a_fleet")
        ]

    def __str__(self) -> str:
        return self.name


class Ship(models.Model):
    """A campaign's own copy of a ship, with its card and condition in the terms of the book's rule set.

    code: unique in the book, part of dice keys and battle documents, never changes with the name or the side. navy: whose it
    is now; built_for: whose it was at the start. facts: register facts at muster, as a scenario wants them. men: heads aboard.
    fate: `afloat`, or what became of it; a captured ship is afloat in its captor's navy, and a prize until it is
    bought in.
    """

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="ships")
    navy = models.ForeignKey(Navy, on_delete=models.PROTECT, related_name="ships")
    built_for = models.ForeignKey(Navy, on_delete=models.PROTECT, related_name="ships_built")
    entry = models.ForeignKey(
        RegisterEntry, on_delete=models.SET_NULL, null=True, blank=True, related_name="ships"
    )
    squadron = models.ForeignKey(
        Squadron, on_delete=models.SET_NULL, null=True, blank=True, related_name="ships"
    )
    code = models.SlugField(max_length=20)
    name = models.CharField(max_length=80)
    former_names = models.JSONField(default=list, blank=True)
    ship_type = models.CharField(max_length=15, choices=ShipType.choices)
    facts = models.JSONField(default=dict)
    card = models.JSONField(default=dict)
    condition = models.JSONField(default=dict)
    complement = models.PositiveIntegerField(default=0)
    complement_estimated = models.BooleanField(default=False)
    men = models.PositiveIntegerField(default=0)
    captain = models.CharField(max_length=120, blank=True)
    order = models.PositiveSmallIntegerField(default=0)
    prize = models.BooleanField(default=False)
    fate = models.CharField(
        max_length=12, choices=[(f.value, f.value) for f in Fate], default=Fate.AFLOAT.value
    )

    history = HistoricalRecords(history_change_reason_field=models.TextField(null=True))

    class Meta:
        ordering = ["squadron", "order", "code"]
        constraints = [models.UniqueConstraint(fields=["book", "code"], name="one_ship_a_code_in_a_book")]

    def __str__(self) -> str:
        return self.name

    @property
    def guns_estimated(self) -> bool:
        """Whether its guns are an estimate, which every page that shows them says."""
        return GUNS_ESTIMATED in self.facts.get("tags", ())


class Officer(models.Model):
    """A named officer. fate: serving, wounded, killed or captured."""

    class Status(models.TextChoices):
        SERVING = "serving"
        WOUNDED = "wounded"
        KILLED = "killed"
        CAPTURED = "captured"

    navy = models.ForeignKey(Navy, on_delete=models.CASCADE, related_name="officers")
    name = models.CharField(max_length=120)
    flag_rank = models.BooleanField(default=False)
    seniority = models.PositiveSmallIntegerField(default=0)
    ship = models.ForeignKey(Ship, on_delete=models.SET_NULL, null=True, blank=True, related_name="officers")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.SERVING)

    class Meta:
        ordering = ["navy", "seniority", "name"]
        constraints = [models.UniqueConstraint(fields=["navy", "name"], name="one_officer_a_name_in_a_navy")]

    def __str__(self) -> str:
        return self.name


def _written_once(entry: Any, done: str) -> ValidationError:
    """Why an entry cannot be changed or deleted. entry: one, or its model."""
    return ValidationError(f"{entry.called} cannot be {done}. Write a correction.")


class AppendOnlyQuerySet(models.QuerySet):
    """Refuses to rewrite history; a rollback marks entries as void, and readers skip them (G.UM3)."""

    def void_by(self, action: str) -> int:
        """Mark entries as void by a rollback, leaving their text unchanged. Returns how many. Rule: G.UM3."""
        return super().update(void=action)

    def update(self, **kwargs: Any) -> int:
        """Raises ValidationError: records are corrected by new entries."""
        raise _written_once(self.model, "changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raises ValidationError: records are corrected by new entries."""
        raise _written_once(self.model, "deleted")


class AppendOnly(models.Model):
    """An entry that is written once. called: what an error calls it."""

    called: str

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert only. Raises ValidationError on a row that exists."""
        if self.pk is not None:
            raise _written_once(self, "changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Raises ValidationError: records are corrected by new entries."""
        raise _written_once(self, "deleted")


class ServiceRecord(AppendOnly):
    """One entry in a ship's life. Append-only; a correction names the entry that it corrects. Rule: G.SV1.

    when: chart time as text, YYYY-MM-DDTHH:MM. kind: one of `fleets.services.service_records.KINDS`. data: numbers
    and names from which the sentence is made. turn, battle: text references upward. event: code of what caused it;
    (ship, event) is unique among entries that are not void, so that writing an event twice is harmless.
    """

    called = "A service record"

    ship = models.ForeignKey(Ship, on_delete=models.PROTECT, related_name="service_records")
    when = models.CharField("date", max_length=16)
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    turn = models.CharField(max_length=40, blank=True)
    battle = models.CharField(max_length=60, blank=True)
    event = models.CharField(max_length=120)
    navy_code = models.CharField(max_length=10, help_text="Side that the ship served at the time.")
    corrects = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrections"
    )
    void = models.CharField(max_length=40, blank=True, editable=False)
    written = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["when", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ship", "event"], condition=models.Q(void=""), name="an_event_once_in_a_ships_record"
            )
        ]

    def __str__(self) -> str:
        return f"Service record of {self.ship}"


class OfficerRecord(AppendOnly):
    """One entry in an officer's life, append-only as a ship's. Rules: G.AF1, G.SV1.

    when: chart time as text. kind: one of `fleets.record_words.OFFICER_KINDS`. event: what caused it; an officer has it once.
    """

    called = "An officer's record"

    officer = models.ForeignKey(Officer, on_delete=models.PROTECT, related_name="records")
    when = models.CharField("date", max_length=16)
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    turn = models.CharField(max_length=40, blank=True)
    event = models.CharField(max_length=120)
    void = models.CharField(max_length=40, blank=True, editable=False)
    written = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["when", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["officer", "event"],
                condition=models.Q(void=""),
                name="an_event_once_in_an_officers_record",
            )
        ]

    def __str__(self) -> str:
        return f"Record of {self.officer}"


class Prize(models.Model):
    """A capture: who took the ship, when, who sails it now, and what becomes of it. Rules: G.PR1, G.PR3, G.PR4.

    port: where it is judged. court: yard-days before the court. aboard: men in it at the start of the action. value, head_money:
    pounds, as condemned.
    """

    class Status(models.TextChoices):
        SAILING = "sailing"
        IN_PORT = "in_port", "in port"
        CONDEMNED = "condemned"
        BOUGHT = "bought", "bought in"
        SOLD = "sold"
        HULKED = "hulked", "made a hulk"
        BURNT = "burnt"
        EXCHANGED = "exchanged", "given back"
        RETAKEN = "retaken"
        LOST = "lost"

    ship = models.ForeignKey(Ship, on_delete=models.PROTECT, related_name="prizes")
    captor = models.ForeignKey(Navy, on_delete=models.PROTECT, related_name="prizes")
    taken_from = models.ForeignKey(Navy, on_delete=models.PROTECT, related_name="prizes_lost")
    taken_by = models.ForeignKey(
        Ship, on_delete=models.PROTECT, null=True, blank=True, related_name="prizes_taken"
    )
    when = models.CharField("date", max_length=16)
    battle = models.CharField(max_length=60, blank=True)
    prize_crew = models.PositiveIntegerField(default=0)
    prisoners = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.SAILING)
    port = models.SlugField(max_length=40, blank=True)
    court = models.PositiveIntegerField("yard-days before the court", default=0)
    aboard = models.PositiveIntegerField("men aboard when the action began", default=0)
    value = models.PositiveIntegerField("value (£)", default=0)
    head_money = models.PositiveIntegerField("head money (£)", default=0)
    void = models.CharField(max_length=40, blank=True, editable=False)

    class Meta:
        ordering = ["when", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["ship", "battle"], condition=models.Q(void=""), name="a_ship_taken_once_in_a_battle"
            )
        ]

    def __str__(self) -> str:
        return f"{self.ship} taken by {self.captor}"
