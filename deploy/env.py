"""Reads the settings from environment variables and reports every error at once."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"", "0", "false", "no", "off"})

DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
BROKER_SCHEMES = ("filesystem", "redis", "rediss", "memory")

BROKER_SECONDS = 1.0

EMAIL_BACKENDS = {
    "file": "deploy.mail.EmlFileBackend",
    "console": "django.core.mail.backends.console.EmailBackend",
    "memory": "django.core.mail.backends.locmem.EmailBackend",
    "smtp": "django.core.mail.backends.smtp.EmailBackend",
    "smtps": "django.core.mail.backends.smtp.EmailBackend",
}


class EnvironmentFaults(ImproperlyConfigured):
    """One or more environment variables cannot be used; `faults` has a line for each."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(
            "The environment variables cannot be used:\n" + "\n".join(f"  {fault}" for fault in faults)
        )


class Env:
    """Environment variables with their types.

    A reader that meets an error notes it and returns the default, so that all are found;
    `check()` at the end raises EnvironmentFaults when there were any.  An empty variable counts as not set.
    """

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self.faults: list[str] = []

    def fault(self, name: str, reason: str) -> None:
        """Notes that variable `name` cannot be used."""
        self.faults.append(f"{name}: {reason}")

    def check(self) -> None:
        """Raises EnvironmentFaults with every error met so far, each once: Django reads settings that failed again."""
        if self.faults:
            raise EnvironmentFaults(list(dict.fromkeys(self.faults)))

    def text(self, name: str, default: str = "") -> str:
        """The variable unchanged."""
        return self._environ.get(name, "").strip() or default

    def required(self, name: str, why: str, *, unfit: str = "") -> str:
        """The variable; without it `unfit`, and an error that says why it is needed."""
        value = self.text(name)
        if not value:
            self.fault(name, f"is not set: {why}")
        return value or unfit

    def flag(self, name: str, *, default: bool = False) -> bool:
        """1, true, yes, on, or 0, false, no, off."""
        value = self.text(name).lower()
        if not value:
            return default
        if value not in TRUE | FALSE:
            self.fault(name, f"{value!r} is neither yes nor no; use 1 or 0")
            return default
        return value in TRUE

    def number(self, name: str, default: int, *, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        value = self.text(name)
        if not value:
            return default
        try:
            number = int(value)
        except ValueError:
            self.fault(name, f"{value!r} is not a whole number")
            return default
        if not low <= number <= high:
            self.fault(name, f"{number} is outside {low} to {high}")
            return default
        return number

    def choice(self, name: str, default: str, *, among: tuple[str, ...]) -> str:
        """One of the words in `among`, in any case."""
        value = self.text(name, default).lower()
        if value not in among:
            self.fault(name, f"{value!r} is not one of {', '.join(among)}")
            return default
        return value

    def words(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """Words separated by commas."""
        value = self.text(name)
        return [word.strip() for word in value.split(",") if word.strip()] if value else list(default)

    def url(self, name: str, default: str, *, schemes: tuple[str, ...]) -> str:
        """An address whose scheme is one of `schemes`."""
        value = self.text(name, default)
        scheme = value.partition("://")[0]
        if "://" not in value or scheme not in schemes:
            self.fault(name, f"must begin with {' or '.join(f'{word}://' for word in schemes)}")
            return default
        return value

    def parsed(self, name: str, value: str, default: T, parse: Callable[[str], T]) -> T:
        """`parse(value)`, where a ValueError becomes an error of variable `name`."""
        try:
            return parse(value)
        except ValueError as error:
            self.fault(name, str(error))
            return default


def database(url: str) -> dict[str, Any]:
    """Django's database entry for an address.

    SQLite is opened for several processes: write-ahead log, transactions that take the write lock at once,
    20 s of patience, and no wait for the disk at each commit.  Raises ValueError with a reason, never
    with the address, which may hold a password.
    """
    scheme = url.partition("://")[0]
    if scheme not in DATABASE_SCHEMES:
        raise ValueError("must begin with sqlite:// or postgres://")
    try:
        entry: dict[str, Any] = dict(dj_database_url.parse(url, conn_health_checks=True))
    except Exception as error:
        raise ValueError("is not a database address") from error
    if scheme == "sqlite":
        entry["OPTIONS"] = {
            **entry.get("OPTIONS", {}),
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    elif not entry.get("NAME"):
        raise ValueError("names no database")
    else:
        entry["CONN_MAX_AGE"] = 60
    entry["ATOMIC_REQUESTS"] = False
    return entry


def broker(url: str, *, queue_folder: Path, visibility_timeout: int) -> dict[str, Any]:
    """Celery's settings for a broker address, by the names that Django's settings give them.

    queue_folder: where the filesystem broker keeps its messages.
    visibility_timeout: seconds after which Redis hands an unanswered message to another worker.
    """
    scheme = url.partition("://")[0]
    if scheme == "filesystem":
        return {
            "CELERY_BROKER_URL": "filesystem://localhost/",  # a host, or kombu complains
            "CELERY_BROKER_TRANSPORT_OPTIONS": {
                "data_folder_in": str(queue_folder / "messages"),
                "data_folder_out": str(queue_folder / "messages"),
                "control_folder": str(queue_folder / "control"),
                "polling_interval": 0.1,
            },
        }
    if scheme == "memory":
        return {"CELERY_BROKER_URL": url, "CELERY_BROKER_TRANSPORT_OPTIONS": {}}
    return {
        "CELERY_BROKER_URL": url,
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            # a page that publishes a task waits no longer than this for a broker that says nothing
            "socket_connect_timeout": BROKER_SECONDS,
            "socket_timeout": BROKER_SECONDS,
            "max_retries": 0,
            # a worker takes from its queues in the order in which it names them
            "queue_order_strategy": "priority",
            "visibility_timeout": visibility_timeout,
            # by default lost messages are looked for ten times less often
            "unacked_restore_throttle": 1,
        },
    }


def email(url: str, *, mail_folder: Path) -> dict[str, Any]:
    """Django's mail settings for an address: file://, console://, memory://, smtp:// or smtps://.

    smtp://user:password@host:587/?tls=1 speaks STARTTLS, smtps:// speaks TLS from the first byte.
    mail_folder: where file:// puts messages when it names no folder.  Raises ValueError with a reason.
    """
    parts = urlsplit(url)
    if parts.scheme not in EMAIL_BACKENDS:
        raise ValueError(f"must begin with {', '.join(f'{word}://' for word in EMAIL_BACKENDS)}")
    settings: dict[str, Any] = {"EMAIL_BACKEND": EMAIL_BACKENDS[parts.scheme]}
    if parts.scheme == "file":
        settings["EMAIL_FILE_PATH"] = unquote(parts.netloc + parts.path) or str(mail_folder)
    if parts.scheme in {"smtp", "smtps"}:
        if not parts.hostname:
            raise ValueError("names no mail server")
        starttls = parse_qs(parts.query).get("tls", ["0"])[-1].lower() in TRUE
        settings |= {
            "EMAIL_HOST": parts.hostname,
            "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 587 if starttls else 25),
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_TLS": starttls and parts.scheme == "smtp",
            "EMAIL_USE_SSL": parts.scheme == "smtps",
        }
    return settings
