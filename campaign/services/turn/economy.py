"""From the chart's economy to the navies' books: one function writes the rows, after a turn and at a rollback. Rules: G.UM3, G.SV1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from battles.engine.core.fates import Fate
from campaign.accounts.ashore import work_in_words
from campaign.accounts.words import as_goal
from campaign.calendar import chart_time
from campaign.models import Campaign, Turn
from campaign.rules.chart import types as t
from campaign.rules.losses.officers import officer_now
from campaign.rules.state.economy import NO_BERTH, OPEN_STAGES, SHARERS, Economy, Stage
from campaign.rules.turn.snapshots import facts_from_dict
from campaign.rules.turn.turn import TurnState, standing
from campaign.selectors.turn.facts import pure_theatre
from fleets.services.ashore import (
    AshoreNow,
    JobNow,
    OfficerEntry,
    OfficerNow,
    PrizeNow,
    ashore_apply,
    officer_records_write,
)
from fleets.services.chart_rows import SeaRecord

_NOTHING = (0,) * len(SHARERS)
_OFFICERS = {"officer_fit": "fit", "officer_takes": "command", "officer_hoists": "flag"}


def economy_write(
    *, campaign: Campaign, facts: t.TurnFacts, state: TurnState, taken_in: Mapping[str, str] | None = None
) -> None:
    """Make the rows of yards, funds, prizes, prisoners, officers and names say what a state says.

    taken_in: code of the battle in which a ship was taken, by ship; without one she was taken on the chart. A second call changes
    nothing. Rules: G.RP2, G.PR1, G.PR4, G.PR5, G.AF1.
    """
    ashore_apply(book=campaign.book, now=_ashore(facts, state, taken_in or {}))


def economy_restore(*, campaign: Campaign, turn: Turn) -> None:
    """Put the rows ashore back to what a turn began with, from its snapshot. Rule: G.UM3. Raises ValueError where none was kept."""
    if turn.snapshot is None:
        raise ValueError(f"{turn} was never locked")
    facts, _ = facts_from_dict(turn.snapshot, pure_theatre(campaign.theatre))
    economy_write(campaign=campaign, facts=facts, state=standing(facts))


def _ashore(facts: t.TurnFacts, state: TurnState, taken_in: Mapping[str, str]) -> AshoreNow:
    economy = state.economy
    return AshoreNow(
        jobs=_jobs(facts, economy),
        funds={
            side: (economy.funds.get(side, 0), economy.earned.get(side, _NOTHING))
            for side in sorted(facts.sides)
        },
        prizes=_prizes(facts, state, taken_in),
        prisoners=[(*key, men) for key, men in sorted(economy.prisoners.items())],
        ashore=[(*key, men) for key, men in sorted(economy.ashore.items())],
        officers=_officers(facts, economy),
        names={code: economy.names.get(code, sheet.name) for code, sheet in facts.ships.items()},
    )


def _jobs(facts: t.TurnFacts, economy: Economy) -> list[JobNow]:
    return [
        JobNow(
            ship=job.ship, navy=job.side, place=job.port, berth=None if job.berth == NO_BERTH else job.berth, hull=job.hull,
            masts=job.masts, batteries=job.batteries, needs=job.needs, total=job.total, done=job.done,
            began=chart_time(facts.start_date, job.began),
            ready=chart_time(facts.start_date, job.ready) if job.ready else "",
        )
        for job in economy.jobs.values()
    ]  # fmt: skip


def _prizes(facts: t.TurnFacts, state: TurnState, taken_in: Mapping[str, str]) -> list[PrizeNow]:
    found = []
    for code, case in sorted(state.economy.prizes.items()):
        ship, when = state.ships.get(code), chart_time(facts.start_date, case.hour)
        held = ship is not None and ship.fate is Fate.AFLOAT and ship.side == case.captor
        found.append(
            PrizeNow(
                ship=case.ship, captor=case.captor, taken_from=case.taken_from, taken_by=case.taken_by, when=when,
                fresh=case.hour >= facts.first_hour, battle=taken_in.get(code) or f"sea/{when}", crew=ship.men if ship is not None else 0,
                status=_status(case.stage if held or case.stage not in OPEN_STAGES else Stage.LOST), port=case.port,
                court=case.court, aboard=case.aboard, value=case.value, head_money=case.head_money,
                prisoners=state.prizes[code].prisoners if code in state.prizes else None,
            )
        )  # fmt: skip
    return found


def _status(stage: Stage) -> str:
    """A stage as the books call it."""
    return "in_port" if stage is Stage.COURT else stage.value


def _officers(facts: t.TurnFacts, economy: Economy) -> list[OfficerNow]:
    found = []
    for key, row in facts.officers.items():
        now = officer_now(facts, economy.officers, key)
        found.append(OfficerNow(row.side, row.name, now.ship, now.status, now.flag_rank))
    return found


def officers_tell(*, campaign: Campaign, facts: t.TurnFacts, state: TurnState, turn: str) -> None:
    """Write what befell named officers in a turn into their records. Rules: G.AF1, G.SV1."""
    officer_records_write(book=campaign.book, entries=_officer_entries(facts, state, turn), turn=turn)


def _officer_entries(facts: t.TurnFacts, state: TurnState, turn: str) -> Iterator[OfficerEntry]:
    for event in state.events:
        data = event.data
        if event.kind == "officer":
            kind = data["fate"]
        elif event.kind in _OFFICERS:
            kind = _OFFICERS[event.kind]
        else:
            continue
        sheet = facts.ships.get(data["ship"])
        yield OfficerEntry(
            navy=data.get("side") or (sheet.side if sheet is not None else ""),
            name=data["name"],
            when=chart_time(facts.start_date, event.hour),
            kind=kind,
            event=f"{turn}/{event.hour}/{kind}"[:120],
            data={"ship": sheet.name if sheet is not None else "no ship", "squadron": data.get("place", "")},
        )


def ashore_records(facts: t.TurnFacts, state: TurnState, turn: str) -> Iterator[SeaRecord]:
    """Entries for ships' ledgers of what happened in yards, courts and ports. Rule: G.SV1."""
    for number, event in enumerate(state.events):
        made = _KINDS.get(event.kind)
        if made is not None:
            for ship, kind, told in made(facts, event.data, event):
                yield SeaRecord(
                    ship=ship,
                    navy=event.data.get("side") or event.knows[0],
                    when=chart_time(facts.start_date, event.hour),
                    kind=kind,
                    event=f"ashore/{turn}/{number}/{kind}",
                    data=told,
                )


