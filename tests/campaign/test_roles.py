"""Roles in the admin: what each may open and change, and that no one sees or edits beyond it.

The keeper of registers sees no campaign; an umpire sees his own campaigns and none in which he sails or that are others'; an
admiral has no admin; a site administrator sees everything and makes nobody more than a role makes him.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import NoReverseMatch, reverse

from campaign.models import Campaign, Membership, PublicPage
from campaign.services.roles import roles_make, umpire_admit
from tests.support.factories import (
    BattleFactory,
    BattleLogFactory,
    BattleOutcomeFactory,
    ImportBatchFactory,
    MembershipFactory,
    MenAshoreFactory,
    NoticeFactory,
    OfficerFactory,
    OfficerRecordFactory,
    PrisonersHeldFactory,
    PrizeFactory,
    PrizeFundFactory,
    ReceivedMailFactory,
    RegisterEntryFactory,
    RegisterFactory,
    RepairJobFactory,
    RosterFactory,
    ServiceRecordFactory,
    SideOrderFactory,
    UserFactory,
    WeatherWatchFactory,
)
from tests.support.people import DUTCH, ENGLISH, World, world
from tests.support.remembered import remembered

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

REGISTERS = {"nation", "register", "registerentry", "importbatch"}
CHANGED_BY_UMPIRES = {"campaign", "turn", "ship"}


@dataclass(slots=True)
class TwoWars:
    """Two campaigns: one has the umpire of this test, in the other he is the English admiral. Its tell-tale is "foreign"."""

    own: World
    other: World
    umpire: Any

    def client(self, user: Any) -> Client:
        """That person's browser."""
        client = Client()
        client.force_login(user)
        return client


def _everything(told: World) -> None:
    """A row of every model that hangs on a campaign."""
    ship = told.english_fleet.squadrons.first().ships.first()
    ServiceRecordFactory(ship=ship)
    PrizeFactory(ship=ship, captor=told.dutch_fleet.navy, taken_from=told.english_fleet.navy)
    OfficerRecordFactory(officer=OfficerFactory(navy=ship.navy, ship=ship))
    RepairJobFactory(ship=ship)
    PrizeFundFactory(navy=ship.navy)
    PrisonersHeldFactory(holder=ship.navy, of=told.dutch_fleet.navy)
    MenAshoreFactory(navy=ship.navy)
    SideOrderFactory(turn=told.turn, side=told.english.side)
    NoticeFactory(campaign=told.campaign, recipient=told.english.user)
    ReceivedMailFactory(turn=told.turn, membership=told.english)
    WeatherWatchFactory(turn=told.closed)
    battle = BattleFactory(book=told.campaign.book, title="Battle with everything")
    for factory in (RosterFactory, BattleOutcomeFactory, BattleLogFactory):
        factory(battle=battle)


@pytest.fixture
def wars() -> TwoWars:
    """Both campaigns, whole."""
    return two_wars()


@remembered
def two_wars() -> TwoWars:
    own = world("ownwar")
    umpire = own.umpire.user
    for user in User.objects.all():
        user.username = f"own-{user.username}"
        user.save()
    other = world("foreignwar")
    Campaign.objects.filter(pk=other.campaign.pk).update(name="A foreign war")
    umpire.refresh_from_db()
    umpire_admit(user=umpire)
    MembershipFactory(
        campaign=other.campaign, side=other.english.side, user=umpire, role=Membership.Role.ADMIRAL
    )
    for told in (own, other):
        _everything(told)
    return TwoWars(own, other, umpire)


def _models() -> list[tuple[str, str, Any]]:
    return [
        (model._meta.app_label, str(model._meta.model_name), found)
        for model, found in admin.site._registry.items()
        if model._meta.app_label in ("fleets", "battles", "campaign", "auth")
    ]


def _addresses(app: str, name: str, pk: Any) -> dict[str, str]:
    """Every address that the admin of a model has for a row."""
    found = {}
    for act, args in (
        ("changelist", []), ("add", []), ("change", [pk]), ("delete", [pk]), ("history", [pk]), ("import", []),
        ("export", []), ("bulk", []), ("duplicates", []), ("cards", [pk]), ("merge", [pk, pk]), ("retake", [pk]),
        ("preview", [pk]), ("undo", [pk]), ("simple_history", [pk, 1]), ("process_import", []),
    ):  # fmt: skip
        try:
            found[act] = reverse(f"admin:{app}_{name}_{act}", args=args)
        except NoReverseMatch:
            continue
    return found


