"""Rows for tests: one factory a model. Ships get an unpretentious card; a test of cards musters them from a register instead."""

from __future__ import annotations

import hashlib
from typing import Any

import factory
from django.contrib.auth import get_user_model
from django.utils import timezone
from factory.django import DjangoModelFactory

from battles import models as battles
from campaign import models as campaign
from campaign.selectors.turn.facts import theatres_forget
from fleets import models as fleets

SECRET = "ab" * 32
CARD = {
    "schema": 1, "guns": 50, "band": 50, "hull_max": 20, "n_steps": 4, "thresholds": [5, 10, 15, 20],
    "fire_track": [6, 4, 3, 1], "fast": False, "handy": False, "unhandy": False, "merchant": False, "small": False,
    "is_fireship": False, "deep": True, "estimated": [],
}  # fmt: skip
SOUND = {"schema": 1, "hits_struct": 0, "hits_board": 0, "flag_officer_ok": True}
THEATRE = {
    "theatre": "two_ports",
    "title": "Two ports",
    "start_date": "1666-05-30",
    "nodes": [],
    "edges": [],
    "weather_zones": [],
    "daylight": {},
    "sides": [],
    "hostility": [],
}


class UserFactory(DjangoModelFactory):
    """A person who can log in with the password `sea room`."""

    class Meta:
        model = get_user_model()
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person{n}")
    email = factory.LazyAttribute(lambda person: f"{person.username}@club.example")
    password = factory.django.Password("sea room")


class NationFactory(DjangoModelFactory):
    """A nation; England when nothing is said."""

    class Meta:
        model = fleets.Nation
        django_get_or_create = ["name"]

    name = "England"
    adjective = factory.LazyAttribute(lambda nation: nation.name)
    code = factory.LazyAttribute(lambda nation: nation.name[:3].upper())


class BookFactory(DjangoModelFactory):
    """A book under Kohler's rules."""

    class Meta:
        model = fleets.Book

    code = factory.Sequence(lambda n: f"B{n}")
    rule_set = "kohler"
    engine_version = 1


class NavyFactory(DjangoModelFactory):
    """A side's navy."""

    class Meta:
        model = fleets.Navy
        django_get_or_create = ["book", "code"]

    book = factory.SubFactory(BookFactory)
    nation = factory.SubFactory(NationFactory)
    code = factory.LazyAttribute(lambda navy: navy.nation.code)
    name = factory.LazyAttribute(lambda navy: navy.nation.name)


class RegisterFactory(DjangoModelFactory):
    """A club's own register."""

    class Meta:
        model = fleets.Register

    code = factory.Sequence(lambda n: f"register-{n}")
    title = factory.LazyAttribute(lambda register: register.code.capitalize())
    year = 1666


class RegisterEntryFactory(DjangoModelFactory):
    """A private ship of 50 guns."""

    class Meta:
        model = fleets.RegisterEntry

    register = factory.SubFactory(RegisterFactory)
    line = factory.Sequence(lambda n: n + 2)
    name = factory.Sequence(lambda n: f"Ship {n}")
    nation = factory.SubFactory(NationFactory)
    side = "English"
    squadron = "Red"
    ship_type = "ship_of_line"
    guns = 50
    tons_burthen = 700
    year_built = 1650
    confidence = "high"


class ImportBatchFactory(DjangoModelFactory):
    """An import that was done and changed nothing."""

    class Meta:
        model = fleets.ImportBatch

    register = factory.SubFactory(RegisterFactory)
    status = "done"
    file_name = "ships.csv"
    reason = "Import of ships.csv"
    by = "keeper"


class FleetFactory(DjangoModelFactory):
    """A fleet without squadrons."""

    class Meta:
        model = fleets.Fleet

    navy = factory.SubFactory(NavyFactory)
    code = factory.Sequence(lambda n: f"F{n}")
    name = factory.LazyAttribute(lambda fleet: f"Fleet {fleet.code}")


class SquadronFactory(DjangoModelFactory):
    """A squadron without ships."""

    class Meta:
        model = fleets.Squadron

    fleet = factory.SubFactory(FleetFactory)
    order = factory.Sequence(lambda n: n + 1)
    code = factory.LazyAttributeSequence(lambda squadron, n: f"{squadron.fleet.code}-S{n}"[:24])
    name = factory.LazyAttribute(lambda squadron: f"Squadron {squadron.code}")


