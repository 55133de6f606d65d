"""Detachments, blockades, attacks on ports, convoys and what becomes of prizes told as sentences."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.accounts.words import (
    Data,
    Names,
    Teller,
    counted,
    fleet_name,
    listed,
    opening,
    parent_name,
    place_name,
    ship_name,
    side_name,
)


def _ships(data: Data, names: Names) -> str:
    return listed([ship_name(code, names) for code in data.get("ships", ())]) or "no ship"


def _own(key: str, data: Data, names: Names) -> str:
    return names.get(str(data.get(key, "")), "the fleet")


def _detached(data: Data, names: Names) -> str:
    return f"{opening(parent_name(data, names))} detaches {data.get('name', 'ships')}: {_ships(data, names)}."


def _transferred(data: Data, names: Names) -> str:
    return f"{_ships(data, names)} of {_own('giver', data, names)} go over to {fleet_name(data, names)}."


def _lies_off(data: Data, names: Names) -> str:
    return f"{fleet_name(data, names)} lies off {place_name(data.get('place'), names)}."


def _driven_off(data: Data, names: Names) -> str:
    shelter = place_name(data.get("shelter"), names)
    return f"The weather drives {fleet_name(data, names)} from {place_name(data.get('place'), names)}; it makes for {shelter}."


def _face(data: Data) -> str:
    return f" (the die shows {data['face']})" if data.get("face") is not None else ""


def _slipped_out(data: Data, names: Names) -> str:
    return f"{fleet_name(data, names)} slips out of {place_name(data.get('place'), names)} past the blockade{_face(data)}."


def _met_off_port(data: Data, names: Names) -> str:
    return f"{fleet_name(data, names)} comes out of {place_name(data.get('place'), names)} and is met by the blockade{_face(data)}."


def _port_attacked(data: Data, names: Names) -> str:
    return f"{fleet_name(data, names)} goes in to attack {place_name(data.get('place'), names)}."


def _port_assailed(data: Data, names: Names) -> str:
    return f"{place_name(data.get('place'), names)} is attacked by ships of {side_name(data.get('attacker'), names)}."


def _guard_fired(data: Data, names: Names) -> str:
    hits = [f"{ship_name(code, names)} {counted(n, 'time')}" for code, n in data.get("hits", ())]
    return f"The guns of {place_name(data.get('place'), names)} hit {listed(hits)}."


def _convoy_delivered(data: Data, names: Names) -> str:
    number = len(data.get("ships", ()))
    ships = f"{number} ship{'' if number == 1 else 's'}"
    where = place_name(data.get("place"), names)
    return f"{fleet_name(data, names)} arrives safely at {where} with the cargoes of {ships}, worth {data.get('value', 0)}."


def _sent_ahead(data: Data, names: Names) -> str:
    return f"{_own('parent', data, names)} makes the signal for a general chase and sends {_ships(data, names)} ahead."


def _left_astern(data: Data, names: Names) -> str:
    return f"{_own('parent', data, names)} leaves its slowest ships astern: {_ships(data, names)}."


def _prize_burnt(data: Data, names: Names) -> str:
    return f"{ship_name(data.get('ship'), names)}, a prize of {side_name(data.get('side'), names)}, is burnt by her captors."


def _let_go(data: Data, names: Names) -> str:
    captor = side_name(data.get("captor"), names)
    return f"{ship_name(data.get('ship'), names)} is released and returns to {captor}."


TELLERS: Mapping[str, Teller] = {
    "detached": _detached,
    "transferred": _transferred,
    "lies_off": _lies_off,
    "driven_off": _driven_off,
    "slipped_out": _slipped_out,
    "met_off_port": _met_off_port,
    "port_attacked": _port_attacked,
    "port_assailed": _port_assailed,
    "guard_fired": _guard_fired,
    "convoy_delivered": _convoy_delivered,
    "sent_ahead": _sent_ahead,
    "left_astern": _left_astern,
    "burnt_at_sea": _prize_burnt,
    "let_go": _let_go,
}
