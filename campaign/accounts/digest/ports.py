"""Yards, prizes and prisoners gathered by port. Rules: G.RP2, G.PR4, G.PR5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from campaign.accounts import sentence
from campaign.accounts.digest.numbers import NAMED, Event, Worth, number_in_words, several, some
from campaign.accounts.words import (
    Names,
    at_place,
    counted,
    listed,
    opening,
    pounds,
    ship_name,
    side_name,
)

_PRIZE_ENDS = {
    "prize_sold": ("is sold for {}", "are sold for {}"),
    "prize_bought": ("is bought into service for {}", "are bought into service for {}"),
    "prize_hulked": ("is made a hulk for {}", "are made hulks for {}"),
}
ASHORE = frozenset({
    "repaired", "condemned", "prize_bought", "prize_sold", "prize_hulked", "prize_exchanged", "burnt_in_port", "exchanged",
})  # fmt: skip


def ashore(events: Iterable[Event], names: Names, worth: Worth = len) -> list[str]:
    """What happened in the ports, gathered: repairs, prizes before the court and after it, prisoners."""
    rows = [event for event in events if event[1] in ASHORE]
    return [*_refitted(rows, names, worth), *_prizes(rows, names, worth), *_exchanged(rows, names)]


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
