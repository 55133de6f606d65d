"""Orders given and refused."""

from datetime import UTC, datetime, timedelta

import pytest

from campaign.models import Command, Membership, Order, Turn
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.orders.orders import OrderRefused, order_submit
from campaign.services.turn.readiness import ready_set
from campaign.services.turn.turns import deadline_of, turn_lock
from fleets.models import Fleet
from tests.support.answers import flawless


def own_fleet(member: Membership) -> Fleet:
    """The one fleet of a member's side."""
    return Fleet.objects.get(navy=member.side.navy)


def give(
    turn: Turn, member: Membership, fleet: Fleet, state_no: int | None = None, **changes: object
) -> Order:
    """Orders to sail for the Galloper, with changes."""
    order = OrderColumns(["galloper"], "seek")._replace(**changes)
    return flawless(order_submit, turn=turn, membership=member, fleet=fleet, order=order, state_no=state_no)


def codes(refused: pytest.ExceptionInfo[OrderRefused]) -> list[str]:
    """Codes of a refusal."""
    return [fault.code for fault in refused.value.faults]


@pytest.mark.clause("G.MV2")
def test_orders_are_kept_with_the_name_of_who_gave_them(turn: Turn, english: Membership) -> None:
    order = give(turn, english, own_fleet(english))
    assert (order.route, order.stance, order.author, order.source) == (
        ["galloper"],
        "seek",
        "english@club.example",
        "web",
    )
    assert order.state_no == 2  # the one that was there is replaced


@pytest.mark.clause("G.MV3")
def test_unconnected_places_are_refused_with_clause_and_sentence_and_nothing_is_saved(
    turn: Turn, english: Membership
) -> None:
    fleet = own_fleet(english)
    with pytest.raises(OrderRefused) as refused:
        give(turn, english, fleet, route=["texel", "atlantis"])
    assert "order/no-such-place" in codes(refused)
    assert all(fault.clause.startswith("G.") and fault.text.endswith(".") for fault in refused.value.faults)
    assert turn.orders.get(fleet=fleet).route == []


def test_an_enemy_fleet_takes_no_orders(turn: Turn, english: Membership, dutch: Membership) -> None:
    with pytest.raises(OrderRefused) as refused:
        give(turn, english, own_fleet(dutch))
    assert codes(refused) == ["order/not-your-fleet"]


@pytest.mark.clause("G.IN4")
def test_an_admiral_who_is_not_commander_in_chief_commands_the_fleets_given_to_them(
    turn: Turn, english: Membership
) -> None:
    fleet = own_fleet(english)
    Membership.objects.filter(pk=english.pk).update(chief=False)
    english.refresh_from_db()
    give(turn, english, fleet)
    Command.objects.all().delete()
    with pytest.raises(OrderRefused):
        give(turn, english, fleet)


def test_a_stale_form_does_not_overwrite_orders_from_someone_else(turn: Turn, english: Membership) -> None:
    fleet = own_fleet(english)
    give(turn, english, fleet, state_no=1)
    with pytest.raises(OrderRefused) as refused:
        give(turn, english, fleet, route=["north_foreland"], state_no=1)
    assert codes(refused) == ["order/stale"]
    assert turn.orders.get(fleet=fleet).route == ["galloper"]


def test_a_locked_turn_takes_no_orders_and_no_ready_marks(turn: Turn, english: Membership) -> None:
    turn_lock(turn=turn)
    turn.refresh_from_db()
    with pytest.raises(OrderRefused, match="no longer takes orders"):
        give(turn, english, own_fleet(english))
    with pytest.raises(OrderRefused, match="no longer takes orders"):
        ready_set(turn=turn, membership=english, ready=True)


def test_new_orders_remove_the_ready_mark(turn: Turn, english: Membership) -> None:
    ready_set(turn=turn, membership=english, ready=True)
    ready_set(turn=turn, membership=english, ready=True)
    assert turn.ready_marks.count() == 1
    give(turn, english, own_fleet(english))
    assert turn.ready_marks.count() == 0


@pytest.mark.clause("G.CL1", "G.UM1")
def test_the_last_side_to_be_ready_runs_the_turn_and_the_log_says_so(
    turn: Turn, english: Membership, dutch: Membership
) -> None:
    ready_set(turn=turn, membership=english, ready=True)
    turn.refresh_from_db()
    assert turn.phase == Turn.Phase.OPEN
    ready_set(turn=turn, membership=dutch, ready=True)
    turn.refresh_from_db()
    assert turn.phase == Turn.Phase.LOCKED
    action = turn.campaign.umpire_actions.latest("pk")
    assert (action.actor, action.reason) == ("the site", "every side was ready")


@pytest.mark.clause("G.UM1")
@pytest.mark.parametrize("hindrance", ["held", "paused", "by the clock"])
def test_a_turn_that_must_wait_waits_even_when_all_are_ready(
    turn: Turn, english: Membership, dutch: Membership, hindrance: str
) -> None:
    turn.hold = hindrance == "held"
    turn.save()
    turn.campaign.status = "paused" if hindrance == "paused" else "active"
    turn.campaign.run_when_ready = hindrance != "by the clock"
    turn.campaign.save()
    for member in (english, dutch):
        ready_set(turn=turn, membership=member, ready=True)
    turn.refresh_from_db()
    assert turn.phase == Turn.Phase.OPEN


@pytest.mark.clause("G.CL1")
def test_a_turn_closes_on_the_campaigns_weekdays_when_it_has_some(turn: Turn) -> None:
    campaign = turn.campaign
    campaign.deadline_days, campaign.time_zone = [3, 6], "Europe/London"
    opened = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
    assert deadline_of(campaign, opened) == datetime(2026, 6, 18, 19, 0, tzinfo=UTC)
    campaign.deadline_days = []
    assert deadline_of(campaign, opened) == opened + timedelta(hours=campaign.deadline_hours)
