"""The notation word by word, and the borders of what is refused. Rules: K.M31, K.F1, K.B1, K.B26, K.X4."""

from __future__ import annotations

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.rulesets.kohler.notation import faults, parse, render
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import LockKind, Ship, Status
from tests.engine.kohler.builders import battle, ship

TOKENS = ("A", "P", "S", "TP", "TS", "W0", "W1", "W2", "W3", "W4", "W5", "G:D", "G:d07")


@pytest.mark.clause("K.M31")
@pytest.mark.parametrize("token", TOKENS)
def test_every_order_is_read_alone_and_in_a_row(token: str) -> None:
    assert parse(token).tokens == (token,)
    assert parse(f"a {token} p").tokens == ("A", token, "P")
    assert render(Orders(tokens=(token,))) == token
    if ":" not in token:
        assert parse(token.lower()).tokens == (token,)
    assert not parse(token).fire_ship


@pytest.mark.clause("K.M31")
@pytest.mark.parametrize("word", ["W6", "W", "T", "AA", "G:", "G", "PT", "W-1", "0"])
def test_other_words_are_not_movement(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(f"A {word}")
    assert str(caught.value) == f"{word!r} is not a movement: use A, P, S, TP, TS, G:ship, W0 to W5, X or -"


@pytest.mark.clause("K.M31")
def test_an_order_of_four_thousand_characters_is_read_and_a_longer_one_is_not() -> None:
    assert len(parse("A " * 2000).tokens or ()) == 2000
    with pytest.raises(NotationError, match="has 4001 characters; up to 4000 are allowed"):
        parse("A " * 2000 + " ")


@pytest.mark.clause("K.F1", "K.B1", "K.B26", "K.X4")
@pytest.mark.parametrize(
    ("word", "orders"),
    [
        ("port>D1", Orders(targets={"port": "D1"})),
        ("STARBOARD>D1", Orders(targets={"starboard": "D1"})),
        ("starboard>-", Orders(targets={"starboard": ""})),
        ("board:D1", Orders(intents={"D1": True})),
        ("AVOID:D1", Orders(intents={"D1": False})),
        ("part:D1", Orders(part={"D1": True})),
        ("keep:D1", Orders(part={"D1": False})),
        ("fire", Orders(fire_ship=True)),
        ("FIRE", Orders(fire_ship=True)),
    ],
)
def test_every_word_to_the_right_of_the_bar_is_read(word: str, orders: Orders) -> None:
    assert parse(f"| {word}") == orders
    assert parse(f"| {word} {word if ':' in word else ''}") == orders
    assert parse(render(orders)) == orders


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("port>", "'port>' is not a target: use port>ship, starboard>ship, or port>- to hold fire"),
        (">D1", "'>D1' is not a target: use port>ship, starboard>ship, or port>- to hold fire"),
        ("bow>D1", "'bow>D1' is not a target: use port>ship, starboard>ship, or port>- to hold fire"),
        ("port>D1 port>D1", "port has two targets; give each broadside one"),
        ("board:", "'board:' is not known here: use board:, avoid:, part: or keep: with a ship, or fire"),
        (":D1", "':D1' is not known here: use board:, avoid:, part: or keep: with a ship, or fire"),
        ("ram:a>b", "'ram:a>b' is not known here: use board:, avoid:, part: or keep: with a ship, or fire"),
        ("keep:D1 part:D1", "D1 already has the opposite order to 'part:D1'"),
        ("avoid:D1 board:D1", "D1 already has the opposite order to 'board:D1'"),
    ],
)
def test_every_word_that_does_not_belong_there_gets_its_reason(word: str, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(f"A | {word}")
    assert str(caught.value) == text


def codes(line: str, *others: Ship, **over: object) -> list[str]:
    """The faults of orders for a ship steering SE."""
    one = ship(facing=2)
    return [fault.code for fault in faults(battle(one, *others, **over), "ENG", "E1", parse(line))]


def ahead(**over: object) -> Ship:
    """A friend in the hex ahead."""
    return ship(**{"id": "E2", "pos": (1, 0), **over})


@pytest.mark.clause("K.M22", "K.M31", "K.S9")
def test_a_friend_ahead_who_is_held_aground_disabled_or_at_anchor_blocks_the_way() -> None:
    assert codes("A", ahead()) == []
    assert codes("A", ahead(aground=True)) == ["order/occupied"]
    assert codes("A", ahead(steps_lost=3)) == ["order/occupied"]
    anchored = ahead(squadron="late")
    assert codes("A", anchored, options={"at_anchor": {"late": 2}}) == ["order/occupied"]
    assert codes("A", ahead(squadron="late"), options={"at_anchor": {"late": 1}}) == []
    one, friend, foe = ship(facing=2), ahead(), ship(id="D1", side="DUT", pos=(1, 0))
    sea = battle(one, friend, foe)
    sea.hold(LockKind.GRAPPLE, foe, friend)
    assert [fault.code for fault in faults(sea, "ENG", "E1", parse("A"))] == ["order/occupied"]


@pytest.mark.clause("K.M23", "K.M31")
def test_a_wreck_ahead_is_an_error_even_behind_a_friend_who_may_move_off() -> None:
    wreck = ship(id="D1", side="DUT", pos=(1, 0), status=Status.SINKING)
    assert codes("A", wreck) == ["order/wreck"]
    assert codes("A", ahead(), wreck) == ["order/wreck"]


@pytest.mark.clause("K.B1", "K.M31")
def test_an_enemy_on_fire_as_a_fire_ship_cannot_be_met_for_boarding() -> None:
    foe = {"id": "D1", "side": "DUT", "pos": (9, 0)}
    assert codes("A G:D1", ship(**foe)) == []
    assert codes("A G:D1", ship(**foe, fired=True)) == ["order/no-enemy"]
    assert codes("A G:D1", ship(**foe, prize_of="ENG")) == ["order/no-enemy"]
    assert codes("A G:E1") == ["order/no-enemy"]


@pytest.mark.clause("K.M28", "K.M31")
def test_the_movement_of_a_held_ship_is_refused_from_its_first_order() -> None:
    one, foe = ship(facing=2), ship(id="D1", side="DUT")
    sea = battle(one, foe)
    sea.hold(LockKind.GRAPPLE, one, foe)
    (fault,) = faults(sea, "ENG", "E1", parse("A P"))
    assert fault.text == "Ship E1, A (order 1): it is held by another ship."
    assert faults(sea, "ENG", "E1", parse("-")) == faults(sea, "ENG", "E1", parse("")) == ()


@pytest.mark.clause("K.F1", "K.B1", "K.B26", "K.X4")
@pytest.mark.parametrize(
    ("word", "what"), [("port>", "target"), ("avoid:", "boarding"), ("keep:", "parting")]
)
def test_some_ships_may_not_be_named_as_target_or_for_boarding(word: str, what: str) -> None:
    def found(**over: object) -> list[str]:
        return codes(f"| {word}S2", ship(**{"id": "S2", "side": "DUT", "pos": (9, 0), **over}))

    assert found() == []
    assert found(fired=True) == []
    assert found(prize_of="ENG") == [f"order/{what}-friend"]
    assert found(side="ENG") == [f"order/{what}-friend"]
    assert found(side="ENG", fired=True) == []
    assert found(status=Status.SINKING) == [f"order/{what}-lost"]
    assert found(status=Status.EXPECTED) == [f"order/{what}-unknown"]
    assert codes(f"| {word}E1") == [f"order/{what}-friend"]


@pytest.mark.clause("K.X4")
def test_only_a_fire_ship_can_be_fired() -> None:
    one = ship(facing=2, is_fireship=True)
    assert faults(battle(one), "ENG", "E1", parse("X")) == ()
    assert codes("X") == ["order/no-fire-ship"]
