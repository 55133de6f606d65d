"""Turns played to their end, and turns changed behind the program's back, with their documents."""

from __future__ import annotations

from typing import Any

from campaign.models import Turn, TurnDocument
from campaign.services.turn.documents import documents_write
from campaign.services.turn.playing import turn_play
from tests.support.answers import answer_of


def turn_change(turn: Turn, **changes: Any) -> None:
    """Set columns of a turn's row and write or take away its documents; void ones too. The turn's own values are left as they are."""
    documents = {kind: changes.pop(kind) for kind in TurnDocument.Kind.values if kind in changes}
    if changes:
        Turn.every.filter(pk=turn.pk).update(**changes)
    documents_write(turn=turn, **documents)


def turn_closes(turn: Turn) -> Turn:
    """Play a turn, and see that it closes without an error."""
    failure = answer_of(turn_play, turn=turn)
    assert (turn.phase, failure) == (Turn.Phase.CLOSED, "")
    return turn
