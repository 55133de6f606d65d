"""The chart's page: its weight, its coast, its layers and what may be kept by a browser."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse

from campaign.selectors.chart.drawn import LAYERS
from campaign.selectors.sea.chart_paper import coast_digest
from campaign.templatetags.gage import fleet_short
from tests.support.people import World, world
from tests.support.worst_chart import worst_chart

pytestmark = pytest.mark.one_database
MOST = 60_000  # bytes


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()


def coast(theatre: str) -> Any:
    """A theatre's coast as a browser gets it."""
    address = reverse("coast", args=[theatre, coast_digest(theatre)])
    return Client().get(address, headers={"Accept-Encoding": "gzip"})


def test_the_coast_needs_no_login_and_is_kept_for_ever(db: Any) -> None:
    answer = coast("atlantic_1805")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert "immutable" in answer["Cache-Control"] and "public" in answer["Cache-Control"]
    assert gzip.decompress(answer.content).startswith(
        b'<svg xmlns="http://www.w3.org/2000/svg"><path id="land"'
    )


@pytest.mark.parametrize("args", [("atlantic_1805", "0" * 16), ("nowhere", "0" * 16)])
def test_another_coast_is_not_found(db: Any, args: tuple[str, str]) -> None:
    assert Client().get(reverse("coast", args=args)).status_code == 404


def test_the_worst_chart_weighs_less_than_60_kb_with_its_coast(told: World) -> None:
    request = RequestFactory().get("/")
    request.user = told.umpire.user
    context = {
        "campaign": told.campaign, "membership": told.umpire, "turn": told.turn, "umpire": True, "chart": worst_chart(),
        "layers": LAYERS, "here": "campaign",
    }  # fmt: skip
    page = render_to_string("campaign/campaign.html", context, request=request)
    assert '<path class="land"' not in page
    whole = len(gzip.compress(page.encode(), 6)) + len(coast("atlantic_1805").content)
    assert 30_000 < whole < MOST


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("De Ruyter's fleet", "De Ruyter's fleet"),
        ("Hurt ships of Albemarle's fleet", "Hurt ships of Albemarle's f…"),
        ("Hurt ships of Albemarle's fleet (12)", "Hurt ships of Albemarl… (12)"),
    ],
)
def test_namesakes_keep_their_numbers_on_the_chart(name: str, short: str) -> None:
    assert fleet_short(name, 28) == short
    assert len(short) <= 28


def test_pages_are_compressed_and_an_unchanged_status_still_costs_a_304(told: World) -> None:
    client = told.client("english")
    page = client.get(reverse("campaign", args=["telltale"]), headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    address = reverse("campaign_status", args=["telltale"])
    first = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert first["ETag"].startswith("W/")
    again = client.get(address, headers={"Accept-Encoding": "gzip", "If-None-Match": first["ETag"]})
    assert again.status_code == 304


def test_two_compressed_copies_of_a_page_differ_in_length(told: World) -> None:
    client, address = told.client("english"), reverse("campaign", args=["telltale"])
    sizes = {len(client.get(address, headers={"Accept-Encoding": "gzip"}).content) for _ in range(6)}
    assert len(sizes) > 1, "the length of a page tells nothing of what it holds"


def test_the_land_is_referred_to_and_old_sightings_are_hidden_at_first(told: World) -> None:
    page = told.client("english").get(reverse("campaign", args=["telltale"])).content.decode()
    address = reverse("coast", args=["narrow_seas_1666", coast_digest("narrow_seas_1666")])
    assert page.count(f'href="{address}#land"') == 3
    assert 'class="chart no-old"' in page
    for name, _, ticked in LAYERS:
        assert f'name="{name}"{" checked" if ticked else ""}>' in page


def test_a_sighting_and_its_row_name_the_same_contact(told: World) -> None:
    page = told.client("english").get(reverse("campaign", args=["telltale"])).content.decode()
    assert page.count('data-side="England" data-numbers="1"') == 2
