"""Benchmarks of the registers: a file of 2,000 ships looked at, and confirmed, on a SQLite file. Budgets: 10 and 20 seconds."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable
from typing import Any

SHIPS = 2_000
LOOK_BUDGET, SAVE_BUDGET = 10.0, 20.0


def preview() -> tuple[Callable[[], object], int, str]:
    """What a file would do to a register that has half of its ships, every one of them otherwise."""
    register, _ = _register()
    raw = _file(1)
    from fleets.services.import_plans import import_plan

    def look() -> None:
        plan = import_plan(register=register, raw=raw)
        assert (len(plan.in_state("changed")), len(plan.in_state("new"))) == (SHIPS // 2, SHIPS // 2)

    return look, SHIPS, "ship"


def confirm() -> tuple[Callable[[], object], int, str]:
    """The whole of it: the file kept, planned twice as its keeper's pages do, and saved; each call changes every ship again."""
    register, user = _register()
    from fleets.services.register_imports import batch_plan, import_confirm, import_wait, plan_mark

    numbers = itertools.count(1)

    def save() -> None:
        batch = import_wait(register=register, raw=_file(next(numbers)), file_name="bench.csv", user=user)
        saved = import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)))
        assert saved is not None and saved.unchanged == 0, saved

    return save, SHIPS, "ship"


def _file(number: int) -> bytes:
    """Two thousand ships with eighteen columns; another number gives other guns."""
    header = (
        "name,nation,side,squadron,division,role,ship type,rate,guns,gun detail,broadside,tonnage,built,crew,captain,note,"
        "source,confidence"
    )
    rows = (
        f"Ship {n},England,English,Red,Van,private,ship of line,3rd,{40 + (n + number) % 50},22x24pdr;22x12pdr,420,"
        f'{600 + n % 700},{1600 + n % 90},{200 + n % 300},Capt {n},"a note, with a comma",Navy list,medium'
        for n in range(SHIPS)
    )
    return "\n".join((header, *rows)).encode()


def _register() -> tuple[Any, Any]:
    """A database of its own with a register of half the ships."""
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="bench-")
    os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings.dev"
    os.environ["LOG_LEVEL"] = "ERROR"
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from fleets.services.registers import register_import_bytes

    half = b"\n".join(_file(0).splitlines()[: SHIPS // 2 + 1])
    result = register_import_bytes(raw=half, code="bench", title="Bench", year=1666)
    return result.register, get_user_model().objects.create_user("keeper")
