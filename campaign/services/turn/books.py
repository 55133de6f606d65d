"""The rows of a campaign at a turn's start, and their way back. Rule: G.UM3.

Whatever room adds rows that a turn changes adds its tables here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.models import CalendarRow, Campaign, Command, Letter, Release, Station
from fleets.services import row_snapshots
from fleets.services.row_snapshots import Table, rows_document, rows_restore

TABLES: tuple[Table, ...] = (
    *row_snapshots.TABLES,
    Table(Station, "fleet__navy__book", frozenset({"fleet"})),
    Table(Command, "fleet__navy__book", frozenset({"fleet"})),
    Table(
        CalendarRow,
        "campaign__book",
        frozenset(
            {
                "campaign",
                "code",
                "kind",
                "deed",
                "side",
                "first",
                "last",
                "chance",
                "known",
                "announced",
                "do",
                "text",
                "note",
                "sheets",
            }
        ),
    ),
    Table(
        Letter,
        "campaign__book",
        frozenset({"campaign", "sender", "recipient", "text", "written", "truce", "sent_at", "opened"}),
        {"void": "VOID"},
    ),
    Table(
        Release,
        "campaign__book",
        frozenset({"campaign", "side", "subject", "field", "value", "hour", "by", "at"}),
        {"void": "VOID"},
    ),
    Table(
        Campaign,
        "book",
        frozenset(
            {
                "book",
                "theatre",
                "theatre_hash",
                "name",
                "start_date",
                "created",
                "demo_seed",
                "chart_version",
                "chart_rules",
                "rules_taken",
                "rules_passed",
                "began_as",
                "opening",
                "opening_code",
                "status",
                "deadline_hours",
                "paused",
                "deadline_days",
                "deadline_at",
                "time_zone",
                "run_when_ready",
            }
        ),
    ),
)


def books_document(campaign: Campaign) -> dict[str, Any]:
    """Everything that a rollback to this moment puts back, as a JSON document."""
    return rows_document(TABLES, campaign.book)


def books_restore(*, campaign: Campaign, document: Mapping[str, Any], action: str) -> None:
    """Put a campaign's rows back as a document has them. action: code of the rollback. Rule: G.UM3."""
    rows_restore(TABLES, campaign.book, document, action=action)
