"""The books of a live campaign looked over: every fault is a sentence with codes. Nothing is written.

Rules: G.BT2, G.BT3, G.BT4, G.CL2, G.CL3, G.CR1, G.PR1, G.PR5, G.RP2, G.SV1, G.UM3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from battles.failures import Unreadable
from battles.models import Battle, BattleOutcome
from campaign.accounts import listed
from campaign.models import Campaign, Report, Station, Turn, TurnSummary
from campaign.rules.chart.types import PlaceKind
from campaign.rules.losses.castaways import people
from campaign.rules.state.calendar import facts_now
from campaign.rules.state.economy import OPEN_STAGES, Economy, Stage
from campaign.rules.state.state import TurnState
from campaign.rules.state.troops import Troops
from campaign.rules.turn.turn import standing
from campaign.selectors.turn.coming import yet_to_come
from campaign.selectors.turn.facts import holdings_of, pure_theatre
from campaign.selectors.turn.ongoing import ongoing_battles
from campaign.selectors.turn.stored import facts_of, state_of
from campaign.services.orders.openings import opening_of
from campaign.services.turn.summaries import summary_of
from fleets.auditing import books_of_ships, fought_records, open_prizes, yard_places
from fleets.services.service_records import records_digest

FINAL = (Turn.Phase.CLOSED,)


class Books(NamedTuple):
    """What the checks read, fetched once. ships: rows as plain values by code. state: how the last closed turn ended, or None."""

    campaign: Campaign
    ships: Mapping[str, Mapping[str, Any]]
    sides: frozenset[str]
    last: Turn | None
    state: TurnState | None
    economy: Economy


def campaign_audit(*, campaign: Campaign) -> Iterator[str]:
    """Every fault of a campaign's books; nothing when all is well. A stored document that cannot be read ends the checks that need it."""
    turns = campaign.turns.order_by("number")
    yield from turns_in_order(turns, over=campaign.status == Campaign.Status.CLOSED)
    try:
        books = _books(campaign)
    except Unreadable as error:
        yield str(error)
        return
    for check in CHECKS:
        try:
            yield from check(books)
        except Unreadable as error:
            yield str(error)


def turns_in_order(turns: Iterable[Turn], *, over: bool) -> Iterator[str]:
    """One turn is open until the campaign is over, numbers have no gap, and each turn begins where the one before it ended.

    turns: those of a campaign that are not void, by number. Rules: G.CL2, G.CL3.
    """
    rows = list(turns)
    on = [str(turn.number) for turn in rows if turn.phase not in FINAL]
    if len(on) > 1:
        yield f"turns {listed(on)} are open at once."
    if not on and not over:
        yield "no turn is open, and the campaign is not over."
    if rows and rows[0].number != 1:
        yield f"the first turn is turn {rows[0].number}."
    for before, turn in pairwise(rows):
        if turn.number != before.number + 1:
            yield f"turn {turn.number} follows turn {before.number}: the numbers have a gap."
        first, due = turn.first_day + 1, before.first_day + before.days_run + 1
        if before.phase not in FINAL:
            yield f"turn {turn.number} was opened before turn {before.number} was closed."
        elif first < due:
            yield f"turn {turn.number} begins with day {first}, which turn {before.number} has already played."
        elif first > due:
            yield f"turn {turn.number} begins with day {first}, and no turn has played day {due}."


def _books(campaign: Campaign) -> Books:
    last = campaign.turns.filter(phase__in=FINAL).order_by("-number").first()
    state = state_of(last) if last is not None else None
    # ships that a rollback has sent back until their day; one that sails all the same is looked at
    waiting = yet_to_come(campaign).ships
    return Books(
        campaign=campaign,
        ships={
            row["code"]: row
            for row in books_of_ships(campaign.book)
            if row["code"] not in waiting or row["fleet"]
        },
        sides=frozenset(campaign.sides.values_list("navy__code", flat=True)),
        last=last,
        state=state,
        economy=Economy.read(campaign.carried.get("economy", {})),
    )


