"""The admin answers only what its filters declare, and nothing of a secret: every admin, every field, every look-up."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup, DisallowedModelAdminToField
from django.contrib.admin.views.main import ERROR_FLAG
from django.db.models import F, Model
from django.test import RequestFactory
from django.urls import reverse

from battles.models import Battle
from campaign.models import Campaign, Notice, Turn
from campaign.services.roles import roles_make, umpire_admit
from deploy.sealed import SECRETS, SHOWN_IN_PART, Sealed, SealedSite, label_of, secret_on
from fleets.models import Book, RegisterEntry
from tests.support.factories import BattleFactory, NoticeFactory, UserFactory
from tests.support.people import World, world

pytestmark = [pytest.mark.clause("G.FA1", "G.IN1"), pytest.mark.one_database]

GUESSES = ("", "__exact", "__iexact", "__startswith", "__contains", "__regex", "__gt", "__lte", "__in", "__isnull", "__length")  # fmt: skip
SPEAKS = re.compile(r"secret|seed|token|key|passw|webhook|hash|session|address|data$|cookie|otp|salt")
# Names that speak of a secret and mean none. A field that is missing here and in SECRETS fails the test below.
NO_SECRET = {
    "axes.AccessAttempt.ip_address": "for site administrators, who look for guessers",
    "axes.AccessFailureLog.ip_address": "the same",
    "axes.AccessLog.ip_address": "the same",
    "battles.Battle.seed_hash": "published before the first die",
    "battles.Battle.rules_hash": "published",
    "battles.BattleOutcome.state_hash": "of a document too large to be guessed",
    "campaign.Campaign.demo_seed": "known, and the pages say so",
    "campaign.Campaign.theatre_hash": "of a document that everyone may read",
    "campaign.Invitation.address": "the umpire typed it",
    "campaign.Preferences.address_asked": "a time",
    "campaign.Turn.chart_hash": "published as the turn opens",
    "campaign.Turn.records_hash": "of the ledger",
    "campaign.Turn.rules_hash": "published",
    "campaign.Turn.state_hash": "published as the turn closes",
    "fleets.Book.rules_hash": "published",
    "fleets.OfficerRecord.data": "the ledger, which the umpire reads",
    "fleets.ServiceRecord.data": "the ledger, which the umpire reads",
}
ADMINS = list(admin.site._registry.items())
WEBHOOK = "https://hooks.example/api/1/f00dfacef00dface"
PLANTED = {
    "campaign.Turn.chart_secret": "5e" * 32,
    "campaign.Turn.battle_secret": "7f" * 32,
    "battles.Battle.seed": "d5" * 32,
    "campaign.Campaign.webhook": WEBHOOK + "/campaign",
    "campaign.Notice.address": WEBHOOK + "/player",
}


def names(value: Any) -> str:
    return str(value[0]._meta.label) if isinstance(value, tuple) else str(value)


def related(model: type[Model]) -> Iterator[tuple[str, type[Model]]]:
    """The relations of a model, forward and backward, by the name that a look-up has for them."""
    for field in model._meta.get_fields():
        there = field.related_model
        if isinstance(there, type) and issubclass(there, Model):
            yield field.name, there


def ways_to_secrets(model: type[Model], hops: int = 3) -> Iterator[tuple[str, str]]:
    """(Label of a secret, path to it) by every way of so few relations, and by one way however long."""
    reached: set[type[Model]] = set()
    further = deque([("", model, 0)])
    while further:
        path, here, depth = further.popleft()
        if here in reached and depth > hops:
            continue
        yield from (
            (label_of(f), path + f.name) for f in here._meta.concrete_fields if label_of(f) in SECRETS
        )
        if here not in reached or depth < hops:
            further += [(f"{path}{name}__", there, depth + 1) for name, there in related(here)]
        reached.add(here)


@pytest.fixture
def told(db: Any) -> World:
    """A campaign with a secret of every kind that it has."""
    made = world()
    roles_make()
    umpire_admit(user=made.umpire.user)
    Turn.objects.filter(pk=made.turn.pk).update(
        chart_secret=PLANTED["campaign.Turn.chart_secret"],
        battle_secret=PLANTED["campaign.Turn.battle_secret"],
    )
    BattleFactory(book=made.campaign.book, seed=PLANTED["battles.Battle.seed"])
    Campaign.objects.filter(pk=made.campaign.pk).update(webhook=PLANTED["campaign.Campaign.webhook"])
    NoticeFactory(
        campaign=made.campaign, recipient=made.english.user, channel="webhook", address=PLANTED["campaign.Notice.address"]
    )  # fmt: skip
    return made


@pytest.fixture
def asked(db: Any) -> Any:
    """A request of somebody who may do everything."""
    request = RequestFactory().get("/")
    request.user = UserFactory(is_staff=True, is_superuser=True)
    return request


def test_every_administration_page_of_the_site_keeps_secrets_sealed() -> None:
    assert isinstance(admin.site, SealedSite) and ADMINS
    assert all(isinstance(made, Sealed) for _, made in ADMINS)


def test_everything_that_holds_a_secret_has_been_checked() -> None:
    fields = {label_of(field) for model in apps.get_models() for field in model._meta.concrete_fields}
    speaking = {label for label in fields if SPEAKS.search(label.rpartition(".")[2])}

    assert speaking - set(SECRETS) - set(NO_SECRET) == set(), "judge it: in SECRETS, or here with the reason"
    assert set(SECRETS) <= fields and set(NO_SECRET) <= fields
    assert not set(SECRETS) & set(NO_SECRET)


@pytest.mark.parametrize("row", ADMINS, ids=names)
def test_no_search_finds_a_secret_in_any_way(row: Any, asked: Any) -> None:
    model, made = row
    ways = list(ways_to_secrets(model))
    assert len({label for label, _ in ways}) > 5 or model._meta.app_label in ("axes", "auth", "fleets")
    for label, path in ways:
        assert secret_on(model, path) == label, path
        for guess in GUESSES:
            assert not made.lookup_allowed(path + guess, "ab", asked), path + guess
        assert not any(path == tail or path.endswith(f"__{tail}") for tail in made.get_search_fields(asked))
        if "__" not in path:
            assert not made.to_field_allowed(asked, path)


@pytest.mark.parametrize("row", ADMINS, ids=names)
def test_a_list_is_narrowed_only_by_the_filters_that_it_offers(row: Any, asked: Any) -> None:
    model, made = row
    found = made.get_list_filter(asked)
    own = {one.parameter_name for one in found if isinstance(one, type)}
    declared = {one if isinstance(one, str) else one[0] for one in found if not isinstance(one, type)}
    days = {f"{made.date_hierarchy}__{part}" for part in ("year", "month", "day", "gte", "lt")}
    for field in model._meta.concrete_fields:
        for look_up in ["", *(f"__{name}" for name in field.get_lookups())]:
            path = field.name + look_up
            plain = look_up in ("", "__exact", "__in", "__isnull", "__gte", "__lt")
            may = path in own | days or (field.name in declared and plain)
            assert may or not made.lookup_allowed(path, "ab", asked), path
    for relation, there in related(model):
        for field in there._meta.concrete_fields:
            path = f"{relation}__{field.name}"
            for guess in ("__startswith", "__gt", "__contains", "__regex"):
                assert not made.lookup_allowed(path + guess, "ab", asked), path + guess


@pytest.mark.parametrize("row", ADMINS, ids=names)
def test_the_declared_filters_work(row: Any, asked: Any) -> None:
    _, made = row
    specs = made.get_changelist_instance(asked).filter_specs
    asked_for = [name for spec in specs for name in spec.expected_parameters()]
    assert bool(asked_for) >= bool(specs)
    for name in asked_for:
        assert made.lookup_allowed(str(name), "1", asked), name


@pytest.mark.parametrize("row", ADMINS, ids=names)
def test_no_column_form_export_or_history_has_a_secret(row: Any, asked: Any) -> None:
    model, made = row
    hidden = {
        label.rpartition(".")[2]
        for label in SECRETS
        if label.startswith(f"{model._meta.label}.") and label not in SHOWN_IN_PART
    }
    assert not hidden & {str(name) for name in made.get_list_display(asked)}
    assert not hidden & set(made.get_form(asked, None, change=True).base_fields)
    assert not hidden & set(made.get_readonly_fields(asked))
    for inline in made.get_inline_instances(asked):
        assert isinstance(inline, Sealed)
        own = {
            label.rpartition(".")[2] for label in SECRETS if label.startswith(f"{inline.model._meta.label}.")
        }
        assert not own & set(inline.get_formset(asked).form.base_fields)
    for name in made.get_list_display(asked):
        source = name if callable(name) else getattr(made, name, getattr(model, name, None))
        order = getattr(source, "admin_order_field", name)
        assert not isinstance(order, str) or secret_on(model, order) is None, name
    for resource in getattr(made, "get_export_resource_classes", lambda _: [])(asked):
        for field in resource.fields.values():
            assert secret_on(model, field.attribute or "") is None, field.attribute
    history = getattr(model, "history", None)
    if history is not None:
        assert not [label for label in SECRETS if label.startswith(f"{model._meta.label}.")], (
            "its history shows all"
        )


class Careless(admin.ModelAdmin):
    """All that an admin can do wrong with secrets."""

    list_display = ("number", "chart_secret", "told", "reckoned")
    list_filter = ("phase", "chart_secret", ("campaign__webhook", admin.AllValuesFieldListFilter))
    search_fields = ("^battle_secret", "campaign__name", "campaign__webhook__icontains")
    ordering = ("-battle_secret", "number", F("chart_secret").desc())
    fields = (("number", "chart_secret"), "battle_secret", "phase")
    readonly_fields = ("battle_secret",)

    @admin.display(ordering="-chart_secret")
    def told(self, turn: Turn) -> str:
        """Sorts by a secret."""
        return ""

    @admin.display(ordering=F("campaign__webhook").asc())
    def reckoned(self, turn: Turn) -> str:
        """Sorts by a secret of a related row."""
        return ""


class CarelessBattles(admin.TabularInline):
    """The same, as rows on the page of another."""

    model = Battle
    fields = ("code", "seed")


class CarelessBooks(admin.ModelAdmin):
    """A page with such rows."""

    inlines = (CarelessBattles,)


def test_wrong_settings_of_an_administration_page_are_ignored(asked: Any) -> None:
    site = SealedSite()
    site.register(Turn, Careless)
    site.register(Book, CarelessBooks)
    made, books = site._registry[Turn], site._registry[Book]

    assert list(made.get_list_display(asked)) == ["number"]
    assert [path for path, _ in made.get_list_filter(asked)] == ["phase"]
    assert list(made.get_search_fields(asked)) == ["campaign__name"]
    assert list(made.get_ordering(asked)) == ["number"]
    assert list(made.get_readonly_fields(asked)) == []
    assert made.get_fieldsets(asked) == [(None, {"fields": [("number",), "phase"]})]
    assert set(made.get_form(asked, None, change=True).base_fields) == {"number", "phase"}
    assert not made.lookup_allowed("chart_secret", "ab", asked)
    (rows,) = books.get_inline_instances(asked)
    assert set(rows.get_formset(asked).form.base_fields) == {"code", "DELETE"} - {"DELETE"}


def test_an_administration_page_without_settings_shows_no_secret(asked: Any) -> None:
    site = SealedSite()
    site.register(Turn)
    shown = set(site._registry[Turn].get_form(asked, None, change=True).base_fields)

    assert "phase" in shown and not shown & {"chart_secret", "battle_secret"}


@pytest.mark.parametrize("who", ["umpire", "keeper"])
def test_a_correct_guess_at_a_secret_is_answered_like_a_wrong_one(told: World, who: str) -> None:
    keeper = UserFactory(is_staff=True, is_superuser=True)
    user = told.umpire.user if who == "umpire" else keeper
    seen = searched = 0
    for model, made in ADMINS:

        def listed(made: Any = made, **query: str) -> Any:
            request = RequestFactory().get("/", query)
            request.user = user
            return made.get_changelist_instance(request) if made.has_view_permission(request) else None

        if listed() is None:
            continue
        seen += 1
        for label, path in ways_to_secrets(model, hops=1):
            for guess in (PLANTED.get(label, "ab"), "--"):
                with pytest.raises(DisallowedModelAdminLookup):
                    listed(**{f"{path}__startswith": guess})
        for label in SECRETS:
            with pytest.raises(DisallowedModelAdminToField):
                listed(_to_field=label.rpartition(".")[2])
        if made.search_fields:
            searched += 1
            assert {listed(q=one[4:44]).result_count for one in PLANTED.values()} == {0}, model
    assert (seen, searched) > ((20, 15) if who == "umpire" else (40, 35))


@pytest.mark.parametrize("model", [Turn, Battle, Campaign, Notice], ids=lambda model: model.__name__)
def test_a_refused_guess_is_a_bad_request_and_no_page_names_a_secret(told: World, model: type[Model]) -> None:
    client, name = told.client("umpire"), f"{model._meta.app_label}_{model._meta.model_name}"
    listed = reverse(f"admin:{name}_changelist")
    for label, planted in PLANTED.items():
        if label.startswith(f"{model._meta.label}."):
            asked_for = {f"{label.rpartition('.')[2]}__startswith": planted[:20]}
            assert client.get(listed, asked_for).status_code == 400
    own = {
        label.rpartition(".")[2]: one
        for label, one in PLANTED.items()
        if label.startswith(f"{model._meta.label}.")
    }
    row = model._default_manager.get(**own)
    for page in (f"{listed}?{ERROR_FLAG}=1&o=9.-1.1", reverse(f"admin:{name}_change", args=[row.pk])):
        answer = client.get(page, follow=True)
        assert answer.status_code == 200
        text = answer.content.decode()
        assert not [one for label, one in PLANTED.items() if one in text and label not in SHOWN_IN_PART]


def test_an_email_is_found_by_its_recipient_and_not_by_its_address(told: World) -> None:
    listed = reverse("admin:campaign_notice_changelist")
    found = {
        word: told.client("umpire").get(listed, {"q": word}).context_data["cl"].result_count  # type: ignore[attr-defined]
        for word in (told.english.user.username, WEBHOOK)
    }
    assert found == {told.english.user.username: 1, WEBHOOK: 0}


@pytest.mark.parametrize(
    ("asking", "field"), [("contact", "battle"), ("order", "turn"), ("command", "membership")]
)
def test_no_search_box_finds_a_secret(told: World, asking: str, field: str) -> None:
    client = told.client("umpire")
    named = {"battle": "Battle", "turn": "Tell-tale", "membership": "Tell-tale"}[field]
    found = {}
    for typed in (named, *(one[4:44] for one in PLANTED.values())):
        asked_for = {"app_label": "campaign", "model_name": asking, "field_name": field, "term": typed}
        found[typed] = len(client.get(reverse("admin:autocomplete"), asked_for).json()["results"])
    assert found.pop(named) > 0
    assert set(found.values()) == {0}


def test_no_one_can_find_a_secret_by_filtering_an_export(told: World) -> None:
    client = told.client("umpire")
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    export = reverse("admin:fleets_registerentry_export")
    path = next(
        path for label, path in ways_to_secrets(RegisterEntry) if label == "campaign.Turn.chart_secret"
    )
    assert client.get(export, {"guns": "20-29"}).status_code == 200
    assert client.get(export, {f"{path}__startswith": "5e"}).status_code == 400
