"""Ends, scores, the saved, what the campaign is told, and battles written down, bound by bound. Rules: C.V, C.K1-C.K35, C.F5."""

from __future__ import annotations

import json
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.core.fates import Fate, Flag
from battles.engine.rulesets.cordery import closing, ending, record, turn
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from tests.engine.cordery.builders import battle, events, finish, play, ship

GONE: dict[str, Any] = {"status": Status.SUNK_GUNFIRE, "fp": 0}


def ended(*ships: Ship, fired: bool = True, **over: Any) -> Battle:
    made = battle(*ships, **over)
    table = play(made)
    table.fired = fired
    ending.close(made, table)
    return made


@pytest.mark.clause("C.V1", "C.K36")
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{}], ""), ([GONE], "beaten"), ([{"status": Status.EXPLODED, "fp": 0}], "beaten"), ([{"status": Status.LEFT}], "parted"),
        ([{"status": Status.BROKE_OFF}], "parted"), ([GONE, {"status": Status.LEFT}], "parted"), ([GONE, {}], ""),
        ([GONE, {"status": Status.EXPECTED}], ""),
        ([{"breaking_off": True}], "parted"), ([{"breaking_off": True}, {}], ""),
        ([{"breaking_off": True}, {"breaking_off": True}], "parted"),
        ([{"breaking_off": True, "at": (14, 5)}], ""), ([{"breaking_off": True, "at": (15, 5)}], "parted"),
        ([{"breaking_off": True}, {"status": Status.EXPECTED}], ""),
        ([{"breaking_off": True}, GONE], "parted"), ([{"breaking_off": True}, {"breaking_off": True, "at": (5, 14)}], ""),
    ],
)  # fmt: skip
def test_a_side_is_beaten_has_parted_or_fights_on(rows: list[dict[str, Any]], why: str) -> None:
    foes = [ship(f"B{n}", **{"at": (20, 2 * n), **row}) for n, row in enumerate(rows, 1)]
    assert ended(ship("A1", (5, 5)), ship("A2", (4, 5), status=Status.LEFT), *foes).ended == why
    turned = [ship(f"A{n}", **{"at": (20, 2 * n), **row}) for n, row in enumerate(rows, 1)]
    assert ended(*turned, ship("B1", (5, 5))).ended == why


@pytest.mark.clause("C.V1")
def test_eight_turns_without_a_shot_part_the_fleets_unless_someone_is_due() -> None:
    for due, before, fired, quiet, why in (
        (False, 6, False, 7, ""), (False, 7, False, 8, "parted"), (False, 7, True, 0, ""), (True, 7, False, 8, ""),
        (True, 39, False, 40, ""),
    ):  # fmt: skip
        late = [ship("B2", status=Status.EXPECTED)] if due else []
        made = ended(ship("A1", (5, 5)), ship("B1", (9, 5)), *late, fired=fired, quiet=before)
        assert (made.quiet, made.ended) == (quiet, why)


@pytest.mark.clause("C.V1")
@pytest.mark.parametrize(
    ("now", "own", "why"),
    [(39, False, ""), (40, False, "limit"), (41, False, "limit"), (40, True, "nightfall")],
)
def test_the_last_turn_is_the_sets_limit_or_the_night(now: int, own: bool, why: str) -> None:
    assert ended(ship("A1", (5, 5)), ship("B1", (9, 5)), turn=now, own_limit=own).ended == why
    assert ended(ship("A1", (5, 5)), ship("B1", (9, 5), **GONE), turn=40).ended == "beaten", (
        "the earlier reason is told"
    )


@pytest.mark.clause("C.V2", "C.N12", "C.K35")
@pytest.mark.parametrize(
    ("over", "points"),
    [
        ({}, 0), ({"fp": 9}, 3), ({"fp": 5, "fp_before": 7}, 2), (GONE | {"fp_before": 12}, 18), (GONE | {"fp_before": 4}, 10),
        (GONE | {"fp_max": 9, "fp_before": 9}, 14),
        (GONE | {"fp_max": 1, "fp_before": 1}, 2), ({"breaking_off": True, "fp": 5, "fp_before": 12}, 9),
        ({"breaking_off": True, "came_critical": True, "fp": 4, "fp_before": 6}, 2),
        ({"breaking_off": True, "fp_max": 7, "fp": 3, "fp_before": 7}, 6),
        ({"breaking_off": True, "fp_max": 6, "fp": 3, "fp_before": 6}, 4),
        ({"status": Status.LEFT, "fp": 8, "fp_before": 12}, 4),
        ({"status": Status.BROKE_OFF, "breaking_off": True, "fp": 6, "fp_before": 12}, 8),
        (GONE | {"breaking_off": True, "fp_before": 12}, 18),
    ],
)  # fmt: skip
def test_what_a_ship_is_worth_to_the_enemy(over: dict[str, Any], points: int) -> None:
    one = ship("A1", **{**over, "fp_before": over.get("fp_before", 12)})
    made = battle(one, ship("B1", (9, 5)))
    assert (ending.score(made, "B"), ending.score(made, "A")) == (points, 0)


