"""Battles read die by die: nothing in their logs but what follows from the rules, written down a second time for the purpose."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from battles.engine.cli import load
from battles.engine.core.dice import KeyedDice
from battles.engine.core.hexes import STEPS
from battles.engine.core.log import Event, Log
from battles.engine.core.ruleset import ShipOrder
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.play import play_battle
from battles.engine.rulesets.kohler import turn
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.state import Battle
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.audit.auditor import Auditor
from tests.engine.kohler.test_wild_orders import WildCaptain
from tests.study_scenarios import FILES

WEATHERS = ("strong", "moderate", "light", "still")
NATIONS = (("E", "England"), ("D", "Dutch Republic"))


def entry(code: str, nation: str, guns: int, **facts: Any) -> dict[str, Any]:
    return {"id": code, "name": code, "facts": {"nation": nation, "guns": guns, **facts}}


def document(sides: list[list[list[dict[str, Any]]]], **more: Any) -> dict[str, Any]:
    """A scenario of two sides, each a list of squadrons of ships; the second ship of a squadron is its flagship."""
    listed = []
    for (code, nation), squadrons in zip(NATIONS, sides, strict=True):
        rows = [
            {
                "id": f"{code}-{n}",
                "name": f"{code}-{n}",
                "flagship": ships[1]["id"],
                "flag_officer": f"Flag of {code}-{n}",
                "ships": ships,
            }
            for n, ships in enumerate(squadrons)
        ]
        listed.append({"id": code, "name": nation, "nation": nation, "squadrons": rows})
    return {"schema": 1, "rule_set": "kohler", "title": "Read", "code": "READ", "sides": listed, **more}


def eight_ships(weather: str) -> Scenario:
    """Four ships a side of all sizes, a fire ship among the English, which is to windward."""
    english = [
        entry("E1", "England", 52, tons_burthen=550),
        entry("E2", "England", 82, tons_burthen=1229),
        entry("E3", "England", 36, tags=["frigate-built"]),
        entry("E4", "England", 12, ship_type="fireship", tons_burthen=150),
    ]
    dutch = [entry(f"D{n}", "Dutch Republic", guns) for n, guns in enumerate((50, 82, 34, 28), start=1)]
    wind = {"towards": 0, "strength": weather}
    return read_scenario(document([[english], [dutch]], wind=wind, gauge="E", gap=4))


def fought(scenario: Scenario, seed: str) -> tuple[Event, ...]:
    """The log of a battle whose fire ship is fired when an enemy lies ahead of her, or when she is held."""
    log = Log()
    dice = KeyedDice(seed.encode(), prefix=scenario.code, log=log)
    state = RULES.begin(scenario, dice, log)
    captains = {code: RULES.captains[side.captain](side.doctrine) for code, side in state.sides.items()}
    while not state.ended:
        orders = {"E4": ShipOrder("E4", "X")} if _fires(state) else {}
        state = RULES.advance(state, orders, captains, dice, log)
    return log.take()


def _fires(state: Battle) -> bool:
    ship = state.ships["E4"]
    dq, dr = STEPS[ship.facing]
    path = [(ship.pos[0] + n * dq, ship.pos[1] + n * dr) for n in (1, 2, 3)]
    ready = ship.afloat and not ship.fired and not ship.prize_of
    return ready and (
        bool(ship.locks) or any(one.flag == "D" for cell in path for one in state.at.get(cell, ()))
    )


def audit(scenario: Scenario, events: Iterable[Event]) -> Auditor:
    cards = {ship.id: RULES.card(ship.facts) for _, _, ship in scenario.ships()}
    return Auditor(scenario, cards).read(events)


@pytest.mark.clause("K.0.4", "K.T1", "K.F8", "K.F14", "K.C1", "K.B16", "K.B18", "K.M8", "K.W2", "K.I5")
@pytest.mark.parametrize("weather", WEATHERS)
def test_every_die_and_move_of_eight_ships_follows_the_rules(weather: str) -> None:
    scenario = eight_ships(weather)
    for number in range(4):
        found = audit(scenario, fought(scenario, f"{weather}{number}"))
        assert found.problems == []
        assert found.seen["moved"] and found.seen["initiative"]


@pytest.mark.parametrize("name", ["four_days_3", "fire_ships_at_anchor"])
def test_the_shipped_battles_are_fought_by_the_rules(name: str) -> None:
    scenario = load(FILES / f"{name}.json")
    found = audit(scenario, play_battle(scenario, b"read", log=True).events)
    assert found.problems == []
    assert found.seen["fire"] > 20


def melee(chance: random.Random) -> Scenario:
    """Fleets of all sorts of ships close together, at times among shoals, in any wind."""
    sides = []
    for code, nation in NATIONS:
        sizes = (chance.randint(2, 6), chance.randint(2, 6))
        ships = []
        for n in range(sum(sizes)):
            burning = chance.random() < 0.2
            guns = 12 if burning else chance.choice((12, 24, 28, 34, 36, 48, 52, 58, 64, 76, 82, 90))
            kind = "fireship" if burning else "ship_of_line"
            ships.append(entry(f"{code}{n}", nation, guns, ship_type=kind, tags=["frigate-built"]))
        sides.append([ships[: sizes[0]], ships[sizes[0] :]])
    shoal = [[chance.randint(-6, 6), chance.randint(-6, 6)] for _ in range(chance.choice((0, 8)))]
    wind = {"towards": chance.randrange(360), "strength": chance.choice(WEATHERS)}
    return read_scenario(document(sides, wind=wind, gap=chance.randint(1, 3), shoal=shoal, turn_limit=20))


@pytest.mark.clause("K.M24", "K.M26", "K.X8", "K.X12", "K.G13", "K.B26", "K.B11")
@pytest.mark.parametrize("first", range(0, 24, 6))
def test_no_orders_however_wild_produce_anything_outside_the_rules(first: int) -> None:
    for seed in range(first, first + 6):
        chance = random.Random(seed)
        scenario, log = melee(chance), Log()
        dice = KeyedDice(str(seed).encode(), prefix=scenario.code, log=log)
        sea = RULES.begin(scenario, dice, log)
        wild = {side: WildCaptain(chance, sea, side) for side in sea.sides}
        played = Play(dice=dice, log=log, captains=wild, views={side: View(sea, side) for side in sea.sides})
        while not sea.ended:
            turn.play_turn(sea, played)
        assert audit(scenario, log.take()).problems == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("fire", {"hits": 4}),
        ("fire", {"score": 9}),
        ("fire", {"points": 1}),
        ("fire", {"range": 4}),
        ("fire", {"mods": []}),
        ("damage", {"left": 0}),
        ("damage", {"struct": 7}),
        ("initiative", {"value": 9}),
        ("moved", {"path": [[0, 0, 0]]}),
        ("moved", {"drift": True}),
        ("critical", {"result": "none"}),
        ("boarding", {"inflicted": 9}),
        ("contact", {"made": None}),
        ("guns_out", {"turns": 6}),
        ("wind", {"towards": 9}),
        ("groups", {"groups": []}),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_the_checker_finds_a_false_entry_of_every_kind(kind: str, change: dict[str, Any]) -> None:
    scenario = eight_ships("strong")
    for number in range(20):
        events = list(fought(scenario, f"false{number}"))
        places = [
            n for n, one in enumerate(events) if one.kind == kind and one.turn and _differs(one, change)
        ]
        if places:
            break
    n = places[0]
    events[n] = events[n]._replace(data={**events[n].data, **change})
    assert audit(scenario, events).problems


def _differs(event: Event, change: dict[str, Any]) -> bool:
    return any(event.data[name] != value for name, value in change.items())


@pytest.mark.parametrize("kind", ["drifted", "critical", "moved", "fire", "burns"])
def test_the_checker_notices_an_entry_that_was_left_out(kind: str) -> None:
    scenario = eight_ships("strong")
    for number in range(20):
        events = list(fought(scenario, f"lost{number}"))
        places = [n for n, one in enumerate(events) if one.kind == kind and one.turn]
        if places:
            break
    del events[places[0]]
    assert audit(scenario, events).problems
