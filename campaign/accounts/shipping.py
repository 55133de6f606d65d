"""Merchantmen that raiders stop, told as sentences. Rules: G.NC1, G.NC2."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.accounts.words import (
    Data,
    Names,
    Teller,
    fleet_name,
    near_place,
    opening,
    pounds,
    side_name,
)


def _searched(data: Data, names: Names) -> str:
    near = near_place(data.get("place"), names)
    return f"{fleet_name(data, names)} searches a neutral {data.get('vessel')} {near}, finds no contraband and releases it."


def _taken(data: Data, names: Names) -> str:
    near, vessel = near_place(data.get("place"), names), data.get("vessel")
    if not data.get("owner"):
        return f"{fleet_name(data, names)} finds contraband in a neutral {vessel} {near} and sends it in as a prize."
    if data.get("sunk"):
        return f"{fleet_name(data, names)} sinks an enemy {vessel} {near}."
    return f"{fleet_name(data, names)} takes an enemy {vessel} {near} and sends it in as a prize."


def _lost(data: Data, names: Names) -> str:
    deed = "sunk" if data.get("sunk") else "taken"
    who = side_name(data.get("attacker"), names)
    return f"A {data.get('vessel')} of our trade is {deed} {near_place(data.get('place'), names)} by a raider of {who}."


def _condemned(data: Data, names: Names) -> str:
    near = near_place(data.get("place"), names)
    sum_ = pounds(data.get("pounds", 0))
    return opening(
        f"the prize court condemns a {data.get('vessel')} taken {near}: {sum_} for the prize fund."
    )


TELLERS: Mapping[str, Teller] = {
    "neutral_searched": _searched,
    "shipping_taken": _taken,
    "shipping_lost": _lost,
    "shipping_condemned": _condemned,
}