def _open(answer: Any) -> bool:
    """Whether somebody got to see something of the admin beyond its own front page."""
    return answer.status_code == 200 or (
        answer.status_code == 302 and answer.url.startswith("/admin/fleets/")
    )


def test_the_groups_are_there_with_what_they_may_do() -> None:
    groups = {group.name: group for group in Group.objects.all()}

    assert set(groups) == {"Register editors", "Umpires", "Site administrators", "Campaign starters"}
    codes = {
        name: set(group.permissions.values_list("codename", flat=True)) for name, group in groups.items()
    }
    assert {code.split("_")[1] for code in codes["Register editors"]} == REGISTERS
    assert {
        code.split("_")[1] for code in codes["Umpires"] if not code.startswith("view")
    } == CHANGED_BY_UMPIRES
    assert codes["Campaign starters"] == {"add_campaign"}
    assert "add_campaign" not in codes["Umpires"]
    assert "keep_every_book" in codes["Site administrators"]
    assert not any(
        code.endswith("_permission") or code == "delete_user" for code in codes["Site administrators"]
    )
    before = {name: sorted(found) for name, found in codes.items()}
    roles_make()
    assert before == {
        group.name: sorted(group.permissions.values_list("codename", flat=True))
        for group in Group.objects.all()
    }


def test_a_person_who_starts_a_campaign_gets_access_as_its_umpire() -> None:
    user = UserFactory()

    umpire_admit(user=user)
    umpire_admit(user=user)

    user.refresh_from_db()
    assert user.is_staff and not user.is_superuser
    assert [group.name for group in user.groups.all()] == ["Umpires"]


def test_where_starters_are_named_the_admin_is_for_named_umpires(settings: Any) -> None:
    settings.CAMPAIGNS_BY = "named"
    invited, named, perm = UserFactory(), UserFactory(), UserFactory()
    named.groups.add(Group.objects.get(name="Campaign starters"))
    perm.user_permissions.add(Permission.objects.get(codename="add_campaign"))
    for user in (invited, named, perm):
        umpire_admit(user=User.objects.get(pk=user.pk))
        user.refresh_from_db()
    assert not invited.is_staff and not invited.groups.exists()
    assert named.is_staff and perm.is_staff


@pytest.mark.parametrize("person", ["english", "observer", "stranger", "anonymous"])
def test_people_without_a_role_have_no_admin(person: str) -> None:
    told = world()
    client = told.client(person)
    _everything(told)
    for app, name, _ in _models():
        for address in _addresses(app, name, 1).values():
            answer = client.get(address)
            assert answer.status_code == 302 and "/login/" in answer.url, address
    if person != "anonymous":
        assert "/admin/" not in client.get("/").content.decode()


def test_staff_without_a_group_see_nothing() -> None:
    told = world()
    _everything(told)
    client = told.client("umpire")  # staff, and umpire, but not admitted
    for app, name, found in _models():
        first = found.model._default_manager.first()
        for act, address in _addresses(app, name, first.pk if first else 1).items():
            if act not in ("delete", "add", "history"):
                assert not _open(client.get(address)), address


def test_a_register_editor_sees_registers_and_no_campaign(wars: TwoWars) -> None:
    editor = UserFactory(is_staff=True)
    editor.groups.add(Group.objects.get(name="Register editors"))
    ImportBatchFactory(register=RegisterEntryFactory(register=RegisterFactory()).register)
    PublicPage.objects.create(campaign=wars.own.campaign)
    client = wars.client(editor)
    for app, name, found in _models():
        first = found.model._default_manager.first()
        assert first is not None or name in ("site",), name
        for act, address in _addresses(app, name, first.pk).items():
            answer = client.get(address)
            assert _open(answer) == (name in REGISTERS) or act in (
                "merge", "simple_history", "delete", "add", "process_import", "undo", "preview", "bulk",
            ), (address, answer.status_code)  # fmt: skip
            if name not in REGISTERS:
                assert not _open(answer), address
            assert answer.status_code != 500
    index = client.get("/admin/").content.decode()
    assert "/admin/fleets/ship/" not in index and "/admin/campaign/" not in index


