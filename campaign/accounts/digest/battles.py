"""Battles in a sentence each: who fought and how long, what it cost each side, and which officers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from campaign.accounts.digest.numbers import NAMED, Event, Worth, number_in_words, several, some
from campaign.accounts.words import (
    Names,
    duration_in_words,
    ending_of,
    listed,
    opening,
    side_does,
    side_name,
)
from campaign.rules.state.events import EVENT_KINDS

# How a battle ended, as it is told while it goes on.
_IN_PRESENT = {
    "gale": "until a gale parts the fleets",
    "beaten": "until one side can fight no longer",
    "parted": "until the fleets part",
    "nightfall": "until nightfall",
    "limit": "until time runs out",
}


def battle_in_brief(begun: Event, ended: Event | None, names: Names, *, again: bool = False) -> str:
    """Who fought, how long, and to what end, in a sentence: "England and the Dutch Republic fight for 5 hours, until nightfall."

    again: the sides are those of the battle that was told before it.
    """
    data = begun[4]
    sides = [side_name(code, names) for code in data.get("fleets", {})]
    # a side of two powers comes first, with the other as whom it fights: three names in a row would not say who fights whom
    one, *others = sorted(sides, key=lambda side: " and " not in side) or [""]
    against = f" {others[0]}" if " and " in one and len(others) == 1 and not again else ""
    both = one if against else listed(sides) if others else "the fleets"
    who = "They" if again else opening(both)
    gauge = f", {side_name(data['gauge'], names)} to windward" if data.get("gauge") else ""
    surprised = listed([side_name(code, names) for code in data.get("surprised") or ()])
    caught = f" {side_does(opening(surprised), 'is', 'are')} surprised." if surprised else ""
    if ended is None:
        return f"{who} are engaged{' with' if against else ''}{against}{gauge}; the battle is not over yet.{caught}"
    spent = duration_in_words(int(ended[4].get("minutes", 0)))
    until = _IN_PRESENT.get(ending_of(ended), "until it is over")
    field = (
        f" {side_does(opening(side_name(ended[4]['held_field'], names)), 'holds', 'hold')} the field."
        if ended[4].get("held_field")
        else ""
    )
    return f"{who} fight{against} for {spent}, {until}{gauge}.{caught}{field}"


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
        all_of = f"all {which}" if len(fates[side]) == 1 else by_fate
        if number <= NAMED:
            told.append(
                f"{opening(side_does(side_name(side, names), 'loses', 'lose'))} {some(ships[side], names, worth)} ({which})."
            )
        else:
            among = some(sorted(ships[side], key=lambda c: (-worth(c), c))[:3], names, worth)
            told.append(
                f"{opening(side_does(side_name(side, names), 'loses', 'lose'))} {several(number, 'ship')}, {all_of}, among them {among}."
            )
    return told


def costs(events: Iterable[Event], names: Names, own: str = "") -> str:
    """How many ships battles cost each side, the reader's own first: "England loses 16 ships and the Dutch Republic ten"."""
    sides: Counter[str] = Counter()
    for _, kind, _, _, data in events:
        if EVENT_KINDS[kind].fate and kind != "retaken":
            sides[str(data.get("side", ""))] += len(data.get("ships") or [data.get("ship")])
    ordered = sorted(sides, key=lambda side: (side != own, side))
    told = [
        f"{side_does(side_name(side, names), 'loses', 'lose')} {several(sides[side], 'ship')}"
        for side in ordered[:1]
    ]
    told += [f"{side_name(side, names)} {number_in_words(sides[side])}" for side in ordered[1:]]
    return listed(told) if told else "no ship is lost"


def officers_lost(events: Iterable[Event], names: Names, worth: Worth = len, most: int = NAMED) -> list[str]:
    """Officers killed, taken and wounded, those of the greatest ships by name: one sentence, or none."""
    found: dict[str, list[tuple[Any, str]]] = {}
    for _, kind, _, _, data in events:
        if kind == "officer" and data.get("name"):
            found.setdefault(str(data.get("fate", "wounded")), []).append(
                (worth(str(data.get("ship", ""))), str(data["name"]))
            )
    told: list[str] = []
    for fate in ("killed", "drowned", "captured", "wounded"):
        rows = sorted(found.get(fate, ()), key=lambda row: (-row[0], row[1]))
        if not rows or (fate == "wounded" and told):
            continue
        shown = [name for _, name in rows[: most if len(rows) > most + 1 else most + 1]]
        more = [f"{number_in_words(len(rows) - len(shown))} more"] if len(rows) > len(shown) else []
        one = len(rows) == 1
        verb = f"{'is' if one else 'are'} {'taken' if fate == 'captured' else fate}"
        if fate == "drowned":
            verb = "drowns" if one else "drown"
        told.append(f"{listed([*shown, *more])} {verb}.")
    return told
