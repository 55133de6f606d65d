"""Minefields at their bounds: who lays, meets and sweeps them, and what a battle is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from battles.engine.core.outcome import MinesLeft, Outcome
from campaign.rules.chart.types import BattleCall, FleetFacts, OnArrival, Position, ShipSheet, SideFacts
from campaign.rules.mines.battles import mines_back, mines_told
from campaign.rules.mines.laying import go_back, stock
from campaign.rules.mines.step import load_step, mine_step
from campaign.rules.mines.sweeping import sweep
from campaign.rules.mines.waters import friends_know, keeps_the_lane, mined_waters
from campaign.rules.state.minefields import Minefield, Mines
from campaign.rules.state.state import Contact
from campaign.rules.state.world import Chart
from tests.campaign.rules import builders as b
from tests.campaign.rules.shores import chart, knows, told
from tests.campaign.rules.test_mines import (
    CARRIER,
    DAWN,
    FORENOON,
    OFF,
    field,
    layer,
    made,
    minelayer,
    moored_off,
    order,
    sweeping,
)

pytestmark = pytest.mark.usefixtures("with_mines")

SIDES = {
    "ENG": SideFacts("ENG", "England", ("England",)), "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
    "FRA": SideFacts("FRA", "France", ("France",)), "SPA": SideFacts("SPA", "Spain", ("Spain",)),
}  # fmt: skip
CHASE = Contact("d", "e", 9_000, 0, 0)


def allied(*pair: str) -> dict[str, Any]:
    """Facts of a war in which two sides are allied."""
    return {"sides": SIDES, "allied": frozenset({frozenset(pair)})}


def at(place: str, *ships: ShipSheet, faces: tuple[int, ...] = (), hour: int = 6, **over: Any) -> Chart:
    """The fleet e at a place with the order to lay mines there."""
    fleet = replace(layer(), position=Position(place), order=order("e", OnArrival.MINE))
    return chart(made([fleet], list(ships) or [minelayer()], **over), faces, hour=hour)


# --- laying ---


@pytest.mark.clause("G.MN1")
def test_each_ship_with_room_takes_a_whole_load_of_mines_aboard_and_a_prize_takes_none() -> None:
    ships = [
        minelayer("e1", aboard=0), minelayer("e2"), minelayer("e3", aboard=0), minelayer("e4"), b.ship("e5", "ENG", "e"),
        replace(minelayer("e6"), prize=True),
    ]  # fmt: skip
    played = at("home", *ships, hour=DAWN, mines=Mines(aboard={"e4": 2}))
    stocks = {ship.code: stock(played, ship) for ship in played.ships_of("e")}
    assert stocks == {"e1": 0, "e2": 6, "e3": 0, "e4": 2, "e5": 0, "e6": 0}
    b.step(load_step, played)
    assert played.state.mines.aboard == {"e1": 6, "e3": 6, "e4": 6}
    assert told(played, "mines_aboard") == [{"fleet": "e", "place": "home", "ships": ["e1", "e3", "e4"]}]
    b.step(load_step, played)
    assert len(told(played, "mines_aboard")) == 1


@pytest.mark.clause("G.MN1")
@pytest.mark.parametrize(
    ("hour", "yard", "changes", "taken"),
    [
        (DAWN, 1, {}, True), (DAWN + 1, 1, {}, False), (DAWN, 0, {}, False),
        (DAWN, 1, {"order": order("e", OnArrival.ANCHOR)}, False), (DAWN, 1, {"held_by": "b01"}, False),
        (DAWN, 1, {"position": Position("home", "a", 1_000)}, False), (DAWN, 1, {"position": Position("theirs")}, False),
    ],
)  # fmt: skip
def test_mines_are_not_taken_aboard_at_other_times_and_places(
    hour: int, yard: int, changes: dict[str, Any], taken: bool
) -> None:
    played = at("home", minelayer(aboard=0), hour=hour)
    places = dict(played.facts.theatre.places)
    places["home"] = replace(places["home"], dockyard=yard)
    played.facts = replace(played.facts, theatre=replace(played.facts.theatre, places=places))
    played.alter(played.state.fleets["e"], **changes)
    b.step(load_step, played)
    assert played.state.mines.aboard == ({"e1": 6} if taken else {})


@pytest.mark.clause("G.MN1")
@pytest.mark.parametrize(
    ("changes", "contact", "laid"),
    [
        ({}, None, True), ({}, Contact("f", "d", 9_000, 0, 0), True), ({}, CHASE, False),
        ({"order": order("e", OnArrival.ANCHOR)}, None, False), ({"held_by": "b01"}, None, False),
        ({"order": order("e", OnArrival.MINE, "b")}, None, False), ({"position": Position("n", "b", 1_000)}, None, False),
        ({"position": Position("b")}, None, False),
    ],
)  # fmt: skip
def test_mines_are_laid_by_a_fleet_that_has_come_to_the_place_and_is_not_pressed(
    changes: dict[str, Any], contact: Contact | None, laid: bool
) -> None:
    played = at("n")
    played.alter(played.state.fleets["e"], **changes)
    if contact is not None:
        played.state.contacts[contact.seeker, contact.quarry] = contact
    b.step(mine_step, played)
    assert [row.place for row in played.state.mines.fields.values()] == ["n"] * laid


@pytest.mark.clause("G.MN1")
def test_allies_learn_of_all_mines_that_a_fleet_has_laid() -> None:
    ships = [minelayer("e1"), b.ship("e2", "ENG", "e"), minelayer("e3", aboard=4)]
    played = at("n", *ships, **allied("ENG", "FRA"))
    b.step(mine_step, played)
    (row,) = told(played, "mines_laid")
    assert (row["ships"], row["sections"], row["place"], row["side"]) == (["e1", "e3"], 10, "n", "ENG")
    assert knows(played, "mines_laid") == [("ENG", "FRA")]
    assert played.state.mines.aboard == {"e1": 0, "e3": 0}
    assert friends_know(played, "NLD") == ("NLD",) and friends_know(played, "FRA") == ("FRA", "ENG")
    empty = at("n", minelayer(aboard=0))
    b.step(mine_step, empty)
    assert not empty.state.events and empty.state.fleets["e"].order.on_arrival is OnArrival.MINE


@pytest.mark.clause("G.MN1", "G.NT1", "G.MV2")
@pytest.mark.parametrize(
    ("path", "position", "place", "miles", "now", "route"),
    [
        (("home", "a", "b", "c"), OFF, "theirs", 6, Position("c", "theirs", 54_000), ("c", "b", "a", "home")),
        (("home", "a", "b"), OFF, "theirs", 6, Position("c", "theirs", 54_000), ("c", "b", "a", "home")),
        ((), OFF, "theirs", 6, Position("c", "theirs", 54_000), ("c",)),
        (("b", "c"), Position("c", "theirs", 1_000), "theirs", 6, Position("c", "theirs", 1_000), ("c", "b")),
        (("b", "c"), OFF, "theirs", 61, Position("c"), ("c", "b")),
        (("home", "a", "b", "n"), Position("n"), "n", 6, Position("n"), ("b", "a", "home")),
        (("home", "a"), Position("a"), "b", 6, Position("a"), ("home",)),
        (("n",), Position("n"), "n", 6, Position("n"), ("b", "a", "home")),
    ],
)  # fmt: skip
def test_a_layer_goes_back_the_way_it_came_or_to_the_nearest_port_clear_of_the_enemys(
    path: tuple[str, ...],
    position: Position,
    place: str,
    miles: int,
    now: Position,
    route: tuple[str, ...],
) -> None:
    played = at("n")
    played.facts = replace(played.facts, settings=replace(played.facts.settings, blockade_miles=miles))
    fleet = played.alter(played.state.fleets["e"], path=path, position=position, under_way=True)
    fleet = go_back(played, fleet, place)
    assert (fleet.position, fleet.order.route) == (now, route)
    assert (fleet.order.on_arrival, fleet.path, fleet.under_way) == (OnArrival.ANCHOR, (), False)


# --- struck ---


@pytest.mark.clause("G.MN1", "G.MN2")
def test_a_fleet_keeps_clear_of_a_minefield_that_it_or_an_ally_knows_unless_it_is_chased() -> None:
    row = Minefield("m001", "NLD", "n", 6, ("FRA",))
    played = at("n", **allied("ENG", "FRA"))
    fleet = played.state.fleets["e"]
    assert keeps_the_lane(played, fleet, row)
    assert not keeps_the_lane(played, fleet, replace(row, known=("SPA",)))
    played.state.contacts["f", "d"] = Contact("f", "d", 9_000, 0, 0)
    assert keeps_the_lane(played, fleet, row)
    played.state.contacts["d", "e"] = CHASE
    assert not keeps_the_lane(played, fleet, row)


@pytest.mark.clause("G.MN2")
@pytest.mark.parametrize(
    ("hour", "changes", "meets"),
    [
        (DAWN, {}, True), (DAWN + 1, {}, False), (DAWN + 1, {"under_way": True}, True), (DAWN, {"held_by": "b01"}, False),
        (DAWN + 1, {"under_way": True, "held_by": "b01"}, False), (DAWN, {"position": Position("c")}, False),
    ],
)  # fmt: skip
def test_who_comes_before_a_mined_port_meets_its_mines_and_who_lies_there_at_six(
    hour: int, changes: dict[str, Any], meets: bool
) -> None:
    played = moored_off(hour=hour, mines=field())
    played.alter(played.state.fleets["e"], **changes)
    assert mined_waters(played) == ([("e", "theirs")] if meets else [])


@pytest.mark.clause("G.MN2")
def test_fleets_meet_mines_in_the_order_of_codes_and_one_that_is_gone_meets_none() -> None:
    fleets = [b.fleet(code, "ENG", "b", "n") for code in "efg"]
    played = chart(made(fleets, mines=field(place="n")), hour=8)
    played.entered += [("g", "n"), ("f", "n"), ("e", "n"), ("e", "b")]
    played.departed += [("f", "n"), ("g", "b")]
    played.alter(played.state.fleets["g"], ended=True)
    assert mined_waters(played) == [("e", "n"), ("f", "n")]


@pytest.mark.clause("G.MN2")
def test_a_fleet_destroyed_by_the_first_minefield_does_not_meet_the_second() -> None:
    mines = field(place="n")
    mines.lay("NLD", "n", 6)
    played = chart(made([b.fleet("e", "ENG", "b", "n")], mines=mines), (2, 6, 1), hour=8)
    played.entered.append(("e", "n"))
    b.step(mine_step, played)
    played.dice.finish()  # type: ignore[attr-defined]
    assert played.state.fleets["e"].ended
    assert [row["lost"] for row in told(played, "mine_struck")] == [["e1"]]


@pytest.mark.clause("G.MN2", "P.X05")
@pytest.mark.parametrize("owner", ["ENG", "NLD"])
def test_a_mine_that_does_not_explode_hurts_no_one_but_reveals_its_minefield(owner: str) -> None:
    fog = b.weather(visibility="fog")
    played = moored_off(hour=DAWN, mines=field(owner), faces=(1, 2, 2, 6, 2), weather=fog)
    b.step(mine_step, played)
    assert told(played, "mine_struck") == [
        {
            "fleet": "e", "side": "ENG", "place": "theirs", "own": owner == "ENG", "ships": ["e0", "e1"], "hurt": ["e1"],
            "lost": [],
        }
    ]  # fmt: skip
    assert played.state.ships["e1"].fate is Fate.AFLOAT
    assert played.state.mines.fields["m001"].known == (() if owner == "ENG" else ("ENG",))


# --- swept ---

SWEEPER = {**b.CARD, "sweeps": True}
KNOWN = {"known": ("ENG",)}


def sweepers_off(faces: tuple[int, ...], mines: Mines, *ships: ShipSheet, **over: Any) -> Chart:
    """Two English sweepers off the Dutch port, beside further ships, after a morning's sweeping."""
    fleet = replace(b.fleet("e", "ENG", "c", order=order("e", OnArrival.SWEEP, "theirs")), position=OFF)
    rows = [b.ship("e2", "ENG", "e", card=SWEEPER), b.ship("e1", "ENG", "e", card=SWEEPER, order=9), *ships]
    played = chart(made([fleet], rows, mines, **over), faces, hour=FORENOON)
    sweep(played)
    played.dice.finish()  # type: ignore[attr-defined]
    return played


