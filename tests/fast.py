"""The compiled engine: `python -m tests.fast build`, `check [--seeds N]` and `wheel` (make fast, fast-check, wheel).

The rules engine is compiled with mypyc into a folder of its own, so that nothing lies beside the sources: `var/fast/BUILD`, or the
package of a wheel. `battles.engine.compiled` says when such a build is used. Everything works without one.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from battles.engine import compiled
from battles.engine.core.scenario import Scenario
from battles.engine.registry import rule_set

ENGINE = compiled.ENGINE
ROOT = ENGINE.parents[1]
VAR = ROOT / "var"
# What stays interpreted, and why. None of it is where the time goes.
INTERPRETED = {
    "__init__": "packages keep their folders",
    "at_sea": "sets from elsewhere derive from its class",
    "document": "reads a file that lies beside it",
    "errors": "goes from process to process, and mypyc's objects cannot be pickled",
    "events": "tells",
    "log": "a compiled Log.add would lose the data called kind",
    "log_view": "tells; sets from elsewhere derive from its class",
    "notation": "mypyc cannot take a starred value in a subscript",
    "outcome": "goes from process to process, and mypyc's objects cannot be pickled",
    "play": "its table derives from one that stays interpreted, and mypyc gives such a class no slots",
    "record": "mypyc cannot take a starred value in a subscript",
    "rules": "a set's face: static methods in the place of methods",
    "ruleset": "sets from elsewhere derive from its classes",
    "scenario": "goes from process to process, and mypyc's objects cannot be pickled",
    "seen": "tells",
    "telling": "tells",
    "wordless": "tells",
}
INTERPRETED_PATHS = {
    "rulesets/barker/raiders.py": "mypyc cannot determine the type of arcs.NORMAL",
    "rulesets/thomas/captain/helm.py": "mypyc cannot take a generator in a class of this kind",
    "rulesets/thomas/turn.py": "mypyc cannot determine the type of closing.STEP",
}
JOBS = 2
SHIPPED = sorted((ROOT / "battles" / "data" / "scenarios").glob("*/*.json"))
# one for each rule set, whose battles are soon over: what goes from process to process has to arrive
SHORT = ("single_ships", "frigate_duel", "cape_lopez", "two_battleships", "ulsan")

SHIM = """#include <Python.h>
static PyObject *start(const char *name, const char *capsule_name) {
    PyObject *lib = PyImport_ImportModule("%(lib)s");
    if (lib == NULL) return NULL;
    PyObject *capsule = PyObject_GetAttrString(lib, name);
    Py_DECREF(lib);
    if (capsule == NULL) return NULL;
    void *init = PyCapsule_GetPointer(capsule, capsule_name);
    Py_DECREF(capsule);
    return init == NULL ? NULL : ((PyObject *(*)(void))init)();
}
"""
SHIM_OF = 'PyMODINIT_FUNC PyInit_%(stem)s(void) { return start("init_%(full)s", "%(lib)s.init_%(full)s"); }\n'


class CannotBuild(Exception):
    """The engine cannot be compiled here; the text says why and what to do."""


def compiler() -> list[str]:
    """The C compiler as words of a command. Raises CannotBuild."""
    words = os.environ.get("CC", "").split() or (sysconfig.get_config_var("CC") or "cc").split()
    for command in (words, ["cc"], ["gcc"], ["clang"]):
        if shutil.which(command[0]):
            return list(command)
    raise CannotBuild("there is no C compiler; on Debian or Ubuntu: apt-get install gcc python3-dev")


def why_not() -> str:
    """Why the engine cannot be compiled here; "" when it can."""
    try:
        compiler()
    except CannotBuild as error:
        return str(error)
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "Python.h is missing; on Debian or Ubuntu: apt-get install python3-dev"
    try:
        import mypyc.build  # noqa: F401
    except (ImportError, SystemExit):
        return "mypyc does not load; run make fast, which installs what the lock names"
    return ""


def chosen() -> tuple[list[Path], dict[str, str]]:
    """The modules to be compiled, and those left interpreted with the reason, by path."""
    take, leave = [], {}
    for path in (path for area in compiled.AREAS for path in sorted((ENGINE / area).rglob("*.py"))):
        name = path.relative_to(ENGINE).as_posix()
        why = INTERPRETED_PATHS.get(name) or INTERPRETED.get(path.stem)
        if why is None:
            take.append(path)
        elif path.stem != "__init__":
            leave[name] = why
    return take, leave


def build() -> compiled.Build:
    """Compile the engine below var/fast, in place of an earlier build. Raises CannotBuild."""
    reason = why_not()
    if reason:
        raise CannotBuild(reason)
    began, fingerprint = time.monotonic(), compiled.sources_hash()
    take, leave = chosen()
    shelf = compiled.BUILDS
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=shelf) as name:
        work, made = Path(name), Path(name) / "made"
        made.mkdir()
        lib, sources, includes, flags = _c_sources(take, work / "c")
        _compile(lib, sources, includes, flags, take, work, made)
        doc = {
            "fingerprint": fingerprint,
            "python": compiled.TAG,
            "library": lib,
            "modules": {_dotted(path): _shim_name(path) for path in take},
            "interpreted": leave,
        }
        (made / compiled.FILE).write_text(json.dumps(doc, indent=1) + "\n", encoding="utf-8")
        if compiled.sources_hash() != fingerprint:
            raise CannotBuild("the sources changed while they were compiled; run make fast again")
        home = shelf / f"{fingerprint[:16]}-{compiled.TAG}"
        shutil.rmtree(home, ignore_errors=True)
        made.rename(home)
    for old in shelf.iterdir():
        if old != home:
            shutil.rmtree(old, ignore_errors=True)
    print(
        f"compiled {len(take)} modules in {time.monotonic() - began:.0f} s, left {len(leave)} interpreted: {home}"
    )
    return compiled.Build.read(home)


def _c_sources(take: Sequence[Path], folder: Path) -> tuple[str, list[Path], list[Path], list[str]]:
    """Have mypyc write C. Returns the library's name, the files, where their headers lie, and the flags."""
    from mypyc.build import get_cflags, include_dir, mypyc_build
    from mypyc.common import RUNTIME_C_FILES, shared_lib_name
    from mypyc.options import CompilerOptions

    options = CompilerOptions(multi_file=True, target_dir=str(folder))
    words = ["--config-file=", "--namespace-packages", "--explicit-package-bases", "--follow-imports=silent"]
    before = os.getcwd()
    os.chdir(ROOT)  # modules are named, and found in a trace, by their path from here
    try:
        groups, files, depends = mypyc_build(
            [*words, *(str(path.relative_to(ROOT)) for path in take)], options
        )
    finally:
        os.chdir(before)
    runtime = Path(include_dir())
    sources = [Path(file) for file in files[0][0]]
    sources += [runtime / name for name in RUNTIME_C_FILES]
    sources += [runtime / depend.path for depend in depends]
    includes = [runtime, folder, Path(sysconfig.get_path("include"))]
    includes += [runtime / name for depend in depends for name in depend.include_dirs]
    return (
        shared_lib_name(str(groups[0][1])),
        sources,
        includes,
        get_cflags(compiler_type="unix", debug_level="0", multi_file=True),
    )


