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
_FATE = ("ship", "side", "captor", "captor_ship", "ships", "prisoners", "battle", "fate", "place")
_YARD = ("ship", "side", "place", "berth", "hull", "masts", "batteries", "ready", "was", "days", "fresh")
_CASE = ("ship", "side", "place", "pounds", "ships")
_PART = ("fleet", "parent", "name", "ships", "place")
_OFFICER = ("name", "side", "ship", "ships")
_BOATS = ("fleet", "side", "place", "men", "ashore")
_WIND = ("zone", "wind_from", "strength", "visibility")
EVENT_KINDS: Mapping[str, Kind] = {
    "weather": Kind(_WIND, Part.OWN, routine=True, small=True),
    "gale": Kind(_WIND, weighty=True),
    "order_refused": Kind(("fleet", "faults"), Part.REFUSED, weighty=True, routine=True),
    "sailed": Kind(("fleet", "place", "to"), Part.MOVEMENTS, routine=True),
    "passed": Kind(("fleet", "place"), Part.OWN, routine=True, small=True),
    "arrived": Kind(("fleet", "place"), Part.MOVEMENTS, routine=True),
    # by a fleet, or from the shore of a place
    "sighted": Kind(
        (
            "fleet",
            "place",
            "number",
            "latitude",
            "longitude",
            "course",
            "band",
            "kinds",
            "equal",
            "perhaps",
            "times",
        ),
        Part.OWN,
        weighty=True,
        routine=True,
    ),
    # times: what was gained and lost again soon after (G.IG2). into: the contact that it is seen to join
    "touch_lost": Kind(("fleet", "number", "into", "times"), Part.OWN, routine=True),
    "chase": Kind(("fleet", "number", "range"), Part.OWN, routine=True),
    "chase_ended": Kind(("fleet", "why"), Part.MOVEMENTS, routine=True),
    "night": Kind(("fleet", "fleets", "face", "away"), Part.MOVEMENTS, routine=True),
    "escaped": Kind(("fleet", "until"), Part.MOVEMENTS, weighty=True),
    # fleets in contact part by mutual wish
    "parted": Kind(("fleets",), Part.MOVEMENTS, weighty=True, routine=True, of_result=True),
    "battle": Kind(("battle", "place", "fleets", "gauge", "surprised", "coming"), Part.OWN, weighty=True),
    # a battle is fought by orders or on the table: its fleets are off the chart until it is written
    "battle_held": Kind(("battle", "place"), Part.OWN),
    "battle_ended": Kind(("battle", "ended", "turns", "minutes", "held_field"), Part.OWN, weighty=True),
    "captured": Kind(_FATE, Part.OWN, weighty=True, fate=True, of_result=True),
    "retaken": Kind(_FATE, Part.OWN, weighty=True, fate=True, of_result=True),
    "lost": Kind(
        ("ship", "side", "fate", "cause", "place", "fleet", "battle", "by"),
        Part.OWN,
        weighty=True,
        fate=True,
        of_result=True,
    ),
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
    "parted_company": Kind(("fleet", "parent", "ships", "miles", "name"), Part.MOVEMENTS),
    "left_behind": Kind(_PART, Part.MOVEMENTS, routine=True),
    "aground": Kind(("fleet", "parent", "place", "name", "ships"), Part.MOVEMENTS),
    "refloated": Kind(("fleet", "ship", "ships", "place"), Part.MOVEMENTS, routine=True),
    # prisoners rise upon the crew of a prize: the die, and who has her now
    "rose": Kind(("ship", "face", "won", "side", "captor", "ships", "prisoners", "guard"), Part.PRIZES),
    "sent_in": Kind(("fleet", "parent", "name", "place", "ships"), Part.PRIZES, routine=True),
    # a neutral port interns a fleet that has outstayed its shelter
    "interned": Kind(("fleet", "place", "ships"), Part.MOVEMENTS),
    # small squadrons are broken up, and their ships go into others
    "mustered": Kind(("fleet", "place", "squadrons", "ships"), Part.MOVEMENTS, routine=True),
    # a fleet has small squadrons; its admiral may have them filled up
    "muster_due": Kind(("fleet", "place", "squadrons"), Part.MOVEMENTS, routine=True),
    # what has parted company is with its fleet again
    "rejoined": Kind(("fleet", "parted", "ships"), Part.MOVEMENTS, routine=True),
    "fleet_ended": Kind(("fleet",), Part.MOVEMENTS, weighty=True, routine=True, of_result=True),
    "detached": Kind(_PART, Part.MOVEMENTS, routine=True),
    # ships go over to another fleet in company
    "transferred": Kind(("fleet", "giver", "ships"), Part.MOVEMENTS, routine=True),
    # a fleet has come off the port that it blockades or is to attack
    "lies_off": Kind(("fleet", "place"), Part.MOVEMENTS, routine=True),
    "driven_off": Kind(("fleet", "place", "shelter"), Part.MOVEMENTS),
    "slipped_out": Kind(("fleet", "place", "face"), Part.MOVEMENTS),
    # a fleet that leaves a blockaded port is met by the blockader
    "met_off_port": Kind(("fleet", "place", "face"), Part.MOVEMENTS),
    "port_attacked": Kind(("fleet", "place"), Part.MOVEMENTS),
    # a port of one's own is attacked
    "port_assailed": Kind(("place", "attacker"), Part.MOVEMENTS),
    # an attack that its captains give up when the guns have fired
    "beaten_off": Kind(("fleet", "place"), Part.MOVEMENTS),
    # the guard of a port fires on who attacks it: hits by ship
    "guard_fired": Kind(("fleet", "place", "guard", "hits"), Part.MOVEMENTS),
    # men go aboard a fleet among friends, or are taken off a beach: how many, and how many are left ashore
    "embarked": Kind(_BOATS, Part.MOVEMENTS, routine=True),
    "disembarked": Kind(_BOATS, Part.MOVEMENTS, routine=True),
    "landed": Kind(_BOATS, Part.MOVEMENTS, weighty=True),
    # the owner of a coast learns that an enemy is ashore, and about how many
    "enemy_landed": Kind(("place", "attacker", "band"), Part.MOVEMENTS, weighty=True),
    "landing_waits": Kind(("fleet", "place", "why"), Part.MOVEMENTS, routine=True),
    "wasted": Kind(("side", "place", "men", "ashore"), Part.MOVEMENTS),
    # the fight for a port, as each side knows it
    "fought_ashore": Kind(
        ("place", "faces", "bonus", "result", "men", "lost", "days", "band"), Part.MOVEMENTS, weighty=True
    ),
    "port_defended": Kind(
        ("place", "attacker", "faces", "bonus", "result", "men", "lost", "band"),
        Part.MOVEMENTS,
        weighty=True,
    ),
    # back: to its old owner, because too few were left to hold it
    "port_taken": Kind(("place", "side", "loser", "marks", "back"), Part.MOVEMENTS, weighty=True),
    "guard_silenced": Kind(("fleet", "place"), Part.MOVEMENTS, weighty=True),
    "assault_failed": Kind(("fleet", "place", "raid"), Part.MOVEMENTS, weighty=True),
    "raided": Kind(
        ("fleet", "side", "place", "faces", "bonus", "result", "marks", "number", "towed"),
        Part.MOVEMENTS,
        weighty=True,
    ),
    # a port of one's own is raided
    "raid_suffered": Kind(
        ("place", "attacker", "result", "ships", "days", "towed"), Part.MOVEMENTS, weighty=True
    ),
    # soldiers go down with their ship, or are taken in her
    "soldiers_lost": Kind(("ship", "side", "men", "taken", "marks", "ships"), Part.MOVEMENTS, weighty=True),
    "soldiers_taken": Kind(("side", "captor", "place", "men"), Part.MOVEMENTS),
    # people of one's own held in a port that has fallen
    "set_free": Kind(("side", "place", "men"), Part.MOVEMENTS),
    # a fleet puts to sea from a port that has fallen, or ends its route to one
    "turned_out": Kind(("fleet", "place"), Part.MOVEMENTS, weighty=True),
    "turned_away": Kind(("fleet", "place"), Part.MOVEMENTS),
    # merchantmen that no one lists: a neutral searched and let go, one taken or sunk, as its owner hears of it, and the court's verdict
    "neutral_searched": Kind(("fleet", "place", "vessel"), Part.PRIZES, routine=True),
    "shipping_taken": Kind(("fleet", "side", "place", "vessel", "owner", "points", "sunk"), Part.PRIZES),
    "shipping_lost": Kind(
        ("side", "attacker", "place", "vessel", "points", "sunk"), Part.PRIZES, weighty=True
    ),
    "shipping_condemned": Kind(("side", "place", "vessel", "pounds"), Part.PRIZES),
    # mines: taken aboard in a port, laid, run into, looked for and swept
    "mines_aboard": Kind(("fleet", "place", "ships"), Part.MOVEMENTS, routine=True),
    "mines_laid": Kind(("fleet", "side", "place", "ships", "sections"), Part.MOVEMENTS),
    "mine_struck": Kind(
        ("fleet", "side", "place", "own", "ships", "hurt", "lost"), Part.MOVEMENTS, weighty=True
    ),
    "mines_swept": Kind(("fleet", "place", "found", "sections", "left", "hurt"), Part.MOVEMENTS),
    "convoy_delivered": Kind(("fleet", "side", "place", "ships", "value"), Part.MOVEMENTS),
    # a general chase sends the faster ships ahead
    "sent_ahead": Kind(("fleet", "parent", "name", "ships"), Part.MOVEMENTS, routine=True),
    "left_astern": Kind(_PART, Part.MOVEMENTS, routine=True),
    "burnt_at_sea": Kind(("ship", "side", "ships", "place"), Part.PRIZES),
    "let_go": Kind(("ship", "side", "captor", "ships"), Part.PRIZES),
    # a yard takes a ship in hand, or lets her wait for a berth: when she is to be ready
    "yard_dated": Kind(_YARD, Part.YARDS, routine=True),
    # a ship in a yard is to be ready at another time than was said
    "yard_redated": Kind(_YARD, Part.YARDS, routine=True),
    "yard_left": Kind(("ship", "side", "place", "ships"), Part.YARDS, routine=True),
    # a fleet sails without the ships that lie in a yard, before the court, or have too few men
    "left_in_yard": Kind(("fleet", "parent", "place", "name", "ships"), Part.YARDS, routine=True),
    "repaired": Kind(("ship", "side", "place", "ships", "hull", "masts", "batteries"), Part.YARDS),
    "mended_at_sea": Kind(("ship", "side", "ships", "mast", "hull"), Part.YARDS, routine=True),
    "prize_in_port": Kind(("ship", "side", "place", "ships", "ready", "days"), Part.PRIZES, routine=True),
    "condemned": Kind(("ship", "side", "place", "pounds", "head_money", "ships"), Part.PRIZES),
    "prize_bought": Kind((*_CASE, "name", "former"), Part.PRIZES),
    "prize_sold": Kind(_CASE, Part.PRIZES),
    "prize_hulked": Kind(_CASE, Part.PRIZES),
    "burnt_in_port": Kind(_CASE, Part.YARDS),
    "prize_exchanged": Kind((*_CASE, "at"), Part.PRIZES),
    # who retook a ship is paid for it
    "salvage": Kind(("ship", "side", "pounds", "ships"), Part.PRIZES, routine=True),
    "prisoners_landed": Kind(("ship", "side", "place", "captor", "men"), routine=True),
    "exchanged": Kind(("sides", "men")),
    "recruited": Kind(("side", "place", "men", "joined", "bought", "ships"), routine=True),
    "men_moved": Kind(("ship", "other", "side", "men", "ships"), routine=True),
    "hunger": Kind(("fleet", "place", "thrown", "men")),
    "out_of_coal": Kind(("fleet", "place", "ships")),
    "coaled": Kind(("fleet", "ships", "days"), routine=True),
    "officer_fit": Kind(_OFFICER, routine=True),
    "officer_takes": Kind(_OFFICER, routine=True),
    "officer_hoists": Kind((*_OFFICER, "place"), routine=True),
    "side_order_refused": Kind(("side", "faults"), Part.REFUSED, routine=True),
    # a fleet that runs from a battle keeps out of reach
    "not_overhauled": Kind(("fleet", "flies"), Part.MOVEMENTS),
    # guns at the head of a chase and at its stern, at the end of their range
    "long_shot": Kind(("fleet", "hits", "masts"), Part.MOVEMENTS, routine=True),
    "hit_at_long_shot": Kind(("fleet", "ships", "hits", "masts"), Part.MOVEMENTS),
    # a battle without a hit: one side kept away
    "no_action": Kind(("fleets",), Part.MOVEMENTS, weighty=True, of_result=True),
    # ships that the calendar brings: fleets, convoys that gather, an army that may embark
    "reinforced": Kind(("fleet", "side", "name", "place", "ships"), Part.MOVEMENTS, weighty=True),
    "convoy_gathers": Kind(("fleet", "side", "name", "place", "to", "ships"), Part.MOVEMENTS),
    "army_ready": Kind(
        ("fleet", "side", "name", "place", "men", "boats", "ships"), Part.MOVEMENTS, weighty=True
    ),
    # sides go to war, ally themselves or make peace; a peace that ends the campaign
    "hostility": Kind(("sides", "tie", "text"), weighty=True),
    "peace": Kind(("text",), weighty=True),
    # the day that a die gives an event; an event that does not come to pass: why, and the die if one was thrown
    "calendar_dated": Kind(("text", "date", "face"), routine=True),
    "calendar_fails": Kind(("text", "why", "face")),
    # a side has achieved an objective: what was paid for it at once, and what a decisive one brings about
    "objective_achieved": Kind(("objective", "side", "words", "marks", "decides"), weighty=True),
    # an objective that is paid day by day, or that holds at the end
    "objective_paid": Kind(("objective", "side", "words", "marks"), routine=True),
    # both fleets mean to go on with a battle that has ended
    "renewed": Kind(("fleets",), Part.OWN, routine=True, of_result=True),
}


def check(kind: str, data: Mapping[str, object]) -> None:
    """Raises KeyError for a kind that nobody could tell of, and for data that the kind does not carry."""
    if kind not in EVENT_KINDS:
        raise KeyError(f"{kind!r} is not a kind of event")
    unknown = data.keys() - EVENT_KINDS[kind].fields
    if unknown:
        raise KeyError(f"an event {kind!r} carries no {', '.join(sorted(unknown))}")
