"""Starting a campaign: theatres loaded, navies mustered from registers, admirals invited, the first turn opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles.engine.core.errors import Fault
from battles.services.fighting import digest
from campaign.accounts import with_article
from campaign.models import (
    Campaign,
    Command,
    Invitation,
    Membership,
    Order,
    Passage,
    Place,
    Side,
    Station,
    Theatre,
    Turn,
)
from campaign.notices.direct import mail_server
from campaign.pinned.pins import newest
from campaign.rules.chart import types as t
from campaign.rules.chart.chart import great_circle_nm
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.state.holdings import Holdings
from campaign.selectors.setup import home_port
from campaign.selectors.turn.facts import pure_theatre, theatres_forget
from campaign.services.mail.notices import notice_of_invitation, notices_for_opened_turn
from campaign.services.orders.openings import (
    DATA,
    FleetStart,
    as_written,
    opening_of,
    orders_under,
    planned_fleets,
)
from campaign.services.orders.openings import SOURCE as OPENING
from campaign.services.roles import umpire_admit
from campaign.services.settings.clock import schedule_columns
from campaign.services.setup.calendar import calendar_make
from campaign.services.setup.compositions import composed_fleets
from campaign.services.setup.convoys import convoys_of_opening
from campaign.services.setup.faults import own_address_faults, setting_faults, settings_typed, start_faults
from campaign.services.setup.invitations import invitation_mail, invitation_make, invitation_unsent
from campaign.services.setup.objectives import objectives_of_opening, opening_fix
from campaign.services.setup.refusals import SetupRefused
from campaign.services.setup.sides import SideStart
from campaign.services.turn.turns import turn_open
from campaign.services.umpire_log import UmpireRefused
from fleets.services.books import book_create, navy_create
from fleets.services.muster import navy_muster

TURN_DAYS = 3
COLOURS = ("red", "blue", "ochre", "green")


def theatre_load(*, document: Mapping[str, Any]) -> Theatre:
    """Load a theatre file for new campaigns, or load it again. Campaigns keep the document that they began with.

    Raises campaign.rules.chart.theatre.TheatreFaults with everything wrong in it. Rules: G.CH1, G.CH3.
    """
    pure = read_theatre(document)
    with transaction.atomic():
        there = Theatre.objects.offered().filter(code=pure.code).first()
        if there is not None:
            same = there.document == document
            if same and there.places.count() == len(pure.places):
                return there
            if not same and there.campaigns.exists():
                Theatre.objects.filter(pk=there.pk).update(replaced=timezone.now())
                there = None
        theatre = _theatre_write(there or Theatre(code=pure.code), pure, document)
    theatres_forget()
    return theatre


def theatre_kept(*, document: Mapping[str, Any]) -> Theatre:
    """The theatre of an imported campaign, kept beside the one that new campaigns begin with if it is another. Raises TheatreFaults."""
    pure = read_theatre(document)
    for theatre in Theatre.objects.filter(code=pure.code):
        if theatre.document == document:
            return theatre
    return _theatre_write(Theatre(code=pure.code, replaced=timezone.now()), pure, document)


def _theatre_write(theatre: Theatre, pure: t.Theatre, document: Mapping[str, Any]) -> Theatre:
    """A theatre's row, with its places and passages as its document has them."""
    theatre.title, theatre.start_date = pure.title, document["start_date"]
    theatre.note, theatre.document = document.get("note", ""), document
    theatre.save()
    theatre.passages.all().delete()
    theatre.places.all().delete()
    _places_write(theatre, pure, document)
    return theatre


def _places_write(theatre: Theatre, pure: t.Theatre, document: Mapping[str, Any]) -> None:
    notes = {node["id"]: node.get("note", "") for node in document["nodes"]}
    places = Place.objects.bulk_create(
        Place(
            theatre=theatre, code=p.code, name=p.name, kind=p.kind.value, zone=p.zone, owner=p.owner,
            latitude=round(p.latitude, 3), longitude=round(p.longitude, 3), dockyard=p.dockyard, berths=p.berths,
            recruits=p.recruits, guard=p.guard, channel_owner=p.channel_owner, note=notes.get(p.code, ""),
        )
        for p in pure.places.values()
    )  # fmt: skip
    by_code = {place.code: place for place in places}
    Passage.objects.bulk_create(
        Passage(theatre=theatre, a=by_code[a], b=by_code[b], length=_length(pure, a, b))
        for a, b in pure.passages
    )


def _length(theatre: t.Theatre, a: str, b: str) -> int:
    here, there = theatre.places[a], theatre.places[b]
    miles = great_circle_nm(here.latitude, here.longitude, there.latitude, there.longitude)
    return round(miles * t.MILLI)


