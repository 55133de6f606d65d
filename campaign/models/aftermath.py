"""What people write and show of a battle on the tabletop: results being typed, accounts, notes, photographs. Rules: G.BT2, G.IN1."""

from django.db import models

from battles.models import Battle
from campaign.models.campaigns import Membership


class ResultDraft(models.Model):
    """What one member has typed of a battle's result and not entered yet. No one else sees it.

    document: {"head": {field: as typed}, "ships": {code: {field: as typed}}}.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="drafts")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="result_drafts")
    document = models.JSONField(default=dict)
    saved = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["battle", "membership"]
        constraints = [
            models.UniqueConstraint(
                fields=["battle", "membership"], name="one_result_draft_a_member_and_battle"
            )
        ]

    def __str__(self) -> str:
        return f"draft of {self.battle}"


class BattlePaper(models.Model):
    """What a member has written of a battle: an account, which both sides read, or a note, which their own side reads."""

    class Kind(models.TextChoices):
        ACCOUNT = "account"
        NOTE = "note"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="papers")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="battle_papers")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    text = models.TextField(max_length=20_000)
    written = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["battle", "kind", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["battle", "membership", "kind"], name="one_paper_a_kind_member_and_battle"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.battle}"


class PictureQuerySet(models.QuerySet):
    """Photographs."""

    def light(self) -> "PictureQuerySet":
        """Without the pictures themselves."""
        return self.defer("jpeg", "small")


class BattlePicture(models.Model):
    """A photograph of a battle, as the site wrote it anew. small: the same for a list. digest: SHA-256 of jpeg.

    published: the umpire lets everyone see it who has its address; otherwise those who may open the battle's page do.
    """

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="pictures")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="battle_pictures")
    caption = models.CharField(max_length=200, blank=True)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    jpeg = models.BinaryField()
    small = models.BinaryField()
    digest = models.CharField(max_length=64)
    published = models.BooleanField(default=False)
    added = models.DateTimeField(auto_now_add=True)

    objects = PictureQuerySet.as_manager()

    class Meta:
        ordering = ["battle", "added", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "digest"], name="one_picture_a_digest_and_battle")
        ]

    def __str__(self) -> str:
        return self.caption or f"photograph of {self.battle}"
