"""The printed tables of the set, and the words its rules are made of. Lengths in thousandths of an inch, angles in hundredths.

TS-1 sample ships, TS-2 oared vessels, TS-3 guns of a battery, TS-4 range bands, TS-5 set-up dice, TS-8 sailing, TS-10 boarding.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

INCH = 1_000
DEGREE = 100


class Strength(IntEnum):
    """Wind strengths, calmest first. Rules: T.B1f, TS-7."""

    CALM = 0
    LIGHT = 1
    MEDIUM = 2
    STRONG = 3


class Gun(StrEnum):
    """Range type of a battery. Rule: T.S3."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"


class Place(StrEnum):
    """Where a battery points. Rule: T.S4a."""

    PORT = "port"
    STARBOARD = "starboard"
    AHEAD = "ahead"
    ASTERN = "astern"


class Band(StrEnum):
    """Range band of a battery. Rule: T.S6."""

    CLOSE = "close"
    LONG = "long"
    OUT = "out"


class Kind(StrEnum):
    """What sort of ship she is. Rules: T.S8, T.N4, T.O4."""

    LINE = "line"
    FIFTY = "fifty"
    FRIGATE = "frigate"
    SMALL = "small"
    MERCHANT = "merchant"
    GALLEON = "galleon"
    GALLEASSE = "galleasse"
    GALLEY = "galley"
    AUXILIARY = "auxiliary"
    PINNACE = "pinnace"


class Period(StrEnum):
    """Whose table of guns holds. Rules: T.S4, T.S24."""

    ARMADA = "armada"
    NELSON = "nelson"


NELSON_FROM = 1700

# Vessels that have oars, those with one turn only under sail, and those that slaves row. Rules: T.O4, T.O4a, T.O4j.
OARED = frozenset({Kind.GALLEASSE, Kind.GALLEY, Kind.AUXILIARY, Kind.PINNACE})
ONE_TURN = frozenset({Kind.GALLEASSE, Kind.GALLEY})
SLAVES_ROW = ONE_TURN


class Sample(NamedTuple):
    """A row of TS-1 or TS-2. short, medium, long: half batteries of the whole ship. Oars None where she has none."""

    tons: int
    flot: int
    crew: int
    short: int
    medium: int
    long: int
    speed: int
    turn: int
    oar_speed: int | None = None
    oar_turn: int | None = None


# TS-1, by nation and name; Revenge's blank column is the medium one.
SAMPLES: dict[tuple[str, str], Sample] = {
    ("english", "hope"): Sample(600, 30, 60, 8, 8, 12, 5_000, 4_500),
    ("english", "revenge"): Sample(450, 23, 45, 8, 0, 12, 8_000, 9_000),
    ("english", "white bear"): Sample(1_000, 50, 100, 8, 16, 16, 6_000, 4_500),
    ("english", "prince royal"): Sample(1_200, 60, 120, 4, 12, 24, 6_000, 4_500),
    ("english", "james"): Sample(875, 44, 88, 4, 4, 24, 6_000, 4_500),
    ("portuguese", "san cristobal"): Sample(700, 35, 70, 12, 12, 4, 7_000, 4_500),
    ("portuguese", "san martin"): Sample(1_000, 50, 100, 16, 16, 6, 6_000, 4_500),
}

# TS-2.
OARED_ROWS: dict[Kind, Sample] = {
    Kind.GALLEASSE: Sample(800, 40, 80, 16, 16, 0, 3_000, 4_500, 5_000, 9_000),
    Kind.GALLEY: Sample(200, 10, 20, 2, 2, 0, 3_000, 4_500, 6_000, 9_000),
    Kind.AUXILIARY: Sample(200, 10, 20, 0, 0, 8, 5_000, 4_500, 3_000, 4_500),
    Kind.PINNACE: Sample(40, 2, 4, 0, 0, 1, 7_500, 9_000, 6_000, 13_500),
}


class Grouping(NamedTuple):
    """A row of TS-3: so many guns make so many batteries of a type."""

    guns: int
    batteries: int
    gun: Gun


# TS-3 to 1699, with the saker and the minion of T.S4c.
ARMADA_GUNS: dict[str, Grouping] = {
    "cannon": Grouping(1, 2, Gun.SHORT),
    "perier": Grouping(1, 1, Gun.SHORT),
    "demicannon": Grouping(1, 1, Gun.MEDIUM),
    "culverin": Grouping(2, 1, Gun.LONG),
    "demiculverin": Grouping(4, 1, Gun.LONG),
    "saker": Grouping(7, 1, Gun.LONG),
    "minion": Grouping(9, 1, Gun.LONG),
}

# TS-3 from 1700: guns of so many pounds that make one long battery.
NELSON_GUNS: dict[int, int] = {
    6: 25, 9: 18, 12: 12, 18: 9, 24: 6, 28: 5, 30: 5, 32: 5, 36: 4, 40: 3, 42: 3,
}  # fmt: skip


