"""The rules engine, pure. ENGINE says whether it runs compiled."""

from battles.engine import compiled

ENGINE = compiled.install()
