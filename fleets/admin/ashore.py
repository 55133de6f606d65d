"""What navies have ashore. Read-only: it is written from the chart's state, which would overwrite any change."""

from __future__ import annotations

from django.contrib import admin

from fleets.admin.base import ByBook, ReadOnlyAdmin
from fleets.models import MenAshore, OfficerRecord, PrisonersHeld, PrizeFund, RepairJob
from fleets.record_words import officer_sentence


@admin.register(RepairJob)
class RepairJobAdmin(ByBook, ReadOnlyAdmin):
    """Ships in the dockyards' books."""

    list_display = ["ship", "navy", "place", "berth", "hull", "done", "total", "ready"]
    list_filter = ["book", "place"]
    list_select_related = ["ship", "navy"]
    search_fields = ["ship__name", "place"]


@admin.register(PrizeFund)
class PrizeFundAdmin(ByBook, ReadOnlyAdmin):
    """Prize funds."""

    book_path = "navy__book"
    list_display = ["navy", "pounds"]
    list_filter = ["navy__book"]
    list_select_related = ["navy"]
    search_fields = ["navy__name"]


@admin.register(PrisonersHeld)
class PrisonersHeldAdmin(ByBook, ReadOnlyAdmin):
    """Prisoners by port."""

    book_path = "holder__book"
    list_display = ["holder", "place", "of", "men"]
    list_filter = ["holder__book"]
    list_select_related = ["holder", "of"]
    search_fields = ["place"]


@admin.register(MenAshore)
class MenAshoreAdmin(ByBook, ReadOnlyAdmin):
    """Men without a ship by port."""

    book_path = "navy__book"
    list_display = ["navy", "place", "men"]
    list_filter = ["navy__book"]
    list_select_related = ["navy"]
    search_fields = ["place"]


@admin.register(OfficerRecord)
class OfficerRecordAdmin(ByBook, ReadOnlyAdmin):
    """The officers' ledger. It is never changed."""

    book_path = "officer__navy__book"
    list_display = ["when", "officer", "words", "kind", "turn"]
    list_filter = ["officer__navy__book", "kind"]
    list_select_related = ["officer"]
    search_fields = ["officer__name", "event"]

    @admin.display(description="entry")
    def words(self, record: OfficerRecord) -> str:
        """The entry as a sentence."""
        return officer_sentence(record)
