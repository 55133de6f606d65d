"""Orders of one ship in one line, and what is wrong with them as things stand.

    A A S G:D07 | port>D03 starboard>- board:D07 avoid:D09 part:D07 fire

Left of the bar the movement tokens of K.M31, "-" for none; nothing there leaves her movement to her captain. Right of it, in
any order: a target or "-" (hold fire) for a broadside, enemies to board or to avoid, enemies to part from or to keep hold of,
and "fire" for a fire ship that is to be fired (also written as the token X). In ids, spaces, bars and % signs are
written %20, %7C, %25. Rules: K.M31, K.F1, K.B1, K.B26, K.X4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

from battles.engine.core.errors import NotationError, OrderFault
from battles.engine.core.orders import Refusals, halves, is_target, joined, lost, standing, written
from battles.engine.rulesets.kohler.passage import REFUSALS, foresee
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.shore import at_anchor
from battles.engine.rulesets.kohler.state import Battle, Ship, Status

CLAUSES = Refusals(unreadable="K.M31", over="K.G9", not_yours="K.0.7", not_here="K.G9")
_SIMPLE = frozenset({"A", "P", "S", "TP", "TS", "X", "W0", "W1", "W2", "W3", "W4", "W5"})
_BROADSIDES = ("port", "starboard")
_WISHES: Mapping[str, tuple[str, bool]] = {
    "board": ("intents", True),
    "avoid": ("intents", False),
    "part": ("part", True),
    "keep": ("part", False),
}


def parse(text: str) -> Orders:
    """Read one line of orders. Raises NotationError naming every word that cannot be read or contradicts another."""
    movement, rest = halves(text)
    wrong: list[str] = []
    tokens = [_token(word, wrong) for word in movement]
    fire_ship = "X" in tokens
    tokens = [token for token in tokens if token != "X"]
    if "-" in tokens and len(tokens) > 1:
        wrong.append('"-" stands for no movement and must stand alone')
    tables: dict[str, dict[str, bool]] = {"intents": {}, "part": {}}
    targets: dict[str, str] = {}
    for word in rest:
        if word.lower() == "fire":
            fire_ship = True
        elif is_target(word):
            _target(word, targets, wrong)
        else:
            _wish(word, tables, wrong)
    if wrong:
        raise NotationError("; ".join(wrong))
    return Orders(
        tokens=None if not tokens else () if tokens == ["-"] else tuple(tokens),
        targets=targets,
        intents=tables["intents"],
        part=tables["part"],
        fire_ship=fire_ship,
    )


def render(orders: Orders) -> str:
    """Write orders in one line, so that `parse` gives the same orders back."""
    left = "" if orders.tokens is None else " ".join(map(_write_token, orders.tokens)) or "-"
    right = [f"{side}>{written(code) or '-'}" for side, code in orders.targets.items()]
    for word, (table, value) in _WISHES.items():
        wishes: Mapping[str, bool] = getattr(orders, table)
        right += [f"{word}:{written(code)}" for code, wish in wishes.items() if wish is value]
    if orders.fire_ship:
        right.append("fire")
    return joined(left, right)


def _token(word: str, wrong: list[str]) -> str:
    upper = word.upper()
    if upper in _SIMPLE or upper == "-":
        return upper
    if upper[:2] == "G:" and len(word) > 2:
        return f"G:{unquote(word[2:])}"
    wrong.append(f"{word!r} is not a movement: use A, P, S, TP, TS, G:ship, W0 to W5, X or -")
    return ""


def _target(word: str, targets: dict[str, str], wrong: list[str]) -> None:
    side, _, code = word.partition(">")
    side = side.lower()
    if side not in _BROADSIDES or not code:
        wrong.append(f"{word!r} is not a target: use port>ship, starboard>ship, or port>- to hold fire")
    elif side in targets:
        wrong.append(f"{side} has two targets; give each broadside one")
    else:
        targets[side] = "" if code == "-" else unquote(code)


def _wish(word: str, tables: Mapping[str, dict[str, bool]], wrong: list[str]) -> None:
    name, _, code = word.partition(":")
    if name.lower() not in _WISHES or not code:
        wrong.append(f"{word!r} is not known here: use board:, avoid:, part: or keep: with a ship, or fire")
        return
    table, value = _WISHES[name.lower()]
    code = unquote(code)
    if tables[table].get(code, value) is not value:
        wrong.append(f"{code} already has the opposite order to {word!r}")
    tables[table][code] = value


def _write_token(token: str) -> str:
    return f"G:{written(token[2:])}" if token[:2] == "G:" else token


def faults(battle: Battle, side: str, ship_id: str, orders: Orders) -> tuple[OrderFault, ...]:
    """Everything wrong with a ship's orders for a side, as things stand now; empty when they can be begun.

    What other ships may yet put right is no fault: a friend ahead who is able to move off, an enemy who may be met where she is
    to be grappled. An order that cannot be carried out when its time comes is dropped then (K.M31).
    """
    against = standing(battle, side, ship_id, CLAUSES) or lost(battle.ships[ship_id], CLAUSES)
    if against:
        return (against,)
    ship = battle.ships[ship_id]
    if ship.fired:
        return (OrderFault("order/burning", "K.X6", f"{ship.name} is burning and its crew has left."),)
    return (*_token_faults(battle, ship, orders), *_other_faults(battle, ship, orders))


def _token_faults(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    """The first movement token that cannot be carried out; the rest would be dropped with it. Rule: K.M31."""
    tokens = orders.tokens or ()
    if not tokens:
        return
    code, number = ("locked", 0) if ship.locks else _refusal(battle, ship, tokens)
    if not code:
        return
    clause, sentence = REFUSALS[code]
    yield OrderFault(
        f"order/{code}", clause, f"{ship.name}, {tokens[number]} (order {number + 1}): {sentence}."
    )


def _refusal(battle: Battle, ship: Ship, tokens: tuple[str, ...]) -> tuple[str, int]:
    """The refusal that stands even when all friends able to move have made way: code and place, ("", 0) when there is none."""
    _, number, code = foresee(battle, ship, tokens)
    if code == "occupied":
        way = {
            cell: [
                one for one in group if one is ship or not battle.friends(ship, one) or _stays(battle, one)
            ]
            for cell, group in battle.at.items()
        }
        _, number, code = foresee(replace(battle, at=way), ship, tokens)
    if code == "no-enemy" and _may_be_met(battle, ship, tokens[number][2:]):
        return "", 0
    return code, number


def _stays(battle: Battle, ship: Ship) -> bool:
    return bool(ship.locks) or ship.aground or ship.disabled or at_anchor(battle, ship)


def _may_be_met(battle: Battle, ship: Ship, code: str) -> bool:
    enemy = battle.ships.get(code)
    return enemy is not None and enemy.afloat and not enemy.fired and enemy.flag != ship.flag


def _other_faults(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    """Faults of targets, wishes and the firing of fire ships. Rules: K.F1, K.F18, K.B1, K.B26, K.X4."""
    for broadside, code in orders.targets.items():
        if code:
            yield from _enemy_faults(battle, ship, code, "target", "K.F1", f"{broadside} broadside")
    for code in orders.intents:
        yield from _enemy_faults(battle, ship, code, "boarding", "K.B1", "boarding")
    for code in orders.part:
        yield from _enemy_faults(battle, ship, code, "parting", "K.B26", "parting")
    if orders.fire_ship and not ship.is_fireship:
        yield OrderFault("order/no-fire-ship", "K.X4", f"{ship.name} is not a fire ship.")


def _enemy_faults(
    battle: Battle, ship: Ship, code: str, what: str, clause: str, words: str
) -> Iterator[OrderFault]:
    """What is wrong with a ship named as an enemy."""
    enemy = battle.ships.get(code)
    if enemy is None or enemy.status is Status.EXPECTED:
        text = f"there is no ship {code!r} in this battle"
        yield OrderFault(f"order/{what}-unknown", clause, f"{ship.name}, {words}: {text}.")
    elif enemy is ship or battle.friends(ship, enemy):
        yield OrderFault(f"order/{what}-friend", clause, f"{ship.name}, {words}: {enemy.name} is a friend.")
    elif not enemy.afloat:
        yield OrderFault(f"order/{what}-lost", clause, f"{ship.name}, {words}: {enemy.name} is lost.")
