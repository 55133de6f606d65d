"""An Age of Sail battle for its replay: drawing orders for a plane in centimetres, and how ships were at the end.

Places are thousandths of a centimetre, x east and y north; the set's sixteen points become hundredths of a degree.

P ship x y heading · M ship [x y heading ...] · Q ship decks-port decks-starboard hull-units [mast states] (the plan of the ship) ·
c ship decks that a prize crew serves, or -1 · D ship masts · F ship target group range hits raked (group 0 port, 1 starboard) ·
H ship boxes-lost hull · B ship alight · A ship aground ·
N ship at-anchor · L ship other kind · U ship other · C ship side · X ship how · W towards strength · E why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from battles.boards import Standing, drawn
from battles.boards.drawn import Op, Own, Party, Row, Rows
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, ScenarioShip
from battles.engine.rulesets.age_of_sail.card import Card
from battles.engine.rulesets.age_of_sail.condition import Condition
from battles.engine.rulesets.age_of_sail.rules import RULES
from battles.engine.rulesets.age_of_sail.setup import facts_of
from battles.engine.rulesets.age_of_sail.tables import BANDS, CM, POINT, RANGE, SIDES
from battles.engine.rulesets.age_of_sail.telling import STRENGTHS

SIGNS: tuple[str, ...] = (
    "squares along the sides: gun decks left",
    "squares amidships: hull units left",
    "captor's flag: prize",
    "filled squares of a prize: gun decks that its prize crew serves",
    "dashed line: entangled ships",
    "broken line of shot: raking fire from astern",
    "bars: at anchor",
    "select a ship to see its field of fire",
)
# Half of a broadside's arc, in degrees. Rule: A.F2.
FAN = 45
# A ship is a point in these rules; she is drawn as long as two touching ships lie apart.
LENGTH, BEAM = 2 * CM, CM * 55 // 100


def replay(scenario: Scenario, events: Iterable[Event], own: Own) -> dict[str, Any]:
    """What the replay draws, as JSON. Nothing on the water is secret, so `own` only leaves out ships that have yet to come. Rule: A.P10."""
    events = list(events)
    there = drawn.known(scenario, events, own)
    number = drawn.numbers(there)
    boxes: Boxes = {}
    opened = next((event.data for event in events if event.kind == "opened"), {})
    return {
        **drawn.head(RULES, scenario, there, board="plane", strengths=STRENGTHS),
        "unit": "cm",
        "fan": FAN,
        "farthest": RANGE,
        "ships": [_ship(scenario, party) for party in there],
        "coast": opened.get("land", []),
        "shoals": opened.get("shoals", []),
        **drawn.phases(RULES, events, lambda event: _ops(event, number, boxes)),
    }


def _card(scenario: Scenario, ship: ScenarioShip) -> Card:
    return Card.from_dict(RULES.card(facts_of(ship, scenario)))


def _boxes(scenario: Scenario, ship: ScenarioShip) -> int:
    """Boxes that a ship brings. Rule: A.G36."""
    if ship.condition is None:
        return _card(scenario, ship).boxes
    return Condition.from_dict(ship.condition).boxes


def _ship(scenario: Scenario, party: Party) -> dict[str, Any]:
    """A ship as the replay has it."""
    ship = party[2]
    card = _card(scenario, ship)
    reach = [[BANDS[0], RANGE], [BANDS[0], RANGE], [0, 0], [0, 0]]
    return drawn.ship_row(
        party, guns=str(ship.facts.guns or ""), kind=card.cls, steps=_boxes(scenario, ship), hull=card.hull, reach=reach,
        length=LENGTH, beam=BEAM, masts=len(card.masts), decks=card.decks,
    )  # fmt: skip


Data = Mapping[str, Any]
Number = Mapping[str, int]
# Of each ship, by its number: gun decks of both sides, hull units, mast states.
Boxes = dict[int, tuple[int, int, int, list[int]]]


def _ops(event: Event, number: Number, boxes: Boxes) -> list[Op]:
    """What an event draws; nothing for one that does not show on a table, or about a ship that the reader does not know."""
    if event.ship and event.ship not in number:
        return []
    n = number.get(event.ship, -1)
    changed = _boxes_after(event, number, boxes)
    boxes.update(changed)
    drawer = _DRAWN.get(event.kind)
    ops = drawer(number, n, event.data) if drawer is not None else []
    for one, (port, stbd, units, rig) in changed.items():
        ops += [["Q", one, port, stbd, units, rig], ["D", one, sum(state > 0 for state in rig)]]
    return ops


def _boxes_after(event: Event, number: Number, boxes: Boxes) -> Boxes:
    """What is left of the ship whose boxes an event changes; none for most events. Rules: A.D2, A.R1, A.B13."""
    n, data = number.get(event.ship, -1), event.data
    if event.kind in ("placed", "arrived", "damage"):
        return {n: (data["port"], data["stbd"], data["units"], list(data["rig"]))}
    if event.kind == "repair" and data["made"]:
        return {n: (*boxes[n][:3], list(data["rig"]))}
    if event.kind == "manned" and data["captor"] in number:
        captor = number[data["captor"]]
        port, stbd, units, rig = boxes[captor]
        for _ in range(data["decks"]):
            port, stbd = (port - 1, stbd) if port >= stbd else (port, stbd - 1)
        return {captor: (port, stbd, units, rig)}
    return {}


Drawer = Callable[[Number, int, Data], list[Op]]


def _placed(number: Number, n: int, data: Data) -> list[Op]:
    return [
        ["P", n, data["x"], data["y"], data["h"] * POINT, 0, data["units"]],
        *([["N", n, 1]] if data["anchored"] else []),
    ]


def _moved(number: Number, n: int, data: Data) -> list[Op]:
    return [["M", n, [part for x, y, h in data["path"] for part in (x, y, h * POINT)]]]


def _volley(number: Number, n: int, data: Data) -> list[Op]:
    group = SIDES.index(data["side"])
    return [["F", n, number.get(data["target"], -1), group, data["range"], data["hits"], int(data["raked"])]]


def _damage(number: Number, n: int, data: Data) -> list[Op]:
    return [["H", n, data["steps"], data["units"]]]


def _wind(number: Number, n: int, data: Data) -> list[Op]:
    return [["W", (4_500 * data["wind_from"] + 18_000) % 36_000, data["strength"]]]


def _set(letter: str, value: int) -> Drawer:
    return lambda number, n, data: [[letter, n, value]]


_HOW = {
    "withdrawn": "left",
    "sunk": "foundered",
    "exploded": "blown up",
    "burnt": "burnt",
    "abandoned": "left",
}
_DRAWN: Mapping[str, Drawer] = {
    "opened": _wind,
    "wind": _wind,
    "placed": _placed,
    "arrived": _placed,
    "moved": _moved,
    "drifted": _moved,
    "volley": _volley,
    "damage": _damage,
    "alight": _set("B", 1),
    "fire_out": _set("B", 0),
    "aground": _set("A", 1),
    "refloated": _set("A", 0),
    "anchors": _set("N", 1),
    "weighed": _set("N", 0),
    "entangled": lambda number, n, data: [["L", n, number.get(data["target"], -1), "grapple"]],
    "parted": lambda number, n, data: [["U", n, number.get(data["target"], -1)]],
    "captured": lambda number, n, data: [["C", n, data["side"]], ["c", n, 0]],
    "reverts": lambda number, n, data: [["C", n, data["side"]], ["c", n, -1]],
    "manned": lambda number, n, data: [["c", n, data["decks"]]],
    "gone": lambda number, n, data: [["X", n, _HOW[data["how"]]]],
    "ended": lambda number, n, data: [["E", data["why"]]],
}
_ENDS = {
    "withdrawn": "left the battle",
    "sunk": "foundered",
    "exploded": "blown up",
    "burnt": "burnt",
    "abandoned": "abandoned",
}


def standings(scenario: Scenario, events: Sequence[Event], own: Own) -> list[Standing]:
    """How every ship that the reader knows of was at the end: boxes lost, hull units left. own: as for `replay`."""
    return drawn.standings(
        scenario,
        events,
        own,
        figures=lambda ship: (_boxes(scenario, ship), _card(scenario, ship).hull),
        note=_note,
    )


def _note(rows: Rows, event: Event) -> None:
    row, data = rows[event.ship], event.data
    if event.kind in ("placed", "arrived"):
        row["left"] = data["units"]
    elif event.kind == "damage":
        row["steps"], row["left"] = data["steps"], data["units"]
    elif event.kind == "repair" and data["made"]:
        row["steps"] = max(0, row["steps"] - 1)
    elif event.kind in ("alight", "fire_out"):
        row["alight"] = event.kind == "alight"
    elif event.kind in ("captured", "reverts"):
        row["holder"] = data["side"]
        row["word"] = drawn.flying(row)
    elif event.kind == "gone":
        row["alight"] = False
        row["word"] = _gone(row, data["how"])


def _gone(row: Row, how: str) -> str:
    return f"taken, {_ENDS[how]}" if row["word"] == "taken" else _ENDS[how]
