"""The lease of the one process that asks for sweeps: for how long it is given, and who may take it over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db.models import F
from django.db.models.functions import Now

from campaign.models import BeatLease
from campaign.services.beat import beat_hold, beat_release

pytestmark = pytest.mark.django_db
ONE, TWO = UUID(int=1), UUID(int=2)
ROUND, MARGIN = timedelta(seconds=300), timedelta(seconds=60)


@pytest.fixture(autouse=True)
def rounds(settings: Any) -> None:
    settings.SWEEP_SECONDS = 300


def ends(after: timedelta) -> None:
    """The lease ends so long after now by the database's clock, which no test can stop."""
    BeatLease.objects.update(until=Now() + after)


def left() -> timedelta:
    found: timedelta = BeatLease.objects.annotate(left=F("until") - Now()).get().left
    return found


def test_a_lease_lasts_two_rounds_and_its_holder_renews_it() -> None:
    for _ in range(2):
        assert beat_hold(holder=ONE, machine="m" * 101)
        assert 2 * ROUND - MARGIN < left() <= 2 * ROUND
        ends(MARGIN)
    row = BeatLease.objects.get()
    assert (row.pk, row.holder, row.machine) == (1, ONE, "m" * 100)


def test_another_takes_over_a_lease_that_has_run_out_or_ends_later_than_any_can() -> None:
    beat_hold(holder=ONE, machine="one")
    for after, taken in (
        (MARGIN, False),
        (-MARGIN, True),
        (4 * ROUND - MARGIN, False),
        (4 * ROUND + MARGIN, True),
    ):
        BeatLease.objects.update(holder=ONE)
        ends(after)
        assert beat_hold(holder=TWO, machine="two") is taken, after
        assert BeatLease.objects.get().holder == (TWO if taken else ONE)


def test_only_the_holder_gives_a_lease_up() -> None:
    beat_hold(holder=ONE, machine="one")
    beat_release(holder=TWO)
    assert BeatLease.objects.count() == 1
    beat_release(holder=ONE)
    assert not BeatLease.objects.exists()
    assert beat_hold(holder=TWO, machine="two") and not beat_hold(holder=ONE, machine="one")
