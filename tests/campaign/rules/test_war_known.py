"""What a side knows of the war: the objectives it may read, its armies, who has landed where, enemies met, raids."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.types import SideFacts, TurnFacts
from campaign.rules.state.aims import Tally
from campaign.rules.state.state import TurnState
from campaign.rules.state.troops import Army
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from campaign.rules.turn.war_known import KnownArmy, War, war_known
from tests.campaign.rules.aims.builders import aimed, row
from tests.campaign.rules.builders import fleet, ship

SIDES = {
    "ENG": SideFacts("ENG", "England", ("England",)), "FRA": SideFacts("FRA", "France", ("France",)),
    "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
}  # fmt: skip
ALLIED = frozenset({frozenset(("ENG", "FRA"))})


def made(*aims: Any, **over: Any) -> TurnFacts:
    """England and France, allied, against the Dutch."""
    fleets = [fleet("E", "ENG", "a"), fleet("F", "FRA", "b"), fleet("D", "NLD", "c")]
    ships = [
        ship("E1", "ENG", "E"),
        *(ship(f"D{n}", "NLD", "D", card={"hull": 20, "value": 30 + n}) for n in range(3)),
    ]
    return aimed(fleets, *aims, ships=ships, sides=SIDES, allied=ALLIED, **over)


def known(facts: TurnFacts, side: str = "ENG", *, hour: int = 48, **changes: Any) -> War:
    """What a side knows at an hour. changes: attributes of parts of the state, as `holdings__ashore`."""
    state: TurnState = standing(facts)
    state.hour = hour
    for name, value in changes.items():
        part, _, attribute = name.rpartition("__")
        setattr(getattr(state, part) if part else state, attribute, value)
    return war_known(Chart(facts, state, ScriptedDice(())), side)


@pytest.mark.clause("G.AA3", "G.OB4")
def test_a_side_knows_its_own_objectives_and_those_of_its_allies_and_the_public_ones_of_the_enemy() -> None:
    facts = made(
        row("gather", least_line=1, at=["a"], id="own", public=False, by="1666-06-04"),
        row("gather", "FRA", least_line=1, at=["a"], id="allys"), row("gather", "FRA", least_line=1, at=["a"], id="secret", public=False),
        row("gather", "NLD", least_line=1, at=["a"], id="enemys"),
    )  # fmt: skip
    war = known(
        facts, aims__tallies={"own": Tally(achieved=24), "enemys": Tally(held=9, now=True)},
        aims__known={("own", "ENG"): Tally(held=2, now=True), ("enemys", "ENG"): Tally(held=1), ("enemys", "NLD"): Tally(held=7)},
    )  # fmt: skip
    told = [(a.row.id, a.own, a.achieved, a.achieved_at, a.held, a.now, a.until) for a in war.aims]
    assert told == [
        ("own", True, True, 24, 2, True, 72), ("allys", True, False, -1, 0, False, None),
        ("enemys", False, False, -1, 1, False, None),
    ]  # fmt: skip
    assert [a.row.id for a in known(facts, "NLD").aims] == ["allys", "enemys"]
    assert known(made(row("raid", ports=["theirs"]), rules={"objectives": "off"})).aims == ()


@pytest.mark.clause("G.AA3", "G.IN1")
def test_a_side_knows_its_own_soldiers_and_not_its_allies() -> None:
    armies = {
        ("ENG", "home"): Army(500, 100),
        ("ENG", "b"): Army(7),
        ("FRA", "b"): Army(9),
        ("NLD", "theirs"): Army(8),
    }
    ashore = {("ENG", "theirs"): 40, ("FRA", "theirs"): 50, ("NLD", "home"): 60}
    war = known(made(), troops__armies=armies, holdings__ashore=ashore)
    assert war.armies == (KnownArmy("b", 7, 0), KnownArmy("home", 500, 100))
    assert war.ashore == {"theirs": 40}
    assert war.invaded == {"home"} and known(made(), "NLD", holdings__ashore=ashore).invaded == {"theirs"}


@pytest.mark.clause("G.AA3")
@pytest.mark.parametrize(
    ("who", "place", "side", "invaded"),
    [
        ("NLD", "home", "ENG", True), ("NLD", "home", "FRA", False), ("FRA", "home", "ENG", False), ("NLD", "theirs", "ENG", False),
        ("NLD", "a", "ENG", True), ("NLD", "c", "ENG", False), ("ENG", "c", "NLD", True), ("ENG", "a", "NLD", False),
    ],
)  # fmt: skip
def test_a_coast_of_no_one_is_the_country_of_the_nearest_place_that_has_an_owner(
    who: str, place: str, side: str, invaded: bool
) -> None:
    assert known(made(), side, holdings__ashore={(who, place): 10}).invaded == ({place} if invaded else set())


@pytest.mark.clause("G.AA3")
def test_enemies_met_count_while_they_are_not_known_to_be_lost() -> None:
    facts = made()
    war = known(facts, met={"ENG": ("D0", "D2", "gone"), "FRA": ("D1",)})
    assert (war.met, war.met_worth) == (2, Fraction(31))
    lost = {**standing(facts).ships, "D2": replace(standing(facts).ships["D2"], fate=Fate.SUNK)}
    war = known(facts, met={"ENG": ("D0", "D2")}, ships=lost)
    assert (war.met, war.met_worth) == (1, Fraction(30))
    none = known(facts)
    assert (none.met, none.met_worth) == (0, Fraction(0))


@pytest.mark.clause("G.AA3", "G.OB2", "G.OB5")
def test_a_side_knows_how_long_there_is_still_and_what_it_had_at_first() -> None:
    facts = made(
        mark=18, rules={"end_date": "1666-06-04", "reserve_percent": 17, "fund_keep": 99, "duties": "on"}
    )
    war = known(facts, hour=72, holdings__tried={("ENG", "theirs"): 24, ("FRA", "theirs"): 70})
    assert (war.last, war.mark, war.opening, war.raided) == (72, 18, Fraction(40), {"theirs": 48})
    assert (war.duties, war.reserve, war.fund_keep) == (True, 17, 99)
    assert known(facts, "FRA").opening == 0 and known(facts, "NLD").opening == 93
    plain = known(made(rules={"duties": "off"}))
    assert (plain.last, plain.duties) == (None, False)
