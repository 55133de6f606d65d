"""Every type, rate, nation and year of a register entry, and what each makes of a card. Rules: A.C1-A.C15, A.G21, A.G30."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.age_of_sail import card
from battles.engine.rulesets.age_of_sail.card import Card
from tests.support.answers import unerring


@unerring
def facts(kind: str = "galleon", nation: str = "England", **more: Any) -> ShipFacts:
    return ShipFacts(**{"nation": nation, "built_by": nation, "ship_type": kind, **more})


@unerring
def made(kind: str = "galleon", nation: str = "England", **more: Any) -> Card:
    return card.card(facts(kind, nation, **more))


@unerring
def noted(field: str, of: ShipFacts) -> tuple[str, str]:
    """The clause that gave a figure, and its sentence."""
    (row,) = [(clause, text) for name, clause, text in card.explain(of) if name == field]
    return row


@pytest.mark.clause("A.C1", "A.C2", "A.C3", "A.C5", "A.V3")
@pytest.mark.parametrize(
    ("kind", "cls", "decks", "values", "boxes", "clause"),
    [("ship_of_line", "line", 3, (1, 1, 1), 12, "A.C1"), ("frigate", "light", 2, (1, 2, 1), 10, "A.C2")],
)
def test_both_standard_cards_stand_as_printed_and_say_so(
    kind: str, cls: str, decks: int, values: tuple[int, ...], boxes: int, clause: str
) -> None:
    one = made(kind, guns=40)
    assert (one.cls, one.decks, one.values, one.hull, one.boxes) == (cls, decks, values, 3, boxes)
    assert one.masts == ("fore", "main", "mizzen")
    assert {noted(field, facts(kind, guns=40))[0] for field in ("decks", "masts", "hull")} == {clause}


@pytest.mark.clause("A.C6", "A.C14")
@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        ("ship_of_line", "line"), ("great_ship", "line"), ("man_of_war", "line"), ("frigate", "light"), ("corvette", "light"),
        ("sloop", "light"), ("brig", "light"), ("privateer", "light"), ("pirate", "light"), ("fireship", "light"),
    ],
)  # fmt: skip
def test_the_type_of_a_ship_decides_its_class_whatever_its_guns(kind: str, cls: str) -> None:
    assert [made(kind, guns=guns).cls for guns in (49, 50, None)] == [cls] * 3
    assert noted("class", facts(kind))[0] == ("A.C14" if kind == "fireship" else "A.C6")
    assert not made(kind).estimated.get("class")


@pytest.mark.clause("A.C6", "A.C14")
@pytest.mark.parametrize(
    "kind", ["galleon", "merchant", "transport", "galley", "galleass", "pinnace", "yacht"]
)
def test_other_types_go_by_guns_and_without_guns_are_light_with_a_deck_a_side(kind: str) -> None:
    assert [made(kind, guns=guns).cls for guns in (49, 50)] == ["light", "line"]
    assert [made(kind, guns=guns, year_built=1659).cls for guns in (39, 40)] == ["light", "line"]
    unknown = made(kind)
    assert (unknown.cls, unknown.decks, unknown.hull, len(unknown.masts)) == ("light", 1, 3, 3)
    assert {"class": "A.C14", "decks": "A.C14"}.items() <= unknown.estimated.items()
    assert noted("class", facts(kind))[0] == noted("decks", facts(kind))[0] == "A.C14"


@pytest.mark.clause("A.C6", "A.C14")
@pytest.mark.parametrize(
    ("rate", "cls"),
    [(f"{n}", "line" if n < 5 else "light") for n in range(1, 7)]
    + [("1st rate", "line"), (" 4th", "line"), ("5th", "light"), ("Unrated", "light")],
)
def test_a_rate_goes_before_type_and_guns(rate: str, cls: str) -> None:
    for kind, guns in (("ship_of_line", 100), ("frigate", 20), ("galleon", 49), ("galleon", 50)):
        assert made(kind, rate=rate, guns=guns).cls == cls
        assert noted("class", facts(kind, rate=rate, guns=guns)) == ("A.C6", f"Rate {rate}: {cls}.")
    assert made("fireship", rate=rate, guns=100).cls == "light"
    assert made("galleon", rate="7th", guns=50).cls == "line", "there are six rates"


@pytest.mark.clause("A.C9")
@pytest.mark.parametrize(
    ("kind", "guns", "decks"),
    [
        ("merchant", 0, 0), ("merchant", 1, 1), ("merchant", 15, 1), ("merchant", 16, 2), ("transport", 15, 1),
        ("transport", 16, 2), ("sloop", 0, 0), ("sloop", 1, 2), ("sloop", 15, 2), ("ship_of_line", 0, 0), ("merchant", 50, 3),
    ],
)  # fmt: skip
def test_merchantmen_of_a_few_guns_have_one_deck_a_side_and_ships_without_guns_none(
    kind: str, guns: int, decks: int
) -> None:
    assert made(kind, guns=guns).decks == decks
    few = kind in ("merchant", "transport") and guns <= 15
    assert (noted("decks", facts(kind, guns=guns))[0] == "A.C9") is (few or not guns)


@pytest.mark.clause("A.C10")
@pytest.mark.parametrize(
    "kind",
    ["battleship", "cruiser_1", "cruiser_2", "cruiser_3", "scout", "destroyer", "torpedo_boat", "gunboat", "ironclad", "steamer"],
)  # fmt: skip
def test_whatever_goes_by_steam_has_no_card(kind: str) -> None:
    assert [field for field, _ in card.card_faults(facts(kind))] == ["ship_type"]


@pytest.mark.clause("A.C10", "A.C14", "A.C15")
def test_all_errors_on_a_card_are_named_at_once() -> None:
    wrong = facts("scout", guns=-1, year_served=1816, overrides={"oars": 2, "hull": 4})
    assert [field for field, _ in card.card_faults(wrong)] == [
        "overrides.oars", "overrides.hull", "guns", "ship_type", "year_served"
    ]  # fmt: skip
    assert card.card_faults(facts(guns=0, year_built=1500, year_served=1600)) == ()
    assert [card.card_faults(facts(year_built=year)) for year in (1600, 1815)] == [(), ()]
    assert [field for field, _ in card.card_faults(facts(year_built=1816))] == ["year_built"]
    assert [field for field, _ in card.card_faults(facts(year_built=1599))] == ["year_built"]


@pytest.mark.clause("A.C15")
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("class", ["line", "light"], ["heavy", 1, None]), ("decks", [0, 3], [-1, 4, True, "2"]),
        ("masts", [1, 2, 3], [0, 4, True]), ("hull", [1, 3], [0, 4, False]), ("pirate", [True, False], [1, "yes"]),
        ("pounds", [1, 90_000], [0, -1, True, 1.5, "7"]),
    ],
)  # fmt: skip
def test_what_is_set_by_hand_has_bounds_and_stands_on_the_card(
    name: str, good: list[Any], bad: list[Any]
) -> None:
    for value in good:
        by_hand = facts(overrides={name: value})
        assert card.card_faults(by_hand) == ()
        doc = card.card(by_hand).to_dict()
        found = len(doc["masts"]) if name == "masts" else doc[name]
        assert found == value and name not in doc["estimated"]
        words = {True: "yes", False: "no"}.get(value, value) if name == "pirate" else value
        if name == "pounds":
            words = f"£{value:,}"
        assert noted(name, by_hand) == ("A.C15", f"Set by hand: {words}.")
    words = {
        "class": "line or light",
        "decks": "gun decks",
        "masts": "3 masts",
        "hull": "hull units",
        "pirate": "true or false",
        "pounds": "pounds",
    }
    assert words[name] in card.WORDS[name]
    for value in bad:
        assert [field for field, _ in card.card_faults(facts(overrides={name: value}))] == [
            f"overrides.{name}"
        ]


@pytest.mark.clause("A.C12", "A.C8")
def test_pirates_and_privateers_are_distinguished_and_explained() -> None:
    for kind, pirate, privateer in (
        ("pirate", True, False),
        ("privateer", False, True),
        ("sloop", False, False),
    ):
        assert (made(kind).pirate, made(kind).privateer) == (pirate, privateer)
        assert noted("pirate", facts(kind))[0] == "A.C12"
        assert ("no line" in noted("pirate", facts(kind))[1]) is pirate
    assert [(row.masts, row.values) for row in (made("brig", overrides={"masts": n}) for n in (1, 2))] == [
        (("main",), (2,)), (("fore", "main"), (1, 2))
    ]  # fmt: skip
    assert [made("ship_of_line", overrides={"masts": n}).values for n in (1, 2)] == [(1,), (1, 1)]


@pytest.mark.clause("A.C11")
@pytest.mark.parametrize(
    ("nations", "first", "last", "service"),
    [
        (("England", "Great Britain", "Scotland"), 1648, 1660, "Commonwealth"),
        (("England", "Great Britain", "Scotland"), 1661, 1800, "Royal Navy"),
        (("Spain",), 1660, 1796, "Armada"),
        (("France",), 1618, 1789, "La Royale"),
        (("Dutch Republic", "United Provinces"), 1648, 1795, "United Provinces"),
    ],
)
def test_services_have_their_names_in_their_years(
    nations: tuple[str, ...], first: int, last: int, service: str
) -> None:
    for nation in nations:
        assert [made(nation=nation, year_built=year).service for year in (first, last)] == [service] * 2
        assert made(nation=nation, year_built=last + 1).service != service or nation == service
        assert made(nation=nation, year_built=first - 1).service != service or nation == service
        assert made(nation=nation).service == nation
        assert made("pirate", nation, year_built=first).service == f"pirate, {nation}"
        assert made("privateer", nation, year_built=first).service == f"privateer, {nation}"
    assert made(nation="Venice", year_built=first).service == "Venice"


@pytest.mark.clause("A.G21")
@pytest.mark.parametrize(
    "yard",
    ["Dutch Republic", "United Provinces", "Denmark", "Denmark-Norway", "Sweden", "Hanse", "Brandenburg", "Poland", "Russia"],
)  # fmt: skip
def test_ships_of_dutch_and_baltic_yards_are_not_deep(yard: str) -> None:
    for guns in (29, 30, None):
        assert not made("ship_of_line", guns=guns, built_by=yard).deep
    assert made("ship_of_line", yard, guns=30, built_by="England").deep, "the yard counts, not the flag"
    assert noted("deep", facts("frigate", guns=30, built_by=yard))[1] == "It is built for shoal waters."
    assert noted("deep", facts("frigate", guns=29, built_by=yard))[1] == "It is of shallow draught."


@pytest.mark.clause("A.G21")
def test_thirty_guns_are_deep_and_without_guns_the_class_decides() -> None:
    assert [made("frigate", guns=guns).deep for guns in (29, 30)] == [False, True]
    assert [made(kind).deep for kind in ("frigate", "ship_of_line")] == [False, True]
    assert noted("deep", facts(guns=30)) == ("A.G21", "It is deep.")


@pytest.mark.clause("A.G30", "A.C15")
@pytest.mark.parametrize(
    ("kind", "known", "pounds"),
    [
        ("ship_of_line", {"guns": 10}, 1_150), ("ship_of_line", {"guns": 10, "year_built": 1700}, 1_150),
        ("ship_of_line", {"guns": 10, "year_built": 1699}, 600), ("frigate", {"guns": 10}, 1_300),
        ("frigate", {"guns": 10, "year_built": 1700}, 1_300), ("frigate", {"guns": 10, "year_built": 1699}, 600),
        ("ship_of_line", {}, 5_000), ("ship_of_line", {"year_built": 1650}, 5_000), ("frigate", {}, 1_500),
        ("frigate", {"guns": 0}, 1_500), ("frigate", {"guns": 10, "tons_burthen": 7}, 35),
    ],
)  # fmt: skip
def test_a_ship_is_worth_five_pounds_a_ton_and_tons_unknown_go_by_guns(
    kind: str, known: dict[str, Any], pounds: int
) -> None:
    assert made(kind, **known).pounds == pounds
    assert ("pounds" in made(kind, **known).estimated) is ("tons_burthen" not in known)
    clause, told = noted("pounds", facts(kind, **known))
    assert clause == "A.G30" and told.endswith(f" at £5: £{pounds:,}.")


@pytest.mark.clause("A.C14")
def test_a_saved_card_is_read_back_and_one_of_another_version_is_refused() -> None:
    one = made("frigate", guns=32)
    doc = one.to_dict()
    assert doc["schema"] == 1
    assert Card.from_dict(doc) == Card.from_dict(json.loads(json.dumps(doc))) == one
    for schema in (0, 2, None):
        with pytest.raises(SchemaError):
            Card.from_dict({**doc, "schema": schema})


@pytest.mark.clause("A.C1", "A.C2", "A.C8", "A.C11")
def test_the_tables_of_the_card_stand_as_printed() -> None:
    assert dict(card.CLASSES) == {"line": (3, (1, 1, 1), 3), "light": (2, (1, 2, 1), 3)}
    assert card._STEPPED == {3: (0, 1, 2), 2: (0, 1), 1: (1,)}
    british = ("England", "Great Britain", "Scotland")
    assert (
        (british, 1648, 1660, "Commonwealth"), (british, 1660, 1800, "Royal Navy"), (("Spain",), 1660, 1796, "Armada"),
        (("France",), 1618, 1789, "La Royale"), (("Dutch Republic", "United Provinces"), 1648, 1795, "United Provinces"),
    ) == card._SERVICES  # fmt: skip
