"""The sea at its edges: gales, running aground, foreign coasts, neutral ports, and the sound of guns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Stance
from campaign.rules.chart.chart import initial_bearing
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import FleetFacts, Position, ShipSheet, SideFacts, SquadronFacts, Theatre
from campaign.rules.contact.contact import contact_step
from campaign.rules.contact.guns import comers
from campaign.rules.losses import gales
from campaign.rules.losses.adrift import carry, on_a_shore
from campaign.rules.losses.castaways import Headcount, aboard, cast_ashore, nobody_from_nowhere
from campaign.rules.losses.losses import disabled, lose
from campaign.rules.losses.neutral import neutral_port, neutral_step
from campaign.rules.losses.tides import shoal_step
from campaign.rules.sailing.grounding import take_the_ground
from campaign.rules.state.state import AGROUND, RETAKEN, Contact, PrizeHold, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b
from tests.campaign.rules.test_shoals import shoals


def chart_of(
    *fleets: FleetFacts, faces: tuple[int, ...] = (), ships: list[ShipSheet] | None = None, hour: int = 1,
    wind: int = 270, strength: str = "moderate", **over: Any,
) -> Chart:  # fmt: skip
    made = b.facts(list(fleets), ships, **over)
    state = turn.standing(made)
    state.weather["sea"] = ZoneWeather.read(b.weather(wind, strength)["sea"])
    state.hour = hour
    return Chart(made, state, ScriptedDice(faces))


def blow(chart: Chart, hour: int, strength: str = "gale", faces: tuple[int, ...] = ()) -> Chart:
    chart.state.hour, chart.dice = hour, ScriptedDice(faces)
    chart.state.weather["sea"] = replace(chart.state.weather["sea"], strength=gales.Strength(strength))
    gales.gale_step(chart)
    chart.dice.finish()
    return chart


def told(chart: Chart, kind: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in chart.state.events if event.kind == kind]


@pytest.mark.clause("G.GF1")
def test_a_gale_is_forgotten_after_a_day_without_one() -> None:
    chart = blow(chart_of(b.fleet("e", "ENG", "home")), 1)
    for hour, kept in ((2, True), (25, True), (26, False)):
        assert ("sea" in blow(chart, hour, "moderate").state.gales) is kept
    assert blow(chart, 27).state.gales["sea"].began == 27
    assert blow(chart, 51).state.gales["sea"].began == 27
    assert blow(chart, 76).state.gales["sea"].began == 76
    assert blow(chart, 100).state.gales["sea"].began == 76


def squadrons(*faces: int, wind: int = 270) -> Chart:
    """A sound fleet of two squadrons at a in a gale that begins."""
    ships = [b.ship(f"s{n}", "ENG", "e", squadron="one") for n in range(2)] + [
        b.ship("t0", "ENG", "e", squadron="two")
    ]
    chart = chart_of(b.fleet("e", "ENG", "a", "b"), ships=ships, wind=wind)
    return blow(chart, 1, faces=faces)


@pytest.mark.clause("G.GF3")
def test_a_squadron_that_parts_keeps_its_name_and_one_without_takes_its_fleets() -> None:
    chart = squadrons(1, 1, 1, 1)
    assert [row["name"] for row in told(chart, "parted_company")] == ["Squadron two"]
    assert chart.state.fleets["ENG-p1-1"].name == "Squadron two"
    assert told(squadrons(2), "parted_company") == []
    ships = [b.ship(f"s{n}", "ENG", "e", squadron="one") for n in range(2)] + [
        b.ship("t0", "ENG", "e", squadron="two")
    ]
    nameless = chart_of(b.fleet("e", "ENG", "a", "b"), ships=ships)
    nameless.facts = replace(nameless.facts, squadrons={"one": SquadronFacts("one", "One", "e", "s0")})
    blow(nameless, 1, faces=(1, 1, 1, 1))
    assert [row["name"] for row in told(nameless, "parted_company")] == ["Fleet e"]


@pytest.mark.clause("G.GF3", "G.CH2")
@pytest.mark.parametrize(
    ("wind", "carried"), [(210, True), (209, False), (330, True), (331, False), (270, True), (90, True)]
)
def test_ships_that_part_are_carried_along_a_passage_within_sixty_degrees_of_the_lee(
    wind: int, carried: bool
) -> None:
    chart = squadrons(1, 2, 3, 4, wind=wind)
    to = "home" if wind == 90 else "b"
    assert chart.state.fleets["ENG-p1-1"].position == (Position("a", to, 9_000) if carried else Position("a"))


@pytest.mark.clause("G.GF2")
@pytest.mark.parametrize(("lost", "gone"), [(17, False), (18, True), (19, True)])
def test_a_ship_founders_when_the_strain_has_taken_all_her_hull(lost: int, gone: bool) -> None:
    ship = b.ship("s", "ENG", "e", condition={"lost": lost}, card={**b.CARD, "strain": 2})
    chart = chart_of(b.fleet("e", "ENG", "a"), ships=[ship])
    blow(chart, 4, "strong")
    assert (chart.state.ships["s"].fate is Fate.FOUNDERED) is gone
    port = chart_of(b.fleet("e", "ENG", "home"), ships=[ship])
    blow(port, 4, "strong")
    assert port.state.ships["s"].condition == {"lost": lost}


@pytest.mark.clause("G.PR3")
@pytest.mark.parametrize(
    ("at", "hour", "kept"), [("home", 24, False), ("home", 23, True), ("theirs", 24, True), ("a", 24, True)]
)
def test_a_retaken_ship_has_her_crew_again_at_six_in_a_friendly_port(at: str, hour: int, kept: bool) -> None:
    chart = chart_of(b.fleet("e", "ENG", at))
    chart.state.mark("e1", RETAKEN)
    assert blow(chart, hour, "moderate").state.marked("e1", RETAKEN) is kept
    out = chart_of(b.fleet("e", "ENG", at, to={"a": "b", "theirs": "c"}.get(at, "a"), run=500))
    out.state.mark("e1", RETAKEN)
    assert blow(out, hour, "moderate").state.marked("e1", RETAKEN)


def aground(*faces: int) -> Chart:
    """A fleet of two squadrons comes in among the shoals by night."""
    ships = [b.ship(f"e{n}", "ENG", "e", squadron="van" if n < 2 else "rear") for n in range(3)]
    chart = chart_of(b.fleet("e", "ENG", "b", "c"), ships=ships, faces=faces, hour=16, sea=shoals())
    take_the_ground(chart, chart.state.fleets["e"], "b")
    chart.dice.finish()  # type: ignore[attr-defined]
    return chart


@pytest.mark.clause("G.CH4", "G.MV4")
@pytest.mark.parametrize(
    ("faces", "ships", "name", "home"),
    [
        ((3, 4, 4), ["e0"], "Ship e0", "van"),
        ((4, 3, 4), ["e1"], "Ship e1", "van"),
        ((4, 4, 3), ["e2"], "Ship e2", "rear"),
        ((3, 3, 4), ["e0", "e1"], "Aground of Fleet e", ""),
    ],
)
def test_a_ship_that_runs_aground_becomes_a_separate_fleet_named_after_her_or_the_fleet(
    faces: tuple[int, ...], ships: list[str], name: str, home: str
) -> None:
    chart = aground(*faces)
    assert sorted(chart.state.fleets) == ["ENG-p1-1", "e"]
    new = chart.state.fleets["ENG-p1-1"]
    assert [ship.code for ship in chart.ships_of(new.code)] == ships
    assert (new.name, new.home, new.position, new.under_way) == (name, home, Position("b"), False)
    assert [(row["fleet"], row["ships"], row["name"]) for row in told(chart, "aground")] == [
        (new.code, ships, name)
    ]


@pytest.mark.clause("G.CH4")
def test_when_all_are_aground_the_fleet_stays_there_and_a_ship_aground_does_not_throw_again() -> None:
    chart = aground(1, 2, 3)
    assert sorted(chart.state.fleets) == ["e"]
    assert chart.aground(chart.state.fleets["e"])
    take_the_ground(chart, chart.state.fleets["e"], "b")
    assert len(told(chart, "aground")) == 1
    assert aground(4, 4, 4).state.events == []


@pytest.mark.clause("G.CH4")
@pytest.mark.parametrize(
    ("hour", "thrown"), [(18, True), (6, True), (5, False), (7, False), (17, False), (19, False)]
)
def test_the_tide_floats_ships_off_at_midnight_and_at_noon(hour: int, thrown: bool) -> None:
    for face, off in ((4, False), (5, True)):
        chart = chart_of(b.fleet("e", "ENG", "b"), faces=(face,) if thrown else (), hour=hour, sea=shoals())
        chart.state.mark("e1", AGROUND)
        b.step(shoal_step, chart)
        chart.dice.finish()  # type: ignore[attr-defined]
        assert chart.aground(chart.state.fleets["e"]) is not (thrown and off)
    held = chart_of(b.fleet("e", "ENG", "b"), hour=18, sea=shoals())
    held.state.mark("e1", AGROUND)
    held.alter(held.state.fleets["e"], off_until=19)
    b.step(shoal_step, held)
    assert held.aground(held.state.fleets["e"])


@pytest.mark.clause("G.CH2")
@pytest.mark.parametrize(
    ("position", "strange"),
    [
        (Position("c", "theirs", 57_000), True),
        (Position("c", "theirs", 56_999), False),
        (Position("home", "a", 1_000), False),
        (Position("b"), True),
        (Position("b", "c", 5), False),
    ],
)
def test_a_ship_is_wrecked_only_on_a_shoal_coast_or_within_three_miles_of_a_foreign_port(
    position: Position, strange: bool
) -> None:
    chart = chart_of(b.fleet("e", "ENG", "a"), sea=shoals())
    assert on_a_shore(chart, chart.alter(chart.state.fleets["e"], position=position)) is strange


@pytest.mark.clause("G.CH2")
def test_only_ships_that_make_no_way_throw_for_the_shore() -> None:
    ships = [
        b.ship("e0", "ENG", "e"),
        b.ship("e1", "ENG", "e", condition={"lost": 20}),
        b.ship("e2", "ENG", "e", men=29),
    ]
    chart = chart_of(b.fleet("e", "ENG", "c"), ships=ships, faces=(3, 2))
    assert [ship.code for ship in disabled(chart, chart.state.fleets["e"])] == ["e1", "e2"]
    carry(chart, chart.alter(chart.state.fleets["e"], under_way=True), 90, 60_000)
    assert [chart.state.ships[f"e{n}"].fate for n in range(3)] == [Fate.AFLOAT, Fate.AFLOAT, Fate.WRECKED]
    assert not chart.state.fleets["e"].under_way
    still = chart_of(b.fleet("e", "ENG", "c"), ships=ships)
    carry(still, still.alter(still.state.fleets["e"], under_way=True), 0, 60_000)
    assert still.state.fleets["e"].under_way


@pytest.mark.clause("T.C21", "G.PR5")
@pytest.mark.parametrize(("men", "ports", "landed"), [(80, True, 80), (0, True, 0), (80, False, 0)])
def test_crews_are_landed_where_there_are_crews_and_a_port(men: int, ports: bool, landed: int) -> None:
    chart = chart_of(b.fleet("e", "ENG", "a"))
    if not ports:
        homeless = replace(chart.facts.sides["ENG"], nations=("Nowhere",))
        chart.facts = replace(chart.facts, sides={**chart.facts.sides, "ENG": homeless})
    cast_ashore(chart, chart.state.ships["e1"], [("ENG", men)], Position("a"), hour=None)
    assert [row["men"] for row in told(chart, "castaways")] == ([landed] if landed else [])
    assert chart.state.economy.ashore == ({("ENG", "home"): landed} if landed else {})


@pytest.mark.clause("G.PR1", "G.PR5")
def test_those_aboard_are_her_crew_and_captives_or_no_one() -> None:
    chart = chart_of(b.fleet("e", "ENG", "a"))
    ship = chart.state.ships["e1"]
    assert aboard(chart, ship) == [("ENG", 300)]
    assert aboard(chart, replace(ship, men=0)) == []
    chart.state.prizes["e1"] = PrizeHold(90, "NLD")
    chart.state.economy.captives["e1"] = ("FRA", 4)
    assert aboard(chart, ship) == [("ENG", 300), ("NLD", 90), ("FRA", 4)]


@pytest.mark.clause("G.CR1")
def test_men_and_captives_who_never_existed_are_removed_only_where_they_were_gained() -> None:
    ships = [b.ship(f"e{n}", "ENG", "e") for n in range(3)]
    chart = chart_of(b.fleet("e", "ENG", "a"), ships=ships)
    before = Headcount.of(chart.state, ["e0", "e1", "e2"])
    assert before == (900, {"e0": 300, "e1": 300, "e2": 300}, {"e0": 0, "e1": 0, "e2": 0})
    nobody_from_nowhere(chart, before)
    assert chart.state.economy.captives == {}
    chart.state.economy.captives["e1"] = ("NLD", 10)
    chart.state.ships["e2"] = replace(chart.state.ships["e2"], men=305)
    chart.state.ships["e0"] = replace(chart.state.ships["e0"], men=297)
    nobody_from_nowhere(chart, before)
    assert chart.state.economy.captives == {"e1": ("NLD", 0)}
    assert [chart.state.ships[f"e{n}"].men for n in range(3)] == [297, 300, 303]


@pytest.mark.clause("G.BT3")
def test_a_lost_ship_is_reported_with_where_and_how_and_her_fleet_ends_with_her() -> None:
    chart = chart_of(b.fleet("e", "ENG", "a", to="b", run=40_000))
    lose(chart, chart.state.ships["e1"], Fate.SUNK, clause="G.PT1", cause="by the guns of the port")
    assert [event.kind for event in chart.state.events] == ["lost", "fleet_ended"]
    assert told(chart, "lost")[0]["place"] == "b"
    assert (chart.state.ships["e1"].men, chart.state.ships["e1"].fate) == (0, Fate.SUNK)


def neutral_sea() -> Theatre:
    """The square sea with a French port at a."""
    doc = b.square_doc()
    next(node for node in doc["nodes"] if node["id"] == "a").update(
        kind="port", owner="France", dockyard_capacity=1
    )
    return read_theatre(doc)


def guest(tie: str = "", at: str = "a", **ship: Any) -> Chart:
    """An English fleet of two ships in the port; France is nobody's, allied or at war."""
    ships = [b.ship("e0", "ENG", "e"), b.ship("e1", "ENG", "e", **ship)]
    chart = chart_of(b.fleet("e", "ENG", at), ships=ships, hour=10, sea=neutral_sea())
    facts = replace(chart.facts, sides={**chart.facts.sides, "FRA": SideFacts("FRA", "France", ("France",))})
    pair = frozenset({"ENG", "FRA"})
    over = (
        {"allied": frozenset({pair})} if tie == "allied" else {"at_war": facts.at_war | {pair}} if tie else {}
    )
    return Chart(replace(facts, **over), chart.state, chart.dice)  # type: ignore[arg-type]


