"""A rule set of ten clauses that is registered reaches everything: the task that fights, the chart, and the site's pages of a battle."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.outcome import Outcome
from battles.models import Battle
from battles.services.fighting import battle_spawn
from battles.tasks import fight
from fleets.models import Ship
from tests.support.factories import SECRET, BookFactory
from tests.support.fought import PEOPLE, Fought, fought
from tests.support.sets import TINY, scenario_files

pytestmark = [pytest.mark.one_database, pytest.mark.django_db, pytest.mark.usefixtures("tiny_pages")]


def test_a_battle_from_its_scenario_is_spawned_and_fought_by_the_task() -> None:
    document = json.loads(scenario_files(TINY)[0].read_text(encoding="utf-8"))
    battle = battle_spawn(
        book=BookFactory(rule_set=TINY), code="B1", reference="", when=document["start"], place="",
        scenario=document, secret=SECRET, navies=["N", "S"],
    )  # fmt: skip
    fight(battle.pk)
    battle.refresh_from_db()
    assert battle.status == Battle.Status.FOUGHT, battle.error
    outcome = Outcome.from_dict(battle.outcome.document)
    assert outcome.rule_set == TINY and len(outcome.ships) == 11 and outcome.ended == "beaten"


@pytest.fixture
def war() -> Fought:
    """A small war on the chart, whose first turn has been played with a battle under the tiny set."""
    return fought(rule_set=TINY)


def test_the_chart_writes_its_battle_back_into_the_ships(war: Fought) -> None:
    ends = {entry.ship: entry for entry in Outcome.from_dict(war.battle.outcome.document).ships}
    assert war.battle.status == Battle.Status.WRITTEN and len(ends) == 7
    for ship in Ship.objects.filter(code__in=ends):
        assert (ship.fate != "afloat") is ends[ship.code].fate.lost
        assert ship.condition == ends[ship.code].condition
    assert any(entry.condition["lost"] for entry in ends.values())


def page(war: Fought, path: str, person: str = "umpire") -> str:
    answer: Any = war.client(person).get(path)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def test_its_battle_is_on_the_site_with_its_log_its_replay_its_cards_and_its_rule_book(war: Fought) -> None:
    shown = page(war, war.path())
    assert "Hits:" in shown and "strikes to" in shown
    log = page(war, war.path("?turn=1"))
    assert "Movement" in log and "steams on" in log and "/rules/tiny#Y.5" in log
    replay = json.loads(page(war, war.path("replay.json")))
    assert replay["board"] == "hex" and {"P", "M", "F", "H"} <= {
        op[0] for _, _, ops in replay["phases"] for op in ops
    }
    assert "points in two rows" in page(war, war.path("print/"))
    assert "points in two rows" in page(war, war.ship_path(war.ships("ENG")[0].code))
    assert 'id="Y.8"' in page(war, "/rules/tiny")


@pytest.mark.clause("G.IN1")
def test_an_enemys_points_are_secret_and_strangers_see_nothing(war: Fought) -> None:
    for person in PEOPLE:
        wanted = 200 if person in ("umpire", "english", "dutch") else 302 if person == "anonymous" else 404
        assert war.client(person).get(war.path("replay.json")).status_code == wanted, person
    read = json.loads(page(war, war.path("replay.json"), "english"))
    side = {n: ship["side"] for n, ship in enumerate(read["ships"])}
    taken = {op[1] for _, _, ops in read["phases"] for op in ops if op[0] == "C"}
    left = [
        (side[op[1]], op[3])
        for _, _, ops in read["phases"]
        for op in ops
        if op[0] == "H" and op[1] not in taken
    ]
    assert {code for code, points in left if points >= 0} == {"ENG"}
    assert all(points < 0 for code, points in left if code == "NLD")
