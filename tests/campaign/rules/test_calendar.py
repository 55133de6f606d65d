"""The calendar acts: the day and the chance of an event, fleets that come, convoys, armies, wars and peace."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import DiceError, ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.calendar.step import calendar_step
from campaign.rules.chart.objectives import Opening
from campaign.rules.chart.types import (
    Brought,
    CalendarEvent,
    FleetOrder,
    OfficerFacts,
    OnArrival,
    Position,
    ShipKind,
    SideFacts,
    SquadronFacts,
    TurnFacts,
)
from campaign.rules.prizes.prize_court import court_step
from campaign.rules.state.calendar import Calendar, facts_now
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import PrizeCase, Stage
from campaign.rules.state.state import Contact, Touch, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn.snapshots import facts_from_dict, facts_to_dict
from campaign.rules.turn.turn import advance, begin, carried_over, standing
from tests.campaign.rules import builders as b

WAR = frozenset({frozenset({"ENG", "NLD"})})
ORDERS = {"route": ["b"], "stance": "avoid", "on_arrival": "shelter"}


def brought(fleet: str, side: str, count: int = 2, **over: Any) -> Brought:
    """Ships of a fleet that comes later, with a flag officer."""
    ships = tuple(b.ship(f"{fleet}00{n}", side, fleet, order=n, **over) for n in range(count))
    squadron = SquadronFacts(f"{fleet}-1", f"Squadron {fleet}", fleet, ships[0].code, "Adm New", 1)
    return Brought(ships, (squadron,), (OfficerFacts("Adm New", side, True, 1, ships[0].code),))


def event(deed: str = "arrive", side: str = "ENG", *, at: int = 0, **over: Any) -> CalendarEvent:
    """A row that acts at an hour; an English fleet NEW at A unless it is told otherwise."""
    do = {"fleet": "NEW", "name": "New fleet", "place": "a"} if deed == "arrive" else {}
    row = CalendarEvent("row", deed, side, at, at, known=(side,), do=do, text="Something happens.")
    row = replace(row, brings=brought("NEW", side) if deed == "arrive" else Brought())
    return replace(row, **over)


def calendar_facts(*events: CalendarEvent, fleets: list[Any] | None = None, **over: Any) -> TurnFacts:
    """A turn in which the calendar acts, with an English fleet at home and a Dutch one in their port."""
    own = fleets or [b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "theirs")]
    acts = b.settings(end_turn_on="none", calendar="acts")
    return b.facts(own, **{"settings": acts, "calendar": events, "weather": b.weather(), **over})


def chart(made: TurnFacts, *faces: int, hour: int = 0) -> Chart:
    state = standing(made)
    state.hour = hour
    return Chart(made, state, ScriptedDice(faces))


def stepped(made: TurnFacts, *faces: int, hour: int = 0) -> Chart:
    """The step of one hour; every face must be thrown."""
    found = chart(made, *faces, hour=hour)
    with found.dice:  # type: ignore[attr-defined]
        b.step(calendar_step, found)
    return found


def told(found: Chart, kind: str) -> list[Any]:
    return [row for row in found.state.events if row.kind == kind]


@pytest.mark.clause("G.CA1")
def test_an_event_comes_to_pass_at_the_06_00_of_its_day_and_once() -> None:
    made = calendar_facts(event(at=2 * DAY))
    for hour in (0, DAY, 2 * DAY - 1, 2 * DAY + 1, 3 * DAY):
        assert "NEW" not in stepped(made, hour=hour).state.fleets
    found = stepped(made, hour=2 * DAY)
    assert found.state.calendar.done == {"row": 2 * DAY}
    b.step(calendar_step, found)
    assert len(told(found, "reinforced")) == 1


@pytest.mark.clause("G.CA1")
def test_a_calendar_of_text_does_nothing() -> None:
    made = calendar_facts(event(), settings=b.settings(calendar="text"))
    assert "NEW" not in stepped(made).state.fleets


@pytest.mark.clause("G.CA1")
@pytest.mark.parametrize(("face", "days"), [(1, 0), (2, 13), (3, 26), (4, 40), (5, 53), (6, 66)])
def test_a_window_of_eighty_days_is_cut_into_six(face: int, days: int) -> None:
    """Beaufort, 10 June to 28 August: F = 4 is 20 July."""
    first = 9 * DAY  # 10 June of a campaign that begins on 1 June
    found = stepped(calendar_facts(event(first=first, last=first + 79 * DAY)), face, hour=first)
    assert found.state.calendar.days.get("row") == first + days * DAY
    (dated,) = told(found, "calendar_dated")
    assert (dated.knows, dated.data["face"]) == ((), face)
    if face == 4:
        assert dated.data["date"] == "1666-07-20"


@pytest.mark.clause("G.CA1")
def test_the_die_for_a_window_is_thrown_on_its_first_day_and_keyed_by_hour_and_event() -> None:
    made = calendar_facts(event(first=DAY, last=6 * DAY))
    found = chart(made, 6, hour=0)
    b.step(calendar_step, found)
    assert found.dice.throws == []  # type: ignore[attr-defined]
    found.state.hour = DAY
    b.step(calendar_step, found)
    b.step(calendar_step, found)
    (throw,) = found.dice.throws  # type: ignore[attr-defined]
    assert throw.key == "G.CA1/24/row/day"
    found.state.hour = 6 * DAY
    b.step(calendar_step, found)
    assert found.state.calendar.done == {"row": 6 * DAY}


@pytest.mark.clause("G.CA1")
@pytest.mark.parametrize(("face", "comes"), [(1, False), (2, False), (3, True), (6, True)])
def test_chance_is_the_least_face_with_which_an_event_happens(face: int, comes: bool) -> None:
    """On the day a D6 of 2 is under the chance of 3: Beaufort does not come."""
    found = stepped(calendar_facts(event(chance=3)), face)
    assert ("NEW" in found.state.fleets) is comes
    assert found.state.calendar.settled("row")
    assert bool(found.state.calendar.done) is comes
    if not comes:
        (failed,) = told(found, "calendar_fails")
        assert (failed.knows, failed.data["face"], failed.data["why"]) == ((), face, "chance")
        with pytest.raises(DiceError):
            stepped(calendar_facts(event(chance=3)))
        calendar_step(found)  # thrown once


@pytest.mark.clause("G.CA1")
def test_without_a_chance_no_die_is_thrown_and_who_was_promised_something_learns_that_it_fails() -> None:
    stepped(calendar_facts(event(chance=1)))
    found = stepped(calendar_facts(event(chance=6, announced=True)), 5)
    assert told(found, "calendar_fails")[0].knows == ("ENG",)


@pytest.mark.clause("G.CA1")
def test_only_the_sides_that_an_event_names_are_told_on_the_day() -> None:
    assert told(stepped(calendar_facts(event())), "reinforced")[0].knows == ("ENG",)
    both = stepped(calendar_facts(event(known=("ENG", "NLD"))))
    assert told(both, "reinforced")[0].knows == ("ENG", "NLD")


@pytest.mark.clause("G.CA2")
def test_a_reinforcement_arrives_with_its_ships_under_the_orders_written_for_it() -> None:
    row = event(do={"fleet": "NEW", "name": "New fleet", "place": "a", "orders": ORDERS})
    made = calendar_facts(row)
    assert not set(standing(made).ships) & {"NEW000", "NEW001"}
    found = stepped(made)
    fleet = found.state.fleets["NEW"]
    assert (fleet.side, fleet.position, found.name_of(fleet)) == ("ENG", Position("a"), "New fleet")
    assert (fleet.order.route, fleet.order.stance, fleet.order.on_arrival) == (
        ("b",), Stance.AVOID, OnArrival.SHELTER,
    )  # fmt: skip
    assert fleet.path == ("a", "b")
    ships = found.ships_of("NEW")
    assert [(ship.code, ship.men, ship.condition) for ship in ships] == [
        ("NEW000", 300, {"lost": 0}), ("NEW001", 300, {"lost": 0}),
    ]  # fmt: skip
    assert found.value("NEW") == 80
    assert found.facts.squadrons["NEW-1"].officer == "Adm New" and "ENG/Adm New" in found.facts.officers


@pytest.mark.clause("G.CA2")
def test_without_orders_a_fleet_holds_on_and_anchors_where_it_comes() -> None:
    assert stepped(calendar_facts(event())).state.fleets["NEW"].order == FleetOrder("NEW")


@pytest.mark.clause("G.CA2")
@pytest.mark.parametrize(
    ("owners", "otherwise", "comes"),
    [({}, "", "home"), ({"home": "Dutch Republic"}, "n", "n"), ({"home": "Dutch Republic"}, "", "spare")],
)
def test_a_port_that_is_the_enemys_sends_a_fleet_elsewhere(
    owners: dict[str, str], otherwise: str, comes: str
) -> None:
    """To the place that the row names for that, else to the side's nearest port by sea; it anchors there."""
    doc = b.square_doc()
    for node in doc["nodes"]:
        node["owner"] = owners.get(node["id"], node.get("owner", ""))
    port = {"zone": "sea", "kind": "port", "dockyard_capacity": 1, "berths": 1, "owner": "England"}
    for code, east in (("spare", 1.5), ("far", 5.0)):
        doc["nodes"].append({"id": code, "name": code, "latitude": -0.5, "longitude": east, **port})
    doc["edges"] += [["a", "spare"], ["theirs", "far"]]
    sea = b.read_theatre(doc)
    do = {
        "fleet": "NEW",
        "name": "New fleet",
        "place": "home",
        "else": otherwise,
        "orders": {"route": ["a"], "stance": "seek"},
    }
    found = stepped(
        calendar_facts(
            event(do=do), sea=sea, fleets=[b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "theirs")]
        )
    )
    fleet = found.state.fleets["NEW"]
    assert (fleet.position.at, fleet.order.stance) == (comes, Stance.SEEK)
    assert fleet.order.route == (("a",) if comes == "home" else ())
    assert told(found, "reinforced")[0].data["place"] == comes


