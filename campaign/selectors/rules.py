"""The settings as their page shows them: settings with their defaults and what is to come, and how the sides stand. Rule: G.CL1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from campaign.calendar import spoken
from campaign.models import Campaign
from campaign.rules.chart.types import Settings, setting_rows
from campaign.rules.state.setting_values import CHOICES, setting_range
from campaign.rules.turn.snapshots import settings_from
from campaign.settings_guide import GROUPS, groups_for

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting. coming: its value from the next turn on, None for no change. typed: what is in its field. fault: "" or why not.

    example: what a value of it means. choices: values with their words, the default marked.
    """

    name: str
    words: str
    clause: str
    value: Any
    default: Any
    coming: Any
    typed: str
    choices: tuple[tuple[str, str], ...]
    least: int | None
    most: int | None
    fault: str
    example: str = ""

    @property
    def date(self) -> bool:
        """Whether its value is a day, which browsers have a field for."""
        return self.name.endswith("_date")

    @property
    def changed(self) -> bool:
        """Whether it is other than the default."""
        return bool(self.value != self.default)

    @property
    def here(self) -> str:
        """The value in force, in words."""
        return value_words(self.name, self.value)

    @property
    def usual(self) -> str:
        """The default, in words."""
        return value_words(self.name, self.default)

    @property
    def later(self) -> str:
        """The value from the next turn on, in words; "" for no change."""
        return "" if self.coming is None else value_words(self.name, self.coming)


_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# What the page calls values whose own names are for the code.
_VALUES: Mapping[str | tuple[str, str], str] = {
    ("after_battle_default", "auto"): "they judge for themselves",
    ("after_battle_default", "renew"): "they renew it",
    ("calendar", "acts"): "they take effect",
    ("calendar", "text"): "they are text only",
    ("decisive", "ends"): "the campaign ends",
    ("decisive", "tells"): "everyone is notified, play continues",
    ("decisive", "asks"): "the umpire decides",
    ("muster", "auto"): "automatically",
    ("muster", "ask"): "when the admiral orders it",
    ("muster", "never"): "never",
    "first_sighting": "first sighting of an enemy",
    "shared": "all that the side knows",
    "by ship": "what their own ships know",
    "travels": "it travels",
    "engine": "by computer",
    "table": "on the tabletop",
    "shift": "postpone deadlines by its length",
    "hold": "hold turns",
    "run": "run turns",
}


def value_words(name: str, value: Any) -> str:
    """A setting's value as people read it. name: of the setting."""
    if isinstance(value, int):
        return f"{value:,}"
    text = str(value)
    return (
        _VALUES.get((name, text))
        or _VALUES.get(text)
        or (spoken(text) if _DATE.fullmatch(text) else text)
        or "none"
    )


@dataclass(frozen=True, slots=True)
class TieRow:
    """How two sides stand to each other. name: of the field. Rule: G.CO7."""

    name: str
    a: str
    b: str
    tie: str
    coming: str
    typed: str


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that are shown together. open: whether the page shows them at once."""

    title: str
    about: str
    rows: tuple[SettingRow, ...]
    first: bool

    @property
    def changed(self) -> int:
        """How many are other than their defaults."""
        return sum(row.changed for row in self.rows)

    @property
    def open(self) -> bool:
        """Whether there is something to see to, or it is what is asked first of all."""
        return self.title == GROUPS[0].title or any(row.fault or row.later for row in self.rows)


def setting_table(
    campaign: Campaign, typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None
) -> list[SettingRow]:
    """Every setting, in the order of the rules. typed, faults: what an umpire tried, by name, when it was refused."""
    now = settings_from({**campaign.settings, "turn_days": campaign.turn_days})
    return _rows(now, campaign.coming.get("settings", {}), typed or {}, faults or {})


def setting_groups(
    campaign: Campaign, typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None
) -> list[SettingGroup]:
    """The settings that matter under a campaign's rule set, in groups, and any other group in which one was changed."""
    rows = {row.name: row for row in setting_table(campaign, typed, faults)}
    return _grouped(rows, campaign.book.rule_set)


def start_groups(
    rule_set: str, typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None
) -> list[SettingGroup]:
    """The same for a campaign that is being started, but for the length of a turn, which has a field of its own."""
    rows = {
        row.name: row for row in _rows(Settings(), {}, typed or {}, faults or {}) if row.name != "turn_days"
    }
    return _grouped(rows, rule_set)


def _grouped(rows: Mapping[str, SettingRow], rule_set: str) -> list[SettingGroup]:
    wanted = {group.title for group in groups_for(rule_set)}
    found = []
    for group in GROUPS:
        own = tuple(rows[name] for name, _ in group.rows if name in rows)
        if group.title in wanted or any(row.changed or row.later or row.fault for row in own):
            found.append(SettingGroup(group.title, group.about, own, group.first))
    known = {name for group in GROUPS for name, _ in group.rows}
    if rest := tuple(row for name, row in rows.items() if name not in known):
        found.append(
            SettingGroup("Other settings", "Settings that are in no other group.", rest, first=False)
        )
    return found


def _rows(
    now: Settings, coming: Mapping[str, Any], sent: Mapping[str, str], wrong: Mapping[str, str]
) -> list[SettingRow]:
    examples = {name: example for group in GROUPS for name, example in group.rows}
    rows = []
    for name, value, default, clause, words in setting_rows(now):
        whole = isinstance(default, int)
        least, most = setting_range(name) if whole else (None, None)
        choices = tuple(
            (choice, value_words(name, choice) + " (default)" * (choice == default))
            for choice in CHOICES.get(name, ())
        )
        typed = sent.get(name, str(coming.get(name, value)))
        fault, example = wrong.get(name, ""), examples.get(name, "")
        rows.append(
            SettingRow(
                name, words, clause, value, default, coming.get(name), typed, choices, least, most, fault, example
            )
        )  # fmt: skip
    return rows


def tie_table(campaign: Campaign, typed: Mapping[str, str] | None = None) -> list[TieRow]:
    """How every two sides stand, by name. Rule: G.CO7."""
    sent = typed or {}
    names = dict(campaign.sides.order_by("navy__code").values_list("navy__code", "name"))
    coming = coming_ties(campaign)
    rows = []
    for (a, b), tie in ties_of(campaign, names).items():
        name, later = f"tie-{a}-{b}", coming.get((a, b), "")
        rows.append(TieRow(name, names[a], names[b], tie, later, sent.get(name, later or tie)))
    return rows


def ties_of(campaign: Campaign, codes: Iterable[str]) -> dict[Pair, str]:
    """War, peace or alliance of every two of a campaign's sides, by their codes in order. Rule: G.CO7."""
    war = {tuple(sorted(pair)) for pair in campaign.hostility}
    allied = {tuple(sorted(pair)) for pair in campaign.alliances}
    return {
        pair: "war" if pair in war else "alliance" if pair in allied else "peace"
        for pair in combinations(sorted(codes), 2)
    }


def coming_ties(campaign: Campaign) -> dict[Pair, str]:
    """Wars, peaces and alliances that begin when the next turn opens."""
    return {(a, b): tie for a, b, tie in campaign.coming.get("ties", ())}
