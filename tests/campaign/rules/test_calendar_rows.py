"""Reading a calendar: every fault with its path, and what the rows of the rules' text become."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.calendar.rows import CalendarFaults, Known, PlannedRow, read_calendar, taking_part
from tests.campaign.rules.builders import theatre

ARMADA = theatre("channel_1588")
KNOWN = Known(
    places=ARMADA.places,
    passages=frozenset(map(frozenset, ARMADA.passages)),
    sides={"England": "ENG", "Spain": "ESP", "Dutch Republic": "NLD"},
    at_war=frozenset({frozenset({"ENG", "ESP"}), frozenset({"ESP", "NLD"})}),
    register={"ENG": {"Ark Royal", "Rainbow"}, "ESP": {"San Martin"}, "NLD": set()},
    mustered={"ENG": {"Ark Royal"}},
    fleets={"HOW": ("ENG", "plymouth"), "MED": ("ESP", "lizard")},
    carriers={"ESP"},
    types={"pinnace", "transport", "galleon"},
    start="1588-07-19",
    last_day="1588-08-12",
)
LIKE = {"class": "pinnace", "guns": 12, "tons": 80, "men": 60}
BOATS = {
    "fleet": "PAR",
    "name": "Parma's boats",
    "count": 20,
    "like": {"class": "transport", "guns": 0, "tons": 100, "men": 20},
}
ARMY: dict[str, Any] = {
    "id": "parma", "date": "1588-07-28", "kind": "army", "announced": True, "text": "Parma's men can begin to embark.",
    "do": {"side": "Spain", "port": "dunkirk", "men": 17_000, "embark": 3_000, "boats": BOATS},
}  # fmt: skip
NASSAU: dict[str, Any] = {
    "id": "nassau", "date": "1588-07-31", "kind": "arrive", "text": "Ships of Holland and Zeeland hold the banks off Flanders.",
    "do": {
        "side": "Dutch Republic", "fleet": "NAS", "name": "Justinus of Nassau", "place": "flushing",
        "made": [{"like": LIKE, "count": 20}],
        "orders": {"route": ["schooneveld", "nieuport"], "stance": "hold", "on_arrival": "shelter"},
    },
}  # fmt: skip
TRADE: dict[str, Any] = {
    "id": "trade", "date": "1588-08-01", "kind": "convoy", "text": "Merchantmen gather.",
    "do": {"side": "England", "code": "TRADE", "start": "thames", "destination": "harwich", "day": "1588-08-10", "marks": 4, "ships": 12},
}  # fmt: skip
PEACE: dict[str, Any] = {
    "id": "peace", "date": "1588-08-12", "kind": "politics", "do": {"peace": True}, "text": "Peace is made.",
}  # fmt: skip
TIE: dict[str, Any] = {
    "id": "tie", "date": "1588-08-02", "kind": "politics", "text": "A treaty.",
    "do": {"hostility": ["England", "Spain", "peace"]},
}  # fmt: skip


def changed(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A row with other fields; `do__name` is a field of what it does, and a field that is None is left out."""
    made = {**row, "do": dict(row["do"])}
    for name, value in changes.items():
        part, _, rest = name.rpartition("__")
        (made["do"] if part else made)[rest] = value
    made["do"] = {name: value for name, value in made["do"].items() if value is not None}
    return {name: value for name, value in made.items() if value is not None}


def read(*rows: Any, known: Known = KNOWN) -> tuple[PlannedRow, ...]:
    return read_calendar({"calendar": list(enumerate(rows))}, known)


def paths(*rows: Any) -> list[str]:
    """Where the faults of a calendar are."""
    with pytest.raises(CalendarFaults) as refused:
        read(*rows)
    assert all(fault.text for fault in refused.value.faults)
    return [fault.path for fault in refused.value.faults]


@pytest.mark.clause("G.CA1", "G.CA2", "G.CA4", "G.CA5")
def test_the_objectives_in_the_rules_are_read_with_the_codes_of_sides() -> None:
    parma, nassau, trade, peace, tie = read(ARMY, NASSAU, TRADE, PEACE, TIE)
    assert (parma.deed, parma.side, parma.first, parma.last, parma.announced) == (
        "army", "ESP", "1588-07-28", "1588-07-28", True,
    )  # fmt: skip
    assert (nassau.deed, nassau.side, nassau.do["side"], nassau.chance) == ("arrive", "NLD", "NLD", 1)
    assert (trade.do["guns"], trade.do["tons"], trade.do["name"]) == (12, 300, "Convoy TRADE")
    assert (peace.deed, peace.side, peace.do) == ("peace", "", {"peace": True})
    assert (tie.deed, tie.do) == ("hostility", {"hostility": ["ENG", "ESP", "peace"]})