@pytest.mark.clause("G.MN3", "P.X09", "P.X10")
@pytest.mark.parametrize(
    ("faces", "mines", "row"),
    [
        # one of the two sees the field, and each takes up a section
        ((3, 4, 1, 1, 1, 1), field(), {"found": 1, "sections": 2, "left": 4, "hurt": []}),
        ((1, 1), field(sections=1, **KNOWN), {"found": 0, "sections": 1, "left": 0, "hurt": []}),
        # the first in the order of codes is hurt, the second sweeps
        ((2, 1, 1, 1), field(sections=3, **KNOWN), {"found": 0, "sections": 1, "left": 2, "hurt": ["e1"]}),
    ],
)  # fmt: skip
def test_two_sweepers_work_one_after_the_other(
    faces: tuple[int, ...], mines: Mines, row: dict[str, Any]
) -> None:
    others = [b.ship("e0", "ENG", "e"), b.ship("e3", "ENG", "e", card=SWEEPER, prize=True)]
    played = sweepers_off(faces, mines, *others)
    assert told(played, "mines_swept") == [{"fleet": "e", "place": "theirs", **row}]
    assert all(ship.fate is Fate.AFLOAT for ship in played.state.ships.values())


@pytest.mark.clause("G.MN3", "P.X10")
def test_a_sweeper_hurt_in_one_minefield_does_not_sweep_the_next_and_one_that_sinks_is_lost() -> None:
    mines = field(sections=5, **KNOWN)
    mines.lay("NLD", "theirs", 4, ("ENG",))
    mines.lay("NLD", "theirs", 6)
    mines.lay("FRA", "theirs", 6)
    played = sweepers_off((6, 1, 1, 1, 1, 1, 3), mines, **allied("ENG", "FRA"))
    (row,) = told(played, "mines_swept")
    # the field that they still do not know of is not among those left, and an ally's is
    assert (row["found"], row["sections"], row["left"], row["hurt"]) == (0, 2, 4 + 3 + 6, ["e1"])
    assert played.state.ships["e1"].fate is Fate.SUNK
    assert [(lost["ship"], lost["cause"]) for lost in told(played, "lost")] == [("e1", "mined")]
    assert played.state.mines.fields["m004"].sections == 6


