"""What a turn leaves behind: whose the fleets are that the chart has made, which orders are carried over, and how many days it had."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from campaign.models import CalendarRow, Campaign, Command, Order, SideOrder, Station, Turn
from campaign.rules.chart.types import ChartEvent, FleetOrder, Position
from campaign.rules.turn import turn as rules
from campaign.selectors.turn.facts import turn_facts
from campaign.services.turn import turn_results
from campaign.services.turn.chart_results import _stations_make
from campaign.services.turn.turn_results import standing_orders_carry, state_write
from tests.support.factories import (
    CampaignFactory,
    CommandFactory,
    FleetFactory,
    MembershipFactory,
    SideFactory,
    SideOrderFactory,
)
from tests.support.people import DUTCH, ENGLISH, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.mark.clause("G.GF3", "G.IN4")
def test_a_new_fleet_goes_to_the_admiral_of_its_old_fleet_or_else_to_the_commander_in_chief() -> None:
    campaign = CampaignFactory()
    english, dutch, french = (
        SideFactory(campaign=campaign, nation=nation) for nation in ("England", "Dutch Republic", "France")
    )
    first, second = (MembershipFactory(side=english) for _ in range(2))
    CommandFactory(membership=second, fleet=FleetFactory(navy=english.navy, code="E2"))
    CommandFactory(membership=first, fleet=FleetFactory(navy=english.navy, code="E1"))
    chief = MembershipFactory(side=dutch, chief=True)
    MembershipFactory(side=dutch)
    sides = {
        "of E2": english,
        "of its child": english,
        "of none": english,
        "alone": english,
        "D": dutch,
        "F": french,
    }
    new = {code: FleetFactory(navy=side.navy, code=code).pk for code, side in sides.items()}
    state: Any = SimpleNamespace(
        hour=30,
        events=[
            SimpleNamespace(data=data)
            for data in (
                {"fleet": "of E2", "parent": "E2"}, {"fleet": "of its child", "parent": "of E2"},
                {"fleet": "of none", "parent": "gone"}, {"fleet": "alone"}, {"ships": ["A"]},
            )
        ],
        fleets={
            code: SimpleNamespace(side=side.code, position=Position("nore", "swin", 7)) for code, side in sides.items()
        },
    )  # fmt: skip
    turn: Any = SimpleNamespace(campaign=campaign)

    _stations_make(turn, state, new)

    whose = dict(Command.objects.filter(fleet__in=new.values()).values_list("fleet__code", "membership"))
    assert whose == {
        "of E2": second.pk, "of its child": second.pk, "of none": first.pk, "alone": first.pk, "D": chief.pk,
    }  # fmt: skip
    lie = Station.objects.filter(fleet__in=new.values())
    assert list(lie.values_list("at", "to", "run", "since")) == [("nore", "swin", 7, 30)] * 6
    state.hour = 54
    _stations_make(turn, state, {"of E2": new["of E2"]})
    assert Station.objects.get(fleet__code="of E2").since == 54, (
        "a rollback had ended it; the chart has made it again"
    )


@pytest.mark.clause("G.MV2", "G.CA2")
def test_orders_are_carried_over_for_fleets_on_the_chart_and_stay_the_openings_until_they_are_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = world()
    monkeypatch.setattr(turn_results, "orders_ashore_carry", lambda **_: None)
    english, dutch = f"{ENGLISH}-f", f"{DUTCH}-f"

    def carried(source: str = "web", come: tuple[str, ...] = (), **orders: Any) -> dict[str, str]:
        """Whose the order of each fleet is in the new turn, when the English have these orders left of the old one's."""
        fleet = SimpleNamespace(order=FleetOrder(english, **orders))
        state = SimpleNamespace(
            fleets={english: fleet},
            events=[SimpleNamespace(kind="reinforced", data={"fleet": code}) for code in come],
        )
        monkeypatch.setattr(turn_results, "state_of", lambda turn: state)
        with put_back():
            Order.objects.all().delete()
            Order.objects.create(turn=told.closed, fleet=told.english_fleet, route=["swin"], source=source)
            standing_orders_carry(old=told.closed, new=told.turn)
            return dict(told.turn.orders.values_list("fleet__code", "source"))

    CalendarRow.objects.all().delete()
    CalendarRow.objects.create(
        campaign=told.campaign, code="e", deed="arrive", first="x", last="x", do={"fleet": english}
    )
    CalendarRow.objects.create(
        campaign=told.campaign, code="d", deed="arrive", first="x", last="x", do={"fleet": dutch, "orders": {"route": ["a"]}}
    )  # fmt: skip
    assert carried() == carried(route=("swin",)) == {english: "standing"}
    assert carried("opening") == {english: "standing"}, "it has been carried out"
    assert carried("opening", route=("swin",)) == {english: "opening"}
    assert carried(come=(dutch,), route=("swin",)) == {english: "standing"}
    assert carried(come=(english,)) == {english: "opening"}, "it came with orders to stay"
    monkeypatch.setattr(turn_results, "state_of", lambda turn: None)
    told.turn.orders.all().delete()
    standing_orders_carry(old=told.closed, new=told.turn)
    assert not told.turn.orders.exists(), "a turn without a state leaves none"


@pytest.mark.clause("G.CL3", "G.MV3")
def test_a_turn_that_ends_early_counts_its_whole_days_and_refused_orders_have_their_reasons(
    campaign: Campaign, turn: Turn
) -> None:
    english, dutch = (campaign.sides.get(name=name) for name in ("England", "Dutch Republic"))
    for side in (english, dutch):
        SideOrderFactory(turn=turn, side=side)
    facts, orders = turn_facts(turn)
    state = rules.begin(facts, orders, KeyedDice(b"a test"))
    fleet = next(code for code, row in state.fleets.items() if row.side == dutch.code)
    why = [["a/b", "G.MV2", "Too far."]]
    state.events = [
        ChartEvent(0, "order_refused", "G.MV3", (dutch.code,), {"fleet": fleet, "faults": why}),
        ChartEvent(0, "side_order_refused", "G.MV3", (english.code,), {"side": english.code, "faults": why}),
    ]
    for hours, days in ((23, 0), (24, 1), (47, 1), (48, 2)):
        with put_back():
            state.hour = facts.first_hour + hours
            state_write(turn=turn, facts=facts, state=state)
            assert Turn.objects.get(pk=turn.pk).days_run == days
            now = Campaign.objects.get(pk=campaign.pk)
            assert (now.calendar_day, now.hostility) == (turn.first_day + days, campaign.hostility)
            assert {order.fleet.code: order.refused for order in turn.orders.exclude(refused="")} == {
                fleet: "Too far. (G.MV2)"
            }
            assert {order.side: order.refused for order in SideOrder.objects.exclude(refused="")} == {
                english: "Too far. (G.MV2)"
            }