@pytest.mark.clause("G.CA2")
def test_a_side_without_a_port_gets_no_reinforcement() -> None:
    doc = b.square_doc()
    for node in doc["nodes"]:
        if node["kind"] == "port":
            node["owner"] = "Dutch Republic"
    row = event(do={"fleet": "NEW", "name": "New fleet", "place": "home"})
    made = calendar_facts(
        row, sea=b.read_theatre(doc), fleets=[b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "b")]
    )
    found = stepped(made)
    assert "NEW" not in found.state.fleets and not found.state.calendar.done
    assert told(found, "calendar_fails")[0].data["why"] == "no port"
    assert "NEW000" not in found.facts.ships


@pytest.mark.clause("G.CA2", "G.CL2")
def test_ships_that_have_arrived_sail_and_fight_like_all_others() -> None:
    row = event(at=DAY, do={"fleet": "NEW", "name": "New fleet", "place": "a", "orders": {"route": ["b"]}})
    made = calendar_facts(row, days=3)
    state, _ = b.play(made, reload=True)
    assert state.fleets["NEW"].position == Position("b")
    follows = b.next_facts(facts_now(made, state.calendar), state)
    assert "NEW" in follows.fleets and follows.ships["NEW000"].fleet == "NEW"
    again, _ = b.play(replace(follows, days=1), reload=True)
    assert [e for e in again.events if e.kind == "reinforced"] == []
    assert again.calendar.done == {"row": DAY}


