"""Ships that come into one hex: grapples, collisions, and fire ships that strike. Rules: K.B1-K.B14, K.M24-K.M27, K.X8-K.X12."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from battles.engine.rulesets.kohler.damage import capture, catch_fire
from battles.engine.rulesets.kohler.passage import boards, can_be_boarded, is_held_prize
from battles.engine.rulesets.kohler.placing import in_the_way, meet_as
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.shore import at_anchor
from battles.engine.rulesets.kohler.state import Battle, Helm, Lock, LockKind, Ship, Status, WindForce


class Contest(NamedTuple):
    """A throw of catcher against evader, with their totals; ties hold. Rule: K.B3."""

    held: bool
    attacker: int
    defender: int


def meet(
    battle: Battle,
    play: Play,
    mover: Ship,
    *,
    wanted: str = "",
    forced: bool = False,
    adrift: bool = False,
    fire_only: bool = False,
) -> bool:
    """What happens between a ship that has just come into a hex and those that lie there; whether her movement ends.

    wanted: id of the ship her next order grapples. forced: she came by drift or by a hit helm, so friends and wrecks may be in
    the way. adrift: she came without sailing, so she attacks by intent. fire_only: nothing but burning fire ships counts.
    Ships are met in list order. Rules: K.B1, K.M24, K.M30, K.X8.
    """
    here = battle.at[mover.pos]
    if len(here) < 2:
        return False
    halted = False
    # Of two ships one is the mover, so only a crowd needs sorting.
    for other in list(here) if len(here) == 2 else in_list_order(battle, here):
        if other is mover or held_together(mover, other):
            continue
        if mover.fired or other.fired:
            halted = _by_fire_ship(battle, play, mover, other) or halted
        elif fire_only:
            continue
        elif in_the_way(battle, mover, other):
            if forced:
                collide(battle, play, mover, other)
                halted = True
        elif _with_enemy(battle, play, mover, other, ordered=wanted == other.id, adrift=adrift):
            halted = True
    return halted


def in_list_order(battle: Battle, ships: Sequence[Ship]) -> list[Ship]:
    """Some ships in the order of the scenario, however they were come by. Rule: K.0.5."""
    if len(ships) < 2:
        return list(ships)
    codes = {ship.id for ship in ships}
    return [ship for code, ship in battle.ships.items() if code in codes]


def held_together(a: Ship, b: Ship) -> bool:
    """Whether a lock of any kind joins two ships."""
    return any(lock.other(a.id) == b.id for lock in a.locks)


def wishes_to_board(battle: Battle, play: Play, ship: Ship, enemy: Ship) -> bool:
    """Whether a ship in contact with an enemy wishes to board her: by her orders, else by her captain, else not.

    Prizes, burning fire ships and wrecks have no boarders, and no one boards in still air. Rules: K.B1, K.B14, K.B24, K.B25.
    """
    if not ship.afloat or battle.strength is WindForce.STILL:
        return False
    if not can_be_boarded(ship, enemy) or not boards(battle, ship, enemy):
        return False
    orders = play.orders.get(ship.id)
    if orders is not None and enemy.id in orders.intents:
        return orders.intents[enemy.id]
    captain = play.captains.get(ship.flag)
    return captain is not None and captain.boards(play.views[ship.flag], ship.id, enemy.id)


def _with_enemy(battle: Battle, play: Play, mover: Ship, other: Ship, *, ordered: bool, adrift: bool) -> bool:
    """Contact of a mover with an enemy lying in the hex; whether the mover is held. Rules: K.B1, K.B2, K.B8-K.B10, K.B13."""
    meet_as(mover, other)
    if battle.strength is WindForce.STILL:
        return False
    hers = wishes_to_board(battle, play, other, mover)
    his = wishes_to_board(battle, play, mover, other)
    tries = ordered or (adrift and his)
    tries = tries and not mover.grapple_tried and boards(battle, mover, other)
    if tries:
        return grapple(battle, play, mover, other, agreed=hers)
    if hers and not other.grapple_tried:
        return grapple(battle, play, other, mover, agreed=his, mover=mover)
    return False


def grapple(
    battle: Battle, play: Play, attacker: Ship, defender: Ship, *, agreed: bool, mover: Ship | None = None
) -> bool:
    """One attempt to grapple; whether the ship that is moving (the attacker unless given) has to stop.

    agreed: the defender wishes it too, so no dice are thrown. A ship held already, aground or a prize cannot avoid it. An
    attacker who fails while lying there has spent her activation. Rules: K.B2, K.B3, K.B7, K.B8, K.B9, K.B11, K.B13, K.B25.
    """
    attacker.grapple_tried = True
    mover = mover or attacker
    other = defender if mover is attacker else attacker
    if agreed:
        contest, clause = Contest(True, 0, 0), "K.B2"
        meet_as(mover, other)
    else:
        meet_as(attacker, defender)
        if cannot_avoid(defender):
            contest, clause = Contest(True, 0, 0), "K.B11"
        else:
            clause = "K.B3"
            contest = throw_contest(
                battle, play, attacker, defender, clause, modifiers(battle, attacker, defender)
            )
    if not contest.held:
        _log_contest(play, attacker, defender, contest, clause, LockKind.GRAPPLE)
        if attacker is not mover:
            if not attacker.acted:
                attacker.acted, attacker.helm = True, Helm.SOUND
            return False
        return True
    if is_held_prize(defender):
        _log_contest(play, attacker, defender, contest, clause, LockKind.GRAPPLE)
        capture(battle, play, defender, attacker)
        return True
    first, second = (mover, other) if agreed else (attacker, defender)
    _lock(battle, play, LockKind.GRAPPLE, first, second, contest, clause)
    return True


def cannot_avoid(ship: Ship) -> bool:
    """Held already, aground, or a prize: she is grappled without dice. Rule: K.B11."""
    return bool(ship.locks) or ship.aground or bool(ship.prize_of)


def modifiers(battle: Battle, ship: Ship, against: Ship) -> int:
    """What a ship adds to her die in a contest; a wreck has nothing. Rules: K.B4, K.B5, K.M24.

    One at anchor counts as unhandy, whatever she is under sail: see "At anchor" in rules.md.
    """
    if ship.status is Status.SINKING:
        return 0
    helm = -1 if at_anchor(battle, ship) else ship.is_handy - ship.unhandy
    return helm + (ship.band < against.band) + has_initiative(battle, ship, against) - ship.steps_lost


def has_initiative(battle: Battle, ship: Ship, against: Ship) -> bool:
    """Whether a ship has the initiative over another: her group moves later, or her side wins a draw between sides.

    A fired fire ship never has it, and everyone has it over her who is not at anchor; nor does a ship at anchor, who cannot
    use it. Rules: K.I14, K.I15, K.X9.
    """
    if ship.fired or against.status is Status.SINKING or at_anchor(battle, ship):
        return False
    if against.fired:
        return True
    if ship.group_init != against.group_init:
        return ship.group_init > against.group_init
    return ship.flag != against.flag and battle.sides[ship.flag].wins_ties


def throw_contest(
    battle: Battle,
    play: Play,
    attacker: Ship,
    defender: Ship,
    clause: str,
    own: int,
) -> Contest:
    """DAve and modifiers of each, the catcher first; the evader gets clear with more, not with as much.

    own: the attacker's modifiers, which differ for a fire ship; the defender's are always `modifiers`. Rules: K.0.5, K.B3.
    """
    subjects = (battle.turn, attacker.id, defender.id)
    against = modifiers(battle, defender, attacker)
    total = own + play.dice.average(clause=clause, subjects=(*subjects, "catch"), reason="to catch or hold")
    other = against + play.dice.average(clause=clause, subjects=(*subjects, "clear"), reason="to get clear")
    return Contest(total >= other, total, other)


def collide(battle: Battle, play: Play, mover: Ship, other: Ship) -> bool:
    """A ship forced into the hex of a friend or a wreck: whether they foul each other; avoided, they lie there side by side.

    Rules: K.M23, K.M24, K.M25, K.M27, K.B6.
    """
    contest = throw_contest(battle, play, mover, other, "K.M24", modifiers(battle, mover, other))
    if contest.held:
        _lock(battle, play, LockKind.TANGLE, mover, other, contest, "K.M24")
    else:
        _log_contest(play, mover, other, contest, "K.M24", LockKind.TANGLE)
    return contest.held


def _by_fire_ship(battle: Battle, play: Play, mover: Ship, other: Ship) -> bool:
    """A burning fire ship and another in one hex; whether the mover's way ends. Rules: K.X8, K.X11, K.X15, K.B9."""
    if mover.fired and other.fired:
        return False
    if mover.fired:
        if other.status is not Status.AFLOAT:
            return False
        strike(battle, play, mover, other)
        return True
    return strike(battle, play, other, mover)


