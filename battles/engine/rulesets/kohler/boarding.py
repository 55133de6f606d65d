"""Phase 4b: boarding rounds, captures and partings of grappled pairs. Rules: K.B15-K.B30, K.G10, K.D13."""

from __future__ import annotations

from battles.engine.core.dice import Die
from battles.engine.rulesets.kohler import contact, damage
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Lock, LockKind, Ship

# Rounds fought on after a battle before the boarders of both ships are held to be spent; level fights end long before.
_LAST_ROUND = 100


def rounds(battle: Battle, play: Play) -> None:
    """One round for every grappled pair, in the order formed, each with its parting at once. Rules: K.B15, K.B29, K.T3."""
    for lock in [one for one in battle.locks if one.kind is LockKind.GRAPPLE]:
        if lock in battle.locks:
            fight_round(battle, play, lock)


def fight_out(battle: Battle, play: Play) -> None:
    """After the battle: grappled pairs fight on, rounds and partings only, until taken or parted. Rule: K.G10."""
    for number in range(1, _LAST_ROUND + 1):
        going_on = [one for one in battle.locks if one.kind is LockKind.GRAPPLE]
        if not going_on:
            return
        for lock in going_on:
            if lock in battle.locks:
                fight_round(battle, play, lock, number=number)
    for lock in [one for one in battle.locks if one.kind is LockKind.GRAPPLE]:
        _part(battle, play, lock, battle.ships[lock.a], battle.ships[lock.b])


def fight_round(battle: Battle, play: Play, lock: Lock, *, number: int = 0) -> None:
    """One boarding round of a pair: two average dice and the hull left on each side; then the capture or the parting.

    number: 0 in a turn of the battle, counted from 1 for the rounds fought after it. The ship that grappled throws first. A prize
    has no company of her own: she changes hands unless a ship of her captor lies in the hex, who must be fought first.
    Rules: K.B16, K.B17, K.B22, K.B25, K.D13.
    """
    first, second = battle.ships[lock.a], battle.ships[lock.b]
    if first.prize_of or second.prize_of:
        _take_prize(battle, play, lock, first, second)
        return
    totals = [
        sum(
            _two(
                play,
                "K.B16",
                (battle.turn, "round", number, one.id, other.id),
                "boarding round",
            )
        )
        + one.hull_left
        for one, other in ((first, second), (second, first))
    ]
    if totals[0] == totals[1]:
        _log_round(play, first, second, totals, "", 0, 0)
        _separate(battle, play, lock, None, number)
        return
    winner, loser = (first, second) if totals[0] > totals[1] else (second, first)
    inflicted, cost = losses(battle, winner, loser, abs(totals[0] - totals[1]))
    _log_round(play, first, second, totals, winner.id, inflicted, cost)
    lock.lost[loser.id] = lock.lost.get(loser.id, 0) + 1
    if cost:
        damage.cross_off(battle, play, winner, board=cost, clause="K.B19")
    if inflicted >= loser.hull_left:
        damage.capture(battle, play, loser, winner)
        return
    if inflicted:
        damage.cross_off(battle, play, loser, board=inflicted, clause="K.B18")
    _separate(battle, play, lock, winner, number)


