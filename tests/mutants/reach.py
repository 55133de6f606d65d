"""Which tests reach which line: measured once by coverage with the test as context, kept until code or tests change.

A statement at module level runs at import, when no test is running. It is reached by the tests that run a function which uses one of
the names that it binds, directly or through other names at module level.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

from tests.mutants.areas import Area
from tests.mutants.sites import Site

ROOMS = ("battles", "campaign", "fleets")
APART = "not browser and not redis and not processes and not golden"
COVERAGE_RC = (
    "[run]\nbranch = false\nparallel = true\nrelative_files = true\nsource = {rooms}\nomit = */migrations/*\n"
)


@dataclass
class Reach:
    """What was measured. layers: by number; layer_of: the one that holds for a test file. tests: seconds by node id."""

    root: Path
    layers: Mapping[int, CoverageData]
    layer_of: Mapping[str, int]
    tests: Mapping[str, float]
    _uses: dict[str, list[tuple[str, int, int, str]]] = field(default_factory=dict)
    _binds: dict[str, set[str]] = field(default_factory=dict)
    _asked: dict[str, set[str]] = field(default_factory=dict)
    _lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)

    def of(self, site: Site) -> list[str]:
        """The tests that reach a site, the quickest first."""
        where = site.where
        found = self._covering(site.path, *where.lines)
        if where.by_name or not found:
            found = found | self._by_name(where.names)
        return sorted(found, key=lambda test: (self.tests.get(test, 0.0), test))

    def _covering(self, path: str, first: int, last: int) -> set[str]:
        if path not in self._lines:
            self._lines[path] = self._tests_by_line(path)
        lines = self._lines[path]
        return {test for line in range(first, last + 1) for test in lines.get(line, ())}

    def _tests_by_line(self, path: str) -> dict[int, set[str]]:
        found = defaultdict[int, set[str]](set)
        for number, data in self.layers.items():
            for line, contexts in data.contexts_by_lineno(path).items():
                for context in contexts:
                    test = context.rpartition("|")[0]
                    if test in self.tests and self.layer_of.get(test.partition("::")[0]) == number:
                        found[line].add(test)
        return found

    def _by_name(self, names: Iterable[str]) -> set[str]:
        """The tests that run a function which uses one of the names, or a name at module level that is made of one, or that ask for it.

        A function that runs at import only, to make a table, leads on to whoever uses its own name.
        """
        if not self._uses:
            self._read()
        found, seen, waiting = set[str](), set[str](), list(names)
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            found |= self._asked.get(name, set())
            for path, first, last, function in self._uses.get(name, ()):
                covering = self._covering(path, first, last)
                found |= covering
                if not covering:
                    waiting.append(function)
            waiting.extend(self._binds.get(name, ()))
        return found

    def _read(self) -> None:
        uses, binds = defaultdict(list), defaultdict(set)
        for room in ROOMS:
            for path in sorted((self.root / room).rglob("*.py")):
                name = path.relative_to(self.root).as_posix()
                if "/migrations/" not in name:
                    _uses_in(name, ast.parse(path.read_bytes()).body, (), uses, binds)
        self._uses, self._binds = dict(uses), dict(binds)
        self._asked = self._asked_by_tests()

    def _asked_by_tests(self) -> dict[str, set[str]]:
        """Names that tests use themselves, with those tests; a name used outside a test function leads to all tests of its file."""
        by_function, by_file = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for test in self.tests:
            file = test.partition("::")[0]
            by_file[file].add(test)
            by_function[f"{file}::{test.rpartition('::')[2].partition('[')[0]}"].add(test)
        asked = defaultdict[str, set[str]](set)
        for file, tests in by_file.items():
            for node in ast.parse((self.root / file).read_bytes()).body:
                if not isinstance(node, (ast.Import, ast.ImportFrom)):
                    own = by_function.get(f"{file}::{getattr(node, 'name', '')}", tests)
                    for name in _names(node):
                        asked[name] |= own
        return dict(asked)


def _uses_in(
    path: str,
    body: Iterable[ast.stmt],
    owner: tuple[str, ...],
    uses: dict[str, list[tuple[str, int, int, str]]],
    binds: dict[str, set[str]],
) -> None:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # a function's own name leads to its body, for the sake of its defaults
            for name in {*_names(node), node.name}:
                uses[name].append((path, node.body[0].lineno, node.end_lineno or node.lineno, node.name))
        elif isinstance(node, ast.ClassDef):
            _uses_in(path, node.body, (*owner, node.name), uses, binds)
        elif isinstance(node, (ast.If, ast.Try)):
            _uses_in(
                path,
                [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)],
                owner,
                uses,
                binds,
            )
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            made = {name for target in targets for name in _names(target)}
            for name in _names(node.value):
                binds[name] |= {*made, *owner}


def _names(node: ast.AST) -> set[str]:
    found = set[str]()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            found.add(inner.attr)
        elif isinstance(inner, ast.keyword) and inner.arg:
            found.add(inner.arg)
    return found


def measured(area: Area, root: Path, store: Path) -> Reach:
    """The area's reach. Measured now are the test files that have changed since, or all when code has. root: the copy to measure in."""
    record = store / f"{area.name}.json"
    kept: dict[str, Any] = json.loads(record.read_text()) if record.exists() else {}
    code = _hash(path for room in ROOMS for path in (root / room).rglob("*.py"))
    if kept.get("code") != code:
        for old in store.glob(f"{area.name}.coverage*"):
            old.unlink()
        kept = {"code": code, "layers": 0, "files": {}, "tests": {}}
    now = {
        path.relative_to(root).as_posix(): _hash([path])
        for folder in area.tests
        for path in sorted((root / folder).rglob("test_*.py"))
    }
    changed = [name for name, digest in now.items() if kept["files"].get(name, [""])[0] != digest]
    kept["files"] = {
        name: entry for name, entry in kept["files"].items() if name in now and name not in changed
    }
    kept["tests"] = {
        node: seconds for node, seconds in kept["tests"].items() if node.partition("::")[0] in kept["files"]
    }
    if changed:
        print(f"measuring which tests of {len(changed)} files reach which line of {area.name}", flush=True)
        layer = kept["layers"] = kept["layers"] + 1
        kept["tests"] |= _measure(changed, root, store / f"{area.name}.coverage{layer}")
        kept["files"] |= {name: [now[name], layer] for name in changed}
        record.write_text(json.dumps(kept))
    layers = {}
    for layer in sorted({layer for _, layer in kept["files"].values()}):
        layers[layer] = CoverageData(basename=str(store / f"{area.name}.coverage{layer}"))
        layers[layer].read()
    return Reach(root, layers, {name: layer for name, (_, layer) in kept["files"].items()}, kept["tests"])


def _measure(files: Sequence[str], root: Path, data_file: Path) -> dict[str, float]:
    """Runs the files under coverage, two at a time. Returns the seconds of each test. Raises SystemExit when one fails."""
    config, times = root / "var" / "mutants.coveragerc", root / "var" / "mutants-times.json"
    config.parent.mkdir(exist_ok=True)
    config.write_text(COVERAGE_RC.format(rooms=",".join(ROOMS)))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "tests.mutants.watch", "-m", APART]
    command += ["--cov", "--cov-context=test", f"--cov-config={config}", "--cov-report=", *files]
    env = {**environment(), "COVERAGE_FILE": str(data_file), "MUTANTS_TIMES": str(times)}
    done = subprocess.run(
        command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"the tests fail before anything is mutated:\n{done.stdout[-3000:]}")
    found: dict[str, float] = json.loads(times.read_text())
    return found


def environment() -> dict[str, str]:
    """Ours, but compiled files are kept in the copy, or every trial would compile the whole tree."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _hash(paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in sorted(paths):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
