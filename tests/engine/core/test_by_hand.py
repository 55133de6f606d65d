"""Battles set up by hand: the dice of hour and wind."""

from __future__ import annotations

import pytest

from battles.engine.core.by_hand import throw_hour, throw_wind, thrown
from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Strength, read_scenario
from tests.support.fleets import meeting_document

pytestmark = pytest.mark.clause("G.CO5")


@pytest.mark.parametrize(("faces", "hour"), [((1,), 6), ((5,), 18), ((6, 6, 3), 12)])
def test_the_hour_is_thrown_and_a_six_is_thrown_again(faces: tuple[int, ...], hour: int) -> None:
    assert throw_hour(ScriptedDice(faces)) == hour


@pytest.mark.parametrize(
    ("faces", "wind"),
    [
        ((1,), (0, Strength.MODERATE)),
        ((6, 4), (270, Strength.MODERATE)),
        ((5, 2), (90, Strength.MODERATE)),
        ((5, 6, 5, 3), (180, Strength.STILL)),
    ],
)
def test_the_wind_is_thrown_and_a_second_five_is_a_calm(
    faces: tuple[int, ...], wind: tuple[int, Strength]
) -> None:
    assert throw_wind(ScriptedDice(faces)) == wind


def test_the_battle_lasts_until_nightfall_and_keeps_its_day() -> None:
    scenario = read_scenario(meeting_document(2, 2, start="1666-06-01T10:00"))
    made = thrown(scenario, ScriptedDice((5, 3)), minutes_a_turn=30, most=30)
    assert (made.start, made.turn_limit, made.wind_towards) == ("1666-06-01T18:00", 6, 0)
    early = thrown(scenario, ScriptedDice((1, 1)), minutes_a_turn=30, most=20)
    assert early.turn_limit == 20
