"""What the chart's events write into the ledgers of ships and of officers, event by event; pure, without a database."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from battles.engine.core.fates import Fate
from campaign.calendar import chart_time
from campaign.rules.chart.types import ChartEvent
from campaign.rules.state.economy import Economy, Job, PrizeCase, Stage
from campaign.services.turn import chart_results, economy
from campaign.services.turn.chart_results import sea_write
from campaign.services.turn.economy import ashore_records, economy_write, officers_tell

pytestmark = pytest.mark.clause("G.SV1")
NOON = "1666-05-31T12:00"  # hour 30 of a campaign that begins at 06:00 on 30 May


def named(name: str, **more: Any) -> Any:
    return SimpleNamespace(name=name, **more)


FACTS: Any = SimpleNamespace(
    start_date="1666-05-30",
    fleets={"F": named("Main fleet")},
    ships={code: named(name, side="ENG") for code, name in (("A", "Antelope"), ("B", "Bristol"), ("C", "Dragon"))},
    sides={"ENG": named("England"), "NLD": named("Dutch Republic"), "FRA": named("France")},
    calendar=(),
    theatre=SimpleNamespace(places={"chatham": named("Chatham (dockyard)"), "galloper": named("The Galloper")}),
)  # fmt: skip


def event(kind: str, data: dict[str, Any], knows: tuple[str, ...] = ("ENG",)) -> ChartEvent:
    return ChartEvent(30, kind, "G.SV1", knows, data)


def state_of(*events: ChartEvent) -> Any:
    """What the writers read of a turn's state: its events, and a fleet that the chart has made."""
    new = SimpleNamespace(code="F-p1", side="ENG", name="Parted ships", ended=False)
    unnamed = SimpleNamespace(code="F-p2", side="ENG", name="", ended=False)
    old = SimpleNamespace(code="F", side="ENG", name="", ended=False)
    return SimpleNamespace(
        events=events,
        fleets={"F-p2": unnamed, "F-p1": new, "F": old},
        ships={},
        hour=36,
        economy=None,
        calendar=SimpleNamespace(done={}),
    )


