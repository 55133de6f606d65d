"""The registers that the program comes with, which take a second to load."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command

from tests.support.remembered import remembered


@remembered
def shipped_registers() -> None:
    """All of them."""
    call_command("load_registers", verbosity=0, stdout=StringIO())