@pytest.mark.clause("G.CA1")
def test_an_event_without_an_action_is_text_and_may_lie_before_the_first_day() -> None:
    text = {"date": "1588-05-30", "kind": "politics", "text": "The Armada leaves Lisbon."}
    (row,) = read(text)
    assert (row.id, row.deed, row.known) == ("calendar_1", "", ("ENG", "ESP", "NLD"))


@pytest.mark.clause("G.CA1")
def test_the_side_concerned_reads_the_event_on_the_day_and_everyone_reads_of_politics() -> None:
    assert [row.known for row in read(ARMY, PEACE)] == [("ESP",), ("ENG", "ESP", "NLD")]
    told = read(changed(ARMY, known=["England", "Spain"]), changed(NASSAU, known="all"))
    assert [row.known for row in told] == [("ENG", "ESP"), ("ENG", "ESP", "NLD")]


@pytest.mark.clause("G.CA1")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"id": None}, "id"), ({"id": "Two words"}, "id"), ({"id": "x" * 31}, "id"),
        ({"date": None}, ""), ({"window": ["1588-07-28", "1588-07-29"]}, ""),
        ({"date": "28 July"}, "date"), ({"date": "1588-07-18"}, "date"), ({"date": "1588-08-13"}, "date"),
        ({"date": None, "window": ["1588-08-02", "1588-08-01"]}, "window"),
        ({"date": None, "window": ["1588-08-02"]}, "window"),
        ({"date": None, "window": ["1588-08-02", "1588-08-13"]}, "window"),
        ({"chance": 0}, "chance"), ({"chance": 7}, "chance"), ({"announced": "yes"}, "announced"),
        ({"known": ["France"]}, "known"), ({"text": " "}, "text"), ({"kind": "rumour"}, "kind"), ({"colour": "red"}, "colour"),
        ({"do__side": "France"}, "do.side"),
        ({"do__men": 0}, "do.men"), ({"do__embark": 0}, "do.embark"), ({"do__port": "atlantis"}, "do.port"),
        ({"do__port": None}, "do"), ({"do__fleet": "MED"}, "do"), ({"do__else": "atlantis"}, "do.else"),
        ({"do__boats": {**BOATS, "fleet": "MED"}}, "do.boats.fleet"), ({"do__boats": {**BOATS, "count": 0}}, "do.boats.count"),
        ({"do__boats": {**BOATS, "like": {**LIKE, "class": "raft"}}}, "do.boats.like.class"),
        ({"do__boats": {**BOATS, "name": ""}}, "do.boats.name"), ({"do__boats": 20}, "do.boats"),
        ({"do__guns": 3}, "do.guns"),
    ],
    ids=str,
)  # fmt: skip
def test_each_error_in_an_army_is_reported(changes: dict[str, Any], path: str) -> None:
    assert paths(changed(ARMY, **changes)) == [".".join(filter(None, ("calendar[0]", path)))]


@pytest.mark.clause("G.CA4")
def test_an_army_aboard_a_fleet_needs_a_fleet_of_its_own_side() -> None:
    aboard = {"do__port": None, "do__boats": None, "do__embark": None}
    assert read(changed(ARMY, **aboard, do__fleet="MED"))[0].do["fleet"] == "MED"
    assert paths(changed(ARMY, **aboard, do__fleet="HOW")) == ["calendar[0].do.fleet"]
    late = changed(ARMY, **aboard, do__fleet="NAS", do__side="Dutch Republic")
    assert read(NASSAU, late)[1].side == "NLD"


@pytest.mark.clause("G.CA4", "G.LD1")
def test_an_army_without_boats_needs_transports_of_its_side() -> None:
    assert read(changed(ARMY, do__boats=None))
    assert paths(changed(ARMY, do__boats=None, do__side="England", do__port="dover")) == ["calendar[0].do"]


