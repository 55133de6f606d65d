"""Addresses of the battles pages that belong to no campaign."""

from django.urls import path

from battles.views.rules import rules, rules_cases, rules_index

urlpatterns = [
    path("rules/", rules_index, name="rules_index"),
    path("rules/<slug:name>", rules, name="rules"),
    path("rules/<slug:name>/cases", rules_cases, name="rules_cases"),
]
