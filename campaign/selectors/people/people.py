"""Who is in a campaign: what everyone may read, and what the umpire reads besides. Rule: G.UM1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone

from campaign.accounts import with_article
from campaign.models import Campaign, Invitation, Membership, Side, Station

Role = Membership.Role


def name_of(user: User) -> str:
    """A person's name for others to read: never their address, which an account that was made by an invitation is called by."""
    return str(user.get_full_name() or user.get_username()).partition("@")[0]


def part_in_words(*, role: str, side: Side | None, chief: bool) -> str:
    """A role as it is named in a sentence: "commander-in-chief of England", "an observer"."""
    if side is not None:
        return f"{'commander-in-chief' if chief else 'an admiral'} of {with_article(side.name)}"
    return "an observer" if role == Role.OBSERVER else "an umpire"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone in a campaign. mail: for the umpire alone; fine, bouncing or none. joined: None if it was not written down."""

    pk: int
    name: str
    chief: bool
    you: bool
    joined: datetime | None = None
    mail: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """An invitation that no one has answered, for the umpire's list. part: what is offered, in words."""

    row: Invitation
    part: str
    expired: bool


@dataclass(frozen=True, slots=True)
class Berth:
    """A fleet and who commands it; member: 0 when it is in the hands of the commander-in-chief, or of no one."""

    code: str
    name: str
    member: int


@dataclass(frozen=True, slots=True)
class Company:
    """The people of one side. fleets, invited: for the umpire alone. leaderless: no one is commander-in-chief."""

    side: Side
    people: tuple[Person, ...]
    leaderless: bool
    fleets: tuple[Berth, ...] = ()
    invited: tuple[Invitation, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """Everyone in a campaign. invitations: those that no one has answered, for the umpire alone."""

    umpires: tuple[Person, ...]
    companies: tuple[Company, ...]
    observers: tuple[Person, ...]
    invitations: tuple[Offer, ...] = ()


def roll_of(campaign: Campaign, reader: Membership) -> Roll:
    """Everyone in a campaign by side, as a reader may know it: names and parts; for the umpire with mail, fleets and invitations.

    What someone does elsewhere on the site, such as when they last logged in, is no one's business here.
    """
    umpire = reader.role == Role.UMPIRE
    rows = campaign.memberships.select_related("user__notice_preferences", "side").order_by(
        "-chief", "user__username"
    )
    people = [(row, _person(row, reader, umpire)) for row in rows]
    fleets = _fleets(campaign) if umpire else {}
    offers = _offers(campaign) if umpire else ()
    sides = campaign.sides.select_related("navy")
    return Roll(
        umpires=tuple(one for row, one in people if row.role == Role.UMPIRE),
        companies=tuple(
            _company(
                side,
                [one for row, one in people if row.side_id == side.pk],
                fleets.get(side.navy_id, []),
                [one.row for one in offers if one.row.side_id == side.pk and not one.expired],
            )
            for side in sides
        ),
        observers=tuple(one for row, one in people if row.role == Role.OBSERVER),
        invitations=offers,
    )


def _company(side: Side, people: list[Person], fleets: list[Berth], invited: list[Invitation]) -> Company:
    leaderless = not any(one.chief for one in people)
    return Company(side, tuple(people), leaderless, tuple(fleets), tuple(invited))


def _person(row: Membership, reader: Membership, umpire: bool) -> Person:
    name, you = name_of(row.user), row.pk == reader.pk
    if not umpire:
        return Person(row.pk, name, row.chief, you, row.joined)
    wishes = getattr(row.user, "notice_preferences", None)
    dead = wishes is not None and wishes.bounced is not None
    mail = "none" if not row.user.email else "bouncing" if dead else "fine"
    return Person(row.pk, name, row.chief, you, row.joined, mail)


def _fleets(campaign: Campaign) -> dict[int, list[Berth]]:
    """Fleets at sea or in port by navy, each with its admiral."""
    found: dict[int, list[Berth]] = {}
    rows = Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False)
    for row in rows.select_related("fleet__command").order_by("fleet__code"):
        command = getattr(row.fleet, "command", None)
        berth = Berth(row.fleet.code, row.fleet.name, command.membership_id if command is not None else 0)
        found.setdefault(row.fleet.navy_id, []).append(berth)
    return found


def _offers(campaign: Campaign) -> tuple[Offer, ...]:
    """Invitations that no one has answered or withdrawn, newest first; expired ones as long as they can be sent again."""
    now = timezone.now()
    rows = campaign.invitations.unanswered().exclude(address="", expires__lte=now).select_related("side")
    return tuple(Offer(row, offered(row), row.expires <= now) for row in rows)


def offered(invitation: Invitation) -> str:
    """What an invitation offers, in words."""
    return part_in_words(role=invitation.role, side=invitation.side, chief=invitation.chief)


def is_last_umpire(membership: Membership) -> bool:
    """Whether a campaign would have no umpire without this one."""
    umpires = membership.campaign.memberships.filter(role=Role.UMPIRE)
    return membership.role == Role.UMPIRE and not umpires.exclude(pk=membership.pk).exists()
