"""Rows as they were at a moment, kept as a document and restored from it. Nothing is deleted. Rule: G.UM3.

A table names a model and how its rows hang on a book; every column is kept except those that never change. Rooms above add tables of
their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Field, Model, QuerySet
from simple_history.utils import bulk_update_with_history

from fleets.models import Book, Fleet, Officer, Prize, Ship, Squadron

_PLAIN = (str, int, bool, type(None), list, dict)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that a rollback puts back. book: lookup from a row to its book; fixed: columns that never change, which are left out.

    since: what becomes of rows that were made after the moment, as changes of columns; None leaves them as they are. A value
    "VOID" stands for the code of the rollback.
    """

    model: type[Model]
    book: str
    fixed: frozenset[str] = frozenset()
    since: Mapping[str, Any] | None = None
    history: bool = field(default=False)

    @property
    def name(self) -> str:
        """The table's name in a document."""
        return self.model._meta.label_lower

    def columns(self) -> list[Field]:
        """The columns that are kept."""
        fields = (f for f in self.model._meta.concrete_fields if not f.primary_key)
        return [f for f in fields if f.name not in self.fixed]

    def rows(self, book: Book) -> QuerySet[Any]:
        """All rows of a book, void ones too, without the joins of a default ordering."""
        return self.model._base_manager.filter(**{self.book: book}).order_by("pk")


TABLES: tuple[Table, ...] = (
    Table(Fleet, "navy__book", frozenset({"navy", "code"}), {"ended": True}),
    Table(Squadron, "fleet__navy__book", frozenset({"code"})),
    Table(
        Ship,
        "book",
        frozenset({"book", "built_for", "entry", "code", "facts", "card", "ship_type"}),
        {"squadron": None},
        history=True,
    ),
    Table(Officer, "navy__book"),
    Table(Prize, "ship__book", frozenset({"ship", "captor", "taken_from", "taken_by", "when", "battle"}), {"void": "VOID"}),
)  # fmt: skip


def rows_document(tables: Sequence[Table], book: Book) -> dict[str, Any]:
    """The rows of some tables as a JSON document. One query a table."""
    document = {}
    for table in tables:
        columns = table.columns()
        found = table.rows(book).values_list("pk", *(column.attname for column in columns))
        document[table.name] = {
            "columns": [column.name for column in columns],
            "rows": [[row[0], *map(_plain, row[1:])] for row in found],
        }
    return document


def rows_restore(tables: Iterable[Table], book: Book, document: Mapping[str, Any], *, action: str) -> None:
    """Put rows back as a document has them. action: code of the rollback. A table that is not in the document is left. Rule: G.UM3."""
    with transaction.atomic():
        for table in tables:
            if table.name in document:
                _restore(table, book, document[table.name], action)


def _restore(table: Table, book: Book, document: Mapping[str, Any], action: str) -> None:
    known = {column.name: column for column in table.columns()}
    columns = [known[name] for name in document["columns"] if name in known]
    places = [n for n, name in enumerate(document["columns"], start=1) if name in known]
    then = {row[0]: [row[n] for n in places] for row in document["rows"]}
    changed, new = [], []
    for row in table.rows(book):
        if row.pk not in then:
            new.append(row.pk)
            continue
        values = [
            value if column.is_relation else column.to_python(value)
            for column, value in zip(columns, then[row.pk], strict=True)
        ]
        if any(getattr(row, column.attname) != value for column, value in zip(columns, values, strict=True)):
            for column, value in zip(columns, values, strict=True):
                setattr(row, column.attname, value)
            changed.append(row)
    names = [column.name for column in columns]
    if changed and table.history:
        bulk_update_with_history(changed, table.model, names, batch_size=100, default_change_reason=action)
    elif changed:
        table.model._base_manager.bulk_update(changed, names, batch_size=100)
    if new and table.since is not None:
        changes = {name: action if value == "VOID" else value for name, value in table.since.items()}
        table.model._base_manager.filter(pk__in=new).update(**changes)


def _plain(value: Any) -> Any:
    """A value as JSON has it; what JSON cannot express becomes text."""
    return value if isinstance(value, _PLAIN) else str(value)