def shipped_theatres() -> list[Path]:
    """The theatre files that come with the program."""
    return sorted((DATA / "theatres").glob("*.json"))


def campaign_faults(
    *,
    name: str,
    code: str,
    theatre: Theatre,
    rule_set: str,
    umpire: User,
    sides: Sequence[SideStart],
    turn_days: int = TURN_DAYS,
    opening: str = "",
    settings: Mapping[str, str] | None = None,
) -> tuple[Fault, ...]:
    """Everything for which `campaign_start` would refuse these."""
    return (
        *start_faults(
            name=name,
            code=code,
            theatre=theatre,
            opening=opening or theatre.code,
            rule_set=rule_set,
            sides=sides,
            days=turn_days,
        ),
        *own_address_faults(umpire, sides),
        *setting_faults(settings or {}),
    )


def campaign_start(
    *,
    name: str,
    code: str,
    theatre: Theatre,
    rule_set: str,
    umpire: User,
    sides: Sequence[SideStart],
    turn_days: int = TURN_DAYS,
    demo_seed: str = "",
    opening: str = "",
    settings: Mapping[str, str] | None = None,
    schedule: Mapping[str, Any] | None = None,
) -> Campaign:
    """Start a campaign, whole or not at all: ships mustered, fleets at their stations, turn 1 open. Then invitations are mailed.

    opening: code of one of the theatre's, "" for its first. settings: as typed, by name; those that are not named have their defaults.
    schedule: when orders close, as `schedule_columns` takes it.

    An invitation whose mail the server did not take has no `mailed` and can be sent again. Raises SetupRefused with every fault.
    Rules: G.CH3, G.SV1, G.FA1.
    """
    opening_code = opening or theatre.code
    faults = campaign_faults(
        name=name, code=code, theatre=theatre, rule_set=rule_set, umpire=umpire, sides=sides, turn_days=turn_days, opening=opening_code,
        settings=settings,
    )  # fmt: skip
    if faults:
        raise SetupRefused(faults)
    document, plan = theatre.document, opening_of(opening_code)
    nations = {row["name"]: row for row in document["sides"]}
    pin = newest(rule_set)
    with transaction.atomic():
        book = book_create(
            code=code,
            rule_set=rule_set,
            engine_version=pin.rule_set.number,
            rules_hash=pin.rule_set.fingerprint,
        )
        campaign = Campaign.objects.create(
            book=book,
            theatre=theatre,
            theatre_hash=digest(theatre.document),
            name=name,
            opening_code=opening_code if plan else "",
            start_date=plan.get("start_date", document["start_date"]),
            turn_days=turn_days,
            demo_seed=demo_seed,
            carried=_held(plan),
            chart_version=pin.chart.number,
            chart_rules=pin.chart.fingerprint,
            settings=settings_typed(settings or {}),
            **(schedule_columns(**schedule) if schedule is not None else {}),
        )
        Membership.objects.create(campaign=campaign, user=umpire, role=Membership.Role.UMPIRE)
        umpire_admit(user=umpire)
        first_orders: dict[int, Mapping[str, Any]] = {}
        for number, start in enumerate(sides):
            first_orders |= _side_start(campaign, start, nations[start.side], COLOURS[number % len(COLOURS)])
        names = [start.side for start in sides]
        campaign.hostility = _ties(document, names, nations, "war")
        campaign.alliances = _ties(document, names, nations, "alliance")
        campaign.save(update_fields=["hostility", "alliances"])
        turn: Turn = turn_open(campaign=campaign)
        _first_orders_write(turn, first_orders)
        opening_fix(campaign=campaign)
        own = all(start.register.code == plan.get("register") for start in sides)
        if own:
            convoys_of_opening(campaign=campaign, rows=plan.get("convoys", ()))
        registers = {start.side: (start.register, start.register_side) for start in sides}
        calendar_make(campaign=campaign, opening=plan if own else {}, registers=registers)
        if as_written(plan, sides):
            objectives_of_opening(campaign=campaign, opening=plan)
        for member in campaign.memberships.exclude(role=Membership.Role.UMPIRE):
            notice_of_invitation(membership=member)
        notices_for_opened_turn(turn=turn)
        invited = _invitations(campaign, umpire, sides)
    _invitations_mail(invited)
    return campaign


def _held(opening: Mapping[str, Any]) -> dict[str, Any]:
    """What a campaign carries into its first turn: the ports that an opening's day finds in other hands than the theatre's. Rule: G.CH3."""
    owners = dict(opening.get("owners", {}))
    return {"holdings": Holdings(owners=owners, first=dict(owners)).doc()} if owners else {}


