"""Environment variables: types, defaults, and all errors at once."""

from pathlib import Path
from typing import Any

import pytest

from deploy.env import BROKER_SCHEMES, Env, EnvironmentFaults, broker, database, email


def test_an_empty_variable_counts_as_not_set() -> None:
    env = Env({"NAME": "  ", "FLAG": "", "NUMBER": ""})
    assert env.text("NAME", "default") == "default"
    assert env.flag("FLAG", default=True) is True
    assert env.number("NUMBER", 7, low=1, high=9) == 7
    env.check()


@pytest.mark.parametrize(("text", "value"), [("1", True), ("Yes", True), ("off", False), ("FALSE", False)])
def test_a_flag_is_read_in_any_case(text: str, value: bool) -> None:
    assert Env({"DEBUG": text}).flag("DEBUG", default=not value) is value


def test_words_are_separated_by_commas_and_stripped() -> None:
    assert Env({"HOSTS": "a.example, b.example,,"}).words("HOSTS") == ["a.example", "b.example"]
    assert Env({}).words("HOSTS", ("localhost",)) == ["localhost"]


def test_a_choice_is_one_of_its_words_in_any_case() -> None:
    env = Env({"WHO": "Named", "HOW": "sometimes"})
    assert env.choice("WHO", "everyone", among=("everyone", "named")) == "named"
    assert env.choice("NOBODY", "everyone", among=("everyone", "named")) == "everyone"
    assert env.choice("HOW", "always", among=("always", "never")) == "always"
    assert env.faults == ["HOW: 'sometimes' is not one of always, never"]


def test_all_errors_are_reported_at_once_with_the_variable_in_front() -> None:
    env = Env({"DEBUG": "maybe", "SWEEP": "ten", "LIMIT": "0", "BROKER": "amqp://host", "DB": "oracle://x/y"})
    assert env.flag("DEBUG", default=False) is False
    assert env.number("SWEEP", 30, low=1, high=60) == 30
    assert env.number("LIMIT", 900, low=10, high=1000) == 900
    assert env.url("BROKER", "filesystem://", schemes=BROKER_SCHEMES) == "filesystem://"
    assert env.parsed("DB", env.text("DB"), {}, database) == {}
    assert env.required("SECRET_KEY", "sessions are signed with it", unfit="unset") == "unset"
    with pytest.raises(EnvironmentFaults) as caught:
        env.check()
    assert [fault.partition(":")[0] for fault in caught.value.faults] == [
        *("DEBUG", "SWEEP", "LIMIT", "BROKER", "DB", "SECRET_KEY")
    ]
    for fault in caught.value.faults:
        assert fault in str(caught.value)


def test_sqlite_is_opened_for_several_processes() -> None:
    entry = database("sqlite:////srv/gage.sqlite3")
    assert entry["NAME"] == "/srv/gage.sqlite3"
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert entry["OPTIONS"]["timeout"] == 20
    assert "journal_mode=WAL" in entry["OPTIONS"]["init_command"]
    assert "synchronous=NORMAL" in entry["OPTIONS"]["init_command"]
    assert entry["ATOMIC_REQUESTS"] is False


def test_postgresql_keeps_its_connections_and_needs_a_name() -> None:
    entry = database("postgres://admiral:pw@db.example:5433/gage")
    assert (entry["HOST"], entry["PORT"], entry["NAME"]) == ("db.example", 5433, "gage")
    assert entry["CONN_MAX_AGE"] == 60
    with pytest.raises(ValueError, match="names no database"):
        database("postgres://db.example/")


@pytest.mark.parametrize("url", ["mysql://root:hunter2@db/x", "postgres://u:hunter2@db:port/x", "hunter2"])
def test_a_bad_database_address_is_refused_without_revealing_its_password(url: str) -> None:
    with pytest.raises(ValueError) as caught:
        database(url)
    assert "hunter2" not in str(caught.value)


def test_the_filesystem_broker_keeps_all_its_files_under_its_folder(tmp_path: Path) -> None:
    options = broker("filesystem://", queue_folder=tmp_path, visibility_timeout=960)[
        "CELERY_BROKER_TRANSPORT_OPTIONS"
    ]
    assert options["polling_interval"] == 0.1
    folders = {options["data_folder_in"], options["data_folder_out"], options["control_folder"]}
    assert all(Path(folder).is_relative_to(tmp_path) for folder in folders)


def test_redis_redelivers_lost_messages_in_time(tmp_path: Path) -> None:
    settings = broker("redis://cache:6379/1", queue_folder=tmp_path, visibility_timeout=960)
    assert settings["CELERY_BROKER_URL"] == "redis://cache:6379/1"
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"] == {
        "visibility_timeout": 960,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 1.0,
        "socket_timeout": 1.0,
        "max_retries": 0,
        "queue_order_strategy": "priority",
    }


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example", {"EMAIL_HOST": "mail.example", "EMAIL_PORT": 25, "EMAIL_USE_TLS": False}),
        ("smtp://m.example/?tls=1", {"EMAIL_PORT": 587, "EMAIL_USE_TLS": True, "EMAIL_USE_SSL": False}),
        ("smtps://u%40x:p%2Fw@m.example", {"EMAIL_HOST_USER": "u@x", "EMAIL_HOST_PASSWORD": "p/w"}),
        ("smtps://m.example", {"EMAIL_PORT": 465, "EMAIL_USE_TLS": False, "EMAIL_USE_SSL": True}),
        ("file:///srv/mail", {"EMAIL_FILE_PATH": "/srv/mail", "EMAIL_BACKEND": "deploy.mail.EmlFileBackend"}),
        ("file://", {"EMAIL_FILE_PATH": "/var/mail-here"}),
    ],
)
def test_a_mail_address_says_how_email_is_sent(url: str, expected: dict[str, Any]) -> None:
    settings = email(url, mail_folder=Path("/var/mail-here"))
    assert {name: settings[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("url", "reason"), [("pigeon://loft", "must begin with"), ("smtp://", "no mail server")]
)
def test_a_bad_mail_address_is_refused(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        email(url, mail_folder=Path("/tmp"))
