"""Gales: foundering once a gale, the strain of the sea, and fleets that are scattered and find each other again."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.engine import registry
from battles.engine.core.dice import Dice, Die, KeyedDice, ScriptedDice
from battles.engine.core.fates import Fate
from battles.engine.core.log import Log
from battles.engine.core.scenario import ShipFacts, Stance, Strength
from campaign.rules.chart.types import (
    Battles,
    FleetOrder,
    Instructions,
    Position,
    Settings,
    TurnFacts,
    Visibility,
)
from campaign.rules.losses import adrift, gales
from campaign.rules.state.state import RETAKEN, TurnState, ZoneWeather, state_hash
from campaign.rules.state.world import Chart
from campaign.rules.turn import joining, turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_shoals import shoals
from tests.campaign.rules.test_turn import crowded, hurtful, shuffled

GALE = ZoneWeather(270, Strength.GALE, Visibility.CLEAR)
FAIR = ZoneWeather(270, Strength.MODERATE, Visibility.CLEAR)


def chart_of(made: TurnFacts, faces: tuple[int, ...] = (), now: ZoneWeather = GALE, hour: int = 1) -> Chart:
    """A chart in a gale from the west, with the faces that are thrown next."""
    state = turn.standing(made)
    state.weather["sea"] = now
    state.hour = hour
    return Chart(made, state, ScriptedDice(faces))


def one(lost: int = 11, *, at: str = "a", route: tuple[str, ...] = (), **over: Any) -> TurnFacts:
    """A fleet of one ship that has lost so many of twenty hull points: eleven are two quarters."""
    return b.facts(
        [b.fleet("e", "ENG", at, *route)], [b.ship("s", "ENG", "e", condition={"lost": lost}, **over)]
    )


def foundered(chart: Chart) -> bool:
    gales.gale_step(chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    return chart.state.ships["s"].fate is Fate.FOUNDERED


@pytest.mark.clause("G.GF1", "K.G1", "K.G3")
@pytest.mark.parametrize(("face", "gone"), [(1, True), (2, True), (3, False), (8, False)])
def test_a_damaged_ship_must_throw_more_than_her_lost_steps(face: int, gone: bool) -> None:
    chart = chart_of(one(), (face,) if gone else (face, 6))
    assert foundered(chart) is gone
    assert chart.state.fleets["e"].ended is gone
    told = {event.kind: event for event in chart.state.events}
    assert told["rode_out"].data["thrown"] == [["s", face, 2]]
    assert told["rode_out"].knows == ("ENG",)
    assert ("lost" in told) is gone


@pytest.mark.clause("G.GF1", "G.PR3", "K.G3")
@pytest.mark.parametrize(("face", "gone"), [(3, True), (4, False)])
def test_a_prize_subtracts_one(face: int, gone: bool) -> None:
    assert foundered(chart_of(one(prize=True), (face,) if gone else (face, 6))) is gone


@pytest.mark.clause("G.GF1", "K.G2")
@pytest.mark.parametrize(("prize", "gone"), [(True, True), (False, False)])
def test_with_no_step_lost_a_one_founders_only_a_prize(prize: bool, gone: bool) -> None:
    assert foundered(chart_of(one(1, prize=prize), (1,) if gone else (1, 6))) is gone


@pytest.mark.clause("G.GF1", "K.G2")
@pytest.mark.parametrize(
    ("hull", "steps", "thrown"), [(0, 0, False), (1, 0, True), (0, 1, True), (1, 1, True)]
)
def test_a_ship_throws_when_she_has_lost_hull_or_a_step(hull: int, steps: int, thrown: bool) -> None:
    class Leaky(b.PlainAtSea):
        """A rule set that counts steps apart from the hull."""

        def steps_lost(self, card: Any, condition: Any) -> int:
            return steps

    chart = chart_of(one(hull), (8, 6) if thrown else ())
    chart.at_sea = Leaky()  # type: ignore[assignment]
    assert not foundered(chart)
    assert [event.data["thrown"] for event in chart.state.events if event.kind == "rode_out"] == (
        [[["s", 8, steps]]] if thrown else []
    )


@pytest.mark.clause("G.GF1", "G.PR3")
def test_a_retaken_ship_subtracts_one_until_she_has_been_in_a_friendly_port() -> None:
    chart = chart_of(one(), (3,))
    chart.state.mark("s", RETAKEN)
    assert foundered(chart)
    home = chart_of(one(at="home"), hour=24)
    home.state.mark("s", RETAKEN)
    gales.gale_step(home)
    assert not home.state.marks


@pytest.mark.clause("G.GF1")
@pytest.mark.parametrize(("face", "gone"), [(1, True), (2, False)])
def test_an_open_anchorage_adds_one_and_no_one_parts_there(face: int, gone: bool) -> None:
    assert foundered(chart_of(one(at="n"), (face,))) is gone


@pytest.mark.clause("G.GF1")
def test_a_ship_that_has_left_an_anchorage_gets_no_shelter_from_it() -> None:
    assert foundered(chart_of(one(at="n", route=("b",)), (2,)))


@pytest.mark.clause("G.GF1")
@pytest.mark.parametrize("made", [one(at="home"), one(0)])
def test_ships_in_port_and_sound_ships_do_not_throw(made: TurnFacts) -> None:
    assert not foundered(chart_of(made))


@pytest.mark.clause("G.GF1")
@pytest.mark.parametrize("name", ["founder_prize", "founder_anchorage"])
def test_the_umpire_sets_what_is_added_and_subtracted(name: str) -> None:
    made = replace(one(prize=True, at="n"), settings=replace(Settings(), **{name: 3}))
    assert foundered(chart_of(made, (3,) if name == "founder_prize" else (1,))) is (name == "founder_prize")


@pytest.mark.clause("G.GF1")
def test_a_gale_is_thrown_for_once_and_is_new_only_after_a_day_without_one() -> None:
    chart = chart_of(one(), (8, 6))
    gales.gale_step(chart)
    for hour, now in ((2, GALE), (3, FAIR), (26, FAIR), (26, GALE)):
        chart.state.hour, chart.state.weather["sea"] = hour, now
        gales.gale_step(chart)
    assert chart.state.gales["sea"].began == 1
    chart.state.hour, chart.state.weather["sea"] = 51, GALE
    chart.dice = ScriptedDice((8, 6))
    gales.gale_step(chart)
    chart.dice.finish()
    assert chart.state.gales["sea"].began == 51


@pytest.mark.clause("G.GF1")
def test_a_ship_that_puts_to_sea_in_a_gale_throws_then_and_is_not_scattered() -> None:
    chart = chart_of(one(at="home", route=("a",)))
    gales.gale_step(chart)
    chart.state.hour = 2
    chart.alter(chart.state.fleets["e"], position=Position("home", "a", 3000))
    chart.dice = ScriptedDice((8,))
    gales.gale_step(chart)
    chart.dice.finish()


@pytest.mark.clause("G.GF1", "G.WX3")
def test_fleets_that_fought_meet_a_gale_that_ends_their_battle_at_once_and_only_once() -> None:
    rows = [b.fleet("e", "ENG", "a", stance=Stance.SEEK), b.fleet("d", "NLD", "a", to="b", run=900)]
    made = b.facts(rows, weather=b.weather())
    hurt = {"e1": {"condition": {"lost": 12}}, "d1": {"condition": {"lost": 6}}}
    state, _ = b.play(made, fought=lambda call: b.outcome_of(call, minutes=90, ended="gale", **hurt))
    met = [event for event in state.events if event.kind == "rode_out"]
    assert [(event.hour, event.data["fleet"]) for event in met[:2]] == [(3, "d"), (3, "e")]
    thrown = [row[0] for event in met for row in event.data["thrown"]]
    assert sorted(thrown) == ["d1", "e1"]


@pytest.mark.clause("G.GF1", "G.GF3", "G.WX3")
def test_a_gale_that_ends_a_battle_begins_after_it_and_scatters_everyone_at_sea_in_the_zone() -> None:
    made = far_from_a_battle()
    state, _ = b.play(made, fought=lambda call: b.outcome_of(call, minutes=90, ended="gale"), reload=True)
    (began,) = [event.hour for event in state.events if event.kind == "gale" and event.clause == "G.WX3"]
    (ended,) = [event.hour for event in state.events if event.kind == "battle_ended"]
    assert began == ended == 3
    assert state.gales["sea"].began == 3
    parted = [event for event in state.events if event.kind == "parted_company"]
    assert {(event.hour, event.data["parent"]) for event in parted} == {(3, "e"), (3, "far")}
    assert {"e1", "d1", "far0"} <= set(state.gales["sea"].faced)


@pytest.mark.clause("G.GF3", "G.WX3")
def test_until_the_battle_is_over_the_others_sail_in_the_earlier_weather() -> None:
    made = far_from_a_battle()
    state = turn.begin(made, {}, b.dice(made))
    state, stop = turn.advance(made, state, {}, b.dice(made))
    assert isinstance(stop, Battles)
    (call,) = stop.calls
    long = b.outcome_of(call, minutes=24 * 60, ended="gale")
    over, _ = turn.advance(made, state, {call.code: long}, b.dice(made))
    assert not [event for event in over.events if event.clause in ("G.WX3", "G.GF3")]
    assert over.storms == ((call.hour + 24, "sea"),)
    later = b.next_facts(made, over)
    after = turn.begin(later, {}, b.dice(later))
    after, _ = turn.advance(later, after, {}, b.dice(later))
    assert [(e.hour, e.data["strength"]) for e in after.events if e.clause == "G.WX3"] == [
        (call.hour + 24, "gale")
    ]
    assert after.storms == ()


def far_from_a_battle() -> TurnFacts:
    """Fleets at gunshot, and another of the zone far from them; every squadron that throws parts from its fleet."""
    rows = [
        b.fleet("e", "ENG", "a", stance=Stance.SEEK),
        b.fleet("d", "NLD", "a", to="b", run=900),
        b.fleet("far", "ENG", "n", "b", to="b", run=9_000),
    ]
    ships = [b.ship("e1", "ENG", "e"), b.ship("e2", "ENG", "e", squadron="two"), b.ship("d1", "NLD", "d")]
    ships += [b.ship(f"far{n}", "ENG", "far", squadron=f"far-{n}") for n in range(2)]
    calm = b.weather(strength="light")
    return b.facts(rows, ships, weather=calm, settings=Settings(end_turn_on="none", part_at=6))


@pytest.mark.clause("G.GF2", "T.O7")
@pytest.mark.parametrize(("lost", "strained"), [(Fraction(1, 2), False), (Fraction(3, 4), True)])
def test_under_thomas_the_strain_begins_at_three_quarters_of_her_flotation(
    lost: Fraction, strained: bool
) -> None:
    thomas = registry.rule_set("thomas")
    card = thomas.card(
        ShipFacts(nation="England", built_by="England", ship_type="ship_of_line", guns=60, year_built=1655)
    )
    sound = thomas.at_sea.sound(card)
    condition = {**sound, "flot": card["flot_max"] - math.ceil(lost * card["flot_max"])}
    made = replace(one(card=card), rule_set="thomas")
    made = replace(made, ships={"s": replace(made.ships["s"], condition=condition)})
    chart = chart_of(made, now=replace(FAIR, strength=Strength.STRONG), hour=4)
    gales.gale_step(chart)
    assert (dict(chart.state.ships["s"].condition) != condition) is strained


@pytest.mark.clause("G.GF2")
@pytest.mark.parametrize(("strength", "lost"), [("strong", 13), ("gale", 13), ("moderate", 11)])
def test_the_rule_set_says_what_a_watch_at_sea_does_to_a_ship(strength: str, lost: int) -> None:
    made = one(card={**b.CARD, "strain": 2})
    chart = chart_of(
        made, (8, 6) if strength == "gale" else (), replace(FAIR, strength=Strength(strength)), 4
    )
    gales.gale_step(chart)
    assert chart.state.ships["s"].condition == {"lost": lost}
    chart.state.hour = 5
    gales.gale_step(chart)
    assert chart.state.ships["s"].condition == {"lost": lost}


@pytest.mark.clause("G.GF2", "K.G28")
def test_a_ship_whose_hull_is_strained_to_nothing_founders_and_kohlers_ships_feel_no_strain() -> None:
    chart = chart_of(
        one(19, card={**b.CARD, "strain": 2}), now=replace(FAIR, strength=Strength.STRONG), hour=4
    )
    assert foundered(chart)
    assert chart.state.events[0].clause == "G.GF2"


def scattering(*faces: int, rendezvous: str = "", at: str = "b") -> Chart:
    """Two squadrons of two in a gale, the second ship of the greater one damaged."""
    ships = [b.ship(f"s{n}", "ENG", "e", squadron="one", order=n) for n in range(3)]
    ships[1] = replace(ships[1], condition={"lost": 5})
    ships += [b.ship(f"t{n}", "ENG", "e", squadron="two", order=n) for n in range(2)]
    order = FleetOrder("e", ("c",), Stance.SEEK, instructions=Instructions(rendezvous=rendezvous))
    made = b.facts([b.fleet("e", "ENG", at, order=order)], ships)
    chart = chart_of(made, faces)
    gales.gale_step(chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    return chart


@pytest.mark.clause("G.GF3", "G.CH2")
def test_a_squadron_that_throws_one_parts_and_is_driven_to_leeward() -> None:
    chart = scattering(8, 1, 4, 5, 6, 2)
    new = chart.state.fleets["ENG-p1-1"]
    assert [ship.code for ship in chart.ships_of(new.code)] == ["t0", "t1"]
    assert [ship.code for ship in chart.ships_of("e")] == ["s0", "s1", "s2"]
    assert new.position == Position("b", "c", 15_000)
    assert (new.rejoins, new.order.route, new.order.stance) == ("e", ("c",), Stance.AVOID)
    told = next(event for event in chart.state.events if event.kind == "parted_company")
    assert (told.knows, told.data["miles"], told.data["ships"]) == (("ENG",), 15, ["t0", "t1"])


@pytest.mark.clause("G.GF3", "G.MV5")
def test_a_damaged_ship_that_throws_one_parts_alone_and_makes_for_the_rendezvous() -> None:
    chart = scattering(8, 2, 1, 1, 1, 1, rendezvous="n")
    new = chart.state.fleets["ENG-p1-1"]
    assert [ship.code for ship in chart.ships_of(new.code)] == ["s1"]
    assert (new.home, new.name, new.order.route) == ("one", "Ship s1", ("b", "n"))
    assert chart.state.ships["s1"].squadron == new.code


@pytest.mark.clause("G.GF3", "G.CH2")
def test_a_ship_that_is_wrecked_with_the_squadron_she_parted_with_does_not_throw_again() -> None:
    ships = [b.ship(f"s{n}", "ENG", "e", squadron="one") for n in range(3)]
    ships += [
        b.ship("t0", "ENG", "e", squadron="two"),
        b.ship("t1", "ENG", "e", squadron="two", condition={"lost": 19}),
    ]
    ships[-1] = replace(ships[-1], men=0)
    chart = chart_of(b.facts([b.fleet("e", "ENG", "c", to="theirs", run=45_000)], ships), (8, 1, 4, 5, 6, 1))
    gales.gale_step(chart)
    chart.dice.finish()  # type: ignore[attr-defined]
    assert chart.state.ships["t1"].fate is Fate.WRECKED
    assert chart.state.ships["t0"].fate is Fate.AFLOAT


@pytest.mark.clause("G.GF3", "G.KT1")
@pytest.mark.parametrize("fragments", ["one group", "as thrown"])
def test_a_squadron_whose_ships_are_in_two_fleets_throws_in_each(fragments: str) -> None:
    ships = [b.ship(f"{fleet}{n}", "ENG", fleet, squadron=fleet, order=n) for fleet in "ef" for n in range(2)]
    ships += [b.ship(f"t{fleet}", "ENG", fleet, squadron="two") for fleet in "ef"]
    made = b.facts(
        [b.fleet("e", "ENG", "b"), b.fleet("f", "ENG", "c")], ships, settings=b.settings(fragments=fragments)
    )
    state = turn.standing(made)
    state.weather["sea"], state.hour = GALE, 1
    log = Log()
    gales.gale_step(Chart(made, state, KeyedDice(b"gale", log=log)))
    keys = [
        event.data["key"]
        for event in log.events
        if event.clause == "G.GF3" and "squadron" in event.data["key"]
    ]
    assert keys == ["/G.GF3/1/sea/squadron/e/two", "/G.GF3/1/sea/squadron/f/two"]


@pytest.mark.clause("G.GF3")
def test_the_last_ship_of_a_fleet_parts_from_no_one() -> None:
    chart = chart_of(one(), (8, 1))
    assert not foundered(chart)
    assert list(chart.state.fleets) == ["e"]


@pytest.mark.clause("G.GF3", "G.MV4")
def test_ships_that_parted_rejoin_at_six_when_in_company() -> None:
    chart = scattering(8, 1, 1, 1, 1, 1, 1, 1, 1)
    assert len([f for f in chart.fleets() if f.rejoins == "e"]) == 2
    for fleet in chart.fleets():
        chart.alter(fleet, position=Position("n"))
    chart.state.hour = 23
    joining.company_step(chart)
    assert len(chart.fleets()) == 3
    chart.state.hour = 24
    joining.company_step(chart)
    assert [fleet.code for fleet in chart.fleets()] == ["e"]
    assert len(chart.ships_of("e")) == 5
    assert chart.state.ships["s1"].squadron == "one"


@pytest.mark.clause("G.MV4")
def test_a_detachment_out_of_company_or_in_contact_waits_and_one_with_other_orders_stays_apart() -> None:
    chart = scattering(8, 1, 1, 1, 2, 6)
    chart.state.hour = 24
    joining.company_step(chart)
    assert len(chart.fleets()) == 2
    made = chart.facts
    state = chart.state
    over = b.next_facts(made, state)
    again = turn.begin(over, {"ENG-p1-1": FleetOrder("ENG-p1-1", ("c", "b"))}, b.dice(over))
    assert again.fleets["ENG-p1-1"].rejoins == ""
    assert turn.begin(over, {}, b.dice(over)).fleets["ENG-p1-1"].rejoins == "e"


@pytest.mark.clause("G.CH2")
@pytest.mark.parametrize(
    ("at", "bearing", "miles", "to"),
    [
        (Position("a"), 90, 12_000, Position("a", "b", 12_000)),
        (Position("a"), 45, 12_000, Position("a", "b", 12_000)),
        (Position("a"), 0, 12_000, Position("a")),
        (Position("a"), 30, 12_000, Position("a", "b", 12_000)),  # sixty degrees off the passage
        (Position("a"), 29, 12_000, Position("a")),
        (Position("a", "b", 10_000), 270, 4_000, Position("b", "a", 54_000)),
        (Position("a", "b", 10_000), 270, 40_000, Position("a")),
        (Position("c"), 90, 60_000, Position("c", "theirs", 57_000)),
    ],
)
def test_a_drifting_fleet_is_carried_onto_the_nearest_passage_or_nowhere(
    at: Position, bearing: int, miles: int, to: Position
) -> None:
    chart = chart_of(b.facts([b.fleet("e", "ENG", "a")]))
    fleet = chart.alter(chart.state.fleets["e"], position=at)
    assert adrift.carried_to(chart, fleet, bearing, miles) == to


@pytest.mark.clause("G.CH2")
@pytest.mark.parametrize(("face", "fate"), [(2, Fate.WRECKED), (3, Fate.AFLOAT)])
def test_a_disabled_ship_carried_to_a_foreign_port_throws_for_the_shore(face: int, fate: Fate) -> None:
    ships = [b.ship("s", "ENG", "e", condition={"lost": 20}), b.ship("t", "ENG", "e")]
    chart = chart_of(b.facts([b.fleet("e", "ENG", "c")], ships), (face,))
    adrift.carry(chart, chart.state.fleets["e"], 90, 60_000)
    chart.dice.finish()  # type: ignore[attr-defined]
    assert chart.state.ships["s"].fate is fate
    assert chart.state.ships["t"].fate is Fate.AFLOAT


class Stormy(Dice):
    """Keyed by nothing but their key, so that gales, foundering and parting come often."""

    def _faces(self, key: str, die: Die, count: int) -> tuple[int, ...]:
        low = sum(map(ord, key)) % 7
        if "G.WX2" in key:
            return (6,) * count if low < 4 else (1,) * count
        return ((1,) if low < 3 else (5,)) * count


def stormy(made: TurnFacts, *, reload: bool = False) -> TurnState:
    state: TurnState = turn.begin(made, {}, Stormy())
    stop: Any = None
    while not isinstance(stop, turn.TurnDone):
        outcomes = {call.code: hurtful(call) for call in state.calls}
        if reload:
            state = TurnState.from_dict(state.to_dict())
        state, stop = turn.advance(made, state, outcomes, Stormy())
    return state


@pytest.mark.clause("G.GF1", "G.GF3", "G.BT3", "G.CL2")
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_in_storms_too_every_ship_remains_and_each_is_in_one_place(seed: int) -> None:
    made = replace(crowded(seed % 3), weather=b.weather(strength="strong"))
    if seed % 2:
        made = replace(made, theatre=shoals())
    state = stormy(made)
    assert any(event.kind in ("rode_out", "parted_company") for event in state.events)
    assert set(state.ships) == set(made.ships)
    for ship in state.ships.values():
        if ship.fate is Fate.AFLOAT:
            assert not state.fleets[ship.fleet].ended
            assert state.fleets[ship.fleet].side == ship.side
        else:
            assert (ship.fleet, ship.squadron) == ("", "")
    for fleet in state.fleets.values():
        crewed = any(ship.fleet == fleet.code for ship in state.ships.values())
        assert fleet.ended is not crewed
    assert state_hash(stormy(shuffled(made, seed))) == state_hash(state)
    assert state_hash(stormy(made, reload=True)) == state_hash(state)
    later = b.next_facts(made, state)
    opened = turn.begin(later, {}, b.dice(later))
    assert (opened.gales, opened.marks) == (state.gales, state.marks)
    assert {f.code: (f.rejoins, f.home) for f in opened.fleets.values()} == {
        f.code: (f.rejoins, f.home) for f in state.fleets.values() if not f.ended
    }