Entry = tuple[str, str, dict[str, Any]]


def _place(facts: t.TurnFacts, code: str) -> str:
    return as_goal(facts.theatre.places[code].name)


def _work(data: Any) -> str:
    return work_in_words(data.get("hull", ""), data.get("masts", 0), data.get("batteries", 0))


_TOLD: dict[str, Callable[[t.TurnFacts, Any], str]] = {
    "place": lambda facts, data: _place(facts, data["place"]),
    "pounds": lambda facts, data: f"{data['pounds']:,}",
    "work": lambda facts, data: _work(data),
    "officer": lambda facts, data: str(data["name"]),
}


def _simple(kind: str, *fields: str) -> Any:
    """Makes the entry of one ship that tells these fields."""

    def entry(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
        return [(data["ship"], kind, {field: _TOLD[field](facts, data) for field in fields})]

    return entry


_in_yard = _simple("in_yard", "place", "work")


def _dated(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
    return _in_yard(facts, data, event) if data["fresh"] else []


def _left(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
    parent = facts.fleets.get(data["parent"])
    told = {"place": _place(facts, data["place"]), "fleet": parent.name if parent else "the fleet"}
    return [(ship, "left_in_port", told) for ship in data["ships"]]


def _bought(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
    told = {
        "navy": facts.sides[data["side"]].name,
        "place": _place(facts, data["place"]),
        "pounds": f"{data['pounds']:,}",
    }
    entries: list[Entry] = [(data["ship"], "bought_in", told)]
    if data["name"] != data["former"]:
        entries.append((data["ship"], "renamed", {"name": data["name"], "former": data["former"]}))
    return entries


def _given_back(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
    old = next(side for side in event.knows if side != data["side"])
    told = {
        "navy": facts.sides[old].name,
        "place": _place(facts, data["at"]),
        "pounds": f"{data['pounds']:,}",
    }
    return [(data["ship"], "given_back", told)]


def _men_moved(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
    names = {code: facts.ships[code].name for code in (data["ship"], data["other"])}
    return [
        (data["ship"], "men_moved", {"men": data["men"], "other": names[data["other"]]}),
        (data["other"], "men_joined", {"men": data["men"], "other": names[data["ship"]]}),
    ]


def _hit(facts: t.TurnFacts, data: Any, event: Any) -> list[Entry]:
    if data.get("said"):  # the set's own word stands in the battle's entries
        return []
    return [(data["ship"], "officer_hit", {"officer": data["name"], "fate": data["fate"]})]


_KINDS: dict[str, Any] = {
    "yard_dated": _dated,
    "yard_redated": _dated,
    "yard_left": _simple("yard_left", "place"),
    "left_in_yard": _left,
    "repaired": _simple("repaired", "place", "work"),
    "mended_at_sea": _simple("mended_at_sea"),
    "prize_in_port": _simple("prize_in_port", "place"),
    "condemned": _simple("condemned", "place", "pounds"),
    "prize_bought": _bought,
    "prize_sold": _simple("sold", "place", "pounds"),
    "prize_hulked": _simple("hulked", "place"),
    "burnt_in_port": _simple("burnt_prize", "place"),
    "prize_exchanged": _given_back,
    "men_moved": _men_moved,
    "officer_takes": _simple("captain", "officer"),
    "officer_hoists": _simple("flag_hoisted", "officer"),
    "officer": _hit,
}
