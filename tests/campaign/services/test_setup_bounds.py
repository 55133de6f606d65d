"""Starting a campaign: the error for each problem, and what is saved when there is none."""

from __future__ import annotations

import json
from datetime import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail

from campaign.models import Campaign, Command, Invitation, Membership, Notice, Order, Place, Theatre
from campaign.rules.chart.types import PlaceKind
from campaign.rules.state.holdings import Holdings
from campaign.selectors.setup import home_port
from campaign.services.setup import demo, setup
from campaign.services.setup.compositions import (
    composed_fleets,
    composition_faults,
    fleets_words,
    place_faults,
)
from campaign.services.setup.faults import address_fault, code_fault, free_campaign_code, settings_typed
from campaign.services.setup.setup import (
    SetupRefused,
    campaign_faults,
    campaign_start,
    shipped_theatres,
    theatre_load,
)
from campaign.services.setup.sides import SideStart
from fleets.compositions import FleetPlan, Plan, SquadronPlan, plan_document
from fleets.models import Composition, Register
from tests.campaign.services.conftest import small_register
from tests.support.answers import answer_of, flawless
from tests.support.factories import CampaignFactory, UserFactory
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.fixture
def small() -> Register:
    return small_register()


@pytest.fixture
def umpire() -> Any:
    return UserFactory(username="ursula", email="Ursula@club.example")


def theatre() -> Theatre:
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    return flawless(theatre_load, document=json.loads(path.read_text()))


def begin(umpire: Any, *sides: SideStart, **changes: Any) -> Campaign:
    return flawless(campaign_start,
        **{"name": "A war", "code": "war", "theatre": theatre(), "rule_set": "kohler", "umpire": umpire, "sides": sides, **changes}
    )  # fmt: skip


def england(small: Register, **more: Any) -> SideStart:
    return SideStart("England", small, "English", **more)


def dutch(small: Register, **more: Any) -> SideStart:
    return SideStart("Dutch Republic", small, "Dutch", **more)


def faults(umpire: Any, *sides: SideStart, **changes: Any) -> list[str]:
    """Every fault, as "where: what"; nothing when the campaign was started."""
    with put_back():
        found = []
        try:
            begin(umpire, *sides, **changes)
        except SetupRefused as refused:
            found = [f"{fault.path}: {fault.text}" for fault in refused.faults]
        except Exception as error:
            found = [repr(error)]
    return found


def test_every_error_in_a_new_campaign_is_reported_where_it_is(umpire: Any, small: Register) -> None:
    one, other = england(small), dutch(small)
    title = theatre().title
    cases: list[tuple[tuple[SideStart, ...], dict[str, Any], list[str]]] = [
        ((one, other), {}, []),
        ((one, other), {"opening": "atlantis"}, [f"opening: 'atlantis' is not an opening of {title}. Choose from narrow_seas_1666."]),
        ((one, other), {"settings": {"see_clear": "9"}}, []),
        ((one, other), {"settings": {"luck": "9"}}, ["settings.luck: luck is not a setting. Reload the page and try again."]),
        ((one, other), {"name": " "}, ["name: A campaign needs a name."]),
        ((one, other), {"turn_days": 0}, ["turn_days: A turn can be 1 to 28 days, not 0."]),
        ((one, other), {"turn_days": 1}, []),
        ((one, other), {"turn_days": 28}, []),
        ((one, other), {"turn_days": 29}, ["turn_days: A turn can be 1 to 28 days, not 29."]),
        ((one,), {}, ["sides: A campaign needs at least two sides."]),
        ((), {}, ["sides: A campaign needs at least two sides."]),
        ((one, one), {}, ["sides[1].side: England is listed twice."]),
        ((one, SideStart("Sweden", small, "Swedish")), {},
         [f"sides[1].side: 'Sweden' is not a side of {title}. Choose from England, Dutch Republic, France."]),
        ((one, SideStart("Dutch Republic", small, "Danish")), {},
         ["sides[1].register: A small register has no ships of 'Danish'."]),
        ((england(small, admirals=[umpire.email.upper()]), other), {},
         ["sides[0].admirals: That is your own address. You are the umpire, so invite someone else."]),
        ((england(small, admirals=["a@club.example"]), dutch(small, admirals=["A@club.example"])), {},
         ["sides[1].admirals: A@club.example is listed for both sides. Give each side its own admirals."]),
        ((england(small, admirals=["a@club.example", "nonsense"]), other), {},
         ["sides[0].admirals: nonsense is not a valid email address. Enter one such as admiral@club.example."]),
        ((england(small, admirals=["a@club.example"]), dutch(small, admirals=["b@club.example"])), {}, []),
    ]  # fmt: skip
    for sides, changes, said in cases:
        assert faults(umpire, *sides, **changes) == said, said
    umpire.email = ""
    (nameless,) = faults(umpire, england(small, admirals=[""]), other)
    assert nameless.startswith("sides[0].admirals:  is not a valid email address.")
    assert address_fault("a@club.example") == ""