class ShipFactory(DjangoModelFactory):
    """A sound 50-gun ship of a squadron; navy and book are the squadron's."""

    class Meta:
        model = fleets.Ship

    squadron = factory.SubFactory(SquadronFactory)
    navy = factory.LazyAttribute(lambda ship: ship.squadron.fleet.navy)
    book = factory.LazyAttribute(lambda ship: ship.navy.book)
    built_for = factory.SelfAttribute("navy")
    code = factory.Sequence(lambda n: f"SHP{n:03d}")
    name = factory.LazyAttribute(lambda ship: f"Ship {ship.code}")
    ship_type = "ship_of_line"
    facts = factory.LazyAttribute(
        lambda ship: {
            "nation": ship.navy.nation.name,
            "built_by": ship.navy.nation.name,
            "ship_type": ship.ship_type,
            "guns": 50,
        }
    )
    card = factory.LazyFunction(lambda: dict(CARD))
    condition = factory.LazyFunction(lambda: dict(SOUND))
    complement = 200
    men = 200
    order = factory.Sequence(int)


class OfficerFactory(DjangoModelFactory):
    """An officer ashore."""

    class Meta:
        model = fleets.Officer

    navy = factory.SubFactory(NavyFactory)
    name = factory.Sequence(lambda n: f"Officer {n}")
    seniority = factory.Sequence(int)


class ServiceRecordFactory(DjangoModelFactory):
    """An entry of a ship's muster."""

    class Meta:
        model = fleets.ServiceRecord

    ship = factory.SubFactory(ShipFactory)
    when = "1666-05-30T06:00"
    kind = "mustered"
    event = factory.Sequence(lambda n: f"event/{n}")
    navy_code = factory.LazyAttribute(lambda record: record.ship.navy.code)
    data = factory.LazyAttribute(
        lambda record: {
            "navy": record.ship.navy.name,
            "squadron": "Red",
            "men": record.ship.men,
            "complement": record.ship.complement,
        }
    )


class PrizeFactory(DjangoModelFactory):
    """A capture. captor and taken_from have to be given."""

    class Meta:
        model = fleets.Prize

    ship = factory.SubFactory(ShipFactory)
    when = "1666-06-01T15:00"
    battle = factory.Sequence(lambda n: f"battle-{n}")


class RepairJobFactory(DjangoModelFactory):
    """A ship that waits for a berth."""

    class Meta:
        model = fleets.RepairJob

    ship = factory.SubFactory(ShipFactory)
    book = factory.SelfAttribute("ship.book")
    navy = factory.SelfAttribute("ship.navy")
    place = "chatham"
    hull = "medium"
    needs = 2
    total = 49
    began = "1666-06-01T06:00"


class PrizeFundFactory(DjangoModelFactory):
    """A fund with a little in it."""

    class Meta:
        model = fleets.PrizeFund

    navy = factory.SubFactory(NavyFactory)
    pounds = 1000


class PrisonersHeldFactory(DjangoModelFactory):
    """Prisoners; holder and of have to be given."""

    class Meta:
        model = fleets.PrisonersHeld

    place = factory.Sequence(lambda n: f"port_{n}")
    men = 90


class MenAshoreFactory(DjangoModelFactory):
    """Men without a ship."""

    class Meta:
        model = fleets.MenAshore

    navy = factory.SubFactory(NavyFactory)
    place = factory.Sequence(lambda n: f"port_{n}")
    men = 20


class OfficerRecordFactory(DjangoModelFactory):
    """An entry of an officer's record."""

    class Meta:
        model = fleets.OfficerRecord

    officer = factory.SubFactory(OfficerFactory)
    when = "1666-06-01T06:00"
    kind = "command"
    event = factory.Sequence(lambda n: f"event/{n}")
    data = factory.LazyFunction(lambda: {"ship": "Antelope"})


class BattleFactory(DjangoModelFactory):
    """A battle that waits to be fought."""

    class Meta:
        model = battles.Battle

    book = factory.SubFactory(BookFactory)
    code = factory.Sequence(lambda n: f"T1-B{n}")
    title = factory.LazyAttribute(lambda battle: f"Battle {battle.code}")
    reference = factory.SelfAttribute("code")
    when = "1666-06-01T12:00"
    place = "Off the North Foreland"
    rule_set = "kohler"
    engine_version = 1
    seed = SECRET
    seed_hash = factory.LazyAttribute(lambda battle: hashlib.sha256(bytes.fromhex(battle.seed)).hexdigest())


