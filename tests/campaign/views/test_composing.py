"""Composing fleets of a register on its pages: who may, what each button keeps, and a campaign that begins with them."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaign.models import Campaign
from fleets.models import Composition, Squadron
from tests.campaign.services.conftest import small_register
from tests.support.factories import UserFactory
from tests.support.people import World

pytestmark = pytest.mark.one_database


@pytest.fixture
def club(db: Any) -> Any:
    """A club's own register: its code, and the address on which one side of it is composed."""
    return small_register()


@pytest.fixture
def umpire(client: Any, club: Any) -> Any:
    client.force_login(UserFactory(username="starter"))
    return client


def _address(club: Any, side: str = "English", **more: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in {"side": side, **more}.items())
    return f"/registers/{club.code}/fleets/narrow_seas_1666/?{query}"


def _ships(club: Any) -> list[str]:
    return list(club.entries.filter(side="English").order_by("line").values_list("name", flat=True))


@pytest.mark.parametrize("page", ["compositions", "compose"])
@pytest.mark.parametrize(
    ("person", "by", "status"),
    [
        ("anonymous", "everyone", 302),
        ("member", "everyone", 200),
        ("member", "named", 404),
        ("editor", "named", 200),
    ],
)
def test_editors_and_those_who_start_campaigns_compose(
    client: Any, club: Any, settings: Any, page: str, person: str, by: str, status: int
) -> None:
    from django.contrib.auth.models import Group

    from campaign.services.roles import REGISTER_EDITORS, roles_make

    settings.CAMPAIGNS_BY = by
    user = UserFactory(username=person)
    if person == "editor":
        roles_make()
        user.groups.add(Group.objects.get(name=REGISTER_EDITORS))
    if person != "anonymous":
        client.force_login(user)
    address = _address(club) if page == "compose" else reverse("compositions", args=[club.code])
    assert client.get(address).status_code == status


@pytest.mark.parametrize(
    "address", ["/registers/none/fleets/", "/registers/none/fleets/narrow_seas_1666/?side=English"]
)
def test_a_register_that_is_not_there_is_not_found(umpire: Any, address: str) -> None:
    assert umpire.get(address).status_code == 404