def _side_start(
    campaign: Campaign, start: SideStart, row: Mapping[str, Any], colour: str
) -> dict[int, Mapping[str, Any]]:
    """Make a side with its navy, people and fleets. Returns the first orders of those fleets that have any, by id of fleet."""
    navy = navy_create(
        book=campaign.book, nation=row["nations"][0], code=row["nation_code"], name=start.side, colours=colour
    )
    side = Side.objects.create(
        campaign=campaign,
        navy=navy,
        name=start.side,
        nations=row["nations"],
        colour=colour,
        automatic=start.automatic or not start.players,
    )
    members = [
        Membership.objects.create(
            campaign=campaign, user=user, role=Membership.Role.ADMIRAL, side=side, chief=n == 0
        )
        for n, user in enumerate(start.players)
    ]
    first_orders: dict[int, Mapping[str, Any]] = {}
    for fleet_start in _fleet_starts(campaign, start, row):
        fleet = navy_muster(
            navy=navy,
            entries=fleet_start.entries,
            fleet_code=fleet_start.code,
            fleet_name=fleet_start.name,
            rule_set=campaign.book.rule_set,
            commander=fleet_start.commander,
            when=f"{campaign.start_date}T06:00",
            divisions=fleet_start.divisions,
        )
        Station.objects.create(fleet=fleet, at=fleet_start.place)
        if members:
            Command.objects.create(membership=members[0], fleet=fleet)
        if fleet_start.orders:
            first_orders[fleet.pk] = orders_under(fleet_start.orders, campaign.book.rule_set)
    return first_orders


def _invitations(
    campaign: Campaign, umpire: User, sides: Sequence[SideStart]
) -> list[tuple[Invitation, str]]:
    """Invite the admirals; the first of a side that has no player yet is to be its commander-in-chief. Raises SetupRefused."""
    made = {side.name: side for side in campaign.sides.select_related("navy")}
    try:
        return [
            invitation_make(
                campaign=campaign,
                umpire=umpire,
                role=Membership.Role.ADMIRAL,
                side=made[start.side],
                chief=n == 0 and not start.players,
                address=address,
            )
            for start in sides
            for n, address in enumerate(start.admirals)
        ]
    except UmpireRefused as refusal:
        raise SetupRefused([Fault("invitations", str(refusal))]) from refusal


def _invitations_mail(invited: Sequence[tuple[Invitation, str]]) -> None:
    """Mail invitations over one connection; an email server that is away holds the campaign up once."""
    server = mail_server() if invited else None
    for invitation, link in invited:
        if server is None:
            invitation_unsent(invitation=invitation)
        else:
            invitation_mail(invitation=invitation, link=link, connection=server)
    if server is not None:
        server.close()


def _fleet_starts(campaign: Campaign, start: SideStart, row: Mapping[str, Any]) -> list[FleetStart]:
    """Fleets of a side at their historical places, or as the club composed them, or one fleet in its greatest port."""
    entries = list(start.register.entries.filter(side=start.register_side).order_by("line"))
    planned = planned_fleets(
        opening=campaign.opening_code,
        side=start.side,
        register=start.register.code,
        register_side=start.register_side,
        entries=entries,
    )
    if planned is not None:
        return planned
    composed = composed_fleets(start.register, start.register_side, campaign.theatre.code, row["nation_code"])
    if composed is not None:
        return composed
    if not entries:  # its fleets come by the calendar
        return []
    port = home_port(pure_theatre(campaign.theatre), row["nations"])
    return [FleetStart(f"{row['nation_code']}1", f"Fleet of {with_article(start.side)}", "", port, entries)]


def _first_orders_write(turn: Turn, orders: Mapping[int, Mapping[str, Any]]) -> None:
    """The orders that the fleets had when the campaign begins; their admirals may change it. By id of fleet. Rule: G.MV2."""
    Order.objects.bulk_create(
        Order(
            turn=turn,
            fleet_id=fleet,
            route=given.get("route", []),
            stance=given.get("stance", "hold"),
            on_arrival=given.get("on_arrival", "anchor"),
            instructions=given.get("instructions", {}),
            # Battle instructions alone send a fleet nowhere: the automatic admiral is free to.
            source=OPENING if given.keys() - {"instructions"} else "standing",
        )
        for fleet, given in orders.items()
    )


def _ties(
    document: Mapping[str, Any], names: list[str], nations: Mapping[str, Any], tie: str
) -> list[list[str]]:
    """Pairs of side codes at war, or allied, when the campaign starts; sides that take no part are left out. Rule: G.CO7."""
    return [
        sorted((nations[a]["nation_code"], nations[b]["nation_code"]))
        for a, b, state in document["hostility"]
        if state == tie and a in names and b in names
    ]