@pytest.mark.clause("G.CA2")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"do__fleet": "HOW"}, "do.fleet"), ({"do__fleet": "ENG"}, "do.fleet"), ({"do__fleet": "no spaces"}, "do.fleet"),
        ({"do__fleet": "x" * 13}, "do.fleet"), ({"do__name": ""}, "do.name"), ({"do__place": "atlantis"}, "do.place"),
        ({"do__else": "atlantis"}, "do.else"), ({"do__orders": ["sail"]}, "do.orders"),
        ({"do__orders": {"route": ["plymouth"]}}, "do.orders.route[0]"),
        ({"do__orders": {"route": ["schooneveld", "atlantis"]}}, "do.orders.route[1]"),
        ({"do__orders": {"stance": "bold"}}, "do.orders"), ({"do__orders": {"instructions": {"tea": "hot"}}}, "do.orders"),
        ({"do__made": None}, "do"), ({"do__ships": ["Rainbow"]}, "do"), ({"do__made": []}, "do.made"),
        ({"do__made": [{"like": {**LIKE, "guns": -1}, "count": 2}]}, "do.made[0].like.guns"),
        ({"do__made": [{"like": LIKE, "count": 201}]}, "do.made[0].count"),
        ({"do__made": [{"like": LIKE, "count": 2, "names": ["One"]}]}, "do.made[0].names"),
        ({"do__made": None, "do__ships": []}, "do.ships"), ({"do__made": None, "do__ships": ["Rainbow"]}, "do.ships[0]"),
        ({"do__side": "England", "do__made": None, "do__ships": ["Ark Royal"]}, "do.ships[0]"),
        ({"do__side": "England", "do__made": None, "do__ships": ["Rainbow", "Rainbow"]}, "do.ships[1]"),
        ({"do__side": "England", "do__made": [{"like": LIKE, "count": 1, "names": ["Ark Royal"]}]}, "do.made[0].names"),
        ({"do__entries": {"Rainbow": {"role": "flagship"}}}, "do.entries.Rainbow"),
    ],
    ids=str,
)  # fmt: skip
def test_each_error_in_reinforcements_is_reported(changes: dict[str, Any], path: str) -> None:
    assert paths(changed(NASSAU, **changes)) == [f"calendar[0].{path}"]


@pytest.mark.clause("G.CA4")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"do__code": "MED"}, "do.code"), ({"do__start": "atlantis"}, "do.start"), ({"do__destination": "thames"}, "do.destination"),
        ({"do__day": "1588-07-31"}, "do.day"), ({"do__day": 20}, "do.day"), ({"do__value": 5}, "do"), ({"do__marks": None}, "do"),
        ({"do__marks": -1}, "do.marks"), ({"do__ships": 61}, "do.ships"), ({"do__ships": 0}, "do.ships"),
        ({"do__ships": ["One", " "]}, "do.ships"), ({"do__guns": 201}, "do.guns"), ({"do__tons": 0}, "do.tons"),
    ],
    ids=str,
)  # fmt: skip
def test_each_error_in_a_convoy_is_reported(changes: dict[str, Any], path: str) -> None:
    assert paths(changed(TRADE, **changes)) == [f"calendar[0].{path}"]


@pytest.mark.clause("G.CA5")
@pytest.mark.parametrize(
    ("do", "path"),
    [
        ({"peace": "soon"}, "peace"), ({"hostility": ["England", "Spain"]}, "hostility"),
        ({"hostility": ["England", "France", "war"]}, "hostility[1]"), ({"hostility": ["England", "England", "war"]}, "hostility"),
        ({"hostility": ["England", "Spain", "truce"]}, "hostility[2]"),
    ],
    ids=str,
)  # fmt: skip
def test_each_error_in_politics_is_reported(do: dict[str, Any], path: str) -> None:
    assert paths({**TIE, "do": do}) == [f"calendar[0].do.{path}"]


@pytest.mark.clause("G.CA2")
def test_two_fleets_of_enemies_are_not_put_into_one_place_on_one_day() -> None:
    spaniards = changed(NASSAU, id="spain", do__side="Spain", do__fleet="SPA", do__orders=None)
    assert paths(NASSAU, spaniards) == ["calendar[1].do.place"]
    assert paths(NASSAU, changed(spaniards, date=None, window=["1588-07-20", "1588-08-02"])) == [
        "calendar[1].do.place"
    ]
    assert read(NASSAU, changed(spaniards, date="1588-08-01"))
    assert read(NASSAU, changed(spaniards, do__side="England"))
    first_day = changed(NASSAU, date="1588-07-19", do__place="lizard", do__orders=None)
    assert paths(first_day) == ["calendar[0].do.place"]
    assert paths(changed(NASSAU, do__place="dunkirk", do__orders=None, date="1588-07-28"), ARMY) == [
        "calendar[1].do.port"
    ]


def test_every_fault_is_told_at_once_and_ids_are_used_once() -> None:
    bad = changed(ARMY, id="nassau", chance=9, do__men=0)
    assert paths(NASSAU, bad, "no row", {"text": "No day."}) == [
        "calendar[1].id", "calendar[1].chance", "calendar[1].do.men", "calendar[2]", "calendar[3]",
    ]  # fmt: skip


def test_rows_about_a_side_that_takes_no_part_are_left_out() -> None:
    rows = [ARMY, NASSAU, TIE, PEACE]
    kept = taking_part(rows, ["England", "Dutch Republic"], ["England", "Spain", "Dutch Republic"])
    assert [(n, row["id"]) for n, row in kept] == [(1, "nassau"), (3, "peace")]
