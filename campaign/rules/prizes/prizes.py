"""Prizes at sea: people who rise, prizes met by an enemy, and those that are sent in. Rules: G.PR1, G.PR2, G.PR3, G.MV5."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetOrder, ShipKind
from campaign.rules.contact.contact import wills
from campaign.rules.groups.courses import cripples_port, prize_port
from campaign.rules.groups.kinds import CRIPPLES, badly_hurt, in_groups, make_group
from campaign.rules.groups.kinds import PRIZES as GROUP_OF_PRIZES
from campaign.rules.losses.losses import end_if_empty
from campaign.rules.losses.soldiers import marines_again, surrender
from campaign.rules.prizes.prize_court import close_case, imprison, note_capture, note_recapture
from campaign.rules.sailing.parting import group_of, new_code, part
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import Stage
from campaign.rules.state.state import RETAKEN, FleetState, PrizeHold, ShipState
from campaign.rules.state.world import Chart

PRIZES = "prizes"
# So many hurt ships or prizes are worth a frigate to see them in. Rule: G.KT2.
LEAST_ESCORTED = 3


def prize_step(chart: Chart) -> None:
    """At 06:00 prisoners who outnumber their guard rise; then, and after a battle, prizes and cripples are sent in. Rules: G.PR2, G.PR3."""
    if chart.hour % DAY == 0:
        _prisoners_rise(chart)
    for fleet in chart.fleets():
        if chart.at_sea_now(fleet) and _may_send_in(chart, fleet):
            _send_in(chart, fleet)


def _prisoners_rise(chart: Chart) -> None:
    """Prisoners of every prize at sea try to rise. Rule: G.PR2."""
    state = chart.state
    state.prizes = {code: hold for code, hold in state.prizes.items() if _is_held(chart, code)}
    for code in sorted(state.prizes):
        if chart.at_sea_now(state.fleets[state.ships[code].fleet]):
            _rise(chart, state.ships[code], state.prizes[code])


def _may_send_in(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet sends ships in now: at the end of its battle unless it is chased, at 06:00 unless it is in contact. Rule: G.MV4."""
    fleets, contacts = chart.state.fleets, chart.state.contacts.values()
    if fleet.off_until == chart.hour:
        chases = [contact for contact in contacts if contact.parting == contact.quarry == fleet.code]
        return not any(wills(chart, fleets[contact.seeker], fleet, contact) for contact in chases)
    return chart.hour % DAY == 0 and not any(fleet.code in (c.seeker, c.quarry) for c in contacts)


def _is_held(chart: Chart, code: str) -> bool:
    ship = chart.state.ships.get(code)
    return ship is not None and ship.prize and bool(ship.fleet)


def _rise(chart: Chart, ship: ShipState, hold: PrizeHold) -> None:
    """Prisoners try once to retake her when the guard is too weak. Rules: G.PR2, T.C14."""
    settings = chart.facts.settings
    if hold.tried or settings.guard_share * ship.men >= hold.prisoners:
        return
    chart.state.prizes[ship.code] = replace(hold, tried=True)
    face = chart.dice.d6(clause="G.PR2", subjects=(chart.hour, ship.code), reason="prisoners rise")
    fleet = chart.state.fleets[ship.fleet]
    won = face >= settings.rise_at
    chart.tell(
        "rose", "G.PR2", ship.side, *((hold.taken_from,) if won else ()), ship=ship.code, face=face, won=won,
        side=ship.side, captor=hold.taken_from, ships=[ship.code], prisoners=hold.prisoners, guard=ship.men,
    )  # fmt: skip
    if won:
        _their_own_again(chart, ship, hold, fleet)


