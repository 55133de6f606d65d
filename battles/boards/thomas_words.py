"""The events of a Thomas log in words, one line each. Reads what is there: of an enemy's event part may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from battles.boards.common import Data, Teller, die, many, plain, with_other
from battles.engine.core.log import DIE, Event

if TYPE_CHECKING:
    from battles.boards import Names

STRENGTHS = ("calm", "light airs", "medium", "strong")
POINTS = (
    "north", "north-north-east", "north-east", "east-north-east", "east", "east-south-east", "south-east", "south-south-east",
    "south", "south-south-west", "south-west", "west-south-west", "west", "west-north-west", "north-west", "north-north-west",
)  # fmt: skip
ENDS = {
    "beaten": "one side can fight no more",
    "parted": "one side has got away",
    "nightfall": "night falls",
    "limit": "the time is up",
}
_GROUPS = {"ahead": "bow guns", "astern": "stern guns"}
_QUARTERS = ("less than a quarter", "a quarter", "half", "three quarters", "all")
_MODES = {
    "oars": "is under oars",
    "to_oars": "takes in sail to row",
    "to_sail": "makes ready to sail",
    "sail": "is under sail",
}
_MAGAZINE = {"none": "nothing more", "fire": "fire", "blows_up": "she blows up"}
_MORALE = {"attacker": "the attackers give way", "defender": "the defenders give way", "on": "both fight on"}


def words(event: Event, names: Names) -> str:
    """An event in words. A kind that has none gives ""."""
    teller = _TELLERS.get(event.kind)
    return teller(names.ship(event.ship) if event.ship else "", event.data, names) if teller else ""


def inches(thousandths: int) -> str:
    """A length on the table, to the tenth of an inch."""
    tenths = (thousandths + 50) // 100
    return "1 inch" if tenths == 10 else f"{tenths / 10:g} inches"


def point(hundredths: int) -> str:
    """A bearing as the nearest of sixteen points."""
    return POINTS[(hundredths + 1_125) // 2_250 % 16]


def _group(name: object) -> str:
    return _GROUPS.get(str(name), f"{name} broadside")


def _opened(_: str, data: Data, names: Names) -> str:
    hours, minutes = divmod(data["minute"], 60)
    rules = "with" if data["nelson"] else "without"
    return f"{hours % 24:02d}:{minutes:02d}. {_blows(data['wind_from'], data['strength'])}. Fought {rules} the rules of Nelson's period"


def _blows(wind_from: int, strength: int) -> str:
    if not strength:
        return f"Calm; the next wind will come from the {point(wind_from)}"
    return f"Wind {STRENGTHS[strength]} from the {point(wind_from)}"


def _wind(_: str, data: Data, names: Names) -> str:
    return f"{_blows(data['from'], data['strength'])} (before: {point(data['was'])}, {STRENGTHS[data['strength_was']]})"


def _placed(ship: str, data: Data, names: Names) -> str:
    rest = f", {data['flot']} of {data['flot_max']} afloat" if "flot" in data else ""
    return f"{ship} at {_place(data)}, heading {point(data['h'])}{rest}"


def _place(data: Data) -> str:
    return f"{data['x'] / 1000:.1f}, {data['y'] / 1000:.1f}"


def _moved(ship: str, data: Data, names: Names) -> str:
    path = data["path"]
    run = sum(
        round(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5) for a, b in zip(path, path[1:], strict=False)
    )
    turns = sum(1 for a, b in zip(path, path[1:], strict=False) if a[2] != b[2])
    how = "rows" if data.get("oars") else "is towed by her boats" if data.get("boats") else "sails"
    did = f"{how} {inches(run)}" if run else "makes no way"
    turned = f", {many(turns, 'turn')}" if turns else ""
    met = f", stopped by {names.ship(data['stopped'])}" if data.get("stopped") else ""
    return f"{ship} {did}{turned}, heading {point(path[-1][2])}{met}"


def _drifted(ship: str, data: Data, names: Names) -> str:
    met = f" against {names.ship(data['stopped'])}" if data.get("stopped") else ""
    return f"{ship} drifts down wind{met}"


def _volley(ship: str, data: Data, names: Names) -> str:
    rake = ", raking her" if data["raked"] else ""
    guns = f", {many(len(data['dice']), 'die', 'dice')}" if "dice" in data else ""
    return (
        f"{ship} fires her {_group(data['group'])} at {names.ship(data['target'])}, {inches(data['range'])}{rake}"
        f"{guns}: {many(data['hits'], 'hit')}"
    )


def _damage(ship: str, data: Data, names: Names) -> str:
    shows = f"{_QUARTERS[min(4, data['quarters'])]} of her flotation gone"
    took = many(data["hits"], "hit")
    if "flot" not in data:
        return f"{ship} takes {took}: {shows}"
    crew = "" if data.get("crew") is None else f", {data['crew'] / 2:g} crew"
    return f"{ship} takes {took}: {data['flot']} afloat{crew}, {shows}"


def _mast(ship: str, data: Data, names: Names) -> str:
    left = f"{many(data['left'], 'mast')} standing" if data["left"] else "none left standing"
    return f"{ship} loses a mast, {left}{'; she is dismasted' if data['dismasted'] else ''}"


def _thrown(made: str, missed: str, field: str = "made") -> Teller:
    """A throw that succeeds or fails. `{other}` stands for the ship of the event's target."""
    return lambda ship, data, names: (made if data[field] else missed).format(
        ship=ship, other=names.ship(data.get("target", ""))
    )


