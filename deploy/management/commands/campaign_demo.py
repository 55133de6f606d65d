"""`manage.py campaign_demo`: make a demo campaign, play some turns, print what happened."""

import io
import json
import shlex
from argparse import ArgumentParser
from contextlib import nullcontext
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign, Theatre, Turn
from campaign.selectors.reports.account import account_lines
from campaign.selectors.reports.chronicle import chronicle_lines, chronicle_markdown, whole_chronicle
from campaign.services.orders.openings import openings_of
from campaign.services.setup.demo import demo_start
from campaign.services.setup.setup import SetupRefused, shipped_theatres, theatre_load
from campaign.services.turn.playing import TurnFailed, turn_play, turn_play_by_workers
from deploy.workers import worker_and_beat
from fleets.selectors.registers import register_by_code


class Command(BaseCommand):
    """Plays a demo campaign without a browser; the same seed prints the same story, on every database, with or without workers."""

    help = "Make a demo campaign in a theatre, play some turns and print what happened."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The theatre, who fights its battles, how many turns, and who runs them."""
        parser.add_argument(
            "--theatre", default="narrow_seas_1666", help="code of the theatre (narrow_seas_1666)"
        )
        parser.add_argument(
            "--opening", default="", help="code of one of the theatre's openings (the theatre's first)"
        )
        parser.add_argument("--rules", default="", help="the rule set (the one that the opening names)")
        parser.add_argument("--turns", type=int, default=3, help="how many turns to play (3)")
        parser.add_argument(
            "--seed", default="weather gage", help="any text; the same seed gives the same story"
        )
        parser.add_argument(
            "--celery", action="store_true", help="let real workers run the turns and fight the battles"
        )
        parser.add_argument(
            "--chronicle",
            action="store_true",
            help="print a chronicle at the end instead of an account of every turn",
        )
        parser.add_argument(
            "--markdown",
            action="store_true",
            help="print a chronicle in Markdown, with the command that prints it again",
        )
        parser.add_argument(
            "--quiet", action="store_true", help="print only the last line, the hash of the state"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line for an unknown theatre or rule set, one without a demo, or a turn that fails."""
        if options["turns"] < 1:
            raise CommandError("--turns must be 1 or more")
        campaign = self._campaign(options["theatre"], options["opening"], options["rules"], options["seed"])
        play = turn_play_by_workers if options["celery"] else turn_play
        told = not (options["quiet"] or options["chronicle"] or options["markdown"])
        if not options["quiet"] and not options["markdown"]:
            self.stdout.write(f"{campaign.name}, seed {options['seed']!r}\n")
        with worker_and_beat() if options["celery"] else nullcontext():
            for _ in range(options["turns"]):
                following = campaign.turns.filter(phase=Turn.Phase.OPEN).first()
                if following is None:
                    break  # the campaign has come to its end
                turn = following
                try:
                    play(turn=turn)
                except TurnFailed as error:
                    raise CommandError(str(error)) from error
                if told:
                    self.stdout.write("\n".join(account_lines(turn)) + "\n")
        if options["chronicle"]:
            self.stdout.write("\n".join(chronicle_lines(whole_chronicle(campaign))) + "\n")
        if options["markdown"]:
            self.stdout.write(
                "\n".join([*_heading(campaign, options), *chronicle_markdown(whole_chronicle(campaign))])
            )
            return
        self.stdout.write(f"state {turn.state_hash}")

    def _campaign(self, code: str, chosen: str, rules: str, seed: str) -> Campaign:
        paths = {path.stem: path for path in shipped_theatres()}
        if code not in paths:
            raise CommandError(f"no theatre {code!r}; available: {', '.join(paths)}")
        openings = openings_of(code)
        if not openings:
            raise CommandError(f"the theatre {code!r} has no opening positions yet, so it has no demo")
        opening = openings.get(chosen or code)
        if opening is None:
            raise CommandError(f"no opening {chosen!r} of {code!r}; available: {', '.join(openings)}")
        call_command("load_registers", stdout=io.StringIO())
        theatre: Theatre = theatre_load(document=json.loads(paths[code].read_text()))
        umpire, _ = get_user_model().objects.get_or_create(username="umpire")
        try:
            return demo_start(
                theatre=theatre,
                register=register_by_code(opening["register"]),
                umpire=umpire,
                seed=seed,
                rule_set=rules,
                opening=chosen,
            )
        except SetupRefused as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            first, *others = error.messages
            more = f" {len(others)} more ships have no card either." if others else ""
            raise CommandError(f"The rule set cannot play these ships. {first}.{more}") from error


def _heading(campaign: Campaign, options: dict[str, Any]) -> list[str]:
    """What stands above a chronicle in Markdown: what it is, and how to print it again."""
    chosen = "".join(f" --{name} {options[name]}" for name in ("opening", "rules") if options[name])
    command = (
        f"manage.py campaign_demo --theatre {options['theatre']}{chosen} --seed {shlex.quote(options['seed'])}"
        f" --turns {options['turns']} --markdown"
    )
    return [
        f"# {campaign.theatre.title}: a chronicle",
        "",
        "Automatic admirals command every side, and the engine fights every battle. No one has edited a word.",
        "The same version of the rules prints the same chronicle again:",
        "",
        f"    {command}",
    ]
