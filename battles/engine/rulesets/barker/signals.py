"""Signals by sight and by wireless, and who is in touch with his Flag. Rules: P.G01-P.G13. Lengths are hundredths of a yard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from battles.engine.core import bases
from battles.engine.rulesets.barker import coming, land, modes, sight
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import BarkerSquadron, Battle, Status, Unit
from battles.engine.rulesets.barker.tables import DAYLIGHT, MILE, SLACK, YARD, Mode, Phase


class Means(StrEnum):
    """How a signal is made. Rules: P.G01-P.G04."""

    HOIST = "hoist"
    SEARCHLIGHT = "searchlight"
    LAMP = "lamp"
    WIRELESS = "wireless"


# Rule: P.G04.
WIRELESS, WIRELESS_FROM = 65 * MILE, 1900
# Words of morse in a spell, and what a word takes of them in clear and in code. Rule: P.G08.
WORDS, CLEAR, CODED = {Mode.COMBAT: 6, Mode.CRUISING: 40}, 1, 2
# WORD dice that lose a word. Rule: P.G06.
LOST = 2
SIGNAL = "signal"


class Sent(NamedTuple):
    """A signal as it went out. words: "" for one that was lost. friends, enemies: ids of units that received it, or saw it made.

    fault: code of why it was not sent; then nothing else is true.
    """

    words: tuple[str, ...] = ()
    friends: frozenset[str] = frozenset()
    enemies: frozenset[str] = frozenset()
    fault: str = ""


# --- reach ---


def reach(battle: Battle, unit: Unit, means: Means) -> int:
    """How far a unit's signal carries in clear air; 0 when it cannot make it. Rules: P.G01-P.G04, P.G07, P.V13."""
    if means is Means.LAMP:
        return int(battle.options["lamp_range_yd"]) * YARD
    if means is Means.WIRELESS:
        return WIRELESS if unit.wt and battle.year >= WIRELESS_FROM and not unit.crippled else 0
    can = battle.phase in DAYLIGHT if means is Means.HOIST else unit.searchlight
    return unit.signal_miles * MILE if can else 0


