"""Hull points crossed off, steps lost, ships sunk, blown up and taken. Rules: K.D, K.B21-K.B25, K.C5.

A flag officer's luck is noted in `battle.officers` by squadron id as (ship id, what befell him, clause): "hit", "sunk",
"hit sunk" and "hit captured" wait for the dice of K.G11 at the battle's end; killed, wounded, captured and unhurt are final.
"""

from __future__ import annotations

from battles.engine.rulesets.kohler.placing import forget, settle
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status


def fire_now(ship: Ship, drop: int = 0) -> int:
    """Fire points (doubled) of each of her broadsides now, 0 past the end of the track.

    drop: further steps for this shot. Steps lost and swept gun decks count alike. Rules: K.D5, K.D9, K.C7, K.F12.
    """
    index = ship.steps_lost + len(ship.gun_timers) + drop
    return ship.fire_track[index] if index < len(ship.fire_track) else 0


def steps_at(thresholds: tuple[int, ...], lost: int) -> int:
    """Steps lost at so many hull points lost. Rules: K.D4, K.D8."""
    steps = 0
    for threshold in thresholds:
        if lost < threshold:
            break
        steps += 1
    return steps


def cross_off(
    battle: Battle, play: Play, ship: Ship, *, struct: int = 0, board: int = 0, clause: str = "K.D1"
) -> int:
    """Cross off hull points and return how many were truly lost; hits beyond the last point are ignored.

    struct: by shot or fire, board: by boarding. Steps newly lost are noted for critical checks. A ship brought to 0 by struct
    sinks, a fired fire ship is burnt out; one brought to 0 by board is left to `capture`, which the caller owes her. Nothing
    happens to a ship that is no longer afloat. Rules: K.D1, K.D4, K.D6, K.D10, K.D11, K.D12, K.D13, K.B20, K.B21, K.B23, K.X7.
    """
    if ship.status is not Status.AFLOAT:
        return 0
    struct = min(struct, ship.hull_left)
    board = min(board, ship.hull_left - struct)
    if not struct and not board:
        return 0
    ship.hits_struct += struct
    ship.hits_board += board
    before, ship.steps_lost = ship.steps_lost, steps_at(ship.thresholds, ship.hits_struct + ship.hits_board)
    if not ship.fired:
        ship.unchecked_steps += range(before + 1, min(ship.steps_lost, ship.n_steps - 1) + 1)
    if play.log is not None:
        play.log.add(
            "damage", clause, ship.id, struct=struct, board=board, left=ship.hull_left, steps=ship.steps_lost,
            level=ship.move_level, fire=fire_now(ship),
        )  # fmt: skip
    if ship.hull_left == 0 and not board:
        if ship.fired:
            burn_out(battle, play, ship)
        else:
            sink(battle, play, ship, clause=clause)
    return struct + board


def sink(battle: Battle, play: Play, ship: Ship, *, clause: str) -> None:
    """The ship is lost and her wreck lies in the way: fires out, holds ended, no checks. Rules: K.D12, K.B23, K.C1."""
    ship.status = Status.SINKING
    ship.cause = _CAUSES.get(clause[:3], "")
    ship.fires.clear()
    ship.unchecked_steps.clear()
    _let_go(battle, ship)
    _befall(battle, ship, "sunk")
    if play.log is not None:
        play.log.add("sunk", "K.D12", ship.id, by=ship.cause)


# Causes by family of the clause that crossed off the last point.
_CAUSES = {"K.F": "gunfire", "K.C": "fire", "K.X": "burning", "K.G": "aground", "K.D": "gunfire"}


def burn_out(battle: Battle, play: Play, ship: Ship) -> None:
    """A fired fire ship is gone, without a wreck, and whom she held is free. Rules: K.X7, K.X14."""
    ship.cause = "fire ship"
    ship.fires.clear()
    _leave(battle, ship, Status.BURNT)
    if play.log is not None:
        play.log.add("burnt_out", "K.X7", ship.id)


def explode(battle: Battle, play: Play, ship: Ship) -> list[Ship]:
    """The ship blows up and leaves no wreck; every other ship in her hex catches a fire. Returns those ships, in list order.

    Wrecks and fired fire ships have nothing to catch. Rules: K.C5, K.G11 (her flag officer is killed).
    """
    near = [one for one in battle.at[ship.pos] if one is not ship and one.afloat and not one.fired]
    ship.cause = "fire"
    ship.fires.clear()
    ship.unchecked_steps.clear()
    _befall(battle, ship, "killed")
    _leave(battle, ship, Status.EXPLODED)
    if play.log is not None:
        play.log.add("exploded", "K.C5", ship.id)
    if len(near) > 1:
        order = {code: n for n, code in enumerate(battle.ships)}
        near.sort(key=lambda one: order[one.id])
    for one in near:
        catch_fire(battle, play, one, clause="K.C5")
    return near


