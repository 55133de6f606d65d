"""What a side knows, and the automatic admiral that plays from it."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.admiral import admiral_orders
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    Battles,
    FleetOrder,
    Instructions,
    OnArrival,
    Settings,
    ShipKind,
    SideFacts,
    SightingReport,
    TurnDone,
    TurnFacts,
)
from campaign.rules.orders.orders import order_faults
from campaign.rules.state.documents import report_doc
from campaign.rules.state.duties import Cargo, Duties
from campaign.rules.turn import turn
from campaign.rules.turn.knowledge import Knowledge, events_for, knowledge_of
from tests.campaign.rules import builders as b


def report(
    side: str = "ENG", hour: int = 0, band: str = "2-4", longitude: int = 200, number: int = 1
) -> SightingReport:
    return SightingReport(side, number, hour, 0, longitude, None, band, (), "e", "d")


def facts(
    english: int = 4, dutch: int = 4, *reports: SightingReport, lost: int = 0, at: str = "home"
) -> TurnFacts:
    rows = [b.fleet("e", "ENG", at), b.fleet("d", "NLD", "theirs")]
    ships = [b.ship(f"e{n}", "ENG", "e", condition={"lost": lost}) for n in range(english)]
    ships += [b.ship(f"d{n}", "NLD", "d") for n in range(dutch)]
    return b.facts(rows, ships, carried={"reports": [report_doc(r) for r in reports]})


def order(made: TurnFacts, side: str = "ENG", fleet: str = "e") -> FleetOrder:
    given = admiral_orders(knowledge_of(made, None, side))[fleet]
    assert order_faults(made, given, side) == ()
    return given


@pytest.mark.clause("G.SI2", "G.SI3")
def test_a_side_knows_its_own_fleets_and_nothing_of_the_enemy_but_its_reports() -> None:
    made = facts(4, 4, report(), report(side="NLD", number=7))
    known = knowledge_of(made, None, "ENG")
    assert set(known.fleets) == {"e"} and set(known.ships) == {"e0", "e1", "e2", "e3"}
    assert [(k.report.number, k.report.fleet, k.age) for k in known.reports] == [(1, "", 0)]
    text = repr({name: getattr(known, name) for name in Knowledge.__dataclass_fields__ if name != "theatre"})
    assert "Fleet d" not in text and "Ship d" not in text and "'d0'" not in text


@pytest.mark.clause("G.SI3")
def test_only_the_last_report_of_a_contact_is_kept_newest_first() -> None:
    made = facts(4, 4, report(hour=-9), report(hour=-3, number=2), report(hour=-1))
    assert [(k.report.number, k.age) for k in knowledge_of(made, None, "ENG").reports] == [(1, 1), (2, 3)]


def test_reports_are_remembered_for_ten_days() -> None:
    rows = [b.fleet("e", "ENG", "a"), b.fleet("d", "NLD", "a", to="b", run=2_000)]
    made = b.facts(rows, weather=b.weather())
    state, _ = b.play(made)
    later = b.next_facts(made, state)
    (known,) = knowledge_of(later, None, "ENG").reports[-1:]
    assert known.report.fleet == "" and known.report.number == 1
    much_later = replace(later, first_hour=later.first_hour + 400, fleets={}, ships={})
    gone, _ = b.play(much_later)
    assert turn.carried_over(much_later, gone)["carried"]["reports"] == []


def test_the_admiral_cruises_between_both_sides_ports_when_nothing_is_reported() -> None:
    assert order(facts()).route == ("a", "b")
    assert order(facts()).stance is Stance.SEEK
    there = order(facts(at="b"))
    assert (there.route, there.on_arrival) == (("a",), OnArrival.PATROL)
    assert order(facts(), "NLD", "d").route == ("c", "b")


@pytest.mark.clause("G.CO1")
def test_the_admiral_attacks_a_weaker_enemy_and_falls_back_before_a_stronger_one() -> None:
    weaker = order(facts(4, 4, report(longitude=200), at="a"))
    assert (weaker.route, weaker.stance) == (("b",), Stance.SEEK)
    stronger = order(facts(4, 4, report(band="10-19"), at="b"))
    assert (stronger.route, stronger.stance) == (("a", "home"), Stance.AVOID)


def test_the_admiral_ignores_old_or_distant_reports() -> None:
    assert order(facts(4, 4, report(hour=-49, band="40+"), at="b")).stance is Stance.SEEK
    assert order(facts(4, 4, report(longitude=375, band="40+"), at="a")).stance is Stance.SEEK


def test_a_crippled_fleet_goes_home_and_stays_until_it_is_refitted() -> None:
    crippled = order(facts(lost=7, at="b"))
    assert (crippled.route, crippled.stance) == (("a", "home"), Stance.AVOID)
    assert order(facts(lost=6, at="b")).stance is Stance.SEEK
    in_yard = order(facts(lost=3))
    assert (in_yard.route, in_yard.stance) == ((), Stance.AVOID)
    assert order(facts(lost=2)).route == ("a", "b")


def test_smaller_fleets_join_the_main_one() -> None:
    made = facts()
    rows = {**made.fleets, "s": b.fleet("s", "ENG", "n")}
    ships = {**made.ships, "s1": b.ship("s1", "ENG", "s")}
    joined = replace(made, fleets=rows, ships=ships)
    assert order(joined, fleet="s").route == ("b",)


@pytest.mark.clause("G.MV2")
def test_a_fleet_bound_by_an_earlier_order_goes_where_ordered_and_stays_until_an_enemy_is_near() -> None:
    away = FleetOrder("e", ("a", "b", "c"), Stance.AVOID)
    stay = FleetOrder("e", (), Stance.HOLD)
    beat = FleetOrder("e", ("b",), Stance.HOLD, OnArrival.PATROL)
    quiet, alarm = facts(at="a"), facts(4, 4, report(longitude=200), at="a")

    def given(made: TurnFacts, before: FleetOrder) -> FleetOrder:
        return admiral_orders(knowledge_of(made, None, "ENG"), bound={"e": before})["e"]

    assert [given(quiet, before) for before in (away, stay, beat)] == [away, stay, beat]
    assert given(alarm, away) == away
    assert given(alarm, stay) == given(alarm, beat) == order(alarm)
    crippled = facts(lost=7, at="b")
    assert given(crippled, away) == order(crippled), "who needs a yard goes to one"


@pytest.mark.clause("G.MV2")
def test_a_squadron_an_ocean_away_fights_its_own_war() -> None:
    sea = b.theatre("atlantic_1805")
    rows = [
        b.fleet("channel", "GBR", "ushant"),
        b.fleet("ferrol", "GBR", "off_ortegal"),
        b.fleet("nelson", "GBR", "off_toro"),
        b.fleet("toulon", "FRA", "toulon"),
    ]
    strengths = {"channel": 9, "ferrol": 2, "nelson": 6, "toulon": 10}
    ships = [b.ship(f"{row.code}{n}", row.side, row.code) for row in rows for n in range(strengths[row.code])]
    sides = {
        "GBR": SideFacts("GBR", "Great Britain", ("Great Britain",)),
        "FRA": SideFacts("FRA", "France and Spain", ("France", "Spain")),
    }
    war = frozenset({frozenset({"GBR", "FRA"})})
    made = b.facts(rows, ships, sea=sea, sides=sides, at_war=war, start_date="1805-03-30")
    orders = admiral_orders(knowledge_of(made, None, "GBR"))
    goals = {code: (given.route or ("",))[-1] for code, given in orders.items()}
    assert goals["ferrol"] == goals["channel"]
    assert goals["nelson"] != goals["channel"]
    middle = {
        "off_toulon",
        "gulf_of_lions",
        "bonifacio",
        "west_sardinia",
        "east_minorca",
        "off_toro",
        "off_maritimo",
    }
    assert goals["nelson"] in middle, "between Toulon and Malta"


def test_held_fleets_get_no_orders() -> None:
    made = facts()
    held = replace(made, fleets={**made.fleets, "e": replace(made.fleets["e"], held_by="b01")})
    assert admiral_orders(knowledge_of(held, None, "ENG")) == {}


def historical() -> TurnFacts:
    """The strengths of the end of May 1666: Albemarle in the Thames, Rupert in the Channel, De Ruyter at the Texel."""
    rows = [
        b.fleet("albemarle", "ENG", "nore"),
        b.fleet("rupert", "ENG", "isle_of_wight"),
        b.fleet("deruyter", "NLD", "texel"),
    ]
    ships = [b.ship(f"a{n}", "ENG", "albemarle") for n in range(58)]
    ships += [b.ship(f"r{n}", "ENG", "rupert") for n in range(20)]
    ships += [b.ship(f"n{n}", "NLD", "deruyter") for n in range(85)]
    sea = b.theatre("narrow_seas_1666")
    return b.facts(rows, ships, sea=sea, start_date="1666-05-30", days=3)


@pytest.mark.parametrize("seed", range(8))
def test_the_fleets_of_1666_meet_within_nine_days(seed: int) -> None:
    made, secret = historical(), f"secret {seed}".encode()
    for _ in range(3):
        orders: dict[str, FleetOrder] = {}
        for side in sorted(made.sides):
            orders |= admiral_orders(knowledge_of(made, None, side))
        assert all(order_faults(made, given) == () for given in orders.values())

        def dice(facts: TurnFacts = made) -> KeyedDice:
            return KeyedDice(secret, prefix=f"{facts.campaign}/{facts.turn}")

        state, stop = turn.advance(made, turn.begin(made, orders, dice()), {}, dice())
        while not isinstance(stop, Battles | TurnDone):
            state, stop = turn.advance(made, state, {}, dice())
        if isinstance(stop, Battles):
            sail = [
                sum(len(s["ships"]) for s in side["squadrons"]) for side in stop.calls[0].scenario["sides"]
            ]
            assert sum(sail) > 100
            return
        made = b.next_facts(made, state)
    raise AssertionError("nine days without a battle")


def test_knowledge_in_the_middle_of_a_turn_is_that_of_the_hour() -> None:
    made = facts()
    state, _ = b.play(made, admiral_orders(knowledge_of(made, None, "ENG")))
    known = knowledge_of(made, state, "ENG")
    assert known.hour == 24
    assert known.fleets["e"].position == state.fleets["e"].position
    assert known.fleets["e"].weather == state.weather["sea"]
    assert asdict(known.fleets["e"].order)["route"] == asdict(state.fleets["e"].order)["route"]


@pytest.mark.clause("G.IN1")
def test_a_side_never_reads_the_code_of_an_enemys_fleet() -> None:
    sheet = b.facts(
        [
            b.fleet("hidden-e", "ENG", "a", stance=Stance.SEEK),
            b.fleet("hidden-d", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
            b.fleet("hidden-f", "NLD", "a", to="b", run=900, stance=Stance.SEEK),
        ],
        weather=b.weather(),
    )
    state, _ = b.play(sheet)
    for side, own, other in (("ENG", "hidden-e", "hidden-d"), ("NLD", "hidden-d", "hidden-e")):
        told = events_for(state, side)
        battle = next(doc for doc in told if doc[1] == "battle")
        assert own in repr(battle) and set(battle[4]["fleets"]) == {"ENG", "NLD"}
        assert other not in repr(told)
        assert all(doc[3] == [] for doc in told)
    assert "hidden-d" in repr(state.events)


@pytest.mark.clause("G.RP2", "G.MV5")
def test_the_admiral_goes_home_to_a_yard_that_can_repair_the_ships_and_sends_crippled_ships_there() -> None:
    doc = b.square_doc()
    near = {"id": "near", "name": "Near", "latitude": 0.3, "longitude": 1.0, "zone": "sea", "kind": "port"}
    doc["nodes"].append({**near, "owner": "England", "dockyard_capacity": 1, "berths": 2})
    doc["edges"].append(["near", "a"])
    sea = read_theatre(doc)

    def orders(lost: int, fragments: str) -> FleetOrder:
        ships = [b.ship("e1", "ENG", "e", condition={"lost": lost})]
        made = b.facts([b.fleet("e", "ENG", "a")], ships, sea=sea, settings=Settings(fragments=fragments))
        return admiral_orders(knowledge_of(made, None, "ENG"))["e"]

    # groups find the yard by standing orders
    for fragments, port in (("as thrown", "home"), ("one group", "")):
        assert orders(15, fragments).route == ("home",)
        assert orders(15, fragments).instructions.cripples_to == port
    made = b.facts([b.fleet("e", "ENG", "near")], [b.ship("e1", "ENG", "e", condition={"lost": 4})], sea=sea)
    assert admiral_orders(knowledge_of(made, None, "ENG"))["e"].route == ()


def trade(*dutch: SightingReport, bound: str = "b", at: str = "home") -> TurnFacts:
    """A fleet of four, a convoy bound for b with its cargo, and two frigates that lie with it."""
    made = facts(4, 4, *dutch)
    fleets = {**made.fleets, "m": b.fleet("m", "ENG", at), "f": b.fleet("f", "ENG", at, scout=True)}
    ships = {
        **made.ships,
        "f1": b.ship("f1", "ENG", "f", kind=ShipKind.FRIGATE, card={"hull": 9, "value": 15}),
    }
    ships |= {f"m{n}": b.ship(f"m{n}", "ENG", "m", kind=ShipKind.MERCHANT) for n in range(2)}
    cargoes = {f"m{n}": Cargo(10, bound, "ENG") for n in range(2)}
    carried = {**made.carried, "duties": Duties(cargoes=cargoes).doc()}
    return replace(made, fleets=fleets, ships=ships, carried=carried)


@pytest.mark.clause("G.CV1", "G.MV2")
def test_the_admiral_sends_a_convoy_to_its_destination_with_a_small_fleet() -> None:
    convoy = order(trade(), fleet="m")
    assert (convoy.route, convoy.stance) == (("a", "b"), Stance.AVOID)
    escort = order(trade(), fleet="f")
    assert (escort.on_arrival, escort.target) == (OnArrival.ESCORT, "m")


@pytest.mark.clause("G.CV1")
def test_a_convoy_turns_into_port_when_an_enemy_is_near() -> None:
    assert order(trade(report(longitude=180), at="a", bound="n"), fleet="m").route == ("home",)
    landed = trade(at="b")
    delivered = replace(landed, carried={"duties": Duties().doc()})
    assert order(delivered, fleet="m").stance is Stance.AVOID


@pytest.mark.clause("G.BL1")
def test_the_admiral_blockades_a_weaker_enemy_in_port() -> None:
    watch = order(facts(6, 2, report(longitude=400, band="2-4"), at="c"))
    assert (watch.route, watch.on_arrival, watch.stance) == (("theirs",), OnArrival.BLOCKADE, Stance.SEEK)
    with_scout = facts(6, 2, report(longitude=400, band="2-4"), at="c")
    look_out = {**with_scout.fleets, "s": b.fleet("s", "ENG", "a", scout=True)}
    ships = {**with_scout.ships, "s1": b.ship("s1", "ENG", "s", kind=ShipKind.FRIGATE)}
    assert order(replace(with_scout, fleets=look_out, ships=ships), fleet="s").route == ("b", "c")
    lying_off = replace(
        facts(6, 2, report(longitude=400, band="2-4")),
        fleets={"e": b.fleet("e", "ENG", "c", to="theirs", run=54_044), "d": b.fleet("d", "NLD", "theirs")},
    )
    assert order(lying_off).route == ("theirs",)


@pytest.mark.clause("G.MV4", "G.RP2")
def test_damaged_ships_go_to_a_yard_while_the_others_keep_the_sea() -> None:
    made = facts(6, 4, at="a")
    ships = {**made.ships, "e0": replace(made.ships["e0"], condition={"lost": 9})}
    given = order(replace(made, ships=ships))
    (part,) = given.parts
    assert (part.ships, part.route, part.stance) == (("e0",), ("home",), Stance.AVOID)
    assert given.route == ("b",)


@pytest.mark.clause("G.MV5")
def test_a_fleet_fights_under_the_instructions_it_was_given_and_keeps_its_standing_ones() -> None:
    made = facts(6, 4, at="a")
    told = Instructions(
        doctrine=Doctrine(fight_at="close", board="never", break_off=30), greatest_odds="3", after_battle="part", cripples_to="c"
    )  # fmt: skip
    given = admiral_orders(knowledge_of(made, None, "ENG"), {"e": told})["e"]
    assert given.instructions == replace(told, doctrine=replace(told.doctrine, stance=given.stance))
    sailing = replace(made.fleets["e"], order=replace(made.fleets["e"].order, instructions=told))
    for fragments, port in (("as thrown", "home"), ("one group", "")):
        settings = replace(made.settings, fragments=fragments)
        kept = order(replace(made, settings=settings, fleets={**made.fleets, "e": sailing})).instructions
        assert (kept.doctrine.break_off, kept.after_battle, kept.greatest_odds) == (30, "part", "3")
        assert kept.cripples_to == port, (
            "the admiral names a port where nobody else has and groups do not find one"
        )


@pytest.mark.clause("G.MV5", "G.CO1")
def test_the_admiral_attacks_at_the_odds_given_to_the_main_fleet() -> None:
    made = facts(4, 4, report(band="5-9"))
    bold, careful = Instructions(greatest_odds="9"), Instructions(greatest_odds="0.2")
    stances = [
        admiral_orders(knowledge_of(made, None, "ENG"), {"e": told})["e"].stance for told in (bold, careful)
    ]
    assert stances == [Stance.SEEK, Stance.AVOID]


@pytest.mark.clause("G.CO1", "G.MV4")
def test_the_admiral_waits_off_base_for_a_squadron_worth_waiting_for() -> None:
    made = facts(4, 4, at="a")
    fleets = {**made.fleets, "s": b.fleet("s", "ENG", "n")}
    ships = {**made.ships, **{f"s{n}": b.ship(f"s{n}", "ENG", "s") for n in range(3)}}
    apart = replace(made, fleets=fleets, ships=ships)
    assert order(apart).stance is Stance.HOLD
    joining = order(apart, fleet="s")
    assert (joining.on_arrival, joining.route[-1]) == (OnArrival.JOIN, "a")


@pytest.mark.clause("G.CO1", "G.SI2")
def test_fleets_reported_together_in_several_positions_are_counted_together() -> None:
    one = report(longitude=200, band="2-4")
    two = report(longitude=210, band="5-9", number=2)
    far = report(longitude=290, band="5-9", number=2)
    assert order(facts(4, 4, two, at="a")).stance is Stance.AVOID
    assert order(facts(6, 4, two, at="a")).stance is Stance.SEEK
    assert order(facts(6, 4, one, two, at="a")).stance is Stance.AVOID
    assert order(facts(6, 4, one, far, at="a")).stance is Stance.SEEK


@pytest.mark.clause("G.RP2")
@pytest.mark.parametrize(("lost", "port"), [(10, "near"), (15, "home")])
def test_a_yard_unfit_for_the_worst_ship_is_passed_by(lost: int, port: str) -> None:
    doc = b.square_doc()
    near = {"id": "near", "name": "Near", "latitude": 0.1, "longitude": 1.2, "zone": "sea", "kind": "port"}
    doc["nodes"].append({**near, "owner": "England", "dockyard_capacity": 2, "berths": 2})
    doc["edges"].append(["near", "a"])
    ships = [b.ship("e1", "ENG", "e", condition={"lost": lost})]
    made = b.facts([b.fleet("e", "ENG", "a")], ships, sea=read_theatre(doc))
    assert admiral_orders(knowledge_of(made, None, "ENG"))["e"].route == (port,)
