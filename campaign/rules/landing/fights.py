"""The fight ashore: who attacks a port, who holds it, the table, and what each side loses. Rule: G.LD3."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from battles.engine.core.dice import Die
from campaign.rules.chart.types import FleetOrder, OnArrival, ShipKind
from campaign.rules.landing.boats import days_left, men_in_a_band
from campaign.rules.landing.stowage import at_place, enemies, friends, load, owners
from campaign.rules.landing.taking import Captor, take_port
from campaign.rules.landing.watch import landing_place
from campaign.rules.sailing.beaches import port_of_beach
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart

A_SHIP, MOST_BY_SHIPS = 150, 3000
NO_SHIPS_AGAINST = 4  # a guard that ships cannot reach
SLOW_FROM, SLOW_DAYS = 3, 3  # from this guard on there is a fight on every third morning
GARRISON_A_GUARD, GARRISON_LEAST = 300, 100
# What is added to 2D6, by the least odds for it.
ODDS = (
    (Fraction(5), 5), (Fraction(3), 3), (Fraction(2), 2), (Fraction(3, 2), 1), (Fraction(1), 0), (Fraction(1, 2), -2),
)  # fmt: skip
WORST = -4
FALLS, DRAWN, BEATEN = 10, 7, 4
BOTH_LOSE, ATTACKER_LOSES, REPULSED = 5, 10, 20  # per cent
_BY_SHIPS = (OnArrival.LAND, OnArrival.ATTACK, OnArrival.BLOCKADE)


class Siege(NamedTuple):
    """Men before a port. chief: the side that has most of them; men: by (side, place), of it and its allies."""

    port: str
    chief: str
    men: dict[tuple[str, str], int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.men.values())


def odds_bonus(attack: Fraction, defence: Fraction) -> int:
    """What the odds add to the dice; against nobody at all they are the best. Rule: G.LD3."""
    if not defence:
        return ODDS[0][1]
    return next((bonus for least, bonus in ODDS if attack / defence >= least), WORST)


def sieges(chart: Chart) -> list[Siege]:
    """Every port that hostile men are ashore for, with the greater part first where enemies of each other stand before it."""
    before: dict[str, dict[tuple[str, str], int]] = {}
    for (side, place), men in sorted(chart.state.holdings.ashore.items()):
        port = port_of_beach(chart.facts, place)
        if port and any(enemies(chart, side, owner) for owner in owners(chart, port)):
            before.setdefault(port, {})[side, place] = men
    found = []
    for port, men_at in sorted(before.items()):
        left = dict(men_at)
        while left:
            sums = {side: sum(n for (who, _), n in left.items() if who == side) for side, _ in left}
            chief = max(sorted(sums), key=lambda side: sums[side])
            group = {key: n for key, n in left.items() if friends(chart, chief, key[0])}
            found.append(Siege(port, chief, group))
            left = {key: n for key, n in left.items() if key not in group}
    return found


def fights_step(chart: Chart) -> None:
    """Fight for every port that men are ashore for: each morning, against guard 3 or 4 on every third one. Rule: G.LD3."""
    mornings = chart.state.holdings.sieges
    now = {siege.port: mornings.get(siege.port, 0) + 1 for siege in sieges(chart)}
    chart.state.holdings.sieges = now
    for siege in sieges(chart):
        slow = chart.facts.theatre.places[siege.port].guard >= SLOW_FROM
        if not slow or now[siege.port] % SLOW_DAYS == 0:
            # who stands before the port may have changed with a fight of others for it
            rows = (row for row in sieges(chart) if (row.port, row.chief) == (siege.port, siege.chief))
            for row in list(rows):
                _fight(chart, row)


def garrison(chart: Chart, port: str) -> int:
    """A port's own garrison: the theatre's, else 300 for each point of guard and 100; none in a port that was taken. Rule: G.LD3."""
    holdings, place = chart.state.holdings, chart.facts.theatre.places[port]
    if port in holdings.garrisons:
        return holdings.garrisons[port]
    if holdings.first.get(port, place.owner) != place.owner:
        return 0
    return place.garrison if place.garrison is not None else GARRISON_A_GUARD * place.guard + GARRISON_LEAST


def soldiers_in(chart: Chart, port: str) -> dict[tuple[str, str], int]:
    """Men whom the owner and its allies have in a port beside its garrison, by (side, "army" or "ashore"). Rule: G.LD3."""
    found = {}
    for owner in owners(chart, port):
        for side in sorted(chart.facts.sides):
            if not friends(chart, owner, side):
                continue
            army = chart.state.troops.armies.get((side, port))
            if army is not None:
                found[side, "army"] = army.men
            ashore = chart.state.holdings.ashore.get((side, port), 0)
            if ashore:
                found[side, "ashore"] = ashore
    return found


def ships_that_help(chart: Chart, siege: Siege) -> int:
    """Ships of the line that lie off a port for those who attack it. Rule: G.LD3."""
    sides, cards = {side for side, _ in siege.men}, chart.facts.ships
    return sum(
        cards[ship.code].kind is ShipKind.LINE and not ship.prize
        for fleet in chart.fleets()
        if fleet.order.on_arrival in _BY_SHIPS
        and any(friends(chart, side, fleet.side) for side in sides)
        and chart.on_chart(fleet)
        and at_place(chart, fleet, siege.port)
        for ship in chart.ships_of(fleet.code)
    )


def attack_of(chart: Chart, siege: Siege) -> Fraction:
    """A: the men ashore, and 150 for each ship of the line off the port, at most 3,000 and none against guard 4. Rule: G.LD3."""
    guard = chart.facts.theatre.places[siege.port].guard
    by_ships = 0 if guard >= NO_SHIPS_AGAINST else min(MOST_BY_SHIPS, A_SHIP * ships_that_help(chart, siege))
    return Fraction(siege.total + by_ships)


def defence_of(chart: Chart, port: str) -> Fraction:
    """D: everyone under arms in a port, a quarter stronger for each point of its guard. Rule: G.LD3."""
    men = garrison(chart, port) + sum(soldiers_in(chart, port).values())
    return men * (1 + Fraction(chart.facts.theatre.places[port].guard, 4))


def _fight(chart: Chart, siege: Siege) -> None:
    port = siege.port
    faces = chart.dice.throw(
        Die.D6, 2, clause="G.LD3", subjects=(chart.hour, port, siege.chief), reason="the fight ashore"
    )
    bonus = odds_bonus(attack_of(chart, siege), defence_of(chart, port))
    total = sum(faces) + bonus
    defenders = garrison(chart, port) + sum(soldiers_in(chart, port).values())
    lost = lost_there = 0
    result = (
        "falls"
        if total >= FALLS
        else "drawn"
        if total >= DRAWN
        else "beaten"
        if total >= BEATEN
        else "repulsed"
    )
    if result == "drawn":
        lost_there = -(-defenders * BOTH_LOSE // 100)
        _defenders_lose(chart, port, lost_there)
    percent = {"falls": 0, "drawn": BOTH_LOSE, "beaten": ATTACKER_LOSES, "repulsed": REPULSED}[result]
    if percent:
        lost = -(-siege.total * percent // 100)
        _attackers_lose(chart, siege, lost)
    knows, others = sorted({side for side, _ in siege.men}), owners(chart, port)
    left = siege.total - lost
    days = [days_left(chart, *key) for key in siege.men]
    chart.tell(
        "fought_ashore", "G.LD3", *knows, place=port, faces=list(faces), bonus=bonus, result=result, men=left, lost=lost,
        days=min((row for row in days if row is not None), default=None), band=men_in_a_band(defenders - lost_there),
    )  # fmt: skip
    chart.tell(
        "port_defended", "G.LD3", *others, place=port, attacker=siege.chief, faces=list(faces), bonus=bonus, result=result,
        men=defenders - lost_there, lost=lost_there, band=men_in_a_band(left),
    )  # fmt: skip
    if result == "falls":
        take_port(chart, Captor(siege.chief, tuple(siege.men)), port)
    elif result == "repulsed":
        _embark_again(chart, siege)


def _attackers_lose(chart: Chart, siege: Siege, lost: int) -> None:
    """Each part loses its share, the greatest what is over."""
    total = siege.total
    shares = {key: men * lost // total for key, men in siege.men.items()}
    over = lost - sum(shares.values())
    for key in sorted(siege.men, key=lambda key: (-siege.men[key], key)):
        extra = min(over, siege.men[key] - shares[key])
        shares[key] += extra
        over -= extra
    for (side, place), men in shares.items():
        chart.state.holdings.land(side, place, -men)


def _defenders_lose(chart: Chart, port: str, lost: int) -> None:
    """The garrison's own men first, then the soldiers."""
    holdings, left = chart.state.holdings, lost
    own = garrison(chart, port)
    if own:
        holdings.garrisons[port] = own - min(own, left)
        left -= min(own, left)
    for (side, where), men in soldiers_in(chart, port).items():
        gone = min(men, left)
        if where == "army":
            chart.state.troops.gather(side, port, -gone)
        else:
            holdings.land(side, port, -gone)
        left -= gone


