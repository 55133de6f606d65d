"""The kinds of chart event: what each carries, and which texts take it.

This is the one list of them. Whatever tells of events (report, email, story, chronicle, forecast of a result) asks it, so a new kind is
entered here and gets its sentence in `campaign.accounts`. Text is made from the data by whoever shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto


class Part(Enum):
    """The part of a turn's email that tells of an event. OWN: a part of its own (battles, sightings), or none for what is too small."""

    REFUSED = auto()
    PRIZES = auto()
    YARDS = auto()
    MOVEMENTS = auto()
    NEWS = auto()
    OWN = auto()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event.

    fields: names of the data that an event may carry, beside `near`. part: of the email. weighty: a reader wants it first. routine: the
    daily work of a fleet, too small for the chronicle. small: too small for the story of a turn as well. fate: what has become of a ship.
    of_result: told to who previews what a battle's result would do.
    """

    fields: tuple[str, ...]
    part: Part = Part.NEWS
    weighty: bool = False
    routine: bool = False
    small: bool = False
    fate: bool = False
    of_result: bool = False


# Entered into events of one side that have no place of their own. Rule: G.IN2.
NEAR = "near"
EVENT_KINDS: Mapping[str, Kind] = {
    # the wind of a zone shifts, freshens or falls, or the visibility changes
    "weather": Kind(("zone", "wind_from", "strength", "visibility"), Part.OWN, routine=True, small=True),
    # a gale begins in a zone
    "gale": Kind(("zone", "wind_from", "strength", "visibility"), weighty=True),
    # an order is refused with its reason; the fleet carries on under its last good one
    "order_refused": Kind(("fleet", "faults"), Part.REFUSED, weighty=True, routine=True),
    # a fleet gets under way
    "sailed": Kind(("fleet", "place", "to"), Part.MOVEMENTS, routine=True),
    # a fleet passes a place of its route
    "passed": Kind(("fleet", "place"), Part.OWN, routine=True, small=True),
    # a fleet comes to the end of its route
    "arrived": Kind(("fleet", "place"), Part.MOVEMENTS, routine=True),
    # a fleet sights strange sail: the report says what it saw
    "sighted": Kind(
        ("fleet", "number", "latitude", "longitude", "course", "band", "kinds", "equal"),
        Part.OWN,
        weighty=True,
        routine=True,
    ),
    # a fleet has lost sight of a contact
    "touch_lost": Kind(("fleet", "number"), Part.OWN, routine=True),
    # a fleet steers for an enemy it has seen
    "chase": Kind(("fleet", "number", "range"), Part.OWN, routine=True),
    # a chase is over without a battle, and why
    "chase_ended": Kind(("fleet", "why"), Part.MOVEMENTS, routine=True),
    # night falls on fleets in contact: who tries to be gone, and the die
    "night": Kind(("fleet", "fleets", "face", "away"), Part.MOVEMENTS, routine=True),
    # a fleet is away in the night
    "escaped": Kind(("fleet", "until"), Part.MOVEMENTS, weighty=True),
    # fleets in contact part by mutual wish
    "parted": Kind(("fleets",), Part.MOVEMENTS, weighty=True, routine=True, of_result=True),
    # a battle begins
    "battle": Kind(("battle", "place", "fleets", "gauge", "surprised", "coming"), Part.OWN, weighty=True),
    # a battle is fought by orders or on the table: its fleets are off the chart until it is written
    "battle_held": Kind(("battle", "place"), Part.OWN),
    # a battle is over: why, how long, who holds the field
    "battle_ended": Kind(("battle", "ended", "turns", "minutes", "held_field"), Part.OWN, weighty=True),
    # a ship is taken
    "captured": Kind(
        ("ship", "side", "captor", "captor_ship", "ships", "prisoners", "battle", "fate"),
        Part.OWN,
        weighty=True,
        fate=True,
        of_result=True,
    ),
    # a prize comes back to her own side
    "retaken": Kind(
        ("ship", "side", "captor", "captor_ship", "ships", "prisoners", "battle", "fate"),
        Part.OWN,
        weighty=True,
        fate=True,
        of_result=True,
    ),
    # a ship is lost, and how
    "lost": Kind(
        ("ship", "side", "fate", "cause", "place", "fleet", "battle"),
        Part.OWN,
        weighty=True,
        fate=True,
        of_result=True,
    ),
    # a named officer is killed, wounded, captured or drowned
    "officer": Kind(
        ("name", "ship", "fate", "side", "ships", "face", "battle", "said", "hurt"),
        weighty=True,
        of_result=True,
    ),
    # ships in company save people of a ship that goes down: how many each
    "taken_up": Kind(("ship", "side", "men", "by", "fleet", "place", "ships")),
    # people of a wreck come ashore: among friends, in the enemy's hands, or on a neutral coast
    "castaways": Kind(
        ("ship", "side", "people", "men", "shore", "captor", "place", "port", "ships"),
        weighty=True,
        of_result=True,
    ),
    # a fleet meets a gale: the dice of its damaged ships, and who founders
    "rode_out": Kind(("fleet", "zone", "thrown", "foundered")),
    # a squadron or a ship parts company in a gale, and makes for the rendezvous
    "parted_company": Kind(("fleet", "parent", "ships", "miles", "name"), Part.MOVEMENTS),
    # a fleet sails on without the ships that can neither sail nor be towed
    "left_behind": Kind(("fleet", "parent", "name", "ships", "place"), Part.MOVEMENTS, routine=True),
    # deep ships have taken the ground on a shoal coast
    "aground": Kind(("fleet", "parent", "place", "name", "ships"), Part.MOVEMENTS),
    # the tide has floated a ship off
    "refloated": Kind(("fleet", "ship", "ships", "place"), Part.MOVEMENTS, routine=True),
    # prisoners rise upon the crew of a prize: the die, and who has her now
    "rose": Kind(("ship", "face", "won", "side", "captor", "ships", "prisoners", "guard"), Part.PRIZES),
    # a fleet sends prizes and cripples to a port
    "sent_in": Kind(("fleet", "parent", "name", "place", "ships"), Part.PRIZES, routine=True),
    # a neutral port interns a fleet that has outstayed its shelter
    "interned": Kind(("fleet", "place", "ships"), Part.MOVEMENTS),
    # what has parted company is with its fleet again
    "rejoined": Kind(("fleet", "parted", "ships"), Part.MOVEMENTS, routine=True),
    # a fleet has no ship left
    "fleet_ended": Kind(("fleet",), Part.MOVEMENTS, weighty=True, routine=True, of_result=True),
    # ships leave their fleet by order, and are a fleet of their own
    "detached": Kind(("fleet", "parent", "name", "ships", "place"), Part.MOVEMENTS, routine=True),
    # ships go over to another fleet in company
    "transferred": Kind(("fleet", "giver", "ships"), Part.MOVEMENTS, routine=True),
    # a fleet has come off the port that it blockades or is to attack
    "lies_off": Kind(("fleet", "place"), Part.MOVEMENTS, routine=True),
    # weather drives a blockader to its shelter
    "driven_off": Kind(("fleet", "place", "shelter"), Part.MOVEMENTS),
    # a fleet slips out of a blockaded port: the die
    "slipped_out": Kind(("fleet", "place", "face"), Part.MOVEMENTS),
    # a fleet that leaves a blockaded port is met by the blockader
    "met_off_port": Kind(("fleet", "place", "face"), Part.MOVEMENTS),
    # a fleet goes in to attack a port
    "port_attacked": Kind(("fleet", "place"), Part.MOVEMENTS),
    # a port of one's own is attacked
    "port_assailed": Kind(("place", "attacker"), Part.MOVEMENTS),
    # the guard of a port fires on who attacks it: hits by ship
    "guard_fired": Kind(("fleet", "place", "guard", "hits"), Part.MOVEMENTS),
    # ships of a convoy have come to their destination, and what their cargo is worth
    "convoy_delivered": Kind(("fleet", "side", "place", "ships", "value"), Part.MOVEMENTS),
    # a general chase sends the faster ships ahead
    "sent_ahead": Kind(("fleet", "parent", "name", "ships"), Part.MOVEMENTS, routine=True),
    # a fleet that is chased leaves its slowest ships behind
    "left_astern": Kind(("fleet", "parent", "name", "ships", "place"), Part.MOVEMENTS, routine=True),
    # a prize is burnt by her captors
    "burnt_at_sea": Kind(("ship", "side", "ships", "place"), Part.PRIZES),
    # a prize is let go with her own people
    "let_go": Kind(("ship", "side", "captor", "ships"), Part.PRIZES),
    # a yard takes a ship in hand, or lets her wait for a berth: when she is to be ready
    "yard_dated": Kind(
        ("ship", "side", "place", "berth", "hull", "masts", "batteries", "ready", "was", "days", "fresh"),
        Part.YARDS,
        routine=True,
    ),
    # a ship in a yard is to be ready at another time than was said
    "yard_redated": Kind(
        ("ship", "side", "place", "berth", "hull", "masts", "batteries", "ready", "was", "days", "fresh"),
        Part.YARDS,
        routine=True,
    ),
    # a ship leaves a yard with her work undone
    "yard_left": Kind(("ship", "side", "place", "ships"), Part.YARDS, routine=True),
    # a fleet sails without the ships that lie in a yard, before the court, or have too few men
    "left_in_yard": Kind(("fleet", "parent", "place", "name", "ships"), Part.YARDS, routine=True),
    # a yard has made a ship whole
    "repaired": Kind(("ship", "side", "place", "ships", "hull", "masts", "batteries"), Part.YARDS),
    # a ship has mended something with what is aboard
    "mended_at_sea": Kind(("ship", "side", "ships", "mast", "hull"), Part.YARDS, routine=True),
    # a prize has come in and lies before the prize court
    "prize_in_port": Kind(("ship", "side", "place", "ships", "ready", "days"), Part.PRIZES, routine=True),
    # a prize court has condemned a ship: what she is worth
    "condemned": Kind(("ship", "side", "place", "pounds", "head_money", "ships"), Part.PRIZES),
    # a prize is bought into service, by her old name or a new one
    "prize_bought": Kind(("ship", "side", "place", "pounds", "ships", "name", "former"), Part.PRIZES),
    # a prize is sold
    "prize_sold": Kind(("ship", "side", "place", "pounds", "ships"), Part.PRIZES),
    # a prize is made a hulk
    "prize_hulked": Kind(("ship", "side", "place", "pounds", "ships"), Part.PRIZES),
    # a condemned prize is burnt
    "burnt_in_port": Kind(("ship", "side", "place", "pounds", "ships"), Part.YARDS),
    # a prize goes back to her old side for her value
    "prize_exchanged": Kind(("ship", "side", "place", "pounds", "ships", "at"), Part.PRIZES),
    # who retook a ship is paid for it
    "salvage": Kind(("ship", "side", "pounds", "ships"), Part.PRIZES, routine=True),
    # prisoners are brought ashore
    "prisoners_landed": Kind(("ship", "side", "place", "captor", "men"), routine=True),
    # two sides exchange prisoners, man for man
    "exchanged": Kind(("sides", "men")),
    # men come aboard in a port: recruited, bought by bounty, or from ashore
    "recruited": Kind(("side", "place", "men", "joined", "bought", "ships"), routine=True),
    # men go over from one ship to another
    "men_moved": Kind(("ship", "other", "side", "men", "ships"), routine=True),
    # a fleet without provisions loses people and makes for a port
    "hunger": Kind(("fleet", "place", "thrown", "men")),
    # a wounded officer is fit for duty
    "officer_fit": Kind(("name", "side", "ship", "ships"), routine=True),
    # an officer takes command of a ship
    "officer_takes": Kind(("name", "side", "ship", "ships"), routine=True),
    # an officer hoists his flag in a squadron's flagship
    "officer_hoists": Kind(("name", "side", "ship", "ships", "place"), routine=True),
    # a side's orders ashore are refused with their reasons; the last good ones stand
    "side_order_refused": Kind(("side", "faults"), Part.REFUSED, routine=True),
    # both fleets mean to go on with a battle that has ended
    "renewed": Kind(("fleets",), Part.OWN, routine=True, of_result=True),
}


def check(kind: str, data: Mapping[str, object]) -> None:
    """Raises KeyError for a kind that nobody could tell of, and for data that the kind does not carry."""
    if kind not in EVENT_KINDS:
        raise KeyError(f"{kind!r} is no kind of event")
    unknown = data.keys() - EVENT_KINDS[kind].fields
    if unknown:
        raise KeyError(f"an event {kind!r} carries no {', '.join(sorted(unknown))}")
