"""What the characters of commanders do to movement. Places in yards, headings in degrees."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.barker import plans, temper
from battles.engine.rulesets.barker.movement import movers
from battles.engine.rulesets.barker.movers import Mover
from battles.engine.rulesets.barker.notation import parse, plan_text
from battles.engine.rulesets.barker.state import Battle, Unit
from tests.engine.barker.builders import battle, in_line, play, unit
from tests.support.answers import unerring


@unerring
def led(character: int, foe: Unit, heading: float = 0, kind: str = "BB") -> tuple[Mover, Battle]:
    line = in_line(kind, kind)
    line.character = character
    made = battle(*line.units, foe)
    made.parties["A"].contacts = (foe.id,)
    return line, made


@unerring
def dear(character: int, text: str, foe: Unit) -> int:
    line, made = led(character, foe)
    (plan,) = parse(text).plans
    return plans.cost(made, line, plans.settled(line.lead, plan, stopped=False))


@pytest.mark.clause("P.EX24", "P.L05", "P.L06", "P.L08", "P.I16")
def test_the_gallant_pay_for_opening_the_range_and_the_cautious_for_closing_it() -> None:
    west, east = unit("B1", (-3_000, 0)), unit("B1", (3_000, 0))
    assert dear(temper.GALLANT, "P+90 C", west) == 3
    assert dear(temper.GALLANT, "P+90 C", east) == 2
    assert dear(temper.CAUTIOUS, "P+90 C", east) == 3
    assert dear(temper.CAUTIOUS, "P+90 C", west) == 2
    assert dear(0, "P+90 C", east) == dear(0, "P+90 C", west) == 2


@pytest.mark.clause("P.L05", "P.L08")
def test_a_submarine_does_not_shame_a_gallant_man_and_what_is_not_seen_does_not_count() -> None:
    boat = unit("B1", (-3_000, 0), 0, "SUB")
    assert dear(temper.GALLANT, "P+90 C", boat) == 2
    line, made = led(temper.GALLANT, unit("B1", (-3_000, 0)))
    made.parties["A"].contacts = ()
    (plan,) = parse("P+90 C").plans
    assert plans.cost(made, line, plan) == 2


@pytest.mark.clause("P.L08")
@pytest.mark.parametrize(("east", "points"), [(-300.8, 2), (-298.9, 3)])
def test_a_change_of_distance_under_a_yard_does_not_count(east: float, points: int) -> None:
    # Turning by 90 degrees to starboard brings her middle from (0, 0) to (300, 300); a foe on the diagonal's foot sees no change.
    foe = unit("B1", (east + 600, 0))
    line, made = led(temper.CAUTIOUS, foe)
    (plan,) = parse("P+90 C").plans
    before = abs(east + 600)
    after = ((east + 300) ** 2 + 300**2) ** 0.5
    assert plans.cost(made, line, plan) == (3 if before - after >= 1 else 2) == points


@pytest.mark.clause("P.L08", "P.I16")
def test_each_ship_of_a_turn_together_pays_for_herself() -> None:
    foe = unit("B1", (-3_000, 0))
    assert dear(temper.GALLANT, "T+90 C", foe) == 1 + 2 + 2
    line, made = led(temper.GALLANT, foe)
    line.units[1].obsolete = False
    wheel = in_line("BB", "BB", kind="abreast")
    wheel.character = temper.GALLANT
    made = battle(*wheel.units, unit("B1", (500, 3_000)))
    made.parties["A"].contacts = ("B1",)
    (plan,) = parse("P-90 C").plans
    # The innermost ship of a wheel to port is the leftmost: she comes nearer. To starboard it is the other, who opens the range.
    assert plans.cost(made, wheel, plan) == 2


@pytest.mark.clause("P.L10")
def test_attached_torpedo_craft_share_the_character_of_their_squadron() -> None:
    made = battle(
        unit("A1"),
        unit("A2", (2_000, 0), 0, "TBD"),
        unit("A3", (4_000, 0), 0, "TBD", squadron="A-T", group="A-T"),
    )
    made.squadrons["A-1"].character = temper.GALLANT
    assert {mover.lead.id: mover.character for mover in movers(made, play(made), "A")} == {
        "A1": 4,
        "A2": 4,
        "A3": 0,
    }


def boats_near(x: float, y: float, kind: str = "TBD", seen: bool = True) -> tuple[Mover, Battle]:
    line = in_line("BB", "BB", "BB")
    line.character = temper.TORPEDOPHOBE
    made = battle(*line.units, unit("B1", (x, y), 0, kind))
    made.parties["A"].contacts = ("B1",) if seen else ()
    line.turn_off = temper.turn_off(made, line)
    return line, made


@pytest.mark.clause("P.L04")
@pytest.mark.parametrize(
    ("x", "y", "kind", "triggers"),
    [
        (1_600, 0, "TBD", True),
        (1_601, 0, "TBD", False),
        (1_600, 0, "TB", True),
        (1_000, 0, "SUB", False),
        (1_000, 0, "C2", False),
        # Abaft the beam of the last ship in line, 134 and 136 degrees off her heading.
        (800, -800 - 772, "TBD", True),
        (800, -800 - 829, "TBD", False),
    ],
)
def test_a_commander_who_fears_torpedoes_minds_boats_within_normal_range_of_any_ship_of_the_formation(
    x: float, y: float, kind: str, triggers: bool
) -> None:
    assert (boats_near(x, y, kind)[0].turn_off >= 0) is triggers
    assert boats_near(x, y, kind, seen=False)[0].turn_off < 0


@pytest.mark.clause("P.L04")
def test_his_first_paid_move_turns_off_by_45_degrees_at_least_if_the_points_suffice() -> None:
    def taken(text: str, nips: int) -> str:
        line, made = boats_near(1_000, 500)
        return plan_text(plans.choose(made, line, parse(text).plans, nips)[0])

    assert taken("P+45 C", 6) == "P-45 C"
    assert taken("P-44.99 C", 6) == "P-45 C"
    assert taken("P-60 C", 6) == "P-60 C"
    assert taken("C P", 6) == "P-45 C"
    assert taken("C", 2) == "P-45 C"
    # He cannot comply.
    assert taken("C P", 1) == "C P"


@pytest.mark.clause("P.L04")
def test_a_commander_who_does_not_fear_torpedoes_turns_away_from_no_one() -> None:
    line, made = boats_near(1_000, 500)
    line.character = 0
    assert temper.turn_off(made, line) == -1
