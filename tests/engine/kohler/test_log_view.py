"""What a side reads of a log: every field of every kind of event of an enemy against a list of what is public."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import Scenario
from battles.engine.core.telling import Teller
from battles.engine.play import play_battle
from battles.engine.rulesets.kohler.events import KINDS
from battles.engine.rulesets.kohler.log_view import log_seen_by
from tests.support.fleets import meeting

# Fields that may be read of another side's ship; a kind that is not here is not shown at all.
PUBLIC: dict[str, set[str]] = {
    "placed": {"q", "r", "f", "squadron", "side", "steps"},
    "warned": {"squadron", "ships"},
    "disorder": {"q", "r"},
    "caught": set(),
    "arrived": {"q", "r", "f"},
    "fired_ship": set(),
    "initiative": {"squadron", "die", "bonus", "penalty", "value"},
    "straggler": set(),
    "moved": {"path", "tokens", "drift"},
    "drifted": {"q", "r"},
    "contact": {"target", "attacker", "defender", "made", "kind"},
    "locked": {"target", "kind"},
    "freed": {"target", "kind"},
    "placing": {"target", "side"},
    "aground": {"q", "r"},
    "wrecked": {"q", "r"},
    "refloated": {"q", "r"},
    "gone": set(),
    "fire": {"target", "side", "range", "mods", "score", "hits"},
    "damage": {"steps", "level"},
    "boarding": {"target", "other", "winner", "inflicted", "cost"},
    "captured": {"captor", "side"},
    "retaken": {"by"},
    "recounted": {"steps", "level"},
    "alight": {"fires"},
    "fire_out": {"fires"},
    "exploded": set(),
    "sunk": {"by"},
    "burnt_out": set(),
    "new_flagship": {"squadron"},
    "taken_after": {"captor", "side"},
}
SECRET = {"refused", "helm", "critical", "guns_out", "burns", "flag_hit", "officer"}
OF_THE_WHOLE_BATTLE = {"wind", "groups", "ended"}
SECRET_THROWS = {"K.C1", "K.C3", "K.C7", "K.C8", "K.C9", "K.G11"}


def fought(seed: bytes) -> tuple[Scenario, tuple[Event, ...]]:
    """A real battle of 24 ships."""
    scenario = meeting(12, 12)
    return scenario, play_battle(scenario, seed, log=True).events


@pytest.fixture(scope="module")
def battles() -> list[tuple[Scenario, tuple[Event, ...]]]:
    """Enough real battles to have boarding, fires, captures, explosions and officers' fates among them."""
    return [fought(bytes([n])) for n in range(3)]


def holders(scenario: Scenario, events: Sequence[Event]) -> list[dict[str, str]]:
    """Whose colours every ship flew when each event was written, read from the whole log."""
    now = {ship.id: side.id for side, _, ship in scenario.ships()}
    found = []
    for event in events:
        found.append(dict(now))
        if event.kind in ("captured", "taken_after"):
            now[event.ship] = event.data["side"]
        elif event.kind == "retaken":
            now[event.ship] = now[event.data["by"]]
    return found


def test_every_kind_of_event_is_either_public_or_secret() -> None:
    assert set(PUBLIC) | SECRET | OF_THE_WHOLE_BATTLE == set(KINDS)
    assert not set(PUBLIC) & SECRET


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("side", ["E", "D"])
def test_only_public_facts_about_an_enemy_are_shown(
    battles: list[tuple[Scenario, tuple[Event, ...]]], side: str
) -> None:
    kinds: set[str] = set()
    for scenario, events in battles:
        shown = list(log_seen_by(scenario, events, side))
        held = {id(event): rows for event, rows in zip(events, holders(scenario, events), strict=True)}
        at = iter(shown)
        seen = next(at, None)
        for event in events:
            if seen is None:
                break
            same = (event.turn, event.step, event.kind, event.ship) == seen[:3] + (seen.ship,)
            if not (same and all(event.data.get(k) == v or k == "fires" for k, v in seen.data.items())):
                continue  # left out
            if event.kind != DIE and event.ship and held[id(event)][event.ship] != side:
                kinds.add(event.kind)
                assert event.kind in PUBLIC, event
                assert set(seen.data) <= PUBLIC[event.kind], seen
            seen = next(at, None)
        assert seen is None, "the shown log holds an event that the battle does not"
    assert {"fire", "damage", "moved", "captured", "boarding", "alight"} <= kinds


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("side", ["E", "D"])
def test_a_side_reads_everything_about_its_own_ships(
    battles: list[tuple[Scenario, tuple[Event, ...]]], side: str
) -> None:
    for scenario, events in battles:
        shown = list(log_seen_by(scenario, events, side))
        own = [
            event
            for event, held in zip(events, holders(scenario, events), strict=True)
            if event.ship and held[event.ship] == side and event.kind != "boarding"
        ]
        assert own
        assert [event for event in own if event not in shown] == []