def strike(battle: Battle, play: Play, fire_ship: Ship, target: Ship) -> bool:
    """Whether a burning fire ship strikes a ship in her hex, friend or foe; if so that ship is alight and held.

    Of the fire ship's own modifiers only unhandy counts. Rules: K.X8, K.X9, K.X10, K.X18, K.B11.
    """
    if cannot_avoid(target):
        contest = Contest(True, 0, 0)
    else:
        contest = throw_contest(battle, play, fire_ship, target, "K.X8", -int(fire_ship.unhandy))
    if contest.held:
        _lock(battle, play, LockKind.FIRE_SHIP, fire_ship, target, contest, "K.X8")
        catch_fire(battle, play, target, clause="K.X10")
    else:
        _log_contest(play, fire_ship, target, contest, "K.X8", LockKind.FIRE_SHIP)
    return contest.held


def disengage(battle: Battle, play: Play, lock: Lock) -> bool:
    """A struck ship tries to get away from the fire ship; whether she is free. Failing, she has one fire more.

    Rules: K.X9, K.X12, K.X13.
    """
    fire_ship, target = battle.ships[lock.a], battle.ships[lock.b]
    contest = throw_contest(battle, play, fire_ship, target, "K.X12", -int(fire_ship.unhandy))
    _log_contest(play, fire_ship, target, contest, "K.X12", LockKind.FIRE_SHIP)
    if contest.held:
        catch_fire(battle, play, target, clause="K.X13")
        return False
    battle.unlock(lock)
    if play.log is not None:
        play.log.add("freed", "K.X12", target.id, target=fire_ship.id, kind=lock.kind.value)
    return True


