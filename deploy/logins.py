"""The demo's accounts: random passwords, kept in a file that only the owner of the installation can read."""

import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model

# username, address, may enter the admin
PEOPLE = (
    ("umpire", "umpire@demo.invalid", True),
    ("albemarle", "albemarle@demo.invalid", False),
    ("deruyter", "deruyter@demo.invalid", False),
)


def logins_file() -> Path:
    """Where the demo's passwords are kept."""
    return Path(settings.VAR_DIR) / "demo_logins"


def create_people() -> dict[str, Any]:
    """The demo's users by name. Missing ones are created, with new passwords."""
    users = get_user_model()
    found, lines = {}, []
    for name, address, staff in PEOPLE:
        user = users.objects.filter(username=name).first()
        if user is None:
            password = secrets.token_urlsafe(9)
            user = users.objects.create_user(username=name, email=address, password=password)
            user.is_staff = user.is_superuser = staff
            user.save()
            lines.append(f"{name} {password}\n")
        found[name] = user
    if lines:
        path = logins_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as file:
            file.writelines(lines)
    return found


def show_logins(out: Any) -> None:
    """Print the demo's logins, if this installation has them."""
    path = logins_file()
    if path.is_file():
        out.write("Log in as:\n")
        for line in path.read_text().splitlines():
            name, _, password = line.partition(" ")
            out.write(f"  {name:<10} {password}\n")
