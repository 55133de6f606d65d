"""What the captains decide: targets, lines, rams, withdrawal."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import squares
from battles.engine.core.dice import FastDice
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.cordery import tables
from battles.engine.rulesets.cordery.captain import CAPTAINS, commander, line, melee, odds
from battles.engine.rulesets.cordery.captain.scene import Scene, Wanted, outmatched, withdraws
from battles.engine.rulesets.cordery.rules import RULES
from battles.engine.rulesets.cordery.state import Battle, Status
from battles.engine.rulesets.cordery.steering import Pose, after
from battles.engine.rulesets.cordery.view import View, seen_by
from tests.engine.cordery.builders import NAMES, battle, ship
from tests.support.cordery_fleets import mirrored


def under(made: Battle, doctrine: Doctrine) -> Battle:
    """The battle with these instructions for side A and its squadrons."""
    made.sides["A"].doctrine = doctrine
    for squadron in made.squadrons.values():
        if squadron.side == "A":
            squadron.doctrine = doctrine
    return made


def moves(
    made: Battle, name: str = "commander", doctrine: Doctrine | None = None
) -> dict[str, tuple[str, bool]]:
    doctrine = doctrine or Doctrine()
    found = CAPTAINS[name](doctrine).moves(View(under(made, doctrine), "A"), {})
    return {one.ship: (one.actions, one.ram) for one in found}


def targets(made: Battle, name: str = "commander", **given: dict[str, str]) -> dict[str, dict[str, str]]:
    found = CAPTAINS[name](Doctrine()).targets(View(made, "A"), ("main", "port", "stbd", "torpedo"), given)
    return {code: dict(row) for code, row in found.items()}


@pytest.mark.clause("C.Q1")
@pytest.mark.parametrize(
    ("one", "other", "goes_for"),
    [
        ({}, {}, "B1"),
        ({}, {"fp": 7}, "B2"),
        ({"at": (5, 14)}, {}, "B2"),
        ({"fp": 3, "breaking_off": True}, {}, "B2"),
        ({"no_fire": 2}, {}, "B2"),
        ({"burning": True}, {}, "B2"),
    ],
)
def test_main_guns_go_where_they_do_most(one: dict[str, Any], other: dict[str, Any], goes_for: str) -> None:
    made = battle(
        ship("A1", fitted=tables.TURRETS),
        ship("B1", **{"at": (8, 5), **one}),
        ship("B2", **{"at": (2, 5), **other}),
    )
    assert targets(made)["A1"]["main"] == goes_for


@pytest.mark.clause("C.Q1", "C.H2", "C.H3", "C.H6")
@pytest.mark.parametrize(
    "worse",
    [
        {"no_fire": 2},
        {"burning": True},
        {"turret_fore": False},
        {"turret_fore": False, "turret_aft": False},
        {"battery_port": False},
    ],
)
def test_whole_ships_that_fire_are_worth_more_than_silenced_and_burning_ones(worse: dict[str, Any]) -> None:
    whole, hurt = ship("B1"), ship("B2", **worse)
    aims = [odds.target(one, one.standing) for one in (whole, hurt)]
    assert odds.worth(aims[0], 6) > odds.worth(aims[1], 6)


@pytest.mark.clause("C.Q1", "C.V2")
def test_the_worth_of_dice_is_what_they_gain_by_the_score() -> None:
    # No turret, silent, burning: a major hit changes nothing, and the points alone count.
    none: frozenset[str] = frozenset()
    idle = ship("B1", no_fire=1, burning=True)

    def points(dice: int, **over: Any) -> float:
        one = ship("B1", no_fire=1, burning=True, **over)
        return odds.worth(odds.target(one, none), dice) / odds.POINT

    assert odds.target(idle, none).each == 0
    assert points(0) == 0
    assert points(1) == pytest.approx(19 / 36, abs=0.01)
    assert points(1, fp=7) == pytest.approx(19 / 36 + 2 * 18 / 36, abs=0.01), "two for the critical point"
    assert points(1, fp=1, breaking_off=True) == pytest.approx((1 + 6) * 18 / 36, abs=0.01), (
        "six for a ship sunk"
    )
    assert points(80) == pytest.approx(12 + 2 + 6, abs=0.01), "no ship is sunk twice"


@pytest.mark.clause("C.Q1", "C.Q2")
def test_a_target_that_is_covered_is_left_to_those_who_cover_it() -> None:
    made = battle(ship("A1", (5, 5)), ship("A2", (5, 7)), ship("B1", (8, 6), fp=2), ship("B2", (9, 7)))
    assert [targets(made)[code]["main"] for code in ("A1", "A2")] == ["B1", "B2"]


@pytest.mark.clause("C.Q2")
def test_secondary_guns_go_for_the_nearest_of_equals() -> None:
    made = battle(ship("A1"), ship("B1", (8, 7), fp=3), ship("B2", (7, 5), fp=12))
    assert targets(made)["A1"]["stbd"] == "B2"


@pytest.mark.clause("C.Q3")
@pytest.mark.parametrize(
    ("reach", "fp", "left", "fires"),
    [(2, 12, 1, True), (3, 12, 2, False), (3, 12, 3, True), (3, 2, 1, True), (4, 1, 4, False)],
)
def test_a_torpedo_is_kept_for_short_ranges_and_last_points(
    reach: int, fp: int, left: int, fires: bool
) -> None:
    # No guns, so that nothing else covers the target.
    one = ship("A1", torpedoes=left, fitted=())
    found = targets(battle(one, ship("B1", (5 + reach, 5), fp=fp)))
    assert ("torpedo" in found.get("A1", {})) is fires


@pytest.mark.clause("C.Q3")
def test_no_torpedo_goes_at_a_covered_target() -> None:
    assert "torpedo" not in targets(battle(ship("A1"), ship("B1", (6, 5), fp=2)))["A1"]


@pytest.mark.clause("C.Q12")
def test_the_plain_captain_fires_at_the_nearest_and_never_rams() -> None:
    near, far = ship("B1", (5, 7), fp=12), ship("B2", (8, 5), fp=1)
    assert targets(battle(ship("A1"), near, far), "plain")["A1"]["main"] == "B1"
    cripple = ship("B1", (5, 6), "E", fp=1, engines_hit=True)
    assert not any(ram for _, ram in moves(battle(ship("A1"), cripple), "plain").values())


@pytest.mark.clause("C.Q4", "C.Q12")
def test_the_plain_captain_makes_for_a_range_of_three() -> None:
    assert moves(battle(ship("A1", (5, 5)), ship("B1", (5, 15))), "plain")["A1"] == ("FF", False)
    assert moves(battle(ship("A1", (5, 5)), ship("B1", (5, 9))), "plain")["A1"][0] in ("F", "FL", "FR")


@pytest.mark.clause("C.Q4")
@pytest.mark.parametrize(("own", "guns", "north"), [(8, True, True), (9, True, False), (8, False, False)])
def test_cruisers_steer_for_ships_that_are_a_match_for_them(own: int, guns: bool, north: bool) -> None:
    ours = ship("A1", (10, 10), "E", fp=own, fp_max=own, **({} if guns else {"main_dice": (), "fitted": ()}))
    ironclad, cruiser = ship("B1", (10, -10), "E"), ship("B2", (10, 32), "E", fp=6, fp_max=6)
    actions = moves(battle(ours, ironclad, cruiser))["A1"][0]
    assert ("L" if north else "R") in actions


@pytest.mark.clause("C.Q4", "C.Q10")
@pytest.mark.parametrize(
    ("fight_at", "reaches", "best", "reach"),
    [
        ("long", (9, 9), 8, 9),
        ("long", (7, 7), 7, 7),
        ("best", (4,), 4, 4),
        ("close", (0,), 3, 3),
        ("long", (9, 6, 4), 6, 6),
        ("long", (9, 6), 6, 6),
    ],
)
def test_no_captain_wants_a_range_at_which_half_his_ships_cannot_fire(
    fight_at: str, reaches: tuple[int, ...], best: int, reach: int
) -> None:
    ships = [ship(f"A{n}", (5, 2 * n), main_dice=(1,) * far) for n, far in enumerate(reaches)]
    wanted = commander.range_of(Doctrine(fight_at=fight_at), ships)
    assert (wanted.best, wanted.reach) == (best, reach)
    ours, foe = ship("A1", (5, 5), main_dice=(1,) * reaches[-1]), ship("B1", (5, 20))
    scene = Scene(View(battle(ours, foe), "A"))
    costs = [scene.off_range((5, 20 - far), [foe.pos], wanted) for far in (wanted.reach, wanted.reach + 1)]
    assert costs[1] - costs[0] == wanted.area + 90


@pytest.mark.clause("C.Q4")
@pytest.mark.parametrize(("quiet", "closes"), [(3, False), (4, True)])
def test_a_leader_waits_for_the_enemy_no_longer_than_four_quiet_turns(quiet: int, closes: bool) -> None:
    ours = [ship(f"A{n}", (6, 22 - 2 * n), last_spent=2) for n in range(1, 6)]
    theirs = [ship(f"B{n}", (18, 22 - 2 * n), last_spent=2) for n in range(1, 6)]
    found = moves(battle(*ours, *theirs, quiet=quiet))
    assert ("R" in found["A1"][0]) is closes
    assert commander.range_of(Doctrine(), ours, quiet).beyond == (900 if closes else 90)


@pytest.mark.clause("C.Q4", "C.V1")
@pytest.mark.parametrize("size", [2, 5, 10])
def test_two_commanders_who_seek_each_other_fight(size: int) -> None:
    scenario = mirrored(size, pick=size, captains=("commander", "commander"))
    outcome = RULES.outcome(RULES.play(scenario, FastDice(size)))
    assert sum(row.hits_taken for row in outcome.ships) > 6 * size


@pytest.mark.clause("C.Q5")
@pytest.mark.parametrize("name", ["plain", "commander"])
def test_no_captain_runs_into_a_friend_or_off_the_board(name: str) -> None:
    crowd = [ship("A1", (22, 5), "E"), ship("A2", (21, 6), "SE"), ship("A3", (22, 4), "NE")]
    made = battle(*crowd, ship("B1", (10, 20)))
    taken = {one.pos for one in crowd}
    for code, (actions, _) in moves(made, name).items():
        one = made.ships[code]
        taken.discard(one.pos)
        end = after(Pose(one.pos, one.h), actions)
        assert made.on_board(end.at) and end.at not in taken
        taken.add(end.at)


@pytest.mark.clause("C.Q6")
@pytest.mark.parametrize(
    ("own", "target", "doctrine", "rams"),
    [
        ({}, {"engines_hit": True}, Doctrine(), True),
        ({}, {"lock_rudder": 2}, Doctrine(), True),
        ({}, {"aground": True}, Doctrine(), True),
        ({}, {"anchored": 2}, Doctrine(), True),
        ({}, {}, Doctrine(), False),
        ({"fp": 7}, {"engines_hit": True}, Doctrine(), False),
        ({"fp": 8}, {"engines_hit": True}, Doctrine(), True),
        ({"ram": False}, {"engines_hit": True}, Doctrine(), False),
        ({}, {"engines_hit": True}, Doctrine(board="never"), False),
        ({}, {"engines_hit": True}, Doctrine(board="crippled"), True),
        ({"fp": 7}, {"fp": 4}, Doctrine(), True),
        ({"fp": 7}, {"fp": 4}, Doctrine(board="crippled"), False),
        ({"fp": 7}, {"fp": 4, "aground": True}, Doctrine(board="crippled"), True),
        ({"fp": 7}, {"fp": 5}, Doctrine(), False),
        ({"fp": 6, "breaking_off": True}, {"fp": 1, "engines_hit": True}, Doctrine(), False),
    ],
)
def test_the_ram_is_for_cripples(
    own: dict[str, Any], target: dict[str, Any], doctrine: Doctrine, rams: bool
) -> None:
    made = battle(ship("A1", (5, 5), **own), ship("B1", (5, 6), "E", **target))
    assert moves(made, doctrine=doctrine)["A1"][1] is rams


@pytest.mark.clause("C.Q7", "C.D3")
def test_a_ship_that_breaks_off_steers_for_its_edge() -> None:
    made = battle(ship("A1", (5, 5), "W", fp=6, breaking_off=True), ship("B1", (12, 5)))
    for name in CAPTAINS:
        assert moves(made, name)["A1"] == ("FF", False)


def losses(*own: int, cost: int = 0, limit: int = 50, out: int = 0) -> bool:
    ships = [ship(f"A{n}", (5, n), fp=12 - lost, fp_before=12) for n, lost in enumerate(own, 1)]
    for one in ships[:out]:
        one.breaking_off = True
    made = battle(*ships, ship("B1", (12, 5), fp=12 - cost, fp_before=12))
    return withdraws(View(under(made, Doctrine(break_off=limit)), "A"))


@pytest.mark.clause("C.Q8")
def test_an_admiral_withdraws_when_he_has_lost_more_and_enough() -> None:
    assert losses(6, 6) and not losses(6, 5)
    assert not losses(6, 6, cost=12)
    assert losses(5, 5, limit=41) and not losses(5, 5, limit=42)
    assert not losses(12, 11, limit=100)
    assert losses(7, 0, out=1) and not losses(7, 0, 0, out=1)


@pytest.mark.clause("C.Q8")
def test_a_ship_lost_counts_whole() -> None:
    sunk = ship("A1", (5, 1), fp=0, fp_before=12, status=Status.SUNK_GUNFIRE)
    made = battle(sunk, ship("A2", (5, 3), fp=12), ship("B1", (12, 5)))
    assert withdraws(View(under(made, Doctrine()), "A"))


@pytest.mark.clause("C.Q8")
@pytest.mark.parametrize(("own", "theirs", "less"), [(8, 12, True), (9, 12, False), (12, 12, False)])
def test_the_commander_stays_while_he_has_three_quarters_of_the_enemys_strength(
    own: int, theirs: int, less: bool
) -> None:
    beaten = ship("A2", (5, 9), fp=6, breaking_off=True)
    made = battle(ship("A1", fp=own), beaten, ship("B1", (12, 5), fp=theirs))
    assert outmatched(View(made, "A")) is less


@pytest.mark.clause("C.E26", "C.Q9")
def test_followers_go_along_the_wake() -> None:
    ships = [ship(f"A{n}", (6, 14 - 2 * n)) for n in (1, 2, 3)]
    made = battle(*ships, ship("B1", (20, 30)))
    ordered = {"A1": ("FR", "FF")}
    found = []
    for turn in (0, 1):
        scene = Scene(View(made, "A"))
        scene.go(ships[0], ordered["A1"][turn])
        for ahead, one in zip(ships, ships[1:], strict=False):
            scene.go(one, line.follow(scene, one, scene.began[ahead.id], 2))
        for one in ships:
            pose = scene.poses[one.id]
            one.h = pose.heading
            made.put(one, pose.at)
        found.append([(*one.pos, NAMES[one.h]) for one in ships])
    assert found == [
        [(6, 13, "NE"), (6, 12, "N"), (6, 10, "N")],
        [(8, 15, "NE"), (6, 13, "NE"), (6, 12, "N")],
    ]


@pytest.mark.clause("C.Q9")
def test_a_line_is_formed_of_ships_that_can_keep_it() -> None:
    ships = [ship(f"A{n}", (6, 20 - 2 * n)) for n in range(1, 6)]
    ships[2].lock_rudder = 2
    ships[4].engines_hit = True
    scene = Scene(View(battle(*ships, ship("B1", (20, 30))), "A"))
    formed, pace = line.formed(scene, list(scene.own))
    assert ([one.id for one in formed], pace) == (["A1", "A2", "A4"], 2)
    for one in ships[:4]:
        one.engines_hit = True
    assert line.formed(scene, list(scene.own))[1] == 1, "rather than leave more than half behind"


@pytest.mark.clause("C.Q9")
def test_a_ship_off_the_wake_is_out_of_the_line_until_it_is_back_at_the_tail() -> None:
    ships = [ship("A1", (6, 20)), ship("A2", (6, 8)), ship("A3", (6, 18)), ship("A4", (6, 16))]
    scene = Scene(View(battle(*ships, ship("B1", (20, 30))), "A"))
    assert [one.id for one in line.formed(scene, list(scene.own))[0]] == ["A1", "A3", "A4"]
    ships[1].y = 14
    scene = Scene(View(battle(*ships, ship("B1", (20, 30))), "A"))
    assert [one.id for one in line.formed(scene, list(scene.own))[0]][:1] == ["A1"]
    assert len(line.formed(scene, list(scene.own))[0]) == 4


@pytest.mark.clause("C.Q10")
def test_a_side_that_holds_goes_slowly_until_the_enemy_is_within_twelve() -> None:
    hold = Doctrine(stance=Stance.HOLD)
    assert moves(battle(ship("A1"), ship("B1", (18, 5))), doctrine=hold)["A1"] == ("F", False)
    assert moves(battle(ship("A1"), ship("B1", (17, 5))), doctrine=hold)["A1"][0] != "F"


@pytest.mark.clause("C.Q10")
def test_a_side_that_avoids_and_ships_that_are_covered_steer_for_the_edge() -> None:
    made = battle(ship("A1", (5, 5), "W"), ship("A2", (5, 9), "W"), ship("B1", (17, 5)))
    assert set(moves(made, doctrine=Doctrine(stance=Stance.AVOID)).values()) == {("FF", False)}
    assert moves(made, doctrine=Doctrine(protect=("A2",)))["A2"] == ("FF", False)


@pytest.mark.clause("C.Q11")
def test_a_leader_keeps_out_of_the_torpedoes_of_two() -> None:
    one = ship("A1", (5, 5))
    foes = [ship("B1", (3, 10), "E"), ship("B2", (7, 10), "E")]
    scene = Scene(View(battle(one, *foes), "A"))
    assert scene.in_torpedo_water((5, 8)) and not scene.in_torpedo_water((5, 6))
    foes[0].torpedoes = 0
    assert not scene.in_torpedo_water((5, 8))


@pytest.mark.clause("C.Q12")
def test_there_are_two_captains_and_the_commander_is_the_one_who_keeps_line() -> None:
    assert list(CAPTAINS) == ["plain", "commander"]
    ships = [ship(f"A{n}", (6, 20 - 2 * n)) for n in (1, 2, 3)]
    made = battle(*ships, ship("B1", (20, 16)))
    assert [actions for actions, _ in moves(made).values()][1:] == ["FF", "FF"]


@pytest.mark.clause("C.Q13")
@pytest.mark.parametrize(
    ("at", "breaking_off", "close"), [((11, 5), False, True), ((12, 5), False, False), ((11, 5), True, False)]
)
def test_a_division_is_at_close_quarters_with_a_fighting_enemy_within_six(
    at: tuple[int, int], breaking_off: bool, close: bool
) -> None:
    ships = [ship("A1", (5, 5)), ship("A2", (5, 3))]
    made = battle(*ships, ship("B1", at, breaking_off=breaking_off), ship("B2", (20, 5)))
    assert melee.at_close_quarters(Scene(View(made, "A")), ships) is close


@pytest.mark.clause("C.Q13")
@pytest.mark.parametrize(("far", "actions"), [(4, "FR"), (7, "FF")])
def test_at_close_quarters_a_ship_leaves_the_wake_for_a_better_place(far: int, actions: str) -> None:
    ships = [ship("A1", (6, 11), "NE"), ship("A2", (6, 9), "N", last_spent=2)]
    foes = [ship("B1", (6 + far, 9), last_spent=0), ship("B2", (6 + far, 11), last_spent=0)]
    assert moves(battle(*ships, *foes, first="B"))["A2"] == (actions, False)


@pytest.mark.clause("C.Q10", "C.Q13")
@pytest.mark.parametrize(("best", "reach"), [(8, 8), (4, 5), (3, 5)])
def test_ships_at_close_quarters_steer_for_three_areas_or_for_long_range(best: int, reach: int) -> None:
    # Nobody has a gun left, so that the range alone is weighed; the enemy lies still.
    none: dict[str, Any] = {"fitted": (), "torpedoes": 0}
    own = ship("A1", (7, 5), "E" if best < 8 else "W", **none)
    foe = ship("B1", (14, 5) if best < 8 else (13, 5), last_spent=0, **none)
    scene = Scene(View(battle(own, foe, first="B"), "A"))
    ((_, actions),) = melee.moves(scene, [own], Wanted(best, 54, 9), frozenset({"B1"}))
    assert squares.distance(after(scene.poses["A1"], actions).at, foe.pos) == reach


@pytest.mark.clause("C.Q5", "C.Q13")
def test_ships_at_close_quarters_make_room_for_each_other() -> None:
    crowd = [
        ship(f"A{n}", at, heading)
        for n, (at, heading) in enumerate(
            [((5, 5), "N"), ((5, 6), "N"), ((5, 7), "N"), ((6, 6), "NW"), ((4, 6), "NE")], start=1
        )
    ]
    made = battle(*crowd, ship("B1", (9, 9), last_spent=0), first="B")
    taken = {one.pos for one in crowd}
    order = moves(made)
    for code, (actions, _) in order.items():
        own = made.ships[code]
        taken.discard(own.pos)
        end = after(Pose(own.pos, own.h), actions)
        assert end.at not in taken
        taken.add(end.at)
    assert set(order) == {one.id for one in crowd}


@pytest.mark.clause("C.P12", "G.IN1")
def test_all_is_open_but_who_is_expected_officers_and_captains() -> None:
    late = ship("B2", status=Status.EXPECTED)
    late.squadron = "B-2"
    made = battle(ship("A1"), ship("B1", (9, 5), fp=3, torpedoes=1), late)
    made.squadrons["B-1"].officer = "Makarov"
    seen = seen_by(made, "A")
    assert [row["id"] for row in seen["ships"]] == ["A1", "B1"]
    assert (seen["ships"][1]["fp"], seen["ships"][1]["torpedoes"]) == (3, 1)
    assert "captain" not in seen["ships"][1] and "Makarov" not in str(seen)
    assert "B2" in str(seen_by(made, "B")) and "Makarov" in str(seen_by(made, "B"))
    with pytest.raises(KeyError):
        View(made, "A").doctrine_of("B-1")
