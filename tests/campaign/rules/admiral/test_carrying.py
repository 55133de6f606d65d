"""How the automatic admiral carries an army: when it crosses, and where the fleet covers it meanwhile. Rules: G.AA1, G.LD1, G.LD2."""

from __future__ import annotations

import pytest

from campaign.rules.chart.types import SightingReport, TurnFacts
from campaign.rules.state.troops import Army, Troops
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.campaign.rules.admiral import builders as a

MEN = 1_000
# Three ships of forty points off the port where the men are aboard.
OFF_HOME = a.seen(0)


def boats(
    *reports: SightingReport, covering: str = "beach", at: str = "home", guard: int = 0, waiting: int = 0
) -> TurnFacts:
    """English transports with men for the beach, the fleet e of 8 ships that covers them at a place, and a guard of some ships at home.

    waiting: soldiers who are still ashore at home.
    """
    aboard = MEN - 1 if waiting else MEN
    troops = Troops(aboard={"t1": aboard})
    if waiting:
        troops.armies["ENG", "home"] = Army(waiting, 0)
    guards = [b.ship(f"g{n}", "ENG", "g") for n in range(guard)]
    return a.war(
        a.row("land", men=MEN, at=["beach"]),
        at=covering,
        reports=reports,
        fleets=[b.fleet("t", "ENG", at), *([b.fleet("g", "ENG", "home")] if guards else [])],
        ships=[s.transport("t1", fleet="t", tons=2 * aboard), *guards],
        carried={"troops": troops.doc()},
        sea=s.sea(),
    )


def told(facts: TurnFacts) -> tuple[str, str]:
    """What the transports do, and why."""
    decision = next(one for one in a.plan(facts).decisions if one.fleet == "t")
    return decision.verb, decision.why


@pytest.mark.clause("G.AA1", "G.LD2")
def test_an_army_crosses_when_all_are_aboard_and_the_beach_is_covered() -> None:
    assert told(boats()) == ("carry", "It lands its men at The Beach.")
    assert told(boats(covering="home")) == ("ready", "It waits until The Beach is covered.")
    assert told(boats(waiting=MEN))[1] == "It waits until 1,000 men are aboard."


@pytest.mark.clause("G.AA1")
@pytest.mark.parametrize(("guard", "crosses"), [(0, False), (5, False), (6, True)])
def test_it_does_not_put_out_before_an_enemy_off_its_port_is_met_by_twice_his_strength(
    guard: int, crosses: bool
) -> None:
    assert (told(boats(OFF_HOME, guard=guard)) == ("carry", "It lands its men at The Beach.")) is crosses
    if not crosses:
        assert told(boats(OFF_HOME, guard=guard)) == ("ready", "It waits until Home is covered.")
    assert told(boats(OFF_HOME, guard=guard, at="n"))[0] == "carry"


@pytest.mark.clause("G.AA1", "G.LD1")
@pytest.mark.parametrize(
    ("reports", "waiting", "place"),
    [
        ((), 0, "beach"),
        ((), MEN, "home"),
        ((), MEN - 1, "beach"),
        ((OFF_HOME,), 0, "home"),
        ((a.seen(300),), 0, "beach"),
    ],
)
def test_the_fleet_covers_the_port_while_men_embark_or_an_enemy_lies_off_it_and_then_the_beach(
    reports: tuple[SightingReport, ...], waiting: int, place: str
) -> None:
    assert a.done(boats(*reports, waiting=waiting)) == ("cover", place)
