"""Crews of ships lost on the chart and in battle: saved by company, cast ashore or drowned, with their officers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import OfficerFacts, Position, SideFacts, TurnFacts
from campaign.rules.losses.castaways import Headcount, Shore, landing, nobody_from_nowhere, people
from campaign.rules.losses.losses import lose
from campaign.rules.losses.officers import officer_step
from campaign.rules.state.economy import officer_key
from campaign.rules.state.state import PrizeHold
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_writeback import battle, fought, told

LOST = 5


def officers(*rows: tuple[str, str]) -> dict[str, OfficerFacts]:
    """English officers by seniority: (name, ship)."""
    made = [OfficerFacts(name, "ENG", n == 0, n, ship) for n, (name, ship) in enumerate(rows)]
    return {officer_key("ENG", row.name): row for row in made}


def facts(
    men: tuple[int, ...] = (300, 300, 300), at: str = "a", to: str = "", run: int = 0, **over: Any
) -> TurnFacts:
    """An English fleet of e0, e1 ..., with so many men each; f in company with it, g a day's sail off, the Dutch in port."""
    rows = [b.fleet(code, "ENG", at, to=to, run=run) for code in ("e", "f")]
    rows += [b.fleet("g", "ENG", "c"), b.fleet("d", "NLD", "theirs")]
    ships = [b.ship(f"e{n}", "ENG", "e", men=number, captain=f"Captain {n}") for n, number in enumerate(men)]
    ships += [b.ship(f"{code}1", side, code) for code, side in (("f", "ENG"), ("g", "ENG"), ("d", "NLD"))]
    return b.facts(rows, ships, weather=b.weather(), **over)


def chart_of(made: TurnFacts, *faces: int) -> Chart:
    state = turn.standing(made)
    state.hour = LOST
    return Chart(made, state, ScriptedDice(faces))


def founder(chart: Chart, code: str = "e0", fate: Fate = Fate.FOUNDERED) -> None:
    lose(chart, chart.state.ships[code], fate, clause="G.GF2", cause="from the strain of the weather")
    chart.dice.finish()  # type: ignore[attr-defined]


def men(chart: Chart, *codes: str) -> list[int]:
    return [chart.state.ships[code].men for code in codes]


def events(chart: Chart, kind: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in chart.state.events if event.kind == kind]


@pytest.mark.clause("T.C37", "T.O5h", "G.GF2")
@pytest.mark.parametrize(
    ("crews", "after"),
    [
        ((300, 300, 300), [375, 375, 300]),
        ((300, 100, 100), [125, 125, 375]),
        ((100, 300, 300), [350, 300, 300]),
        ((301, 43, 0), [53, 0, 375]),
        ((1, 300, 300), [300, 300, 300]),
    ],
)
def test_ships_in_company_save_a_quarter_of_their_own_crews_each_and_half_of_hers_together(
    crews: tuple[int, ...], after: list[int]
) -> None:
    chart = chart_of(facts(crews))
    before = people(chart.state)
    founder(chart)
    assert men(chart, "e1", "e2", "f1") == after
    assert men(chart, "e0", "g1", "d1") == [0, 300, 300]
    saved = sum(after) - crews[1] - crews[2] - 300
    assert before - people(chart.state) == crews[0] - saved
    by = [event["men"] for event in events(chart, "taken_up")]
    assert by == ([saved] if saved else [])


@pytest.mark.clause("T.C37", "G.GF1")
def test_no_one_saves_the_crew_of_a_ship_alone_and_prizes_save_no_one() -> None:
    made = facts()
    alone = chart_of(made)
    founder(alone, "g1")
    assert not events(alone, "taken_up")
    ships = {
        code: replace(ship, prize=code in ("e1", "e2"), fleet="e" if code == "e0" else ship.fleet)
        for code, ship in made.ships.items()
        if code != "f1"
    }
    chart = chart_of(replace(made, ships=ships))
    founder(chart)
    assert not events(chart, "taken_up") and men(chart, "e1", "e2") == [300, 300]


