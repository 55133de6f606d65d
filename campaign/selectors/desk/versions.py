"""The versions of the rules that a campaign plays by, and the newer ones that its umpire can take. Rules: G.FA1, G.UM1."""

from __future__ import annotations

from dataclasses import dataclass

from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.versions import Version, notes_between, rules_in_words
from campaign.models import Campaign
from campaign.pinned.pins import Pin, newest, pin_of, taken_by
from campaign.pinned.use import rules_of
from campaign.selectors.turn.ongoing import ongoing_codes


@dataclass(frozen=True, slots=True)
class Change:
    """A version that would take another's place. title: of the rules; notes: what plays otherwise, a sentence each."""

    title: str
    old: Version
    new: Version
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Versions:
    """What a campaign plays by. newest: today's; taken: what comes when a turn opens. passed: the umpire does not want the newest.

    fights: a battle holds fleets. missing: why its rules cannot be played, "" if they can.
    """

    now: Pin
    newest: Pin
    taken: Pin | None
    passed: bool
    fights: bool
    missing: str

    @property
    def offered(self) -> bool:
        """Whether the umpire can take a newer version."""
        return self.now.hash != self.newest.hash and (
            self.taken is None or self.taken.hash != self.newest.hash
        )

    @property
    def changes(self) -> list[Change]:
        """What changes with the newest version: first in battles, then on the chart."""
        rows = ((self.now.rule_set, self.newest.rule_set), (self.now.chart, self.newest.chart))
        return [
            Change(rules_in_words(old.name), old, new, notes_between(old.name, old.number, new.number))
            for old, new in rows
            if old != new
        ]


def versions_of(campaign: Campaign) -> Versions:
    """The versions of a campaign's rules. No query of its own but for the book."""
    missing = ""
    try:
        rules_of(campaign)
    except RulesMissing as error:
        missing = str(error)
    now, today = pin_of(campaign), newest(campaign.book.rule_set)
    return Versions(
        now,
        today,
        taken_by(campaign),
        campaign.rules_passed == today.hash,
        bool(ongoing_codes(campaign)),
        missing,
    )
