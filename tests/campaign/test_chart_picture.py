"""The small chart in an email: what it shows to whom, rendered once for all who may know the same."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from typing import Any
from unittest import mock

import pytest
from django.core import mail as outbox
from django.urls import reverse

from campaign import chart_picture
from campaign.chart_picture import BAND, HEIGHT, TWICE, WIDTH, chart_for, drawing_for, picture_png, png_of
from campaign.chart_picture_paper import land_within, rings
from campaign.chart_room import Room, overlap
from campaign.models import ChartPicture, Notice, Order, Sighting, Station
from campaign.notices.send import notice_send
from campaign.notices.wishes import preferences_save
from campaign.services.mail.notices import notices_for_closed_turn, notices_for_opened_turn
from tests.support.people import DUTCH, ENGLISH, World, world

pytestmark = pytest.mark.one_database

SITE = "https://gage.club.example"


@pytest.fixture
def told(db: Any, settings: Any) -> World:
    """The tell-tale campaign, its second turn open."""
    settings.SITE_URL = SITE
    return world()


def drawn(told: World, person: str) -> chart_picture.Drawing:
    """The drawing for somebody."""
    found = drawing_for(told.campaign, getattr(told, person), told.turn)
    assert found is not None
    return found


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, in pixels."""
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


@pytest.mark.clause("G.IN1", "G.SI2")
@pytest.mark.parametrize(
    ("person", "own", "other", "number", "unseen"),
    [
        ("english", ENGLISH, DUTCH, ">1</text>", ">77</text>"),
        ("dutch", DUTCH, ENGLISH, ">77</text>", ">1</text>"),
    ],
)
def test_a_side_sees_only_its_own_fleets_and_reports(
    told: World, person: str, own: str, other: str, number: str, unseen: str
) -> None:
    drawing = drawn(told, person)

    assert f"Fleet {own}" in drawing.svg and f"Fleet {own}" in drawing.words
    assert number in drawing.svg and "10–19 sail" in drawing.svg and "12 hours old" in drawing.svg
    assert other not in drawing.svg + drawing.words and unseen not in drawing.svg
    assert "b02" not in drawing.svg


@pytest.mark.clause("G.IN4")
def test_it_leaves_out_other_admirals_fleets_when_admirals_know_only_their_own(told: World) -> None:
    told.campaign.settings = {"knowledge": "by ship"}
    told.campaign.save()
    told.english.commands.all().delete()
    told.english.chief = False
    told.english.save()
    told.english.campaign = told.campaign

    assert ENGLISH not in drawn(told, "english").svg


def test_the_enemys_orders_and_positions_do_not_change_it(told: World) -> None:
    before = drawn(told, "english")

    Station.objects.filter(fleet=told.dutch_fleet).update(at="texel", to="", run=0)
    Order.objects.filter(fleet=told.dutch_fleet).update(route=["texel"], stance="avoid")

    assert drawn(told, "english").digest == before.digest
    Station.objects.filter(fleet=told.english_fleet).update(at="downs")
    assert drawn(told, "english").digest != before.digest


@pytest.mark.clause("G.SI3")
def test_it_says_how_old_a_report_is_and_describes_the_chart_in_words_too(told: World) -> None:
    Sighting.objects.filter(side=told.english.side).update(hour=48)

    drawing = drawn(told, "english")
    assert "24 hours old" in drawing.svg
    assert drawing.words.startswith("Chart of 2 June 1666, 06:00. ")
    assert "Contact 1: 10–19 sail, 24 hours old." in drawing.words


def test_the_png_is_twice_as_large_as_shown_and_lettered_without_the_machines_fonts(told: World) -> None:
    png = png_of(drawn(told, "english").svg)

    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert size_of(png) == (WIDTH * TWICE, HEIGHT * TWICE)
    empty = re.sub(r"<text\b.*?</text>", "", drawn(told, "english").svg, flags=re.DOTALL)
    assert len(png_of(empty)) < len(png), "letters are drawn"