@pytest.mark.clause("G.CH3", "G.NE1")
@pytest.mark.parametrize(
    ("tie", "at", "neutral"),
    [
        ("", "a", True),
        ("allied", "a", False),
        ("at war", "a", False),
        ("", "home", False),
        ("", "theirs", False),
        ("", "b", False),
    ],
)
def test_a_neutral_port_belongs_to_no_side_involved(tie: str, at: str, neutral: bool) -> None:
    chart = guest(tie, at)
    assert neutral_port(chart, chart.state.fleets["e"]) is neutral
    assert not neutral_port(chart, replace(chart.state.fleets["e"], position=Position(at, "a", 5)))


@pytest.mark.clause("G.NE1")
@pytest.mark.parametrize(
    ("ship", "kept"),
    [({}, []), ({"condition": {"lost": 1}}, ["e1"]), ({"card": {**b.CARD, "steam": True}}, [])],
)
def test_a_neutral_interns_damaged_ships_at_once_and_no_steamer_for_her_steam(
    ship: dict[str, Any], kept: list[str]
) -> None:
    chart = guest(**ship)
    b.step(neutral_step, chart)
    assert [row["ships"] for row in told(chart, "interned")] == ([kept] if kept else [])
    assert chart.state.guests == {"e": 10}
    assert [code for code, held in chart.state.duties.interned.items() if held.hour == 10] == kept


