"""JSON documents that are stored compressed, on both databases alike."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.core.exceptions import FieldError
from django.db import models

# The first byte says how the rest is to be read. A new way gets a new mark, and old rows stay readable.
ZLIB_JSON = b"\x01"
LEVEL = 6


def packed(document: Any) -> bytes:
    """A document as it is stored; the same document gives the same bytes on one server."""
    plain = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    return ZLIB_JSON + zlib.compress(plain.encode(), LEVEL)


def unpacked(stored: bytes | memoryview) -> Any:
    """The document again. Raises ValueError for bytes of another mark, or that were cut."""
    stored = bytes(stored)
    mark, rest = stored[:1], stored[1:]
    if mark != ZLIB_JSON:
        raise ValueError(f"a stored document has the mark {mark!r}; this version reads {ZLIB_JSON!r}")
    try:
        return json.loads(zlib.decompress(rest))
    except zlib.error as error:
        raise ValueError(f"a stored document cannot be unpacked: {error}") from error


class PackedJSONField(models.JSONField):
    """A JSON document of which the database knows only bytes: it cannot be searched, and no part of it can be asked for.

    It takes a twentieth of the room of a JSONField for what a turn leaves behind. The value None is stored as NULL.
    """

    def get_internal_type(self) -> str:
        """What the column is to the database."""
        return "BinaryField"

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """The document. Raises ValueError as `unpacked` does."""
        return None if value is None else unpacked(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Bytes for the driver."""
        if isinstance(value, models.Value):
            value = value.value
        if value is None or hasattr(value, "as_sql"):
            return value
        return connection.Database.Binary(packed(value))

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Bytes for the driver."""
        return self.get_db_prep_value(value, connection)

    def get_lookup(self, lookup_name: str) -> Any:
        """Whether there is a document, and no more. Raises FieldError for anything else."""
        if lookup_name != "isnull":
            raise FieldError(f"{self.name} is stored compressed and cannot be searched.")
        return super().get_lookup(lookup_name)

    def get_transform(self, name: str) -> Any:
        """Raises FieldError: no part of it can be asked for."""
        raise FieldError(f"{self.name} is stored compressed and has no {name!r} for the database.")
