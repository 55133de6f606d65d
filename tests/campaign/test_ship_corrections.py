"""Ships of a running campaign corrected by its umpire: with a reason, in the service record, while a turn is open."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from campaign.models import UmpireAction
from campaign.services.roles import umpire_admit
from fleets.facts import facts_document, facts_of
from fleets.models import ServiceRecord, Ship
from fleets.services.ship_edits import retake_choices, ship_amend, ship_retake
from tests.support.factories import RegisterEntryFactory
from tests.support.people import DUTCH, World, world

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def told() -> World:
    """A campaign whose umpire has his role."""
    made = world()
    umpire_admit(user=made.umpire.user)
    return made


def _ship(told: World) -> Ship:
    found: Ship = told.dutch_fleet.squadrons.first().ships.first()
    return found


def _registered(told: World, **facts: Any) -> Ship:
    """A sound ship mustered from a register entry that has changed since."""
    from battles.engine.registry import rule_set

    ship = _ship(told)
    entry = RegisterEntryFactory(guns=50, tons_burthen=700, crew=200, nation=ship.navy.nation, side="Dutch")
    rules = rule_set("kohler")
    ship.entry, ship.facts = entry, facts_document(facts_of(entry, rule_set="kohler"))
    ship.card = rules.card(facts_of(entry, rule_set="kohler"))
    ship.condition = rules.at_sea.sound(ship.card)
    ship.save()
    for name, value in facts.items():
        setattr(entry, name, value)
    entry.save()
    return Ship.objects.select_related("book", "navy", "entry__register", "entry__nation").get(pk=ship.pk)


@pytest.mark.clause("G.SV1", "G.UM1")
def test_a_correction_appears_in_her_record_her_history_and_the_umpires_log(told: World) -> None:
    ship = _ship(told)
    old = ship.name

    record = ship_amend(
        ship=ship, values={"men": 180, "name": "Renamed"}, reason="miscounted", user=told.umpire.user
    )

    ship.refresh_from_db()
    assert (ship.men, ship.name, ship.former_names) == (180, "Renamed", [old])
    assert record is not None
    assert (record.kind, record.when) == ("amended", "1666-06-02T06:00")
    assert record.data["reason"] == "miscounted" and record.data["by"] == "umpire"
    assert "men 180, previously 200" in record.data["changes"]
    version = ship.history.first()
    assert (version.history_change_reason, version.history_user) == ("miscounted", told.umpire.user)
    action = UmpireAction.objects.filter(action="corrected a ship").get()
    assert action.actor == "umpire"


@pytest.mark.clause("G.IN1")
def test_the_public_log_reveals_nothing_about_the_ship(told: World) -> None:
    ship = _ship(told)
    ship_amend(ship=ship, values={"men": 180}, reason="xqreason", user=told.umpire.user)

    for person in ("english", "observer"):
        page = told.client(person).get(f"/c/{told.campaign.code}/log/").content.decode()
        assert "corrected a ship" in page
        assert not any(tale in page for tale in (DUTCH, "xqreason", "180"))
    own = told.client("dutch").get(f"/c/{told.campaign.code}/ships/{ship.code}/").content.decode()
    assert "Corrected: men 180, previously 200 (xqreason, umpire)." in own
    assert "Correct ship" not in own
    assert told.client("english").get(f"/c/{told.campaign.code}/ships/{ship.code}/").status_code == 404


@pytest.mark.clause("G.UM1")
@pytest.mark.parametrize("phase", ["locked", "running", "fighting", "reporting", "failed"])
def test_ships_are_not_changed_while_a_turn_runs(told: World, phase: str) -> None:
    type(told.turn).objects.filter(pk=told.turn.pk).update(phase=phase)
    ship = _ship(told)

    with pytest.raises(ValidationError, match="not open for orders"):
        ship_amend(ship=ship, values={"men": 180}, reason="x", user=told.umpire.user)

    assert Ship.objects.get(pk=ship.pk).men == 200
    assert not ServiceRecord.objects.filter(kind="amended").exists()
    assert not UmpireAction.objects.filter(action="corrected a ship").exists()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"men": 201}, "exceeds the complement of 200"),
        ({"condition": {}}, "exactly these fields"),
        ({"condition": [1]}, "exactly these fields"),
        (
            {"condition": {"schema": 1, "hits_struct": "x", "hits_board": 0, "flag_officer_ok": True}},
            'hits_struct in the condition is "x". It must be a whole number.',
        ),
        (
            {"condition": {"schema": 1, "hits_struct": 99, "hits_board": 0, "flag_officer_ok": True}},
            "not be afloat",
        ),
        ({"name": " "}, "Enter a name"),
    ],
)
def test_an_impossible_ship_is_refused(told: World, values: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        ship_amend(ship=_ship(told), values=values, reason="x", user=told.umpire.user)


def test_a_correction_needs_a_reason_and_a_record_needs_a_change(told: World) -> None:
    with pytest.raises(ValidationError, match="Enter a reason"):
        ship_amend(ship=_ship(told), values={"men": 1}, reason=" ", user=told.umpire.user)
    assert ship_amend(ship=_ship(told), values={"men": 200}, reason="x", user=told.umpire.user) is None
    assert not ServiceRecord.objects.filter(kind="amended").exists()


def test_facts_that_differ_from_the_register_are_offered_and_accepted(told: World) -> None:
    ship = _registered(told, guns=60, tons_burthen=900, crew=260)

    offered = {row.name: (row.own, row.register) for row in retake_choices(ship)}
    ship_retake(
        ship=ship, columns=["tons_burthen", "crew", "hull"], reason="new source", user=told.umpire.user
    )

    assert offered == {"guns": ("50", "60"), "tons_burthen": ("700", "900"), "crew": ("200", "260")}
    ship.refresh_from_db()
    assert (ship.facts["tons_burthen"], ship.facts["guns"]) == (900, 50)
    assert ship.card["hull_max"] == 27
    assert (ship.complement, ship.men) == (260, 260)
    record = ServiceRecord.objects.get(kind="amended")
    assert "tons burthen 900, previously 700" in record.data["changes"]
    assert {row.name for row in retake_choices(ship)} == {"guns"}


def test_a_damaged_ship_keeps_her_card_but_may_accept_facts_that_do_not_change_it(told: World) -> None:
    ship = _registered(told, tons_burthen=900, year_built=1661)
    ship.condition = {**ship.condition, "hits_struct": 3}
    ship.save()

    with pytest.raises(ValidationError, match="The ship is damaged"):
        ship_retake(ship=ship, columns=["tons_burthen"], reason="x", user=told.umpire.user)
    ship = Ship.objects.select_related("book", "navy", "entry__register", "entry__nation").get(pk=ship.pk)
    ship_retake(ship=ship, columns=["year_built"], reason="x", user=told.umpire.user)

    ship.refresh_from_db()
    assert (ship.facts["year_built"], ship.condition["hits_struct"]) == (1661, 3)


def test_without_an_entry_or_a_card_nothing_is_accepted(told: World) -> None:
    ship = _ship(told)
    with pytest.raises(ValidationError, match="no longer exists"):
        ship_retake(ship=ship, columns=["guns"], reason="x", user=told.umpire.user)
    assert retake_choices(ship) == []
    ship = _registered(told, overrides={"kohler": {"hull": "many"}})
    with pytest.raises(ValidationError, match="No card can be made"):
        ship_retake(ship=ship, columns=["overrides"], reason="x", user=told.umpire.user)


def _posted(ship: Ship, **changes: Any) -> dict[str, Any]:
    """What a browser sends of a Kohler ship's form."""
    now = ship.condition
    return {
        "name": ship.name, "captain": ship.captain, "men": ship.men, "complement": ship.complement,
        "mark_hits_struct": now["hits_struct"], "mark_hits_board": now["hits_board"],
        **({} if now["flag_officer_ok"] else {"mark_flag_lost": "on"}), "reason": "miscounted", **changes,
    }  # fmt: skip


