"""Registers, imports, edits of many ships and merges: how long, how many, how old, and what exactly changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from fleets.models import ImportBatch, Nation, Register, RegisterEntry
from fleets.services.bulk_edits import BULK_COLUMNS, bulk_edit, bulk_plan, register_of_ships
from fleets.services.import_plans import differences, import_plan, shown
from fleets.services.merges import entries_merge, merge_choices
from fleets.services.overrides import overrides_set
from fleets.services.register_imports import (
    batch_give_up,
    batch_plan,
    batch_undo,
    import_confirm,
    import_wait,
    plan_mark,
)
from fleets.services.registers import (
    SHIPPED,
    nations_load,
    new_register_fault,
    register_copy,
    register_import,
    register_import_bytes,
    register_new,
)
from tests.support.answers import answer_of, flawless
from tests.support.factories import (
    NationFactory,
    RegisterEntryFactory,
    RegisterFactory,
    ShipFactory,
    UserFactory,
    squadron_of,
)
from tests.support.sheets import HEADER, csv_of, ships

pytestmark = pytest.mark.one_database


def refusals(act: Callable[..., Any], *about: Any, **more: Any) -> list[str]:
    """Why something is refused; nothing when it is done."""
    try:
        act(*about, **more)
    except ValidationError as refused:
        return refused.messages
    return []


GOOD = "name,nation,side,ship_type,guns\nTiger,England,English,frigate,38\n"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (0, "0"),
        ("", ""),
        (["a", 1], "a; 1"),
        ([], ""),
        ({"hull": 3, "tags": ["x", "y"]}, "hull: 3; tags: x; y"),
        (True, "True"),
    ],
)
def test_a_value_is_shown_as_a_cell(value: Any, cell: str) -> None:
    assert shown(value) == cell


def test_differences_name_columns_that_differ_and_those_of_single_registers_by_their_own_names() -> None:
    before = {"guns": 40, "crew": None, "extra": {"tags": ["a"], "rowers": 3, "same": 1}}
    after = {"guns": 41, "crew": None, "rate": "4", "extra": {"tags": ["b"], "soldiers": 9, "same": 1}}

    assert differences(before, after) == (
        ("guns", "40", "41"),
        ("rate", "", "4"),
        ("tags", "a", "b"),
        ("rowers", "3", ""),
        ("soldiers", "", "9"),
    )
    assert differences({"extra": None}, {"extra": {"rowers": 2}}) == (("rowers", "", "2"),)
    assert differences({"extra": {"rowers": 2}}, {"extra": None}) == (("rowers", "2", ""),)


@pytest.mark.django_db
def test_a_ship_is_recognised_whatever_her_capitals(club: Any) -> None:
    rows = [["SHIP 1", "England", "english", "ship_of_line", 41, 601, 1601, 201], *ships(1), *ships(4)[3:]]

    plan = import_plan(register=club, raw=csv_of(rows))

    assert [(row.state, row.moved, row.entry.side) for row in plan.rows] == [
        ("changed", True, "English"),
        ("unchanged", True, "English"),
        ("new", False, "English"),
    ]
    assert plan.rows[0].changes == (("name", "Ship 1", "SHIP 1"),)
    assert [row.line for row in plan.in_state("unchanged")] == [3]
    assert {row.state for row in import_plan(register=None, raw=csv_of(rows)).rows} == {"new"}
    assert {row.state for row in import_plan(register=Register(), raw=csv_of(rows)).rows} == {"new"}


@pytest.mark.django_db
def test_exact_names_are_taken_before_similar_ones(club: Any) -> None:
    RegisterEntryFactory(register=club, name="SHIP 1", line=9, guns=99)
    rows = [["Ship 1", "England", "English", "ship_of_line", 41, 601, 1601, 201]]

    (row,) = import_plan(register=club, raw=csv_of(rows)).rows

    assert (row.state, row.entry.guns) == ("unchanged", 41)


@pytest.mark.django_db
def test_columns_of_single_registers_stay_unless_the_file_empties_them(club: Any) -> None:
    row = ships(1)[0]
    kept = import_plan(register=club, raw=csv_of([[*row, 5]], [*HEADER, "rowers"])).rows[0]
    emptied = import_plan(register=club, raw=csv_of([[*row, ""]], [*HEADER, "tags"])).rows[0]
    whole = import_plan(register=club, raw=csv_of([[*row, '{"rowers": 7}']], [*HEADER, "extra"])).rows[0]

    assert (kept.entry.extra, kept.changes) == ({"tags": ["old"], "rowers": 5}, (("rowers", "", "5"),))
    assert (emptied.entry.extra, emptied.changes) == ({}, (("tags", "old", ""),))
    assert whole.entry.extra == {"rowers": 7}


def waiting(register: Any, raw: bytes | None = None, name: str = "ships.csv") -> ImportBatch:
    return flawless(
        import_wait, register=register, raw=raw or csv_of(ships(4)), file_name=name, user=UserFactory()
    )


@pytest.mark.django_db
def test_a_file_waits_for_two_days(club: Any) -> None:
    old, young, done = (waiting(club) for _ in range(3))
    for batch, hours in ((old, 48.1), (young, 47.9), (done, 100)):
        ImportBatch.objects.filter(pk=batch.pk).update(made=timezone.now() - timedelta(hours=hours))
    ImportBatch.objects.filter(pk=done.pk).update(status="done")

    new = waiting(club)

    assert set(ImportBatch.objects.all()) == {young, done, new}
    batch_give_up(batch=done)
    batch_give_up(batch=young)
    assert set(ImportBatch.objects.all()) == {done, new}


@pytest.mark.django_db
def test_long_names_and_reasons_are_cut(club: Any) -> None:
    batch = waiting(club, name="x" + "n" * 200)
    assert batch.file_name == "n" * 200
    mark = plan_mark(batch_plan(batch))
    assert len(mark) == 32

    import_confirm(batch=batch, mark=mark, reason=" " + "r" * 299)

    batch.refresh_from_db()
    assert batch.reason == "r" * 299 + " "


@pytest.mark.django_db
def test_an_import_without_a_description_keeps_the_old_one_and_counts_what_it_did(club: Any) -> None:
    rows = ships(5)
    rows[0][4] = 61
    batch = waiting(club, csv_of(rows))

    saved = import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)), reason="  ")

    batch.refresh_from_db()
    assert saved == (2, 1, 2)
    assert (batch.reason, batch.status, batch.file, batch.done is None) == (
        "Import of ships.csv",
        "done",
        None,
        False,
    )


@pytest.mark.django_db
def test_a_plan_that_was_not_shown_leaves_the_import_waiting(club: Any) -> None:
    batch = waiting(club)

    assert import_confirm(batch=batch, mark="0" * 32) is None

    batch.refresh_from_db()
    assert (batch.status, batch.done, RegisterEntry.objects.count()) == ("waiting", None, 3)


@pytest.mark.django_db
def test_undoing_restores_the_last_values_before_and_says_so(club: Any) -> None:
    user = UserFactory(username="keeper")
    first = RegisterEntry.objects.get(name="Ship 0")
    for guns in (30, 40):
        first.guns = guns
        first.save()
    rows = ships(5)
    for row in rows[:2]:
        row[4] = 61
    batch = waiting(club, csv_of(rows[::-1]))
    import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)))

    undone = batch_undo(batch=batch, user=user, reason=" wrong list ")

    assert undone == (2, 2, 0)
    assert (batch.status, batch.undone_by, batch.undone is None) == ("undone", "keeper", False)
    assert list(RegisterEntry.objects.order_by("name").values_list("name", "guns", "line")) == [
        ("Ship 0", 40, 2),
        ("Ship 1", 41, 3),
        ("Ship 2", 42, 4),
    ]
    version = first.history.first()
    assert version.history_change_reason == "Undone: Import of ships.csv – wrong list"
    gone = RegisterEntry.history.filter(name="Ship 4").first()
    assert (gone.history_type, gone.history_user) == ("-", user)
    assert gone.history_change_reason == version.history_change_reason
    with pytest.raises(ValidationError, match="This change was not completed, or has already been undone."):
        batch_undo(batch=batch, user=user)


@pytest.mark.django_db
def test_undoing_without_a_reason_says_only_what_is_undone(club: Any) -> None:
    rows = ships(3)
    rows[0][4] = 61
    batch = waiting(club, csv_of(rows))
    import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)))

    assert batch_undo(batch=batch, user=UserFactory(), reason=" ") == (0, 1, 0)

    version = RegisterEntry.objects.get(name="Ship 0").history.first()
    assert version.history_change_reason == "Undone: Import of ships.csv"


@pytest.mark.django_db
@pytest.mark.parametrize(("changed", "more"), [(10, ""), (11, " and 1 more"), (12, " and 2 more")])
def test_up_to_ten_blocking_ships_are_named(changed: int, more: str) -> None:
    NationFactory(name="England")
    register = RegisterFactory()
    batch = waiting(register, csv_of(ships(13)))
    import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)))
    names = sorted(RegisterEntry.objects.values_list("name", flat=True))[:changed]
    RegisterEntry.objects.filter(name__in=names[1:]).update(rate="9")
    RegisterEntry.objects.filter(name=names[0]).delete()

    with pytest.raises(ValidationError) as refused:
        batch_undo(batch=batch, user=UserFactory())

    told = f"These ships have changed since, so nothing can be undone: {', '.join(names[:10])}{more}."
    assert refused.value.messages == [told]


@pytest.mark.django_db
def test_up_to_ten_ships_that_sail_in_a_campaign_are_named() -> None:
    NationFactory(name="England")
    register = RegisterFactory()
    batch = waiting(register, csv_of(ships(1)))
    import_confirm(batch=batch, mark=plan_mark(batch_plan(batch)))
    mustered = ShipFactory.create_batch(11, entry=register.entries.get(), squadron=squadron_of(1))
    names = {ship.name for ship in mustered}

    (said,) = refusals(batch_undo, batch=batch, user=UserFactory())

    told = said.removeprefix("Campaigns have mustered these ships: ").removesuffix(".").split(", ")
    assert len(told) == 10 and set(told) < names


@pytest.mark.django_db
def test_an_edit_takes_up_to_2000_ships(club: Any) -> None:
    entry = RegisterEntry.objects.first()
    assert entry is not None

    assert [refusals(register_of_ships, [entry] * ships) for ships in (2000, 2001)] == [
        [],
        ["Choose up to 2,000 ships at a time."],
    ]


@pytest.mark.django_db
def test_names_and_figures_set_by_hand_are_not_edited_for_many_ships(club: Any) -> None:
    entries = list(club.entries.all())

    assert not {"name", "extra", "overrides"}.intersection(BULK_COLUMNS)
    assert (
        bulk_plan(entries=entries, values={"name": "Tiger", "overrides": "{}", "extra": "{}"}).changed == []
    )
    plan = bulk_plan(entries=entries, values={"rowers": "7", "tags": "", "crew": "201"})
    assert [entry.extra for entry in entries] == [{"rowers": 7}] * 3
    assert [row.state for row in plan.rows] == ["changed"] * 3


@pytest.mark.django_db
def test_ships_move_to_a_side_where_no_one_has_their_name(club: Any) -> None:
    RegisterEntryFactory(register=club, name="Ship 9", side="Dutch")
    RegisterEntryFactory(name="Ship 0", side="Dutch")
    entries = list(club.entries.filter(side="English"))

    assert bulk_plan(entries=entries, values={"side": "Dutch"}).faults == ()
    twice = [entries[0], RegisterEntryFactory(register=club, name="Ship 0", side="French")]
    (fault,) = bulk_plan(entries=twice, values={"side": "Dutch"}).faults
    assert (fault.column, fault.value, fault.reason) == ("side", "Dutch", "already has a ship named Ship 0")


@pytest.mark.django_db
def test_an_edit_is_done_as_it_was_shown_or_not_at_all(club: Any) -> None:
    user = UserFactory()
    entries = list(club.entries.order_by("line"))
    values = {"guns": "41"}
    mark = bulk_plan(entries=list(club.entries.order_by("line")), values=values).mark

    assert (
        bulk_edit(entries=list(club.entries.all()), values=values, reason="x", mark="old", user=user) is None
    )
    with pytest.raises(ValidationError, match="guns: "):
        bulk_edit(entries=list(club.entries.all()), values={"guns": "many"}, reason="x", mark=mark, user=user)
    assert not ImportBatch.objects.exists()
    batch = bulk_edit(entries=entries, values=values, reason=" " + "r" * 301, mark=mark, user=user)
    assert batch is not None
    assert (batch.changed, batch.unchanged, batch.reason) == (2, 1, "r" * 300)
    assert set(club.entries.values_list("guns", flat=True)) == {41}


@pytest.mark.django_db
def test_merging_two_entries_asks_only_about_differences() -> None:
    keep = RegisterEntryFactory(name="Tiger", guns=38, crew=None, extra={"rowers": 1})
    drop = RegisterEntryFactory(
        register=keep.register, name="Tyger", guns=40, line=keep.line, overrides={"kohler": {}}
    )

    assert merge_choices(keep, drop) == [("name", "Tiger", "Tyger"), ("guns", "38", "40")]
    ship = ShipFactory()
    kept = entries_merge(keep=keep, drop=drop, take=["guns"], reason=" one ship ", user=UserFactory())
    assert (kept.guns, kept.extra, kept.overrides) == (40, {"rowers": 1}, {"kohler": {}})
    assert (ship.history.count(), RegisterEntry.objects.filter(register=keep.register).count()) == (1, 1)


@pytest.mark.django_db
def test_unchanged_figures_write_no_history() -> None:
    entry = RegisterEntryFactory(overrides={"kohler": {"hull": 21}, "thomas": {"guns": 44}})
    user = UserFactory()

    overrides_set(entry=entry, rule_set="kohler", typed={"hull": "21", "fast": ""}, reason="", user=user)
    assert entry.history.count() == 1
    overrides_set(entry=entry, rule_set="kohler", typed={"hull": "22"}, reason=" x ", user=user)
    assert entry.overrides == {"kohler": {"hull": 22}, "thomas": {"guns": 44}}
    assert (entry.history.count(), entry.history.first().history_change_reason) == (2, "x")
    with pytest.raises(ValidationError, match="Enter a reason"):
        overrides_set(entry=entry, rule_set="kohler", typed={"hull": "23"}, reason=" ", user=user)
    assert entry.overrides["kohler"] == {"hull": 22}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "code", "title"),
    [
        ("Our_Ships.csv", "our_ships", "Our ships"),
        ("a" * 60 + ".csv", "a" * 50, "A" + "a" * 59),
        ("b" * 121 + ".csv", "b" * 50, "B" + "b" * 119),
        ("--.csv", "register", "--"),
        ("_.csv", "register", "Register"),
    ],
)
def test_a_file_names_its_register(tmp_path: Path, name: str, code: str, title: str) -> None:
    path = tmp_path / name
    path.write_text(GOOD)

    assert answer_of(register_import, path=path) == ""
    register = Register.objects.get()

    assert (register.code, register.title, register.year) == (code, title, None)
    assert register_import(path=path, code="own", title="Own").register.title == "Own"


@pytest.mark.django_db
def test_the_program_updates_an_original_and_a_clubs_title_stays() -> None:
    def load(title: str, year: int | None, original: bool) -> Register:
        register_import_bytes(raw=GOOD.encode(), code="x", title=title, year=year, original=original)
        return Register.objects.get(code="x")

    load("Club's", 1666, False)
    assert (load("Another", 1667, False).title, Register.objects.get().year) == ("Club's", 1666)
    Register.objects.update(original=True)
    changed = load("Shipped", 1667, True)
    assert (changed.title, changed.year) == ("Shipped", 1667)
    assert load("Shipped", 1668, True).year == 1668
    with pytest.raises(ValidationError, match="read-only"):
        load("Mine", 1668, False)


@pytest.mark.django_db
def test_a_new_registers_code_is_made_of_up_to_50_letters_of_its_title() -> None:
    title = " " + "x" * 51

    made = register_new(title=title, year=1667)

    assert (made.code, made.title, made.year) == ("x" * 50, "x" * 51, 1667)
    assert new_register_fault(title) == (
        f"There is a register “{'x' * 51}” already. Choose it, or enter another title."
    )
    assert new_register_fault("!!") == "Use letters or digits in the title."
    assert new_register_fault("Another") == ""


@pytest.mark.django_db
def test_a_copy_has_title_year_and_sources_and_every_entry(club: Any) -> None:
    Register.objects.filter(pk=club.pk).update(sources="a book", year=1588)
    club.refresh_from_db()

    copy = register_copy(register=club, code="copy", title="Copy", user=UserFactory(username="keeper"))

    assert (copy.year, copy.sources, copy.original) == (1588, "a book", False)
    assert set(copy.entries.values_list("name", flat=True)) == {"Ship 0", "Ship 1", "Ship 2"}
    assert club.entries.count() == 3
    version = copy.entries.first().history.first()
    assert (version.history_change_reason, str(version.history_user)) == ("Copied from Our ships", "keeper")


@pytest.mark.django_db
def test_nations_are_there_once_and_keep_what_a_club_changed() -> None:
    NationFactory(name="England", adjective="Anglian")

    nations_load()
    count = Nation.objects.count()
    nations_load()

    assert Nation.objects.count() == count > 10
    assert Nation.objects.get(name="England").adjective == "Anglian"


def test_every_shipped_register_is_of_the_year_in_its_name() -> None:
    assert [row.year for row in SHIPPED] == [int(row.code[:4]) for row in SHIPPED]
    assert [row.file.removesuffix(".csv") for row in SHIPPED] == [row.code for row in SHIPPED]
