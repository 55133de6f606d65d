"""Opening positions: every ship of the register in one fleet, every fleet in a place of the chart, under orders it can sail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from battles.engine import registry
from battles.engine.registry import rule_set
from campaign.models import Campaign, Station
from campaign.rules.calendar.step import calendar_step
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from campaign.selectors.turn.coming import yet_to_come
from campaign.selectors.turn.facts import (
    objectives_of,
    ports_taken,
    pure_theatre,
    theatres_forget,
    turn_facts,
)
from campaign.selectors.turn.facts import theatre_of as theatre_now_of
from campaign.services.desk.audit import campaign_audit
from campaign.services.orders import openings
from campaign.services.orders.admirals import automatic_orders_write
from campaign.services.orders.openings import (
    DATA,
    card_figures,
    handicapped,
    opening_faults,
    opening_of,
    openings_of,
    planned_fleets,
)
from campaign.services.setup.demo import demo_start
from campaign.services.setup.setup import SetupRefused, theatre_load
from fleets.facts import facts_of
from fleets.models import Register, RegisterEntry
from tests.campaign.rules.builders import dice
from tests.support import sets
from tests.support.factories import UserFactory
from tests.support.registers import shipped_registers
from tests.support.remembered import remembered
from tests.support.turns import turn_closes

pytestmark = pytest.mark.one_database

OPENINGS = sorted(path.stem for path in (DATA / "openings").glob("*.json"))


def entries(opening: dict[str, Any], register_side: str) -> list[RegisterEntry]:
    rows = RegisterEntry.objects.filter(register__code=opening["register"], side=register_side)
    return list(rows.order_by("line"))


def theatre_of(code: str) -> dict[str, Any]:
    """The document of an opening's theatre."""
    document: dict[str, Any] = json.loads(
        (DATA / "theatres" / f"{opening_of(code)['theatre']}.json").read_text()
    )
    return document


def fleets(code: str) -> Iterator[Any]:
    """All fleets of an opening as they would be mustered, side by side."""
    opening = opening_of(code)
    for side, plan in opening["sides"].items():
        rows = entries(opening, plan["register_side"])
        found = planned_fleets(
            opening=code,
            side=side,
            register=opening["register"],
            register_side=plan["register_side"],
            entries=rows,
        )
        assert found is not None
        yield rows, found


@pytest.fixture(scope="module")
def registers(django_db_setup: Any, django_db_blocker: Any) -> Iterator[None]:
    """The shipped registers, loaded once for this module and taken back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        shipped_registers()
        yield
        transaction.set_rollback(True)


def started(code: str) -> Campaign:
    """The demo campaign of an opening."""
    campaign = begun(code)
    theatres_forget()  # another test's theatre may have had its number
    return campaign


@remembered
def begun(code: str) -> Campaign:
    register = Register.objects.get(code=opening_of(code)["register"])
    umpire = UserFactory(username=f"umpire of {code}")
    return demo_start(
        theatre=theatre_load(document=theatre_of(code)), register=register, umpire=umpire, seed="openings",
        rule_set=rules_of(code), opening=code,
    )  # fmt: skip


def rules_of(theatre: str) -> str:
    """The opening's rule set, the tiny one in the place of one that is not installed."""
    named = str(opening_of(theatre)["rule_set"])
    return named if named in registry.names() else sets.TINY


def test_every_theatre_has_an_opening() -> None:
    theatres = {path.stem for path in (DATA / "theatres").glob("*.json")}
    assert {opening_of(code)["theatre"] for code in OPENINGS} == theatres
    assert theatres <= set(OPENINGS), "the first opening of a theatre has its code"
    assert list(openings_of("yellow_sea_1904")) == ["yellow_sea_1904", "tsushima_1905"]
    assert openings_of("no_such_theatre") == {}


@pytest.mark.django_db
@pytest.mark.clause("G.CH3")
@pytest.mark.parametrize("theatre", OPENINGS)
def test_every_ship_of_the_register_that_was_there_is_in_one_fleet(registers: None, theatre: str) -> None:
    absent = [name for side in opening_of(theatre)["sides"].values() for name in side.get("absent", ())]
    for rows, found in fleets(theatre):
        mustered = Counter(entry.name for fleet in found for entry in fleet.entries)
        assert mustered == Counter(
            entry.name for entry in rows if not {entry.squadron, entry.name} & set(absent)
        )


