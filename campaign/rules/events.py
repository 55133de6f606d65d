"""The kinds of chart event, each with what it tells; text is made from the data by whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_KINDS: Mapping[str, str] = {
    "weather": "the wind of a zone shifts, freshens or falls, or the visibility changes",
    "gale": "a gale begins in a zone",
    "order_refused": "an order is refused with its reason; the fleet carries on under its last good one",
    "sailed": "a fleet gets under way",
    "passed": "a fleet passes a place of its route",
    "arrived": "a fleet comes to the end of its route",
    "sighted": "a fleet sights strange sail: the report says what it saw",
    "touch_lost": "a fleet has lost sight of a contact",
    "chase": "a fleet steers for an enemy it has seen",
    "chase_ended": "a chase is over without a battle, and why",
    "night": "night falls on fleets in contact: who tries to be gone, and the die",
    "escaped": "a fleet is away in the night",
    "parted": "fleets in contact part by mutual wish",
    "battle": "a battle begins",
    "battle_held": "a battle is fought by orders or on the table: its fleets are off the chart until it is written",
    "battle_ended": "a battle is over: why, how long, who holds the field",
    "captured": "a ship is taken",
    "retaken": "a prize comes back to her own side",
    "lost": "a ship is lost, and how",
    "officer": "a named officer is killed, wounded or captured",
    "rode_out": "a fleet meets a gale: the dice of its damaged ships, and who founders",
    "parted_company": "a squadron or a ship parts company in a gale, and makes for the rendezvous",
    "left_behind": "a fleet sails on without the ships that can neither sail nor be towed",
    "aground": "deep ships have taken the ground on a shoal coast",
    "refloated": "the tide has floated a ship off",
    "rose": "prisoners rise upon the crew of a prize: the die, and who has her now",
    "sent_in": "a fleet sends prizes and cripples to a port",
    "interned": "a neutral port interns a fleet that has outstayed its shelter",
    "rejoined": "what has parted company is with its fleet again",
    "fleet_ended": "a fleet has no ship left",
    "renewed": "both fleets mean to go on with a battle that has ended",
}
