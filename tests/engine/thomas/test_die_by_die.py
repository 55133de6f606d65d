"""Whole battles recomputed from nothing but their logs, with tables of the auditor's own: gunnery, damage, sinking, fires, masts.

No code of the rule set is asked for a figure; what a log says happened must follow from its dice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import read_scenario
from battles.engine.play import Played, play_battle, verify

SCENARIOS = Path(__file__).resolve().parents[3] / "battles" / "data" / "scenarios" / "thomas"
# Close and extreme range by type of gun, thousandths of an inch.
RANGES = {"short": (4_000, 4_000), "medium": (4_000, 8_000), "long": (8_000, 16_000)}


class Auditor:
    """Follows a log event by event and keeps what each ship must have left."""

    def __init__(self) -> None:
        self.flot: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.masts: dict[str, int] = {}
        self.batteries: dict[str, int] = {}
        self.waiting: dict[str, list[tuple[int, int]]] = {}
        self.shot_away: Counter[str] = Counter()
        self.fails: Counter[str] = Counter()
        self.gone: set[str] = set()
        self.faces: dict[str, list[int]] = {}
        self.checked: Counter[str] = Counter()

    def read(self, events: Iterable[Event]) -> None:
        """Go through the whole log."""
        for event in events:
            assert event.kind == DIE or event.ship not in self.gone or event.kind in ("after", "officer"), (
                event
            )
            check = getattr(self, event.kind, None)
            if check is not None:
                check(event)
                self.checked[event.kind] += 1

    def die(self, event: Event) -> None:
        """Keep the faces by key, without what stands before the clause."""
        _, _, key = event.data["key"].partition(f"/{event.clause}/")
        self.faces[f"{event.clause}/{key}"] = event.data["faces"]

    def placed(self, event: Event) -> None:
        self.flot[event.ship], self.most[event.ship] = event.data["flot"], event.data["flot_max"]
        self.masts[event.ship] = event.data["masts"]
        self.batteries[event.ship] = sum(not lost for *_, lost in event.data["batteries"])

    def volley(self, event: Event) -> None:
        """Rules: T.B9, T.S5, T.S6, T.N1."""
        data = event.data
        thrown = self.faces[f"T.B9/{event.turn}/{event.ship}/{data['group']}"]
        assert [face for _, face, _ in data["dice"]] == thrown
        hits = 0
        for gun, face, confirm in data["dice"]:
            close, most = RANGES[gun]
            assert data["range"] <= most + 1
            hit = face >= (4 if data["range"] <= close else 5)
            if confirm is not None:
                assert hit
                hit = confirm >= 4
            if hit:
                hits += 1
                double = 2 if data["raked"] and data["range"] <= close else 1
                self.waiting.setdefault(data["target"], []).append((double, face))
        assert hits == data["hits"], event

    def damage(self, event: Event) -> None:
        """Rules: T.B9b, T.B11, T.N1."""
        hits = self.waiting.pop(event.ship)
        assert len(hits) == event.data["hits"]
        self.flot[event.ship] = max(0, self.flot[event.ship] - sum(double for double, _ in hits))
        assert event.data["flot"] == self.flot[event.ship], event
        assert (
            event.data["quarters"]
            == 4 * (self.most[event.ship] - self.flot[event.ship]) // self.most[event.ship]
        )
        sixes = sum(double for double, face in hits if face == 6)
        away = self.shot_away.pop(event.ship, 0)
        assert away == min(sixes, self.batteries[event.ship] + away), event

    def battery(self, event: Event) -> None:
        """Rules: T.B11, T.O7a."""
        self.batteries[event.ship] -= 1
        assert self.batteries[event.ship] >= 0
        if event.data["why"] == "hit":
            self.shot_away[event.ship] += 1

    def foundering(self, event: Event) -> None:
        """Rules: T.O7, T.O7a."""
        assert 4 * (self.most[event.ship] - self.flot[event.ship]) >= 3 * self.most[event.ship]
        self.flot[event.ship] -= not event.data["saved"]
        assert event.data["flot"] == self.flot[event.ship]

    def sunk(self, event: Event) -> None:
        """Rule: T.B9c."""
        assert self.flot[event.ship] == 0
        self.gone.add(event.ship)

    foundered = sunk

    def blown_up(self, event: Event) -> None:
        """Rules: T.N2, T.N3a: by her magazine in this step, or by the fifth failure to put out a fire."""
        self.gone.add(event.ship)

    wrecked = beached = blown_up

    def burns(self, event: Event) -> None:
        """Rule: T.N3a."""
        self.fails[event.ship] += 1
        assert event.data["fails"] == self.fails[event.ship] <= 5

    def fire_out(self, event: Event) -> None:
        """Rule: T.N3."""
        self.fails[event.ship] = 0

    def mast(self, event: Event) -> None:
        """Rule: T.B5."""
        self.masts[event.ship] -= 1
        assert event.data["left"] == self.masts[event.ship] >= 0

    def jury(self, event: Event) -> None:
        """Rule: T.O2."""
        self.masts[event.ship] += event.data["up"]


@pytest.fixture(scope="module")
def battles() -> list[Played]:
    found = []
    # The second battle of Trafalgar is one in which a ship blows up.
    for name, seeds in (("trafalgar", (1,)), ("frigate_duel", range(6)), ("isle_of_wight", (0,))):
        scenario = read_scenario(json.loads((SCENARIOS / f"{name}.json").read_text(encoding="utf-8")))
        found += [play_battle(scenario, bytes([seed]), log=True) for seed in seeds]
    return found


@pytest.mark.clause("T.B9", "T.B9b", "T.B9c", "T.B11", "T.N1", "T.S5", "T.S6", "T.O7", "T.N3a", "G.FA1")
def test_every_figure_of_a_log_follows_from_its_dice(battles: list[Played]) -> None:
    seen: Counter[str] = Counter()
    for number, played in enumerate(battles):
        auditor = Auditor()
        auditor.read(played.events)
        assert not any(auditor.waiting.values())
        for entry in played.outcome.ships:
            assert entry.condition["flot"] == auditor.flot[entry.ship] or entry.fate.value == "blown up", (
                number
            )
            assert entry.fate.lost == (entry.ship in auditor.gone)
        seen += auditor.checked
    assert seen["volley"] > 200
    assert min(seen[kind] for kind in ("damage", "battery", "mast", "burns", "blown_up")) > 0


def test_a_changed_hit_is_found(battles: list[Played]) -> None:
    events = list(battles[0].events)
    at = next(n for n, event in enumerate(events) if event.kind == "volley" and event.data["hits"])
    events[at] = events[at]._replace(data={**events[at].data, "hits": events[at].data["hits"] - 1})
    with pytest.raises(AssertionError):
        Auditor().read(events)


def test_the_dice_are_those_of_the_seed(battles: list[Played]) -> None:
    assert list(verify(battles[0].events, bytes([1]))) == []
