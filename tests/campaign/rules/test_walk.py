"""A month on the chart calculated by hand from the clauses: two fleets, sighting, chase, night, battle, gale, prize and yard.

The sea is the square one: home - a - b - c - theirs, sixty miles from place to place along the equator. Wind from the north, so that
every course along it has the wind abeam: ships of the line make 4.5 knots in moderate weather, 5.4 in strong wind, 2.7 in a gale. A
ship that has lost half her hull makes two thirds of it. Every die that is thrown is chosen here; one that was not reckoned with fails.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import Dice, Die
from battles.engine.core.scenario import Stance
from campaign.rules.chart.side_orders import PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    Battles,
    ChartEvent,
    FleetOrder,
    Instructions,
    Position,
    TurnDone,
    TurnFacts,
)
from campaign.rules.state.economy import Stage
from campaign.rules.state.state import TurnState
from campaign.rules.turn import turn
from campaign.rules.turn.score import points_of, totals
from tests.campaign.rules import builders as b

# Weather stays as it is but for the gale: wind dice that add up to five, no shift, no fog.
CALM = {"wind": (2, 3), "shift": (3,), "visibility": (100,)}
CHASE = {
    hour: (4, 2) if hour < 11 else (3, 3) for hour in range(8, 14)
}  # three hours gain a mile each, three none


class Chosen(Dice):
    """Faces by clause and subjects."""

    def __init__(self, faces: dict[tuple[object, ...], tuple[int, ...]]) -> None:
        super().__init__()
        self.faces = faces

    def throw(
        self, die: Die, count: int, *, clause: str, subjects: tuple[Any, ...], reason: str = ""
    ) -> tuple[int, ...]:
        if (clause, *subjects) in self.faces:
            return self.faces[clause, *subjects]
        assert clause == "G.WX2", f"nobody reckoned with a {die} for {reason}: {clause} {subjects}"
        return CALM[str(subjects[-1])]

    def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
        raise AssertionError("every throw is chosen")


def faces() -> dict[tuple[object, ...], tuple[int, ...]]:
    """All dice of the month that are not of calm weather."""
    chosen: dict[tuple[object, ...], tuple[int, ...]] = {
        ("G.SI1", 7, "e", "d"): (3,),  # both sight on 3 or more by day
        ("G.SI1", 7, "d", "e"): (4,),
        ("G.CO3", "NLD", 24, "d", "e"): (3,),  # the night escape needs 5
        ("G.WX2", 60, "sea", "wind"): (6, 6),  # strong,
        ("G.WX2", 64, "sea", "wind"): (5, 6),  # a gale,
        ("G.WX2", 68, "sea", "wind"): (1, 1),  # strong,
        ("G.WX2", 72, "sea", "wind"): (1, 2),  # moderate again
        ("G.GF1", 64, "sea", "d0"): (3,),  # a prize with one step lost: 3 - 1 is more than 1
        ("G.GF1", 64, "sea", "e0"): (3,),  # two steps lost: 3 is more than 2
        ("G.GF3", 64, "sea", "ship", "d0"): (2,),  # nobody parts company but on a 1
        ("G.GF3", 64, "sea", "ship", "e0"): (2,),
    }
    for hour, (seeker, quarry) in CHASE.items():
        chosen["G.CO2", hour, "e", "d"] = (seeker,)
        chosen["G.CO2", hour, "d", "e"] = (quarry,)
    return chosen


def month() -> TurnFacts:
    """Three English ships from a to c, that seek; two Dutch from c to n, that avoid; 80 miles apart on the line between a and c."""
    told = Instructions(greatest_odds="3", cripples_to="home", at_nightfall="stay", after_battle="part")
    fleets = [
        b.fleet("e", "ENG", "a", to="b", run=20_000, order=FleetOrder("e", ("b", "c"), Stance.SEEK, instructions=told)),
        b.fleet("d", "NLD", "c", to="b", run=20_000, order=FleetOrder("d", ("b", "n"), Stance.AVOID)),
    ]  # fmt: skip
    ships = [b.ship(f"e{n}", "ENG", "e") for n in range(3)] + [b.ship(f"d{n}", "NLD", "d") for n in range(2)]
    ashore = SideOrder("ENG", queue=("e0",))
    sea = read_theatre(b.square_doc(prevailing="N"))
    return b.facts(fleets, ships, sea=sea, days=28, weather=b.weather(wind=0), side_orders={"ENG": ashore})


def fought(call: Any) -> dict[str, Any]:
    """Four hours: the Dutch d0 is taken by e1 with 40 men for 200 prisoners, six of her twenty points lost; e0 has lost eleven."""
    return b.outcome_of(
        call,
        minutes=240,
        e0={"condition": {"lost": 11}},
        d0={
            "fate": "captured", "captor": "ENG", "captor_ship": "e1", "prize_crew": 40, "prisoners": 200,
            "condition": {"lost": 6},
        },
    )  # fmt: skip


def walked() -> tuple[dict[int, TurnState], list[ChartEvent]]:
    """The month: states by the hour at which it was stopped, and all events."""
    made, states = month(), {}
    state = turn.begin(made, {}, Chosen(faces()))
    outcomes: dict[str, Any] = {}
    while True:
        state, stop = turn.advance(made, state, outcomes, Chosen(faces()))
        states[state.hour] = state
        outcomes = {call.code: fought(call) for call in stop.calls} if isinstance(stop, Battles) else {}
        if isinstance(stop, TurnDone):
            return states, state.events


@pytest.fixture(scope="module")
def events() -> list[ChartEvent]:
    """Everything that happened."""
    with pytest.MonkeyPatch.context() as patch:
        _plain(patch)
        return walked()[1]


@pytest.fixture(scope="module")
def states() -> dict[int, TurnState]:
    """How it stood at every 06:00."""
    with pytest.MonkeyPatch.context() as patch:
        _plain(patch)
        return walked()[0]


def _plain(patch: pytest.MonkeyPatch) -> None:
    from battles.engine import registry

    patch.setattr(registry, "rule_set", lambda name: b.PLAIN)


def told(events: list[ChartEvent], kind: str) -> list[tuple[int, dict[str, Any]]]:
    """Hour and data of the events of a kind."""
    return [(event.hour, dict(event.data)) for event in events if event.kind == kind]


@pytest.mark.clause("G.MV1", "G.SI1", "G.CO2")
def test_they_close_at_nine_knots_and_sight_each_other_in_the_eighth_hour(events: list[ChartEvent]) -> None:
    """80 miles less 8 hours at 9 knots are 8: within 12, not within half of it, so each throws at 13:00 to 14:00."""
    sighted = told(events, "sighted")
    assert [(hour, data["fleet"], data["band"]) for hour, data in sighted[:2]] == [
        (8, "d", "2-4"),
        (8, "e", "2-4"),
    ]
    ((hour, chase),) = told(events, "chase")
    assert (hour, round(chase["range"], -2)) == (8, 8_000)


@pytest.mark.clause("G.CO2", "G.CO3", "T.C6")
def test_a_chase_at_equal_speeds_gains_three_miles_and_the_night_does_not_part_the_fleets(
    states: dict[int, TurnState], events: list[ChartEvent]
) -> None:
    """Six hours of chase, 14:00 to 20:00: three won by 4 to 2, three even. The quarry runs back 27 of the 56 miles it had come from c."""
    assert told(events, "night") == [
        (14, {"fleet": "d", "fleets": ["d"], "face": 3, "away": False, "near": "c"})
    ]
    dawn = states[24]
    assert dawn.fleets["d"].position == Position("b", "c", 31_000)
    ((hour, battle),) = told(events, "battle")
    assert (hour, battle["gauge"], battle["surprised"]) == (24, "ENG", [])


@pytest.mark.clause("G.CO6", "G.MV4", "G.PR1", "G.MV1")
def test_after_the_battle_the_crippled_ship_goes_home_and_the_fleet_sails_on_at_its_own_pace(
    states: dict[int, TurnState], events: list[ChartEvent]
) -> None:
    """From 10:00 at 4.5 knots: 31 miles back to b in 6 h 53 min, then 59 towards c by the next 06:00."""
    assert [hour for hour, _ in told(events, "battle_ended")] == [28]
    assert (34, "e") in [(hour, data["fleet"]) for hour, data in told(events, "passed")]
    assert abs(states[48].fleets["e"].position.run - 59_000) <= 3
    prize = states[48].ships["d0"]
    assert (prize.side, prize.prize, prize.men) == ("ENG", True, 40)
    assert states[48].ships["e1"].men == 260


@pytest.mark.clause("G.MV5", "G.PR3", "G.GF1", "G.GF3", "G.WX2")
def test_the_prize_and_the_crippled_ship_are_sent_home_through_a_gale_that_both_survive(
    states: dict[int, TurnState], events: list[ChartEvent]
) -> None:
    """a at 58:20; 5 miles to 60, 14.4 in strong wind, 7.2 in the gale, 14.4 in strong wind: 41 beyond a at the third 06:00."""
    ((hour, sent),) = told(events, "sent_in")
    assert (hour, sent["ships"], sent["place"]) == (28, ["e0", "d0"], "home")
    ((hour, gale),) = told(events, "rode_out")
    assert (hour, gale["thrown"], gale["foundered"]) == (64, [["d0", 3, 1], ["e0", 3, 2]], [])
    here = states[72].fleets[sent["fleet"]].position
    assert (here.at, here.to) == ("a", "home") and abs(here.run - 41_000) <= 3
    assert (78, sent["fleet"]) in [(hour, data["fleet"]) for hour, data in told(events, "arrived")]


@pytest.mark.clause("G.RP2", "G.RP3", "G.CR1")
def test_the_yard_works_on_her_for_13_days_and_the_port_gives_her_men(
    states: dict[int, TurnState], events: list[ChartEvent]
) -> None:
    """Eleven of twenty points are heavy work, 91 yard-days at 7 a day; 82 of 300 men were lost and the port levies 240 a week."""
    ((hour, dated),) = told(events, "yard_dated")
    assert (hour, dated["hull"], dated["berth"], dated["days"]) == (96, "heavy", 1, 13)
    assert [(hour, data["men"]) for hour, data in told(events, "recruited")] == [(96, 82)]
    ((hour, mended),) = told(events, "repaired")
    assert (hour, mended["ship"]) == (96 + 13 * 24, "e0")
    done = states[456].ships["e0"]
    assert (done.condition["lost"], done.men) == (0, 300)


@pytest.mark.clause("G.PR4", "G.PR5", "G.VP1")
def test_the_court_condemns_her_in_a_fortnight_and_she_is_bought_in_under_a_new_name(
    states: dict[int, TurnState], events: list[ChartEvent]
) -> None:
    """98 yard-days; 40 points less six twentieths are 28, at 100 pounds; 300 men at 5 pounds a head; 200 prisoners ashore."""
    assert [(hour, data["men"]) for hour, data in told(events, "prisoners_landed")] == [(96, 200)]
    ((hour, judged),) = told(events, "condemned")
    assert (hour, judged["pounds"], judged["head_money"]) == (96 + 14 * 24, 2_800, 1_500)
    choice = SideOrder("ENG", choices=(PrizeChoice("d0", PrizeAct.BUY, "Trophy"),))
    after = replace(b.next_facts(month(), states[672]), days=1, side_orders={"ENG": choice})
    with pytest.MonkeyPatch.context() as patch:
        _plain(patch)
        state, _ = turn.advance(after, turn.begin(after, {}, Chosen({})), {}, Chosen({}))
    ((_, bought),) = told(state.events, "prize_bought")
    assert bought["ship"] == "d0"
    assert (state.ships["d0"].side, state.ships["d0"].prize) == ("ENG", False)
    assert state.economy.names["d0"] == "Trophy"
    assert state.economy.prizes["d0"].stage is Stage.BOUGHT
    rows = [(event.hour, event.kind, event.data) for event in events]
    worth = {code: b.PLAIN.at_sea.whole_value(sheet.card) for code, sheet in month().ships.items()}
    assert totals(points_of(rows, worth, month().settings)) == {"ENG": 40, "NLD": -40}
