"""Mines told as sentences. Rules: G.MN1-G.MN3."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.accounts.words import (
    Data,
    Names,
    Teller,
    at_place,
    counted,
    fleet_name,
    listed,
    ship_name,
    telling,
)


def _laid(data: Data, names: Names) -> str:
    sections = counted(int(data.get("sections", 0)), "section")
    return f"{fleet_name(data, names)} lays {sections} of mines {at_place(data.get('place'), names)}."


def _struck(data: Data, names: Names) -> str:
    whose = "a minefield of its own side" if data.get("own") else "a minefield"
    told = f"{fleet_name(data, names)} runs into {whose} {at_place(data.get('place'), names)}"
    lost, hurt = ([ship_name(code, names) for code in data.get(name, ())] for name in ("lost", "hurt"))
    ends = []
    if lost:
        ends.append(
            f"{listed(lost)} {'strikes a mine and sinks' if len(lost) == 1 else 'strike mines and sink'}"
        )
    if hurt:
        ends.append(f"{listed(hurt)} {'is' if len(hurt) == 1 else 'are'} crippled by a mine")
    return f"{told}: {', and '.join(ends) if ends else 'no ship is hurt'}."


def _swept(data: Data, names: Names) -> str:
    place = at_place(data.get("place"), names)
    told = []
    if data.get("found"):
        told.append(f"finds {counted(int(data['found']), 'minefield')}")
    if data.get("sections"):
        told.append(f"sweeps {counted(int(data['sections']), 'section')} of mines")
    left = int(data.get("left", 0))
    after = f"; {counted(left, 'section')} of those known {'is' if left == 1 else 'are'} left" if left else ""
    hurt = [ship_name(code, names) for code in data.get("hurt", ())]
    struck = f"; {listed(hurt)} {'strikes a mine' if len(hurt) == 1 else 'strike mines'}" if hurt else ""
    return f"{fleet_name(data, names)} {' and '.join(told) or 'looks for mines'} {place}{after}{struck}."


TELLERS: Mapping[str, Teller] = {
    "mines_aboard": telling("{fleet} takes mines aboard {at_place}: {ships}."),
    "mines_laid": _laid,
    "mine_struck": _struck,
    "mines_swept": _swept,
}
