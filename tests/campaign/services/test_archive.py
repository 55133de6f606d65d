"""A campaign exported and imported: all of it comes back, it plays on, and an archive that is not sound changes nothing."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from PIL import Image

from battles.models import Battle, BattleOutcome
from battles.services.fighting import digest
from campaign.models import (
    BattlePicture,
    Campaign,
    Membership,
    Order,
    Ready,
    ResultDraft,
    SideOrder,
    Sighting,
    Theatre,
    Turn,
    WeatherWatch,
)
from campaign.services.archive import reading, tables
from campaign.services.archive.people import ADDRESSES, PSEUDONYMS
from campaign.services.archive.reading import Archive, ImportRefused
from campaign.services.archive.restoring import Imported, campaign_import
from campaign.services.archive.writing import ExportRefused, campaign_export
from campaign.services.battle.aftermath import Upload, paper_write, pictures_add
from campaign.services.battle.drafts import result_draft_save
from campaign.services.desk.audit import campaign_audit
from campaign.services.desk.umpire import campaign_resume
from campaign.services.setup.setup import theatre_load
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_lock
from campaign.services.turn.verify import Verdict, campaign_verify
from campaign.services.umpire_log import UmpireRefused
from tests.campaign.services.conftest import fair_turn_played, first_turn_played, unattended
from tests.support.answers import answer_of, flawless
from tests.support.put_back import put_back
from tests.support.turns import turn_closes

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.FA1")]
Documents = dict[str, Any]


def exported(campaign: Campaign, folder: Path, *, people: str = ADDRESSES, with_secrets: bool = True) -> Path:
    path = folder / f"{campaign.code}.zip"
    campaign_export(campaign=campaign, to=path, people=people, with_secrets=with_secrets)
    return path


def moved(campaign: Campaign, folder: Path, **how: Any) -> Imported:
    """A campaign beside its original, under another code."""
    return flawless(campaign_import, path=exported(campaign, folder, **how), code="moved")


def resumed(campaign: Campaign) -> Campaign:
    campaign_resume(campaign=campaign, umpire=umpire_of(campaign))
    campaign.refresh_from_db()
    return campaign


def umpire_of(campaign: Campaign) -> Any:
    return campaign.memberships.get(role=Membership.Role.UMPIRE).user


def verdicts(campaign: Campaign) -> set[Verdict]:
    return {finding.verdict for finding in campaign_verify(campaign=campaign)}


def text_of(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def test_a_campaign_comes_back_whole_is_in_order_and_plays_on_as_its_original(tmp_path: Path) -> None:
    campaign = fair_turn_played()

    assert answer_of(exported, campaign, tmp_path) == ""
    made = campaign_import(path=tmp_path / "fair.zip", code="moved")

    for table in tables.TABLES:
        there = table.rows(made.campaign.pk).count() - (table.label == "campaign.UmpireAction")
        assert there == table.rows(campaign.pk).count(), table.label
    assert list(campaign_audit(campaign=made.campaign)) == []
    assert verdicts(made.campaign) == {Verdict.AGREES}
    turn_closes(unattended(campaign).turns.get(phase="open"))
    turn_closes(unattended(resumed(made.campaign)).turns.get(phase="open"))
    hashes = [
        list(one.turns.filter(phase="closed").values_list("state_hash", flat=True))
        for one in (campaign, made.campaign)
    ]
    assert len(hashes[0]) == 2
    assert hashes[0] == hashes[1]
    made.campaign.refresh_from_db()
    assert list(campaign_audit(campaign=made.campaign)) == []
    assert verdicts(made.campaign) == {Verdict.AGREES}


def _newer_theatre(campaign: Campaign) -> Theatre:
    """What this site's own theatre has become since a campaign began."""
    document = json.loads(json.dumps(campaign.theatre.document))
    document["nodes"][0]["latitude"] += 0.1
    return flawless(theatre_load, document=document)


