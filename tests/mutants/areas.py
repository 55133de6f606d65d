"""What may be mutated, by area, and where the tests of an area lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

RULE_SETS = "battles/engine/rulesets"
# What captains decide and how things are told is judged by reading battles, not by single numbers.
TOLD_OR_WEIGHED = (
    "*/captain/*", "*/admiral/*", "*/events.py", "*/telling.py", "*/view.py", "*/seen.py", "*/log_view.py",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Area:
    """Source files by pattern, and the folders of the tests that may notice a change in them.

    bound: how many of 100 mutants have to be noticed; None where no bound is set.
    """

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = TOLD_OR_WEIGHED
    bound: int | None = 92

    def files(self, root: Path) -> list[str]:
        """The area's source files, relative to root, sorted."""
        found = {
            path.relative_to(root).as_posix()
            for pattern in self.sources
            for path in root.glob(pattern)
            if path.stat().st_size
        }
        return sorted(name for name in found if not any(fnmatch(name, out) for out in self.left_out))


ENGINE_TESTS = ("tests/engine/core", "tests/engine/generic")
CLUB_TESTS = ("tests/battles", "tests/campaign", "tests/fleets")

AREAS: Mapping[str, Area] = {
    area.name: area
    for area in (
        Area(
            "campaign",
            ("campaign/rules/**/*.py", "*/services/**/*.py", "battles/leases.py"),
            CLUB_TESTS,
        ),
        Area("kohler", (f"{RULE_SETS}/kohler/**/*.py",), (*ENGINE_TESTS, "tests/engine/kohler")),
        Area("cordery", (f"{RULE_SETS}/cordery/**/*.py",), (*ENGINE_TESTS, "tests/engine/cordery")),
        Area("barker", (f"{RULE_SETS}/barker/**/*.py",), (*ENGINE_TESTS, "tests/engine/barker")),
        Area("thomas", (f"{RULE_SETS}/thomas/**/*.py",), (*ENGINE_TESTS, "tests/engine/thomas")),
        Area(
            "age_of_sail",
            (f"{RULE_SETS}/age_of_sail/**/*.py",),
            (*ENGINE_TESTS, "tests/engine/age_of_sail"),
        ),
        Area(
            "apart",
            tuple(
                f"{folder}/{pattern}"
                for folder, patterns in (
                    ("campaign/rules", ("admiral/*.py",)),
                    (
                        f"{RULE_SETS}/kohler",
                        ("captain/*.py", "events.py", "telling.py", "view.py", "log_view.py"),
                    ),
                    (
                        f"{RULE_SETS}/cordery",
                        ("captain/*.py", "events.py", "telling.py", "view.py", "log_view.py"),
                    ),
                    (
                        f"{RULE_SETS}/barker",
                        ("captain/*.py", "events.py", "telling.py", "view.py", "log_view.py"),
                    ),
                    (
                        f"{RULE_SETS}/thomas",
                        ("captain/*.py", "events.py", "telling.py", "view.py", "seen.py", "log_view.py"),
                    ),
                    (
                        f"{RULE_SETS}/age_of_sail",
                        ("captain/*.py", "events.py", "telling.py", "view.py", "seen.py", "log_view.py"),
                    ),
                )
                for pattern in patterns
            ),
            ("tests/engine", "tests/campaign/rules"),
            left_out=(),
            bound=None,
        ),
    )
}
