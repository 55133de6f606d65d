"""Back from the battle to the chart: ships, prizes, losses, officers, and what the fleets do next.

Rules: G.BT2, G.BT3, G.CO6, G.CL2, G.KT5, G.KT6, G.WX3, G.PR1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from battles.engine.core.fates import Fate, Flag
from battles.engine.core.outcome import Outcome, ShipOutcome
from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import MILLI, BattleCall, OnArrival, ShipSheet
from campaign.rules.contact.contact import pair
from campaign.rules.losses.castaways import Headcount, aboard, cast_ashore, nobody_from_nowhere
from campaign.rules.losses.losses import end_if_empty
from campaign.rules.losses.officers import officers_after_battle
from campaign.rules.losses.soldiers import cast_up, drown, gained, marines_again, surrender
from campaign.rules.mines.battles import mines_back
from campaign.rules.prizes.prize_court import imprison, note_capture, note_recapture
from campaign.rules.prizes.prizes import PRIZES, dispose, squadron_of_retaken
from campaign.rules.sailing.beaches import OF_TROOPS
from campaign.rules.sailing.grounding import fast_after_battle
from campaign.rules.state.clock import is_night, next_dawn
from campaign.rules.state.state import RETAKEN, Contact, FleetState, PrizeHold, ShipState
from campaign.rules.state.world import Chart


class OutcomeError(ValueError):
    """An outcome that cannot be written back: it is missing, or its ships are not those that were sent in."""


def write_back(chart: Chart, call: BattleCall, doc: Mapping[str, Any], *, not_before: int = 0) -> None:
    """Apply one outcome to ships and fleets. Raises OutcomeError when ships in are not ships out.

    not_before: hour of the chart before which no one comes back, for a battle that held its fleets. Rules: G.BT2, G.BT3, G.BT4.
    """
    outcome = Outcome.from_dict(doc)
    sent = {ship["id"] for side in call.scenario["sides"] for s in side["squadrons"] for ship in s["ships"]}
    came = [entry.ship for entry in outcome.ships]
    if sent != set(came) or len(came) != len(sent):
        wrong = ", ".join(sorted(sent ^ set(came))) or "some twice"
        raise OutcomeError(f"battle {call.code}: ships in are not ships out ({wrong})")
    end = max(not_before, call.hour + max(1, -(-outcome.minutes // 60)))
    mines_back(chart, call, outcome)
    codes = [code for group in call.fleets.values() for code in group]
    sides = sorted(call.fleets)
    for code in codes:
        chart.alter(chart.state.fleets[code], off_until=end, under_way=False)
    before, soldiers = dict(chart.state.ships), dict(chart.state.troops.aboard)
    counted = Headcount.of(chart.state, came)
    for entry in sorted(outcome.ships, key=lambda entry: entry.ship):
        _write_ship(chart, call, entry, before, sides, end)
    _remember(chart, call, outcome, before)
    _prize_crews(chart, outcome, before, soldiers)
    _soldiers_of_the_lost(chart, outcome, before, end)
    nobody_from_nowhere(chart, counted)
    officers_after_battle(chart, outcome, before, end, battle=call.code)
    chart.ships_changed()
    dispose(chart, sorted(e.ship for e in outcome.ships if e.fate is Fate.CAPTURED), end)
    chart.tell(
        "battle_ended", "G.BT2", *sides, hour=end, battle=call.code, ended=outcome.ended,
        turns=outcome.turns, minutes=outcome.minutes, held_field=outcome.held_field,
    )  # fmt: skip
    fast_after_battle(chart, [entry.ship for entry in outcome.ships if Flag.AGROUND in entry.flags], end)
    for code in codes:
        end_if_empty(chart, code)
    _afterwards(chart, call, outcome, before, end)
    if outcome.ended == "gale":
        _storm(chart, codes[0], end)


def _remember(chart: Chart, call: BattleCall, outcome: Outcome, before: Mapping[str, ShipState]) -> None:
    """Each side knows by name the enemies that it has fought, until it sees them lost or taken. Rule: G.AA3."""
    for side in sorted(call.fleets):
        met = set(chart.state.met.get(side, ()))
        for entry in outcome.ships:
            if not chart.facts.at_war & {frozenset((side, before[entry.ship].side))}:
                continue
            gone = entry.fate is not Fate.AFLOAT
            met = met - {entry.ship} if gone else met | {entry.ship}
        if met or side in chart.state.met:
            chart.state.met[side] = tuple(sorted(met))


def _write_ship(
    chart: Chart,
    call: BattleCall,
    entry: ShipOutcome,
    before: Mapping[str, ShipState],
    sides: list[str],
    end: int,
) -> None:
    """What became of one ship, told as of the battle's end. Rules: G.BT3, G.PR1."""
    ship, sheet = before[entry.ship], chart.facts.ships[entry.ship]
    told: dict[str, Any] = {
        "battle": call.code,
        "ship": ship.code,
        "side": ship.side,
        "fate": entry.fate.value,
    }
    changed = replace(
        ship,
        condition=dict(entry.condition),
        men=men_left(chart, sheet, ship, entry),
        flags=tuple(sorted(flag.value for flag in entry.flags)),
        fate=Fate.AFLOAT if entry.fate is Fate.CAPTURED else entry.fate,
    )
    if _changed_hands(entry, before):
        changed = _taken(chart, changed, entry, before)
        kind = "captured" if changed.prize else "retaken"
        survivors = men_left(chart, sheet, ship, entry)
        soldiers = surrender(chart, ship, hour=end)
        changed = replace(changed, men=_people_of_capture(chart, ship, changed, entry, survivors, soldiers))
        if changed.prize:
            note_capture(chart, ship, captor=changed.side, by=entry.captor_ship, hour=end)
        chart.tell(
            kind, "G.PR1", *sides, hour=end, **told, captor=changed.side, captor_ship=entry.captor_ship
        )
    elif changed.fate is not Fate.AFLOAT:
        groups = aboard(chart, changed)
        changed = replace(changed, fleet="", squadron="", men=0 if entry.fate.lost else changed.men)
        chart.state.prizes.pop(ship.code, None)
        chart.state.economy.captives.pop(ship.code, None)
        chart.tell("lost", "G.BT3", *sides, hour=end, **told, cause=entry.cause)
        if changed.fate is Fate.WRECKED:
            cast_up(chart, ship, chart.state.fleets[ship.fleet].position, hour=end)
            cast_ashore(chart, ship, groups, chart.state.fleets[ship.fleet].position, hour=end)
    elif entry.prisoners:
        enemy = next(row["id"] for row in call.scenario["sides"] if not _fought_for(row, ship.code))
        imprison(chart, ship.code, enemy, entry.prisoners)
    chart.state.ships[ship.code] = changed


