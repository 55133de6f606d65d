"""What a log must not contain: the tokens of invitations and the keys of login links, which are part of addresses."""

from __future__ import annotations

import logging
import re

_TOKENS = re.compile(r"(/join/|/me/leave/|/me/address/|/accounts/password/\w+/|\bkey=)[^\s/\"'&<>]+")


class HideTokens(logging.Filter):
    """Writes a dash for every token in a line. Django's own lines name the path of each request that went wrong."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line pass, without its tokens."""
        said = record.getMessage()
        told = _TOKENS.sub(r"\1-", said)
        if told != said:
            record.msg, record.args = told, ()
        return True
