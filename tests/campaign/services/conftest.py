"""A campaign small enough to play in a test, with two fleets that meet in the first hours."""

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from campaign.models import Campaign, Membership, Order, Station, Turn
from campaign.services.setup.setup import campaign_start, shipped_theatres, theatre_load
from campaign.services.setup.sides import SideStart
from fleets.models import Nation, Register, RegisterEntry
from tests.support.answers import flawless
from tests.support.remembered import remembered
from tests.support.turns import turn_closes

ENGLISH = [("Antelope", 52, 540), ("Bristol", 52, 534), ("Dragon", 46, 414), ("Pelican", 36, 300)]
DUTCH = [("Eendracht", 50, None), ("Gouda", 46, None), ("Utrecht", 44, None)]


def small_register() -> Register:
    """Four English ships and three Dutch, each side with a flagship."""
    register = Register.objects.create(code="small", title="A small register", year=1666)
    for side, nation, ships in (("English", "England", ENGLISH), ("Dutch", "Dutch Republic", DUTCH)):
        flag, _ = Nation.objects.get_or_create(name=nation)
        for n, (name, guns, tons) in enumerate(ships):
            RegisterEntry.objects.create(
                register=register,
                line=n + 2,
                name=name,
                nation=flag,
                side=side,
                squadron=f"{side} squadron",
                role="flagship" if n == 0 else "private",
                ship_type="ship_of_line",
                guns=guns,
                tons_burthen=tons,
                commander=f"Adm {name} Flag;Capt {name} Master" if n == 0 else f"Capt {name} Master",
            )
    return register


def player(name: str) -> Any:
    """The account of somebody who plays, made if there is none."""
    address = f"{name}@club.example"
    return get_user_model().objects.get_or_create(username=address, email=address)[0]


@remembered
def start(
    code: str = "small", *, demo_seed: str = "a test", automatic: bool = False, rule_set: str = "kohler"
) -> Campaign:
    """A campaign of the small register, both fleets off the Hinder Banks and seeking battle."""
    register = Register.objects.filter(code="small").first() or small_register()
    umpire, _ = get_user_model().objects.get_or_create(username="umpire", email="umpire@club.example")
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    campaign = flawless(
        campaign_start,
        name="A small war",
        code=code,
        theatre=theatre_load(document=json.loads(path.read_text())),
        rule_set=rule_set,
        umpire=umpire,
        sides=[
            SideStart("England", register, "English", automatic=automatic, players=[player("english")]),
            SideStart("Dutch Republic", register, "Dutch", automatic=automatic, players=[player("dutch")]),
        ],
        turn_days=1,
        demo_seed=demo_seed,
    )
    Station.objects.filter(fleet__navy__book=campaign.book).update(at="hinder")
    turn = campaign.turns.get()
    for station in Station.objects.filter(fleet__navy__book=campaign.book):
        Order.objects.create(
            turn=turn, fleet=station.fleet, stance="seek", instructions={"greatest_odds": "9"}
        )
    return campaign


def unattended(campaign: Campaign) -> Campaign:
    """A campaign whose admirals have left: of a turn only the umpire is told, which takes half its time."""
    campaign.memberships.filter(role=Membership.Role.ADMIRAL).delete()
    return campaign


@pytest.fixture
def campaign(db: Any) -> Campaign:
    """A small war, ready for its first turn."""
    return start()


@remembered
def first_turn_played(code: str = "small") -> Campaign:
    """A small war whose first turn is over, with a battle in it, and whose second is open."""
    made = start(code)
    turn_closes(made.turns.get())
    made.refresh_from_db()
    return made


@remembered
def fair_turn_played() -> Campaign:
    """A small war that is no demo, whose first turn is over."""
    made = start("fair", demo_seed="")
    turn_closes(made.turns.get())
    made.refresh_from_db()
    return made


@pytest.fixture
def turn(campaign: Campaign) -> Turn:
    """Its first turn, open."""
    return campaign.turns.select_related("campaign__book", "campaign__theatre").get()


@pytest.fixture
def closed(db: Any) -> Turn:
    """The first turn of a small war, over, with a battle in it; the second is open."""
    return first_turn_played().turns.select_related("campaign__book", "campaign__theatre").get(number=1)


@pytest.fixture
def english(campaign: Campaign) -> Membership:
    """The English admiral."""
    return campaign.memberships.get(side__name="England")


@pytest.fixture
def dutch(campaign: Campaign) -> Membership:
    """The Dutch admiral."""
    return campaign.memberships.get(side__name="Dutch Republic")