@pytest.mark.clause("T.C37", "G.CO7")
def test_an_allys_ships_in_company_save_no_one() -> None:
    made = facts((300,))
    french = replace(made.sides["NLD"], code="FRA", name="France", nations=("France",))
    made = replace(made, sides={**made.sides, "FRA": french}, allied=frozenset({frozenset({"ENG", "FRA"})}))
    fleets = {**made.fleets, "f": replace(made.fleets["f"], side="FRA")}
    chart = chart_of(replace(made, fleets=fleets, ships={**made.ships, "f1": b.ship("f1", "FRA", "f")}))
    founder(chart)
    assert not events(chart, "taken_up") and men(chart, "f1") == [300]


@pytest.mark.clause("T.C20", "T.C37", "G.PR1")
def test_a_prize_crew_is_saved_and_captives_drown() -> None:
    made = facts((40, 300, 300))
    chart = chart_of(replace(made, ships={**made.ships, "e0": replace(made.ships["e0"], prize=True, men=40)}))
    chart.state.prizes["e0"] = PrizeHold(200, "NLD")
    chart.state.economy.captives["e0"] = ("NLD", 9)
    before = people(chart.state)
    founder(chart)
    assert men(chart, "e1", "e2") == [320, 300]
    assert before - people(chart.state) == 20 + 200 + 9
    assert "e0" not in chart.state.prizes and "e0" not in chart.state.economy.captives


@pytest.mark.clause("T.C37", "T.O5h")
def test_castaways_aboard_are_counted_when_their_rescuer_goes_down() -> None:
    chart = chart_of(facts((300, 300), at="n"))
    stale = chart.state.ships["e1"]
    founder(chart)
    assert men(chart, "e1", "f1") == [375, 375]
    lose(chart, stale, Fate.FOUNDERED, clause="G.GF1", cause="in the gale")
    assert men(chart, "e1", "f1") == [0, 375 + 93]


def status(chart: Chart) -> dict[str, tuple[str, str]]:
    return {key.split("/")[1]: (now.status, now.ship) for key, now in chart.state.economy.officers.items()}


@pytest.mark.clause("G.AF1", "T.C37")
@pytest.mark.parametrize(
    ("code", "faces", "fate"),
    [("e0", (3,), "serving"), ("e0", (2,), "killed"), ("e0", (6,), "serving"), ("g1", (), "killed")],
)
def test_an_officer_of_a_ship_that_goes_down_drowns_with_all_hands_or_is_saved_on_three_or_more(
    code: str, faces: tuple[int, ...], fate: str
) -> None:
    made = facts(officers=officers(("Myngs", code), ("Cox", "e1")))
    chart = chart_of(made, *faces)
    founder(chart, code)
    assert status(chart) == {"Myngs": (fate, "")}
    told_of = events(chart, "officer")
    assert [(row["name"], row["fate"], row["ship"]) for row in told_of] == (
        [("Myngs", "drowned", code)] if fate == "killed" else []
    )
    chart.state.hour = 24
    chart.state.economy.vacant |= {"e1"}
    b.step(officer_step, chart)
    assert all(row.captain != "Myngs" for row in chart.state.ships.values())


@pytest.mark.clause("G.AF1", "T.C37")
def test_a_wounded_officer_who_is_saved_stays_wounded() -> None:
    rows = officers(("Myngs", "e0"))
    made = facts(officers={key: replace(row, status="wounded") for key, row in rows.items()})
    chart = chart_of(made, 4)
    founder(chart)
    assert status(chart) == {"Myngs": ("wounded", "")}


def wreck(made: TurnFacts, *faces: int) -> Chart:
    chart = chart_of(made, *faces)
    founder(chart, fate=Fate.WRECKED)
    return chart


