"""Pages of a battle and of a ship for every kind of reader: who may open them, and that they hold no enemy secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.kohler.log_view import log_seen_by
from battles.models import Battle
from battles.selectors import Reading, battle_of_book
from campaign.models import Campaign
from fleets.models import Ship
from tests.support.fought import Fought, fought

pytestmark = pytest.mark.one_database

CODES = {"english": "ENG", "dutch": "NLD"}


@pytest.fixture
def war(db: Any) -> Fought:
    """A small war after its first battle: one in which each side has thrown dice that the other does not see."""
    return fought(seed="test 7")


@pytest.mark.parametrize(
    ("person", "status"),
    [
        ("umpire", 200),
        ("english", 200),
        ("dutch", 200),
        ("french", 404),
        ("observer", 404),
        ("stranger", 404),
        ("anonymous", 302),
    ],
)
@pytest.mark.clause("G.IN1", "G.UM1")
def test_a_battle_is_for_those_who_fought_it_a_ship_for_her_side_and_a_correction_for_the_umpire(
    war: Fought, person: str, status: int
) -> None:
    client = war.client(person)
    for rest in ("", "?turn=1", "?turn=0", "replay.json"):
        assert client.get(war.path(rest)).status_code == status, rest
    assert client.get(war.path("?turn=1"), headers={"hx-request": "true"}).status_code == status
    for side in ("ENG", "NLD"):
        may = person == "umpire" or CODES.get(person) == side
        wanted = 200 if may else 302 if person == "anonymous" else 404
        for ship in war.ships(side):
            assert client.get(war.ship_path(ship.code)).status_code == wanted, ship
    code = war.campaign.book.ships.filter(fate="afloat").first().code
    answer = client.get(f"/c/{war.campaign.code}/ships/{code}/correct/")
    assert answer.status_code == {"umpire": 200, "anonymous": 302}.get(person, 404)


@pytest.mark.clause("G.IN1")
def test_a_captured_ship_opens_for_her_captor_and_closes_for_those_who_lost_her(war: Fought) -> None:
    ship = war.ships("NLD")[0]
    assert war.client("english").get(war.ship_path(ship.code)).status_code == 404
    Ship.objects.filter(pk=ship.pk).update(navy=war.ships("ENG")[0].navy, prize=True)
    assert war.client("english").get(war.ship_path(ship.code)).status_code == 200
    assert war.client("dutch").get(war.ship_path(ship.code)).status_code == 404


def test_what_does_not_exist_is_not_found(war: Fought) -> None:
    client = war.client("umpire")
    assert client.get(war.ship_path("nobody")).status_code == 404
    assert client.get(f"/c/{war.campaign.code}/battles/nowhere/").status_code == 404
    assert client.get(f"/c/{war.campaign.code}/battles/nowhere/replay.json").status_code == 404


def pages(war: Fought, person: str) -> Iterator[tuple[str, str]]:
    """Everything of the battle that a person can read: the page, every turn of the log, and the replay."""
    client = war.client(person)
    yield "page", client.get(war.path()).content.decode()
    for turn in sorted({row[0] for row in war.battle.log.events()}):
        yield (
            f"part {turn}",
            client.get(war.path(f"?turn={turn}"), headers={"hx-request": "true"}).content.decode(),
        )
    yield "replay", client.get(war.path("replay.json")).content.decode()


def _told_whole(names: set[str]) -> re.Pattern[str]:
    """What the log says of these ships to their own side only."""
    who = f"(?:{'|'.join(map(re.escape, sorted(names)))})"
    return re.compile(
        rf"{who} (?:loses \d|has a gun deck|burns on)|{who}, her helm hit|Critical check for {who}"
    )


@pytest.mark.clause("G.IN1", "G.FA1")
def test_the_umpire_reads_every_throw_and_an_admiral_no_secret_of_the_enemys_ships(war: Fought) -> None:
    """Of the enemy an admiral reads neither secret throws nor hull, fire, criticals or officers."""
    shown = {person: list(pages(war, person)) for person in ("umpire", *CODES)}
    scenario = read_scenario(war.battle.roster.scenario)
    events = [Event.from_list(row) for row in war.battle.log.events()]
    due = {"umpire": sum(event.kind == DIE for event in events)}
    for person, side in CODES.items():
        due[person] = sum(event.kind == DIE for event in log_seen_by(scenario, events, side))
    counted = {
        person: sum(text.count('<li class="throw">') for where, text in rows if where.startswith("part"))
        for person, rows in shown.items()
    }
    assert counted == due
    assert counted["english"] < counted["umpire"] > counted["dutch"]
    for person, enemy in (("english", "NLD"), ("dutch", "ENG")):
        _hold_no_secrets(war, shown[person], enemy)


def _hold_no_secrets(war: Fought, shown: list[tuple[str, str]], enemy: str) -> None:
    """What an admiral reads of a battle tells his own ships whole, and of the enemy's what a spyglass shows."""
    names = {
        ship["name"]: ship["id"]
        for side in war.battle.roster.scenario["sides"]
        if side["id"] == enemy
        for squadron in side["squadrons"]
        for ship in squadron["ships"]
    }
    held = {row[4] for row in war.battle.log.events() if row[2] in ("captured", "taken_after")}
    secret = {name for name, code in names.items() if code not in held}
    officers = {
        q["flag_officer"]
        for s in war.battle.roster.scenario["sides"]
        if s["id"] == enemy
        for q in s["squadrons"]
    }
    prisoners = {o["name"] for o in war.battle.outcome.document["officers"] if o["fate"] == "captured"}
    officers -= prisoners  # whom one has taken one knows
    assert secret
    told = _told_whole(secret)
    own = _told_whole({ship.name for ship in war.ships({"NLD": "ENG", "ENG": "NLD"}[enemy])})
    assert any(own.search(text) for _, text in shown), "one's own ships are told whole"
    for where, text in shown:
        assert not told.search(text), where
        for officer in officers - {""}:
            assert officer not in text, where
        if where != "replay":
            for name, code in names.items():
                if name in secret:
                    row = re.search(rf'data-ship="{code}".*?</tr>', text, re.S)
                    assert row is None or not re.search(r"hull \d+ of", row.group()), (where, name)


