"""What every browser test stands on: Django's database beside the driver's event loop, and a quiet end of the server's connections."""

import gc
import os
import warnings
from collections.abc import Iterator

import pytest

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # the driver's event loop runs in the tests' thread


@pytest.fixture(autouse=True)
def connections_laid_down() -> Iterator[None]:
    """A browser that closes leaves the test server's sockets to the collector; they are not a later test's warning."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
