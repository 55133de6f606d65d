"""Absences: an admiral says when they are away and who stands in. The umpire is told, and may enter it for them. Rules: G.IN4, G.UM1.

Absent admirals may still give orders. Deadlines, orders and reminders ask `campaign.selectors.people.absences` what an absence
does. An absence concerns only the admiral's own side and the umpire, so the log names no one.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from campaign.accounts import listed, with_article
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
    *, membership: Membership, first: date, last: date, by: User, stand_in: Membership | None = None, note: str = ""
) -> tuple[Absence, list[str]]:  # fmt: skip
    """Record that an admiral is away from one day to another, inclusive, in their time zone. by: the admiral, or an umpire.

    Returns the absence and what they should know about it, one sentence each. Raises AbsenceRefused.
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
    *, absence: Absence, first: date, last: date, by: User, stand_in: Membership | None = None, note: str = ""
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
        said = _told(absence, by, "is now away", "changed a player's absence", also=before)
    return absence, said


def absence_end(*, absence: Absence, by: User) -> None:
    """End an absence early, or call one off that has not begun. Raises AbsenceRefused for one that is over."""
    with transaction.atomic():
        _refuse_over(absence)
        if not Absence.objects.filter(pk=absence.pk, ended=None).update(ended=timezone.now()):
            raise AbsenceRefused("That absence has ended.")
        absence.refresh_from_db(fields=["ended"])
        _tell(
            absence, by, "ended a player's absence", f"{name_of(absence.membership.user)} is not away",
            f"{name_of(absence.membership.user)} ({absence.membership.side}) is back early, or not away after all. "
            f"Their absence ({days_spoken(absence.first, absence.last)}) has ended.",
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
        raise AbsenceRefused("Turns wait only for admirals, so only admirals need to enter absences.")
    if last < first:
        raise AbsenceRefused("The last day is before the first. Change one of them.")
    if last < today_of(membership):
        raise AbsenceRefused("Those days have passed. Choose later ones.")
    if last - first >= timedelta(days=MOST_DAYS):
        raise AbsenceRefused(
            f"An absence can last up to {MOST_DAYS} days. For longer, ask the umpire to reassign the fleets."
        )
    if stand_in is None:
        return
    if stand_in.pk == membership.pk:
        raise AbsenceRefused("Choose another admiral as stand-in.")
    if stand_in.role != Role.ADMIRAL or stand_in.side_id != membership.side_id:
        raise AbsenceRefused("Only an admiral of the same side can stand in. Choose another.")


def _refuse_twice(membership: Membership, first: date, last: date, but: int | None = None) -> None:
    rows = membership.absences.filter(ended=None, first__lte=last, last__gte=first)
    row = next((one for one in rows if one.pk != but), None)
    if row is not None:
        raise AbsenceRefused(
            f"These days overlap an absence already entered ({days_spoken(row.first, row.last)}). Change that one."
        )


def _refuse_over(absence: Absence) -> None:
    if absence.ended is not None or absence.last < today_of(absence.membership):
        raise AbsenceRefused("That absence has ended.")


def _told(absence: Absence, by: User, what: str, action: str, also: Any = ()) -> list[str]:
    """Tell everyone whom an absence concerns. Returns what the person who enters it should know."""
    member, stand_in = absence.membership, absence.stand_in
    said = _doubts(absence)
    who = (
        f"{name_of(stand_in.user)} stands in for them."
        if stand_in is not None
        else "No one stands in for them."
    )
    days = days_spoken(absence.first, absence.last)
    name = name_of(member.user)
    lines = [f"{name} ({member.side}) {what}: {days}.", who, *said]
    if absence.note:
        lines.append(f"Their note: {absence.note}")
    _tell(absence, by, action, f"{name} {what}, {days}", "\n".join(lines), also)
    return said


def _tell(absence: Absence, by: User, action: str, title: str, text: str, also: Any = ()) -> None:
    member, campaign = absence.membership, absence.membership.campaign
    what = f"{absence.first:%y%m%d}-{absence.last:%y%m%d}-{absence.stand_in_id or 0}{'-ended' if absence.ended else ''}"
    event = f"{campaign.code}-away-{absence.pk}-{timezone.now():%y%m%dT%H%M%S}-{what}"
    if by.pk != member.user_id:
        act_log(campaign=campaign, actor=by.get_username(), action=action)
    word_to_umpires(campaign=campaign, event=event, title=title, text=text, page="away")
    those = ({absence.stand_in_id, *also} - {None}) | ({member.pk} if by.pk != member.user_id else set())
    word_to_members(campaign=campaign, members=those, event=event, title=title, text=text, page="away")


def _doubts(absence: Absence) -> list[str]:
    """Days on which no one commands although a stand-in was named, one sentence each. Stand-ins have no stand-ins."""
    said = []
    name = name_of(absence.membership.user)
    if absence.stand_in is not None:
        for row in absence.stand_in.absences.filter(
            ended=None, first__lte=absence.last, last__gte=absence.first
        ):
            who, days = name_of(absence.stand_in.user), days_spoken(row.first, row.last)
            said.append(f"{who} is also away ({days}). On those days no one stands in for {name}.")
    others = Absence.objects.filter(
        stand_in=absence.membership_id, ended=None, first__lte=absence.last, last__gte=absence.first
    ).select_related("membership__user")
    for row in others:
        said.append(
            f"{name} was to stand in for {name_of(row.membership.user)} ({days_spoken(row.first, row.last)}). "
            "While both are away, no one commands those fleets."
        )
    return said


def sides_away_tell(*, turn: Turn) -> int:
    """Tell the umpires, as a turn opens, of sides whose admirals are all absent until it closes, with no stand-in present.

    Returns how many emails were written. Call it in the transaction that opens the turn. Rule: G.CL1.
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
                title=f"no admiral of {with_article(side.name)} is present for turn {turn.number}",
                text=f"{names} {'is' if len(members) == 1 else 'are'} away until it closes, and no one stands in. "
                "Their fleets follow standing orders. You can move the deadline, or pause the campaign.",
                page="clock",
            )
    return written
