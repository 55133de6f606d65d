"""The umpire's daily summary of a campaign: missing orders, what is held, what waits and what has failed. For the umpire only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from campaign.models import Absence, Campaign, Turn, UmpireAction
from campaign.selectors.desk.alarms import Alarm, alarms_of
from campaign.selectors.desk.pages import SideDesk
from campaign.selectors.desk.umpires_desk import BattleDesk, desk_of
from campaign.selectors.people.absences import absences_ahead
from campaign.selectors.people.access import current_turn
from campaign.selectors.people.silence import Silence, silent_now

Phase = Turn.Phase


@dataclass(frozen=True, slots=True)
class Morning:
    """Everything in an umpire's summary. held: why the turn is held, "" when it is not. away: present and future absences."""

    turn: Turn | None
    words: str
    sides: tuple[SideDesk, ...]
    held: str
    battles: tuple[BattleDesk, ...]
    away: tuple[Absence, ...]
    silent: tuple[Silence, ...]
    alarms: tuple[Alarm, ...]

    @property
    def lacking(self) -> tuple[SideDesk, ...]:
        """Players' sides that are not ready, while a turn is open."""
        if self.turn is None or self.turn.phase != Phase.OPEN:
            return ()
        return tuple(side for side in self.sides if not side.ready and not side.automatic)

    @property
    def anything(self) -> bool:
        """Whether there is anything to report."""
        return bool(self.lacking or self.held or self.battles or self.away or self.silent or self.alarms)


def morning_of(campaign: Campaign, now: datetime) -> Morning:
    """What the umpire should know now."""
    turn = current_turn(campaign)
    desk = desk_of(campaign, turn)
    return Morning(
        turn=turn,
        words=str(turn.get_phase_display()).lower() if turn is not None else "",
        sides=desk.sides,
        held=_held(campaign, turn),
        battles=desk.battles,
        away=tuple(absences_ahead(now, membership__campaign=campaign.pk)),
        silent=tuple(silent_now(campaign)),
        alarms=tuple(alarms_of(campaign, now)),
    )


def _held(campaign: Campaign, turn: Turn | None) -> str:
    """Why nothing is running, as a sentence with the reason given in the log."""
    if campaign.status == Campaign.Status.PAUSED:
        return f"The campaign is paused{_reason(campaign, 'paused the campaign')}."
    if turn is not None and turn.hold:
        return (
            f"Turn {turn.number} is held{_reason(campaign, 'held the turn', 'closed the turn for orders')}."
        )
    return ""


def _reason(campaign: Campaign, *actions: str) -> str:
    last = UmpireAction.objects.filter(campaign=campaign, action__in=actions).order_by("-at", "-pk").first()
    return f": {last.reason.rstrip('.')}" if last is not None and last.reason else ""
