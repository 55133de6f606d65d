"""Reading the registers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from battles.engine.core.scenario import ShipFacts
from fleets.facts import facts_of
from fleets.models import (
    Composition,
    Register,
    RegisterEntry,
    ShipType,
)

SORTS = ("name", "side", "ship_type", "guns", "tons_burthen", "year_built", "crew")


def register_entry_of(code: str, entry_id: int) -> RegisterEntry:
    """One entry of a register. Raises RegisterEntry.DoesNotExist."""
    return RegisterEntry.objects.select_related("register", "nation").get(register__code=code, pk=entry_id)


def facts_of_nations(registers: Iterable[int], nations: Iterable[str], rule_set: str) -> list[ShipFacts]:
    """The ships of some nations in some registers, as a rule set makes cards of them, in the registers' order. One query.

    registers: keys. nations: names.
    """
    rows = RegisterEntry.objects.filter(register__in=registers, nation__name__in=nations)
    ordered = rows.select_related("nation", "register").order_by("register__code", "line", "pk")
    return [facts_of(entry, rule_set=rule_set) for entry in ordered]


def type_in_words(ship_type: str) -> str:
    """A register's type of ship in words: "ship of the line"."""
    return str(dict(ShipType.choices).get(ship_type, ship_type))


def register_list() -> QuerySet[Register]:
    """All registers with `ships`, how many entries each has. One query."""
    return Register.objects.annotate(ships=Count("entries")).order_by("year", "code")


def register_sides(register: Register) -> list[tuple[str, int]]:
    """Sides of a register with the number of their ships, as the register lists them. One query."""
    found: dict[str, int] = {}
    for side in register.entries.order_by("line").values_list("side", flat=True):
        found[side] = found.get(side, 0) + 1
    return list(found.items())


@dataclass(frozen=True, slots=True)
class RegisterSearch:
    """What a reader asks of a register. sort: one of SORTS, with "-" before it for the reverse."""

    words: str = ""
    side: str = ""
    ship_type: str = ""
    sort: str = ""


def register_search(register: Register, search: RegisterSearch) -> QuerySet[RegisterEntry]:
    """A register's entries that match, in the order asked for; what is not established comes last either way."""
    found = register_entries(register)
    for word in search.words.split():
        found = found.filter(
            Q(name__icontains=word) | Q(commander__icontains=word) | Q(squadron__icontains=word)
        )
    if search.side:
        found = found.filter(side=search.side)
    if search.ship_type:
        found = found.filter(ship_type=search.ship_type)
    name = search.sort.removeprefix("-")
    if name not in SORTS:
        return found
    key = F(name).desc(nulls_last=True) if search.sort.startswith("-") else F(name).asc(nulls_last=True)
    return found.order_by(key, "line", "name")


def register_types(register: Register) -> list[tuple[str, str]]:
    """Types of ship that a register has, with their labels. One query."""
    there = set(register.entries.order_by().values_list("ship_type", flat=True).distinct())
    return [(value, label) for value, label in ShipType.choices if value in there]


def register_entries(register: Register) -> QuerySet[RegisterEntry]:
    """A register's entries as listed, with their nations. One query."""
    return register.entries.select_related("nation").order_by("line", "name")


def register_by_code(code: str) -> Register:
    """A register by its code. Raises Register.DoesNotExist."""
    return Register.objects.get(code=code)


def compositions_of(register: Register) -> QuerySet[Composition]:
    """What has been composed of a register's sides. One query."""
    return register.compositions.order_by("side", "theatre")


def register_of(code: str) -> Register | None:
    """A register by its code, None where there is none."""
    return Register.objects.filter(code=code).first()
