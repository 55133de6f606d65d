"""Scenarios for Barker's pre-dreadnoughts: four actions of the war of 1904 from its register, and a made-up day of six nations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from battles.data.scenarios.build.placed import Roll, Spot, line_ahead
from battles.data.scenarios.build.rows import Document, Row, head, register

WAR = "1904_port_arthur_tsushima"
# Yards between the middles of bases that touch. Rule: P.M09.
GAP = 400
NORTH, EAST, SOUTH, WEST = 0, 9_000, 18_000, 27_000
NORTH_WEST, SOUTH_EAST, SOUTH_WEST = 31_500, 13_500, 22_500


# A squadron of an order of battle: its name, its ships from the van, where its leader lies, in yards from the middle, and its heading.
Line = tuple[str, str, Spot, int]


# Who commanded otherwise than the register says, by month: it tells of the whole year.
_CHANGES: dict[str, dict[str, Row]] = {
    "1904-02": {"Petropavlovsk": {"commander": "Vice-Adm Oskar Stark; Capt N. Yakovlev"}},
    "1904-08": {"Tsesarevich": {"role": "flagship", "commander": "Rear-Adm Vilgelm Vitgeft; Capt N. Ivanov"}},
}


def ships(names: str, when: str) -> list[Row]:
    """Ships of the register by name, in this order, under those who commanded them in that month."""
    own = {row["name"]: row for row in register(WAR)}
    found = [own[name] for name in names.split(", ")]
    if when == "1905-05":
        return [row | {"commander": row["commander_1905"]} for row in found]
    return [row | _CHANGES[when].get(row["name"], {}) for row in found]


def squadron(roll: Roll, line: Line, when: str, tags: Sequence[str] = (), **more: object) -> Document:
    """A squadron in line ahead. tags: of all its ships."""
    name, names, lead, heading = line
    found = ships(names, when)
    doc = roll.squadron(name, found, line_ahead(lead, heading, len(found), GAP), heading, **more)
    for ship, row in zip(doc["ships"], found, strict=True):
        if row["speed_knots"]:
            ship["facts"]["speed_knots"] = float(row["speed_knots"])
        if tags:
            ship["facts"]["tags"] = list(tags)
    return doc


def fleet(
    code: str, lines: Sequence[Line], when: str = "1904-08", tags: Sequence[str] = ()
) -> list[Document]:
    """The squadrons of a side."""
    roll = Roll(code)
    return [squadron(roll, line, when, tags) for line in lines]


def side(code: str, name: str, squadrons: list[Document], **doctrine: object) -> Document:
    """A side with its instructions."""
    return {"id": code, "name": name, "nation": name, "doctrine": doctrine, "squadrons": squadrons}


def battle(code: str, title: str, note: str, start: str, place: str, **more: object) -> Document:
    """What the scenarios of this set have alike: everybody stands where the document says."""
    return {
        **head("barker", code, title, note),
        "start": start,
        "place": place,
        "fixed_positions": True,
        **more,
    }


_YELLOW_SEA: dict[str, Sequence[Line]] = {
    "J": (
        ("1st Division", "Mikasa, Asahi, Fuji, Shikishima, Kasuga, Nisshin", (6_000, -9_000), WEST),
        ("3rd Division", "Yakumo, Kasagi, Takasago, Chitose", (14_000, -16_000), NORTH_WEST),
        ("6th Division", "Akashi, Suma, Akitsushima", (18_000, -10_000), NORTH_WEST),
        ("1st Flotilla", "Shirakumo, Asashio, Kasumi", (12_000, -13_000), WEST),
        ("2nd Flotilla", "Ikazuchi, Inazuma, Oboro, Akebono", (14_000, -12_000), WEST),
        ("5th Flotilla", "Kagero, Murakumo, Yugiri, Shiranui", (16_000, -14_000), WEST),
    ),
    "R": (
        (
            "Battleships",
            "Tsesarevich, Retvizan, Pobeda, Peresvet, Sevastopol, Poltava",
            (-4_000, 4_000),
            SOUTH_EAST,
        ),
        ("Cruisers", "Askold, Pallada, Diana, Novik", (-6_600, 6_600), SOUTH_EAST),
        (
            "1st Detachment",
            "Vynoslivy, Grozovoi, Boiky, Burny, Bezshumny, Bezstrashny, Besposhchadny, Vlastny",
            (-7_000, 3_000),
            SOUTH_EAST,
        ),
    ),
}


def yellow_sea() -> Document:
    """The squadron of Port Arthur comes out to reach Vladivostok; Togo bars the way."""
    japan = Roll("J")
    late: Line = ("5th Division", "Hashidate, Matsushima, Chin Yen", (20_000, 12_000), SOUTH_WEST)
    divisions = [squadron(japan, line, "1904-08") for line in _YELLOW_SEA["J"]]
    divisions.append(squadron(japan, late, "1904-08", arrives=48, edge=90))
    return battle(
        "YELLOW",
        "The Yellow Sea",
        "10 August 1904, from half past twelve. Six battleships from Port Arthur steer south-east for Vladivostok; four Japanese "
        "battleships and two armoured cruisers come up from the south to bar the way, with a third and the light cruisers within "
        "sight and the old 5th Division coming up late in the day. Vitgeft wanted to get by, not to fight. Towards evening two shells "
        "killed Vitgeft and threw the line into disorder; no ship was sunk, five battleships went back to Port Arthur, and the destroyers "
        "of the night hit nothing. Gunnery, shells and training are no part of these rules.",
        "1904-08-10T12:30",
        "The Yellow Sea, south-east of Port Arthur",
        wind={"towards": 0, "strength": "light"},
        options={"sunrise": "05:10", "nightfall": "19:50", "allotted_min": 480},
        sides=[
            side("J", "Japan", divisions, break_off=30),
            side("R", "Russia", fleet("R", _YELLOW_SEA["R"]), stance="avoid", break_off=30),
        ],
    )


_NNE = 2_250
_TSUSHIMA: dict[str, Sequence[Line]] = {
    "J": (
        ("1st Division", "Mikasa, Shikishima, Fuji, Asahi, Kasuga, Nisshin", (-1_000, 7_000), SOUTH_WEST),
        ("2nd Division", "Izumo, Azuma, Tokiwa, Yakumo, Asama, Iwate", (700, 8_700), SOUTH_WEST),
        ("3rd Division", "Kasagi, Chitose, Otowa, Niitaka", (-9_000, -4_000), NORTH),
        ("4th Division", "Naniwa, Takachiho, Akashi, Tsushima", (-10_000, -7_000), NORTH),
        ("6th Division", "Suma, Chiyoda, Akitsushima, Izumi", (-11_000, -10_000), NORTH),
        (
            "1st Flotilla",
            "Shirakumo, Asashio, Kasumi, Ikazuchi, Inazuma, Oboro",
            (-6_000, 12_000),
            SOUTH_WEST,
        ),
        ("4th Flotilla", "Harusame, Murasame, Asagiri, Akebono", (-8_000, 12_000), SOUTH_WEST),
        ("5th Flotilla", "Kagero, Murakumo, Yugiri, Shiranui", (-10_000, 12_000), SOUTH_WEST),
        ("9th Torpedo Boats", "Aotaka, Kari, Hato, Tsubame", (-12_000, 10_000), SOUTH_WEST),
        ("14th Torpedo Boats", "Hayabusa, Manazuru, Kasasagi, Chidori", (-12_000, 12_000), SOUTH_WEST),
    ),
    "R": (
        ("1st Division", "Knyaz Suvorov, Imperator Aleksandr III, Borodino, Oryol", (0, -4_000), _NNE),
        ("2nd Division", "Oslyabya, Sisoi Veliky, Navarin, Admiral Nakhimov", (-620, -5_480), _NNE),
        (
            "3rd Division",
            "Imperator Nikolai I, General-Admiral Apraksin, Admiral Senyavin, Admiral Ushakov",
            (-1_240, -6_960),
            _NNE,
        ),
        ("Cruisers", "Oleg, Avrora, Dmitri Donskoi, Vladimir Monomakh", (400, -8_800), _NNE),
        ("Scouts", "Zhemchug, Izumrud, Svetlana, Almaz", (2_400, -6_000), _NNE),
        (
            "Destroyers",
            "Bedovy, Buiny, Bravy, Bystry, Blestyashchy, Bezuprechny, Bodry, Gromky, Grozny",
            (1_600, -7_000),
            _NNE,
        ),
        ("Train", "Anadyr, Irtysh, Kamchatka, Koreya", (800, -9_800), _NNE),
    ),
}


def tsushima() -> Document:
    """The Second and Third Pacific Squadrons before the Strait of Korea; Togo has crossed ahead."""
    return battle(
        "TSUSHIMA",
        "Tsushima",
        "27 May 1905, from two in the afternoon. Twelve Russian armoured ships, with cruisers, destroyers and transports, steer north by "
        "east for Vladivostok; the Combined Fleet has crossed ahead of them. By evening four Russian battleships had sunk and the "
        "fleet was scattered; boats and destroyers sank two more and an armoured cruiser in the night, and most of the rest struck or "
        "were sunk next day. The Japanese lost three torpedo boats. By points the fleets are level here: gunnery, shells, training and the "
        "state of the Russian ships after seven months at sea are no part of these rules.",
        "1905-05-27T14:00",
        "The eastern channel of the Strait of Korea",
        wind={"towards": 45, "strength": "moderate"},
        options={"sunrise": "05:10", "nightfall": "20:00", "allotted_min": 720},
        sides=[
            side("J", "Japan", fleet("J", _TSUSHIMA["J"], "1905-05")),
            side("R", "Russia", fleet("R", _TSUSHIMA["R"], "1905-05"), stance="avoid", break_off=60),
        ],
    )


_PORT_ARTHUR: dict[str, Sequence[Line]] = {
    "J": (
        ("1st Flotilla", "Shirakumo, Asashio, Kasumi, Akatsuki", (3_000, -1_500), NORTH_WEST),
        ("2nd Flotilla", "Ikazuchi, Inazuma, Oboro", (4_500, -2_500), NORTH_WEST),
        ("3rd Flotilla", "Usugumo, Shinonome, Sazanami", (6_000, -3_500), NORTH_WEST),
    ),
    "R": (
        ("Outer line", "Petropavlovsk, Poltava, Sevastopol, Peresvet, Pobeda", (2_000, 2_000), EAST),
        ("Inner line", "Retvizan, Tsesarevich, Bayan", (1_500, 3_200), EAST),
        ("Cruisers", "Pallada, Diana, Askold, Boyarin, Novik", (1_800, 4_400), EAST),
    ),
}
# Squares of 500 yards along the coast, its edge 6,000 yards north of the middle.
_COAST = [[i, j] for i in range(-24, 25) for j in (12, 13)]


def port_arthur() -> Document:
    """Ten destroyers against the squadron that lies at anchor in the roads."""
    return battle(
        "ARTHUR",
        "Port Arthur by night",
        "8 February 1904, shortly before midnight: ten destroyers come in from the south-east upon the squadron at anchor in the outer "
        "roads, before any declaration of war. They fired sixteen torpedoes and three hit: the Retvizan, the Tsesarevich and the "
        "Pallada were crippled and grounded, and none of the ten was lost. Here the batteries of the port are manned.",
        "1904-02-08T23:45",
        "The roads of Port Arthur",
        wind={"towards": 180, "strength": "light"},
        land=_COAST,
        options={"sunrise": "07:00", "nightfall": "18:00", "guard": 4, "allotted_min": 180},
        surprised=["R"],
        sides=[
            side("J", "Japan", fleet("J", _PORT_ARTHUR["J"], "1904-02"), break_off=40),
            side("R", "Russia", fleet("R", _PORT_ARTHUR["R"], "1904-02", tags=("anchored",)), stance="hold"),
        ],
    )


def ulsan() -> Document:
    """Kamimura's armoured cruisers have come between the three of Vladivostok and their port."""
    roll = Roll("J")
    division: Line = ("2nd Division", "Izumo, Azuma, Tokiwa, Iwate", (2_500, 2_500), SOUTH_WEST)
    late: Line = ("4th Division", "Naniwa, Takachiho", (-4_000, -14_000), NORTH)
    vladivostok: Line = ("Vladivostok cruisers", "Rossiya, Gromoboi, Rurik", (-1_000, -1_000), SOUTH)
    return battle(
        "ULSAN",
        "Off Ulsan",
        "14 August 1904, from twenty past five in the morning: four Japanese armoured cruisers lie between the three of Vladivostok "
        "and their port. The Rurik, last in the line, lost her steering, was left behind and sank; the other two got away to the north, "
        "pursued until ammunition ran short. Two light cruisers joined the Japanese later.",
        "1904-08-14T05:20",
        "Off Ulsan",
        wind={"towards": 315, "strength": "light"},
        options={"sunrise": "05:00", "nightfall": "19:50", "allotted_min": 360},
        sides=[
            side(
                "J",
                "Japan",
                [squadron(roll, division, "1904-08"), squadron(roll, late, "1904-08", arrives=12, edge=200)],
                chase="general",
            ),
            side("R", "Russia", fleet("R", (vladivostok,)), stance="avoid", break_off=40),
        ],
    )


