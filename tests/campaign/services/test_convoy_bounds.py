"""Convoys and released ships at their bounds: sizes, days, shares of a cargo, and who commands them."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Campaign, Command, Membership, Order, Turn, UmpireAction
from campaign.rules.state.duties import Cargo, Duties, Interned
from campaign.services.setup.convoys import (
    ConvoyRefused,
    convoy_make,
    convoys_of_opening,
    interned_release,
)
from fleets.models import Ship
from tests.support.answers import answer_of, flawless
from tests.support.factories import MembershipFactory, UserFactory
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.CV1")]
COAL: dict[str, Any] = {
    "code": "COAL", "name": "Newcastle colliers", "ships": ["Ann", "Good Intent", "Hopewell"], "start": "harwich",
    "destination": "rolling_ground", "value": 50, "sails_day": 0,
}  # fmt: skip


def make(campaign: Campaign, **changes: Any) -> Any:
    side = campaign.sides.select_related("navy").get(name="England")
    return flawless(convoy_make, campaign=campaign, **{"side": side, **COAL, **changes})


def faults(campaign: Campaign, **changes: Any) -> list[str]:
    """What is wrong with a convoy; nothing when it was made."""
    try:
        make(campaign, **changes)
    except ConvoyRefused as refused:
        return [fault.path for fault in refused.faults]
    except Exception as error:
        return [repr(error)]
    return []


MAY_BE: list[tuple[dict[str, Any], list[str]]] = [
    ({"code": "x" * 12}, []),
    ({"code": "x" * 13}, ["code"]),
    ({"code": "two words and more"}, ["code", "code"]),
    ({"name": " "}, ["name"]),
    ({"ships": ["Ann"]}, []),
    ({"ships": [f"Brig {n}" for n in range(60)]}, []),
    ({"ships": [f"Brig {n}" for n in range(61)]}, ["ships"]),
    ({"ships": []}, ["ships"]),
    ({"ships": ["Ann", " "]}, ["ships"]),
    ({"start": "atlantis"}, ["start"]),
    ({"destination": "atlantis"}, ["destination"]),
    ({"start": "atlantis", "destination": "atlantis"}, ["start", "destination", "destination"]),
    ({"destination": "harwich"}, ["destination"]),
    ({"destination": "chatham"}, []),
    ({"destination": "texel"}, ["destination"]),
    ({"destination": "hinder"}, []),
    ({"value": 0}, []),
    ({"value": -1}, ["value"]),
    ({"sails_day": 4}, ["sails_day"]),
    ({"sails_day": 5}, []),
    ({"sails_day": 6}, []),
]


def test_a_convoy_has_limits(campaign: Campaign) -> None:
    campaign.calendar_day = 5
    for changes, paths in MAY_BE:
        with put_back():
            assert faults(campaign, **{"sails_day": 5, **changes}) == paths, changes
            made = Ship.objects.filter(squadron__fleet__navy__code="ENG", ship_type="merchant")
            assert made.exists() is not bool(paths)
        campaign.carried = {}


NAMED = "A convoy has 1 to 60 ships, each with a name."
SAID: list[tuple[dict[str, Any], list[str]]] = [
    ({"code": "a" * 13}, ["The code is too long. Use up to 12 characters."]),
    ({"code": "a b"}, ["Use only letters, digits and hyphens in the code."]),
    ({"name": ""}, ["A convoy needs a name."]),
    ({"ships": []}, [NAMED]),
    ({"ships": [f"Brig {n}" for n in range(61)]}, [NAMED]),
    ({"ships": ["Ann", ""]}, [NAMED]),
    ({"start": "moon"}, ["There is no place 'moon' on the chart."]),
    ({"destination": "moon"}, ["There is no place 'moon' on the chart."]),
    ({"destination": "harwich"}, ["Choose a destination other than the place it starts from."]),
    ({"value": -1}, ["The value of the cargo must be 0 points or more."]),
    ({"sails_day": -1}, ["The sailing day is in the past. Choose a later day."]),
]


def test_an_impossible_convoy_is_refused_with_the_reason(campaign: Campaign) -> None:
    for changes, said in SAID:
        with pytest.raises(ConvoyRefused) as refused:
            make(campaign, **changes)
        assert [fault.text for fault in refused.value.faults] == said, changes


@pytest.mark.parametrize(
    ("value", "shares"), [(50, [17, 17, 16]), (51, [17, 17, 17]), (49, [17, 16, 16]), (0, [0, 0, 0]), (1, [1, 0, 0])]
)  # fmt: skip
def test_a_cargo_is_shared_evenly_and_the_first_ships_take_the_odd_points(
    campaign: Campaign, value: int, shares: list[int]
) -> None:
    make(campaign, value=value, sails_day=2)
    cargoes = Duties.read(campaign.carried["duties"]).cargoes
    assert [cargoes[code] for code in sorted(cargoes)] == [Cargo(n, "rolling_ground", "ENG") for n in shares]
    assert campaign.carried["fleets"]["COAL"] == {"off_until": 48}


@pytest.mark.clause("G.IN4")
def test_a_convoy_lies_in_port_from_today_under_the_commander_in_chief_with_orders_if_a_turn_is_open(
    campaign: Campaign, turn: Turn, english: Membership
) -> None:
    campaign.calendar_day = 2
    side = english.side
    Membership.objects.filter(pk=english.pk).update(chief=False)
    chief = MembershipFactory(campaign=campaign, side=side, chief=True, user=UserFactory())
    one = make(campaign, sails_day=2)
    assert one.station.since == 48
    assert list(Command.objects.filter(fleet=one).values_list("membership", flat=True)) == [chief.pk]
    (order,) = Order.objects.filter(turn=turn, fleet=one) or (Order(),)
    assert (order.route, order.stance, order.source) == (["rolling_ground"], "avoid", "standing")
    ship = Ship.objects.filter(squadron__fleet=one).order_by("code").first()
    assert ship is not None
    assert (ship.facts["guns"], ship.facts["tons_burthen"], ship.facts["year_served"]) == (12, 300, 1666)
    Turn.objects.filter(pk=turn.pk).update(phase="running")
    Membership.objects.filter(side=side).update(left="2026-01-01T00:00Z")
    assert answer_of(make, campaign, code="TIN", sails_day=2) == ""
    two = side.navy.fleets.get(code="TIN")
    assert not Order.objects.filter(fleet=two).exists() and not hasattr(two, "command")


def test_an_opening_makes_each_convoy_on_its_day_with_its_own_guns_and_tons(
    campaign: Campaign,
) -> None:
    row = {**COAL, "side": "England", "guns": 8, "tons": 200, "day": 3}
    convoys_of_opening(campaign=campaign, rows=[{**row, "side": "France", "code": "WINE"}, row])
    assert campaign.carried["fleets"] == {"COAL": {"off_until": 72}}
    assert {(ship.facts["guns"], ship.facts["tons_burthen"]) for ship in Ship.objects.filter(squadron__fleet__code="COAL")} == {
        (8, 200)
    }  # fmt: skip


# --- ships that a neutral port holds -----------------------------------------------------------------------


def interned(campaign: Campaign) -> list[str]:
    """Two English ships and a Dutch one in Ostend, another English one in Nieuwpoort; campaign in its second turn."""
    english = list(
        campaign.book.ships.filter(navy__code="ENG").order_by("code").values_list("code", flat=True)
    )
    dutch = campaign.book.ships.filter(navy__code="NLD").order_by("code").values_list("code", flat=True)[0]
    rows = [
        (english[0], "ENG", "ostend"),
        (english[1], "ENG", "ostend"),
        (dutch, "NLD", "ostend"),
        (english[2], "ENG", "dunkirk"),
    ]
    duties = Duties.read({})
    for code, side, place in rows:
        duties.interned[code] = Interned(side=side, place=place, hour=0)
    campaign.carried = {**campaign.carried, "duties": duties.doc()}
    campaign.save()
    held = Ship.objects.filter(code__in=[row[0] for row in rows], book=campaign.book)
    held.update(squadron=None, fate="interned")
    return [row[0] for row in rows]


@pytest.mark.clause("G.NE1", "G.IN4")
def test_released_ships_of_one_side_and_port_form_a_fleet_there(
    campaign: Campaign, turn: Turn, english: Membership
) -> None:
    first, second, dutch, elsewhere = interned(campaign)
    umpire = campaign.memberships.get(role="umpire").user

    def release(*ships: str) -> list[str]:
        return flawless(
            interned_release, campaign=campaign, turn=turn, umpire=umpire, ships=ships, reason="peace"
        )

    for wrong in ((), ("x",), (first, "x")):
        assert answer_of(release, *wrong) == "Choose ships that are interned in a neutral port."
    Turn.objects.filter(pk=turn.pk).update(first_day=2)
    turn.refresh_from_db()
    codes = release(elsewhere, dutch, second, first, first)
    assert codes == ["ENG-r1-1", "ENG-r1-2", "NLD-r1-3"]
    lies = {ship.code: (ship.squadron.fleet.code, ship.squadron.fleet.station.at) for ship in
            Ship.objects.filter(code__in=(first, second, dutch, elsewhere), book=campaign.book)}  # fmt: skip
    assert lies == {
        elsewhere: ("ENG-r1-1", "dunkirk"), first: ("ENG-r1-2", "ostend"), second: ("ENG-r1-2", "ostend"),
        dutch: ("NLD-r1-3", "ostend"),
    }  # fmt: skip
    order = Order.objects.get(fleet__code="ENG-r1-2", turn=turn)
    assert (order.stance, order.source, order.fleet.station.since) == ("avoid", "standing", 48)
    assert set(
        Command.objects.filter(fleet__code__in=codes).values_list("membership__side__name", flat=True)
    ) == {*("England", "Dutch Republic")}
    assert english.commands.count() == 3
    assert Duties.read(campaign.carried["duties"]).interned == {}
    assert UmpireAction.objects.get(action="released interned ships").reason == "peace"


@pytest.mark.clause("G.NE1", "G.CL1")
@pytest.mark.parametrize("phase", ["locked", "running", "fighting", "held"])
def test_ships_are_released_only_while_a_turn_takes_orders(
    campaign: Campaign, turn: Turn, phase: str
) -> None:
    ship = interned(campaign)[0]
    Turn.objects.filter(pk=turn.pk).update(phase=phase)
    turn.refresh_from_db()
    with pytest.raises(ConvoyRefused, match="Wait for the next turn to open"):
        interned_release(campaign=campaign, turn=turn, umpire=UserFactory(), ships=[ship], reason="")