@pytest.fixture
def at_sea(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives the ledger entries that a turn's events hand to the fleets, and all else that is handed to them."""

    def records(*events: ChartEvent) -> dict[str, Any]:
        handed: dict[str, Any] = {}

        def applied(**changes: Any) -> dict[str, int]:
            handed.update(changes)
            return {}

        monkeypatch.setattr(chart_results, "chart_rows_write", applied)
        for name in ("economy_write", "officers_tell"):
            monkeypatch.setattr(chart_results, name, lambda **_: None)
        turn: Any = SimpleNamespace(reference="W/1", campaign=SimpleNamespace(book=None), book=None)
        sea_write(turn=turn, facts=FACTS, state=state_of(*events))
        return handed

    return records


AT_SEA = [
    ("lost", {"ship": "A", "fate": "foundered", "cause": "gale", "place": "galloper"},
     [("A", "foundered", {"cause": "gale", "place": "the Galloper"})]),
    ("lost", {"ship": "A", "fate": "wrecked", "cause": "shoal", "place": "galloper"},
     [("A", "wrecked", {"cause": "shoal", "place": "the Galloper"})]),
    ("lost", {"ship": "A", "fate": "sunk", "cause": "fire", "place": "galloper"},
     [("A", "sunk", {"cause": "fire", "place": "the Galloper"})]),
    ("lost", {"ship": "A", "fate": "captured", "cause": "", "place": "galloper"}, []),
    ("lost", {"ship": "A", "fate": "sunk", "cause": "fire", "place": "galloper", "battle": "b01"}, []),
    ("parted_company", {"ships": ["A", "B"], "parent": "F", "fleet": "F-p1", "miles": 7},
     [("A", "parted", {"fleet": "Main fleet", "miles": 7}), ("B", "parted", {"fleet": "Main fleet", "miles": 7})]),
    ("parted_company", {"ships": ["A"], "parent": "F-p1", "fleet": "F-p2", "miles": 7},
     [("A", "parted", {"fleet": "Parted ships", "miles": 7})]),
    ("left_behind", {"ships": ["A"], "parent": "F", "place": "galloper"},
     [("A", "left_behind", {"fleet": "Main fleet", "place": "the Galloper"})]),
    ("left_astern", {"ships": ["A"], "parent": "F", "place": "galloper"},
     [("A", "left_behind", {"fleet": "Main fleet", "place": "the Galloper"})]),
    ("detached", {"ships": ["A"], "parent": "F", "place": "galloper"},
     [("A", "detached", {"fleet": "Main fleet", "place": "the Galloper"})]),
    ("aground", {"ships": ["A"], "place": "galloper"}, [("A", "aground", {"place": "the Galloper"})]),
    ("refloated", {"ships": ["A"], "place": "galloper"}, [("A", "refloated", {"place": "the Galloper"})]),
    ("rose", {"ships": ["A"], "captor": "NLD", "won": True}, [("A", "rose", {"navy": "Dutch Republic"})]),
    ("rose", {"ships": ["A"], "captor": "NLD", "won": False}, [("A", "uprising", {"navy": "Dutch Republic"})]),
    ("captured", {"ships": ["A"], "captor": "NLD", "captor_ship": "B"},
     [("A", "seized", {"captor": "Bristol", "navy": "Dutch Republic"})]),
    ("retaken", {"ships": ["A"], "captor": "NLD", "captor_ship": "B"},
     [("A", "saved", {"captor": "Bristol", "navy": "Dutch Republic"})]),
    ("captured", {"ships": ["A"], "captor": "NLD", "captor_ship": "B", "battle": "b01"}, []),
    ("retaken", {"ships": ["A"], "captor": "NLD", "captor_ship": "B", "battle": "b01"}, []),
    ("captured", {"ships": ["A"], "captor": "NLD", "captor_ship": "", "place": "chatham"},
     [("A", "captured_in_harbour", {"place": "Chatham", "navy": "Dutch Republic"})]),
    ("retaken", {"ships": ["A"], "captor": "NLD", "captor_ship": "", "place": "chatham"},
     [("A", "retaken_in_harbour", {"place": "Chatham", "navy": "Dutch Republic"})]),
    ("captured", {"ships": ["A"], "captor": "NLD", "captor_ship": "B", "place": ""},
     [("A", "seized", {"captor": "Bristol", "navy": "Dutch Republic"})]),
    ("lost", {"ship": "A", "fate": "burnt", "cause": "", "place": "chatham"},
     [("A", "burnt_in_harbour", {"place": "Chatham"})]),
    ("lost", {"ship": "A", "fate": "burnt", "cause": "", "place": "chatham", "battle": "b01"}, []),
    ("sent_in", {"ships": ["A"], "place": "galloper"}, [("A", "sent_in", {"place": "the Galloper"})]),
    ("burnt_at_sea", {"ships": ["A"], "place": "galloper"}, [("A", "burnt", {"place": "the Galloper"})]),
    ("let_go", {"ships": ["A"], "place": "galloper"}, [("A", "let_go", {})]),
    ("transferred", {"ships": ["A"], "fleet": "F"}, [("A", "transferred", {"fleet": "Main fleet"})]),
    ("convoy_delivered", {"ships": ["A"], "place": "galloper"}, [("A", "delivered", {"place": "the Galloper"})]),
    ("interned", {"ships": ["A"], "place": "galloper"}, [("A", "interned_in_port", {"place": "the Galloper"})]),
    ("rejoined", {"ships": ["A"], "fleet": "F"}, [("A", "rejoined", {"fleet": "Main fleet"})]),
    ("sighted", {"fleet": "F", "number": 1}, []),
    ("taken_up", {"ship": "A", "side": "ENG", "people": "ENG", "men": 30, "by": [["B", 20], ["C", 10]]},
     [("A", "people_saved", {"men": 30, "others": "Bristol and Dragon"}),
      ("B", "took_up", {"men": 20, "lost": "Antelope"}), ("C", "took_up", {"men": 10, "lost": "Antelope"})]),
    ("castaways", {"ship": "A", "side": "ENG", "people": "ENG", "men": 30, "place": "galloper", "captor": ""},
     [("A", "castaways", {"men": 30, "navy": "England", "place": "the Galloper"})]),
    ("castaways", {"ship": "A", "side": "ENG", "people": "ENG", "men": 30, "place": "galloper", "captor": "NLD"},
     [("A", "castaways_taken", {"men": 30, "navy": "England", "place": "the Galloper", "captor": "Dutch Republic"})]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "expected"), AT_SEA)
def test_events_at_sea_are_entered_for_every_ship_concerned_but_those_of_a_battle_are_not(
    at_sea: Any, kind: str, data: dict[str, Any], expected: list[Any]
) -> None:
    rows = at_sea(event(kind, data))["records"]
    assert [(row.ship, row.kind, dict(row.data)) for row in rows] == expected
    assert {(row.navy, row.when) for row in rows} <= {("ENG", NOON)}
    assert all(row.event.startswith(f"sea/W/1/30/{row.kind}") for row in rows)


def test_an_entry_names_the_side_of_its_event_or_else_the_first_that_knows_of_it(
    at_sea: Any,
) -> None:
    ship = {"ships": ["A"], "place": "galloper"}
    named_side = event("aground", {**ship, "side": "FRA"}, ("NLD", "ENG"))
    assert [row.navy for row in at_sea(named_side, event("aground", ship, ("NLD", "ENG")))["records"]] == [
        *("FRA", "NLD")
    ]


def test_people_of_two_sides_saved_from_one_ship_are_two_entries(at_sea: Any) -> None:
    lost = {"ship": "A", "side": "ENG", "men": 30, "by": [["B", 30]]}
    one, _, other, _ = at_sea(
        event("taken_up", {**lost, "people": "ENG"}), event("taken_up", {**lost, "people": "NLD"})
    )["records"]
    assert one.event != other.event


def test_fleets_are_passed_on_by_code_and_one_without_a_name_is_called_by_its_code(at_sea: Any) -> None:
    handed = at_sea()
    assert [(row.code, row.name) for row in handed["fleets"]] == [
        ("F", "F"), ("F-p1", "Parted ships"), ("F-p2", "F-p2"),
    ]  # fmt: skip
    assert handed["when"] == "1666-05-31T18:00"


def test_only_what_a_battle_took_is_taken_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: dict[str, Any] = {}
    monkeypatch.setattr(chart_results, "chart_rows_write", lambda **_: {})
    monkeypatch.setattr(chart_results, "officers_tell", lambda **_: None)
    monkeypatch.setattr(chart_results, "economy_write", lambda **given: handed.update(given))
    turn: Any = SimpleNamespace(reference="W/1", campaign=SimpleNamespace(book=None))
    fates = {"A": Fate.CAPTURED, "B": Fate.AFLOAT, "C": Fate.SUNK}
    outcome = SimpleNamespace(ships=[SimpleNamespace(ship=code, fate=fate) for code, fate in fates.items()])
    battles: Any = [SimpleNamespace(code="W/1-b01", outcome=outcome)]
    sea_write(turn=turn, facts=FACTS, state=state_of(), battles=battles)
    assert handed["taken_in"] == {"A": "W/1-b01"}


ASHORE = [
    ("yard_dated", {"ship": "A", "place": "chatham", "fresh": True, "hull": "heavy", "masts": 2, "batteries": 1},
     [("A", "in_yard", {"place": "Chatham", "work": "heavy work on the hull, 2 masts and 1 battery"})]),
    ("yard_redated", {"ship": "A", "place": "chatham", "fresh": True, "masts": 1},
     [("A", "in_yard", {"place": "Chatham", "work": "1 mast"})]),
    ("yard_dated", {"ship": "A", "place": "chatham", "fresh": False, "hull": "heavy"}, []),
    ("yard_left", {"ship": "A", "place": "chatham"}, [("A", "yard_left", {"place": "Chatham"})]),
    ("left_in_yard", {"ships": ["A", "B"], "place": "chatham", "parent": "F"},
     [("A", "left_in_port", {"place": "Chatham", "fleet": "Main fleet"}),
      ("B", "left_in_port", {"place": "Chatham", "fleet": "Main fleet"})]),
    ("left_in_yard", {"ships": ["A"], "place": "chatham", "parent": "gone"},
     [("A", "left_in_port", {"place": "Chatham", "fleet": "the fleet"})]),
    ("repaired", {"ship": "A", "place": "chatham", "hull": "light"},
     [("A", "repaired", {"place": "Chatham", "work": "light work on the hull"})]),
    ("repaired", {"ship": "A", "place": "chatham", "batteries": 2},
     [("A", "repaired", {"place": "Chatham", "work": "2 batteries"})]),
    ("mended_at_sea", {"ship": "A"}, [("A", "mended_at_sea", {})]),
    ("prize_in_port", {"ship": "A", "place": "chatham"}, [("A", "prize_in_port", {"place": "Chatham"})]),
    ("condemned", {"ship": "A", "place": "chatham", "pounds": 12345},
     [("A", "condemned", {"place": "Chatham", "pounds": "12,345"})]),
    ("prize_sold", {"ship": "A", "place": "chatham", "pounds": 500},
     [("A", "sold", {"place": "Chatham", "pounds": "500"})]),
    ("prize_hulked", {"ship": "A", "place": "chatham", "pounds": 500}, [("A", "hulked", {"place": "Chatham"})]),
    ("burnt_in_port", {"ship": "A", "place": "chatham"}, [("A", "burnt_prize", {"place": "Chatham"})]),
    ("prize_bought", {"ship": "A", "side": "ENG", "place": "chatham", "pounds": 2500, "name": "Hope", "former": "Hoop"},
     [("A", "bought_in", {"navy": "England", "place": "Chatham", "pounds": "2,500"}),
      ("A", "renamed", {"name": "Hope", "former": "Hoop"})]),
    ("prize_bought", {"ship": "A", "side": "ENG", "place": "chatham", "pounds": 2500, "name": "Hoop", "former": "Hoop"},
     [("A", "bought_in", {"navy": "England", "place": "Chatham", "pounds": "2,500"})]),
    ("men_moved", {"ship": "A", "other": "B", "men": 40},
     [("A", "men_moved", {"men": 40, "other": "Bristol"}), ("B", "men_joined", {"men": 40, "other": "Antelope"})]),
    ("officer_takes", {"ship": "A", "name": "Lawson"}, [("A", "captain", {"officer": "Lawson"})]),
    ("officer_hoists", {"ship": "A", "name": "Lawson"}, [("A", "flag_hoisted", {"officer": "Lawson"})]),
    ("officer", {"ship": "A", "name": "Lawson", "fate": "killed"},
     [("A", "officer_hit", {"officer": "Lawson", "fate": "killed"})]),
    ("officer", {"ship": "A", "name": "Lawson", "fate": "killed", "said": "fell"}, []),
    ("sighted", {"fleet": "F", "number": 1}, []),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "expected"), ASHORE)