# A made-up register: by nation and squadron, kinds of ship with how many, tons, launch and knots.
_KINDS = {
    "new battleship": ("battleship", 13_500, 1899, 18.0),
    "old battleship": ("battleship", 9_500, 1886, 15.0),
    "armoured cruiser": ("cruiser_1", 9_500, 1899, 21.0),
    "protected cruiser": ("cruiser_2", 5_500, 1896, 20.0),
    "light cruiser": ("cruiser_3", 2_800, 1894, 19.0),
    "destroyer": ("destroyer", 330, 1900, 29.0),
    "torpedo boat": ("torpedo_boat", 130, 1895, 24.0),
}
_FLEETS = {
    "A": {
        "Britain": (("new battleship", 6), ("armoured cruiser", 4), ("light cruiser", 3), ("destroyer", 8)),
        "Italy": (("new battleship", 3), ("old battleship", 2), ("protected cruiser", 2), ("torpedo boat", 6)),
        "Austria-Hungary": (("new battleship", 3), ("protected cruiser", 2), ("torpedo boat", 4)),
    },
    "B": {
        "France": (("new battleship", 5), ("old battleship", 2), ("armoured cruiser", 4), ("light cruiser", 2), ("destroyer", 6)),
        "Russia": (("new battleship", 4), ("protected cruiser", 2), ("destroyer", 4)),
        "Spain": (("old battleship", 2), ("armoured cruiser", 2), ("light cruiser", 3), ("destroyer", 2), ("torpedo boat", 4)),
    },
}  # fmt: skip