def _fought_for(row: Mapping[str, Any], ship: str) -> bool:
    """Whether a ship was on a side of the scenario."""
    return any(ship == one["id"] for squadron in row["squadrons"] for one in squadron["ships"])


def _changed_hands(entry: ShipOutcome, before: Mapping[str, ShipState]) -> bool:
    """Whether a ship was taken from her side; one that her own side holds at the end is simply afloat. Rule: G.BT3."""
    return entry.fate is Fate.CAPTURED and entry.captor != before[entry.ship].side


def men_left(chart: Chart, sheet: ShipSheet, ship: ShipState, entry: ShipOutcome) -> int:
    """Men as the set counts them, else those before the battle times what it leaves now over what it left then, halves up."""
    if entry.men is not None:
        return entry.men
    then = chart.at_sea.men(sheet.card, ship.condition or chart.at_sea.sound(sheet.card), sheet.complement)
    now = chart.at_sea.men(sheet.card, entry.condition, sheet.complement)
    if not then:
        return 0
    return int(Fraction(ship.men * now, then) + Fraction(1, 2))


def _taken(chart: Chart, ship: ShipState, entry: ShipOutcome, before: Mapping[str, ShipState]) -> ShipState:
    """A captured ship joins her captor's fleet among the prizes; one that was a prize of the captor's enemies is the captor's again."""
    captor = before.get(entry.captor_ship)
    fleet = chart.state.fleets.get(captor.fleet) if captor is not None else None
    side = fleet.side if fleet is not None else entry.captor
    home = chart.facts.ships[ship.code].facts.get("nation") in chart.facts.sides[side].nations
    back = ship.prize and home
    if fleet is None:
        codes = sorted(code for code, f in chart.state.fleets.items() if f.side == side and not f.ended)
        fleet = chart.state.fleets[codes[0]] if codes else None
    return replace(
        ship,
        side=side,
        fleet=fleet.code if fleet is not None else "",
        squadron=squadron_of_retaken(captor, fleet.code if fleet is not None else "") if back else PRIZES,
        order=captor.order if back and captor is not None else 0,
        prize=not back,
        fate=Fate.AFLOAT,
        men=0,  # who is free aboard her and the prize crew are counted when all ships are written
        captain="",
    )


