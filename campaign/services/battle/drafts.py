"""Drafts: what a member has typed of a battle's result and not entered yet, kept on the server for them alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from battles.models import Battle
from campaign.as_typed import as_typed
from campaign.models import Membership, ResultDraft


def result_draft_save(
    *, battle: Battle, membership: Membership, head: Mapping[str, Any], ships: Mapping[str, Mapping[str, Any]]
) -> None:
    """Keep what a member has typed, right or wrong, in place of what they had typed before; nothing typed leaves no draft.

    head: fields about the whole battle. ships: fields by code.
    """
    document = {
        "head": {name: as_typed(value) for name, value in head.items()},
        "ships": {
            code: {name: as_typed(value) for name, value in fields.items()} for code, fields in ships.items()
        },
    }
    mine: dict[str, Any] = {"battle": battle, "membership": membership}
    if any(document.values()):
        ResultDraft.objects.update_or_create(**mine, defaults={"document": document})
    else:
        ResultDraft.objects.filter(**mine).delete()


def result_draft_drop(*, battle: Battle, membership: Membership, ships: Collection[str], head: bool) -> None:
    """Forget what a member has typed of some ships, and of the whole battle. Twice is harmless."""
    draft = ResultDraft.objects.filter(battle=battle, membership=membership).first()
    if draft is None:
        return
    left = {code: fields for code, fields in draft.document["ships"].items() if code not in ships}
    result_draft_save(
        battle=battle, membership=membership, head={} if head else draft.document["head"], ships=left
    )