@pytest.mark.parametrize("theatre", OPENINGS)
def test_fleets_lie_in_places_of_their_theatre_and_have_their_own_codes(theatre: str) -> None:
    opening = opening_of(theatre)
    document = theatre_of(theatre)
    places = {node["id"] for node in document["nodes"]}
    planned = [fleet for plan in opening["sides"].values() for fleet in plan["fleets"]]
    assert {fleet["place"] for fleet in planned} <= places
    codes = [fleet["code"] for fleet in planned]
    assert len(set(codes)) == len(codes)
    assert set(opening["sides"]) <= {row["name"] for row in document["sides"]}


@pytest.mark.django_db
def test_an_opening_names_its_squadrons_and_says_who_was_aboard_that_day(registers: None) -> None:
    toulon = {fleet.code: fleet for _, found in fleets("atlantic_1805") for fleet in found}
    gravina = toulon["GRA"].entries[0]
    assert (gravina.name, gravina.squadron, gravina.role) == ("Argonauta", "Cadiz Squadron", "flagship")
    assert gravina.commander.startswith("Adm Federico Gravina")
    assert toulon["VIL"].entries[0].name == "Bucentaure"
    stored = RegisterEntry.objects.get(register__code="1805_trafalgar", name="Argonauta")
    assert stored.role == "private"
    assert stored.squadron == "Squadron of Observation (Gravina)"


@pytest.mark.django_db
def test_a_different_set_of_ships_has_no_opening(registers: None) -> None:
    given = {"side": "England", "register_side": "English", "entries": []}
    assert planned_fleets(opening="channel_1588", register="1666_four_days_battle", **given) is None
    assert planned_fleets(opening="caribbean", register="1588_armada", **given) is None


@pytest.mark.django_db
@pytest.mark.clause("G.MV2", "G.CH3")
@pytest.mark.parametrize("theatre", OPENINGS)
def test_a_campaign_begins_with_the_fleets_of_its_opening_under_orders_they_can_sail(
    registers: None, tiny_set: None, theatre: str
) -> None:
    campaign = started(theatre)
    opening = opening_of(theatre)
    assert campaign.book.rule_set == rules_of(theatre)
    turn = campaign.turns.get()
    facts, orders = turn_facts(turn)
    planned = {fleet["code"]: fleet for plan in opening["sides"].values() for fleet in plan["fleets"]}
    convoys = {row["code"]: row["start"] for row in opening.get("convoys", ()) if row["code"] in facts.fleets}
    assert {code: fact.position.at for code, fact in facts.fleets.items()} == {
        **{code: fleet["place"] for code, fleet in planned.items()},
        **convoys,
    }
    for code, order in orders.items():
        assert order_faults(facts, order) == (), code
    given = set(turn.orders.filter(source="opening").values_list("fleet__code", flat=True))
    assert given == {code for code, fleet in planned.items() if "orders" in fleet}


@pytest.mark.django_db
@pytest.mark.clause("G.MV5", "G.CH3")
def test_fleets_of_the_line_board_only_crippled_ships_and_privateers_whom_they_can(registers: None) -> None:
    told = {
        fleet.code: fleet.orders.get("instructions", {}).get("doctrine", {}).get("board")
        for theatre in ("narrow_seas_1666", "channel_1588", "atlantic_1805", "caribbean")
        for _, found in fleets(theatre)
        for fleet in found
    }
    assert {code for code, word in told.items() if word == "pays"} == {"GPB", "GHA"}
    assert {told[code] for code in ("ALB", "RUP", "RUY", "NEL", "VIL", "VER", "LEZ")} == {"crippled"}
    # a handicap of 1588: no English ship let herself be boarded
    assert told["HOW"] == told["MED"] == "never"


@pytest.mark.django_db
@pytest.mark.clause("G.MV5")
def test_battle_instructions_of_an_opening_leave_the_automatic_admiral_free_to_sail(registers: None) -> None:
    turn = started("narrow_seas_1666").turns.get()
    rows = turn.orders.filter(fleet__code__in=("ALB", "RUP", "RUY"))
    assert {(row.source, row.instructions["doctrine"]["board"]) for row in rows} == {("standing", "crippled")}
    automatic_orders_write(turn=turn)
    now = turn.orders.filter(fleet__code__in=("ALB", "RUP", "RUY"))
    assert {row.source for row in now} == {"admiral"}
    assert {row.instructions["doctrine"]["board"] for row in now} == {"crippled"}