def _embark_again(chart: Chart, siege: Siege) -> None:
    """Who is thrown back goes aboard the ships at the place, which land no more men; who finds no room is a prisoner. Rule: G.LD3."""
    state = chart.state
    for side, place in sorted(siege.men):
        fleets = [fleet for fleet in chart.fleets() if _takes_off(chart, fleet, side, place)]
        for fleet in fleets:
            men = load(chart, fleet, state.holdings.ashore.get((side, place), 0))
            if men:
                state.holdings.land(side, place, -men)
                chart.tell(
                    "embarked", "G.LD3", side, fleet=fleet.code, side=side, place=place, men=men,
                    ashore=state.holdings.ashore.get((side, place), 0),
                )  # fmt: skip
            if fleet.order.on_arrival is OnArrival.LAND:
                chart.alter(fleet, order=_waiting(fleet))
        left = state.holdings.ashore.get((side, place), 0)
        if left:
            state.holdings.land(side, place, -left)
            holder = owners(chart, siege.port)[0]
            state.economy.hold(holder, siege.port, side, left)
            chart.tell(
                "soldiers_taken", "G.LD3", side, holder, side=side, captor=holder, place=siege.port, men=left
            )


def _takes_off(chart: Chart, fleet: FleetState, side: str, place: str) -> bool:
    at = landing_place(chart, fleet) == place or at_place(chart, fleet, place)
    return fleet.side == side and chart.on_chart(fleet) and at


def _waiting(fleet: FleetState) -> FleetOrder:
    """The order of a fleet that takes off men and lands no more of them."""
    return replace(fleet.order, on_arrival=OnArrival.EMBARK)
