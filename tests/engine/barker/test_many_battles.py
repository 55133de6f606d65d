"""Battles of many kinds, fought to their end: whatever goes wrong in any of them is listed. No figure is looked at, only what must hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from battles.engine.core.dice import FastDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.barker import coming, faults, land
from battles.engine.rulesets.barker.condition import Condition
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.rules import RULES
from battles.engine.rulesets.barker.state import Battle, Status, Unit
from tests.engine.barker.test_setup import document, ship, squadron


def tagged(code: str, tag: str, kind: str = "merchant", **more: Any) -> dict[str, Any]:
    return ship(code, "TRAMP", facts={"ship_type": kind, "tags": [tag], **more})


def line(side: str, *kinds: str, number: int = 1, **more: Any) -> dict[str, Any]:
    """A squadron of these types."""
    return squadron(
        f"{side}-{number}", *(ship(f"{side}{number}{n}", kind) for n, kind in enumerate(kinds)), **more
    )


def train(side: str) -> dict[str, Any]:
    """Everything that trades, hides or lays mines."""
    rows = [
        ship(f"{side}70", "TRANSPORT"), ship(f"{side}71", "TRAMP"), tagged(f"{side}72", "liner", "transport"), tagged(f"{side}73", "sail"),
        tagged(f"{side}74", "fishing"), ship(f"{side}75", "AMC"), ship(f"{side}76", "RAIDER"), ship(f"{side}77", "MINELAYER"),
        tagged(f"{side}78", "raider", "transport", speed_knots=18.0, displacement_tons=8_000),
    ]  # fmt: skip
    return squadron(f"{side}-7", *rows)


def fleet(side: str) -> list[dict[str, Any]]:
    return [
        line(side, "BB", "BB", "BB"), line(side, "C1", "C2", number=2), line(side, "TBD", "TBD", "SC", number=3),
        line(side, "TB", "SUB", "SUB", number=4),
    ]  # fmt: skip


def hurt(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first ship of each squadron crippled, the second damaged; submarines are sound."""
    states = [Condition(1, True, character=3, officer="Old", partner="A11").to_dict(), Condition(2).to_dict()]
    for row in rows:
        for one, state in zip(row["ships"], states, strict=False):
            if one["facts"]["ship_type"] != "submarine":
                one["condition"] = state
    return rows


def kinds() -> Iterator[tuple[str, dict[str, Any]]]:
    played: dict[str, Any] = {"options": {"signals": "played"}}
    yield "one against one", document()
    yield "fleets by day", document(fleet("A")[:3], fleet("B")[:3], gap=4_000, **played)
    yield "fleets by night", document(fleet("A"), fleet("B"), start="1908-05-27T23:30", gap=900)
    yield (
        "at dawn in a rough sea",
        document(fleet("A"), fleet("B"), start="1908-05-27T05:40", wind={"strength": "strong"}, gap=2_000),
    )
    old: dict[str, Any] = {"facts": {"year_built": 1889}}
    sides = [[squadron(f"{code}-1", ship(f"{code}1", **old), ship(f"{code}2", "C2", **old))] for code in "AB"]
    yield "before the wireless", document(*sides, start="1895-05-27T12:00", gap=2_500)
    yield "in fog", document(fleet("A"), fleet("B"), options={"sky": "fog"})
    yield (
        "in haze at sunset",
        document(
            fleet("A"),
            fleet("B"),
            start="1908-05-27T20:05",
            options={"sky": "haze", "by_night": False},
            gap=3_000,
        ),
    )
    yield "hurt before", document(hurt(fleet("A")), hurt(fleet("B")), gap=1_500)
    mines = {"A": {"sown": [[[0, 100 * n] for n in range(6)]]}, "B": {"unsown": {"B77": 6, "B71": 3}}}
    yield (
        "trade",
        document(
            [*fleet("A")[1:], train("A")],
            [line("B", "C1", "C1"), train("B")],
            gap=3_000,
            options={"mines": mines},
        ),
    )
    yield (
        "trade by night",
        document([line("A", "C3"), train("A")], [train("B")], start="1908-05-27T23:30", gap=1_500),
    )
    yield (
        "nobody leads",
        document([squadron("A-1", ship("A1", "SUB"), ship("A2", "TRANSPORT"))], [train("B")], gap=1_000),
    )
    prizes = [line("A", "C1"), squadron("A-2", ship("A5", prize=True), ship("A6", "C1"))]
    yield "prizes", document(prizes, [line("B", "BB", "BB")], gap=1_500)
    port = {"facts": {"tags": ["anchored"]}}
    anchored = [
        squadron("B-1", *(ship(f"B{n}", kind, **port) for n, kind in enumerate(("BB", "C1", "TRANSPORT"))))
    ]
    boats = [line("A", "TBD", "TBD", "TBD", "TBD", "TBD"), line("A", "BB", "SUB", number=2)]
    yield (
        "a port surprised",
        document(boats, anchored, start="1908-05-27T23:30", surprised=["B"], options={"guard": 4}),
    )
    yield "a port by day", document(fleet("A"), anchored, gap=5_000, options={"guard": 2})
    shore = [[i, j] for i in (-2, -1, 0) for j in (-1, 0, 1)]
    yield (
        "among islands",
        document(fleet("A"), fleet("B"), gap=3_000, land=shore, shoal=[[8, n] for n in range(-4, 5)]),
    )
    late = [
        line("A", "BB", "C2"),
        line("A", "C1", "TBD", "TBD", number=2, arrives=2, edge=45),
        line("A", "BB", number=3, arrives=60),
    ]
    yield "relief", document(late, [line("B", "BB"), line("B", "BB", number=2, arrives=3)], gap=3_000)
    yield "far apart", document(fleet("A"), fleet("B"), gap=34_000)
    for n, sides in enumerate(
        ([fleet("A"), fleet("B")], [[line("A", "C2"), train("A")], [line("B", "BB", "BB")]])
    ):
        yield (
            f"on the table, {n}",
            document(
                *sides, start="", turn_limit=30, options={"setup": "table", "year": 1908, "sky": "squalls"}
            ),
        )
    plain = document(
        fleet("A"),
        fleet("B"),
        gap=2_000,
        options={"clock_overlap": False, "turn_price_extra": False, "moves_c3": 3},
    )
    for side in plain["sides"]:
        side["captain"] = "plain"
    yield "plain captains", plain
    chase = document([line("A", "C1", "C1")], [line("B", "C3"), line("B", "TRANSPORT", number=2)], gap=3_000)
    chase["sides"][1]["doctrine"] = {"stance": "avoid", "protect": ["B20"]}
    yield "a chase", chase


