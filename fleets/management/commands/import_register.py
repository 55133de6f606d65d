"""`manage.py import_register FILE`: a register from a file, all rows or none."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from fleets.register_files import RegisterFaults, RowFault
from fleets.services.registers import register_import

_HEADS = ("line", "column", "value", "problem", "correction")
_WIDEST = 40


class Command(BaseCommand):
    """Imports a file. On any error, prints all errors as a table, saves nothing and exits with status 2."""

    help = "Import a ship register from a CSV, XLSX or JSON file. Nothing is saved unless every row is valid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """FILE, and code and title of the register."""
        parser.add_argument("file", help="the file; fleets/data/README.md describes its columns")
        parser.add_argument("--code", default="", help="code of the register; default: from the file's name")
        parser.add_argument(
            "--title", default="", help="title of a new register; default: from the file's name"
        )

        parser.add_argument(
            "--year",
            type=int,
            help="year of a new register; decides the crews of ships whose launch is unknown",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with status 2 on any error."""
        name = options["file"]
        try:
            result = register_import(
                path=name, code=options["code"], title=options["title"], year=options["year"]
            )
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror or error}", returncode=2) from None
        except ValidationError as error:
            raise CommandError(_one_line(error), returncode=2) from None
        except RegisterFaults as error:
            self.stderr.write(fault_table(error.faults), self.style.NOTICE)
            count = len(error.faults)
            raise CommandError(
                f"{name}: {count} {'error' if count == 1 else 'errors'}. Nothing was saved.", returncode=2
            ) from None
        self.stdout.write(
            f"{result.register.code}: {result.new} new, {result.changed} changed, {result.unchanged} unchanged"
        )


def fault_table(faults: tuple[RowFault, ...]) -> str:
    """Errors as a table of plain text; long values are cut, reasons are not."""
    rows = [
        _HEADS,
        *((str(fault.line), fault.column, _cut(fault.value), fault.reason, fault.right) for fault in faults),
    ]
    widths = [max(len(row[number]) for row in rows) for number in range(len(_HEADS) - 1)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    )


def _one_line(error: ValidationError) -> str:
    if not hasattr(error, "error_dict"):
        return "; ".join(error.messages)
    return "; ".join(f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items())


def _cut(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= _WIDEST else value[: _WIDEST - 1] + "…"
