"""Django's admin for the campaign room. What services write is read-only; secrets of turns are never shown."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst

from campaign.accounts.words import compass, position_in_words, zone_name
from campaign.calendar import chart_time
from campaign.clock_forms import weekdays
from campaign.forms import EVERY_ARRIVAL
from campaign.models import (
    CalendarRow,
    Campaign,
    Command,
    Contact,
    Membership,
    Notice,
    Objective,
    Order,
    Passage,
    Place,
    PublicPage,
    Ready,
    ReceivedMail,
    Report,
    Side,
    SideOrder,
    Sighting,
    Station,
    Theatre,
    Turn,
    UmpireAction,
    WeatherWatch,
)
from campaign.notices.send import notice_resend
from campaign.selectors.rules import setting_table
from campaign.services.roles import umpire_admit
from campaign.services.umpire_log import act_log
from campaign.templatetags.gage import kind_words
from fleets.admin import (
    ByBook,
    Labelled,
    ListedInline,
    NotAdded,
    NotDeleted,
    OwnChoices,
    ReadOnlyAdmin,
    column,
    read_only,
)
from fleets.record_words import spoken


class CampaignForm(forms.ModelForm):
    """A campaign, its weekdays ticked by name."""

    deadline_days = weekdays("Weekdays on which orders close", "With none ticked, the hours above count.")

    def clean_deadline_days(self) -> list[int]:
        """Weekdays by number, in their order."""
        return sorted(self.cleaned_data["deadline_days"])


class MembershipForm(forms.ModelForm):
    """A role in a campaign, on a side of that campaign."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Sides of other campaigns, whose names are the same, are not offered."""
        super().__init__(*args, **kwargs)
        if "side" in self.fields:
            sides: Any = self.fields["side"]
            sides.queryset = sides.queryset.filter(campaign=self.instance.campaign_id)

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError for a side of another campaign."""
        cleaned = super().clean() or {}
        side = cleaned.get("side")
        if side is not None and side.campaign_id != self.instance.campaign_id:
            self.add_error(
                "side", f"{side} is not a side of {self.instance.campaign}. Choose one of its sides."
            )
        return cleaned


class SideInline(OwnChoices, ListedInline):
    """Sides of a campaign, made by starting it."""

    model = Side
    fields = ["name", "navy", "colour", "automatic"]
    readonly_fields = ["navy"]


class MembershipInline(OwnChoices, ListedInline):
    """Who plays in a campaign. People are invited on the campaign's page."""

    model = Membership
    fields = ["user", "role", "side", "chief"]
    readonly_fields = ["user", "role", "side"]
    show_change_link = True


@admin.register(Campaign)
class CampaignAdmin(NotAdded, NotDeleted, ByBook, admin.ModelAdmin):
    """Campaigns, started on their own page and kept with their ledger.

    Changes made here are in the umpire's log for everyone to read. Rule: G.UM1.
    """

    form = CampaignForm
    list_display = ["name", "code", "theatre", "status", "start_date", "calendar_day", "turns_run", "created"]
    list_filter = ["status", "theatre"]
    list_select_related = ["book", "theatre"]
    search_fields = ["name", "book__code"]
    fields = [
        "name", "book", "theatre", "status", "start_date", "calendar_day", "turn_days", "deadline_hours", "deadline_days",
        "deadline_at", "time_zone", "run_when_ready", "grace_hours", "silent_turns", "changed_settings",
        "created",
    ]  # fmt: skip
    readonly_fields = [
        "book", "theatre", "status", "start_date", "calendar_day", "changed_settings", "created",
    ]  # fmt: skip
    inlines = [SideInline, MembershipInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Campaign]:
        """With the number of turns."""
        return super().get_queryset(request).annotate(turn_count=Count("turns"))

    @admin.display(description="turns", ordering="turn_count")
    def turns_run(self, campaign: Any) -> int:
        """How many turns have opened."""
        return campaign.turn_count

    @admin.display(description="changed settings")
    def changed_settings(self, campaign: Campaign) -> str:
        """Those that are not as the rules have them, in words. They are changed on the page Campaign settings."""
        rows = [
            f"{capfirst(re.split('[,;]', row.words)[0])}: {row.here}"
            for row in setting_table(campaign)
            if row.changed
        ]
        return "; ".join(rows) or "none"

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        """The change, and a line in the umpire's log."""
        super().save_model(request, obj, form, change)
        if form.changed_data:
            changed = ", ".join(name.replace("_", " ") for name in form.changed_data)
            actor = request.user.get_username()
            act_log(campaign=obj, actor=actor, action="changed the campaign", reason=changed)


