"""Emails as files."""

import email
import email.policy
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives

from deploy.mail import EmlFileBackend


def message(subject: str, *to: str) -> EmailMultiAlternatives:
    mail = EmailMultiAlternatives(subject, "The wind is SW.", "umpire@example.org", list(to))
    mail.attach_alternative("<p>The wind is SW.</p>", "text/html")
    return mail


def test_every_message_is_a_file_that_a_mail_program_reads(tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    backend = EmlFileBackend(file_path=str(folder))
    assert (
        backend.send_messages(
            [message("Turn 1", "tromp@example.org"), message("Turn 2", "monck@example.org")]
        )
        == 2
    )
    files = sorted(folder.iterdir())
    assert [path.suffix for path in files] == [".eml", ".eml"]
    read = [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in files]
    assert [mail["Subject"] for mail in read] == ["Turn 1", "Turn 2"]
    html = read[0].get_body(("html",))
    assert html is not None
    assert "wind is SW" in html.get_content()


def test_a_message_to_no_one_is_not_written(tmp_path: Path) -> None:
    assert EmlFileBackend(file_path=str(tmp_path)).send_messages([message("Turn 1")]) == 0
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_folder_is_an_error_unless_silenced(tmp_path: Path) -> None:
    in_the_way = tmp_path / "mail"
    in_the_way.write_text("a file, not a folder")
    with pytest.raises(OSError):
        EmlFileBackend(file_path=str(in_the_way)).send_messages([message("Turn 1", "tromp@example.org")])
    silent = EmlFileBackend(file_path=str(in_the_way), fail_silently=True)
    assert silent.send_messages([message("Turn 1", "tromp@example.org")]) == 0
