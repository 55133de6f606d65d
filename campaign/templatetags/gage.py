"""Template tags of the campaign room."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.calendar import spoken

register = template.Library()

POINTS = (
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
)  # fmt: skip


@register.filter
def point(degrees: int | None) -> str:
    """Degrees as a point of the compass; "" for None."""
    return "" if degrees is None else POINTS[round(degrees / 22.5) % 16]


@register.filter
def at_utc(moment: datetime | None) -> SafeString | str:
    """A moment as absolute time, which a reader anywhere can trust: Mon 23 Nov 2026, 20:00 UTC."""
    if moment is None:
        return "set by the umpire"
    here = moment.astimezone(UTC)
    return format_html('<time datetime="{}">{}</time>', here.isoformat(timespec="minutes"), at_utc_text(moment))


@register.filter
def at_utc_text(moment: datetime | None) -> str:
    """The same without markup, for plain text."""
    if moment is None:
        return "set by the umpire"
    here = moment.astimezone(UTC)
    return f"{here:%a} {here.day} {here:%b} {here.year}, {here:%H:%M} UTC"


@register.filter
def left(moment: datetime | None) -> str:
    """Time left, in the greatest unit that says enough: "in 2 days 4 hours"; "now" when it is past."""
    if moment is None:
        return ""
    minutes = int((moment - timezone.now()).total_seconds() // 60)
    if minutes <= 0:
        return "now"
    days, hours = minutes // 1440, minutes % 1440 // 60
    if days:
        return f"in {days} day{pluralize(days)}" + (f" {hours} hour{pluralize(hours)}" if hours else "")
    if hours:
        return f"in {hours} hour{pluralize(hours)}"
    return f"in {minutes} minute{pluralize(minutes)}"


@register.filter
def chart_spoken(when: str) -> str:
    """Chart time as people write it."""
    return spoken(when)


BOOKS = {"G": "campaign", "T": "thomas", "K": "kohler", "A": "age_of_sail", "C": "cordery", "P": "barker"}


@register.simple_tag
def clause(clause_id: str) -> SafeString | str:
    """A clause id as a link to its place in the rules."""
    if not clause_id:
        return ""
    return format_html('<a class="clause" href="{}">{}</a>', clause_path(clause_id), clause_id)


def clause_path(clause_id: str) -> str:
    """Where a clause stands on the rules pages: the page of its book, with the clause as anchor."""
    return f"{reverse('home')}rules/{BOOKS.get(clause_id[:1], 'campaign')}#{clause_id}"


@register.simple_tag
def battle_path(campaign_code: str, battle_code: str) -> str:
    """The page of a battle."""
    return f"{reverse('campaign', args=[campaign_code])}battles/{battle_code}/"


@register.simple_tag
def ship_path(campaign_code: str, ship_code: str) -> str:
    """The page of a ship."""
    return f"{reverse('campaign', args=[campaign_code])}ships/{ship_code}/"
