"""`manage.py about`: what this site runs on."""

import platform
import tomllib
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from battles.engine import ENGINE


class Command(BaseCommand):
    """Prints versions, database, broker and how the rules engine runs; no address and no password."""

    help = "Show the versions in use, the database, the broker, and whether the rules engine runs compiled."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """One line for each; needs no database."""
        for name, value in self.facts().items():
            self.stdout.write(f"{name:14} {value}")

    def facts(self) -> dict[str, str]:
        """By name."""
        project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return {
            "Weather Gage": str(project["version"]),
            "Python": platform.python_version(),
            "Django": django.get_version(),
            "Database": connection.display_name,
            "Broker": str(settings.CELERY_BROKER_URL).partition("://")[0],
            "Engine": str(ENGINE),
        }
