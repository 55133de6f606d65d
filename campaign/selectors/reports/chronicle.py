"""The campaign told from its beginning in chapters: battles that follow each other, and the quiet weeks between them.

Each chapter tells a thing once and gathers what is routine; `every_event` has the rest. Made from the reports that the reader's side
may read, so it holds nothing else; once the campaign is over it is whole for everyone, the club's gazette. Rules: G.EN1, G.IN1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from textwrap import wrap
from typing import Any, NamedTuple, overload

from campaign.accounts.digest import (
    Worth,
    ashore,
    at_sea,
    battle_in_brief,
    battle_losses,
    costs,
    number_in_words,
    officers_lost,
    several,
)
from campaign.accounts.words import Names, opening, scene, scenes_listed, side_name
from campaign.models import Campaign, Membership, Side, Turn
from campaign.rules.state.events import EVENT_KINDS
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.reports.every_event import Day, Paragraph, day_number, days_of, is_told
from campaign.selectors.reports.history import Event, history
from campaign.selectors.reports.reports import all_names, side_names, told_names
from campaign.selectors.reports.score import end_in_words, sees_all, worths
from campaign.selectors.told import last_told, public_objectives, terms_of, told_events
from campaign.selectors.turn.facts import pure_theatre

WIDTH = 100
# Battles so many days apart are of one chapter, which is no longer than this; so is what comes just after them, and a short wait before.
TOGETHER, AFTERMATH, WAIT = 3, 2, 2
LONGEST_FIGHT, LONGEST_QUIET = 10, 14

# Days on which there was nothing but this begin no chapter.
WEATHER = frozenset({"gale", "rode_out", "parted_company", "taken_up"})


Told = tuple[Turn, list[Event]]


class Entry(NamedTuple):
    """An event with the turn that it happened in. day: of the campaign."""

    day: int
    turn: Turn
    event: list[Any]

    @property
    def kind(self) -> str:
        """What happened."""
        return str(self.event[1])

    @property
    def data(self) -> dict[str, Any]:
        """What the event tells."""
        return dict(self.event[4])


@dataclass(frozen=True, slots=True)
class Chapter:
    """A phase of the war. dates: in words. lede: what it was about, in a sentence or two. every: tells every event of it."""

    number: int
    title: str
    dates: str
    lede: str
    paragraphs: tuple[Paragraph, ...]
    every: Callable[[], tuple[Day, ...]]

    @property
    def days(self) -> tuple[Day, ...]:
        """Every event of it, by days."""
        return self.every()


@dataclass(frozen=True, slots=True)
class Chronicle:
    """Chapters in order, each written when it is asked for, so that one of a long war costs no more than one of a short war.

    whole: nothing is left out for secrecy. closing: the balance, "" before any battle. ended: how and why it ended.
    told: for who has no side, the turn up to which everything public is in it; None for other readers.
    """

    chapters: Sequence[Chapter]
    whole: bool
    closing: str
    ended: str = ""
    told: int | None = None


def chronicle(campaign: Campaign, membership: Membership) -> Chronicle:
    """The chronicle for one reader; an observer's has what everyone may know until the campaign is over. Rules: G.EN1, G.IN1."""
    if sees_all(campaign, membership):
        return whole_chronicle(campaign)
    if membership.side is None:
        return _told_chronicle(campaign)
    side, ken = membership.side, ken_of(membership)
    told = [
        (turn, ken.known(events) if ken is not None else events) for turn, events in history(campaign, side)
    ]
    names = side_names(campaign, side, [event for _, known in told for event in known])
    return _chronicle(campaign, side, told, names)


def whole_chronicle(campaign: Campaign) -> Chronicle:
    """Everything, for the umpire at the terminal."""
    told = list(history(campaign, None))
    return replace(_chronicle(campaign, None, told, all_names(campaign)), whole=True)


def _told_chronicle(campaign: Campaign) -> Chronicle:
    """What everyone may know, of the turns that are published."""
    last, objectives = last_told(campaign, terms_of(campaign)), public_objectives(campaign)
    told = [(turn, told_events(events, objectives)) for turn, events in history(campaign, None, last=last)]
    names = told_names(campaign, [event for _, known in told for event in known])
    return replace(_chronicle(campaign, None, told, names), told=last)


def _chronicle(
    campaign: Campaign, side: Side | None, told: Sequence[Told], names: dict[str, str]
) -> Chronicle:
    """side: whose, None for no side's. told: turns with the events that are known, in order."""
    events = [event for _, known in told for event in known]
    return Chronicle(
        _Chapters(campaign, side, told, names), False, _closing(events, names), end_in_words(campaign)
    )


