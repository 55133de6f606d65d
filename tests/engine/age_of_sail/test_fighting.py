"""Volleys, fire, boarding, prizes, repair and the high seas, round by round with dice that are given. Rules: A.F, A.D, A.X, A.B, A.R."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import boarding, burning, gunnery, hazards
from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status
from tests.engine.age_of_sail.builders import E, S, W, battle, kinds, play, played, ship
from tests.support.answers import unerring

STILL: dict[str, Any] = {"anchor": Anchor.DOWN, "came": 99}


def boxes(one: Ship) -> tuple[int, int, int]:
    return one.port, one.stbd, one.units


@unerring
def volley(
    made: Battle, faces: list[int], side: str = "starboard", aim: str = "hull", by: str = "E1"
) -> bool:
    table = play(made, faces)
    fired = gunnery.fire(made, table, made.ships[by], Shot(side, 0, "D1", aim))
    table.dice.finish()  # type: ignore[attr-defined]
    return fired


@pytest.mark.clause("A.E11", "A.F1", "A.F7", "A.F9", "A.D2", "A.D10", "A.X1")
def test_each_deck_of_a_broadside_throws_a_die_and_a_hit_costs_a_deck() -> None:
    made = battle(ship("E1"), ship("D1", 6, 2, S))
    assert volley(made, [4, 3, 6])
    assert boxes(made.ships["D1"]) == (3, 1, 3)
    assert made.ships["D1"].fire_stage == 0
    assert (made.ships["E1"].hits_given, made.ships["D1"].hits_taken) == (2, 2)
    assert not volley(made, []), "a side fires once in a round"


@pytest.mark.clause("A.E12", "A.D4")
def test_a_shot_from_astern_counts_on_both_sides() -> None:
    made = battle(ship("E1"), ship("D1", 3, 0, E))
    assert volley(made, [3, 5, 2])
    assert boxes(made.ships["D1"]) == (1, 1, 3)


@pytest.mark.clause("A.D4", "A.G38")
def test_with_the_narrow_arc_a_shot_on_the_quarter_counts_once() -> None:
    made = battle(ship("E1"), ship("D1", 3, -1, E), stern_arc="astern")
    assert volley(made, [3, 1, 1])
    assert sum(boxes(made.ships["D1"])) == 8


@pytest.mark.clause("A.E13", "A.D7", "A.X1", "A.X2")
def test_two_sixes_light_a_ship_and_bow_fire_takes_the_foremast_first() -> None:
    made = battle(ship("E1"), ship("D1", 3, 0, W, cls="light"))
    made.turn = 4
    assert volley(made, [6, 6, 1], aim="sails")
    target = made.ships["D1"]
    assert (target.rig, target.power, target.fire_stage, target.fire_round) == ([-2, -2, 2], 2, 1, 4)


@pytest.mark.clause("A.F9")
@pytest.mark.parametrize(
    ("away", "aim", "faces", "lost"),
    [
        (4, "hull", [3, 2, 1], 1), (8, "hull", [4, 3, 1], 1), (12, "hull", [5, 4, 1], 1),
        (4, "sails", [4, 3, 1], 1), (8, "sails", [5, 4, 1], 1), (12, "sails", [6, 5, 1], 1),
    ],
)  # fmt: skip
def test_a_die_hits_by_range_and_aim(away: int, aim: str, faces: list[int], lost: int) -> None:
    made = battle(ship("E1"), ship("D1", away, 0))
    assert volley(made, faces, aim=aim)
    assert made.ships["D1"].boxes_lost == lost


@pytest.mark.clause("A.F10", "A.F11", "A.G38")
def test_a_ship_between_blocks_fire_within_half_a_centimetre_of_the_line() -> None:
    for y, allowed in ((0.5, False), (0.51, True), (-0.4, False)):
        made = battle(ship("E1"), ship("E2", 3, y), ship("D1", 6, 0))
        assert volley(made, [1, 1, 1] if allowed else []) is allowed
    assert volley(battle(ship("E1"), ship("E2", 3, 0), ship("D1", 6, 0), block_line=False), [1, 1, 1])
    assert volley(battle(ship("E1"), ship("E2", 7, 0), ship("D1", 6, 0)), [1, 1, 1]), "beyond her"


@pytest.mark.clause("A.F12", "A.R2", "A.B6", "A.F13", "A.B14")
def test_who_repairs_has_boarded_or_waits_for_a_prize_crew_does_not_fire() -> None:
    denied: list[dict[str, Any]] = [{"repairing": True}, {"boarded": True}, {"captor": "E2"}, {"manned": 0}]
    for over in denied:
        assert ship("E1", **over).volley("port") == 0
    prize = ship("E1", captor="E2", manned=2, port=1)
    assert (prize.volley("port"), prize.volley("starboard")) == (1, 2)
    prize.crew_fired = 1
    assert prize.volley("starboard") == 1, "the prize crew serves both sides"


@pytest.mark.clause("A.F4", "A.F5", "A.F6", "A.S9", "A.S10", "A.S11", "A.S13")
def test_volleys_fall_at_any_step_of_the_own_move_and_late_ones_at_its_end() -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 6, 7, E, **STILL), ship("D2", 6, -6, E, **STILL))
    _, events = played(made, {"E1": "A6 | port>D1=4 starboard>D2"}, [1, 1, 1, 1, 1, 1])
    shots = [event for event in events if event.kind == "volley"]
    assert [(event.data["side"], event.step, event.data["range"]) for event in shots] == [
        ("port", "1-S9", 7_280),
        ("starboard", "1-S10", 6_000),
    ]
    assert all(event.ship == "E1" for event in shots), "nobody fires back in the other's turn"


@pytest.mark.clause("A.E16", "A.X3", "A.X4", "A.X5", "A.X6", "A.X7", "A.P8")
def test_a_fire_is_thrown_for_twice_and_then_the_ship_blows_up_and_lights_others() -> None:
    def fresh() -> Battle:
        made = battle(
            ship("E1", 12, 0), ship("E2", 12.5, 5), ship("D1", 0, 0, fire_stage=1, fire_round=4),
            ship("D2", 3, 0), ship("D3", 0, 7.5),
        )  # fmt: skip
        made.active = "D"
        return made

    made = fresh()
    made.turn = 4
    burning.fires(made, play(made))
    made.turn = 5
    burning.fires(made, play(made, [4]))
    assert made.ships["D1"].fire_stage == 2
    burning.fires(made, play(made))
    made.turn = 6
    table = play(made, [5, 3, 3, 5])
    burning.fires(made, table)
    table.dice.finish()  # type: ignore[attr-defined]
    assert made.ships["D1"].status is Status.EXPLODED
    assert {code for code, one in made.ships.items() if one.fire_stage} >= {"D2", "E1"}
    assert not made.ships["D3"].fire_stage
    assert made.ships["D2"].fire_round == 6
    made = fresh()
    made.turn = 5
    burning.fires(made, play(made, [5]))
    assert made.ships["D1"].fire_stage == 0
    second = battle(ship("E1", fire_stage=2, fire_round=1), ship("D1", 50))
    second.turn = 3
    burning.fires(second, play(second, [6]))
    assert second.ships["E1"].fire_stage == 0


@pytest.mark.clause("A.X8", "A.X9", "A.X6")
def test_a_burning_ship_lit_again_burns_as_before_and_throws_no_die_for_an_explosion() -> None:
    made = battle(ship("E1", fire_stage=2, fire_round=1), ship("D1", 3, 0, fire_stage=2, fire_round=1))
    made.turn = 3
    burning.light(made, play(made), made.ships["E1"], "A.X1")
    assert (made.ships["E1"].fire_stage, made.ships["E1"].fire_round) == (2, 1)
    burning.explode(made, play(made), made.ships["D1"])
    assert made.ships["E1"].volley("port") == 3


@pytest.mark.clause("A.X10")
def test_a_burning_ship_taken_before_her_throw_is_thrown_for_once_by_her_new_owner() -> None:
    made = battle(ship("E1", 0, 0), ship("D1", 0.5, 0, fire_stage=1, fire_round=1), first="D")
    made.turn = 2
    made.active = "D"
    boarding.capture(made, play(made), made.ships["E1"], made.ships["D1"])
    burning.fires(made, play(made))
    made.active = "E"
    burning.fires(made, play(made, [1]))
    assert made.ships["D1"].fire_stage == 2
    burning.fires(made, play(made))


@pytest.mark.clause("A.E17", "A.D11", "A.D12", "A.D14", "A.W8", "A.T10")
@pytest.mark.parametrize(
    ("wind", "stbd", "aground", "face", "sunk"),
    [
        (6, 0, False, [2], True), (6, 0, False, [3], False), (6, 1, False, [], False), (5, 0, False, [], False),
        (6, 0, True, [], False),
    ],
)  # fmt: skip
def test_the_high_seas_take_a_ship_of_which_nothing_is_left(
    wind: int, stbd: int, aground: bool, face: list[int], sunk: bool
) -> None:
    made = battle(ship("E1", port=0, stbd=stbd, units=0, aground=aground), ship("D1", 50), wind=wind)
    hazards.high_seas(made, play(made, face))
    assert (made.ships["E1"].status is Status.SUNK) is sunk


@pytest.mark.clause("A.E20", "A.R1", "A.R2", "A.R3", "A.R5", "A.M15", "A.S8")
def test_a_mast_raised_counts_at_once_and_the_crew_does_not_fire() -> None:
    made = battle(ship("E1", 0, 0, S, rig=[2, -2, 2]), ship("D1", 4, 0, **STILL))
    orders = {"E1": "A20 | repair:main port>D1=0"}
    made, events = played(made, orders, [4])
    assert (made.ships["E1"].y, "volley" in kinds(events)) == (-8_000, False)
    made, events = played(made, orders, [6])
    assert (made.ships["E1"].y, made.ships["E1"].rig, "volley" in kinds(events)) == (
        -20_000,
        [2, 2, 2],
        False,
    )


@pytest.mark.clause("A.R3", "A.R6", "A.D9")
def test_the_mast_of_the_highest_value_is_raised_first_and_then_main_before_fore() -> None:
    class Carpenter:
        def repairs(self, view: object, one: Ship) -> bool:
            return True

    made = battle(
        ship("E1", cls="light", rig=[-2, -2, -2]), ship("E2", 9, 0, rig=[-2, -2, -2]), ship("D1", 50)
    )
    table = play(made, [6, 6])
    table.captains = {"E": Carpenter()}
    hazards.repair(made, table)
    assert made.ships["E1"].rig == made.ships["E2"].rig == [-2, 2, -2]


@pytest.mark.clause("A.B1", "A.M19", "A.B3", "A.B8", "A.B2")
def test_a_ship_that_means_to_board_runs_aboard_and_the_higher_total_takes_the_other() -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 4, 0, S, port=1, stbd=0, **STILL), ship("D2", 50))
    after, events = played(made, {"E1": "A9 | board:D1"}, [1, 1, 1, 1, 1, 1, 5])
    prize = after.ships["D1"]
    assert after.ships["E1"].x == 3_000
    assert (prize.owner, prize.captor, prize.manned, prize.former) == ("E", "E1", None, "D")
    assert after.ships["E1"].entangled == ["D1"] and prize.entangled == ["E1"]
    after, _ = played(made, {"E1": "A9"})
    assert (after.ships["E1"].x, after.ships["E1"].entangled) == (3_000, [])


@pytest.mark.clause("A.E21", "A.B3", "A.B4", "A.B9", "A.B11", "A.B13", "A.B14", "A.B12")
def test_a_tie_is_fought_again_and_a_six_parts_captor_and_prize() -> None:
    made = battle(
        ship("E1", port=3, stbd=2, entangled=["D1"]), ship("D1", 0.5, 0, cls="light", entangled=["E1"]),
        ship("D2", 99, 0),
    )  # fmt: skip
    made, _ = played(made, {"E1": "| board:D1"}, [6, 1, 2, 4, 3, 5, 5, 3, 3])
    assert made.ships["D1"].owner == "D"
    made, _ = played(made, {"E1": "| board:D1 part:-"}, [4, 4, 2, 2, 5, 1, 6, 3, 2])
    assert made.ships["D1"].owner == "E"
    made, _ = played(made, {"E1": "| part:D1"}, [5])
    made, _ = played(made, {"E1": "A3 | part:D1"}, [6])
    captor, prize = made.ships["E1"], made.ships["D1"]
    assert (captor.port, captor.stbd, captor.sent_port, prize.manned) == (2, 2, 1, 1)
    assert not captor.entangled
    assert captor.y == 3_000 or captor.x > 0, "free of all ties she moves at once"
    assert prize.volley("port") == 1


@pytest.mark.clause("A.B13", "A.B15")
def test_a_captor_mans_its_prize_from_the_fuller_side_and_gives_it_up_when_it_has_no_men() -> None:
    made = battle(
        ship("E1", port=1, stbd=2), ship("D1", 9, captor="E1", owner="E", former="D"), ship("D2", 50)
    )
    boarding.man(made, play(made), made.ships["E1"], made.ships["D1"], 2)
    assert (made.ships["E1"].port, made.ships["E1"].stbd, made.ships["D1"].manned) == (0, 1, 2)
    made = battle(
        ship("E1", port=0, stbd=0), ship("D1", 9, captor="E1", owner="E", former="D"), ship("D2", 50)
    )
    boarding.man(made, play(made), made.ships["E1"], made.ships["D1"], 1)
    assert (made.ships["D1"].status, made.ships["D1"].damage) == (Status.ABANDONED, 12)


@pytest.mark.clause("A.B5", "A.B3")
def test_a_ship_without_decks_loses_to_anyone_with_a_die_and_none_against_none_is_a_tie() -> None:
    made = battle(ship("E1", port=0, stbd=1), ship("D1", 0.5, port=0, stbd=0), ship("D2", 50))
    boarding.fight(made, play(made, [1]), made.ships["E1"], made.ships["D1"], 1)
    assert made.ships["D1"].owner == "E"
    made = battle(ship("E1", port=0, stbd=0), ship("D1", 0.5, port=0, stbd=0))
    boarding.fight(made, play(made), made.ships["E1"], made.ships["D1"], 1)
    assert made.ships["D1"].owner == "D"


@pytest.mark.clause("A.B6", "A.B2")
def test_a_ship_that_has_fired_stops_short_of_an_enemy() -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 4, 0, S, **STILL), ship("D2", 0, 4, S, **STILL))
    after, events = played(made, {"E1": "A9 | board:D1 port>D2=0"}, [1, 1, 1])
    assert (after.ships["E1"].x, after.ships["E1"].entangled) == (3_000, [])
    assert "fight" not in kinds(events)


@pytest.mark.clause("A.B7", "A.B10", "A.B16", "A.R4", "A.M16")
def test_a_drifting_ship_cannot_help_contact_and_fights_unless_she_repairs() -> None:
    made = battle(
        ship("E1", 0, 0, E, rig=[-2, -2, -2]), ship("D1", 0, -1.5, E, port=0, stbd=0, **STILL), ship("D2", 50)
    )
    after, events = played(made, {}, [1] * 6)
    assert after.ships["E1"].entangled == ["D1"] and after.ships["D1"].owner == "E"
    after, events = played(made, {"E1": "| repair:main"}, [1])
    assert after.ships["E1"].entangled == ["D1"] and "fight" not in kinds(events)
    friend = battle(ship("E1", 0, 0, E, rig=[-2, -2, -2]), ship("E2", 0, -1.5, E, **STILL), ship("D1", 50))
    after, events = played(friend)
    assert after.ships["E1"].entangled == ["E2"] and "fight" not in kinds(events)


@pytest.mark.clause("A.B12", "A.B11")
def test_ships_that_have_parted_do_not_stop_each_other_while_they_draw_apart() -> None:
    made = battle(
        ship("E1", 0, 0, E, entangled=["E2"]), ship("E2", -0.5, 0, E, entangled=["E1"]), ship("D1", 50)
    )
    after, _ = played(made, {"E1": "A3 | part:E2", "E2": "A3"}, [6])
    assert after.ships["E1"].x == 3_000
    assert after.ships["E2"].x >= -500


@pytest.mark.clause("A.B17", "A.B18", "A.D13")
def test_a_prize_not_yet_manned_goes_back_when_her_captor_is_lost_or_taken() -> None:
    def fresh() -> Battle:
        return battle(
            ship("E1"),
            ship("D1", 0.5, owner="E", captor="E1", former="D", entangled=["E1"]),
            ship("D2", 1, 1),
        )

    made = fresh()
    made.ships["E1"].entangled = ["D1"]
    burning.explode(made, play(made), made.ships["E1"], alone=True)
    assert (made.ships["D1"].owner, made.ships["D1"].captor, made.ships["D1"].entangled) == ("D", "", [])
    made = fresh()
    boarding.capture(made, play(made), made.ships["D2"], made.ships["E1"])
    assert (made.ships["E1"].owner, made.ships["D1"].owner) == ("D", "D")
    again = battle(
        ship("E1"), ship("D1", 0.5, owner="E", captor="E1", manned=1, former="D"), ship("D2", 1, 1)
    )
    boarding.capture(again, play(again), again.ships["D2"], again.ships["D1"])
    assert (again.ships["D1"].owner, again.ships["D1"].held, again.ships["D1"].damage) == ("D", True, 0)
