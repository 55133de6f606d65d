"""What a campaign shows to people who have no role in it."""

from django.core.validators import MaxValueValidator
from django.db import models

from campaign.models.campaigns import Campaign

USUAL_DELAY = 1
MOST_DELAY = 20


class PublicPage(models.Model):
    """How much of a campaign everyone may know. A campaign without a row has no public page and the usual delay.

    open: whether strangers may read it. score: whether the score is shown, to observers too. delay: how many turns old a gazette has to
    be before anyone but its own side reads it. indexed: whether search engines may list the page. showcase: set by the site
    administrator, the campaign is shown on the front page.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="public_page")
    open = models.BooleanField("public", default=False)
    score = models.BooleanField("public score", default=True)
    delay = models.PositiveSmallIntegerField(
        "delay (turns)", default=USUAL_DELAY, validators=[MaxValueValidator(MOST_DELAY)]
    )
    indexed = models.BooleanField("listed by search engines", default=False)
    showcase = models.BooleanField(
        "on the front page",
        default=False,
        help_text="Show this campaign on the front page, once it is over and its page is public.",
    )

    def __str__(self) -> str:
        return f"Public page of {self.campaign}"