@pytest.mark.clause("T.C21", "G.CH2")
def test_castaways_on_an_enemys_coast_are_prisoners_with_their_officers() -> None:
    made = facts(at="c", to="theirs", run=58_000, officers=officers(("Myngs", "e0")))
    chart = wreck(made)
    economy = chart.state.economy
    assert economy.prisoners == {("NLD", "theirs", "ENG"): 300} and not economy.ashore
    assert men(chart, "e0", "e1", "f1") == [0, 300, 300]
    assert status(chart) == {"Myngs": ("captured", "")}
    (event,) = (event for event in chart.state.events if event.kind == "castaways")
    assert (event.knows, event.data["captor"], event.data["men"]) == (("ENG", "NLD"), "NLD", 300)
    assert "fleet" not in event.data and "near" not in event.data


@pytest.mark.clause("T.C21", "G.CH2")
def test_castaways_on_a_friendly_coast_wait_ashore_for_ships() -> None:
    chart = wreck(facts(officers=officers(("Myngs", "e0"))))
    economy = chart.state.economy
    assert economy.ashore == {("ENG", "home"): 300} and not economy.prisoners
    assert status(chart) == {"Myngs": ("serving", "")}
    assert [event["shore"] for event in events(chart, "castaways")] == ["friendly"]


@pytest.mark.clause("T.C21", "G.CH2", "G.PR5")
@pytest.mark.parametrize(
    ("at", "prisoners", "ashore"),
    [
        ("a", {("ENG", "home", "NLD"): 209}, {("ENG", "home"): 40}),
        ("c", {("NLD", "theirs", "ENG"): 40}, {("NLD", "theirs"): 209}),
    ],
)
def test_captives_from_a_wreck_are_held_or_freed_depending_on_the_coast(
    at: str, prisoners: dict[Any, int], ashore: dict[Any, int]
) -> None:
    made = facts((40,), at=at)
    chart = chart_of(replace(made, ships={**made.ships, "e0": replace(made.ships["e0"], prize=True)}))
    chart.state.prizes["e0"] = PrizeHold(200, "NLD")
    chart.state.economy.captives["e0"] = ("NLD", 9)
    before = people(chart.state)
    founder(chart, fate=Fate.WRECKED)
    assert (chart.state.economy.prisoners, chart.state.economy.ashore) == (prisoners, ashore)
    assert people(chart.state) == before


def coasts() -> Any:
    """The square sea with a neutral port at b, and at n a shoal coast whose channel Dutch pilots know."""
    doc = b.square_doc()
    for node in doc["nodes"]:
        if node["id"] == "b":
            node |= {"kind": "port", "owner": "Denmark", "dockyard_capacity": 0, "berths": 0}
        if node["id"] == "n":
            node |= {"kind": "shoal_coast", "channel_owner_port": "theirs"}
        if node["id"] == "c":
            node |= {"channel_owner_port": "home"}
    return read_theatre(doc)


@pytest.mark.clause("T.C21", "G.CH2", "G.CH3")
def test_each_coast_belongs_to_the_right_side() -> None:
    sides = {
        **facts().sides,
        "FRA": SideFacts("FRA", "France", ("France",)),
    }
    chart = chart_of(facts(sea=coasts(), sides=sides, allied=frozenset({frozenset({"FRA", "NLD"})})))
    assert landing(chart, "ENG", Position("b")) == (Shore.NEUTRAL, "")
    assert landing(chart, "ENG", Position("n")) == (Shore.HOSTILE, "NLD")
    assert landing(chart, "NLD", Position("n")) == (Shore.FRIENDLY, "")
    assert landing(chart, "FRA", Position("n")) == (Shore.FRIENDLY, "")
    assert landing(chart, "ENG", Position("a", "b", 20_000)) == (Shore.NEUTRAL, "")
    assert landing(chart, "ENG", Position("n", "b", 20_000)) == (Shore.NEUTRAL, ""), "it has left the shoals"
    assert landing(chart, "ENG", Position("c")) == (Shore.NEUTRAL, ""), "pilots count on a shoal coast only"
    assert landing(chart, "ENG", Position("home", "a", 20_000)) == (Shore.FRIENDLY, "")


