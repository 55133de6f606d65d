"""Histories as the library shows them, with who, when, why and the difference; restoring an earlier version needs a reason."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from simple_history.admin import SimpleHistoryAdmin
from simple_history.template_utils import HistoricalRecordContextHelper

from fleets.services.import_plans import shown


class PlainDifference(HistoricalRecordContextHelper):
    """Old and new values in words: lists and documents without brackets and quotes."""

    def prepare_delta_change_value(self, change: Any, value: Any) -> Any:
        """The value as the pages of an import show it."""
        return shown(value) if isinstance(value, dict | list) or value is None else value


class ReasonedHistory(SimpleHistoryAdmin):
    """A model whose history is shown without styles inside the page, and whose deleted rows keep theirs."""

    object_history_template = "admin/fleets/history.html"
    object_history_list_template = "admin/fleets/history_list.html"
    object_history_form_template = "admin/fleets/history_form.html"

    def get_history_queryset(
        self, request: HttpRequest, history_manager: Any, pk_name: str, object_id: Any
    ) -> Any:
        """With the batches that made the versions, where the history knows of batches."""
        found = super().get_history_queryset(request, history_manager, pk_name, object_id)
        names = {field.name for field in history_manager.model._meta.fields}
        return found.select_related("batch") if "batch" in names else found

    def get_historical_record_context_helper(self, request: HttpRequest, historical_record: Any) -> Any:
        """Differences in words."""
        return PlainDifference(self.model, historical_record)
