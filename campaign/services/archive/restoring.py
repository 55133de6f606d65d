"""A campaign made from an archive: all of it in one transaction, or nothing."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import BinaryField, Field, Model
from django.utils import timezone

from battles.engine import registry
from battles.engine.core.errors import ScenarioFaults
from battles.engine.core.scenario import faults_of
from battles.engine.pinned.archives import RulesMissing, first_kept, installed
from battles.engine.pinned.versions import CAMPAIGN, version_with
from battles.models import Battle
from battles.services.fighting import digest
from campaign.models import Campaign, Membership, Report, Theatre, Turn
from campaign.models.campaigns import new_secret
from campaign.photographs import is_photograph
from campaign.pinned.pins import pin_of
from campaign.pinned.use import rules_by
from campaign.rules.chart.theatre import TheatreFaults
from campaign.services.archive.people import PSEUDONYMS, person_here
from campaign.services.archive.reading import MB, Archive, ImportRefused
from campaign.services.archive.tables import BY_LABEL, LATER, PEOPLE, TABLES, Table, target
from campaign.services.roles import umpire_admit
from campaign.services.setup.faults import code_fault
from campaign.services.setup.setup import theatre_kept
from campaign.services.turn.books import TABLES as BOOKS
from campaign.services.turn.documents import Kind, documents_write
from campaign.services.turn.summaries import summaries_write
from campaign.services.umpire_log import act_log

MOST_UNPACKED = 512 * MB  # of a battle's log
ROLLBACK = re.compile(r"rollback (\d+)\Z")
Rows = dict[int, int]  # keys here by keys in the archive


@dataclass(slots=True)
class Imported:
    """What was imported. new, known: names of accounts that were made, and that were there. notes: sentences for whoever imports."""

    campaign: Campaign
    new: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def campaign_import(*, path: Path, code: str = "", by: str = "the terminal") -> Imported:
    """Make the campaign that an archive holds. It is paused, unless it is over.

    code: its code here, "" for its own. by: who imports it, for the umpire's log. Raises ImportRefused, with nothing changed.
    """
    with Archive(path) as archive:
        try:
            archive.verify()
            with transaction.atomic():
                return _Importer(archive, code).make(by)
        except ValidationError as error:
            raise ImportRefused(" ".join(error.messages)) from error
        except IntegrityError as error:
            raise ImportRefused(f"The archive contradicts itself: {error}.") from error
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
            if isinstance(error, ImportRefused):
                raise
            raise ImportRefused(f"The archive has rows that cannot be read: {error}.") from error


class _Importer:
    """Puts the rows of one archive back, table by table."""

    def __init__(self, archive: Archive, code: str) -> None:
        self.archive, self.manifest = archive, archive.manifest
        self.old_code = str(self.manifest["code"])
        self.code = code or self.old_code
        self.keys: dict[str, Rows] = {table.label: {} for table in TABLES}
        self.people: dict[int, User] = {}
        self.later: list[tuple[Model, str, str, int]] = []
        self.redrawn: list[str] = []
        self.lost: list[int] = []
        self.unlisted: set[tuple[str, ...]] = set()

    def make(self, by: str) -> Imported:
        """All rows, the log's entry, and what the site gives an umpire."""
        self._refuse()
        new, known = self._people()
        for table in TABLES:
            for number, row in enumerate(self.archive.rows(table.member), start=1):
                self._row(table, row, f"{table.member}, row {number}")
        for instance, name, label, key in self.later:
            setattr(instance, name, self._key(label, key, str(instance)))
            type(instance)._base_manager.filter(pk=instance.pk).update(**{name: getattr(instance, name)})
        campaign = Campaign.objects.select_related("book", "theatre").get(book__code=self.code)
        self._books_of_turns(campaign)
        summaries_write(
            reports=Report.objects.filter(turn__campaign=campaign)
            .select_related("turn")
            .iterator(chunk_size=50)
        )
        if campaign.status == Campaign.Status.ACTIVE:
            Campaign.objects.filter(pk=campaign.pk).update(
                status=Campaign.Status.PAUSED, paused=timezone.now()
            )
            campaign.refresh_from_db()
        notes = self._notes(campaign)
        act_log(
            campaign=campaign, actor=by, action="imported the campaign",
            reason=" ".join([f"From an archive of {str(self.manifest['made'])[:16]} UTC.", *notes]),
        )  # fmt: skip
        for member in campaign.memberships.filter(role=Membership.Role.UMPIRE).select_related("user"):
            umpire_admit(user=member.user)
        return Imported(campaign, new, known, notes)

    def _refuse(self) -> None:
        """Raises ImportRefused where this site lacks what the archive names."""
        rules, theatre = self.manifest["rules"], self.manifest["theatre"]
        if fault := code_fault(self.code):
            raise ImportRefused(f"{fault} Use --as CODE.")
        if rules["set"] not in registry.names():
            raise ImportRefused(f"The rule set {rules['set']!r} is not installed here.")
        if not Theatre.objects.filter(code=theatre["code"]).exists():
            raise ImportRefused(
                f"The theatre {theatre['code']!r} is not on this site. Run manage.py load_theatres first."
            )

    def _theatre(self) -> Theatre:
        """The theatre that the campaign began with; the site's own where the archive is older than theatres in archives."""
        stated = self.manifest["theatre"]
        if "document" not in stated:
            return Theatre.objects.offered().get(code=stated["code"])
        try:
            return theatre_kept(document=stated["document"])
        except TheatreFaults as faults:
            raise ImportRefused(f"The theatre of the archive cannot be read. {faults}") from faults

    def _people(self) -> tuple[list[str], list[str]]:
        new: list[str] = []
        known: list[str] = []
        for row in self.archive.rows(PEOPLE):
            user, made = person_here(row)
            self.people[row["id"]] = user
            (new if made else known).append(user.get_username())
        if len({user.pk for user in self.people.values()}) < len(self.people):
            raise ImportRefused(
                "Two people of the archive have the same address. Give one of them another, and export again."
            )
        return new, known

    def _row(self, table: Table, row: dict[str, Any], where: str) -> None:
        columns = {column.name: column for column in table.columns()}
        old = row.pop("pk")
        documents = (
            {kind: row.pop(kind, None) for kind in Kind.values} if table.label == "campaign.Turn" else {}
        )
        if strange := sorted(set(row) - set(columns)):
            raise ImportRefused(
                f"{where}: this site has no column {strange[0]!r}. The archive comes from a newer version."
            )
        self._prepare(table.label, row)
        instance = table.model()
        for name, column in columns.items():
            if name in row:
                setattr(instance, column.attname, self._value(table, instance, column, row[name], where))
            elif not (column.has_default() or column.null or column.blank):
                raise ImportRefused(f"{where}: the column {name!r} is missing.")
        # as they are: no column of times is set to now, and nothing is written into a history
        instance.save_base(raw=True, force_insert=True)
        if isinstance(instance, Turn):
            documents_write(turn=instance, **documents)
        self.keys[table.label][old] = instance.pk

    def _prepare(self, label: str, row: dict[str, Any]) -> None:
        """What is not the same here: codes, secrets that stayed behind, marks of rollbacks."""
        for column in ("void", "history_change_reason"):
            if found := ROLLBACK.match(row.get(column) or ""):
                row[column] = (
                    f"rollback {self._key('campaign.UmpireAction', int(found[1]), 'a mark of a rollback')}"
                )
        rules = self.manifest["rules"]
        if label == "fleets.Book":
            row["code"] = self.code
            if "chart_version" not in rules:
                row["engine_version"], row["rules_hash"] = self._pinned(rules["set"], rules["fingerprint"])
        elif label == "campaign.UmpireAction" and row["turn"].startswith(f"{self.old_code}/"):
            row["turn"] = self.code + row["turn"][len(self.old_code) :]
        elif label == "campaign.Campaign":
            row["theatre_hash"] = self.manifest["theatre"]["digest"]
            if "chart_version" not in rules:
                row["chart_version"], row["chart_rules"] = self._pinned(CAMPAIGN, rules["chart"])
            if not row["demo_seed"]:
                began = row.get("began_as") or self.old_code
                row["began_as"] = "" if began == self.code else began
            if row["demo_seed"] in (True, False):
                row["demo_seed"] = new_secret() if row["demo_seed"] else ""
        elif label == "campaign.CalendarRow":
            for fact in row["sheets"].get("register", {}).values():
                fact["entry"] = self._entry(fact["entry"])
        elif label == "campaign.Turn" and not row["chart_secret"]:
            self._redraw_turn(row)
        elif label == "battles.Roster" and (faults := faults_of(row["scenario"])):
            # pages read a stored scenario without checking it again
            raise ImportRefused(f"The scenario of a battle cannot be read: {ScenarioFaults(faults)}")
        elif label == "battles.Battle" and not row["seed"]:
            self._redraw_battle(row)

    def _redraw_turn(self, row: dict[str, Any]) -> None:
        """The open turn has new secrets, whose hash is published; those of a closed one stay behind. Rule: G.FA1."""
        if row["phase"] != Turn.Phase.OPEN:
            if not row["void"]:
                self.lost.append(row["number"])
            return
        row["chart_secret"], row["battle_secret"] = new_secret(), new_secret()
        row["chart_hash"] = hashlib.sha256(bytes.fromhex(row["chart_secret"])).hexdigest()
        self.redrawn.append(f"turn {row['number']} ({row['chart_hash']})")

    def _redraw_battle(self, row: dict[str, Any]) -> None:
        """A battle that is still to be fought has a new seed, whose hash is published. Rule: G.FA1."""
        if row["status"] in (Battle.Status.READY, Battle.Status.FIGHTING, Battle.Status.FAILED):
            row["seed"] = new_secret()
            row["seed_hash"] = hashlib.sha256(bytes.fromhex(row["seed"])).hexdigest()
            self.redrawn.append(f"the battle {row['code']} ({row['seed_hash']})")

    def _value(self, table: Table, instance: Model, column: Field, value: Any, where: str) -> Any:
        if column.remote_field:
            return self._related(table, instance, column, value, where)
        if value is None:
            if not column.null:
                raise ImportRefused(f"{where}: {column.name} is empty.")
            return None
        if isinstance(column, BinaryField):
            return (
                _picture(value, where) if table.label == "campaign.BattlePicture" else _unpacked(value, where)
            )
        if column.name == "id":  # a row of a history: which ship it was
            return self._key(table.label.replace("Historical", ""), value, where)
        try:
            value = column.to_python(value)
            if value not in column.empty_values:
                column.run_validators(value)
                if column.choices is not None and value not in [found for found, _ in column.flatchoices]:
                    raise ImportRefused(f"{where}: {column.name} is {value!r}, which it cannot be.")
        except ValidationError as error:
            raise ImportRefused(f"{where}: {column.name}: {' '.join(error.messages)}") from error
        return value

    def _related(self, table: Table, instance: Model, column: Field, value: Any, where: str) -> Any:
        label = target(column)
        if value is None:
            if not column.null:
                raise ImportRefused(f"{where}: {column.name} is empty.")
            return None
        if (table.label, column.name) in LATER:
            self.later.append((instance, column.attname, label, value))
            return None
        if label == "auth.User":
            if value not in self.people:
                raise ImportRefused(f"{where}: {column.name} names a person who is not in the archive.")
            return self.people[value].pk
        if label == "campaign.Theatre":
            return self._theatre().pk
        if label == "fleets.RegisterEntry":
            return self._entry(value)
        if label == "fleets.Nation":
            name, adjective, code = value
            nation, _ = apps.get_model(label).objects.get_or_create(
                name=name, defaults={"adjective": adjective, "code": code}
            )
            return nation.pk
        if "Historical" in table.label and value not in self.keys[label]:
            return None  # a row that is gone since
        return self._key(label, value, f"{where}: {column.name}")

    def _key(self, label: str, old: int, where: str) -> int:
        try:
            return self.keys[label][old]
        except KeyError:
            raise ImportRefused(
                f"{where} points at a row of {BY_LABEL[label].member} that is not in the archive."
            ) from None

    def _entry(self, name: list[str] | None) -> int | None:
        """An entry of a register by its names; a ship whose register is not here has none, and its own copy of the facts."""
        if name is None:
            return None
        code, side, ship = name
        entries = apps.get_model("fleets.RegisterEntry").objects
        found = entries.filter(register__code=code, side=side, name=ship).values_list("pk", flat=True).first()
        if found is None:
            self.unlisted.add((code, side, ship))
        return found

    def _books_of_turns(self, campaign: Campaign) -> None:
        """The rows that a turn began with name keys, which are others here. Rule: G.UM3."""
        for turn in Turn.every.filter(campaign=campaign, documents__kind=Kind.BOOKS):
            books = turn.books
            for table in BOOKS:
                kept = books.get(table.name)
                if kept is not None:
                    self._book(table.model, kept)
            documents_write(turn=turn, books=books)

    def _book(self, model: type[Model], kept: Mapping[str, Any]) -> None:
        label, by_name = model._meta.label, {column.name: column for column in model._meta.concrete_fields}
        places = {
            place: self.keys[target(column)]
            for place, name in enumerate(kept["columns"], start=1)
            if target(column := by_name[name])
        }
        kept["rows"][:] = [row for row in kept["rows"] if row[0] in self.keys[label]]
        for row in kept["rows"]:
            row[0] = self.keys[label][row[0]]
            for place, keys in places.items():
                row[place] = keys.get(row[place])
            for place, name in enumerate(kept["columns"], start=1):
                if name == "void" and (found := ROLLBACK.match(row[place])):
                    row[place] = (
                        f"rollback {self._key('campaign.UmpireAction', int(found[1]), 'a mark of a rollback')}"
                    )

    def _rules_notes(self, campaign: Campaign) -> list[str]:
        """Which rules the campaign plays by, where that is not what the archive has or what this site can play."""
        notes, pin = [], pin_of(campaign)
        if "chart_version" not in self.manifest["rules"]:
            notes.append(
                f"The archive is from before campaigns kept their rules. From now on it plays by {pin}."
            )
        try:
            rules_by(pin)
        except RulesMissing as missing:
            notes.append(
                f"{missing} Until then no turn runs, and turns played by these rules cannot be verified."
            )
        return notes

    def _pinned(self, name: str, fingerprint: str) -> tuple[int, str]:
        """What a campaign plays by whose archive does not say: the version of the site that wrote it, else the oldest that is kept."""
        kept = {version.fingerprint: version for version in installed() if version.name == name}
        found = kept.get(fingerprint) or first_kept(name) or version_with(name, fingerprint)
        return found.number, found.fingerprint

    def _notes(self, campaign: Campaign) -> list[str]:
        """What whoever plays on has to know, a sentence each."""
        notes: list[str] = []
        if self.redrawn:
            notes.append(
                f"The archive held no secrets, so these were drawn again, with these hashes: {', '.join(self.redrawn)}."
            )
        if self.lost:
            notes.append(
                f"Turns whose secrets were still sealed cannot be verified here: {', '.join(map(str, self.lost))}."
            )
        notes += self._rules_notes(campaign)
        if digest(campaign.theatre.document) != campaign.theatre_hash:
            notes.append(
                "The theatre differs from the one that the campaign was played on, so earlier turns may not come out the same."
            )
        if self.unlisted:
            notes.append(
                f"{len(self.unlisted)} ships are not in the registers of this site. They keep their own facts."
            )
        if self.manifest["people"] == PSEUDONYMS:
            notes.append("The people are pseudonyms. Invite players to take the roles over.")
        return notes


def _picture(value: str, where: str) -> bytes:
    """A photograph as a site keeps them, unchanged."""
    try:
        jpeg = base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ImportRefused(f"{where}: the photograph cannot be read.") from error
    if not is_photograph(jpeg):
        raise ImportRefused(f"{where}: this is not a photograph as a site keeps them.")
    return jpeg


def _unpacked(value: str, where: str) -> bytes:
    """The bytes of a battle's log, which unpacks to no more than it may."""
    try:
        packed = base64.b64decode(value, validate=True)
        reader = zlib.decompressobj(wbits=31)
        reader.decompress(packed, MOST_UNPACKED)
    except (binascii.Error, zlib.error) as error:
        raise ImportRefused(f"{where}: the battle's log cannot be unpacked.") from error
    if not reader.eof:
        raise ImportRefused(f"{where}: the battle's log is cut, or too large.")
    return packed
