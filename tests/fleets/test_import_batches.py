"""An import is previewed and confirmed, and can be undone as a whole."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from fleets.models import ImportBatch, RegisterEntry
from fleets.services.register_imports import (
    batch_give_up,
    batch_plan,
    batch_undo,
    import_confirm,
    import_wait,
    plan_mark,
)
from tests.support.answers import flawless
from tests.support.factories import RegisterFactory, ShipFactory, UserFactory
from tests.support.sheets import csv_of, ships, xlsx_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def register(club: Any) -> Any:
    """A register of the club's own with three ships that the files know."""
    return club


def _wait(register: Any, raw: bytes, **more: Any) -> ImportBatch:
    user = more.pop("user", None) or UserFactory()
    return flawless(import_wait, register=register, raw=raw, file_name="ships.csv", user=user, **more)


def _confirmed(register: Any, raw: bytes, **more: Any) -> ImportBatch:
    batch = _wait(register, raw, **more)
    assert import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)), reason="new list") is not None
    return batch


def test_a_plan_distinguishes_new_changed_and_unchanged_with_the_difference(register: Any) -> None:
    rows = ships(4)
    rows[1][4] = 61

    plan = batch_plan(_wait(register, csv_of(rows)))

    assert [row.state for row in plan.rows] == ["unchanged", "changed", "unchanged", "new"]
    assert plan.rows[1].changes == (("guns", "41", "61"),)
    assert RegisterEntry.objects.count() == 3
    assert RegisterEntry.objects.get(name="Ship 1").guns == 41


def test_a_confirmed_import_is_saved_with_who_and_why(register: Any) -> None:
    user = UserFactory(username="keeper")
    rows = ships(4)
    rows[1][4] = 61

    batch = _confirmed(register, xlsx_of(rows), user=user)

    batch.refresh_from_db()
    assert (batch.new, batch.changed, batch.unchanged, batch.status, batch.file) == (1, 1, 2, "done", None)
    entry = RegisterEntry.objects.get(name="Ship 1")
    version = entry.history.first()
    assert (entry.guns, entry.commander, entry.extra) == (61, "Capt 1", {"tags": ["old"]})
    assert (version.history_user, version.history_change_reason, version.batch) == (
        user, "new list (ships.csv)", batch,
    )  # fmt: skip
    assert entry.history.count() == 2


def test_the_same_file_again_changes_nothing(register: Any) -> None:
    rows = ships(30)
    _confirmed(register, csv_of(rows))
    before = RegisterEntry.history.count()

    again = _confirmed(register, csv_of(rows))

    assert (again.new, again.changed, again.unchanged) == (0, 0, 30)
    assert RegisterEntry.history.count() == before


def test_a_column_found_only_in_some_registers_is_changed_alone(register: Any) -> None:
    header = ["name", "nation", "side", "ship_type", "soldiers", "tags"]
    rows = [["SHIP 0", "england", "ENGLISH", "Ship of Line", "30", ""]]

    _confirmed(register, csv_of(rows, header))

    entry = RegisterEntry.objects.get(name="SHIP 0")
    assert (entry.side, entry.guns, entry.extra) == ("English", 40, {"soldiers": 30})
    assert RegisterEntry.objects.count() == 3


def test_nothing_is_saved_when_the_register_has_changed_since_the_preview(register: Any) -> None:
    batch = _wait(register, csv_of(ships(4)))
    mark = plan_mark(batch_plan(batch))
    RegisterEntry.objects.filter(name="Ship 1").update(guns=12)

    assert import_confirm(batch=batch, mark=mark) is None

    batch.refresh_from_db()
    assert batch.status == "waiting"
    assert RegisterEntry.objects.count() == 3


def test_an_import_is_confirmed_once(register: Any) -> None:
    batch = _confirmed(register, csv_of(ships(4)))

    with pytest.raises(ValidationError, match="already been confirmed"):
        import_confirm(batch=batch, mark="")


