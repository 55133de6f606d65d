"""A version's modules, imported beside today's under a name of their own: `pinned_rules.kohler_6_3fc7931f.battles.engine.core.dice`.

The modules come from the checked archive in memory and are never written anywhere. They see each other by these names, and otherwise
only the standard library and jsonschema. They always run interpreted: a compiled build belongs to today's sources.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import threading
from collections.abc import Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

from battles.engine.pinned.archives import FOLDER, RulesMissing, files_of
from battles.engine.pinned.versions import ROOT as PROJECT
from battles.engine.pinned.versions import Version

ROOT = "pinned_rules"
# What asks the rules and decides nothing: today's is used, on top of the old modules.
TOOLS = ("battles/engine/odds",)
_OWN = re.compile(r"(?:battles\.engine|campaign\.rules)(?:\.|$)")
_OUTSIDE = frozenset({*sys.stdlib_module_names, "jsonschema"}) - {"ctypes", "socket", "subprocess"}


class Kept:
    """A data file of an archive, where a module looks for a path beside itself."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read_text(self, encoding: str = "utf-8") -> str:
        """The file as text."""
        return self._data.decode(encoding)


class Universe:
    """The modules of a rule set's version, or of one with a version of the chart's rules.

    versions: of the set, then of the chart where it has one. Raises RulesMissing.
    """

    def __init__(self, *versions: Version) -> None:
        self.versions = versions
        self.files: dict[str, bytes] = {}
        for version in versions:
            self.files |= files_of(version)
        marks = "__".join(f"{row.name}_{row.number}_{row.fingerprint[:8]}" for row in versions)
        self.prefix = f"{ROOT}.{marks}"

    def module(self, name: str) -> ModuleType:
        """A module of it, by the name that it has among today's. Raises RulesMissing when the version has none."""
        try:
            return importlib.import_module(f"{self.prefix}.{name}")
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(f"{self.prefix}."):
                raise
            raise RulesMissing(
                f"{self.versions[-1]} has no module {name}, which the site now asks for."
            ) from error

    def source(self, name: str) -> tuple[str, bool] | None:
        """Where a module's source lies in the archive, and whether it is a package; None when there is none. A folder is a package too."""
        path = name.replace(".", "/")
        if path.startswith(TOOLS):
            self._borrow(path)
        if f"{path}.py" in self.files:
            return f"{path}.py", False
        if f"{path}/__init__.py" in self.files or any(file.startswith(f"{path}/") for file in self.files):
            return f"{path}/__init__.py", True
        return None

    def _borrow(self, path: str) -> None:
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if file not in self.files and (PROJECT / file).exists():
                self.files[file] = (PROJECT / file).read_bytes()


class _Loader(InspectLoader):
    """Loads a module from its universe. path: in the archive, "" for a package that holds universes."""

    def __init__(self, universe: Universe | None, path: str, package: bool) -> None:  # noqa: FBT001 - as importlib asks
        self.universe, self.path, self.package = universe, path, package

    def is_package(self, fullname: str) -> bool:
        """Whether it is a package."""
        return self.package

    def get_source(self, fullname: str) -> str:
        """The source as it was, names of modules and all."""
        return self.universe.files.get(self.path, b"").decode() if self.universe else ""

    def get_filename(self, fullname: str) -> str:
        """A path for tracebacks, on which no file lies."""
        mark = self.universe.prefix.partition(".")[2] if self.universe else ROOT
        return str(FOLDER / mark / self.path)

    def get_code(self, fullname: str) -> Any:
        """The module compiled, with its imports turned to its own universe."""
        tree = ast.parse(self.get_source(fullname), self.path)
        if self.universe is not None:
            tree = _Turned(self.universe.prefix).visit(tree)
        return compile(
            ast.fix_missing_locations(tree), self.get_filename(fullname), "exec", dont_inherit=True
        )

    def exec_module(self, module: ModuleType) -> None:
        """Run it; a path to a data file beside it becomes the file."""
        module.__file__ = self.get_filename(module.__name__)
        super().exec_module(module)
        for name, value in list(vars(module).items()):
            if isinstance(value, Path) and self.universe is not None:
                kept = self._kept(value)
                if kept is not None:
                    setattr(module, name, Kept(kept))

    def _kept(self, path: Path) -> bytes | None:
        root = Path(self.get_filename("")).parents[len(PurePosixPath(self.path).parts) - 1]
        inside = path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
        return self.universe.files.get(inside) if self.universe else None


class _Turned(ast.NodeTransformer):
    """Turns what a module imports to its own universe, and refuses what an old version has no business with."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """`from battles.engine.core.dice import Die`."""
        if not node.level:
            node.module = self._turned(node.module or "")
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        """`import math`; a module of the rules is never imported so."""
        for row in node.names:
            if self._turned(row.name) != row.name and row.asname is None:
                raise ImportError(f"import {row.name} cannot be turned to another universe")
            row.name = self._turned(row.name)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """The registry names modules in texts."""
        if isinstance(node.value, str) and _OWN.match(node.value) and " " not in node.value:
            node.value = f"{self.prefix}.{node.value}"
        return node

    def _turned(self, module: str) -> str:
        if _OWN.match(module):
            return f"{self.prefix}.{module}"
        if module.partition(".")[0] not in _OUTSIDE:
            raise ImportError(f"an old version of the rules may not import {module}")
        return module


class _Finder(MetaPathFinder):
    """Finds the modules of all universes that have been opened."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that name, or None."""
        if name == ROOT:
            return spec_from_loader(name, _Loader(None, "", True))
        if not name.startswith(f"{ROOT}."):
            return None
        mark, _, inside = name.removeprefix(f"{ROOT}.").partition(".")
        universe = _open.get(f"{ROOT}.{mark}")
        if universe is None:
            return None
        if not inside:
            return spec_from_loader(name, _Loader(universe, "", True))
        found = universe.source(inside)
        return spec_from_loader(name, _Loader(universe, *found)) if found else None


_open: dict[str, Universe] = {}
_versions: dict[tuple[Version, ...], Universe] = {}
_lock = threading.Lock()
_finder = _Finder()


def universe_of(*versions: Version) -> Universe:
    """The universe of some versions, read once in a process. Raises RulesMissing."""
    with _lock:
        if versions not in _versions:
            if _finder not in sys.meta_path:
                sys.meta_path.append(_finder)
            universe = Universe(*versions)
            _versions[versions] = _open[universe.prefix] = universe
        return _versions[versions]
