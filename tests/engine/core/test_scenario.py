"""Reading a scenario: every error by its path in plain words, and every value where it belongs."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from battles.engine.core.errors import ScenarioFaults, UnknownRuleSet
from battles.engine.core.parties import SideState
from battles.engine.core.record import owners_from, owners_to
from battles.engine.core.scenario import (
    SCHEMA_FILE,
    Doctrine,
    Stance,
    Strength,
    faults_of,
    read_scenario,
)
from battles.engine.registry import names, rule_set


def ship(code: str, **more: Any) -> dict[str, Any]:
    return {"id": code, "name": f"Ship {code}", "facts": {"nation": "England", "guns": 50}, **more}


def document(**more: Any) -> dict[str, Any]:
    """A sound document with one squadron a side."""
    return {
        "schema": 1,
        "rule_set": "kohler",
        "title": "A meeting off the Dunes",
        "code": "C1/3/B1",
        "sides": [
            {"id": "ENG", "name": "English", "nation": "England", "squadrons": [
                {"id": "red", "name": "Red", "flagship": "E1", "ships": [ship("E1"), ship("E2")]}]},
            {"id": "DUT", "name": "Dutch", "nation": "Dutch Republic", "squadrons": [
                {"id": "first", "name": "First", "flagship": "D1", "ships": [ship("D1")]}]},
        ],
        **more,
    }  # fmt: skip


def told(doc: object) -> dict[str, list[str]]:
    """Faults by path."""
    found: dict[str, list[str]] = {}
    for fault in faults_of(doc):
        found.setdefault(fault.path, []).append(fault.text)
    return found


def test_a_sound_document_has_no_errors() -> None:
    assert faults_of(document()) == ()


@pytest.mark.clause("G.BT6")
def test_what_is_left_out_has_its_published_setting() -> None:
    scenario = read_scenario(document())
    assert (scenario.wind_towards, scenario.strength, scenario.gauge) == (180, Strength.MODERATE, "")
    assert (scenario.gap, scenario.turn_limit, scenario.edges, scenario.land) == (None, None, None, ())
    assert not scenario.fixed_positions
    english = scenario.sides[0]
    assert (english.captain, english.doctrine, english.wins_ties) == ("commander", Doctrine(), None)
    assert english.squadrons[0].doctrine is None
    first = english.squadrons[0].ships[0]
    assert first.facts.built_by == "England"
    assert (first.condition, first.position, first.facts.tags, first.prize) == (None, None, (), False)


@pytest.mark.clause("G.BT6")
def test_minefields_on_the_chart_are_carried_into_the_battle() -> None:
    doc = document(
        wind={"towards": 225, "strength": "strong"}, gauge="DUT", gap=6, start="1666-06-01T13:00", place="The Downs",
        land=[[0, 4]], shoal=[[1, 4], [2, 4]], edges=[-20, 20, -9, 9], surprised=["ENG"], turn_limit=12,
        options={"disorder": False}, seed="00ff",
    )  # fmt: skip
    squadron = doc["sides"][1]["squadrons"][0]
    squadron.update(arrives=8, edge=90, flag_bonus=-1, flag_officer="Tromp", doctrine={"stance": "avoid"})
    squadron["ships"][0].update(position=[3, -2], heading=4, prize=True, condition={"schema": 1}, men=90)
    squadron["ships"][0]["facts"] = {
        "nation": "Dutch Republic",
        "built_by": "England",
        "tags": ["frigate-built"],
    }
    doc["sides"][0]["doctrine"] = {"stance": "hold", "break_off": 30, "protect": ["E2"], "gauge": "windward"}
    scenario = read_scenario(doc)
    assert (scenario.wind_towards, scenario.strength, scenario.gauge) == (225, Strength.STRONG, "DUT")
    assert (scenario.start, scenario.place, scenario.gap) == ("1666-06-01T13:00", "The Downs", 6)
    assert (scenario.land, scenario.shoal, scenario.edges) == (((0, 4),), ((1, 4), (2, 4)), (-20, 20, -9, 9))
    assert (scenario.surprised, scenario.turn_limit) == (("ENG",), 12)
    assert (scenario.options, scenario.seed) == ({"disorder": False}, "00ff")
    doctrine = Doctrine(stance=Stance.HOLD, break_off=30, protect=("E2",), gauge="windward")
    assert scenario.sides[0].doctrine == doctrine
    relief = scenario.sides[1].squadrons[0]
    assert (relief.arrives, relief.edge, relief.flag_officer, relief.flag_bonus) == (8, 90, "Tromp", -1)
    assert relief.doctrine == Doctrine(stance=Stance.AVOID)
    prize = relief.ships[0]
    assert (prize.position, prize.heading, prize.prize, prize.men) == ((3, -2), 4, True, 90)
    assert (prize.facts.built_by, prize.facts.tags) == ("England", ("frigate-built",))


@pytest.mark.clause("G.BT6")
def test_ships_are_listed_with_side_and_squadron_in_the_order_of_sailing() -> None:
    listed = [(side.id, squadron.id, one.id) for side, squadron, one in read_scenario(document()).ships()]
    assert listed == [("ENG", "red", "E1"), ("ENG", "red", "E2"), ("DUT", "first", "D1")]


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(
    ("written", "word"),
    [("never", "never"), ("crippled", "crippled"), ("pays", "pays"), (False, "never"), (True, "pays")],
)
def test_an_older_order_to_board_or_not_to_board_is_still_read(written: str | bool, word: str) -> None:
    doc = document()
    doc["sides"][0]["doctrine"] = {"board": written}
    doctrine = read_scenario(doc).sides[0].doctrine
    assert (doctrine.board, doctrine.boards) == (word, word != "never")
    side = SideState("ENG", "English", "England", doctrine=doctrine)
    (row,) = owners_to({"ENG": side})
    assert row["doctrine"]["board"] == word
    row["doctrine"]["board"] = written
    assert owners_from(SideState, [row]) == {"ENG": side}


def test_all_errors_in_a_scenario_are_reported_at_once_with_their_place_in_plain_words() -> None:
    doc = document(
        schema=2, rule_set="", colour="red", gauge="FRA", surprised=["ENG", "SPA"], fixed_positions=True,
        wind={"towards": 400, "strength": "breezy"}, land=[[1, 1], [1, 2, 3]], turn_limit=0,
    )  # fmt: skip
    red = doc["sides"][0]["squadrons"][0]
    doc["sides"][0]["doctrine"] = {"stance": "fight", "board": "yes", "protect": ["E9"]}
    red.update(flagship="E7", flag_bonus=9)
    red["ships"] = [
        ship("E1", position=[1, 1]),
        ship("E1", position=[1, 1], facts={"guns": 50.0}),
        ship("E3", name="", position="x"),
        ship("E4"),
    ]
    doc["sides"][1] = {"id": "ENG", "name": "Dutch", "nation": "Dutch Republic", "squadrons": []}
    red_path = "sides[0].squadrons[0]"
    assert told(doc) == {
        "": [
            "colour not known here; use only code, edges, fixed_positions, gap, gauge, handicaps, land, note, options, place, rule_set, "
            "schema, seed, shoal, sides, start, surprised, title, turn_limit, wind"
        ],
        "schema": ["2 should be 1"],
        "rule_set": ["is empty; some text is needed"],
        "gauge": ["'FRA' is not a side; use one of ENG or nothing"],
        "surprised[1]": ["'SPA' is not a side; use one of ENG"],
        "wind.towards": ["400 is too large; the maximum is 359"],
        "wind.strength": ['"breezy" is not one of still, light, moderate, strong, gale'],
        "land[1]": ["has 3 entries; no more than 2 are allowed"],
        "turn_limit": ["0 is too small; the minimum is 1"],
        "sides[0].doctrine.stance": ['"fight" is not one of seek, hold, avoid'],
        "sides[0].doctrine.board": ['"yes" is not one of never, crippled, pays'],
        "sides[0].doctrine.protect[0]": ["'E9' is not a ship in this battle"],
        f"{red_path}.flagship": ["'E7' is not a ship of this squadron"],
        f"{red_path}.flag_bonus": ["9 is too large; the maximum is 3"],
        f"{red_path}.ships[0].position": ["Ship E1 lies ashore at [1, 1]"],
        f"{red_path}.ships[1].id": [f"the ship id 'E1' is already used by {red_path}.ships[0]; every id must be unique"],
        f"{red_path}.ships[1].position": [
            "Ship E1 lies ashore at [1, 1]", "Ship E1 lies on top of Ship E1 at [1, 1]",
        ],
        f"{red_path}.ships[1].facts": ["is missing nation"],
        f"{red_path}.ships[1].facts.guns": ["50.0 should be a whole number or nothing"],
        f"{red_path}.ships[2].name": ["is empty; some text is needed"],
        f"{red_path}.ships[2].position": ['"x" should be a list'],
        f"{red_path}.ships[3].position": ["positions are fixed, so every ship needs one: [q, r]"],
        "sides[1].id": ["the side id 'ENG' is already used by sides[0]; every id must be unique"],
        "sides[1].squadrons": ["has 0 entries; at least 1 are needed"],
    }  # fmt: skip


def test_reading_a_faulty_document_raises_all_its_errors() -> None:
    doc = document(gauge="FRA", turn_limit=0)
    with pytest.raises(ScenarioFaults) as caught:
        read_scenario(doc)
    assert [fault.path for fault in caught.value.faults] == ["gauge", "turn_limit"]


def test_errors_are_in_the_order_of_the_ships_and_not_alphabetical() -> None:
    doc = document()
    doc["sides"][0]["squadrons"][0]["ships"] = [ship(f"E{n}", name="") for n in range(1, 13)]
    paths = [fault.path for fault in faults_of(doc)]
    assert paths == [f"sides[0].squadrons[0].ships[{n}].name" for n in range(12)]


@pytest.mark.parametrize(
    "doc", [None, [], "x", 3, {}, {"sides": 1}, {"sides": [1, {}, {"squadrons": [{"ships": [None]}]}]}]
)
def test_any_json_gives_errors_and_never_a_traceback(doc: object) -> None:
    assert faults_of(doc)


def test_reading_does_not_change_the_document() -> None:
    doc = document(wind={"towards": 90})
    before = copy.deepcopy(doc)
    read_scenario(doc)
    assert doc == before


def test_the_published_schema_describes_exactly_what_is_read() -> None:
    schema = json.loads(SCHEMA_FILE.read_text())
    fields = set(Doctrine.__dataclass_fields__)
    assert set(schema["$defs"]["doctrine"]["properties"]) == fields
    assert all(
        part.get("additionalProperties") is False
        for part in (schema, *schema["$defs"].values())
        if "properties" in part
    )


def test_an_unknown_rule_set_gives_one_clear_line_that_names_the_known_ones() -> None:
    with pytest.raises(UnknownRuleSet) as caught:
        rule_set("chess")
    assert str(caught.value) == f"no rule set 'chess'; installed are {', '.join(names())}"
