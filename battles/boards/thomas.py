"""A Thomas battle for its replay: the log as short drawing orders for a plane, phase by phase, and how ships were at the end.

Places are thousandths of an inch, x east and y north; headings and bearings hundredths of a degree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from battles.boards import Standing, drawn
from battles.boards.drawn import Own, Party
from battles.boards.thomas_drawing import Drawing, reaches
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, ScenarioShip
from battles.engine.rulesets.thomas.card import Card
from battles.engine.rulesets.thomas.options import with_defaults
from battles.engine.rulesets.thomas.rules import RULES
from battles.engine.rulesets.thomas.setup import facts_of
from battles.engine.rulesets.thomas.tables import FARTHEST
from battles.engine.rulesets.thomas.telling import STRENGTHS

SIGNS: tuple[str, ...] = (
    "broken line: raking fire",
    "white flag: struck",
    "captor's flag: prize",
    "dashed line: grapples",
    "solid line: tow",
    "bars: sails furled",
    "select a ship to see its field of fire",
)
QUARTERS = 4


def replay(scenario: Scenario, events: Iterable[Event], own: Own) -> dict[str, Any]:
    """What the replay draws, as JSON. own: sides whose ships are shown whole, None for all.

    phases: [turn, index of the step's name, [drawing order, ...]]. A drawing order is a list whose first entry is a letter; what
    the letters mean is in `thomas_drawing`. Ships are numbered in list order, points of flotation left are -1 where they are
    secret. fan: half the angle of a broadside's arc, degrees; farthest: how far any gun reaches. Rules: T.S15, T.S18.
    """
    events = list(events)
    there = drawn.known(scenario, events, own)
    opened = next((event.data for event in events if event.kind == "opened"), {})
    head = drawn.head(RULES, scenario, there, board="plane", strengths=STRENGTHS, measure=drawn.FLOTATION)
    return {
        **head,
        "minutes": opened.get("minutes", head["minutes"]),
        "fan": with_defaults(scenario.options)["fan_half_angle"] / 100,
        "farthest": FARTHEST,
        "ships": [_ship(scenario, party, own) for party in there],
        "coast": opened.get("land", []),
        **drawn.phases(RULES, events, Drawing(scenario, drawn.numbers(there)).ops),
    }


def _card(scenario: Scenario, ship: ScenarioShip) -> Card:
    return Card.from_dict(RULES.card(facts_of(ship, scenario)))


def _ship(scenario: Scenario, party: Party, own: Own) -> dict[str, Any]:
    """A ship as the replay has it; anyone may know size, rig and rated guns, but not flotation and batteries. Rule: T.N4c."""
    side, _, ship = party
    card = _card(scenario, ship)
    whole = own is None or side.id in own
    return drawn.ship_row(
        party,
        guns=f"{card.guns}{' est.' if 'guns' in card.estimated else ''}",
        kind=card.kind.value,
        steps=QUARTERS,
        hull=card.flot_max if whole else 0,
        reach=reaches([(one.gun, one.arc) for one in card.batteries]) if whole else None,
        length=card.length,
        beam=card.beam,
        masts=card.masts,
        oars=card.oar_speed > 0,
    )


_ENDS = {
    "sunk": "sunk",
    "foundered": "foundered",
    "blown_up": "blown up",
    "wrecked": "wrecked",
    "beached": "rowed ashore",
    "withdrew": "left the battle",
}


def standings(scenario: Scenario, events: Sequence[Event], own: Own) -> list[Standing]:
    """How every ship that the reader knows of was at the end, by the events that they may read. own: as for `replay`."""
    return drawn.standings(
        scenario,
        events,
        own,
        figures=lambda ship: (QUARTERS, _card(scenario, ship).flot_max),
        note=partial(_note, at_once=not with_defaults(scenario.options)["opt_surrender"]),
        measure=drawn.FLOTATION,
    )


def _note(rows: drawn.Rows, event: Event, *, at_once: bool) -> None:
    row, data = rows[event.ship], event.data
    if event.kind in ("placed", "damage"):
        row["steps"], row["left"] = min(QUARTERS, data["quarters"]), data.get("flot")
    elif event.kind == "foundering":
        row["left"] = data.get("flot")
    elif event.kind in ("alight", "fire_out"):
        row["alight"] = event.kind == "alight"
    elif event.kind == "struck" and not (at_once and data["by"]):
        row["word"] = "struck"
    elif event.kind in ("changed_mind", "joined", "after"):
        row["word"] = drawn.flying(row) if row["word"] == "struck" else row["word"]
    elif event.kind in ("struck", "secured", "retaken"):
        row["holder"] = drawn.holder(rows, row, data["by"], data.get("side"))
        row["word"] = drawn.flying(row)
    elif event.kind in _ENDS and row["word"] != "taken":
        row["word"], row["alight"] = _ENDS[event.kind], False
    elif event.kind in _ENDS and event.kind != "withdrew":
        row["word"], row["alight"] = f"taken, {_ENDS[event.kind]}", False
