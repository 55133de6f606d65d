from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.rulesets.kohler.passage import REFUSALS, allowance, begin, carry, foresee
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship, Status, WindForce
from tests.engine.kohler.builders import battle, ship

TOKENS = ("A", "P", "S", "TP", "TS", "W0", "W3", "G:D1", "Q")


def foreseen(
    orders: str, *, wind: int = 3, strength: WindForce = WindForce.NORMAL, **over: object
) -> tuple[object, ...]:
    """Position, facing and the code of the first refusal of a lone ship."""
    one = ship(**over)
    p, _, code = foresee(battle(one, wind=wind, strength=strength), one, orders.split())
    return p.pos, p.facing, code


@pytest.mark.clause("K.M2")
def test_the_attitude_changes_with_the_facing() -> None:
    assert [battle(ship()).rel(facing) for facing in range(6)] == [0, 1, 2, 3, 4, 5]
    assert [battle(ship(), wind=0).rel(facing) for facing in range(6)] == [3, 4, 5, 0, 1, 2]


@pytest.mark.clause("K.E1", "K.M2", "K.M3", "K.M4", "K.M18")
@pytest.mark.parametrize(("fast", "hexes"), [(False, [0, 1, 3, 2, 3, 1]), (True, [0, 1, 4, 3, 4, 1])])
def test_each_facing_has_its_allowance_in_normal_wind(fast: bool, hexes: list[int]) -> None:
    one = ship(fast=fast)
    assert [allowance(battle(one), one, facing) for facing in range(6)] == hexes


@pytest.mark.clause("K.M4", "K.M18", "K.M19", "K.M20", "K.D6", "K.A2.5")
@pytest.mark.parametrize(
    ("steps", "fast", "rows"),
    [
        (0, False, {"LIGHT": (1, 2, 1), "NORMAL": (1, 3, 2), "STRONG": (1, 4, 3)}),
        (0, True, {"LIGHT": (1, 3, 2), "NORMAL": (1, 4, 3), "STRONG": (1, 5, 4)}),
        (1, False, {"LIGHT": (1, 1, 1), "NORMAL": (1, 2, 1), "STRONG": (1, 3, 2)}),
        (1, True, {"LIGHT": (1, 2, 1), "NORMAL": (1, 3, 2), "STRONG": (1, 4, 3)}),
        (2, False, {"LIGHT": (0, 1, 1), "NORMAL": (0, 1, 1), "STRONG": (0, 1, 1)}),
        (2, True, {"LIGHT": (0, 1, 1), "NORMAL": (0, 1, 1), "STRONG": (0, 1, 1)}),
        (3, False, {"LIGHT": (0, 0, 0), "NORMAL": (0, 0, 0), "STRONG": (0, 0, 0)}),
    ],
)
def test_every_line_of_the_movement_table_is_right(
    steps: int, fast: bool, rows: dict[str, tuple[int, int, int]]
) -> None:
    one = ship(steps_lost=steps, fast=fast)
    for strength, hexes in rows.items():
        sea = battle(one, strength=WindForce[strength])
        assert tuple(allowance(sea, one, facing) for facing in (1, 2, 3)) == hexes
        assert allowance(sea, one, 0) == 0
        assert allowance(sea, one, 4) == hexes[1]
        assert allowance(sea, one, 5) == hexes[0]


@pytest.mark.clause("K.A2.4")
def test_no_one_has_an_allowance_in_still_air() -> None:
    one = ship()
    assert {allowance(battle(one, strength=WindForce.STILL), one, facing) for facing in range(6)} == {0}


@pytest.mark.clause("K.B24", "K.M4")
def test_a_prize_sails_as_at_level_two_or_worse() -> None:
    one = ship(prize_of="DUT", fast=True)
    assert [allowance(battle(one), one, facing) for facing in (1, 2, 3)] == [0, 1, 1]
    one.steps_lost = 3
    assert allowance(battle(one), one, 2) == 0


@pytest.mark.clause("K.E2", "K.M1", "K.M6", "K.M8", "K.M11")
def test_turning_onto_a_slower_course_cuts_the_distance() -> None:
    assert foreseen("A A S A", facing=2) == ((2, 0), 3, "allowance")
    assert foreseen("A A A S", facing=2) == ((3, 0), 3, "")
    assert foreseen("A A S A A", facing=2, fast=True) == ((2, 1), 3, "allowance")


