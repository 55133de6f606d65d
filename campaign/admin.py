"""The campaign room in Django's admin. What services change is read-only here, and a turn's secrets stay shut until it is closed.

The admin is for staff, who see what only the umpire may know; a sighting's true fleet is among it. Rules: G.FA1, G.SI3.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from campaign.models import (
    Campaign,
    Command,
    Contact,
    Membership,
    Notice,
    Order,
    Passage,
    Place,
    Ready,
    Report,
    Side,
    Sighting,
    Station,
    Theatre,
    Turn,
    UmpireAction,
    WeatherWatch,
)


class Kept(admin.ModelAdmin):
    """Rows that only services write: to be looked at, never added, changed or deleted by hand."""

    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody; the page shows the values."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False


@admin.register(Theatre)
class TheatreAdmin(Kept):
    """Theatres come from files; `manage.py load_theatres` loads them."""

    list_display = ["code", "title", "start_date"]
    search_fields = ["code", "title"]
    exclude = ["document"]


@admin.register(Place)
class PlaceAdmin(Kept):
    """Places of the theatres."""

    list_display = ["name", "theatre", "kind", "owner", "zone", "dockyard", "berths"]
    list_filter = ["theatre", "kind", "owner"]
    list_select_related = ["theatre"]
    search_fields = ["code", "name"]


@admin.register(Passage)
class PassageAdmin(Kept):
    """Passages between places."""

    list_display = ["theatre", "a", "b", "length"]
    list_filter = ["theatre"]
    list_select_related = ["theatre", "a", "b"]
    search_fields = ["a__name", "b__name"]


class SideInline(admin.TabularInline):
    """The sides of a campaign."""

    model = Side
    extra = 0
    can_delete = False
    fields = ["name", "navy", "colour", "automatic"]
    readonly_fields = ["navy"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Sides are mustered when the campaign is started."""
        return False


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    """Campaigns: names, lengths and settings may be changed; what the turns write may not."""

    list_display = ["name", "code", "theatre", "status", "calendar_day", "created"]
    list_filter = ["status", "theatre"]
    list_select_related = ["book", "theatre"]
    search_fields = ["name", "book__code"]
    readonly_fields = [
        "book", "theatre", "start_date", "calendar_day", "weather", "carried", "demo_seed", "status", "created",
    ]  # fmt: skip
    inlines = [SideInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A campaign is started on the site, where its ships are mustered."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A campaign's history stays."""
        return False


@admin.register(Side)
class SideAdmin(admin.ModelAdmin):
    """Sides, for turning the automatic admiral on and off."""

    list_display = ["name", "campaign", "navy", "colour", "automatic"]
    list_filter = ["automatic", "campaign"]
    list_select_related = ["campaign", "navy"]
    search_fields = ["name", "campaign__name"]
    readonly_fields = ["campaign", "navy", "nations"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Sides are mustered when the campaign is started."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A side's history stays."""
        return False


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):
    """Who has which part in which campaign."""

    list_display = ["user", "campaign", "role", "side", "chief"]
    list_filter = ["role", "campaign"]
    list_select_related = ["user", "campaign", "side"]
    search_fields = ["user__username", "user__email", "campaign__name"]
    raw_id_fields = ["user", "campaign", "side"]


@admin.register(Command)
class CommandAdmin(admin.ModelAdmin):
    """Which admiral commands which fleet."""

    list_display = ["fleet", "membership"]
    list_select_related = ["fleet", "membership__user", "membership__campaign"]
    search_fields = ["fleet__name", "membership__user__username"]
    raw_id_fields = ["membership", "fleet"]


@admin.register(Station)
class StationAdmin(Kept):
    """Where fleets lie."""

    list_display = ["fleet", "at", "to", "run", "held_by", "since"]
    list_filter = ["fleet__navy__book"]
    list_select_related = ["fleet__navy"]
    search_fields = ["fleet__name", "fleet__code", "at"]


@admin.register(Turn)
class TurnAdmin(Kept):
    """Turns, without their documents. The secrets are shown once the turn is closed. Rule: G.FA1."""

    list_display = ["campaign", "number", "phase", "deadline", "opened", "closed", "attempts"]
    list_filter = ["phase", "campaign"]
    list_select_related = ["campaign"]
    search_fields = ["campaign__name", "campaign__book__code"]
    fields = [
        "campaign", "number", "first_day", "days", "days_run", "phase", "chart_hash", "state_hash", "claim", "lease_until",
        "attempts", "error", "opened", "deadline", "closed",
    ]  # fmt: skip

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Secrets join the other fields of a turn that is closed."""
        shown = list(self.fields or ())
        if obj is not None and obj.phase == Turn.Phase.CLOSED:
            shown += ["chart_secret", "battle_secret"]
        return shown

    def get_queryset(self, request: HttpRequest) -> Any:
        """The documents of a turn weigh megabytes and are not shown."""
        return super().get_queryset(request).defer("state", "snapshot")


@admin.register(Order)
class OrderAdmin(Kept):
    """Orders as they were given."""

    list_display = ["turn", "fleet", "stance", "on_arrival", "source", "author", "given"]
    list_filter = ["source", "stance", "turn__campaign"]
    list_select_related = ["turn__campaign", "fleet"]
    search_fields = ["fleet__name", "fleet__code", "author"]


@admin.register(Ready)
class ReadyAdmin(Kept):
    """Ready marks."""

    list_display = ["turn", "side", "by", "at"]
    list_filter = ["turn__campaign"]
    list_select_related = ["turn__campaign", "side"]
    search_fields = ["by", "side__name"]


@admin.register(WeatherWatch)
class WeatherWatchAdmin(Kept):
    """The weather as it was thrown."""

    list_display = ["turn", "hour", "zone", "wind_from", "strength", "visibility"]
    list_filter = ["strength", "visibility", "turn__campaign"]
    list_select_related = ["turn__campaign"]
    search_fields = ["zone"]


@admin.register(Sighting)
class SightingAdmin(Kept):
    """Reports, with the fleet that was really seen, which no player may know."""

    list_display = ["turn", "side", "number", "hour", "band", "observer", "fleet_code"]
    list_filter = ["side", "turn__campaign"]
    list_select_related = ["turn__campaign", "side"]
    search_fields = ["observer", "fleet_code"]


@admin.register(Contact)
class ContactAdmin(Kept):
    """Meetings that came to battle."""

    list_display = ["turn", "code", "hour", "place", "battle"]
    list_filter = ["turn__campaign"]
    list_select_related = ["turn__campaign", "battle"]
    search_fields = ["code", "place"]


@admin.register(Report)
class ReportAdmin(Kept):
    """What each side learned; the row without a side is the umpire's."""

    list_display = ["turn", "side"]
    list_filter = ["side", "turn__campaign"]
    list_select_related = ["turn__campaign", "side"]
    search_fields = ["side__name", "turn__campaign__name"]


@admin.register(Notice)
class NoticeAdmin(Kept):
    """The outbox."""

    list_display = ["subject", "recipient", "kind", "status", "attempts", "written", "sent"]
    list_filter = ["status", "kind", "campaign"]
    list_select_related = ["recipient", "campaign"]
    search_fields = ["subject", "address", "recipient__username", "event"]
    exclude = ["html"]


@admin.register(UmpireAction)
class UmpireActionAdmin(Kept):
    """What umpires did."""

    list_display = ["at", "campaign", "actor", "action", "turn"]
    list_filter = ["campaign", "action"]
    list_select_related = ["campaign"]
    search_fields = ["actor", "action", "reason"]
