"""The notices that a turn causes. Called inside the turn's transaction, so that none is lost and none is early."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from campaign.chart_picture import chart_for
from campaign.models import Campaign, Command, Membership, Turn
from campaign.notices import kinds
from campaign.notices.write import Reader, notice_write, notices_write
from campaign.selectors.mail import mails
from campaign.selectors.people.absences import presence
from campaign.selectors.people.knowing import Ken
from campaign.services.mail.reminders import entry_of
from campaign.services.mail.reply_forms import reply_form

Role = Membership.Role


def notices_for_closed_turn(*, turn: Turn, following: Turn | None) -> None:
    """The turn report for every admiral, with only what their side may know, and the umpire's own report.

    following: the turn that is open now, None when the campaign is over. Rule: G.IN1.
    """
    campaign = turn.campaign
    members = [member for member in _members(campaign) if member.role != Role.OBSERVER]
    calendar = entry_of(following) if following is not None else ""
    replies = _replies(following, members)
    contexts = mails.Contexts()
    readers: dict[kinds.Kind, list[Reader]] = {kinds.TURN_REPORT: [], kinds.UMPIRE_REPORT: []}
    for member in members:
        context = contexts.of(member, lambda one, ken: _report(turn, following, one, ken))
        if member.side is None:
            readers[kinds.UMPIRE_REPORT].append(Reader(member.user, context))
        else:
            readers[kinds.TURN_REPORT].append(Reader(member.user, context, calendar, replies.get(member.pk)))
    for kind, those in readers.items():
        notices_write(
            campaign=campaign, kind=kind, event=f"{campaign.code}-T{turn.name}-report", readers=those
        )


def _report(turn: Turn, following: Turn | None, membership: Membership, ken: Ken | None) -> dict[str, Any]:
    """A report's context, with the chart after the turn if the reader has a side."""
    context = mails.report_context(turn, following, membership, ken)
    if membership.side is not None:
        context["chart"] = chart_for(turn.campaign, membership, following)
    return context


def notices_for_opened_turn(*, turn: Turn) -> None:
    """The opening of the first turn, which follows no report. Later openings are part of the report."""
    if turn.number > 1:
        return
    members = [member for member in _members(turn.campaign) if member.role == Role.ADMIRAL]
    _opened_told(turn, members)


def notice_of_open_turn(*, membership: Membership) -> None:
    """The open turn, if there is one, for an admiral who has just joined: their situation, and where to reply with orders."""
    turn = membership.campaign.turns.filter(phase=Turn.Phase.OPEN).first()
    if turn is not None:
        _opened_told(turn, [membership])


def _opened_told(turn: Turn, members: list[Membership]) -> None:
    campaign = turn.campaign
    calendar, replies, contexts = entry_of(turn), _replies(turn, members), mails.Contexts()
    readers = [
        Reader(
            member.user,
            contexts.of(
                member,
                lambda one, ken: {
                    **mails.opened_context(turn, one, ken),
                    "chart": chart_for(campaign, one, turn),
                },
            ),
            calendar,
            replies.get(member.pk),
        )
        for member in members
    ]
    event = f"{campaign.code}-T{turn.name}-opened"
    notices_write(campaign=campaign, kind=kinds.TURN_OPENED, event=event, readers=readers)


def _members(campaign: Campaign) -> Any:
    """Everyone in a campaign, each with the campaign object given."""
    return campaign.memberships.select_related("user", "side__navy")


def _replies(turn: Turn | None, members: Collection[Membership]) -> dict[int, Any]:
    """The order templates of those who may reply with orders, by the key of the membership."""
    if turn is None or not settings.REPLY_TO:
        return {}
    # an admiral without a fleet who is not commander-in-chief has nothing to order, and is not looked up
    commanding = set(
        Command.objects.filter(membership__campaign=turn.campaign).values_list("membership", flat=True)
    )
    commanding |= set(presence(turn.campaign).stands_in.values())
    written: dict[int, Any] = {}
    return {
        member.pk: reply_form(turn=turn, membership=member, written=written)
        for member in members
        if member.chief or member.pk in commanding
    }  # fmt: skip


def notices_of_failure(*, turn: Turn, error: str) -> None:
    """Tell the umpires that a turn could not be run, each time it fails. error: why, in sentences. Rule: G.UM2."""
    campaign = turn.campaign
    umpires = [member for member in _members(campaign) if member.role == Role.UMPIRE]
    context = {"turn": turn, "error": error}
    notices_write(
        campaign=campaign,
        kind=kinds.WORK_FAILED,
        event=f"{campaign.code}-T{turn.name}-failed-{timezone.now():%Y%m%dT%H%M%S}",
        readers=[Reader(member.user, context) for member in umpires],
    )


