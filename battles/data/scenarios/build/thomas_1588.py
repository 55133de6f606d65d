"""Scenarios for Thomas's rules from the register of 1588: off Gravelines, off the Isle of Wight in a calm, and galleys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from battles.data.scenarios.build.placed import Roll, Spot, beside, line_ahead
from battles.data.scenarios.build.rows import Document, Row, handicap, head, register

GAP = 1_900
NORTH_NORTH_EAST, NORTH_EAST, EAST, WEST = 2_250, 4_500, 9_000, 27_000


def named(side: str, names: Iterable[str]) -> list[Row]:
    """Ships of a side by name, in the order given. Raises KeyError for one that is not in the register."""
    own = {row["name"]: row for row in register("1588_armada") if row["side"] == side}
    return [own[name] for name in names]


def gravelines() -> Document:
    """The English, to windward, come up in four squadrons with the best of the Armada, the banks of Flanders to leeward."""
    return {
        **head(
            "thomas",
            "GRAVELINES",
            "The Armada off Gravelines",
            "29 July 1588 (Old Style), from nine in the morning: the Queen's ships and the strongest merchantmen against the "
            "galleons of Portugal and Castile, the great ships that fought beside them and the three galleasses left, with the "
            "banks of Flanders to leeward. Medina Sidonia's rearguard stands to the enemy while the rest come up from leeward. 62 of "
            "some 200 sail: the hulks, the pataches and the small English craft are left out, as are ships aground or burnt by "
            "then. Who lay where is a judgement. Few of the guns are known: most batteries are reckoned from tons. The English "
            "had little powder left, which this set does not count. Half of the Spanish batteries are taken away as a handicap, and "
            "the Spanish, who had hoped to board for a week and never could, do not board.",
        ),
        "start": "1588-07-29T09:00",
        "place": "Off Gravelines",
        "wind": {"towards": 45, "strength": "moderate"},
        "gauge": "E",
        "turn_limit": 9,
        "options": {
            "hours_per_move": 1.0,
            "coast": [[[-40_000, -64_000], [60_000, 6_000], [120_000, 30_000], [120_000, -64_000]]],
        },
        "handicaps": [
            handicap("S", "batteries", 50, "Their heavy guns were slow to load and were fired once or twice an hour."),
        ],
        "sides": [_queens(), _armada()],
    }  # fmt: skip


def _queens() -> Document:
    roll = Roll("E")
    drake = named(
        "English",
        (
            "Revenge",
            "Nonpareil",
            "Hope",
            "Swiftsure",
            "Aid",
            "Galleon Leicester",
            "Merchant Royal",
            "Edward Bonaventure",
        ),
    )
    hawkins = named("English", ("Victory", "Mary Rose", "Swallow", "Golden Lion", "Dreadnought", "Roebuck"))
    frobisher = named(
        "English", ("Triumph", "Elizabeth Jonas", "White Bear", "Elizabeth Bonaventure", "Foresight")
    )
    howard = named(
        "English", ("Ark Royal", "Hercules", "Toby", "Centurion", "Mayflower", "Margaret and John")
    )
    seymour = named("English", ("Rainbow", "Vanguard", "Antelope", "Tiger", "Bull", "Tramontana", "Scout"))
    heads = ((-9_000, -6_000), (-17_000, 2_000), (-24_000, 10_000), (-34_000, 4_000), (-22_000, -14_000))
    bodies = (
        ("Drake", drake), ("Hawkins", hawkins), ("Frobisher", frobisher), ("Howard", howard), ("Seymour", seymour),
    )  # fmt: skip
    squadrons = [
        roll.squadron(f"{name}'s squadron", body, line_ahead(at, NORTH_EAST, len(body), GAP), NORTH_EAST)
        for (name, body), at in zip(bodies, heads, strict=True)
    ]
    doctrine = {"gauge": "windward", "board": "never", "break_off": 60}
    return {"id": "E", "name": "England", "nation": "England", "doctrine": doctrine, "squadrons": squadrons}


def _armada() -> Document:
    roll = Roll("S", ("Victory",), "Spanish")
    rearguard = named(
        "Spanish", ("San Martin", "San Juan de Portugal", "San Marcos", "San Felipe", "San Mateo")
    )
    portugal = named(
        "Spanish",
        ("San Luis", "Santiago de Portugal", "Florencia", "San Cristobal de Portugal", "San Bernardo"),
    )
    castile = named(
        "Spanish",
        (
            "San Cristobal de Castilla",
            "San Juan Bautista de Castilla",
            "San Pedro de Castilla",
            "San Juan el Menor",
        )
        + ("Santiago el Mayor", "San Felipe y Santiago", "La Asuncion de Castilla", "San Medel y Celedon"),
    )
    great = named(
        "Spanish",
        (
            "La Regazona",
            "La Rata Santa Maria Encoronada",
            "La Trinidad Valencera",
            "San Juan de Sicilia",
            "La Maria Juan",
        )
        + ("El Gran Grin", "Santa Ana de Guipuzcoa", "San Esteban de Guipuzcoa", "Santa Maria de la Rosa"),
    )
    galleasses = named("Spanish", ("Zuniga", "Girona", "Napolitana"))
    bodies = (
        ("Rearguard", rearguard, (6_000, 2_000)),
        ("Galleons of Portugal", portugal, (14_000, 16_000)),
        ("Galleons of Castile", castile, (24_000, 4_000)),
        ("Great ships", great, (12_000, 30_000)),
        ("Galleasses of Naples", galleasses, (10_000, 9_000)),
    )
    doctrine = {"stance": "hold", "fight_at": "close", "board": "never"}
    come_up = {"Galleons of Portugal", "Galleons of Castile", "Great ships"}
    squadrons = [
        roll.squadron(
            name, body, _abreast(at, len(body)), NORTH_NORTH_EAST,
            doctrine={**doctrine, "stance": "seek"} if name in come_up else doctrine,
        )
        for name, body, at in bodies
    ]  # fmt: skip
    return {"id": "S", "name": "Spain", "nation": "Spain", "doctrine": doctrine, "squadrons": squadrons}


def _abreast(middle: Spot, count: int) -> list[Spot]:
    """A crescent: ships abreast, the wings thrown back towards the enemy astern."""
    first = middle[0] - GAP * (count - 1) // 2, middle[1]
    row = [(first[0] + n * GAP, first[1]) for n in range(count)]
    back = [abs(2 * n - (count - 1)) * 400 for n in range(count)]
    return list(beside(row, NORTH_NORTH_EAST + 18_000, back))


def isle_of_wight() -> Document:
    """Two stragglers in a calm, English galleons towed towards them by boats, the galleasses rowing to their help."""
    english = named(
        "English", ("Victory", "Ark Royal", "Golden Lion", "Elizabeth Jonas", "Mary Rose", "Swallow")
    )
    stragglers = named("Spanish", ("San Luis", "Duquesa Santa Ana"))
    galleasses = named("Spanish", ("San Lorenzo", "Girona", "Napolitana"))
    queens, spanish = Roll("E"), Roll("S")
    return {
        **head(
            "thomas",
            "WIGHT",
            "Galleasses in a calm",
            "25 July 1588 (Old Style), at dawn, off the Isle of Wight: the San Luis and the Duquesa Santa Ana have fallen astern in "
            "a calm; Hawkins has his ships towed up to them by their boats, and three galleasses row to their help. Who lay how "
            "far from whom is a judgement. The rest of both fleets is out of gunshot and left out.",
        ),
        "start": "1588-07-25T05:00",
        "place": "South of the Isle of Wight",
        "wind": {"towards": 90, "strength": "light"},
        "turn_limit": 12,
        "options": {"hours_per_move": 0.5},
        "sides": [
            {
                "id": "E", "name": "England", "nation": "England", "doctrine": {"board": "never"},
                "squadrons": [queens.squadron("Hawkins", english, _row((-11_000, 0), len(english)), EAST)],
            },
            {
                "id": "S", "name": "Spain", "nation": "Spain", "squadrons": [
                    spanish.squadron("Stragglers", stragglers, _row((0, 0), 2), EAST),
                    spanish.squadron("Galleasses of Naples", galleasses, _row((16_000, 0), 3), WEST),
                ],
            },
        ],
    }  # fmt: skip


def galleys() -> Document:
    """Galleys under oars fall on merchantmen in light airs."""
    merchants = named(
        "English",
        ("Solomon", "Margaret and John", "Minion (of London)", "Ascension", "Centurion", "Violet", "Samuel"),
    )
    model = named("Spanish", ("Capitana (galley)",))[0]
    fleet = [
        model
        | {
            "name": "Capitana" if not n else f"Galley {n + 1}",
            "role": "private" if n else "flagship",
            "commander": "",
        }
        for n in range(10)
    ]
    english, spanish = Roll("E"), Roll("S")
    return {
        **head(
            "thomas",
            "GALLEYS",
            "Galleys in light airs",
            "24 April 1590, in the Straits of Gibraltar: ten ships of London, homeward bound and becalmed, beat off twelve galleys. "
            "Here are seven of the ten, those in the register of 1588, and ten galleys like the Capitana of Portugal of that "
            "register; their places are made up. The galleys' crews are cut as a handicap.",
        ),
        "start": "1590-04-24T07:00",
        "place": "Off Gibraltar",
        "wind": {"towards": 90, "strength": "light"},
        "turn_limit": 12,
        "options": {"hours_per_move": 0.5},
        "handicaps": [
            handicap("S", "crew", 65, "Most men of a galley are chained to its oars and do not fight."),
        ],
        "sides": [
            {
                "id": "E", "name": "England", "nation": "England", "doctrine": {"stance": "hold", "board": "never"},
                "squadrons": [english.squadron("Ships of London", merchants, _row((0, 0), len(merchants)), EAST)],
            },
            {
                "id": "S", "name": "Spain", "nation": "Spain", "doctrine": {"break_off": 60},
                "squadrons": [
                    spanish.squadron("First division", fleet[:5], _row((16_000, 6_000), 5), WEST),
                    spanish.squadron("Second division", fleet[5:], _row((16_000, -9_000), 5), WEST),
                ],
            },
        ],
    }  # fmt: skip


def _row(middle: Spot, count: int) -> Sequence[Spot]:
    """Ships side by side from north to south."""
    return [(middle[0], middle[1] + GAP * (count - 1) // 2 - n * GAP) for n in range(count)]


SCENARIOS: dict[str, Callable[[], Document]] = {
    "gravelines": gravelines,
    "isle_of_wight": isle_of_wight,
    "galleys": galleys,
}
