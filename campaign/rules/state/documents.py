"""The values of a turn as JSON documents and back: positions, orders, events, reports, battle calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from battles.engine.core.scenario import Doctrine, Stance, doctrine_from
from campaign.rules.chart.types import (
    BattleCall,
    ChartEvent,
    FleetOrder,
    Instructions,
    OnArrival,
    Part,
    Position,
    SightingReport,
)


def position_doc(position: Position) -> list[Any]:
    """[at, to, thousandths of a mile run]. Rule: G.CH2."""
    return [position.at, position.to, position.run]


def position_from(doc: list[Any]) -> Position:
    """Read back what `position_doc` wrote."""
    return Position(doc[0], doc[1], doc[2])


def doctrine_doc(doctrine: Doctrine) -> dict[str, Any]:
    """As a scenario has it. Rule: G.MV5."""
    return {**asdict(doctrine), "stance": doctrine.stance.value, "protect": list(doctrine.protect)}


def order_doc(order: FleetOrder) -> dict[str, Any]:
    """A fleet's orders. Rule: G.MV2."""
    instructions = order.instructions
    return {
        "fleet": order.fleet,
        "route": list(order.route),
        "stance": order.stance.value,
        "on_arrival": order.on_arrival.value,
        "instructions": {
            "doctrine": doctrine_doc(instructions.doctrine),
            "greatest_odds": instructions.greatest_odds,
            "at_nightfall": instructions.at_nightfall,
            "after_battle": instructions.after_battle,
            "at_sound_of_guns": instructions.at_sound_of_guns,
            "cripples_to": instructions.cripples_to,
            "chase_hours": instructions.chase_hours,
            "rendezvous": instructions.rendezvous,
            "disabled": instructions.disabled,
            "shoals": instructions.shoals,
            "prizes": instructions.prizes,
            "prize_escort": instructions.prize_escort,
            "slowest": instructions.slowest,
            "shelter": instructions.shelter,
            "hopeless": instructions.hopeless,
        },
        "target": order.target,
        "parts": [part_doc(part) for part in order.parts],
    }


def part_doc(part: Part) -> dict[str, Any]:
    """Ships that leave a fleet. Rule: G.MV4."""
    return {
        "ships": list(part.ships),
        "to": part.to,
        "name": part.name,
        "route": list(part.route),
        "stance": part.stance.value,
        "on_arrival": part.on_arrival.value,
        "target": part.target,
    }


def part_from(doc: Mapping[str, Any]) -> Part:
    """Read back what `part_doc` wrote; what a document leaves out has its default."""
    return Part(
        ships=tuple(doc["ships"]),
        to=doc.get("to", ""),
        name=doc.get("name", ""),
        route=tuple(doc.get("route", ())),
        stance=Stance(doc.get("stance", "avoid")),
        on_arrival=OnArrival(doc.get("on_arrival", "anchor")),
        target=doc.get("target", ""),
    )


def order_from(doc: Mapping[str, Any]) -> FleetOrder:
    """Read back what `order_doc` wrote; what a document leaves out has its default."""
    instructions = dict(doc.get("instructions", {}))
    doctrine = doctrine_from(instructions.pop("doctrine", {}))
    return FleetOrder(
        fleet=doc["fleet"],
        route=tuple(doc.get("route", ())),
        stance=Stance(doc.get("stance", "hold")),
        on_arrival=OnArrival(doc.get("on_arrival", "anchor")),
        instructions=Instructions(doctrine=doctrine, **instructions),
        target=doc.get("target", ""),
        parts=tuple(part_from(row) for row in doc.get("parts", ())),
    )


def event_doc(event: ChartEvent) -> list[Any]:
    """[hour, kind, clause, knows, data]."""
    return [event.hour, event.kind, event.clause, list(event.knows), dict(event.data)]


def event_from(doc: list[Any]) -> ChartEvent:
    """Read back what `event_doc` wrote."""
    return ChartEvent(doc[0], doc[1], doc[2], tuple(doc[3]), doc[4])


def report_doc(report: SightingReport) -> dict[str, Any]:
    """A sighting report with every field, the umpire's too. Rule: G.SI2."""
    return {**asdict(report), "kinds": list(report.kinds)}


def report_from(doc: Mapping[str, Any]) -> SightingReport:
    """Read back what `report_doc` wrote."""
    return replace(SightingReport(**doc), kinds=tuple(doc["kinds"]))


def call_doc(call: BattleCall) -> dict[str, Any]:
    """A battle that has to be fought. Rule: G.BT6."""
    return {
        "code": call.code,
        "hour": call.hour,
        "place": call.place,
        "fleets": {side: list(codes) for side, codes in sorted(call.fleets.items())},
        "scenario": dict(call.scenario),
    }


def call_from(doc: Mapping[str, Any]) -> BattleCall:
    """Read back what `call_doc` wrote."""
    fleets = {side: tuple(codes) for side, codes in doc["fleets"].items()}
    return BattleCall(doc["code"], doc["hour"], doc["place"], fleets, doc["scenario"])
