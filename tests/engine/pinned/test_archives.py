"""The archives of versions: every version that a campaign may play by is there, whole, and plays as today's code does."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from battles.engine import registry
from battles.engine.changes import changes
from battles.engine.core.dice import KeyedDice, ScriptedDice
from battles.engine.core.errors import OrderFault, ScenarioFaults
from battles.engine.core.fates import Fate
from battles.engine.core.log import Event
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import read_scenario
from battles.engine.odds import Question, Rates, fought
from battles.engine.odds.question import document
from battles.engine.pinned.archives import (
    FOLDER,
    SUMS,
    RulesMissing,
    file_name,
    files_of,
    installed,
    pack,
    sources_now,
    unpack,
)
from battles.engine.pinned.crossing import RulesApart
from battles.engine.pinned.rules import TODAY, Use, rules_of_set, use_of
from battles.engine.pinned.versions import CAMPAIGN, ROOT, Version, folder_of, names, newest
from battles.engine.play import play_battle
from campaign.rules.chart import types
from campaign.rules.chart.types import Position
from campaign.rules.state.state import ShipState
from campaign.rules.turn import snapshots

# The versions of the release in which archives began: a campaign may play by these and all later ones.
FIRST = {"kohler": 6, "thomas": 6, "age_of_sail": 5, "cordery": 5, "barker": 2, CAMPAIGN: 6}


def kept(name: str) -> list[Version]:
    return [
        Version(name, row.number, row.fingerprint)
        for row in changes(folder_of(name))
        if row.number >= FIRST[name]
    ]


@pytest.mark.parametrize("name", names())
def test_every_version_that_a_campaign_may_play_by_has_its_archive(name: str) -> None:
    """Today's is unpacked; of an older one the sum is enough, for its archive never changes again."""
    sums = (FOLDER / SUMS).read_text()
    for version in kept(name):
        assert (FOLDER / file_name(version)).exists(), (
            f"write it with python -m battles.engine.pinned: {file_name(version)}"
        )
        assert (
            f"{sha256((FOLDER / file_name(version)).read_bytes()).hexdigest()}  {file_name(version)}\n"
            in sums
        )
    assert files_of(kept(name)[0])


def test_no_archive_is_there_that_no_change_notes_name() -> None:
    known = {file_name(version) for name in names() for version in kept(name)}

    assert {path.name for path in FOLDER.glob("*.tar.xz")} == known


@pytest.mark.parametrize("name", names())
def test_the_archive_of_the_newest_version_imports_all_that_today_imports(name: str) -> None:
    """A module that only tells may be asked for something new: then the archive is written again, with --again."""
    (version, *_) = kept(name)
    packed = files_of(version)

    assert {path for path in sources_now(name) if path.endswith(".py")} == {
        path for path in packed if path.endswith(".py")
    }


def use(name: str) -> Use:
    return use_of(kept(name)[0])


def test_an_archived_version_fights_the_same_battle_as_the_code_that_it_was_made_of() -> None:
    path = ROOT / "battles/data/scenarios/cordery/two_battleships.json"
    document, seed, old = json.loads(path.read_text()), b"seed", use("cordery")

    today = play_battle(read_scenario(document), seed, log=True)
    then = old(play_battle)(old(read_scenario)(document), seed, log=True)

    assert then == today
    assert type(then.outcome) is Outcome, "what comes back is of today's classes"
    assert then.events[0].to_list() == old(Event.to_list)(then.events[0])


@pytest.mark.parametrize("name", registry.names())
def test_an_old_version_is_code_of_its_own(name: str) -> None:
    rules = use(name)(registry.rule_set)(name)

    assert type(rules).__module__.startswith(f"pinned_rules.{name}_")
    assert type(rules) is not type(registry.rule_set(name))


def test_an_old_version_throws_the_same_dice() -> None:
    assert use("kohler")(KeyedDice)(b"seed").d6(clause="K.F8", subjects=(1,)) == KeyedDice(b"seed").d6(
        clause="K.F8", subjects=(1,)
    )


def test_odds_are_counted_under_an_old_version_with_todays_counting() -> None:
    path = ROOT / "battles/data/scenarios/kohler/single_ships.json"
    rates = Rates(light=1, medium=2, heavy=3, worse=4, mast=5, battery=6, a_day=1)
    question = Question.read(document(json.loads(path.read_text()), None, rates))

    assert use("kohler")(fought)(question, 0, 3).to_dict() == fought(question, 0, 3).to_dict()


