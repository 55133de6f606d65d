"""Filters of the lists of ships: guns and years in bands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Max, Min, QuerySet
from django.http import HttpRequest

_GUNS = ((0, 19), (20, 29), (30, 39), (40, 49), (50, 59), (60, 69), (70, 79), (80, 89), (90, 140))


class GunsFilter(admin.SimpleListFilter):
    """By the number of guns."""

    title = "guns"
    parameter_name = "guns"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Bands of ten, and those not known."""
        bands = [(f"{least}-{most}", f"{least} to {most}") for least, most in _GUNS[:-1]]
        return [*bands, ("90-140", "90 or more"), ("none", "not known")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Ships of the band."""
        return _banded(queryset, "guns", self.value())


class FilledFilter(admin.AllValuesFieldListFilter):
    """By each value of a column. A link needs words where the column is empty."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """As Django has them, the empty one in words."""
        for choice in super().choices(changelist):
            yield {**choice, "display": choice["display"] or "not known"}


class YearFilter(admin.SimpleListFilter):
    """By the year of launch."""

    title = "year built"
    parameter_name = "built"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Decades from the first ship to the last, of the chosen register where one is chosen."""
        rows = model_admin.get_queryset(request)
        chosen = request.GET.get("register__id__exact", "")
        if chosen.isdigit():
            rows = rows.filter(register=int(chosen))
        ends = rows.aggregate(first=Min("year_built"), last=Max("year_built"))
        return [*_decades(ends["first"], ends["last"]), ("none", "not known")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Ships of the decade."""
        return _banded(queryset, "year_built", self.value())


def _decades(first: int | None, last: int | None) -> Iterator[tuple[str, str]]:
    """Decades; spans of thirty years where there would be more than thirty decades."""
    if first is None or last is None:
        return
    step = 10 if last - first < 300 else 30
    for year in range(first - first % step, last + 1, step):
        yield f"{year}-{year + step - 1}", f"{year} to {year + step - 1}"


def _banded(rows: QuerySet[Any], column: str, value: str | None) -> QuerySet[Any]:
    if value == "none":
        return rows.filter(**{f"{column}__isnull": True})
    least, _, most = (value or "").partition("-")
    if not (least.isdigit() and most.isdigit()):
        return rows
    return rows.filter(**{f"{column}__gte": int(least[:6]), f"{column}__lte": int(most[:6])})
