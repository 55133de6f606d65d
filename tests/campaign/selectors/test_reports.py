"""Reports by day and hour, and the account for the terminal."""

from typing import Any

import pytest

from campaign.models import Report
from campaign.selectors.reports.account import account_lines
from campaign.selectors.reports.reports import last_report, side_report, umpire_report
from tests.support.people import DUTCH, ENGLISH, World, world


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()


@pytest.mark.clause("G.IN1")
def test_a_report_gives_days_hours_clauses_and_battles(told: World) -> None:
    report = side_report(told.closed, told.english.side)
    assert [day["date"] for day in report["days"]] == ["30 May 1666", "31 May 1666", "1 June 1666"]
    first = report["days"][0]["entries"][0]
    assert first == {
        "time": "06:00", "text": f"Fleet {ENGLISH} gets under way from the Nore.", "kind": "sailed",
        "clause": "G.MV2", "battle": None,
    }  # fmt: skip
    battle = next(e for day in report["days"] for e in day["entries"] if e["kind"] == "battle")
    assert battle["battle"] == "telltale-T1-b01"


def test_ships_lost_and_taken_are_listed_by_name(told: World) -> None:
    english = side_report(told.closed, told.english.side)
    assert (english["lost"], english["taken"]) == ([f"Ship {ENGLISH} 00"], [])
    Report.objects.filter(side=told.english.side).update(
        events=[
            [
                50,
                "captured",
                "G.PR1",
                [],
                {"battle": "b01", "ship": f"{DUTCH}-01", "side": "NLD", "captor": "ENG"},
            ]
        ]
    )
    english = side_report(told.closed, told.english.side)
    assert (english["lost"], english["taken"]) == ([], [f"Ship {DUTCH} 01"])


def test_a_battle_has_its_opening_its_result_and_its_losses(told: World) -> None:
    (battle,) = side_report(told.closed, told.english.side)["battles"]
    assert battle["place"] == "The Galloper"
    assert battle["opening"].startswith("Battle off the Galloper between England and the Dutch Republic.")
    assert "until nightfall" in battle["result"]
    assert battle["losses"] == [f"Ship {ENGLISH} 00 (England) is taken for the Dutch Republic."]


def test_fleets_and_sightings_appear_in_the_report(told: World) -> None:
    report = side_report(told.closed, told.english.side)
    assert report["fleets"] == [
        {"code": f"{ENGLISH}-f", "name": f"Fleet {ENGLISH}", "place": "at the Nore", "own_port": False, "ships": 6, "men": 1200,
         "state": "all sound", "held": "", "hurt": ()}
    ]  # fmt: skip
    (seen,) = report["sightings"]
    assert (seen["number"], seen["observer"], seen["course"]) == (1, f"Fleet {ENGLISH}", 90)


def test_the_umpires_report_has_both_sides(told: World) -> None:
    report = umpire_report(told.closed)
    assert {fleet["name"] for fleet in report["fleets"]} == {f"Fleet {ENGLISH}", f"Fleet {DUTCH}"}
    assert len(report["taken"]) == 2


def test_the_account_consists_of_readable_lines(told: World) -> None:
    lines = account_lines(told.closed)
    assert lines[1] == "Turn 1"
    assert "  30 May 1666" in lines
    assert any("Battle off the Galloper" in line for line in lines)
    assert f"  Taken: Ship {ENGLISH} 00, Ship {DUTCH} 00." in lines


def test_the_newest_report_begins_with_the_most_important_event(told: World) -> None:
    latest = last_report(told.campaign, told.english)
    assert latest is not None
    kinds = [entry["kind"] for day in latest["days"] for entry in day["entries"]]
    assert "battle" in kinds
    assert "sailed" not in kinds
    assert last_report(told.campaign, told.observer) is None


def test_the_newest_report_tells_deeds_before_sightings_and_of_those_the_last(told: World) -> None:
    seen = {"latitude": 5100, "longitude": 100, "band": "1", "kinds": []}
    sightings = [[n, "sighted", "G.SI2", ["ENG"], {**seen, "fleet": "x", "number": n}] for n in range(10, 20)]
    taken = {"ship": f"{ENGLISH}-01", "side": "ENG", "captor": "NLD", "captor_ship": "", "ships": []}
    Report.objects.filter(side=told.english.side).update(
        events=[[5, "captured", "G.PR3", ["ENG"], taken], *sightings]
    )
    latest = last_report(told.campaign, told.english)
    assert latest is not None and latest["more"] == 5
    entries = [entry for day in latest["days"] for entry in day["entries"]]
    assert entries[0]["kind"] == "captured"
    assert [entry["text"].split("contact ")[1].split(":")[0] for entry in entries[1:]] == [
        str(n) for n in range(15, 20)
    ]


def test_a_turn_without_a_report_is_a_quiet_one(told: World) -> None:
    Report.objects.all().delete()
    assert side_report(told.closed, told.english.side)["days"] == []
