"""`manage.py load_theatres`: the theatres supplied with the program."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from campaign.services.setup.setup import shipped_theatres, theatre_load


class Command(BaseCommand):
    """Loads every supplied theatre, or loads it again; campaigns that use one keep their places."""

    help = "Load the theatres supplied with the program. Safe to run again."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints what was loaded."""
        for path in shipped_theatres():
            theatre = theatre_load(document=json.loads(path.read_text()))
            self.stdout.write(f"{theatre.code}: {theatre.title}, {theatre.places.count()} places")
