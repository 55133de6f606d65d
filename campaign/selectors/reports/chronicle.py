"""The campaign told from its beginning, by days: battles with their losses, gales, escapes, prizes, yards and convoys.

Made from the reports that the reader's side may read, so it holds nothing else; once the campaign is over it is whole for everyone,
the club's gazette. Rules: G.EN1, G.IN1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from campaign.accounts import listed, sentence, with_article
from campaign.accounts.words import off
from campaign.calendar import moment
from campaign.models import Campaign, Membership, Report, Side, Turn
from campaign.rules.state.events import EVENT_KINDS
from campaign.selectors.people.knowing import Ken, ken_of
from campaign.selectors.reports.letters import losses_of
from campaign.selectors.reports.reports import all_names, day_in_words, side_names
from campaign.selectors.reports.score import end_in_words, sees_all
from campaign.selectors.turn.facts import pure_theatre

NAMED = 4  # so many of those that part company in a gale are named
WIDTH = 100


@dataclass(slots=True)
class Paragraph:
    """A paragraph of a day. battle: code of the battle's page, "" for all else. title: of a battle, "" for all else."""

    text: str
    title: str = ""
    battle: str = ""


@dataclass(slots=True)
class Day:
    """A day on which something happened that is worth telling."""

    date: str
    paragraphs: list[Paragraph] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chronicle:
    """Days by months, in order. whole: nothing is left out for secrecy. closing: the balance, and how it ended; "" before any battle."""

    months: tuple[tuple[str, tuple[Day, ...]], ...]
    whole: bool
    closing: str


def chronicle(campaign: Campaign, membership: Membership) -> Chronicle:
    """The chronicle for one reader; an observer's is empty until the campaign is over. Rules: G.EN1, G.IN1."""
    whole = sees_all(campaign, membership)
    if not whole and membership.side is None:
        return Chronicle((), whole, "")
    if whole:
        return whole_chronicle(campaign)
    return _chronicle(campaign, membership.side, ken_of(membership))


def whole_chronicle(campaign: Campaign) -> Chronicle:
    """Everything, for the umpire at the terminal."""
    return _chronicle(campaign, None, None)


def _chronicle(campaign: Campaign, side: Side | None, ken: Ken | None) -> Chronicle:
    reports = Report.objects.filter(turn__campaign=campaign, turn__phase=Turn.Phase.CLOSED, side=side)
    rows = list(reports.select_related("turn").light_turns().order_by("turn__number"))
    told = [(row.turn, ken.known(row.events) if ken is not None else row.events) for row in rows]
    events = [event for _, known in told for event in known]
    names = side_names(campaign, side, events) if side is not None else all_names(campaign)
    days: list[Day] = []
    for turn, known in told:
        turn.campaign = campaign
        for day in _days(turn, side, known, names):
            if days and days[-1].date == day.date:
                days[-1].paragraphs += day.paragraphs
            else:
                days.append(day)
    months: dict[str, list[Day]] = {}
    for day in days:
        months.setdefault(day.date.split(" ", 1)[1], []).append(day)
    return Chronicle(
        tuple((month, tuple(rows)) for month, rows in months.items()),
        side is None,
        " ".join(filter(None, (_closing(events, names), end_in_words(campaign)))),
    )


def _days(turn: Turn, side: Side | None, events: list[list[Any]], names: dict[str, str]) -> Iterator[Day]:
    """The days of one turn. What happened between two battles is one paragraph."""
    by_date: dict[str, list[list[Any]]] = {}
    for event in sorted(events, key=lambda e: e[0]):
        date = day_in_words(moment(turn.campaign.start_date, event[0]))
        by_date.setdefault(date, []).append(event)
    for date, rows in by_date.items():
        day = Day(date)
        waiting: list[list[Any]] = []
        for event in rows:
            if event[1] == "battle":
                day.paragraphs += _brief(waiting, names)
                waiting = []
                day.paragraphs.append(_battle(turn, side, event, events, names))
            elif not EVENT_KINDS[event[1]].routine and not event[4].get("battle"):
                waiting.append(event)
        day.paragraphs += _brief(waiting, names)
        if day.paragraphs:
            yield day


