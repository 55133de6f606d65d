"""The night escape: one throw per side, meeting and night, whichever fleets take part."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from battles.engine.core.dice import KeyedDice, ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetFacts, TurnFacts
from campaign.rules.contact.night import night_step
from campaign.rules.state.state import Contact, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

SEEK, AVOID = Stance.SEEK, Stance.AVOID
NIGHTFALL = 14  # the sun sets at 19:00, so night falls at 20:00, hour 14 of the chart
FACES = range(1, 7)


def at_nightfall(rows: list[FleetFacts], *chases: tuple[str, str]) -> tuple[TurnFacts, TurnState]:
    """Fleets of which some chase others when night falls; whoever is in a chase sees the other."""
    made = b.facts(rows, weather=b.weather(0))
    state = turn.begin(made, {}, b.dice(made))
    state.hour = NIGHTFALL
    for seeker, quarry in chases:
        chase(state, seeker, quarry)
    return made, state


def chase(state: TurnState, seeker: str, quarry: str) -> None:
    """Let a fleet have been after another for two hours."""
    state.contacts[seeker, quarry] = Contact(seeker, quarry, 3_000, 90, state.hour - 2, state.hour - 2)
    for key in ((seeker, quarry), (quarry, seeker)):
        state.touches[key] = Touch(*key, True, 1, 3_000, 0, "1", ("line",))


def night(made: TurnFacts, state: TurnState, faces: Iterable[int], *, hour: int = NIGHTFALL) -> TurnState:
    """The night's step of an hour, from a state that was stored and read back; every face has to be thrown."""
    state = TurnState.from_dict(json.loads(json.dumps(state.to_dict())))
    state.hour = hour
    with ScriptedDice(faces) as dice:
        night_step(Chart(made, state, dice))
    return state


def seeker(code: str, at: str = "a", **over: int) -> FleetFacts:
    return b.fleet(code, "ENG", at, stance=SEEK, **over)


def avoider(code: str, miles: int = 3) -> FleetFacts:
    return b.fleet(code, "NLD", "a", to="b", run=miles * 1000, stance=AVOID)


def free(state: TurnState) -> dict[str, tuple[str, ...]]:
    """Fleets that are away, with those from whom they are free."""
    return {code: fleet.free_from for code, fleet in state.fleets.items() if fleet.free_until}


@pytest.mark.clause("G.CO3", "T.C6")
@pytest.mark.parametrize("seekers", [("e1",), ("e1", "e2"), ("e1", "e2", "e3")])
def test_a_fleet_escapes_one_two_or_three_pursuers_on_two_faces_of_six(
    seekers: tuple[str, ...],
) -> None:
    made, state = at_nightfall([avoider("d"), *map(seeker, seekers)], *((code, "d") for code in seekers))
    played = {face: night(made, state, (face,)) for face in FACES}
    assert [face for face in FACES if free(played[face]) == {"d": seekers}] == [5, 6]
    assert [face for face in FACES if not free(played[face])] == [1, 2, 3, 4]
    for face, after in played.items():
        held = {code for code in seekers if after.fleets[code].still_until == NIGHTFALL + 12}
        assert held == (set(seekers) if face >= 5 else set())
        assert [contact.night for contact in after.contacts.values()] == [True] * len(after.contacts)
        assert len(after.contacts) == (0 if face >= 5 else len(seekers))
        assert len([event for event in after.events if event.kind == "night"]) == 1


@pytest.mark.clause("G.CO3", "T.C6")
def test_two_fleets_of_a_side_in_company_escape_together_on_two_faces_of_six() -> None:
    made, state = at_nightfall(
        [avoider("d1"), avoider("d2", 5), seeker("e1"), seeker("e2")], ("e1", "d1"), ("e2", "d2")
    )
    both = {"d1": ("e1", "e2"), "d2": ("e1", "e2")}
    assert [free(night(made, state, (face,))) for face in FACES] == [{}, {}, {}, {}, both, both]
    (told,) = [event.data for event in night(made, state, (5,)).events if event.kind == "night"]
    assert (told["fleets"], told["face"], told["away"]) == (["d1", "d2"], 5, True)


@pytest.mark.clause("G.CO3")
def test_an_unchased_fleet_in_company_goes_along_if_it_avoids_too_and_has_seen_them() -> None:
    made, state = at_nightfall([avoider("d1"), avoider("d2", 5), seeker("e")], ("e", "d1"))
    assert free(night(made, state, (6,))) == {"d1": ("e",)}
    state.touches["d2", "e"] = Touch("d2", "e", True, 1, 5_000)
    assert free(night(made, state, (6,))) == {"d1": ("e",), "d2": ("e",)}
    assert free(night(made, state, (4,))) == {}
    state.fleets["d2"] = replace(
        state.fleets["d2"], order=replace(state.fleets["d2"].order, stance=Stance.HOLD)
    )
    assert free(night(made, state, (6,))) == {"d1": ("e",)}


@pytest.mark.clause("G.CO3", "T.C6")
def test_a_pursuer_that_arrives_later_in_the_night_finds_the_throw_already_made() -> None:
    made, state = at_nightfall([avoider("d"), seeker("e1"), seeker("e2")], ("e1", "d"))
    failed = night(made, state, (4,))
    chase(failed, "e2", "d")
    later = night(made, failed, (), hour=NIGHTFALL + 5)
    assert [contact.night for contact in later.contacts.values()] == [True, True]
    del failed.contacts["e1", "d"]  # the same two lose each other and meet again
    chase(failed, "e1", "d")
    assert night(made, failed, (), hour=NIGHTFALL + 5).contacts["e1", "d"].night


