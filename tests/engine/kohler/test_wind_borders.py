"""Every double of the dice, who is caught in irons, and what the log says of the wind. Rules: K.W, K.A2, K.M14."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import wind
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Ship, Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship


def blow(sea: Battle, *faces: int) -> Play:
    """One turn's wind, with just these dice."""
    played = play(*faces)
    wind.shift(sea, played)
    wind.freshen(sea, played)
    played.dice.finish()  # type: ignore[attr-defined]
    return played


@pytest.mark.clause("K.W3", "K.W6")
@pytest.mark.parametrize("start", range(6))
def test_the_first_double_turns_the_wind_clockwise_when_odd_and_back_when_even(start: int) -> None:
    for face in range(1, 7):
        sea = battle(ship(), wind=start, options={"weather": False})
        blow(sea, face, face)
        assert (sea.wind, sea.wind_prev) == ((start + (1 if face % 2 else 5)) % 6, start)


@pytest.mark.clause("K.W4", "K.W5")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_later_double_swings_the_wind_back_but_a_double_six_turns_it_one_step_further(face: int) -> None:
    for now, before in ((0, 1), (4, 3), (2, 5)):
        sea = battle(ship(), wind=now, wind_prev=before, options={"weather": False})
        blow(sea, face, face)
        assert (sea.wind, sea.wind_prev) == (((now - 1) % 6 if face == 6 else before), now)


@pytest.mark.clause("K.W2")
def test_unequal_dice_change_nothing_and_log_nothing() -> None:
    for first in range(1, 7):
        for second in range(1, 7):
            if first != second:
                sea = battle(ship())
                assert not events(blow(sea, first, second), "wind")
                assert (sea.wind, sea.wind_prev, sea.strength) == (3, None, WindForce.NORMAL)


@pytest.mark.clause("K.A2.2", "K.A2.3", "K.W7", "K.A2.8")
@pytest.mark.parametrize("double", [1, 2])
@pytest.mark.parametrize("strength", [WindForce.STILL, WindForce.LIGHT, WindForce.NORMAL, WindForce.STRONG])
def test_a_double_one_or_two_throws_for_the_strength(double: int, strength: WindForce) -> None:
    for die in range(1, 7):
        sea = battle(ship(), strength=strength)
        played = blow(sea, double, double, die)
        up = die >= 4 or strength is WindForce.STILL
        assert sea.strength is WindForce(strength + (1 if up else -1))
        assert sea.ended == ("gale" if sea.strength is WindForce.GALE else "")
        direction, freshened = events(played, "wind")
        assert direction.data == {
            "towards": sea.wind, "was": 3, "strength": int(strength), "strength_was": int(strength),
        }  # fmt: skip
        assert freshened.data == {
            "towards": sea.wind, "was": sea.wind, "strength": int(sea.strength), "strength_was": int(strength),
        }  # fmt: skip
        assert (direction.clause, freshened.clause) == (
            "K.W3",
            "K.A2.3" if strength is WindForce.STILL else "K.A2.2",
        )


@pytest.mark.clause("K.W7")
@pytest.mark.parametrize("double", [3, 4, 5, 6])
def test_other_doubles_leave_the_strength(double: int) -> None:
    sea = battle(ship())
    blow(sea, double, double)
    assert sea.strength is WindForce.NORMAL and not sea.ended


@pytest.mark.clause("K.W8")
def test_a_scripted_wind_logs_what_changes_and_only_that() -> None:
    rows = [
        {"turn": 1, "towards": 180, "strength": "moderate"},
        {"turn": 2, "towards": 240},
        {"turn": 3, "strength": "still"},
        {"turn": 5, "strength": "gale"},
    ]
    sea = battle(ship(), options={"wind_mode": "scripted", "wind_script": rows})
    told = []
    for turn in range(1, 6):
        sea.turn = turn
        told.append([(e.clause, e.data["towards"], e.data["strength"]) for e in events(blow(sea), "wind")])
    assert told == [[], [("K.W8", 4, 2)], [("K.W8", 4, 0)], [], [("K.W8", 4, 4)]]
    assert sea.ended == "gale" and sea.wind_prev == 3


@pytest.mark.clause("K.M14")
@pytest.mark.parametrize(
    ("state", "caught"),
    [
        ({}, True),
        ({"prize_of": "DUT"}, True),
        ({"facing": 1}, False),
        ({"facing": 5}, False),
        ({"facing": 3}, False),
        ({"in_irons_last_turn": True}, False),
        ({"fired": True}, False),
        ({"status": Status.SINKING}, False),
        ({"status": Status.EXPECTED}, False),
    ],
)
def test_only_some_ships_are_caught_in_irons(state: dict[str, object], caught: bool) -> None:
    one = ship(**{"facing": 0, "caught_in_irons": True, **state})
    played = play()
    wind.catch_in_irons(battle(one), played)
    assert one.caught_in_irons is caught
    assert [event.ship for event in events(played, "caught")] == (["E1"] if caught else [])


@pytest.mark.clause("K.S9", "K.W9", "K.M14")
def test_ships_at_anchor_swing_and_the_others_are_caught() -> None:
    def swung(**over: object) -> tuple[Ship, list[str]]:
        lying, sailing = ship(squadron="A", facing=2, **over), ship(id="E2", pos=(5, 0))
        played = play()
        wind.catch_in_irons(battle(lying, sailing, options={"at_anchor": {"A": 2}}), played)
        assert sailing.caught_in_irons
        return lying, [event.ship for event in events(played, "moved")]

    lying, moved = swung()
    assert (lying.facing, lying.caught_in_irons, moved) == (0, False, ["E1"])
    for state in ({"status": Status.SINKING}, {"prize_of": "DUT"}, {"fired": True}):
        other, moved = swung(**state)
        assert (other.facing, moved) == (2, [])


@pytest.mark.clause("K.W9")
def test_a_ship_already_lying_to_the_wind_does_not_swing() -> None:
    lying = ship(facing=0)
    played = play()
    wind.catch_in_irons(battle(lying, options={"at_anchor": {"ENG-1": 2}}), played)
    assert not events(played, "moved") and not lying.caught_in_irons
    lying.facing = 4
    wind.catch_in_irons(battle(lying, options={"at_anchor": {"ENG-1": 2}}), played)
    (swing,) = events(played, "moved")
    assert swing.data == {"path": [[0, 0, 4], [0, 0, 0]], "tokens": [], "drift": False}


@pytest.mark.clause("K.W8", "K.G25")
@pytest.mark.parametrize("north", [0, 45, 345])
def test_a_scripted_wind_blows_to_the_nearest_hexside_of_a_board_turned_from_north(north: int) -> None:
    for off, index in (
        (0, 0),
        (29, 0),
        (30, 1),
        (89, 1),
        (90, 2),
        (149, 2),
        (150, 3),
        (209, 3),
        (210, 4),
        (269, 4),
        (270, 5),
        (329, 5),
        (330, 0),
        (359, 0),
    ):
        script = [{"turn": 1, "towards": (north + off) % 360}]
        sea = battle(
            ship(),
            options={"wind_mode": "scripted", "wind_script": script},
            north=north,
            wind=(index + 3) % 6,
        )
        blow(sea)
        assert sea.wind == index, off
