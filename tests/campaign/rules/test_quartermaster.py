"""The automatic admiral's shore orders: yards, prizes and prisoners, and that one bad line costs no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.ashore.side_faults import chart_of, side_faults
from campaign.rules.chart.side_orders import MenMove, PrizeAct, SideOrder
from campaign.rules.chart.types import TurnFacts
from campaign.rules.state.economy import Economy, Job, PrizeCase, Stage
from campaign.rules.turn import turn
from campaign.rules.turn.quartermaster import _fleet_lost, admiral_ashore
from tests.campaign.rules import builders as b

BUY, SELL = PrizeAct.BUY, PrizeAct.SELL


def ashore(
    *prizes: tuple[str, int, Stage, int], fund: int = 10_000, order: SideOrder | None = None, hurt: int = 0
) -> TurnFacts:
    """An English fleet in port with prizes. prizes: code, value of her card, stage, points of her hull of 20 lost."""
    ships = [b.ship(f"e{n}", "ENG", "e", condition={"lost": hurt}) for n in (1, 2)]
    ships += [
        b.ship(
            code, "ENG", "e", squadron="prizes", prize=True, men=30, card={"hull": 20, "value": value}, condition={"lost": lost}
        )
        for code, value, _, lost in prizes
    ]  # fmt: skip
    made = b.facts([b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "theirs")], ships)
    economy = Economy()
    economy.funds["ENG"] = fund
    if order is not None:
        economy.orders["ENG"] = order
    for code, value, stage, lost in prizes:
        port = "" if stage is Stage.SAILING else "home"
        condemned = 100 * value * (20 - lost) // 20 if stage is Stage.CONDEMNED else 0
        economy.prizes[code] = PrizeCase(code, "ENG", "NLD", "e1", 0, 200, stage, port, value=condemned)
    return replace(made, carried={**made.carried, "economy": economy.doc()})


def chosen(made: TurnFacts) -> dict[str, PrizeAct]:
    order = admiral_ashore(made, "ENG")
    assert side_faults(chart_of(made, turn.standing(made)), order) == ()
    return {choice.ship: choice.act for choice in order.choices}


@pytest.mark.clause("G.PR4")
def test_the_most_valuable_prize_is_bought_first_whatever_her_code() -> None:
    made = ashore(("a", 15, Stage.CONDEMNED, 0), ("z", 90, Stage.CONDEMNED, 0))
    assert chosen(made) == {"a": SELL, "z": BUY}


@pytest.mark.clause("G.PR4")
def test_the_prize_with_more_value_for_her_price_is_bought() -> None:
    made = ashore(("a", 60, Stage.CONDEMNED, 0), ("z", 50, Stage.CONDEMNED, 0))
    economy = Economy.read(made.carried["economy"])
    economy.prizes["a"] = replace(economy.prizes["a"], value=9_900)
    dear = replace(made, carried={**made.carried, "economy": economy.doc()})
    assert chosen(dear) == {"a": SELL, "z": BUY}


@pytest.mark.clause("G.PR4")
def test_only_money_in_hand_counts_and_not_what_prizes_may_bring_later() -> None:
    made = ashore(
        ("a", 80, Stage.COURT, 12), ("b", 80, Stage.SAILING, 12), ("c", 30, Stage.CONDEMNED, 0), fund=2_000, hurt=15
    )  # fmt: skip
    assert chosen(made) == {"a": SELL, "b": SELL, "c": SELL}
    assert admiral_ashore(made, "ENG").queue == ("e1", "e2")


@pytest.mark.clause("G.PR4")
def test_a_prize_that_has_lost_more_than_half_her_hull_is_sold() -> None:
    assert chosen(ashore(("a", 40, Stage.CONDEMNED, 11), ("b", 40, Stage.CONDEMNED, 10))) == {
        "a": SELL,
        "b": BUY,
    }


@pytest.mark.clause("G.MV3", "G.RP2", "G.PR4")
@pytest.mark.parametrize(
    "bad",
    [
        {"bounty": {"theirs": 10}},
        {"moves": (MenMove("e1", "e2", 10_000),)},
        {"ransom": ("nobody",)},
        {"bounty": {"home": -1}},
    ],
    ids=lambda bad: str(*bad),
)
def test_a_line_that_would_be_refused_is_dropped_on_its_own(bad: dict[str, Any]) -> None:
    standing = replace(SideOrder("ENG", bounty={"home": 12}), **bad)
    made = ashore(("a", 40, Stage.CONDEMNED, 0), order=standing, hurt=15)
    chart = chart_of(made, turn.standing(made))
    assert side_faults(chart, standing)
    order = admiral_ashore(made, "ENG")
    assert side_faults(chart, order) == ()
    assert order.queue == ("e1", "e2") and [choice.act for choice in order.choices] == [BUY]
    assert order.bounty == ({} if "bounty" in bad else {"home": 12})
    assert (order.moves, order.ransom) == ((), ())


def hurt_fleet(*lost: int, **over: Any) -> TurnFacts:
    """An English fleet at home whose ships e1, e2 ... have lost so much of sixty."""
    ships = [
        b.ship(f"e{n}", "ENG", "e", card={"hull": 60, "value": 40}, condition={"lost": points})
        for n, points in enumerate(lost, 1)
    ]
    return b.facts([b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "theirs")], ships, **over)


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(
    ("lost", "queue"),
    [
        ((15, 0, 0, 0), ()),
        ((16, 0, 0, 0), ("e1",)),
        ((6, 6, 6), ()),
        ((7, 6, 6), ("e1", "e2", "e3")),
        ((15, 9, 0, 1), ("e1", "e2", "e4")),
        ((30, 1, 16), ("e2", "e1", "e3")),
    ],
)
def test_a_ship_is_refitted_beyond_a_quarter_of_her_hull_or_a_tenth_of_her_fleets(
    lost: tuple[int, ...], queue: tuple[str, ...]
) -> None:
    assert admiral_ashore(hurt_fleet(*lost), "ENG").queue == queue


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(("guns", "queue"), [(51, ()), (50, ("e1",))])
def test_a_ship_that_has_lost_half_of_its_value_is_refitted(guns: int, queue: tuple[str, ...]) -> None:
    """Of its hull a sixtieth is gone."""
    made = hurt_fleet(1, 0, 0, 0)
    condition = {**made.ships["e1"].condition, "guns": guns}
    made = replace(made, ships={**made.ships, "e1": replace(made.ships["e1"], condition=condition)})
    assert admiral_ashore(made, "ENG").queue == queue


@pytest.mark.clause("G.RP2")
def test_prizes_do_not_count_in_a_fleets_damage() -> None:
    made = hurt_fleet(6, 6, 60)
    made = replace(made, ships={**made.ships, "e3": replace(made.ships["e3"], prize=True)})
    assert admiral_ashore(made, "ENG").queue == ()


@pytest.mark.clause("G.RP2")
def test_a_ship_under_repair_stays_under_repair_however_slight_the_damage() -> None:
    made = hurt_fleet(1, 0, 0)
    economy = Economy()
    economy.orders["ENG"] = SideOrder("ENG", queue=("e1",))
    economy.jobs["e1"] = Job("e1", "ENG", "home", "light", 0, 0, 14, 0, 0)
    made = replace(made, carried={**made.carried, "economy": economy.doc()})
    assert admiral_ashore(made, "ENG").queue == ("e1",)


@pytest.mark.clause("G.PR4")
def test_a_prize_is_bought_for_the_last_pound_of_the_fund() -> None:
    assert chosen(ashore(("a", 40, Stage.CONDEMNED, 0), fund=4_000)) == {"a": BUY}
    assert chosen(ashore(("a", 40, Stage.CONDEMNED, 0), fund=3_999)) == {"a": SELL}


@pytest.mark.clause("G.PR4")
@pytest.mark.parametrize("why", ["bought", "theirs", "lost"])
def test_a_prize_that_the_admiral_may_not_choose_costs_nothing(why: str) -> None:
    made = ashore(("a", 20, Stage.CONDEMNED, 0), ("z", 40, Stage.CONDEMNED, 0), fund=2_000)
    economy = Economy.read(made.carried["economy"])
    change = {"bought": {"stage": Stage.BOUGHT}, "theirs": {"captor": "NLD"}, "lost": {}}[why]
    economy.prizes["z"] = replace(economy.prizes["z"], value=1_000, **change)  # type: ignore[arg-type]
    made = replace(made, carried={**made.carried, "economy": economy.doc()})
    if why == "lost":
        made = replace(made, ships={**made.ships, "z": replace(made.ships["z"], side="NLD", fleet="d")})
    assert chosen(made) == {"a": BUY}


@pytest.mark.clause("G.PR4")
def test_a_prize_costing_a_pound_is_worth_her_whole_value_for_it() -> None:
    made = ashore(("a", 12, Stage.CONDEMNED, 0), ("z", 10_000, Stage.CONDEMNED, 0), fund=1_000)
    economy = Economy.read(made.carried["economy"])
    economy.prizes["a"] = replace(economy.prizes["a"], value=1)
    economy.prizes["z"] = replace(economy.prizes["z"], value=1_000)
    assert chosen(replace(made, carried={**made.carried, "economy": economy.doc()})) == {"a": BUY, "z": SELL}


@pytest.mark.clause("G.PR5")
def test_the_automatic_admiral_offers_every_prisoner_that_it_holds() -> None:
    made = ashore()
    economy = Economy()
    economy.hold("ENG", "home", "NLD", 7)
    economy.hold("NLD", "theirs", "ENG", 9)
    held = replace(made, carried={**made.carried, "economy": economy.doc()})
    assert admiral_ashore(held, "ENG").exchange == {"NLD": 7}
    assert admiral_ashore(made, "ENG").exchange == {}


@pytest.mark.clause("G.RP2")
def test_a_fleet_without_ships_has_lost_nothing() -> None:
    made = hurt_fleet(40)
    assert _fleet_lost(chart_of(made, turn.standing(made)), "nowhere") == 0
