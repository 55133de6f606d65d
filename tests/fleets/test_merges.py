"""Ships entered twice: found by similar names, and merged with both histories kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from fleets import duplicates
from fleets.duplicates import pairs_alike, plain_name
from fleets.models import RegisterEntry
from fleets.services.merges import entries_merge
from tests.support.factories import RegisterEntryFactory, RegisterFactory, ShipFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("São João", "SAO JOAO"),
        ("St George", "Saint George"),
        ("HMS Victory", "Victory"),
        ("De Zeven Provinciën", "Zeven Provincien"),
        ("Santa Maria", "St. Maria"),
    ],
)
def test_names_are_alike_whatever_the_accents_articles_and_saints(one: str, other: str) -> None:
    assert plain_name(one) == plain_name(other)


def test_pairs_on_one_side_are_found_and_those_marked_as_different_are_not() -> None:
    register = RegisterFactory()
    names = [
        "Zeven Provincien",
        "Seven Provincien",
        "Tiger",
        "Tyger",
        "Lion",
        "Eendracht (Zeeland)",
        "Eendracht (Amsterdam)",
    ]
    made = [RegisterEntryFactory(register=register, name=name, side="Dutch") for name in names]
    RegisterEntryFactory(register=register, name="Lion", side="English")

    pairs = pairs_alike([*made, *RegisterEntry.objects.filter(side="English")], least=0.8)

    assert {(pair.one.name, pair.other.name) for pair in pairs} == {
        ("Zeven Provincien", "Seven Provincien"), ("Tiger", "Tyger"),
    }  # fmt: skip
    assert pairs[0].alike >= pairs[1].alike


def test_only_names_that_share_letters_are_compared_among_two_thousand_ships(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = []

    class Counted(duplicates.SequenceMatcher):
        def __init__(self, **names: Any) -> None:
            compared.append(names)
            super().__init__(**names)

    monkeypatch.setattr(duplicates, "SequenceMatcher", Counted)
    entries = [RegisterEntry(name=f"Santa Maria de {n:04}", side="Spanish") for n in range(40)]
    entries += [RegisterEntry(name=f"{chr(97 + n % 26)}{n * 7919:x}", side="English") for n in range(1960)]

    pairs_alike(entries, least=0.99)

    assert 40 * 39 / 2 <= len(compared) < 20_000, "of the two million pairs that there are"


@pytest.fixture
def pair() -> tuple[Any, Any]:
    """One ship entered twice; a campaign has mustered the second."""
    keep = RegisterEntryFactory(name="Tiger", guns=38, crew=None, extra={"soldiers": 10}, overrides={})
    drop = RegisterEntryFactory(
        register=keep.register, name="Tyger", guns=40, crew=150, extra={"soldiers": 99, "rowers": 5},
        overrides={"kohler": {"hull": 12}},
    )  # fmt: skip
    return keep, drop


def test_two_entries_become_one_and_campaigns_ships_point_to_it(pair: tuple[Any, Any], keeper: Any) -> None:
    keep, drop = pair
    ship = ShipFactory(entry=drop)
    gone = drop.pk

    entries_merge(keep=keep, drop=drop, take={"crew"}, reason="one ship, two spellings", user=keeper)

    ship.refresh_from_db()
    kept = RegisterEntry.objects.get()
    assert ship.entry == kept
    assert (kept.name, kept.guns, kept.crew) == ("Tiger", 38, 150)
    assert kept.extra == {"soldiers": 10, "rowers": 5}
    assert kept.overrides == {"kohler": {"hull": 12}}
    assert kept.history.first().history_change_reason == (
        f"Merged with Tyger (English) (entry {gone}): one ship, two spellings"
    )
    last = RegisterEntry.history.filter(id=gone).first()
    assert (last.history_type, last.history_user, last.name) == ("-", keeper, "Tyger")
    assert last.history_change_reason.startswith("Merged into Tiger (English)")
    assert RegisterEntry.history.filter(id=gone).count() == 2
    assert ship.history.first().history_change_reason == "Register entry merged into Tiger (English)"


def test_the_kept_entry_may_take_the_name_of_the_other(pair: tuple[Any, Any], keeper: Any) -> None:
    keep, drop = pair

    entries_merge(keep=keep, drop=drop, take={"name"}, reason="better source", user=keeper)

    assert RegisterEntry.objects.get().name == "Tyger"


def test_an_impossible_merge_is_refused(pair: tuple[Any, Any], keeper: Any) -> None:
    keep, drop = pair
    for wrong, words in (
        ({"drop": keep}, "the same entry"),
        ({"drop": RegisterEntryFactory()}, "different registers"),
        ({"reason": " "}, "Enter a reason"),
    ):
        given: dict[str, Any] = {"keep": keep, "drop": drop, "take": (), "reason": "why", "user": keeper}
        with pytest.raises(ValidationError, match=words):
            entries_merge(**{**given, **wrong})
    keep.register.original = True
    keep.register.save()
    with pytest.raises(ValidationError, match="read-only"):
        entries_merge(
            keep=RegisterEntry.objects.get(pk=keep.pk), drop=drop, take=(), reason="why", user=keeper
        )
    assert RegisterEntry.objects.filter(register=keep.register).count() == 2


def test_the_site_administrator_finds_and_merges_on_the_pages(
    keeper_client: Any, pair: tuple[Any, Any]
) -> None:
    keep, drop = pair
    ShipFactory(entry=drop)
    address = f"/admin/fleets/registerentry/{keep.pk}/merge/{drop.pk}/"

    found = keeper_client.get(
        f"/admin/fleets/registerentry/duplicates/?register={keep.register_id}"
    ).content.decode()
    page = keeper_client.get(address).content.decode()
    silent = keeper_client.post(address, {"crew": "other", "reason": ""}).content.decode()
    done = keeper_client.post(
        address, {"crew": "other", "guns": "own", "reason": "two spellings"}, follow=True
    ).content.decode()

    assert "Tiger" not in found, "they are alike to 80 per cent only"
    assert "1 campaign ship" in page
    assert "Enter a reason" in silent
    assert "Tiger: entries merged." in done
    assert RegisterEntry.objects.get().crew == 150


def test_the_page_of_possible_duplicates_is_about_one_register(keeper_client: Any) -> None:
    register = RegisterFactory()
    for name in ("Seven Provinces", "Zeven Provinces"):
        RegisterEntryFactory(register=register, name=name)
    RegisterEntryFactory(name="Seven Provincies")

    page = keeper_client.get(
        f"/admin/fleets/registerentry/duplicates/?register={register.pk}"
    ).content.decode()

    assert "1 pair of ships" in page
    assert "Provincies" not in page
    other = RegisterEntryFactory()
    first = RegisterEntry.objects.filter(register=register).first()
    assert first is not None
    assert keeper_client.get(f"/admin/fleets/registerentry/{first.pk}/merge/{other.pk}/").status_code == 404
