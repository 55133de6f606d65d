"""The figures that the campaign asks for, at each of their bounds. Rules: A.G2-A.G33."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts, Strength
from battles.engine.rulesets.age_of_sail import condition
from battles.engine.rulesets.age_of_sail.card import Card, card
from battles.engine.rulesets.age_of_sail.condition import Condition
from battles.engine.rulesets.age_of_sail.rules import RULES
from tests.support.answers import unerring

SEA = RULES.at_sea


@unerring
def made(kind: str = "ship_of_line", **facts: Any) -> dict[str, Any]:
    return card(ShipFacts("France", "France", kind, **facts)).to_dict()


LINE, LIGHT = made(), made("frigate", guns=32)


@unerring
def now(
    of: dict[str, Any], port: int, stbd: int, hull: int, masts: tuple[int, ...] = (2, 2, 2), **more: Any
) -> dict[str, Any]:
    return {**SEA.sound(of), "decks_port": port, "decks_stbd": stbd, "hull": hull, "masts": [*masts], **more}


@pytest.mark.clause("A.G12", "A.G13", "A.G14")
@pytest.mark.parametrize(
    ("boxes", "lost", "steps", "job"),
    [
        ((3, 3, 3), (0, 1), 0, "none"), ((2, 3, 3), (1, 9), 0, "light"), ((2, 2, 3), (2, 9), 0, "light"), ((2, 2, 2), (3, 9), 1, "medium"),
        ((0, 2, 3), (4, 9), 1, "medium"), ((3, 1, 0), (5, 9), 2, "heavy"), ((0, 3, 0), (6, 9), 2, "heavy"), ((1, 1, 0), (7, 9), 3, "worse"),
        ((0, 0, 1), (8, 9), 3, "worse"), ((0, 0, 0), (17, 18), 3, "worse"),
    ],
)  # fmt: skip
def test_the_share_of_decks_and_hull_lost_and_what_a_yard_makes_of_it(
    boxes: tuple[int, int, int], lost: tuple[int, int], steps: int, job: str
) -> None:
    hurt = now(LINE, *boxes)
    assert SEA.hull_fraction(LINE, hurt) == Fraction(*lost)
    assert (SEA.steps_lost(LINE, hurt), SEA.work(LINE, hurt).hull) == (steps, job)
    assert SEA.hull_fraction(LINE, {**hurt, "gone": True}) == 1


@pytest.mark.clause("A.G12", "A.G2", "A.C8", "A.C9", "A.B13")
def test_a_card_with_fewer_boxes_is_counted_by_its_own_boxes() -> None:
    small = made("merchant", guns=0, overrides={"masts": 1, "hull": 2})
    assert SEA.hull_fraction(small, now(small, 0, 0, 1, (2,))) == Fraction(1, 2)
    assert SEA.hull_fraction(small, now(small, 0, 0, 0, (2,))) == Fraction(3, 4)
    assert SEA.whole_value(small) == 3 and SEA.value(small, now(small, 0, 0, 1, (0,))) == 1
    away = now(LINE, 2, 1, 3, sent_port=1, sent_stbd=2)
    assert SEA.hull_fraction(LINE, away) == 0 and SEA.men(LINE, away, 100) == 100
    assert SEA.value(LINE, away) == 9 and SEA.pounds(LINE, away) == 3_750
    quarter = made("frigate", overrides={"hull": 2, "decks": 3})
    assert [SEA.work(quarter, now(quarter, 3 - n, 3, 2)).hull for n in range(4)] == [
        "none",
        "light",
        "light",
        "medium",
    ]
    assert SEA.steps_lost(quarter, now(quarter, 1, 3, 2)) == 1


@pytest.mark.clause("A.G18", "A.G9", "A.G2")
@pytest.mark.parametrize(
    ("boxes", "masts", "complement", "men"),
    [((3, 3, 3), (2, 2, 2), 77, 77), ((2, 3, 3), (2, 2, 2), 12, 12), ((2, 3, 3), (2, 2, 2), 11, 11), ((1, 3, 3), (2, 2, 2), 12, 11),
     ((2, 3, 3), (2, 1, 0), 600, 550), ((0, 0, 0), (0, 0, 0), 601, 301), ((0, 0, 0), (0, 0, 0), 600, 300), ((3, 3, 3), (1, 1, 1), 9, 9)],
)  # fmt: skip
def test_half_the_share_of_boxes_lost_falls_rounded_half_up(
    boxes: tuple[int, int, int], masts: tuple[int, ...], complement: int, men: int
) -> None:
    assert SEA.men(LINE, now(LINE, *boxes, masts), complement) == men


@pytest.mark.clause("A.G16", "A.G3", "A.M16")
@pytest.mark.parametrize(
    ("masts", "line", "light"),
    [((2, 2, 2), (1, 1), (1, 1)), ((2, 2, 0), (2, 3), (3, 4)), ((2, 1, 0), (1, 2), (1, 2)), ((0, 0, 1), (1, 6), (1, 8)),
    ((0, 0, 0), (0, 1), (0, 1))],
)  # fmt: skip
def test_speed_is_the_masts_left_by_value(
    masts: tuple[int, ...], line: tuple[int, int], light: tuple[int, int]
) -> None:
    assert SEA.sea_speed(LINE, now(LINE, 3, 3, 3, masts)) == Fraction(*line)
    assert SEA.sea_speed(LIGHT, now(LIGHT, 2, 2, 3, masts)) == Fraction(*light)
    assert SEA.work(LINE, now(LINE, 3, 3, 3, masts)).masts == sum(state < 2 for state in masts)


@pytest.mark.clause("A.G19", "A.G17", "A.G31")
def test_a_tenth_of_the_complement_sails_her() -> None:
    for men, complement, can in (
        (60, 600, True),
        (59, 600, False),
        (61, 601, True),
        (60, 601, False),
        (0, 0, True),
        (1, 9, True),
    ):
        assert SEA.can_sail(LINE, men, complement) is can
    assert SEA.no_go(LINE, SEA.sound(LINE)) == 45 and not SEA.steam(LINE) and not SEA.port_batteries


@pytest.mark.clause("A.G29", "A.D14")
@pytest.mark.parametrize(
    ("start", "hits", "left"),
    [
        ((3, 3, 3), 0, (3, 3, 3)), ((3, 3, 3), 1, (2, 3, 3)), ((3, 3, 3), 3, (2, 3, 3)), ((3, 3, 3), 4, (2, 2, 3)),
        ((2, 3, 3), 3, (2, 2, 3)),
        ((1, 0, 2), 6, (0, 0, 1)), ((0, 1, 2), 3, (0, 0, 2)), ((0, 0, 2), 6, (0, 0, 0)), ((0, 0, 0), 3, (0, 0, 0)),
        ((1, 3, 3), 9, (0, 1, 3)),
    ],
)  # fmt: skip
def test_three_hits_are_a_box_from_the_fuller_side_and_then_the_hull(
    start: tuple[int, int, int], hits: int, left: tuple[int, int, int]
) -> None:
    hit = SEA.hit(LINE, now(LINE, *start), hits)
    assert (hit["decks_port"], hit["decks_stbd"], hit["hull"]) == left


@pytest.mark.clause("A.G25", "A.G7", "A.D11", "A.D12")
@pytest.mark.parametrize("strength", [*Strength])
def test_a_wreck_is_asked_in_strong_wind_or_gale_and_founders_on_1_or_2(strength: Strength) -> None:
    rough = strength in (Strength.STRONG, Strength.GALE)
    for face in range(1, 7):
        for hurt, asked in (
            (now(LINE, 0, 0, 0), rough), (now(LINE, 1, 0, 0), False), (now(LINE, 0, 1, 0), False), (now(LINE, 0, 0, 1), False),
            (now(LINE, 0, 0, 0, rest=1), rough), (now(LINE, 0, 0, 0, rest=2), False), (now(LINE, 0, 0, 0, gone=True), False),
        ):  # fmt: skip
            with ScriptedDice([face] if asked else []) as dice:
                then = SEA.watch_at_sea(LINE, hurt, strength, dice, "E1")
            gone = hurt["gone"] or (asked and face <= 2)
            assert then["gone"] is gone
            assert then["rest"] == (6 if asked and not gone else max(0, hurt["rest"] - 1))


@pytest.mark.clause("A.G15", "A.G4", "A.G5")
@pytest.mark.parametrize(
    ("men", "complement", "sent", "left"),
    [
        (600, 600, (2, 1), (0, 0)), (599, 600, (2, 1), (0, 1)), (500, 600, (2, 1), (0, 1)), (499, 600, (2, 1), (1, 1)),
        (400, 600, (2, 1), (1, 1)),
        (399, 600, (2, 1), (2, 1)), (0, 600, (2, 1), (2, 1)), (700, 600, (1, 1), (0, 0)), (0, 0, (1, 2), (0, 0)),
        (499, 600, (0, 2), (0, 2)),
        (500, 600, (0, 2), (0, 1)), (500, 600, (1, 0), (1, 0)),
    ],
)  # fmt: skip
def test_decks_sent_off_come_home_with_the_men_to_port_first(
    men: int, complement: int, sent: tuple[int, int], left: tuple[int, int]
) -> None:
    away = now(LINE, 3 - sent[0], 3 - sent[1], 3, sent_port=sent[0], sent_stbd=sent[1])
    back = SEA.mend(LINE, away, done="recruits", men=men, complement=complement)
    assert (back["sent_port"], back["sent_stbd"]) == left
    assert (back["decks_port"], back["decks_stbd"]) == (3 - left[0], 3 - left[1])


@pytest.mark.clause("A.G15", "A.G27", "A.G4")
@pytest.mark.parametrize(
    ("card", "masts", "yard", "jury"),
    [
        (LINE, (0, 0, 0), (0, 2, 0), (0, 1, 0)), (LINE, (0, 2, 0), (2, 2, 0), (1, 2, 0)), (LINE, (2, 2, 0), (2, 2, 2), (2, 2, 1)),
        (LIGHT, (0, 0, 0), (0, 2, 0), (0, 1, 0)), (LIGHT, (0, 1, 0), (2, 1, 0), (1, 1, 0)), (LIGHT, (1, 1, 0), (1, 1, 2), (1, 1, 1)),
        (LIGHT, (1, 1, 1), (1, 2, 1), (1, 1, 1)), (LIGHT, (1, 2, 1), (2, 2, 1), (1, 2, 1)), (LINE, (2, 2, 1), (2, 2, 2), (2, 2, 1)),
        (LINE, (2, 2, 2), (2, 2, 2), (2, 2, 2)),
    ],
)  # fmt: skip
def test_a_yard_steps_one_mast_and_a_jury_mast_fills_the_best_gap(
    card: dict[str, Any], masts: tuple[int, ...], yard: tuple[int, ...], jury: tuple[int, ...]
) -> None:
    hurt = now(card, 1, 0, 2, masts)
    assert SEA.mend(card, hurt, done="mast", men=9, complement=9) == {**hurt, "masts": [*yard]}
    assert SEA.jury_mast(card, hurt) == {**hurt, "masts": [*jury]}


@pytest.mark.clause("A.G15", "A.G26")
def test_a_finished_hull_job_restores_what_is_not_away() -> None:
    hurt = now(LINE, 0, 1, 0, (0, 1, 2), sent_stbd=1, rest=3)
    assert SEA.mend(LINE, hurt, done="hull", men=1, complement=9) == {
        **hurt,
        "decks_port": 3,
        "decks_stbd": 2,
        "hull": 3,
    }
    assert SEA.mend(LINE, hurt, done="battery", men=1, complement=9) == hurt
    assert SEA.sound(LIGHT) == {
        "schema": 1, "decks_port": 2, "decks_stbd": 2, "hull": 3, "masts": [2, 2, 2], "sent_port": 0, "sent_stbd": 0, "rest": 0,
        "gone": False,
    }  # fmt: skip


@pytest.mark.clause("A.G30", "A.G20")
def test_a_prize_is_worth_the_share_of_her_boxes_rounded_down() -> None:
    odd = made(tons_burthen=201)
    assert SEA.pounds(odd, SEA.sound(odd)) == 1_005
    assert SEA.pounds(odd, now(odd, 2, 3, 3)) == 921
    assert SEA.pounds(odd, now(odd, 0, 0, 0, (0, 0, 1))) == 83
    assert SEA.pounds(odd, now(odd, 0, 0, 0, (0, 0, 0))) == 0


@pytest.mark.clause("A.G33", "A.C3", "A.C4", "A.C5", "A.B13")
def test_the_marks_on_a_card_have_their_order_bounds_and_clauses() -> None:
    rows = SEA.marks(LINE, now(LINE, 1, 2, 0, (2, 1, 0), sent_port=2, sent_stbd=1))
    assert [(row.name, row.value, row.least, row.most, row.clause) for row in rows] == [
        ("decks_port", 1, 0, 3, "A.C4"), ("decks_stbd", 2, 0, 3, "A.C4"), ("hull", 0, 0, 3, "A.C5"), ("fore", 1, 0, 1, "A.C3"),
        ("main", 1, 0, 1, "A.C3"), ("mizzen", 0, 0, 1, "A.C3"), ("sent_port", 2, 0, 3, "A.B13"), ("sent_stbd", 1, 0, 3, "A.B13"),
    ]  # fmt: skip
    brig = made("brig", guns=14, overrides={"masts": 2, "hull": 2, "decks": 1})
    assert [(row.name, row.most) for row in SEA.marks(brig, SEA.sound(brig))] == [
        ("decks_port", 1), ("decks_stbd", 1), ("hull", 2), ("fore", 1), ("main", 1), ("sent_port", 1), ("sent_stbd", 1)
    ]  # fmt: skip


@pytest.mark.clause("A.G33", "A.R1")
def test_marks_are_read_back_for_each_side_and_each_mast() -> None:
    hurt = now(LINE, 3, 3, 3, (2, 1, 0))
    for values, change in (
        ({"decks_port": 1}, {"decks_port": 1}), ({"decks_stbd": 2, "sent_stbd": 1}, {"decks_stbd": 2, "sent_stbd": 1}),
        ({"decks_port": 0, "sent_port": 3}, {"decks_port": 0, "sent_port": 3}), ({"hull": 0}, {"hull": 0}),
        ({"fore": 0}, {"masts": [0, 1, 0]}),
        ({"main": 0}, {"masts": [2, 0, 0]}), ({"mizzen": 1}, {"masts": [2, 1, 2]}), ({"main": 1}, {}),
    ):  # fmt: skip
        assert SEA.marked(LINE, hurt, values) == {**hurt, **change}
    for wrong in (
        {"sent_stbd": 1},
        {"decks_port": 3, "sent_port": 1},
        {"decks_stbd": 1, "sent_stbd": 3},
        {"hull": -1},
        {"main": 2},
    ):
        with pytest.raises(ValueError, match="\\S"):
            SEA.marked(LINE, hurt, wrong)


@pytest.mark.clause("A.G26", "A.G36")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ""), ({"decks_port": 4}, "decks_port"), ({"decks_port": -1}, "decks_port"), ({"decks_stbd": 4}, "decks_stbd"),
        ({"hull": 4}, "hull"),
        ({"hull": True}, "hull"), ({"sent_port": 4}, "sent_port"), ({"sent_stbd": -1}, "sent_stbd"), ({"rest": 7}, "rest"),
        ({"rest": 6}, ""),
        ({"rest": -1}, "rest"), ({"masts": (2, 2)}, "2 masts; the card has 3"), ({"masts": (2, 2, 3)}, "a mast may be"),
        ({"masts": (2, -1, 2)}, "a mast may be"),
        ({"masts": (0, 1, 2)}, ""), ({"gone": True}, "lost"), ({"gone": 0}, "lost"),
        ({"decks_port": 3, "sent_port": 1}, "decks_port and sent_port are 4"),
        ({"decks_stbd": 2, "sent_stbd": 2}, "decks_stbd and sent_stbd are 4"), ({"decks_stbd": 2, "sent_stbd": 1}, ""),
        ({"decks_port": 0, "sent_port": 3}, ""),
    ],
)  # fmt: skip
def test_what_a_ship_cannot_have_is_named_once(change: dict[str, Any], words: str) -> None:
    whole: dict[str, Any] = {"decks_port": 3, "decks_stbd": 3, "hull": 3, "masts": (2, 2, 2)}
    found = [*condition.faults(Card.from_dict(LINE), Condition(**{**whole, **change}))]
    assert len(found) == bool(words)
    assert words in "".join(found)


@pytest.mark.clause("A.G26")
def test_the_condition_of_a_ship_saved_by_another_version_is_refused() -> None:
    doc = SEA.sound(LINE)
    assert Condition.from_dict(doc).to_dict() == doc
    for schema in (0, 2, None):
        with pytest.raises(SchemaError):
            Condition.from_dict({**doc, "schema": schema})
