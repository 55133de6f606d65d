"""A task goes through a real broker to a real worker, and one that never ends is ended."""

import base64
import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection

from deploy import spool
from deploy.env import broker
from tests.support.processes import plain_environment, running, wait_until
from tests.support.tasks import hang, write_pid

WORKER = ("-m", "celery", "-q", "-A", "tests.support.tasks", "worker", "--queues", "default,mail,odds")
# Well-formed JSON that is no message, or none that Celery can handle.
GOOD_BODY = base64.b64encode(json.dumps([["/nowhere"], {}, {}]).encode()).decode()
PROPERTIES = {
    "delivery_tag": "a", "body_encoding": "base64",
    "delivery_info": {"exchange": "", "routing_key": "default"},
}  # fmt: skip
WHOLE = {
    "body": GOOD_BODY,
    "content-type": "application/json",
    "content-encoding": "utf-8",
    "properties": PROPERTIES,
}
NAMED = {"task": "tests.write_pid"}
WRONG = (
    "null", "7", '"sweep"', "[1, 2]", "{}", '{"properties": []}', '{"properties": {}, "body": "x"}',
    json.dumps({**WHOLE, "headers": NAMED}),
    json.dumps({**WHOLE, "headers": [1]}),
    json.dumps({**WHOLE, "headers": {"task": ["not", "hashable"], "id": "x"}}),
    json.dumps({**WHOLE, "headers": {**NAMED, "id": "x"}, "body": base64.b64encode(b'{"no": "list"}').decode()}),
    json.dumps({**WHOLE, "headers": {**NAMED, "id": "x"}, "body": "not base64!"}),
)  # fmt: skip
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--concurrency", "1")


QUEUES = ("default", "odds")


@contextlib.contextmanager
def worker_at(
    url: str, pool: str, folder: Path, **more: str
) -> Iterator[tuple[subprocess.Popen[bytes], Connection]]:
    """A worker that serves every queue and a connection to its broker, where two tasks wait in each of QUEUES when it starts.

    The block is entered when it has done them. A task writes a line into the file "written". more: of its environment.
    """
    settings = broker(url, queue_folder=folder / "queue", visibility_timeout=960)
    env = plain_environment(VAR_DIR=str(folder), CELERY_BROKER_URL=url, **more)
    log, written = folder / "log", folder / "written"
    spool.install()
    with Connection(
        settings["CELERY_BROKER_URL"], transport_options=settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    ) as connection:
        for queue in QUEUES:
            for _ in range(2):
                write_pid.apply_async((f"{written} {queue}",), connection=connection, queue=queue)
        with running(*WORKER, *QUIET, "--pool", pool, env=env, log=log) as worker:
            wait_until(
                lambda: all(len(lines(folder, queue)) == 2 for queue in QUEUES),
                f"the worker: {log.read_text()[-800:]}",
            )
            yield worker, connection


def lines(folder: Path, queue: str) -> list[str]:
    """What the tasks of a queue have written: the process ids of those who did them."""
    path = folder / f"written {queue}"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.processes
def test_tasks_pass_through_the_filesystem_and_only_one_that_never_ends_kills_a_single_process_worker(
    tmp_path: Path,
) -> None:
    """Messages of the wrong shape, which lie before the tasks, are set aside once and stop no worker."""
    messages = tmp_path / "queue" / "messages"
    messages.mkdir(parents=True)
    for number, text in enumerate(WRONG):
        (messages / f"{number:020d}_wrong.default.msg").write_text(text)
    with worker_at("filesystem://", "solo", tmp_path, TEST_TIME_LIMIT="1") as (worker, connection):
        done = [pid for queue in QUEUES for pid in lines(tmp_path, queue)]
        assert set(done) == {str(worker.pid)}, "the worker that met them all did the work behind them"
        wait_until(lambda: list(messages.iterdir()) == [], "the messages to be gone")
        aside = [path.read_text() for path in (tmp_path / "queue" / "bad").iterdir()]
        assert sorted(aside) == sorted(WRONG)

        time.sleep(1.5)
        assert worker.poll() is None  # a task that has ended winds no alarm
        hang.apply_async((str(tmp_path / "written hanging"),), connection=connection)
        assert worker.wait(timeout=60) == -signal.SIGALRM
    assert lines(tmp_path, "hanging") == [str(worker.pid)]


@pytest.mark.redis
def test_tasks_pass_through_redis_to_the_worker(tmp_path: Path, redis_url: str) -> None:
    with worker_at(redis_url, "prefork", tmp_path):
        assert [len(lines(tmp_path, queue)) for queue in QUEUES] == [2, 2]