@admin.register(PublicPage)
class PublicPageAdmin(NotAdded, NotDeleted, admin.ModelAdmin):
    """Public pages, which umpires open. The site administrator chooses which finished campaigns the front page shows."""

    list_display = ["campaign", "open", "indexed", "showcase"]
    list_filter = ["open", "showcase"]
    list_select_related = ["campaign"]
    search_fields = ["campaign__name"]
    readonly_fields = ["campaign", "open", "score", "delay", "indexed"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        """For the site administrator alone: the front page is nobody else's."""
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As above."""
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As above."""
        return bool(request.user.is_superuser)


@admin.register(Side)
class SideAdmin(NotAdded, NotDeleted, ByBook, admin.ModelAdmin):
    """Sides of campaigns, made by starting one and kept in its history."""

    book_path = "campaign__book"
    list_display = ["name", "campaign", "navy", "automatic"]
    list_filter = ["campaign", "automatic"]
    list_select_related = ["campaign", "navy"]
    search_fields = ["name"]
    fields = ["name", "campaign", "navy", "colour", "automatic"]
    readonly_fields = ["campaign", "navy"]


class CommandInline(Labelled, OwnChoices, admin.TabularInline):
    """Fleets of an admiral."""

    model = Command
    extra = 0
    raw_id_fields = ["fleet"]


@admin.register(Membership)
class MembershipAdmin(NotAdded, ByBook, admin.ModelAdmin):
    """Who plays. No one is added here: people are invited on the campaign's page, and take part when they accept."""

    book_path = "campaign__book"
    form = MembershipForm
    list_display = ["user", "campaign", "role", "side", "chief"]
    list_filter = ["campaign", "role"]
    list_select_related = ["user", "campaign", "side"]
    search_fields = ["user__username", "user__email", "campaign__name"]
    readonly_fields = ["user", "campaign"]
    inlines = [CommandInline]

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """The role; an umpire gets access to the admin."""
        super().save_model(request, obj, form, change)
        if obj.role == Membership.Role.UMPIRE:
            umpire_admit(user=obj.user)


@admin.register(Command)
class CommandAdmin(ByBook, admin.ModelAdmin):
    """Which admiral commands which fleet. Rule: G.IN4."""

    book_path = "membership__campaign__book"
    list_display = ["membership", "fleet"]
    list_filter = ["membership__campaign"]
    list_select_related = ["membership__user", "membership__campaign", "fleet"]
    raw_id_fields = ["membership", "fleet"]


@admin.register(Theatre)
class TheatreAdmin(NotAdded, NotDeleted, admin.ModelAdmin):
    """Theatres, as loaded from their files. Campaigns depend on them."""

    list_display = ["title", "start_date", "replaced"]
    search_fields = ["title", "code"]
    readonly_fields = ["code", "start_date", "replaced"]
    exclude = ["document"]


@admin.register(Place)
class PlaceAdmin(ReadOnlyAdmin):
    """Places of the charts, as their files were loaded."""

    list_display = ["name", "theatre", "kind_of_place", "in_zone", "owner", "dockyard"]
    list_filter = ["theatre", "kind"]
    list_select_related = ["theatre"]
    search_fields = ["name", "code"]
    more = ("position", "berths", "recruits", "guard", "note")
    deferred = ("theatre__document",)
    position = column(
        "position", lambda place: position_in_words(round(100 * place.latitude), round(100 * place.longitude))
    )
    kind_of_place = column("kind", lambda place: capfirst(place.kind.replace("_", " ")), "kind")
    in_zone = column("weather zone", lambda place: zone_name(place.zone), "zone")


@admin.register(Passage)
class PassageAdmin(ReadOnlyAdmin):
    """Passages of the charts."""

    list_display = ["from_place", "to_place", "miles", "theatre"]
    list_filter = ["theatre"]
    list_select_related = ["a", "b", "theatre"]
    search_fields = ["a__name", "b__name"]
    deferred = ("theatre__document",)
    from_place = column("from", lambda passage: passage.a, "a")
    to_place = column("to", lambda passage: passage.b, "b")

    @admin.display(description="length", ordering="length")
    def miles(self, passage: Passage) -> str:
        """Its length in nautical miles."""
        return f"{passage.length / 1000:,.1f} nm"


@admin.register(Turn)
class TurnAdmin(Labelled, NotAdded, NotDeleted, ByBook, admin.ModelAdmin):
    """Turns, which open by themselves and are kept. The deadline may be moved.

    Secrets are never shown here, and those of closed turns only on the Fair dice page.
    """

    book_path = "campaign__book"
    list_display = ["campaign", "number", "phase", "begins", "days_run", "deadline", "closed", "attempts"]
    list_filter = ["campaign", "phase"]
    list_select_related = ["campaign"]
    search_fields = ["campaign__name", "error"]
    fields = [
        "campaign", "number", "phase", "begins", "days", "days_run", "opened", "deadline", "closed", "chart_hash",
        "state_hash", "attempts", "error",
    ]  # fmt: skip
    readonly_fields = [
        "campaign", "number", "phase", "begins", "days", "days_run", "opened", "closed", "chart_hash", "state_hash",
        "attempts", "error",
    ]  # fmt: skip

    begins = column(
        "begins", lambda turn: spoken(chart_time(turn.campaign.start_date, 24 * turn.first_day)), "first_day"
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        """Without the secrets."""
        return super().get_queryset(request).defer("chart_secret", "battle_secret")

    def save_model(self, request: HttpRequest, obj: Turn, form: Any, change: bool) -> None:
        """The new deadline, and a line in the umpire's log. Rule: G.UM1."""
        super().save_model(request, obj, form, change)
        if form.changed_data:
            actor = request.user.get_username()
            act_log(campaign=obj.campaign, turn=obj, actor=actor, action="moved the deadline")


@admin.register(Notice)
class NoticeAdmin(ByBook, ReadOnlyAdmin):
    """The outbox. Of a webhook it shows only the host: the rest of the address is a key."""

    book_path = "campaign__book"
    list_display = [
        "subject",
        "recipient",
        "kind_of_email",
        "status",
        "attempts",
        "written",
        "sent",
        "trouble",
    ]
    list_filter = ["campaign", "status", "kind"]
    list_select_related = ["recipient"]
    search_fields = ["subject", "recipient__username", "recipient__email", "event", "message_id"]
    deferred = ("html",)
    more = ("where", "text", "message_id", "retry_after")
    kind_of_email = column("kind", lambda notice: capfirst(kind_words(notice.kind)), "kind")
    where = column("sent to", lambda notice: notice.where)
    trouble = column("error", lambda notice: notice.trouble)
    readonly_fields = ["where", "trouble"]
    actions = ["send_again"]

    def has_resend_permission(self, request: HttpRequest) -> bool:
        """People who may change emails may have them sent again."""
        return request.user.has_perm("campaign.change_notice")

    @admin.action(description="Send again", permissions=["resend"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Notice]) -> None:
        """Send emails again, as the Emails page does."""
        again = sum(notice_resend(notice=notice, umpire=request.user) for notice in queryset)
        messages.success(request, f"Emails queued again: {again}.")


_TURN = "turn__campaign__book"
_ON_ARRIVAL = {code: label for code, label, _ in EVERY_ARRIVAL}
_SOURCES = {
    "web": "on the site", "mail": "by email", "admiral": "automatic admiral", "standing": "standing orders", "opening": "opening",
}  # fmt: skip


def _turn_time(row: Any) -> str:
    """The time on the chart of a row with an hour."""
    return spoken(chart_time(row.turn.campaign.start_date, row.hour))


_TIME = column("time", _turn_time, "hour")
_GIVEN = column("source", lambda row: capfirst(_SOURCES.get(row.source, row.source)), "source")
# Model, the way from a row to its book, columns, filters, what is read with each row, where a search looks, and columns of its own. Only
# the umpire may know where fleets are and whom a sighting was of; orders are those that were accepted; a report without a side is the
# umpire's.
read_only(
    Station, "fleet__navy__book", "fleet at to miles held", "fleet__navy__book", "fleet", "fleet__name fleet__code at",
    places=("at", "to"),
    miles=column("distance run", lambda row: f"{row.run / 1000:.0f} nm" if row.to else None, "run"),
    held=column("held by a battle", lambda row: "Yes" if row.held_by else "No", "held_by"),
)  # fmt: skip
read_only(
    Order, _TURN, "fleet turn stance_word arrival how author given", "turn__campaign source stance", "fleet turn__campaign",
    "fleet__name fleet__code author",
    stance_word=column("stance", lambda row: capfirst(row.stance), "stance"),
    arrival=column("on arrival", lambda row: _ON_ARRIVAL.get(row.on_arrival, row.on_arrival), "on_arrival"),
    how=_GIVEN,
    more=("refused",),
)  # fmt: skip
read_only(
    SideOrder,
    _TURN,
    "side turn how author given",
    "turn__campaign source",
    "side turn__campaign",
    "author",
    how=_GIVEN,
    more=("refused",),
)
read_only(
    Objective, "campaign__book", "words side campaign", "campaign side", "side campaign", "code",
    words=column("objective", lambda row: row.document.get("words", row.code), "code"),
)  # fmt: skip
read_only(
    CalendarRow, "campaign__book", "event side campaign first last struck", "campaign", "side campaign", "code text",
    event=column("event", lambda row: row.told, "code"),
    more=("moved", "announced"),
)  # fmt: skip
read_only(Ready, _TURN, "side turn by at", "turn__campaign", "side turn__campaign")
read_only(
    WeatherWatch, _TURN, "in_zone turn time wind force sky", "turn__campaign zone strength", "turn__campaign",
    in_zone=column("zone", lambda row: zone_name(row.zone), "zone"),
    time=_TIME,
    wind=column("wind from", lambda row: capfirst(compass(row.wind_from)), "wind_from"),
    force=column("strength", lambda row: capfirst(row.strength), "strength"),
    sky=column("visibility", lambda row: capfirst(row.visibility), "visibility"),
)  # fmt: skip
read_only(
    Sighting, _TURN, "side number turn time sail observer fleet_code", "turn__campaign side", "side turn__campaign", "observer fleet_code",
    time=_TIME,
    places=("observer",),
    fleets=("observer", "fleet_code"),
    sail=column("ships", lambda row: row.band.replace("-", "–"), "band"),
)  # fmt: skip
read_only(
    Contact,
    _TURN,
    "turn time place battle",
    "turn__campaign",
    "turn__campaign battle",
    "code place",
    time=_TIME,
    places=("place",),
)
read_only(
    ReceivedMail, _TURN, "membership turn sent received taken", "turn__campaign",
    "membership__user membership__campaign turn__campaign", "membership__user__username message_id",
)  # fmt: skip
read_only(
    UmpireAction, "campaign__book", "at actor action campaign on_turn reason", "campaign action", "campaign", "actor action reason",
    on_turn=column("turn", lambda row: row.turn.rpartition("/")[2] or None, "turn"),
)  # fmt: skip
read_only(
    Report, _TURN, "turn reader", "turn__campaign side", "turn__campaign side", deferred=("events",),
    reader=column("for", lambda row: row.side or "Umpire", "side"),
)  # fmt: skip