def test_a_campaign_brings_the_theatre_that_it_began_with(tmp_path: Path) -> None:
    path = exported(fair_turn_played(), tmp_path)
    original = Campaign.objects.get()
    newer = _newer_theatre(original)
    Campaign.objects.update(theatre=newer)
    Theatre.objects.exclude(pk=newer.pk).delete()  # as on a server that has never had it

    made = campaign_import(path=path, code="moved")

    assert made.campaign.theatre != newer
    assert list(Theatre.objects.offered()) == [newer]
    assert made.notes == []
    assert verdicts(made.campaign) == {Verdict.AGREES}
    assert campaign_import(path=path, code="again").campaign.theatre == made.campaign.theatre


def test_a_campaign_without_its_theatre_is_played_on_the_one_of_the_site(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    path = exported(campaign, tmp_path)
    rewrite(path, lambda found: found[tables.MANIFEST]["theatre"].pop("document"))
    newer = _newer_theatre(campaign)

    made = campaign_import(path=path, code="moved")

    assert made.campaign.theatre == newer
    assert any("The theatre differs" in note for note in made.notes)
    assert Verdict.DIFFERS in verdicts(made.campaign)


def test_times_names_and_texts_come_back_as_they_were(tmp_path: Path) -> None:
    campaign = first_turn_played()

    made = moved(campaign, tmp_path).campaign

    for name in ("opened", "locked", "closed", "deadline", "chart_secret", "luck"):
        assert list(made.turns.values_list(name, flat=True)) == list(
            campaign.turns.values_list(name, flat=True)
        ), name
    for here, there in zip(made.turns.all(), campaign.turns.all(), strict=True):
        assert (here.snapshot, here.state) == (there.snapshot, there.state)
    orders = ("fleet__code", "given", "author", "user", "stance", "instructions")
    mine, theirs = (
        list(Order.objects.filter(turn__campaign=one).order_by("turn__number", "fleet__code").values(*orders))
        for one in (made, campaign)
    )
    assert mine == theirs
    ships = apps.get_model("fleets.HistoricalShip").objects
    columns = ("code", "history_date", "history_type", "history_user", "men", "condition")
    mine, theirs = (
        list(ships.filter(book=one.book).order_by("pk").values(*columns)) for one in (made, campaign)
    )
    assert mine == theirs
    (log,) = made.umpire_actions.filter(action="imported the campaign")
    assert log.actor == "the terminal"


def test_it_can_be_rolled_back_to_a_turn_before_it_was_moved(tmp_path: Path) -> None:
    campaign = resumed(moved(fair_turn_played(), tmp_path).campaign)

    turn = rollback(campaign=campaign, number=1, umpire=umpire_of(campaign), reason="a test", same_dice=True)
    unattended(campaign)
    turn_closes(turn)

    campaign.refresh_from_db()
    assert list(campaign_audit(campaign=campaign)) == []
    again, first = Turn.every.filter(campaign=campaign, number=1).order_by("-run")
    assert again.state_hash == first.state_hash
    # and a campaign that was rolled back can be moved in its turn
    twice = campaign_import(path=exported(campaign, tmp_path), code="twice").campaign
    assert twice.began_as == "fair"
    (act,) = twice.umpire_actions.filter(action__startswith="rolled back")
    assert act.turn.startswith("twice/")
    void = Turn.every.filter(campaign=twice).exclude(void="").values_list("void", flat=True)
    assert set(void) == {f"rollback {act.pk}"}
    assert list(campaign_audit(campaign=twice)) == []
    assert verdicts(twice) == {Verdict.AGREES}


@pytest.mark.one_database
def test_an_archive_made_without_secrets_holds_none(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    Campaign.objects.filter(pk=campaign.pk).update(webhook="https://chat.example/hook/key")
    whole = text_of(exported(campaign, tmp_path))
    (tmp_path / "fair.zip").unlink()

    assert answer_of(exported, campaign, tmp_path, with_secrets=False) == ""
    sealed = text_of(tmp_path / "fair.zip")

    secrets = [
        secret for row in campaign.turns.values_list("chart_secret", "battle_secret") for secret in row
    ]
    battles = apps.get_model("battles.Battle").objects.filter(book=campaign.book)
    secrets += [*battles.values_list("seed", flat=True), "chat.example"]
    assert len(secrets) >= 6
    assert all(secret in whole for secret in secrets)
    assert not [secret for secret in secrets if secret in sealed]


@pytest.mark.one_database
def test_without_secrets_it_plays_on_with_new_ones_and_says_what_cannot_be_verified(tmp_path: Path) -> None:
    campaign = fair_turn_played()

    made = moved(campaign, tmp_path, with_secrets=False)

    old, new = campaign.turns.get(number=2), made.campaign.turns.get(number=2)
    assert new.chart_secret not in ("", old.chart_secret)
    assert new.chart_hash != old.chart_hash
    (log,) = made.campaign.umpire_actions.filter(action="imported the campaign")
    assert new.chart_hash in log.reason
    assert "still sealed cannot be verified here: 1." in log.reason
    assert verdicts(made.campaign) == {Verdict.UNTRIED}
    proofs_page = Client()
    proofs_page.force_login(umpire_of(made.campaign))
    assert (
        b"the campaign was moved here while they were sealed" in proofs_page.get("/c/moved/fairness/").content
    )
    turn_closes(unattended(resumed(made.campaign)).turns.get(phase="open"))
    made.campaign.refresh_from_db()
    assert list(campaign_audit(campaign=made.campaign)) == []
    assert verdicts(made.campaign) == {Verdict.UNTRIED, Verdict.AGREES}
    with pytest.raises(
        UmpireRefused, match="imported without the secrets of turn 1. Roll back with new dice."
    ):
        rollback(
            campaign=made.campaign, number=1, umpire=umpire_of(made.campaign), reason="a test", same_dice=True
        )


@pytest.mark.one_database
def test_secrets_that_are_open_come_with_every_archive(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    Campaign.objects.filter(pk=campaign.pk).update(status=Campaign.Status.CLOSED)
    campaign.turns.filter(phase="open").delete()

    made = moved(campaign, tmp_path, with_secrets=False)

    assert made.campaign.status == Campaign.Status.CLOSED
    assert verdicts(made.campaign) == {Verdict.AGREES}


@pytest.mark.one_database
def test_a_demonstration_can_be_told_from_a_campaign_without_revealing_its_dice(tmp_path: Path) -> None:
    made = moved(first_turn_played(), tmp_path, with_secrets=False).campaign

    assert made.demo_seed not in ("", "a test")
    assert made.dice_code == "DEMO"


@pytest.mark.one_database
def test_a_turn_that_is_locked_is_exported_only_with_its_secrets(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    turn_lock(turn=campaign.turns.get(phase="open"))

    with pytest.raises(ExportRefused, match="Turn 2 is locked, and its dice are secret"):
        exported(campaign, tmp_path, with_secrets=False)
    assert list(tmp_path.iterdir()) == []
    with put_back():  # a turn that is run again with the same dice is open, and they are known
        campaign.turns.filter(number=2).update(phase="open", repeats=campaign.turns.get(number=1))
        assert answer_of(exported, campaign, tmp_path, with_secrets=False).startswith("Turn 2 is open, and")

    made = moved(campaign, tmp_path).campaign
    assert made.turns.get(number=2).phase == Turn.Phase.LOCKED


def test_people_are_found_by_their_address_and_others_get_an_account_without_a_password(
    tmp_path: Path,
) -> None:
    path = exported(first_turn_played(), tmp_path)
    users = get_user_model().objects
    dutch = users.get(email="dutch@club.example")
    users.filter(pk=dutch.pk).update(email="Dutch@Club.example", username="someone")
    users.filter(email="english@club.example").update(email="elsewhere@club.example")

    made = campaign_import(path=path, code="moved")

    assert "someone" in made.known
    (new,) = made.new
    english = users.get(username=new)
    assert english.email == "english@club.example"
    assert not english.has_usable_password()
    assert not english.is_staff
    assert set(made.campaign.memberships.filter(side__isnull=False).values_list("user", flat=True)) == {
        dutch.pk,
        english.pk,
    }


def _picture_of(battle: Battle, member: Membership, caption: str) -> None:
    sink = io.BytesIO()
    Image.effect_noise((90, 70), 80).save(sink, "PNG")
    upload = Upload(sink, "deck.png", len(sink.getvalue()))
    pictures_add(battle=battle, membership=member, uploads=[upload], caption=caption)


def _name_in_every_table(campaign: Campaign, name: str, text: str) -> None:
    """Rows of the tables in which someone is named, or may be."""
    english = campaign.memberships.get(side__name="England")
    dutch = campaign.memberships.get(side__name="Dutch Republic")
    battle, of = campaign.book.battles.get(), {"turn": campaign.turns.get(number=1), "side": english.side}
    SideOrder.objects.update_or_create(**of, defaults={"author": name})
    Ready.objects.update_or_create(**of, defaults={"by": name})
    english.absences.create(first="2026-08-01", last="2026-08-02", by=name, note=text)
    campaign.releases.create(subject="A fleet", field="seen", value="At sea", hour=1, by=name)
    BattleOutcome.objects.filter(battle=battle).update(proposed_by=name)
    battle.outcome.answers.create(version=1, side="ENG", by=name, answer="disputed", reason=text)
    english.battle_papers.create(battle=battle, kind="account", text=text)
    _picture_of(battle, english, text)
    campaign.letters.create(sender=english, recipient=dutch, text=text, written=1)
    apps.get_model("fleets.HistoricalShip").objects.filter(book=campaign.book).update(
        history_change_reason=text
    )


@pytest.mark.one_database
def test_under_pseudonyms_no_name_or_address_of_a_person_is_in_the_archive(tmp_path: Path) -> None:
    campaign = first_turn_played()
    users = get_user_model().objects
    for name in ("english", "dutch"):
        users.filter(email=f"{name}@club.example").update(
            username=f"{name}-anna", email=f"{name}-anna@club.example", first_name="Annabel", last_name="Vos"
        )
    Order.objects.filter(turn__campaign=campaign).update(author="english-anna")
    Order.objects.filter(turn__campaign=campaign, turn__number=1).update(author="gone-berta")
    campaign.umpire_actions.create(
        actor="umpire", action="ruled for Annabel", reason="Annabel Vos (english-anna) was late."
    )
    _name_in_every_table(campaign, "gone-berta", "Annabel Vos wrote")

    assert answer_of(exported, campaign, tmp_path, people=PSEUDONYMS) == ""
    words = text_of(tmp_path / "small.zip").casefold()

    assert not [
        word
        for word in ("anna", "vos", "berta", "club.example", '"username":"umpire"', '"actor":"umpire"')
        if word in words
    ]
    made = campaign_import(path=tmp_path / "small.zip", code="moved")
    assert len(made.new) == 3
    assert list(campaign_audit(campaign=made.campaign)) == []


def test_a_code_that_is_taken_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = exported(first_turn_played(), tmp_path)

    with pytest.raises(
        ImportRefused, match="There is a campaign small already. Choose another code. Use --as CODE."
    ):
        campaign_import(path=path)
    with pytest.raises(ImportRefused, match="not a valid code"):
        campaign_import(path=path, code="no code")


def _member(rows: Any) -> bytes:
    """The text of a member, of its rows or as it stands."""
    if isinstance(rows, bytes):
        return rows
    return b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)


def rewrite(path: Path, change: Callable[[Documents], None], *, seal: bool = True) -> None:
    """An archive with other contents, whose checksums agree with them."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    documents: Documents = {
        name: [json.loads(line) for line in text.splitlines()]
        for name, text in found.items()
        if name != tables.MANIFEST
    }
    documents[tables.MANIFEST] = manifest = json.loads(found[tables.MANIFEST])
    change(documents)
    with zipfile.ZipFile(path, "w") as archive:
        for name, rows in documents.items():
            if name == tables.MANIFEST:
                continue
            text = _member(rows)
            archive.writestr(name, text)
            if seal:
                stated = {"rows": len(rows), "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
                manifest["members"][name] = stated
        manifest.pop("seal", None)
        archive.writestr(tables.MANIFEST, json.dumps({**manifest, "seal": digest(manifest)}))


def _set(member: str, column: str, value: Any) -> Callable[[Documents], None]:
    return lambda documents: documents[member][0].update({column: value})


def _left_out(member: str, *columns: str) -> Callable[[Documents], None]:
    def leave_out(documents: Documents) -> None:
        for row in documents[member]:
            for column in columns:
                del row[column]

    return leave_out


def _cut_log(documents: Documents) -> None:
    log = documents["rows/battles.BattleLog.jsonl"][0]
    log["packed"] = base64.b64encode(base64.b64decode(log["packed"])[:-4]).decode()


def _one_address(documents: Documents) -> None:
    first, second, *_ = documents[tables.PEOPLE]
    second["email"] = first["email"].upper()


def _manifest(**values: Any) -> Callable[[Documents], None]:
    return lambda documents: documents[tables.MANIFEST].update(values)


def _drop(member: str) -> Callable[[Documents], None]:
    def drop(documents: Documents) -> None:
        documents.pop(member)
        documents[tables.MANIFEST]["members"].pop(member)

    return drop


REFUSALS = {
    "a newer format": (_manifest(format=tables.FORMAT + 1), r"has format 2. This site reads up to format 1: update it first"),
    "no format": (_manifest(format="1"), "does not say which format it has"),
    "nicknames": (_manifest(people="nicknames"), "'nicknames' is not a way in which an archive names people"),
    "two people with one address": (_one_address, "Two people of the archive have the same address"),
    "no row": (lambda found: found["rows/fleets.Ship.jsonl"].insert(0, [1]), "rows/fleets.Ship.jsonl, line 1 is not a row"),
    "a column missing": (_left_out("rows/fleets.Ship.jsonl", "name"), "fleets.Ship.jsonl, row 1: the column 'name' is missing"),
    "an empty column": (_set("rows/fleets.Ship.jsonl", "name", None), "fleets.Ship.jsonl, row 1: name is empty"),
    "a log that is cut": (_cut_log, "the battle's log is cut, or too large"),
    "an older format": (_manifest(format=0), "which this site no longer reads"),
    "something else": (_manifest(kind="a picture book"), "an archive of something else"),
    "other rules": (_manifest(rules={"set": "chess"}), "The rule set 'chess' is not installed here"),
    "another theatre": (_manifest(theatre={"code": "mars"}), "load_theatres first"),
    "a table missing": (_drop("rows/campaign.Letter.jsonl"), "see rows/campaign.Letter.jsonl"),
    "a theatre with no places": (
        lambda found: found[tables.MANIFEST]["theatre"]["document"].update(nodes=[]), "The theatre of the archive cannot be read",
    ),
    "a path outwards": (lambda found: found.update({"../../etc/passwd": [{}]}), "tables are not those of format 1"),
    "a strange column": (_set("rows/fleets.Ship.jsonl", "is_superuser", True), "no column 'is_superuser'"),
    "too long a name": (_set("rows/fleets.Ship.jsonl", "name", "x" * 81), r"fleets.Ship.jsonl, row 1: name: .*80"),
    "no such choice": (_set("rows/campaign.Turn.jsonl", "phase", "lost"), "phase is 'lost', which it cannot be"),
    "no number": (_set("rows/fleets.Ship.jsonl", "men", "many"), "row 1: men: "),
    "a negative number": (_set("rows/fleets.Ship.jsonl", "men", -1), "row 1: men: "),
    "an empty key": (_set("rows/fleets.Ship.jsonl", "navy", None), "navy is empty"),
    "a key that leads nowhere": (_set("rows/fleets.Ship.jsonl", "navy", 10**9), "not in the archive"),
    "a stranger": (_set("rows/campaign.Membership.jsonl", "user", 99), "a person who is not in the archive"),
    "a log that is no log": (_set("rows/battles.BattleLog.jsonl", "packed", "eJw="), "log cannot be unpacked"),
    "a scenario of no shape": (
        _set("rows/battles.Roster.jsonl", "scenario", {"title": "None"}), "The scenario of a battle cannot be read: .*is missing"
    ),
    "two of a ship": (lambda found: found["rows/fleets.Ship.jsonl"].append({**found["rows/fleets.Ship.jsonl"][0], "pk": 10**9}),
                      "contradicts itself"),
    "no document": (_set("rows/campaign.Turn.jsonl", "books", 7), "rows that cannot be read"),
}  # fmt: skip


@pytest.fixture(scope="module")
def sound(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive that many tests spoil a copy of. The campaign in it is in no database."""
    path: Path = tmp_path_factory.mktemp("archive")
    with django_db_blocker.unblock(), transaction.atomic():
        found = exported(first_turn_played(), path)
        transaction.set_rollback(True)
    return found


@pytest.fixture
def spoilt(sound: Path, tmp_path: Path) -> Path:
    """A copy of a sound archive."""
    copy = tmp_path / "copy.zip"
    copy.write_bytes(sound.read_bytes())
    return copy


@pytest.fixture
def nothing_changes() -> Iterator[None]:
    """Whatever is tried inside leaves no row behind."""
    models = [table.model for table in tables.TABLES] + [get_user_model()]
    before = [model._base_manager.count() for model in models]
    yield
    assert [model._base_manager.count() for model in models] == before


def _refusal(path: Path) -> str:
    return answer_of(campaign_import, path=path)


@pytest.mark.usefixtures("nothing_changes")
def test_an_archive_that_contradicts_itself_or_this_site_is_refused(spoilt: Path) -> None:
    whole = spoilt.read_bytes()
    for what, (change, words) in REFUSALS.items():
        spoilt.write_bytes(whole)
        rewrite(spoilt, change)

        assert re.search(words, _refusal(spoilt)), what


@pytest.mark.one_database
@pytest.mark.usefixtures("nothing_changes")
def test_an_archive_that_was_altered_cut_or_never_was_one_is_refused(
    spoilt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = spoilt.read_bytes()
    ships = "rows/fleets.Ship.jsonl"
    for change in (
        lambda found: found[ships][0].update(code=found[ships][0]["code"][::-1]),
        lambda found: found[tables.MANIFEST]["members"][ships].update(bytes=1),
    ):
        spoilt.write_bytes(whole)
        rewrite(spoilt, change, seal=False)
        assert f"{ships} is damaged or has been altered" in _refusal(spoilt)
    with zipfile.ZipFile(spoilt, "w") as archive:
        archive.writestr(tables.MANIFEST, json.dumps({"kind": tables.KIND, "format": 1, "seal": "0"}))
    assert "manifest.json has been altered" in _refusal(spoilt)
    with zipfile.ZipFile(spoilt, "w") as archive:
        archive.writestr("holiday.jpg", b"")
    assert "no manifest.json" in _refusal(spoilt)
    for cut in (whole[: len(whole) // 2], b"", b"\x00" * 100):
        spoilt.write_bytes(cut)
        assert "is not an archive of a campaign, or has been cut short" in _refusal(spoilt)
    spoilt.write_bytes(whole[:3000] + bytes(byte ^ 0xFF for byte in whole[3000:3020]) + whole[3020:])
    assert "is damaged" in _refusal(spoilt)
    spoilt.write_bytes(whole)
    monkeypatch.setattr(reading, "MOST_BYTES", 1000)
    assert "would unpack to more than" in _refusal(spoilt)
    assert "does not exist" in _refusal(spoilt.with_name("none.zip"))


@pytest.mark.one_database
@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("name", ["rows/zeppelins.jsonl", tables.PEOPLE])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_with_a_file_too_many_is_refused(spoilt: Path, name: str) -> None:
    with zipfile.ZipFile(spoilt, "a") as archive:
        archive.writestr(name, b"")
    found = _refusal(spoilt)
    assert found == f"The archive does not hold what its manifest names: see {name}."


def _verified(path: Path) -> None:
    with Archive(path) as archive:
        archive.verify()


@pytest.mark.one_database
def test_an_archive_and_each_part_of_it_have_a_greatest_size(spoilt: Path) -> None:
    with zipfile.ZipFile(spoilt) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}

    def said(manifest: int = 0, whole: int = 0) -> str:
        """What is said to a manifest of so many bytes, and to an archive that states so many."""
        with zipfile.ZipFile(spoilt, "w") as archive:
            for name, text in found.items():
                archive.writestr(name, text.ljust(manifest) if name == tables.MANIFEST else text)
            stated = sum(info.file_size for info in archive.infolist())
            archive.getinfo(tables.PEOPLE).file_size += whole - stated if whole else 0
        return answer_of(_verified, spoilt)

    assert said(manifest=2**20) == ""
    assert said(manifest=2**20 + 1) == "manifest.json is too large to be that of a campaign."
    assert said(whole=4 * 2**30) == ""
    assert said(whole=4 * 2**30 + 1) == "The archive would unpack to more than 4 GB."
    for length, words in (
        (64 * 2**20, ""),
        (64 * 2**20 + 1, "people.jsonl has a row that is too long or has been cut."),
    ):
        assert said() == ""
        row = b"\n".rjust(length)
        rewrite(spoilt, lambda documents, row=row: documents.update({tables.PEOPLE: row}))
        assert answer_of(_verified, spoilt) == words


def _step(words: str, gone: str) -> Callable[[str, dict[str, Any]], dict[str, Any] | None]:
    """What a later format changes: the names of campaigns, and one table that it does not have."""

    def step(member: str, row: dict[str, Any]) -> dict[str, Any] | None:
        if member == "rows/campaign.Campaign.jsonl":
            row["name"] += words
        return None if member == gone else row

    return step


@pytest.mark.one_database
def test_an_older_format_is_brought_up_step_by_step_and_may_have_other_tables(
    spoilt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite(spoilt, _drop("rows/campaign.Letter.jsonl"))
    monkeypatch.setattr(reading, "FORMAT", 3)
    monkeypatch.setitem(reading.UPGRADES, 1, _step(", as it was", "rows/campaign.Sighting.jsonl"))
    assert "has format 1, which this site no longer reads" in _refusal(spoilt)
    monkeypatch.setitem(reading.UPGRADES, 2, _step(" then", "rows/campaign.WeatherWatch.jsonl"))

    assert _refusal(spoilt) == ""

    campaign = Campaign.objects.get()
    assert campaign.name == "A small war, as it was then"
    assert not Sighting.objects.exists() and not WeatherWatch.objects.exists()


@pytest.mark.one_database
def test_everything_that_belongs_to_a_campaign_is_in_the_archive_or_left_out_for_a_reason() -> None:
    known = tables.BY_LABEL.keys() | tables.LEFT_OUT
    hang = tables.BY_LABEL.keys() | tables.NAMED
    strangers = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        for column in model._meta.concrete_fields
        if column.remote_field and column.related_model._meta.label in hang
    }
    # tables of Django's own that join an account to its groups
    assert strangers - known - tables.NAMED - {"auth.User_groups", "auth.User_user_permissions"} == set()
    assert {model._meta.label for model in apps.get_models()} >= tables.LEFT_OUT


@pytest.mark.one_database
def test_an_entry_in_an_archive_refers_only_to_earlier_ones_and_holds_no_file() -> None:
    before: set[str] = set()
    for table in tables.TABLES:
        before.add(table.label)
        for column in table.columns():
            assert column.get_internal_type() not in ("FileField", "ImageField"), (
                f"{table.label}.{column.name}"
            )
            if column.remote_field and (table.label, column.name) not in tables.LATER:
                assert column.related_model._meta.label in before | tables.NAMED, (
                    f"{table.label}.{column.name}"
                )


@pytest.mark.one_database
def test_the_commands_say_what_was_written_and_what_was_made(tmp_path: Path) -> None:
    campaign, out, path = first_turn_played(), io.StringIO(), tmp_path / "small.zip"

    call_command("export_campaign", "small", "--to", str(path), "--with-secrets", stdout=out)
    call_command("import_campaign", str(path), "--as", "moved", "--by", "the club's secretary", stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[0].startswith(f"{path}: A small war, ")
    assert lines[0].endswith("rows, with all secrets, people by addresses")
    assert "moved: A small war, 2 turns, paused" in lines
    assert lines[-1] == "Check it with manage.py verify moved. Then its umpire resumes it."
    assert Campaign.objects.get(book__code="moved").umpire_actions.get().actor == "the club's secretary"
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="exists already. Choose another name."):
        call_command("export_campaign", "small", "--to", str(path))
    with pytest.raises(CommandError, match="There is a campaign small already"):
        call_command("import_campaign", str(path))
    assert Membership.objects.filter(campaign=campaign).count() == 3
    assert Theatre.objects.filter(code="narrow_seas_1666").count() == 1


def test_accounts_and_photographs_of_battles_come_with_it_and_drafts_do_not(tmp_path: Path) -> None:
    campaign = fair_turn_played()
    battle, english = campaign.book.battles.first(), campaign.memberships.get(side__name="England")
    paper_write(battle=battle, membership=english, kind="account", text="We bore down on them.")
    result_draft_save(battle=battle, membership=english, head={"hours": "3"}, ships={})
    _picture_of(battle, english, "The van")
    picture = BattlePicture.objects.get()

    made = moved(campaign, tmp_path).campaign

    other = made.book.battles.get(code=battle.code)
    (paper,) = other.papers.all()
    assert (paper.text, paper.membership.campaign, paper.membership.user) == (
        "We bore down on them.",
        made,
        english.user,
    )
    (copy,) = other.pictures.all()
    columns = ("caption", "width", "height", "digest", "published", "added")
    assert [getattr(copy, name) for name in columns] == [getattr(picture, name) for name in columns]
    assert (bytes(copy.jpeg), bytes(copy.small)) == (bytes(picture.jpeg), bytes(picture.small))
    assert not ResultDraft.objects.filter(battle=other).exists()


@pytest.mark.one_database
@pytest.mark.parametrize("data", ["%%%", base64.b64encode(b"<svg onload='x()'/>").decode()])
def test_an_archive_with_a_file_that_is_not_a_photograph_is_refused(tmp_path: Path, data: str) -> None:
    campaign = fair_turn_played()
    battle, english = campaign.book.battles.first(), campaign.memberships.get(side__name="England")
    BattlePicture.objects.create(
        battle=battle, membership=english, width=1, height=1, jpeg=b"", small=b"", digest="0" * 64
    )
    path = exported(campaign, tmp_path)
    rewrite(path, _set("rows/campaign.BattlePicture.jsonl", "jpeg", data))
    with pytest.raises(ImportRefused, match="photograph"):
        campaign_import(path=path, code="moved")
