"""What an archive states and keeps: people by name or hidden, sealed secrets, rows of a calendar, and the rules of older campaigns."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from battles.engine.pinned.archives import first_kept
from battles.engine.pinned.versions import CAMPAIGN
from battles.models import Battle
from campaign.models import CalendarRow, Campaign, Turn
from campaign.pinned.pins import newest, pin_of
from campaign.services.archive import writing
from campaign.services.archive.people import ADDRESSES, PSEUDONYMS, People, person_here
from campaign.services.archive.restoring import campaign_import
from campaign.services.archive.tables import MANIFEST, TABLES
from campaign.services.archive.writing import campaign_export
from campaign.services.turn.documents import documents_write
from fleets.models import RegisterEntry, Ship
from tests.campaign.services.conftest import fair_turn_played
from tests.campaign.services.test_archive import exported, moved, rewrite, text_of
from tests.campaign.services.test_calendar import ARRIVES, plan
from tests.support.answers import answer_of
from tests.support.factories import BattleFactory, UserFactory
from tests.support.put_back import put_back

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.clause("G.FA1")]


# --- people -----------------------------------------------------------------------------------------------------


def known(mode: str, *users: Any) -> People:
    people = People(mode)
    people.know({user.pk for user in users})
    return people


def ruled(people: People, reason: str | None, actor: str = "") -> tuple[str | None, str]:
    """The reason and the actor of an entry of the umpire's log, as an archive has them."""
    row: dict[str, Any] = {"actor": actor, "action": "ruled", "reason": reason}
    assert answer_of(people.hide, "campaign.UmpireAction", row) == ""
    return row["reason"], row["actor"]


def test_a_name_of_three_letters_or_more_is_hidden_wherever_it_is_a_word() -> None:
    anna = UserFactory(
        username="vos@club.example", email="anna@fleet.example", first_name="Bo", last_name="Eva"
    )
    people = known(PSEUDONYMS, anna)
    for name in ("vos@club.example", "vos", "anna@fleet.example", "ANNA", "Bo Eva", "eva"):
        assert ruled(people, f"That is {name}, at last.")[0] == "That is player-1, at last.", name
    assert ruled(people, "Bo evades Vossius.")[0] == "Bo evades Vossius."
    assert ruled(known(ADDRESSES, anna), "Eva was late.", "vos")[0] == "Eva was late."


def test_a_text_without_names_stays_as_it_is() -> None:
    people = known(PSEUDONYMS, UserFactory(username="anna"))
    assert [ruled(people, text)[0] for text in (None, "", "No one.")] == [None, "", "No one."]
    assert ruled(known(PSEUDONYMS), "Anna was late.")[0] == "Anna was late."


def test_a_person_without_an_account_has_a_pseudonym_and_what_acts_where_no_one_does_keeps_its_name() -> None:
    people = known(PSEUDONYMS, UserFactory(username="anna", email="anna@club.example"))
    aliases = [ruled(people, "", name)[1] for name in ("anna", "Gone Berta", "gone berta", "cornelia")]
    assert aliases[0] == "player-1"
    assert aliases[1] == aliases[2] != aliases[3]
    assert all(alias.startswith("former-") for alias in aliases[1:])
    for name in ("", "the site", "the terminal", "the automatic admiral"):
        assert ruled(people, "", name)[1] == name


def test_people_are_numbered_from_one_in_the_order_in_which_they_are_named() -> None:
    anna, berta = UserFactory(username="anna"), UserFactory(username="berta")
    people = People(ADDRESSES)
    assert [people.number(one.pk) for one in (berta, anna, berta)] == [1, 2, 1]
    names = {"first_name": "", "last_name": ""}
    assert list(people.rows()) == [
        {"id": 1, "username": "berta", "email": "berta@club.example", **names},
        {"id": 2, "username": "anna", "email": "anna@club.example", **names},
    ]


def here(**row: str) -> tuple[str, str, bool]:
    """The username and address of the account that a person of an archive has here, and whether it is new."""
    found: list[Any] = []
    person = {"username": "anna", "email": "", "first_name": "", "last_name": "", **row}
    assert answer_of(lambda: found.extend(person_here(person))) == ""
    user, new = found
    return user.username, user.email, new