def test_events_in_yards_courts_and_ports_are_entered_for_every_ship_concerned(
    kind: str, data: dict[str, Any], expected: list[Any]
) -> None:
    rows = list(ashore_records(FACTS, state_of(event("sighted", {}), event(kind, data)), "W/1"))
    assert [(row.ship, row.kind, dict(row.data)) for row in rows] == expected
    assert {(row.navy, row.when) for row in rows} <= {("ENG", NOON)}
    assert [row.event for row in rows] == [f"ashore/W/1/1/{row.kind}" for row in rows]


def test_an_exchanged_prize_returns_to_the_other_side_that_knows_of_it() -> None:
    for knows in (("ENG", "NLD"), ("NLD", "ENG")):
        data = {"ship": "A", "side": "ENG", "at": "chatham", "pounds": 900}
        (row,) = ashore_records(FACTS, state_of(event("prize_exchanged", data, knows)), "W/1")
        assert (row.ship, row.navy, row.kind) == ("A", "ENG", "given_back")
        assert row.data == {"navy": "Dutch Republic", "place": "Chatham", "pounds": "900"}
    (row,) = ashore_records(FACTS, state_of(event("mended_at_sea", {"ship": "A"}, ("NLD", "ENG"))), "W/1")
    assert row.navy == "NLD"


