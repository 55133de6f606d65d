"""The sentences of a Thomas log. They read what is there: of an enemy's event the secret data are missing."""

from __future__ import annotations

from battles.engine.core.telling import Data, Names, Sentence, code_words, many

STRENGTHS = ("calm", "light airs", "medium", "strong")
POINTS = (
    "north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east", "south-south-east",
    "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west", "north-west", "north-north-west",
)  # fmt: skip
ENDS = {
    "beaten": "one side can fight no longer",
    "parted": "one side has got away",
    "nightfall": "night falls",
    "limit": "the time is up",
}
_WINDS = ("", "light airs", "a medium wind", "a strong wind")
_GROUPS = {"ahead": "bow guns", "astern": "stern guns"}
_QUARTERS = ("less than a quarter", "a quarter", "half", "three quarters", "all")
_NIGHT = {"night_action": "as agreed", "enemy_cannot_sail": "because one side cannot leave"}
ADRIFT = {
    "hove_to": "she has hove to",
    "collision": "another ship has drifted into her",
    "rescuing": "she is picking up survivors",
    "cable_cut": "she has cut her cable",
    "tow_wait": "a tow line is being passed",
    "converting": "she is changing between oars and sails",
}
DRIVEN = {
    "oars": "gets her oars out",
    "to_oars": "takes in sail to row",
    "to_sail": "makes ready to sail",
    "sail": "is under sail",
}
MAGAZINE = {"none": "nothing more", "fire": "fire", "blows_up": "she blows up"}
_MORALE = {"attacker": "the attackers give way", "defender": "the defenders give way", "on": "both fight on"}
_STRUCK = {
    "worn crew": ", her crew worn out",
    "no crew left": ", with no one left to fight her",
    "boarded": " to the boarders of {by}",
}


def inches(thousandths: int) -> str:
    """A length on the table, to the tenth of an inch."""
    tenths = (thousandths + 50) // 100
    return "1 inch" if tenths == 10 else f"{tenths / 10:g} inches"


