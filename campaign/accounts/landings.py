"""Soldiers, landings, fights ashore, ports that change hands and raids told as sentences. Rules: G.LD1-G.LD5."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.telling import with_article
from campaign.accounts.words import (
    OF_SIDE,
    Data,
    Names,
    Teller,
    at_place,
    bare_side,
    counted,
    fleet_name,
    listed,
    opening,
    owned,
    place_name,
    ship_name,
    side_name,
    telling,
)

# Men as the other side knows of them: each sail of a band stands for 500. Rule: G.LD3.
MEN_OF_BAND = {
    "1": "fewer than 1,000 men",
    "2-4": "1,000 to 2,499 men",
    "5-9": "2,500 to 4,999 men",
    "10-19": "5,000 to 9,999 men",
    "20-39": "10,000 to 19,999 men",
    "40+": "20,000 men or more",
}
_WAITS = {
    "new": "has not been there since the last dawn",
    "enemy": "has seen too strong an enemy by day",
    "guard": "must first silence the guns of the port",
    "ships": "must first beat the ships in the port",
    "gale": "cannot send boats through the surf of a gale",
}
_RESULTS = {
    "falls": "the place falls",
    "drawn": "neither side gives way",
    "beaten": "they are held",
    "repulsed": "they are thrown back to their boats",
}


def _men(data: Data) -> str:
    return counted(int(data.get("men", 0)), "soldier")


def _embarked(data: Data, names: Names) -> str:
    left = f"; {int(data['ashore']):,} are left ashore" if data.get("ashore") else ""
    return f"{fleet_name(data, names)} takes {_men(data)} aboard {at_place(data.get('place'), names)}{left}."


def _landed(data: Data, names: Names) -> str:
    ashore = f"; {int(data.get('ashore', 0)):,} are ashore there now"
    return f"{fleet_name(data, names)} lands {_men(data)} {at_place(data.get('place'), names)}{ashore}."


def _enemy_landed(data: Data, names: Names) -> str:
    who, men = side_name(data.get("attacker"), names), MEN_OF_BAND.get(str(data.get("band")), "men")
    return f"Soldiers of {who} are ashore {at_place(data.get('place'), names)}: {men}."


def _landing_waits(data: Data, names: Names) -> str:
    why = _WAITS.get(str(data.get("why")), "waits")
    return f"{fleet_name(data, names)} cannot land soldiers {at_place(data.get('place'), names)} this morning: it {why}."


def _wasted(data: Data, names: Names) -> str:
    left = f"{int(data.get('ashore', 0)):,} are left"
    return f"{_men(data)} {at_place(data.get('place'), names)} starve or desert for want of a fleet; {left}."


def _thrown(data: Data) -> str:
    faces = " and ".join(str(face) for face in data.get("faces", ()))
    return f" (the dice show {faces}, {int(data.get('bonus', 0)):+d})" if faces else ""


def _our_soldiers(names: Names) -> str:
    """The soldiers of the side that is told of them, for whom every side is told by name."""
    return f"Soldiers of {with_article(names[OF_SIDE])}" if OF_SIDE in names else "Our soldiers"


def _we_lose(names: Names) -> str:
    return f"{opening(with_article(names[OF_SIDE]))} loses" if OF_SIDE in names else "We lose"


def _fought_ashore(data: Data, names: Names) -> str:
    result = _RESULTS.get(str(data.get("result")), "it is over")
    lost = f" {_we_lose(names)} {counted(int(data['lost']), 'man', 'men')}." if data.get("lost") else ""
    days = "" if data.get("days") is None else f" There is food for {counted(int(data['days']), 'day')}."
    theirs = MEN_OF_BAND.get(str(data.get("band")), "")
    against = f" against {theirs}" if theirs and data.get("result") != "falls" else ""
    return (
        f"{_our_soldiers(names)} fight for {place_name(data.get('place'), names)}{against}, and {result}{_thrown(data)}.{lost} "
        f"{opening(_men(data))} are left.{days}"
    )


def _port_defended(data: Data, names: Names) -> str:
    result = _RESULTS.get(str(data.get("result")), "it is over")
    who, men = side_name(data.get("attacker"), names), MEN_OF_BAND.get(str(data.get("band")), "men")
    lost = f" {_we_lose(names)} {counted(int(data['lost']), 'man', 'men')}." if data.get("lost") else ""
    left = "" if data.get("result") == "falls" else f" The garrison has {_men(data)}."
    return (
        f"Soldiers of {who} fight for {place_name(data.get('place'), names)}, and {result}{_thrown(data)}.{lost}{left} "
        f"They have {men}."
    )


def _port_taken(data: Data, names: Names) -> str:
    place, side = opening(place_name(data.get("place"), names)), side_name(data.get("side"), names)
    if data.get("back"):
        return f"{place} goes back to {side}: too few are left to hold it."
    loser = f" from {side_name(data['loser'], names)}" if data.get("loser") else ""
    return f"{place} falls: {side} takes it{loser}."


def _assault_failed(data: Data, names: Names) -> str:
    deed = "nothing can be done inside" if data.get("raid") else "no one can land"
    return f"The enemy's ships still hold {place_name(data.get('place'), names)}: {deed}, and {fleet_name(data, names)} hauls off."


def _raided(data: Data, names: Names) -> str:
    where = place_name(data.get("place"), names)
    towed = f", {ship_name(data['towed'], names)} towed off" if data.get("towed") else ""
    if data.get("result") == "none":
        return f"{fleet_name(data, names)} raids {where} in vain{_thrown(data)}."
    whole = "with full success" if data.get("result") == "whole" else "with some success"
    number = int(data.get("number", 0))
    found = f": {counted(number, 'ship')} burnt{towed}" if number else ", but there is no ship to burn"
    return f"{fleet_name(data, names)} raids {where} {whole}{_thrown(data)}{found}."


def _raid_suffered(data: Data, names: Names) -> str:
    who, where = owned(side_name(data.get("attacker"), names)), place_name(data.get("place"), names)
    if data.get("result") == "none":
        return f"{opening(who)} ships raid {where} in vain."
    ships = [ship_name(code, names) for code in data.get("ships", ())]
    lost = f" Burnt: {listed(ships)}." if ships else ""
    towed = f" They tow off {ship_name(data['towed'], names)}." if data.get("towed") else ""
    yard = f" {idle_yard(data)}" if data.get("days") else ""
    return f"{opening(who)} ships raid {where}.{lost}{towed}{yard}"


def idle_yard(data: Data) -> str:
    """For how long a yard that was raided stands still."""
    return f"The yard stands still for {counted(int(data['days']), 'yard-day')}."


def _soldiers_lost(data: Data, names: Names) -> str:
    fate = "are taken in" if data.get("taken") else "are lost with"
    return f"{_men(data)} ({bare_side(data.get('side'), names)}) {fate} {ship_name(data.get('ship'), names)}."


def _soldiers_taken(data: Data, names: Names) -> str:
    who = f"{counted(int(data.get('men', 0)), 'man', 'men')} ({bare_side(data.get('side'), names)})"
    return (
        f"{who} {at_place(data.get('place'), names)} are prisoners of {side_name(data.get('captor'), names)}."
    )


def _set_free(data: Data, names: Names) -> str:
    who = f"{counted(int(data.get('men', 0)), 'man', 'men')} ({bare_side(data.get('side'), names)})"
    return f"{who} held {at_place(data.get('place'), names)} are free."


TELLERS: Mapping[str, Teller] = {
    "embarked": _embarked,
    "disembarked": _landed,
    "landed": _landed,
    "enemy_landed": _enemy_landed,
    "landing_waits": _landing_waits,
    "wasted": _wasted,
    "fought_ashore": _fought_ashore,
    "port_defended": _port_defended,
    "port_taken": _port_taken,
    "guard_silenced": telling("The guns of {place} are silenced by {fleet}, which stays to land soldiers."),
    "assault_failed": _assault_failed,
    "raided": _raided,
    "raid_suffered": _raid_suffered,
    "soldiers_lost": _soldiers_lost,
    "soldiers_taken": _soldiers_taken,
    "set_free": _set_free,
    "turned_out": telling("{place} has fallen; {fleet} puts to sea under its guns."),
    "turned_away": telling("{place} has fallen; {fleet} stops short of it."),
}
