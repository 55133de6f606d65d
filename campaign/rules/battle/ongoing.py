"""Battles that take weeks: they hold their fleets off the chart, and others sail on. Rules: G.BT4, G.BT5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaign.rules.battle.writeback import OutcomeError, write_back
from campaign.rules.chart.types import BattleCall
from campaign.rules.state.world import Chart


def ongoing_code(turn: int, call: str) -> str:
    """How an ongoing battle is named on the chart, whatever turn is being played: "T2-b01"."""
    return f"T{turn}-{call}"


def hold(chart: Chart, call: BattleCall) -> None:
    """Keep a battle's fleets off the chart until its outcome is accepted; who reaches the spot passes. Rule: G.BT4."""
    code = ongoing_code(chart.facts.turn, call.code)
    chart.state.ongoing[code] = replace(call, code=code, scenario=_muster(call.scenario))
    for fleet in (fleet for codes in call.fleets.values() for fleet in codes):
        chart.alter(chart.state.fleets[fleet], held_by=code, under_way=False)
    if call.code in chart.state.mines.fought:
        chart.state.mines.fought[code] = chart.state.mines.fought.pop(call.code)
    chart.tell("battle_held", "G.BT4", *sorted(call.fleets), battle=call.code, place=call.place)


def come_back(chart: Chart) -> None:
    """Write back the outcomes accepted since the last turn: the fleets are on the chart again now, or when the battle ends.

    Events are dated from that hour. Raises OutcomeError for a battle that holds no one. Rules: G.BT4, G.BT5, G.CL2.
    """
    for code in sorted(chart.facts.accepted):
        call = chart.state.ongoing.pop(code, None)
        if call is None:
            raise OutcomeError(f"the battle {code} holds no fleet, so there is nothing to write back")
        for fleet in (fleet for codes in call.fleets.values() for fleet in codes):
            chart.alter(chart.state.fleets[fleet], held_by="")
        write_back(chart, call, chart.facts.accepted[code], not_before=chart.hour)


def _muster(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Of a scenario only who fought on which side: all that a write-back asks of it."""
    return {
        "sides": [
            {
                "id": side["id"],
                "squadrons": [
                    {"ships": [{"id": ship["id"]} for ship in squadron["ships"]]}
                    for squadron in side["squadrons"]
                ],
            }
            for side in scenario["sides"]
        ]
    }
