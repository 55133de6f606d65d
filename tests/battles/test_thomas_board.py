"""What the pages make of a Thomas log: drawing orders that end where the battle ended, no enemy's secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from battles.boards import board
from battles.boards.thomas_drawing import GROUPS, Drawing, reaches
from battles.engine import registry
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.play import Played, play_battle
from battles.engine.rulesets.thomas.log_view import log_seen_by
from battles.engine.rulesets.thomas.setup import facts_of
from battles.engine.rulesets.thomas.tables import Arc, Gun

THOMAS = board("thomas")
SCENARIOS = Path(__file__).parents[2] / "battles/data/scenarios/thomas"
# Of an enemy: what no reader of the other side may find in a replay of his.
SECRET_OF_A_SHIP = ("hull", "reach")

Fight = tuple[Scenario, Played]


def fought(name: str, seed: bytes) -> Fight:
    scenario = read_scenario(json.loads((SCENARIOS / f"{name}.json").read_text()))
    return scenario, play_battle(scenario, seed, log=True)


@pytest.fixture(scope="module", params=["trafalgar", "gravelines", "galleys"])
def fight(request: pytest.FixtureRequest) -> Fight:
    """Two battles of sail with boarding and prizes, under the rules of either period; and one of oars and boats in light airs."""
    return fought(request.param, b"boards")


def shown(doc: dict[str, Any]) -> list[dict[str, Any]]:
    """Plays the drawing orders as the page does."""
    switches = {
        "B": "on_fire",
        "S": "struck",
        "I": "in_irons",
        "Y": "boats_out",
        "O": "rowing",
        "N": "anchored",
    }
    ships: list[dict[str, Any]] = [
        {"side": ship["side"], "gone": "", "masts": ship["masts"], **dict.fromkeys(switches.values(), False)}
        for ship in doc["ships"]
    ]
    for _, _, ops in doc["phases"]:
        for kind, n, *rest in ops:
            if kind == "P":
                ships[n] |= {"at": rest[:2], "heading": rest[2]}
            elif kind == "M":
                ships[n] |= {"at": rest[0][-3:-1], "heading": rest[0][-1]}
            elif kind == "R":
                ships[n]["heading"] = rest[0]
            elif kind == "H":
                ships[n] |= {"quarters": rest[0], "left": rest[1]}
            elif kind == "D":
                ships[n]["masts"] = rest[0]
            elif kind == "J":
                ships[n]["masts"] += 1
            elif kind == "C":
                ships[n]["side"] = rest[0]
            elif kind == "X":
                ships[n]["gone"] = rest[0]
            elif kind in switches:
                ships[n][switches[kind]] = bool(rest[0])
    return ships


def test_the_drawing_orders_end_where_the_battle_ended(fight: Fight) -> None:
    scenario, battle = fight
    doc = THOMAS.replay(scenario, battle.events, None)
    drawn = dict(zip((ship["id"] for ship in doc["ships"]), shown(doc), strict=True))
    assert set(drawn) == {ship["id"] for ship in battle.state["ships"]}
    for ship in battle.state["ships"]:
        was = drawn[ship["id"]]
        assert was["side"] == (ship["prize_of"] or ship["side"]), ship["id"]
        assert was["masts"] == ship["masts"] - ship["masts_lost"], ship["id"]
        assert bool(was["gone"]) == (ship["status"] != "afloat"), ship["id"]
        if ship["status"] == "afloat":
            assert was["at"] == [ship["x"], ship["y"]], ship["id"]
            assert was["heading"] == ship["heading"], ship["id"]
            assert was["struck"] == ship["struck"], ship["id"]


def test_lines_and_tows_that_are_drawn_are_later_released(fight: Fight) -> None:
    scenario, battle = fight
    doc = THOMAS.replay(scenario, battle.events, None)
    fast: set[frozenset[int]] = set()
    for _, _, ops in doc["phases"]:
        for kind, n, *rest in ops:
            if kind == "L":
                assert frozenset((n, rest[0])) not in fast
                fast.add(frozenset((n, rest[0])))
            elif kind == "U":
                fast.remove(frozenset((n, rest[0])))
            elif kind == "X":
                fast = {pair for pair in fast if n not in pair}


def test_standings_agree_with_the_outcome(fight: Fight) -> None:
    scenario, battle = fight
    rows = {row.ship: row for row in THOMAS.standings(scenario, battle.events, None)}
    thomas = registry.rule_set("thomas")
    cards = {ship.id: thomas.card(facts_of(ship, scenario)) for _, _, ship in scenario.ships()}
    for entry in battle.outcome.ships:
        row = rows[entry.ship]
        if entry.fate.value == "captured":
            assert (row.word, row.holder) == ("taken", entry.captor)
        elif entry.fate.value == "afloat":
            assert row.word in ("afloat", "left the battle"), entry.ship
            assert row.whole == cards[entry.ship]["flot_max"]
            if row.left is not None:
                assert row.left == entry.condition["flot"], entry.ship
        else:
            assert row.word not in ("afloat", "taken"), entry.ship


@pytest.mark.clause("T.S6")
def test_a_group_reaches_as_far_as_its_farthest_gun() -> None:
    guns = [(Gun.SHORT, Arc.PORT), (Gun.MEDIUM, Arc.PORT), (Gun.LONG, Arc.AHEAD)]
    assert dict(zip(GROUPS, reaches(guns), strict=True)) == {
        Arc.PORT: [4_000, 8_000],
        Arc.STARBOARD: [0, 0],
        Arc.AHEAD: [8_000, 16_000],
        Arc.ASTERN: [0, 0],
    }


@pytest.mark.clause("T.B11", "T.B11b")
def test_the_field_of_fire_shrinks_with_the_batteries() -> None:
    scenario, _ = fought("frigate_duel", b"guns")
    ship = scenario.sides[0].squadrons[0].ships[0].id
    drawing = Drawing(scenario, {ship: 0})
    placed = {
        "x": 0, "y": 0, "h": 0, "quarters": 0, "masts": 3,
        "batteries": [["short", "port", False, False], ["long", "port", False, False]],
    }  # fmt: skip
    drawing.ops(Event(0, "setup", "placed", "T.S20", ship, placed))
    lost = {"gun": "long", "group": "port", "half": False, "why": "hit"}
    event = Event(1, "P8", "battery", "T.B11", ship, lost)
    assert drawing.ops(event) == [["K", 0, [[4_000, 4_000], [0, 0], [0, 0], [0, 0]]]]
    assert drawing.ops(event) == [], "there is no second one to lose"


@pytest.mark.clause("T.O6g", "T.O3g")
def test_a_prize_flies_her_captors_flag_and_drops_her_lines_to_friends() -> None:
    scenario, _ = fought("frigate_duel", b"guns")
    own, other = (side.squadrons[0].ships[0].id for side in scenario.sides)
    drawing = Drawing(scenario, {own: 0, other: 1})
    side = scenario.sides[0].id

    def drawn(kind: str, ship: str, **data: Any) -> list[list[Any]]:
        return drawing.ops(Event(3, "P6d", kind, "T.O6", ship, data))

    assert drawn("grapple", own, target=other, made=False) == []
    assert drawn("grapple", own, target=other, made=True) == [["L", 0, 1, "grapple"]]
    assert drawn("struck", other, to=side, by=own, why="boarded") == [["S", 1, 1]]
    assert drawn("secured", other, by=own, captives=8, way="boarding") == [
        ["S", 1, 0],
        ["C", 1, side],
        ["U", 0, 1],
    ]
    assert drawn("tow", own, target=other, made=True) == [["T", 0, 1]]
    assert drawn("sunk", other, x=0, y=0) == [["V", 0, 1], ["X", 1, "sunk"]]


@pytest.mark.clause("G.IN1", "T.S18")
def test_a_replay_for_one_side_reveals_no_secret_of_the_other(fight: Fight) -> None:
    scenario, battle = fight
    for side in (one.id for one in scenario.sides):
        doc = THOMAS.replay(scenario, list(log_seen_by(scenario, battle.events, side)), frozenset({side}))
        enemy = {n for n, ship in enumerate(doc["ships"]) if ship["side"] != side}
        assert enemy
        for n in enemy:
            assert not any(doc["ships"][n][field] for field in SECRET_OF_A_SHIP)
        held = {e.ship for e in battle.events if e.kind in ("secured", "struck", "retaken")}
        taken: set[int] = set()
        for _, _, ops in doc["phases"]:
            for kind, n, *rest in ops:
                if kind == "C":
                    taken.add(n)
                if n not in enemy - taken:
                    continue
                assert kind != "K"
                assert kind != "H" or rest[1] == -1
                assert kind != "P" or len(rest) < 5 or rest[4] == -1
        for row in THOMAS.standings(
            scenario, list(log_seen_by(scenario, battle.events, side)), frozenset({side})
        ):
            if row.side != side:
                assert row.whole is None
                assert row.left is None or row.ship in held, "what was read while she was his prize"


def test_the_replay_is_plain_json_and_small(fight: Fight) -> None:
    scenario, battle = fight
    text = json.dumps(THOMAS.replay(scenario, battle.events, None), separators=(",", ":"))
    assert json.loads(text)["board"] == "plane"
    full = json.dumps([event.to_list() for event in battle.events], separators=(",", ":"))
    assert len(text) < len(full) / 2


@pytest.mark.clause("T.S20")
def test_an_expected_enemy_who_never_came_is_not_shown() -> None:
    document = json.loads((SCENARIOS / "frigate_duel.json").read_text())
    side = document["sides"][1]
    late = side["squadrons"][0]
    ship = {**late["ships"][0], "id": "LATE", "name": "Late"}
    ship.pop("position", None)
    side["squadrons"].append({**late, "id": "late", "arrives": 90, "flagship": "LATE", "ships": [ship]})
    document["turn_limit"] = 3
    scenario = read_scenario(document)
    events = play_battle(scenario, b"late", log=True).events
    for reader, knows in ((scenario.sides[0].id, False), (side["id"], True), (None, True)):
        read = events if reader is None else list(log_seen_by(scenario, events, reader))
        own = None if reader is None else frozenset({reader})
        doc = THOMAS.replay(scenario, read, own)
        assert ("LATE" in {row["id"] for row in doc["ships"]}) == knows
        assert ("late" in {row["id"] for row in doc["squadrons"]}) == knows
        assert ("LATE" in {row.ship for row in THOMAS.standings(scenario, read, own)}) == knows
