"""A battle told turn by turn, by name: from the events of the log to sentences, with no need of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from battles.engine.core.hexes import NAMES
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario

_STRENGTHS = ("still", "light", "normal", "strong", "a gale")
_FALLS = {
    "gunfire": "sinks under gunfire",
    "fire": "sinks, burnt out",
    "burning": "burns to the water",
    "aground": "breaks up on the shoal",
}
_ENDS = {
    "gale": "a gale parts the fleets",
    "beaten": "one side can fight no more",
    "parted": "the fleets have parted",
    "nightfall": "night falls",
    "limit": "the time is up",
}


class Teller:
    """Tells one battle; remembers how hurt each ship was, so that only news is told."""

    def __init__(self, scenario: Scenario) -> None:
        self._names = {ship.id: ship.name for _, _, ship in scenario.ships()}
        self._sides = {side.id: side.name for side in scenario.sides}
        self._side_of = {ship.id: side.id for side, _, ship in scenario.ships()}
        self._squadrons = {squadron.id: squadron.name for _, squadron, _ in scenario.ships()}
        self._steps: dict[str, int] = {}

    def turn(self, events: Iterable[Event]) -> list[str]:
        """The sentences of one turn, in the order of the events; gunfire is summed up by side."""
        told: list[str] = []
        guns: dict[str, tuple[int, int]] = {}
        for event in events:
            if event.kind == "fire":
                side = self._side_of[event.ship]
                shots, hits = guns.get(side, (0, 0))
                guns[side] = shots + 1, hits + event.data["hits"]
                continue
            sentence = self._tell(event)
            if sentence:
                told.append(sentence)
        if guns:
            told.insert(self._after_sailing(told), self._gunfire(guns))
        return told

    @staticmethod
    def _after_sailing(told: list[str]) -> int:
        return next((n for n, text in enumerate(told) if text.startswith("  ")), len(told))

    def _gunfire(self, guns: dict[str, tuple[int, int]]) -> str:
        parts = [
            f"{self._sides[s]} {hits} hit{'s' * (hits != 1)} of {shots} broadside{'s' * (shots != 1)}"
            for s, (shots, hits) in guns.items()
        ]
        return f"Gunfire: {'; '.join(parts)}."

    def _tell(self, event: Event) -> str:
        teller = _TELLERS.get(event.kind)
        return teller(self, event.ship, event.data) if teller is not None else ""

    def name(self, code: str) -> str:
        """A ship's name."""
        return self._names.get(code, code)

    def placed(self, ship: str, data: Any) -> str:
        """Remember what she begins with."""
        self._steps[ship] = data["steps"]
        return ""

    def damage(self, ship: str, data: Any) -> str:
        """A step of damage lost; of an enemy the points left are not told."""
        steps = data["steps"]
        if steps <= self._steps.get(ship, 0):
            return ""
        self._steps[ship] = steps
        left = data.get("left")
        if left == 0:
            return ""
        lost = "disabled" if data["level"] >= 3 else "slowed" if data["level"] else "hurt"
        points = "" if left is None else f", {left} hull point{'s' * (left != 1)} left"
        return f"  {self.name(ship)} is {lost}: {steps} step{'s' * (steps != 1)} lost{points}."

    def wind(self, ship: str, data: Any) -> str:
        """A change of the wind."""
        if data["towards"] == data["was"] and data["strength"] == data["strength_was"]:
            return ""
        return f"The wind now blows towards {NAMES[data['towards']]}, {_STRENGTHS[data['strength']]}."

    def arrived(self, ship: str, data: Any) -> str:
        """A reinforcement."""
        return f"{self.name(ship)} comes up."

    def locked(self, ship: str, data: Any) -> str:
        """Two ships held together."""
        words = {"grapple": "grapples", "tangle": "runs foul of", "fireship": "is alongside, alight, of"}
        return f"{self.name(ship)} {words[data['kind']]} {self.name(data['target'])}."

    def boarding(self, ship: str, data: Any) -> str:
        """A round of boarding."""
        winner = data["winner"]
        if not winner:
            return (
                f"  {self.name(ship)} and {self.name(data['target'])} fight hand to hand; neither gives way."
            )
        loser = data["target"] if winner == ship else ship
        return f"  Boarders of {self.name(winner)} cut down {data['inflicted']} of {self.name(loser)} for {data['cost']}."

    def captured(self, ship: str, data: Any) -> str:
        """A ship taken."""
        return f"  {self.name(ship)} is taken by {self.name(data['captor'])}."

    def retaken(self, ship: str, data: Any) -> str:
        """A prize taken back."""
        return f"  {self.name(ship)} is taken back by {self.name(data['by'])}."

    def taken_after(self, ship: str, data: Any) -> str:
        """A disabled ship taken as the battle ends."""
        return f"  {self.name(ship)}, disabled, strikes to {self.name(data['captor'])}."

    def alight(self, ship: str, data: Any) -> str:
        """Fire aboard."""
        return f"  {self.name(ship)} is on fire."

    def exploded(self, ship: str, data: Any) -> str:
        """A ship blown up."""
        return f"  {self.name(ship)} blows up."

    def sunk(self, ship: str, data: Any) -> str:
        """A ship sinking."""
        return f"  {self.name(ship)} {_FALLS.get(data.get('by', ''), 'sinks')}."

    def burnt_out(self, ship: str, data: Any) -> str:
        """A fire ship spent."""
        return f"  The fire ship {self.name(ship)} burns out."

    def flag_hit(self, ship: str, data: Any) -> str:
        """A flag officer down."""
        return f"  {data.get('officer') or 'The flag officer'} is hit aboard {self.name(ship)}."

    def new_flagship(self, ship: str, data: Any) -> str:
        """The flag shifted."""
        return f"  {self.name(ship)} now leads {self._squadrons.get(data['squadron'], data['squadron'])}."

    def officer(self, ship: str, data: Any) -> str:
        """An officer's fate."""
        return f"  {data.get('officer') or 'The flag officer'} of {self.name(ship)}: {data['fate']}."

    def gone(self, ship: str, data: Any) -> str:
        """A ship over the edge."""
        return f"{self.name(ship)} leaves the battle."

    def aground(self, ship: str, data: Any) -> str:
        """A ship on a shoal."""
        return f"{self.name(ship)} runs aground."

    def refloated(self, ship: str, data: Any) -> str:
        """A ship off the shoal."""
        return f"{self.name(ship)} floats off the shoal."

    def wrecked(self, ship: str, data: Any) -> str:
        """A ship lost on the shore."""
        return f"{self.name(ship)} is driven ashore and wrecked."

    def ended(self, ship: str, data: Any) -> str:
        """The end."""
        return f"The battle ends: {_ENDS.get(data['why'], data['why'])}."


_TELLERS: dict[str, Callable[[Teller, str, Any], str]] = {
    name: getattr(Teller, name)
    for name in (
        "placed", "damage", "wind", "arrived", "locked", "boarding", "captured", "retaken", "taken_after", "alight",
        "exploded", "sunk", "burnt_out", "flag_hit", "new_flagship", "officer", "gone", "aground",
        "refloated", "wrecked", "ended",
    )
}  # fmt: skip
