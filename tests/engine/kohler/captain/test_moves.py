"""The moves a captain considers are allowed by the rules, and they end where it expects."""

from __future__ import annotations

import itertools

import pytest

from battles.engine.core.hexes import STEPS
from battles.engine.rulesets.kohler import passage
from battles.engine.rulesets.kohler.captain.moves import moves, on_the_spot
from battles.engine.rulesets.kohler.state import Helm, LockKind, Ship, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship


def ended(sea, one: Ship, tokens: tuple[str, ...]):  # type: ignore[no-untyped-def]
    """Where the rules say these tokens end, drift included, and what they refuse."""
    found, _, refusal = passage.foresee(sea, one, tokens)
    pos = found.pos
    if not found.moved and found.drifts and sea.strength in (WindForce.NORMAL, WindForce.STRONG):
        pos = (pos[0] + STEPS[sea.wind][0], pos[1] + STEPS[sea.wind][1])
    return pos, found.facing, refusal


KINDS = [
    {},
    {"fast": True},
    {"handy": True},
    {"fast": True, "handy": True},
    {"unhandy": True},
    {"hits_struct": 6, "steps_lost": 1},
    {"hits_struct": 11, "steps_lost": 2},
    {"hits_struct": 17, "steps_lost": 3},
    {"helm": Helm.PORT},
    {"helm": Helm.STARBOARD},
    {"helm": Helm.NO_TURN},
    {"helm": Helm.PORT, "hits_struct": 17, "steps_lost": 3},
    {"caught_in_irons": True},
    {"caught_in_irons": True, "handy": True},
    {"caught_in_irons": True, "hits_struct": 11, "steps_lost": 2},
    {"caught_in_irons": True, "helm": Helm.STARBOARD},
]


@pytest.mark.clause(
    "K.M4", "K.M6", "K.M8", "K.M9", "K.M15", "K.M16", "K.M17", "K.M20", "K.M21", "K.A2.4", "K.A2.5"
)
@pytest.mark.parametrize("strength", [WindForce.STILL, WindForce.LIGHT, WindForce.NORMAL, WindForce.STRONG])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "+".join(kind) or "plain")
def test_every_considered_move_is_legal_and_ends_where_it_says(kind, strength) -> None:  # type: ignore[no-untyped-def]
    for facing, wind in itertools.product(range(6), (0, 3, 4)):
        if "caught_in_irons" in kind and (facing - wind) % 6 != 3:
            continue
        one = ship(facing=facing, pos=(7, -3), **kind)
        sea = battle(one, wind=wind, strength=strength)
        found = moves(View(sea, "ENG"), one)
        assert found[0].tokens == () or one.helm is not Helm.SOUND
        for move in found:
            pos, heading, refusal = ended(sea, one, move.tokens)
            assert refusal == "", (facing, wind, move)
            assert (pos[0] - 7, pos[1] + 3) == move.end, (facing, wind, move)
            if move.tokens or one.helm is Helm.SOUND:
                assert heading == move.facing, (facing, wind, move)


@pytest.mark.clause("K.M8", "K.M11")
@pytest.mark.parametrize("kind", [{}, {"handy": True}, {"unhandy": True}, {"fast": True}])
def test_no_end_within_two_turns_is_overlooked(kind) -> None:  # type: ignore[no-untyped-def]
    for facing in range(6):
        one = ship(facing=facing, **kind)
        sea = battle(one)
        known = {(m.end, m.facing) for m in moves(View(sea, "ENG"), one)}
        for length in range(1, 6):
            for tokens in itertools.product(("A", "P", "S", "TP", "TS"), repeat=length):
                if sum(t != "A" for t in tokens) > 2:
                    continue
                pos, heading, refusal = ended(sea, one, tokens)
                if not refusal:
                    assert (pos, heading) in known, (facing, tokens)


@pytest.mark.clause("K.M33")
def test_a_ship_blocked_ahead_may_turn_on_the_spot() -> None:
    one, friend = ship(facing=2), ship(id="E2", pos=(1, 0))
    sea = battle(one, friend)
    turns = on_the_spot(View(sea, "ENG"), one)
    assert [m.tokens for m in turns] == [("P",), ("S",)]
    for move in turns:
        assert ended(sea, one, move.tokens) == ((0, 1), move.facing, "")
    sea.move(friend, (5, 5))
    assert on_the_spot(View(sea, "ENG"), one) == ()


def test_a_grappled_ship_has_nothing_to_choose() -> None:
    one, enemy = ship(facing=2), ship(id="D1", side="DUT")
    sea = battle(one, enemy)
    sea.hold(LockKind.GRAPPLE, one, enemy)
    assert [m.tokens for m in moves(View(sea, "ENG"), one)] == [()]
