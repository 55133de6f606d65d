"""What a unit may fire at, slot by slot. Rules: P.F09-P.F23, P.F37, P.R04-P.R06, P.R08, P.L07."""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.rulesets.barker import arcs
from battles.engine.rulesets.barker.arcs import Arc, Band
from battles.engine.rulesets.barker.factors import attack_factors, chivalry_bars
from battles.engine.rulesets.barker.lines import Lines
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import MODEL_HALF, SLACK, TORPEDO_CRAFT, Type

# Slot words by arc: of the guns of an end, and of the close battery of a side. Rules: P.F12-P.F14, P.K47.
_ENDS = {Arc.AHEAD: "ahead", Arc.ASTERN: "astern"}
_CLOSE = {Arc.PORT: "port", Arc.STARBOARD: "starboard"}
MAIN, OTHER, SHOT = "main", "other", "shot"


class Legal(NamedTuple):
    """A shot that a unit may fire. gap: range in hundredths of a yard. side: the broadside, for "main" and "other"."""

    slot: str
    target: str
    reduced: bool
    band: Band
    gap: int
    arc: Arc


def legal(battle: Battle, unit: Unit, lines: Lines | None = None) -> list[Legal]:
    """Every shot that a unit may fire now, targets in id order of the scenario; each slot and each target once only in one step.

    A target on a broadside may suit both "main" and "other": the two go to different sides (see `clashes`). Rules: P.F09-P.F23.
    """
    factors = attack_factors(unit)
    if factors is None:
        return []
    lines = lines or Lines(battle)
    far = arcs.reach(battle.year) + 2 * MODEL_HALF + SLACK
    found: list[Legal] = []
    for target in lines.foes(unit, far):
        for shot in _shots(battle, unit, target, lines.gap(unit, target)):
            if (
                factors[shot.band] is not None
                and lines.seen(unit, target)
                and lines.open(unit, target, shot.band)
                and not chivalry_bars(battle, unit, target)
            ):
                found.append(shot)
    return found


def _shots(battle: Battle, unit: Unit, target: Unit, gap: int) -> list[Legal]:
    """The slots that a target suits by range and arc alone. gap: the range.

    Rules: P.F10, P.F11, P.F12, P.F13, P.F14, P.F15, P.F16, P.R08.
    """
    small = target.type in TORPEDO_CRAFT
    band = arcs.band(gap, battle.year, boats=small or unit.torpedo_craft)
    if band is None:
        return []
    if unit.ashore:
        if not arcs.faces(unit, target.at):
            return []
        return [Legal(SHOT, target.id, False, max(band, Band.NORMAL), gap, Arc.AHEAD)]
    where = arcs.arc(unit, target.at)
    if unit.torpedo_craft:
        return [Legal(SHOT, target.id, False, band, gap, where)]
    layer = unit.type is Type.MINELAYER
    if where in _ENDS:
        # The guns of an end against torpedo craft are a reading of ours. Rule: P.F14.
        blind = layer or (band is Band.CLOSE and not battle.options["end_on_vs_torpedo_craft"])
        return [] if blind else [Legal(_ENDS[where], target.id, True, max(band, Band.NORMAL), gap, where)]
    if band is Band.CLOSE:
        return [Legal(_CLOSE[where], target.id, False, band, gap, where)]
    shots = [Legal(MAIN, target.id, False, band, gap, where)]
    if band is Band.NORMAL and not layer:
        shots.append(Legal(OTHER, target.id, True, band, gap, where))
    return shots


def clashes(a: Legal, b: Legal) -> bool:
    """Whether two shots cannot both be fired in one step: the same slot or target, or main and other on one broadside.

    Rules: P.F09-P.F13.
    """
    if a.slot == b.slot or a.target == b.target:
        return True
    return {a.slot, b.slot} == {MAIN, OTHER} and a.arc is b.arc
