"""Template tags of the campaign room."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache, partial
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.template.defaultfilters import pluralize
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from battles.boards import PRESENTATIONS
from battles.engine.core.telling import the_fleet, the_squadron
from battles.rule_books import CAMPAIGN
from campaign.accounts import compass, with_article
from campaign.accounts.words import near, opening
from campaign.calendar import at_spoken, moment, spoken
from campaign.chart_drawing import (
    battles_drawn,
    ensign_of,
    fleet_short,
    fleets_drawn,
    places_drawn,
    sightings_drawn,
)
from campaign.handbooks import help_address
from campaign.menu import Menu, menu_of, numbers_of
from campaign.models import Turn
from campaign.selectors.awaits import awaits
from campaign.selectors.composing import may_compose as composes
from campaign.selectors.people.people import name_of
from campaign.selectors.reports.letters import age_in_words

register = template.Library()

POINTS = (
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
)  # fmt: skip


@register.simple_tag(takes_context=True)
def help_here(context: template.Context) -> str:
    """Where the help for the page that is being shown begins; "" for a page without any."""
    match = getattr(context.get("request"), "resolver_match", None)
    role = getattr(context.get("membership"), "role", "")
    return help_address(match.view_name, role) if match is not None else ""


@register.simple_tag(takes_context=True)
def campaign_menu(context: template.Context) -> Menu:
    """The menu of the campaign that is being shown, with how much awaits the reader at each entry."""
    membership, turn = context["membership"], context.get("turn")
    # a page may show an older turn; there is one that is not closed, and it is the current one
    current = turn if isinstance(turn, Turn) and turn.phase != Turn.Phase.CLOSED else None
    waiting = context["awaited"] if "awaited" in context else awaits(membership, current)
    return menu_of(
        membership.role,
        str(context.get("here") or ""),
        numbers_of((row.entry, row.number) for row in waiting),
    )


@register.simple_tag(takes_context=True)
def may_compose(context: template.Context) -> bool:
    """Whether the reader may compose fleets of a register."""
    return composes(context["request"].user)


@register.filter
def point(degrees: int | None) -> str:
    """Degrees as a point of the compass; "" for None."""
    return "" if degrees is None else POINTS[round(degrees / 22.5) % 16]


@register.filter
def compass_words(degrees: int) -> str:
    """Degrees as a point of the compass in a sentence: "north-east"."""
    return compass(degrees)


@register.filter
def at_time(when: datetime | None) -> SafeString | str:
    """A moment as absolute time in the reader's own time zone: Mon 23 Nov 2026, 20:00 GMT."""
    if when is None:
        return "when the umpire decides"
    here = timezone.localtime(when)
    return format_html(
        '<time datetime="{}">{}</time>', here.isoformat(timespec="minutes"), at_time_text(when)
    )


@register.filter
def at_time_text(when: datetime | None) -> str:
    """The same without markup, for plain text."""
    if when is None:
        return "when the umpire decides"
    here = timezone.localtime(when)
    return f"{here:%a} {here.day} {here:%b} {here.year}, {here:%H:%M %Z}"


@register.filter
def at_clock(when: datetime | None, zone: str) -> str:
    """A moment in another time zone than the reader's, without markup."""
    with timezone.override(ZoneInfo(zone)):
        return at_time_text(when)


@register.filter
def person_name(user: Any) -> str:
    """A person's name for others to read, which is never their address."""
    return name_of(user)


@register.filter
def written_name(name: str) -> str:
    """A name as it was logged with an act, at the head of a sentence, without the part that makes it an address."""
    name = name.partition("@")[0]
    return opening(name) if name.startswith("the ") else name


@register.filter
def day_words(day: date) -> str:
    """A day of the calendar: Mon 3 Aug 2026."""
    return f"{day:%a} {day.day} {day:%b} {day.year}"


