"""Letters from one player to another, carried by the dispatch service or a ship, and read by those who get them. Rule: G.IN5."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from battles.engine.core.errors import OrderFault
from campaign.models import Campaign, Letter, Membership, Station
from campaign.rules.chart.dispatches import HOURS_A_DAY, carrier_fate, headquarters, travel_hours
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import PlaceKind, Position
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.knowing import knows_by_ship
from campaign.selectors.reports.news import carriers, recipients
from campaign.selectors.turn.facts import theatre_of

LONGEST = 4000  # characters of a letter
Fate = Letter.Fate
Role = Membership.Role


class LetterRefused(ValueError):
    """A letter that cannot be sent, with every reason; nothing was saved."""

    def __init__(self, *faults: OrderFault) -> None:
        self.faults = faults
        super().__init__(" ".join(fault.text for fault in faults))


def letter_write(*, sender: Membership, recipient: Membership, text: str, carrier: str = "") -> Letter:
    """Send a letter. carrier: code of the ship that carries it, "" for the dispatch service.

    Within a side that shares its knowledge, and to and from the umpire, it arrives at once. To the enemy it goes under a flag of
    truce. Raises LetterRefused. Rules: G.IN5, G.IN2, G.IN4.
    """
    faults = list(_faults(sender, recipient, text, carrier))
    if faults:
        raise LetterRefused(*faults)
    now = HOURS_A_DAY * sender.campaign.calendar_day
    due = None if carrier else now + _hours(sender, recipient)
    return Letter.objects.create(
        campaign=sender.campaign,
        sender=sender,
        recipient=recipient,
        text=text.strip(),
        written=now,
        due=due,
        carrier=carrier,
        truce=_enemies(sender, recipient),
        fate=Fate.DELIVERED if due is not None and due <= now else Fate.UNDER_WAY,
        told=now if due is not None and due <= now else None,
    )


def letters_open(*, reader: Membership) -> None:
    """A player has the letters that have reached them before their eyes. Twice is harmless. Rule: G.IN5."""
    unseen = reader.letters_received.filter(fate=Fate.DELIVERED, opened=None)
    unseen.update(opened=timezone.now())


def _faults(sender: Membership, recipient: Membership, text: str, carrier: str) -> Iterator[OrderFault]:
    if sender.role == Role.OBSERVER:
        yield OrderFault("letter/observer", "G.IN5", "Observers cannot write letters.")
        return
    if sender.campaign.status == Campaign.Status.CLOSED:
        yield OrderFault("letter/over", "G.EN1", "The campaign is over. You can no longer send letters.")
    if recipient not in recipients(sender):
        yield OrderFault(
            "letter/nobody", "G.IN5", "Choose a player or the umpire of this campaign to write to."
        )
    if not text.strip():
        yield OrderFault("letter/empty", "G.IN5", "The letter is empty. Write something.")
    if len(text) > LONGEST:
        yield OrderFault(
            "letter/long", "G.IN5", f"The letter has {len(text)} characters. Shorten it to {LONGEST}."
        )
    if carrier and carrier not in dict(carriers(sender)):
        yield OrderFault("letter/carrier", "G.IN5", "You cannot send letters by that ship. Choose another.")


def _enemies(sender: Membership, recipient: Membership) -> bool:
    return None not in (sender.side_id, recipient.side_id) and sender.side_id != recipient.side_id


def _hours(sender: Membership, recipient: Membership) -> int:
    """Hours from one player to the other: between the places where dispatches find them. Rules: G.IN2, G.IN5."""
    campaign = sender.campaign
    at_once = sender.side_id == recipient.side_id and not knows_by_ship(campaign)
    settings = settings_from(campaign.settings)
    start, end = post_of(sender), post_of(recipient)
    if at_once or settings.news == "at once" or not start or not end:
        return 0
    return travel_hours(theatre_of(campaign), start, end, settings)


def post_of(member: Membership) -> str:
    """Where dispatches find a player: at headquarters as commander-in-chief, else with their first fleet; "" for an umpire."""
    if member.side is None:
        return ""
    theatre = theatre_of(member.campaign)
    station = Station.objects.filter(fleet__command__membership=member, fleet__ended=False)
    first = None if member.chief else station.order_by("fleet__code").first()
    if first is None:
        return headquarters(theatre, member.side.nations)
    return geometry(theatre).nearest(Position(first.at, first.to, first.run))


def letters_advance(*, campaign: Campaign) -> None:
    """Find out, as a turn closes, what has become of the letters under way. Twice is harmless. Rules: G.IN5, G.IN2."""
    now = HOURS_A_DAY * campaign.calendar_day
    with transaction.atomic():
        waiting = campaign.letters.filter(fate=Fate.UNDER_WAY).select_related(
            "sender__side__navy", "recipient__side__navy"
        )
        for letter in waiting:
            if letter.due is not None:
                fate = Fate.DELIVERED if letter.due <= now else ""
            else:
                fate = _carried(campaign, letter)
            if fate:
                letter.fate, letter.told = Fate(fate), now
                letter.save(update_fields=["fate", "told", "taken_by"])


def _carried(campaign: Campaign, letter: Letter) -> str:
    """What became of a letter carried by a ship. Rule: G.IN5."""
    ship = campaign.book.ships.select_related("navy", "squadron").filter(code=letter.carrier).first()
    side = letter.sender.side
    if ship is None or side is None:
        return Fate.LOST
    own = ship.navy_id == side.navy_id
    if not own:
        letter.taken_by = campaign.sides.filter(navy=ship.navy_id).first()
    station = (
        Station.objects.filter(fleet=ship.squadron.fleet_id).first() if ship.squadron is not None else None
    )
    return carrier_fate(
        afloat=ship.fate == "afloat",
        own=own,
        in_port=station is not None and _own_port(campaign, side.nations, station),
        in_company=station is not None and _with_reader(letter, station),
    )


def _own_port(campaign: Campaign, nations: list[str], station: Station) -> bool:
    place = theatre_of(campaign).places[station.at]
    return not station.to and place.kind is PlaceKind.PORT and place.owner in nations


def _with_reader(letter: Letter, station: Station) -> bool:
    """Whether the carrier is where the recipient has a fleet. Rules: G.IN5, G.MV4."""
    beside = Station.objects.filter(
        fleet__command__membership=letter.recipient,
        fleet__ended=False,
        at=station.at,
        to=station.to,
        run=station.run,
    )
    return bool(beside.exists())