def point(hundredths: int) -> str:
    """A bearing as the nearest of sixteen points."""
    return POINTS[(hundredths + 1_125) // 2_250 % 16]


def _crew(halves: int) -> str:
    """Whole men, halves up: half points are for the card."""
    return f"{(halves + 1) // 2} crew"


def _group(name: object) -> str:
    return _GROUPS.get(str(name), f"{name} broadside")


def _met(data: Data, names: Names, how: str) -> str:
    return f"{how} {names.ship(data['stopped'])}" if data["stopped"] else ""


def thrown(made: str, missed: str, field: str = "made") -> Sentence:
    """A throw that succeeds or fails. `{other}` stands for the ship of the event's target."""
    return lambda ship, data, names: (made if data[field] else missed).format(
        ship=ship, other=names.ship(data.get("target", ""))
    )


def _blows(wind_from: int, strength: int) -> str:
    return f"{_WINDS[strength]} from the {point(wind_from)}" if strength else "a calm"


def opened(_: str, data: Data, names: Names) -> str:
    hours, minutes = divmod(data["minute"], 60)
    wind = _blows(data["wind_from"], data["strength"])
    rules = "with" if data["nelson"] else "without"
    return f"{hours % 24:02d}:{minutes:02d}, {wind}; fought {rules} the rules of Nelson's period"


def wind(_: str, data: Data, names: Names) -> str:
    shifts = ["shifts"] if data["from"] != data["was"] else []
    if data["strength"] != data["strength_was"]:
        shifts.append("rises" if data["strength"] > data["strength_was"] else "drops")
    after = "" if data["strength"] else f"; the next wind will come from the {point(data['from'])}"
    return f"The wind {' and '.join(shifts)}: {_blows(data['from'], data['strength'])}{after}"


def placed(ship: str, data: Data, names: Names) -> str:
    rest = f", {data['flot']} of {data['flot_max']} points afloat" if "flot" in data else ""
    return f"{ship} lies at {data['x'] / 1000:.1f}, {data['y'] / 1000:.1f}, heading {point(data['h'])}{rest}"


def refused(ship: str, data: Data, names: Names) -> str:
    instead = f"; she does {data['given']} instead" if data["given"] else ""
    return f"{ship} cannot carry out {data['asked'] or 'her order'}: {code_words(data['code'])}{instead}"


def night(_: str, data: Data, names: Names) -> str:
    if not data["fights_on"]:
        return "Night falls"
    return f"It is night, but the battle goes on {_NIGHT.get(data['why'], code_words(data['why']))}"


def headed(ship: str, data: Data, names: Names) -> str:
    return f"The wind heads {ship}: she {'is caught in irons' if data['irons'] else 'falls off to the ' + point(data['h'])}"


def burns(ship: str, data: Data, names: Names) -> str:
    return f"{ship} burns on" + (f", {many(data['fails'], 'throw')} failed" if "fails" in data else "")


def alight(ship: str, data: Data, names: Names) -> str:
    return (
        f"{ship} is set on fire by the explosion of {names.ship(data['of'])}"
        if data["of"]
        else f"{ship} is on fire"
    )


def irons_turn(ship: str, data: Data, names: Names) -> str:
    did = f"turns to the {point(data['h'])}" if data["made"] else "does not answer her helm"
    return f"{ship}, in irons, {did}"


def initiative(_: str, data: Data, names: Names) -> str:
    totals = " to ".join(str(total) for total in data["totals"].values())
    return f"Initiative {totals}: {names.side(data['first'])} moves and fires first"


def moved(ship: str, data: Data, names: Names) -> str:
    path = data["path"]
    run = sum(
        round(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5) for a, b in zip(path, path[1:], strict=False)
    )
    turns = sum(1 for a, b in zip(path, path[1:], strict=False) if a[2] != b[2])
    how = "rows" if data["oars"] else "is towed by her boats" if data["boats"] else "sails"
    did = f"{how} {inches(run)}" if run else "makes no way"
    often = {1: "once", 2: "twice"}.get(turns, many(turns, "time"))
    turned = f", turning {often}" if turns else ""
    return f"{ship} {did}{turned}, heading {point(path[-1][2])}{_met(data, names, ', stopped by')}"


def drifted(ship: str, data: Data, names: Names) -> str:
    return f"{ship} drifts downwind{_met(data, names, ' against')}"


def exchange(_: str, data: Data, names: Names) -> str:
    parties = [
        " and ".join(
            names.ship(code) + (f" ({men} fighting)" if men is not None else "") for code, men in data[party]
        )
        for party in ("attackers", "defenders")
    ]
    by_attackers, by_defenders = data["killed"]
    return f"Boarding: {' against '.join(parties)}; {by_defenders} and {by_attackers} fall"


def morale(ship: str, data: Data, names: Names) -> str:
    return f"Boarding of {ship}, morale {data['score']}: {_MORALE.get(data['result'], data['result'])}"


def struck(ship: str, data: Data, names: Names) -> str:
    return f"{ship} strikes{_STRUCK.get(data['why'], '').format(by=names.ship(data['by']))}"


def secured(ship: str, data: Data, names: Names) -> str:
    men = f", with {_crew(data['men'])} put aboard" if "men" in data else ""
    return f"{names.ship(data['by'])} secures {ship} as a prize{men}"


def retaken(ship: str, data: Data, names: Names) -> str:
    if not data["by"]:
        return f"The captives in {ship} rise and retake her"
    return f"{names.ship(data['by'])} retakes {ship}"


def volley(ship: str, data: Data, names: Names) -> str:
    rake = ", raking her" if data["raked"] else ""
    guns = f", {many(len(data['dice']), 'die', 'dice')}" if "dice" in data else ""
    return (
        f"{ship} fires her {_group(data['group'])} at {names.ship(data['target'])}, {inches(data['range'])} away"
        f"{rake}{guns}: {many(data['hits'], 'hit')}"
    )


def damage(ship: str, data: Data, names: Names) -> str:
    shows = f"{_QUARTERS[min(4, data['quarters'])]} of her flotation gone"
    left = f", {many(data['flot'], 'point')} and {_crew(data['crew'])} left" if "flot" in data else ""
    return f"{ship} takes {many(data['hits'], 'hit')}: {shows}{left}"


def battery(ship: str, data: Data, names: Names) -> str:
    how = "shot away" if data["why"] == "hit" else "thrown overboard"
    half = "half " if data["half"] else ""
    return f"{ship} loses {half}a {data['gun']} battery of her {_group(data['group'])}, {how}"


def mast(ship: str, data: Data, names: Names) -> str:
    left = f" ({data['left']} standing)" if data["left"] else ""
    dismasted = " and counts as dismasted" if data["dismasted"] else ""
    return f"{ship} loses {'a' if data['left'] else 'her last'} mast{left}{dismasted}"


def jury(ship: str, data: Data, names: Names) -> str:
    return (
        f"{ship} has a jury mast up" if data["up"] else f"{ship} works at a jury mast, move {data['count']}"
    )


def foundering(ship: str, data: Data, names: Names) -> str:
    saved = ", saved by what went overboard" if data["saved"] else ""
    return f"The sea strains {ship}: {many(data['flot'], 'point')} left{saved}"


def went_down(how: str) -> Sentence:
    return lambda ship, data, names: (
        f"{ship} {how}" + (f" with {_crew(data['aboard'])} aboard" if data.get("aboard") else "")
    )


def saved(ship: str, data: Data, names: Names) -> str:
    return f"{ship} picks up {data['friends'] + data['enemies']} of the crew of {names.ship(data['from'])}"


def after(ship: str, data: Data, names: Names) -> str:
    if data["what"] == "rejoined":
        return f"{ship}, never secured, rejoins her own side in dishonour"
    return f"The crew of {ship} are ashore"