def _brief(events: list[list[Any]], names: dict[str, str]) -> list[Paragraph]:
    told = list(dict.fromkeys(_in_brief(events, names)))
    return [Paragraph(" ".join(told))] if told else []


def _in_brief(events: list[list[Any]], names: dict[str, str]) -> Iterator[str]:
    """A day's events besides battles as sentences. A gale is told once for each fleet, with who foundered and how many parted."""
    foundered = {code for e in events if e[1] == "rode_out" for code in e[4].get("foundered", ())}
    parted: dict[str, list[str]] = {}
    for event in events:
        if event[1] == "parted_company":
            parted.setdefault(event[4]["parent"], []).append(event[4]["fleet"])
    for event in events:
        _, kind, _, _, data = event
        if kind == "rode_out":
            lost = [names.get(code, "a ship") for code in data.get("foundered", ())]
            fleet = names.get(str(data.get("fleet")), "A fleet")
            if lost:
                yield f"{fleet} rode it out, but {listed(lost)} foundered."
        elif kind == "parted_company":
            codes = parted.pop(data["parent"], None)
            if codes:
                parent = names.get(data["parent"], "the fleet")
                told = listed([names.get(code, "a squadron") for code in codes[:NAMED]])
                more = f" and {len(codes) - NAMED} more" if len(codes) > NAMED else ""
                yield f"{told}{more} parted company with {parent}."
        elif kind != "lost" or data.get("ship") not in foundered:
            yield sentence(event, names)


def _battle(
    turn: Turn, side: Side | None, opening: list[Any], events: list[list[Any]], names: dict[str, str]
) -> Paragraph:
    """A battle in a paragraph: how it began, how it ended, and what it cost each side by name."""
    code = opening[4]["battle"]
    places = pure_theatre(turn.campaign.theatre).places
    place = str(opening[4].get("place", ""))
    where = off(places[place].name if place in places else place)
    title = f"Battle {where}".strip()
    text = [sentence(opening, names).removeprefix(title).strip()]
    text += [sentence(e, names) for e in events if e[1] == "battle_ended" and e[4]["battle"] == code]
    for row in losses_of(code, side, events, names):
        fates = "; ".join(f"{fate['ships']} ({fate['fate']})" for fate in row["fates"])
        text.append(f"Losses of {with_article(row['side'])}: {fates}.")
    fallen = [e for e in events if e[1] == "officer" and e[4].get("battle") == code]
    text += [sentence(e, names) for e in fallen]
    return Paragraph(" ".join(text), title, turn.battle_code(code))


def _closing(events: Iterable[list[Any]], names: dict[str, str]) -> str:
    """The balance of everything told: battles, ships taken and ships destroyed, by side."""
    battles, taken, lost = 0, dict[str, int](), dict[str, int]()
    for _, kind, _, _, data in events:
        battles += kind == "battle"
        if kind == "captured":
            taken[data["captor"]] = taken.get(data["captor"], 0) + 1
        elif kind == "lost":
            lost[data["side"]] = lost.get(data["side"], 0) + 1
    if not battles and not taken and not lost:
        return ""
    fought = "one battle" if battles == 1 else f"{battles or 'no'} battles"
    told = [f"In all, {fought}."]
    for side in sorted({*taken, *lost}):
        name = names.get(side, "The enemy")
        told.append(
            f"{name}: {taken.get(side, 0)} taken from the enemy, {lost.get(side, 0)} of her own destroyed."
        )
    return " ".join(told)


def chronicle_lines(told: Chronicle) -> list[str]:
    """A chronicle for the terminal, line by line."""
    lines: list[str] = []
    for month, days in told.months:
        lines += ["", month.upper()]
        for day in days:
            lines += ["", f"  {day.date}"]
            for row in day.paragraphs:
                text = f"{row.title} {row.text}" if row.title else row.text
                lines += wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
    if not lines:
        return ["There is nothing to tell yet."]
    return [*lines, "", *wrap(told.closing, WIDTH)] if told.closing else lines
