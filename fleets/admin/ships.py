"""A campaign's own ships and what they sail in. Umpires see those of their campaigns; a ship is changed with a reason."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from battles.engine import registry
from fleets.admin.base import ByBook, ListedInline, NotAdded, OwnChoices, RuleSetFilter, column
from fleets.models import Book, Fleet, Navy, Officer, Ship, Squadron


@admin.register(Book)
class BookAdmin(NotAdded, ByBook, admin.ModelAdmin):
    """Books of campaigns; opened by starting a campaign."""

    book_path = "pk"
    list_display = ["code", "rules", "version"]
    list_filter = [("rule_set", RuleSetFilter)]
    search_fields = ["code"]
    fields = ["code", "rules", "version", "rules_hash"]
    readonly_fields = ["code", "rules", "version", "rules_hash"]
    version = column("version of the rules", lambda book: book.engine_version, "engine_version")

    @admin.display(description="rule set", ordering="rule_set")
    def rules(self, book: Book) -> str:
        """The rule set by its title."""
        return registry.rule_set(book.rule_set).title


@admin.register(Navy)
class NavyAdmin(ByBook, admin.ModelAdmin):
    """Navies."""

    list_display = ["name", "code", "nation", "book"]
    list_filter = ["book", "nation"]
    list_select_related = ["nation", "book"]
    search_fields = ["name", "code"]
    readonly_fields = ["book", "code"]


class SquadronInline(OwnChoices, ListedInline):
    """Squadrons of a fleet in the order of sailing, made by mustering."""

    model = Squadron
    fields = ["order", "code", "name", "flagship"]
    readonly_fields = ["code"]
    raw_id_fields = ["flagship"]


@admin.register(Fleet)
class FleetAdmin(ByBook, admin.ModelAdmin):
    """Fleets with their squadrons."""

    book_path = "navy__book"
    list_display = ["name", "code", "navy", "navy__book", "commander", "ended"]
    list_filter = ["navy__book", "navy", "ended"]
    list_select_related = ["navy__book"]
    search_fields = ["name", "code", "commander"]
    readonly_fields = ["navy", "code"]
    inlines = [SquadronInline]


class ShipInline(ListedInline):
    """Ships of a squadron in the order of sailing; each is changed on its own page, with a reason."""

    model = Ship
    fields = ["order", "code", "name", "captain", "men", "fate"]
    readonly_fields = ["order", "code", "name", "captain", "men", "fate"]
    show_change_link = True

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Not without a reason."""
        return False


@admin.register(Squadron)
class SquadronAdmin(ByBook, admin.ModelAdmin):
    """Squadrons with their ships."""

    book_path = "fleet__navy__book"
    list_display = ["name", "code", "fleet", "order", "flagship"]
    list_filter = ["fleet__navy__book", "fleet"]
    list_select_related = ["fleet", "flagship"]
    search_fields = ["name", "code"]
    readonly_fields = ["fleet", "code"]
    raw_id_fields = ["flagship"]
    inlines = [ShipInline]


@admin.register(Officer)
class OfficerAdmin(ByBook, admin.ModelAdmin):
    """Named officers."""

    book_path = "navy__book"
    list_display = ["name", "navy", "navy__book", "flag_rank", "seniority", "ship", "status"]
    list_filter = ["navy__book", "navy", "flag_rank", "status"]
    list_select_related = ["navy__book", "ship"]
    search_fields = ["name", "ship__name"]
    raw_id_fields = ["ship"]
