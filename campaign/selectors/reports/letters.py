"""A turn's report as a letter: what an email tells first, battles with their losses by name, and how old the sightings are.

Made from a report of `campaign.selectors.reports.reports`, so it holds nothing that its reader may not know. Rule: G.IN1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaign.accounts import listed
from campaign.accounts.digest.numbers import number_in_words, several
from campaign.accounts.words import scene, scenes_listed, side_name
from campaign.calendar import chart_time, spoken
from campaign.models import Side, Turn
from campaign.rules.state.events import EVENT_KINDS
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.chart.letter_parts import sections_of, sightings_told
from campaign.selectors.people.knowing import Ken
from campaign.selectors.reports.reports import Known, known_of
from campaign.selectors.turn.facts import pure_theatre

HOURS_A_DAY = 24


def letter(
    turn: Turn,
    side: Side | None,
    report: Mapping[str, Any],
    ken: Ken | None = None,
    known: Known | None = None,
) -> dict[str, Any]:
    """A report in the shape of a letter: `headline`, `summary`, `begins`, `ends`, `battles`, `losses`, `sections`, `fleets`, `sightings`.

    side: the reader's, None for the umpire. report: that side's, of the same turn, made with the same ken. known: the reader's, where it
    has been read. Each of battles: {"code", "when", "where", "result",
    "losses": [{"side", "own", "fates": [{"fate", "ships"}]}]}, code being that of the battle's page or None.
    """
    events, names = known or known_of(turn, side, ken)
    end = HOURS_A_DAY * (turn.first_day + turn.days_run)
    battles = _battles(turn, side, events, report, names)
    fold = settings_from(turn.campaign.settings).fold_hours
    fresh = [row for row in report["sightings"] if end - row["hour"] <= fold]
    sightings, left = sightings_told(_aged(fresh, end))
    return {
        "headline": headline(battles, report["sightings"], own=side is not None),
        "summary": summary(report, len(battles), own=side is not None),
        "begins": spoken(chart_time(turn.campaign.start_date, HOURS_A_DAY * turn.first_day)),
        "ends": spoken(chart_time(turn.campaign.start_date, end)),
        "battles": battles,
        "losses": losses_of(None, side, events, names),
        "sections": sections_of(report["days"]),
        "fleets": sorted(report["fleets"], key=lambda fleet: -fleet["ships"]),
        "sightings": sightings,
        "sightings_left": left + len(report["sightings"]) - len(fresh),
    }


def headline(battles: list[dict[str, Any]], sightings: list[Any], *, own: bool) -> str:
    """What happened, in the words of a subject line: "battle off the Galloper", "enemy sighted", "no sightings".

    own: whether the reader has a side, and so an enemy.
    """
    if battles:
        places = list(dict.fromkeys(row["where"] for row in battles))
        where = f" {scenes_listed(places)}" if len(places) < 3 and all(places) else ""
        count = "battle" if len(battles) == 1 else several(len(battles), "battle")
        return f"{count}{where}"
    if own:
        return "enemy sighted" if sightings else "no enemy seen"
    if not sightings:
        return "no sightings"
    return "contact sighted" if len(sightings) == 1 else "contacts sighted"


def summary(report: Mapping[str, Any], battles: int, *, own: bool) -> str:
    """The turn in a sentence or two. own: whether the reader has a side."""
    fought = {0: "There was no battle.", 1: "There was one battle."}.get(
        battles, f"There were {several(battles, 'battle')}."
    )
    lost, taken = len(report["lost"]), len(report["taken"])
    if not battles and not lost and not taken:
        seen = len(report["sightings"])
        sighted = (
            "nothing was sighted" if not seen else f"{seen} contact{'s were' if seen > 1 else ' was'} sighted"
        )
        return f"There was no battle; {sighted}."
    if own:
        took = number_in_words(taken) if taken else "none"
        return f"{fought} You lost {several(lost, 'ship')} and took {took}."
    were = "was" if lost == 1 else "were"
    if not lost and not taken:
        return f"{fought} No ships were destroyed or taken."
    took = {0: "none were taken", 1: "one was taken"}.get(taken, f"{number_in_words(taken)} were taken")
    return f"{fought} {several(lost, 'ship').capitalize()} {were} destroyed; {took}."


def age_in_words(hours: int) -> str:
    """How old a report is: "3 hours old", "2 days old"."""
    if hours < 1:
        return "just in"
    if hours < 2 * HOURS_A_DAY:
        return f"{hours} hour{'s' if hours > 1 else ''} old"
    days = hours // HOURS_A_DAY
    return f"{days} day{'s' if days > 1 else ''} old"


def _battles(
    turn: Turn,
    side: Side | None,
    events: list[list[Any]],
    report: Mapping[str, Any],
    names: Mapping[str, str],
) -> list[dict[str, Any]]:
    places = pure_theatre(turn.campaign.theatre).places
    known: list[str] = []
    scenes: dict[str, str] = {}
    for _, kind, _, _, data in events:
        code = data.get("battle")
        if code and code not in known:
            known.append(code)
        if code and kind == "battle":
            place = str(data.get("place", ""))
            scenes[code] = scene(places[place].name if place in places else place)
    pages = dict(turn.contacts.filter(code__in=known).values_list("code", "battle__code"))
    # the report gives its battles in the same order: that of their first event
    rows = zip(known, report["battles"], strict=True)
    return [
        {
            "code": pages.get(code),
            "when": f"{row['date']}, {row['time']}",
            "where": scenes.get(code, ""),
            "result": row["result"],
            "losses": losses_of(code, side, events, names),
        }
        for code, row in rows
    ]


def losses_of(
    battle: str | None, side: Side | None, events: list[list[Any]], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """A battle's losses by side, the reader's own first, and by fate; for None those that no battle cost."""
    sides: dict[str, dict[str, list[str]]] = {}
    for _, kind, _, _, data in events:
        if not EVENT_KINDS[kind].fate or data.get("battle") != battle:
            continue
        owner = str(data.get("side", ""))
        ships = sides.setdefault(owner, {}).setdefault(_fate(kind, data, names), [])
        ships += [names.get(str(code), "a ship") for code in data.get("ships") or [data.get("ship")]]
    own = side.code if side is not None else ""
    return [
        {
            "side": names.get(code, "The enemy"),
            "own": code == own,
            "fates": [{"fate": fate, "ships": listed(ships)} for fate, ships in fates.items()],
        }
        for code, fates in sorted(sides.items(), key=lambda row: (row[0] != own, row[0]))
    ]


def _fate(kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if kind == "lost":
        return str(data.get("fate") or "lost")
    captor = side_name(data.get("captor"), names)
    return f"retaken by {captor}" if kind == "retaken" else f"taken by {captor}"


def _aged(rows: Iterable[Mapping[str, Any]], end: int) -> list[dict[str, Any]]:
    """Contacts with the age of their last reports at the turn's end, newest first. Rule: G.SI3."""
    newest = sorted(rows, key=lambda row: -row["hour"])
    return [{**row, "age": age_in_words(end - row["hour"])} for row in newest]
