"""A battle not fought by computer: its result sheet, what the result would do, both sides' answers, and ship cards to print.

Rules: G.BT1, G.BT2, G.BT4, G.BT5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from battles.boards import PRESENTATIONS
from battles.models import Battle, BattleOutcome
from battles.pins import rule_set_of
from battles.roster import Entered, entered
from battles.services.outcomes import OutcomeRefused, outcome_change, outcome_draft, unanswered
from campaign.models import Campaign, Membership
from campaign.result_forms import BattleHeadForm, ShipLineForm, entered_ships
from campaign.selectors.people.access import Role, campaign_for_member_or_404
from campaign.selectors.people.action import battle_for_member_or_404
from campaign.selectors.reports.effects import Effects, projected
from campaign.selectors.turn.ongoing import call_code, campaign_waits
from campaign.services.battle import battles as acts
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in, reads, reads_and_posts

MOST_BYTES = 2_000_000


@reads_and_posts
def battle_result(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """The result of a battle by orders or on the tabletop, for those who fought it and the umpire. `?squadron=2` opens a sheet."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    row, _ = battle_for_member_or_404(membership, battle, whole=True)
    page = ResultPage(request, campaign, membership, row)
    return page.posted() if request.method == "POST" else page.shown()


@reads
def battle_cards(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """The cards of the reader's own ships as they were sent in, to print for the tabletop; the umpire has all. Rule: G.BT1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    row, side = battle_for_member_or_404(membership, battle, whole=True)
    ships = [ship for ship in entered(row).values() if side is None or ship.side == side]
    context = {
        "battle": row,
        "card_page": PRESENTATIONS[row.rule_set].card,
        "squadrons": [(squadron, there) for (_, squadron), there in _by_squadron(ships).items()],
    }
    return campaign_page(request, "battles/battle_cards.html", campaign, membership, "battle", context)


def _by_squadron(ships: Iterable[Entered]) -> dict[tuple[str, str], list[Entered]]:
    found: dict[tuple[str, str], list[Entered]] = {}
    for ship in ships:
        found.setdefault((ship.side, ship.squadron), []).append(ship)
    return found


class ResultPage:
    """One battle's result for one reader."""

    def __init__(
        self, request: HtmxHttpRequest, campaign: Campaign, membership: Membership, battle: Battle
    ) -> None:
        self.request, self.campaign, self.membership, self.battle = request, campaign, membership, battle
        self.umpire = membership.role == Role.UMPIRE
        self.faults: list[str] = []
        self.head: BattleHeadForm | None = None
        self.lines: list[ShipLineForm] = []

    @property
    def wanted(self) -> bool:
        """Whether a result is still to be entered."""
        return self.battle.status == Battle.Status.READY and self.battle.route != Battle.Route.ENGINE

    def outcome(self) -> BattleOutcome | None:
        """The result as it stands; a blank sheet where one is wanted."""
        if self.wanted:
            return outcome_draft(battle=self.battle)
        return BattleOutcome.objects.filter(battle=self.battle).first()

    def posted(self) -> HttpResponse:
        """Do what was asked; a refusal comes back with every reason, nothing saved."""
        act = self.request.POST.get("act", "")
        doers = {
            "save": self._save, "propose": self._propose, "document": self._document, "confirm": self._answer,
            "dispute": self._answer, "accept": self._rule, "reopen": self._rule, "route": self._route,
            "let_go": self._let_go,
        }  # fmt: skip
        if act not in doers:
            raise Http404("no such act")
        if act in ("accept", "reopen", "route", "let_go") and not self.umpire:
            raise Http404("the umpire's alone")
        if act in ("confirm", "dispute") and self.umpire:
            raise Http404("a side's alone")
        try:
            done = doers[act](act)
        except (OutcomeRefused, UmpireRefused) as refusal:
            self.faults = list(getattr(refusal, "faults", ())) or [str(refusal)]
            done = False
        if not done:
            return self.shown(status=422)
        where = redirect("battle_result", self.campaign.code, self.battle.code)
        if act == "save":
            where["Location"] += f"?squadron={self._squadron()}"
        return where

    def _version(self) -> int:
        return number_in(self.request.POST.get("version", ""))

    def _save(self, _: str) -> bool:
        outcome = outcome_draft(battle=self.battle)
        self._forms(outcome, self.request.POST)
        assert self.head is not None
        if not all([self.head.is_valid(), *(form.is_valid() for form in self.lines)]):
            self.faults = [
                f"{form.ship.name}: {' '.join(map(str, errors))}"
                for form in self.lines
                for errors in form.errors.values()
            ] or ["Correct these errors."]
            return False
        switches = self.battle.roster.scenario.get("options") or {}
        minutes = rule_set_of(self.battle).minutes_a_turn(switches)
        head, lines = self.head, self.lines
        outcome_change(
            battle=self.battle,
            version=self._version(),
            change=lambda document: entered_ships(head.entered_in(document, minutes), lines),
        )
        messages.success(self.request, "Result entered. It is not proposed yet.")
        return True

    def _propose(self, _: str) -> bool:
        acts.result_propose(battle=self.battle, membership=self.membership, version=self._version())
        messages.success(self.request, "Result proposed.")
        return True

    def _document(self, _: str) -> bool:
        text = self.request.POST.get("document", "")
        try:
            document = json.loads(text[:MOST_BYTES])
        except (ValueError, RecursionError):
            raise OutcomeRefused("This is not a JSON document. Check it and try again.") from None
        if isinstance(document, dict) and isinstance(document.get("outcome"), dict):
            digest, document = str(document.get("roster", "")), document["outcome"]
        else:
            digest = self.request.POST.get("roster", "").strip()
        acts.result_propose(
            battle=self.battle, membership=self.membership, document=document, roster_digest=digest
        )
        messages.success(self.request, "Result proposed.")
        return True

    def _answer(self, act: str) -> bool:
        acts.result_answer(
            battle=self.battle, membership=self.membership, confirm=act == "confirm", version=self._version(),
            reason=self._reason(),
        )  # fmt: skip
        messages.success(self.request, "Your side's answer is recorded.")
        return True

    def _rule(self, act: str) -> bool:
        acts.result_rule(
            battle=self.battle, umpire=self.request.user, accept=act == "accept", reason=self._reason()
        )
        messages.success(self.request, "Ruling recorded in the umpire's log.")
        return True

    def _route(self, _: str) -> bool:
        acts.route_change(
            battle=self.battle, umpire=self.request.user, route=self.request.POST.get("route", ""), reason=self._reason()
        )  # fmt: skip
        messages.success(self.request, "The battle will be fought another way. The umpire's log shows it.")
        return True

    def _let_go(self, _: str) -> bool:
        acts.battle_let_go(battle=self.battle, umpire=self.request.user, reason=self._reason())
        messages.success(self.request, "The campaign continues. The battle holds only its own fleets.")
        return True

    def _reason(self) -> str:
        return self.request.POST.get("reason", "")[:2000]

    def _squadron(self) -> int:
        given = self.request.POST.get("squadron") or self.request.GET.get("squadron") or ""
        return int(given) if given.isdecimal() and len(given) < 4 else 1

    def _forms(self, outcome: BattleOutcome, data: Any = None) -> list[tuple[int, str, str]]:
        """The forms of the open squadron, and all squadrons as (number, side, name)."""
        ships = entered(self.battle)
        squadrons = _by_squadron(ships.values())
        lines = {row["ship"]: row for row in outcome.document["ships"]}
        fates = {(row["ship"], row["name"]): row["fate"] for row in outcome.document["officers"]}
        sides = dict(self.campaign.sides.values_list("navy__code", "name"))
        keys = list(squadrons)
        at = min(max(1, self._squadron()), len(keys)) - 1
        self.head = BattleHeadForm(
            data, sides={side: sides.get(side, side) for side in self.battle.roster.navies},
            initial=BattleHeadForm.initial_from(outcome.document),
        )  # fmt: skip
        self.lines = [
            ShipLineForm(
                data, battle=self.battle, ship=ship, ships=ships, line=lines[ship.code],
                captain=fates.get((ship.code, ship.captain), "unhurt"), known=self.umpire or ship.side == self._side(),
            )
            for ship in squadrons[keys[at]]
        ]  # fmt: skip
        return [(n, sides.get(side, side), name) for n, (side, name) in enumerate(keys, start=1)]

    def shown(self, status: int = 200) -> HttpResponse:
        """The page."""
        outcome = self.outcome()
        context: dict[str, Any] = {
            "campaign": self.campaign, "membership": self.membership, "here": "battle", "battle": self.battle,
            "outcome": outcome, "umpire": self.umpire, "faults": self.faults, "routes": Battle.Route.offered(),
            "waited": self._waited(),
        }  # fmt: skip
        if outcome is not None and outcome.status != BattleOutcome.Status.WRITTEN:
            context |= self._standing(outcome)
        return render(self.request, "battles/battle_result.html", context, status=status)

    def _waited(self) -> bool:
        """Whether the campaign waits for this battle, and the umpire may let it continue."""
        if not (self.umpire and self.wanted and campaign_waits(self.campaign)):
            return False
        return call_code(self.battle) not in acts.turn_of(self.battle).ongoing

    def _side(self) -> str:
        return self.membership.side.code if self.membership.side else ""

    def _effects(self, outcome: BattleOutcome) -> Effects | None:
        """What the result would do, to both sides once it is proposed; before that an admiral sees their own ships. Rule: G.IN1."""
        if self.battle.status not in (Battle.Status.READY, Battle.Status.FOUGHT):
            return None
        found = projected(self.campaign, self.battle, outcome.document)
        if self.umpire or outcome.status != BattleOutcome.Status.DRAFT:
            return found
        own = tuple(row for row in found.sides if row[0] == self._side())
        return Effects(own, (), found.fault)

    def _standing(self, outcome: BattleOutcome) -> dict[str, Any]:
        entering = self.wanted and outcome.status in (
            BattleOutcome.Status.DRAFT,
            BattleOutcome.Status.DISPUTED,
        )
        context: dict[str, Any] = {
            "entering": entering,
            "proposed": outcome.status == BattleOutcome.Status.PROPOSED,
            "disputed": outcome.status == BattleOutcome.Status.DISPUTED,
            "answers": list(outcome.answers.filter(version=outcome.version)),
            "to_answer": outcome.status == BattleOutcome.Status.PROPOSED
            and self._side() in unanswered(outcome),
            "sides": dict(self.campaign.sides.values_list("navy__code", "name")),
            "effects": self._effects(outcome),
        }
        if entering:
            posted = self.head, self.lines
            squadrons = self._forms(outcome)
            if posted[1]:  # the page shows them with their errors
                self.head, self.lines = posted
            context |= {
                "squadrons": squadrons,
                "open": self._squadron(),
                "head": self.head,
                "lines": self.lines,
            }
        return context
