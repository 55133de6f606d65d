"""What a ship can still do, masts and anchors, boarding, parting and prizes, with every die given. Rules: A.M5, A.T, A.R, A.B, A.G36."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import boarding, hazards, leaving, turn
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Line, Ship, Status
from tests.engine.age_of_sail.builders import E, battle, kinds, play, ship


class Mate:
    """A captain who answers every question alike."""

    name = "mate"

    def __init__(self, answer: bool = True, fight: str = "") -> None:
        self.answer, self.fight = answer, fight

    def parts(self, view: object, one: Ship, other: Ship) -> bool:
        return self.answer

    def repairs(self, view: object, one: Ship) -> bool:
        return self.answer

    def weighs(self, view: object, one: Ship) -> bool:
        return self.answer

    def fights_on(self, view: object, one: Ship, foes: list[Ship]) -> str:
        return self.fight

    def shots(self, view: object, one: Ship, path: object) -> list[Any]:
        return []


def table(
    made: Battle, faces: list[int], orders: dict[str, str] | None = None, *mates: tuple[str, Mate]
) -> Play:
    at = play(made, faces, orders)
    at.captains = dict(mates)
    return at


def finished(at: Play) -> list[str]:
    """Every face is used up; what happened."""
    at.dice.finish()  # type: ignore[attr-defined]
    return kinds(at.log.take())  # type: ignore[union-attr]


@pytest.mark.clause("A.M5", "A.M15", "A.G36", "A.C1", "A.C2")
def test_the_mast_total_counts_what_stands_and_a_jury_mast_for_half() -> None:
    for rig, line, light, up in (
        ([2, 2, 2], 6, 8, 3), ([2, -2, 2], 4, 4, 2), ([-2, 2, 2], 4, 6, 2), ([2, 1, 2], 5, 6, 3), ([1, 1, 1], 3, 4, 3),
        ([-2, -1, 1], 1, 1, 1), ([-2, -2, -2], 0, 0, 0),
    ):  # fmt: skip
        assert (ship(rig=rig).power, ship(rig=rig).standing) == (line, up)
        assert ship(cls="light", rig=rig).power == light


@pytest.mark.clause("A.F1", "A.F4", "A.F12", "A.F13", "A.B3", "A.B8", "A.B14", "A.R4", "A.B6")
@pytest.mark.parametrize(
    ("over", "port", "starboard", "strength"),
    [
        ({}, 3, 2, 5), ({"fired_port": True}, 0, 2, 5), ({"fired_stbd": True}, 3, 0, 5), ({"repairing": True}, 0, 0, 5),
        ({"boarded": True}, 0, 0, 5), ({"captor": "D1"}, 0, 0, 0), ({"manned": 0}, 0, 0, 0),
        ({"captor": "D1", "manned": 1}, 1, 1, 1), ({"captor": "D1", "manned": 4}, 3, 2, 4), ({"manned": 9}, 3, 2, 5),
        ({"manned": 4, "crew_fired": 3}, 1, 1, 4), ({"status": Status.SUNK}, 0, 0, 5), ({"entangled": ["D1"]}, 3, 2, 5),
    ],
)  # fmt: skip
def test_the_dice_of_a_volley_and_of_a_boarding(
    over: dict[str, Any], port: int, starboard: int, strength: int
) -> None:
    one = ship(port=3, stbd=2, **over)
    assert (one.volley("port"), one.volley("starboard"), one.strength, one.all_decks) == (
        port,
        starboard,
        strength,
        5,
    )


@pytest.mark.clause("A.B8", "A.B13", "A.M17", "A.V1", "A.T3", "A.T5", "A.B10")
@pytest.mark.parametrize(
    ("over", "acts", "held", "fast", "able"),
    [
        ({}, True, False, False, True), ({"captor": "D1"}, False, True, False, False),
        ({"captor": "D1", "manned": 0}, True, False, False, True), ({"manned": 0}, True, False, False, True),
        ({"status": Status.WITHDRAWN}, False, False, False, False), ({"status": Status.EXPECTED}, False, False, False, False),
        ({"entangled": ["D1"]}, True, False, True, False), ({"aground": True}, True, False, True, False),
        ({"anchor": Anchor.DOWN}, True, False, True, False), ({"anchor": Anchor.WEIGHING}, True, False, True, False),
        ({"rig": [-2, -2, -2]}, True, False, False, False), ({"rig": [-2, -2, 1]}, True, False, False, True),
    ],
)  # fmt: skip
def test_who_acts_is_held_lies_fast_or_can_move(
    over: dict[str, Any], acts: bool, held: bool, fast: bool, able: bool
) -> None:
    one = ship(**over)
    made = battle(one, ship("D1", 9))
    assert (one.acts, one.held, one.fast, made.able(one)) == (acts, held, fast, able)
    assert (one in made.of("E"), one in made.enemies("D")) == (acts, acts)
    assert one not in made.of("D") and one not in made.enemies("E")
    assert (one in [*made.in_play()]) is one.afloat is (one.status is Status.AFLOAT)
    assert one.expected is (one.status is Status.EXPECTED)


@pytest.mark.clause("A.D11")
def test_a_ship_is_sinkable_when_the_last_box_of_decks_and_hull_is_gone() -> None:
    for port, stbd, units in product((0, 1), repeat=3):
        assert ship(port=port, stbd=stbd, units=units).sinkable is (port + stbd + units == 0)


@pytest.mark.clause("A.V3", "A.V4", "A.G36")
@pytest.mark.parametrize(
    ("over", "lost", "damage"),
    [
        ({}, 0, 0), ({"port": 1}, 2, 2), ({"stbd": 0}, 3, 3), ({"units": 1}, 2, 2), ({"rig": [2, -2, -2]}, 2, 2),
        ({"port": 2, "gone_port": 1}, 0, 0), ({"stbd": 1, "gone_stbd": 1}, 1, 1), ({"start": (3, 3, 3, 2)}, 0, 0),
        ({"port": 1, "status": Status.SUNK}, 2, 12), ({"status": Status.EXPLODED}, 0, 12), ({"status": Status.BURNT}, 0, 12),
        ({"status": Status.ABANDONED}, 0, 12), ({"port": 1, "status": Status.WITHDRAWN}, 2, 2), ({"owner": "D"}, 0, 12),
        ({"owner": "D", "start": (1, 2, 3, 1), "port": 1, "stbd": 2, "rig": [2, -2, -2]}, 0, 7),
    ],
)  # fmt: skip
def test_the_boxes_lost_and_what_they_count_for_the_enemy(
    over: dict[str, Any], lost: int, damage: int
) -> None:
    one = ship(**over)
    assert (one.boxes_lost, one.damage) == (lost, damage)


@pytest.mark.clause("A.P1", "A.P8", "A.M18", "A.M20")
def test_the_battle_knows_its_sides_its_lines_and_who_lies_near() -> None:
    made = battle(
        ship("E1", 0, 0),
        ship("E2", 3, 4),
        ship("D1", -3, -4),
        ship("D2", 26, 0),
        first="D",
        line=["E1", "E2"],
    )
    assert (made.enemy("E"), made.enemy("D"), made.second) == ("D", "E", "E")
    (row,) = made.lines
    assert (made.lines_of("E"), made.lines_of("D")) == ([row], [])
    assert made.line_of(made.ships["E2"]) is row and made.line_of(made.ships["D1"]) is None
    assert [one.id for one in made.near((0, 0), 5_000)] == ["E1", "E2", "D1"]
    assert [one.id for one in made.near((0, 0), 4_999)] == ["E1"]
    for spot in (
        (25_000, 100, 3),
        (26_000, 23_000, 4),
        (-1, -1, 5),
        (-25_000, 23_999, 6),
        (-25_000, 24_000, 6),
    ):
        made.put(made.ships["E1"], spot)
        assert (made.ships["E1"].x, made.ships["E1"].y, made.ships["E1"].h) == spot
        assert made.ships["E1"] in made.near(spot[:2], 0)
        assert made.ships["E1"] not in made.near((spot[0] + 1, spot[1]), 0)
    row = Line("D-1", ["D2", "D1"], [], [-1, -1])
    made.lines.append(row)
    assert made.lines_of("D") == [row]


@pytest.mark.clause("A.T7", "A.S6")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_six_and_nothing_less_refloats_a_ship_of_the_active_side(face: int) -> None:
    made = battle(ship("E1", aground=True), ship("E2", 5), ship("D1", 9, aground=True))
    at = table(made, [face])
    hazards.refloat(made, at)
    assert finished(at) == (["refloated"] if face == 6 else [])
    assert (made.ships["E1"].aground, made.ships["D1"].aground) == (face < 6, True)


@pytest.mark.clause("A.D12", "A.W8", "A.D11", "A.T10", "A.S7")
@pytest.mark.parametrize("face", range(1, 7))
def test_one_or_two_in_a_sea_of_six_or_more_sinks_a_wreck(face: int) -> None:
    wreck: dict[str, Any] = {"port": 0, "stbd": 0, "units": 0}
    for wind, over, thrown in (
        (5, {}, 0), (6, {}, 1), (7, {}, 1), (6, {"units": 1}, 0), (6, {"aground": True}, 0), (6, {"anchor": Anchor.DOWN}, 1),
        (6, {"entangled": ["D1"]}, 1), (6, {"captor": "D1"}, 1), (6, {"owner": "D"}, 0), (6, {"status": Status.SUNK}, 0),
    ):  # fmt: skip
        made = battle(ship("E1", **{**wreck, **over}), ship("E2", 20), ship("D1", 40, **wreck), wind=wind)
        if over.get("entangled"):
            leaving.tie(made.ships["E1"], made.ships["D1"])
        at = table(made, [face] * thrown)
        hazards.high_seas(made, at)
        assert finished(at) == (["gone"] if thrown and face <= 2 else []), (wind, over)
        assert made.ships["D1"].afloat and not made.ships["D1"].entangled or over.get("entangled")


@pytest.mark.clause("A.T2", "A.Q9", "A.S6")
def test_an_anchor_comes_up_by_order_or_else_as_the_captain_likes_and_not_before_the_next_turn() -> None:
    yes, no = Mate(), Mate(False)
    for came, given, mate, after in (
        (3, "", None, "down"), (3, "| weigh:yes", None, "weighing"), (4, "| weigh:yes", None, "down"), (3, "", yes, "weighing"),
        (3, "", no, "down"), (3, "| weigh:no", yes, "down"), (3, "| weigh:yes", no, "weighing"), (4, "", yes, "down"),
    ):  # fmt: skip
        made = battle(ship("E1", anchor=Anchor.DOWN, came=came), ship("D1", 9, anchor=Anchor.DOWN))
        made.turn = 4
        at = table(made, [], {"E1": given} if given else None, *([("E", mate)] if mate else []))
        hazards.weigh(made, at)
        assert (made.ships["E1"].anchor, made.ships["D1"].anchor) == (after, Anchor.DOWN), (came, given)
        assert finished(at) == (["weighs"] if after == "weighing" else [])
        hazards.weigh(made, table(made, []))
        assert made.ships["E1"].anchor is (Anchor.UP if after == "weighing" else Anchor.DOWN)


@pytest.mark.clause("A.R1", "A.R2", "A.R3", "A.R6", "A.G36", "A.S8")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_six_and_nothing_less_raises_the_mast(face: int) -> None:
    made = battle(ship("E1", rig=[-2, -1, 2]), ship("D1", 9, rig=[-2, 2, 2]))
    at = table(made, [face], {"E1": "| repair:main", "D1": "| repair:fore"})
    hazards.repair(made, at)
    assert finished(at) == ["repair"]
    assert made.ships["E1"].rig == [-2, 1 if face == 6 else -1, 2]
    assert made.ships["E1"].repairing and not made.ships["D1"].repairing


@pytest.mark.clause("A.R1", "A.R3", "A.Q7")
def test_the_mast_to_raise_is_as_ordered_and_else_the_best_that_lies() -> None:
    for cls, rig, given, answer, raised in (
        ("light", [-2, -2, -2], "", True, 1), ("light", [-2, 2, -2], "", True, 0), ("light", [2, 2, -2], "", True, 2),
        ("line", [-2, -2, -2], "", True, 1), ("line", [-2, 2, -2], "", True, 0), ("line", [2, 2, 2], "", True, None),
        ("line", [-2, -2, -2], "", False, None), ("line", [-2, -2, -2], "| repair:mizzen", False, 2),
        ("line", [-2, -2, -2], "| repair:-", True, None), ("line", [-2, -2, 2], "| repair:mizzen", True, None),
    ):  # fmt: skip
        made = battle(ship("E1", cls=cls, rig=[*rig]), ship("D1", 9))
        at = table(
            made, [6] if raised is not None else [], {"E1": given} if given else None, ("E", Mate(answer))
        )
        hazards.repair(made, at)
        finished(at)
        up = [n for n, state in enumerate(rig) if state > 0] + ([raised] if raised is not None else [])
        assert [n for n, state in enumerate(made.ships["E1"].rig) if state > 0] == sorted(up), (
            cls,
            rig,
            given,
        )


@pytest.mark.clause("A.B11", "A.S5", "A.P8")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_six_and_nothing_less_parts_a_pair(face: int) -> None:
    made = battle(ship("E1", entangled=["D1"]), ship("D1", 0.5, entangled=["E1"]))
    at = table(made, [face], {"E1": "| part:D1"})
    boarding.separate(made, at)
    assert finished(at) == (["parted"] if face == 6 else ["held_fast"])
    assert (made.ships["E1"].entangled, made.ships["D1"].parted) == (
        ([], ["E1"]) if face == 6 else (["D1"], [])
    )
    assert made.ships["E1"].parted == made.ships["D1"].parted[:0] + (["D1"] if face == 6 else [])


@pytest.mark.clause("A.B11", "A.B13", "A.B15", "A.P8", "A.Q6")
def test_the_active_player_throws_once_for_each_pair_that_he_wants_apart() -> None:
    def tied(*pairs: tuple[str, str], **over: Any) -> Battle:
        rows = [ship(code, n / 2, **over.get(code, {})) for n, code in enumerate(("E1", "E2", "D1", "D2"))]
        made = battle(*rows)
        for one, two in pairs:
            leaving.tie(made.ships[one], made.ships[two])
        return made

    prize = {"D1": {"owner": "E", "captor": "E1", "former": "D"}}
    theirs = {"E1": {"owner": "D", "captor": "D1", "former": "E"}}
    for made, given, mates, keys in (
        (tied(("E1", "D1"), ("E1", "E2"), ("E2", "D2")), {}, [("E", Mate())], ["E1/E2", "E1/D1", "E2/D2"]),
        (tied(("E1", "D1")), {}, [("E", Mate(False))], []), (tied(("E1", "D1")), {}, [], []),
        (tied(("D1", "D2")), {"D1": "| part:D2"}, [("E", Mate())], []),
        (tied(("E1", "D1")), {"D1": "| part:E1"}, [], []), (tied(("E1", "D1"), **prize), {"E1": "| part:D1"}, [], ["E1/D1"]),
        (tied(("E1", "D1"), **prize), {"E1": "| part:D1 crew:0"}, [], []), (tied(("E1", "D1"), **theirs), {}, [("E", Mate())], []),
        (tied(("E1", "E2")), {"E2": "| part:E1"}, [], []), (tied(("E1", "E2")), {"E1": "| part:E2"}, [], ["E1/E2"]),
        (tied(("E1", "D1"), ("E1", "D2")), {"E1": "| part:D2"}, [], ["E1/D2"]),
        (tied(("E1", "D1")), {"E1": "| part:-"}, [("E", Mate())], []),
        # of a prize and her own friend the friend speaks, for the prize has nobody to heave
        (tied(("E2", "D1"), **prize), {"E2": "| part:D1"}, [], ["E2/D1"]),
        (tied(("E2", "E1"), E1={"captor": "D1"}), {"E2": "| part:E1"}, [], ["E1/E2"]),
    ):  # fmt: skip
        at = table(made, [1] * len(keys), given, *mates)
        boarding.separate(made, at)
        finished(at)
        thrown = [throw.key.split("/")[-2:] for throw in at.dice.throws]  # type: ignore[attr-defined]
        assert ["/".join(row) for row in thrown] == keys, (given, keys)


@pytest.mark.clause("A.B13", "A.B14", "A.B15")
@pytest.mark.parametrize(
    ("port", "stbd", "crew", "left", "sent"),
    [
        (3, 3, 1, (2, 3), (1, 0)), (2, 3, 1, (2, 2), (0, 1)), (3, 3, 2, (2, 2), (1, 1)), (3, 1, 3, (0, 1), (3, 0)),
        (0, 1, 1, (0, 0), (0, 1)), (1, 1, 5, (0, 0), (1, 1)),
    ],
)  # fmt: skip
def test_a_prize_crew_comes_from_the_fuller_side_and_of_equals_from_port(
    port: int, stbd: int, crew: int, left: tuple[int, int], sent: tuple[int, int]
) -> None:
    captor, prize = (
        ship("E1", port=port, stbd=stbd),
        ship("D1", 9, owner="E", captor="E1", former="D", crew_fired=2),
    )
    made = battle(captor, prize, ship("D2", 50))
    boarding.man(made, play(made), captor, prize, crew)
    assert (captor.port, captor.stbd) == left
    assert (captor.sent_port, captor.sent_stbd) == (captor.gone_port, captor.gone_stbd) == sent
    assert (prize.manned, prize.crew_fired) == (sum(sent), 0)
    assert captor.boxes_lost == 6 - port - stbd, "decks that went off with a prize are not lost"


@pytest.mark.clause("A.B13", "A.B11")
def test_only_her_captor_mans_a_prize_and_with_as_many_decks_as_ordered() -> None:
    for given, manned in (({}, 1), ({"E1": "| crew:3"}, 3)):
        captor = ship("E1", entangled=["D1"])
        prize = ship("D1", 0.5, owner="E", captor="E1", former="D", entangled=["E1", "E2"])
        made = battle(captor, ship("E2", 1, entangled=["D1"]), prize)
        at = table(made, [6, 6], given, ("E", Mate()))
        boarding.separate(made, at)
        assert (prize.manned, captor.all_decks, made.ships["E2"].all_decks) == (manned, 6 - manned, 6)
        assert finished(at) == ["parted", "manned", "parted"]


@pytest.mark.clause("A.B3", "A.B4", "A.B5", "A.B8", "A.P8")
@pytest.mark.parametrize(
    ("own", "foe", "taken"), [([5], [4], "D1"), ([4], [4], ""), ([3], [4], "E1"), ([1], [], "D1"), ([], [1], "E1"), ([], [], "")]
)  # fmt: skip
def test_the_higher_total_takes_the_other(own: list[int], foe: list[int], taken: str) -> None:
    made = battle(ship("E1", port=0, stbd=len(own)), ship("D1", 0.5, port=len(foe), stbd=0, withdrawing=True))
    at = table(made, own + foe)
    boarding.fight(made, at, made.ships["E1"], made.ships["D1"], 1)
    assert finished(at) == (["fight", "captured"] if taken else ["fight"])
    assert [code for code, one in made.ships.items() if one.captor] == ([taken] if taken else [])
    assert (made.ships["E1"].boarded, made.ships["D1"].boarded, made.stirred) == (True, False, True)
    assert made.ships["D1"].withdrawing is (taken != "D1") and at.fought == {"E1"}


@pytest.mark.clause("A.B1", "A.B3", "A.B7", "A.B16", "A.L6")
def test_contact_ties_all_that_are_met_and_the_mover_fights_the_nearest_enemy() -> None:
    for over, met, faces, events in (
        ({}, ["D2", "D1"], [1] * 12, ["entangled", "entangled", "fight"]),
        ({}, ["E2", "D1"], [1] * 12, ["entangled", "entangled", "fight"]),
        ({}, ["E2"], [], ["entangled"]), ({"repairing": True}, ["D1"], [], ["entangled"]),
    ):  # fmt: skip
        made = battle(
            ship("E1", **over),
            ship("E2", 9),
            ship("E3", 14),
            ship("D1", 0.5),
            ship("D2", 0, 0.5),
            line=["E2", "E3"],
        )
        at = table(made, faces)
        boarding.contact(made, at, made.ships["E1"], [made.ships[code] for code in met])
        assert finished(at) == events
        assert made.ships["E1"].entangled == sorted(met) and made.stirred
        assert [row.ships for row in made.lines] == ([] if "E2" in met else [["E2", "E3"]])
        if faces:
            first = next(code for code in met if code[0] == "D")
            assert {throw.key.split("/")[-2] for throw in at.dice.throws} == {first}  # type: ignore[attr-defined]


@pytest.mark.clause("A.B18", "A.D13", "A.B15")
def test_a_lost_captor_frees_whom_she_held_and_unmanned_prizes_go_back() -> None:
    held, manned = (
        {"owner": "E", "former": "D", "captor": "E1"},
        {"owner": "E", "former": "D", "captor": "E1", "manned": 1},
    )
    made = battle(
        ship("E1", entangled=["D1", "E2"]), ship("E2", 1, entangled=["D2", "E1"], aground=True), ship("D1", 0.5, entangled=["E1"], **held),
        ship("D2", 2, entangled=["E2"], **manned), ship("D3", 3, **{**held, "captor": "E2"}), ship("D4", 4, status=Status.SUNK, **held),
    )  # fmt: skip
    at = table(made, [])
    leaving.leave(made, at, made.ships["E1"], Status.WITHDRAWN, "A.M20", 5)
    assert finished(at) == ["gone", "reverts"]
    gone = made.ships["E1"]
    assert (gone.status, gone.bearing, gone.entangled) == (Status.WITHDRAWN, 5, [])
    assert (made.ships["D1"].owner, made.ships["D1"].captor, made.ships["D1"].former) == ("D", "", "")
    assert [made.ships[code].owner for code in ("D2", "D3", "D4")] == ["E"] * 3
    assert made.ships["E2"].entangled == ["D2"] and not made.ships["D1"].entangled
    assert gone not in made.near((0, 0), 50_000)


@pytest.mark.clause("A.B9", "A.B6", "A.B7", "A.S10")
@pytest.mark.parametrize(
    ("over", "given", "fight", "fights"),
    [
        ({}, "| board:D1", "", True), ({}, "| board:-", "D1", False), ({}, "", "D1", True), ({}, "", "", False),
        ({}, "| board:D2", "", False), ({"repairing": True}, "| board:D1", "", False), ({"fired_port": True}, "| board:D1", "", False),
        ({"fired_stbd": True}, "| board:D1", "", False), ({"captor": "D2"}, "| board:D1", "", False),
    ],
)  # fmt: skip
def test_an_entangled_ship_fights_again_instead_of_firing_when_she_may(
    over: dict[str, Any], given: str, fight: str, fights: bool
) -> None:
    own = ship("E1", 0, 0, E, port=1, stbd=0, entangled=["D1"], **over)
    made = battle(own, ship("D1", 0.5, port=1, stbd=0, entangled=["E1"]), ship("D2", 9))
    at = table(made, [3, 3] if fights else [], {"E1": given} if given else None, ("E", Mate(fight=fight)))
    turn.combat(made, at)
    assert ("fight" in finished(at)) is fights
    made.ships["E1"].boarded = False
    at.fought.add("E1")
    turn.combat(made, at)
    assert "fight" not in kinds(at.log.take()), "one fight in a turn"  # type: ignore[union-attr]
