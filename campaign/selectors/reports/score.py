"""The score of a campaign for one reader: what their side knows of it, and everything once the campaign is over. Rules: G.VP1, G.IN1."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from django.db.models import TextField
from django.db.models.functions import Cast

from battles.engine.pinned.rules import rule_set_in
from battles.engine.pinned.versions import Version
from campaign.accounts import listed
from campaign.accounts.words import as_goal, opening, with_article
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Membership, Side, Turn
from campaign.pinned.use import rules_of
from campaign.rules.aims.grading import pooled
from campaign.rules.chart import types as t
from campaign.rules.turn import score
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.access import Role
from campaign.selectors.people.knowing import Ken, ken_of
from campaign.selectors.reports.history import Event, history
from campaign.selectors.reports.reports import all_names, side_names, told_names
from campaign.selectors.told import last_told, public_objectives, terms_of, told_events
from campaign.selectors.turn.facts import opening_of, theatre_of
from fleets.pins import version_of_book

HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class PointRow:
    """One score with its reason. points: rounded to whole points for reading. battle: code of its page, or ""."""

    when: str
    points: int
    words: str
    battle: str


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's total with what it was given for, newest first. own: whether it is the reader's. more: rows that are left out, all older."""

    code: str
    name: str
    colour: str
    total: int
    rows: tuple[PointRow, ...]
    own: bool
    more: int = 0


@dataclass(frozen=True, slots=True)
class Standings:
    """The table. whole: everything that happened is in it, not only what the reader's side knows.

    together: names and points of sides that are allied and have one score (G.OB3). told: for who has no side, the turn up to which
    everything public is in it, None for other readers and where the umpire does not show the score.
    """

    sides: tuple[SideScore, ...]
    whole: bool
    together: tuple[tuple[str, int], ...] = ()
    told: int | None = None


_Row = Callable[[score.Point], PointRow]


def sees_all(campaign: Campaign, membership: Membership) -> bool:
    """Whether a reader may know everything: the umpire, and every member once the campaign is over. Rules: G.EN1, G.IN3."""
    return membership.role == Role.UMPIRE or campaign.status == Campaign.Status.CLOSED


def standings(campaign: Campaign, membership: Membership, *, most: int | None = None) -> Standings:
    """The score as a reader may know it; an observer's has what everyone may know until the campaign is over. Rules: G.VP1, G.EN1.

    most: so many of each side's rows, the newest; all for None. The totals are of all in any case.
    """
    whole = sees_all(campaign, membership)
    told = None
    if whole or membership.side is not None:
        rows = _rows_known(campaign, None if whole else membership.side, membership)
    else:
        terms = terms_of(campaign)
        if not terms.score:
            return Standings((), whole)
        told = last_told(campaign, terms)
        rows = _rows_told(campaign, told)
    events = [event for _, event in rows]
    if whole:
        names = all_names(campaign)
    elif membership.side is not None:
        names = side_names(campaign, membership.side, events)
    else:
        names = told_names(campaign, events)
    points = _points(campaign, events)
    # codes of battles begin again each turn
    turns = {(event[0], code): turn for turn, event in rows if (code := event[4].get("battle"))}

    def row(point: score.Point) -> PointRow:
        turn = turns.get((point.hour, point.battle)) if told is None else None
        return PointRow(
            when=spoken(chart_time(campaign.start_date, point.hour)),
            points=round(point.points),
            words=_words(point, names),
            battle=turn.battle_code(point.battle) if turn is not None else "",
        )

    own: dict[str, list[score.Point]] = {}
    for point in points:
        own.setdefault(point.side, []).append(point)
    sums = {code: _sum(found) for code, found in own.items()}
    sides = campaign.sides.select_related("navy").order_by("navy__code")
    return Standings(
        tuple(
            _side_score(
                side,
                own.get(side.code, []),
                sums.get(side.code, Fraction(0)),
                side.pk == membership.side_id,
                most,
                row,
            )
            for side in sides
        ),
        whole,
        _together(campaign, sums),
        told,
    )


def _rows_known(campaign: Campaign, side: Side | None, membership: Membership) -> list[tuple[Turn, Event]]:
    """Events with their turns as a side's reader knows them; everything for no side."""
    ken = ken_of(membership) if side is not None else None
    return [
        (turn, event)
        for turn, events in history(campaign, side)
        for event in (ken.known(events) if ken else events)
    ]


def _rows_told(campaign: Campaign, last: int) -> list[tuple[Turn, Event]]:
    """Events that everyone may know with their turns, up to the last one that is published."""
    objectives = public_objectives(campaign)
    return [
        (turn, event)
        for turn, events in history(campaign, None, last=last)
        for event in told_events(events, objectives)
    ]


