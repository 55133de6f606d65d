"""Ships corrected by hand: what is just allowed, what is just refused, and what is recorded."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from battles.engine.registry import rule_set
from fleets import keeping
from fleets.facts import facts_document, facts_of
from fleets.models import ServiceRecord, Ship
from fleets.services.ship_edits import retake_choices, ship_amend, ship_retake
from tests.support.answers import flawless
from tests.support.factories import (
    CARD,
    SOUND,
    RegisterEntryFactory,
    RegisterFactory,
    ShipFactory,
    UserFactory,
)

pytestmark = [pytest.mark.one_database, pytest.mark.django_db, pytest.mark.clause("G.SV1", "G.UM1")]


@pytest.fixture(autouse=True)
def no_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    """The book belongs to no campaign, so that its ships may be touched at any time."""
    monkeypatch.setattr(keeping, "_keeper", keeping.NoKeeper())


@pytest.fixture
def user() -> Any:
    return UserFactory(username="umpire")


def amend(ship: Ship, user: Any, **values: Any) -> ServiceRecord | None:
    return flawless(ship_amend, ship=ship, values=values, reason=" a slip ", user=user)


def mustered(year: int | None = 1666, **facts: Any) -> Ship:
    """A sound ship of a register entry."""
    entry = RegisterEntryFactory(
        register=RegisterFactory(year=year), **{"guns": 50, "tons_burthen": 700, "crew": 200, **facts}
    )
    own = facts_of(entry, rule_set="kohler")
    rules = rule_set("kohler")
    card = rules.card(own)
    made = ShipFactory(entry=entry, facts=facts_document(own), card=card, condition=rules.at_sea.sound(card))
    return Ship.objects.select_related("book", "navy", "entry__register", "entry__nation").get(pk=made.pk)


def retake(ship: Ship, user: Any, *columns: str, reason: str = "a new source") -> ServiceRecord | None:
    return flawless(ship_retake, ship=ship, columns=columns, reason=reason, user=user)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"name": "Leopard"}, "name Leopard, previously Tiger"),
        ({"captain": "Harman"}, "captain Harman, previously none"),
        ({"complement": 201}, "complement 201, previously 200"),
        ({"men": 0}, "men 0, previously 200"),
        ({"complement": 210, "men": 210}, "complement 210, previously 200; men 210, previously 200"),
        (
            {"condition": {**SOUND, "hits_struct": 19}},
            "condition schema: 1; hits_struct: 19; hits_board: 0; flag_officer_ok: True, "
            "previously schema: 1; hits_struct: 0; hits_board: 0; flag_officer_ok: True",
        ),
    ],
)
def test_each_of_five_things_can_be_corrected(user: Any, values: dict[str, Any], told: str) -> None:
    ship = ShipFactory(name="Tiger")

    record = amend(ship, user, **values)

    ship.refresh_from_db()
    assert {name: getattr(ship, name) for name in values} == values
    assert record is not None
    assert (record.event, record.data) == ("amended/1", {"changes": told, "reason": "a slip", "by": "umpire"})
    assert ship.former_names == (["Tiger"] if "name" in values else [])
    again = amend(ship, user, captain="Jordan")
    assert again is not None and again.event == "amended/2"


def test_facts_that_may_not_be_corrected_are_skipped(user: Any) -> None:
    ship = ShipFactory()

    assert amend(ship, user, code="X1", facts={}, prize=True) is None
    assert not ServiceRecord.objects.exists()


def condition(**changes: Any) -> dict[str, Any]:
    return {"condition": {**SOUND, **changes}}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"men": 201}, ["The crew of 201 exceeds the complement of 200."]),
        ({"complement": 199}, ["The crew of 200 exceeds the complement of 199."]),
        ({"name": "", "men": 201}, ["Enter a name.", "The crew of 201 exceeds the complement of 200."]),
        (condition(hits_struct=20), ["A ship in this condition would not be afloat."]),
        (
            condition(hits_struct=True),
            ["hits_struct in the condition is true. It must be a whole number."],
        ),
        (condition(flag_officer_ok=0), ["flag_officer_ok in the condition is 0. It must be true or false."]),
        (
            condition(masts=1),
            [
                "The condition must have exactly these fields: flag_officer_ok, hits_board, hits_struct, schema."
            ],
        ),
        (condition(schema=9), [f"{rule_set('kohler').title} cannot read this condition."]),
    ],
)
def test_all_impossible_settings_are_reported_at_once(
    user: Any, values: dict[str, Any], said: list[str]
) -> None:
    ship = ShipFactory()
    with pytest.raises(ValidationError) as refused:
        amend(ship, user, **values)
    messages = refused.value.messages
    assert len(messages) == len(said)
    assert all(message.startswith(start) for message, start in zip(messages, said, strict=True))
    with pytest.raises(ValidationError) as refused:
        ship_amend(ship=Ship.objects.get(), values=values, reason=" ", user=user)
    assert refused.value.messages[0] == "Enter a reason. It appears in the ship's service record."
    assert not ServiceRecord.objects.exists()


def test_a_crew_may_fill_its_complement_and_one_that_is_already_too_large_stays(user: Any) -> None:
    ship = ShipFactory(men=210, complement=200)

    def refusals(**values: Any) -> list[str]:
        try:
            amend(ship, user, **values)
        except ValidationError as refused:
            return refused.messages
        return []

    assert refusals(captain="Harman") == []
    assert refusals(men=211) == ["The crew of 211 exceeds the complement of 200."]
    assert refusals(complement=209) == ["The crew of 210 exceeds the complement of 209."]
    assert refusals(complement=210) == []
    ship.refresh_from_db()
    assert (ship.captain, ship.men, ship.complement) == ("Harman", 210, 210)


@pytest.mark.clause("G.CR1")
def test_the_kinds_of_another_sets_condition_are_named(user: Any) -> None:
    entry = RegisterEntryFactory(guns=74, tons_burthen=1700, year_built=1790)
    rules = rule_set("thomas")
    facts = facts_of(entry, rule_set="thomas")
    card = rules.card(facts)
    sound = rules.at_sea.sound(card)
    ship = ShipFactory(card=card, condition=sound, facts=facts_document(facts), men=600, complement=600)
    ship.book.rule_set = "thomas"
    ship.book.save()
    words = {
        bool: "true or false",
        int: "a whole number",
        str: "text",
        list: "a list",
        dict: "names and values",
    }

    with pytest.raises(ValidationError) as refused:
        amend(ship, user, condition=dict.fromkeys(sound))

    assert refused.value.messages == [
        f"{name} in the condition is null. It must be {words[type(value)]}." for name, value in sound.items()
    ]
    assert len({type(value) for value in sound.values()}) > 2


@pytest.mark.clause("G.CR1")
def test_a_fact_that_identifies_her_is_not_offered(user: Any) -> None:
    ship = mustered()
    assert ship.entry is not None
    ship.entry.name, ship.entry.register.year, ship.entry.rate = "Another", 1700, "4"

    assert [choice.name for choice in retake_choices(ship)] == ["rate"]
    assert retake(ship, user, "name", "year_served") is None


def test_facts_come_from_a_register_entry_only(user: Any) -> None:
    ship = ShipFactory(card=dict(CARD))

    assert retake_choices(ship) == []
    with pytest.raises(ValidationError, match="This ship's register entry no longer exists."):
        retake(ship, user, "guns")


@pytest.mark.clause("G.CR1")
@pytest.mark.parametrize(
    ("men", "crew", "manned"),
    [(200, 260, 260), (199, 260, 199), (199, 150, 150), (140, 150, 140), (200, 150, 150), (150, 200, 150)],
)
def test_a_full_crew_stays_full_and_a_short_one_never_grows(
    user: Any, men: int, crew: int, manned: int
) -> None:
    ship = mustered()
    ship.men = men
    assert ship.entry is not None
    ship.entry.crew, ship.entry.rate = crew, "4"

    record = retake(ship, user, "crew", "rate")

    ship.refresh_from_db()
    assert (ship.complement, ship.men, ship.complement_estimated) == (crew, manned, False)
    assert record is not None
    assert (f"complement {crew}, previously 200" in record.data["changes"]) is (crew != 200)


@pytest.mark.clause("G.CR1")
def test_an_unknown_crew_is_estimated_by_the_year_of_the_register(user: Any) -> None:
    ship = mustered(year=1805, year_built=None)
    assert ship.entry is not None
    ship.entry.crew = None

    retake(ship, user, "crew")

    ship.refresh_from_db()
    assert (ship.complement, ship.complement_estimated) == (400, True)


@pytest.mark.clause("G.CR1")
@pytest.mark.parametrize(
    ("hits", "column", "taken"), [(0, "tons_burthen", True), (1, "tons_burthen", False), (1, "rate", True)]
)
def test_only_an_undamaged_ship_gets_another_card(user: Any, hits: int, column: str, taken: bool) -> None:
    ship = mustered()
    old = ship.card
    ship.condition = {**ship.condition, "hits_struct": hits}
    ship.save()
    assert ship.entry is not None
    ship.entry.tons_burthen, ship.entry.rate = 900, "4"
    if not taken:
        with pytest.raises(ValidationError) as refused:
            retake(ship, user, column, reason=" ")
        assert refused.value.messages == [
            "Enter a reason. It appears in the ship's service record.",
            "The ship is damaged, and these facts would change its card. Update it when it is repaired.",
        ]
        return
    assert retake(ship, user, column) is not None
    ship.refresh_from_db()
    assert (ship.card != old) is (column == "tons_burthen")
    assert ship.condition["hits_struct"] == hits
    assert ship.facts[column] == {"tons_burthen": 900, "rate": "4"}[column]


def test_facts_not_asked_for_are_not_accepted(user: Any) -> None:
    ship = mustered()
    assert ship.entry is not None
    ship.entry.rate = "4"

    assert retake(ship, user, "guns") is None
    with pytest.raises(ValidationError, match="Enter a reason"):
        retake(ship, user, "rate", reason="")
    ship.entry.overrides = {"kohler": {"hull": -1}}
    with pytest.raises(ValidationError, match="No card can be made from these facts") as refused:
        retake(ship, user, "overrides", reason="")
    assert len(refused.value.messages) == 2


def test_a_different_kind_of_ship_is_recorded_as_that_kind(user: Any) -> None:
    ship = mustered()
    assert ship.entry is not None
    ship.entry.ship_type = "frigate"

    retake(ship, user, "ship_type")

    ship.refresh_from_db()
    assert (ship.ship_type, ship.facts["ship_type"]) == ("frigate", "frigate")
