"""Registers of ships as history has them. A campaign's ships are copies; see ships.py."""

from django.db import models
from simple_history.models import HistoricalRecords

from fleets.models.books import Nation


class Register(models.Model):
    """A list of ships of one time. A shipped original is read-only; a club copies it to edit it."""

    code = models.SlugField(unique=True)
    title = models.CharField(max_length=120)
    year = models.PositiveIntegerField(null=True, blank=True)
    sources = models.TextField(blank=True)
    original = models.BooleanField(default=False, help_text="shipped with the program, read-only")

    class Meta:
        ordering = ["code"]

    def __str__(self) -> str:
        return self.title


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
    MERCHANT = "merchant"
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
    line: row in the file it came from.
    """

    register = models.ForeignKey(Register, on_delete=models.CASCADE, related_name="entries")
    line = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=80)
    nation = models.ForeignKey(Nation, on_delete=models.PROTECT, related_name="entries")
    side = models.CharField(max_length=60)
    squadron = models.CharField(max_length=120, blank=True)
    division = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.PRIVATE)
    ship_type = models.CharField(max_length=15, choices=ShipType.choices)
    rate = models.CharField(max_length=10, blank=True)
    guns = models.PositiveSmallIntegerField(null=True, blank=True)
    gun_detail = models.CharField(max_length=200, blank=True)
    broadside_lb = models.PositiveIntegerField(null=True, blank=True)
    tons_burthen = models.PositiveIntegerField(null=True, blank=True)
    displacement_tons = models.PositiveIntegerField(null=True, blank=True)
    year_built = models.PositiveSmallIntegerField(null=True, blank=True)
    crew = models.PositiveIntegerField(null=True, blank=True)
    speed_knots = models.DecimalField(max_digits=4, decimal_places=2, null=True, blank=True)
    commander = models.CharField(max_length=200, blank=True)
    fate_or_note = models.TextField(blank=True)
    source = models.TextField(blank=True)
    confidence = models.CharField(max_length=6, choices=Confidence.choices, blank=True)
    extra = models.JSONField(default=dict, blank=True)
    overrides = models.JSONField(default=dict, blank=True)

    history = HistoricalRecords()

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
