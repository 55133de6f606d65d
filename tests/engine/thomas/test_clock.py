"""Nightfall, ships that leave, the end. Rules: T.S13, T.S14, T.S16, T.C4, T.C5."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas import clock, turn
from battles.engine.rulesets.thomas.state import Rig, Status
from battles.engine.rulesets.thomas.tables import Kind
from tests.engine.thomas.builders import battle, events, play, said, ship


@pytest.mark.clause("T.C4", "T.S14", "T.E28")
@pytest.mark.parametrize(
    ("start", "minutes", "moves"),
    [
        (360, 90, 10), (540, 90, 8), (720, 90, 6), (900, 90, 4), (1_080, 90, 2), (1_260, 90, 0), (360, 60, 15),
        (1_200, 90, 1), (1_259, 90, 1), (1_300, 90, 0), (360, 91, 10),
    ],
)  # fmt: skip
def test_battle_turns_are_counted_to_nightfall(start: int, minutes: int, moves: int) -> None:
    made = battle(ship("E1"), ship("S1", y=9_000), start=start, move=1)
    made.options = {**made.options, "minutes_per_move": minutes}
    clock.nightfall(made, play())
    while not made.ended:
        clock.tick(made, play())
        made.move += not made.ended
    assert (made.ended, made.move) == ("nightfall", moves)


@pytest.mark.clause("T.C4", "T.S13", "T.C5")
@pytest.mark.parametrize(("night", "ended"), [(False, "nightfall"), (True, "")])
def test_no_turn_begins_after_nightfall_unless_they_fight_by_night(night: bool, ended: str) -> None:
    made = battle(ship("E1"), ship("S1", y=9_000), options={"night_action": night}, move=6)
    played = play()
    clock.tick(made, played)
    assert (made.ended, made.move) == (ended, 6)
    assert events(played, "night")[0].data["fights_on"] is night
    early = battle(ship("E1"), ship("S1", y=9_000), move=5)
    clock.tick(early, played)
    assert early.ended == ""


@pytest.mark.clause("T.C1", "T.C4")
@pytest.mark.parametrize(("start", "ended", "move"), [(1_260, "nightfall", 0), (1_259, "", 1)])
def test_a_battle_that_opens_at_nine_in_the_evening_has_no_turns(start: int, ended: str, move: int) -> None:
    made = battle(ship("E1"), ship("S1", y=9_000), start=start)
    clock.nightfall(made, play())
    assert (made.ended, made.move) == (ended, move)


@pytest.mark.clause("T.C4")
def test_a_battle_ends_in_the_evening_after_six_turns_from_noon() -> None:
    made = battle(ship("E1"), ship("S1", y=90_000), move=0)
    played = play(*(1, 1, 6, 5, 1, 2) * 6)
    while not made.ended:
        turn.play_move(made, played)
    assert (made.ended, made.move) == ("nightfall", 6)


@pytest.mark.clause("T.S16")
@pytest.mark.parametrize(
    ("change", "y", "gone"),
    [({"breaking_off": True}, -32_001, True), ({"breaking_off": True}, -32_000, False), ({}, -40_000, False),
     ({"breaking_off": True, "heading": 18_000}, -40_000, False), ({"breaking_off": True, "drifted": True}, -40_000, False)],
)  # fmt: skip
def test_a_ship_clear_of_every_enemy_leaves_if_she_chooses(
    change: dict[str, Any], y: int, gone: bool
) -> None:
    one = ship("E1", under_sail=True, **change)
    clock.tick(battle(one, ship("E2", under_sail=True), ship("S1", y=y)), play())
    assert (one.status is Status.WITHDRAWN) is gone


@pytest.mark.clause("T.S16")
def test_a_fleet_ordered_to_avoid_action_leaves() -> None:
    one = ship("E1", under_sail=True)
    made = battle(one, ship("S1", y=-40_000))
    made.squadrons["ENG-1"].doctrine = Doctrine(stance=Stance.AVOID)
    clock.tick(made, play())
    assert (one.status, made.ended) == (Status.WITHDRAWN, "parted")


@pytest.mark.parametrize("change", [{"struck": True}, {"prize_of": "ENG"}, {"status": Status.SUNK}])
def test_the_battle_is_over_when_a_side_has_no_one_left_to_fight(change: dict[str, Any]) -> None:
    made = battle(ship("E1"), ship("S1", y=9_000, **change))
    clock.tick(made, play())
    assert made.ended == "beaten"
    going_on = battle(ship("E1"), ship("S1", y=9_000))
    clock.tick(going_on, play())
    assert going_on.ended == ""
    late = battle(ship("E1"), ship("S1", y=9_000), last_move=1)
    clock.tick(late, play())
    assert late.ended == "limit"


@pytest.mark.clause("T.C5")
def test_no_one_is_asked_to_fight_on_by_night_against_ships_still_expected() -> None:
    asked = said("ENG", fights_on=True)
    made = battle(ship("E1"), ship("S1", y=9_000, status=Status.EXPECTED), move=6)
    clock.tick(made, play(**asked))
    assert (made.ended, asked["captains"]["ENG"].asked) == ("nightfall", [])


@pytest.mark.clause("T.C5", "T.C8")
@pytest.mark.parametrize(
    ("change", "can"),
    [
        ({}, True), ({"anchored": True}, False), ({"masts_lost": 1}, True), ({"masts_lost": 2}, False),
        ({"crew_halves": 12}, True), ({"crew_halves": 11}, False), ({"masts_lost": 2, "rig": Rig.OARS}, True),
        ({"anchored": True, "rig": Rig.OARS}, False),
    ],
    ids=str,
)  # fmt: skip
def test_who_is_able_to_leave(change: dict[str, Any], can: bool) -> None:
    one = ship("E1", kind=Kind.GALLEY, oar_speed=6_000, oar_turn=9_000, **change)
    assert clock.can_leave(battle(one), one) is can