def test_a_file_with_errors_cannot_be_confirmed(register: Any) -> None:
    batch = _wait(register, csv_of([["Tiger", "Ruritania", "English", "frigate", 1, 1, 1650, 1]]))

    with pytest.raises(ValidationError, match="The file has errors"):
        import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)))

    batch.refresh_from_db()
    assert (batch.status, RegisterEntry.objects.count()) == ("waiting", 3)


def test_an_original_takes_no_import() -> None:
    with pytest.raises(ValidationError, match="read-only"):
        _wait(RegisterFactory(original=True), csv_of(ships(1)))


def test_an_import_is_undone_as_a_whole(register: Any) -> None:
    before = list(RegisterEntry.objects.order_by("pk").values())
    rows = ships(60)
    rows[1][4] = rows[2][4] = 61
    batch = _confirmed(register, csv_of(rows))
    user = UserFactory(username="other")

    undone = batch_undo(batch=batch, user=user, reason="wrong file")

    assert (undone.new, undone.changed) == (57, 2)
    assert list(RegisterEntry.objects.order_by("pk").values()) == before
    assert (batch.status, batch.undone_by) == ("undone", "other")
    version = RegisterEntry.objects.get(name="Ship 1").history.first()
    assert version.history_change_reason == "Undone: new list (ships.csv) – wrong file"
    gone = RegisterEntry.history.filter(name="Ship 30").first()
    assert (gone.history_type, gone.history_user) == ("-", user)
    with pytest.raises(ValidationError, match="already been undone"):
        batch_undo(batch=batch, user=user)


def test_an_import_whose_ships_were_changed_since_is_not_undone_and_they_are_named(register: Any) -> None:
    batch = _confirmed(register, csv_of(ships(5)))
    entry = RegisterEntry.objects.get(name="Ship 4")
    entry.guns = 99
    entry.save()

    with pytest.raises(ValidationError, match="changed since, .*: Ship 4"):
        batch_undo(batch=batch, user=UserFactory())

    assert RegisterEntry.objects.filter(register=register).count() == 5
    assert ImportBatch.objects.get().status == "done"


def test_a_ship_that_was_changed_and_changed_back_does_not_block_it(register: Any) -> None:
    batch = _confirmed(register, csv_of(ships(5)))
    entry = RegisterEntry.objects.get(name="Ship 4")
    for guns in (99, entry.guns):
        entry.guns = guns
        entry.save()

    batch_undo(batch=batch, user=UserFactory())

    assert RegisterEntry.objects.count() == 3


def test_an_import_of_ships_that_sail_in_a_campaign_is_not_undone(register: Any) -> None:
    batch = _confirmed(register, csv_of(ships(5)))
    ShipFactory(name="Sailing", entry=RegisterEntry.objects.get(name="Ship 4"))

    with pytest.raises(ValidationError, match="Campaigns have mustered these ships: Sailing"):
        batch_undo(batch=batch, user=UserFactory())

    assert RegisterEntry.objects.count() == 5
    assert ImportBatch.objects.get().status == "done"


def test_files_that_no_one_confirmed_are_dropped(register: Any) -> None:
    old = _wait(register, csv_of(ships(1)))
    ImportBatch.objects.filter(pk=old.pk).update(made=timezone.now() - timedelta(days=3))
    given_up = _wait(register, csv_of(ships(2)))

    batch_give_up(batch=given_up)

    assert not ImportBatch.objects.exists()


def test_confirming_and_undoing_take_the_same_queries_for_fifty_ships_as_for_two_hundred(
    register: Any, django_assert_max_num_queries: Any
) -> None:
    batch = _wait(register, csv_of(ships(200)))
    mark = plan_mark(batch_plan(batch))

    with django_assert_max_num_queries(40):
        import_confirm(batch=batch, mark=mark)
    with django_assert_max_num_queries(40):
        batch_undo(batch=batch, user=UserFactory())
