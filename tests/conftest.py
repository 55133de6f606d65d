"""What every test may use: the record of clauses, private servers, the browser's launch."""

import functools
import gc
import json
import re
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django.test
import hypothesis
import pytest
from django.conf import settings

from tests.support import chromium, clauses_plugin, redis
from tests.support.reading import read_in_turns

DATABASE_FIXTURES = frozenset(
    {
        *("db", "transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback"),
        *("live_server", "admin_client", "admin_user"),
    }
)


def pytest_configure(config: pytest.Config) -> None:
    """Starts the record of the clauses that the tests show; no test fails because the machine is busy.

    While tests are read, which makes little garbage and keeps much, no one collects it; nor does the process that only hands tests out.
    """
    gc.disable()
    clauses_plugin.pytest_configure(config)
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("any machine", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("any machine")


# Tests with these marks lie in one folder, so that the parts of the suite need not read all the others to find them.
FOLDERS = {"browser": "tests/browser/", "processes": "tests/processes/", "redis": "tests/processes/"}


# No test in here uses the database.
PURE = ("tests/campaign/rules/", "tests/engine/")
# A file all of whose tests are for one database.
FOR_ONE_DATABASE = re.compile(r"^pytestmark = .*\bone_database\b", re.MULTILINE)


# Fixtures of plug-ins that would run before every test for the sake of these marks, of Django's sites, of the browser's traces and pictures
# or of made-up names; and those that a test without a database has no use for. Each costs little, but there are nearly 20,000 tests.
THEIR_MARKS = frozenset({"urls", "django_isolate_apps", "ignore_template_errors"})
IDLE = frozenset(
    {
        *("_django_set_urlconf", "_django_isolate_apps", "_django_clear_site_cache", "_session_faker"),
        *("_template_string_if_invalid_marker", "_pw_trace_api_requests", "delete_output_dir"),
    }
)
IDLE_WITHOUT_DATABASE = IDLE | {
    *("_dj_autoclear_mailbox", "_django_db_marker", "_live_server_helper", "_django_setup_unittest"),
    *("_fail_for_invalid_template_variable", "charts_in_emails_are_rendered_small"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--only-db` is how the suite runs the database tests once more on PostgreSQL; `--clauses` is `make cases`."""
    parser.addoption("--only-db", action="store_true", help="run only tests that use the database")
    parser.addoption("--clauses", action="store_true", help="run only tests that show a clause of the rules")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`--only-db` does not read the files in which it would find nothing, which are more than half of those of the rooms."""
    if not config.getoption("--only-db") or not collection_path.name.startswith("test_"):
        return None
    pure = any(collection_path.is_relative_to(config.rootpath / folder) for folder in PURE)
    return pure or FOR_ONE_DATABASE.search(collection_path.read_text(encoding="utf-8")) is not None or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Before pytest reads the tests one after another, two processes share what is dear about it."""
    read_in_turns(session.config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what was not asked for; refuses a mark outside its folder, and a database where there is to be none."""
    marks = [{mark.name for mark in item.iter_markers()} for item in items]
    astray = [
        item.nodeid
        for item, names in zip(items, marks, strict=True)
        for mark, folder in FOLDERS.items()
        if mark in names and not item.nodeid.startswith(folder)
    ]
    if astray:
        raise pytest.UsageError(f"these tests belong into {FOLDERS}: {', '.join(astray)}")
    impure = [item.nodeid for item in items if item.nodeid.startswith(PURE) and uses_database(item)]
    if impure:
        raise pytest.UsageError(f"tests in {PURE} do without a database: {', '.join(impure)}")
    for item, names in zip(items, marks, strict=True):
        if not (item.nodeid.startswith(FOLDERS["browser"]) or names & THEIR_MARKS):
            spare_idle_fixtures(item)
    wanted = items
    if config.getoption("--only-db"):
        wanted = [item for item in wanted if uses_database(item)]
    if config.getoption("--clauses"):
        wanted = [item for item in wanted if clauses_plugin.clauses_of(item)]
    if len(wanted) < len(items):
        kept = set(wanted)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = wanted


def spare_idle_fixtures(item: pytest.Item) -> None:
    """Takes out of a test's fixtures those that do nothing for it; what another fixture asks for is made when it asks.

    The list belongs to all parameters of a test.
    """
    names = item.fixturenames  # type: ignore[attr-defined]  # of every item of pytest's own
    if item.nodeid.startswith(PURE):
        asked = item._fixtureinfo.initialnames  # type: ignore[attr-defined]
        names[:] = [name for name in names if name in asked and name not in IDLE_WITHOUT_DATABASE]
    else:
        names[:] = [name for name in names if name not in IDLE]


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was read of the tests stays to the end, so the collector of garbage does not walk through it; new garbage may grow a while."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def uses_database(item: pytest.Item) -> bool:
    """Whether a test touches Django's database, by its mark, its fixtures or its class, in a way that may hang on which one it is."""
    if item.get_closest_marker("one_database"):
        return False
    case = getattr(item, "cls", None)
    if isinstance(case, type) and issubclass(case, unittest.TestCase):
        return issubclass(case, django.test.TransactionTestCase)
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


@pytest.fixture(scope="session")
def django_db_use_migrations() -> bool:
    """PostgreSQL is migrated; on SQLite the tables are made from the models, which takes a tenth of the time.

    Models and migrations agree (`makemigrations --check`), and the sites that the tests of processes start are migrated on SQLite.
    """
    return bool(settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest, django_db_modify_db_settings: None, django_db_blocker: Any
) -> Iterator[None]:
    """Where several processes test on PostgreSQL, they share its migration."""
    run = getattr(request.config, "workerinput", {}).get("testrunuid", "")
    if not run or settings.DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
        yield
        return
    from tests.support.migrated import migrated_forget, migrated_once

    with django_db_blocker.unblock():
        made = migrated_once(run)
    yield
    if made:
        with django_db_blocker.unblock():
            migrated_forget(run)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """The chart that nearly every test lies on is loaded once; tests that load it again find it there.

    After a test that commits Django empties all tables, so it is loaded again: where processes take tests off each other's hands, such a
    test is not always the last.
    """
    from campaign.services.setup.setup import shipped_theatres, theatre_load

    path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
    document = json.loads(path.read_text())
    empty = django.test.TransactionTestCase._fixture_teardown

    def clear_up(case: django.test.TransactionTestCase) -> None:
        empty(case)
        theatre_load(document=document)

    with django_db_blocker.unblock():
        theatre_load(document=document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(django.test.TransactionTestCase, "_fixture_teardown", clear_up)
        yield


@pytest.fixture(scope="session", autouse=True)
def charts_in_emails_are_rendered_small() -> Iterator[None]:
    """A chart takes a tenth of a second at full size, which no email's test looks at. Those of the picture import `png_of` itself."""
    from campaign import chart_picture, mail_examples

    small = functools.partial(chart_picture.png_of, times=1 / 20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_picture, "png_of", small)
        patch.setattr(mail_examples, "png_of", small)
        yield


@pytest.fixture(scope="session", autouse=True)
def old_rules_are_read_once() -> Iterator[None]:
    """Versions of the rules are of nearly the same files, each of which takes hundredths of a second to bare of its words for a
    fingerprint. A test that forgets the versions it has open runs their modules anew, from the code that was compiled before.
    """
    from battles.engine import fingerprint
    from battles.engine.core.wordless import bare_source
    from battles.engine.pinned import universe

    compiled: dict[tuple[str, ...], Any] = {}
    compile_module = universe._Loader.get_code

    def code_of(loader: universe._Loader, name: str) -> Any:
        key = (name, loader.get_filename(name), loader.get_source(name))
        if key not in compiled:
            compiled[key] = compile_module(loader, name)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprint, "bare_source", functools.cache(bare_source))
        patch.setattr(universe._Loader, "get_code", code_of)
        yield


@pytest.fixture
def tiny_set() -> Iterator[None]:
    """The tiny rule set of the tests is installed, for engine, boards and rule books."""
    from tests.support.sets import tiny_registered

    with tiny_registered():
        yield


@pytest.fixture
def tiny_pages(tiny_set: None, settings: Any) -> None:
    """The tiny rule set with its templates, for tests of pages."""
    from tests.support.sets import TEMPLATES

    settings.TEMPLATES = [{**one, "DIRS": [*one["DIRS"], TEMPLATES]} for one in settings.TEMPLATES]


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of a Redis server that this session started; the test is skipped where there is none."""
    reason = redis.why_not()
    if reason:
        pytest.skip(reason)
    with redis.private_redis() as url:
        yield url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How pytest-playwright starts the machine's Chromium; the test is skipped where there is none."""
    path = chromium.find_chromium()
    if path is None:
        pytest.skip(chromium.why_not())
    return {**browser_type_launch_args, "executable_path": path, "args": [*chromium.ARGUMENTS]}
