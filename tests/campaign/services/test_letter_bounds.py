"""Letters at their limits: how long they may be, how many hours they take, and when they arrive."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Campaign, Letter, Membership, Station
from campaign.rules.chart.dispatches import travel_hours
from campaign.rules.chart.types import Settings
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.mail.letters import LetterRefused, letter_write, letters_advance, post_of
from fleets.models import Ship
from tests.support.factories import CommandFactory, FleetFactory, MembershipFactory, StationFactory
from tests.support.people import ENGLISH, World, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.IN5")]
NOW = 72  # the hour at which the third day of `world` is over


@pytest.fixture
def told(db: object) -> World:
    """A campaign full of tell-tales."""
    return world()


@pytest.fixture
def captain(told: World) -> Membership:
    """An English admiral who is not commander in chief and has a fleet off Yarmouth, and another in Leith."""
    member = MembershipFactory(side=told.english.side, campaign=told.campaign)
    for code, at in (("zjb", "leith"), ("zja", "yarmouth")):
        fleet = FleetFactory(navy=told.english.side.navy, code=code)  # type: ignore[union-attr]
        StationFactory(fleet=fleet, at=at)
        CommandFactory(membership=member, fleet=fleet)
    return member


def hours(told: World, start: str, end: str) -> int:
    return travel_hours(pure_theatre(told.campaign.theatre), start, end, Settings())


def play(told: World, **settings: Any) -> None:
    told.campaign.settings = settings
    told.campaign.save()
    for row in (told.english, told.dutch, told.umpire):
        row.campaign = told.campaign


def refused(**letter: Any) -> set[str]:
    """Codes of all that is wrong with a letter, or an error of the program; nothing when it was sent."""
    try:
        letter_write(**letter)
    except LetterRefused as no:
        return {fault.code for fault in no.faults}
    except Exception as error:
        return {repr(error)}
    return set()


def test_a_letter_has_up_to_4000_characters(told: World) -> None:
    for count, wrong in ((3999, set()), (4000, set()), (4001, {"letter/long"})):
        assert refused(sender=told.english, recipient=told.dutch, text="x" * count) == wrong, count


@pytest.mark.clause("G.EN1")
def test_only_some_people_may_write_to_each_other_at_some_times(told: World, captain: Membership) -> None:
    pairs = [
        (told.english, told.dutch, set()), (told.english, told.umpire, set()), (told.umpire, told.dutch, set()),
        (captain, told.english, set()), (told.english, told.english, {"letter/nobody"}),
        (told.english, told.observer, {"letter/nobody"}), (told.observer, told.umpire, {"letter/observer"}),
    ]  # fmt: skip
    for sender, recipient, wrong in pairs:
        assert refused(sender=sender, recipient=recipient, text="Sir") == wrong
    own = f"{ENGLISH}-01"
    for sender, carrier, wrong in (
        (told.english, own, set()), (told.dutch, own, {"letter/carrier"}), (told.umpire, own, {"letter/carrier"}),
    ):  # fmt: skip
        to = told.dutch if sender != told.dutch else told.english
        assert refused(sender=sender, recipient=to, text="Sir", carrier=carrier) == wrong
    Campaign.objects.update(status="closed")
    told.english.campaign.refresh_from_db()
    assert refused(sender=told.english, recipient=told.dutch, text="Sir") == {"letter/over"}


@pytest.mark.clause("G.IN2")
def test_a_letter_within_a_side_or_to_or_from_the_umpire_arrives_at_once(
    told: World, captain: Membership
) -> None:
    for sender, recipient in ((told.english, captain), (told.english, told.umpire), (told.umpire, captain)):
        letter = letter_write(sender=sender, recipient=recipient, text="Sir")
        assert (letter.written, letter.due, letter.told, letter.fate, letter.truce) == (
            *(NOW, NOW, NOW, "delivered", False),
        )


@pytest.mark.clause("G.IN2", "G.IN4")
@pytest.mark.parametrize(
    ("settings", "own", "enemy"),
    [
        ({}, None, ("chatham", "texel")),
        ({"knowledge": "by ship"}, ("chatham", "yarmouth"), ("chatham", "texel")),
        ({"knowledge": "by ship", "news": "at once"}, None, None),
        ({"news": "at once"}, None, None),
    ],
)
def test_a_letter_takes_as_many_hours_as_the_way_between_the_players(
    told: World, captain: Membership, settings: Any, own: Any, enemy: Any
) -> None:
    play(told, **settings)
    captain.campaign = told.campaign
    for recipient, way in ((captain, own), (told.dutch, enemy), (told.umpire, None)):
        letter = letter_write(sender=told.english, recipient=recipient, text="Sir")
        assert letter.due == NOW + (hours(told, *way) if way else 0)
        assert (letter.fate, letter.told) == (("under way", None) if way else ("delivered", NOW))
        assert letter.truce is (recipient == told.dutch)


@pytest.mark.clause("G.IN2")
def test_dispatches_reach_a_commander_in_chief_at_headquarters_and_an_admiral_with_their_first_fleet(
    told: World, captain: Membership
) -> None:
    assert post_of(captain) == "yarmouth"
    assert (post_of(told.english), post_of(told.dutch), post_of(told.umpire)) == ("chatham", "texel", "")
    Station.objects.filter(fleet__code="zja").update(at="nore", to="swin", run=1)
    assert post_of(captain) == "nore"
    FleetFactory._meta.model.objects.filter(code="zja").update(ended=True)
    assert post_of(captain) == "leith"
    captain.commands.all().delete()
    assert post_of(captain) == "chatham"


@pytest.mark.clause("G.IN2")
def test_a_letter_is_delivered_in_the_hour_it_is_due_and_checked_once(told: World) -> None:
    letter = letter_write(sender=told.english, recipient=told.dutch, text="Sir")
    for due, fate, when in ((121, "under way", None), (120, "delivered", 120), (119, "delivered", 120)):
        Letter.objects.filter(pk=letter.pk).update(due=due, fate="under way", told=None)
        told.campaign.calendar_day = 5
        letters_advance(campaign=told.campaign)
        letter.refresh_from_db()
        assert (letter.fate, letter.told) == (fate, when), due
    told.campaign.calendar_day = 6
    letters_advance(campaign=told.campaign)
    letter.refresh_from_db()
    assert letter.told == 120


# --- carried in a ship ---------------------------------------------------------------------------------------

HER = f"{ENGLISH}-01"


def carried(told: World, recipient: Membership, **changes: Any) -> tuple[str, Any]:
    """What has become, a day later, of a letter in a ship, and who has it. changes: of the ship; station: of her fleet."""
    told.campaign.calendar_day = 3
    with put_back():
        letter = letter_write(sender=told.english, recipient=recipient, text="Sir", carrier=HER)
        assert (letter.due, letter.fate, letter.told, letter.written) == (None, "under way", None, NOW)
        Station.objects.filter(fleet=told.english_fleet).update(**changes.pop("station", {}))
        if changes:
            Ship.objects.filter(code=HER).update(**changes)
        told.campaign.calendar_day = 4
        letters_advance(campaign=told.campaign)
        letter.refresh_from_db()
        found = letter.fate, letter.taken_by
        assert letter.told == (None if letter.fate == "under way" else 96)
    return found


@pytest.mark.parametrize(
    ("at", "to", "fate"),
    [
        ("chatham", "", "delivered"), ("dover", "", "delivered"), ("chatham", "nore", "under way"), ("nore", "", "under way"),
        ("texel", "", "under way"), ("ostend", "", "under way"), ("swin", "", "under way"),
    ],
)  # fmt: skip
def test_a_ship_delivers_a_letter_in_a_port_of_her_side(told: World, at: str, to: str, fate: str) -> None:
    assert carried(told, told.umpire, station={"at": at, "to": to}) == (fate, None)


def test_a_ship_delivers_a_letter_where_the_readers_fleet_lies(told: World, captain: Membership) -> None:
    captain.commands.exclude(fleet__code="zja").delete()
    for here, fate in (
        ({"at": "yarmouth", "to": "", "run": 0}, "delivered"),
        ({"at": "swin", "to": "", "run": 0}, "under way"),
        ({"at": "swin", "to": "gunfleet", "run": 3}, "under way"),
    ):
        assert carried(told, captain, station=here)[0] == fate
    Station.objects.filter(fleet__code="zja").update(at="swin", to="gunfleet", run=3)
    for here, fate in (
        ({"at": "swin", "to": "gunfleet", "run": 3}, "delivered"),
        ({"at": "swin", "to": "gunfleet", "run": 4}, "under way"),
        ({"at": "swin", "to": "nore", "run": 3}, "under way"),
        ({"at": "nore", "to": "gunfleet", "run": 3}, "under way"),
    ):
        assert carried(told, captain, station=here)[0] == fate
    assert carried(told, told.umpire, station={"at": "swin", "to": "gunfleet", "run": 3})[0] == "under way"


def test_a_letter_is_lost_with_its_ship_or_taken_with_her(told: World) -> None:
    assert told.dutch.side is not None
    enemy = {"navy": told.dutch.side.navy}
    for changes, fate in (
        ({"fate": "sunk", "squadron": None}, ("lost", None)), ({"squadron": None}, ("under way", None)),
        (enemy, ("taken", told.dutch.side)), ({**enemy, "squadron": None}, ("taken", told.dutch.side)),
        ({"code": "gone"}, ("lost", None)),
    ):  # fmt: skip
        assert carried(told, told.umpire, **changes) == fate, changes
