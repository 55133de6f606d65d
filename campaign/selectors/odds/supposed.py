"""Which ships an enemy of whom only a report is known may have: those of the registers. Rules: G.IN1, G.CO1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from battles.engine import registry
from battles.engine.core.crews import complement
from battles.engine.core.scenario import ShipFacts
from campaign.models import Campaign
from campaign.rules.chart.types import ShipKind
from campaign.selectors.turn.sheets import ship_kind
from fleets.facts import facts_document, facts_from
from fleets.selectors.registers import facts_of_nations

# What a report without kinds is taken to be: traders are no one's battle fleet.
FIGHTING = frozenset(ShipKind) - {ShipKind.MERCHANT}


class Supposed(NamedTuple):
    """A ship that may be there. ship: as a scenario document has it."""

    kind: ShipKind
    ship: dict[str, Any]


def ships_supposed(
    campaign: Campaign, side: str, enemies: Sequence[str], kinds: Iterable[str]
) -> list[Supposed]:
    """The ships that a contact may have, by kind. kinds: those reported, () for none told; enemies: sides at war with the asker's.

    They are those of the enemies' nations in the registers from which the asker's own ships come: those of the enemy's own ships are not
    looked at. Where these list none of a kind, the asker's own of that kind stand for it, as admirals reckon (G.CO1).
    """
    told = {ShipKind(kind) for kind in kinds}
    sides = campaign.sides.select_related("navy")
    nations = {nation for row in sides if row.code in enemies for nation in row.nations}
    own = campaign.book.ships.filter(built_for__code=side)
    registers = own.exclude(entry=None).values_list("entry__register", flat=True)
    listed = list(_fit(campaign, facts_of_nations(registers, nations, campaign.book.rule_set)))
    ours = list(_fit(campaign, (facts_from(row.facts) for row in own.order_by("code"))))
    found = []
    for kind in sorted(told or FIGHTING):
        theirs = [facts for facts in listed if ship_kind(facts.ship_type) is kind]
        if not theirs and (told or not listed):
            theirs = [facts for facts in ours if ship_kind(facts.ship_type) is kind]
        found += [(kind, facts) for facts in theirs]
    return [Supposed(kind, _ship(number, facts)) for number, (kind, facts) in enumerate(found, 1)]


def _fit(campaign: Campaign, rows: Iterable[ShipFacts]) -> Iterator[ShipFacts]:
    """Those that have been launched, and of which the campaign's rules can make a card."""
    rules, year = registry.rule_set(campaign.book.rule_set), int(campaign.start_date[:4])
    for facts in rows:
        if facts.year_built is not None and facts.year_built > year:
            continue
        try:
            rules.card(facts)
        except ValueError:
            continue
        yield facts


def _ship(number: int, facts: ShipFacts) -> dict[str, Any]:
    men, _ = complement(facts, year=facts.year_served)
    return {
        "id": f"X{number:03d}", "name": facts.name or f"Ship {number}", "facts": facts_document(facts), "complement": men, "men": men,
        "captain": "", "prize": False, "condition": None,
    }  # fmt: skip
