"""The kinds of event in a Kohler log, with the data and the sentence of each. A replay is drawn from these data and nothing else.

Facings and the wind count hexsides clockwise from north; fire points are doubled.
"""

from __future__ import annotations

from battles.engine.core.telling import Data, Kind, Kinds, News, chosen, officer, plain, with_other
from battles.engine.rulesets.kohler import telling
from battles.engine.rulesets.kohler.telling import ENDS, FALLS, FORCED


def _shifted(data: Data) -> bool:
    return (data["towards"], data["strength"]) != (data["was"], data["strength_was"])


_HEX = ("q", "r")
KINDS: Kinds = {
    "placed": Kind(
        telling.placed, (*_HEX, "f", "squadron", "side", "hull", "steps", "fire"), secret=("hull", "fire"), step="steps"
    ),
    "warned": Kind(telling.warned, ("squadron", "ships")),
    "disorder": Kind(telling.disorder, _HEX),
    "wind": Kind(telling.wind, ("towards", "was", "strength", "strength_was"), News.LINE, when=_shifted),
    "caught": Kind(plain("{ship} is caught in irons")),
    "arrived": Kind(plain("{ship} comes up"), (*_HEX, "f"), News.LINE),
    "fired_ship": Kind(plain("The fire ship {ship} is set alight")),
    "initiative": Kind(telling.initiative, ("squadron", "die", "bonus", "penalty", "value")),
    "straggler": Kind(plain("{ship} is out of command")),
    "groups": Kind(telling.groups, ("groups",)),  # [[squadron, value, in command, [ship ids]], ...]
    # path: [[q, r, f], ...] with a row for every hex and every change of facing; drift: whether the last hex was drift
    "moved": Kind(telling.moved, ("path", "tokens", "drift")),
    "drifted": Kind(plain("{ship} drifts downwind"), _HEX),
    "refused": Kind(telling.refused, ("token", "code"), hidden=True),
    "helm": Kind(chosen("{ship}, her helm hit, {what}", "forced", FORCED), ("forced",), hidden=True),
    "contact": Kind(telling.contact, ("target", "attacker", "defender", "made", "kind")),
    "locked": Kind(telling.locked, ("target", "kind"), News.LINE),
    "freed": Kind(with_other("{ship} and {other} are apart again", "target"), ("target", "kind")),
    "placing": Kind(telling.placing, ("target", "side")),
    "aground": Kind(plain("{ship} runs aground"), _HEX, News.LINE),
    "wrecked": Kind(plain("{ship} is driven ashore and wrecked"), _HEX, News.LINE),
    "refloated": Kind(plain("{ship} floats off the shoal"), _HEX, News.LINE),
    "gone": Kind(plain("{ship} leaves the battle"), (), News.LINE),
    "fire": Kind(
        telling.fire, ("target", "side", "range", "mods", "score", "points", "hits"), News.SHOT, secret=("points",)
    ),
    "damage": Kind(
        telling.damage, ("struct", "board", "left", "steps", "level", "fire"), News.BENEATH, step="steps",
        secret=("struct", "board", "left", "fire"), when=lambda data: data.get("left") != 0,
    ),
    "recounted": Kind(telling.recounted, ("left", "steps", "level", "fire"), secret=("left", "fire"), step="steps"),
    "boarding": Kind(
        telling.boarding, ("target", "own", "other", "winner", "inflicted", "cost"), News.BENEATH, secret=("own", "other")
    ),
    "captured": Kind(with_other("{ship} is taken by {other}", "captor"), ("captor", "side"), News.BENEATH),
    "retaken": Kind(with_other("{ship} is retaken by {other}", "by"), ("by",), News.BENEATH),
    "critical": Kind(telling.critical, ("score", "result"), hidden=True),
    "guns_out": Kind(telling.guns_out, ("turns",), hidden=True),
    "alight": Kind(plain("{ship} is on fire"), ("fires",), News.BENEATH),
    "burns": Kind(plain("{ship} burns on"), ("fires",), hidden=True),
    "fire_out": Kind(plain("{ship} puts out a fire"), ("fires",)),
    "exploded": Kind(plain("{ship} blows up"), (), News.BENEATH),
    "sunk": Kind(chosen("{ship} {what}", "by", FALLS), ("by",), News.BENEATH),
    "burnt_out": Kind(plain("The fire ship {ship} burns out"), (), News.BENEATH),
    "flag_hit": Kind(telling.flag_hit, ("officer",), News.BENEATH, hidden=True),
    "new_flagship": Kind(telling.new_flagship, ("squadron",), News.BENEATH),
    "officer": Kind(officer, ("officer", "fate"), News.BENEATH, hidden=True),
    "taken_after": Kind(with_other("{ship}, disabled, strikes to {other}", "captor"), ("captor", "side"), News.BENEATH),
    "ended": Kind(chosen("The battle ends: {what}", "why", ENDS), ("why",), News.LINE),
}  # fmt: skip
