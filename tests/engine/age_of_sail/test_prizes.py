"""Contact, boarding, parting and prizes, with every die given. Rules: A.B1-A.B18."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import boarding, leaving, turn
from battles.engine.rulesets.age_of_sail.state import Battle, Status
from tests.engine.age_of_sail.builders import E, Mate, battle, finished, kinds, play, ship, table


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
        (tied(("D1", "D2")), {"D2": "| part:D1"}, [], []),
        (tied(("E1", "D1")), {"D1": "| part:E1"}, [], []), (tied(("E1", "D1"), **prize), {"E1": "| part:D1"}, [], ["E1/D1"]),
        (tied(("E1", "D1"), **prize), {"E1": "| part:D1 crew:0"}, [], []), (tied(("E1", "D1"), **theirs), {}, [("E", Mate())], []),
        (tied(("E1", "E2")), {"E2": "| part:E1"}, [], []), (tied(("E1", "E2")), {"E1": "| part:E2"}, [], ["E1/E2"]),
        (tied(("E1", "D1"), ("E1", "D2")), {"E1": "| part:D2"}, [], ["E1/D2"]),
        (tied(("E1", "D1")), {"E1": "| part:-"}, [("E", Mate())], []),
        # of a prize and her own friend the friend speaks, for the prize has nobody to heave
        (tied(("E2", "D1"), **prize), {"E2": "| part:D1"}, [], ["E2/D1"]),
        (tied(("E1", "D1"), E1={"captor": "E2"}), {"E1": "| part:D1"}, [], ["E1/D1"]),
        (
            tied(("D1", "D2"), D1=prize["D1"], D2={**prize["D1"], "captor": "E2"}), {"D1": "| part:D2"}, [], ["D1/D2"],
        ),
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


@pytest.mark.clause("A.B13", "A.B14")
@pytest.mark.parametrize("first", ["E1", "D1"])
def test_a_prize_that_has_her_crew_is_not_manned_again(first: str) -> None:
    own = (
        ship("E1", entangled=["D1"]),
        ship("D1", 0.5, owner="E", captor="E1", manned=2, former="D", entangled=["E1"]),
    )
    made = battle(*(own if first == "E1" else own[::-1]), ship("D2", 50))
    at = table(made, [6], {first: "| part:D1 part:E1 crew:3"})
    boarding.separate(made, at)
    assert finished(at) == ["parted"]
    assert (made.ships["D1"].manned, made.ships["E1"].all_decks) == (2, 6)


@pytest.mark.clause("A.B13", "A.B11")
def test_a_friend_that_parts_from_a_prize_of_another_mans_nothing() -> None:
    prize = ship("E1", owner="D", captor="D1", former="E", entangled=["D2"])
    made = battle(prize, ship("D1", 20), ship("D2", 0.5, entangled=["E1"]))
    made.active = "D"
    at = table(made, [6], {"D2": "| part:E1"})
    boarding.separate(made, at)
    assert finished(at) == ["parted"]
    assert (prize.manned, made.ships["D1"].all_decks, made.ships["D2"].all_decks) == (None, 6, 6)


@pytest.mark.clause("A.B13", "A.B11", "A.P8")
def test_a_prize_that_is_listed_before_her_captor_is_manned_alike() -> None:
    prize = ship("E1", owner="D", captor="D1", former="E", entangled=["D1"])
    made = battle(prize, ship("D1", 0.5, entangled=["E1"]), ship("D2", 1))
    made.active = "D"
    at = table(made, [6], {"D1": "| part:E1 crew:2"})
    boarding.separate(made, at)
    assert finished(at) == ["parted", "manned"]
    assert (prize.manned, made.ships["D1"].all_decks) == (2, 4)


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
@pytest.mark.parametrize(
    ("over", "met", "faces", "events"),
    [
        ({}, ["D2", "D1"], [1] * 12, ["entangled", "entangled", "fight"]),
        ({}, ["E2", "D1"], [1] * 12, ["entangled", "entangled", "fight"]),
        ({}, ["E2"], [], ["entangled"]), ({"repairing": True}, ["D1"], [], ["entangled"]), ({"captor": "D1"}, ["D2"], [], ["entangled"]),
    ],
)  # fmt: skip
def test_contact_ties_all_that_are_met_and_the_mover_fights_the_nearest_enemy(
    over: dict[str, Any], met: list[str], faces: list[int], events: list[str]
) -> None:
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
