"""Nations and registers. A shipped original is read-only: it is copied, and the copy changed."""

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
    """Registers. A shipped original is copied, and the copy changed."""

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

    @admin.display(description="kept", ordering="original")
    def kept_by(self, register: Register) -> str:
        """Whether it may be changed."""
        return "shipped with the program, read-only" if register.original else "by the club"

    @admin.display(description="ships", ordering="ship_count")
    def ships(self, register: Any) -> Any:
        """How many entries it has, with the way to them."""
        address = reverse("admin:fleets_registerentry_changelist")
        return format_html(
            '<a href="{}?register__id__exact={}">{}</a>', address, register.pk, register.ship_count
        )

    @admin.display(description="to do")
    def work(self, register: Register) -> Any:
        """The ways to its ships."""
        if not register.pk:
            return "shown once it is saved"
        ships = reverse("admin:fleets_registerentry_changelist")
        shown = format_html('<a href="{}?register__id__exact={}">Its ships</a>', ships, register.pk)
        if register.original:
            return format_html("{} · to change them, choose “Copy to edit” in the list of registers", shown)
        return format_html(
            '{} · <a href="{}?register={}">import a file</a> · <a href="{}?register={}">ships of like names</a>',
            shown,
            reverse("admin:fleets_registerentry_import"),
            register.pk,
            reverse("admin:fleets_registerentry_duplicates"),
            register.pk,
        )

    @admin.action(description="Copy to edit: a register of the club's own", permissions=["add"])
    def copy(self, request: HttpRequest, queryset: QuerySet[Register]) -> None:
        """Copies each; one that was copied before is named."""
        for register in queryset:
            try:
                made = register_copy(
                    register=register,
                    code=f"{register.code[:45]}_own",
                    title=f"{register.title} (our own)"[:120],
                    user=request.user,
                )
            except ValidationError as error:
                self.message_user(request, f"{register}: {' '.join(error.messages)}", messages.ERROR)
            else:
                self.message_user(request, f"{made} can be changed now", messages.SUCCESS)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Its imports and edits go with a register: nobody deletes those by themselves, but they are of no use without it."""
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
