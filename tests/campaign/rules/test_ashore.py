"""Prize court, prisoners, men, stores and officers on the chart, and that no one is lost in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome
from campaign.rules.ashore.recruits import men_step
from campaign.rules.ashore.stores import upkeep_step
from campaign.rules.chart.side_orders import MenMove, PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, OfficerFacts, Settings, TurnFacts
from campaign.rules.losses.castaways import people
from campaign.rules.losses.officers import flag_officer, officer_step, officers_after_battle
from campaign.rules.prizes.prisoners import prisoner_step
from campaign.rules.prizes.prize_court import court_step, note_capture, note_recapture, shares
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import PrizeCase, Stage, officer_key
from campaign.rules.state.state import PrizeHold, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

DUTCH = {"nation": "Dutch Republic", "guns": 60}


def port(recruits: int = 70) -> Any:
    """The square sea whose ports give so many recruits a week."""
    doc = b.square_doc()
    for node in doc["nodes"]:
        if node["kind"] == "port":
            node["recruits_per_week"] = recruits
    return read_theatre(doc)


def chart_of(made: TurnFacts, faces: Iterable[int] = ()) -> Chart:
    state = turn.begin(made, {}, b.dice(made))
    return Chart(made, state, ScriptedDice(faces))


def with_prize(at: str = "home", *, value: int = 40, order: SideOrder | None = None, **over: Any) -> Chart:
    """An English fleet with a Dutch prize of 30 hands that was taken with 200 aboard; another prize hold of 90."""
    ships = [b.ship(f"e{n}", "ENG", "e") for n in (1, 2)]
    ships.append(
        b.ship(
            "p",
            "ENG",
            "e",
            squadron="prizes",
            prize=True,
            men=30,
            facts=DUTCH,
            card={"hull": 20, "value": value},
        )
    )
    ships.append(b.ship("d1", "NLD", "d"))
    fleets = [b.fleet("e", "ENG", at), b.fleet("d", "NLD", "theirs")]
    made = b.facts(fleets, ships, sea=port(), **over)
    chart = chart_of(made)
    chart.state.prizes["p"] = PrizeHold(90, "NLD")
    note_capture(chart, replace(chart.state.ships["d1"], code="p", men=200), captor="ENG", by="e1", hour=0)
    if order is not None:
        chart.state.economy.orders["ENG"] = order
    return chart


def mornings(chart: Chart, count: int, step: Any = court_step) -> None:
    for _ in range(count):
        step(chart)
        chart.state.hour += DAY


def told(chart: Chart) -> list[str]:
    return [event.kind for event in chart.state.events if event.kind not in ("weather", "arrived")]


@pytest.mark.clause("G.PR4")
def test_the_court_takes_98_yard_days_and_keeps_her_in_port() -> None:
    chart = with_prize()
    mornings(chart, 14)
    case = chart.state.economy.prizes["p"]
    assert (case.stage, case.port, case.court) == (Stage.COURT, "home", 91)
    assert chart.moored(chart.state.ships["p"])
    mornings(chart, 1)
    case = chart.state.economy.prizes["p"]
    assert (case.stage, case.value, case.head_money) == (Stage.CONDEMNED, 4000, 1000)
    assert told(chart) == ["prize_in_port", "condemned"]
    assert chart.state.events[-1].hour == 14 * DAY
    mornings(chart, 5)
    assert chart.state.ships["p"].prize


@pytest.mark.clause("G.PR4", "G.NE1")
@pytest.mark.parametrize("at", ["a", "n"])
def test_no_court_sits_at_sea_or_in_a_roadstead(at: str) -> None:
    chart = with_prize(at)
    mornings(chart, 20)
    assert chart.state.economy.prizes["p"].stage is Stage.SAILING


def chosen(act: PrizeAct, name: str = "", fund: int = 10000, **over: Any) -> Chart:
    chart = with_prize(order=SideOrder("ENG", choices=(PrizeChoice("p", act, name),)), **over)
    chart.state.economy.funds["ENG"] = fund
    mornings(chart, 15)
    return chart


@pytest.mark.clause("G.PR4")
def test_a_ship_bought_in_costs_her_value_joins_the_line_and_takes_the_new_name() -> None:
    chart = chosen(PrizeAct.BUY, "Guelder")
    ship, economy = chart.state.ships["p"], chart.state.economy
    assert (ship.prize, ship.side, ship.fleet, ship.squadron, ship.men) == (False, "ENG", "e", "e-1", 30)
    assert (economy.funds["ENG"], economy.names) == (6000, {"p": "Guelder"})
    assert economy.prizes["p"].stage is Stage.BOUGHT
    assert sum(economy.earned["ENG"]) == 4000 + 1000
    assert economy.order("ENG").choices == ()
    assert "p" not in chart.state.prizes


@pytest.mark.clause("G.PR4")
def test_a_prize_waits_until_the_fund_can_pay_for_her() -> None:
    chart = chosen(PrizeAct.BUY, fund=3999)
    assert chart.state.economy.prizes["p"].stage is Stage.CONDEMNED
    chart.state.economy.funds["ENG"] = 4000
    mornings(chart, 1)
    assert chart.state.economy.funds["ENG"] == 0


@pytest.mark.clause("G.PR4", "G.BT3")
@pytest.mark.parametrize(
    ("act", "fund", "fate", "stage"),
    [
        (PrizeAct.SELL, 14000, Fate.AFLOAT, Stage.SOLD),
        (PrizeAct.HULK, 11000, Fate.AFLOAT, Stage.HULKED),
        (PrizeAct.BURN, 10000, Fate.BURNT, Stage.BURNT),
    ],
)
def test_a_prize_that_is_sold_hulked_or_burnt_is_gone_and_her_prize_crew_is_ashore(
    act: PrizeAct, fund: int, fate: Fate, stage: Stage
) -> None:
    chart = chosen(act)
    ship, economy = chart.state.ships["p"], chart.state.economy
    assert (ship.fleet, ship.men, ship.fate, economy.prizes["p"].stage) == ("", 0, fate, stage)
    assert economy.funds["ENG"] == fund
    assert economy.ashore == {("ENG", "home"): 30}


@pytest.mark.clause("G.PR4")
def test_a_prize_returned_comes_home_for_her_value_when_her_old_side_offers_it() -> None:
    chart = chosen(PrizeAct.EXCHANGE)
    assert chart.state.economy.prizes["p"].stage is Stage.CONDEMNED
    chart.state.economy.orders["NLD"] = SideOrder("NLD", ransom=("p",))
    mornings(chart, 1)
    ship, economy = chart.state.ships["p"], chart.state.economy
    fleet = chart.state.fleets[ship.fleet]
    assert (ship.side, fleet.side, fleet.position.at, ship.men) == ("NLD", "NLD", "theirs", 0)
    assert (economy.funds["ENG"], economy.funds["NLD"]) == (14000, 6000)
    assert chart.state.events[-1].knows == ("ENG", "NLD")
    assert economy.order("NLD").ransom == ()


@pytest.mark.clause("G.PR4")
@given(pounds=st.integers(0, 10**7))
def test_shares_are_the_eighths_of_the_act_and_add_up(pounds: int) -> None:
    parts = shares(pounds)
    assert sum(parts) == pounds
    assert parts[0] == pounds * 2 // 8
    assert parts[1:5] == (pounds // 8,) * 4


@pytest.mark.clause("G.PR3")
def test_a_side_that_retakes_its_ship_has_salvage_and_no_prize_money() -> None:
    chart = with_prize("b")
    note_recapture(chart, "p", side="NLD")
    assert sum(chart.state.economy.earned["NLD"]) == 4000 // 8
    assert chart.state.economy.prizes["p"].stage is Stage.RETAKEN


@pytest.mark.clause("G.PR5")
def test_prisoners_are_landed_once_in_the_first_friendly_port() -> None:
    chart = with_prize()
    mornings(chart, 2, prisoner_step)
    assert chart.state.economy.prisoners == {("ENG", "home", "NLD"): 90}
    assert chart.state.prizes["p"].prisoners == 0
    assert told(chart) == ["prisoners_landed"]
    at_sea = with_prize("b")
    mornings(at_sea, 2, prisoner_step)
    assert at_sea.state.economy.prisoners == {}


@pytest.mark.clause("G.PR5", "G.PR4")
@pytest.mark.parametrize(
    ("english", "dutch", "held", "fund", "men"),
    [(50, 80, 70, 1000, 50), (80, 80, 70, 1000, 70), (0, 80, 70, 1000, 0), (80, 80, 70, 12, 12)],
    ids=["smaller wish", "those held", "one side unwilling", "poor fund"],
)
def test_the_exchange_is_man_for_man_up_to_the_smaller_number(
    english: int, dutch: int, held: int, fund: int, men: int
) -> None:
    chart = with_prize("b")
    economy = chart.state.economy
    economy.hold("ENG", "home", "NLD", 90)
    economy.hold("NLD", "theirs", "ENG", held)
    economy.orders["ENG"] = SideOrder("ENG", exchange={"NLD": english})
    economy.orders["NLD"] = SideOrder("NLD", exchange={"ENG": dutch})
    economy.funds["ENG"] = fund
    b.step(prisoner_step, chart)
    assert economy.held("ENG", "NLD") == 90 - men
    assert economy.held("NLD", "ENG") == held - men
    assert economy.ashore.get(("ENG", "home"), 0) == economy.ashore.get(("NLD", "theirs"), 0) == men
    assert economy.funds["ENG"] == fund - men
    assert economy.order("ENG").exchange.get("NLD", 0) == english - men


def short(*men: int, order: SideOrder | None = None, recruits: int = 70, **over: Any) -> Chart:
    """English ships with so many of 300 men in one fleet at home."""
    ships = [b.ship(f"s{n}", "ENG", "e", men=count) for n, count in enumerate(men)]
    made = b.facts([b.fleet("e", "ENG", "home")], ships, sea=port(recruits), **over)
    chart = chart_of(made)
    if order is not None:
        chart.state.economy.orders["ENG"] = order
    return chart


def crews(chart: Chart) -> list[int]:
    return [chart.state.ships[code].men for code in sorted(chart.state.ships)]


@pytest.mark.clause("G.RP3")
def test_a_ports_levy_goes_to_its_ships_in_the_admirals_order_at_yard_time() -> None:
    chart = short(250, 280, 200, order=SideOrder("ENG", recruits=("s2",)))
    mornings(chart, 1, men_step)
    assert crews(chart) == [250, 280, 270]
    mornings(chart, 1, men_step)
    assert crews(chart) == [290, 280, 300]
    mornings(chart, 5, men_step)
    assert crews(chart) == [300, 300, 300]
    slow = short(100, recruits=10, settings=Settings(end_turn_on="none", yard_days=1))
    mornings(slow, 14, men_step)
    assert crews(slow) == [120]


@pytest.mark.clause("G.RP3", "G.PR4")
def test_the_fund_buys_men_beyond_the_levy_and_men_ashore_come_first() -> None:
    chart = short(100, order=SideOrder("ENG", bounty={"home": 100}))
    chart.state.economy.land("ENG", "home", 15)
    mornings(chart, 1, men_step)
    assert crews(chart) == [100 + 15 + 70 + 70]
    assert chart.state.economy.ashore == {}
    assert chart.state.economy.funds["ENG"] == 10000 - 3 * 70
    assert chart.state.economy.order("ENG").bounty == {"home": 30}


@pytest.mark.clause("G.RP3", "G.MV4")
def test_men_move_to_a_ship_in_company_and_wait_while_she_is_away() -> None:
    ships = [b.ship("s0", "ENG", "e"), b.ship("s1", "ENG", "f", men=200)]
    made = b.facts([b.fleet("e", "ENG", "a"), b.fleet("f", "ENG", "b")], ships)
    chart = chart_of(made)
    chart.state.economy.orders["ENG"] = SideOrder("ENG", moves=(MenMove("s0", "s1", 120),))
    b.step(men_step, chart)
    assert crews(chart) == [300, 200]
    chart.alter(chart.state.fleets["f"], position=chart.state.fleets["e"].position)
    b.step(men_step, chart)
    assert crews(chart) == [200, 300]
    assert chart.state.economy.order("ENG").moves == ()


@pytest.mark.clause("G.RP4")
def test_provisions_last_their_days_then_men_fall_sick_and_the_fleet_makes_for_port() -> None:
    ships = [b.ship("s0", "ENG", "e")]
    on = Settings(end_turn_on="none", stores="on", stores_days=3)
    made = b.facts([b.fleet("e", "ENG", "c")], ships, settings=on)
    chart = chart_of(made)
    mornings(chart, 3, upkeep_step)
    assert (chart.state.economy.stores, crews(chart)) == ({"s0": 0}, [300])
    mornings(chart, 1, upkeep_step)
    assert crews(chart) == [294]
    assert chart.state.fleets["e"].order.route == ("b", "a", "home")
    mornings(chart, 1, upkeep_step)
    assert crews(chart) == [288]
    in_port = chart_of(b.facts([b.fleet("e", "ENG", "home")], ships, settings=on))
    mornings(in_port, 9, upkeep_step)
    assert in_port.state.economy.stores == {"s0": 3}
    off = chart_of(b.facts([b.fleet("e", "ENG", "c")], ships))
    mornings(off, 200, upkeep_step)
    assert (off.state.economy.stores, crews(off)) == ({}, [300])


@pytest.mark.clause("G.RP1", "G.0")
def test_carpenters_repair_a_tenth_once_a_cruise_and_a_jury_mast_a_day_where_the_rule_set_allows() -> None:
    handy = {"hull": 40, "value": 40, "carpenters": True}
    ships = [
        b.ship("s0", "ENG", "e", card=handy, condition={"lost": 30, "masts": 2}),
        b.ship("s1", "ENG", "e", condition={"lost": 10}),
    ]
    chart = chart_of(b.facts([b.fleet("e", "ENG", "a")], ships))
    mornings(chart, 1, upkeep_step)
    assert chart.state.ships["s0"].condition == {"lost": 27, "masts": 1}
    mornings(chart, 3, upkeep_step)
    assert chart.state.ships["s0"].condition == {"lost": 27, "masts": 0}
    assert chart.state.ships["s1"].condition == {"lost": 10}
    chart.alter(chart.state.fleets["e"], position=replace(chart.state.fleets["e"].position, at="home"))
    mornings(chart, 1, upkeep_step)
    assert chart.state.economy.mended == frozenset()


def officers(*rows: tuple[str, str, bool]) -> Mapping[str, OfficerFacts]:
    """English officers by seniority: (name, ship, flag)."""
    made = [OfficerFacts(name, "ENG", flag, n, ship) for n, (name, ship, flag) in enumerate(rows)]
    return {officer_key("ENG", row.name): row for row in made}


def after(
    faces: Iterable[int],
    lost: int = 0,
    said: tuple[OfficerFate, ...] = (),
    *,
    fate: Fate = Fate.AFLOAT,
    side: str = "ENG",
) -> Chart:
    """The English flagship s0 (Rupert, captain Cox) comes out of a battle; Holmes waits ashore, Kempthorne has s1."""
    ships = [b.ship("s0", "ENG", "e", captain="Cox"), b.ship("s1", "ENG", "e", captain="Kempthorne")]
    rows = officers(
        ("Rupert", "s0", True), ("Kempthorne", "s1", False), ("Cox", "s0", False), ("Holmes", "", False)
    )
    made = b.facts(
        [b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "c")],
        [*ships, b.ship("d1", "NLD", "d")],
        officers=rows,
    )
    flag = {"e-1": replace(made.squadrons["e-1"], flagship="s0")}
    chart = chart_of(replace(made, squadrons={**made.squadrons, **flag}), faces)
    before = dict(chart.state.ships)
    chart.state.ships["s0"] = replace(before["s0"], condition={"lost": lost}, side=side, fate=fate)
    outcome = Outcome("plain", 1, 30, "parted", (ShipOutcome("s0", "ENG", fate, {"lost": lost}),), said)
    officers_after_battle(chart, outcome, before, 5, battle="b1")
    return chart


def status(chart: Chart) -> dict[str, tuple[str, str]]:
    return {key.split("/")[1]: (now.status, now.ship) for key, now in chart.state.economy.officers.items()}


@pytest.mark.clause("G.AF1")
def test_an_officer_falls_on_one_in_six_per_quarter_of_hull_lost_where_the_rule_set_is_silent() -> None:
    said = (OfficerFate("Rupert", "s0", "unhurt", "K.G11"),)
    assert status(after((3,), 10, said)) == {}
    fallen = after((2, 3), 10, said)
    assert status(fallen) == {"Cox": ("killed", "")}
    assert fallen.state.ships["s0"].captain == ""
    wounded = after((2, 4), 10, said)
    assert status(wounded) == {"Cox": ("wounded", "s0")}
    assert wounded.state.ships["s0"].captain == "Cox"
    assert status(after((), 4, said)) == {}


@pytest.mark.clause("G.AF1")
def test_the_next_senior_captain_without_a_ship_follows_a_dead_captain() -> None:
    chart = after((2, 3), 10, (OfficerFate("Rupert", "s0", "unhurt", ""),))
    chart.state.hour = DAY
    b.step(officer_step, chart)
    assert chart.state.ships["s0"].captain == "Holmes"
    assert status(chart)["Holmes"] == ("serving", "s0")
    assert chart.state.economy.vacant == frozenset()
    assert told(chart)[-1] == "officer_takes"


@pytest.mark.clause("G.AF1")
def test_the_senior_captain_of_the_squadron_follows_a_dead_flag_officer() -> None:
    chart = after((), 0, (OfficerFate("Rupert", "s0", "killed", "K.G11"),))
    assert flag_officer(chart, "e-1") == ""
    chart.state.hour = DAY
    b.step(officer_step, chart)
    assert flag_officer(chart, "e-1") == "Kempthorne"
    assert chart.state.ships["s1"].captain == "Holmes"
    assert chart.state.ships["s0"].captain == "Cox"


@pytest.mark.clause("G.AF1")
def test_a_captain_whose_ship_left_the_chart_earlier_blocks_no_flag_and_gets_another_ship() -> None:
    chart = after((), 0, (OfficerFate("Rupert", "s0", "killed", "K.G11"),))
    del chart.state.ships["s1"]
    chart.state.hour = DAY
    b.step(officer_step, chart)
    assert flag_officer(chart, "e-1") == "Cox"
    assert status(chart)["Kempthorne"] == ("serving", "s0"), (
        "he takes the ship that the new flag officer leaves"
    )


@pytest.mark.clause("G.AF1")
def test_officers_of_a_captured_ship_are_captives_and_those_of_a_sunk_ship_wait_ashore() -> None:
    assert status(after((), 0, side="NLD")) == {"Rupert": ("captured", ""), "Cox": ("captured", "")}
    assert status(after((3, 3), 0, fate=Fate.SUNK)) == {"Rupert": ("serving", ""), "Cox": ("serving", "")}


@pytest.mark.clause("G.AF1")
def test_officers_of_a_sunk_ship_drown_unless_saved_and_all_die_in_one_blown_up() -> None:
    drowned = after((2, 3), 0, fate=Fate.SUNK)
    assert status(drowned) == {"Cox": ("killed", ""), "Rupert": ("serving", "")}
    (event,) = [event for event in drowned.state.events if event.kind == "officer"]
    assert (event.data["name"], event.data["fate"], event.knows) == ("Cox", "drowned", ("ENG",))
    assert status(after((), 0, fate=Fate.BLOWN_UP)) == {"Rupert": ("killed", ""), "Cox": ("killed", "")}
    said = (OfficerFate("Rupert", "s0", "unhurt", "K.G11"), OfficerFate("Cox", "s0", "unhurt", "K.G11"))
    assert status(after((), 0, said, fate=Fate.SUNK)) == {
        "Rupert": ("serving", ""),
        "Cox": ("serving", ""),
    }, "the set has thrown for them"


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize("said", [True, False])
def test_an_officer_who_is_wounded_and_taken_is_reported_once(said: bool) -> None:
    word = tuple(OfficerFate(name, "s0", "wounded", "K.G11") for name in ("Cox", "Rupert") if said)
    chart = after(() if said else (1, 4, 1, 4), 0 if said else 10, word, side="NLD")
    told_of = [event for event in chart.state.events if event.kind == "officer"]
    assert sorted(event.data["name"] for event in told_of) == ["Cox", "Rupert"]
    assert {(event.data["fate"], event.data["hurt"]) for event in told_of} == {("captured", True)}
    assert all(set(event.knows) >= {"ENG", "NLD"} for event in told_of)
    assert status(chart) == {"Rupert": ("captured", ""), "Cox": ("captured", "")}


@pytest.mark.clause("G.AF1")
def test_wounded_officers_return_after_their_days() -> None:
    chart = after((2, 4), 10, (OfficerFate("Rupert", "s0", "unhurt", ""),))
    chart.state.hour = 28 * DAY
    b.step(officer_step, chart)
    assert status(chart)["Cox"] == ("wounded", "s0")
    chart.state.hour = 29 * DAY
    b.step(officer_step, chart)
    assert status(chart)["Cox"] == ("serving", "s0")


@pytest.mark.clause("G.PR1", "G.PR2", "G.PR5", "G.RP3", "G.CR1")
@given(
    taken=st.sets(st.sampled_from(["d0", "d1", "e0"]), max_size=2),
    lost=st.integers(0, 12),
    crew=st.integers(0, 400),
    policy=st.sampled_from(["man", "release"]),
    secret=st.binary(min_size=4, max_size=4),
)
@settings(max_examples=12, derandomize=True)
def test_men_are_conserved_through_battle_capture_rising_exchange_and_port(
    taken: set[str], lost: int, crew: int, policy: str, secret: bytes
) -> None:
    bold = FleetOrder("e", (), b.Stance.SEEK)
    bold = replace(
        bold,
        instructions=replace(
            bold.instructions, greatest_odds="9", after_battle="part", prizes=policy, cripples_to="home"
        ),
    )
    rows = [b.fleet("e", "ENG", "a", order=bold), b.fleet("d", "NLD", "a", to="b", run=900)]
    ships = [
        b.ship(f"{side}{n}", code, side) for side, code in (("e", "ENG"), ("d", "NLD")) for n in range(3)
    ]
    made = b.facts(rows, ships, sea=port(0), weather=b.weather(), campaign=f"men{secret.hex()}", days=6)

    def fought(call: Any) -> dict[str, Any]:
        fates = {}
        sides = {
            s["id"]: side["id"]
            for side in call.scenario["sides"]
            for q in side["squadrons"]
            for s in q["ships"]
        }
        for code in sorted(taken & set(sides)):
            other = {"ENG": "NLD", "NLD": "ENG"}[sides[code]]
            captor = next(s for s in sorted(sides, reverse=True) if sides[s] == other and s not in taken)
            fates[code] = {
                "fate": "captured", "captor": other, "captor_ship": captor, "prize_crew": crew, "prisoners": 10**6,
                "condition": {"lost": lost},
            }  # fmt: skip
        return b.outcome_of(call, **fates)

    state = turn.begin(made, {}, b.dice(made))
    outcomes: dict[str, Any] = {}
    while True:
        before, men = state, people(state)
        state, stop = turn.advance(made, state, outcomes, b.dice(made))
        fell = men - people(state)
        hurt = sum(
            max(0, ship.condition.get("lost", 0) - before.ships[code].condition.get("lost", 0))
            for code, ship in state.ships.items()
        )
        gone = [code for code, ship in state.ships.items() if ship.fate is not before.ships[code].fate]
        assert fell >= 0
        assert fell == 0 or hurt or gone
        assert all(ship.men >= 0 for ship in state.ships.values())
        if isinstance(stop, b.TurnDone):
            break
        outcomes = {call.code: fought(call) for call in stop.calls} if isinstance(stop, b.Battles) else {}
    for code, ship in state.ships.items():
        if ship.prize:
            assert ship.side in ("ENG", "NLD") and code in state.economy.prizes


@pytest.mark.clause("G.CL2")
def test_the_whole_economy_is_saved_with_the_turn() -> None:
    chart = with_prize(
        order=SideOrder("ENG", choices=(PrizeChoice("p", PrizeAct.BUY, "X"),), bounty={"home": 3})
    )
    economy = chart.state.economy
    economy.hold("ENG", "home", "NLD", 5)
    economy.land("ENG", "home", 7)
    economy.captives["e1"] = ("NLD", 4)
    economy.mended = frozenset({"e1"})
    economy.stores["e1"] = 9
    economy.vacant = frozenset({"e2"})
    economy.prizes["p"] = PrizeCase("p", "ENG", "NLD", "e1", 0, 200, Stage.COURT, "home", 14)
    assert TurnState.from_dict(chart.state.to_dict()).economy == economy
    copied = chart.state.copy()
    copied.economy.hold("ENG", "home", "NLD", 100)
    assert economy.held("ENG", "NLD") == 5
