"""Many events told in a few sentences: what is like is told once, with its number, and only the greatest ships by name.

For the chronicle, and for the head of a turn's report. Kinds that are not gathered here are told by their own sentences, each once,
so a new kind needs nothing. Rule: G.IN1: a code that the reader has no name for is never printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from campaign.accounts import sentence
from campaign.accounts.words import (
    Names,
    at_place,
    counted,
    duration_in_words,
    is_plural,
    listed,
    opening,
    pounds,
    ship_name,
    side_name,
    times,
    zone_name,
)
from campaign.rules.state.events import EVENT_KINDS

Event = list[Any]
Worth = Callable[[str], Any]
# So many of those that are alike are named, and so many sentences of a kind are told one by one.
NAMED = 4
_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_BY_THE_SEA = {
    "in the gale": " in the gale",
    "from the strain of the weather": " to the strain of the weather",
}
# A die that a sentence recounts.
_DIE = re.compile(r" \(the die shows \d\)")
# How a battle ended, as it is told while it goes on.
_IN_PRESENT = {
    "gale": "until a gale parts the fleets",
    "beaten": "until one side can fight no longer",
    "parted": "until the fleets part",
    "nightfall": "until nightfall",
    "limit": "until time runs out",
}
_PRIZE_ENDS = {
    "prize_sold": ("is sold for {}", "are sold for {}"),
    "prize_bought": ("is bought into service for {}", "are bought into service for {}"),
    "prize_hulked": ("is made a hulk for {}", "are made hulks for {}"),
}


def number_in_words(number: int) -> str:
    """A number as narrative has it: in words to twelve."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def several(number: int, one: str, many: str = "") -> str:
    """A number of things in words: "eleven ships", "13 ships", "one man"."""
    return f"{number_in_words(number)} {one if number == 1 else many or one + 's'}"


def some(codes: Iterable[str], names: Names, worth: Worth = len, most: int = NAMED) -> str:
    """Ships by name, the worthiest first, and how many more: "Triumph, Royal Katherine and six more"; "" for none."""
    ordered = sorted(dict.fromkeys(codes), key=lambda code: (-worth(code), names.get(code, code)))
    told = [names.get(code, "a ship") for code in ordered]
    if len(told) > most + 1:
        told[most:] = [f"{number_in_words(len(told) - most)} more"]
    return listed(told)


def at_sea(events: Iterable[Event], names: Names, worth: Worth = len) -> list[str]:
    """What happened at sea besides battles, gathered: gales and their losses, escapes, chases, convoys, and all that is of no port."""
    rows = [event for event in events if event[1] not in _ASHORE]
    gales = [*_gales(rows), *_lost_to_the_sea(rows, names, worth), *_scattered(rows, names)]
    return [*gales, *_saved(rows, names), *_chases(rows, names), *_one_by_one(rows, names)]


def ashore(events: Iterable[Event], names: Names, worth: Worth = len) -> list[str]:
    """What happened in the ports, gathered: repairs, prizes before the court and after it, prisoners."""
    rows = [event for event in events if event[1] in _ASHORE]
    return [*_refitted(rows, names, worth), *_prizes(rows, names, worth), *_exchanged(rows, names)]


def battle_losses(events: Iterable[Event], names: Names, worth: Worth = len, own: str = "") -> list[str]:
    """What battles cost each side, the reader's own first: number, fates, and the greatest ships by name."""
    fates: dict[str, Counter[str]] = {}
    ships: dict[str, list[str]] = {}
    for _, kind, _, _, data in events:
        if not EVENT_KINDS[kind].fate:
            continue
        codes = [str(code) for code in data.get("ships") or [data.get("ship")]]
        side = str(data.get("side", ""))
        word = {"captured": "taken", "retaken": "retaken"}.get(kind) or str(data.get("fate") or "lost")
        fates.setdefault(side, Counter())[word] += len(codes)
        ships.setdefault(side, []).extend(codes)
    told = []
    for side in sorted(fates, key=lambda side: (side != own, side)):
        number = len(ships[side])
        by_fate = listed([f"{number_in_words(n)} {fate}" for fate, n in fates[side].most_common()])
        which = f"{next(iter(fates[side]))}" if len(fates[side]) == 1 else by_fate
        if number <= NAMED:
            told.append(
                f"{opening(side_name(side, names))} loses {some(ships[side], names, worth)} ({which})."
            )
        else:
            among = some(sorted(ships[side], key=lambda c: (-worth(c), c))[:3], names, worth)
            told.append(
                f"{opening(side_name(side, names))} loses {several(number, 'ship')}, {by_fate}, among them {among}."
            )
    return told


