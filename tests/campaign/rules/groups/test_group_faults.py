"""Errors in the standing orders for groups, and in what is taken in hand or mustered: each sentence, and both sides of every limit."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.ashore.side_faults import faultless, still_good
from campaign.rules.chart.side_orders import GroupOrders, SideOrder
from campaign.rules.state.world import Chart
from tests.campaign.rules.test_side_faults import ashore, faults


def grouped(**alter: Any) -> Chart:
    """As `ashore`, and the fleet f at sea is a group."""
    chart = ashore()
    chart.alter(chart.state.fleets["f"], **{"group": "stragglers", **alter})
    return chart


NO_PORT = "Send prizes to a port of your own."


@pytest.mark.clause("G.KT2")
@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ({}, []),
        ({"stragglers": "port", "cripples": "fleet", "escort": "frigate", "prize_port": "home", "burn_under": 1_000_000}, []),
        ({"stragglers": "wait", "cripples": "port", "burn_under": 0}, []),
        ({"stragglers": "yard"}, [("group/no-such-order", "Stragglers must be one of rejoin, port, wait, not 'yard'.")]),
        ({"cripples": "wait"}, [("group/no-such-order", "Cripples must be one of yard, port, fleet, not 'wait'.")]),
        ({"escort": "line"}, [("group/no-such-order", "Escort must be one of none, frigate, not 'line'.")]),
        ({"prize_port": "theirs"}, [("group/not-your-port", f"'theirs' is not one of your ports. {NO_PORT}")]),
        ({"prize_port": "a"}, [("group/not-your-port", f"'a' is not one of your ports. {NO_PORT}")]),
        ({"prize_port": "nowhere"}, [("group/not-your-port", f"'nowhere' is not one of your ports. {NO_PORT}")]),
        ({"burn_under": -1}, [("group/number", "The value below which prizes are burnt must be £0 to £1,000,000.")]),
        ({"burn_under": 1_000_001}, [("group/number", "The value below which prizes are burnt must be £0 to £1,000,000.")]),
    ],
)  # fmt: skip
def test_standing_orders_for_groups_are_checked(orders: dict[str, Any], said: list[tuple[str, str]]) -> None:
    chart = ashore()
    groups = GroupOrders(**orders)
    assert faults(chart, groups=groups) == [(code, "G.KT2", text) for code, text in said]
    assert faultless(chart, SideOrder("ENG", groups=groups)).groups == (GroupOrders() if said else groups)


@pytest.mark.clause("G.KT2", "G.KT3")
@pytest.mark.parametrize(
    ("alter", "code", "group", "fleet"),
    [
        ({}, "f", True, True), ({"group": ""}, "f", False, True), ({"ended": True}, "f", False, False),
        ({"side": "NLD"}, "f", False, False), ({}, "x", False, False), ({}, "d", False, False), ({}, "e", False, True),
    ],
)  # fmt: skip
def test_only_own_groups_are_taken_in_hand_and_only_own_fleets_mustered(
    alter: dict[str, Any], code: str, group: bool, fleet: bool
) -> None:
    chart = grouped(**alter)
    no_group = [("group/not-yours", "G.KT2", f"{code} is not one of your groups.")]
    no_fleet = [("muster/not-yours", "G.KT3", f"{code} is not one of your fleets.")]
    assert faults(chart, in_hand=(code,)) == ([] if group else no_group)
    assert faults(chart, musters=(code,)) == ([] if fleet else no_fleet)
    kept = still_good(chart, SideOrder("ENG", in_hand=(code,), musters=(code,)))
    assert kept == SideOrder("ENG", in_hand=(code,) if group else (), musters=(code,) if fleet else ())
