"""`manage.py load_registers`: the registers supplied with the program."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from fleets.services.registers import registers_load


class Command(BaseCommand):
    """Loads the supplied registers as read-only originals; loading them again changes nothing."""

    help = "Load the registers supplied with the program. Safe to run again."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line per register."""
        for result in registers_load():
            self.stdout.write(
                f"{result.register.code}: {result.new} new, {result.changed} changed, {result.unchanged} unchanged"
            )