def test_an_error_of_an_old_version_is_caught_as_todays() -> None:
    with pytest.raises(ScenarioFaults) as refused:
        use("kohler")(read_scenario)({})

    assert refused.value.faults
    assert type(refused.value.faults[0]).__module__ == "battles.engine.core.errors"


def test_todays_version_is_todays_code_and_costs_nothing() -> None:
    assert rules_of_set(newest("kohler")) is TODAY
    assert rules_of_set(Version("kohler", 1, "")) is TODAY, "of before versions were written down"
    assert TODAY(play_battle) is play_battle


def test_a_version_that_was_never_archived_is_named() -> None:
    (*_, first) = changes(folder_of("kohler"))

    with pytest.raises(RulesMissing, match=r"Version 1 of the rules “Kohler, 1666” is not installed"):
        rules_of_set(Version("kohler", first.number, first.fingerprint))


def test_the_same_files_give_the_same_archive_and_come_back() -> None:
    files = {"b.py": b"2", "a.py": b"1"}

    assert pack(files) == pack(dict(reversed(files.items())))
    assert unpack(pack(files)) == files


def ship(**changes: Any) -> ShipState:
    plain: dict[str, Any] = {
        "code": "E1", "side": "ENG", "fleet": "f", "squadron": "s", "condition": {"hull": [1, 2]}, "men": 5, "captain": "A", "order": 1,
    }  # fmt: skip
    return ShipState(**{**plain, **changes})


@pytest.fixture(scope="module")
def chart() -> Use:
    return use_of(kept("kohler")[0], kept(CAMPAIGN)[0])


def test_a_kept_version_stores_documents_of_the_shape_that_todays_pages_read() -> None:
    """When this fails, a schema number was raised: pages that read what an old campaign carries need to be told how."""
    for version in installed():
        if version.name == CAMPAIGN:
            files = files_of(version)
            for module in (types, snapshots):
                (name,) = (name for name in files if name.endswith(f"{module.__name__.replace('.', '/')}.py"))
                assert f"\nSCHEMA = {module.SCHEMA}\n" in files[name].decode(), version


def test_values_come_back_from_an_old_version_as_they_went(chart: Use) -> None:
    crossing = chart.crossing
    assert crossing is not None
    value = {
        "ships": [ship(fate=Fate.SUNK, flags=("withdrew",))], ("a", 1): {Position("texel", "", 3)}, "part": Fraction(1, 3),
        "fault": OrderFault("order/x", "G.MV1", "No."), "none": None, "frozen": frozenset({frozenset({"a", "b"})}),
    }  # fmt: skip

    there = crossing._cross(value, inward=True)

    assert type(there["ships"][0]).__module__.startswith("pinned_rules.")
    assert type(there["ships"][0].fate) is not Fate
    assert crossing._cross(there, inward=False) == value


def test_a_field_that_the_old_version_does_not_know_crosses_only_with_its_default(
    chart: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossing = chart.crossing
    assert crossing is not None
    there = crossing.module("campaign.rules.state.state", inward=True)
    real = "battles.engine.pinned.crossing._fields"
    from battles.engine.pinned import crossing as module

    fields = module._fields
    monkeypatch.setattr(
        real,
        lambda kind: (
            {k: v for k, v in (fields(kind) or {}).items() if k != "prize"}
            if kind is there.ShipState
            else fields(kind)
        ),
    )

    assert crossing._cross(ship(), inward=True).prize is False
    with pytest.raises(RulesApart, match=r"do not share the field prize of ShipState"):
        crossing._cross(ship(prize=True), inward=True)


def test_what_is_no_value_is_not_handed_to_an_old_version(chart: Use) -> None:
    crossing = chart.crossing
    assert crossing is not None

    with pytest.raises(TypeError, match="ScriptedDice of today's rules cannot be handed"):
        crossing._cross(ScriptedDice(()), inward=True)


def test_an_archive_may_import_only_itself_and_the_standard_library(tmp_path: Path) -> None:
    import ast

    from battles.engine.pinned.universe import _Turned

    for source in (
        "import subprocess",
        "from django.db import models",
        "from fleets import models",
        "import battles.engine",
    ):
        with pytest.raises(ImportError):
            _Turned("pinned_rules.x").visit(ast.parse(source))
