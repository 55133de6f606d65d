"""The figures of a ship's condition on a form, as its rule set's card counts them."""

import pytest
from django.core.exceptions import ValidationError

from battles.engine import registry
from battles.engine.core.at_sea import Mark
from fleets.ship_forms import MarkField
from tests.support.sets import SETS, meeting, tiny_registered

CREW = Mark("crew_halves", "Crew left, half points", 15, 0, 20, "T.C10")
MASTS = Mark("masts_lost", "Masts lost", 0, 0, 1, "T.B5d")
FLAG = Mark("flag_lost", "Flag officer out of action", 0, 0, 1, "K.G8")


@pytest.mark.parametrize(
    ("mark", "typed", "value"),
    [
        (CREW, "7.5", 15), (CREW, "7½", 15), (CREW, "10", 20), (CREW, "0", 0), (MASTS, "1", 1), (FLAG, True, 1), (FLAG, False, 0),
    ],
)  # fmt: skip
def test_a_figure_is_read_as_the_card_counts_it(mark: Mark, typed: object, value: int) -> None:
    assert MarkField(mark).clean(typed) == value


@pytest.mark.parametrize("typed", ["", "10.5", "7.25", "-1", "many", "NaN", "Infinity"])
def test_a_figure_out_of_bounds_is_refused_with_the_bounds(typed: str) -> None:
    with pytest.raises(ValidationError, match="Enter a number from 0 to 10, in halves."):
        MarkField(CREW).clean(typed)


def test_half_points_are_shown_as_points_and_what_is_so_or_not_as_a_tick() -> None:
    crew, masts, flag = MarkField(CREW), MarkField(MASTS), MarkField(FLAG)
    assert (crew.label, crew.prepare_value(15), crew.prepare_value("x")) == ("Crew left", "7.5", "x")
    assert (masts.ticked, flag.ticked) == (False, True)


@pytest.mark.parametrize("name", SETS)
def test_every_rule_set_is_corrected_in_marks_that_read_as_they_are_shown(name: str) -> None:
    with tiny_registered():
        rules = registry.rule_set(name)
        for ship in meeting(name, 4, 4).sides[0].squadrons[0].ships:
            card = rules.card(ship.facts)
            sound = rules.at_sea.sound(card)
            fields = {mark.name: MarkField(mark) for mark in rules.at_sea.marks(card, sound)}
            read = {key: field.clean(field.prepare_value(field.mark.value)) for key, field in fields.items()}
            assert read == {key: field.mark.value for key, field in fields.items()}
            assert rules.at_sea.marked(card, sound, read) == sound
