"""The pages on which a file becomes a register: choose it, preview it, confirm it; and undo it.

A file with errors is not kept. They are all shown at once, and the user comes back with a corrected one.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html

from fleets.admin.base import ReadOnlyAdmin
from fleets.models import ImportBatch, Nation, Register, RegisterEntry
from fleets.register_columns import column_guides
from fleets.register_files import MOST_BYTES, MOST_ROWS
from fleets.register_templates import template_csv, template_workbook
from fleets.services.import_plans import MOST_FAULTS_SHOWN, ImportPlan, import_plan
from fleets.services.register_imports import (
    batch_give_up,
    batch_plan,
    batch_undo,
    import_confirm,
    import_wait,
    plan_mark,
)
from fleets.services.registers import nations_load, new_register_fault, register_new

ROWS_A_PAGE = 200
STATES = (("changed", "Changed"), ("new", "New"), ("unchanged", "Unchanged"))
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class FileForm(forms.Form):
    """Which file goes into which register."""

    register = forms.ModelChoiceField(
        Register.objects.none(), label="Register", empty_label="A new register", required=False
    )
    title = forms.CharField(
        max_length=120,
        required=False,
        label="Title of the new register",
        help_text="Only for a new register.",
    )
    year = forms.IntegerField(
        min_value=1,
        max_value=2100,
        required=False,
        label="Year of the new register",
        help_text="When its ships served.",
    )
    file = forms.FileField(
        label="File", help_text=f"CSV, workbook (XLSX) or JSON, up to {MOST_ROWS:,} ships."
    )
    skip_unknown = forms.BooleanField(
        required=False,
        label="Ignore unknown columns",
        help_text="Otherwise an unknown column is an error and nothing is imported.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["register"].queryset = Register.objects.filter(original=False)  # type: ignore[attr-defined]
        self.fields["file"].widget.attrs["accept"] = ".csv,.txt,.tsv,.xlsx,.json"

    def clean(self) -> dict[str, Any]:
        """A register, or the title of a new one that no register has."""
        data = super().clean() or {}
        if data.get("register") is None and "register" not in self.errors:
            if not data.get("title", "").strip():
                self.add_error("title", "Choose a register, or enter the title of a new one.")
            elif fault := new_register_fault(data["title"]):
                self.add_error("title", fault)
        return data

    def raw(self) -> bytes:
        """The file's bytes; of one that is too large only as many as show it."""
        return self.cleaned_data["file"].read(MOST_BYTES + 1)


