"""A battle's page and what its replay is drawn from, for those who were there."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page

from battles.models import Battle
from battles.selectors import FOUGHT, Reading, can_be_read, replay_tag
from battles.table_reading import TableReading, is_told
from campaign.models import Campaign, Membership
from campaign.selectors.people.access import campaign_for_member_or_404
from campaign.selectors.people.action import battle_for_member_or_404
from campaign.selectors.reports.aftermath import papers_of
from campaign.selectors.revealed import seed_is_open
from campaign.selectors.turn.ongoing import campaign_waits
from campaign.services.battle.aftermath import MOST_PICTURES
from campaign.views.requests import HtmxHttpRequest, reads
from fleets.selectors.ships import ship_navies


@reads
def battle(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """A battle for one of those who fought it, or the umpire: result, replay, ships and the log, one turn at a time.

    `?turn=3` chooses the turn of the log; htmx gets that part alone. Raises Http404.
    """
    campaign, membership = campaign_for_member_or_404(request.user, code)
    row, side = battle_for_member_or_404(membership, battle, whole=True)
    return battle_page(request, campaign, membership, row, side)


def battle_page(
    request: HtmxHttpRequest,
    campaign: Campaign,
    membership: Membership,
    battle: Battle,
    side: str | None,
    *,
    faults: Sequence[str] = (),
) -> HttpResponse:
    """A battle's page for a reader who may open it. side: for which they read it. faults: what was wrong with what they sent."""
    umpire = membership.role == Membership.Role.UMPIRE
    context = {
        "campaign": campaign, "membership": membership, "here": "battle", "battle": battle, "umpire": umpire,
        "paper_faults": faults,
    }  # fmt: skip
    status = 422 if faults else 200
    if is_told(battle):
        context |= table_context(campaign, membership, battle, side)
        return render(request, "battles/battle_table.html", context, status=status)
    if not can_be_read(battle):
        if battle.route != Battle.Route.ENGINE:
            context |= {
                "papers": papers_of(battle, membership, MOST_PICTURES),
                "campaign_waits": campaign_waits(campaign),
            }
        return render(request, "battles/battle_awaited.html", context, status=status)
    asked = request.GET.get("turn", "")
    if request.htmx:
        return render(request, "battles/_log.html", context | log_context(battle, side, asked))
    context |= battle_context(campaign, membership, battle, side, asked)
    context["source"] = reverse("battle_replay", args=[campaign.code, battle.code])
    return render(request, "battles/battle.html", context)


def table_context(
    campaign: Campaign, membership: Membership, battle: Battle, side: str | None
) -> dict[str, object]:
    """What the page of a battle on the tabletop shows to one reader. side: for which they read it."""
    return {
        "battle": battle,
        "papers": papers_of(battle, membership, MOST_PICTURES),
        **_told(TableReading(battle, side), campaign, membership),
    }


def battle_context(
    campaign: Campaign, membership: Membership, row: Battle, side: str | None, asked: str
) -> dict[str, object]:
    """What the page of a battle shows to one reader. side: whose log they read, None for all of it. asked: turn of the log."""
    reading = Reading(row, side)
    return {
        "battle": row,
        "account": reading.account(),
        "revealed": seed_is_open(campaign, row),
        "own_side": side or "",
        **_told(reading, campaign, membership),
        **_log(reading, asked),
    }


def log_context(row: Battle, side: str | None, asked: str) -> dict[str, object]:
    """One turn of the log for one reader."""
    return _log(Reading(row, side), asked)


def _told(reading: Reading, campaign: Campaign, membership: Membership) -> dict[str, object]:
    """What every battle that is over says of its sides."""
    return {
        "reading": reading,
        "results": reading.results(),
        "open_ships": _ships_to_open(campaign, membership),
        "colours": {one.code: one.colour for one in campaign.sides.select_related("navy")},
    }


@reads
@gzip_page
@cache_control(private=True, no_cache=True)
def battle_replay(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """What the replay draws for this reader, as JSON with an ETag. Raises Http404 also while the battle is not fought."""
    _, membership = campaign_for_member_or_404(request.user, code)
    return replay_answer(request, membership, battle)


def replay_answer(request: HttpRequest, membership: Membership, battle: str) -> HttpResponse:
    """The replay's document for a reader, or that theirs is still good. Raises Http404."""
    row, side = battle_for_member_or_404(membership, battle, whole=False)
    if row.status not in FOUGHT or row.fought is None:
        raise Http404("not fought yet")
    etag, fought = quote_etag(replay_tag(row, side)), int(row.fought.timestamp())
    answer = get_conditional_response(request, etag, fought)
    if answer is None:
        row, side = battle_for_member_or_404(membership, battle, whole=True)
        if not can_be_read(row):
            raise Http404("nothing to replay")
        text = json.dumps(Reading(row, side).replay(), separators=(",", ":"), ensure_ascii=False)
        answer = HttpResponse(text, content_type="application/json")
    answer["ETag"], answer["Last-Modified"] = etag, http_date(fought)
    return answer


def _log(reading: Reading, asked: str) -> dict[str, object]:
    turns = reading.turns()
    turn = _turn_asked(turns, asked)
    at = turns.index(turn) if turn in turns else 0
    return {
        "turn": turn,
        "turns": [(number, reading.clock(number)) for number in turns],
        "clock": reading.clock(turn),
        "steps": reading.log_of(turn),
        "before": turns[at - 1] if at > 0 else None,
        "after": turns[at + 1] if at + 1 < len(turns) else None,
    }


def _turn_asked(turns: list[int], asked: str) -> int:
    """The turn that was asked for; the first turn for what is not a number, the last for one beyond the end."""
    wanted = int(asked) if asked.isdecimal() and len(asked) < 6 else 1
    if wanted in turns or not turns:
        return wanted
    return turns[-1] if wanted > turns[-1] else turns[0]


def _ships_to_open(campaign: Campaign, membership: Membership) -> frozenset[str]:
    """Codes of the ships whose pages this reader may open now."""
    if membership.role == Membership.Role.OBSERVER:
        return frozenset()
    navies = ship_navies(campaign.book)
    if membership.side is None:
        return frozenset(navies)
    return frozenset(code for code, navy in navies.items() if navy == membership.side.navy_id)
