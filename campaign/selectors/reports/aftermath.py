"""Accounts, notes and photographs of a battle, as far as a reader may see them. Whoever may open the battle's page may ask. Rule: G.IN1."""

from __future__ import annotations

from dataclasses import dataclass, replace

from battles.models import Battle
from campaign.models import BattlePaper, BattlePicture, Membership
from campaign.photographs import LONGEST_SMALL

Role = Membership.Role


@dataclass(frozen=True, slots=True)
class Paper:
    """A text. by: who wrote it. side: by name, "" for the umpire."""

    pk: int
    by: str
    side: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A photograph for a list. mine: the reader added it. small_width, small_height: in pixels."""

    pk: int
    by: str
    caption: str
    published: bool
    mine: bool
    small_width: int
    small_height: int


@dataclass(frozen=True, slots=True)
class Papers:
    """What there is of a battle. own_account, own_note: the reader's own, "" for none. room: for so many photographs more.

    open: the reader has a part in the battle and may add to it.
    """

    accounts: tuple[Paper, ...]
    notes: tuple[Paper, ...]
    pictures: tuple[Picture, ...]
    own_account: str
    own_note: str
    room: int
    open: bool


def papers_of(battle: Battle, membership: Membership, most: int) -> Papers:
    """What a reader may see: accounts and photographs of both sides, notes of their own side, all for the umpire.

    Others see photographs that are published, and no one's name. most: photographs that a battle may have.
    """
    if membership.role == Role.OBSERVER:
        published = (
            BattlePicture.objects.light()
            .filter(battle=battle, published=True)
            .select_related("membership__user")
        )
        pictures = tuple(replace(_picture(row, membership), by="") for row in published)
        return Papers((), (), pictures, "", "", 0, open=False)
    umpire = membership.role == Role.UMPIRE
    rows = list(
        BattlePaper.objects.filter(battle=battle).select_related("membership__user", "membership__side")
    )
    found = BattlePicture.objects.light().filter(battle=battle).select_related("membership__user")
    own = {row.kind: row.text for row in rows if row.membership_id == membership.pk}
    shown = tuple(_picture(row, membership) for row in found)
    return Papers(
        tuple(_paper(row) for row in rows if row.kind == BattlePaper.Kind.ACCOUNT),
        tuple(
            _paper(row)
            for row in rows
            if row.kind == BattlePaper.Kind.NOTE and (umpire or row.membership.side_id == membership.side_id)
        ),
        shown,
        own.get(BattlePaper.Kind.ACCOUNT, ""),
        own.get(BattlePaper.Kind.NOTE, ""),
        max(0, most - len(shown)),
        open=True,
    )


def _paper(row: BattlePaper) -> Paper:
    side = row.membership.side
    return Paper(row.pk, row.membership.user.get_username(), side.name if side is not None else "", row.text)


def _picture(row: BattlePicture, membership: Membership) -> Picture:
    scale = min(1.0, LONGEST_SMALL / max(row.width, row.height))
    return Picture(
        row.pk, row.membership.user.get_username(), row.caption, row.published, row.membership_id == membership.pk,
        max(1, round(row.width * scale)), max(1, round(row.height * scale)),
    )  # fmt: skip


def picture_published(code: str, battle: str, pk: int) -> BattlePicture | None:
    """A photograph that everyone may see, by its address; None for any other."""
    found = BattlePicture.objects.filter(
        pk=pk,
        published=True,
        battle__code=battle,
        battle__book__code=code,
        battle__book__campaign__isnull=False,
    )
    return found.exclude(battle__status=Battle.Status.VOID).first()


def picture_of(battle: Battle, pk: int) -> BattlePicture | None:
    """A photograph of a battle that the reader may open; None when there is none of that key."""
    return BattlePicture.objects.filter(battle=battle, pk=pk).first()
