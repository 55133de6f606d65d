"""Whatever a register knows of a ship, and whatever a scenario asks: a card or a battle is made, or it is refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.errors import ScenarioFaults
from battles.engine.core.scenario import ShipFacts, read_scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.card import card as kohler_card
from battles.engine.rulesets.thomas.card import card as thomas_card
from battles.engine.rulesets.thomas.card import card_faults
from tests.support.sets import SETS, document, facts_of

TYPES = ("ship_of_line", "merchant", "fireship", "frigate", "galley", "pinnace", "galleon", "sloop", "")
NATIONS = ("England", "Dutch Republic", "Spain")


def entries() -> Iterator[ShipFacts]:
    """Ships of every type, of which the guns, the tons, the weight of the broadside, the men or the year may be unknown."""
    for kind, nation, guns, tons, pounds, men, year in product(
        TYPES, NATIONS, (None, 12, 52), (None, 700), (None, 300), (None, 200), (None, 1588)
    ):
        yield ShipFacts(
            nation, nation, kind, guns=guns, tons_burthen=tons, broadside_lb=pounds, crew=men, year_built=year
        )


@pytest.mark.clause("K.S2", "K.A1.15")
def test_kohlers_rules_have_a_card_for_every_ship_with_her_guns_where_they_are_known() -> None:
    for facts in entries():
        made = kohler_card(facts)
        assert made.guns == facts.guns or facts.guns is None
        assert made.hull_max == made.thresholds[-1] and len(made.fire_track) == made.n_steps


@pytest.mark.clause("T.S30", "T.S29")
def test_thomass_rules_have_a_card_for_every_sufficiently_known_ship_and_words_for_the_others() -> None:
    refused = 0
    for facts in entries():
        against = card_faults(facts)
        refused += bool(against)
        assert all(text for _, text in against)
        if not against:
            made = thomas_card(facts)
            assert made.flot_max > 0 and made.crew_max > 0 and made.tons > 0
    assert 0 < refused < len(list(entries()))


def documents(rule_set: str) -> Iterator[dict[str, Any]]:
    """Scenarios of two small sides: ships placed or not, squadrons late or not, in a bounded sea or a wide one."""
    for edges, position, arrives, condition, turns in product(
        (None, [-9, -9, 9, 9]), (None, [2, 1], [40, 0]), (0, 2), (None, {"schema": 7}), (None, 3)
    ):
        sides = []
        for code, nation in (("ENG", "England"), ("DUT", "Dutch Republic")):
            facts = facts_of(rule_set)
            rows = [{"id": f"{code[0]}{n}", "name": f"{code[0]}{n}", "facts": facts} for n in (1, 2)]
            if code == "ENG":
                rows[0] |= {"position": position} if position else {}
                rows[0] |= {"condition": condition} if condition else {}
            squadrons = [
                {"id": f"{code}-{n}", "name": code, "flagship": row["id"], "ships": [row]}
                | ({"arrives": arrives} if n and arrives else {})
                for n, row in enumerate(rows)
            ]
            sides.append(
                {"id": code, "name": nation, "nation": nation, "captain": "plain", "squadrons": squadrons}
            )
        yield {
            "schema": 1, "rule_set": rule_set, "title": "Any", "code": "ANY", "gauge": "ENG", "sides": sides,
            "start": document(rule_set, 1, 1)["start"],
            **({"edges": edges} if edges else {}), **({"turn_limit": turns} if turns else {}),
        }  # fmt: skip


@pytest.mark.clause("K.S6", "K.S9", "T.S21")
@pytest.mark.usefixtures("tiny_set")
@pytest.mark.parametrize("name", SETS)
def test_every_scenario_is_started_or_refused_with_the_reason(name: str) -> None:
    rules: Any = rule_set(name)
    begun = refused = 0
    for doc in documents(name):
        scenario = read_scenario(doc)
        try:
            rules.begin(scenario, KeyedDice(b"any"))
            begun += 1
        except ScenarioFaults as error:
            assert all(fault.text for fault in error.faults)
            refused += 1
    assert begun and refused
