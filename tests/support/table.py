"""A battle for the table: two English ships and two Dutch ones, without a campaign around them."""

from __future__ import annotations

import hashlib
from typing import Any

from battles.engine.core.scenario import ShipFacts
from battles.models import Battle, Roster
from battles.roster import entered, squadrons
from battles.services.fighting import digest
from battles.services.outcomes import HEAD, outcome_draft
from fleets.facts import facts_document
from tests.support.factories import SECRET

MEN = {"ENG001": 200, "ENG002": 180, "NLD001": 160, "NLD002": 150}
_COMPLEMENT = 200


def scenario(**changes: Any) -> dict[str, Any]:
    """The scenario that was sent in, with some entries changed."""
    return {
        "sides": [
            {"id": navy, "squadrons": [{"name": name, "ships": [_ship(code, navy) for code in codes]}]}
            for navy, name, codes in (
                ("ENG", "Red", ["ENG001", "ENG002"]),
                ("NLD", "Van", ["NLD001", "NLD002"]),
            )
        ],
        "wind": {"from": 225, "strength": "moderate"},
        **changes,
    }


def _ship(code: str, navy: str) -> dict[str, Any]:
    nation = {"ENG": "England", "NLD": "Dutch Republic"}[navy]
    facts = ShipFacts(nation=nation, built_by=nation, ship_type="ship_of_line", guns=50, tons_burthen=700)
    return {
        "id": code,
        "name": f"Ship {code}",
        "facts": facts_document(facts),
        "complement": _COMPLEMENT,
        "men": MEN[code],
    }


def table_battle(*, document: dict[str, Any] | None = None, **fields: Any) -> Battle:
    """A battle on the table with its roster; neither is saved."""
    sent = scenario() if document is None else document
    values = {
        "code": "T1-b01",
        "title": "Off the Galloper",
        "reference": "T1-b01",
        "when": "1666-06-01T12:00",
        "place": "Off the Galloper",
        "rule_set": "kohler",
        "engine_version": 1,
        "route": Battle.Route.TABLE,
        "seed": SECRET,
        "seed_hash": hashlib.sha256(bytes.fromhex(SECRET)).hexdigest(),
    }
    battle = Battle(**{**values, **fields})
    battle.roster = Roster(battle=battle, scenario=sent, digest=digest(sent), navies=["ENG", "NLD"], ships=4)
    return battle


def whole_sheet(battle: Battle) -> None:
    """Have every part of a battle's result sheet entered as it is, as someone would who looked at all of it."""
    outcome = outcome_draft(battle=battle)
    numbers = [str(one.number) for one in squadrons(entered(battle).values())]
    outcome.sheet = {part: {"side": "", "version": 0} for part in (HEAD, *numbers)}
    outcome.save(update_fields=["sheet"])
