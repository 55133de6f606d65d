"""The archives of versions of rules: one file for each version, with the modules that it was made of. Rule: G.FA1.

`battles/data/versions/kohler-6.tar.xz` holds the engine's core and the rule set as they were in version 6, and
`campaign-6.tar.xz` the chart's rules with the coasts. SHA256SUMS lists them all. Only what was read here has been checked: a file
against its sum, and the modules against the fingerprint that `changes.toml` states for the version.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
from collections.abc import Mapping
from pathlib import Path

from battles.engine import registry
from battles.engine.fingerprint import decides, fingerprint_of_sources
from battles.engine.pinned.versions import CAMPAIGN, ROOT, Version, listed, names

FOLDER = ROOT / "battles/data/versions"
SUMS = "SHA256SUMS"
ENGINE, CHART, COASTS = "battles/engine", "campaign/rules", "campaign/data/coast"
# of the engine beside core and sets: what plays a battle. The rest is for the command line and for today's site
_PLAYING = ("fingerprint.py", "play.py", "readable.py", "registry.py", "scenario.schema.json")
Files = Mapping[str, bytes]


class RulesMissing(LookupError):
    """A version of rules that cannot be played here. The text says which, why, and what mends it."""


def file_name(version: Version) -> str:
    """What a version's archive is called."""
    return f"{version.name}-{version.number}.tar.xz"


def sources_now(name: str) -> dict[str, bytes]:
    """The files of today's version of some rules, by their path from the root: a rule set with the core, or the chart with its coasts."""
    if name == CAMPAIGN:
        found = [*(ROOT / CHART).rglob("*.py"), *(ROOT / COASTS).rglob("*.json")]
    else:
        engine = ROOT / ENGINE
        found = [
            *(engine / "core").rglob("*.py"),
            engine / "rulesets/__init__.py",
            *(engine / p for p in _PLAYING),
        ]
        found += registry.folder(name).rglob("*.py")
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted(found)}
    # the engine's own looks for a compiled build, which an old version never has
    return files if name == CAMPAIGN else {f"{ENGINE}/__init__.py": b"", **files}


def fingerprint_of_files(name: str, files: Files) -> str:
    """The fingerprint of a version from its files, as the site reckons today's from the sources; 64 hexadecimal digits."""
    rules = f"{CHART}/" if name == CAMPAIGN else f"{ENGINE}/"
    modules = {path: files[path] for path in files if path.startswith(rules) and path.endswith(".py")}
    if name == CAMPAIGN:
        sources = {path: data for path, data in modules.items() if decides(Path(path))}
    else:
        areas = (f"{ENGINE}/core/", f"{ENGINE}/rulesets/{name}/")
        sources = {
            path: data for path, data in modules.items() if path.startswith(areas) and decides(Path(path))
        }
    bare = fingerprint_of_sources((Path(path).stem, data.decode()) for path, data in sources.items())
    if name != CAMPAIGN:
        return bare
    digest = hashlib.sha256(bare.encode())
    for path in sorted(files):
        if path.startswith(f"{COASTS}/"):
            digest.update(path.removeprefix(f"{COASTS}/").encode() + b"\0" + files[path] + b"\0")
    return digest.hexdigest()


def pack(files: Files, *, preset: int = 6) -> bytes:
    """Files as an archive. The same files give the same bytes.

    preset: 0 to 9, how hard xz tries.
    """
    out = io.BytesIO()
    with lzma.open(out, "wb", preset=preset) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted(files):
            row = tarfile.TarInfo(path)
            row.size = len(files[path])
            archive.addfile(row, io.BytesIO(files[path]))
    return out.getvalue()


def unpack(packed: bytes) -> dict[str, bytes]:
    """What `pack` packed, in memory. Raises tarfile.TarError and lzma.LZMAError."""
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:xz") as archive:
        rows = ((row.name, archive.extractfile(row)) for row in archive if row.isfile())
        return {name: file.read() for name, file in rows if file is not None}


def archive_write(version: Version, files: Files, folder: Path | None = None) -> Path:
    """Write a version's archive, and its sum beside it."""
    return archive_put(version, pack(files), folder or FOLDER)


def archive_put(version: Version, packed: bytes, folder: Path) -> Path:
    """Put a version's archive into a folder, and its sum beside it."""
    path = folder / file_name(version)
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed)
    sums = {**_sums(folder), path.name: hashlib.sha256(packed).hexdigest()}
    (folder / SUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), encoding="utf-8")
    return path


def _sums(folder: Path) -> dict[str, str]:
    path = folder / SUMS
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines()) if path.exists() else ()
    return {name: digest for digest, name in rows}


def installed() -> list[Version]:
    """The versions of which there is an archive, or that SHA256SUMS names, by name and number."""
    there = {path.name for path in FOLDER.glob("*.tar.xz")} | set(_sums(FOLDER))
    rows = (Version(name, row.number, row.fingerprint) for name in names() for row in listed(name))
    return sorted((row for row in rows if file_name(row) in there), key=lambda row: (row.name, row.number))


def first_kept(name: str) -> Version | None:
    """The oldest version of some rules that is kept: what campaigns of before versions were kept play by; None when none is."""
    return next((version for version in installed() if version.name == name), None)


# the fingerprint of what an archive holds, by the archive's sum: it takes half a second to reckon
_found: dict[str, str] = {}


def files_of(version: Version) -> dict[str, bytes]:
    """A version's files from its archive, checked. Raises RulesMissing."""
    path = FOLDER / file_name(version)
    if not path.exists():
        raise RulesMissing(
            f"{version} is not installed: there is no {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}. "
            "Put the file back from the release that had it."
        )
    packed = path.read_bytes()
    digest = hashlib.sha256(packed).hexdigest()
    if digest != _sums(FOLDER).get(path.name):
        raise RulesMissing(
            f"{version} is not used: {path.name} has been changed since it was written. Put the file back from the release that had it."
        )
    files = unpack(packed)
    if digest not in _found:
        _found[digest] = fingerprint_of_files(version.name, files)
    found = _found[digest]
    if found != version.fingerprint:
        raise RulesMissing(
            f"{version} is not used: {path.name} holds other rules ({found[:12]}) than were played by ({version.fingerprint[:12]})."
        )
    return files
