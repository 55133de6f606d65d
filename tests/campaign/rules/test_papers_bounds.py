"""Documents and measures: documents read back unchanged, the sums ashore, and positions on and off the globe."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.chart import great_circle_nm, initial_bearing, point_along
from campaign.rules.chart.side_orders import SideOrder
from campaign.rules.chart.types import (
    BattleCall,
    ChartEvent,
    FleetOrder,
    Instructions,
    OnArrival,
    Part,
    Position,
    SightingReport,
)
from campaign.rules.state import documents as papers
from campaign.rules.state.economy import (
    AFLOAT,
    EIGHTHS,
    NO_BERTH,
    OPEN_STAGES,
    SHARERS,
    Economy,
    Job,
    OfficerNow,
    PrizeCase,
    Stage,
)


def stored(doc: object) -> object:
    """A document as it comes out of the database."""
    return json.loads(json.dumps(doc))


PART = Part(("e1", "e2"), "f", "Cruisers", ("b", "c"), Stance.SEEK, OnArrival.PATROL, "x")
DOCTRINE = Doctrine(Stance.HOLD, "windward", "close", "general", "never", False, 30, ("m1", "m2"))
TOLD = Instructions(
    DOCTRINE, "2.5", "stay", "part", "stay", "home", 9, "n", "leave", "dare", "burn", "frigate", "leave", "b"
)
ORDER = FleetOrder(
    "e", ("a", "b"), Stance.AVOID, OnArrival.ESCORT, TOLD, "m", (PART, replace(PART, name="Others"))
)


@pytest.mark.clause("G.MV2", "G.MV4", "G.MV5")
@pytest.mark.parametrize("order", [ORDER, FleetOrder("e"), FleetOrder("e", parts=(Part(("e1",)),))])
def test_a_saved_order_is_read_back_unchanged(order: FleetOrder) -> None:
    doc = stored(papers.order_doc(order))
    assert isinstance(doc, dict)
    back = papers.order_from(doc)
    assert back == order
    told = (back.stance, back.instructions.doctrine.stance, *(part.stance for part in back.parts))
    assert [type(stance) for stance in told] == [Stance] * len(told)


@pytest.mark.clause("G.MV2")
def test_orders_that_leave_something_out_take_the_usual_settings() -> None:
    assert papers.order_from({"fleet": "e"}) == FleetOrder("e")
    bare = papers.order_from(
        {"fleet": "e", "instructions": {"doctrine": {"chase": "general"}}, "parts": [{"ships": ["e1"]}]}
    )
    assert bare.instructions == Instructions(doctrine=Doctrine(chase="general"))
    assert bare.parts == (Part(("e1",)),)
    assert (
        papers.order_from(
            {"fleet": "e", "instructions": {"doctrine": {"stance": "hold"}}}
        ).instructions.doctrine.protect
        == ()
    )


def test_positions_events_reports_and_calls_are_read_back_from_their_documents_unchanged() -> None:
    position = Position("a", "b", 7)
    assert papers.position_doc(position) == ["a", "b", 7]
    assert papers.position_from(["a", "b", 7]) == position
    event = ChartEvent(5, "sailed", "G.MV2", ("ENG", "NLD"), {"fleet": "e"})
    assert papers.event_from(papers.event_doc(event)) == event
    report = SightingReport("ENG", 3, 7, 150, -20, 45, "2-4", ("line", "frigate"), "e", "d")
    assert papers.report_from(papers.report_doc(report)) == report
    assert papers.report_doc(report)["kinds"] == ["line", "frigate"]
    call = BattleCall("b01", 4, "a", {"ENG": ("e", "f"), "NLD": ("d",)}, {"sides": []})
    assert papers.call_from(papers.call_doc(call)) == call


def ashore() -> Economy:
    """Something of everything that a side may have ashore."""
    return Economy(
        funds={"NLD": 5, "ENG": 70},
        earned={"ENG": (1, 2, 3, 4, 5, 6)},
        jobs={"e1": Job("e1", "ENG", "home", "light", 1, 2, 14, 1, 24, done=3, berth=2, ready=48)},
        prizes={"d1": PrizeCase("d1", "ENG", "NLD", "e1", 5, 200, Stage.COURT, "home", 9, 4000, 1000)},
        prisoners={("ENG", "home", "NLD"): 90},
        ashore={("ENG", "home"): 20},
        captives={"e2": ("NLD", 7)},
        levied={"home": 3},
        mended=frozenset({"e1", "e2"}),
        stores={"e1": 80},
        coal={"e2": 48},
        names={"d1": "Prize"},
        orders={"ENG": SideOrder("ENG")},
        officers={"ENG/Holmes": OfficerNow("e1", "wounded", True)},
        wounds={"ENG/Holmes": 99},
        vacant=frozenset({"red"}),
    )


@pytest.mark.clause("G.CL2")
def test_people_and_prizes_ashore_are_read_back_unchanged_and_a_copy_changes_without_the_original() -> None:
    economy = ashore()
    doc = stored(economy.doc())
    assert isinstance(doc, dict)
    assert Economy.read(doc) == economy
    assert Economy.read({}) == Economy()
    assert list(doc["funds"]) == ["ENG", "NLD"]
    copy = economy.copy()
    for name in ("funds", "earned", "jobs", "prizes", "prisoners", "ashore", "captives", "levied", "stores", "coal", "names",
                 "orders", "officers", "wounds"):  # fmt: skip
        getattr(copy, name).clear()
    assert economy == ashore()
    opened = economy.opened()
    assert (opened.names, opened.officers, opened.wounds) == ({}, {}, {"ENG/Holmes": 99})


@pytest.mark.clause("G.PR4", "G.PR5", "G.CR1")
def test_money_and_men_are_added_up_and_empty_sums_are_removed() -> None:
    economy = Economy()
    economy.pay("ENG", 100)
    economy.pay("ENG", -30)
    assert economy.funds == {"ENG": 70}
    for port, of, men in (("home", "NLD", 9), ("a", "NLD", 4), ("home", "FRA", 2), ("home", "NLD", 1)):
        economy.hold("ENG", port, of, men)
    economy.hold("NLD", "theirs", "NLD", 50)
    assert [
        economy.held(*who) for who in (("ENG", "NLD"), ("ENG", "FRA"), ("NLD", "NLD"), ("NLD", "ENG"))
    ] == [14, 2, 50, 0]
    economy.hold("ENG", "home", "NLD", -10)
    assert economy.prisoners == {
        ("ENG", "a", "NLD"): 4,
        ("ENG", "home", "FRA"): 2,
        ("NLD", "theirs", "NLD"): 50,
    }
    economy.land("ENG", "home", 1)
    assert economy.ashore == {("ENG", "home"): 1}
    economy.land("ENG", "home", -1)
    assert economy.ashore == {}
    assert economy.order("ENG") == SideOrder("ENG")


@pytest.mark.clause("G.PR1", "G.PR4", "G.RP2")
def test_a_new_prize_case_has_neither_cost_nor_brought_anything_and_a_new_job_waits_for_a_berth() -> None:
    case = PrizeCase("d1", "ENG", "NLD", "e1", 5, 200)
    assert (case.stage, case.port, case.court, case.value, case.head_money) == (Stage.SAILING, "", 0, 0, 0)
    job = Job("e1", "ENG", "home", "light", 1, 2, 14, 1, 24)
    assert (job.done, job.berth, job.ready) == (0, NO_BERTH, 0)
    assert len({NO_BERTH, AFLOAT}) == 2 and AFLOAT == 0 and NO_BERTH < 0
    assert [stage for stage in Stage if stage in OPEN_STAGES] == [Stage.SAILING, Stage.COURT, Stage.CONDEMNED]


@pytest.mark.clause("G.PR4")
def test_prize_money_goes_by_eighths_two_to_the_captains_and_two_to_the_seamen() -> None:
    assert dict(zip(SHARERS, EIGHTHS, strict=True)) == {
        "captains": 2, "flag officers": 1, "lieutenants": 1, "warrant officers": 1, "petty officers": 1, "seamen": 2,
    }  # fmt: skip


def refused(measure: Callable[[], object]) -> bool:
    try:
        measure()
    except ValueError:
        return True
    return False


@pytest.mark.clause("G.CH1")
@pytest.mark.parametrize(
    ("latitude", "beyond"),
    [(90, False), (-90, False), (90.5, True), (-90.5, True), (89.5, False), (-89.5, False)],
)
def test_a_latitude_lies_between_the_poles(latitude: float, beyond: bool) -> None:
    assert refused(lambda: great_circle_nm(latitude, 5, 10, 5)) is beyond
    assert refused(lambda: great_circle_nm(10, 5, latitude, 5)) is beyond


@pytest.mark.clause("G.CH1")
@pytest.mark.parametrize(
    ("fraction", "outside"),
    [(0, False), (1, False), (0.5, False), (-0.01, True), (1.01, True), (1.5, True), (-0.5, True)],
)
def test_a_point_along_a_passage_lies_on_it(fraction: float, outside: bool) -> None:
    assert refused(lambda: point_along(10, 0, 10, 5, fraction)) is outside


@pytest.mark.clause("G.CH1")
def test_a_bearing_is_missing_only_between_identical_or_opposite_positions() -> None:
    assert refused(lambda: initial_bearing(10, 5, 10, 5))
    assert refused(lambda: initial_bearing(0, 0, 0, 180))
    assert refused(lambda: point_along(0, 0, 0, 180, 0.5))
    for longitude in (0.001, 10, 150, 179.99):
        assert not refused(lambda east=longitude: initial_bearing(0, 0, 0, east))
        assert not refused(lambda east=longitude: point_along(0, 0, 0, east, 0.5))
    assert not refused(lambda: point_along(10, 5, 10, 5, 0.5))


@pytest.mark.clause("G.CH1")
@pytest.mark.parametrize(
    ("longitude", "wrapped"),
    [
        (180, 180),
        (-180, -180),
        (180.5, -179.5),
        (-180.5, 179.5),
        (179.5, 179.5),
        (-179.5, -179.5),
        (540, -180),
    ],
)
def test_a_longitude_is_always_within_half_a_turn_of_greenwich(longitude: float, wrapped: float) -> None:
    assert point_along(10, longitude, 10, longitude, 0.5) == (10, wrapped)