@pytest.mark.clause("G.CA2", "G.CL2")
def test_the_calendar_is_restored_with_the_start_of_a_turn() -> None:
    made = calendar_facts(event(first=0, last=5 * DAY, chance=2, announced=True))
    doc = json.loads(json.dumps(facts_to_dict(made, {})))
    read, _ = facts_from_dict(doc, made.theatre)
    assert read.calendar == made.calendar
    assert facts_from_dict({**doc, "calendar": []}, made.theatre)[0].calendar == ()


@pytest.mark.clause("G.CA1", "G.CL2")
def test_a_saved_calendar_is_read_back_unchanged() -> None:
    now = Calendar({"x": 24}, {"y": 0}, {"z": 48}, {("ENG", "NLD"): "war"}, "y")
    assert Calendar.read(json.loads(json.dumps(now.doc()))) == now
    assert Calendar.read({}) == Calendar()
    assert now.opened() == Calendar({"x": 24}, {"y": 0}, {"z": 48}, {}, "y")
    copy = now.copy()
    copy.done["w"] = 1
    assert "w" not in now.done


def convoy(**over: Any) -> CalendarEvent:
    do = {
        "code": "NEW",
        "name": "Merchantmen",
        "start": "home",
        "destination": "b",
        "sails": 2 * DAY,
        "value": 50,
    }
    return event("convoy", do={**do, **over}, brings=brought("NEW", "ENG", 3, kind=ShipKind.MERCHANT))


