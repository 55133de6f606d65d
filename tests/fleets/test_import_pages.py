"""A file into a register and out again: choose, preview, confirm, undo; nothing is saved before the confirmation."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from fleets.forms import nations_by_name
from fleets.models import ImportBatch, Register, RegisterEntry
from fleets.register_files import read_table
from fleets.register_rows import checked_rows
from fleets.services.import_plans import import_plan
from tests.support.factories import RegisterEntryFactory, RegisterFactory
from tests.support.sheets import HEADER, bomb, csv_of, ships, xlsx_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
IMPORT = "/admin/fleets/registerentry/import/"
FORMATS = {"csv": "0", "xlsx": "1", "json": "2"}


def _send(client: Any, register: Any, raw: bytes, name: str = "ships.csv", **more: Any) -> Any:
    data = {"register": register.pk, "file": SimpleUploadedFile(name, raw), **more}
    return client.post(IMPORT, data, follow=True)


def _json_of(rows: Any) -> bytes:
    return json.dumps([dict(zip(HEADER, row, strict=True)) for row in rows]).encode()


def _changed() -> list[list[Any]]:
    rows = ships(4)
    rows[1][4] = 61
    return rows


@pytest.mark.parametrize(("kind", "write"), [("csv", csv_of), ("xlsx", xlsx_of), ("json", _json_of)])
def test_a_file_is_previewed_and_confirmed_and_the_same_again_changes_nothing(
    keeper_client: Any, keeper: Any, club: Any, kind: str, write: Any
) -> None:
    shown = _send(keeper_client, club, write(_changed()), f"ships.{kind}")

    page = shown.content.decode()
    assert "<b>1</b> changed, <b>1</b> new, <b>2</b> unchanged" in page
    assert "<del>41</del>" in page and "<ins>61</ins>" in page
    assert RegisterEntry.objects.filter(register=club).count() == 3
    mark = re.search(r'name="mark" value="(\w+)"', page)
    assert mark is not None
    done = keeper_client.post(
        shown.request["PATH_INFO"], {"mark": mark.group(1), "reason": "new list", "confirm": "1"}, follow=True
    )
    assert "1 new, 1 changed, 2 unchanged" in done.content.decode()
    assert f'<a href="/registers/{club.code}/">Open the register</a>' in done.content.decode()
    version = RegisterEntry.objects.get(register=club, name="Ship 1").history.first()
    assert (version.guns, version.history_user, version.history_change_reason) == (
        61, keeper, f"new list (ships.{kind})",
    )  # fmt: skip
    again = _send(keeper_client, club, write(_changed()), f"ships.{kind}").content.decode()
    assert "<b>0</b> changed, <b>0</b> new, <b>4</b> unchanged" in again
    assert "Save these ships" not in again


def test_all_errors_in_a_file_are_shown_by_line_column_value_and_expectation(
    keeper_client: Any, club: Any
) -> None:
    rows = ships(5)
    rows[1][4], rows[2][6], rows[3][1] = "1,200", "c. 1650", "<script>alert(1)</script>"

    page = _send(keeper_client, club, csv_of(rows)).content.decode()

    assert "3 errors. Nothing was saved." in page
    for words in ("1,200", "has a thousands separator", "write 1200", "c. 1650", "is a guess, not a number"):
        assert words in page
    assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page
    assert not ImportBatch.objects.exists()
    assert RegisterEntry.objects.filter(register=club).count() == 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: random.Random(3).randbytes(10 * 2**20), "is larger than 4 MB"),
        (lambda: bomb(80), "unpacks to more than 40 MB"),
        (lambda: b"", "empty"),
    ],
)
def test_rubbish_and_bombs_are_refused_in_words(
    keeper_client: Any, club: Any, make: Callable[[], bytes], words: str
) -> None:
    answer = _send(keeper_client, club, make(), "ships.xlsx")

    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not ImportBatch.objects.exists()


def test_unknown_columns_stop_a_file_unless_they_are_to_be_skipped(keeper_client: Any, club: Any) -> None:
    raw = csv_of([[*row, "a lion"] for row in ships(4)], [*HEADER, "Figurehead"])

    stopped = _send(keeper_client, club, raw).content.decode()
    passed = _send(keeper_client, club, raw, skip_unknown="on").content.decode()

    assert "Figurehead" in stopped and "is not a known column" in stopped
    assert "Ignored columns: Figurehead." in passed


def test_a_register_changed_since_the_preview_is_shown_again(keeper_client: Any, club: Any) -> None:
    shown = _send(keeper_client, club, csv_of(_changed()))
    RegisterEntry.objects.filter(name="Ship 2").update(guns=9)

    page = keeper_client.post(
        shown.request["PATH_INFO"],
        {"mark": re.search(r'name="mark" value="(\w+)"', shown.content.decode()).group(1), "confirm": "1"},
        follow=True,
    )  # fmt: skip

    assert "The register has changed since this preview" in page.content.decode()
    assert "<b>2</b> changed" in page.content.decode()
    assert ImportBatch.objects.get().status == "waiting"


def test_an_import_is_cancelled_and_undone_on_its_pages(keeper_client: Any, club: Any) -> None:
    shown = _send(keeper_client, club, csv_of(_changed()))
    keeper_client.post(shown.request["PATH_INFO"], {"give_up": "1"})
    assert not ImportBatch.objects.exists()
    shown = _send(keeper_client, club, csv_of(_changed()))
    mark = re.search(r'name="mark" value="(\w+)"', shown.content.decode()).group(1)  # type: ignore[union-attr]
    keeper_client.post(shown.request["PATH_INFO"], {"mark": mark, "confirm": "1"})
    batch = ImportBatch.objects.get()

    page = keeper_client.get(reverse("admin:fleets_importbatch_change", args=[batch.pk])).content.decode()
    asked = keeper_client.get(reverse("admin:fleets_importbatch_undo", args=[batch.pk])).content.decode()
    done = keeper_client.post(
        reverse("admin:fleets_importbatch_undo", args=[batch.pk]), {"reason": "wrong file"}, follow=True
    )

    assert "Ship 3" in page and "Undo all changes" in page
    assert "1 new ship would be removed and 1 ship would be restored" in " ".join(asked.split())
    assert "Undone. Ships removed: 1. Ships restored: 1." in done.content.decode()
    assert RegisterEntry.objects.get(name="Ship 1").guns == 41


def test_a_file_makes_a_new_register_once_it_has_no_errors(keeper_client: Any) -> None:
    RegisterFactory(code="home-fleet", title="Home fleet")

    def sent(raw: bytes, title: str) -> str:
        data = {"register": "", "title": title, "year": "1666", "file": SimpleUploadedFile("ships.csv", raw)}
        return keeper_client.post(IMPORT, data, follow=True).content.decode()

    assert "enter the title of a new one" in sent(csv_of(ships(2)), " ")
    assert "There is a register “Home fleet” already" in sent(csv_of(ships(2)), "Home fleet")
    assert "Use letters or digits" in sent(csv_of(ships(2)), "…")
    wrong = ships(2)
    wrong[0][4] = "many"
    sent(csv_of(wrong), "Club fleet")
    assert not Register.objects.filter(code="club-fleet").exists()
    assert "Preview import" in sent(csv_of(ships(2)), "Club fleet")
    assert Register.objects.get(code="club-fleet").year == 1666


def test_an_original_cannot_be_chosen(keeper_client: Any) -> None:
    original = RegisterFactory(original=True)

    sent = _send(keeper_client, original, csv_of(ships(1)))

    assert not ImportBatch.objects.exists()
    assert sent.status_code == 200


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_template_lists_allowed_values_and_can_be_imported_unchanged(
    keeper_client: Any, club: Any, kind: str
) -> None:
    raw = keeper_client.get(f"/admin/fleets/registerentry/template.{kind}").content

    assert import_plan(register=club, raw=raw).faults == ()
    ((row,), _) = checked_rows(read_table(raw), nations_by_name())
    entry = row.entry
    assert (entry.name, entry.guns, entry.side) == ("Speaker", 52, "English")
    if kind == "xlsx":
        book = load_workbook(io.BytesIO(raw))
        told = {row[0].value: row[2].value for row in book["Allowed values"].iter_rows(min_row=2)}
        assert set(told) >= set(read_table(raw).header)
        assert "galleass" in told["ship_type"] and "England" in told["nation"]
        assert told["guns"] == "a whole number from 0 to 140 (guns), or empty"
        assert len(book["Ships"].data_validations.dataValidation) == 4


def test_there_is_no_third_template(keeper_client: Any) -> None:
    assert keeper_client.get("/admin/fleets/registerentry/template.exe").status_code == 404


def _export(client: Any, kind: str, query: str = "") -> bytes:
    answer = client.post(
        f"/admin/fleets/registerentry/export/{query}", {"format": FORMATS[kind], "resource": ""}
    )
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    return bytes(answer.content)


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_an_export_can_be_imported_again_unchanged(keeper_client: Any, club: Any, kind: str) -> None:
    RegisterEntryFactory(
        register=club, name="São João", crew=None, speed_knots="18.25", gun_detail="30x32pdr;28x24pdr",
        extra={"soldiers": 120, "tags": ["old", "frigate-built"]}, overrides={"kohler": {"hull": 20, "fast": True}},
    )  # fmt: skip

    raw = _export(keeper_client, kind, f"?register__id__exact={club.pk}")

    plan = import_plan(register=club, raw=raw)
    assert plan.faults == ()
    assert [row.changes for row in plan.rows] == [()] * 4
    assert plan.passed_over == ("register", "line")


def test_an_export_is_a_workbook_unless_another_format_is_chosen(keeper_client: Any, club: Any) -> None:
    page = keeper_client.get("/admin/fleets/registerentry/export/").content.decode()

    assert f'<option value="{FORMATS["xlsx"]}" selected' in page


def test_an_export_follows_the_filters_of_the_list(keeper_client: Any, club: Any) -> None:
    other = RegisterEntryFactory(name="Elsewhere")

    rows = json.loads(_export(keeper_client, "json", f"?register__id__exact={other.register_id}"))

    assert [row["name"] for row in rows] == ["Elsewhere"]


EVIL = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\tx", "plain"]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_no_exported_cell_is_run_by_a_spreadsheet(keeper_client: Any, club: Any, kind: str) -> None:
    for n, name in enumerate(EVIL):
        RegisterEntry.objects.filter(register=club, line=n + 2).update(commander=name)
    RegisterEntryFactory(register=club, line=9, name="-2 Lions", commander=EVIL[3], fate_or_note=EVIL[4])

    raw = _export(keeper_client, kind, f"?register__id__exact={club.pk}")

    if kind == "csv":
        assert raw.startswith(b"\xef\xbb\xbf")
        cells = [cell for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"))) for cell in row]
    else:
        rows = load_workbook(io.BytesIO(raw)).active.iter_rows()  # type: ignore[union-attr]
        found = [cell for row in rows for cell in row]
        assert not any(cell.data_type == "f" for cell in found)
        cells = [str(cell.value or "") for cell in found]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]
    assert "'-2 Lions" in cells


def test_the_pages_take_the_same_queries_for_many_ships(keeper_client: Any, club: Any) -> None:
    def cost(rows: int) -> tuple[int, int]:
        raw = csv_of(ships(rows))
        with CaptureQueriesContext(connection) as looked:
            shown = _send(keeper_client, club, raw)
        with CaptureQueriesContext(connection) as out:
            _export(keeper_client, "json")
        keeper_client.post(shown.request["PATH_INFO"], {"give_up": "1"})
        return len(looked), len(out)

    few = cost(4)
    for n in range(40):
        RegisterEntryFactory(register=club, name=f"More {n}")

    assert cost(120) <= few
