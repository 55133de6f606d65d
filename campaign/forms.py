"""Forms of the campaign room. They say what a browser may send. The rules and the services decide whether it is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django import forms

from battles.boards import PRESENTATIONS
from battles.engine import registry
from battles.engine.core.scenario import doctrine_from
from campaign.rules.chart.types import Instructions

STANCES = (
    ("seek", "Seek", "attack when the odds allow"),
    ("hold", "Hold", "fight if attacked"),
    ("avoid", "Avoid", "get away"),
)
ARRIVALS = (
    ("anchor", "Anchor", "stay there"),
    ("patrol", "Patrol", "sail to and fro"),
    ("return", "Return", "come back"),
    ("join", "Join", "the fleet there"),
    ("shelter", "Shelter", "among the shoals"),
    ("escort", "Escort", "keep company"),
    ("blockade", "Blockade", "the enemy's port"),
    ("attack", "Attack", "the enemy's port"),
)
BOARDING = (("never", "never"), ("crippled", "only crippled ships"), ("pays", "whenever it pays"))
DOCTRINE = ("gauge", "fight_at", "chase", "board", "fire_ships", "break_off")
PLAIN = (
    "greatest_odds",
    "at_nightfall",
    "after_battle",
    "at_sound_of_guns",
    "cripples_to",
    "chase_hours",
    "rendezvous",
    "disabled",
    "shoals",
    "prizes",
    "prize_escort",
    "slowest",
    "shelter",
    "hopeless",
)
# Fields that a form without them leaves at their defaults: a saved page or an emailed reply may be older than the field.
_LATER = ("disabled", "shoals", "prizes", "prize_escort", "slowest", "hopeless")
# Fields that the page shows in other places.
APART = frozenset({"stance", "on_arrival", "target", "state_no"})
_DEFAULTS = Instructions()


Choices = Sequence[tuple[str, Any]]


def choose(form: forms.Form, name: str, choices: list[Any]) -> None:
    """Give a field of a form the choices that only its page knows."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


