"""Convoys from a theatre's calendar or from the umpire, and interned ships that the umpire releases."""

from typing import Any

import pytest

from campaign.models import Campaign, Order, Report, Station, Turn, UmpireAction
from campaign.rules.state.duties import Duties
from campaign.rules.turn.turn import TurnState
from campaign.selectors.ashore.trade import cargo_rows, fleet_trade, interned_rows
from campaign.selectors.turn.facts import turn_facts
from campaign.services.setup.convoys import (
    ConvoyRefused,
    convoy_make,
    convoy_make_by_umpire,
    convoys_of_opening,
    interned_release,
)
from fleets.models import ServiceRecord, Ship
from tests.campaign.services.conftest import unattended
from tests.campaign.services.test_turns import rows_agree
from tests.support.answers import flawless
from tests.support.turns import turn_closes

COAL: dict[str, Any] = {
    "code": "COAL", "name": "Newcastle colliers", "ships": ["Ann", "Good Intent", "Hopewell"], "start": "harwich",
    "destination": "rolling_ground", "value": 50, "sails_day": 0,
}  # fmt: skip
pytestmark = [pytest.mark.clause("G.CV1"), pytest.mark.one_database]


def make(campaign: Campaign, **changes: Any) -> Any:
    """A convoy of colliers."""
    side = campaign.sides.select_related("navy").get(name="England")
    return flawless(convoy_make, campaign=campaign, **{"side": side, **COAL, **changes})


def next_turn(campaign: Campaign) -> Turn:
    return campaign.turns.select_related("campaign__book", "campaign__theatre").order_by("-number").first()


def test_a_convoy_lies_in_port_with_its_cargo_its_admiral_and_its_orders(
    campaign: Campaign, turn: Turn
) -> None:
    fleet = make(campaign)
    facts, _ = turn_facts(turn)
    assert {ship.kind.value for ship in facts.ships.values() if ship.fleet == "COAL"} == {"merchant"}
    assert facts.fleets["COAL"].order.route == ("rolling_ground",)
    assert fleet.command.membership.side.name == "England"
    cargoes = Duties.read(campaign.carried["duties"]).cargoes
    assert sorted(cargo.value for cargo in cargoes.values()) == [16, 17, 17]
    assert ServiceRecord.objects.filter(
        ship__in=Ship.objects.filter(name="Hopewell"), kind="mustered"
    ).exists()


@pytest.mark.clause("G.VP1", "G.SV1")
def test_a_convoy_pays_when_it_arrives_and_the_records_say_so(campaign: Campaign, turn: Turn) -> None:
    Station.objects.filter(fleet__navy__book=campaign.book).update(at="torbay")
    make(campaign)
    unattended(campaign)
    turn_closes(turn)
    campaign.refresh_from_db()
    rows_agree(turn)
    (paid,) = [e for e in TurnState.from_dict(turn.state).events if e.kind == "convoy_delivered"]
    assert paid.data["value"] == 50
    assert Duties.read(campaign.carried["duties"]).cargoes == {}
    assert ServiceRecord.objects.filter(kind="delivered").count() == 3
    dutch = Report.objects.get(turn=turn, side__name="Dutch Republic")
    assert "COAL" not in repr(dutch.events)


