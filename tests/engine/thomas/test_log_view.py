"""What a side reads of a log: every field of every kind of event of an enemy against a list of what is public."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import pytest

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.play import play_battle
from battles.engine.registry import rule_set
from battles.engine.rulesets.thomas.events import KINDS
from battles.engine.rulesets.thomas.log_view import log_seen_by
from tests.support.fleets import meeting_document

# Fields that may be read of another side's ship; a kind that is not here is not shown at all.
PUBLIC: dict[str, set[str]] = {
    "placed": {"x", "y", "h", "side", "squadron", "kind", "length", "beam", "masts", "quarters"},
    "arrived": {"x", "y", "h"},
    "headed": {"irons", "h"},
    "burns": set(),
    "fire_out": set(),
    "alight": {"by", "of"},
    "blown_up": {"x", "y"},
    "in_irons": {"h"},
    "irons_turn": {"made", "h"},
    "out_of_irons": set(),
    "adrift": {"why"},
    "under_way": {"made"},
    "anchored": {"cut", "torn"},
    "tow": {"target", "made"},
    "tow_waits": {"target"},
    "cast_off": {"target"},
    "boats": {"out"},
    "rig": {"mode"},
    "changed_mind": set(),
    "moved": {"path", "stopped", "boats", "oars"},
    "drifted": {"path", "stopped"},
    "run_into": {"by"},
    "towed": {"x", "y", "h", "by", "stopped"},
    "wrecked": {"x", "y"},
    "beached": {"x", "y"},
    "grapple": {"target", "made"},
    "loose": {"target", "why"},
    "cut": {"target", "made"},
    "round": {"attackers", "defenders", "killed", "part"},
    "morale": {"score", "result"},
    "withdrew_boarders": {"target"},
    "struck": {"to", "by", "why"},
    "refused_surrender": set(),
    "secured": {"by", "captives", "way"},
    "retaken": {"by", "why"},
    "joined": {"beside"},
    "rising": {"made"},
    "volley": {"target", "group", "range", "hits", "raked"},
    "damage": {"hits", "quarters"},
    "mast": {"threshold", "left", "dismasted"},
    "jury": {"count", "up"},
    "sunk": {"x", "y"},
    "foundered": {"x", "y"},
    "withdrew": {"x", "y"},
    "after": {"what"},
}
SECRET = {"refused", "battery", "magazine", "foundering", "breaking_off", "officer", "saved"}
OF_THE_WHOLE_BATTLE = {"opened", "wind", "night", "initiative", "ended"}
SECRET_THROWS = {"T.B9", "T.S5", "T.N2", "T.O5g", "T.B12d", "G.AF1"}
Fought = tuple[Scenario, tuple[Event, ...]]


@pytest.fixture(scope="module")
def battles() -> list[Fought]:
    """Real battles in which ships are taken, burn and blow up."""
    found = []
    for n in range(3):
        doc = meeting_document(
            9, 9, rule_set="thomas", start="1805-10-21T06:00", gap=6_000, captains=("plain", "plain")
        )
        scenario = read_scenario(doc)
        found.append((scenario, play_battle(scenario, bytes([n]), log=True).events))
    return found


def holders(scenario: Scenario, events: Sequence[Event]) -> list[dict[str, str]]:
    """Whose men had every ship when each event was written, read from the whole log."""
    born = {ship.id: side.id for side, _, ship in scenario.ships()}
    now, found = dict(born), []
    for event in events:
        found.append(dict(now))
        if event.kind == "secured":
            now[event.ship] = now[event.data["by"]]
        elif event.kind == "retaken":
            now[event.ship] = born[event.ship]
    return found


def test_every_kind_of_event_is_either_public_or_secret() -> None:
    assert set(PUBLIC) | SECRET | OF_THE_WHOLE_BATTLE == set(KINDS)
    assert not set(PUBLIC) & SECRET


@pytest.mark.clause("G.IN1", "T.S18")
@pytest.mark.parametrize("side", ["E", "D"])
def test_only_public_facts_about_an_enemy_are_shown(battles: list[Fought], side: str) -> None:
    kinds: set[str] = set()
    for scenario, events in battles:
        # Marked by number, so that what is shown can be laid beside what was written.
        marked = [event._replace(step=str(n)) for n, event in enumerate(events)]
        held = holders(scenario, events)
        for seen in log_seen_by(scenario, marked, side):
            event = events[int(seen.step)]
            if event.kind == DIE or not event.ship or held[int(seen.step)][event.ship] == side:
                continue
            kinds.add(event.kind)
            assert event.kind in PUBLIC, event
            mine = (
                {"men"}
                if event.kind == "secured" and held[int(seen.step)][event.data["by"]] == side
                else set()
            )
            assert set(seen.data) <= PUBLIC[event.kind] | mine, seen
    assert {"placed", "moved", "volley", "damage", "struck", "secured", "mast"} <= kinds


@pytest.mark.clause("G.IN1")
@pytest.mark.parametrize("side", ["E", "D"])
def test_a_side_reads_everything_about_its_own_ships(battles: list[Fought], side: str) -> None:
    for scenario, events in battles:
        shown = list(log_seen_by(scenario, events, side))
        own = [
            event
            for event, held in zip(events, holders(scenario, events), strict=True)
            if event.ship and held[event.ship] == side and event.kind not in ("round", "secured")
        ]
        assert own
        assert [event for event in own if event not in shown] == []


@pytest.mark.clause("T.B9", "T.N2", "G.IN1")
@pytest.mark.parametrize("side", ["E", "D"])
def test_dice_that_reveal_an_enemys_remaining_strength_are_not_shown(
    battles: list[Fought], side: str
) -> None:
    hidden = 0
    for scenario, events in battles:
        shown = {event.data["key"] for event in log_seen_by(scenario, events, side) if event.kind == DIE}
        for event, held in zip(events, holders(scenario, events), strict=True):
            if event.kind != DIE:
                continue
            thrower = next(part for part in (*event.data["key"].split("/"), "") if part in held or not part)
            secret = event.clause in SECRET_THROWS and held[thrower] != side
            assert (event.data["key"] not in shown) is secret
            hidden += secret
    assert hidden > 50


@pytest.mark.clause("T.B12n")
def test_each_side_counts_its_own_boarders() -> None:
    scenario = read_scenario(meeting_document(1, 1, rule_set="thomas"))
    data = {"attackers": [["E01", 40]], "defenders": [["D01", 30]], "killed": [4, 5], "part": 1}
    event = Event(3, "P5c", "round", "T.B12d", "E01", data)
    (seen,) = log_seen_by(scenario, [event], "D")
    assert (seen.data["attackers"], seen.data["defenders"]) == ([["E01", None]], [["D01", 30]])


@pytest.mark.clause("T.B12p")
def test_without_rules_of_surrender_her_captor_reads_a_boarded_ship_at_once() -> None:
    doc = meeting_document(1, 1, rule_set="thomas")
    struck = Event(3, "P5c", "struck", "T.B12p", "D01", {"to": "E", "by": "E01", "why": "boarded"})
    later = Event(
        4, "P8", "battery", "T.B11", "D01", {"gun": "long", "group": "port", "half": False, "why": "hit"}
    )
    for played, kinds in ((True, ["struck"]), (False, ["struck", "battery"])):
        scenario = dataclasses.replace(read_scenario(doc), options={"opt_surrender": played})
        assert [event.kind for event in log_seen_by(scenario, [struck, later], "E")] == kinds
        assert len(list(log_seen_by(scenario, [struck, later], "D"))) == (2 if played else 1)


@pytest.mark.clause("T.S18", "G.IN1")
def test_the_visible_part_is_described_as_well_as_the_whole(battles: list[Fought]) -> None:
    scenario, events = battles[0]
    rules = rule_set("thomas")
    whole = rules.teller(scenario).turn(events)
    for side in ("E", "D"):
        told = rules.teller(scenario).turn(log_seen_by(scenario, events, side))
        assert told
        assert {_plain(line) for line in told} <= {_plain(line) for line in whole}


def _plain(line: str) -> str:
    """A line without figures that only her own side counts."""
    return re.sub(r" \(\d+ fighting\)|, \d.*|, with \S+ crew.*| with \S+ crew aboard", "", line).rstrip(".")
