"""Django's admin for battles, read-only. Seeds appear only on the campaign's own page of fair dice. Rule: G.FA1."""

from __future__ import annotations

from django.contrib import admin

from battles.models import Battle, BattleLog, BattleOutcome, Roster
from fleets.admin import ByBook, ReadOnlyAdmin


@admin.register(Battle)
class BattleAdmin(ByBook, ReadOnlyAdmin):
    """Battles, with the state of their work."""

    list_display = ("title", "code", "book", "when", "place", "status", "ships", "attempts", "fought")
    list_filter = ("status", "rule_set", "book")
    search_fields = ("title", "code", "place")
    exclude = ("seed",)
    list_select_related = ("book", "roster")
    deferred = ("seed", "roster__scenario")

    @admin.display(description="ships")
    def ships(self, battle: Battle) -> int | str:
        """How many entered the battle."""
        return battle.roster.ships if hasattr(battle, "roster") else ""


@admin.register(Roster)
class RosterAdmin(ByBook, ReadOnlyAdmin):
    """What was sent into a battle."""

    book_path = "battle__book"
    list_display = ("battle", "ships", "navies", "digest")
    search_fields = ("battle__title", "battle__code")
    list_select_related = ("battle",)
    deferred = ("scenario",)


@admin.register(BattleOutcome)
class BattleOutcomeAdmin(ByBook, ReadOnlyAdmin):
    """What came out of a battle."""

    book_path = "battle__book"
    list_display = ("battle", "status", "written", "state_hash")
    list_filter = ("status",)
    search_fields = ("battle__title", "battle__code")
    list_select_related = ("battle",)
    deferred = ("document",)


@admin.register(BattleLog)
class BattleLogAdmin(ByBook, ReadOnlyAdmin):
    """The log of a battle: shown turn by turn on the battle's own page; here only that it exists."""

    book_path = "battle__book"
    list_display = ("battle", "count")
    search_fields = ("battle__title", "battle__code")
    list_select_related = ("battle",)
    exclude = ("packed",)
    deferred = ("packed",)
