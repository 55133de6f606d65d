"""An entry's cards: explained, figures set by hand field by field and marked, errors shown; and the history of it all."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from battles.engine import registry
from fleets.models import RegisterEntry
from fleets.selectors.cards import entry_cards, override_fields
from fleets.services.overrides import override_value, overrides_set
from tests.support.answers import answer_of
from tests.support.factories import RegisterEntryFactory, RegisterFactory

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def _cards_page(entry: Any) -> str:
    return reverse("admin:fleets_registerentry_cards", args=[entry.pk])


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("35", 35),
        ("7.5", 7.5),
        ("yes", True),
        ("true", True),
        ("No", False),
        ("False", False),
        ("galley", "galley"),
        ('{"short": 2}', {"short": 2}),
    ],
)
def test_an_entered_value_becomes_a_figure(typed: str, value: Any) -> None:
    assert override_value(typed) == value


def test_a_figure_set_by_hand_is_marked_beside_what_the_rules_derive(keeper: Any) -> None:
    entry = RegisterEntryFactory(guns=52, tons_burthen=726)

    overrides_set(
        entry=entry, rule_set="kohler", typed={"hull": "21", "handy": "no"}, reason="model", user=keeper
    )

    card = next(card for card in entry_cards(entry) if card.rule_set == "kohler")
    assert card.by_hand == (("handy", False), ("hull", 21))
    assert dict(card.derived)["hull_max"] == 22
    assert ("hull_max", 21, 22) in card.lines
    assert entry.history.first().history_change_reason == "model"


def test_an_empty_figure_returns_to_what_the_rules_derive(keeper: Any) -> None:
    entry = RegisterEntryFactory(overrides={"kohler": {"hull": 21, "fast": True}})

    overrides_set(entry=entry, rule_set="kohler", typed={"hull": " "}, reason="no source", user=keeper)
    assert entry.overrides == {"kohler": {"fast": True}}
    overrides_set(entry=entry, rule_set="kohler", typed={"fast": ""}, reason="no source", user=keeper)

    entry.refresh_from_db()
    assert entry.overrides == {}
    assert not any(card.by_hand for card in entry_cards(entry))


@pytest.mark.parametrize("before", [None, {}, {"thomas": {"deep": True}}])
def test_figures_of_other_rule_sets_stay_as_they_were(keeper: Any, before: dict[str, Any] | None) -> None:
    entry = RegisterEntryFactory(overrides=before or {})
    entry.overrides = before
    common = {"entry": entry, "rule_set": "kohler", "user": keeper}
    assert answer_of(overrides_set, typed={"hull": "21"}, reason="model", **common) == ""
    assert entry.overrides == {**(before or {}), "kohler": {"hull": 21}}
    assert answer_of(overrides_set, typed={"hull": ""}, reason="model", **common) == ""
    assert entry.overrides == (before or {})


def test_figures_that_a_rule_set_cannot_use_are_refused_all_at_once(keeper: Any) -> None:
    entry = RegisterEntryFactory()

    with pytest.raises(ValidationError) as caught:
        overrides_set(
            entry=entry, rule_set="kohler", typed={"hull": "-3", "masts": "2"}, reason=" ", user=keeper
        )

    told = " ".join(caught.value.messages)
    assert "hull is -3" in told and "no override 'masts'" in told and "Enter a reason" in told
    assert RegisterEntry.objects.get().overrides == {}
    assert entry.overrides == {}


def test_an_original_takes_no_figures(keeper: Any) -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(original=True))

    with pytest.raises(ValidationError, match="read-only"):
        overrides_set(entry=entry, rule_set="kohler", typed={"hull": "3"}, reason="x", user=keeper)


@pytest.mark.parametrize("name", registry.names())
def test_every_rule_set_names_what_may_be_set_by_hand(name: str) -> None:
    fields = override_fields(name)

    assert fields
    assert all(words.strip() for words in fields.values())


def test_the_page_shows_every_rule_sets_card_its_reasons_and_the_figures(keeper_client: Any) -> None:
    entry = RegisterEntryFactory(guns=52, tons_burthen=726)

    page = keeper_client.get(_cards_page(entry)).content.decode()

    for name in registry.names():
        assert registry.rule_set(name).title in page
        for field in override_fields(name):
            assert f'id="{name}-hand-{field}"' in page
    assert "1 point per 33" in page and "K.A1.1" in page


def test_the_site_administrator_sets_a_figure_sees_it_marked_and_undoes_it(keeper_client: Any) -> None:
    entry = RegisterEntryFactory(guns=52, tons_burthen=726)
    data = {"rule_set": "kohler", "hand-hull": "21", "reason": "counted on the model"}

    page = keeper_client.post(_cards_page(entry), data, follow=True).content.decode()
    faulty = keeper_client.post(_cards_page(entry), {**data, "hand-hull": "-4"}).content.decode()
    public = keeper_client.get(
        reverse("register_entry", args=[entry.register.code, entry.pk])
    ).content.decode()
    back = keeper_client.post(_cards_page(entry), {**data, "hand-hull": ""}, follow=True).content.decode()

    assert "set by hand</span> the rules give 22" in page
    assert "Hull is -4" in faulty or "hull is -4" in faulty
    assert "Set by hand in the register" in public
    assert "the rules derive" not in back.replace("as the rules derive", "").replace(
        "what the rules derive", ""
    )
    assert keeper_client.post(_cards_page(entry), {**data, "rule_set": "chess"}).status_code == 404


def test_a_card_that_a_battle_would_refuse_says_why(keeper_client: Any) -> None:
    entry = RegisterEntryFactory(overrides={"kohler": {"hull": "many"}})

    page = keeper_client.get(_cards_page(entry)).content.decode()
    change = keeper_client.get(reverse("admin:fleets_registerentry_change", args=[entry.pk])).content.decode()

    assert "No card can be made: override hull is &#x27;many&#x27;" in page
    assert "No card: override hull is &#x27;many&#x27;" in change


def test_an_originals_cards_are_read_only(keeper_client: Any) -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(original=True))

    page = keeper_client.get(_cards_page(entry))
    sent = keeper_client.post(_cards_page(entry), {"rule_set": "kohler", "hand-hull": "3", "reason": "x"})

    assert page.status_code == 200 and "Save figures" not in page.content.decode()
    assert sent.status_code == 403


def test_the_history_says_who_when_why_and_what_and_a_version_can_be_restored(
    keeper_client: Any, keeper: Any
) -> None:
    entry = RegisterEntryFactory(guns=50, overrides={"kohler": {"hull": 21}}, extra={"soldiers": 9})
    entry.guns, entry.overrides, entry.extra = 60, {}, {}
    entry._change_reason, entry._history_user = "a slip", keeper
    entry.save()
    first = entry.history.last()
    address = reverse("admin:fleets_registerentry_simple_history", args=[entry.pk, first.pk])

    page = keeper_client.get(reverse("admin:fleets_registerentry_history", args=[entry.pk])).content.decode()
    form = keeper_client.get(address).content.decode()
    data = {
        "name": entry.name, "nation": entry.nation_id, "side": entry.side, "role": entry.role, "soldiers": "9",
        "ship_type": entry.ship_type, "guns": "50", "reason": "back again",
    }  # fmt: skip
    done = keeper_client.post(address, data)

    assert "keeper" in page and "a slip" in page
    assert "<del>50</del>" in page and "<ins>60</ins>" in page and "kohler: hull: 21" in page
    assert "style=" not in page
    assert "Restored the version of" in form
    assert done.status_code == 302
    entry.refresh_from_db()
    assert (entry.guns, entry.overrides, entry.extra) == (50, {"kohler": {"hull": 21}}, {"soldiers": 9})
    version = entry.history.first()
    assert (version.history_change_reason, version.history_user) == ("back again", keeper)


def test_restoring_needs_a_reason_too(keeper_client: Any) -> None:
    entry = RegisterEntryFactory(guns=50)
    entry.guns = 60
    entry.save()
    address = reverse(
        "admin:fleets_registerentry_simple_history", args=[entry.pk, entry.history.last().pk]
    )  # fmt: skip

    page = keeper_client.post(address, {"name": entry.name, "guns": "50", "reason": ""})

    entry.refresh_from_db()
    assert (page.status_code, entry.guns) == (200, 60)