@pytest.mark.clause("G.NE1", "G.CL2")
@pytest.mark.parametrize(
    ("hour", "off", "interned"), [(33, 0, False), (34, 0, True), (34, 35, False), (34, 34, True)]
)
def test_hours_in_a_neutral_port_count_while_the_fleet_is_on_the_chart(
    hour: int, off: int, interned: bool
) -> None:
    chart = guest()
    b.step(neutral_step, chart)
    chart.state.hour = hour
    chart.alter(chart.state.fleets["e"], off_until=off)
    b.step(neutral_step, chart)
    assert chart.state.fleets["e"].ended is interned
    assert chart.state.guests == ({} if interned or off > hour else {"e": 10})


def heard(
    miles: int, *, wind: int = 0, most: int = 30, west: bool = True, **over: Any
) -> list[tuple[str, int, int]]:
    """Who comes to a battle at b from so many thousandths of a mile off: fleet, turn and edge."""
    away = Position("b", "a" if west else "c", miles)
    rows = [
        b.fleet("e", "ENG", "b"),
        b.fleet("d", "NLD", "b"),
        replace(b.fleet("f", "ENG", "a"), position=away),
    ]
    chart = chart_of(*rows, wind=wind)
    chart.alter(chart.state.fleets["f"], **over)
    fleets = chart.state.fleets
    return [(c.fleet.code, c.turn, c.edge) for c in comers(chart, [fleets["e"]], [fleets["d"]], most)]


