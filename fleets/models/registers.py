"""Registers of historical ships. A campaign's ships are copies; see ships.py."""

from django.conf import settings
from django.db import models
from simple_history.models import HistoricalRecords

from fleets.models.books import Nation


class Register(models.Model):
    """A list of ships of one period. A supplied original is read-only; a club copies it to edit it."""

    code = models.SlugField(unique=True)
    title = models.CharField(max_length=120)
    year = models.PositiveIntegerField(null=True, blank=True)
    sources = models.TextField(blank=True)
    original = models.BooleanField(
        "supplied with the program", default=False, help_text="Read-only: copy it to make changes."
    )

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.title


class Composition(models.Model):
    """How the ships of one side of a register sail in one theatre: fleets, squadrons, flagships and places. Written once.

    theatre: its code. document: as `fleets.compositions` reads it; it may be unfinished. by: name that outlives the account.
    state_no: goes up with each change, so that two people do not overwrite each other.
    """

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="compositions")
    side = models.CharField(max_length=60)
    theatre = models.SlugField()
    document = models.JSONField(default=dict)
    state_no = models.PositiveIntegerField(default=1)
    by = models.CharField(max_length=150, blank=True)
    saved = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["register", "side", "theatre"]
        constraints = [
            models.UniqueConstraint(
                fields=["register", "side", "theatre"], name="one_composition_a_side_and_theatre"
            )
        ]

    def __str__(self) -> str:
        return f"{self.side} of {self.register} in {self.theatre}"


class ImportBatch(models.Model):
    """Many entries of a register changed at once, which can be undone as a whole: an import, or an edit of many ships.

    An import waits with its file until it is confirmed; the file is then dropped and its digest (SHA-256) kept. by: name that
    outlives the account. Their histories show which entries it changed.
    """

    class Kind(models.TextChoices):
        IMPORT = "import"
        EDIT = "edit", "Bulk edit"

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting to be confirmed"
        DONE = "done"
        UNDONE = "undone"

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="batches")
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.IMPORT)
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    reason = models.CharField(max_length=300)
    file_name = models.CharField(max_length=200, blank=True)
    file = models.BinaryField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    skip_unknown = models.BooleanField(default=False)
    new = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    by = models.CharField(max_length=150, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made = models.DateTimeField(auto_now_add=True)
    done = models.DateTimeField(null=True, blank=True)
    undone = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["-made", "-pk"]
        verbose_name = "bulk change"

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}: {self.file_name or self.reason}"


class BatchedHistory(models.Model):
    """A version of an entry that knows the batch that made it."""

    batch = models.ForeignKey(
        ImportBatch, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )

    class Meta:
        abstract = True


class Confidence(models.TextChoices):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Role(models.TextChoices):
    FLAGSHIP = "flagship"
    VICE_FLAG = "vice_flag", "vice flag"
    REAR_FLAG = "rear_flag", "rear flag"
    PRIVATE = "private"


class ShipType(models.TextChoices):
    SHIP_OF_LINE = "ship_of_line", "ship of the line"
    FRIGATE = "frigate"
    GALLEON = "galleon"
    GALLEASS = "galleass"
    GALLEY = "galley"
    PINNACE = "pinnace"
    MERCHANT = "merchant", "merchantman"
    FIRESHIP = "fireship", "fire ship"
    YACHT = "yacht"
    SLOOP = "sloop"
    BATTLESHIP = "battleship"
    CRUISER_1 = "cruiser_1", "cruiser, 1st class"
    CRUISER_2 = "cruiser_2", "cruiser, 2nd class"
    CRUISER_3 = "cruiser_3", "cruiser, 3rd class"
    SCOUT = "scout"
    DESTROYER = "destroyer"
    TORPEDO_BOAT = "torpedo_boat", "torpedo boat"
    GUNBOAT = "gunboat"
    TRANSPORT = "transport"


class RegisterEntry(models.Model):
    """One ship of a register: facts only, blank where they are not established.

    broadside_lb: half the summed shot weight in English pounds. tons_burthen: builder's tons; displacement_tons: normal load.
    extra: columns that only some registers have. overrides: card fields by rule set, {"kohler": {"hull": 45}}.
    line: row in its source file.
    """

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="entries")
    line = models.PositiveIntegerField("line in its file", default=0)
    name = models.CharField(max_length=80)
    nation = models.ForeignKey(Nation, on_delete=models.PROTECT, related_name="entries")
    side = models.CharField(max_length=60)
    squadron = models.CharField(max_length=120, blank=True)
    division = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.PRIVATE)
    ship_type = models.CharField(max_length=15, choices=ShipType.choices)
    rate = models.CharField(max_length=10, blank=True)
    guns = models.PositiveSmallIntegerField(null=True, blank=True)
    gun_detail = models.CharField("armament", max_length=200, blank=True)
    broadside_lb = models.PositiveIntegerField("broadside (lb)", null=True, blank=True)
    tons_burthen = models.PositiveIntegerField("burthen (tons)", null=True, blank=True)
    displacement_tons = models.PositiveIntegerField("displacement (tons)", null=True, blank=True)
    year_built = models.PositiveSmallIntegerField(null=True, blank=True)
    crew = models.PositiveIntegerField(null=True, blank=True)
    speed_knots = models.DecimalField("speed (knots)", max_digits=4, decimal_places=2, null=True, blank=True)
    commander = models.CharField(max_length=200, blank=True)
    fate_or_note = models.TextField(blank=True)
    source = models.TextField(blank=True)
    confidence = models.CharField(max_length=6, choices=Confidence.choices, blank=True)
    extra = models.JSONField("other columns", default=dict, blank=True)
    overrides = models.JSONField(default=dict, blank=True)

    history = HistoricalRecords(
        bases=[BatchedHistory], history_change_reason_field=models.TextField(null=True)
    )

    class Meta:
        ordering = ["register", "line", "name"]
        verbose_name_plural = "register entries"
        constraints = [
            models.UniqueConstraint(
                fields=["register", "side", "name"], name="one_entry_a_name_and_side_in_a_register"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.side})"
