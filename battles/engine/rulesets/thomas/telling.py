"""A battle told move by move, by name: from the events of the log to sentences, with no need of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario

_STRENGTHS = ("calm", "light airs", "medium", "strong")
_POINTS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_QUARTERS = ("", "a quarter", "half", "three quarters")
_ENDS = {
    "beaten": "one side can fight no more",
    "parted": "one side has got away",
    "nightfall": "night falls",
    "limit": "the time is up",
}
_NIGHT = {
    "night_action": "as was agreed",
    "enemy_cannot_sail": "because one side cannot leave",
}
_STRUCK = {
    "worn crew": ", her crew worn out",
    "no crew left": ", with nobody left to fight her",
    "boarded": " to boarders",
}
_DRIVEN = {
    "oars": "gets her oars out",
    "to_oars": "takes in sail to row",
    "to_sail": "makes ready to sail",
    "sail": "is under sail",
}


class Teller:
    """Tells one battle; remembers how hurt each ship was, so that only news is told."""

    def __init__(self, scenario: Scenario) -> None:
        self._names = {ship.id: ship.name for _, _, ship in scenario.ships()}
        self._sides = {side.id: side.name for side in scenario.sides}
        self._side_of = {ship.id: side.id for side, _, ship in scenario.ships()}
        self._quarters: dict[str, int] = {}

    def turn(self, events: Iterable[Event]) -> list[str]:
        """The sentences of one move, in the order of the events; gunfire is summed up by side."""
        told: list[str] = []
        guns: dict[str, list[int]] = {}
        place: int | None = None
        for event in events:
            if event.kind == "volley":
                place = len(told) if place is None else place
                row = guns.setdefault(self._side_of[event.ship], [0, 0, 0])
                row[0] += 1
                row[1] += event.data["hits"]
                row[2] += bool(event.data["raked"] and event.data["hits"])
                continue
            sentence = self._tell(event)
            if sentence:
                told.append(sentence)
        if place is not None:
            told.insert(place, self._gunfire(guns))
        return told

    def _gunfire(self, guns: dict[str, list[int]]) -> str:
        parts = [
            f"{self._sides[side]} {_count(hits, 'hit')} of {_count(shots, 'broadside')}"
            + (f", {rakes} raking" if rakes else "")
            for side, (shots, hits, rakes) in guns.items()
        ]
        return f"Gunfire: {'; '.join(parts)}."

    def _tell(self, event: Event) -> str:
        teller = _TELLERS.get(event.kind)
        return teller(self, event.ship, event.data) if teller is not None else ""

    def name(self, code: str) -> str:
        """A ship's name."""
        return self._names.get(code, code)

    def opened(self, ship: str, data: Any) -> str:
        """Hour and wind."""
        hours, minutes = divmod(data["minute"], 60)
        return f"{hours:02}:{minutes:02}. {_wind(data['wind_from'], data['strength'])}."

    def placed(self, ship: str, data: Any) -> str:
        """Remember what she begins with."""
        self._quarters[ship] = data["quarters"]
        return ""

    def wind(self, ship: str, data: Any) -> str:
        """A change of the wind."""
        return f"{_wind(data['from'], data['strength'])} now."

    def arrived(self, ship: str, data: Any) -> str:
        """A reinforcement."""
        return f"{self.name(ship)} comes up."

    def night(self, ship: str, data: Any) -> str:
        """Nightfall, and whether they go on."""
        if not data["fights_on"]:
            return ""
        return f"It is night, but the battle goes on {_NIGHT.get(data['why'], data['why'])}."

    def in_irons(self, ship: str, data: Any) -> str:
        """Head to wind."""
        return f"  {self.name(ship)} lies in irons."

    def headed(self, ship: str, data: Any) -> str:
        """Caught by a shift."""
        return (
            f"  {self.name(ship)} {'is taken aback' if data['irons'] else 'falls off'} as the wind heads her."
        )

    def run_into(self, ship: str, data: Any) -> str:
        """A drifter alongside."""
        return f"  {self.name(data['by'])} drifts into {self.name(ship)}."

    def rig(self, ship: str, data: Any) -> str:
        """Oars and sails."""
        return f"  {self.name(ship)} {_DRIVEN[data['mode']]}."

    def boats(self, ship: str, data: Any) -> str:
        """Boats out or in."""
        return f"  {self.name(ship)} {'puts out her boats to tow' if data['out'] else 'hoists in her boats'}."

    def tow(self, ship: str, data: Any) -> str:
        """A tow made fast."""
        return f"  {self.name(ship)} takes {self.name(data['target'])} in tow." if data["made"] else ""

    def anchored(self, ship: str, data: Any) -> str:
        """A cable cut or torn."""
        return f"  {self.name(ship)} {'cuts her cable' if data['cut'] else 'is torn from her anchor'}."

    def damage(self, ship: str, data: Any) -> str:
        """A quarter more of her flotation gone; of an enemy the points left are not told."""
        quarters = data["quarters"]
        if quarters <= self._quarters.get(ship, 0):
            return ""
        self._quarters[ship] = quarters
        if quarters > 3:
            return ""
        left = data.get("flot")
        points = "" if left is None else f", {_count(left, 'point')} afloat"
        return f"  {self.name(ship)} is {_QUARTERS[quarters]} damaged{points}."

    def mast(self, ship: str, data: Any) -> str:
        """A mast by the board."""
        mast = "a mast" if data["left"] else "her last mast"
        return f"  {self.name(ship)} loses {mast}{' and is dismasted' if data['dismasted'] else ''}."

    def jury(self, ship: str, data: Any) -> str:
        """A jury mast."""
        return f"  {self.name(ship)} has a jury mast up." if data["up"] else ""

    def alight(self, ship: str, data: Any) -> str:
        """Fire aboard."""
        return f"  {self.name(ship)} is on fire{' from ' + self.name(data['of']) if data['of'] else ''}."

    def fire_out(self, ship: str, data: Any) -> str:
        """Fire out."""
        return f"  {self.name(ship)} puts out her fire."

    def blown_up(self, ship: str, data: Any) -> str:
        """An explosion."""
        return f"{self.name(ship)} blows up."

    def sunk(self, ship: str, data: Any) -> str:
        """A ship sunk."""
        return f"{self.name(ship)} sinks under gunfire."

    def foundered(self, ship: str, data: Any) -> str:
        """A ship foundered."""
        return f"{self.name(ship)} founders."

    def wrecked(self, ship: str, data: Any) -> str:
        """A ship ashore."""
        return f"{self.name(ship)} is driven ashore and lost."

    def beached(self, ship: str, data: Any) -> str:
        """A galley ashore."""
        return f"The slaves of {self.name(ship)} row her ashore."

    def grapple(self, ship: str, data: Any) -> str:
        """A boarding begun."""
        return f"  {self.name(ship)} grapples {self.name(data['target'])}." if data["made"] else ""

    def round(self, ship: str, data: Any) -> str:
        """An exchange of a boarding."""
        by_attackers, by_defenders = data["killed"]
        parties = [
            " and ".join(self.name(code) for code, _ in data[party]) for party in ("attackers", "defenders")
        ]
        return f"  Boarding, {parties[0]} against {parties[1]}: {by_defenders} and {by_attackers} fall."

    def loose(self, ship: str, data: Any) -> str:
        """Two ships apart."""
        return f"  {self.name(ship)} and {self.name(data['target'])} are apart."

    def struck(self, ship: str, data: Any) -> str:
        """Colours down."""
        return f"{self.name(ship)} strikes{_STRUCK.get(data['why'], '')}."

    def refused_surrender(self, ship: str, data: Any) -> str:
        """No quarter for the dishonoured."""
        return f"{self.name(ship)} would strike, and is refused."

    def changed_mind(self, ship: str, data: Any) -> str:
        """Colours up again."""
        return f"{self.name(ship)} hoists her colours again, to her dishonour."

    def secured(self, ship: str, data: Any) -> str:
        """A prize crew aboard."""
        return f"{self.name(data['by'])} secures {self.name(ship)}."

    def retaken(self, ship: str, data: Any) -> str:
        """A prize back."""
        if not data["by"]:
            return f"The captives in {self.name(ship)} rise and retake her."
        return f"{self.name(data['by'])} retakes {self.name(ship)}."

    def joined(self, ship: str, data: Any) -> str:
        """Captives beside boarders."""
        return f"The crew of {self.name(ship)} rises beside {self.name(data['beside'])}."

    def breaking_off(self, ship: str, data: Any) -> str:
        """A worn crew."""
        return f"  The crew of {self.name(ship)} is worn out and tries to break off."

    def saved(self, ship: str, data: Any) -> str:
        """People saved."""
        men = data["friends"] + data["enemies"]
        return f"  {self.name(ship)} takes up {men} from {self.name(data['from'])}."

    def withdrew(self, ship: str, data: Any) -> str:
        """A ship away."""
        return f"{self.name(ship)} leaves the battle."

    def after(self, ship: str, data: Any) -> str:
        """What is settled after the battle."""
        if data["what"] == "rejoined":
            return f"{self.name(ship)}, never secured, rejoins her own side in dishonour."
        return f"The people of {self.name(ship)} are ashore." if data.get("men", 1) else ""

    def officer(self, ship: str, data: Any) -> str:
        """An officer's fate."""
        return f"  {data['officer']} in {self.name(ship)}: {data['fate']}."

    def ended(self, ship: str, data: Any) -> str:
        """The end."""
        return f"The battle ends: {_ENDS.get(data['why'], data['why'])}."


def _wind(wind_from: int, strength: int) -> str:
    """The wind in words: whence, and how strong. wind_from: hundredths of a degree."""
    point = _POINTS[(wind_from + 2_250) // 4_500 % 8]
    if not strength:
        return f"It is calm, the next wind to come from the {point}"
    return f"The wind blows from the {point}, {_STRENGTHS[strength]}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


_TELLERS: dict[str, Callable[[Teller, str, Any], str]] = {
    name: getattr(Teller, name)
    for name in (
        "opened", "placed", "wind", "arrived", "night", "in_irons", "headed", "run_into", "rig", "boats", "tow", "anchored",
        "damage", "mast", "jury", "alight", "fire_out", "blown_up", "sunk", "foundered", "wrecked", "beached", "grapple",
        "round", "loose", "struck", "refused_surrender", "changed_mind", "secured", "retaken", "joined", "breaking_off",
        "saved", "withdrew", "after", "officer", "ended",
    )
}  # fmt: skip