@pytest.mark.clause("K.E3", "K.M5", "K.M7")
def test_turning_onto_a_faster_course_gains_nothing() -> None:
    assert foreseen("A S A", facing=1) == ((1, -1), 2, "allowance")


@pytest.mark.clause("K.E4", "K.M9", "K.M17", "K.A2.5")
def test_a_close_hauled_ship_tacks_after_one_hex() -> None:
    assert foreseen("A TP", facing=1) == ((1, -1), 5, "")
    assert foreseen("A TP", facing=1, unhandy=True) == ((1, -1), 5, "")
    assert foreseen("A TS", facing=5) == ((-1, 0), 1, "")
    assert foreseen("A P", facing=1, strength=WindForce.LIGHT) == ((1, -1), 0, "")
    assert foreseen("A TP", facing=1, strength=WindForce.LIGHT) == ((1, -1), 0, "")
    assert foreseen("P", facing=0, strength=WindForce.LIGHT) == ((0, 0), 5, "")


@pytest.mark.clause("K.M9")
@pytest.mark.parametrize(
    ("facing", "token"), [(2, "TP"), (2, "TS"), (1, "TS"), (5, "TP"), (3, "TP"), (4, "TS")]
)
def test_a_turn_of_two_hexsides_is_allowed_only_through_the_wind(facing: int, token: str) -> None:
    assert foreseen(f"A {token}", facing=facing)[1:] == (facing, "no-tack")


@pytest.mark.clause("K.M9", "K.M8")
def test_a_tack_is_the_only_turn_in_its_hex() -> None:
    assert foreseen("A TP P", facing=1) == ((1, -1), 5, "turned")
    assert foreseen("A S TP", facing=1)[2] == "no-tack"


@pytest.mark.clause("K.E5", "K.M5", "K.M16")
def test_a_handy_ship_turns_once_before_she_moves() -> None:
    assert foreseen("TP A TS", facing=1, handy=True) == ((-1, 0), 1, "")
    assert foreseen("S A A A", facing=1, handy=True) == ((3, 0), 2, "")
    assert foreseen("S S", facing=1, handy=True) == ((0, 0), 2, "not-underway")


@pytest.mark.clause("K.M16", "K.D6")
def test_a_handy_ship_that_damage_has_made_ordinary_cannot_turn_first() -> None:
    assert foreseen("S A", facing=1, handy=True, steps_lost=1)[2] == ""
    assert foreseen("S A", facing=2, handy=True, steps_lost=2) == ((0, 0), 2, "not-underway")


@pytest.mark.clause("K.E6", "K.M8")
def test_others_must_move_before_they_turn() -> None:
    assert foreseen("S A", facing=2) == ((0, 0), 2, "not-underway")


@pytest.mark.clause("K.M8")
def test_each_turn_needs_its_own_hex() -> None:
    assert foreseen("A P A S A", facing=3, strength=WindForce.STRONG) == ((1, 2), 3, "")
    assert foreseen("A S S", facing=2) == ((1, 0), 3, "turned")


@pytest.mark.clause("K.M10")
def test_turning_into_the_wind_ends_the_way() -> None:
    assert foreseen("A P A", facing=1) == ((1, -1), 0, "irons")


@pytest.mark.clause("K.M17")
def test_an_unhandy_ship_turns_once_a_turn() -> None:
    assert foreseen("A P A S A", facing=3, unhandy=True, strength=WindForce.STRONG) == ((1, 1), 2, "unhandy")


@pytest.mark.clause("K.E7", "K.M14")
def test_a_ship_caught_in_irons_has_a_free_turn_and_sails_on() -> None:
    over = {"facing": 1, "wind": 4, "caught_in_irons": True}
    assert foreseen("P A", **over) == ((0, -1), 0, "")
    assert foreseen("S A", **over) == ((1, 0), 2, "")
    assert foreseen("A", **over) == ((0, 0), 1, "irons")
    assert foreseen("S S", **over) == ((0, 0), 2, "not-underway")


@pytest.mark.clause("K.M14", "K.M16")
def test_a_handy_ship_caught_in_irons_has_both_turns() -> None:
    assert foreseen("S S A A A", facing=1, wind=4, caught_in_irons=True, handy=True) == ((0, 3), 3, "")


