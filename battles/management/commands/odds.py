"""`manage.py odds SCENARIO.json --runs N`: a battle fought many times, no database."""

from battles.management.engine_command import EngineCommand


class Command(EngineCommand):
    """The engine's own `odds`, for people who are used to manage.py."""

    help = "Fight a battle many times and count: [--runs N] [--workers N]."
    engine_command = "odds"
