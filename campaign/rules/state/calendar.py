"""What has become of the calendar's events: the day that a die gave each, what has come to pass, and what that changes for the turn.

Rules: G.CA1, G.CA2, G.CA5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.chart.types import TurnFacts
from campaign.rules.state.economy import officer_key

Pair = tuple[str, str]


@dataclass(slots=True)
class Calendar:
    """Events by id.

    days: hour of the 06:00 that a die gave an event with a window. done: hour at which an event came to pass. void: hour at which
    it was settled that one does not. ties: war, alliance or peace that has begun in this turn, by pair of sides in order; the next turn's
    facts have it. peace: the event that has ended the campaign, "" for none. Rules: G.CA1, G.CA5.
    """

    days: dict[str, int] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    void: dict[str, int] = field(default_factory=dict)
    ties: dict[Pair, str] = field(default_factory=dict)
    peace: str = ""

    def settled(self, event: str) -> bool:
        """Whether an event has come to pass, or never will."""
        return event in self.done or event in self.void

    def copy(self) -> Calendar:
        """A calendar that can be changed without touching this one."""
        return Calendar(dict(self.days), dict(self.done), dict(self.void), dict(self.ties), self.peace)

    def opened(self) -> Calendar:
        """As the next turn has it: ties are part of that turn's facts."""
        return replace(self.copy(), ties={})

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of ids."""
        return {
            "days": dict(sorted(self.days.items())),
            "done": dict(sorted(self.done.items())),
            "void": dict(sorted(self.void.items())),
            "ties": [[*pair, self.ties[pair]] for pair in sorted(self.ties)],
            "peace": self.peace,
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Calendar:
        """Read back what `doc` wrote; an empty document has nothing done."""
        return cls(
            dict(doc.get("days", {})),
            dict(doc.get("done", {})),
            dict(doc.get("void", {})),
            {(a, b): tie for a, b, tie in doc.get("ties", ())},
            doc.get("peace", ""),
        )


def facts_now(facts: TurnFacts, calendar: Calendar) -> TurnFacts:
    """A turn's facts with what its calendar has brought so far: sheets of ships that have come, wars and alliances.

    The same facts where it has brought nothing. Taking it in twice changes nothing. Rules: G.CA2, G.CA5.
    """
    brought = [event.brings for event in facts.calendar if event.id in calendar.done and event.brings.ships]
    if brought:
        facts = replace(
            facts,
            ships={**facts.ships, **{ship.code: ship for row in brought for ship in row.ships}},
            squadrons={**facts.squadrons, **{body.code: body for row in brought for body in row.squadrons}},
            officers={
                **facts.officers,
                **{officer_key(who.side, who.name): who for row in brought for who in row.officers},
            },
        )
    if calendar.ties:
        facts = replace(
            facts,
            at_war=_tied(facts.at_war, calendar.ties, "war"),
            allied=_tied(facts.allied, calendar.ties, "alliance"),
        )
    return facts


def _tied(before: frozenset[frozenset[str]], ties: Mapping[Pair, str], tie: str) -> frozenset[frozenset[str]]:
    """Pairs of sides that stand so now. tie: war or alliance."""
    changed = {frozenset(pair): now for pair, now in ties.items()}
    return frozenset(
        {pair for pair in before if changed.get(pair, tie) == tie}
        | {pair for pair, now in changed.items() if now == tie}
    )