@pytest.mark.clause("G.CA4", "G.CV1")
def test_a_convoy_gathers_and_waits_for_its_day_with_its_cargo() -> None:
    found = stepped(calendar_facts(convoy()))
    fleet, cargoes = found.state.fleets["NEW"], found.state.duties.cargoes
    assert (fleet.position.at, fleet.off_until, fleet.order.route) == ("home", 2 * DAY, ("a", "b"))
    assert fleet.order.stance is Stance.AVOID
    assert [cargoes[code].value for code in sorted(cargoes)] == [17, 17, 16]
    assert {(cargo.destination, cargo.side) for cargo in cargoes.values()} == {("b", "ENG")}
    assert told(found, "convoy_gathers")[0].data["to"] == "b"


@pytest.mark.clause("G.CA4", "G.OB2")
def test_a_convoy_in_marks_is_worth_so_many_marks() -> None:
    row = convoy(marks=4)
    row = replace(row, do={name: value for name, value in row.do.items() if name != "value"})
    found = stepped(calendar_facts(row, opening=Opening(mark=18)))
    assert sum(cargo.value for cargo in found.state.duties.cargoes.values()) == 72


@pytest.mark.clause("G.CA4")
def test_an_army_stands_at_its_port_with_boats_that_hold_it_in_equal_parts() -> None:
    """Parma: 17,000 men, 3,000 a day, 20 boats of 850."""
    do = {
        "port": "home",
        "men": 17_000,
        "embark": 3_000,
        "boats": {"fleet": "PAR", "name": "Boats", "count": 20},
    }
    found = stepped(
        calendar_facts(event("army", do=do, brings=brought("PAR", "ENG", 20, kind=ShipKind.MERCHANT)))
    )
    army = found.state.troops.armies["ENG", "home"]
    assert (army.men, army.embark) == (17_000, 3_000)
    assert set(found.state.troops.boats.values()) == {850} and len(found.state.troops.boats) == 20
    assert found.state.fleets["PAR"].position.at == "home"
    assert told(found, "army_ready")[0].data["men"] == 17_000


@pytest.mark.clause("G.CA4")
def test_an_army_needs_no_boats_and_gives_way_from_a_port_of_the_enemy() -> None:
    found = stepped(calendar_facts(event("army", do={"port": "theirs", "men": 900})))
    assert {key: army.men for key, army in found.state.troops.armies.items()} == {("ENG", "home"): 900}
    assert found.state.troops.armies["ENG", "home"].embark == 0


@pytest.mark.clause("G.CA4", "G.LD1")
def test_an_army_aboard_a_fleet_fills_what_its_ships_can_carry_transports_first() -> None:
    """A warship carries half her complement, a merchantman without cargo a man for 2 tons."""
    ships = [
        b.ship("e1", "ENG", "e", complement=300), b.ship("e2", "ENG", "e", complement=501),
        b.ship("e3", "ENG", "e", kind=ShipKind.MERCHANT, facts={"nation": "England", "tons_burthen": 200}),
        b.ship("d1", "NLD", "d"),
    ]  # fmt: skip
    fleets = [b.fleet("e", "ENG", "home"), b.fleet("d", "NLD", "theirs")]
    found = stepped(calendar_facts(event("army", do={"fleet": "e", "men": 250}), fleets=fleets, ships=ships))
    assert found.state.troops.aboard == {"e3": 100, "e1": 150}
    full = stepped(calendar_facts(event("army", do={"fleet": "e", "men": 9_000}), fleets=fleets, ships=ships))
    assert full.state.troops.aboard == {"e1": 150, "e2": 250, "e3": 100}
    assert told(full, "army_ready")[0].data["men"] == 500


