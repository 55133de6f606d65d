"""Turns and their orders: a state machine in the database."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign, Membership, Side, new_secret
from campaign.models.live import LiveManager
from campaign.models.packed import PackedJSONField
from fleets.models import Fleet


class Turn(models.Model):
    """One turn. The work on it is claimed by a conditional update that sets claim and lease_until; see campaign.services.turn.turns.

    first_day: days since the campaign's start; days: how many were planned, days_run: how many ran (G.CL3). chart_secret,
    battle_secret: 64 hexadecimal digits each, sealed until campaign.selectors.revealed opens them; chart_hash: SHA-256 of the
    first, published at opening (G.FA1). rules_hash: of the chart's rules as it was locked; records_hash: of the ledger entries that it
    wrote. state_hash: of the final state. deadline: when orders close; None = by hand.
    hold: the umpire keeps it from being locked or run (G.UM1). reached: hours since the campaign's start to which a worker has played it,
    for the umpire to follow; None before. ongoing: calls of battles
    that kept their fleets while the chart went on (G.BT4). luck: dice thrown on the chart, counted (G.FA2).

    A rollback voids a turn and opens it again under the same number: run counts that, void names the action, and repeats is the
    voided turn whose dice and orders are used again (G.UM3).
    """

    class Phase(models.TextChoices):
        OPEN = "open"
        LOCKED = "locked"
        RUNNING = "running"
        FIGHTING = "fighting"
        REPORTING = "reporting"
        CLOSED = "closed"
        HELD = "held"
        FAILED = "failed"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    first_day = models.PositiveIntegerField()
    days = models.PositiveSmallIntegerField()
    days_run = models.PositiveSmallIntegerField(default=0)
    phase = models.CharField(max_length=9, choices=Phase.choices, default=Phase.OPEN)
    chart_secret = models.CharField(max_length=64, default=new_secret)
    battle_secret = models.CharField(max_length=64, default=new_secret)
    chart_hash = models.CharField(max_length=64)
    state_hash = models.CharField(max_length=64, blank=True)
    rules_hash = models.CharField(max_length=64, blank=True)
    records_hash = models.CharField(max_length=64, blank=True)
    hold = models.BooleanField(default=False)
    reached = models.PositiveIntegerField(null=True, blank=True, editable=False)
    ongoing = models.JSONField(default=list, blank=True)
    luck = models.JSONField(default=dict, blank=True)
    run = models.PositiveSmallIntegerField(default=1)
    void = models.CharField(max_length=40, blank=True, editable=False)
    repeats = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="repeated_by"
    )
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    opened = models.DateTimeField(auto_now_add=True)
    deadline = models.DateTimeField(null=True, blank=True)
    locked = models.DateTimeField(null=True, blank=True)
    closed = models.DateTimeField(null=True, blank=True)

    objects = LiveManager()
    every = models.Manager()

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"],
                condition=models.Q(void=""),
                name="one_turn_a_number_in_a_campaign",
            ),
            models.UniqueConstraint(fields=["campaign", "number", "run"], name="one_run_of_a_turn"),
            models.UniqueConstraint(
                fields=["campaign"],
                condition=models.Q(void="") & ~models.Q(phase="closed"),
                name="one_open_turn_in_a_campaign",
            ),
        ]
        indexes = [models.Index(fields=["phase", "lease_until"], name="turns_to_sweep")]

    def __str__(self) -> str:
        return f"{self.campaign}, turn {self.number}"

    @property
    def reference(self) -> str:
        """The turn as rooms below write it down: text, never a key."""
        return f"{self.campaign.dice_code}/{self.name}"

    @property
    def name(self) -> str:
        """Its number; with the run after a rollback, so that no code is used twice. Rule: G.UM3."""
        return str(self.number) if self.run == 1 else f"{self.number}r{self.run}"

    @property
    def state(self) -> Any:
        """The TurnState as stored at the last stop, None before the first. Read once; see `TurnDocument`."""
        return self._document(TurnDocument.Kind.STATE)

    @property
    def snapshot(self) -> Any:
        """The turn's facts in brief as it was locked, None before that. Read once."""
        return self._document(TurnDocument.Kind.SNAPSHOT)

    @property
    def books(self) -> Any:
        """Of the rows what facts do not tell, as it was locked; None before that. Read once."""
        return self._document(TurnDocument.Kind.BOOKS)

    @property
    def has_begun(self) -> bool:
        """Whether it has come to a first stop. Decodes nothing."""
        return self.documents.filter(kind=TurnDocument.Kind.STATE).exists()

    def _document(self, kind: str) -> Any:
        read = self.__dict__.setdefault("_documents_read", {})
        if kind not in read:
            if "documents" in getattr(self, "_prefetched_objects_cache", {}):
                read[kind] = {row.kind: row.document for row in self.documents.all()}.get(kind)
            else:
                read[kind] = self.documents.filter(kind=kind).values_list("document", flat=True).first()
        return read[kind]

    def forget_documents(self) -> None:
        """Read the documents again when they are next wanted: they have been written."""
        self.__dict__.pop("_documents_read", None)
        self.__dict__.get("_prefetched_objects_cache", {}).pop("documents", None)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Read the row again, and its documents when they are next wanted."""
        self.forget_documents()
        super().refresh_from_db(*args, **kwargs)

    @property
    def grace_until(self) -> datetime | None:
        """Until when the turn waits for missing orders: the deadline with the campaign's grace; None without a deadline."""
        if self.deadline is None:
            return None
        return self.deadline + timedelta(hours=self.campaign.grace_hours)

    def battle_code(self, call_code: str) -> str:
        """A battle's code in the book, from its code in the turn, or from that of an ongoing one, which names its turn."""
        return f"{self._fought_in(call_code)}-{call_code.rpartition('-')[2]}"

    def seed_code(self, call_code: str) -> str:
        """What a battle's seed is drawn from: its code, or that of the battle whose dice are used again. Rules: G.FA1, G.UM3."""
        return self.repeats.seed_code(call_code) if self.repeats is not None else self.battle_code(call_code)

    def _fought_in(self, call_code: str) -> str:
        number, _, _ = call_code.removeprefix("T").rpartition("-")
        turn: Turn = self
        if number and int(number) != self.number:
            turn = (
                Turn.objects.filter(campaign=self.campaign_id, number=int(number)).only("number", "run").get()
            )
        return f"{self.campaign.dice_code}-T{turn.name}"


