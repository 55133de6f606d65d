"""Which notices a turn gives rise to. Called inside the turn's transaction, so that none is lost and none is early."""

from __future__ import annotations

from typing import Any

from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Membership, Turn
from campaign.notices import kinds
from campaign.notices.write import notice_write
from campaign.selectors.knowing import ken_of
from campaign.selectors.letters import letter
from campaign.selectors.reports import fleet_lines, side_report, umpire_report
from campaign.selectors.score import standings

Role = Membership.Role


def notices_for_closed_turn(*, turn: Turn, following: Turn | None) -> None:
    """The turn report to every admiral, of what his side may know and nothing else, and the umpire's own.

    following: the turn that is open now, None when the campaign is over. Rule: G.IN1.
    """
    campaign = turn.campaign
    reports: dict[object, dict[str, Any]] = {}
    for member in campaign.memberships.select_related("user", "side__navy"):
        if member.role == Role.OBSERVER:
            continue
        member.campaign = campaign
        ken = ken_of(member)
        reader = member.side_id if ken is None else f"member {member.pk}"
        if reader not in reports:
            report = side_report(turn, member.side, ken) if member.side else umpire_report(turn)
            reports[reader] = {"report": report, "letter": letter(turn, member.side, report, ken)}
        notice_write(
            campaign=campaign,
            kind=kinds.TURN_REPORT if member.side else kinds.UMPIRE_REPORT,
            event=f"{campaign.code}-T{turn.number}-report",
            user=member.user,
            context={
                "turn": turn,
                "following": following,
                "side": member.side,
                **reports[reader],
            },
        )


def notices_for_opened_turn(*, turn: Turn) -> None:
    """The opening of the first turn, which no report precedes; later openings are told in the report."""
    if turn.number > 1:
        return
    campaign = turn.campaign
    opens = spoken(chart_time(campaign.start_date, turn.first_day * 24))
    for member in campaign.memberships.filter(role=Role.ADMIRAL).select_related("user", "side"):
        notice_write(
            campaign=campaign,
            kind=kinds.TURN_OPENED,
            event=f"{campaign.code}-T{turn.number}-opened",
            user=member.user,
            context={
                "turn": turn,
                "side": member.side,
                "opens": opens,
                "fleets": fleet_lines(campaign, member.side, ken_of(member)),
            },
        )


def notices_of_end(*, campaign: Campaign, reason: str) -> None:
    """Tell everybody that the campaign is over, with the final table. Rule: G.EN1."""
    for member in campaign.memberships.select_related("user", "side__navy"):
        notice_write(
            campaign=campaign,
            kind=kinds.CAMPAIGN_OVER,
            event=f"{campaign.code}-over",
            user=member.user,
            context={"reason": reason, "standings": standings(campaign, member)},
        )


def notice_of_invitation(*, membership: Membership) -> None:
    """Tell somebody that he has a part in a campaign."""
    campaign = membership.campaign
    notice_write(
        campaign=campaign,
        kind=kinds.INVITATION,
        event=f"{campaign.code}-invitation-{membership.pk}",
        user=membership.user,
        context={"membership": membership, "side": membership.side},
    )
