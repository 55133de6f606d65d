"""Trying many changes on one set of rows: each is taken back before the next."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from django.db import transaction


class _PutBackError(Exception):
    """Takes back what was done."""


@contextlib.contextmanager
def put_back() -> Iterator[None]:
    """Whatever is done to the database inside is taken back at the end; failures come through."""
    with contextlib.suppress(_PutBackError), transaction.atomic():
        yield
        raise _PutBackError
