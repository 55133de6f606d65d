"""Failed work is explained in sentences that hold no secrets."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from battles.failures import in_words
from battles.models import Battle
from battles.services import fighting
from tests.support.factories import SECRET, BattleFactory, RosterFactory

pytestmark = [pytest.mark.clause("G.FA1"), pytest.mark.django_db]


def test_an_error_in_the_database_does_not_reveal_the_secret_of_the_dice() -> None:
    battle = BattleFactory(code="NS66-T1-b01")
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        Battle.objects.filter(pk=battle.pk).update(title=None)
    if connection.vendor == "postgresql":
        assert SECRET in str(refused.value), "the database names the whole row"
    words = in_words(refused.value, "Turn 3")
    assert SECRET not in words and "title" not in words
    assert words.startswith("Turn 3 stopped because of an unexpected error (IntegrityError")


def test_a_battle_that_fails_does_not_reveal_its_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = RosterFactory(battle=BattleFactory(route="engine")).battle

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError(f"no dice follow from {SECRET}")

    monkeypatch.setattr(fighting, "read_scenario", fails)
    fighting.battle_fight(battle_id=battle.pk)
    battle.refresh_from_db()
    assert SECRET not in battle.error
    assert battle.error.startswith("It stopped because of an unexpected error (RuntimeError")