@pytest.mark.clause("G.CO7")
@pytest.mark.parametrize(
    ("miles", "wind", "most", "comes"),
    [
        (15_000, 0, 30, [7]), (15_001, 0, 30, []), (10_000, 0, 30, [5]), (10_000, 0, 5, [5]), (10_000, 0, 4, []),
        (9_000, 0, 30, [4]), (9_001, 0, 30, [5]), (10_000, 10, 30, [7]), (10_000, 9, 30, [5]), (10, 0, 30, [1]),
    ],
)  # fmt: skip
def test_a_fleet_that_hears_the_guns_within_fifteen_miles_arrives_in_whole_turns_at_its_speed(
    miles: int, wind: int, most: int, comes: list[int]
) -> None:
    assert heard(miles, wind=wind, most=most) == [("f", at, 270) for at in comes]
    assert [row[0] for row in heard(miles, wind=wind, most=most, west=False)] == (["f"] if comes else [])


@pytest.mark.clause("G.CO7", "G.MV5", "G.CO3")
def test_a_fleet_that_is_held_off_the_chart_or_unwilling_does_not_come() -> None:
    order = b.fleet("f", "ENG", "a").order
    stays = replace(order, instructions=replace(order.instructions, at_sound_of_guns="stay"))
    for over in (
        {"still_until": 2}, {"off_until": 2}, {"side": "NLD"}, {"order": replace(order, stance=Stance.AVOID)}, {"order": stays},
    ):  # fmt: skip
        assert [row for row in heard(9_000, **over) if row[0] == "f"] == []
    assert heard(9_000, still_until=1, off_until=1) != []


