"""A Thomas battle described from its log: one sentence for every kind of event, and which are news."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.log import DIE, Event
from battles.engine.core.telling import Names, Teller
from battles.engine.registry import rule_set
from battles.engine.rulesets.thomas.events import KINDS
from tests.support.fleets import meeting

THOMAS = rule_set("thomas")
NAMES = Names({"E01": "Victory", "D01": "Redoutable"}, {}, {"E": "England"})
OPENED = {
    "minute": 375, "minutes": 90, "wind_from": 31_500, "prevailing": None, "strength": 2, "nelson": True, "land": [],
}  # fmt: skip
PLACED = {
    "x": 1_000, "y": 2_500, "h": 9_000, "side": "E", "squadron": "E-1", "kind": "ship", "length": 2_000, "beam": 500, "masts": 3,
    "quarters": 0,
}  # fmt: skip
HULL = {"flot": 80, "flot_max": 84, "crew": 200, "crew_max": 200, "batteries": []}
WIND = {"from": 31_500, "was": 0, "strength": 2, "strength_was": 1}
PATH = [[0, 0, 0], [0, 0, 4_500], [3_000, 4_000, 4_500]]
SAIL = {"path": PATH, "stopped": None, "oars": False, "boats": False}
SHOT = {"target": "D01", "group": "port", "range": 1_449, "hits": 2, "raked": True}
ROUND = {"attackers": [["E01", 40]], "defenders": [["D01", None]], "killed": [3, 2], "part": 1}
LEFT = {"flot": 70, "crew": 283, "guard": 0, "captives": 0}
MADE, FAILED = {"target": "D01", "made": True}, {"target": "D01", "made": False}

SENTENCES: list[tuple[str, dict[str, Any], str]] = [
    ("opened", OPENED, "06:15, a medium wind from the north-west; fought with the rules of Nelson's period"),
    ("opened", {**OPENED, "minute": 1_440, "strength": 0, "nelson": False},
     "00:00, a calm; fought without the rules of Nelson's period"),
    ("placed", {**PLACED, **HULL}, "Victory lies at 1.0, 2.5, heading east, 80 of 84 points afloat"),
    ("placed", PLACED, "Victory lies at 1.0, 2.5, heading east"),
    ("arrived", {"x": 1, "y": 2, "h": 0}, "Victory comes up"),
    ("refused", {"code": "order/too-far", "asked": "9", "given": ""}, "Victory cannot carry out 9: too far"),
    ("refused", {"code": "distance", "asked": 900, "given": 800}, "Victory cannot carry out 900: distance; she does 800 instead"),
    ("refused", {"code": "breaking-off", "asked": "", "given": ""}, "Victory cannot carry out her order: breaking off"),
    ("night", {"fights_on": True, "why": "night_action"}, "It is night, but the battle goes on as agreed"),
    ("night", {"fights_on": True, "why": "enemy_cannot_sail"}, "It is night, but the battle goes on because one side cannot leave"),
    ("night", {"fights_on": False, "why": ""}, "Night falls"),
    ("wind", WIND, "The wind shifts and rises: a medium wind from the north-west"),
    ("wind", {**WIND, "was": 31_500}, "The wind rises: a medium wind from the north-west"),
    ("wind", {**WIND, "strength_was": 2}, "The wind shifts: a medium wind from the north-west"),
    ("wind", {**WIND, "strength": 0}, "The wind shifts and drops: a calm; the next wind will come from the north-west"),
    ("headed", {"irons": True, "h": 0}, "The wind heads Victory: she is caught in irons"),
    ("headed", {"irons": False, "h": 9_000}, "The wind heads Victory: she falls off to the east"),
    ("burns", {"fails": 2}, "Victory burns on, 2 throws failed"),
    ("burns", {}, "Victory burns on"),
    ("fire_out", {}, "Victory puts out her fire"),
    ("alight", {"by": "blast", "of": "D01"}, "Victory is set on fire by the explosion of Redoutable"),
    ("alight", {"by": "magazine", "of": ""}, "Victory is on fire"),
    ("blown_up", {"x": 1, "y": 2}, "Victory blows up"),
    ("in_irons", {"h": 0}, "Victory lies in irons"),
    ("irons_turn", {"made": True, "h": 2_250}, "Victory, in irons, turns to the north-north-east"),
    ("irons_turn", {"made": False, "h": 0}, "Victory, in irons, does not answer her helm"),
    ("out_of_irons", {}, "Victory is out of irons"),
    ("adrift", {"why": "hove_to"}, "Victory drifts: she has hove to"),
    ("under_way", {"made": True}, "Victory is under way again"),
    ("under_way", {"made": False}, "Victory does not get under way"),
    ("anchored", {"cut": True, "torn": False}, "Victory cuts her cable"),
    ("anchored", {"cut": False, "torn": True}, "Victory is torn from her anchor"),
    ("tow", MADE, "Victory takes Redoutable in tow"),
    ("tow", FAILED, "Victory does not get a line to Redoutable"),
    ("tow_waits", {"target": "D01"}, "Victory passes a line to Redoutable"),
    ("cast_off", {"target": "D01"}, "Victory casts off her tow of Redoutable"),
    ("boats", {"out": True}, "Victory puts out her boats to tow"),
    ("boats", {"out": False}, "Victory hoists in her boats"),
    ("rig", {"mode": "to_oars"}, "Victory takes in sail to row"),
    ("changed_mind", {}, "Victory hoists her colours again, to her dishonour"),
    ("initiative", {"totals": {"E": 7, "F": 4}, "first": "E"}, "Initiative 7 to 4: England moves and fires first"),
    ("moved", {**SAIL, "stopped": "D01"}, "Victory sails 5 inches, turning once, heading north-east, stopped by Redoutable"),
    ("moved", {**SAIL, "path": PATH[:1], "oars": True}, "Victory makes no way, heading north"),
    ("moved", {**SAIL, "path": [[0, 0, 0], [0, 951, 0]], "boats": True}, "Victory is towed by her boats 1 inch, heading north"),
    ("drifted", {"path": PATH, "stopped": "D01"}, "Victory drifts downwind against Redoutable"),
    ("drifted", {"path": PATH, "stopped": None}, "Victory drifts downwind"),
    ("run_into", {"by": "D01"}, "Redoutable drifts into Victory"),
    ("towed", {"x": 1, "y": 2, "h": 0, "by": "D01", "stopped": None}, "Victory follows in tow of Redoutable"),
    ("wrecked", {"x": 1, "y": 2}, "Victory is driven ashore and wrecked"),
    ("beached", {"x": 1, "y": 2}, "The slaves of Victory row her ashore"),
    ("grapple", MADE, "Victory grapples Redoutable"),
    ("grapple", FAILED, "Victory throws her grapples at Redoutable and misses"),
    ("loose", {"target": "D01", "why": "cut"}, "Victory and Redoutable are apart"),
    ("cut", MADE, "Victory cuts the grapples of Redoutable"),
    ("cut", FAILED, "Victory does not get clear of the grapples of Redoutable"),
    ("round", ROUND, "Boarding: Victory (40 fighting) against Redoutable; 2 and 3 fall"),
    ("morale", {"score": 4, "result": "on"}, "Boarding of Victory, morale 4: both fight on"),
    ("withdrew_boarders", {"target": "D01"}, "The boarders of Victory fall back from Redoutable"),
    ("struck", {"to": "F", "by": "D01", "why": "boarded"}, "Victory strikes to the boarders of Redoutable"),
    ("struck", {"to": "F", "by": "", "why": "worn crew"}, "Victory strikes, her crew worn out"),
    ("struck", {"to": "F", "by": "", "why": "no crew left"}, "Victory strikes, with no one left to fight her"),
    ("struck", {"to": "F", "by": "", "why": "struck"}, "Victory strikes"),
    ("refused_surrender", {}, "Victory offers to strike and is refused, for she is dishonoured"),
    ("secured", {"by": "D01", "captives": 4, "way": "boats", "men": 25},
     "Redoutable secures Victory as a prize, with 13 crew put aboard"),
    ("secured", {"by": "D01", "captives": 4, "way": "boats"}, "Redoutable secures Victory as a prize"),
    ("retaken", {"by": "D01", "why": "boats", "side": "E"}, "Redoutable retakes Victory"),
    ("retaken", {"by": "", "why": "captives rose", "side": "E"}, "The captives in Victory rise and retake her"),
    ("joined", {"beside": "D01"}, "The crew of Victory rises beside Redoutable"),
    ("rising", {"made": True}, "The captives in Victory rise and win"),
    ("rising", {"made": False}, "The captives in Victory rise in vain"),
    ("volley", {**SHOT, "dice": [["long", 5, None], ["long", 6, 2]]},
     "Victory fires her port broadside at Redoutable, 1.4 inches away, raking her, 2 dice: 2 hits"),
    ("volley", {**SHOT, "group": "ahead", "range": 950, "hits": 1, "raked": False},
     "Victory fires her bow guns at Redoutable, 1 inch away: 1 hit"),
    ("damage", {**LEFT, "hits": 3, "quarters": 1},
     "Victory takes 3 hits: a quarter of her flotation gone, 70 points and 142 crew left"),
    ("damage", {"hits": 1, "quarters": 0}, "Victory takes 1 hit: less than a quarter of her flotation gone"),
    ("battery", {"gun": "long", "group": "port", "half": True, "why": "hit"},
     "Victory loses half a long battery of her port broadside, shot away"),
    ("battery", {"gun": "short", "group": "astern", "half": False, "why": "overboard"},
     "Victory loses a short battery of her stern guns, thrown overboard"),
    ("magazine", {"threshold": "half", "result": "blows_up"}, "Victory, magazine: she blows up"),
    ("sunk", {"x": 1, "y": 2, "aboard": 81}, "Victory sinks under gunfire with 41 crew aboard"),
    ("sunk", {"x": 1, "y": 2}, "Victory sinks under gunfire"),
    ("mast", {"threshold": "half", "left": 1, "dismasted": True}, "Victory loses a mast (1 standing) and counts as dismasted"),
    ("mast", {"threshold": "three_quarters", "left": 0, "dismasted": False}, "Victory loses her last mast"),
    ("jury", {"count": 5, "up": True}, "Victory has a jury mast up"),
    ("jury", {"count": 2, "up": False}, "Victory works at a jury mast, move 2"),
    ("foundering", {"flot": 30, "saved": True}, "The sea strains Victory: 30 points left, saved by what went overboard"),
    ("foundered", {"x": 1, "y": 2, "aboard": 0}, "Victory founders"),
    ("breaking_off", {}, "The crew of Victory is worn out and tries to break off"),
    ("saved", {"from": "D01", "friends": 3, "enemies": 0}, "Victory picks up 3 of the crew of Redoutable"),
    ("withdrew", {"x": 1, "y": 2}, "Victory leaves the battle"),
    ("officer", {"officer": "Nelson", "fate": "killed"}, "Nelson is killed aboard Victory"),
    ("ended", {"why": "parted", "held_field": ""}, "The battle ends: one side has got away"),
    ("after", {"what": "rejoined", "men": 4}, "Victory, never secured, rejoins her own side in dishonour"),
    ("after", {"what": "ashore"}, "The crew of Victory are ashore"),
    (DIE, {"key": "X/1/T.B9/4/E01/port", "die": "D6", "faces": [4], "reason": "fire on D01"}, "Victory: fire on Redoutable, port"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "data", "sentence"), SENTENCES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_an_event_is_one_sentence_by_name(kind: str, data: dict[str, Any], sentence: str) -> None:
    assert THOMAS.words(Event(1, "P7", kind, "T.X1", "E01", data), NAMES) == sentence


def test_every_kind_has_its_sentence_here_from_data_that_it_may_have() -> None:
    assert {kind for kind, _, _ in SENTENCES} == {*KINDS, DIE}
    for kind, data, _ in SENTENCES:
        if kind != DIE:
            assert (
                set(KINDS[kind].fields) - set(KINDS[kind].secret) <= set(data) <= set(KINDS[kind].fields)
            ), kind


def told(*events: tuple[str, dict[str, Any]], teller: Teller | None = None) -> list[str]:
    rows = [Event(3, "P7", kind, "T.X1", "E01", data) for kind, data in events]
    return (teller or THOMAS.teller(meeting(2, 2, rule_set="thomas"))).turn(rows)


def test_failed_or_continuing_actions_are_not_news() -> None:
    for kind, field, data in (
        ("jury", "up", {"count": 2}),
        ("grapple", "made", {"target": "D01"}),
        ("tow", "made", {"target": "D01"}),
        ("night", "fights_on", {"why": "night_action"}),
        ("after", "men", {"what": "ashore"}),
    ):
        assert told((kind, {**data, field: 0})) == []
        assert len(told((kind, {**data, field: 1}))) == 1
    assert len(told(("after", {"what": "ashore"}), ("after", {"what": "rejoined", "men": 0}))) == 2


def test_damage_is_reported_when_another_quarter_is_gone_unless_the_ship_sinks() -> None:
    teller = THOMAS.teller(meeting(2, 2, rule_set="thomas"))

    def hit(quarters: int) -> tuple[str, dict[str, Any]]:
        return "damage", {**LEFT, "hits": 3, "quarters": quarters}

    assert told(("placed", PLACED), hit(0), teller=teller) == []
    assert [len(told(hit(n), hit(n), teller=teller)) for n in (1, 3, 4)] == [1, 1, 0]
