"""The versions that a campaign or a turn plays by: of its rule set and of the chart's rules. Rules: G.FA1, G.UM1.

A campaign's are written on its book and on itself. A turn takes them when it is locked, as the hash of both, and keeps them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.versions import (
    CAMPAIGN,
    Version,
    listed,
    rules_in_words,
)
from battles.engine.pinned.versions import newest as newest_of_set
from campaign.models import Campaign, Turn
from campaign.rules.turn.fingerprint import chart_hash
from fleets.pins import version_of_book


@dataclass(frozen=True, slots=True)
class Pin:
    """The versions that are played by."""

    rule_set: Version
    chart: Version

    @property
    def hash(self) -> str:
        """As a turn stores it: SHA-256 over both fingerprints; 64 hexadecimal digits."""
        return hashlib.sha256((self.chart.fingerprint + self.rule_set.fingerprint).encode()).hexdigest()

    def __str__(self) -> str:
        rules = (self.rule_set, self.chart)
        return " and ".join(
            f"version {row.number or row.fingerprint[:12]} of {rules_in_words(row.name)}" for row in rules
        )

    def doc(self) -> dict[str, Any]:
        """As a JSON document."""
        return {row.name: [row.number, row.fingerprint] for row in (self.rule_set, self.chart)}

    @classmethod
    def read(cls, doc: dict[str, Any], rule_set: str) -> Pin:
        """Read back what `doc` wrote."""
        return cls(Version(rule_set, *doc[rule_set]), Version(CAMPAIGN, *doc[CAMPAIGN]))


def newest(rule_set: str) -> Pin:
    """Today's rules."""
    return Pin(newest_of_set(rule_set), Version(CAMPAIGN, listed(CAMPAIGN)[0].number, chart_hash()))


def pin_of(campaign: Campaign) -> Pin:
    """What a campaign plays by. What was never written down is today's."""
    book, now = campaign.book, newest(campaign.book.rule_set)
    own = version_of_book(book) if book.rules_hash else now.rule_set
    chart = (
        Version(CAMPAIGN, campaign.chart_version, campaign.chart_rules) if campaign.chart_rules else now.chart
    )
    return Pin(own, chart)


def taken_by(campaign: Campaign) -> Pin | None:
    """What the umpire has taken and comes when a turn opens; None for nothing."""
    return Pin.read(campaign.rules_taken, campaign.book.rule_set) if campaign.rules_taken else None


def pin_of_turn(turn: Turn) -> Pin:
    """What a turn is played by: what it was locked under, else what its campaign plays by. Raises RulesMissing."""
    campaign = turn.campaign
    if not turn.rules_hash:
        return pin_of(campaign)
    for pin in (pin_of(campaign), newest(campaign.book.rule_set), *_listed(campaign.book.rule_set)):
        if pin.hash == turn.rules_hash:
            return pin
    raise RulesMissing(
        f"Turn {turn.number} was played under rules ({turn.rules_hash[:12]}) that this site has never had. "
        "Update the site to the release that has them."
    )


def _listed(rule_set: str) -> Iterator[Pin]:
    """Every pair of versions that change notes name, the newest first."""
    for chart in listed(CAMPAIGN):
        for own in listed(rule_set):
            yield Pin(
                Version(rule_set, own.number, own.fingerprint),
                Version(CAMPAIGN, chart.number, chart.fingerprint),
            )
