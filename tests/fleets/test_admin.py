"""Django's admin over the fleets: every page opens under the strict content policy, and what must not change cannot be."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from fleets.models import RegisterEntry, ServiceRecord, Ship
from tests.support.factories import (
    FleetFactory,
    ImportBatchFactory,
    MenAshoreFactory,
    OfficerFactory,
    OfficerRecordFactory,
    PrisonersHeldFactory,
    PrizeFactory,
    PrizeFundFactory,
    RegisterEntryFactory,
    RegisterFactory,
    RepairJobFactory,
    ServiceRecordFactory,
    squadron_of,
)

pytestmark = pytest.mark.django_db

MODELS = [
    "nation", "register", "registerentry", "importbatch", "book", "navy", "fleet", "squadron", "ship", "officer", "servicerecord", "prize",
    "repairjob", "prizefund", "prisonersheld", "menashore", "officerrecord",
]  # fmt: skip


@pytest.fixture
def fleet() -> Any:
    """A fleet with everything that the admin shows."""
    fleet = FleetFactory()
    squadron = squadron_of(2, squadron={"fleet": fleet})
    OfficerFactory(navy=fleet.navy, ship=squadron.flagship)
    ServiceRecordFactory(ship=squadron.flagship)
    PrizeFactory(ship=squadron.flagship, captor=fleet.navy, taken_from=fleet.navy)
    _ashore(squadron)
    entry = RegisterEntryFactory(name="Tiger")
    ImportBatchFactory(register=entry.register)
    return fleet


def _ashore(squadron: Any) -> None:
    """A row of everything that a navy has ashore."""
    navy = squadron.fleet.navy
    RepairJobFactory(ship=squadron.flagship)
    PrizeFundFactory(navy=navy)
    PrisonersHeldFactory(holder=navy, of=navy)
    MenAshoreFactory(navy=navy)
    OfficerRecordFactory(officer__navy=navy)


def _rows(model: str, many: int) -> None:
    """More of what a list shows."""
    for _ in range(many):
        squadron = squadron_of(1)
        OfficerFactory(navy=squadron.fleet.navy, ship=squadron.flagship)
        ServiceRecordFactory(ship=squadron.flagship)
        PrizeFactory(
            ship=squadron.flagship, captor=squadron.fleet.navy, taken_from=squadron.fleet.navy,
            taken_by=squadron.flagship,
        )  # fmt: skip
        _ashore(squadron)
        ImportBatchFactory(register=RegisterEntryFactory().register)


def test_every_model_of_the_room_is_in_the_admin() -> None:
    registered = {
        model._meta.model_name for model in admin.site._registry if model._meta.app_label == "fleets"
    }

    assert registered == set(MODELS)


@pytest.mark.parametrize("model", MODELS)
def test_lists_and_pages_open_and_search(admin_client: Any, fleet: Any, model: str) -> None:
    rows = next(a for m, a in admin.site._registry.items() if m._meta.label_lower == f"fleets.{model}")
    first = rows.model._default_manager.first()

    for address in (
        reverse(f"admin:fleets_{model}_changelist"),
        reverse(f"admin:fleets_{model}_changelist") + "?q=tiger",
        reverse(f"admin:fleets_{model}_change", args=[first.pk]),
    ):
        response = admin_client.get(address)
        assert response.status_code == 200, address
        _is_allowed_by_the_policy(response)


def test_ships_without_a_rate_are_filtered_by_a_link_with_words(admin_client: Any) -> None:
    RegisterEntryFactory(rate="")
    RegisterEntryFactory(rate="2nd")
    shown = admin_client.get(reverse("admin:fleets_registerentry_changelist")).content.decode()
    assert re.search(r'<a href="\?rate=">\s*not known</a>', shown)
    assert re.search(r'<a href="\?rate=2nd">\s*2nd</a>', shown)


def test_books_are_opened_by_campaigns_and_not_by_hand(admin_client: Any) -> None:
    assert admin_client.get(reverse("admin:fleets_book_add")).status_code == 403


@pytest.mark.parametrize(
    "name", ["fleets_registerentry_import", "fleets_registerentry_export", "fleets_registerentry_add"]
)
def test_import_export_and_add_open(admin_client: Any, fleet: Any, name: str) -> None:
    response = admin_client.get(reverse(f"admin:{name}"))

    assert response.status_code == 200
    _is_allowed_by_the_policy(response)


@pytest.mark.parametrize("model", ["registerentry", "ship"])
def test_the_history_opens(admin_client: Any, fleet: Any, model: str) -> None:
    pk = {"registerentry": RegisterEntry, "ship": Ship}[model].objects.first().pk

    response = admin_client.get(reverse(f"admin:fleets_{model}_history", args=[pk]))

    assert response.status_code == 200
    _is_allowed_by_the_policy(response)


def _is_allowed_by_the_policy(response: Any) -> None:
    """No script in the page itself, and a policy that says 'self'."""
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script([^>]*)>", response.content.decode())
    assert all("src=" in attributes or "application/json" in attributes for attributes in scripts)
    assert not re.search(r"\son(click|change|load|submit)=", response.content.decode())


@pytest.mark.one_database
@pytest.mark.parametrize("model", MODELS)
def test_a_list_takes_the_same_queries_for_many_rows(
    admin_client: Any, fleet: Any, model: str, django_assert_max_num_queries: Any
) -> None:
    address = reverse(f"admin:fleets_{model}_changelist")
    admin_client.get(address)
    with CaptureQueriesContext(connection) as few:
        admin_client.get(address)
    _rows(model, 5)

    with django_assert_max_num_queries(
        len(few) + 1
    ):  # a filter that is shown from two choices on may cost one
        admin_client.get(address)


def test_an_entrys_page_shows_her_card_with_its_clauses(admin_client: Any) -> None:
    entry = RegisterEntryFactory(guns=52, tons_burthen=726)

    page = admin_client.get(reverse("admin:fleets_registerentry_change", args=[entry.pk])).content.decode()

    assert '<th scope="row">Hull</th><td>22</td>' in page
    assert "K.A1.1" in page


def test_a_bad_cell_is_refused_on_the_page_with_the_words_of_the_file_import(admin_client: Any) -> None:
    entry = RegisterEntryFactory()
    data = _posted(entry, guns="1,200")

    page = admin_client.post(reverse("admin:fleets_registerentry_change", args=[entry.pk]), data)

    assert page.status_code == 200
    assert "has a thousands separator. Write 1200" in page.content.decode()


def test_a_good_change_is_saved_with_who_made_it(admin_client: Any, admin_user: Any) -> None:
    entry = RegisterEntryFactory()

    answer = admin_client.post(
        reverse("admin:fleets_registerentry_change", args=[entry.pk]), _posted(entry, guns="61")
    )

    entry.refresh_from_db()
    assert (answer.status_code, entry.guns) == (302, 61)
    version = entry.history.first()
    assert (version.history_user, version.history_change_reason) == (admin_user, "the dockyard list")


def test_a_change_without_a_reason_is_not_saved(admin_client: Any) -> None:
    entry = RegisterEntryFactory()

    page = admin_client.post(
        reverse("admin:fleets_registerentry_change", args=[entry.pk]), _posted(entry, guns="61", reason="")
    )

    entry.refresh_from_db()
    assert (page.status_code, entry.guns) == (200, 50)
    assert "This value is empty. Enter what you found, and where." in page.content.decode()


def test_columns_of_single_registers_are_edited_one_by_one_and_the_others_kept(admin_client: Any) -> None:
    entry = RegisterEntryFactory(
        extra={"soldiers": 30, "rowers": 12, "tags": ["old"]}, overrides={"kohler": {"hull": 20}}
    )

    admin_client.post(
        reverse("admin:fleets_registerentry_change", args=[entry.pk]),
        _posted(entry, guns="50", soldiers="", rowers="14", tags="old; frigate-built"),
    )

    entry.refresh_from_db()
    assert entry.extra == {"rowers": 14, "tags": ["old", "frigate-built"]}
    assert entry.overrides == {"kohler": {"hull": 20}}


def _posted(entry: RegisterEntry, **changes: str) -> dict[str, Any]:
    return {
        "register": entry.register_id, "name": entry.name, "nation": entry.nation_id, "side": entry.side,
        "role": entry.role, "ship_type": entry.ship_type, "reason": "the dockyard list", **changes,
    }  # fmt: skip


@pytest.mark.parametrize("what", ["change", "delete"])
def test_an_original_is_read_only(admin_client: Any, what: str) -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(original=True))
    data = _posted(entry, guns="61") if what == "change" else {"post": "yes"}

    for model, pk in (("registerentry", entry.pk), ("register", entry.register_id)):
        answer = admin_client.post(reverse(f"admin:fleets_{model}_{what}", args=[pk]), data)
        assert answer.status_code == 403

    assert RegisterEntry.objects.get().guns == 50


def test_a_whole_selection_with_an_original_in_it_is_not_deleted(admin_client: Any) -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(original=True))
    data = {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"}

    admin_client.post(reverse("admin:fleets_registerentry_changelist"), data)

    assert RegisterEntry.objects.filter(pk=entry.pk).exists()


def test_a_clubs_register_is_deleted_with_its_imports(keeper_client: Any) -> None:
    entry = RegisterEntryFactory()
    ImportBatchFactory(register=entry.register)

    answer = keeper_client.post(
        reverse("admin:fleets_register_delete", args=[entry.register_id]), {"post": "yes"}
    )

    assert answer.status_code == 302
    assert not RegisterEntry.objects.exists()
    assert RegisterEntry.history.filter(id=entry.pk).first().history_type == "-"


def test_a_register_is_copied_by_an_action(admin_client: Any) -> None:
    entry = RegisterEntryFactory(register=RegisterFactory(code="r1666", original=True))
    data = {"action": "copy", "_selected_action": [entry.register_id]}

    for _ in range(2):
        answer = admin_client.post(reverse("admin:fleets_register_changelist"), data, follow=True)

    copies = RegisterEntry.objects.filter(register__code="r1666_own", register__original=False)
    assert copies.count() == 1
    assert "already exists" in answer.content.decode()


@pytest.mark.clause("G.SV1")
@pytest.mark.parametrize("what", ["change", "delete"])
def test_a_service_record_cannot_be_changed(admin_client: Any, what: str) -> None:
    record = ServiceRecordFactory()

    answer = admin_client.post(
        reverse(f"admin:fleets_servicerecord_{what}", args=[record.pk]), {"post": "yes"}
    )

    assert answer.status_code == 403
    assert ServiceRecord.objects.get().kind == "mustered"
