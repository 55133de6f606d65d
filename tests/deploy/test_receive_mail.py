"""`manage.py receive_mail`: a maildir, and a mail server's pipe."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from campaign.notices.messages import LARGEST
from campaign.services.replies import Outcome
from deploy.management.commands import receive_mail
from tests.support.processes import ROOT, plain_environment


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Mails that came to the service; one that holds `poison` fails."""
    mails: list[bytes] = []

    def take(*, raw: bytes) -> Outcome:
        if b"poison" in raw:
            raise RuntimeError("no database")
        mails.append(raw)
        return Outcome.TAKEN

    monkeypatch.setattr(receive_mail, "mail_take", take)
    return mails


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    """A maildir with two new mails and an old one."""
    for folder in ("new", "cur", "tmp"):
        (tmp_path / folder).mkdir()
    (tmp_path / "new" / "1.a").write_bytes(b"first")
    (tmp_path / "new" / "2.b").write_bytes(b"second")
    (tmp_path / "cur" / "0.z:2,S").write_bytes(b"old")
    return tmp_path


def test_new_mails_are_taken_in_order_and_moved(seen: list[bytes], maildir: Path) -> None:
    told = io.StringIO()

    call_command("receive_mail", maildir=maildir, stdout=told)

    assert seen == [b"first", b"second"]
    assert [path.name for path in sorted((maildir / "cur").iterdir())] == ["0.z:2,S", "1.a:2,S", "2.b:2,S"]
    assert not list((maildir / "new").iterdir())
    assert told.getvalue() == "2 taken, 0 refused, 0 bounced, 0 ignored\n"


def test_one_that_fails_stays_and_does_not_stop_the_others(seen: list[bytes], maildir: Path) -> None:
    (maildir / "new" / "1.a").write_bytes(b"poison")

    with pytest.raises(CommandError, match="1 could not be taken") as failed:
        call_command("receive_mail", maildir=maildir, stdout=io.StringIO())

    assert failed.value.returncode == 75
    assert seen == [b"second"]
    assert [path.name for path in (maildir / "new").iterdir()] == ["1.a"]


def test_a_folder_that_is_no_maildir_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no maildir"):
        call_command("receive_mail", maildir=tmp_path)


def test_a_mail_through_a_pipe_says_nothing_and_fails_for_another_try(
    seen: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = io.StringIO()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"piped")))
    call_command("receive_mail", stdout=told)
    assert (seen, told.getvalue()) == ([b"piped"], "")

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"poison")))
    with pytest.raises(CommandError) as failed:
        call_command("receive_mail", stdout=told)
    assert failed.value.returncode == 75


def test_a_mail_of_fifty_megabytes_is_read_as_far_as_its_words(
    seen: list[bytes], maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = maildir / "new" / "3.c"
    with huge.open("wb") as file:
        file.write(b"huge")
        file.truncate(50_000_000)
    call_command("receive_mail", maildir=maildir, stdout=io.StringIO())
    assert [len(raw) for raw in seen] == [5, 6, LARGEST]

    with (maildir / "cur" / "3.c:2,S").open("rb") as pipe:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=pipe))
        call_command("receive_mail", stdout=io.StringIO())
        assert len(seen[-1]) == LARGEST
        assert pipe.read() == b"", "a mail server whose pipe breaks says that the mail did not arrive"


def test_what_another_run_has_taken_and_what_is_no_file_is_passed_over(
    maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (maildir / "new" / "0.folder").mkdir()

    def take(*, raw: bytes) -> Outcome:
        (maildir / "new" / "1.a").unlink(missing_ok=True)
        return Outcome.REFUSED

    monkeypatch.setattr(receive_mail, "mail_take", take)
    told = io.StringIO()
    call_command("receive_mail", maildir=maildir, stdout=told)
    assert told.getvalue().startswith("0 taken, 2 refused")
    assert [path.name for path in sorted((maildir / "cur").iterdir())] == ["0.z:2,S", "2.b:2,S"]


@pytest.mark.django_db
def test_a_service_goes_on_looking_and_waits_longer_while_a_mail_fails(
    seen: list[bytes], maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            (maildir / "new" / "3.c").write_bytes(b"poison")
        if len(pauses) == 5:
            (maildir / "new" / "3.c").write_bytes(b"third")
        if len(pauses) == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(receive_mail.time, "sleep", sleep)
    told = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        call_command("receive_mail", maildir=maildir, every=20.0, stdout=told)

    assert pauses == [20, 20, 40, 80, 160, 20]
    assert seen == [b"first", b"second", b"third"]
    assert told.getvalue().splitlines() == [
        "2 taken, 0 refused, 0 bounced, 0 ignored",
        "1 taken, 0 refused, 0 bounced, 0 ignored",
    ]


def pipe(mail: bytes, env_file: Path) -> subprocess.CompletedProcess[bytes]:
    """A mail through the script that a mail server runs."""
    env = {name: value for name, value in plain_environment().items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        ["sh", "deploy/receive_mail.sh"],
        cwd=ROOT,
        env={**env, "GAGE_ENV": str(env_file), "PYTHON": sys.executable},
        input=mail,
        capture_output=True,
        timeout=60,
    )


def test_a_mail_servers_pipe_has_the_sites_settings_and_says_nothing(tmp_path: Path) -> None:
    env_file = tmp_path / "gage.env"
    base = f"sqlite:///{tmp_path / 'a & b $HOME'}"
    env_file.write_text(
        "# as systemd reads it\n\nDJANGO_SETTINGS_MODULE=deploy.settings.dev\n"
        f'VAR_DIR="{tmp_path / "var"}"\nDATABASE_URL={base!r}\n'
        "LOG_LEVEL=WARNING\nnot a line"
    )

    done = pipe(b"From: nobody@else.example\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n", env_file)

    assert (done.returncode, done.stdout) == (0, b"")
    assert b"sent by a machine" in done.stderr
    assert (tmp_path / "var").is_dir()


@pytest.mark.parametrize("trouble", ["settings", "no-file"])
def test_a_pipe_that_cannot_begin_has_the_mail_server_keep_the_mail(tmp_path: Path, trouble: str) -> None:
    env_file = tmp_path / "gage.env"
    if trouble == "settings":
        env_file.write_text("DJANGO_SETTINGS_MODULE=deploy.settings.nowhere\n")

    done = pipe(b"From: ann@club.example\r\n\r\nStance: avoid\r\n", env_file)

    assert (done.returncode, done.stdout) == (75, b"")
