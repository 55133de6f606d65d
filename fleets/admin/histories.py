"""Histories as the library shows them, with who, when, why and the difference; an earlier version is gone back to with a reason."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from simple_history.admin import SimpleHistoryAdmin


class ReasonedHistory(SimpleHistoryAdmin):
    """A model whose history is shown without styles inside the page, and whose deleted rows keep theirs."""

    object_history_list_template = "admin/fleets/history_list.html"
    object_history_form_template = "admin/fleets/history_form.html"

    def get_history_queryset(
        self, request: HttpRequest, history_manager: Any, pk_name: str, object_id: Any
    ) -> Any:
        """With the batches that made the versions, where the history knows of batches."""
        found = super().get_history_queryset(request, history_manager, pk_name, object_id)
        names = {field.name for field in history_manager.model._meta.fields}
        return found.select_related("batch") if "batch" in names else found
