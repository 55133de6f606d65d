from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core.dice import KeyedDice
from battles.engine.core.hexes import distance
from battles.engine.core.log import Log
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.sailing import activate, activate_fire_ship, allowance
from battles.engine.rulesets.kohler.state import Battle, Helm, LockKind, Ship, Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship


def sail(
    one: Ship, orders: str, *others: Ship, faces: tuple[int, ...] = (), wind: int = 3, **over: object
) -> tuple[Battle, Play]:
    """Activate one ship with these orders and see that every die was used."""
    sea = battle(one, *others, wind=wind, **over)
    played = play(*faces, orders={one.id: orders})
    activate(sea, played, one)
    played.dice.finish()
    return sea, played


def refusals(played: Play) -> list[tuple[str, str, str]]:
    return [(event.data["token"], event.data["code"], event.clause) for event in events(played, "refused")]


@pytest.mark.clause("K.E2", "K.M6", "K.M31")
def test_the_first_forbidden_order_ends_the_orders() -> None:
    one = ship(facing=2)
    sea, played = sail(one, "A A S A P")
    assert (one.pos, one.facing, one.moved_hexes, one.turns_made, one.acted) == ((2, 0), 3, 2, 1, True)
    assert refusals(played) == [("A", "allowance", "K.M6")]
    (moved,) = events(played, "moved")
    assert moved.data == {
        "path": [[0, 0, 2], [1, 0, 2], [2, 0, 2], [2, 0, 3]],
        "tokens": ["A", "A", "S"],
        "drift": False,
    }
    assert sea.at == {(2, 0): [one]}


@pytest.mark.clause("K.E6", "K.M12", "K.M13", "K.M31")
def test_a_ship_that_enters_no_hex_drifts_downwind() -> None:
    one = ship(facing=2)
    _, played = sail(one, "S A")
    assert (one.pos, one.facing, one.moved_hexes) == ((0, 1), 2, 0)
    assert refusals(played) == [("S", "not-underway", "K.M8")]
    (moved,) = events(played, "moved")
    assert moved.data["drift"] is True
    assert moved.data["path"] == [[0, 0, 2], [0, 1, 2]]


@pytest.mark.clause("K.M12", "K.M16")
def test_a_turn_before_moving_does_not_prevent_the_drift() -> None:
    one = ship(facing=2, handy=True)
    sail(one, "P")
    assert (one.pos, one.facing) == ((0, 1), 1)


@pytest.mark.clause("K.M12", "K.A2.4", "K.A2.5", "K.A2.6")
@pytest.mark.parametrize(
    ("strength", "pos"),
    [
        (WindForce.STILL, (0, 0)),
        (WindForce.LIGHT, (0, 0)),
        (WindForce.NORMAL, (0, 1)),
        (WindForce.STRONG, (0, 1)),
    ],
)
def test_ships_drift_in_normal_and_strong_wind_only(strength: WindForce, pos: tuple[int, int]) -> None:
    one = ship(facing=2)
    sail(one, "", strength=strength)
    assert one.pos == pos


@pytest.mark.clause("K.E7", "K.M14")
@pytest.mark.parametrize(
    ("orders", "pos", "facing"),
    [("P A", (0, -1), 0), ("S A", (1, 0), 2), ("", (-1, 1), 1), ("S", (-1, 1), 2)],
)
def test_caught_in_irons_she_sails_out_or_drifts(orders: str, pos: tuple[int, int], facing: int) -> None:
    one = ship(facing=1, caught_in_irons=True)
    sail(one, orders, wind=4)
    assert (one.pos, one.facing) == (pos, facing)


@pytest.mark.clause("K.E8", "K.M15")
def test_in_irons_by_choice_she_turns_without_drift_or_drifts() -> None:
    turning, hove_to = ship(facing=0), ship(facing=0)
    sail(turning, "S")
    assert (turning.pos, turning.facing, turning.turns_made) == ((0, 0), 1, 1)
    sail(hove_to, "")
    assert (hove_to.pos, hove_to.facing) == ((0, 1), 0)


@pytest.mark.clause("K.E4", "K.A2.5")
def test_in_light_wind_a_tack_takes_two_turns() -> None:
    one = ship(facing=1)
    sea, _ = sail(one, "A P", strength=WindForce.LIGHT)
    assert (one.pos, one.facing) == ((1, -1), 0)
    one.acted, one.moved_hexes, one.turns_made = False, 0, 0
    activate(sea, play(orders={"E1": "P"}), one)
    assert (one.pos, one.facing) == ((1, -1), 5)