@pytest.mark.clause("K.C1", "K.C3", "K.G11")
@pytest.mark.parametrize("side", ["E", "D"])
def test_secret_dice_stay_secret(battles: list[tuple[Scenario, tuple[Event, ...]]], side: str) -> None:
    hidden = 0
    for scenario, events in battles:
        shown = {event.data["key"] for event in log_seen_by(scenario, events, side) if event.kind == DIE}
        for event, held in zip(events, holders(scenario, events), strict=True):
            if event.kind != DIE:
                continue
            thrower = next((part for part in event.data["key"].split("/") if part in held), "")
            secret = event.clause in SECRET_THROWS and thrower and held[thrower] != side
            assert (event.data["key"] in shown) != bool(secret), event
            hidden += bool(secret)
    assert hidden


@pytest.mark.clause("K.F13")
def test_the_number_of_an_enemys_fires_stays_secret() -> None:
    scenario = meeting(1, 1)
    log = [
        Event(1, "5b-5d", "alight", "K.C3", "D01", {"fires": 3}),
        Event(1, "5b-5d", "burns", "K.C3", "D01", {"fires": 3}),
        Event(1, "5b-5d", "fire_out", "K.C3", "D01", {"fires": 2}),
        Event(2, "5b-5d", "fire_out", "K.C3", "D01", {"fires": 0}),
    ]
    english = list(log_seen_by(scenario, log, "E"))
    assert [(event.kind, event.data["fires"]) for event in english] == [
        ("alight", 1),
        ("fire_out", 1),
        ("fire_out", 0),
    ]
    assert list(log_seen_by(scenario, log, "D")) == log


def test_a_captured_ship_is_read_by_her_captor_and_no_longer_by_her_old_side() -> None:
    scenario = meeting(2, 2)
    hurt = {"struct": 1, "board": 0, "left": 9, "steps": 1, "level": 1, "fire": 4}
    log = [
        Event(1, "4a", "damage", "K.F14", "D01", hurt),
        Event(1, "4b", "captured", "K.B22", "D01", {"captor": "E01", "side": "E"}),
        Event(2, "4a", "damage", "K.F14", "D01", {**hurt, "left": 8}),
        Event(3, "3b", "retaken", "K.B25", "D01", {"by": "D02"}),
        Event(4, "4a", "damage", "K.F14", "D01", {**hurt, "left": 7}),
    ]
    lefts = {
        side: [event.data.get("left") for event in log_seen_by(scenario, log, side) if event.kind == "damage"]
        for side in ("E", "D")
    }
    assert lefts == {"E": [None, 8, None], "D": [9, None, 7]}


def test_the_account_for_one_side_uses_only_what_it_reads(
    battles: list[tuple[Scenario, tuple[Event, ...]]],
) -> None:
    for scenario, events in battles:
        told = Teller(scenario, KINDS).turn(log_seen_by(scenario, events, "E"))
        points = [line for line in told if "hull point" in line]
        captured = {event.ship for event in events if event.kind == "captured"}
        names = {ship.name for side, _, ship in scenario.ships() if side.id == "E" or ship.id in captured}
        assert points
        assert [line for line in points if not any(name in line for name in names)] == []