KINDS = dict(kinds())


def amiss(battle: Battle) -> list[str]:
    """What must hold of a battle at any time, and does not."""
    found = []
    for one in battle.units.values():
        if one.on_table and not coming.inside(battle.table, one.at):
            found.append(f"{one.id} is off the table")
        if one.submerged and not any(marker.real == one.id for marker in battle.markers):
            found.append(f"{one.id} lies under no marker")
        if not 0 <= one.damage <= 2 or not 0 <= one.h < 36_000:
            found.append(f"{one.id} is in no state that there is")
        if one.status is Status.SUNK and not one.fate:
            found.append(f"{one.id} is sunk by nothing")
        if one.aground and not one.crippled:
            found.append(f"{one.id} is aground and sound")
        if _moves_ashore(battle, one):
            found.append(f"{one.id} lies on land afloat")
    found += [f"{row.members} is no formation" for row in battle.formations if len(row.members) < 2]
    found += [
        f"{one.id} has {one.left} of {one.nip}"
        for one in battle.groups.values()
        if not 0 <= one.left <= one.nip <= 6
    ]
    return found


def _moves_ashore(battle: Battle, one: Unit) -> bool:
    if one.ashore or one.aground or not one.on_table or not (battle.land or battle.shoal):
        return False
    return land.cell_of(one.at) in battle.land | battle.shoal


def fought(doc: dict[str, Any], seed: int, *, logged: bool) -> list[str]:
    """What goes wrong in a battle of at most a dozen turns, an error among it."""
    scenario = read_scenario({"turn_limit": 12, **doc})
    refused = [f"{fault.path}: {fault.text}" for fault in faults.faults(scenario)]
    if refused:
        return refused
    found: list[str] = []
    try:
        log = Log() if logged else None
        dice = FastDice(seed)
        men = {side.id: RULES.captains[side.captain](side.doctrine) for side in scenario.sides}
        state = RULES.begin(scenario, dice, log)
        while not RULES.over(state):
            state = RULES.advance(state, {}, men, dice, log)
            # In the end those who never came on lie outside still.
            found += [] if state.ended else amiss(state)
            for side in state.sides:
                RULES.seen_by(state, side)
        found += [
            f"{entry.ship} was lost without a cause"
            for entry in RULES.outcome(state).ships
            if entry.fate.lost and not entry.cause
        ]
    except Exception as error:
        found.append(repr(error))
    return found


@pytest.mark.clause("P.C04", "P.K14", "P.Z13", "P.O06")
def test_battles_of_every_kind_end_without_an_error() -> None:
    assert {kind: wrong for kind, doc in KINDS.items() if (wrong := fought(doc, 1, logged=True))} == {}


@pytest.mark.clause("P.C04", "P.Z04")
def test_battles_of_which_nobody_keeps_a_log_end_without_an_error() -> None:
    assert {kind: wrong for kind, doc in KINDS.items() if (wrong := fought(doc, 2, logged=False))} == {}


def test_a_battle_without_captains_goes_on() -> None:
    found = []
    for kind in ("fleets by night", "trade"):
        scenario = read_scenario(KINDS[kind] | {"turn_limit": 3})
        state = RULES.begin(scenario, FastDice(3))
        try:
            for _ in range(3):
                if not state.ended:
                    RULES.play_turn(state, Play(dice=FastDice(4)))
        except Exception as error:
            found.append(repr(error))
    assert found == []
