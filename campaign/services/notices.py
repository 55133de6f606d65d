"""Which notices a turn gives rise to. Called inside the turn's transaction, so that none is lost and none is early."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.urls import reverse

from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Membership, Turn
from campaign.notices import kinds
from campaign.notices.write import notice_write
from campaign.selectors.knowing import ken_of
from campaign.selectors.letters import letter
from campaign.selectors.reports import fleet_lines, side_report, umpire_report
from campaign.selectors.score import standings
from campaign.services.reminders import entry_of
from campaign.services.reply_forms import reply_form

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
            calendar=entry_of(following) if member.side and following is not None else "",
            event=f"{campaign.code}-T{turn.name}-report",
            user=member.user,
            context={
                "turn": turn,
                "following": following,
                "side": member.side,
                "reply": reply_form(turn=following, membership=member),
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
            calendar=entry_of(turn),
            event=f"{campaign.code}-T{turn.name}-opened",
            user=member.user,
            context={
                "turn": turn,
                "side": member.side,
                "opens": opens,
                "fleets": fleet_lines(campaign, member.side, ken_of(member)),
                "reply": reply_form(turn=turn, membership=member),
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


def word_to_sides(
    *,
    campaign: Campaign,
    sides: Collection[str],
    event: str,
    title: str,
    text: str,
    page: str = "campaign",
    code: str = "",
) -> int:
    """Tell the admirals of some sides something. page, code: where they read more. Returns how many letters were written."""
    members = campaign.memberships.filter(role=Role.ADMIRAL, side__navy__code__in=sides)
    return _word(campaign, members, event, title, text, page, code)


def word_to_umpires(
    *, campaign: Campaign, event: str, title: str, text: str, page: str = "campaign", code: str = ""
) -> int:
    """Tell the umpires something, once. Returns how many letters were written."""
    return _word(campaign, campaign.memberships.filter(role=Role.UMPIRE), event, title, text, page, code)


def word_to_all(
    *, campaign: Campaign, event: str, title: str, text: str, page: str = "campaign", code: str = "",
    per_reader: Callable[[Any], list[str]] | None = None,
) -> int:  # fmt: skip
    """Tell everybody in a campaign the same, which everybody may know. per_reader: lines for one of them alone."""
    return _word(campaign, campaign.memberships.all(), event, title, text, page, code, per_reader)


def _word(
    campaign: Campaign, members: Any, event: str, title: str, text: str, page: str, code: str,
    per_reader: Callable[[Any], list[str]] | None = None,
) -> int:  # fmt: skip
    told = set(campaign.notices.filter(event=event).values_list("recipient_id", flat=True))
    address = reverse(page, args=[campaign.code, code] if code else [campaign.code])
    written = 0
    for member in members.select_related("user", "side__navy"):
        if member.user_id in told:
            continue
        lines = text.split("\n") + (per_reader(member.user) if per_reader is not None else [])
        context = {"side": member.side, "title": title, "lines": lines, "address": address}
        notice = notice_write(
            campaign=campaign, kind=kinds.WORD, event=event, user=member.user, context=context
        )
        written += notice is not None
    return written
