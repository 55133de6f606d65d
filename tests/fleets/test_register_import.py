"""Registers are imported whole or not at all, and the same file twice changes nothing."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from fleets.models import Nation, Register, RegisterEntry
from fleets.register_files import RegisterFaults
from fleets.services.registers import DATA, register_copy, register_import

pytestmark = pytest.mark.django_db

GOOD = "name,nation,side,ship_type,guns\nTiger,England,English,frigate,38\nLion,England,English,ship_of_line,58\n"


def _file(folder: Path, text: str, name: str = "our_ships.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_code_and_title_come_from_the_file_name(tmp_path: Path) -> None:
    result = register_import(path=_file(tmp_path, GOOD, "Our Ships, 1667.csv"))

    assert (result.register.code, result.register.title) == ("our-ships-1667", "Our ships, 1667")
    assert not result.register.original


def test_a_second_import_distinguishes_new_changed_and_unchanged(tmp_path: Path) -> None:
    register_import(path=_file(tmp_path, GOOD))
    text = GOOD.replace("38", "40") + "Bear,England,English,frigate,30\n"

    result = register_import(path=_file(tmp_path, text))

    assert (result.new, result.changed, result.unchanged) == (1, 1, 1)
    tiger = RegisterEntry.objects.get(name="Tiger")
    assert tiger.guns == 40
    assert [version.guns for version in tiger.history.all()] == [40, 38]


def test_rows_that_only_move_are_unchanged_but_keep_their_new_line(tmp_path: Path) -> None:
    register_import(path=_file(tmp_path, GOOD))
    header, tiger, lion = GOOD.splitlines()

    result = register_import(path=_file(tmp_path, "\n".join([header, lion, tiger])))

    assert (result.new, result.changed, result.unchanged) == (0, 0, 2)
    assert list(result.register.entries.order_by("line").values_list("name", flat=True)) == ["Lion", "Tiger"]


def test_a_club_cannot_import_over_a_shipped_original(tmp_path: Path) -> None:
    register_import(path=_file(tmp_path, GOOD), code="1666", original=True)

    with pytest.raises(ValidationError, match="read-only"):
        register_import(path=_file(tmp_path, GOOD.replace("38", "40")), code="1666")

    assert RegisterEntry.objects.get(name="Tiger").guns == 38


def test_one_bad_row_keeps_everything_out(tmp_path: Path) -> None:
    with pytest.raises(RegisterFaults) as caught:
        register_import(path=_file(tmp_path, GOOD + "Bear,England,English,frigate,-3\n"))

    assert [fault.line for fault in caught.value.faults] == [4]
    assert not Register.objects.exists()
    assert not RegisterEntry.objects.exists()
    assert not Nation.objects.exists()


def test_an_import_takes_the_same_queries_for_two_rows_as_for_two_hundred(
    tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    rows = "".join(f"Ship {n},England,English,frigate,30\n" for n in range(200))
    register_import(path=_file(tmp_path, GOOD), code="warm")

    with django_assert_max_num_queries(25):
        register_import(path=_file(tmp_path, GOOD + rows), code="many")


def test_a_copy_can_be_changed_and_leaves_its_original_alone(tmp_path: Path) -> None:
    original = register_import(path=_file(tmp_path, GOOD), code="first", original=True).register

    copy = register_copy(register=original, code="ours", title="Our own")

    assert not copy.original
    assert copy.entries.count() == original.entries.count() == 2
    with pytest.raises(ValidationError):
        register_copy(register=original, code="ours", title="Again")


def test_the_command_prints_what_it_did(tmp_path: Path) -> None:
    out = StringIO()

    call_command(
        "import_register",
        str(_file(tmp_path, GOOD)),
        "--code",
        "club",
        "--title",
        "Club",
        "--year",
        "1667",
        stdout=out,
    )

    assert out.getvalue() == "club: 2 new, 0 changed, 0 unchanged\n"
    assert (Register.objects.get().title, Register.objects.get().year) == ("Club", 1667)


def test_the_command_lists_every_error_and_ends_with_status_2(tmp_path: Path) -> None:
    err = StringIO()
    bad = GOOD + "Bear,England,English,frigate,=A1\nWolf,Ruritania,English,frigate,9\n"

    with pytest.raises(CommandError, match="2 errors. Nothing was saved.") as caught:
        call_command("import_register", str(_file(tmp_path, bad)), stderr=err)

    assert caught.value.returncode == 2
    head, first, second = err.getvalue().splitlines()
    assert head.split()[:3] == ["line", "column", "value"]
    assert first.split()[:3] == ["4", "guns", "=A1"]
    assert second.split()[:3] == ["5", "nation", "Ruritania"]
    assert not Register.objects.exists()


def test_a_missing_file_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.csv: No such file or directory$") as caught:
        call_command("import_register", str(tmp_path / "nowhere.csv"))

    assert caught.value.returncode == 2


def test_a_code_that_is_not_a_slug_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="code: .*letters, numbers") as caught:
        call_command("import_register", str(_file(tmp_path, GOOD)), "--code", "our ships!")

    assert caught.value.returncode == 2
    assert not Register.objects.exists()


def test_load_registers_prints_one_line_per_register() -> None:
    out = StringIO()

    call_command("load_registers", stdout=out)

    assert out.getvalue().splitlines()[1] == "1666_four_days_battle: 163 new, 0 changed, 0 unchanged"
    assert len(out.getvalue().splitlines()) == len(list((DATA / "registers").glob("*.csv")))