@pytest.mark.clause("T.C21", "G.CH2")
def test_castaways_on_a_neutral_coast_are_sent_home() -> None:
    chart = wreck(facts(at="b", sea=coasts(), officers=officers(("Myngs", "e0"))))
    assert chart.state.economy.ashore == {("ENG", "home"): 300}
    assert [event["shore"] for event in events(chart, "castaways")] == ["neutral"]
    assert status(chart) == {"Myngs": ("serving", "")}


@pytest.mark.clause("T.C21", "G.BT3", "G.AF1")
def test_the_crew_of_a_ship_wrecked_in_battle_come_ashore_too() -> None:
    made, state, call = battle()
    before = people(state)
    after = fought(made, state, call, d1={"fate": "wrecked"}, e1={"fate": "wrecked"})
    assert after.economy.prisoners == {("ENG", "home", "NLD"): 300}
    assert after.economy.ashore == {("ENG", "home"): 300}
    assert people(after) == before
    assert [(row["ship"], row["shore"]) for row in told(after, "castaways")] == [
        ("d1", "hostile"),
        ("e1", "friendly"),
    ]


@pytest.mark.clause("T.O5h", "T.C15", "G.CR1")
@pytest.mark.parametrize(("saved", "held"), [(40, 40), (999, 300)])
def test_men_saved_from_an_enemy_in_battle_are_captives_of_the_rescuer_and_no_more_than_existed(
    saved: int, held: int
) -> None:
    made, state, call = battle()
    before = people(state)
    after = fought(made, state, call, d1={"fate": "sunk"}, e1={"prisoners": saved})
    assert after.economy.captives == {"e1": ("NLD", held)}
    assert people(after) == before - 300 + held


@pytest.mark.clause("G.CR1", "T.O5h")
def test_men_counted_twice_by_a_rule_set_are_taken_off_the_ships_that_gained() -> None:
    chart = chart_of(facts((300, 200)))
    counted = Headcount.of(chart.state, ["e0", "e1", "d1"])
    chart.state.ships["e0"] = replace(chart.state.ships["e0"], men=350)
    chart.state.ships["e1"] = replace(chart.state.ships["e1"], men=180)
    nobody_from_nowhere(chart, counted)
    assert men(chart, "e0", "e1", "d1") == [320, 180, 300]


@pytest.mark.clause("G.CR1")
@pytest.mark.parametrize("gained", [1, 2])
def test_even_one_man_or_captive_from_nowhere_is_removed(gained: int) -> None:
    chart = chart_of(facts((300,)))
    counted = Headcount.of(chart.state, ["e0", "f1"])
    chart.state.ships["e0"] = replace(chart.state.ships["e0"], men=300 + gained)
    nobody_from_nowhere(chart, counted)
    assert men(chart, "e0", "f1") == [300, 300]
    chart.state.economy.captives["f1"] = ("NLD", gained)
    nobody_from_nowhere(chart, counted)
    assert chart.state.economy.captives["f1"] == ("NLD", 0)


@pytest.mark.clause("G.CR1", "T.C21", "T.C37")
@given(
    crews=st.lists(st.integers(0, 400), min_size=2, max_size=4),
    at=st.sampled_from(["home", "a", "b", "c", "n"]),
    fates=st.lists(st.sampled_from([Fate.WRECKED, Fate.FOUNDERED, Fate.SUNK]), min_size=1, max_size=4),
    held=st.integers(0, 200),
)
@settings(max_examples=40, derandomize=True)
def test_losses_create_no_one_and_a_wreck_costs_no_one(
    crews: list[int], at: str, fates: list[Fate], held: int
) -> None:
    chart = chart_of(facts(tuple(crews), at=at))
    chart.state.economy.captives["e0"] = ("NLD", held)
    for code, fate in zip(sorted(s for s in chart.state.ships if s.startswith("e")), fates, strict=False):
        before = people(chart.state)
        founder(chart, code, fate)
        gone = before - people(chart.state)
        assert gone >= 0 and (not gone or fate is not Fate.WRECKED)
        assert all(ship.men >= 0 for ship in chart.state.ships.values())
