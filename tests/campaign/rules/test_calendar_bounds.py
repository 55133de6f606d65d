"""Rows of a calendar at their bounds: the last number, name and day that are taken, and the first that are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.calendar.rows import CalendarFaults, Known, _overlap, read_calendar
from tests.campaign.rules.test_calendar_rows import (
    ARMY,
    BOATS,
    KNOWN,
    LIKE,
    NASSAU,
    PEACE,
    TIE,
    TRADE,
    changed,
)
from tests.support.answers import result_of


def wrong(*rows: Any, known: Known = KNOWN) -> dict[str, str]:
    """What is wrong with rows, by path without the name of the list; {} for rows that are taken."""
    try:
        read_calendar({"calendar": list(enumerate(rows))}, known)
    except CalendarFaults as refused:
        return {fault.path.removeprefix("calendar"): fault.text for fault in refused.faults}
    except Exception as error:
        return {"error": repr(error)}
    return {}


NUMBERS = [
    (ARMY, "men", 1, 1_000_000), (ARMY, "embark", 1, 1_000_000), (TRADE, "guns", 0, 200), (TRADE, "tons", 1, 30_000),
    (TRADE, "ships", 1, 60), (TRADE, "marks", 0, 1_000),
]  # fmt: skip


@pytest.mark.clause("G.CA4")
@pytest.mark.parametrize(("row", "name", "least", "most"), NUMBERS)
def test_every_number_has_its_least_and_most(row: dict[str, Any], name: str, least: int, most: int) -> None:
    assert wrong(changed(row, **{f"do__{name}": least})) == {} == wrong(changed(row, **{f"do__{name}": most}))
    for value in (least - 1, most + 1, True):
        told = f"{value} is not a whole number from {least:,} to {most:,}."
        assert wrong(changed(row, **{f"do__{name}": value})) == {f"[0].do.{name}": told}


@pytest.mark.clause("G.CA4")
def test_a_cargo_is_worth_so_many_points() -> None:
    for value, taken in ((-1, False), (0, True), (1_000_000, True), (1_000_001, False)):
        assert (wrong(changed(TRADE, do__marks=None, do__value=value)) == {}) is taken


@pytest.mark.clause("G.CA2")
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("guns", 0, 200),
        ("tons", 1, 30_000),
        ("men", 1, 10_000),
        ("displacement", 1, 30_000),
        ("speed", 1, 40),
    ],
)
def test_figures_of_a_ship_have_a_least_and_a_most(name: str, least: int, most: int) -> None:
    for value in (least - 1, least, most, most + 1):
        made = changed(NASSAU, do__made=[{"like": {**LIKE, name: value}, "count": 2}])
        told = f"{value} is not a whole number from {least:,} to {most:,}."
        assert wrong(made) == ({} if least <= value <= most else {f"[0].do.made[0].like.{name}": told})


@pytest.mark.clause("G.CA2", "G.CA4")
@pytest.mark.parametrize(
    ("row", "changes", "path"),
    [
        (NASSAU, {"id": "x" * 30}, ""), (NASSAU, {"id": None}, "id"), (NASSAU, {"id": 7}, "id"),
        (NASSAU, {"chance": 6}, ""), (NASSAU, {"chance": 1}, ""), (NASSAU, {"chance": "2"}, "chance"),
        (NASSAU, {"announced": 1}, "announced"),
        (NASSAU, {"text": 7}, "text"), (NASSAU, {"known": []}, ""), (NASSAU, {"known": "England"}, "known"),
        (NASSAU, {"known": ["England", "France"]}, "known"),
        (NASSAU, {"date": "1588-07-19"}, ""), (NASSAU, {"date": "1588-08-12"}, ""),
        (NASSAU, {"date": None, "window": ["1588-07-19", "1588-08-12"]}, ""),
        (NASSAU, {"date": None, "window": ["1588-07-18", "1588-08-12"]}, "window"),
        (NASSAU, {"date": None, "window": ["1588-08-01", "1588-08-01"]}, ""), (NASSAU, {"date": None, "window": 7}, "window"),
        (NASSAU, {"do__fleet": "x" * 12}, ""), (NASSAU, {"do__fleet": 7}, "do.fleet"), (NASSAU, {"do__fleet": "N-a_9"}, ""),
        (NASSAU, {"do__name": "x" * 80}, ""), (NASSAU, {"do__name": "x" * 81}, "do.name"), (NASSAU, {"do__name": "x"}, ""),
        (NASSAU, {"do__name": 7}, "do.name"), (NASSAU, {"do__else": "dunkirk"}, ""), (NASSAU, {"do__orders": None}, ""),
        (NASSAU, {"do__orders": {"route": "schooneveld"}}, "do.orders.route"), (NASSAU, {"do__orders": {"route": [7]}}, "do.orders.route"),
        (NASSAU, {"do__orders": {"route": ["schooneveld", "dover"]}}, "do.orders.route[1]"), (NASSAU, {"do__orders": {}}, ""),
        (NASSAU, {"do__made": {}}, "do.made"), (NASSAU, {"do__made": [7]}, "do.made[0]"),
        (NASSAU, {"do__made": [{"like": 7, "count": 2}]}, "do.made[0].like"),
        (NASSAU, {"do__made": [{"like": LIKE, "count": 200}]}, ""), (NASSAU, {"do__made": [{"like": LIKE, "count": 1}]}, ""),
        (NASSAU, {"do__made": [{"like": LIKE, "count": 0}]}, "do.made[0].count"),
        (NASSAU, {"do__made": [{"like": LIKE, "count": 2, "names": ["One", "Two"]}]}, ""),
        (NASSAU, {"do__made": [{"like": LIKE, "count": 1, "names": "x"}]}, "do.made[0].names"),
        (NASSAU, {"do__made": [{"like": {"class": "pinnace"}, "count": 1}]},
         "do.made[0].like.guns do.made[0].like.tons do.made[0].like.men"),
        (NASSAU, {"do__side": "England", "do__made": None, "do__ships": ["Rainbow"]}, ""),
        (NASSAU, {"do__side": "England", "do__made": None, "do__ships": "Rainbow"}, "do.ships"),
        (NASSAU, {"do__side": "England", "do__made": None, "do__ships": ["Rainbow"], "do__entries": {"Rainbow": {"role": "flagship"}}}, ""),
        (NASSAU, {"do__side": "England", "do__made": None, "do__ships": ["Rainbow"], "do__entries": {"Rainbow": {"tea": 1}}},
         "do.entries.Rainbow.tea"),
        (NASSAU, {"do__entries": 7}, "do.entries"), (NASSAU, {"do__entries": {"Rainbow": 7}}, "do.entries"),
        (TRADE, {"do__code": "HOW"}, "do.code"), (TRADE, {"do__code": "ENG"}, "do.code"), (TRADE, {"do__day": "1588-08-01"}, ""),
        (TRADE, {"do__day": None}, ""), (TRADE, {"do__else": "dover"}, ""), (TRADE, {"do__else": "atlantis"}, "do.else"),
        (TRADE, {"do__ships": ["One"]}, ""), (TRADE, {"do__ships": ["One"] * 60}, ""), (TRADE, {"do__ships": ["One"] * 61}, "do.ships"),
        (TRADE, {"do__ships": []}, "do.ships"), (TRADE, {"do__ships": ["One", 7]}, "do.ships"), (TRADE, {"do__ships": "x"}, "do.ships"),
        (TRADE, {"do__marks": None, "do__value": 9}, ""),
        (ARMY, {"do__boats": {**BOATS, "count": 200}}, ""), (ARMY, {"do__boats": {**BOATS, "count": 201}}, "do.boats.count"),
        (ARMY, {"do__else": "nieuport"}, ""), (ARMY, {"do__embark": None}, ""), (ARMY, {"do__side": "England"}, ""),
        (ARMY, {"do__fleet": "MED", "do__port": None}, ""),
        (ARMY, {"do__fleet": "MED", "do__port": None, "do__side": "France"}, "do.side do.fleet"),
        (TIE, {"do": {"hostility": ["England", "Spain", 7]}}, "do.hostility"), (TIE, {"do": {"hostility": "war"}}, "do.hostility"),
        (TIE, {"do": {"hostility": ["Dutch Republic", "Spain", "war"]}}, ""),
        (TIE, {"do": {"hostility": ["England", "Spain", "alliance"]}}, ""),
        (TIE, {"do": {"hostility": ["France", "Spain", "war"]}}, "do.hostility[0]"),
        (PEACE, {}, ""), (PEACE, {"known": ["England"]}, ""), (PEACE, {"do": {"peace": 1}}, "do.peace"),
    ],
    ids=str,
)  # fmt: skip
def test_objectives_at_the_limits_are_accepted(
    row: dict[str, Any], changes: dict[str, Any], path: str
) -> None:
    assert list(wrong(changed(row, **changes))) == [f"[0].{one}" for one in path.split()]


@pytest.mark.clause("G.CA1")
def test_text_alone_needs_neither_a_code_nor_a_day_of_the_campaign() -> None:
    text = {"date": "1588-09-30", "kind": "politics", "text": "The Armada is home."}
    assert wrong(text, text) == {}
    assert list(wrong({**text, "id": "one"}, {**text, "id": "one"})) == ["[1].id"]
    assert wrong(changed(NASSAU, date="1588-09-30"), known=replace(KNOWN, last_day="")) == {}
    rows = read_calendar(
        {"calendar": [(3, text)], "opening.calendar": [(0, {**text, "kind": "news"})]}, KNOWN
    )
    assert [(row.id, row.known) for row in rows] == [
        ("calendar_4", ("ENG", "ESP", "NLD")), ("opening_calendar_1", ()),
    ]  # fmt: skip


@pytest.mark.clause("G.CA2")
def test_a_ship_arrives_once_and_each_reinforcement_may_bring_others() -> None:
    first = changed(NASSAU, do__side="England", do__made=None, do__ships=["Rainbow"])
    again = changed(first, id="again", do__fleet="AGN")
    told = "Rainbow comes already by [0].do.ships."
    assert {path: text.replace("calendar", "") for path, text in wrong(first, again).items()} == {
        "[1].do.ships[0]": told
    }
    two = replace(KNOWN, register={**KNOWN.register, "ENG": {"Ark Royal", "Rainbow", "Swallow"}})
    assert wrong(first, changed(again, do__ships=["Swallow"]), known=two) == {}
    assert list(wrong(NASSAU, changed(NASSAU, id="again"))) == ["[1].do.fleet"]


@pytest.mark.clause("G.CA2", "G.CA4")
def test_enemies_meet_only_in_one_place_on_one_day() -> None:
    def boats(**over: Any) -> dict[str, Any]:
        return changed(ARMY, **over)

    here = changed(NASSAU, do__place="dunkirk", do__orders=None, date="1588-07-28")
    assert list(wrong(here, boats())) == ["[1].do.port"]
    assert list(wrong(boats(), here)) == ["[1].do.place"]
    assert wrong(here, boats(date="1588-07-29")) == {} == wrong(boats(date="1588-07-29"), here)
    assert wrong(here, boats(do__port="nieuport")) == {}
    assert wrong(here, boats(do__boats=None)) == {}
    assert wrong(here, boats(do__port=None, do__fleet="MED")) == {}
    convoy = changed(TRADE, do__start="lizard", do__destination="thames", date="1588-07-19")
    assert list(wrong(convoy)) == ["[0].do.start"]
    assert wrong(changed(convoy, date="1588-07-20")) == {}
    long = changed(convoy, date=None, window=["1588-07-20", "1588-08-01"])
    spain = changed(
        NASSAU, do__side="Spain", do__fleet="SPA", do__orders=None, do__place="lizard", date="1588-08-01"
    )
    assert list(wrong(long, spain)) == ["[1].do.place"] and list(wrong(spain, long)) == ["[1].do.start"]
    assert (
        wrong(long, changed(spain, date="1588-08-02")) == {} == wrong(changed(spain, date="1588-08-02"), long)
    )
    told = wrong(long, spain)["[1].do.place"]
    assert told == "SPA would be at lizard together with TRADE, a fleet of the enemy."


@pytest.mark.clause("G.CA2")
def test_two_stays_overlap_when_they_share_a_day() -> None:
    stays = [(first, last) for first in range(1, 5) for last in range(first, 5)]
    wrong_ones = [
        (one, other)
        for one in stays
        for other in stays
        if result_of(_overlap, *(("A", "ENG", "vlie", *map(str, stay)) for stay in (one, other)))
        is not (max(one[0], other[0]) <= min(one[1], other[1]))
    ]
    assert wrong_ones == []
