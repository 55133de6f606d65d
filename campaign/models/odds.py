"""Odds that a member has asked for, and the parts in which workers fight the battles."""

from __future__ import annotations

from typing import Self

from django.db import models

from campaign.models.campaigns import Membership


class OddsRun(models.Model):
    """The one question of a member of a campaign: what would come of a battle. It is theirs alone (G.IN1).

    A new question takes the place of the old one in its row. about: what the page was asked, to ask it again. truth: whether it was made
    from what is, as only an umpire may. question: as `battles.engine.odds.Question` reads it; digest: its SHA-256. within: percentage
    points either way to which every chance is to be known; most: runs after which it ends anyway. counts: a `Tally` as a document,
    of `runs` battles, which took `spent` thousandths of a second. planned: seeds that have been given out. version: grows with every
    change of the counts. asked: how many questions since `asking_since`, which bounds what one person can ask.
    """

    class State(models.TextChoices):
        COUNTING = "counting", "being fought"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="odds")
    turn = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    about = models.JSONField(default=dict)
    truth = models.BooleanField(default=False)
    question = models.JSONField()
    digest = models.CharField(max_length=64)
    within = models.PositiveSmallIntegerField(default=5)
    most = models.PositiveIntegerField(default=1000)
    state = models.CharField(max_length=8, choices=State.choices, default=State.COUNTING)
    error = models.TextField(blank=True)
    counts = models.JSONField(default=dict)
    runs = models.PositiveIntegerField(default=0)
    spent = models.PositiveIntegerField(default=0)
    planned = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    created = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)
    asked = models.PositiveIntegerField(default=0)
    asking_since = models.DateTimeField()

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"odds: {self.title}"


class OddsChunkQuerySet(models.QuerySet):
    """Chunks."""

    def open(self) -> Self:
        """Those whose battles still have to be fought."""
        return self.filter(done=False)


class OddsChunk(models.Model):
    """Some runs of a question for one worker: those of the seeds from `first` on. A finished one is never fought again.

    claim, lease_until, attempts: who fights it; see `battles.leases`.
    """

    run = models.ForeignKey(OddsRun, on_delete=models.CASCADE, related_name="chunks")
    first = models.PositiveIntegerField()
    size = models.PositiveSmallIntegerField()
    done = models.BooleanField(default=False)
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    objects = OddsChunkQuerySet.as_manager()

    class Meta:
        ordering = ["run", "first"]
        constraints = [models.UniqueConstraint(fields=["run", "first"], name="one_chunk_a_seed_of_odds")]

    def __str__(self) -> str:
        return f"{self.run}, from {self.first}"
