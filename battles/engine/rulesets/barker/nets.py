"""The nets of fishing fleets, in which submarines are lost. Rules: P.U10, P.A09."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.plane import Box, Hull
from battles.engine.rulesets.barker import bubbles, effects
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import LAP, Type


def foul(battle: Battle, play: Play, unit: Unit, corridor: Hull) -> None:
    """Nets foul a submarine that comes to overlap a fishing fleet, whoever moves, and a boat beneath a marker that the fleet crosses.

    Called after each straight stretch of a submarine or a fishing fleet; a crossed fake is removed. Rules: P.U10, P.A09.
    """
    if unit.type not in (Type.SUB, Type.FISH):
        return
    other = Type.FISH if unit.type is Type.SUB else Type.SUB
    for met in list(battle.on_table()):
        if met.type is other and (plane.overlap(unit, met, LAP) or plane.overlap(corridor, met, LAP)):
            boat, fleet = (unit, met) if unit.type is Type.SUB else (met, unit)
            if boat.on_table:
                effects.sink(battle, play, boat, "nets", fleet.id, "P.U10")
    if unit.type is Type.FISH:
        _foul_bubbles(battle, play, unit, corridor)


def _foul_bubbles(battle: Battle, play: Play, fleet: Unit, corridor: Hull) -> None:
    for marker in list(battle.markers):
        spot = Box(marker.x, marker.y, 0, 0, 0)
        if plane.overlap(corridor, spot) or plane.overlap(fleet, spot):
            bubbles.lift(battle, play, marker)
            if marker.real:
                effects.sink(battle, play, battle.units[marker.real], "nets", fleet.id, "P.U10")
