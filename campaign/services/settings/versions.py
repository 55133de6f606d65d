"""The umpire takes a new version of the rules. It comes when the next turn opens; until then nothing changes. Rules: G.FA1, G.UM1.

A turn plays to its end under the rules under which it was locked. What a campaign carries from turn to turn was written by them, and the
new rules take it over as it is, or after the steps in STEPS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.versions import CAMPAIGN, Version
from campaign.models import Campaign
from campaign.notices.public import post_write
from campaign.pinned.pins import Pin, newest, pin_of, taken_by
from campaign.pinned.use import rules_by, schemas_by
from campaign.selectors.turn.ongoing import ongoing_codes
from campaign.services.mail.notices import word_to_all
from campaign.services.umpire_log import SITE, Actor, UmpireRefused, act_log, reason_given
from fleets.services.books import book_play_by


class Step(NamedTuple):
    """What a version of some rules has to change in the rows of a campaign that comes from an older one. It is taken once, in order."""

    name: str
    number: int
    take: Callable[[Campaign], None]


# The documents that a campaign carries have not changed their shape since versions are kept.
STEPS: tuple[Step, ...] = ()


def rules_take(*, campaign: Campaign, umpire: Actor, reason: str, wanted: str) -> Pin:
    """Take the newest version of the rules; it comes when the next turn opens. Everyone is notified. Returns it.

    wanted: the hash of the version that the umpire has read about. Raises UmpireRefused.
    """
    reason = reason_given(reason)
    now, new = pin_of(campaign), newest(campaign.book.rule_set)
    if campaign.status == Campaign.Status.CLOSED:
        raise UmpireRefused(f"{campaign.name} is over. Its rules no longer change.")
    if wanted != new.hash:
        raise UmpireRefused("The site has been updated since you opened this page. Read what changes now.")
    if now.hash == new.hash:
        raise UmpireRefused("The campaign already plays by the newest rules.")
    _refuse_without_step(now, new)
    with transaction.atomic():
        row = Campaign.objects.filter(pk=campaign.pk).exclude(rules_taken=new.doc())
        if not row.update(rules_taken=new.doc(), rules_passed=""):
            raise UmpireRefused(
                "The new version has already been taken. It takes effect when the next turn opens."
            )
        act = act_log(
            campaign=campaign,
            actor=umpire.get_username(),
            action="took a new version of the rules",
            reason=f"{reason} ({new})",
        )
        text = f"From the next turn that opens, the campaign plays by {new}. The turn that is open now is played by the rules so far."
        _tell(campaign, f"rules-{act.pk}", "new rules from the next turn", text, reason)
    campaign.refresh_from_db(fields=["rules_taken", "rules_passed"])
    return new


def rules_keep(*, campaign: Campaign, umpire: Actor, wanted: str) -> None:
    """Stay with the present version: a version that was taken does not come, and the desk no longer mentions the newest.

    wanted: as in `rules_take`. Everyone is notified when a version does not come. Raises UmpireRefused.
    """
    if wanted != newest(campaign.book.rule_set).hash:
        raise UmpireRefused("The site has been updated since you opened this page. Read what changes now.")
    with transaction.atomic():
        was_taken = Campaign.objects.filter(pk=campaign.pk).exclude(rules_taken={}).update(rules_taken={})
        Campaign.objects.filter(pk=campaign.pk).update(rules_passed=wanted)
        if was_taken:
            act = act_log(
                campaign=campaign,
                actor=umpire.get_username(),
                action="kept the rules",
                reason=str(pin_of(campaign)),
            )
            text = f"The campaign stays with {pin_of(campaign)}. The new version does not come."
            _tell(campaign, f"rules-{act.pk}", "the rules stay as they are", text, "")
    campaign.refresh_from_db(fields=["rules_taken", "rules_passed"])


def _tell(campaign: Campaign, event: str, title: str, text: str, reason: str) -> None:
    lines = [text, *([f"The umpire's reason: {reason}"] if reason else [])]
    word_to_all(
        campaign=campaign,
        event=f"{campaign.code}-{event}",
        title=title,
        text="\n".join(lines),
        page="rules_in_force",
    )
    post_write(campaign=campaign, event=f"{campaign.code}-{event}", title=title, text=text)


def _refuse_without_step(now: Pin, new: Pin) -> None:
    """Documents of another shape need a step. Raises UmpireRefused."""
    try:
        same = schemas_by(now) == schemas_by(new)
    except RulesMissing as missing:
        raise UmpireRefused(str(missing)) from missing
    if not same and not any(_steps(now, new)):
        raise UmpireRefused(
            "The new version stores a campaign in another way, and there is no step from the old one. Tell the site administrator."
        )


def _steps(now: Pin, new: Pin) -> list[Step]:
    """The steps from one version to another, in order."""
    bounds: dict[str, tuple[Version, Version]] = {
        now.rule_set.name: (now.rule_set, new.rule_set), CAMPAIGN: (now.chart, new.chart),
    }  # fmt: skip
    return [
        step
        for step in STEPS
        if step.name in bounds and bounds[step.name][0].number < step.number <= bounds[step.name][1].number
    ]


def rules_begin(*, campaign: Campaign) -> None:
    """Begin with the version that was taken; called in the transaction in which a turn opens. Rule: G.UM1.

    It waits while a battle holds fleets: that battle is fought, and its result applied, under the rules that began it.
    """
    new = taken_by(campaign)
    if new is None or ongoing_codes(campaign):
        return
    try:
        rules_by(new)
    except RulesMissing as missing:
        Campaign.objects.filter(pk=campaign.pk).update(rules_taken={})
        act_log(campaign=campaign, actor=SITE, action="kept the rules", reason=str(missing))
    else:
        for step in _steps(pin_of(campaign), new):
            step.take(campaign)
        _pin(campaign, new)
        act_log(campaign=campaign, actor=SITE, action="began with new rules", reason=f"From now on: {new}.")
    campaign.refresh_from_db(fields=["rules_taken"])


def _pin(campaign: Campaign, new: Pin) -> None:
    book_play_by(book=campaign.book, number=new.rule_set.number, fingerprint=new.rule_set.fingerprint)
    campaign.chart_version, campaign.chart_rules = new.chart.number, new.chart.fingerprint
    campaign.rules_taken = {}
    campaign.save(update_fields=["chart_version", "chart_rules", "rules_taken"])
