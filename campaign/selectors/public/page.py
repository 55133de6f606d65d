"""A campaign's public page and what observers read: the day, the score, released facts, gazettes and battles whose secrets are open."""

from __future__ import annotations

from typing import Any

from campaign.accounts import sentence
from campaign.calendar import chart_time, spoken
from campaign.models import Campaign, PublicPage, Turn
from campaign.selectors.reports.history import history
from campaign.selectors.reports.reports import public_names
from campaign.selectors.told import last_told, public_objectives, terms_of, told_events

MOST_NEWS = 40
BY_THE_RULES = "the rules"  # who ends a campaign on its date or by its score
_NEWS = frozenset(
    {"battle", "port_taken", "raided", "convoy_delivered", "hostility", "peace", "objective_achieved"}
)


def known_to_all(campaign: Campaign) -> list[tuple[str, str]]:
    """What everyone may know has happened, newest first: when, and a sentence. Rules: G.IN1, G.EN1."""
    last, objectives = last_told(campaign, terms_of(campaign)), public_objectives(campaign)
    told: dict[tuple[str, str], None] = {}
    names = public_names(campaign)
    for _, kept in history(campaign, None, last=last, latest_first=True):
        for event in sorted(told_events(kept, objectives), key=lambda event: -event[0]):
            if event[1] in _NEWS:
                told.setdefault((spoken(chart_time(campaign.start_date, event[0])), sentence(event, names)))
        if len(told) >= MOST_NEWS:
            break
    return list(told)[:MOST_NEWS]


def showcase() -> list[PublicPage]:
    """The campaigns that the front page shows: over, public, and chosen by the site administrator."""
    rows = PublicPage.objects.filter(showcase=True, open=True, campaign__status=Campaign.Status.CLOSED)
    return list(rows.select_related("campaign__book", "campaign__theatre").order_by("campaign__name")[:3])


def facts_of(campaign: Campaign) -> dict[str, Any]:
    """The day on the chart, how many turns have been run, and how the rules ended the campaign, if they did."""
    closed = campaign.turns.filter(phase=Turn.Phase.CLOSED).count()
    # what a person has written may name people
    ended = campaign.umpire_actions.filter(action="ended the campaign", actor=BY_THE_RULES).first()
    return {
        "moment": spoken(chart_time(campaign.start_date, 24 * campaign.calendar_day)),
        "turns": closed,
        "over": campaign.status == Campaign.Status.CLOSED,
        "ended": ended.reason if ended is not None else "",
    }