class RosterFactory(DjangoModelFactory):
    """What was sent in: an empty scenario unless one is given."""

    class Meta:
        model = battles.Roster

    battle = factory.SubFactory(BattleFactory)
    scenario = factory.LazyFunction(dict)
    digest = SECRET


class BattleOutcomeFactory(DjangoModelFactory):
    """What came out: an empty document unless one is given."""

    class Meta:
        model = battles.BattleOutcome

    battle = factory.SubFactory(BattleFactory)
    document = factory.LazyFunction(dict)
    roster_digest = SECRET
    state_hash = SECRET


class BattleLogFactory(DjangoModelFactory):
    """An empty log."""

    class Meta:
        model = battles.BattleLog

    battle = factory.SubFactory(BattleFactory)
    packed = factory.LazyFunction(lambda: battles.BattleLog.pack([]))
    count = 0


class TheatreFactory(DjangoModelFactory):
    """A theatre whose document names nothing; load a shipped one where places matter."""

    class Meta:
        model = campaign.Theatre
        django_get_or_create = ["code"]

    code = "two_ports"
    title = "Two ports"
    start_date = "1666-05-30"
    document = factory.LazyFunction(lambda: dict(THEATRE))

    @classmethod
    def _create(cls, model_class: type[Any], *args: Any, **kwargs: Any) -> Any:
        """Another test's theatre may have had its number."""
        theatres_forget()
        return super()._create(model_class, *args, **kwargs)


class PlaceFactory(DjangoModelFactory):
    """A sea area."""

    class Meta:
        model = campaign.Place

    theatre = factory.SubFactory(TheatreFactory)
    code = factory.Sequence(lambda n: f"place_{n}")
    name = factory.LazyAttribute(lambda place: place.code.replace("_", " ").capitalize())
    kind = "sea_area"
    latitude = "51.500"
    longitude = "1.800"
    zone = "south"


class CampaignFactory(DjangoModelFactory):
    """A campaign with a book of its own, without sides."""

    class Meta:
        model = campaign.Campaign

    book = factory.SubFactory(BookFactory)
    theatre = factory.SubFactory(TheatreFactory)
    name = factory.LazyAttribute(lambda row: f"Campaign {row.book.code}")
    start_date = "1666-05-30"


class SideFactory(DjangoModelFactory):
    """A side with its navy in the campaign's book; nation by name."""

    class Meta:
        model = campaign.Side

    class Params:
        nation = "England"

    campaign = factory.SubFactory(CampaignFactory)
    navy = factory.LazyAttribute(
        lambda side: NavyFactory(book=side.campaign.book, nation=NationFactory(name=side.nation))
    )
    name = factory.LazyAttribute(lambda side: side.navy.name)
    nations = factory.LazyAttribute(lambda side: [side.navy.nation.name])


class MembershipFactory(DjangoModelFactory):
    """An admiral of a side; for an umpire give role="umpire", side=None and the campaign."""

    class Meta:
        model = campaign.Membership

    side = factory.SubFactory(SideFactory)
    campaign = factory.LazyAttribute(lambda member: member.side.campaign)
    user = factory.SubFactory(UserFactory)
    role = "admiral"


class CommandFactory(DjangoModelFactory):
    """A fleet of the admiral's own side under his command."""

    class Meta:
        model = campaign.Command

    membership = factory.SubFactory(MembershipFactory)
    fleet = factory.LazyAttribute(lambda command: FleetFactory(navy=command.membership.side.navy))


class StationFactory(DjangoModelFactory):
    """A fleet at a place."""

    class Meta:
        model = campaign.Station

    fleet = factory.SubFactory(FleetFactory)
    at = "place_0"


class TurnFactory(DjangoModelFactory):
    """An open turn of three days, numbered within its campaign."""

    class Meta:
        model = campaign.Turn

    campaign = factory.SubFactory(CampaignFactory)
    number = factory.LazyAttribute(lambda turn: turn.campaign.turns.count() + 1)
    first_day = factory.LazyAttribute(lambda turn: (turn.number - 1) * 3)
    days = 3
    chart_hash = factory.LazyFunction(lambda: hashlib.sha256(bytes.fromhex(SECRET)).hexdigest())


