"""What makes a suite of many small tests cheap to read and to run: no work twice in two processes, no fixture that does nothing."""

from __future__ import annotations

import contextlib
import importlib

import pytest

# What plug-ins give to every test, and the mark or the fixture without which it does nothing for one.
DOES_NOTHING_WITHOUT = {
    "_django_db_marker": "django_db",
    "_django_isolate_apps": "django_isolate_apps",
    "_django_set_urlconf": "urls",
    "_live_server_helper": "live_server",
    "_pw_trace_api_requests": "playwright",
    "_session_faker": "faker",
    "_template_string_if_invalid_marker": "ignore_template_errors",
    "delete_output_dir": "playwright",
}
# Of use where there is a site, which a pure test does without.
FOR_SITES = frozenset(
    {
        *("_dj_autoclear_mailbox", "_django_clear_site_cache", "_fail_for_invalid_template_variable"),
        *("charts_in_emails_are_rendered_small", "django_db_blocker", "django_test_environment"),
        *("monkeypatch", "pytestconfig", "request"),  # the others ask for them
    }
)


def useful_fixtures(item: pytest.Function, *, pure: bool) -> list[str]:
    """The fixtures that a test sets up before it runs: those it names, and whatever does something for it. Fifteen others cost
    0.8 ms a test.

    pure: the test has nothing to do with Django.
    """
    names = item.fixturenames
    named = {
        *item._fixtureinfo.argnames,
        *(name for mark in item.iter_markers("usefixtures") for name in mark.args),
    }
    marks = {mark.name for mark in item.iter_markers()}
    idle = {name for name, needs in DOES_NOTHING_WITHOUT.items() if needs not in marks and needs not in names}
    if item.cls is None:
        idle.add("_django_setup_unittest")
    if pure:
        idle |= FOR_SITES
    return [name for name in names if name in named or name not in idle]


def read_in_turns(config: pytest.Config) -> None:
    """Reads the tests that were asked for, each process of xdist from another place on, so that what the first has compiled is there
    when the next one comes to it. Where nothing is compiled yet, that is half of the reading.

    A file that cannot be read is left to pytest, which says so.
    """
    given = getattr(config, "workerinput", None)
    if given is None:
        return
    asked = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    files = sorted(
        {
            file
            for path in asked
            for file in path.rglob("test_*.py")
            if not config.hook.pytest_ignore_collect(collection_path=file, config=config)
        }
    )
    first = len(files) * int(given["workerid"].removeprefix("gw")) // given["workercount"]
    for file in (*files[first:], *files[:first]):
        name = ".".join(file.relative_to(config.rootpath).with_suffix("").parts)
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)