def notices_of_end(*, campaign: Campaign, reason: str) -> None:
    """Tell everyone that the campaign is over, with the final score. Rule: G.EN1."""
    contexts = mails.Contexts()
    readers = [
        Reader(member.user, contexts.of(member, lambda one, ken: mails.over_context(campaign, one, reason)))
        for member in _members(campaign)
    ]
    notices_write(campaign=campaign, kind=kinds.CAMPAIGN_OVER, event=f"{campaign.code}-over", readers=readers)


def notices_of_pause(*, campaign: Campaign, reason: str) -> None:
    """Tell everyone that a campaign is paused, and why. Rule: G.UM1."""
    _pause_told(campaign, "paused", reason)


def notices_of_resume(*, campaign: Campaign, reason: str) -> frozenset[int]:
    """Tell everyone that a campaign has resumed, and when orders close now. Returns the keys of those emailed. Rule: G.UM1."""
    return _pause_told(campaign, "resumed", reason)


def _pause_told(campaign: Campaign, what: str, reason: str) -> frozenset[int]:
    contexts = mails.Contexts()
    turn = campaign.turns.filter(phase=Turn.Phase.OPEN).first()
    entry = entry_of(turn) if turn is not None and what == "resumed" else ""
    readers = [
        Reader(
            member.user,
            contexts.of(member, lambda one, ken: mails.pause_context(campaign, one, turn, what, reason)),
            entry if member.role == Role.ADMIRAL else "",
        )
        for member in _members(campaign)
    ]
    event = f"{campaign.code}-{what}-{timezone.now():%Y%m%dT%H%M%S}"
    written = notices_write(campaign=campaign, kind=kinds.PAUSED, event=event, readers=readers)
    return frozenset(row.recipient_id for row in written if row is not None and row.recipient_id is not None)


def notice_of_invitation(*, membership: Membership) -> None:
    """Tell someone that they have a role in a campaign."""
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
    """Tell the admirals of some sides something. page, code: where they read more. Returns how many emails were written."""
    members = campaign.memberships.filter(role=Role.ADMIRAL, side__navy__code__in=sides)
    return _word(campaign, members, event, title, text, page, code)


def word_to_umpires(
    *, campaign: Campaign, event: str, title: str, text: str, page: str = "campaign", code: str = ""
) -> int:
    """Tell the umpires something, once. Returns how many emails were written."""
    return _word(campaign, campaign.memberships.filter(role=Role.UMPIRE), event, title, text, page, code)


def word_to_all(
    *, campaign: Campaign, event: str, title: str, text: str, page: str = "campaign", code: str = "",
    per_reader: Callable[[Any], list[str]] | None = None,
) -> int:  # fmt: skip
    """Tell everyone in a campaign something that everyone may know. per_reader: extra lines for one of them."""
    return _word(campaign, campaign.memberships.all(), event, title, text, page, code, per_reader)


def word_to_members(
    *, campaign: Campaign, members: Collection[int], event: str, title: str, text: str, page: str = "campaign"
) -> int:
    """Tell some members of a campaign something, once. members: keys of memberships. Returns how many emails were written."""
    return _word(campaign, campaign.memberships.filter(pk__in=members), event, title, text, page, "")


def _word(
    campaign: Campaign, members: QuerySet[Membership], event: str, title: str, text: str, page: str, code: str,
    per_reader: Callable[[Any], list[str]] | None = None,
) -> int:  # fmt: skip
    told = set(campaign.notices.filter(event=event).values_list("recipient_id", flat=True))
    address = reverse(page, args=[campaign.code, code] if code else [campaign.code])
    shared: dict[tuple[Any, ...], dict[str, Any]] = {}
    readers = []
    for member in members.select_related("user", "side__navy"):
        if member.user_id in told:
            continue
        lines = text.split("\n") + (per_reader(member.user) if per_reader is not None else [])
        context = {"side": member.side, "title": title, "lines": lines, "address": address}
        readers.append(Reader(member.user, shared.setdefault((member.side_id, *lines), context)))
    written = notices_write(campaign=campaign, kind=kinds.WORD, event=event, readers=readers)
    return sum(notice is not None for notice in written)
