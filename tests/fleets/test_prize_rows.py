"""Captures in the books: one row for each, open for the side that took the ship last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fleets.models import Prize
from fleets.services.ashore import AshoreNow, PrizeNow, ashore_apply
from tests.fleets.meeting import Meeting

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.PR1")]


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def case(meeting: Meeting, *, captor: str = "ENG", when: str = "1666-06-01T18:00") -> PrizeNow:
    """The second Dutch ship as a prize."""
    return PrizeNow(
        ship=meeting.dutch[1].code, captor=captor, taken_from="NLD" if captor == "ENG" else "ENG",
        taken_by=meeting.english[0].code, when=when, fresh=True, battle=f"b-{when}", crew=40, status="sailing", port="", court=0,
        aboard=200, value=0, head_money=0, prisoners=100,
    )  # fmt: skip


def write(meeting: Meeting, *prizes: PrizeNow) -> list[str]:
    """Writes them, and says how the captures of the book stand, oldest first."""
    ashore_apply(book=meeting.book, now=AshoreNow(prizes=prizes))
    return [f"{row.captor.code} {row.status}" for row in Prize.objects.order_by("pk")]


def test_a_capture_is_recorded_once_however_often_it_is_reported(meeting: Meeting) -> None:
    prize = case(meeting)

    assert [write(meeting, prize) for _ in range(2)] == [["ENG sailing"]] * 2

    row = Prize.objects.get()
    assert (row.ship, row.taken_by, row.taken_from.code) == (
        meeting.dutch[1],
        meeting.english[0],
        "NLD",
    )
    assert (row.when, row.battle) == ("1666-06-01T18:00", "b-1666-06-01T18:00")
    assert (row.prize_crew, row.prisoners, row.aboard) == (40, 100, 200)


def test_a_capture_passes_through_port_and_court(meeting: Meeting) -> None:
    prize = case(meeting)
    write(meeting, prize)

    condemned = replace(
        prize,
        fresh=False,
        status="condemned",
        port="harwich",
        court=14,
        value=900,
        head_money=1000,
        prisoners=None,
    )

    assert write(meeting, condemned) == ["ENG condemned"]
    row = Prize.objects.get()
    assert (row.port, row.court, row.value, row.head_money, row.prisoners) == ("harwich", 14, 900, 1000, 100)


@pytest.mark.clause("G.PR3")
def test_the_last_of_two_captors_has_her(meeting: Meeting) -> None:
    write(meeting, case(meeting))

    assert write(meeting, case(meeting, captor="NLD", when="1666-06-02T06:00")) == [
        "ENG retaken",
        "NLD sailing",
    ]


@pytest.mark.clause("G.PR3")
def test_a_ship_taken_and_retaken_in_one_hour_has_a_capture_for_each_side(meeting: Meeting) -> None:
    write(meeting, case(meeting))
    again = replace(case(meeting, captor="NLD"), battle="b-later")

    assert write(meeting, again) == ["ENG retaken", "NLD sailing"]


def test_a_ship_may_be_taken_twice_by_the_same_side(meeting: Meeting) -> None:
    first = case(meeting)
    write(meeting, first)
    write(meeting, replace(first, status="exchanged"))

    assert write(meeting, case(meeting, when="1666-06-09T06:00")) == ["ENG exchanged", "ENG sailing"]


def test_a_capture_that_was_rolled_back_is_left_alone(meeting: Meeting) -> None:
    write(meeting, case(meeting))
    Prize.objects.update(void="UA-1")

    assert write(meeting, case(meeting)) == ["ENG sailing", "ENG sailing"]
    assert Prize.objects.filter(void="").count() == 1


@pytest.mark.clause("G.PR3")
def test_only_the_hour_tells_one_capture_of_a_ship_from_another(meeting: Meeting) -> None:
    first = case(meeting)
    write(meeting, first)
    assert write(meeting, replace(first, battle="another account of it")) == ["ENG sailing"]
    Prize.objects.update(status="exchanged")
    assert write(meeting, case(meeting, when="1666-06-09T06:00")) == ["ENG exchanged", "ENG sailing"]


def test_a_capture_of_which_little_is_known_has_no_prisoners_and_no_captor_ship(meeting: Meeting) -> None:
    write(meeting, replace(case(meeting), battle="b" * 61, prisoners=None, taken_by="a boat"))

    row = Prize.objects.get()
    assert (row.battle, row.prisoners, row.taken_by) == ("b" * 60, 0, None)