def _round(ship: str, data: Data, names: Names) -> str:
    def party(rows: list[tuple[str, int | None]]) -> str:
        return " and ".join(
            names.ship(code) + (f" ({men} fighting)" if men is not None else "") for code, men in rows
        )

    attackers, defenders = data["killed"]
    return f"Boarding: {party(data['attackers'])} against {party(data['defenders'])}; {attackers} and {defenders} killed by them"


def _struck(ship: str, data: Data, names: Names) -> str:
    to = f" to {names.ship(data['by'])}" if data.get("by") else ""
    why = "" if data["why"] == "struck" else f": {data['why']}"
    return f"{ship} strikes{to}{why}"


def _secured(ship: str, data: Data, names: Names) -> str:
    men = f", {data['men'] / 2:g} men put aboard" if "men" in data else ""
    return f"{ship} is secured as a prize by {names.ship(data['by'])}{men}"


def _retaken(ship: str, data: Data, names: Names) -> str:
    return (
        f"{ship} is retaken{' by ' + names.ship(data['by']) if data.get('by') else ' by the captives aboard'}"
    )


def _initiative(_: str, data: Data, names: Names) -> str:
    totals = " to ".join(str(total) for total in data["totals"].values())
    return f"Initiative {totals}: {names.side(data['first'])} moves and fires first"


def _alight(ship: str, data: Data, names: Names) -> str:
    return f"{ship} is on fire" + (f" from the wreck of {names.ship(data['of'])}" if data.get("of") else "")


def _went_down(how: str) -> Teller:
    return lambda ship, data, names: (
        f"{ship} {how}" + (f", {data['aboard'] / 2:g} crew aboard" if data.get("aboard") else "")
    )


def _after(ship: str, data: Data, names: Names) -> str:
    if data["what"] == "rejoined":
        return f"{ship}, struck and never secured, is back with her own side, dishonoured"
    return f"The people of {ship} are ashore"