@pytest.mark.clause("K.M14", "K.M17")
def test_the_free_turn_does_not_count_against_an_unhandy_ship() -> None:
    assert foreseen("S A S", facing=1, wind=4, caught_in_irons=True, unhandy=True) == ((1, 0), 3, "")


@pytest.mark.clause("K.E8", "K.M15")
@pytest.mark.parametrize("handy", [False, True])
def test_in_irons_otherwise_she_turns_one_hexside_and_no_more(handy: bool) -> None:
    assert foreseen("S", facing=0, handy=handy) == ((0, 0), 1, "")
    assert foreseen("S A", facing=0, handy=handy) == ((0, 0), 1, "ended")
    assert foreseen("A", facing=0, handy=handy) == ((0, 0), 0, "irons")
    assert foreseen("TP", facing=0, handy=handy) == ((0, 0), 0, "no-tack")


@pytest.mark.clause("K.E16", "K.M19", "K.D6")
def test_a_crippled_ship_close_hauled_is_as_good_as_in_irons() -> None:
    pelican = {
        "guns": 36,
        "n_steps": 3,
        "thresholds": (4, 8, 12),
        "hull_max": 12,
        "handy": True,
        "fast": True,
        "steps_lost": 2,
    }
    assert foreseen("A", facing=1, **pelican) == ((0, 0), 1, "irons")
    assert foreseen("S", facing=1, **pelican) == ((0, 0), 2, "")
    assert foreseen("A P", facing=2, **pelican) == ((1, 0), 1, "")
    assert foreseen("A A", facing=2, **pelican) == ((1, 0), 2, "allowance")


@pytest.mark.clause("K.M14", "K.M19")
def test_a_crippled_ship_out_of_irons_by_the_free_turn_stays_put() -> None:
    over = {"facing": 1, "wind": 4, "caught_in_irons": True, "steps_lost": 2}
    assert foreseen("S A", **over) == ((0, 0), 2, "irons")
    assert foreseen("S S", **over) == ((0, 0), 3, "")
    assert foreseen("S S A", **over) == ((0, 0), 3, "ended")


@pytest.mark.clause("K.M20")
def test_a_disabled_ship_turns_once_and_goes_nowhere() -> None:
    assert foreseen("S", facing=0, steps_lost=3) == ((0, 0), 1, "")
    assert foreseen("P P", facing=2, steps_lost=3) == ((0, 0), 1, "turned")
    assert foreseen("A", facing=2, steps_lost=3) == ((0, 0), 2, "disabled")


@pytest.mark.clause("K.E19", "K.M21")
def test_a_helm_hit_turns_her_first_and_drives_her_one_hex_on() -> None:
    assert foreseen("A", facing=2, helm=Helm.PORT) == ((1, -1), 1, "")
    assert foreseen("", facing=2, helm=Helm.STARBOARD) == ((0, 1), 3, "")
    assert foreseen("A P A", facing=3, helm=Helm.PORT) == ((1, 0), 1, "allowance")
    assert foreseen("S A", facing=2, helm=Helm.STARBOARD, handy=True) == ((-1, 2), 4, "")


@pytest.mark.clause("K.M17", "K.M21")
def test_an_unhandy_ship_makes_a_forced_turn_and_no_other() -> None:
    assert foreseen("A S", facing=2, helm=Helm.STARBOARD, unhandy=True) == ((0, 1), 3, "unhandy")


@pytest.mark.clause("K.M21")
def test_a_helm_that_will_not_answer_forbids_every_turn() -> None:
    assert foreseen("A S", facing=2, helm=Helm.NO_TURN) == ((1, 0), 2, "helm")
    assert foreseen("S", facing=1, wind=4, caught_in_irons=True, helm=Helm.NO_TURN) == ((0, 0), 1, "helm")
    assert foreseen("S", facing=0, helm=Helm.NO_TURN) == ((0, 0), 0, "helm")
    assert foreseen("S", facing=2, steps_lost=3, helm=Helm.NO_TURN) == ((0, 0), 2, "helm")