OFFICERS = [
    ("officer", {"ship": "A", "name": "Lawson", "fate": "killed", "side": "NLD"}, ("NLD", "killed", "Antelope", "")),
    ("officer", {"ship": "A", "name": "Lawson", "fate": "wounded"}, ("ENG", "wounded", "Antelope", "")),
    ("officer_fit", {"ship": "", "name": "Lawson", "side": "ENG"}, ("ENG", "fit", "no ship", "")),
    ("officer_fit", {"ship": "", "name": "Lawson"}, ("", "fit", "no ship", "")),
    ("officer_takes", {"ship": "B", "name": "Lawson"}, ("ENG", "command", "Bristol", "")),
    ("officer_hoists", {"ship": "C", "name": "Lawson", "place": "Blue"}, ("ENG", "flag", "Dragon", "Blue")),
    ("aground", {"ships": ["A"], "place": "galloper"}, None),
]  # fmt: skip


@pytest.mark.clause("G.AF1")
@pytest.mark.parametrize(("kind", "data", "expected"), OFFICERS)
def test_an_officers_misfortune_is_entered_in_their_record(
    monkeypatch: pytest.MonkeyPatch, kind: str, data: dict[str, Any], expected: Any
) -> None:
    handed: list[Any] = []
    monkeypatch.setattr(economy, "officer_records_write", lambda **changes: handed.extend(changes["entries"]))
    campaign: Any = SimpleNamespace(book=None)
    officers_tell(campaign=campaign, facts=FACTS, state=state_of(event(kind, data)), turn="W/1")
    assert [(row.navy, row.kind, row.data["ship"], row.data["squadron"]) for row in handed] == (
        [expected] if expected else []
    )
    for row in handed:
        assert (row.name, row.when, row.event) == ("Lawson", NOON, f"W/1/30/{row.kind}")