def carries(battle: Battle, sender: Unit, to: Unit, means: Means, full: int | None = None) -> bool:
    """Whether a signal gets from one unit to another: weather, land and distance. full: its reach, if known.

    Rules: P.G04, P.G05, P.G07, P.V01.
    """
    full = reach(battle, sender, means) if full is None else full
    if not full or not (sender.on_table and to.on_table):
        return False
    if means is Means.WIRELESS and not reach(battle, to, means):
        return False
    far = bases.gap(sender, to)
    if far > full + SLACK or means is Means.WIRELESS:
        return far <= full + SLACK
    if not battle.banks and not battle.land:
        return True
    line = bases.nearest_points(sender, to)
    kinds = sight.crossing(battle, *line) if battle.banks else frozenset()
    if "fog" in kinds or (kinds and far > full // 2 + SLACK):
        return False
    return not land.blocks(battle, *line, frozenset(unit.id for unit in (sender, to) if unit.ashore))


def usual(battle: Battle, unit: Unit) -> Means:
    """The means by which a unit passes orders on without showing itself: hoist, searchlight in half light, lamp by night.

    One that has sent searchlight morse this spell goes on with it. Rules: P.G01-P.G03, P.G11.
    """
    if battle.phase in DAYLIGHT:
        return Means.HOIST
    shows = unit.light == SIGNAL or battle.phase is not Phase.NIGHT
    return Means.SEARCHLIGHT if shows and unit.searchlight else Means.LAMP


# --- touch ---


def in_touch(battle: Battle, unit: Unit, known: dict[str, frozenset[str]] | None = None) -> bool:
    """Whether a visual path leads from a unit's Flag or Captain (D) to it; a unit without one is never out of touch.

    False when the Flag is lost or gone; True in formation with him, and while either is still outside the edge. known: `Play.touch`, so
    that the path is looked for once a spell. Rules: P.G10, P.G11, P.I11, P.S19, P.S34, P.Y03.
    """
    squadron = battle.squadrons.get(unit.squadron)
    flag = battle.units.get(squadron.flagship) if squadron is not None else None
    if flag is None or flag is unit:
        return True
    if flag.status is not Status.IN_PLAY:
        return False
    if unit.outside or flag.outside:
        return True
    if battle.options["wt_counts_as_touch"] and carries(battle, flag, unit, Means.WIRELESS):
        return True
    if known is None:
        known = {}
    if flag.id not in known:
        known[flag.id] = _in_company(battle, flag)
    if unit.id in known[flag.id]:
        return True
    if carries(battle, flag, unit, usual(battle, flag)):
        return True
    repeated = f"{flag.id}/repeated"
    if repeated not in known:
        known[repeated] = repeat(battle, flag, usual(battle, flag))
    return unit.id in known[repeated]


def _in_company(battle: Battle, flag: Unit) -> frozenset[str]:
    """Those in one formation with a unit. Rule: P.G11."""
    return frozenset(code for row in battle.formations if flag.id in row.members for code in row.members)


def repeat(battle: Battle, sender: Unit, means: Means) -> frozenset[str]:
    """Friends to whom a visual signal comes, repeated by every ship of a squadron or flotilla that it reaches; the sender among them.

    Rule: P.G10.
    """
    reached, edge = {sender.id}, [sender]
    waiting = [unit for unit in battle.on_table(sender.side) if unit is not sender and not unit.neutral]
    while edge and waiting:
        relay = edge.pop()
        by = means if relay is sender else usual(battle, relay)
        full = reach(battle, relay, by)
        left = []
        for unit in waiting:
            if carries(battle, relay, unit, by, full):
                reached.add(unit.id)
                if unit.squadron:
                    edge.append(unit)
            else:
                left.append(unit)
        waiting = left
    return frozenset(reached)


# --- sending ---


def send(
    battle: Battle, play: Play, sender: Unit, means: Means, words: Sequence[str], *, coded: bool
) -> Sent:
    """Make a signal. What cannot be made is not: `Sent.fault` says why.

    A light by night shows its sender from now on to the end of the spell; an enemy who sees any signal but wireless knows that there
    is an enemy. Rules: P.G01-P.G10, P.V04, P.C02.
    """
    fault = _fault(battle, play, sender, means, words, coded)
    if fault:
        return Sent(fault=fault)
    if means is Means.HOIST:
        play.sent[f"hoist/{sender.id}"] = 1
    else:
        play.sent[sender.id] = play.sent.get(sender.id, 0) + len(words) * (CODED if coded else CLEAR)
    if means is Means.WIRELESS:
        left = send_wt(battle, play, sender, words)
        friends = frozenset(
            unit.id for unit in battle.on_table(sender.side) if carries(battle, sender, unit, means)
        )
    else:
        left = tuple(words)
        if means is Means.SEARCHLIGHT and battle.phase is Phase.NIGHT:
            sender.light = SIGNAL
        friends = repeat(battle, sender, means)
    enemies = readers(battle, sender, means)
    play.tell(
        "signal", "P.G09", sender.id, means=means.value, coded=coded, words=list(left), read=[] if coded else list(left),
        seen=bool(enemies),
    )  # fmt: skip
    if enemies and means is not Means.WIRELESS:
        modes.alarm(battle, play)
    return Sent(left, friends - {sender.id}, enemies)


def readers(battle: Battle, sender: Unit, means: Means) -> frozenset[str]:
    """Enemies whom a sender's own signal reaches: they read it in clear, and in code know that it was made. Rules: P.G09, P.C02."""
    return frozenset(
        unit.id
        for unit in battle.on_table(battle.other(sender.side))
        if not unit.neutral and not unit.disguised and carries(battle, sender, unit, means)
    )


def _fault(battle: Battle, play: Play, sender: Unit, means: Means, words: Sequence[str], coded: bool) -> str:
    """Why a signal cannot be made, as a code; "" when it can. Rules: P.G01, P.G04, P.G07, P.G08, P.V14."""
    if not sender.on_table or not reach(battle, sender, means):
        return "signal/no-means"
    if means is Means.HOIST:
        return "signal/one-hoist-a-spell" if f"hoist/{sender.id}" in play.sent else ""
    used = play.sent.get(sender.id, 0) + len(words) * (CODED if coded else CLEAR)
    return "signal/too-many-words" if used > WORDS[battle.mode] else ""


def send_wt(battle: Battle, play: Play, sender: Unit, words: Iterable[str]) -> tuple[str, ...]:
    """A wireless message as every receiver gets it: a die for each word, and "" for a word lost. Rule: P.G06."""
    number = play.sent[f"wt/{sender.id}"] = play.sent.get(f"wt/{sender.id}", 0) + 1
    subjects = (battle.spell, "WORD", sender.id, number)
    return tuple(
        word if play.dice.d6(clause="P.G06", subjects=(*subjects, n), reason="word") > LOST else ""
        for n, word in enumerate(words)
    )


# --- orders ---


def taken(before: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """An order as it is understood: without its verb it is void, an argument that was lost keeps its last value. Rule: P.G13."""
    if not words or not words[0]:
        return tuple(before)
    old = before if before and before[0] == words[0] else ()
    return tuple(word or (old[n] if n < len(old) else "") for n, word in enumerate(words))


def wishes(
    battle: Battle, play: Play, side: str, wished: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """The orders of a C-in-C by squadron as each squadron now has them. Words: verb first, then its arguments.

    With the switch `signals` free every squadron knows them. Else a new one is signalled from his flagship: by sight where that reaches
    the squadron's Flag, by wireless in code where it does not; his own squadron hears him. Rules: P.G13, P.K44, P.K48.
    """
    if battle.options.get("signals", "free") == "free":
        return {code: tuple(words) for code, words in wished.items()}
    admiral = battle.squadrons.get(battle.parties[side].cinc)
    flag = battle.units.get(admiral.flagship) if admiral is not None else None
    for code, words in wished.items():
        squadron = battle.squadrons[code]
        if tuple(words) == battle.received.get(code):
            continue
        if squadron is admiral:
            battle.received[code] = tuple(words)
        elif flag is not None and flag.on_table and (leader := _leader(battle, squadron)) is not None:
            _order(battle, play, flag, leader, code, words)
    return {code: battle.received[code] for code in wished if code in battle.received}


def _leader(battle: Battle, squadron: BarkerSquadron) -> Unit | None:
    """Who reads the signals to a squadron: its Flag, and in one that has none its first unit that is there. Rules: P.G13, P.S14."""
    flag = battle.units.get(squadron.flagship)
    return flag or next((unit for unit in coming.units_of(battle, squadron) if unit.on_table), None)


def _order(battle: Battle, play: Play, flag: Unit, to: Unit, squadron: str, words: Sequence[str]) -> None:
    """Signal an order to a squadron's Flag by the first means that serves. Rules: P.G13, P.G11."""
    visual = usual(battle, flag)
    sent = Sent(fault="signal/no-means")
    if to.id in repeat(battle, flag, visual):
        sent = send(battle, play, flag, visual, words, coded=False)
    if sent.fault and carries(battle, flag, to, Means.WIRELESS):
        # Allies have no code in common unless a scenario gives them one. Rule: P.K03.
        coded = flag.nation == to.nation or battle.options["shared_code"]
        sent = send(battle, play, flag, Means.WIRELESS, words, coded=coded)
    if to.id in sent.friends:
        battle.received[squadron] = taken(battle.received.get(squadron, ()), sent.words)
