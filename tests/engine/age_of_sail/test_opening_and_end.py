"""How battles open and end. Rules: A.S1-A.S3, A.V1-A.V5, A.G1, A.G24, A.G35-A.G38.

Layout, first mover, faults, the score, what happens after.
"""

from __future__ import annotations

import pytest

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.errors import ScenarioFaults
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.age_of_sail import closing
from battles.engine.rulesets.age_of_sail.rules import RULES
from battles.engine.rulesets.age_of_sail.state import Anchor, Status
from tests.engine.age_of_sail.builders import E, N, at, battle, begun, document, kinds, play, played, ship


@pytest.mark.clause("A.S2", "A.S1", "A.L2", "A.P2", "A.P4")
def test_two_lines_lie_30_cm_apart_on_one_course_at_right_angles_to_the_wind() -> None:
    made = begun()
    spots = {code: at(one) for code, one in made.ships.items()}
    assert spots["E1"] == (0, 30_000, E) and spots["D1"] == (0, 0, E)
    assert spots["E2"] == (-5_000, 30_000, E) and spots["E3"] == (-15_000, 30_000, E)
    assert [row.ships for row in made.lines] == [["E1", "E2"], ["D1", "D2"]]
    assert made.lines[0].wake == [(x, 30_000, E) for x in range(-5_000, 1, 1_000)]
    assert (made.wind_from, made.wind) == (0, 4)


@pytest.mark.clause("A.S2", "A.G37", "A.S3")
def test_gauge_gap_and_surprise_change_the_layout() -> None:
    made = begun(gauge="D", gap=12)
    assert (made.ships["D1"].y, made.ships["E1"].y) == (12_000, 0)
    made = begun(surprised=["E"], options={})
    assert (made.ships["D1"].y, made.first) == (30_000, "D")
    doc = document()
    doc["sides"][0]["squadrons"][0]["ships"][0] |= {"position": [77, 5_000], "heading": 1_125}
    assert at(RULES.begin(read_scenario(doc), FastDice(1)).ships["E1"]) == (77, 5_000, 1)


@pytest.mark.clause("A.S2")
@pytest.mark.parametrize(
    ("stances", "gap"),
    [(("seek", "avoid"), 8), (("avoid", "hold"), 8), (("avoid", "avoid"), 30), (("seek", "hold"), 30)],
)
def test_a_side_that_avoids_has_been_overhauled_and_begins_within_gunshot(
    stances: tuple[str, str], gap: int
) -> None:
    doc = document()
    for side, stance in zip(doc["sides"], stances, strict=True):
        side["doctrine"] = {"stance": stance}
    assert RULES.begin(read_scenario(doc), FastDice(1)).ships["E1"].y == 1_000 * gap
    set_by_hand = RULES.begin(read_scenario({**doc, "gap": 12}), FastDice(1))
    assert set_by_hand.ships["E1"].y == 12_000


@pytest.mark.clause("A.W3", "A.W4", "A.G38")
@pytest.mark.parametrize(
    ("theatre", "point"), [("caribbean", 2), ("atlantic", 6), ("mediterranean", 6), (None, 6)]
)
def test_the_wind_may_be_set_by_theatre(theatre: str | None, point: int) -> None:
    made = begun(options={"first_mover": "E", "wind_start": "set", "theatre": theatre})
    assert (made.wind_from, made.wind) == (point, 4)


@pytest.mark.clause("A.S3", "A.P8", "A.P7")
def test_the_higher_die_moves_first_and_equal_dice_are_thrown_again() -> None:
    for faces, first in (([3, 3, 2, 5], "D"), ([4, 1], "E")):
        with ScriptedDice(faces) as dice:
            assert RULES.begin(read_scenario(document(options={})), dice).first == first