@pytest.mark.clause("K.E16", "K.M19")
def test_a_crippled_ship_close_hauled_turns_on_the_spot_or_drifts() -> None:
    pelican = {
        "id": "E1",
        "guns": 36,
        "n_steps": 3,
        "thresholds": (4, 8, 12),
        "hull_max": 12,
        "steps_lost": 2,
    }
    one, other = ship(facing=1, **pelican), ship(facing=1, **pelican)
    sail(one, "S")
    assert (one.pos, one.facing) == ((0, 0), 2)
    sail(other, "")
    assert (other.pos, other.facing) == ((0, 1), 1)


@pytest.mark.clause("K.M20")
def test_a_disabled_ship_drifts_and_turns_too() -> None:
    one = ship(facing=0, steps_lost=3)
    sail(one, "S")
    assert (one.pos, one.facing) == ((0, 1), 1)


@pytest.mark.clause("K.E19", "K.M21")
def test_a_hit_helm_is_obeyed_once() -> None:
    one = ship(facing=2, helm=Helm.PORT)
    _, played = sail(one, "A")
    assert (one.pos, one.facing, one.helm) == ((1, -1), 1, Helm.SOUND)
    assert [event.data["forced"] for event in events(played, "helm")] == ["port"]


@pytest.mark.clause("K.M21")
def test_a_jammed_helm_drives_her_on_without_orders() -> None:
    one = ship(facing=2, helm=Helm.STARBOARD)
    sail(one, "")
    assert (one.pos, one.facing, one.moved_hexes) == ((0, 1), 3, 1)


@pytest.mark.clause("K.M21", "K.M12")
def test_a_helm_hit_that_puts_her_in_irons_leaves_her_drifting() -> None:
    one = ship(facing=1, helm=Helm.PORT)
    _, played = sail(one, "A")
    assert (one.pos, one.facing) == ((0, 1), 0)
    assert refusals(played) == [("A", "ended", "K.M31")]


@pytest.mark.clause("K.M21", "K.M24")
def test_a_jammed_helm_drives_her_into_a_friend() -> None:
    one, friend = ship(facing=2, helm=Helm.STARBOARD), ship(id="E2", pos=(0, 1))
    _, played = sail(one, "A", friend, faces=(4, 3))
    assert one.pos == friend.pos
    assert [lock.kind for lock in one.locks] == [LockKind.TANGLE]
    assert events(played, "locked")[0].data == {"target": "E2", "kind": "tangle"}


@pytest.mark.clause("K.M21", "K.M28")
def test_a_helm_hit_lapses_for_a_locked_ship() -> None:
    one, enemy = ship(facing=2, helm=Helm.PORT), ship(id="D1", side="DUT")
    sea = battle(one, enemy)
    sea.hold(LockKind.GRAPPLE, enemy, one)
    activate(sea, play(), one)
    assert (one.facing, one.helm) == (2, Helm.SOUND)


@pytest.mark.clause("K.E31", "K.M22", "K.M33")
def test_a_ship_blocked_ahead_turns_and_drifts() -> None:
    def ahead(orders: str, **over: object) -> tuple[object, ...]:
        one = ship(facing=2, **over)
        sail(one, orders, ship(id="E2", pos=(1, 0)))
        return one.pos, one.facing

    assert ahead("A") == ((0, 1), 2)
    assert ahead("P") == ((0, 1), 1)
    assert ahead("P A") == ((0, 1), 1)
    assert ahead("P A", handy=True) == ((1, -1), 1)


@pytest.mark.clause("K.M22")
def test_an_order_through_a_friend_stops_her_in_the_hex_before() -> None:
    one = ship(facing=2)
    _, played = sail(one, "A A A", ship(id="E2", pos=(2, 0)))
    assert one.pos == (1, 0)
    assert refusals(played) == [("A", "occupied", "K.M22")]


@pytest.mark.clause("K.M30", "K.B10")
def test_a_ship_passes_through_an_enemy_when_neither_would_grapple() -> None:
    one, enemy = ship(facing=2), ship(id="D1", side="DUT", pos=(1, 0), acted=True)
    sail(one, "A A", enemy)
    assert one.pos == (2, 0)
    assert not one.placement and not enemy.placement


