"""Scenarios for Cordery's ironclads from the registers of 1894 and 1904: the Yalu, a duel of battleships, and Kamimura's cruisers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from battles.data.scenarios.build.placed import Roll, Spot
from battles.data.scenarios.build.rows import Document, Row, head, register

NORTH, NORTH_EAST, EAST, WEST = 0, 4_500, 9_000, 27_000
YALU, PORT_ARTHUR = "1894_yalu", "1904_port_arthur_tsushima"
# Variant cards by type of ship; a cruiser of less than so many tons is no more than a gunboat.
VARIANTS = {
    "cruiser_1": "armoured_cruiser",
    "cruiser_2": "protected_cruiser",
    "cruiser_3": "protected_cruiser",
}
SMALL_TONS = 2_000
# What stands off: the set has no business with them.
STAND_OFF = frozenset({"destroyer", "torpedo_boat", "gunboat", "transport"})


def rows(name: str, side: str, *names: str) -> list[Row]:
    """Ships of a side, those of the names in their order, or all that fight."""
    own = {row["name"]: row for row in register(name) if row["side"] == side}
    return [own[one] for one in names] if names else [row for row in own.values() if fights(row)]


def fights(row: Row) -> bool:
    """Whether a ship takes part."""
    return row["ship_type"] not in STAND_OFF


def stand_off(name: str) -> str:
    """The ships of a register that take no part, as a list."""
    found = [row["name"] for row in register(name) if not fights(row)]
    return f"{', '.join(found[:-1])} and {found[-1]}"


def squadron(
    roll: Roll, name: str, ships: Sequence[Row], spots: Iterable[Spot], heading: int, **more: object
) -> Document:
    """A squadron with its cards: a variant for every ship that is no battleship, and her speed, which counts for some."""
    spots = list(spots)
    doc = roll.squadron(name, ships, spots, heading, **more)
    for ship, row in zip(doc["ships"], ships, strict=True):
        facts = ship["facts"]
        if row["speed_knots"]:
            facts["speed_knots"] = float(row["speed_knots"])
        overrides: Document = {}
        if row["ship_type"] in VARIANTS:
            small = int(row["displacement_tons"]) < SMALL_TONS
            overrides["variant"] = "gunboat" if small else VARIANTS[row["ship_type"]]
        if overrides:
            facts["overrides"] = overrides
    return doc


def file(lead: Spot, step: Spot, count: int) -> list[Spot]:
    """So many areas, each a step from the one before."""
    return [(lead[0] + n * step[0], lead[1] + n * step[1]) for n in range(count)]


def side(code: str, nation: str, squadrons: list[Document], **doctrine: object) -> Document:
    """A side with its instructions."""
    return {"id": code, "name": nation, "nation": nation, "doctrine": doctrine, "squadrons": squadrons}


def yalu() -> Document:
    """Two Japanese squadrons in line ahead pass before the Chinese line abreast."""
    japan, china = Roll("J"), Roll("C")
    flying = rows(YALU, "Japanese", "Yoshino", "Takachiho", "Akitsushima", "Naniwa")
    main = rows(YALU, "Japanese", "Matsushima", "Chiyoda", "Itsukushima", "Hashidate", "Fuso", "Hiei")
    centre = rows(YALU, "Chinese", "Dingyuan", "Zhenyuan", "Laiyuan", "Jingyuan (King Yuen)")
    left = rows(YALU, "Chinese", "Zhiyuan", "Guangjia", "Jiyuan")
    right = rows(YALU, "Chinese", "Jingyuan (Ching Yuen)", "Chaoyong", "Yangwei")
    late = rows(YALU, "Chinese", "Pingyuan", "Guangbing")
    return {
        **head(
            "cordery",
            "YALU",
            "The Yalu",
            "17 September 1894, from ten to one until half past five. The Chinese come out in line abreast, the two battleships in the "
            "middle; the Japanese Flying Squadron leads the Main Squadron in line ahead across their front, towards their right wing. "
            "The Pingyuan and the Guangbing come up from the north two hours later. The set is one of battleships: cruisers fight with "
            "variant cards, whose figures are this project's own, cruisers of less than 2,000 tons as gunboats, and the batteries of "
            "those launched in 1889 or later, with the new quick-firers, count three times. All battleships have one card, so that the "
            f"old Fuso is as strong as the Dingyuan. These stand off and take no part: {stand_off(YALU)}. The Chinese want of shell, "
            "their officers and their crews are not in the rules.",
        ),
        "start": "1894-09-17T12:50",
        "place": "Off the mouth of the Yalu",
        "wind": {"towards": 270, "strength": "light"},
        "turn_limit": 56,
        "sides": [
            side(
                "J",
                "Japan",
                [
                    squadron(japan, "Flying Squadron", flying, file((6, 14), (-1, -2), 4), NORTH_EAST),
                    squadron(japan, "Main Squadron", main, file((3, 4), (0, -2), 6), NORTH),
                ],
            ),
            side(
                "C",
                "China",
                [
                    squadron(china, "Centre", centre, [(17, 12), (17, 10), (18, 14), (18, 8)], WEST),
                    squadron(china, "Left wing", left, file((18, 6), (1, -2), 3), WEST),
                    squadron(china, "Right wing", right, file((18, 16), (1, 2), 3), WEST),
                    squadron(china, "Inshore group", late, [(22, 30), (22, 32)], WEST, arrives=24, edge=0),
                ],
                fight_at="close",
            ),
        ],
    }


def duel() -> Document:
    """The two flagships of 10 August 1904 meet alone."""
    sides = []
    for code, nation, name, lead, course in (
        ("J", "Japan", "Mikasa", (6, 4), NORTH),
        ("R", "Russia", "Tsesarevich", (18, 14), 22_500),
    ):
        own = [row for row in register(PORT_ARTHUR) if row["name"] == name]
        sides.append(side(code, nation, [squadron(Roll(code), name, own, [lead], course)], break_off=75))
    return {
        **head(
            "cordery",
            "DUEL",
            "Two battleships",
            "The Mikasa and the Tsesarevich, the flagships of 10 August 1904, meet with no other ship in sight. The meeting is made up.",
        ),
        "start": "1904-08-10T13:00",
        "place": "The Yellow Sea",
        "sides": sides,
    }


def ulsan() -> Document:
    """Kamimura's armoured cruisers against those of Vladivostok."""
    japanese = rows(PORT_ARTHUR, "Japanese", "Izumo", "Azuma", "Tokiwa", "Iwate")
    russian = rows(PORT_ARTHUR, "Russian", "Rossiya", "Gromoboi", "Rurik")
    return {
        **head(
            "cordery",
            "ULSAN",
            "Off Ulsan",
            "14 August 1904, from twenty past five in the morning: four Japanese armoured cruisers have come between the three of "
            "Vladivostok and their port. All have the variant card of an armoured cruiser. The Rurik, last in the line, was disabled "
            "and sank; the others got away to the north, pursued until ammunition ran short. Here the Japanese lie to the north, and the "
            "Russians make for their edge in the north.",
        ),
        "start": "1904-08-14T05:20",
        "place": "Off Ulsan",
        "edges": [0, 0, 35, 40],
        "options": {"safe_edges": {"J": "south", "R": "north"}},
        "sides": [
            side("J", "Japan", [squadron(Roll("J"), "2nd Division", japanese, file((20, 24), (2, 0), 4), WEST)], fight_at="close"),
            side(
                "R",
                "Russia",
                [squadron(Roll("R"), "Vladivostok cruisers", russian, file((16, 12), (0, -2), 3), NORTH)],
                break_off=40,
                fight_at="long",
            ),
        ],
    }  # fmt: skip


SCENARIOS: dict[str, Callable[[], Document]] = {
    "yalu": yalu,
    "two_battleships": duel,
    "ulsan": ulsan,
}
