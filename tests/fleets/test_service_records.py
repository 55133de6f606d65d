"""The ledger: written once, never changed, corrected by new entries."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from fleets.models import ServiceRecord
from fleets.record_words import names_in
from fleets.selectors.ships import service_history
from fleets.services.service_records import (
    KINDS,
    NewRecord,
    record_correct,
    record_write,
    records_write_bulk,
    sentence,
)
from tests.support.answers import flawless
from tests.support.factories import ServiceRecordFactory, ShipFactory

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.SV1")]

FOUGHT = {"battle": "the Four Days' Battle", "hits_given": 3, "hits_taken": 1}


def _fought(ship: Any, event: str = "battle/B1/fought") -> ServiceRecord:
    return flawless(
        record_write, ship=ship, when="1666-06-01T18:00", kind="fought", data=FOUGHT, event=event, battle="B1"
    )


def test_an_event_is_written_once() -> None:
    ship = ShipFactory()

    first, second = _fought(ship), _fought(ship)

    assert first == second
    assert ship.service_records.count() == 1
    assert first.navy_code == ship.navy.code


def test_the_sentence_is_built_from_the_numbers() -> None:
    assert sentence(_fought(ShipFactory())) == "Fought in the Four Days' Battle: 3 hits given, 1 hit taken."


@pytest.mark.one_database
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_a_sentence_that_tells_all_of_it(kind: str) -> None:
    data = {name: 7 if name in _NUMBERS else f"<{name}>" for name in names_in(kind)}
    record = record_write(ship=ShipFactory(), when="1666-06-01T18:00", kind=kind, data=data, event="e")

    words = sentence(record)

    assert all(str(value) in words for value in data.values())
    assert words.endswith(".")


_NUMBERS = {"miles", "men", "complement", "hits_given", "hits_taken", "percent", "steps", "prisoners"}


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("cheered", {}, "no kind of service record 'cheered'"),
        ("fought", {"battle": "B1"}, "hits_given, hits_taken"),
    ],
)
def test_an_entry_that_could_not_be_read_later_is_refused(
    kind: str, data: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        record_write(ship=ShipFactory(), when="1666-06-01T18:00", kind=kind, data=data, event="e")

    assert not ServiceRecord.objects.exists()


def test_a_record_cannot_be_saved_again() -> None:
    record = ServiceRecordFactory()
    record.kind = "lost"

    with pytest.raises(ValidationError, match="cannot be changed"):
        record.save()


def test_a_record_cannot_be_deleted() -> None:
    with pytest.raises(ValidationError, match="cannot be deleted"):
        ServiceRecordFactory().delete()


@pytest.mark.parametrize("change", ["update", "delete", "bulk_update"])
def test_many_records_cannot_be_changed_or_deleted_either(change: str) -> None:
    record = ServiceRecordFactory()
    rows = ServiceRecord.objects.filter(ship=record.ship)

    with pytest.raises(ValidationError), transaction.atomic():
        if change == "update":
            rows.update(kind="lost")
        elif change == "delete":
            rows.delete()
        else:
            ServiceRecord.objects.bulk_update([record], ["kind"])

    assert ServiceRecord.objects.get().kind == "mustered"


def test_a_correction_names_the_entry_it_corrects_and_does_not_change_it() -> None:
    record = _fought(ShipFactory())

    correction = record_correct(record=record, data={"hits_taken": 2}, reason="miscounted", by="Umpire")

    assert correction.corrects == record
    assert sentence(correction) == (
        "Correction: Fought in the Four Days' Battle: 3 hits given, 2 hits taken. (miscounted, Umpire)"
    )
    assert ServiceRecord.objects.get(pk=record.pk).data == FOUGHT


def test_an_entry_can_be_corrected_more_than_once() -> None:
    record = _fought(ShipFactory())

    for hits in (2, 4):
        record_correct(record=record, data={"hits_taken": hits}, reason="miscounted", by="Umpire")

    assert [row.data["hits_taken"] for row in record.corrections.order_by("pk")] == [2, 4]


def test_a_correction_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        record_correct(record=_fought(ShipFactory()), data={}, reason=" ", by="Umpire")


def test_the_history_says_which_entries_were_corrected() -> None:
    ship = ShipFactory()
    record = _fought(ship)
    record_correct(record=record, data={"hits_taken": 2}, reason="miscounted", by="Umpire")

    first, second = service_history(ship)

    assert (first.record, first.corrected_by) == (record, "battle/B1/fought/correction-1")
    assert second.corrected_by == ""


def test_many_entries_are_written_together_and_only_once(django_assert_max_num_queries: Any) -> None:
    ships = ShipFactory.create_batch(30)
    new = [NewRecord(ship=s, when="1666-06-01T18:00", kind="fought", event="b/1", data=FOUGHT) for s in ships]

    with django_assert_max_num_queries(5):  # a save point and its release among them
        assert records_write_bulk(new) == 30

    assert records_write_bulk(new) == 0
    assert ServiceRecord.objects.count() == 30


def test_one_bad_entry_keeps_all_of_them_out() -> None:
    ship = ShipFactory()
    good = NewRecord(ship=ship, when="1666-06-01T18:00", kind="fought", event="b/1", data=FOUGHT)
    bad = NewRecord(ship=ship, when="1666-06-01T18:00", kind="fought", event="b/2")

    with pytest.raises(ValueError, match="needs battle"):
        records_write_bulk([good, bad])

    assert not ServiceRecord.objects.exists()
