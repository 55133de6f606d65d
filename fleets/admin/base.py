"""What the admin pages of all rooms are built on: read-only pages, and pages that show each umpire their own books.

Site administrators, who may view every book, see everything. Anyone else sees only what belongs to the campaigns they umpire, in
lists, filters, choices, pages and histories alike. Rule: G.IN1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.contrib import admin
from django.db.models import ForeignKey, JSONField, Model, QuerySet
from django.forms import MultiWidget
from django.http import HttpRequest
from django.utils.text import capfirst

from battles.engine import registry
from fleets.keeping import books_of
from fleets.models import Navy


class NotAdded:
    """For rows that are made elsewhere."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No one adds here."""
        return False


class NotDeleted:
    """For rows that are kept."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No one deletes here."""
        return False


class ReadOnlyAdmin(NotAdded, NotDeleted, admin.ModelAdmin):
    """Read-only pages. deferred: fields that are large or secret, which lists do not read.

    A page shows the columns of the list. more: what it shows besides.
    """

    deferred: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The columns, and more."""
        return [*self.list_display, *self.more]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Without the deferred fields."""
        return super().get_queryset(request).defer(*self.deferred)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No one changes anything here."""
        return False


class Labelled:
    """Inputs that Django gives no label, in rows of a table and in a date with its time, have one for screen readers."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The field, whose inputs say what they are."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)  # type: ignore[misc]
        if field is not None:
            label, widget = str(field.label), getattr(field.widget, "widget", field.widget)
            if isinstance(widget, MultiWidget):
                for part, of in zip(("date", "time"), widget.widgets, strict=True):
                    of.attrs["aria-label"] = f"{label}: {part}"
            else:
                widget.attrs["aria-label"] = label
        return field


class ListedInline(Labelled, NotAdded, admin.TabularInline):
    """Rows on the page of what they belong to, neither added nor deleted there."""

    extra = 0
    can_delete = False


class OwnRelatedFilter(admin.RelatedFieldListFilter):
    """A filter whose choices are what the reader may see, and no more."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """Choices that the admin of the related rows would list."""
        related = model_admin.admin_site._registry.get(field.remote_field.model)
        if related is None:
            return super().field_choices(field, request, model_admin)
        ordering = self.field_admin_ordering(field, request, model_admin)
        seen = related.get_queryset(request).order_by().values("pk")
        choices = field.get_choices(
            include_blank=False,
            ordering=ordering,
            limit_choices_to={"pk__in": list(seen.values_list("pk", flat=True))},
        )
        if field.remote_field.model is not Navy:
            return choices
        navies = Navy.objects.select_related("book").in_bulk([key for key, _ in choices])
        return [(key, navy_label(navies[key])) for key, _ in choices]


def navy_label(navy: Navy) -> str:
    """A navy among those of several campaigns: "Spain (Armada)"."""
    return f"{navy.name} ({navy.book})"


def books_open(request: HttpRequest) -> set[int] | None:
    """Keys of the books that the reader may view, None for all; asked once per request."""
    if not hasattr(request, "_books_open"):
        request._books_open = books_of(request.user)  # type: ignore[attr-defined]
    return request._books_open  # type: ignore[attr-defined,no-any-return]


class Capitalised:
    """Every choice begins with a capital, though some labels are written in small letters, for sentences."""

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The field, whose labels look alike."""
        field = super().formfield_for_choice_field(db_field, request, **kwargs)  # type: ignore[misc]
        field.choices = [(value, capfirst(label)) for value, label in field.choices]
        return field


class OwnChoices(Capitalised):
    """Foreign keys are chosen among what the reader may see."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The choices that the admin of the related rows would list; what a form posts is checked against them."""
        related = self.admin_site._registry.get(db_field.remote_field.model)  # type: ignore[attr-defined]
        if related is not None and "queryset" not in kwargs:
            kwargs["queryset"] = related.get_queryset(request)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[misc]
        if field is not None and field.queryset.model is Navy:
            field.queryset = field.queryset.select_related("book")
            field.label_from_instance = navy_label
        return field


