"""What has to come out of wars that automatic admirals fight: each measure, how it is counted, and its bound. Rule: G.AA7.

Pure: a war is a record of its mornings, battles, reports and orders. The bench `python -m tests.study --war` makes the records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from campaign.rules.chart.points import SCALE, Point, miles_between
from campaign.rules.chart.types import MILLI
from campaign.rules.state.clock import DAY

CHANNEL, NARROW_SEAS, ATLANTIC = "channel_1588", "narrow_seas_1666", "atlantic_1805"
COMPANY_MILES = 3 * MILLI
# Longitudes: just west of Calais, and of the Strait of Gibraltar.
CALAIS = 170 * SCALE // 100
STRAIT = -560 * SCALE // 100
SPARE_FLEETS = 6
DECIDED = 10  # marks


class FleetThen(NamedTuple):
    """A fleet on a morning.

    ships: whole value, of its ships under their own colours, by the fleet of the opening that they began in. group: it sails by itself,
    as a line of a list and not a fleet with a page (G.KT2).
    """

    code: str
    side: str
    point: Point
    ships: Mapping[str, Fraction]
    group: bool = False


class Morning(NamedTuple):
    """06:00 of a day of the campaign; the first has number 0. brought: fleets that the calendar has brought by then, by side."""

    day: int
    fleets: tuple[FleetThen, ...]
    brought: Mapping[str, int]


class Fight(NamedTuple):
    """A battle. hour: at which it began; fleets: codes; hit: whether any ship lost hull, a mast or its colours."""

    hour: int
    fleets: frozenset[str]
    hit: bool


class Passage(NamedTuple):
    """Prizes sent in: thousandths of a mile to the port that was chosen, and to the nearest own port."""

    chosen: int
    nearest: int


@dataclass(frozen=True, slots=True)
class War:
    """One war from its first morning to its end.

    opening: fleets and whole value of each side on the first day; mornings: in order; fights: in order; lines: "sighted" and "lost" in
    a side's reports, one number for each side and day on which it had fleets at sea or reports; passages: of prizes. orders: given by
    the automatic admirals; refused: of them, refused whole. achieved: day of each objective achieved; decisive: whether one of them
    decides. lead: whole marks. days: played.
    """

    theatre: str
    seed: str
    days: int
    opening: Mapping[str, tuple[int, Fraction]]
    mornings: tuple[Morning, ...]
    fights: tuple[Fight, ...]
    lines: tuple[int, ...]
    passages: tuple[Passage, ...]
    orders: int
    refused: int
    achieved: Mapping[str, int]
    decisive: bool
    lead: int
    result: str = ""


class Line(NamedTuple):
    """A row of the table: what is measured, its bound, what was found, whether it holds, and whether the bench fails without it."""

    words: str
    bound: str
    found: str
    holds: bool
    starred: bool


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured. theatre: the one in which it is asked, "" for all. found: text and whether the bound holds, from wars."""

    words: str
    bound: str
    found: Callable[[Sequence[War]], tuple[str, bool]]
    theatre: str = ""
    starred: bool = False


def table(wars: Sequence[War]) -> list[Line]:
    """The table of measures for wars of one theatre, with those that are asked in it. Rule: G.AA7."""
    theatre = wars[0].theatre
    return [
        Line(row.words, row.bound, *row.found(wars), row.starred)
        for row in MEASURES
        if row.theatre in ("", theatre)
    ]


# --- how each is counted ---------------------------------------------------------------------------------------


def keeps(side: str, percent: int, day: int) -> Callable[[War], bool]:
    """Whether a side has so many per cent of its opening value in ships afloat under its colours on a day."""

    def holds(war: War) -> bool:
        morning = _morning(war, day)
        left = sum(
            (sum(f.ships.values(), Fraction(0)) for f in morning.fleets if f.side == side), Fraction(0)
        )
        return left * 100 >= percent * war.opening[side][1]

    return holds


def comes(fleet: str, until: int, there: Callable[[Point], bool]) -> Callable[[War], bool]:
    """Whether the greater part of what is left of a fleet of the opening lies somewhere on a morning, that of day `until` at the latest."""

    def holds(war: War) -> bool:
        for morning in war.mornings:
            parts = [(then.ships[fleet], then.point) for then in morning.fleets if fleet in then.ships]
            whole = sum((value for value, _ in parts), Fraction(0))
            here = sum((value for value, point in parts if there(point)), Fraction(0))
            if whole and morning.day <= until and 2 * here > whole:
                return True
        return False

    return holds


def meets(one: str, other: str, until: int) -> Callable[[War], bool]:
    """Whether two fleets of the opening are in company on a morning, or one by then: the greater part of each, within 3 nm."""

    def holds(war: War) -> bool:
        return any(
            miles_between(_greatest(morning, one), _greatest(morning, other)) <= COMPANY_MILES
            for morning in war.mornings
            if morning.day <= until and all(any(c in f.ships for f in morning.fleets) for c in (one, other))
        )

    return holds


def fights_within(days: int) -> Callable[[War], bool]:
    """Whether a battle with hits begins within so many days."""
    return lambda war: any(fight.hit and fight.hour < DAY * days for fight in war.fights)


def achieves(*objectives: str) -> Callable[[War], bool]:
    """Whether one of some objectives is achieved."""
    return lambda war: not war.achieved.keys().isdisjoint(objectives)


def decided(war: War) -> bool:
    """Whether a war has more than a draw to show: a decisive objective, or a lead of 10 marks."""
    return war.decisive or war.lead >= DECIDED


