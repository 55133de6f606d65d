"""`python -m battles.engine.pinned`: writes the archives of today's rules that are not there yet.

With --again it writes today's archives again: words may have changed since, which make no new version.
"""

from __future__ import annotations

import argparse

from battles.engine.changes import changes
from battles.engine.pinned.archives import FOLDER, archive_write, file_name, fingerprint_of_files, sources_now
from battles.engine.pinned.versions import Version, folder_of, names


def main() -> None:
    """Prints what was written. Ends with a sentence when the change notes lack the version."""
    parser = argparse.ArgumentParser(
        prog="python -m battles.engine.pinned", description="Write the archives of today's rules."
    )
    parser.add_argument("--again", action="store_true", help="write today's archives again")
    again = parser.parse_args().again
    for name in names():
        files = sources_now(name)
        noted = changes(folder_of(name))[0]
        version = Version(name, noted.number, fingerprint_of_files(name, files))
        if version.fingerprint != noted.fingerprint:
            parser.error(
                f"{name}: note the version in changes.toml first; its fingerprint is {version.fingerprint}"
            )
        if again or not (FOLDER / file_name(version)).exists():
            path = archive_write(version, files)
            print(f"{path.name}: {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