def test_a_drawing_that_cannot_be_rendered_costs_the_picture_but_not_the_email(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(svg: str) -> bytes:
        raise ValueError("no such thing")

    monkeypatch.setattr(chart_picture, "png_of", fails)

    notices_for_closed_turn(turn=told.closed, following=told.turn)
    notice = Notice.objects.get(recipient=told.english.user)
    assert notice_send(notice_id=notice.pk)
    mail = outbox.outbox[0].message()
    assert "image/png" not in [part.get_content_type() for part in mail.walk()]
    assert "Chart of 2 June 1666" in notice.html, "the picture's words"
    page = f"/c/{told.campaign.code}/mail/{notice.pk}/chart.png"
    assert told.client("english").get(page).status_code == 404


def test_a_theatre_without_a_coast_has_no_picture(told: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any, **__: Any) -> None:
        raise FileNotFoundError("two_ports")

    monkeypatch.setattr(chart_picture, "chart_page", none)
    assert chart_for(told.campaign, told.english, told.turn) is None


def test_one_rendering_serves_everyone_who_may_know_the_same(told: World) -> None:
    with mock.patch.object(chart_picture, "png_of", wraps=png_of) as rendered:
        notices_for_closed_turn(turn=told.closed, following=told.turn)
        Notice.objects.all().delete()
        notices_for_closed_turn(turn=told.closed, following=told.turn)
        assert rendered.call_count == 0, "the turn does not wait for it"
        kept = list(ChartPicture.objects.all())
        pngs = [picture_png(picture) for picture in kept]

    assert len(kept) == 2, "one for each side, and none again"
    assert [size_of(png) for png in pngs] == [(WIDTH * TWICE, HEIGHT * TWICE)] * 2
    assert pngs == [png_of.__wrapped__(picture.drawing) for picture in kept], "the same bytes every time"
    pictures = dict(Notice.objects.values_list("recipient__username", "picture"))
    assert pictures["umpire"] is None
    assert pictures["english"] != pictures["dutch"] and pictures["english"] and pictures["dutch"]


def test_it_is_embedded_in_the_html_and_the_calendar_is_attached(told: World) -> None:
    told.turn.deadline = told.turn.opened
    told.turn.save()
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    notice = Notice.objects.get(recipient=told.english.user)

    assert notice_send(notice_id=notice.pk)

    sent = message_from_bytes(outbox.outbox[0].message().as_bytes(), policy=policy.default)
    assert sent.get_content_type() == "multipart/mixed"
    body, calendar = sent.iter_parts()
    assert calendar.get_content_type() == "text/calendar"
    assert body.get_content_type() == "multipart/alternative"
    text, related = body.iter_parts()
    assert (text.get_content_type(), related.get_content_type()) == ("text/plain", "multipart/related")
    page, picture = related.iter_parts()
    assert page.get_content_type() == "text/html" and picture.get_content_type() == "image/png"
    cid = picture["Content-ID"].strip("<>")
    assert f'src="cid:{cid}"' in page.get_content()
    assert picture.get_content_disposition() == "inline"
    assert picture.get_content() == picture_png(notice.picture)  # type: ignore[arg-type]


def test_an_email_without_a_calendar_has_the_picture_too(told: World) -> None:
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    notice_send(notice_id=Notice.objects.get(recipient=told.english.user).pk)

    kinds = [part.get_content_type() for part in outbox.outbox[0].message().walk()]
    assert kinds == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip


def test_a_reader_who_prefers_plain_text_gets_no_picture(told: World) -> None:
    preferences_save(user=told.english.user, time_zone="UTC", plain_text=True, kinds={}, webhook="")

    notices_for_opened_turn(turn=told.closed)

    notice = Notice.objects.get(recipient=told.english.user)
    assert notice.picture is None
    notice_send(notice_id=notice.pk)
    assert outbox.outbox[0].message().get_content_type() == "text/plain"


@pytest.mark.clause("G.IN1")
def test_only_its_reader_and_the_umpire_can_open_the_page(told: World) -> None:
    notices_for_closed_turn(turn=told.closed, following=told.turn)
    notice = Notice.objects.get(recipient=told.english.user)
    path = reverse("notice_picture", args=["telltale", notice.pk])

    for person in ("english", "umpire"):
        answer = told.client(person).get(path)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        assert "private" in answer["Cache-Control"]
        assert (
            path in told.client(person).get(reverse("notice", args=["telltale", notice.pk])).content.decode()
        )
    for person in ("dutch", "observer", "stranger"):
        assert told.client(person).get(path).status_code == 404
    assert told.client("anonymous").get(path).status_code == 302
    bare = Notice.objects.get(recipient=told.umpire.user)
    assert told.client("umpire").get(reverse("notice_picture", args=["telltale", bare.pk])).status_code == 404


def test_the_coast_is_cut_to_the_visible_part() -> None:
    whole = land_within("narrow_seas_1666", (-100, -100, 1700, 1600), 0.1)
    piece = land_within("narrow_seas_1666", (900, 700, 1100, 850), 0.1)

    assert len(piece) < len(whole) / 10
    numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", piece)]
    assert all(900 <= x <= 1100 for x in numbers[::2]) and all(700 <= y <= 850 for y in numbers[1::2])
    assert land_within("narrow_seas_1666", (2000, 2000, 2100, 2100), 0.1) == ""
    assert sum(len(points) for points, _ in rings("narrow_seas_1666")) > 3000


def test_a_square_on_land_alone_is_land_from_edge_to_edge() -> None:
    # in the middle of England
    path = land_within("narrow_seas_1666", (640, 980, 650, 990), 0.1)
    assert sorted(set(re.findall(r"[\d.]+ [\d.]+", path))) == [
        "640.0 980.0",
        "640.0 990.0",
        "650.0 980.0",
        "650.0 990.0",
    ]


def test_words_are_placed_where_there_is_room() -> None:
    room = Room((0, 0, 100, 50), edge=2)
    assert room.first([(60, 10, 120, 20), (10, 10, 40, 20)]) == 1, "the first would run over the edge"
    room.take((10, 10, 40, 20))
    assert not room.free((30, 5, 50, 15)) and room.free((41, 10, 60, 20))
    assert room.first([(10, 10, 40, 20)]) is None
    assert overlap((0, 0, 2, 2), (1, 1, 3, 3)) and not overlap((0, 0, 1, 1), (1, 0, 2, 1))
    assert BAND < HEIGHT
