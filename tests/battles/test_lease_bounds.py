"""A lease to the second: how long it holds, who may still write, and how often work is tried."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import F, Q

from battles import leases
from battles.models import Battle
from tests.support.factories import BattleFactory

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.UM2")]

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


def after(seconds: float) -> Any:
    return time_machine.travel(NOW + timedelta(seconds=seconds), tick=False)


@pytest.fixture
def claimed(settings: Any) -> tuple[Battle, uuid.UUID]:
    """A battle that a worker took at noon for a minute."""
    settings.LEASE_SECONDS = 60
    battle = BattleFactory()
    with after(0):
        token = leases.take(Battle.objects.all(), status=Battle.Status.FIGHTING)
    assert token is not None
    battle.refresh_from_db()
    return battle, token


def test_work_that_has_begun_is_marked_as_under_way_for_a_limited_time(
    claimed: tuple[Battle, uuid.UUID],
) -> None:
    battle, token = claimed
    assert (battle.claim, battle.attempts, battle.status) == (token, 1, "fighting")
    assert battle.lease_until == NOW + timedelta(seconds=60)
    with after(60):
        assert leases.take(Battle.objects.all()) is None, "the last moment is still its worker's"
    with after(60.001):
        other = leases.take(Battle.objects.all())
    battle.refresh_from_db()
    assert other not in (None, token)
    assert (battle.claim, battle.attempts) == (other, 2)


def test_work_begun_before_the_clock_was_set_back_is_begun_again(
    claimed: tuple[Battle, uuid.UUID],
) -> None:
    battle, token = claimed
    with after(-60):
        assert leases.take(Battle.objects.all()) is None, "clocks of two machines differ by less than a lease"
    with after(-60.001):
        assert Battle.objects.filter(leases.free()).exists()
    with after(-3600):
        assert leases.take(Battle.objects.all()) is not None, "its worker may be gone"
        with pytest.raises(leases.LeaseLost):
            leases.finish(battle, token)


def test_free_work_is_found_for_a_given_moment(claimed: tuple[Battle, uuid.UUID]) -> None:
    unclaimed = BattleFactory()
    with after(1000):
        early = Battle.objects.filter(leases.free(NOW + timedelta(seconds=60)))
        assert set(early) == {unclaimed}
        assert Battle.objects.filter(leases.free()).count() == 2


@pytest.mark.parametrize(("seconds", "in_time"), [(0, True), (60, True), (60.001, False)])
def test_work_can_be_finished_only_while_it_is_marked_as_under_way(
    claimed: tuple[Battle, uuid.UUID], seconds: float, in_time: bool
) -> None:
    battle, token = claimed
    with after(seconds):
        if not in_time:
            with pytest.raises(leases.LeaseLost, match=f"Battle {battle.pk}: the lease has run out"):
                leases.keep(battle, token)
            with pytest.raises(leases.LeaseLost, match="the lease has run out"):
                leases.finish(battle, token, status=Battle.Status.FOUGHT)
            battle.refresh_from_db()
            assert (battle.claim, battle.status) == (token, "fighting")
            return
        leases.keep(battle, token, error="half way")
        battle.refresh_from_db()
        assert battle.lease_until == NOW + timedelta(seconds=seconds + 60)
        assert battle.error == "half way"
        leases.finish(battle, token, status=Battle.Status.FOUGHT)
    battle.refresh_from_db()
    assert (battle.claim, battle.lease_until, battle.status) == (None, None, "fought")


def test_no_one_else_continues_or_finishes_it(claimed: tuple[Battle, uuid.UUID]) -> None:
    battle, token = claimed
    with after(1):
        for act in (leases.keep, leases.finish):
            with pytest.raises(leases.LeaseLost):
                act(battle, uuid.uuid4())
    battle.refresh_from_db()
    assert battle.claim == token


@pytest.mark.parametrize(("attempts", "spent"), [(0, False), (2, False), (3, True), (4, True)])
def test_work_is_tried_three_times_and_then_abandoned(attempts: int, spent: bool) -> None:
    battle = BattleFactory(attempts=attempts)

    token, over = leases.take_or_give_up(Battle.objects.all())

    battle.refresh_from_db()
    assert over is spent
    assert (battle.claim, battle.attempts) == (token, attempts + 1)


def test_work_under_way_is_marked_as_such_well_before_the_mark_runs_out(
    claimed: tuple[Battle, uuid.UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, token = claimed
    pauses: list[float] = []
    monkeypatch.setattr(leases, "_renew", lambda row, token, over, pause: pauses.append(pause))
    with leases.kept(battle, token):
        pass
    with leases.kept(battle, token, every=0.5):
        pass
    assert pauses == [20, 0.5]


@pytest.mark.parametrize(
    ("rows", "refused"),
    [
        (lambda: Battle.objects.all(), False),
        (
            lambda: Battle.objects.filter(Q(code="B1") | ~Q(status="void"), attempts__lt=F("attempts") + 1),
            False,
        ),
        (lambda: Battle.objects.filter(book_id__in=[1, 2]), False),
        (lambda: Battle.objects.filter(book__pk=1), False),
        (lambda: Battle.objects.filter(book__code="x"), True),
        (lambda: Battle.objects.filter(pk__in=Battle.objects.all()), True),
        (lambda: Battle.objects.all()[:1], True),
        (lambda: Battle.objects.distinct(), True),
        (lambda: Battle.objects.filter(code="x").union(Battle.objects.filter(code="y")), True),
    ],
    ids=[
        "all",
        "own columns",
        "own key of another row",
        "the same by its row",
        "join",
        "subquery",
        "slice",
        "distinct",
        "union",
    ],
)
def test_only_rows_chosen_by_something_other_than_their_own_columns_are_refused(
    rows: Callable[[], Any], refused: bool
) -> None:
    BattleFactory()
    said = ""
    try:
        leases.take(rows())
    except TypeError as error:
        said = str(error)
    assert said.startswith("Work is taken by the columns of its own row; these rows of Battle") is refused
    assert bool(said) is refused
