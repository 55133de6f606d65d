"""A Thomas card drawn for play: flotation in quarters, crew, masts, batteries group by group. Rules: section 11, T.S2-T.S9, TS-9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template

from battles.engine.rulesets.thomas.tables import REACH, Arc, Gun, Kind
from fleets.selectors.ships import guns_listed

register = template.Library()

# What meeting the end of each quarter does. Rules: TS-9, T.B5, T.B9c.
_COSTS = ("a mast on 1–3", "a mast on 1–3", "a mast falls", "sinks")
_QUARTERS = ("First", "Second", "Third", "Last")
_KINDS = {
    Kind.LINE: "ship of the line",
    Kind.FIFTY: "50-gun ship",
    Kind.FRIGATE: "frigate",
    Kind.SMALL: "small warship",
    Kind.MERCHANT: "merchantman",
    Kind.GALLEON: "galleon",
    Kind.GALLEASSE: "galleasse",
    Kind.GALLEY: "galley",
    Kind.AUXILIARY: "auxiliary with oars",
    Kind.PINNACE: "pinnace",
}
_ARCS = {
    Arc.PORT: "Port",
    Arc.STARBOARD: "Starboard",
    Arc.AHEAD: "Ahead",
    Arc.ASTERN: "Astern",
}


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter of the flotation. boxes: whether each point is lost. cost: what its end brings. words: for screen readers."""

    boxes: tuple[bool, ...]
    cost: str
    state: str
    words: str


@dataclass(frozen=True, slots=True)
class Group:
    """Batteries of a side or an end, by type of gun: (half, lost) each. words: for screen readers."""

    name: str
    cells: tuple[tuple[tuple[bool, bool], ...], ...]
    words: str


@register.simple_tag
def quarters(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[Quarter]:
    """Flotation in four rows, crossed off as far as the condition says; a row ends where its threshold is met. Rule: TS-9."""
    whole = card["flot_max"]
    lost = whole - condition["flot"] if condition else 0
    found, start = [], 0
    for n, cost in enumerate(_COSTS, start=1):
        end = -(-n * whole // 4)
        boxes = tuple(point < lost for point in range(start, end))
        gone = sum(boxes)
        state = "lost" if boxes and gone == len(boxes) else "present" if lost >= start else "ahead"
        words = f"{_QUARTERS[n - 1]} quarter: {gone} of {len(boxes)} lost"
        if boxes:
            found.append(Quarter(boxes, cost, state, words))
        start = end
    return found


@register.simple_tag
def groups(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[Group]:
    """Batteries by where they point, those that are lost crossed off. Rules: T.S4a, T.S5, T.B11."""
    gone = set(condition["batteries_lost"]) if condition else set()
    found = []
    for arc, name in _ARCS.items():
        mine = [(n, gun, half) for n, (gun, at, half) in enumerate(card["batteries"]) if at == arc.value]
        if not mine:
            continue
        cells = tuple(tuple((half, n in gone) for n, gun, half in mine if gun == kind.value) for kind in Gun)
        words = "; ".join(
            f"{len(cell)} {kind.value}" + (f", {lost} lost" if (lost := sum(out for _, out in cell)) else "")
            for kind, cell in zip(Gun, cells, strict=True)
            if cell
        )
        found.append(Group(name, cells, words))
    return found


@register.simple_tag
def gun_types() -> list[tuple[str, str]]:
    """The types of battery, each with how far it reaches: close, and the furthest where that is farther. Rules: T.S6, TS-4."""
    return [(gun.value.capitalize(), _reach(*REACH[gun])) for gun in Gun]


def _reach(close: int, most: int) -> str:
    return f"{close // 1000} in" if close == most else f"{close // 1000}, {most // 1000} in"


@register.simple_tag
def masts(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[bool]:
    """Her masts, True for one that is gone. Rule: T.B5d."""
    lost = condition["masts_lost"] if condition else 0
    return [n < lost for n in range(card["masts"])]


@register.simple_tag
def crew_points(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> str:
    """Crew left of the full crew, halves written as such. Rules: T.S2, T.O5."""
    if not condition:
        return f"{card['crew_max']}"
    return f"{_points(condition['crew_halves'])} of {card['crew_max']}"


@register.simple_tag
def aboard_besides(condition: Mapping[str, Any] | None) -> list[str]:
    """Prize crew and captives, in words. Rules: T.O6g, T.O6l."""
    told = (("guard_halves", "prize crew"), ("captive_halves", "captives"))
    return [f"{word} {_points(condition[name])}" for name, word in told if condition and condition[name]]


def _points(halves: int) -> str:
    return f"{halves // 2 or ''}½" if halves % 2 else f"{halves // 2}"


@register.simple_tag
def sails(card: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How far the ship goes and how sharply it turns, under sail and under oars. Rules: T.S8, T.S9, T.O4a."""
    rows = [("Under sail", _moves(card["speed"], card["turn"]))]
    if card["oar_speed"]:
        rows.append(("Under oars", _moves(card["oar_speed"], card["oar_turn"])))
    return rows


def _moves(speed: int, turn: int) -> str:
    return f"{speed / 1000:g} in, turns {turn / 100:g}°"


@register.simple_tag
def traits(card: Mapping[str, Any], condition: Mapping[str, Any] | None) -> list[str]:
    """What the ship is, in words: kind, tons, year, depth, and the marks of its history."""
    found = [_KINDS[Kind(card["kind"])], f"{card['tons']:,} tons"]
    if card["deep"]:
        found.append("deep draught")
    if condition and condition["dishonoured"]:
        found.append("dishonoured")
    if condition and condition["jury_used"]:
        found.append("jury mast used")
    return found


register.filter(guns_listed)
