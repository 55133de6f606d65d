"""Yards, prizes, prisoners, men and officers told as sentences. Rules: G.RP1-G.RP4, G.PR3-G.PR5, G.AF1."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.accounts.words import (
    Data,
    Names,
    Teller,
    at_place,
    fleet_name,
    listed,
    opening,
    parent_name,
    place_name,
    ship_name,
    side_name,
)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 mast", "3 masts"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def pounds(number: object) -> str:
    """A sum of money."""
    return f"£{int(str(number)):,}"


def _ship(data: Data, names: Names) -> str:
    return ship_name(data.get("ship"), names)


def _at(data: Data, names: Names) -> str:
    return at_place(data.get("place"), names)


def work_in_words(hull: str, masts: int, batteries: int) -> str:
    """What a yard does: "heavy work on the hull, 2 masts and 1 battery"."""
    parts = [f"{hull} work on the hull"] if hull not in ("", "none") else []
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
    return f"{_ship(data, names)} is taken in hand {_at(data, names)}; ready in {days} if nothing changes."


def _yard_redated(data: Data, names: Names) -> str:
    if not data.get("ready"):
        return f"{_ship(data, names)} has no berth {_at(data, names)} any more."
    sooner = "sooner" if int(data["ready"]) < int(data.get("was", 0)) else "later"
    days = counted(int(data.get("days", 0)), "day")
    return f"{_ship(data, names)} will be ready {sooner} than was said {_at(data, names)}: in {days}."


def _yard_left(data: Data, names: Names) -> str:
    return f"{_ship(data, names)} leaves the yard {_at(data, names)} with her work undone."


def _left_in_yard(data: Data, names: Names) -> str:
    ships = [ship_name(code, names) for code in data.get("ships", ())]
    parent = opening(parent_name(data, names))
    return f"{parent} sails from {place_name(data.get('place'), names)} without {listed(ships)}."


def _repaired(data: Data, names: Names) -> str:
    work = work_in_words(str(data.get("hull", "")), int(data.get("masts", 0)), int(data.get("batteries", 0)))
    return f"{_ship(data, names)} comes out of the yard {_at(data, names)} whole ({work})."


def _mended_at_sea(data: Data, names: Names) -> str:
    done = [word for key, word in (("mast", "rigs a jury mast"), ("hull", "mends her hull")) if data.get(key)]
    return f"{_ship(data, names)} {listed(done) or 'mends'} with what is aboard."


def _prize_in_port(data: Data, names: Names) -> str:
    days = counted(int(data.get("days", 0)), "day")
    return f"{_ship(data, names)} comes before the prize court {_at(data, names)}; to be condemned in {days}."


def _condemned(data: Data, names: Names) -> str:
    worth = f"valued at {pounds(data.get('pounds', 0))}"
    head = f", head money {pounds(data['head_money'])}" if data.get("head_money") else ""
    return f"{_ship(data, names)} is condemned as a prize {_at(data, names)}, {worth}{head}."


def _bought(data: Data, names: Names) -> str:
    former = str(data.get("former") or _ship(data, names))
    name = data.get("name")
    new = f" and named {name}" if name and name != former else ""
    return f"{former} is bought into service {_at(data, names)} for {pounds(data.get('pounds', 0))}{new}."


def _sold(data: Data, names: Names) -> str:
    return f"{_ship(data, names)} is sold {_at(data, names)} for {pounds(data.get('pounds', 0))}."


def _hulked(data: Data, names: Names) -> str:
    gain = pounds(data.get("pounds", 0))
    return f"{_ship(data, names)} is made a hulk {_at(data, names)}; her gear brings {gain}."


def _burnt(data: Data, names: Names) -> str:
    return f"{_ship(data, names)} is burnt by her captors {_at(data, names)}."


def _prize_exchanged(data: Data, names: Names) -> str:
    port = place_name(data.get("at"), names)
    return f"{_ship(data, names)} is given back at {port} for {pounds(data.get('pounds', 0))}."


def _salvage(data: Data, names: Names) -> str:
    return f"Salvage of {pounds(data.get('pounds', 0))} is paid for {_ship(data, names)}."


def _prisoners_landed(data: Data, names: Names) -> str:
    people = counted(int(data.get("men", 0)), "prisoner")
    return (
        f"{_ship(data, names)} lands {people} from {side_name(data.get('captor'), names)} {_at(data, names)}."
    )


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
    return f"{fleet_name(data, names)} is without provisions, loses {lost}{port}."


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


def _officer_fit(data: Data, names: Names) -> str:
    return f"{data.get('name', 'An officer')} has recovered from his wounds{_aboard(data, names)}."


def _officer_takes(data: Data, names: Names) -> str:
    return f"{data.get('name', 'An officer')} takes command of {_ship(data, names)}."


def _officer_hoists(data: Data, names: Names) -> str:
    squadron = f" over {data['place']}" if data.get("place") else ""
    return f"{data.get('name', 'An officer')} hoists his flag{_aboard(data, names)}{squadron}."


def _refused(data: Data, names: Names) -> str:
    reasons = " ".join(str(fault[2]) for fault in data.get("faults", ()))
    return f"The shore orders could not be carried out: {reasons}"


TELLERS: Mapping[str, Teller] = {
    "yard_dated": _yard_dated,
    "yard_redated": _yard_redated,
    "yard_left": _yard_left,
    "left_in_yard": _left_in_yard,
    "repaired": _repaired,
    "mended_at_sea": _mended_at_sea,
    "prize_in_port": _prize_in_port,
    "condemned": _condemned,
    "prize_bought": _bought,
    "prize_sold": _sold,
    "prize_hulked": _hulked,
    "burnt_in_port": _burnt,
    "prize_exchanged": _prize_exchanged,
    "salvage": _salvage,
    "prisoners_landed": _prisoners_landed,
    "exchanged": _exchanged,
    "recruited": _recruited,
    "men_moved": _men_moved,
    "hunger": _hunger,
    "out_of_coal": _out_of_coal,
    "coaled": _coaled,
    "officer_fit": _officer_fit,
    "officer_takes": _officer_takes,
    "officer_hoists": _officer_hoists,
    "side_order_refused": _refused,
}