def test_every_button_keeps_what_was_typed_and_a_second_person_is_told(umpire: Any, club: Any) -> None:
    ships = _ships(club)
    shown = umpire.get(_address(club)).content.decode()
    assert "Nothing is missing. When a campaign starts," in shown and "hx-post" in shown
    assert not Composition.objects.exists(), "looking keeps nothing"

    sent = {"state_no": "0", "fleet-0-name": "Channel", "act": "move", "ship": ships[0], "to": "+"}
    assert umpire.post(_address(club), sent).status_code == 302
    kept = Composition.objects.get()
    assert [fleet["name"] for fleet in kept.document["fleets"]] == ["Channel", "Fleet 1"]
    assert (kept.by, kept.state_no) == ("starter", 1)

    stale = umpire.post(_address(club), {**sent, "fleet-0-name": "Other"})
    assert stale.status_code == 422 and "Someone else has changed" in stale.content.decode()
    shown = umpire.get(_address(club)).content.decode()
    assert "Fleet 1 lies nowhere. Choose a place for it." in shown

    umpire.post(_address(club), {"state_no": "1", "fleet-1-place": "nore", "act": "save"})
    assert "Nothing is missing. When a campaign starts," in umpire.get(_address(club)).content.decode()
    umpire.post(_address(club), {"state_no": "2", "fleet-1-place": "atlantis", "act": "save"})
    assert "atlantis, which is not on the chart" in umpire.get(_address(club)).content.decode()
    back = umpire.post(_address(club, back="start"), {"state_no": "3", "act": "done"})
    assert back.url == "/campaigns/start?theatre=narrow_seas_1666&opening=&resume=1"
    umpire.post(_address(club), {"act": "forget"})
    assert not Composition.objects.exists()


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"act": "move", "to": "+"}, "Tick the ships to move first."),
        ({"act": "delete:9"}, "That fleet is not here."),
        ({"act": "raise:0.9"}, "That squadron is not here."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_kept(
    umpire: Any, club: Any, sent: dict[str, str], words: str
) -> None:
    refused = umpire.post(_address(club), {"state_no": "0", **sent})
    assert refused.status_code == 422 and words in refused.content.decode()
    assert not Composition.objects.exists()


def _start(club: Any, **more: str) -> dict[str, str]:
    return {
        "theatre": "narrow_seas_1666", "opening": "narrow_seas_1666", "name": "Own ships", "code": "own", "rule_set": "kohler",
        "turn_days": "3", "side0-takes_part": "on", "side0-ships": f"{club.pk}|English", "side0-automatic": "on",
        "side1-takes_part": "on", "side1-ships": f"{club.pk}|Dutch", "side1-automatic": "on", **more,
    }  # fmt: skip


@pytest.mark.clause("G.CH3")
def test_a_campaign_begins_with_the_fleets_as_they_were_composed(umpire: Any, club: Any) -> None:
    ships = _ships(club)
    umpire.post(_address(club), {"state_no": "0", "act": "move", "ship": ships[-1], "to": "+"})
    foreign = {
        "state_no": "1",
        "fleet-1-place": "texel",
        "fleet-1-name": "Scouts",
        "fleet-1-commander": "Sir A",
        "act": "save",
    }
    umpire.post(_address(club), foreign)

    refused = umpire.post("/campaigns/start", _start(club))
    assert refused.status_code == 422
    assert "Scouts cannot begin in" in refused.content.decode() and not Campaign.objects.exists()

    umpire.post(_address(club), {"state_no": "2", "fleet-1-place": "nore", "act": "save"})
    assert umpire.post("/campaigns/start", _start(club)).status_code == 302
    campaign = Campaign.objects.get()
    scouts = campaign.book.navies.get(code="ENG").fleets.get(name="Scouts")
    assert (scouts.code, scouts.commander, scouts.station.at) == ("ENG2", "Sir A", "nore")
    squadron = Squadron.objects.get(fleet=scouts)
    assert squadron.flagship.name == ships[-1] and squadron.name == "Squadron 1"


def test_the_list_of_registers_leads_to_the_import_for_those_who_may(told: World, client: Any) -> None:
    assert "Import a register" not in told.client("english").get("/registers/").content.decode()
    client.force_login(UserFactory(username="admin", is_staff=True, is_superuser=True))
    assert reverse("admin:fleets_registerentry_import") in client.get("/registers/").content.decode()


@pytest.mark.clause("G.CL1", "G.BT1")
def test_settings_and_deadlines_are_asked_at_the_start(umpire: Any, club: Any) -> None:
    page = umpire.get("/campaigns/start?theatre=narrow_seas_1666").content.decode()
    assert "by computer (default)" in page and 'name="clock-zone"' in page
    assert "Knots of a steamer" not in page, "Kohler knows no steam"

    sent = _start(
        club, battle_route="table", see_clear="12", confirm_days="5", **{
            "clock-hours": "96", "clock-at": "20:00", "clock-zone": "Europe/London", "clock-grace": "6", "clock-weekdays": "6",
        },
    )  # fmt: skip
    wrong = umpire.post("/campaigns/start", {**sent, "confirm_days": "many", "clock-zone": "Nowhere"})
    assert wrong.status_code == 422
    assert "Enter a whole number from" in wrong.content.decode() and "Nowhere" in wrong.content.decode()
    assert not Campaign.objects.exists()

    assert umpire.post("/campaigns/start", sent).status_code == 302
    campaign = Campaign.objects.get()
    assert {name: campaign.settings.get(name) for name in ("battle_route", "see_clear", "confirm_days")} == {
        "battle_route": "table", "see_clear": None, "confirm_days": 5,
    }  # fmt: skip
    assert (campaign.deadline_hours, campaign.deadline_days, campaign.time_zone, campaign.grace_hours) == (
        96, [6], "Europe/London", 6,
    )  # fmt: skip


def test_what_was_typed_is_there_again_after_composing(umpire: Any, club: Any) -> None:
    gone = umpire.post(
        "/campaigns/start", {**_start(club, confirm_days="5"), "opening": "", "act": "compose:0"}
    )
    assert gone.url.startswith(f"/registers/{club.code}/fleets/narrow_seas_1666/?side=English&back=start")

    page = umpire.get("/campaigns/start?theatre=narrow_seas_1666&resume=1").content.decode()
    assert 'value="Own ships"' in page and f'<option value="{club.pk}|Dutch" selected>' in page
    field = page.split('id="id_confirm_days"')[1].split(">")[0]
    assert 'value="5"' in field
    fresh = umpire.get("/campaigns/start?theatre=narrow_seas_1666").content.decode()
    assert 'value="Own ships"' not in fresh


def test_a_start_can_be_checked_without_starting_and_ships_without_a_card_are_named(
    umpire: Any, club: Any
) -> None:
    shown = umpire.post("/campaigns/start", {**_start(club), "act": "look"}).content.decode()
    assert "Nothing is missing. The campaign can start." in shown
    part = umpire.post("/campaigns/start", {**_start(club), "act": "fleets:1"}).content.decode()
    assert part.strip().startswith('<div id="fleets-1"') and "Not composed yet" in part

    club.entries.filter(name=_ships(club)[1]).update(overrides={"kohler": {"hull": "many"}})
    shown = umpire.post("/campaigns/start", {**_start(club), "act": "look"}).content.decode()
    assert f"can make no card of a ship. {_ships(club)[1]}: " in shown
    assert not Campaign.objects.exists()