def beside(model: type[Model], joined: Iterable[str]) -> list[str]:
    """The JSON of the rows that are read with each row of a list, which the list has no use for. joined: the ways to them."""
    ways = {
        "__".join(parts[:n])
        for parts in (way.split("__") for way in joined)
        for n in range(1, len(parts) + 1)
    }
    found = []
    for way in sorted(ways):
        there: Any = model
        for part in way.split("__"):
            there = there._meta.get_field(part).related_model
        found += [f"{way}__{f.name}" for f in there._meta.fields if isinstance(f, JSONField)]
    return found


class ByBook(OwnChoices):
    """For an admin of rows that belong to a book. book_path: the way from a row to its book, in lookups."""

    book_path = "book"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows of the reader's books; a list decodes no JSON of the rows beside them."""
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        at = request.resolver_match
        if at is not None and str(at.url_name).endswith("_changelist"):
            joined = self.list_select_related  # type: ignore[attr-defined]
            ways = joined if isinstance(joined, list | tuple) else ()
            rows = rows.defer(*beside(self.model, ways))  # type: ignore[attr-defined]
        books = books_open(request)
        return rows if books is None else rows.filter(**{f"{self.book_path}__in": books})

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Filters by related rows name only those that the reader may see."""
        return [self._own_filter(found) for found in super().get_list_filter(request)]  # type: ignore[misc]

    def _own_filter(self, found: Any) -> Any:
        if not isinstance(found, str):
            return found
        model = self.model  # type: ignore[attr-defined]
        field = None
        for name in found.split("__"):
            field = model._meta.get_field(name)
            model = field.related_model
        return (found, OwnRelatedFilter) if isinstance(field, ForeignKey) else found

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only rows of the reader's books."""
        return super().has_view_permission(request, obj) and self._own(request, obj)  # type: ignore[misc]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only rows of the reader's books."""
        return super().has_change_permission(request, obj) and self._own(request, obj)  # type: ignore[misc]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only rows of the reader's books."""
        return super().has_delete_permission(request, obj) and self._own(request, obj)  # type: ignore[misc]

    def _own(self, request: HttpRequest, obj: Any) -> bool:
        """Whether a row is of the reader's books, as the database has it; found once per request and row."""
        if obj is None or obj.pk is None or books_open(request) is None:
            return True
        if not isinstance(obj, self.model):  # type: ignore[attr-defined]
            return True  # an inline asks with its parent, which has been checked
        known = request.__dict__.setdefault("_own_rows", {})
        key = (obj._meta.label, obj.pk)
        if key not in known:
            books = books_open(request) or set()
            known[key] = self.model._base_manager.filter(  # type: ignore[attr-defined]
                pk=obj.pk, **{f"{self.book_path}__in": books}
            ).exists()
        return known[key]


class RuleSetFilter(admin.AllValuesFieldListFilter):
    """Rule sets by their titles."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Django's choices in the rule books' words."""
        for choice in super().choices(changelist):
            name = choice["display"]
            yield {
                **choice,
                "display": registry.rule_set(name).title if name in registry.names() else name,
            }


def column(label: str, tell: Callable[[Any], Any], order: str | None = None) -> Any:
    """A column of a read-only list. tell: a row's value in words. order: the field it is sorted by."""

    @admin.display(description=label, ordering=order)
    def shown(self: Any, row: Any) -> Any:
        return tell(row)

    return shown


def read_only(
    model: type[Model],
    path: str,
    shown: str,
    filters: str = "",
    joined: str = "",
    search: str = "",
    **more: Any,
) -> None:
    """Register read-only pages for the rows of a model, each reader's own.

    path: the way from a row to its book. shown, filters, joined (read together with each row), search: names, separated by spaces.
    """
    about = {
        "book_path": path, "list_display": shown.split(), "list_filter": filters.split(), "list_select_related": joined.split(),
        "search_fields": search.split(), "__module__": model.__module__, **more,
    }  # fmt: skip
    admin.site.register(model, type(f"{model.__name__}Admin", (ByBook, ReadOnlyAdmin), about))
