"""Django's admin over the fleets: registers to be kept, a campaign's ships to be looked after, the ledger to be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from import_export.admin import ImportExportMixin
from import_export.formats import base_formats
from import_export.forms import ExportForm
from simple_history.admin import SimpleHistoryAdmin

from fleets.forms import RegisterEntryForm
from fleets.models import (
    Book,
    Fleet,
    Nation,
    Navy,
    Officer,
    Prize,
    Register,
    RegisterEntry,
    ServiceRecord,
    Ship,
    Squadron,
)
from fleets.resources import RegisterEntryResource
from fleets.selectors import ShownCard, entry_cards, ship_card
from fleets.services.registers import register_copy
from fleets.services.service_records import sentence


def card_table(cards: Iterable[ShownCard]) -> SafeString:
    """Cards as plain tables: figures first, then how each came about."""
    return format_html_join("", "{}", ((_one_card(card),) for card in cards))


def _one_card(card: ShownCard) -> SafeString:
    if card.faults and not card.figures:
        return format_html("<p><b>{}</b>: no card, {}</p>", card.title, card.faults)
    figures = format_html_join(
        "", "<tr><th>{}</th><td>{}</td></tr>", ((n, _shown(v)) for n, v in card.figures)
    )
    notes = format_html_join(
        "",
        "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
        ((n.field, n.clause, n.sentence) for n in card.notes),
    )
    return format_html(
        "<table><caption>{}</caption>{}</table><table><tr><th>figure</th><th>clause</th><th>why</th></tr>{}</table>",
        card.title,
        figures,
        notes,
    )


def _shown(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return value


class ReadOnlyAdmin(admin.ModelAdmin):
    """To be looked at only."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes here."""
        return False


@admin.register(Nation)
class NationAdmin(admin.ModelAdmin):
    """Flags."""

    list_display = ["name", "adjective", "code"]
    search_fields = ["name", "adjective", "code"]


@admin.register(Register)
class RegisterAdmin(admin.ModelAdmin):
    """Registers. A shipped original is copied, and the copy changed."""

    list_display = ["title", "code", "year", "original", "ships"]
    list_filter = ["original"]
    search_fields = ["title", "code"]
    readonly_fields = ["original"]
    prepopulated_fields = {"code": ["title"]}
    actions = ["copy"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Register]:
        """With the number of ships."""
        return super().get_queryset(request).annotate(ship_count=Count("entries"))

    @admin.display(description="ships", ordering="ship_count")
    def ships(self, register: Any) -> int:
        """How many entries it has."""
        return register.ship_count

    @admin.action(description="Copy to a register of the club's own")
    def copy(self, request: HttpRequest, queryset: QuerySet[Register]) -> None:
        """Copies each; one that was copied before is named."""
        for register in queryset:
            try:
                made = register_copy(
                    register=register,
                    code=f"{register.code[:45]}_own",
                    title=f"{register.title} (our own)"[:120],
                )
            except ValidationError as error:
                self.message_user(request, f"{register}: {' '.join(error.messages)}", messages.ERROR)
            else:
                self.message_user(request, f"{made} can be changed now", messages.SUCCESS)

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        """A code is made from the title of a new register only."""
        return {} if obj else dict(self.prepopulated_fields)

    def has_change_permission(self, request: HttpRequest, obj: Register | None = None) -> bool:
        """An original is read-only."""
        return super().has_change_permission(request, obj) and not (obj and obj.original)

    def has_delete_permission(self, request: HttpRequest, obj: Register | None = None) -> bool:
        """An original is read-only."""
        return super().has_delete_permission(request, obj) and not (obj and obj.original)


@admin.register(RegisterEntry)
class RegisterEntryAdmin(ImportExportMixin, SimpleHistoryAdmin):
    """Ships of the registers: edited one by one, or forty at once through a spreadsheet, with every change kept."""

    form = RegisterEntryForm
    resource_classes = [RegisterEntryResource]
    export_form_class = (
        ExportForm  # every column, so that what goes out can come in again; and no script in the page
    )
    formats = [base_formats.CSV, base_formats.XLSX, base_formats.JSON]
    list_display = [
        "name", "side", "nation", "squadron", "role", "ship_type", "guns", "commander", "confidence", "register",
    ]  # fmt: skip
    list_filter = ["register", "side", "role", "ship_type", "confidence"]
    list_select_related = ["nation", "register"]
    list_per_page = 100
    search_fields = ["name", "commander", "squadron", "fate_or_note"]
    readonly_fields = ["line", "card"]
    history_list_display = ["guns", "tons_burthen", "crew", "confidence"]
    fieldsets = [
        (None, {"fields": ["register", "name", "nation", "side", "squadron", "division", "role", "commander"]}),
        (
            "The ship",
            {
                "fields": [
                    "ship_type", "rate", "guns", "gun_detail", "broadside_lb", "tons_burthen", "displacement_tons",
                    "year_built", "crew", "speed_knots", "extra", "overrides",
                ]
            },
        ),
        ("How sure", {"fields": ["confidence", "fate_or_note", "source", "line"]}),
        ("What the rule sets make of her", {"fields": ["card"]}),
    ]  # fmt: skip

    @admin.display(description="cards")
    def card(self, entry: RegisterEntry) -> Any:
        """Her card in every installed rule set."""
        return card_table(entry_cards(entry)) if entry.pk else "shown once she is saved"

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """New entries go into a club's own registers."""
        if db_field.name == "register":
            kwargs["queryset"] = Register.objects.filter(original=False)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: RegisterEntry | None = None) -> bool:
        """Entries of an original are read-only."""
        return super().has_change_permission(request, obj) and not (obj and obj.register.original)

    def has_delete_permission(self, request: HttpRequest, obj: RegisterEntry | None = None) -> bool:
        """Entries of an original are read-only."""
        return super().has_delete_permission(request, obj) and not (obj and obj.register.original)


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    """Books of campaigns; opened by starting a campaign."""

    list_display = ["code", "rule_set", "engine_version"]
    list_filter = ["rule_set"]
    search_fields = ["code"]
    readonly_fields = ["code", "rule_set", "engine_version", "rules_hash"]


