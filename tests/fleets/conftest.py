"""Who keeps registers, and a register to be kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from tests.support.factories import NationFactory, RegisterEntryFactory, RegisterFactory, UserFactory


@pytest.fixture
def keeper(db: None) -> Any:
    """A register editor, and nothing besides."""
    user = UserFactory(username="keeper", is_staff=True)
    user.groups.add(Group.objects.get(name="Register editors"))
    return user


@pytest.fixture
def keeper_client(keeper: Any) -> Client:
    """The register editor's browser."""
    client = Client()
    client.force_login(keeper)
    return client


@pytest.fixture
def club(db: None) -> Any:
    """A register of the club's own with three ships, which `sheets.ships` knows."""
    NationFactory(name="England")
    register = RegisterFactory(code="club", title="Our ships")
    for n in range(3):
        RegisterEntryFactory(
            register=register, name=f"Ship {n}", line=n + 2, guns=40 + n, tons_burthen=600 + n, year_built=1600 + n,
            crew=200 + n, commander=f"Capt {n}", extra={"tags": ["old"]},
        )  # fmt: skip
    return register