def _client(told: World) -> Client:
    return told.client("umpire")


def test_the_umpire_corrects_her_on_her_page(told: World) -> None:
    ship = _ship(told)
    address = f"/admin/fleets/ship/{ship.pk}/change/"

    page = _client(told).get(address).content.decode()
    answer = _client(told).post(address, _posted(ship, men=150))
    silent = _client(told).post(address, _posted(ship, men=140, reason="")).content.decode()
    faulty = _client(told).post(address, _posted(ship, men=900)).content.decode()

    assert 'name="reason"' in page and 'name="navy"' not in page and 'name="fate"' not in page
    assert answer.status_code == 302
    assert Ship.objects.get(pk=ship.pk).men == 150
    assert "Enter a reason." in silent
    assert "exceeds the complement" in faulty
    assert ServiceRecord.objects.filter(kind="amended").count() == 1
    shown = _client(told).get(f"/c/{told.campaign.code}/ships/{ship.code}/").content.decode()
    assert f'href="/c/{told.campaign.code}/ships/{ship.code}/correct/"' in shown


def test_while_a_turn_runs_her_page_says_so(told: World) -> None:
    ship = _ship(told)
    type(told.turn).objects.filter(pk=told.turn.pk).update(phase="running")

    page = _client(told).post(f"/admin/fleets/ship/{ship.pk}/change/", _posted(ship, men=150))

    assert "turn 2 is not open for orders" in page.content.decode()
    assert Ship.objects.get(pk=ship.pk).men == 200


