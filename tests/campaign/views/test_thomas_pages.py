"""Pages of a battle and of a ship under Thomas's rules: readers see their own ships in full, and the enemy's appearance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from battles import selectors
from battles.engine.core.scenario import Handicap
from fleets.models import Ship
from tests.campaign.views.test_battles_and_ships import CODES, pages
from tests.support.fought import PEOPLE, Fought, fought

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.fixture(scope="module")
def war(django_db_setup: Any, django_db_blocker: Any) -> Iterator[Fought]:
    """A small war after its first battle, fought on the plane; made once, what a test changes is taken back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield fought(rule_set="thomas")
        transaction.set_rollback(True)


def wanted(person: str, *readers: str) -> int:
    return 200 if person in readers else 302 if person == "anonymous" else 404


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.clause("G.IN1")
def test_a_battle_and_its_replay_are_for_those_who_fought_it_and_a_card_for_her_own_side(
    war: Fought, person: str
) -> None:
    client = war.client(person)
    for rest in ("", "?turn=1", "replay.json"):
        status = client.get(war.path(rest)).status_code
        assert status == wanted(person, "umpire", "english", "dutch"), rest
    for side in ("ENG", "NLD"):
        readers = ["umpire", *(name for name, code in CODES.items() if code == side)]
        for ship in war.ships(side):
            assert client.get(war.ship_path(ship.code)).status_code == wanted(person, *readers), ship


@pytest.mark.parametrize(("person", "enemy"), [("english", "NLD"), ("dutch", "ENG")])
@pytest.mark.clause("G.IN1", "T.S18")
def test_no_page_reveals_an_enemys_flotation_crew_or_batteries(war: Fought, person: str, enemy: str) -> None:
    held = {row[4] for row in war.battle.log.events() if row[2] in ("secured", "retaken")}
    names = {
        ship["name"]
        for side in war.battle.roster.scenario["sides"]
        for squadron in side["squadrons"]
        for ship in squadron["ships"]
        if side["id"] == enemy and ship["id"] not in held
    }
    assert names
    who = "|".join(map(re.escape, sorted(names)))
    secrets = (
        rf"(?:{who}) takes [^<]* left",
        rf"(?:{who}) lies at [^<]*afloat",
        rf"(?:{who}) loses (?:half )?a \w+ battery",
        rf"(?:{who}), magazine",
        rf"(?:{who}) cannot carry out",
    )
    own = {"english": "ENG", "dutch": "NLD"}[person]
    seen = dict(pages(war, person))
    for where, text in seen.items():
        for secret in secrets:
            assert not re.search(secret, text), (where, secret)
    log = "".join(text for where, text in seen.items() if where.startswith("part"))
    own_names = "|".join(re.escape(ship.name) for ship in war.ships(own))
    for whole in (rf"(?:{own_names}) lies at [^<]*afloat", rf"(?:{own_names}) takes [^<]* left"):
        assert re.search(whole, log), "one's own ships are told whole"


@pytest.mark.parametrize(("person", "enemy"), [("english", "NLD"), ("dutch", "ENG")])
@pytest.mark.clause("G.IN1", "T.S18")
def test_the_replay_has_an_enemys_size_and_guns_but_not_her_remaining_strength(
    war: Fought, person: str, enemy: str
) -> None:
    doc = war.client(person).get(war.path("replay.json")).json()
    theirs = {n for n, ship in enumerate(doc["ships"]) if ship["side"] == enemy}
    own = set(range(len(doc["ships"]))) - theirs
    assert theirs and own
    for n in theirs:
        assert (doc["ships"][n]["hull"], doc["ships"][n]["reach"]) == (0, None)
        assert doc["ships"][n]["length"] > doc["ships"][n]["beam"] > 0
    assert all(doc["ships"][n]["hull"] > 0 and doc["ships"][n]["reach"] for n in own)
    taken = {op[1] for _, _, ops in doc["phases"] for op in ops if op[0] == "C"}
    told = [
        op for _, _, ops in doc["phases"] for op in ops if op[0] in ("H", "K") and op[1] in theirs - taken
    ]
    assert all(op[0] == "H" and op[3] == -1 for op in told)
    assert any(op[0] == "H" and op[1] in own and op[3] >= 0 for _, _, ops in doc["phases"] for op in ops)


def test_the_umpire_reads_both_sides_in_full(war: Fought) -> None:
    doc = war.client("umpire").get(war.path("replay.json")).json()
    assert doc["board"] == "plane"
    assert all(ship["hull"] > 0 and ship["reach"] for ship in doc["ships"])


def test_the_replay_of_one_reader_is_kept_for_that_reader_only(war: Fought) -> None:
    tags = {
        war.client(person).get(war.path("replay.json"))["ETag"] for person in ("umpire", "english", "dutch")
    }
    assert len(tags) == 3


def card_page(client: Client, war: Fought, ship: Ship) -> str:
    return client.get(war.ship_path(ship.code)).content.decode()


def test_a_card_is_crossed_off_by_her_condition(war: Fought) -> None:
    ship = war.ships("ENG")[0]
    whole = ship.card["flot_max"]
    ship.condition = {
        **ship.condition,
        "flot": whole - 3,
        "batteries_lost": [0],
        "masts_lost": 1,
        "crew_halves": 41,
    }
    ship.save()
    page = card_page(war.client("english"), war, ship)
    boxes = page[page.index("thomas-card") : page.index('class="key')]
    assert boxes.count("box small hull") == 3
    assert boxes.count("box small") == whole
    assert boxes.count('class="tick on"') == 1
    assert f"20½ of {ship.card['crew_max']}" in boxes
    assert "1 lost" in boxes


def test_estimated_figures_are_marked(war: Fought) -> None:
    ship = Ship.objects.get(book=war.campaign.book, code="NLD001")  # her register gives no tons
    page = card_page(war.client("umpire"), war, ship)
    assert set(ship.card["estimated"]) >= {"tons", "flotation", "crew", "batteries"}
    assert page[page.index("thomas-card") :].count("<abbr") >= 4


@pytest.mark.parametrize("person", ["umpire", "english", "dutch"])
@pytest.mark.clause("T.S31")
def test_the_page_of_a_battle_says_which_side_had_a_handicap_and_why(
    war: Fought, person: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    handicap = Handicap("NLD", "crew", 60, "Few of the men had been to sea.")
    read = selectors.stored_scenario
    monkeypatch.setattr(selectors, "stored_scenario", lambda doc: replace(read(doc), handicaps=(handicap,)))
    text = war.client(person).get(war.path()).content.decode()
    dutch = next(side["name"] for side in war.battle.roster.scenario["sides"] if side["id"] == "NLD")
    assert f"Handicap: {dutch}, crew at 60%. Few of the men had been to sea." in text


def test_the_legend_says_what_the_plane_shows(war: Fought) -> None:
    page = war.client("english").get(war.path()).content.decode()
    assert "white flag: struck" in page


def test_the_battle_page_takes_as_few_queries_as_a_hex_boards(
    war: Fought, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = war.client("english")
    with django_assert_max_num_queries(17):
        client.get(war.path())
