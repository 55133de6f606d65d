"""Selected columns of selected ships: previewed, changed with a reason, undone as a whole."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from fleets.models import ImportBatch, RegisterEntry
from fleets.services.bulk_edits import bulk_edit, bulk_plan
from fleets.services.register_imports import batch_undo
from tests.support.answers import flawless
from tests.support.factories import RegisterEntryFactory, RegisterFactory

pytestmark = pytest.mark.django_db
LIST, BULK = "/admin/fleets/registerentry/", "/admin/fleets/registerentry/bulk/"


def _entries(register: Any) -> list[RegisterEntry]:
    return list(RegisterEntry.objects.filter(register=register).select_related("register").order_by("line"))


def _edit(register: Any, values: dict[str, str], user: Any, reason: str = "the dockyard list") -> Any:
    plan = bulk_plan(entries=_entries(register), values=values)
    return flawless(
        bulk_edit, entries=_entries(register), values=values, reason=reason, mark=plan.mark, user=user
    )


def test_an_edit_of_many_ships_appears_in_each_history_and_is_undone_as_a_whole(
    club: Any, keeper: Any
) -> None:
    before = list(RegisterEntry.objects.order_by("pk").values())

    batch = _edit(club, {"squadron": "Blue", "guns": "41", "tags": "old; frigate-built", "crew": ""}, keeper)

    assert (batch.changed, batch.unchanged, batch.kind) == (3, 0, "edit")
    first = RegisterEntry.objects.get(name="Ship 0")
    assert (first.squadron, first.guns, first.crew, first.commander) == ("Blue", 41, None, "Capt 0")
    assert first.extra == {"tags": ["old", "frigate-built"]}
    version = first.history.first()
    assert (version.history_user, version.history_change_reason) == (keeper, "the dockyard list")
    batch_undo(batch=batch, user=keeper)
    assert list(RegisterEntry.objects.order_by("pk").values()) == before


def test_ships_that_have_the_values_already_have_no_new_version(club: Any, keeper: Any) -> None:
    batch = _edit(club, {"guns": "41"}, keeper)

    assert (batch.changed, batch.unchanged) == (2, 1)
    assert RegisterEntry.objects.get(name="Ship 1").history.count() == 1


def test_all_unusable_values_are_reported_at_once(club: Any) -> None:
    plan = bulk_plan(entries=_entries(club), values={"guns": "1,200", "nation": "", "year_built": "c. 1650"})

    assert {fault.column for fault in plan.faults} == {"guns", "nation", "year_built"}


def test_two_ships_of_one_name_cannot_be_brought_to_one_side(club: Any) -> None:
    RegisterEntryFactory(register=club, name="Ship 1", side="Dutch", line=9)

    plan = bulk_plan(entries=_entries(club), values={"side": "Dutch"})

    assert [(fault.column, fault.reason) for fault in plan.faults] == [
        ("side", "already has a ship named Ship 1")
    ]


@pytest.mark.parametrize("values", [{}, {"guns": "40"}])
def test_an_edit_that_changes_nothing_or_has_no_reason_is_refused(
    club: Any, keeper: Any, values: dict[str, str]
) -> None:
    RegisterEntry.objects.update(guns=40)

    with pytest.raises(ValidationError, match="at least one column|already"):
        _edit(club, values, keeper)
    with pytest.raises(ValidationError, match="Enter a reason"):
        _edit(club, {"guns": "44"}, keeper, reason=" ")
    assert not ImportBatch.objects.exists()


def test_ships_of_two_registers_or_of_an_original_are_not_edited_together(club: Any) -> None:
    other = RegisterEntryFactory()
    original = RegisterEntryFactory(register=RegisterFactory(original=True))

    with pytest.raises(ValidationError, match="from one register"):
        bulk_plan(entries=[*_entries(club), other], values={"guns": "1"})
    with pytest.raises(ValidationError, match="read-only"):
        bulk_plan(entries=[original], values={"guns": "1"})
    with pytest.raises(ValidationError, match="at least one ship"):
        bulk_plan(entries=[], values={"guns": "1"})


def _chosen(client: Any, club: Any) -> str:
    ids = [entry.pk for entry in _entries(club)]
    page = client.post(LIST, {"action": "change_many", "_selected_action": ids}).content.decode()
    found = re.search(r'name="ids" value="([\d,]+)"', page)
    assert found is not None
    return found.group(1)


def test_the_site_administrator_chooses_ships_fills_in_values_previews_and_saves(
    keeper_client: Any, club: Any
) -> None:
    ids = _chosen(keeper_client, club)
    data = {"ids": ids, "set-squadron": "on", "squadron": "Blue", "reason": "order of battle", "guns": "99"}

    looked = keeper_client.post(BULK, {**data, "step": "preview"}).content.decode()
    assert RegisterEntry.objects.filter(squadron="Blue").count() == 0
    mark = re.search(r'name="mark" value="(\w+)"', looked).group(1)  # type: ignore[union-attr]
    done = keeper_client.post(BULK, {**data, "step": "save", "mark": mark}, follow=True).content.decode()

    assert looked.count("<ins>Blue</ins>") == 3
    assert "3 ships changed. You can undo all changes here." in done
    assert set(RegisterEntry.objects.values_list("squadron", "guns")) == {
        ("Blue", 40),
        ("Blue", 41),
        ("Blue", 42),
    }


def test_errors_a_missing_reason_and_ships_changed_since_then_appear_on_the_page(
    keeper_client: Any, club: Any
) -> None:
    ids = _chosen(keeper_client, club)
    data = {"ids": ids, "set-guns": "on", "guns": "1,200", "reason": "why not", "step": "preview"}

    faulty = keeper_client.post(BULK, data).content.decode()
    silent = keeper_client.post(BULK, {**data, "guns": "44", "reason": ""}).content.decode()
    stale = keeper_client.post(BULK, {**data, "guns": "44", "step": "save", "mark": "old"}).content.decode()

    assert "has a thousands separator. Write 1200" in faulty
    assert "Enter a reason" in silent
    assert "Ships have changed since this preview" in stale
    assert not ImportBatch.objects.exists()
    assert keeper_client.get(BULK).url == LIST


def test_an_original_is_marked_in_the_list(keeper_client: Any) -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(original=True))

    page = keeper_client.post(LIST, {"action": "change_many", "_selected_action": [entry.pk]}, follow=True)

    assert "came with the program and is read-only" in page.content.decode()


def test_an_edit_takes_the_same_queries_for_forty_ships_as_for_three(
    keeper_client: Any, keeper: Any, club: Any
) -> None:
    with CaptureQueriesContext(connection) as few:
        _edit(club, {"squadron": "Blue"}, keeper)
    for n in range(37):
        RegisterEntryFactory(register=club, name=f"More {n}")

    with CaptureQueriesContext(connection) as many:
        _edit(club, {"squadron": "White"}, keeper)

    assert len(many) <= len(few) + 2  # a batch of the bulk update more