@pytest.mark.clause("G.CA4")
@pytest.mark.parametrize("fleet", ["d", "gone"])
def test_an_army_that_was_to_be_aboard_a_fleet_that_is_no_more_does_not_come(fleet: str) -> None:
    found = stepped(calendar_facts(event("army", do={"fleet": fleet, "men": 250})))
    assert found.state.troops.aboard == {}
    assert told(found, "calendar_fails")[0].data["why"] == "no fleet"


def in_contact(made: TurnFacts) -> Chart:
    """An English fleet that chases a Dutch one, each in sight of the other."""
    found = chart(made)
    found.state.contacts["e", "d"] = Contact("e", "d", 3000, 90, 0)
    for pair in (("e", "d"), ("d", "e")):
        found.state.touches[pair] = Touch(*pair, seen=True)
    return found


@pytest.mark.clause("G.CA5")
@pytest.mark.parametrize("tie", ["peace", "alliance"])
def test_at_peace_contacts_between_two_sides_are_dropped(tie: str) -> None:
    made = calendar_facts(event("hostility", "", do={"hostility": ["NLD", "ENG", tie]}, known=("ENG", "NLD")))
    found = in_contact(made)
    b.step(calendar_step, found)
    assert (found.state.contacts, found.state.touches) == ({}, {})
    assert found.facts.at_war == frozenset()
    assert found.facts.allied == (WAR if tie == "alliance" else frozenset())
    assert found.closed["ENG"] == frozenset()
    (change,) = told(found, "hostility")
    assert (change.knows, change.data["sides"], change.data["tie"]) == (("ENG", "NLD"), ["ENG", "NLD"], tie)


@pytest.mark.clause("G.CA5")
def test_a_war_begins_at_its_06_00_and_a_third_side_is_not_concerned() -> None:
    sides = {
        "ENG": SideFacts("ENG", "England", ("England",)), "FRA": SideFacts("FRA", "France", ("France",)),
        "NLD": SideFacts("NLD", "Dutch Republic", ("Dutch Republic",)),
    }  # fmt: skip
    row = event("hostility", "", do={"hostility": ["FRA", "NLD", "war"]})
    made = calendar_facts(row, sides=sides, allied=frozenset({frozenset({"FRA", "NLD"})}))
    found = in_contact(made)
    b.step(calendar_step, found)
    assert found.facts.at_war == WAR | {frozenset({"FRA", "NLD"})} and found.facts.allied == frozenset()
    assert len(found.state.contacts) == 1 and len(found.state.touches) == 2
    assert found.closed["FRA"] == {"theirs"}


@pytest.mark.clause("G.CA5", "G.CL2")
def test_a_tie_holds_to_the_end_of_the_turn_and_is_then_in_the_facts() -> None:
    made = calendar_facts(event("hostility", "", do={"hostility": ["ENG", "NLD", "peace"]}), days=2)
    state, _ = b.play(made, reload=True)
    assert state.calendar.ties == {("ENG", "NLD"): "peace"}
    assert facts_now(made, state.calendar).at_war == frozenset()
    opened = standing(replace(made, **carried_over(made, state)))
    assert opened.calendar.ties == {} and opened.calendar.done == {"row": 0}


@pytest.mark.clause("G.CA5", "G.EN1")
def test_a_peace_ends_turn_and_campaign_at_its_06_00() -> None:
    made = calendar_facts(event("peace", "", at=DAY, do={"peace": True}, known=("ENG", "NLD")), days=5)
    state = begin(made, {}, b.dice(made))
    state, _ = advance(made, state, {}, b.dice(made))
    state, stop = advance(made, state, {}, b.dice(made))
    assert (state.phase, stop.early, state.hour, state.calendar.peace) == ("done", "peace", DAY, "row")
    assert TurnState.from_dict(state.to_dict()).calendar == state.calendar


