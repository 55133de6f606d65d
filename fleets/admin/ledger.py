"""The ledger and the captures, both read-only."""

from __future__ import annotations

from django.contrib import admin

from fleets.admin.base import ByBook, NotAdded, NotDeleted, ReadOnlyAdmin
from fleets.models import Prize, ServiceRecord
from fleets.services.service_records import sentence


@admin.register(ServiceRecord)
class ServiceRecordAdmin(ByBook, ReadOnlyAdmin):
    """The ledger. It is never changed; a correction is a new entry."""

    book_path = "ship__book"
    list_display = ["when", "ship", "words"]
    list_filter = ["ship__book", "kind"]
    list_select_related = ["ship"]
    search_fields = ["ship__name", "ship__code", "event", "battle"]

    @admin.display(description="entry")
    def words(self, record: ServiceRecord) -> str:
        """The entry as a sentence."""
        return sentence(record)


@admin.register(Prize)
class PrizeAdmin(NotAdded, NotDeleted, ByBook, admin.ModelAdmin):
    """Captures, written by battles and kept. Who took whom is never changed."""

    book_path = "ship__book"
    list_display = ["ship", "captor", "taken_from", "taken_by", "when", "status", "prisoners"]
    list_filter = ["ship__book", "status", "captor"]
    list_select_related = ["ship", "captor", "taken_from", "taken_by"]
    search_fields = ["ship__name", "taken_by__name", "battle"]
    readonly_fields = ["ship", "captor", "taken_from", "taken_by", "when"]
    exclude = ["battle"]
