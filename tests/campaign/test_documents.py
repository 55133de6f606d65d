"""What a turn leaves behind is stored compressed, in a table of its own, and no page reads more of it than it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import FieldError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.models import Turn, TurnDocument
from campaign.models.packed import PackedJSONField, packed, unpacked
from campaign.services.turn.documents import documents_write
from tests.support.every_page import Page, admin_pages, pages
from tests.support.factories import TurnFactory
from tests.support.fought import fought

DOCUMENT = {"schema": 1, "ships": [{"code": "E1", "name": "Zeven Provinciën", "men": 380}], "none": None}
# Columns that hold a whole turn or battle: a page may read one row of them if it shows that row.
HEAVY = (
    ("campaign_turndocument", "document"),
    ("battles_roster", "scenario"),
    ("battles_battleoutcome", "document"),
    ("battles_battlelog", "packed"),
    ("campaign_notice", "html"),
    ("campaign_chartpicture", "drawing"),
)


def test_a_document_is_packed_to_the_same_bytes_and_comes_back_as_it_was() -> None:
    assert packed(DOCUMENT) == packed(DOCUMENT)
    assert unpacked(memoryview(packed(DOCUMENT))) == DOCUMENT
    long = {"ships": [DOCUMENT["ships"]] * 400}
    assert len(packed(long)) * 20 < len(str(long))


@pytest.mark.parametrize(
    ("stored", "said"),
    [(b"{}", "has the mark b'{'"), (b"", "has the mark b''"), (packed(DOCUMENT)[:-9], "cannot be unpacked")],
)
def test_bytes_that_are_no_document_are_refused_with_the_reason(stored: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        unpacked(stored)


@pytest.mark.django_db
def test_documents_are_written_replaced_and_taken_away_by_kind() -> None:
    turn, other = TurnFactory(), TurnFactory()
    documents_write(turn=other, state={"other": 1})
    assert (turn.state, turn.has_begun) == (None, False)
    documents_write(turn=turn, state=DOCUMENT, books={})
    assert (turn.state, turn.snapshot, turn.books, turn.has_begun) == (DOCUMENT, None, {}, True)
    documents_write(turn=turn, state=[1], snapshot=DOCUMENT, books=None)
    assert (turn.state, turn.snapshot, turn.books) == ([1], DOCUMENT, None)
    TurnDocument.objects.filter(turn=turn, kind="state").update(document={"a": "é"})
    assert Turn.objects.get(pk=turn.pk).state == {"a": "é"}, "as an update writes it"
    (row,) = Turn.objects.filter(pk=turn.pk).prefetch_related("documents")
    with CaptureQueriesContext(connection) as queries:
        assert (row.state, row.snapshot, row.books) == ({"a": "é"}, DOCUMENT, None)
    assert not queries.captured_queries, "they were fetched with the turn"
    assert other.state == {"other": 1}


@pytest.mark.django_db
def test_the_database_cannot_be_asked_for_a_part_of_a_document() -> None:
    assert not TurnDocument.objects.filter(document__isnull=True).exists()
    for lookup in ({"document": {}}, {"document__contains": {}}, {"document__schema": 1}):
        with pytest.raises(FieldError, match="document is stored compressed"):
            TurnDocument.objects.filter(**lookup).exists()
    assert isinstance(TurnDocument._meta.get_field("document"), PackedJSONField)


# Pages that show one of these rows, and how many they read.
_BATTLE = {"battles_roster": 1, "battles_battleoutcome": 1, "battles_battlelog": 1}
SHOWN = {
    "notice_picture": {"campaign_chartpicture": 1},
    **dict.fromkeys(("battle", "battle_cards", "battle_picture", "battle_print", "battle_replay"), _BATTLE),
    "battle_result": {**_BATTLE, "battles_battleoutcome": 2},  # once to know its stage, once to show it
    "admin:battles_battleoutcome_change": {"battles_battleoutcome": 1},
    "admin:battles_roster_change": {"battles_roster": 1},
}


def _read(client: Client, page: Page) -> Counter[str]:
    """How many queries of a page ask for heavy columns, by table. Django's own record of queries would ask the database again for each."""
    found: Counter[str] = Counter()

    def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        columns = sql.partition(" FROM ")[0]
        found.update(table for table, column in HEAVY if f'"{table}"."{column}"' in columns)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        client.get(page.address)
    return found


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.parametrize("role", ["umpire", "english", "observer", "administrator"])
def test_no_page_reads_a_document_that_it_does_not_show(role: str) -> None:
    told = fought()
    client = Client()
    if role == "administrator":
        client.force_login(get_user_model().objects.create_superuser("administrator"))
        addresses = list(admin_pages())
    else:
        client.force_login(told.users[role])
        addresses = pages(told.campaign, told.users[role])
    read = {page.name: _read(client, page) for page in addresses}
    too_much = {name: dict(rows) for name, rows in read.items() if rows and rows != SHOWN.get(name)}
    assert too_much == {}


@pytest.mark.django_db
@pytest.mark.one_database
def test_no_list_of_the_admin_reads_a_theatre_again_for_each_row() -> None:
    fought()
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("administrator"))
    for model in ("place", "passage"):
        with CaptureQueriesContext(connection) as queries:
            shown = client.get(reverse(f"admin:campaign_{model}_changelist"))
        assert shown.context["cl"].result_count, model
        joined = [query["sql"] for query in queries if f'FROM "campaign_{model}"' in query["sql"]]
        assert joined and not [sql for sql in joined if '"campaign_theatre"."document"' in sql], model
