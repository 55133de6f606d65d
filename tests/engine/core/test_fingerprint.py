"""Code that decides dice is fingerprinted: words, comments and narration are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from battles.engine import fingerprint
from battles.engine.core.wordless import bare_source, wordless
from battles.engine.registry import names

SOURCE = '''
"""A rule."""
from battles.engine.core.dice import Dice

LIMIT = 3  # of steps


def sinks(dice: Dice, steps: int) -> bool:
    """Whether she goes down."""
    face = dice.d6(clause="K.G1", subjects=("gale",), reason="foundering in the gale")
    if face == 6 and steps != 2:
        raise ValueError(f"she cannot sink with {steps} steps lost")
    return face > LIMIT
'''


@pytest.mark.clause("G.FA1")
@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"""A rule."""', '"""A rule, worded better."""'),
        ('    """Whether she goes down."""\n', ""),
        ("  # of steps", "  # of damage"),
        ("she cannot sink with", "no ship sinks with"),
        ("foundering in the gale", "gale"),
        ("battles.engine.core.dice", "battles.engine.core.throwing.dice"),
        ("steps: int) -> bool:", "steps: float) -> object:"),
        ("face = dice", "\n    face = dice"),
    ],
)
def test_words_comments_types_and_positions_do_not_count(was: str, now: str) -> None:
    assert was in SOURCE
    assert bare_source(SOURCE.replace(was, now)) == bare_source(SOURCE)


@pytest.mark.clause("G.FA1")
@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("face == 6", "face == 5"),
        ("face > LIMIT", "face >= LIMIT"),
        ("steps != 2", "steps == 2"),
        ("dice.d6", "dice.d8"),
        ('("gale",)', '("storm",)'),
        ("K.G1", "K.G2"),
        (" and ", " or "),
    ],
)
def test_a_change_of_a_number_or_a_condition_or_a_die_counts_as_a_change_of_the_rules(
    was: str, now: str
) -> None:
    assert was in SOURCE
    assert bare_source(SOURCE.replace(was, now)) != bare_source(SOURCE)


@pytest.mark.parametrize(
    "source",
    [
        'name == "white bear"',
        'GREAT = {"white bear"}',
        'LENGTH = {"white bear": 4}',
        'LENGTH["white bear"]',
        'LENGTH.get("white bear")',
        'name.endswith("white bear")',
        'match name:\n    case "white bear":\n        pass',
    ],
)
def test_a_text_that_is_compared_or_searched_for_counts(source: str) -> None:
    assert bare_source(source.replace("white", "black")) != bare_source(source)


def test_a_document_keeps_its_keys_and_codes() -> None:
    document = {
        "ship": "E1",
        "reason": "gale",
        "faults": [["way", "G.MV3", "There is no way there."]],
        "n": 3,
    }

    assert wordless(document) == {"ship": "E1", "reason": "", "faults": [["way", "G.MV3", ""]], "n": 3}


def test_captains_count_and_code_that_only_narrates_does_not() -> None:
    for name in names():
        folder = Path(fingerprint.__file__).parent / "rulesets" / name
        counted = {path.relative_to(folder).as_posix() for path in fingerprint.decisive(folder)}

        assert {"tables.py", "turn.py", "view.py", "captain/commander.py"} <= counted
        assert not counted & {"telling.py", "events.py", "log_view.py"}


def test_a_module_may_move_to_another_folder(tmp_path: Path) -> None:
    for folder in ("here", "there/deeper"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "rule.py").write_text(SOURCE)

    here, there = (
        fingerprint.fingerprint_of(fingerprint.decisive(tmp_path / name)) for name in ("here", "there")
    )

    assert here == there
    (tmp_path / "here" / "rule.py").write_text(SOURCE.replace("LIMIT = 3", "LIMIT = 4"))
    assert fingerprint.fingerprint_of(fingerprint.decisive(tmp_path / "here")) != there
