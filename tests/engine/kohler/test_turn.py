"""The sequence of play: a whole turn with every die in its place, and what breaks a turn off."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from battles.engine.core.log import DIE, Log
from battles.engine.rulesets.kohler import turn
from battles.engine.rulesets.kohler.play import KohlerCaptain, Orders, Play
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, events, play, ship

DOUBLE_TWO, DROPS, ENGLISH, DUTCH = (2, 2), 3, 5, 2


def playthrough() -> tuple[Battle, Play]:
    """A turn in which a ship is caught in irons, one grapples, two exchange broadsides and one of them takes fire."""
    sea = battle(
        ship(id="E1", pos=(0, 0), facing=1),
        ship(id="E2", pos=(10, 0), facing=0),
        ship(id="E3", pos=(30, 0), facing=5),
        ship(id="D1", side="DUT", pos=(1, -1), facing=1),
        ship(id="D2", side="DUT", pos=(11, -1), facing=3, hits_struct=5),
        turn=0,
    )
    idle = Orders(tokens=())
    orders = dict.fromkeys(sea.ships, idle)
    orders["E1"] = Orders(tokens=("A", "G:D1"), intents={"D1": True})
    orders["D1"] = Orders(tokens=(), intents={"E1": False})
    faces = (
        *DOUBLE_TWO, DROPS, ENGLISH, DUTCH,
        4, 3,  # E1 catches D1, who would get clear
        3,  # which side they lie on
        1, 6,  # E2 fires three hits, D2 one
        4, 4, 3, 3,  # E1 and D1 board: 30 to 28, one point
        2, 3, 5,  # D2: fire aboard, put out
    )  # fmt: skip
    return sea, play(*faces, orders=orders)


@pytest.mark.clause("K.T1", "K.T2", "K.T3", "K.0.4", "K.0.5")
def test_a_turn_throws_every_die_in_the_published_order():
    sea, played = playthrough()
    turn.play_turn(sea, played)
    played.dice.finish()
    assert played.log is not None
    thrown = [(event.step, event.clause) for event in played.log.events if event.kind == DIE]
    assert thrown == [
        ("1a", "K.W2"),
        ("1b", "K.A2.2"),
        ("2ab", "K.I1"),
        ("2ab", "K.I1"),
        ("3b", "K.B3"),
        ("3b", "K.B3"),
        ("4a", "K.B12"),
        ("4a", "K.F8"),
        ("4a", "K.F8"),
        ("4b", "K.B16"),
        ("4b", "K.B16"),
        ("5b-5d", "K.C1"),
        ("5b-5d", "K.C3"),
    ]
    order = [step.id for step in turn.STEPS]
    seen = [order.index(event.step) for event in played.log.events]
    assert seen == sorted(seen)


@pytest.mark.clause("K.T1", "K.T3", "K.W9")
def test_a_turn_leaves_what_its_dice_produce():
    sea, played = playthrough()
    turn.play_turn(sea, played)
    assert (sea.turn, sea.wind, sea.wind_prev, sea.strength) == (1, 2, 3, WindForce.LIGHT)
    assert [event.ship for event in events(played, "caught")] == ["E3"]
    assert sea.ships["E1"].pos == sea.ships["D1"].pos == (1, -1)
    assert [lock.kind for lock in sea.locks] == [LockKind.GRAPPLE]
    assert [sea.ships[code].hull_left for code in ("E1", "E2", "D1", "D2")] == [22, 21, 21, 14]
    assert (sea.ships["D2"].fires, sea.ships["D2"].steps_lost) == ([], 1)
    assert sea.ships["E3"].in_irons_last_turn and not sea.ships["E3"].caught_in_irons


@pytest.mark.clause("K.T1")
def test_every_step_is_named_once_and_carries_its_clauses():
    ids = [step.id for step in turn.STEPS]
    assert len(ids) == len(set(ids)) and ids[0] == "1a" and ids[-1] == "after"
    assert all(step.clauses and step.name for step in turn.STEPS)


# Phases and steps of K.T with the clauses that each shows on a log page.
STEPS = [
    ("1a", "K.W2 K.W3 K.W4 K.W5", "The wind's direction"),
    ("1b", "K.A2.2 K.A2.8", "The wind's strength, and gales"),
    ("1c", "K.M14", "Ships that the wind catches in irons"),
    ("1d", "K.A2.7", "All ships drift in a strong wind"),
    ("1e", "K.X4", "Fire ships are set alight"),
    ("1f", "K.G9", "Reinforcements arrive"),
    ("2ab", "K.I1 K.I2 K.I3", "Initiative of the squadrons"),
    ("2c", "K.I8 K.I9", "Ships in and out of command"),
    ("2d", "K.I5 K.I6 K.I7 K.I11", "Order of the groups"),
    ("3a", "K.X5", "Movement of burning fire ships"),
    ("3b", "K.M8 K.B1", "Movement of the groups"),
    ("4a", "K.F1 K.F16", "Gunfire"),
    ("4b", "K.B15 K.B26", "Boarding and parting"),
    ("5a", "K.C7", "Gun decks are cleared"),
    ("5b-5d", "K.C1 K.C2", "Critical hits and fires"),
    ("5e", "K.X7", "Fire ships burn"),
    ("5f", "K.I10 K.G9", "New flagships; check for the end of the battle"),
    ("after", "K.G4 K.G5 K.G10 K.G11 K.G12 K.G27", "After the battle"),
]


@pytest.mark.clause("K.T1")
def test_a_turn_follows_the_published_steps_in_order_and_only_the_last_one_plays_the_end() -> None:
    assert [(step.id, " ".join(step.clauses), step.name) for step in turn.STEPS] == STEPS

    class Marked(Log):
        """A log that keeps every step it is given."""

        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, value)
            if name == "step" and value:
                marked.append(str(value))

    marked: list[str] = []
    sea = battle(ship(id="E1"), ship(id="D1", side="DUT", pos=(5, 0)), turn=0, last_turn=2)
    for last in (False, True):
        marked.clear()
        played = play(1, 2, 3, 3)
        played.log = Marked()
        turn.play_turn(sea, played)
        assert marked == [code for code, *_ in STEPS if last or code != "after"]
        assert played.log.turn == sea.turn == (2 if last else 1)


@pytest.mark.clause("K.A2.8", "K.G4", "K.G27")
def test_a_gale_cuts_the_turn_short_and_separates_all_ships():
    sea = battle(ship(id="E1"), ship(id="D1", side="DUT"), strength=WindForce.STRONG, turn=4)
    sea.hold(LockKind.GRAPPLE, sea.ships["E1"], sea.ships["D1"])
    played = play(1, 1, 5)
    turn.play_turn(sea, played)
    played.dice.finish()
    assert (sea.ended, sea.turn, sea.locks) == ("gale", 5, [])
    assert played.log is not None and {event.step for event in played.log.events} == {"1a", "1b", "after"}


@pytest.mark.clause("K.G9", "K.G27")
def test_the_last_turn_also_plays_the_end_and_then_no_other_turn():
    sea = battle(ship(id="E1"), ship(id="D1", side="DUT", pos=(5, 0)), turn=29)
    played = play(1, 2, 3, 3)
    turn.play_turn(sea, played)
    assert sea.ended == "nightfall" and [event.data["why"] for event in events(played, "ended")] == [
        "nightfall"
    ]
    with pytest.raises(ValueError, match="over"):
        turn.play_turn(sea, played)


@pytest.mark.clause("K.A2.7", "K.M29", "K.T1")
def test_in_a_strong_wind_everyone_is_carried_downwind_before_anything_else():
    sea = battle(
        ship(id="E1", facing=2), ship(id="D1", side="DUT", pos=(9, 0)), strength=WindForce.STRONG, turn=0
    )
    turn.play_turn(sea, play(1, 2, 3, 3, orders={"E1": "A"}))
    assert sea.ships["E1"].pos == (1, 1)


@pytest.mark.clause("K.G9", "K.T1")
def test_reinforcements_arrive_before_initiative_and_act_in_the_turn_of_their_arrival() -> None:
    late = ship(id="E2", squadron="late", status=Status.EXPECTED)
    sea = battle(ship(id="E1"), late, ship(id="D1", side="DUT", pos=(9, 0)), turn=0)
    sea.squadrons["late"].arrives = 1
    idle = dict.fromkeys(sea.ships, Orders(tokens=()))
    played = play(1, 2, 3, 4, 2, orders=idle)
    turn.play_turn(sea, played)
    played.dice.finish()  # type: ignore[attr-defined]
    assert [(event.ship, event.step) for event in events(played, "arrived")] == [("E2", "1f")]
    assert late.afloat and late.acted
    assert "late" in [event.data["squadron"] for event in events(played, "initiative")]


@pytest.mark.clause("K.I17", "K.I5")
def test_ships_in_a_group_act_in_the_owners_order_and_a_nonsensical_order_is_skipped():
    def moves(wish: tuple[str, ...]) -> list[str]:
        sea = battle(ship(id="E1"), ship(id="E2", pos=(1, 0)), ship(id="D1", side="DUT", pos=(9, 0)), turn=0)
        played = play(1, 2, 3, 2, captains={"ENG": Rearguard(wish)}, views={"ENG": View(sea, "ENG")})
        turn.play_turn(sea, played)
        return [event.ship for event in events(played, "moved")]

    assert moves(("E2", "E1")) == ["D1", "E2", "E1"]
    for nonsense in (("E2", "E2"), ("E2",), ("E2", "E1", "E2"), ("E9", "E1")):
        assert moves(nonsense) == ["D1", "E1", "E2"]


@pytest.mark.clause("K.X4", "K.X5", "K.X16", "K.I15")
def test_fire_ships_are_fired_before_initiative_and_act_before_every_group():
    fire_ship = {"is_fireship": True, "guns": 8, "band": 0, "hull_max": 4, "n_steps": 2, "thresholds": (2, 4)}
    burning = ship(id="E1", facing=3, fire_track=(1, 1), **fire_ship)
    sea = battle(burning, ship(id="E2", pos=(9, 0)), ship(id="D1", side="DUT", pos=(20, 0)), turn=0)
    orders = {"E1": Orders(fire_ship=True), "E2": Orders(fire_ship=True), "D1": Orders(tokens=())}
    played = play(1, 2, 3, 3, orders=orders)
    turn.play_turn(sea, played)
    played.dice.finish()
    assert [event.ship for event in events(played, "fired_ship")] == ["E1"]
    assert [event.step for event in events(played, "fired_ship")] == ["1e"]
    assert [(event.ship, event.step) for event in events(played, "moved")][0] == ("E1", "3a")
    assert burning.fired and burning.pos == (0, 2) and burning.hull_left == 3
    assert not sea.ships["E2"].fired
    assert ("E2", "no-fire-ship") in [(e.ship, e.data["code"]) for e in events(played, "refused")]


@pytest.mark.clause("K.X5")
def test_burning_fire_ships_of_the_side_that_loses_draws_act_first_and_then_in_list_order():
    def burning(code: str, row: int, side: str = "ENG") -> Ship:
        return ship(id=code, side=side, pos=(0, row), facing=2, fired=True, hull_max=4, thresholds=(2, 4))

    fleet = (burning("D1", 0, "DUT"), burning("D2", 9, "DUT"), burning("E2", 18), burning("E1", 27))
    sea = battle(*fleet)
    assert sea.sides["DUT"].wins_ties
    played = play()
    turn.sail_fire_ships(sea, played)
    assert [event.ship for event in events(played, "moved")] == ["E2", "E1", "D1", "D2"]


@pytest.mark.clause("K.I17", "K.T1")
def test_no_order_of_action_is_asked_for_a_lone_ship_and_a_held_ship_has_not_moved() -> None:
    class Asked(Rearguard):
        def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
            asked.append(ships)
            return ships

    asked: list[tuple[str, ...]] = []
    old = {"moved_hexes": 3, "turns_made": 2, "acted": True, "grapple_tried": True}
    one, other = ship(id="E1", **old), ship(id="E2", **old)
    alone = ship(id="E3", squadron="alone", pos=(9, 9))
    sea = battle(one, other, alone, ship(id="D1", side="DUT", pos=(9, 0)), turn=0)
    sea.hold(LockKind.TANGLE, one, other).formed = 1
    turn.play_turn(sea, play(1, 2, 3, 4, 2, captains={"ENG": Asked(())}, views={"ENG": View(sea, "ENG")}))
    assert asked == [("E1", "E2")]
    assert [(ship.moved_hexes, ship.turns_made, ship.acted, ship.grapple_tried) for ship in (one, other)] == [
        (0, 0, True, False)
    ] * 2


class Rearguard:
    """A captain who only says in what order his ships act."""

    name = "rearguard"

    def __init__(self, wish: tuple[str, ...]) -> None:
        self.wish = wish

    def begin_turn(self, view: View) -> None:
        """No plan."""

    def fire_ships(self, view: View) -> tuple[str, ...]:
        """None."""
        return ()

    def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
        """As he was told at birth."""
        return self.wish

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        """Lie to."""
        return ()

    def boards(self, view: View, ship: str, enemy: str) -> bool:
        """Never."""
        return False

    def parts(self, view: View, ship: str, enemy: str) -> bool:
        """Always."""
        return True

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        """As the rules choose."""
        return {}


_: type[KohlerCaptain] = Rearguard
