"""Convoys made by a theatre's calendar or by the umpire, and interned ships that the umpire releases. Rules: G.CV1, G.NE1, G.UM1.

What a convoy carries, and when it sails, is part of what the campaign carries from turn to turn, so that turns, replays and rollbacks
have it with everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from battles.engine.core.errors import Fault
from campaign.accounts import with_article
from campaign.calendar import chart_time
from campaign.models import Campaign, Command, Order, Side, Station, Turn
from campaign.pinned.use import rules_of
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import PlaceKind
from campaign.rules.state.clock import DAY
from campaign.rules.state.duties import Duties
from campaign.selectors.turn.coming import codes_to_come
from campaign.selectors.turn.facts import theatre_of
from campaign.services.orders.openings import card_figures
from campaign.services.umpire_log import act_log
from fleets.services.chart_rows import ships_release
from fleets.services.merchants import merchants_muster

if TYPE_CHECKING:
    from fleets.models import Fleet

MOST_SHIPS = 60


class ConvoyRefused(ValueError):
    """A convoy that cannot be made, or ships that cannot be released, with every reason; nothing was saved."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.text for fault in self.faults))


def convoy_make(
    *,
    campaign: Campaign,
    side: Side,
    code: str,
    name: str,
    ships: Sequence[str],
    start: str,
    destination: str,
    value: int,
    sails_day: int,
    guns: int = 12,
    tons: int = 300,
) -> Fleet:
    """Make a convoy of merchants that lies where it starts until its day. Returns its fleet.

    ships: names. start, destination: codes of places. value: points of the whole cargo, shared evenly, the odd ones to the first.
    sails_day: days since the campaign's start. Raises ConvoyRefused. Rules: G.CV1, G.VP1.
    """
    faults = list(_faults(campaign, side, code, name, ships, start, destination, value, sails_day))
    if faults:
        raise ConvoyRefused(faults)
    with transaction.atomic():
        try:
            fleet = merchants_muster(
                navy=side.navy, fleet_code=code, fleet_name=name, names=list(ships), guns=guns, tons=tons,
                year=int(campaign.start_date[:4]),
                overrides=card_figures(campaign.opening_code or campaign.theatre.code, campaign.book.rule_set, "merchant"),
                when=chart_time(campaign.start_date, campaign.calendar_day * DAY),
            )  # fmt: skip
        except ValidationError as error:
            raise ConvoyRefused([Fault("ships", " ".join(error.messages))]) from error
        Station.objects.create(fleet=fleet, at=start, since=campaign.calendar_day * DAY)
        member = side.memberships.order_by("-chief", "pk").first()
        if member is not None:
            Command.objects.create(membership=member, fleet=fleet)
        _load(campaign, side, fleet, destination, value, sails_day)
        turn = campaign.turns.filter(phase=Turn.Phase.OPEN).order_by("-number").first()
        if turn is not None:
            convoy_order(campaign=campaign, turn=turn, fleet=fleet, start=start, destination=destination)
    return fleet


def convoy_order(*, campaign: Campaign, turn: Turn, fleet: Fleet, start: str, destination: str) -> None:
    """A convoy's first orders: to its destination by the shortest way, avoiding everyone."""
    route = geometry(theatre_of(campaign)).route(start, destination)
    Order.objects.get_or_create(
        turn=turn, fleet=fleet, defaults={"route": list(route), "stance": "avoid", "source": "standing"}
    )


def _load(campaign: Campaign, side: Side, fleet: Fleet, destination: str, value: int, sails_day: int) -> None:
    """Write down what the ships carry and the hour before which they do not sail."""
    carried = dict(campaign.carried)
    duties = rules_of(campaign)(Duties.read)(carried.get("duties", {}))
    codes = sorted(campaign.book.ships.filter(squadron__fleet=fleet).values_list("code", flat=True))
    duties.load(fleet.code, codes, value, destination, side.code)
    fleets = {**carried.get("fleets", {}), fleet.code: {"off_until": sails_day * DAY}}
    campaign.carried = {**carried, "fleets": fleets, "duties": rules_of(campaign)(Duties.doc)(duties)}
    campaign.save(update_fields=["carried"])