class OrderFactory(DjangoModelFactory):
    """Stay and hold."""

    class Meta:
        model = campaign.Order

    turn = factory.SubFactory(TurnFactory)
    fleet = factory.LazyAttribute(
        lambda order: FleetFactory(navy=SideFactory(campaign=order.turn.campaign).navy)
    )


class SideOrderFactory(DjangoModelFactory):
    """Nothing ordered ashore."""

    class Meta:
        model = campaign.SideOrder

    turn = factory.SubFactory(TurnFactory)
    side = factory.LazyAttribute(lambda order: SideFactory(campaign=order.turn.campaign))


class ReadyFactory(DjangoModelFactory):
    """A side's ready mark."""

    class Meta:
        model = campaign.Ready

    turn = factory.SubFactory(TurnFactory)
    side = factory.LazyAttribute(lambda mark: SideFactory(campaign=mark.turn.campaign))
    by = "The admiral"


class SightingFactory(DjangoModelFactory):
    """A few sail to the eastward."""

    class Meta:
        model = campaign.Sighting

    turn = factory.SubFactory(TurnFactory)
    side = factory.LazyAttribute(lambda report: SideFactory(campaign=report.turn.campaign))
    number = factory.Sequence(lambda n: n + 1)
    hour = 10
    latitude = 5150
    longitude = 180
    band = "5-9"
    observer = "Scout"
    fleet_code = "F0"


class WeatherWatchFactory(DjangoModelFactory):
    """A moderate south-wester."""

    class Meta:
        model = campaign.WeatherWatch

    turn = factory.SubFactory(TurnFactory)
    hour = factory.Sequence(lambda n: n * 4)
    zone = "south"
    wind_from = 225
    strength = "moderate"
    visibility = "clear"


class ContactFactory(DjangoModelFactory):
    """A meeting without a battle."""

    class Meta:
        model = campaign.Contact

    turn = factory.SubFactory(TurnFactory)
    code = factory.Sequence(lambda n: f"C{n}")
    hour = 10
    place = "Off the North Foreland"


class ReportFactory(DjangoModelFactory):
    """A report in which nothing happened."""

    class Meta:
        model = campaign.Report

    turn = factory.SubFactory(TurnFactory)
    side = factory.LazyAttribute(lambda report: SideFactory(campaign=report.turn.campaign))


class NoticeFactory(DjangoModelFactory):
    """A message that waits to be sent."""

    class Meta:
        model = campaign.Notice

    campaign = factory.SubFactory(CampaignFactory)
    event = factory.Sequence(lambda n: f"event-{n}")
    recipient = factory.SubFactory(UserFactory)
    kind = "turn_report"
    address = factory.LazyAttribute(lambda notice: notice.recipient.email)
    subject = "Turn 1"
    text = "Nothing happened."
    html = "<p>Nothing happened.</p>"
    message_id = factory.LazyAttribute(lambda notice: f"<{notice.event}@club.example>")


class ReceivedMailFactory(DjangoModelFactory):
    """A reply with orders, of which one fleet's were taken."""

    class Meta:
        model = campaign.ReceivedMail

    turn = factory.SubFactory(TurnFactory)
    membership = factory.LazyAttribute(
        lambda mail: MembershipFactory(side=SideFactory(campaign=mail.turn.campaign))
    )
    message_id = factory.Sequence(lambda n: f"<{n}@phone.example>")
    sent = factory.LazyFunction(timezone.now)
    taken = 1
    answer = "Stance: avoid – taken"


class UmpireActionFactory(DjangoModelFactory):
    """Something that an umpire did."""

    class Meta:
        model = campaign.UmpireAction

    campaign = factory.SubFactory(CampaignFactory)
    actor = "The umpire"
    action = "hold"


def squadron_of(count: int, **ship: Any) -> fleets.Squadron:
    """A squadron of `count` ships, the first one its flagship; further keywords go to every ship."""
    squadron: fleets.Squadron = SquadronFactory(**ship.pop("squadron", {}))
    ships = [ShipFactory(squadron=squadron, order=order, **ship) for order in range(count)]
    squadron.flagship = ships[0]
    squadron.save()
    return squadron
