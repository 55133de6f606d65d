"""Objectives: those of an opening when a campaign starts, and what the umpire makes of them. Rules: G.OB1, G.OB2, G.OB5, G.UM1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from battles.engine.core.errors import Fault
from campaign.models import Campaign, Objective, Turn
from campaign.pinned.use import rules_of
from campaign.rules.aims.marks import mark_of
from campaign.rules.aims.rows import Known, ObjectiveFaults, read_rows, taking_part
from campaign.rules.chart.objectives import FirstDay, Opening, Row
from campaign.rules.chart.types import ShipKind
from campaign.rules.state.aims import Aims
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.ashore.trade import duties_of
from campaign.selectors.turn.facts import aims_of, objectives_of, opening_of, pure_theatre
from campaign.selectors.turn.sheets import ship_kind
from campaign.services.setup.refusals import SetupRefused
from campaign.services.umpire_log import UmpireRefused, act_log, reason_given
from fleets.pins import rule_set_of_book
from fleets.selectors.sheets import ship_sheets


def opening_fix(*, campaign: Campaign) -> Opening:
    """Write down, once, what the sides have, and the points of a mark. Rule: G.OB2.

    Called when a campaign starts; in one that began before there were objectives, when it gets its first.
    """
    if campaign.opening:
        return opening_of(campaign)
    at_sea, traders = rule_set_of_book(campaign.book).at_sea, duties_of(campaign).traders()
    ships = {
        row["code"]: FirstDay(
            row["side"],
            row["fleet"],
            ship_kind(row["ship_type"]) is ShipKind.LINE,
            at_sea.whole_value(row["card"]),
        )
        for row in ship_sheets(campaign.book)
        if row["code"] not in traders and not row["prize"]
    }
    found = Opening(mark_of(Opening(0, ships).values.values()), ships)
    campaign.opening = found.doc()
    campaign.save(update_fields=["opening"])
    return found


def objectives_of_opening(*, campaign: Campaign, opening: Mapping[str, Any]) -> tuple[Row, ...]:
    """Give a campaign that starts the objectives and the last day of its theatre's opening, of the sides that take part.

    Raises SetupRefused with every fault. Call it when the fleets and convoys are made. Rules: G.OB1, G.OB5.
    """
    last_day = opening.get("last_day", "")
    if last_day:
        campaign.settings = {"end_date": last_day, **campaign.settings}
        campaign.save(update_fields=["settings"])
    later = [row.get("do", {}) for row in opening.get("calendar", ()) if row.get("kind") == "convoy"]
    known = known_to(campaign, expected=[*opening.get("convoys", ()), *filter(None, later)])
    try:
        rows = read_rows(taking_part(opening.get("objectives", ()), known.sides), known)
    except ObjectiveFaults as refusal:
        raise SetupRefused(refusal.faults) from refusal
    _write(campaign, rows)
    return rows


def known_to(campaign: Campaign, *, expected: Iterable[Mapping[str, Any]] = ()) -> Known:
    """What the objectives of a campaign may name. expected: convoys that are still to come, as an opening lists them."""
    sides = {side.name: side.code for side in campaign.sides.select_related("navy")}
    cargoes = duties_of(campaign)
    made = {
        code: (cargoes.cargoes[ship].side, cargoes.cargoes[ship].destination)
        for code, convoy in cargoes.convoys.items()
        for ship in convoy.ships
        if ship in cargoes.cargoes
    }
    coming = {
        row["code"]: (sides[row["side"]], row["destination"]) for row in expected if row["side"] in sides
    }
    first_day = {ship.fleet: ship.side for ship in opening_of(campaign).ships.values()}
    return Known(
        places=pure_theatre(campaign.theatre).places,
        sides=sides,
        at_war=frozenset(frozenset(pair) for pair in campaign.hostility),
        allied=frozenset(frozenset(pair) for pair in campaign.alliances),
        fleets=first_day,
        convoys={**coming, **made, **_delivered(campaign)},
        start=campaign.start_date,
        last_day=settings_from(campaign.settings).end_date,
    )


def _delivered(campaign: Campaign) -> dict[str, tuple[str, str]]:
    """Convoys of which nothing is under way any more, as the objectives that bring them have them: they may stay as they are."""
    under_way = set(duties_of(campaign).cargoes)
    done = {code for code, row in duties_of(campaign).convoys.items() if under_way.isdisjoint(row.ships)}
    return {row.what: (row.side, row.to[0]) for row in objectives_of(campaign) if row.what in done}


def _write(campaign: Campaign, rows: Sequence[Row]) -> None:
    sides = {side.code: side for side in campaign.sides.select_related("navy")}
    Objective.objects.bulk_create(
        Objective(campaign=campaign, side=sides[row.side], code=row.id, place=n, document=row.doc())
        for n, row in enumerate(rows)
    )


def reason_wanted(campaign: Campaign) -> bool:
    """Whether a change of objectives needs a reason in the umpire's log: once the first turn has been locked. Rule: G.OB1."""
    return Turn.every.filter(campaign=campaign, locked__isnull=False).exists()


