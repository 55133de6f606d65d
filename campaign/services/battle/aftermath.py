"""Accounts, notes and photographs of a battle on the tabletop. Rules: G.BT2, G.IN1."""

from __future__ import annotations

from typing import IO, Any, NamedTuple

from django.db import IntegrityError, transaction

from battles.models import Battle
from campaign.models import BattlePaper, BattlePicture, Membership
from campaign.photographs import Photograph, PhotographRefused, photograph
from campaign.services.battle.battles import turn_of
from campaign.services.umpire_log import act_log

MOST_PICTURES = 24  # of a battle
LONGEST_TEXT, LONGEST_CAPTION = 20_000, 200


class AftermathRefused(ValueError):
    """What is not taken. faults: a sentence each."""

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        super().__init__(" ".join(faults))


class Upload(NamedTuple):
    """A file that came in. size: in bytes."""

    file: IO[bytes]
    name: str
    size: int


def paper_write(*, battle: Battle, membership: Membership, kind: str, text: str) -> None:
    """Keep a member's account or note in place of the one before; an empty one removes it. Raises AftermathRefused."""
    text = text.strip()
    if len(text) > LONGEST_TEXT:
        raise AftermathRefused(f"The {kind} has more than {LONGEST_TEXT:,} characters. Shorten it.")
    mine: dict[str, Any] = {"battle": battle, "membership": membership, "kind": kind}
    if text:
        BattlePaper.objects.update_or_create(**mine, defaults={"text": text})
    else:
        BattlePaper.objects.filter(**mine).delete()


def paper_strike(*, battle: Battle, umpire: Membership, pk: int) -> None:
    """The umpire removes an account that someone has written; the log says so. Twice is harmless. Rule: G.UM1."""
    with transaction.atomic():
        removed, _ = BattlePaper.objects.filter(battle=battle, pk=pk).delete()
        if removed:
            _log(battle, umpire, "removed an account of a battle")


def pictures_add(*, battle: Battle, membership: Membership, uploads: list[Upload], caption: str) -> int:
    """Keep photographs; all of them or none. Returns how many are new. Raises AftermathRefused with every reason."""
    if not uploads:
        raise AftermathRefused("Choose one photograph or more.")
    room = pictures_left(battle)
    if len(uploads) > room:
        raise AftermathRefused(
            f"A battle has room for {MOST_PICTURES} photographs. {room} more can be added."
        )
    made, faults = [], []
    for upload in uploads:
        try:
            made.append(photograph(upload.file, name=upload.name, size=upload.size))
        except PhotographRefused as refusal:
            faults.append(str(refusal))
    if faults:
        raise AftermathRefused(*faults)
    new = 0
    with transaction.atomic():
        Battle.objects.select_for_update().get(pk=battle.pk)  # so that two people do not overfill it
        if len(made) > pictures_left(battle):
            raise AftermathRefused(
                f"A battle has room for {MOST_PICTURES} photographs. Others were added since you opened the page."
            )
        for one in made:
            new += _kept(battle, membership, one, caption[:LONGEST_CAPTION].strip())
    return new


def _kept(battle: Battle, membership: Membership, one: Photograph, caption: str) -> bool:
    """Whether a photograph is new: the same one twice is kept once."""
    try:
        with transaction.atomic():
            BattlePicture.objects.create(
                battle=battle, membership=membership, caption=caption, width=one.width, height=one.height, jpeg=one.jpeg,
                small=one.small, digest=one.digest,
            )  # fmt: skip
    except IntegrityError:
        return False
    return True


def pictures_left(battle: Battle) -> int:
    """How many more photographs a battle has room for."""
    return max(0, MOST_PICTURES - BattlePicture.objects.filter(battle=battle).count())


def picture_remove(*, battle: Battle, membership: Membership, pk: int) -> bool:
    """Remove a photograph of one's own; the umpire may remove any, and the log says so. Returns whether there was one. Rule: G.UM1."""
    found = BattlePicture.objects.filter(battle=battle, pk=pk)
    mine = found.filter(membership=membership)
    with transaction.atomic():
        if membership.role == Membership.Role.UMPIRE and not mine.exists():
            removed, _ = found.delete()
            if removed:
                _log(battle, membership, "removed a photograph of a battle")
        else:
            removed, _ = mine.delete()
    return bool(removed)


def picture_publish(*, battle: Battle, umpire: Membership, pk: int, published: bool) -> None:
    """Let everyone see a photograph who has its address, or only those who may open the battle's page. Twice is harmless. Rule: G.UM1."""
    with transaction.atomic():
        found = BattlePicture.objects.filter(battle=battle, pk=pk, published=not published)
        if found.update(published=published):
            done = (
                "published a photograph of a battle" if published else "made a photograph of a battle private"
            )
            _log(battle, umpire, done)


def _log(battle: Battle, umpire: Membership, action: str) -> None:
    act_log(
        campaign=umpire.campaign, actor=umpire.user.get_username(), turn=turn_of(battle), action=action, reason=battle.title
    )  # fmt: skip
