"""Complements that the register does not give. Rule: G.CR1."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.crews import FEWEST, complement
from battles.engine.core.scenario import ShipFacts


@pytest.mark.clause("G.CR1")
@pytest.mark.parametrize(
    ("known", "men"),
    [
        ({"guns": 52, "crew": 180, "year_built": 1653}, (180, False)),
        ({"guns": 30, "tons_burthen": 501, "year_built": 1599}, (251, True)),
        ({"guns": 30, "tons_burthen": 501, "year_built": 1600}, (165, True)),
        ({"guns": 53, "year_built": 1699}, (292, True)),
        ({"guns": 74, "year_built": 1700}, (592, True)),
        ({"guns": 74, "year_built": 1850}, (592, True)),
        ({"guns": 4, "displacement_tons": 15140, "year_built": 1900}, (841, True)),
        ({"guns": 44, "ship_type": "merchant", "year_built": 1660}, (81, True)),
        ({"guns": 10, "tons_burthen": 300, "ship_type": "merchant", "year_built": 1580}, (50, True)),
        ({"guns": 52}, (286, True)),
        ({"tons_burthen": 100}, (50, True)),
        ({"guns": 1, "ship_type": "merchant"}, (2, True)),
        ({}, (FEWEST, True)),
    ],
)
def test_the_complement_follows_the_rule_of_her_time(known: dict[str, Any], men: tuple[int, bool]) -> None:
    assert complement(ShipFacts(nation="England", built_by="England", **known)) == men


@pytest.mark.clause("G.CR1")
def test_the_year_of_service_counts_when_the_launch_is_unknown() -> None:
    facts = ShipFacts(nation="Spain", built_by="Spain", guns=24, tons_burthen=800)
    assert complement(facts, year=1588) == (400, True)
    assert complement(facts, year=1805) == (192, True)
