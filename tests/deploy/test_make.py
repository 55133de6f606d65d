"""What `make` builds on: the search for a Python, and the files for servers."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.support.processes import ROOT

SERVED = re.compile(r"--queues[ =\",]+([a-z,]+)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A PATH of its own, with the shell's tools but no Python and no uv."""
    path = tmp_path / "bin"
    path.mkdir()
    for tool in ("sh", "rm", "mkdir", "ln"):
        real = next(Path(entry) / tool for entry in ("/usr/bin", "/bin") if (Path(entry) / tool).exists())
        (path / tool).symlink_to(real)
    return path


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def make_venv(folder: Path, venv: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [folder / "sh", ROOT / "deploy" / "make_venv.sh", venv],
        env={"PATH": str(folder), "HOME": str(folder), **environ},
        capture_output=True,
        text=True,
        timeout=120,
    )


def real_python() -> str:
    return os.path.realpath(sys.executable)


def test_a_program_on_the_path_that_does_not_run_is_skipped(folder: Path, tmp_path: Path) -> None:
    program(folder, "python3", "echo 'python3: command not found' >&2; exit 127")
    program(folder, "python3.13", 'echo "no such version" >&2; exit 1')
    # makes its environments in no time: a link instead of a copy with pip in it
    links = f'mkdir -p "$3/bin"; ln -s {real_python()} "$3/bin/python"'
    program(
        folder, "python3.11", f'if [ "$1 $2" = "-m venv" ]; then {links}; else exec {real_python()} "$@"; fi'
    )
    done = make_venv(folder, tmp_path / "venv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "venv" / "bin" / "python").exists()
    again = make_venv(folder, tmp_path / "venv")
    assert (again.returncode, again.stdout) == (0, "")


def test_no_python_says_how_to_get_one(folder: Path, tmp_path: Path) -> None:
    done = make_venv(folder, tmp_path / "venv", PYTHON="/nonexistent/python")
    assert done.returncode == 1
    assert "apt-get install python3 python3-venv" in done.stderr


def test_a_python_without_ensurepip_says_which_package_is_missing(folder: Path, tmp_path: Path) -> None:
    program(folder, "python3", f'case "$2" in *ensurepip*) exit 1;; esac; exec {real_python()} "$@"')
    done = make_venv(folder, tmp_path / "venv", PYTHON="python3")
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_file_has_a_hash_for_everything_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    entries = re.split(r"\n(?=[a-z0-9])", text.partition("\n")[2])
    assert len(entries) > 30
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert not re.search(r"https?://|file:|--index|--find-links", text)


def test_the_two_lock_files_agree() -> None:
    pins = [
        dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / lock).read_text(), re.M))
        for lock in ("requirements.lock", "requirements-dev.lock")
    ]
    assert {name: pins[1].get(name) for name in pins[0]} == pins[0]


@pytest.mark.parametrize(
    "files", ["deploy/Procfile", "deploy/docker/compose.yaml", "deploy/systemd/*.service"]
)
def test_every_queue_has_a_worker_and_there_is_one_scheduler(files: str) -> None:
    text = "\n".join(path.read_text() for path in sorted(ROOT.glob(files)))
    served = {queue for found in SERVED.findall(text) for queue in found.split(",") if queue}
    assert served == {queue.name for queue in settings.CELERY_TASK_QUEUES}
    assert len(re.findall(r"deploy\.celery_app\"?,? \"?beat", text)) == 1


def test_the_demo_writes_its_first_emails_for_the_port_that_will_be_served(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "run", "PORT=8123", f"VENV={tmp_path}/venv"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    first, serve = (line for line in done.stdout.splitlines() if "first_run" in line or "serve" in line)
    assert first.startswith("PORT=8123 ") and first.endswith("manage.py first_run")
    assert serve.endswith("manage.py serve --port 8123")


def test_static_files_can_be_collected_for_a_server(tmp_path: Path) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "deploy.settings.prod",
        "SECRET_KEY": "build",
        "ALLOWED_HOSTS": "build",
        "SITE_URL": "https://build",
        "VAR_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "static" / "staticfiles.json").is_file()