def faults_of(umpire: Any, *sides: SideStart) -> list[str]:
    """Every fault of a campaign that is not started."""
    found = campaign_faults(
        name="A war", code="war", theatre=theatre(), rule_set="kohler", umpire=umpire, sides=sides
    )
    return [f"{fault.path}: {fault.text}" for fault in found]


def test_ships_without_a_card_are_named_up_to_eight_but_not_those_of_the_opening(
    umpire: Any, small: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare: list[str] = []
    monkeypatch.setattr("campaign.services.setup.faults.card_faults", lambda **asked: bare)
    sides = england(small), dutch(small)
    assert faults_of(umpire, *sides) == []
    for count, more in ((8, 0), (9, 1), (10, 2)):
        bare[:] = [f"No. {n} has no guns." for n in range(count)]
        for n in (0, 1):
            said = [text for text in faults_of(umpire, *sides) if text.startswith(f"sides[{n}].register: ")]
            assert said[7].endswith("can make no card of a ship. No. 7 has no guns.")
            tail = [f"sides[{n}].register: {more} more ships have no card either. Complete the register."]
            assert said[8:] == tail * bool(more)
    Register.objects.update(code="1666_four_days_battle")
    small.refresh_from_db()
    assert faults_of(umpire, england(small), dutch(small)) == []


@pytest.mark.clause("G.CO7")
def test_composed_fleets_may_begin_in_the_ports_of_their_side_and_its_allies(
    umpire: Any, small: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    own: list[set[str]] = []
    monkeypatch.setattr(
        "campaign.services.setup.faults.composition_faults",
        lambda register, side, theatre, nations: own.append(nations) or [],
    )
    assert faults_of(umpire, england(small), dutch(small)) == []
    assert own == [{"England"}, {"Dutch Republic", "France"}]


def test_a_side_begins_without_ships_only_if_the_calendar_brings_them(
    umpire: Any, small: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaign.services.setup.faults.comes_later", lambda opening, side: side == "France")
    for side, ships, bare in (
        ("France", "", False),
        ("France", "Danish", True),
        ("Dutch Republic", "", True),
    ):
        said = faults_of(umpire, england(small), SideStart(side, small, ships))
        assert said == [f"sides[1].register: A small register has no ships of {ships!r}."] * bare, (
            side,
            ships,
        )


def test_settings_are_stored_where_they_are_not_the_usual_ones() -> None:
    assert settings_typed({"see_clear": "12"}) == {}
    assert settings_typed({"see_clear": "9"}) == {"see_clear": 9}


def test_a_free_code_is_the_first_that_no_campaign_has() -> None:
    for code in ("C1666", "C1666-2", "C1666-3"):
        assert free_campaign_code("C1666") == code
        CampaignFactory(book__code=code)
    assert free_campaign_code("C166") == "C166"


def test_a_side_without_a_port_cannot_take_part(
    umpire: Any, small: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "campaign.services.setup.faults.home_port",
        lambda theatre, nations: "" if "England" in nations else "texel",
    )
    said = faults(umpire, england(small), dutch(small))
    assert said == [f"sides[0].side: England has no port in {theatre().title}."]


def test_a_code_has_letters_digits_and_hyphens_and_belongs_to_one_campaign(
    umpire: Any, small: Register
) -> None:
    assert code_fault("two words").startswith("two words is not a valid code.")
    assert code_fault("war-2") == code_fault("war") == ""
    begin(umpire, england(small), dutch(small))
    assert code_fault("war") == "There is a campaign war already. Choose another code."
    assert code_fault("war-2") == ""


@pytest.mark.clause("G.CL1", "G.UM1")
def test_a_campaign_begins_with_the_opening_settings_and_schedule_that_were_chosen(
    umpire: Any, small: Register
) -> None:
    schedule = {
        "hours": 72, "weekdays": [6, 3], "at": time(20), "zone": "UTC", "run_when_ready": False, "grace": 6, "silent": 2,
    }  # fmt: skip
    said = answer_of(
        begin, umpire, england(small), dutch(small), settings={"see_clear": "9"}, schedule=schedule
    )
    assert said == ""
    campaign = Campaign.objects.get()
    assert (campaign.opening_code, campaign.settings) == ("narrow_seas_1666", {"see_clear": 9})
    assert (campaign.deadline_days, campaign.grace_hours, campaign.run_when_ready) == ([3, 6], 6, False)
    assert set(campaign.book.navies.values_list("nation__name", flat=True)) == {"England", "Dutch Republic"}


@pytest.mark.clause("G.CH3")
def test_a_campaign_carries_ports_that_are_in_other_hands_as_it_begins() -> None:
    owners = {"dunkirk": "England"}
    assert setup._held({}) == {}
    assert setup._held({"owners": owners}) == {"holdings": Holdings(owners=owners, first=owners).doc()}


@pytest.mark.clause("G.IN4", "G.CO7")
def test_the_first_player_of_a_side_is_commander_in_chief_and_has_its_fleets(
    umpire: Any, small: Register
) -> None:
    monck, rupert, tromp = (UserFactory(username=name) for name in ("monck", "rupert", "tromp"))
    campaign = begin(
        umpire,
        england(small, players=[monck, rupert], admirals=["x@club.example", "y@club.example"]),
        dutch(small, players=[tromp], automatic=True),
    )
    parts = {row.user.username: (row.chief, row.commands.count()) for row in campaign.memberships.all()}
    assert parts == {"ursula": (False, 0), "monck": (True, 1), "rupert": (False, 0), "tromp": (True, 1)}
    assert {side.name: (side.automatic, side.colour) for side in campaign.sides.all()} == {
        "England": (False, "red"), "Dutch Republic": (True, "blue"),
    }  # fmt: skip
    assert not campaign.invitations.filter(chief=True).exists(), "the side has a chief"
    assert campaign.hostility == [["ENG", "NLD"]] and campaign.alliances == []
    assert campaign.turn_days == 3 and campaign.turns.get().number == 1
    fleets = {row.fleet.navy.code: (row.fleet.code, row.fleet.name) for row in Command.objects.all()}
    assert fleets == {"ENG": ("ENG1", "Fleet of England"), "NLD": ("NLD1", "Fleet of the Dutch Republic")}
    told = set(Notice.objects.values_list("recipient__username", "kind"))
    assert {(name, "invitation") for name in ("monck", "rupert", "tromp")} <= told
    assert ("ursula", "invitation") not in told


def test_three_sides_have_each_a_colour_and_allies_are_written_down(umpire: Any, small: Register) -> None:
    france = SideStart("France", small, "Dutch")
    campaign = begin(umpire, dutch(small), france, england(small))
    assert list(campaign.sides.order_by("pk").values_list("colour", flat=True)) == ["red", "blue", "ochre"]
    assert sorted(campaign.hostility) == [["ENG", "FRA"], ["ENG", "NLD"]]
    assert campaign.alliances == [["FRA", "NLD"]]
    assert all(campaign.sides.values_list("automatic", flat=True)), "nobody plays them yet"


@pytest.mark.parametrize("there", [True, False])
def test_the_first_person_invited_per_side_will_be_its_chief_and_is_emailed_if_a_mail_server_exists(
    umpire: Any, small: Register, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    if not there:
        monkeypatch.setattr(setup, "mail_server", lambda: None)
    said = answer_of(
        begin,
        umpire,
        england(small, admirals=["a@club.example", "b@club.example"]),
        dutch(small, admirals=["c@club.example"]),
    )
    assert said == ""
    rows = {row.address[0]: (row.chief, row.mailed is not None) for row in Invitation.objects.all()}
    assert rows == {"a": (True, there), "b": (False, there), "c": (True, there)}
    assert len(mail.outbox) == 3 * there


def test_the_mail_server_is_not_looked_up_where_no_one_is_invited(
    umpire: Any, small: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(setup, "mail_server", lambda: asked.append("asked"))
    begin(umpire, england(small), dutch(small))
    assert asked == []


# --- theatres -----------------------------------------------------------------------------------------------


@pytest.mark.clause("G.CH1", "G.CH3")
def test_places_have_their_coordinates_to_a_thousandth_and_passages_their_miles() -> None:
    chart = theatre()
    pure = setup.pure_theatre(chart)
    for place in chart.places.all():
        there = pure.places[place.code]
        assert abs(float(place.latitude) - there.latitude) < 0.0006
        assert abs(float(place.longitude) - there.longitude) < 0.0006
        assert (place.kind, place.owner, place.dockyard, place.berths) == (
            *(there.kind, there.owner, there.dockyard, there.berths),
        )
    for row in chart.passages.select_related("a", "b")[:5]:
        here, there = pure.places[row.a.code], pure.places[row.b.code]
        miles = setup.great_circle_nm(here.latitude, here.longitude, there.latitude, there.longitude)
        assert row.length == round(miles * 1000)


@pytest.mark.clause("G.CH1")
def test_a_theatre_loaded_again_keeps_its_rows_but_gets_new_ones_if_it_lost_a_place() -> None:
    chart = theatre()
    Place.objects.filter(theatre=chart, code="chatham").update(note="changed by hand")
    count = theatre().places.count()
    assert Place.objects.get(theatre=chart, code="chatham").note == "changed by hand"
    Place.objects.filter(theatre=chart).exclude(code="chatham")[:1].get().delete()
    assert theatre().places.count() == count
    assert Place.objects.get(theatre=chart, code="chatham").note != "changed by hand"


@pytest.mark.clause("G.CH3")
def test_the_greatest_port_is_found_by_dockyard_then_by_berths_then_by_code() -> None:
    from campaign.rules.chart.types import Place as PurePlace

    def place(code: str, kind: PlaceKind = PlaceKind.PORT, owner: str = "England", **more: int) -> Any:
        return PurePlace(
            code=code, name=code, kind=kind, latitude=0, longitude=0, zone="south", owner=owner, **more
        )

    def best(*places: Any) -> str:
        class Chart:
            pass

        chart: Any = Chart()
        chart.places = {row.code: row for row in places}
        return home_port(chart, ["England", "Scotland"])

    assert best() == best(place("a", owner="France")) == best(place("a", PlaceKind.SEA_AREA)) == ""
    assert best(place("b", PlaceKind.ANCHORAGE)) == "b"
    assert best(place("b", dockyard=2), place("a", dockyard=1, berths=9)) == "b"
    assert best(place("b", dockyard=2, berths=3), place("a", dockyard=2, berths=2)) == "b"
    assert best(place("b", dockyard=2), place("a", dockyard=2, owner="Scotland")) == "a"


@pytest.mark.clause("G.MV2")
def test_the_first_orders_of_an_opening_are_its_own_and_the_rest_are_to_hold_and_anchor(
    campaign: Campaign,
) -> None:
    turn = campaign.turns.get()
    turn.orders.all().delete()
    first, second = Membership.objects.filter(campaign=campaign, role="admiral").order_by("pk")
    full = {
        "route": ["swin"],
        "stance": "seek",
        "on_arrival": "patrol",
        "instructions": {"greatest_odds": "2"},
    }
    fleets = [member.commands.get().fleet_id for member in (first, second)]
    setup._first_orders_write(turn, {fleets[0]: full, fleets[1]: {}})
    rows = {row.fleet_id: row for row in Order.objects.filter(turn=turn)}
    given = rows[fleets[0]]
    assert {name: getattr(given, name) for name in full} == full and given.source == "opening"
    empty = rows[fleets[1]]
    assert (empty.route, empty.stance, empty.on_arrival, empty.instructions) == ([], "hold", "anchor", {})
    turn.orders.all().delete()
    setup._first_orders_write(turn, {fleets[0]: {"instructions": full["instructions"]}})
    assert turn.orders.get().source == "standing", "the automatic admiral is free to send it somewhere"


def test_a_demo_begins_as_its_opening_says_unless_told_otherwise(
    small: Register, umpire: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}
    sides = {"England": {"register_side": "English"}, "Dutch Republic": {"register_side": "Dutch"}}
    plan = {"title": "Lowestoft", "rule_set": "kohler", "sides": sides}
    monkeypatch.setattr(
        demo, "opening_of", lambda code: {} if code == "none" else {**plan, "turn_days": len(code)}
    )
    monkeypatch.setattr(demo, "campaign_start", lambda **given: asked.update(given))
    how: dict[str, Any] = {"theatre": theatre(), "register": small, "umpire": umpire, "seed": "1"}
    names = ("name", "code", "opening", "rule_set", "turn_days")

    assert answer_of(demo.demo_start, **how, admirals=["monck", "tromp", "evertsen"]) == ""
    assert [asked[name] for name in names] == [
        "Demo: Lowestoft", "narrow-seas-1666", "narrow_seas_1666", "kohler", 16,
    ]  # fmt: skip
    starts = [
        (start.side, start.register_side, start.automatic, list(start.players)) for start in asked["sides"]
    ]
    assert starts == [("England", "English", True, ["monck"]), ("Dutch Republic", "Dutch", True, ["tromp"])]
    chosen = {"name": "A war", "code": "war", "opening": "four", "rule_set": "thomas"}
    assert answer_of(demo.demo_start, **how, **chosen) == ""
    assert [asked[name] for name in names] == [*chosen.values(), 4]
    said = answer_of(demo.demo_start, **how, opening="none")
    assert said.endswith("has no opening positions yet, so it has no demo.")


# --- composed fleets ----------------------------------------------------------------------------------------


@pytest.mark.clause("G.CH3", "G.CO7")
def test_a_composed_fleet_lies_at_sea_or_in_a_harbour_of_its_own_or_of_no_one() -> None:
    def place(code: str, kind: str, owner: str) -> Any:
        return SimpleNamespace(name=code.title(), kind=PlaceKind(kind), owner=owner)

    rows = [
        ("port", "England"),
        ("port", "France"),
        ("port", ""),
        ("anchorage", "France"),
        ("sea_area", "France"),
    ]
    places = {f"{kind}_{owner}": place(f"{kind}_{owner}", kind, owner) for kind, owner in rows}
    chart: Any = SimpleNamespace(title="The Channel", places=places)

    def said(name: str, place: str, nations: Any = ("England", "Scotland")) -> list[str]:
        plan = Plan((FleetPlan("First", "port_England"), FleetPlan(name, place)))
        return [f"{fault.path}: {fault.text}" for fault in place_faults(plan, chart, nations)]

    for harbour in ("port_France", "anchorage_France"):
        assert said("Red", harbour) == [
            f"fleets[1].place: Red cannot begin in {harbour.title()}, which belongs to France. Choose another place."
        ]
        assert said("Red", harbour, None) == [], "whose side it is on is not known yet"
    assert said("Red", "port_England") == said("Red", "port_") == said("Red", "sea_area_France") == []
    assert said("", "") == ["fleets[1].place: Fleet 2 lies nowhere. Choose a place for it."]
    assert said("", "moon") == [
        "fleets[1].place: Fleet 2 lies at moon, which is not on the chart of The Channel. Choose another place."
    ]


def test_the_page_that_starts_a_campaign_says_as_what_a_side_begins(small: Register) -> None:
    chart = setup.pure_theatre(theatre())

    def words(*, written: bool = False) -> tuple[str, bool, int]:
        found = fleets_words(small, "English", chart, written=written)
        return found["words"], found["composes"], len(found["missing"])

    assert words(written=True) == ("It begins as in history.", False, 0)
    assert words() == (
        "Not composed yet: all ships begin as one fleet, in the greatest port of the side.", True, 0,
    )  # fmt: skip
    assert composition_faults(small, "English", chart) == []
    assert composed_fleets(small, "English", chart.code, "ENG") is None
    ships = list(small.entries.filter(side="English").values_list("name", flat=True))
    fleets = [
        FleetPlan(name, "nore", "", (SquadronPlan(f"{name} 1", (ship,), ship),))
        for name, ship in zip("ABCD", ships, strict=True)
    ]
    made = Composition.objects.create(
        register=small, side="English", theatre=chart.code, document=plan_document(Plan((fleets[0],)))
    )
    assert words()[:2] == ("1 composed fleet: A.", True)
    Composition.objects.filter(pk=made.pk).update(document=plan_document(Plan(tuple(fleets))))
    assert words() == ("4 composed fleets: A, B, C, D.", True, 0)
    starts = composed_fleets(small, "English", chart.code, "ENG") or []
    assert [start.code for start in starts] == ["ENG1", "ENG2", "ENG3", "ENG4"]
