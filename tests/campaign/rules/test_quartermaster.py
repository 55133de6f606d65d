"""The automatic admiral ashore: what he orders of yards, prizes and prisoners, and that one bad line costs no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules import turn
from campaign.rules.economy import Economy, PrizeCase, Stage
from campaign.rules.quartermaster import admiral_ashore
from campaign.rules.side_faults import chart_of, side_faults
from campaign.rules.side_orders import MenMove, PrizeAct, SideOrder
from campaign.rules.types import TurnFacts
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
def test_the_prize_most_worth_having_is_bought_first_whatever_her_code() -> None:
    made = ashore(("a", 15, Stage.CONDEMNED, 0), ("z", 90, Stage.CONDEMNED, 0))
    assert chosen(made) == {"a": SELL, "z": BUY}


@pytest.mark.clause("G.PR4")
def test_of_two_prizes_the_one_with_more_value_for_her_price_is_bought() -> None:
    made = ashore(("a", 60, Stage.CONDEMNED, 0), ("z", 50, Stage.CONDEMNED, 0))
    economy = Economy.read(made.carried["economy"])
    economy.prizes["a"] = replace(economy.prizes["a"], value=9_900)
    dear = replace(made, carried={**made.carried, "economy": economy.doc()})
    assert chosen(dear) == {"a": SELL, "z": BUY}


@pytest.mark.clause("G.PR4")
def test_only_money_in_hand_counts_and_not_what_prizes_may_bring_one_day() -> None:
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
def test_a_line_that_would_be_refused_falls_out_alone(bad: dict[str, Any]) -> None:
    standing = replace(SideOrder("ENG", bounty={"home": 12}), **bad)
    made = ashore(("a", 40, Stage.CONDEMNED, 0), order=standing, hurt=15)
    chart = chart_of(made, turn.standing(made))
    assert side_faults(chart, standing)
    order = admiral_ashore(made, "ENG")
    assert side_faults(chart, order) == ()
    assert order.queue == ("e1", "e2") and [choice.act for choice in order.choices] == [BUY]
    assert order.bounty == ({} if "bounty" in bad else {"home": 12})
    assert (order.moves, order.ransom) == ((), ())
