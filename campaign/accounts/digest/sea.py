"""Gales, losses to the sea, escapes and chases gathered; the rest by its own sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from battles.engine.core.telling import is_plural, the_fleet
from campaign.accounts import sentence
from campaign.accounts.digest.battles import officers_lost
from campaign.accounts.digest.numbers import NAMED, Event, Worth, number_in_words, several, some
from campaign.accounts.digest.ports import ASHORE
from campaign.accounts.landings import idle_yard
from campaign.accounts.words import (
    Names,
    at_place,
    counted,
    fleet_name,
    listed,
    near_place,
    opening,
    place_name,
    pounds,
    side_does,
    side_name,
    times,
    with_parent,
    zone_name,
)

_BY_THE_SEA = {
    "in the gale": " in the gale",
    "from the strain of the weather": " to the strain of the weather",
}
# What a side suffers, by what the other is told of the same.
_BY_THE_OTHER_SIDE = {
    "port_defended": "fought_ashore", "port_assailed": "port_attacked", "raid_suffered": "raided",
}  # fmt: skip
# A die that a sentence recounts.
_DIE = re.compile(r" \(the die shows \d\)")
_GATHERED = frozenset({
    "gale", "rode_out", "parted_company", "taken_up", "castaways", "lost", "escaped", "not_overhauled", "hit_at_long_shot", "no_action",
    "captured", "guard_fired", "landed", "enemy_landed", "shipping_taken", "shipping_lost", "shipping_condemned",
})  # fmt: skip


def at_sea(events: Iterable[Event], names: Names, worth: Worth = len) -> list[str]:
    """What happened at sea besides battles, gathered: gales and losses, escapes and chases, convoys, and all that is of no port."""
    rows = list(events)
    coast = [*_guns_of_ports(rows, names), *_landings(rows, names)]
    trade = raids_on_trade(rows, names)
    return [
        *captures(rows, names, worth),
        *storms(rows, names, worth),
        *chases(rows, names),
        *coast,
        *trade,
        *one_by_one(rows, names),
    ]


def captures(events: Iterable[Event], names: Names, worth: Worth = len) -> list[str]:
    """Ships that were taken in no battle, by captor and by whose they were: "France takes Henry and York from England." """
    taken: dict[tuple[str, str], list[str]] = {}
    for _, kind, _, _, data in events:
        if kind == "captured":
            taken.setdefault((str(data.get("captor")), str(data.get("side"))), []).append(str(data["ship"]))
    return [
        f"{opening(side_does(side_name(captor, names), 'takes', 'take'))} {some(ships, names, worth)}"
        f" from {side_name(side, names)}."
        for (captor, side), ships in sorted(taken.items())
    ]


def raids_on_trade(events: Iterable[Event], names: Names) -> list[str]:
    """Merchantmen that raiders took and sank, by side, and what prize courts made of them; what a reader knows as taken from it alone."""
    taken: dict[str, list[Event]] = {}
    lost: dict[str, list[Event]] = {}
    pounds_of: Counter[str] = Counter()
    for event in events:
        _, kind, _, _, data = event
        if kind == "shipping_taken":
            taken.setdefault(str(data.get("side", "")), []).append(event)
        elif kind == "shipping_lost":
            lost.setdefault(str(data.get("attacker", "")), []).append(event)
        elif kind == "shipping_condemned":
            pounds_of[str(data.get("side", ""))] += int(data.get("pounds", 0))
    told = [_raids(side, rows, names) for side, rows in sorted(taken.items())]
    told += [_raids(side, rows, names) for side, rows in sorted(lost.items()) if side not in taken]
    return told + [
        f"Prize courts condemn merchantmen to {side_name(side, names)}: {pounds(sum_)} for the prize fund."
        for side, sum_ in sorted(pounds_of.items())
    ]


def _raids(side: str, rows: list[Event], names: Names) -> str:
    """ "Raiders of Russia take eleven merchantmen and sink one, most of them off Rebun." """
    sunk = sum(bool(row[4].get("sunk")) for row in rows)
    deeds = [
        f"{verb} {several(number, 'merchantman', 'merchantmen')}"
        for verb, number in (("take", len(rows) - sunk), ("sink", sunk))
        if number
    ]
    (place, most), *others = Counter(str(row[4].get("place", "")) for row in rows).most_common()
    where = near_place(place, names)
    if others:
        where = (
            f"most of them {where}" if 2 * most > len(rows) else f"{number_in_words(most)} of them {where}"
        )
    return f"Raiders of {side_name(side, names)} {listed(deeds)}{',' if others else ''} {where}."


def storms(events: Iterable[Event], names: Names, worth: Worth = len) -> list[str]:
    """Gales, ships that no battle cost, those that parted company, and men who were saved."""
    rows = list(events)
    losses = _lost_to_the_sea(rows, names, worth)
    return [*_gales(rows), *losses, *_scattered(rows, names), *_saved(rows, names)]


def chases(rows: Iterable[Event], names: Names) -> list[str]:
    """Escapes in the night, chases that came to nothing, and hits at long shot, each told once for all fleets."""
    fleets: dict[str, list[str]] = {}
    hit: list[str] = []
    for _, kind, _, _, data in rows:
        if kind == "hit_at_long_shot":
            hit += data.get("ships", ())
        elif kind in ("escaped", "not_overhauled"):
            what = kind if kind == "escaped" else "kept away" if data.get("flies") else "chased in vain"
            fleets.setdefault(what, []).append(fleet_name(data, names))
    told = []
    if "escaped" in fleets:
        told.append(_done(fleets["escaped"], "slips", "slip", "away in the night"))
    if "chased in vain" in fleets:
        told.append(_done(fleets["chased in vain"], "cannot", "cannot", "overhaul the enemy"))
    elif "kept away" in fleets:
        told.append(_done(fleets["kept away"], "keeps", "keep", "out of the enemy's reach"))
    if hit:
        told.append(f"Long shots hit {some(hit, names)}.")
    return told


def one_by_one(rows: Iterable[Event], names: Names) -> list[str]:
    """What is not gathered, by its own sentences, each once with how often it was so."""
    told: Counter[str] = Counter()
    officers = []
    rows = list(rows)
    done = {(kind, hour, data.get("place")) for hour, kind, _, _, data in rows}
    for event in rows:
        hour, kind, _, _, data = event
        if kind == "officer":
            officers.append(event)
        elif (_BY_THE_OTHER_SIDE.get(kind), hour, data.get("place")) in done:
            # who reads of both sides reads of one deed once
            if kind == "raid_suffered" and data.get("days"):
                told[idle_yard(data)] += 1
        elif kind not in _GATHERED and kind not in ASHORE:
            told[_DIE.sub("", sentence(event, names))] += 1
    lines = [
        text if number == 1 else f"{text.removesuffix('.')} ({times(number)})."
        for text, number in told.items()
    ]
    return [*lines, *officers_lost(officers, names)]


def _gales(rows: list[Event]) -> list[str]:
    zones = Counter(zone_name(data.get("zone", "")) for _, kind, _, _, data in rows if kind == "gale")
    if not zones:
        return []
    if len(zones) == 1:
        ((zone, number),) = zones.items()
        return [
            f"A gale blows in the {zone} zone."
            if number == 1
            else f"{opening(several(number, 'gale'))} blow in the {zone} zone."
        ]
    where = listed([f"{zone}{f' ({times(n)})' if n > 1 else ''}" for zone, n in sorted(zones.items())])
    return [f"Gales blow in the {where} zones."]


def _lost_to_the_sea(rows: list[Event], names: Names, worth: Worth) -> list[str]:
    """Ships that no battle cost, by side and by what cost them: "England loses Breda and Tiger in the gale." """
    causes: dict[tuple[str, str], list[str]] = {}
    for _, kind, _, _, data in rows:
        if kind == "lost":
            cause = _BY_THE_SEA.get(str(data.get("cause", ""))) or f", {data.get('fate') or 'lost'}"
            causes.setdefault((str(data.get("side", "")), cause), []).append(str(data.get("ship")))
    return [
        f"{opening(side_does(side_name(side, names), 'loses', 'lose'))} {some(ships, names, worth)}{cause}."
        for (side, cause), ships in sorted(causes.items())
    ]


def _guns_of_ports(rows: list[Event], names: Names) -> list[str]:
    """How many ships the guns of a port hit, and how often: of a whole fleet nobody wants the list."""
    hits: dict[str, Counter[str]] = {}
    for _, kind, _, _, data in rows:
        if kind == "guard_fired":
            hits.setdefault(str(data.get("place", "")), Counter()).update(dict(data.get("hits", ())))
    return [
        f"The guns of {place_name(port, names)} hit {several(len(ships), 'ship')} {times(sum(ships.values()))}."
        if ships
        else f"The guns of {place_name(port, names)} hit nothing."
        for port, ships in sorted(hits.items())
    ]


def _landings(rows: list[Event], names: Names) -> list[str]:
    """Soldiers put ashore, by fleet and place; who is not told of the fleet reads the last estimate."""
    men: Counter[tuple[str, str]] = Counter()
    ashore: dict[str, int] = {}
    reported: dict[tuple[str, str], Event] = {}
    for event in rows:
        _, kind, _, _, data = event
        place = str(data.get("place", ""))
        if kind == "landed":
            men[str(data.get("fleet", "")), place] += int(data.get("men", 0))
            ashore[place] = int(data.get("ashore", 0))
        elif kind == "enemy_landed":
            reported[str(data.get("attacker", "")), place] = event
    told = [
        opening(_landing(the_fleet(names.get(fleet) or "a fleet"), number, at_place(place, names)))
        for (fleet, place), number in men.items()
    ]
    told += [f"{number:,} soldiers are ashore {at_place(place, names)}." for place, number in ashore.items()]
    return told + [sentence(event, names) for (_, place), event in reported.items() if place not in ashore]


def _landing(fleet: str, men: int, where: str) -> str:
    return f"{fleet} {'land' if is_plural(fleet) else 'lands'} {men:,} soldiers {where}."


def _done(fleets: list[str], one: str, many: str, what: str) -> str:
    """What fleets did, each once with how often: "The Red slips away in the night (twice)." one, many: the verb."""
    number = Counter(fleets)
    if len(number) == 1:
        often = f" ({times(len(fleets))})" if len(fleets) > 1 else ""
        return f"{opening(fleets[0])} {many if is_plural(fleets[0]) else one} {what}{often}."
    names = listed([f"{name} ({times(n)})" if n > 1 else name for name, n in number.items()])
    return f"{opening(names)} {many} {what}."


def _scattered(rows: list[Event], names: Names) -> list[str]:
    parents = Counter(
        the_fleet(names[str(data["parent"])]) if data.get("parent") in names else "their fleet"
        for _, kind, _, _, data in rows
        if kind == "parted_company"
    )
    if not parents:
        return []
    number = sum(parents.values())
    names_of = [
        the_fleet(str(data.get("name") or "a squadron"))
        for _, kind, _, _, data in rows
        if kind == "parted_company"
    ]
    # Of two that go by one name the number is told.
    if len(parents) == 1 and number <= NAMED and len(set(names_of)) == number:
        one = number == 1 and not is_plural(names_of[0])
        return [
            f"{opening(listed(names_of))} {'parts' if one else 'part'} company{with_parent(names_of[0], next(iter(parents)))}."
        ]
    fleets = next(iter(parents)) if len(parents) == 1 else "their fleets"
    return [
        f"{opening(several(number, 'squadron or ship', 'squadrons or ships'))} part company with {fleets}."
    ]


def _saved(rows: list[Event], names: Names) -> list[str]:
    told = []
    men = sum(int(data.get("men", 0)) for _, kind, _, _, data in rows if kind == "taken_up")
    if men:
        told.append(f"Ships in company save {counted(men, 'man', 'men')} from those that go down.")
    shores: Counter[tuple[str, str]] = Counter()
    for _, kind, _, _, data in rows:
        if kind == "castaways":
            shores[str(data.get("people", "")), str(data.get("shore", ""))] += int(data.get("men", 0))
    words = {
        "friendly": "come ashore among friends",
        "hostile": "come ashore and are taken",
        "neutral": "come ashore on a neutral coast",
    }
    for (people, shore), number in sorted(shores.items()):
        told.append(
            f"{counted(number, 'castaway')} of {side_name(people, names)} {words.get(shore, 'come ashore')}."
        )
    return told
