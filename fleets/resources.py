"""Register entries exported to a spreadsheet, so that they can be edited there and imported again."""

from __future__ import annotations

from typing import Any

from import_export import fields, resources
from import_export.formats import base_formats
from import_export.widgets import JSONWidget, Widget

from fleets.forms import EXTRA_COLUMNS
from fleets.models import RegisterEntry
from fleets.register_columns import COLUMNS

_ARMED = tuple("=+-@\t\r")


class _NameWidget(Widget):
    """A row of another table, by its code or name."""

    def __init__(self, attribute: str) -> None:
        super().__init__()
        self.attribute = attribute

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        """What a file calls it."""
        return str(getattr(value, self.attribute)) if value is not None else ""


class _ExtraField(fields.Field):
    """A column that only some registers have."""

    def get_value(self, instance: Any) -> Any:
        """Lists with semicolons between their words."""
        value = (instance.extra or {}).get(self.column_name)
        return "; ".join(map(str, value)) if isinstance(value, list) else value

    def export(self, instance: Any, **kwargs: Any) -> Any:
        """The value itself, nothing for none."""
        value = self.get_value(instance)
        return "" if value is None else value


class _OverridesField(fields.Field):
    """Card figures by rule set, as JSON; nothing where there are none."""

    def export(self, instance: Any, **kwargs: Any) -> Any:
        """An empty cell rather than empty brackets."""
        return super().export(instance, **kwargs) if instance.overrides else ""


class RegisterEntryResource(resources.ModelResource):
    """Entries with their register's code and nation's name; columns of single registers as columns of their own."""

    register = fields.Field("register", "register", _NameWidget("code"))
    nation = fields.Field("nation", "nation", _NameWidget("name"))
    overrides = _OverridesField("overrides", "overrides", JSONWidget())

    class Meta:
        model = RegisterEntry
        fields = ("register", "line", *(column for column in COLUMNS if column != "extra"))
        export_order = (*fields, *EXTRA_COLUMNS)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for column in EXTRA_COLUMNS:
            self.fields[column] = _ExtraField(column_name=column, readonly=True)


def _disarmed(value: Any) -> Any:
    """A text that a spreadsheet would run, with an apostrophe before it, which an import removes."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_ARMED) else value


class _Disarmed:
    """A format for spreadsheets, in which no cell is run."""

    def export_data(self, dataset: Any, **kwargs: Any) -> Any:
        """The file; texts that begin with = + - @ are marked as texts."""
        rows = [tuple(map(_disarmed, row)) for row in dataset]
        headers = dataset.headers
        dataset.wipe()
        dataset.headers = headers
        dataset.extend(rows)
        return super().export_data(dataset, **kwargs)  # type: ignore[misc]


class DisarmedCSV(_Disarmed, base_formats.CSV):
    """CSV that Excel opens with its accents right, and in which it runs nothing."""

    def export_data(self, dataset: Any, **kwargs: Any) -> Any:
        """With a byte order mark."""
        return "\ufeff" + super().export_data(dataset, **kwargs)


class DisarmedXLSX(_Disarmed, base_formats.XLSX):
    """A workbook in which nothing is run."""


FORMATS = [DisarmedCSV, DisarmedXLSX, base_formats.JSON]
