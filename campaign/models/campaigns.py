"""A campaign, its sides, and the people in it."""

import secrets
from datetime import time

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models

from campaign.models.chart import Theatre
from campaign.models.live import MembersManager
from campaign.zones import known_zone
from fleets.models import Book, Fleet, Navy

DEMO_CODE = "DEMO"
MOST_GRACE = 48  # hours


def new_secret() -> str:
    """64 hexadecimal digits."""
    return secrets.token_hex(32)


class Campaign(models.Model):
    """A club's campaign. Its code is its book's and is part of every dice key.

    grace_hours: how long past its deadline a turn still takes orders of those whose orders are missing. silent_turns: after how many turns
    without a word of an admiral the umpire is told. webhook: where what everyone may know is posted, "" for nowhere; players are
    never shown it. settings: those of `campaign.rules.chart.types.Settings` that the umpire changed. options: switches of the rule set.
    theatre_hash: SHA-256 of the theatre's document that it began with, and keeps; "" when that was not written down.
    opening_code: of the theatre's opening with which it began, "" for one that has no opening, or began when theatres had one each.
    chart_version, chart_rules: the version of the chart's rules that it plays by, and its fingerprint; those of its rule set are its
    book's. rules_taken: the versions that the umpire has taken and that come when a turn opens, {} for none; rules_passed: the hash
    of those that they do not want to be asked about again (`campaign.pinned.pins`).
    demo_seed: when set, the secrets of turns are drawn from it, so that the same demo tells the same story; such a campaign is no
    fair game and its pages say so. practice: made by one button to be thrown away; only its umpire runs its turns.
    began_as: its code in dice keys, when it was imported under another. calendar_day: days since
    start_date at which the next turn opens.
    """

    class Status(models.TextChoices):
        ACTIVE = "active"
        PAUSED = "paused"
        FAILED = "failed"
        CLOSED = "closed"

    book = models.OneToOneField(Book, on_delete=models.PROTECT, related_name="campaign")
    began_as = models.SlugField(blank=True, editable=False)
    theatre = models.ForeignKey(Theatre, on_delete=models.PROTECT, related_name="campaigns")
    theatre_hash = models.CharField(max_length=64, blank=True, db_default="", editable=False)
    name = models.CharField(max_length=120)
    opening_code = models.CharField(
        max_length=40, blank=True, help_text="The theatre's opening with which the campaign began."
    )
    start_date = models.CharField(max_length=10, help_text="First day on the chart.")
    calendar_day = models.PositiveIntegerField("days run", default=0)
    turn_days = models.PositiveSmallIntegerField("days in a turn", default=3)
    deadline_hours = models.PositiveSmallIntegerField(
        "hours until orders close", default=72, help_text="How many hours a turn stays open for orders."
    )
    deadline_days = models.JSONField(
        "weekdays on which orders close",
        default=list,
        blank=True,
        help_text="0 is Monday, 6 is Sunday; for example, [3, 6]. With [] the hours above count.",
    )
    deadline_at = models.TimeField(
        "closing time",
        default=time(20),
        help_text="When orders close on a fixed weekday, in the campaign's time zone.",
    )
    time_zone = models.CharField(max_length=60, default="UTC", validators=[known_zone])
    run_when_ready = models.BooleanField(
        default=True, help_text="Run a turn before its deadline when every side with players is ready."
    )
    grace_hours = models.PositiveSmallIntegerField(
        "grace period (hours)",
        default=0,
        validators=[MaxValueValidator(MOST_GRACE)],
        help_text="How many hours a turn waits for late orders after its deadline.",
    )
    silent_turns = models.PositiveSmallIntegerField(
        default=2,
        help_text="How many turns in a row without orders before we notify the umpire. 0 means never.",
    )
    webhook = models.URLField(max_length=500, blank=True)
    settings = models.JSONField(
        "changed settings",
        default=dict,
        blank=True,
        help_text="Easier to change on the page Campaign settings, which explains them.",
    )
    options = models.JSONField(default=dict, blank=True)
    hostility = models.JSONField(default=list, help_text="Pairs of side codes at war.")
    alliances = models.JSONField(
        default=list, blank=True, help_text="Pairs of side codes that fight as one (G.CO7)."
    )
    weather = models.JSONField(default=dict, blank=True)
    carried = models.JSONField(default=dict, blank=True)
    coming = models.JSONField(
        default=dict,
        blank=True,
        help_text="Settings, wars and alliances that change when the next turn opens.",
    )
    opening = models.JSONField(
        default=dict,
        blank=True,
        help_text="What the sides had on the first day, and the points of a mark (G.OB2).",
    )
    chart_version = models.PositiveIntegerField(default=0, editable=False)
    chart_rules = models.CharField(max_length=64, blank=True, editable=False)
    rules_taken = models.JSONField(default=dict, blank=True, editable=False)
    rules_passed = models.CharField(max_length=64, blank=True, editable=False)
    demo_seed = models.CharField(max_length=80, blank=True)
    practice = models.BooleanField(default=False, editable=False)
    status = models.CharField(max_length=6, choices=Status.choices, default=Status.ACTIVE)
    paused = models.DateTimeField(null=True, blank=True, help_text="When the umpire paused the campaign.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def code(self) -> str:
        """The campaign's code, its book's."""
        return self.book.code

    @property
    def dice_code(self) -> str:
        """The campaign in dice keys and battle codes: the code it began with, the same for every demo, so that a seed tells one story."""
        return DEMO_CODE if self.demo_seed else self.began_as or self.code


class Side(models.Model):
    """One side of a campaign. automatic: the automatic admiral gives its orders."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="sides")
    navy = models.OneToOneField(Navy, on_delete=models.PROTECT, related_name="side")
    name = models.CharField(max_length=80)
    nations = models.JSONField(default=list)
    colour = models.CharField(max_length=20, blank=True)
    automatic = models.BooleanField("automatic admiral", default=False)

    class Meta:
        ordering = ["campaign", "navy__code"]

    def __str__(self) -> str:
        return self.name

    @property
    def code(self) -> str:
        """The side's code, its navy's."""
        return self.navy.code


class Membership(models.Model):
    """A person's role in a campaign. An umpire has no side; an observer sees what is public.

    left: when the role was taken away. Such a row stays for the letters and emails that hang on it, and is read through `every` alone.
    joined: None for one who was there before it was written down. steps_hidden: whether an umpire has put the first steps away.
    digested: the day, by his clock, for which his digest as umpire was last thought of.
    """

    class Role(models.TextChoices):
        UMPIRE = "umpire"
        ADMIRAL = "admiral"
        OBSERVER = "observer"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices)
    side = models.ForeignKey(
        Side, on_delete=models.CASCADE, null=True, blank=True, related_name="memberships"
    )
    chief = models.BooleanField("commander-in-chief", default=False)
    left = models.DateTimeField(null=True, blank=True, editable=False)
    joined = models.DateTimeField(auto_now_add=True, null=True)
    digested = models.DateField(null=True, blank=True, editable=False)
    steps_hidden = models.BooleanField(default=False, editable=False)

    objects = MembersManager()
    every = models.Manager()

    class Meta:
        ordering = ["campaign", "role", "user"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"],
                condition=models.Q(left=None),
                name="one_part_a_person_in_a_campaign",
            ),
            models.CheckConstraint(
                condition=models.Q(role="admiral", side__isnull=False)
                | (~models.Q(role="admiral") & models.Q(side__isnull=True)),
                name="an_admiral_has_a_side_and_nobody_else",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display().lower()} in {self.campaign}"


class Command(models.Model):
    """Which admiral commands which fleet. Rule: G.IN4."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="commands")
    fleet = models.OneToOneField(Fleet, on_delete=models.CASCADE, related_name="command")

    class Meta:
        verbose_name = "command of a fleet"
        verbose_name_plural = "commands of fleets"

    def __str__(self) -> str:
        return f"{self.membership.user} commands {self.fleet}"


class Absence(models.Model):
    """Days on which an admiral is away, first and last among them, in their own time zone. Rule: G.IN4.

    stand_in: an admiral of their side who commands their fleets until then. by: who announced it, a name that outlives the account.
    ended: when it was ended early; an absence that has been ended holds no more.
    """

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    stand_in = models.ForeignKey(
        Membership, on_delete=models.SET_NULL, null=True, blank=True, related_name="stands_in"
    )
    note = models.CharField(max_length=200, blank=True)
    by = models.CharField(max_length=150)
    announced = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["first", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(first__lte=models.F("last")), name="an_absence_ends_after_it_begins"
            )
        ]

    @property
    def deputy(self) -> Membership | None:
        """The stand-in, if they still have a role on the same side; whether they are away too is another matter."""
        row = self.stand_in
        return (
            row if row is not None and row.left is None and row.side_id == self.membership.side_id else None
        )

    def __str__(self) -> str:
        return f"{self.membership.user} away {self.first} to {self.last}"


class Heartbeat(models.Model):
    """The last sign of life of the sweep, in the database: a gap in it is an outage. One row. Rule: G.UM2."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"


class BeatLease(models.Model):
    """Which of the processes that ask for sweeps does so now; the others stand by. One row.

    holder: the process. machine: where it runs, for people. until: when another may take over, by the database's clock.
    """

    holder = models.UUIDField()
    machine = models.CharField(max_length=100)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.machine} until {self.until:%Y-%m-%d %H:%M:%S}"


class UmpireAction(models.Model):
    """What an umpire did, for everyone to read. actor: their name as it was, which outlives the account.

    touched: codes of what they edited, which no one is shown. Rule: G.UM1.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="umpire_actions")
    turn = models.CharField(max_length=40, blank=True)
    actor = models.CharField("by", max_length=150)
    action = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    touched = models.JSONField(default=list, blank=True, editable=False)
    at = models.DateTimeField("time", auto_now_add=True)

    class Meta:
        ordering = ["campaign", "-at"]
        verbose_name = "entry in the umpire's log"
        verbose_name_plural = "entries in the umpire's log"

    def __str__(self) -> str:
        return f"{self.actor}: {self.action}"
