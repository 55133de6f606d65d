"""A battle instruction is complete: it is stored, the form has it, and a reply by email may contain it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from campaign.forms import DOCTRINE, PLAIN, OrdersForm
from campaign.notices.replies import FLEET, LABELS, ROUTE
from campaign.rules.chart.types import FleetOrder, Instructions
from campaign.rules.state.documents import order_doc

NAMES = {field.name for field in fields(Instructions)} - {"doctrine"}


@pytest.mark.clause("G.MV5")
def test_every_battle_instruction_is_stored_and_has_its_field_on_the_form() -> None:
    assert set(order_doc(FleetOrder("e"))["instructions"]) == {*NAMES, "doctrine"}
    assert set(PLAIN) == NAMES
    assert {*PLAIN, *DOCTRINE} <= set(OrdersForm.base_fields)


@pytest.mark.clause("G.MV5")
def test_every_field_of_the_form_may_appear_in_a_reply() -> None:
    assert set(LABELS) - {FLEET, ROUTE} == set(OrdersForm.base_fields) - {"state_no"}
