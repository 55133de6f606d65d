"""What a side knows of a battle and reads of its log. Rules: P.K45, P.K46, P.R01, P.G09, G.IN1."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.log import DIE, Event
from battles.engine.rulesets.barker import record, seen, sight
from battles.engine.rulesets.barker.log_view import LogView
from battles.engine.rulesets.barker.rules import RULES
from battles.engine.rulesets.barker.state import Battle, Field, Group, Marker, Status
from battles.engine.rulesets.barker.tables import Phase
from tests.engine.barker.builders import battle, unit
from tests.engine.barker.test_setup import scenario, ship, squadron
from tests.support.answers import unerring


@unerring
def shown(made: Battle, side: str = "A") -> dict[str, Any]:
    sight.refresh(made)
    doc = seen.seen_by(made, side)
    assert json.loads(json.dumps(doc)) == doc
    return doc


@pytest.mark.clause("P.K45")
def test_a_side_sees_its_own_ships_whole_and_of_the_enemy_what_is_in_sight() -> None:
    near = unit("B1", (0, 9_000), damage=1, light="A1", stopped=True)
    far = unit("B2", (0, 40_000), name="Far Away", squadron="B-2", group="B-2")
    made = battle(unit("A1"), near, far)
    made.groups["B-1"].nip = 4
    doc = shown(made)
    assert [row["id"] for row in doc["own"]] == ["A1"]
    (row,) = doc["seen"]
    assert (row["id"], row["type"], row["damage"], row["light"], row["stopped"], row["nip"], row["flag"]) == (
        "B1", "BB", 1, "A1", True, 4, True
    )  # fmt: skip
    assert not {"status", "squadron", "group", "captains", "moves", "fired"} & set(row)
    assert "Far Away" not in json.dumps(doc) and "Far Away" in json.dumps(shown(made, "B"))


@pytest.mark.clause("P.K45")
def test_a_ship_lost_to_sight_is_shown_where_it_was_last_seen() -> None:
    made = battle(unit("A1"), unit("B1", (0, 9_000)))
    shown(made)
    made.units["B1"].y, made.spell = 6_000_000, 3
    doc = shown(made)
    assert doc["seen"] == []
    (row,) = doc["lost_sight"]
    assert (row["id"], row["y"], row["spell"]) == ("B1", 900_000, 0)
    made.units["B1"].status = Status.SUNK
    doc = shown(made)
    assert doc["lost_sight"] == [] and [(row["id"], row["status"]) for row in doc["gone"]] == [("B1", "sunk")]


@pytest.mark.clause("P.K45", "P.S34", "P.K43")
def test_reinforcements_and_commanders_are_secrets() -> None:
    late = unit("B2", name="Hidden Reserve", squadron="B-2", group="B-2", status=Status.EXPECTED)
    made = battle(unit("A1"), unit("B1", (0, 9_000)), late)
    made.squadrons["B-1"].officer, made.squadrons["B-1"].character = "Secret Admiral", 3
    made.ships["B1"].captain = "Secret Captain"
    theirs, ours = json.dumps(shown(made)), json.dumps(shown(made, "B"))
    for secret in ("Hidden Reserve", "Secret Admiral", "Secret Captain"):
        assert secret not in theirs and secret in ours
    assert [row["character"] for row in shown(made, "B")["squadrons"]] == [3, 0]
    assert [row["id"] for row in shown(made)["squadrons"]] == ["A-1"]


@pytest.mark.clause("P.K45", "P.R01", "P.R05")
def test_a_disguise_is_a_neutral_under_a_number_and_an_auxiliary_a_liner() -> None:
    raider = unit(
        "B2",
        (900, 5_000),
        kind="RAIDER_T",
        disguised=True,
        contact="Vessel 1",
        name="Sly",
        group="B2",
        extra_free=False,
    )
    liner = unit("B3", (-900, 5_000), kind="AMC", name="Liner")
    neutral = unit("N1", (0, 7_000), kind="TRAMP", neutral=True, contact="Neutral tramp A", side="")
    hidden = unit("N2", (0, 47_000), kind="TRAMP", neutral=True, contact="Neutral tramp B", side="")
    made = battle(unit("A1"), raider, liner, neutral, hidden)
    doc = shown(made)
    assert [(row["contact"], row["type"]) for row in doc["neutral"]] == [
        ("Vessel 1", "TRAMP"),
        ("Neutral tramp A", "TRAMP"),
    ]
    assert [(row["id"], row["type"]) for row in doc["seen"]] == [("B3", "LINER")]
    assert "Sly" not in json.dumps(doc) and "B2" not in json.dumps(doc)
    liner.acting, raider.disguised = True, False
    raider.extra_free = True
    assert [(row["id"], row["type"]) for row in shown(made)["seen"]] == [("B2", "RAIDER_T"), ("B3", "AMC")]
    raider.disguised = True
    assert shown(made)["neutral"][0]["type"] == "LINER"


@pytest.mark.clause("P.K45", "P.U03", "P.U08", "P.X03")
def test_bubbles_do_not_show_whether_a_boat_is_real_and_mines_are_seen_only_when_known() -> None:
    made = battle(unit("A1"), unit("B1", (0, 9_000)), unit("B2", (0, 5_000), kind="SUB", submerged=True))
    made.markers = [Marker("B2", "B", 0, 500_000, "B2"), Marker("B-fake", "B", 100, 0, "")]
    made.fields = [
        Field("B-m1", "B", [(1, 2)]),
        Field("B-m2", "B", [(3, 4)], known=("A",)),
        Field("A-m1", "A", [], carrier="A1", unlaid=3),
    ]
    doc = shown(made)
    assert doc["markers"] == [
        {"n": 0, "side": "B", "x": 0, "y": 500_000},
        {"n": 1, "side": "B", "x": 100, "y": 0},
    ]
    assert [row["real"] for row in shown(made, "B")["markers"]] == ["B2", ""]
    assert doc["mines_seen"] == [[3, 4]] and doc["mines"] == [
        {"id": "A-m1", "sections": [], "carrier": "A1", "unlaid": 3}
    ]
    assert [row["id"] for row in doc["seen"]] == ["B1"]


# --- the log ---

FLEETS = scenario(
    [squadron("A-1", ship("A1"), ship("A2"))],
    [squadron("B-1", ship("B1"), ship("B2")), squadron("B-2", ship("B3", "TRANSPORT"))],
)
PLACE = {"x": 0, "y": 0, "h": 0, "type": "BB", "steps": 0, "stopped": False, "pair": "", "contact": ""}


def event(kind: str, who: str = "", **data: Any) -> Event:
    return Event(1, "fire", kind, "P.X", who, data)


def die(*parts: Any) -> Event:
    return Event(
        1,
        "fire",
        DIE,
        str(parts[0]),
        "",
        {"key": "T/" + "/".join(map(str, parts)), "die": "D6", "faces": [3], "reason": "any"},
    )


def sighted(who: str, side: str = "A", kind: str = "BB") -> Event:
    return event("sighted", who, side=side, x=0, y=0, h=0, type=kind, steps=0, pair="")


@unerring
def read(*events: Event, side: str = "A") -> list[Event]:
    return list(LogView.log_seen_by(FLEETS, events, side))


@pytest.mark.clause("P.K46")
def test_an_enemy_is_read_while_in_sight_and_no_longer() -> None:
    placed = [event("placed", code, side=code[0], **PLACE) for code in ("A1", "A2", "B1", "B2")]
    moved = [event("moved", code, path=[], tokens=[]) for code in ("A1", "B1", "B2")]
    lost = event("lost_sight", "B1", side="A")
    found = read(*placed, *moved, sighted("B1"), *moved, lost, *moved, sighted("B2", "B"))
    assert [(one.kind, one.ship) for one in found] == [
        ("placed", "A1"), ("placed", "A2"), ("moved", "A1"), ("sighted", "B1"), ("moved", "A1"), ("moved", "B1"), ("lost_sight", "B1"),
        ("moved", "A1"),
    ]  # fmt: skip


@pytest.mark.clause("P.K46", "P.L02", "P.L03")
@pytest.mark.parametrize(
    ("parts", "before", "after"),
    [
        (("P.F24", 4, "SHOT_F", "A1", "B1"), True, True), (("P.F24", 4, "SHOT_F", "B1", "A1"), False, False),
        (("P.F24", 4, "SHOT_T", "B1", "A1"), False, True), (("P.F24", 4, "SHOT_T", "A1", "B1"), True, True),
        (("P.I01", 4, "NIP", "A-1", ""), True, True), (("P.I01", 4, "NIP", "B-1", ""), False, True),
        (("P.I01", 4, "NIP", "B-2", ""), False, False),
        (("P.I01", 4, "NIP", "merchants/A", ""), True, True), (("P.I01", 4, "NIP", "merchants/B", ""), False, False),
        (("P.I01", 4, "NIP", "submarines/B", ""), False, False),
        (("P.L01", 0, "CHARACTER", "A-1"), True, True), (("P.L01", 0, "CHARACTER", "B-1"), False, False),
        (("P.S23", 0, "INIT", "B"), True, True), (("P.T01", 0, "TIME", "B"), True, True), (("P.W02", 0, "WIND", "B"), True, True),
        (("P.W01", 0, "WEATHER", "B"), True, True), (("P.N01", 0, "NEUTRAL", "B"), True, True),
        (("P.X05", 4, "MINE_F", "B-m1", "A1"), True, True), (("P.X05", 4, "MINE_F", "A-m1", "B1"), False, True),
        (("P.X05", 4, "MINE_T", "B1", "A-m1"), False, True), (("P.X05", 4, "MINE_T", "A1", "B-m1"), True, True),
        (("P.K08", 4, "SALVAGE", "B1"), False, True), (("P.K08", 4, "SALVAGE", "A1"), True, True),
        (("P.N08", 4, "SEARCH", "B1", "x"), False, False),
        (("P.G06", 4, "WORD", "B1", 0, 1), False, False), (("P.G06", 4, "WORD", "A1", 0, 1), True, True),
    ],
)  # fmt: skip
def test_a_side_sees_some_dice_at_once_and_others_only_after_a_sighting(
    parts: tuple[Any, ...], before: bool, after: bool
) -> None:
    assert bool(read(die(*parts))) is before
    assert (len(read(sighted("B1"), die(*parts))) == 2) is after


@pytest.mark.clause("P.K46")
def test_dice_of_merchants_and_boats_are_read_with_one_of_them_in_sight() -> None:
    merchants, boats = die("P.I01", 4, "NIP", "merchants/B", ""), die("P.I01", 4, "NIP", "submarines/B", "")
    assert len(read(sighted("B3", kind="TRANSPORT"), merchants, boats)) == 2
    assert len(read(sighted("B3", kind="AMC"), merchants, boats)) == 2
    assert read(sighted("B3", kind="SUB"), merchants, boats)[1:] == [boats]


@pytest.mark.clause("P.K46")
def test_orders_and_minelaying_and_commanders_are_secrets_even_in_sight() -> None:
    secrets = [
        event("refused", "B1", token="C", code="order/x"), event("mine_laid", "B1", x=0, y=0),
        event("commander", "B1", squadron="B-1", character=3, partner=""), event("officer", "B1", officer="X", fate="killed"),
        event("turned_back", "B1"),
    ]  # fmt: skip
    assert read(sighted("B1"), *secrets) == [sighted("B1")]
    assert len(read(*secrets, side="B")) == len(secrets)
    mines = event("mine_seen", "B1", side="B", x=0, y=0)
    assert read(mines) == [] and read(mines, side="B") == [mines]


@pytest.mark.clause("P.K46", "P.K45")
def test_an_unseen_hand_is_not_named() -> None:
    hit = event("damage", "A1", steps=1, crippled=False, by="B1")
    assert read(hit)[0].data["by"] == ""
    assert read(sighted("B1"), hit)[1] == hit
    own = event("damage", "A1", steps=1, crippled=False, by="A2")
    assert read(own) == [own]
    assert read(event("shot", "B1", target="A1", hits=1)) == []


@pytest.mark.clause("P.K46", "P.R01", "P.R03")
def test_a_disguise_keeps_its_number_until_it_is_disclosed() -> None:
    raider = event("placed", "B2", side="B", **{**PLACE, "contact": "Vessel 1"})
    hail = event("hailed", "A1", target="B2")
    disclosed = event("disclosed", "B2", type="RAIDER_T")
    found = read(raider, event("moved", "B2", path=[], tokens=[]), hail, sighted("B2"), disclosed, hail)
    assert [(one.kind, one.ship, one.data.get("target", "")) for one in found] == [
        ("hailed", "A1", "Vessel 1"), ("sighted", "B2", ""), ("disclosed", "B2", ""), ("hailed", "A1", "B2"),
    ]  # fmt: skip
    search = die("P.N08", 4, "SEARCH", "A1", "B2")
    assert read(raider, search) == [] and read(search) == [search]


@pytest.mark.clause("P.K46", "P.N09")
def test_a_prize_is_read_by_its_captor() -> None:
    moved = event("moved", "Neutral tramp A", path=[], tokens=[])
    searched = [event("searched", "A1", target="Neutral tramp A", prize=prize) for prize in (False, True)]
    assert read(moved, searched[0], moved, searched[1], moved) == [*searched, moved]


@pytest.mark.clause("P.K46")
def test_the_fates_of_ships_once_seen_are_shown_at_the_end() -> None:
    lost = event("lost_sight", "B1", side="A")
    fates = [event("scuttled", code) for code in ("B1", "B2")]
    assert [one.ship for one in read(sighted("B1"), lost, *fates) if one.kind == "scuttled"] == ["B1"]
    ended = event("ended", why="limit", cause="time", winner="", lost={}, held="")
    assert read(ended) == [ended]


@pytest.mark.clause("P.K46", "P.G09")
def test_a_signal_from_out_of_sight_is_known_by_itself() -> None:
    made = {"means": "wireless", "coded": True, "words": ["TURN", "EAST"], "read": []}
    assert read(event("signal", "B1", seen=False, **made)) == []
    (heard,) = read(event("signal", "B1", seen=True, **made))
    assert heard.ship == "An enemy ship" and "words" not in heard.data
    for means, sender in (("wireless", "An enemy ship"), ("lamp", "B1")):
        sent = {**made, "means": means}
        assert read(sighted("B1"), event("signal", "B1", seen=True, **sent))[1].ship == sender
        assert len(read(sighted("B1"), event("signal", "B1", seen=False, **sent))) == 1
    own = event("signal", "A1", seen=True, **made)
    assert read(own) == [own]


@pytest.mark.clause("P.K46", "P.K38")
def test_a_battery_belongs_to_the_side_that_placed_it() -> None:
    placed = event("placed", "Battery 1", side="A", **PLACE)
    shot = event("shot", "Battery 1", target="B1", hits=0)
    assert read(placed, shot) == [placed, shot]
    assert read(placed, shot, side="B") == []


@pytest.mark.clause("P.Z13", "P.Z04")
def test_a_battle_is_saved_whole_and_a_change_to_its_copy_leaves_it_as_it_was() -> None:
    made = battle(unit("A1"), unit("B1", (0, 9_000)), unit("B2", kind="SUB", submerged=True))
    shown(made)
    made.markers, made.fields = [Marker("B2", "B", 0, 5, "B2")], [Field("A-m1", "A", [(1, 2)], ("B",))]
    made.tallies, made.luck, made.lost2 = {"A1": ("B1",)}, {"A-1": ("A1", "killed", "P.L09")}, {"A": 3}
    made.groups["x"] = Group("x", "A", "single", 3, 1)
    doc = record.to_dict(made)
    assert record.to_dict(record.from_dict(json.loads(json.dumps(doc)))) == doc
    before = json.dumps(doc)
    twin = record.copy(made)
    assert record.to_dict(twin) == doc
    twin.units["A1"].damage = 2
    twin.fields[0].sections.append((9, 9))
    twin.parties["A"].remembered["B1"].x = 77
    twin.groups["x"].left = 0
    twin.tallies["B1"] = ()
    twin.options["guard"] = 3
    twin.squadrons["A-1"].character = 5
    twin.markers[0].x = 1
    assert json.dumps(record.to_dict(made)) == before
    assert twin.ships["A1"].unit is twin.units["A1"]


@pytest.mark.clause("P.K51", "P.K04", "P.K15", "P.K38", "P.K40", "P.EX34")
def test_what_the_chart_should_know_of_this_set() -> None:
    assert [RULES.meets_at(sky) for sky in ("clear", "haze", "fog")] == [12_000, 6_000, 1_000]
    assert [RULES.guns_reach(year) for year in (1904, 1905)] == [3_000, 4_000]
    assert RULES.by_night({}) is True and RULES.by_night({"by_night": False}) is False
    assert RULES.hour_in(5, 20, "haze") == {"sunrise": "05:00", "nightfall": "20:00", "sky": "haze"}
    assert RULES.port_in(3) == {"guard": 3}
    assert (RULES.minutes, RULES.turn_limit, RULES.minutes_a_turn({"by_night": False}), RULES.name) == (
        5,
        288,
        5,
        "barker",
    )
    assert RULES.wishes == {"stance", "fight_at", "chase", "fire_ships", "break_off", "protect"}
    assert [step.id for step in RULES.steps] == [
        "light",
        "searches",
        "nip",
        "signals",
        "move",
        "after",
        "fire",
        "end",
        "over",
    ]


@pytest.mark.clause("P.K45")
def test_by_night_little_is_seen() -> None:
    made = battle(unit("A1"), unit("B1", (0, 1_400)), unit("B2", (0, 1_801)), phase=Phase.NIGHT)
    assert [row["id"] for row in shown(made)["seen"]] == ["B1"]
