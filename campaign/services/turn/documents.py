"""The great documents of a turn: written in the transaction that makes them, and taken away when no one can need them again.

Which are kept how long is in docs/decisions.md. Rules: G.CL2, G.UM3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaign.models import Turn, TurnDocument

Kind = TurnDocument.Kind


def documents_write(*, turn: Turn, **documents: Any) -> None:
    """Store documents of a turn in the place of those that it had, by kind: state, snapshot, books. None takes one away.

    Call it in the transaction that has given the turn's claim back, so that no late worker can write.
    """
    rows = [
        TurnDocument(turn=turn, kind=Kind(kind), document=document)
        for kind, document in documents.items()
        if document is not None
    ]
    TurnDocument.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["turn", "kind"], update_fields=["document"]
    )
    if gone := [kind for kind, document in documents.items() if document is None]:
        turn.documents.filter(kind__in=gone).delete()
    turn.forget_documents()


def documents_thin(*, turns: Iterable[int], kinds: Iterable[str]) -> None:
    """Take away documents that no one can need again, of turns by their keys."""
    TurnDocument.objects.filter(turn__in=list(turns), kind__in=list(kinds)).delete()
