"""The address of every page that the site has, filled in with what a campaign holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.contrib import admin
from django.urls import NoReverseMatch, get_resolver, reverse

from battles.models import Battle
from campaign.models import Campaign, Objective, Turn
from campaign.selectors.people.access import anyone
from campaign.selectors.public.gazettes import gazette_rows
from fleets.models import Fleet, RegisterEntry, Ship

# What only takes a form, signs someone in or out, or is asked by machines is no page.
LEFT_OUT = frozenset({"sign_in", "logout", "login", "healthz", "metrics", "campaign_leave", "coast"})


class Page(NamedTuple):
    """A page by its name, and an address of it."""

    name: str
    address: str


def pages(campaign: Campaign, user: Any) -> list[Page]:
    """Every page of the site but for the admin, the newest of everything, a fleet and a ship of the user's own side.

    user: None for someone who is not logged in.
    """
    found: dict[str, Page] = {}
    values = _values(campaign, user)
    for pattern in get_resolver().url_patterns:
        if str(pattern.pattern) == "admin/":
            continue
        for one in getattr(pattern, "url_patterns", [pattern]):
            if one.name is None or one.name in LEFT_OUT:
                continue
            wanted = {key: _value(one.name, key, values) for key in one.pattern.converters}
            if None not in wanted.values():
                found.setdefault(one.name, Page(one.name, reverse(one.name, kwargs=wanted)))
    return list(found.values())


def admin_pages() -> Iterator[Page]:
    """Of every model in the admin: the list, the newest row, and its history."""
    for model in admin.site._registry:
        stem = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield Page(f"{stem}_changelist", reverse(f"{stem}_changelist"))
        row = model._base_manager.order_by("-pk").first()
        for act in ("change", "history") if row is not None else ():
            try:
                yield Page(f"{stem}_{act}", reverse(f"{stem}_{act}", args=[row.pk]))  # type: ignore[union-attr]
            except NoReverseMatch:
                continue


def _value(name: str, key: str, values: dict[str, Any]) -> Any:
    if name.startswith("rules_cases") or name == "rules":
        return values["rule_set"]
    if name.startswith("register") and key == "code":
        return values["register"]
    if name in ("gazette", "public_gazette"):
        return values["code"] if key == "code" else values[f"gazette_{key}"]
    if name == "chapter":
        return {"number": 1}.get(key, values["code"])
    return values.get(key)


def _values(campaign: Campaign, user: Any) -> dict[str, Any]:
    """What may stand in an address, None where there is none."""
    member = campaign.memberships.filter(user=user).select_related("side").first()
    side = member.side if member is not None and member.side is not None else campaign.sides.first()
    assert side is not None
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED).order_by("-number")
    notices = campaign.notices.order_by("-pk")
    if member is not None and member.side is not None:
        notices = notices.filter(recipient=user)
    printed = gazette_rows(campaign, anyone(campaign))
    ships = Ship.objects.filter(book=campaign.book, navy=side.navy_id).exclude(squadron=None)
    entry = RegisterEntry.objects.select_related("register").first()
    return {
        "code": campaign.code,
        "number": closed.values_list("number", flat=True).first(),
        "fleet": Fleet.objects.filter(navy=side.navy_id, ended=False).values_list("code", flat=True).first(),
        "ship": ships.order_by("-service_records__pk").values_list("code", flat=True).first(),
        "battle": Battle.objects.filter(book=campaign.book)
        .order_by("-pk")
        .values_list("code", flat=True)
        .first(),
        "gazette_number": printed[0].turn.number if printed else None,
        "gazette_side": printed[0].papers[0][0].code if printed else None,
        "theatre": campaign.theatre.code,
        "objective": Objective.objects.filter(campaign=campaign).values_list("code", flat=True).first(),
        "pk": notices.values_list("pk", flat=True).first(),
        "stem": "turn_report",
        "name": "umpire",
        "rule_set": campaign.book.rule_set,
        "register": entry.register.code if entry is not None else None,
        "entry": entry.pk if entry is not None else None,
    }
