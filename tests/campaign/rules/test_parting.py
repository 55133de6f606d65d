"""The names of groups that leave a fleet."""

from __future__ import annotations

import pytest

from campaign.rules.sailing.parting import GROUPS, group_name

FLEET = "Howard's fleet"


@pytest.mark.clause("G.MV4", "G.MV5")
@pytest.mark.parametrize("first", GROUPS)
@pytest.mark.parametrize("then", GROUPS)
def test_a_group_is_named_after_the_fleet_and_never_after_another_group(first: str, then: str) -> None:
    name = group_name(first, FLEET, {FLEET})
    assert name == f"{first} of {FLEET}"
    again = group_name(then, name, {FLEET, name})
    assert again == (f"{then} of {FLEET}" if then != first else f"{then} of {FLEET} (2)")
    third = group_name(then, again, {FLEET, name, again})
    assert third.count(" of ") == 1 and third not in {name, again}


def test_a_long_name_leaves_room_for_its_number() -> None:
    long = "x" * 80
    first = group_name("Aground", long, {long})
    second = group_name("Aground", first, {long, first})
    assert first != second and max(len(first), len(second)) <= 80
