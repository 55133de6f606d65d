"""Steps P7 and P9: what each group fires on, and the dice. Rules: T.B9, T.B10, T.S5, T.O5a-T.O5c."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from battles.engine.core import plane
from battles.engine.core.dice import Die
from battles.engine.rulesets.thomas.arcs import band_between, bearing, may_take, raked
from battles.engine.rulesets.thomas.play import Hit, Play
from battles.engine.rulesets.thomas.sailing import sailing_crew
from battles.engine.rulesets.thomas.state import Battery, Battle, Ship
from battles.engine.rulesets.thomas.tables import HITS_FROM, Arc, Band, Gun

CONFIRMS_FROM = 4
_GUNS = tuple(Gun)


class Volley(NamedTuple):
    """A group's fire as declared: batteries that bear, reach and are manned."""

    firer: Ship
    target: Ship
    arc: Arc
    batteries: tuple[Battery, ...]


def first_fires(battle: Battle, play: Play) -> None:
    """Step P7: the first side declares all its fire, then throws. Rules: T.B3a, T.B3b."""
    side_fires(battle, play, battle.first)


def second_fires(battle: Battle, play: Play) -> None:
    """Step P9: the second side fires with what is left. Rules: T.B3a, T.B3b, T.B11b."""
    side_fires(battle, play, battle.second)


def side_fires(battle: Battle, play: Play, side: str) -> None:
    """Declare the fire of every ship of a side, then throw for it in ascending order. Rules: T.B3b, T.B3c, T.B9e."""
    play.hits.clear()
    declared = [
        volley for ship in battle.of(side) if may_fire(ship) for volley in declare(battle, play, ship)
    ]
    for volley in declared:
        _throw(battle, play, volley)


def may_fire(ship: Ship) -> bool:
    """Whether a ship may fire at all: not struck, no prize, not held silent by fire; a grapple does not stop her.

    Rules: T.B6g, T.B12q, T.N3, T.O6a, T.O6i.
    """
    return ship.fighting and not ship.silent


def declare(battle: Battle, play: Play, ship: Ship) -> list[Volley]:
    """A ship's fire this move: a target for each group, and the batteries that can be manned, the best first.

    Rules: T.B10c, T.B10d, T.B10f, T.O5a, T.O5b, T.O5c.
    """
    chosen = _targets(battle, play, ship)
    ready: list[tuple[Battery, Ship]] = []
    for arc in Arc:
        target = battle.ships.get(chosen.get(arc, ""))
        if target is not None and may_take(battle, ship, target, arc):
            ready += [
                (one, target)
                for one in ship.standing(arc)
                if band_between(one.gun, ship, target) is not Band.OUT
            ]
    hands = gun_crews(battle, ship)
    if hands is not None and len(ready) > hands:

        def use(row: tuple[Battery, Ship]) -> tuple[bool, int]:
            one, target = row
            return band_between(one.gun, ship, target) is not Band.CLOSE, -_GUNS.index(one.gun)

        ready.sort(key=use)
        del ready[hands:]
    volleys = []
    for arc in Arc:
        mine = [one for one, _ in ready if one.arc is arc]
        if mine:
            batteries = tuple(sorted(mine, key=lambda one: (_GUNS.index(one.gun), one.half)))
            target = next(target for one, target in ready if one.arc is arc)
            volleys.append(Volley(ship, target, arc, batteries))
    return volleys


def gun_crews(battle: Battle, ship: Ship) -> int | None:
    """Men who can serve guns this move, None when no one counts them. Rules: T.O5a, T.O5b, T.O5c, T.O5f."""
    if not battle.options["opt_crews"]:
        return None
    if ship.in_a_fight:
        return ship.gunners
    return max(0, ship.hands - (sailing_crew(ship) if ship.under_sail else 0))


def _targets(battle: Battle, play: Play, ship: Ship) -> Mapping[Arc, str]:
    """Target ids by group: ordered ones first, then the captain's; without a captain the nearest. Rules: T.B10c, T.B10f."""
    ordered = play.order(ship).targets
    asked = play.captain(ship)
    if asked is not None:
        return {**asked.captain.targets(asked.view, ship.id), **ordered}
    nearest = {arc: found[0].id for arc, found in bearing(battle, ship).items()}
    return {**nearest, **ordered}


def _throw(battle: Battle, play: Play, volley: Volley) -> None:
    """Throw a group's dice, two halves of a type for one, and keep the hits for the damage step.

    Rules: T.B9, T.B11, T.B11d, T.S5, T.N1, T.N4, T.O2a.
    """
    firer, target, arc, batteries = volley
    keel = raked(battle, firer, target)
    dice = _dice(batteries)
    faces = play.dice.throw(
        Die.D6,
        len(dice),
        clause="T.B9",
        subjects=(battle.move, firer.id, arc.value),
        reason=f"fire on {target.id}",
    )
    rows: list[list[object]] = []
    scored = 0
    for number, ((gun, half), face) in enumerate(zip(dice, faces, strict=True)):
        band = band_between(gun, firer, target)
        hit = face >= HITS_FROM[band]
        confirm = None
        if hit and half:
            confirm = play.dice.d6(
                clause="T.S5",
                subjects=(battle.move, firer.id, arc.value, number),
                reason="a half battery's hit",
            )
            hit = confirm >= CONFIRMS_FROM
        rows.append([gun.value, face, confirm])
        close = band is Band.CLOSE
        target.fired_on_close |= close
        if hit:
            scored += 1
            play.hits.append(Hit(firer.id, target.id, face == 6, keel and close, close))
    firer.has_fired = firer.fired_now = True
    firer.hits_given += scored
    play.tell(
        "volley", "T.B9", firer.id, target=target.id, group=arc.value,
        range=plane.distance(firer.position, target.position), dice=rows, hits=scored, raked=keel,
    )  # fmt: skip


def _dice(batteries: tuple[Battery, ...]) -> list[tuple[Gun, bool]]:
    """A die for each whole battery and each pair of halves of a type, and one marked half for a half left over. Rule: T.S5."""
    found: list[tuple[Gun, bool]] = []
    for gun in _GUNS:
        mine = [one for one in batteries if one.gun is gun]
        halves = sum(one.half for one in mine)
        found += [(gun, False)] * (len(mine) - halves + halves // 2)
        found += [(gun, True)] * (halves % 2)
    return found
