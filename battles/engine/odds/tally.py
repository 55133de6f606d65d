"""What has been counted in a number of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.engine.core.errors import SchemaError
from battles.engine.core.fates import Fate
from battles.engine.odds.figures import NEITHER, Spread, interval

SCHEMA = 1


@dataclass(slots=True)
class Losses:
    """What a side loses, a value for each run.

    sent, sunk, taken: ships by the register's type, those that fought, those lost for good or interned, and those captured. gone:
    ships of all types that are not its own at the end. men: killed, wounded, drowned or taken with their ship. days: in a yard, of all
    its ships that are left together, beyond those that they needed before.
    """

    sent: dict[str, Spread] = field(default_factory=dict)
    sunk: dict[str, Spread] = field(default_factory=dict)
    taken: dict[str, Spread] = field(default_factory=dict)
    gone: Spread = field(default_factory=Spread)
    men: Spread = field(default_factory=Spread)
    days: Spread = field(default_factory=Spread)

    def add(self, other: Losses) -> None:
        """Take in the counts of other runs."""
        for mine, theirs in ((self.sent, other.sent), (self.sunk, other.sunk), (self.taken, other.taken)):
            for kind, spread in theirs.items():
                mine.setdefault(kind, Spread()).add(spread)
        self.gone.add(other.gone)
        self.men.add(other.men)
        self.days.add(other.days)

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document."""
        kinds = {
            name: {kind: spread.to_dict() for kind, spread in sorted(getattr(self, name).items())}
            for name in ("sent", "sunk", "taken")
        }
        return {**kinds, **{name: getattr(self, name).to_dict() for name in ("gone", "men", "days")}}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Losses:
        """Read back what `to_dict` wrote."""
        return cls(
            sent=_read_kinds(doc["sent"]),
            sunk=_read_kinds(doc["sunk"]),
            taken=_read_kinds(doc["taken"]),
            gone=Spread.from_dict(doc["gone"]),
            men=Spread.from_dict(doc["men"]),
            days=Spread.from_dict(doc["days"]),
        )


def _read_kinds(doc: Mapping[str, Any]) -> dict[str, Spread]:
    return {kind: Spread.from_dict(spread) for kind, spread in doc.items()}


@dataclass(slots=True)
class Tally:
    """Counts of a number of runs.

    fates: by ship, of those that are in every run; winners: by side, "" for drawn; held: who holds the field, "" for no one; sides:
    what each loses.
    """

    runs: int = 0
    turns: int = 0
    fates: dict[str, Counter[Fate]] = field(default_factory=dict)
    winners: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    sides: dict[str, Losses] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take in the counts of other runs."""
        self.runs += other.runs
        self.turns += other.turns
        self.winners += other.winners
        self.held += other.held
        for ship, fates in other.fates.items():
            self.fates.setdefault(ship, Counter()).update(fates)
        for side, losses in other.sides.items():
            self.sides.setdefault(side, Losses()).add(losses)

    @property
    def within(self) -> float:
        """Half the width of the widest interval of a chance, to win or to hold the field; 1 before any run."""
        if not self.runs:
            return 1.0
        shares = (counts[side] for counts in (self.winners, self.held) for side in (*self.sides, NEITHER))
        return max((high - low) / 2 for low, high in (interval(hits, self.runs) for hits in shares))

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {
            "schema": SCHEMA,
            "runs": self.runs,
            "turns": self.turns,
            "fates": {
                ship: {fate.value: times for fate, times in fates.items() if times}
                for ship, fates in self.fates.items()
            },
            "winners": dict(self.winners),
            "held": dict(self.held),
            "sides": {side: losses.to_dict() for side, losses in self.sides.items()},
        }

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Tally:
        """Read back what `to_dict` wrote; {} is none at all. Raises SchemaError on another schema number."""
        if not doc:
            return cls()
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"counts of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        return cls(
            runs=doc["runs"],
            turns=doc["turns"],
            fates={
                ship: Counter({Fate(fate): times for fate, times in fates.items()})
                for ship, fates in doc["fates"].items()
            },
            winners=Counter(doc["winners"]),
            held=Counter(doc["held"]),
            sides={side: Losses.from_dict(losses) for side, losses in doc["sides"].items()},
        )
