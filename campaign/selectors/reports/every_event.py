"""Every event of a campaign that is worth telling, by days: battles with all their losses, gales, escapes, prizes, yards and convoys.

The chronicle's chapters tell the same in a few sentences, and lead here. Made from the reports that the reader's side may read.
Rules: G.EN1, G.IN1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from campaign.accounts import listed, sentence, with_article
from campaign.accounts.words import scene
from campaign.calendar import moment
from campaign.models import Side, Turn
from campaign.rules.state.events import EVENT_KINDS
from campaign.selectors.reports.letters import losses_of
from campaign.selectors.reports.reports import day_in_words
from campaign.selectors.turn.facts import pure_theatre

NAMED = 4  # so many of those that part company in a gale are named


@dataclass(slots=True)
class Paragraph:
    """A paragraph of a day. battle: code of the battle's page, "" for all else. title: of a battle, "" for all else."""

    text: str
    title: str = ""
    battle: str = ""


@dataclass(slots=True)
class Day:
    """A day on which something happened that is worth telling. number: of days since the campaign's first."""

    date: str
    number: int
    paragraphs: list[Paragraph] = field(default_factory=list)


def day_number(hour: int) -> int:
    """How many days after the campaign's first an hour of the chart lies: its day begins at 06:00, the calendar's at midnight."""
    return (hour + 6) // 24


def is_told(event: list[Any]) -> bool:
    """Whether an event is one of those from which a day's paragraphs are made: its day has some if any of its events is."""
    _, kind, _, _, data = event
    if kind == "battle":
        return True
    if kind == "rode_out" and not data.get("foundered"):
        return False
    return not EVENT_KINDS[kind].routine and not data.get("battle")


def days_of(turn: Turn, side: Side | None, events: list[list[Any]], names: dict[str, str]) -> Iterator[Day]:
    """The days of one turn. What happened between two battles is one paragraph."""
    by_date: dict[int, list[list[Any]]] = {}
    for event in sorted(events, key=lambda e: e[0]):
        by_date.setdefault(day_number(event[0]), []).append(event)
    for number, rows in by_date.items():
        day = Day(day_in_words(moment(turn.campaign.start_date, rows[0][0])), number)
        waiting: list[list[Any]] = []
        for event in rows:
            if event[1] == "battle":
                day.paragraphs += _brief(waiting, names)
                waiting = []
                day.paragraphs.append(_battle(turn, side, event, events, names))
            elif is_told(event):
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
    where = scene(places[place].name if place in places else place)
    title = f"Battle {where}".strip()
    text = [sentence(opening, names).removeprefix(title).strip()]
    text += [sentence(e, names) for e in events if e[1] == "battle_ended" and e[4]["battle"] == code]
    for row in losses_of(code, side, events, names):
        fates = "; ".join(f"{fate['ships']} ({fate['fate']})" for fate in row["fates"])
        text.append(f"Losses of {with_article(row['side'])}: {fates}.")
    fallen = [e for e in events if e[1] == "officer" and e[4].get("battle") == code]
    text += [sentence(e, names) for e in fallen]
    return Paragraph(" ".join(text), title, turn.battle_code(code))
