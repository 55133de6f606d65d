"""The sentences of the log."""

from __future__ import annotations

from battles.engine.core.telling import Data, Names, code_words, many, with_article

POINTS = (
    "north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east", "south-south-east",
    "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west", "north-west", "north-north-west",
)  # fmt: skip
STRENGTHS = (
    "", "strength 1", "strength 2", "strength 3", "strength 4", "strength 5", "strength 6", "strength 7",
)  # fmt: skip
ENDS = {
    "beaten": "one side can fight no longer",
    "parted": "the fleets part",
    "nightfall": "night falls",
    "limit": "the last round is over",
}
_GONE = {
    "withdrawn": "leaves the battle",
    "sunk": "goes down in the high seas",
    "exploded": "blows up",
    "burnt": "is burnt by her crew",
    "abandoned": "is abandoned",
}
_WHERE = {
    "port": "on the port side", "starboard": "on the starboard side", "bow": "from right ahead",
    "bow_port": "on the port bow", "bow_starboard": "on the starboard bow", "stern": "from astern",
    "stern_port": "on the port quarter", "stern_starboard": "on the starboard quarter",
}  # fmt: skip


def _cm(thousandths: int) -> str:
    return f"{(thousandths + 50) // 100 / 10:g} cm"


def _wind(data: Data, now: str = "") -> str:
    return f"the wind is{now} {POINTS[2 * data['wind_from']]}, strength {data['strength']}"


def opened(_: str, data: Data, names: Names) -> str:
    return f"The fleets are in sight; {_wind(data)}"


def wind(_: str, data: Data, names: Names) -> str:
    said = _wind(data, " now")
    return said[0].upper() + said[1:]


def first(_: str, data: Data, names: Names) -> str:
    return f"{names.side(data['side'])} moves first"


def withdraws(_: str, data: Data, names: Names) -> str:
    return f"The signal to withdraw is made by {with_article(names.side(data['side']))}"


def placed(ship: str, data: Data, names: Names) -> str:
    anchored = " at anchor" if data["anchored"] else ""
    return f"{ship} lies{anchored} at {data['x'] / 1000:.1f}, {data['y'] / 1000:.1f}, heading {POINTS[data['h']]}"


def arrived(ship: str, data: Data, names: Names) -> str:
    return f"{ship} comes in, heading {POINTS[data['h']]}"


def moved(ship: str, data: Data, names: Names) -> str:
    stops = {
        "": "",
        "land": ", stopped by the shore",
        "shoal": ", stopped on a shoal",
        "edge": ", off the table",
    }
    stopped = data["stopped"]
    met = stops[stopped] if stopped in stops else f", stopped by {names.ship(stopped)}"
    return f"{ship} sails {data['steps']} cm, heading {POINTS[data['path'][-1][2]]}{met}"


def volley(ship: str, data: Data, names: Names) -> str:
    return (
        f"{ship} fires {many(data['dice'], 'die', 'dice')} of her {data['side']} side at the {data['aim']} of "
        f"{names.ship(data['target'])}, {_cm(data['range'])} away, {_WHERE[data['where']]}: {many(data['hits'], 'hit')}"
    )


def damage(ship: str, data: Data, names: Names) -> str:
    masts = sum(state > 0 for state in data["rig"])
    return (
        f"{ship} has {many(data['port'], 'deck')} to port and {data['stbd']} to starboard, "
        f"{many(data['units'], 'hull unit')} and {many(masts, 'mast')} left"
    )


def repair(ship: str, data: Data, names: Names) -> str:
    return f"{ship} {'raises' if data['made'] else 'fails to raise'} her {data['mast']}mast"


def fight(ship: str, data: Data, names: Names) -> str:
    one, other = data["totals"]
    return f"{ship} boards {names.ship(data['target'])}, {one} against {other}"


def manned(ship: str, data: Data, names: Names) -> str:
    return f"{names.ship(data['captor'])} sends a prize crew for {many(data['decks'], 'gun deck')} to {ship}"


def gone(ship: str, data: Data, names: Names) -> str:
    return f"{ship} {_GONE[data['how']]}"


def ended(_: str, data: Data, names: Names) -> str:
    score = ", ".join(
        f"{with_article(names.side(side))} has lost ships worth {many(points, 'point')}"
        for side, points in data["points"].items()
    )
    return f"The battle ends: {ENDS.get(data['why'], code_words(data['why']))}; {score}"
