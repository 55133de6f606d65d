"""What a ship can still do: her masts, guns, hands and anchors, with every die given. Rules: A.M5, A.F, A.T, A.R, A.D11, A.D12, A.V3."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import hazards, leaving
from battles.engine.rulesets.age_of_sail.state import Anchor, Line, Status
from tests.engine.age_of_sail.builders import Mate, battle, finished, ship, table


@pytest.mark.clause("A.M5", "A.M15", "A.G36", "A.C1", "A.C2")
def test_the_mast_total_counts_what_stands_and_a_jury_mast_for_half() -> None:
    for rig, line, light, up in (
        ([2, 2, 2], 6, 8, 3), ([2, -2, 2], 4, 4, 2), ([-2, 2, 2], 4, 6, 2), ([2, 1, 2], 5, 6, 3), ([1, 1, 1], 3, 4, 3),
        ([-2, -1, 1], 1, 1, 1), ([-2, -2, -2], 0, 0, 0),
    ):  # fmt: skip
        assert (ship(rig=rig).power, ship(rig=rig).standing) == (line, up)
        assert ship(cls="light", rig=rig).power == light


@pytest.mark.clause("A.X2", "A.T2", "A.B13", "A.G1")
def test_a_ship_comes_with_nothing_spent_on_fire_fast_or_taken() -> None:
    one = ship()
    nothing = (
        "sent_port",
        "sent_stbd",
        "gone_port",
        "gone_stbd",
        "rest",
        "fire_stage",
        "fire_round",
        "fire_thrown",
        "came",
    )
    assert [getattr(one, name) for name in nothing] == [0] * len(nothing)
    assert (one.shoal_throws, one.crew_fired, one.hits_taken, one.hits_given, one.bearing) == (0, 0, 0, 0, -1)
    assert (one.anchor, one.manned, one.captor, one.former, one.prefer, one.status) == (
        Anchor.UP,
        None,
        "",
        "",
        (),
        Status.AFLOAT,
    )
    for name in (
        "moored",
        "aground",
        "repairing",
        "fired_port",
        "fired_stbd",
        "boarded",
        "moved",
        "independent",
        "withdrawing",
    ):
        assert getattr(one, name) is False
    assert (one.length, one.beam, one.flag) == (0, 0, "E"), "a ship is a point"
    made = battle(one, ship("D1"))
    assert (made.quiet, made.stirred, made.ended, made.held_field, made.edges) == (0, False, "", "", None)


@pytest.mark.clause("A.F1", "A.F4", "A.F12", "A.F13", "A.B3", "A.B8", "A.B14", "A.R4", "A.B6")
@pytest.mark.parametrize(
    ("over", "port", "starboard", "strength"),
    [
        ({}, 3, 2, 5), ({"fired_port": True}, 0, 2, 5), ({"fired_stbd": True}, 3, 0, 5), ({"repairing": True}, 0, 0, 5),
        ({"boarded": True}, 0, 0, 5), ({"captor": "D1"}, 0, 0, 0), ({"manned": 0}, 0, 0, 0),
        ({"captor": "D1", "manned": 1}, 1, 1, 1), ({"captor": "D1", "manned": 4}, 3, 2, 4), ({"manned": 9}, 3, 2, 5),
        ({"manned": 4, "crew_fired": 3}, 1, 1, 4), ({"status": Status.SUNK}, 0, 0, 5), ({"entangled": ["D1"]}, 3, 2, 5),
    ],
)  # fmt: skip
def test_the_dice_of_a_volley_and_of_a_boarding(
    over: dict[str, Any], port: int, starboard: int, strength: int
) -> None:
    one = ship(port=3, stbd=2, **over)
    assert (one.volley("port"), one.volley("starboard"), one.strength, one.all_decks) == (
        port,
        starboard,
        strength,
        5,
    )


@pytest.mark.clause("A.B8", "A.B13", "A.M17", "A.V1", "A.T3", "A.T5", "A.B10")
@pytest.mark.parametrize(
    ("over", "acts", "held", "fast", "able"),
    [
        ({}, True, False, False, True), ({"captor": "D1"}, False, True, False, False),
        ({"captor": "D1", "manned": 0}, True, False, False, True), ({"manned": 0}, True, False, False, True),
        ({"status": Status.WITHDRAWN}, False, False, False, False), ({"status": Status.EXPECTED}, False, False, False, False),
        ({"entangled": ["D1"]}, True, False, True, False), ({"aground": True}, True, False, True, False),
        ({"anchor": Anchor.DOWN}, True, False, True, False), ({"anchor": Anchor.WEIGHING}, True, False, True, False),
        ({"rig": [-2, -2, -2]}, True, False, False, False), ({"rig": [-2, -2, 1]}, True, False, False, True),
    ],
)  # fmt: skip
def test_who_acts_is_held_lies_fast_or_can_move(
    over: dict[str, Any], acts: bool, held: bool, fast: bool, able: bool
) -> None:
    one = ship(**over)
    made = battle(one, ship("D1", 9))
    assert (one.acts, one.held, one.fast, made.able(one)) == (acts, held, fast, able)
    assert (one in made.of("E"), one in made.enemies("D")) == (acts, acts)
    assert one not in made.of("D") and one not in made.enemies("E")
    assert (one in [*made.in_play()]) is one.afloat is (one.status is Status.AFLOAT)
    assert one.expected is (one.status is Status.EXPECTED)


@pytest.mark.clause("A.D11")
def test_a_ship_is_sinkable_when_the_last_box_of_decks_and_hull_is_gone() -> None:
    for port, stbd, units in product((0, 1), repeat=3):
        assert ship(port=port, stbd=stbd, units=units).sinkable is (port + stbd + units == 0)


@pytest.mark.clause("A.V3", "A.V4", "A.G36")
@pytest.mark.parametrize(
    ("over", "lost", "damage"),
    [
        ({}, 0, 0), ({"port": 1}, 2, 2), ({"stbd": 0}, 3, 3), ({"units": 1}, 2, 2), ({"rig": [2, -2, -2]}, 2, 2),
        ({"port": 2, "gone_port": 1}, 0, 0), ({"stbd": 1, "gone_stbd": 1}, 1, 1), ({"start": (3, 3, 3, 2)}, 0, 0),
        ({"port": 1, "status": Status.SUNK}, 2, 12), ({"status": Status.EXPLODED}, 0, 12), ({"status": Status.BURNT}, 0, 12),
        ({"status": Status.ABANDONED}, 0, 12), ({"port": 1, "status": Status.WITHDRAWN}, 2, 2), ({"owner": "D"}, 0, 12),
        ({"owner": "D", "start": (1, 2, 3, 1), "port": 1, "stbd": 2, "rig": [2, -2, -2]}, 0, 7),
    ],
)  # fmt: skip
def test_the_boxes_lost_and_what_they_count_for_the_enemy(
    over: dict[str, Any], lost: int, damage: int
) -> None:
    one = ship(**over)
    assert (one.boxes_lost, one.damage) == (lost, damage)


@pytest.mark.clause("A.P1", "A.P8", "A.M18", "A.M20")
def test_the_battle_knows_its_sides_its_lines_and_who_lies_near() -> None:
    made = battle(
        ship("E1", 0, 0),
        ship("E2", 3, 4),
        ship("D1", -3, -4),
        ship("D2", 26, 0),
        first="D",
        line=["E1", "E2"],
    )
    assert (made.enemy("E"), made.enemy("D"), made.second) == ("D", "E", "E")
    (row,) = made.lines
    assert (made.lines_of("E"), made.lines_of("D")) == ([row], [])
    assert made.line_of(made.ships["E2"]) is row and made.line_of(made.ships["D1"]) is None
    assert [one.id for one in made.near((0, 0), 5_000)] == ["E1", "E2", "D1"]
    assert [one.id for one in made.near((0, 0), 4_999)] == ["E1"]
    for spot in (
        (25_000, 100, 3),
        (26_000, 23_000, 4),
        (-1, -1, 5),
        (-25_000, 23_999, 6),
        (-25_000, 24_000, 6),
    ):
        made.put(made.ships["E1"], spot)
        assert (made.ships["E1"].x, made.ships["E1"].y, made.ships["E1"].h) == spot
        assert made.ships["E1"] in made.near(spot[:2], 0)
        assert made.ships["E1"] not in made.near((spot[0] + 1, spot[1]), 0)
    row = Line("D-1", ["D2", "D1"], [], [-1, -1])
    made.lines.append(row)
    assert made.lines_of("D") == [row]


@pytest.mark.clause("A.T7", "A.S6")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_six_and_nothing_less_refloats_a_ship_of_the_active_side(face: int) -> None:
    made = battle(ship("E1", aground=True), ship("E2", 5), ship("D1", 9, aground=True))
    at = table(made, [face])
    hazards.refloat(made, at)
    assert finished(at) == (["refloated"] if face == 6 else [])
    assert (made.ships["E1"].aground, made.ships["D1"].aground) == (face < 6, True)


@pytest.mark.clause("A.D12", "A.W8", "A.D11", "A.T10", "A.S7")
@pytest.mark.parametrize("face", range(1, 7))
def test_one_or_two_in_a_sea_of_six_or_more_sinks_a_wreck(face: int) -> None:
    wreck: dict[str, Any] = {"port": 0, "stbd": 0, "units": 0}
    for wind, over, thrown in (
        (5, {}, 0), (6, {}, 1), (7, {}, 1), (6, {"units": 1}, 0), (6, {"aground": True}, 0), (6, {"anchor": Anchor.DOWN}, 1),
        (6, {"entangled": ["D1"]}, 1), (6, {"captor": "D1"}, 1), (6, {"owner": "D"}, 0), (6, {"status": Status.SUNK}, 0),
    ):  # fmt: skip
        made = battle(ship("E1", **{**wreck, **over}), ship("E2", 20), ship("D1", 40, **wreck), wind=wind)
        if over.get("entangled"):
            leaving.tie(made.ships["E1"], made.ships["D1"])
        at = table(made, [face] * thrown)
        hazards.high_seas(made, at)
        assert finished(at) == (["gone"] if thrown and face <= 2 else []), (wind, over)
        assert made.ships["D1"].afloat and not made.ships["D1"].entangled or over.get("entangled")


@pytest.mark.clause("A.T2", "A.Q9", "A.S6")
@pytest.mark.parametrize(
    ("came", "given", "mate", "after"),
    [
        (3, "", None, "down"), (3, "| weigh:yes", None, "weighing"), (4, "| weigh:yes", None, "down"), (3, "", Mate(), "weighing"),
        (3, "", Mate(False), "down"), (3, "| weigh:no", Mate(), "down"), (3, "| weigh:yes", Mate(False), "weighing"),
        (4, "", Mate(), "down"),
    ],
)  # fmt: skip
def test_an_anchor_comes_up_by_order_or_else_as_the_captain_likes_and_not_before_the_next_turn(
    came: int, given: str, mate: Mate | None, after: str
) -> None:
    made = battle(ship("E1", anchor=Anchor.DOWN, came=came), ship("D1", 9, anchor=Anchor.DOWN))
    made.turn = 4
    at = table(made, [], {"E1": given} if given else None, *([("E", mate)] if mate else []))
    hazards.weigh(made, at)
    assert (made.ships["E1"].anchor, made.ships["D1"].anchor) == (after, Anchor.DOWN), (came, given)
    assert finished(at) == (["weighs"] if after == "weighing" else [])
    made.ships["D1"].anchor = Anchor.UP
    made.active = "D"
    hazards.weigh(made, table(made, [], {"D1": "| weigh:yes"}))
    assert made.ships["D1"].anchor is Anchor.UP, "there is nothing to weigh"
    made.active = "E"
    hazards.weigh(made, table(made, []))
    assert made.ships["E1"].anchor is (Anchor.UP if after == "weighing" else Anchor.DOWN)


@pytest.mark.clause("A.R1", "A.R2", "A.R3", "A.R6", "A.G36", "A.S8")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_six_and_nothing_less_raises_the_mast(face: int) -> None:
    made = battle(ship("E1", rig=[-2, -1, 2]), ship("D1", 9, rig=[-2, 2, 2]))
    at = table(made, [face], {"E1": "| repair:main", "D1": "| repair:fore"})
    hazards.repair(made, at)
    assert finished(at) == ["repair"]
    assert made.ships["E1"].rig == [-2, 1 if face == 6 else -1, 2]
    assert made.ships["E1"].repairing and not made.ships["D1"].repairing


@pytest.mark.clause("A.R1", "A.R3", "A.Q7")
@pytest.mark.parametrize(
    ("cls", "rig", "given", "answer", "raised"),
    [
        ("light", [-2, -2, -2], "", True, 1), ("light", [-2, 2, -2], "", True, 0), ("light", [2, 2, -2], "", True, 2),
        ("line", [-2, -2, -2], "", True, 1), ("line", [-2, 2, -2], "", True, 0), ("line", [2, 2, 2], "", True, None),
        ("line", [-2, -2, -2], "", False, None), ("line", [-2, -2, -2], "| repair:mizzen", False, 2),
        ("line", [-2, -2, -2], "| repair:-", True, None), ("line", [-2, -2, 2], "| repair:mizzen", True, None),
    ],
)  # fmt: skip
def test_the_mast_to_raise_is_as_ordered_and_else_the_best_that_lies(
    cls: str, rig: list[int], given: str, answer: bool, raised: int | None
) -> None:
    made = battle(ship("E1", cls=cls, rig=[*rig]), ship("D1", 9))
    at = table(made, [6] if raised is not None else [], {"E1": given} if given else None, ("E", Mate(answer)))
    hazards.repair(made, at)
    finished(at)
    up = [n for n, state in enumerate(rig) if state > 0] + ([raised] if raised is not None else [])
    assert [n for n, state in enumerate(made.ships["E1"].rig) if state > 0] == sorted(up), (
        cls,
        rig,
        given,
    )
