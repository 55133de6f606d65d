"""The admin site, sealed: no one reads a secret there, or finds one out by a filter, a search, an order of rows or a list.

Every registered admin, ours or a library's, is built on `Sealed`. A list can be narrowed only by the filters that its admin declares,
and by nothing else in the address: an unforeseen look-up is refused. Fields in SECRETS are dropped from
filters, searches, columns, orders and forms even where an admin declares them. Rules: G.FA1, G.IN1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import new_class
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.utils import get_fields_from_path
from django.core.exceptions import FieldDoesNotExist
from django.db.models import F, Model
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest

from deploy.spoken import SpokenAdmin, SpokenFields

# Fields that no one reads before they are revealed, and why. A new field whose name suggests a secret has to be judged:
# tests/deploy/test_sealed.py asks.
SECRETS = {
    "campaign.Turn.chart_secret": "every die of the chart follows from it",
    "campaign.Turn.battle_secret": "every seed of the turn's battles follows from it",
    "battles.Battle.seed": "every die of the battle follows from it",
    "campaign.Campaign.webhook": "anyone who has it can post there",
    "campaign.Preferences.webhook": "anyone who has it can post there",
    "campaign.Notice.address": "of a webhook: anyone who has it can post there",
    "campaign.Invitation.token_hash": "of a key that opens a role in a campaign",
    "auth.User.password": "of a key that opens an account",
    "sessions.Session.session_key": "a key that opens an account",
    "sessions.Session.session_data": "signed with the site's own key",
    "axes.AccessLog.session_hash": "of a key that opens an account",
    "axes.AccessAttempt.get_data": "holds keys of links that did not work",
    "axes.AccessAttempt.post_data": "holds what was typed into a login form",
}
# Those of which a page may show a part: Django masks a password, and an email's page knows what to show of an address.
SHOWN_IN_PART = frozenset({"auth.User.password", "campaign.Notice.address"})

# What the filters of Django and of this site read from an address, besides the path of their field.
_OF_A_FIELD = ("", "__exact", "__in", "__isnull", "__isempty", "__gte", "__lt")
_OF_A_DAY = ("__year", "__month", "__day", "__gte", "__lt")


def label_of(field: Any) -> str:
    """A field as SECRETS names it."""
    return f"{field.model._meta.label}.{field.name}"


def secret_on(model: type[Model], path: str) -> str | None:
    """The secret that a path of fields and look-ups meets, starting from a model; None for a path that meets none."""
    here: Any = model
    for part in path.lstrip("^=@-").split(LOOKUP_SEP):
        try:
            field = here._meta.pk if part == "pk" else here._meta.get_field(part)
        except FieldDoesNotExist:
            return None
        if field.concrete and label_of(field) in SECRETS:
            return label_of(field)
        if field.related_model is None:
            return None
        here = field.related_model
    return None


def _asked_by(model: type[Model], found: Any) -> Iterator[str]:
    """Names in an address that one declared filter reads."""
    if isinstance(found, type) and issubclass(found, admin.SimpleListFilter):
        yield str(found.parameter_name)
        return
    path = found if isinstance(found, str) else found[0]
    yield from (path + look_up for look_up in _OF_A_FIELD)
    field: Any = get_fields_from_path(model, path)[-1]
    if field.is_relation:
        yield f"{path}__{getattr(field, 'target_field', field.related_model._meta.pk).name}__exact"


def _paths_of_order(order: Any) -> Iterator[str]:
    """The fields that a column is sorted by: a path, or an expression over some."""
    parts = order.flatten() if hasattr(order, "flatten") else (order,)
    for part in parts:
        if isinstance(part, str | F):
            yield part if isinstance(part, str) else str(vars(part)["name"])


class Sealed:
    """The base of every admin class and every inline of the site; see `sealed`."""

    model: type[Model]
    opts: Any

    def _free(self, found: Any) -> list[Any]:
        """Names of fields and columns without those that are secret; groups of names are searched too."""
        kept = []
        for name in found or ():
            if isinstance(name, list | tuple):
                kept.append(type(name)(self._free(name)))
            elif not self._hides(name):
                kept.append(name)
        return kept

    def _hides(self, name: Any) -> bool:
        """Whether a name on a form or in a list is a secret that is not shown at all."""
        found = secret_on(self.model, name) if isinstance(name, str) else None
        return found is not None and found not in SHOWN_IN_PART

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> Any:
        """And the secrets, which no form has."""
        found = super().get_exclude(request, obj)  # type: ignore[misc]
        own = [field.name for field in self.opts.concrete_fields if self._hides(field.name)]
        if not own:
            return found
        meta = getattr(getattr(self, "form", None), "_meta", None)
        return [*(found if found is not None else getattr(meta, "exclude", None) or ()), *own]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Without secrets."""
        return self._free(super().get_readonly_fields(request, obj))  # type: ignore[misc]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Without secrets, and without headings that had nothing else."""
        found = super().get_fieldsets(request, obj)  # type: ignore[misc]
        rows = [(title, {**options, "fields": self._free(options["fields"])}) for title, options in found]
        return [row for row in rows if row[1]["fields"]] or rows[:1]

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        """No row can be looked up by a secret."""
        return secret_on(self.model, to_field) is None and super().to_field_allowed(request, to_field)  # type: ignore[misc]


