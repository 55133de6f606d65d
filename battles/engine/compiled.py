"""Whether the engine runs compiled: a build of it is used when it was made from the sources as they are now, else ignored, loudly.

`make fast` makes a build below `var/fast`; a wheel brings one as the package `weather_gage_engine`. Nothing lies beside the sources.
WEATHER_GAGE_ENGINE=interpreted never uses a build, =compiled refuses to run without one.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import json
import logging
import os
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

ENGINE = Path(__file__).resolve().parent
AREAS = ("core", "rulesets")  # what is compiled; it imports nothing else of ours
# of the checkout, wherever VAR_DIR is: builds belong to its sources
BUILDS = ENGINE.parents[1] / "var" / "fast"
PACKAGE = "weather_gage_engine"
FILE = "build.json"
SWITCH = "WEATHER_GAGE_ENGINE"
INTERPRETED, COMPILED = "interpreted", "compiled"
# the Python for which extension modules are made, as their file names say it
TAG = str(sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag)
MEND = "run make fast again, or make clean to be rid of it"


@dataclass(frozen=True)
class Build:
    """A compiled engine on disk.

    fingerprint: of the sources it was made from. python: for which Python. library: the module that holds all the code. modules: the
    compiled ones, by dotted name, each with the file by which it is found.
    """

    folder: Path
    fingerprint: str
    python: str
    library: str
    modules: Mapping[str, str]

    @classmethod
    def read(cls, folder: Path) -> Build:
        """The build in a folder. Raises OSError, ValueError or KeyError when it is none."""
        doc = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return cls(folder, doc["fingerprint"], doc["python"], doc["library"], doc["modules"])


@dataclass(frozen=True)
class Engine:
    """How this process runs the engine. build: the one in use, or None; reason: why there is none in use."""

    build: Build | None
    reason: str

    @property
    def word(self) -> str:
        """Compiled or interpreted."""
        return COMPILED if self.build else INTERPRETED

    def __str__(self) -> str:
        """In words, for a head line."""
        return f"{self.word} ({self.reason})" if self.reason else f"{self.word}, build {self.build_id}"

    @property
    def build_id(self) -> str:
        """The first digits of the build's fingerprint; "" for none."""
        return self.build.fingerprint[:16] if self.build else ""


class Finder(MetaPathFinder):
    """Finds the modules of a build before their sources."""

    def __init__(self, build: Build) -> None:
        self.build = build

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The compiled module of that name, or None."""
        file = name if name == self.build.library else self.build.modules.get(name)
        if file is None:
            return None
        place = str(self.build.folder / f"{file}.so")
        return importlib.util.spec_from_file_location(name, place, loader=Loader(name, place))


class Loader(importlib.machinery.ExtensionFileLoader):
    """Loads a compiled module, and gives it the path of its source: data lie beside that."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        super().exec_module(module)
        parts = module.__name__.split(".")
        source = ENGINE.parents[1].joinpath(*parts).with_suffix(".py")
        if source.exists():
            module.__file__ = str(source)


def sources_hash() -> str:
    """SHA-256 over the sources of core and rule sets as they are, comments and all; 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(path for area in AREAS for path in (ENGINE / area).rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(ENGINE).as_posix()}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


def builds() -> list[Path]:
    """Where builds lie: below `var/fast`, then the installed package."""
    places = sorted(path.parent for path in BUILDS.glob(f"[!.]*/{FILE}"))
    spec = importlib.util.find_spec(PACKAGE)
    return places + [Path(place) for place in (spec.submodule_search_locations or ())] if spec else places


def install() -> Engine:
    """Put the build that fits before the sources, once, before any of the engine is imported. Raises RuntimeError, see SWITCH."""
    wanted = os.environ.get(SWITCH, "").strip().lower()
    if wanted not in ("", INTERPRETED, COMPILED):
        raise RuntimeError(f"{SWITCH}: {wanted!r} is neither {INTERPRETED} nor {COMPILED}")
    if wanted == INTERPRETED:
        return Engine(None, f"{SWITCH} says so")
    build, reasons = find()
    if build:
        sys.meta_path.insert(0, Finder(build))
        return Engine(build, "")
    reason = "; ".join(reasons) or "none was built"
    if wanted == COMPILED:
        raise RuntimeError(f"{SWITCH}: there is no compiled engine to use: {reason}; run make fast")
    if reasons:
        logging.getLogger(__name__).warning("The compiled engine is ignored: %s; %s.", reason, MEND)
    return Engine(None, reason)


def find() -> tuple[Build | None, list[str]]:
    """The first build that fits, and why those before it do not."""
    places, reasons = builds(), []
    here = sources_hash() if places else ""
    for place in places:
        try:
            build = Build.read(place)
        except (OSError, ValueError, KeyError) as error:
            reasons.append(f"{place} cannot be read ({error})")
            continue
        if build.python != TAG:
            reasons.append(f"{place} is for {build.python}, this is {TAG}")
        elif build.fingerprint != here:
            reasons.append(f"{place} was built from other sources")
        else:
            return build, reasons
    return None, reasons
