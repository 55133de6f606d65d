"""What the chart is asked at every step: who is on it, who is moored, in what order ships sail, and prizes that change hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import Position, ShipKind
from campaign.rules.prizes.prizes import defenceless, dispose, seize
from campaign.rules.state import world
from campaign.rules.state.economy import Job, PrizeCase, Stage
from campaign.rules.state.state import AGROUND, PrizeHold
from campaign.rules.state.world import Chart, enemy_ports
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def chart(*ships: Any, **over: Any) -> Chart:
    """England's e at home, the Dutch d at c."""
    rows = ships or (b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e"), b.ship("d1", "NLD", "d"))
    made = b.facts([b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "c")], list(rows), **over)
    state = turn.begin(made, {}, b.dice(made))
    state.events.clear()
    return Chart(made, state, ScriptedDice(()))


@pytest.mark.clause("G.CL2", "G.BT4")
@pytest.mark.parametrize(
    ("over", "there"),
    [
        ({}, True),
        ({"off_until": 5}, False),
        ({"off_until": 4}, True),
        ({"held_by": "b1"}, False),
        ({"ended": True}, False),
    ],
)
def test_a_fleet_is_on_the_chart_unless_ended_held_or_in_a_battle(over: dict[str, Any], there: bool) -> None:
    made = chart()
    made.state.hour = 4
    assert made.on_chart(replace(made.state.fleets["e"], **over)) is there
    assert made.at_sea_now(replace(made.state.fleets["d"], **over)) is there
    assert not made.at_sea_now(replace(made.state.fleets["e"], **over))


@pytest.mark.clause("G.RP2", "G.PR4")
@pytest.mark.parametrize(
    ("stage", "port", "captor", "moored"),
    [(Stage.COURT, "home", "ENG", True), (Stage.CONDEMNED, "home", "ENG", True), (Stage.SAILING, "home", "ENG", False),
     (Stage.BOUGHT, "home", "ENG", False), (Stage.COURT, "b", "ENG", False), (Stage.COURT, "home", "NLD", False)],
)  # fmt: skip
def test_a_prize_before_the_court_of_her_port_is_moored(
    stage: Stage, port: str, captor: str, moored: bool
) -> None:
    made = chart()
    case = PrizeCase("e1", captor, "NLD", "e2", 0, 1, stage, port)
    made.state.economy.prizes["e1"] = case
    assert made.moored(made.state.ships["e1"]) is moored
    assert made.moored(made.state.ships["e2"]) is False


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(
    ("port", "side", "moored"), [("home", "ENG", True), ("b", "ENG", False), ("home", "NLD", False)]
)
def test_a_ship_in_the_books_of_the_yard_where_she_lies_is_moored(port: str, side: str, moored: bool) -> None:
    made = chart()
    made.state.economy.jobs["e1"] = Job("e1", side, port, "light", 0, 0, 14, 0, 0)
    assert made.moored(made.state.ships["e1"]) is moored
    made.alter(made.state.fleets["e"], position=Position("home", "a", 5))
    assert made.moored(made.state.ships["e1"]) is False


@pytest.mark.clause("G.WX4")
@pytest.mark.parametrize(
    ("kinds", "scouts"),
    [(("frigate",), True), (("small craft",), True), (("frigate", "small craft"), True), (("frigate", "line"), False),
     (("merchant",), False), (("fire ship",), False)],
)  # fmt: skip
def test_a_fleet_made_in_this_turn_scouts_if_all_its_ships_are_scouts(
    kinds: tuple[str, ...], scouts: bool
) -> None:
    made = chart(*(b.ship(f"e{n}", "ENG", "e", kind=ShipKind(kind)) for n, kind in enumerate(kinds)))
    new = replace(made.state.fleets["e"], code="x")
    for code in list(made.state.ships):
        made.state.ships[code] = replace(made.state.ships[code], fleet="x")
    made.ships_changed()
    assert made.scouts(new) is scouts
    assert made.scouts(made.state.fleets["e"]) is False


@pytest.mark.clause("G.CH4")
def test_a_fleet_is_aground_when_one_of_its_ships_is() -> None:
    made = chart()
    assert not made.aground(made.state.fleets["e"])
    made.state.mark("e2", AGROUND)
    assert made.aground(made.state.fleets["e"])
    assert not made.aground(made.state.fleets["d"])


