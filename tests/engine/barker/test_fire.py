"""The shooting step: who fires when, and shots from the nomination to the effect."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.barker import effects, fire
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Status, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase, Source
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.gunners import Gunner, shoot, shots
from tests.support.answers import unerring


@unerring
def duel(mine: Unit, his: Unit, *faces: int, **over: Any) -> tuple[int, int, str]:
    """Attack total, target total and grade of one shot."""
    made = battle(mine, his, **over)
    ((_, _, attack, defence, result),) = shots(shoot(made, *faces, a=Gunner()))
    return attack, defence, result


# --- worked examples ---


@pytest.mark.clause("P.EX10")
@pytest.mark.clause("P.F24")
@pytest.mark.clause("P.Z06")
def test_battleship_against_battleship() -> None:
    his = unit("B1", (1_000, 0))
    made = battle(unit("A1"), his)
    seen = []
    for faces in ((5, 2), (6, 4), (4, 1), (3, 1)):
        made.spell += 1
        made.tallies.clear()
        table = shoot(made, *faces, a=Gunner())
        seen.append((*shots(table)[0][2:], his.damage, his.crippled, his.status is Status.SUNK))
    assert seen == [
        (8, 6, "lesser", 1, False, False),
        (9, 8, "lesser", 2, False, False),
        (7, 5, "lesser", 0, True, False),
        (6, 3, "greater", 0, True, True),
    ]


@pytest.mark.clause("P.EX11")
@pytest.mark.parametrize(
    ("faces", "wanted"),
    [
        ((5, 2), (8, 4, "greater")),
        ((6, 3), (9, 5, "lesser")),
        ((6, 2), (9, 4, "greater")),
        ((4, 5), (7, 7, "none")),
    ],
)
def test_boundaries(faces: tuple[int, int], wanted: tuple[int, int, str]) -> None:
    assert duel(unit("A1"), unit("B1", (1_000, 0), kind="C2"), *faces) == wanted


@pytest.mark.clause("P.EX13")
@pytest.mark.clause("P.F30")
def test_a_torpedo_attack() -> None:
    first, second, his = (
        unit("A1", (-600, 0), 90, kind="TBD"),
        unit("A2", (-600, 600), 135, kind="TBD"),
        unit("B1"),
    )
    made = battle(first, second, his)
    table = shoot(made, 6, 3, 6, 3, a=Gunner())
    assert shots(table) == [("A1", "B1", 8, 7, "lesser"), ("A2", "B1", 7, 5, "lesser")]
    assert (his.crippled, his.fate) == (True, "torpedo")
    assert first.fired and second.fired
    for faces, wanted in (((6, 1), (6, 5, "lesser")), ((5, 1), (5, 5, "none"))):
        assert duel(unit("A1", (-600, 0), 90, kind="TBD", fired=True), unit("B1"), *faces) == wanted


@pytest.mark.clause("P.EX14")
@pytest.mark.parametrize(
    ("lit", "faces", "wanted"),
    [(False, (4, 3), (6, 4, "lesser")), (True, (4, 3), (7, 4, "lesser")), (True, (6, 3), (9, 4, "greater"))],
)
def test_night_defence(lit: bool, faces: tuple[int, int], wanted: tuple[int, int, str]) -> None:
    made = battle(unit("A1"), unit("A2", (-300, 300)), unit("B1", (600, 0), kind="TBD"), phase=Phase.NIGHT)
    a = Gunner(light={"A2": "B1"} if lit else {})
    table = play(
        made,
        *faces,
        orders={"A2": Orders(targets=dict.fromkeys(("main", "starboard"), ""))},
        captains={"A": a, "B": Gunner(silent=True)},
    )
    fire.shoot(made, table)
    assert [row[2:] for row in shots(table)] == [wanted]


@pytest.mark.clause("P.EX16")
@pytest.mark.parametrize(("faces", "wanted"), [((3, 1), (5, 4, "lesser")), ((6, 1), (8, 4, "greater"))])
def test_a_cruiser_at_a_submarine(faces: tuple[int, int], wanted: tuple[int, int, str]) -> None:
    assert duel(unit("A1", kind="C2"), unit("B1", (500, 0), kind="SUB"), *faces) == wanted


@pytest.mark.clause("P.EX17")
@pytest.mark.parametrize(("faces", "wanted"), [((6, 1), (1, 1, "none")), ((5, 1), (0, 1, "none"))])
def test_low_totals(faces: tuple[int, int], wanted: tuple[int, int, str]) -> None:
    spent = unit("A1", kind="TB", crippled=True, fired=True)
    assert duel(spent, unit("B1", (1_200, 0), kind="SAIL"), *faces) == wanted


@pytest.mark.clause("P.EX24")
@pytest.mark.parametrize(
    ("character", "yards", "kind", "face", "attack"),
    [(1, 1_000, "BB", 5, 9), (1, 1_000, "BB", 4, 7), (1, 600, "TBD", 5, 8), (2, 3_000, "BB", 1, 2)],
)
def test_a_character_changes_the_die(character: int, yards: int, kind: str, face: int, attack: int) -> None:
    made = battle(unit("A1"), unit("B1", (yards, 0), kind=kind))
    made.squadrons["A-1"].character = character
    assert shots(shoot(made, face, 6, a=Gunner()))[0][2] == attack


@pytest.mark.clause("P.EX25")
@pytest.mark.clause("P.L07")
@pytest.mark.clause("P.F33")
def test_a_chivalrous_squadron() -> None:
    made = battle(
        unit("A1", squadron="A-0", group="A-0"), unit("A2", (0, 600)), unit("A3", (900, 300), kind="TBD"),
        unit("B1", (1_500, 300), squadron="X", group="X"), unit("B2", (-1_500, 600)),
    )  # fmt: skip
    made.squadrons["A-1"].character = 6
    made.squadrons["A-1"].flotilla = False
    made.groups["A-1"].kind = "squadron"
    made.units["A1"].y = -60_000
    orders = {"A1": Orders(targets={"main": "B1"}), "A2": Orders(targets={"main": "B2", "other": "B1"})}
    table = shoot(made, 1, 6, 1, 6, 1, 6, a=Gunner(["B1", "B2"], order=["A-0", "A-1"]), orders=orders)
    assert [(one, target, attack) for one, target, attack, _, _ in shots(table)] == [
        ("A1", "B1", 3), ("A2", "B2", 4), ("A3", "B1", 2),
    ]  # fmt: skip


@pytest.mark.clause("P.EX32")
@pytest.mark.clause("P.E06")
def test_a_battery() -> None:
    fort = unit("B1", (0, 3_000), kind="BATTERY", face=18_000)
    made = battle(unit("A1", heading=90), fort)
    (shot,) = shots(shoot(made, 6, 1, b=Gunner()))
    assert shot == ("B1", "A1", 8, 5, "lesser")
    ship = made.units["A1"]
    ship.y = 200_000
    fort.damage = 2
    seen = []
    for faces in ((6, 1), (3, 1), (6, 1)):
        made.spell += 1
        made.tallies.clear()
        seen.append((*shots(shoot(made, *faces, a=Gunner()))[0][2:], fort.damage, fort.crippled, fort.fate))
    assert seen == [
        (9, 6, "lesser", 0, True, ""), (6, 4, "lesser", 1, True, ""), (9, 4, "greater", 1, True, "exploded"),
    ]  # fmt: skip


# --- order ---


@pytest.mark.clause("P.EX28")
@pytest.mark.clause("P.F02")
def test_the_order_of_firing() -> None:
    made = battle(
        *(unit(f"A{n}", (0, 500 * n), squadron=f"S{n}", group=f"S{n}") for n in (1, 2, 3)),
        unit("A9", (1_500, 200), kind="SUB"),
        unit("B1", (1_500, 900), squadron="E1", group="E1"),
        unit("B8", (1_500, 2_200), kind="BATTERY"),
    )
    orders = {code: Orders(targets={"main": "B1"}) for code in ("A1", "A2", "A3")}
    table = shoot(
        made, *[1, 6] * 6, a=Gunner(["B1"], order=["S1", "S2", "S3"]), b=Gunner(["A3"]), orders=orders
    )
    assert [row[0] for row in shots(table)] == ["A9", "B8", "A1", "B1", "A2", "A3"]


@pytest.mark.clause("P.F02")
@pytest.mark.parametrize(("spell", "first"), [(0, "A"), (1, "B")])
def test_the_speller_begins_each_part(spell: int, first: str) -> None:
    boats = [
        unit("A5", (0, 9_000), kind="SUB"),
        unit("B5", (700, 9_000), kind="SUB"),
        unit("A6", (0, 9_600), kind="SUB"),
    ]
    made = battle(unit("A1"), unit("B1", (1_000, 0)), *boats, spell=spell)
    table = shoot(made, *[1, 6] * 5, a=Gunner(["B1", "B5"]), b=Gunner(["A1", "A5"]))
    other = "B" if first == "A" else "A"
    assert [row[0] for row in shots(table)] == [f"{first}5", f"{other}5", "A6", f"{first}1", f"{other}1"]


@pytest.mark.clause("P.F02")
def test_torpedo_craft_fire_after_the_guns_of_their_squadron() -> None:
    made = battle(unit("A2", (900, 600), kind="TBD"), unit("A1"), unit("B1", (1_500, 300)))
    made.squadrons["A-1"].flotilla = False
    made.groups["A-1"].kind = "squadron"
    assert [row[0] for row in shots(shoot(made, 1, 6, 1, 6, a=Gunner()))] == ["A1", "A2"]


@pytest.mark.clause("P.F02")
def test_a_ship_without_a_squadron_fires_as_a_squadron_of_its_own() -> None:
    raiders = unit("A8", (0, 1_200), kind="RAIDER_L"), unit("B8", (3_000, 1_200), kind="RAIDER_L")
    made = battle(unit("A1"), unit("A2", (0, 600)), unit("B1", (3_000, 600)), *raiders)
    table = shoot(made, *[1, 6] * 5, a=Gunner(["B1"]), b=Gunner(["A1"]))
    assert [row[0] for row in shots(table)] == ["A1", "A2", "B1", "A8", "B8"]


@pytest.mark.clause("P.F01")
def test_both_sides_shoot_in_every_spell() -> None:
    for spell in (0, 1):
        made = battle(unit("A1"), unit("B1", (1_000, 0)), spell=spell)
        assert {row[0] for row in shots(shoot(made, 1, 6, 1, 6, a=Gunner(), b=Gunner()))} == {"A1", "B1"}


@pytest.mark.clause("P.C11")
@pytest.mark.clause("P.C03")
@pytest.mark.parametrize(
    ("mode", "combat", "wanted"),
    [(Mode.CRUISING, False, 0), (Mode.CRUISING, True, 1), (Mode.COMBAT, False, 1)],
)
def test_no_one_shoots_when_cruising(mode: Mode, combat: bool, wanted: int) -> None:
    made = battle(unit("A1"), unit("B1", (1_000, 0)), mode=mode)
    table = play(made, *[1, 6] * wanted, captains={"A": Gunner(), "B": Gunner(silent=True)})
    table.combat = combat
    fire.shoot(made, table)
    assert len(shots(table)) == wanted


@pytest.mark.clause("P.F03")
def test_a_ship_sunk_before_its_turn_does_not_fire() -> None:
    made = battle(unit("A1"), unit("B1", (1_000, 0), crippled=True))
    table = shoot(made, 6, 1, a=Gunner(), b=Gunner())
    assert [row[0] for row in shots(table)] == ["A1"]
    assert made.units["B1"].fate == "fire"


@pytest.mark.clause("P.F03")
@pytest.mark.clause("P.U01")
def test_a_boat_forced_under_loses_its_shot() -> None:
    made = battle(unit("A1", (0, 600), kind="SUB"), unit("B1", (500, 600), kind="SUB"))
    table = shoot(made, 4, 1, a=Gunner(), b=Gunner())
    assert [row[0] for row in shots(table)] == ["A1"]
    assert made.units["B1"].submerged


@pytest.mark.clause("P.F04")
def test_no_one_has_to_fire() -> None:
    made = battle(unit("A1"), unit("B1", (1_000, 0)))
    assert shots(shoot(made)) == []
    assert not made.units["A1"].fired


def test_without_captains_nobody_fires_but_by_order() -> None:
    made = battle(unit("A1"), unit("B1", (1_000, 0)))
    table = play(made, 1, 6, orders={"A1": Orders(targets={"main": "B1"})})
    fire.shoot(made, table)
    assert [row[:2] for row in shots(table)] == [("A1", "B1")]


# --- what a shot leaves ---


@pytest.mark.clause("P.F24")
def test_the_battle_log_describes_a_shot() -> None:
    made = battle(unit("A1"), unit("B1", (3_000, 0), kind="C2"))
    table = shoot(made, 5, 1, a=Gunner())
    assert told(table, "shot") == [
        (
            "A1",
            {
                "target": "B1",
                "slot": "main",
                "range": 3_000,
                "band": "long",
                "attack": 7,
                "defence": 3,
                "grade": "greater",
                "hits": 2,
            },
        )
    ]
    assert (made.units["A1"].given, made.units["B1"].taken) == (2, 2)
    assert made.tallies == {"B1": ("A1",)}
    assert made.units["A1"].fired
    keys = [throw.key for throw in table.dice.throws]  # type: ignore[attr-defined]
    assert keys == ["P.F24/0/SHOT_F/A1/B1", "P.F24/0/SHOT_T/B1/A1"]


@pytest.mark.parametrize(("faces", "hits"), [((1, 6), 0), ((6, 4), 1), ((6, 1), 2)])
def test_hits_by_grade(faces: tuple[int, int], hits: int) -> None:
    made = battle(unit("A1"), unit("B1", (1_000, 0), kind="C1"))
    table = shoot(made, *faces, a=Gunner())
    assert told(table, "shot")[0][1]["hits"] == hits
    assert (made.units["A1"].given, made.units["B1"].taken) == (hits, hits)


@pytest.mark.clause("P.F33")
def test_the_second_firer_is_not_first_and_a_third_no_worse() -> None:
    made = battle(unit("A1"), unit("A2", (0, 600)), unit("A3", (0, -600)), unit("B1", (1_500, 0)))
    assert [row[2] for row in shots(shoot(made, *[1, 6] * 3, a=Gunner()))] == [4, 3, 3]


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize(
    ("surprised", "alarmed", "spells", "anchored", "phase", "fires"),
    [
        (("A",), -1, 90, True, Phase.NIGHT, False),
        (("A",), 3, 9, True, Phase.NIGHT, False),
        (("A",), 3, 10, True, Phase.NIGHT, True),
        (("A",), -1, 2, False, Phase.NIGHT, True),
        (("A",), -1, 2, True, Phase.DUSK, True),
        ((), -1, 2, True, Phase.NIGHT, True),
        (("B",), -1, 2, True, Phase.NIGHT, True),
    ],
)
def test_ships_surprised_at_anchor_in_the_dark_do_not_fire_for_six_spells_after_the_alarm(
    surprised: tuple[str, ...], alarmed: int, spells: int, anchored: bool, phase: Phase, fires: bool
) -> None:
    made = battle(
        unit("A1", anchored=anchored, stopped=anchored),
        unit("A2", (0, -600), kind="BATTERY"),
        unit("B1", (600, 0), kind="TBD"),
        phase=phase,
        surprised=surprised,
    )
    made.parties["A"].spells, made.parties["A"].alarmed = spells, alarmed
    lit = Gunner(light={"A1": "B1"})
    table = play(made, *((1, 6) * 6), captains={"A": lit, "B": Gunner(silent=True)})
    fire.shoot(made, table)
    assert bool(shots(table)) is fires
    assert bool(made.units["A1"].light) is (fires and phase is Phase.NIGHT)


@pytest.mark.clause("P.K38")
def test_the_first_shot_is_the_alarm_and_a_later_one_is_none() -> None:
    made = battle(unit("A1"), unit("B1", (2_000, 0)))
    made.parties["A"].spells, made.parties["B"].spells = 4, 3
    assert [party.alarmed for party in made.parties.values()] == [-1, -1]
    shoot(made, 1, 6, a=Gunner())
    assert [party.alarmed for party in made.parties.values()] == [4, 3]
    made.parties["A"].spells = 5
    shoot(made, 1, 6, a=Gunner())
    assert [party.alarmed for party in made.parties.values()] == [4, 3]


@pytest.mark.clause("P.K38")
@pytest.mark.parametrize("blow", ["damage_step", "cripple", "sink"])
def test_a_ship_that_is_hit_by_anything_is_the_alarm(blow: str) -> None:
    made = battle(unit("A1"), unit("B1", (2_000, 0)))
    made.parties["A"].spells = 2
    table = play(made)
    if blow == "sink":
        effects.sink(made, table, made.units["A1"], "mine", "")
    else:
        getattr(effects, blow)(made, table, made.units["A1"], Source.MINE, "")
    assert made.parties["A"].alarmed == 2
