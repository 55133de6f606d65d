"""How a card comes about, figure by figure with its clause, at the borders of every ruling. Rules: K.A1, K.S10, K.X2."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.kohler.card import card, explain, override_faults
from tests.engine.kohler.test_card import facts

DUTCH = {"built_by": "Dutch Republic"}
# What is known; then field, clause and sentence of every note between the column and the thresholds.
EXPLAINED: list[tuple[dict[str, Any], list[tuple[str, str, str]]]] = [
    (
        {"guns": 19},
        [
            ("band", "K.A1.7", "19 guns: the row “small merchant”."),
            ("hull", "K.A1.6", "Tons not known: middle of 3–6, 4."),
            ("fire", "K.A1.3", "Broadside not known: middle of the row “small merchant”, ½."),
            ("n_steps", "K.D3", "19 guns: 2 damage steps."),
            ("qualities", "K.A1.10", "Handy."),
        ],
    ),
    (
        {"guns": 20},
        [
            ("band", "K.S11", "20 guns: row 20."),
            ("hull", "K.A1.6", "Tons not known: middle of 6–9, 7."),
            ("fire", "K.A1.3", "Broadside not known: middle of row 20, 1."),
            ("n_steps", "K.D3", "20 guns: 2 damage steps."),
            ("qualities", "K.A1.10", "Handy."),
        ],
    ),
    (
        {**DUTCH, "guns": 90, "displacement_tons": 1650},
        [
            ("band", "K.A1.8", "90 guns: row 80."),
            ("hull", "K.A1.1", "1,650 tons displacement, 1 point per 50 tons: 33."),
            ("fire", "K.A1.3", "Broadside not known: middle of row 80, 6½."),
            ("n_steps", "K.D2", "90 guns: 4 damage steps."),
            ("qualities", "K.A1.10", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {**DUTCH, "guns": 89},
        [
            ("band", "K.S11", "89 guns: row 80."),
            ("hull", "K.A1.5", "Tons not known: bottom of 30–36, 30."),
            ("fire", "K.A1.3", "Broadside not known: middle of row 80, 6½."),
            ("n_steps", "K.D2", "89 guns: 4 damage steps."),
            ("qualities", "K.A1.10", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {"guns": 90, "year_built": 1641, "broadside_lb": 926},
        [
            ("band", "K.S11", "90 guns: row 90."),
            ("hull", "K.A1.6", "Tons not known, launched 1641: top of 33–50."),
            ("fire", "K.A1.2", "Broadside 926 lb, 1 point per 100 lb: 9½."),
            ("n_steps", "K.D2", "90 guns: 4 damage steps."),
            ("qualities", "K.A1.11", "Unhandy."),
        ],
    ),
    (
        {"guns": 49, "broadside_lb": 74, "tags": ["frigate-built"]},
        [
            ("band", "K.S11", "49 guns: row 40."),
            ("hull", "K.A1.6", "Tons not known: middle of 14–26, 20."),
            ("fire", "K.A1.2", "Broadside 74 lb, 1 point per 100 lb: ½."),
            ("n_steps", "K.D2", "49 guns: 4 damage steps."),
            ("qualities", "K.A1.13", "Fast and Handy."),
        ],
    ),
    (
        {"ship_type": "fireship"},
        [
            ("guns", "K.X2", "A fire ship counted as 10 guns: the row “small merchant”."),
            ("hull", "K.A1.6", "Tons not known: middle of 3–6, 4."),
            ("fire", "K.A1.3", "Broadside not known: middle of the row “small merchant”, ½."),
            ("n_steps", "K.D3", "10 guns: 2 damage steps."),
            ("qualities", "K.A1.7", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {"ship_type": "fireship", "guns": 19, "tons_burthen": 99},
        [
            ("guns", "K.S11", "A fire ship counted as 19 guns: the row “small merchant”."),
            ("hull", "K.A1.1", "99 tons burthen, 1 point per 33 tons: 3."),
            ("fire", "K.A1.3", "Broadside not known: middle of the row “small merchant”, ½."),
            ("n_steps", "K.D3", "19 guns: 2 damage steps."),
            ("qualities", "K.A1.7", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {**DUTCH, "ship_type": "fireship", "guns": 20, "tons_burthen": 197},
        [
            ("guns", "K.S11", "A fire ship of 20 guns: row 20."),
            ("hull", "K.A1.1", "197 tons burthen, 1 point per 33 tons: 5."),
            ("hull", "K.A1.4", "Raised to 6, the bottom of row 20."),
            ("fire", "K.A1.3", "Broadside not known: middle of row 20, 1."),
            ("n_steps", "K.D3", "20 guns: 2 damage steps."),
            ("qualities", "K.A1.10", "Fast and Handy."),
        ],
    ),
    (
        {"ship_type": "transport", "guns": 15},
        [
            ("guns", "K.A1.7", "A merchant counted as 15 guns: the row “large merchant”."),
            ("hull", "K.A1.6", "Tons not known: middle of 6–9, 7."),
            ("fire", "K.A1.3", "Broadside not known: middle of the row “large merchant”, 1."),
            ("n_steps", "K.D3", "15 guns: 2 damage steps."),
            ("qualities", "K.A1.7", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {"ship_type": "merchant", "tons_burthen": 200},
        [
            ("guns", "K.A1.15", "A merchant counted as 15 guns: the row “large merchant”."),
            ("hull", "K.A1.1", "200 tons burthen, 1 point per 33 tons: 6."),
            ("fire", "K.A1.3", "Broadside not known: middle of the row “large merchant”, 1."),
            ("n_steps", "K.D3", "15 guns: 2 damage steps."),
            ("qualities", "K.A1.7", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {"ship_type": "merchant", "guns": 30},
        [
            ("band", "K.S11", "30 guns: row 30."),
            ("hull", "K.A1.6", "Tons not known: middle of 10–13, 11."),
            ("fire", "K.A1.3", "Broadside not known: middle of row 30, 1½."),
            ("n_steps", "K.D2", "30 guns: 3 damage steps."),
            ("qualities", "K.A1.7", "Not Fast, Handy or Unhandy."),
        ],
    ),
    (
        {"tons_burthen": 10},
        [
            ("guns", "K.A1.15", "Guns not known: counted as 10 by its tons."),
            ("band", "K.A1.7", "10 guns: the row “small merchant”."),
            ("hull", "K.A1.1", "10 tons burthen, 1 point per 33 tons: 0."),
            ("hull", "K.A1.4", "Raised to 3, the bottom of the row “small merchant”."),
            ("fire", "K.A1.3", "Broadside not known: middle of the row “small merchant”, ½."),
            ("n_steps", "K.D3", "10 guns: 2 damage steps."),
            ("qualities", "K.A1.10", "Handy."),
        ],
    ),
]


@pytest.mark.clause(
    "K.A1.1", "K.A1.2", "K.A1.3", "K.A1.4", "K.A1.5", "K.A1.6", "K.A1.7", "K.A1.8", "K.A1.10", "K.A1.15", "K.X2"
)  # fmt: skip
@pytest.mark.parametrize(("known", "notes"), EXPLAINED, ids=[str(row[0]) for row in EXPLAINED])
def test_every_figure_on_a_card_is_explained_with_its_clause(
    known: dict[str, Any], notes: list[tuple[str, str, str]]
) -> None:
    column, *between, thresholds, track = explain(facts(**known))
    by = known.get("built_by", "England")
    name = "Dutch" if "built_by" in known else "English"
    assert column == ("column", "K.A1.9", f"Builder: {by}; {name} column.")
    assert between == notes
    assert [thresholds[:2], track[:2]] == [("thresholds", "K.D4"), ("fire_track", "K.D5")]


@pytest.mark.clause("K.D4", "K.D5", "K.A1.12", "K.S10")
def test_figures_set_by_hand_are_explained_after_those_from_the_tables() -> None:
    chosen = {"fire": 4.5, "hull": 2, "fast": True, "handy": True}
    told = explain(facts(guns=52, overrides=chosen))
    assert told[5:] == (
        ("qualities", "K.A1.10", "Not Fast, Handy or Unhandy."),
        ("qualities", "K.A1.12", "By the register: Fast and Handy."),
        ("hull", "K.S10", "Set by hand to 2, 21 allowed, a tenth of 23 either way."),
        ("fire", "K.S10", "Set by hand to 4½."),
        ("thresholds", "K.D4", "Steps at 6, 11, 16 and 21 points lost."),
        ("fire_track", "K.D5", "Fire track 4½, 3, 2, 1."),
    )


@pytest.mark.parametrize(
    ("known", "estimated"),
    [
        ({"guns": 52, "tons_burthen": 740, "broadside_lb": 400}, ()),
        ({"guns": 52, "displacement_tons": 1000, "broadside_lb": 400}, ()),
        ({"guns": 52, "broadside_lb": 400}, ("hull",)),
        ({**DUTCH, "guns": 52, "broadside_lb": 400}, ("hull",)),
        ({"guns": 52, "tons_burthen": 500}, ("fire",)),
        ({"tons_burthen": 740, "broadside_lb": 400}, ("guns",)),
        ({"ship_type": "merchant"}, ("guns", "hull", "fire")),
        ({"ship_type": "merchant", "guns": 8}, ("hull", "fire")),
        ({"ship_type": "fireship", "tons_burthen": 99, "broadside_lb": 50}, ("guns",)),
        ({"ship_type": "fireship", "guns": 8, "tons_burthen": 99, "broadside_lb": 50}, ()),
        ({"guns": 52, "tons_burthen": 740, "broadside_lb": 400, "overrides": {"hull": 22, "fire": 4}}, ()),
    ],
)
def test_figures_that_the_register_does_not_give_are_named_as_estimates(
    known: dict[str, Any], estimated: tuple[str, ...]
) -> None:
    assert card(facts(**known)).estimated == estimated


@pytest.mark.clause("K.A1.15")
@pytest.mark.parametrize(
    ("points", "guns"),
    [(0, 10), (5, 10), (6, 20), (9, 20), (10, 30), (13, 30), (14, 40), (18, 40), (19, 50), (20, 50)]
    + [(21, 60), (26, 60), (27, 70), (29, 70), (30, 80), (32, 80), (33, 90), (39, 90), (40, 100), (60, 100)],
)
def test_a_ship_of_unknown_guns_counts_as_the_largest_band_that_her_hull_reaches(
    points: int, guns: int
) -> None:
    assert card(facts(tons_burthen=33 * points + 32)).guns == guns
    assert card(facts(displacement_tons=50 * points + 49)).guns == guns


@pytest.mark.clause("K.A1.7", "K.D3", "K.F10", "K.G24")
@pytest.mark.parametrize(
    ("known", "guns", "steps", "small", "deep", "merchant"),
    [
        ({"ship_type": "merchant", "guns": 14}, 14, 2, True, False, True),
        ({"ship_type": "merchant", "guns": 29}, 29, 2, True, False, True),
        ({"ship_type": "merchant", "guns": 30}, 30, 3, False, True, True),
        ({"ship_type": "transport", "guns": 40}, 40, 4, False, True, True),
        ({"ship_type": "merchant"}, 10, 2, True, False, True),
        ({"ship_type": "merchant", "tons_burthen": 199}, 10, 2, True, False, True),
        ({"ship_type": "merchant", "tons_burthen": 200}, 15, 2, True, False, True),
        ({"ship_type": "fireship", "guns": 30}, 30, 2, True, True, False),
        ({"ship_type": "yacht", "guns": 29}, 29, 2, True, False, False),
        ({"guns": 30}, 30, 3, False, True, False),
        ({**DUTCH, "guns": 30}, 30, 3, False, False, False),
        ({"guns": 39}, 39, 3, False, True, False),
        ({"guns": 40}, 40, 4, False, True, False),
    ],
)
def test_kind_and_guns_determine_steps_size_and_draught(
    known: dict[str, Any], guns: int, steps: int, small: bool, deep: bool, merchant: bool
) -> None:
    made = card(facts(**known))
    assert (made.guns, made.n_steps, made.small, made.deep, made.merchant) == (
        guns,
        steps,
        small,
        deep,
        merchant,
    )
    assert made.is_fireship == (known.get("ship_type") == "fireship")
    assert (made.fast, made.handy, made.unhandy) == (False, False, False) or not merchant


@pytest.mark.clause("K.A1.11")
@pytest.mark.parametrize(
    ("guns", "pounds", "unhandy"),
    [(89, 925, False), (89, 926, True), (50, 475, False), (50, 476, True), (59, 500, True), (49, 900, False), (90, 100, True)],
)  # fmt: skip
def test_an_english_ship_of_50_to_89_guns_is_unhandy_when_overgunned(
    guns: int, pounds: int, unhandy: bool
) -> None:
    assert card(facts(guns=guns, broadside_lb=pounds)).unhandy is unhandy


@pytest.mark.clause("K.A1.12", "K.S3")
@pytest.mark.parametrize(
    ("known", "overrides", "qualities"),
    [
        ({"guns": 92}, {"unhandy": False}, (False, False, False)),
        ({"guns": 92}, {"handy": True}, (False, True, False)),
        ({"guns": 92}, {"handy": False}, (False, False, True)),
        ({**DUTCH, "guns": 44}, {"unhandy": True}, (True, False, True)),
        ({**DUTCH, "guns": 44}, {"unhandy": False}, (True, True, False)),
        ({**DUTCH, "guns": 44}, {"fast": False}, (False, True, False)),
        ({**DUTCH, "guns": 44}, {"handy": False, "unhandy": True}, (True, False, True)),
        ({**DUTCH, "guns": 74}, {"fast": True}, (True, False, False)),
    ],
)
def test_qualities_set_by_hand_override_the_tables_and_cancel_their_opposites(
    known: dict[str, Any], overrides: dict[str, bool], qualities: tuple[bool, bool, bool]
) -> None:
    made = card(facts(**known, overrides=overrides))
    assert (made.fast, made.handy, made.unhandy) == qualities


@pytest.mark.clause("K.S10")
@pytest.mark.parametrize(
    ("asked", "hull"), [(20, 21), (21, 21), (23, 23), (24.4, 24), (24.5, 25), (25, 25), (26, 25)]
)
def test_a_hull_set_by_hand_is_rounded_half_up_and_within_a_tenth(asked: float, hull: int) -> None:
    assert card(facts(guns=52, overrides={"hull": asked})).hull_max == hull


@pytest.mark.clause("K.S10")
@pytest.mark.parametrize(
    ("tons", "low", "high"), [(33 * 14, 13, 15), (33 * 15, 13, 17), (33 * 24, 22, 26), (33 * 25, 22, 28)]
)
def test_a_tenth_is_rounded_to_the_nearest_point_halves_up(tons: int, low: int, high: int) -> None:
    found = [card(facts(guns=44, tons_burthen=tons, overrides={"hull": asked})).hull_max for asked in (1, 99)]
    assert found == [low, high]


@pytest.mark.clause("K.S10", "K.0.6")
@pytest.mark.parametrize(
    ("asked", "doubled"), [(3, 7), (3.5, 7), (3.74, 7), (3.75, 8), (4.24, 8), (4.25, 9), (4.5, 9), (6, 9)]
)
def test_fire_set_by_hand_is_rounded_to_the_half_and_within_a_tenth(asked: float, doubled: int) -> None:
    assert card(facts(guns=52, overrides={"fire": asked})).fire_track[0] == doubled


@pytest.mark.clause("K.S10", "K.A1.12")
@pytest.mark.parametrize("name", ["hull", "fire"])
def test_points_set_by_hand_are_numbers_above_zero_and_up_to_a_hundred(name: str) -> None:
    for value in (0.5, 1, 100):
        assert override_faults(facts(guns=52, overrides={name: value})) == ()
    for value in (0, -1, 100.5, 101, True, False, "7", None):
        (fault,) = override_faults(facts(guns=52, overrides={name: value}))
        assert fault == f"override {name} is {value!r}; it must be a number of points above 0"


@pytest.mark.clause("K.S3", "K.A1.12")
@pytest.mark.parametrize("name", ["fast", "handy", "unhandy"])
def test_qualities_set_by_hand_are_either_on_or_off(name: str) -> None:
    for value in (True, False):
        assert override_faults(facts(guns=52, overrides={name: value})) == ()
    for value in (0, 1, None, "yes"):
        (fault,) = override_faults(facts(guns=52, overrides={name: value}))
        assert fault == f"override {name} is {value!r}; it must be true or false"


@pytest.mark.clause("K.S3")
def test_handy_and_unhandy_together_are_refused_but_not_when_one_is_denied() -> None:
    both = facts(guns=52, overrides={"handy": True, "unhandy": True})
    assert override_faults(both) == ("overrides handy and unhandy cannot be used together",)
    for handy, unhandy in ((True, False), (False, True), (False, False)):
        assert override_faults(facts(guns=52, overrides={"handy": handy, "unhandy": unhandy})) == ()
    (unknown,) = override_faults(facts(guns=52, overrides={"masts": 3}))
    assert (
        unknown == "no override 'masts' in this rule set; use one of fast, fire, handy, hull, period, unhandy"
    )


@pytest.mark.clause("K.A1.2")
@pytest.mark.parametrize(
    ("pounds", "doubled"), [(0, 1), (25, 1), (75, 1), (76, 2), (125, 2), (126, 3), (1125, 22), (1126, 23)]
)
def test_broadsides_go_to_the_nearest_half_quarters_down_and_never_below_a_half(
    pounds: int, doubled: int
) -> None:
    assert card(facts(guns=52, broadside_lb=pounds)).fire_track[0] == doubled
