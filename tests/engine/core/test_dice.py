"""Dice: faces from seed and key, no key twice, nothing silent."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from battles.engine.core.dice import (
    AVERAGE_FACES,
    DiceError,
    Die,
    FastDice,
    KeyedDice,
    ScriptedDice,
    keyed_faces,
)
from battles.engine.core.log import DIE, Log

SEED = bytes(range(32))


def reckoned(seed: bytes, key: str, sides: int, count: int) -> list[int]:
    """The rule of G.FA1 done the slow way: one long string of bytes first, then the bytes that serve."""
    stream = b"".join(
        hashlib.sha256(b"\x00".join([seed, key.encode("utf-8"), b"%d" % block])).digest()
        for block in range(40)
    )
    usable = {6: 252, 8: 256, 100: 200}[sides]
    return [b % sides + 1 for b in stream if b < usable][:count]


@pytest.mark.clause("G.FA1")
@pytest.mark.parametrize(("die", "sides"), [(Die.D6, 6), (Die.D8, 8), (Die.D100, 100)])
@pytest.mark.parametrize("count", [1, 2, 31, 32, 33, 200])
def test_each_die_comes_from_the_secret_and_the_name_of_its_throw(die: Die, sides: int, count: int) -> None:
    for key in ("C/3/B1/K.F8/12/E07/port", "x", "Ünion/1"):
        assert list(keyed_faces(SEED, key, die, count)) == reckoned(SEED, key, sides, count)


@pytest.mark.clause("G.FA1")
def test_an_average_die_is_a_six_sided_die_with_other_faces() -> None:
    plain = keyed_faces(SEED, "key", Die.D6, 60)
    assert keyed_faces(SEED, "key", Die.AVERAGE, 60) == tuple((2, 3, 3, 4, 4, 5)[face - 1] for face in plain)


@pytest.mark.clause("G.FA1")
def test_bytes_past_the_limit_are_skipped_and_not_wrapped() -> None:
    for n in range(2000):
        digest = hashlib.sha256(SEED + b"\0" + f"k{n}".encode() + b"\x000").digest()
        if digest[0] >= 252:
            assert keyed_faces(SEED, f"k{n}", Die.D6, 1) == (digest[1] % 6 + 1,)
            return
    pytest.fail("no digest with a first byte of 252 or more among 2000")


@pytest.mark.clause("G.FA1")
def test_no_other_throw_changes_the_faces_of_a_throw() -> None:
    alone = KeyedDice(SEED, prefix="C/3/B1").d6(clause="K.F8", subjects=(12, "E07", "port"))
    after = KeyedDice(SEED, prefix="C/3/B1")
    after.throw(Die.AVERAGE, 7, clause="K.B3", subjects=(12, "E07"))
    assert after.d6(clause="K.F8", subjects=(12, "E07", "port")) == alone
    assert alone == keyed_faces(SEED, "C/3/B1/K.F8/12/E07/port", Die.D6, 1)[0]


@pytest.mark.clause("G.FA1")
def test_the_same_throw_is_never_made_twice() -> None:
    dice = KeyedDice(SEED, prefix="B1")
    dice.d6(clause="K.F8", subjects=(1, "E07", "port"))
    with pytest.raises(DiceError, match=r"B1/K\.F8/1/E07/port"):
        dice.d6(clause="K.F8", subjects=(1, "E07", "port"))
    dice.d6(clause="K.F8", subjects=(1, "E07", "starboard"))


def every_die(dice: KeyedDice | FastDice) -> dict[Die, Counter[int]]:
    faces: dict[Die, Counter[int]] = {die: Counter() for die in Die}
    for n in range(6000):
        for die in Die:
            faces[die].update(dice.throw(die, 1, clause="T", subjects=(n, die.value)))
    return faces


@pytest.mark.clause("G.FA1")
@pytest.mark.parametrize("dice", [KeyedDice(SEED), FastDice(4)], ids=["keyed", "fast"])
def test_every_face_comes_up_as_often_as_it_should(dice: KeyedDice | FastDice) -> None:
    shares = {
        Die.D6: dict.fromkeys(range(1, 7), 1 / 6),
        Die.D8: dict.fromkeys(range(1, 9), 1 / 8),
        Die.D100: dict.fromkeys(range(1, 101), 1 / 100),
        Die.AVERAGE: {face: AVERAGE_FACES.count(face) / 6 for face in AVERAGE_FACES},
    }
    for die, thrown in every_die(dice).items():
        share = shares[die]
        assert set(thrown) <= set(share)
        squares = sum((thrown[face] - 6000 * p) ** 2 / (6000 * p) for face, p in share.items())
        degrees = len(share) - 1
        assert squares < degrees + 5 * (2 * degrees) ** 0.5, f"{die}: chi-squared {squares:.1f}"


@pytest.mark.clause("G.FA1")
def test_every_throw_is_logged_with_its_faces_and_clause_and_reason() -> None:
    log = Log()
    log.turn, log.step = 4, "4a"
    face = KeyedDice(SEED, prefix="B1", log=log).d6(clause="K.F8", subjects=(4, "E07"), reason="broadside")
    (event,) = log.take()
    assert (event.turn, event.step, event.kind, event.clause) == (4, "4a", DIE, "K.F8")
    assert event.data == {"key": "B1/K.F8/4/E07", "die": "D6", "faces": [face], "reason": "broadside"}


def test_fast_dice_repeat_only_with_the_same_seed() -> None:
    def run(seed: int) -> list[int]:
        dice = FastDice(seed)
        return [dice.d100(clause="T", subjects=()) for _ in range(20)]

    assert run(1) == run(1) != run(2)


def test_scripted_dice_hand_out_the_script_in_order_and_remember_what_was_asked() -> None:
    with ScriptedDice([6, 2, 5, 8]) as dice:
        assert dice.d6(clause="K.F8", subjects=(1, "E1"), reason="fire") == 6
        assert dice.throw(Die.AVERAGE, 2, clause="K.B3", subjects=(1, "E1")) == (2, 5)
        assert dice.d8(clause="K.G1", subjects=("E1",)) == 8
    assert [(t.key, t.die, t.faces) for t in dice.throws] == [
        ("K.F8/1/E1", "D6", (6,)), ("K.B3/1/E1", "DAve", (2, 5)), ("K.G1/E1", "D8", (8,)),
    ]  # fmt: skip
    assert dice.throws[0].reason == "fire"


def test_a_scripted_face_left_over_is_an_error() -> None:
    with pytest.raises(DiceError, match=r"left over: \[3\]"), ScriptedDice([1, 3]) as dice:
        dice.d6(clause="K.F8", subjects=())


def test_a_scripted_face_missing_is_an_error() -> None:
    dice = ScriptedDice([1])
    with pytest.raises(DiceError, match=r"no face left for 2 D6 of .*K\.W2"):
        dice.throw(Die.D6, 2, clause="K.W2", subjects=(1,))


@pytest.mark.parametrize(
    ("die", "face"), [(Die.D6, 7), (Die.D6, 0), (Die.AVERAGE, 1), (Die.AVERAGE, 6), (Die.D8, 9)]
)
def test_a_face_that_the_die_does_not_have_is_an_error(die: Die, face: int) -> None:
    with pytest.raises(DiceError, match="is not a throw of"):
        ScriptedDice([face]).throw(die, 1, clause="T", subjects=())


def test_leftover_faces_do_not_hide_an_error_in_the_test() -> None:
    with pytest.raises(KeyError), ScriptedDice([1]):
        raise KeyError("the true cause")
