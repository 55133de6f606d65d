"""What an auditor knows of a battle from its log: ships, holds, wind, dice, and what is wrong so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.engine.core.scenario import Scenario
from tests.engine.kohler.audit import rule_book as book
from tests.engine.kohler.audit.rule_book import Cell


@dataclass(slots=True)
class Hull:
    """A ship as far as the log has told of her."""

    id: str
    side: str
    squadron: str
    card: Mapping[str, Any]
    english: bool
    pos: Cell = (0, 0)
    facing: int = 0
    struct: int = 0
    board: int = 0
    steps: int = 0
    state: str = "expected"
    prize: str = ""
    fired: bool = False
    fires: int = 0
    caught: bool = False
    aground: bool = False
    was_in_irons: bool = False
    init: int = 0
    helm: str = ""
    helm_hit: int = 0
    timers: list[tuple[int, int]] = field(default_factory=list)
    held: list[tuple[str, str]] = field(default_factory=list)
    unchecked: list[int] = field(default_factory=list)

    @property
    def flag(self) -> str:
        return self.prize or self.side

    @property
    def afloat(self) -> bool:
        return self.state == "afloat"

    @property
    def left(self) -> int:
        return max(0, int(self.card["hull_max"]) - self.struct - self.board)

    @property
    def level(self) -> int:
        level = book.LEVELS[self.card["n_steps"]][self.steps]
        return max(2, level) if self.prize else level

    @property
    def qualities(self) -> bool:
        lost = self.steps >= (1 if self.card["n_steps"] == 2 else 2)
        return not lost and not self.prize and not self.fired

    @property
    def handy(self) -> bool:
        return bool(self.card["handy"]) and self.qualities

    @property
    def fast(self) -> bool:
        return bool(self.card["fast"]) and self.qualities


class Board:
    """The auditor's own board. `problems` says what is wrong, with turn and ship; `seen` counts what was checked."""

    def __init__(self, scenario: Scenario, cards: Mapping[str, Mapping[str, Any]]) -> None:
        self.ships = {
            ship.id: Hull(ship.id, side.id, squadron.id, cards[ship.id], ship.facts.built_by == "England")
            for side, squadron, ship in scenario.ships()
        }
        self.wins_ties = {side.id: side.nation == "Dutch Republic" for side in scenario.sides}
        self.flagship = {one.id: one.flagship for side in scenario.sides for one in side.squadrons}
        self.code, self.anchored = scenario.code, scenario.options.get("at_anchor", {})
        self.land, self.shoal = set(scenario.land), set(scenario.shoal)
        self.flag_lost: set[str] = set()
        self.officer_hit: set[str] = set()
        self.wind, self.before, self.strength = 0, -1, book.NORMAL
        self.dice: dict[str, list[int]] = {}
        self.problems: list[str] = []
        self.seen: Counter[str] = Counter()
        self.turn, self.step = 0, ""
        self.hits: Counter[str] = Counter()
        self.taken: dict[str, int] = {}
        self.places: dict[tuple[str, str], str] = {}
        self.rounds_lost: Counter[tuple[str, str]] = Counter()
        self.rolled: Counter[str] = Counter()
        self.group_of: dict[str, int] = {}
        self.last_group = 0
        self.fired_sides: set[tuple[str, str]] = set()
        self.lot: list[Hull] = []
        self.due: set[tuple[str, str]] = set()

    def wrong(self, ship: str, text: str) -> None:
        self.problems.append(f"turn {self.turn} {self.step} {ship}: {text}")

    def expect(self, ship: str, what: str, said: object, due: object) -> None:
        if said != due:
            self.wrong(ship, f"{what} is {said}, by the rules {due}")

    def dice_before(self, ship: str, clause: str) -> int:
        """The last die of a clause thrown for a ship."""
        keys = [key for key in self.dice if key.startswith(f"{clause}/") and ship in key.split("/")]
        return self.dice[keys[-1]][0]

    def _rel(self, facing: int) -> int:
        return (facing - self.wind - 3) % 6

    def _here(self, cell: Cell) -> list[Hull]:
        return [
            ship for ship in self.ships.values() if ship.pos == cell and ship.state in ("afloat", "wreck")
        ]

    def _closed(self, ship: Hull, cell: Cell) -> bool:
        """Land, or a shoal too high for her."""
        return cell in self.land or (bool(ship.card["deep"]) and cell in self.shoal)

    def _bars(self, ship: Hull, cell: Cell) -> bool:
        for other in self._here(cell):
            if other is ship:
                continue
            if other.state == "wreck" or (other.flag == ship.flag and not other.fired and not ship.fired):
                return True
        return False

    def _leads(self, ship: Hull, squadron: str) -> bool:
        return ship.afloat and not ship.fired and not ship.prize and ship.squadron == squadron

    def _holds_fast(self, ship: Hull) -> bool:
        """At anchor or aground, or held to a ship that is."""
        return any(one.aground or self._moored(one) for one in self._lot(ship))

    def _moored(self, ship: Hull) -> bool:
        return self.turn < self.anchored.get(ship.squadron, 0) and not ship.prize and not ship.fired

    def _lot(self, ship: Hull) -> list[Hull]:
        found = [ship]
        for one in found:
            found += [self.ships[code] for _, code in one.held if self.ships[code] not in found]
        return found

    def _release(self, a: Hull, b: Hull) -> None:
        a.held = [row for row in a.held if row[1] != b.id]
        b.held = [row for row in b.held if row[1] != a.id]

    def _let_go(self, ship: Hull) -> None:
        for _, code in list(ship.held):
            self._release(ship, self.ships[code])

    def _forget(self, ship: Hull) -> None:
        for pair in [pair for pair in self.places if ship.id in pair]:
            if self.ships[pair[0]].pos != self.ships[pair[1]].pos:
                del self.places[pair]

    def _gone(self, ship: Hull, state: str) -> None:
        ship.state = state
        ship.fires = 0
        ship.unchecked.clear()
        self._let_go(ship)
        for pair in [pair for pair in self.places if ship.id in pair]:
            del self.places[pair]
