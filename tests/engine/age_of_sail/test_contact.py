"""Ships that meet: contact, boarding by order, parting, drifting together, paths that end short. Rules: A.B1, A.B2, A.B12, A.M19."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import movement
from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.state import Status
from tests.engine.age_of_sail.builders import (
    FAST,
    NE,
    E,
    Mate,
    N,
    S,
    W,
    at,
    battle,
    kinds,
    sailed,
    ship,
    told,
)


@pytest.mark.clause("A.B1", "A.B2", "A.P6", "A.M19")
@pytest.mark.parametrize(
    ("across", "off", "stops"),
    [(0, 998, False), (0, 997, True), (997, 0, True), (998, 0, False), (705, 705, True)],
)
def test_contact_begins_nearer_than_a_centimetre_less_the_tolerance(
    across: int, off: int, stops: bool
) -> None:
    for h, (dx, dy) in ((E, (1, 0)), (W, (-1, 0)), (S, (0, -1))):
        for sign in (1, -1):
            foe = ship("D1", **FAST)
            made = battle(ship("E1", 0, 0, h), foe, ship("D2", 99), wind_from=0)
            made.grid.lift(foe)
            # where the fifth step would end, and so far beyond and to one side
            foe.x = dx * (5_000 + off) + sign * across * abs(dy)
            foe.y = dy * (5_000 + off) + sign * across * abs(dx)
            made.grid.place(foe)
            one, events = sailed(made, {"E1": "A5"})
            assert abs(one.x + one.y) == (4_000 if stops else 5_000), (h, sign)
            assert not one.entangled and not foe.entangled
            assert told(events, "moved")["stopped"] == ""


@pytest.mark.clause("A.B1", "A.B2", "A.B6", "A.B7", "A.B5", "A.B16")
@pytest.mark.parametrize(
    ("over", "foe", "given", "boards"),
    [
        ({}, {}, "A9 | board:D1", True), ({}, {}, "A9", False), ({}, {}, "A9 | board:D2", False), ({}, {}, "A9 | board:-", False),
        ({"repairing": True}, {}, "A9 | board:D1", False), ({"fired_port": True}, {}, "A9 | board:D1", False),
        ({"fired_stbd": True}, {}, "A9 | board:D1", False), ({"port": 0, "stbd": 0}, {}, "A9 | board:D1", False),
        ({}, {"owner": "E"}, "A9 | board:D1", False), ({"manned": 0}, {}, "A9 | board:D1", False),
    ],
)  # fmt: skip
def test_a_ship_runs_aboard_only_the_enemy_that_she_means_to_and_may(
    over: dict[str, Any], foe: dict[str, Any], given: str, boards: bool
) -> None:
    made = battle(ship("E1", 0, 0, E, **over), ship("D1", 4.5, 0, S, **FAST, **foe), ship("D2", 99))
    one, events = sailed(made, {"E1": given}, (1,) * 12 if boards else ())
    assert one.x == 3_000
    assert (one.entangled, made.ships["D1"].entangled) == ((["D1"], ["E1"]) if boards else ([], []))
    assert ("fight" in kinds(events)) is boards
    assert told(events, "moved")["stopped"] == ("D1" if boards else "")


@pytest.mark.clause("A.B1", "A.P8", "A.Q5")
def test_every_ship_inside_a_centimetre_is_tied_and_the_nearest_told_first() -> None:
    made = battle(
        ship("E1", 0, 0, E), ship("E2", 3.2, -0.6, E, **FAST), ship("D1", 3.5, 0.6, S, **FAST), ship("D2", 3.4, -0.3, S, **FAST),
        ship("D3", 3, -1, S, **FAST),
    )  # fmt: skip
    one, events = sailed(made, {}, (1,) * 12, Mate(turns=(0,) * 9, board="D2"))
    assert (one.x, one.entangled) == (2_000, ["D1", "D2", "E2"])
    assert [row.data["target"] for row in events if row.kind == "entangled"] == ["D2", "E2", "D1"]
    assert told(events, "fight")["target"] == told(events, "moved")["stopped"] == "D2"
    made = battle(ship("E1", 0, 0, E), ship("D1", 3, 0, S, **FAST), ship("D2", 99))
    one, _ = sailed(made, {"E1": "| board:-"}, mate=Mate(turns=(0,) * 9, board="D1"))
    assert (one.x, one.entangled) == (2_000, []), "an order that forbids boarding goes before the captain"


@pytest.mark.clause("A.B1", "A.B6", "A.Q5")
def test_a_ship_that_boards_at_her_first_step_has_not_moved_and_does_not_fire_on_the_way() -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 1.5, 0, S, **FAST), ship("D2", 0, 5, S, **FAST))
    one, events = sailed(
        made, {}, (1,) * 12, Mate(turns=(0,) * 9, board="D1", volleys=(Shot("port", 0, "D2", "hull"),))
    )
    assert (one.x, one.entangled, kinds(events)) == (0, ["D1"], ["moved", "entangled", "fight"])
    assert (told(events, "moved")["steps"], told(events, "moved")["stopped"]) == (0, "D1")


@pytest.mark.clause("A.B2", "A.M16", "A.B1", "A.B16")
def test_a_drift_into_another_cannot_be_stopped() -> None:
    for foe, tied in ((ship("D1", 0, -1.997, **FAST), True), (ship("D1", 0, -1.998, **FAST), False)):
        made = battle(ship("E1", 0, 0, E, rig=[-2, -2, -2], repairing=True), foe, ship("D2", 99))
        one, events = sailed(made)
        assert (one.y, one.entangled) == ((0, ["D1"]) if tied else (-1_000, []))
        assert told(events, "drifted")["stopped"] == ("D1" if tied else "")


@pytest.mark.clause("A.B12")
@pytest.mark.parametrize(
    ("x", "h", "parted", "far"),
    [
        (-0.5, E, True, 5), (-0.5, E, False, 5), (0.6, E, True, 0), (0.5, E, True, 5), (0.5, E, False, 0), (0.5, W, True, 5),
        (0.5, S, True, 5), (0.1, S, False, 5),
    ],
)  # fmt: skip
def test_a_ship_that_has_parted_goes_her_way_so_long_as_no_step_is_nearer(
    x: float, h: int, parted: bool, far: int
) -> None:
    made = battle(
        ship("E1", 0, 0, h, parted=["D1"] if parted else []),
        ship("D1", x, 0, **FAST),
        ship("D2", 99),
        wind_from=7,
    )
    one, events = sailed(made, {"E1": "A5"})
    assert max(abs(one.x), abs(one.y)) == 1_000 * far
    assert not one.entangled


@pytest.mark.clause("A.B1", "A.B12", "A.P6")
def test_a_step_touches_whom_it_brings_within_a_centimetre_but_not_one_that_she_draws_away_from() -> None:
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        own = ship("E1", 70, -30)
        for away, parted, met in (
            (0.6, False, True), (0.5, True, False), (0.501, True, True), (-0.5, True, False), (1.997, False, True), (1.998, False, False),
        ):  # fmt: skip
            other = ship("D1", 70 + dx * away, -30 + dy * away)
            own.parted = ["D1"] if parted else []
            spot = own.x + 1_000 * dx, own.y + 1_000 * dy, 0
            assert movement.touched(own, spot, [other]) == ([other] if met else []), (away, parted)
        sunk = ship("D1", 70 + dx / 2, -30 + dy / 2, status=Status.SUNK)
        assert movement.touched(own, (own.x, own.y, 0), [sunk]) == []
    near, far, same = ship("E2", 0.3, 0), ship("D1", 0, -0.5, number=1), ship("D2", -0.5, 0, number=2)
    assert [one.id for one in movement.touched(ship("E1"), (0, 0, 0), [same, far, near])] == [
        "E2",
        "D1",
        "D2",
    ]


@pytest.mark.clause("A.B12", "A.M10")
def test_a_ship_that_comes_round_to_one_she_has_parted_from_stops_as_soon_as_she_draws_nearer() -> None:
    made = battle(ship("E1", 0, 0, 5, parted=["D1"]), ship("D1", -0.5, 0.2, **FAST), ship("D2", 99), wind=7)
    one, _ = sailed(made, {"E1": "S16"})
    assert (len(one.path), one.h, one.entangled) == (14, 3, [])


@pytest.mark.clause("A.B2", "A.B12")
def test_a_path_ends_before_it_draws_nearer_to_one_that_she_has_parted_from() -> None:
    made = battle(ship("E1", 0, 0, 4, parted=["D1"]), ship("D1", 3.2, 0.5, **FAST), ship("D2", 99), wind=4)
    one, events = sailed(made, {"E1": "A5"})
    moved = next(event for event in events if event.kind == "moved")
    assert (one.x, moved.data["steps"], moved.data["stopped"]) == (2_000, 2, "")


@pytest.mark.clause("A.M10", "A.M12", "A.B1")
def test_a_ship_may_come_full_circle_to_where_she_began_round_another() -> None:
    made = battle(ship("E1", 0, 0, 5), ship("E2", -1.4, -2.1, N, **FAST), ship("D1", 99), wind=7)
    one, _ = sailed(made, {"E1": "S16"})
    assert at(one) == (0, 0, 5) and len(one.path) == 16


@pytest.mark.clause("A.M16", "A.B12", "A.B1")
@pytest.mark.parametrize(("y", "tied"), [(-0.6, True), (-0.5, False), (0.5, False)])
def test_a_drift_away_from_a_ship_that_she_has_parted_from_is_no_contact(y: float, tied: bool) -> None:
    made = battle(
        ship("E1", 0, 0, E, rig=[-2] * 3, parted=["D1"], repairing=True),
        ship("D1", 0, y, **FAST),
        ship("D2", 99),
    )
    one, _ = sailed(made)
    assert (one.y, one.entangled) == ((0, ["D1"]) if tied else (-1_000, []))


@pytest.mark.clause("A.M12", "A.M21", "A.B2", "A.M13")
def test_a_path_that_another_ship_ends_inside_the_zone_stops_before_the_tack_begins() -> None:
    for y, then in ((3.9, (1_414, 1_414, NE)), (20, (0, 5_676, 14))):
        made = battle(ship("E1", 0, 0, NE), ship("E2", 1.414, y + 0.9, E, **FAST), ship("D1", 99))
        one, _ = sailed(made, {"E1": "A2 P4"})
        assert at(one) == then if y < 20 else one.h == 14
    # in irons her point is stopped like any other step
    made = battle(ship("E1", 0, 0, 1), ship("E2", 1, 1, E, **FAST), ship("D1", 99))
    one, _ = sailed(made, {"E1": "S1"})
    assert at(one) == (0, 0, 1)
