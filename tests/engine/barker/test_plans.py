"""What plans cost, and what forbids them. Places in yards, headings in degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.rulesets.barker import nip, plans
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.notation import parse, plan_text
from battles.engine.rulesets.barker.plans import Refused
from battles.engine.rulesets.barker.play import Token
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import Mode, Type
from tests.engine.barker.builders import battle, in_line, unit
from tests.support.answers import flawless, unerring


def sea(mover: Mover, *others: Unit, **over: Any) -> Battle:
    return battle(*mover.units, *others, **over)


@unerring
def cost(mover: Mover, text: str, *others: Unit, **over: Any) -> int:
    """The price of a plan, the compulsory move at its end where it is still due."""
    made = sea(mover, *others, **over)
    (plan,) = parse(text).plans
    settled = flawless(plans.settled, mover.lead, plan, stopped=mover.lead.stopped)
    return int(flawless(plans.cost, made, mover, settled))


@unerring
def refused(mover: Mover, text: str, *others: Unit, **over: Any) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        cost(mover, text, *others, **over)
    return caught.value.code, caught.value.clause


# --- prices ---


@pytest.mark.clause("P.I07", "P.I08")
def test_the_price_of_a_move_depends_on_its_number() -> None:
    assert [nip.price(n, Type.SC) for n in (1, 2, 3, 4)] == [0, 1, 2, 2]
    assert nip.price(2, Type.C1, extra_free=True) == 0


@pytest.mark.clause("P.I09")
@pytest.mark.parametrize(
    ("kind", "more"), [(Type.BB, 1), (Type.C1, 1), (Type.SC, 1), (Type.TBD, 2), (Type.TB, 2)]
)
def test_a_rough_sea_makes_every_move_but_the_first_dearer_and_more_so_for_boats(
    kind: Type, more: int
) -> None:
    assert [nip.price(n, kind, rough=True) for n in (1, 2, 3, 4)] == [0, 1 + more, 2 + more, 2 + more]
    assert nip.price(2, kind, extra_free=True, rough=True) == more


@pytest.mark.clause("P.I10", "P.I11", "P.I12", "P.I17")
def test_surcharges_add_up_on_moves_that_cost_anything() -> None:
    both = {"obsolete": True, "flag_lost": True}
    assert [nip.price(n, Type.BB, **both) for n in (1, 2, 3)] == [0, 3, 4]  # type: ignore[arg-type]
    assert nip.price(2, Type.C1, extra_free=True, **both) == 0  # type: ignore[arg-type]
    assert nip.price(2, Type.C1, extra_free=True, rough=True, **both) == 3  # type: ignore[arg-type]
    assert nip.price(2, Type.BB, obsolete=True) == nip.price(2, Type.BB, flag_lost=True) == 2


@pytest.mark.clause("P.EX4", "P.I13", "P.I14")
def test_a_line_of_battleships_pays_once_and_what_its_dearest_member_would() -> None:
    line = in_line("BB", "BB", "BB", "BB")
    assert cost(line, "C P") == 1
    assert cost(line, "C P+45") == 2
    line.units[2].obsolete = True
    assert cost(line, "C P+45") == 3
    assert cost(line, "C P+45", weather="rough") == 4
    line.out_of_touch = True
    assert cost(line, "C P+45", weather="rough") == 5


@pytest.mark.clause("P.EX4", "P.I08", "P.I09")
def test_a_cruiser_may_run_free_first_or_pay_and_turn() -> None:
    cruiser = in_line("C1")
    assert cost(cruiser, "C X") == 0
    assert cost(cruiser, "C P-30") == 2
    assert cost(cruiser, "C X P") == 2
    assert cost(cruiser, "C X P-30") == 3
    assert cost(cruiser, "P X C") == 2
    assert cost(cruiser, "C X P", weather="rough") == 4
    cruiser.units[0].obsolete = True
    assert cost(cruiser, "C X P", weather="rough") == 6


@pytest.mark.clause("P.EX4", "P.I09", "P.I10")
def test_boats_pay_dearly_for_speed() -> None:
    assert cost(in_line("TBD", "TBD"), "C P P P") == 5
    assert cost(in_line("TBD", "TBD"), "C P P P", weather="rough") == 11
    assert cost(in_line("TB"), "C P P") == 5
    assert cost(in_line("TB"), "C P P P") == 8


@pytest.mark.clause("P.EX4", "P.I13", "P.M15")
def test_a_turn_together_costs_a_point_a_ship() -> None:
    assert cost(in_line("BB", "BB", "BB", "BB"), "T+90 C") == 5
    assert cost(in_line("BB", "BB"), "T+90 C") == 3
    assert cost(in_line("BB"), "T+90 C") == 2


@pytest.mark.clause("P.EX7", "P.I13")
def test_a_wheel_costs_one_point_for_the_line() -> None:
    assert cost(in_line("BB", "BB", kind="abreast"), "P+90 C") == 2


@pytest.mark.clause("P.EX4", "P.M17", "P.M18", "P.I12")
def test_stopping_and_restarting_cost_two_points_without_surcharges() -> None:
    lying = in_line("BB", stopped=True)
    assert cost(lying, "R C P") == 3
    assert cost(lying, "R", weather="rough") == 2
    line = in_line("BB", "BB", obsolete=True)
    assert cost(line, "S", weather="rough") == 2
    assert cost(line, "P S") == 4


@pytest.mark.clause("P.M16", "P.I13")
def test_one_turn_goes_with_each_paid_move() -> None:
    assert cost(in_line("TBD"), "P+90 P+90 P+90") == 8
    assert refused(in_line("BB"), "P+90 P+90") == ("order/too-many-moves", "P.M03")


@pytest.mark.clause("P.M07")
def test_no_one_turns_by_more_than_90_degrees() -> None:
    ship = in_line("TBD")
    for kind in "PT":
        assert plans.cost(battle(ship.lead), ship, (Token(kind, -9_000), Token("C"))) == 2
        with pytest.raises(Refused, match="turn-too-wide"):
            plans.cost(battle(ship.lead), ship, (Token(kind, -9_001), Token("C")))


@pytest.mark.clause("P.M19")
def test_a_cripple_makes_one_move_at_the_price_of_a_second() -> None:
    lame = in_line("C1", crippled=True)
    assert cost(lame, "P") == 1
    assert cost(lame, "P+45") == 2
    assert cost(lame, "P", weather="rough") == 2
    assert cost(lame, "-") == 0
    assert refused(lame, "P P") == ("order/too-many-moves", "P.M19")
    assert refused(lame, "C") == ("order/no-compulsory", "P.M19")
    assert refused(lame, "X") == ("order/no-extra-free", "P.M05")


# --- what is legal ---


@pytest.mark.clause("P.M03", "P.M12")
@pytest.mark.parametrize(
    ("kinds", "most", "over"),
    [
        (("BB",), "C P", "C P P"),
        (("C3",), "C P", "C P P"),
        (("C1",), "C P P", "C P P P"),
        (("C2",), "C X P", "C X P P"),
        (("SC",), "C P P P", "C P P P P"),
        (("TBD",), "C P P P", "C P P P P"),
        (("C1", "BB"), "C P", "C P P"),
    ],
)
def test_moves_are_limited_by_type_and_in_a_formation_by_the_slowest(
    kinds: Sequence[str], most: str, over: str
) -> None:
    assert cost(in_line(*kinds), most) >= 0
    assert refused(in_line(*kinds), over) == ("order/too-many-moves", "P.M03")


@pytest.mark.clause("P.M05")
def test_a_formation_runs_free_only_if_every_member_may() -> None:
    assert cost(in_line("C1", "C2"), "C X") == 0
    assert refused(in_line("C1", "SC"), "C X") == ("order/no-extra-free", "P.M05")
    assert refused(in_line("C1"), "C X X") == ("order/no-extra-free", "P.M05")


@pytest.mark.clause("P.M04", "P.K47")
def test_the_compulsory_move_is_made_once_and_is_added_when_it_is_missing() -> None:
    assert refused(in_line("BB"), "C C") == ("order/no-compulsory", "P.M04")
    ship = in_line("BB").lead
    (plan,) = parse("P+90").plans
    assert plan_text(plans.settled(ship, plan, stopped=False)) == "P+90 C"
    assert plan_text(plans.settled(ship, (), stopped=False)) == "C"
    assert plan_text(plans.settled(ship, (), stopped=True)) == "-"
    (plan,) = parse("P S").plans
    assert plan_text(plans.settled(ship, plan, stopped=False)) == "P S"


@pytest.mark.clause("P.M06")
def test_the_order_of_moves_is_free_unless_a_switch_forbids_it() -> None:
    assert cost(in_line("C1"), "P+30 X C") == 3
    strict = {"options": {"free_move_order": False}}
    assert cost(in_line("C1"), "C X P+30", **strict) == 3
    assert refused(in_line("C1"), "P+30 X C", **strict) == ("order/compulsory-first", "P.M06")


@pytest.mark.clause("P.I13")
def test_with_the_option_the_price_of_a_move_includes_its_turn() -> None:
    assert cost(in_line("BB"), "P+90 C", options={"turn_price_extra": False}) == 1


@pytest.mark.clause("P.M17", "P.M18")
def test_a_stop_comes_last_and_a_restart_first_and_of_a_stopped_ship_alone() -> None:
    assert refused(in_line("TBD"), "S P") == ("order/after-stop", "P.M17")
    assert refused(in_line("BB"), "R C") == ("order/no-restart", "P.M18")
    assert refused(in_line("BB", stopped=True), "C R") == ("order/no-restart", "P.M18")
    assert refused(in_line("BB", stopped=True), "P") == ("order/stopped", "P.M18")
    assert cost(in_line("BB", stopped=True), "-") == 0


@pytest.mark.clause("P.K38")
def test_a_ship_at_anchor_may_restart_from_its_second_spell() -> None:
    lying = in_line("BB", stopped=True, anchored=True)
    made = sea(lying)
    (plan,) = parse("R C").plans
    made.parties["A"].spells = 1
    with pytest.raises(Refused, match="at-anchor"):
        plans.cost(made, lying, plan)
    made.parties["A"].spells = 2
    assert plans.cost(made, lying, plan) == 2


@pytest.mark.clause("P.M25", "P.Y07", "P.Y08")
@pytest.mark.parametrize("kind", ["TRAMP", "SAIL"])
def test_tramps_and_sailing_vessels_make_one_free_move_or_do_not_move(kind: str) -> None:
    one = in_line(kind)
    one.lead.h = 27_000
    assert cost(one, "O") == 0
    assert cost(one, "O-30") == 1
    assert cost(one, "-") == 0
    assert refused(one, "O O") == ("order/one-free-move", "P.M25")
    assert refused(one, "P") == ("order/one-free-move", "P.M25")
    assert refused(one, "C") == ("order/no-compulsory", "P.M04")
    assert refused(in_line("BB"), "O") == ("order/no-such-move", "P.M25")


@pytest.mark.clause("P.R06")
def test_a_minelayer_keeps_the_moves_of_its_hull() -> None:
    assert cost(in_line("MINELAYER", moves=1), "O") == 0
    assert cost(in_line("MINELAYER", moves=3, extra_free=True), "C X P") == 2


@pytest.mark.clause("P.Y08", "P.W13")
@pytest.mark.parametrize(
    ("heading", "weather", "clause"),
    [
        (90, "none", ""),
        (90.01, "none", ""),
        (89.99, "none", ""),
        (89.98, "none", "P.Y08"),
        (0, "none", ""),
        (0.02, "none", "P.Y08"),
    ]
    + [(225, "calm", "P.W13"), (225, "none", "")],
)
def test_a_sailing_vessel_goes_no_nearer_to_the_wind_than_45_degrees(
    heading: float, weather: str, clause: str
) -> None:
    # The wind blows from the north-east.
    sailing = in_line("SAIL")
    sailing.lead.h = round(heading * 100)
    if clause:
        assert refused(sailing, "O", weather=weather)[1] == clause
    else:
        assert cost(sailing, "O", weather=weather) == 0


@pytest.mark.clause("P.M22", "P.EX22", "P.M27")
def test_an_optional_move_that_would_meet_land_may_not_be_made_and_the_compulsory_may() -> None:
    shoal = {"shoal": frozenset({(i, 1) for i in range(-2, 3)})}
    ship = in_line("BB")
    assert refused(ship, "P C", **shoal) == ("order/aground", "P.M22")
    assert cost(ship, "P+90 C", **shoal) == 2
    assert cost(ship, "C", **shoal) == 0
    assert refused(in_line("C1"), "X C", **shoal) == ("order/aground", "P.M22")
    assert refused(in_line("BB"), "P C", land=shoal["shoal"]) == ("order/aground", "P.M22")


@pytest.mark.clause("P.M22")
def test_all_ships_of_a_turn_together_need_clear_water() -> None:
    line = in_line("BB", "BB")
    assert refused(line, "T-90 C", land=frozenset({(-1, -1)})) == ("order/aground", "P.M22")
    assert cost(in_line("BB", "BB"), "P-90 C", land=frozenset({(-1, -1)})) == 2


@pytest.mark.clause("P.M02", "P.M24")
def test_only_the_last_optional_move_may_be_cut_short_and_only_to_join() -> None:
    mate = unit("A9", (0, 1_050), squadron="A-1", group="A-1")
    one = Mover("loose", [unit("A0", squadron="A-1")])
    assert cost(one, "P:250 C", mate) == 1
    assert refused(one, "P:200 C", mate) == ("order/cut-short", "P.M24")
    fast = Mover("loose", [unit("A0", (0, 0), 0, "TBD", squadron="A-1", group="A-1")])
    assert refused(fast, "P:250 P C", mate) == ("order/cut-short", "P.M24")
    stranger = unit("A9", (0, 1_050), squadron="A-2", group="A-2")
    assert refused(one, "P:250 C", stranger) == ("order/cut-short", "P.M24")


@pytest.mark.clause("P.N07", "P.M24")
def test_a_challenger_may_cut_a_move_short_to_come_alongside() -> None:
    neutral = unit("B9", (300, 800), 90, "TRAMP", neutral=True, challenged="A0", stopped=True)
    one = Mover("loose", [unit("A0", (0, 0), 0, "C1")])
    # Her front edge stops at the vessel's side, 700 yd up.
    assert cost(one, "P:100 C", neutral) == 1
    assert refused(one, "P:50 C", neutral) == ("order/cut-short", "P.M24")
    neutral.challenged = ""
    assert refused(one, "P:100 C", neutral) == ("order/cut-short", "P.M24")


@pytest.mark.clause("P.M15")
def test_after_a_turn_together_the_bases_say_what_the_formation_is() -> None:
    # Line ahead, all turn 90 degrees: a line abreast, which may wheel for one point.
    fast = in_line("SC", "SC")
    assert cost(fast, "T+90 P+90 C") == 1 + 2 + 2 + 1
    assert cost(in_line("SC", "SC"), "T-90 P-90 C") == 1 + 2 + 2 + 1
    assert refused(in_line("SC", "SC"), "T+30 P+30 C") == ("order/no-formation", "P.M15")
    assert cost(in_line("SC", "SC"), "T+30 T-30 C") == 1 + 2 + 2 + 2


@pytest.mark.clause("P.Y03", "P.Y05", "P.Y06")
def test_liners_move_as_cruisers_and_transports_as_battleships_and_neither_minds_a_flag() -> None:
    liner, transport = in_line("LINER"), in_line("TRANSPORT")
    assert (cost(liner, "C X"), cost(liner, "C X P")) == (0, 2)
    assert refused(liner, "C X P P") == ("order/too-many-moves", "P.M03")
    assert cost(transport, "C P") == 1
    assert refused(transport, "C P P") == ("order/too-many-moves", "P.M03")
    assert refused(transport, "C X") == ("order/no-extra-free", "P.M05")


@pytest.mark.clause("P.I18", "P.I07")
def test_points_pay_for_moves_and_turns_and_stops_and_restarts_but_not_for_repairs() -> None:
    ship = in_line("BB", damage=2)
    for text in ("C P", "P+45 C", "S"):
        cost(ship, text)
    assert ship.lead.damage == 2
    with pytest.raises(NotationError):
        parse("M")


# --- the ladder of plans ---

LADDER = "T+90 C / P+90 C / C P / C"


@pytest.mark.clause("P.EX36", "P.K48", "P.I17")
@pytest.mark.parametrize(
    ("weather", "taken"),
    [
        ("none", ["C P", "P+90 C", "P+90 C", "P+90 C", "T+90 C", "T+90 C"]),
        ("rough", ["C", "C P", "P+90 C", "P+90 C", "P+90 C", "T+90 C"]),
    ],
)
def test_the_first_plan_is_taken_that_the_points_pay_in_full(weather: str, taken: list[str]) -> None:
    for nips, text in enumerate(taken, 1):
        line = in_line("BB", "BB", "BB", "BB")
        made = sea(line, weather=weather)
        assert plan_text(plans.choose(made, line, parse(LADDER).plans, nips)[0]) == text


@pytest.mark.clause("P.EX36", "P.K48", "P.I15")
def test_points_that_a_line_leaves_serve_the_next_in_the_queue() -> None:
    line, cruiser = in_line("BB", "BB", "BB", "BB"), Mover("loose", [unit("A9", (3_000, 0), 0, "C2")])
    made = sea(line, cruiser.lead)
    _, points = plans.choose(made, line, parse(LADDER).plans, 3)
    assert points == 2
    plan, points = plans.choose(made, cruiser, parse("C X P / C X").plans, 3 - points)
    assert (plan_text(plan), points) == ("C X", 0)


@pytest.mark.clause("P.K48")
def test_plans_that_are_passed_over_are_reported_with_their_clause_and_the_compulsory_move_is_left() -> None:
    line = in_line("BB", "BB")
    told: list[tuple[str, str]] = []
    plan, points = plans.choose(
        sea(line), line, parse("C X / C P P / T+90 C").plans, 2, lambda plan, why: told.append((plan_text(plan), why.clause))
    )  # fmt: skip
    assert told == [("C X", "P.M05"), ("C P P", "P.M03"), ("T+90 C", "P.I17")]
    assert (plan_text(plan), points) == ("C", 0)


@pytest.mark.clause("P.C07", "P.M02", "P.EX31")
def test_a_free_move_is_twice_as_long_when_cruising_and_all_are_alike_in_combat() -> None:
    made = battle(unit("A1"), mode=Mode.CRUISING)
    (plan,) = parse("C X P O P:250").plans
    assert [plans.length_of(made, token) // 100 for token in plan] == [8_000, 8_000, 4_000, 8_000, 250]
    made.mode = Mode.COMBAT
    assert [plans.length_of(made, token) // 100 for token in plan] == [400, 400, 400, 400, 250]
