"""What is kept of an error holds no secret."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from battles.error_words import error_words
from battles.models import Battle
from battles.services import fighting
from tests.support.factories import SECRET, BattleFactory, RosterFactory

pytestmark = pytest.mark.clause("G.FA1")


def test_an_error_is_kept_in_words_and_its_long_digits_are_not() -> None:
    assert (
        error_words(ValueError("turn 3 of NS66 has no theatre"))
        == "ValueError: turn 3 of NS66 has no theatre"
    )
    assert error_words(ValueError(f"row (7, {SECRET}, ready)")) == "ValueError: row (7, …, ready)"


@pytest.mark.django_db
def test_a_row_that_the_database_refuses_keeps_its_seed_to_itself() -> None:
    battle = BattleFactory(code="NS66-T1-b01")
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        Battle.objects.filter(pk=battle.pk).update(title=None)
    if connection.vendor == "postgresql":
        assert SECRET in str(refused.value), "the database names the whole row"

    assert SECRET not in error_words(refused.value)
    assert "title" in error_words(refused.value)


@pytest.mark.django_db
def test_a_battle_that_fails_shows_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = RosterFactory(battle=BattleFactory(route="engine")).battle

    def fails(*_: Any, **__: Any) -> None:
        raise ValueError(f"no dice follow from {SECRET}")

    monkeypatch.setattr(fighting, "read_scenario", fails)
    fighting.battle_fight(battle_id=battle.pk)
    battle.refresh_from_db()
    assert battle.error == "ValueError: no dice follow from …"
