"""The campaign's questions about a ship. Rules: A.G2-A.G34."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.at_sea import Work
from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import ShipFacts, Strength
from battles.engine.rulesets.age_of_sail.card import card
from battles.engine.rulesets.age_of_sail.rules import RULES
from tests.support.answers import unerring

SEA = RULES.at_sea


@unerring
def made(kind: str = "ship_of_line", **facts: Any) -> dict[str, Any]:
    return card(ShipFacts("Great Britain", "Great Britain", kind, **facts)).to_dict()


LINE, LIGHT = made(guns=74), made("frigate", guns=32, tons_burthen=926)


@unerring
def now(of: dict[str, Any], **change: Any) -> dict[str, Any]:
    return {**SEA.sound(of), **change}


@pytest.mark.clause("A.E23", "A.G2", "A.G9", "A.G12", "A.G13", "A.G14", "A.G16", "A.G18", "A.G20", "A.G21")
def test_a_damaged_ship_of_the_line_answers_as_worked_out() -> None:
    hurt = now(LINE, decks_port=1, decks_stbd=2, hull=2, masts=[2, 2, 0])
    assert SEA.hull_fraction(LINE, hurt) == Fraction(4, 9)
    assert SEA.steps_lost(LINE, hurt) == 1
    assert SEA.work(LINE, hurt) == Work("medium", masts=1)
    assert SEA.sea_speed(LINE, hurt) == Fraction(2, 3)
    assert SEA.men(LINE, hurt, 600) == 475
    assert SEA.value(LINE, hurt) == 7 and SEA.whole_value(LINE) == 12
    assert SEA.deep(LINE)
    dismasted = now(LIGHT, masts=[2, 0, 2])
    assert SEA.sea_speed(LIGHT, dismasted) == Fraction(1, 2)
    assert SEA.sea_speed(LIGHT, SEA.jury_mast(LIGHT, dismasted)) == Fraction(3, 4)


@pytest.mark.clause("A.E24", "A.G7", "A.G12", "A.G13", "A.G14", "A.G25")
def test_a_wreck_afloat_is_asked_once_a_day_in_a_rough_sea() -> None:
    wreck = now(LINE, decks_port=0, decks_stbd=0, hull=0)
    assert SEA.hull_fraction(LINE, wreck) == Fraction(17, 18)
    assert (SEA.steps_lost(LINE, wreck), SEA.work(LINE, wreck).hull) == (3, "worse")
    light = now(LIGHT, decks_port=0, decks_stbd=0, hull=0)
    assert SEA.hull_fraction(LIGHT, light) == Fraction(13, 14)
    with ScriptedDice([3, 2]) as dice:
        wreck = SEA.watch_at_sea(LINE, wreck, Strength.STRONG, dice, "E1")
        assert wreck["rest"] == 6
        for _ in range(5):
            wreck = SEA.watch_at_sea(LINE, wreck, Strength.GALE, dice, "E1")
        assert not wreck["gone"]
        wreck = SEA.watch_at_sea(LINE, wreck, Strength.STRONG, dice, "E1")
    assert SEA.hull_fraction(LINE, wreck) == 1
    with ScriptedDice([]) as none:
        assert not SEA.watch_at_sea(LINE, now(LINE, hull=0), Strength.GALE, none, "E1")["gone"]
        calm = now(LINE, decks_port=0, decks_stbd=0, hull=0)
        assert not SEA.watch_at_sea(LINE, calm, Strength.MODERATE, none, "E1")["gone"]


@pytest.mark.clause("A.E25", "A.G29")
@pytest.mark.parametrize(
    ("hits", "left"),
    [(8, (1, 2, 3)), (1, (2, 3, 3)), (3, (2, 3, 3)), (4, (2, 2, 3)), (21, (0, 0, 2)), (99, (0, 0, 0))],
)
def test_three_hits_of_the_chart_are_a_box(hits: int, left: tuple[int, int, int]) -> None:
    hit = SEA.hit(LINE, SEA.sound(LINE), hits)
    assert (hit["decks_port"], hit["decks_stbd"], hit["hull"]) == left


@pytest.mark.clause("A.E25", "A.G3", "A.G27", "A.G28")
def test_a_jury_mast_stands_at_half_value_and_is_the_first_to_go() -> None:
    state = SEA.mast_lost(LIGHT, SEA.sound(LIGHT))
    assert state["masts"] == [2, 2, 0]
    state = SEA.mast_lost(LIGHT, state)
    assert state["masts"] == [0, 2, 0]
    rigged = SEA.jury_mast(LIGHT, state)
    assert rigged["masts"] == [1, 2, 0]
    assert SEA.sea_speed(LIGHT, rigged) == Fraction(5, 8)
    assert SEA.mast_lost(LIGHT, rigged)["masts"] == [0, 2, 0]
    bare = now(LIGHT, masts=[0, 0, 0])
    assert SEA.mast_lost(LIGHT, bare) == bare


@pytest.mark.clause("A.G4", "A.G14", "A.G15", "A.G27")
def test_a_yard_makes_the_hull_whole_and_one_mast_at_a_time_the_jury_mast_last() -> None:
    hurt = now(LIGHT, decks_port=1, decks_stbd=0, hull=1, masts=[1, 0, 0], sent_stbd=1)

    def done(what: str, state: dict[str, Any]) -> dict[str, Any]:
        return SEA.mend(LIGHT, state, done=what, men=100, complement=200)

    whole = done("hull", hurt)
    assert (whole["decks_port"], whole["decks_stbd"], whole["hull"]) == (2, 1, 3)
    assert done("battery", hurt) == hurt == SEA.carpenters(LIGHT, hurt)
    masts = [hurt]
    for _ in range(4):
        masts.append(done("mast", masts[-1]))
    assert [row["masts"] for row in masts[1:]] == [[1, 2, 0], [1, 2, 2], [2, 2, 2], [2, 2, 2]]
    assert SEA.work(LIGHT, hurt).masts == 3


@pytest.mark.clause("A.E27", "A.G5", "A.G15", "A.G30")
@pytest.mark.parametrize(("men", "away"), [(520, 1), (600, 0), (500, 1), (499, 2), (400, 2)])
def test_decks_sent_off_come_back_with_the_men_to_port_first(men: int, away: int) -> None:
    hurt = now(LINE, decks_port=2, decks_stbd=2, sent_port=1, sent_stbd=1)
    back = SEA.mend(LINE, hurt, done="recruits", men=men, complement=600)
    assert back["sent_port"] + back["sent_stbd"] == away
    assert back["sent_port"] == 0 or away == 2
    assert back == SEA.commissioned(LINE, hurt, men=men, complement=600)
    assert back["decks_port"] + back["sent_port"] == 3


@pytest.mark.clause("A.E27", "A.G30", "A.G20")
def test_a_prize_court_values_what_is_left() -> None:
    assert SEA.pounds(LIGHT, SEA.sound(LIGHT)) == 4_630
    assert SEA.pounds(LIGHT, now(LIGHT, decks_port=0, masts=[0, 2, 2])) == 3_241


@pytest.mark.clause("A.G17", "A.G19", "A.G31", "A.G34", "A.G8", "A.M4")
def test_the_remaining_figures_for_the_chart() -> None:
    sound = SEA.sound(LINE)
    assert SEA.no_go(LINE, sound) == 45
    assert [SEA.can_sail(LINE, men, 600) for men in (60, 59)] == [True, False]
    assert not SEA.steam(LINE) and not SEA.port_batteries
    assert (RULES.minutes_a_turn({}), RULES.turn_limit) == (6, 30)


@pytest.mark.clause("A.G26", "A.G33", "A.C3")
def test_the_marks_of_a_result_sheet_are_read_back_and_what_cannot_be_is_refused() -> None:
    brig = made("brig", guns=14, overrides={"masts": 2})
    assert [mark.name for mark in SEA.marks(brig, SEA.sound(brig))] == [
        "decks_port", "decks_stbd", "hull", "fore", "main", "sent_port", "sent_stbd"
    ]  # fmt: skip
    jury = now(LIGHT, masts=[1, 0, 2])
    marked = SEA.marked(
        LIGHT, jury, {"fore": 1, "main": 1, "mizzen": 0, "hull": 1, "sent_port": 1, "decks_port": 1}
    )
    assert (marked["masts"], marked["hull"], marked["sent_port"]) == ([1, 2, 0], 1, 1)
    for wrong in ({"hull": 4}, {"topsail": 1}, {"sent_port": 1}, {"fore": 2}):
        with pytest.raises(ValueError):
            SEA.marked(LIGHT, SEA.sound(LIGHT), wrong)


@pytest.mark.clause("A.G32")
def test_only_the_ships_of_one_side_are_laid_at_anchor() -> None:
    doc = {
        "sides": [
            {"id": code, "squadrons": [{"ships": [{"facts": {"tags": ["x"]}}, {"facts": {}}]}]}
            for code in "AB"
        ]
    }
    tags = [
        [ship["facts"].get("tags") for ship in side["squadrons"][0]["ships"]]
        for side in SEA.at_anchor(doc, "A")["sides"]
    ]
    assert tags == [[["x", "anchored"], ["anchored"]], [["x"], None]]