def _ships_in_are_ships_out(books: Books) -> Iterator[str]:
    """Every ship that was mustered is in the books, afloat with a fleet, in a yard, interned, or lost. Rules: G.BT3, G.SV1."""
    for code, ship in books.ships.items():
        if not ship["mustered"]:
            yield f"{code} {ship['name']}: it is in the books but was never mustered."
        somewhere = ship["fleet"] or code in books.economy.jobs or code in _ashore(books)
        if ship["fate"] == "afloat" and not somewhere and not _sold(books, code):
            yield f"{code} {ship['name']}: it is afloat but belongs to no fleet."
        if ship["fate"] != "afloat" and ship["fleet"]:
            yield f"{code} {ship['name']}: it is {ship['fate']} but sails with {ship['fleet']}."


def _ashore(books: Books) -> frozenset[str]:
    """Ships that the chart has somewhere without a fleet: interned in a neutral port, or in the hands of a court."""
    interned = books.campaign.carried.get("duties", {}).get("interned", {})
    return frozenset(interned) | {
        code for code, case in books.economy.prizes.items() if case.stage in OPEN_STAGES
    }


def _sold(books: Books, code: str) -> bool:
    case = books.economy.prizes.get(code)
    return case is not None and case.stage in (Stage.SOLD, Stage.HULKED)


def _one_place_and_one_side(books: Books) -> Iterator[str]:
    """No ship in two places, none without a side, no fleet off the chart. Rule: G.CH2."""
    for code, ship in books.ships.items():
        if ship["navy"] not in books.sides:
            yield f"{code} {ship['name']}: it belongs to {ship['navy']}, which is not a side in this campaign."
        if ship["fleet"] and ship["fleet_navy"] != ship["navy"]:
            yield f"{code} {ship['name']}: it belongs to {ship['navy']} but sails with {ship['fleet']} of {ship['fleet_navy']}."
        if ship["fleet"] and ship["fleet_ended"]:
            yield f"{code} {ship['name']}: it sails with {ship['fleet']}, which no longer exists."
    stations = set(
        Station.objects.filter(fleet__navy__book=books.campaign.book_id).values_list("fleet__code", flat=True)
    )
    for fleet in sorted({ship["fleet"] for ship in books.ships.values() if ship["fleet"]} - stations):
        yield f"{fleet}: the fleet has ships but no place on the chart."


def _a_prize_has_a_captor(books: Books) -> Iterator[str]:
    """Every prize is entered as one, for the side that has her, once. Rules: G.PR1, G.PR3."""
    entered: Counter[str] = Counter()
    for row in open_prizes(books.campaign.book):
        entered[row["ship"]] += 1
        ship = books.ships[row["ship"]]
        if ship["navy"] != row["captor"]:
            yield f"{row['ship']} {ship['name']}: a prize of {row['captor']} in the books, but {ship['navy']} has it."
    for code, ship in books.ships.items():
        if ship["prize"] and ship["fate"] == "afloat" and not entered[code]:
            yield f"{code} {ship['name']}: it is a prize with no captor entered."
    yield from (
        f"{code}: entered as a prize {times} times." for code, times in sorted(entered.items()) if times > 1
    )


def _a_berth_never_holds_two(books: Books) -> Iterator[str]:
    """In the rows and on the chart. Rule: G.RP2."""
    for where in (
        [(job.side, job.port, job.berth) for job in books.economy.jobs.values() if job.berth > 0],
        yard_places(books.campaign.book),
    ):
        for (side, place, berth), times in sorted(Counter(where).items()):
            if times > 1:
                yield f"{place}: berth {berth} of {side} holds {times} ships."


