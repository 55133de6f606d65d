"""The kinds of event in the log of this set, each with its data, its sentence, and what of it is news."""

from __future__ import annotations

from battles.engine.core.telling import (
    REFUSED,
    Kind,
    Kinds,
    News,
    officer,
    plain,
    true,
    with_other,
)
from battles.engine.rulesets.age_of_sail import telling

_BOXES = ("port", "stbd", "units", "rig")
_PLACE = ("x", "y", "h", *_BOXES, "anchored")

# rig: of each mast from bow to stern 2 whole, 1 jury, below 0 when it is down; port, stbd, units: gun decks and hull units left
KINDS: Kinds = {
    "opened": Kind(telling.opened, ("wind_from", "strength", "land", "shoals", "edges")),
    "placed": Kind(telling.placed, _PLACE),
    "arrived": Kind(telling.arrived, _PLACE, News.LINE),
    "first": Kind(telling.first, ("side",)),
    "refused": REFUSED,
    "withdraws": Kind(telling.withdraws, ("side",), News.LINE),
    "moved": Kind(telling.moved, ("path", "steps", "stopped")),
    "drifted": Kind(plain("{ship} drifts to leeward"), ("path", "stopped")),
    "anchors": Kind(plain("{ship} drops anchor"), (), News.BENEATH),
    "weighs": Kind(plain("{ship} heaves up her anchor"), (), News.BENEATH),
    "weighed": Kind(plain("{ship} has her anchor up"), (), News.BENEATH),
    "aground": Kind(plain("{ship} runs aground"), (), News.LINE),
    "refloated": Kind(plain("{ship} comes off the ground"), (), News.LINE),
    # where: from which quarter it strikes; fresh: boxes that it cost
    "volley": Kind(
        telling.volley, ("target", "side", "aim", "range", "where", "hits", "dice", "raked", "fresh"), News.SHOT
    ),
    "damage": Kind(telling.damage, (*_BOXES, "steps"), News.BENEATH, step="steps"),
    "dismasted": Kind(plain("{ship} is dismasted"), (), News.LINE),
    "repair": Kind(telling.repair, ("mast", "made", "rig"), News.BENEATH, when=true("made")),
    "alight": Kind(plain("{ship} is on fire"), (), News.LINE),
    "burns": Kind(plain("The fire gains on {ship}"), (), News.BENEATH),
    "fire_out": Kind(plain("{ship} puts out her fire"), (), News.LINE),
    "entangled": Kind(with_other("{ship} runs foul of {other}", "target"), ("target",), News.LINE),
    "fight": Kind(telling.fight, ("target", "totals"), News.BENEATH),
    "captured": Kind(with_other("{ship} is taken by {other}", "captor"), ("captor", "side"), News.LINE),
    "reverts": Kind(plain("{ship} has no captor left and is free again"), ("side",), News.LINE),
    "held_fast": Kind(with_other("{ship} and {other} do not break free of each other", "target"), ("target",)),
    "parted": Kind(with_other("{ship} and {other} break free of each other", "target"), ("target",), News.BENEATH),
    "manned": Kind(telling.manned, ("captor", "decks"), News.BENEATH),
    "gone": Kind(telling.gone, ("how", "x", "y"), News.LINE),
    "wind": Kind(telling.wind, ("was", "wind_from", "strength"), News.LINE),
    "officer": Kind(officer, ("officer", "fate"), News.BENEATH, hidden=True),
    "ended": Kind(telling.ended, ("why", "points"), News.LINE),
}  # fmt: skip
