"""For the tests: another database by TEST_DATABASE_URL, nothing outside the machine, nothing left behind."""

import atexit
import os
import shutil
import tempfile

from deploy.settings.base import *

# tests, their coverage and their mutants are about the sources; read before any of the engine is imported
os.environ.setdefault("WEATHER_GAGE_ENGINE", "interpreted")

SECRET_KEY = "only for tests, signs nothing that is kept"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1", "[::1]"]
DEBUG = False

if not env.text("VAR_DIR"):
    VAR_DIR = Path(tempfile.mkdtemp(prefix="weather-gage-test-"))
    atexit.register(shutil.rmtree, VAR_DIR, ignore_errors=True)
RUN_DIR = VAR_DIR / "run"
MAIL_DIR = VAR_DIR / "mail"
STATIC_ROOT = VAR_DIR / "static"
MEDIA_ROOT = VAR_DIR / "media"

DATABASES = {
    "default": env.parsed(
        "TEST_DATABASE_URL", env.text("TEST_DATABASE_URL", "sqlite://"), dict[str, Any](), database
    )
}
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {}

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one is slow on purpose
AXES_ENABLED = False  # client.force_login has no request; the lock-out tests turn it on
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True  # no scan of the static folders at every test client

env.check()
