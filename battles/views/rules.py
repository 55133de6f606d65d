"""The rules, for everyone: what is played, clause by clause."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles import rule_books


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """All rule books."""
    books = [rule_books.rule_book(name) for name in rule_books.names()]
    return render(request, "rules/rules_index.html", {"books": books})


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """One book. Raises Http404 for a rule set that is not installed."""
    try:
        book = rule_books.rule_book(name)
    except KeyError:
        raise Http404("no such rule book") from None
    others = [(other, rule_books.title_of(other)) for other in rule_books.names() if other != name]
    return render(request, "rules/rules.html", {"book": book, "others": others})
