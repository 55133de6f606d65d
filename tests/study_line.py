"""How a side keeps its line in battle: the gaps between neighbours, the ships out of command, the collisions of friends.

Counted for a whole battle, and for the approach and the gun fight alone: a squadron's turns until one of its ships has been in
contact with an enemy, from when on every ship looks to herself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from battles.engine.core.hexes import distance
from battles.engine.rulesets.kohler.captain.line import as_it_lies
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship


@dataclass(slots=True)
class Keeping:
    """Sums over turns.

    pairs, gaps: neighbours in the lines as they lie and the hexes between them. ship_turns: turns of ships under sail.
    commanded, astray: the same from the second turn on, and those of them out of command: in the first, command hangs on the
    dice of disorder before anybody has moved (K.I12). tangles: how often two of the side's ships fouled each other.
    """

    pairs: int = 0
    gaps: int = 0
    ship_turns: int = 0
    commanded: int = 0
    astray: int = 0
    tangles: int = 0

    def add(self, other: Keeping) -> None:
        """Take in other sums."""
        self.pairs += other.pairs
        self.gaps += other.gaps
        self.ship_turns += other.ship_turns
        self.commanded += other.commanded
        self.astray += other.astray
        self.tangles += other.tangles

    @property
    def gap(self) -> float:
        """Mean hexes between neighbours in the line."""
        return self.gaps / max(1, self.pairs)

    @property
    def strayed(self) -> float:
        """Per cent of ship-turns out of command."""
        return 100 * self.astray / max(1, self.commanded)

    @property
    def fouled(self) -> float:
        """Collisions of friends in 1,000 ship-turns."""
        return 1000 * self.tangles / max(1, self.ship_turns)

    def take_line(self, line: list[Ship], turn: int) -> None:
        """Count one squadron's line, from van to rear, as it lies after a turn."""
        self.pairs += max(0, len(line) - 1)
        self.gaps += sum(distance(a.pos, b.pos) for a, b in zip(line, line[1:], strict=False))
        self.ship_turns += len(line)
        if turn > 1:
            self.commanded += len(line)
            self.astray += sum(not ship.in_command for ship in line)


@dataclass(slots=True)
class Lines:
    """The lines of one side, followed through one battle. closed: its squadrons that have been in contact with an enemy."""

    side: str
    whole: Keeping = field(default_factory=Keeping)
    before: Keeping = field(default_factory=Keeping)
    closed: set[str] = field(default_factory=set)

    def watch(self, sea: Battle) -> None:
        """Add what can be seen after a turn."""
        for squadron in sea.squadrons.values():
            if squadron.side != self.side:
                continue
            ships = [sea.ships[code] for code in squadron.ships]
            if any(map(in_contact, ships)):
                self.closed.add(squadron.id)
            line = as_it_lies([ship for ship in ships if in_line(ship)])
            self.whole.take_line(line, sea.turn)
            if squadron.id not in self.closed:
                self.before.take_line(line, sea.turn)
        for lock in sea.locks:
            if (
                lock.kind is LockKind.TANGLE
                and lock.formed == sea.turn
                and sea.ships[lock.a].flag == self.side
            ):
                self.whole.tangles += 1
                self.before.tangles += sea.ships[lock.a].squadron not in self.closed


def in_line(ship: Ship) -> bool:
    """Whether she can be expected in the line: under sail, free, and with less than half her hull gone."""
    return ship.afloat and not ship.prize_of and not ship.locks and 2 * ship.steps_lost < ship.n_steps


def in_contact(ship: Ship) -> bool:
    """Whether she has boarded or been boarded, or tried to."""
    return ship.grapple_tried or any(lock.kind is LockKind.GRAPPLE for lock in ship.locks)
