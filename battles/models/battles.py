"""A battle, its roster, its outcome and its log."""

import gzip
import json
from typing import Any, Self

from django.db import models

from fleets.models import Book


class BattleQuerySet(models.QuerySet):
    """Battles."""

    def listed(self) -> Self:
        """With roster and outcome where they have them, but without the documents in these: for lists and access."""
        return self.select_related("roster", "outcome").defer("roster__scenario", "outcome__document")


class Battle(models.Model):
    """One battle, fought by the engine or on the tabletop.

    code: unique in the book, part of dice keys, for example `NS66-T2-B1`. reference: text that tells rooms above where it came from.
    seed: 64 hexadecimal digits, sealed until the room above opens it (G.FA1); seed_hash: published at once. claim, lease_until:
    who works on it; see battles.services.fighting. when, place: chart time and place, as text. route: who fights it (G.BT1); ORDERS has no
    board yet, so no one can choose it, and the umpire reroutes a battle that has it.
    """

    class Route(models.TextChoices):
        ENGINE = "engine", "by computer"
        ORDERS = "orders", "by orders"
        TABLE = "table", "on the tabletop"

        @classmethod
        def offered(cls) -> list[tuple[str, str]]:
            """Routes that can be chosen, as values and labels. Rule: G.BT1."""
            return [(value, words) for value, words in cls.choices if value != cls.ORDERS]

    class Status(models.TextChoices):
        READY = "ready", "to be fought"
        FIGHTING = "fighting"
        FOUGHT = "fought", "fought, result not yet applied"
        WRITTEN = "written", "finished"
        FAILED = "failed"
        VOID = "void"

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="battles")
    code = models.SlugField(max_length=40)
    title = models.CharField(max_length=120)
    reference = models.CharField(max_length=60)
    when = models.CharField("date", max_length=16)
    place = models.CharField(max_length=80)
    rule_set = models.CharField(max_length=30)
    engine_version = models.PositiveIntegerField()
    rules_hash = models.CharField(max_length=64, blank=True)
    seed = models.CharField(max_length=64)
    seed_hash = models.CharField(max_length=64)
    route = models.CharField("how it is fought", max_length=6, choices=Route.choices, default=Route.ENGINE)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.READY)
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    spawned = models.DateTimeField(auto_now_add=True)
    fought = models.DateTimeField(null=True, blank=True)

    objects = BattleQuerySet.as_manager()

    class Meta:
        ordering = ["book", "when", "code"]
        constraints = [models.UniqueConstraint(fields=["book", "code"], name="one_battle_a_code_in_a_book")]

    def __str__(self) -> str:
        return self.title


class Roster(models.Model):
    """What was sent in: the scenario document as spawned, and its SHA-256. navies: codes of the sides that took part."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="roster")
    scenario = models.JSONField()
    digest = models.CharField("hash", max_length=64)
    navies = models.JSONField(default=list)
    ships = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"Roster of {self.battle}"


class BattleOutcome(models.Model):
    """What came out: an outcome document, for the roster of that digest. Rules: G.BT2, G.BT5.

    A battle of the engine is confirmed at once; one from the table is a draft, is proposed, and both sides answer. proposed_by:
    a name that outlives the account; side: navy code of who proposed it, "" for the umpire. version: grows with every change of
    the document, so that no one changes or confirms what they have not seen. sheet: which parts of the result sheet have been entered:
    {number of a squadron, or "head": {"side": navy code of who did, "" for the umpire, "version": of the document then}}.
    written_in: reference of the turn that wrote it.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", "being entered"
        PROPOSED = "proposed", "waiting for both sides"
        DISPUTED = "disputed", "disputed, the umpire decides"
        CONFIRMED = "confirmed", "accepted"
        WRITTEN = "written", "applied"

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="outcome")
    document = models.JSONField()
    roster_digest = models.CharField("roster hash", max_length=64)
    state_hash = models.CharField(max_length=64, blank=True)
    version = models.PositiveIntegerField(default=1)
    sheet = models.JSONField(default=dict, blank=True)
    proposed_by = models.CharField(max_length=150, blank=True)
    side = models.CharField(max_length=10, blank=True)
    proposed = models.DateTimeField(null=True, blank=True)
    written_in = models.CharField(max_length=60, blank=True)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.PROPOSED)
    written = models.DateTimeField("applied", null=True, blank=True)

    class Meta:
        verbose_name = "battle result"

    def __str__(self) -> str:
        return f"Result of {self.battle}"


class OutcomeAnswer(models.Model):
    """A side's answer to a proposed outcome: confirmed, or disputed with a reason. Rules: G.BT2, G.BT5."""

    class Answer(models.TextChoices):
        CONFIRMED = "confirmed"
        DISPUTED = "disputed"

    outcome = models.ForeignKey(BattleOutcome, on_delete=models.CASCADE, related_name="answers")
    version = models.PositiveIntegerField()
    side = models.CharField(max_length=10)
    by = models.CharField(max_length=150)
    answer = models.CharField(max_length=9, choices=Answer.choices)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["outcome", "at"]
        constraints = [
            models.UniqueConstraint(
                fields=["outcome", "version", "side"], name="one_answer_a_side_and_outcome"
            )
        ]

    def __str__(self) -> str:
        return f"{self.side} {self.answer}"


class BattleLog(models.Model):
    """The typed events of a battle, with every die, as compressed JSON. luck: its dice, counted (G.FA2)."""

    battle = models.OneToOneField(Battle, on_delete=models.CASCADE, related_name="log")
    packed = models.BinaryField()
    count = models.PositiveIntegerField("lines")
    luck = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"Log of {self.battle}"

    @staticmethod
    def pack(events: list[list[Any]]) -> bytes:
        """Events as `Event.to_list` gives them, as bytes to store; the same events give the same bytes."""
        return gzip.compress(json.dumps(events, separators=(",", ":")).encode(), mtime=0)

    def events(self) -> list[list[Any]]:
        """The events, as `Event.to_list` gave them."""
        rows: list[list[Any]] = json.loads(gzip.decompress(self.packed))
        return rows
