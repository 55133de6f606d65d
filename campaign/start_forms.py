"""Forms of the page that starts a campaign: its frame, and its sides."""

from __future__ import annotations

from typing import Any

from django import forms

from campaign.clock_forms import RhythmForm
from campaign.forms import choose, number, pick
from campaign.services.setup.faults import address_fault, code_fault

SILENT = 2  # turns, as in the model


class CampaignForm(forms.Form):
    """The frame of a new campaign; its sides are forms of their own."""

    name = forms.CharField(max_length=120, label="Name", help_text="The name your club uses.")
    code = forms.CharField(
        max_length=20,
        label="Code",
        help_text="Short: for example, NS66. It appears in web addresses and beside every die. You cannot change it later.",
    )
    rule_set = pick("Rule set", required=True)
    turn_days = number("Days per turn", 1, 28, initial=3)

    def __init__(self, *args: Any, rule_sets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "rule_set", rule_sets)

    def clean_code(self) -> str:
        """Shown with all other errors. Raises ValidationError."""
        code: str = self.cleaned_data["code"]
        if fault := code_fault(code):
            raise forms.ValidationError(fault)
        return code


class ScheduleForm(RhythmForm):
    """When orders close in a new campaign; how to deal with silence is left for later."""

    silent = None  # type: ignore[assignment]
    reason = None  # type: ignore[assignment]

    def schedule(self) -> dict[str, Any]:
        """As `campaign_start` takes it. Only for a valid form."""
        return {**self.cleaned_data, "silent": SILENT}


class SideForm(forms.Form):
    """One side of a new campaign: whose ships, who commands."""

    takes_part = forms.BooleanField(required=False, initial=True, label="Takes part")
    ships = pick("Ships from")
    admiral = forms.CharField(
        required=False,
        max_length=254,
        label="Admiral's email address",
        help_text="We email an invitation. The automatic admiral commands until it is accepted.",
        widget=forms.TextInput(attrs={"inputmode": "email", "autocomplete": "off"}),
    )
    automatic = forms.BooleanField(
        required=False,
        label="Automatic admiral",
        help_text="Gives the side's orders until a player joins.",
    )

    def __init__(self, *args: Any, choices: list[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "ships", [("", "choose a fleet list"), *choices])

    def clean_admiral(self) -> str:
        """Shown with all other errors. Raises ValidationError."""
        address: str = self.cleaned_data["admiral"].strip()
        if address and (fault := address_fault(address)):
            raise forms.ValidationError(fault)
        return address

    def clean(self) -> dict[str, Any]:
        """A side that takes part needs ships, and an admiral to command them."""
        data = super().clean() or self.cleaned_data
        if data.get("takes_part"):
            if not data.get("ships") and "ships" not in self.errors:
                self.add_error("ships", "Choose this side's ships.")
            if not data.get("admiral") and not data.get("automatic") and "admiral" not in self.errors:
                self.add_error("admiral", "Invite an admiral or tick “Automatic admiral”.")
        return data