@pytest.mark.clause("G.MN3")
def test_nothing_is_reported_when_nothing_is_found() -> None:
    assert told(sweepers_off((3, 3), field()), "mines_swept") == []
    assert told(sweepers_off((), field(place="n", **KNOWN)), "mines_swept") == []


@pytest.mark.clause("G.MN3")
@pytest.mark.parametrize(
    ("changes", "weather", "sunrise", "sweeps"),
    [
        ({}, {}, 9, True), ({}, {}, 10, False), ({}, {"strength": "gale"}, 5, False), ({}, {"strength": "strong"}, 5, True),
        ({"order": order("e", OnArrival.BLOCKADE, "theirs")}, {}, 5, False), ({"held_by": "b01"}, {}, 5, False),
        ({"position": Position("c", "theirs", 58_999)}, {}, 5, False), ({"position": Position("theirs")}, {}, 5, False),
        ({"position": Position("theirs"), "order": order("e", OnArrival.SWEEP)}, {}, 5, True),
        ({"position": Position("theirs", "c", 1), "order": order("e", OnArrival.SWEEP)}, {}, 5, False),
    ],
)  # fmt: skip
def test_sweepers_sweep_by_day_where_they_lie_and_in_no_gale(
    changes: dict[str, Any], weather: dict[str, str], sunrise: int, sweeps: bool
) -> None:
    played = sweeping((1, 1) * sweeps, field(**KNOWN), weather=b.weather(**weather))
    daylight = ((sunrise, 19),) * 12
    played.facts = replace(played.facts, theatre=replace(played.facts.theatre, daylight=daylight))
    played.alter(played.state.fleets["e"], **changes)
    sweep(played)
    assert len(told(played, "mines_swept")) == sweeps