@pytest.mark.one_database
def test_a_convoy_does_not_sail_before_its_day(campaign: Campaign, turn: Turn) -> None:
    for code, place in (("ENG", "torbay"), ("NLD", "delfzijl")):
        Station.objects.filter(fleet__navy__book=campaign.book, fleet__navy__code=code).update(at=place)
    fleet = make(campaign, sails_day=1)
    trade = fleet_trade(
        campaign, "COAL", list(Ship.objects.filter(squadron__fleet=fleet).values_list("code", flat=True))
    )
    assert trade is not None and (trade.ships, trade.value, trade.sails) == (3, 50, "31 May 1666, 06:00")
    unattended(campaign)
    turn_closes(turn)
    assert Station.objects.get(fleet=fleet).at == "harwich"
    campaign.refresh_from_db()
    turn_closes(next_turn(campaign))
    station = Station.objects.get(fleet=fleet)
    assert (station.at, station.to) != ("harwich", "")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"code": "two words"}, "code"),
        ({"code": "x" * 13}, "code"),
        ({"name": " "}, "name"),
        ({"ships": []}, "ships"),
        ({"start": "atlantis"}, "start"),
        ({"destination": "harwich"}, "destination"),
        ({"destination": "texel"}, "destination"),
        ({"value": -1}, "value"),
        ({"sails_day": -1}, "sails_day"),
    ],
    ids=str,
)
def test_an_impossible_convoy_is_refused(campaign: Campaign, changes: dict[str, Any], path: str) -> None:
    with pytest.raises(ConvoyRefused) as refused:
        make(campaign, **changes)
    assert [fault.path for fault in refused.value.faults] == [path]
    assert not Ship.objects.filter(name="Hopewell").exists()


def test_a_code_that_is_taken_saves_nothing(campaign: Campaign) -> None:
    make(campaign)
    with pytest.raises(ConvoyRefused, match="already"):
        make(campaign, name="Another")
    assert Ship.objects.filter(name="Hopewell").count() == 1


def test_an_opening_makes_the_convoys_of_the_sides_that_take_part(campaign: Campaign) -> None:
    row = {**COAL, "side": "England", "guns": 8, "tons": 200, "day": 2}
    convoys_of_opening(campaign=campaign, rows=[row, {**row, "side": "France", "code": "VIN"}])
    (found,) = cargo_rows(campaign)
    assert (found.fleet, found.ships, found.value) == ("Newcastle colliers", 3, 50)


@pytest.mark.clause("G.UM1", "G.IN1")
def test_the_umpires_log_mentions_a_convoy_but_not_its_destination(campaign: Campaign, turn: Turn) -> None:
    umpire = campaign.memberships.get(role="umpire").user
    side = campaign.sides.select_related("navy").get(name="England")
    convoy_make_by_umpire(
        campaign=campaign, turn=turn, umpire=umpire, reason="trade must live", side=side, **COAL
    )
    action = UmpireAction.objects.get()
    assert (action.action, action.reason) == ("made a convoy", "trade must live")
    Turn.objects.filter(pk=turn.pk).update(phase="locked")
    turn.refresh_from_db()
    with pytest.raises(ConvoyRefused, match="Wait for the next turn to open"):
        convoy_make_by_umpire(campaign=campaign, turn=turn, umpire=umpire, reason="", side=side, **COAL)


@pytest.mark.clause("G.NE1", "G.UM1")
def test_interned_ships_are_released_by_the_umpire_and_sail_again(campaign: Campaign, turn: Turn) -> None:
    umpire = campaign.memberships.get(role="umpire").user
    english = campaign.sides.get(name="England").navy
    Station.objects.filter(fleet__navy=english).update(at="ostend")
    hurt = campaign.book.ships.filter(navy=english).order_by("code").first()
    hurt.condition = {**hurt.condition, "hits_struct": 3}
    hurt.save()
    turn_closes(turn)
    campaign.refresh_from_db()
    (row,) = interned_rows(campaign)
    assert (row.code, row.place) == (hurt.code, "Ostend")
    following = next_turn(campaign)
    with pytest.raises(ConvoyRefused, match="Choose ships"):
        interned_release(campaign=campaign, turn=following, umpire=umpire, ships=["x"], reason="")
    (code,) = interned_release(
        campaign=campaign, turn=following, umpire=umpire, ships=[hurt.code], reason="peace with Spain"
    )
    assert interned_rows(campaign) == []
    facts, _ = turn_facts(following)
    assert facts.ships[hurt.code].fleet == code
    assert facts.fleets[code].position.at == "ostend"
    assert Order.objects.get(turn=following, fleet__code=code).stance == "avoid"
    assert ServiceRecord.objects.filter(ship=hurt, kind="released").exists()
    assert UmpireAction.objects.get().reason == "peace with Spain"
