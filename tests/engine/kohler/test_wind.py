"""The wind: shifts, strength, ships caught in irons, and the chart's terms."""

from __future__ import annotations

import pytest

from battles.engine.core.scenario import Strength
from battles.engine.rulesets.kohler import wind
from battles.engine.rulesets.kohler.state import Battle, WindForce
from tests.engine.kohler.builders import battle, events, play, ship


def blow(at_sea: Battle, *faces: int) -> None:
    """One turn's wind, with just these dice."""
    at_sea.turn += 1
    played = play(*faces)
    wind.shift(at_sea, played)
    wind.freshen(at_sea, played)
    played.dice.finish()


@pytest.mark.clause("K.E9", "K.W2", "K.W3", "K.W4", "K.W5", "K.W7", "K.A2.2", "K.A2.10")
def test_a_run_of_dice_swings_the_wind_between_two_directions_and_a_late_double_six_turns_it_one_step_further():
    sea = battle(ship())
    seen = []
    for faces in ((4, 1), (2, 2, 5), (6, 6), (1, 1, 2), (5, 5)):
        blow(sea, *faces)
        seen.append((sea.wind, sea.wind_prev, sea.strength))
    assert seen == [
        (3, None, WindForce.NORMAL),
        (2, 3, WindForce.STRONG),
        (1, 2, WindForce.STRONG),
        (2, 1, WindForce.NORMAL),
        (1, 2, WindForce.NORMAL),
    ]


@pytest.mark.clause("K.E9", "K.W3", "K.W4", "K.W6")
def test_a_second_run_of_wind_dice_returns_to_the_old_direction_even_through_double_six():
    sea = battle(ship())
    seen = []
    for faces in ((3, 3), (2, 2, 3), (5, 5), (6, 6), (4, 4)):
        blow(sea, *faces)
        seen.append(sea.wind)
    assert seen == [4, 3, 4, 3, 4]
    assert sea.strength is WindForce.LIGHT


@pytest.mark.clause("K.W6", "K.W3")
def test_double_six_as_the_first_double_is_an_even_double_like_any_other():
    sea = battle(ship())
    blow(sea, 6, 6)
    assert (sea.wind, sea.wind_prev) == (2, 3)


@pytest.mark.clause("K.W5")
def test_with_the_option_a_later_double_six_leaves_the_wind_unchanged():
    sea = battle(ship(), options={"double_six": "hold"})
    blow(sea, 4, 4)
    blow(sea, 6, 6)
    assert (sea.wind, sea.wind_prev) == (2, 3)


@pytest.mark.clause("K.A2.3", "K.A2.10")
@pytest.mark.parametrize("die", [1, 6])
def test_still_air_becomes_a_light_breeze_whatever_the_die(die: int):
    sea = battle(ship(), strength=WindForce.STILL)
    blow(sea, 1, 1, die)
    assert sea.strength is WindForce.LIGHT


@pytest.mark.clause("K.A2.1", "K.A2.2")
def test_three_on_the_die_drops_the_wind_one_level_and_four_raises_it_one():
    for die, strength in (
        (1, WindForce.LIGHT),
        (3, WindForce.LIGHT),
        (4, WindForce.STRONG),
        (6, WindForce.STRONG),
    ):
        sea = battle(ship())
        blow(sea, 2, 2, die)
        assert sea.strength is strength


@pytest.mark.clause("K.A2.8")
def test_a_gale_ends_the_battle_at_once():
    sea = battle(ship(), strength=WindForce.STRONG)
    blow(sea, 1, 1, 6)
    assert sea.ended == "gale"


@pytest.mark.clause("K.W7", "K.A2.9")
def test_without_the_weather_option_no_strength_die_is_thrown():
    sea = battle(ship(), options={"weather": False})
    blow(sea, 1, 1)
    assert sea.strength is WindForce.NORMAL and sea.wind == 4


@pytest.mark.clause("K.W8")
def test_a_fixed_wind_throws_no_dice():
    sea = battle(ship(), options={"wind_mode": "fixed"})
    blow(sea)
    assert (sea.wind, sea.strength) == (3, WindForce.NORMAL)