@admin.register(Navy)
class NavyAdmin(admin.ModelAdmin):
    """Navies."""

    list_display = ["name", "code", "nation", "book"]
    list_filter = ["book", "nation"]
    list_select_related = ["nation", "book"]
    search_fields = ["name", "code"]
    readonly_fields = ["book", "code"]


class SquadronInline(admin.TabularInline):
    """Squadrons of a fleet in the order of sailing."""

    model = Squadron
    extra = 0
    fields = ["order", "code", "name", "flagship"]
    readonly_fields = ["code"]
    raw_id_fields = ["flagship"]
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Squadrons are made by mustering."""
        return False


@admin.register(Fleet)
class FleetAdmin(admin.ModelAdmin):
    """Fleets with their squadrons."""

    list_display = ["name", "code", "navy", "commander", "ended"]
    list_filter = ["navy__book", "navy", "ended"]
    list_select_related = ["navy"]
    search_fields = ["name", "code", "commander"]
    readonly_fields = ["navy", "code"]
    inlines = [SquadronInline]


class ShipInline(admin.TabularInline):
    """Ships of a squadron in the order of sailing."""

    model = Ship
    extra = 0
    fields = ["order", "code", "name", "captain", "men", "fate"]
    readonly_fields = ["code", "fate"]
    show_change_link = True
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Ships are made by mustering."""
        return False


@admin.register(Squadron)
class SquadronAdmin(admin.ModelAdmin):
    """Squadrons with their ships."""

    list_display = ["name", "code", "fleet", "order", "flagship"]
    list_filter = ["fleet__navy__book", "fleet"]
    list_select_related = ["fleet", "flagship"]
    search_fields = ["name", "code"]
    readonly_fields = ["fleet", "code"]
    raw_id_fields = ["flagship"]
    inlines = [ShipInline]


@admin.register(Ship)
class ShipAdmin(SimpleHistoryAdmin):
    """A campaign's ships with card and history; they are made by mustering."""

    list_display = [
        "code",
        "name",
        "navy",
        "ship_type",
        "squadron",
        "men",
        "complement",
        "captain",
        "prize",
        "fate",
    ]
    list_filter = ["book", "navy", "fate", "prize", "ship_type"]
    list_select_related = ["book", "navy", "squadron"]
    list_per_page = 100
    search_fields = ["name", "code", "captain"]
    raw_id_fields = ["squadron"]
    readonly_fields = [
        "book",
        "code",
        "built_for",
        "entry",
        "ship_type",
        "facts",
        "complement_estimated",
        "card_shown",
    ]
    exclude = ["card"]
    history_list_display = ["navy", "men", "fate", "condition"]

    @admin.display(description="card")
    def card_shown(self, ship: Ship) -> Any:
        """Her card under the book's rules."""
        return card_table([ship_card(ship)])

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Ships are made by mustering."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A ship that is gone keeps her ledger."""
        return False


@admin.register(Officer)
class OfficerAdmin(admin.ModelAdmin):
    """Named officers."""

    list_display = ["name", "navy", "flag_rank", "seniority", "ship", "status"]
    list_filter = ["navy__book", "navy", "flag_rank", "status"]
    list_select_related = ["navy", "ship"]
    search_fields = ["name", "ship__name"]
    raw_id_fields = ["ship"]


@admin.register(ServiceRecord)
class ServiceRecordAdmin(ReadOnlyAdmin):
    """The ledger. It is never changed; a correction is a new entry."""

    list_display = ["when", "ship", "words", "kind", "navy_code", "turn", "battle"]
    list_filter = ["ship__book", "kind", "navy_code"]
    list_select_related = ["ship"]
    search_fields = ["ship__name", "ship__code", "event", "battle"]

    @admin.display(description="entry")
    def words(self, record: ServiceRecord) -> str:
        """The entry as a sentence."""
        return sentence(record)


@admin.register(Prize)
class PrizeAdmin(admin.ModelAdmin):
    """Captures. Who took whom stands as it was written."""

    list_display = ["ship", "captor", "taken_from", "taken_by", "when", "status", "prisoners"]
    list_filter = ["ship__book", "status", "captor"]
    list_select_related = ["ship", "captor", "taken_from", "taken_by"]
    search_fields = ["ship__name", "taken_by__name", "battle"]
    readonly_fields = ["ship", "captor", "taken_from", "taken_by", "when", "battle"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Captures are written by battles."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A capture stands."""
        return False
