#!/usr/bin/env python3
"""Weather Gage from the command line: `python manage.py help` lists what it can do."""

import os
import sys

ENGINES_OWN = (["fight"], ["odds"])


def main() -> None:
    """Runs the command named on the command line."""
    if sys.argv[1:2] in ENGINES_OWN:  # the rules engine alone: no site, no database
        from battles.engine.cli import main as engine

        raise SystemExit(engine(sys.argv[1:]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed here: run `make setup`, then `.venv/bin/python manage.py`"
        ) from error
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        faults = getattr(error, "faults", ())
        if not faults or sys.argv[1:2] != ["install_check"]:
            raise
        # without settings there is no command; its lines are the same
        for fault in faults:
            print(f"{'MISSING':12} settings: {fault}")
        print(f"{'NOT CHECKED':12} everything else: The settings come first. Mend them, and run this again.")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
