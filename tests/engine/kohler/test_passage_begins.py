"""What an activation begins with, state by state, and what single tokens leave behind. Rules: K.M5-K.M21, K.M33, K.A2.4."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler.passage import Motion, begin, boards, can_be_boarded, carry, is_held_prize
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship, Status, WindForce
from tests.engine.kohler.builders import battle, ship

CAUGHT = {"facing": 0, "caught_in_irons": True}
# State of a ship in a normal wind blowing S: motion, facing and turns made, then the marks that are set.
BEGUN = [
    ({"facing": 2}, Motion.SAIL, 2, 0, "drifts"),
    ({"facing": 2, "handy": True}, Motion.SAIL, 2, 0, "drifts handy"),
    ({"facing": 2, "handy": True, "steps_lost": 2}, Motion.SAIL, 2, 0, "drifts"),
    ({"facing": 0}, Motion.HELD, 0, 0, "drifts spot"),
    ({"facing": 0, "handy": True}, Motion.HELD, 0, 0, "drifts spot"),
    ({"facing": 1, "steps_lost": 2}, Motion.HELD, 1, 0, "drifts spot"),
    ({"facing": 5, "steps_lost": 2}, Motion.HELD, 5, 0, "drifts spot"),
    ({"facing": 2, "steps_lost": 2}, Motion.SAIL, 2, 0, "drifts"),
    ({"facing": 3, "steps_lost": 2}, Motion.SAIL, 3, 0, "drifts"),
    ({"facing": 4, "steps_lost": 2}, Motion.SAIL, 4, 0, "drifts"),
    ({"facing": 1, "steps_lost": 1}, Motion.SAIL, 1, 0, "drifts"),
    (CAUGHT, Motion.SAIL, 0, 0, "drifts free"),
    ({**CAUGHT, "handy": True}, Motion.SAIL, 0, 0, "drifts free handy"),
    ({**CAUGHT, "steps_lost": 2}, Motion.SAIL, 0, 0, "drifts free"),
    ({**CAUGHT, "steps_lost": 3}, Motion.ADRIFT, 0, 0, "drifts spot"),
    ({"facing": 1, "caught_in_irons": True, "steps_lost": 2}, Motion.HELD, 1, 0, "drifts spot"),
    ({**CAUGHT, "helm": Helm.NO_TURN}, Motion.SAIL, 0, 0, "drifts"),
    ({**CAUGHT, "helm": Helm.NO_TURN, "handy": True}, Motion.SAIL, 0, 0, "drifts"),
    ({**CAUGHT, "helm": Helm.PORT}, Motion.SAIL, 5, 1, "drifts compulsory"),
    ({**CAUGHT, "helm": Helm.STARBOARD, "steps_lost": 2}, Motion.SAIL, 1, 1, "drifts ended"),
    ({"facing": 2, "steps_lost": 3}, Motion.ADRIFT, 2, 0, "drifts spot"),
    ({"facing": 2, "steps_lost": 3, "helm": Helm.NO_TURN}, Motion.ADRIFT, 2, 0, "drifts"),
    ({"facing": 2, "steps_lost": 3, "helm": Helm.PORT}, Motion.ADRIFT, 1, 1, "drifts"),
    ({"facing": 2, "helm": Helm.NO_TURN, "handy": True}, Motion.SAIL, 2, 0, "drifts"),
    ({"facing": 2, "helm": Helm.PORT, "handy": True}, Motion.SAIL, 1, 1, "drifts compulsory"),
    ({"facing": 2, "helm": Helm.STARBOARD}, Motion.SAIL, 3, 1, "drifts compulsory"),
    ({"facing": 5, "helm": Helm.STARBOARD}, Motion.SAIL, 0, 1, "drifts ended"),
    ({"facing": 1, "helm": Helm.PORT}, Motion.SAIL, 0, 1, "drifts ended"),
    ({"facing": 2, "helm": Helm.PORT, "steps_lost": 2}, Motion.SAIL, 1, 1, "drifts ended"),
    ({"facing": 0, "helm": Helm.PORT}, Motion.HELD, 5, 1, "ended"),
    ({"facing": 0, "helm": Helm.NO_TURN}, Motion.HELD, 0, 0, "drifts"),
    ({"facing": 2, "aground": True, "helm": Helm.PORT}, Motion.AGROUND, 2, 0, ""),
    ({"facing": 2, "turns_made": 1}, Motion.SAIL, 2, 1, "drifts"),
]
MARKS = ("drifts", "ended", "compulsory", "free", "handy", "spot", "turned")


@pytest.mark.clause("K.M14", "K.M15", "K.M16", "K.M19", "K.M20", "K.M21", "K.G13")
@pytest.mark.parametrize(("state", "motion", "facing", "turns", "marks"), BEGUN)
def test_the_choices_of_a_ship_depend_on_its_state_as_its_activation_begins(
    state: dict[str, object], motion: Motion, facing: int, turns: int, marks: str
) -> None:
    one = ship(**state)
    p = begin(battle(one), one)
    assert (p.motion, p.facing, p.turns, p.moved, p.cap) == (motion, facing, turns, 0, -1)
    assert {name for name in MARKS if getattr(p, name)} == set(marks.split())


@pytest.mark.clause("K.A2.4", "K.S9", "K.G13")
def test_no_one_drifts_in_still_air_at_anchor_or_aground() -> None:
    one = ship(facing=2, helm=Helm.PORT, steps_lost=3)
    p = begin(battle(one, strength=WindForce.STILL), one)
    assert (p.motion, p.facing, p.turns, p.drifts, p.spot, p.helm) == (
        Motion.OARS,
        2,
        0,
        False,
        True,
        Helm.SOUND,
    )
    moored = battle(one, strength=WindForce.STILL, options={"at_anchor": {"ENG-1": 2}})
    p = begin(moored, one)
    assert (p.motion, p.drifts, p.spot) == (Motion.ANCHORED, False, False)
    one.aground = True
    assert begin(moored, one).motion is Motion.AGROUND


def carried(
    tokens: str, *others: Ship, strength: WindForce = WindForce.NORMAL, **over: object
) -> tuple[object, ...]:
    """Position, facing, hexes, turns, marks set, and the answer to the last token."""
    one = ship(**{"facing": 2, **over})
    sea = battle(one, *others, strength=strength)
    p, code = begin(sea, one), ""
    for token in tokens.split():
        code = carry(sea, one, p, token)
    return p.pos, p.facing, p.moved, p.turns, {name for name in MARKS if getattr(p, name)}, code


@pytest.mark.clause("K.M8", "K.M9", "K.M15", "K.M16", "K.M20", "K.A2.4")
@pytest.mark.parametrize(
    ("tokens", "over", "left"),
    [
        ("A", {}, ((1, 0), 2, 1, 0, {"drifts"}, "")),
        ("A S", {}, ((1, 0), 3, 1, 1, {"drifts", "turned"}, "")),
        ("A S A", {}, ((1, 1), 3, 2, 1, {"drifts"}, "")),
        ("A TP", {"facing": 1}, ((1, -1), 5, 1, 1, {"drifts", "turned"}, "")),
        ("P", {"handy": True}, ((0, 0), 1, 0, 1, {"drifts"}, "")),
        ("P", {"facing": 0}, ((0, 0), 5, 0, 1, {"ended"}, "")),
        ("P", {"steps_lost": 3}, ((0, 0), 1, 0, 1, {"drifts"}, "")),
        ("P", CAUGHT, ((0, 0), 5, 0, 0, {"drifts"}, "")),
        ("P", {**CAUGHT, "steps_lost": 2}, ((0, 0), 5, 0, 0, {"drifts", "spot"}, "")),
        ("P A", {**CAUGHT, "steps_lost": 1}, ((-1, 0), 5, 1, 0, {"drifts"}, "")),
        ("P", {"strength": WindForce.STILL}, ((0, 0), 1, 0, 1, {"ended"}, "")),
        ("W5", {"strength": WindForce.STILL}, ((-1, 0), 2, 1, 0, {"ended", "spot"}, "")),
        ("TP", {"strength": WindForce.STILL, "facing": 1}, ((0, 0), 1, 0, 0, {"spot"}, "no-tack")),
        ("P", {"helm": Helm.STARBOARD}, ((0, 0), 3, 0, 1, {"drifts", "compulsory"}, "helm")),
        ("G:D1", {"helm": Helm.STARBOARD}, ((0, 0), 3, 0, 1, {"drifts", "compulsory"}, "helm")),
        ("A", {"helm": Helm.STARBOARD}, ((0, 1), 3, 1, 1, {"drifts"}, "")),
        ("P", {"aground": True}, ((0, 0), 2, 0, 0, set(), "aground")),
        ("A", {"aground": True}, ((0, 0), 2, 0, 0, set(), "aground")),
    ],
)  # fmt: skip
def test_each_order_leaves_the_ship_in_the_right_place_and_condition(
    tokens: str, over: dict[str, object], left: tuple[object, ...]
) -> None:
    assert carried(tokens, **over) == left  # type: ignore[arg-type]


@pytest.mark.clause("K.B1", "K.B13", "K.M12")
def test_an_attempt_to_grapple_ends_the_movement_without_a_drift() -> None:
    foe = ship(id="D1", side="DUT")
    assert carried("G:D1", foe) == ((0, 0), 2, 0, 0, {"ended"}, "")
    assert carried("G:D1 A", foe)[-1] == "ended"


@pytest.mark.clause("K.M33")
def test_only_a_ship_that_can_sail_and_is_blocked_turns_on_the_spot() -> None:
    friend = {"id": "E2", "pos": (1, 0)}
    assert carried("P", ship(**friend)) == ((0, 0), 1, 0, 1, {"drifts", "ended"}, "")
    assert carried("TP", ship(**{**friend, "pos": (1, -1)}), facing=1)[-1] == "not-underway"
    assert carried("P S", ship(**{**friend, "pos": (1, -1)}), handy=True)[-1] == "not-underway"
    caught = {"facing": 1, "caught_in_irons": True}
    assert carried("P", ship(**{**friend, "pos": (1, -1)}), **caught)[-1] == "not-underway"


@pytest.mark.clause("K.M31")
@pytest.mark.parametrize("token", ["", "Q", "W", "W6", "W12", "Q3", "3W", "WA", "TA", "g:D1", "a"])
def test_a_wrong_order_is_reported_as_unknown(token: str) -> None:
    one = ship(facing=2)
    sea = battle(one, strength=WindForce.STILL)
    assert carry(sea, one, begin(sea, one), token) == "unknown"


@pytest.mark.clause("K.B1", "K.B24", "K.B25", "K.X15")
def test_boarders_may_attack_only_some_ships() -> None:
    one = ship()

    def aim(*others: Ship, **over: object) -> bool:
        prize = ship(**{"id": "X1", "side": "DUT", **over})
        return boards(battle(one, prize, *others), one, prize)

    assert aim() and not aim(prize_of="FRA"), "only her old side takes a prize back"
    assert aim(prize_of="DUT"), "one taken back fights like any other"
    own = {"side": "ENG", "prize_of": "DUT"}
    assert aim(**own)
    guard = {"id": "D1", "side": "DUT"}
    assert not aim(ship(**guard), **own)
    for absent in ({"pos": (1, 0)}, {"status": Status.SINKING}, {"prize_of": "ENG"}):
        assert aim(ship(**guard, **absent), **own)
    assert aim(ship(id="E5", prize_of="DUT"), **own), "another prize guards nobody"
    for state in ({"prize_of": "DUT"}, {"fired": True}):
        idle, foe = ship(**state), ship(id="D1", side="DUT")
        assert not boards(Battle.__new__(Battle), idle, foe)
    assert [is_held_prize(ship(prize_of=code)) for code in ("", "ENG", "DUT")] == [False, False, True]
    foe = {"id": "D1", "side": "DUT"}
    assert can_be_boarded(one, ship(**foe))
    for state in ({"fired": True}, {"status": Status.SINKING}, {"prize_of": "ENG"}):
        assert not can_be_boarded(one, ship(**foe, **state))