def losses(battle: Battle, winner: Ship, loser: Ship, difference: int) -> tuple[int, int]:
    """Hull points the loser and the winner of a round lose.

    Half the difference, rounded up (down by the switch `boarding_round`), at most what the loser has; the winner one for each
    full three that were lost, never her last. Rules: K.B18, K.B19, K.B20, K.B21.
    """
    down = battle.options.get("boarding_round", "up") == "down"
    half = difference // 2 if down else (difference + 1) // 2
    inflicted = min(half, loser.hull_left)
    return inflicted, min(inflicted // 3, winner.hull_left - 1)


def _separate(battle: Battle, play: Play, lock: Lock, winner: Ship | None, number: int) -> None:
    """Whether the pair parts after a round: by consent without dice, else the winner may try. Rules: K.B26, K.B27, K.B28."""
    first, second = battle.ships[lock.a], battle.ships[lock.b]
    wishes = {one.id: _wishes_to_part(play, one, lock.other(one.id)) for one in (first, second)}
    if all(wishes.values()):
        _part(battle, play, lock, first, second)
        return
    if winner is None or not wishes[winner.id]:
        return
    holder = second if winner is first else first
    if parts(battle, play, lock, holder, winner, number=number):
        _part(battle, play, lock, winner, holder)


def parts(
    battle: Battle,
    play: Play,
    lock: Lock,
    holder: Ship,
    winner: Ship,
    *,
    number: int = 0,
) -> bool:
    """Whether the winner of a round gets clear: a grapple contest in which the other catches and throws first.

    One less for the winner who has lost an earlier round of this action. Rules: K.B26, K.B3, K.B4.
    """
    catch = _one(play, (battle.turn, "part", number, holder.id, winner.id), "holding on")
    clear = _one(play, (battle.turn, "part", number, winner.id, holder.id), "getting clear")
    attacker = catch + contact.modifiers(battle, holder, winner)
    defender = clear + contact.modifiers(battle, winner, holder) - (1 if lock.lost.get(winner.id) else 0)
    if play.log is not None:
        play.log.add(
            "contact", "K.B26", holder.id, target=winner.id, attacker=attacker, defender=defender,
            made=attacker >= defender, kind=LockKind.GRAPPLE.value,
        )  # fmt: skip
    return defender > attacker


def _wishes_to_part(play: Play, ship: Ship, enemy: str) -> bool:
    """Her orders, else her captain, else the wish to avoid. Rules: K.B26, K.B1."""
    orders = play.orders.get(ship.id)
    if orders is not None:
        if enemy in orders.part:
            return orders.part[enemy]
        if enemy in orders.intents:
            return not orders.intents[enemy]
    captain = play.captains.get(ship.flag)
    if captain is not None:
        return captain.parts(play.views[ship.flag], ship.id, enemy)
    return True


def _take_prize(battle: Battle, play: Play, lock: Lock, first: Ship, second: Ship) -> None:
    """A grappled prize goes to the ship that holds her, unless a ship of her captor lies there.

    While she is guarded there is no one aboard to fight or to hold on: the other may cast off. Rules: K.B24, K.B25, G.PR3.
    """
    prize, other = (first, second) if first.prize_of else (second, first)
    guarded = any(
        one.flag == prize.flag and one is not prize and not one.prize_of and not one.fired and one.afloat
        for one in battle.at.get(prize.pos, ())
    )
    if other.prize_of or (guarded and _wishes_to_part(play, other, prize.id)):
        _part(battle, play, lock, other, prize)
    elif not guarded:
        damage.capture(battle, play, prize, other)


def _part(battle: Battle, play: Play, lock: Lock, one: Ship, other: Ship) -> None:
    battle.unlock(lock)
    if play.log is not None:
        play.log.add("freed", "K.B27", one.id, target=other.id, kind=lock.kind.value)


def _two(play: Play, clause: str, subjects: tuple[str | int, ...], reason: str) -> tuple[int, ...]:
    return play.dice.throw(Die.AVERAGE, 2, clause=clause, subjects=subjects, reason=reason)


def _one(play: Play, subjects: tuple[str | int, ...], reason: str) -> int:
    return play.dice.average(clause="K.B26", subjects=subjects, reason=reason)


def _log_round(
    play: Play,
    first: Ship,
    second: Ship,
    totals: list[int],
    winner: str,
    inflicted: int,
    cost: int,
) -> None:
    if play.log is not None:
        play.log.add(
            "boarding", "K.B16", first.id, target=second.id, own=totals[0], other=totals[1], winner=winner,
            inflicted=inflicted, cost=cost,
        )  # fmt: skip
