"""Who may fire, what each face does, what hits cost, and ships on fire: boundary after boundary. Rules: A.F, A.D, A.X."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from battles.engine.core.log import Event
from battles.engine.rulesets.age_of_sail import burning, gunnery
from battles.engine.rulesets.age_of_sail.damage import Boxes, first_given_up, hull_hits, masts_down
from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.state import Battle, Status
from tests.engine.age_of_sail.builders import E, N, S, W, battle, kinds, play, ship
from tests.support.answers import unerring

# The table "hull hits on, sails hit on" of the book, at 4, 8 and 12 cm.
HIT_ON = {("hull", 4): 3, ("hull", 8): 4, ("hull", 12): 5, ("sails", 4): 4, ("sails", 8): 5, ("sails", 12): 6}


@unerring
def fired(
    made: Battle, faces: list[int], aim: str = "hull", side: str = "starboard", at: str = "D1"
) -> tuple[bool, tuple[Event, ...]]:
    """A volley of E1, every face used up, and what happened."""
    table = play(made, faces)
    done = gunnery.fire(made, table, made.ships["E1"], Shot(side, 0, at, aim))
    table.dice.finish()  # type: ignore[attr-defined]
    return done, table.log.take()  # type: ignore[union-attr]


@pytest.mark.clause("A.F9", "A.F8", "A.F7")
@pytest.mark.parametrize(("aim", "away"), HIT_ON)
def test_each_face_hits_or_misses_by_aim_and_band(aim: str, away: int) -> None:
    for face, nearest in product(range(1, 7), (away - 3.99, away)):
        made = battle(ship("E1", port=1, stbd=1), ship("D1", nearest, 0))
        done, events = fired(made, [face], aim)
        hit = face >= HIT_ON[aim, away]
        assert done and made.stirred and made.ships["D1"].boxes_lost == hit
        assert kinds(events) == (["volley", "damage"] if hit else ["volley"])
        volley = next(event for event in events if event.kind == "volley")
        assert (volley.data["hits"], volley.data["dice"], volley.data["fresh"]) == (hit, 1, hit)


BESIDE: dict[str, Any] = {"x": 6}


@pytest.mark.clause("A.F2", "A.F8", "A.F10", "A.B8", "A.D13", "A.F12")
@pytest.mark.parametrize(
    ("over", "may"),
    [
        ({}, True), ({"x": 12}, True), ({"x": 12.003}, False), ({"y": 5.9}, True), ({"y": 6.1}, False),
        ({"x": -6}, False), ({"owner": "E"}, False), ({"status": Status.SUNK}, False), ({"status": Status.EXPECTED}, False),
        ({"captor": "E1", "owner": "E"}, False), ({"captor": "E1"}, True), ({"aground": True}, True),
    ],
)  # fmt: skip
def test_no_one_fires_at_a_friend_or_a_stranger_or_a_ship_out_of_reach(
    over: dict[str, Any], may: bool
) -> None:
    made = battle(ship("E1"), ship("D1", **{**BESIDE, **over}))
    assert gunnery.may_fire(made, made.ships["E1"], "starboard", made.ships["D1"]) is may, over
    assert not gunnery.may_fire(made, made.ships["E1"], "port", made.ships["D1"]) or over == {"x": -6}


@pytest.mark.clause("A.F2", "A.F8", "A.F10", "A.B8", "A.D13", "A.F12")
def test_a_volley_at_no_one_or_from_no_deck_is_not_fired() -> None:
    made = battle(ship("E1"), ship("D1", 6))
    assert not fired(made, [], at="D7")[0]
    assert not made.stirred and made.ships["E1"].volley("starboard") == 3
    silent = battle(ship("E1", stbd=0), ship("D1", 6))
    assert not fired(silent, [])[0]


@pytest.mark.clause("A.F4", "A.F7", "A.F13", "A.F1")
def test_each_side_fires_once_and_for_itself_and_a_prize_crew_serves_both() -> None:
    made = battle(ship("E1", port=2), ship("D1", 6), ship("D2", -6))
    assert fired(made, [1, 1, 1])[0]
    own = made.ships["E1"]
    assert (own.fired_port, own.fired_stbd, own.volley("port"), own.volley("starboard")) == (
        False,
        True,
        2,
        0,
    )
    assert own.crew_fired == 0
    assert fired(made, [1, 1], side="port", at="D2")[0]
    assert (own.fired_port, own.volley("port")) == (True, 0)
    prize = battle(ship("E1", captor="E2", manned=4), ship("D1", 6), ship("D2", -6))
    assert fired(prize, [1, 1, 1])[0] and prize.ships["E1"].crew_fired == 3
    assert fired(prize, [1], side="port", at="D2")[0] and prize.ships["E1"].crew_fired == 4


@pytest.mark.clause("A.X1", "A.X2", "A.X8")
@pytest.mark.parametrize(
    ("faces", "alight"), [([6, 5, 5], 0), ([6, 6, 1], 1), ([1, 6, 6], 1), ([6, 6, 6], 1), ([5, 5, 5], 0)]
)
def test_two_sixes_in_a_volley_light_the_target_whatever_the_aim(faces: list[int], alight: int) -> None:
    for aim in ("hull", "sails"):
        made = battle(ship("E1"), ship("D1", 6))
        made.turn = 5
        _, events = fired(made, faces, aim)
        assert (made.ships["D1"].fire_stage, made.ships["D1"].fire_round) == (alight, 5 * alight)
        assert ("alight" in kinds(events)) == bool(alight)


@pytest.mark.clause("A.D2", "A.D3", "A.D4", "A.D5", "A.D9", "A.D14")
def test_hits_come_off_the_decks_that_they_strike_and_then_off_the_hull() -> None:
    for port, stbd, units, hits in product(range(4), range(4), range(4), range(8)):
        start = Boxes(port, stbd, units)

        def struck(decks: int, units: int = units, hits: int = hits) -> tuple[int, int]:
            return max(0, decks - hits), max(0, units - max(0, hits - decks))

        decks, hull = struck(port)
        for where in ("port", "bow_port", "stern_port"):
            assert hull_hits(start, hits, where) == (decks, stbd, hull)
        decks, hull = struck(stbd)
        for where in ("starboard", "bow_starboard", "stern_starboard"):
            assert hull_hits(start, hits, where) == (port, decks, hull)
        spilt = max(0, hits - port) + max(0, hits - stbd)
        both = max(0, port - hits), max(0, stbd - hits), max(0, units - spilt)
        assert hull_hits(start, hits, "stern") == both


@pytest.mark.clause("A.D5")
def test_from_dead_ahead_the_fuller_side_is_struck_and_of_equals_the_port_side() -> None:
    for boxes, hits, then in (
        ((3, 3, 3), 1, (2, 3, 3)), ((3, 3, 3), 2, (2, 2, 3)), ((2, 3, 3), 1, (2, 2, 3)), ((3, 1, 3), 2, (1, 1, 3)),
        ((0, 1, 3), 2, (0, 0, 2)), ((0, 0, 1), 3, (0, 0, 0)),
    ):  # fmt: skip
        assert hull_hits(Boxes(*boxes), hits, "bow") == then


@pytest.mark.clause("A.D6", "A.D7", "A.D8", "A.Q10", "A.G36")
@pytest.mark.parametrize(
    ("cls", "rig", "prefer", "where", "falls"),
    [
        ("line", [2, 2, 2], (), "port", "mizzen fore main"), ("light", [2, 2, 2], (), "starboard", "mizzen fore main"),
        ("light", [2, 2, 2], ("main", "fore"), "port", "main fore mizzen"),
        ("light", [2, 2, 2], ("fore",), "starboard", "fore mizzen main"),
        ("line", [2, 1, 2], (), "port", "main mizzen fore"), ("light", [2, 1, 2], (), "port", "mizzen fore main"),
        ("light", [1, 1, 2], (), "port", "fore mizzen main"),
        ("line", [2, 2, 2], ("main",), "bow", "fore main mizzen"), ("line", [2, 2, 2], ("main",), "bow_port", "fore main mizzen"),
        ("line", [2, 2, 2], (), "bow_starboard", "fore main mizzen"), ("line", [2, 2, 2], ("main",), "stern", "mizzen main fore"),
        ("line", [2, 2, 2], (), "stern_port", "mizzen main fore"), ("line", [2, 2, 2], (), "stern_starboard", "mizzen main fore"),
        ("line", [2, -2, 2], (), "bow", "fore mizzen"), ("line", [2, -1, 2], (), "stern", "mizzen fore"),
        ("line", [-2, -2, -2], (), "port", ""),
    ],
)  # fmt: skip
def test_masts_fall_in_their_order_and_no_more_of_them_than_stand(
    cls: str, rig: list[int], prefer: tuple[str, ...], where: str, falls: str
) -> None:
    one = ship(cls=cls, rig=rig, prefer=prefer)
    for hits in range(5):
        assert [one.names[n] for n in masts_down(one, hits, where)] == falls.split()[:hits]


@pytest.mark.clause("A.D6", "A.D8", "A.M16", "A.G36", "A.D10")
def test_fallen_masts_are_reported_and_the_last_one_leaves_a_ship_dismasted() -> None:
    made = battle(ship("E1"), ship("D1", 6, 0, rig=[2, 1, -2]))
    _, events = fired(made, [5, 1, 1], "sails")
    assert made.ships["D1"].rig == [2, -1, -2], "a jury mast goes over as a jury mast"
    assert "dismasted" not in kinds(events)
    damage = next(event for event in events if event.kind == "damage")
    assert (damage.data["steps"], damage.data["rig"], damage.clause) == (2, [2, -1, -2], "A.D6")
    made.ships["E1"].fired_stbd = False
    _, events = fired(made, [5, 5, 5], "sails")
    assert made.ships["D1"].rig == [-2, -1, -2] and kinds(events)[-1] == "dismasted"
    made.ships["E1"].fired_stbd = False
    _, events = fired(made, [5, 5, 5], "sails")
    assert kinds(events) == ["volley"], "no mast is left to fall"
    made.ships["E1"].fired_stbd = False
    _, events = fired(made, [4, 1, 1])
    assert kinds(events) == ["volley", "damage"] and events[-1].clause == "A.D2"
    assert (made.ships["E1"].hits_given, made.ships["D1"].hits_taken) == (3, 3)


@pytest.mark.clause("A.D4", "A.D3", "A.G38")
def test_what_a_volley_cost_is_counted_in_boxes_not_in_hits() -> None:
    for h, stern_arc, lost in ((E, "quadrant", 6), (W, "quadrant", 3), (N, "quadrant", 3), (E, "astern", 6)):
        made = battle(ship("E1"), ship("D1", 3, 0, h), stern_arc=stern_arc)
        _, events = fired(made, [3, 3, 3])
        assert (
            made.ships["D1"].hits_taken == made.ships["E1"].hits_given == lost == made.ships["D1"].boxes_lost
        )
        assert next(event for event in events if event.kind == "volley").data["raked"] is (h == E)
    spent = battle(ship("E1"), ship("D1", 3, 0, N, port=0, units=1, start=(0, 3, 1, 3)))
    fired(spent, [3, 3, 3])
    assert spent.ships["D1"].hits_taken == 1


@pytest.mark.clause("A.G28", "A.D6")
@pytest.mark.parametrize(
    ("rig", "values", "first"),
    [
        ((2, 2, 2), (1, 1, 1), 2), ((2, 2, 0), (1, 1, 1), 0), ((0, 2, 0), (1, 1, 1), 1), ((2, 2, 2), (1, 2, 1), 2),
        ((1, 2, 2), (1, 2, 1), 0), ((2, 1, 2), (1, 2, 1), 1), ((1, 1, 1), (1, 2, 1), 2), ((0, 0, 0), (1, 2, 1), None),
    ],
)  # fmt: skip
def test_outside_a_battle_a_jury_mast_goes_first_and_then_the_least(
    rig: tuple[int, ...], values: tuple[int, ...], first: int | None
) -> None:
    assert first_given_up(("fore", "main", "mizzen"), values, rig) == first


@pytest.mark.clause("A.X3", "A.X4")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_fire_is_put_out_by_5_or_6_at_first_and_by_6_alone_the_second_time(face: int) -> None:
    made = battle(ship("E1", fire_stage=1, fire_round=2), ship("D1", 50))
    made.turn = 3
    by = play(made, [face])
    burning.fires(made, by)
    own = made.ships["E1"]
    assert [throw.clause for throw in by.dice.throws] == ["A.X3"]  # type: ignore[attr-defined]
    assert (own.fire_stage, own.fire_thrown, own.status) == (0 if face >= 5 else 2, 3, Status.AFLOAT)
    second = battle(ship("E1", fire_stage=2, fire_round=2), ship("D1", 50))
    second.turn = 4
    by = play(second, [face])
    burning.fires(second, by)
    assert [throw.clause for throw in by.dice.throws] == ["A.X4"]  # type: ignore[attr-defined]
    assert second.ships["E1"].status is (Status.AFLOAT if face == 6 else Status.EXPLODED)


@pytest.mark.clause("A.X3", "A.X5", "A.X10", "A.S4")
@pytest.mark.parametrize(
    ("over", "thrown"),
    [
        ({"fire_stage": 1, "fire_round": 3}, 1), ({"fire_stage": 1, "fire_round": 4}, 0), ({"fire_stage": 0}, 0),
        ({"fire_stage": 2, "fire_round": 1, "fire_thrown": 3}, 1), ({"fire_stage": 2, "fire_round": 1, "fire_thrown": 4}, 0),
        ({"fire_stage": 1, "fire_round": 1, "owner": "D"}, 0), ({"fire_stage": 1, "fire_round": 1, "captor": "E2"}, 1),
        ({"fire_stage": 1, "fire_round": 1, "status": Status.SUNK}, 0),
    ],
)  # fmt: skip
def test_one_throw_a_round_falls_due_in_the_owners_fire_stage_of_a_later_round(
    over: dict[str, Any], thrown: int
) -> None:
    made = battle(ship("E1", **over), ship("E2", 30), ship("D1", 50))
    made.turn = 4
    table = play(made, [4] * thrown)
    burning.fires(made, table)
    table.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("A.X6", "A.X7", "A.X8", "A.P8")
@pytest.mark.parametrize(
    ("away", "least"), [(1, 3), (4, 3), (4.1, 4), (8, 4), (8.1, 5), (12.002, 5), (12.003, 7)]
)
def test_an_explosion_lights_ships_by_the_hull_column_within_12_centimetres(away: float, least: int) -> None:
    for face, across in product(range(1, 7), (False, True)):
        x, y = (70, -30 - away) if across else (70 + away, -30)
        made = battle(ship("E1", x, y), ship("D1", 70, -30, fire_stage=2), ship("D2", 40))
        made.turn = 9
        table = play(made, [face] if least < 7 else [])
        burning.explode(made, table, made.ships["D1"])
        table.dice.finish()  # type: ignore[attr-defined]
        own = made.ships["E1"]
        assert (own.fire_stage, own.fire_round) == ((1, 9) if face >= least else (0, 0))
        assert own.boxes_lost == 0


@pytest.mark.clause("A.X6", "A.P8")
def test_the_nearest_throws_first_and_of_two_as_near_the_first_listed() -> None:
    made = battle(
        ship("E1", 70, -23), ship("E2", 75, -30), ship("E3", 67, -27), ship("D1", 70, -30, fire_stage=2), ship("D2", 65, -30),
        ship("D3", 70, -32, fire_stage=1), ship("D4", 70, -31),
    )  # fmt: skip
    table = play(made, [6, 1, 1, 6, 1])
    burning.explode(made, table, made.ships["D1"])
    table.dice.finish()  # type: ignore[attr-defined]
    thrown = [throw.key.split("/")[-1] for throw in table.dice.throws]  # type: ignore[attr-defined]
    assert thrown == ["D4", "E3", "E2", "D2", "E1"]
    assert [code for code, one in made.ships.items() if one.fire_stage == 1] == ["D2", "D3", "D4"]
    alone = battle(ship("E1", 1), ship("D1", fire_stage=2))
    burning.explode(alone, play(alone), alone.ships["D1"], alone=True)
    assert alone.ships["D1"].status is Status.EXPLODED and not alone.ships["E1"].fire_stage
    assert alone.ships["D1"].bearing == -1, "only who sails away has a bearing"


@pytest.mark.clause("A.F10", "A.D13")
def test_a_ship_that_has_gone_blocks_no_line_of_fire() -> None:
    made = battle(ship("E1", 0, 0, N), ship("D2", 3, 0, S, fire_stage=2), ship("D1", 6, 0, S))
    assert not fired(made, [])[0]
    burning.explode(made, play(made), made.ships["D2"], alone=True)
    assert fired(made, [1, 1, 1])[0]
