"""The ledger under rollback and correction, its digest, and rows restored unchanged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from fleets.models import Book, Fleet, Officer, OfficerRecord, Prize, ServiceRecord, Ship, Squadron
from fleets.services.row_snapshots import TABLES, rows_document, rows_restore
from fleets.services.service_records import (
    NewRecord,
    record_correct,
    record_write,
    records_digest,
    records_void,
    records_write_bulk,
)
from tests.fleets.meeting import Meeting
from tests.support.answers import flawless
from tests.support.factories import (
    FleetFactory,
    OfficerFactory,
    OfficerRecordFactory,
    PrizeFactory,
    ServiceRecordFactory,
    ShipFactory,
    SquadronFactory,
)

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.SV1", "G.UM3")]

WHEN = "1666-06-02T06:00"


def write(ship: Ship, event: str = "flag", **changes: Any) -> ServiceRecord:
    return flawless(
        record_write,
        **{
            "ship": ship,
            "when": WHEN,
            "kind": "flagship",
            "data": {"squadron": "Red"},
            "event": event,
            **changes,
        },
    )


def written(record: Any, when: Any) -> None:
    """Say when an entry was written, which the ledger itself never allows."""
    type(record)._base_manager.filter(pk=record.pk).update(written=when)


def test_a_void_event_is_written_again_and_one_that_holds_is_found() -> None:
    ship = ShipFactory()
    first = write(ship)
    assert write(ship, data={"squadron": "Blue"}).pk == first.pk
    ServiceRecord.objects.all().void_by("R1")

    again = write(ship, turn="T2", battle="B2")

    assert again.pk != first.pk
    assert (again.turn, again.battle, again.navy_code, again.data) == ("T2", "B2", "ENG", {"squadron": "Red"})
    new = NewRecord(ship, WHEN, "flagship", "flag", {"squadron": "Red"})
    assert records_write_bulk([new, NewRecord(ship, WHEN, "let_go", "go", navy_code="NLD")]) == 1
    assert ServiceRecord.objects.get(event="go").navy_code == "NLD"
    again.__class__.objects.all().void_by("R2")
    assert records_write_bulk([new, new]) == 1
    assert records_write_bulk([]) == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "promoted"}, "no kind of service record 'promoted'; known are mustered, assigned, "),
        ({"data": {}}, "a flagship entry needs squadron"),
        ({"kind": "assigned", "data": {"turn": 1}}, "a assigned entry needs fleet, squadron"),
    ],
)
def test_an_entry_with_missing_references_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        write(ShipFactory(), **changes)
    assert not ServiceRecord.objects.exists()


def test_corrections_are_numbered_and_keep_time_turn_battle_and_side() -> None:
    record = write(ShipFactory(), turn="T1", battle="B1")
    first = record_correct(record=record, data={"squadron": "Blue"}, reason=" a slip ", by="umpire")
    second = record_correct(record=record, data={}, reason="no flag", by="umpire", kind="let_go")

    assert (first.event, second.event) == ("flag/correction-1", "flag/correction-2")
    assert (first.kind, second.kind) == ("flagship", "let_go")
    assert first.data == {"squadron": "Blue", "reason": "a slip", "by": "umpire"}
    for row in (first, second):
        assert (row.corrects, row.when, row.turn, row.battle, row.navy_code) == (
            record,
            WHEN,
            "T1",
            "B1",
            "ENG",
        )
    with pytest.raises(ValueError, match="needs a reason"):
        record_correct(record=record, data={}, reason="  ", by="umpire")


def test_a_rollback_voids_later_entries_and_keeps_corrections_of_older_ones() -> None:
    ship = ShipFactory()
    officer = OfficerFactory(navy=ship.navy)
    moment = timezone.now()
    old, exact, new, stranger = (
        ServiceRecordFactory(ship=ship),
        ServiceRecordFactory(ship=ship),
        ServiceRecordFactory(ship=ship),
        ServiceRecordFactory(),
    )
    correction = record_correct(record=old, data={}, reason="x", by="umpire")
    of_new = record_correct(record=new, data={}, reason="x", by="umpire")
    already = ServiceRecordFactory(ship=ship)
    ServiceRecord.objects.filter(pk=already.pk).void_by("R0")
    told, told_before = OfficerRecordFactory(officer=officer), OfficerRecordFactory(officer=officer)
    for row, seconds in (
        (old, -1),
        (exact, 0),
        (new, 1),
        (correction, 2),
        (of_new, 2),
        (told, 0),
        (told_before, -1),
    ):
        written(row, moment + timedelta(seconds=seconds))

    assert records_void(book=ship.book, since=moment, action="R1") == 4

    marks = dict(ServiceRecord.objects.values_list("pk", "void"))
    assert marks == {
        old.pk: "", exact.pk: "R1", new.pk: "R1", stranger.pk: "", correction.pk: "", of_new.pk: "R1", already.pk: "R0",
    }  # fmt: skip
    assert dict(OfficerRecord.objects.values_list("pk", "void")) == {told.pk: "R1", told_before.pk: ""}


def test_the_digest_of_a_turn_covers_every_change_and_skips_corrections() -> None:
    ship = ShipFactory()
    digests = [records_digest(book=ship.book, turn="T1")]

    def digest() -> str:
        return flawless(records_digest, book=ship.book, turn="T1")

    for event in ("b", "a"):
        write(ship, event, turn="T1")
        digests.append(digest())
    assert len(set(digests)) == 3
    write(ship, "c", turn="T2")
    write(ShipFactory(), turn="T1")
    record_correct(record=ServiceRecord.objects.get(event="a"), data={}, reason="x", by="umpire")
    assert digest() == digests[-1]
    assert len(digest()) == 64


def test_a_record_of_the_turns_start_holds_all_that_may_change_and_nothing_else() -> None:
    meeting = Meeting()
    document = rows_document(TABLES, meeting.book)

    assert {name: set(table["columns"]) for name, table in document.items()} == {
        "fleets.fleet": {"name", "commander", "ended"},
        "fleets.squadron": {"fleet", "name", "order", "flagship"},
        "fleets.ship": {
            "navy", "squadron", "name", "former_names", "condition", "complement", "complement_estimated", "men",
            "captain", "order", "prize", "fate",
        },
        "fleets.officer": {"navy", "name", "flag_rank", "seniority", "ship", "status"},
        "fleets.prize": {
            "prize_crew", "prisoners", "status", "port", "court", "aboard", "value", "head_money", "void",
        },
    }  # fmt: skip
    assert [row[0] for row in document["fleets.ship"]["rows"]] == sorted(
        ship.pk for ship in meeting.english + meeting.dutch
    )
    assert document["fleets.officer"]["rows"] == []


def restore(book: Book, document: dict[str, Any]) -> None:
    rows_restore(TABLES, book, document, action="R7")


def test_a_rollback_restores_what_was_and_ends_or_voids_what_came_later() -> None:
    meeting = Meeting()
    ship, untouched = meeting.english[:2]
    officer = OfficerFactory(navy=ship.navy, ship=ship)
    prize = PrizeFactory(ship=ship, captor=ship.navy, taken_from=meeting.dutch[0].navy, prisoners=90)
    document = rows_document(TABLES, meeting.book)
    Ship.objects.filter(pk=ship.pk).update(
        men=1, squadron=None, fate="sunk", condition={}, former_names=["x"]
    )
    Officer.objects.update(status="killed", ship=None)
    Prize.objects.update(status="lost", prisoners=0)
    Fleet.objects.filter(pk=meeting.red.fleet.pk).update(ended=True)
    fleet = FleetFactory(navy=ship.navy)
    squadron = SquadronFactory(fleet=fleet)
    late = ShipFactory(squadron=squadron, navy=ship.navy, book=meeting.book)
    later = PrizeFactory(ship=late, captor=ship.navy, taken_from=meeting.dutch[0].navy)
    person = OfficerFactory(navy=ship.navy, name="Late")
    elsewhere = FleetFactory()

    restore(meeting.book, document)

    back = Ship.objects.get(pk=ship.pk)
    assert (back.men, back.squadron, back.fate, back.former_names) == (200, meeting.red, "afloat", [])
    assert back.condition == ship.condition
    assert (back.history.first().history_change_reason, back.history.count()) == ("R7", 2)
    assert untouched.history.count() == 1, "what stands as it stood is not written"
    for row, values in (
        (officer, {"status": "serving", "ship": ship}),
        (prize, {"status": "sailing", "prisoners": 90, "void": ""}),
        (later, {"status": "sailing", "void": "R7"}),
        (fleet, {"ended": True}),
        (squadron, {"fleet": fleet}),
        (late, {"squadron": None, "fate": "afloat"}),
        (person, {"status": "serving", "name": "Late"}),
        (elsewhere, {"ended": False}),
        (meeting.red.fleet, {"ended": False}),
    ):
        row.refresh_from_db()
        assert {name: getattr(row, name) for name in values} == values, row


def test_an_archive_of_an_older_version_is_read_as_far_as_possible() -> None:
    meeting = Meeting()
    fleet = meeting.red.fleet
    document = {
        "fleets.fleet": {
            "columns": ["gone", "commander", "name"],
            "rows": [[row.pk, "?", "Ayscue", "White"] for row in Fleet.objects.all()],
        }
    }
    Squadron.objects.update(name="Changed")

    restore(meeting.book, document)

    fleet.refresh_from_db()
    assert (fleet.commander, fleet.name, fleet.ended) == ("Ayscue", "White", False)
    assert set(Squadron.objects.values_list("name", flat=True)) == {"Changed"}
