"""Chases, battles, captures and losses told as sentences."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.telling import the_fleet
from campaign.accounts.words import (
    CAUSES,
    CHASES,
    ENDINGS,
    FATES,
    Data,
    Names,
    Teller,
    bare_side,
    contact_name,
    counted,
    duration_in_words,
    fleet_name,
    listed,
    near_place,
    opening,
    scene,
    ship_name,
    side_does,
    side_name,
    telling,
    times,
)


def _chase(data: Data, names: Names) -> str:
    far = ""
    if "range" in data:
        miles = round(int(data["range"]) / 1000)
        far = f", {counted(miles, 'mile')} away" if miles else ", close by"
    return f"{fleet_name(data, names)} steers for {contact_name(data.get('number', ''), names)}{far}."


def _chase_ended(data: Data, names: Names) -> str:
    why = str(data.get("why", ""))
    return f"{fleet_name(data, names)}: {CHASES.get(why, why or 'the chase is over')}."


def _night(data: Data, names: Names) -> str:
    face = f" (the die shows {data['face']})" if "face" in data else ""
    party = [the_fleet(names[code]) for code in data.get("fleets", ()) if code in names]
    several = len(party) > 1
    who, tries = (listed(party), "try") if several else (fleet_name(data, names), "tries")
    ended = ("and succeed" if several else "and succeeds") if data.get("away") else "but cannot"
    return f"Night falls; {who} {tries} to slip away {ended}{face}."


def _parted(data: Data, names: Names) -> str:
    own = [the_fleet(names[code]) for code in data.get("fleets", ()) if code in names]
    return f"{listed(own) or 'The fleets'}: both sides choose to break off, and they part."


def _not_overhauled(data: Data, names: Names) -> str:
    fleet = fleet_name(data, names)
    return (
        f"{fleet} keeps out of the enemy's reach."
        if data.get("flies")
        else f"{fleet} cannot overhaul the enemy."
    )


def _long_shot(data: Data, names: Names) -> str:
    return f"Long shots from {fleet_name(data, names)} hit the enemy {times(data['hits'])}{_masts(data)}."


def _hit_at_long_shot(data: Data, names: Names) -> str:
    ships = listed([ship_name(code, names) for code in data.get("ships", ())])
    hits = int(data["hits"])
    shots = "by a long shot" if hits == 1 else f"{times(hits)} by long shots"
    return f"{ships} is hit {shots}{_masts(data)}."


def _masts(data: Data) -> str:
    """The end of a sentence about long shots. In rule sets that count no masts, a mast stands for the ship's way."""
    return ", and a mast goes" if data.get("masts") else ""


def _battle(data: Data, names: Names) -> str:
    sides = [side_name(code, names) for code in data.get("fleets", {})]
    where = f" {scene(names.get(str(data['place']), str(data['place'])))}" if data.get("place") else ""
    windward = opening(side_name(data["gauge"], names)) if data.get("gauge") else ""
    gauge = f" {side_does(windward, 'has', 'have')} the weather gauge." if windward else ""
    surprised = opening(listed([side_name(code, names) for code in data.get("surprised") or ()]))
    caught = f" {side_does(surprised, 'is', 'are')} surprised." if surprised else ""
    return f"Battle{where} between {listed(sides) or 'the fleets'}.{gauge}{caught}"


def _battle_ended(data: Data, names: Names) -> str:
    ended = ENDINGS.get(str(data.get("ended", "")), "until it was over")
    spent = duration_in_words(int(data.get("minutes", 0)))
    holder = (
        f" {opening(side_name(data['held_field'], names))} held the field." if data.get("held_field") else ""
    )
    place = str(data.get("place") or "")
    where = f" {scene(names.get(place, place))}" if place else ""
    return f"The battle{where} lasted {spent}, {ended}.{holder}"


def _battle_held(data: Data, names: Names) -> str:
    where = f" {near_place(data['place'], names)}" if data.get("place") else ""
    return f"The fleets are engaged{where}; the battle is fought out, and the other fleets sail on."


def _captured(data: Data, names: Names) -> str:
    taker = f" by {ship_name(data['captor_ship'], names)}" if data.get("captor_ship") in names else ""
    whose, captor = bare_side(data.get("side"), names), side_name(data.get("captor"), names)
    return f"{ship_name(data.get('ship'), names)} ({whose}) is taken{taker} for {captor}."


def _lost(data: Data, names: Names) -> str:
    fate, _ = FATES.get(str(data.get("fate", "")), ("is lost", ""))
    if data.get("fate") != "blown up":
        fate = CAUSES.get(str(data.get("cause", "")), fate)
    return f"{ship_name(data.get('ship'), names)} ({bare_side(data.get('side'), names)}) {fate}."


_LUCK = {"captured": "is captured", "wounded": "is wounded", "killed": "is killed", "drowned": "drowns"}


def _taken_up(data: Data, names: Names) -> str:
    people, rows = counted(int(data.get("men", 0)), "man", "men"), data.get("by", ())
    lost = ship_name(data.get("ship"), names)
    if len(rows) == 1:
        return f"{ship_name(rows[0][0], names)} saves {people} from {lost}."
    by = listed([f"{ship_name(code, names)} ({men})" for code, men in rows])
    return f"{by} save {people} from {lost}."


_SHORES = {
    "friendly": "come ashore among friends",
    "hostile": "come ashore and are taken",
    "neutral": "come ashore on a neutral coast and are sent home",
}


def _castaways(data: Data, names: Names) -> str:
    people = counted(int(data.get("men", 0)), "man", "men")
    whose, shore = bare_side(data.get("people"), names), _SHORES.get(str(data.get("shore")), "come ashore")
    captor = f" by {side_name(data['captor'], names)}" if data.get("captor") else ""
    return (
        f"{people} ({whose}) from the wreck of {ship_name(data.get('ship'), names)} {shore}{captor} "
        f"{near_place(data.get('place'), names)}."
    )


def _officer(data: Data, names: Names) -> str:
    aboard = f" in {ship_name(data['ship'], names)}" if data.get("ship") in names else ""
    verb = _LUCK.get(str(data.get("fate")), "is hurt")
    if data.get("hurt"):
        verb = f"is wounded and {verb.removeprefix('is ')}"
    name = str(data.get("name", "An officer"))
    return f"{name}{',' if ',' in name else ''} {verb}{aboard}."


def _rose(data: Data, names: Names) -> str:
    face = f" (the die shows {data['face']})" if "face" in data else ""
    if data.get("won"):
        ended = f"take her back for {side_name(data.get('captor'), names)}"
    else:
        ended = "are beaten down"
    return (
        f"The prisoners in {ship_name(data.get('ship'), names)} rise upon her prize crew and {ended}{face}."
    )


TELLERS: Mapping[str, Teller] = {
    "chase": _chase,
    "chase_ended": _chase_ended,
    "night": _night,
    "escaped": telling("{fleet} is away in the night, with a start of twelve hours."),
    "parted": _parted,
    "battle": _battle,
    "battle_ended": _battle_ended,
    "battle_held": _battle_held,
    "captured": _captured,
    "retaken": telling("{ship} is retaken and returns to {captor}."),
    "lost": _lost,
    "officer": _officer,
    "taken_up": _taken_up,
    "castaways": _castaways,
    "rose": _rose,
    "sent_in": telling("{Parent} sends {ships} into {place}."),
    "not_overhauled": _not_overhauled,
    "long_shot": _long_shot,
    "hit_at_long_shot": _hit_at_long_shot,
    "no_action": telling("The enemy cannot be brought to action, and no ship is damaged."),
    "renewed": telling("Both sides mean to continue the battle."),
}
