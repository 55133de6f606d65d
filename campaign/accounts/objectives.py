"""Objectives told as sentences, and how a campaign ended. Rules: G.OB1, G.OB2, G.OB3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from battles.engine.core.telling import the_fleet
from campaign.accounts.words import (
    KINDS_PLURAL,
    STEAMERS_PLURAL,
    UNDER_STEAM,
    Data,
    Names,
    Teller,
    counted,
    listed,
    opening,
    place_name,
    side_does,
    side_name,
    with_article,
)
from campaign.rules.aims.grading import Degree, Grade
from campaign.rules.chart.objectives import ALL, LINE, AimKind, Pay, Row

_DECIDES = {
    "ends": " This decides the campaign: it ends at 06:00 when no battle holds a fleet of theirs.",
    "tells": " This would decide the campaign, but play continues.",
    "asks": " This may decide the campaign: the umpire rules.",
}


def _achieved(data: Data, names: Names) -> str:
    marks = int(data.get("marks", 0))
    paid = f" That earns {counted(marks, 'mark')}." if marks else ""
    told = f"{opening(side_does(side_name(data.get('side'), names), 'achieves', 'achieve'))} the objective {_words(data)}"
    return told + paid + _DECIDES.get(str(data.get("decides", "")), "")


def _paid(data: Data, names: Names) -> str:
    marks = counted(int(data.get("marks", 0)), "mark")
    return f"{opening(side_name(data.get('side'), names))} earns {marks} for the objective {_words(data)}"


def _words(data: Data) -> str:
    """The words of an objective, quoted, as the end of a sentence."""
    return f"“{str(data.get('words', '')).strip().rstrip('.')}”."


def asked_in_words(row: Row, names: Names) -> str:
    """What an objective asks for, in a sentence without its own words. names: of places, sides and fleets, by code. Rule: G.OB1."""
    told = _ASKED[row.kind](row, names)
    if row.days > 1:
        told += f", on {row.days} mornings" + (" one after the other" if row.running else "")
    return opening(told) + "."


def _either(codes: Iterable[str], names: Names) -> str:
    return listed([place_name(code, names) for code in codes]).replace(" and ", " or ")


def _group(row: Row, whose: str, names: Names) -> str:
    """A group of ships in words. whose: "the enemy's" or "the side's". Rule: G.OB1."""
    if row.group == (ALL,):
        return f"{whose} whole fleet"
    if row.group == (LINE,):
        return f"{whose} {heavy_ships(names)}"
    return listed([the_fleet(names.get(code, code)) for code in row.group])


def heavy_ships(names: Names) -> str:
    """What ships of the line are called in the period of the theatre."""
    return (STEAMERS_PLURAL if UNDER_STEAM in names else KINDS_PLURAL)[LINE]


def _brought(row: Row, names: Names) -> str:
    where = _either(row.to, names)
    if row.what == LINE:
        return f"{row.number} {heavy_ships(names)} brought to {where}"
    return f"at least {row.share}% of the cargo of {the_fleet(names.get(row.what, row.what))} delivered at {where}"


def _gathered(row: Row, names: Names) -> str:
    force = (
        f"{row.least_line} {heavy_ships(names)}"
        if row.least_line
        else f"fighting ships worth {row.least_percent}% of what the side began with"
    )
    ally = f", including a ship of {side_name(row.with_, names)}" if row.with_ else ""
    alone = ", and no enemy force at least half as strong at any of them" if row.alone else ""
    return f"{force} in one force{ally}, at {_either(row.at, names)}{alone}"


def _closed(row: Row, names: Names) -> str:
    return f"a blockade of {place_name(row.port, names)} for a whole day in which no enemy goes in or out"


def _held(row: Row, names: Names) -> str:
    least = counted(row.least_marks, "mark")
    return f"ships worth {least} at {_either(row.places, names)}, and no enemy force worth half as much at any of them"


def _raided(row: Row, names: Names) -> str:
    return f"a raid on {_either(row.ports, names)} that succeeds fully or in part"


def _owned(row: Row, names: Names) -> str:
    ports = listed([place_name(code, names) for code in row.ports])
    return f"as many as possible of {ports} owned by the side" if row.each else f"{ports} owned by the side"


def _denied(row: Row, names: Names) -> str:
    return f"the enemy has not achieved the objective {row.objective}"


def _destroyed(row: Row, names: Names) -> str:
    group = _group(row, "the enemy's", names)
    return f"no more than {row.left}% left of the value that {group} had on the first day"


def _kept(row: Row, names: Names) -> str:
    group = _group(row, "the side's", names)
    return f"at least {row.left}% left of the value that {group} had on the first day"


def _landed(row: Row, names: Names) -> str:
    where = listed([place_name(code, names) for code in row.at])
    return f"{row.men:,} men ashore at {where}, in total"


_ASKED: Mapping[AimKind, Callable[[Row, Names], str]] = {
    AimKind.BRING: _brought,
    AimKind.LAND: _landed,
    AimKind.OWN: _owned,
    AimKind.CLOSE: _closed,
    AimKind.GATHER: _gathered,
    AimKind.SEA: _held,
    AimKind.DESTROY: _destroyed,
    AimKind.KEEP: _kept,
    AimKind.RAID: _raided,
    AimKind.DENY: _denied,
}


def marks_in_words(row: Row) -> str:
    """What an objective pays, and when. Rule: G.OB2."""
    marks = counted(row.marks, "mark")
    if row.pay is Pay.DAILY:
        often = "a morning" if row.every == 1 else f"every {row.every} mornings"
        return f"{marks} {often}" + (f", up to {row.most}" if row.most else "")
    if row.pay is Pay.SHARE:
        return f"{marks} for the whole cargo, at the end"
    return f"{marks} {'for each ' if row.each else ''}at the end" if row.pay is Pay.END else f"{marks} once"


def ending_in_words(grade: Grade, mark: int, names: Names) -> str:
    """How a campaign ended, in a sentence. mark: points of one. names: of sides, by code. Rules: G.OB2, G.OB3."""
    who = listed([with_article(names.get(code, code)) for code in grade.winners])
    several = " and " in who
    marks = f"{counted(abs(grade.lead), 'whole mark')} of {counted(mark, 'point')} each"
    if grade.degree is Degree.DRAW:
        if not grade.lead:
            return "The campaign is a draw."
        return f"The campaign is a draw: {who} {'lead' if several else 'leads'} by only {marks}."
    if grade.lead < 0:
        lead = f"{marks} behind"
    else:
        lead = f"with a lead of {marks}" if grade.lead else "without a lead in marks"
    return opening(f"{who} {'have' if several else 'has'} won a {grade.degree.value} victory, {lead}.")


TELLERS: Mapping[str, Teller] = {"objective_achieved": _achieved, "objective_paid": _paid}
