"""The board of the open sea: what is drawn of a log, what a side that does not see everything is shown, and how ships stood."""

from __future__ import annotations

from functools import cache
from typing import Any

from battles.boards import barker
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, read_scenario

BATTLESHIP = {"nation": "Japan", "ship_type": "battleship", "displacement_tons": 15_000, "year_built": 1900}
DESTROYER = {"nation": "Russia", "ship_type": "destroyer", "displacement_tons": 350, "year_built": 1901}
A, B = frozenset({"A"}), frozenset({"B"})


def _side(code: str, *facts: dict[str, Any]) -> dict[str, Any]:
    ships = [{"id": f"{code}{n}", "name": f"Ship {code}{n}", "facts": row} for n, row in enumerate(facts, 1)]
    squadron = {"id": f"{code}-1", "name": "Squadron", "flagship": f"{code}1", "ships": ships}
    return {"id": code, "name": f"Side {code}", "nation": facts[0]["nation"], "squadrons": [squadron]}


@cache
def scenario() -> Scenario:
    """A battleship against a battleship and a pair of destroyers."""
    return read_scenario({
        "schema": 1, "rule_set": "barker", "title": "Test", "code": "T", "start": "1904-08-10T12:00",
        "land": [[0, 0], [1, 0], [4, 0], [1, 1]],
        "sides": [_side("A", BATTLESHIP), _side("B", BATTLESHIP, DESTROYER, DESTROYER)],
    })  # fmt: skip


def event(kind: str, ship: str = "", turn: int = 1, step: str = "fire", /, **data: Any) -> Event:
    return Event(turn, step, kind, "P.F24", ship, data)


def placed(code: str, x: int = 0, pair: str = "", **more: Any) -> Event:
    data = {"x": x, "y": 7, "h": 9_000, "type": "BB", "steps": 0, "stopped": False, "pair": pair, **more}
    return event("placed", code, 0, "setup", **data)


ALL = (placed("A1"), placed("B1", 5), placed("B2", 9, "B3"))


def orders(events: list[Event], own: frozenset[str] | None = None) -> list[list[Any]]:
    return [order for _, _, drawn in barker.replay(scenario(), events, own)["phases"] for order in drawn]


def test_land_is_drawn_in_rectangles_of_touching_squares() -> None:
    doc = barker.replay(scenario(), list(ALL), None)
    s = 50_000
    assert doc["coast"] == [
        [[0, 0], [2 * s, 0], [2 * s, s], [0, s]],
        [[4 * s, 0], [5 * s, 0], [5 * s, s], [4 * s, s]],
        [[s, s], [2 * s, s], [2 * s, 2 * s], [s, 2 * s]],
    ]
    assert (doc["board"], doc["unit"], doc["shoals"]) == ("sea", "cables", [])
    assert [(ship["kind"], ship["turrets"]) for ship in doc["ships"]] == [
        ("BB", 2),
        ("BB", 2),
        ("TBD", 0),
        ("TBD", 0),
    ]


def test_ships_are_put_moved_fired_and_hurt() -> None:
    drawn = orders([
        placed("A1", stopped=True), placed("B1", 5),
        event("moved", "A1", path=[[1, 2, 3], [4, 5, 6]], tokens="C"),
        event("shot", "A1", target="B1", slot="main", range=1_500, band="normal", attack=8, defence=5, grade="lesser", hits=1),
        event("damage", "B1", steps=3, crippled=True, by="A1"),
        event("lit", "B1", target="A1"), event("lit", "B1", target=""),
        event("sunk", "B1", how="exploded", by="A1"), event("ended", why="beaten", winner="A"),
    ])  # fmt: skip
    assert drawn == [
        ["P", 0, 0, 7, 9_000, 0, -1], ["N", 0, 1], ["P", 1, 5, 7, 9_000, 0, -1],
        ["M", 0, [1, 2, 3, 4, 5, 6]], ["N", 0, 0], ["F", 0, 1, 0, 1_500, 1, 0], ["H", 1, 3, -1], ["B", 1, 1],
        ["g", 1, 0], ["g", 1, -1], ["X", 1, "blown up"], ["E", "beaten"],
    ]  # fmt: skip


