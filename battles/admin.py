"""Django's admin for battles, read-only. Seeds appear only on the campaign's own page of fair dice. Rule: G.FA1."""

from __future__ import annotations

from django.contrib import admin

from battles.models import Battle, BattleLog, BattleOutcome, Roster
from fleets.admin import ByBook, ReadOnlyAdmin, read_only


@admin.register(Battle)
class BattleAdmin(ByBook, ReadOnlyAdmin):
    """Battles, with the state of their work."""

    list_display = ("title", "code", "book", "when", "place", "status", "ships", "attempts", "fought")
    list_filter = ("status", "rule_set", "book")
    search_fields = ("title", "code", "place")
    exclude = ("seed",)
    list_select_related = ("book", "roster")
    deferred = ("seed",)

    @admin.display(description="ships")
    def ships(self, battle: Battle) -> int | str:
        """How many entered the battle."""
        return battle.roster.ships if hasattr(battle, "roster") else ""


# What was sent into a battle, what came out of it, and its log, of which only the battle's own page shows the lines.
_FIND = "battle__title battle__code"
read_only(
    Roster,
    "battle__book",
    "battle ships navies digest",
    joined="battle",
    search=_FIND,
    deferred=("scenario",),
)
read_only(
    BattleOutcome,
    "battle__book",
    "battle status written state_hash",
    "status",
    "battle",
    _FIND,
    deferred=("document",),
)
read_only(
    BattleLog, "battle__book", "battle count", "", "battle", _FIND, exclude=("packed",), deferred=("packed",)
)
