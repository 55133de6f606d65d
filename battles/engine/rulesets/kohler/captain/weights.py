"""What a captain holds dear, as whole numbers: the same weighing with other weights makes another captain. Guidance: K.AI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of one captain, in one unit: one sixth of a hit on a sound enemy is 8.

    taken: per sixth of a hit that comes back, by steps of hull already lost; taken_away: so many times that for a ship that gets
    away; looming: eighths of the fire of an enemy who may yet turn her guns this way; spares: whether it knows that no one will
    fire at an enemy with a friend alongside. station, heading: per hex and hexside out of station; formed: % of both, and
    of command, while the line is kept, with no enemy near and with some; course: per hexside off the course of the line. close,
    kept_off: hexes from the nearest enemy at which the head of a line lies that closes, and of one that keeps off; off_range,
    too_close: per hex beyond the range or inside it. command: per hex out of the flag's reach. steer: per hex to the goal. gauge:
    per hex to the side of the wind that is wanted. cover: per hex farther than two from a crippled ship, from `dusk` turns before
    night on. irons: of ending head to wind near an enemy. drift, drift_foul: of drifting, and of drifting into a friend; barred_next:
    of ending in the line with a ship right ahead that is not to be followed. fiery: of the path of a fire ship.
    wounded: steps left, at which a ship of three or four leaves the fight. lead: hull points ahead to board; prize: of taking a
    ship, per two points of lead. boarded_lead, boarded: the enemy's lead that makes a boarder of her, and per point of it when she
    may get alongside. concentrate: % more for an enemy at whom a friend has aimed. again: whether a
    ship that lies in an enemy's hex tries to grapple without moving. retake: of grappling a prize with no one by her, 0 to weigh her
    by her hull; recover: per hex from the nearest such prize. idle: of a move after which no broadside bears on enemies who have all
    moved. beaten: % of the loss that the instructions bear, at which a side that fights in line and is outgunned leaves. line_station,
    line_heading: station and heading in the line of battle, with no enemy in gunshot and with one; line_close: too_close there.
    """

    taken: tuple[int, int, int, int] = (3, 3, 3, 3)
    taken_away: int = 2
    looming: int = 0
    spares: bool = False
    station: int = 24
    heading: int = 14
    formed: tuple[int, int] = (100, 100)
    course: int = 16
    close: int = 1
    kept_off: int = 3
    off_range: int = 24
    too_close: int = 150
    command: int = 12
    steer: int = 10
    gauge: int = 0
    cover: int = 0
    irons: int = 160
    drift: int = 20
    drift_foul: int = 120
    barred_next: int = 0
    fiery: int = 300
    wounded: int = 2
    lead: int = 4
    prize: int = 48
    boarded_lead: int = 4
    boarded: int = 0
    concentrate: int = 0
    again: bool = False
    retake: int = 0
    recover: int = 0
    dusk: int = 99
    idle: int = 0
    beaten: int = 100
    line_station: tuple[int, int] = (60, 24)
    line_heading: tuple[int, int] = (110, 40)
    line_close: int = 150


SQUADRON = Weights()
# Found by fighting the squadron's captain: of these, the fear of boarders and the dearer hits make most of the difference.
COMMANDER = Weights(
    taken=(5, 5, 5, 5),
    looming=6,
    spares=True,
    off_range=24,
    gauge=3,
    cover=12,
    dusk=5,
    lead=2,
    prize=80,
    boarded_lead=3,
    boarded=8,
    concentrate=15,
    formed=(800, 150),
    barred_next=150,
    again=True,
    retake=900,
    recover=50,
    idle=90,
    beaten=40,
)
