"""The automatic captains: what they weigh, at what they fire, where they steer. They decide by their side's view alone."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import plane
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.barker.captain import (
    CAPTAINS,
    flotillas,
    line,
    others,
    posture,
    tracks,
)
from battles.engine.rulesets.barker.captain.commander import Commander
from battles.engine.rulesets.barker.captain.line import Wish
from battles.engine.rulesets.barker.captain.plain import Plain
from battles.engine.rulesets.barker.captain.posture import Posture
from battles.engine.rulesets.barker.captain.scene import Scene, of
from battles.engine.rulesets.barker.play import Orders, Plan, Token
from battles.engine.rulesets.barker.state import Battle, Formation, Status, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase
from battles.engine.rulesets.barker.view import View
from tests.engine.barker.builders import field, unit, view
from tests.support.answers import unerring

C, X, P = Token("C"), Token("X"), Token("P")


# --- posture ---


@unerring
def squadrons(own: int, theirs: int) -> list[Unit]:
    return [unit(f"A{n}", (0, 500 * n), kind="C3") for n in range(own)] + [
        unit(f"B{n}", (9_000, 500 * n), kind="C3") for n in range(theirs)
    ]


@pytest.mark.parametrize(
    ("own", "theirs", "wanted"),
    [
        (6, 5, Posture.ATTACK), (5, 5, Posture.EVEN), (4, 5, Posture.EVEN), (7, 9, Posture.EDGE_HOME), (3, 6, Posture.EDGE_HOME),
        (3, 7, Posture.WITHDRAW), (1, 0, Posture.ATTACK),
    ],
)  # fmt: skip
def test_posture_by_strength(own: int, theirs: int, wanted: Posture) -> None:
    assert posture.of(view(*squadrons(own, theirs))) is wanted


def test_instructions_go_before_strength() -> None:
    assert posture.of(view(*squadrons(6, 1), doctrine=Doctrine(stance=Stance.AVOID))) is Posture.WITHDRAW


@pytest.mark.clause("P.K49")
@pytest.mark.parametrize(
    ("limit", "sunk", "wanted"), [(50, 2, True), (50, 1, False), (51, 2, False), (100, 3, False)]
)
def test_a_side_breaks_off_when_its_losses_reach_the_limit(limit: int, sunk: int, wanted: bool) -> None:
    units = squadrons(4, 4)
    made = field(*units, doctrine=Doctrine(break_off=limit))
    for n in range(sunk):
        made.units[f"A{n}"].status = Status.SUNK
    assert posture.broken(View(made, "A")) is wanted


@pytest.mark.clause("P.K49")
@pytest.mark.clause("P.K17")
@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        ({}, 0), ({"damage": 1}, 3), ({"damage": 2}, 6), ({"crippled": True}, 12), ({"crippled": True, "damage": 2}, 16),
        ({"damage": 2, "came_damage": 1}, 3), ({"status": Status.SUNK}, 20),
    ],
)  # fmt: skip
def test_hull_lost_in_this_battle(over: dict[str, Any], wanted: int) -> None:
    assert posture.lost_twentieths(unit("A1", **over)) == wanted


def test_the_refuge_lies_beyond_the_own_edge_when_no_enemy_bars_the_way() -> None:
    seen = view(unit("A1", (0, -10_000)), unit("B1", (0, 0)))
    assert posture.refuge(seen, unit("A1", (0, -10_000)))[1] < -4_800_000
    barred = view(unit("A1", (-20_000, 0)), *(unit(f"B{n}", (-20_000 + 300 * n, -6_000)) for n in range(4)))
    assert posture.refuge(barred, unit("A1", (-20_000, 0)))[0] < -3_000_000


# --- tracks ---


@pytest.mark.parametrize(
    ("plan", "x", "y", "h"),
    [
        ((C,), 0, 600, 0),
        ((C, P), 0, 1_000, 0),
        ((Token("P", 9_000),), 500, 300, 90),
        ((Token("P", 9_000), C), 900, 300, 90),
        ((Token("S"),), 0, 200, 0),
    ],
)
def test_a_run_goes_as_the_rules_have_it(plan: Plan, x: int, y: int, h: int) -> None:
    scene = Scene(view(unit("A1"), unit("B1", (9_000, 0))))
    start = scene.head(scene.own[0])
    ran = tracks.run(start, plan, Mode.COMBAT) or [start]
    assert (ran[-1].x, ran[-1].y, ran[-1].h) == (x * 100, y * 100, h * 100)


def test_followers_are_taken_along_the_track() -> None:
    ships = [unit(f"A{n}", (0, -400 * n)) for n in range(3)]
    scene = Scene(view(*ships, unit("B1", (9_000, 0))))
    heads = [scene.head(one) for one in ships]
    places = tracks.behind(heads, tracks.run(heads[0], (C, P), Mode.COMBAT), range(3))
    assert [(one.x, one.y) for one in places] == [(0, 800), (0, 400), (0, 0)]
    round_ = tracks.behind(heads, tracks.run(heads[0], (Token("P", 9_000),), Mode.COMBAT), [0, 2])
    assert (round_[0].x, round_[0].y) == (300, 300)
    assert abs(round_[1].x) < 30 and abs(round_[1].y + 400) < 160


def test_each_turns_for_herself_in_a_turn_together() -> None:
    ships = [unit("A1"), unit("A2", (0, -400))]
    scene = Scene(view(*ships, unit("B1", (9_000, 0))))
    places = tracks.shifted([scene.head(one) for one in ships], (Token("T", 9_000),), Mode.COMBAT)
    assert [(one.x, one.y) for one in places] == [(300, 300), (300, -100)]


# --- the exchange ---


def test_an_exchange_counts_broadsides_and_ends() -> None:
    me, foe = unit("A1"), unit("B1", (3_000, 0), 270)
    scene = Scene(view(me, foe))
    # She shows her broadside, he his bow: 2 v 4 against 0 v 4 at LONG.
    assert scene.exchange([me], [of(me)], 0) == (24 * 15 * 6, 24 * 15 * 1)
    assert scene.foes_after(2)[0].x == 3_000 - 1_200
    assert scene.exchange([me], [of(me)], 20)[0] == 0


# --- the commander ---


@unerring
def orders(made: Battle, side: str = "A", given: dict[str, Orders] | None = None) -> dict[str, Orders]:
    return dict(Commander(made.sides[side].doctrine).orders(View(made, side), given or {}))


def line_of(count: int, x: int, y: int, heading: int, side: str = "A", **over: Any) -> list[Unit]:
    """A line ahead."""
    dx, dy = plane.unit(heading * 100)
    return [
        unit(f"{side}{n}", (x - 400 * n * dx / 1e9, y - 400 * n * dy / 1e9), heading, **over)
        for n in range(count)
    ]


@unerring
def lines(made: Battle) -> Battle:
    for squadron in made.squadrons.values():
        if len(squadron.ships) > 1:
            made.formations.append(Formation("ahead", squadron.ships))
    return made


def test_a_line_gets_one_order_through_its_leader() -> None:
    made = lines(field(*line_of(4, 0, 0, 0), *line_of(4, 12_000, 0, 270, "B")))
    found = orders(made)
    assert set(found) == {"A0"}
    assert all(token.kind in "CPTX" for plan in found["A0"].plans for token in plan)
    assert all(sum(token.kind == "C" for token in plan) == 1 for plan in found["A0"].plans)


def test_who_has_players_orders_is_left_alone() -> None:
    made = field(unit("A1"), unit("A2", (5_000, 0)), unit("B1", (20_000, 0)))
    assert set(orders(made, given={"A1": Orders(plans=((C,),))})) == {"A2"}
    assert set(orders(made, given={"A1": Orders(with_=())})) == {"A2"}
    assert set(orders(made, given={"A1": Orders(light="")})) == {"A1", "A2"}


def test_a_line_closes_an_enemy_far_off() -> None:
    made = lines(field(*line_of(4, 0, 0, 90), *line_of(4, 20_000, 0, 270, "B")))
    assert orders(made)["A0"].plans[0] == (C, P)


def test_a_line_opens_its_broadsides_on_one_that_comes_end_on() -> None:
    made = lines(field(*line_of(4, 0, 0, 90), *line_of(4, 6_500, 0, 270, "B")))
    turn = orders(made)["A0"].plans[0][0].turn
    assert abs(turn) >= 3_000


def test_only_what_the_die_can_pay_is_weighed() -> None:
    made = lines(field(*line_of(4, 0, 0, 90), *line_of(4, 6_500, 0, 270, "B"), nips=1))
    assert all(not token.turn for plan in orders(made)["A0"].plans for token in plan)


def test_nobody_steers_off_the_table_unless_he_withdraws() -> None:
    ship = unit("A1", (0, 47_500), 0)
    made = field(ship, unit("B1", (0, 30_000)))
    plan = orders(made)["A1"].plans[0]
    assert abs(sum(token.turn for token in plan)) >= 4_500
    made.sides["A"].doctrine = Doctrine(stance=Stance.AVOID)
    assert orders(made)["A1"].plans[0] == (C, P)


def test_land_ahead_is_avoided() -> None:
    made = field(unit("A1", (250, 250), 0), unit("B1", (250, 20_000)))
    assert not orders(made)["A1"].plans[0][0].turn
    made.land = frozenset((i, 2) for i in range(-2, 3))
    assert orders(made)["A1"].plans[0][0].turn


def test_a_cripple_with_a_friend_astern_moves_on_first() -> None:
    lame, mate = unit("A1", crippled=True), unit("A2", (0, -400))
    found = orders(field(lame, mate, unit("B1", (8_000, 0))))
    assert found["A1"].plans == ((P,), ())
    assert found["A1"].pay == 1 < found["A2"].pay


def test_a_cripple_limps_home_but_not_towards_an_enemy() -> None:
    made = field(unit("A1", heading=180, crippled=True), unit("B1", (0, 5_000)))
    assert orders(made)["A1"].plans[0][0].kind == "P"
    around = [(0, -5_000), (0, 5_000), (5_000, 0), (-5_000, 0)]
    foes = [unit(f"B{n}", at, kind="C3") for n, at in enumerate(around)]
    made = field(unit("A1", heading=180, crippled=True), *foes)
    assert orders(made)["A1"].plans == ((),)


def test_a_line_keeps_clear_of_its_own_cripple() -> None:
    ships = line_of(3, 0, 0, 0)
    made = field(*ships, unit("A9", (0, 700), 0, crippled=True, aground=True), unit("B1", (0, 30_000)))
    made.formations.append(Formation("ahead", ("A0", "A1", "A2")))
    assert orders(made)["A0"].plans[0][0].turn


# --- torpedo craft ---


@unerring
def flotilla(*foes: Unit, phase: Phase = Phase.DAY, fired: bool = False, **over: Any) -> Wish:
    boats = [
        unit(f"A{n}", (0, -400 * n), kind="TBD", fired=fired, squadron="A-2", group="A-2") for n in (1, 2)
    ]
    scene = Scene(view(*boats, unit("A5", (1_000, 0)), *foes, phase=phase, **over))
    return flotillas.wish(scene, boats, Posture.EVEN)


def test_torpedo_craft_are_held_by_day_and_let_go_on_a_cripple_or_in_bad_light() -> None:
    whole, lame = unit("B1", (3_000, 5_000)), unit("B2", (5_900, 0), crippled=True)
    held = flotilla(unit("B1", (12_000, 0)))
    assert held.goal is not None and held.goal[0] < 0
    # Within reach of guns only the way out counts.
    assert flotilla(whole).goal is None and flotilla(whole).wanted > 6_000
    assert flotilla(whole, lame).among == (1,)
    assert flotilla(whole, unit("B2", (7_000, 0), crippled=True)).wanted > 6_000
    near = unit("B1", (3_000, 0))
    assert flotilla(near, phase=Phase.DUSK).among == (0,)
    assert flotilla(near, phase=Phase.DUSK, fired=True).goal is not None
    assert flotilla(whole, lame, doctrine=Doctrine(fire_ships=False)).wanted > 6_000


# --- merchants, submarines ---


def test_a_liner_runs_from_an_enemy() -> None:
    made = field(unit("A1", kind="LINER"), unit("B1", (0, 5_000), kind="C2"))
    plan = orders(made)["A1"].plans[0]
    assert plan[0].turn in (9_000, -9_000)
    away = field(unit("A1", heading=180, kind="LINER"), unit("B1", (0, 9_000), kind="C2"))
    assert orders(away)["A1"].plans[0] == (C, X, P)


def test_a_boat_below_comes_up_beside_its_prey() -> None:
    boat = unit("A1", kind="SUB", submerged=True)
    made = field(boat, unit("A2", (0, -9_000)), unit("B1", (0, 1_400)))
    (plan, _) = orders(made)["A1"].plans
    assert plan[0].kind == "U" and plan[0].at == (0, 70_000)
    boat.earliest = 1
    assert "A1" not in orders(made)
    boat.earliest = 0
    made.units["B1"].y = 300_000
    assert "A1" not in orders(made)


def test_where_an_enemy_is_looked_for() -> None:
    made = field(unit("A1"), unit("B1", (9_000, 9_000)))
    made.parties["A"].contacts = ()
    assert others.search(View(made, "A"), made.units["A1"]) == (900_000, 900_000)
    made.units["B1"].status = Status.SUNK
    assert others.search(View(made, "A"), made.units["A1"]) == (0, 1_000_000)


# --- the plain captain ---


def test_the_plain_captain_goes_straight_for_the_nearest() -> None:
    made = lines(field(*line_of(2, 0, 0, 0), unit("B1", (3_000, 3_000)), unit("B2", (-9_000, 0))))
    found = Plain(Doctrine()).orders(View(made, "A"), {})
    assert set(found) == {"A0", "A1"}
    assert found["A0"].plans == ((Token("P", 4_500), C), (C,))


def test_the_plain_captain_breaks_off_when_told() -> None:
    made = field(
        unit("A1", heading=180),
        unit("A2", status=Status.SUNK),
        unit("B1", (0, 3_000)),
        doctrine=Doctrine(break_off=40),
    )
    assert Plain(Doctrine()).orders(View(made, "A"), {})["A1"].plans[0] == (C, P)


def test_the_plain_captain_fires_at_the_nearest_first() -> None:
    seen = view(unit("A1"), unit("B1", (3_000, 0)), unit("B2", (2_000, 0)))
    assert Plain(Doctrine()).targets(seen, unit("A1"), [("main", "B1"), ("main", "B2")])[0] == ("main", "B2")


def test_both_captains_are_known_by_name() -> None:
    assert {name: make(Doctrine()).name for name, make in CAPTAINS.items()} == {
        "plain": "plain",
        "commander": "commander",
    }


def test_plans_end_with_one_that_costs_nothing() -> None:
    made = field(unit("A1", kind="C1"), unit("B1", (5_000, 0)))
    scene = Scene(View(made, "A"))
    found = line.plans(scene, [made.units["A1"]], "", Wish(among=(0,)), 6)
    free = [all(token.kind in "CX" for token in plan) for plan in found]
    assert free.count(True) <= 1 and (True not in free or free[-1])


@pytest.mark.clause("P.K49")
def test_a_squadron_obeys_its_own_instructions_and_does_not_chase_when_told_to_hold() -> None:
    made = field(unit("A1", (0, -20_000), 0), unit("B1", (0, 0), kind="C3"))
    assert orders(made)["A1"].plans[0] == (C, P)
    made.squadrons["A-1"].doctrine = Doctrine(stance=Stance.HOLD)
    assert orders(made)["A1"].plans[0] == (C,)
    made.squadrons["A-1"].doctrine = Doctrine(stance=Stance.AVOID)
    assert orders(made)["A1"].plans[0][0].turn
