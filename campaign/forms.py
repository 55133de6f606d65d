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
    ("return", "Return", "go back to where the fleet started"),
    ("join", "Join", "the fleet there"),
    ("shelter", "Shelter", "among the shoals"),
    ("escort", "Escort", "keep company"),
    ("blockade", "Blockade", "the enemy's port"),
    ("attack", "Attack", "the enemy's port"),
)
# Only in campaigns with landings. Rules: G.LD1, G.LD2, G.LD5.
ARRIVALS_OF_TROOPS = (
    ("embark", "Embark", "take soldiers aboard"),
    ("disembark", "Disembark", "put soldiers ashore among friends"),
    ("land", "Land", "put soldiers ashore on the enemy's coast"),
    ("raid", "Raid", "the enemy's port"),
)
# Only under rule sets that have them. Rules: G.MN1, G.MN3, G.NC1, G.NT1.
ARRIVALS_OF_MINES = (("mine", "Lay mines", "and come back"), ("sweep", "Sweep mines", "by day"))
ARRIVALS_BY_NIGHT = (("torpedo", "Torpedo attack", "by night, and come back"),)
ARRIVALS_OF_TRADE = (("trade", "Raid trade", "stop and search merchantmen"),)
EVERY_ARRIVAL = (*ARRIVALS, *ARRIVALS_OF_TROOPS, *ARRIVALS_OF_MINES, *ARRIVALS_BY_NIGHT, *ARRIVALS_OF_TRADE)
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
BREAK_OFF = "Break off at"
GREATEST_ODDS = "Greatest odds accepted"


Choices = Sequence[tuple[str, Any]]


def arrivals(*, landings: bool, rule_set: str) -> tuple[tuple[str, str, str], ...]:
    """What a fleet can do on arrival, as (value, name, words). landings: whether the campaign is played with them."""
    at_sea = registry.rule_set(rule_set).at_sea
    return (
        *ARRIVALS,
        *(ARRIVALS_OF_TROOPS if landings else ()),
        *(ARRIVALS_OF_MINES if at_sea.lays_mines else ()),
        *(ARRIVALS_BY_NIGHT if at_sea.strikes_by_night else ()),
        *(ARRIVALS_OF_TRADE if at_sea.trade is not None else ()),
    )


