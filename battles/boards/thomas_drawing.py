"""Drawing orders of a Thomas battle, made from its events one by one.

P ship x y heading [quarters left] (put) · M ship [x y heading ...] (sail a path) · R ship heading · F ship target group range hits
raked (0 or 1; group 0 port, 1 starboard, 2 ahead, 3 astern) · H ship quarters left · B ship alight · D ship masts · J ship (a jury
mast more) · K ship [reach of each group: close, far] · L ship other kind · U ship other · T tower towed · V tower towed (cast off) ·
O ship rowing · Y ship boats · I ship in-irons · N ship at-anchor · S ship struck · C ship side · X ship how · Z ship other killed
killed (a round of boarding) · W towards strength · E why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from battles.boards.drawn import Op
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.thomas.options import with_defaults
from battles.engine.rulesets.thomas.tables import REACH, Arc, Gun

Data = Mapping[str, Any]
GROUPS = (Arc.PORT, Arc.STARBOARD, Arc.AHEAD, Arc.ASTERN)


def reaches(batteries: Iterable[tuple[Gun, Arc]]) -> list[list[int]]:
    """How far the guns of each group reach, close and far, in the order of GROUPS; 0 where there are none. Rule: T.S6."""
    best = {arc: [0, 0] for arc in GROUPS}
    for gun, arc in batteries:
        close, far = REACH[gun]
        best[arc] = [max(best[arc][0], close), max(best[arc][1], far)]
    return [best[arc] for arc in GROUPS]


class Drawing:
    """Turns events into drawing orders, and remembers what the log leaves to be understood: lines, prizes' flags, batteries.

    number: place of each ship that the reader knows of; an event about another draws nothing.
    """

    def __init__(self, scenario: Scenario, number: Mapping[str, int]) -> None:
        self._number = number
        self._at_once = not with_defaults(scenario.options)["opt_surrender"]
        self._born = {ship.id: side.id for side, _, ship in scenario.ships()}
        self._flag = dict(self._born)
        self._anchored = {ship.id for _, _, ship in scenario.ships() if "anchored" in ship.facts.tags}
        self._placed = {ship.id for _, _, ship in scenario.ships() if ship.position is not None}
        self._fast: set[tuple[str, str]] = set()
        self._tows: set[tuple[str, str]] = set()
        self._batteries: dict[str, list[list[Any]]] = {}

    def ops(self, event: Event) -> list[Op]:
        """What an event draws; nothing for one that does not show on a table."""
        drawer = _DRAWN.get(event.kind)
        if drawer is None or (event.ship and event.ship not in self._number):
            return []
        return drawer(self, event.ship, event.data)

    def _n(self, code: object) -> int:
        return self._number.get(str(code), -1)

    def placed(self, ship: str, data: Data) -> list[Op]:
        """A ship on the table, with what can be seen of it."""
        n = self._n(ship)
        ops: list[Op] = [["P", n, data["x"], data["y"], data["h"], data["quarters"], data.get("flot", -1)]]
        ops.append(["D", n, data["masts"]])
        if "batteries" in data:
            self._batteries[ship] = [list(row) for row in data["batteries"]]
            ops.append(["K", n, self._reach(ship)])
        if ship in self._anchored & self._placed:
            ops.append(["N", n, 1])
        return ops

    def _reach(self, ship: str) -> list[list[int]]:
        left = [(Gun(gun), Arc(arc)) for gun, arc, _, lost in self._batteries[ship] if not lost]
        return reaches(left)

    def battery(self, ship: str, data: Data) -> list[Op]:
        """A battery gone: how far the rest reaches."""
        for row in self._batteries.get(ship, ()):
            if row == [data["gun"], data["group"], data["half"], False]:
                row[3] = True
                break
        else:
            return []
        return [["K", self._n(ship), self._reach(ship)]]

    def moved(self, ship: str, data: Data) -> list[Op]:
        """A path sailed, rowed or drifted."""
        return [["M", self._n(ship), [part for row in data["path"] for part in row]]]

    def headed(self, ship: str, data: Data) -> list[Op]:
        """Another heading on the spot."""
        n = self._n(ship)
        return [["R", n, data["h"]], *([["I", n, 1]] if data.get("irons") else [])]

    def volley(self, ship: str, data: Data) -> list[Op]:
        """Fire of a group."""
        group = GROUPS.index(Arc(data["group"]))
        return [
            [
                "F",
                self._n(ship),
                self._n(data["target"]),
                group,
                data["range"],
                data["hits"],
                int(data["raked"]),
            ]
        ]

    def damage(self, ship: str, data: Data) -> list[Op]:
        """What shows of its damage."""
        return [["H", self._n(ship), min(4, data["quarters"]), data.get("flot", -1)]]

    def grapple(self, ship: str, data: Data) -> list[Op]:
        """Fast to another; both cast off their tows. Rules: T.B12b, T.O3g."""
        if not data["made"]:
            return []
        other = str(data["target"])
        self._fast.add((ship, other))
        return [*self._untow(ship), *self._untow(other), ["L", self._n(ship), self._n(other), "grapple"]]

    def loose(self, ship: str, data: Data) -> list[Op]:
        """Apart."""
        return self._unfasten({ship, str(data["target"])})

    def _unfasten(self, pair: set[str]) -> list[Op]:
        gone = [row for row in self._fast if set(row) == pair]
        self._fast.difference_update(gone)
        return [["U", self._n(a), self._n(b)] for a, b in gone]

    def _friends_apart(self, ship: str) -> list[Op]:
        """Lines to ships of its own colours come off. Rules: T.O6g, T.O6i."""
        gone = sorted(row for row in self._fast if ship in row and self._flag[row[0]] == self._flag[row[1]])
        self._fast.difference_update(gone)
        return [["U", self._n(a), self._n(b)] for a, b in gone]

    def tow(self, ship: str, data: Data) -> list[Op]:
        """A tow made fast."""
        if not data["made"]:
            return []
        self._tows.add((ship, str(data["target"])))
        return [["T", self._n(ship), self._n(data["target"])]]

    def _untow(self, ship: str) -> list[Op]:
        gone = sorted(row for row in self._tows if ship in row)
        self._tows.difference_update(gone)
        return [["V", self._n(a), self._n(b)] for a, b in gone]

    def cast_off(self, ship: str, data: Data) -> list[Op]:
        """A tow let go."""
        return self._untow(ship)

    def towed(self, ship: str, data: Data) -> list[Op]:
        """It follows its tower."""
        return [["P", self._n(ship), data["x"], data["y"], data["h"]]]

    def struck(self, ship: str, data: Data) -> list[Op]:
        """Colours down; without rules of surrender the ship changes sides there and then. Rules: T.O6, T.B12p."""
        if self._at_once and data["by"]:
            return self.taken(ship, data)
        return [["S", self._n(ship), 1]]

    def taken(self, ship: str, data: Data) -> list[Op]:
        """Under the colours of the ship that holds it, or its own again."""
        by = str(data.get("by", ""))
        self._flag[ship] = str(data.get("side", "")) or self._flag.get(by, self._born[ship])
        return [["S", self._n(ship), 0], ["C", self._n(ship), self._flag[ship]], *self._friends_apart(ship)]

    def gone(self, ship: str, how: str) -> list[Op]:
        """Off the table; its lines and tows go with it. Rules: T.B9c, T.N2d, T.O3g."""
        self._fast = {row for row in self._fast if ship not in row}
        return [*self._untow(ship), ["X", self._n(ship), how]]

    def round(self, ship: str, data: Data) -> list[Op]:
        """An exchange of a boarding, drawn between the first of each side."""
        killed = data["killed"]
        return [
            ["Z", self._n(data["attackers"][0][0]), self._n(data["defenders"][0][0]), killed[0], killed[1]]
        ]


Drawer = Callable[[Drawing, str, Data], list[Op]]


def _set(letter: str, value: int) -> Drawer:
    return lambda drawing, ship, data: [[letter, drawing._n(ship), value]]


def _gone(how: str) -> Drawer:
    return lambda drawing, ship, data: drawing.gone(ship, how)


_DRAWN: Mapping[str, Drawer] = {
    "opened": lambda drawing, ship, data: [["W", (data["wind_from"] + 18_000) % 36_000, data["strength"]]],
    "wind": lambda drawing, ship, data: [["W", (data["from"] + 18_000) % 36_000, data["strength"]]],
    "placed": Drawing.placed,
    "arrived": lambda drawing, ship, data: [["P", drawing._n(ship), data["x"], data["y"], data["h"]]],
    "moved": Drawing.moved,
    "drifted": Drawing.moved,
    "towed": Drawing.towed,
    "headed": Drawing.headed,
    "irons_turn": Drawing.headed,
    "in_irons": lambda drawing, ship, data: [["R", drawing._n(ship), data["h"]], ["I", drawing._n(ship), 1]],
    "out_of_irons": _set("I", 0),
    "anchored": _set("N", 0),
    "rig": lambda drawing, ship, data: [["O", drawing._n(ship), int(data["mode"] in ("oars", "to_sail"))]],
    "boats": lambda drawing, ship, data: [["Y", drawing._n(ship), int(data["out"])]],
    "tow": Drawing.tow,
    "cast_off": Drawing.cast_off,
    "volley": Drawing.volley,
    "damage": Drawing.damage,
    "battery": Drawing.battery,
    "mast": lambda drawing, ship, data: [["D", drawing._n(ship), data["left"]]],
    "jury": lambda drawing, ship, data: [["J", drawing._n(ship)]] if data["up"] else [],
    "alight": _set("B", 1),
    "fire_out": _set("B", 0),
    "grapple": Drawing.grapple,
    "loose": Drawing.loose,
    "round": Drawing.round,
    "struck": Drawing.struck,
    "changed_mind": _set("S", 0),
    "after": _set("S", 0),
    "joined": _set("S", 0),
    "secured": Drawing.taken,
    "retaken": Drawing.taken,
    "sunk": _gone("sunk"),
    "foundered": _gone("foundered"),
    "blown_up": _gone("blown up"),
    "wrecked": _gone("wrecked"),
    "beached": _gone("beached"),
    "withdrew": _gone("left"),
    "ended": lambda drawing, ship, data: [["E", data["why"]]],
}  # fmt: skip