def after(*ships: Ship, faces: tuple[int, ...] = (), **over: Any) -> tuple[Battle, Any]:
    made = battle(*ships, **over)
    made.ended = "limit"
    table = play(made, *faces)
    ending.after_battle(made, table)
    finish(table)
    return made, table


@pytest.mark.clause("C.V2", "C.K34")
@pytest.mark.parametrize(
    ("a", "b", "winner"), [(12, 12, ""), (11, 12, "B"), (12, 11, "A"), (9, 9, ""), (9, 8, "A")]
)
def test_the_higher_score_wins_and_holds_the_field(a: int, b: int, winner: str) -> None:
    made, table = after(ship("A1", (5, 5), fp=a, fp_before=12), ship("B1", (9, 5), fp=b, fp_before=12))
    assert (made.winner, made.scores) == (winner, {"A": 12 - b, "B": 12 - a})
    assert closing.outcome(made).held_field == winner
    assert events(table, "ended")[0].data == {
        "why": "limit",
        "scores": {"A": 12 - b, "B": 12 - a},
        "winner": winner,
    }


@pytest.mark.clause("C.K9", "C.K24")
@pytest.mark.parametrize(
    ("status", "friend", "die", "share"),
    [
        (Status.SUNK_GUNFIRE, (5, 8), 1, Fraction(1, 10)), (Status.SUNK_TORPEDO, (8, 8), 6, Fraction(6, 10)),
        (Status.SUNK_RAMMING, (5, 9), 1, Fraction(1, 20)),
        (Status.SUNK_GUNFIRE, (9, 5), 6, Fraction(6, 20)), (Status.EXPLODED, (5, 6), None, Fraction(1, 100)),
    ],
)  # fmt: skip
def test_part_of_the_crew_of_a_lost_ship_is_saved(
    status: Status, friend: tuple[int, int], die: int | None, share: Fraction
) -> None:
    for people in (700, 705, 15, 5_000):
        lost = ship("A1", (5, 5), fp=0, status=status, complement=people)
        _, table = after(lost, ship("A2", friend), ship("B1", (5, 4)), faces=() if die is None else (die,))
        (row,) = events(table, "saved")
        assert (row.data["men"], row.data["of"]) == (int(people * share + Fraction(1, 2)), people)


@pytest.mark.clause("C.F5", "C.K24", "C.P8")
def test_fires_burn_out_ship_by_ship_and_the_marks_of_the_battle_are_wiped() -> None:
    one = ship("A1", (5, 5), burning=True, no_fire=2, lock_bridge=1, lock_rudder=3)
    gone = ship("A2", (6, 5), status=Status.LEFT, burning=True)
    made, table = after(one, gone, ship("B1", (9, 5), burning=True), faces=(4, 2, 6, 5, 3, 1))
    assert [(event.kind, event.ship) for event in table.log.events if event.kind in ("burns", "fire_out", "exploded")] == [
        ("burns", "A1"), ("burns", "A1"), ("fire_out", "A1"), ("fire_out", "A2"), ("burns", "B1"), ("exploded", "B1"),
    ]  # fmt: skip
    assert (one.no_fire, one.lock_bridge, one.lock_rudder) == (0, 0, 0)
    turns = [throw.key.split("/")[-2] for throw in table.dice.throws]
    assert turns == ["2", "3", "4", "2", "2", "3"], "turn by turn after the last"
    assert len({throw.key for throw in table.dice.throws}) == 6 and {
        throw.clause for throw in table.dice.throws
    } == {"C.F5"}
    assert [(event.data["men"]) for event in events(table, "saved")] == [7]


