"""The newspapers: which one prints for a side, how it dates and what it calls people; read from `campaign/data/gazettes`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "data" / "gazettes"
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_REPUBLICAN = (
    "Vendémiaire", "Brumaire", "Frimaire", "Nivôse", "Pluviôse", "Ventôse", "Germinal", "Floréal", "Prairial", "Messidor", "Thermidor",
    "Fructidor", "Complémentaire",
)  # fmt: skip
# The first days of the years XIII and XIV of the Republic; the reckoning ended with 1805.
_YEARS = ((date(1805, 9, 23), "XIV"), (date(1804, 9, 23), "XIII"))


@dataclass(frozen=True, slots=True)
class Paper:
    """A newspaper. nations: whose it is, () for anyone's. theatres: the same. years: first and last.

    post: how many days after the last event a number is printed. The rest is explained in `papers.toml`."""

    nations: tuple[str, ...]
    years: tuple[int, int]
    voice: str
    title: str
    line: str
    foot: str
    town: str
    fleet: str
    side: str
    dates: str
    number: str
    theatres: tuple[str, ...] = ()
    post: int = 1
    style: int = 0
    second: bool = False
    republican: bool = False

    def day(self, day: date, *, year: bool = False) -> str:
        """A day of the chart as the paper dates it; with the year at the head of a number."""
        printed = day + timedelta(days=self.style)
        if self.republican and day.year <= 1805:
            for first, number in _YEARS:
                if printed >= first:
                    months, days = divmod((printed - first).days, 30)
                    told = self.dates.format(day=days + 1, month=_REPUBLICAN[months])
                    return f"{told}, year {number}" if year else told
        told = self.dates.format(day=printed.day, month=_MONTHS[printed.month - 1])
        if self.second:
            told += f" ({self.dates.format(day=day.day, month=_MONTHS[day.month - 1])})"
        return f"{told}, {printed.year}" if year else told


@cache
def _document() -> Mapping[str, Any]:
    return tomllib.loads((DATA / "papers.toml").read_text())


@cache
def papers() -> tuple[Paper, ...]:
    """Every paper, in the order in which they are tried. Raises TypeError for one that lacks a line."""
    rows: list[dict[str, Any]] = _document()["paper"]
    return tuple(
        Paper(
            **{
                **row,
                "nations": tuple(row["nations"]),
                "years": (row["years"][0], row["years"][1]),
                "theatres": tuple(row.get("theatres", ())),
            }
        )
        for row in rows
    )


def paper_of(nations: Sequence[str], year: int, theatre: str = "") -> Paper:
    """The paper of a side. nations: the side's, its own first. year: of the campaign's first day. theatre: its code."""
    first = nations[0] if nations else ""
    return next(
        paper
        for paper in papers()
        if paper.years[0] <= year <= paper.years[1]
        and (not paper.nations or first in paper.nations)
        and (not paper.theatres or theatre in paper.theatres)
    )


def people_of(nation: str, year: int, otherwise: str) -> str:
    """What an age calls a people: "the Dutch". otherwise: for one that it has no word for."""
    ages = {int(age): names for age, names in _document()["peoples"].items()}
    return str(ages[max(age for age in ages if age <= max(year, min(ages)))].get(nation, otherwise))


@cache
def phrases_of(voice: str) -> Mapping[str, tuple[str, ...]]:
    """The phrases of a voice, by what they are for."""
    return {slot: tuple(texts) for slot, texts in _voice(voice)["phrases"].items()}


def words_of(voice: str) -> Mapping[str, str]:
    """What a voice calls the enemy when it knows no name, and whom it has its news of battles from."""
    return {name: str(_voice(voice)[name]) for name in ("enemy", "source")}


def in_figures(voice: str) -> bool:
    """Whether a voice writes its numbers in figures."""
    return bool(_voice(voice)["numerals"])


@cache
def _voice(voice: str) -> Mapping[str, Any]:
    return tomllib.loads((DATA / f"{voice}.toml").read_text())
