"""Bubble markers: where a boat has gone down, or might have. Rules: P.U01-P.U04, P.U08."""

from __future__ import annotations

from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Marker, Unit

# Own spells after which a boat may come up: the next one is left out. Rule: P.U04.
REST = 2


def dive(battle: Battle, play: Play, boat: Unit, clause: str) -> None:
    """Take a boat off the table and leave a marker; it may not come up in its next own spell. Rules: P.U01-P.U04."""
    boat.submerged, boat.earliest = True, battle.parties[boat.side].spells + REST
    play.tell("dived", clause, boat.id, x=boat.x, y=boat.y)
    put(battle, play, Marker(boat.id, boat.side, boat.x, boat.y, boat.id))


def put(battle: Battle, play: Play, marker: Marker) -> None:
    """Lay a marker. Rules: P.U03, P.U08."""
    battle.markers.append(marker)
    _tell(play, marker, on=True)


def lift(battle: Battle, play: Play, marker: Marker) -> None:
    """Take a marker up. Rules: P.U05, P.U08, P.U10."""
    battle.markers.remove(marker)
    _tell(play, marker, on=False)


def _tell(play: Play, marker: Marker, *, on: bool) -> None:
    """A marker is known by its place, so that nothing tells a boat from a fake. Rule: P.K45."""
    play.tell("marker", "P.U03", n=f"{marker.x},{marker.y}", x=marker.x, y=marker.y, on=on)