@pytest.mark.clause("G.CA1", "G.CL2")
def test_events_of_one_day_come_in_the_order_of_what_they_do() -> None:
    """War first, so that a port that is hostile since this hour takes nobody in; then by id."""
    rows = [
        event(id="b_fleet", do={"fleet": "NEW", "name": "New fleet", "place": "theirs"}),
        event("hostility", "", id="z_war", do={"hostility": ["ENG", "NLD", "war"]}),
    ]
    found = stepped(calendar_facts(*rows, at_war=frozenset()))
    assert found.state.fleets["NEW"].position.at == "home"
    assert [row.kind for row in found.state.events] == ["hostility", "reinforced"]


@pytest.mark.clause("G.CA2", "G.RP4")
def test_reinforcements_arrive_with_full_stores() -> None:
    acts = b.settings(end_turn_on="none", calendar="acts", stores="on")
    state, _ = b.play(calendar_facts(event(), settings=acts))
    assert state.economy.stores["NEW000"] == 90 - 1, "the first day is eaten at that 06:00"


@pytest.mark.clause("G.CA5", "G.PR4")
def test_a_prize_before_a_court_stays_a_prize_at_peace() -> None:
    prize = b.ship("p", "ENG", "e", prize=True)
    ships = [b.ship("e1", "ENG", "e"), prize, b.ship("d1", "NLD", "d")]
    made = calendar_facts(event("hostility", "", do={"hostility": ["ENG", "NLD", "peace"]}), ships=ships)
    found = chart(made)
    case = PrizeCase("p", "ENG", "NLD", "e1", 0, 90, stage=Stage.COURT, port="home", court=500)
    found.state.economy.prizes["p"] = case
    b.step(calendar_step, found)
    assert found.state.economy.prizes == {"p": case} and found.state.ships["p"].side == "ENG"
    b.step(court_step, found)
    assert found.state.economy.prizes["p"].stage is Stage.CONDEMNED, "the court goes on"
    assert found.state.ships["p"].side == "ENG"


@pytest.mark.clause("G.CA4", "G.LD1")
@pytest.mark.parametrize(
    ("room", "ended", "why"), [(True, False, None), (False, False, "no room"), (True, True, "no fleet")]
)
def test_an_army_does_not_come_without_a_fleet_that_has_room_for_a_man_of_it(
    room: bool, ended: bool, why: str | None
) -> None:
    found = chart(calendar_facts(event("army", do={"fleet": "e", "men": 250})))
    if not room:
        found.state.troops.aboard["e1"] = 150
    found.alter(found.state.fleets["e"], ended=ended)
    b.step(calendar_step, found)
    assert [row.data["why"] for row in told(found, "calendar_fails")] == ([why] if why else [])
    assert found.state.calendar.done == ({} if why else {"row": 0})
    assert found.state.calendar.void == ({"row": 0} if why else {})


@pytest.mark.clause("G.CA4", "G.CV1")
def test_men_left_over_from_the_division_go_to_the_first_boats_and_boats_are_not_fighting_ships() -> None:
    do = {"port": "home", "men": 17, "boats": {"fleet": "PAR", "name": "Boats", "count": 3}}
    found = stepped(calendar_facts(event("army", do=do, brings=brought("PAR", "ENG", 3))))
    assert found.state.troops.boats == {"PAR000": 6, "PAR001": 6, "PAR002": 5}
    assert found.state.duties.convoys["PAR"].ships == ("PAR000", "PAR001", "PAR002")
    (ready,) = told(found, "army_ready")
    assert (ready.data["fleet"], ready.data["name"], ready.data["boats"], ready.data["men"]) == (
        "PAR",
        "Boats",
        3,
        17,
    )


@pytest.mark.clause("G.CA1", "G.CA5")
def test_no_side_learns_that_announced_politics_do_not_come() -> None:
    row = event("hostility", "", do={"hostility": ["ENG", "NLD", "peace"]}, chance=6, announced=True)
    (failed,) = told(stepped(calendar_facts(row), 5), "calendar_fails")
    assert (failed.knows, failed.data["why"]) == ((), "chance")
