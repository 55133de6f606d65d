"""The figures that the campaign asks for, at each rung of the ladder. Rules: P.K05, P.K17-P.K26, P.K30, P.K31, P.K33-P.K35, P.K39."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.at_sea import Work
from battles.engine.core.dice import FastDice
from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import Strength
from battles.engine.rulesets.barker.at_sea import AT_SEA as SEA
from battles.engine.rulesets.barker.condition import Condition
from tests.engine.barker.test_cards import made

MIKASA = made(displacement_tons=15_140, speed_knots=18.0).to_dict()
BOAT = made("submarine").to_dict()


def now(damage: int = 0, crippled: bool = False, **more: Any) -> dict[str, Any]:
    return Condition(damage, crippled, **more).to_dict()


@pytest.mark.clause(
    "P.K05", "P.K17", "P.K18", "P.K19", "P.K21", "P.K23", "P.K25", "P.K33", "P.K34", "P.EX33", "P.EX35"
)
@pytest.mark.parametrize(
    ("condition", "lost", "steps", "hull", "speed", "men", "value", "pounds"),
    [
        (now(), Fraction(0), 0, "none", Fraction(1), 750, Fraction(12), 15_140),
        (now(1), Fraction(3, 20), 0, "light", Fraction(1), 694, Fraction(51, 5), 12_869),
        (now(2), Fraction(3, 10), 1, "medium", Fraction(1), 638, Fraction(42, 5), 10_598),
        (now(0, True), Fraction(3, 5), 2, "heavy", Fraction(1, 2), 525, Fraction(24, 5), 6_056),
        (now(1, True), Fraction(7, 10), 2, "heavy", Fraction(1, 2), 488, Fraction(18, 5), 4_542),
        (now(2, True), Fraction(4, 5), 3, "worse", Fraction(1, 2), 450, Fraction(12, 5), 3_028),
        (now(gone=True), Fraction(1), 4, "worse", Fraction(0), 375, Fraction(0), 0),
    ],
)  # fmt: skip
def test_the_figures_of_each_rung(
    condition: dict[str, Any],
    lost: Fraction,
    steps: int,
    hull: str,
    speed: Fraction,
    men: int,
    value: Fraction,
    pounds: int,
) -> None:
    assert SEA.hull_fraction(MIKASA, condition) == lost
    assert (SEA.steps_lost(MIKASA, condition), SEA.work(MIKASA, condition)) == (steps, Work(hull))
    assert (SEA.sea_speed(MIKASA, condition), SEA.men(MIKASA, condition, 750)) == (speed, men)
    assert (SEA.value(MIKASA, condition), SEA.pounds(MIKASA, condition)) == (value, pounds)
    assert SEA.whole_value(MIKASA) == 12


@pytest.mark.clause("P.EX33", "P.K25", "P.K26", "P.EX37")
def test_old_ships_and_single_boats_have_points_of_their_own() -> None:
    old = made("cruiser_2", year_built=1880).to_dict()
    assert (SEA.value(old, now(2, True)), SEA.whole_value(old)) == (Fraction(3, 5), Fraction(3))
    assert SEA.whole_value(made("destroyer").to_dict()) == 1
    assert SEA.whole_value(made("torpedo_boat").to_dict()) == Fraction(1, 2)
    assert SEA.deep(MIKASA) is True and SEA.deep(old) is False


@pytest.mark.clause("P.K33", "P.EX35")
@pytest.mark.parametrize(
    ("hits", "wanted"),
    [
        (0, now()), (1, now(1)), (3, now(1)), (4, now(1)), (5, now(2)), (8, now(2)), (9, now(0, True)), (12, now(0, True)),
        (14, now(1, True)), (16, now(1, True)), (17, now(2, True)), (20, now(2, True)), (21, now(gone=True)), (24, now(gone=True)),
        (99, now(gone=True)),
    ],
)  # fmt: skip
def test_four_hits_of_the_chart_are_a_marker(hits: int, wanted: dict[str, Any]) -> None:
    assert SEA.hit(MIKASA, now(), hits) == wanted


@pytest.mark.clause("P.K33", "P.U09")
def test_a_submarine_is_sound_until_it_is_gone() -> None:
    assert SEA.hit(BOAT, now(), 20) == now()
    assert SEA.hit(BOAT, now(), 21) == now(gone=True)
    assert SEA.mast_lost(BOAT, now()) == now()


@pytest.mark.clause("P.K33", "P.EX35")
@pytest.mark.parametrize(
    ("before", "after"),
    [(now(), now(2)), (now(1), now(2)), (now(2), now(0, True)), (now(0, True), now(2, True)), (now(1, True), now(2, True)),
     (now(2, True), now(2, True))],
)  # fmt: skip
def test_a_long_shot_costs_the_next_step_but_never_the_ship(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert SEA.mast_lost(MIKASA, before) == after


@pytest.mark.clause("P.K20", "P.K35", "P.K30")
def test_only_a_yard_mends_and_only_the_hull() -> None:
    hurt = now(2, True, character=4, officer="Togo", partner="A2")
    assert SEA.mend(MIKASA, hurt, done="hull", men=1, complement=2) == now(
        0, character=4, officer="Togo", partner="A2"
    )
    for done in ("mast", "battery", "recruits"):
        assert SEA.mend(MIKASA, hurt, done=done, men=1, complement=2) == hurt
    with pytest.raises(ValueError, match="'paint'"):
        SEA.mend(MIKASA, hurt, done="paint", men=1, complement=2)
    assert SEA.carpenters(MIKASA, hurt) == SEA.jury_mast(MIKASA, hurt) == hurt
    assert SEA.watch_at_sea(MIKASA, hurt, Strength.STRONG, FastDice(1), "A1") == hurt


@pytest.mark.clause("P.K22", "P.K37", "P.Y08")
def test_all_but_sailing_vessels_steam() -> None:
    sail = made("merchant", tags=("sail",)).to_dict()
    assert (SEA.steam(MIKASA), SEA.no_go(MIKASA, now())) == (True, 0)
    assert (SEA.steam(sail), SEA.no_go(sail, now())) == (False, 45)


@pytest.mark.clause("P.K24")
@pytest.mark.parametrize(("men", "wanted"), [(75, True), (74, False), (750, True)])
def test_a_tenth_of_the_men_can_sail_a_ship(men: int, wanted: bool) -> None:
    assert SEA.can_sail(MIKASA, men, 750) is wanted


@pytest.mark.clause("P.K31", "P.K32")
def test_a_condition_remembers_whose_flag_the_ship_bore_until_it_is_commissioned() -> None:
    assert SEA.sound(MIKASA) == {
        "schema": 1, "damage": 0, "crippled": False, "gone": False, "character": 0, "officer": "", "partner": ""
    }  # fmt: skip
    kept = now(1, True, character=2, officer="Stark", partner="R2")
    assert SEA.commissioned(MIKASA, kept, men=10, complement=20) == now(1, True)
    assert Condition.from_dict(kept).to_dict() == kept


@pytest.mark.clause("P.K31")
@pytest.mark.parametrize("wrong", [{"damage": 3}, {"damage": -1}, {"character": 7}])
def test_a_condition_beyond_its_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="may be"):
        Condition.from_dict({**now(), **wrong})
    with pytest.raises(SchemaError):
        Condition.from_dict({**now(), "schema": 2})


@pytest.mark.clause("P.K39", "P.U09")
def test_marks_are_markers_and_crippling() -> None:
    names = [
        (mark.name, mark.label, mark.value, mark.least, mark.most) for mark in SEA.marks(MIKASA, now(2, True))
    ]
    assert names == [("damage", "Damage markers", 2, 0, 2), ("crippled", "Crippled", 1, 0, 1)]
    assert SEA.marks(BOAT, now()) == ()
    kept = now(0, officer="Togo", character=1)
    assert SEA.marked(MIKASA, kept, {"damage": 1, "crippled": 1}) == now(1, True, officer="Togo", character=1)
    assert SEA.marked(MIKASA, now(2, True), {"crippled": 0}) == now(2)
    assert SEA.marked(BOAT, now(), {}) == now()
    for wrong in ({"damage": 3}, {"crippled": 2}, {"masts": 1}):
        with pytest.raises(ValueError, match="."):
            SEA.marked(MIKASA, now(), wrong)


@pytest.mark.clause("P.K38")
def test_ships_at_anchor_carry_a_tag_and_the_set_plays_the_guns_of_the_port() -> None:
    ship = {"id": "A1", "facts": {"nation": "A", "tags": ["amc"]}}
    doc = {"sides": [{"id": code, "squadrons": [{"ships": [ship]}]} for code in "AB"]}
    tags = [side["squadrons"][0]["ships"][0]["facts"]["tags"] for side in SEA.at_anchor(doc, "B")["sides"]]
    assert tags == [["amc"], ["amc", "anchored"]]
    assert SEA.at_anchor(SEA.at_anchor(doc, "B"), "B") == SEA.at_anchor(doc, "B")
    assert SEA.port_batteries is True
