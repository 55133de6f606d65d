"""Playing a turn to its end, in this process or by the workers: for demos, tests and the command line."""

from __future__ import annotations

import time

from battles.engine.pinned.archives import RulesMissing
from battles.models import Battle
from battles.services.fighting import battle_fight
from campaign.models import Turn
from campaign.publishing import RUN_TURN, hand_on
from campaign.selectors.turn.ongoing import waits_for
from campaign.services.turn.turns import battles_of, turn_lock, turn_run

Phase = Turn.Phase
ENDED = (Phase.CLOSED, Phase.FAILED)


class TurnFailed(RuntimeError):
    """A turn that could not be run; the text is what the umpire sees."""


def turn_play(*, turn: Turn) -> Turn:
    """Lock and run a turn in this process, fighting its battles one after another. Raises TurnFailed.

    It drives the same functions as the tasks, so it ends in the same state.
    """
    _lock(turn)
    while turn_run(turn_id=turn.pk) not in ENDED:
        waiting = battles_of(turn.pk).filter(status=Battle.Status.READY, route=Battle.Route.ENGINE)
        for battle_id in list(waiting.values_list("pk", flat=True)):
            battle_fight(battle_id=battle_id)
        if not waiting and _stuck(turn):
            break
    return _ended(turn)


def turn_play_by_workers(*, turn: Turn, patience: float = 600.0) -> Turn:
    """Lock a turn and let the workers run it; come back when it is closed. patience: seconds. Raises TurnFailed."""
    _lock(turn)
    hand_on(RUN_TURN, turn.pk)
    until = time.monotonic() + patience
    while time.monotonic() < until:
        turn.refresh_from_db(fields=["phase"])
        if turn.phase in ENDED:
            break
        time.sleep(0.2)
    return _ended(turn)


def _lock(turn: Turn) -> None:
    try:
        turn_lock(turn=turn, by="this process")
    except RulesMissing as missing:
        raise TurnFailed(str(missing)) from missing


def _stuck(turn: Turn) -> bool:
    turn.refresh_from_db(fields=["phase", "claim", "ongoing"])
    return turn.phase not in ENDED and (
        turn.claim is not None or turn.phase == Phase.HELD or bool(waits_for(turn))
    )


def _ended(turn: Turn) -> Turn:
    turn.refresh_from_db()
    if turn.phase == Phase.FAILED:
        raise TurnFailed(f"{turn} failed: {turn.error}")
    if turn.phase != Phase.CLOSED:
        waits = ", ".join(battle.title for battle in waits_for(turn))
        why = f"it waits for {waits}" if waits else "another worker is running it"
        raise TurnFailed(f"{turn} is {turn.get_phase_display().lower()}: {turn.error or why}")
    return turn
