"""The objectives of the sides for one reader: what is asked, how far it is as the reader's side knows it, and what was paid.

A secret objective is read by its side and the umpire alone until the campaign is over. Rules: G.OB1, G.OB4, G.IN1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

from campaign.accounts import period_names
from campaign.accounts.objectives import asked_in_words, marks_in_words
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Membership, Side
from campaign.rules.aims.holding import HUNDRED, delivered_share, group_of, share_left
from campaign.rules.chart.objectives import LINE, AimKind, Opening, Row
from campaign.rules.state.aims import NEVER, Aims, Tally
from campaign.rules.state.duties import Duties
from campaign.rules.state.holdings import Holdings
from campaign.rules.turn import score
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.ashore.trade import duties_of
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.reports.score import changes_known, sees_all
from campaign.selectors.turn.facts import aims_of, objectives_of, opening_of, theatre_of

_COUNTED = (AimKind.CLOSE, AimKind.GATHER, AimKind.SEA, AimKind.BRING, AimKind.LAND, AimKind.RAID)


class Stand(NamedTuple):
    """How far an objective is, as someone knows it, in words, "" for who knows nothing. who: "" as it was, or a side's name."""

    who: str
    words: str


@dataclass(frozen=True, slots=True)
class ObjectiveRow:
    """An objective on its page. asked: what it asks for, in words; marks, when, achieved: in words, "" for none. paid: marks.

    known: as the reader's side knows it, None for who knows nothing of the chart. others: what was so, and as sides know it, for
    those who may read both.
    """

    code: str
    words: str
    asked: str
    marks: str
    when: str
    secret: bool
    decisive: bool
    achieved: str
    paid: int
    known: Stand | None
    others: tuple[Stand, ...]


@dataclass(frozen=True, slots=True)
class SideObjectives:
    """A side's objectives as a reader may see them. paid: marks of those rows. own: whether it is the reader's."""

    name: str
    colour: str
    own: bool
    paid: int
    rows: tuple[ObjectiveRow, ...]


@dataclass(frozen=True, slots=True)
class Objectives:
    """The page. mark: points of one, 0 for a campaign without. on: whether objectives are played. whole: nothing is left out."""

    sides: tuple[SideObjectives, ...]
    mark: int
    on: bool
    whole: bool


def objectives(campaign: Campaign, membership: Membership) -> Objectives:
    """Every side's objectives as a reader may know them. Rules: G.OB4, G.IN1."""
    whole = sees_all(campaign, membership)
    own = membership.side.code if membership.side is not None else ""
    sides = list(campaign.sides.select_related("navy").order_by("navy__code"))
    page = _Page(campaign, membership, sides, whole)
    rows = [row for row in objectives_of(campaign) if row.public or whole or row.side == own]
    return Objectives(
        tuple(_side(page, side, [row for row in rows if row.side == side.code]) for side in sides),
        page.opening.mark,
        settings_from(campaign.settings).objectives == "on",
        whole,
    )


def _side(page: _Page, side: Side, rows: Iterable[Row]) -> SideObjectives:
    shown = tuple(page.row(row) for row in rows)
    return SideObjectives(
        side.name, side.colour, side.code == page.own, sum(row.paid for row in shown), shown
    )


