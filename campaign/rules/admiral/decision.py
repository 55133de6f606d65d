"""What the automatic admiral has decided for a fleet, and what it has to remember of it until the next turn. Rules: G.AA2, G.AA5, G.AA6."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from campaign.rules.state.clock import DAY
from campaign.rules.turn.knowledge import Knowledge, OwnFleet

# Days of battle for which a fleet carries ammunition, and the share of its strength without which it is beaten.
AMMUNITION = 4
BEATEN = Fraction(2, 3)
_MEMORY = ("station", "fought", "back", "worth")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a fleet is to do, for the umpire to read. aim: id of an objective or "". place: code. why: one sentence.

    station: the port that the opening told it to blockade, "" for none, whatever it does now. fought: days on which it has been in
    battle since it last lay in port, and back: hour at which it came back from the last of them; worth: whole points that it had in
    port, or has had since if that is more.
    """

    fleet: str
    verb: str
    place: str
    aim: str
    contact: int
    why: str
    station: str = ""
    fought: int = 0
    back: int = 0
    worth: int = 0

    def doc(self) -> dict[str, Any]:
        """As a JSON document, which is silent about what need not be remembered."""
        return {name: value for name, value in asdict(self).items() if value or name not in _MEMORY}


@dataclass(frozen=True, slots=True)
class Cruise:
    """What a fleet has gone through since it last lay in port: see `Decision`."""

    fought: int
    back: int
    worth: int


def cruises(
    knowledge: Knowledge, fleets: Iterable[OwnFleet], last: Sequence[Decision]
) -> Mapping[str, Cruise]:
    """The cruise of every fleet, by code: that of the turn before, and what has come to it. Rule: G.AA5.

    A fleet comes new out of a port of its own in which it lies as the turn opens. Of a turn with several days of battle the last counts.
    """
    before = {row.fleet: row for row in last}
    found = {}
    for fleet in fleets:
        now = round(fleet.value)
        row = before.get(fleet.code)
        if row is None or (not fleet.position.to and fleet.position.at in knowledge.own_ports):
            found[fleet.code] = Cruise(0, fleet.off_until, now)
        else:
            again = _day(fleet.off_until) > _day(row.back)
            found[fleet.code] = Cruise(row.fought + again, fleet.off_until, max(row.worth, now))
    return found


def _day(hour: int) -> int:
    """The day of a war that ends with or after an hour, from 1; 0 for the hour at which it began."""
    return -(-hour // DAY)


def goes_in(knowledge: Knowledge, fleet: OwnFleet, cruise: Cruise) -> str:
    """Why a fleet goes in although its ships could still fight, "" when it does not.

    None does while the war can be decided at a place: it could be lost in the days that they are in port. Rule: G.AA5.
    """
    at_stake = any(aim.row.decisive and aim.row.where and not aim.achieved for aim in knowledge.war.aims)
    if at_stake or not knowledge.own_ports:
        return ""
    if fleet.value < BEATEN * cruise.worth:
        return "It has lost a third of the strength with which it left port."
    if cruise.fought >= AMMUNITION:
        return "It has fought on four days since it left port, and needs ammunition."
    return ""
