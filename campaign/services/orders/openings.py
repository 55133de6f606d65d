"""Opening positions: where the fleets of a theatre lay when its war is taken up, who led them, and what they had been told.

An opening is a file of `campaign/data/openings`, named after its code. A theatre may have several: the one with the theatre's own code
is what a campaign begins with unless another is chosen. An opening of another day has its own `title` and `start_date`, and `owners` of
ports that have changed hands by then. A fleet's `squadrons` are names of the register's, or {"name", "ships"} where
the register has the ships of another day; `entries` changes fields of register entries (who was aboard on the first
day, or guns that the register does not know, which are marked as estimated), and `overrides` gives card figures by rule set and ship
type, where the register itself sets none. A side's `handicaps` are card figures of all its ships, by rule set; the opening's note gives
the reason. A side's `doctrine` holds for all its fleets, where their own instructions are silent. What
only some rule sets know, such as a torpedo attack by night, stands in a fleet's `orders` under `by_rules`: fields by rule set, which go
before the others.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from battles.engine.core.errors import Fault
from battles.engine.core.scenario import GUNS_ESTIMATED
from campaign.rules.calendar.deeds import CHANGEABLE
from campaign.rules.chart.types import Theatre

DATA = Path(__file__).resolve().parents[2] / "data"
SOURCE = "opening"


@dataclass(frozen=True, slots=True)
class FleetStart:
    """A fleet to begin with. place: code. entries: of the register, in the order of sailing. orders: fields of its first order.

    divisions: squadrons as someone composed them; None where the register's own are divided.
    """

    code: str
    name: str
    commander: str
    place: str
    entries: list[Any]
    orders: Mapping[str, Any] = field(default_factory=dict)
    divisions: Sequence[Any] | None = None


def opening_of(code: str) -> dict[str, Any]:
    """An opening by its code, {} when there is none. A theatre's first opening has the theatre's code."""
    path = DATA / "openings" / f"{code}.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def openings_of(theatre: str) -> dict[str, dict[str, Any]]:
    """The openings of a theatre by code: first the one with its own code, then the others by their first day."""
    codes = (path.stem for path in (DATA / "openings").glob("*.json"))
    found = {code: row for code in codes if (row := opening_of(code)).get("theatre") == theatre}
    order = sorted(found, key=lambda code: (code != theatre, found[code].get("start_date", ""), code))
    return {code: found[code] for code in order}


def sides_written(*, register: str, theatre: str) -> set[str]:
    """The sides of a register whose fleets an opening of a theatre knows."""
    return {
        plan.get("register_side", "")
        for opening in openings_of(theatre).values()
        if opening.get("register") == register
        for plan in opening["sides"].values()
    }


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """What a campaign can begin with: a theatre and an opening's code, "" for none; its title and first day."""

    theatre: str
    opening: str
    title: str
    date: str
    sides: tuple[str, ...]


def starting_points(theatre: Any) -> list[StartingPoint]:
    """The openings of a theatre row to choose from; the theatre alone where it has none."""
    return [starting_point(theatre, code) for code in openings_of(theatre.code) or ("",)]


def starting_point(theatre: Any, code: str) -> StartingPoint:
    """One of them. code: of an opening, "" for the theatre's first."""
    opening = opening_of(code)
    sides = tuple(row["name"] for row in theatre.document["sides"])
    return StartingPoint(
        theatre.code, code, opening.get("title", theatre.title), opening.get("start_date", theatre.start_date), sides,
    )  # fmt: skip


def opening_faults(*, theatre: Theatre, code: str, nations: Collection[str]) -> Iterator[Fault]:
    """What is wrong with the choice of an opening, and with the day and the owners of ports that it gives, by path.

    nations: of the sides. A theatre without openings is played without one.
    """
    choices = openings_of(theatre.code)
    if code and code not in choices and (choices or code != theatre.code):
        known = f"Choose from {', '.join(choices)}." if choices else "It has none."
        yield Fault("opening", f"{code!r} is not an opening of {theatre.title}. {known}")
        return
    opening = choices.get(code, {})
    day = opening.get("start_date", "")
    if "start_date" in opening and not _is_date(day):
        yield Fault("opening.start_date", f"{day!r} is not a date. Write it as YYYY-MM-DD.")
    for place, owner in opening.get("owners", {}).items():
        if place not in theatre.places:
            yield Fault(f"opening.owners.{place}", f"There is no place {place!r} on the chart.")
        elif owner not in nations:
            text = f"{owner!r} is not a nation of a side here. Choose from {', '.join(sorted(nations))}."
            yield Fault(f"opening.owners.{place}", text)


