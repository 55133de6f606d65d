"""Writes `var/clauses.json`: for each clause of the rules the tests that carry it, ran, and passed.

A test carries a clause by `@pytest.mark.clause("K.F7", ...)` or by a case id that begins with one
("K.F7/equal-goes-through").  A run of a few files brings the record up to date for these alone.
A whole run with `--clauses` (`make cases`) also writes the results that the site shows.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PROPERTY = "clauses"
WORKER_OUTPUT = "clauses_collected"
CASE_ID = re.compile(r"(?:^|-)([A-Z]\.[A-Za-z0-9]+(?:\.[0-9]+)?[a-z]?)/")


def clauses_of(item: pytest.Item) -> list[str]:
    """The clause ids that a test carries, sorted."""
    found = {str(clause) for marker in item.iter_markers("clause") for clause in marker.args}
    callspec = getattr(item, "callspec", None)
    if callspec is not None:
        found.update(CASE_ID.findall(callspec.id))
    return sorted(found)


def merged(
    old: Mapping[str, Iterable[str]],
    *,
    ran: Mapping[str, Iterable[str]],
    passed: set[str],
    gone: Iterable[str],
) -> dict[str, list[str]]:
    """The record after a run.

    old: the record before.  ran: clause ids of every test that ran, by node id.  passed: those that passed.
    gone: tests that no longer exist.  What did not run stays as it was; clauses without a test drop out.
    """
    drop = set(ran) | set(gone)
    tests: dict[str, set[str]] = defaultdict(set)
    for clause, nodes in old.items():
        tests[clause].update(node for node in nodes if node not in drop)
    for node, clauses in ran.items():
        if node in passed:
            for clause in clauses:
                tests[clause].add(node)
    return {clause: sorted(tests[clause]) for clause in sorted(tests) if tests[clause]}


@dataclass(eq=False)  # pytest keeps its plug-ins in sets
class ClauseRecord:
    """The plug-in.  Under xdist the workers hand over what they collected, and the controller writes."""

    config: pytest.Config
    collected: set[str] = field(default_factory=set)
    ran: dict[str, list[str]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    written: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """Where the record lies."""
        return self.config.rootpath / "var" / "clauses.json"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Notes all tests before any is deselected, and hangs its clauses on each."""
        for item in items:
            self.collected.add(item.nodeid)
            clauses = clauses_of(item)
            if clauses:
                item.user_properties.append((PROPERTY, clauses))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has passed when its call passed and neither set-up nor tear-down failed."""
        clauses = dict(report.user_properties).get(PROPERTY)
        self.ran[report.nodeid] = list(clauses) if isinstance(clauses, list) else []
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """A worker of xdist has ended."""
        self.collected.update(getattr(node, "workeroutput", {}).get(WORKER_OUTPUT, ()))

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Writes the record, or hands over to the controller that will."""
        if hasattr(self.config, "workerinput"):
            self.config.workeroutput[WORKER_OUTPUT] = sorted(self.collected)
        elif not self.config.option.collectonly:
            self.write()
            if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and self._whole():
                self.write_results()

    def _whole(self) -> bool:
        """Whether all tests that carry a clause were asked for, and nothing else."""
        option, source = self.config.option, pytest.Config.ArgsSource
        asked = self.config.getoption("--clauses", default=False)
        return bool(
            asked
            and self.config.args_source is source.TESTPATHS
            and not option.keyword
            and not option.markexpr
        )

    def write_results(self) -> None:
        """Writes the results for the site's pages of cases, and says so."""
        from tests.support import clause_results  # the site's code, which other runs can do without

        self.written = [*clause_results.write(self.ran, self.passed - self.failed, self.failed)]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Names the files that were written."""
        for line in self.written:
            terminalreporter.write_line(line)

    def write(self) -> None:
        """Merges this run into the record; the file is replaced whole."""
        try:
            old = json.loads(self.path.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            old = {}
        record = merged(old, ran=self.ran, passed=self.passed - self.failed, gone=self.gone(old))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.path.with_name(f".clauses-{os.getpid()}.json")
        aside.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        os.replace(aside, self.path)

    def gone(self, old: Mapping[str, Iterable[str]]) -> set[str]:
        """Tests of the record whose file is gone, or whose file was collected whole without them."""
        files = {node.partition("::")[0] for node in self.collected}
        whole = files - {self._relative(arg) for arg in self.config.args if "::" in arg}
        recorded = {
            node: node.partition("::")[0] for node in {node for nodes in old.values() for node in nodes}
        }
        missing = {file for file in set(recorded.values()) if not (self.config.rootpath / file).is_file()}
        return {
            node
            for node, file in recorded.items()
            if file in missing or (file in whole and node not in self.collected)
        }

    def _relative(self, argument: str) -> str:
        """The file that an argument of the command line names, as node ids name it."""
        path = (self.config.invocation_params.dir / argument.partition("::")[0]).resolve()
        root = self.config.rootpath.resolve()
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def pytest_configure(config: pytest.Config) -> None:
    """Puts the record to work; called by `tests/conftest.py`."""
    config.pluginmanager.register(ClauseRecord(config), "clause-record")
