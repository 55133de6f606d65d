"""Ships that may have been entered twice, and the page that merges two entries."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path

from fleets.duplicates import pairs_alike
from fleets.models import Register, RegisterEntry
from fleets.services.merges import MERGED_COLUMNS, entries_merge, merge_choices

PAIRS_SHOWN = 100


class MergePages:
    """Pages of an entry admin on which duplicates are found and merged."""

    def get_urls(self) -> list[Any]:
        """Its pages before those of the entries."""
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        return [
            path("duplicates/", view(self.duplicates), name="fleets_registerentry_duplicates"),
            path("<int:keep>/merge/<int:drop>/", view(self.merge), name="fleets_registerentry_merge"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    def duplicates(self, request: HttpRequest) -> HttpResponse:
        """Ships with similar names in one of the club's registers."""
        if not request.user.has_perm("fleets.change_registerentry"):
            raise PermissionDenied
        registers = list(Register.objects.filter(original=False))
        asked = request.GET.get("register", "")
        chosen = next((register for register in registers if str(register.pk) == asked), None)
        entries = chosen.entries.select_related("nation", "register") if chosen else []
        pairs = pairs_alike(entries)
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "opts": RegisterEntry._meta,
            "title": "Possible duplicates",
            "registers": registers,
            "chosen": chosen,
            "pairs": pairs[:PAIRS_SHOWN],
            "count": len(pairs),
        }
        return TemplateResponse(request, "admin/fleets/duplicates.html", context)

    def merge(self, request: HttpRequest, keep: int, drop: int) -> HttpResponse:
        """Which values the merged entry keeps. Raises Http404."""
        if not request.user.has_perm("fleets.delete_registerentry"):
            raise PermissionDenied
        kept = self.entry_of(request, keep)  # type: ignore[attr-defined]
        gone = self.entry_of(request, drop)  # type: ignore[attr-defined]
        if kept.register_id != gone.register_id or kept.pk == gone.pk:
            raise Http404("no two ships of one register")
        take = [column for column in MERGED_COLUMNS if request.POST.get(column) == "other"]
        errors: list[str] = []
        if request.method == "POST":
            try:
                entries_merge(
                    keep=kept, drop=gone, take=take, reason=request.POST.get("reason", ""), user=request.user
                )
            except ValidationError as error:
                errors = error.messages
            else:
                messages.success(request, f"{kept.name}: entries merged.")
                return redirect("admin:fleets_registerentry_change", kept.pk)
        choices = merge_choices(kept, gone)
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "opts": RegisterEntry._meta,
            "title": f"Merge {kept.name} and {gone.name}",
            "kept": kept,
            "gone": gone,
            "choices": [
                (c, a, b, (c in take) if request.method == "POST" else (not a and bool(b)))
                for c, a, b in choices
            ],
            "ships": gone.ships.count(),
            "reason": request.POST.get("reason", ""),
            "errors": errors,
        }
        return TemplateResponse(request, "admin/fleets/merge.html", context)