def _made_up(code: str, nation: str, kind: str, count: int, numbers: Iterator[int]) -> list[Document]:
    ship_type, tons, year, knots = _KINDS[kind]
    facts = {
        "nation": nation,
        "ship_type": ship_type,
        "displacement_tons": tons,
        "year_built": year,
        "speed_knots": knots,
    }
    return [
        {"id": f"{code}{next(numbers):02}", "name": f"{kind.capitalize()} {n} ({nation})", "facts": facts}
        for n in range(1, count + 1)
    ]  # fmt: skip


def _coalition(code: str, lead: Spot, heading: int, abeam: int) -> list[Document]:
    """Squadrons of a coalition, kind by kind and nation by nation, abreast of one another."""
    numbers = iter(range(1, 100))
    found: list[Document] = []
    for nation, kinds in _FLEETS[code].items():
        for kind, count in kinds:
            ships = _made_up(code, nation, kind, count, numbers)
            where = (lead[0] + len(found) * abeam, lead[1])
            for ship, spot in zip(ships, line_ahead(where, heading, count, GAP), strict=True):
                ship |= {"position": list(spot), "heading": heading}
            name = f"{nation}: {kind}s"
            found.append(
                {"id": f"{code}-{len(found) + 1}", "name": name, "flagship": ships[0]["id"], "ships": ships}
            )
    return found


def mediterranean() -> Document:
    """A day of six nations and 85 ships, as large as the campaign day that the author's club reports."""
    return battle(
        "MED",
        "Six nations in the Mediterranean",
        "Made up: nations, squadrons and types only, no ship that ever sailed. The author's club reports a campaign day of six nations "
        "and 85 ships. Three nations a side steer for each other on a clear morning of June 1904.",
        "1904-06-15T07:00",
        "Between Sardinia and Sicily",
        wind={"towards": 135, "strength": "moderate"},
        options={"sunrise": "05:00", "nightfall": "20:30", "allotted_min": 600},
        sides=[
            {
                "id": "A",
                "name": "Triple Coalition",
                "nation": "Britain",
                "squadrons": _coalition("A", (-12_000, -11_000), NORTH, 2_400),
            },
            {
                "id": "B",
                "name": "Dual Coalition",
                "nation": "France",
                "squadrons": _coalition("B", (13_000, 11_000), SOUTH, -2_400),
            },
        ],
    )


SCENARIOS: dict[str, Callable[[], Document]] = {
    "yellow_sea": yellow_sea,
    "tsushima": tsushima,
    "port_arthur": port_arthur,
    "ulsan": ulsan,
    "mediterranean": mediterranean,
}