@pytest.mark.clause("G.BT6")
def test_ships_sail_by_squadron_then_place_then_code_and_prizes_last() -> None:
    made = chart(
        b.ship("e1", "ENG", "e", squadron="two", order=1), b.ship("e2", "ENG", "e", squadron="one", order=2),
        b.ship("e3", "ENG", "e", squadron="one", order=1), b.ship("e0", "ENG", "e", squadron="zero", prize=True),
        b.ship("e4", "ENG", "e", squadron="away"), b.ship("e5", "ENG", "e", squadron="one", order=1),
    )  # fmt: skip
    rows = {**made.facts.squadrons}
    rows["two"] = replace(rows["two"], order=1)
    rows["one"] = replace(rows["one"], order=2)
    del rows["away"]
    made.facts = replace(made.facts, squadrons=rows)
    made.ships_changed()
    assert [ship.code for ship in made.ships_of("e")] == ["e4", "e1", "e3", "e5", "e2", "e0"]
    made.state.ships["e4"] = replace(made.state.ships["e4"], fate=Fate.SUNK)
    made.ships_changed()
    assert "e4" not in [ship.code for ship in made.ships_of("e")]


@pytest.mark.clause("G.CO1", "G.CO6")
def test_the_strength_of_a_fleet_and_its_will_to_fight_are_those_of_its_own_ships_that_sail() -> None:
    made = chart(
        b.ship("e1", "ENG", "e", condition={"lost": 10}),
        b.ship("e2", "ENG", "e", prize=True),
        b.ship("d1", "NLD", "d", men=29),
    )
    assert made.value("e") == 20
    assert made.can_fight("e")
    assert not made.can_fight("d")
    assert not chart(b.ship("e1", "ENG", "e", prize=True)).can_fight("e")
    assert not chart(b.ship("e1", "ENG", "e", condition={"lost": 20})).can_fight("e")


@pytest.mark.clause("G.CH3", "G.PT1")
def test_enemy_ports_are_closed_and_the_nearest_friendly_port_is_measured_by_the_way() -> None:
    made = chart()
    assert enemy_ports(made.facts, "ENG") == frozenset({"theirs"})
    assert enemy_ports(made.facts, "NLD") == frozenset({"home"})
    assert enemy_ports(replace(made.facts, at_war=frozenset()), "ENG") == frozenset()
    assert made.nearest_own_port(Position("c"), "ENG") == "home"
    assert made.nearest_own_port(Position("a"), "NLD") == "theirs"


def seized(**prize: Any) -> Chart:
    """A Dutch fleet of one prize alone, once English unless said otherwise, is brought to gunshot by e."""
    ship = b.ship(
        "p", "NLD", "d", squadron="prizes", prize=True, **{"men": 40, "facts": {"nation": "England"}, **prize}
    )
    made = chart(b.ship("e1", "ENG", "e", men=60), b.ship("e2", "ENG", "e", men=50), ship)
    made.state.prizes["p"] = PrizeHold(25, "ENG")
    assert defenceless(made, [made.state.fleets["d"]])
    assert not defenceless(made, [made.state.fleets["d"], made.state.fleets["e"]])
    seize(made, made.state.fleets["e"], [made.state.fleets["d"]])
    return made


@pytest.mark.clause("G.PR3", "G.PR1")
@pytest.mark.parametrize(("men", "crew"), [(40, 30), (30, 30), (29, 29)])
def test_the_crew_for_a_retaken_ship_is_as_many_as_the_prize_crew_and_up_to_half(men: int, crew: int) -> None:
    made = seized(men=men)
    ship, state = made.state.ships["p"], made.state
    assert (ship.side, ship.fleet, ship.prize, ship.squadron, ship.men) == (
        "ENG",
        "e",
        False,
        "e-1",
        crew + 25,
    )
    assert (state.ships["e1"].men, state.ships["e2"].men) == (60 - crew, 50)
    assert state.economy.captives["p"] == ("NLD", men)
    assert state.prizes == {} and state.fleets["d"].ended
    (event,) = [event for event in state.events if event.kind == "retaken"]
    assert (event.data["captor_ship"], event.data["prisoners"]) == ("e1", men)


@pytest.mark.clause("G.PR3", "G.PR1")
def test_a_prize_of_another_nation_becomes_a_prize_again_and_her_captives_stay_captive() -> None:
    made = seized(facts={"nation": "France"})
    ship, state = made.state.ships["p"], made.state
    assert (ship.side, ship.prize, ship.squadron, ship.men) == ("ENG", True, "prizes", 30)
    assert (state.prizes["p"].prisoners, state.prizes["p"].taken_from) == (40, "NLD")
    assert state.economy.prizes["p"].captor == "ENG"
    assert [event.kind for event in state.events if event.kind in ("captured", "retaken")] == ["captured"]