def objective_save(
    *, campaign: Campaign, umpire: User, row: Mapping[str, Any], code: str = "", reason: str = ""
) -> Objective:
    """Make an objective, or change the one with the id `code`, while a turn takes orders. row: as an opening writes it.

    Raises ObjectiveFaults, whose paths are names of fields, and UmpireRefused without a reason, for an id that is not there, and
    while a turn is being run. Rules: G.OB1, G.UM1.
    """
    reason = _allowed(campaign, reason)
    opening_fix(campaign=campaign)
    old = {objective.code: objective for objective in campaign.objectives.all()}
    if code and code not in old:
        raise UmpireRefused(f"There is no objective {code}. It may have been deleted. Reload the page.")
    others = [objective.document for objective in old.values() if objective.code != code]
    made = _read_one(row, others, known_to(campaign))
    side = campaign.sides.get(navy__code=made.side)
    with transaction.atomic():
        if code:
            objective = old[code]
            objective.side, objective.document = side, {**made.doc(), "id": code}
            objective.save(update_fields=["side", "document"])
        else:
            place = max((objective.place for objective in old.values()), default=-1) + 1
            objective = Objective.objects.create(
                campaign=campaign, side=side, code=made.id, place=place, document=made.doc()
            )
        _log(campaign, umpire, "changed an objective" if code else "made an objective", reason)
    return objective


def objective_delete(*, campaign: Campaign, umpire: User, code: str, reason: str = "") -> None:
    """Delete an objective. Raises UmpireRefused as `objective_save` does, and for one that another denies. Rules: G.OB1, G.UM1."""
    reason = _allowed(campaign, reason)
    objective = campaign.objectives.filter(code=code).first()
    if objective is None:
        raise UmpireRefused(f"There is no objective {code}. It may have been deleted. Reload the page.")
    denied = [row.id for row in objectives_of(campaign) if row.objective == code]
    if denied:
        raise UmpireRefused(f"The objective {denied[0]} denies {code}. Delete {denied[0]} first.")
    aims = aims_of(campaign)
    with transaction.atomic():
        objective.delete()
        # another of the same id begins anew
        campaign.carried = {**campaign.carried, "aims": rules_of(campaign)(Aims.doc)(aims.without(code))}
        campaign.save(update_fields=["carried"])
        _log(campaign, umpire, "deleted an objective", reason)


def _read_one(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]], known: Known) -> Row:
    """A row, read beside the others so that ids and denials fit. Raises ObjectiveFaults with paths that are names of fields."""
    try:
        return read_rows([*others, dict(row)], known)[-1]
    except ObjectiveFaults as refusal:
        here = f"objectives[{len(others)}]"
        raise ObjectiveFaults(
            Fault(fault.path.removeprefix(here).lstrip("."), fault.text)
            if fault.path.startswith(here)
            else Fault("", f"Another objective no longer fits: {fault.text}")
            for fault in refusal.faults
        ) from refusal


def _allowed(campaign: Campaign, reason: str) -> str:
    """The reason, where one is wanted. Raises UmpireRefused without it, and when no turn takes orders."""
    if campaign.status == Campaign.Status.CLOSED:
        raise UmpireRefused("The campaign is over. Its objectives can no longer be changed.")
    if not campaign.turns.filter(phase=Turn.Phase.OPEN).exists():
        raise UmpireRefused("A turn is running. Change objectives when the next turn is open.")
    return reason_given(reason) if reason_wanted(campaign) else reason.strip()


def _log(campaign: Campaign, umpire: User, action: str, reason: str) -> None:
    """In the log, without the id: the objective may be secret. Rules: G.OB4, G.UM1."""
    turn = campaign.turns.order_by("-number").first()
    act_log(campaign=campaign, turn=turn, actor=umpire.get_username(), action=action, reason=reason)
