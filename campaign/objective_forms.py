"""The form of an objective, by fields and not as a document. The rules decide whether it makes sense. Rule: G.OB1."""

from __future__ import annotations

from typing import Any

from django import forms

from campaign.forms import Choices, choose, pick
from campaign.forms import number as whole_number
from campaign.rules.aims.rows import LONGEST_ID, LONGEST_WORDS
from campaign.rules.chart.objectives import ALL, LINE, AimKind, Pay, Row

KINDS = (
    (AimKind.BRING, "Bring a convoy or ships to a place"),
    (AimKind.LAND, "Put men ashore"),
    (AimKind.OWN, "Hold ports at the end"),
    (AimKind.CLOSE, "Close a port by blockade"),
    (AimKind.GATHER, "Gather a force at a place"),
    (AimKind.SEA, "Hold the sea at a place"),
    (AimKind.DESTROY, "Destroy some of the enemy's ships"),
    (AimKind.KEEP, "Keep some of the side's own ships"),
    (AimKind.RAID, "Raid a port"),
    (AimKind.DENY, "Deny the enemy an objective"),
)
_PAYS = (
    (Pay.ONCE, "once, when achieved"),
    (Pay.DAILY, "each morning on which it is achieved"),
    (Pay.END, "at the end, in full"),
    (Pay.SHARE, "at the end, in proportion to the cargo"),
)
# The name of the rules for what the form calls places, by kind.
PLACES = {
    AimKind.BRING: "to", AimKind.LAND: "at", AimKind.OWN: "ports", AimKind.CLOSE: "port", AimKind.GATHER: "at",
    AimKind.SEA: "places", AimKind.RAID: "ports",
}  # fmt: skip
_NUMBERS = ("number", "share", "men", "least_line", "least_percent", "least_marks", "left", "most")
_TICKS = ("each", "alone", "running", "decisive")
_TEXTS = ("what", "with", "objective")
_NOTHING = ("", "–")


def _number(label: str, text: str, least: int = 1) -> forms.IntegerField:
    return whole_number(label, least, text=text, required=False)


def _tick(label: str, text: str = "", **kwargs: Any) -> forms.BooleanField:
    return forms.BooleanField(required=False, label=label, help_text=text, **kwargs)


def _day(label: str, text: str) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(required=False, label=label, help_text=text, widget=widget)


