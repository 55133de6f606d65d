"""Forms of the clock's page and of absences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from campaign.deadlines import DAYS
from campaign.models import Absence, Campaign, Membership
from campaign.models.campaigns import MOST_GRACE
from campaign.selectors.people.people import name_of
from campaign.services.settings.clock import MOST_HOURS, MOST_SILENT
from campaign.zones import known_zone


class DayInput(forms.DateInput):
    """A day, by the browser's own calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class HourInput(forms.TimeInput):
    """An hour of the day."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class MoveForm(forms.Form):
    """A deadline put to a day and hour."""

    day = forms.DateField(widget=DayInput, label="Day")
    at = forms.TimeField(widget=HourInput, label="Hour")
    reason = forms.CharField(max_length=400, label="Reason, for the log and the letters")


class ExtendForm(forms.Form):
    """More hours for a turn."""

    hours = forms.IntegerField(min_value=1, max_value=MOST_HOURS, label="Hours more")
    for_good = forms.BooleanField(required=False, label="and for every turn to come")
    reason = forms.CharField(max_length=400, label="Reason, for the log and the letters")


class RhythmForm(forms.Form):
    """When orders close, and how long is waited."""

    hours = forms.IntegerField(
        min_value=1,
        max_value=MOST_HOURS,
        label="Hours after a turn opens",
        help_text="Where no weekday is ticked.",
    )
    weekdays = forms.TypedMultipleChoiceField(
        choices=list(enumerate(DAYS)),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Or on fixed weekdays",
    )
    at = forms.TimeField(widget=HourInput, label="at")
    zone = forms.CharField(
        validators=[known_zone],
        max_length=60,
        label="by the clock of",
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text="Like Europe/Amsterdam; summer time is minded.",
    )
    run_when_ready = forms.BooleanField(
        required=False, label="Run a turn before its deadline when every side is ready"
    )
    grace = forms.IntegerField(
        min_value=0,
        max_value=MOST_GRACE,
        label="Hours of grace",
        help_text="How long past the deadline orders that lack are waited for. They are reminded once more.",
    )
    silent = forms.IntegerField(
        min_value=0,
        max_value=MOST_SILENT,
        label="Silent turns",
        help_text="After how many you are told of an admiral who gives no orders; 0 is never.",
    )
    reason = forms.CharField(max_length=400, label="Reason, for the log and the letters", required=False)

    @staticmethod
    def initial_from(campaign: Campaign) -> dict[str, Any]:
        """The rhythm as it is."""
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
    """Where what everybody may know is posted. The address is a key: once given, nobody is shown more of it than the host."""

    address = forms.CharField(
        required=False,
        max_length=500,
        label="Webhook of the campaign",
        help_text="As Discord gives it, beginning with https://. Leave it empty to keep the one there is.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    remove = forms.BooleanField(required=False, label="Stop posting")

    def clean(self) -> dict[str, Any]:
        """One or the other."""
        data = super().clean() or self.cleaned_data
        if data.get("address") and data.get("remove"):
            self.add_error("remove", "Give another address or stop posting, not both.")
        return data


class AbsenceForm(forms.Form):
    """Days on which an admiral is away. whose: given by the umpire alone."""

    whose = forms.ChoiceField(choices=(), label="Who is away")
    first = forms.DateField(widget=DayInput, label="First day")
    last = forms.DateField(widget=DayInput, label="Last day")
    stand_in = forms.ChoiceField(
        choices=(),
        required=False,
        label="Who stands in",
        help_text="He commands the fleets, and sees what belongs to them, until the last day is over.",
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
            self._choices("whose", [(str(m.pk), f"{name_of(m.user)}, {m.side}") for m in people])
        named = [
            (str(m.pk), name_of(m.user) if own is not None else f"{name_of(m.user)}, {m.side}")
            for m in stand_ins
        ]
        self._choices("stand_in", [("", "nobody"), *named])

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]
        self.fields[name].widget.choices = choices

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
        """The member chosen in a field; None for nobody. Only for a valid form."""
        return self.people.get(self.cleaned_data.get(name, ""))
