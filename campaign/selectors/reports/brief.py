"""The head of a turn's report: what changed for its reader, and what they have to decide, each with the page where they do.

What changed is gathered from the events that they know (`campaign.accounts.digest`); the report below has every one. Rules: G.IN1, G.IN4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from battles.engine.core.telling import the_fleet
from campaign.accounts import sentence
from campaign.accounts.digest import (
    ashore,
    captures,
    chases,
    costs,
    one_by_one,
    several,
    storms,
)
from campaign.accounts.words import Names, agreeing, counted, listed, opening, scene
from campaign.models import Campaign, Order, Side, Turn
from campaign.rules.contact.contact import MIDDLES
from campaign.rules.state.economy import Stage
from campaign.rules.state.events import EVENT_KINDS
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.knowing import Ken
from campaign.selectors.reports.reports import Known, known_of
from campaign.selectors.reports.score import worths
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.ongoing import ongoing_battles

# A head fits a phone's screen: so many lines in each part, and so many battles among them.
MOST_LINES, MOST_BATTLES = 8, 4
HOURS_A_DAY = 24
OBJECTIVES = frozenset({"objective_achieved", "objective_paid"})


class Line(NamedTuple):
    """A line of the head. page: name of the address that it leads to, "" for none; argument: of that address beside the campaign."""

    text: str
    page: str = ""
    argument: str = ""
    link: str = ""


class Brief(NamedTuple):
    """The head of a report. more: lines of what changed that are left to the report."""

    changes: tuple[Line, ...]
    more: int
    decisions: tuple[Line, ...]


def brief_of(
    turn: Turn,
    following: Turn | None,
    side: Side | None,
    report: Mapping[str, Any],
    ken: Ken | None = None,
    known: Known | None = None,
) -> Brief:
    """The head of a report for one reader.

    following: the turn that is open for orders now, None when there is nothing to decide. side: the reader's, None for the umpire.
    report: that side's, of the same turn, made with the same ken. known: the reader's, where it has been read.
    """
    events, names = known or known_of(turn, side, ken)
    changes = [
        *_battles(turn, side, events, names),
        *_objectives(events, names),
        *_rest(turn, events, names),
        *_contacts(turn, report),
    ]
    decisions = (
        _decisions(turn, following, side, events, names, report, ken)
        if side is not None and following is not None and turn.campaign.status != Campaign.Status.CLOSED
        else []
    )
    return Brief(
        tuple(changes[:MOST_LINES]), max(0, len(changes) - MOST_LINES), tuple(decisions[:MOST_LINES])
    )


def _objectives(events: Sequence[list[Any]], names: Names) -> list[Line]:
    """Objectives that were achieved, and what others were paid, each in one line. Rules: G.OB1, G.OB2."""
    found: dict[tuple[str, str], list[Any]] = {}
    for event in events:
        if event[1] in OBJECTIVES:
            data = event[4]
            first = found.setdefault((event[1], data["objective"]), [*event[:4], {**data, "marks": 0}])
            first[4]["marks"] += data["marks"]
    return [
        Line(sentence(event, names), "objectives", "", "Objectives")
        for _, event in sorted(found.items(), key=lambda row: row[0][0])
    ]


def _battles(turn: Turn, side: Side | None, events: Sequence[list[Any]], names: Names) -> list[Line]:
    """What each battle cost, of the first of them; the others counted."""
    begun = [event for event in events if event[1] == "battle"]
    places = pure_theatre(turn.campaign.theatre).places
    own = side.code if side is not None else ""
    lines = []
    for event in begun[:MOST_BATTLES]:
        code, place = event[4]["battle"], str(event[4].get("place", ""))
        parts = [row for row in events if row[4].get("battle") == code]
        over = any(row[1] == "battle_ended" for row in parts)
        where = scene(places[place].name if place in places else place)
        told = costs(parts, names, own) if over else "it is not decided yet"
        lines.append(Line(f"{told}.", "battle", turn.battle_code(code), f"Battle {where}".strip()))
    if len(begun) > MOST_BATTLES:
        lines.append(Line(f"{opening(several(len(begun) - MOST_BATTLES, 'more battle'))}."))
    return lines


def _worth(campaign: Campaign, events: Sequence[list[Any]]) -> Any:
    value = worths(campaign, {str(event[4]["ship"]) for event in events if event[4].get("ship")})
    return lambda code: value.get(code, 0)


def _rest(turn: Turn, events: Sequence[list[Any]], names: Names) -> list[Line]:
    """What happened besides battles: convoys, ports and the like one by one, gales, chases and yards gathered into a line each."""
    rest = [
        event
        for event in events
        if not EVENT_KINDS[event[1]].routine and event[1] not in OBJECTIVES and not event[4].get("battle")
    ]
    value = _worth(turn.campaign, rest)
    parts = [storms(rest, names, value), chases(rest, names), ashore(rest, names, value)]
    gathered = [Line(" ".join(part)) for part in parts if part]
    told = [*captures(rest, names, value), *one_by_one(rest, names)]
    return [*map(Line, told), *gathered]


def _contacts(turn: Turn, report: Mapping[str, Any]) -> list[Line]:
    """How many contacts are news as the turn ends, and the greatest. Rule: G.IG2."""
    end = HOURS_A_DAY * (turn.first_day + turn.days_run)
    fold = settings_from(turn.campaign.settings).fold_hours
    rows = [row for row in report["sightings"] if end - row["hour"] <= fold]
    if not rows:
        return []
    greatest = max(rows, key=lambda row: (MIDDLES[row["band"]], row["hour"]))
    told = f"{several(len(rows), 'contact')} in the last {fold} hours"
    which = ":" if len(rows) == 1 else ". The largest:"
    return [Line(f"{told}{which} {greatest['sail']}, at {greatest['where']}.", "sightings", "", "Sightings")]


def _decisions(
    turn: Turn,
    following: Turn,
    side: Side,
    events: Sequence[list[Any]],
    names: Names,
    report: Mapping[str, Any],
    ken: Ken | None,
) -> list[Line]:
    """What waits for the reader: refused orders first, then fleets without any, battles, prizes, ships to be repaired."""
    campaign, fleets = turn.campaign, {row["code"]: row for row in report["fleets"]}
    lines = []
    for _, kind, _, _, data in events:
        reasons = " ".join(str(fault[2]) for fault in data.get("faults", ()))
        if kind == "order_refused" and data["fleet"] in fleets:
            fleet = str(data["fleet"])
            lines.append(
                Line(
                    f"The orders of {the_fleet(names.get(fleet, 'a fleet'))} were refused. {reasons}",
                    "orders",
                    fleet,
                    "Orders",
                )
            )
        elif kind == "side_order_refused":
            lines.append(Line(f"Shore orders were refused. {reasons}", "dockyards", "", "Dockyards"))
    lines += _idle(following, fleets, {event[4].get("fleet") for event in events if event[1] == "arrived"})
    held = {row["held"] for row in fleets.values() if row["held"]}
    for battle in ongoing_battles(campaign, held).values():
        lines.append(Line(f"{battle.title} is not decided yet.", "battle", battle.code, "Battle"))
    if ken is None or ken.membership.chief:
        lines += _shore(campaign, side, fleets)
    return lines


def _idle(following: Turn, fleets: Mapping[str, Mapping[str, Any]], arrived: set[Any]) -> list[Line]:
    """The fleets that have ended their routes in this turn and have nothing more to do."""
    there = [code for code in arrived if code in fleets]
    rows = Order.objects.filter(turn=following, fleet__code__in=there, route=[], on_arrival="anchor")
    codes = sorted(
        rows.values_list("fleet__code", flat=True), key=lambda code: (-fleets[code]["ships"], code)
    )
    return [
        Line(
            _ended(fleets[code]),
            "orders",
            code,
            "Orders",
        )
        for code in codes
    ]


def _ended(fleet: Mapping[str, Any]) -> str:
    name = opening(the_fleet(str(fleet["name"])))
    return agreeing(
        f"{name} has reached the end of its route {fleet['place']} and has no further orders.", [name]
    )


def _shore(campaign: Campaign, side: Side, fleets: Mapping[str, Mapping[str, Any]]) -> list[Line]:
    """Condemned prizes, and hurt ships in own ports that no yard has in its books. Rules: G.PR4, G.RP2."""
    documents = Campaign.objects.filter(pk=campaign.pk).values_list(
        "carried__economy__prizes", "carried__economy__jobs"
    )
    prizes, jobs = documents.get()
    lines = []
    waiting = sum(
        row["captor"] == side.code and row["stage"] == Stage.CONDEMNED.value for row in prizes or ()
    )
    if waiting:
        number = opening(several(waiting, "prize"))
        lines.append(
            Line(
                f"{number} {'has' if waiting == 1 else 'have'} been condemned. Decide whether to buy or sell.",
                "prizes",
                "",
                "Prizes",
            )
        )
    booked = {row["ship"] for row in jobs or ()}
    ports = {row["place"]: len({*row["hurt"]} - booked) for row in fleets.values() if row["own_port"]}
    hurt = {place: number for place, number in ports.items() if number}
    if hurt:
        first, *rest = sorted(hurt.items())
        ships = [
            f"{counted(first[1], 'damaged ship')} {first[0]}",
            *(f"{number} {place}" for place, number in rest),
        ]
        text = f"{listed(ships)} {'is' if sum(hurt.values()) == 1 else 'are'} not in a yard."
        lines.append(Line(text, "dockyards", "", "Dockyards"))
    return lines
