"""Rows that still count: nothing is deleted, and everything reads only what is not void and who has not left. Rule: G.UM3."""

from __future__ import annotations

from django.db import models


class LiveManager(models.Manager):
    """The manager through which rows with a void mark are read."""

    void_mark = "void"

    def get_queryset(self) -> models.QuerySet:
        """Without what a rollback has voided."""
        return super().get_queryset().filter(**{self.void_mark: ""})


class LiveTurnManager(LiveManager):
    """The same for rows that belong to a turn: they are void with it."""

    void_mark = "turn__void"


class MembersManager(models.Manager):
    """The manager through which parts in campaigns are read."""

    def get_queryset(self) -> models.QuerySet:
        """Without those that were taken away."""
        return super().get_queryset().filter(left=None)