def test_an_earlier_version_is_restored_as_a_correction(told: World) -> None:
    ship = _ship(told)
    first = ship.history.first()
    ship_amend(ship=ship, values={"men": 10}, reason="slip", user=told.umpire.user)

    address = f"/admin/fleets/ship/{ship.pk}/history/{first.pk}/"
    page = _client(told).get(address).content.decode()
    _client(told).post(address, _posted(ship, men=200, reason="back"))

    assert "Restored the version of" in page
    assert Ship.objects.get(pk=ship.pk).men == 200
    assert [r.data["reason"] for r in ServiceRecord.objects.filter(kind="amended")] == ["slip", "back"]


def test_the_umpire_accepts_facts_on_their_page(told: World) -> None:
    ship = _registered(told, tons_burthen=900)
    address = f"/admin/fleets/ship/{ship.pk}/retake/"

    page = _client(told).get(address).content.decode()
    silent = _client(told).post(address, {"take": ["tons_burthen"], "reason": ""}).content.decode()
    done = _client(told).post(address, {"take": ["tons_burthen"], "reason": "new source"}, follow=True)

    assert "tons burthen</label>" in page and "900" in page
    assert "Enter a reason" in silent
    assert ": corrected." in done.content.decode()
    assert Ship.objects.get(pk=ship.pk).facts["tons_burthen"] == 900
    assert "already matches" in _client(told).get(address).content.decode()


def _page(told: World, ship: Ship) -> str:
    return f"/c/{told.campaign.code}/ships/{ship.code}/correct/"


@pytest.mark.clause("G.UM1", "G.SV1")
def test_the_umpire_corrects_a_condition_in_the_marks_of_its_rule_set(told: World) -> None:
    ship = _ship(told)

    page = _client(told).get(_page(told, ship)).content.decode()
    answer = _client(told).post(_page(told, ship), _posted(ship, mark_hits_struct="4", mark_flag_lost="on"))

    assert "Hull boxes shot away" in page and f"0 to {ship.card['hull_max']}" in page
    assert "{" not in page.split("<main")[1].split("</form>")[0]
    assert answer.status_code == 302
    now = Ship.objects.get(pk=ship.pk).condition
    assert (now["hits_struct"], now["hits_board"], now["flag_officer_ok"]) == (4, 0, False)
    assert ServiceRecord.objects.get(kind="amended").data["reason"] == "miscounted"


def test_every_error_of_a_correction_is_shown_at_once(told: World) -> None:
    ship = _ship(told)
    type(told.turn).objects.filter(pk=told.turn.pk).update(phase="running")

    refused = _client(told).post(
        _page(told, ship), _posted(ship, mark_hits_struct="many", men=900, reason="", mark_hits_board="-1")
    )
    shown = refused.content.decode()

    assert refused.status_code == 422
    for words in (
        "Hull boxes shot away: Enter a number",
        "Boxes crossed off for men: Enter",
        "Enter a reason.",
        "not open for orders",
    ):
        assert words in shown
    assert Ship.objects.get(pk=ship.pk).condition == ship.condition


@pytest.mark.clause("G.BT4")
@pytest.mark.parametrize(
    ("fighting", "void", "status"), [(False, False, 422), (False, True, 302), (True, True, 422)]
)
def test_a_battle_that_holds_the_ship_refuses_a_correction_unless_it_is_void(
    told: World, monkeypatch: Any, fighting: bool, void: bool, status: int
) -> None:
    from campaign.keeper import CampaignKeeper
    from fleets.keeping import Held

    monkeypatch.setattr(CampaignKeeper, "held_by", lambda *_: Held("The Galloper", fighting))
    ship = _ship(told)

    answer = _client(told).post(
        _page(told, ship), _posted(ship, men=150, **({"void_battle": "on"} if void else {}))
    )

    assert answer.status_code == status
    assert Ship.objects.get(pk=ship.pk).men == (150 if status == 302 else 200)
    if status == 422:
        assert "The Galloper" in answer.content.decode()