def _their_own_again(chart: Chart, ship: ShipState, hold: PrizeHold, fleet: FleetState) -> None:
    """A prize whose people have risen is a fleet of her old side, where she is, and makes for home. Rule: G.PR2."""
    state, side = chart.state, hold.taken_from
    code = new_code(chart, side)
    place = chart.nearest_own_port(fleet.position, side)
    route = chart.geometry.way(fleet.position, place, chart.closed[side]) if place else ()
    state.fleets[code] = FleetState(
        code=code,
        side=side,
        position=fleet.position,
        order=FleetOrder(code, route, Stance.AVOID),
        name=chart.facts.ships[ship.code].name,
    )
    state.ships[ship.code] = replace(
        ship, side=side, fleet=code, squadron=code, prize=False, men=hold.prisoners
    )
    imprison(chart, ship.code, ship.side, ship.men)
    marines_again(chart, ship.code, hold.prisoners)
    close_case(chart, ship.code)
    state.mark(ship.code, RETAKEN)
    del state.prizes[ship.code]
    chart.ships_changed()
    end_if_empty(chart, fleet.code)


def defenceless(chart: Chart, fleets: list[FleetState]) -> bool:
    """Whether fleets have nothing but prizes, which cannot fight. Rules: G.PR1, G.PR3."""
    return all(ship.prize for fleet in fleets for ship in chart.ships_of(fleet.code))