def choose(form: forms.Form, name: str, choices: list[Any]) -> None:
    """Give a field of a form the choices that only its page knows."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices


def pick(label: str, *choices: tuple[str, str], text: str = "", required: bool = False) -> forms.ChoiceField:
    """A choice. choices: none when only the page knows them. text: the help."""
    return forms.ChoiceField(choices=choices, label=label, help_text=text, required=required)


def number(
    label: str, least: int = 0, most: int | None = None, text: str = "", *, required: bool = True, initial: int | None = None
) -> forms.IntegerField:  # fmt: skip
    """A whole number between bounds. text: the help."""
    return forms.IntegerField(
        min_value=least, max_value=most, label=label, help_text=text, required=required, initial=initial
    )


def _in_words(field: forms.Field, value: Any) -> str:
    """A field with its value as a reader would say it: "At nightfall: stay near the enemy"."""
    if isinstance(value, bool):
        value = "yes" if value else "no"
    flat: dict[str, str] = {}
    for key, words in getattr(field, "choices", ()):
        flat |= dict(words) if isinstance(words, list) else {key: words}
    told = f"{flat.get(str(value), value)}"
    if field.label == BREAK_OFF:
        told = "never" if told == "100" else f"{told}% of the hull lost"
    if field.label == GREATEST_ODDS:
        told = f"{told} to 1"
    return f"{field.label}: {told}"


class SailingForm(forms.Form):
    """What a fleet is to do at sea, whether it sails now or is only being made. Rules: G.MV2, G.MV4."""

    state_no = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    stance = forms.ChoiceField(choices=[row[:2] for row in STANCES], initial="hold")
    on_arrival = forms.ChoiceField(choices=[row[:2] for row in ARRIVALS], initial="anchor")
    target = pick("Keep company with", text="For an escort: the fleet to accompany.")

    def __init__(
        self, *args: Any, rule_set: str, charges: Choices = (), landings: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "on_arrival", [row[:2] for row in arrivals(landings=landings, rule_set=rule_set)])
        choose(self, "target", [("", "–"), *charges])


class OrdersForm(SailingForm):
    """Stance, arrival and battle instructions of a fleet; the route is kept beside it, leg by leg. Rules: G.MV2, G.MV5.

    Of the instructions to captains it has those that the rule set knows, under the set's own labels.
    """

    greatest_odds = forms.DecimalField(
        min_value=0,
        max_digits=5,
        decimal_places=2,
        label=GREATEST_ODDS,
        help_text="The ratio of enemy strength to yours. A fleet that seeks battle attacks up to these odds.",
    )
    chase_hours = number("Hours to chase", 0, 240, "The fleet then gives up the chase.")
    at_nightfall = pick(
        "At nightfall", ("part", "break off if possible"), ("stay", "stay near the enemy"), required=True
    )
    after_battle = pick(
        "After an undecided battle", ("auto", "renew it if at least as strong"), ("renew", "renew it"), ("part", "break off"), required=True
    )  # fmt: skip
    at_sound_of_guns = pick("At the sound of guns", ("join", "join"), ("stay", "stay"), required=True)
    gauge = pick(
        "Weather gauge",
        ("any", "as it comes"),
        ("windward", "windward"),
        ("leeward", "leeward"),
        required=True,
    )
    fight_at = pick(
        "Fight at", ("best", "the range that suits the guns"), ("close", "close range"), ("long", "long range"), required=True
    )  # fmt: skip
    chase = pick("Attack and chase", ("line", "in line"), ("general", "general chase"), required=True)
    break_off = number(BREAK_OFF, 0, 100, "Percentage of hull lost. 100 means never.")
    board = pick("Board the enemy", *BOARDING, required=True)
    fire_ships = forms.BooleanField(required=False, label="Use fire ships")
    cripples_to = pick("Crippled ships and prizes go to")
    rendezvous = pick("Rendezvous", text="Where ships separated in a gale look for the fleet.")
    disabled = pick("Ships that cannot be towed", ("wait", "wait for them"), ("leave", "leave them behind"))
    shoals = pick("Off shoals without a pilot", ("wait", "wait for daylight"), ("dare", "go in at any hour"))
    prizes = pick(
        "Captured enemy ships", ("man", "man them"), ("burn", "burn them"), ("release", "release them")
    )
    prize_escort = pick(
        "Escort for crippled ships and prizes", ("none", "none"), ("frigate", "a frigate or cruiser")
    )
    slowest = pick("Slowest ships when chased", ("keep", "wait for them"), ("leave", "leave them astern"))
    hopeless = pick("Against hopeless odds", ("fly", "run"), ("stand", "stand and fight"))
    shelter = pick(
        "Shelter when blockading", text="Where the fleet goes in a gale or after 2 days of onshore wind."
    )

    def __init__(
        self,
        *args: Any,
        rule_set: str,
        ports: list[tuple[str, str]],
        places: Choices = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, rule_set=rule_set, **kwargs)
        for name in {*DOCTRINE} - registry.rule_set(rule_set).wishes:
            del self.fields[name]
        for name, label in PRESENTATIONS[rule_set].wishes.items():
            self.fields[name].label = label
        choose(self, "cripples_to", [("", "no port; they stay with the fleet"), *ports])
        choose(self, "rendezvous", [("", "the end of the route"), *places])
        choose(self, "shelter", [("", "your nearest port"), *places])

    @property
    def instruction_fields(self) -> list[forms.BoundField]:
        """The battle instructions, in order."""
        return [field for field in self if field.name not in APART]

    def in_words(self, order: Any) -> list[str]:
        """The battle instructions of a stored order that differ from the defaults, each with its label."""
        told = {name: value for name, value in order.instructions.items() if name != "doctrine"}
        told |= order.instructions.get("doctrine", {})
        return [
            _in_words(self.fields[name], value)
            for name, value in told.items()
            if name in self.fields and name not in APART
        ]

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


class FleetsForm(forms.Form):
    """One order for several fleets: what is left empty stays as each of them has it. Rules: G.MV2."""

    STAY = "-"
    goal = pick("Shortest way to")
    stance = pick("Stance", ("", "no change"), *(row[:2] for row in STANCES))
    on_arrival = pick("On arrival")
    copied = pick(
        "Copy the orders of",
        text="This copies the route, stance, action on arrival and battle instructions, but not orders for ships to leave the fleet.",
    )

    def __init__(
        self, *args: Any, goals: Choices, fleets: Choices, landings: bool, rule_set: str, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "goal", [("", "no change"), (self.STAY, "stay where they are"), *goals])
        deeds = [row[:2] for row in arrivals(landings=landings, rule_set=rule_set) if row[0] != "escort"]
        choose(self, "on_arrival", [("", "no change"), *deeds])
        choose(self, "copied", [("", "–"), *fleets])

    def clean(self) -> dict[str, Any]:
        """Something has to be ordered, and an order is copied whole."""
        data = super().clean() or {}
        named = any(data.get(name) for name in ("goal", "stance", "on_arrival"))
        if data.get("copied") and named:
            self.add_error("copied", "Copy the orders of a fleet, or choose new ones. Do not do both.")
        elif not self.errors and not named and not data.get("copied"):
            raise forms.ValidationError("Choose a place, a stance or what to do on arrival.")
        return data


class PartForm(SailingForm):
    """Ships that are to leave a fleet: for a new fleet, or for another in company. Rule: G.MV4."""

    ships = forms.MultipleChoiceField(choices=(), required=False, label="Ships")
    to = pick("Fleet to join")
    name = forms.CharField(
        required=False, max_length=80, label="Name of the new fleet", help_text="For example, “Frigates of the Blue”."
    )  # fmt: skip
    goal = pick("Bound for", text="By the shortest way.")
    stance = forms.ChoiceField(choices=[row[:2] for row in STANCES], initial="avoid")

    def __init__(self, *args: Any, ships: Choices, near: Choices, goals: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "ships", list(ships))
        choose(self, "to", [("", "a new fleet"), *near])
        choose(self, "goal", [("", "stay where they are"), *goals])


class ConvoyForm(forms.Form):
    """A convoy that the umpire creates. Rule: G.CV1."""

    side = pick("Side", required=True)
    code = forms.SlugField(
        max_length=12,
        label="Code",
        help_text="Short: for example, COAL. You cannot change it later.",
        error_messages={"invalid": "This is not a valid code. Use letters, digits and hyphens."},
    )
    name = forms.CharField(max_length=80, label="Name", help_text="For example, “Newcastle colliers”.")
    ships = forms.CharField(
        label="Ships", widget=forms.Textarea(attrs={"rows": 4}), help_text="One name per line, up to 60."
    )
    guns = number("Guns per ship", 0, 60, initial=8)
    tons = number("Tons burthen per ship", 20, 2000, initial=200)
    start = pick("Starts at", required=True)
    destination = pick("Bound for", required=True)
    sails_in = number("Days until it sails", 0, 365, "0 means at once.", initial=1)
    value = number("Value", 0, 100_000, "Points for the whole cargo.", initial=50)
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
