"""Initiative, the flag's reach, the order of groups, and new flagships."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import command
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship


def led(sea: Battle, played: Play) -> list[tuple[str, int, tuple[str, ...]]]:
    """All of phase 2; the groups as (squadron, value, ships)."""
    command.throw_initiative(sea, played)
    command.settle_command(sea, played)
    command.order_groups(sea, played)
    played.dice.finish()
    return [(group.squadron, group.init, group.ships) for group in sea.groups]


def in_line(count: int, *, side: str = "ENG", squadron: str = "", start: int = 0) -> list[Ship]:
    """Ships side by side along r = start, one hex apart."""
    code = squadron or f"{side}-1"
    return [
        ship(id=f"{code}{n}", side=side, squadron=code, pos=(n, start), is_flagship=n == 0)
        for n in range(count)
    ]


def four_squadrons() -> Battle:
    """Red and Blue against Van and Rear, a ship each."""
    return battle(
        ship(id="R", squadron="Red", pos=(0, 0)),
        ship(id="B", squadron="Blue", pos=(20, 0)),
        ship(id="V", side="DUT", squadron="Van", pos=(0, 20)),
        ship(id="H", side="DUT", squadron="Rear", pos=(20, 20)),
    )


@pytest.mark.clause("K.E24", "K.I8", "K.I9", "K.I11")
def test_a_ship_out_of_reach_of_flag_and_chain_moves_one_lower():
    places = {"F": (0, 0), "A": (4, 0), "B": (5, 0), "C": (7, 0)}
    ships = [ship(id=code, pos=cell) for code, cell in places.items()]
    sea = battle(*ships)
    groups = led(sea, play(4))
    assert [one.in_command for one in ships] == [True, True, True, False]
    assert groups == [("ENG-1", 3, ("C",)), ("ENG-1", 4, ("F", "A", "B"))]
    assert ships[3].group_init == 3


@pytest.mark.clause("K.E25", "K.I1", "K.I5", "K.I6", "K.I7")
def test_groups_act_in_ascending_order_and_the_dutch_win_draws():
    groups = led(four_squadrons(), play(4, 2, 4, 2))
    assert [code for code, *_ in groups] == ["Blue", "Rear", "Red", "Van"]


@pytest.mark.clause("K.E25", "K.I3")
def test_a_squadron_whose_flag_officer_is_hit_acts_one_earlier():
    sea = four_squadrons()
    sea.ships["V"].flag_officer_ok = False
    assert [code for code, *_ in led(sea, play(4, 2, 4, 2))] == ["Blue", "Rear", "Van", "Red"]
    assert sea.squadrons["Van"].init == 3


@pytest.mark.clause("K.I2", "K.I3", "K.I4", "K.I5", "K.I10")
def test_the_bonus_counts_and_the_penalty_is_at_most_one_even_below_zero():
    sea = four_squadrons()
    sea.squadrons["Red"].flag_bonus = 2
    blue = sea.squadrons["Blue"]
    blue.flag_lost, blue.flag_bonus = True, -1
    sea.ships["B"].flag_officer_ok = False
    led(sea, play(4, 1, 3, 3))
    assert (sea.squadrons["Red"].init, blue.init) == (6, -1)


@pytest.mark.clause("K.I1")
def test_points_set_by_the_scenario_are_used_without_a_die():
    sea = four_squadrons()
    sea.options["initiative"] = {"Red": 7}
    led(sea, play(2, 4, 2))
    assert sea.squadrons["Red"].init == 7


@pytest.mark.clause("K.I1")
def test_a_squadron_with_no_one_left_to_act_throws_no_die():
    sea = four_squadrons()
    sea.remove(sea.ships["R"], Status.EXPLODED)
    assert [code for code, *_ in led(sea, play(2, 4, 1))] == ["Rear", "Blue", "Van"]


@pytest.mark.clause("K.I4")
def test_in_thick_weather_a_flagship_too_far_from_all_her_squadron_is_not_seen():
    flagship, other, alone = ship(id="F"), ship(id="A", pos=(4, 0)), ship(id="L", squadron="L", pos=(30, 0))
    sea = battle(flagship, other, alone)
    assert command.flag_penalty(sea, sea.squadrons["ENG-1"]) == 0
    sea.visibility = 3
    assert command.flag_penalty(sea, sea.squadrons["ENG-1"]) == 1
    assert command.flag_penalty(sea, sea.squadrons["L"]) == 0
    sea.visibility = 4
    assert command.flag_penalty(sea, sea.squadrons["ENG-1"]) == 0


@pytest.mark.clause("K.I9", "K.I16")
@pytest.mark.parametrize("broken", ["prize", "sinking", "other squadron"])
def test_the_chain_breaks_at_a_ship_that_passes_no_orders_on(broken: str):
    ships = in_line(7)
    sea = battle(*ships)
    fifth = ships[5]
    if broken == "prize":
        fifth.prize_of = "DUT"
    elif broken == "sinking":
        fifth.status = Status.SINKING
    else:
        sea = battle(*[one for one in ships if one is not fifth], ship(id="X", squadron="X", pos=(5, 0)))
    reached = {one.id for one in command.in_command(sea, sea.squadrons["ENG-1"])}
    assert "ENG-14" in reached and "ENG-16" not in reached


@pytest.mark.clause("K.I8", "K.I12")
def test_the_flagship_is_always_in_command_and_status_holds_for_the_turn():
    ships = in_line(2)
    sea = battle(*ships)
    led(sea, play(3))
    sea.move(ships[1], (9, 0))
    assert ships[0].in_command and ships[1].in_command


@pytest.mark.clause("K.I13")
def test_a_ship_that_has_sailed_out_of_command_is_logged_once():
    ships = in_line(3)
    sea = battle(*ships)
    led(sea, play(3))
    sea.move(ships[2], (9, 0))
    for expected in ([ships[2].id], []):
        played = play(3)
        led(sea, played)
        assert [event.ship for event in events(played, "straggler")] == expected


@pytest.mark.clause("K.I11", "K.I7")
def test_all_ships_out_of_command_of_a_squadron_form_one_group():
    ships = [ship(id=code, pos=(q, 0)) for code, q in (("F", 0), ("A", 9), ("B", 20), ("C", 21))]
    assert led(battle(*ships), play(5)) == [("ENG-1", 4, ("A", "B", "C")), ("ENG-1", 5, ("F",))]


@pytest.mark.clause("K.I16", "K.B25")
def test_a_prize_acts_with_her_captors_squadron_in_its_out_of_command_group():
    sea = four_squadrons()
    prize = sea.ships["R"]
    prize.prize_of, prize.captor_ship = "DUT", "H"
    assert led(sea, play(2, 4, 6)) == [
        ("Blue", 2, ("B",)),
        ("Van", 4, ("V",)),
        ("Rear", 5, ("R",)),
        ("Rear", 6, ("H",)),
    ]
    prize.prize_of, prize.captor_ship = "ENG", "B"
    assert ("Red", 4, ("R",)) in led(sea, play(6, 4, 5, 3))  # 6, less the lost flag, less out of command


@pytest.mark.clause("K.I15")
def test_a_fired_fire_ship_belongs_to_no_group():
    sea = battle(ship(id="F"), ship(id="S", pos=(1, 0), is_fireship=True, fired=True))
    assert led(sea, play(4)) == [("ENG-1", 4, ("F",))]


@pytest.mark.clause("K.I10")
def test_the_strongest_ship_left_becomes_flagship_without_a_flag_officer():
    ships = [
        ship(id="F", guns=80),
        ship(id="P", guns=70, prize_of="DUT", pos=(1, 0)),
        ship(id="A", guns=52, pos=(2, 0)),
        ship(id="B", guns=60, pos=(3, 0)),
        ship(id="C", guns=60, pos=(4, 0)),
    ]
    sea = battle(*ships, ship(id="D", side="DUT", pos=(20, 0)))
    played = play()
    command.name_flagships(sea, played)
    assert sea.squadrons["ENG-1"].flagship == "F" and not events(played, "new_flagship")
    sea.remove(ships[0], Status.EXPLODED)
    command.name_flagships(sea, played)
    squadron = sea.squadrons["ENG-1"]
    assert squadron.flagship == "B" and ships[3].is_flagship and not ships[0].is_flagship
    assert squadron.flag_lost and command.flag_penalty(sea, squadron) == 1


@pytest.mark.clause("K.I10", "K.I4")
def test_when_only_the_flag_officer_is_hit_the_flagship_stays_the_centre():
    ships = in_line(3)
    ships[0].flag_officer_ok = False
    sea = battle(*ships)
    command.name_flagships(sea, play())
    assert sea.squadrons["ENG-1"].flagship == ships[0].id
    assert len(command.in_command(sea, sea.squadrons["ENG-1"])) == 3


@pytest.mark.clause("K.I10")
def test_a_squadron_of_prizes_alone_has_no_flagship_to_follow():
    sea = battle(ship(id="F", prize_of="DUT"), ship(id="D", side="DUT", pos=(1, 0)))
    command.name_flagships(sea, play())
    assert command.in_command(sea, sea.squadrons["ENG-1"]) == []
