"""What each kind of email would look like now, for the umpire to read before the players do: nothing is written or sent.

Made from the campaign's present state where possible. Otherwise (no battle yet, never paused) from an invented example, which
says so. One small function per kind.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from campaign.calendar import chart_time
from campaign.chart_picture import HEIGHT, WIDTH, drawing_for, png_of
from campaign.models import Campaign, Contact, Membership, Notice, Turn
from campaign.notices import kinds
from campaign.notices.kinds import ANSWERED, Kind
from campaign.notices.write import Letter, preferences_of, rendered, with_reply
from campaign.selectors.desk.morning import morning_of
from campaign.selectors.mail import battle_mails, mails
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.reports.letters import headline
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.mail.reply_forms import reply_form

Role = Membership.Role
ADMIRALS, UMPIRES, PLAYERS, EVERYBODY = (
    (Role.ADMIRAL,),
    (Role.UMPIRE,),
    (Role.ADMIRAL, Role.UMPIRE),
    (Role.ADMIRAL, Role.UMPIRE, Role.OBSERVER),
)
CID = "preview"


class Example(NamedTuple):
    """A context for a kind. invented: which part of it is invented, as a sentence; "" when none is."""

    context: dict[str, Any]
    invented: str = ""


class Preview(NamedTuple):
    """An email as one reader would get it now, with its picture inside the HTML."""

    letter: Letter
    invented: str


Maker = Callable[[Campaign, Membership], Example]


def readers(campaign: Campaign, kind: Kind) -> list[Membership]:
    """Members who may get emails of a kind, by name."""
    roles = EXAMPLES[kind.stem][0]
    members = campaign.memberships.filter(role__in=roles).select_related("user", "side__navy")
    return list(members.order_by("user__username"))


def preview(campaign: Campaign, kind: Kind, membership: Membership) -> Preview:
    """An email of a kind as this member would get it now, in their time zone. Writes no row."""
    membership.campaign = campaign
    with timezone.override(ZoneInfo(preferences_of(membership.user).time_zone)):
        example = EXAMPLES[kind.stem][1](campaign, membership)
        reply = _reply(campaign, membership) if kind.stem in ANSWERED else None
        letter = rendered(
            campaign, kind, {**example.context, "user": membership.user}, answered=reply is not None
        )
    if reply is not None:
        letter = with_reply(letter, reply)
    return Preview(_with_picture(letter, example.context), example.invented)


def _with_picture(letter: Letter, context: dict[str, Any]) -> Letter:
    chart = context.get("chart")
    if not chart:
        return letter
    source = f"data:image/png;base64,{base64.b64encode(chart['png']).decode()}"
    return letter._replace(html=letter.html.replace(f"cid:{CID}", source))


def _reply(campaign: Campaign, membership: Membership) -> dict[str, Any] | None:
    """The template of orders as it stands, without a token that would open anything."""
    reply = reply_form(turn=_turn(campaign, open_=True), membership=membership)
    return {**reply, "token": "WG-0-0-example"} if reply is not None else None


def _chart(campaign: Campaign, membership: Membership, turn: Turn | None) -> dict[str, Any] | None:
    drawing = drawing_for(campaign, membership, turn)
    if drawing is None:
        return None
    return {"png": png_of(drawing.svg), "cid": CID, "words": drawing.words, "width": WIDTH, "height": HEIGHT}


def _turn(campaign: Campaign, *, open_: bool) -> Turn | None:
    """The newest turn that is open, or that is closed."""
    phase = Turn.Phase.OPEN if open_ else Turn.Phase.CLOSED
    return campaign.turns.filter(phase=phase).order_by("-number").first()


def _soon(hour: int = 20) -> datetime:
    """An evening in three days, in the reader's time zone."""
    day = timezone.localtime() + timedelta(days=3)
    return day.replace(hour=hour, minute=0, second=0, microsecond=0)


def _open_turn(campaign: Campaign) -> tuple[Turn, str]:
    """The open turn with a deadline, and which part of it is invented."""
    turn = _turn(campaign, open_=True)
    if turn is None:
        number = campaign.turns.count() + 1
        days = 3
        made = Turn(
            campaign=campaign, number=number, first_day=campaign.calendar_day, days=days, deadline=_soon()
        )
        return made, "No turn is open. This turn and its deadline are invented."
    if turn.deadline is None:
        turn.deadline = _soon()
        return turn, "The open turn has no deadline. This one is invented."
    return turn, ""


def _opened(campaign: Campaign, membership: Membership) -> Example:
    turn, invented = _open_turn(campaign)
    context = mails.opened_context(turn, membership, ken_of(membership))
    context["chart"] = _chart(campaign, membership, turn if turn.pk else None)
    return Example(context, invented)


