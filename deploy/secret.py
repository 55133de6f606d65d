"""The site's secret key, made once and kept in a file that only its owner can read."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def secret_key(path: Path) -> str:
    """The key in `path`, made at the first call.

    Web, worker and beat start together: each writes a key of its own aside, and the first to link it
    into place wins, so all read the same one.  Raises OSError when the folder cannot be written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
        try:
            os.fchmod(handle, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(50))
            with contextlib.suppress(FileExistsError):  # another process was first
                os.link(aside, path)
        finally:
            os.unlink(aside)
    return path.read_text(encoding="ascii").strip()
