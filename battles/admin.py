"""Django's admin for battles, read-only. Seeds appear only on the campaign's own page of fair dice. Rule: G.FA1."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from battles.engine import registry
from battles.models import Battle, BattleLog, BattleOutcome, Roster
from fleets.admin import ByBook, ReadOnlyAdmin, RuleSetFilter, column, read_only


@admin.register(Battle)
class BattleAdmin(ByBook, ReadOnlyAdmin):
    """Battles, with the state of their work."""

    list_display = ("title", "code", "book", "when", "status", "ships", "attempts", "fought")
    more = ("rule_set_title", "rules_version", "route", "rules_hash", "seed_hash", "error")
    list_filter = ("status", ("rule_set", RuleSetFilter), "book")
    search_fields = ("title", "code", "place")
    deferred = ("seed", "roster__scenario")
    rules_version = column("version of the rules", lambda battle: battle.engine_version)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With what the columns read besides."""
        return super().get_queryset(request).select_related("book", "roster")

    @admin.display(description="rule set")
    def rule_set_title(self, battle: Battle) -> str:
        """The rule set by its title."""
        return registry.rule_set(battle.rule_set).title

    @admin.display(description="ships")
    def ships(self, battle: Battle) -> int | str:
        """How many entered the battle."""
        return battle.roster.ships if hasattr(battle, "roster") else ""


# What was sent into a battle, what came out of it, and its log, of which only the battle's own page shows the lines.
_FIND = "battle__title battle__code"
read_only(
    Roster,
    "battle__book",
    "battle ships",
    joined="battle",
    search=_FIND,
    deferred=("scenario",),
    more=("digest",),
)
read_only(
    BattleOutcome,
    "battle__book",
    "battle status written",
    "status",
    "battle",
    _FIND,
    deferred=("document",),
    more=("proposed", "proposed_by", "roster_digest", "state_hash"),
)
read_only(BattleLog, "battle__book", "battle count", "", "battle", _FIND, deferred=("packed",))
