"""Soldiers aboard and ashore: what ships hold, what goes aboard in a morning, when men land, what they eat, who drowns."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import Instructions, OnArrival, Position
from campaign.rules.landing.boats import boats_step, days_left, men_in_a_band, rations_step
from campaign.rules.landing.step import landing_step
from campaign.rules.landing.stowage import aboard, capacity, load
from campaign.rules.landing.watch import keep_watch
from campaign.rules.losses.losses import lose
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.duties import Cargo
from campaign.rules.state.holdings import Holdings, Watch
from campaign.rules.state.state import Touch
from campaign.rules.state.troops import Army, Troops
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import advance, begin
from tests.campaign.rules import builders as b
from tests.campaign.rules import shores as s

FROM_DAWN = Watch("beach", 0)


def ready(men: int = 10_000, place: str = "beach", **over: Any) -> Chart:
    """An English fleet that has lain off the beach for a day, and may land in the morning."""
    fleet = b.fleet("e", "ENG", place, order=s.order("e", "land"))
    ships = [s.transport("e1", tons=60_000), b.ship("d1", "NLD", "d")]
    holdings = over.pop("holdings", Holdings(watches={"e": Watch(place, 0)}))
    made = s.made(
        [fleet, b.fleet("d", "NLD", "theirs")], ships, troops=Troops(aboard={"e1": men}), holdings=holdings,
        days=3, **over,
    )  # fmt: skip
    return s.chart(made, hour=24)


@pytest.mark.clause("G.LD1")
def test_a_transport_holds_a_man_for_two_tons_and_a_ship_of_war_half_her_complement() -> None:
    ships = [
        s.transport("t1", tons=851), b.ship("w1", "ENG", "e", complement=301), s.transport("t2", tons=0),
        b.ship("p1", "ENG", "e", prize=True), s.transport("c1"), s.transport("b1", tons=100),
    ]  # fmt: skip
    chart = s.chart(s.made([b.fleet("e", "ENG", "home")], ships))
    chart.state.duties.cargoes["c1"] = Cargo(10, "home", "ENG")
    chart.state.troops.boats["b1"] = 850
    found = {code: capacity(chart, ship) for code, ship in chart.state.ships.items()}
    assert found == {"t1": 425, "w1": 150, "t2": 20, "p1": 0, "c1": 0, "b1": 850}


@pytest.mark.clause("G.LD1")
def test_the_urcas_of_1588_hold_five_thousand_men_and_parmas_boats_his_whole_army() -> None:
    tons = [
        650,
        550,
        500,
        500,
        460,
        450,
        450,
        420,
        410,
        400,
        400,
        400,
        400,
        400,
        400,
        400,
        400,
        400,
        400,
        400,
        461,
        500,
        500,
    ]
    assert len(tons) == 23 and sum(tons) == 10_251
    ships = [s.transport(f"u{n}", tons=each) for n, each in enumerate(tons)]
    chart = s.chart(s.made([b.fleet("e", "ENG", "home")], ships))
    assert load(chart, chart.state.fleets["e"], 17_000) == 5_125
    boats = [s.transport(f"b{n:02d}", tons=100) for n in range(20)]
    made = s.made(
        [b.fleet("e", "ENG", "home")], boats, troops=Troops(boats={f"b{n:02d}": 850 for n in range(20)})
    )
    chart = s.chart(made)
    assert load(chart, chart.state.fleets["e"], 17_000) == 17_000


@pytest.mark.clause("G.LD1")
@pytest.mark.parametrize(("embark", "dockyard", "men"), [(3000, 3, 3000), (0, 3, 2000), (0, 0, 500)])
def test_as_many_men_embark_in_a_morning_as_the_army_can_or_else_five_hundred_for_each_class_and_one(
    embark: int, dockyard: int, men: int
) -> None:
    fleet = b.fleet("e", "ENG", "home", order=s.order("e", "embark"))
    troops = Troops(armies={("ENG", "home"): Army(17_000, embark)})
    made = s.made([fleet], [s.transport("e1", tons=60_000)], troops=troops)
    places = {**made.theatre.places, "home": replace(made.theatre.places["home"], dockyard=dockyard)}
    chart = s.chart(replace(made, theatre=replace(made.theatre, places=places)))
    b.step(boats_step, chart)
    assert chart.state.troops.aboard == {"e1": men}
    assert chart.state.troops.armies == {("ENG", "home"): Army(17_000 - men, embark)}
    assert s.told(chart, "embarked") == [
        {"fleet": "e", "side": "ENG", "place": "home", "men": men, "ashore": 17_000 - men}
    ]


@pytest.mark.clause("G.LD1")
def test_two_fleets_share_what_a_port_embarks_in_a_morning() -> None:
    fleets = [b.fleet(code, "ENG", "home", order=s.order(code, "embark")) for code in ("e", "f")]
    ships = [s.transport("e1", tons=4_000), s.transport("f1", fleet="f", tons=60_000)]
    chart = s.chart(s.made(fleets, ships, troops=Troops(armies={("ENG", "home"): Army(17_000, 3000)})))
    b.step(boats_step, chart)
    assert chart.state.troops.aboard == {"e1": 2000, "f1": 1000}


@pytest.mark.clause("G.LD1", "G.CL2")
def test_parmas_army_is_aboard_after_six_mornings_and_twelve_thousand_after_four() -> None:
    fleet = b.fleet("e", "ENG", "home", order=s.order("e", "embark"))
    boats = [s.transport(f"b{n:02d}", tons=100) for n in range(20)]
    troops = Troops(armies={("ENG", "home"): Army(17_000, 3000)}, boats={f"b{n:02d}": 850 for n in range(20)})
    made = s.made([fleet], boats, troops=troops, days=7)
    state, found = begin(made, {}, b.dice(made)), []
    for _ in range(7):
        state, _stop = advance(made, state, {}, b.dice(made))
        found.append(sum(state.troops.aboard.values()))
    assert found == [3000, 6000, 9000, 12_000, 15_000, 17_000, 17_000]
    assert not state.troops.armies


@pytest.mark.clause("G.LD1")
def test_men_disembark_among_friends_at_the_same_rate() -> None:
    fleet = b.fleet("e", "ENG", "home", order=s.order("e", "disembark"))
    chart = s.chart(s.made([fleet], [s.transport("e1")], troops=Troops(aboard={"e1": 2000})))
    chart.state.ships["e1"] = chart.state.ships["e1"]
    b.step(boats_step, chart)
    assert chart.state.troops.armies == {("ENG", "home"): Army(2000)}
    assert not chart.state.troops.aboard
    assert s.knows(chart, "disembarked") == [("ENG",)]


@pytest.mark.clause("G.LD2", "G.CL2")
def test_four_thousand_land_in_a_morning_and_the_owner_knows_it_at_once_in_a_band() -> None:
    chart = ready()
    b.step(boats_step, chart)
    assert chart.state.holdings.ashore == {("ENG", "beach"): 4000}
    assert chart.state.troops.aboard == {"e1": 6000}
    assert s.told(chart, "enemy_landed") == [{"place": "beach", "attacker": "ENG", "band": "5-9"}]
    assert s.knows(chart, "enemy_landed") == [("NLD",)]
    assert s.knows(chart, "landed") == [("ENG",)]


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(("rate", "men"), [(4000, 4000), (1500, 1500)])
def test_the_rate_of_a_landing_is_a_setting(rate: int, men: int) -> None:
    chart = ready(changed={"land_rate": rate})
    b.step(boats_step, chart)
    assert chart.state.holdings.ashore == {("ENG", "beach"): men}


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(
    ("strength", "men"), [("still", 4000), ("light", 4000), ("moderate", 4000), ("strong", 2000), ("gale", 0)]
)
def test_half_as_many_land_in_a_strong_wind_and_none_in_a_gale(strength: str, men: int) -> None:
    chart = ready(weather=b.weather(strength=strength))
    b.step(boats_step, chart)
    assert chart.state.holdings.ashore.get(("ENG", "beach"), 0) == men
    assert [row["why"] for row in s.told(chart, "landing_waits")] == ([] if men else ["gale"])


@pytest.mark.clause("G.LD2")
def test_fleets_of_a_side_share_the_beach() -> None:
    fleets = [b.fleet(code, "ENG", "beach", order=s.order(code, "land")) for code in ("e", "f")]
    ships = [s.transport("e1"), s.transport("f1", fleet="f", tons=20_000)]
    holdings = Holdings(watches=dict.fromkeys(("e", "f"), FROM_DAWN))
    made = s.made(fleets, ships, troops=Troops(aboard={"e1": 1500, "f1": 9000}), holdings=holdings)
    chart = s.chart(made, hour=24)
    b.step(boats_step, chart)
    assert chart.state.troops.aboard == {"f1": 6500}
    assert chart.state.holdings.ashore == {("ENG", "beach"): 4000}


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(("since", "why"), [(0, []), (1, ["new"])])
def test_men_land_only_from_a_fleet_that_has_been_there_since_the_last_dawn(
    since: int, why: list[str]
) -> None:
    chart = ready(holdings=Holdings(watches={"e": Watch("beach", since)}))
    b.step(boats_step, chart)
    assert [row["why"] for row in s.told(chart, "landing_waits")] == why
    assert bool(chart.state.holdings.ashore) is not bool(why)


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(("alarm", "lands"), [(0, True), (1, False), (23, False), (-1, True)])
def test_a_fleet_that_saw_too_strong_an_enemy_by_day_does_not_land_the_next_morning(
    alarm: int, lands: bool
) -> None:
    chart = ready(holdings=Holdings(watches={"e": Watch("beach", 0, alarm)}))
    b.step(boats_step, chart)
    assert bool(chart.state.holdings.ashore) is lands


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(
    ("hour", "foes", "seen", "alarmed"),
    [
        (6, 1, True, True),  # one of our two: half the value
        (6, 1, False, False),
        (6, 0, True, False),  # a ship without men is no strength
        (17, 1, True, False),  # 23:00: dark
    ],
)
def test_an_enemy_body_of_half_our_strength_seen_by_day_is_cause_for_alarm(
    hour: int, foes: int, seen: bool, alarmed: bool
) -> None:
    fleet = b.fleet("e", "ENG", "beach", order=s.order("e", "land"))
    ships = [
        b.ship("e1", "ENG", "e"),
        b.ship("e2", "ENG", "e"),
        b.ship("d1", "NLD", "d", men=300 if foes else 20),
    ]
    made = s.made([fleet, b.fleet("d", "NLD", "c")], ships)
    chart = s.chart(made, hour=hour)
    chart.state.touches["e", "d"] = Touch("e", "d", seen=seen)
    keep_watch(chart)
    assert chart.state.holdings.watches == {"e": Watch("beach", hour, hour if alarmed else -1)}


@pytest.mark.clause("G.LD2", "G.IG1")
def test_enemies_in_company_are_one_body_and_count_together() -> None:
    fleet = b.fleet("e", "ENG", "beach", order=s.order("e", "land"))
    ships = [b.ship(f"e{n}", "ENG", "e") for n in range(4)] + [
        b.ship("d1", "NLD", "d"),
        b.ship("f1", "NLD", "f"),
    ]
    for apart, alarmed in ((Position("c", "b", 2_000), True), (Position("c", "b", 9_000), False)):
        foes = [b.fleet("d", "NLD", "c"), b.fleet("f", "NLD", "c", position=apart)]
        chart = s.chart(s.made([fleet, *foes], ships), hour=6)
        for code in ("d", "f"):
            chart.state.touches["e", code] = Touch("e", code, seen=True)
        keep_watch(chart)
        assert (chart.state.holdings.watches["e"].alarm == 6) is alarmed


@pytest.mark.clause("G.LD2")
def test_a_watch_begins_again_when_the_fleet_has_been_away() -> None:
    fleet = b.fleet("e", "ENG", "beach", order=s.order("e", "land"))
    made = s.made([fleet], holdings=Holdings(watches={"e": Watch("far", 0)}))
    chart = s.chart(made, hour=8)
    keep_watch(chart)
    assert chart.state.holdings.watches == {"e": Watch("beach", 8)}
    chart.alter(chart.state.fleets["e"], position=Position("c"))
    keep_watch(chart)
    assert not chart.state.holdings.watches


@pytest.mark.clause("G.LD2")
def test_men_are_taken_off_a_beach_at_the_same_rate() -> None:
    fleet = b.fleet("e", "ENG", "beach", order=s.order("e", "embark"))
    holdings = Holdings(ashore={("ENG", "beach"): 5000})
    chart = s.chart(s.made([fleet], [s.transport("e1", tons=60_000)], holdings=holdings))
    b.step(boats_step, chart)
    assert chart.state.troops.aboard == {"e1": 4000}
    assert chart.state.holdings.ashore == {("ENG", "beach"): 1000}


@pytest.mark.clause("G.LD2")
@pytest.mark.parametrize(("days", "left"), [(14, 1001), (15, 900), (16, 810)])
def test_men_without_a_fleet_eat_for_fourteen_days_and_then_lose_a_tenth_a_day(days: int, left: int) -> None:
    holdings = Holdings(ashore={("ENG", "beach"): 1001})
    chart = s.chart(s.made([b.fleet("e", "ENG", "a")], holdings=holdings))
    for day in range(days + 1):
        chart.state.hour = 24 * day
        b.step(rations_step, chart)
    assert chart.state.holdings.ashore == {("ENG", "beach"): left}
    assert days_left(chart, "ENG", "beach") == 0


@pytest.mark.clause("G.LD2")
def test_a_fleet_at_the_place_feeds_men_ashore() -> None:
    near = b.fleet("e", "ENG", "beach", to="c", run=10_000)
    holdings = Holdings(ashore={("ENG", "beach"): 1000}, hungry={("ENG", "beach"): 0})
    chart = s.chart(s.made([near], holdings=holdings), hour=24 * 30)
    b.step(rations_step, chart)
    assert chart.state.holdings.ashore == {("ENG", "beach"): 1000}
    assert days_left(chart, "ENG", "beach") is None
    chart.alter(chart.state.fleets["e"], position=Position("beach", "c", 10_001))
    b.step(rations_step, chart)
    assert days_left(chart, "ENG", "beach") == 14


@pytest.mark.clause("G.LD3")
@pytest.mark.parametrize(
    ("men", "words"), [(1, "1"), (999, "1"), (1000, "2-4"), (2499, "2-4"), (2500, "5-9"), (20_000, "40+")]
)
def test_the_other_side_knows_of_men_ashore_in_bands_of_five_hundred(men: int, words: str) -> None:
    assert men_in_a_band(men) == words


@pytest.mark.clause("G.LD1", "G.VP1")
def test_soldiers_go_down_with_their_ship_but_for_the_share_of_the_crew_that_is_saved() -> None:
    ships = [b.ship("e1", "ENG", "e", men=100), b.ship("e2", "ENG", "e", men=100, complement=300)]
    made = s.made([b.fleet("e", "ENG", "b")], ships, troops=Troops(aboard={"e1": 1000}))
    chart = s.chart(made)
    lose(chart, chart.state.ships["e1"], Fate.FOUNDERED, clause="G.GF1", cause="in the gale")
    assert chart.state.ships["e2"].men == 125  # a quarter of her own people
    assert chart.state.troops.aboard == {"e2": 250}  # the same share: 25 of 100
    (row,) = s.told(chart, "soldiers_lost")
    assert (row["men"], row["taken"], Fraction(row["marks"])) == (750, False, Fraction(3, 4))


@pytest.mark.clause("G.LD1", "G.VP1")
def test_soldiers_of_a_wreck_on_a_hostile_coast_are_prisoners_and_cost_marks() -> None:
    made = s.made([b.fleet("e", "ENG", "c")], [b.ship("e1", "ENG", "e")], troops=Troops(aboard={"e1": 500}))
    chart = s.chart(made)
    lose(chart, chart.state.ships["e1"], Fate.WRECKED, clause="G.CH2", cause="driven ashore")
    assert chart.state.economy.prisoners == {("NLD", "theirs", "ENG"): 800}
    assert s.told(chart, "soldiers_lost")[0]["taken"] is True
    made = s.made([b.fleet("e", "ENG", "a")], [b.ship("e1", "ENG", "e")], troops=Troops(aboard={"e1": 500}))
    chart = s.chart(made)
    lose(chart, chart.state.ships["e1"], Fate.WRECKED, clause="G.CH2", cause="driven ashore")
    assert chart.state.troops.armies == {("ENG", "home"): Army(500)}
    assert not s.told(chart, "soldiers_lost")


def fight(troops: dict[str, int], **fates: Any) -> Any:
    """A meeting at sea of an English ship and a transport with a Dutch ship, with an outcome of one's choice."""
    ships = [b.ship("e1", "ENG", "e"), s.transport("e2"), b.ship("d1", "NLD", "d", men=400, complement=400)]
    fleets = [
        b.fleet("e", "ENG", "b", order=s.order("e", "land", "c", "beach")),
        b.fleet(
            "d",
            "NLD",
            "b",
            order=replace(
                s.order("d", "anchor", stance=Stance.SEEK), instructions=Instructions(greatest_odds="9")
            ),
        ),
    ]
    made = s.made(fleets, ships, troops=Troops(aboard=troops), changed={"see_at_day": 1})
    calls: list[Any] = []

    def fought(call: Any) -> dict[str, Any]:
        calls.append(call)
        return b.outcome_of(call, **fates)

    state, _ = b.play(made, fought=fought)
    return state, calls