@pytest.mark.parametrize(("person", "enemy"), [("english", "NLD"), ("dutch", "ENG")])
@pytest.mark.clause("G.IN1", "K.I4")
def test_the_replay_holds_no_hull_points_of_an_enemy(war: Fought, person: str, enemy: str) -> None:
    doc = war.client(person).get(war.path("replay.json")).json()
    theirs = {n for n, ship in enumerate(doc["ships"]) if ship["side"] == enemy}
    assert theirs
    for n in theirs:
        assert doc["ships"][n]["hull"] == 0
        assert re.fullmatch(r"\d0s|under 20", doc["ships"][n]["guns"])
    own = set(range(len(doc["ships"]))) - theirs
    taken: set[int] = set()
    known = 0
    for _, _, ops in doc["phases"]:
        for op in ops:
            if op[0] == "C":
                taken ^= {op[1]}
            elif op[0] in ("H", "P") and op[1] not in taken:
                left = op[3] if op[0] == "H" else op[6] if len(op) > 6 else None
                if left is not None:
                    assert (left >= 0) == (op[1] in own), op
                    known += left >= 0
    assert known


@pytest.mark.clause("G.FA1")
def test_the_secret_of_a_battle_is_shown_with_those_of_its_turn_and_not_before(war: Fought) -> None:
    for person in ("english", "umpire"):
        sealed = war.client(person).get(war.path()).content.decode()
        assert war.battle.seed not in sealed and war.battle.seed_hash in sealed
    Campaign.objects.update(settings={"secrets_after": 0})
    shown = war.client("english").get(war.path()).content.decode()
    assert war.battle.seed in shown and war.battle.seed_hash in shown
    for status in (Battle.Status.FOUGHT, Battle.Status.READY, Battle.Status.FIGHTING, Battle.Status.FAILED):
        Battle.objects.filter(pk=war.battle.pk).update(status=status)
        for person in ("english", "umpire"):
            sealed = war.client(person).get(war.path()).content.decode()
            assert war.battle.seed not in sealed and war.battle.seed_hash in sealed, status


def test_an_unfought_battle_has_a_waiting_page_and_no_replay(war: Fought) -> None:
    Battle.objects.filter(pk=war.battle.pk).update(status=Battle.Status.READY)
    page = war.client("dutch").get(war.path())
    assert "The fleets are engaged" in page.content.decode()
    assert war.client("dutch").get(war.path("replay.json")).status_code == 404


def test_a_battle_without_a_log_has_a_page_but_one_without_a_roster_is_not_found(war: Fought) -> None:
    war.battle.log.delete()
    for person in ("english", "umpire"):
        page = war.client(person).get(war.path())
        assert page.status_code == 200 and "There is no log of this battle" in page.content.decode()
        assert war.client(person).get(war.path("replay.json")).status_code == 404
    war.battle.roster.delete()
    for person in ("english", "umpire"):
        assert war.client(person).get(war.path()).status_code == 404
        assert war.client(person).get(war.path("replay.json")).status_code == 404


