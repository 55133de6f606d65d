"""The score of a campaign for one reader: what their side knows of it, and everything once the campaign is over. Rules: G.VP1, G.IN1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet

from campaign.accounts import listed
from campaign.accounts.words import as_goal, opening, with_article
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, Membership, Report, Side, Turn
from campaign.pinned.use import rules_of
from campaign.rules.aims.grading import pooled
from campaign.rules.chart import types as t
from campaign.rules.turn import score
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.access import Role
from campaign.selectors.people.knowing import Ken, ken_of
from campaign.selectors.reports.reports import all_names, side_names, told_names
from campaign.selectors.told import last_told, terms_of, told_events
from campaign.selectors.turn.facts import opening_of, theatre_of
from fleets.pins import rule_set_of_book

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
    """A side's total with everything it was given for, newest first. own: whether it is the reader's."""

    code: str
    name: str
    colour: str
    total: int
    rows: tuple[PointRow, ...]
    own: bool


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


def sees_all(campaign: Campaign, membership: Membership) -> bool:
    """Whether a reader may know everything: the umpire, and every member once the campaign is over. Rules: G.EN1, G.IN3."""
    return membership.role == Role.UMPIRE or campaign.status == Campaign.Status.CLOSED


def standings(campaign: Campaign, membership: Membership) -> Standings:
    """The score as a reader may know it; an observer's has what everyone may know until the campaign is over. Rules: G.VP1, G.EN1."""
    whole = sees_all(campaign, membership)
    told = None
    if whole or membership.side is not None:
        rows = _rows_known(campaign, None if whole else membership.side, membership)
    else:
        terms = terms_of(campaign)
        if not terms.score:
            return Standings((), whole)
        told = last_told(campaign, terms)
        rows = [(turn, event) for turn, event in _rows_told(campaign) if turn.number <= told]
    events = [event for _, event in rows]
    if whole:
        names = all_names(campaign)
    elif membership.side is not None:
        names = side_names(campaign, membership.side, [list(e) for e in events])
    else:
        names = told_names(campaign, [list(e) for e in events])
    points = _points(campaign, events)
    pages = {
        str(event[4]["battle"]): turn.battle_code(event[4]["battle"])
        for turn, event in rows
        if event[4].get("battle") and told is None
    }
    return Standings(
        tuple(
            _side_score(row, [p for p in points if p.side == row.code], names, pages, campaign, membership)
            for row in campaign.sides.select_related("navy").order_by("navy__code")
        ),
        whole,
        _together(campaign, score.totals(points)),
        told,
    )


def _rows_known(
    campaign: Campaign, side: Side | None, membership: Membership
) -> list[tuple[Turn, tuple[Any, ...]]]:
    """Events with their turns as a side's reader knows them; everything for no side."""
    ken = ken_of(membership) if side is not None else None
    return [
        (report.turn, tuple(event))
        for report in _reports(campaign, side)
        for event in (ken.known(report.events) if ken else report.events)
    ]


def _rows_told(campaign: Campaign) -> list[tuple[Turn, tuple[Any, ...]]]:
    """Events with their turns of a kind that everyone may know, whether they are published yet or not."""
    return [
        (report.turn, tuple(event))
        for report in _reports(campaign, None)
        for event in told_events(campaign, report.events)
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
    events = [tuple(event) for report in _reports(campaign, None) for event in report.events]
    sums = score.totals(_points(campaign, events))
    return {code: sums.get(code, Fraction(0)) for code in campaign.sides.values_list("navy__code", flat=True)}


def end_in_words(campaign: Campaign) -> str:
    """Why a campaign ended and how it is graded, as the umpire's log has it; "" while it goes on. Rules: G.EN1, G.OB3."""
    ended = campaign.umpire_actions.filter(action="ended the campaign").order_by("-pk").first()
    return ended.reason if ended is not None else ""


def points_known(campaign: Campaign, side: Side | None, ken: Ken | None = None) -> list[score.Point]:
    """A side's table of points, in the order of events, as a reader knows it; every side's for None. Rules: G.VP1, G.OB4."""
    reports = _reports(campaign, side)
    events = [tuple(event) for row in reports for event in (ken.known(row.events) if ken else row.events)]
    return _points(campaign, events)


def changes_known(campaign: Campaign, side: Side | None, ken: Ken | None = None) -> Iterator[score.Point]:
    """The same without what anything is worth: who lost and took which ship. Rules: G.VP1, G.OB4."""
    told = [
        (event[0], event[1], event[4])
        for row in _reports(campaign, side)
        for event in (ken.known(row.events) if ken else row.events)
    ]
    return score.points_of(told, {}, settings_from(campaign.settings), opening_of(campaign).mark)


def _reports(campaign: Campaign, side: Side | None) -> list[Report]:
    """Report rows of the turns that are over, oldest first: a side's, or the umpire's for None."""
    rows = Report.objects.filter(turn__campaign=campaign, turn__phase=Turn.Phase.CLOSED, side=side)
    found = list(of_turns(rows).order_by("turn__number"))
    for row in found:
        row.turn.campaign = campaign
    return found


def of_turns(reports: QuerySet[Report]) -> QuerySet[Report]:
    """Reports with their turns, without what of a turn is not told in reports."""
    return reports.select_related("turn").defer("turn__ongoing", "turn__luck")


def _points(campaign: Campaign, events: list[tuple[Any, ...]]) -> list[score.Point]:
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
    at_sea = rule_set_of_book(campaign.book).at_sea
    cards = campaign.book.ships.filter(code__in=codes).values_list("code", "card")
    return {code: at_sea.whole_value(card) for code, card in cards if card}


def ports_held(campaign: Campaign) -> dict[str, int]:
    """How many ports with a dockyard each side holds. Rules: G.VP1, G.CH3."""
    ports = [p for p in theatre_of(campaign).places.values() if p.kind is t.PlaceKind.PORT and p.dockyard]
    return {
        side.code: sum(port.owner in side.nations for port in ports)
        for side in campaign.sides.select_related("navy")
    }


def _side_score(
    side: Side,
    points: list[score.Point],
    names: Mapping[str, str],
    pages: Mapping[str, str],
    campaign: Campaign,
    membership: Membership,
) -> SideScore:
    rows = [
        PointRow(
            when=spoken(chart_time(campaign.start_date, point.hour)),
            points=round(point.points),
            words=_words(point, names),
            battle=pages.get(point.battle, ""),
        )
        for point in sorted(points, key=lambda p: -p.hour)
    ]
    return SideScore(
        side.code, side.name, side.colour, round(sum((p.points for p in points), Fraction(0))), tuple(rows),
        side.pk == membership.side_id,
    )  # fmt: skip


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
