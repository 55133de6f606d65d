"""The data tables: what a standard battleship is, dice by range, what faces do. Rules: C.N1, C.N12, C.G2, C.G3, C.T2, C.H2, C.T5, C.R4."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

Dice = tuple[int, ...]

FP, CRITICAL, PACE, CRIPPLED = 12, 6, 2, 1
# Dice of a gun at each range from 1 area on; beyond the last it does not reach. Rules: C.G2, C.G3, C.T2.
MAIN: Dice = (3, 3, 3, 2, 2, 2, 1, 1, 1)
SECONDARY: Dice = (2, 2, 2, 1, 1)
TORPEDO: Dice = (3, 2, 1)
TORPEDOES = 4
BRIDGE_TURNS = 3
MINUTES = 5

# Faces from which a die hurts, and from which it hurts worse. Rules: C.G11, C.T5, C.R7.
MINOR, MAJOR = 4, 6
# Fire throws: up to the first a magazine explodes, from the second on the fire is out. Rule: C.F2.
EXPLODES, OUT = 1, 5
# A sub-die up to this means fore or port. Rules: C.H3, C.H5.
LOWER_HALF = 3

# Rules: C.H2-C.H7.
GUN_MAJOR = MappingProxyType({6: "bridge", 5: "turret", 4: "engines", 3: "battery", 2: "fire", 1: "further"})
# Rules: C.T5-C.T7.
TORPEDO_MAJOR = MappingProxyType({6: "rudder", 5: "flooded", 4: "two", 3: "two", 2: "one", 1: "one"})

# Dice of the rammed and of the ramming ship, by whether it is head-on and whether the ramming ship has a ram. Rules: C.R4, C.R5.
RAMMING = MappingProxyType(
    {(True, True): (4, 2), (True, False): (2, 2), (False, True): (6, 2), (False, False): (3, 2)}
)
HEAD_ON = frozenset({0, 4})

# Pounds a ton of displacement, tons where they are unknown, pounds a point of a variant card. Rule: C.K29.
POUNDS_A_TON, TONS, POUNDS_A_POINT = 40, 12_000, 1_000

SYSTEMS = ("turret_fore", "turret_aft", "battery_port", "battery_stbd")
TURRETS, BATTERIES = SYSTEMS[:2], SYSTEMS[2:]
# Where each tube points. Rule: C.N5.
TUBES = ("bow", "stern", "port", "stbd")


class Variant(NamedTuple):
    """A row of the table of variant cards.

    fast: whether it makes three areas from 18 knots. ram: None by the year (C.N8). quick: as how many guns a battery of quick-firers
    counts. by_tons: whether its flotation points follow its tons where they are known.
    """

    fp: int
    turrets: tuple[str, ...]
    main: Dice
    batteries: tuple[str, ...]
    secondary: Dice
    torpedoes: int
    pace: int
    fast: bool
    ram: bool | None
    quick: int = 1
    by_tons: bool = False


# Rule: C.N12.
VARIANTS = MappingProxyType(
    {
        "armoured_cruiser": Variant(
            9, TURRETS, (2, 2, 2, 1, 1, 1, 1), BATTERIES, (2, 2, 2, 1, 1), 4, 2, True, False
        ),
        "protected_cruiser": Variant(
            6, TURRETS, (1, 1, 1, 1, 1, 1), BATTERIES, (1, 1, 1, 1, 1), 4, 2, True, None, 3, True
        ),
        "gunboat": Variant(3, TURRETS[:1], (1, 1, 1, 1), (), (), 0, 2, False, False),
        "torpedo_craft": Variant(2, (), (), (), (), 2, 2, True, False),
        "transport": Variant(3, (), (), (), (), 0, 1, False, False),
    }
)
# Three areas in five minutes are 18 knots (C.K8).
FAST_PACE, FAST_KNOTS = 3, 18
# Flotation points by tons: so many and one more for every 1,000 tons, within bounds; the year from which batteries are quick-firers.
TONS_FP, LEAST_FP, MOST_FP, QUICK_FIRERS_FROM = 4, 5, 8, 1889
# Variant cards that are deep all the same, by type of ship: 1st-class cruisers and transports. Rule: C.K21.
DEEP_TYPES = frozenset({"battleship", "cruiser_1", "transport"})
# Register types that get the standard card. Rule: C.N7.
BATTLESHIPS = frozenset(
    {
        "battleship", "ironclad", "turret_ship", "barbette_ship", "central_battery_ship", "coast_defence_battleship",
        "pre_dreadnought",
    }
)  # fmt: skip
FIRST_YEAR, LAST_YEAR = 1870, 1905
# Rams are usual before the one year, self-propelled torpedoes from the other. Rules: C.N8, C.N9.
NO_RAM_FROM, TORPEDOES_FROM = 1900, 1877
