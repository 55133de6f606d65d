"""The template of orders in a turn email, and the token that shows whose reply it is. Rule: G.MV2.

The token is made of turn and membership and signed with the server's key. With the sender's address it takes the place of a login.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from battles.boards import PRESENTATIONS
from campaign.forms import OrdersForm
from campaign.models import Membership, Order, Station, Turn
from campaign.notices.replies import LABELS, STAY
from campaign.rules.chart import types as t
from campaign.selectors.orders.orders import charges, has_landings, havens, own_ports
from campaign.selectors.orders.orders_left import order_as_left
from campaign.selectors.people.commanding import fleets_commanded
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.groups import groups_now

if TYPE_CHECKING:
    from fleets.models import Fleet

# The instructions that a template shows; a reply may hold any other too.
SHOWN = (
    "stance", "on_arrival", "greatest_odds", "gauge", "fight_at", "break_off", "at_nightfall", "at_sound_of_guns",
)  # fmt: skip
Lines = list[tuple[str, str]]
_SALT = "campaign.reply"
_LENGTH = 16  # of 5 bits each


def token_for(*, turn_id: int, membership_id: int) -> str:
    """The reply token of a player in a turn: WG-, both numbers, and 80 bits of a signature."""
    return f"WG-{turn_id}-{membership_id}-{_signature(turn_id, membership_id)}"


def token_good(*, turn_id: int, membership_id: int, signature: str) -> bool:
    """Whether this server made a token."""
    return constant_time_compare(signature, _signature(turn_id, membership_id))


def _signature(turn_id: int, membership_id: int) -> str:
    digest = salted_hmac(_SALT, f"{turn_id}/{membership_id}", algorithm="sha256").digest()
    return base64.b32encode(digest).decode().lower()[:_LENGTH]


def stations_for_reply(membership: Membership) -> list[Station]:
    """The stations of the fleets that a member may order by email, in the order of their codes."""
    if membership.side is None:
        return []
    stations = Station.objects.filter(fleet__navy=membership.side.navy_id, fleet__ended=False)
    rows = list(stations.select_related("fleet").order_by("fleet__code"))
    own = fleets_commanded(membership=membership, fleets=[row.fleet for row in rows])
    turn = membership.campaign.turns.order_by("-number").first()
    alone = groups_now(membership.campaign, turn)
    return [row for row in rows if row.fleet_id in own and row.fleet.code not in alone]


def reply_form(
    *, turn: Turn | None, membership: Membership, written: dict[int, Lines] | None = None
) -> dict[str, Any] | None:
    """What an email's template shows: {"token", "fleets": [{"name", "lines"}]}. None where no reply is offered.

    Fleets held by a battle take no orders and are left out. written: lines by fleet, kept from one reader of a turn to the next;
    they are the same for all who may order it. Rules: G.MV2, G.BT4.
    """
    if not settings.REPLY_TO or turn is None or turn.phase != Turn.Phase.OPEN or membership.side is None:
        return None
    stations = stations_for_reply(membership)
    names = [row.fleet.name for row in stations]
    lines: dict[int, Lines] = {} if written is None else written
    for row in stations:
        if not row.held_by and row.fleet_id not in lines:
            lines[row.fleet_id] = order_lines(membership, row, order_as_left(turn, membership.side, row)[0])
    fleets = [
        {"name": fleet_title(row.fleet, names), "lines": lines[row.fleet_id]}
        for row in stations
        if not row.held_by
    ]
    token = token_for(turn_id=turn.pk, membership_id=membership.pk)
    return {"token": token, "fleets": fleets} if fleets else None


def fleet_title(fleet: Fleet, names: list[str]) -> str:
    """A fleet's name, with its code where two have the same name."""
    return f"{fleet.name} ({fleet.code})" if names.count(fleet.name) > 1 else str(fleet.name)


def form_choices(membership: Membership, station: Station) -> dict[str, Any]:
    """The choices of the orders form, as the page on the site gives them."""
    assert membership.side is not None  # the callers have looked
    campaign, side = membership.campaign, membership.side
    return {
        "rule_set": campaign.book.rule_set,
        "ports": own_ports(campaign, side),
        "places": havens(campaign, side),
        "charges": charges(campaign, side, station),
        "landings": has_landings(campaign),
    }


def flat_choices(form: OrdersForm, name: str) -> list[tuple[str, str]]:
    """The choices of a field as (key, words), without their groups."""
    rows: list[tuple[str, str]] = []
    for key, label in form.fields[name].choices:  # type: ignore[attr-defined]
        if isinstance(label, (list, tuple)):
            rows += [(str(k), str(words)) for k, words in label]
        else:
            rows.append((str(key), str(label)))
    return rows


def order_lines(membership: Membership, station: Station, order: Order | None) -> Lines:
    """A fleet's present orders, as (label, words)."""
    form = OrdersForm(**form_choices(membership, station))
    now = OrdersForm.initial_from(order)
    shown = [*SHOWN]
    if now["on_arrival"] == t.OnArrival.ESCORT:
        shown.insert(2, "target")
    places = pure_theatre(membership.campaign.theatre).places
    route = [short_name(places[code].name) for code in (order.route if order is not None else ())]
    rows = [(LABELS["route"][0], " - ".join(route) or STAY)]
    own = own_labels(membership)
    for name in shown:
        if name in form.fields:
            known = dict(flat_choices(form, name)) if hasattr(form.fields[name], "choices") else {}
            rows.append((own.get(name, LABELS[name][0]), known.get(str(now[name]), str(now[name]))))
    return rows


def own_labels(membership: Membership) -> Mapping[str, str]:
    """The rule set's own labels of battle instructions, by field. Rule: G.MV5."""
    return PRESENTATIONS[membership.campaign.book.rule_set].wishes
