"""Errors in a side's shore orders: each sentence, and both sides of every limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.ashore.side_faults import faultless, may_ransom, side_faults, still_good, take_side_orders
from campaign.rules.chart.side_orders import MenMove, PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.state.economy import Job, PrizeCase, Stage
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

BUY, SELL, HULK, BURN, EXCHANGE = PrizeAct.BUY, PrizeAct.SELL, PrizeAct.HULK, PrizeAct.BURN, PrizeAct.EXCHANGE


def ashore(*, dockyard: int = 3, **case: Any) -> Chart:
    """England at home: s1 sound, s2 with light work, s3 with medium work, s4 at sea; two prizes before the court; a Dutch fleet."""
    doc = b.square_doc()
    doc["nodes"][4] |= {"dockyard_capacity": dockyard, "name": "Home (the yard)"}
    ships = [b.ship(f"s{n}", "ENG", "e", condition={"lost": lost}) for n, lost in ((1, 0), (2, 4), (3, 10))]
    ships += [b.ship("s4", "ENG", "f"), b.ship("d1", "NLD", "d")]
    ships += [b.ship(code, "ENG", "e", squadron="prizes", prize=True, men=30) for code in ("p1", "p2")]
    fleets = [b.fleet("e", "ENG", "home"), b.fleet("f", "ENG", "a"), b.fleet("d", "NLD", "theirs")]
    made = b.facts(fleets, ships, sea=read_theatre(doc))
    chart = Chart(made, turn.begin(made, {}, b.dice(made)), ScriptedDice(()))
    for code in ("p1", "p2"):
        fields: dict[str, Any] = {"stage": Stage.CONDEMNED, "port": "home", "value": 4000} | case
        chart.state.economy.prizes[code] = PrizeCase(code, "ENG", "NLD", "s1", 0, 200, **fields)
    chart.state.economy.funds["ENG"] = 10_000
    return chart


def faults(chart: Chart, **lines: Any) -> list[tuple[str, str, str]]:
    return [(fault.code, fault.clause, fault.text) for fault in side_faults(chart, SideOrder("ENG", **lines))]


def choice(ship: str, act: PrizeAct, name: str = "") -> PrizeChoice:
    return PrizeChoice(ship, act, name)


@pytest.mark.clause("G.MV3")
def test_orders_that_can_be_carried_out_have_no_errors() -> None:
    good: dict[str, Any] = {
        "queue": ("s2", "s3", "s4"), "choices": (choice("p1", BUY, "Guelder"), choice("p2", SELL)),
        "recruits": ("s1", "s4"), "bounty": {"home": 100_000}, "moves": (MenMove("s1", "s2", 300),),
        "exchange": {"NLD": 100_000},
    }  # fmt: skip
    assert faults(ashore(), **good) == []


def test_an_unknown_side_is_reported() -> None:
    (fault,) = side_faults(ashore(), SideOrder("FRA"))
    assert tuple(fault)[:3] == ("side/no-such-side", "G.MV3", "There is no side 'FRA'.")


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(
    ("queue", "dockyard", "said"),
    [
        (("s2", "s2"), 3, [("yard/twice", "Ship s2 is in the queue twice.")]),
        (("d1",), 3, [("side/not-your-ship", "d1 is not one of your ships.")]),
        (("x9", "x9"), 3, [("side/not-your-ship", "x9 is not one of your ships.")]),
        (("p1",), 3, [("yard/prize", "Ship p1 is a prize. Buy it into service before you send it to a yard.")]),
        (("s1",), 3, [("yard/no-work", "Ship s1 is undamaged. It does not need a yard.")]),
        (("s2",), 0, [("yard/no-yard", "Home has no dockyard for Ship s2.")]),
        (("s2",), 1, []),
        (("s3",), 2, []),
        (("s3",), 1,
         [("yard/berth-class",
           "Home has a yard of class 1, but the work on Ship s3 needs a berth of class 2.")]),
        (("s4",), 0, []),
    ],
)  # fmt: skip
def test_the_queue_of_the_yards_is_checked(
    queue: tuple[str, ...], dockyard: int, said: list[tuple[str, str]]
) -> None:
    assert faults(ashore(dockyard=dockyard), queue=queue) == [(code, "G.RP2", text) for code, text in said]


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ([choice("p1", SELL), choice("p1", BURN)],
         [("prize/twice", "There are two choices for Ship p1. Give only one.")]),
        ([choice("s1", SELL)], [("prize/not-yours", "s1 is not one of your prizes.")]),
        ([choice("x9", SELL), choice("x9", SELL)], [("prize/not-yours", "x9 is not one of your prizes.")]),
        ([choice("p1", HULK, "Guelder")],
         [("prize/name", "Only a ship that you buy into service can have a new name, not Ship p1.")]),
        ([choice("p1", BUY, "G" * 80)], []),
        ([choice("p1", BUY, "G" * 81)],
         [("prize/name", "A ship's name can have up to 80 letters and no spaces around it.")]),
        ([choice("p1", BUY, " Guelder")],
         [("prize/name", "A ship's name can have up to 80 letters and no spaces around it.")]),
        ([choice("p1", BUY, "Ship s1")],
         [("prize/name-taken", "You already have a ship called Ship s1. Choose another name.")]),
        ([choice("p1", BUY, "Ship p2")],
         [("prize/name-taken", "You already have a ship called Ship p2. Choose another name.")]),
        ([choice("p1", BUY, "Ship p1")], []),
        ([choice("p1", BUY, "Ship d1")], []),
        ([choice("p1", BUY, "Guelder"), choice("p2", BUY, "Guelder")],
         [("prize/name-taken", "You already have a ship called Guelder. Choose another name.")]),
        ([choice("p1", BUY), choice("p2", BUY)], []),
    ],
)  # fmt: skip
def test_choices_for_prizes_are_checked(choices: list[PrizeChoice], said: list[tuple[str, str]]) -> None:
    assert faults(ashore(), choices=tuple(choices)) == [(code, "G.PR4", text) for code, text in said]


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize("stage", list(Stage))
def test_only_a_prize_not_yet_disposed_of_leaves_a_choice(stage: Stage) -> None:
    open_still = stage in (Stage.SAILING, Stage.COURT, Stage.CONDEMNED)
    text = f"Ship p1 has already been disposed of: {stage.value}."
    closed = [] if open_still else [("prize/closed", "G.PR4", text)]
    chart = ashore(stage=stage)
    assert faults(chart, choices=(choice("p1", SELL),)) == closed
    kept = still_good(chart, SideOrder("ENG", choices=(choice("p1", SELL),))).choices
    assert bool(kept) == open_still


@pytest.mark.clause("G.PR4")
def test_a_name_is_free_again_when_its_ship_is_gone_or_belongs_to_another_side() -> None:
    chart = ashore()
    taken = [("prize/name-taken", "G.PR4", "You already have a ship called Ship s4. Choose another name.")]
    assert faults(chart, choices=(choice("p1", BUY, "Ship s4"),)) == taken
    chart.state.ships["s4"] = replace(chart.state.ships["s4"], fate=Fate.SUNK, fleet="")
    assert faults(chart, choices=(choice("p1", BUY, "Ship s4"),)) == []
    chart.state.economy.names["s1"] = "Vanguard"
    assert faults(chart, choices=(choice("p1", BUY, "Ship s1"),)) == []
    assert faults(chart, choices=(choice("p1", BUY, "Vanguard"),))[0][0] == "prize/name-taken"


@pytest.mark.clause("G.PR4")
def test_a_prize_of_the_other_side_or_a_lost_prize_leaves_no_choice() -> None:
    chart = ashore()
    economy = chart.state.economy
    economy.prizes["p1"] = replace(economy.prizes["p1"], captor="NLD")
    chart.state.ships["p2"] = replace(chart.state.ships["p2"], fleet="")
    said = faults(chart, choices=(choice("p1", BUY), choice("p2", BUY)))
    assert [text for _, _, text in said if "your prizes" in text] == [
        "p1 is not one of your prizes.", "p2 is not one of your prizes.",
    ]  # fmt: skip
    order = SideOrder("ENG", choices=(choice("p1", BUY), choice("x9", BUY)))
    assert still_good(chart, order).choices == ()


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize(
    ("fund", "acts", "short"),
    [
        (8000, (BUY, BUY), False),
        (7999, (BUY, BUY), True),
        (0, (BUY, SELL), False),
        (0, (BUY, EXCHANGE), False),
        (0, (BUY, HULK), True),
        (0, (BUY, BURN), True),
        (3999, (BUY,), True),
        (4000, (BUY,), False),
        (0, (SELL,), False),
    ],
)
def test_the_fund_with_the_proceeds_of_other_prizes_must_cover_purchases(
    fund: int, acts: tuple[PrizeAct, ...], short: bool
) -> None:
    chart = ashore()
    chart.state.economy.funds["ENG"] = fund
    cost = 4000 * acts.count(BUY)
    text = f"The prizes you want to buy cost £{cost:,}, but the fund has only £{fund:,}."
    chosen = tuple(choice(f"p{n}", act) for n, act in enumerate(acts, 1))
    assert faults(chart, choices=chosen) == ([("prize/fund", "G.PR4", text)] if short else [])


@pytest.mark.clause("G.PR4")
def test_an_uncondemned_prize_costs_nothing_now_and_a_side_without_a_fund_has_none() -> None:
    assert faults(ashore(stage=Stage.COURT, value=90_000), choices=(choice("p1", BUY),)) == []
    chart = ashore()
    del chart.state.economy.funds["ENG"]
    text = "The prizes you want to buy cost £4,000, but the fund has only £0."
    assert faults(chart, choices=(choice("p1", BUY),)) == [("prize/fund", "G.PR4", text)]


@pytest.mark.clause("G.RP3")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ({"recruits": ("s1", "s1", "s1")}, [("men/twice", "Ship s1 is listed twice for recruits.")]),
        ({"recruits": ("d1", "d1")}, [("side/not-your-ship", "d1 is not one of your ships.")]),
        ({"bounty": {"theirs": 1}}, [("men/not-your-port", "'theirs' is not one of your ports.")]),
        ({"bounty": {"a": 1}}, [("men/not-your-port", "'a' is not one of your ports.")]),
        ({"bounty": {"moon": 1}}, [("men/not-your-port", "'moon' is not one of your ports.")]),
        ({"bounty": {"home": 0}}, []),
        ({"bounty": {"home": -1}}, [("men/number", "Men to recruit for bounty money must be a number from 0 to 100,000.")]),
        ({"bounty": {"home": 100_001}},
         [("men/number", "Men to recruit for bounty money must be a number from 0 to 100,000.")]),
        ({"moves": (MenMove("s1", "s2", 1),)}, []),
        ({"moves": (MenMove("s1", "s2", 0),)},
         [("men/number", "Ship s1 has 300 men, so you cannot move 0 of them.")]),
        ({"moves": (MenMove("s1", "s2", 301),)},
         [("men/number", "Ship s1 has 300 men, so you cannot move 301 of them.")]),
        ({"moves": (MenMove("s1", "s1", 5),)}, [("men/same-ship", "The men of Ship s1 are already aboard it.")]),
        ({"moves": (MenMove("s1", "d1", 5),)}, [("side/not-your-ship", "d1 is not one of your ships.")]),
        ({"moves": (MenMove("d1", "s1", 5),)}, [("side/not-your-ship", "d1 is not one of your ships.")]),
        ({"moves": (MenMove("s1", "p1", 5),)},
         [("men/prize", "Ship p1 is a prize. Its crew cannot be moved.")]),
    ],
)  # fmt: skip
def test_recruits_bounty_and_men_moved_are_checked(
    lines: dict[str, Any], said: list[tuple[str, str]]
) -> None:
    assert faults(ashore(), **lines) == [(code, "G.RP3", text) for code, text in said]


@pytest.mark.clause("G.PR5")
@pytest.mark.parametrize(
    ("exchange", "said"),
    [
        ({"NLD": 0}, []),
        ({"FRA": 5}, [("prisoners/no-such-side", "'FRA' is not a side you can exchange prisoners with.")]),
        ({"ENG": 5}, [("prisoners/no-such-side", "'ENG' is not a side you can exchange prisoners with.")]),
        ({"NLD": -1}, [("prisoners/number", "Prisoners to exchange must be a number from 0 to 100,000.")]),
        (
            {"NLD": 100_001},
            [("prisoners/number", "Prisoners to exchange must be a number from 0 to 100,000.")],
        ),
    ],
)
def test_prisoners_requested_back_are_checked(exchange: dict[str, int], said: list[tuple[str, str]]) -> None:
    assert faults(ashore(), exchange=exchange) == [(code, "G.PR5", text) for code, text in said]


@pytest.mark.clause("G.PR4", "G.IN1")
@pytest.mark.parametrize("stage", list(Stage))
def test_a_side_may_offer_for_its_ship_until_she_is_back_and_learns_nothing_else(stage: Stage) -> None:
    chart = ashore(stage=stage)
    case = chart.state.economy.prizes["p1"]
    back = stage in (Stage.RETAKEN, Stage.EXCHANGED)
    assert (may_ransom(case, "NLD"), may_ransom(case, "ENG")) == (not back, False)
    order = SideOrder("NLD", ransom=("p1", "x9"))
    said = [fault.text for fault in side_faults(chart, order)]
    gone = [
        f"{code} is not one of your ships in enemy hands." for code in (("p1", "x9") if back else ("x9",))
    ]
    assert said == gone
    assert still_good(chart, order).ransom == (() if back else ("p1",))


@pytest.mark.clause("G.MV3")
def test_a_standing_order_loses_only_what_time_has_overtaken() -> None:
    chart = ashore()
    order = SideOrder(
        "ENG",
        queue=("s1", "s2", "p1", "s2", "x9"),
        recruits=("s1", "p1", "s1", "d1"),
        moves=(MenMove("s1", "s2", 5), MenMove("p1", "s2", 5), MenMove("s1", "s2", 301)),
    )
    kept = still_good(chart, order)
    assert kept.queue == ("s2",)
    assert kept.recruits == ("s1",)
    assert kept.moves == (MenMove("s1", "s2", 5),)
    # who is in the yard's hands already stays there, whatever the yard would say of her now
    chart.state.economy.jobs["s1"] = Job("s1", "ENG", "home", "light", 0, 0, 14, 0, 0)
    assert still_good(chart, order).queue == ("s1", "s2")


@pytest.mark.clause("G.MV3", "G.PR4")
def test_a_list_of_orders_without_its_bad_lines_keeps_the_good_ones() -> None:
    chart = ashore()
    chart.state.economy.funds["ENG"] = 4000
    order = SideOrder(
        "ENG",
        queue=("s2", "s1"),
        choices=(choice("p1", BUY), choice("p2", BUY)),
        recruits=("s4", "d1"),
        bounty={"home": 5, "theirs": 5},
        moves=(MenMove("s1", "s2", 5), MenMove("s1", "s1", 5)),
        exchange={"NLD": 5, "ENG": 5},
        ransom=("p1",),
    )
    assert faultless(chart, order) == SideOrder(
        "ENG", queue=("s2",), choices=(choice("p1", BUY),), recruits=("s4",), bounty={"home": 5},
        moves=(MenMove("s1", "s2", 5),), exchange={"NLD": 5},
    )  # fmt: skip


@pytest.mark.clause("G.MV3")
def test_bad_shore_orders_are_refused_with_every_reason_and_the_last_good_ones_still_apply() -> None:
    chart = ashore()
    standing, bad = SideOrder("ENG", queue=("s2",)), SideOrder("ENG", queue=("d1",), recruits=("x9",))
    chart.state.economy.orders["ENG"] = standing
    chart.facts = replace(chart.facts, side_orders={"ENG": bad, "FRA": SideOrder("FRA")})
    chart.state.events.clear()
    take_side_orders(chart)
    (event,) = chart.state.events
    assert (event.kind, event.knows, event.data["side"]) == ("side_order_refused", ("ENG",), "ENG")
    assert [row[0] for row in event.data["faults"]] == ["side/not-your-ship"] * 2
    assert chart.state.economy.orders == {"ENG": standing}
    chart.facts = replace(chart.facts, side_orders={"ENG": SideOrder("ENG", queue=("s3",))})
    take_side_orders(chart)
    assert chart.state.economy.orders == {"ENG": SideOrder("ENG", queue=("s3",))}
    assert len(chart.state.events) == 1


@pytest.mark.clause("G.MV3", "G.IN1")
@pytest.mark.parametrize("changes", [{"fate": Fate.INTERNED}, {"fleet": ""}, {"side": "NLD"}], ids=str)
def test_a_ship_that_no_longer_serves_is_not_one_of_ours(changes: dict[str, Any]) -> None:
    chart = ashore()
    chart.state.ships["s2"] = replace(chart.state.ships["s2"], **changes)
    text = "s2 is not one of your ships."
    assert faults(chart, queue=("s2", "s2")) == [("side/not-your-ship", "G.RP2", text)]
    assert faults(chart, recruits=("s2", "s2")) == [("side/not-your-ship", "G.RP3", text)]


@pytest.mark.clause("G.PR4", "G.IN1")
def test_only_two_choices_for_a_prize_of_ours_are_reported_as_two() -> None:
    chart = ashore()
    twice = tuple(choice("s1", act) for act in (SELL, BURN))
    assert faults(chart, choices=twice) == [("prize/not-yours", "G.PR4", "s1 is not one of your prizes.")]
    chart.state.ships["p1"] = replace(chart.state.ships["p1"], side="NLD", fleet="d")
    twice = tuple(choice("p1", act) for act in (SELL, BURN))
    assert faults(chart, choices=twice) == [("prize/not-yours", "G.PR4", "p1 is not one of your prizes.")]


@pytest.mark.clause("G.PR4")
def test_the_fund_pays_for_our_own_prizes_only_and_debts_alone_are_no_fault() -> None:
    chart = ashore()
    economy = chart.state.economy
    economy.funds["ENG"] = 4000
    economy.prizes["p1"] = replace(economy.prizes["p1"], captor="NLD")
    assert [code for code, _, _ in faults(chart, choices=(choice("p1", BUY), choice("p2", BUY)))] == [
        "prize/not-yours"
    ]
    economy.funds["ENG"] = -5
    assert faults(chart) == faults(chart, choices=(choice("p2", BURN),)) == []


@pytest.mark.clause("G.RP3")
def test_bounty_is_for_our_ports_and_not_for_other_places_of_ours() -> None:
    chart = ashore()
    places = {**chart.facts.theatre.places}
    places["n"] = replace(places["n"], owner="England")
    chart.facts = replace(chart.facts, theatre=replace(chart.facts.theatre, places=places))
    text = "'n' is not one of your ports."
    assert faults(chart, bounty={"n": 5}) == [("men/not-your-port", "G.RP3", text)]


@pytest.mark.clause("G.MV3")
def test_standing_shore_orders_and_those_of_no_side_are_not_refused() -> None:
    chart = ashore()
    bad = SideOrder("ENG", queue=("d1", "s2"))
    chart.state.economy.orders["ENG"] = bad
    chart.facts = replace(chart.facts, side_orders={"ENG": bad, "FRA": SideOrder("FRA", queue=("x9",))})
    chart.state.events.clear()
    take_side_orders(chart)
    assert [event.kind for event in chart.state.events] == []
    assert chart.state.economy.orders == {"ENG": SideOrder("ENG", queue=("s2",))}