_TELLERS: Mapping[str, Teller] = {
    DIE: die,
    "opened": _opened,
    "placed": _placed,
    "arrived": plain("{ship} comes up"),
    "refused": lambda ship, data, names: (
        f"{ship} cannot carry out {data['asked'] or 'her order'}: {str(data['code']).rpartition('/')[2].replace('-', ' ')}"
        + (f"; done instead: {data['given']}" if data["given"] else "")
    ),
    "night": lambda ship, data, names: (
        f"It is night, and the battle goes on: {str(data['why']).replace('_', ' ')}"
        if data["fights_on"]
        else "Night falls"
    ),
    "wind": _wind,
    "headed": lambda ship, data, names: (
        f"The wind heads {ship}: she {'is caught in irons' if data['irons'] else 'falls off to ' + point(data['h'])}"
    ),
    "burns": lambda ship, data, names: (
        f"{ship} burns on" + (f", {many(data['fails'], 'throw')} failed" if "fails" in data else "")
    ),
    "fire_out": plain("{ship} puts out her fire"),
    "alight": _alight,
    "blown_up": plain("{ship} blows up"),
    "in_irons": plain("{ship} lies in irons"),
    "irons_turn": lambda ship, data, names: (
        f"{ship} in irons {'turns to ' + point(data['h']) if data['made'] else 'does not answer her helm'}"
    ),
    "out_of_irons": plain("{ship} is out of irons"),
    "adrift": lambda ship, data, names: f"{ship} drifts: {str(data['why']).replace('_', ' ')}",
    "under_way": _thrown("{ship} is under way again", "{ship} does not get under way"),
    "anchored": lambda ship, data, names: f"{ship} {'cuts her cable' if data['cut'] else 'is torn from her anchor'}",
    "tow": _thrown("{ship} takes {other} in tow", "{ship} does not get a line to {other}"),
    "tow_waits": with_other("{ship} passes a line to {other}", "target"),
    "cast_off": with_other("{ship} casts off her tow of {other}", "target"),
    "boats": _thrown("{ship} puts out her boats to tow", "{ship} hoists in her boats", "out"),
    "rig": lambda ship, data, names: f"{ship} {_MODES[data['mode']]}",
    "changed_mind": plain("{ship} hoists her colours again, to her dishonour"),
    "initiative": _initiative,
    "moved": _moved,
    "drifted": _drifted,
    "run_into": with_other("{other} drifts into {ship}", "by"),
    "towed": with_other("{ship} follows in tow of {other}", "by"),
    "wrecked": plain("{ship} is driven ashore and lost"),
    "beached": plain("The slaves of {ship} row her ashore"),
    "grapple": _thrown("{ship} grapples {other}", "{ship} throws her grapples at {other} and misses"),
    "loose": with_other("{ship} and {other} are apart", "target"),
    "cut": _thrown("{ship} cuts the grapples of {other}", "{ship} does not get clear of the grapples of {other}"),
    "round": _round,
    "morale": lambda ship, data, names: (
        f"Boarding of {ship}, morale {data['score']}: {_MORALE.get(data['result'], data['result'])}"
    ),
    "withdrew_boarders": with_other("The boarders of {ship} come back from {other}", "target"),
    "struck": _struck,
    "refused_surrender": plain("{ship} would strike, and is refused: she is dishonoured"),
    "secured": _secured,
    "retaken": _retaken,
    "joined": with_other("The crew of {ship} rises beside {other}", "beside"),
    "rising": _thrown("The captives in {ship} rise and win", "The captives in {ship} rise in vain"),
    "volley": _volley,
    "damage": _damage,
    "battery": lambda ship, data, names: (
        f"{ship} loses {'half ' if data['half'] else ''}a {data['gun']} battery of her {_group(data['group'])}: "
        f"{'shot away' if data['why'] == 'hit' else 'thrown overboard'}"
    ),
    "magazine": lambda ship, data, names: f"{ship}, magazine: {_MAGAZINE.get(data['result'], data['result'])}",
    "sunk": _went_down("sinks under gunfire"),
    "mast": _mast,
    "jury": lambda ship, data, names: (
        f"{ship} has a jury mast up" if data["up"] else f"{ship} works at a jury mast, move {data['count']}"
    ),
    "foundering": lambda ship, data, names: (
        f"The sea strains {ship}: {data['flot']} afloat" + (", saved by what went overboard" if data["saved"] else "")
    ),
    "foundered": _went_down("founders"),
    "breaking_off": plain("The worn crew of {ship} tries to leave the action"),
    "saved": lambda ship, data, names: (
        f"{ship} takes {many(data['friends'] + data['enemies'], 'point')} of the people of {names.ship(data['from'])} from the water"
    ),
    "withdrew": plain("{ship} leaves the battle"),
    "officer": lambda ship, data, names: f"{data.get('officer') or 'The flag officer'} of {ship}: {data['fate']}",
    "ended": lambda ship, data, names: f"The battle ends: {ENDS.get(data['why'], data['why'])}",
    "after": _after,
}  # fmt: skip
