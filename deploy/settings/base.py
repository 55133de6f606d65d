"""Settings that hold everywhere; what differs between installations comes from the environment.

Each settings file that is used directly calls `env.check()` at its end, so all errors are reported at once.
"""

import os
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from kombu import Queue

from deploy.env import BROKER_SCHEMES, Env, broker, database, email

env = Env()

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # the default database and the secret key live in it
RUN_DIR = VAR_DIR / "run"
MAIL_DIR = VAR_DIR / "mail"

DEBUG = env.flag("DEBUG", default=False)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
PORT = env.number("PORT", 8000, low=1, high=65535)
SITE_URL = env.url("SITE_URL", f"http://127.0.0.1:{PORT}", schemes=("http", "https")).rstrip("/")

INSTALLED_APPS = [
    "deploy.apps.SealedAdminConfig",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",  # before staticfiles: runserver then serves as gunicorn does
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "import_export",
    "simple_history",
    "deploy.apps.LoginsConfig",  # axes
    "csp",
    "fleets.apps.FleetsConfig",
    "battles.apps.BattlesConfig",
    "campaign.apps.CampaignConfig",
    "deploy.apps.DeployConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Pages hold secrets (a CSRF token, a side's plans). Django masks the token anew in every page and pads every compressed page by
    # a random length, so its size does not tell a stranger what it holds.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "campaign.middleware.ReadersClock",
    "campaign.middleware.MissingRules",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "axes.middleware.AxesMiddleware",  # last: it answers a locked-out login
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"
ASGI_APPLICATION = "deploy.asgi.application"

LOADERS = ["deploy.templates.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                ("template_partials.loader.Loader", [("django.template.loaders.cached.Loader", LOADERS)])
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- database ------------------------------------------------------------------------------------------

DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'weather_gage.sqlite3'}")
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.parsed("DATABASE_URL", DATABASE_URL, dict[str, Any](), database)
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- tasks ---------------------------------------------------------------------------------------------

SWEEP_SECONDS = env.number("SWEEP_SECONDS", 30, low=1, high=3600)
LEASE_SECONDS = env.number("LEASE_SECONDS", 60, low=1, high=3600)  # how long a silent worker keeps its work
RESTART_SECONDS = env.number("RESTART_SECONDS", 30, low=1, high=3600)  # the longest pause before a restart
TASK_TIME_LIMIT = env.number("TASK_TIME_LIMIT", 900, low=10, high=86400)  # longer than the longest battle
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
# how many workers share one question about odds, how much processor time it may take, how many one person may ask
ODDS_LANES = env.number("ODDS_LANES", min(4, CORES), low=1, high=64)
ODDS_SECONDS = env.number("ODDS_SECONDS", 300, low=10, high=86400)
ODDS_PER_HOUR = env.number("ODDS_PER_HOUR", 30, low=0, high=10_000)
LINGER_SECONDS = env.number(
    "LINGER_SECONDS", 60, low=1, high=86400
)  # how long an idle worker for odds or emails stays
BROKER_URL = env.url("CELERY_BROKER_URL", "filesystem://", schemes=BROKER_SCHEMES)
globals().update(broker(BROKER_URL, queue_folder=VAR_DIR / "queue", visibility_timeout=TASK_TIME_LIMIT + 60))
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = TASK_TIME_LIMIT
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = (Queue("default"), Queue("mail"), Queue("odds"))
CELERY_TASK_ROUTES = {
    "campaign.tasks.send_*": {"queue": "mail"},  # a slow mail server delays no turn
    "campaign.tasks.fight_odds": {"queue": "odds"},  # long, and no turn waits for them
}
CELERY_TASK_PUBLISH_RETRY = False  # see campaign.publishing: the sweep finds what a broker did not take
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "deploy.one_beat:OneBeat"
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "campaign.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},  # a sweep that waited this long has a younger one behind it
    },
}

# --- login ---------------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # a stranger cannot lock an admiral out from elsewhere
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS = [
    "username",
    "ip_address",
    "next",
    "csrfmiddlewaretoken",
]  # next may lead to an invitation
AXES_LOCKOUT_CALLABLE = "deploy.login_links.locked_out"
AXES_CLIENT_IP_CALLABLE = "deploy.client.client_ip"
TRUSTED_PROXIES = env.number("TRUSTED_PROXIES", 0, low=0, high=9)  # how many are in front of the site
# Keys in the links of emails. 16 bytes of signature cannot be guessed; a key expires on use, on any other login, with a new password
# and with a new address. They are read by `campaign.notices.links` alone and are no way to the password form's backends.
LOGIN_LINK_DAYS = env.number("LOGIN_LINK_DAYS", 7, low=1, high=60)
SESAME_MAX_AGE = LOGIN_LINK_DAYS * 86400
SESAME_ONE_TIME = True
SESAME_INVALIDATE_ON_EMAIL_CHANGE = True
SESAME_SIGNATURE_SIZE = 16
SESAME_TOKENS = ["sesame.tokens_v2"]

# --- people --------------------------------------------------------------------------------------------

# "everyone" with an account may start a campaign, or only those "named" by the permission "Can add campaign"
CAMPAIGNS_BY = env.choice("CAMPAIGNS_BY", "everyone", among=("everyone", "named"))
INVITATIONS_PER_DAY = env.number("INVITATIONS_PER_DAY", 20, low=0, high=10_000)  # emailed by one person

# the result sheet of a battle of 200 ships with the figures of all of them open
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

# --- headers -------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True

# --- static files --------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(VAR_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MEDIA_ROOT = VAR_DIR / "media"

# --- mail ----------------------------------------------------------------------------------------------

EMAIL_URL = env.text("EMAIL_URL", "file://")
globals().update(
    env.parsed("EMAIL_URL", EMAIL_URL, dict[str, Any](), lambda url: email(url, mail_folder=MAIL_DIR))
)
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Weather Gage <weather-gage@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_TIMEOUT = 10  # seconds: a silent mail server holds up no one for longer
# For a club whose chat runs in its own network.
WEBHOOKS_MAY_BE_PRIVATE = env.flag("WEBHOOKS_MAY_BE_PRIVATE")
REPLY_TO = env.text("REPLY_TO")  # where orders by reply arrive; "" offers none

# --- language, time, log -------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "deploy" / "locale"]
FORMAT_MODULE_PATH = "deploy.formats"
USE_TZ = True
TIME_ZONE = "UTC"

LOG_LEVEL = env.text("LOG_LEVEL", "INFO").upper()
if LOG_LEVEL not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
    env.fault("LOG_LEVEL", "must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    LOG_LEVEL = "INFO"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"tokens": {"()": "deploy.logs.HideTokens"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["tokens"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {"django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False}},
}
