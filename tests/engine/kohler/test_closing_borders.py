"""The state in which a ship is returned, and who holds the field, case by case. Rules: K.G6, K.G7, K.G11, K.G27, G.BT3."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.fates import Flag
from battles.engine.rulesets.kohler import closing
from battles.engine.rulesets.kohler.state import Battle, Ship, Status
from tests.engine.kohler.builders import battle, play, ship


def ended(*ships: Ship, **over: object) -> Battle:
    """A battle that is over."""
    return battle(*ships, **{"ended": "nightfall", "turn": 30, **over})  # type: ignore[arg-type]


@pytest.mark.clause("K.G6", "G.BT3")
@pytest.mark.parametrize(
    ("state", "flags"),
    [
        ({"status": Status.GONE, "steps_lost": 3}, {Flag.WITHDREW, Flag.DISABLED}),
        ({"aground": True, "steps_lost": 3}, {Flag.AGROUND, Flag.DISABLED}),
        ({"steps_lost": 2}, set()),
        ({"aground": True, "prize_of": "DUT"}, set()),
        ({"aground": True, "prize_of": "ENG"}, {Flag.AGROUND}),
        ({"aground": True, "status": Status.SINKING}, set()),
        ({"aground": True, "status": Status.EXPECTED}, set()),
    ],
)
def test_flags_are_given_for_ships_still_afloat_under_their_own_colours(
    state: dict[str, Any], flags: set[Flag]
) -> None:
    assert closing.outcome(ended(ship(**state))).ship("E1").flags == frozenset(flags)


@pytest.mark.clause("K.B25", "K.G7")
@pytest.mark.parametrize(
    ("state", "cause"),
    [
        ({"prize_of": "ENG", "captor_ship": "E2"}, "retaken"),
        ({"prize_of": "ENG"}, ""),
        ({"prize_of": "DUT", "captor_ship": "D1"}, ""),
        ({"prize_of": "ENG", "captor_ship": "E2", "status": Status.SINKING, "cause": "gunfire"}, "gunfire"),
        ({"status": Status.WRECKED, "cause": "driven ashore"}, "driven ashore"),
        ({}, ""),
    ],
)
def test_a_loss_has_its_cause_and_a_recapture_is_mentioned(state: dict[str, Any], cause: str) -> None:
    assert closing.outcome(ended(ship(**state))).ship("E1").cause == cause


@pytest.mark.clause("K.G7", "G.PR1")
def test_only_a_ship_in_enemy_hands_has_captor_prisoners_and_prize_crew() -> None:
    for state in ({}, {"prize_of": "ENG"}, {"prize_of": "DUT", "status": Status.SINKING}):
        entry = closing.outcome(ended(ship(captor_ship="X1", **state))).ship("E1")
        assert (entry.captor, entry.captor_ship, entry.prisoners, entry.prize_crew) == ("", "", 0, 0)
    entry = closing.outcome(ended(ship(prize_of="DUT", captor_ship="D1"))).ship("E1")
    assert (entry.captor, entry.captor_ship, entry.prisoners, entry.prize_crew) == ("DUT", "D1", 200, 60)


@pytest.mark.clause("G.BT3")
@pytest.mark.parametrize(
    ("state", "held"),
    [
        ({}, ""),
        ({"steps_lost": 2}, ""),
        ({"steps_lost": 3}, "ENG"),
        ({"aground": True}, "ENG"),
        ({"prize_of": "DUT"}, "ENG"),
        ({"prize_of": "ENG"}, "ENG"),
        ({"status": Status.SINKING}, "ENG"),
        ({"status": Status.EXPECTED}, "ENG"),
    ],
)
def test_the_right_side_is_left_to_hold_the_field(state: dict[str, Any], held: str) -> None:
    fight = ended(ship(), ship(id="D1", side="DUT", pos=(5, 0), **state))
    assert closing.outcome(fight).held_field == held


@pytest.mark.clause("G.BT3")
def test_no_one_holds_a_field_on_which_no_one_can_make_sail() -> None:
    fight = ended(ship(steps_lost=3), ship(id="D1", side="DUT", pos=(5, 0), aground=True))
    assert closing.outcome(fight).held_field == ""


@pytest.mark.clause("K.G26")
@pytest.mark.parametrize(("turn", "minutes"), [(0, 0), (1, 30), (17, 510)])
def test_a_turn_takes_half_an_hour(turn: int, minutes: int) -> None:
    assert closing.outcome(ended(ship(), turn=turn)).minutes == minutes


@pytest.mark.clause("K.G11", "K.0.5")
def test_officers_throw_in_the_list_order_of_their_ships() -> None:
    one, other = ship(id="E1", squadron="A"), ship(id="E2", squadron="B", pos=(1, 0))
    fight = ended(one, other)
    for code, name in (("A", "Monck"), ("B", "Rupert")):
        fight.squadrons[code].officer = name
    fight.officers = {"B": ("E2", "hit", "K.C9"), "A": ("E1", "hit sunk", "K.G11")}
    played = play(4, 3, 1)
    closing.settle_officers(fight, played)
    played.dice.finish()
    assert fight.officers == {"A": ("E1", "wounded", "K.G11"), "B": ("E2", "killed", "K.G11")}