def _together(campaign: Campaign, sums: Mapping[str, Fraction]) -> tuple[tuple[str, int], ...]:
    """Names of allied sides, with the points that they have together, where objectives are played. Rule: G.OB3."""
    if settings_from(campaign.settings).objectives != "on" or not campaign.alliances:
        return ()
    names = dict(campaign.sides.values_list("navy__code", "name"))
    scores = pooled(
        {code: sums.get(code, Fraction(0)) for code in names},
        [frozenset(pair) for pair in campaign.alliances],
    )
    return tuple(
        (opening(listed([with_article(names[code]) for code in team])), round(points))
        for team, points in scores.items()
        if len(team) > 1
    )


def point_sums(campaign: Campaign) -> dict[str, Fraction]:
    """Every side's points from everything that has happened; a side without any has 0. For the rules of the end. Rule: G.EN1."""
    events = [event for _, told in history(campaign, None) for event in told]
    sums = score.totals(_points(campaign, events))
    return {code: sums.get(code, Fraction(0)) for code in campaign.sides.values_list("navy__code", flat=True)}


def end_in_words(campaign: Campaign) -> str:
    """Why a campaign ended and how it is graded, as the umpire's log has it; "" while it goes on. Rules: G.EN1, G.OB3."""
    ended = campaign.umpire_actions.filter(action="ended the campaign").order_by("-pk").first()
    return ended.reason if ended is not None else ""


def changes_known(campaign: Campaign, side: Side | None, ken: Ken | None = None) -> Iterator[score.Point]:
    """A side's table of points as a reader knows it, without what ships are worth: who lost and took which. Every side's for None.

    Rules: G.VP1, G.OB4.
    """
    told = [
        (event[0], event[1], event[4])
        for _, events in history(campaign, side)
        for event in (ken.known(events) if ken else events)
    ]
    return score.points_of(told, {}, settings_from(campaign.settings), opening_of(campaign).mark)


def _points(campaign: Campaign, events: list[Event]) -> list[score.Point]:
    settings = settings_from(campaign.settings)
    told = [(event[0], event[1], event[4]) for event in events]
    codes = {str(data["ship"]) for _, _, data in told if data.get("ship")}
    mark = opening_of(campaign).mark
    use = rules_of(campaign)
    points = list(use(score.points_of)(told, worths(campaign, codes), settings, mark))
    if settings.port_points:
        hour = HOURS_A_DAY * campaign.calendar_day
        points += use(score.port_points)(ports_held(campaign), hour, settings)
    return points


def worths(campaign: Campaign, codes: set[str]) -> dict[str, Fraction]:
    """Value of ships when sound, in the rule set's own points, by code. Rule: G.VP1."""
    version = version_of_book(campaign.book)
    ships = campaign.book.ships.filter(code__in=codes).order_by()
    cards = ships.values_list("code", Cast("card", TextField()))
    return {code: _worth(version, card) for code, card in cards if card != "{}"}


@lru_cache(maxsize=4096)
def _worth(version: Version, card: str) -> Fraction:
    """Value of a sound ship with such a card, a JSON document as it is stored: ships of a class have one card."""
    return rule_set_in(version).at_sea.whole_value(json.loads(card))


def ports_held(campaign: Campaign) -> dict[str, int]:
    """How many ports with a dockyard each side holds. Rules: G.VP1, G.CH3."""
    ports = [p for p in theatre_of(campaign).places.values() if p.kind is t.PlaceKind.PORT and p.dockyard]
    return {
        side.code: sum(port.owner in side.nations for port in ports)
        for side in campaign.sides.select_related("navy")
    }


def _side_score(
    side: Side, points: list[score.Point], total: Fraction, own: bool, most: int | None, row: _Row
) -> SideScore:
    latest = sorted(points, key=lambda p: -p.hour)
    shown = latest if most is None else latest[:most]
    rows = tuple(row(point) for point in shown)
    return SideScore(side.code, side.name, side.colour, round(total), rows, own, len(latest) - len(shown))


def _sum(points: Iterable[score.Point]) -> Fraction:
    """What points come to. Fractions of one denominator, as most are, are added as whole numbers: a long war has thousands."""
    found: dict[int, int] = {}
    for point in points:
        value = point.points
        found[value.denominator] = found.get(value.denominator, 0) + value.numerator
    return sum((Fraction(above, below) for below, above in found.items()), Fraction(0))


def _words(point: score.Point, names: Mapping[str, str]) -> str:
    """What a point was given for."""
    subject = names.get(point.subject, "a ship")
    return {
        score.TAKEN: f"{subject} taken",
        score.LOST_TO_ENEMY: f"{subject} lost to the enemy",
        score.DESTROYED: f"{subject} destroyed in battle",
        score.LOST: f"{subject} lost",
        score.CONVOY: f"{names.get(point.subject, 'A convoy')} brought in",
        score.PORTS: "Ports held",
        score.PORT_TAKEN: f"{subject} {'taken' if point.points >= 0 else 'lost'}",
        score.RAID: f"Raid on {as_goal(subject)}",
        score.SHIPPING: f"Merchant shipping near {as_goal(subject)}",
        score.MEN_LOST: f"Men lost at sea in {subject}",
        score.OBJECTIVE: f"Objective: {point.words}",
    }[point.reason]