def _men_are_conserved(books: Books) -> Iterator[str]:
    """No one appears in a turn without being recruited, and no ship but a prize holds prisoners.

    Rules: G.CR1, G.PR1, G.PR5, G.RP3.
    """
    turns = books.campaign.turns.filter(phase__in=FINAL).order_by("number")
    theatre = pure_theatre(books.campaign.theatre)
    for turn in turns.prefetch_related("documents").iterator(chunk_size=10):
        state = state_of(turn)
        if state is None or turn.snapshot is None:
            continue
        facts, _ = facts_of(turn, theatre)
        before, after = people(standing(facts)), people(state)
        come = facts_now(facts, state.calendar).ships
        before += sum(ship.men for code, ship in come.items() if code not in facts.ships)
        before += sum(event.data["men"] for event in state.events if event.kind == "army_ready")
        joined = sum(event.data["men"] for event in state.events if event.kind == "recruited")
        if after > before + joined:
            yield f"turn {turn.number}: {after} men at its end, from {before} and {joined} recruits."
    for code, hold in books.campaign.carried.get("prizes", {}).items():
        held = books.ships.get(code)
        # people of a prize that is lost are struck off at the next 06:00
        if held is None or (held["fate"] == "afloat" and not held["prize"]):
            yield f"{code}: {hold['prisoners']} prisoners are aboard, but it is not a prize."
    for key, men in (*books.economy.prisoners.items(), *books.economy.ashore.items()):
        if men < 0:
            yield f"{' '.join(key)}: {men} men."


def _ports_and_soldiers(books: Books) -> Iterator[str]:
    """Ports are held as the last turn left them, by nations of this campaign, and soldiers are where there is somebody to hold them.

    Rules: G.LD1, G.LD2, G.LD4.
    """
    holdings = holdings_of(books.campaign)
    troops = Troops.read(books.campaign.carried.get("troops", {}))
    places = pure_theatre(books.campaign.theatre).places
    nations = {nation for side in books.campaign.sides.select_related("navy") for nation in side.nations}
    at_first = opening_of(books.campaign.opening_code).get("owners", {})
    for port, owner in sorted(holdings.owners.items()):
        first = at_first.get(port, places[port].owner if port in places else "")
        if port not in at_first and (port not in places or places[port].kind is not PlaceKind.PORT):
            yield f"{port}: it was taken, but it is not a port on this chart."
        elif owner not in nations | {places[port].owner}:
            yield f"{port}: it is held by {owner}, which belongs to no side in this campaign."
        if holdings.first.get(port, "") != first:
            yield f"{port}: the owner it had at first is not the one on the chart."
    if books.state is not None:
        now = books.state.holdings.owners
        for port in sorted(set(now) | set(holdings.owners)):
            book, chart = (rows.get(port) or "its first owner" for rows in (holdings.owners, now))
            if book != chart:
                yield f"{port}: held by {book} in the books, by {chart} on the chart."
    for code, men in sorted(troops.aboard.items()):
        ship = books.ships.get(code)
        if ship is None or ship["fate"] not in ("afloat", "interned") or ship["prize"]:
            yield f"{code}: {men} soldiers are aboard, but it is not a ship of war or a transport afloat."
    rows = [((side, place), army.men) for (side, place), army in sorted(troops.armies.items())]
    for (side, place), men in (*rows, *sorted(holdings.ashore.items())):
        if side not in books.sides or place not in places or men < 1:
            yield f"{side} {place}: {men} soldiers ashore cannot be."


def _written_once(books: Books) -> Iterator[str]:
    """A written battle appears once in every ship's ledger, a void one nowhere; an open turn's battle is not written. Rule: G.BT2."""
    rows = fought_records(books.campaign.book)
    battles = Battle.objects.filter(book=books.campaign.book).select_related("outcome").order_by("code")
    for battle in battles:
        told = rows.get(battle.code, {})
        if battle.status != Battle.Status.WRITTEN:
            if told:
                yield f"{battle.code}: it is {battle.get_status_display().lower()} but appears in {len(told)} service records."
            continue
        outcome = getattr(battle, "outcome", None)
        if outcome is None or outcome.status != BattleOutcome.Status.WRITTEN or not outcome.written_in:
            yield f"{battle.code}: it is applied, but its result does not say by which turn."
            continue
        fought = {row["ship"] for row in outcome.document["ships"]}
        for code in sorted(fought ^ set(told)):
            yield f"{battle.code}: {code} {'has no entry of it' if code in fought else 'has an entry and was not there'}."
        yield from (
            f"{battle.code}: {code} has {n} entries of it." for code, n in sorted(told.items()) if n > 1
        )