def test_an_umpire_sees_every_row_of_their_campaign_and_none_of_another(wars: TwoWars) -> None:
    """In lists, filters, choices and pages the other campaign's names and its ships' occur nowhere."""
    client = wars.client(wars.umpire)
    other = wars.other
    for squadron in (*other.english_fleet.squadrons.all(), *other.dutch_fleet.squadrons.all()):
        squadron.name = f"qqforeign {squadron.pk}"
        squadron.save()
        squadron.ships.update(name="qqforeign ship", captain="qqforeign captain")
    type(other.english_fleet).objects.filter(navy__book=other.campaign.book).update(name="qqforeign fleet")
    books = {"own": wars.own.campaign.book_id, "other": wars.other.campaign.book_id}
    seen = 0
    for app, name, found in _models():
        path = getattr(found, "book_path", None)
        viewed = found.has_view_permission(_request(wars.umpire))
        assert viewed or path is None, name
        if not viewed:
            continue
        first = found.get_queryset(_request(wars.umpire)).first()
        answers = [client.get(reverse(f"admin:{app}_{name}_changelist"))]
        if first is not None:
            for act in ("change", "history"):
                answers.append(client.get(reverse(f"admin:{app}_{name}_{act}", args=[first.pk])))
                assert answers[-1].status_code == 200, (name, act)
        for answer in answers:
            text = answer.content.decode().lower().replace("foreign key", "")
            assert "foreign" not in text, answer.request["PATH_INFO"]
        if path is None:
            continue
        rows = found.model._base_manager
        own = rows.filter(**{path: books["own"]})
        foreign = rows.filter(**{path: books["other"]}).first()
        assert first is not None and foreign is not None, f"no row of {name} to look at"
        assert own.filter(pk=first.pk).exists(), name
        assert answers[0].context["cl"].result_count == own.count(), name
        for act, address in _addresses(app, name, foreign.pk).items():
            if act in ("changelist", "add", "export", "import"):
                continue
            data = {"post": "yes", "reason": "x", "name": "Mine"}
            writes = act in ("change", "delete", "retake")
            assert not _open(client.post(address, data) if writes else client.get(address)), address
        seen += 1
    assert seen >= 22


def _request(user: Any) -> Any:
    from django.test import RequestFactory

    request = RequestFactory().get("/admin/")
    request.user = user
    return request


def test_a_hand_written_search_or_filter_does_not_reach_another_campaign(wars: TwoWars) -> None:
    client = wars.client(wars.umpire)
    book = wars.other.campaign.book_id
    navy = wars.other.dutch_fleet.navy_id
    for query in (
        f"?book__id__exact={book}",
        f"?navy__id__exact={navy}",
        f"?q={DUTCH}&book__id__exact={book}",
    ):
        page = client.get(f"/admin/fleets/ship/{query}")
        books = {ship.book_id for ship in page.context["cl"].result_list}
        assert page.status_code == 200 and books <= {wars.own.campaign.book_id}


def test_navies_of_one_name_are_told_apart_by_their_campaign_in_a_filter(wars: TwoWars) -> None:
    page = wars.client(wars.umpire).get("/admin/fleets/officer/").content.decode()
    navy = wars.own.english_fleet.navy
    assert f"{navy.name} ({navy.book})" in page


def test_no_version_of_another_campaigns_ship_is_shown_or_restored(wars: TwoWars) -> None:
    client = wars.client(wars.umpire)
    ship = wars.other.english_fleet.squadrons.first().ships.first()
    for told, status in ((wars.own, 200), (wars.other, 403)):
        ship = told.english_fleet.squadrons.first().ships.first()
        address = f"/admin/fleets/ship/{ship.pk}/history/{ship.history.first().pk}/"
        assert client.get(address).status_code == status
    before = ship.men
    client.post(address, {"name": "Mine", "men": 1, "complement": 1, "condition": "{}", "reason": "x"})
    ship.refresh_from_db()
    assert ship.men == before


