"""One round of a boarding fight: both exchanges, morale, and who gives way. Rules: T.B12c-T.B12i, T.B12n, T.B12o, T.O5c."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from battles.engine.core.dice import Die
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import KILLS_AT_2, KILLS_AT_3

MEN_A_DIE = 5


class Result(StrEnum):
    """Who gives way after a round. Rules: TS-11, T.B12i."""

    ON = "on"
    ATTACKER = "attacker"
    DEFENDER = "defender"


def fighters(ship: Ship) -> int:
    """Men who fight aboard: all but those kept at the guns. Rules: T.O5c, T.O5f, T.B12c."""
    return max(0, ship.hands - ship.gunners)


def dice_of(men: int) -> int:
    """A die for five full fighters, one for a handful. Rule: T.B12c."""
    return max(1, men // MEN_A_DIE) if men else 0


def strength(ships: Sequence[Ship]) -> int:
    """Fighters of one side of a fight."""
    return sum(map(fighters, ships))


def round_of(battle: Battle, play: Play, attackers: Sequence[Ship], defenders: Sequence[Ship]) -> Result:
    """Fight one full round and say who gives way.

    First exchange: attackers' dice less 2, defenders' less 3; second the other way about, on the survivors.
    Rules: T.B12d, T.B12e, T.B12f, T.B12g, T.B12h, T.B12i, T.B12o.
    """
    for part, (own, other) in enumerate(((KILLS_AT_2, KILLS_AT_3), (KILLS_AT_3, KILLS_AT_2)), 1):
        if strength(attackers) and strength(defenders):
            _exchange(battle, play, attackers, defenders, part, own, other)
    many, few = strength(attackers), strength(defenders)
    if not many:
        return Result.ATTACKER
    if not few:
        return Result.DEFENDER
    head, foe = attackers[0].id, defenders[0].id
    again = play.again("morale", head, foe)
    subjects = (battle.move, head, foe, again) if again else (battle.move, head, foe)
    die = play.dice.d6(clause="T.B12f", subjects=subjects, reason="morale of the boarding")
    result = morale(die, many, few)
    score = die - 2 * one_sided(many, few)
    play.tell("morale", "T.B12f", defenders[0].id, score=score, result=result.value)
    return result


def one_sided(attackers: int, defenders: int) -> bool:
    """Whether one side is more than twice the other. Rule: T.B12g."""
    return max(attackers, defenders) > 2 * min(attackers, defenders)


def morale(die: int, attackers: int, defenders: int) -> Result:
    """Who gives way by the defender's die; at equal numbers the attacker counts as the smaller. Rules: TS-11, T.B12g-T.B12i."""
    score = die - 2 * one_sided(attackers, defenders)
    attacker_smaller = attackers <= defenders
    if score <= 2:
        return Result.ATTACKER if attacker_smaller else Result.DEFENDER
    if score >= 6:
        return Result.DEFENDER if attacker_smaller else Result.ATTACKER
    return Result.ON


def _exchange(
    battle: Battle,
    play: Play,
    attackers: Sequence[Ship],
    defenders: Sequence[Ship],
    part: int,
    own: tuple[int, ...],
    other: tuple[int, ...],
) -> None:
    """Both throw together, then the men fall. Rules: T.B12d, T.B12e, T.B12n."""
    before = [[[ship.id, fighters(ship)] for ship in side] for side in (attackers, defenders)]
    slain = _kills(battle, play, attackers, defenders[0], own)
    lost = _kills(battle, play, defenders, attackers[0], other)
    _fall(defenders, slain)
    _fall(attackers, lost)
    play.tell(
        "round", "T.B12d" if part == 1 else "T.B12e", attackers[0].id, attackers=before[0], defenders=before[1],
        killed=[slain, lost], part=part,
    )  # fmt: skip


def _kills(battle: Battle, play: Play, ships: Sequence[Ship], against: Ship, table: tuple[int, ...]) -> int:
    """Men whom one side kills, each ship's dice counted on its own fighters. Rules: T.B12c, T.B12n."""
    total = 0
    for ship in ships:
        count = dice_of(fighters(ship))
        if count:
            faces = play.dice.throw(
                Die.D6,
                count,
                clause="T.B12d",
                subjects=(battle.move, ship.id, against.id, 1 + play.again("melee", ship.id, against.id)),
                reason="boarding",
            )
            total += sum(table[face - 1] for face in faces)
    return total


def _fall(ships: Sequence[Ship], killed: int) -> None:
    """Share the killed among the ships in proportion to fighters, remainders to the larger. Rule: T.B12n."""
    whole = strength(ships)
    if not whole:
        return
    killed = min(killed, whole)
    shares = {ship.id: killed * fighters(ship) // whole for ship in ships}
    rest = killed - sum(shares.values())
    while rest:
        for ship in sorted(ships, key=lambda one: (-fighters(one), one.id)):
            if rest and shares[ship.id] < fighters(ship):
                shares[ship.id] += 1
                rest -= 1
    for ship in ships:
        if ship.prize_of:
            ship.guard_halves -= 2 * shares[ship.id]
        else:
            ship.crew_halves -= 2 * shares[ship.id]
            ship.fallen += shares[ship.id]
