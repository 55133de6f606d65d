"""Who moves and fires first. Rules: T.B3, T.E32."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.thomas import initiative
from tests.engine.thomas.builders import battle, done, events, play, ship


@pytest.mark.clause("T.E32", "T.B3", "T.S23")
def test_ties_are_thrown_again_and_the_higher_side_goes_first() -> None:
    made, played = battle(ship("E1"), ship("S1"), first=""), play(3, 4, 6, 1, 5, 4, 2, 4)
    initiative.throw(made, played)
    done(played)
    assert (made.first, made.second) == ("ENG", "SPA")
    assert events(played, "initiative")[0].data == {"totals": {"ENG": 9, "SPA": 6}, "first": "ENG"}


@pytest.mark.clause("T.B3")
def test_the_other_side_may_be_first() -> None:
    made = battle(ship("E1"), ship("S1"))
    initiative.throw(made, play(1, 1, 1, 2))
    assert (made.first, made.second) == ("SPA", "ENG")
