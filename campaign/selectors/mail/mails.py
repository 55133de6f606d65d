"""The contexts of each kind of email, for one reader at a time. Reading only.

The services that write notices and the umpire's preview of them use the same functions. Rule: G.IN1.
"""

from __future__ import annotations

from typing import Any

from campaign.calendar import at_spoken, chart_time, spoken
from campaign.models import Campaign, Membership, Turn
from campaign.selectors.people.knowing import Ken, ken_of
from campaign.selectors.reports.brief import brief_of
from campaign.selectors.reports.letters import letter
from campaign.selectors.reports.reports import fleet_lines, known_of, side_report, umpire_report
from campaign.selectors.reports.score import standings

Context = dict[str, Any]
Role = Membership.Role


def knowledge(membership: Membership, ken: Ken | None) -> tuple[Any, ...]:
    """A key shared by readers who may know the same of the chart. Rules: G.IN1, G.IN4."""
    if ken is None:
        return membership.role, membership.side_id
    return membership.role, membership.side_id, ken.fleets, ken.place


def report_context(
    turn: Turn, following: Turn | None, membership: Membership, ken: Ken | None = None
) -> Context:
    """For a turn report: what the reader's side learned, everything for the umpire. following: the turn that is open now."""
    side = membership.side
    known = known_of(turn, side, ken)
    report = side_report(turn, side, ken, known) if side is not None else umpire_report(turn, known)
    return {
        "turn": turn,
        "following": following,
        "side": side,
        "report": report,
        "letter": letter(turn, side, report, ken, known),
        "brief": brief_of(turn, following, side, report, ken, known),
    }


def opened_context(turn: Turn, membership: Membership, ken: Ken | None = None) -> Context:
    """For the opening of a turn that follows no report."""
    campaign = turn.campaign
    opens = chart_time(campaign.start_date, turn.first_day * 24)
    return {
        "turn": turn,
        "side": membership.side,
        "opens": spoken(opens),
        "begins": at_spoken(opens),
        "fleets": sorted(fleet_lines(campaign, membership.side, ken), key=lambda fleet: -fleet["ships"]),
    }


def over_context(campaign: Campaign, membership: Membership, reason: str) -> Context:
    """For a campaign's end: why, and the score as the reader may see it. Rule: G.EN1."""
    return {"side": membership.side, "reason": reason, "standings": standings(campaign, membership)}


def pause_context(
    campaign: Campaign, membership: Membership, turn: Turn | None, what: str, reason: str
) -> Context:
    """For a campaign that is "paused" or "resumed". turn: the one whose orders are open, with its new deadline."""
    return {"what": what, "side": membership.side, "turn": turn, "reason": reason.strip()}


class Contexts:
    """Contexts by what their readers may know: readers with the same knowledge share one object, and so one rendered email."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], Context] = {}

    def of(self, membership: Membership, make: Any) -> Context:
        """The context of a reader. make: called with the membership and its ken the first time that knowledge comes up."""
        ken = ken_of(membership)
        key = knowledge(membership, ken)
        if key not in self._made:
            self._made[key] = make(membership, ken)
        return self._made[key]
