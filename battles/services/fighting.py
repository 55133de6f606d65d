"""From a scenario to a written outcome: spawn, fight, write back. Each step may be called twice, and survives a worker's death."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from battles import failures, leases
from battles.engine import registry
from battles.engine.core.log import Event
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import read_scenario
from battles.engine.pinned.archives import RulesMissing
from battles.engine.pinned.rules import rules_of_set
from battles.engine.play import play_battle
from battles.luck import battle_luck
from battles.models import Battle, BattleLog, BattleOutcome, Roster
from battles.pins import rules_of_battle
from fleets.pins import version_of_book
from fleets.services.battle_records import FoughtBattle

if TYPE_CHECKING:
    from fleets.models import Book

logger = logging.getLogger(__name__)


def canonical_json(document: Any) -> bytes:
    """A document as bytes that depend on its content alone."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(document: Any) -> str:
    """SHA-256 of a JSON document, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(document)).hexdigest()


def battle_seed(*, secret: str, code: str) -> str:
    """HMAC-SHA-256 of a turn's battle secret over the battle's code, 64 hexadecimal digits. Rule: G.FA1."""
    return hmac.new(bytes.fromhex(secret), code.encode(), hashlib.sha256).hexdigest()


def battle_spawn(
    *,
    book: Book,
    code: str,
    reference: str,
    when: str,
    place: str,
    scenario: Mapping[str, Any],
    secret: str,
    navies: list[str],
    route: str = Battle.Route.ENGINE,
    seed_code: str = "",
) -> Battle:
    """Write down a battle to be fought, with its roster and its sealed seed; the same code twice gives the same row.

    when: chart time as text. secret: the turn's battle secret. navies: codes of the sides that take part. route: who fights it.
    seed_code: what the seed is drawn from, when that is not the code. Raises ScenarioFaults when the engine cannot fight it.
    Rules: G.BT1, G.BT6, G.FA1.
    """
    pin = version_of_book(book)
    rules_of_set(pin)(read_scenario)(scenario)
    seed = battle_seed(secret=secret, code=seed_code or code)
    with transaction.atomic():
        battle, new = Battle.objects.get_or_create(
            book=book,
            code=code,
            defaults={
                "title": scenario["title"],
                "reference": reference,
                "when": when,
                "place": place,
                "route": route,
                "rule_set": pin.name,
                "engine_version": pin.number,
                "rules_hash": pin.fingerprint,
                "seed": seed,
                "seed_hash": hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
            },
        )
        if new:
            ships = sum(len(q["ships"]) for side in scenario["sides"] for q in side["squadrons"])
            Roster.objects.create(
                battle=battle, scenario=scenario, digest=digest(scenario), navies=navies, ships=ships
            )
    return battle


def battle_fight(*, battle_id: int) -> bool:
    """Fight a battle that waits, by the engine. Returns whether this call fought it.

    False when it is already fought, when another worker has it, or when its lease was lost: all are fine. A third failure puts it into
    `failed`, with the reason, and so does a third worker that dies of it (G.UM2).
    """
    ready = Battle.objects.filter(
        pk=battle_id, route=Battle.Route.ENGINE, status__in=(Battle.Status.READY, Battle.Status.FIGHTING)
    )
    token, spent = leases.take_or_give_up(ready, status=Battle.Status.FIGHTING)
    if token is None:
        return False
    battle = Battle.objects.select_related("roster").get(pk=battle_id)
    if spent:
        _give_up(battle, token)
        return False
    try:
        with leases.kept(battle, token):
            use = rules_of_battle(battle)
            with failures.reading("Its stored roster"):
                scenario = use(read_scenario)(battle.roster.scenario)
            played = use(play_battle)(scenario, bytes.fromhex(battle.seed), log=True)
            luck = battle_luck(registry.rule_set(battle.rule_set), scenario, played.events)
    except Exception as error:
        _note_failure(battle, token, error)
        return False
    events = [use(Event.to_list)(event) for event in played.events]
    try:
        with transaction.atomic():
            leases.finish(battle, token, status=Battle.Status.FOUGHT, fought=timezone.now(), error="")
            BattleOutcome.objects.create(
                battle=battle,
                document=use(Outcome.to_dict)(played.outcome),
                roster_digest=battle.roster.digest,
                state_hash=digest(played.state),
                status=BattleOutcome.Status.CONFIRMED,
            )
            BattleLog.objects.create(
                battle=battle,
                packed=BattleLog.pack(events),
                count=len(events),
                luck=luck,
            )
    except leases.LeaseLost:
        logger.warning("battle %s took longer than its lease; dropped", battle.code)
        return False
    return True


def battle_take_up(*, battle: Battle, turn: str, when: str) -> FoughtBattle:
    """Mark a fought battle as written into the books, and return what the ledgers say of it.

    Call it inside the transaction of the turn that accepts the outcome, in the order of battle codes. turn: reference for the
    records. when: chart time of the battle's end. Raises ValueError for a battle that is not fought, and for an outcome that belongs to
    another roster. Rule: G.BT2.
    """
    stored = battle.outcome
    if battle.status != Battle.Status.FOUGHT:
        raise ValueError(
            f"{battle.code} is {battle.get_status_display().lower()}; only a fought battle is written back"
        )
    if stored.roster_digest != battle.roster.digest:
        raise ValueError(f"{battle.code}: this outcome belongs to another roster")
    BattleOutcome.objects.filter(pk=stored.pk).update(
        status=BattleOutcome.Status.WRITTEN, written=timezone.now(), written_in=turn
    )
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.WRITTEN)
    battle.status = Battle.Status.WRITTEN
    title = f"the battle “{battle.title}”"
    return FoughtBattle(battle.code, title, when, Outcome.from_dict(stored.document))


def _note_failure(battle: Battle, token: Any, error: Exception) -> None:
    logger.error("battle %s could not be fought", battle.code, exc_info=error)
    last = battle.attempts >= leases.MAX_ATTEMPTS or isinstance(error, RulesMissing)
    status = Battle.Status.FAILED if last else Battle.Status.READY
    _set_down(battle, token, status, failures.in_words(error, "It"))


def _give_up(battle: Battle, token: Any) -> None:
    logger.error("battle %s is given up: its workers die", battle.code)
    error = failures.died("It", leases.MAX_ATTEMPTS, battle.error)
    _set_down(battle, token, Battle.Status.FAILED, error)


def _set_down(battle: Battle, token: Any, status: str, error: str) -> None:
    """error: sentences that follow the battle's name."""
    try:
        leases.finish(battle, token, status=status, error=error)
    except leases.LeaseLost:
        logger.warning("battle %s failed after its lease had run out", battle.code)
