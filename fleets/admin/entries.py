"""Ships of the registers: edited one by one or many at once, exported to a spreadsheet and imported again, every change kept."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.text import capfirst
from import_export.admin import ImportExportMixin
from import_export.forms import ExportForm

from fleets.admin.base import Capitalised, column
from fleets.admin.bulk import BulkPages
from fleets.admin.cards import CardPages, card_table
from fleets.admin.filters import FilledFilter, GunsFilter, YearFilter
from fleets.admin.histories import ReasonedHistory
from fleets.admin.imports import ImportPages
from fleets.admin.merging import MergePages
from fleets.entry_forms import EntryPageForm
from fleets.models import Register, RegisterEntry
from fleets.resources import FORMATS, RegisterEntryResource
from fleets.selectors.cards import entry_cards


class WholeExportForm(ExportForm):
    """Every column, so that an export can be imported again, and no script in the page. A workbook unless another format is chosen."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        formats = {label: value for value, label in self.fields["format"].choices}  # type: ignore[attr-defined]
        self.initial.setdefault("format", formats["xlsx"])


@admin.register(RegisterEntry)
class RegisterEntryAdmin(
    Capitalised, ImportPages, BulkPages, MergePages, CardPages, ImportExportMixin, ReasonedHistory
):
    """Ships of the registers."""

    form = EntryPageForm
    resource_classes = [RegisterEntryResource]
    export_form_class = WholeExportForm
    formats = FORMATS
    export_template_name = "admin/fleets/export.html"
    type_of_ship = column("ship type", lambda entry: capfirst(entry.get_ship_type_display()), "ship_type")
    list_display = [
        "name", "side", "type_of_ship", "rate", "guns", "year_built", "squadron", "confidence", "register",
    ]  # fmt: skip
    list_filter = [
        "register",
        ("nation", admin.RelatedOnlyFieldListFilter),
        "side",
        "ship_type",
        ("rate", FilledFilter),
        GunsFilter,
        YearFilter,
        "role",
        "confidence",
    ]
    list_select_related = ["nation", "register"]
    list_per_page = 100
    search_fields = ["name", "commander", "squadron", "fate_or_note"]
    search_help_text = "Name, commander, squadron or note"
    readonly_fields = ["line", "card"]
    history_list_display = ["guns", "tons_burthen", "crew", "confidence"]
    import_export_change_list_template = "admin/fleets/entries.html"
    change_form_template = "admin/fleets/entry.html"
    fieldsets = [
        (None, {"fields": ["register", "name", "nation", "side", "squadron", "division", "role", "commander"]}),
        (
            "Ship",
            {
                "fields": [
                    "ship_type", "rate", "guns", "gun_detail", "broadside_lb", "tons_burthen", "displacement_tons",
                    "year_built", "crew", "speed_knots", "built_by", "tags",
                ]
            },
        ),
        (
            "Columns that only some registers have",
            {
                "classes": ["collapse"],
                "fields": [
                    "soldiers", "mariners", "rowers", "main_guns", "secondary_guns", "torpedo_tubes", "squadron_1905",
                    "commander_1905",
                ],
            },
        ),
        ("Confidence", {"fields": ["confidence", "fate_or_note", "source", "line"]}),
        ("Reason for the change", {"fields": ["reason"]}),
        ("Cards", {"fields": ["card"]}),
    ]  # fmt: skip

    @admin.display(description="cards")
    def card(self, entry: RegisterEntry) -> Any:
        """The ship's card in every installed rule set."""
        return card_table(entry_cards(entry)) if entry.pk else "Shown after saving"

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """New entries go into a club's own registers."""
        if db_field.name == "register":
            kwargs["queryset"] = Register.objects.filter(original=False)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """An entry stays in its register."""
        found = list(super().get_readonly_fields(request, obj))
        return [*found, "register"] if obj else found

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """No reason where the page is read-only."""
        found = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return found
        columns = {"built_by", "tags"}
        kept = [
            (title, {**options, "fields": [name for name in options["fields"] if name not in columns]})
            for title, options in found
            if "reason" not in options["fields"] and "soldiers" not in options["fields"]
        ]
        return [*kept[:-1], ("Other columns", {"fields": ["extra"]}), kept[-1]] if obj.extra else kept

    def has_change_permission(self, request: HttpRequest, obj: RegisterEntry | None = None) -> bool:
        """Entries of an original are read-only."""
        return super().has_change_permission(request, obj) and not (obj and obj.register.original)

    def has_delete_permission(self, request: HttpRequest, obj: RegisterEntry | None = None) -> bool:
        """Entries of an original are read-only."""
        return super().has_delete_permission(request, obj) and not (obj and obj.register.original)

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Who may add and change entries."""
        return request.user.has_perms(["fleets.add_registerentry", "fleets.change_registerentry"])

    def has_export_permission(self, request: HttpRequest) -> bool:
        """Who may see them."""
        return self.has_view_permission(request)

    def get_export_data(self, file_format: Any, request: HttpRequest, queryset: Any, **kwargs: Any) -> Any:
        """Numbers as numbers where the format has any."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        native = not isinstance(file_format, FORMATS[0])
        data = self.get_data_for_export(request, queryset, force_native_type=native, **kwargs)
        return file_format.export_data(data)

    def get_export_queryset(self, request: HttpRequest) -> Any:
        """With what a row names, so that a file takes only a few queries."""
        return super().get_export_queryset(request).select_related("register", "nation")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """With the reason, as it appears in the history."""
        obj._change_reason = form.cleaned_data.get("reason") or ("" if change else "Added by hand")
        super().save_model(request, obj, form, change)

    def entry_of(self, request: HttpRequest, pk: int, *, change: bool = True) -> RegisterEntry:
        """An entry that the reader may change (or only see). Raises Http404, PermissionDenied."""
        entry = RegisterEntry.objects.select_related("register", "nation").filter(pk=pk).first()
        may_see = self.has_view_or_change_permission(request, entry)
        if entry is None or not may_see:
            raise Http404("no such ship")
        if change and not self.has_change_permission(request, entry):
            raise PermissionDenied
        return entry
