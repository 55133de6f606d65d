"""What landings and raids have changed on the chart: who owns a port now, and whose men are ashore where. Rules: G.LD2-G.LD5.

Hours are the chart's, men are whole, work is in yard-days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from campaign.rules.chart.types import Theatre


@dataclass(frozen=True, slots=True)
class Raid:
    """A raid that was whole or half, and burnt or took a ship. side: who raided; port: code; hour: of the chart. Rule: G.LD5."""

    side: str
    port: str
    hour: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Shaken:
    """A port that was taken not long ago. until: hour at which it is itself again; dockyard, guard: what it then has. Rule: G.LD4."""

    until: int
    dockyard: int
    guard: int


@dataclass(frozen=True, slots=True)
class Assault:
    """Fleets that have gone in against a port, to land men or to raid it. chief: who led them; hour: of the attack. Rules: G.LD2, G.LD5."""

    port: str
    hour: int
    chief: str
    fleets: tuple[str, ...]
    raid: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """A fleet that is to land men. place: where; since: hour from which it has been there; alarm: last hour by day in which it saw
    an enemy too strong to land before, -1 for none. Rule: G.LD2.
    """

    place: str
    since: int
    alarm: int = -1


@dataclass(slots=True)
class Holdings:
    """What is not as the theatre has it.

    owners: nation that holds a port in place of the theatre's owner, by code. ashore: men ashore, by (side, place). raids: in order.
    tried: hour of a side's last raid on a port, whatever came of it, or of an attack that it gave up.
    first: nation that a port belonged to before anyone took it. shaken: ports taken in the last weeks. garrisons: men left of a
    port's own garrison, where it has lost some. silenced: side whose fleets keep a port's guard silent. sieges: mornings on which
    enemies have been ashore at a port. hungry: hour since which men ashore have had no fleet, by (side, place). assaults: attacks
    that are not over. watches: by fleet. idle: yard-days for which a yard stands still. Rules: G.LD2-G.LD5.
    """

    owners: dict[str, str] = field(default_factory=dict)
    ashore: dict[tuple[str, str], int] = field(default_factory=dict)
    raids: tuple[Raid, ...] = ()
    tried: dict[tuple[str, str], int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)
    shaken: dict[str, Shaken] = field(default_factory=dict)
    garrisons: dict[str, int] = field(default_factory=dict)
    silenced: dict[str, str] = field(default_factory=dict)
    sieges: dict[str, int] = field(default_factory=dict)
    hungry: dict[tuple[str, str], int] = field(default_factory=dict)
    assaults: tuple[Assault, ...] = ()
    watches: dict[str, Watch] = field(default_factory=dict)
    idle: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Holdings:
        """Holdings that can be changed without touching these."""
        return replace(
            self,
            owners=dict(self.owners),
            ashore=dict(self.ashore),
            first=dict(self.first),
            shaken=dict(self.shaken),
            garrisons=dict(self.garrisons),
            silenced=dict(self.silenced),
            sieges=dict(self.sieges),
            hungry=dict(self.hungry),
            watches=dict(self.watches),
            idle=dict(self.idle),
            tried=dict(self.tried),
        )

    def land(self, side: str, place: str, men: int) -> None:
        """Add men of a side ashore at a place, or take some away."""
        left = self.ashore.get((side, place), 0) + men
        if left > 0:
            self.ashore[side, place] = left
        else:
            self.ashore.pop((side, place), None)
            self.hungry.pop((side, place), None)

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of codes."""
        return {
            "owners": dict(sorted(self.owners.items())),
            "ashore": [[*key, self.ashore[key]] for key in sorted(self.ashore)],
            "raids": [asdict(raid) for raid in self.raids],
            "tried": [[*key, self.tried[key]] for key in sorted(self.tried)],
            "first": dict(sorted(self.first.items())),
            "shaken": {port: asdict(self.shaken[port]) for port in sorted(self.shaken)},
            "garrisons": dict(sorted(self.garrisons.items())),
            "silenced": dict(sorted(self.silenced.items())),
            "sieges": dict(sorted(self.sieges.items())),
            "hungry": [[*key, self.hungry[key]] for key in sorted(self.hungry)],
            "assaults": [{**asdict(row), "fleets": list(row.fleets)} for row in self.assaults],
            "watches": {fleet: asdict(self.watches[fleet]) for fleet in sorted(self.watches)},
            "idle": dict(sorted(self.idle.items())),
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Holdings:
        """Read back what `doc` wrote; an empty document changes nothing."""
        return cls(
            owners=dict(doc.get("owners", {})),
            ashore={(side, place): men for side, place, men in doc.get("ashore", ())},
            raids=tuple(Raid(**row) for row in doc.get("raids", ())),
            tried={(side, port): hour for side, port, hour in doc.get("tried", ())},
            first=dict(doc.get("first", {})),
            shaken={port: Shaken(**row) for port, row in doc.get("shaken", {}).items()},
            garrisons=dict(doc.get("garrisons", {})),
            silenced=dict(doc.get("silenced", {})),
            sieges=dict(doc.get("sieges", {})),
            hungry={(side, place): hour for side, place, hour in doc.get("hungry", ())},
            assaults=tuple(
                Assault(**{**row, "fleets": tuple(row["fleets"])}) for row in doc.get("assaults", ())
            ),
            watches={fleet: Watch(**row) for fleet, row in doc.get("watches", {}).items()},
            idle=dict(doc.get("idle", {})),
        )


def theatre_now(theatre: Theatre, holdings: Holdings, hour: int) -> Theatre:
    """A theatre with its ports as they are held at an hour: owner, dockyard class and guard. A second call changes nothing.

    For four weeks a port that was taken has a class less, and half its guard. Rules: G.CH3, G.LD4.
    """
    if not holdings.owners:
        return theatre
    places = dict(theatre.places)
    for code, owner in holdings.owners.items():
        place = places.get(code)
        if place is None:
            continue
        shaken = holdings.shaken.get(code)
        if shaken is None:
            places[code] = replace(place, owner=owner)
        elif hour < shaken.until:
            places[code] = replace(
                place, owner=owner, dockyard=max(0, shaken.dockyard - 1), guard=shaken.guard // 2
            )
        else:
            places[code] = replace(place, owner=owner, dockyard=shaken.dockyard, guard=shaken.guard)
    return replace(theatre, places=places)