@pytest.mark.clause("K.M32", "K.G9")
def test_a_ship_over_the_edge_is_gone() -> None:
    one = ship(facing=2)
    sea, played = sail(one, "A A A", edges=(-1, -1, 1, 1))
    assert (one.status, one.pos) == (Status.GONE, (2, 0))
    assert sea.at == {}
    assert [event.ship for event in events(played, "gone")] == ["E1"]


@pytest.mark.clause("K.M32", "K.G13")
def test_a_ship_drifting_onto_land_is_wrecked() -> None:
    one = ship(facing=2)
    sea, _ = sail(one, "", land=frozenset({(0, 1)}))
    assert one.status is Status.WRECKED
    assert sea.at == {}


@pytest.mark.clause("K.G13")
def test_a_deep_ship_drifting_onto_a_shoal_runs_aground() -> None:
    one, light = ship(facing=2), ship(facing=2, deep=False)
    shoal = frozenset({(0, 1)})
    sail(one, "", shoal=shoal)
    assert (one.pos, one.aground, one.came_from) == ((0, 1), True, (0, 0))
    sail(light, "", shoal=shoal)
    assert not light.aground


@pytest.mark.clause("K.G13", "K.M24", "K.B1")
@pytest.mark.parametrize("side", ["ENG", "DUT"])
def test_running_aground_does_not_prevent_fouling_a_friend_or_meeting_an_enemy(side: str) -> None:
    one, other = ship(facing=2), ship(id="X1", side=side, pos=(0, 1), deep=False)
    faces = (3, 3) if side == "ENG" else ()
    _, played = sail(one, "", other, faces=faces, shoal=frozenset({(0, 1)}))
    assert one.aground
    if side == "ENG":
        assert [event.data["kind"] for event in events(played, "locked")] == ["tangle"]
    else:
        assert one.placement == {"X1": ""}


@pytest.mark.clause("K.G13")
@pytest.mark.parametrize(
    ("face", "pos", "aground"), [(4, (0, 1), True), (5, (0, 0), False), (6, (0, 0), False)]
)
def test_a_ship_aground_gets_off_on_five_and_six(face: int, pos: tuple[int, int], aground: bool) -> None:
    one = ship(facing=2, pos=(0, 1), aground=True, came_from=(0, 0))
    sail(one, "A", faces=(face,), shoal=frozenset({(0, 1)}))
    assert (one.pos, one.aground, one.moved_hexes) == (pos, aground, 0)


@pytest.mark.clause("K.I17")
def test_a_ship_acts_once_a_turn() -> None:
    one = ship(facing=2)
    sea, played = sail(one, "A")
    activate(sea, played, one)
    assert one.pos == (1, 0)


@pytest.mark.clause("K.M31")
def test_without_orders_a_captain_is_asked() -> None:
    class Bold:
        name = "bold"

        def tokens(self, view: object, code: str) -> tuple[str, ...]:
            return ("A", "A") if (view, code) == ("her view", "E1") else ()

    one = ship(facing=2)
    sea = battle(one)
    played = play(captains={"ENG": Bold()}, views={"ENG": "her view"})  # type: ignore[dict-item]
    activate(sea, played, one)
    assert one.pos == (2, 0)


@pytest.mark.clause("K.M31", "K.M28")
def test_a_captain_is_not_asked_about_a_held_ship() -> None:
    class Bold:
        name = "bold"

        def tokens(self, view: object, code: str) -> tuple[str, ...]:
            return ("A",)

    one, other = ship(facing=2), ship(id="E2")
    sea = battle(one, other)
    sea.hold(LockKind.TANGLE, one, other)
    played = play(captains={"ENG": Bold()}, views={"ENG": "her view"})  # type: ignore[dict-item]
    activate(sea, played, one)
    assert one.pos == (0, 0) and not refusals(played)


@pytest.mark.clause("K.M31", "K.X4")
def test_the_order_that_fires_a_fire_ship_is_not_movement() -> None:
    one = ship(facing=2)
    _, played = sail(one, "X A")
    assert one.pos == (1, 0)
    assert not refusals(played)


