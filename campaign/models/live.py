"""Rows that still count: nothing is deleted, and everything reads only what is not void and who has not left. Rule: G.UM3."""

from __future__ import annotations

from typing import Any, Self

from django.db import models


class SightingQuerySet(models.QuerySet):
    """Reports of sightings."""

    def as_told(self) -> Self:
        """Without the code of the fleet that was really seen, so that nothing downstream can tell it. Rules: G.SI2, G.SI3."""
        return self.defer("fleet_code")

    def bare(self) -> Any:
        """As told, the oldest first, as tuples with names: a chart has hundreds, and rows of a model take three times as long."""
        columns = ("pk", "side_id", "number", "hour", "latitude", "longitude", "course", "band", "kinds")
        known = (*columns, "observer", "observers", "perhaps", "joined", "in_turn")
        rows = self.annotate(in_turn=models.F("turn__number")).order_by("hour", "pk")
        return rows.values_list(*known, named=True)


class LiveManager(models.Manager):
    """The manager through which rows with a void mark are read."""

    void_mark = "void"

    def get_queryset(self) -> models.QuerySet:
        """Without what a rollback has voided."""
        return super().get_queryset().filter(**{self.void_mark: ""})


class LiveTurnManager(LiveManager):
    """The same for rows that belong to a turn: they are void with it."""

    void_mark = "turn__void"


SightingManager = LiveTurnManager.from_queryset(SightingQuerySet)


class MembersManager(models.Manager):
    """The manager through which parts in campaigns are read."""

    def get_queryset(self) -> models.QuerySet:
        """Without those that were taken away."""
        return super().get_queryset().filter(left=None)
