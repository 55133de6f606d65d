"""Campaign tasks: they carry ids, call one service, and may run twice."""

from collections.abc import Iterable

from celery import shared_task

from battles.models import Battle
from campaign.notices.send import BATCH, notice_send, notices_send
from campaign.notices.write import unsent
from campaign.publishing import (
    FIGHT,
    FIGHT_ODDS,
    FIGHT_ODDS_FIRST,
    RUN_TURN,
    SEND_LINKS,
    SEND_NOTICE,
    SEND_NOTICES,
    hand_on,
)
from campaign.services import sweep as sweeping
from campaign.services.mail.link_requests import links_send
from campaign.services.odds.chunks import chunk_fight
from campaign.services.turn.turns import battles_of, turn_run


@shared_task(name=RUN_TURN)
def run_turn(turn_id: int) -> None:
    """Carry a turn to its next stop, then hand on what that stop gave to do."""
    turn_run(turn_id=turn_id)
    ready = battles_of(turn_id).filter(status=Battle.Status.READY, route=Battle.Route.ENGINE)
    for battle_id in ready.values_list("pk", flat=True):
        hand_on(FIGHT, battle_id)
    _hand_out(
        unsent().filter(attempts=0, campaign__turns=turn_id).order_by("pk").values_list("pk", flat=True)
    )


@shared_task(name=SEND_NOTICE)
def send_notice(notice_id: int) -> None:
    """Send one notice."""
    notice_send(notice_id=notice_id)


@shared_task(name=SEND_NOTICES)
def send_notices(notice_ids: list[int]) -> None:
    """Send some notices, over one connection; what there was no time for goes to the end of the queue."""
    notices_send(notice_ids=notice_ids, left=_hand_out)


@shared_task(name=SEND_LINKS)
def send_links(request_id: int) -> None:
    """Mail the links that someone asked for."""
    links_send(request_id=request_id)


@shared_task(name=FIGHT_ODDS)
def fight_odds(chunk_id: int) -> None:
    """Fight some battles of a question, then hand on the next ones."""
    for following in chunk_fight(chunk_id=chunk_id):
        hand_on(FIGHT_ODDS, following)


# a first answer that no one has given by then comes from the queue of the odds
@shared_task(name=FIGHT_ODDS_FIRST, expires=5)
def fight_odds_first(chunk_id: int) -> None:
    """The same for the first battles of a question, in the queue of the turns: half a second, if no worker for odds is there yet."""
    fight_odds(chunk_id)


@shared_task(name="campaign.tasks.sweep")
def sweep() -> None:
    """Find work that waits and hand it on; see campaign.services.sweep."""
    found = sweeping.sweep(locked=lambda turn_id: hand_on(RUN_TURN, turn_id))
    for turn_id in found.turns:
        hand_on(RUN_TURN, turn_id)
    for battle_id in found.battles:
        hand_on(FIGHT, battle_id)
    for request_id in found.link_requests:
        hand_on(SEND_LINKS, request_id)
    for chunk_id in found.odds:
        hand_on(FIGHT_ODDS, chunk_id)
    _hand_out(found.notices)


def _hand_out(notice_ids: Iterable[int]) -> None:
    """Notices to workers, as many at a time as go over one connection."""
    ids = list(notice_ids)
    for first in range(0, len(ids), BATCH):
        hand_on(SEND_NOTICES, ids[first : first + BATCH])
