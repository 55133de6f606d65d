"""Letters from writer to reader, and what the sea and the enemy do to them."""

import pytest

from campaign.models import Campaign, Letter, Membership, UmpireAction
from campaign.rules.chart.dispatches import headquarters, travel_hours
from campaign.rules.chart.types import Settings
from campaign.selectors.reports.news import letter_rows, releases_for
from campaign.selectors.turn.facts import pure_theatre
from campaign.services.mail.letters import LONGEST, LetterRefused, letter_write, letters_advance
from campaign.services.settings.releases import ReleaseRefused, facts_release
from fleets.models import Ship
from tests.support.factories import CampaignFactory, MembershipFactory
from tests.support.people import DUTCH, ENGLISH, World, world


@pytest.fixture
def told(db: object) -> World:
    """A campaign full of tell-tales."""
    return world()


def later(campaign: Campaign, days: int) -> None:
    """Let days pass and a turn close."""
    campaign.calendar_day += days
    campaign.save()
    letters_advance(campaign=campaign)


@pytest.mark.clause("G.IN5", "G.IN2")
def test_a_letter_to_the_enemy_travels_under_a_flag_of_truce_and_takes_its_time(told: World) -> None:
    letter = letter_write(sender=told.english, recipient=told.dutch, text="  A truce for the wounded? ")
    theatre = pure_theatre(told.campaign.theatre)
    bases = [headquarters(theatre, side.nations) for side in (told.english.side, told.dutch.side)]
    assert letter.truce
    assert letter.text == "A truce for the wounded?"
    assert letter.due == 72 + travel_hours(theatre, *bases, Settings())
    assert letter_rows(told.campaign, told.dutch) == []
    later(told.campaign, 3)
    (row,) = letter_rows(told.campaign, told.dutch)
    assert (row.whose, row.author) == ("in", "english")
    assert "delivered" in letter_rows(told.campaign, told.english)[0].fate


@pytest.mark.clause("G.IN5", "G.IN4")
def test_a_letter_to_the_umpire_arrives_at_once(told: World) -> None:
    letter_write(sender=told.english, recipient=told.umpire, text="May I?")
    assert [row.whose for row in letter_rows(told.campaign, told.umpire)] == ["in"]


@pytest.mark.clause("G.IN5")
def test_the_captor_of_the_ship_reads_the_letter_and_its_addressee_does_not(told: World) -> None:
    letter_write(sender=told.english, recipient=told.dutch, text="of the plan", carrier=f"{ENGLISH}-01")
    later(told.campaign, 3)
    assert letter_rows(told.campaign, told.dutch) == []
    Ship.objects.filter(code=f"{ENGLISH}-01").update(navy=told.dutch.side.navy, prize=True)
    later(told.campaign, 3)
    (row,) = letter_rows(told.campaign, told.dutch)
    assert row.whose == "taken"
    assert letter_rows(told.campaign, told.english)[0].fate == "sent"
    assert Letter.objects.get().taken_by == told.dutch.side


@pytest.mark.clause("G.IN5")
def test_a_letter_goes_down_with_its_ship_and_no_one_is_notified(told: World) -> None:
    letter_write(sender=told.english, recipient=told.umpire, text="the log", carrier=f"{ENGLISH}-01")
    Ship.objects.filter(code=f"{ENGLISH}-01").update(fate="foundered")
    later(told.campaign, 1)
    assert Letter.objects.get().fate == "lost"
    assert letter_rows(told.campaign, told.english)[0].fate == "sent"


@pytest.mark.clause("G.IN5")
def test_a_ship_delivers_in_a_friendly_port(told: World) -> None:
    letter_write(sender=told.dutch, recipient=told.umpire, text="the log", carrier=f"{DUTCH}-01")
    later(told.campaign, 1)
    assert Letter.objects.get().fate == "under way"
    told.dutch_fleet.station.at, told.dutch_fleet.station.to = "texel_port", ""
    theatre = pure_theatre(told.campaign.theatre)
    told.dutch_fleet.station.at = headquarters(theatre, told.dutch.side.nations)
    told.dutch_fleet.station.save()
    later(told.campaign, 1)
    assert Letter.objects.get().fate == "delivered"


@pytest.mark.clause("G.IN5")
def test_all_errors_in_a_letter_are_reported_at_once_and_nothing_is_sent(told: World) -> None:
    with pytest.raises(LetterRefused) as refused:
        letter_write(sender=told.english, recipient=told.observer, text=" ", carrier=f"{DUTCH}-01")
    assert {fault.code for fault in refused.value.faults} == {
        "letter/nobody",
        "letter/empty",
        "letter/carrier",
    }
    with pytest.raises(LetterRefused, match=str(LONGEST)):
        letter_write(sender=told.english, recipient=told.dutch, text="x" * (LONGEST + 1))
    with pytest.raises(LetterRefused, match="Observers"):
        letter_write(sender=told.observer, recipient=told.dutch, text="hello")
    assert not Letter.objects.exists()


@pytest.mark.clause("G.IN3", "G.UM1")
def test_the_umpire_releases_a_report_fact_by_fact_and_the_log_keeps_it_secret(told: World) -> None:
    facts_release(
        campaign=told.campaign,
        umpire="umpire",
        side=told.english.side,
        fleet=told.dutch_fleet,
        fields=["name", "kind"],
        reason="prisoners talked",
    )
    rows = {row.field: row for row, _ in releases_for(told.campaign, told.english)}
    assert set(rows) == {"name", "kind"}
    assert rows["name"].value == f"Fleet {DUTCH}, under Adm {DUTCH}"
    assert rows["kind"].value.startswith("6 ")
    assert rows["name"].subject.startswith("Contact 1,")
    assert releases_for(told.campaign, told.dutch) == []
    assert releases_for(told.campaign, told.observer) == []
    action = UmpireAction.objects.get(action="released facts to a side")
    assert DUTCH not in action.action + action.reason


@pytest.mark.clause("G.IN3")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fields": []}, "Choose what"),
        ({"fields": ["orders"]}, "Choose what"),
        ({"reason": " "}, "Enter a reason"),
        ({"own": True}, "belongs to England"),
    ],
)
def test_a_fact_that_cannot_be_released_is_refused_with_a_sentence(
    told: World, change: dict, words: str
) -> None:
    wish = {"fields": ["seen"], "reason": "a spy", **change}
    fleet = told.english_fleet if wish.pop("own", False) else told.dutch_fleet
    with pytest.raises(ReleaseRefused, match=words):
        facts_release(campaign=told.campaign, umpire="umpire", side=told.english.side, fleet=fleet, **wish)
    assert releases_for(told.campaign, told.english) == []


def test_a_member_of_another_campaign_cannot_be_written_to(told: World) -> None:
    other = MembershipFactory(campaign=CampaignFactory(), side=None, role=Membership.Role.UMPIRE)
    assert other.campaign != told.campaign
    with pytest.raises(LetterRefused, match="Choose a player"):
        letter_write(sender=told.english, recipient=other, text="hello")
