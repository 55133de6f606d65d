"""A campaign and the people about it: umpire, two admirals of opposed sides, an observer, a stranger, and nobody at all.

Everything that only one side may know carries that side's tell-tale in its code or name, so that a leak shows wherever it happens.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from campaign.models import (
    CalendarRow,
    Campaign,
    Command,
    Contact,
    Membership,
    Objective,
    Order,
    Report,
    Side,
    Sighting,
    Station,
    Turn,
    UmpireAction,
)
from campaign.services.setup.setup import shipped_theatres, theatre_load
from campaign.services.turn.summaries import summaries_write
from tests.support.factories import (
    BattleFactory,
    BookFactory,
    CampaignFactory,
    FleetFactory,
    MembershipFactory,
    NationFactory,
    NavyFactory,
    ReadyFactory,
    RosterFactory,
    ShipFactory,
    SideFactory,
    SquadronFactory,
    TurnFactory,
    UserFactory,
)
from tests.support.remembered import remembered

ENGLISH = "zjengl"
DUTCH = "xqduch"
PEOPLE = ("umpire", "english", "dutch", "observer", "stranger", "anonymous")


@dataclass(slots=True)
class World:
    """A campaign in its second turn, and who may look at it."""

    campaign: Campaign
    turn: Turn
    closed: Turn
    english: Membership
    dutch: Membership
    umpire: Membership
    observer: Membership
    stranger: Any
    english_fleet: Any
    dutch_fleet: Any

    def client(self, person: str) -> Client:
        """A browser in which that person is logged in; "anonymous" is logged in as nobody."""
        client = Client()
        if person == "stranger":
            client.force_login(self.stranger)
        elif person != "anonymous":
            client.force_login(getattr(self, person).user)
        return client


@remembered
def world(code: str = "telltale") -> World:
    """Two sides at war in the Narrow Seas, each with a fleet of secrets; turn 1 is closed with a battle, turn 2 is open."""
    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    theatre = theatre_load(document=json.loads(path.read_text()))
    campaign = CampaignFactory(
        book=BookFactory(code=code),
        theatre=theatre,
        name="Tell-tale war",
        calendar_day=3,
        hostility=[["ENG", "NLD"]],
        weather={"southern": {"wind_from": 225, "strength": "strong", "visibility": "haze"}},
    )
    closed = TurnFactory(
        campaign=campaign, number=1, phase="closed", days_run=3, chart_secret="c1" * 32, state_hash="ee" * 32
    )
    turn = TurnFactory(
        campaign=campaign, number=2, first_day=3, chart_secret="5e" * 32, battle_secret="7f" * 32
    )
    english_side, english_fleet = _side(campaign, "England", "ENG", "red", ENGLISH, turn, "nore")
    dutch_side, dutch_fleet = _side(campaign, "Dutch Republic", "NLD", "blue", DUTCH, turn, "schooneveld")
    Station.objects.filter(fleet=dutch_fleet).update(to="galloper", run=7321)
    umpire = MembershipFactory(
        campaign=campaign, side=None, role="umpire", user=UserFactory(username="umpire", is_staff=True)
    )
    made = World(
        campaign=campaign,
        turn=turn,
        closed=closed,
        english=_admiral(english_side, english_fleet, "english"),
        dutch=_admiral(dutch_side, dutch_fleet, "dutch"),
        umpire=umpire,
        observer=MembershipFactory(
            campaign=campaign, side=None, role="observer", user=UserFactory(username="observer")
        ),
        stranger=UserFactory(username="stranger"),
        english_fleet=english_fleet,
        dutch_fleet=dutch_fleet,
    )
    _history(made, english_side, dutch_side)
    _objectives(made, english_side, dutch_side)
    UmpireAction.objects.create(
        campaign=campaign, turn=f"{code}/1", actor="umpire", action="ran the turn", reason="both sides ready"
    )
    return made


def _side(
    campaign: Campaign, nation: str, code: str, colour: str, tale: str, turn: Turn, place: str
) -> tuple[Side, Any]:
    navy = NavyFactory(book=campaign.book, nation=NationFactory(name=nation), code=code, colours=colour)
    side = SideFactory(campaign=campaign, navy=navy, name=nation, nations=[nation], colour=colour)
    fleet = FleetFactory(navy=navy, code=f"{tale}-f", name=f"Fleet {tale}", commander=f"Adm {tale}")
    Station.objects.create(fleet=fleet, at=place)
    for n in range(2):
        squadron = SquadronFactory(fleet=fleet, order=n, code=f"{tale}-s{n}", name=f"Squadron {tale} {n}")
        ships = [
            ShipFactory(
                squadron=squadron, code=f"{tale}-{n}{k}", name=f"Ship {tale} {n}{k}", captain=f"Capt {tale}"
            )
            for k in range(3)
        ]
        squadron.flagship = ships[0]
        squadron.save()
    Order.objects.create(
        turn=turn,
        fleet=fleet,
        route=["swin"] if code == "ENG" else ["galloper", "sole_bay"],
        stance="seek",
        author=f"author {tale}",
        instructions={"greatest_odds": "3.25" if code == "ENG" else "4.75"},
    )
    return side, fleet


def _admiral(side: Side, fleet: Any, name: str) -> Membership:
    member = MembershipFactory(side=side, user=UserFactory(username=name), chief=True)
    Command.objects.create(membership=member, fleet=fleet)
    return member


def _history(made: World, english: Side, dutch: Side) -> None:
    """Turn 1: each side saw the other; they fought; the Dutch fought somebody else besides; one ship was taken."""
    closed, book = made.closed, made.campaign.book
    for side, tale, other in ((english, ENGLISH, DUTCH), (dutch, DUTCH, ENGLISH)):
        Sighting.objects.create(
            turn=closed, side=side, number=1 if side is english else 77, hour=60, latitude=5190, longitude=205 + side.pk,
            course=90, band="10-19", kinds=["line"], observer=f"{tale}-f", fleet_code=f"{other}-f",
        )  # fmt: skip
        Report.objects.create(turn=closed, side=side, events=events(side.code, tale, other))
    Report.objects.create(
        turn=closed, side=None, events=events("ENG", ENGLISH, DUTCH) + events("NLD", DUTCH, ENGLISH)
    )
    for code, sides in (
        ("b01", {"ENG": [f"{ENGLISH}-f"], "NLD": [f"{DUTCH}-f"]}),
        (f"b02{DUTCH}", {"NLD": [f"{DUTCH}-f"], "FRA": ["f"]}),
    ):
        battle = BattleFactory(
            book=book, code=f"{book.code}-T1-{code}", title=f"Battle {code}", status="written"
        )
        RosterFactory(battle=battle, navies=sorted(sides))
        Contact.objects.create(
            turn=closed, code=code, hour=40, place="The Galloper", latitude=5180, longitude=200, fleets=sides, battle=battle
        )  # fmt: skip
    ReadyFactory(turn=made.turn, side=dutch, by="dutch")
    _calendar(made, english, dutch)


def _calendar(made: World, english: Side, dutch: Side) -> None:
    """Each side has an event that was announced to it, one that it was told of, and one that nobody knows yet."""
    for side, tale in ((english, ENGLISH), (dutch, DUTCH)):
        for state, row in (
            ("announced", {"announced": True}),
            ("done", {"known": [side.code]}),
            ("unknown", {"known": [side.code]}),
        ):
            CalendarRow.objects.create(
                campaign=made.campaign, code=f"{state}_{tale}", kind="arrive", deed="arrive", side=side, first="1666-06-20",
                last="1666-06-20", text=f"Ships of {tale}, {state}.", note=f"Note {state}", **row,
                do={"side": side.code, "fleet": f"{tale}-{state}", "name": f"Fleet {tale}", "place": "nore"},
            )  # fmt: skip
    made.campaign.carried = {
        **made.campaign.carried,
        "calendar": {"done": {f"done_{ENGLISH}": 24, f"done_{DUTCH}": 24}},
    }
    made.campaign.save(update_fields=["carried"])


def _objectives(made: World, english: Side, dutch: Side) -> None:
    """Each side has an objective that everyone reads, and a secret one for which it was paid in turn 1."""
    made.campaign.opening = {"mark": 7, "ships": []}
    tallies, known = {}, []
    for n, (side, tale) in enumerate(((english, ENGLISH), (dutch, DUTCH))):
        rows = (
            {"id": f"public{n}", "kind": "keep", "group": "all", "left": 70, "pay": "end", "words": "Keep the fleet."},
            {
                "id": f"aim-{tale}", "kind": "gather", "least_line": 3, "at": ["swin"], "days": 3, "public": False,
                "pay": "daily", "words": f"Gather the {tale}.",
            },
        )  # fmt: skip
        for place, row in enumerate(rows):
            document = {**row, "side": side.code, "marks": 10}
            Objective.objects.create(
                campaign=made.campaign, side=side, code=row["id"], place=2 * n + place, document=document
            )
        tally = {
            "held": 2, "mornings": 2, "now": True, "achieved": -1, "paid": 10, "asked": False, "ships": [],
        }  # fmt: skip
        tallies[f"aim-{tale}"] = tally
        known.append([f"aim-{tale}", side.code, {**tally, "held": 1}])
        paid = [48, "objective_paid", "G.OB2", [], {
            "objective": f"aim-{tale}", "side": side.code, "marks": 10, "words": f"Gather the {tale}.",
        }]  # fmt: skip
        for report in made.closed.reports.filter(side__in=[side]) | made.closed.reports.filter(side=None):
            report.events = [*report.events, paid]
            report.save(update_fields=["events"])
    summaries_write(reports=made.closed.reports.select_related("turn"))
    made.campaign.carried = {**made.campaign.carried, "aims": {"tallies": tallies, "known": known}}
    made.campaign.save(update_fields=["opening", "carried"])


def events(side: str, tale: str, other: str) -> list[list[Any]]:
    """What one side's report of turn 1 holds, with codes of the enemy where the rules leave them."""
    both = {"ENG": [f"{ENGLISH}-f"], "NLD": [f"{DUTCH}-f"]}
    return [
        [0, "sailed", "G.MV2", [], {"fleet": f"{tale}-f", "place": "nore", "to": "swin"}],
        [8, "sighted", "G.SI2", [], {
            "fleet": f"{tale}-f", "number": 1, "latitude": 5190, "longitude": 205, "course": 90, "band": "10-19",
            "kinds": ["line"],
        }],
        [40, "battle", "G.CO2", [], {"battle": "b01", "place": "galloper", "fleets": both, "gauge": side, "surprised": []}],
        [50, "captured", "G.PR1", [], {
            "battle": "b01", "ship": f"{tale}-00", "side": side, "fate": "captured", "captor": "NLD" if side == "ENG" else "ENG",
            "captor_ship": "",
        }],
        [52, "battle_ended", "G.BT2", [], {
            "battle": "b01", "ended": "nightfall", "turns": 20, "minutes": 600, "held_field": "",
        }],
        [53, "parted", "G.CO6", [], {"fleets": [f"{tale}-f", f"{other}-f"]}],
        [54, "touch_lost", "G.SI1", [], {"fleet": f"{tale}-f", "number": 1}],
    ]  # fmt: skip