class ImportPages:
    """Pages of an entry admin on which files come in."""

    def get_urls(self) -> list[Any]:
        """Its pages before those of the entries."""
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        return [
            path("import/", view(self.import_action), name="fleets_registerentry_import"),
            path("template.<str:kind>", view(self.template), name="fleets_registerentry_template"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    def import_action(self, request: HttpRequest) -> HttpResponse:
        """Choose a file; shows its errors or, if it has none, what it would do."""
        if not self.has_import_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        form = FileForm(
            request.POST or None, request.FILES or None, initial={"register": request.GET.get("register")}
        )
        plan = ImportPlan()
        if request.method == "POST" and form.is_valid():
            nations_load()
            data = form.cleaned_data
            raw = form.raw()
            plan = import_plan(register=data["register"], raw=raw, skip_unknown=data["skip_unknown"])
            if not plan.faults:
                register = data["register"] or register_new(title=data["title"], year=data["year"])
                batch = import_wait(
                    register=register,
                    raw=raw,
                    file_name=data["file"].name,
                    user=request.user,
                    skip_unknown=data["skip_unknown"],
                )
                return redirect("admin:fleets_importbatch_preview", batch.pk)
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "opts": RegisterEntry._meta,
            "title": "Import",
            "form": form,
            "plan": plan,
            "shown_faults": plan.faults[:MOST_FAULTS_SHOWN],
            "guides": column_guides(Nation.objects.values_list("name", flat=True)),
        }
        return TemplateResponse(request, "admin/fleets/import.html", context)

    def template(self, request: HttpRequest, kind: str) -> HttpResponse:
        """A blank file to fill in, with an example and the allowed values of each column. Raises Http404."""
        if not self.has_import_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        nations_load()
        nations = list(Nation.objects.values_list("name", flat=True))
        if kind == "xlsx":
            response = HttpResponse(template_workbook(nations), content_type=WORKBOOK)
        elif kind == "csv":
            response = HttpResponse(template_csv(nations), content_type="text/csv; charset=utf-8")
        else:
            raise Http404("no such template")
        response["Content-Disposition"] = f'attachment; filename="register-template.{kind}"'
        return response


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnlyAdmin):
    """Imports and edits of many ships: what is waiting, what was done, and how to undo it."""

    list_display = ["made", "kind", "register", "reason", "by", "new", "changed", "status"]
    list_filter = ["status", "kind", "register"]
    list_select_related = ["register"]
    search_fields = ["file_name", "reason", "by"]
    exclude = ["file", "user", "digest", "skip_unknown"]
    change_form_template = "admin/fleets/batch.html"
    deferred = ("file",)

    def get_urls(self) -> list[Any]:
        """Preview, confirm, cancel and undo."""
        view = self.admin_site.admin_view
        return [
            path("<int:pk>/preview/", view(self.preview), name="fleets_importbatch_preview"),
            path("<int:pk>/undo/", view(self.undo), name="fleets_importbatch_undo"),
            *super().get_urls(),
        ]

    def may(self, request: HttpRequest) -> bool:
        """Who may change entries may import and undo."""
        return request.user.has_perms(["fleets.add_registerentry", "fleets.change_registerentry"])

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """With what it changed, and what can be done about it."""
        batch = self.get_object(request, object_id)
        versions = RegisterEntry.history.filter(batch=batch).order_by("pk")[:500] if batch else []
        extra = {"versions": versions, "may_undo": self.may(request)}
        return super().change_view(request, object_id, form_url, {**extra, **(extra_context or {})})

    def _batch(self, request: HttpRequest, pk: int) -> ImportBatch:
        if not self.may(request):
            raise PermissionDenied
        batch = ImportBatch.objects.select_related("register", "user").filter(pk=pk).first()
        if batch is None:
            raise Http404("no such import")
        return batch

    def preview(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What a waiting file would do, row by row; confirmed or cancelled here. Raises Http404."""
        batch = self._batch(request, pk)
        if batch.status != ImportBatch.Status.WAITING:
            return redirect("admin:fleets_importbatch_change", pk)
        if request.method == "POST":
            return self._answered(request, batch)
        plan = batch_plan(batch)
        counts = [(state, label, len(plan.in_state(state))) for state, label in STATES]
        asked = request.GET.get("show", "")
        asked = asked if asked in dict(STATES) else next((s for s, _, n in counts if n), "unchanged")
        page = Paginator(plan.in_state(asked), ROWS_A_PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Preview import: {batch.file_name}",
            "batch": batch,
            "plan": plan,
            "shown_faults": plan.faults[:MOST_FAULTS_SHOWN],
            "mark": plan_mark(plan),
            "counts": counts,
            "asked": asked,
            "page": page,
            "does": any(count for state, _, count in counts if state != "unchanged"),
        }
        return TemplateResponse(request, "admin/fleets/preview.html", context)

    def _answered(self, request: HttpRequest, batch: ImportBatch) -> HttpResponse:
        to_list = (
            f"{reverse('admin:fleets_registerentry_changelist')}?register__id__exact={batch.register_id}"
        )
        if "give_up" in request.POST:
            batch_give_up(batch=batch)
            messages.info(request, f"{batch.file_name} was not imported.")
            return redirect(f"{reverse('admin:fleets_registerentry_import')}?register={batch.register_id}")
        try:
            saved = import_confirm(
                batch=batch, mark=request.POST.get("mark", ""), reason=request.POST.get("reason", "")
            )
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return redirect("admin:fleets_importbatch_preview", batch.pk)
        if saved is None:
            messages.warning(
                request,
                "The register has changed since this preview. Nothing was saved. Review the changes again.",
            )
            return redirect("admin:fleets_importbatch_preview", batch.pk)
        messages.success(
            request,
            format_html(
                '{}: {} new, {} changed, {} unchanged. <a href="{}">Open the register</a> to compose fleets.',
                batch.register, saved.new, saved.changed, saved.unchanged,
                reverse("register", args=[batch.register.code]),
            ),
        )  # fmt: skip
        return redirect(to_list)

    def undo(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask, and then undo all that a batch did. Raises Http404."""
        batch = self._batch(request, pk)
        if request.method == "POST":
            try:
                undone = batch_undo(batch=batch, user=request.user, reason=request.POST.get("reason", ""))
            except ValidationError as error:
                messages.error(request, " ".join(error.messages))
            else:
                messages.success(
                    request, f"Undone. Ships removed: {undone.new}. Ships restored: {undone.changed}."
                )
            return redirect("admin:fleets_importbatch_change", pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Undo: {batch}",
            "batch": batch,
        }
        return TemplateResponse(request, "admin/fleets/undo.html", context)
