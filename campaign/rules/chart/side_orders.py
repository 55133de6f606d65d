"""What a side's admiral shore orders in a turn: yards, prizes, men, prisoners. Rules: G.RP2, G.RP3, G.PR4, G.PR5.

A standing order carries over: what has been done is struck off it, the rest goes on until the admiral changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any


class PrizeAct(StrEnum):
    """What becomes of a condemned prize. Rule: G.PR4."""

    BUY = "buy"
    SELL = "sell"
    HULK = "hulk"
    BURN = "burn"
    EXCHANGE = "exchange"


@dataclass(frozen=True, slots=True)
class PrizeChoice:
    """What a side means to do with a prize once she is condemned. name: a new one for a ship bought in, "" to keep hers."""

    ship: str
    act: PrizeAct
    name: str = ""


@dataclass(frozen=True, slots=True)
class MenMove:
    """Men to go from one ship to another in company at the next 06:00. Rule: G.RP3."""

    from_ship: str
    to_ship: str
    men: int


@dataclass(frozen=True, slots=True)
class GroupOrders:
    """A side's standing orders for groups. Rule: G.KT2.

    stragglers: rejoin, port or wait. cripples: yard, port or fleet (stay with it). prize_port: code, "" for the nearest that no enemy
    watches. burn_under: pounds below which a prize is burnt, 0 for none. escort: none or frigate, for 3 cripples or more.
    """

    stragglers: str = "rejoin"
    cripples: str = "yard"
    prize_port: str = ""
    burn_under: int = 0
    escort: str = "none"


GROUP_CHOICES: Mapping[str, tuple[str, ...]] = {
    "stragglers": ("rejoin", "port", "wait"),
    "cripples": ("yard", "port", "fleet"),
    "escort": ("none", "frigate"),
}


@dataclass(frozen=True, slots=True)
class SideOrder:
    """Orders of a side ashore.

    queue: ships committed to the yards, first served first; one at sea joins the queue of the first own port she lies in. choices:
    of prizes. recruits: ships that get men first. bounty: men to be bought at a port beyond its levy. moves: men between ships.
    exchange: own prisoners wanted back from a side, man for man. ransom: own ships in enemy hands that it would pay for. groups:
    what they do by themselves; in_hand: groups that have orders of their own instead; musters: fleets that are to fill up their small
    squadrons (G.KT2, G.KT3).
    """

    side: str
    queue: tuple[str, ...] = ()
    choices: tuple[PrizeChoice, ...] = ()
    recruits: tuple[str, ...] = ()
    bounty: Mapping[str, int] = field(default_factory=dict)
    moves: tuple[MenMove, ...] = ()
    exchange: Mapping[str, int] = field(default_factory=dict)
    ransom: tuple[str, ...] = ()
    groups: GroupOrders = field(default_factory=GroupOrders)
    in_hand: tuple[str, ...] = ()
    musters: tuple[str, ...] = ()

    def choice(self, ship: str) -> PrizeChoice | None:
        """What is to be done with a prize, None when nothing has been said."""
        return next((choice for choice in self.choices if choice.ship == ship), None)

    def without(self, ship: str) -> SideOrder:
        """The order with nothing more to do for a prize that has been disposed of."""
        return replace(self, choices=tuple(choice for choice in self.choices if choice.ship != ship))


def side_order_doc(order: SideOrder) -> dict[str, Any]:
    """As a JSON document."""
    return {
        "side": order.side,
        "queue": list(order.queue),
        "choices": [[choice.ship, choice.act.value, choice.name] for choice in order.choices],
        "recruits": list(order.recruits),
        "bounty": dict(sorted(order.bounty.items())),
        "moves": [[move.from_ship, move.to_ship, move.men] for move in order.moves],
        "exchange": dict(sorted(order.exchange.items())),
        "ransom": list(order.ransom),
        "groups": asdict(order.groups),
        "in_hand": list(order.in_hand),
        "musters": list(order.musters),
    }


def side_order_from(doc: Mapping[str, Any]) -> SideOrder:
    """Read back what `side_order_doc` wrote; what a document leaves out is empty. Raises ValueError for an unknown act."""
    return SideOrder(
        side=doc["side"],
        queue=tuple(doc.get("queue", ())),
        choices=tuple(PrizeChoice(ship, PrizeAct(act), name) for ship, act, name in doc.get("choices", ())),
        recruits=tuple(doc.get("recruits", ())),
        bounty=dict(doc.get("bounty", {})),
        moves=tuple(MenMove(*row) for row in doc.get("moves", ())),
        exchange=dict(doc.get("exchange", {})),
        ransom=tuple(doc.get("ransom", ())),
        groups=GroupOrders(**doc.get("groups", {})),
        in_hand=tuple(doc.get("in_hand", ())),
        musters=tuple(doc.get("musters", ())),
    )