class _Page:
    """What the rows are made from, read once."""

    def __init__(
        self, campaign: Campaign, membership: Membership, sides: Sequence[Side], whole: bool
    ) -> None:
        self.campaign, self.membership, self.whole = campaign, membership, whole
        self.lost: dict[str, set[str]] = {}
        self.own = membership.side.code if membership.side is not None else ""
        self.sides = {side.code: side for side in sides}
        self.opening: Opening = opening_of(campaign)
        self.aims: Aims = aims_of(campaign)
        self.duties: Duties = duties_of(campaign)
        self.holdings = Holdings.read(campaign.carried.get("holdings", {}))
        self.theatre = theatre_of(campaign)
        self.at_war = frozenset(frozenset(pair) for pair in campaign.hostility)
        self.names = {code: place.name for code, place in self.theatre.places.items()}
        self.names |= {side.code: side.name for side in sides}
        self.names |= dict(campaign.book.navies.values_list("fleets__code", "fleets__name"))
        self.names |= period_names(campaign.theatre.document)

    def _lost(self, reader: str) -> set[str] | None:
        """Ships that are lost, as a side knows it, or as it was for the reader ""; None where the reader of the page may not know it.

        The umpire compares what was so with what each side knows, and so does everyone at the end.
        """
        if not self.whole and (not reader or reader != self.own):
            return None
        if reader not in self.lost:
            ken = None if self.whole else ken_of(self.membership)
            self.lost[reader] = lost_ships(
                changes_known(self.campaign, self.sides.get(reader), ken), self.opening
            )
        return self.lost[reader]

    def row(self, row: Row) -> ObjectiveRow:
        """One row."""
        tally = self.aims.tallies.get(row.id, Tally())
        return ObjectiveRow(
            code=row.id,
            words=row.words,
            asked=asked_in_words(row, self.names),
            marks=marks_in_words(row),
            when=_when(row),
            secret=not row.public,
            decisive=row.decisive,
            achieved=self._day(tally.achieved) if tally.achieved != NEVER else "",
            paid=tally.paid,
            known=self._stand(row, self.own) if self.own and not self.whole else None,
            others=self._others(row) if self.whole else (),
        )

    def _day(self, hour: int) -> str:
        return spoken(chart_time(self.campaign.start_date, hour))

    def _others(self, row: Row) -> tuple[Stand, ...]:
        """What was so, then each side's own reckoning where it differs."""
        real = self._stand(row, "")
        told = [self._stand(row, side) for side in (self.sides if row.public else (row.side,))]
        return (real, *(stand for stand in told if stand[1:] != real[1:]))

    def _stand(self, row: Row, reader: str) -> Stand:
        """How far a row is as a side knows it, or as it was for the reader ""."""
        tally = (
            self.aims.known.get((row.id, reader)) if reader else self.aims.tallies.get(row.id)
        ) or Tally()
        days, progress = _mornings(row), self._progress(row, reader, tally)
        held = min(tally.held, row.days)
        if days > 1:
            words = f"held on {held} of the {days} mornings needed"
        else:
            words = ("the condition is met at present" if held else "not achieved yet") if days else ""
        joint = ": " if days == 1 and not held else ", "
        return Stand(self.sides[reader].name if reader else "", joint.join(filter(None, (words, progress))))

    def _progress(self, row: Row, reader: str, tally: Tally) -> str:
        """A figure beside the mornings, "" where the reader has none."""
        of_own = reader in ("", row.side)
        if row.kind in (AimKind.DESTROY, AimKind.KEEP):
            lost = self._lost(reader)
            if lost is None:
                return ""
            if row.kind is AimKind.KEEP and of_own:
                lost = lost | set(self.duties.interned)
            left = share_left(group_of(self.opening, row, self.at_war), lost)
            return f"{floor(left * 1000) / 10:g}% left"
        if row.kind is AimKind.BRING and row.what != LINE:
            return f"{floor(HUNDRED * delivered_share(self.duties, row))}% delivered" if of_own else ""
        if row.kind is AimKind.BRING and of_own:
            return f"{len(tally.ships)} of {row.number} ships"
        if row.kind is AimKind.LAND and of_own:
            men = sum(self.holdings.ashore.get((row.side, place), 0) for place in row.at)
            return f"{men:,} of {row.men:,} men"
        if row.kind is AimKind.OWN:
            return f"{self._owned(row)} of {len(row.ports)} owned"
        return ""

    def _owned(self, row: Row) -> int:
        nations, places = self.sides[row.side].nations, self.theatre.places
        return sum(self.holdings.owners.get(port, places[port].owner) in nations for port in row.ports)


def lost_ships(points: Iterable[score.Point], opening: Opening) -> set[str]:
    """Ships of the first day that are no longer their side's, as a table of points tells. Rules: G.OB4, G.VP1."""
    holder: dict[str, str] = {}
    for point in points:
        if point.reason == score.TAKEN:
            holder[point.subject] = point.side
        elif point.reason == score.LOST:
            holder[point.subject] = ""
    return {
        code for code, side in holder.items() if code in opening.ships and side != opening.ships[code].side
    }


def _mornings(row: Row) -> int:
    """The mornings on which a row must hold, 0 where they are not counted."""
    return row.days if row.kind in _COUNTED and not row.at_end else 0


def _when(row: Row) -> str:
    """The days between which a row is asked, where they are not those of the campaign."""
    first, last = (spoken(day) if day else "" for day in (row.from_, row.by))
    if first and last:
        return f"from {first} to {last}"
    return f"from {first}" if first else f"by {last}" if last else ""
