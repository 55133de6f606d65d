"""People of a campaign: the umpire removes them, names a commander-in-chief, assigns fleets. Leaving. Rules: G.IN4, G.UM1.

Every function raises UmpireRefused, with a sentence and nothing changed. The log, which both sides read, names people and sides. It
names no fleet, because a side may not know the other's fleets.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from campaign.accounts import opening, with_article
from campaign.models import Campaign, Command, Membership, Notice, Side, Station
from campaign.notices.direct import direct_mail
from campaign.selectors.people.people import name_of, part_in_words
from campaign.services.mail.notices import word_to_sides, word_to_umpires
from campaign.services.roles import umpire_dismiss
from campaign.services.umpire_log import UmpireRefused, act_log, reason_given

Role = Membership.Role
LEFT = "has left"  # the void mark of notices to someone who has left


def part_take_away(*, campaign: Campaign, umpire: User, member: int, reason: str) -> None:
    """Remove someone: their fleets go to the commander-in-chief, or to no one, and emails waiting for them are not sent.

    They no longer stand in for anyone, and are told by email. Their letters and orders stay. The last umpire cannot be removed.
    """
    reason = reason_given(reason)
    row = _member(campaign, member)
    part = part_in_words(role=row.role, side=row.side, chief=row.chief)
    with transaction.atomic():
        _part_end(campaign, row)
        _log(campaign, umpire, "removed someone from the campaign", f"{name_of(row.user)}, {part}: {reason}")
    if row.user.email and row.user.is_active:
        context = {"campaign": campaign, "part": part, "reason": reason, "by": name_of(umpire)}
        direct_mail(stem="part_taken", to=row.user.email, context=context)


def part_leave(*, membership: Membership, reason: str = "") -> None:
    """Leave a campaign of one's own accord. The log says so, and the umpires are told what they need to do.

    Fleets and emails are treated as in `part_take_away`. reason: for the log, "" for none. Raises UmpireRefused for the last
    umpire: a campaign needs one.
    """
    campaign = membership.campaign
    row = _member(campaign, membership.pk)
    name, side, reason = name_of(row.user), row.side, reason.strip()
    part = part_in_words(role=row.role, side=side, chief=row.chief)
    with transaction.atomic():
        _part_end(campaign, row)
        told = f"{name}, {part}" + (f": {reason}" if reason else ".")
        act_log(campaign=campaign, actor=name, action="left the campaign", reason=told)
        left = [f"{name}, {part}, has left the campaign."]
        if reason:
            left.append(f"Their reason: {reason}")
        if side is not None:
            whose = opening(with_article(side.name))
            if not side.automatic and not side.memberships.exists():
                left.append(
                    f"{whose} has no player now, and its fleets follow standing orders. "
                    "Invite an admiral, or hand the side to the automatic admiral."
                )
            elif row.chief:
                left.append(f"{whose} has no commander-in-chief now. Name another.")
        word_to_umpires(
            campaign=campaign,
            event=f"{campaign.code}-left-{row.pk}",
            title=f"{name} has left",
            text="\n".join(left),
            page="people",
        )


def _part_end(campaign: Campaign, row: Membership) -> None:
    """End a role; call it in a transaction. Raises UmpireRefused for the last umpire, and for a role that has already ended."""
    umpires = campaign.memberships.select_for_update(of=("self",)).filter(role=Role.UMPIRE)
    if row.role == Role.UMPIRE and len(umpires) < 2:
        raise UmpireRefused("A campaign needs an umpire. Invite another first.")
    now = timezone.now()
    if not Membership.objects.filter(pk=row.pk).update(left=now, chief=False):
        raise UmpireRefused("That person has already left the campaign.")
    row.absences.filter(ended=None).update(ended=now)
    row.stands_in.filter(ended=None).update(stand_in=None)
    heir = row.side.memberships.filter(chief=True).first() if row.side is not None else None
    if heir is not None:
        row.commands.update(membership=heir)
    else:
        row.commands.all().delete()
    unsent = (Notice.Status.WAITING, Notice.Status.DIGEST, Notice.Status.FAILED)
    campaign.notices.filter(recipient=row.user, void="", status__in=unsent).update(void=LEFT)
    if row.role == Role.UMPIRE:
        umpire_dismiss(user=row.user)


def chief_name(*, campaign: Campaign, umpire: User, member: int) -> None:
    """Make an admiral commander-in-chief of their side, replacing any other. They get the fleets that no one commands. Tell the side."""
    row = _member(campaign, member)
    if row.side is None:
        raise UmpireRefused("Only an admiral can be commander-in-chief.")
    if row.chief:
        raise UmpireRefused(
            f"{name_of(row.user)} is already commander-in-chief of {with_article(row.side.name)}."
        )
    with transaction.atomic():
        row.side.memberships.filter(chief=True).update(chief=False)
        Membership.objects.filter(pk=row.pk).update(chief=True)
        row.chief = True
        berths_take(membership=row)
        _log(
            campaign,
            umpire,
            "named a commander-in-chief",
            f"{name_of(row.user)} for {with_article(row.side.name)}",
        )
        word_to_sides(
            campaign=campaign,
            sides=[row.side.code],
            event=f"{campaign.code}-chief-{row.pk}-{timezone.now():%Y%m%dT%H%M%S}",
            title=f"{name_of(row.user)} is commander-in-chief",
            text=f"The umpire has made {name_of(row.user)} commander-in-chief of {with_article(row.side.name)}.",
            page="people",
        )


def fleets_hand(*, campaign: Campaign, umpire: User, side: Side, given: Mapping[str, int]) -> int:
    """Assign fleets of a side to its admirals. given: {code of a fleet: id of a membership, 0 for none}. Returns how many changed.

    Rule: G.IN4.
    """
    stations = Station.objects.filter(fleet__navy=side.navy_id, fleet__ended=False).select_related("fleet")
    fleets = {row.fleet.code: row.fleet for row in stations}
    admirals = {row.pk: row for row in side.memberships.select_related("user")}
    if set(given) - set(fleets) or {pk for pk in given.values() if pk} - set(admirals):
        raise UmpireRefused(
            f"The fleets or admirals of {with_article(side.name)} have changed. Reload the page and try again."
        )
    now = dict(Command.objects.filter(fleet__in=fleets.values()).values_list("fleet__code", "membership"))
    changed = {code: pk for code, pk in given.items() if pk != now.get(code, 0)}
    with transaction.atomic():
        for code, pk in changed.items():
            if pk:
                Command.objects.update_or_create(fleet=fleets[code], defaults={"membership": admirals[pk]})
            else:
                Command.objects.filter(fleet=fleets[code]).delete()
            to = name_of(admirals[pk].user) if pk else "the commander-in-chief"
            _log(campaign, umpire, "assigned a fleet", f"one of {with_article(side.name)} to {to}")
    return len(changed)


def side_automatic(*, campaign: Campaign, umpire: User, side: Side, automatic: bool, reason: str) -> None:
    """Hand a side to the automatic admiral, or take it back."""
    reason = reason_given(reason)
    with transaction.atomic():
        if not Side.objects.filter(pk=side.pk, automatic=not automatic).update(automatic=automatic):
            commands = "already commands" if automatic else "does not command"
            raise UmpireRefused(f"The automatic admiral {commands} {with_article(side.name)}.")
        action = (
            "handed a side to the automatic admiral"
            if automatic
            else "took a side from the automatic admiral"
        )
        _log(campaign, umpire, action, f"{side}: {reason}")


def berths_take(*, membership: Membership) -> int:
    """Give a commander-in-chief, or a side's only admiral, the fleets that no one commands. Returns how many. Rule: G.IN4."""
    side = membership.side
    if side is None or not (membership.chief or side.memberships.count() == 1):
        return 0
    idle = Station.objects.filter(fleet__navy=side.navy_id, fleet__ended=False, fleet__command=None)
    made = Command.objects.bulk_create(
        Command(membership=membership, fleet_id=fleet) for fleet in idle.values_list("fleet", flat=True)
    )
    return len(made)


def _member(campaign: Campaign, pk: int) -> Membership:
    row: Membership | None = campaign.memberships.select_related("user", "side__navy").filter(pk=pk).first()
    if row is None:
        raise UmpireRefused("That person has left the campaign. Reload the page.")
    return row


def _log(campaign: Campaign, umpire: User, action: str, reason: str) -> None:
    act_log(campaign=campaign, actor=umpire.get_username(), action=action, reason=reason)
