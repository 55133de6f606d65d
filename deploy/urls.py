"""The site's addresses: each room has its own; added here are login, admin and the health page."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from deploy.health import healthz, metrics
from deploy.login_links import sign_in


def favicon(request: HttpRequest) -> HttpResponse:
    """For pages that name no icon, such as the admin's."""
    return redirect(static("campaign/rose.svg"))


handler500 = "deploy.errors.server_error"

urlpatterns = [
    path("favicon.ico", favicon),
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("accounts/login/", auth_views.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("in", sign_in, name="sign_in"),
    path("accounts/", include("deploy.passwords")),
    path("", include("campaign.urls")),
    path("", include("battles.urls")),
    path("", include("fleets.urls")),
]
