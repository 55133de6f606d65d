"""Fleets composed of a register are kept once for a side and a theatre, and no one overwrites another's."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from fleets.compositions import FleetPlan, Plan, plan_document
from fleets.models import Composition
from fleets.services.compositions import (
    CompositionStale,
    composition_change,
    composition_forget,
    composition_of,
    entries_of,
    plan_suggested,
)
from tests.support.factories import RegisterEntryFactory, UserFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

FIRST, OTHER = Plan((FleetPlan("Main", "nore"),)), Plan((FleetPlan("Channel", "nore"),))


def change(register: Any, state_no: int, to: Plan, side: str = "English") -> tuple[int, str] | str:
    """The number and the keeper of the fleets that are kept, or that someone else was quicker."""
    seen: list[Plan] = []
    name = f"keeper {state_no} {to.fleets[0].name}"
    user = get_user_model().objects.filter(username=name).first() or UserFactory(username=name)

    def changed(plan: Plan) -> Plan:
        seen.append(plan)
        return to

    before = composition_of(register, side, "narrow_seas_1666")
    try:
        made = composition_change(
            register=register, side=side, theatre="narrow_seas_1666", state_no=state_no, first=FIRST, change=changed, user=user
        )  # fmt: skip
    except CompositionStale:
        return "stale"
    assert made.document == plan_document(to)
    assert [plan_document(plan) for plan in seen] == [before.document if before else plan_document(FIRST)]
    return made.state_no, made.by


def test_a_change_is_kept_only_by_who_has_seen_the_last_one(club: Any) -> None:
    assert change(club, 1, FIRST) == "stale", "no one has kept any"
    assert change(club, 0, FIRST) == (1, "keeper 0 Main")
    assert change(club, 0, OTHER) == change(club, 2, OTHER) == "stale"
    assert change(club, 1, FIRST) == (1, "keeper 0 Main"), "what is kept already is not kept again"
    assert change(club, 1, OTHER) == (2, "keeper 1 Channel")
    assert change(club, 1, FIRST) == "stale"
    assert change(club, 0, FIRST, "Dutch") == (1, "keeper 0 Main")
    composition_forget(register=club, side="English", theatre="narrow_seas_1666")
    assert [row.side for row in Composition.objects.all()] == ["Dutch"]


def test_who_keeps_the_first_fleets_while_another_does_is_told_so(club: Any) -> None:
    def late(plan: Plan) -> Plan:
        Composition.objects.create(register=club, side="English", theatre="narrow_seas_1666", document={})
        return plan

    with pytest.raises(CompositionStale):
        composition_change(
            register=club, side="English", theatre="narrow_seas_1666", state_no=0, first=FIRST, change=late, user=UserFactory()
        )  # fmt: skip
    assert Composition.objects.get().document == {}


def test_a_change_that_comes_while_another_is_kept_is_stale(club: Any) -> None:
    change(club, 0, FIRST)

    def late(plan: Plan) -> Plan:
        Composition.objects.update(state_no=2)
        return OTHER

    with pytest.raises(CompositionStale):
        composition_change(
            register=club, side="English", theatre="narrow_seas_1666", state_no=1, first=FIRST, change=late, user=UserFactory()
        )  # fmt: skip
    assert Composition.objects.get().document == plan_document(FIRST)


def test_a_flag_is_suggested_for_the_ship_with_most_guns_and_not_for_one_of_unknown_guns(club: Any) -> None:
    club.entries.update(guns=None)
    RegisterEntryFactory(register=club, name="Gunboat", line=9, guns=1)

    (fleet,) = plan_suggested(entries_of(club, "English"), name="English fleet", place="nore").fleets

    assert (fleet.name, fleet.place, fleet.squadrons[0].flagship) == ("English fleet", "nore", "Gunboat")