@pytest.mark.clause("G.LD1", "G.PR1")
def test_soldiers_in_a_ship_that_is_taken_are_prisoners_and_count_for_her_guard() -> None:
    taken = {"fate": "captured", "captor": "NLD", "captor_ship": "d1", "prize_crew": 12, "prisoners": 40}
    state, _ = fight({"e1": 100, "e2": 1500}, e2=taken)
    assert "e2" not in state.troops.aboard and state.troops.aboard["e1"] == 100
    assert state.prizes["e2"].prisoners == 1540
    assert state.ships["e2"].men == 12 + 300  # and a fifth of the soldiers
    (row,) = s.told(state, "soldiers_lost")
    assert (row["men"], row["taken"], row["marks"]) == (1500, True, "3/2")


@pytest.mark.clause("G.LD1", "G.CV1")
def test_transports_with_soldiers_are_covered_in_battle_and_ships_of_war_are_not() -> None:
    _, calls = fight({"e1": 100, "e2": 1500})
    english = next(side for side in calls[0].scenario["sides"] if side["id"] == "ENG")
    assert english["doctrine"]["protect"] == ["e2"]
    _, calls = fight({})
    english = next(side for side in calls[0].scenario["sides"] if side["id"] == "ENG")
    assert english["doctrine"]["protect"] == []


