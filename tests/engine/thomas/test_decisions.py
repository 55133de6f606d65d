"""Who decides: orders before the captain, the captain before the default, and no one is asked in vain. Rule: T.S19, section 12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas import (
    boarding,
    clock,
    fire,
    foundering,
    initiative,
    movement,
    releases,
    securing,
    surrender,
    survivors,
    towing,
)
from battles.engine.rulesets.thomas.play import Course, Orders, Play
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Ship, Status
from battles.engine.rulesets.thomas.tables import Arc, Kind, WindForce
from tests.engine.thomas.builders import battle, done, play, revenge, said, ship

Scene = Callable[[Play], Any]


def fast(attacker: str = "", **over: Any) -> tuple[Battle, Ship, Ship]:
    """Two ships made fast, E1 to move."""
    one = ship("E1", heading=9_000, crew_halves=10, tons=100, **over)
    other = revenge("S1", y=250, heading=9_000, crew_halves=10, tons=100)
    made = battle(one, other)
    made.fasten(one, other).attacker = attacker
    return made, one, other


def alongside(played: Play) -> Any:
    made, one, _ = fast()
    boarding.first_fights(made, played)
    return one.grappled


def boards(played: Play) -> Any:
    one = ship("E1", heading=9_000)
    made = battle(one, revenge("S1", y=250, heading=9_000), revenge("S2", y=-250, heading=9_000))
    boarding.first_boards(made, played)
    return one.grapple_tried


def gunners(played: Play) -> Any:
    return boarding._gunners(battle(one := ship("E1"), revenge("S1")), played, one)


def withdraws(played: Play) -> Any:
    return boarding._withdraw(played, [ship("E1")], [revenge("S1")])


def cuts(played: Play) -> Any:
    made, one, _ = fast()
    boarding._repelled(made, played, one.grapples[0], [one])
    return not one.grappled


def joins(played: Play) -> Any:
    taken = ship("E1", struck=True, struck_by_boarding=True, captor_side="SPA", crew_halves=20)
    captor, friend = revenge("S1", y=250, crew_halves=60), ship("E2", y=500, crew_halves=41)
    made = battle(taken, captor, friend)
    made.fasten(captor, taken)
    boarding._rise_beside(made, played, friend, captor)
    return taken.dishonoured


def dishonours(played: Play) -> Any:
    one = ship("E1", struck=True, captor_side="SPA", captor_ship="S1", detail="S1")
    surrender.change_minds(battle(one), played)
    assert (one.captor_side, one.detail) == (("", "") if one.dishonoured else ("SPA", "S1"))
    return one.dishonoured


def strikes(played: Play) -> Any:
    one = ship("E1")
    surrender.strikes(battle(one, revenge("S1")), played)
    return one.struck


def secures(played: Play) -> Any:
    prize = revenge("S1", x=1_500, struck=True, captor_side="ENG", crew_halves=20)
    securing.first_secures(battle(ship("E1"), prize), played)
    return prize.prize_crew


def saves(played: Play) -> Any:
    one, sunk = ship("E1", x=500), ship("E2", status=Status.SUNK)
    played.sinking.append(sunk)
    survivors.claim(battle(one, sunk), played)
    return one.rescue_next


def jettisons(played: Play) -> Any:
    one = ship("E1", flot=7)
    foundering.strain(battle(one, strength=WindForce.STRONG), played)
    return len(one.standing()) < 14


def casts_off(played: Play) -> Any:
    tower, tow = ship("E1", towing="E2"), ship("E2", y=-1_200, towed_by="E1")
    towing.pass_lines(battle(tower, tow), played)
    return not tower.towing


def under_way(played: Play) -> Any:
    one = ship("E1", adrift=Adrift.HOVE_TO)
    releases.under_way(battle(one), played)
    return one.adrift is Adrift.NONE


def irons_turn(played: Play) -> Any:
    one = ship("E1", in_irons=True, heading=100)
    releases.irons(battle(one), played)
    return one.heading


def to_oars(played: Play) -> Any:
    one = ship("E1", kind=Kind.GALLEASSE, oar_speed=5_000, oar_turn=9_000)
    releases.rigs(battle(one), played)
    return one.rig is Rig.TO_OARS


def course(played: Play) -> Any:
    one = ship("E1", heading=9_000)
    movement.move(battle(one), played, one)
    return one.x


def targets(played: Play) -> Any:
    firer = ship("E1")
    made = battle(firer, revenge("S1", x=6_000), revenge("S2", x=5_000, y=1_000), revenge("S3", x=-6_000))
    return {volley.arc.value: volley.target.id for volley in fire.declare(made, played, firer)}


ASKED: list[tuple[Scene, str, Any, Any, Any, Any, Any, Any, tuple[int, ...], tuple[int, ...]]] = [
    # scene, order's name; an order and what comes of it; the captain's answer and what comes of it; what comes of neither; dice
    (alongside, "alongside", "cut", False, "hold", True, "alongside", True, (6,), ()),
    (boards, "board", ("S2",), True, "", False, "boards", False, (3,), ()),
    (boards, "board", (), False, "S2", True, "boards", False, (), (3,)),
    (gunners, "gunners", 5, 5, 3, 3, "gunners", 0, (), ()),
    (withdraws, "withdraw", True, True, False, False, "withdraws", False, (), ()),
    (withdraws, "withdraw", False, False, True, True, "withdraws", False, (), ()),
    (cuts, "cut", False, False, True, True, "cuts", ..., (), (4,)),
    (cuts, "cut", True, True, False, False, "cuts", ..., (4,), ()),
    (joins, "join", False, False, True, True, "joins", False, (), ()),
    (joins, "join", True, True, False, False, "joins", False, (), ()),
    (dishonours, "dishonour", True, True, False, False, "dishonours", False, (), ()),
    (dishonours, "dishonour", False, False, True, True, "dishonours", False, (), ()),
    (strikes, "strike", True, True, False, False, "strikes", False, (), ()),
    (strikes, "strike", False, False, True, True, "strikes", False, (), ()),
    (secures, "secure", {"S1": 5}, 5, {}, 0, "secures", 7, (), ()),
    (secures, "secure", {}, 0, {"S1": 3, "S9": 4}, 3, "secures", 7, (), ()),
    (saves, "save", True, True, False, False, "saves", False, (), ()),
    (saves, "save", False, False, True, True, "saves", False, (), ()),
    (jettisons, "jettison", False, False, True, True, "jettisons", True, (), ()),
    (jettisons, "jettison", True, True, False, False, "jettisons", True, (), ()),
    (casts_off, "cast_off", True, True, False, False, "casts_off", False, (), ()),
    (casts_off, "cast_off", False, False, True, True, "casts_off", False, (), ()),
    (irons_turn, "irons_turn", 3_000, 3_100, -2_000, 34_100, "irons_turn", 4_600, (5,), (5,)),
    (to_oars, "to_oars", True, True, False, False, "to_oars", False, (), ()),
    (to_oars, "to_oars", False, False, True, True, "to_oars", False, (), ()),
    (course, "course", Course(0, 3_000), 3_000, Course(0, 4_000), 4_000, "course", 1_000, (), ()),
    (under_way, "under_way", False, False, True, True, "under_way", ..., (), (4,)),
    (under_way, "under_way", True, True, False, False, "under_way", ..., (4,), ()),
    (targets, "targets", {Arc.STARBOARD: "S2"}, {"port": "S3", "starboard": "S2"}, {Arc.PORT: "S3"}, {"port": "S3"},
     "targets", {"port": "S3", "starboard": "S2"}, (), ()),
    (targets, "targets", {Arc.STARBOARD: ""}, {"port": "S3"}, {Arc.STARBOARD: "S1"}, {"starboard": "S1"},
     "targets", {"port": "S3", "starboard": "S2"}, (), ()),
]  # fmt: skip


@pytest.mark.clause(
    "T.S19", "T.B10f", "T.B12b", "T.B12j", "T.B12k", "T.B12l", "T.O6", "T.O5h", "T.O7a", "T.B6e"
)
@pytest.mark.parametrize("row", ASKED, ids=lambda row: f"{row[1]}={row[2]}")
def test_orders_override_the_captain_and_the_captain_overrides_the_default(row: Any) -> None:
    scene, name, order, by_order, answer, by_captain, question, by_default, faces, captains_faces = row
    unasked = scene is targets
    told = said(**({"targets": {}} if unasked else {}))
    ordered = play(*faces, orders={"E1": Orders(**{name: order})}, **told)
    left = play(*captains_faces, **said(**{question: answer}))
    if unasked:
        assert scene(play(orders={"E1": Orders(**{name: order})})) == by_order
    else:
        assert scene(ordered) == by_order
        done(ordered)
    assert scene(left) == by_captain
    done(left)
    if by_default is not ...:
        nobody = play(*(captains_faces if scene is irons_turn else ()))
        assert scene(nobody) == by_default
        done(nobody)


@pytest.mark.clause("T.B12k", "T.B6e")
@pytest.mark.parametrize("scene", [cuts, under_way])
def test_without_orders_or_captain_a_throw_that_costs_nothing_is_made(scene: Scene) -> None:
    played = play(4)
    assert scene(played) is True
    done(played)


@pytest.mark.clause("T.B7b")
@pytest.mark.parametrize(("heading", "after"), [(100, 4_600), (0, 31_500), (35_900, 31_400), (1, 4_501)])
def test_out_of_irons_she_turns_the_shorter_way_off_the_wind(heading: int, after: int) -> None:
    one = ship("E1", in_irons=True, heading=heading)
    releases.irons(battle(one), play(5))
    assert one.heading == after


@pytest.mark.clause("T.O5c", "T.O6i", "T.S25")
@pytest.mark.parametrize(
    ("over", "asked", "kept"),
    [
        ({}, 14, 14), ({}, 15, 14), ({}, -1, 0), ({"crew_halves": 11}, 14, 5), ({"crew_halves": 0}, 3, 0),
        ({"prize_of": "ENG", "side": "SPA", "guard_halves": 40}, 3, 0),
    ],
    ids=str,
)  # fmt: skip
def test_up_to_one_man_per_remaining_battery_stays_at_the_guns(
    over: dict[str, Any], asked: int, kept: int
) -> None:
    one = ship("E1", **over)
    played = play(orders={"E1": Orders(gunners=asked)})
    assert boarding._gunners(battle(one), played, one) == kept
    assert boarding._gunners(battle(one, options={"opt_crews": False}), played, one) == 0


@pytest.mark.clause("T.B12j")
@pytest.mark.parametrize(
    ("mine", "theirs", "off"), [(20, 30, False), (20, 31, True), (30, 20, False), (21, 31, False)]
)
def test_boarders_without_a_captain_break_off_when_outnumbered_over_three_to_two(
    mine: int, theirs: int, off: bool
) -> None:
    one, other = ship("E1", crew_halves=2 * mine), revenge("S1", crew_halves=2 * theirs)
    assert boarding._withdraw(play(), [one], [other]) is off


@pytest.mark.clause("T.O6j")
@pytest.mark.parametrize(("crew", "joined"), [(20, False), (22, True)])
def test_a_taken_crew_joins_automatically_where_with_its_friends_it_outnumbers_the_captors(
    crew: int, joined: bool
) -> None:
    taken = ship(
        "E1", struck=True, struck_by_boarding=True, captor_side="SPA", captor_ship="S1", crew_halves=crew
    )
    captor, friend = revenge("S1", crew_halves=60), ship("E2", crew_halves=40)
    made = battle(taken, captor, friend)
    link = made.fasten(captor, taken)
    boarding._rise_beside(made, play(), friend, captor)
    assert (taken.dishonoured, link.attacker, taken.captor_ship) == (
        (True, "E1", "") if joined else (False, "", "S1")
    )
    assert taken.struck is taken.struck_by_boarding is not joined


@pytest.mark.clause("T.O6j")
@pytest.mark.parametrize(
    "change",
    [{"struck_by_boarding": False}, {"secured": True}, {"struck": False}, {"prize_of": "SPA"}],
    ids=str,
)
def test_only_a_crew_taken_by_boarding_and_not_secured_may_join(change: dict[str, Any]) -> None:
    taken = ship("E1", **{"struck": True, "struck_by_boarding": True, "crew_halves": 100, **change})
    captor, friend = revenge("S1", crew_halves=60), ship("E2", crew_halves=40)
    made = battle(taken, captor, friend)
    made.fasten(captor, taken)
    boarding._rise_beside(made, play(orders={"E1": Orders(join=True)}), friend, captor)
    assert not taken.dishonoured


@pytest.mark.clause("T.O6", "T.O6n")
@pytest.mark.parametrize(
    ("dishonoured", "answer", "struck"), [(False, False, True), (True, True, True), (True, False, False)]
)
def test_only_the_surrender_of_a_dishonoured_ship_may_be_refused(
    dishonoured: bool, answer: bool, struck: bool
) -> None:
    one = ship("E1", dishonoured=dishonoured)
    answers = {"accepts": answer, "detail": "", "strikes": False}
    surrender.strikes(
        battle(one, revenge("S1", x=900)), play(orders={"E1": Orders(strike=True)}, **said("SPA", **answers))
    )
    assert one.struck is struck
    alone = ship("E1", dishonoured=True)
    surrender.strikes(battle(alone, revenge("S1")), play(orders={"E1": Orders(strike=True)}))
    assert alone.struck


@pytest.mark.clause("T.O6e")
@pytest.mark.parametrize(("named", "due"), [("S2", "S2"), ("", "S1"), ("E2", "S1"), ("X", "S1")])
def test_the_captor_names_a_friend_to_secure_her_or_the_nearest_does(named: str, due: str) -> None:
    one, friend = ship("E1"), ship("E2", x=100)
    made = battle(one, friend, revenge("S1", x=3_000), revenge("S2", x=9_000))
    surrender.strike(made, play(**said("SPA", detail=named)), one, clause="T.O6", why="struck")
    assert one.detail == due


@pytest.mark.clause("T.O6e")
@pytest.mark.parametrize(
    ("x", "change", "due"),
    [(16_000, {}, "S1"), (16_001, {}, ""), (900, {"struck": True}, ""), (900, {"prize_of": "SPA"}, "")],
    ids=str,
)
def test_unless_ordered_otherwise_the_nearest_ship_able_to_fight_and_not_engaged_is_chosen(
    x: int, change: dict[str, Any], due: str
) -> None:
    one, other = ship("E1"), revenge("S1", x=x, **change)
    made = battle(one, other, ship("E2", x=300))
    surrender.strike(made, play(), one, clause="T.O6", why="struck")
    assert (one.detail, one.captor_side, one.struck_move) == (due, "SPA", 1)
    made.fasten(made.ships["E2"], other)
    assert surrender._detail(made, play(), one) == ""


@pytest.mark.clause("T.B4f")
@pytest.mark.parametrize(
    ("wish", "order"),
    [
        (("E2", "E1"), ["E2", "E1"]),
        (("E2",), ["E1", "E2"]),
        (("E2", "E2"), ["E1", "E2"]),
        (("E2", "E1", "E1"), ["E1", "E2"]),
    ],
)
def test_a_captain_may_change_the_order_of_moving_by_naming_each_ship_once(
    wish: tuple[str, ...], order: list[str]
) -> None:
    made = battle(ship("E1", heading=9_000), ship("E2", y=3_000, heading=9_000))
    told = said(ship_order=wish, course=Course(0, 1_000))
    movement.first_moves(made, play(**told))
    assert [row[1] for row in told["captains"]["ENG"].asked if row[0] == "course"] == order
    alone = said(course=Course(0, 1_000))
    movement.first_moves(battle(ship("E1", heading=9_000)), play(**alone))


@pytest.mark.clause("T.B3", "T.S23")
def test_captains_plan_once_wind_and_first_side_are_known() -> None:
    told = said("SPA", begin_move=None)
    initiative.throw(battle(ship("E1"), revenge("S1")), play(1, 1, 1, 2, **told))
    assert told["captains"]["SPA"].asked == [("begin_move",)]


@pytest.mark.clause("T.C5", "T.C4")
@pytest.mark.parametrize(
    ("change", "wishes", "goes_on"),
    [
        ({"anchored": True}, True, True), ({"anchored": True}, False, False), ({"masts_lost": 2}, True, True),
        ({"crew_halves": 2}, True, True), ({}, None, False), ({"anchored": True, "rig": Rig.OARS}, True, True),
        ({"masts_lost": 2, "rig": Rig.OARS}, None, False), ({"masts_lost": 2, "crew_halves": 2, "rig": Rig.OARS}, None, False),
    ],
    ids=str,
)  # fmt: skip
def test_a_night_battle_continues_if_one_side_cannot_leave_and_the_other_wants_it(
    change: dict[str, Any], wishes: bool | None, goes_on: bool
) -> None:
    answers = {} if wishes is None else {"fights_on": wishes}
    made = battle(ship("E1"), revenge("S1", y=9_000, **change), start=1_260 - 90)
    clock.tick(made, play(**said("ENG", **answers)))
    assert made.ended == ("" if goes_on else "nightfall")
    unasked = battle(ship("E1"), revenge("S1", y=9_000, **change), start=1_260 - 90)
    clock.tick(unasked, play())
    assert unasked.ended == "nightfall"


@pytest.mark.clause("T.S16")
@pytest.mark.parametrize(
    "change",
    [{"under_sail": False}, {"drifted": True}, {"struck": True}, {"in_irons": True}, {"on_fire": True}],
    ids=str,
)
def test_some_ships_stay_though_clear_of_every_enemy(change: dict[str, Any]) -> None:
    one = ship("E1", **{"under_sail": True, "breaking_off": True, **change})
    made = battle(one, ship("E2", under_sail=True), revenge("S1", y=-40_000))
    clock.tick(made, play())
    assert one.afloat
    assert made.ended == ""


@pytest.mark.clause("T.S16")
def test_a_tower_that_leaves_takes_her_tow_and_a_ship_alone_at_sea_stays() -> None:
    tower = ship("E1", under_sail=True, breaking_off=True, towing="E2")
    tow = ship("E2", y=-1_200, towed_by="E1")
    made = battle(tower, tow, ship("E3"), revenge("S1", y=-40_000))
    clock.tick(made, play())
    assert (tower.status, tow.status, made.ships["E3"].status) == (
        Status.WITHDRAWN,
        Status.WITHDRAWN,
        Status.AFLOAT,
    )
    assert made.near(made.ships["E3"], 9_000) == []
    alone = ship("E1", under_sail=True, breaking_off=True)
    clock.tick(battle(alone, revenge("S1", y=-40_000, struck=True)), play())
    assert alone.afloat


@pytest.mark.clause("T.S16")
@pytest.mark.parametrize(
    ("heading", "gone"), [(9_001, False), (9_000, False), (8_999, True), (27_001, True), (27_000, False)]
)
def test_she_leaves_only_while_she_sails_away_from_the_nearest_enemy(heading: int, gone: bool) -> None:
    one = ship("E1", under_sail=True, breaking_off=True, heading=heading)
    made = battle(one, ship("E2"), revenge("S1", y=-40_000), revenge("S2", y=60_000))
    clock.tick(made, play())
    assert (one.status is Status.WITHDRAWN) is gone


@pytest.mark.clause("T.S16", "T.C23")
@pytest.mark.parametrize(
    ("others", "ended"),
    [
        ([revenge("S1", status=Status.WITHDRAWN)], "parted"), ([revenge("S1", status=Status.SUNK)], "beaten"),
        ([revenge("S1", status=Status.SUNK), revenge("S2", status=Status.EXPECTED)], ""),
        ([revenge("S1", status=Status.SUNK), revenge("S2", status=Status.WITHDRAWN)], "parted"),
        ([revenge("S1", y=9_000), revenge("S2", status=Status.WITHDRAWN)], ""),
    ],
    ids=str,
)  # fmt: skip
def test_a_side_whose_ships_escaped_has_parted_and_one_that_lost_them_is_beaten(
    others: list[Ship], ended: str
) -> None:
    made = battle(ship("E1"), *others)
    clock.tick(made, play())
    assert made.ended == ended


@pytest.mark.clause("T.C4", "T.S14", "T.S13")
@pytest.mark.parametrize(
    ("start", "move", "ended"),
    [
        (1_170, 1, "nightfall"),
        (1_169, 1, ""),
        (1_080, 2, "nightfall"),
        (1_079, 2, ""),
        (720, 6, "nightfall"),
        (719, 6, ""),
    ],
)
def test_no_one_waits_for_a_turn_that_would_begin_by_night(start: int, move: int, ended: str) -> None:
    made = battle(ship("E1"), revenge("S1", y=9_000), start=start, move=move)
    clock.tick(made, play())
    assert made.ended == ended


@pytest.mark.clause("T.C4")
@pytest.mark.parametrize(("last", "ended"), [(4, ""), (3, "limit"), (2, "limit")])
def test_a_battle_ends_at_its_last_turn(last: int, ended: str) -> None:
    made = battle(ship("E1"), revenge("S1", y=9_000), move=3, last_move=last, start=0)
    clock.tick(made, play())
    assert made.ended == ended


@pytest.mark.clause("T.S16", "T.C5")
def test_only_its_doctrine_makes_a_squadron_avoid_action() -> None:
    for stance, gone in ((Stance.SEEK, False), (Stance.HOLD, False), (Stance.AVOID, True)):
        one = ship("E1", under_sail=True)
        made = battle(one, ship("E2"), revenge("S1", y=-40_000))
        made.squadrons["ENG-1"].doctrine = Doctrine(stance=stance)
        clock.tick(made, Play(dice=KeyedDice(b"x")))
        assert (one.status is Status.WITHDRAWN) is gone