@pytest.mark.clause("G.CO2", "G.CO3")
def test_at_six_only_night_contacts_come_to_gunshot() -> None:
    for night, range_ in ((False, 6_000), (True, 1_000)):
        chart = chart_of(
            b.fleet("e", "ENG", "a", stance=Stance.SEEK),
            b.fleet("d", "NLD", "b", stance=Stance.SEEK),
            hour=24,
        )
        chart.state.contacts["e", "d"] = Contact(
            "e", "d", 6_000, 90, since=22, night=night, after_battle=True
        )
        b.step(contact_step, chart)
        assert [(contact.range, contact.night) for contact in chart.state.contacts.values()] == [
            (range_, False)
        ]


@pytest.mark.clause("G.CH1")
def test_a_bearing_runs_from_north_round_to_north_but_never_the_whole_circle() -> None:
    assert initial_bearing(0, 0, 1, -0.01) == pytest.approx(359.427, abs=0.001)
    assert initial_bearing(0, 0, 1, 0.01) == pytest.approx(0.573, abs=0.001)
    assert initial_bearing(0, 0, 60, -1e-15) == 0


@pytest.mark.clause("G.CO7", "G.CO3")
@pytest.mark.parametrize(
    "why", ["", "truce", "truce with another", "ally", "ally at war", "prizes", "no men"]
)
def test_a_fleet_comes_to_the_guns_only_if_it_is_free_to_fight_someone_there(why: str) -> None:
    side = "FRA" if why.startswith("ally") else "ENG"
    rows = [
        b.fleet("e", "ENG", "b"),
        b.fleet("d", "NLD", "b"),
        replace(b.fleet("f", side, "a"), position=Position("b", "a", 9_000)),
    ]
    ship = {"prizes": {"prize": True}, "no men": {"men": 5}}.get(why, {})
    ships = [b.ship("e1", "ENG", "e"), b.ship("d1", "NLD", "d"), b.ship("f1", side, "f", **ship)]
    sides = {
        code: SideFacts(code, name, (name,))
        for code, name in (("ENG", "England"), ("NLD", "Dutch Republic"), ("FRA", "France"))
    }
    war = {frozenset({"ENG", "NLD"})} | ({frozenset({"FRA", "NLD"})} if why == "ally at war" else set())
    over = {"sides": sides, "at_war": frozenset(war), "allied": frozenset({frozenset({"ENG", "FRA"})})}
    chart = chart_of(*rows, ships=ships, wind=0, **over)
    if why.startswith("truce"):
        chart.state.truces["d" if why == "truce" else "x", "f"] = 24
        chart.state.truces.update({("f", "x"): 24} if why != "truce" else {})
    fleets = chart.state.fleets
    found = comers(chart, [fleets["e"]], [fleets["d"]], 30)
    assert [row.fleet.code for row in found] == (
        ["f"] if why in ("", "truce with another", "ally at war") else []
    )
    assert comers(chart, [fleets["e"], fleets["f"]], [fleets["d"]], 30) == []
