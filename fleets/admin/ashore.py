"""What navies have ashore. Read-only: it is written from the chart's state, which would overwrite any change."""

from __future__ import annotations

from django.contrib import admin

from fleets.admin.base import ByBook, ReadOnlyAdmin, column, read_only
from fleets.models import MenAshore, OfficerRecord, PrisonersHeld, PrizeFund, RepairJob
from fleets.record_words import officer_sentence

# The dockyards' books, prize funds, prisoners and men without a ship, by port.
read_only(
    RepairJob,
    "book",
    "ship navy place berth_taken done total ready",
    "book",
    "ship navy",
    "ship__name place",
    places=("place",),
    more=("began",),
    berth_taken=column(
        "berth", lambda job: {None: "waiting", 0: "afloat"}.get(job.berth, job.berth), "berth"
    ),
)
read_only(
    PrizeFund,
    "navy__book",
    "navy balance",
    "navy__book",
    "navy",
    "navy__name",
    balance=column("balance", lambda fund: f"£{fund.pounds:,}", "pounds"),
)
for _row in (
    (PrisonersHeld, "holder__book", "holder place of men", "holder__book", "holder of", "place"),
    (MenAshore, "navy__book", "navy place men", "navy__book", "navy", "place"),
):
    read_only(*_row, places=("place",))


@admin.register(OfficerRecord)
class OfficerRecordAdmin(ByBook, ReadOnlyAdmin):
    """The officers' ledger. It is never changed."""

    book_path = "officer__navy__book"
    list_display = ["when", "officer", "words"]
    list_filter = ["officer__navy__book", "kind"]
    list_select_related = ["officer"]
    search_fields = ["officer__name", "event"]

    @admin.display(description="entry")
    def words(self, record: OfficerRecord) -> str:
        """The entry as a sentence."""
        return officer_sentence(record)