class _Chapters(Sequence[Chapter]):
    """The chapters of a reader's chronicle. Where they begin and end is found at once, what they tell when one is asked for."""

    def __init__(
        self, campaign: Campaign, side: Side | None, told: Sequence[Told], names: dict[str, str]
    ) -> None:
        self.campaign, self.side, self.names = campaign, side, names
        self.by_day: dict[int, list[Entry]] = {}
        self.turns: dict[int, dict[int, Told]] = {}
        self.of_battles: dict[tuple[int, str], list[list[Any]]] = {}
        fought, telling, worth_telling = set[int](), set[int](), set[int]()
        for turn, known in told:
            for event in sorted(known, key=lambda e: e[0]):
                hour, kind, _, _, data = event
                day, battle = day_number(hour), data.get("battle")
                self.by_day.setdefault(day, []).append(Entry(day, turn, event))
                self.turns.setdefault(day, {})[turn.number] = (turn, known)
                if battle:
                    self.of_battles.setdefault((turn.number, battle), []).append(event)
                if kind == "battle":
                    fought.add(day)
                if is_told(event):
                    telling.add(day)
                if kind not in WEATHER and not EVENT_KINDS[kind].routine:
                    worth_telling.add(day)
        self.spans = phases(sorted(worth_telling & telling) or sorted(telling), fought)
        self.begins = [0, *(first for first, _ in self.spans[1:]), max(telling, default=0) + 1]

    def __len__(self) -> int:
        """How many chapters there are."""
        return len(self.spans)

    @overload
    def __getitem__(self, place: int) -> Chapter: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Chapter, ...]: ...
    def __getitem__(self, place: int | slice) -> Chapter | tuple[Chapter, ...]:
        """A chapter, or some. Raises IndexError."""
        places = range(len(self))[place]
        if isinstance(places, int):
            return self._told([places])[0]
        return self._told(places)

    def _told(self, places: Sequence[int]) -> tuple[Chapter, ...]:
        spans = [self.spans[place] for place in places]
        rows = [
            [row for day in range(one, last + 1) for row in self.by_day.get(day, ())] for one, last in spans
        ]
        value = worths(self.campaign, self._ships(row for chapter in rows for row in chapter))
        own = self.side.code if self.side is not None else ""
        teller = _Teller(self.campaign, own, self.names, lambda code: value.get(code, 0))
        return tuple(
            teller.chapter(place + 1, span, entries, self.of_battles, partial(self._days, place))
            for place, span, entries in zip(places, spans, rows, strict=True)
        )

    def _ships(self, entries: Iterable[Entry]) -> set[str]:
        """Codes of the ships of which some entries tell, and all that their battles do."""
        events = [
            event
            for entry in entries
            for event in (
                entry.event,
                *self.of_battles.get((entry.turn.number, entry.data.get("battle", "")), ()),
            )
        ]
        return {str(event[4]["ship"]) for event in events if event[4].get("ship")}

    def _days(self, place: int) -> tuple[Day, ...]:
        """Every event from where a chapter begins to where the next one does, with those days that only blew."""
        found: dict[int, Day] = {}
        within = range(self.begins[place], self.begins[place + 1])
        turns = {number: told for day in within for number, told in self.turns.get(day, {}).items()}
        for turn, known in turns.values():
            for day in days_of(turn, self.side, known, self.names):
                if day.number in within:
                    found.setdefault(day.number, Day(day.date, day.number)).paragraphs += day.paragraphs
        return tuple(found[day] for day in sorted(found))


