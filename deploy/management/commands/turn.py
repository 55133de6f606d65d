"""`manage.py turn CAMPAIGN`: the state of a campaign's turn, and everything that its umpire may do to it."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError

from campaign.accounts.words import counted
from campaign.models import Campaign, Turn
from campaign.selectors.reports.account import account_lines
from campaign.services.desk import umpire as acts
from campaign.services.turn.playing import TurnFailed, turn_play
from campaign.services.turn.preview import TRIES, turn_preview
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_retry
from campaign.services.umpire_log import UmpireRefused
from campaign.templatetags.gage import at_time_text
from deploy.campaign_command import CampaignCommand


class Terminal:
    """The person at the server's terminal, as the umpire's log names them."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get_username(self) -> str:
        """Their name."""
        return self.name


class Command(CampaignCommand):
    """For an umpire at the terminal; the Umpire's desk does the same. Rules: G.UM1, G.UM3."""

    help = "Show a campaign's current turn, preview it, run it, or act on it as its umpire."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign, and what to do: one thing at a time."""
        super().add_arguments(parser)
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--run", action="store_true", help="close orders if open, then run the turn")
        act.add_argument("--preview", action="store_true", help="preview the turn; nothing is changed")
        act.add_argument("--hold", action="store_true", help="do not run the turn at its deadline")
        act.add_argument("--close", action="store_true", help="close orders without running the turn")
        act.add_argument("--release", action="store_true", help="release a held turn")
        act.add_argument("--extend", type=int, metavar="HOURS", help="move the deadline by so many hours")
        act.add_argument("--pause", action="store_true", help="pause the campaign")
        act.add_argument("--resume", action="store_true", help="resume the campaign")
        act.add_argument("--rollback", type=int, metavar="TURN", help="roll back to the start of a turn")
        parser.add_argument("--for-good", action="store_true", help="with --extend: apply to later turns too")
        parser.add_argument(
            "--same-dice", action="store_true", help="with --rollback: rerun with the same orders and dice"
        )
        parser.add_argument(
            "--reason", default="", help="reason for the umpire's log, which everyone can read"
        )
        parser.add_argument("--by", default="the terminal", help="your name in the umpire's log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line for an unknown campaign, an action that is refused, or a turn that fails."""
        campaign = self.campaign_named(options["campaign"])
        try:
            self._act(campaign, Terminal(options["by"]), options)
        except (UmpireRefused, TurnFailed) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _act(self, campaign: Campaign, who: Terminal, options: dict[str, Any]) -> None:
        said = {"umpire": who, "reason": options["reason"]}
        whole: dict[str, Callable[[], Any]] = {
            "pause": lambda: acts.campaign_pause(campaign=campaign, **said),
            "resume": lambda: acts.campaign_resume(campaign=campaign, **said),
        }
        for name, act in whole.items():
            if options[name]:
                act()
                return
        if options["rollback"] is not None:
            turn = rollback(
                campaign=campaign, number=options["rollback"], same_dice=options["same_dice"], **said
            )
            self.stdout.write(f"{turn} is {turn.get_phase_display().lower()} again")
            return
        turn = self._turn(campaign)
        if options["extend"] is not None:
            acts.turn_extend(turn=turn, hours=options["extend"], for_good=options["for_good"], **said)
        elif options["hold"]:
            acts.turn_hold(turn=turn, **said)
        elif options["close"]:
            acts.turn_close(turn=turn, **said)
        elif options["release"]:
            acts.turn_release(turn=turn, **said)
        elif options["preview"]:
            self._preview(turn, who)
            return
        elif options["run"]:
            self._run(turn)
            return
        self._show(self._turn(campaign))

    def _turn(self, campaign: Campaign) -> Turn:
        turn = campaign.turns.exclude(phase=Turn.Phase.CLOSED).order_by("number").last()
        if turn is None:
            raise CommandError(f"{campaign.name} has no turn to run")
        return turn

    def _show(self, turn: Turn) -> None:
        until = f"orders close on {at_time_text(turn.deadline)}" if turn.deadline else "no deadline"
        held = ", held" if turn.hold else ""
        self.stdout.write(
            f"{turn}: {turn.get_phase_display().lower()}{held}, {counted(turn.days, 'day')}, {until}"
        )
        if turn.error:
            self.stdout.write(turn.error)

    def _preview(self, turn: Turn, who: Terminal) -> None:
        found = turn_preview(turn=turn, umpire=who)
        self.stdout.write("As the turn will run:" if found.exact else "With sample dice:")
        for fleet, why in found.refused:
            self.stdout.write(f"  refused, {fleet}: {why}")
        for fleet, where in found.bound:
            self.stdout.write(f"  {fleet}: {where}")
        for fleets, times in found.contacts:
            self.stdout.write(f"  battle in {times} of {TRIES}: {fleets}")
        for when, text in found.lines:
            self.stdout.write(f"  {when}  {text}")
        if found.ends:
            self.stdout.write(found.ends)

    def _run(self, turn: Turn) -> None:
        if turn.phase == Turn.Phase.FAILED:
            turn_retry(turn=turn)
        if turn.phase == Turn.Phase.HELD:
            acts.turn_release(turn=turn, umpire=Terminal("the terminal"))
        turn_play(turn=turn)
        self.stdout.write("\n".join(account_lines(turn)))
