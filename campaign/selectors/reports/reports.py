"""What a side learned of a turn, as pages, emails and the demo's account show it. Only that side's report rows are read. Rule: G.IN1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from campaign.accounts import EVERY_SIDE, period_names, sentence
from campaign.calendar import moment
from campaign.models import Campaign, Membership, Side, Station, Turn
from campaign.rules.chart import types as t
from campaign.rules.contact.staff import told_once
from campaign.rules.state.events import EVENT_KINDS
from campaign.selectors.chart.contacts import contacts_of, report_row
from campaign.selectors.orders.condition import HullRow, hull_rows, hulls_in_words
from campaign.selectors.people.knowing import Ken, ken_of, turn_events
from campaign.selectors.sea.places import place_in_words
from campaign.selectors.turn.facts import pure_theatre
from fleets.selectors.ships import men_afloat

Event = list[Any]
MOST_ENTRIES = 6  # of the newest report, where it is shown beside other things
_SHIP_KEYS = ("ship", "captor_ship", "towed")
_SHIP_LISTS = ("ships", "foundered")


class Known(NamedTuple):
    """A reader's events of a turn, and the names by code that go with them. Read once for all parts of a report."""

    events: list[Event]
    names: dict[str, str]


def known_of(turn: Turn, side: Side | None, ken: Ken | None = None) -> Known:
    """What a side's reader knows of a turn; the umpire for no side. Rules: G.IN1, G.IN4."""
    events = turn_events(turn, side, ken)
    campaign = turn.campaign
    return Known(events, side_names(campaign, side, events) if side is not None else all_names(campaign))


def side_report(turn: Turn, side: Side, ken: Ken | None = None, known: Known | None = None) -> dict[str, Any]:
    """A side's report of a turn: days with entries, own fleets, sightings, battles, ships lost and taken by name.

    Days: {"date", "entries": [{"time", "text", "kind", "clause", "battle"}]}, battle being the code of a battle page or None.
    Fleets stand where the turn left them while no later turn has been run. ken: what limits the reader's knowledge of his own
    side, where it is played by ship. known: the reader's, where it has been read. Rules: G.IN1, G.IN4.
    """
    events, names = known or known_of(turn, side, ken)
    return _report(turn, side, events, names, ken)


def umpire_report(turn: Turn, known: Known | None = None) -> dict[str, Any]:
    """Everything that happened in a turn, of every side, in the shape of `side_report`. For the umpire alone."""
    events, names = known or known_of(turn, None)
    return _report(turn, None, events, names)


def _report(
    turn: Turn, side: Side | None, events: list[Event], names: dict[str, str], ken: Ken | None = None
) -> dict[str, Any]:
    campaign = turn.campaign
    own = side.code if side is not None else ""
    return {
        "days": _days(turn, events, names),
        "fleets": fleet_lines(campaign, side, ken),
        "sightings": _sightings(turn, side, names, ken),
        "battles": _battles(turn, events, names),
        "lost": [_named(e, names) for e in events if _is_lost(e, own)],
        "taken": [
            _named(e, names) for e in events if e[1] == "captured" and (not own or e[4]["captor"] == own)
        ],
    }


def _is_lost(event: Event, own: str) -> bool:
    """Whether an event tells of a ship that a side has no longer; for the umpire, whom nothing belongs to, ships destroyed."""
    _, kind, _, _, data = event
    if not own:
        return kind == "lost"
    return kind in ("lost", "captured") and data.get("side") == own


def _named(event: Event, names: dict[str, str]) -> str:
    return names.get(str(event[4].get("ship")), "a ship")


def side_names(campaign: Campaign, side: Side, events: Iterable[Event]) -> dict[str, str]:
    """Names by code that a side may know: places, sides, its own fleets, and ships that its own report speaks of. Rule: G.IN1."""
    return told_names(campaign, events) | dict(side.navy.fleets.values_list("code", "name"))


def _ships_told_of(data: Mapping[str, Any]) -> Iterator[str]:
    """Codes of the ships that an event speaks of."""
    yield from (str(data[key]) for key in _SHIP_KEYS if data.get(key))
    for key in _SHIP_LISTS:
        yield from data.get(key, ())
    yield from (row[0] for row in data.get("thrown", ()))


def told_names(campaign: Campaign, events: Iterable[Event]) -> dict[str, str]:
    """Names by code for events that everyone may know: places, sides, and the ships that they speak of, but no fleet's."""
    told = {code for event in events for code in _ships_told_of(event[4])}
    return public_names(campaign) | dict(
        campaign.book.ships.filter(code__in=told).values_list("code", "name")
    )


def all_names(campaign: Campaign) -> dict[str, str]:
    """Names by code of everything, for the umpire."""
    names = {**public_names(campaign), EVERY_SIDE: "all"}
    stations = Station.objects.filter(fleet__navy__book=campaign.book_id)
    names |= dict(stations.values_list("fleet__code", "fleet__name"))
    names |= dict(campaign.book.ships.values_list("code", "name"))
    return names


def public_names(campaign: Campaign) -> dict[str, str]:
    """Names by code that everyone knows: places and sides."""
    places = pure_theatre(campaign.theatre).places
    names = {code: place.name for code, place in places.items()}
    names |= dict(campaign.sides.values_list("navy__code", "name"))
    return names | period_names(campaign.theatre.document)