@pytest.mark.clause("G.LD1")
def test_soldiers_lost_in_battle_are_reported_to_their_own_side_alone() -> None:
    state, _ = fight({"e2": 1500}, e2={"fate": "sunk"})
    assert not state.troops.aboard
    assert s.knows(state, "soldiers_lost") == [("ENG",)]
    assert s.told(state, "soldiers_lost")[0]["marks"] == "3/2"


@pytest.mark.clause("G.LD1", "G.LD2", "G.LD5", "G.MV2")
@pytest.mark.parametrize(
    ("arrival", "route", "code"),
    [
        ("embark", (), ""),
        ("embark", ("b", "n"), "order/no-haven"),
        ("disembark", (), ""),
        ("disembark", ("b", "c", "beach"), "order/no-haven"),
        ("land", ("b", "c", "beach"), ""),
        ("land", ("b", "c", "theirs"), ""),
        ("land", ("b", "c"), "order/no-beach"),
        ("land", (), "order/no-beach"),
        ("raid", ("b", "c", "theirs"), ""),
        ("raid", ("b", "c", "beach"), "order/no-enemy-port"),
        ("embark", ("b", "c", "theirs"), "order/enemy-port"),
        ("anchor", ("b", "c", "theirs"), "order/enemy-port"),
    ],
)
def test_each_order_has_its_places(arrival: str, route: tuple[str, ...], code: str) -> None:
    at = "home" if not route else "a"
    made = s.made([b.fleet("e", "ENG", at)])
    faults = order_faults(made, s.order("e", arrival, *route), "ENG")
    assert [fault.code for fault in faults] == ([code] if code else [])


