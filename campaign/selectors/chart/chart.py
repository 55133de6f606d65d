"""The chart as one reader may see it: own fleets, routes, own sightings, own battles and the wind. Rules: G.IN1, G.SI2, G.CH2.

Nothing that the reader may not know is in what these functions return, so it cannot be in the drawing either. Lengths are chart units
(1600 to the paper's width); angles are degrees clockwise from north.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db.models import Count, Q

from battles.models import Battle
from campaign.accounts import UNDER_STEAM, period_names, position_in_words
from campaign.accounts.words import zone_name
from campaign.calendar import hour_spoken
from campaign.chart_projection import Projection
from campaign.models import Campaign, Contact, Membership, Order, Sighting, Turn
from campaign.rules.chart import types as t
from campaign.rules.chart.theatre import Geometry, geometry
from campaign.rules.contact.staff import ARCHIVED
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.chart.chart_marks import (
    BattleMark,
    FleetMark,
    SightingMark,
    WindMark,
    grouped,
    news_rows,
)
from campaign.selectors.chart.contacts import Contact as SeenContact
from campaign.selectors.chart.contacts import contacts_of, seen_by, under
from campaign.selectors.chart.drawn import ChartPage
from campaign.selectors.chart.lettering import lettered
from campaign.selectors.people.access import (
    Role,
    fleet_names,
    may_know_battle,
    reads_everything,
    stations_for,
)
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.sea.chart_paper import (
    coast_digest,
    focus,
    grid_lines,
    label_marks,
    passage_lines,
    place_marks,
    projection_of,
    scale_miles,
    units_a_mile,
)
from campaign.selectors.sea.places import goal_in_words, place_in_words
from campaign.selectors.told import open_battles
from campaign.selectors.turn.facts import ports_taken, pure_theatre, theatre_of
from campaign.selectors.turn.groups import groups_now
from campaign.selectors.turn.ongoing import ongoing_battles
from campaign.where import latitude_longitude
from fleets.selectors.ships import men_afloat

FRESH, DAY = 6, 24
SHOWN_AT = 720.0  # CSS pixels that the chart is drawn for before a script measures it


def chart_page(
    campaign: Campaign,
    membership: Membership,
    turn: Turn | None,
    *,
    whole: bool = False,
    marks: tuple[FleetMark, ...] | None = None,
) -> ChartPage:
    """The chart for one reader as their turn opens. whole: show all the paper, not only where their fleets are.

    marks: the reader's fleets, where the page has them already.
    """
    theatre = theatre_of(campaign)
    paper = projection_of(theatre.code)
    hour = 24 * (turn.first_day if turn else campaign.calendar_day)
    fleets = fleet_marks(campaign, membership, turn) if marks is None else marks
    reports = sighting_marks(campaign, membership, hour)
    sightings = grouped(reports)
    battles = battle_marks(campaign, membership, turn, paper)
    spots = [(mark.x, mark.y) for mark in fleets] + [(mark.x, mark.y) for mark in battles]
    spots += [(mark.x, mark.y) for mark in sightings if mark.age != "old"]
    height = paper.height
    view = (0.0, 0.0, paper.width, height) if whole or not spots else focus(spots, paper.width, height)
    scale = round(view[2] / SHOWN_AT, 4)
    nations = membership.side.nations if membership.side else []
    units = units_a_mile(paper, view)
    miles = scale_miles(view[2] / units)
    news = news_rows(reports)
    page = ChartPage(
        width=paper.width,
        height=round(height, 1),
        theatre=theatre.code,
        coast=coast_digest(theatre.code),
        frame=(paper.box[0], paper.box[3], round(paper.units_per_degree, 4)),
        labels=label_marks(theatre.code),
        grid=grid_lines(theatre.code)[0],
        edges=grid_lines(theatre.code)[1],
        passages=passage_lines(theatre, paper),
        places=place_marks(theatre, paper, nations, ports_taken(campaign)),
        fleets=fleets,
        sightings=sightings,
        battles=battles,
        news=news["now"],
        old_news=news["older"],
        winds=wind_marks(campaign, theatre, fleets),
        view=view,
        scale=scale,
        miles=miles,
        miles_length=round(miles * units, 2),
        units_a_mile=round(units, 4),
        moment=hour_spoken(campaign.start_date, hour),
    )
    return lettered(page)


def route_chart(
    campaign: Campaign,
    membership: Membership,
    turn: Turn,
    marks: tuple[FleetMark, ...],
    mark: FleetMark,
    route: Iterable[str],
) -> ChartPage:
    """The chart about one fleet and the route that is being plotted for it. marks: all the reader's fleets, and mark this one."""
    theatre = theatre_of(campaign)
    paper = projection_of(theatre.code)
    codes = list(route)
    drawn = replace(mark, route=route_path(theatre, paper, (mark.x, mark.y), codes))
    page = chart_page(campaign, membership, turn, marks=marks)
    spots = [(mark.x, mark.y)]
    spots += [paper.to_xy(theatre.places[c].latitude, theatre.places[c].longitude) for c in codes]
    view = focus(spots, page.width, page.height, least=220.0)
    scale = round(view[2] / SHOWN_AT, 4)
    units = units_a_mile(paper, view)
    miles = scale_miles(view[2] / units)
    about = replace(
        page,
        fleets=(drawn,),
        battles=(),
        view=view,
        scale=scale,
        miles=miles,
        miles_length=round(miles * units, 2),
        units_a_mile=round(units, 4),
    )
    return lettered(about)