def _days(turn: Turn, events: list[Event], names: dict[str, str]) -> list[dict[str, Any]]:
    days: list[dict[str, Any]] = []
    for event in told_once(events):
        hour, kind, clause, _, data = event
        at = moment(turn.campaign.start_date, hour)
        date = day_in_words(at)
        if not days or days[-1]["date"] != date:
            days.append({"date": date, "entries": []})
        days[-1]["entries"].append(
            {
                "time": f"{at:%H:%M}",
                "text": sentence(event, names),
                "kind": kind,
                "clause": clause,
                "battle": turn.battle_code(data["battle"]) if data.get("battle") else None,
            }
        )
    return days


def day_in_words(at: datetime) -> str:
    """1 June 1666."""
    return f"{at.day} {at:%B} {at.year}"


def fleet_lines(campaign: Campaign, side: Side | None, ken: Ken | None = None) -> list[dict[str, Any]]:
    """A side's fleets as they stand now: name, place in words, ships, men, state, codes of hurt ships, the battle that holds it.

    Every side's for the umpire. ken: limits them to those that an admiral sees where it is played by ship. Rules: G.IN1, G.IN4.
    """
    stations = Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False)
    if side is not None:
        stations = stations.filter(fleet__navy=side.navy_id)
    if ken is not None:
        stations = stations.filter(fleet__code__in=ken.fleets)
    rows = list(stations.select_related("fleet__navy").order_by("fleet__navy__code", "fleet__code"))
    theatre, men = pure_theatre(campaign.theatre), men_afloat(row.fleet_id for row in rows)
    ships: dict[int, list[HullRow]] = {row.fleet_id: [] for row in rows}
    for ship in hull_rows(
        campaign.book.rule_set, campaign.book.ships.filter(fate="afloat", squadron__fleet__in=[*ships])
    ):
        ships[ship.fleet].append(ship)
    nations = side.nations if side is not None else ()
    return [
        {
            "code": row.fleet.code,
            "name": row.fleet.name,
            "place": place_in_words(theatre, t.Position(row.at, row.to, row.run)),
            "own_port": not row.to
            and theatre.places[row.at].kind is t.PlaceKind.PORT
            and theatre.places[row.at].owner in nations,
            "ships": len(ships[row.fleet_id]),
            "men": men.get(row.fleet_id, 0),
            "state": hulls_in_words(ship.hull for ship in ships[row.fleet_id]),
            "held": row.held_by,
            "hurt": tuple(ship.code for ship in ships[row.fleet_id] if ship.hull < 100),
        }
        for row in rows
    ]


def _sightings(
    turn: Turn, side: Side | None, names: dict[str, str], ken: Ken | None = None
) -> list[dict[str, Any]]:
    """The contacts of the turn, each with its last report. Whose fleet it was is never read. Rules: G.SI2, G.SI3, G.IG2."""
    reports = turn.sightings.as_told().select_related("side").order_by("hour", "pk")
    if side is not None:
        reports = reports.filter(side=side)
    start, places = turn.campaign.start_date, pure_theatre(turn.campaign.theatre).places
    return [report_row(contact, start, names, places) for contact in contacts_of(reports, ken)]


def _battles(turn: Turn, events: list[Event], names: dict[str, str]) -> list[dict[str, Any]]:
    """Battles that the events tell of, each with its result and its losses by name."""
    battles: dict[str, dict[str, Any]] = {}
    for event in events:
        hour, kind, _, _, data = event
        code = data.get("battle")
        if not code:
            continue
        at = moment(turn.campaign.start_date, hour)
        row = battles.setdefault(
            code,
            {
                "code": turn.battle_code(code),
                "date": day_in_words(at),
                "time": f"{at:%H:%M}",
                "place": "",
                "opening": "",
                "result": "",
                "losses": [],
            },
        )
        if kind == "battle":
            place = str(data.get("place", ""))
            row |= {"place": names.get(place, place), "opening": sentence(event, names)}
        elif kind == "battle_ended":
            row["result"] = sentence(event, names)
        elif EVENT_KINDS[kind].fate:
            row["losses"].append(sentence(event, names))
    return list(battles.values())


def last_report(campaign: Campaign, membership: Membership) -> dict[str, Any] | None:
    """The number and the weightiest entries of the newest report that a member may read; None before the first turn is over."""
    turns = campaign.turns.filter(phase=Turn.Phase.CLOSED)
    turn = turns.order_by("-number").first()
    if turn is None or membership.role == Membership.Role.OBSERVER:
        return None
    side = membership.side
    known = told_once(turn_events(turn, side, ken_of(membership)))
    scenes = {e[4]["battle"]: e[4].get("place") for e in known if e[1] == "battle"}
    # the end of a battle is told apart from its beginning here, so it says which battle
    events = [
        [*e[:4], e[4] | {"place": scenes.get(e[4]["battle"])}] if e[1] == "battle_ended" else e
        for e in known
        if EVENT_KINDS[e[1]].weighty
    ]
    names = side_names(campaign, side, events) if side is not None else all_names(campaign)
    # what was seen last is of more use than what was seen first, and both of less than what came of it
    chosen = sorted(range(len(events)), key=lambda n: (events[n][1] == "sighted", -n))[:MOST_ENTRIES]
    shown = [events[n] for n in sorted(chosen)]
    return {"turn": turn, "days": _days(turn, shown, names), "more": len(events) - len(shown)}