def _is_date(day: object) -> bool:
    try:
        return date.fromisoformat(str(day)).isoformat() == day
    except ValueError:
        return False


def as_written(opening: Mapping[str, Any], starts: Iterable[Any]) -> bool:
    """Whether every side starts with the ships for which an opening was written, or with none. starts: SideStarts. Rule: G.CH3."""
    plans = opening.get("sides", {})
    return all(
        (start.register.code, start.register_side)
        == (opening.get("register"), plans.get(start.side, {}).get("register_side", ""))
        for start in starts
    )


def card_figures(opening: str, rule_set: str, ship_type: str) -> Mapping[str, Any]:
    """The figures that an opening gives the cards of a ship type, {} for none. opening: its code."""
    found: Mapping[str, Any] = opening_of(opening).get("overrides", {}).get(rule_set, {}).get(ship_type, {})
    return found


def planned_fleets(
    *, opening: str, side: str, register: str, register_side: str, entries: Sequence[Any]
) -> list[FleetStart] | None:
    """A side's fleets by an opening; None when it has none for these ships. opening: its code. Rule: G.CH3."""
    document = opening_of(opening)
    plan = document.get("sides", {}).get(side, {})
    if document.get("register") != register or plan.get("register_side") != register_side:
        return None
    return [
        FleetStart(
            fleet["code"],
            fleet["name"],
            fleet["commander"],
            fleet["place"],
            handicapped(
                with_figures(_mustered(fleet, entries), document.get("overrides", {})),
                plan.get("handicaps", {}),
            ),
            _first_order(fleet.get("orders", {}), plan.get("doctrine", {})),
        )
        for fleet in plan["fleets"]
    ]


def _first_order(orders: Mapping[str, Any], doctrine: Mapping[str, Any]) -> dict[str, Any]:
    """A fleet's first order under the doctrine of its side, which its own goes before; {} when neither says anything. Rule: G.MV5."""
    if not doctrine:
        return dict(orders)
    own = orders.get("instructions", {})
    return {**orders, "instructions": {**own, "doctrine": {**doctrine, **own.get("doctrine", {})}}}


def orders_under(orders: Mapping[str, Any], rule_set: str) -> dict[str, Any]:
    """A fleet's first order as a rule set has it. Rule: G.MV2."""
    general = {key: value for key, value in orders.items() if key != "by_rules"}
    return {**general, **orders.get("by_rules", {}).get(rule_set, {})}


def with_figures(entries: list[Any], figures: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[Any]:
    """Entries with card figures of their ship types, by rule set; what is set for a ship itself stands."""
    for entry in entries:
        own = entry.overrides or {}
        entry.overrides = own | {
            rule_set: {**by_type.get(entry.ship_type, {}), **own.get(rule_set, {})}
            for rule_set, by_type in figures.items()
        }
    return entries


def handicapped(entries: list[Any], figures: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    """Entries with card figures of their side, by rule set; what is set for a ship itself, or for its type, stands. Rule: T.S31."""
    for entry in entries:
        own = entry.overrides or {}
        left = {rule_set: {**all_have, **own.get(rule_set, {})} for rule_set, all_have in figures.items()}
        entry.overrides = own | left
    return entries


def _mustered(fleet: Mapping[str, Any], entries: Sequence[Any]) -> list[Any]:
    """Register entries of a fleet, squadron by squadron; those that the opening changes are changed here and nowhere else."""
    by_name = {entry.name: entry for entry in entries}
    found = []
    for squadron in fleet["squadrons"]:
        if isinstance(squadron, str):
            found += [entry for entry in entries if entry.squadron == squadron]
            continue
        for name in squadron["ships"]:
            by_name[name].squadron = squadron["name"]
            by_name[name].division = ""
            found.append(by_name[name])
    entries_change(by_name, fleet.get("entries", {}))
    return found


def entries_change(by_name: Mapping[str, Any], changes: Mapping[str, Mapping[str, Any]]) -> None:
    """Change fields of register entries, which are not saved: who was aboard on the day, and figures of cards. changes: by ship."""
    for name, fields in changes.items():
        for field_name in CHANGEABLE:
            if field_name in fields:
                setattr(by_name[name], field_name, fields[field_name])
        if "guns" in fields:
            # No register has the figure: it is marked wherever it is shown.
            extra = by_name[name].extra or {}
            by_name[name].extra = {**extra, "tags": [*extra.get("tags", ()), GUNS_ESTIMATED]}
