"""The score of a campaign: points for ships, convoys, ports and objectives, each with what it was given for. Rules: G.VP1, G.OB2.

Reckoned from the events of the chart alone, so that a turn that was rolled back leaves nothing behind. Points are exact fractions in
the rule set's own value of a ship.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from campaign.rules.aims.marks import in_points
from campaign.rules.chart.types import Settings

TAKEN, LOST_TO_ENEMY, DESTROYED, LOST, CONVOY, PORTS, PORT_TAKEN, RAID, MEN_LOST, OBJECTIVE, SHIPPING = (
    "taken", "lost to the enemy", "destroyed", "lost", "convoy", "ports", "port taken", "raid", "men lost at sea", "objective",
    "shipping",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Point:
    """Points of a side and what for. subject: code of a ship, fleet or place, id of an objective, "" for none. hour: of the chart.

    battle: its code or "". words: of an objective.
    """

    side: str
    points: Fraction
    reason: str
    subject: str
    hour: int
    battle: str = ""
    words: str = ""


def points_of(
    events: Iterable[tuple[int, str, Mapping[str, Any]]],
    worth: Mapping[str, Fraction],
    settings: Settings,
    mark: int = 0,
) -> Iterator[Point]:
    """Points of chart events, in their order. events: (hour, kind, data); worth: value of a sound ship, by code; mark: points of one.

    Rules: G.VP1, G.LD1, G.LD4, G.LD5, G.NC1, G.NC2, G.OB2.

    A capture gives her value to the captor and takes it from who had her; so does a prize that comes back or is let go. A ship
    destroyed in battle gives it to the sides that fought against her, and one burnt in port to who did it; one lost to the sea or
    the shore costs her own side alone. Merchantmen that raiders take or sink count for them, and against the side that owned them.
    Ports taken, raids, objectives and soldiers lost at sea are paid in marks.
    """
    fought: dict[str, tuple[str, ...]] = {}
    for hour, kind, data in events:
        battle = str(data.get("battle", ""))
        if kind == "battle":
            fought[battle] = tuple(sorted(data["fleets"]))
        elif kind in ("captured", "retaken", "let_go") or (kind == "rose" and data["won"]):
            value = worth.get(data["ship"], Fraction(0))
            yield Point(data["captor"], value, TAKEN, data["ship"], hour, battle)
            yield Point(data["side"], -value, LOST_TO_ENEMY, data["ship"], hour, battle)
        elif kind == "lost":
            value = worth.get(data["ship"], Fraction(0))
            yield Point(data["side"], -value, LOST, data["ship"], hour, battle)
            for side in fought.get(battle, (data["by"],) if data.get("by") else ()):
                if side != data["side"]:
                    yield Point(side, value, DESTROYED, data["ship"], hour, battle)
        elif kind == "port_taken":
            yield Point(data["side"], in_points(data["marks"], mark), PORT_TAKEN, data["place"], hour)
            if data["loser"]:
                yield Point(data["loser"], -in_points(data["marks"], mark), PORT_TAKEN, data["place"], hour)
        elif kind == "raided" and data["result"] != "none":
            yield Point(data["side"], in_points(data["marks"], mark), RAID, data["place"], hour)
        elif kind in ("shipping_taken", "shipping_lost"):
            gained = Fraction(data["points"]) * (1 if kind == "shipping_taken" else -1)
            yield Point(data["side"], gained, SHIPPING, data["place"], hour)
        elif kind == "soldiers_lost":
            yield Point(data["side"], -in_points(data["marks"], mark), MEN_LOST, data["ship"], hour)
        elif kind == "convoy_delivered":
            share = Fraction(settings.convoy_percent, 100)
            yield Point(data["side"], Fraction(data["value"]) * share, CONVOY, data["fleet"], hour)
        elif kind in ("objective_achieved", "objective_paid") and data["marks"]:
            points = in_points(data["marks"], mark) * Fraction(settings.objective_percent, 100)
            yield Point(data["side"], points, OBJECTIVE, data["objective"], hour, words=data["words"])


def port_points(ports: Mapping[str, int], hour: int, settings: Settings) -> Iterator[Point]:
    """Points for the dockyard ports that sides hold now. ports: how many, by side. Rule: G.VP1."""
    for side in sorted(ports):
        points = Fraction(settings.port_points * ports[side])
        if points:
            yield Point(side, points, PORTS, "", hour)


def totals(points: Iterable[Point]) -> dict[str, Fraction]:
    """Sum by side."""
    found: dict[str, Fraction] = {}
    for point in points:
        found[point.side] = found.get(point.side, Fraction(0)) + point.points
    return found


def decided(sums: Mapping[str, Fraction], settings: Settings) -> str:
    """The side that has won by points, "" while none has: it has the points of the setting, and more than any other. Rule: G.EN1."""
    if not settings.end_points or not sums:
        return ""
    best = max(sorted(sums), key=lambda side: sums[side])
    alone = sum(points == sums[best] for points in sums.values()) == 1
    return best if alone and sums[best] >= settings.end_points else ""
