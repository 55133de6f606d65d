"""A battle instruction is complete: it is stored, the form has it, and a reply by email may contain it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from battles.boards import PRESENTATIONS
from battles.engine import registry
from battles.engine.core.scenario import Doctrine
from campaign.forms import DOCTRINE, PLAIN, OrdersForm
from campaign.notices.replies import FLEET, LABELS, ROUTE
from campaign.rules.chart.types import FleetOrder, Instructions
from campaign.rules.state.documents import order_doc
from tests.support import sets

NAMES = {field.name for field in fields(Instructions)} - {"doctrine"}


@pytest.mark.clause("G.MV5")
def test_every_battle_instruction_is_saved_and_appears_on_the_form() -> None:
    assert set(order_doc(FleetOrder("e"))["instructions"]) == {*NAMES, "doctrine"}
    assert set(PLAIN) == NAMES
    assert {*PLAIN, *DOCTRINE} <= set(OrdersForm.base_fields)


@pytest.mark.parametrize("name", sets.SETS)
def test_a_rule_set_knows_wishes_that_there_are_and_labels_only_those_that_it_knows(
    tiny_set: None, name: str
) -> None:
    known = registry.rule_set(name).wishes
    assert known <= {field.name for field in fields(Doctrine)}
    assert set(PRESENTATIONS[name].wishes) <= known & {*DOCTRINE}
    form = OrdersForm(rule_set=name, ports=[])
    assert {*DOCTRINE} & set(form.fields) == known & {*DOCTRINE}


@pytest.mark.clause("G.MV5")
def test_the_form_has_the_wishes_of_its_rule_set_under_the_sets_own_labels(tiny_set: None) -> None:
    tiny, kohler = (OrdersForm(rule_set=name, ports=[]) for name in ("tiny", "kohler"))
    assert set(kohler.fields) - set(tiny.fields) == {"gauge", "fire_ships"}
    assert (tiny.fields["board"].label, kohler.fields["board"].label) == ("Ram", "Board the enemy")
    assert OrdersForm.base_fields["board"].label == "Board the enemy"


@pytest.mark.clause("G.MV5")
def test_every_entry_on_the_form_may_appear_in_a_reply() -> None:
    assert set(LABELS) - {FLEET, ROUTE} == set(OrdersForm.base_fields) - {"state_no"}
