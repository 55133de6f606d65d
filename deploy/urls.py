"""The addresses of the site: each room has its own, the house adds log-in, admin and the health page."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from deploy.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("accounts/login/", auth_views.LoginView.as_view(), name="login"),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("accounts/", include("deploy.accounts")),
    path("", include("campaign.urls")),
    path("", include("battles.urls")),
    path("", include("fleets.urls")),
]
