"""A club's server: behind nginx with TLS, static files collected and named by their content."""

from deploy.settings.base import *

SECRET_KEY = env.required("SECRET_KEY", "sessions and links are signed with it", unfit="unset")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS")
if not ALLOWED_HOSTS:
    env.fault("ALLOWED_HOSTS", "is not set: name the hosts this site answers to, separated by commas")
if not env.text("SITE_URL"):
    env.fault("SITE_URL", "is not set: emails link to it, for example https://gage.example.org")
if DEBUG:
    env.fault("DEBUG", "must be off on a server: its error pages show the settings")

STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")  # nginx sets it and drops the client's
HTTPS = env.flag("HTTPS", default=True)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
if not env.text("CAMPAIGNS_BY"):
    CAMPAIGNS_BY = "named"  # strangers may get an account here by an invitation
SECURE_REDIRECT_EXEMPT = [r"^(healthz|metrics)$"]  # asked by the supervisor from inside, without TLS
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 3600, low=0, high=63072000) if HTTPS else 0

env.check()