class OrdersForm(forms.Form):
    """Stance, arrival and battle instructions of a fleet; the route is kept beside it, leg by leg. Rules: G.MV2, G.MV5.

    Of the instructions to captains it has those that the rule set knows, under the set's own labels.
    """

    state_no = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    stance = forms.ChoiceField(choices=[row[:2] for row in STANCES], initial="hold")
    on_arrival = forms.ChoiceField(choices=[row[:2] for row in ARRIVALS], initial="anchor")
    target = forms.ChoiceField(
        choices=(),
        required=False,
        label="Keep company with",
        help_text="For an escort: the fleet to accompany.",
    )
    greatest_odds = forms.DecimalField(
        min_value=0,
        max_digits=5,
        decimal_places=2,
        label="Greatest odds",
        help_text="The ratio of enemy strength to yours. A fleet that seeks battle attacks up to these odds.",
    )
    chase_hours = forms.IntegerField(
        min_value=0, max_value=240, label="Hours to chase", help_text="The fleet then gives up the chase."
    )
    at_nightfall = forms.ChoiceField(
        choices=[("part", "part if we can"), ("stay", "stay near the enemy")], label="At nightfall"
    )
    after_battle = forms.ChoiceField(
        choices=[("auto", "renew if we are as strong"), ("renew", "renew it"), ("part", "part")],
        label="After an undecided battle",
    )
    at_sound_of_guns = forms.ChoiceField(
        choices=[("join", "join"), ("stay", "stay")], label="At the sound of guns"
    )
    gauge = forms.ChoiceField(
        choices=[("any", "as it comes"), ("windward", "windward"), ("leeward", "leeward")],
        label="Weather gauge",
    )
    fight_at = forms.ChoiceField(
        choices=[("best", "what suits our guns"), ("close", "close range"), ("long", "long range")],
        label="Fight at",
    )
    chase = forms.ChoiceField(
        choices=[("line", "in line"), ("general", "general chase")], label="Attack and chase"
    )
    break_off = forms.IntegerField(
        min_value=0,
        max_value=100,
        label="Break off at",
        help_text="Percentage of hull lost. 100 means never.",
    )
    board = forms.ChoiceField(choices=BOARDING, label="Board the enemy")
    fire_ships = forms.BooleanField(required=False, label="Use fire ships")
    cripples_to = forms.ChoiceField(choices=(), required=False, label="Crippled ships and prizes go to")
    rendezvous = forms.ChoiceField(
        choices=(),
        required=False,
        label="Rendezvous",
        help_text="Where ships separated in a gale look for the fleet.",
    )
    disabled = forms.ChoiceField(
        choices=[("wait", "wait for them"), ("leave", "leave them behind")],
        required=False,
        label="Ships that cannot be towed",
    )
    shoals = forms.ChoiceField(
        choices=[("wait", "wait for daylight"), ("dare", "go in at any hour")],
        required=False,
        label="Off shoals without a pilot",
    )

    prizes = forms.ChoiceField(
        choices=[("man", "man them"), ("burn", "burn them"), ("release", "release them")],
        required=False,
        label="Ships we capture",
    )
    prize_escort = forms.ChoiceField(
        choices=[("none", "go alone"), ("frigate", "go with a frigate")],
        required=False,
        label="Crippled ships and prizes",
    )
    slowest = forms.ChoiceField(
        choices=[("keep", "wait for them"), ("leave", "leave them astern")],
        required=False,
        label="Slowest ships when chased",
    )
    hopeless = forms.ChoiceField(
        choices=[("fly", "run"), ("stand", "stand and fight")],
        required=False,
        label="Against hopeless odds",
    )
    shelter = forms.ChoiceField(
        choices=(),
        required=False,
        label="Shelter when blockading",
        help_text="Where the fleet goes in a gale or after 2 days of onshore wind.",
    )

    def __init__(
        self,
        *args: Any,
        rule_set: str,
        ports: list[tuple[str, str]],
        places: Choices = (),
        charges: Choices = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        for name in {*DOCTRINE} - registry.rule_set(rule_set).wishes:
            del self.fields[name]
        for name, label in PRESENTATIONS[rule_set].wishes.items():
            self.fields[name].label = label
        choose(self, "cripples_to", [("", "stay with the fleet"), *ports])
        choose(self, "rendezvous", [("", "the end of the route"), *places])
        choose(self, "shelter", [("", "our nearest port"), *places])
        choose(self, "target", [("", "–"), *charges])

    @property
    def instruction_fields(self) -> list[forms.BoundField]:
        """The battle instructions, in order."""
        return [field for field in self if field.name not in APART]

    @staticmethod
    def initial_from(order: Any) -> dict[str, Any]:
        """First values of the form, from a stored order or from the defaults."""
        given: Mapping[str, Any] = order.instructions if order is not None else {}
        doctrine = asdict(doctrine_from(given.get("doctrine", {})))
        return {
            "state_no": order.state_no if order is not None else 0,
            "stance": order.stance if order is not None else "hold",
            "on_arrival": order.on_arrival if order is not None else "anchor",
            "target": order.target if order is not None else "",
            **{name: given.get(name, getattr(_DEFAULTS, name)) for name in PLAIN},
            **{name: doctrine[name] for name in DOCTRINE},
        }

    def fields_as_typed(self) -> dict[str, Any]:
        """What was typed, right or wrong, to show again in a draft that is not checked yet."""
        return {name: self[name].value() for name in self.fields}

    def charge(self) -> str:
        """The fleet that an escort keeps company with; "" for everything else. Only for a valid form. Rule: G.MV2."""
        return str(self.cleaned_data["target"]) if self.cleaned_data["on_arrival"] == "escort" else ""

    def instructions(self) -> dict[str, Any]:
        """The instructions that differ from the defaults, as an order stores them. Only for a valid form."""
        data = {**self.cleaned_data, "greatest_odds": f"{self.cleaned_data['greatest_odds'].normalize():f}"}
        for name in _LATER:
            data[name] = data[name] or getattr(_DEFAULTS, name)
        changed: dict[str, Any] = {
            name: data[name] for name in PLAIN if data[name] != getattr(_DEFAULTS, name)
        }
        doctrine = {
            name: data[name]
            for name in DOCTRINE
            if name in data and data[name] != getattr(_DEFAULTS.doctrine, name)
        }
        if doctrine:
            changed["doctrine"] = doctrine
        return changed


class PartForm(forms.Form):
    """Ships that are to leave a fleet: for a new fleet, or for another in company. Rule: G.MV4."""

    state_no = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    ships = forms.MultipleChoiceField(choices=(), required=False, label="Ships")
    to = forms.ChoiceField(choices=(), required=False, label="Fleet to join")
    name = forms.CharField(
        required=False,
        max_length=80,
        label="Name of the new fleet",
        help_text="For example, “Frigates of the Blue”.",
    )
    goal = forms.ChoiceField(choices=(), required=False, label="Bound for", help_text="By the shortest way.")
    stance = forms.ChoiceField(choices=[row[:2] for row in STANCES], initial="avoid")
    on_arrival = forms.ChoiceField(choices=[row[:2] for row in ARRIVALS], initial="anchor")
    target = forms.ChoiceField(
        choices=(),
        required=False,
        label="Keep company with",
        help_text="For an escort: the fleet to accompany.",
    )

    def __init__(
        self,
        *args: Any,
        ships: Choices,
        near: Choices,
        goals: Choices,
        charges: Choices,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "ships", list(ships))
        choose(self, "to", [("", "a new fleet"), *near])
        choose(self, "goal", [("", "stay where they are"), *goals])
        choose(self, "target", [("", "–"), *charges])


class ConvoyForm(forms.Form):
    """A convoy that the umpire creates. Rule: G.CV1."""

    side = forms.ChoiceField(choices=(), label="Side")
    code = forms.SlugField(
        max_length=12, label="Code", help_text="Short: for example, COAL. You cannot change it later."
    )
    name = forms.CharField(max_length=80, label="Name", help_text="For example, “Newcastle colliers”.")
    ships = forms.CharField(
        label="Ships", widget=forms.Textarea(attrs={"rows": 4}), help_text="One name per line, up to 60."
    )
    guns = forms.IntegerField(min_value=0, max_value=60, initial=8, label="Guns per ship")
    tons = forms.IntegerField(min_value=20, max_value=2000, initial=200, label="Tons burthen per ship")
    start = forms.ChoiceField(choices=(), label="Starts at")
    destination = forms.ChoiceField(choices=(), label="Bound for")
    sails_in = forms.IntegerField(
        min_value=0, max_value=365, initial=1, label="Days until it sails", help_text="0 means at once."
    )
    value = forms.IntegerField(
        min_value=0, max_value=100_000, initial=50, label="Value", help_text="Points for the whole cargo."
    )
    reason = forms.CharField(
        max_length=300,
        label="Reason (umpire's log)",
        help_text="Everyone can read it. Do not say where the convoy is or when it sails.",
    )

    def __init__(self, *args: Any, sides: Choices, places: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "side", list(sides))
        choose(self, "start", [("", "–"), *places])
        choose(self, "destination", [("", "–"), *places])
