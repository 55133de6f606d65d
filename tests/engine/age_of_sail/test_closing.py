"""When a battle is over, what still happens then, and what the campaign is told. Rules: A.M20, A.V1-A.V5, A.G1, A.G24, A.G35."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.log import Event
from battles.engine.rulesets.age_of_sail import closing
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status
from tests.engine.age_of_sail.builders import E, battle, kinds, play, ship
from tests.support.answers import unerring

BARE: dict[str, Any] = {"rig": [-2, -2, -2]}
DONE: dict[str, Any] = {"port": 0, "stbd": 0, **BARE}


@unerring
def closed(made: Battle) -> Battle:
    closing.close(made, play(made))
    return made


@unerring
def after(made: Battle, *faces: int, keys: list[str] | None = None) -> tuple[Battle, list[Event]]:
    """What follows the battle, every face used up. keys: filled with the keys of the dice."""
    table = play(made, faces)
    closing.after_battle(made, table)
    table.dice.finish()  # type: ignore[attr-defined]
    if keys is not None:
        keys += [throw.key for throw in table.dice.throws]  # type: ignore[attr-defined]
    return made, [event for event in table.log.take() if event.kind != "die"]  # type: ignore[union-attr]


@pytest.mark.clause("A.M20", "A.G11")
@pytest.mark.parametrize(
    ("own", "foes", "side", "gone"),
    [
        ({"withdrawing": True}, [(60.1, {})], False, True), ({"withdrawing": True}, [(60, {})], False, False),
        ({}, [(60.1, {})], True, True),
        ({}, [(60.1, {})], False, False), ({"withdrawing": True, "entangled": ["E2"]}, [(60.1, {})], False, False),
        ({"withdrawing": True}, [(60.1, {}), (50, {})], False, False), ({"withdrawing": True}, [(60.1, {}), (50, BARE)], False, True),
        ({"withdrawing": True}, [(60.1, {}), (50, {"aground": True})], False, True), ({"withdrawing": True}, [(99, BARE)], False, False),
        ({"withdrawing": True}, [(60.1, {}), (50, {"captor": "E2"})], False, True),
        ({"withdrawing": True, "captor": "D1"}, [(99, {})], False, False),
        ({"withdrawing": True, "aground": True}, [(60.1, {})], False, True), ({"withdrawing": True, **BARE}, [(60.1, {})], False, True),
    ],
)  # fmt: skip
def test_a_withdrawing_ship_is_gone_when_she_is_far_from_all_who_could_follow(
    own: dict[str, Any], foes: list[tuple[float, dict[str, Any]]], side: bool, gone: bool
) -> None:
    for axis in ("x", "y"):
        enemies = [ship(f"D{n}", **{axis: away, **over}) for n, (away, over) in enumerate(foes, 1)]
        made = battle(ship("E1", 0, 0, **own), ship("E2", -1, -1), *enemies)
        made.withdrawing = ["E"] if side else []
        closed(made)
        assert (made.ships["E1"].status is Status.WITHDRAWN) is gone
        assert (made.ships["E2"].status is Status.WITHDRAWN) is (side and gone)


@pytest.mark.clause("A.G11")
def test_she_is_gone_down_her_bearing_from_the_middle_of_the_battle() -> None:
    for x, y, point in ((0, 100, 0), (100, 0, 4), (0, -100, 8), (-100, 0, 12), (80, 80, 2), (-100, 41.4, 13)):
        made = battle(ship("E1", x, y, withdrawing=True), ship("D1"), ship("D2", 0.1, 0.1))
        closed(made)
        assert (made.ships["E1"].bearing, made.ships["E1"].status) == (point, Status.WITHDRAWN)


@pytest.mark.clause("A.V1")
def test_six_rounds_in_which_nothing_stirs_end_a_battle() -> None:
    made = battle(ship("E1"), ship("E2", 1), ship("D1", 20))
    for quiet in range(1, 6):
        assert (closed(made).quiet, made.ended) == (quiet, "")
    made.stirred = True
    assert (closed(made).quiet, made.stirred) == (0, False)
    made.quiet = 5
    made.ships["E1"].entangled, made.ships["E2"].entangled = ["E2"], ["E1"]
    assert (closed(made).quiet, made.ended) == (0, "")
    made.ships["E1"].entangled, made.ships["E2"].entangled = [], []
    made.quiet = 5
    assert (closed(made).quiet, made.ended) == (6, "parted")


@pytest.mark.clause("A.V1", "A.G37")
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{}], ""), ([BARE], ""), ([{"port": 0, "stbd": 0}], ""), ([DONE], "beaten"), ([{**DONE, "stbd": 1}], ""),
        ([{**DONE, "rig": [1, -2, -2]}], ""),
        ([{**BARE, "manned": 0}], "beaten"), ([{**BARE, "manned": 1}], ""), ([{"manned": 0}], ""),
        ([{"port": 0, "stbd": 0, "aground": True}], "beaten"),
        ([{"port": 0, "stbd": 0, "anchor": Anchor.DOWN}], "beaten"), ([{"captor": "E1"}], "beaten"), ([{"status": Status.SUNK}], "beaten"),
        ([{"status": Status.WITHDRAWN}], "parted"), ([{"status": Status.WITHDRAWN}, DONE], "beaten"),
        ([{"status": Status.WITHDRAWN}, {}], ""),
        ([{"status": Status.EXPECTED}, DONE], ""), ([{"status": Status.WITHDRAWN}, {"status": Status.SUNK}], "parted"),
        ([{"status": Status.EXPECTED}, {"status": Status.SUNK}], ""),
    ],
)  # fmt: skip
def test_a_side_that_can_neither_move_nor_fire_is_beaten_and_one_that_has_left_has_parted(
    rows: list[dict[str, Any]], why: str
) -> None:
    made = battle(
        ship("E1"), ship("E9", 70, status=Status.WITHDRAWN), *(ship(f"D{n}", 50, n, **row) for n, row in enumerate(rows, 1))
    )  # fmt: skip
    assert closed(made).ended == why
    turned = battle(
        *(ship(f"E{n}", 50, n, **row) for n, row in enumerate(rows, 2)), ship("D1"), ship("D2", 300)
    )
    for one in turned.ships.values():
        one.captor = "D1" if one.captor else ""
    assert closed(turned).ended == why


@pytest.mark.clause("A.V1", "A.Q11")
@pytest.mark.parametrize(
    ("away", "parting", "why"),
    [(12.1, ["E", "D"], "parted"), (12.1, ["D", "E"], "parted"), (12, ["E", "D"], ""), (12.1, ["E"], ""), (12.1, [], "")],
)  # fmt: skip
def test_both_admirals_part_when_no_enemies_lie_within_12_cm(
    away: float, parting: list[str], why: str
) -> None:
    for x, y in ((away, 0), (0, -away)):
        made = battle(ship("E1"), ship("E2", -1, 1), ship("D1", x, y))
        made.parting = [*parting]
        assert closed(made).ended == why


@pytest.mark.clause("A.V1")
def test_the_limit_of_rounds_is_the_sets_or_the_night() -> None:
    for turn, night, why in (
        (7, False, ""),
        (8, False, "limit"),
        (8, True, "nightfall"),
        (9, False, "limit"),
    ):
        made = battle(ship("E1"), ship("D1", 50))
        made.turn, made.last_turn, made.nightfall = turn, 8, night
        assert closed(made).ended == why
    made = battle(ship("E1"), ship("D1", 50))
    made.turn, made.last_turn, made.quiet = 8, 8, 9
    assert closed(made).ended == "limit", "the limit is told before the quiet"


@pytest.mark.clause("A.V2", "A.V3", "A.V4", "A.V5", "A.G37")
def test_who_has_cost_the_enemy_more_has_won() -> None:
    for lost, other, won in ((0, 0, ""), (1, 0, "D"), (0, 1, "E"), (2, 2, ""), (3, 2, "D")):
        made = battle(
            ship("E1", port=3 - lost),
            ship("D1", 50, stbd=3 - other),
            ship("D2", status=Status.EXPECTED, port=0),
        )
        assert closing.points(made) == {"E": lost, "D": other}
        assert closing.winner(made) == won


@pytest.mark.clause("A.G24", "A.G35")
@pytest.mark.parametrize(
    ("own", "foe", "holds"),
    [
        ({}, {}, ""), ({}, BARE, "E"), (BARE, {}, "D"), (BARE, BARE, ""), ({**BARE, "port": 2}, BARE, "D"), ({}, {"aground": True}, "E"),
        ({"port": 1}, {}, "D"), ({"port": 1}, BARE, "E"),
    ],
)  # fmt: skip
def test_the_side_alone_able_to_move_holds_the_water_and_else_the_winner(
    own: dict[str, Any], foe: dict[str, Any], holds: str
) -> None:
    assert closing.holding(battle(ship("E1", **own), ship("D1", 50, **foe))) == holds


@pytest.mark.clause("A.G6", "A.G24", "A.G35")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_ship_aground_that_the_enemy_holds_is_taken_up_to_4_and_else_burnt(face: int) -> None:
    made = battle(
        ship("E1", 20, 0), ship("E2", 0, 9), ship("E3", 9, 0), ship("E4", 5, 0, **BARE), ship("D1", 0, 0, aground=True),
        ship("D2", 60, **BARE)
    )  # fmt: skip
    made.turn, made.ended = 3, "limit"
    made, events = after(made, face)
    prize = made.ships["D1"]
    if face <= 4:
        assert (prize.owner, prize.captor, prize.manned, prize.aground, prize.status) == (
            "E",
            "E2",
            1,
            False,
            Status.AFLOAT,
        )
        assert made.ships["E2"].all_decks == 5, "of two as near the first listed"
    else:
        assert prize.status is Status.BURNT and made.ships["E2"].all_decks == 6
    assert made.held_field == "E" and kinds(events)[0] == "ended"
    assert events[0].data == {"why": "limit", "points": {"E": 3, "D": 3}}


@pytest.mark.clause("A.G6")
def test_the_nearest_enemy_takes_a_ship_aground_on_whichever_side_it_lies() -> None:
    for near, far in (((5, 0), (-9, 0)), ((0, 5), (0, -9)), ((-5, 0), (9, 0)), ((0, -5), (0, 9))):
        made = battle(
            ship("E1", *far), ship("E2", *near), ship("D1", 0, 0, aground=True), ship("D2", 60, **BARE)
        )
        made.turn, made.ended = 3, "limit"
        made, _ = after(made, 1)
        assert made.ships["D1"].captor == "E2"


@pytest.mark.clause("A.G6", "A.G24")
def test_a_ship_aground_is_refloated_by_her_own_or_when_no_enemy_can_take_her() -> None:
    for own, foe, faces in (
        ({}, BARE, ()),
        ({}, {}, ()),
        (BARE, {**BARE, "port": 0}, ()),
        ({"port": 0}, {**BARE, "stbd": 1}, ()),
    ):
        made = battle(ship("E1", 0, 0, aground=True), ship("E2", 20, **own), ship("D1", 60, **foe))
        made.turn, made.ended = 3, "limit"
        made, events = after(made, *faces)
        assert not made.ships["E1"].aground and made.ships["E1"].owner == "E"
        assert next(event for event in events if event.kind == "refloated").clause == "A.G6"
    # the winner of a battle in which nobody can move has no ship to take her with
    made = battle(ship("E1", 0, 0, aground=True, port=0), ship("D1", 60, **{**BARE, "stbd": 3}))
    made.turn, made.ended = 3, "limit"
    assert after(made)[0].ships["E1"].owner == "E"


@pytest.mark.clause("A.G24", "A.B9", "A.B5")
def test_fights_continue_in_order_of_movement_until_no_one_is_left_to_fight() -> None:
    made = battle(
        ship("E1", 0, 0, port=1, stbd=0, entangled=["D1"]), ship("E2", 9, 0, port=1, stbd=0, entangled=["D2"]),
        ship("D1", 0.5, 0, port=1, stbd=0, entangled=["E1"]), ship("D2", 9.5, 0, port=1, stbd=0, entangled=["E2"]), first="D",
    )  # fmt: skip
    made.turn, made.ended = 3, "limit"
    # D1 and E1 tie, D2 takes E2; then E1 takes D1
    keys: list[str] = []
    made, events = after(made, 2, 2, 5, 4, 6, 1, keys=keys)
    assert [key.split("/")[-4] for key in keys] == ["after1"] * 6, "the first of the turns that are played on"
    fights = [(event.ship, event.data["target"]) for event in events if event.kind == "fight"]
    assert fights == [("D1", "E1"), ("D2", "E2"), ("E1", "D1")]
    assert {code: one.owner for code, one in made.ships.items()} == {
        "E1": "E",
        "E2": "D",
        "D1": "E",
        "D2": "D",
    }
    bare = battle(
        ship("E1", port=0, stbd=0, entangled=["D1"]), ship("D1", 0.5, port=0, stbd=0, entangled=["E1"])
    )
    bare.turn, bare.ended = 3, "limit"
    bare, events = after(bare)
    assert "fight" not in kinds(events) and not bare.ships["E1"].entangled


@pytest.mark.clause("A.G24", "A.B13", "A.B15", "A.B18")
def test_every_captor_mans_her_prizes_with_a_deck_or_gives_them_up() -> None:
    prize: dict[str, Any] = {"owner": "E", "former": "D"}
    made = battle(
        ship("E1", port=1, stbd=0, entangled=["E2"]), ship("E2", 1, entangled=["E1"]), ship("D1", 2, captor="E1", **prize),
        ship("D2", 3, captor="E1", **prize), ship("D3", 4, captor="E2", manned=2, **prize), ship("D4", 90),
    )  # fmt: skip
    made.turn, made.ended = 3, "limit"
    made, _ = after(made)
    assert [made.ships[code].manned for code in ("D1", "D2", "D3")] == [1, None, 2]
    assert made.ships["D2"].status is Status.ABANDONED
    assert not made.ships["E1"].entangled and made.ships["E2"].all_decks == 6


@pytest.mark.clause("A.X11", "A.X3", "A.X4")
def test_fires_burn_out_round_by_round_in_roster_order() -> None:
    made = battle(
        ship("E1", fire_stage=1), ship("E2", 1, fire_stage=2), ship("D1", 2, fire_stage=1), ship("D2", 3)
    )
    made.turn, made.ended = 5, "limit"
    # E1 burns on, E2 is put out, D1 burns on; then E1 is put out and D1 blows up beside the others
    keys: list[str] = []
    made, events = after(made, 4, 6, 1, 6, 5, keys=keys)
    assert [key.split("/")[-2:] for key in keys] == [
        ["6", "E1"],
        ["6", "E2"],
        ["6", "D1"],
        ["7", "E1"],
        ["7", "D1"],
    ]
    assert kinds(events) == ["ended", "burns", "fire_out", "burns", "fire_out", "gone"]
    assert made.ships["D1"].status is Status.EXPLODED
    assert not any(one.fire_stage for one in made.in_play())


@pytest.mark.clause("A.G24")
def test_anchors_and_flags_of_the_day_are_cleared() -> None:
    made = battle(
        ship("E1", anchor=Anchor.DOWN, repairing=True, fired_port=True),
        ship("D1", 50, fired_stbd=True, boarded=True, anchor=Anchor.WEIGHING),
    )
    made.turn, made.ended = 3, "limit"
    for one in after(made)[0].ships.values():
        assert one.anchor is Anchor.UP
        assert not (one.repairing or one.fired_port or one.fired_stbd or one.boarded)


@pytest.mark.clause("A.G1", "A.G35", "A.B18")
@pytest.mark.parametrize(
    ("over", "fate", "cause"),
    [
        ({}, Fate.AFLOAT, ""), ({"status": Status.WITHDRAWN}, Fate.AFLOAT, ""), ({"status": Status.EXPECTED}, Fate.AFLOAT, ""),
        ({"status": Status.SUNK}, Fate.FOUNDERED, "sunk"), ({"status": Status.EXPLODED}, Fate.BLOWN_UP, "exploded"),
        ({"status": Status.BURNT}, Fate.BURNT, "burnt"), ({"status": Status.ABANDONED}, Fate.MISSING, "abandoned"),
        ({"owner": "D", "captor": "D1"}, Fate.CAPTURED, ""), ({"owner": "D", "captor": "D9"}, Fate.CAPTURED, ""),
        ({"owner": "D", "captor": "D1", "status": Status.SUNK}, Fate.FOUNDERED, "sunk"),
    ],
)  # fmt: skip
def test_each_end_has_its_fate(over: dict[str, Any], fate: Fate, cause: str) -> None:
    made = battle(ship("E1", **over), ship("E2", 30), ship("D1", 9))
    assert closing.fate_of(made, made.ships["E1"]) is fate
    row = closing.outcome(made).ship("E1")
    assert (row.fate, row.cause, row.captor) == (fate, cause, "D" if fate is Fate.CAPTURED else "")
    assert row.position == (None if over.get("status") is Status.EXPECTED else (0, 0))


@pytest.mark.clause("A.G1")
@pytest.mark.parametrize(
    ("over", "flags"),
    [
        ({}, set()), ({"status": Status.WITHDRAWN}, {Flag.WITHDREW}), (BARE, {Flag.DISABLED}), ({"rig": [-2, 1, -2]}, set()),
        ({"aground": True}, {Flag.AGROUND}),
        ({"status": Status.WITHDRAWN, **BARE}, {Flag.WITHDREW, Flag.DISABLED}), ({"status": Status.SUNK, **BARE}, set()),
        ({"status": Status.EXPECTED, **BARE}, set()), ({"owner": "D", "captor": "D1", **BARE}, set()),
    ],
)  # fmt: skip
def test_flags_say_what_else_is_true_of_a_ship_afloat(over: dict[str, Any], flags: set[Flag]) -> None:
    made = battle(ship("E1", **over), ship("E2", 30), ship("D1", 9))
    assert closing.outcome(made).ship("E1").flags == flags


@pytest.mark.clause("A.G35", "A.G18", "A.B18")
def test_prisoners_the_prize_crew_and_the_ship_that_answers_for_a_prize() -> None:
    def answered(*ships: Ship) -> tuple[str, int, int]:
        row = closing.outcome(battle(*ships, ship("E9", 2))).ship("E1")
        return row.captor_ship, row.prisoners, row.prize_crew

    prize: dict[str, Any] = {"owner": "D", "captor": "D1", "complement": 240}
    whole = ship("E1", **prize)
    assert answered(whole, ship("D1", 9)) == ("D1", 240, 72)
    assert answered(ship("E1", port=0, **prize), ship("D1", 9)) == ("D1", 210, 66)
    # three of twelve boxes lost: an eighth of the men; a captor with 40 men sends no more than those
    assert answered(whole, ship("D1", 9, complement=40)) == ("D1", 240, 40)
    assert answered(whole, ship("D1", 9, port=0, complement=40)) == ("D1", 240, 35)
    assert answered(whole, ship("D1", 9, status=Status.WITHDRAWN), ship("D2", 1)) == ("D1", 240, 72)
    assert answered(whole, ship("D1", 9, status=Status.SUNK), ship("D2", 30), ship("D3", 0, 20)) == (
        "D3",
        240,
        72,
    )
    assert (
        answered(whole, ship("D1", 9, owner="E", captor="E9"), ship("D2", 30), ship("D3", 0, -30))[0] == "D2"
    )
    assert answered(whole, ship("D1", 9, status=Status.SUNK), ship("D2", 3, status=Status.EXPECTED)) == (
        "",
        0,
        0,
    )


@pytest.mark.clause("A.G35")
@pytest.mark.parametrize(
    ("over", "officer", "fate"),
    [
        ({}, "Lezo", "unhurt"), ({"status": Status.EXPLODED}, "Lezo", "killed"), ({"owner": "D", "captor": "D1"}, "Lezo", "captured"),
        ({"status": Status.SUNK}, "Lezo", "unhurt"), ({"status": Status.EXPLODED}, "", None),
        ({"status": Status.EXPECTED}, "Lezo", "unhurt"),
    ],
)  # fmt: skip
def test_a_flag_officer_shares_the_lot_of_a_ship_blown_up_or_taken(
    over: dict[str, Any], officer: str, fate: str | None
) -> None:
    made = battle(ship("E1", **over), ship("E2", 9), ship("D1", 50, 0, **BARE))
    made.squadrons["E-1"].officer = officer
    made.turn, made.ended = 3, "limit"
    made, events = after(made)
    clause = "" if over.get("status") is Status.EXPECTED else "A.G35"
    assert [(row.name, row.ship, row.fate, row.clause) for row in closing.outcome(made).officers] == (
        [(officer, "E1", fate, clause)] if fate else []
    )
    told = [event for event in events if event.kind == "officer"]
    assert len(told) == (fate in ("killed", "captured"))


@pytest.mark.clause("A.G23", "A.G26", "A.G36", "A.G22", "A.G35")
def test_the_outcome_gives_minutes_wind_hits_places_and_conditions() -> None:
    own = ship(
        "E1", 1, 2, E, rig=[2, 1, -2], port=1, units=2, sent_stbd=1, rest=4, hits_taken=5, hits_given=7
    )
    made = battle(own, ship("D1", 50, rig=[-1, 2, 2]), wind_from=2, wind=3)
    made.turn, made.ended, made.held_field = 11, "parted", "D"
    result = closing.outcome(made)
    assert (result.rule_set, result.turns, result.minutes, result.ended, result.held_field) == (
        "age_of_sail",
        11,
        66,
        "parted",
        "D",
    )
    assert result.wind == {"towards": 270, "strength": "light"}
    row = result.ship("E1")
    assert (row.hits_taken, row.hits_given, row.position) == (5, 7, (1_000, 2_000))
    assert (row.prisoners, row.prize_crew, row.captor, row.captor_ship) == (0, 0, "", "")
    assert row.condition == {
        "schema": 1, "decks_port": 1, "decks_stbd": 3, "hull": 2, "masts": [2, 1, 0], "sent_port": 0, "sent_stbd": 1, "rest": 4,
        "gone": False,
    }  # fmt: skip
    assert result.ship("D1").condition["masts"] == [0, 2, 2]
