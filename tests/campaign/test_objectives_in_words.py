"""What objectives ask for and pay, as pages say it."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.accounts.objectives import asked_in_words, marks_in_words
from campaign.rules.chart.objectives import Row

NAMES = {
    "COAL": "Newcastle colliers", "thames": "Thames", "vlie": "The Vlie", "texel": "Texel", "swin": "The Swin",
    "FRA": "France", "MED": "The Armada", "GAL": "Galleys",
}  # fmt: skip
CASES: list[tuple[dict[str, Any], str]] = [
    (
        {"kind": "bring", "what": "COAL", "to": ["thames"], "share": 60},
        "At least 60% of the cargo of the Newcastle colliers delivered at Thames.",
    ),
    (
        {"kind": "bring", "what": "line", "number": 6, "to": ["texel", "vlie"]},
        "6 ships of the line brought to Texel or the Vlie.",
    ),
    (
        {"kind": "land", "men": 10_000, "at": ["thames", "vlie"]},
        "10,000 men ashore at Thames and the Vlie, in total.",
    ),
    ({"kind": "own", "ports": ["vlie"]}, "The Vlie owned by the side."),
    (
        {"kind": "own", "ports": ["vlie", "texel"], "each": True},
        "As many as possible of the Vlie and Texel owned by the side.",
    ),
    (
        {"kind": "close", "port": "vlie"},
        "A blockade of the Vlie for a whole day in which no enemy goes in or out.",
    ),
    (
        {"kind": "gather", "least_line": 30, "at": ["vlie"], "with": "FRA"},
        "30 ships of the line in one force, including a ship of France, at the Vlie.",
    ),
    (
        {"kind": "gather", "least_percent": 60, "at": ["vlie", "swin"], "days": 3, "running": True},
        "Fighting ships worth 60% of what the side began with in one force, at the Vlie or the Swin, on 3 mornings one after the other.",
    ),
    (
        {"kind": "sea", "least_marks": 1, "places": ["swin"], "days": 2},
        "Ships worth 1 mark at the Swin, and no enemy force worth half as much at any of them, on 2 mornings.",
    ),
    (
        {"kind": "destroy", "group": "line", "left": 25},
        "No more than 25% left of the value that the enemy's ships of the line had on the first day.",
    ),
    (
        {"kind": "destroy", "group": ["MED", "GAL"], "left": 88},
        "No more than 88% left of the value that the Armada and the galleys had on the first day.",
    ),
    (
        {"kind": "keep", "group": "all", "left": 70},
        "At least 70% left of the value that the side's whole fleet had on the first day.",
    ),
    ({"kind": "raid", "ports": ["vlie"]}, "A raid on the Vlie that succeeds fully or in part."),
    ({"kind": "deny", "objective": "x"}, "The enemy has not achieved the objective x."),
]


def row(**fields: Any) -> Row:
    return Row.read({"id": "aim", "side": "ENG", "marks": 10, "words": "Do it.", **fields})


@pytest.mark.clause("G.OB1")
@pytest.mark.parametrize(("fields", "words"), CASES, ids=[str(n) for n in range(len(CASES))])
def test_an_objective_says_what_it_asks_for(fields: dict[str, Any], words: str) -> None:
    assert asked_in_words(row(**fields), NAMES) == words


@pytest.mark.clause("G.OB2")
def test_an_objective_says_what_it_pays_and_when() -> None:
    raid = {"kind": "raid", "ports": ["vlie"]}
    assert marks_in_words(row(**raid)) == "10 marks once"
    assert marks_in_words(row(**raid, pay="daily")) == "10 marks a morning"
    assert (
        marks_in_words(row(**raid, pay="daily", marks=1, every=5, most=10))
        == "1 mark every 5 mornings, up to 10"
    )
    assert marks_in_words(row(**raid, pay="end")) == "10 marks at the end"
    assert (
        marks_in_words(row(kind="own", ports=["vlie"], each=True, pay="end"))
        == "10 marks for each at the end"
    )
    assert (
        marks_in_words(row(kind="bring", what="COAL", to=["thames"], pay="share"))
        == "10 marks for the whole cargo, at the end"
    )
