"""Figures of Barker's set that several modules read, and its units. Rules: P.Z01, P.Z02, P.Z03, P.Z13, P.C05-P.C07, P.T09.

Lengths are hundredths of a yard, angles hundredths of a degree, the clock whole seconds.
"""

from __future__ import annotations

from enum import StrEnum

YARD = 100
CABLE = 200 * YARD
MILE = 2_000 * YARD

BASE_LENGTH = 400 * YARD
BASE_WIDTH = 200 * YARD
# Half the model's segment, which lies about the middle of the base. Rules: P.Z02, P.F05.
MODEL_HALF = 100 * YARD

# Upper limits are inclusive, with these slacks. Rule: P.Z03.
SLACK = YARD // 2
ANGLE_SLACK = 1
OVERLAP = 5 * YARD
# For `plane.overlap`, which counts the limit itself in.
LAP = -OVERLAP - 1
CONTACT = 20 * YARD
LEVEL = 200

YEARS = range(1890, 1914)


class Type(StrEnum):
    """Types of unit. Rules: P.S02-P.S13."""

    BB = "BB"
    C1 = "C1"
    C2 = "C2"
    C3 = "C3"
    SC = "SC"
    TBD = "TBD"
    TB = "TB"
    SUB = "SUB"
    LINER = "LINER"
    TRANSPORT = "TRANSPORT"
    TRAMP = "TRAMP"
    SAIL = "SAIL"
    FISH = "FISH"
    AMC = "AMC"
    RAIDER_L = "RAIDER_L"
    RAIDER_T = "RAIDER_T"
    MINELAYER = "MINELAYER"
    BATTERY = "BATTERY"
    INSTALLATION = "INSTALLATION"


# Words of the clauses for several types. "Torpedo craft" includes surfaced submarines, boats do not. Rule: P.Z12.
BOATS = frozenset({Type.TBD, Type.TB})
TORPEDO_CRAFT = BOATS | {Type.SUB}
CRUISERS = frozenset({Type.C1, Type.C2, Type.C3})
# Rule: P.L07.
MAJOR = CRUISERS | {Type.BB, Type.SC}
MERCHANTS = frozenset({Type.LINER, Type.TRANSPORT, Type.TRAMP, Type.SAIL, Type.FISH})
ASHORE = frozenset({Type.BATTERY, Type.INSTALLATION})
# What keeps a side in the battle. Rules: P.O01, P.K32.
WARSHIPS = MAJOR | TORPEDO_CRAFT | {Type.AMC, Type.RAIDER_L, Type.RAIDER_T}


class Mode(StrEnum):
    """Scale of movement and clock. Rules: P.C01, P.C05, P.C06, P.C07."""

    CRUISING = "cruising"
    COMBAT = "combat"


# Rules: P.C06, P.C07.
MOVE = {Mode.COMBAT: 400 * YARD, Mode.CRUISING: 4_000 * YARD}
FREE_MOVE = {Mode.COMBAT: 400 * YARD, Mode.CRUISING: 8_000 * YARD}
# Seconds by which the clock advances at the end of a spell. Rule: P.T09.
SPELL_SECONDS = {Mode.COMBAT: 150, Mode.CRUISING: 900}
# Rule: P.K40.
TURN_SECONDS = 300
MINUTES = 5
LAST_TURN = 288
# Own spells after the alarm for which ships surprised at anchor in the dark are not ready: half an hour. Rule: P.K38.
UNREADY_SPELLS = 6


class Phase(StrEnum):
    """Light of the day. Rules: P.T05-P.T07."""

    NIGHT = "night"
    DAWN = "dawn"
    SUNRISE = "sunrise"
    DAY = "day"
    SUNSET = "sunset"
    DUSK = "dusk"


# Full daylight sight. Rules: P.T07, P.G01.
DAYLIGHT = frozenset({Phase.SUNRISE, Phase.DAY, Phase.SUNSET})
HALF_LIGHT = frozenset({Phase.DAWN, Phase.DUSK})


class Grade(StrEnum):
    """Result of a shot, a mine. Rule: P.E01."""

    NONE = "none"
    LESSER = "lesser"
    GREATER = "greater"


class Source(StrEnum):
    """What did the damage. GUN: any shot but those of torpedo craft. Rules: P.E03-P.E07."""

    GUN = "gun"
    TORPEDO = "torpedo"
    MINE = "mine"
    RAM = "ram"
