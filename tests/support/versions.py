"""Two real versions of the rules in one test: today's, and one made of today's sources with a number in them changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from battles.engine.changes import Change
from battles.engine.pinned import archives, rules, universe, versions
from battles.engine.pinned.archives import archive_put, file_name, fingerprint_of_files, pack, sources_now
from battles.engine.pinned.versions import CAMPAIGN, Version
from battles.engine.rulesets.kohler import tables
from campaign.models import Campaign
from campaign.pinned import pins
from campaign.rules.sailing import weather

TABLES, WEATHER = "battles/engine/rulesets/kohler/tables.py", "campaign/rules/sailing/weather.py"
NOTES = {"kohler": "A row of the table of hits is other.", CAMPAIGN: "The weather clears at other hours."}
# What was otherwise in the rules of `play_by_older_rules`: today's text and the text of then, by the file in campaign/rules. There is
# one version for all pages, because to pack and open one takes seconds.
OLDER = {
    # no group is in hand
    "groups/kinds.py": ("not in chart.state.economy.order(fleet.side).in_hand", "in ()"),
    # repairs take 4 days more
    "ashore/yards.py": (
        "found[job.ship] = chart.hour + days * DAY",
        "found[job.ship] = chart.hour + (days + 4) * DAY",
    ),
    # half as many soldiers find room aboard
    "landing/stowage.py": ("CREW_A_MAN = 2", "CREW_A_MAN = 4"),
    # fleets sail at a third of the speed
    "sailing/movement.py": ("return int(slowest)", "return int(slowest) // 3"),
}


@cache
def _before(name: str, changes: tuple[tuple[str, tuple[str, str]], ...]) -> tuple[Version, bytes]:
    """Built once a process: see `Shelf.put`."""
    files = sources_now(name)
    for path, (now, then) in changes:
        source = files[path].decode()
        assert source.count(now) == 1, f"{path}: {now!r} is there {source.count(now)} times"
        files[path] = source.replace(now, then).encode()
    return Version(name, versions.listed(name)[0].number - 1, fingerprint_of_files(name, files)), pack(
        files, preset=0
    )


@dataclass
class Shelf:
    """A folder of archives that belongs to one test, with the shipped ones in it."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch

    def __post_init__(self) -> None:
        shipped = archives.FOLDER
        for path in shipped.iterdir():
            (self.folder / path.name).write_bytes(path.read_bytes())
        self.monkeypatch.setattr(archives, "FOLDER", self.folder)
        self.forget()

    def forget(self) -> None:
        """No process has a version open."""
        self.monkeypatch.setattr(universe, "_versions", {})
        rules.use_of.cache_clear()

    def put(self, name: str, changes: dict[str, tuple[str, str]]) -> Version:
        """Archive a version that came before today's. changes: by path, a text of today's source and what it was then."""
        before, packed = _before(name, tuple(changes.items()))
        archive_put(before, packed, self.folder)
        return before

    def leave(self, name: str) -> None:
        """Only archives of some rules are there."""
        for path in self.folder.glob("*.tar.xz"):
            if not path.name.startswith(f"{name}-"):
                path.unlink()
        sums = (self.folder / archives.SUMS).read_text().splitlines(keepends=True)
        (self.folder / archives.SUMS).write_text("".join(line for line in sums if f"  {name}-" in line))

    def lose(self, version: Version) -> None:
        """Its archive is gone."""
        (self.folder / file_name(version)).unlink()
        self.forget()


def play_by_older_rules(campaign: Campaign, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign is pinned to rules of the chart that differ from today's as OLDER says. folder: an empty one."""
    changes = {f"campaign/rules/{path}": texts for path, texts in OLDER.items()}
    before = Shelf(folder, monkeypatch).put(CAMPAIGN, changes)
    campaign.chart_version, campaign.chart_rules = before.number, before.fingerprint
    campaign.save(update_fields=["chart_version", "chart_rules"])


class OldSite:
    """A site that runs an old version of Kohler's rules and of the chart's, and is then updated to today's."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.rule_set = shelf.put(
            "kohler", {TABLES: ("12: (4, 3, 3, 2, 1, 1, 1, 0, 0)", "12: (4, 4, 4, 3, 2, 2, 1, 1, 0)")}
        )
        self.chart = shelf.put(
            CAMPAIGN, {WEATHER: ("_VISIBILITY_HOURS = (6, 18)", "_VISIBILITY_HOURS = (2, 14)")}
        )
        self.today = {name: versions.listed(name)[0] for name in versions.names()}

    def run_old(self) -> pytest.MonkeyPatch:
        """The site's own code is the old version, until the patch that is given back is undone."""
        patch = pytest.MonkeyPatch()
        patch.setitem(tables.T1, 12, (4, 4, 4, 3, 2, 2, 1, 1, 0))
        patch.setattr(tables, "HITS", tables._by_points(upper=False))
        patch.setattr(tables, "HITS_UPPER", tables._by_points(upper=True))
        patch.setattr(tables, "_EXPECTED", tables._expected())
        patch.setattr(weather, "_VISIBILITY_HOURS", (2, 14))
        patch.setattr(versions, "rules_hash", lambda name: self.rule_set.fingerprint)
        patch.setattr(pins, "chart_hash", lambda: self.chart.fingerprint)
        self._listed(patch, newest=False)
        return patch

    def update(self) -> None:
        """From now on the site's own code is today's."""
        self._listed(self.shelf.monkeypatch, newest=True)

    def _listed(self, patch: pytest.MonkeyPatch, *, newest: bool) -> None:
        old = {"kohler": self.rule_set, CAMPAIGN: self.chart}

        def listed(name: str) -> tuple[Change, ...]:
            today = self.today[name]
            if name not in old:
                return (today,)
            before = Change(old[name].number, date(2026, 11, 1), old[name].fingerprint, ("As it was.",))
            now = Change(today.number, today.made, today.fingerprint, (NOTES[name],))
            return (now, before) if newest else (before,)

        patch.setattr(versions, "listed", listed)
        patch.setattr(pins, "listed", listed)
