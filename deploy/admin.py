"""Accounts in the admin: a site administrator assigns roles, and cannot give anyone, themselves included, more than that."""

from __future__ import annotations

from typing import Any

from axes.admin import AccessAttemptAdmin, AccessFailureLogAdmin, AccessLogAdmin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from fleets.admin import Labelled

admin.site.site_header = admin.site.site_title = "Weather Gage"
admin.site.empty_value_display = "–"
User = get_user_model()
for _model in (User, AccessAttempt, AccessFailureLog, AccessLog):
    admin.site.unregister(_model)


@admin.register(User)
class AccountAdmin(Labelled, UserAdmin):
    """People who can log in. Only superusers create and change superusers."""

    list_display = ["username", "email", "is_staff", "roles", "last_login"]
    list_filter = ["is_staff", "is_superuser", "is_active", "groups"]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Without the permissions one by one, of which there are hundreds: roles give them."""
        return [
            (title, {**told, "fields": [name for name in told["fields"] if name != "user_permissions"]})
            for title, told in super().get_fieldsets(request, obj)
        ]

    def get_queryset(self, request: HttpRequest) -> Any:
        """With their roles."""
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display(description="roles")
    def roles(self, user: Any) -> str:
        """Groups that they are in."""
        names = [group.name for group in user.groups.all()]
        return ", ".join(["Superuser", *names] if user.is_superuser else names)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """What would give a person more than a role gives them."""
        found = list(super().get_readonly_fields(request, obj))
        return found if request.user.is_superuser else [*found, "is_superuser"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only superusers may change a superuser's account or password."""
        closed = obj is not None and obj.is_superuser and not request.user.is_superuser
        return super().has_change_permission(request, obj) and not closed

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only superusers may delete a superuser's account."""
        closed = obj is not None and obj.is_superuser and not request.user.is_superuser
        return super().has_delete_permission(request, obj) and not closed


class OfLogins:
    """What is kept of logins: who, when, from where. It is never edited; deleting a failed login lifts its lock."""

    list_filter: tuple[str, ...] = ()
    fieldsets = None

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No one adds here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No one changes anything here."""
        return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The columns of the list."""
        return list(self.list_display)  # type: ignore[attr-defined]


@admin.register(AccessAttempt)
class FailedAttempts(OfLogins, AccessAttemptAdmin):
    """Failed logins that count towards a lock."""

    list_display = (
        "attempt_time",
        "username",
        "ip_address",
        "user_agent",
        "path_info",
        "failures_since_start",
    )


@admin.register(AccessFailureLog)
class FailedLogins(OfLogins, AccessFailureLogAdmin):
    """Every failed login."""

    list_display = ("attempt_time", "username", "ip_address", "user_agent", "path_info", "locked_out")


@admin.register(AccessLog)
class Logins(OfLogins, AccessLogAdmin):
    """Every login."""

    list_display = ("attempt_time", "logout_time", "username", "ip_address", "user_agent", "path_info")