@pytest.mark.clause("K.M21", "K.M14", "K.M15", "K.M19", "K.M20")
def test_a_forced_turn_replaces_the_turns_of_held_ships() -> None:
    assert foreseen("P", facing=0, helm=Helm.STARBOARD) == ((0, 0), 1, "ended")
    assert foreseen("P", facing=0, steps_lost=3, helm=Helm.STARBOARD) == ((0, 0), 1, "helm")
    assert foreseen("A", facing=1, steps_lost=2, helm=Helm.STARBOARD) == ((0, 0), 2, "ended")
    caught = {"facing": 1, "wind": 4, "caught_in_irons": True, "helm": Helm.STARBOARD}
    assert foreseen("A", **caught) == ((1, 0), 2, "")
    assert foreseen("A", steps_lost=2, **caught) == ((0, 0), 2, "ended")


@pytest.mark.clause("K.M21")
def test_a_forced_turn_into_the_wind_leaves_her_in_irons() -> None:
    assert foreseen("A", facing=1, helm=Helm.PORT) == ((0, 0), 0, "ended")


@pytest.mark.clause("K.A2.4")
def test_in_still_air_she_is_towed_one_hex_or_pivots() -> None:
    still = WindForce.STILL
    assert foreseen("W4", facing=2, strength=still) == ((-1, 1), 2, "")
    assert foreseen("P", facing=2, strength=still, unhandy=True) == ((0, 0), 1, "")
    assert foreseen("P W0", facing=2, strength=still)[2] == "ended"
    assert foreseen("A", facing=2, strength=still)[2] == "still"
    assert foreseen("S", facing=2, strength=still, helm=Helm.NO_TURN) == ((0, 0), 3, "")
    assert foreseen("W0", facing=2, strength=still, steps_lost=3)[2] == "disabled"
    assert foreseen("W0", facing=2, strength=still, prize_of="DUT")[2] == "tow"
    assert foreseen("W0", facing=2)[2] == "not-still"


@pytest.mark.clause("K.A2.4")
def test_boats_tow_into_empty_water_only() -> None:
    one, enemy = ship(), ship(id="D1", side="DUT", pos=(0, -1))
    assert foresee(battle(one, enemy, strength=WindForce.STILL), one, ["W0"])[2] == "tow"


@pytest.mark.clause("K.M22", "K.M23", "K.M30", "K.X15")
@pytest.mark.parametrize(
    ("other", "code"),
    [
        (ship(id="E2"), "occupied"),
        (ship(id="D1", side="DUT"), ""),
        (ship(id="D1", side="DUT", prize_of="ENG"), "occupied"),
        (ship(id="D1", side="DUT", status=Status.SINKING), "wreck"),
        (ship(id="E2", is_fireship=True, fired=True), ""),
    ],
)
def test_some_ships_block_the_hex_ahead(other: Ship, code: str) -> None:
    one = ship(facing=2)
    other.pos = (2, 0)
    p, number, found = foresee(battle(one, other), one, ["A", "A", "A"])
    assert (found, number) == ((code, 1) if code else ("", 3))
    assert p.pos == ((1, 0) if code else (3, 0))


@pytest.mark.clause("K.M32", "K.G13")
def test_land_and_shoal_are_not_entered_by_choice() -> None:
    deep, light = ship(facing=2), ship(facing=2, deep=False)
    sea = {"land": frozenset({(2, 0)}), "shoal": frozenset({(1, 0)})}
    assert foresee(battle(deep, **sea), deep, ["A"])[2] == "shoal"
    assert foresee(battle(light, **sea), light, ["A", "A"])[1:] == (1, "land")


@pytest.mark.clause("K.E31", "K.M33")
def test_a_ship_blocked_ahead_may_turn_on_the_spot() -> None:
    def ahead(orders: str, **over: object) -> tuple[object, ...]:
        one = ship(facing=2, **over)
        p, _, code = foresee(battle(one, ship(id="E2", pos=(1, 0))), one, orders.split())
        return p.pos, p.facing, code, p.drifts

    assert ahead("A") == ((0, 0), 2, "occupied", True)
    assert ahead("P") == ((0, 0), 1, "", True)
    assert ahead("P A") == ((0, 0), 1, "ended", True)
    assert ahead("P A", handy=True) == ((1, -1), 1, "", True)
    assert ahead("P", unhandy=True, turns_made=1)[2] == "unhandy"