def _report(campaign: Campaign, membership: Membership) -> Example:
    turn, following = _turn(campaign, open_=False), _turn(campaign, open_=True)
    if turn is None:
        return _first_report(campaign, membership)
    context = mails.report_context(turn, following, membership, ken_of(membership))
    if membership.side is not None:
        context["chart"] = _chart(campaign, membership, following)
    return Example(context)


def _first_report(campaign: Campaign, membership: Membership) -> Example:
    """The report of a turn that has not been run: fleets as they are, a day's events invented."""
    turn, _ = _open_turn(campaign)
    opened = mails.opened_context(turn, membership, ken_of(membership))
    sighting = {
        "title": "Contact 1", "side": "A side", "date": "the first day", "time": "08:00", "where": "the offing", "course": 90,
        "sail": "1–3 sail", "observer": "", "age": "10 hours old",
    }  # fmt: skip
    letter = {
        "headline": headline([], [sighting], own=membership.side is not None),
        "summary": "There was no battle; 1 contact was sighted.",
        "battles": [],
        "fleets": [{**fleet, "state": "all sound"} for fleet in opened["fleets"]],
        "sightings": [sighting],
        "losses": [],
        "sections": [],
        "sightings_left": 0,
    }
    context = {"turn": turn, "following": turn, "side": membership.side, "letter": letter}
    if membership.side is not None:
        context["chart"] = _chart(campaign, membership, turn if turn.pk else None)
    return Example(context, "No turn has been run yet. The events are invented.")


def _invitation(campaign: Campaign, membership: Membership) -> Example:
    return Example({"membership": membership, "side": membership.side})


def _over(campaign: Campaign, membership: Membership) -> Example:
    closed = campaign.status == Campaign.Status.CLOSED
    reason = "The last day has passed."
    note = "" if closed else "The campaign is not over. The reason is invented; the score is the present one."
    return Example(mails.over_context(campaign, membership, reason), note)


def _battle_of(campaign: Campaign, membership: Membership, *statuses: str) -> Battle | None:
    """A battle in such a state that the computer does not fight, and of which the reader knows."""
    found = Battle.objects.filter(
        contacts__turn__campaign=campaign, status=Battle.Status.READY, roster__isnull=False
    ).exclude(route=Battle.Route.ENGINE)
    if statuses:
        found = found.filter(outcome__status__in=statuses)
    rows = found.listed().distinct().order_by("-when")
    return next((battle for battle in rows if battle_mails.may_hear(membership, battle)), None)


def _awaits(campaign: Campaign, membership: Membership) -> Example:
    proposed = _battle_of(campaign, membership, "proposed")
    if proposed is not None:
        side = proposed.outcome.side
        return Example(battle_mails.battle_context(membership, proposed, battle_mails.CONFIRM, by=side))
    waiting = _battle_of(campaign, membership)
    if waiting is not None:
        stage = battle_mails.FIGHT if membership.side is not None else battle_mails.WAITED
        return Example(battle_mails.battle_context(membership, waiting, stage))
    stage = battle_mails.CONFIRM if membership.side is not None else battle_mails.WAITED
    return _invented_battle(campaign, membership, stage)


def _disputed(campaign: Campaign, membership: Membership) -> Example:
    battle = _battle_of(campaign, membership, "disputed")
    if battle is not None:
        answer = battle.outcome.answers.filter(answer="disputed").last()
        return Example(
            battle_mails.battle_context(
                membership,
                battle,
                battle_mails.DISPUTED,
                reason=answer.reason if answer else "",
                by=answer.side if answer else "",
            )
        )
    return _invented_battle(
        campaign, membership, battle_mails.DISPUTED, reason="Our flagship was hit twice, not once."
    )


def _invented_battle(campaign: Campaign, membership: Membership, stage: str, *, reason: str = "") -> Example:
    """An invented battle between the sides of the campaign, with the reader's first fleet in it."""
    names = dict(campaign.sides.values_list("navy__code", "name"))
    own = membership.side.code if membership.side is not None else ""
    fleets = {
        row.fleet.navy.code: row.fleet.code for row in stations_for(membership)
    }  # one of each side that they see
    battle = Battle(
        code="example", title="Example battle", when=chart_time(campaign.start_date, 24 * campaign.calendar_day + 8),
        route=Battle.Route.TABLE, status=Battle.Status.READY,
    )  # fmt: skip
    place = min(code for code in pure_theatre(campaign.theatre).places)
    contact = Contact(place=place, fleets={side: [code] for side, code in fleets.items()}, battle=battle)
    other = next((code for code in sorted(names) if code != own), "")
    context = battle_mails.context_of(
        membership, battle, contact, sorted(names), stage, reason=reason, by=other, until=_soon()
    )
    return Example(context, "This reader has no battle to deal with. This one is invented.")


