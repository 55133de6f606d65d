"""Forms of the pages of deadlines and absences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from campaign.deadlines import DAYS
from campaign.forms import choose, number, pick
from campaign.models import Absence, Campaign, Membership
from campaign.models.campaigns import MOST_GRACE
from campaign.selectors.people.people import name_of
from campaign.services.settings.clock import MOST_HOURS, MOST_SILENT
from campaign.zones import known_zone


class DayInput(forms.DateInput):
    """A day, chosen in the browser's own calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class HourInput(forms.TimeInput):
    """An hour of the day."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class MoveForm(forms.Form):
    """A deadline moved to a date and time."""

    day = forms.DateField(widget=DayInput, label="Date")
    at = forms.TimeField(widget=HourInput, label="Time")
    reason = forms.CharField(max_length=400, label="Reason (umpire's log and email)")


class ExtendForm(forms.Form):
    """More hours for a turn."""

    hours = number("Extra hours", 1, MOST_HOURS)
    for_good = forms.BooleanField(required=False, label="Apply to later turns too")
    reason = forms.CharField(max_length=400, label="Reason (umpire's log and email)")


def weekdays(label: str, help_text: str = "") -> forms.TypedMultipleChoiceField:
    """Days of the week to tick, as numbers from 0 for Monday."""
    return forms.TypedMultipleChoiceField(
        choices=list(enumerate(DAYS)), coerce=int, required=False, widget=forms.CheckboxSelectMultiple, label=label,
        help_text=help_text,
    )  # fmt: skip


class RhythmForm(forms.Form):
    """When orders close, and how long a turn waits for late ones."""

    hours = number("Hours after a turn opens", 1, MOST_HOURS, "Used when no weekday is ticked.")
    weekdays = weekdays("Or on fixed weekdays")
    at = forms.TimeField(widget=HourInput, label="Time")
    zone = forms.CharField(
        validators=[known_zone],
        max_length=60,
        label="Time zone",
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text="For example, Europe/London. Allows for summer time.",
    )
    run_when_ready = forms.BooleanField(required=False, label="Run a turn early when every side is ready")
    grace = number(
        "Grace period (hours)",
        0,
        MOST_GRACE,
        "How long a turn waits for late orders. We send one more reminder.",
    )
    silent = number(
        "Turns without orders", 0, MOST_SILENT, "We notify you when an admiral gives no orders for this many turns. 0 means never."
    )  # fmt: skip
    reason = forms.CharField(max_length=400, label="Reason (umpire's log and email)", required=False)

    @staticmethod
    def initial_from(campaign: Campaign) -> dict[str, Any]:
        """The present schedule."""
        return {
            "hours": campaign.deadline_hours,
            "weekdays": campaign.deadline_days,
            "at": campaign.deadline_at,
            "zone": campaign.time_zone,
            "run_when_ready": campaign.run_when_ready,
            "grace": campaign.grace_hours,
            "silent": campaign.silent_turns,
        }


class WebhookForm(forms.Form):
    """Where public news is posted. The address is a key: once it is saved, pages show only its host."""

    address = forms.CharField(
        required=False,
        max_length=500,
        label="Campaign webhook",
        help_text="The address from Discord, beginning with https://. Leave blank to keep the present one.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    remove = forms.BooleanField(required=False, label="Stop posting")

    def clean(self) -> dict[str, Any]:
        """One or the other."""
        data = super().clean() or self.cleaned_data
        if data.get("address") and data.get("remove"):
            self.add_error("remove", "Enter another address or stop posting, not both.")
        return data


class AbsenceForm(forms.Form):
    """Days on which an admiral is away. whose: given by the umpire alone."""

    whose = pick("Admiral", required=True)
    first = forms.DateField(widget=DayInput, label="First day")
    last = forms.DateField(widget=DayInput, label="Last day")
    stand_in = pick(
        "Stand-in",
        text="Until the end of the last day they command your fleets and see what those fleets report.",
    )
    note = forms.CharField(
        required=False, max_length=200, label="Note", help_text="For the umpire and your own side."
    )

    def __init__(
        self,
        *args: Any,
        people: Iterable[Membership],
        stand_ins: Iterable[Membership],
        own: Membership | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(member.pk): member for member in [*people, *stand_ins]}
        if own is not None:
            del self.fields["whose"]
        else:
            choose(self, "whose", [(str(m.pk), f"{name_of(m.user)}, {m.side}") for m in people])
        named = [
            (str(m.pk), name_of(m.user) if own is not None else f"{name_of(m.user)}, {m.side}")
            for m in stand_ins
        ]
        choose(self, "stand_in", [("", "no one"), *named])

    @staticmethod
    def initial_from(absence: Absence) -> dict[str, Any]:
        """An absence to be changed."""
        return {
            "whose": str(absence.membership_id),
            "first": absence.first,
            "last": absence.last,
            "stand_in": str(absence.stand_in_id or ""),
            "note": absence.note,
        }

    def named(self, name: str) -> Membership | None:
        """The member chosen in a field; None for no one. Only for a valid form."""
        return self.people.get(self.cleaned_data.get(name, ""))