@pytest.mark.clause("K.M33")
def test_a_shore_ahead_blocks_her_too_but_an_enemy_does_not() -> None:
    one = ship(facing=2)
    assert foresee(battle(one, land=frozenset({(1, 0)})), one, ["S"])[2] == ""
    assert foresee(battle(one, ship(id="D1", side="DUT", pos=(1, 0))), one, ["S"])[2] == "not-underway"


@pytest.mark.clause("K.B1", "K.B13", "K.B14", "K.B24", "K.M31")
def test_an_order_to_grapple_is_refused_for_its_reasons() -> None:
    def ordered(*others: Ship, strength: WindForce = WindForce.NORMAL, **over: object) -> str:
        one = ship(facing=2, **over)
        return foresee(battle(one, *others, strength=strength), one, ["G:D1"])[2]

    enemy = {"id": "D1", "side": "DUT"}
    assert ordered(ship(**enemy)) == ""
    assert ordered(ship(**enemy, pos=(1, 0))) == "no-enemy"
    assert ordered(ship(id="D1")) == "no-enemy"
    assert ordered(ship(id="E2")) == "no-enemy"
    assert ordered(ship(**enemy, status=Status.SINKING)) == "no-enemy"
    assert ordered(ship(**enemy, fired=True)) == "no-enemy"
    assert ordered(ship(**enemy), grapple_tried=True) == "tried"
    assert ordered(ship(**enemy), prize_of="FRA") == "no-boarders"
    assert ordered(ship(**enemy), strength=WindForce.STILL) == "still"


@pytest.mark.clause("K.B25")
def test_a_prize_is_attacked_only_where_no_captor_guards_her() -> None:
    one = ship()
    prize = ship(id="E2", prize_of="DUT")
    guard = ship(id="D1", side="DUT")
    assert foresee(battle(one, prize), one, ["G:E2"])[2] == ""
    assert foresee(battle(one, prize, guard), one, ["G:E2"])[2] == "guarded"


@pytest.mark.clause("K.M31")
def test_a_refusal_does_not_change_the_passage_and_has_its_sentence() -> None:
    one = ship(facing=2)
    sea = battle(one)
    p = begin(sea, one)
    before = repr(p)
    for token in ("P", "TP", "W0", "G:XX", "huzza", "W9"):
        code = carry(sea, one, p, token)
        assert code in REFUSALS
        assert repr(p) == before
    assert carry(sea, one, p, "huzza") == "unknown"


ships = st.builds(
    lambda **over: ship(n_steps=4, **over),
    facing=st.integers(0, 5),
    handy=st.booleans(),
    unhandy=st.booleans(),
    fast=st.booleans(),
    steps_lost=st.integers(0, 3),
    caught_in_irons=st.booleans(),
    helm=st.sampled_from(Helm),
)
orders = st.lists(st.sampled_from(TOKENS), max_size=9)


def sea_with(one: Ship, wind: int, strength: WindForce) -> Battle:
    return battle(
        one, ship(id="E2", pos=(1, 0)), ship(id="D1", side="DUT", pos=(0, 1)), wind=wind, strength=strength
    )


@pytest.mark.clause("K.M4", "K.M6", "K.M31")
@given(ships, orders, st.integers(0, 5), st.sampled_from([s for s in WindForce if s is not WindForce.GALE]))
def test_no_orders_take_a_ship_beyond_her_allowance(
    one: Ship, tokens: list[str], wind: int, strength: WindForce
) -> None:
    sea = sea_with(one, wind, strength)
    most = max(allowance(sea, one, facing) for facing in range(6))
    p, number, code = foresee(sea, one, tokens)
    assert p.moved <= (1 if strength is WindForce.STILL else most)
    assert (number == len(tokens)) == (code == "")
    assert p.pos != (1, 0) or one.helm in (Helm.PORT, Helm.STARBOARD)


@pytest.mark.clause("K.M17")
@given(ships, orders, st.integers(0, 5))
def test_an_unhandy_ship_never_turns_twice(one: Ship, tokens: list[str], wind: int) -> None:
    one.handy, one.unhandy = False, True
    assert foresee(sea_with(one, wind, WindForce.NORMAL), one, tokens)[0].turns <= 1
