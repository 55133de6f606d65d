"""`manage.py demo_setup`: the registers, the theatres, the demo campaign of 1666 and its first turns, run by the workers."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from battles.models import Battle
from campaign.models import Campaign, Turn
from campaign.services.orders.openings import opening_of
from campaign.services.setup.demo import demo_start
from campaign.services.setup.setup import shipped_theatres, theatre_load
from campaign.services.turn.playing import TurnFailed, turn_play_by_workers
from deploy.logins import create_people
from fleets.selectors.registers import register_by_code

THEATRE = "narrow_seas_1666"
CODE = "four-days"
FEWEST_TURNS, MOST_TURNS = 2, 6


class Command(BaseCommand):
    """Needs a worker. Plays until a great battle has been fought and applied, so that there is something to see."""

    help = "Load the supplied data and play the demo campaign's first turns. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The seed of the demo's dice."""
        parser.add_argument(
            "--seed", default="four days", help="any text; the same seed gives the same story"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line when a turn fails."""
        call_command("load_registers", stdout=self.stdout)
        for path in shipped_theatres():
            theatre_load(document=json.loads(path.read_text()))
        people = create_people()
        campaign = Campaign.objects.filter(book__code=CODE).first()
        if campaign is None:
            theatre = theatre_load(document=json.loads(_theatre_file().read_text()))
            campaign = demo_start(
                theatre=theatre,
                register=register_by_code(opening_of(THEATRE)["register"]),
                umpire=people["umpire"],
                seed=options["seed"],
                admirals=[people["albemarle"], people["deruyter"]],
                code=CODE,
                name="The Narrow Seas, 1666",
            )
        while (played := campaign.turns.filter(phase=Turn.Phase.CLOSED).count()) < MOST_TURNS:
            if played >= FEWEST_TURNS and _seen_action(campaign):
                break
            turn = campaign.turns.get(phase=Turn.Phase.OPEN)
            self.stdout.write(f"Turn {turn.number} of {campaign.name} ...")
            try:
                turn_play_by_workers(turn=turn)
            except TurnFailed as error:
                raise CommandError(str(error)) from error
        # from here on the players command the fleets; a side without one stays on the automatic admiral
        campaign.sides.filter(memberships__isnull=False).update(automatic=False)


def _theatre_file() -> Any:
    return next(path for path in shipped_theatres() if path.stem == THEATRE)


def _seen_action(campaign: Campaign) -> bool:
    return Battle.objects.filter(
        book=campaign.book, status=Battle.Status.WRITTEN, roster__ships__gte=100
    ).exists()
