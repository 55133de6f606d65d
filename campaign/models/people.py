"""How a person wishes to be told of things."""

from django.conf import settings
from django.db import models

from campaign.zones import known_zone


class Preferences(models.Model):
    """A person's wishes about notices. Who has no row is told everything at once, in UTC.

    kinds: {stem of the kind: "digest" or "off"}; a kind left out comes at once. plain_text: no HTML part. webhook: where else
    everything is told, "" for nowhere. bounced: when his address was found dead; why: in the mail server's words.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_preferences"
    )
    time_zone = models.CharField(max_length=60, default="UTC", validators=[known_zone])
    plain_text = models.BooleanField(default=False)
    kinds = models.JSONField(default=dict, blank=True)
    webhook = models.URLField(max_length=500, blank=True)
    bounced = models.DateTimeField(null=True, blank=True)
    why = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "preferences"

    def __str__(self) -> str:
        return f"preferences of {self.user}"
