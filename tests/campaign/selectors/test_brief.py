"""The head of a turn's report: what changed in a few lines, and what waits for its reader, with the page where it is done."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Campaign, Order, Station
from campaign.selectors.reports.brief import MOST_LINES, Brief, brief_of
from campaign.selectors.reports.reports import side_report, umpire_report
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = [pytest.mark.clause("G.IN1"), pytest.mark.one_database]


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()


def brief(told: World, *events: list[Any], opened: bool = True) -> Brief:
    """The head of the English report, with some more events in it."""
    row = told.closed.reports.get(side=told.english.side)
    row.events = [*row.events, *events]
    row.save()
    side = told.english.side
    return brief_of(told.closed, told.turn if opened else None, side, side_report(told.closed, side))


def pages(found: Brief) -> list[tuple[str, str]]:
    return [(line.page, line.argument) for line in found.decisions]


def test_it_begins_with_the_battles_and_what_they_cost_and_leads_to_them(told: World) -> None:
    first = brief(told).changes[0]
    assert (first.page, first.argument, first.link) == (
        "battle",
        "telltale-T1-b01",
        "Battle off the Galloper",
    )
    assert first.text.startswith("England loses ")


def test_a_loss_is_written_in_words_as_in_the_summary_beside_it(told: World) -> None:
    fate = {"battle": "b01", "ship": f"{ENGLISH}-01", "side": "ENG", "fate": "sunk"}
    assert brief(told).changes[0].text == "England loses one ship."
    assert brief(told, [51, "lost", "G.BT3", [], fate]).changes[0].text == "England loses two ships."


@pytest.mark.clause("G.OB2", "G.OB4")
def test_daily_points_for_objectives_are_on_one_line_and_final_points_on_another(told: World) -> None:
    data = {"objective": "aim", "side": "ENG", "marks": 2, "words": "Hold the Thames."}
    done = {"objective": "win", "side": "NLD", "marks": 40, "words": "Win the war.", "decides": "tells"}
    found = brief(
        told,
        [24, "objective_paid", "G.OB2", [], data],
        [48, "objective_paid", "G.OB2", [], data],
        [48, "objective_achieved", "G.OB3", [], done],
    )
    lines = [line.text for line in found.changes if line.page == "objectives"]
    assert lines[0].startswith(
        "The Dutch Republic achieves the objective “Win the war”. That earns 40 marks."
    )
    assert "England earns 4 marks for the objective “Hold the Thames”." in lines
    assert len([text for text in lines if "Hold the Thames" in text]) == 1


def test_it_holds_nothing_of_the_enemys(told: World) -> None:
    found = repr(brief(told))
    assert DUTCH not in found
    assert brief_of(told.closed, told.turn, None, umpire_report(told.closed)).decisions == ()


def test_it_fits_a_screen_and_counts_what_is_left(told: World) -> None:
    places = ("nore", "swin", "galloper", "dover", "calais", "ostend", "dunkirk", "texel", "vlie", "hull")
    more = [
        [n, "port_attacked", "G.PT1", [], {"fleet": f"{ENGLISH}-f", "place": place}]
        for n, place in enumerate(places)
    ]
    found = brief(told, *more)
    assert len(found.changes) == MOST_LINES
    assert found.more > 0


@pytest.mark.clause("G.MV3")
def test_refused_orders_come_first_with_their_reason(told: World) -> None:
    faults = [["route", "G.CH1", "No passage leads there."]]
    fleet = f"{ENGLISH}-f"
    found = brief(
        told,
        [2, "order_refused", "G.MV3", [], {"fleet": fleet, "faults": faults}],
        [2, "side_order_refused", "G.RP2", [], {"side": "ENG", "faults": faults}],
    )
    assert pages(found)[:2] == [("orders", fleet), ("dockyards", "")]
    assert found.decisions[0].text.endswith("were refused. No passage leads there.")
    assert brief(told, opened=False).decisions == ()


def test_a_fleet_at_the_end_of_its_route_asks_for_orders(told: World) -> None:
    fleet = f"{ENGLISH}-f"
    arrived = [5, "arrived", "G.MV2", [], {"fleet": fleet, "place": "nore"}]
    rows = Order.objects.filter(turn=told.turn, fleet__code=fleet)
    station = Station.objects.get(fleet__code=fleet)
    Order.objects.update_or_create(
        turn=told.turn, fleet=station.fleet, defaults={"route": [], "on_arrival": "anchor"}
    )
    assert ("orders", fleet) in pages(brief(told, arrived))
    rows.update(route=["swin"])
    assert ("orders", fleet) not in pages(brief(told))


@pytest.mark.clause("G.PR4", "G.RP2")
def test_condemned_prizes_and_hurt_ships_outside_the_yards_are_named_with_their_pages(told: World) -> None:
    side = told.english.side
    assert pages(brief(told)) == []
    case = {"captor": side.code, "stage": "condemned"}
    other = {"captor": "NLD", "stage": "condemned"}
    station = Station.objects.get(fleet__code=f"{ENGLISH}-f")
    hurt = told.campaign.book.ships.filter(squadron__fleet=station.fleet).first()
    Campaign.objects.update(carried={"economy": {"prizes": [case, other], "jobs": []}})
    found = brief(told)
    assert pages(found) == [("prizes", "")]
    assert found.decisions[0].text.startswith("One prize has been condemned.")
    report = side_report(told.closed, side)
    report["fleets"][0] |= {"own_port": True, "hurt": (hurt.code,)}
    assert ("dockyards", "") in pages(brief_of(told.closed, told.turn, side, report))
    Campaign.objects.update(carried={"economy": {"prizes": [], "jobs": [{"ship": hurt.code}]}})
    assert pages(brief_of(told.closed, told.turn, side, report)) == []
