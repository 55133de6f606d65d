"""The rules, for everyone: what is played, clause by clause."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles import clause_cases, rule_books


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """All rule books."""
    books = [rule_books.rule_book(name) for name in rule_books.names()]
    return render(request, "rules/rules_index.html", {"books": books})


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """One book. Raises Http404 for a rule set that is not installed."""
    book = _book_or_404(name)
    others = [(other, rule_books.title_of(other)) for other in rule_books.names() if other != name]
    return render(request, "rules/rules.html", {"book": book, "others": others})


@require_safe
def rules_cases(request: HttpRequest, name: str) -> HttpResponse:
    """The clauses of a book with their cases and the last results. Raises Http404 for a rule set that is not installed."""
    book = _book_or_404(name)
    results = clause_cases.read(name)
    chapters = clause_cases.chapters(name, results)
    clauses = [clause for chapter in chapters for clause in chapter.clauses]
    context = {
        "book": book,
        "results": results,
        "current": results is not None and results.stamp == clause_cases.stamp_of(name),
        "chapters": chapters,
        "with_cases": sum(clause.cases > 0 for clause in clauses),
        "failed": [clause for clause in clauses if clause.failed],
    }
    return render(request, "rules/rules_cases.html", context)


def _book_or_404(name: str) -> rule_books.RuleBook:
    try:
        return rule_books.rule_book(name)
    except KeyError:
        raise Http404("Rule book not found") from None
