"""`manage.py odds SCENARIO.json --runs N`: a battle fought many times, no database."""

from battles.management.engine_command import EngineCommand


class Command(EngineCommand):
    """The engine's own `odds`, as a command of manage.py."""

    help = "Fight a battle many times and count the results: [--runs N] [--within POINTS] [--watch]."
    engine_command = "odds"
