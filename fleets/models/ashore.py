"""What a navy has ashore: ships in its yards, its prize fund, prisoners, men without a ship. Written from the chart's state alone."""

from django.db import models

from fleets.models.books import Book, Navy
from fleets.models.ships import Ship


class RepairJob(models.Model):
    """A ship in the books of a yard. Rule: G.RP2.

    place: code of the port. berth: its number, 0 for work afloat, none while the ship waits. needs: least class of yard. total, done:
    yard-days. began, ready: chart time as text, ready "" when not known.
    """

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="repair_jobs")
    ship = models.OneToOneField(Ship, on_delete=models.CASCADE, related_name="repair_job")
    navy = models.ForeignKey(Navy, on_delete=models.CASCADE, related_name="repair_jobs")
    place = models.SlugField("port", max_length=40)
    berth = models.PositiveSmallIntegerField(null=True, blank=True)
    hull = models.CharField(max_length=6)
    masts = models.PositiveSmallIntegerField(default=0)
    batteries = models.PositiveSmallIntegerField(default=0)
    needs = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveIntegerField("yard-days needed")
    done = models.PositiveIntegerField("yard-days done", default=0)
    began = models.CharField("began on", max_length=16)
    ready = models.CharField("ready on", max_length=16, blank=True)

    class Meta:
        ordering = ["book", "place", "berth", "ship"]
        constraints = [
            models.UniqueConstraint(
                fields=["book", "place", "berth"],
                condition=models.Q(berth__gt=0),
                name="a_berth_never_holds_two",
            )
        ]

    def __str__(self) -> str:
        return f"Repair of {self.ship}"


class PrizeFund(models.Model):
    """A navy's prize fund. earned: prize money paid to its people so far, one sum a class. Rule: G.PR4."""

    navy = models.OneToOneField(Navy, on_delete=models.CASCADE, related_name="prize_fund")
    pounds = models.IntegerField("balance", default=0)
    earned = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"Prize fund of {self.navy}"


class PrisonersHeld(models.Model):
    """Men of one navy whom another holds at a port. Rule: G.PR5."""

    holder = models.ForeignKey(
        Navy, on_delete=models.CASCADE, related_name="prisoners_held", verbose_name="held by"
    )
    of = models.ForeignKey(
        Navy, on_delete=models.CASCADE, related_name="people_held", verbose_name="captured from"
    )
    place = models.SlugField("port", max_length=40)
    men = models.PositiveIntegerField()

    class Meta:
        ordering = ["holder", "place", "of"]
        verbose_name = "group of prisoners"
        verbose_name_plural = "prisoners"
        constraints = [
            models.UniqueConstraint(fields=["holder", "of", "place"], name="one_prison_a_port_and_navy")
        ]

    def __str__(self) -> str:
        return f"{self.men:,} prisoners from {self.of}"


class MenAshore(models.Model):
    """Men of a navy at a port who have no ship: exchanged, or of ships that were paid off. Rules: G.PR5, G.RP3."""

    navy = models.ForeignKey(Navy, on_delete=models.CASCADE, related_name="men_ashore")
    place = models.SlugField("port", max_length=40)
    men = models.PositiveIntegerField()

    class Meta:
        ordering = ["navy", "place"]
        verbose_name = "group of men ashore"
        verbose_name_plural = "men ashore"
        constraints = [models.UniqueConstraint(fields=["navy", "place"], name="men_ashore_once_a_port")]

    def __str__(self) -> str:
        return f"{self.men:,} men of {self.navy}"
