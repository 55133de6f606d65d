"""A campaign written into an archive: one consistent view of its rows, with a checksum of every member. Nothing is changed."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Field
from django.utils import timezone

from battles.services.fighting import digest
from campaign.models import Campaign, Contact, Turn, TurnDocument
from campaign.pinned.pins import pin_of
from campaign.selectors.revealed import Revealed, revealed
from campaign.services.archive.people import People
from campaign.services.archive.tables import (
    BY_LABEL,
    FORMAT,
    KIND,
    MANIFEST,
    PEOPLE,
    SECRETS,
    TABLES,
    Table,
    target,
)  # fmt: skip


class ExportRefused(ValueError):
    """A campaign that cannot be written as it was asked for; the text says why."""


def campaign_export(*, campaign: Campaign, to: Path, people: str, with_secrets: bool) -> dict[str, Any]:
    """Write a campaign to a new file that only its owner can read. Returns the manifest.

    people: "addresses" or "pseudonyms". Without secrets the archive holds those that are open (G.FA1), and the campaign must be between
    two turns. Raises ExportRefused; the file appears whole or not at all.
    """
    if to.exists():
        raise ExportRefused(f"{to} exists already. Choose another name.")
    if not to.parent.is_dir():
        raise ExportRefused(f"The folder {to.parent} does not exist. Create it first.")
    part = to.with_name(f".{to.name}.part")
    try:
        with _as_of_now():
            campaign = Campaign.objects.select_related("book", "theatre").get(pk=campaign.pk)
            if not with_secrets:
                _refuse_mid_turn(campaign)
            handle = os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                    manifest = _Writer(campaign, archive, People(people), with_secrets).write(people)
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, to)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return manifest


@contextmanager
def _as_of_now() -> Iterator[None]:
    """Everything is read as it was at one moment, while turns run and orders come in."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


def _refuse_mid_turn(campaign: Campaign) -> None:
    """Raises ExportRefused while a turn is locked: its dice could not be drawn anew."""
    for turn in campaign.turns.exclude(phase=Turn.Phase.CLOSED):
        if turn.phase != Turn.Phase.OPEN or turn.repeats_id is not None:
            raise ExportRefused(
                f"Turn {turn.number} is {turn.get_phase_display().lower()}, and its dice are secret. "
                "Export again when it is closed, or use --with-secrets."
            )


class _Writer:
    """Writes one archive. `battles`: keys of the battles whose seeds are open."""

    def __init__(
        self, campaign: Campaign, archive: zipfile.ZipFile, people: People, with_secrets: bool  # noqa: FBT001 - as asked for
    ) -> None:  # fmt: skip
        self.campaign, self.archive, self.people, self.with_secrets = campaign, archive, people, with_secrets
        self.open: Revealed = revealed(campaign)
        contacts = Contact.objects.filter(turn__campaign=campaign, turn__number__in=self.open.battles)
        self.battles = frozenset(contacts.values_list("battle", flat=True))
        self.members: dict[str, dict[str, Any]] = {}
        self.entries: dict[int, list[str]] = {}

    def write(self, mode: str) -> dict[str, Any]:
        """All members, the manifest last."""
        self.people.know(
            set(
                self.campaign.memberships.model.every.filter(campaign=self.campaign).values_list(
                    "user", flat=True
                )
            )
        )
        entry = apps.get_model("fleets.RegisterEntry")
        self.entries = {
            pk: list(name) for pk, *name in entry.objects.values_list("pk", "register__code", "side", "name")
        }
        for table in TABLES:
            self._member(table.member, self._rows(table))
        self._member(PEOPLE, self.people.rows())
        manifest = self._manifest(mode)
        self.archive.writestr(MANIFEST, json.dumps({**manifest, "seal": digest(manifest)}, indent=1))
        return manifest

    def _manifest(self, mode: str) -> dict[str, Any]:
        campaign, book, pin = self.campaign, self.campaign.book, pin_of(self.campaign)
        theatre = campaign.theatre
        project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return {
            "kind": KIND,
            "format": FORMAT,
            "made": timezone.now().isoformat(),
            "code": campaign.code,
            "name": campaign.name,
            "program": project["version"],
            "rules": {
                "set": book.rule_set,
                "version": pin.rule_set.number,
                "fingerprint": pin.rule_set.fingerprint,
                "chart_version": pin.chart.number,
                "chart": pin.chart.fingerprint,
            },
            "theatre": {
                "code": theatre.code,
                "digest": campaign.theatre_hash or digest(theatre.document),
                "document": theatre.document,
            },
            "secrets": self.with_secrets,
            "people": mode,
            "members": self.members,
        }

    def _member(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        hashed, size, count = hashlib.sha256(), 0, 0
        with self.archive.open(name, "w", force_zip64=True) as file:
            for row in rows:
                line = json.dumps(row, separators=(",", ":"), default=_text).encode() + b"\n"
                file.write(line)
                hashed.update(line)
                size, count = size + len(line), count + 1
        self.members[name] = {"rows": count, "bytes": size, "sha256": hashed.hexdigest()}

    def _rows(self, table: Table) -> Iterator[dict[str, Any]]:
        columns = table.columns()
        named = [f.name for f in columns if target(f) == "fleets.Nation"]
        for found in table.rows(self.campaign.pk).select_related(*named).iterator(chunk_size=50):
            row = {"pk": found.pk, **{f.name: self._value(f, found) for f in columns}}
            if table.label == "campaign.Turn":
                row |= {kind: getattr(found, kind) for kind in TurnDocument.Kind.values}
            if not self.with_secrets:
                self._seal(table.label, row)
            if table.label == "campaign.CalendarRow":
                for fact in row["sheets"].get("register", {}).values():
                    fact["entry"] = self.entries.get(fact["entry"])
            self.people.hide(table.label, row)
            yield row

    def _value(self, field: Field, found: Any) -> Any:
        value = getattr(found, field.attname)
        label = target(field)
        if value is None or not label or label in BY_LABEL:
            return value
        if label == "auth.User":
            return self.people.number(value)
        if label == "fleets.RegisterEntry":
            return self.entries.get(value)
        if label == "campaign.Theatre":
            return self.campaign.theatre.code
        return [found.nation.name, found.nation.adjective, found.nation.code]

    def _seal(self, label: str, row: dict[str, Any]) -> None:
        """Leave out of a row what is not open."""
        open_ = {
            "chart_secret": row.get("number") in self.open.chart and not row.get("void"),
            "battle_secret": row.get("number") in self.open.battles and not row.get("void"),
            "seed": row["pk"] in self.battles,
        }
        for column in SECRETS.get(label, ()):
            if column == "demo_seed":
                row[column] = bool(row[column])  # a demo stays one, with a seed that no one knows
            elif not open_.get(column):
                row[column] = ""
        if label == "campaign.Turn":
            _blank_webhook(row["books"])


def _blank_webhook(books: dict[str, Any] | None) -> None:
    """The rows of a turn's start hold the campaign's own, too."""
    kept = (books or {}).get("campaign.campaign")
    if kept and "webhook" in kept["columns"]:
        place = kept["columns"].index("webhook") + 1  # a row begins with its key
        for row in kept["rows"]:
            row[place] = ""


def _text(value: Any) -> str:
    """What JSON cannot express."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    return str(value)
