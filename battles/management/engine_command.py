"""The engine's command line as commands of manage.py: the same arguments, the same exit status."""

import sys
from argparse import REMAINDER, ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from battles.engine.cli import main


class EngineCommand(BaseCommand):
    """Hands its arguments to the engine unchanged; neither needs nor checks a database."""

    engine_command = ""
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """From the command line: the engine reads its arguments itself."""
        sys.exit(main([self.engine_command, *argv[2:]]))

    def add_arguments(self, parser: ArgumentParser) -> None:
        """For call_command: everything is the engine's."""
        parser.add_argument("arguments", nargs=REMAINDER)

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises SystemExit with the engine's exit status when that is not 0."""
        status = main([self.engine_command, *map(str, options["arguments"])])
        if status:
            sys.exit(status)
