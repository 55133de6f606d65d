"""Table 1: what every type of unit is worth and can do.

Rules: P.S02, P.S03, P.S04, P.S05, P.S06, P.S07, P.S08, P.S09, P.S13, P.M03, P.M05, P.G01, P.A07, P.K34, P.K37.
"""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.rulesets.barker.tables import Type


class Kind(NamedTuple):
    """A row of Table 1; merchants: P.Y02, P.Y05, P.Y06.

    sp2: twice the SP of one base, for an obsolete unit half of it is taken. first: year from which it exists, 0 any.

    moves: a spell in all (P.M03). extra_free: P.M05. signal_miles: P.G01. rank: P.A07. can_age: whether it may be obsolete (P.S10).
    wireless: year from which it is fitted, 0 never (P.G12). searchlight: P.V13. knots: cruising speed where none is known (P.K37). pounds:
    value where no tons are known (P.K34).
    """

    words: str
    sp2: int
    first: int
    moves: int
    extra_free: bool
    signal_miles: int
    rank: int
    can_age: bool
    wireless: int
    searchlight: bool
    knots: int
    pounds: int


KINDS: dict[Type, Kind] = {
    Type.BB: Kind("battleship", 24, 0, 2, False, 10, 6, True, 1900, True, 10, 12_000),
    Type.C1: Kind("1st-class cruiser", 16, 0, 3, True, 10, 5, True, 1900, True, 12, 9_000),
    Type.C2: Kind("2nd-class cruiser", 12, 0, 3, True, 10, 4, True, 1903, True, 12, 4_500),
    Type.C3: Kind("3rd-class cruiser", 8, 0, 2, False, 10, 3, True, 1903, True, 11, 2_500),
    Type.SC: Kind("scout cruiser", 8, 1905, 4, False, 4, 2, False, 1903, True, 12, 2_500),
    Type.TBD: Kind("pair of destroyers", 4, 1895, 4, False, 4, 1, False, 1907, True, 12, 350),
    Type.TB: Kind("pair of torpedo boats", 2, 0, 4, False, 4, 1, False, 0, False, 12, 120),
    Type.SUB: Kind("submarine", 12, 1900, 1, False, 4, 1, False, 0, False, 6, 150),
    Type.LINER: Kind("liner", 6, 0, 3, True, 4, 4, False, 0, False, 12, 8_000),
    Type.TRANSPORT: Kind("transport", 6, 0, 2, False, 4, 3, False, 0, False, 8, 5_000),
    Type.TRAMP: Kind("tramp", 4, 0, 1, False, 4, 3, False, 0, False, 8, 3_000),
    Type.SAIL: Kind("sailing vessel", 2, 0, 1, False, 4, 2, False, 0, False, 3, 1_000),
    Type.FISH: Kind("fishing fleet", 2, 0, 0, False, 4, 0, False, 0, False, 5, 300),
    Type.AMC: Kind("armed merchant cruiser", 12, 0, 3, True, 4, 4, False, 1903, True, 12, 8_000),
    Type.RAIDER_L: Kind("raider, a liner", 12, 0, 3, True, 4, 4, False, 0, True, 12, 8_000),
    Type.RAIDER_T: Kind("raider, a tramp", 8, 0, 2, False, 4, 3, False, 0, True, 8, 3_000),
    Type.MINELAYER: Kind("minelayer", 4, 0, 1, False, 4, 3, False, 0, False, 8, 3_000),
    Type.BATTERY: Kind("shore battery", 12, 0, 0, False, 10, 0, False, 0, True, 0, 0),
    Type.INSTALLATION: Kind("shore installation", 4, 0, 0, False, 10, 0, False, 1900, True, 0, 0),
}  # fmt: skip
