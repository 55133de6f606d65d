"""The kinds of event in a Cordery log, with the data and the sentence of each. A replay is drawn from these data and nothing else.

Everything is open to both sides (C.P12) but orders that were refused. Headings count eighths clockwise from north.
"""

from __future__ import annotations

from battles.engine.core.telling import REFUSED, Kind, Kinds, News, chosen, officer, plain
from battles.engine.rulesets.cordery import telling
from battles.engine.rulesets.cordery.telling import FALLS, RESULTS

_AREA = ("x", "y", "h")
KINDS: Kinds = {
    "placed": Kind(telling.placed, (*_AREA, "side", "left", "steps"), step="steps"),
    "arrived": Kind(telling.arrived, _AREA, News.LINE),
    "burns": Kind(plain("{ship} burns on")),
    "fire_out": Kind(plain("{ship} puts the fire out"), (), News.BENEATH),
    "fire": Kind(telling.fire, ("target", "weapon", "range", "dice", "hits"), News.SHOT, shot="salvo"),
    "torpedo": Kind(telling.torpedo, ("target", "range", "dice", "hits"), News.LINE),
    "major": Kind(chosen("{ship}: {what}", "result", RESULTS), ("by", "result"), News.BENEATH, when=telling.tells),
    "damage": Kind(telling.damage, ("left", "steps"), News.BENEATH, step="steps", when=lambda data: data["left"] > 0),
    "breaks_off": Kind(plain("{ship} has reached her critical point and breaks off"), (), News.LINE),
    "sunk": Kind(chosen("{ship} is {what}", "by", FALLS), ("by",), News.LINE),
    "exploded": Kind(plain("The fire reaches a magazine: {ship} blows up"), (), News.LINE),
    "initiative": Kind(telling.initiative, ("first", "dice")),
    # path: [[x, y, h], ...] with a row for every area and every turn
    "moved": Kind(telling.moved, ("path", "tokens")),
    "refused": REFUSED,
    "rammed": Kind(telling.rammed, ("target", "head_on", "ram", "other", "own"), News.LINE),
    "left": Kind(telling.left, ("safe",), News.LINE),
    "aground": Kind(plain("{ship} runs aground"), (), News.LINE),
    "saved": Kind(telling.saved, ("men", "of"), News.BENEATH),
    "officer": Kind(officer, ("officer", "fate"), News.BENEATH, hidden=True),
    "ended": Kind(telling.ended, ("why", "scores", "winner"), News.LINE),
}  # fmt: skip
