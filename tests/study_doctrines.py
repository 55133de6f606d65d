"""What a captain's instructions make of him, in numbers: each instruction given both ways to the same fleet, the enemy left alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from battles.engine.core.dice import FastDice
from battles.engine.core.hexes import STEPS
from battles.engine.core.log import Log
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.state import Battle
from tests.support.fleets import document, register, side

SIZE = 8
CONVOY = 6


@dataclass(slots=True)
class Seen:
    """What was seen of one side in some battles.

    shots, hexes: broadsides and the sum of their ranges. tries: attempts to board. lit: fire ships fired. retreats, began:
    battles in which it broke off, and the turns in which it did so, added up. offing: half hexes to windward of the enemy,
    added up over turns. convoy: covered ships lost.
    """

    battles: int = 0
    turns: int = 0
    shots: int = 0
    hexes: int = 0
    tries: int = 0
    lit: int = 0
    retreats: int = 0
    began: int = 0
    offing: int = 0
    convoy: int = 0


def scenario(
    captain: str, number: int, doctrine: dict[str, Any], *, dutch: int = SIZE, convoy: bool = False
) -> Scenario:
    """An English squadron under the captain studied, with two fire ships or a convoy, and a Dutch one that wishes to fight."""
    fighting = [row for row in register() if row["ship_type"] in ("ship_of_line", "frigate")]
    english = [row for row in fighting if row["side"] == "English"]
    others = [row for row in fighting if row["side"] == "Dutch"]
    start = number % 12
    own = english[start : start + SIZE]
    if convoy:
        own = own[: SIZE // 2]
    else:
        own = own + [row for row in register() if row["ship_type"] == "fireship"][:2]
    sides = [
        side("E", "England", own, captain=captain, doctrine=doctrine),
        side("D", "Dutch Republic", others[start : start + dutch], captain="squadron"),
    ]
    if convoy:
        sides[0]["squadrons"].append(_merchants())
    return read_scenario(document(sides, code=f"D/{number}/B1"))


def _merchants() -> dict[str, Any]:
    facts = {"nation": "England", "ship_type": "merchant", "guns": 16, "tons_burthen": 300}
    ships = [{"id": f"M{n}", "name": f"Merchantman {n}", "facts": facts} for n in range(1, CONVOY + 1)]
    return {
        "id": "E-M",
        "name": "Convoy",
        "flagship": "M1",
        "ships": ships,
        "doctrine": {"stance": "hold", "board": "never"},
    }


def watch(
    captain: str, doctrine: dict[str, Any], *, runs: int, dutch: int = SIZE, convoy: bool = False
) -> Seen:
    """Fight so many battles under an instruction."""
    seen = Seen()
    rules: Any = rule_set("kohler")
    for number in range(runs):
        met = scenario(captain, number, doctrine, dutch=dutch, convoy=convoy)
        dice, log = FastDice(number), Log()
        sea = rules.begin(met, dice, log)
        captains = {side.id: rules.captains[side.captain](side.doctrine) for side in met.sides}
        began = 0
        while not rules.over(sea):
            sea = rules.advance(sea, {}, captains, dice, log)
            seen.offing += _offing(sea)
            if not began and captains["E"].breaks_off:
                began = sea.turn
        seen.retreats += began > 0
        seen.began += began
        seen.battles += 1
        seen.turns += sea.turn
        _read(seen, sea, log)
    return seen


def _read(seen: Seen, sea: Battle, log: Log) -> None:
    for event in log.events:
        ship = sea.ships.get(event.ship or "")
        if ship is None or ship.side != "E":
            continue
        if event.kind == "fire":
            seen.shots += 1
            seen.hexes += max(1, event.data["range"])
        elif event.kind == "contact" and event.data["kind"] == "grapple" and event.step in ("3b",):
            seen.tries += 1
        elif event.kind == "fired_ship":
            seen.lit += 1
    lost = (ship for code, ship in sea.ships.items() if code[0] == "M")
    seen.convoy += sum(not ship.afloat and ship.status != "gone" or bool(ship.prize_of) for ship in lost)


def _offing(sea: Battle) -> int:
    """How far the middle of the English lies to windward of the Dutch, in half hexes."""
    uq, ur = STEPS[sea.upwind]
    own = [ship.pos for ship in sea.ships.values() if ship.afloat and ship.flag == "E"]
    their = [ship.pos for ship in sea.ships.values() if ship.afloat and ship.flag == "D"]
    if not own or not their:
        return 0
    dq = sum(q for q, _ in own) // len(own) - sum(q for q, _ in their) // len(their)
    dr = sum(r for _, r in own) // len(own) - sum(r for _, r in their) // len(their)
    return 2 * (dq * uq + dr * ur) + dq * ur + dr * uq


def rows(captain: str, *, runs: int) -> Iterator[str]:
    """The table, line by line."""
    yield ""
    yield f"{captain} under instructions, {SIZE} English ships against {SIZE} Dutch, {runs} battles each"

    def told(**doctrine: Any) -> Seen:
        return watch(captain, doctrine, runs=runs)

    close, far = told(fight_at="close"), told(fight_at="long")
    yield f"mean range of a broadside: close {close.hexes / close.shots:.2f}, long {far.hexes / far.shots:.2f}"
    up, down = told(gauge="windward"), told(gauge="leeward")
    yield (
        f"hexes to windward of the enemy, mean of all turns: windward {up.offing / 2 / up.turns:+.1f}, "
        f"leeward {down.offing / 2 / down.turns:+.1f}"
    )
    may, may_not = told(), told(board="never")
    yield f"attempts to board in a battle: allowed {may.tries / runs:.1f}, forbidden {may_not.tries / runs:.1f}"
    none = told(fire_ships=False)
    yield f"fire ships let go in a battle: allowed {may.lit / runs:.1f}, forbidden {none.lit / runs:.1f}"
    early, never = (watch(captain, {"break_off": lost}, runs=runs, dutch=3 * SIZE // 2) for lost in (15, 100))
    yield (
        f"against half as many again: told to break off at 15 per cent, does so in {early.retreats} of {runs} battles, "
        f"on turn {early.began / max(1, early.retreats):.1f}; told never to, in {never.retreats}"
    )
    codes = [f"M{n}" for n in range(1, CONVOY + 1)]
    bare = watch(captain, {}, runs=runs, dutch=2 * SIZE, convoy=True)
    kept = watch(captain, {"protect": codes}, runs=runs, dutch=2 * SIZE, convoy=True)
    yield f"ships of a convoy of {CONVOY} lost: covered {kept.convoy / runs:.1f}, not covered {bare.convoy / runs:.1f}"
