"""A database that is away or read-only gets a page that says so."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest
from django.db import InternalError, OperationalError, connection
from django.test import Client

from deploy import health

LOGIN = "django.contrib.auth.views.LoginView.dispatch"


@pytest.mark.parametrize("error", [OperationalError("database or disk is full"), InternalError("read-only")])
def test_nothing_can_be_saved_and_the_page_says_what_to_do(error: Exception) -> None:
    with mock.patch(LOGIN, side_effect=error):
        answer = Client(raise_request_exception=False).get("/accounts/login/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "has not been saved" in answer.content.decode() and str(error) not in answer.content.decode()


def test_another_error_is_an_error_of_the_program() -> None:
    with mock.patch(LOGIN, side_effect=ValueError):
        answer = Client(raise_request_exception=False).get("/accounts/login/")
    assert answer.status_code == 500 and "Something went wrong" in answer.content.decode()


@pytest.mark.django_db
def test_the_health_page_knows_a_database_that_takes_no_changes(client: Client) -> None:
    assert not health.database_read_only()
    with mock.patch.object(health, "database_read_only", return_value=True):
        answer = client.get("/healthz")
    assert answer.status_code == 503 and answer.json()["database"] == "read-only"


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_read_only_is_known(tmp_path: Path) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")
            assert health.database_read_only()
            cursor.execute("SET default_transaction_read_only = off")
    else:
        file = tmp_path / "site.sqlite3"
        file.touch()
        with mock.patch.dict(connection.settings_dict, NAME=str(file)):
            assert not health.database_read_only()
            with mock.patch.object(health.os, "access", lambda path, mode: path != tmp_path):
                assert health.database_read_only(), "its log could not be written"
