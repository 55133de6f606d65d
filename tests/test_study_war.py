"""The table of whole wars counts what it says, and the bench plays a war of a few days. Rule: G.AA7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from campaign import measures as m
from campaign.rules.chart.points import SCALE, Point
from tests import study_war

pytestmark = pytest.mark.clause("G.AA7")

HOME = Point(50 * SCALE, -4 * SCALE)
CALAIS = Point(51 * SCALE, 2 * SCALE)
MILE = SCALE // 60


def then(
    code: str, side: str = "England", at: Point = HOME, *, group: bool = False, **ships: int
) -> m.FleetThen:
    return m.FleetThen(code, side, at, {fleet: Fraction(value) for fleet, value in ships.items()}, group)


def morning(day: int, *fleets: m.FleetThen, brought: Mapping[str, int] | None = None) -> m.Morning:
    return m.Morning(day, fleets, brought or {})


def war(*mornings: m.Morning, theatre: str = m.CHANNEL, **over: object) -> m.War:
    made = m.War(
        theatre=theatre, seed="war 1", days=24, opening={"England": (1, Fraction(100)), "Spain": (1, Fraction(200))},
        mornings=mornings, fights=(), lines=(), passages=(), orders=10, refused=0, achieved={}, decisive=False, lead=0,
    )  # fmt: skip
    return replace(made, **over)  # type: ignore[arg-type]


def fight(hour: int, *fleets: str, hit: bool = True) -> m.Fight:
    return m.Fight(hour, frozenset(fleets), hit)


def line(wars: list[m.War], words: str) -> m.Line:
    (row,) = (row for row in m.MEASURES if words in row.words)
    return m.Line(row.words, row.bound, *row.found(wars), row.starred)


@pytest.mark.parametrize(("left", "day", "so"), [(60, 7, True), (59, 7, False), (59, 8, True)])
def test_a_side_keeps_its_value_on_the_day_that_is_asked(left: int, day: int, so: bool) -> None:
    told = war(morning(0, then("HOW", HOW=100)), morning(day, then("HOW", HOW=left - 20), then("x", HOW=20)))
    assert m.keeps("England", 60, 7)(told) is so


def test_of_a_war_that_ended_before_the_day_its_last_morning_counts() -> None:
    assert not m.keeps("England", 60, 7)(war(morning(3, then("HOW", HOW=10))))


@pytest.mark.parametrize(
    ("day", "there", "so"), [(14, 51, True), (14, 50, False), (15, 51, False), (3, 100, True)]
)
def test_a_fleet_comes_when_the_greater_part_of_what_is_left_is_there(day: int, there: int, so: bool) -> None:
    told = war(
        morning(day, then("a", "Spain", CALAIS, MED=there), then("b", "Spain", HOME, MED=100 - there)),
        morning(20, then("a", "Spain", HOME, MED=1)),
    )
    assert m.comes("MED", 14, lambda point: point.longitude >= m.CALAIS)(told) is so


@pytest.mark.parametrize(("miles", "day", "so"), [(3, 8, True), (4, 8, False), (3, 9, False)])
def test_two_fleets_are_in_company_within_three_miles(miles: int, day: int, so: bool) -> None:
    near = Point(HOME.latitude + miles * MILE - 5, HOME.longitude)
    told = war(
        morning(
            day, then("a", ALB=80), then("b", "England", near, RUP=20), then("c", "England", CALAIS, RUP=19)
        )
    )
    assert m.meets("RUP", "ALB", 8)(told) is so


def test_a_fleet_that_has_joined_another_is_in_company_and_one_that_is_gone_is_not() -> None:
    assert m.meets("RUP", "ALB", 8)(war(morning(2, then("ALB", ALB=80, RUP=20))))
    assert not m.meets("RUP", "ALB", 8)(war(morning(2, then("ALB", ALB=80))))


@pytest.mark.parametrize(("hour", "hit", "so"), [(143, True, True), (144, True, False), (0, False, False)])
def test_a_battle_counts_with_its_hits_and_within_its_days(hour: int, hit: bool, so: bool) -> None:
    assert m.fights_within(6)(war(fights=(fight(hour, "a", "b", hit=hit),))) is so


@pytest.mark.parametrize(("decisive", "lead", "so"), [(False, 10, True), (False, 9, False), (True, 0, True)])
def test_a_war_is_decided_by_a_decisive_objective_or_ten_marks(decisive: bool, lead: int, so: bool) -> None:
    assert m.decided(war(decisive=decisive, lead=lead)) is so
    row = line([war(decisive=decisive, lead=lead), war(), war(), war(lead=10), war()], "decisive objective")
    assert (row.found, row.holds) == (f"{1 + so} of 5", so)


def test_objectives_are_counted_whichever_it_was() -> None:
    assert m.achieves("sp_join", "en_water")(war(achieved={"en_water": 17}))
    assert not m.achieves("sp_join", "en_water")(war(achieved={"sp_land": 3}))


@pytest.mark.parametrize(("fleets", "brought", "over"), [(7, 0, 0), (8, 0, 1), (8, 1, 0)])
def test_a_side_may_have_six_fleets_more_than_it_was_given_and_any_number_of_groups(
    fleets: int, brought: int, over: int
) -> None:
    rows = [then(f"f{n}") for n in range(fleets)] + [then(f"g{n}", group=True) for n in range(5)]
    told = war(morning(4, *rows, brought={"England": brought}))
    assert m.crowded(told) == (over, 2)
    found = line([told], "too many fleets")
    assert (found.holds, found.starred) == (not over, True)


def test_of_sightings_the_median_and_the_95th_of_a_hundred_are_bounded() -> None:
    assert [m.quantile(range(1, 101), percent) for percent in (50, 95)] == [50, 95]
    assert m.quantile([], 95) == 0
    row = line([war(lines=(1, 4, 4, 4, 12))], "sightings")
    assert (row.found, row.holds) == ("4; 12", True)
    assert not line([war(lines=(5,))], "sightings").holds
    assert not line([war(lines=(1,) * 9 + (13,))], "sightings").holds


@pytest.mark.parametrize(
    ("second", "again"),
    [
        (fight(34, "a", "b", hit=False), 1), (fight(35, "a", "b", hit=False), 0), (fight(20, "a", "c", hit=False), 0),
        (fight(20, "a", "b"), 0),
    ],
)  # fmt: skip
def test_battles_without_a_hit_may_not_follow_one_another(second: m.Fight, again: int) -> None:
    told = war(
        fights=(fight(10, "a", "b", hit=False), second, *(fight(100 + n, "x", "y") for n in range(38)))
    )
    assert m.repeated(told) == again
    row = line([told], "without a hit")
    assert row.starred and row.holds is (not again)


def test_one_battle_in_twenty_may_be_without_a_hit() -> None:
    fights = tuple(fight(100 * n, "a", "b", hit=n > 0) for n in range(20))
    assert line([war(fights=fights)], "without a hit").holds
    assert not line([war(fights=fights[:19])], "without a hit").holds


@pytest.mark.parametrize(("chosen", "holds"), [(130, True), (131, False)])
def test_prizes_go_little_farther_than_to_the_nearest_port(chosen: int, holds: bool) -> None:
    """One that lies in a port has no way to compare."""
    told = war(passages=(m.Passage(chosen, 100), m.Passage(100, 100), m.Passage(50, 0)))
    assert line([told], "prizes").holds is holds


def test_no_order_may_be_refused_whole() -> None:
    assert line([war()], "refused").found == "none of 10"
    assert not line([war(refused=1), war()], "refused").holds


@pytest.mark.parametrize(("kept", "holds"), [(9, True), (8, False)])
def test_eighteen_of_twenty_are_nine_of_ten(kept: int, holds: bool) -> None:
    wars = [war(morning(0, then("HOW", HOW=100 if n < kept else 1))) for n in range(10)]
    row = line(wars, "60%")
    assert (row.found, row.holds) == (f"{kept} of 10", holds)


def test_each_theatre_has_its_own_events_and_those_of_all_theatres() -> None:
    counts = {
        theatre: len(m.table([war(morning(0), theatre=theatre)]))
        for theatre in (m.NARROW_SEAS, m.ATLANTIC, "x")
    }
    assert counts == {m.NARROW_SEAS: 8, m.ATLANTIC: 8, "x": 6}
    assert sum(row.starred for row in m.MEASURES) == 3


def test_only_a_marked_figure_that_is_too_slow_fails_the_measurement() -> None:
    idle = fight(1, "a", "b", hit=False)
    assert study_war.fails([[war(morning(0, then("HOW", HOW=100)))]]) is False
    assert study_war.fails([[war(morning(0, then("HOW", HOW=1)))]]) is False
    assert study_war.fails([[war(morning(0), fights=(idle,))]]) is True
    told = list(study_war.rows([war(morning(0), fights=(idle,))]))
    assert any(row.startswith("| * battles without a hit") and "does not" in row for row in told)


@pytest.mark.one_database
@pytest.mark.django_db
def test_a_war_of_two_days_is_played_and_recorded() -> None:
    """The Armada and Howard have met by then, and what the record says can be read from the campaign."""
    from campaign.models import Contact
    from tests.play_war import fought, plans_of, record

    campaign = fought("channel_1588", "war 1", 2)
    found = record(campaign, "war 1")
    assert (found.theatre, found.days) == (m.CHANNEL, campaign.calendar_day) and 2 <= found.days < 5
    assert found.opening["England"][0] == 3 and found.opening["Spain"][1] > found.opening["England"][1]
    assert [row.day for row in found.mornings] == list(range(found.days))
    assert m.comes("MED", 2, lambda point: point.longitude < m.CALAIS)(found)
    assert len(found.fights) == Contact.objects.filter(turn__campaign=campaign).count() > 0
    assert found.orders and not found.refused and found.lines
    assert any("Lord Admiral's fleet" in row for row in plans_of(campaign))