@pytest.mark.clause("G.LD2")
def test_a_place_without_a_beach_takes_no_landing() -> None:
    made = s.made([b.fleet("e", "ENG", "c")], theirs={"no_beach": True})
    faults = order_faults(made, s.order("e", "land", "theirs"), "ENG")
    assert [fault.code for fault in faults] == ["order/no-beach"]


@pytest.mark.clause("G.LD2")
def test_men_may_land_on_a_coast_of_no_side_that_has_no_guard() -> None:
    for guard, codes in ((0, []), (1, ["order/no-beach"])):
        made = s.made([b.fleet("e", "ENG", "c")], guard=guard, theirs={"owner": "Korea"})
        faults = order_faults(made, s.order("e", "land", "theirs"), "ENG")
        assert [fault.code for fault in faults] == codes


@pytest.mark.clause("G.LD2", "G.NE1")
@pytest.mark.parametrize(
    ("guard", "arrival", "interned"), [(0, "land", False), (0, "anchor", True), (1, "land", True)]
)
def test_no_one_interns_a_fleet_that_lands_men_at_an_unguarded_neutral_port(
    guard: int, arrival: str, interned: bool
) -> None:
    fleet = b.fleet("e", "ENG", "theirs", order=s.order("e", arrival))
    made = s.made(
        [fleet], [s.transport("e1", tons=20_000)], guard=guard, theirs={"owner": "Korea"}, days=3,
        troops=Troops(aboard={"e1": 9000}),
    )  # fmt: skip
    state, _ = b.play(made)
    assert bool(s.told(state, "interned")) is interned
    assert state.holdings.ashore.get(("ENG", "theirs"), 0) == (8000 if not interned else 0)
    assert not s.told(state, "fought_ashore")


