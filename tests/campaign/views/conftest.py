"""The world that every page is shown to six people in."""

from typing import Any

import pytest

from tests.support.people import World, world


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()
