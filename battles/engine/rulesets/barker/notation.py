"""Orders in one line, and what of them can never be. Rules: P.K47, P.K48.

    T+90 C / P+90 C / C P / C | main>R3 ahead>- pay:1

Left of the bar plans of movement in the order of wish, parted by slashes; right of it words for fire, lights and all else. Plans are
weighed and chosen in plans.py, when the formation's turn comes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, unquote

from battles.engine.core.errors import NotationError, OrderFault
from battles.engine.core.orders import Refusals, halves, is_target, joined, lost, standing
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker import plans
from battles.engine.rulesets.barker.play import SLOTS, Orders, Plan, Token
from battles.engine.rulesets.barker.state import Battle, Status, Unit
from battles.engine.rulesets.barker.tables import YARD

CLAUSES = Refusals(unreadable="P.K47", over="P.O01", not_yours="P.K48", not_here="P.S34")
# The most that a die gives. Rule: P.I01.
MOST = 6
_TOKEN = re.compile(r"(?P<kind>[CXSRDOPT])(?P<turn>[+-]\d{1,2}(?:\.\d{1,2})?)?(?::(?P<cut>\d{1,4}))?")
_RISE = re.compile(r"U(?P<heading>\d{3})@(?P<x>-?\d{1,6}),(?P<y>-?\d{1,6})")
_POINT = re.compile(r"(-?\d{1,6}),(-?\d{1,6})")
_LEAST_TURN = 100


def parse(text: str) -> Orders:
    """Read one line. Raises NotationError that names every word that cannot be read or comes twice. Rule: P.K47."""
    left, right = halves(text)
    wrong: list[str] = []
    orders: dict[str, Any] = {"targets": {}, "fakes": {}}
    if left:
        orders["plans"] = tuple(_plan(words.split(), wrong) for words in " ".join(left).split("/"))
    for word in right:
        if is_target(word):
            _target(word, orders["targets"], wrong)
        else:
            _word(word, orders, wrong)
    if wrong:
        raise NotationError("; ".join(wrong))
    return Orders(**orders)


def _plan(words: list[str], wrong: list[str]) -> Plan:
    if words == ["-"]:
        return ()
    if not words:
        wrong.append("a plan between slashes is empty; write - for the compulsory move alone")
    tokens = []
    for word in words:
        token = _token(word)
        if token is None:
            wrong.append(
                f"{word!r} cannot be read as a move; use C, X, P, P+45, T-90, O, S, R, D or U090@-120,640, with turns from 1 to 90 degrees"
            )
        else:
            tokens.append(token)
    return tuple(tokens)


def _token(word: str) -> Token | None:
    """One move, None for a word that cannot be read."""
    rise = _RISE.fullmatch(word.upper())
    if rise is not None and int(rise["heading"]) < 360:
        return Token("U", int(rise["heading"]) * 100, at=(int(rise["x"]) * YARD, int(rise["y"]) * YARD))
    found = _TOKEN.fullmatch(word.upper())
    if found is None:
        return None
    kind, turn = found["kind"], found["turn"]
    by = _hundredths(turn) if turn else 0
    if turn and (kind not in "OPT" or not _LEAST_TURN <= abs(by) <= plans.MOST_TURN):
        return None
    if (kind == "T" and not turn) or (found["cut"] and kind not in "PT"):
        return None
    return Token(kind, by, int(found["cut"]) * YARD if found["cut"] else -1)


def _hundredths(turn: str) -> int:
    whole, _, part = turn[1:].partition(".")
    by = int(whole) * 100 + int(part.ljust(2, "0") or 0)
    return -by if turn[0] == "-" else by


def _target(word: str, targets: dict[str, str], wrong: list[str]) -> None:
    slot, _, code = word.partition(">")
    slot = slot.lower()
    if slot not in SLOTS or not code:
        wrong.append(
            f"{word!r} cannot be read as a target; use one of {', '.join(SLOTS)} with an id or -: main>ID"
        )
    elif slot in targets:
        wrong.append(f"{slot} comes twice")
    else:
        targets[slot] = "" if code == "-" else unquote(code)


def _word(word: str, orders: dict[str, Any], wrong: list[str]) -> None:
    """Any word but a target: `name:value`."""
    name, _, value = word.partition(":")
    name = name.lower()
    read = _READ.get(name)
    if read is None or not value:
        wrong.append(
            f"{word!r} cannot be read; use a target, as main>ID, or one of {', '.join(_READ)}: pay:1"
        )
        return
    key, found = read(value)
    if found is _UNREAD:
        wrong.append(f"{word!r} cannot be read; {_HOW[name]}")
    elif key == "fakes":
        if set(found) & set(orders["fakes"]):
            wrong.append(f"fake:{next(iter(found))} comes twice")
        orders["fakes"].update(found)
    elif key in orders:
        wrong.append(f"{name} comes twice")
    else:
        orders[key] = found


_UNREAD = object()


def _ids(value: str) -> tuple[str, Any]:
    return "with_", () if value == "-" else tuple(unquote(code) for code in value.split(",") if code)


def _place(value: str) -> tuple[str, Any]:
    good = value.isascii() and value.isdecimal() and len(value) <= 3 and int(value) > 0
    return "pay", int(value) if good else _UNREAD


def _light(value: str) -> tuple[str, Any]:
    return "light", "" if value == "-" else unquote(value)


def _fake(value: str) -> tuple[str, Any]:
    number, _, where = value.partition("@")
    point = _POINT.fullmatch(where)
    if number not in ("1", "2") or (point is None and where != "-"):
        return "fakes", _UNREAD
    at = None if point is None else (int(point[1]) * YARD, int(point[2]) * YARD)
    return "fakes", {int(number): at}


_READ: dict[str, Callable[[str], tuple[str, Any]]] = {
    "with": _ids,
    "pay": _place,
    "light": _light,
    "flag": lambda value: ("flag", unquote(value)),
    "hail": lambda value: ("hail", unquote(value)),
    "lay": lambda value: ("lay", {"yes": True, "no": False}.get(value.lower(), _UNREAD)),
    "act": lambda value: ("act", {"yes": True}.get(value.lower(), _UNREAD)),
    "fake": _fake,
}
_HOW = {
    "pay": "it is the place in the queue for the group's die: pay:1",
    "lay": "use lay:yes or lay:no",
    "act": "use act:yes",
    "fake": "use fake:1@x,y with whole yards, or fake:1@- to remove the marker",
}


def render(orders: Orders) -> str:
    """Write orders in one line, so that `parse` gives the same orders back. Rule: P.K47."""
    words = [f"{slot}>{_written(orders.targets[slot]) or '-'}" for slot in SLOTS if slot in orders.targets]
    if orders.with_ is not None:
        words.append(f"with:{','.join(_written(code) for code in orders.with_) or '-'}")
    if orders.pay:
        words.append(f"pay:{orders.pay}")
    if orders.light is not None:
        words.append(f"light:{_written(orders.light) or '-'}")
    words += [
        f"{name}:{_written(code)}" for name, code in (("flag", orders.flag), ("hail", orders.hail)) if code
    ]
    if orders.lay is not None:
        words.append("lay:yes" if orders.lay else "lay:no")
    if orders.act:
        words.append("act:yes")
    for number, at in sorted(orders.fakes.items()):
        words.append(f"fake:{number}@{'-' if at is None else _yards(at)}")
    return joined(" / ".join(plan_text(plan) for plan in orders.plans), words)


def plan_text(plan: Plan) -> str:
    """A plan as it is written."""
    return " ".join(token_text(token) for token in plan) or "-"


def token_text(token: Token) -> str:
    """A move as it is written. Rule: P.K47."""
    if token.kind == "U":
        return f"U{token.turn // 100:03d}@{_yards(token.at or (0, 0))}"
    turn = cut = ""
    if token.turn:
        whole, part = divmod(abs(token.turn), 100)
        turn = f"{'-' if token.turn < 0 else '+'}{whole}" + (f".{part:02d}".rstrip("0") if part else "")
    if token.cut >= 0:
        cut = f":{token.cut // YARD}"
    return token.kind + turn + cut


def _yards(at: Point) -> str:
    return f"{at[0] // YARD},{at[1] // YARD}"


def _written(code: str) -> str:
    """An id with what the notation needs for itself as per cent signs. Rule: P.K47."""
    return "%2D" if code == "-" else re.sub(r"[\s|/,@%]", lambda found: quote(found.group(), safe=""), code)


def faults(battle: Battle, side: str, code: str, orders: Orders) -> tuple[OrderFault, ...]:
    """What of a unit's orders can never be; not what only the die or the moment may forbid. Rules: P.K48, P.K36."""
    against = standing(battle, side, code, CLAUSES) or lost(battle.ships[code], CLAUSES)
    if against:
        return (against,)
    unit = battle.ships[code].unit
    if code != unit.id:
        first = battle.ships[unit.id].name
        text = f"{battle.ships[code].name} is paired with {first}; give the order to {first}."
        return (OrderFault("order/second-boat", "P.K36", text),)
    return (*_plan_faults(battle, unit, orders), *_id_faults(battle, unit, orders))


