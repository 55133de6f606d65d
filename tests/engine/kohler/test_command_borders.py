"""The flag's reach hex by hex, who leads, whom a prize follows, and the fate of orders to fire ships. Rules: K.I, K.X4."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.hexes import Hex, distance, within
from battles.engine.rulesets.kohler import command, turn
from battles.engine.rulesets.kohler.contact import has_initiative, modifiers
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship


@pytest.mark.clause("K.I8")
def test_flag_signals_reach_every_hex_within_four_and_no_further() -> None:
    flag, other = ship(id="F", pos=(3, -2)), ship(id="A", pos=(3, -2))
    sea = battle(flag, other)
    for cell in within((3, -2), 6):
        sea.move(other, cell)
        reached = command.in_command(sea, sea.squadrons["ENG-1"])
        assert (other in reached) == (distance(cell, flag.pos) <= 4), cell
        assert flag in reached


@pytest.mark.clause("K.I9")
def test_a_chain_joins_neighbours_on_every_side_and_in_one_hex_but_not_two_hexes_off() -> None:
    link = ship(id="L", pos=(4, 0))
    last = ship(id="Z", pos=(4, 0))
    sea = battle(ship(id="F"), link, last)
    for cell in within((4, 0), 3):
        sea.move(last, cell)
        near = distance(cell, (0, 0)) <= 4 or distance(cell, (4, 0)) <= 1
        assert (last in command.in_command(sea, sea.squadrons["ENG-1"])) is near, cell


@pytest.mark.clause("K.I3", "K.I4", "K.I10")
@pytest.mark.parametrize(
    ("state", "penalty"),
    [
        ({}, 0),
        ({"flag_officer_ok": False}, 1),
        ({"status": Status.SINKING}, 1),
        ({"prize_of": "DUT"}, 1),
        ({"prize_of": "ENG"}, 1),
        ({"fired": True}, 1),
    ],
)
def test_a_flag_officer_out_of_action_or_out_of_sight_costs_one(
    state: dict[str, object], penalty: int
) -> None:
    sea = battle(ship(id="F", **state), ship(id="A", pos=(1, 0)))
    assert command.flag_penalty(sea, sea.squadrons["ENG-1"]) == penalty


@pytest.mark.clause("K.I4")
def test_in_thick_weather_one_ship_in_sight_is_enough_and_prizes_do_not_count() -> None:
    near, far = ship(id="A", pos=(3, 0)), ship(id="B", pos=(9, 0))
    sea = battle(ship(id="F"), far, near, visibility=3)
    squadron = sea.squadrons["ENG-1"]
    assert command.flag_penalty(sea, squadron) == 0
    near.prize_of = "DUT"
    assert command.flag_penalty(sea, squadron) == 1
    far.status = Status.SINKING
    assert command.flag_penalty(sea, squadron) == 0, "alone she sees herself"


@pytest.mark.clause("K.I1", "K.I2", "K.I3")
def test_the_log_shows_how_each_bonus_and_penalty_changed_the_die() -> None:
    sea = battle(
        ship(id="F", flag_officer_ok=False),
        ship(id="D", side="DUT", pos=(9, 0)),
        options={"initiative": {"DUT-1": 7}},
    )
    sea.squadrons["ENG-1"].flag_bonus = 2
    sea.squadrons["DUT-1"].flag_bonus = 3
    played = play(4)
    command.throw_initiative(sea, played)
    assert [event.data for event in events(played, "initiative")] == [
        {"squadron": "ENG-1", "die": 4, "bonus": 2, "penalty": 1, "value": 5},
        {"squadron": "DUT-1", "die": 0, "bonus": 0, "penalty": 0, "value": 7},
    ]


def prize_sea() -> Battle:
    """A prize, two English squadrons and two Dutch ones."""
    return battle(
        ship(id="P", squadron="Red"),
        ship(id="B", squadron="Blue", pos=(5, 0)),
        ship(id="V", side="DUT", squadron="Van", pos=(9, 0)),
        ship(id="H", side="DUT", squadron="Rear", pos=(9, 9)),
    )


@pytest.mark.clause("K.I16")
@pytest.mark.parametrize(
    ("prize_of", "captor", "squadron"),
    [
        ("", "", "Red"),
        ("DUT", "H", "Rear"),
        ("DUT", "V", "Van"),
        ("DUT", "", "Van"),
        ("DUT", "gone", "Van"),
        ("DUT", "B", "Van"),
        ("ENG", "B", "Red"),
    ],
)
def test_a_prize_acts_with_her_captors_squadron_or_the_first_of_its_side(
    prize_of: str, captor: str, squadron: str
) -> None:
    sea = prize_sea()
    sea.ships["P"].prize_of, sea.ships["P"].captor_ship = prize_of, captor
    assert command.squadron_of(sea, sea.ships["P"]).id == squadron


@pytest.mark.clause("K.I10")
def test_a_new_flagship_is_named_whichever_way_the_old_one_was_lost() -> None:
    for state in ({"status": Status.SINKING}, {"prize_of": "DUT"}, {"prize_of": "ENG"}, {"fired": True}):
        flag, heir, last = ship(id="F"), ship(id="A", pos=(1, 0)), ship(id="B", pos=(2, 0))
        sea = battle(flag, heir, last)
        for name, value in state.items():
            setattr(flag, name, value)
        played = play()
        command.name_flagships(sea, played)
        assert [(event.ship, event.data) for event in events(played, "new_flagship")] == [
            ("A", {"squadron": "ENG-1"})
        ]
        assert sea.squadrons["ENG-1"].flag_lost and heir.is_flagship and not flag.is_flagship
    sea = battle(ship(id="F", status=Status.EXPECTED), ship(id="A", pos=(1, 0)))
    command.name_flagships(sea, play())
    assert (sea.squadrons["ENG-1"].flagship, sea.squadrons["ENG-1"].flag_lost) == ("F", False)


@pytest.mark.clause("K.I10")
@pytest.mark.parametrize("state", [{"prize_of": "DUT"}, {"fired": True}, {"status": Status.SINKING}])
def test_prizes_fire_ships_and_wrecks_are_skipped_as_flagships(state: dict[str, object]) -> None:
    sea = battle(ship(id="F"), ship(id="A", guns=90, pos=(1, 0), **state), ship(id="B", pos=(2, 0)))
    sea.remove(sea.ships["F"], Status.GONE)
    command.name_flagships(sea, play())
    assert sea.squadrons["ENG-1"].flagship == "B"


@pytest.mark.clause("K.B4", "K.B5", "K.I14")
@pytest.mark.parametrize(
    ("own", "other", "sum_"),
    [
        ({}, {}, 0),
        ({"handy": True}, {}, 1),
        ({"handy": True, "steps_lost": 2}, {}, -2),
        ({"band": 40}, {}, 1),
        ({"band": 60}, {}, 0),
        ({"group_init": 4}, {}, 1),
        ({}, {"group_init": 4}, 0),
        ({"unhandy": True}, {}, -1),
        ({"steps_lost": 3}, {}, -3),
        ({}, {"steps_lost": 3, "handy": True, "unhandy": True}, 0),
        ({"handy": True, "band": 40, "group_init": 4, "steps_lost": 1}, {}, 2),
        ({"status": Status.SINKING, "handy": True, "band": 40}, {}, 0),
        ({"group_init": 4}, {"status": Status.SINKING}, 0),
        ({"group_init": -4}, {"fired": True}, 1),
        ({"group_init": 4, "fired": True}, {}, 0),
    ],
)
def test_a_ship_adds_its_bonus_to_the_die_in_a_contest(
    own: dict[str, object], other: dict[str, object], sum_: int
) -> None:
    one, foe = ship(**own), ship(id="D1", side="DUT", **other)
    sea = battle(one, foe)
    assert sea.sides["DUT"].wins_ties
    assert modifiers(sea, one, foe) == sum_
    if not own and not other:
        assert has_initiative(sea, foe, one) and not has_initiative(sea, one, foe)


@pytest.mark.clause("K.X4", "K.X1")
@pytest.mark.parametrize(
    ("state", "fired", "refused"),
    [
        ({"is_fireship": True}, True, False),
        ({}, False, True),
        ({"is_fireship": True, "prize_of": "DUT"}, False, True),
        ({"is_fireship": True, "status": Status.SINKING}, False, False),
        ({"is_fireship": True, "fired": True}, False, False),
    ],
)
def test_an_order_to_fire_a_ship_needs_the_sides_own_fire_ship_still_afloat(
    state: dict[str, object], fired: bool, refused: bool
) -> None:
    sea = battle(ship(**state), ship(id="E2", pos=(4, 0), is_fireship=True))
    played = play(orders={"E1": Orders(fire_ship=True), "E2": Orders()})
    turn.declare_fire_ships(sea, played)
    assert [event.ship for event in events(played, "fired_ship")] == (["E1"] if fired else [])
    assert [event.data for event in events(played, "refused")] == (
        [{"token": "X", "code": "no-fire-ship"}] if refused else []
    )
    assert not sea.ships["E2"].fired


@pytest.mark.clause("K.X16", "K.X4")
@pytest.mark.parametrize(
    ("kind", "state", "struck"),
    [
        (LockKind.GRAPPLE, {}, True),
        (LockKind.TANGLE, {}, True),
        (LockKind.FIRE_SHIP, {}, False),
        (LockKind.TANGLE, {"status": Status.SINKING}, False),
        (LockKind.TANGLE, {"fired": True}, False),
    ],
)
def test_a_fire_ship_strikes_at_once_the_ship_she_is_held_to(
    kind: LockKind, state: dict[str, object], struck: bool
) -> None:
    brander, other = ship(is_fireship=True), ship(id="D1", side="DUT", **state)
    sea = battle(brander, other, turn=5)
    sea.hold(kind, brander, other).formed = 3
    played = play(orders={"E1": Orders(fire_ship=True)})
    turn.declare_fire_ships(sea, played)
    assert other.fires == ([5] if struck else [])
    assert [event.data["kind"] for event in events(played, "locked")] == (["fireship"] if struck else [])
    if struck:
        ((held),) = sea.locks
        assert (held.kind, held.a, held.b, held.formed, held.parted_try) == (
            LockKind.FIRE_SHIP, "E1", "D1", 3, 5,
        )  # fmt: skip


@pytest.mark.clause("K.I9")
def test_a_chain_is_followed_once_from_each_ship_in_it() -> None:
    class Looked(dict[Hex, list[Ship]]):
        """The index of a battle that refuses to be asked for ever."""

        looks = 0

        def get(self, cell: Hex, default: Any = None) -> Any:
            self.looks += 1
            assert self.looks <= 5 * 7, "the neighbours of some ship are looked at again and again"
            return super().get(cell, default)

    ships = [ship(id=f"E{n}", pos=(n, 0)) for n in (0, 4, 5, 6, 8)]
    sea = battle(*ships)
    sea.at = Looked(sea.at)
    assert command.in_command(sea, sea.squadrons["ENG-1"]) == ships[:4]