# --- what a state says of yards, prizes and funds ------------------------------------------------------------


def afloat(side: str = "ENG", fate: Fate = Fate.AFLOAT) -> Any:
    """A ship as the chart has her."""
    return SimpleNamespace(side=side, fate=fate, men=40)


def handed(monkeypatch: pytest.MonkeyPatch, now: Economy, ships: Any = None, **state: Any) -> Any:
    """What the navies' books are told of an economy, in a turn that began at hour 24; A was taken in the battle b01."""
    told: list[Any] = []
    monkeypatch.setattr(economy, "ashore_apply", lambda **changes: told.append(changes["now"]))
    campaign: Any = SimpleNamespace(book=None)
    facts: Any = SimpleNamespace(**{**vars(FACTS), "officers": {}, "first_hour": 24})
    turn_state: Any = SimpleNamespace(economy=now, prizes=state, ships=ships or {})
    economy_write(campaign=campaign, facts=facts, state=turn_state, taken_in={"A": "b01"})
    return told[0]


@pytest.mark.clause("G.RP2")
def test_a_ship_in_a_yard_has_a_numbered_berth_or_is_afloat_or_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job("A", "ENG", "chatham", "light", 1, 2, total=9, needs=3, began=30, done=4)
    jobs = {
        "A": replace(job, berth=2, ready=54),
        "B": replace(job, ship="B", berth=0),
        "C": replace(job, ship="C"),
    }
    a, b, c = handed(monkeypatch, Economy(jobs=jobs)).jobs
    assert (a.berth, a.began, a.ready, a.done, a.total) == (2, NOON, "1666-06-01T12:00", 4, 9)
    assert (b.berth, b.ready) == (0, "") and (c.berth, c.ready) == (None, "")


