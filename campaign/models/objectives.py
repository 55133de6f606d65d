"""What the sides of a campaign are about. Rule: G.OB1."""

from django.db import models

from campaign.models.campaigns import Campaign, Side


class Objective(models.Model):
    """An objective of a side. code: its id. place: in the list of the opening. document: the row, as `Row.doc` writes it. Rule: G.OB1.

    How far it is stands in what the campaign carries from turn to turn, and in what each turn was played from.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="objectives")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="objectives")
    code = models.SlugField(max_length=20)
    place = models.PositiveSmallIntegerField(default=0)
    document = models.JSONField()

    class Meta:
        ordering = ["campaign", "place", "code"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "code"], name="one_objective_an_id_in_a_campaign")
        ]

    def __str__(self) -> str:
        return str(self.document.get("words") or self.code)
