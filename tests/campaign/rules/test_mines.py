"""Minefields on the chart: laid, kept secret, struck, swept, carried into battles and out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine import registry
from battles.engine.core.dice import KeyedDice
from battles.engine.core.outcome import MinesLeft, Outcome
from battles.engine.core.scenario import ShipFacts, Stance, read_scenario
from campaign.rules.battle.ongoing import hold
from campaign.rules.chart.types import (
    BattleCall,
    FleetFacts,
    FleetOrder,
    OnArrival,
    Position,
    ShipSheet,
    TurnFacts,
)
from campaign.rules.mines.battles import mines_back, mines_told
from campaign.rules.mines.step import load_step, mine_step
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.minefields import Minefield, Mines
from campaign.rules.state.state import TurnState, state_hash
from campaign.rules.state.world import Chart
from campaign.rules.turn.own_facts import own_facts
from campaign.rules.turn.turn import carried_over
from tests.campaign.rules import builders as b
from tests.campaign.rules.shores import chart, knows, told

OFF = Position("c", "theirs", 60_000 - 1_000)
CARRIER = {"hull": 20, "value": 4, "mines": 6, "aboard": 6}
NIGHT, DAWN, FORENOON = 18, 24, 3


pytestmark = pytest.mark.usefixtures("with_mines")


def order(fleet: str, deed: OnArrival, *route: str) -> FleetOrder:
    return FleetOrder(fleet, route, Stance.AVOID, deed)


def layer(position: Position = OFF, *route: str, **over: Any) -> FleetFacts:
    made = b.fleet("e", "ENG", "c", order=order("e", OnArrival.MINE, *(route or ("theirs",))))
    return replace(made, position=position, **over)


def minelayer(code: str = "e1", **card: Any) -> ShipSheet:
    return b.ship(code, "ENG", "e", card={**CARRIER, **card})


def made(
    fleets: list[FleetFacts],
    ships: list[ShipSheet] | None = None,
    mines: Mines | None = None,
    **over: Any,
) -> TurnFacts:
    carried = {"mines": mines.doc()} if mines else {}
    return b.facts(fleets, ships, carried=carried, **{"weather": b.weather(wind=0), **over})


def field(side: str = "NLD", place: str = "theirs", sections: int = 6, known: tuple[str, ...] = ()) -> Mines:
    return Mines({"m001": Minefield("m001", side, place, sections, known)}, laid=1)


def moored_off(*, hour: int, mines: Mines, deed: OnArrival = OnArrival.BLOCKADE, faces: Any = (), **over: Any) -> Chart:  # fmt: skip
    """An English fleet of three off the Dutch port."""
    ships = [b.ship(f"e{n}", "ENG", "e", order=n) for n in range(3)]
    station = OFF if deed is not OnArrival.BLOCKADE else replace(OFF, run=60_000 - 6_000)
    fleet = replace(b.fleet("e", "ENG", "c", order=order("e", deed, "theirs")), position=station)
    return chart(made([fleet], ships, mines, **over), faces, hour=hour)


# --- laying ---


@pytest.mark.clause("G.MN1")
def test_mines_are_laid_before_an_enemys_port_by_night_and_the_layer_goes_back() -> None:
    at_noon, by_night = (chart(made([layer()], [minelayer()]), hour=hour) for hour in (6, NIGHT))
    b.step(mine_step, at_noon)
    assert not at_noon.state.mines.fields
    b.step(mine_step, by_night)
    assert by_night.state.mines.fields == {"m001": Minefield("m001", "ENG", "theirs", 6)}
    assert by_night.state.mines.aboard == {"e1": 0}
    now = by_night.state.fleets["e"]
    assert (now.order.on_arrival, now.order.route[:1]) == (OnArrival.ANCHOR, ("c",))
    assert now.position.run == 60_000 - 6_000
    assert knows(by_night, "mines_laid") == [("ENG",)]


@pytest.mark.clause("G.MN1")
def test_in_fog_mines_are_laid_before_an_enemys_port_by_day_too() -> None:
    foggy = chart(made([layer()], [minelayer()], weather=b.weather(visibility="fog")), hour=6)
    b.step(mine_step, foggy)
    assert len(foggy.state.mines.fields) == 1


@pytest.mark.clause("G.MN1")
def test_elsewhere_they_are_laid_at_once_and_not_twice() -> None:
    there = replace(layer(), position=Position("n"), order=order("e", OnArrival.MINE))
    played = chart(made([there], [minelayer(), minelayer("e2", aboard=4)]), hour=6)
    b.step(mine_step, played)
    assert [row.sections for row in played.state.mines.at("n")] == [6, 4]
    b.step(mine_step, played)
    assert len(played.state.mines.fields) == 2


@pytest.mark.clause("G.MN1")
@pytest.mark.parametrize(("place", "taken"), [("home", 6), ("n", 0)])
def test_mines_are_taken_aboard_at_dawn_in_a_friendly_port_with_a_yard(place: str, taken: int) -> None:
    fleet = replace(layer(), position=Position(place), order=order("e", OnArrival.MINE, "b", "n"))
    played = chart(made([fleet], [minelayer(aboard=0)]), hour=DAWN)
    b.step(load_step, played)
    assert played.state.mines.aboard.get("e1", 0) == taken
    assert len(told(played, "mines_aboard")) == bool(taken)


@pytest.mark.clause("G.MN1")
@pytest.mark.parametrize(
    ("deed", "card", "route", "fault"),
    [
        ("mine", CARRIER, ("theirs",), ""),
        ("mine", CARRIER, ("b", "n"), ""),
        ("mine", CARRIER, ("b",), "order/no-mines-there"),
        ("mine", b.CARD, ("theirs",), "order/no-minelayer"),
        ("sweep", {**b.CARD, "sweeps": True}, ("theirs",), ""),
        ("sweep", b.CARD, ("theirs",), "order/no-sweeper"),
        ("torpedo", CARRIER, ("theirs",), "order/unknown-to-rules"),
    ],
)
def test_each_error_in_an_order_for_mines_is_reported(
    deed: str, card: Any, route: tuple[str, ...], fault: str
) -> None:
    facts = made([layer(Position("c"))], [b.ship("e1", "ENG", "e", card=card)])
    full = route if route[0] == "theirs" else ("b", *route[1:])
    found = order_faults(facts, order("e", OnArrival(deed), *full), "ENG")
    assert [row.code for row in found] == ([fault] if fault else [])


def test_a_rule_set_without_mines_refuses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(b.PLAIN.at_sea), "lays_mines", False)
    found = order_faults(made([layer()], [minelayer()]), order("e", OnArrival.MINE, "theirs"), "ENG")
    assert [row.code for row in found] == ["order/unknown-to-rules"]


# --- struck ---


@pytest.mark.clause("G.MN2", "P.X08")
@pytest.mark.parametrize(
    ("sections", "face", "met"), [(6, 2, True), (6, 3, False), (3, 1, True), (3, 2, False)]
)
def test_a_fleet_meets_a_minefield_section_by_section(sections: int, face: int, met: bool) -> None:
    played = moored_off(hour=DAWN, mines=field(sections=sections), faces=(face, *((1, 1, 1, 1) * met)))
    b.step(mine_step, played)
    played.dice.finish()  # type: ignore[attr-defined]
    assert len(told(played, "mine_struck")) == met


@pytest.mark.clause("G.MN2", "P.X05")
def test_mines_attack_the_two_leading_ships_and_their_side_then_knows_the_minefield() -> None:
    played = moored_off(hour=DAWN, mines=field(), faces=(1, 6, 1, 3, 1))
    b.step(mine_step, played)
    (row,) = told(played, "mine_struck")
    assert (row["ships"], row["lost"], row["hurt"]) == (["e0", "e1"], ["e0"], ["e1"])
    assert played.state.ships["e0"].fate.value == "sunk"
    assert played.state.ships["e1"].condition == {"lost": 8}
    assert played.state.mines.fields["m001"].known == ("ENG",)
    assert played.state.mines.fields["m001"].sections == 6
    assert knows(played, "mine_struck") == [("ENG",)]


@pytest.mark.clause("G.MN2")
@pytest.mark.parametrize(
    ("mines", "weather", "throws"),
    [
        (field("NLD", known=("ENG",)), {}, False),
        (field("ENG"), {}, False),
        (field("ENG"), {"visibility": "fog"}, True),
        (field("ENG"), {"strength": "gale"}, True),
        (field("NLD"), {}, True),
    ],
)
def test_a_fleet_that_knows_a_minefield_keeps_clear_of_it_except_in_fog_and_gale(
    mines: Mines, weather: Any, throws: bool
) -> None:
    played = moored_off(hour=DAWN, mines=mines, faces=(6,) * throws, weather=b.weather(**weather))
    b.step(mine_step, played)
    played.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("G.MN2")
@pytest.mark.parametrize(("place", "throws"), [("theirs", 0), ("n", 1), ("b", 0)])
def test_a_fleet_that_comes_to_a_mined_place_meets_its_minefields(place: str, throws: int) -> None:
    played = chart(made([b.fleet("e", "ENG", "b", "n")], mines=field(place="n")), (6,) * throws, hour=8)
    played.entered.append(("e", place))
    b.step(mine_step, played)
    played.dice.finish()  # type: ignore[attr-defined]


@pytest.mark.clause("G.MN2")
def test_whoever_leaves_a_mined_port_meets_them_too_and_mid_morning_blockaders_do_not() -> None:
    played = chart(made([b.fleet("e", "ENG", "b")], mines=field(place="home")), (6,), hour=8)
    played.departed.append(("e", "home"))
    b.step(mine_step, played)
    played.dice.finish()  # type: ignore[attr-defined]
    mine_step(moored_off(hour=8, mines=field()))


# --- swept ---


def sweeping(faces: tuple[int, ...], mines: Mines, hour: int = FORENOON, **over: Any) -> Chart:
    ships = [b.ship("e1", "ENG", "e", card={**b.CARD, "sweeps": True})]
    fleet = replace(b.fleet("e", "ENG", "c", order=order("e", OnArrival.SWEEP, "theirs")), position=OFF)
    return chart(made([fleet], ships, mines, **over), faces, hour=hour)


@pytest.mark.clause("G.MN3", "P.X09", "P.X10")
@pytest.mark.parametrize(("face", "sections", "known"), [(3, 6, ()), (4, 5, ("ENG",))])
def test_a_sweeper_searches_for_a_minefield_and_clears_a_section(
    face: int, sections: int, known: tuple[str, ...]
) -> None:
    played = sweeping((face, *((1, 1) if known else ())), field())
    b.step(mine_step, played)
    row = played.state.mines.fields["m001"]
    assert (row.sections, row.known) == (sections, known)
    assert knows(played, "mines_swept") == [("ENG",)] * bool(known)


@pytest.mark.clause("G.MN3", "P.X10")
def test_a_sweeper_that_is_hurt_sweeps_nothing() -> None:
    played = sweeping((3, 1), field(known=("ENG",)))
    b.step(mine_step, played)
    assert played.state.mines.fields["m001"].sections == 6
    (row,) = told(played, "mines_swept")
    assert (row["sections"], row["hurt"]) == (0, ["e1"])


@pytest.mark.clause("G.MN3")
def test_the_last_section_ends_the_minefield() -> None:
    played = sweeping((1, 1), field(sections=1, known=("ENG",)))
    b.step(mine_step, played)
    assert not played.state.mines.fields


@pytest.mark.clause("G.MN3")
@pytest.mark.parametrize(
    ("hour", "mines", "weather"),
    [
        (4, field(known=("ENG",)), {}),
        (FORENOON, field("ENG"), {}),
        (FORENOON, field("ENG"), {"strength": "gale"}),
    ],
)
def test_no_one_sweeps_at_other_hours_in_a_gale_or_their_own_mines(
    hour: int, mines: Mines, weather: Any
) -> None:
    played = sweeping((), mines, hour=hour, weather=b.weather(**weather))
    played.state.fleets["e"] = replace(played.state.fleets["e"], under_way=False)
    b.step(mine_step, played)
    assert told(played, "mines_swept") == []


# --- battles ---


def in_battle(mines: Mines, position: Position = OFF) -> tuple[Chart, dict[str, Any]]:
    fleets = [layer(position), b.fleet("d", "NLD", "theirs")]
    played = chart(made(fleets, [minelayer(), b.ship("d1", "NLD", "d")], mines), hour=6)
    state = played.state
    groups = {"ENG": [state.fleets["e"]], "NLD": [state.fleets["d"]]}
    return played, mines_told(played, "b01", position, groups)


@pytest.mark.clause("G.MN4", "P.K12")
@pytest.mark.parametrize(
    ("mines", "sown"),
    [(field(sections=5), {"NLD": [5]}), (field(known=("ENG",)), {}), (field(place="n"), {})],
)
def test_a_battle_includes_minefields_that_one_side_does_not_know(mines: Mines, sown: Any) -> None:
    played, switches = in_battle(mines)
    assert switches == {"mines": [180, sown, {"ENG": {"e1": 6}}]}
    assert played.state.mines.fought == {"b01": ("m001",) if sown else ()}


@pytest.mark.clause("G.MN4")
@pytest.mark.parametrize(("off", "there"), [(6_000, True), (6_001, False)])
def test_mines_lie_no_farther_off_than_a_blockader(off: int, there: bool) -> None:
    _, switches = in_battle(field(), replace(OFF, run=60_000 - off))
    assert bool(switches["mines"][1]) is there


@pytest.mark.clause("G.MN4", "P.K12", "P.K14")
@pytest.mark.parametrize(("place", "fields"), [("theirs", 2), ("b", 1)])
def test_what_a_battle_leaves_of_mines_stays_on_the_chart(place: str, fields: int) -> None:
    played, _ = in_battle(field())
    left = (
        MinesLeft("NLD", 2, ("ENG",)),
        MinesLeft("ENG", 4, (), carrier="e1", unlaid=2),
    )
    outcome = Outcome("plain", 1, 5, "parted", (), mines=left)
    mines_back(played, BattleCall("b01", 6, place, {}, {}), Outcome.from_dict(outcome.to_dict()))
    mines = played.state.mines
    assert mines.fields["m001"] == Minefield("m001", "NLD", "theirs", 2, ("ENG",))
    assert mines.aboard == {"e1": 2} and not mines.fought
    assert len(mines.fields) == fields


@pytest.mark.clause("G.MN4")
def test_a_result_from_the_table_leaves_the_mines_as_they_were() -> None:
    played, _ = in_battle(field())
    mines_back(played, BattleCall("b01", 6, "theirs", {}, {}), Outcome("plain", 1, 5, "parted", ()))
    assert played.state.mines.fields == field().fields and not played.state.mines.fought


@pytest.mark.clause("G.MN4", "G.BT4")
def test_a_battle_that_is_held_keeps_the_minefields_it_began_with() -> None:
    played, _ = in_battle(field())
    hold(played, BattleCall("b01", 6, "theirs", {"ENG": ("e",), "NLD": ("d",)}, {"sides": []}))
    assert list(played.state.mines.fought) == list(played.state.ongoing) != ["b01"]


# --- storing, and who knows ---


@pytest.mark.clause("G.MN1", "G.IN1")
def test_a_side_is_given_its_own_mines_and_those_that_it_has_found() -> None:
    mines = Mines(
        {
            "m001": Minefield("m001", "NLD", "n", 6, ("ENG",)),
            "m002": Minefield("m002", "NLD", "theirs", 6),
            "m003": Minefield("m003", "ENG", "theirs", 6, ("NLD",)),
        },
        {"e1": 0, "d1": 6},
        3,
        {"b01": ("m002",)},
    )
    facts = made([layer(), b.fleet("d", "NLD", "theirs")], [minelayer(), b.ship("d1", "NLD", "d")], mines)
    seen = Mines.read(own_facts(facts, "ENG").carried["mines"])
    assert set(seen.fields) == {"m001", "m003"}
    assert seen.fields["m003"].known == ()
    assert (seen.aboard, seen.fought, seen.laid) == ({"e1": 0}, {}, 2)


@pytest.mark.clause("G.CL2", "G.MN1")
def test_mines_are_saved_where_there_are_any_and_only_there() -> None:
    facts = made([layer()], [minelayer()])
    state = chart(facts, hour=NIGHT).state
    assert "mines" not in state.to_dict()
    state.mines = field()
    again = TurnState.from_dict(state.to_dict())
    assert again.mines == field() and state_hash(again) == state_hash(state)
    assert carried_over(facts, state)["carried"]["mines"] == field().doc()
    state.copy().mines.leave("m001", 0)
    assert state.mines.fields


@pytest.mark.clause("G.MN1", "G.MV2")
def test_a_minelayer_sails_lays_and_is_on_its_way_home_at_the_end() -> None:
    fleet = replace(layer(Position("c"), "theirs"), order=order("e", OnArrival.MINE, "theirs"))
    state, _ = b.play(made([fleet], [minelayer()]), reload=True)
    assert [row.place for row in state.mines.fields.values()] == ["theirs"]
    assert state.fleets["e"].order.on_arrival is OnArrival.ANCHOR


# --- Barker's figures ---


def barker(kind: str, **facts: Any) -> dict[str, Any]:
    rules = registry.rule_set("barker")
    return rules.card(
        ShipFacts(ship_type=kind, **{"nation": "Japan", "year_built": 1900, "built_by": "Japan", **facts})
    )


@pytest.mark.clause("P.X05", "P.E03", "P.E04", "P.E09")
@pytest.mark.parametrize(
    ("kind", "rung", "attack", "defence", "after"),
    [
        ("battleship", 0, 5, 1, 6), ("battleship", 0, 4, 4, 3), ("battleship", 2, 4, 4, 3), ("battleship", 0, 3, 4, 0),
        ("destroyer", 0, 4, 1, 6), ("battleship", 3, 2, 1, 6), ("battleship", 3, 1, 3, 6), ("submarine", 0, 1, 2, 6),
    ],
)  # fmt: skip
def test_a_mine_of_the_chart_does_what_one_of_the_battle_does(
    kind: str, rung: int, attack: int, defence: int, after: int
) -> None:
    """The throws of P.EX15."""
    at_sea = registry.rule_set("barker").at_sea
    card = barker(kind, **({"year_built": 1903} if kind == "submarine" else {}))
    now = {**at_sea.sound(card), "damage": rung % 3, "crippled": rung >= 3}
    found = at_sea.mined(card, now, attack, defence)
    assert 3 * found["crippled"] + found["damage"] + 6 * found["gone"] == after


@pytest.mark.clause("P.X01", "P.X04", "P.X09", "P.R07")
def test_the_rules_say_which_ships_lay_mines_and_which_sweep_them() -> None:
    at_sea = registry.rule_set("barker").at_sea
    layer_, transport = barker("transport", tags=("minelayer",)), barker("transport")
    assert [at_sea.mines(card) for card in (layer_, transport, barker("battleship"))] == [6, 6, 0]
    assert [at_sea.mines_aboard(card) for card in (layer_, transport)] == [6, 0]
    destroyer, boat = barker("destroyer"), barker("torpedo_boat")
    assert [at_sea.sweeps(destroyer, year) for year in (1903, 1904)] == [False, True]
    assert not at_sea.sweeps(boat, 1904)


@pytest.mark.clause("P.X03", "G.MN4")
@pytest.mark.parametrize(("towards", "across"), [(180, True), (225, True), (270, False), (90, False)])
def test_minefields_on_the_chart_lie_across_the_middle_of_the_table(towards: int, across: bool) -> None:
    found = registry.rule_set("barker").mines_in(towards, {"R": [2, 1], "J": [1]}, {"R": {"amur": 6}})
    line = {"J": [[600]], "R": [[-600, -700], [1400]]}
    for side, rows in line.items():
        want = [[[yard, 0] if across else [0, yard] for yard in row] for row in rows]
        assert found["mines"][side]["sown"] == want
    assert found["mines"]["R"]["unsown"] == {"amur": 6}


@pytest.mark.clause("G.MN4", "P.K12", "P.X06")
def test_a_battle_fought_by_computer_includes_the_mines_on_the_chart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its outcome gives back every field, and a minelayer in it keeps what it has not laid."""
    rules = registry.rule_set("barker")
    cards = {kind: barker(kind) for kind in ("cruiser_3", "transport")}

    def ship(code: str, side: str, fleet: str, kind: str) -> ShipSheet:
        nation = {"ENG": "England", "NLD": "Dutch Republic"}[side]
        facts = {"nation": nation, "built_by": nation, "ship_type": kind, "year_built": 1900}
        tags = {"tags": ["minelayer"]} if kind == "transport" else {}
        card = barker(kind, tags=("minelayer",)) if tags else cards[kind]
        return b.ship(code, side, fleet, card=card, condition=rules.at_sea.sound(card), facts=facts | tags)

    attack = FleetOrder("e", ("theirs",), Stance.SEEK, OnArrival.ATTACK)
    fleets = [replace(b.fleet("e", "ENG", "c", order=attack), position=OFF), b.fleet("d", "NLD", "theirs")]
    ships = [
        *(ship(f"e{n}", "ENG", "e", "cruiser_3") for n in range(2)),
        *(ship(f"d{n}", "NLD", "d", kind) for n, kind in enumerate(("cruiser_3", "transport"))),
    ]
    facts = made(fleets, ships, field(sections=4), rule_set="barker", start_date="1904-06-01")
    outcomes: list[dict[str, Any]] = []

    def fight(call: BattleCall) -> dict[str, Any]:
        scenario = read_scenario(call.scenario)
        assert rules.scenario_faults(scenario) == ()
        dice = KeyedDice(b"mines", prefix=scenario.code)
        outcomes.append(rules.outcome(rules.play(scenario, dice)).to_dict())
        return outcomes[-1]

    state, _ = b.play(facts, fought=fight, reload=True)
    sown, unsown = outcomes[0]["mines"]
    assert (sown["side"], sown["carrier"], unsown["carrier"]) == ("NLD", "", "d1")
    assert state.mines.fields["m001"].sections == sown["sections"]
    assert state.mines.aboard["d1"] == unsown["unlaid"]
