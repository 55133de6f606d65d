"""From guns to batteries: gun lists of the register, guns known only as a total, and the grouping of both.

Rules: T.S3, T.S4, T.S4a-T.S4e, T.S5, T.S26, T.S27, T.O4k.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from battles.engine.core.telling import listed
from battles.engine.rulesets.thomas.tables import (
    ARMADA_GUNS,
    Arc,
    Grouping,
    Gun,
    Kind,
    Period,
    carries_36_pounders,
    is_english,
    is_southern,
    nelson_grouping,
)

_HALF = Fraction(1, 2)
_LIST = re.compile(r"\s*(\d+)\s*x\s*([^@;]+?)\s*(?:@\s*(ahead|astern|broadside)\s*)?", re.IGNORECASE)
_POUNDS = re.compile(r"(\d+)\s*-?\s*(?:pdr|pounder|lb)s?")
_SIDES = (Arc.PORT, Arc.STARBOARD)
_ENDS = (Arc.AHEAD, Arc.ASTERN)
_ARCS, _TYPES = tuple(Arc), tuple(Gun)


class Guns(NamedTuple):
    """Guns of one calibre. arc: "ahead", "astern", or "" for the broadsides, half of them each."""

    calibre: str
    number: Fraction
    arc: str = ""


class Mount(NamedTuple):
    """A battery as a card has it."""

    gun: Gun
    arc: Arc
    half: bool = False


def read(detail: str) -> tuple[Guns, ...]:
    """The guns of a register entry: `28x32pdr;2x9pdr@ahead;4xdemi-cannon;2x68pdr_carr`.

    Raises ValueError naming every part that cannot be read.
    """
    found, wrong = [], []
    for part in filter(str.strip, detail.split(";")):
        match = _LIST.fullmatch(part)
        if match is None:
            wrong.append(part.strip())
            continue
        number, calibre, arc = match.groups(default="")
        arc = arc.lower()
        found.append(Guns(calibre.strip().lower(), Fraction(int(number)), "" if arc == "broadside" else arc))
    if wrong:
        raise ValueError(
            f"guns not readable: {', '.join(wrong)}; written NUMBERxCALIBRE, as 28x32pdr or 4xdemi-cannon"
        )
    return tuple(found)


def grouping(calibre: str, period: Period) -> Grouping | None:
    """How guns of a calibre make batteries; None for pieces too small to count.

    Raises ValueError for a calibre no one knows. Rules: T.S3, T.S4, T.S4c, T.S4d, T.S4e.
    """
    text = calibre.replace("_", " ").strip()
    carronade = text.endswith((" carr", " carronade"))
    match = _POUNDS.match(text)
    if match is not None:
        pounds = int(match[1])
        if pounds < 1:
            raise ValueError(_unknown([calibre]))
        if period is Period.NELSON:
            return Grouping(nelson_grouping(pounds), 1, Gun.SHORT if carronade else Gun.LONG)
        name = _by_pounds(pounds)
        return ARMADA_GUNS[name] if name else None
    name = re.sub(r"[\s-]", "", text)
    name = {"wholecannon": "cannon", "cannonperier": "perier", "stonegun": "perier"}.get(name, name)
    if name in _SMALL:
        return None
    if name in ARMADA_GUNS and (period is Period.ARMADA or name in _POUNDS_OF):
        return (
            ARMADA_GUNS[name]
            if period is Period.ARMADA
            else Grouping(nelson_grouping(_POUNDS_OF[name]), 1, Gun.LONG)
        )
    raise ValueError(_unknown([calibre]))


def _unknown(calibres: Iterable[str]) -> str:
    named = listed((f"“{calibre}”" for calibre in dict.fromkeys(calibres)), "or")
    return f"no gun of the calibre {named} is known; use pounders such as 32pdr, or {listed(sorted(ARMADA_GUNS), 'or')}"


_SMALL = frozenset(
    {"falcon", "falconet", "fowler", "base", "robinet", "portpiece", "swivel", "verso", "esmeril"}
)
# What the older names shoot, as TS-3 pairs them.
_POUNDS_OF = {"cannon": 42, "demicannon": 32, "culverin": 18, "demiculverin": 9, "saker": 6, "minion": 4}


def _by_pounds(pounds: int) -> str:
    """The older name of a piece listed by the weight of its shot, "" for one too small to count. Rule: T.S4."""
    steps = (
        (40, "cannon"),
        (24, "demicannon"),
        (14, "culverin"),
        (8, "demiculverin"),
        (5, "saker"),
        (4, "minion"),
    )
    return next((name for least, name in steps if pounds >= least), "")


def faults(guns: Iterable[Guns], period: Period) -> Iterator[str]:
    """A sentence that names every calibre that the set cannot group; none if it can group them all."""
    unknown = []
    for one in guns:
        try:
            grouping(one.calibre, period)
        except ValueError:
            unknown.append(one.calibre)
    if unknown:
        yield _unknown(unknown)


def batteries(guns: Iterable[Guns], period: Period) -> tuple[Mount, ...]:
    """Batteries of a list of guns: those without an arc are halved between the broadsides.

    Per group and range type guns/N are added up over the calibres and rounded once. Rules: T.S4, T.S4a, T.S4b.
    """
    sums: dict[tuple[Arc, Gun], Fraction] = {}
    for one in guns:
        group = grouping(one.calibre, period)
        if group is None:
            continue
        share = one.number * group.batteries / group.guns
        arcs = _SIDES if not one.arc else (Arc(one.arc),)
        for arc in arcs:
            sums[arc, group.gun] = sums.get((arc, group.gun), Fraction(0)) + share / len(arcs)
    return tuple(
        mount
        for arc in (*_SIDES, *_ENDS)
        for gun in Gun
        for mount in _mounts(sums.get((arc, gun), Fraction(0)), gun, arc)
    )


def _mounts(share: Fraction, gun: Gun, arc: Arc) -> Iterator[Mount]:
    """Whole batteries, or a half one. Rules: T.S4b, T.S5."""
    if share >= Fraction(3, 4):
        for _ in range(max(1, int(share + _HALF))):
            yield Mount(gun, arc)
    elif share >= Fraction(1, 4):
        yield Mount(gun, arc, half=True)


def laid_out(kind: Kind, halves: Mapping[Gun, int]) -> tuple[Mount, ...]:
    """Batteries of which only totals are known, in half batteries by type: halved between the broadsides, an odd one ahead.

    Galleys and pinnaces carry all ahead, galleasses half of their medium ones. Rules: T.S4a, T.O4k, TS-1, TS-2.
    """
    found: list[Mount] = []
    for gun in Gun:
        total = halves.get(gun, 0)
        whole, half = divmod(total, 2)
        if kind is Kind.GALLEY and gun is Gun.SHORT:
            found += [Mount(gun, Arc.AHEAD, half=True)] * total
            continue
        ahead = whole if kind in (Kind.GALLEY, Kind.PINNACE) else whole % 2
        if kind is Kind.GALLEASSE and gun is Gun.MEDIUM:
            ahead = whole - whole // 4 * 2
        for arc in _SIDES:
            found += [Mount(gun, arc)] * ((whole - ahead) // 2)
        found += [Mount(gun, Arc.AHEAD)] * ahead
        found += [Mount(gun, Arc.AHEAD, half=True)] * half
    order = [*_SIDES, *_ENDS]
    return tuple(sorted(found, key=lambda mount: order.index(mount.arc)))


def part_of(mounts: Iterable[Mount], percent: int) -> tuple[Mount, ...]:
    """So many per cent of each type in each group, to the nearest half battery, halves up. Rules: T.S31, T.S5."""
    halves: dict[tuple[Arc, Gun], int] = {}
    for mount in mounts:
        group = mount.arc, mount.gun
        halves[group] = halves.get(group, 0) + (1 if mount.half else 2)
    left: list[Mount] = []
    for arc, gun in sorted(halves, key=lambda group: (_ARCS.index(group[0]), _TYPES.index(group[1]))):
        whole, half = divmod((2 * halves[arc, gun] * percent + 100) // 200, 2)
        left += [Mount(gun, arc)] * whole + [Mount(gun, arc, half=True)] * half
    return tuple(left)


def race_built(nation: str, kind: Kind, year: int, tons: int) -> bool:
    """Whether she is an English galleon of the new build: 1570 or later, up to 500 tons. Rule: T.S26."""
    return is_english(nation) and kind is Kind.GALLEON and 1570 <= year < 1600 and tons <= 500


def of_total(
    total: int, *, kind: Kind, merchant: bool, nation: str, year: int, tons: int
) -> tuple[Guns, ...]:
    """The guns that a ship of so many rated guns is taken to carry, as exact shares. Rule: T.S26."""
    return tuple(
        Guns(calibre, share * total) for calibre, share in _shares(total, kind, merchant, nation, year, tons)
    )


def _shares(
    total: int, kind: Kind, merchant: bool, nation: str, year: int, tons: int
) -> tuple[tuple[str, Fraction], ...]:
    whole = Fraction(1)
    if year < 1600 and is_southern(nation):
        return ("perier", whole / 6), ("demicannon", whole / 6), ("demiculverin", whole / 4)
    if year < 1600:
        heavy = "saker" if race_built(nation, kind, year, tons) else "demicannon"
        return (
            ("perier", whole / 12),
            (heavy, whole / 12),
            ("culverin", whole / 6),
            ("demiculverin", whole / 6),
        )
    if year < 1700:
        return (
            ("perier", whole / 20), ("demicannon", whole / 10), ("culverin", whole / 5), ("demiculverin", whole / 5),
            ("saker", 9 * whole / 20),
        )  # fmt: skip
    if kind in (Kind.LINE, Kind.FIFTY) and not merchant:
        heavy = "24pdr" if total <= 64 else "36pdr" if carries_36_pounders(nation) else "32pdr"
        return (heavy, 2 * whole / 5), ("18pdr", 3 * whole / 5)
    if kind is Kind.FRIGATE and not merchant:
        return (("18pdr" if total >= 36 else "12pdr", whole),)
    return (("9pdr" if total >= 20 else "6pdr", whole),)


def by_tons(tons: int, *, kind: Kind, merchant: bool, year: int) -> int:
    """Guns a ship is taken to carry of which only the tons are known, half up. Rule: T.S27."""
    a_gun = 40 if merchant else 15 if year < 1700 else TONS_A_GUN.get(kind, 21)
    return (2 * tons + a_gun) // (2 * a_gun)


# Tons a gun of warships from 1700; smaller ones 21. Rules: T.S27, T.S28.
TONS_A_GUN = {Kind.LINE: 23, Kind.FIFTY: 23, Kind.FRIGATE: 26}