def nelson_grouping(pounds: int) -> int:
    """Guns of a calibre that make one battery: TS-3, else 150 lb of shot. pounds: above 0. Rules: T.S4, T.S4d."""
    if pounds in NELSON_GUNS:
        return NELSON_GUNS[pounds]
    return max(1, (300 + pounds) // (2 * pounds))


# TS-4: how far a type fires at close range, and at all.
REACH: dict[Gun, tuple[int, int]] = {
    Gun.SHORT: (4_000, 4_000),
    Gun.MEDIUM: (4_000, 8_000),
    Gun.LONG: (8_000, 16_000),
}
FARTHEST = 16_000


def band(gun: Gun, distance: int) -> Band:
    """The band a distance falls in for a type of battery; a limit belongs to the nearer band. Rules: T.S6, T.B9a."""
    close, most = REACH[gun]
    return Band.CLOSE if distance <= close else Band.LONG if distance <= most else Band.OUT


# Lowest face that hits, by band. Rule: T.B9.
HITS_FROM: dict[Band, int] = {Band.CLOSE: 4, Band.LONG: 5}

# TS-5: hour the battle begins, and bearing of the prevailing wind, by face.
START_HOURS = (6, 9, 12, 15, 18, 21)
NIGHTFALL = 21
PREVAILING = (0, 9_000, 18_000, 27_000)

# TS-8 and the conventions: what a dismasted ship drifts, and what a ship under sail moves at least, by strength.
DRIFT_RATE: dict[Strength, int] = {
    Strength.CALM: 0, Strength.LIGHT: 0, Strength.MEDIUM: 1_000, Strength.STRONG: 2_000,
}  # fmt: skip
DRIFT_UNIT = 1_000
LIGHT_AIRS = 1_000
CALM_TURN = 4_500
BOATS_TURN = 4_500
BOATS_PULL = 1_000


# TS-10: men killed by a die, by face less one.
KILLS_AT_2 = (0, 0, 1, 2, 3, 4)
KILLS_AT_3 = (0, 0, 0, 1, 2, 3)

# TS-12, lowest face that succeeds.
GRAPPLES_FROM = 4
CUTS_FROM = 4
UNDER_WAY_FROM = 4
IRONS_TURN_FROM = 5
HEADED_UP_TO = 2
MAST_FALLS_UP_TO = 3
FIRE_OUT_FROM = 5
STRIKES_UP_TO = 2
RISING_FROM = 4
TOW_FAST_FROM: dict[Strength, int] = {
    Strength.CALM: 3, Strength.LIGHT: 3, Strength.MEDIUM: 4, Strength.STRONG: 6,
}  # fmt: skip
BLAST_REACH = 3_000
CONTACT = 100
TOW_REACH = 1_000
TOW_GAP = 200
RESCUE_REACH = 2_000
ESCAPE_REACH = 32_000
JURY_MOVES = 5
BURNING_MOVES = 5


_SOUTHERN = frozenset(
    {
        "spain", "spanish", "portugal", "portuguese", "italy", "italian", "ragusa", "ragusan", "venice", "venetian", "genoa",
        "genoese", "naples", "neapolitan", "tuscany", "florence", "savoy", "malta", "papal states", "ottoman empire", "turkey",
        "turkish", "barbary", "algiers", "tunis", "tripoli", "sicily", "morocco",
    }
)  # fmt: skip
_ENGLISH = frozenset({"english", "england", "british", "britain", "great britain"})
# Yards that built for shoal water. Rule: T.C33.
_SHALLOW = frozenset(
    {
        "dutch", "dutch republic", "netherlands", "holland", "united provinces", "denmark", "danish", "denmark-norway",
        "sweden", "swedish", "hanse", "hamburg", "bremen", "lubeck", "danzig", "brandenburg", "prussia", "poland", "polish",
        "russia", "russian",
    }
)  # fmt: skip
_HEAVY_36 = frozenset({"france", "french", "spain", "spanish"})


def is_southern(nation: str) -> bool:
    """Whether a flag is one of the Mediterranean and Iberian ones; an unknown one is northern. Rule: T.S26."""
    return nation.casefold() in _SOUTHERN


def is_english(nation: str) -> bool:
    """Whether a flag is the English one. Rule: T.S26."""
    return nation.casefold() in _ENGLISH


def is_shallow_yard(builder: str) -> bool:
    """Whether a yard is a Dutch or Baltic one. Rule: T.C33."""
    return builder.casefold() in _SHALLOW


def carries_36_pounders(nation: str) -> bool:
    """Whether the heavy guns of a nation's larger ships of the line are 36-pounders. Rule: T.S26."""
    return nation.casefold() in _HEAVY_36
