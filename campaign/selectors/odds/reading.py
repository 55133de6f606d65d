"""Odds as their asker's page shows them: chances, losses of each side by type of ship, and the fate of every known ship."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine.core.fates import Fate
from battles.engine.odds import NEITHER, Losses, Spread, Tally, interval
from campaign.models import Membership, OddsRun, Turn
from fleets.selectors.registers import type_in_words


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance in whole %, with the ends of its 95 % interval."""

    words: str
    share: int
    low: int
    high: int

    @property
    def width(self) -> int:
        """Of the bar from low to high."""
        return max(1, self.high - self.low)

    @property
    def span(self) -> str:
        """The interval in words."""
        return f"{self.low} to {self.high}%" if self.low != self.high else f"{self.low}%"


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean of all battles with its 95 % interval, and between which values 4 battles in 5 lie; as text."""

    words: str
    mean: str
    interval: str
    usual: str


@dataclass(frozen=True, slots=True)
class KindRow:
    """Ships of a type that a side sends, loses and has taken from it, in the mean of all battles."""

    words: str
    sent: str
    lost: Figure
    taken: Figure


@dataclass(frozen=True, slots=True)
class SideRow:
    """One side. guessed: nothing is known of it but a report. figures: of all its ships together; kinds: by type."""

    name: str
    guessed: bool
    figures: tuple[Figure, ...]
    kinds: tuple[KindRow, ...]


@dataclass(frozen=True, slots=True)
class ShipRow:
    """A known ship: how often it is lost, and taken, in whole %."""

    name: str
    side: str
    lost: Chance
    taken: Chance


@dataclass(frozen=True, slots=True)
class OddsPage:
    """What has been counted so far. held, best: chances to hold the field, and to lose less; percent: of the way to the end."""

    run: OddsRun
    counting: bool
    percent: int
    points: int
    held: tuple[Chance, ...]
    best: tuple[Chance, ...]
    sides: tuple[SideRow, ...]
    ships: tuple[ShipRow, ...]
    turns: int


def odds_of(membership: Membership) -> OddsRun | None:
    """A member's own question, the only one that they can read. Rule: G.IN1."""
    return OddsRun.objects.filter(membership=membership).first()


def odds_against(membership: Membership, turn: Turn, fleet_code: str) -> OddsPage | None:
    """What a member has last asked of a fleet in this turn; None for another question. Rule: G.IN1."""
    run = odds_of(membership)
    if run is None or run.turn != turn.number or run.about.get("fleet") != fleet_code:
        return None
    return odds_page(run)


def odds_page(run: OddsRun) -> OddsPage:
    """The answer to a question as far as it goes."""
    tally, asked = Tally.from_dict(run.counts), run.question
    points = round(100 * tally.within) if tally.runs else 0
    # an interval narrows with the root of the runs, so the way to the end goes by the square of its width
    way = (run.within / (100 * tally.within)) ** 2 if tally.runs else 0.0
    counting = run.state == OddsRun.State.COUNTING
    percent = min(99, round(100 * max(way, run.runs / run.most))) if counting else 100
    named = {side["id"]: side["name"] for side in asked["scenario"]["sides"]}
    guessed = asked["guess"]["side"] if asked["guess"] else None
    return OddsPage(
        run=run,
        counting=counting,
        percent=percent,
        points=points,
        held=_chances({**named, NEITHER: "no one"}, tally.held, tally.runs),
        best=_chances({**named, NEITHER: "neither side"}, tally.winners, tally.runs),
        sides=tuple(
            _side(name, tally.sides[side], guessed=side == guessed, yards=bool(asked["rates"]))
            for side, name in named.items()
            if side in tally.sides
        ),
        ships=_ships(asked["scenario"], tally),
        turns=round(tally.turns / tally.runs) if tally.runs else 0,
    )


def _chances(named: Mapping[str, str], counts: Mapping[str, int], runs: int) -> tuple[Chance, ...]:
    return tuple(_chance(words, counts.get(side, 0), runs) for side, words in named.items()) if runs else ()


def _chance(words: str, hits: int, runs: int) -> Chance:
    low, high = interval(hits, runs)
    return Chance(words, round(100 * hits / runs), round(100 * low), round(100 * high))


def _side(name: str, losses: Losses, *, guessed: bool, yards: bool) -> SideRow:
    kinds = (
        KindRow(
            type_in_words(kind),
            _figure("fights", sent).mean,
            _figure("lost", losses.sunk.get(kind, Spread())),
            _figure("taken", losses.taken.get(kind, Spread())),
        )
        for kind, sent in losses.sent.items()
        if sent.total
    )
    figures = [_figure("Ships lost or taken", losses.gone), _figure("Men", losses.men)]
    if yards:
        figures.append(_figure("Days in yards, all ships together", losses.days))
    return SideRow(name, guessed, tuple(figures), tuple(kinds))


def _figure(words: str, spread: Spread) -> Figure:
    """A mean as text, to as many digits as it is worth: 0.3, 12, 1,240. interval: "" where every run gave the same."""
    tenths = abs(spread.mean) < 10

    def number(value: float) -> str:
        return f"{value:.1f}" if tenths else f"{value:,.0f}"

    low, high = map(number, spread.interval())
    least, most = spread.middle()
    usual = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return Figure(words, number(spread.mean), "" if low == high else f"{low} to {high}", usual)


def _ships(scenario: Mapping[str, Any], tally: Tally) -> tuple[ShipRow, ...]:
    """The known ships, those in most danger first. scenario: its document, which was checked when it was asked."""
    rows = []
    for side in scenario["sides"]:
        for ship in (ship for squadron in side["squadrons"] for ship in squadron["ships"]):
            fates = tally.fates.get(ship["id"])
            if fates is None or not tally.runs:
                continue
            taken = fates[Fate.CAPTURED]
            lost = tally.runs - fates[Fate.AFLOAT] - taken
            chances = (_chance("lost", lost, tally.runs), _chance("taken", taken, tally.runs))
            rows.append(ShipRow(ship["name"], side["name"], *chances))
    return tuple(sorted(rows, key=lambda row: -(row.lost.share + row.taken.share)))