def fire_the_ship(battle: Battle, play: Play, ship: Ship) -> None:
    """Fire a fire ship: her crew leaves, and ships she is lashed to are struck at once.

    The hold becomes a fire-ship lock; the first try to get away is next turn's. Rules: K.X4, K.X16, K.X12.
    """
    ship.fired = True
    if play.log is not None:
        play.log.add("fired_ship", "K.X4", ship.id)
    for lock in list(ship.locks):
        other = battle.ships[lock.other(ship.id)]
        if lock.kind is LockKind.FIRE_SHIP or not other.afloat:
            continue
        battle.unlock(lock)
        if other.fired:
            continue
        held = battle.hold(LockKind.FIRE_SHIP, ship, other)
        held.formed, held.parted_try = lock.formed, battle.turn
        if play.log is not None:
            play.log.add("locked", "K.X16", ship.id, target=other.id, kind=LockKind.FIRE_SHIP.value)
        catch_fire(battle, play, other, clause="K.X16")


def _lock(
    battle: Battle, play: Play, kind: LockKind, a: Ship, b: Ship, contest: Contest, clause: str
) -> None:
    battle.hold(kind, a, b)
    _log_contest(play, a, b, contest, clause, kind)
    if play.log is not None:
        play.log.add("locked", clause, a.id, target=b.id, kind=kind.value)


def _log_contest(play: Play, a: Ship, b: Ship, contest: Contest, clause: str, kind: LockKind) -> None:
    if play.log is not None:
        play.log.add(
            "contact",
            clause,
            a.id,
            target=b.id,
            attacker=contest.attacker,
            defender=contest.defender,
            made=contest.held,
            kind=kind.value,
        )
