"""One fleet's orders from a reply: each line is read, then the orders form and the rules judge them all. Rules: G.MV2, G.MV3, G.MV5."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from django import forms

from battles.engine.core.scenario import boarding_word
from campaign.forms import OrdersForm
from campaign.models import Membership, Order, Station, Turn
from campaign.notices.replies import Block, Said, choice_in, nearest_label, places_in, plain, truth_in
from campaign.rules.chart import types as t
from campaign.rules.orders.orders import unknown_wish
from campaign.selectors.orders.orders_left import order_as_left
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import OrderColumns, pure_theatre
from campaign.services.mail.reply_forms import flat_choices, form_choices
from campaign.services.orders.orders import OrderRefused, order_submit

LONGEST_ECHO = 160  # characters of a line that an answer repeats
# Choices as emails worded them before, by field: old emails may still be answered.
_OLD_CHOICES = {
    ("cripples_to", "staywiththefleet"): "",
    ("at_nightfall", "breakoffifwecan"): "part",
    ("after_battle", "renewitifweareasstrong"): "auto",
    ("fight_at", "rangethatsuitsourguns"): "best",
    ("prize_escort", "goalone"): "none",
    ("prize_escort", "gowithafrigate"): "frigate",
}
_NUMBER = re.compile(r"^(\d{1,6}(?:[.,]\d{1,4})?)\s*(?:%|per ?cent|hours?|h|to 1|: ?1)?\.?$", re.I)
_OF_ROUTE = frozenset({"route", "stance", "on_arrival", "target"})


class _Unread(ValueError):
    """A line that is not an order, with the reason."""


def block_take(
    *, turn: Turn, member: Membership, stations: Sequence[Station], block: Block, sent: datetime
) -> dict[str, Any]:
    """Give one fleet its orders, or none of them: one line that cannot be read refuses them all, as the form on the site does.

    stations: of the fleets that the member may order. Returns what the answer reports: {"title", "taken", "rows": [{"line", "why",
    "clause"}], "faults": [{"text", "clause"}], "unread"}.
    """
    told: dict[str, Any] = {"title": "", "taken": False, "rows": [], "faults": [], "unread": []}
    told["unread"] = [line[:LONGEST_ECHO] for line in block.unread[:20]]
    station, wrong = _station(block.fleet, stations)
    if station is None:
        told["title"] = block.fleet[:LONGEST_ECHO] or "Unnamed fleet"
        told["faults"].append({"text": wrong, "clause": "G.IN4"})
        return told
    told["title"] = station.fleet.name
    _FleetReply(turn, member, station, sent, told).take(block.said)
    told["taken"] = not told["faults"] and not any(row["why"] for row in told["rows"])
    return told


def _station(words: str, stations: Sequence[Station]) -> tuple[Station | None, str]:
    """The fleet that is meant, by name or code. Another side's fleet is treated as unknown. Rules: G.IN1, G.IN4."""
    if not words and len(stations) == 1:
        return stations[0], ""
    if not words:
        return None, "Name the fleet: start with a line “Fleet: …”."
    code = re.search(r"\(([^()]+)\)\s*$", words)
    said = plain(code[1]) if code else plain(words)
    for wanted in (said, plain(words)):
        found = [s for s in stations if wanted in (plain(s.fleet.code), plain(s.fleet.name))]
        if len(found) == 1:
            return found[0], ""
        if found:
            codes = ", ".join(s.fleet.code for s in found)
            return None, f"Several fleets have that name. Use one of these codes: {codes}."
    names = {plain(s.fleet.name): s.fleet.name for s in stations}
    close = get_close_matches(plain(words), names, 1, 0.6)
    meant = f" Did you mean {names[close[0]]}?" if close else ""
    return None, f"You have no fleet of that name.{meant}"


