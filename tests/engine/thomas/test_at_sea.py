"""The campaign's questions about a ship. Rules: T.C24-T.C33, T.C37, T.E37."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.at_sea import Work
from battles.engine.core.dice import ScriptedDice
from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts, Strength
from battles.engine.rulesets.thomas import closing
from battles.engine.rulesets.thomas import condition as condition_
from battles.engine.rulesets.thomas.at_sea import AT_SEA
from battles.engine.rulesets.thomas.card import Card, card
from battles.engine.rulesets.thomas.condition import Condition
from tests.engine.thomas.builders import ship

HALF = Fraction(1, 2)
HOPE = card(ShipFacts("England", "England", "galleon", name="Hope", year_built=1559, guns=48))
GALLEY = card(ShipFacts("Spain", "Spain", "galley"))
SOUND = condition_.sound(HOPE)
DOC = HOPE.to_dict()


def ask(question: str, state: Condition, of: Card = HOPE, *rest: Any, **named: Any) -> Any:
    return getattr(AT_SEA, question)(of.to_dict(), state.to_dict(), *rest, **named)


@pytest.mark.clause("T.E37", "T.C24", "T.C25", "T.C26", "T.C28", "T.C29", "T.C30", "T.C32", "T.C33")
def test_the_worked_ship_comes_out_right() -> None:
    state = replace(SOUND, flot=18, crew_halves=95, masts_lost=1, batteries_lost=(0, 7))
    assert ask("hull_fraction", state) == Fraction(2, 5)
    assert ask("steps_lost", state) == 1
    assert ask("work", state) == Work("medium", 1, 2)
    assert (ask("sea_speed", state), ask("no_go", state)) == (HALF, 90)
    assert AT_SEA.men(DOC, state.to_dict(), 280) == 222
    assert (ask("value", state), AT_SEA.whole_value(DOC)) == (Fraction(65 * 19, 21), 90)
    assert AT_SEA.deep(DOC)


@pytest.mark.clause("T.E37", "T.C25", "T.C26")
@pytest.mark.parametrize(
    ("lost", "steps", "work"),
    [(0, 0, "none"), (1, 0, "light"), (7, 0, "light"), (8, 1, "medium"), (15, 2, "medium"), (16, 2, "heavy"),
     (22, 2, "heavy"), (23, 3, "worse"), (29, 3, "worse")],
)  # fmt: skip
def test_hull_work_and_steps_follow_the_flotation_lost(lost: int, steps: int, work: str) -> None:
    state = replace(SOUND, flot=30 - lost)
    assert (ask("steps_lost", state), ask("work", state).hull) == (steps, work)


@pytest.mark.clause("T.C26")
def test_half_batteries_are_added_before_rounding_and_a_jury_mast_is_work() -> None:
    state = replace(condition_.sound(GALLEY), batteries_lost=(0,), jury_used=True)
    assert ask("work", state, GALLEY) == Work("none", 1, 1)
    assert ask("work", replace(state, batteries_lost=(0, 1)), GALLEY).batteries == (
        1 if GALLEY.batteries[0].half and GALLEY.batteries[1].half else 2
    )
    assert ask("work", replace(SOUND, masts_lost=3, jury_used=True)).masts == 3


@pytest.mark.clause("T.C27", "T.C10")
def test_a_yard_releases_only_ships_whose_repair_is_finished() -> None:
    broken = replace(
        SOUND, flot=10, thresholds_met=2, masts_lost=1, jury_used=True, batteries_lost=(1, 4), crew_halves=31
    )

    def mended(state: Condition, done: str, men: int = 0) -> Condition:
        return Condition.from_dict(AT_SEA.mend(DOC, state.to_dict(), done=done, men=men, complement=280))

    assert mended(broken, "hull") == replace(broken, flot=30, thresholds_met=0)
    once = mended(broken, "mast")
    assert once == replace(broken, masts_lost=0)
    assert mended(once, "mast") == replace(broken, masts_lost=0, jury_used=False)
    assert mended(broken, "battery").batteries_lost == (4,)
    assert mended(SOUND, "battery") == SOUND
    assert mended(broken, "recruits", 222).crew_halves == 95
    with pytest.raises(ValueError, match="no work called 'paint'"):
        mended(broken, "paint")


@pytest.mark.clause("T.C27")
def test_a_whole_battery_is_restored_before_a_half_one() -> None:
    whole = next(n for n, one in enumerate(GALLEY.batteries) if not one.half)
    state = replace(condition_.sound(GALLEY), batteries_lost=(0, 1, 2))
    back = AT_SEA.mend(GALLEY.to_dict(), state.to_dict(), done="battery", men=0, complement=100)
    assert back["batteries_lost"] == [n for n in (0, 1, 2) if n != whole]


@pytest.mark.clause("T.C28", "T.C31", "T.O5", "T.O4h")
@pytest.mark.parametrize(
    ("change", "speed"),
    [
        ({}, Fraction(1)),
        ({"masts_lost": 1}, HALF),
        ({"masts_lost": 2}, Fraction(0)),
        ({"crew_halves": 12}, Fraction(1)),
        ({"crew_halves": 11}, Fraction(0)),
        ({"crew_halves": 0, "guard_halves": 20}, Fraction(1)),
    ],
)
def test_speed_at_sea_follows_the_card(change: dict[str, Any], speed: Fraction) -> None:
    assert ask("sea_speed", replace(SOUND, **change)) == speed


@pytest.mark.clause("T.C28", "T.C29", "T.O4h")
def test_a_galley_rows_when_she_cannot_sail() -> None:
    whole = condition_.sound(GALLEY)
    assert ask("sea_speed", replace(whole, masts_lost=2), GALLEY) == HALF
    assert ask("sea_speed", replace(whole, masts_lost=2, flot=2), GALLEY) == 0
    assert ask("no_go", replace(whole, masts_lost=1), GALLEY, strength=Strength.LIGHT) == 0
    assert ask("no_go", replace(whole, masts_lost=1), GALLEY, strength=Strength.MODERATE) == 90
    assert ask("no_go", whole, GALLEY) == ask("no_go", SOUND, HOPE, strength=Strength.LIGHT) == 45


@pytest.mark.clause("T.C30", "T.C31")
def test_prize_crew_and_captives_are_counted_by_their_own_ships() -> None:
    sender = ship("E1", complement=280, crew_max=HOPE.crew_max)
    assert closing.heads(20, sender) == 47
    assert closing.heads(95, sender) == 222
    assert AT_SEA.can_sail(DOC, 28, 280)
    assert not AT_SEA.can_sail(DOC, 27, 280)


@pytest.mark.clause("T.C37", "T.C16", "T.O7", "T.O7a")
def test_a_watch_of_strong_wind_strains_a_ship_three_quarters_damaged() -> None:
    worn = replace(SOUND, flot=7)

    def after(state: Condition, strength: Strength) -> Condition:
        with ScriptedDice([]) as dice:
            return Condition.from_dict(AT_SEA.watch_at_sea(DOC, state.to_dict(), strength, dice, "H"))

    lightened = after(worn, Strength.STRONG)
    assert (lightened.flot, len(lightened.batteries_lost)) == (7, 1)
    bare = replace(worn, batteries_lost=tuple(range(len(HOPE.batteries) - 2)))
    assert after(bare, Strength.GALE).flot == 6
    assert after(bare, Strength.MODERATE) == bare
    assert after(replace(SOUND, flot=8), Strength.STRONG) == replace(SOUND, flot=8)
    assert after(replace(bare, flot=8), Strength.STRONG).flot == 8
    assert after(replace(bare, flot=1), Strength.STRONG).flot == 0


@pytest.mark.clause("T.C37", "T.C18", "T.O2b")
def test_a_jury_mast_stands_at_the_end_of_the_watch_in_which_its_hours_are_over() -> None:
    state = replace(SOUND, masts_lost=2, jury_minutes=90)
    seen = []
    for _ in range(4):
        with ScriptedDice([]) as dice:
            state = Condition.from_dict(AT_SEA.watch_at_sea(DOC, state.to_dict(), Strength.LIGHT, dice, "H"))
        seen.append((state.masts_lost, state.jury_used, state.jury_minutes))
    assert seen == [(2, False, 330), (1, True, 0), (1, True, 0), (1, True, 0)]


@pytest.mark.clause("T.C37", "T.C18")
@pytest.mark.parametrize(("spent", "masts_lost", "minutes"), [(209, 1, 449), (210, 0, 0)])
def test_a_jury_mast_takes_seven_and_a_half_hours_in_all(spent: int, masts_lost: int, minutes: int) -> None:
    state = replace(SOUND, masts_lost=1, jury_minutes=spent)
    with ScriptedDice([]) as dice:
        after = Condition.from_dict(AT_SEA.watch_at_sea(DOC, state.to_dict(), Strength.LIGHT, dice, "H"))
    assert (after.masts_lost, after.jury_minutes) == (masts_lost, minutes)


@pytest.mark.clause("T.C37", "T.O7")
def test_strain_begins_at_three_quarters_of_the_flotation_and_a_ship_keeps_two_batteries() -> None:
    def after(state: Condition) -> Condition:
        with ScriptedDice([]) as dice:
            return Condition.from_dict(AT_SEA.watch_at_sea(DOC, state.to_dict(), Strength.STRONG, dice, "H"))

    assert after(replace(SOUND, flot=8)) == replace(SOUND, flot=8)
    three = replace(SOUND, flot=7, batteries_lost=tuple(range(len(HOPE.batteries) - 3)))
    lightened = after(three)
    assert (lightened.flot, len(lightened.batteries_lost)) == (7, len(HOPE.batteries) - 2)
    assert after(lightened).flot == 6


@pytest.mark.clause("T.C14", "T.C37", "T.C30")
def test_captives_are_left_to_the_chart_and_a_prize_counts_her_captors_men() -> None:
    state = replace(SOUND, crew_halves=0, captive_halves=26, guard_halves=4)
    with ScriptedDice([]) as dice:
        after = AT_SEA.watch_at_sea(DOC, state.to_dict(), Strength.LIGHT, dice, "H")
    assert Condition.from_dict(after) == state
    assert AT_SEA.men(DOC, state.to_dict(), 280) == 9
    manned = AT_SEA.mend(DOC, after, done="recruits", men=140, complement=280)
    assert Condition.from_dict(manned) == replace(SOUND, crew_halves=60)


def test_a_condition_survives_json_and_impossible_ones_are_named() -> None:
    state = replace(SOUND, batteries_lost=(1, 3), guard_from="X")
    assert Condition.from_dict(json.loads(json.dumps(state.to_dict()))) == state
    with pytest.raises(SchemaError):
        Condition.from_dict({**state.to_dict(), "schema": 0})
    assert condition_.faults(HOPE, state) == ()
    wrong = replace(state, flot=31, crew_halves=-1, masts_lost=4, thresholds_met=4, batteries_lost=(99,))
    assert len(condition_.faults(HOPE, wrong)) == 5


@pytest.mark.clause("G.PT1", "T.C24")
def test_the_guns_of_a_port_take_flotation_and_meet_the_quarters() -> None:
    most = HOPE.flot_max
    hit = AT_SEA.hit(DOC, SOUND.to_dict(), most // 2)
    assert (hit["flot"], hit["thresholds_met"]) == (most - most // 2, 4 * (most // 2) // most)
    assert AT_SEA.hit(DOC, SOUND.to_dict(), 900)["flot"] == 0


@pytest.mark.clause("G.PT1", "T.S22")
def test_a_side_at_anchor_has_all_its_ships_at_anchor() -> None:
    ship = {"id": "x", "facts": {"tags": ["old"]}}
    sides = [{"id": s, "squadrons": [{"id": s, "ships": [ship]}]} for s in ("ENG", "ESP")]
    english, spanish = AT_SEA.at_anchor({"sides": sides}, "ESP")["sides"]
    assert english["squadrons"][0]["ships"][0]["facts"]["tags"] == ["old"]
    assert spanish["squadrons"][0]["ships"][0]["facts"]["tags"] == ["old", "anchored"]


@pytest.mark.clause("G.NE1")
def test_no_ship_is_a_steamer() -> None:
    assert not AT_SEA.steam(DOC)


@pytest.mark.clause("T.C32")
def test_a_ship_without_a_gun_is_worth_a_third() -> None:
    every = tuple(range(len(HOPE.batteries)))
    assert ask("value", SOUND) == 90
    assert ask("value", replace(SOUND, batteries_lost=every)) == 30
    assert ask("value", replace(SOUND, batteries_lost=every[:7])) == 60
    half = HOPE.batteries[0]._replace(half=True)
    card = replace(HOPE, batteries=(half, HOPE.batteries[1]))
    assert ask("value", replace(SOUND, batteries_lost=(0,)), of=card) == Fraction(90 * 7, 9)
    assert ask("value", SOUND, of=replace(HOPE, batteries=())) == 90


@pytest.mark.clause("G.PR4", "T.C32")
def test_a_court_pays_a_hundred_pounds_per_point_of_flotation_left() -> None:
    assert ask("pounds", SOUND) == 100 * HOPE.flot_max
    assert ask("pounds", replace(SOUND, flot=18)) == 1800


@pytest.mark.clause("G.0", "G.RP1", "T.C10", "T.C18")
def test_carpenters_repair_nothing_at_sea_and_the_jury_mast_is_played_by_the_watch() -> None:
    hurt = replace(SOUND, flot=18, masts_lost=1)
    assert ask("carpenters", hurt) == hurt.to_dict()
    assert ask("jury_mast", hurt) == hurt.to_dict()


@pytest.mark.clause("G.PR4", "T.C30", "T.C22")
def test_a_prize_taken_into_service_has_her_prize_crew_as_her_crew() -> None:
    prize = replace(
        SOUND, flot=18, crew_halves=0, guard_halves=10, guard_from="E1", captive_halves=60, dishonoured=True
    )
    now = Condition.from_dict(AT_SEA.commissioned(DOC, prize.to_dict(), men=70, complement=280))
    assert now == replace(SOUND, flot=18, crew_halves=2 * 70 * HOPE.crew_max // 280)


@pytest.mark.clause("T.C27")
def test_work_unknown_to_the_rule_set_is_refused() -> None:
    with pytest.raises(ValueError, match="no work called 'paint'"):
        AT_SEA.mend(DOC, SOUND.to_dict(), done="paint", men=0, complement=280)


@pytest.mark.clause("T.C38", "G.KT5")
def test_a_long_shot_brings_down_one_mast_after_another_without_a_throw() -> None:
    stands = SOUND.to_dict()
    for lost in (1, 2, 3, 3):
        stands = AT_SEA.mast_lost(DOC, stands)
        assert stands["masts_lost"] == lost
    assert AT_SEA.hull_fraction(DOC, stands) == 0
    assert HOPE.masts == 3