@pytest.mark.clause("K.A2.4")
def test_in_still_air_boats_tow_her_with_her_heading_kept() -> None:
    one = ship(facing=2)
    _, played = sail(one, "W4 W4", strength=WindForce.STILL)
    assert (one.pos, one.facing, one.moved_hexes) == ((-1, 1), 2, 1)
    assert refusals(played) == [("W4", "ended", "K.M31")]


@pytest.mark.clause("K.M27")
@pytest.mark.parametrize(
    ("strength", "pos"), [(WindForce.LIGHT, (1, 0)), (WindForce.STILL, (1, 0)), (WindForce.NORMAL, (0, 1))]
)
def test_a_ship_beside_a_friend_leaves_when_she_can(strength: WindForce, pos: tuple[int, int]) -> None:
    one, friend = ship(facing=2, stacked=True), ship(id="E2", stacked=True)
    sail(one, "", friend, strength=strength)
    assert one.pos == pos
    assert not one.stacked and not friend.stacked


@pytest.mark.clause("K.E23", "K.X5", "K.X6", "K.X8", "K.X9", "K.X10")
def test_a_fire_ship_runs_straight_into_her_target() -> None:
    fire_ship = ship(id="E9", guns=12, band=0, hull_max=4, n_steps=2, facing=3, fired=True, is_fireship=True)
    target = ship(id="D1", side="DUT", guns=60, band=60, handy=True, pos=(0, 2), facing=2)
    sea = battle(fire_ship, target)
    played = play(5, 3)
    activate_fire_ship(sea, played, fire_ship)
    played.dice.finish()
    assert fire_ship.pos == (0, 2)
    assert target.fires == [1]
    assert [lock.kind for lock in target.locks] == [LockKind.FIRE_SHIP]
    (moved,) = events(played, "moved")
    assert moved.data["path"] == [[0, 0, 3], [0, 1, 3], [0, 2, 3]]


@pytest.mark.clause("K.E23", "K.M28", "K.X12")
def test_the_pair_drifts_and_the_target_escapes_and_sails() -> None:
    fire_ship = ship(id="E9", band=0, facing=3, fired=True, pos=(0, 2))
    target = ship(id="D1", side="DUT", band=60, handy=True, pos=(0, 2), facing=2)
    sea = battle(fire_ship, target)
    sea.hold(LockKind.FIRE_SHIP, fire_ship, target)
    sea.turn = 2
    played = play(2, 3, orders={"D1": "A A A"})
    activate_fire_ship(sea, played, fire_ship)
    assert fire_ship.pos == target.pos == (0, 3)
    activate(sea, played, target)
    played.dice.finish()
    assert not sea.locks and not target.locks
    assert (target.pos, fire_ship.pos) == ((3, 3), (0, 3))


@pytest.mark.clause("K.X12", "K.X13")
def test_a_target_that_fails_to_escape_has_one_more_fire() -> None:
    fire_ship = ship(id="E9", band=0, fired=True)
    target = ship(id="D1", side="DUT", facing=2)
    sea = battle(fire_ship, target)
    sea.hold(LockKind.FIRE_SHIP, fire_ship, target)
    sea.turn = 2
    played = play(4, 3, orders={"D1": "A"})
    activate_fire_ship(sea, played, fire_ship)
    activate(sea, played, target)
    played.dice.finish()
    assert target.fires == [2]
    assert target.pos == fire_ship.pos == (0, 1)
    assert refusals(played) == [("A", "locked", "K.M28")]


@pytest.mark.clause("K.E23", "K.X11")
def test_a_fire_ship_that_misses_stops_there() -> None:
    fire_ship = ship(id="E9", band=0, facing=3, fired=True)
    target = ship(id="D1", side="DUT", band=60, handy=True, pos=(0, 1), facing=2)
    sea = battle(fire_ship, target)
    played = play(4, 3, orders={"D1": "A"})
    activate_fire_ship(sea, played, fire_ship)
    assert fire_ship.pos == (0, 1) and not target.locks and not target.fires
    activate(sea, played, target)
    played.dice.finish()
    assert target.pos == (1, 1)