class _FleetReply:
    """One player's reply about one of their fleets; the findings go into `told`."""

    def __init__(
        self, turn: Turn, member: Membership, station: Station, sent: datetime, told: dict[str, Any]
    ) -> None:
        self.turn, self.member, self.station, self.sent, self.told = turn, member, station, sent, told
        assert member.side is not None  # the callers have looked
        self.order, _ = order_as_left(turn, member.side, station)
        self.choices = form_choices(member, station)
        self.form = OrdersForm(**self.choices)
        self.route: list[str] = list(self.order.route) if self.order is not None else []
        self.data = OrdersForm.initial_from(self.order)
        self.written: dict[str, dict[str, str]] = {}

    def take(self, said: Sequence[Said]) -> None:
        """Read the lines, and submit the orders when every one could be read."""
        for line in said:
            self._read(line)
        if not said:
            self._fault("There are no orders under this fleet. Write at least one line.", "G.MV2")
        if self._overtaken(self.order):
            text = (
                "You changed these orders on the site after writing your email. The newer orders still apply."
            )
            self._fault(text, "G.MV2")
        if not self.told["faults"] and not any(row["why"] for row in self.told["rows"]):
            self._submit()

    def _overtaken(self, order: Order | None) -> bool:
        return order is not None and order.source == "web" and order.given > self.sent

    def _fault(self, text: str, clause: str) -> None:
        self.told["faults"].append({"text": text, "clause": clause})

    def _read(self, line: Said) -> None:
        clause = "G.MV2" if line.field in _OF_ROUTE or not line.field else "G.MV5"
        row = {"line": f"{line.label}: {line.value}".strip()[:LONGEST_ECHO], "why": "", "clause": clause}
        try:
            if line.field == "route":
                self.route = self._places(line.value)
            else:
                self.data[line.field] = self._value(line)
        except _Unread as unread:
            row["why"] = str(unread)
        self.told["rows"].append(row)
        self.written[line.field] = row

    def _places(self, value: str) -> list[str]:
        if not value:
            raise _Unread("Nothing follows the colon. Write “stay” to stop the fleet.")
        places = pure_theatre(self.member.campaign.theatre).places
        names = {code: (short_name(place.name), place.name) for code, place in places.items()}
        codes, unknown = places_in(value, names)
        if unknown or (not codes and not plain(value).isalpha()):
            raise _Unread(" ".join(unknown) or "This line names no place.")
        return codes

    def _value(self, line: Said) -> Any:
        if not line.field:
            meant = nearest_label(line.label)
            raise _Unread("That is not an order." + (f" Did you mean “{meant}”?" if meant else ""))
        if line.field not in self.form.fields:
            raise _Unread(unknown_wish(line.field))
        if not line.value:
            raise _Unread("Nothing follows the colon.")
        field = self.form.fields[line.field]
        if isinstance(field, forms.ChoiceField):
            return self._choice(line)
        if isinstance(field, forms.BooleanField):
            answer = truth_in(line.value)
            if answer is None:
                raise _Unread("Write yes or no.")
            return answer
        number = _NUMBER.match(line.value)
        if number is None:
            raise _Unread("Write a number.")
        return number[1].replace(",", ".")

    def _choice(self, line: Said) -> str:
        rows = flat_choices(self.form, line.field)
        key = choice_in(line.value, rows)
        answer = truth_in(line.value) if line.field == "board" else None
        if key is None and answer is not None:  # as the emails before the word asked for it
            return boarding_word(answer)
        if key is None:
            key = _OLD_CHOICES.get((line.field, plain(line.value)))
        if key is None and line.field in ("cripples_to", "rendezvous", "shelter"):
            raise _Unread("You cannot use that place here. Choose another.")
        if key is None:
            raise _Unread(f"Write one of: {', '.join(label for _, label in rows)}.")
        return key

    def _submit(self) -> None:
        if self.data["on_arrival"] != t.OnArrival.ESCORT:
            self.data["target"] = ""  # a blockade keeps its port there, which is not a choice in the form
        form = OrdersForm(self.data, **self.choices)
        if not form.is_valid():
            self._form_faults(form)
            return
        target = form.charge()
        if self.order is not None and not {"route", "on_arrival", "target"} & set(self.written):
            target = self.order.target
        try:
            order_submit(
                turn=self.turn, membership=self.member, fleet=self.station.fleet,
                order=OrderColumns.of(self.order)._replace(
                    route=self.route, stance=form.cleaned_data["stance"], on_arrival=form.cleaned_data["on_arrival"],
                    instructions=form.instructions(), target=target,
                ),
                state_no=self.order.state_no if self.order is not None else None, source="mail",
            )  # fmt: skip
        except OrderRefused as refusal:
            for fault in refusal.faults:
                self._fault(fault.text, fault.clause)

    def _form_faults(self, form: OrdersForm) -> None:
        for name, errors in form.errors.items():
            text = " ".join(str(error) for error in errors)
            if name in self.written:
                self.written[name]["why"] = text
            else:
                label = form.fields[name].label if name in form.fields else ""
                self._fault(f"{label}: {text}" if label else text, "G.MV5")