def fleet_marks(campaign: Campaign, membership: Membership, turn: Turn | None) -> tuple[FleetMark, ...]:
    """The reader's fleets with strength, orders and the route still to sail; all sides' for the umpire. Rule: G.IN1."""
    theatre = theatre_of(campaign)
    paper, way = projection_of(theatre.code), geometry(theatre)
    afloat = Q(fleet__squadrons__ships__fate="afloat")
    stations = stations_for(membership).annotate(strength=Count("fleet__squadrons__ships", filter=afloat))
    rows = list(stations)
    orders: dict[int, Order] = {}
    if turn is not None:
        found = Order.objects.filter(turn=turn, fleet__in=[row.fleet_id for row in rows])
        orders = {order.fleet_id: order for order in found}
    men = men_afloat(row.fleet_id for row in rows)
    found_battles = ongoing_battles(campaign) if any(row.held_by for row in rows) else {}
    # once its result is accepted a fleet takes orders for the turn in which it comes back
    held = {
        code: battle.code for code, battle in found_battles.items() if battle.status != Battle.Status.FOUGHT
    }
    alone = groups_now(campaign, turn)
    marks = []
    for row in rows:
        position = t.Position(row.at, row.to, row.run)
        latitude, longitude = latitude_longitude(theatre, position)
        x, y = paper.to_xy(latitude / 100, longitude / 100)
        order = orders.get(row.fleet_id)
        route = order.route if order is not None else []
        marks.append(
            FleetMark(
                code=row.fleet.code,
                name=row.fleet.name,
                side=row.fleet.navy.code,
                colour=row.fleet.navy.colours,
                x=round(x, 1),
                y=round(y, 1),
                ships=row.strength,
                men=men.get(row.fleet_id, 0),
                course=course_along(way, position, route),
                place=place_in_words(theatre, position),
                route=route_path(theatre, paper, (x, y), route),
                destination=goal_in_words(theatre, position, route),
                stance=order.stance if order is not None else "hold",
                given=order is not None and order.source in Order.GIVEN,
                zone=way.zone(position),
                held=held.get(row.held_by, ""),
                alone=row.fleet.code in alone,
            )
        )
    return tuple(marks)


def course_along(way: Geometry, position: t.Position, route: list[str]) -> int | None:
    """Degrees of the leg that a fleet sails next; None when it stays. Rule: G.CH2."""
    ahead = [code for code in route if position.to or code != position.at]
    if not ahead:
        return None
    if position.to:
        if ahead[0] == position.at:
            return way.legs[position.to, position.at].bearing
        return way.legs[position.at, position.to].bearing
    leg = way.legs.get((position.at, ahead[0]))
    return leg.bearing if leg else None


