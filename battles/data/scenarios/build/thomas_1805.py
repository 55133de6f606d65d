"""Scenarios for Thomas's rules from the register of 1805: Trafalgar, and a meeting of two of its frigates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from battles.data.scenarios.build.placed import Roll, Spot, beside, line_ahead
from battles.data.scenarios.build.rows import Document, Row, handicap, head
from battles.data.scenarios.build.rows import trafalgar as at_trafalgar

NORTH, EAST = 0, 9_000
GAP = 2_300
# Ships that lay to leeward of their places in the Combined line, in which there were gaps elsewhere.
LEEWARD = frozenset(
    {
        "Rayo", "San Francisco de Asis", "Neptune", "San Leandro", "San Justo", "Indomptable", "Montanes", "Argonaute",
        "San Ildefonso", "Achille",
    }
)  # fmt: skip
_SHARED = ("Neptune", "Swiftsure", "Achille")


def rows(side: str, squadron: str = "") -> list[Row]:
    """Ships of a side, or of one of its squadrons by how its name begins."""
    return [row for row in at_trafalgar() if row["side"] == side and row["squadron"].startswith(squadron)]


def trafalgar() -> Document:
    """Two columns, to windward, run down on the line of the Combined Fleet."""
    return {
        **head(
            "thomas",
            "TRAFALGAR",
            "Trafalgar",
            "21 October 1805, from noon to half past five: all 60 ships of the line, with the frigates and small craft. The Combined "
            "Fleet lies in its line after it wore, heading north, ten ships to leeward of their places; Collingwood, leading the lee "
            "column, is about to break in astern of the Santa Ana and Nelson, a move behind him, at the Bucentaure; the Africa "
            "comes down alone from the north. The wind was light and west-north-west: a medium one stands for it, for in light airs "
            "of this set no ship would reach the enemy in a day. Places in the line are the register's; how far apart the columns "
            "were is drawn together to the length of the line. All begin sound. The set knows no difference of gunnery or of crews, so the "
            "Combined Fleet has handicaps: half of its batteries and three fifths of its crews are left. What else tells the fleets "
            "apart are their orders, the British to close, break in and board, the Combined Fleet to hold its "
            "line and not to board, which only the Redoutable tried.",
        ),
        "start": "1805-10-21T12:00",
        "place": "Off Cape Trafalgar",
        "wind": {"towards": 112, "strength": "moderate"},
        "gauge": "B",
        "turn_limit": 22,
        "options": {"hours_per_move": 0.25},
        "handicaps": [
            handicap(
                "C",
                "batteries",
                50,
                "Blockaded for two years, its crews fired one broadside to two or three of the British.",
            ),
            handicap(
                "C",
                "crew",
                60,
                "Many of its men were soldiers and landsmen who had never been to sea, and many were sick.",
            ),
        ],
        "sides": [_british(), _combined()],
    }


def _british() -> Document:
    roll = Roll("B")
    weather = rows("British", "Weather")
    lee = rows("British", "Lee")
    africa = [row for row in weather if row["name"] == "Africa"]
    weather = [row for row in weather if row["name"] != "Africa"]
    frigates = rows("British", "Frigates")
    nelson = line_ahead((-6_000, 9_000), EAST, len(weather), GAP)
    collingwood = line_ahead((-2_000, -4_000), EAST, len(lee), GAP)
    squadrons = [
        roll.squadron("Weather Column, van", weather[:6], nelson[:6], EAST),
        roll.squadron("Weather Column, rear", weather[6:], nelson[6:], EAST),
        roll.squadron("Lee Column, van", lee[:7], collingwood[:7], EAST),
        roll.squadron("Lee Column, rear", lee[7:], collingwood[7:], EAST),
        roll.squadron("Africa", africa, [(-24_000, 44_000)], 13_500),
        roll.squadron(
            "Frigates and small craft",
            frigates,
            line_ahead((-12_000, 18_000), EAST, len(frigates), GAP),
            EAST,
            doctrine={"stance": "hold", "board": "never"},
        ),
    ]
    doctrine = {"gauge": "windward", "fight_at": "close", "chase": "general", "break_off": 75}
    return {
        "id": "B",
        "name": "Great Britain",
        "nation": "Great Britain",
        "doctrine": doctrine,
        "squadrons": squadrons,
    }


def _combined() -> Document:
    roll = Roll("C", _SHARED, "French")
    bodies = [rows("Franco-Spanish", name) for name in ("Van", "Centre", "Rear", "Squadron")]
    line = sum(bodies, [])
    spots = _bent(line)
    at = dict(zip((row["name"] for row in line), spots, strict=True))
    van, centre, rear, observing = bodies
    parts = [
        ("Van", van), ("Centre", centre), ("Rear", rear), ("Squadron of Observation, van", observing[:6]),
        ("Squadron of Observation, rear", observing[6:]),
    ]  # fmt: skip
    squadrons = [roll.squadron(name, part, [at[row["name"]] for row in part], NORTH) for name, part in parts]
    frigates = rows("Franco-Spanish", "Frigates")
    lying = line_ahead((11_000, 16_000), NORTH, len(frigates), 2 * GAP)
    squadrons.append(
        roll.squadron(
            "Frigates and small craft", frigates, lying, NORTH, doctrine={"stance": "hold", "board": "never"}
        )
    )
    doctrine = {"stance": "hold", "fight_at": "close", "board": "never"}
    return {
        "id": "C",
        "name": "Combined Fleet",
        "nation": "France",
        "doctrine": doctrine,
        "squadrons": squadrons,
    }


def _bent(line: Sequence[Row]) -> list[Spot]:
    """The line from north to south, its middle sagging to leeward, some ships to leeward of their places."""
    straight = line_ahead((0, 34_000), NORTH, len(line), GAP)
    middle = len(line) // 2
    sag = [4_000 - 4_000 * (n - middle) ** 2 // middle**2 for n in range(len(line))]
    away = [3_000 if row["name"] in LEEWARD else 0 for row in line]
    return list(beside(straight, EAST, [a + b for a, b in zip(sag, away, strict=True)]))


def frigate_duel() -> Document:
    """Two frigates that watched each other's fleets meet with nobody else in sight."""
    return {
        **head(
            "thomas",
            "FRIGATES",
            "A frigate duel",
            "The Sirius and the Hortense, of the same force, sight each other at ten in the morning, the Sirius to windward. "
            "Both were at Trafalgar; this meeting is made up. The tons of the Hortense and the calibres of both are not in the register.",
        ),
        "start": "1805-10-19T10:00",
        "place": "Off Cadiz",
        "wind": {"towards": 90, "strength": "moderate"},
        "gauge": "B",
        "turn_limit": 20,
        "options": {"hours_per_move": 0.5},
        "sides": [
            _alone("B", "Great Britain", "Sirius", (-10_000, 0), 4_500),
            _alone("F", "France", "Hortense", (0, 6_000), NORTH),
        ],
    }  # fmt: skip


def _alone(code: str, nation: str, name: str, spot: Spot, heading: int) -> Document:
    own = [row for row in at_trafalgar() if row["name"] == name and row["nation"] == nation]
    doctrine: dict[str, Any] = {"break_off": 75}
    return {
        "id": code,
        "name": nation,
        "nation": nation,
        "doctrine": doctrine,
        "squadrons": [Roll(code).squadron(name, own, [spot], heading)],
    }


SCENARIOS: dict[str, Callable[[], Document]] = {
    "trafalgar": trafalgar,
    "frigate_duel": frigate_duel,
}
