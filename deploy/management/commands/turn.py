"""`manage.py turn CAMPAIGN`: where a campaign's turn stands; `--run` locks it and runs it to its end."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign, Turn
from campaign.selectors.account import account_lines
from campaign.services.playing import TurnFailed, turn_play
from campaign.services.turns import turn_retry


class Command(BaseCommand):
    """For an umpire at the terminal; the desk page does the same."""

    help = "Show a campaign's present turn, or run it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign, and what to do."""
        parser.add_argument("campaign", help="the campaign's code")
        parser.add_argument(
            "--run", action="store_true", help="lock the turn, if it is open, and run it to its end"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line for an unknown campaign or a turn that fails."""
        campaign = Campaign.objects.filter(book__code=options["campaign"]).first()
        if campaign is None:
            known = ", ".join(Campaign.objects.order_by("book__code").values_list("book__code", flat=True))
            raise CommandError(f"no campaign {options['campaign']!r}; there are {known or 'none yet'}")
        turn = campaign.turns.exclude(phase=Turn.Phase.CLOSED).order_by("number").last()
        if turn is None:
            raise CommandError(f"{campaign.name} has no turn to run")
        if not options["run"]:
            self.stdout.write(
                f"{turn}: {turn.get_phase_display()}, {turn.days} days, orders until {turn.deadline:%Y-%m-%d %H:%M} UTC"
            )
            if turn.error:
                self.stdout.write(turn.error)
            return
        if turn.phase == Turn.Phase.FAILED:
            turn_retry(turn=turn)
        try:
            turn_play(turn=turn)
        except TurnFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(account_lines(turn)))
