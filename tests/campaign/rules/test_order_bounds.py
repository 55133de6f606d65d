"""Orders of fleets, word by word: every choice of the battle instructions, every end of a number, every arrival."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part, Position, TurnFacts
from campaign.rules.orders.order_parts import in_company
from campaign.rules.orders.orders import order_faults, path_of, take_orders, with_port
from campaign.rules.sailing.destinations import joins_route, sailed_from
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

BLOCKADE, ATTACK, ESCORT, SHELTER = OnArrival.BLOCKADE, OnArrival.ATTACK, OnArrival.ESCORT, OnArrival.SHELTER


def sea(**over: Any) -> TurnFacts:
    """e at a and o at home for England, w (two ships) in company at a, v an escort; the Dutch at c; n is a shoal coast."""
    doc = b.square_doc()
    doc["nodes"][3]["kind"] = "shoal_coast"
    fleets = [
        b.fleet("e", "ENG", "a"), b.fleet("o", "ENG", "home"), b.fleet("w", "ENG", "a", to="b", run=3_000),
        b.fleet("v", "ENG", "b"), b.fleet("s", "ENG", "n"), b.fleet("d", "NLD", "c"),
        b.fleet("p", "ENG", "a", "b", to="b", run=5_000),
    ]  # fmt: skip
    fleets[3] = replace(fleets[3], order=replace(fleets[3].order, on_arrival=ESCORT, target="o"))
    shallow, deep = {"hull": 20, "value": 40, "deep": False}, {"hull": 20, "value": 40}
    ships = [b.ship(f"e{n}", "ENG", "e") for n in (1, 2, 3)]
    ships += [b.ship("o1", "ENG", "o", card=shallow), b.ship("w1", "ENG", "w"), b.ship("v1", "ENG", "v")]
    ships += [b.ship("s1", "ENG", "s", card=shallow), b.ship("d1", "NLD", "d")]
    ships += [b.ship("p1", "ENG", "p", card=deep), b.ship("p2", "ENG", "p", card=shallow)]
    return b.facts(fleets, ships, sea=read_theatre(doc), **over)


MADE = sea()


def said(order: FleetOrder, made: TurnFacts = MADE, **over: Any) -> list[tuple[str, str, str]]:
    return [(f.code, f.clause, f.text) for f in order_faults(made, order, "ENG", **over)]


def doctrine(**words: Any) -> Doctrine:
    return replace(Doctrine(), **words)


def instructed(**words: Any) -> FleetOrder:
    return FleetOrder("e", instructions=Instructions(**words))


CHOICES = {
    "at_nightfall": ("stay", "part"),
    "after_battle": ("auto", "renew", "part"),
    "at_sound_of_guns": ("join", "stay"),
    "disabled": ("wait", "leave"),
    "shoals": ("wait", "dare"),
    "prizes": ("man", "burn", "release"),
    "prize_escort": ("none", "frigate"),
    "slowest": ("keep", "leave"),
    "hopeless": ("fly", "stand"),
}
DOCTRINE = {
    "gauge": ("any", "windward", "leeward"),
    "fight_at": ("best", "close", "long"),
    "chase": ("line", "general"),
    "board": ("never", "crippled", "pays"),
}


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(("name", "words"), CHOICES.items())
def test_each_battle_instruction_takes_its_own_words_and_no_others(name: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert said(instructed(**{name: word})) == []
    text = f"{name} must be one of {', '.join(words)}, not 'dance'."
    assert said(instructed(**{name: "dance"})) == [("order/bad-instruction", "G.MV5", text)]


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(("name", "words"), DOCTRINE.items())
def test_each_word_of_the_battle_instructions_has_a_meaning_of_its_own(
    name: str, words: tuple[str, ...]
) -> None:
    for word in words:
        assert said(instructed(doctrine=doctrine(**{name: word}))) == []
    text = f"{name} must be one of {', '.join(words)}, not 'dance'."
    dance = instructed(doctrine=doctrine(**{name: "dance"}))
    assert said(dance) == [("order/bad-instruction", "G.MV5", text)]


@pytest.mark.clause("G.MV5")
def test_numbers_in_the_instructions_are_accepted_up_to_their_limits() -> None:
    for percent in (0, 100):
        assert said(instructed(doctrine=replace(Doctrine(), break_off=percent))) == []
    for percent in (-1, 101):
        text = f"A fleet can break off at 0% to 100% of its hull lost, not at {percent}."
        order = instructed(doctrine=replace(Doctrine(), break_off=percent))
        assert said(order) == [("order/bad-instruction", "G.MV5", text)]
    for odds in ("0", "0.5", "99"):
        assert said(instructed(greatest_odds=odds)) == []
    for odds in ("-0.1", "many"):
        text = f"Enter the greatest odds as a number such as 1.5, not {odds!r}."
        assert said(instructed(greatest_odds=odds)) == [("order/bad-instruction", "G.MV5", text)]
    assert said(instructed(chase_hours=0)) == []
    text = "A chase must last 0 hours or more."
    assert said(instructed(chase_hours=-1)) == [("order/bad-instruction", "G.MV5", text)]


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize("name", ["cripples_to", "rendezvous", "shelter"])
def test_a_place_in_the_instructions_is_on_the_chart_and_open_to_us(name: str) -> None:
    assert said(instructed(**{name: "home"})) == said(instructed(**{name: ""})) == []
    assert said(instructed(cripples_to="home", rendezvous="home", shelter="home")) == []
    text = "There is no place 'moon' on the chart."
    assert said(instructed(**{name: "moon"})) == [("order/no-such-place", "G.MV5", text)]
    text = "Theirs is an enemy port. Your ships cannot go there."
    assert said(instructed(**{name: "theirs"})) == [("order/enemy-port", "G.MV5", text)]


@pytest.mark.clause("G.BT4")
def test_a_held_fleet_takes_no_order_until_its_battle_is_accepted_and_keeps_its_standing_order() -> None:
    held = sea()
    held = replace(held, fleets={**held.fleets, "e": replace(held.fleets["e"], held_by="b07")})
    assert said(FleetOrder("e"), held) == [("order/fleet-held", "G.BT4", "Fleet e is held by battle b07.")]
    assert said(FleetOrder("e"), held, standing=True) == []
    assert said(FleetOrder("e"), replace(held, accepted={"b07": {}})) == []
    assert len(said(FleetOrder("e"), replace(held, accepted={"b08": {}}))) == 1


@pytest.mark.clause("G.MV3")
def test_a_request_for_no_side_covers_any_fleet() -> None:
    assert order_faults(MADE, FleetOrder("d")) == ()
    assert [fault.code for fault in order_faults(MADE, FleetOrder("d"), "ENG")] == ["order/not-your-fleet"]


@pytest.mark.clause("G.CH1", "G.MV2")
def test_a_route_begins_where_the_fleet_is_and_leads_from_place_to_place() -> None:
    at_a, on_passage = Position("a"), Position("a", "b", 5_000)
    assert sailed_from(at_a, ("a", "b")) == ("b",)
    assert sailed_from(at_a, ("b", "a")) == ("b", "a")
    assert sailed_from(at_a, ()) == ()
    assert sailed_from(on_passage, ("a", "b")) == ("a", "b")
    theatre = MADE.theatre
    assert [joins_route(theatre, at_a, route) for route in ((), ("a",), ("b",), ("home", "c"), ("c",))] == [
        True, True, True, True, False,
    ]  # fmt: skip
    assert [joins_route(theatre, on_passage, (first,)) for first in ("a", "b", "home", "c")] == [
        True, True, False, False,
    ]  # fmt: skip
    said_of = said(FleetOrder("p", ("home",)))
    assert said_of == [("order/places-do-not-join", "G.CH1", "No passage leads from A to Home.")]
    assert said(FleetOrder("p", ("home",)), standing=True) == []
    assert said(FleetOrder("e", ("b", "a", "c", "moon", "moon"))) == [
        ("order/no-such-place", "G.MV2", "There is no place 'moon' on the chart.")
    ]
    assert said(FleetOrder("e", ("b", "n", "c"))) == [
        ("order/places-do-not-join", "G.CH1", "No passage leads from N to C.")
    ]


@pytest.mark.clause("G.PT1", "G.BL1")
@pytest.mark.parametrize(
    ("arrival", "deed", "clause"), [(BLOCKADE, "blockade", "G.BL1"), (ATTACK, "attack", "G.PT1")]
)
def test_a_blockade_or_attack_ends_at_an_enemys_port_and_passes_through_none(
    arrival: OnArrival, deed: str, clause: str
) -> None:
    way = ("b", "c", "theirs")
    assert said(FleetOrder("e", way, on_arrival=arrival)) == []
    text = f"To {deed} a port, end the route at a port of a side that you are at war with."
    for route in (("b",), ("home",), ()):
        assert said(FleetOrder("e", route, on_arrival=arrival)) == [("order/no-enemy-port", clause, text)]
    assert said(FleetOrder("e", ("b",), on_arrival=arrival, target="theirs")) == []
    through = said(FleetOrder("e", (*way, "c"), on_arrival=arrival))
    assert [code for code, _, _ in through] == ["order/enemy-port"]
    text = "Theirs is an enemy port. A fleet can enter it only by attacking it."
    assert said(FleetOrder("e", way)) == [("order/enemy-port", "G.PT1", text)]
    at_peace = replace(MADE, at_war=frozenset())
    assert said(FleetOrder("e", way), at_peace) == []
    assert [row[0] for row in said(FleetOrder("e", way, on_arrival=arrival), at_peace)] == [
        "order/no-enemy-port"
    ]


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("o", ""),
        ("", "Choose another fleet of your side to escort."),
        ("e", "Choose another fleet of your side to escort."),
        ("d", "Choose another fleet of your side to escort."),
        ("v", "Fleet v is itself an escort. Escort the fleet that it escorts."),
    ],
)
def test_an_escort_keeps_company_with_another_fleet_of_its_side_that_is_not_an_escort(
    target: str, text: str
) -> None:
    wrong = [("order/no-charge", "G.MV2", text)] if text else []
    assert said(FleetOrder("e", on_arrival=ESCORT, target=target)) == wrong


@pytest.mark.clause("G.CH5")
def test_only_shallow_ships_shelter_and_only_at_a_shoal_coast() -> None:
    assert said(FleetOrder("s", on_arrival=SHELTER)) == []
    assert said(FleetOrder("s", ("b",), on_arrival=SHELTER)) == [
        (
            "order/no-shelter",
            "G.CH5",
            "B is not a shoal coast. To shelter among shoals, end the route at a shoal coast.",
        )
    ]
    assert said(FleetOrder("s", ("b",), on_arrival=SHELTER), standing=True) == []
    assert said(FleetOrder("p", ("b", "n"), on_arrival=SHELTER)) == [
        (
            "order/too-deep",
            "G.CH5",
            "Ship p1 is too deep to lie among shoals (0 more in this fleet are too).",
        )
    ]
    assert said(FleetOrder("e", ("b", "n"), on_arrival=SHELTER)) == [
        (
            "order/too-deep",
            "G.CH5",
            "Ship e1 is too deep to lie among shoals (2 more in this fleet are too).",
        )
    ]


def parting(*parts: Part) -> list[tuple[str, str]]:
    return [(code, text) for code, _, text in said(FleetOrder("e", parts=parts))]


TICK = ("order/no-ships", "Tick the ships that are to leave the fleet.")
UNNAMED = ("order/no-name", "A detachment needs a name of up to 80 letters.")


@pytest.mark.clause("G.MV4")
@pytest.mark.parametrize(
    ("parts", "faults"),
    [
        ([Part(("e1",), name="Van"), Part(("e2",), name="N" * 80)], []),
        ([Part((), name="Van")], [TICK]),
        ([Part(("e1",), name=" ")], [UNNAMED]),
        ([Part(("e1",), name="N" * 81)], [UNNAMED]),
        ([Part(("e1", "e2", "e3"), name="All")],
         [("order/whole-fleet",
           "Fleet e would have no ship left that can fight. Give the whole fleet its orders instead.")]),
        ([Part(("o1",), name="Van")],
         [("order/not-in-fleet",
           "Ship o1 does not sail with Fleet e. Remove it from the detachment “Van”.")]),
        ([Part(("d1",), to="w")],
         [("order/not-in-fleet", "Ship d1 does not sail with Fleet e. Remove it from the transfer.")]),
        ([Part(("x9",), to="w")],
         [("order/not-in-fleet", "Ship x9 does not sail with Fleet e. Remove it from the transfer.")]),
        ([Part(("e1", "e1"), to="w")],
         [("order/not-in-fleet", "Ship e1 is in the transfer more than once. List it once.")]),
        ([Part(("e1",), to="w"), Part(("e1",), name="Van")],
         [("order/ship-twice", "Ship e1 cannot leave Fleet e twice. Remove it from one of the lists.")]),
        ([Part(("e1",), to="x")],
         [("order/no-such-fleet", "You can give ships only to another of your own fleets.")]),
        ([Part(("e1",), to="d")],
         [("order/no-such-fleet", "You can give ships only to another of your own fleets.")]),
        ([Part(("e1",), to="e")],
         [("order/no-such-fleet", "You can give ships only to another of your own fleets.")]),
        ([Part(("e1",), to="w")], []),
        ([Part(("e1",), to="p")],
         [("order/not-in-company", "Fleet p is not in company. The fleets must be within 3 miles of each other.")]),
        ([Part(("e1",), name="Van", route=("c",))],
         [("order/places-do-not-join", "No passage leads from A to C.")]),
        ([Part(("e1",), name="Van", on_arrival=ESCORT, target="e")], []),
        ([Part(("e1",), name="Van", on_arrival=ESCORT, target="v")],
         [("order/no-charge", "Fleet v is itself an escort. Escort the fleet that it escorts.")]),
        ([Part(("e1",), name="Van", on_arrival=BLOCKADE, route=("b",))],
         [("order/no-enemy-port",
           "To blockade a port, end the route at a port of a side that you are at war with.")]),
        ([Part(("e1",), name="Van", on_arrival=ATTACK, route=("b", "c", "theirs"))], []),
        ([Part(("e1",), name="Van", on_arrival=SHELTER)],
         [("order/no-shelter", "A is not a shoal coast. To shelter among shoals, end the route at a shoal coast.")]),
        ([Part(("e1",), name="Van", on_arrival=SHELTER, route=("b", "n"))],
         [("order/too-deep", "Ship e1 is too deep to lie among shoals (0 more in this fleet are too).")]),
    ],
)  # fmt: skip
def test_a_detachment_may_contain_and_reach_only_what_the_rules_allow(
    parts: list[Part], faults: list[tuple[str, str]]
) -> None:
    assert parting(*parts) == faults


@pytest.mark.clause("G.MV4", "G.BT4")
def test_prizes_do_not_count_among_ships_that_stay_and_a_held_fleet_receives_no_one() -> None:
    made = sea()
    ships = {**made.ships, "e3": replace(made.ships["e3"], prize=True)}
    order = FleetOrder("e", parts=(Part(("e1", "e2"), name="Van"),))
    assert [row[0] for row in said(order, replace(made, ships=ships))] == ["order/whole-fleet"]
    assert said(order) == []
    held = replace(made, fleets={**made.fleets, "w": replace(made.fleets["w"], held_by="b07")})
    order = FleetOrder("e", parts=(Part(("e1",), to="w"),))
    assert said(order, held) == [("order/fleet-held", "G.BT4", "Fleet w is held by battle b07.")]


@pytest.mark.clause("G.MV4")
@pytest.mark.parametrize(("run", "together"), [(3_000, True), (3_001, False)])
def test_fleets_are_in_company_within_three_miles(run: int, together: bool) -> None:
    other = b.fleet("w", "ENG", "a", to="b", run=run + (0 if together else 5))
    assert in_company(MADE, MADE.fleets["e"], other) is together


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize(
    ("position", "route", "before", "path"),
    [
        (Position("b"), ("c",), ("a", "b", "c"), ("a", "b", "c")),
        (Position("b"), ("c",), ("a", "b"), ("b", "c")),
        (Position("b", "c", 5), ("c",), ("a", "b"), ("c",)),
        (Position("b"), (), ("a", "b"), ("b",)),
        (Position("b"), ("b", "c"), ("b", "c"), ("b", "c")),
    ],
)
def test_the_path_is_kept_when_the_route_is_the_rest_of_it(
    position: Position, route: tuple[str, ...], before: tuple[str, ...], path: tuple[str, ...]
) -> None:
    assert path_of(position, route, before) == path


@pytest.mark.clause("G.BL1")
def test_a_blockade_is_of_the_last_place_on_its_route_unless_a_port_is_named() -> None:
    order = FleetOrder("e", ("c", "theirs"), on_arrival=BLOCKADE)
    assert with_port(order).target == "theirs"
    assert with_port(replace(order, target="home")).target == "home"
    assert with_port(replace(order, route=())).target == ""
    assert with_port(replace(order, on_arrival=ATTACK)).target == ""


@pytest.mark.clause("G.MV4")
def test_a_new_order_cancels_the_wish_to_join_unless_it_is_an_order_to_join() -> None:
    made = sea()
    for arrival, rejoins in ((OnArrival.JOIN, "o"), (OnArrival.ANCHOR, "")):
        state = turn.begin(made, {}, b.dice(made))
        state.fleets["e"] = replace(state.fleets["e"], rejoins="o", home="c", homes=(("e1", "c"),))
        chart = Chart(made, state, b.dice(made))
        take_orders(chart, {"e": FleetOrder("e", ("b",), Stance.SEEK, arrival)})
        now = state.fleets["e"]
        assert (now.rejoins, now.home, now.homes) == (
            (rejoins, "c", (("e1", "c"),)) if rejoins else ("", "", ())
        )
        assert (now.path, now.order.stance) == (("a", "b"), Stance.SEEK)
