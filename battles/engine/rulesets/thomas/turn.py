"""The published sequence of one move: every step with its clauses and the function that carries it out. Section 9 of rules.md.

A step's function takes the battle and the play. Those of a side that moves or fires ask `battle.first` and `battle.second`
themselves, under two names each.
"""

from __future__ import annotations

from battles.engine.core.sequence import Row, Sequence, Step
from battles.engine.rulesets.thomas import (
    boarding,
    burning,
    clock,
    closing,
    damage,
    drift,
    fire,
    foundering,
    initiative,
    layout,
    masts,
    movement,
    releases,
    securing,
    surrender,
    survivors,
    towing,
    wind,
)
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle


def begin_move(battle: Battle) -> None:
    """Count the move and clear what holds for one move only. Raises ValueError when the battle is over. Rule: T.S14."""
    if battle.ended:
        raise ValueError("the battle is over")
    battle.move += 1
    for ship in battle.ships.values():
        ship.moved = ship.drifted = ship.run_into = ship.drifts_now = ship.stopped_short = (
            ship.grapple_tried
        ) = False
        ship.under_sail = ship.fired_now = ship.silent = ship.fired_on_close = False
        ship.thresholds_due = 0
    battle.moving = ""


SEQUENCE = Sequence(
    (
        Row(
            Step("P0", ("T.S13", "T.C4", "T.C5"), "Check for nightfall as the battle opens"), clock.nightfall
        ),
        Row(Step("P0a", ("T.S20",), "Reinforcements arrive"), layout.arrivals),
        Row(Step("P1", ("T.B1", "T.B8"), "The wind changes; ships caught too close to it"), wind.change),
        Row(Step("P2a", ("T.N3", "T.N3a", "T.N2c"), "Ships on fire try to put it out"), burning.put_out),
        Row(Step("P2b", ("T.B7b",), "Ships in irons try to turn out of them"), releases.irons),
        Row(Step("P2c", ("T.B6e", "T.S22"), "Drifting ships try to get under way"), releases.under_way),
        Row(Step("P2d", ("T.O3e", "T.O3g"), "Tows are made fast or cast off"), towing.pass_lines),
        Row(
            Step("P2e", ("T.O1b", "T.O4e", "T.O4g"), "Vessels change between oars and sails; boats return"),
            releases.rigs,
        ),
        Row(
            Step("P2f", ("T.O6n",), "Ships that have struck may hoist their colours again"),
            surrender.change_minds,
        ),
        Row(Step("P3", ("T.B3",), "Initiative"), initiative.throw),
        Row(Step("P4", ("T.B6", "T.B12m"), "Drift"), drift.drift_all),
        Row(
            Step(
                "P5a",
                ("T.B12l", "T.B12d", "T.B12k"),
                "Boarding fights continue; grappled ships may cut loose",
            ),
            boarding.first_fights,
        ),
        Row(Step("P5b", ("T.B4", "T.B2", "T.B7"), "The first side moves"), movement.first_moves),
        Row(Step("P5c", ("T.B12a", "T.B12b", "T.B12"), "The first side boards"), boarding.first_boards),
        Row(Step("P5d", ("T.O6d", "T.O6f"), "The first side secures prizes"), securing.first_secures),
        Row(Step("P6a", ("T.B12l",), "The second side's grappled ships act"), boarding.second_fights),
        Row(Step("P6b", ("T.B4", "T.B2", "T.B7"), "The second side moves"), movement.second_moves),
        Row(Step("P6c", ("T.B12a", "T.B12b", "T.B12"), "The second side boards"), boarding.second_boards),
        Row(Step("P6d", ("T.O6d", "T.O6f"), "The second side secures prizes"), securing.second_secures),
        Row(Step("P6e", ("T.B12m",), "Grappled ships that are not fighting drift"), drift.drift_idle_locks),
        Row(Step("P7", ("T.B9", "T.B10", "T.N1", "T.N4"), "The first side fires"), fire.first_fires),
        Row(
            Step("P8", ("T.B9b", "T.B11", "T.N2"), "The second side takes its damage"), damage.second_suffers
        ),
        Row(Step("P9", ("T.B9", "T.B10", "T.N1", "T.N4"), "The second side fires"), fire.second_fires),
        Row(Step("P10", ("T.B9b", "T.B11", "T.N2"), "The first side takes its damage"), damage.first_suffers),
        Row(Step("P11a", ("T.B5",), "Masts"), masts.fall),
        Row(
            Step("P11b", ("T.O7", "T.O7a"), "Damaged ships strain and may founder, or throw guns overboard"),
            foundering.strain,
        ),
        Row(Step("P11c", ("T.O2",), "Work on jury masts"), masts.jury),
        Row(Step("P11d", ("T.O5g",), "Worn-out crews may strike"), surrender.worn_crews),
        Row(Step("P11e", ("T.O6", "T.O6m"), "Ships strike; captives rise"), surrender.strikes),
        Row(Step("P11f", ("T.O6c",), "Prizes taken by boarding are secured"), securing.boarded_prizes),
        Row(Step("P11g", ("T.O5h",), "Survivors"), survivors.claim),
        Row(
            Step(
                "P12",
                ("T.C3", "T.S16", "T.C4", "T.C5"),
                "Ships leave; check for nightfall and for the end of the battle",
            ),
            clock.tick,
        ),
    ),
    Row(closing.STEP, closing.after_battle),
)

STEPS: tuple[Step, ...] = SEQUENCE.steps


def play_move(battle: Battle, play: Play) -> None:
    """Play one whole move, and what follows the battle when it was the last. Raises ValueError when it is over already.

    Rules: section 9, T.C36.
    """
    begin_move(battle)
    play.begin_move()
    SEQUENCE.play(battle, play, battle.move)
