"""Scenarios for Kohler's rules: the Four Days' Battle and three more in ships of its register.

Who had left the battle by which day stands in `days.json`, with reasons.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from battles.data.scenarios.build.rows import Document, Row, facts, head
from battles.data.scenarios.build.rows import register as _register
from fleets.divisions import Mustered, divided

HERE = Path(__file__).parent.parent
SISTERS_FROM = range(
    46, 59
)  # guns of the fourth rates and their Dutch equals, the commonest ships of the time

_NATIONS = {"E": ("English", "England"), "D": ("Dutch", "Dutch Republic")}
# A fleet in line boards only who is crippled; who hunts merchants or meets alone boards whenever it pays. Rule: G.MV5.
_LINE = {"board": "crippled"}
_FLAGS = ("flagship", "vice_flag", "rear_flag")


def register() -> tuple[Row, ...]:
    """The rows of the register of 1666, in its order."""
    return _register("1666_four_days_battle")


@cache
def _days() -> dict[str, Any]:
    """Who left the battle on which day, and whose flag went where."""
    found: dict[str, Any] = json.loads((HERE / "days.json").read_text(encoding="utf-8"))
    return found


def present(code: str, day: int) -> list[Row]:
    """The ships of a side that began a day of the battle, flags as they flew by then."""
    side, _ = _NATIONS[code]
    gone = {name for before in range(1, day) for name in _days()["left"][str(before)][side]}
    flags: dict[str, Any] = {}
    for before in range(1, day):
        flags |= _days()["flags"].get(str(before), {}).get(side, {})
    rows = [row for row in register() if row["side"] == side and row["name"] not in gone]
    return [row | flags.get(row["name"], {}) for row in rows]


def named(code: str, names: Iterable[str]) -> list[Row]:
    """Ships of a side by name, in the order given. Raises KeyError for one that is not in the register."""
    side, _ = _NATIONS[code]
    own = {row["name"]: row for row in register() if row["side"] == side}
    return [own[name] for name in names]


def squadrons(code: str, rows: Sequence[Row], **more: Any) -> list[Document]:
    """The rows in squadrons and divisions as they muster, ships numbered in the order of sailing."""
    mustered = [
        Mustered(n, row["squadron"], row["division"], row["role"], int(row["guns"] or 0))
        for n, row in enumerate(rows)
    ]
    made: list[Document] = []
    number = 0
    for place, division in enumerate(divided(mustered), start=1):
        ships = []
        for key in division.ships:
            number += 1
            ships.append(
                {"id": f"{code}{number:02}", "name": rows[key]["name"], "facts": facts(rows[key], "rate")}
            )
        flagship = rows[division.flagship]
        body = {"id": f"{code}-{place}", "name": division.name, **more}
        body["flagship"] = ships[division.ships.index(division.flagship)]["id"]
        if flagship["role"] in _FLAGS and flagship["commander"]:
            body["flag_officer"] = flagship["commander"].split(";")[0]
        made.append({**body, "ships": ships})
    return made


def side(code: str, rows: Sequence[Row], **more: Any) -> Document:
    """A side of a scenario, its ships by squadron and division."""
    nation = _NATIONS[code][1]
    return {"id": code, "name": nation, "nation": nation, **more, "squadrons": squadrons(code, rows)}


def scenario(code: str, title: str, note: str, sides: Sequence[Document], **more: Any) -> Document:
    """A scenario document."""
    return {**head("kohler", code, title, note), **more, "sides": list(sides)}


def day_1() -> Document:
    """Albemarle, to windward, falls on all the Dutch; the wind too strong for the lee lower ports."""
    return scenario(
        "FOUR/1",
        "The Four Days' Battle, first day",
        "1 June 1666: all the ships under Albemarle against all the Dutch, from one in the afternoon until dark. The wind blew "
        "fresh from the south-west, so that the English, to windward, could not open their lower ports; its strength is held, as on the "
        "other days. Both fleets begin in line; the Dutch in truth cut their cables. Dutch fire ships are not in the register.",
        [
            side("E", _albemarle(1), doctrine={**_LINE, "gauge": "windward"}),
            side("D", present("D", 1), doctrine=_LINE),
        ],
        start="1666-06-01T13:00",
        place="Between the North Foreland and Dunkirk",
        wind={"towards": 45, "strength": "strong"},
        gauge="E",
        turn_limit=18,
        options={"weather": False},
    )  # fmt: skip


def day_2() -> Document:
    """Passing on opposite tacks in a light wind, those left of the first day."""
    return scenario(
        "FOUR/2",
        "The Four Days' Battle, second day",
        "2 June 1666: the ships of both sides that had not been lost or sent home on the first day, in a light wind from the "
        "south-west. All begin sound, for what each had suffered is not known. Tromp's flag is in the Provincie van Utrecht.",
        [side("E", _albemarle(2), doctrine=_LINE), side("D", present("D", 2), doctrine=_LINE)],
        start="1666-06-02T06:00",
        place="Between the North Foreland and Dunkirk",
        wind={"towards": 45, "strength": "light"},
        gauge="E",
        turn_limit=28,
        options={"weather": False},
    )


def day_3() -> Document:
    """Albemarle runs for the Thames before an easterly wind; Prince Rupert comes up from the west."""
    english = side("E", _albemarle(3), doctrine={**_LINE, "stance": "avoid"})
    english["squadrons"] += squadrons(
        "R", _rupert(), arrives=11, edge=270, doctrine={**_LINE, "stance": "seek"}
    )
    return scenario(
        "FOUR/3",
        "The Four Days' Battle, third day",
        "3 June 1666: Albemarle retreats before a light easterly wind with the Dutch after him; Prince Rupert's squadron comes "
        "in from the west at three in the afternoon (turn 11). The Galloper lies across the way, where the Royal Prince "
        "grounded; its place on the board is a judgement. All begin sound.",
        [english, side("D", present("D", 3), doctrine={**_LINE, "chase": "general"})],
        start="1666-06-03T10:00",
        place="Off the Galloper",
        wind={"towards": 270, "strength": "light"},
        gauge="D",
        # Albemarle had room to begin with: the Dutch come up with him in the course of the day.
        gap=10,
        turn_limit=24,
        options={"weather": False},
        shoal=[[-26 + q, r - (q - 1) // 2] for q in range(3) for r in range(-3, 4)],
    )


def day_4() -> Document:
    """Both English fleets together against the Dutch, who have the wind."""
    return scenario(
        "FOUR/4",
        "The Four Days' Battle, fourth day",
        "4 June 1666: Albemarle and Prince Rupert together, Rupert's ships in the van, against the Dutch to windward, wind "
        "south-west. All begin sound, which flatters the English above all: many of Albemarle's ships could hardly keep the sea.",
        [
            side("E", [*_rupert(), *_albemarle(4)], doctrine=_LINE),
            side("D", present("D", 4), doctrine=_LINE),
        ],
        start="1666-06-04T08:00",
        place="Between the Thames and the coast of Flanders",
        wind={"towards": 45, "strength": "moderate"},
        gauge="D",
        turn_limit=24,
        options={"weather": False},
    )


def gabbard_100() -> Document:
    """A hundred ships a side in line, the English with the wind and the heavier guns."""
    sides = []
    for code, (name, _) in _NATIONS.items():
        rows = [row for row in register() if row["side"] == name and row["ship_type"] != "fireship"]
        sides.append(
            side(
                code,
                [*rows, *_sisters(rows, 100 - len(rows))],
                doctrine={**_LINE, "fight_at": "long"} if code == "E" else _LINE,
            )
        )
    return scenario(
        "GABBARD",
        "A line battle of a hundred ships a side",
        "A battle the size of the Gabbard, 2 June 1653, fought with the ships of 1666: all of the register except the fire ships, "
        "made up to a hundred a side with imaginary sister ships of fourth rates, marked (2). The wind is that of the day, light "
        "and northerly, and keeps its strength; the English are to windward and keep their distance. The ships are heavier than "
        "those of 1653.",
        sides,
        start="1653-06-02T11:00",
        place="Off the Gabbard",
        wind={"towards": 180, "strength": "light"},
        gauge="E",
        turn_limit=18,
        options={"weather": False},
    )


def convoy() -> Document:
    """An English squadron falls on Dutch merchants and their escort."""
    hunters = named(
        "E", ("Defiance", "Fairfax", "York", "Gloucester", "Diamond", "Bonaventure", "Dragon", "Success")
    )
    escort = named(
        "D",
        ("Klein Hollandia", "Steenbergen", "Dordrecht (Zeeland)", "Utrecht (Zeeland)", "Vlissingen", "Edam"),
    )
    english = side("E", _one_squadron(hunters, "Channel squadron", "Defiance"))
    dutch = side("D", _one_squadron(escort, "Escort", "Klein Hollandia"))
    merchants = [
        {"id": f"M{n:02}", "name": f"Merchantman {n}", "facts": {"nation": "Dutch Republic", "ship_type": "merchant", **build}}
        for n, build in enumerate(_MERCHANTS * 8, start=1)
    ]  # fmt: skip
    dutch["squadrons"][0]["doctrine"] = {"protect": [one["id"] for one in merchants]}
    columns: list[Document] = []
    for number, start in enumerate(range(0, len(merchants), 8), start=1):
        ships = merchants[start : start + 8]
        columns.append({
            "id": f"M-{number}", "name": f"Merchants, {_TIMES[number - 1]} column", "flagship": ships[0]["id"],
            "doctrine": {"stance": "hold", "board": "never", "break_off": 15}, "ships": ships,
        })  # fmt: skip
    dutch["squadrons"][1:1] = columns[1:]
    dutch["squadrons"].insert(0, columns[0])
    return scenario(
        "CONVOY",
        "The attack on a convoy",
        "Modelled on Holmes's attack on the Smyrna convoy, 13 March 1672, with ships of the register of 1666 in place of those it "
        "does not list. The twenty-four merchants, their guns and their tons are made up; in 1672 there were nearly three times as many.",
        [english, dutch],
        start="1672-03-13T14:00",
        place="Off the Isle of Wight",
        wind={"towards": 45, "strength": "moderate"},
        gauge="E",
        gap=5,
        turn_limit=12,
    )  # fmt: skip


def fire_ships_at_anchor() -> Document:
    """Eight fire ships under cover of six ships go in on ten Dutch ships at anchor."""
    fire_ships = [row for row in register() if row["ship_type"] == "fireship"]
    cover = named("E", ("Rupert", "Leopard", "Antelope", "Hampshire", "Assurance", "Dragon"))
    lying = named(
        "D",
        ("Walcheren", "Tholen", "Zierikzee", "Middelburg", "Vlissingen", "Veere", "Zeelandia", "Zwanenburg", "Schakerlo")
        + ("Visschers Harder",),
    )  # fmt: skip
    first = _one_squadron([*cover[:3], *fire_ships[:4]], "First attack", "Rupert")
    second = _one_squadron([*cover[3:], *fire_ships[4:]], "Second attack", "Hampshire")
    return scenario(
        "ANCHOR",
        "Fire ships on a squadron at anchor",
        "An imaginary battle: the fire ships of the English fleet, covered by six ships, attack from windward ten ships of Zeeland "
        "that lie at anchor and cannot make sail for four hours (turn 9).",
        [
            side("E", [*first, *second], doctrine={**_LINE, "gauge": "windward"}),
            side(
                "D", _one_squadron(lying, "Zeeland ships", "Walcheren"), doctrine={**_LINE, "stance": "hold"}
            ),
        ],
        place="Schooneveld",
        wind={"towards": 90, "strength": "moderate"},
        gauge="E",
        gap=6,
        turn_limit=16,
        options={"at_anchor": {"D-1": 9}},
    )


def single_ships() -> Document:
    """Two ships that meet alone."""
    antelope, vlissingen = named("E", ["Antelope"]), named("D", ["Vlissingen"])
    return scenario(
        "SINGLE",
        "A single-ship action",
        "The Antelope and the Vlissingen, of much the same force, meet with no other sail in sight. Both were at the Four Days' "
        "Battle; this meeting is made up.",
        [
            side(code, _one_squadron(rows, rows[0]["name"], rows[0]["name"]), doctrine={"break_off": 75})
            for code, rows in (("E", antelope), ("D", vlissingen))
        ],
        place="The North Sea",
        wind={"towards": 45, "strength": "moderate"},
        turn_limit=24,
    )


# Merchants of three sizes, in turn; deep laden, so unhandy (K.S10).
_MERCHANTS = [
    {"guns": 24, "tons_burthen": 400, "overrides": {"unhandy": True}},
    {"guns": 16, "tons_burthen": 300, "overrides": {"unhandy": True}},
    {"guns": 10, "tons_burthen": 180, "overrides": {"unhandy": True}},
]
_TIMES = ("first", "second", "third")


def _albemarle(day: int) -> list[Row]:
    return [row for row in present("E", day) if not _is_ruperts(row)]


def _rupert() -> list[Row]:
    """Prince Rupert's squadron, which fought from the third day on."""
    return [row for row in register() if _is_ruperts(row)]


def _is_ruperts(row: Row) -> bool:
    return row["squadron"].startswith("Detached")


def _sisters(rows: Collection[Row], count: int) -> list[Row]:
    """Sister ships of the first so many ships of the commonest sizes, private ships without captains."""
    models = [row for row in rows if row["ship_type"] == "ship_of_line" and int(row["guns"]) in SISTERS_FROM]
    return [
        row | {"name": f"{row['name']} (2)", "role": "private", "commander": ""} for row in models[:count]
    ]


def _one_squadron(rows: Sequence[Row], name: str, flagship: str) -> list[Row]:
    """Ships of several squadrons brought together under one flag."""
    return [
        row | {"squadron": name, "division": "", "role": "flagship" if row["name"] == flagship else "private"}
        for row in rows
    ]


SCENARIOS: dict[str, Callable[[], Document]] = {
    "four_days_1": day_1,
    "four_days_2": day_2,
    "four_days_3": day_3,
    "four_days_4": day_4,
    "gabbard_100": gabbard_100,
    "convoy": convoy,
    "fire_ships_at_anchor": fire_ships_at_anchor,
    "single_ships": single_ships,
}