def _compile(
    lib: str,
    sources: Sequence[Path],
    includes: Sequence[Path],
    flags: Sequence[str],
    take: Sequence[Path],
    work: Path,
    made: Path,
) -> None:
    """C into one library, and a small one for each folder by which Python finds the modules in it."""
    cc = compiler()
    objects = [work / f"{n}.o" for n in range(len(sources))]
    common = [*cc, *flags, "-fPIC", "-DNDEBUG", *(f"-I{folder}" for folder in includes)]
    link = [*cc, "-shared", "-fPIC", *(["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else [])]
    with ThreadPoolExecutor(JOBS) as pool:
        jobs = (
            [*common, "-c", str(source), "-o", str(to)] for source, to in zip(sources, objects, strict=True)
        )
        list(pool.map(_run, jobs))
    _run([*link, *map(str, objects), "-o", str(made / f"{lib}.so")])
    for shim in sorted({_shim_name(path) for path in take}):
        stems = [(path.stem, _c_name(_dotted(path))) for path in take if _shim_name(path) == shim]
        text = SHIM % {"lib": lib} + "".join(
            SHIM_OF % {"lib": lib, "stem": stem, "full": full} for stem, full in stems
        )
        source = work / f"{shim}.c"
        source.write_text(text, encoding="utf-8")
        _run([*link, f"-I{sysconfig.get_path('include')}", str(source), "-o", str(made / f"{shim}.so")])


def _c_name(dotted: str) -> str:
    from mypyc.namegen import exported_name

    return str(exported_name(dotted))


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise CannotBuild(f"{' '.join(command[:1])} failed:\n{done.stderr.strip()}")


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _shim_name(path: Path) -> str:
    """The file by which Python finds a module: one for each folder, in which no two modules have the same name."""
    return "_".join(path.parent.relative_to(ENGINE).parts)


def fought(seeds: int) -> dict[str, str]:
    """What became of every shipped scenario under so many seeds, as this process runs the engine.

    Of each battle a hash of its log, final state and outcome under keyed dice; of its odds a hash of the outcome.
    """
    from battles.engine import odds
    from battles.engine.cli import load
    from battles.engine.play import play_battle, play_for_odds

    found = {}
    for path in SHIPPED:
        scenario, name = load(path), f"{path.parent.name}/{path.stem}"
        for seed in range(1, seeds + 1):
            played = play_battle(scenario, f"check {seed}".encode(), log=True)
            events = [event.to_list() for event in played.events]
            found[f"{name} seed {seed}: log"] = _hash(events)
            found[f"{name} seed {seed}: outcome"] = _hash([played.outcome.to_dict(), played.state])
            found[f"{name} seed {seed}: odds"] = _hash(play_for_odds(scenario, seed).to_dict())
        found[f"{name} turn by turn"] = _hash(_by_turns(scenario))
    for path in (path for path in SHIPPED if path.stem in SHORT):
        scenario, name = load(path), f"{path.parent.name}/{path.stem}"
        tally = odds.count(odds.Question(scenario), runs=2, workers=2)
        found[f"{name}: odds over two processes"] = _hash([*odds.table(scenario, tally)])
    return found | _fought_by_older_rules()


def _fought_by_older_rules() -> dict[str, str]:
    """The same of a short battle under each older version of its rules that is kept. Those run interpreted, beside a compiled engine."""
    from battles.engine.core.scenario import read_scenario
    from battles.engine.pinned.archives import installed
    from battles.engine.pinned.rules import use_of
    from battles.engine.pinned.versions import newest
    from battles.engine.play import play_battle

    found = {}
    short = {path.parent.name: path for path in SHIPPED if path.stem in SHORT}
    for version in (row for row in installed() if row.name in short and row != newest(row.name)):
        use, document = use_of(version), json.loads(short[version.name].read_text(encoding="utf-8"))
        played = use(play_battle)(use(read_scenario)(document), b"check", log=True)
        found[str(version)] = _hash(
            [played.outcome.to_dict(), played.state, [row.to_list() for row in played.events]]
        )
    return found


def _by_turns(scenario: Scenario) -> list[dict[str, Any]]:
    """The state after every turn as a club plays it: each on a copy, stored and read back, each side's view taken."""
    from battles.engine.core.dice import FastDice

    rules: Any = rule_set(scenario.rule_set)
    dice = FastDice(0)
    state, states = rules.begin(scenario, dice), []
    captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
    while not rules.over(state):
        doc = rules.to_dict(state)
        states.append({"state": doc, "seen": [rules.seen_by(state, side.id) for side in scenario.sides]})
        state = rules.advance(rules.from_dict(doc), {}, captains, dice)
    return [*states, {"state": rules.to_dict(state)}]


def _hash(doc: object) -> str:
    return hashlib.sha256(json.dumps(doc, sort_keys=True).encode()).hexdigest()


def check(seeds: int) -> int:
    """Fight every shipped scenario twice, compiled and interpreted, side by side, and name each difference. Returns the exit status."""
    command = [sys.executable, "-m", "tests.fast", "fought", "--seeds", str(seeds)]
    words = (compiled.COMPILED, compiled.INTERPRETED)
    with ThreadPoolExecutor(len(words)) as pool:
        runs = pool.map(
            lambda word: subprocess.run(
                command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, compiled.SWITCH: word}
            ),
            words,
        )
    found = []
    for word, done in zip(words, runs, strict=True):
        if done.returncode:
            print(f"{word}:\n{done.stderr.strip()}", file=sys.stderr)
            return 1
        found.append(json.loads(done.stdout))
    one, other = found
    apart = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    for name in apart:
        print(f"differs: {name}")
    print(f"{len(one)} results of {seeds} seeds compared, {len(apart)} differ")
    return int(bool(apart) or not one)


def fitting() -> compiled.Build:
    """The build that fits the sources; made when there is none. Raises CannotBuild."""
    build_found, _ = compiled.find()
    return build_found or build()


def wheel(folder: Path) -> Path:
    """The build as a wheel for this Python and kind of machine. Raises CannotBuild."""
    made = fitting()
    version = f"0.1.0+{made.fingerprint[:16]}"
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = f"{compiled.PACKAGE}-{version}.dist-info"
    says = "\n".join(
        (
            "Metadata-Version: 2.1",
            "Name: weather-gage-engine",
            f"Version: {version}",
            "Summary: The compiled rules engine of Weather Gage, for one state of its sources",
        )
    )
    kind = f"Wheel-Version: 1.0\nGenerator: weather-gage\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = {
        f"{compiled.PACKAGE}/__init__.py": b"",
        **{f"{compiled.PACKAGE}/{path.name}": path.read_bytes() for path in sorted(made.folder.iterdir())},
        f"{info}/METADATA": f"{says}\n".encode(),
        f"{info}/WHEEL": kind.encode(),
    }
    record = "".join(f"{name},sha256={_record_hash(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{compiled.PACKAGE}-{version}-{tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in files.items():
            pack.writestr(name, data)
    print(f"{target}: pip install it where the site runs; it fits sources {made.fingerprint[:16]} only")
    return target


def _record_hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fast", description=__doc__)
    parser.add_argument("command", choices=("build", "check", "wheel", "fought"))
    parser.add_argument("--seeds", type=int, default=20, help="how many battles of each scenario (20)")
    args = parser.parse_args(argv)
    try:
        match args.command:
            case "build":
                build()
            case "wheel":
                wheel(VAR / "wheels")
            case "check":
                fitting()
                return check(args.seeds)
            case "fought":
                print(json.dumps(fought(args.seeds)))
    except CannotBuild as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
