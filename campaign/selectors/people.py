"""Who is in a campaign: what everybody may read, and what the umpire reads besides. Rule: G.UM1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from campaign.models import Campaign, Invitation, Membership, Side, Station

Role = Membership.Role


def name_of(user: Any) -> str:
    """A person's name for others to read: never his address, which an account that was made by an invitation is called by."""
    return str(user.get_full_name() or user.get_username()).partition("@")[0]


def part_in_words(*, role: str, side: Side | None, chief: bool) -> str:
    """A part as it stands in a sentence: "commander in chief of England", "an observer"."""
    if side is not None:
        return f"{'commander in chief' if chief else 'an admiral'} of {side.name}"
    return "an observer" if role == Role.OBSERVER else "an umpire"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a campaign. login, seen, mail: for the umpire alone; mail is fine, address dead or none."""

    pk: int
    name: str
    chief: bool
    you: bool
    login: str = ""
    seen: datetime | None = None
    mail: str = ""


@dataclass(frozen=True, slots=True)
class Berth:
    """A fleet and who commands it; member: 0 when it is in the hands of the commander in chief, or of nobody."""

    code: str
    name: str
    member: int


@dataclass(frozen=True, slots=True)
class Company:
    """The people of one side. fleets: for the umpire alone. leaderless: nobody is commander in chief."""

    side: Side
    people: tuple[Person, ...]
    leaderless: bool
    fleets: tuple[Berth, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """Everybody in a campaign."""

    umpires: tuple[Person, ...]
    companies: tuple[Company, ...]
    observers: tuple[Person, ...]


def roll_of(campaign: Campaign, reader: Membership) -> Roll:
    """Everybody in a campaign by side, as a reader may know it: names and parts; for the umpire with mail, log-in and fleets."""
    umpire = reader.role == Role.UMPIRE
    rows = campaign.memberships.select_related("user__notice_preferences", "side").order_by(
        "-chief", "user__username"
    )
    people = [(row, _person(row, reader, umpire)) for row in rows]
    fleets = _fleets(campaign) if umpire else {}
    sides = campaign.sides.select_related("navy")
    return Roll(
        umpires=tuple(one for row, one in people if row.role == Role.UMPIRE),
        companies=tuple(
            _company(
                side, [one for row, one in people if row.side_id == side.pk], fleets.get(side.navy_id, [])
            )
            for side in sides
        ),
        observers=tuple(one for row, one in people if row.role == Role.OBSERVER),
    )


def _company(side: Side, people: list[Person], fleets: list[Berth]) -> Company:
    return Company(side, tuple(people), not any(one.chief for one in people), tuple(fleets))


def _person(row: Membership, reader: Membership, umpire: bool) -> Person:
    name, you = name_of(row.user), row.pk == reader.pk
    if not umpire:
        return Person(row.pk, name, row.chief, you)
    wishes = getattr(row.user, "notice_preferences", None)
    dead = wishes is not None and wishes.bounced is not None
    mail = "none" if not row.user.email else "address dead" if dead else "fine"
    return Person(row.pk, name, row.chief, you, row.user.get_username(), row.user.last_login, mail)


def _fleets(campaign: Campaign) -> dict[int, list[Berth]]:
    """Fleets at sea or in port by navy, each with its admiral."""
    found: dict[int, list[Berth]] = {}
    rows = Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False)
    for row in rows.select_related("fleet__command").order_by("fleet__code"):
        command = getattr(row.fleet, "command", None)
        berth = Berth(row.fleet.code, row.fleet.name, command.membership_id if command is not None else 0)
        found.setdefault(row.fleet.navy_id, []).append(berth)
    return found


def invitations_open(campaign: Campaign) -> list[Invitation]:
    """Invitations that nobody has taken, withdrawn ones left out, newest first. For the umpire."""
    return list(
        campaign.invitations.filter(accepted=None, withdrawn=None, expires__gt=timezone.now()).select_related(
            "side"
        )
    )
