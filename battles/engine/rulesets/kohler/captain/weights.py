"""What a captain holds dear, as whole numbers: the same weighing with other weights makes another man of him. Guidance: K.AI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of one captain, in one unit: one sixth of a hit on a sound enemy is 8.

    given: per cent of what the guns may do that counts. taken: per sixth of a hit that comes back, by steps of hull already
    lost. station, heading: per hex and hexside out of station; course: per hexside off the course of the line. close, kept_off:
    hexes from the nearest enemy at which a head of line lies that closes, and one that keeps off. command: per hex beyond the
    flag's reach. steer: per hex to the goal. irons: of ending head to wind, with an enemy near. drift, drift_foul: of drifting,
    and of drifting into a friend. fiery: of the path of a fire ship. near, far, off_range, too_close: the range kept, and per
    hex off it either way. wounded: steps lost, from the last, at which a ship leaves the fight.
    """

    given: int = 100
    taken: tuple[int, int, int, int] = (3, 3, 3, 3)
    taken_away: int = 2
    station: int = 24
    heading: int = 14
    course: int = 16
    close: int = 1
    kept_off: int = 3
    command: int = 12
    steer: int = 10
    irons: int = 160
    drift: int = 20
    drift_foul: int = 120
    fiery: int = 300
    off_range: int = 24
    too_close: int = 150
    wounded: int = 2
    lead: int = 4
    prize: int = 48
    boarded: int = 0
    boarded_lead: int = 4
    gang: int = 0
    looming: int = 0
    concentrate: int = 0
    gauge: int = 0
    cover: int = 0


SQUADRON = Weights()