def officers_lost(events: Iterable[Event], names: Names, worth: Worth = len, most: int = NAMED) -> list[str]:
    """Officers killed, taken and wounded, those of the greatest ships by name: one sentence, or none."""
    found: dict[str, list[tuple[Any, str]]] = {}
    for _, kind, _, _, data in events:
        if kind == "officer" and data.get("name"):
            found.setdefault(str(data.get("fate", "wounded")), []).append(
                (worth(str(data.get("ship", ""))), str(data["name"]))
            )
    told = []
    for fate in ("killed", "drowned", "captured", "wounded"):
        rows = sorted(found.get(fate, ()), key=lambda row: (-row[0], row[1]))
        if not rows or (fate == "wounded" and told):
            continue
        shown = [name for _, name in rows[: most if len(rows) > most + 1 else most + 1]]
        more = [f"{number_in_words(len(rows) - len(shown))} more"] if len(rows) > len(shown) else []
        verb = ("is" if len(rows) == 1 else "are") + f" {'taken' if fate == 'captured' else fate}"
        told.append(f"{listed([*shown, *more])} {verb}.")
    return told


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
    return [f"Gales blow in the zones {where}."]


def _lost_to_the_sea(rows: list[Event], names: Names, worth: Worth) -> list[str]:
    """Ships that no battle cost, by side and by what cost them: "England loses Breda and Tiger in the gale." """
    causes: dict[tuple[str, str], list[str]] = {}
    for _, kind, _, _, data in rows:
        if kind == "lost":
            cause = _BY_THE_SEA.get(str(data.get("cause", ""))) or f", {data.get('fate') or 'lost'}"
            causes.setdefault((str(data.get("side", "")), cause), []).append(str(data.get("ship")))
    return [
        f"{opening(side_name(side, names))} loses {some(ships, names, worth)}{cause}."
        for (side, cause), ships in sorted(causes.items())
    ]


def _chases(rows: list[Event], names: Names) -> list[str]:
    """Escapes in the night, chases that came to nothing, and hits at long shot, each told once for all fleets."""
    fleets: dict[str, list[str]] = {}
    hit: list[str] = []
    for _, kind, _, _, data in rows:
        if kind == "hit_at_long_shot":
            hit += data.get("ships", ())
        elif kind in ("escaped", "not_overhauled"):
            what = kind if kind == "escaped" else "kept away" if data.get("flies") else "chased in vain"
            fleets.setdefault(what, []).append(names.get(str(data.get("fleet", "")), "an enemy fleet"))
    told = []
    if "escaped" in fleets:
        told.append(
            f"{_each_once(fleets['escaped'])} {_verb(fleets['escaped'], 'slips', 'slip')} away in the night."
        )
    if "chased in vain" in fleets:
        told.append(f"{_each_once(fleets['chased in vain'])} cannot overhaul the enemy.")
    elif "kept away" in fleets:
        told.append(
            f"{_each_once(fleets['kept away'])} {_verb(fleets['kept away'], 'keeps', 'keep')} out of the enemy's reach."
        )
    if hit:
        told.append(f"Long shots hit {some(hit, names)}.")
    return told


def _each_once(fleets: list[str]) -> str:
    """Fleets by name, with how often: "Albemarle's fleet (twice) and the Red"."""
    number = Counter(fleets)
    return opening(listed([f"{name} ({times(n)})" if n > 1 else name for name, n in number.items()]))


def _verb(fleets: list[str], one: str, many: str) -> str:
    return one if len(set(fleets)) == 1 and not is_plural(fleets[0]) else many


