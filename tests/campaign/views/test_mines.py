"""Minefields on the pages: a side sees those that it knows of, and nobody else does."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from battles.engine import registry
from campaign.forms import arrivals
from campaign.rules.state.minefields import Minefield, Mines
from tests.campaign.views.test_soldiers import carry
from tests.support.people import PEOPLE, World

pytestmark = pytest.mark.one_database

CODE = "telltale"
MINES = Mines(
    {
        "m001": Minefield("m001", "ENG", "nore", 31),
        "m002": Minefield("m002", "NLD", "texel", 47, ("ENG",)),
        "m003": Minefield("m003", "NLD", "vlie", 53),
    },
    laid=3,
)


@pytest.fixture
def mined(told: World) -> World:
    """An English field that no one has found, and two Dutch ones, of which the English know one."""
    told.campaign.carried = {**told.campaign.carried, "mines": MINES.doc()}
    told.campaign.save()
    return told


def page(world: World, person: str, name: str) -> Any:
    return world.client(person).get(reverse(name, args=[CODE]))


@pytest.mark.clause("G.MN1", "G.IN1")
def test_a_side_sees_the_minefields_that_it_laid_or_found(mined: World) -> None:
    english, dutch = (page(mined, person, "dockyards").content.decode() for person in ("english", "dutch"))
    assert "31 sections" in english and "47 sections" in english and "53 sections" not in english
    assert "47 sections" in dutch and "53 sections" in dutch and "31 sections" not in dutch


@pytest.mark.clause("G.MN1", "G.IN1")
@pytest.mark.parametrize("person", PEOPLE)
def test_no_other_page_mentions_mines_or_soldiers(mined: World, person: str) -> None:
    carry(mined.campaign)
    client = mined.client(person)
    soldiers = ("11,111", "22,222", "3,579", "2,345", "1,678", "11111", "22222", "3579", "2345", "1678")
    for name in ("campaign", "reports", "standings", "rules_in_force", "news"):
        text = client.get(reverse(name, args=[CODE])).content.decode()
        assert not any(f"{n} sections" in text for n in (31, 47, 53)) and "m003" not in text, name
        assert not [secret for secret in soldiers if secret in text], name


@pytest.mark.clause("G.MN1", "G.NT1")
def test_only_a_rule_set_with_mines_and_torpedoes_offers_the_orders() -> None:
    for name in registry.names():
        values = {row[0] for row in arrivals(landings=True, rule_set=name)}
        assert ({"mine", "sweep", "torpedo"} <= values) is (name == "barker")
        assert (not values & {"mine", "sweep", "torpedo"}) is (name != "barker")
