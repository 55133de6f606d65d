"""The browser's driver runs an event loop in the tests' thread, where Django would refuse its database."""

import os

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
