"""How a campaign ends: on its date, at a score, by a decisive objective, or when the umpire closes it. Rules: G.EN1, G.OB3."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.db import transaction

from campaign.accounts import listed, opening, with_article
from campaign.accounts.objectives import ending_in_words
from campaign.accounts.words import side_does
from campaign.calendar import moment
from campaign.models import Campaign, Station, Turn, UmpireAction
from campaign.notices.public import post_of_end
from campaign.pinned.use import rules_of
from campaign.rules.aims.grading import Grade, grade, pooled
from campaign.rules.aims.objectives import decided_by, settle
from campaign.rules.chart.objectives import Row
from campaign.rules.chart.types import Settings
from campaign.rules.state.aims import NEVER, Aims, Tally
from campaign.rules.state.clock import DAY
from campaign.rules.state.documents import event_doc
from campaign.rules.turn.score import decided
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.reports.score import point_sums
from campaign.selectors.turn.coming import calendar_of
from campaign.selectors.turn.facts import aims_of, objectives_of, opening_of, pure_theatre
from campaign.selectors.turn.stored import facts_of, state_of
from campaign.services.mail.notices import notices_of_end
from campaign.services.turn.documents import Kind, documents_thin
from campaign.services.turn.summaries import summaries_write


class EndRefused(ValueError):
    """A campaign that cannot be closed as it stands; the text says why."""


def reason_to_end(campaign: Campaign) -> str:
    """Why a campaign is over as its last turn closes, in a sentence; "" while it goes on. Rules: G.CA5, G.EN1, G.OB3."""
    settings = settings_from(campaign.settings)
    peace = calendar_of(campaign).peace
    if peace:
        return f"Peace has been made. {campaign.calendar_rows.get(code=peace).text}"
    today = moment(campaign.start_date, 24 * campaign.calendar_day).date()
    if settings.end_date and today >= date.fromisoformat(settings.end_date):
        return f"The campaign has reached its last day, {today.day} {today:%B} {today.year}."
    if settings.end_points and (winners := _ahead(campaign, settings)):
        sides = campaign.sides.filter(navy__code__in=winners).values_list("name", flat=True)
        names = opening(listed([with_article(name) for name in sides]))
        verb = "has" if len(winners) == 1 else "have"
        return f"{names} {verb} won with {settings.end_points} points or more."
    for row in _deciding(campaign, settings):
        name = opening(with_article(campaign.sides.get(navy__code=row.side).name))
        return f"{side_does(name, 'has', 'have')} achieved a decisive objective: {row.words.rstrip('.')}."
    return ""


def _ahead(campaign: Campaign, settings: Settings) -> tuple[str, ...]:
    """The side that has the points to win, with its allies where objectives are played; () for none. Rules: G.EN1, G.OB3."""
    allied = [frozenset(pair) for pair in campaign.alliances] if settings.objectives == "on" else []
    scores = rules_of(campaign)(pooled)(point_sums(campaign), allied)
    winner = rules_of(campaign)(decided)({team[0]: points for team, points in scores.items()}, settings)
    return next((team for team in scores if team[0] == winner), ())


def _deciding(campaign: Campaign, settings: Settings) -> list[Row]:
    """Decisive objectives that end the campaign as a turn closes. Rule: G.OB3."""
    held = Station.objects.filter(fleet__navy__book=campaign.book_id, fleet__ended=False).exclude(held_by="")
    sides = set(held.values_list("fleet__navy__code", flat=True))
    return rules_of(campaign)(decided_by)(
        objectives_of(campaign), aims_of(campaign), settings, DAY * campaign.calendar_day, sides
    )


def objectives_settle(*, campaign: Campaign) -> None:
    """Ask the objectives for the last time, as a campaign ends, and pay what is paid at the end: into the reports of its last turn.

    Everyone reads it there, of secret objectives too. A campaign of which no turn was played has nothing to settle, and one that
    ends is settled once. Rules: G.OB1, G.OB2, G.OB4.
    """
    last = campaign.turns.filter(phase=Turn.Phase.CLOSED).order_by("-number").first()
    rows = objectives_of(campaign)
    state = state_of(last) if last is not None else None
    if last is None or state is None or not rows:
        return
    facts, _ = facts_of(last, pure_theatre(campaign.theatre))
    now = replace(
        facts, objectives=rows, opening=opening_of(campaign), settings=settings_from(campaign.settings)
    )
    use = rules_of(last)
    events, aims = use(settle)(now, state)
    reports = list(last.reports.select_related("turn"))
    for report in reports:
        # as in every report of a side, who else knows it is left out
        told = [event_doc(event if report.side_id is None else replace(event, knows=())) for event in events]
        report.events = [*report.events, *told]
        report.save(update_fields=["events"])
    summaries_write(reports=reports)
    campaign.carried = {**campaign.carried, "aims": use(Aims.doc)(aims)}
    campaign.save(update_fields=["carried"])


def grade_of(campaign: Campaign) -> Grade | None:
    """How a campaign ended, by its score and its objectives; None for one that is played without them. Rule: G.OB3."""
    settings, opening = settings_from(campaign.settings), opening_of(campaign)
    played = campaign.turns.filter(phase=Turn.Phase.CLOSED).exists()
    if settings.objectives != "on" or not opening.mark or not played:
        return None
    tallies = aims_of(campaign).tallies
    decisive = {
        row.side
        for row in objectives_of(campaign)
        if row.decisive and tallies.get(row.id, Tally()).achieved != NEVER
    }
    return rules_of(campaign)(grade)(
        point_sums(campaign),
        opening.mark,
        decisive,
        frozenset(frozenset(pair) for pair in campaign.hostility),
        frozenset(frozenset(pair) for pair in campaign.alliances),
        settings,
    )


def campaign_end(*, campaign: Campaign, reason: str) -> None:
    """Close a campaign whose end has come by its own rules. Called in the transaction that closes its last turn. Rule: G.EN1.

    Its objectives have been settled before the last turn was reported.
    """
    _close(campaign, actor="the rules", reason=reason)


def campaign_close(*, campaign: Campaign, umpire: str, reason: str) -> None:
    """The umpire closes a campaign. Its open turn is dropped unplayed; everything written stays readable.

    Raises EndRefused when it is over already, has no reason given, or while a turn is being played. Rules: G.EN1, G.UM1.
    """
    if not reason.strip():
        raise EndRefused("Enter a reason. Everyone can read it in the umpire's log.")
    with transaction.atomic():
        waiting = (Turn.Phase.OPEN, Turn.Phase.HELD, Turn.Phase.FAILED)
        if campaign.turns.exclude(phase__in=(*waiting, Turn.Phase.CLOSED)).exists():
            raise EndRefused("A turn is running. End the campaign when the turn has finished.")
        if (
            not Campaign.objects.filter(pk=campaign.pk)
            .exclude(status=Campaign.Status.CLOSED)
            .update(status=Campaign.Status.CLOSED)
        ):
            raise EndRefused("The campaign is already over.")
        campaign.refresh_from_db()
        objectives_settle(campaign=campaign)
        _close(campaign, actor=umpire, reason=reason.strip())


def _close(campaign: Campaign, *, actor: str, reason: str) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(status=Campaign.Status.CLOSED)
    campaign.refresh_from_db()
    documents_thin(
        turns=Turn.every.filter(campaign=campaign).values_list("pk", flat=True), kinds=(Kind.BOOKS,)
    )
    ended = grade_of(campaign)
    if ended is not None:
        names = dict(campaign.sides.values_list("navy__code", "name"))
        reason = f"{reason}{'' if reason[-1] in '.!?' else '.'} {ending_in_words(ended, opening_of(campaign).mark, names)}"
    UmpireAction.objects.create(campaign=campaign, actor=actor, action="ended the campaign", reason=reason)
    notices_of_end(campaign=campaign, reason=reason)
    post_of_end(campaign=campaign)