@pytest.mark.clause("A.P1", "A.G37", "A.G38", "A.C10")
def test_all_errors_in_a_scenario_are_named_at_once_with_their_place() -> None:
    doc = document(options={"no_sail": 30, "oars": True, "first_mover": "X", "last_round": 0}, shoal=[[0, 0]])
    own = doc["sides"][0]["squadrons"]
    own[0]["ships"][0]["facts"] = {"nation": "France", "ship_type": "battleship", "year_built": 1894}
    own[0]["ships"][1]["facts"] = {**own[0]["ships"][1]["facts"], "overrides": {"masts": 5}}
    own[1]["ships"][0]["condition"] = {
        "schema": 1,
        "decks_port": 4,
        "decks_stbd": 1,
        "hull": 1,
        "masts": [2, 2, 2, 2],
    }
    found = {fault.path for fault in RULES.scenario_faults(read_scenario(doc))}
    one = "sides[0].squadrons[0].ships"
    assert found == {
        "options.no_sail", "options.oars", "options.first_mover", "options.last_round", "shoal",
        f"{one}[0].facts.ship_type", f"{one}[0].facts.year_built", f"{one}[1].facts.overrides.masts",
        "sides[0].squadrons[1].ships[0].condition",
    }  # fmt: skip
    with pytest.raises(ScenarioFaults):
        RULES.begin(read_scenario(doc), FastDice(1))


@pytest.mark.clause("A.B1", "A.T9", "A.G37")
def test_two_ships_in_one_place_one_ashore_and_one_beyond_the_edges_are_faults() -> None:
    doc = document(edges=[-20_000, -5_000, 9_000, 40_000])
    doc["options"]["coast"] = [[[-4_000, -4_000], [4_000, -4_000], [4_000, 1_000], [-4_000, 1_000]]]
    rows = doc["sides"][0]["squadrons"][0]["ships"]
    rows[0]["position"], rows[1]["position"] = [0, 20_000], [0, 20_997]
    doc["sides"][1]["squadrons"][0]["ships"][1]["position"] = [9_001, 20_000]
    faults = RULES.scenario_faults(read_scenario(doc))
    assert {fault.path for fault in faults} == {
        "sides[0].squadrons[0].ships[1].position", "sides[1].squadrons[0].ships[0].position",
        "sides[1].squadrons[0].ships[1].position",
    }  # fmt: skip


@pytest.mark.clause("A.G36", "A.G26")
def test_a_ship_enters_a_later_battle_as_she_is_and_only_new_damage_counts() -> None:
    doc = document()
    first = doc["sides"][0]["squadrons"][0]["ships"]
    first[0]["condition"] = {
        "schema": 1, "decks_port": 1, "decks_stbd": 3, "hull": 2, "masts": [2, 1, 0], "sent_port": 1,
    }  # fmt: skip
    first[1]["prize"] = True
    made = RULES.begin(read_scenario(doc), FastDice(1))
    one, prize = made.ships["E1"], made.ships["E2"]
    assert (one.start_boxes, one.boxes_lost, one.rig, one.power) == (8, 0, [2, 1, -2], 3)
    assert closing.condition_of(one).to_dict() == {
        "schema": 1, "decks_port": 1, "decks_stbd": 3, "hull": 2, "masts": [2, 1, 0], "sent_port": 1, "sent_stbd": 0,
        "rest": 0, "gone": False,
    }  # fmt: skip
    assert (prize.manned, prize.strength, prize.acts) == (0, 0, True)


@pytest.mark.clause("A.E22", "A.V2", "A.V3", "A.V4", "A.V5")
def test_the_side_whose_enemy_lost_more_boxes_wins() -> None:
    made = battle(
        ship("E1", port=2, stbd=2, rig=[2, 2, -2]), ship("E2", cls="light", owner="D", captor="D1"),
        ship("D1", status=Status.EXPLODED), ship("D2", cls="light"),
    )  # fmt: skip
    assert closing.points(made) == {"E": 13, "D": 12}
    assert closing.winner(made) == "D"
    made.ships["E1"].rig = [2, 2, 2]
    assert closing.winner(made) == ""
    made.ships["E1"].gone_port, made.ships["E1"].port = 1, 1
    assert closing.points(made)["E"] == 12, "a deck that went off with a prize is not lost"


