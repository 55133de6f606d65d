"""The filesystem broker."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Queue

from deploy import spool
from deploy.env import broker

ROOT = Path(__file__).resolve().parents[2]
PUT_MANY = """
import sys
from pathlib import Path
from tests.deploy.test_spool import connect
with connect(Path(sys.argv[1])) as connection:
    queue = connection.SimpleQueue("default")
    for number in range(int(sys.argv[2])):
        queue.put({"number": number, "load": "x" * 500})
"""


def connect(folder: Path) -> Connection:
    spool.install()
    settings = broker("filesystem://", queue_folder=folder, visibility_timeout=60)
    options = {**settings["CELERY_BROKER_TRANSPORT_OPTIONS"], "polling_interval": 0.001}
    return Connection(settings["CELERY_BROKER_URL"], transport_options=options)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with connect(tmp_path) as opened:
        yield opened


def bodies(queue: Any) -> list[Any]:
    found = []
    while True:
        try:
            message = queue.get(block=False)
        except queue.Empty:
            return found
        message.ack()
        found.append(message.payload)


def test_messages_are_taken_in_order_of_arrival(connection: Connection) -> None:
    queue = connection.SimpleQueue("default")
    for number in range(20):
        queue.put({"number": number})
    assert queue.qsize() == 20
    assert [body["number"] for body in bodies(queue)] == list(range(20))
    assert queue.qsize() == 0


def test_a_queue_gets_only_its_own_messages(connection: Connection) -> None:
    default, odds = connection.SimpleQueue("default"), connection.SimpleQueue("odds")
    odds.put("a thousand battles")
    assert bodies(default) == []
    assert bodies(odds) == ["a thousand battles"]


def test_taken_messages_leave_nothing_in_the_folder(connection: Connection, tmp_path: Path) -> None:
    queue = connection.SimpleQueue("default")
    queue.put("once")
    assert bodies(queue) == ["once"]
    assert list((tmp_path / "messages").iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "null", "[1]", "{}", '{"properties": []}', '{"properties": {}}'])
def test_an_unreadable_message_is_set_aside_once_and_the_next_one_taken(
    connection: Connection, tmp_path: Path, text: str
) -> None:
    queue = connection.SimpleQueue("default")
    name = "00000000000000000000_torn.default.msg"
    (tmp_path / "messages" / name).write_text(text)
    queue.put("whole")
    assert bodies(queue) == ["whole"]
    assert list((tmp_path / "messages").iterdir()) == []
    assert (tmp_path / "bad" / name).read_text() == text


def test_a_message_that_its_reader_cannot_handle_is_set_aside_and_not_restored(tmp_path: Path) -> None:
    handled: list[Any] = []

    def handle(body: Any, message: Any) -> None:
        handled.append(body)
        if body == "odd":
            raise KeyError("id")
        message.ack()

    with connect(tmp_path) as connection:
        queue = connection.SimpleQueue("default")
        queue.put("odd")
        queue.put("whole")
        with Consumer(connection, [queue.queue], callbacks=[handle]):
            for _ in range(2):
                connection.drain_events(timeout=5)
    assert handled == ["odd", "whole"]
    assert list((tmp_path / "messages").iterdir()) == []
    assert len(list((tmp_path / "bad").iterdir())) == 1


def test_a_worker_takes_from_its_queues_in_the_order_named(tmp_path: Path) -> None:
    taken: list[str] = []

    def handle(body: str, message: Any) -> None:
        taken.append(body)
        message.ack()

    with connect(tmp_path) as connection:
        queues = [connection.SimpleQueue(name) for name in ("default", "mail", "odds")]
        for _ in range(3):
            for queue in reversed(queues):
                queue.put(queue.queue.name)
        with Consumer(connection, [queue.queue for queue in queues], callbacks=[handle]):
            for _ in range(9):
                connection.drain_events(timeout=5)
    assert taken == ["default"] * 3 + ["mail"] * 3 + ["odds"] * 3


def test_an_unwritten_message_leaves_nothing_behind(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = connection.SimpleQueue("default")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(spool.os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            queue.put("lost")
    assert list((tmp_path / "messages").iterdir()) == []


def test_remains_of_killed_processes_are_restored_or_deleted_and_work_in_progress_is_left_alone(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = connection.SimpleQueue("default")
    queue.put("taken")
    (message,) = (tmp_path / "messages").iterdir()
    message.rename(f"{message}.taken")
    (tmp_path / "messages" / "1_x.default.msg.part").write_text('{"bo')
    spool.tidy(tmp_path / "messages")
    assert bodies(queue) == []
    assert len(list((tmp_path / "messages").iterdir())) == 2
    monkeypatch.setattr(spool, "STALE_SECONDS", -1.0)
    spool.tidy(tmp_path / "messages")
    assert bodies(queue) == ["taken"]
    assert list((tmp_path / "messages").iterdir()) == []


def test_a_message_that_is_being_written_is_not_seen(connection: Connection, tmp_path: Path) -> None:
    queue = connection.SimpleQueue("default")
    (tmp_path / "messages" / "00000000000000000000_half.default.msg.part").write_text('{"bo')
    assert queue.qsize() == 0
    assert bodies(queue) == []


def test_a_purge_empties_one_queue(connection: Connection) -> None:
    default, odds = connection.SimpleQueue("default"), connection.SimpleQueue("odds")
    default.put("sweep")
    odds.put("keep")
    assert default.clear() == 1
    assert bodies(odds) == ["keep"]


def test_no_message_is_lost_or_taken_twice_while_others_are_written(
    connection: Connection, tmp_path: Path
) -> None:
    count = 400
    writers = [
        subprocess.Popen([sys.executable, "-c", PUT_MANY, str(tmp_path), str(count)], cwd=ROOT)
        for _ in range(2)
    ]
    queue = connection.SimpleQueue("default")
    taken: list[int] = []
    while any(writer.poll() is None for writer in writers):
        taken += [body["number"] for body in bodies(queue)]
    taken += [body["number"] for body in bodies(queue)]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert sorted(taken) == sorted([*range(count), *range(count)])


def test_the_tables_of_both_queues_survive_writers_that_start_together(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from kombu import Exchange, Queue
from tests.deploy.test_spool import connect
with connect(Path(sys.argv[1])) as connection:
    Queue(sys.argv[2], Exchange("default"), routing_key=sys.argv[2])(connection.channel()).declare()
"""
    names = [f"queue{number}" for number in range(6)]
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name], cwd=ROOT) for name in names
    ]
    assert [process.wait(timeout=60) for process in started] == [0] * len(names)
    with connect(tmp_path) as connection:
        table = connection.channel().get_table("default")
    assert sorted(row.queue for row in table) == names


def test_waiting_sweeps_are_dropped_and_other_work_stays(tmp_path: Path) -> None:
    for number, task in enumerate(["campaign.tasks.sweep", "battles.tasks.fight", "campaign.tasks.sweep"]):
        (tmp_path / f"{number}_x.default.msg").write_text(json.dumps({"headers": {"task": task}}))
    (tmp_path / "9_x.default.msg").write_text("torn")
    assert spool.drop_messages(tmp_path, task="campaign.tasks.sweep") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1_x.default.msg", "9_x.default.msg"]


def test_a_missing_folder_has_no_messages(tmp_path: Path) -> None:
    assert spool.drop_messages(tmp_path / "never", task="campaign.tasks.sweep") == 0


def test_queues_bound_twice_are_in_the_table_once(connection: Connection) -> None:
    channel = connection.channel()
    for _ in range(2):
        Queue("default")(channel).declare()
    assert [row.queue for row in channel.get_table("")].count("default") <= 1