@register.filter
def left(when: datetime | None) -> str:
    """Time left, in the largest units that say enough: "in 2 days 4 hours"; "now" when it is past."""
    if when is None:
        return ""
    minutes = int((when - timezone.now()).total_seconds() // 60)
    if minutes <= 0:
        return "now"
    days, hours = minutes // 1440, minutes % 1440 // 60
    if days:
        return f"in {days} day{pluralize(days)}" + (f" {hours} hour{pluralize(hours)}" if hours else "")
    if hours:
        return f"in {hours} hour{pluralize(hours)}"
    return f"in {minutes} minute{pluralize(minutes)}"


@register.filter
def turn_number(turn: str) -> str:
    """A turn's number from its name in the log: "four-days/3"."""
    return turn.rpartition("/")[2]


@register.filter
def chart_spoken(when: str) -> str:
    """Chart time as people write it; a record without a date is undated, and an invalid date is shown as it was entered."""
    try:
        return spoken(when) if when else "undated"
    except ValueError:
        return when


@register.filter
def chart_at(when: str) -> str:
    """Chart time in the middle of a sentence; of an unknown date nothing, and an invalid date as it was entered."""
    try:
        return at_spoken(when) if when else ""
    except ValueError:
        return when


@register.simple_tag
def clause(clause_id: str) -> SafeString | str:
    """A clause id as a link to its place in the rules."""
    if not clause_id:
        return ""
    return format_html('<a class="clause" href="{}">{}</a>', clause_path(clause_id), clause_id)


def clause_path(clause_id: str) -> str:
    """Where a clause is on the rules pages: the page of its book, with the clause as anchor."""
    letter = clause_id[:1]
    book = next((name for name, shown in PRESENTATIONS.items() if shown.letter == letter), CAMPAIGN)
    return f"{reverse('rules', args=[book])}#{clause_id}"


@lru_cache(maxsize=256)
def _campaign_path(prefix: str, code: str) -> str:
    """The chart of a campaign, under which its other pages lie. prefix: of the site, for which it is remembered."""
    return reverse("campaign", args=[code])


@register.simple_tag
def battle_path(campaign_code: str, battle_code: str) -> str:
    """The page of a battle."""
    return f"{_campaign_path(get_script_prefix(), campaign_code)}battles/{battle_code}/"


def public_battle_path(campaign_code: str, battle_code: str) -> str:
    """The page of a battle for those who are not in its campaign."""
    return reverse("public_battle", args=[campaign_code, battle_code])


@register.simple_tag
def fleet_path(campaign_code: str, fleet_code: str) -> str:
    """The page of a fleet."""
    return f"{_campaign_path(get_script_prefix(), campaign_code)}fleets/{fleet_code}/"


@register.simple_tag
def ship_path(campaign_code: str, ship_code: str) -> str:
    """The page of a ship."""
    return f"{_campaign_path(get_script_prefix(), campaign_code)}ships/{ship_code}/"


register.filter(fleet_short)


@register.simple_tag
def ensign(side_code: str) -> str:
    """Id of the ensign that a side's fleets wear on the chart."""
    return ensign_of(side_code)


@register.simple_tag(takes_context=True)
def drawn(context: template.Context, what: str) -> SafeString:
    """The places, sightings, battles or fleets of the chart that is being shown. Marks are links to what the reader has pages of."""
    page = context["chart"]
    code = context["campaign"].code
    member = getattr(context.get("membership"), "pk", None) is not None
    match what:
        case "places":
            return places_drawn(page.places, page.scale)
        case "sightings":
            return sightings_drawn(page.sightings, page.scale, sides=bool(context.get("umpire")))
        case "battles":
            path = partial(battle_path, code) if member else partial(public_battle_path, code)
            return battles_drawn(page.battles, page.scale, path)
        case "fleets":
            return fleets_drawn(page.fleets, page.scale, partial(fleet_path, code) if member else None)
    raise ValueError(what)


@register.filter
def turn_dates(turn: Any, campaign: Any) -> str:
    """The days of the chart from a turn's first morning to the morning on which it ended: "30 May to 2 June 1666"."""
    first = moment(campaign.start_date, turn.first_day * 24)
    last = moment(campaign.start_date, (turn.first_day + max(turn.days_run, 1)) * 24)
    end = f"{last.day} {last:%B} {last.year}"
    if first.date() == last.date():
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {end}"
    return (
        f"{first.day} {first:%B} to {end}"
        if first.year == last.year
        else f"{first.day} {first:%B} {first.year} to {end}"
    )


register.filter("near_place", near)
register.filter(with_article)
register.filter(the_fleet)
register.filter(the_squadron)


KIND_WORDS = {
    "battle_awaits": "battle that needs you",
    "campaign_over": "end of the campaign",
    "deadline": "moved deadline",
    "digest": "daily digest",
    "orders_taken": "orders by email",
    "paused": "pause or resumption",
    "public": "public post",
    "result_disputed": "disputed result",
    "turn_opened": "opening of a turn",
    "umpire_digest": "umpire's daily summary",
    "umpire_report": "umpire's report",
    "word": "other news",
    "work_failed": "failed turn or battle",
}


@register.filter
def kind_words(stem: str) -> str:
    """A kind of notice as people say it."""
    return KIND_WORDS.get(stem, stem.replace("_", " "))


@register.filter
def age_words(hours: int) -> str:
    """How old a report is: "3 hours old"."""
    return age_in_words(hours)


@register.filter
def pounds(sum_: int) -> str:
    """A sum of money: £6,250."""
    return f"£{sum_:,}"


@register.filter
def counted(number: int) -> str:
    """A number with a comma between its thousands: "12,935"."""
    return f"{number:,}"


@register.filter
def signed(number: int) -> str:
    """A number of points with its sign, if it has one: "−53"."""
    return str(number).replace("-", "−")


@register.filter
def times(number: int, factor: int) -> int:
    """A product, for offsets in drawings."""
    return number * factor
