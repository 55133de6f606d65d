"""What can be chosen when a campaign is started: fleet lists of the registers, and which of them fits a side."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from campaign.models import Theatre
from campaign.rules.chart import types as t
from fleets.selectors.registers import register_list, register_sides

if TYPE_CHECKING:
    from fleets.models import Register

Choice = tuple[str, list[tuple[str, str]]]


def fleet_lists() -> list[Choice]:
    """Every side of every register, grouped by register: value "<register id>|<side>"."""
    return [
        (
            register.title,
            [
                (f"{register.pk}|{side}", f"{side} ({count} ships)")
                for side, count in register_sides(register)
            ],
        )
        for register in register_list()
    ]


def register_by_pk(pk: int) -> Register:
    """A register. Raises its DoesNotExist."""
    return register_list().get(pk=pk)


def suggested(theatre: Theatre, side: Mapping[str, Any], choices: list[Choice]) -> str:
    """The fleet list that fits a side of a theatre: the register of its year, the side of its nation; "" when none does."""
    year = theatre.start_date[:4]
    for register in register_list():
        if str(register.year) != year:
            continue
        words = [word[:4].lower() for name in (side["name"], *side["nations"]) for word in name.split()]
        for name, _ in register_sides(register):
            if name[:4].lower() in words or any(name.lower().startswith(word[:3]) for word in words):
                return f"{register.pk}|{name}"
    return ""


def fleets_to_come(opening: Mapping[str, Any], side: str) -> list[Choice]:
    """The choice of a side that needs no ships on the first day, because its opening's calendar brings them; [] for others. Rule: G.CA2."""
    plan = opening.get("sides", {}).get(side, {})
    register = register_list().filter(code=opening.get("register")).first()
    if register is None or plan.get("register_side") != "" or not comes_later(opening, side):
        return []
    return [("By the calendar", [(f"{register.pk}|", "no ships on the first day")])]


def planned_list(opening: Mapping[str, Any], side: str) -> str:
    """The fleet list for which an opening was written, as a choice of a side; "" where there is none."""
    plan = opening.get("sides", {}).get(side)
    register = register_list().filter(code=opening.get("register")).first()
    return f"{register.pk}|{plan['register_side']}" if register is not None and plan is not None else ""


def comes_later(opening: Mapping[str, Any], side: str) -> bool:
    """Whether an opening's calendar brings a side ships. side: its name. Rule: G.CA2."""
    rows = opening.get("calendar", ())
    return any(row.get("kind") == "arrive" and row.get("do", {}).get("side") == side for row in rows)


def home_port(theatre: t.Theatre, nations: Collection[str]) -> str:
    """Code of a side's greatest port: by dockyard, then berths, then code; "" when it has none. Rule: G.CH3."""
    own = [
        p
        for p in theatre.places.values()
        if p.owner in nations and p.kind in (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE)
    ]
    best = min(own, key=lambda p: (-p.dockyard, -p.berths, p.code), default=None)
    return best.code if best else ""
