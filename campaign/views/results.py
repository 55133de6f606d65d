"""A battle not fought by computer: its result sheet, what the result would do, and both sides' answers.

Rules: G.BT1, G.BT2, G.BT4, G.BT5.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from battles.models import Battle, BattleOutcome
from battles.pins import rule_set_of
from battles.roster import Squadron
from battles.services.outcomes import HEAD, OutcomeRefused, not_entered, outcome_draft, unanswered
from campaign.models import Campaign, Membership
from campaign.result_forms import FATES, BattleHeadForm, entered_ships, untouched_ships
from campaign.result_sheet import ResultSheet
from campaign.selectors.people.access import Role, campaign_for_member_or_404
from campaign.selectors.people.action import battle_for_fighter_or_404
from campaign.selectors.reports.effects import Effects, projected
from campaign.selectors.reports.result_drafts import result_draft_of
from campaign.selectors.turn.ongoing import call_code, campaign_waits
from campaign.services.battle import battles as acts
from campaign.services.battle.drafts import result_draft_drop, result_draft_save
from campaign.services.umpire_log import UmpireRefused
from campaign.views.battle_questions import result_question, result_stamp
from campaign.views.confirming import Question, answered, asked
from campaign.views.requests import HtmxHttpRequest, number_in, reads_and_posts

MOST_BYTES = 2_000_000
MOST_NAMED = 4  # squadrons in a message


@reads_and_posts
def battle_result(request: HtmxHttpRequest, code: str, battle: str) -> HttpResponse:
    """The result of a battle by orders or on the tabletop, for those who fought it and the umpire.

    `?ship=ENG001` opens a ship's figures. A button is `act=verb` or `act=verb:about`.
    """
    campaign, membership = campaign_for_member_or_404(request.user, code)
    row, _ = battle_for_fighter_or_404(membership, battle)
    page = ResultPage(request, campaign, membership, row)
    return page.posted() if request.method == "POST" else page.shown()


class ResultPage:
    """One battle's result for one reader."""

    def __init__(
        self, request: HtmxHttpRequest, campaign: Campaign, membership: Membership, battle: Battle
    ) -> None:
        self.request, self.campaign, self.membership, self.battle = request, campaign, membership, battle
        self.umpire = membership.role == Role.UMPIRE
        self.faults: list[str] = []
        self.sheet: ResultSheet | None = None
        self.head_checked: BattleHeadForm | None = None
        self.open_ship, self.open_squadron = (
            request.GET.get("ship", ""),
            number_in(request.GET.get("squadron", "")),
        )

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
        """Do what was asked, once it is sure where it cannot be undone; a refusal comes back with every reason, nothing saved."""
        act, _, about = self.request.POST.get("act", "").partition(":")
        doers = {
            "keep": self._keep, "open": self._open, "discard": self._discard, "done": self._done, "as_it_was": self._as_it_was,
            "rest": self._rest, "propose": self._propose, "document": self._document, "confirm": self._answer,
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
            question, stamp = self._question(act), result_stamp(self.battle)
            if question is not None and not answered(self.request, stamp):
                if act in ("propose", "discard"):
                    self._taken()  # so that nothing typed is lost if they cancel
                return asked(self.request, self.campaign, self.membership, "battle", question, stamp)
            done = doers[act](about or act)
        except (OutcomeRefused, UmpireRefused) as refusal:
            self.faults = list(getattr(refusal, "faults", ())) or [str(refusal)]
            done = False
        if not done:
            return self.shown(status=422)
        if act == "keep":
            return HttpResponse(status=204)
        where = redirect("battle_result", self.campaign.code, self.battle.code)
        if act == "open":
            where["Location"] += f"?ship={about}#ship-{about}"
        return where

    def _question(self, act: str) -> Question | None:
        return result_question(
            act, self.battle, sides=self._sides(), side=self._side(), silent=acts.silent_sides(self.campaign),
            route=self.request.POST.get("route", ""),
        )  # fmt: skip

    def _version(self) -> int:
        return number_in(self.request.POST.get("version", ""))

    def _taken(self) -> ResultSheet:
        """The sheet with what was typed, kept as the reader's draft. Raises OutcomeRefused."""
        sheet = self._sheet(outcome_draft(battle=self.battle))
        sheet.take(self.request.POST)
        self._store(sheet)
        return sheet

    def _store(self, sheet: ResultSheet) -> None:
        result_draft_save(
            battle=self.battle,
            membership=self.membership,
            head=sheet.typed["head"],
            ships=sheet.typed["ships"],
        )

    def _keep(self, _: str) -> bool:
        self._taken()
        return True

    def _open(self, code: str) -> bool:
        if code not in self._taken().ships:
            raise Http404("no such ship in this battle")
        return True

    def _discard(self, _: str) -> bool:
        result_draft_save(battle=self.battle, membership=self.membership, head={}, ships={})
        messages.success(self.request, "What you had typed and not entered is discarded.")
        return True

    def _done(self, number: str) -> bool:
        """Enter a squadron as it was typed."""
        sheet = self._taken()
        self.open_squadron = number_in(number)
        squadron = next((one for one in sheet.squadrons if one.number == self.open_squadron), None)
        if squadron is None:
            raise Http404("no such squadron in this battle")
        lines = sheet.checked([squadron.number])
        self.faults = [
            f"{form.ship.name}: {' '.join(map(str, errors))}"
            for form in lines
            if not form.is_valid()
            for errors in form.errors.values()
        ]
        if self.faults:
            return False
        self._enter([squadron], lambda document: entered_ships(document, lines))
        messages.success(self.request, f"{squadron.name} entered.")
        return True

    def _as_it_was(self, number: str) -> bool:
        """Enter a squadron to which nothing happened."""
        wanted = [one for one in self._taken().squadrons if one.number == number_in(number)]
        if not wanted:
            raise Http404("no such squadron in this battle")
        self._untouched(wanted)
        return True

    def _rest(self, side: str) -> bool:
        """Enter every squadron of a side, or of both ("rest"), that is not entered and of which nothing was typed, as it was."""
        sheet = self._taken()
        entered_ = sheet.outcome.sheet
        wanted = [
            one
            for one in sheet.squadrons
            if side in ("rest", one.side)
            and str(one.number) not in entered_
            and not any(ship.code in sheet.typed["ships"] for ship in one.ships)
        ]
        if not wanted:
            raise OutcomeRefused(
                "Every other squadron has been entered already, or has figures that you have not entered. Nothing was changed."
            )
        self._untouched(wanted)
        return True

    def _untouched(self, wanted: Sequence[Squadron]) -> None:
        self._enter(wanted, lambda document: untouched_ships(document, wanted))
        which = _named(wanted) if len(wanted) <= MOST_NAMED else f"{len(wanted)} squadrons"
        messages.success(
            self.request, f"Entered as {'it was' if len(wanted) == 1 else 'they were'}: {which}."
        )

    def _enter(
        self, squadrons: Sequence[Squadron], change: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        acts.result_enter(
            battle=self.battle, membership=self.membership, version=self._version(), change=change,
            parts=[str(one.number) for one in squadrons],
        )  # fmt: skip
        codes = [ship.code for one in squadrons for ship in one.ships]
        result_draft_drop(battle=self.battle, membership=self.membership, ships=codes, head=False)

    def _propose(self, _: str) -> bool:
        """Enter what was typed about the whole battle, then propose the sheet; nothing may be typed and not entered."""
        sheet = self._taken()
        left = [
            one for one in sheet.squadrons if any(ship.code in sheet.typed["ships"] for ship in one.ships)
        ]
        if left:
            raise OutcomeRefused(
                f"You have typed figures of {_named(left)} that are not entered. Enter or discard them first."
            )
        acts.result_propose(
            battle=self.battle, membership=self.membership, version=self._version(), head=self._head(sheet)
        )
        result_draft_drop(battle=self.battle, membership=self.membership, ships=(), head=True)
        messages.success(self.request, "Result proposed.")
        return True

    def _head(self, sheet: ResultSheet) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
        """What enters what was typed about the whole battle; None where nothing was. Raises OutcomeRefused for what is wrong with it."""
        if HEAD in sheet.outcome.sheet and not sheet.typed["head"]:
            return None
        head = self.head_checked = sheet.head(bound=True)
        if not head.is_valid():
            names = ((head.fields[name].label, errors) for name, errors in head.errors.items())
            missing = not_entered(sheet.outcome)[HEAD not in sheet.outcome.sheet :]
            raise OutcomeRefused(
                *(f"{label}: {' '.join(map(str, errors))}" for label, errors in names),
                *(f"Not entered yet: {words}." for words in missing),
            )
        switches = self.battle.roster.scenario.get("options") or {}
        minutes = rule_set_of(self.battle).minutes_a_turn(switches)
        return lambda document: head.entered_in(document, minutes)

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

    def _sheet(self, outcome: BattleOutcome) -> ResultSheet:
        """The sheet with what the reader has typed; the same one throughout a request, unless it was entered since."""
        if self.sheet is None or self.sheet.outcome.version != outcome.version:
            draft = result_draft_of(self.battle, self.membership)
            self.sheet = ResultSheet(self.battle, outcome, draft, self._side(), self._sides())
        return self.sheet

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

    def _sides(self) -> dict[str, str]:
        return dict(self.campaign.sides.values_list("navy__code", "name"))

    def _effects(self, outcome: BattleOutcome) -> Effects | None:
        """What the result would do, as far as the reader may know it. Rule: G.IN1."""
        if self.battle.status not in (Battle.Status.READY, Battle.Status.FOUGHT):
            return None
        side = None if self.umpire else self._side()
        return projected(self.campaign, self.battle, outcome.document, side)

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
            "sides": self._sides(),
            "effects": None if entering and "effects" not in self.request.GET else self._effects(outcome),
        }
        if entering:
            sheet = self._sheet(outcome)
            head = self.head_checked or sheet.head()
            context |= {
                "head": head, "kinds": sheet.kinds(), "fates": FATES,
                "entered": sum(str(one.number) in outcome.sheet for one in sheet.squadrons),
                "rest": [(code, sheet.sides.get(code, code)) for code in dict.fromkeys(one.side for one in sheet.squadrons)],
                "squadrons": sheet.rows(open_ship=self.open_ship, open_squadron=self.open_squadron),
                "missing": not_entered(outcome), "typed": any(sheet.typed.values()),
            }  # fmt: skip
        return context


def _named(squadrons: Iterable[Squadron]) -> str:
    return ", ".join(one.name for one in squadrons)
