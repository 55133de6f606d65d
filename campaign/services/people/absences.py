"""Holidays: an admiral says when he is away and who commands for him; the umpire is told, and may enter it for him. Rules: G.IN4, G.UM1.

Who is away may still give orders himself. What an absence does, the clock, the orders and the reminders ask of
`campaign.selectors.people.absences`. That somebody is away is his own side's business and the umpire's, so the log names nobody.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.accounts import listed
from campaign.models import Absence, Campaign, Membership, Turn
from campaign.selectors.people.absences import absences_ahead, today_of, zone_of
from campaign.selectors.people.people import name_of
from campaign.services.mail.notices import word_to_members, word_to_umpires
from campaign.services.umpire_log import act_log

MOST_DAYS = 366
Role = Membership.Role


class AbsenceRefused(ValueError):
    """An absence that cannot be; the text says why. Nothing was changed."""


def absence_announce(
    *, membership: Membership, first: date, last: date, by: Any, stand_in: Membership | None = None, note: str = ""
) -> tuple[Absence, list[str]]:  # fmt: skip
    """Say that an admiral is away from one day to another, both among them, in their own time zone. by: he himself, or an umpire.

    Returns the absence and what he should know about it, a sentence each. Raises AbsenceRefused.
    """
    _refuse(membership, first, last, stand_in)
    with transaction.atomic():
        # one announcement of a member at a time, so that no two overlap
        Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
        _refuse_twice(membership, first, last)
        row = Absence.objects.create(
            membership=membership, first=first, last=last, stand_in=stand_in, note=note.strip()[:200], by=by.get_username()
        )  # fmt: skip
        return row, _told(row, by, "is away", "entered an absence for a player")


def absence_change(
    *, absence: Absence, first: date, last: date, by: Any, stand_in: Membership | None = None, note: str = ""
) -> tuple[Absence, list[str]]:
    """Change an absence that is not over. As `absence_announce`. Raises AbsenceRefused."""
    _refuse(absence.membership, first, last, stand_in)
    with transaction.atomic():
        Membership.objects.select_for_update(of=("self",)).get(pk=absence.membership_id)
        _refuse_over(absence)
        _refuse_twice(absence.membership, first, last, but=absence.pk)
        before = {absence.stand_in_id} - {None}
        absence.first, absence.last, absence.stand_in = first, last, stand_in
        absence.note = note.strip()[:200]
        absence.save(update_fields=["first", "last", "stand_in", "note"])
        said = _told(absence, by, "is now away", "changed a player’s absence", also=before)
    return absence, said


def absence_end(*, absence: Absence, by: Any) -> None:
    """End an absence early, or call one off that has not begun. Raises AbsenceRefused for one that is over."""
    with transaction.atomic():
        _refuse_over(absence)
        if not Absence.objects.filter(pk=absence.pk, ended=None).update(ended=timezone.now()):
            raise AbsenceRefused("That absence is over.")
        absence.refresh_from_db(fields=["ended"])
        _tell(
            absence, by, "ended a player’s absence", f"{name_of(absence.membership.user)} is there",
            f"{name_of(absence.membership.user)} ({absence.membership.side}) is not away after all, or back early: "
            f"his absence of {days_spoken(absence.first, absence.last)} is ended.",
        )  # fmt: skip


def days_spoken(first: date, last: date) -> str:
    """Days in words: "3 to 14 August 2026"."""
    end = f"{last.day} {last:%B} {last.year}"
    if first == last:
        return end
    if first.year != last.year:
        return f"{first.day} {first:%B} {first.year} to {end}"
    return f"{first.day} to {end}" if first.month == last.month else f"{first.day} {first:%B} to {end}"


def _refuse(membership: Membership, first: date, last: date, stand_in: Membership | None) -> None:
    if membership.role != Role.ADMIRAL:
        raise AbsenceRefused("Only an admiral is waited for; nobody else need say that he is away.")
    if last < first:
        raise AbsenceRefused("The last day comes before the first.")
    if last < today_of(membership):
        raise AbsenceRefused("Those days are past.")
    if last - first >= timedelta(days=MOST_DAYS):
        raise AbsenceRefused(f"An absence is of {MOST_DAYS} days at most; hand the fleets over for longer.")
    if stand_in is None:
        return
    if stand_in.pk == membership.pk:
        raise AbsenceRefused("Nobody stands in for himself.")
    if stand_in.role != Role.ADMIRAL or stand_in.side_id != membership.side_id:
        raise AbsenceRefused("Only another admiral of the same side can stand in.")


def _refuse_twice(membership: Membership, first: date, last: date, but: int | None = None) -> None:
    rows = membership.absences.filter(ended=None, first__lte=last, last__gte=first)
    row = next((one for one in rows if one.pk != but), None)
    if row is not None:
        raise AbsenceRefused(
            f"An absence of {days_spoken(row.first, row.last)} is announced already; change that one."
        )


def _refuse_over(absence: Absence) -> None:
    if absence.ended is not None or absence.last < today_of(absence.membership):
        raise AbsenceRefused("That absence is over.")


def _told(absence: Absence, by: Any, what: str, action: str, also: Any = ()) -> list[str]:
    """Tell everybody whom an absence concerns. Returns what the one who announces it should know."""
    member, stand_in = absence.membership, absence.stand_in
    said = _doubts(absence)
    who = (
        f"{name_of(stand_in.user)} stands in for him."
        if stand_in is not None
        else "Nobody stands in for him."
    )
    days = days_spoken(absence.first, absence.last)
    name = name_of(member.user)
    lines = [f"{name} ({member.side}) {what}: {days}.", who, *said]
    if absence.note:
        lines.append(f"He says: {absence.note}")
    _tell(absence, by, action, f"{name} {what}, {days}", "\n".join(lines), also)
    return said


def _tell(absence: Absence, by: Any, action: str, title: str, text: str, also: Any = ()) -> None:
    member, campaign = absence.membership, absence.membership.campaign
    what = f"{absence.first:%y%m%d}-{absence.last:%y%m%d}-{absence.stand_in_id or 0}{'-ended' if absence.ended else ''}"
    event = f"{campaign.code}-away-{absence.pk}-{timezone.now():%y%m%dT%H%M%S}-{what}"
    if by.pk != member.user_id:
        act_log(campaign=campaign, actor=by.get_username(), action=action)
    word_to_umpires(campaign=campaign, event=event, title=title, text=text, page="away")
    those = ({absence.stand_in_id, *also} - {None}) | ({member.pk} if by.pk != member.user_id else set())
    word_to_members(campaign=campaign, members=those, event=event, title=title, text=text, page="away")


def _doubts(absence: Absence) -> list[str]:
    """Days on which nobody commands although somebody was named, a sentence each. No stand-in has one of his own."""
    said = []
    name = name_of(absence.membership.user)
    if absence.stand_in is not None:
        for row in absence.stand_in.absences.filter(
            ended=None, first__lte=absence.last, last__gte=absence.first
        ):
            who, days = name_of(absence.stand_in.user), days_spoken(row.first, row.last)
            said.append(f"{who} is away himself, {days}: on those days nobody stands in for {name}.")
    others = Absence.objects.filter(
        stand_in=absence.membership_id, ended=None, first__lte=absence.last, last__gte=absence.first
    ).select_related("membership__user")
    for row in others:
        said.append(
            f"{name} was to stand in for {name_of(row.membership.user)}, {days_spoken(row.first, row.last)}: "
            "while both are away nobody commands those fleets."
        )
    return said


def sides_away_tell(*, turn: Turn) -> int:
    """Tell the umpires, as a turn opens, of sides whose admirals are away, without a stand-in who is there, until it closes.

    Returns how many letters were written. Call it in the transaction that opens the turn. Rule: G.CL1.
    """
    campaign: Campaign = turn.campaign
    away = absences_ahead(turn.opened, membership__campaign=campaign.pk)
    if not away:
        return 0
    until = turn.deadline or turn.opened
    whole = {
        row.membership_id
        for row in away
        if row.first <= turn.opened.astimezone(zone_of(row.membership)).date()
        and row.last >= until.astimezone(zone_of(row.membership)).date()
    }
    sides: dict[Any, list[Membership]] = {}
    admirals = campaign.memberships.filter(role=Role.ADMIRAL, side__automatic=False)
    for member in admirals.select_related("user", "side__navy"):
        sides.setdefault(member.side, []).append(member)
    written = 0
    for side, members in sides.items():
        if all(member.pk in whole for member in members):
            names = listed([name_of(member.user) for member in members])
            written += word_to_umpires(
                campaign=campaign,
                event=f"{campaign.code}-T{turn.name}-away-{side.code}",
                title=f"Nobody of {side} is there for turn {turn.number}",
                text=f"{names} {'is' if len(members) == 1 else 'are'} away until it closes, and nobody stands in. "
                "Its fleets carry on with what they were told. You can give the turn more time, or pause the campaign.",
                page="clock",
            )
    return written
