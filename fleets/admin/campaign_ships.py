"""A campaign's ships: its umpire views them, corrects them with a reason, and updates their facts from the register."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path

from fleets.admin.base import ByBook, NotAdded, NotDeleted
from fleets.admin.cards import card_table
from fleets.admin.histories import ReasonedHistory
from fleets.keeping import keeper
from fleets.models import Ship
from fleets.record_words import spoken
from fleets.selectors.cards import ship_card
from fleets.selectors.ships import service_history
from fleets.services.ship_edits import retake_choices, ship_amend, ship_retake
from fleets.ship_forms import MARK, ShipForm, mark_names


def _when(when: str) -> str:
    return spoken(when) if when else "undated"


@admin.register(Ship)
class ShipAdmin(NotAdded, NotDeleted, ByBook, ReasonedHistory):
    """A campaign's ships with card, service record and history; they are made by mustering, and those that are gone are kept."""

    form = ShipForm
    change_form_template = "admin/fleets/ship.html"
    list_display = [
        "code", "name", "book", "navy", "ship_type", "squadron", "men", "complement", "captain", "prize", "fate",
    ]  # fmt: skip
    list_filter = ["book", "navy", "fate", "prize", "ship_type"]
    list_select_related = ["book", "navy", "squadron"]
    list_per_page = 100
    search_fields = ["name", "code", "captain"]
    search_help_text = "Name, code or captain"
    readonly_fields = [
        "book", "code", "navy", "built_for", "squadron", "order", "entry", "ship_type", "prize", "fate", "formerly",
        "complement_estimated", "card_shown", "record",
    ]  # fmt: skip
    fieldsets = [
        (
            None,
            {"fields": ["name", "code", "formerly", "navy", "built_for", "book", "squadron", "order"]},
        ),
        ("Crew", {"fields": ["captain", "men", "complement", "complement_estimated"]}),
        ("Present state", {"fields": ["ship_type", "fate", "prize", "entry"]}),
        ("Condition", {"fields": []}),
        ("Reason for the change", {"fields": ["reason"]}),
        ("Card", {"fields": ["card_shown"]}),
        ("Service record", {"fields": ["record"]}),
    ]
    history_list_display = ["navy", "men", "fate"]

    @admin.display(description="card")
    def card_shown(self, ship: Ship) -> Any:
        """The ship's card under the book's rules."""
        return card_table([ship_card(ship)])

    @admin.display(description="former names")
    def formerly(self, ship: Ship) -> str:
        """What the ship was called before."""
        return ", ".join(ship.former_names) or "none"

    @admin.display(description="entries")
    def record(self, ship: Ship) -> Any:
        """What happened to the ship."""
        return (
            "\n".join(f"{_when(row.record.when)}: {row.words}" for row in service_history(ship))
            or "No entries yet"
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """With the marks of the ship's own rule set; neither these nor a reason where the page is read-only."""
        found = super().get_fieldsets(request, obj)
        if obj is not None and not self.has_change_permission(request, obj):
            return [part for part in found if part[0] not in ("Condition", "Reason for the change")]
        parts = dict(found)
        if obj is not None:
            held = ["void_battle"] if keeper().held_by(obj.book, obj.code) else []
            parts["Condition"] = {"fields": mark_names(obj)}
            parts["Reason for the change"] = {"fields": [*held, "reason"]}
        return list(parts.items())

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form adds the marks itself: they are no columns."""
        names = kwargs.get("fields") or flatten_fieldsets(self.get_fieldsets(request, obj))
        kwargs["fields"] = [name for name in names if callable(name) or not name.startswith(MARK)]
        return super().get_form(request, obj, change, **kwargs)

    def get_urls(self) -> list[Any]:
        """The page on which facts are updated from the register."""
        view = self.admin_site.admin_view
        return [path("<int:pk>/retake/", view(self.retake), name="fleets_ship_retake"), *super().get_urls()]

    def retake(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Which facts to take from the register as it is now. Raises Http404."""
        ship = (
            self.get_queryset(request)
            .select_related("book", "navy", "entry__register", "entry__nation")
            .filter(pk=pk)
            .first()
        )
        if ship is None or not self.has_change_permission(request, ship):
            raise Http404("no such ship")
        errors: list[str] = []
        chosen = request.POST.getlist("take")
        if request.method == "POST":
            try:
                reason = request.POST.get("reason", "")
                done = ship_retake(ship=ship, columns=chosen, reason=reason, user=request.user)
            except ValidationError as error:
                errors = error.messages
            else:
                said = (
                    f"{ship.name}: corrected."
                    if done
                    else "You chose no facts that differ. Nothing was changed."
                )
                messages.success(request, said)
                return redirect("admin:fleets_ship_change", pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Update {ship.name} from the register",
            "ship": ship,
            "choices": [(row, row.name in chosen) for row in retake_choices(ship)],
            "reason": request.POST.get("reason", ""),
            "errors": errors,
        }
        return TemplateResponse(request, "admin/fleets/retake.html", context)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """By the service, which writes the ship's record and the umpire's log."""
        ship = Ship.objects.select_related("book", "navy").get(pk=obj.pk)
        ship_amend(
            ship=ship, values=form.values(), reason=form.cleaned_data["reason"], user=request.user,
            void_battle=form.cleaned_data.get("void_battle", False),
        )  # fmt: skip
