"""Book and Navy: what hangs a campaign's ships together without pointing upward at the campaign."""

from django.db import models
from django.utils.text import capfirst


class Nation(models.Model):
    """A flag, named as in the registers. colours: name of the ensign drawing on the chart."""

    name = models.CharField(max_length=60, unique=True)
    adjective = models.CharField(max_length=60, blank=True)
    code = models.CharField(
        max_length=3, blank=True, help_text="Three letters: ISO 3166, or ENG for England."
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


# Words that a title leaves small.
_SMALL = frozenset({"a", "and", "at", "in", "of", "off", "on", "the"})


class Book(models.Model):
    """The books of one campaign: which rules its ships use, and in which version."""

    code = models.SlugField(unique=True)
    rule_set = models.CharField(max_length=30)
    engine_version = models.PositiveIntegerField()
    rules_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["code"]
        permissions = [("keep_every_book", "Can view the books of every campaign")]

    def __str__(self) -> str:
        first, *rest = self.code.split("-")
        words = [capfirst(first), *(word if word in _SMALL else capfirst(word) for word in rest)]
        # the second campaign of a name has a 2 at the end of its code
        again = len(words) > 1 and words[-1].isdigit() and len(words[-1]) < len("1666")
        return f"{' '.join(words[:-1])} ({words[-1]})" if again else " ".join(words)


class Navy(models.Model):
    """One side's navy in a book. code: the side's code in dice keys and battle documents."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="navies")
    nation = models.ForeignKey(Nation, on_delete=models.PROTECT, related_name="navies")
    code = models.SlugField(max_length=10)
    name = models.CharField(max_length=80)
    colours = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ["book", "code"]
        verbose_name_plural = "navies"
        constraints = [models.UniqueConstraint(fields=["book", "code"], name="one_navy_a_code_in_a_book")]

    def __str__(self) -> str:
        return self.name
