"""What makes a suite of many small tests cheap to read: no work twice in two processes."""

from __future__ import annotations

import contextlib
import importlib

import pytest


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