def _faults(
    campaign: Campaign,
    side: Side,
    code: str,
    name: str,
    ships: Sequence[str],
    start: str,
    destination: str,
    value: int,
    sails_day: int,
) -> Iterable[Fault]:
    places = theatre_of(campaign).places
    try:
        validate_slug(code)
    except ValidationError:
        yield Fault("code", "Use only letters, digits and hyphens in the code.")
    if len(code) > 12:
        yield Fault("code", "The code is too long. Use up to 12 characters.")
    if code in codes_to_come(campaign):
        yield Fault(
            "code", f"The calendar keeps the code {code} for a fleet that is to come. Choose another."
        )
    if not name.strip():
        yield Fault("name", "A convoy needs a name.")
    if not 1 <= len(ships) <= MOST_SHIPS or not all(ship.strip() for ship in ships):
        yield Fault("ships", f"A convoy has 1 to {MOST_SHIPS} ships, each with a name.")
    for path, place in (("start", start), ("destination", destination)):
        if place not in places:
            yield Fault(path, f"There is no place {place!r} on the chart.")
    if start == destination:
        yield Fault("destination", "Choose a destination other than the place it starts from.")
    elif destination in places:
        there = places[destination]
        if there.kind is PlaceKind.PORT and there.owner not in side.nations:
            yield Fault("destination", f"{there.name} is not one of {with_article(side.name)}'s ports.")
    if value < 0:
        yield Fault("value", "The value of the cargo must be 0 points or more.")
    if sails_day < campaign.calendar_day:
        yield Fault("sails_day", "The sailing day is in the past. Choose a later day.")


def convoys_of_opening(*, campaign: Campaign, rows: Sequence[Mapping[str, Any]]) -> None:
    """Make the convoys that a theatre's opening lists, of the sides that take part. Raises ConvoyRefused. Rule: G.CV1."""
    sides = {side.name: side for side in campaign.sides.select_related("navy")}
    for row in rows:
        if row["side"] in sides:
            convoy_make(
                campaign=campaign, side=sides[row["side"]], code=row["code"], name=row["name"], ships=row["ships"],
                start=row["start"], destination=row["destination"], value=row["value"], sails_day=row["day"],
                guns=row["guns"], tons=row["tons"],
            )  # fmt: skip


def convoy_make_by_umpire(
    *, campaign: Campaign, turn: Turn, umpire: User, reason: str, **convoy: Any
) -> Fleet:
    """The umpire makes a convoy while a turn takes orders; the log says so, but not where and when. Raises ConvoyRefused."""
    _open_or_refuse(turn)
    with transaction.atomic():
        fleet = convoy_make(campaign=campaign, **convoy)
        act_log(
            campaign=campaign, turn=turn, actor=umpire.get_username(), action="made a convoy", reason=reason
        )
    return fleet


def interned_release(
    *, campaign: Campaign, turn: Turn, umpire: User, ships: Sequence[str], reason: str
) -> list[str]:
    """Release interned ships: those of one side and port are a fleet there, ready for orders. Returns the codes of the new fleets.

    Raises ConvoyRefused for ships that are not interned, and while no turn takes orders. Rule: G.NE1.
    """
    _open_or_refuse(turn)
    carried = dict(campaign.carried)
    duties = rules_of(campaign)(Duties.read)(carried.get("duties", {}))
    strange = [ship for ship in ships if ship not in duties.interned]
    if strange or not ships:
        raise ConvoyRefused([Fault("ships", "Choose ships that are interned in a neutral port.")])
    groups: dict[tuple[str, str], list[str]] = {}
    for ship in sorted(set(ships)):
        kept = duties.interned.pop(ship)
        groups.setdefault((kept.side, kept.place), []).append(ship)
    codes = []
    with transaction.atomic():
        for number, ((side, place), group) in enumerate(sorted(groups.items()), start=1):
            codes.append(_set_free(campaign, turn, f"{side}-r{turn.number}-{number}", side, place, group))
        campaign.carried = {**carried, "duties": rules_of(campaign)(Duties.doc)(duties)}
        campaign.save(update_fields=["carried"])
        act_log(
            campaign=campaign,
            turn=turn,
            actor=umpire.get_username(),
            action="released interned ships",
            reason=reason,
        )
    return codes


def _set_free(campaign: Campaign, turn: Turn, code: str, side: str, place: str, ships: list[str]) -> str:
    port = theatre_of(campaign).places[place].name
    fleet = ships_release(
        book=campaign.book, navy_code=side, code=code, ships=ships, place=port,
        when=chart_time(campaign.start_date, turn.first_day * DAY), turn=turn.reference,
    )  # fmt: skip
    Station.objects.create(fleet=fleet, at=place, since=turn.first_day * DAY)
    member = campaign.memberships.filter(side__navy__code=side).order_by("-chief", "pk").first()
    if member is not None:
        Command.objects.create(membership=member, fleet=fleet)
    Order.objects.create(turn=turn, fleet=fleet, stance="avoid", source="standing")
    return code


def _open_or_refuse(turn: Turn) -> None:
    if turn.phase != Turn.Phase.OPEN:
        raise ConvoyRefused(
            [Fault("", f"Turn {turn.number} is not open for orders. Wait for the next turn to open.")]
        )