def crowded(war: War) -> tuple[int, int]:
    """Sides and days on which a side has 7 fleets or more beyond those of the opening and the calendar; and all sides and days.

    Groups are no fleets.
    """
    over = days = 0
    for morning in war.mornings:
        for side, (fleets, _) in war.opening.items():
            now = sum(1 for fleet in morning.fleets if fleet.side == side and not fleet.group)
            over += now > fleets + morning.brought.get(side, 0) + SPARE_FLEETS
            days += 1
    return over, days


def repeated(war: War) -> int:
    """Battles without a hit that are followed within 24 hours by another without a hit of the same fleets."""
    idle = [fight for fight in war.fights if not fight.hit]
    return sum(
        any(later.fleets == fight.fleets and 0 < later.hour - fight.hour <= DAY for later in idle[n + 1 :])
        for n, fight in enumerate(idle)
    )


def quantile(numbers: Collection[int], percent: int) -> int:
    """The number that so many of a hundred do not exceed; 0 of none."""
    rows = sorted(numbers)
    return rows[max(0, ceil(len(rows) * Fraction(percent, 100)) - 1)] if rows else 0


def _morning(war: War, day: int) -> Morning:
    """The morning of a day; the last one of a war that ended before it."""
    return max((row for row in war.mornings if row.day <= day), key=lambda row: row.day)


def _greatest(morning: Morning, fleet: str) -> Point:
    """Where the greatest part of a fleet of the opening lies."""
    return max(
        (then for then in morning.fleets if fleet in then.ships),
        key=lambda then: (then.ships[fleet], then.code),
    ).point


# --- figures with their bounds ---------------------------------------------------------------------------------


def _of_twenty(least: int, holds: Callable[[War], bool]) -> Callable[[Sequence[War]], tuple[str, bool]]:
    def found(wars: Sequence[War]) -> tuple[str, bool]:
        count = sum(map(holds, wars))
        return f"{count} of {len(wars)}", 20 * count >= least * len(wars)

    return found


def _decided(wars: Sequence[War]) -> tuple[str, bool]:
    count = sum(map(decided, wars))
    return f"{count} of {len(wars)}", 100 * count >= 40 * len(wars)


def _crowded(wars: Sequence[War]) -> tuple[str, bool]:
    counts = [crowded(war) for war in wars]
    over, days = sum(row[0] for row in counts), sum(row[1] for row in counts)
    return _share(over, days), 100 * over < 5 * max(1, days)


def _lines(wars: Sequence[War]) -> tuple[str, bool]:
    lines = [count for war in wars for count in war.lines]
    middle, high = quantile(lines, 50), quantile(lines, 95)
    return f"{middle}; {high}", middle <= 4 and high <= 12


def _idle(wars: Sequence[War]) -> tuple[str, bool]:
    fights = [fight for war in wars for fight in war.fights]
    idle, again = sum(not fight.hit for fight in fights), sum(map(repeated, wars))
    return f"{_share(idle, len(fights))}; {again or 'none'}", 100 * idle <= 5 * len(fights) and not again


def _passages(wars: Sequence[War]) -> tuple[str, bool]:
    rows = [row for war in wars for row in war.passages if row.nearest]
    chosen, nearest = sum(row.chosen for row in rows), sum(row.nearest for row in rows)
    mean = Fraction(chosen, nearest) if rows else Fraction(1)
    return f"{float(mean):.2f} ({len(rows)} passages)", mean <= Fraction(115, 100)


def _refused(wars: Sequence[War]) -> tuple[str, bool]:
    refused, orders = sum(war.refused for war in wars), sum(war.orders for war in wars)
    return f"{refused or 'none'} of {orders:,}", not refused


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f}% ({part} of {whole:,})"


def _at_calais(point: Point) -> bool:
    return point.longitude >= CALAIS


def _out_of_the_strait(point: Point) -> bool:
    return point.longitude <= STRAIT


MEASURES: tuple[Measure, ...] = (
    Measure(
        "England has 60% of its opening value on day 7", "18 of 20", _of_twenty(18, keeps("England", 60, 7)), CHANNEL,
    ),
    Measure(
        "the Armada is at Calais or beyond by day 14", "16 of 20", _of_twenty(16, comes("MED", 14, _at_calais)), CHANNEL,
    ),
    Measure(
        "sp_join or en_water is achieved", "12 of 20", _of_twenty(12, achieves("sp_join", "en_water")), CHANNEL,
    ),
    Measure("a battle with hits within 6 days", "16 of 20", _of_twenty(16, fights_within(6)), NARROW_SEAS),
    Measure(
        "Rupert is in company with Albemarle by day 8", "14 of 20", _of_twenty(14, meets("RUP", "ALB", 8)), NARROW_SEAS,
    ),
    Measure("a battle with hits within 120 days", "16 of 20", _of_twenty(16, fights_within(120)), ATLANTIC),
    Measure(
        "Villeneuve is out of the Mediterranean by day 20", "14 of 20",
        _of_twenty(14, comes("VIL", 20, _out_of_the_strait)), ATLANTIC,
    ),
    Measure("a decisive objective, or a lead of 10 marks", "40%", _decided),
    Measure("days on which a side has too many fleets", "under 5%", _crowded, starred=True),
    Measure("sightings and losses of touch, a side and day: median; 95th of 100", "4; 12, or less", _lines),
    Measure("battles without a hit; followed by another within 24 hours", "5% or less; none", _idle, starred=True),
    Measure("prizes: miles to the ports chosen for each mile to the nearest ones", "1.15 or less", _passages),
    Measure("orders of automatic admirals refused whole", "none", _refused, starred=True),
)  # fmt: skip