@pytest.mark.clause("C.K34")
@pytest.mark.parametrize(
    ("status", "fate"),
    [
        (Status.EXPLODED, "killed"),
        (Status.SUNK_GUNFIRE, "unhurt"),
        (Status.IN_PLAY, "unhurt"),
        (Status.LEFT, "unhurt"),
    ],
)
def test_an_officer_is_killed_with_a_ship_that_explodes(status: Status, fate: str) -> None:
    made = battle(ship("A1", (5, 5), fp=0 if status.lost else 12, status=status), ship("B1", (9, 5)))
    made.squadrons["A-1"].officer, made.ended = "Ting", "limit"
    table = play(made, *([3] if status is Status.SUNK_GUNFIRE else []))
    ending.after_battle(made, table)
    assert [(row.name, row.ship, row.fate) for row in closing.outcome(made).officers] == [
        ("Ting", "A1", fate)
    ]
    assert len(events(table, "officer")) == (fate == "killed")


@pytest.mark.clause("C.K1", "C.K5", "C.K34")
@pytest.mark.parametrize(
    ("over", "fate", "cause", "flags"),
    [
        ({}, Fate.AFLOAT, "in_play", set()), ({"breaking_off": True}, Fate.AFLOAT, "broke_off", {Flag.WITHDREW}),
        ({"aground": True}, Fate.AFLOAT, "aground", {Flag.AGROUND}),
        ({"aground": True, "breaking_off": True}, Fate.AFLOAT, "aground", {Flag.AGROUND}),
        ({"status": Status.LEFT}, Fate.AFLOAT, "left_board", {Flag.WITHDREW}),
        ({"status": Status.BROKE_OFF, "breaking_off": True}, Fate.AFLOAT, "broke_off", {Flag.WITHDREW}),
        ({"engines_hit": True, "fp": 6}, Fate.AFLOAT, "in_play", {Flag.DISABLED}),
        ({"engines_hit": True, "fp": 7}, Fate.AFLOAT, "in_play", set()), ({"fp": 6}, Fate.AFLOAT, "in_play", set()),
        ({"status": Status.EXPECTED, "engines_hit": True, "fp": 1}, Fate.AFLOAT, "expected", set()),
        ({"status": Status.SUNK_GUNFIRE, "fp": 0, "engines_hit": True}, Fate.SUNK, "sunk_gunfire", set()),
        ({"status": Status.SUNK_TORPEDO, "fp": 0}, Fate.SUNK, "sunk_torpedo", set()),
        ({"status": Status.SUNK_RAMMING, "fp": 0, "aground": True}, Fate.SUNK, "sunk_ramming", set()),
        ({"status": Status.EXPLODED, "fp": 0}, Fate.BLOWN_UP, "exploded", set()),
    ],
)  # fmt: skip
def test_each_end_has_its_fate_its_cause_and_its_flags(
    over: dict[str, Any], fate: Fate, cause: str, flags: set[Flag]
) -> None:
    one = ship("A1", (5, 5), **over)
    assert (closing.fate(one), closing.kind(one)) == (fate, cause)
    made = battle(one, ship("B1", (9, 5)))
    made.ended = "limit"
    row = closing.outcome(made).ship("A1")
    assert (row.fate, row.cause, set(row.flags), row.position) == (
        fate,
        cause,
        flags,
        None if one.expected else (5, 5),
    )


@pytest.mark.clause("C.K1", "C.K22", "C.K23", "C.K26", "C.K34", "C.K15")
def test_the_battle_result_gives_minutes_and_wind_and_hits_and_conditions() -> None:
    one = ship(
        "A1",
        (5, 5),
        fp=7,
        turret_aft=False,
        battery_port=False,
        engines_hit=True,
        turret_half=True,
        given=4,
        taken=5,
    )
    made = battle(one, ship("B1", (9, 5), turret_half=True), turn=7, towards=77, strength="strong")
    with pytest.raises(ValueError, match="not over"):
        closing.outcome(made)
    made.ended = "parted"
    result = closing.outcome(made)
    assert (result.rule_set, result.turns, result.minutes, result.ended) == ("cordery", 7, 35, "parted")
    assert result.wind == {"towards": 77, "strength": "strong"}
    row = result.ship("A1")
    assert (row.hits_given, row.hits_taken, row.captor, row.prize_crew, row.prisoners) == (4, 5, "", 0, 0)
    assert row.condition == {
        "schema": 1, "fp": 7, "turret_fore": True, "turret_aft": False, "battery_port": False, "battery_stbd": True,
        "engines_hit": True, "turret_half": True,
    }  # fmt: skip
    assert result.ship("B1").condition["turret_half"] is False, "all her turrets stand"
    gunboat = ship("B1", fitted=("turret_fore",), turret_aft=False, turret_half=True)
    assert not closing.condition(gunboat).turret_half, "she never had an aft turret"


