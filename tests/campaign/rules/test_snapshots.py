"""A turn's facts and orders are stored in a document and read back unchanged; another version's document is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import Stance
from campaign.rules.chart.side_orders import MenMove, PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.types import (
    FleetOrder,
    Instructions,
    OfficerFacts,
    Part,
    Settings,
    ShipKind,
    TurnFacts,
)
from campaign.rules.state.economy import officer_key
from campaign.rules.turn.snapshots import facts_from_dict, facts_to_dict, settings_from
from tests.campaign.rules import builders as b

SIDE_ORDER = SideOrder(
    "ENG", ("e1",), (PrizeChoice("p", PrizeAct.BUY, "Guelder"),), ("e1",), {"home": 3}, (MenMove("e1", "e2", 4),), {"NLD": 5}, ("x",),
)  # fmt: skip
ORDER = FleetOrder(
    "e", ("b", "n"), Stance.SEEK, instructions=Instructions(rendezvous="n", chase_hours=7), parts=(Part(("e1",), name="Van"),),
)  # fmt: skip


def facts() -> TurnFacts:
    row = OfficerFacts("Monck", "ENG", True, 1, "e1")
    ships = [b.ship("e1", "ENG", "e", kind=ShipKind.FRIGATE), b.ship("d1", "NLD", "d", prize=True)]
    return b.facts(
        [b.fleet("e", "ENG", "a", "b", to="b", run=5), b.fleet("d", "NLD", "theirs")], ships,
        settings=Settings(see_clear=13), weather=b.weather(), allied=frozenset({frozenset({"ENG", "FRA"})}),
        side_orders={"ENG": SIDE_ORDER}, officers={officer_key("ENG", "Monck"): row}, accepted={"b01": {"turns": 3}},
        carried={"numbers": {"ENG": 3}}, options={"battle": {"x": 1}},
    )  # fmt: skip


@pytest.mark.clause("G.CL2", "G.UM3")
def test_saved_facts_and_orders_are_read_back_unchanged() -> None:
    made = facts()
    doc = json.loads(json.dumps(facts_to_dict(made, {"e": ORDER})))
    assert doc["schema"] == 1
    assert facts_from_dict(doc, made.theatre) == (made, {"e": ORDER})
    old = {name: value for name, value in doc.items() if name not in ("side_orders", "officers", "accepted")}
    read, _ = facts_from_dict(old, made.theatre)
    assert read == replace(made, side_orders={}, officers={}, accepted={})


@pytest.mark.parametrize("change", [{"schema": 2}, {"schema": 0}, {"schema": None}, {"theatre": "moon"}])
def test_a_document_from_another_version_or_theatre_is_refused(change: dict[str, Any]) -> None:
    made = facts()
    with pytest.raises(SchemaError):
        facts_from_dict({**facts_to_dict(made, {}), **change}, made.theatre)


@pytest.mark.clause("G.UM1")
def test_a_setting_that_no_longer_exists_is_skipped_and_the_others_are_as_the_umpire_set_them() -> None:
    assert settings_from({"see_clear": 13, "see_moon": 5}) == Settings(see_clear=13)
    assert settings_from({}) == Settings()