def test_the_replay_is_sent_once_and_then_answered_by_its_tag(war: Fought) -> None:
    client = war.client("english")
    first = client.get(war.path("replay.json"), headers={"accept-encoding": "gzip"})
    assert first["Content-Encoding"] == "gzip"
    assert first["ETag"] and first["Last-Modified"]
    assert "private" in first["Cache-Control"]
    again = client.get(war.path("replay.json"), headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304 and not again.content
    since = client.get(war.path("replay.json"), headers={"if-modified-since": first["Last-Modified"]})
    assert since.status_code == 304
    other = war.client("dutch").get(war.path("replay.json"), headers={"if-none-match": first["ETag"]})
    assert other.status_code == 200


def test_the_page_gives_the_result_and_the_losses_by_name(war: Fought) -> None:
    text = war.client("umpire").get(war.path()).content.decode()
    document = war.battle.outcome.document
    names = {ship.code: ship.name for ship in Ship.objects.filter(book=war.campaign.book)}
    assert f"{document['turns']} turn" in text
    for row in document["ships"]:
        assert names[row["ship"]] in text
    lost = [row for row in document["ships"] if row["fate"] != "afloat"]
    assert text.count("lost-ships") == len({row["side"] for row in lost})


def test_every_turn_of_the_log_has_its_page_and_a_turn_beyond_shows_the_last(war: Fought) -> None:
    client = war.client("english")
    last = war.battle.outcome.document["turns"]
    assert f"Battle log: turn {last}" in client.get(war.path("?turn=9999")).content.decode()
    assert "Battle log: turn 1" in client.get(war.path("?turn=first")).content.decode()
    assert "Battle log: before the first turn" in client.get(war.path("?turn=0")).content.decode()
    part = client.get(war.path("?turn=2"), headers={"hx-request": "true"}).content.decode()
    assert "Battle log: turn 2" in part and "<html" not in part


def test_every_clause_in_the_log_links_to_its_place_in_the_rules(war: Fought) -> None:
    client = war.client("umpire")
    rules = client.get("/rules/kohler").content.decode()
    linked = set(
        re.findall(r'href="/rules/kohler#([^"]+)"', client.get(war.path("?turn=2")).content.decode())
    )
    assert linked
    assert {clause for clause in linked if f'id="{clause}"' not in rules} == set()


def test_a_ships_page_shows_her_card_her_ledger_and_her_register_entry(war: Fought) -> None:
    ship = next(ship for ship in war.ships("ENG") if ship.service_records.filter(kind="fought").exists())
    text = war.client("english").get(war.ship_path(ship.code)).content.decode()
    assert f"Hull, {ship.card['hull_max']} points" in text
    crossed = ship.condition["hits_struct"] + ship.condition["hits_board"]
    assert len(re.findall(r'<svg class="box (?:hull|men)"', text)) == crossed
    assert "Fought in" in text and war.path() in text
    assert "K.A1.1" in text and "A small register" in text


@pytest.mark.parametrize(("rest", "queries"), [("", 17), ("replay.json", 5)])
def test_the_battle_page_takes_few_queries(
    war: Fought, rest: str, queries: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = war.client("english")
    with django_assert_max_num_queries(queries):
        client.get(war.path(rest))


def test_a_ships_page_takes_few_queries(
    war: Fought, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = war.client("english")
    with django_assert_max_num_queries(19):
        client.get(war.ship_path(war.ships("ENG")[0].code))


def test_the_log_is_grouped_by_ship_and_folds_what_is_routine(war: Fought) -> None:
    reading = Reading(battle_of_book(war.campaign.book, war.battle.code), None)
    steps = [step for turn in reading.turns() for step in reading.log_of(turn)]
    names = set(reading.names.ships.values())
    for step in steps:
        told = [row for group in step.groups for row in group.rows]
        assert sorted(map(id, [*told, *step.dull])) == sorted(map(id, step.rows))
        assert not any(row.faces for row in step.dull)
        assert {group.name for group in step.groups} <= names | {""}
        assert len({group.name for group in step.groups}) == len(step.groups)
    fire = next(step for step in steps if step.name == "Gunfire")
    assert all(group.name and any(row.faces for row in group.rows) for group in fire.groups)
    moves = [row for step in steps for row in step.dull if " sails " in row.words]
    assert moves and not any(" sails " in row.words and not row.dull for step in steps for row in step.rows)
