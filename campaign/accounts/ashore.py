"""Yards, prizes, prisoners, men and officers told as sentences. Rules: G.RP1-G.RP4, G.PR3-G.PR5, G.AF1."""

from __future__ import annotations

import re
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
    place_name,
    pounds,
    ship_name,
    side_name,
    telling,
)


def _ship(data: Data, names: Names) -> str:
    return ship_name(data.get("ship"), names)


def _at(data: Data, names: Names) -> str:
    return at_place(data.get("place"), names)


def work_in_words(hull: str, masts: int, batteries: int) -> str:
    """What a yard does: "heavy work on the hull, 2 masts and 1 battery"."""
    how = "very heavy" if hull == "worse" else hull
    parts = [f"{how} work on the hull"] if hull not in ("", "none") else []
    if masts:
        parts.append(counted(masts, "mast"))
    if batteries:
        parts.append(counted(batteries, "battery", "batteries"))
    return listed(parts)


def _yard_dated(data: Data, names: Names) -> str:
    if not data.get("ready"):
        return f"{_ship(data, names)} waits {_at(data, names)}, where no berth is fit for her."
    days = counted(int(data.get("days", 0)), "day")
    if int(data.get("berth", 0)) < 0:
        return (
            f"{_ship(data, names)} waits for a berth {_at(data, names)}; ready in {days} if nothing changes."
        )
    return f"{_ship(data, names)} goes into the yard {_at(data, names)}; ready in {days} if nothing changes."


def _yard_redated(data: Data, names: Names) -> str:
    if not data.get("ready"):
        return f"{_ship(data, names)} no longer has a berth {_at(data, names)}."
    sooner = "sooner" if int(data["ready"]) < int(data.get("was", 0)) else "later"
    days = counted(int(data.get("days", 0)), "day")
    return f"{_ship(data, names)} will be ready {sooner} than expected {_at(data, names)}: in {days}."


def _repaired(data: Data, names: Names) -> str:
    work = work_in_words(str(data.get("hull", "")), int(data.get("masts", 0)), int(data.get("batteries", 0)))
    return f"{_ship(data, names)} leaves the yard {_at(data, names)}, repaired ({work})."


def _mended_at_sea(data: Data, names: Names) -> str:
    done = [word for key, word in (("mast", "rigs a jury mast"), ("hull", "mends her hull")) if data.get(key)]
    return f"{_ship(data, names)} {listed(done) or 'mends'} with what is aboard."


def _condemned(data: Data, names: Names) -> str:
    worth = f"valued at {pounds(data.get('pounds', 0))}"
    head = f", head money {pounds(data['head_money'])}" if data.get("head_money") else ""
    return f"{_ship(data, names)} is condemned as a prize {_at(data, names)}, {worth}{head}."


def _bought(data: Data, names: Names) -> str:
    former = str(data.get("former") or _ship(data, names))
    name = data.get("name")
    new = f" and named {name}" if name and name != former else ""
    return f"{former} is bought into service {_at(data, names)} for {pounds(data.get('pounds', 0))}{new}."


def _prize_exchanged(data: Data, names: Names) -> str:
    port = place_name(data.get("at"), names)
    return f"{_ship(data, names)} is given back at {port} for {pounds(data.get('pounds', 0))}."


def _prisoners_landed(data: Data, names: Names) -> str:
    people = counted(int(data.get("men", 0)), "prisoner")
    return f"{_ship(data, names)} lands {people} of war from {side_name(data.get('captor'), names)} {_at(data, names)}."


def _exchanged(data: Data, names: Names) -> str:
    sides = listed([side_name(code, names) for code in data.get("sides", ())]) or "the sides"
    return f"{opening(sides)} exchange {counted(int(data.get('men', 0)), 'prisoner')} each."


def _recruited(data: Data, names: Names) -> str:
    parts = []
    if data.get("men"):
        bought = f", {data['bought']} of them for bounty money" if data.get("bought") else ""
        parts.append(f"{counted(int(data['men']), 'man', 'men')} recruited{bought}")
    if data.get("joined"):
        parts.append(f"{counted(int(data['joined']), 'man', 'men')} from ashore")
    return f"{place_name(data.get('place'), names)}: {listed(parts)} for {listed([ship_name(c, names) for c in data.get('ships', ())])}."


def _men_moved(data: Data, names: Names) -> str:
    men = counted(int(data.get("men", 0)), "man goes", "men go")
    return f"{men} over from {_ship(data, names)} to {ship_name(data.get('other'), names)}."


def _hunger(data: Data, names: Names) -> str:
    lost = counted(int(data.get("men", 0)), "man", "men")
    port = f" and makes for {place_name(data['place'], names)}" if data.get("place") else ""
    return f"{fleet_name(data, names)} is without provisions{',' if port else ' and'} loses {lost}{port}."


def _out_of_coal(data: Data, names: Names) -> str:
    ships = listed([ship_name(code, names) for code in data.get("ships", ())])
    port = f" makes for {place_name(data['place'], names)}" if data.get("place") else " stays where it is"
    return f"{fleet_name(data, names)}{port}: no coal left in {ships}."


def _coaled(data: Data, names: Names) -> str:
    ships = counted(len(data.get("ships", ())), "ship coals", "ships coal")
    days = counted(int(data.get("days", 0)), "day")
    return f"{fleet_name(data, names)}: {ships} from colliers, for {days} of steaming in all."


def _aboard(data: Data, names: Names) -> str:
    return f" in {ship_name(data['ship'], names)}" if data.get("ship") in names else ""


_DIVISION = re.compile(r"(.+), (\d+(?:st|nd|rd|th) division)$")


def _squadron(name: str) -> str:
    """A squadron by its label: "the 1st division of the First Squadron (De Ruyter)"; a label of another form as it stands."""
    found = _DIVISION.match(name)
    return f"the {found[2]} of {the_fleet(found[1])}" if found else the_fleet(name)


def _officer_hoists(data: Data, names: Names) -> str:
    squadron = f" to command {_squadron(str(data['place']))}" if data.get("place") else ""
    return f"{data.get('name', 'An officer')} hoists his flag{_aboard(data, names)}{squadron}."


TELLERS: Mapping[str, Teller] = {
    "yard_dated": _yard_dated,
    "yard_redated": _yard_redated,
    "yard_left": telling("{ship} leaves the yard {at_place} with her work undone."),
    "left_in_yard": telling("{Parent} sails from {place} without {ships}."),
    "repaired": _repaired,
    "mended_at_sea": _mended_at_sea,
    "prize_in_port": telling(
        "{ship} comes before the prize court {at_place}; it is due to be condemned in {days}."
    ),
    "condemned": _condemned,
    "prize_bought": _bought,
    "prize_sold": telling("{ship} is sold {at_place} for {pounds}."),
    "prize_hulked": telling("{ship} is made a hulk {at_place}; her gear brings {pounds}."),
    "burnt_in_port": telling("{ship} is burnt by her captors {at_place}."),
    "prize_exchanged": _prize_exchanged,
    "salvage": telling("Salvage of {pounds} is paid for {ship}."),
    "prisoners_landed": _prisoners_landed,
    "exchanged": _exchanged,
    "recruited": _recruited,
    "men_moved": _men_moved,
    "hunger": _hunger,
    "out_of_coal": _out_of_coal,
    "coaled": _coaled,
    "officer_fit": telling("{officer} has recovered from his wounds{aboard}."),
    "officer_takes": telling("{officer} takes command of {ship}."),
    "officer_hoists": _officer_hoists,
    "side_order_refused": telling("The shore orders could not be carried out: {reasons}"),
}