@pytest.mark.clause("G.LD2")
def test_own_men_may_be_taken_off_at_the_enemys_port() -> None:
    made = s.made([b.fleet("e", "ENG", "c")], holdings=Holdings(ashore={("ENG", "theirs"): 5}))
    assert order_faults(made, s.order("e", "embark", "theirs"), "ENG") == ()


@pytest.mark.clause("G.LD1")
@pytest.mark.parametrize("arrival", ["embark", "disembark", "land", "raid"])
def test_without_the_option_no_order_about_soldiers_is_accepted(arrival: str) -> None:
    made = s.made([b.fleet("e", "ENG", "c")], changed={"landings": "off"})
    route = ("theirs",) if arrival in ("land", "raid") else ("b",)
    faults = order_faults(made, s.order("e", arrival, *route), "ENG")
    assert [fault.code for fault in faults] == ["order/no-landings"]


@pytest.mark.clause("G.LD1")
def test_without_the_option_nothing_happens_ashore() -> None:
    chart = ready(changed={"landings": "off"})
    b.step(landing_step, chart)
    assert not chart.state.events and not chart.state.holdings.ashore


@pytest.mark.clause("G.LD2", "G.PT1")
def test_a_fleet_silences_the_guard_stays_and_lands_on_the_next_morning() -> None:
    ships = [b.ship("e1", "ENG", "e", card={"hull": 200, "value": 40}), s.transport("e2", tons=20_000)]
    ships[1] = replace(ships[1], card={"hull": 200, "value": 1})
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "land", "theirs"), position=s.OFF)
    made = s.made([fleet], ships, troops=Troops(aboard={"e2": 9000}), days=2)
    state, _ = b.play(made, reload=True)
    assert [row["place"] for row in s.told(state, "guard_silenced")] == ["theirs"]
    assert state.fleets["e"].position == s.OFF
    assert state.fleets["e"].order.on_arrival is OnArrival.LAND
    assert len(s.told(state, "port_attacked")) == 1
    assert [(e.hour, e.data["men"]) for e in state.events if e.kind == "landed"] == [(24, 4000)]


