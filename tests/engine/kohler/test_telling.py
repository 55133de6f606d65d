"""A battle told from its log: news only, by name, gunfire summed up by side."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Event, Log
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.events import KINDS
from battles.engine.rulesets.kohler.telling import _TELLERS, Teller
from tests.support.fleets import meeting

BATTLE = meeting(2, 2)  # E01 Royal Charles, E02 Royal Prince; D01 Zeven Provincien ...
NAMES = {ship.id: ship.name for _, _, ship in BATTLE.ships()}


def event(kind: str, ship: str = "E01", /, **data: Any) -> Event:
    return Event(3, "4a", kind, "K.X1", ship, data)


def told(*events: Event) -> list[str]:
    return Teller(BATTLE).turn(events)


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (event("captured", captor="D01", side="D"), f"  {NAMES['E01']} is taken by {NAMES['D01']}."),
        (event("retaken", by="E02"), f"  {NAMES['E01']} is taken back by {NAMES['E02']}."),
        (
            event("taken_after", captor="D01", side="D"),
            f"  {NAMES['E01']}, disabled, strikes to {NAMES['D01']}.",
        ),
        (event("sunk", by="gunfire"), f"  {NAMES['E01']} sinks under gunfire."),
        (event("exploded"), f"  {NAMES['E01']} blows up."),
        (event("alight", fires=1), f"  {NAMES['E01']} is on fire."),
        (event("locked", target="D01", kind="grapple"), f"{NAMES['E01']} grapples {NAMES['D01']}."),
        (event("flag_hit", officer="Monck"), f"  Monck is hit aboard {NAMES['E01']}."),
        (event("flag_hit", officer=""), f"  The flag officer is hit aboard {NAMES['E01']}."),
        (
            event("wind", towards=2, was=1, strength=3, strength_was=3),
            "The wind now blows towards SE, strong.",
        ),
        (event("ended", "", why="nightfall"), "The battle ends: night falls."),
        (event("wrecked", q=1, r=2), f"{NAMES['E01']} is driven ashore and wrecked."),
    ],
    ids=lambda value: value.kind if isinstance(value, Event) else "",
)
def test_an_event_is_told_in_one_sentence_by_name(one: Event, sentence: str) -> None:
    assert told(one) == [sentence]


def test_a_round_of_boarding_names_the_winner_first() -> None:
    lost = event("boarding", target="D01", own=20, other=26, winner="D01", inflicted=3, cost=1)
    assert told(lost) == [f"  Boarders of {NAMES['D01']} cut down 3 of {NAMES['E01']} for 1."]
    drawn = event("boarding", target="D01", own=20, other=20, winner="", inflicted=0, cost=0)
    assert "neither gives way" in told(drawn)[0]


def test_what_is_no_news_is_not_told() -> None:
    assert (
        told(
            event("wind", towards=1, was=1, strength=2, strength_was=2),
            event("moved", path=[]),
            event("critical"),
        )
        == []
    )


def test_damage_is_told_when_a_step_is_lost_and_once() -> None:
    teller = Teller(BATTLE)
    teller.turn([event("placed", steps=1)])
    assert teller.turn([event("damage", steps=1, left=20, level=1)]) == []
    assert Teller(BATTLE).turn([event("damage", steps=3, left=1, level=2)]) == [
        f"  {NAMES['E01']} is slowed: 3 steps lost, 1 hull point left."
    ]
    assert teller.turn([event("damage", steps=2, left=15, level=2)]) == [
        f"  {NAMES['E01']} is slowed: 2 steps lost, 15 hull points left."
    ]
    assert (
        teller.turn([event("damage", steps=2, left=14, level=2), event("damage", steps=4, left=0, level=3)])
        == []
    )


def test_gunfire_is_summed_up_by_side_before_what_it_did() -> None:
    shots = [event("fire", code, hits=hits) for code, hits in (("E01", 2), ("D01", 0), ("E02", 1))]
    lines = told(event("locked", target="D01", kind="grapple"), *shots, event("sunk", "D01", by="gunfire"))
    assert lines[1] == "Gunfire: England 3 hits of 2 broadsides; Dutch Republic 0 hits of 1 broadside."
    assert lines[2] == f"  {NAMES['D01']} sinks under gunfire."


def test_every_kind_that_is_told_is_a_kind_of_the_log() -> None:
    assert set(_TELLERS) <= set(KINDS)


def test_every_event_of_whole_battles_can_be_told() -> None:
    battle = meeting(8, 8)
    rules = rule_set("kohler")
    seen: set[str] = set()
    for seed in range(8):
        log = Log()
        rules.play(battle, KeyedDice(bytes([seed]), log=log), log)
        events = log.take()
        seen |= {one.kind for one in events}
        assert all(line.strip() for line in Teller(battle).turn(events))
    assert {"captured", "sunk", "boarding", "alight", "new_flagship"} <= seen
