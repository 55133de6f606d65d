"""What a ship carries from the campaign into a battle and back: condition, men, marks, repairs. Rules: T.C10, T.C24-T.C37, T.S2a."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.at_sea import Work
from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Strength, read_scenario
from battles.engine.rulesets.thomas import condition as condition_
from battles.engine.rulesets.thomas import fitting, record
from battles.engine.rulesets.thomas.at_sea import AT_SEA, can_row
from battles.engine.rulesets.thomas.card import card
from battles.engine.rulesets.thomas.condition import Condition
from battles.engine.rulesets.thomas.options import with_defaults
from battles.engine.rulesets.thomas.state import Ship, Status
from tests.engine.thomas.builders import battle, ship
from tests.engine.thomas.test_at_sea import DOC, GALLEY, HALF, HOPE, SOUND, ask
from tests.engine.thomas.test_setup import document, entry


def fitted(old: Condition | None = None, *, options: dict[str, Any] | None = None, **over: Any) -> Ship:
    """A galleon of 600 tons, 60 points of crew, as she comes into a battle."""
    row = entry("E1", **over) if old is None else entry("E1", condition=old.to_dict(), **over)
    scenario = read_scenario(document(ships={"ENG": [row, entry("E2")], "SPA": [entry("S1")]}))
    side, squadron, first = next(iter(scenario.ships()))
    return fitting.fit_out(side, squadron, first, card(first.facts), with_defaults(options or {}))


PLAIN = Condition(flot=30, crew_halves=120)


@pytest.mark.clause("T.S8", "T.C10")
def test_a_ship_without_a_condition_arrives_sound_and_one_with_it_as_she_is() -> None:
    whole = fitted()
    assert (whole.flot, whole.crew_halves, whole.status, whole.is_flagship) == (
        30,
        120,
        Status.EXPECTED,
        True,
    )
    worn = Condition(
        flot=12, crew_halves=71, captive_halves=9, guard_halves=0, masts_lost=1, thresholds_met=2, jury_used=True,
        dishonoured=True, captives_tried=True, batteries_lost=(0, 2),
    )  # fmt: skip
    one = fitted(worn)
    assert condition_.of(one) == worn
    assert [battery.lost for battery in one.batteries] == [n in (0, 2) for n in range(len(one.batteries))]


@pytest.mark.clause("T.O2b", "T.C18")
@pytest.mark.parametrize(
    ("masts_lost", "used", "minutes", "since", "count"),
    [
        (0, False, 0, -1, 0),
        (1, False, 89, 0, 0),
        (1, False, 90, 0, 1),
        (1, False, 449, 0, 4),
        (1, True, 0, -1, 0),
        (0, True, 0, -1, 0),
    ],
)
def test_work_on_a_jury_mast_continues_where_it_stopped(
    masts_lost: int, used: bool, minutes: int, since: int, count: int
) -> None:
    one = fitted(replace(PLAIN, masts_lost=masts_lost, jury_used=used, jury_minutes=minutes))
    assert (one.jury_since, one.jury_count) == (since, count)
    assert condition_.of(one).jury_minutes == 90 * count


@pytest.mark.clause("T.S2a")
def test_men_are_counted_in_the_battles_units_and_returned_in_those_of_the_card() -> None:
    old = replace(PLAIN, crew_halves=81, captive_halves=41, guard_halves=0)
    plain = fitted(old)
    assert (plain.crew_max, plain.crew_of_card, plain.crew_halves, plain.captive_halves) == (60, 0, 81, 41)
    small = fitted(old, options={"crew_equals_flotation": True})
    assert (small.crew_max, small.crew_of_card, small.crew_halves, small.captive_halves) == (30, 60, 40, 20)
    assert (condition_.of(small).crew_halves, condition_.of(small).captive_halves) == (80, 40)


@pytest.mark.clause("T.C30")
@pytest.mark.parametrize(
    ("old", "over", "crew_halves"),
    [
        (None, {"complement": 240, "men": 240}, 120), (None, {"complement": 240, "men": 239}, 119),
        (None, {"complement": 240, "men": 0}, 0),
        (None, {"complement": 240, "men": None}, 120), (None, {"complement": 0, "men": 100}, 120), (None, {"men": 100}, 120),
        (replace(PLAIN, crew_halves=71), {"complement": 240, "men": 142}, 71),
        (replace(PLAIN, crew_halves=71), {"complement": 240, "men": 143}, 71),
        (replace(PLAIN, crew_halves=71), {"complement": 240, "men": 144}, 72),
        (replace(PLAIN, crew_halves=71), {"complement": 100, "men": 58}, 69),
        (replace(PLAIN, crew_halves=71), {"complement": 100, "men": 30}, 36),
        (replace(PLAIN, crew_halves=25), {"complement": 30, "men": 6}, 25),
    ],
    ids=str,
)  # fmt: skip
def test_her_crew_is_the_one_counted_by_the_scenario_if_it_says_otherwise(
    old: Condition | None, over: dict[str, Any], crew_halves: int
) -> None:
    assert fitted(old, **over).crew_halves == crew_halves


@pytest.mark.clause("T.C30", "T.C11")
def test_in_a_prize_the_guard_counts_and_without_one_the_crew_does() -> None:
    old = replace(PLAIN, crew_halves=0, captive_halves=80, guard_halves=30, guard_from="E2")
    prize = fitted(old, prize=True, complement=240, men=10)
    assert (prize.prize_of, prize.secured, prize.guard_halves, prize.captive_halves, prize.guard_from) == (
        "ENG",
        True,
        30,
        80,
        "E2",
    )
    own = fitted(old)
    assert (own.prize_of, own.secured, own.crew_halves, own.guard_halves, own.captive_halves, own.guard_from) == (
        "", False, 30, 0, 0, ""
    )  # fmt: skip
    freed = fitted(replace(old, guard_halves=0, crew_halves=20))
    assert (freed.crew_halves, freed.captive_halves) == (20, 80)


def test_complements_come_from_the_scenario_or_are_calculated() -> None:
    assert fitted(complement=7).complement == 7
    assert fitted(complement=0).complement == 0
    assert fitted(facts={"crew": 123}).complement == 123


@pytest.mark.clause("T.C10", "T.B5d", "T.B9c")
@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"flot": 1}, 0), ({"flot": 0}, 1), ({"flot": 31}, 1), ({"crew_halves": 0}, 0), ({"crew_halves": -1}, 1),
        ({"captive_halves": 0}, 0), ({"captive_halves": -1}, 1), ({"guard_halves": -1}, 1), ({"jury_minutes": -1}, 1),
        ({"jury_minutes": 0}, 0), ({"masts_lost": 3}, 0), ({"masts_lost": 4}, 1), ({"masts_lost": -1}, 1),
        ({"thresholds_met": 3}, 0), ({"thresholds_met": 4}, 1), ({"thresholds_met": -1}, 1), ({"batteries_lost": (0, 13)}, 0),
        ({"batteries_lost": (14,)}, 1), ({"batteries_lost": (-1,)}, 1), ({"batteries_lost": (2, 2)}, 1), ({"batteries_lost": ()}, 0),
    ],
    ids=str,
)  # fmt: skip
def test_impossible_conditions_are_refused(change: dict[str, Any], faults: int) -> None:
    assert len(HOPE.batteries) == 14
    assert len(condition_.faults(HOPE, replace(SOUND, **change))) == faults


@pytest.mark.clause("T.C10", "T.C11", "T.C13", "T.B11a", "T.B5d")
def test_a_result_sheet_has_its_marks() -> None:
    state = replace(
        SOUND,
        flot=12,
        crew_halves=71,
        captive_halves=9,
        guard_halves=5,
        masts_lost=1,
        batteries_lost=(0, 3),
        thresholds_met=2,
    )
    assert [(mark.name, mark.value, mark.least, mark.most, mark.clause) for mark in ask("marks", state)] == [
        ("flot", 12, 0, 30, "T.C10"), ("crew_halves", 71, 0, 120, "T.C10"), ("captive_halves", 9, 0, 120, "T.C13"),
        ("guard_halves", 5, 0, 120, "T.C11"), ("masts_lost", 1, 0, 3, "T.B5d"), ("batteries", 2, 0, 14, "T.B11a"),
        ("thresholds_met", 2, 0, 3, "T.C10"),
    ]  # fmt: skip


@pytest.mark.clause("T.C10", "T.B11a")
def test_marks_change_what_they_name_and_batteries_are_lost_in_the_owners_order() -> None:
    def after(state: Condition = SOUND, /, **values: int) -> Condition:
        return Condition.from_dict(ask("marked", state, HOPE, values))

    assert after(flot=12, crew_halves=7, masts_lost=3, thresholds_met=1) == replace(
        SOUND, flot=12, crew_halves=7, masts_lost=3, thresholds_met=1
    )
    # Short before medium before long, port before starboard.
    assert [after(batteries=n).batteries_lost for n in (0, 1, 2, 3)] == [(), (0,), (0, 1), (0, 1, 7)]
    assert after(batteries=14).batteries_lost == tuple(range(14))
    lost = replace(SOUND, batteries_lost=(4, 9))
    assert after(lost, batteries=1).batteries_lost == (4,)
    assert after(lost, batteries=3).batteries_lost == (0, 4, 9)
    assert after(lost, flot=20).batteries_lost == (4, 9)
    prize = replace(SOUND, guard_halves=6, guard_from="E9")
    assert after(prize, guard_halves=4).guard_from == "E9"
    assert after(prize, guard_halves=0).guard_from == ""
    assert after(flot=0).flot == 0
    with pytest.raises(ValueError, match="no mark 'sails' in these rules"):
        after(sails=1)
    with pytest.raises(ValueError):
        after(flot=31)


def test_documents_carry_the_number_of_their_schema() -> None:
    assert (DOC["schema"], SOUND.to_dict()["schema"], record.to_dict(battle(ship()))["schema"]) == (1, 1, 2)


@pytest.mark.clause("T.C26")
@pytest.mark.parametrize(
    ("change", "work"),
    [
        ({"flot": 9}, Work("worse", 0, 0)), ({"masts_lost": 2, "jury_used": True}, Work("none", 3, 0)),
        ({"masts_lost": 3, "jury_used": True}, Work("none", 3, 0)), ({"batteries_lost": (0, 1)}, Work("none", 0, 1)),
        ({"batteries_lost": (0, 1, 2)}, Work("none", 0, 2)), ({"batteries_lost": (2,)}, Work("none", 0, 1)),
        ({"batteries_lost": (0, 2)}, Work("none", 0, 2)),
    ],
    ids=str,
)  # fmt: skip
def test_damage_decides_the_work_of_a_yard(change: dict[str, Any], work: Work) -> None:
    # A galley: two halves and a whole battery; flotation 10.
    mine = [n for n, one in enumerate(GALLEY.batteries) if one.half]
    whole = [n for n, one in enumerate(GALLEY.batteries) if not one.half]
    order = (*mine, *whole)
    lost = tuple(sorted(order[n] for n in change.get("batteries_lost", ())))
    state = replace(condition_.sound(GALLEY), **{**change, "batteries_lost": lost})
    found = ask("work", state, GALLEY)
    hull = {9: "light"}.get(change.get("flot", 10), "none")
    assert found == replace(work, hull=hull)


@pytest.mark.clause("T.C28", "T.O4h")
@pytest.mark.parametrize(("flot", "rows"), [(10, True), (3, True), (2, False), (0, False)])
def test_oars_work_until_three_quarters_of_the_flotation_are_gone(flot: int, rows: bool) -> None:
    state = replace(condition_.sound(GALLEY), flot=flot, masts_lost=2)
    assert can_row(GALLEY, state) is rows
    assert ask("sea_speed", state, GALLEY) == (HALF if rows else 0)
    assert not can_row(HOPE, SOUND)
    assert can_row(replace(GALLEY, oar_speed=1), state) is rows


@pytest.mark.clause("T.C28", "T.C31", "T.C29")
def test_a_prize_sails_with_any_guard_and_a_mast_costs_half_the_speed_and_twice_the_angle() -> None:
    assert ask("sea_speed", replace(SOUND, crew_halves=0, guard_halves=1)) == 1
    assert ask("sea_speed", replace(SOUND, crew_halves=0, guard_halves=0)) == 0
    assert ask("sea_speed", replace(SOUND, masts_lost=1, crew_halves=0, guard_halves=1)) == HALF
    assert [ask("no_go", replace(SOUND, masts_lost=n), strength=Strength.STILL) for n in (0, 1, 3)] == [
        45,
        90,
        90,
    ]
    rower = condition_.sound(GALLEY)
    quiet = [ask("no_go", rower, GALLEY, strength=strength) for strength in Strength]
    assert quiet == [0, 0, 45, 45, 45]
    assert ask("no_go", rower, GALLEY, strength=None) == 45


@pytest.mark.clause("T.C30", "T.C32")
def test_men_and_points_are_rounded_as_the_clauses_say() -> None:
    assert [AT_SEA.men(DOC, replace(SOUND, crew_halves=n).to_dict(), 100) for n in (3, 2, 60, 120)] == [
        3,
        2,
        50,
        100,
    ]
    assert AT_SEA.men(DOC, replace(SOUND, crew_halves=90, guard_halves=12).to_dict(), 100) == 10
    assert [ask("value", replace(SOUND, flot=5, crew_halves=n)) for n in (0, 1, 2, 7)] == [5, 5, 6, 8]


@pytest.mark.clause("T.C27", "T.C30", "G.PR4")
def test_without_a_complement_no_one_is_recruited_and_a_guard_is_the_crew() -> None:
    state = replace(SOUND, crew_halves=7, guard_halves=5, captive_halves=3, captives_tried=True)
    same = AT_SEA.mend(DOC, state.to_dict(), done="recruits", men=50, complement=0)
    assert Condition.from_dict(same) == state
    one = AT_SEA.mend(DOC, state.to_dict(), done="recruits", men=1, complement=1)
    assert Condition.from_dict(one) == replace(SOUND, crew_halves=120, captives_tried=True)
    taken = AT_SEA.commissioned(DOC, state.to_dict(), men=50, complement=0)
    assert Condition.from_dict(taken) == replace(SOUND, crew_halves=5)
    manned = AT_SEA.commissioned(DOC, state.to_dict(), men=1, complement=1)
    assert Condition.from_dict(manned) == replace(SOUND, crew_halves=120)


@pytest.mark.clause("T.C27", "T.C18")
def test_a_repaired_mast_clears_the_work_on_a_jury_mast() -> None:
    begun = replace(SOUND, masts_lost=2, jury_minutes=240)
    after = Condition.from_dict(AT_SEA.mend(DOC, begun.to_dict(), done="mast", men=0, complement=0))
    assert after == replace(SOUND, masts_lost=1)
    whole = Condition.from_dict(
        AT_SEA.mend(DOC, replace(SOUND, jury_minutes=90).to_dict(), done="mast", men=0, complement=0)
    )
    assert whole == SOUND


@pytest.mark.clause("G.PT1", "T.C24", "T.C25")
@pytest.mark.parametrize(
    ("flot", "met", "hits", "after"),
    [(30, 0, 7, (23, 0)), (30, 0, 8, (22, 1)), (30, 0, 15, (15, 2)), (30, 0, 22, (8, 2)), (30, 0, 23, (7, 3)), (30, 0, 30, (0, 3)),
     (30, 2, 1, (29, 2)), (5, 3, 9, (0, 3)), (30, 0, 0, (30, 0))],
)  # fmt: skip
def test_hits_from_the_shore_take_her_past_the_quarters(
    flot: int, met: int, hits: int, after: tuple[int, int]
) -> None:
    found = AT_SEA.hit(DOC, replace(SOUND, flot=flot, thresholds_met=met).to_dict(), hits)
    assert (found["flot"], found["thresholds_met"]) == after


@pytest.mark.clause("T.C37", "T.O7", "T.C16")
@pytest.mark.parametrize(
    ("strength", "flot", "left"),
    [(Strength.STRONG, 7, 6), (Strength.GALE, 7, 6), (Strength.MODERATE, 7, 7), (Strength.LIGHT, 7, 7), (Strength.STILL, 7, 7),
     (Strength.STRONG, 8, 8), (Strength.STRONG, 0, 0), (Strength.STRONG, 1, 0)],
)  # fmt: skip
def test_a_watch_causes_strain(strength: Strength, flot: int, left: int) -> None:
    bare = replace(SOUND, flot=flot, batteries_lost=tuple(range(12)))
    with ScriptedDice([]) as dice:
        after = AT_SEA.watch_at_sea(DOC, bare.to_dict(), strength, dice, "H")
    assert (after["flot"], after["batteries_lost"]) == (left, list(range(12)))


@pytest.mark.clause("T.C37", "T.C18")
@pytest.mark.parametrize(
    ("change", "after"),
    [({"masts_lost": 1}, (1, 240, False)), ({"masts_lost": 1, "jury_minutes": 210}, (0, 0, True)), ({}, (0, 0, False)),
     ({"masts_lost": 1, "jury_used": True}, (1, 0, True))],
    ids=str,
)  # fmt: skip
def test_a_watch_adds_work_on_a_jury_mast(change: dict[str, Any], after: tuple[int, int, bool]) -> None:
    with ScriptedDice([]) as dice:
        found = AT_SEA.watch_at_sea(DOC, replace(SOUND, **change).to_dict(), Strength.LIGHT, dice, "H")
    assert (found["masts_lost"], found["jury_minutes"], found["jury_used"]) == after


@pytest.mark.clause("T.S8")
def test_a_fresh_ship_carries_nothing_from_an_earlier_battle() -> None:
    one = fitted()
    nothing = (
        "captive_halves", "guard_halves", "masts_lost", "thresholds_met", "jury_count", "fire_fails", "x", "y", "heading",
        "irons_since", "gunners", "struck_move", "hits_given", "hits_taken", "thresholds_due", "crew_of_card", "oar_speed", "oar_turn",
    )  # fmt: skip
    assert {name: getattr(one, name) for name in nothing} == dict.fromkeys(nothing, 0)
    assert (one.jury_since, one.masts, one.masts_to_dismast, one.grapples) == (-1, 3, 2, [])
    made = battle(one)
    assert (made.spell_calm, made.spell_quiet) == (0, 0)
    link = made.fasten(one, ship("E9"))
    assert (link.fought, link.loosed, link.formed) == (0, 0, 1)