@pytest.mark.clause("K.W8", "K.G25")
def test_a_scripted_wind_follows_the_scenario_in_chart_terms():
    rows = [{"turn": 2, "towards": 225, "strength": "strong"}, {"turn": 3, "strength": "light"}]
    sea = battle(ship(), options={"wind_mode": "scripted", "wind_script": rows}, turn=0, north=345, wind=3)
    seen = []
    for _ in range(3):
        blow(sea)
        seen.append((sea.wind, sea.strength))
    assert seen == [(3, WindForce.NORMAL), (4, WindForce.STRONG), (4, WindForce.LIGHT)]


@pytest.mark.clause("K.W1")
def test_a_wind_no_one_has_set_comes_from_one_die():
    assert [wind.random_start(play(face).dice) for face in range(1, 7)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.clause("K.M14", "K.W9", "K.E7")
def test_only_ships_that_the_shift_puts_in_irons_are_caught():
    caught, hove_to, reaching = ship(id="E1", facing=1), ship(id="E2", facing=1), ship(id="E3", facing=2)
    hove_to.in_irons_last_turn = True
    sea = battle(caught, hove_to, reaching)
    played = play(3, 3)
    wind.shift(sea, played)
    wind.catch_in_irons(sea, played)
    assert [one.caught_in_irons for one in (caught, hove_to, reaching)] == [True, False, False]
    assert [event.ship for event in events(played, "caught")] == ["E1"]


@pytest.mark.clause("K.G25", "K.E32")
def test_the_charts_north_east_wind_is_the_right_one_of_the_six_on_the_board():
    assert wind.weather_in(225, Strength.MODERATE) == {"wind": 4, "north": 345, "strength": 2}


@pytest.mark.clause("K.G25")
@pytest.mark.parametrize(
    ("towards", "index"),
    [(29, 0), (30, 1), (89, 1), (90, 2), (149, 2), (150, 3), (269, 4), (270, 5), (329, 5), (330, 0)],
)
def test_the_charts_wind_goes_in_to_the_nearest_hexside_halves_clockwise(towards: int, index: int):
    assert wind.from_chart(towards, Strength.LIGHT)[:2] == (index, (towards - 60 * index) % 360)


@pytest.mark.clause("K.G25", "K.W8")
@pytest.mark.parametrize(
    ("towards", "index"), [(89, 1), (90, 2), (29, 0), (30, 1), (270, 5), (329, 5), (330, 0)]
)
def test_a_scripted_wind_is_rounded_in_the_same_way(towards: int, index: int):
    sea = battle(
        ship(),
        options={"wind_mode": "scripted", "wind_script": [{"turn": 1, "towards": towards}]},
        turn=0,
        north=0,
        wind=4,
    )
    blow(sea)
    assert sea.wind == index


@pytest.mark.clause("K.G25")
@pytest.mark.parametrize(
    ("bearing", "towards"),
    [(22, 0), (23, 45), (67, 45), (68, 90), (112, 90), (113, 135), (337, 315), (338, 0)],
)
def test_the_wind_comes_out_to_the_nearest_forty_five_degrees(bearing: int, towards: int):
    assert wind.chart_wind(battle(ship(), wind=0, north=bearing))[0] == towards


@pytest.mark.clause("K.G25", "K.0.3")
def test_every_chart_wind_on_the_compass_rose_returns_unchanged():
    for towards in range(0, 360, 45):
        for strength in Strength:
            index, north, own = wind.from_chart(towards, strength)
            assert (north + 60 * index) % 360 == towards
            assert wind.chart_wind(battle(ship(), wind=index, north=north, strength=own)) == (
                towards,
                strength,
            )


@pytest.mark.clause("K.G25")
def test_a_shifted_wind_returns_to_the_chart_to_the_nearest_45_degrees():
    assert wind.chart_wind(battle(ship(), wind=1, north=0))[0] == 45
    assert wind.chart_wind(battle(ship(), wind=5, north=0))[0] == 315
    assert wind.chart_wind(battle(ship(), wind=1, north=345))[0] == 45
