"""Detachments, blockades, attacks on ports, convoys and what becomes of prizes told as sentences."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.telling import the_fleet
from campaign.accounts.words import (
    Data,
    Names,
    Teller,
    at_place,
    counted,
    fleet_name,
    listed,
    opening,
    owned,
    parent_name,
    place_name,
    ship_name,
    side_name,
    telling,
    times,
)


def _ships(data: Data, names: Names) -> str:
    return listed([ship_name(code, names) for code in data.get("ships", ())]) or "no ship"


def _own(key: str, data: Data, names: Names) -> str:
    return names.get(str(data.get(key, "")), "the fleet")


def _detached(data: Data, names: Names) -> str:
    name, ships = str(data.get("name", "ships")), _ships(data, names)
    its = name.removesuffix(f" of {names.get(str(data.get('parent', '')), '')}")
    name = the_fleet(name) if its == name else f"its {its[:1].lower()}{its[1:]}"
    return f"{opening(parent_name(data, names))} detaches {name if name == ships else f'{name}: {ships}'}."


def _driven_off(data: Data, names: Names) -> str:
    shelter = place_name(data.get("shelter"), names)
    return f"{fleet_name(data, names)} leaves its station off {place_name(data.get('place'), names)} for {shelter} because of the weather."


def _port_assailed(data: Data, names: Names) -> str:
    ships = f"{owned(side_name(data.get('attacker'), names))} ships"
    return f"{opening(ships)} attack {place_name(data.get('place'), names)}."


def _guard_fired(data: Data, names: Names) -> str:
    hits = [f"{ship_name(code, names)} {times(n)}" for code, n in data.get("hits", ())]
    return f"The guns of {place_name(data.get('place'), names)} hit {listed(hits)}."


def _convoy_delivered(data: Data, names: Names) -> str:
    number = len(data.get("ships", ()))
    ships = f"{number} ship{'' if number == 1 else 's'}"
    where = at_place(data.get("place"), names)
    worth = counted(int(data.get("value", 0)), "point")
    who = fleet_name(data, names) if data.get("fleet") in names else "A convoy"
    return f"{who} arrives safely {where}{',' if ',' in where else ''} with the cargoes of {ships}, worth {worth}."


def _prize_burnt(data: Data, names: Names) -> str:
    return f"{ship_name(data.get('ship'), names)}, a prize of {side_name(data.get('side'), names)}, is burnt by her captors."


TELLERS: Mapping[str, Teller] = {
    "detached": _detached,
    "transferred": telling("{ships} of {giver} go over to {fleet}."),
    "lies_off": telling("{fleet} lies off {place}."),
    "driven_off": _driven_off,
    "slipped_out": telling("{fleet} slips out of {place} past the blockade{die}."),
    "met_off_port": telling("{fleet} comes out of {place} and is met by the blockade{die}."),
    "port_attacked": telling("{fleet} goes in to attack {place}."),
    "port_assailed": _port_assailed,
    "beaten_off": telling("{fleet} finds the enemy in {place} too strong, and hauls off."),
    "guard_fired": _guard_fired,
    "convoy_delivered": _convoy_delivered,
    "sent_ahead": telling("{own_parent} makes the signal for a general chase and sends {ships} ahead."),
    "left_astern": telling("{own_parent} leaves its slowest ships astern: {ships}."),
    "burnt_at_sea": _prize_burnt,
    "let_go": telling("{ship} is released and returns to {captor}."),
}