def phases(told: Iterable[int], fought: Iterable[int]) -> list[tuple[int, int]]:
    """The first and last days of the chapters. told: days of which something is told, in order; fought: those among them with a battle."""
    fights, found = set(fought), list[list[int]]()
    last_fight: int | None = None
    for day in told:
        first = found[-1][0] if found else day
        if day in fights:
            again = last_fight is not None and day - last_fight <= TOGETHER and day - first < LONGEST_FIGHT
            waited = last_fight is None and bool(found) and day - first <= WAIT
            joins, last_fight = again or waited, day
        elif last_fight is not None:
            joins = day - last_fight <= AFTERMATH
            last_fight = last_fight if joins else None
        else:
            joins = bool(found) and day - first < LONGEST_QUIET
        if joins:
            found[-1][1] = day
        else:
            found.append([day, day])
    return [(first, last) for first, last in found]


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells chapters to one reader. own: the code of their side, "" for none. worth: of a ship, to name the greatest."""

    campaign: Campaign
    own: str
    names: Names
    worth: Worth

    def chapter(
        self,
        number: int,
        span: tuple[int, int],
        entries: Sequence[Entry],
        of_battles: Mapping[tuple[int, str], list[list[Any]]],
        every: Callable[[], tuple[Day, ...]],
    ) -> Chapter:
        """A chapter from the events of its days. every: tells all of them, with those of days that only blew.

        of_battles: all events of each battle, by the number of its turn and its code: what it cost may stand under a later day.
        """
        battles = [entry for entry in entries if entry.kind == "battle"]
        paragraphs = []
        lost: list[list[Any]] = []
        before: dict[str, Any] = {}
        for entry in battles:
            own = of_battles[entry.turn.number, entry.data["battle"]]
            lost += own
            again = bool(before) and before.keys() == entry.data.get("fleets", {}).keys()
            paragraphs.append(self._battle(entry, own, again=again))
            before = entry.data.get("fleets", {})
        rest = [e.event for e in entries if not EVENT_KINDS[e.kind].routine and not e.data.get("battle")]
        sea, ports = at_sea(rest, self.names, self.worth), ashore(rest, self.names, self.worth)
        paragraphs += [Paragraph(" ".join(told)) for told in (sea, ports) if told]
        title = _title([self._where(entry) for entry in battles], rest)
        fought = f"{opening(several(len(battles), 'battle'))}. {opening(costs(lost, self.names, self.own))}."
        lede = fought if battles else " ".join([*sea, *ports][:2])
        return Chapter(
            number,
            title,
            _dates(self.campaign, *span),
            lede,
            tuple(paragraphs),
            every,
        )

    def _where(self, entry: Entry) -> str:
        places, place = pure_theatre(self.campaign.theatre).places, str(entry.data.get("place", ""))
        return scene(places[place].name if place in places else place)

    def _battle(self, entry: Entry, events: list[list[Any]], *, again: bool) -> Paragraph:
        """again: between the sides of the paragraph before."""
        ended = next((event for event in events if event[1] == "battle_ended"), None)
        losses = battle_losses(events, self.names, self.worth, self.own)
        told = [battle_in_brief(entry.event, ended, self.names, again=again)]
        told += losses or (["No ship is lost."] if ended is not None else [])
        told += officers_lost(events, self.names, self.worth)
        date_of = _dates(self.campaign, entry.day, entry.day).rpartition(" ")[0]
        title = f"Battle {self._where(entry)}".strip() + f", {date_of}"
        return Paragraph(" ".join(told), title, entry.turn.battle_code(entry.data["battle"]))


def _title(scenes: list[str], events: list[list[Any]]) -> str:
    """What a chapter is called: after its battles, else after what there is most of."""
    places = list(dict.fromkeys(scenes))
    if len(scenes) == 1:
        return f"The battle {scenes[0]}".strip()
    if scenes:
        where = (
            places[0]
            if len(places) == 1
            else scenes_listed(places)
            if len(places) == 2
            else f"{places[0]} and elsewhere"
        )
        return f"{opening(number_in_words(len(scenes)))} battles {where}"
    kinds = [event[1] for event in events]
    themes = (
        ("Ships taken at sea", kinds.count("captured") >= 2),
        (
            "Losses in the gales",
            sum(event[1] == "lost" and not event[4].get("battle") for event in events) >= 2,
        ),
        ("Before the prize court", kinds.count("condemned") >= 3),
        ("In the dockyards", kinds.count("repaired") >= 3),
        ("A chase", bool({"not_overhauled", "hit_at_long_shot", "escaped"} & set(kinds))),
        ("Convoys come in", "convoy_delivered" in kinds),
        ("Gales", "gale" in kinds),
    )
    return next((title for title, holds in themes if holds), "Between battles")


def _dates(campaign: Campaign, first: int, last: int) -> str:
    """Days of a campaign in words: "31 May to 2 June 1666", "3 to 9 June 1666", "20 July 1588"."""
    begins, ends = (
        date.fromisoformat(str(campaign.start_date)) + timedelta(days=day) for day in (first, last)
    )
    until = f"{ends.day} {ends:%B} {ends.year}"
    if begins == ends:
        return until
    since = f"{begins.day}"
    if (begins.month, begins.year) != (ends.month, ends.year):
        since += f" {begins:%B}"
    if begins.year != ends.year:
        since += f" {begins.year}"
    return f"{since} to {until}"


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
    told = [f"There {'was' if battles == 1 else 'were'} {several(battles, 'battle')} in all."]
    for side in sorted({*taken, *lost}):
        took, gone = taken.get(side, 0), lost.get(side, 0)
        told.append(
            f"{opening(side_name(side, names))} took {several(took, 'ship')} and lost "
            f"{number_in_words(gone) if gone else 'none'}."
        )
    return " ".join(told)


def chronicle_lines(told: Chronicle) -> list[str]:
    """A chronicle for the terminal, line by line."""
    lines: list[str] = []
    for chapter in told.chapters:
        lines += ["", f"{chapter.number}. {chapter.title.upper()}, {chapter.dates}"]
        for row in chapter.paragraphs:
            text = f"{row.title}. {row.text}" if row.title else row.text
            lines += ["", *wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")]
    if not lines:
        return ["There is nothing to tell yet."]
    return [*lines, "", *wrap(last, WIDTH)] if (last := _last_words(told)) else lines


def _last_words(told: Chronicle) -> str:
    """The balance and the end of a chronicle."""
    return " ".join(filter(None, (told.closing, told.ended)))


def chronicle_markdown(told: Chronicle) -> list[str]:
    """A chronicle in Markdown, line by line, under headings of the second level."""
    lines: list[str] = []
    for chapter in told.chapters:
        lines += ["", f"## {chapter.number}. {chapter.title}", "", f"*{chapter.dates}*"]
        for row in chapter.paragraphs:
            lines += ["", *wrap(f"**{row.title}.** {row.text}" if row.title else row.text, WIDTH)]
    return [*lines, "", "## The end", "", *wrap(last, WIDTH)] if (last := _last_words(told)) else lines
