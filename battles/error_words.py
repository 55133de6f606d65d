"""What is kept of an error for people to read. Rule: G.FA1."""

from __future__ import annotations

import re

# Seeds, secrets, keys and hashes. A database names the whole row that it would not take, and its secrets with it.
_DIGITS = re.compile(r"[0-9a-fA-F]{32,}")


def error_words(error: BaseException) -> str:
    """An error as a line or more of text, without anything that may be a secret."""
    return _DIGITS.sub("…", f"{type(error).__name__}: {error}")
