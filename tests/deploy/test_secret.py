"""The secret key under a race."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from deploy.secret import secret_key


def test_processes_that_start_together_read_the_same_key(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret_key"
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        keys = set(pool.map(secret_key, [path] * 16))
    assert len(keys) == 1
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["secret_key"]