def _people_of_capture(
    chart: Chart, ship: ShipState, changed: ShipState, entry: ShipOutcome, survivors: int, soldiers: int
) -> int:
    """Who is a prisoner now in a ship that has changed hands; returns the people of her new side who are free in her again.

    Prisoners are her people, or the prize crew that had her, and her soldiers. Captives of a third side stay what they are.
    Rules: G.CR1, G.LD1, G.PR1, G.PR3.
    """
    state, free = chart.state, 0
    captives = [state.economy.captives.pop(ship.code, ("", 0))]
    hold = state.prizes.pop(ship.code, None)
    if hold is not None:
        captives.append((hold.taken_from, hold.prisoners))
    for of, men in captives:
        if of == changed.side:
            free += men
        elif men:
            imprison(chart, ship.code, of, men)
    if changed.prize:
        people = survivors if ship.prize else min(entry.prisoners, ship.men)
        state.prizes[ship.code] = PrizeHold(people + soldiers, ship.side, entry.tried)
    else:
        state.mark(ship.code, RETAKEN)
        imprison(chart, ship.code, ship.side, survivors + soldiers)
    return free


def _prize_crews(
    chart: Chart, outcome: Outcome, before: Mapping[str, ShipState], soldiers: Mapping[str, int]
) -> None:
    """Prize crews leave the ships that made the captures, as many men as are there to send. Rules: G.PR1, G.CR1.

    soldiers: those who were aboard each ship; a guard of a fifth goes with them too. Rule: G.LD1.
    """
    ships = chart.state.ships
    for entry in sorted(outcome.ships, key=lambda entry: entry.ship):
        if not _changed_hands(entry, before):
            continue
        prize, sender = ships[entry.ship], _sender(chart, entry)
        guard = -(-soldiers.get(entry.ship, 0) // chart.facts.settings.guard_share)
        crew = min(entry.prize_crew + guard, sender.men) if sender is not None else 0
        if sender is not None and crew:
            ships[sender.code] = replace(sender, men=sender.men - crew)
        ships[prize.code] = replace(ships[prize.code], men=prize.men + crew)
        if not prize.prize:
            marines_again(chart, prize.code, prize.men)
            note_recapture(chart, prize.code, side=prize.side)


def _soldiers_of_the_lost(chart: Chart, outcome: Outcome, before: Mapping[str, ShipState], end: int) -> None:
    """Soldiers in ships that went down: of them as great a share is saved as other crews of their side have grown by. Rule: G.LD1.

    An outcome tells of the saved only where they are: in the ships that took them up.
    """
    now = chart.state.ships
    lost = [before[e.ship] for e in outcome.ships if e.fate.lost and e.fate is not Fate.WRECKED]
    fought = {entry.ship: before[entry.ship] for entry in outcome.ships}
    for side in sorted({ship.side for ship in lost}):
        ships = [ship for ship in lost if ship.side == side]
        grown = gained(fought, now, side)
        saved = Fraction(sum(grown.values()), max(1, sum(ship.men for ship in ships)))
        for ship in sorted(ships, key=lambda ship: ship.code):
            drown(chart, ship, int(saved * ship.men), list(grown), hour=end)


def _sender(chart: Chart, entry: ShipOutcome) -> ShipState | None:
    """The ship that mans a capture: who took her, else the one of her fleet with most men."""
    ships, prize = chart.state.ships, chart.state.ships[entry.ship]
    named = ships.get(entry.captor_ship)
    if named is not None and named.side == prize.side and named.fate is Fate.AFLOAT and not named.prize:
        return named
    fleet = [
        s
        for s in ships.values()
        if s.fleet and s.fleet == prize.fleet and not s.prize and s.code != prize.code
    ]
    return max(fleet, key=lambda ship: (ship.men, ship.code), default=None)


def _storm(chart: Chart, code: str, end: int) -> None:
    """A gale that ends a battle begins in its zone in the hour in which the fleets are back on the chart. Rule: G.WX3."""
    zone = chart.geometry.zone(chart.state.fleets[code].position)
    chart.state.storms = tuple(sorted({*chart.state.storms, (end, zone)}))


def _afterwards(
    chart: Chart, call: BattleCall, outcome: Outcome, before: Mapping[str, ShipState], end: int
) -> None:
    """Renew, chase or part when both sides can still fight. Rules: G.CO6, G.KT5, G.KT6."""
    parties = call.scenario["sides"][0]["id"], call.scenario["sides"][1]["id"]
    groups = [_party(chart, call, side) for side in parties]
    if not all(groups):
        return
    # The admiral of the greatest fleet decides for their side, and is the one whom the others meet.
    chiefs = [max(g, key=lambda f: (len(chart.ships_of(f.code)), f.code)) for g in groups]
    everyone = [fleet for group in groups for fleet in group]
    told: dict[str, Any] = {"hour": end, "fleets": [chief.code for chief in chiefs]}
    sides = [fleet.side for fleet in everyone]
    worth = [sum((chart.value(fleet.code) for fleet in group), Fraction(0)) for group in groups]
    # an attack on a port is made once: who lies in it is not followed, and does not come out after
    ashore = any(chart.in_port(fleet) for fleet in everyone)
    if not ashore and chart.facts.settings.flight == "on" and bloodless(chart, outcome, before):
        parting = _kept_away(chiefs, worth)
        chart.state.shy |= dict.fromkeys(_pairs(groups), end + chart.facts.settings.shy_hours)
        chart.tell("no_action", "G.KT5", *sides, **told)
    else:
        parting = [
            _parts(chart, chief, before, own, enemy)
            for chief, own, enemy in zip(chiefs, worth, reversed(worth), strict=True)
        ]
        parting = [True, True] if not any(parting) and _often_enough(chart, chiefs) else parting
    if all(parting) or ashore:
        chart.state.truces |= dict.fromkeys(_pairs(groups), next_dawn(end + 1))
        if not ashore:
            chart.tell("parted", "G.CO6", *sides, **told)
        return
    if not any(parting):
        chart.tell("renewed", "G.CO6", *sides, **told)
    hunter = 1 if parting[0] else 0
    chased = chiefs[1 - hunter]
    for fleet in groups[hunter]:
        _meet_again(chart, fleet, chased, end, chased.code if any(parting) else "")


def _pairs(groups: Sequence[Sequence[FleetState]]) -> list[tuple[str, str]]:
    """Every fleet of one side with every fleet of the other, as the state names them."""
    return [pair(a.code, b.code) for a, b in product(*groups)]


def bloodless(chart: Chart, outcome: Outcome, before: Mapping[str, ShipState]) -> bool:
    """Whether no ship lost hull, a mast or her colours in a battle. Rule: G.KT5."""

    def hurt(entry: ShipOutcome) -> bool:
        card = chart.facts.ships[entry.ship].card
        then = before[entry.ship].condition or chart.at_sea.sound(card)
        hull, was = (chart.at_sea.hull_fraction(card, state) for state in (entry.condition, then))
        masts, stood = (chart.at_sea.work(card, state).masts for state in (entry.condition, then))
        return hull > was or masts > stood

    return not any(entry.fate is not Fate.AFLOAT or hurt(entry) for entry in outcome.ships)


def _kept_away(chiefs: Sequence[FleetState], worth: Sequence[Fraction]) -> list[bool]:
    """Which side kept away from a battle without a hit: the one that avoids, else the weaker. Rule: G.KT5."""
    avoids = [chief.order.stance is Stance.AVOID for chief in chiefs]
    if avoids[0] is avoids[1]:
        return [worth[0] < worth[1], worth[0] >= worth[1]]
    return avoids


def _often_enough(chart: Chart, chiefs: Sequence[FleetState]) -> bool:
    """Whether a battle has been renewed as often in a row as may be; if not, it is renewed once more. Rule: G.KT6."""
    key = pair(chiefs[0].code, chiefs[1].code)
    times = chart.state.renewals.pop(key, 0)
    if chart.facts.settings.after_battle_default != "renew" and times >= chart.facts.settings.renew_most:
        return True
    chart.state.renewals[key] = times + 1
    return False


def _party(chart: Chart, call: BattleCall, principal: str) -> list[FleetState]:
    """Fleets that fought on a scenario's side and can still fight."""
    row = next(side for side in call.scenario["sides"] if side["id"] == principal)
    ships = {ship["id"] for squadron in row["squadrons"] for ship in squadron["ships"]}
    codes = [code for group in call.fleets.values() for code in group]
    mine = {
        code
        for code in codes
        if any(s in ships and chart.state.ships[s].fleet == code for s in ships)
        and chart.friends(chart.state.fleets[code], replace(chart.state.fleets[code], side=principal))
    }
    return [chart.state.fleets[code] for code in sorted(mine) if chart.can_fight(code)]


def _parts(
    chart: Chart, fleet: FleetState, before: Mapping[str, ShipState], own: Fraction, enemy: Fraction
) -> bool:
    """Whether a fleet breaks off: told to, hurt as much as it was told to bear, or by its own judgement.

    own, enemy: present value of what can still fight on each side. Rules: G.MV5, G.CO6, G.KT6.
    """
    instructions, settings = fleet.order.instructions, chart.facts.settings
    if instructions.after_battle == "part":
        return True
    if 100 * _spent(chart, fleet.code, before) >= instructions.doctrine.break_off < 100:
        return True
    if instructions.after_battle == "renew" or settings.after_battle_default == "renew":
        return False
    return (
        fleet.order.on_arrival in {OnArrival.ESCORT, *OF_TROOPS}
        or own < Fraction(settings.renew_ratio) * enemy
    )


def _spent(chart: Chart, fleet: str, before: Mapping[str, ShipState]) -> Fraction:
    """Mean share of their hulls that the ships a fleet brought into a battle have lost since; a ship gone is a whole hull."""
    brought = [ship for ship in before.values() if ship.fleet == fleet and not ship.prize]
    lost = Fraction(0)
    for ship in brought:
        now = chart.state.ships[ship.code]
        kept = now.fleet == fleet and now.side == ship.side
        lost += chart.at_sea.hull_fraction(chart.facts.ships[ship.code].card, now.condition) if kept else 1
    return lost / len(brought) if brought else Fraction(0)


def _meet_again(chart: Chart, hunter: FleetState, chased: FleetState, end: int, parting: str) -> None:
    """The contact that goes on after a battle: near enough for another an hour later, or a chase. Rule: G.CO6."""
    first = end if parting else end + 1
    near = chart.meets_at(chased)
    far = max(near, chart.facts.settings.chase_miles * MILLI) if parting else near
    bearing = (chart.weather(chased).wind_from + 180) % 360
    chart.state.contacts[hunter.code, chased.code] = Contact(
        seeker=hunter.code,
        quarry=chased.code,
        range=far,
        bearing=bearing,
        since=end,
        not_before=end if is_night(chart.facts, end) else first,
        parting=parting,
        after_battle=True,
    )