@pytest.mark.clause("A.V1")
@pytest.mark.parametrize(
    ("rig", "decks", "why"),
    [([2, 2, 2], 3, ""), ([-2, -2, -2], 3, ""), ([2, 2, 2], 0, ""), ([-2, -2, -2], 0, "beaten")],
)
def test_a_battle_ends_when_a_side_can_neither_move_nor_fire(rig: list[int], decks: int, why: str) -> None:
    made = battle(ship("E1"), ship("D1", 50, rig=rig, port=decks, stbd=decks))
    made, _ = played(made)
    assert made.ended == why


@pytest.mark.clause("A.V1", "A.G37")
def test_a_battle_ends_after_six_quiet_rounds_unless_someone_is_still_due() -> None:
    for due, turns in ((False, 6), (True, 9)):
        made = battle(ship("E1", h=E), ship("D1", 300, 300, E), ship("D2", 0, 0, E))
        made.last_turn = 9
        made.ships["D2"].status = Status.EXPECTED if due else Status.WITHDRAWN
        made.squadrons["D-1"].arrives = 99
        while not made.ended:
            made, _ = played(made)
        assert (made.turn, made.ended) == (turns, "limit" if due else "parted")


@pytest.mark.clause("A.V1", "A.G8")
def test_the_scenarios_own_limit_is_nightfall_and_the_sets_is_its_last_round() -> None:
    assert (begun().last_turn, begun().nightfall) == (30, False)
    assert (begun(turn_limit=5).last_turn, begun(turn_limit=5).nightfall) == (5, True)
    short = begun(options={"first_mover": "E", "last_round": 2})
    assert (short.last_turn, short.nightfall) == (2, False)
    made = battle(ship("E1", h=E), ship("D1", 300, 300, E), ship("D2", 305, 305, E))
    made.last_turn, made.nightfall = 1, True
    assert played(made)[0].ended == "nightfall"


@pytest.mark.clause("A.V1", "A.Q11")
@pytest.mark.parametrize(("away", "why"), [(12, ""), (12.1, "parted")])
def test_both_admirals_may_part_when_no_enemies_are_within_12_cm(away: float, why: str) -> None:
    made = battle(ship("E1", h=E), ship("D1", away, 0, E), ship("D2", 99, 99, E))
    made.turn, made.parting = 1, ["E", "D"]
    closing.close(made, play(made))
    assert made.ended == why
    made.ended, made.parting = "", ["E"]
    closing.close(made, play(made))
    assert made.ended == ""


@pytest.mark.clause("A.G24", "A.B9", "A.B13", "A.X11", "A.G6", "A.G1", "A.G35", "A.G23")
def test_after_the_battle_fights_fires_and_ships_aground_are_settled() -> None:
    made = battle(
        ship("E1", 0, 0, entangled=["D1"], complement=500), ship("E2", 20, 0, complement=600),
        ship("D1", 0.5, 0, cls="light", entangled=["E1"], complement=200), ship("D2", 30, 0, rig=[-2, -2, -2], aground=True),
        ship("D3", 40, 0, rig=[-2, -2, -2], aground=True), ship("D4", 90, 0, rig=[-2, -2, -2], fire_stage=1, fire_round=1),
    )  # fmt: skip
    made.turn, made.ended = 7, "limit"
    made.squadrons["D-1"].officer = "Lezo"
    made.squadrons["D-1"].flagship = "D1"
    # the boarding of D1; the fire of D4; D2 taken, D3 burnt
    table = play(made, [6] * 6 + [1] * 4 + [4] + [6] + [4] + [5])
    closing.after_battle(made, table)
    table.dice.finish()  # type: ignore[attr-defined]
    result = closing.outcome(made)
    fates = {row.ship: (row.fate, row.captor_ship) for row in result.ships}
    assert fates["D1"] == (Fate.CAPTURED, "E1")
    assert fates["D2"] == (Fate.CAPTURED, "E2")
    assert fates["D3"] == (Fate.BURNT, "")
    assert fates["D4"] == (Fate.AFLOAT, "")
    assert result.ship("D4").flags == {Flag.DISABLED}
    assert result.held_field == "E" and result.minutes == 42
    assert result.ship("D1").condition["decks_port"] == 2
    assert result.ship("E1").condition["sent_port"] == 1
    assert (result.ship("D1").prisoners, result.ship("D1").prize_crew) == (200, 60)
    assert [(row.name, row.fate) for row in result.officers] == [("Lezo", "captured")]
    assert all(one.anchor is Anchor.UP for one in made.ships.values())


