"""Points: for what, to whom, and when they decide a campaign."""

from fractions import Fraction
from typing import Any

import pytest

from campaign.rules.chart.types import Settings
from campaign.rules.turn.score import decided, points_of, port_points, totals

WORTH = {"E1": Fraction(90), "D1": Fraction(81, 2), "D2": Fraction(30)}
BATTLE = (5, "battle", {"battle": "b01", "fleets": {"ENG": [], "NLD": [], "FRA": []}})


def sums(*events: tuple[int, str, dict[str, Any]], settings: Settings | None = None) -> dict[str, Fraction]:
    """Totals of some events."""
    return totals(points_of(events, WORTH, settings or Settings()))


@pytest.mark.clause("G.VP1")
def test_a_capture_gives_her_value_to_the_captor_and_takes_it_from_her_side() -> None:
    taken = (9, "captured", {"battle": "b01", "ship": "D1", "side": "NLD", "captor": "ENG"})
    assert sums(BATTLE, taken) == {"ENG": Fraction(81, 2), "NLD": Fraction(-81, 2)}


@pytest.mark.clause("G.VP1")
def test_a_prize_that_is_retaken_evens_the_account() -> None:
    taken = (9, "captured", {"battle": "b01", "ship": "D1", "side": "NLD", "captor": "ENG"})
    back = (30, "retaken", {"ship": "D1", "side": "ENG", "captor": "NLD"})
    risen = (30, "rose", {"ship": "D1", "side": "ENG", "captor": "NLD", "won": True})
    beaten = (30, "rose", {"ship": "D1", "side": "ENG", "captor": "NLD", "won": False})
    freed = (9, "let_go", {"ship": "D1", "side": "ENG", "captor": "NLD"})
    assert sums(BATTLE, taken, back) == {"ENG": 0, "NLD": 0}
    assert sums(BATTLE, taken, freed) == {"ENG": 0, "NLD": 0}
    assert sums(BATTLE, taken, risen) == {"ENG": 0, "NLD": 0}
    assert sums(BATTLE, taken, beaten)["ENG"] == Fraction(81, 2)


@pytest.mark.clause("G.VP1")
def test_a_ship_destroyed_in_battle_counts_for_all_who_fought_her_side() -> None:
    sunk = (9, "lost", {"battle": "b01", "ship": "D2", "side": "NLD", "fate": "sunk"})
    assert sums(BATTLE, sunk) == {"NLD": -30, "ENG": 30, "FRA": 30}


@pytest.mark.clause("G.VP1")
def test_a_ship_lost_to_the_sea_costs_her_own_side_alone() -> None:
    assert sums((9, "lost", {"ship": "E1", "side": "ENG", "fate": "foundered"})) == {"ENG": -90}


@pytest.mark.clause("G.VP1")
def test_convoys_and_ports_count_by_the_settings() -> None:
    home = (40, "convoy_delivered", {"fleet": "C1", "side": "NLD", "value": 60})
    assert sums(home) == {"NLD": 60}
    assert sums(home, settings=Settings(convoy_percent=25)) == {"NLD": 15}
    assert list(port_points({"ENG": 3}, 0, Settings())) == []
    assert totals(port_points({"NLD": 2, "ENG": 3}, 0, Settings(port_points=5))) == {"ENG": 15, "NLD": 10}


@pytest.mark.clause("G.LD1", "G.LD4", "G.LD5", "G.VP1", "G.OB2")
def test_ports_taken_raids_and_soldiers_lost_are_paid_in_marks() -> None:
    taken = (6, "port_taken", {"place": "dover", "side": "NLD", "loser": "ENG", "marks": "4", "back": False})
    back = (99, "port_taken", {"place": "dover", "side": "ENG", "loser": "NLD", "marks": "4", "back": True})
    raided = (7, "raided", {"place": "dover", "side": "NLD", "marks": "3", "result": "whole", "fleet": "d"})
    failed = (8, "raided", {"place": "dover", "side": "NLD", "marks": "0", "result": "none", "fleet": "d"})
    lost = (9, "soldiers_lost", {"ship": "E1", "side": "ENG", "men": 850, "marks": "17/20"})
    points = list(points_of([taken, raided, failed, lost], WORTH, Settings(), 18))
    assert [(p.side, p.points, p.reason, p.subject) for p in points] == [
        ("NLD", 72, "port taken", "dover"), ("ENG", -72, "port taken", "dover"), ("NLD", 54, "raid", "dover"),
        ("ENG", Fraction(-153, 10), "men lost at sea", "E1"),
    ]  # fmt: skip
    assert totals(points_of([taken, back], WORTH, Settings(), 18)) == {"NLD": 0, "ENG": 0}
    neutral = (6, "port_taken", {"place": "fusan", "side": "NLD", "loser": "", "marks": "2", "back": False})
    assert totals(points_of([neutral], WORTH, Settings(), 18)) == {"NLD": 36}


@pytest.mark.clause("G.LD4", "G.LD5", "G.VP1")
def test_a_ship_burnt_in_port_counts_for_who_did_it() -> None:
    burnt = (6, "lost", {"ship": "D2", "side": "NLD", "fate": "burnt", "by": "ENG"})
    assert sums(burnt) == {"NLD": -30, "ENG": 30}


@pytest.mark.clause("G.EN1")
def test_the_points_in_the_setting_win_but_not_for_two_sides_at_once() -> None:
    settings = Settings(end_points=100)
    assert decided({"ENG": Fraction(120), "NLD": Fraction(-120)}, settings) == "ENG"
    assert decided({"ENG": Fraction(99), "NLD": Fraction(0)}, settings) == ""
    assert decided({"ENG": Fraction(120), "NLD": Fraction(120)}, settings) == ""
    assert decided({"ENG": Fraction(120)}, Settings()) == ""
    assert decided({}, settings) == ""