def _records_unchanged(books: Books) -> Iterator[str]:
    """The ledger entries of every closed turn are those that it wrote. Rule: G.SV1."""
    turns = books.campaign.turns.filter(phase__in=FINAL)
    for turn in turns.select_related("campaign__book").order_by("number"):
        if (
            turn.records_hash
            and records_digest(book=books.campaign.book, turn=turn.reference) != turn.records_hash
        ):
            yield f"turn {turn.number}: the ledger entries are not those that it wrote."


def _held_fleets(books: Books) -> Iterator[str]:
    """A fleet is held by a battle that is open, and an open battle holds its fleets. Rule: G.BT4."""
    stations = Station.objects.filter(fleet__navy__book=books.campaign.book_id, fleet__ended=False).exclude(
        held_by=""
    )
    held = dict(stations.values_list("fleet__code", "held_by"))
    carried = books.campaign.carried.get("held", {})
    wanted = {
        fleet: code
        for code, call in carried.items()
        for fleets in call["fleets"].values()
        for fleet in fleets
    }
    for fleet in sorted(set(held) | set(wanted)):
        if held.get(fleet) != wanted.get(fleet):
            yield f"{fleet}: held by {held.get(fleet) or 'nothing'} in the rows, by {wanted.get(fleet) or 'nothing'} on the chart."
    battles = ongoing_battles(books.campaign)
    for code in sorted(carried):
        battle = battles.get(code)
        if battle is None or battle.status in (Battle.Status.WRITTEN, Battle.Status.VOID):
            yield f"{code}: it holds fleets, but the battle is not open."


def _rows_are_the_state(books: Books) -> Iterator[str]:
    """Every ship's row says what the last closed turn's state says, but for what the umpire has edited since. Rule: G.CL2."""
    if books.state is None or books.last is None:
        return
    since = books.last.closed
    actions = books.campaign.umpire_actions.exclude(touched=[])
    edited = {code for action in actions if since is None or action.at >= since for code in action.touched}
    running = books.campaign.turns.filter(number__gt=books.last.number, documents__kind="state").exists()
    if running:
        return  # the rows have gone on with the turn that is being played
    for code, now in sorted(books.state.ships.items()):
        ship = books.ships.get(code)
        if ship is None:
            yield f"{code}: it is on the chart but not in the books."
        elif code not in edited:
            yield from (f"{code} {ship['name']}: {text}" for text in _differences(now, ship))


def _differences(now: Any, ship: Mapping[str, Any]) -> Iterator[str]:
    pairs = [("side", now.side, ship["navy"]), ("fate", now.fate.value, ship["fate"])]
    if ship["fate"] == "afloat":
        pairs += [
            ("fleet", now.fleet, ship["fleet"]), ("men", now.men, ship["men"]), ("prize", now.prize, ship["prize"]),
            ("condition", dict(now.condition), ship["condition"]),
        ]  # fmt: skip
    for name, chart, row in pairs:
        if chart != row:
            yield f"{name} is {row!r} in the books and {chart!r} on the chart."


def _summaries_are_of_the_reports(books: Books) -> Iterator[str]:
    """What pages about the whole war read of a turn is what its reports say. Rule: G.IN1."""
    rows = TurnSummary.objects.filter(turn__campaign=books.campaign).select_related("turn")
    stored = {(row.turn_id, row.side_id): row for row in rows}
    reports = Report.objects.filter(turn__campaign=books.campaign).select_related("turn", "side")
    for report in reports.order_by("turn__number").iterator(chunk_size=50):
        row = stored.pop((report.turn_id, report.side_id), None)
        fault = "missing" if row is None else "not that of its report"
        told = summary_of(report.side_id, report.events)
        if row is None or told != {"events": row.events, "news": row.news}:
            yield f"turn {report.turn.number}: the summary for {report.side or 'the umpire'} is {fault}."
    yield from (f"a summary of turn {row.turn.number} belongs to no report." for row in stored.values())


CHECKS: tuple[Callable[[Books], Iterator[str]], ...] = (
    _ships_in_are_ships_out,
    _one_place_and_one_side,
    _a_prize_has_a_captor,
    _a_berth_never_holds_two,
    _men_are_conserved,
    _ports_and_soldiers,
    _written_once,
    _records_unchanged,
    _held_fleets,
    _rows_are_the_state,
    _summaries_are_of_the_reports,
)
