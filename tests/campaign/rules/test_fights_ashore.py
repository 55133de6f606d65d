"""The fight ashore: who counts, the odds, the table, the mornings on which there is one, and the worked examples."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from campaign.rules.chart.types import OnArrival, Position, ShipKind, SideFacts
from campaign.rules.landing.boats import boats_step
from campaign.rules.landing.fights import (
    FALLS,
    Siege,
    attack_of,
    defence_of,
    fights_step,
    garrison,
    odds_bonus,
    ships_that_help,
    sieges,
)
from campaign.rules.sailing.beaches import port_of_beach
from campaign.rules.state.holdings import Holdings, Watch
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s
from tests.support.answers import result_of

ASHORE = ("ENG", "theirs")


def siege(
    men: int = 1000,
    *,
    faces: tuple[int, ...] = (),
    guard: int = 0,
    line: int = 0,
    arrival: str = "blockade",
    **over: Any,
) -> Chart:
    """English men ashore at the Dutch port, with ships of the line off it."""
    ships = [b.ship(f"e{n}", "ENG", "e") for n in range(line)] or [s.transport("e0", tons=60_000)]
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", arrival, "theirs"), position=s.OFF)
    holdings = over.pop("holdings", Holdings(ashore={ASHORE: men}))
    made = s.made([fleet], ships, guard=guard, holdings=holdings, **over)
    return s.chart(made, faces)


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(
    ("odds", "bonus"),
    [
        ("1/3", -4), ("49/100", -4), ("1/2", -2), ("99/100", -2), ("1", 0), ("149/100", 0), ("3/2", 1), ("199/100", 1),
        ("2", 2), ("299/100", 2), ("3", 3), ("499/100", 3), ("5", 5), ("100", 5),
    ],
)  # fmt: skip
def test_the_odds_give_their_bonus(odds: str, bonus: int) -> None:
    assert result_of(odds_bonus, Fraction(odds), Fraction(1)) == bonus


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(("guard", "men"), [(0, 100), (1, 400), (2, 700), (3, 1000), (4, 1300)])
def test_a_garrison_has_three_hundred_men_for_each_point_of_guard_and_a_hundred(guard: int, men: int) -> None:
    chart = siege(guard=guard)
    assert garrison(chart, "theirs") == men
    assert defence_of(chart, "theirs") == men * (1 + Fraction(guard, 4))


@pytest.mark.clause("G.LD3")
def test_a_theatre_may_name_a_garrison_and_the_owners_soldiers_in_the_port_count_too() -> None:
    troops = Troops(armies={("NLD", "theirs"): Army(250)})
    chart = siege(guard=2, theirs={"garrison": 2000}, troops=troops)
    assert garrison(chart, "theirs") == 2000
    assert defence_of(chart, "theirs") == 2250 * Fraction(3, 2)
    assert garrison(siege(theirs={"garrison": 0}), "theirs") == 0


@pytest.mark.clause("G.LD3")
def test_a_port_that_was_taken_has_the_men_who_were_left_there_and_no_others() -> None:
    holdings = Holdings(
        owners={"home": "Dutch Republic"},
        first={"home": "England"},
        ashore={("NLD", "home"): 500, ("ENG", "home"): 900},
    )
    chart = siege(holdings=holdings)
    assert garrison(chart, "home") == 0
    guard = chart.facts.theatre.places["home"].guard
    assert defence_of(chart, "home") == 500 * (1 + Fraction(guard, 4))
    assert [(row.port, row.total) for row in sieges(chart)] == [("home", 900)]


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(
    ("arrival", "guard", "line", "by_ships"),
    [
        ("blockade", 3, 10, 1500), ("land", 2, 1, 150), ("attack", 0, 20, 3000), ("blockade", 0, 21, 3000),
        ("blockade", 4, 10, 0), ("anchor", 0, 10, 0), ("raid", 0, 10, 0),
    ],
)  # fmt: skip
def test_ships_of_the_line_off_the_port_help_with_150_men_each(
    arrival: str, guard: int, line: int, by_ships: int
) -> None:
    chart = siege(700, guard=guard, line=line, arrival=arrival)
    (row,) = sieges(chart)
    assert attack_of(chart, row) == 700 + by_ships


@pytest.mark.clause("G.LD3")
def test_only_ships_of_the_line_within_ten_miles_of_the_port_help() -> None:
    chart = siege(line=3)
    (row,) = sieges(chart)
    assert ships_that_help(chart, row) == 3
    length = chart.geometry.legs["c", "theirs"].length
    chart.alter(chart.state.fleets["e"], position=Position("c", "theirs", length - 10_000))
    assert ships_that_help(chart, row) == 3
    chart.alter(chart.state.fleets["e"], position=Position("c", "theirs", length - 10_001))
    assert ships_that_help(chart, row) == 0
    ships = [b.ship("e1", "ENG", "e", kind=ShipKind.FRIGATE), b.ship("e2", "ENG", "e", prize=True)]
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "blockade", "theirs"), position=s.OFF)
    chart = s.chart(s.made([fleet], ships, holdings=Holdings(ashore={ASHORE: 1})))
    assert ships_that_help(chart, row) == 0


@pytest.mark.clause("G.LD3")
def test_men_march_thirty_miles_from_the_beach_to_the_nearest_port() -> None:
    made = s.made([b.fleet("e", "ENG", "a")])
    assert port_of_beach(made, "beach") == "theirs"  # 20 nm
    assert port_of_beach(made, "far") == ""  # 40 nm
    assert port_of_beach(made, "theirs") == "theirs"
    for latitude, port in ((0.4999, "theirs"), (0.5002, "")):  # 29.99 and 30.01 nm
        places = {**made.theatre.places, "beach": replace(made.theatre.places["beach"], latitude=latitude)}
        assert port_of_beach(replace(made, theatre=replace(made.theatre, places=places)), "beach") == port
    holdings = Holdings(ashore={("ENG", "beach"): 300, ASHORE: 400, ("ENG", "far"): 5000})
    found = result_of(sieges, siege(holdings=holdings))
    assert [(row.port, row.total) for row in found if isinstance(row, Siege)] == [("theirs", 700)]


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(
    ("faces", "result", "left", "lost"),
    [
        ((5, 5), "falls", 100, 0), ((6, 6), "falls", 100, 0), ((4, 5), "drawn", 95, 5), ((3, 4), "drawn", 95, 5),
        ((3, 3), "beaten", 90, 10), ((2, 2), "beaten", 90, 10), ((1, 2), "repulsed", 80, 20),
    ],
)  # fmt: skip
def test_the_table_of_the_fight(faces: tuple[int, int], result: str, left: int, lost: int) -> None:
    chart = siege(100, faces=faces)
    b.step(fights_step, chart)
    (row,) = s.told(chart, "fought_ashore")
    assert (row["faces"], row["bonus"], row["result"], row["men"], row["lost"]) == (
        list(faces), 0, result, left, lost,
    )  # fmt: skip
    everyone = chart.state.holdings.ashore.get(ASHORE, 0) + sum(chart.state.troops.aboard.values())
    assert everyone == left
    assert garrison(chart, "theirs") == (95 if result == "drawn" else 0 if result == "falls" else 100)
    (told,) = s.told(chart, "port_defended")
    assert told["lost"] == (5 if result == "drawn" else 0)
    assert s.knows(chart, "port_defended") == [("NLD",)] and s.knows(chart, "fought_ashore") == [("ENG",)]


@pytest.mark.clause("G.LD3")
def test_losses_are_rounded_up_and_shared_by_the_beaches() -> None:
    holdings = Holdings(ashore={ASHORE: 61, ("ENG", "beach"): 60})
    chart = siege(holdings=holdings, faces=(3, 3))
    fights_step(chart)  # 121 men: a tenth is 12.1
    assert sum(chart.state.holdings.ashore.values()) == 121 - 13
    assert chart.state.holdings.ashore == {ASHORE: 54, ("ENG", "beach"): 54}


@pytest.mark.clause("G.LD3")
def test_each_side_sees_its_own_men_exactly_and_the_others_in_a_band() -> None:
    chart = siege(4000, faces=(1, 3), theirs={"garrison": 4000})
    b.step(fights_step, chart)
    (ours,) = s.told(chart, "fought_ashore")
    (theirs,) = s.told(chart, "port_defended")
    assert (ours["men"], ours["band"], ours["days"]) == (3600, "5-9", None)
    assert (theirs["men"], theirs["band"]) == (4000, "5-9")


@pytest.mark.clause("G.LD3")
def test_soldiers_thrown_back_embark_and_the_fleet_lands_no_more() -> None:
    chart = siege(
        1000,
        faces=(1, 1),
        arrival="land",
        holdings=Holdings(ashore={ASHORE: 100}, watches={"e": Watch("theirs", 0)}),
    )
    b.step(fights_step, chart)
    assert not chart.state.holdings.ashore
    assert chart.state.troops.aboard == {"e0": 80}
    assert chart.state.fleets["e"].order.on_arrival is OnArrival.EMBARK
    b.step(boats_step, chart)
    assert not chart.state.holdings.ashore


@pytest.mark.clause("G.LD3", "G.PR5")
def test_soldiers_thrown_back_become_prisoners_when_there_is_no_room_aboard() -> None:
    fleet = b.fleet("e", "ENG", "b")
    chart = s.chart(s.made([fleet], guard=0, holdings=Holdings(ashore={ASHORE: 100})), (1, 1))
    b.step(fights_step, chart)
    assert chart.state.economy.prisoners == {("NLD", "theirs", "ENG"): 80}
    assert s.knows(chart, "soldiers_taken") == [("ENG", "NLD")]


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(
    ("guard", "mornings"), [(0, [1, 2, 3, 4, 5, 6]), (2, [1, 2, 3, 4, 5, 6]), (3, [3, 6]), (4, [3, 6])]
)
def test_there_is_a_fight_each_morning_and_against_guard_three_or_four_every_third(
    guard: int, mornings: list[int]
) -> None:
    found = []
    chart = siege(100_000, guard=guard, faces=(1, 3) * len(mornings), theirs={"garrison": 30_000})
    for morning in range(1, 7):
        chart.state.hour = 24 * (morning - 1)
        before = len(s.told(chart, "fought_ashore"))
        b.step(fights_step, chart)
        if len(s.told(chart, "fought_ashore")) > before:
            found.append(morning)
    assert found == mornings


@pytest.mark.clause("G.LD3", "G.CO7")
def test_allies_fight_as_one_and_third_parties_for_themselves() -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)), "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
        "FRA": SideFacts("FRA", "France", ("France",)), "SPA": SideFacts("SPA", "Spain", ("Spain",)),
    }  # fmt: skip
    at_war = frozenset(
        frozenset(pair) for pair in (("ENG", "NLD"), ("FRA", "NLD"), ("SPA", "NLD"), ("SPA", "ENG"))
    )
    holdings = Holdings(ashore={("ENG", "theirs"): 500, ("FRA", "theirs"): 700, ("SPA", "theirs"): 300})
    over = {"sides": sides, "at_war": at_war, "allied": frozenset({frozenset(("ENG", "FRA"))})}
    chart = siege(holdings=holdings, faces=(6, 6), **over)
    assert [(row.chief, row.total) for row in sieges(chart)] == [("FRA", 1200), ("SPA", 300)]
    fights_step(chart)  # the French take it; the Spaniards, who are at peace with them, have no one to fight
    assert chart.owner_of("theirs") == "France"
    assert chart.state.holdings.ashore == holdings.ashore


@pytest.mark.clause("G.LD3")
def test_the_count_of_mornings_begins_again_when_no_one_is_ashore() -> None:
    chart = siege(guard=3, holdings=Holdings(sieges={"theirs": 2}))
    b.step(fights_step, chart)
    assert not chart.state.holdings.sieges


def chance(bonus: int) -> Fraction:
    """How likely a port falls at one fight."""
    return Fraction(sum(one + other + bonus >= FALLS for one, other in product(range(1, 7), repeat=2)), 36)


@pytest.mark.clause("G.LD3")
def test_barbados_in_1805() -> None:
    """Lauriston's 3,300 and ten of the line before guard 3: 4,800 against 1,750 is 2.7, and it falls on 8 or more."""
    chart = siege(3300, guard=3, line=10, arrival="land")
    (row,) = sieges(chart)
    assert (attack_of(chart, row), defence_of(chart, "theirs")) == (4800, 1750)
    bonus = odds_bonus(attack_of(chart, row), defence_of(chart, "theirs"))
    assert bonus == 2
    assert chance(bonus) == Fraction(15, 36)
    assert round(100 * (1 - (1 - chance(bonus)) ** 2)) == 66  # two fights in six days


@pytest.mark.clause("G.LD2", "G.LD3")
def test_parma_before_margate() -> None:
    """Four thousand a morning: the third landing makes 12,000. Margate has no garrison: the nearest port's fights."""
    sea = b.theatre("channel_1588")
    fleet = b.fleet("PAR", "NLD", "margate", order=s.order("PAR", "land"))
    boats = {f"b{n:02d}": 850 for n in range(20)}
    made = s.made(
        [fleet], [s.transport(code, "NLD", "PAR", tons=100) for code in boats],
        troops=Troops(boats=boats, aboard=dict.fromkeys(boats, 850)), holdings=Holdings(watches={"PAR": Watch("margate", 0)}),
    )  # fmt: skip
    weather = {zone: b.weather()["sea"] for zone in sea.zones}
    made = replace(made, theatre=sea, weather=weather)
    found = []
    chart = s.chart(made)
    for morning in (1, 2, 3):
        chart.state.hour = 24 * morning
        b.step(boats_step, chart)
        found.append(chart.state.holdings.ashore["NLD", "margate"])
    assert found == [4000, 8000, 12_000]
    assert port_of_beach(made, "margate") in ("dover", "thames", "chatham")
