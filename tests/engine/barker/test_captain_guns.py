"""What the automatic captains weigh, at what they fire and what they light."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.barker.captain import (
    guns,
    odds,
)
from battles.engine.rulesets.barker.play import Token
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import Phase
from battles.engine.rulesets.barker.view import View
from tests.engine.barker.builders import field, unit, view
from tests.support.answers import unerring

C, X, P = Token("C"), Token("X"), Token("P")


# --- odds ---


def test_chances_are_counted_over_all_throws() -> None:
    # Battleship at battleship, LONG: the attacker has to throw three more.
    assert odds.chances(2, 4) == (6, 0)
    assert odds.chances(3, 4) == (10, 0)
    assert odds.chances(3, 2) == (15, 6)
    assert odds.chances(-6, 4) == (0, 0)


@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        ({}, 15 * 6),
        ({"damage": 1}, 15 * 6),
        ({"damage": 2}, 50 * 6),
        ({"crippled": True}, 33 * 11 + 100 * 4),
        ({"crippled": True, "damage": 2}, 1_500),
    ],
)
def test_a_shot_is_worth_what_it_may_do(over: dict[str, Any], wanted: int) -> None:
    assert odds.worth(odds.kind(unit("A1")), odds.kind(unit("B1", **over)), 2, 0) == 24 * wanted


def test_torpedoes_go_for_cripples() -> None:
    boat = odds.kind(unit("A1", kind="TBD"))
    whole, lame = odds.kind(unit("B1")), odds.kind(unit("B1", crippled=True))
    assert odds.worth(boat, whole, 0, 0) == 24 * 50 * 6
    assert odds.worth(boat, lame, 0, 0) == 24 * 100 * 15
    assert odds.worth(odds.kind(unit("A1", kind="TBD", fired=True)), whole, 0, 0) == 24 * 50


def test_what_cannot_be_fired_is_worth_nothing() -> None:
    assert odds.worth(odds.kind(unit("A1", kind="C2")), odds.kind(unit("B1")), 3, 0) == 0
    assert odds.worth(odds.kind(unit("A1", kind="LINER")), odds.kind(unit("B1")), 1, 0) == 0


@pytest.mark.parametrize(
    ("over", "wanted"),
    [({}, 2_400), ({"damage": 1}, 2_040), ({"damage": 2}, 1_680), ({"crippled": True}, 600)],
)
def test_strength_by_condition(over: dict[str, Any], wanted: int) -> None:
    assert odds.strength(unit("A1", **over)) == wanted


# --- guns ---


@unerring
def chosen(
    me: Unit, *foes: Unit, legal: list[tuple[str, str]], hold: bool = True, **over: Any
) -> list[tuple[str, str]]:
    return guns.choose(view(me, *foes, **over), me, legal, hold=hold)


def test_the_best_target_of_a_slot_is_the_one_nearest_its_end() -> None:
    foes = [unit("B1", (3_000, 0)), unit("B2", (3_000, 600), damage=2), unit("B3", (3_000, -600))]
    legal = [("main", one.id) for one in foes]
    assert chosen(unit("A1"), *foes, legal=legal) == [("main", "B2")]


def test_fire_is_spread_over_equals_and_doubled_on_cripples() -> None:
    foes = [unit("B1", (3_000, 0)), unit("B2", (3_000, 600))]
    legal = [("main", "B1"), ("main", "B2")]
    assert chosen(unit("A1"), *foes, legal=legal) == [("main", "B1")]
    assert chosen(unit("A1"), *foes, legal=legal, tallies={"B1": ("A2",)}) == [("main", "B2")]
    foes[0].crippled = True
    assert chosen(unit("A1"), *foes, legal=legal, tallies={"B1": ("A2",)}) == [("main", "B1")]


def test_main_and_other_go_to_different_sides() -> None:
    foes = [unit("B1", (1_500, 0)), unit("B2", (1_500, 600)), unit("B3", (-1_500, 0))]
    legal = [(slot, one.id) for one in foes for slot in ("main", "other")]
    assert chosen(unit("A1"), *foes, legal=legal) == [("main", "B1"), ("other", "B3")]


def test_a_shot_without_a_chance_is_not_fired() -> None:
    me = unit("A1", crippled=True, obsolete=True)
    assert chosen(me, unit("B1", (5_900, 0)), legal=[("main", "B1")]) == []


def test_torpedo_craft_about_to_rush_in_are_fired_at_first() -> None:
    foes = [unit("B1", (1_500, 0), kind="C3"), unit("B2", (1_500, 600), kind="TBD")]
    assert chosen(unit("A1"), *foes, legal=[("main", "B1"), ("main", "B2")]) == [("main", "B2")]


@pytest.mark.parametrize(
    ("yards", "fired", "hold", "wanted"),
    [(700, False, True, 1), (1_500, False, True, 0), (1_500, True, True, 1), (1_500, False, False, 1)],
)
def test_the_first_torpedo_waits_for_close_range(yards: int, fired: bool, hold: bool, wanted: int) -> None:
    me = unit("A1", kind="TBD", fired=fired)
    made = chosen(
        me, unit("B1", (yards, 0), kind="C3", crippled=not fired), legal=[("shot", "B1")], hold=hold
    )
    assert len(made) == wanted


def test_only_contacts_are_fired_at() -> None:
    made = field(unit("A1"), unit("B1", (3_000, 0)))
    made.parties["A"].contacts = ()
    assert guns.choose(View(made, "A"), made.units["A1"], [("main", "B1")]) == []


def test_torpedo_craft_in_reach_fire_before_the_guns() -> None:
    seen = view(
        unit("A1"), unit("A2", (2_500, 0), kind="TBD", squadron="A-2", group="A-2"), unit("B1", (3_000, 0))
    )
    assert guns.squadron(seen, ("A-1", "A-2")) == "A-2"
    far = view(
        unit("A1"), unit("A2", (0, 500), kind="TBD", squadron="A-2", group="A-2"), unit("B1", (3_000, 0))
    )
    assert guns.squadron(far, ("A-2", "A-1")) == "A-1"


@pytest.mark.parametrize(
    ("phase", "kind", "yards", "over", "wanted"),
    [
        (Phase.DAY, "TBD", 700, {}, 0),
        (Phase.NIGHT, "TBD", 700, {}, 1),
        (Phase.NIGHT, "BB", 900, {}, 1),
        (Phase.NIGHT, "BB", 900, {"crippled": True}, 0),
    ],
)
def test_what_is_lit(phase: Phase, kind: str, yards: int, over: dict[str, Any], wanted: int) -> None:
    seen = view(unit("A1"), unit("A2", (0, 500)), unit("B1", (yards, 0), kind=kind, **over), phase=phase)
    assert list(guns.lights(seen).values()) == ["B1"] * wanted


def test_a_ship_on_fire_does_the_lighting() -> None:
    seen = view(
        unit("A1"), unit("A2", (0, 500), crippled=True), unit("B1", (900, 0), kind="TBD"), phase=Phase.NIGHT
    )
    assert guns.lights(seen) == {"A2": "B1"}