def catch_fire(battle: Battle, play: Play, ship: Ship, *, clause: str) -> None:
    """One more fire aboard, kept by the turn it began. Rules: K.C3, K.C4, K.X10, K.X13."""
    ship.fires.append(battle.turn)
    if play.log is not None:
        play.log.add("alight", clause, ship.id, fires=len(ship.fires))


def capture(battle: Battle, play: Play, ship: Ship, captor: Ship) -> None:
    """The ship is taken, or taken back by her old side: grapples end, boarding hits are cancelled, steps counted afresh.

    She lies beside her captor without a collision. A ship taken back keeps the limits of a prize, so `prize_of` then names her
    own side. Rules: K.B22, K.B24, K.B25, K.G11 (her flag officer is a prisoner).
    """
    for lock in [lock for lock in ship.locks if lock.kind is LockKind.GRAPPLE]:
        battle.unlock(lock)
    retaken = captor.flag == ship.side
    if not retaken:
        _befall(battle, ship, "captured")
    ship.prize_of = captor.flag
    ship.captor_ship = captor.id
    ship.hits_board = 0
    ship.steps_lost = steps_at(ship.thresholds, ship.hits_struct)
    ship.unchecked_steps.clear()
    ship.gun_timers.clear()
    _forget_places(battle, ship)
    settle(battle, ship.pos)
    if play.log is not None:
        if retaken:
            play.log.add("retaken", "K.B25", ship.id, by=captor.id)
        else:
            play.log.add("captured", "K.B22", ship.id, captor=captor.id, side=captor.flag)
        play.log.add(
            "recounted", "K.B24", ship.id, left=ship.hull_left, steps=ship.steps_lost, level=ship.move_level,
            fire=fire_now(ship),
        )  # fmt: skip


def strike_flag_officer(battle: Battle, play: Play, ship: Ship) -> bool:
    """The flag officer aboard, if there is one, is out of action for the battle. Rule: K.C9. Returns whether there was."""
    if not has_flag_officer(battle, ship):
        return False
    ship.flag_officer_ok = False
    battle.officers[ship.squadron] = (ship.id, "hit", "K.C9")
    if play.log is not None:
        play.log.add("flag_hit", "K.C9", ship.id, officer=battle.squadrons[ship.squadron].officer)
    return True


def has_flag_officer(battle: Battle, ship: Ship) -> bool:
    """Whether a flag officer fit for duty is aboard: a new flagship has none. Rules: K.S5, K.I10, K.C9."""
    squadron = battle.squadrons.get(ship.squadron)
    return (
        ship.is_flagship
        and ship.flag_officer_ok
        and squadron is not None
        and squadron.flagship == ship.id
        and not squadron.flag_lost
        and squadron.id not in battle.officers
    )


def _befall(battle: Battle, ship: Ship, what: str) -> None:
    """Note what the loss of a flagship means for the officer aboard. Rule: K.G11."""
    known = battle.officers.get(ship.squadron)
    if known is not None and known[:2] == (ship.id, "hit"):
        fate = "killed" if what == "killed" else f"hit {what}"
        battle.officers[ship.squadron] = (ship.id, fate, "K.G11")
    elif has_flag_officer(battle, ship):
        battle.officers[ship.squadron] = (ship.id, what, "K.G11")
        ship.flag_officer_ok = False


def _let_go(battle: Battle, ship: Ship) -> None:
    for lock in list(ship.locks):
        battle.unlock(lock)
    _forget_places(battle, ship)
    settle(battle, ship.pos)


def _leave(battle: Battle, ship: Ship, status: Status) -> None:
    """Take her off the board; those who shared her hex lie freer."""
    _forget_places(battle, ship)
    battle.remove(ship, status)
    settle(battle, ship.pos)


def _forget_places(battle: Battle, ship: Ship) -> None:
    """Who lies on which side of her matters no longer. Rule: K.B12."""
    ship.placement.clear()
    forget(ship, battle.at.get(ship.pos, ()))