@pytest.mark.clause("G.CO3", "T.C6")
def test_another_night_and_another_meeting_have_their_own_throws() -> None:
    made, state = at_nightfall([avoider("d"), seeker("e1"), seeker("e2")], ("e1", "d"))
    failed = night(made, state, (4,))
    next_night = night(made, night(made, failed, (), hour=24), (), hour=37)
    chase(next_night, "e1", "d")
    assert free(night(made, next_night, (5,), hour=38)) == {"d": ("e1",)}
    away = night(made, state, (5,))
    chase(away, "e2", "d")
    assert free(night(made, away, (6,), hour=NIGHTFALL + 5)) == {"d": ("e2",)}


@pytest.mark.clause("G.CO3", "T.C6")
def test_separate_meetings_throw_separately() -> None:
    far = b.fleet("d2", "NLD", "b", to="c", run=30_000, stance=AVOID)
    made, state = at_nightfall(
        [avoider("d1"), far, seeker("e1"), seeker("e2", "b", run=27_000)], ("e1", "d1"), ("e2", "d2")
    )
    assert free(night(made, state, (6, 1))) == {"d1": ("e1",)}
    assert free(night(made, state, (1, 6))) == {"d2": ("e2",)}


@pytest.mark.clause("G.CO3")
def test_each_side_of_a_meeting_has_its_own_throw_and_an_escaped_side_is_not_held() -> None:
    rows = [
        avoider("d1"), replace(seeker("d2"), side="NLD"),
        seeker("e1"), replace(avoider("e2"), side="ENG"),
    ]  # fmt: skip
    made, state = at_nightfall(rows, ("e1", "d1"), ("d2", "e2"))
    both = night(made, state, (5, 5))
    assert free(both) == {"d1": ("e1", "e2"), "e2": ("d1", "d2")}
    still = {code: fleet.still_until for code, fleet in both.fleets.items()}
    assert still == {"d1": 0, "d2": 26, "e1": 26, "e2": 0}
    english = night(made, state, (5, 1))
    assert free(english) == {"e2": ("d1", "d2")}
    assert list(english.contacts) == [("e1", "d1")]


@pytest.mark.clause("G.CO3", "T.C8")
def test_every_pursuer_that_knew_of_ships_left_behind_meets_them_at_dawn() -> None:
    made, state = at_nightfall(
        [avoider("d"), seeker("e1"), seeker("e2"), seeker("e3")], *((e, "d") for e in ("e1", "e2", "e3"))
    )
    wreck = b.ship("w", "NLD", "d", condition={"lost": 20}, card={"hull": 20, "value": 400})
    made = replace(made, ships={**made.ships, "w": wreck})
    state.ships["w"] = turn.begin(made, {}, b.dice(made)).ships["w"]
    del state.touches["e3", "d"]
    after = night(made, state, (6,))
    assert sorted(after.contacts) == [("e1", "NLD-p1-1"), ("e2", "NLD-p1-1")]
    assert {after.fleets[code].still_until for code in ("e1", "e2", "e3")} == {24}
    assert free(after) == {"d": ("e1", "e2", "e3")}


@pytest.mark.clause("G.CO3", "G.FA1")
def test_a_meeting_keeps_its_die_all_night_whatever_the_hour() -> None:
    rows = [avoider("d"), seeker("e1"), seeker("e2")]
    made, state = at_nightfall(rows, ("e1", "d"), ("e2", "d"))
    _, turned = at_nightfall(rows[::-1], ("e2", "d"), ("e1", "d"))

    def faces(start: TurnState, hour: int) -> list[Mapping[str, object]]:
        found = []
        for number in range(8):
            now = start.copy()
            now.hour = hour
            night_step(Chart(made, now, KeyedDice(bytes([number]))))
            found += [event.data["face"] for event in now.events if event.kind == "night"]
        return found

    assert faces(state, NIGHTFALL) == faces(state, NIGHTFALL + 6) == faces(turned, NIGHTFALL)
    assert len(set(map(str, faces(state, NIGHTFALL)))) > 1


@pytest.mark.clause("G.CO3")
def test_a_state_from_before_throws_were_remembered_is_still_read() -> None:
    made, state = at_nightfall([avoider("d"), seeker("e")], ("e", "d"))
    stored = night(made, state, (1,)).to_dict()
    assert stored.pop("tried") == [["d", "e"]]
    assert stored.pop("storms") == []
    assert TurnState.from_dict(stored).contacts["e", "d"].night


@pytest.mark.clause("G.CO3", "G.CO7")
def test_allies_in_company_are_one_meeting_but_throw_separately() -> None:
    rows = [avoider("d"), replace(avoider("x", 5), side="FRA"), seeker("e1"), seeker("e2")]
    bare = b.facts(rows, weather=b.weather(0))
    france = replace(bare.sides["NLD"], code="FRA", name="France", nations=("France",))
    made = replace(
        bare,
        sides={**bare.sides, "FRA": france},
        at_war=frozenset({frozenset({"ENG", "NLD"}), frozenset({"ENG", "FRA"})}),
        allied=frozenset({frozenset({"FRA", "NLD"})}),
    )
    state = turn.begin(made, {}, b.dice(made))
    state.hour = NIGHTFALL
    chase(state, "e1", "d")
    chase(state, "e2", "x")
    french = night(made, state, (5, 1))
    assert free(french) == {"x": ("e1", "e2")}
    assert list(french.contacts) == [("e1", "d")]
    assert free(night(made, state, (6, 6))) == {"d": ("e1", "e2"), "x": ("e1", "e2")}
