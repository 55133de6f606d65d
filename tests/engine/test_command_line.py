"""The engine's own command line: battles described, outcomes and logs written, errors listed with nothing written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from battles.engine import cli
from battles.engine.cli import main
from battles.engine.core.log import Event
from battles.engine.core.outcome import Outcome
from battles.engine.play import seed_from, verify
from tests.support.fleets import meeting_document


@pytest.fixture
def scenario_file(tmp_path: Path) -> Path:
    return written(tmp_path, meeting_document(3, 4, seed="abcd", title="Off the Dunes"))


def written(folder: Path, doc: Any) -> Path:
    path = folder / "scenario.json"
    path.write_text(json.dumps(doc))
    return path


def test_fight_describes_the_battle_and_writes_outcome_and_log(
    scenario_file: Path, tmp_path: Path, capsys: Any
) -> None:
    out, log = tmp_path / "out.json", tmp_path / "log.jsonl"
    assert main(["fight", str(scenario_file), "--json", str(out), "--log", str(log)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Off the Dunes\nEngland 3 ships, Dutch Republic 4 ships\n")
    assert "Hits: England" in told
    outcome = Outcome.from_dict(json.loads(out.read_text()))
    assert len(outcome.ships) == 7
    events = [Event.from_list(json.loads(line)) for line in log.read_text().splitlines()]
    assert events[-1].turn == outcome.turns
    assert list(verify(events, bytes.fromhex("abcd"))) == []


@pytest.mark.clause("G.FA1")
def test_the_same_secret_gives_the_same_battle_and_replaces_the_one_in_the_scenario(
    scenario_file: Path, capsys: Any
) -> None:
    told = []
    for seed in (["--seed", "one"], ["--seed", "one"], ["--seed", "two"], [], ["--seed", "abcd"]):
        assert main(["fight", str(scenario_file), *seed]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2]
    assert told[3] == told[4]


def test_a_seed_is_hexadecimal_or_any_text() -> None:
    assert seed_from("00ff") == b"\x00\xff"
    assert seed_from("victory") == b"victory"
    assert seed_from("abc") == b"abc"


def test_a_faulty_scenario_lists_every_error_with_its_path_and_writes_nothing(
    tmp_path: Path, capsys: Any
) -> None:
    doc = meeting_document(2, 2, gauge="nobody", wind={"towards": 999})
    doc["sides"][0]["squadrons"][0]["ships"][1]["facts"]["guns"] = "many"
    out = tmp_path / "out.json"
    assert (
        main(["fight", str(written(tmp_path, doc)), "--json", str(out), "--log", str(tmp_path / "log")]) == 2
    )
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert lines[0].endswith("scenario.json: 3 errors")
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "gauge", "sides[0].squadrons[0].ships[1].facts.guns", "wind.towards",
    ]  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scenario.json"]


def test_a_scenario_that_the_rule_set_cannot_play_is_reported_in_the_same_way(
    tmp_path: Path, capsys: Any
) -> None:
    doc = meeting_document(2, 2, options={"speed": "warp"}, captains=("nobody", "plain"))
    assert main(["odds", str(written(tmp_path, doc))]) == 2
    shown = capsys.readouterr().err
    assert "2 errors" in shown
    assert "options.speed" in shown
    assert "sides[0].captain" in shown


def test_an_unknown_rule_set_gives_one_clear_line(tmp_path: Path, capsys: Any) -> None:
    assert main(["fight", str(written(tmp_path, meeting_document(1, 1, rule_set="chess")))]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("no rule set 'chess'; installed are ")
    assert shown.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"{", "line 1, column 2: not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "1 error"),
    ],
)
def test_a_file_that_is_not_a_scenario_gives_one_clear_line(
    tmp_path: Path, capsys: Any, content: bytes | None, words: str
) -> None:
    path = tmp_path / "x.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["fight", str(path)]) == 2
    assert words in capsys.readouterr().err


def test_an_output_that_cannot_be_written_gives_one_clear_line(
    scenario_file: Path, tmp_path: Path, capsys: Any
) -> None:
    assert main(["fight", str(scenario_file), "--json", str(tmp_path / "no" / "out.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_odds_add_up_to_the_number_of_runs_and_do_not_depend_on_the_workers(
    scenario_file: Path, capsys: Any
) -> None:
    told = []
    for workers in ("1", "2"):
        assert main(["odds", str(scenario_file), "--runs", "21", "--workers", workers]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    lines = told[0].splitlines()
    assert lines[0].startswith("Off the Dunes: 21 runs, ")
    sides = lines[3:6]
    assert sum(int(line[24:31]) for line in sides) == 21
    header = next(n for n, line in enumerate(lines) if line.startswith("ship "))
    columns = lines[header][24:].rsplit("  afloat", 1)[0]
    ships = lines[header + 1 :]
    assert len(ships) == 7
    for line in ships:
        assert sum(map(int, line[24 : 24 + len(columns)].split())) == 21, line


def test_odds_are_shown_while_they_are_counted_and_stop_when_they_are_known(
    scenario_file: Path, capsys: Any
) -> None:
    asked = ["odds", str(scenario_file), "--runs", "500", "--workers", "1", "--within", "30", "--watch"]
    assert main(asked) == 0
    told = capsys.readouterr()
    lines = told.err.splitlines()
    assert "of 500: England" in lines[0]
    runs = int(told.out.split(": ")[1].split()[0])
    assert runs < 500
    assert lines[-2].startswith(f"{runs} of 500")
    assert int(lines[-2].split("±")[1].split()[0]) <= 30


def test_ctrl_c_prints_what_has_been_counted(
    scenario_file: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = cli.odds.counting

    def stopped(*args: Any, **wanted: Any) -> Any:
        yield next(counted(*args, **wanted))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.odds, "counting", stopped)
    assert main(["odds", str(scenario_file), "--workers", "1"]) == 0
    assert "Off the Dunes: " in capsys.readouterr().out


@pytest.mark.parametrize("within", ["0", "50", "near"])
def test_a_senseless_precision_is_refused(scenario_file: Path, within: str, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["odds", str(scenario_file), "--within", within])
    assert "--within" in capsys.readouterr().err


@pytest.mark.parametrize("runs", ["0", "-3", "many"])
def test_a_senseless_number_of_runs_is_refused(scenario_file: Path, runs: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["odds", str(scenario_file), "--runs", runs])
    assert stopped.value.code == 2
    assert "--runs" in capsys.readouterr().err


def test_the_engine_runs_as_a_module_and_loads_no_django(scenario_file: Path) -> None:
    code = (
        "import sys; from battles.engine.cli import main; "
        f"assert main(['fight', {str(scenario_file)!r}]) == 0; "
        "bad = [m for m in sys.modules if m.split('.')[0] in ('django', 'celery', 'redis')]; assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    done = subprocess.run(
        [sys.executable, "-m", "battles.engine", "fight", str(scenario_file)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Off the Dunes" in done.stdout


@pytest.mark.clause("G.CO5")
def test_hour_and_wind_of_a_battle_set_up_by_hand_are_thrown_and_reported(
    scenario_file: Path, capsys: Any
) -> None:
    told = []
    for seed in ("a", "b", "a"):
        assert main(["fight", str(scenario_file), "--seed", seed, "--throw"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0].startswith("Thrown: the battle begins at ")
    assert told[0] == told[2] != told[1]
