"""What the campaign asks between battles. Rules: K.G1-K.G3, K.G15-K.G28, K.E29, K.E32."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core.at_sea import Work
from battles.engine.core.crews import prize_crew
from battles.engine.core.dice import ScriptedDice
from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import Doctrine, ShipFacts, Strength
from battles.engine.rulesets.kohler.at_sea import AT_SEA, founders
from battles.engine.rulesets.kohler.card import card
from battles.engine.rulesets.kohler.condition import Condition, of
from tests.engine.kohler.builders import ship

ANTELOPE = card(
    ShipFacts(nation="England", built_by="England", guns=52, tons_burthen=740, broadside_lb=400)
).to_dict()
PELICAN = card(
    ShipFacts(nation="England", built_by="England", guns=36, tons_burthen=400, tags=("frigate-built",))
).to_dict()


def state(struct: int = 0, board: int = 0) -> dict[str, Any]:
    return Condition(struct, board).to_dict()


@pytest.mark.clause("K.AI11", "G.CO1")
@pytest.mark.parametrize(
    ("board", "break_off", "lost", "against", "leaves"),
    [
        ("crippled", 50, 20, "1.01", True), ("never", 50, 20, "1.01", True), ("crippled", 50, 19, "9", False),
        ("crippled", 50, 20, "1", False), ("crippled", 100, 99, "9", False), ("pays", 50, 20, "9", False), ("pays", 50, 50, "1.01", True),
    ],
)  # fmt: skip
def test_captains_in_line_leave_a_stronger_enemy_at_two_fifths_of_the_loss_that_they_bear(
    board: str, break_off: int, lost: int, against: str, leaves: bool
) -> None:
    doctrine = Doctrine(board=board, break_off=break_off)
    assert AT_SEA.would_leave(doctrine, Fraction(lost, 100), Fraction(against)) is leaves


@pytest.mark.clause("K.G1", "K.G2", "K.G3")
@pytest.mark.parametrize(
    ("prize", "floats"), [(False, (8, 7, 6, 5)), (True, (7, 6, 5, 4))], ids=["own", "prize"]
)
def test_the_chances_of_staying_afloat_in_a_gale_are_right(prize: bool, floats: tuple[int, ...]) -> None:
    for steps, chance in enumerate(floats):
        assert sum(not founders(steps, True, prize, die) for die in range(1, 9)) == chance


@pytest.mark.clause("K.G2")
def test_sound_ships_never_founder_prizes_included() -> None:
    assert not any(founders(0, False, prize, die) for prize in (False, True) for die in range(1, 9))


@pytest.mark.clause("K.E29", "K.G1")
def test_the_worked_example_of_the_gale_is_reproduced() -> None:
    steps = AT_SEA.steps_lost(ANTELOPE, state(17))
    assert (steps, founders(steps, True, False, 3), founders(steps, True, False, 4)) == (3, True, False)
    taken = AT_SEA.steps_lost(PELICAN, state(4))
    assert (taken, founders(taken, True, True, 2), founders(taken, True, True, 3)) == (1, True, False)


@pytest.mark.clause("G.KT5")
def test_where_no_masts_are_counted_a_long_shot_costs_the_next_step_but_never_the_ship() -> None:
    left, struck = 0, [0]
    while (after := AT_SEA.mast_lost(ANTELOPE, state(left)))["hits_struct"] > left:
        assert AT_SEA.steps_lost(ANTELOPE, after) == AT_SEA.steps_lost(ANTELOPE, state(left)) + 1
        before = state(after["hits_struct"] - 1)
        assert AT_SEA.steps_lost(ANTELOPE, before) == AT_SEA.steps_lost(ANTELOPE, state(left))
        left = after["hits_struct"]
        struck.append(left)
    assert len(struck) == 4 and AT_SEA.mast_lost(ANTELOPE, state(struck[-1])) == state(struck[-1])
    assert AT_SEA.hull_fraction(ANTELOPE, state(left)) < 1


@pytest.mark.clause("K.E32", "K.G15", "K.G16", "K.G17", "K.G18", "K.G19", "K.G20", "K.G21", "K.G23", "K.G24")
def test_the_antelope_is_right_after_a_battle() -> None:
    hurt = state(7, 4)
    assert AT_SEA.hull_fraction(ANTELOPE, hurt) == Fraction(7, 22)
    assert AT_SEA.steps_lost(ANTELOPE, hurt) == 2
    assert AT_SEA.work(ANTELOPE, hurt) == Work("medium", 0, 0)
    assert AT_SEA.sea_speed(ANTELOPE, hurt) == Fraction(1, 3)
    assert AT_SEA.no_go(ANTELOPE, hurt) == 90
    assert AT_SEA.men(ANTELOPE, hurt, 200) == 132
    assert AT_SEA.value(ANTELOPE, hurt) == 13
    assert AT_SEA.whole_value(ANTELOPE) == 26
    assert AT_SEA.deep(ANTELOPE)
    recruited = AT_SEA.mend(ANTELOPE, hurt, done="recruits", men=200, complement=200)
    assert recruited == state(7, 0)
    assert AT_SEA.steps_lost(ANTELOPE, recruited) == 1
    assert AT_SEA.sea_speed(ANTELOPE, recruited) == Fraction(2, 3)


@pytest.mark.clause("K.G17", "K.G15")
@pytest.mark.parametrize(
    ("struct", "work"),
    [(0, "none"), (1, "light"), (3, "light"), (4, "medium"), (6, "medium"), (7, "heavy"), (9, "heavy"), (10, "worse")],
)  # fmt: skip
def test_a_ship_on_the_boundary_of_two_classes_belongs_to_the_lighter_one(struct: int, work: str) -> None:
    assert AT_SEA.work(PELICAN, state(struct)).hull == work


@pytest.mark.clause("K.G17", "K.G15")
def test_lost_men_are_no_work_for_the_yard() -> None:
    assert AT_SEA.work(PELICAN, state(0, 11)) == Work("none")


@pytest.mark.clause("K.G18", "K.G6")
def test_repairing_the_hull_does_not_restore_men_and_unknown_work_is_refused() -> None:
    hurt = state(7, 4)
    assert AT_SEA.mend(ANTELOPE, hurt, done="hull", men=0, complement=200) == state(0, 4)
    for done in ("mast", "battery"):
        assert AT_SEA.mend(ANTELOPE, hurt, done=done, men=0, complement=200) == hurt
    with pytest.raises(ValueError, match="hull, mast, battery, recruits"):
        AT_SEA.mend(ANTELOPE, hurt, done="paint", men=0, complement=200)


@pytest.mark.clause("K.G18", "K.G21")
@given(st.integers(0, 21), st.integers(0, 21), st.integers(0, 400))
def test_recruits_never_add_boarding_hits_and_make_room_for_at_least_the_men_aboard(
    struct: int, board: int, men: int
) -> None:
    board = min(board, 22 - struct)
    after = AT_SEA.mend(ANTELOPE, state(struct, board), done="recruits", men=men, complement=400)
    assert 0 <= after["hits_board"] <= board and after["hits_struct"] == struct
    if 0 < after["hits_board"] < board:
        assert AT_SEA.men(ANTELOPE, state(struct, after["hits_board"]), 400) <= men


@pytest.mark.clause("K.G19", "K.G20")
@pytest.mark.parametrize(
    ("struct", "speed", "no_go"),
    [(5, Fraction(1), 60), (6, Fraction(2, 3), 60), (11, Fraction(1, 3), 90), (17, Fraction(0), 90)],
)
def test_speed_at_sea_follows_the_movement_level(struct: int, speed: Fraction, no_go: int) -> None:
    assert AT_SEA.sea_speed(ANTELOPE, state(struct)) == speed
    assert AT_SEA.no_go(ANTELOPE, state(struct)) == no_go


@pytest.mark.clause("K.G19")
@pytest.mark.parametrize(("angle", "speed"), [(60, 0), (89, 0), (90, Fraction(1, 3)), (180, Fraction(1, 3))])
def test_a_crippled_ship_makes_no_way_to_windward(angle: int, speed: Fraction) -> None:
    assert AT_SEA.sea_speed(ANTELOPE, state(11), off_wind=angle) == speed
    assert AT_SEA.sea_speed(ANTELOPE, state(6), off_wind=angle) == Fraction(2, 3)


@pytest.mark.clause("K.G22", "K.G19")
def test_a_tenth_of_her_crew_can_sail_her_and_fewer_cannot() -> None:
    assert AT_SEA.can_sail(ANTELOPE, 20, 200) and not AT_SEA.can_sail(ANTELOPE, 19, 200)
    assert AT_SEA.sea_speed(PELICAN, state(0, 11)) == 0, "one man in twelve is left"


@pytest.mark.clause("K.G21")
@pytest.mark.parametrize(
    ("struct", "board", "men"), [(0, 0, 100), (12, 0, 50), (0, 6, 50), (1, 0, 96), (12, 12, 0)]
)
def test_halves_of_men_left_are_rounded_up_and_there_are_never_fewer_than_none(
    struct: int, board: int, men: int
) -> None:
    assert AT_SEA.men(PELICAN, state(struct, board), 100) == men


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(
    ("prisoners", "complement", "men"), [(100, 200, 40), (101, 200, 41), (0, 0, 0), (3, 7, 2)]
)
def test_a_prize_crew_is_a_fifth_of_the_prisoners_and_a_tenth_of_her_complement(
    prisoners: int, complement: int, men: int
) -> None:
    assert prize_crew(prisoners, complement) == men


@pytest.mark.clause("K.G23")
def test_the_value_of_a_ship_keeps_halves_and_that_of_a_wreck_is_nothing() -> None:
    assert AT_SEA.whole_value(PELICAN) == Fraction(27, 2)
    assert AT_SEA.value(PELICAN, AT_SEA.sound(PELICAN)) == Fraction(27, 2)
    assert AT_SEA.value(PELICAN, state(12)) == 0


@pytest.mark.clause("K.G28")
def test_a_watch_at_sea_without_action_changes_nothing_and_throws_no_dice() -> None:
    with ScriptedDice(()) as dice:
        assert AT_SEA.watch_at_sea(ANTELOPE, state(17), Strength.GALE, dice, "E1") == state(17)


def test_a_condition_survives_json_and_another_schema_is_refused() -> None:
    hurt = of(ship(hits_struct=3, hits_board=2, flag_officer_ok=False))
    assert Condition.from_dict(json.loads(json.dumps(hurt.to_dict()))) == hurt == Condition(3, 2, False)
    with pytest.raises(SchemaError, match="schema 7"):
        Condition.from_dict({**hurt.to_dict(), "schema": 7})


@pytest.mark.clause("G.PT1", "K.G15")
def test_the_guns_of_a_port_hit_the_hull_up_to_what_is_left_of_it() -> None:
    most = ANTELOPE["hull_max"]
    assert AT_SEA.hit(ANTELOPE, state(2, 3), 4) == state(6, 3)
    assert AT_SEA.hit(ANTELOPE, state(2, 3), 500) == state(most - 3, 3)


@pytest.mark.clause("K.D12", "K.G15")
def test_a_ship_without_a_hull_point_is_not_afloat_whatever_cost_her_the_last() -> None:
    most = ANTELOPE["hull_max"]
    assert AT_SEA.afloat(ANTELOPE, state(most - 4, 3))
    assert not AT_SEA.afloat(ANTELOPE, state(most - 3, 3))
    assert not AT_SEA.afloat(ANTELOPE, AT_SEA.hit(ANTELOPE, state(0, 1), 500))


@pytest.mark.clause("G.PT1", "K.S9")
def test_a_side_at_anchor_stays_there_until_the_end() -> None:
    rows = [{"id": "ENG", "squadrons": [{"id": "a"}]}, {"id": "NLD", "squadrons": [{"id": "b"}, {"id": "c"}]}]
    made = AT_SEA.at_anchor({"sides": rows, "options": {"weather": False}}, "NLD")
    assert made["options"] == {"weather": False, "at_anchor": {"b": 500, "c": 500}}


@pytest.mark.clause("G.NE1")
def test_no_ship_is_a_steamer() -> None:
    assert not AT_SEA.steam(ANTELOPE)


@pytest.mark.clause("G.PR4", "K.G23")
def test_a_court_values_her_at_250_pounds_per_point_in_her_present_state() -> None:
    assert AT_SEA.pounds(PELICAN, state()) == 3375
    assert AT_SEA.pounds(PELICAN, state(12)) == 0


@pytest.mark.clause("G.0", "G.RP1", "K.G6", "K.G17")
def test_nothing_is_repaired_at_sea() -> None:
    assert AT_SEA.carpenters(ANTELOPE, state(10, 3)) == state(10, 3)
    assert AT_SEA.jury_mast(ANTELOPE, state(10, 3)) == state(10, 3)


@pytest.mark.clause("G.PR4", "K.G18")
def test_a_prize_taken_into_service_keeps_her_damage_and_takes_on_men() -> None:
    assert AT_SEA.commissioned(ANTELOPE, state(10, 3), men=20, complement=200) == state(10, 3)
    assert AT_SEA.commissioned(ANTELOPE, state(10, 3), men=200, complement=200) == state(10, 0)


@pytest.mark.clause("K.G18")
def test_work_unknown_to_the_rule_set_is_refused() -> None:
    with pytest.raises(ValueError, match="no work called 'paint'"):
        AT_SEA.mend(ANTELOPE, state(7), done="paint", men=0, complement=200)


@pytest.mark.clause("K.G6", "K.B21", "K.G8")
def test_a_tabletop_result_enters_hits_and_the_loss_of_the_flag_within_their_limits() -> None:
    most = ANTELOPE["hull_max"]
    now = {**state(7, 2), "flag_officer_ok": False}
    rows = [(one.name, one.value, one.least, one.most) for one in AT_SEA.marks(ANTELOPE, now)]
    assert rows == [("hits_struct", 7, 0, most), ("hits_board", 2, 0, most), ("flag_lost", 1, 0, 1)]
    assert [one.clause for one in AT_SEA.marks(ANTELOPE, now)] == ["K.G6", "K.B21", "K.G8"]
    assert AT_SEA.marked(ANTELOPE, now, {}) == now
    changed = AT_SEA.marked(ANTELOPE, now, {"hits_struct": most, "hits_board": 0, "flag_lost": 0})
    assert changed == {**state(most, 0), "flag_officer_ok": True}


@pytest.mark.clause("K.G6")
@pytest.mark.parametrize(
    "values", [{"hits_struct": -1}, {"hits_struct": 23}, {"hits_board": 23}, {"flag_lost": 2}, {"masts": 1}]
)
def test_a_mark_beyond_its_limits_or_unknown_is_refused(values: dict[str, int]) -> None:
    assert ANTELOPE["hull_max"] == 22
    with pytest.raises(ValueError, match="it may be 0 to|no mark 'masts'"):
        AT_SEA.marked(ANTELOPE, state(7), values)
