"""What the log says of contests, boardings and ends, event by event with its clause; and under which keys dice are thrown."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.kohler import boarding, contact, criticals, turn
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.state import LockKind, WindForce
from tests.engine.kohler.builders import battle, events, play, ship

HOLD = {"E1": Orders(intents={"D1": True}), "D1": Orders(intents={"E1": True})}


def told(played: Play) -> list[tuple[str, str, str, dict[str, Any]]]:
    """All that was logged but dice: kind, clause, ship, data."""
    assert played.log is not None
    return [
        (one.kind, one.clause, one.ship, dict(one.data)) for one in played.log.events if one.kind != "die"
    ]


def keys(played: Play) -> list[str]:
    """The keys of the dice, in the order in which they were thrown."""
    return [str(one.data["key"]) for one in events(played, "die")]


@pytest.mark.clause("K.B2")
def test_a_grapple_that_both_want_is_logged_without_totals() -> None:
    one, other = ship(), ship(id="D1", side="DUT")
    played = play()
    assert contact.grapple(battle(one, other), played, one, other, agreed=True)
    assert told(played) == [
        ("contact", "K.B2", "E1", {"target": "D1", "attacker": 0, "defender": 0, "made": True, "kind": "grapple"}),
        ("locked", "K.B2", "E1", {"target": "D1", "kind": "grapple"}),
    ]  # fmt: skip


@pytest.mark.clause("K.B11")
def test_a_grapple_that_cannot_be_dodged_is_logged_without_totals() -> None:
    one, other = ship(), ship(id="D1", side="DUT", aground=True)
    played = play()
    assert contact.grapple(battle(one, other), played, one, other, agreed=False)
    assert told(played) == [
        ("contact", "K.B11", "E1", {"target": "D1", "attacker": 0, "defender": 0, "made": True, "kind": "grapple"}),
        ("locked", "K.B11", "E1", {"target": "D1", "kind": "grapple"}),
    ]  # fmt: skip


@pytest.mark.clause("K.B3")
@pytest.mark.parametrize(("faces", "held"), [((4, 4), True), ((4, 5), False)])
def test_a_grapple_thrown_for_is_logged_with_both_totals(faces: tuple[int, int], held: bool) -> None:
    one, other = ship(group_init=1), ship(id="D1", side="DUT", group_init=1, steps_lost=1)
    played = play(*faces)
    contact.grapple(battle(one, other), played, one, other, agreed=False)
    data = {"target": "D1", "attacker": faces[0], "defender": faces[1], "made": held, "kind": "grapple"}
    lock = [("locked", "K.B3", "E1", {"target": "D1", "kind": "grapple"})]
    assert told(played) == [("contact", "K.B3", "E1", data), *(lock if held else [])]
    assert keys(played) == ["/K.B3/1/E1/D1/catch", "/K.B3/1/E1/D1/clear"]


@pytest.mark.clause("K.X8", "K.B11")
def test_a_fire_ship_that_cannot_be_dodged_strikes_without_totals() -> None:
    one, other = ship(fired=True), ship(id="D1", side="DUT", aground=True)
    played = play()
    assert contact.strike(battle(one, other), played, one, other)
    assert told(played) == [
        ("contact", "K.X8", "E1", {"target": "D1", "attacker": 0, "defender": 0, "made": True, "kind": "fireship"}),
        ("locked", "K.X8", "E1", {"target": "D1", "kind": "fireship"}),
        ("alight", "K.X10", "D1", {"fires": 1}),
    ]  # fmt: skip


@pytest.mark.clause("K.X12", "K.X13")
@pytest.mark.parametrize(("faces", "free"), [((4, 4), True), ((5, 4), False)])
def test_a_struck_ship_that_tries_to_escape_is_logged_with_both_totals(
    faces: tuple[int, int], free: bool
) -> None:
    one, other = ship(fired=True), ship(id="D1", side="DUT", fires=[1])
    sea = battle(one, other)
    lock = sea.hold(LockKind.FIRE_SHIP, one, other)
    played = play(*faces)
    assert contact.disengage(sea, played, lock) is free
    row = {
        "target": "D1",
        "attacker": faces[0],
        "defender": faces[1] + 1,
        "made": not free,
        "kind": "fireship",
    }
    after = ("freed", "K.X12", "D1", {"target": "E1", "kind": "fireship"})
    burns = ("alight", "K.X13", "D1", {"fires": 2})
    assert told(played)[0] == ("contact", "K.X12", "E1", row)
    assert told(played)[1:] == [after if free else burns]


@pytest.mark.clause("K.X16")
def test_a_fire_ship_fired_while_grappled_is_logged_as_holding_the_ship_she_strikes() -> None:
    one, other = ship(is_fireship=True), ship(id="D1", side="DUT")
    sea = battle(one, other, turn=3)
    sea.hold(LockKind.GRAPPLE, other, one).formed = 2
    played = play()
    contact.fire_the_ship(sea, played, one)
    assert told(played) == [
        ("fired_ship", "K.X4", "E1", {}),
        ("locked", "K.X16", "E1", {"target": "D1", "kind": "fireship"}),
        ("alight", "K.X16", "D1", {"fires": 1}),
    ]
    (lock,) = sea.locks
    assert (lock.a, lock.b, lock.formed, lock.parted_try) == ("E1", "D1", 2, 3)


@pytest.mark.clause("K.B16", "K.B17", "K.B26", "K.B27")
def test_a_drawn_round_is_logged_without_winner_or_loser() -> None:
    one, other = ship(), ship(id="D1", side="DUT")
    sea = battle(one, other)
    sea.hold(LockKind.GRAPPLE, one, other)
    played = play(4, 4, 4, 4)
    boarding.rounds(sea, played)
    round_ = {"target": "D1", "own": 30, "other": 30, "winner": "", "inflicted": 0, "cost": 0}
    assert told(played) == [
        ("boarding", "K.B16", "E1", round_),
        ("freed", "K.B27", "E1", {"target": "D1", "kind": "grapple"}),
    ]
    assert keys(played) == ["/K.B16/1/round/0/E1/D1", "/K.B16/1/round/0/D1/E1"]


@pytest.mark.clause("K.B26", "K.B28")
def test_each_round_and_each_parting_after_the_battle_has_its_own_dice() -> None:
    one, other = ship(hull_max=12), ship(id="D1", side="DUT", hull_max=10)
    sea = battle(one, other, turn=7)
    sea.hold(LockKind.GRAPPLE, one, other)
    orders = {"E1": Orders(part={"D1": True}), "D1": Orders(part={"E1": False})}
    played = play(3, 3, 3, 3, 5, 2, 3, 3, 2, 2, 2, 5, orders=orders)
    boarding.fight_out(sea, played)
    played.dice.finish()  # type: ignore[attr-defined]
    assert not sea.locks
    assert keys(played) == [
        "/K.B16/7/round/1/E1/D1", "/K.B16/7/round/1/D1/E1", "/K.B26/7/part/1/D1/E1", "/K.B26/7/part/1/E1/D1",
        "/K.B16/7/round/2/E1/D1", "/K.B16/7/round/2/D1/E1", "/K.B26/7/part/2/D1/E1", "/K.B26/7/part/2/E1/D1",
    ]  # fmt: skip


@pytest.mark.clause("K.C2", "K.C1")
def test_checks_and_fires_of_a_fire_that_spreads_through_a_ship_each_have_their_own_dice() -> None:
    one = ship(hits_struct=5, fires=[1])
    played = play(3, 2, 2, 4)
    criticals.check_and_burn(battle(one, turn=3), played)
    assert keys(played) == ["/K.C3/3/E1/1", "/K.C1/3/burning/1/E1/1", "/K.C3/3/E1/2"]


@pytest.mark.clause("K.G5")
def test_fires_after_the_battle_have_dice_of_their_own_in_each_round() -> None:
    one = ship(fires=[1])
    played = play(3, 3, 5)
    criticals.burn_to_the_end(battle(one, turn=3), played)
    assert keys(played) == ["/K.C3/3/after/1/E1/1", "/K.C3/3/after/2/E1/1", "/K.C3/3/after/3/E1/1"]


@pytest.mark.clause("K.A2.8", "K.G9")
@pytest.mark.parametrize(
    ("faces", "clause", "why"), [((1, 1, 5), "K.A2.8", "gale"), ((1, 2, 3, 3), "K.G9", "nightfall")]
)
def test_the_end_is_logged_with_its_reason_and_rule(faces: tuple[int, ...], clause: str, why: str) -> None:
    sea = battle(
        ship(), ship(id="D1", side="DUT", pos=(5, 0)), strength=WindForce.STRONG, turn=4, last_turn=5
    )
    played = play(*faces)
    turn.play_turn(sea, played)
    assert [row for row in told(played) if row[0] == "ended"] == [("ended", clause, "", {"why": why})]
