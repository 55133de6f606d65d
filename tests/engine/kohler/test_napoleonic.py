"""Ships of the later age: the Napoleonic conversion. Rules: K.A1.14, K.E33."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import FastDice
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler import gunnery, record, tables
from battles.engine.rulesets.kohler.card import NAPOLEONIC_FROM, Card, card, explain, override_faults
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.view import View, estimate
from tests.engine.kohler.builders import battle, play, ship
from tests.engine.kohler.scenarios import document, scenario

VICTORY = ShipFacts(
    "Great Britain", "Great Britain", guns=104, tons_burthen=2142, broadside_lb=1148, year_served=1805,
    gun_detail="30x32pdr;28x24pdr;30x12pdr;14x12pdr;2x68pdr_carr",
)  # fmt: skip
EURYALUS = ShipFacts(
    "Great Britain", "Great Britain", ship_type="frigate", guns=36, tons_burthen=946, broadside_lb=279, year_served=1805,
    gun_detail="26x18pdr;10x9pdr",
)  # fmt: skip


@pytest.mark.clause("K.E33", "K.A1.14")
def test_the_victory_and_the_euryalus_have_the_cards_of_the_worked_example() -> None:
    victory, euryalus = card(VICTORY), card(EURYALUS)
    assert (victory.hull_max, victory.thresholds) == (48, (12, 24, 36, 48))
    assert victory.fire_track[0] == 23
    assert (victory.fast, victory.handy, victory.unhandy, victory.carronades) == (False, False, False, True)
    assert (euryalus.hull_max, euryalus.fire_track[0]) == (21, 6)
    assert (euryalus.fast, euryalus.handy, euryalus.unhandy, euryalus.carronades) == (
        True,
        True,
        False,
        False,
    )


@pytest.mark.clause("K.E33", "K.A1.14", "K.F14")
@pytest.mark.parametrize(
    ("carronades", "apart", "die", "hits"),
    [(True, 1, 3, 2), (True, 2, 3, 1), (False, 1, 3, 2), (True, 1, 2, 3)],
)
def test_carronades_look_up_a_row_higher_at_short_range_only(
    carronades: bool, apart: int, die: int, hits: int
) -> None:
    one = ship(
        guns=38, band=30, fire_track=(8, 6, 4), n_steps=3, thresholds=(7, 14, 21), carronades=carronades
    )
    foe = ship(id="D1", side="DUT", pos=(apart, 0))
    sea = battle(one, foe)
    shot = gunnery.Shot(one, "starboard", foe, apart, 8)
    assert gunnery.table_points(shot) == (10 if carronades and apart == 1 else 8)
    assert gunnery._fire(sea, play(die), shot) == hits


@pytest.mark.clause("K.A1.14")
def test_the_row_above_is_the_next_of_the_table_and_the_last_stays() -> None:
    assert [tables.row_higher(points) for points in (1, 3, 7, 8, 15, 17, 18, 22, 23)] == [
        2,
        4,
        8,
        10,
        18,
        18,
        18,
        22,
        23,
    ]


@pytest.mark.clause("K.A1.14", "K.A1.9")
@pytest.mark.parametrize(
    ("facts", "hull", "fire"),
    [
        ({"guns": 54}, 18, 8),  # three quarters of 19-27 is 15-21, middle 18
        ({"guns": 74, "tons_burthen": 1700}, 39, 14),
        ({"guns": 74, "tons_burthen": 500}, 21, 14),  # 15 points, raised to three quarters of 27
        ({"guns": 90}, 31, 20),  # no Dutch 90s in the other age
    ],
)
def test_every_nation_has_english_fire_and_three_quarters_of_the_hull(
    facts: dict[str, Any], hull: int, fire: int
) -> None:
    for nation in ("Dutch Republic", "France", "Denmark"):
        made = card(ShipFacts(nation, nation, year_served=1797, **facts))
        assert (made.fire_track[0], made.napoleonic) == (fire, True)
        assert made.hull_max == hull


@pytest.mark.clause("K.A1.14")
@pytest.mark.parametrize(
    ("guns", "qualities"),
    [
        (28, (True, True, False)),
        (59, (True, True, False)),
        (60, (False,) * 3),
        (109, (False,) * 3),
        (110, (False, False, True)),
    ],
)
def test_men_of_war_under_60_guns_are_fast_and_handy_and_those_of_110_unhandy(
    guns: int, qualities: tuple[bool, bool, bool]
) -> None:
    made = card(ShipFacts("France", "France", guns=guns, year_served=1805, broadside_lb=1100))
    assert (made.fast, made.handy, made.unhandy) == qualities
    trader = card(ShipFacts("France", "France", ship_type="merchant", guns=20, year_served=1805))
    assert not (trader.fast or trader.handy or trader.unhandy)


@pytest.mark.clause("K.A1.14")
def test_the_age_is_that_of_the_year_she_is_met_in_unless_the_register_says_it() -> None:
    def later(**over: Any) -> bool:
        return card(replace(EURYALUS, **over)).napoleonic

    assert [later(year_served=year) for year in (NAPOLEONIC_FROM - 1, 1740, None)] == [False, True, False]
    assert later(year_served=1666, overrides={"period": "napoleonic"})
    assert not later(overrides={"period": "1666"})
    assert override_faults(replace(EURYALUS, overrides={"period": "modern"})) == (
        "override period is 'modern'; it must be one of 1666, napoleonic",
    )
    assert ("column", "K.A1.14") in {note[:2] for note in explain(EURYALUS)}


@pytest.mark.clause("K.A1.14", "K.S2")
def test_a_ship_without_a_year_is_met_in_the_year_of_the_battle() -> None:
    def hull(start: str) -> int:
        begun = RULES.begin(scenario(start=start, options={"disorder": False}), FastDice(1))
        assert all(one.napoleonic is (start[:4] == "1805") for one in begun.ships.values())
        return begun.ships["E1"].hull_max

    assert hull("1805-10-21T12:00") < hull("1666-06-01T13:00")
    assert not any(one.napoleonic for one in RULES.begin(scenario(), FastDice(1)).ships.values())
    assert document().get("start") is None


@pytest.mark.clause("K.A1.14", "K.A1.3")
def test_the_enemy_is_reckoned_by_the_figures_of_her_age() -> None:
    old, new = (
        ship(id="D1", side="DUT", band=70),
        ship(id="D2", side="DUT", band=70, pos=(3, 0), napoleonic=True),
    )
    view = View(battle(ship(), old, new), "ENG")
    assert estimate(view.enemy("D2")).hull == 23
    assert estimate(view.enemy("D1")).hull == 27
    assert estimate(view.enemy("D2")).fire_track[0] > estimate(view.enemy("D1")).fire_track[0]


def test_cards_and_states_of_before_the_conversion_are_read_and_new_ones_come_back_whole() -> None:
    made = card(VICTORY)
    assert Card.from_dict(made.to_dict()) == made
    plain = card(replace(VICTORY, year_served=1666, gun_detail=""))
    assert "napoleonic" not in plain.to_dict() and Card.from_dict(plain.to_dict()) == plain
    doc = record.to_dict(battle(ship(carronades=True), ship(id="D1", side="DUT")))
    assert record.from_dict(doc).ships["E1"].carronades
    for row in doc["ships"]:
        del row["carronades"], row["napoleonic"]
    assert not record.from_dict(doc).ships["E1"].carronades
