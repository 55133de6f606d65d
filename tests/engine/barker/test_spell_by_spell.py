"""What happens spell by spell beside movement and fire: arrivals, hails, flags, wireless, nets. Places in yards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.rulesets.barker import (
    after,
    closing,
    coming,
    effects,
    ending,
    factors,
    fire,
    hazards,
    land,
    lights,
    modes,
    nets,
    neutrals,
    nip,
    signals,
    slots,
)
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.signals import Means
from battles.engine.rulesets.barker.state import (
    Bank,
    BarkerSquadron,
    Battle,
    Group,
    Marker,
    Status,
)
from battles.engine.rulesets.barker.tables import Mode, Phase
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.gunners import Gunner, shoot, shots
from tests.engine.barker.test_ending import closed, finished, sunk, two
from tests.engine.barker.test_movement import threw


@pytest.mark.clause("P.S34", "P.E10", "P.K36")
def test_what_is_told_of_an_arrival() -> None:
    pair = unit(
        "A1",
        (0, -48_000),
        kind="TBD",
        hulls=("A1", "A2"),
        outside=True,
        damage=1,
        crippled=True,
        contact="n1",
    )
    made = battle(pair, unit("B1"))
    table = play(made)
    assert coming.entered(made, table, pair)
    ((_, data),) = told(table, "arrived")
    assert (data["pair"], data["steps"], data["contact"], data["stopped"]) == ("A2", 4, "n1", False)
    one = unit("A3", (0, 0), outside=True)
    assert coming.entered(made, table, one)
    assert (told(table, "arrived")[1][1]["pair"], told(table, "arrived")[1][1]["steps"]) == ("", 0)


@pytest.mark.clause("P.S34")
def test_a_squadron_that_is_held_back_is_not_due() -> None:
    late = unit("A2", squadron="A-2", group="A-2", status=Status.EXPECTED)
    made = battle(unit("A1"), late, unit("B1", (0, 9_000)), clock=9_000)
    row = made.squadrons["A-2"]
    assert coming.is_due(made, row, 0) and [one.id for one in coming.due(made, "A")] == ["A-2"]
    row.held_back = True
    assert not coming.is_due(made, row, 90_000) and coming.due(made, "A") == []


@pytest.mark.clause("P.K43", "P.O01")
def test_only_a_side_with_nothing_left_gives_its_relief_up() -> None:
    late = [
        unit(f"{side}2", squadron=f"{side}-2", group=f"{side}-2", status=Status.EXPECTED) for side in "AB"
    ]
    made = two(*late, last_turn=500)
    for side in "AB":
        made.squadrons[f"{side}-2"].arrives = 90
    sunk(made, "A1")
    closed(made)
    assert [one.status for one in late] == [Status.TURNED_BACK, Status.EXPECTED]


# --- dice of initiative ---


@pytest.mark.clause("P.Z06", "P.I01")
def test_groups_throw_by_their_kind_and_then_by_their_id() -> None:
    ids = {
        "m": "squadron",
        "n": "flotilla",
        "h": "merchants",
        "e": "submarines",
        "b": "single",
        "a": "single",
        "f": "merchants",
    }
    made = battle(
        *(unit(f"A{n}", (n * 900, 0), squadron="", group=code) for n, code in enumerate(ids)),
        unit("B1", (0, 9_000)),
    )
    made.groups = {code: Group(code, "A", kind) for code, kind in ids.items()}
    table = threw(made, 1, 2, 3, 4, 5, 6, 1)
    keys = [throw.key for throw in table.dice.throws]  # type: ignore[attr-defined]
    assert [key.split("/")[3] for key in keys] == ["m", "n", "f", "h", "e", "a", "b"]
    assert keys[0] == "P.I01/0/NIP/m/"


@pytest.mark.clause("P.W05", "P.W07", "P.S15")
def test_only_a_change_of_banks_is_told_and_a_side_without_a_flag_stirs_nothing() -> None:
    mist, fog = Bank("mist", 0, 0, 0, 100, 100, 0, placer="A"), Bank("fog", 5, 5, 0, 100, 100, 1)
    for banks, left in (([mist, fog], ["fog"]), ([fog], ["fog"]), ([], [])):
        made = battle(unit("A1"), unit("B1", (0, 9_000)), banks=list(banks))
        table = threw(made, 6)
        assert [bank.kind for bank in made.banks] == left
        assert bool(told(table, "banks")) is (mist in banks)
    made = battle(unit("A1"), unit("B1", (0, 9_000)), banks=[mist])
    made.parties["A"].cinc = ""
    found = []
    try:
        threw(made, 6)
    except AttributeError as error:
        found.append(repr(error))
    assert (found, len(made.banks)) == ([], 1)


@pytest.mark.clause("P.C10")
def test_who_cruises_again_begins_to_count_anew() -> None:
    made = battle(unit("A1"), unit("B1", (90_000, 0)), unseen=11, cruising_unseen=0)
    table = play(made)
    modes.revert(made, table)
    assert (made.mode, made.unseen, made.cruising_unseen) == (Mode.CRUISING, 0, 0)
    assert told(table, "mode") == [("", {"mode": "cruising"})]
    for n in (1, 2):
        modes.revert(made, table)
        assert (made.unseen, made.cruising_unseen) == (0, n)
    made.parties["B"].contacts = ("A1",)
    modes.revert(made, table)
    assert (made.unseen, made.cruising_unseen) == (0, 0)


# --- neutrals, flags, lights, shots ---


@pytest.mark.clause("P.N05", "P.K45")
def test_an_order_without_a_name_hails_nobody() -> None:
    made = battle(unit("A1"), unit("B1", (900, 0), kind="TRAMP", neutral=True), unit("B2", (0, 9_000)))
    table = play(made, orders={"A1": Orders()})
    after.play(made, table)
    assert told(table, "hailed") == [] and neutrals.named(made, "") is None


@pytest.mark.clause("P.N06", "P.N07")
def test_a_vessel_let_go_is_in_no_search() -> None:
    vessel = unit("B1", (900, 0), kind="TRAMP", neutral=True, stopped=True, challenged="A1", search_due=7)
    made = battle(unit("A1", (90_000, 0)), vessel)
    neutrals.hold(made, vessel)
    assert (vessel.stopped, vessel.challenged, vessel.search_due) == (False, "", -1)
    prize = unit("B2", (900, 0), kind="TRAMP", stopped=True, challenged="A1")
    neutrals.hold(made, prize)
    assert prize.stopped


@pytest.mark.clause("P.N07", "P.N08")
@pytest.mark.parametrize(("spell", "due"), [(0, 4), (1, -1)])
def test_boats_are_sent_in_the_challengers_own_spells(spell: int, due: int) -> None:
    vessel = unit("B1", (200, 0), kind="TRAMP", neutral=True, stopped=True, challenged="A1")
    made = battle(unit("A1"), vessel, unit("B2", (0, 9_000)), spell=spell)
    made.parties["A"].spells = 3
    after.play(made, play(made))
    assert vessel.search_due == due


@pytest.mark.clause("P.S18", "P.S19")
def test_no_flag_is_shifted_where_it_is_lost() -> None:
    squad = BarkerSquadron(id="A-1", name="", side="A", ships=("A1", "A2"), flagship="A1")
    flag, mate = unit("A1", crippled=True), unit("A2", (200, 0))
    assert after.may_shift(squad, flag, mate)
    assert not after.may_shift(replace(squad, flag_lost=True), flag, mate)
    assert not after.may_shift(squad, flag, flag)


@pytest.mark.clause("P.V14", "P.K38", "P.F02", "P.L02", "P.S20", "P.E12", "P.U10")
def test_nothing_goes_wrong_where_somebody_is_missing() -> None:
    """No captain, no orders, no commander, no group: each is asked for what he would do."""
    wrong = {}
    guns, boat, liner = (
        unit("A1", kind="BATTERY"),
        unit("A2", (0, 500), kind="SUB"),
        unit("A3", (9_000, 0), kind="LINER"),
    )
    made = battle(
        guns,
        boat,
        liner,
        unit("A4", (0, 3_000), kind="C2"),
        unit("B1", (900, 0)),
        unit("B2", (0, 900)),
        phase=Phase.NIGHT,
    )
    fleet = unit("B9", kind="FISH", neutral=True)
    made.markers = [Marker("fake/A/1", "A", 0, 0)]
    tasks = {
        "lights": lambda: lights.declare(made, play(made)),
        "lights, by an order for something else": lambda: lights.declare(made, play(made, orders={"B1": Orders()})),
        "shots without captains": lambda: fire.shoot(made, play(made)),
        "shots by themselves": lambda: [slots.legal(made, one) for one in made.units.values()],
        "shots of a battery": lambda: [factors.gunner_die(made, guns, band, 3) for band in Band],
        "chivalry of a battery": lambda: factors.chivalry_bars(made, guns, made.units["B1"]),
        "a merchant sunk": lambda: effects.sink(made, play(made), liner, "fire", "B1"),
        "nets over a fake": lambda: nets.foul(made, play(made), fleet, fleet),
        "after the movement": lambda: after.play(made, play(made)),
        "a neutral sunk by a mine": lambda: ending.points2(_with_neutral_sunk(), "A"),
        "the end": lambda: finished(battle(guns, unit("B1", (0, 9_000)))),
        "a ship taken": lambda: _taken(),
        "touch": lambda: [signals.in_touch(made, one) for one in made.units.values()],
        "dice": lambda: nip.throw(made, play(made, 1, 2, 3, 4)),
    }  # fmt: skip
    for name, task in tasks.items():
        try:
            task()
        except Exception as error:
            wrong[name] = repr(error)
    assert wrong == {}


def _taken() -> None:
    made = battle(unit("A1", crippled=True), unit("B1", (0, 900)))
    finished(made)
    assert closing.outcome(made).ship("A1").captor_ship == "B1"


def _with_neutral_sunk() -> Battle:
    return two(unit("N1", kind="TRAMP", side="", neutral=True, status=Status.SUNK, by="B-m1"))


@pytest.mark.clause("P.F02")
def test_a_flotilla_fires_as_one() -> None:
    boats = [unit(f"A{n}", (0, 900 * n), kind="TBD", squadron="A-F", group="A-F") for n in (1, 2)]
    made = battle(*boats, unit("B1", (900, 900)), unit("B2", (900, 1_800), squadron="B-2", group="B-2"))
    assert made.groups["A-F"].kind == "flotilla"
    table = shoot(made, *[1, 6] * 4, a=Gunner(["B1", "B2"]), b=Gunner(["A1"]))
    assert [row[0] for row in shots(table)] == ["A1", "A2", "B1", "B2"]


@pytest.mark.clause("P.U10", "P.A09")
def test_nets_foul_what_they_cross_and_what_they_come_to_lie_on() -> None:
    for corridor_at, fleet_at, fouled in ((0, 5_000, True), (5_000, 0, True), (5_000, 9_000, False)):
        boat = unit("A1", kind="SUB", submerged=True)
        fleet = unit("B1", (0, fleet_at), kind="FISH", neutral=True)
        made = battle(boat, fleet)
        made.markers = [Marker("A1", "A", 0, 0, "A1")]
        nets.foul(made, play(made), fleet, unit("x", (0, corridor_at)))
        assert (boat.status is Status.SUNK) is fouled
        afloat = unit("A2", kind="SUB")
        made = battle(afloat, fleet)
        nets.foul(made, play(made), fleet, unit("x", (0, corridor_at)))
        assert (afloat.status is Status.SUNK) is fouled


@pytest.mark.clause("P.A05", "P.A09", "P.U10")
def test_nets_are_no_collision() -> None:
    for kind, met in (("FISH", "SUB"), ("SUB", "FISH"), ("BB", "SUB"), ("TRAMP", "SUB")):
        mover, other = unit("A1", kind=kind), unit("B1", (0, 500), kind=met, crippled=met == "FISH")
        made = battle(mover, other)
        way = hazards.Box(0, 40_000, 0, 40_000, 20_000)
        found = hazards.met(made, hazards.Sea(made), mover, way, ())
        assert (found is other) is (kind in ("BB", "TRAMP"))


@pytest.mark.clause("P.G04", "P.G09", "P.C02")
def test_wireless_that_an_enemy_reads_shows_nobody() -> None:
    made = battle(
        unit("A1", wt=True), unit("A2", (0, 90_000), wt=True), unit("B1", (60_000, 0), wt=True),
        unit("B2", (60_000, 900), kind="TRAMP", neutral=True, wt=True),
        unit("B3", (60_000, 1_900), kind="RAIDER_T", disguised=True, wt=True),
        mode=Mode.CRUISING, contact=-1,
    )  # fmt: skip
    table = play(made, 6, 6)
    sent = signals.send(made, table, made.units["A1"], Means.WIRELESS, ("come",), coded=False)
    assert (set(sent.friends), set(sent.enemies), made.mode) == ({"A2"}, {"B1"}, Mode.CRUISING)
    assert told(table, "signal")[0][1]["seen"] is True
    signals.send(made, table, made.units["A1"], Means.WIRELESS, ("on",), coded=False)
    assert [throw.key for throw in table.dice.throws] == ["P.G06/0/WORD/A1/1/0", "P.G06/0/WORD/A1/2/0"]  # type: ignore[attr-defined]


@pytest.mark.clause("P.S34", "P.I11")
def test_who_is_still_outside_the_edge_is_in_touch() -> None:
    made = battle(unit("A1"), unit("A2", (0, -60_000), outside=True), unit("B1", (0, 90_000)))
    assert signals.in_touch(made, made.units["A2"])
    made.units["A2"].outside = False
    assert not signals.in_touch(made, made.units["A2"])


@pytest.mark.clause("P.F21", "P.S28")
@pytest.mark.parametrize(("i", "j"), [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)])
def test_land_hangs_together_corner_to_corner(i: int, j: int) -> None:
    guns = unit("A1", (250, 250), kind="BATTERY")
    own = frozenset({(i, j), (2 * i, 2 * j)})
    made = battle(guns, unit("B1", (9_000, 9_000)), land=own | {(6 * i, 6 * j)})
    here = (25_000, 25_000)
    near, far = (25_000 + 200_000 * i, 25_000 + 200_000 * j), (25_000 + 400_000 * i, 25_000 + 400_000 * j)
    assert land.blocks(made, here, near) and not land.blocks(made, here, near, frozenset({"A1"}))
    assert land.blocks(made, here, far, frozenset({"A1"}))
