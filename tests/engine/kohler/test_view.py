"""What a side sees: its own ships in full, others through the spyglass, expected and hidden ones not at all."""

from __future__ import annotations

import json

import pytest

from battles.engine.core.hexes import distance
from battles.engine.rulesets.kohler.captain.odds import DISCS
from battles.engine.rulesets.kohler.state import LockKind, Status
from battles.engine.rulesets.kohler.view import BARRED, FREE, HELD, Seen, View, estimate, seen_by
from tests.engine.kohler.builders import battle, ship


def enemy(code: str = "D1", **over):  # type: ignore[no-untyped-def]
    return ship(id=code, side="DUT", **{"pos": (2, 0), **over})


def test_an_enemy_shows_her_appearance_and_none_of_her_secrets() -> None:
    one = enemy(hits_struct=7, steps_lost=1, fires=[1], gun_timers=[3], captain="Secret", complement=300)
    sea = battle(ship(), one)
    seen = View(sea, "ENG").enemy("D1")
    assert (seen.pos, seen.facing, seen.band, seen.steps_lost, seen.alight) == ((2, 0), 0, 50, 1, True)
    shown = {name for name in dir(Seen) if not name.startswith("_")}
    hidden = {
        "hits_struct",
        "hits_board",
        "hull_max",
        "hull_left",
        "fire_track",
        "thresholds",
        "guns",
        "gun_timers",
    }
    hidden |= {"helm", "captain", "complement", "flag_officer_ok", "fires", "unchecked_steps", "in_command"}
    assert not shown & hidden
    assert "Secret" not in json.dumps(seen_by(sea, "ENG"))


def test_the_window_is_live() -> None:
    mine, one = ship(), enemy()
    sea = battle(mine, one)
    view = View(sea, "ENG")
    seen = view.enemy("D1")
    sea.move(one, (3, 0))
    sea.wind = 4
    assert (seen.pos, view.wind, view.upwind) == ((3, 0), 4, 1)
    one.prize_of = "ENG"
    assert view.own("D1") is one
    assert view.enemies() == []
    with pytest.raises(KeyError):
        view.enemy("D1")


def test_another_sides_ship_cannot_be_examined() -> None:
    view = View(battle(ship(), enemy()), "ENG")
    with pytest.raises(KeyError):
        view.own("D1")
    with pytest.raises(KeyError):
        view.enemy("E1")
    assert {s.id for s in view.squadrons()} == {"ENG-1"}


@pytest.mark.clause("K.I4")
def test_nothing_is_seen_beyond_the_sight_of_all_own_ships() -> None:
    near, far = enemy("D1", pos=(4, 0)), enemy("D2", pos=(9, 0))
    sea = battle(ship(), near, far, visibility=5)
    view = View(sea, "ENG")
    assert [s.id for s in view.enemies()] == ["D1"]
    assert [row["id"] for row in seen_by(sea, "ENG")["seen"]] == ["D1"]
    with pytest.raises(KeyError):
        view.enemy("D2")
    assert [s.id for s in view.enemies_near((5, 0), DISCS[6])] == ["D1"]
    sea.move(far, (5, 0))
    assert [s.id for s in view.enemies()] == ["D1", "D2"]


def test_only_their_own_side_knows_of_expected_ships() -> None:
    sea = battle(ship(), enemy(), enemy("D2", status=Status.EXPECTED))
    assert [row["id"] for row in seen_by(sea, "ENG")["seen"]] == ["D1"]
    assert [row["id"] for row in seen_by(sea, "DUT")["own"]] == ["D1", "D2"]
    assert [s.id for s in View(sea, "ENG").enemies()] == ["D1"]


def test_wrecks_are_seen_and_are_not_enemies() -> None:
    wreck = enemy(status=Status.SINKING)
    sea = battle(ship(), wreck)
    assert View(sea, "ENG").enemies() == []
    (row,) = seen_by(sea, "ENG")["seen"]
    assert (row["id"], row["status"]) == ("D1", "sinking")


def test_a_ship_taken_from_us_is_seen_from_outside_and_one_we_took_from_inside() -> None:
    lost, won = ship(id="E2", prize_of="DUT", pos=(1, 0)), enemy(prize_of="ENG")
    sea = battle(ship(), lost, won)
    shown = seen_by(sea, "ENG")
    assert [row["id"] for row in shown["own"]] == ["E1", "D1"]
    assert [row["id"] for row in shown["seen"]] == ["E2"]
    assert "hull_left" not in shown["seen"][0]


def test_nearby_enemies_are_sorted_by_distance() -> None:
    ships = [enemy(f"D{n}", pos=pos) for n, pos in enumerate([(4, 0), (1, 0), (0, 3), (7, 0)])]
    view = View(battle(ship(), *ships), "ENG")
    found = view.enemies_near((0, 0), DISCS[5])
    assert [s.id for s in found] == ["D1", "D2", "D0"]
    assert all(distance(s.pos, (0, 0)) <= 5 for s in found)


@pytest.mark.clause("K.M22", "K.M23", "K.M30", "K.M32", "K.G13")
def test_a_hex_is_free_blocked_or_held() -> None:
    mine = ship()
    sea = battle(
        mine, ship(id="E2", pos=(1, 0)), enemy(), enemy("D2", pos=(3, 0), status=Status.SINKING),
        land=frozenset({(0, 5)}), shoal=frozenset({(0, 6)}), edges=(-9, -9, 9, 9),
    )  # fmt: skip
    view = View(sea, "ENG")
    assert view.entry((0, 0), mine) == view.entry((0, 1), mine) == FREE
    assert view.entry((1, 0), mine) == view.entry((3, 0), mine) == BARRED
    assert view.entry((0, 5), mine) == view.entry((0, 6), mine) == BARRED
    assert view.entry((2, 0), mine) == HELD
    assert [s.id for s in view.enemies_at((2, 0))] == ["D1"]
    mine.deep = False
    assert view.entry((0, 6), mine) == FREE
    assert view.over_edge((10, 0))
    assert not view.over_edge((9, 0))


@pytest.mark.clause("K.A1.3", "K.A1.5", "K.A1.7")
def test_an_enemys_card_is_guessed_from_her_size_nation_and_trade() -> None:
    seventy = View(battle(ship(), enemy(band=70, guns=72, built_by="England")), "ENG").enemy("D1")
    assert (estimate(seventy).hull, estimate(seventy).fire_track[0]) == (30, 14)
    dutch = View(battle(ship(), enemy(band=60, guns=62)), "ENG").enemy("D1")
    assert (estimate(dutch).hull, estimate(dutch).fire_track[0]) == (21, 8)
    trader = enemy(
        band=20, guns=24, merchant=True, n_steps=2, hull_max=7, thresholds=(4, 7), fire_track=(2, 1)
    )
    assert estimate(View(battle(ship(), trader), "ENG").enemy("D1")).fire_track == (2, 1)


def test_the_document_is_json_and_names_locks_on_both_sides() -> None:
    mine, one = ship(pos=(2, 0)), enemy()
    sea = battle(mine, one)
    sea.hold(LockKind.GRAPPLE, mine, one)
    shown = json.loads(json.dumps(seen_by(sea, "ENG")))
    assert shown["own"][0]["locked_with"] == ["D1"]
    assert shown["seen"][0]["locked_with"] == ["E1"]