@pytest.mark.clause("K.X6", "K.X17", "K.M12")
@pytest.mark.parametrize(
    ("strength", "facing", "pos"),
    [
        (WindForce.STILL, 3, (0, 0)),
        (WindForce.LIGHT, 3, (0, 1)),
        (WindForce.NORMAL, 2, (3, 0)),
        (WindForce.STRONG, 2, (4, 0)),
        (WindForce.NORMAL, 0, (0, 1)),
        (WindForce.LIGHT, 0, (0, 0)),
    ],
)
def test_a_fire_ship_moves_by_her_heading_and_the_wind(
    strength: WindForce, facing: int, pos: tuple[int, int]
) -> None:
    fire_ship = ship(facing=facing, fired=True, fast=True)
    activate_fire_ship(battle(fire_ship, strength=strength), play(), fire_ship)
    assert (fire_ship.pos, fire_ship.facing) == (pos, facing)


@pytest.mark.clause("K.X8")
def test_a_fire_ship_tries_every_ship_of_a_hex_friend_or_foe_and_stops_before_a_wreck() -> None:
    fire_ship = ship(id="E9", facing=2, fired=True)
    friend, enemy = ship(id="E1", pos=(1, 0)), ship(id="D1", side="DUT", pos=(1, 0))
    played = play(4, 2, 2, 5)
    activate_fire_ship(battle(friend, enemy, fire_ship), played, fire_ship)
    played.dice.finish()
    assert [event.data["target"] for event in events(played, "contact")] == ["E1", "D1"]
    assert (friend.fires, enemy.fires) == ([1], [])
    other = ship(id="E9", facing=2, fired=True)
    activate_fire_ship(battle(other, ship(id="D1", pos=(2, 0), status=Status.SINKING)), play(), other)
    assert other.pos == (1, 0)


@pytest.mark.clause("K.X8", "K.B9")
def test_a_ship_that_sails_into_a_fire_ship_and_escapes_sails_on() -> None:
    one, fire_ship = ship(facing=2), ship(id="D9", side="DUT", pos=(1, 0), fired=True)
    sail(one, "A A", fire_ship, faces=(2, 3))
    assert one.pos == (2, 0)
    one.pos = (0, 0)
    struck = ship(facing=2)
    sail(struck, "A A", ship(id="D9", side="DUT", pos=(1, 0), fired=True), faces=(5, 3))
    assert struck.pos == (1, 0) and struck.fires == [1]


tokens = st.lists(st.sampled_from(["A", "A", "A", "P", "S", "TP", "TS"]), max_size=6).map(tuple)
fleets = st.lists(
    st.tuples(
        st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 5), st.sampled_from(["ENG", "DUT"]), tokens,
        st.integers(0, 3), st.booleans(),
    ),
    min_size=2, max_size=14, unique_by=lambda row: row[:2],
)  # fmt: skip


@pytest.mark.clause("K.M4", "K.M22", "K.M27", "K.I17")
@given(
    fleets,
    st.integers(0, 5),
    st.sampled_from([WindForce.LIGHT, WindForce.NORMAL, WindForce.STRONG]),
    st.binary(min_size=4, max_size=4),
)
def test_a_turn_of_movement_keeps_the_board_in_order(
    rows: list[tuple[int, int, int, str, tuple[str, ...], int, bool]],
    wind: int,
    strength: WindForce,
    seed: bytes,
) -> None:
    ships = [
        ship(id=f"{side}{n}", side=side, pos=(q, r), facing=f, steps_lost=steps, handy=handy)
        for n, (q, r, f, side, _, steps, handy) in enumerate(rows)
    ]
    sea = battle(*ships, wind=wind, strength=strength)
    orders = {
        one.id: Orders(tokens=row[4], intents={other.id: n % 3 == 0 for other in ships})
        for n, (one, row) in enumerate(zip(ships, rows, strict=True))
    }
    log = Log()
    played = Play(dice=KeyedDice(seed, log=log), log=log, orders=orders)
    for one in ships:
        start, cap = one.pos, max(allowance(sea, one, facing) for facing in range(6))
        activate(sea, played, one)
        assert one.moved_hexes <= cap
        assert distance(start, one.pos) <= max(cap, 1)
        assert sorted(code.id for group in sea.at.values() for code in group) == sorted(sea.ships)
        assert all(other.pos == cell for cell, group in sea.at.items() for other in group)
        for group in sea.at.values():
            friends = [
                other
                for other in group
                if any(mate is not other and mate.flag == other.flag for mate in group)
            ]
            assert all(other.stacked for other in friends)
            assert all(not other.stacked for other in group if other not in friends)
        if one.moved_hexes and one.helm is Helm.SOUND:
            assert not one.stacked
