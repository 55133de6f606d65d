"""Movement area by area: legal strings, held courses, edges, land and rams. Rules: C.M, C.R, C.D3-C.D5."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from battles.engine.rulesets.cordery import movement, ramming, steering
from battles.engine.rulesets.cordery.play import Move, Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.steering import Pose
from tests.engine.cordery.builders import battle, events, finish, play, ship


def lawful(allowance: int, last: str) -> set[str]:
    """Strings in which every turn comes directly after an area ahead, by C.M1, C.M3 and C.M4."""
    found = set()
    for length in range(allowance + 1):
        for letters in product("FLR", repeat=length):
            before = (last if allowance == 1 else "", *letters)
            if all(letter == "F" or before[n] == "F" for n, letter in enumerate(letters)):
                found.add("".join(letters))
    return found


@pytest.mark.clause("C.M1", "C.M3", "C.M4", "C.M5", "C.N12")
@pytest.mark.parametrize("last", ["F", "L", "R", ""])
@pytest.mark.parametrize("allowance", range(4))
def test_every_turn_comes_directly_after_an_area_ahead(allowance: int, last: str) -> None:
    assert set(steering.strings(allowance, last)) == lawful(allowance, last)
    for text in map("".join, product("FLR", repeat=3)):
        begun = steering.begun(text, allowance, last)
        assert text.startswith(begun) and begun in lawful(allowance, last)
        assert text[: len(begun) + 1] == begun or text[: len(begun) + 1] not in lawful(allowance, last)


@pytest.mark.clause("C.D3")
def test_moves_are_ranked_by_the_order_of_the_book_and_those_of_three_areas_first() -> None:
    assert steering.strings(2, "F") == ("FF", "F", "FR", "FL", "")
    assert steering.strings(1, "F") == ("F", "R", "L", "")
    assert steering.strings(3, "F")[:5] == ("FFF", "FFL", "FFR", "FLF", "FRF")
    assert [steering.rank(text)[0] for text in ("FFF", "FF", "F", "FR", "R", "FL", "L", "")] == [*range(8)]


@pytest.mark.clause("C.M2", "C.M3", "C.P3", "C.P4")
@pytest.mark.parametrize("h", range(8))
def test_a_string_of_turns_leads_round_the_compass(h: int) -> None:
    steps = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
    (dx, dy), (px, py) = steps[h], steps[(h - 1) % 8]
    start = Pose((3, -4), h)
    assert steering.after(start, "FF") == ((3 + 2 * dx, -4 + 2 * dy), h)
    assert steering.after(start, "FR") == ((3 + dx, -4 + dy), (h + 1) % 8)
    assert steering.after(start, "FLF") == ((3 + dx + px, -4 + dy + py), (h - 1) % 8)
    assert [*steering.areas(start, "FLF")] == [(3 + dx, -4 + dy), (3 + dx + px, -4 + dy + py)]
    assert steering.meets(start, "FLF", {(3 + dx + px, -4 + dy + py)}) and not steering.meets(
        start, "F", {(3, -4)}
    )


@pytest.mark.clause("C.M6", "C.H2", "C.T6")
@pytest.mark.parametrize(
    ("over", "held", "legal"),
    [
        ({}, None, {"FF", "F", "FR", "FL", ""}), ({"lock_bridge": 1}, "FF", {"FF"}), ({"lock_bridge": 3, "last_spent": 1}, "F", {"F"}),
        ({"lock_bridge": 1, "last_spent": 0}, "", {""}), ({"lock_bridge": 1, "last_spent": 2, "engines_hit": True}, "F", {"F"}),
        ({"lock_bridge": 1, "engines_hit": True}, "F", {"F"}), ({"lock_bridge": 1, "aground": True}, "", {""}),
        ({"lock_rudder": 1}, None, {"FF", "F", ""}),
        ({"lock_rudder": 6, "engines_hit": True}, None, {"F", ""}), ({"lock_bridge": 1, "lock_rudder": 1, "last_spent": 1}, "F", {"F"}),
        ({"engines_hit": True}, None, {"F", "R", "L", ""}), ({"engines_hit": True, "last_action": "R"}, None, {"F", ""}),
        ({"anchored": 1}, None, {""}),
        ({"pace": 3, "lock_bridge": 1}, "FFF", {"FFF"}), ({"pace": 1, "engines_hit": True}, None, {"F", "R", "L", ""}),
    ],
)  # fmt: skip
def test_what_a_ship_may_or_must_do(over: dict[str, Any], held: str | None, legal: set[str]) -> None:
    one = ship("A1", **over)
    assert steering.held(one) == held and set(steering.legal(one)) == legal
    assert one.locked is bool(over.get("lock_bridge") or over.get("lock_rudder"))


@pytest.mark.clause("C.M1", "C.H4", "C.K31", "C.M10", "C.N12")
@pytest.mark.parametrize(
    ("over", "allowance"),
    [
        ({}, 2), ({"engines_hit": True}, 1), ({"pace": 3}, 3), ({"pace": 3, "engines_hit": True}, 1), ({"pace": 1}, 1),
        ({"anchored": 1}, 0),
        ({"aground": True}, 0), ({"anchored": 1, "engines_hit": True}, 0),
    ],
)  # fmt: skip
def test_the_allowance_of_a_ship(over: dict[str, Any], allowance: int) -> None:
    assert ship("A1", **over).allowance == allowance


class Master:
    """A captain whose ships all make one move."""

    name = "master"

    def __init__(self, actions: str = "", ram: bool = False, *, order: str = "") -> None:
        self.actions, self.ram, self.order = actions, ram, order
        self.given: Any = None

    def moves(self, view: object, given: Any) -> list[Move]:
        self.given = given
        return [Move(code, self.actions, self.ram) for code in (self.order.split() or ["A1"])]


def moved(
    made: Battle, text: str | None = None, master: Master | None = None, *faces: int
) -> tuple[Ship, Play]:
    table = play(
        made,
        *faces,
        orders={"A1": text} if text is not None else {},
        captains={"A": master} if master else {},
    )
    movement.move(made, table, "A")
    finish(table)
    return made.ships["A1"], table


def refusals(table: Play) -> list[tuple[str, str]]:
    return [(event.data["code"].partition("/")[2], event.clause) for event in events(table, "refused")]


@pytest.mark.clause("C.M6", "C.M11", "C.S8", "C.D3", "C.D4", "C.D5", "C.R11", "C.T6")
@pytest.mark.parametrize(
    ("over", "text", "master", "path", "told"),
    [
        ({}, "FF", None, "FF", []), ({}, "", None, "", []), ({}, None, None, "", []), ({}, None, Master("FR"), "FR", []),
        ({}, "FL", Master("FR"), "FL", []),
        ({}, "-", Master("FR"), "", []), ({}, "| main>-", Master("FR"), "FR", []), ({}, "FFL", None, "FF", [("illegal-move", "C.M11")]),
        ({}, "R", None, "", [("illegal-move", "C.M11")]), ({}, None, Master("RR"), "", []),
        ({"lock_bridge": 1}, "FR", None, "FF", [("locked", "C.M6")]),
        ({"lock_bridge": 1}, "FF", None, "FF", []), ({"lock_bridge": 1}, None, Master("-"), "FF", []),
        ({"lock_rudder": 1}, "FR", None, "F", [("locked", "C.M6")]),
        ({"lock_rudder": 1}, "FF", None, "FF", []), ({"lock_rudder": 1}, None, Master("FR"), "F", []),
        ({"lock_rudder": 1}, "R", None, "", [("illegal-move", "C.M11")]),
        ({"breaking_off": True}, "FF", None, "FL", [("breaking-off", "C.D3")]), ({"breaking_off": True}, "FL", None, "FL", []),
        ({"breaking_off": True}, None, Master("FR"), "FL", []), ({"breaking_off": True, "lock_rudder": 1}, "FF", None, "FF", []),
        ({"breaking_off": True}, "FL | ram", None, "FL", [("no-aggression", "C.D4")]),
        ({"breaking_off": True, "lock_bridge": 1}, "FL", None, "FF", [("locked", "C.M6")]),
    ],
)  # fmt: skip
def test_a_ship_makes_what_is_ordered_as_far_as_it_is_legal_and_else_what_her_captain_likes(
    over: dict[str, Any], text: str | None, master: Master | None, path: str, told: list[tuple[str, str]]
) -> None:
    made = battle(ship("A1", (5, 5), **over), ship("B1", (20, 5)))
    one, table = moved(made, text, master)
    assert Pose(one.pos, one.h) == steering.after(Pose((5, 5), 0), path)
    assert refusals(table) == told
    assert [event.data["tokens"] for event in events(table, "moved")] == ([path] if path else [])
    assert (one.last_action, one.last_spent) == (path[-1:], -1 if over.get("lock_bridge") else len(path))
    assert "A1" in table.moved and made.at == {one.pos: one, (20, 5): made.ships["B1"]}


@pytest.mark.clause("C.M6", "C.M11")
@pytest.mark.parametrize(("text", "token"), [("-", "-"), ("FR", "FR")])
def test_a_refusal_quotes_what_was_ordered(text: str, token: str) -> None:
    _, table = moved(battle(ship("A1", (5, 5), lock_bridge=1)), text)
    assert [event.data["token"] for event in events(table, "refused")] == [token]


@pytest.mark.clause("C.S8", "C.S9")
def test_ships_move_as_their_captain_likes_and_the_others_in_roster_order() -> None:
    made = battle(
        ship("A1", (5, 5)),
        ship("A2", (5, 4)),
        ship("A3", (9, 5)),
        ship("B1", (20, 5)),
        ship("A4", (2, 2), status=Status.LEFT),
    )
    master = Master("FF", order="A1 A2 B1")
    _, table = moved(made, None, master)
    assert [event.ship for event in events(table, "moved")] == ["A1", "A2"]
    assert (
        made.ships["A2"].pos == (5, 6)
        and made.ships["B1"].pos == (20, 5)
        and table.moved == {"A1", "A2", "A3"}
    )
    master = Master("F", order="A2 A1")
    _, table = moved(made, "FF", master)
    assert master.given == {"A1": "FF"}
    assert [event.ship for event in events(table, "moved")] == ["A1"], (
        "A2, who moves first, finds her way barred"
    )


@pytest.mark.clause("C.M9", "C.K1", "C.D3")
@pytest.mark.parametrize(
    ("at", "h", "over", "safe", "status"),
    [
        ((0, 5), "W", {}, "west", Status.LEFT), ((0, 5), "W", {"breaking_off": True}, "west", Status.BROKE_OFF),
        ((0, 5), "W", {"breaking_off": True, "lock_bridge": 1}, "east", Status.LEFT),
        ((9, 5), "E", {"breaking_off": True}, "east", Status.BROKE_OFF),
        ((5, 0), "S", {"breaking_off": True}, "south", Status.BROKE_OFF), ((5, 9), "N", {"breaking_off": True}, "north", Status.BROKE_OFF),
        ((0, 9), "NW", {"breaking_off": True}, "north", Status.BROKE_OFF), ((0, 9), "NW", {"breaking_off": True}, "west", Status.BROKE_OFF),
        ((0, 9), "NW", {"breaking_off": True, "lock_bridge": 1}, "east", Status.LEFT),
        ((9, 0), "SE", {"breaking_off": True}, "east", Status.BROKE_OFF),
        ((9, 0), "SE", {"breaking_off": True}, "south", Status.BROKE_OFF),
        # along one edge and over another
        ((0, 9), "N", {"breaking_off": True, "lock_bridge": 1}, "west", Status.LEFT),
        ((9, 9), "N", {"breaking_off": True, "lock_bridge": 1}, "east", Status.LEFT),
        ((9, 0), "E", {"breaking_off": True, "lock_bridge": 1}, "south", Status.LEFT),
        ((9, 9), "E", {"breaking_off": True, "lock_bridge": 1}, "north", Status.LEFT),
    ],
)  # fmt: skip
def test_a_ship_breaks_off_over_its_own_edge_and_merely_leaves_over_another(
    at: tuple[int, int], h: str, over: dict[str, Any], safe: str, status: Status
) -> None:
    made = battle(
        ship("A1", at, h, **over), ship("B1", (5, 5)), board=(0, 0, 9, 9), safe={"A": safe, "B": "west"}
    )
    one, table = moved(made, "FF")
    assert one.status is status and at not in made.at
    (left,) = events(table, "left")
    assert left.data["safe"] is (status is Status.BROKE_OFF)
    assert events(table, "moved") == [] and one.last_spent == (0 if not one.lock_bridge else -1)


@pytest.mark.clause("C.P2", "C.M9")
def test_the_board_ends_at_its_edges_where_it_has_any() -> None:
    made = battle(ship("A1"), board=(0, -3, 9, 4))
    for at, on in (
        ((0, 0), True),
        ((-1, 0), False),
        ((9, 0), True),
        ((10, 0), False),
        ((5, -3), True),
        ((5, -4), False),
        ((5, 4), True),
        ((5, 5), False),
    ):
        assert made.on_board(at) is on
    assert battle(ship("A1"), board=(None, None, None, None)).on_board((-999, 999))


@pytest.mark.clause("C.M10", "C.K36", "C.M6")
@pytest.mark.parametrize(
    ("over", "land", "shoal", "text", "at", "aground"),
    [
        ({}, (5, 7), None, "FF", (5, 6), False), ({"lock_bridge": 1}, (5, 7), None, "", (5, 6), True),
        ({"lock_bridge": 1}, (5, 6), None, "", (5, 5), True),
        ({"lock_rudder": 1}, (5, 7), None, "FF", (5, 6), False), ({}, None, (5, 7), "FF", (5, 6), False),
        ({"deep": False}, None, (5, 7), "FF", (5, 7), False),
        ({"deep": False}, (5, 7), (5, 6), "FF", (5, 6), False), ({"deep": True}, (9, 9), (5, 7), "FF", (5, 6), False),
        ({"lock_bridge": 1, "aground": True}, (5, 6), None, "", (5, 5), True),
    ],
)  # fmt: skip
def test_land_and_shoals_stop_ships_and_ground_those_out_of_control(
    over: dict[str, Any],
    land: tuple[int, int] | None,
    shoal: tuple[int, int] | None,
    text: str,
    at: tuple[int, int],
    aground: bool,
) -> None:
    made = battle(
        ship("A1", (5, 5), **over),
        land=frozenset({land} if land else ()),
        shoal=frozenset({shoal} if shoal else ()),
    )
    one, table = moved(made, text)
    assert (one.pos, one.aground) == (at, aground)
    assert len(events(table, "aground")) == (aground and not over.get("aground", False))


@pytest.mark.clause("C.R1", "C.R2", "C.R8", "C.M7", "C.M11")
@pytest.mark.parametrize(
    ("over", "text", "master", "rams"),
    [
        ({}, "FF | ram", None, True), ({}, "FF", None, False), ({}, None, Master("FF", True), True), ({}, "FF", Master("FF", True), False),
        ({}, "| ram", Master("FF", False), False), ({"lock_bridge": 1}, "-", None, True), ({"lock_rudder": 1}, "FF", None, False),
        ({"lock_rudder": 1}, "FF | ram", None, True), ({"breaking_off": True, "lock_rudder": 1}, None, Master("FF", True), False),
    ],
)  # fmt: skip
def test_a_ship_rams_by_order_by_her_captains_wish_or_when_she_is_out_of_control(
    over: dict[str, Any], text: str | None, master: Master | None, rams: bool
) -> None:
    made = battle(ship("A1", (5, 5), **over), ship("B1", (5, 7), "N"))
    one, table = moved(made, text, master, *((1,) * 6 if rams else ()))
    assert one.pos == (5, 6) and bool(events(table, "rammed")) is rams
    assert table.fired is rams
    assert (one.last_action, one.last_spent) == ("F", -1 if over.get("lock_bridge") else 1)


@pytest.mark.clause("C.R3", "C.R4", "C.R5", "C.R6", "C.R7", "C.R9")
def test_the_dice_of_a_ramming_by_its_kind_and_by_the_ram_of_the_ship_that_strikes() -> None:
    for h, other, ram in product(range(8), range(8), (True, False)):
        one, struck = ship("A1", (5, 5), ram=ram), ship("B1", (6, 6), ram=not ram)
        struck.h = other
        head_on = (h - other) % 8 in (0, 4)
        assert ramming.head_on(h, other) is head_on
        assert ramming.dice(one, struck, h) == ((4 if ram else 2, 2) if head_on else (6 if ram else 3, 2))
    assert [ramming.points((face,)) for face in range(1, 7)] == [0, 0, 0, 1, 1, 2]
    assert ramming.points((6, 6, 4, 3)) == 5 and ramming.points(()) == 0


@pytest.mark.clause("C.R7", "C.R8", "C.K2", "C.D2", "C.K34")
def test_both_ships_of_a_ramming_suffer_at_once() -> None:
    one, other = ship("A1", (5, 5), fp=1), ship("B1", (5, 6), "E", fp=7)
    made = battle(one, other)
    table = play(made, 4, 1, 1, 1, 1, 1, 6, 1)
    ramming.ram(made, table, one, other)
    finish(table)
    assert (one.status, one.fp, other.fp, other.breaking_off) == (Status.SUNK_RAMMING, 0, 6, True)
    assert (one.given, one.taken, other.given, other.taken) == (1, 1, 1, 1)
    assert [(event.ship, event.data["left"]) for event in events(table, "damage")] == [("B1", 6), ("A1", 0)]
    (row,) = events(table, "rammed")
    assert (row.data["head_on"], row.data["ram"], row.data["other"], row.data["own"]) == (False, True, 1, 2)
    again = play(battle(ship("A1"), ship("B1", (5, 6), "E")), *(1,) * 8)
    ramming.ram(made, again, ship("A1"), ship("B1", (5, 6), "E"))
    assert events(again, "damage") == []


@pytest.mark.clause("C.S10", "C.H2", "C.T6", "C.K31")
def test_the_counters_of_a_phase_run_down_to_nothing() -> None:
    for start, then in ((3, 2), (1, 0), (0, 0)):
        one, gone = (
            ship("A1", lock_bridge=start, lock_rudder=start, anchored=start),
            ship("B1", status=Status.LEFT, lock_bridge=2),
        )
        movement.tick(battle(one, gone))
        assert (one.lock_bridge, one.lock_rudder, one.anchored, gone.lock_bridge) == (then, then, then, 2)
