"""How long news travels, and who brings it."""

import json

import pytest

from campaign.rules.chart.dispatches import (
    Post,
    carrier_fate,
    codes_in,
    headquarters,
    landfalls,
    travel_hours,
)
from campaign.rules.chart.theatre import geometry, read_theatre
from campaign.rules.chart.types import Settings
from campaign.services.setup.setup import shipped_theatres

THEATRE = read_theatre(
    json.loads(next(p for p in shipped_theatres() if p.stem == "narrow_seas_1666").read_text())
)
ENGLAND = ["England"]


@pytest.mark.clause("G.IN2")
def test_the_headquarters_of_a_side_are_at_its_greatest_dockyard() -> None:
    base = THEATRE.places[headquarters(THEATRE, ENGLAND)]
    assert base.owner == "England"
    own = [p for p in THEATRE.places.values() if p.owner == "England" and p.dockyard]
    assert (base.dockyard, base.berths) == max((p.dockyard, p.berths) for p in own)
    assert headquarters(THEATRE, ["Muscovy"]) == ""


@pytest.mark.clause("G.IN2")
def test_a_dispatch_makes_140_miles_a_day_rounded_up_to_whole_hours() -> None:
    miles = geometry(THEATRE).distance("nore", "schooneveld") / 1000
    hours = travel_hours(THEATRE, "nore", "schooneveld", Settings())
    assert hours - 1 < miles * 24 / 140 <= hours
    assert travel_hours(THEATRE, "nore", "nore", Settings()) == 0
    assert travel_hours(THEATRE, "nore", "schooneveld", Settings(dispatch_miles=70)) in (
        2 * hours,
        2 * hours - 1,
    )


@pytest.mark.clause("G.IN2")
def test_the_first_ship_from_there_in_a_friendly_port_brings_news_before_the_dispatch() -> None:
    base = headquarters(THEATRE, ENGLAND)
    sent = 50 + travel_hours(THEATRE, "texel", base, Settings())
    alone = Post(THEATRE, Settings(), base)
    assert alone.at_base(50, "texel", frozenset({"ALB"})) == sent
    met = Post(THEATRE, Settings(), base, ((40, "ALB"), (51, "RUP"), (52, "ALB")))
    assert met.at_base(50, "texel", frozenset({"ALB"})) == 52
    assert met.at_base(50, "texel", frozenset()) == sent
    assert (
        Post(THEATRE, Settings(), base, ((sent + 9, "ALB"),)).at_base(50, "texel", frozenset({"ALB"})) == sent
    )


@pytest.mark.clause("G.IN2", "G.IN4")
def test_from_headquarters_news_travels_on_to_an_admiral() -> None:
    base = headquarters(THEATRE, ENGLAND)
    post = Post(THEATRE, Settings(), base)
    assert post.at_place(60, "") == 60
    assert post.at_place(60, "schooneveld") == 60 + travel_hours(THEATRE, base, "schooneveld", Settings())


@pytest.mark.clause("G.IN2")
def test_landfalls_are_arrivals_in_friendly_ports() -> None:
    port = headquarters(THEATRE, ENGLAND)
    events = [
        (5, "arrived", {"fleet": "ALB", "place": port}),
        (6, "arrived", {"fleet": "ALB", "place": "galloper"}),
        (7, "passed", {"fleet": "ALB", "place": port}),
    ]
    assert landfalls(events, THEATRE, ENGLAND) == ((5, "ALB"),)
    assert landfalls(events, THEATRE, ["Dutch Republic"]) == ()


@pytest.mark.clause("G.IN5")
@pytest.mark.parametrize(
    ("afloat", "own", "in_port", "in_company", "fate"),
    [
        (True, True, False, False, ""),
        (True, True, True, False, "delivered"),
        (True, True, False, True, "delivered"),
        (False, True, False, False, "lost"),
        (True, False, True, False, "taken"),
    ],
)
def test_a_letter_shares_the_fate_of_the_ship_that_carries_it(
    afloat: bool, own: bool, in_port: bool, in_company: bool, fate: str
) -> None:
    assert carrier_fate(afloat=afloat, own=own, in_port=in_port, in_company=in_company) == fate


def test_codes_are_found_at_any_depth() -> None:
    assert set(codes_in({"a": "x", "b": [["y", 1]], "c": {"d": ("z",)}})) == {"x", "y", "z"}
