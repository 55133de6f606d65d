#!/usr/bin/env python3
"""Weather Gage from the command line: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    """Runs the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.dev")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed here: run `make setup`, then `.venv/bin/python manage.py`"
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