@pytest.mark.clause("G.MV5", "G.PR1", "G.PR5")
@pytest.mark.parametrize(
    ("policy", "fate"), [("burn", Fate.BURNT), ("release", Fate.AFLOAT), ("man", Fate.AFLOAT)]
)
def test_captors_that_do_not_man_their_prizes_burn_or_release_them(policy: str, fate: Fate) -> None:
    made = chart(b.ship("e1", "ENG", "e", men=60), b.ship("e2", "ENG", "e", men=50),
                 b.ship("p", "ENG", "e", squadron="prizes", prize=True, men=10), b.ship("d1", "NLD", "d"))  # fmt: skip
    made.state.prizes["p"] = PrizeHold(25, "NLD")
    fleet = made.state.fleets["e"]
    instructions = replace(fleet.order.instructions, prizes=policy)
    made.alter(fleet, order=replace(fleet.order, instructions=instructions))
    dispose(made, ["p", "e1"], 9)
    ships, state = made.state.ships, made.state
    assert ships["p"].fate is fate
    assert (ships["e1"].men, ships["e2"].men) == (60 if policy == "man" else 70, 50)
    kinds = {"burn": ["burnt_at_sea"], "release": ["let_go"], "man": []}[policy]
    assert [event.kind for event in state.events if event.hour == 9] == kinds
    assert state.economy.captives == ({"e1": ("NLD", 25)} if policy == "burn" else {})
    assert (ships["p"].side, ships["p"].men) == {
        "burn": ("ENG", 0),
        "release": ("NLD", 25),
        "man": ("ENG", 10),
    }[policy]


@pytest.mark.clause("G.BT6")
def test_a_squadron_that_the_turn_does_not_know_sails_before_the_first_that_it_knows() -> None:
    made = chart(
        b.ship("e1", "ENG", "e", squadron="first"), b.ship("e2", "ENG", "e", squadron="unknown"),
        b.ship("e3", "ENG", "e", squadron="zero"),
    )  # fmt: skip
    rows = {**made.facts.squadrons}
    rows["first"], rows["zero"] = replace(rows["first"], order=1), replace(rows["zero"], order=0)
    del rows["unknown"]
    made.facts = replace(made.facts, squadrons=rows)
    made.ships_changed()
    assert [ship.code for ship in made.ships_of("e")] == ["e2", "e3", "e1"]


@pytest.mark.clause("G.CH3", "G.PT1")
def test_a_place_with_an_owner_that_is_no_port_is_neither_a_haven_nor_closed() -> None:
    doc = b.square_doc()
    for node in doc["nodes"]:
        node.update({"b": {"owner": "England"}, "n": {"owner": "Dutch Republic"}}.get(node["id"], {}))
    made = chart(sea=read_theatre(doc))
    assert made.nearest_own_port(Position("c"), "ENG") == "home"
    assert made.nearest_own_port(Position("n"), "NLD") == "theirs"
    assert (enemy_ports(made.facts, "ENG"), enemy_ports(made.facts, "NLD")) == ({"theirs"}, {"home"})
    nobody = replace(made.facts.sides["ENG"], nations=())
    alone = chart(sides={**made.facts.sides, "ENG": nobody})
    assert alone.nearest_own_port(Position("home"), "ENG") == ""


@pytest.mark.clause("G.IN2")
@pytest.mark.parametrize(
    ("knows", "data", "near"),
    [
        (("NLD",), {"fleet": "d"}, "b"),
        (("NLD", "NLD"), {"fleet": "d"}, "b"),
        (("NLD", "ENG"), {"fleet": "d"}, None),
        (("ENG",), {"fleet": "d"}, None),
        (("NLD",), {"fleet": "gone"}, None),
        (("NLD",), {}, None),
    ],
    ids=str,
)
def test_an_event_of_one_side_notes_the_place_that_its_fleet_is_nearest_to(
    monkeypatch: pytest.MonkeyPatch, knows: tuple[str, ...], data: dict[str, Any], near: str | None
) -> None:
    monkeypatch.setattr(world, "check", lambda kind, data: None)
    made = chart()
    made.alter(made.state.fleets["d"], position=Position("c", "b", 31_000))
    made.tell("made_up", "G.IN2", *knows, **data)
    made.tell("made_up", "G.IN2", *knows, **data, place="n", hour=7)
    first, placed = made.state.events
    assert (first.data.get(world.NEAR), first.hour, placed.hour) == (near, 0, 7)
    assert world.NEAR not in placed.data
    assert first.knows == tuple(sorted(set(knows)))
