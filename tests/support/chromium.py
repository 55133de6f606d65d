"""Finds the machine's own Chromium for the browser tests; none is downloaded."""

import os
import shutil

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The path of the browser: the variable CHROMIUM, or the first known name on the PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def why_not() -> str:
    """Why no browser can be driven here; empty when one can."""
    return "" if find_chromium() else f"none of {', '.join(PROGRAMS)} is installed"
