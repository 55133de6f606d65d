"""The shooting step: who fires when, the shots of a ship, and what comes of each. Rules: P.F01-P.F04, P.F24, P.C11, P.R03, P.R05."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battles.engine.core.plane import nearest
from battles.engine.rulesets.barker import effects, factors, lights, raiders, slots
from battles.engine.rulesets.barker.lines import Lines
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.slots import Legal
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import YARD, Grade, Mode, Source, Type

# Kinds of group that fire together; everybody else fires alone. Rule: P.F02.
_TOGETHER = ("squadron", "flotilla")
# By which the log and the ships' records count.
HITS = {Grade.NONE: 0, Grade.LESSER: 1, Grade.GREATER: 2}


def shoot(battle: Battle, play: Play) -> None:
    """Both sides fire, in combat only: lights, submarines, shore batteries, then the squadrons in turn. Rules: P.F01, P.F02, P.C11."""
    if battle.mode is not Mode.COMBAT and not play.combat:
        return
    lights.declare(battle, play)
    lines = Lines(battle)
    for unit in _in_turn(battle, Type.SUB):
        _fire(battle, play, lines, unit)
    for unit in _in_turn(battle, Type.BATTERY):
        if not battle.unready(unit.side):
            _fire(battle, play, lines, unit)
    _squadrons(battle, play, lines)


def _in_turn(battle: Battle, kind: Type) -> Iterator[Unit]:
    """Units of a type, the sides in turn, speller first, one each. Rule: P.F02."""
    first, second = (
        [unit for unit in battle.on_table(side) if unit.type is kind]
        for side in (battle.speller, battle.other(battle.speller))
    )
    for n in range(max(len(first), len(second))):
        yield from first[n : n + 1]
        yield from second[n : n + 1]


def _squadrons(battle: Battle, play: Play, lines: Lines) -> None:
    """The sides fire one squadron or flotilla each in turn, speller first; when one has none left the other finishes. Rule: P.F02."""
    waiting = {side: {} if battle.unready(side) else _firing_groups(battle, side) for side in battle.sides}
    side = battle.speller
    while any(waiting.values()):
        left = waiting[side]
        for code in [code for code, units in left.items() if not any(unit.on_table for unit in units)]:
            del left[code]
        if left:
            code = next(iter(left))
            if len(left) > 1 and side in play.captains:
                wished = play.captains[side].squadrons(play.views[side], tuple(left))
                code = wished if wished in left else code
            for unit in left.pop(code):
                _fire(battle, play, lines, unit)
        side = battle.other(side)


def _firing_groups(battle: Battle, side: str) -> dict[str, list[Unit]]:
    """Units of a side that have guns, by the group with which they fire; torpedo craft after the guns. Rule: P.F02."""
    found: dict[str, list[Unit]] = {}
    for unit in battle.on_table(side):
        if unit.type is not Type.SUB and not unit.ashore and factors.attack_factors(unit) is not None:
            group = battle.groups.get(unit.group)
            code = unit.group if group is not None and group.kind in _TOGETHER else unit.id
            found.setdefault(code, []).append(unit)
    for units in found.values():
        units.sort(key=lambda unit: unit.torpedo_craft)
    return found


def _fire(battle: Battle, play: Play, lines: Lines, unit: Unit) -> None:
    """One unit names all its targets, then fires all its shots. One that is gone by now fires nothing. Rules: P.F03, P.F04."""
    if not unit.on_table:
        return
    legal = slots.legal(battle, unit, lines)
    if legal:
        for shot in nominate(battle, play, unit, legal):
            _resolve(battle, play, unit, shot)


def nominate(battle: Battle, play: Play, unit: Unit, legal: Sequence[Legal]) -> list[Legal]:
    """The shots that a unit fires: what a raider must, then orders, then for the slots left its captain.

    Rules: P.F03, P.F09, P.R03, P.K48.
    """
    chosen: list[Legal] = []
    held: set[str] = set()

    def take(slot: str, target: str) -> None:
        for shot in legal:
            if (shot.slot, shot.target) == (slot, target) and slot not in held:
                if not any(slots.clashes(shot, other) for other in chosen):
                    chosen.append(shot)

    forced = play.forced.pop(unit.id, "")
    for shot in legal:
        if forced and shot.target == forced:
            take(shot.slot, shot.target)
    order = play.ordered(unit.id)
    if order is not None:
        for slot, target in order.targets.items():
            take(slot, target)
            if not target:
                held.add(slot)
    captain = play.captains.get(unit.side)
    if captain is not None:
        full = {shot.slot for shot in chosen} | held
        left = [(shot.slot, shot.target) for shot in legal if shot.slot not in full]
        if left:
            for slot, target in captain.targets(play.views[unit.side], unit, left):
                take(slot, target)
    return chosen


def _resolve(battle: Battle, play: Play, unit: Unit, shot: Legal) -> None:
    """One shot: both totals, the grade and what it does, at once. A target that is gone wastes it. Rules: P.F03, P.F24, P.Z06."""
    target = battle.units[shot.target]
    raiders.act(battle, play, unit)
    attack = factors.shooter(battle, unit, target, shot.band, reduced=shot.reduced)
    spell = battle.spell
    die = play.dice.d6(clause="P.F24", subjects=(spell, "SHOT_F", unit.id, target.id), reason="shot")
    attack += factors.gunner_die(battle, unit, shot.band, die)
    defence = factors.defender(target) + play.dice.d6(
        clause="P.F24", subjects=(spell, "SHOT_T", target.id, unit.id), reason="defence"
    )
    result = effects.grade(attack, defence)
    hits = HITS[result]
    play.tell(
        "shot",
        "P.F24",
        unit.id,
        target=target.id,
        slot=shot.slot,
        range=nearest(shot.gap, YARD),
        band=shot.band.name.lower(),
        attack=attack,
        defence=defence,
        grade=result.value,
        hits=hits,
    )
    battle.alarm()
    unit.fired = True
    unit.given += hits
    target.taken += hits
    battle.tallies[target.id] = (*battle.tallies.get(target.id, ()), unit.id)
    source = Source.TORPEDO if unit.torpedo_craft else Source.GUN
    effects.apply(battle, play, target, result, source, unit.id)