def test_a_person_is_known_here_by_an_address_that_one_account_has() -> None:
    UserFactory(username="berta", email="Berta@club.example")
    UserFactory(username="cornelia", email="shared@club.example")
    UserFactory(username="dora", email="shared@club.example")
    UserFactory(username="emma", email="")
    assert here(email=" berta@CLUB.example ") == ("berta", "Berta@club.example", False)
    assert here(email="shared@club.example") == ("anna", "shared@club.example", True)
    assert here() == ("anna-2", "", True)
    assert here(username="Anna") == ("Anna-3", "", True)


# --- what is written --------------------------------------------------------------------------------------------


def test_an_archive_is_written_once_into_a_folder_that_is_there(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    assert answer_of(exported, campaign, tmp_path) == ""
    path = tmp_path / "fair.zip"
    assert answer_of(exported, campaign, tmp_path) == f"{path} exists already. Choose another name."
    nowhere = tmp_path / "nowhere"
    said = answer_of(exported, campaign, nowhere)
    assert said == f"The folder {nowhere} does not exist. Create it first."
    with zipfile.ZipFile(path) as archive:
        text = archive.read(MANIFEST).decode()
    assert '\n "kind": "weather-gage campaign",\n' in text, "people read it too"
    members = json.loads(text)["members"]
    for table in TABLES:
        assert members[table.member]["rows"] == table.rows(campaign.pk).count(), table.label


def test_an_archive_names_the_theatre_that_the_campaign_began_with(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    own = campaign.theatre_hash
    for number, (kept, stated) in enumerate((("", own), ("ab" * 32, "ab" * 32))):
        Campaign.objects.filter(pk=campaign.pk).update(theatre_hash=kept)
        manifest = campaign_export(
            campaign=campaign, to=tmp_path / f"{number}.zip", people=ADDRESSES, with_secrets=True
        )
        assert manifest["theatre"]["digest"] == stated


@pytest.mark.parametrize(
    ("vendor", "inside", "said"), [("postgresql", False, 1), ("postgresql", True, 0), ("sqlite", False, 0)]
)
def test_an_archive_shows_the_campaign_at_a_single_moment(
    monkeypatch: pytest.MonkeyPatch, vendor: str, inside: bool, said: int
) -> None:
    asked: list[str] = []

    class Cursor:
        def __enter__(self) -> Any:
            return SimpleNamespace(execute=asked.append)

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(
        writing, "connection", SimpleNamespace(vendor=vendor, in_atomic_block=inside, cursor=Cursor)
    )
    with writing._as_of_now():
        assert asked == ["SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"] * said


@pytest.mark.parametrize(
    ("columns", "rows", "left"),
    [(["name", "webhook"], [[1, "A war", "key"]], [[1, "A war", ""]]), (["name"], [[1, "A war"]], [[1, "A war"]])],
)  # fmt: skip
def test_the_rows_of_a_turns_start_lose_the_webhook_that_they_may_have(
    columns: list[str], rows: list[Any], left: list[Any]
) -> None:
    books = {"campaign.campaign": {"columns": columns, "rows": rows}}
    for document in (books, {}, None):
        assert answer_of(writing._blank_webhook, document) == ""
    assert books["campaign.campaign"]["rows"] == left


def test_an_archive_without_secrets_names_neither_an_old_webhook_nor_a_void_turn(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    turn = campaign.turns.get(number=1)
    books = turn.books
    kept = books["campaign.campaign"]
    kept["rows"][0][kept["columns"].index("webhook") + 1] = "https://chat.example/hook"
    documents_write(turn=turn, books=books)
    Turn.objects.create(
        campaign=campaign, number=1, run=0, void="rollback 1", phase="closed", first_day=0, days=1,
        chart_hash="0" * 64, chart_secret="c7" * 32, battle_secret="b7" * 32,
    )  # fmt: skip
    campaign.turns.filter(phase="open").delete()
    Campaign.objects.filter(pk=campaign.pk).update(status=Campaign.Status.CLOSED)

    sealed = text_of(exported(campaign, tmp_path, with_secrets=False))

    assert turn.chart_secret in sealed and turn.battle_secret in sealed
    assert "chat.example" not in sealed
    assert "c7" * 32 not in sealed and "b7" * 32 not in sealed


# --- what comes back --------------------------------------------------------------------------------------------


def test_battles_still_to_be_fought_have_new_dice_and_others_do_not(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    Status = Battle.Status
    for status in Status:
        BattleFactory(book=campaign.book, code=f"fair-{status}", status=status)

    made = moved(campaign, tmp_path, with_secrets=False)

    battles = {row.code: row for row in made.campaign.book.battles.filter(code__startswith="fair-")}
    seeded = {code for code, battle in battles.items() if battle.seed}
    assert seeded == {f"fair-{status}" for status in (Status.READY, Status.FIGHTING, Status.FAILED)}
    for code, battle in battles.items():
        assert (f"the battle {code} ({battle.seed_hash})" in made.notes[0]) is (code in seeded)


def test_work_in_hand_stays_with_the_server_that_does_it(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    hand = {"claim": uuid4(), "lease_until": timezone.now()}
    campaign.turns.filter(number=2).update(reached=4, **hand)
    campaign.book.battles.update(**hand)

    made = moved(campaign, tmp_path).campaign

    turn = made.turns.get(number=2)
    assert (turn.claim, turn.lease_until, turn.reached) == (None, None, None)
    assert set(made.book.battles.values_list("claim", "lease_until")) == {(None, None)}


@pytest.mark.clause("G.CA2")
def test_ships_of_the_calendar_and_of_fleets_are_entries_of_the_register_that_is_here(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    plan(campaign, ARRIVES)
    path = exported(campaign, tmp_path)
    ruby = RegisterEntry.objects.get(name="Ruby")
    register, ruby.pk, ruby.line = ruby.register, None, 99
    RegisterEntry.objects.filter(name="Ruby").delete()
    ruby.save()

    assert answer_of(campaign_import, path=path, code="moved") == ""

    moved_to = Campaign.objects.get(book__code="moved")
    sheets = CalendarRow.objects.get(campaign=moved_to, code="oak").sheets
    oak = RegisterEntry.objects.get(name="Royal Oak")
    assert {fact["entry"] for fact in sheets["register"].values()} == {oak.pk, ruby.pk}
    assert set(Ship.objects.filter(book=moved_to.book).values_list("entry__register", flat=True)) == {
        register.pk
    }
    RegisterEntry.objects.filter(name__in=("Ruby", "Antelope")).delete()
    notes = campaign_import(path=path, code="again").notes
    assert notes == ["2 ships are not in the registers of this site. They keep their own facts."]


def _of_before_versions(rule_set: str = "", chart: str = "") -> Callable[[dict[str, Any]], None]:
    """The manifest of an archive from before campaigns kept their rules. rule_set, chart: fingerprints, "" for today's."""

    def change(documents: dict[str, Any]) -> None:
        rules = documents[MANIFEST]["rules"]
        del rules["version"], rules["chart_version"]
        rules["fingerprint"], rules["chart"] = rule_set or rules["fingerprint"], chart or rules["chart"]

    return change


def test_a_campaign_of_before_versions_were_kept_plays_by_those_of_its_day_or_the_oldest(
    tmp_path: Path,
) -> None:
    path = exported(fair_turn_played(), tmp_path)
    whole = path.read_bytes()
    today = newest("kohler")
    for prints, rules in (
        ((), (today.rule_set, today.chart)),
        (("f" * 64, "e" * 64), (first_kept("kohler"), first_kept(CAMPAIGN))),
    ):
        path.write_bytes(whole)
        rewrite(path, _of_before_versions(*prints))
        with put_back():
            made = campaign_import(path=path, code="moved")

            pin = pin_of(Campaign.objects.get(pk=made.campaign.pk))
            assert (pin.rule_set, pin.chart) == rules
            assert made.notes == [
                f"The archive is from before campaigns kept their rules. From now on it plays by {pin}."
            ]
