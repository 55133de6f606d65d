"""A small campaign whose first turn has been fought, and the people about it, a third side among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

from battles.models import Battle
from campaign.models import Campaign, Membership, Side
from fleets.models import Ship
from tests.campaign.services.conftest import start
from tests.support.factories import MembershipFactory, NationFactory, NavyFactory, SideFactory, UserFactory
from tests.support.remembered import remembered
from tests.support.turns import turn_closes

PEOPLE = ("umpire", "english", "dutch", "french", "observer", "stranger", "anonymous")


@dataclass(slots=True)
class Fought:
    """A campaign after its first battle. users: by the names of PEOPLE; "anonymous" is None."""

    campaign: Campaign
    battle: Battle
    users: dict[str, Any]

    def client(self, person: str) -> Client:
        """A browser in which that person is logged in."""
        client = Client()
        if self.users[person] is not None:
            client.force_login(self.users[person])
        return client

    def ships(self, side: str) -> list[Ship]:
        """Ships that sail for a side now."""
        return list(Ship.objects.filter(book=self.campaign.book, navy__code=side).order_by("code"))

    def path(self, rest: str = "") -> str:
        """An address of the battle."""
        return f"/c/{self.campaign.code}/battles/{self.battle.code}/{rest}"

    def ship_path(self, code: str) -> str:
        """The address of a ship."""
        return f"/c/{self.campaign.code}/ships/{code}/"


@remembered
def fought(code: str = "small", *, rule_set: str = "kohler", seed: str = "a test") -> Fought:
    """Four English and three Dutch ships have fought off the Hinder; France is in the campaign and was not there."""
    campaign = start(code, rule_set=rule_set, demo_seed=seed)
    turn_closes(campaign.turns.get())
    french = _third_side(campaign)
    members = {
        "umpire": campaign.memberships.get(role=Membership.Role.UMPIRE),
        "english": campaign.memberships.get(side__name="England"),
        "dutch": campaign.memberships.get(side__name="Dutch Republic"),
        "french": MembershipFactory(side=french, user=UserFactory(username="french")),
        "observer": MembershipFactory(
            campaign=campaign, side=None, role="observer", user=UserFactory(username="observer")
        ),
    }
    users = {name: member.user for name, member in members.items()}
    users |= {"stranger": UserFactory(username="stranger"), "anonymous": None}
    battle = Battle.objects.filter(book=campaign.book, status=Battle.Status.WRITTEN).earliest("when")
    return Fought(campaign, battle, users)


def _third_side(campaign: Campaign) -> Side:
    navy = NavyFactory(book=campaign.book, nation=NationFactory(name="France"), code="FRA")
    side: Side = SideFactory(campaign=campaign, navy=navy, name="France", nations=["France"])
    return side
