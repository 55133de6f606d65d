"""Cards on admin pages: what each rule set makes of a ship, why, and the figures that the register sets by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import path

from battles.engine import registry
from fleets.models import RegisterEntry
from fleets.selectors.cards import ShownCard, entry_cards, override_fields
from fleets.services.overrides import overrides_set


def card_table(cards: Iterable[ShownCard]) -> Any:
    """Cards as tables: figures first, those set by hand marked as such, then how each was derived."""
    return render_to_string("admin/fleets/_cards.html", {"cards": list(cards)})


class HandRow(NamedTuple):
    """A figure that may be set by hand: its name, what will do, what is set (as typed), and its field on the page."""

    name: str
    words: str
    typed: str
    field: str


def hand_rows(card: ShownCard, typed: dict[str, str] | None = None) -> list[HandRow]:
    """The figures of a card that may be set by hand. typed: what the user has just typed."""
    set_now = {name: _typed(value) for name, value in card.by_hand}
    names = {
        **override_fields(card.rule_set),
        **{name: "" for name in set_now if name not in override_fields(card.rule_set)},
    }
    return [
        HandRow(name, words, (typed or set_now).get(name, ""), f"hand-{name}")
        for name, words in names.items()
    ]


def _typed(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)


class CardPages:
    """The page of an entry's cards."""

    def get_urls(self) -> list[Any]:
        """Its page before those of the entries."""
        view = self.admin_site.admin_view  # type: ignore[attr-defined]
        return [
            path("<int:pk>/cards/", view(self.cards), name="fleets_registerentry_cards"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    def cards(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The ship's cards, each explained, and the figures that may be set by hand. Raises Http404."""
        entry = self.entry_of(request, pk, change=request.method == "POST")  # type: ignore[attr-defined]
        typed: dict[str, str] = {}
        chosen = request.POST.get("rule_set", "")
        faults: list[str] = []
        if request.method == "POST":
            if chosen not in registry.names():
                raise Http404("no such rule set")
            typed = {
                name.removeprefix("hand-"): value
                for name, value in request.POST.items()
                if name.startswith("hand-") and isinstance(value, str)
            }
            try:
                overrides_set(
                    entry=entry,
                    rule_set=chosen,
                    typed=typed,
                    reason=request.POST.get("reason", ""),
                    user=request.user,
                )
            except ValidationError as error:
                faults = error.messages
            else:
                messages.success(
                    request, f"{entry.name}: figures for {registry.rule_set(chosen).title} saved."
                )
                return redirect("admin:fleets_registerentry_cards", pk)
        shown = [
            (
                card,
                hand_rows(card, typed if card.rule_set == chosen else None),
                faults if card.rule_set == chosen else [],
            )
            for card in entry_cards(entry)
        ]
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "opts": RegisterEntry._meta,
            "title": f"Cards of {entry.name}",
            "entry": entry,
            "cards": shown,
            "may_change": self.has_change_permission(request, entry),  # type: ignore[attr-defined]
            "reason": request.POST.get("reason", ""),
        }
        return TemplateResponse(request, "admin/fleets/cards.html", context)
