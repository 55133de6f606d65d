"""The night escape at its edges: who goes along, where escaped fleets sail, and whom the pursuers find at dawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetFacts, TurnFacts
from campaign.rules.state.state import Touch, TurnState
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_night import NIGHTFALL, at_nightfall, avoider, free, night, seeker


def ordered(fleet: FleetFacts, *route: str, **told: str) -> FleetFacts:
    instructions = replace(fleet.order.instructions, **told)
    return replace(fleet, order=replace(fleet.order, route=route, instructions=instructions))


@pytest.mark.clause("G.CO3", "G.SI1")
def test_a_fleet_in_company_that_has_only_been_near_the_enemy_does_not_go_along() -> None:
    made, state = at_nightfall([avoider("d1"), avoider("d2", 5), seeker("e")], ("e", "d1"))
    state.touches["d2", "e"] = Touch("d2", "e", False, 0, 5_000)
    after = night(made, state, (6,))
    assert free(after) == {"d1": ("e",)}
    (told,) = [event.data for event in after.events if event.kind == "night"]
    assert (told["fleet"], told["fleets"]) == ("d1", ["d1"])


@pytest.mark.clause("G.CO3", "T.C7")
@pytest.mark.parametrize(("route", "sails"), [(("b", "c"), ("b", "c")), ((), ("b", "c", "theirs"))])
def test_an_escaped_fleet_sails_along_its_route_or_else_to_its_nearest_port(
    route: tuple[str, ...], sails: tuple[str, ...]
) -> None:
    made, state = at_nightfall([ordered(avoider("d"), *route), seeker("e")], ("e", "d"))
    after = night(made, state, (6,))
    assert after.fleets["d"].order.route == sails
    assert (after.fleets["d"].free_until, after.fleets["d"].still_until) == (NIGHTFALL + 12, 0)
    (told,) = [event for event in after.events if event.kind == "escaped"]
    assert (told.knows, told.data["until"]) == (("NLD",), NIGHTFALL + 12)


@pytest.mark.clause("G.CO3", "T.C7")
def test_an_escaped_fleet_without_any_port_stays_where_it_is() -> None:
    made, state = at_nightfall([avoider("d"), seeker("e")], ("e", "d"))
    homeless = replace(made.sides["NLD"], nations=("Nowhere",))
    after = night(replace(made, sides={**made.sides, "NLD": homeless}), state, (6,))
    assert free(after) == {"d": ("e",)}
    assert after.fleets["d"].order.route == ()


@pytest.mark.clause("G.CO3")
@pytest.mark.parametrize(
    ("stance", "told", "sees", "gone"),
    [
        (Stance.HOLD, "part", True, True),
        (Stance.HOLD, "stay", True, False),
        (Stance.HOLD, "part", False, False),
        (Stance.SEEK, "part", True, False),
        (Stance.AVOID, "stay", True, True),
        (Stance.AVOID, "stay", False, False),
    ],
)
def test_a_fleet_wants_to_escape_if_it_avoids_or_may_part_does_not_seek_and_knows_of_the_enemy(
    stance: Stance, told: str, sees: bool, gone: bool
) -> None:
    row = ordered(avoider("d"), at_nightfall=told)
    row = replace(row, order=replace(row.order, stance=stance))
    row = replace(
        row, order=replace(row.order, instructions=replace(row.order.instructions, greatest_odds="9"))
    )
    made, state = at_nightfall([row, ordered(seeker("e"), at_nightfall="stay")], ("e", "d"))
    state.touches["d", "e"] = replace(state.touches["d", "e"], seen=sees)
    assert bool(free(night(made, state, (6,) if gone else ()))) is gone


def with_wreck(made: TurnFacts, state: TurnState, fleet: str) -> TurnFacts:
    """A fleet has with it a great ship that can neither sail nor be towed."""
    wreck = b.ship("w", "NLD", fleet, condition={"lost": 20}, card={"hull": 20, "value": 400})
    made = replace(made, ships={**made.ships, "w": wreck})
    state.ships["w"] = turn.standing(made).ships["w"]
    return made


@pytest.mark.clause("G.CO3", "T.C8")
def test_a_pursuer_meets_at_dawn_the_ships_its_quarry_left_at_the_last_range() -> None:
    rows = [avoider("d1"), avoider("d2", 5), seeker("e1"), seeker("e2"), seeker("e3")]
    made, state = at_nightfall(rows, ("e1", "d1"), ("e1", "d2"), ("e2", "d1"), ("e3", "d2"))
    made = with_wreck(made, state, "d2")
    ranges = {("e1", "d1"): 1_500, ("e1", "d2"): 3_500, ("e2", "d1"): 2_500, ("e3", "d2"): 4_500}
    for key, miles in ranges.items():
        state.contacts[key] = replace(state.contacts[key], range=miles)
    state.touches["e2", "d2"] = Touch("e2", "d2", True, 1, 3_000, 0, "1", ("line",))
    after = night(made, state, (6,))
    met = {key[0]: contact for key, contact in after.contacts.items()}
    assert {code: contact.range for code, contact in met.items()} == {"e1": 3_500, "e2": 2_500, "e3": 4_500}
    for code, contact in met.items():
        assert (contact.quarry, contact.since, contact.night) == ("NLD-p1-1", NIGHTFALL, True)
        assert after.touches[code, "NLD-p1-1"].seen
    assert set(after.touches) == {(code, "NLD-p1-1") for code in ("e1", "e2", "e3")}


@pytest.mark.clause("G.CO3")
def test_a_throw_of_the_night_is_forgotten_by_day() -> None:
    made, state = at_nightfall([avoider("d"), seeker("e")], ("e", "d"))
    failed = night(made, state, (4,))
    assert failed.tried == {("d", "e")}
    assert night(made, failed, (), hour=NIGHTFALL + 1).tried == {("d", "e")}
    assert night(made, failed, (), hour=24).tried == set()


@pytest.mark.clause("G.CO3")
def test_an_order_to_escape_holds_only_for_current_contacts() -> None:
    made, state = at_nightfall([avoider("d"), seeker("e")], ("e", "d"))
    state.contacts["e", "d"] = replace(state.contacts["e", "d"], not_before=NIGHTFALL + 1)
    later = night(made, state, ())
    assert not later.contacts["e", "d"].night
    assert free(night(made, later, (5,), hour=NIGHTFALL + 1)) == {"d": ("e",)}


@pytest.mark.clause("G.CO3", "G.CO7")
@pytest.mark.parametrize(("side", "goes"), [("NLD", True), ("FRA", False)])
def test_an_unchased_ally_that_avoids_them_does_not_go_along(side: str, goes: bool) -> None:
    made, state = at_nightfall([avoider("d"), replace(avoider("x", 5), side=side), seeker("e")], ("e", "d"))
    france = replace(made.sides["NLD"], code="FRA", name="France", nations=("France",))
    made = replace(
        made,
        sides={**made.sides, "FRA": france},
        at_war=made.at_war | {frozenset({"ENG", "FRA"})},
        allied=frozenset({frozenset({"FRA", "NLD"})}),
    )
    state.touches["x", "e"] = Touch("x", "e", True, 1, 5_000)
    assert sorted(free(night(made, state, (6,)))) == (["d", "x"] if goes else ["d"])