def _plan_faults(battle: Battle, unit: Unit, orders: Orders) -> Iterator[OrderFault]:
    """Rules: P.M03-P.M07, P.M19, P.M25, P.I07, P.K48."""
    for plan in orders.plans:
        text = plan_text(plan)
        try:
            points = plans.least(battle, unit, plan)
        except plans.Refused as refused:
            yield OrderFault(refused.code, refused.clause, f"{unit.name} can never make {text}.")
            continue
        if points > MOST:
            yield OrderFault(
                "order/too-dear",
                "P.K48",
                f"{text} costs {unit.name} {points} points at least; a die gives {MOST}.",
            )


def _id_faults(battle: Battle, unit: Unit, orders: Orders) -> Iterator[OrderFault]:
    """Ids that mean nothing to the side that gives the order. Rules: P.K48, P.K45."""
    named = [*orders.targets.values(), *(orders.with_ or ()), orders.light or "", orders.flag, orders.hail]
    for code in dict.fromkeys(named):
        if code and not _is_known(battle, unit.side, code):
            yield OrderFault("order/unknown-ship", "P.K48", f"There is no ship {code!r} in this battle.")


def _is_known(battle: Battle, side: str, code: str) -> bool:
    """Whether an id may be named without giving a secret away: an enemy still to come, or in disguise, has none. Rule: P.K45."""
    unit = battle.units.get(code)
    if unit is None:
        return any(code == other.contact for other in battle.units.values() if other.contact)
    return unit.side == side or not (unit.status is Status.EXPECTED or unit.disguised)
