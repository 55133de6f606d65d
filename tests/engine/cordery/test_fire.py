"""Who bears with how many dice, which shots are refused, and what each die does, one by one. Rules: C.G, C.H, C.T, C.S2-C.S6."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from battles.engine.core import squares
from battles.engine.rulesets.cordery import arms, firing, flotation, gunnery, turn
from battles.engine.rulesets.cordery.options import with_defaults
from battles.engine.rulesets.cordery.play import WEAPONS, Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from tests.engine.cordery.builders import battle, events, finish, play, ship

MAIN, SECONDARY, TORPEDO = (
    {1: 3, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2, 7: 1, 8: 1, 9: 1},
    {1: 2, 2: 2, 3: 2, 4: 1, 5: 1},
    {1: 3, 2: 2, 3: 1},
)
VECTORS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def expected(h: int, dx: int, dy: int, arc: str = "line") -> dict[str, int]:
    """Dice of a standard ship by the tables: quarters, reach, batteries and fixed tubes. Rules: C.P6, C.G2-C.G6, C.T2, C.T3."""
    vx, vy = VECTORS[h]
    ahead, right, reach = dx * vx + dy * vy, dx * vy - dy * vx, max(abs(dx), abs(dy))
    abeam = abs(ahead) <= abs(right)
    found = {"main": MAIN.get(reach, 0) * (2 if abeam else 1)}
    if abeam:
        found["stbd" if right > 0 else "port"] = SECONDARY.get(reach, 0)
    if not ahead or not right or (arc == "abeam_quarter" and abeam):
        found["torpedo"] = TORPEDO.get(reach, 0)
    return {name: dice for name, dice in found.items() if dice}


@pytest.mark.clause("C.P6", "C.G1", "C.G2", "C.G3", "C.G4", "C.G5", "C.G6", "C.G13", "C.T2", "C.T3")
@pytest.mark.parametrize("arc", ["line", "abeam_quarter"])
@pytest.mark.parametrize("h", range(8))
def test_the_dice_on_every_area_within_ten_are_those_of_the_tables(h: int, arc: str) -> None:
    one = ship("A1", (0, 0))
    options = with_defaults({"tube_arc": arc})
    table = arms.volleys(one, one.standing, options)
    for dx, dy in product(range(-10, 11), repeat=2):
        if dx or dy:
            want = expected(h, dx, dy, arc)
            assert arms.weapons(one, one.standing, (7, -3), h, (7 + dx, dy - 3), options) == want, (dx, dy)
            assert table[dx, dy, h] == tuple(
                want.get(name, 0) for name in ("main", "port", "stbd", "torpedo")
            )


@pytest.mark.clause("C.P5", "C.P6", "C.G4")
def test_a_ship_has_no_bearing_on_her_own_area() -> None:
    assert arms.bearing(0, 0, 3) == (0, squares.AHEAD, "")
    one = ship("A1", (0, 0))
    assert arms.weapons(one, one.standing, (0, 0), 3, (0, 0), with_defaults({})) == {}


@pytest.mark.clause("C.G5", "C.G6", "C.N2", "C.N3", "C.N4", "C.N5", "C.T1")
@pytest.mark.parametrize(
    ("over", "target", "dice"),
    [
        ({"turret_fore": False}, (0, 2), {"torpedo": 2}), ({"turret_fore": False}, (2, 0), {"main": 3, "stbd": 2, "torpedo": 2}),
        ({"turret_fore": False}, (0, -2), {"main": 3, "torpedo": 2}), ({"turret_aft": False}, (0, -2), {"torpedo": 2}),
        ({"turret_aft": False}, (0, 2), {"main": 3, "torpedo": 2}), ({"turret_aft": False}, (-4, 0), {"main": 2, "port": 1}),
        ({"battery_port": False}, (-4, 0), {"main": 4}), ({"battery_port": False}, (4, 0), {"main": 4, "stbd": 1}),
        ({"battery_stbd": False}, (4, 0), {"main": 4}), ({"torpedoes": 0}, (0, 2), {"main": 3}),
        ({"torpedoes": 1}, (0, 2), {"main": 3, "torpedo": 2}),
        ({"tubes": ("bow",)}, (0, 2), {"main": 3, "torpedo": 2}), ({"tubes": ("bow",)}, (0, -2), {"main": 3}),
        ({"tubes": ("port",)}, (-2, 0), {"main": 6, "port": 2, "torpedo": 2}), ({"tubes": ("port",)}, (2, 0), {"main": 6, "stbd": 2}),
        ({"guns_per_turret": 2, "guns_per_battery": 3}, (5, 0), {"main": 8, "stbd": 3}), ({"guns_per_turret": 3}, (0, 9), {"main": 3}),
        ({"main_dice": (1,), "secondary_dice": ()}, (1, 0), {"main": 2, "torpedo": 3}),
        ({"main_dice": (1,), "secondary_dice": ()}, (2, 0), {"torpedo": 2}),
    ],
)  # fmt: skip
def test_only_what_stands_and_bears_is_counted(
    over: dict[str, Any], target: tuple[int, int], dice: dict[str, int]
) -> None:
    one = ship("A1", (0, 0), **over)
    assert arms.weapons(one, one.standing, (0, 0), 0, target, with_defaults({})) == dice
    fired = arms.volleys(one, one.standing, with_defaults({}))[*target, 0]
    assert dict(zip(("main", "port", "stbd", "torpedo"), fired, strict=True)) == {
        "main": 0,
        "port": 0,
        "stbd": 0,
        "torpedo": 0,
        **dice,
    }


def declared(made: Battle, text: str = "", captains: Mapping[str, Any] | None = None, *faces: int) -> Play:
    """Orders of A1, and what is declared for all weapons."""
    table = play(made, *faces, orders={"A1": text} if text else {}, captains=captains)
    firing.declare(made, table, WEAPONS)
    return table


def refused(table: Play) -> list[str]:
    return [event.data["code"].partition("/")[2] for event in events(table, "refused")]


@pytest.mark.clause("C.G1", "C.G7", "C.G9", "C.G15", "C.T1", "C.T3", "C.T4", "C.T9", "C.K36")
@pytest.mark.parametrize(
    ("over", "foe", "text", "code"),
    [
        ({}, {}, "| main>B1", ""), ({"torpedoes": 0}, {}, "| main>B1", ""), ({}, {"at": (14, 5)}, "| main>B1", ""),
        ({}, {"at": (15, 5)}, "| main>B1", "out-of-arc"),
        ({}, {"at": (11, 5)}, "| stbd>B1", "out-of-arc"), ({}, {"at": (10, 5)}, "| stbd>B1", ""), ({}, {}, "| port>B1", "out-of-arc"),
        ({}, {"at": (8, 5)}, "| torpedo>B1", ""), ({}, {"at": (9, 5)}, "| torpedo>B1", "out-of-arc"),
        ({"torpedoes": 0}, {"at": (8, 5)}, "| torpedo>B1", "no-torpedo"),
        ({"torpedoes": 1}, {"at": (8, 5)}, "| torpedo>B1", ""), ({}, {}, "| main>B7", "no-target"), ({}, {}, "| main>A2", "no-target"),
        ({}, {"status": Status.EXPLODED}, "| main>B1", "no-target"), ({}, {"status": Status.LEFT}, "| main>B1", "no-target"),
        ({"no_fire": 1}, {}, "| main>B1", "silent"), ({"no_fire": 3}, {"at": (8, 5)}, "| torpedo>B1", "silent"),
        ({"prize": True}, {}, "| main>B1", "prize"),
        ({"turret_fore": False, "turret_aft": False}, {}, "| main>B1", "out-of-arc"),
        ({"battery_stbd": False}, {}, "| stbd>B1", "out-of-arc"),
        ({}, {"at": (5, 7)}, "| main>B1", "no-sight"), ({}, {"at": (5, 8)}, "| torpedo>B1", "no-sight"),
    ],
)  # fmt: skip
def test_a_shot_is_declared_or_refused_for_its_reason(
    over: dict[str, Any], foe: dict[str, Any], text: str, code: str
) -> None:
    made = battle(
        ship("A1", (5, 5), **over),
        ship("A2", (5, 6)),
        ship("B1", **{"at": (9, 5), **foe}),
        ship("B2", (20, 20)),
    )
    table = declared(made, text)
    assert refused(table) == ([code] if code else [])
    weapon = text[2:].partition(">")[0]
    assert table.shots == ({} if code else {"A1": {weapon: "B1"}})
    if code:
        clause = firing.REFUSALS[f"order/{code}"][0]
        assert [event.clause for event in events(table, "refused")] == [clause]


@pytest.mark.clause("C.K36", "C.S2", "C.S7")
@pytest.mark.parametrize(
    ("turn_", "surprised", "fires"), [(1, ("A",), False), (2, ("A",), True), (1, ("B",), True), (1, (), True)]
)
def test_a_surprised_side_declares_nothing_in_the_first_turn(
    turn_: int, surprised: tuple[str, ...], fires: bool
) -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (9, 5)), surprised=surprised)
    made.turn = turn_
    table = declared(made, "| main>B1")
    assert refused(table) == ([] if fires else ["surprised"])
    assert bool(table.shots) is fires and bool(table.able["A1"]) is fires


class Gunner:
    """A captain who names the same targets whatever he is asked."""

    name = "gunner"

    def __init__(self, **wished: str) -> None:
        self.wished = wished
        self.given: Any = None

    def targets(self, view: object, weapons: tuple[str, ...], given: Any) -> dict[str, dict[str, str]]:
        self.given = given
        return {"A1": self.wished}


@pytest.mark.clause("C.S2", "C.G8", "C.G12", "C.Q1")
@pytest.mark.parametrize(
    ("text", "wished", "shots"),
    [
        ("", {}, {}), ("", {"main": "B1"}, {"main": "B1"}), ("| main>-", {"main": "B1"}, {}),
        ("| stbd>B1", {"main": "B1"}, {"main": "B1", "stbd": "B1"}),
        ("| main>B2", {"main": "B1"}, {"main": "B1"}), ("", {"main": "B2", "stbd": "B1"}, {"stbd": "B1"}),
        ("| main>B1", {"main": ""}, {"main": "B1"}),
        ("| main>-", {"stbd": "B1"}, {"stbd": "B1"}),
    ],
)  # fmt: skip
def test_what_is_not_ordered_or_cannot_be_is_left_to_the_captain(
    text: str, wished: dict[str, str], shots: dict[str, str]
) -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (9, 5)), ship("B2", (20, 5)))
    captain = Gunner(**wished)
    table = declared(made, text, {"A": captain})
    assert table.shots.get("A1", {}) == shots
    ordered = {
        word.partition(">")[0]: word.partition(">")[2].strip("-")
        for word in text[2:].split()
        if "B2" not in word
    }
    assert captain.given == {"A1": ordered}


@pytest.mark.clause("C.S2", "C.S3", "C.S4", "C.S5")
@pytest.mark.parametrize("switch", ["all", "step"])
def test_each_step_fires_its_own_weapons(switch: str) -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (8, 5)), options={"declare": switch})
    table = play(made, *(1,) * 9, orders={"A1": "| main>B1 stbd>B1 torpedo>B1"})
    turn.declare(made, table)
    assert table.fp_at_start == {"A1": 12, "B1": 12}
    assert bool(table.shots) is (switch == "all")
    for step, fired in (
        (gunnery.main, ["main"]),
        (gunnery.secondary, ["main", "stbd"]),
        (gunnery.torpedoes, ["main", "stbd", "torpedo"]),
    ):
        step(made, table)
        rows = [
            event.data.get("weapon", "torpedo")
            for event in table.log.events
            if event.kind in ("fire", "torpedo")
        ]  # type: ignore[union-attr]
        assert rows == fired
    finish(table)


def struck(*faces: int, weapon: str = "stbd", reach: int = 5, **over: Any) -> tuple[Ship, Ship, Play]:
    """One die of A1 on a ship to starboard, and what follows it: the firer, the target, the play."""
    one, other = ship("A1", (5, 5)), ship("B1", (5 + reach, 5), **over)
    made = battle(one, other)
    table = play(made, *faces, orders={"A1": f"| {weapon}>B1"})
    firing.declare(made, table, WEAPONS)
    for step in (gunnery.main, gunnery.secondary, gunnery.torpedoes):
        step(made, table)
    finish(table)
    return one, other, table


def majors(table: Play) -> list[tuple[str, str]]:
    return [(event.data["result"], event.clause) for event in events(table, "major")]


@pytest.mark.clause("C.G11", "C.T5")
@pytest.mark.parametrize(("face", "lost"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1)])
@pytest.mark.parametrize(("weapon", "reach"), [("stbd", 5), ("torpedo", 3)])
def test_a_die_below_a_six_costs_a_point_from_4_on(face: int, lost: int, weapon: str, reach: int) -> None:
    one, other, table = struck(face, weapon=weapon, reach=reach)
    assert (other.fp, other.taken, one.given) == (12 - lost, lost, lost)
    assert majors(table) == [] and table.fired
    (row,) = events(table, "torpedo" if weapon == "torpedo" else "fire")
    assert (row.data["hits"], row.data["range"], row.data["dice"]) == (lost, reach, 1)
    assert one.torpedoes == (3 if weapon == "torpedo" else 4)


@pytest.mark.clause("C.H1", "C.H2", "C.H3", "C.H4", "C.H5", "C.H6", "C.H7", "C.F1")
@pytest.mark.parametrize(
    ("faces", "over", "lost", "result", "clause", "then"),
    [
        ((6, 1), {}, 2, "further", "C.H7", {}), ((6, 2), {}, 1, "fire", "C.H6", {"burning": True}),
        ((6, 2), {"burning": True}, 1, "burning", "C.H6", {"burning": True}),
        ((6, 3), {}, 1, "battery_port", "C.H5", {"battery_port": False}),
        ((6, 3), {"battery_port": False}, 1, "no_battery", "C.H5", {"battery_stbd": True}),
        ((6, 4), {}, 1, "engines", "C.H4", {"engines_hit": True}),
        ((6, 4), {"engines_hit": True}, 1, "engines_again", "C.H4", {"engines_hit": True}),
        ((6, 5, 3), {}, 1, "turret_fore", "C.H3", {"turret_fore": False, "turret_aft": True}),
        ((6, 5, 4), {}, 1, "turret_aft", "C.H3", {"turret_aft": False, "turret_fore": True}),
        ((6, 5), {"turret_fore": False}, 1, "turret_aft", "C.H3", {"turret_aft": False}),
        ((6, 5), {"turret_aft": False}, 1, "turret_fore", "C.H3", {"turret_fore": False}),
        ((6, 5), {"turret_fore": False, "turret_aft": False}, 1, "no_turret", "C.H3", {}), ((6, 6), {}, 1, "bridge", "C.H2", {}),
    ],
)  # fmt: skip
def test_a_six_of_a_gun_has_its_entry_of_the_table(
    faces: tuple[int, ...], over: dict[str, Any], lost: int, result: str, clause: str, then: dict[str, bool]
) -> None:
    _, other, table = struck(*faces, **over)
    assert (12 - other.fp, majors(table)) == (lost, [(result, clause)])
    assert {name: getattr(other, name) for name in then} == then
    assert table.bridges == ({"B1"} if result == "bridge" else set())


@pytest.mark.clause("C.T5", "C.T6", "C.T7")
@pytest.mark.parametrize(
    ("faces", "over", "lost", "result", "clause", "rudder"),
    [
        ((6, 1), {}, 2, "one", "C.T5", 0), ((6, 2), {}, 2, "one", "C.T5", 0), ((6, 3), {}, 3, "two", "C.T5", 0),
        ((6, 4), {}, 3, "two", "C.T5", 0),
        ((6, 5), {}, 1, "flooded", "C.T7", 0), ((6, 5), {"engines_hit": True}, 1, "engines_again", "C.T7", 0),
        ((6, 6, 1), {}, 1, "rudder", "C.T6", 1),
        ((6, 6, 6), {}, 1, "rudder", "C.T6", 6), ((6, 6, 3), {"lock_rudder": 4}, 1, "rudder", "C.T6", 4),
        ((6, 6, 5), {"lock_rudder": 4}, 1, "rudder", "C.T6", 5),
    ],
)  # fmt: skip
def test_a_six_of_a_torpedo_has_its_entry_of_the_table(
    faces: tuple[int, ...], over: dict[str, Any], lost: int, result: str, clause: str, rudder: int
) -> None:
    _, other, table = struck(*faces, weapon="torpedo", reach=3, **over)
    assert (12 - other.fp, majors(table), other.lock_rudder) == (lost, [(result, clause)], rudder)
    assert other.engines_hit is (result in ("flooded", "engines_again"))


@pytest.mark.clause("C.H5", "C.P6")
@pytest.mark.parametrize("h", range(8))
def test_the_near_battery_is_the_one_on_the_side_of_the_firing_ship(h: int) -> None:
    vx, vy = VECTORS[h]
    for dx, dy in ((3, 0), (0, 3), (-3, 0), (0, -3), (2, 2), (-2, 2), (2, -2), (-2, -2)):
        right = dx * vy - dy * vx
        target, shooter = ship("B1", (10, 10)), ship("A1", (10 + dx, 10 + dy))
        target.h = h
        near = "battery_stbd" if right > 0 else "battery_port"
        made = battle(shooter, target)
        table = play(
            made,
            6,
            *(1,) * (expected(0, -dx, -dy)["main"] - 1),
            3,
            *([4] if not right else []),
            orders={"A1": "| main>B1"},
        )
        firing.declare(made, table, WEAPONS)
        gunnery.main(made, table)
        finish(table)
        assert target.standing == {"turret_fore", "turret_aft", "battery_port", "battery_stbd"} - {
            near if right else "battery_stbd"
        }, (dx, dy)


@pytest.mark.clause("C.H5")
@pytest.mark.parametrize(
    ("die", "lost"), [(1, "battery_port"), (3, "battery_port"), (4, "battery_stbd"), (6, "battery_stbd")]
)
def test_dead_ahead_a_die_by_halves_says_which_battery(die: int, lost: str) -> None:
    target, shooter = ship("B1", (10, 10)), ship("A1", (10, 17), "S")
    made = battle(shooter, target)
    table = play(made, 6, 3, die, orders={"A1": "| main>B1"})
    firing.declare(made, table, WEAPONS)
    gunnery.main(made, table)
    assert not getattr(target, lost) and len(target.standing) == 3
    for gone, left in (
        ({"battery_port"}, "battery_stbd"),
        ({"battery_stbd"}, "battery_port"),
        ({"battery_port", "battery_stbd"}, ""),
    ):
        target = ship("B1", (10, 10), **dict.fromkeys(gone, False))
        made = battle(ship("A1", (10, 17), "S"), target)
        table = play(made, 6, 3, orders={"A1": "| main>B1"})
        firing.declare(made, table, WEAPONS)
        gunnery.main(made, table)
        assert len(target.standing) == 2
        assert majors(table) == [(left or "no_battery", "C.H5")]


@pytest.mark.clause("C.G14", "C.K2", "C.D6")
def test_points_beyond_the_last_count_for_no_one_and_the_first_step_is_the_cause() -> None:
    one, other, table = struck(4, fp=1)
    assert (other.fp, other.taken, one.given, other.cause) == (0, 1, 1, "sunk_gunfire")
    one, other, table = struck(6, 1, fp=1)
    assert (other.fp, other.taken, one.given) == (0, 1, 1)
    one, other, table = struck(6, 4, weapon="torpedo", reach=3, fp=2)
    assert (other.fp, other.taken, one.given, other.cause) == (0, 2, 2, "sunk_torpedo")
    one, other, table = struck(6, weapon="torpedo", reach=3, fp=0)
    assert (majors(table), one.given, one.torpedoes) == ([], 0, 3)


@pytest.mark.clause("C.S6", "C.H2", "C.D2", "C.D6")
@pytest.mark.parametrize(
    ("over", "bridge", "silent", "lock", "status", "breaks"),
    [
        ({}, False, 0, 0, Status.IN_PLAY, False), ({}, True, 3, 3, Status.IN_PLAY, False),
        ({"no_fire": 2}, False, 1, 0, Status.IN_PLAY, False),
        ({"no_fire": 1}, True, 3, 3, Status.IN_PLAY, False), ({"fp": 7}, False, 0, 0, Status.IN_PLAY, False),
        ({"fp": 6}, False, 0, 0, Status.IN_PLAY, True),
        ({"fp": 1}, False, 0, 0, Status.IN_PLAY, True),
        ({"fp": 0, "cause": "sunk_torpedo", "burning": True}, False, 0, 0, Status.SUNK_TORPEDO, False),
    ],
)  # fmt: skip
def test_the_firing_takes_effect_when_all_have_fired(
    over: dict[str, Any], bridge: bool, silent: int, lock: int, status: Status, breaks: bool
) -> None:
    one = ship("A1", (5, 5), **over)
    made = battle(one, ship("B1", (9, 5)))
    table = play(made)
    table.fp_at_start["A1"] = 12
    if bridge:
        table.bridges.add("A1")
    flotation.settle(made, table)
    assert (one.no_fire, one.lock_bridge, one.status, one.breaking_off) == (silent, lock, status, breaks)
    assert [event.data["left"] for event in events(table, "damage")] == ([one.fp] if one.fp < 12 else [])
    assert len(events(table, "breaks_off")) == breaks and len(events(table, "sunk")) == (
        status is not Status.IN_PLAY
    )
    assert not one.burning and (one.pos in made.at) is (status is Status.IN_PLAY)
    flotation.check(made, table, one, "C.D6") if one.afloat else None
    assert len(events(table, "breaks_off")) == breaks, "she says so once"


@pytest.mark.clause("C.F2", "C.F3", "C.S1", "C.D7")
@pytest.mark.parametrize("die", range(1, 7))
def test_a_fire_blows_a_ship_up_on_1_and_is_out_from_5(die: int) -> None:
    one = ship("A1", (5, 5), burning=True, fp=9, taken=3)
    made = battle(one, ship("A2", (9, 5)), ship("B1", (12, 5)))
    table = play(made, die)
    flotation.throw_fires(made, table)
    finish(table)
    assert (one.burning, one.status) == (2 <= die <= 4, Status.EXPLODED if die == 1 else Status.IN_PLAY)
    assert (one.fp, one.taken, one.cause) == ((0, 12, "exploded") if die == 1 else (9, 3, ""))
    assert [event.kind for event in table.log.events if event.kind != "die"] == (  # type: ignore[union-attr]
        ["damage", "exploded"] if die == 1 else ["burns"] if die < 5 else ["fire_out"]
    )
