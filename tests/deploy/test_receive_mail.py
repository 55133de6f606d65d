"""`manage.py receive_mail`: a maildir, and a mail server's pipe."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from campaign.services.replies import Outcome
from deploy.management.commands import receive_mail


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