class TurnDocument(models.Model):
    """One of the great documents of a turn, in a table of its own so that no list of turns can read it by accident.

    Turns have them as `state`, `snapshot` and `books`; `campaign.services.turn.documents` writes them and says which are kept how long.
    """

    class Kind(models.TextChoices):
        STATE = "state"
        SNAPSHOT = "snapshot"
        BOOKS = "books"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    document = PackedJSONField()

    class Meta:
        ordering = ["turn", "kind"]
        constraints = [models.UniqueConstraint(fields=["turn", "kind"], name="one_document_a_kind_and_turn")]

    def __str__(self) -> str:
        return f"{self.kind} of turn {self.turn_id}"


class Order(models.Model):
    """Orders of a fleet for a turn; the last one stands until another is given (G.MV2).

    route: codes of places. target: fleet to keep company with, or port of a blockade. parts: ships to be detached or given to others,
    documents of campaign.rules.chart.types.Part. instructions: changed fields of campaign.rules.chart.types.Instructions. refused: reason,
    when the turn could not carry it out (G.MV3). source: web, mail, admiral (automatic), standing, or opening (as the war began).
    author: name as it was. before: of an order that someone gave, the columns and source that it took the place of, {} for none; None of
    every other.
    """

    GIVEN = ("web", "mail")

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="orders")
    fleet = models.ForeignKey(Fleet, on_delete=models.CASCADE, related_name="orders")
    route = models.JSONField(default=list, blank=True)
    stance = models.CharField(max_length=5, default="hold")
    on_arrival = models.CharField(max_length=12, default="anchor")
    instructions = models.JSONField(default=dict, blank=True)
    target = models.CharField(max_length=40, blank=True)
    parts = models.JSONField(default=list, blank=True)
    source = models.CharField(max_length=8, default="web")
    author = models.CharField(max_length=150, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    state_no = models.PositiveIntegerField(default=1)
    refused = models.TextField(blank=True)
    before = models.JSONField(null=True, blank=True, editable=False)
    given = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["turn", "fleet"]
        constraints = [models.UniqueConstraint(fields=["turn", "fleet"], name="one_order_a_fleet_and_turn")]

    def __str__(self) -> str:
        return f"Orders for {self.fleet}"


class OrderDraft(models.Model):
    """What one member has typed of a fleet's orders and not given yet. No one else sees it; it goes when the turn is locked.

    document: {"route": [codes], "fields": {name: as typed}}. state_no: of the order that they saw, 0 for none.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="drafts")
    fleet = models.ForeignKey(Fleet, on_delete=models.CASCADE, related_name="drafts")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="drafts")
    document = models.JSONField(default=dict)
    state_no = models.PositiveIntegerField(default=0)
    saved = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["turn", "fleet"]
        constraints = [
            models.UniqueConstraint(
                fields=["turn", "fleet", "membership"], name="one_draft_a_member_fleet_and_turn"
            )
        ]

    def __str__(self) -> str:
        return f"draft for {self.fleet}"


class SideOrder(models.Model):
    """Orders of a side ashore for a turn: yards, prizes, men, prisoners. What is left of them stands for the next turn.

    document: as `campaign.rules.chart.side_orders.side_order_doc` writes it. source: web, admiral (automatic) or
    standing. Rules: G.RP2, G.PR4.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="side_orders")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="side_orders")
    document = models.JSONField(default=dict)
    source = models.CharField(max_length=8, default="web")
    author = models.CharField(max_length=150, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    state_no = models.PositiveIntegerField(default=1)
    refused = models.TextField(blank=True)
    given = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["turn", "side"]
        verbose_name = "set of shore orders"
        verbose_name_plural = "shore orders"
        constraints = [
            models.UniqueConstraint(fields=["turn", "side"], name="one_order_ashore_a_side_and_turn")
        ]

    def __str__(self) -> str:
        return f"Shore orders of {self.side}"


class Ready(models.Model):
    """A side has marked its orders for a turn as ready."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="ready_marks")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="ready_marks")
    by = models.CharField(max_length=150)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "ready mark"
        constraints = [
            models.UniqueConstraint(fields=["turn", "side"], name="one_ready_mark_a_side_and_turn")
        ]

    def __str__(self) -> str:
        return f"{self.side} ready"