@pytest.mark.django_db
@pytest.mark.clause("G.MV2")
def test_the_automatic_admiral_leaves_the_openings_orders_until_they_are_carried_out(registers: None) -> None:
    campaign = started("atlantic_1805")
    campaign.settings = {**campaign.settings, "duties": "off"}
    campaign.save()
    turn = campaign.turns.get()
    automatic_orders_write(turn=turn)
    kept = dict(turn.orders.values_list("fleet__code", "source"))
    assert set(kept.values()) == {"opening"}
    turn_closes(turn)
    turn = campaign.turns.get(number=2)
    sources = dict(turn.orders.values_list("fleet__code", "source"))
    assert sources["VIL"] == sources["NEL"] == sources["FER"] == "opening", (
        "on her way, on her beat, told to stay"
    )
    left = turn.orders.get(fleet__code="VIL").route
    french = opening_of("atlantic_1805")["sides"]["France and Spain"]["fleets"]
    route = next(fleet["orders"]["route"] for fleet in french if fleet["code"] == "VIL")
    assert 0 < len(left) < len(route) and route[-len(left) :] == left
    turn.orders.filter(fleet__code="VIL").update(source="web")
    turn_closes(turn)
    after = dict(campaign.turns.get(number=3).orders.values_list("fleet__code", "source"))
    assert after["VIL"] == "standing", "an order that somebody changed is nobody's opening any more"


def overrides_of(code: str) -> dict[str, Any]:
    """What an opening sets on the cards of its ships, by name."""
    return {
        entry.name: entry.overrides for _, sides in fleets(code) for fleet in sides for entry in fleet.entries
    }


@pytest.mark.django_db
def test_an_opening_gives_card_figures_by_type_where_the_ship_has_none_of_its_own(registers: None) -> None:
    found = overrides_of("yellow_sea_1904")
    variants = {name: (given or {}).get("cordery", {}).get("variant") for name, given in found.items()}
    assert [variants[name] for name in ("Mikasa", "Asama", "Novik", "Koreets", "Akatsuki", "Hayabusa", "Lena")] == [
        None, "armoured_cruiser", "protected_cruiser", "gunboat", "torpedo_craft", "torpedo_craft", "transport",
    ]  # fmt: skip
    assert card_figures("yellow_sea_1904", "cordery", "merchant") == {"variant": "transport"}
    assert (
        card_figures("yellow_sea_1904", "kohler", "merchant")
        == card_figures("caribbean", "cordery", "merchant")
        == {}
    )
    assert variants["Zabiyaka"] == "gunboat", "an old clipper, a cruiser by the register"
    assert not RegisterEntry.objects.get(register__code="1904_port_arthur_tsushima", name="Asama").overrides


@pytest.mark.django_db
@pytest.mark.clause("T.S31")
def test_a_handicap_leaves_the_ships_of_a_side_a_part_of_their_batteries(registers: None) -> None:
    found = overrides_of("channel_1588")
    assert found["San Martin"] == {"thomas": {"batteries_percent": 25}}
    assert found["Triumph"] == {"thomas": {"batteries_percent": 75}}
    assert not RegisterEntry.objects.get(register__code="1588_armada", name="San Martin").overrides
    of_1805 = overrides_of("atlantic_1805")
    assert of_1805["Bucentaure"] == {"thomas": {"batteries_percent": 50}} and not of_1805["Victory"]


@pytest.mark.django_db
@pytest.mark.clause("T.S31", "T.C33")
@pytest.mark.parametrize(
    ("opening", "name", "guns"), [("channel_1588", "San Martin", 48), ("atlantic_1805", "Bucentaure", 80)]
)
def test_a_ship_with_a_handicap_is_as_great_and_as_deep_as_she_was(
    registers: None, opening: str, name: str, guns: int
) -> None:
    entry = RegisterEntry.objects.get(register__code=opening_of(opening)["register"], name=name)
    thomas = rule_set("thomas")
    whole = thomas.card(facts_of(entry, rule_set="thomas"))
    entry.overrides = overrides_of(opening)[name]
    left = thomas.card(facts_of(entry, rule_set="thomas"))
    assert (left["guns"], left["deep"]) == (guns, True)
    assert {**left, "batteries": 0} == {**whole, "batteries": 0} and left["batteries"] != whole["batteries"]


def test_a_handicap_changes_nothing_that_is_set_for_the_ship() -> None:
    ships = [
        RegisterEntry(name="A"),
        RegisterEntry(
            name="B", overrides={"thomas": {"batteries_percent": 70, "crew": 3}, "kohler": {"guns": 2}}
        ),
    ]
    handicapped(ships, {"thomas": {"batteries_percent": 50}})
    assert [ship.overrides for ship in ships] == [
        {"thomas": {"batteries_percent": 50}},
        {"thomas": {"batteries_percent": 70, "crew": 3}, "kohler": {"guns": 2}},
    ]