class SealedAdmin(Sealed):
    """The same for an admin class, which has a list too."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only what the declared filters and the list's calendar read. Everything else is refused, secret or not."""
        if secret_on(self.model, lookup) is not None:
            return False
        day = self.date_hierarchy  # type: ignore[attr-defined]
        if day and lookup in {day + look_up for look_up in _OF_A_DAY}:
            return True
        return any(lookup in set(_asked_by(self.model, found)) for found in self.get_list_filter(request))

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Without filters by secrets."""
        found = super().get_list_filter(request)  # type: ignore[misc]
        return [one for one in found if self._by_secret(one) is None]

    def _by_secret(self, found: Any) -> str | None:
        if isinstance(found, type):
            return None
        return secret_on(self.model, found if isinstance(found, str) else found[0])

    def get_search_fields(self, request: HttpRequest) -> Any:
        """Without secrets, including those shown in part: a search would reveal the rest."""
        found = super().get_search_fields(request)  # type: ignore[misc]
        return [path for path in found if secret_on(self.model, path) is None]

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without secrets, and without columns that would be sorted by one."""
        found = super().get_list_display(request)  # type: ignore[misc]
        return [name for name in found if not self._hides(name) and not self._sorts_by_secret(name)]

    def _sorts_by_secret(self, name: Any) -> bool:
        order = name
        if callable(name):
            order = getattr(name, "admin_order_field", None)
        elif hasattr(self, name) or not _is_field(self.opts, name):
            source = getattr(self, name, None) or getattr(self.model, name, None)
            order = getattr(getattr(source, "fget", source), "admin_order_field", None)
        return any(secret_on(self.model, path) is not None for path in _paths_of_order(order))

    def get_ordering(self, request: HttpRequest) -> Any:
        """Without secrets."""
        found = super().get_ordering(request)  # type: ignore[misc]
        return [
            one for one in found if all(secret_on(self.model, path) is None for path in _paths_of_order(one))
        ]

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """Sealed themselves."""
        return [sealed(inline) for inline in super().get_inlines(request, obj)]  # type: ignore[misc]


def _is_field(opts: Any, name: str) -> bool:
    try:
        opts.get_field(name.split(LOOKUP_SEP)[0])
    except FieldDoesNotExist:
        return False
    return True


@cache
def sealed(made: type[BaseModelAdmin[Any]]) -> Any:
    """An admin class, or an inline, that reveals no secret; the same class twice gives the same class."""
    if issubclass(made, Sealed):
        return made
    of_page = issubclass(made, admin.ModelAdmin)
    bases = (SpokenAdmin, SealedAdmin) if of_page else (SpokenFields, Sealed)
    names = {"__doc__": made.__doc__, "__module__": made.__module__, "__qualname__": made.__qualname__}
    return new_class(made.__name__, (*bases, made), {}, lambda body: body.update(names))


class SealedSite(admin.AdminSite):
    """The site's admin."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Nothing is registered unsealed."""
        super().register(model_or_iterable, sealed(admin_class or admin.ModelAdmin), **options)