@pytest.mark.clause("G.LD2", "G.PT1")
def test_a_fleet_that_leaves_hostile_ships_in_the_port_lies_off_and_lands_no_one() -> None:
    ships = [b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d")]
    fleet = b.fleet("e", "ENG", "c", order=s.order("e", "land", "theirs"), position=s.OFF)
    state, _ = b.play(
        s.made([fleet, b.fleet("d", "NLD", "theirs")], ships, troops=Troops(aboard={"e1": 100}), days=2)
    )
    assert not s.told(state, "guard_silenced") and not state.holdings.ashore
    assert [row["raid"] for row in s.told(state, "assault_failed")] == [False]
    assert state.fleets["e"].order.on_arrival is OnArrival.BLOCKADE


@pytest.mark.clause("G.LD2")
def test_the_guard_speaks_again_when_no_fleet_and_no_man_is_left() -> None:
    made = s.made([b.fleet("e", "ENG", "b")], holdings=Holdings(silenced={"theirs": "ENG"}))
    chart = s.chart(made)
    b.step(landing_step, chart)
    assert not chart.state.holdings.silenced
    made = s.made(
        [b.fleet("e", "ENG", "b")],
        holdings=Holdings(silenced={"theirs": "ENG"}, ashore={("ENG", "theirs"): 400}),
    )
    chart = s.chart(made, faces=(3, 3))
    b.step(landing_step, chart)
    assert chart.state.holdings.silenced == {"theirs": "ENG"}


@pytest.mark.clause("G.KT6", "G.LD1")
@pytest.mark.parametrize("arrival", ["embark", "disembark", "land"])
def test_a_fleet_with_soldiers_to_move_does_not_renew_a_battle_by_its_own_judgement(arrival: str) -> None:
    from campaign.rules.battle.writeback import _parts

    fleet = b.fleet("e", "ENG", "b", order=s.order("e", arrival))
    chart = s.chart(s.made([fleet], changed={"after_battle_default": "auto"}))
    fleet_now, before = chart.state.fleets["e"], dict(chart.state.ships)
    assert _parts(chart, fleet_now, before, Fraction(10), Fraction(1))
    plain = replace(fleet_now, order=replace(fleet_now.order, on_arrival=OnArrival.PATROL))
    assert not _parts(chart, plain, before, Fraction(10), Fraction(1))


@pytest.mark.clause("G.LD1", "G.LD2")
def test_saved_troops_and_the_ports_they_hold_are_read_back_unchanged() -> None:
    chart = ready()
    b.step(boats_step, chart)
    doc = chart.state.to_dict()
    assert type(chart.state).from_dict(doc).to_dict() == doc
    assert aboard(chart, chart.state.fleets["e"]) == 6000
