"""One machine, no servers to install: what `make run` and `manage.py` use unless told otherwise."""

from deploy.secret import secret_key
from deploy.settings.base import *

SECRET_KEY = env.text("SECRET_KEY") or secret_key(VAR_DIR / "secret_key")

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # stays empty here; WhiteNoise warns when it is missing
WHITENOISE_USE_FINDERS = True  # straight from the rooms' folders, no collectstatic
WHITENOISE_AUTOREFRESH = DEBUG

env.check()
