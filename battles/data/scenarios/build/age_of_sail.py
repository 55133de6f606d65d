"""Scenarios for Age of Sail: pirates of 1722, squadrons of the Caribbean in 1739 to 1741, and a part of Trafalgar."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from battles.data.scenarios.build.rows import Document, Row, facts, head, register

_SET = "age_of_sail"
_FLAGS = ("flagship", "vice_flag", "rear_flag")


def _named(code: str, side: str, names: Sequence[str]) -> list[Row]:
    """Ships of a side of a register by name, in this order."""
    found = {row["name"]: row for row in register(code) if row["side"] == side}
    return [found[name] for name in names]


def _side(
    code: str, name: str, nation: str, squadrons: Mapping[str, Sequence[Row]], doctrine: Mapping[str, Any], clash: str = ""
) -> Document:  # fmt: skip
    """A side in its squadrons, ships numbered in list order. clash: word added to a name that both fleets have."""
    numbers = iter(range(1, 100))
    parts = []
    for n, (title, rows) in enumerate(squadrons.items(), 1):
        ships = [_ship(f"{code}{next(numbers):02}", row, clash) for row in rows]
        flags = [k for role in _FLAGS for k, row in enumerate(rows) if row["role"] == role]
        leader = flags[0] if flags else 0
        part = {"id": f"{code}-{n}", "name": title, "flagship": ships[leader]["id"]}
        if flags and rows[leader]["commander"]:
            part["flag_officer"] = rows[leader]["commander"].split(";")[0]
        parts.append({**part, "ships": ships})
    return {"id": code, "name": name, "nation": nation, "doctrine": dict(doctrine), "squadrons": parts}


_SHARED = ("Neptune", "Swiftsure", "Achille")


def _ship(code: str, row: Row, clash: str) -> Document:
    name = f"{row['name']} ({clash})" if clash and row["name"] in _SHARED else row["name"]
    known = facts(row, "rate")
    own = json.loads(row.get("overrides") or "{}").get(_SET)
    if own:
        known["overrides"] = own
    found: Document = {"id": code, "name": name, "facts": known}
    captain = row["commander"].split(";")[-1].strip()
    return {**found, "captain": captain} if captain else found


def cape_lopez() -> Document:
    """Two fifties of the Royal Navy find Roberts's three ships."""
    pirates = _named("1720_pirates", "Pirates", ("Royal Fortune", "Great Ranger", "Little Ranger"))
    navy = _named("1720_pirates", "Royal Navy and hunters", ("Swallow", "Weymouth"))
    return {
        **head(
            _SET,
            "LOPEZ",
            "Pirates off Cape Lopez",
            "10 February 1722. The Swallow took the Great Ranger on the 5th and the Royal Fortune five days later, one at a time, and "
            "the Weymouth was not there. Here Roberts keeps his three ships together and both cruisers find him.",
        ),
        "start": "1722-02-10T10:00",
        "place": "Off Cape Lopez",
        "wind": {"towards": 45, "strength": "moderate"},
        "gauge": "N",
        "gap": 25,
        "sides": [
            _side("P", "Pirates", "England", {"Roberts": pirates}, {"break_off": 75}),
            _side("N", "Royal Navy", "Great Britain", {"Ogle": navy}, {"chase": "general", "break_off": 75}),
        ],
    }


def vernon_1739() -> Document:
    """Vernon's six ships meet the squadron of Cartagena."""
    english = _named(
        "1740_caribbean",
        "British",
        ("Hampton Court", "Norwich", "Worcester", "Burford", "Strafford", "Princess Louisa"),
    )
    spanish = _named(
        "1740_caribbean",
        "Spanish",
        ("San Carlos", "Africa", "Galicia", "San Felipe", "Conquistador", "Dragon"),
    )
    return {
        **head(
            _SET,
            "VERNON",
            "Vernon and Lezo, 1739",
            "Vernon sailed with these six ships from Jamaica to Porto Bello in November 1739, in this order of attack but for one "
            "place. Lezo's squadron did not leave Cartagena; the meeting is made up, and which of his ships were fit for sea is a guess.",
        ),
        "start": "1739-11-14T09:00",
        "place": "Between Cartagena and Porto Bello",
        "gauge": "B",
        "options": {"wind_start": "set", "theatre": "caribbean"},
        "sides": [
            _side("B", "Great Britain", "Great Britain", {"Vernon": english}, {"fight_at": "close"}),
            _side("S", "Spain", "Spain", {"Lezo": spanish}, {}),
        ],
    }


def hispaniola_1741() -> Document:
    """Ogle's detachment overhauls four French ships."""
    english = _named(
        "1740_caribbean", "British", ("Prince Frederick", "Orford", "Lion", "Weymouth", "Ripon", "Dunkirk")
    )
    french = _named("1740_caribbean", "French", ("Ardent", "Mercure", "Diamant", "Parfaite"))
    return {
        **head(
            _SET,
            "HISPANIOLA",
            "Off Hispaniola, 1741",
            "January 1741, at night: Lord Aubrey Beauclerk's six ships overhaul four Frenchmen, who hoist no colours; no one is at "
            "war. They fight until morning and part with apologies. The wind is estimated.",
        ),
        "start": "1741-01-08T22:00",
        "place": "Off the west end of Hispaniola",
        "wind": {"towards": 270, "strength": "light"},
        "gauge": "B",
        "gap": 20,
        "sides": [
            _side("B", "Great Britain", "Great Britain", {"Beauclerk": english}, {"break_off": 40}),
            _side("F", "France", "France", {"Epinay": french}, {"stance": "hold", "board": "never", "break_off": 40}),
        ],
    }  # fmt: skip


def trafalgar_twenty() -> Document:
    """The columns, ten ships of each, against the twenty that they broke in upon."""

    def line(side: str, squadron: str) -> list[Row]:
        return [
            row
            for row in register("1805_trafalgar")
            if row["side"] == side
            and row["squadron"].startswith(squadron)
            and row["ship_type"] == "ship_of_line"
        ]

    weather = [row for row in line("British", "Weather") if row["name"] != "Africa"]
    lee = line("British", "Lee")
    body = [row for name in ("Centre", "Rear", "Squadron") for row in line("Franco-Spanish", name)]
    return {
        **head(
            _SET,
            "TRAFALGAR",
            "Trafalgar, twenty a side",
            "21 October 1805, the thick of it: the first ten of each British column and twenty of the Combined Fleet's centre and rear. "
            "They begin as the rules lay them out, in two lines on one course and not in columns; the wind was light and "
            "west-north-west, and is west here. The Combined Fleet holds its line and does not board.",
        ),
        "start": "1805-10-21T12:00",
        "place": "Off Cape Trafalgar",
        "wind": {"towards": 90, "strength": "light"},
        "gauge": "B",
        "sides": [
            _side(
                "B", "Great Britain", "Great Britain", {"Weather Column": weather[:10], "Lee Column": lee[:10]},
                {"gauge": "windward", "fight_at": "close", "chase": "general", "break_off": 75},
            ),
            _side(
                "C", "Combined Fleet", "France", {"Centre": body[:10], "Rear": body[10:20]},
                {"stance": "hold", "board": "never", "break_off": 60}, clash="French",
            ),
        ],
    }  # fmt: skip


SCENARIOS: dict[str, Callable[[], Document]] = {
    "cape_lopez": cape_lopez,
    "vernon_1739": vernon_1739,
    "hispaniola_1741": hispaniola_1741,
    "trafalgar_twenty": trafalgar_twenty,
}