def _paused(campaign: Campaign, membership: Membership) -> Example:
    what = "paused" if campaign.status == Campaign.Status.PAUSED else "resumed"
    context = mails.pause_context(campaign, membership, _turn(campaign, open_=True), what, "It is Easter.")
    return Example(context, "The pause and its reason are invented.")


def _failed(campaign: Campaign, membership: Membership) -> Example:
    turn = campaign.turns.filter(phase=Turn.Phase.FAILED).first()
    if turn is not None:
        return Example({"turn": turn, "error": turn.error})
    made, _ = _open_turn(campaign)
    error = "The battle “Off the Gunfleet” was started 3 times, and each time the program stopped before it was done."
    return Example({"turn": made, "error": error}, "No turn has failed. The reason is invented.")


def _word(campaign: Campaign, membership: Membership) -> Example:
    context = {
        "side": membership.side,
        "title": "the site was down for 30 hours",
        "lines": [
            "Turn 3 fell due while the site was down.",
            "All deadlines have been postponed by the length of the outage.",
        ],
        "address": reverse("campaign", args=[campaign.code]),
    }
    return Example(context, "All of this is invented.")


def _reminder(campaign: Campaign, membership: Membership) -> Example:
    turn, invented = _open_turn(campaign)
    fleets = [row.fleet for row in stations_for(membership)]
    given = (
        set(turn.orders.exclude(source__in=("standing", "opening")).values_list("fleet", flat=True))
        if turn.pk
        else set()
    )
    lacking = [fleet for fleet in fleets if fleet.pk not in given]
    if fleets and not lacking:
        lacking, invented = (
            fleets,
            "All this player's fleets have orders. They are listed as if they had none.",
        )
    return Example({"turn": turn, "side": membership.side, "fleets": lacking}, invented)


def _deadline(campaign: Campaign, membership: Membership) -> Example:
    turn, invented = _open_turn(campaign)
    context = {"turn": turn, "side": membership.side, "why": "The umpire's reason: Two of us are on holiday."}
    return Example(context, invented or "The reason is invented.")


def _digest(campaign: Campaign, membership: Membership) -> Example:
    rows = list(
        campaign.notices.filter(recipient=membership.user_id, channel="email", void="").order_by("-written")[
            :5
        ]
    )
    if rows:
        return Example(
            {"rows": rows[::-1], "day": timezone.now()},
            "These are this person's latest emails, not ones waiting for a digest.",
        )
    now = timezone.now()
    made = [Notice(pk=1, campaign=campaign, subject=f"{campaign.name}: example email", written=now)]
    return Example({"rows": made, "day": now}, "This person has had no emails. This one is invented.")


def _morning(campaign: Campaign, membership: Membership) -> Example:
    now = timezone.now()
    told = morning_of(campaign, now)
    note = "" if told.anything else "There is nothing to report today, so this email will not be sent."
    return Example({"told": told, "day": timezone.localtime(now).date(), "turn": told.turn}, note)


def _orders_taken(campaign: Campaign, membership: Membership) -> Example:
    turn, _ = _open_turn(campaign)
    name = next((row.fleet.name for row in stations_for(membership)), "The fleet")
    results = [
        {
            "title": name,
            "taken": True,
            "faults": [],
            "rows": [{"line": "Stance: Seek", "why": "", "clause": ""}],
            "unread": ["All well here."],
        }
    ]
    context = {"turn": turn, "side": membership.side, "refused": "", "results": results, "taken": 1}
    return Example(context, "This player has sent no orders by email. These are invented.")


# Who gets emails of each kind, and how they are made here, by the kind's stem.
EXAMPLES: dict[str, tuple[tuple[str, ...], Maker]] = {
    kinds.TURN_OPENED.stem: (ADMIRALS, _opened),
    kinds.TURN_REPORT.stem: (ADMIRALS, _report),
    kinds.INVITATION.stem: (EVERYBODY, _invitation),
    kinds.UMPIRE_REPORT.stem: (UMPIRES, _report),
    kinds.CAMPAIGN_OVER.stem: (EVERYBODY, _over),
    kinds.BATTLE_AWAITS.stem: (PLAYERS, _awaits),
    kinds.RESULT_DISPUTED.stem: (PLAYERS, _disputed),
    kinds.PAUSED.stem: (EVERYBODY, _paused),
    kinds.WORK_FAILED.stem: (UMPIRES, _failed),
    kinds.WORD.stem: (EVERYBODY, _word),
    kinds.REMINDER.stem: (ADMIRALS, _reminder),
    kinds.DEADLINE.stem: (ADMIRALS, _deadline),
    kinds.DIGEST.stem: (EVERYBODY, _digest),
    kinds.UMPIRE_DIGEST.stem: (UMPIRES, _morning),
    kinds.ORDERS_TAKEN.stem: (ADMIRALS, _orders_taken),
}