@pytest.mark.clause("C.S7", "C.K36", "C.P8", "C.S8", "C.S9")
@pytest.mark.parametrize(
    ("faces", "surprised", "now_", "first"),
    [
        ((4, 3), (), 1, "A"), ((3, 4), (), 1, "B"), ((2, 2, 6, 5), (), 3, "A"), ((1, 1, 5, 5, 1, 2), (), 3, "B"), ((),
        ("A",), 1, "A"), ((), ("B",), 1, "B"),
        ((5, 1), ("B",), 2, "A"), ((5, 1), ("A", "B"), 1, "A"),
    ],
)  # fmt: skip
def test_the_higher_die_moves_first_and_a_surprised_side_in_the_first_turn(
    faces: tuple[int, ...], surprised: tuple[str, ...], now_: int, first: str
) -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (9, 5)), turn=now_, surprised=surprised)
    table = play(made, *faces, orders={"A1": "F", "B1": "F"})
    turn.initiative(made, table)
    finish(table)
    assert made.first == first and made.other(first) == {"A": "B", "B": "A"}[first]
    (row,) = events(table, "initiative")
    assert row.data == {"first": first, "dice": [*faces]} and row.clause == ("C.S7" if faces else "C.K36")
    turn.move_first(made, table)
    turn.move_second(made, table)
    assert [event.ship for event in events(table, "moved")] == [f"{first}1", f"{made.other(first)}1"]


@pytest.mark.clause("C.P9", "C.S10")
def test_a_battle_that_is_over_has_no_further_turn_and_a_turn_forgets_the_last() -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (9, 5)), turn=4, first="B")
    table = play(made, 6, 1)
    table.shots, table.bridges, table.moved, table.fired = {"A1": {"main": "B1"}}, {"B1"}, {"A1"}, True
    turn.play_turn(made, table)
    assert (made.turn, made.first, made.quiet, table.shots, table.bridges) == (5, "A", 1, {}, set())
    made.ended = "limit"
    with pytest.raises(ValueError, match="over"):
        turn.play_turn(made, table)


@pytest.mark.clause("C.K1")
def test_a_battle_that_is_saved_and_opened_again_is_the_same_in_every_detail() -> None:
    made = battle(
        ship("A1", (5, 5), burning=True, lock_rudder=2, last_action="L", last_spent=1, prize=True, captain="X", cause="y",
        aground=True, turret_half=True),
        ship("B1", (9, 5), status=Status.LEFT), board=(0, None, 23, 9), land=frozenset({(1, 2),
        (0, 3)}), shoal=frozenset({(4, 4)}), surprised=("A",),
        scores={"A": 1}, luck={"A-1": ("A1", "killed", "z")}, quiet=3, ended="limit", winner="A", first="B",
    )  # fmt: skip
    doc = json.loads(json.dumps(record.to_dict(made)))
    assert (doc["land"], doc["schema"]) == ([[0, 3], [1, 2]], 1)
    for back in (record.from_dict(doc), record.copy(made)):
        for name in (field.name for field in fields(Battle) if field.name not in ("ships", "at")):
            assert getattr(back, name) == getattr(made, name), name
        for code, one in made.ships.items():
            assert all(
                getattr(back.ships[code], field.name) == getattr(one, field.name) for field in fields(Ship)
            )
        assert back.at == {(5, 5): back.ships["A1"]}
        back.ships["A1"].fp = 1
        back.scores["A"] = 9
        back.luck.clear()
        back.squadrons["A-1"].arrives = 5
    assert (
        made.ships["A1"].fp == 12
        and made.scores == {"A": 1}
        and made.luck
        and not made.squadrons["A-1"].arrives
    )
    for schema in (0, 2, None):
        with pytest.raises(SchemaError):
            record.from_dict({**doc, "schema": schema})