@pytest.mark.django_db
@pytest.mark.clause("G.ST1", "G.NE1", "G.BL1")
def test_the_war_of_1904_begins_with_steamers_and_plays_its_first_turn(
    registers: None, tiny_set: None
) -> None:
    campaign = started("yellow_sea_1904")
    campaign.settings = {**campaign.settings, "duties": "off"}
    campaign.save()
    turn = campaign.turns.get()
    facts, _ = turn_facts(turn)
    chart = Chart(facts, standing(facts), dice(facts))
    assert all(chart.steams(code) for code in facts.fleets)
    assert {ship.code for ship in facts.ships.values() if ship.name in ("Knyaz Suvorov", "Kasuga")} == set()
    knots = {
        code: min(hull.knots for hull in chart.hulls(code)) // 1000 for code in ("TOG", "VLA", "RUD", "DPA")
    }
    assert knots == {"TOG": 10, "VLA": 11, "RUD": 8, "DPA": 12}
    turn_closes(turn)
    turn.refresh_from_db()
    assert turn.phase == "closed"
    campaign.refresh_from_db()
    interned = {row["place"] for row in campaign.carried["duties"]["interned"].values()}
    guests = Station.objects.filter(fleet__code__in=campaign.carried["guests"]).values_list("at", flat=True)
    assert interned | set(guests) == {"shanghai", "yingkou"}, "a day in a neutral port, and no more"
    lost = campaign.book.ships.exclude(fate="afloat").values_list("name", flat=True)
    assert {"Varyag", "Koreets"} <= set(lost), "who lay at Chemulpo were brought to battle there"


# What each opening's calendar does: its acting rows with the number of ships that they bring.
COMING = {
    "tsushima_1905": {},
    "channel_1588": {"volunteers": 12, "parma": 20, "nassau": 20},
    "narrow_seas_1666": {"beaufort": 24, "vlie_trade": 12},
    "atlantic_1805": {"lauriston": 0},
    "caribbean": {"torres": 12, "ogle": 29, "wentworth": 45},
    "yellow_sea_1904": {
        "first_army": 30, "nisshin": 2, "second_army": 40, "otowa": 1, "new_destroyers": 3, "rozhestvensky": 38,
    },
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.clause("G.CA1", "G.CA2", "G.CA4")
@pytest.mark.parametrize("theatre", OPENINGS)
def test_a_campaign_begins_with_the_calendar_of_its_opening(
    registers: None, tiny_set: None, theatre: str
) -> None:
    campaign = started(theatre)
    acting = campaign.calendar_rows.exclude(deed="")
    assert {row.code: len(row.sheets.get("ships", ())) for row in acting} == COMING[theatre]
    texts = set(campaign.calendar_rows.filter(deed="").values_list("code", flat=True))
    assert len(texts) > 2 and not texts & set(COMING[theatre])
    facts, _ = turn_facts(campaign.turns.get())
    waiting = yet_to_come(campaign).ships
    assert len(waiting) == sum(COMING[theatre].values()) and not waiting & set(facts.ships)
    assert not waiting & set(facts.opening.ships), "who is to come is in no opening value"


@pytest.mark.django_db
@pytest.mark.clause("G.CA1", "G.CA2", "G.CA4")
@pytest.mark.parametrize("theatre", OPENINGS)
def test_every_event_of_an_opening_can_come_to_pass(registers: None, tiny_set: None, theatre: str) -> None:
    campaign = started(theatre)
    campaign.calendar_rows.update(moved=campaign.start_date, chance=1)
    facts, _ = turn_facts(campaign.turns.get())
    chart = Chart(facts, standing(facts), dice(facts))
    calendar_step(chart)
    assert set(chart.state.calendar.done) == set(COMING[theatre]) and not chart.state.calendar.void
    later = yet_to_come(campaign).ships
    assert later <= set(chart.state.ships)
    for fleet in chart.fleets():
        here = fleet.position.at
        for step in fleet.order.route:
            assert (here, step) in chart.geometry.legs, (fleet.code, here, step)
            here = step
    armies = campaign.calendar_rows.filter(deed="army")
    men = sum(chart.state.troops.aboard.values()) + sum(
        army.men for army in chart.state.troops.armies.values()
    )
    assert men == sum(row.do["men"] for row in armies)


@pytest.mark.django_db
@pytest.mark.clause("G.CA2")
def test_a_side_whose_fleets_come_later_takes_part_without_a_ship(registers: None, tiny_set: None) -> None:
    campaign = started("narrow_seas_1666")
    france = campaign.sides.get(name="France")
    assert not france.navy.fleets.exists()
    turn = turn_closes(campaign.turns.get())
    assert turn.phase == "closed"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("GAN", 21), ("VIL", 11), ("GRA", 7), ("ALA", 6), ("FER", 13), ("MAG", 2), ("MIS", 5), ("NEL", 11), ("GAR", 21),
        ("CAL", 7), ("ORD", 6), ("COC", 6), ("GRV", 5),
    ],
)  # fmt: skip
def test_the_fleets_of_1805_have_their_ships_of_the_line(registers: None, code: str, line: int) -> None:
    found = {fleet.code: fleet for _, rows in fleets("atlantic_1805") for fleet in rows}
    assert sum(entry.ship_type == "ship_of_line" for entry in found[code].entries) == line


