"""What the tests of captains share: an enemy, and a captain asked for one ship."""

from __future__ import annotations

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler import passage
from battles.engine.rulesets.kohler.captain import CAPTAINS
from battles.engine.rulesets.kohler.state import Battle
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import ship


def enemy(code: str = "D1", **over):  # type: ignore[no-untyped-def]
    return ship(id=code, side="DUT", **{"pos": (6, 0), "is_flagship": code == "D1", **over})


def asked(sea: Battle, code: str = "E1", *, captain: str = "squadron", doctrine: Doctrine | None = None):  # type: ignore[no-untyped-def]
    """The tokens of a captain of the English for one ship, and where they take her."""
    man = CAPTAINS[captain](doctrine or Doctrine())
    view = View(sea, "ENG")
    man.begin_turn(view)  # type: ignore[attr-defined]
    tokens = man.tokens(view, code)  # type: ignore[attr-defined]
    sailing = tuple(token for token in tokens if not token.startswith("G:"))
    found, _, refused = passage.foresee(sea, sea.ships[code], sailing)
    assert refused == ""
    return tokens, found
