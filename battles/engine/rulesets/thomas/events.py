"""The kinds of event in a Thomas log, with the data and the sentence of each. A replay is drawn from these data and nothing else.

Places and lengths are thousandths of an inch, headings hundredths of a degree, men half points, batteries [type, place, half,
lost], paths [[x, y, h], ...].
"""

from __future__ import annotations

from battles.engine.core.telling import Kind, Kinds, News, chosen, officer, plain, true, with_other
from battles.engine.rulesets.thomas import telling
from battles.engine.rulesets.thomas.telling import ADRIFT, DRIVEN, ENDS, MAGAZINE, thrown

_XY = ("x", "y")
_XYH = (*_XY, "h")
_THROWN = ("target", "made")
_HULL = ("flot", "flot_max", "crew", "crew_max", "batteries")
_LEFT = ("flot", "crew", "guard", "captives")
KINDS: Kinds = {
    # land: as the scenario's coast; prevailing: null without a prevailing wind
    "opened": Kind(
        telling.opened, ("minute", "minutes", "wind_from", "prevailing", "strength", "nelson", "land"), News.LINE
    ),
    "placed": Kind(
        telling.placed, (*_XYH, "side", "squadron", "kind", "length", "beam", "masts", "quarters", *_HULL), secret=_HULL,
        step="quarters",
    ),
    "arrived": Kind(plain("{ship} comes up"), _XYH, News.LINE),
    "refused": Kind(telling.refused, ("code", "asked", "given"), hidden=True),
    "night": Kind(telling.night, ("fights_on", "why"), News.LINE, when=true("fights_on")),
    "wind": Kind(telling.wind, ("from", "was", "strength", "strength_was"), News.LINE),
    "headed": Kind(telling.headed, ("irons", "h"), News.BENEATH),
    "burns": Kind(telling.burns, ("fails",), secret=("fails",)),
    "fire_out": Kind(plain("{ship} puts out her fire"), (), News.BENEATH),
    "alight": Kind(telling.alight, ("by", "of"), News.BENEATH),
    "blown_up": Kind(plain("{ship} blows up"), _XY, News.LINE),
    "in_irons": Kind(plain("{ship} lies in irons"), ("h",), News.BENEATH),
    "irons_turn": Kind(telling.irons_turn, ("made", "h")),
    "out_of_irons": Kind(plain("{ship} is out of irons")),
    "adrift": Kind(chosen("{ship} drifts: {what}", "why", ADRIFT), ("why",)),
    "under_way": Kind(thrown("{ship} is under way again", "{ship} does not get under way"), ("made",)),
    "anchored": Kind(
        thrown("{ship} cuts her cable", "{ship} is torn from her anchor", "cut"), ("cut", "torn"), News.BENEATH
    ),
    "tow": Kind(
        thrown("{ship} takes {other} in tow", "{ship} does not get a line to {other}"), _THROWN, News.BENEATH,
        when=true("made"),
    ),
    "tow_waits": Kind(with_other("{ship} passes a line to {other}", "target"), ("target",)),
    "cast_off": Kind(with_other("{ship} casts off her tow of {other}", "target"), ("target",)),
    "boats": Kind(
        thrown("{ship} puts out her boats to tow", "{ship} hoists in her boats", "out"), ("out",), News.BENEATH
    ),
    "rig": Kind(chosen("{ship} {what}", "mode", DRIVEN), ("mode",), News.BENEATH),
    "changed_mind": Kind(plain("{ship} hoists her colours again, to her dishonour"), (), News.LINE),
    "initiative": Kind(telling.initiative, ("totals", "first")),
    "moved": Kind(telling.moved, ("path", "stopped", "oars", "boats")),  # stopped: the ship met, or null
    "drifted": Kind(telling.drifted, ("path", "stopped")),
    "run_into": Kind(with_other("{other} drifts into {ship}", "by"), ("by",), News.BENEATH),
    "towed": Kind(with_other("{ship} follows in tow of {other}", "by"), (*_XYH, "by", "stopped")),
    "wrecked": Kind(plain("{ship} is driven ashore and wrecked"), _XY, News.LINE),
    "beached": Kind(plain("The slaves of {ship} row her ashore"), _XY, News.LINE),
    "grapple": Kind(
        thrown("{ship} grapples {other}", "{ship} throws her grapples at {other} and misses"), _THROWN, News.BENEATH,
        when=true("made"),
    ),
    "loose": Kind(with_other("{ship} and {other} are apart", "target"), ("target", "why"), News.BENEATH),
    "cut": Kind(
        thrown("{ship} cuts the grapples of {other}", "{ship} does not get clear of the grapples of {other}"), _THROWN
    ),
    # attackers, defenders: [[ship, fighters], ...]; killed: by the attackers, by the defenders
    "round": Kind(telling.exchange, ("attackers", "defenders", "killed", "part"), News.BENEATH),
    "morale": Kind(telling.morale, ("score", "result")),
    "withdrew_boarders": Kind(with_other("The boarders of {ship} fall back from {other}", "target"), ("target",)),
    "struck": Kind(telling.struck, ("to", "by", "why"), News.LINE),  # to: a side; by: a ship, or empty
    "refused_surrender": Kind(
        plain("{ship} offers to strike and is refused, for she is dishonoured"), (), News.LINE
    ),
    "secured": Kind(telling.secured, ("by", "men", "captives", "way"), News.LINE, secret=("men",)),
    "retaken": Kind(telling.retaken, ("by", "why", "side"), News.LINE),  # by: empty where the captives rose
    "joined": Kind(with_other("The crew of {ship} rises beside {other}", "beside"), ("beside",), News.LINE),
    "rising": Kind(
        thrown("The captives in {ship} rise and win", "The captives in {ship} rise in vain"), ("made",)
    ),
    # dice: [[type, face, confirming face or null], ...]
    "volley": Kind(
        telling.volley, ("target", "group", "range", "dice", "hits", "raked"), News.SHOT, secret=("dice",)
    ),
    "damage": Kind(
        telling.damage, (*_LEFT, "hits", "quarters"), News.BENEATH, secret=_LEFT, step="quarters",
        when=lambda data: data["quarters"] < 4,
    ),
    "battery": Kind(telling.battery, ("gun", "group", "half", "why"), hidden=True),
    "magazine": Kind(
        chosen("{ship}, magazine: {what}", "result", MAGAZINE), ("threshold", "result"), hidden=True
    ),
    "sunk": Kind(telling.went_down("sinks under gunfire"), (*_XY, "aboard"), News.LINE, secret=("aboard",)),
    "mast": Kind(telling.mast, ("threshold", "left", "dismasted"), News.BENEATH),
    "jury": Kind(telling.jury, ("count", "up"), News.BENEATH, when=true("up")),
    "foundering": Kind(telling.foundering, ("flot", "saved"), hidden=True),
    "foundered": Kind(telling.went_down("founders"), (*_XY, "aboard"), News.LINE, secret=("aboard",)),
    "breaking_off": Kind(
        plain("The crew of {ship} is worn out and tries to break off"), (), News.BENEATH, hidden=True
    ),
    "saved": Kind(telling.saved, ("from", "friends", "enemies"), News.BENEATH, hidden=True),
    "withdrew": Kind(plain("{ship} leaves the battle"), _XY, News.LINE),
    "officer": Kind(officer, ("officer", "fate"), News.BENEATH, hidden=True),
    "ended": Kind(chosen("The battle ends: {what}", "why", ENDS), ("why", "held_field"), News.LINE),
    "after": Kind(
        telling.after, ("what", "men"), News.LINE, secret=("men",),
        when=lambda data: data["what"] == "rejoined" or bool(data.get("men", 1)),
    ),
}  # fmt: skip
