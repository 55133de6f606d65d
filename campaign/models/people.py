"""A person's notification settings, and invitations to those who have no role yet."""

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign, Membership, Side
from campaign.zones import known_zone


class Preferences(models.Model):
    """A person's notification settings. Without a row they get everything at once, in UTC.

    kinds: {stem of the kind: "digest" or "off"}; a kind left out comes at once. plain_text: no HTML part. webhook: where else
    everything is told, "" for nowhere. bounced: when their address was found dead; why: in the mail server's words. link_asked,
    reset_asked, address_asked: when a login link, a new password and a change of address were last asked for, so that no one floods
    a mailbox.
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
    link_asked = models.DateTimeField(null=True, blank=True, editable=False)
    reset_asked = models.DateTimeField(null=True, blank=True, editable=False)
    address_asked = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name_plural = "preferences"

    def __str__(self) -> str:
        return f"preferences of {self.user}"


class Invitations(models.QuerySet):
    """Rows of invitations."""

    def unanswered(self) -> "Invitations":
        """Those that no one has accepted, declined or withdrawn; their links may have expired."""
        return self.filter(accepted=None, declined=None, withdrawn=None)


class Invitation(models.Model):
    """A role in a campaign for the person who opens its link; it can be taken once.

    The link's token is shown when it is made and stored nowhere: token_hash is its SHA-256. whom: a name for the umpire's list.
    address: to whom the link goes by email, "" for no one. mailed: when it was last sent there, None when the mail server did not take
    it. made_by: the umpire's name as it was.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=8, choices=Membership.Role.choices, default=Membership.Role.ADMIRAL)
    side = models.ForeignKey(
        Side, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    chief = models.BooleanField(default=False)
    whom = models.CharField(max_length=80, blank=True)
    address = models.EmailField(blank=True)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.CharField(max_length=150)
    made = models.DateTimeField(auto_now_add=True)
    mailed = models.DateTimeField(null=True, blank=True)
    expires = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitations"
    )
    accepted = models.DateTimeField(null=True, blank=True)
    declined = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)

    objects = Invitations.as_manager()

    class Meta:
        ordering = ["campaign", "-made", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role="admiral", side__isnull=False)
                | (~models.Q(role="admiral") & models.Q(side__isnull=True)),
                name="an_admiral_is_invited_to_a_side_and_nobody_else",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()} in {self.campaign}, for {self.whom or 'anyone with the link'}"


class LinkRequest(models.Model):
    """Someone typed a name or an address to be sent a login link. A worker finds out whether there is such an account.

    The page that takes the request looks for no account, so it costs the same for a known address and an unknown one. who: as typed.
    path: where a login link leads on to. done: when the worker was through with it. Rows are
    deleted after a day.
    """

    class Kind(models.TextChoices):
        LOGIN = "login"
        PASSWORD = "password"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    who = models.CharField(max_length=254)
    path = models.TextField(blank=True)
    asked = models.DateTimeField()
    claim = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_after = models.DateTimeField(null=True, blank=True)
    done = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked", "pk"]
        indexes = [models.Index(fields=["kind", "who", "asked"], name="link_requests_of_one")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} link, asked for {self.asked:%Y-%m-%d %H:%M}"
