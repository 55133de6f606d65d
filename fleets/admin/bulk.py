"""Edit selected entries: select them in the list, fill in columns, preview the changes, and save them with a reason."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from fleets.entry_forms import ChosenForm
from fleets.models import RegisterEntry
from fleets.services.bulk_edits import BULK_COLUMNS, BulkPlan, bulk_edit, bulk_plan, register_of_ships


class BulkPages:
    """The action of a list of entries, and its page."""

    actions = ["change_many"]

    def get_urls(self) -> list[Any]:
        """Its page before those of the entries."""
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        return [path("bulk/", view(self.bulk), name="fleets_registerentry_bulk"), *super().get_urls()]  # type: ignore[misc]

    @admin.action(description="Edit selected entries", permissions=["change"])
    def change_many(self, request: HttpRequest, queryset: QuerySet[RegisterEntry]) -> HttpResponse | None:
        """Continues to the page where the columns are chosen."""
        entries = list(queryset.select_related("register", "nation").order_by("line", "name"))
        try:
            register_of_ships(entries)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return None
        return self._bulk_page(request, entries, step="fill")

    def bulk(self, request: HttpRequest) -> HttpResponse:
        """Fill in, preview, save. Nothing is kept between the steps except what the page itself carries."""
        if not request.user.has_perm("fleets.change_registerentry"):
            raise PermissionDenied
        entries = _entries(request)
        if request.method != "POST" or not entries:
            messages.info(request, "Select ships in the list first.")
            return redirect("admin:fleets_registerentry_changelist")
        chosen = [column for column in BULK_COLUMNS if f"set-{column}" in request.POST]
        values = {column: request.POST.get(column, "") for column in chosen}
        step, reason = request.POST.get("step", ""), request.POST.get("reason", "")
        try:
            if step == "save":
                return self._save(request, entries, values, reason)
            plan = bulk_plan(entries=entries, values=values)
        except ValidationError as error:
            return self._bulk_page(request, entries, step="fill", errors=error.messages)
        if plan.faults:
            return self._bulk_page(request, entries, step="fill", plan=plan)
        if not reason.strip():
            errors = ["Enter a reason. It appears in every ship's history."]
            return self._bulk_page(request, entries, step="fill", errors=errors)
        step = "preview" if step == "preview" else "fill"
        return self._bulk_page(request, entries, step=step, plan=plan, values=values)

    def _save(
        self, request: HttpRequest, entries: list[RegisterEntry], values: dict[str, str], reason: str
    ) -> HttpResponse:
        batch = bulk_edit(
            entries=entries,
            values=values,
            reason=reason,
            mark=request.POST.get("mark", ""),
            user=request.user,
        )
        if batch is None:
            messages.warning(
                request, "Ships have changed since this preview. Nothing was saved. Review the changes again."
            )
            return self._bulk_page(
                request,
                entries,
                step="preview",
                plan=bulk_plan(entries=_entries(request), values=values),
                values=values,
            )
        messages.success(
            request,
            f"{batch.changed} ship{'s' * (batch.changed != 1)} changed. You can undo all changes here.",
        )
        return redirect("admin:fleets_importbatch_change", batch.pk)

    def _bulk_page(self, request: HttpRequest, entries: list[RegisterEntry], **more: Any) -> HttpResponse:
        plan: BulkPlan = more.setdefault("plan", BulkPlan())
        posted = request.POST if "step" in request.POST else None
        form = ChosenForm(posted, chosen=BULK_COLUMNS, use_required_attribute=False)
        faults = {fault.column: fault for fault in plan.faults}
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "opts": RegisterEntry._meta,
            "title": f"Edit selected entries: {entries[0].register}",
            "entries": entries,
            "ids": ",".join(str(entry.pk) for entry in entries),
            "rows": [
                (column, form[column], f"set-{column}" in request.POST, faults.get(column))
                for column in BULK_COLUMNS
            ],
            "reason": request.POST.get("reason", ""),
            "back": f"{reverse('admin:fleets_registerentry_changelist')}?register__id__exact={entries[0].register_id}",
            **more,
        }
        return TemplateResponse(request, "admin/fleets/bulk.html", context)


def _entries(request: HttpRequest) -> list[RegisterEntry]:
    """The ships that a page names, as they are now."""
    ids = [int(word) for word in request.POST.get("ids", "").split(",") if word.isdigit() and len(word) < 15]
    found = RegisterEntry.objects.select_related("register", "nation").filter(pk__in=ids[:2_001])
    return list(found.order_by("line", "name"))
