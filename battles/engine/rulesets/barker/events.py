"""The kinds of event in a Barker log, with the data and the sentence of each. A replay is drawn from these data and nothing else.

Positions are hundredths of a yard, headings hundredths of a degree. Each room of the rules has its own table here. Rule: P.K46.

What the board reads, by these names:

`opened` year, mode, phase, wind, weather, table [w, s, e, n], banks [[kind, x, y, h, length, beam], ...] ·
`placed`, `arrived` x, y, h, type, steps, stopped, pair · `moved` path [[x, y, h], ...], tokens ·
`phase` phase · `mode` mode · `banks` banks · `sighted` side, x, y, h, type, steps · `lost_sight` side ·
`shot` target, slot, range (yd), band, attack, defence, grade, hits (0, 1 or 2) · `damage` steps, crippled, by ·
`sunk` how (fire, torpedo, mine, ram, nets, exploded), by · `lit` target ("" when put out) · `aground` · `stopped` · `restarted` ·
`rammed` target · `mined` grade · `mine_laid` x, y · `mine_seen` side, x, y · `swept` x, y · `dived` x, y · `surfaced` x, y, h ·
`marker` n, x, y, on · `left` edge · `disclosed` type · `hailed` target · `searched` target, prize · `flag` squadron, to ·
`captured` side, by · `ended` why, winner.

steps: rungs of the ladder lost, 0 to 5 (P.E10). pair: the second hull on the base, "" for none. side in a sighting: whose it is.
"""

from __future__ import annotations

from battles.engine.core.telling import REFUSED, Kind, Kinds, News, chosen, officer, plain, with_other
from battles.engine.rulesets.barker import telling

_PLACE = ("x", "y", "h", "type", "steps", "stopped", "pair", "side", "contact")

_SETUP: Kinds = {
    "opened": Kind(
        telling.opened,
        ("year", "mode", "phase", "wind", "weather", "table", "banks", "initiative"),
        News.LINE,
    ),
    "placed": Kind(plain("{ship} is in position"), _PLACE),
    "arrived": Kind(plain("{ship} comes on"), _PLACE, News.LINE),
    "commander": Kind(telling.commander, ("squadron", "character", "partner"), hidden=True),
    "turned_back": Kind(plain("{ship} turns back"), (), News.LINE, hidden=True),
}

_LIGHT_AND_SIGHT: Kinds = {
    "phase": Kind(chosen("It is {what}", "phase", telling.PHASES), ("phase",), News.LINE),
    "banks": Kind(telling.banks, ("banks",)),
    "mode": Kind(chosen("{what}", "mode", telling.MODES), ("mode",), News.LINE),
    "sighted": Kind(telling.sighted, ("side", "x", "y", "h", "type", "steps", "pair")),
    "lost_sight": Kind(telling.lost_sight, ("side",)),
    "signal": Kind(telling.signal, ("means", "coded", "read", "words", "seen"), secret=("words",)),
}

_MOVEMENT: Kinds = {
    "refused": REFUSED,
    "moved": Kind(plain("{ship} moves"), ("path", "tokens")),
    "stopped": Kind(plain("{ship} stops"), (), News.BENEATH),
    "restarted": Kind(plain("{ship} gets under way again"), (), News.BENEATH),
    "aground": Kind(plain("{ship} runs aground"), ("x", "y"), News.LINE),
    "rammed": Kind(with_other("{ship} rams {other}", "target"), ("target",), News.LINE),
    "left": Kind(plain("{ship} leaves the field"), ("edge",), News.LINE),
}

_TRAFFIC: Kinds = {
    "mined": Kind(telling.mined, ("attack", "defence", "grade"), News.LINE),
    "mine_seen": Kind(plain("{ship} sees mines"), ("side", "x", "y")),
    "mine_laid": Kind(plain("{ship} lays a mine"), ("x", "y"), hidden=True),
    "swept": Kind(plain("{ship} sweeps a mine"), ("x", "y"), News.BENEATH),
    "dived": Kind(plain("{ship} dives"), ("x", "y"), News.BENEATH),
    "surfaced": Kind(plain("{ship} comes to the surface"), ("x", "y", "h"), News.BENEATH),
    "marker": Kind(telling.marker, ("n", "x", "y", "on")),
    "disclosed": Kind(telling.disclosed, ("type",), News.LINE),
    "hailed": Kind(with_other("{ship} hails {other}", "target"), ("target",), News.BENEATH),
    "searched": Kind(telling.searched, ("target", "prize"), News.LINE),
    "flag": Kind(telling.flag, ("squadron", "to"), News.BENEATH),
}

_FIRE: Kinds = {
    "lit": Kind(telling.lit, ("target",)),
    "shot": Kind(
        telling.shot,
        ("target", "slot", "range", "band", "attack", "defence", "grade", "hits"),
        News.SHOT,
        shot="salvo",
    ),
    "damage": Kind(telling.damage, ("steps", "crippled", "by"), News.BENEATH, step="steps"),
    "sunk": Kind(chosen("{ship} is {what}", "how", telling.FALLS), ("how", "by"), News.LINE),
    "flag_lost": Kind(telling.flag_lost, ("squadron",), News.BENEATH),
}

_END: Kinds = {
    "scuttled": Kind(plain("{ship}, left behind, is scuttled"), (), News.LINE),
    "captured": Kind(with_other("{ship} is taken by {other}", "by"), ("side", "by"), News.LINE),
    "salvage": Kind(
        chosen("{ship}, aground, {what}", "result", telling.SALVAGE), ("die", "result"), News.LINE
    ),
    "officer": Kind(officer, ("officer", "fate"), News.LINE, hidden=True),
    "ended": Kind(telling.ended, ("why", "cause", "winner", "lost", "points", "held"), News.LINE),
}

KINDS: Kinds = {**_SETUP, **_LIGHT_AND_SIGHT, **_MOVEMENT, **_TRAFFIC, **_FIRE, **_END}