def test_light_weather_mines_and_bubbles_are_drawn_on_the_water() -> None:
    bank = ["fog", 1, 2, 3, 4, 5]
    assert orders([
        event("opened", phase="night", banks=[bank]), event("phase", phase="dawn"), event("phase", phase="day"),
        event("banks", banks=[]), event("mine_laid", x=1, y=2), event("swept", x=1, y=2),
        event("mine_seen", side="A", x=3, y=4), event("marker", n="B-1", x=5, y=6, on=True),
    ]) == [
        ["n", 2], ["k", [bank]], ["n", 1], ["n", 0], ["k", []], ["m", 1, 2, 1], ["m", 1, 2, 0], ["m", 3, 4, 1],
        ["u", "B-1", 5, 6, 1],
    ]  # fmt: skip


def test_an_enemy_shows_from_the_sighting_until_it_is_lost_to_sight() -> None:
    seen = event("sighted", "B1", side="A", x=3, y=4, h=0, type="BB", steps=2, pair="")
    lost = event("lost_sight", "B1", side="A")
    other = event("sighted", "A1", side="B", x=3, y=4, h=0, type="BB", steps=0, pair="")
    assert orders([placed("A1"), seen, other, lost], A)[1:] == [
        ["P", 1, 3, 4, 0, 2, -1],
        ["h", 1, "out of sight"],
    ]
    assert len(barker.replay(scenario(), [placed("A1"), seen], A)["ships"]) == 2
    assert orders([*ALL, seen, lost])[3:] == []


def test_a_ship_that_the_reader_never_saw_is_neither_drawn_nor_counted() -> None:
    events = [
        placed("A1"),
        event("moved", "B1", path=[[1, 2, 3]], tokens="C"),
        event("lit", "A1", target="B1"),
    ]
    doc = barker.replay(scenario(), events, A)
    assert [ship["id"] for ship in doc["ships"]] == ["A1"]
    assert orders(events, A)[1:] == [["g", 0, -1]]
    assert [row.ship for row in barker.standings(scenario(), events, A)] == ["A1"]


def test_the_second_boat_of_a_pair_stands_as_the_first_does() -> None:
    hurt = event("damage", "B2", steps=4, crippled=True, by="A1")
    rows = {row.ship: row for row in barker.standings(scenario(), [*ALL, hurt], None)}
    assert [(code, row.steps, row.alight, row.of_steps, row.word) for code, row in rows.items()] == [
        ("A1", 0, False, 6, "afloat"), ("B1", 0, False, 6, "afloat"), ("B2", 4, True, 6, "afloat"), ("B3", 4, True, 6, "afloat"),
    ]  # fmt: skip
    seen = event("sighted", "B2", side="A", x=3, y=4, h=0, type="TBD", steps=0, pair="B3")
    assert [row.ship for row in barker.standings(scenario(), [placed("A1"), seen], A)] == ["A1", "B2", "B3"]


def test_how_ships_end() -> None:
    ends = {
        "sunk": event("sunk", "B1", how="mine", by=""), "blown up": event("sunk", "B1", how="exploded", by="A1"),
        "left the battle": event("left", "B1", edge=90), "aground": event("aground", "B1"),
        "taken": event("captured", "B1", side="A", by="A1"),
    }  # fmt: skip
    for word, end in ends.items():
        row = barker.standings(scenario(), [*ALL, end], B)[1]
        assert (row.word, row.holder) == (word, "A" if word == "taken" else "B")


def test_the_second_boat_of_a_pair_is_told_by_the_first() -> None:
    ships = barker.replay(scenario(), list(ALL), None)["ships"]
    assert [(ship["id"], ship["on"]) for ship in ships] == [("A1", 0), ("B1", 1), ("B2", 2), ("B3", 2)]
    assert orders([placed("A1"), event("dived", "A1", x=0, y=0)])[-1] == ["h", 0, "submerged"]