class ObjectiveForm(forms.Form):
    """An objective that the umpire makes or changes. Fields that its kind does not use stay empty. Rules: G.OB1, G.OB2."""

    id = forms.SlugField(
        max_length=LONGEST_ID,
        label="Code",
        help_text="A short name for the address of its page, such as “coal”. You cannot change it later.",
        error_messages={"invalid": "This is not a valid code. Use letters, digits, hyphens and underscores."},
    )
    side = pick("Side", required=True)
    kind = pick("Kind", *KINDS, required=True)
    words = forms.CharField(
        max_length=LONGEST_WORDS, label="Text", help_text="What the side must do, in one sentence."
    )
    places = forms.MultipleChoiceField(
        choices=(),
        required=False,
        label="Places",
        help_text="Leave empty for destroying or keeping ships and for denying an objective.",
    )
    what = pick("What to bring")
    number = _number("Number of ships", "Leave blank for bringing in a convoy.")
    share = _number("Share of the cargo (%)", "For bringing in a convoy.")
    men = _number("Men ashore", "For putting men ashore: at all the places together.")
    each = _tick("Score each port", "For holding ports: marks for each port that the side holds.")
    least_line = _number("Minimum number of ships", "For gathering: how many in one force.")
    least_percent = _number(
        "Minimum share of the opening value (%)", "For gathering: in place of a number of ships."
    )
    alone = _tick(
        "With no enemy near",
        "For gathering: no enemy force at least half as strong may be at any of the places.",
    )
    least_marks = _number(
        "Minimum fighting value (marks)", "For holding the sea: the value of the side's ships there."
    )
    group = forms.MultipleChoiceField(
        choices=(),
        required=False,
        label="Group of ships",
        help_text="For destroying or keeping: one of the first two entries in the list, or fleets as they were on the first day.",
    )
    left = _number("Value left (%)", "For destroying: the most that may be left. For keeping: the least.", 0)
    objective = pick("Objective to deny")
    days = whole_number("Mornings", 1, text="On how many mornings the side must have achieved it.", initial=1)
    running = _tick("Mornings must be consecutive")
    first = _day("First day", "Leave blank for the campaign's first day.")
    by = _day("Last day", "Leave blank for the campaign's last day.")
    marks = whole_number("Marks", initial=10)
    pay = pick("When scored", *_PAYS, required=True)
    every = whole_number("Mornings per award", 1, text="Only if scored each morning.", initial=1)
    most = _number("Maximum marks", "Only if scored each morning. Leave blank for no limit.")
    decisive = _tick("Decisive", "Achieving it ends the campaign, if the campaign settings allow that.")
    secret = _tick("Secret", "Only the side and the umpire can read it until the end.")
    reason = forms.CharField(
        max_length=300, required=False, label="Reason (umpire's log)",
        help_text="Needed once orders for the first turn have closed. Everyone can read it.",
    )  # fmt: skip

    def __init__(
        self, *args: Any, sides: Choices, places: Choices, allies: Choices, convoys: Choices, fleets: Choices, others: Choices, heavy: str,
        fixed: bool = False, **kwargs: Any
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        # "with" is no name in Python
        self.fields["with"] = pick(
            "Ally in the force",
            _NOTHING,
            *allies,
            text="For gathering: a side that must have at least one ship in the force.",
        )
        for name, label in (("number", "Number of {}"), ("least_line", "Minimum number of {}")):
            self.fields[name].label = label.format(heavy)
        choose(self, "side", list(sides))
        choose(self, "places", list(places))
        choose(self, "what", [_NOTHING, (LINE, heavy), *convoys])
        choose(self, "group", [(ALL, "all fighting ships"), (LINE, heavy), *fleets])
        choose(self, "objective", [_NOTHING, *others])
        self.fields["id"].disabled = fixed
        order = list(self.fields)
        order.remove("with")
        self.order_fields(
            [*order[: order.index("least_marks")], "with", *order[order.index("least_marks") :]]
        )

    def row(self) -> dict[str, Any]:
        """The objective as an opening writes it. Only for a valid form."""
        data = self.cleaned_data
        kind = AimKind(data["kind"])
        row: dict[str, Any] = {name: data[name] for name in ("id", "side", "kind", "marks", "pay", "words")}
        row |= {name: data[name] for name in _NUMBERS if data[name] is not None}
        row |= {name: data[name] for name in (*_TEXTS, *_TICKS) if data[name]}
        row |= {name: data[name] for name, usual in (("days", 1), ("every", 1)) if data[name] != usual}
        row |= {name: data[key].isoformat() for name, key in (("from", "first"), ("by", "by")) if data[key]}
        if data["secret"]:
            row["public"] = False
        if data["places"]:
            name = PLACES.get(kind, "places")
            row[name] = (
                data["places"][0] if kind is AimKind.CLOSE and len(data["places"]) == 1 else data["places"]
            )
        if group := data["group"]:
            row["group"] = group[0] if group in ([ALL], [LINE]) else group
        return row

    def fault(self, path: str, text: str) -> None:
        """Show a fault of the rules beside its field. path: the name that the rules have for it."""
        name = {"from": "first", "public": "secret", **dict.fromkeys(PLACES.values(), "places")}.get(
            path, path
        )
        self.add_error(name if name in self.fields else None, text)


def objective_fields(row: Row) -> dict[str, Any]:
    """An objective as the form shows it."""
    doc = row.doc()
    fields = {name: value for name, value in doc.items() if name not in _LISTED}
    return {
        **fields, "days": row.days, "every": row.every, "first": row.from_, "by": row.by, "secret": not row.public,
        "places": list(row.where), "group": list(row.group),
    }  # fmt: skip


_LISTED = frozenset({*PLACES.values(), "group", "from", "public"})