def test_an_umpire_changes_only_what_their_role_allows(wars: TwoWars) -> None:
    client = wars.client(wars.umpire)
    book = wars.own.campaign.book_id
    for app, name, found in _models():
        path = getattr(found, "book_path", None)
        if path is None or name in CHANGED_BY_UMPIRES:
            continue
        row = found.model._base_manager.filter(**{path: book}).first()
        for act in ("change", "delete"):
            answer = client.post(
                reverse(f"admin:{app}_{name}_{act}", args=[row.pk]), {"post": "yes", "name": "x"}
            )
            assert answer.status_code == 403, (name, act)
        assert client.get(reverse(f"admin:{app}_{name}_add")).status_code == 403, name
    for act in ("import", "bulk", "duplicates", "template"):
        name = f"admin:fleets_registerentry_{act}"
        address = reverse(name, args=["csv"]) if act == "template" else reverse(name)
        assert client.get(address).status_code == 403, act


def test_an_umpire_cannot_resend_emails_from_the_admin(wars: TwoWars) -> None:
    client = wars.client(wars.umpire)
    notice = wars.own.campaign.notices.first()

    page = client.post(
        "/admin/campaign/notice/", {"action": "send_again", "_selected_action": [notice.pk]}, follow=True
    )

    assert "queued again" not in page.content.decode()


def test_a_former_umpire_sees_nothing(wars: TwoWars) -> None:
    Membership.objects.filter(user=wars.umpire, role="umpire").delete()

    page = wars.client(wars.umpire).get("/admin/fleets/ship/")

    assert page.context["cl"].result_count == 0


@pytest.fixture
def administrator() -> Any:
    """A site administrator who is no superuser."""
    user = UserFactory(username="administrator", is_staff=True)
    user.groups.add(Group.objects.get(name="Site administrators"))
    return user


def test_a_site_administrator_sees_every_campaign(wars: TwoWars, administrator: Any) -> None:
    client = wars.client(administrator)
    for app, name, found in _models():
        if app == "auth" or not hasattr(found, "book_path"):
            continue
        page = client.get(reverse(f"admin:{app}_{name}_changelist"))
        assert page.context["cl"].result_count == found.model._base_manager.count(), name


def test_a_site_administrator_assigns_roles_and_nothing_more(administrator: Any) -> None:
    client = Client()
    client.force_login(administrator)
    person, chief = UserFactory(), UserFactory(is_staff=True, is_superuser=True)
    umpires = Group.objects.get(name="Umpires")
    data = {
        "username": person.username, "is_active": "on", "is_staff": "on", "is_superuser": "on", "groups": [umpires.pk],
        "user_permissions": [1, 2, 3], "date_joined_0": "2026-01-01", "date_joined_1": "12:00",
    }  # fmt: skip

    answer = client.post(reverse("admin:auth_user_change", args=[person.pk]), data)
    own = client.post(
        reverse("admin:auth_user_change", args=[administrator.pk]), {**data, "username": "administrator"}
    )

    person.refresh_from_db()
    administrator.refresh_from_db()
    assert (answer.status_code, own.status_code) == (302, 302)
    assert person.is_staff and list(person.groups.all()) == [umpires]
    for user in (person, administrator):
        assert not user.is_superuser and not user.user_permissions.exists()
    for address in (
        reverse("admin:auth_user_change", args=[chief.pk]),
        reverse("admin:auth_user_password_change", args=[chief.pk]),
        reverse("admin:auth_user_delete", args=[chief.pk]),
    ):
        assert (
            client.post(
                address, {**data, "password1": "a new one 77", "password2": "a new one 77"}
            ).status_code
            == 403
        )
    assert (
        client.post(reverse("admin:auth_group_change", args=[umpires.pk]), {"name": "x"}).status_code == 403
    )


def test_the_umpire_sees_codes_of_both_sides(wars: TwoWars) -> None:
    page = wars.client(wars.umpire).get("/admin/fleets/ship/").content.decode()

    assert ENGLISH in page and DUTCH in page
