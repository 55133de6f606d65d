"""Imports registers from files: all rows or none, and importing the same file again changes nothing."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify
from simple_history.utils import bulk_create_with_history

from fleets.models import Nation, Register, RegisterEntry
from fleets.register_files import RegisterFaults
from fleets.services.import_plans import import_plan
from fleets.services.register_imports import plan_save

DATA = Path(__file__).resolve().parent.parent / "data"


class ShippedRegister(NamedTuple):
    """A register supplied with the program."""

    file: str
    code: str
    title: str
    year: int


SHIPPED = (
    ShippedRegister("1588_armada.csv", "1588_armada", "The Armada campaign, 1588", 1588),
    ShippedRegister(
        "1666_four_days_battle.csv", "1666_four_days_battle", "The Four Days' Battle, 1666", 1666
    ),
    ShippedRegister("1720_pirates.csv", "1720_pirates", "Pirates and their hunters, 1717–1723", 1720),
    ShippedRegister("1740_caribbean.csv", "1740_caribbean", "The Caribbean, 1739–1741", 1740),
    ShippedRegister("1805_trafalgar.csv", "1805_trafalgar", "Trafalgar and the blockades, 1805", 1805),
    ShippedRegister("1894_yalu.csv", "1894_yalu", "The Yalu, 1894", 1894),
    ShippedRegister(
        "1904_port_arthur_tsushima.csv",
        "1904_port_arthur_tsushima",
        "Port Arthur and Tsushima, 1904–1905",
        1904,
    ),
)


class ImportResult(NamedTuple):
    """What an import did: entries new, changed and unchanged."""

    register: Register
    new: int
    changed: int
    unchanged: int


def register_import(
    *, path: Path | str, code: str = "", title: str = "", original: bool = False, year: int | None = None
) -> ImportResult:
    """Import a file (CSV, XLSX or JSON) into the register of that code; code and title come from the file's name when not given.

    An entry is known again by side and name. Entries and columns that the file does not have stay. Raises RegisterFaults with
    every error of the file, OSError when it cannot be read, ValidationError for a register that is read-only; nothing is saved then.
    """
    path = Path(path)
    return register_import_bytes(
        raw=path.read_bytes(),
        code=code or _code_of(path),
        title=title or _title_of(path),
        original=original,
        year=year,
    )


def register_import_bytes(
    *, raw: bytes, code: str, title: str, original: bool = False, year: int | None = None
) -> ImportResult:
    """Import the bytes of a file, as `register_import` does. Raises ValidationError also for a code that is not a slug."""
    Register(code=code, title=title, year=year).clean_fields()
    with transaction.atomic():
        nations_load()
        found = Register.objects.filter(code=code).first()
        plan = import_plan(register=found, raw=raw)
        if plan.faults:
            raise RegisterFaults(plan.faults)
        register, made = Register.objects.get_or_create(
            code=code, defaults={"title": title, "original": original, "year": year}
        )
        if register.original and not original:
            raise ValidationError(
                f"The register {code} came with the program and is read-only. Import under another code."
            )
        if not made and (title, year) != (register.title, register.year) and original:
            Register.objects.filter(pk=register.pk).update(title=title, year=year)
        saved = plan_save(register=register, rows=plan.rows, reason=f"Import of {title}")
        return ImportResult(register, *saved)


def registers_load() -> list[ImportResult]:
    """Load the registers supplied with the program, as originals. Loading them again changes nothing."""
    return [
        register_import(
            path=DATA / "registers" / row.file, code=row.code, title=row.title, original=True, year=row.year
        )
        for row in SHIPPED
    ]


def new_register_fault(title: str) -> str:
    """Why a club cannot have a new register of this title, "" if it can."""
    if not slugify(title):
        return "Use letters or digits in the title."
    if Register.objects.filter(code=slugify(title)[:50]).exists():
        return f"There is a register “{title.strip()}” already. Choose it, or enter another title."
    return ""


def register_new(*, title: str, year: int | None = None) -> Register:
    """A register of the club's own, empty. Its code is made of its title. Raises ValidationError when that is taken."""
    made = Register(code=slugify(title)[:50], title=title.strip(), year=year)
    made.full_clean()
    made.save(force_insert=True)
    return made


def register_copy(*, register: Register, code: str, title: str, user: Any = None) -> Register:
    """A register of the club's own with the same entries, to be changed. Raises ValidationError when the code is taken."""
    copy = Register(code=code, title=title, year=register.year, sources=register.sources)
    copy.full_clean()
    with transaction.atomic():
        copy.save(force_insert=True)
        entries = list(register.entries.all())
        for entry in entries:
            entry.pk = None
            entry._state.adding = True
            entry.register = copy
        bulk_create_with_history(
            entries,
            RegisterEntry,
            batch_size=500,
            default_user=user,
            default_change_reason=f"Copied from {register.title}",
        )
    return copy


def nations_load() -> None:
    """Make sure that every nation of the supplied list exists; one that a club has changed stays unchanged."""
    have = set(Nation.objects.values_list("name", flat=True))
    Nation.objects.bulk_create(
        (Nation(**row) for row in _shipped_nations() if row["name"] not in have), ignore_conflicts=True
    )


@cache
def _shipped_nations() -> tuple[dict[str, str], ...]:
    with (DATA / "nations.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def _code_of(path: Path) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", path.stem.lower()).strip("-_")[:50] or "register"


def _title_of(path: Path) -> str:
    return path.stem.replace("_", " ").strip().capitalize()[:120] or "Register"
