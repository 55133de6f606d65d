"""Time zones by name."""

from zoneinfo import available_timezones

from django.core.exceptions import ValidationError


def known_zone(name: str) -> None:
    """Raises ValidationError for a time zone that does not exist."""
    if name not in available_timezones():
        raise ValidationError(f"{name} is not a time zone. Enter one such as Europe/London.")