@pytest.mark.clause("G.PR4")
def test_funds_and_prizes_are_recorded_for_every_side_and_a_prize_before_the_court_is_in_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = PrizeCase("A", "ENG", "NLD", "B", hour=3, aboard=90)
    prizes = {
        "B": replace(case, ship="B", stage=Stage.COURT),
        "A": case,
        "C": replace(case, ship="C", stage=Stage.SOLD),
    }
    shares = (1, 2, 3, 4, 5, 6)
    now = Economy(
        prizes=prizes, funds={"ENG": 70}, earned={"NLD": shares}, names={"A": "Hope"},
        prisoners={("NLD", "texel", "ENG"): 7, ("ENG", "nore", "NLD"): 5}, ashore={("ENG", "nore"): 3},
    )  # fmt: skip
    ships = {"A": afloat(), "B": afloat(), "C": afloat()}
    told = handed(monkeypatch, now, ships, A=SimpleNamespace(prisoners=0))
    assert told.funds == {"ENG": (70, (0,) * 6), "FRA": (0, (0,) * 6), "NLD": (0, shares)}
    assert [(row.ship, row.status, row.prisoners) for row in told.prizes] == [
        ("A", "sailing", 0), ("B", "in_port", None), ("C", "sold", None),
    ]  # fmt: skip
    assert told.prisoners == [("ENG", "nore", "NLD", 5), ("NLD", "texel", "ENG", 7)]
    assert told.ashore == [("ENG", "nore", 3)]
    assert told.names == {"A": "Hope", "B": "Bristol", "C": "Dragon"}


@pytest.mark.clause("G.PR1", "G.PR3")
@pytest.mark.parametrize(
    ("ship", "status"),
    [
        (afloat(), "sailing"),
        (afloat(side="NLD"), "lost"),
        (afloat(fate=Fate.FOUNDERED), "lost"),
        (None, "lost"),
    ],
    ids=["held", "another side's", "gone", "not on the chart"],
)
def test_a_prize_that_her_captor_no_longer_has_is_lost_to_the_captor(
    monkeypatch: pytest.MonkeyPatch, ship: Any, status: str
) -> None:
    now = Economy(prizes={"A": PrizeCase("A", "ENG", "NLD", "B", hour=30, aboard=90)})

    (told,) = handed(monkeypatch, now, {"A": ship} if ship else {}).prizes

    assert (told.status, told.crew) == (status, 40 if ship else 0)


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(
    ("ship", "hour", "fresh", "battle"),
    [
        ("A", 30, True, "b01"),
        ("B", 30, True, f"sea/{NOON}"),
        ("B", 24, True, "sea/1666-05-31T06:00"),
        ("B", 23, False, "sea/1666-05-31T05:00"),
    ],
)
def test_a_capture_is_from_this_turn_or_older_and_from_its_battle_or_the_sea(
    monkeypatch: pytest.MonkeyPatch, ship: str, hour: int, fresh: bool, battle: str
) -> None:
    now = Economy(prizes={ship: PrizeCase(ship, "ENG", "NLD", "C", hour=hour, aboard=90)})

    (told,) = handed(monkeypatch, now).prizes

    assert (told.fresh, told.battle, told.when) == (fresh, battle, chart_time("1666-05-30", hour))
    assert (told.captor, told.taken_from, told.taken_by, told.aboard) == ("ENG", "NLD", "C", 90)