@pytest.mark.clause("G.BL1")
@pytest.mark.parametrize(
    ("code", "port"),
    [("GAR", "brest"), ("GRV", "rochefort"), ("CAL", "ferrol"), ("ORD", "cadiz"), ("PHO", "toulon")],
)
def test_the_british_blockaders_of_1805_blockade_their_ports(code: str, port: str) -> None:
    british = opening_of("atlantic_1805")["sides"]["Great Britain"]["fleets"]
    orders = next(fleet["orders"] for fleet in british if fleet["code"] == code)
    assert (orders["on_arrival"], orders["route"][-1]) == ("blockade", port)


@pytest.mark.clause("G.BL1", "G.CA2")
def test_the_dutch_of_1588_come_to_close_dunkirk() -> None:
    events = {row["id"]: row["do"] for row in opening_of("channel_1588")["calendar"]}
    orders = events["nassau"]["orders"]
    assert (orders["on_arrival"], orders["route"][-1]) == ("blockade", events["parma"]["port"])


@pytest.mark.django_db
@pytest.mark.clause("G.CH3")
def test_an_opening_of_a_later_day_has_its_date_its_ports_and_its_objectives(
    registers: None, tiny_set: None
) -> None:
    campaign = started("tsushima_1905")
    assert (campaign.start_date, campaign.opening_code) == ("1905-05-24", "tsushima_1905")
    assert campaign.settings["end_date"] == "1905-06-15"
    places, first = theatre_now_of(campaign).places, pure_theatre(campaign.theatre).places
    assert {places[code].owner for code in ("port_arthur", "masampo", "talien_bay")} == {"Japan"}
    assert (first["port_arthur"].owner, places["vladivostok"].owner) == ("Russia", "Russia")
    assert not ports_taken(campaign), "it was so when the campaign began"
    assert {row.id for row in objectives_of(campaign)} >= {"jp_line", "ru_vlad"}
    assert list(campaign_audit(campaign=campaign)) == []
    earlier = started("yellow_sea_1904")
    assert (earlier.start_date, earlier.opening_code) == ("1904-02-08", "yellow_sea_1904")
    assert theatre_now_of(earlier).places["port_arthur"].owner == "Russia"


@pytest.mark.django_db
@pytest.mark.clause("G.CH3")
def test_a_campaign_cannot_begin_with_an_opening_of_another_theatre_or_one_that_is_wrong(
    registers: None, tiny_set: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SetupRefused) as refused:
        demo_start(
            theatre=theatre_load(document=theatre_of("caribbean")), umpire=UserFactory(), seed="x", opening="tsushima_1905",
            register=Register.objects.get(code="1904_port_arthur_tsushima"), rule_set=sets.TINY,
        )  # fmt: skip
    fault = next(fault for fault in refused.value.faults if fault.path == "opening")
    assert (
        fault.text.startswith("'tsushima_1905' is not an opening of The Caribbean")
        and "caribbean" in fault.text
    )
    theatre = pure_theatre(theatre_load(document=theatre_of("tsushima_1905")))
    for day in ("May", "19050524"):
        wrong = {
            **opening_of("tsushima_1905"),
            "start_date": day,
            "owners": {"atlantis": "Japan", "fusan": "Korea"},
        }
        monkeypatch.setattr(openings, "openings_of", lambda theatre, wrong=wrong: {"tsushima_1905": wrong})
        faults = list(opening_faults(theatre=theatre, code="tsushima_1905", nations={"Japan", "Russia"}))
        assert [fault.path for fault in faults] == [
            "opening.start_date", "opening.owners.atlantis", "opening.owners.fusan",
        ]  # fmt: skip
    assert faults[2].text == "'Korea' is not a nation of a side here. Choose from Japan, Russia."