def _scattered(rows: list[Event], names: Names) -> list[str]:
    parents = Counter(
        names.get(str(data.get("parent", "")), "their fleet")
        for _, kind, _, _, data in rows
        if kind == "parted_company"
    )
    if not parents:
        return []
    number = sum(parents.values())
    if len(parents) == 1 and number <= NAMED:
        names_of = [
            str(data.get("name") or "a squadron") for _, kind, _, _, data in rows if kind == "parted_company"
        ]
        return [
            f"{opening(listed(names_of))} {'parts' if number == 1 else 'part'} company with {next(iter(parents))}."
        ]
    fleets = next(iter(parents)) if len(parents) == 1 else "their fleets"
    return [
        f"{opening(several(number, 'squadron or ship', 'squadrons and ships'))} part company with {fleets}."
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


def _one_by_one(rows: list[Event], names: Names) -> list[str]:
    """The rest by their own sentences, each once with how often it was so, the commonest left to the page of every event."""
    told: Counter[str] = Counter()
    officers = []
    for event in rows:
        _, kind, _, _, data = event
        if kind == "officer":
            officers.append(event)
        elif kind not in _GATHERED:
            told[_DIE.sub("", sentence(event, names))] += 1
    lines = [
        text if number == 1 else f"{text.removesuffix('.')} ({times(number)})."
        for text, number in told.items()
    ]
    return [*lines, *officers_lost(officers, names)]


def _refitted(rows: list[Event], names: Names, worth: Worth) -> list[str]:
    ports: dict[str, list[str]] = {}
    for _, kind, _, _, data in rows:
        if kind == "repaired":
            ports.setdefault(str(data.get("place", "")), []).append(str(data.get("ship")))
    told = []
    for port, ships in sorted(ports.items(), key=lambda row: (-len(row[1]), row[0])):
        different = dict.fromkeys(ships)
        if len(different) <= NAMED:
            told.append(
                f"{some(ships, names, worth)} {'is' if len(different) == 1 else 'are'} refitted {at_place(port, names)}."
            )
        else:
            told.append(f"{opening(several(len(different), 'ship'))} are refitted {at_place(port, names)}.")
    return told


def _prizes(rows: list[Event], names: Names, worth: Worth) -> list[str]:
    """Prizes by port: how many were condemned, and what became of them."""
    told = []
    condemned: Counter[str] = Counter(
        str(data.get("place", "")) for _, kind, _, _, data in rows if kind == "condemned"
    )
    ports = dict.fromkeys(
        [*condemned, *(str(d.get("place", "")) for _, kind, _, _, d in rows if kind in _PRIZE_ENDS)]
    )
    for port in ports:
        ends = []
        for kind, (one, many) in _PRIZE_ENDS.items():
            found = [
                data for _, event, _, _, data in rows if event == kind and str(data.get("place", "")) == port
            ]
            if found:
                who = [str(data.get("former") or ship_name(data.get("ship"), names)) for data in found]
                shown = (
                    listed(who)
                    if len(who) <= 2
                    else "all"
                    if len(who) == condemned[port]
                    else number_in_words(len(who))
                )
                sum_of = pounds(sum(int(data.get("pounds", 0)) for data in found))
                ends.append(f"{shown} {(one if len(who) == 1 else many).format(sum_of)}")
        number = condemned[port]
        head = f"{opening(several(number, 'prize'))} {'is' if number == 1 else 'are'} condemned {at_place(port, names)}"
        if number:
            told.append(f"{head}: {', '.join(ends)}." if ends else f"{head}.")
        else:
            told.append(f"{opening(at_place(port, names))} {', '.join(ends)}.")
    rest = [event for event in rows if event[1] not in {"repaired", "condemned", "exchanged", *_PRIZE_ENDS}]
    return [*told, *dict.fromkeys(sentence(event, names) for event in rest)]


def _exchanged(rows: list[Event], names: Names) -> list[str]:
    men: Counter[tuple[str, ...]] = Counter()
    for _, kind, _, _, data in rows:
        if kind == "exchanged":
            men[tuple(data.get("sides", ()))] += int(data.get("men", 0))
    return [
        f"{opening(listed([side_name(code, names) for code in sides]) or 'The sides')} exchange {counted(number, 'prisoner')} each."
        for sides, number in men.items()
    ]


_ASHORE = frozenset({
    "repaired", "condemned", "prize_bought", "prize_sold", "prize_hulked", "prize_exchanged", "burnt_in_port", "exchanged",
})  # fmt: skip
_GATHERED = frozenset({
    "gale", "rode_out", "parted_company", "taken_up", "castaways", "lost", "escaped", "not_overhauled", "hit_at_long_shot", "no_action",
})  # fmt: skip


def battle_in_brief(begun: Event, ended: Event | None, names: Names, *, again: bool = False) -> str:
    """Who fought, how long, and to what end, in a sentence: "England and the Dutch Republic fight for 5 hours, until nightfall."

    again: the sides are those of the battle that was told before it.
    """
    data = begun[4]
    sides = [side_name(code, names) for code in data.get("fleets", {})]
    who = "They" if again else opening(listed(sides)) if len(sides) > 1 else "The fleets"
    gauge = f", {side_name(data['gauge'], names)} to windward" if data.get("gauge") else ""
    surprised = listed([side_name(code, names) for code in data.get("surprised") or ()])
    caught = (
        f" {opening(surprised)} {'is' if len(data['surprised']) == 1 else 'are'} surprised."
        if surprised
        else ""
    )
    if ended is None:
        return f"{who} are engaged{gauge}; the battle is not over yet.{caught}"
    spent = duration_in_words(int(ended[4].get("minutes", 0)))
    until = _IN_PRESENT.get(str(ended[4].get("ended", "")), "until it is over")
    field = (
        f" {opening(side_name(ended[4]['held_field'], names))} holds the field."
        if ended[4].get("held_field")
        else ""
    )
    return f"{who} fight for {spent}, {until}{gauge}.{caught}{field}"
