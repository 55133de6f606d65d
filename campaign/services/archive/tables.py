"""What an archive of a campaign holds: which tables, in which order they are put back, and what is left out and why.

A row is a JSON object of its columns. A key that points at a row of the archive is that row's old key, and is mapped when the archive
is read. What every server has of its own is named instead: a theatre and a nation, an entry of a register, a person.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Field, Model, QuerySet

KIND = "weather-gage campaign"
FORMAT = 1
PEOPLE = "people.jsonl"
MANIFEST = "manifest.json"


class Table(NamedTuple):
    """Rows of a model. campaign: lookup from a row to the key of its campaign."""

    label: str
    campaign: str

    @property
    def model(self) -> type[Model]:
        """Its model."""
        return apps.get_model(self.label)

    @property
    def member(self) -> str:
        """The name of its file in the archive."""
        return f"rows/{self.label}.jsonl"

    def rows(self, campaign_id: int) -> QuerySet[Any]:
        """The rows of a campaign, void ones and former members too, oldest first."""
        return self.model._base_manager.filter(**{self.campaign: campaign_id}).order_by("pk")

    def columns(self) -> list[Field]:
        """The columns that are kept: all but the key, and who works on the row at the moment."""
        return [f for f in self.model._meta.concrete_fields if not f.primary_key and f.name not in IN_HAND]


def target(column: Field) -> str:
    """The label of the model that a column points at, "" for none."""
    return column.related_model._meta.label if column.related_model is not None else ""


# A claim, and how far the work is, belong to a worker of the server that wrote the archive.
IN_HAND = frozenset({"claim", "lease_until", "reached"})

# In the order in which they are put back: whatever a row points at comes first, but for LATER.
TABLES = (
    Table("fleets.Book", "campaign"),
    Table("campaign.Campaign", "pk"),
    Table("campaign.UmpireAction", "campaign"),
    Table("fleets.Navy", "book__campaign"),
    Table("campaign.Side", "campaign"),
    Table("fleets.Fleet", "navy__book__campaign"),
    Table("fleets.Squadron", "fleet__navy__book__campaign"),
    Table("fleets.Ship", "book__campaign"),
    Table("fleets.HistoricalShip", "book__campaign"),
    Table("fleets.Officer", "navy__book__campaign"),
    Table("fleets.ServiceRecord", "ship__book__campaign"),
    Table("fleets.OfficerRecord", "officer__navy__book__campaign"),
    Table("fleets.Prize", "ship__book__campaign"),
    Table("fleets.RepairJob", "book__campaign"),
    Table("fleets.PrizeFund", "navy__book__campaign"),
    Table("fleets.PrisonersHeld", "holder__book__campaign"),
    Table("fleets.MenAshore", "navy__book__campaign"),
    Table("battles.Battle", "book__campaign"),
    Table("battles.Roster", "battle__book__campaign"),
    Table("battles.BattleOutcome", "battle__book__campaign"),
    Table("battles.OutcomeAnswer", "outcome__battle__book__campaign"),
    Table("battles.BattleLog", "battle__book__campaign"),
    Table("campaign.Membership", "campaign"),
    Table("campaign.BattlePaper", "membership__campaign"),
    Table("campaign.BattlePicture", "membership__campaign"),
    Table("campaign.Command", "membership__campaign"),
    Table("campaign.Absence", "membership__campaign"),
    Table("campaign.Station", "fleet__navy__book__campaign"),
    Table("campaign.CalendarRow", "campaign"),
    Table("campaign.Objective", "campaign"),
    Table("campaign.Turn", "campaign"),
    Table("campaign.Order", "turn__campaign"),
    Table("campaign.SideOrder", "turn__campaign"),
    Table("campaign.Ready", "turn__campaign"),
    Table("campaign.WeatherWatch", "turn__campaign"),
    Table("campaign.Sighting", "turn__campaign"),
    Table("campaign.Contact", "turn__campaign"),
    Table("campaign.Report", "turn__campaign"),
    Table("campaign.AdmiralPlan", "turn__campaign"),
    Table("campaign.Letter", "campaign"),
    Table("campaign.Release", "campaign"),
)
BY_LABEL = {table.label: table for table in TABLES}

# Columns that are written when all rows are there, because two tables point at each other.
LATER = frozenset({("fleets.Squadron", "flagship")})

# What every server has of its own, and an archive only names.
NAMED = frozenset({"fleets.Nation", "fleets.RegisterEntry", "campaign.Theatre", "auth.User"})

# Models that hang on a campaign, on people or on what an archive names, and are left out.
LEFT_OUT = frozenset(
    {
        "campaign.TurnDocument",  # in the rows of the turns
        "campaign.TurnSummary",  # made again from the reports of the turns
        "campaign.Notice",  # emails belong to the server that sends them; their links lead there
        "campaign.ChartPicture",  # drawn again when an email needs one
        "campaign.ReceivedMail",  # answers to emails of the old server; the orders in them are in the archive
        "campaign.SetAsideMail",  # the email lies in a folder of the old server
        "campaign.Invitation",  # the link that it belongs to leads to the old server
        "campaign.OrderDraft",  # what one member has typed and not given, which no one else may read
        "campaign.OddsRun",  # what one member has asked, which no one else may read; it is worked out again in a minute
        "campaign.OddsChunk",  # work of the old server on such a question
        "campaign.PublicPage",  # whether strangers may read a campaign is decided on each server
        "campaign.ResultDraft",  # what one member has typed and not entered, which no one else may read
        "campaign.Preferences",  # a person's own settings, whichever campaigns they are in
        "campaign.Place",  # part of the theatre, which an archive names
        "campaign.Passage",  # part of the theatre, which an archive names
        "fleets.Register",  # registers belong to the server; a ship has its own copy of its facts
        "fleets.Composition",  # part of a register
        "fleets.ImportBatch",  # part of a register
        "fleets.HistoricalRegisterEntry",  # part of a register
        "admin.LogEntry",  # what was done in the admin of the old server
    }
)

# What sealed rows lose in an archive without secrets.
SECRETS = {
    "campaign.Turn": ("chart_secret", "battle_secret"),
    "battles.Battle": ("seed",),
    "campaign.Campaign": ("demo_seed", "webhook"),
}

# Columns that hold the name of a person, and texts in which people may be named.
NAMES = {
    "campaign.UmpireAction": ("actor",),
    "campaign.Order": ("author",),
    "campaign.SideOrder": ("author",),
    "campaign.Ready": ("by",),
    "campaign.Absence": ("by",),
    "campaign.Release": ("by",),
    "battles.BattleOutcome": ("proposed_by",),
    "battles.OutcomeAnswer": ("by",),
}
TEXTS = {
    "campaign.UmpireAction": ("action", "reason"),
    "campaign.BattlePaper": ("text",),
    "campaign.BattlePicture": ("caption",),
    "campaign.Letter": ("text",),
    "battles.OutcomeAnswer": ("reason",),
    "fleets.HistoricalShip": ("history_change_reason",),
}
PRIVATE = {"campaign.Absence": ("note",)}