def seize(chart: Chart, taker: FleetState, fleets: list[FleetState]) -> None:
    """Take prizes that no one defends, and ships that strike: salvage for who had lost them, prizes for anybody else. Rules: G.PR3, G.KT4.

    Hands for each come from the ship of the taker with most men: as many as the prize crew had, or as
    G.PR1 asks for, and at most half of hers. The old crew are prisoners; captives of the taker's own side are free and her people
    again. Rule: G.PR1.
    """
    state = chart.state
    fighting = [ship for ship in chart.ships_of(taker.code) if not ship.prize]
    for fleet in fleets:
        for ship in chart.ships_of(fleet.code):
            manned = max((state.ships[s.code] for s in fighting), key=lambda s: (s.men, s.code))
            crew = ship.men if ship.prize else prize_crew(ship.men, chart.facts.ships[ship.code].complement)
            seize_ship(chart, ship, taker, manned, min(crew, manned.men // 2))
        end_if_empty(chart, fleet.code)


def squadron_of_retaken(captor: ShipState | None, fleet: str) -> str:
    """Where a retaken ship sails: with the ship that retook her; by herself in the fleet where that was a prize, or none is known.

    Only prizes sail among the prizes: a squadron of that code would stand in the fleets of both sides. Rule: G.PR3.
    """
    return captor.squadron if captor is not None and not captor.prize else fleet


def seize_ship(
    chart: Chart,
    ship: ShipState,
    taker: FleetState,
    manned: ShipState | None,
    crew: int,
    *,
    clause: str = "G.PR3",
    port: str = "",
) -> None:
    """Take one ship that no one defends into a fleet: her side's again where her nation is the taker's, else a prize.

    manned: the ship that her new crew comes from, None where they are no seamen. crew: how many. port: where she lay, "" at sea.
    Rules: G.PR1, G.PR3, G.LD4, G.LD5.
    """
    state, hold = chart.state, chart.state.prizes.get(ship.code)
    captives = hold.prisoners if hold is not None else 0
    soldiers = surrender(chart, ship)
    if manned is not None:
        state.ships[manned.code] = replace(manned, men=manned.men - crew)
    nation = chart.facts.ships[ship.code].facts.get("nation")
    home = ship.prize and nation in chart.facts.sides[taker.side].nations
    state.ships[ship.code] = replace(
        ship,
        side=taker.side,
        fleet=taker.code,
        squadron=squadron_of_retaken(manned, taker.code) if home else PRIZES,
        prize=not home,
        men=crew + captives if home else crew,
        captain=ship.captain if ship.prize else "",
    )
    state.prizes.pop(ship.code, None)
    if home:
        state.mark(ship.code, RETAKEN)
        imprison(chart, ship.code, ship.side, ship.men + soldiers)
        marines_again(chart, ship.code, captives)
    else:
        state.prizes[ship.code] = PrizeHold(ship.men + soldiers, ship.side)
        by = manned.code if manned is not None else ""
        note_capture(chart, ship, captor=taker.side, by=by, hour=chart.hour)
        if hold is not None:
            imprison(chart, ship.code, hold.taken_from, captives)
    where: dict[str, Any] = {"place": port} if port else {}
    chart.tell(
        "retaken" if home else "captured", clause, taker.side, ship.side, ship=ship.code, side=ship.side,
        captor=taker.side, captor_ship=manned.code if manned is not None else "", ships=[ship.code],
        prisoners=ship.men + soldiers,
        **where,
    )  # fmt: skip
    chart.ships_changed()
    if home:
        note_recapture(chart, ship.code, side=taker.side)


def _send_in(chart: Chart, fleet: FleetState) -> None:
    """Send prizes and crippled ships to the port of the instructions, as groups to that of standing orders. Rules: G.KT2, G.PR3, G.MV5."""
    if in_groups(chart):
        _send_groups(chart, fleet)
        return
    port = fleet.order.instructions.cripples_to
    if not port or port in chart.closed[fleet.side] or chart.geometry.nearest(fleet.position) == port:
        return
    ships, hulls = chart.ships_of(fleet.code), chart.hulls(fleet.code)
    going = [
        ship for ship, hull in zip(ships, hulls, strict=True) if hull.factor and _is_cripple(chart, ship)
    ]
    if not going:
        return
    if fleet.order.instructions.prize_escort == "frigate":
        going += _escort(chart, ships, going)
    if len(going) == len(ships):
        return
    name = (
        chart.facts.ships[going[0].code].name
        if len(going) == 1
        else group_of(chart, "Prizes and cripples", fleet)
    )
    sent = part(chart, fleet, going, name=name, home=going[0].squadron if len(going) == 1 else "")
    route = chart.geometry.way(sent.position, port, chart.closed[sent.side])
    chart.alter(sent, order=FleetOrder(sent.code, route, Stance.AVOID), rejoins="", home="", homes=())
    chart.tell(
        "sent_in", "G.MV5", fleet.side, fleet=sent.code, parent=fleet.code, name=name, place=port,
        ships=[ship.code for ship in going],
    )  # fmt: skip


def _send_groups(chart: Chart, fleet: FleetState) -> None:
    """Cripples and prizes leave as one group each, unless nothing would be left that can fight. Rules: G.KT1, G.KT2, G.MV5."""
    if fleet.group in (CRIPPLES, GROUP_OF_PRIZES):
        return
    _burn_cheap(chart, fleet)
    told = chart.state.economy.order(fleet.side).groups
    escorted = "frigate" in (told.escort, fleet.order.instructions.prize_escort)
    for kind in (GROUP_OF_PRIZES, CRIPPLES):
        ships, hulls = chart.ships_of(fleet.code), chart.hulls(fleet.code)
        able = [ship for ship, hull in zip(ships, hulls, strict=True) if hull.factor]
        if kind == GROUP_OF_PRIZES:
            going, port = [ship for ship in able if ship.prize], prize_port(chart, fleet)
        else:
            named = fleet.order.instructions.cripples_to
            going = [ship for ship in able if not ship.prize and badly_hurt(chart, ship)]
            stay = told.cripples == "fleet" and not named
            port = "" if stay or not going else cripples_port(chart, fleet, going)
        staying = [ship for ship in ships if ship not in going]
        if not port or not going or all(ship.prize for ship in staying) or _lies_at(chart, fleet, port):
            continue
        if escorted and len(going) >= LEAST_ESCORTED and len(staying) > 1:
            going += _escort(chart, ships, going)
        group = make_group(chart, fleet, going, kind)
        route = chart.geometry.way(group.position, port, chart.closed[group.side])
        chart.alter(
            group, order=FleetOrder(group.code, route, Stance.AVOID, instructions=group.order.instructions)
        )
        chart.tell(
            "sent_in", "G.KT2", fleet.side, fleet=group.code, parent=fleet.code, name=group.name, place=port,
            ships=[ship.code for ship in going],
        )  # fmt: skip


def _lies_at(chart: Chart, fleet: FleetState, port: str) -> bool:
    return chart.geometry.nearest(fleet.position) == port


def _burn_cheap(chart: Chart, fleet: FleetState) -> None:
    """Prizes that are worth less than the sum of the standing orders are burnt. Rule: G.KT2."""
    under = chart.state.economy.order(fleet.side).groups.burn_under
    for ship in chart.ships_of(fleet.code) if under else ():
        hold = chart.state.prizes.get(ship.code)
        if hold is None or not ship.prize:
            continue
        if chart.at_sea.pounds(chart.facts.ships[ship.code].card, ship.condition) < under:
            _burn(chart, ship, fleet, hold, chart.hour)


def _escort(chart: Chart, ships: tuple[ShipState, ...], going: list[ShipState]) -> list[ShipState]:
    """The frigate that sees prizes and crippled ships in: the least of those that are sound, none where there is none. Rule: G.MV5."""
    sheets = chart.facts.ships
    fit = [s for s in ships if s not in going and not s.prize and sheets[s.code].kind is ShipKind.FRIGATE]
    least = min(fit, key=lambda s: (chart.at_sea.whole_value(sheets[s.code].card), s.code), default=None)
    return [least] if least is not None else []


def dispose(chart: Chart, taken: list[str], hour: int) -> None:
    """What becomes of ships taken in a battle whose takers do not man their prizes: burnt, or let go. Rules: G.MV5, G.PR1."""
    for code in taken:
        ship = chart.state.ships[code]
        fleet = chart.state.fleets.get(ship.fleet)
        hold = chart.state.prizes.get(code)
        if fleet is None or hold is None or not ship.prize:
            continue
        if fleet.order.instructions.prizes == "burn":
            _burn(chart, ship, fleet, hold, hour)
        elif fleet.order.instructions.prizes == "release":
            _release(chart, ship, fleet, hold, hour)


def _burn(chart: Chart, ship: ShipState, fleet: FleetState, hold: PrizeHold, hour: int) -> None:
    """Burnt by her captors: prize crew and prisoners go over to the ship of the fleet with most men. Rules: G.MV5, G.PR5."""
    state = chart.state
    state.ships[ship.code] = replace(ship, fleet="", squadron="", men=0, captain="", fate=Fate.BURNT)
    keeper = _hands_back(chart, fleet, ship.men)
    of, captives = state.economy.captives.pop(ship.code, ("", 0))
    if keeper:
        imprison(chart, keeper, hold.taken_from, hold.prisoners)
        imprison(chart, keeper, of, captives)
    close_case(chart, ship.code, Stage.BURNT)
    del state.prizes[ship.code]
    state.marks.pop(ship.code, None)
    chart.ships_changed()
    chart.tell(
        "burnt_at_sea", "G.MV5", ship.side, hold.taken_from, hour=hour, ship=ship.code, side=ship.side,
        ships=[ship.code], place=chart.geometry.nearest(fleet.position),
    )  # fmt: skip


def _release(chart: Chart, ship: ShipState, fleet: FleetState, hold: PrizeHold, hour: int) -> None:
    """Let go with her own people, who make for home."""
    _hands_back(chart, fleet, ship.men)
    _their_own_again(chart, replace(ship, men=0), hold, fleet)
    chart.tell(
        "let_go", "G.MV5", ship.side, hold.taken_from, hour=hour, ship=ship.code, side=ship.side,
        captor=hold.taken_from, ships=[ship.code],
    )  # fmt: skip


def _hands_back(chart: Chart, fleet: FleetState, men: int) -> str:
    """A prize crew goes back to the ship of the fleet with most men; returns her code, "" when there is none."""
    own = [ship for ship in chart.ships_of(fleet.code) if not ship.prize]
    if not own:
        return ""
    first = max((chart.state.ships[s.code] for s in own), key=lambda s: (s.men, s.code))
    chart.state.ships[first.code] = replace(first, men=first.men + men)
    return first.code


def _is_cripple(chart: Chart, ship: ShipState) -> bool:
    return ship.prize or badly_hurt(chart, ship)
