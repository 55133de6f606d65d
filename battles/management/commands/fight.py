"""`manage.py fight SCENARIO.json`: one battle by the engine, no database."""

from battles.management.engine_command import EngineCommand


class Command(EngineCommand):
    """The engine's own `fight`, as a command of manage.py."""

    help = "Fight one battle from a scenario file: [--seed S] [--json OUT] [--log OUT]."
    engine_command = "fight"