# --- battles ---


def fought(
    mines: Mines, *, at: str = "n", carrier: bool = False, **over: Any
) -> tuple[Chart, dict[str, Any]]:
    """What a battle between one English and one Dutch ship at a place is told of mines. carrier: the Dutch one has some aboard."""
    fleets: list[FleetFacts] = [b.fleet("e", "ENG", at), b.fleet("d", "NLD", at)]
    ships = [b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d", card=CARRIER if carrier else b.CARD)]
    played = chart(made(fleets, ships, mines, **over), hour=6)
    groups = {"ENG": [played.state.fleets["e"]], "NLD": [played.state.fleets["d"]]}
    return played, mines_told(played, "b01", Position(at), groups)


@pytest.mark.clause("G.MN4")
def test_a_battle_has_no_mines_where_the_chart_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    played, switches = fought(Mines())
    assert switches == {} and not played.state.mines.fought
    played, switches = fought(Mines(), carrier=True, weather=b.weather(wind=270))
    assert switches == {"mines": [90, {}, {"NLD": {"d1": 6}}]} and played.state.mines.fought == {"b01": ()}
    played, switches = fought(field(place="n"))
    assert switches == {"mines": [180, {"NLD": [6]}, {}]}
    monkeypatch.setattr(type(b.PLAIN.at_sea), "lays_mines", False)
    assert fought(field(place="n"))[1] == {}


@pytest.mark.clause("G.MN4")
def test_minefields_in_a_battle_are_those_of_its_sides_and_their_allies() -> None:
    mines = Mines()
    for side, sections, known in (
        ("NLD", 1, ()), ("SPA", 2, ()), ("FRA", 3, ()), ("ENG", 4, ()), ("ENG", 5, ("NLD",)), ("FRA", 6, ("NLD",)),
        ("NLD", 7, ("FRA",)), ("NLD", 8, ("SPA",)),
    ):  # fmt: skip
        mines.lay(side, "n", sections, known)
    played, switches = fought(mines, **allied("ENG", "FRA"))
    assert switches["mines"][1] == {"ENG": [3, 4], "NLD": [1, 8]}
    assert played.state.mines.fought == {"b01": ("m003", "m004", "m001", "m008")}


@pytest.mark.clause("G.MN4")
@pytest.mark.parametrize(("run", "there"), [(6_000, True), (6_001, False)])
def test_a_battle_on_a_passage_is_fought_among_the_mines_of_the_place_that_it_is_near(
    run: int, there: bool
) -> None:
    fleets = [b.fleet("e", "ENG", "n"), b.fleet("d", "NLD", "n")]
    played = chart(made(fleets, mines=field(place="n")), hour=6)
    groups = {"ENG": [played.state.fleets["e"]], "NLD": [played.state.fleets["d"]]}
    assert bool(mines_told(played, "b01", Position("n", "b", run), groups)) is there


@pytest.mark.clause("G.MN4", "P.K12", "P.K14")
def test_a_minefield_swept_in_a_battle_is_gone_and_a_minelayer_that_laid_nothing_leaves_none() -> None:
    played, _ = fought(field(place="n"))
    left = (
        MinesLeft("NLD", 0, ("ENG",)),
        MinesLeft("NLD", 0, (), "d1", 6),
        MinesLeft("ENG", 2, ("NLD",), "e1", 4),
    )
    call = BattleCall("b01", 6, "n", {}, {})
    mines_back(played, call, Outcome("plain", 1, 5, "parted", (), mines=left))
    mines = played.state.mines
    assert mines.fields == {"m002": Minefield("m002", "ENG", "n", 2, ("NLD",))}
    assert mines.aboard == {"d1": 6, "e1": 4}
