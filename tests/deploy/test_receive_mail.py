"""`manage.py receive_mail`: a maildir, and a mail server's pipe."""

from __future__ import annotations

import getpass
import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from campaign.models import SetAsideMail
from campaign.notices.raw_mail import LARGEST, BadMail
from campaign.services.mail.replies import Outcome
from deploy import maildir as folders
from deploy.maildir import MOST_TRIES, BadFolder, Maildir
from deploy.management.commands import receive_mail
from tests.support.processes import ROOT, plain_environment


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Mails that came to the service; one that holds `poison` fails, and one that holds `broken` cannot be read."""
    mails: list[bytes] = []

    def take(*, raw: bytes) -> Outcome:
        if b"poison" in raw:
            raise RuntimeError("a fault of the program")
        if b"broken" in raw:
            raise BadMail("it has more than 1000 parts")
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


def test_new_emails_are_read_in_order_and_moved(seen: list[bytes], maildir: Path) -> None:
    told = io.StringIO()

    call_command("receive_mail", maildir=maildir, stdout=told)

    assert seen == [b"first", b"second"]
    assert [path.name for path in sorted((maildir / "cur").iterdir())] == ["0.z:2,S", "1.a:2,S", "2.b:2,S"]
    assert not list((maildir / "new").iterdir())
    assert told.getvalue() == "2 taken, 0 refused, 0 bounced, 0 ignored\n"


def names(folder: Path) -> list[str]:
    """The files in a folder."""
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def receive(maildir: Path) -> str:
    """One round over a maildir; what it told."""
    told = io.StringIO()
    call_command("receive_mail", maildir=maildir, stdout=told)
    return told.getvalue().strip()


@pytest.mark.django_db
def test_an_unreadable_email_is_set_aside_with_its_reason_and_stops_no_other(
    seen: list[bytes], maildir: Path
) -> None:
    (maildir / "new" / "1.a").write_bytes(b"broken")

    assert receive(maildir) == "1 taken, 0 refused, 0 bounced, 0 ignored, 1 set aside"

    assert seen == [b"second"]
    assert names(maildir / "new") == names(maildir / "work") == []
    assert names(maildir / "bad") == ["1.a", "1.a.reason"]
    assert (maildir / "bad" / "1.a").read_bytes() == b"broken"
    assert (maildir / "bad" / "1.a.reason").read_text() == "it has more than 1000 parts\n"
    row = SetAsideMail.objects.get()
    assert (row.name, row.reason, row.membership) == ("1.a", "it has more than 1000 parts", None)
    assert receive(maildir) == "0 taken, 0 refused, 0 bounced, 0 ignored", "and it does not come again"


@pytest.mark.django_db
def test_a_failing_email_is_retried_after_all_others_and_then_set_aside(
    seen: list[bytes], maildir: Path
) -> None:
    (maildir / "new" / "1.a").write_bytes(b"poison")

    for tries in range(1, MOST_TRIES):
        with pytest.raises(CommandError, match="1 could not be processed") as failed:
            receive(maildir)
        assert failed.value.returncode == 75
        assert seen[-1] == (b"second" if tries == 1 else b"later")
        assert names(maildir / "new") == [] and names(maildir / "work") == [f"{tries}!1.a"]
        (maildir / "new" / f"9.{tries}").write_bytes(b"later")

    assert receive(maildir).endswith("1 set aside")
    assert names(maildir / "work") == [] and names(maildir / "bad") == ["1.a", "1.a.reason"]
    assert SetAsideMail.objects.get().reason == "it could not be processed: RuntimeError"
    assert seen.count(b"later") == MOST_TRIES - 1


@pytest.mark.django_db
def test_an_email_that_kills_its_reader_is_recognised_by_that(
    maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[bytes] = []

    def take(*, raw: bytes) -> Outcome:
        begun.append(raw)
        if raw == b"first":
            raise SystemExit(137)  # nothing after this line is done, as when a process is killed
        return Outcome.TAKEN

    monkeypatch.setattr(receive_mail, "mail_take", take)
    for _ in range(MOST_TRIES):
        with pytest.raises(SystemExit):
            receive(maildir)
    assert begun == [b"first", b"second"] + [b"first"] * (MOST_TRIES - 1), "other people's mail goes on"

    assert receive(maildir).endswith("1 set aside")
    assert len(begun) == MOST_TRIES + 1
    assert names(maildir / "bad") == ["1.a", "1.a.reason"]
    assert "stopped this program 5 times" in SetAsideMail.objects.get().reason


def test_without_a_database_every_email_stays_where_it_was(
    seen: list[bytes], maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (maildir / "new" / "1.a").write_bytes(b"poison")
    monkeypatch.setattr(receive_mail, "database_answers", lambda: False)
    for _ in range(MOST_TRIES + 1):
        with pytest.raises(CommandError, match="the database does not answer"):
            receive(maildir)
    assert names(maildir / "new") == ["1.a", "2.b"] and names(maildir / "work") == [] and seen == []
    assert not (maildir / "bad").exists()


@pytest.mark.django_db
def test_an_email_that_cannot_even_be_recorded_does_not_come_again(
    seen: list[bytes], maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (maildir / "new" / "1.a").write_bytes(b"broken")
    monkeypatch.setattr(receive_mail, "mail_set_aside", lambda **_: 1 / 0)
    receive(maildir)
    assert names(maildir / "bad") == ["1.a", "1.a.reason"] and names(maildir / "work") == []


def test_a_second_run_leaves_the_first_alone(seen: list[bytes], maildir: Path) -> None:
    with Maildir(maildir).alone() as alone:
        assert alone
        assert receive(maildir) == "Another run is reading this maildir."
        assert seen == [] and names(maildir / "new") == ["1.a", "2.b"]
    receive(maildir)
    assert seen == [b"first", b"second"]


def test_the_oldest_bad_emails_are_deleted_to_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST_BAD", 3)
    bad = BadFolder(tmp_path / "bad")
    kept = [bad.keep(b"mail %d" % n, "too long") for n in range(5)]
    assert kept[-1] == bad.keep(b"mail 4", "too long"), "the same mail twice is kept once"
    assert set(names(bad.folder)) <= {*kept, *(f"{name}.reason" for name in kept)}
    assert len(names(bad.folder)) == 6 and kept[-1] in names(bad.folder)

    monkeypatch.setattr(folders, "MOST_BAD_BYTES", 100)
    last = bad.keep(b"x" * 500, "too long")
    assert names(bad.folder) == [last, f"{last}.reason"], "a great one alone is kept"


def test_a_file_left_in_the_work_folder_by_mistake_is_treated_as_an_email(
    seen: list[bytes], maildir: Path
) -> None:
    (maildir / "work").mkdir()
    (maildir / "work" / "x!y").write_bytes(b"third")
    receive(maildir)
    assert seen == [b"first", b"second", b"third"]
    assert "x!y:2,S" in names(maildir / "cur")


def test_a_folder_that_is_not_a_maildir_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not a maildir"):
        call_command("receive_mail", maildir=tmp_path)


def test_an_email_through_a_pipe_prints_nothing_and_fails_for_another_try(
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


@pytest.mark.django_db
def test_a_bad_email_through_a_pipe_is_kept_and_reported_to_the_mail_server_as_delivered(
    seen: list[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> None:
    settings.VAR_DIR = tmp_path
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"broken")))
        call_command("receive_mail")
    row = SetAsideMail.objects.get()
    assert (tmp_path / "bad-mail" / row.name).read_bytes() == b"broken"
    assert names(tmp_path / "bad-mail") == [row.name, f"{row.name}.reason"]


def test_only_the_words_of_a_fifty_megabyte_email_are_read(
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


def test_emails_taken_by_another_run_and_non_files_are_skipped(
    maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (maildir / "new" / "0.folder").mkdir()

    def take(*, raw: bytes) -> Outcome:
        (maildir / "work" / "1!1.a").unlink(missing_ok=True)
        return Outcome.REFUSED

    monkeypatch.setattr(receive_mail, "mail_take", take)
    real = os.replace

    def replace(path: Path, to: Path) -> None:
        if path.name == "2.b":
            path.unlink()
        real(path, to)

    monkeypatch.setattr(folders.os, "replace", replace)
    assert receive(maildir).startswith("0 taken, 1 refused")
    assert [path.name for path in sorted((maildir / "cur").iterdir())] == ["0.z:2,S"]


@pytest.mark.django_db(transaction=True)  # it closes connections that are of no more use
def test_a_service_keeps_looking_and_waits_longer_only_while_it_can_read_no_email(
    seen: list[bytes], maildir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            (maildir / "new" / "3.c").write_bytes(b"poison")
        if len(pauses) == 4:
            (maildir / "new" / "4.d").write_bytes(b"poison")
            monkeypatch.setattr(receive_mail, "database_answers", lambda: False)
        if len(pauses) == 7:
            (maildir / "new" / "4.d").write_bytes(b"third")
            monkeypatch.setattr(receive_mail, "database_answers", lambda: True)
        if len(pauses) == 8:
            raise KeyboardInterrupt

    monkeypatch.setattr(receive_mail.time, "sleep", sleep)
    told = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        call_command("receive_mail", maildir=maildir, every=20.0, stdout=told)

    # a mail that fails makes nobody wait; a database that is away makes this wait
    assert pauses == [20, 20, 20, 20, 40, 80, 160, 20]
    assert seen == [b"first", b"second", b"third"]
    assert told.getvalue().splitlines()[0] == "2 taken, 0 refused, 0 bounced, 0 ignored"
    assert "1 taken, 0 refused, 0 bounced, 0 ignored" in told.getvalue()


def pipe(mail: bytes, env_file: Path) -> subprocess.CompletedProcess[bytes]:
    """A mail through the script that a mail server runs."""
    env = {name: value for name, value in plain_environment().items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        ["sh", "deploy/receive_mail.sh"],
        cwd=ROOT,
        env={**env, "GAGE_ENV": str(env_file), "PYTHON": sys.executable, "GAGE_USER": getpass.getuser()},
        input=mail,
        capture_output=True,
        timeout=60,
    )


def test_a_mail_servers_pipe_has_the_sites_settings_and_prints_nothing(tmp_path: Path) -> None:
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
def test_a_pipe_that_cannot_start_makes_the_mail_server_keep_the_email(tmp_path: Path, trouble: str) -> None:
    env_file = tmp_path / "gage.env"
    if trouble == "settings":
        env_file.write_text("DJANGO_SETTINGS_MODULE=deploy.settings.nowhere\n")

    done = pipe(b"From: ann@club.example\r\n\r\nStance: avoid\r\n", env_file)

    assert (done.returncode, done.stdout) == (75, b"")
