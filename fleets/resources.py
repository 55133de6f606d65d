"""Register entries out to a spreadsheet and in again, checked by the same form as a file and the page."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.encoding import force_str
from django.utils.safestring import SafeString, mark_safe
from import_export import fields, resources, widgets
from import_export.resources import Diff

from fleets.forms import RegisterEntryForm, faults_of, nations_by_name
from fleets.models import Nation, Register, RegisterEntry


class _TableWidget(widgets.ForeignKeyWidget):
    """A foreign key by name, looked up in a table that is read once an import and not once a row."""

    table: Mapping[str, Any] | None = None

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """The row of that name. Raises ValueError with the names there are."""
        if self.table is None:
            self.table = {getattr(found, self.field): found for found in self.model.objects.all()}
        if value not in self.table:
            raise ValueError(f"{value!r} is not known here; one of {', '.join(sorted(self.table))}")
        return self.table[value]


class _DictWidget(widgets.JSONWidget):
    """A JSON object; an empty cell is an empty one."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        """Raises ValueError when the cell is not JSON."""
        return super().clean(value, row, **kwargs) or {}


class PlainDiff(Diff):
    """What a row changes, marked by elements alone: styles inside the page would break its content security policy."""

    def as_html(self) -> list[SafeString]:
        """One piece of HTML a column."""
        return [
            mark_safe(_changes("" if self.new else force_str(old), force_str(new)))
            for old, new in zip(self.left, self.right, strict=True)
        ]


def _changes(old: str, new: str) -> str:
    parts = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(html.escape(old[i1:i2]))
            continue
        if i2 > i1:
            parts.append(f"<del>{html.escape(old[i1:i2])}</del>")
        if j2 > j1:
            parts.append(f"<ins>{html.escape(new[j1:j2])}</ins>")
    return "".join(parts)


class RegisterEntryResource(resources.ModelResource):
    """Entries with their register's code and nation's name. An entry is known again by register, side and name."""

    register = fields.Field("register", "register", _TableWidget(Register, "code"))
    nation = fields.Field("nation", "nation", _TableWidget(Nation, "name"))
    extra = fields.Field("extra", "extra", _DictWidget())
    overrides = fields.Field("overrides", "overrides", _DictWidget())

    class Meta:
        model = RegisterEntry
        fields = ("register", "line", *RegisterEntryForm.Meta.fields)
        import_id_fields = ("register", "side", "name")
        clean_model_instances = True
        skip_unchanged = True
        report_skipped = True
        use_transactions = True
        store_instance = True

    @classmethod
    def get_diff_class(cls) -> type[Diff]:
        """Marks changes without styles."""
        return PlainDiff

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        """Reads nations and registers once for all rows."""
        super().before_import(dataset, **kwargs)
        self._nations = nations_by_name()
        registers = {register.code: register for register in Register.objects.all()}
        self._originals = {code for code, register in registers.items() if register.original}
        self.fields["register"].widget.table = registers
        self.fields["nation"].widget.table = {nation.name: nation for nation in self._nations.values()}

    def before_import_row(self, row: dict[str, Any], **kwargs: Any) -> None:
        """Checks a row by the form and puts the form's values in its place. Raises ValidationError column by column."""
        if row.get("register") in self._originals:
            raise ValidationError(
                {"register": "a shipped original is read-only; copy it, then change the copy"}
            )
        data = {
            column: "" if value is None else str(value)
            for column, value in row.items()
            if column in RegisterEntryForm.Meta.fields
        }
        for column in ("extra", "overrides"):
            data[column] = data.get(column) or "{}"
        form = RegisterEntryForm(data, nations=self._nations)
        if not form.is_valid():
            raise ValidationError(
                {
                    fault.column: f"{fault.value} {fault.reason}; {fault.right}".strip()
                    for fault in faults_of(form)
                }
            )
        for column in data.keys() & row.keys():
            row[column] = _as_cell(form.cleaned_data[column])


def _as_cell(value: Any) -> Any:
    if isinstance(value, Nation):
        return value.name
    if isinstance(value, dict):
        return json.dumps(value)
    return "" if value is None else value
