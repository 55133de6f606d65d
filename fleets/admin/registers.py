"""Nations and registers. A supplied original is read-only: it is copied, and the copy changed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from fleets.models import ImportBatch, Nation, Register
from fleets.services.registers import register_copy


@admin.register(Nation)
class NationAdmin(admin.ModelAdmin):
    """Flags."""

    list_display = ["name", "adjective", "code"]
    search_fields = ["name", "adjective", "code"]


@admin.register(Register)
class RegisterAdmin(admin.ModelAdmin):
    """Registers. A supplied original is copied, and the copy changed."""

    list_display = ["title", "code", "year", "kept_by", "ships"]
    list_filter = ["original"]
    search_fields = ["title", "code"]
    fields = ["title", "code", "year", "sources", "kept_by", "work"]
    readonly_fields = ["kept_by", "work"]
    prepopulated_fields = {"code": ["title"]}
    actions = ["copy"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Register]:
        """With the number of ships."""
        return super().get_queryset(request).annotate(ship_count=Count("entries"))

    @admin.display(description="owner", ordering="original")
    def kept_by(self, register: Register) -> str:
        """Whether it may be changed."""
        return "supplied with the program, read-only" if register.original else "your club"

    @admin.display(description="ships", ordering="ship_count")
    def ships(self, register: Any) -> Any:
        """How many entries it has, with a link to them."""
        address = reverse("admin:fleets_registerentry_changelist")
        return format_html(
            '<a href="{}?register__id__exact={}">{}</a>', address, register.pk, register.ship_count
        )

    @admin.display(description="actions")
    def work(self, register: Register) -> Any:
        """Links to its ships."""
        if not register.pk:
            return "Shown after saving"
        ships = reverse("admin:fleets_registerentry_changelist")
        shown = format_html('<a href="{}?register__id__exact={}">Ships</a>', ships, register.pk)
        if register.original:
            return format_html(
                "{} · to change them, select the register in the list and choose “Copy to edit”", shown
            )
        return format_html(
            '{} · <a href="{}?register={}">Import a file</a> · <a href="{}?register={}">Possible duplicates</a>',
            shown,
            reverse("admin:fleets_registerentry_import"),
            register.pk,
            reverse("admin:fleets_registerentry_duplicates"),
            register.pk,
        )

    @admin.action(description="Copy to edit: make a club register", permissions=["add"])
    def copy(self, request: HttpRequest, queryset: QuerySet[Register]) -> None:
        """Copies each; one that was copied before is named."""
        for register in queryset:
            try:
                made = register_copy(
                    register=register,
                    code=f"{register.code[:45]}_own",
                    title=f"{register.title} (club copy)"[:120],
                    user=request.user,
                )
            except ValidationError as error:
                self.message_user(request, f"{register}: {' '.join(error.messages)}", messages.ERROR)
            else:
                self.message_user(request, f"You can now edit {made}.", messages.SUCCESS)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """A register's imports and edits are deleted with it; no one deletes them alone, and without it they are useless."""
        found, counts, needed, protected = super().get_deleted_objects(objs, request)
        return found, counts, needed - {ImportBatch._meta.verbose_name}, protected

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        """A code is made from the title of a new register only."""
        return {} if obj else dict(self.prepopulated_fields)

    def has_change_permission(self, request: HttpRequest, obj: Register | None = None) -> bool:
        """An original is read-only."""
        return super().has_change_permission(request, obj) and not (obj and obj.original)

    def has_delete_permission(self, request: HttpRequest, obj: Register | None = None) -> bool:
        """An original is read-only."""
        return super().has_delete_permission(request, obj) and not (obj and obj.original)
