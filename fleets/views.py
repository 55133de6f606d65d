"""Pages of the registers: which ships there were, by what source, and the card that each rule set makes of them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from fleets.facts import facts_of
from fleets.models import Register, RegisterEntry
from fleets.selectors.cards import entry_cards
from fleets.selectors.registers import (
    SORTS,
    RegisterSearch,
    register_by_code,
    register_entry_of,
    register_list,
    register_search,
    register_sides,
    register_types,
)
from fleets.selectors.ships import fact_rows

PAGE = 50
COLUMNS = (
    ("name", "Ship", ""),
    ("side", "Side", ""),
    ("ship_type", "Type", ""),
    ("guns", "Guns", "num"),
    ("tons_burthen", "Tons", "num"),
    ("year_built", "Launched", "num"),
    ("crew", "Crew", "num"),
)


@login_required
@require_safe
def registers(request: HttpRequest) -> HttpResponse:
    """All registers."""
    return render(
        request, "fleets/registers.html", {"registers": register_list(), "may_import": _may_import(request)}
    )


@login_required
@require_safe
def register(request: HttpRequest, code: str) -> HttpResponse:
    """One register: searched, sorted, page by page. Raises Http404."""
    found = _register_or_404(code)
    asked = RegisterSearch(*(request.GET.get(name, "").strip() for name in ("q", "side", "type", "sort")))
    page = Paginator(register_search(found, asked), PAGE).get_page(request.GET.get("page"))
    context = {
        "register": found,
        "page": page,
        "search": asked,
        "sides": register_sides(found),
        "types": register_types(found),
        "may_import": _may_import(request),
        "columns": [_column(request, asked.sort, *column) for column in COLUMNS],
        "before": _address(request, page=page.number - 1) if page.has_previous() else "",
        "after": _address(request, page=page.number + 1) if page.has_next() else "",
    }
    return render(request, "fleets/register.html", context)


@login_required
@require_safe
def register_entry(request: HttpRequest, code: str, entry: int) -> HttpResponse:
    """One ship of a register: facts, source, confidence, and the ship's card under each rule set. Raises Http404."""
    try:
        found = register_entry_of(code, entry)
    except RegisterEntry.DoesNotExist:
        raise Http404("no such entry") from None
    context = {
        "entry": found,
        "facts": fact_rows(facts_of(found, rule_set="")),
        "cards": [(card, card.templates) for card in entry_cards(found)],
    }
    return render(request, "fleets/register_entry.html", context)


def _may_import(request: HttpRequest) -> bool:
    """Whether the reader may import files, and is let into the admin where that is done."""
    user = request.user
    return user.is_staff and user.has_perms(["fleets.add_registerentry", "fleets.change_registerentry"])  # type: ignore[union-attr]


def _register_or_404(code: str) -> Register:
    try:
        return register_by_code(code)
    except Register.DoesNotExist:
        raise Http404("no such register") from None


def _column(request: HttpRequest, sort: str, name: str, label: str, kind: str) -> dict[str, str]:
    """A column's heading: where a click leads and how it is sorted now."""
    assert name in SORTS
    turned = f"-{name}" if sort == name else name
    order = "ascending" if sort == name else "descending" if sort == f"-{name}" else ""
    return {"label": label, "kind": kind, "order": order, "address": _address(request, sort=turned, page=1)}


def _address(request: HttpRequest, **changed: object) -> str:
    asked = request.GET.copy()
    for name, value in changed.items():
        asked[name] = str(value)
    return f"?{asked.urlencode()}"
