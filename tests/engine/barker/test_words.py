"""What the commander orders besides moves and shots, and what a captain sees of neutrals."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.barker import sight
from battles.engine.rulesets.barker.captain import words
from battles.engine.rulesets.barker.captain.commander import Commander
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Battle, Field, Unit
from battles.engine.rulesets.barker.view import View
from tests.engine.barker.builders import battle, unit
from tests.support.answers import unerring


@unerring
def said(*units: Unit, **over: Any) -> dict[str, Orders]:
    """What side A's commander adds, by unit."""
    made = battle(*units, unit("B9", (0, -30_000)), **over)
    sight.refresh(made)
    return words.added(View(made, "A"), {})


@pytest.mark.clause("P.S18")
def test_a_crippled_flagship_looks_for_the_nearest_sound_mate() -> None:
    flag, near, far = unit("A1", crippled=True), unit("A2", (300, 0)), unit("A3", (0, 900))
    assert said(flag, near, far)["A1"].flag == "A2"
    near.crippled = True
    assert said(flag, near, far)["A1"].flag == "A3"
    assert "A1" not in said(flag, unit("A3", (0, 1_001)))
    assert "A1" not in said(flag, unit("A2", (300, 0), squadron="A-2", group="A-2"))
    assert "A1" not in said(unit("A1"), unit("A2", (300, 0)))
    assert "A1" not in said(unit("A1", kind="TBD", crippled=True), unit("A2", (300, 0), kind="TBD"))


def tramp(at: tuple[float, float], **over: Any) -> Unit:
    return unit("B1", at, kind="TRAMP", **{"neutral": True, "contact": "n1", **over})


@pytest.mark.clause("P.N05")
def test_the_nearest_cruiser_hails_a_neutral_when_the_enemy_is_far_or_it_lies_in_the_way() -> None:
    ships = unit("A1", kind="C1"), unit("A2", (500, 0), kind="C3")
    assert {code: order.hail for code, order in said(*ships, tramp((3_000, 0))).items()} == {"A2": "n1"}
    assert said(*ships, tramp((4_600, 0))) == {}
    assert said(*ships, tramp((3_000, 0), stopped=True)) == {}
    assert said(unit("A1", kind="BB"), tramp((3_000, 0))) == {}
    assert said(*ships, tramp((3_000, 0)), unit("B2", (3_000, 19_000))) == {}
    assert said(*ships, tramp((2_500, 0)), unit("B2", (3_000, 19_000)))["A2"].hail == "n1"
    assert said(*ships, tramp((3_000, 0)), unit("B2", (3_000, 20_100)))["A2"].hail == "n1"


@pytest.mark.clause("P.K45", "P.R01")
def test_nothing_in_the_view_tells_a_neutral_from_an_enemy_in_disguise() -> None:
    genuine = battle(unit("A1"), tramp((3_000, 0)))
    false = battle(unit("A1"), unit("B1", (3_000, 0), kind="RAIDER_T", disguised=True, contact="n1"))
    assert View(genuine, "A").vessels() == View(false, "A").vessels() == (("n1", (300_000, 0), False),)
    assert View(false, "B").vessels() == ()
    assert View(battle(unit("A1"), tramp((33_000, 0))), "A").vessels() == ()
    with pytest.raises(KeyError):
        View(genuine, "A").unit("B1")


def field(**over: Any) -> list[Field]:
    return [Field("F", "A", [], carrier="A1", **{"unlaid": 6, **over})]


@pytest.mark.clause("P.X04", "P.R07")
@pytest.mark.parametrize(
    ("x", "y", "lays"),
    [(0, 7_900, True), (1_900, 3_000, True), (2_100, 3_000, False), (0, 8_100, False), (0, -500, False)],
)
def test_a_minelayer_lays_ahead_of_an_enemy_near_its_track(x: float, y: float, lays: bool) -> None:
    layer, watch = unit("A1", (x, y), kind="MINELAYER", disguised=True), unit("A2", (9_000, 9_000))
    found = said(layer, watch, unit("B1"), fields=field())
    assert ("A1" in found) is lays
    assert "A1" not in said(layer, watch, unit("B1"), fields=field(laying=True))
    assert "A1" not in said(layer, watch, unit("B1"), fields=[])


@pytest.mark.clause("P.R05")
def test_a_merchant_cruiser_acts_when_an_enemy_that_it_can_fight_is_near() -> None:
    for kind, yards, acts in (
        ("C3", 6_000, True),
        ("C3", 6_001, False),
        ("C2", 3_000, True),
        ("C1", 3_000, False),
        ("TRAMP", 3_000, True),
    ):
        found = said(unit("A1", kind="AMC"), unit("B1", (yards, 0), kind=kind))
        assert (found.get("A1") == Orders(act=True)) is acts


@pytest.mark.clause("P.K48")
def test_signals_come_with_the_commanders_plans_and_leave_the_orders_of_players_alone() -> None:
    made: Battle = battle(unit("A1", crippled=True), unit("A2", (300, 0)), unit("B1", (0, 5_000)))
    sight.refresh(made)
    found = Commander(Doctrine()).orders(View(made, "A"), {})
    assert found["A1"].flag == "A2" and found["A2"].plans
