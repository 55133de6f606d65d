"""A closed turn told on the terminal: what happened by day, and the ships lost and taken by name. For the umpire's eyes."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import Any

from campaign.accounts import counted
from campaign.models import Turn
from campaign.rules.state.events import EVENT_KINDS
from campaign.selectors.reports.reports import umpire_report

# Told beneath the battle that cost them.
LOSSES = frozenset({*(kind for kind, entry in EVENT_KINDS.items() if entry.fate), "officer"})
WIDTH = 110


def account_lines(turn: Turn) -> list[str]:
    """The account of a turn that is over, line by line."""
    report = umpire_report(turn)
    lines = ["", f"Turn {turn.number}"]
    for day in report["days"]:
        told = [entry for entry in day["entries"] if not EVENT_KINDS[entry["kind"]].small]
        if told:
            lines += ["", f"  {day['date']}"]
            for entry in told:
                indent = "          " if entry["kind"] in LOSSES else "    "
                hour = "" if entry["kind"] in LOSSES else f"{entry['time']}  "
                lines += _wrapped(indent, f"{hour}{entry['text']}", hang=len(indent) + len(hour))
    lines += ["", *_list("Lost", report["lost"]), *_list("Taken", report["taken"])]
    for fleet in report["fleets"]:
        lines += _wrapped("  ", _fleet_line(fleet), hang=4)
    return lines


def _list(word: str, names: Iterable[str]) -> list[str]:
    names = list(names)
    return _wrapped("  ", f"{word}: {', '.join(names)}.", hang=4) if names else []


def _fleet_line(fleet: dict[str, Any]) -> str:
    return f"{fleet['name']}: {counted(fleet['ships'], 'ship')}, {fleet['place']}."


def _wrapped(indent: str, text: str, *, hang: int) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=" " * hang)