@pytest.mark.clause("A.X11", "A.X4", "A.G1")
def test_a_fire_that_is_not_put_out_after_the_battle_endangers_no_one_else() -> None:
    made = battle(ship("E1", fire_stage=1, fire_round=1), ship("D1", 1, 1, rig=[-2] * 3))
    made.turn, made.ended = 3, "limit"
    table = play(made, [4, 5])
    closing.after_battle(made, table)
    table.dice.finish()  # type: ignore[attr-defined]
    rows = {row.ship: row.fate for row in closing.outcome(made).ships}
    assert rows == {"E1": Fate.BLOWN_UP, "D1": Fate.AFLOAT}


@pytest.mark.clause("A.G6", "A.G24")
def test_a_ship_aground_whose_side_holds_the_water_is_refloated() -> None:
    made = battle(ship("E1", aground=True), ship("E2", 9, 9), ship("D1", 50, 0, rig=[-2] * 3))
    made.turn, made.ended = 3, "limit"
    closing.after_battle(made, play(made))
    assert not made.ships["E1"].aground


@pytest.mark.clause("A.G35", "A.B18")
def test_a_prize_is_answered_for_by_the_nearest_of_her_holders_when_her_captor_is_gone() -> None:
    prize = ship("D1", owner="E", captor="E1", manned=1)
    made = battle(ship("E1", status=Status.EXPLODED), ship("E2", 30, 0), ship("E3", 9, 0), prize)
    assert closing.outcome(made).ship("D1").captor_ship == "E3"
    alone = battle(ship("E1", status=Status.EXPLODED), prize)
    assert closing.outcome(alone).ship("D1").fate is Fate.AFLOAT


@pytest.mark.clause("A.P9", "A.S11", "A.S12", "A.P10", "A.S4", "A.S5", "A.S6", "A.S7")
def test_a_round_is_both_player_turns_and_then_the_wind() -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 50, 0, N), ship("D2", 60, 0, N), wind_dice=True, first="D")
    after, events = played(made, {}, [1, 6])
    assert (after.turn, after.wind_from, after.wind) == (1, 7, 5)
    assert [event.ship for event in events if event.kind == "moved"] == ["D1", "D2", "E1"]
    assert kinds(events)[-1] == "wind"
    steps = [step.id for step in RULES.steps]
    assert steps[1:8] == [f"1-S{n}" for n in range(4, 11)]
    assert {row["id"] for row in RULES.seen_by(after, "E")["seen"]} == {"D1", "D2"}


@pytest.mark.clause("A.G24", "A.B5")
def test_two_prizes_of_different_captors_that_are_entangled_part_after_the_battle() -> None:
    made = battle(
        ship("E1", 0, 0, entangled=["D1"]), ship("E2", 9, 0, owner="D", captor="D2", former="E", entangled=["D1"]),
        ship("D1", 8.5, 0, owner="E", captor="E1", former="D", entangled=["E1", "E2"]), ship("D2", 20, 0),
    )  # fmt: skip
    made.turn, made.ended = 3, "limit"
    closing.after_battle(made, play(made))
    assert not any(one.entangled for one in made.ships.values())


@pytest.mark.clause("A.G24", "A.B8")
def test_no_one_fights_after_the_battle_for_a_prize_that_is_not_yet_manned() -> None:
    made = battle(
        ship("E1", 0, 0, entangled=["D1"]), ship("D2", 1, 0, entangled=["D1"]),
        ship("D1", 0.5, 0, owner="E", captor="E1", former="D", entangled=["D2", "E1"]),
    )  # fmt: skip
    made.turn, made.ended = 3, "limit"
    closing.after_battle(made, play(made))
    assert (made.ships["D1"].owner, made.ships["D1"].manned) == ("E", 1)
