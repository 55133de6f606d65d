"""A task goes through a real broker to a real worker, and one that never ends is ended."""

import base64
import json
import signal
import time
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


def worked(*, url: str, pool: str, queue: str, folder: Path) -> list[str]:
    """Sends the task twice, starts a worker, and answers with the lines that it wrote."""
    settings = broker(url, queue_folder=folder / "queue", visibility_timeout=960)
    written = folder / "written"
    env = plain_environment(VAR_DIR=str(folder), CELERY_BROKER_URL=url)
    spool.install()
    with Connection(
        settings["CELERY_BROKER_URL"], transport_options=settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    ) as connection:
        for _ in range(2):
            write_pid.apply_async((str(written),), connection=connection, queue=queue)
    log = folder / "log"
    with running(*WORKER, *QUIET, "--pool", pool, env=env, log=log):
        wait_until(
            lambda: written.exists() and len(written.read_text().splitlines()) == 2,
            f"the worker: {log.read_text()[-800:]}",
        )
    return written.read_text().splitlines()


@pytest.mark.processes
@pytest.mark.parametrize("queue", ["default", "odds"])
def test_a_task_passes_through_the_filesystem_to_the_worker(tmp_path: Path, queue: str) -> None:
    lines = worked(url="filesystem://", pool="solo", queue=queue, folder=tmp_path)
    assert len(set(lines)) == 1
    assert list((tmp_path / "queue" / "messages").glob("*.msg*")) == []


@pytest.mark.processes
def test_messages_of_the_wrong_shape_are_set_aside_once_and_stop_no_worker(tmp_path: Path) -> None:
    messages = tmp_path / "queue" / "messages"
    messages.mkdir(parents=True)
    for number, text in enumerate(WRONG):
        (messages / f"{number:020d}_wrong.default.msg").write_text(text)
    lines = worked(url="filesystem://", pool="solo", queue="default", folder=tmp_path)
    assert len(set(lines)) == 1, "the worker that met them all did the work behind them"
    assert list(messages.iterdir()) == []
    aside = [path.read_text() for path in (tmp_path / "queue" / "bad").iterdir()]
    assert sorted(aside) == sorted(WRONG)


@pytest.mark.redis
@pytest.mark.parametrize("queue", ["default", "odds"])
def test_a_task_passes_through_redis_to_the_worker(tmp_path: Path, redis_url: str, queue: str) -> None:
    lines = worked(url=redis_url, pool="prefork", queue=queue, folder=tmp_path)
    assert len(lines) == 2


@pytest.mark.processes
def test_only_a_task_that_never_ends_kills_a_single_process_worker(tmp_path: Path) -> None:
    settings = broker("filesystem://", queue_folder=tmp_path / "queue", visibility_timeout=960)
    env = plain_environment(VAR_DIR=str(tmp_path), CELERY_BROKER_URL="filesystem://", TEST_TIME_LIMIT="1")
    log, written = tmp_path / "log", tmp_path / "written"
    spool.install()
    with Connection(
        settings["CELERY_BROKER_URL"], transport_options=settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    ) as connection:
        write_pid.apply_async((str(written),), connection=connection)
        with running(*WORKER, *QUIET, "--pool", "solo", env=env, log=log) as worker:
            wait_until(written.exists, f"the worker: {log.read_text()[-800:]}")
            time.sleep(1.5)
            assert worker.poll() is None  # a task that has ended winds no alarm
            hang.apply_async((str(written),), connection=connection)
            assert worker.wait(timeout=60) == -signal.SIGALRM
    assert len(written.read_text().splitlines()) == 2
