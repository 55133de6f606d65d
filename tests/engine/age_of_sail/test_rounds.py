"""A player turn from its beginning to the late volleys, and a battle written down and read back. Rules: A.P9, A.S4-A.S13, A.Q11."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.rulesets.age_of_sail import record, turn
from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Line, Ship, Status
from tests.engine.age_of_sail.builders import E, Mate, battle, finished, kinds, play, ship, table
from tests.support.answers import unerring

USED: dict[str, Any] = {
    "fired_port": True,
    "fired_stbd": True,
    "boarded": True,
    "repairing": True,
    "moved": True,
    "crew_fired": 2,
}
TURN_FLAGS = ("fired_port", "fired_stbd", "boarded", "repairing", "moved", "crew_fired")


@pytest.mark.clause("A.P9", "A.F4", "A.R2", "A.B6", "A.B12", "A.B9", "A.F13")
def test_what_holds_for_one_turn_is_cleared_for_the_side_whose_turn_begins() -> None:
    made = battle(
        ship("E1", **USED, parted=["D1"]),
        ship("D1", 9, **USED, parted=["E1"]),
        ship("D2", 19, owner="E", **USED),
    )
    by = table(made)
    by.fought.add("E1")
    turn.begin_turn(made, by, "E")
    assert made.active == "E" and not by.fought
    for code, cleared in (("E1", True), ("D1", False), ("D2", True)):
        one = made.ships[code]
        assert [bool(getattr(one, name)) for name in TURN_FLAGS] == [not cleared] * 6, code
        assert not one.parted and one.crew_fired == (0 if cleared else 2)


@pytest.mark.clause("A.M20", "A.Q11", "A.V1", "A.D6")
@pytest.mark.parametrize(
    ("given", "mate", "side", "parting", "leaving"),
    [
        ("", None, [], ["D", "E"], False), ("", Mate(), ["E"], ["D", "E"], True), ("", Mate(False), [], ["D"], False),
        ("| withdraw:yes", Mate(False), [], ["D"], True), ("| withdraw:no", Mate(), ["E"], ["D", "E"], False),
        ("| withdraw:yes", None, [], ["D", "E"], True),
    ],
)  # fmt: skip
def test_admirals_and_captains_decide_to_leave_and_orders_go_before_them(
    given: str, mate: Mate | None, side: list[str], parting: list[str], leaving: bool
) -> None:
    made = battle(ship("E1"), ship("D1", 9))
    made.parting = ["D", "E"]
    by = table(made, [], {"E1": given} if given else None, *([("E", mate)] if mate else []))
    turn.begin_turn(made, by, "E")
    assert (made.withdrawing, made.parting, made.ships["E1"].withdrawing) == (side, parting, leaving), (
        given,
        mate,
    )
    assert finished(by) == (["withdraws"] if side else [])
    turn.begin_turn(made, by, "E")
    assert made.withdrawing == side and finished(by) == [], "once"


@pytest.mark.clause("A.M20", "A.Q11", "A.V1", "A.D6")
def test_a_ship_continues_to_withdraw_and_gives_up_masts_as_last_ordered() -> None:
    stays = battle(ship("E1", withdrawing=True), ship("D1", 9, withdrawing=True))
    turn.begin_turn(stays, table(stays, [], None, ("E", Mate(False))), "E")
    assert stays.ships["E1"].withdrawing and stays.ships["D1"].withdrawing
    turn.begin_turn(stays, table(stays, [], {"E1": "| withdraw:no lose:main", "D1": "| lose:fore"}), "E")
    assert (stays.ships["E1"].withdrawing, stays.ships["E1"].prefer, stays.ships["D1"].prefer) == (
        False,
        ("main",),
        (),
    )
    turn.begin_turn(stays, table(stays, [], {"E1": "A1"}), "E")
    assert stays.ships["E1"].prefer == ("main",), "an order stands until the next one"


@pytest.mark.clause("A.S10", "A.F5", "A.F6", "A.P8", "A.F7")
@pytest.mark.parametrize(
    ("given", "volleys", "fired"),
    [
        ("", (), []), ("| port>D1 starboard>D2", (), ["port D1", "starboard D2"]),
        ("| starboard>D2 port>D1", (), ["port D1", "starboard D2"]),
        ("| port>- starboard>D2", (Shot("port", 0, "D1", "hull"),), ["starboard D2"]), ("| port>D1=3", (), ["port D1"]),
        ("", (Shot("starboard", 0, "D2", "hull"), Shot("port", 0, "D3", "hull")), ["port D3", "starboard D2"]),
        ("| port>D1", (Shot("starboard", 0, "D2", "hull"), Shot("port", 0, "D3", "hull")), ["port D1", "starboard D2"]),
        ("| port>- starboard>-", (Shot("starboard", 0, "D2", "hull"), Shot("port", 0, "D3", "hull")), []),
    ],
)  # fmt: skip
def test_late_volleys_are_as_ordered_and_of_the_other_side_as_the_captain_likes(
    given: str, volleys: tuple[Shot, ...], fired: list[str]
) -> None:
    made = battle(
        ship("E1", 0, 0, E),
        ship("D1", 0, 5),
        ship("D2", 0, -5),
        ship("D3", 1, 6),
        ship("E2", 50, captor="D1"),
        block_line=False,
    )
    mate = [("E", Mate(volleys=volleys))] if volleys else []
    by = table(made, [1] * 3 * len(fired), {"E1": given} if given else None, *mate)
    turn.combat(made, by)
    by.dice.finish()  # type: ignore[attr-defined]
    events = [event for event in by.log.take() if event.kind == "volley"]  # type: ignore[union-attr]
    assert [f"{event.data['side']} {event.data['target']}" for event in events] == fired
    assert all(event.ship == "E1" for event in events)


@pytest.mark.clause("A.F5", "A.F4")
def test_a_captain_is_asked_for_late_volleys_only_while_a_side_has_some_left() -> None:
    class Asked(Mate):
        count = 0

        def shots(self, view: object, one: Ship, path: object) -> list[Shot]:
            type(self).count += 1
            return []

    for over, given, asked in (
        ({}, "", 1), ({"fired_port": True}, "", 1), ({"fired_port": True, "fired_stbd": True}, "", 0), ({"repairing": True}, "", 0),
        ({"fired_port": True}, "| starboard>-", 0), ({}, "| starboard>-", 1), ({}, "| starboard>- port>D1", 0),
        ({"stbd": 0, "fired_port": True}, "", 0),
    ):  # fmt: skip
        Asked.count = 0
        made = battle(ship("E1", 0, 0, E, **over), ship("D1", 50, 5))
        turn.combat(made, table(made, [], {"E1": given} if given else None, ("E", Asked())))
        assert Asked.count == asked, (over, given)


@pytest.mark.clause("A.S13", "A.S4", "A.S11", "A.S12", "A.P9")
def test_the_stages_of_a_round_stand_in_the_order_of_the_book() -> None:
    ids = ["G37", *(f"{n}-S{stage}" for n in (1, 2) for stage in range(4, 11)), "S12", "V1"]
    assert [step.id for step in turn.STEPS] == [*ids, "G24"]
    turns = (
        "A.S4 A.X3 A.X4",
        "A.S5 A.B11",
        "A.S6 A.T7 A.T2",
        "A.S7 A.D12",
        "A.S8 A.R1",
        "A.S9 A.M9 A.L1 A.F5 A.B3",
        "A.S10 A.B9",
    )
    clauses = [" ".join(step.clauses) for step in turn.STEPS]
    assert clauses == ["A.G37", *turns, *turns, "A.S12 A.W5 A.W6", "A.M20 A.V1", "A.G24 A.X11 A.G6"]
    made = battle(ship("E1"), ship("D1", 50))
    made.ended = "limit"
    with pytest.raises(ValueError, match="over"):
        turn.play_round(made, play(made))
    # lit by the first side, thrown for in the next round; a wreck of the second side sinks in its own stage
    made = battle(
        ship("E1", 0, 0, E, fire_stage=1, fire_round=0),
        ship("D1", 50, port=0, stbd=0, units=0),
        ship("D2", 60),
        wind=6,
    )
    made.turn = 3
    by = play(made, [5, 2])
    turn.play_round(made, by)
    assert (made.turn, made.ships["E1"].fire_stage, made.ships["D1"].status) == (4, 0, Status.SUNK)
    assert [event.kind for event in by.log.take() if event.kind in ("fire_out", "gone")] == [
        "fire_out",
        "gone",
    ]  # type: ignore[union-attr]


@unerring
def strange() -> Battle:
    """A battle in which every field of a ship differs from what it is at first."""
    over: dict[str, Any] = {
        "pirate": True, "boards": True, "flagship": True, "commander": "Lezo", "rig": [2, -1, -2], "sent_port": 1,
        "sent_stbd": 2, "gone_port": 1,
        "gone_stbd": 1, "rest": 3, "fire_stage": 1, "fire_round": 2, "fire_thrown": 3, "anchor": Anchor.WEIGHING, "came": 4, "moored": True,
        "aground": True, "shoals": [0, 1], "shoal_throws": 5, "entangled": ["D1"], "parted": ["D2"], "repairing": True, "fired_port": True,
        "fired_stbd": True, "boarded": True, "crew_fired": 1, "moved": True, "captor": "D1", "manned": 2, "former": "D",
        "independent": True,
        "withdrawing": True, "path": [1, 0, -1], "prefer": ("main", "fore"), "hits_taken": 6, "hits_given": 7, "bearing": 8,
    }  # fmt: skip
    made = battle(ship("E1", 1, 2, 3, **over), ship("D1", 9, status=Status.SUNK),
    ship("D2", 7), wind_from=5, wind=2, edges=(-9, -8, 70_000, 60_000),
                  coast=[[[0, 1], [2, 3], [4, 5]]], shoals=[[[6, 7], [8, 9], [1, 1]], [[2, 2], [3, 3], [4, 5]]])  # fmt: skip
    made.lines = [Line("E-1", ["E1", "D2"], [(1, 2, 3), (4, 5, 6)], [1, -1])]
    made.history, made.quiet, made.stirred, made.ended, made.held_field = (
        [(1, 2), (3, 4)],
        3,
        True,
        "limit",
        "D",
    )
    made.withdrawing, made.parting, made.officers = ["E"], ["D"], {"E-1": ("E1", "killed", "A.G35")}
    return made


@pytest.mark.clause("A.G1", "A.G38")
def test_a_battle_that_is_saved_and_opened_again_is_the_same_in_every_detail() -> None:
    made = strange()
    doc = json.loads(json.dumps(record.to_dict(made)))
    for back in (record.from_dict(doc), record.copy(made)):
        for name in (field.name for field in fields(Battle) if field.name != "grid"):
            assert getattr(back, name) == getattr(made, name), name
        assert [one.id for one in back.near((1_000, 2_000), 0)] == ["E1"]
        assert back.near((9_000, 0), 0) == [], "a sunk ship lies nowhere"
        back.ships["E1"].rig[0] = back.ships["E1"].x = 77
        back.ships["E1"].entangled.append("X")
        back.lines[0].wake.clear()
        back.lines[0].places[0] = 9
        back.history.append((0, 0))
        back.parting.clear()
        back.officers.clear()
    assert record.to_dict(made) == record.to_dict(strange()), "a copy shares nothing that changes"
    open_sea = battle(ship("E1"), ship("D1", 9))
    assert record.from_dict(record.to_dict(open_sea)).edges is None
    for schema in (0, 2, None):
        with pytest.raises(SchemaError):
            record.from_dict({**doc, "schema": schema})


@pytest.mark.clause("A.S10", "A.B6")
def test_who_has_boarded_does_not_fire_late_and_who_was_taken_does_nothing() -> None:
    made = battle(
        ship("E1", 0, 0, E, boarded=True),
        ship("E2", 0, 30, E, captor="D1"),
        ship("D1", 0, 5),
        ship("D2", 0, 35),
    )
    by = table(made, [], {"E1": "| port>D1", "E2": "| port>D2"})
    turn.combat(made, by)
    assert kinds(by.log.take()) == []  # type: ignore[union-attr]