def route_path(theatre: t.Theatre, paper: Projection, start: tuple[float, float], route: list[str]) -> str:
    """Path data of a route from where a fleet is."""
    if not route:
        return ""
    points = [start, *(paper.to_xy(theatre.places[c].latitude, theatre.places[c].longitude) for c in route)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def sighting_marks(
    campaign: Campaign, membership: Membership, hour: int, *, archive: bool = False
) -> tuple[SightingMark, ...]:
    """The contacts of the reader's side, fading with age; the umpire sees every side's. archive: those of more than ten days too.

    Rules: G.SI2, G.SI3, G.IG2.
    """
    reports = Sighting.objects.filter(turn__campaign=campaign)
    if not archive:
        reports = reports.filter(hour__gte=hour - ARCHIVED)
    if reads_everything(membership):
        pass
    elif membership.side_id is not None:
        reports = reports.filter(side=membership.side_id)
    else:
        return ()
    rows: list[Any] = list(reports.bare())
    sides = dict(campaign.sides.values_list("pk", "name"))
    paper = projection_of(campaign.theatre.code)
    names = fleet_names(membership)
    names |= period_names(campaign.theatre.document)
    places = pure_theatre(campaign.theatre).places
    names |= {code: place.name for code, place in places.items()}
    fold = settings_from(campaign.settings).fold_hours
    marks = []
    for contact in contacts_of(rows, ken_of(membership)):
        report = contact.latest
        x, y = paper.to_xy(report.latitude / 100, report.longitude / 100)
        age = max(0, hour - report.hour)
        marks.append(
            SightingMark(
                number=report.number,
                x=round(x, 1),
                y=round(y, 1),
                course=report.course,
                band=report.band,
                kinds=tuple(report.kinds),
                observer=seen_by(report, names, places),
                when=hour_spoken(campaign.start_date, report.hour),
                hours=age,
                age=_age(age, fold),
                side=sides[report.side_id],
                turn=report.in_turn,  # type: ignore[attr-defined]
                where=position_in_words(report.latitude, report.longitude),
                perhaps=report.perhaps,
                older=under(contact, campaign.start_date, names),
                track=_track(paper, contact),
                steam=UNDER_STEAM in names,
            )
        )
    return tuple(sorted(marks, key=lambda mark: (-mark.hours, mark.side, mark.number)))


def _track(paper: Projection, contact: SeenContact) -> str:
    """Path data through the reports of a contact, the oldest first; "" when it has been seen at one spot alone."""
    seen = [*reversed(contact.older), contact.latest]
    spots = (paper.to_xy(row.latitude / 100, row.longitude / 100) for row in seen)
    points = list(dict.fromkeys(f"{x:.1f} {y:.1f}" for x, y in spots))
    return "M" + "L".join(points) if len(points) > 1 else ""


def _age(hours: int, fold: int) -> str:
    """What a report of so many hours is to its reader. fold: hours after which a contact is listed as older. Rule: G.IG2."""
    limits = ((FRESH, "fresh"), (min(DAY, fold), "day"), (fold, "stale"), (ARCHIVED, "old"))
    return next((word for limit, word in limits if hours <= limit), "archive")


def battle_marks(
    campaign: Campaign, membership: Membership, turn: Turn | None, paper: Projection
) -> tuple[BattleMark, ...]:
    """Battles of the last turn and of the one being played that the reader may know of. Rule: G.IN1."""
    if turn is None:
        return ()
    contacts = Contact.objects.filter(turn__campaign=campaign, battle__isnull=False).select_related("battle")
    known = {row.code for row in open_battles(campaign)} if membership.role == Role.OBSERVER else set[str]()
    if not known:
        contacts = contacts.filter(turn__number__gte=turn.number - 1)
    marks = []
    for contact in contacts.order_by("hour", "code"):
        if contact.battle is None:
            continue
        if contact.battle.code not in known and not may_know_battle(membership, contact.fleets):
            continue
        x, y = paper.to_xy(contact.latitude / 100, contact.longitude / 100)
        marks.append(BattleMark(contact.battle.code, contact.battle.title, round(x, 1), round(y, 1)))
    return tuple(marks)


def wind_marks(campaign: Campaign, theatre: t.Theatre, fleets: tuple[FleetMark, ...]) -> tuple[WindMark, ...]:
    """The wind where the reader has fleets, as the last turn left it; none before the first. Rule: G.WX1."""
    paper = projection_of(theatre.code)
    marks = []
    for zone in dict.fromkeys(mark.zone for mark in fleets):
        now = campaign.weather.get(zone)
        if not now or "wind_from" not in now:
            continue
        sea = [p for p in theatre.places.values() if p.zone == zone and p.kind is not t.PlaceKind.PORT]
        spots = [paper.to_xy(place.latitude, place.longitude) for place in sea]
        near = [(mark.x, mark.y) for mark in fleets if mark.zone == zone]
        spots.sort(key=lambda spot: min((spot[0] - x) ** 2 + (spot[1] - y) ** 2 for x, y in near))
        marks.append(
            WindMark(
                zone_name(zone),
                now["wind_from"],
                now["strength"],
                now["visibility"],
                spots=tuple((round(x, 1), round(y, 1)) for x, y in spots),
            )
        )
    return tuple(marks)
