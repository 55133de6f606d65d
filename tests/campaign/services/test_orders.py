"""Orders given and refused."""

import pytest

from campaign.models import Command, Membership, Order, Turn
from campaign.services.orders import OrderRefused, order_submit, ready_set
from campaign.services.turns import turn_lock
from fleets.models import Fleet


def own_fleet(member: Membership) -> Fleet:
    """The one fleet of a member's side."""
    return Fleet.objects.get(navy=member.side.navy)


def give(turn: Turn, member: Membership, fleet: Fleet, **changes: object) -> Order:
    """Orders to sail for the Galloper, with changes."""
    fields = {"route": ["galloper"], "stance": "seek", "on_arrival": "anchor"} | changes
    return order_submit(turn=turn, membership=member, fleet=fleet, **fields)


def codes(refused: pytest.ExceptionInfo[OrderRefused]) -> list[str]:
    """Codes of a refusal."""
    return [fault.code for fault in refused.value.faults]


@pytest.mark.clause("G.MV2")
def test_orders_are_kept_with_who_gave_them(turn: Turn, english: Membership) -> None:
    order = give(turn, english, own_fleet(english))
    assert (order.route, order.stance, order.author, order.source) == (
        ["galloper"],
        "seek",
        "english@club.example",
        "web",
    )
    assert order.state_no == 2  # the one that was there is replaced


@pytest.mark.clause("G.MV3")
def test_places_that_do_not_join_are_refused_with_clause_and_sentence_and_nothing_is_saved(
    turn: Turn, english: Membership
) -> None:
    fleet = own_fleet(english)
    with pytest.raises(OrderRefused) as refused:
        give(turn, english, fleet, route=["texel", "atlantis"])
    assert "order/no-such-place" in codes(refused)
    assert all(fault.clause.startswith("G.") and fault.text.endswith(".") for fault in refused.value.faults)
    assert turn.orders.get(fleet=fleet).route == []


def test_a_fleet_of_the_enemy_takes_no_orders(turn: Turn, english: Membership, dutch: Membership) -> None:
    with pytest.raises(OrderRefused) as refused:
        give(turn, english, own_fleet(dutch))
    assert codes(refused) == ["order/not-your-fleet"]


@pytest.mark.clause("G.IN4")
def test_an_admiral_who_is_not_chief_commands_the_fleets_given_to_him(
    turn: Turn, english: Membership
) -> None:
    fleet = own_fleet(english)
    Membership.objects.filter(pk=english.pk).update(chief=False)
    english.refresh_from_db()
    give(turn, english, fleet)
    Command.objects.all().delete()
    with pytest.raises(OrderRefused):
        give(turn, english, fleet)


def test_a_stale_form_does_not_overwrite_what_somebody_else_ordered(turn: Turn, english: Membership) -> None:
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


def test_new_orders_take_back_the_ready_mark(turn: Turn, english: Membership) -> None:
    ready_set(turn=turn, membership=english, ready=True)
    ready_set(turn=turn, membership=english, ready=True)
    assert turn.ready_marks.count() == 1
    give(turn, english, own_fleet(english))
    assert turn.ready_marks.count() == 0
