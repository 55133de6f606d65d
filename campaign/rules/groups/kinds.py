"""What makes a group: stragglers, cripples, prizes; how what parts from a fleet is told apart, and what it is called. Rule: G.KT1."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from campaign.rules.ashore.yards import refit_of
from campaign.rules.chart.types import TurnFacts
from campaign.rules.sailing.parting import group_of, part
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart, Hull

STRAGGLERS, CRIPPLES, PRIZES = "stragglers", "cripples", "prizes"
_CALLED = {STRAGGLERS: "Stragglers", CRIPPLES: "Cripples", PRIZES: "Prizes"}


def in_groups(chart: Chart) -> bool:
    """Whether what parts from a fleet makes groups that sail by themselves. Rule: G.KT1."""
    return chart.facts.settings.fragments == "one group"


def sails_by_itself(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet is a group that its admiral has not taken in hand. Rule: G.KT2."""
    return bool(fleet.group) and fleet.code not in chart.state.economy.order(fleet.side).in_hand


def group_in_facts(facts: TurnFacts, code: str) -> bool:
    """Whether a fleet opens the turn as a group that no one has taken in hand. Rule: G.KT2."""
    if not facts.carried.get("fleets", {}).get(code, {}).get("group"):
        return False
    side = facts.fleets[code].side
    given = facts.side_orders.get(side)
    if given is not None:
        return code not in given.in_hand
    standing = facts.carried.get("economy", {}).get("orders", ())
    return not any(row["side"] == side and code in row.get("in_hand", ()) for row in standing)


def lamed(chart: Chart, ship: ShipState, hull: Hull, knots: int) -> bool:
    """Whether a ship that parts counts as a cripple: so much of its hull gone, a mast, or half its fleet's speed.

    hull: what it brings to a fleet's speed; knots: of the fleet that it leaves, in thousandths. Rule: G.KT1.
    """
    if badly_hurt(chart, ship) or refit_of(chart, ship).work.masts > 0:
        return True
    return 2 * hull.knots * hull.factor < knots


def worst_loss(chart: Chart, ship: ShipState) -> Fraction:
    """Share of its hull that a ship has lost, or of its value, whichever is more: without guns it is no use at sea. Rule: G.KT2."""
    card = chart.facts.ships[ship.code].card
    hull, whole = chart.at_sea.hull_fraction(card, ship.condition), chart.at_sea.whole_value(card)
    return max(hull, 1 - chart.at_sea.value(card, ship.condition) / whole) if whole else hull


def badly_hurt(chart: Chart, ship: ShipState) -> bool:
    """Whether a ship has lost the share of its hull, or of its value, that makes a cripple. Rules: G.KT1, G.KT2, G.MV5."""
    return 100 * worst_loss(chart, ship) >= chart.facts.settings.cripple_percent


def sorted_out(
    chart: Chart, fleet: FleetState, leaving: Sequence[ShipState]
) -> list[tuple[str, list[ShipState]]]:
    """What leaves a fleet as at most two groups, stragglers first; prizes go with the cripples. Rule: G.KT1."""
    gone = {ship.code for ship in leaving}
    hulls = {
        s.code: hull for s, hull in zip(chart.ships_of(fleet.code), chart.hulls(fleet.code), strict=True)
    }
    knots = min(
        (int(hull.knots * hull.factor) for code, hull in hulls.items() if code not in gone and hull.factor),
        default=0,
    )
    cripples = [ship for ship in leaving if ship.prize or lamed(chart, ship, hulls[ship.code], knots)]
    sound = [ship for ship in leaving if ship not in cripples]
    return [(kind, ships) for kind, ships in ((STRAGGLERS, sound), (CRIPPLES, cripples)) if ships]


def make_group(chart: Chart, fleet: FleetState, ships: Sequence[ShipState], kind: str) -> FleetState:
    """Let ships part from a fleet as a group. One that parts alone goes by its ship's name. Rules: G.KT1, G.MV4."""
    alone = ships[0] if len(ships) == 1 else None
    name = chart.facts.ships[alone.code].name if alone else group_of(chart, _CALLED[kind], fleet)
    group = part(chart, fleet, ships, name=name, home=alone.squadron if alone else "")
    return chart.alter(group, group=kind)


def changed_kind(chart: Chart, group: FleetState) -> str:
    """What a group is now: cripples that are whole again, and prizes that have been bought in, are stragglers. Rule: G.KT2."""
    ships = chart.ships_of(group.code)
    if any(chart.moored(ship) for ship in ships):
        return group.group
    if group.group == CRIPPLES:
        hulls = chart.hulls(group.code)
        fit = all(h.factor > 0 for h in hulls) and not any(ship.prize for ship in ships)
        hurt = any(badly_hurt(chart, ship) or refit_of(chart, ship).work.masts for ship in ships)
        return STRAGGLERS if fit and not hurt else CRIPPLES
    if group.group == PRIZES and not any(ship.prize for ship in ships):
        return STRAGGLERS
    return group.group
